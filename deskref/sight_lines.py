"""Who sees how much of whom: lines of sight from the soldier whose turn it is to every standing enemy."""

from __future__ import annotations

from dataclasses import dataclass

from deskref.session import Session
from deskref.tabletop import figure_of, view_of
from rules import skuffle
from rules.skuffle_state import Phase
from vision.observation import Point


@dataclass(frozen=True, slots=True)
class SightLine:
    """What an attacker sees of a target."""

    target: str
    from_mm: Point
    to_mm: Point
    hidden_share: float
    """0 to 1."""
    is_hidden: bool
    """Whether nothing of the target can be seen."""


def sight_lines(session: Session) -> tuple[SightLine, ...]:
    """Give the lines of the soldier whose turn it is; empty while nobody can attack or places are not known.

    A figure in somebody's hand has no line: where it will stand is not known.
    """
    game = session.game
    if game is None or game.phase not in (Phase.TURN, Phase.AWAIT_DIE) or game.current is None:
        return ()
    attacker = game.soldier(game.current)
    begin = figure_of(session.desk, session.bindings, attacker.id)
    if begin is None or begin.lifted or attacker.is_dead:
        return ()
    lines = []
    for target_id in skuffle.targets(game, attacker.id):
        target = game.soldier(target_id)
        end = figure_of(session.desk, session.bindings, target_id)
        if end is None or end.lifted or target.is_dead or target.side == attacker.side:
            continue
        seen = view_of(game, session.desk, session.bindings, attacker, target)
        lines.append(SightLine(target_id, begin.mm, end.mm, seen.hidden_share, seen.is_hidden))
    return tuple(lines)


class SightLines:
    """The lines of the newest session, reckoned anew only when book, desk or names have changed."""

    def __init__(self) -> None:
        """Know none yet."""
        self._of: tuple[object, ...] = ()
        self._lines: tuple[SightLine, ...] = ()

    def of(self, session: Session) -> tuple[SightLine, ...]:
        """Give the lines of a session."""
        of = (session.book.game, session.desk.figures, session.desk.obstacles, session.bindings)
        if len(self._of) != len(of) or any(a is not b for a, b in zip(of, self._of, strict=True)):
            self._of = of
            self._lines = sight_lines(session)
        return self._lines
