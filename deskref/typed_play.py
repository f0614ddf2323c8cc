"""Games of typed and simulated dice: entering the dice of an awaited roll one by one, and resolving actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from deskref.deed_words import CATALOGUE as DEEDS
from deskref.inputs import Source
from deskref.session import Book, Session, Step, TypedDie, signal_about
from deskref.signal import SignalKind
from deskref.words import CATALOGUE
from rules.ruling import IllegalActionError, Message, Pending, Ruling

Rulings = tuple[Ruling[Any, Any], ...]  # Any: of the rule set that is played


def awaited_sides(pending: Pending | None) -> tuple[int, ...]:
    """Return the sides of each die that a roll needs, in the order in which they are entered."""
    return () if pending is None else tuple(need.sides for need in pending.dice for _ in range(need.count))


def next_sides(session: Session, pending: Pending | None) -> int | None:
    """Return the sides of the die that is entered next; None where no die is awaited."""
    rest = awaited_sides(pending)[len(session.book.entered) :]
    return rest[0] if rest else None


def with_die(
    session: Session, given: TypedDie, pending: Pending | None, who: str
) -> tuple[Session, tuple[TypedDie, ...] | None]:
    """Enter a die of the awaited roll.

    Args:
        session: before the die.
        given: the die.
        pending: the roll that the rules wait for.
        who: what the one who rolls is called.

    Returns:
        The session, and all dice of the roll once it is complete; None before, and for a refused die.
    """
    sides = next_sides(session, pending)
    if pending is None or sides is None:
        return session.say(SignalKind.ILLEGAL, "no_die_awaited"), None
    if not 1 <= given.value <= sides:
        return session.say(SignalKind.ILLEGAL, "no_such_face", sides=sides, value=given.value), None
    words = CATALOGUE.message("die_told", who=who, sides=sides, value=given.value)
    entered = (*session.book.entered, given)
    about = signal_about(session, pending.who, value=given.value, source=given.source, die=given.die)
    session = session.tell(SignalKind.ROLL, words, signal=about)
    if len(entered) == len(awaited_sides(pending)):
        return session, entered
    deed = DEEDS.message("did_die", who=who, sides=sides, value=given.value)
    step = Step((), deed, source=given.source, dice=(given,))
    return session.turned(replace(session.book, entered=entered, pips=()), step), None


def played(
    session: Session,
    actions: tuple[Any, ...],  # Any: of the rule set that is played
    resolve: Callable[[Any, Any], Ruling[Any, Any]],
    what: Callable[[Any, Ruling[Any, Any]], Message],
    *,
    source: Source | None = None,
    dice: tuple[TypedDie, ...] = (),
) -> tuple[Session, Rulings]:
    """Let the rules resolve actions one after the other; all of them count, or none.

    Args:
        session: with a game.
        actions: one or more.
        resolve: the rules' referee.
        what: a sentence about the past for an action and its ruling; undo and redo say it.
        source: where the dice or cards came from.
        dice: that were entered for the action.

    Returns:
        The session after them and the rulings; where the rules refuse, the session that says why, and no ruling.
    """
    game: Any = session.book.game  # Any: as above
    rulings: list[Ruling[Any, Any]] = []
    for action in actions:
        try:
            rulings.append(resolve(game, action))
        except IllegalActionError as refusal:
            return session.tell(SignalKind.ILLEGAL, Message(refusal.code, refusal.text, refusal.params)), ()
        except ValueError as impossible:
            return session.say(SignalKind.ILLEGAL, "refused", why=f"{impossible}."), ()
        game = rulings[-1].state
    step = Step(actions, what(actions[-1], rulings[-1]), source=source, dice=dice)
    return session.turned(Book(game=game, is_emulating=session.book.is_emulating), step), tuple(rulings)
