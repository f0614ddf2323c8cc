"""Fields that belong together under a name, by which screen readers tell whose they are."""

from __future__ import annotations

from nicegui import ui


def named_group(name: str) -> ui.element:
    """Make a group to put fields into.

    Args:
        name: whose fields these are; not shown.
    """
    group = ui.element("div").props("role=group")
    group.props["aria-label"] = name
    return group
