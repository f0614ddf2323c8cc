"""From what the settings say to a board: which port, which language, which device after it was plugged in again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from devices.board import Board, BoardError, BoardStatus, NoBoard, Picture, Tune
from devices.board_dialect import DeskrefDialect, Dialect, Met, SilentError
from devices.board_link import BoardLink
from devices.board_list import Chance, Consents, PortFound, PortIdentity, list_boards
from devices.board_port import AbsentError, Port, open_port
from devices.board_wled import Datagrams, WledSerialDialect, WledUdpDialect

Kind = Literal["auto", "deskref", "wled", "wled-udp", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChoice:
    """What the player wants."""

    kind: Kind = "auto"
    """`auto` looks for a board of ours on USB; `wled` is WLED on USB, `wled-udp` WLED in the network."""
    port: str = ""
    """A serial port, or WLED's address; empty looks for a board."""
    leds: int = 0
    """Length of the strip; 0 takes what the board says."""


class Finder:
    """Finds the port to open, and finds the same device again when its name has changed."""

    def __init__(
        self,
        wanted: str,
        consents: Consents,
        *,
        ports: Callable[[], tuple[PortFound, ...]] = list_boards,
        opener: Callable[[str], Port] = open_port,
    ) -> None:
        """Prepare.

        Args:
            wanted: the port that the player named, which is consent to open it; empty looks for one.
            consents: what the player has agreed to before.
            ports: lists the ports of this computer.
            opener: opens one of them.
        """
        self._wanted = wanted
        self._consents = consents
        self._ports = ports
        self._opener = opener
        self._opened: PortIdentity | None = None
        self._identity: PortIdentity | None = None
        """Of the board that answered."""
        self._tried: set[str] = set()
        """Ports at which nobody suitable answered since all were tried: an Uno may do something else."""

    def __call__(self) -> tuple[Port, str]:
        """Open the port.

        Raises:
            AbsentError: there is none at the moment.
            BoardError: it cannot be used, or the player must be asked first.
        """
        if "://" in self._wanted:
            return self._opener(self._wanted), self._wanted
        found = self._ports()
        same = next((p for p in found if p.identity is not None and p.identity == self._identity), None)
        if same is not None:
            return self._open(same)
        if self._wanted:
            named = next((p for p in found if p.path == self._wanted), None)
            return self._open(named) if named is not None else (self._opener(self._wanted), self._wanted)
        refused: BoardError | None = None
        may_try = [port for port in found if self._consents.may_try(port)]
        if all(port.path in self._tried for port in may_try):
            self._tried.clear()
            self._ask_about(found)
        for port in may_try:
            if port.path in self._tried:
                continue
            self._tried.add(port.path)
            try:
                return self._open(port)
            except BoardError as error:
                refused = refused or error
        if refused is not None:
            raise refused
        raise AbsentError("No board is plugged in.", "The game goes on without one.", is_news=False)

    def keep(self) -> None:
        """Stay with the device that was opened last: it is a board."""
        self._identity = self._opened
        self._tried.clear()

    def _open(self, port: PortFound) -> tuple[Port, str]:
        opened = self._opener(port.path)
        self._opened = port.identity
        return opened, port.path

    def _ask_about(self, found: tuple[PortFound, ...]) -> None:
        """Say that a device is there which may be a board and was not asked about yet."""
        for port in found:
            if port.chance is Chance.ASK and self._consents.answer(port) is None:
                raise AbsentError(
                    f"{port.name} at {port.path} may be a light board, or another device.",
                    f"Is it one? Then enter once: deskref board test --port {port.path}",
                    asks=port,
                )


class AnyDialect:
    """Finds out whether a board speaks `deskref-board/1` or WLED, and then speaks that."""

    def __init__(self, *, leds: int = 0) -> None:
        self._ours = DeskrefDialect()
        self._wled = WledSerialDialect(leds=leds)
        self._used: Dialect = self._ours

    @property
    def beat_s(self) -> float:
        """Of the dialect in use."""
        return self._used.beat_s

    @property
    def picture_s(self) -> float:
        """Of the dialect in use."""
        return self._used.picture_s

    def greet(self, port: Port, is_stopped: Callable[[], bool]) -> Met:
        """Greet in our own language first, then as WLED is asked; our greeting holds no byte on which WLED acts."""
        try:
            self._used = self._ours
            return self._ours.greet(port, is_stopped)
        except SilentError as first:
            if is_stopped():
                raise
            try:
                self._used = self._wled
                return self._wled.greet(port, is_stopped)
            except SilentError as second:
                raise (second if second.is_recognised else first) from second

    def show(self, port: Port, picture: Picture) -> None:
        """Show a picture."""
        self._used.show(port, picture)

    def play(self, port: Port, tune: Tune) -> None:
        """Play a tune."""
        self._used.play(port, tune)

    def beat(self, port: Port) -> None:
        """Say that we are there."""
        self._used.beat(port)

    def hears_reset(self, port: Port) -> bool:
        """Whether the board began afresh."""
        return self._used.hears_reset(port)

    def leave(self, port: Port) -> None:
        """Make it dark and silent."""
        self._used.leave(port)


def make_board(
    choice: BoardChoice,
    consents: Consents,
    *,
    on_status: Callable[[BoardStatus], None] | None = None,
    opener: Callable[[str], Port] = open_port,
) -> Board:
    """Make the board that the player wants, not started yet.

    Raises:
        ValueError: WLED in the network without its address.
    """
    if choice.kind == "none":
        return NoBoard()
    if choice.kind == "wled-udp":
        if not choice.port:
            raise ValueError("the board kind 'wled-udp' needs WLED's address as port, for example '192.168.1.40'")
        host = choice.port

        def find_host() -> tuple[Port, str]:
            return Datagrams(host), host

        return BoardLink(find_host, WledUdpDialect(host, leds=choice.leds), on_status=on_status)
    find = Finder(choice.port, consents, opener=opener)
    dialect: Dialect
    expected = choice.leds
    if choice.kind == "wled":
        dialect, expected = WledSerialDialect(leds=choice.leds), 0
    elif choice.kind == "deskref":
        dialect = DeskrefDialect()
    else:
        dialect = AnyDialect(leds=choice.leds)
    return BoardLink(find, dialect, expected_leds=expected, on_status=on_status, on_met=find.keep)
