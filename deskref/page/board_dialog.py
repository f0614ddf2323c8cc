"""What one window says about the light board: that it came or went, and whether an unknown device is one."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from deskref.board_player import BoardPlayer
from deskref.language import say
from deskref.page.keys import key
from deskref.page.titled_dialog import titled_dialog
from deskref.typed_command import as_typed
from devices.board import NO_STATUS, BoardTrouble
from devices.board_list import PortFound, PortIdentity


class BoardNews:
    """The light board's state in one window; `refresh` tells what has changed."""

    def __init__(self) -> None:
        """Prepare; nothing is drawn until there is something to say."""
        self._before = NO_STATUS
        self._told: set[BoardTrouble] = set()
        """Since the board was ready: troubles that take turns are told once each."""
        self._asked: set[PortIdentity | None] = set()
        """Devices that this window has asked about."""
        self._dialog: ui.dialog | None = None
        self._about: PortFound | None = None

    def refresh(self, player: BoardPlayer | None) -> str:
        """Tell what is new, ask about a device where that is needed, and give the words for the page's bar."""
        if player is None:
            return ""
        self._close_where_answered(player)
        status, before = player.status, self._before
        trouble = status.trouble
        if status is not before:
            self._before = status
            if status.is_ready and status.connections != before.connections:
                self._told.clear()
                ui.notify(say("page_board_on", name=status.name, leds=status.leds), type="positive")
            if trouble is not None and trouble.asks is not None:
                self._ask(player, trouble.asks)
            elif trouble is not None and trouble.is_news and trouble not in self._told:
                self._told.add(trouble)
                ui.notify(as_typed(str(trouble)), type="warning")
        if status.is_ready:
            return say("page_board", leds=status.leds)
        return say("page_board_trouble", why=trouble.message) if trouble is not None and trouble.is_news else ""

    def _ask(self, player: BoardPlayer, port: PortFound) -> None:
        if port.identity in self._asked or self._dialog is not None:
            return
        self._asked.add(port.identity)
        with titled_dialog(say("board_ask"), classes="card form board-ask", is_persistent=True) as dialog:
            ui.label(say("board_ask_what", name=port.name, port=port.path)).classes("says-small")
            ui.label(say("board_ask_why"))
            with ui.element("div").classes("row"):
                key(say("board_ask_yes"), partial(self._answer, player, port, agreed=True), main=True)
                key(say("board_ask_no"), partial(self._answer, player, port, agreed=False))
                key(say("board_ask_later"), self._close, small=True)
        self._dialog, self._about = dialog, port
        dialog.open()

    def _answer(self, player: BoardPlayer, port: PortFound, *, agreed: bool) -> None:
        player.answer(port, agreed=agreed)
        if not agreed:
            ui.notify(say("board_asked_no", name=port.name))
        self._close()

    def _close_where_answered(self, player: BoardPlayer) -> None:
        """Close the question where another window has answered it."""
        if self._about is not None and player.answer_on(self._about) is not None:
            self._close()

    def _close(self) -> None:
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.delete()
        self._dialog = self._about = None
