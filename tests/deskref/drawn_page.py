"""Parts of the page without a server or a browser: drawn in this process, read, pressed and filled in."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

from nicegui import Client, binding, ui
from nicegui.elements.mixins.text_element import TextElement
from nicegui.events import GenericEventArguments, handle_event
from nicegui.page import page

from deskref.inputs import AnyInput, StartGame
from deskref.live import LiveGame
from deskref.page.keys import Key
from deskref.play import Play


class ToldGame(LiveGame):
    """A game that takes what it is told at once, in the caller's thread, and remembers it."""

    def __init__(self) -> None:
        """Begin without a camera and without a game."""
        self.play = Play()
        self.told: list[AnyInput] = []
        super().__init__(self.play)

    def tell(self, given: AnyInput) -> None:
        """Take an input."""
        self.told.append(given)
        self.play.happened(given)
        self.session = self.play.session

    @property
    def started(self) -> list[StartGame]:
        """The games that it was told to begin."""
        return [given for given in self.told if isinstance(given, StartGame)]


class DrawnPage:
    """One window."""

    def __init__(self, draw: Callable[[], object]) -> None:
        """Draw into a window."""
        self.client = Client(page("/drawn"))
        self.run(draw)

    def run(self, act: Callable[[], object]) -> None:
        """Do something as this window."""
        with self.client:
            act()

    @property
    def text(self) -> str:
        """Every word that is shown, in order."""
        said = [unescape(re.sub(r"<[^>]*>", " ", _words(one))) for one in self._all(ui.element)]
        return "\n".join(filter(None, said))

    def values(self, kind: type[Any], label: str | None = None) -> list[Any]:
        """The values of all fields of a kind, or of those with a label."""
        return [one.value for one in self._fields(kind, label)]

    def fill(self, kind: type[Any], value: object, *, label: str | None = None, number: int = 0) -> None:
        """Fill in a field."""
        with self.client:
            self._fields(kind, label)[number].value = value

    def press(self, words: str, *, number: int = 0) -> None:
        """Press a button."""
        buttons = [one for one in self._all(TextElement) if one.tag == "button" and words in (one.text, _words(one))]
        button = buttons[number]
        with self.client:
            for listener in list(button._event_listeners.values()):
                if listener.type == "click" and listener.handler is not None:
                    handle_event(listener.handler, GenericEventArguments(sender=button, client=self.client, args={}))

    def tick(self) -> None:
        """Let every timer of the window come once, and the fields follow what they show."""
        binding._refresh_step()
        with self.client:
            for timer in self._all(ui.timer):
                timer.callback()

    def _fields(self, kind: type[Any], label: str | None) -> list[Any]:
        return [one for one in self._all(kind) if label is None or one.props.get("label") == label]

    def _all(self, kind: type[Any]) -> list[Any]:
        return [one for one in self.client.elements.values() if isinstance(one, kind)]


def _words(one: ui.element) -> str:
    if isinstance(one, ui.html):
        return str(one.content)
    if isinstance(one, Key):
        return one.words
    return one.text if isinstance(one, TextElement) else ""
