"""What the live table asks of the part of the page that belongs to one game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Protocol

from deskref.chance import Chance
from deskref.live import LiveGame
from deskref.page.overlay import side_of
from deskref.session import Session

BADGES = (
    '<circle cx="11" cy="11" r="9"/>',
    '<rect x="3" y="3" width="16" height="16" rx="2"/>',
    '<path d="M11 1 21 20H1z"/>',
    '<path d="M11 1 21 11 11 21 1 11z"/>',
)
"""A shape for each side besides its colour."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a panel works with."""

    game: LiveGame
    chance: Chance
    redraw: Callable[[], None]
    """Draws turn and board again where something changed that only this window knows."""


class Panel(Protocol):
    """The parts of the page for one game; each is drawn into the current element."""

    def turn(self, session: Session) -> None:
        """Draw whose turn it is, what is awaited and what may be done."""

    def board(self, session: Session) -> None:
        """Draw the board, where the game has one."""

    def roster(self, session: Session) -> None:
        """Draw everybody with their state."""

    def key(self, pressed: str) -> bool:
        """Take a key, in small letters; say whether it meant something."""


def crop_html(address: str, words: str, *, size: int) -> str:
    """Return a small picture as HTML; `words` say what it shows."""
    return f'<img class="crop" src="{address}" alt="{escape(words, quote=True)}" width="{size}" height="{size}">'


def badge(session: Session, soldier: str) -> str:
    """Return a side's shape in its colour, as an inline SVG."""
    side = side_of(session, soldier)
    return (
        f'<svg class="badge side{side % 4}" viewBox="0 0 22 22" fill="currentColor" aria-hidden="true">'
        f"{BADGES[side % len(BADGES)]}</svg>"
    )


def who_line(session: Session, soldier: str, name: str) -> str:
    """Return the heading that says whose turn it is, as HTML."""
    return f'<div class="who">{badge(session, soldier)}{escape(name)}</div>'
