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

CORNERS = (
    (),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0.0, -1.1), (1.1, 1.0), (-1.1, 1.0)),
    ((0.0, -1.1), (1.1, 0.0), (0.0, 1.1), (-1.1, 0.0)),
)
"""A shape for each side besides its colour, the same in lists and in plans: corners in radii; none is the circle."""


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
        f"{shape_of(side, 11.0, 11.0, 9.0)}</svg>"
    )


def shape_of(side: int, x: float, y: float, radius: float, classes: str = "") -> str:
    """Return a side's shape round a middle, as SVG in the drawing's own unit."""
    named = f' class="{classes}"' if classes else ""
    corners = CORNERS[side % len(CORNERS)]
    if not corners:
        return f'<circle{named} cx="{x:.3f}" cy="{y:.3f}" r="{radius:.3f}"/>'
    points = " ".join(f"{x + radius * right:.3f},{y + radius * down:.3f}" for right, down in corners)
    return f'<polygon{named} points="{points}"/>'


def who_line(session: Session, soldier: str, name: str) -> str:
    """Return the heading that says whose turn it is, as HTML."""
    return f'<div class="who">{badge(session, soldier)}{escape(name)}</div>'
