"""Buttons in the page's own look."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Self

from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

PRESSED = 'no-caps toggle-color="pressed" toggle-text-color="on-pressed"'
"""Props of a row of buttons of which one is pressed: its colours can be read in light and dark."""

EACH_CLICK = "() => emit()"
FIRST_CLICK = "(event) => { if (event.detail < 2) emit(); }"
"""Enter on a button is a click of detail 0."""
STOP_SECOND_CLICK = "(event) => { if (event.detail > 1) { event.stopPropagation(); event.preventDefault(); } }"


KEY_NAME: Final = re.compile(r"(.*\S)( \((?:\S|Enter|Intro)\))")
"""What a button says, and the name of its key behind it, as the languages call it."""

KEY_HINT: Final = "hint key-hint"
"""Classes of a line that tells of keys: the style sheet leaves it out where there is no keyboard."""


class Key(TextElement):
    """A button: where there is no keyboard, the style sheet leaves the name of its key out."""

    def __init__(self, words: str) -> None:
        """Make it; `words` may end in the key's name in brackets."""
        super().__init__(tag="button", text="")
        with self:
            self._key_name = TextElement(tag="span", text="").classes("key-name")
        self.set_text(words)

    @property
    def words(self) -> str:
        """All that it says."""
        return f"{self.text}{self._key_name.text}"

    def set_text(self, text: str) -> Self:
        """Say something else."""
        found = KEY_NAME.fullmatch(text)
        super().set_text(found[1] if found else text)
        self._key_name.set_text(found[2] if found else "")
        return self


def counts_once(element: Element) -> None:
    """Let a double click on an element count once, as on the keys: a switch would be switched on and off again."""
    element.on("click.capture", js_handler=STOP_SECOND_CLICK)


def key(
    words: str,
    on_click: Callable[[], object],
    *,
    main: bool = False,
    small: bool = False,
    repeats: bool = False,
) -> Key:
    """Make a button.

    Args:
        words: what it says.
        on_click: called without arguments.
        main: the one that is meant to be pressed next.
        small: one of several.
        repeats: whether the second click of a double one counts, too. Otherwise a slip would count for two: after the
            first click the next soldier's key lies in the same place.
    """
    button = Key(words)
    button.classes("key" + (" main" if main else "") + (" small" if small else "")).props('type="button"')
    button.on("click", lambda: on_click(), js_handler=EACH_CLICK if repeats else FIRST_CLICK)
    # Else Enter, which may mean something else next, presses a button again that was clicked with the mouse.
    button.on("click", js_handler="(event) => { if (event.detail > 0) event.currentTarget.blur(); }")
    return button
