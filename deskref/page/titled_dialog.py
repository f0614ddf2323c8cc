"""A dialogue over the page with its title, by which screen readers name it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

from nicegui import ui


def has_open_dialog() -> bool:
    """Whether this window shows a dialogue: keys are then its own, and what is filled in there must stay."""
    return any(isinstance(one, ui.dialog) and one.value for one in ui.context.client.elements.values())


@contextmanager
def titled_dialog(title: str, *, classes: str = "card", is_persistent: bool = False) -> Iterator[ui.dialog]:
    """Make a dialogue and enter it; whoever fills it opens it.

    Args:
        title: what it is about; heading and name.
        classes: of the card.
        is_persistent: whether only an answer closes it, and no click beside it.
    """
    dialog = ui.dialog().props("persistent") if is_persistent else ui.dialog()
    dialog.props["aria-label"] = title
    with dialog, ui.element("div").classes(classes):
        ui.html(f"<h2>{escape(title)}</h2>", sanitize=False)
        yield dialog
