"""A part of the page that is drawn again and again, but not in a window that has closed meanwhile."""

from __future__ import annotations

from typing import Any

from nicegui import ui


class drawn_again(ui.refreshable_method[Any, ..., Any]):  # noqa: N801 - a decorator, as the library's
    """NiceGUI's `ui.refreshable_method`, which draws a moment after it is asked to.

    A window may close in that moment. The library would draw into it all the same and say so at length, with a trace
    of calls, in the player's terminal.
    """

    def _execute_refresh(self, args: tuple[Any, ...], kwargs: dict[str, Any], *, instance: Any) -> Any:
        self.prune()  # windows that have closed since drawing was asked for
        return super()._execute_refresh(args, kwargs, instance=instance)
