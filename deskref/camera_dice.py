"""Dice that the camera reads for an awaited roll of any kind: matched by number and kind; what does not fit is asked.

The camera reads pips, so it reads six-sided dice. A roll of such dice is entered when as many have come to rest as are
awaited, in any order, for all of one kind count alike. Fewer are entered and the others waited for. More, an unreadable
one, one that was put down and not thrown, or one while a die of another kind is awaited: each is a question. A die of
another kind can be thrown with six-sided dice (`rules.dice.emulate`), step by step, once a player has said so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from deskref import inputs
from deskref.deed_words import CATALOGUE as DEEDS
from deskref.inputs import Source
from deskref.session import Question, Session, Step, Task, TypedDie, signal_about
from deskref.signal import SignalKind
from deskref.typed_play import awaited_sides
from deskref.words import CATALOGUE
from rules.dice import emulate
from rules.ruling import Message, Pending, told
from vision import events

SETTLE_S = 0.6
"""The desk must have been at rest this long before dice are counted: dice of one throw come to rest within about half a
second of each other (our judgement), and a player reads them no faster."""

PIP_SIDES = 6
"""Of the dice that the camera reads."""

PUT, READ, OTHER, WHICH, MANY = "put_die", "read_die", "other_die", "which_die", "too_many"
"""What the keys of the questions begin with."""

Enter = Callable[[Session, TypedDie], Session]
"""Enters a die for the awaited roll, and plays the roll when it is complete."""

PlayAgain = Callable[[Session, Step, tuple[TypedDie, ...]], Session]
"""Plays a step's action again, its roll made of these dice."""


def saw(session: Session, event: events.TableEvent, pending: Pending | None, who: str) -> Session:
    """Give the session after an event on the desk, which the session's desk already shows.

    Args:
        session: with the game.
        event: that happened.
        pending: the roll that the rules wait for.
        who: what the one who rolls is called.
    """
    if not isinstance(event, events.DieEvent):
        return session
    match event:
        case events.DieTaken() | events.DieThrown():
            return _forgotten(session, event.die)
        case events.DieAtRest():
            if not awaited_sides(pending):
                about = signal_about(session, None, die=event.die, value=event.value)
                return session.say(SignalKind.INFO, "no_roll_awaited", signal=about)
            throws = session.throws
            return replace(session, throws=replace(throws, waiting=(*throws.waiting, event.die)))
        case events.DieAppeared() if awaited_sides(pending):
            words = CATALOGUE.message("task_put_die", value=event.value or "?", who=who)
            return _ask(session, _yes_or_no(f"{PUT}:{event.die}", words, event.die))
        case _:
            return session


def settled(session: Session, awaited: Callable[[Session], tuple[Pending | None, str]], enter: Enter) -> Session:
    """Enter the dice that lie at rest for the awaited roll, or ask about them; tasks are the questions afterwards.

    Args:
        session: after any step.
        awaited: gives the roll that is waited for, and what the one who rolls is called.
        enter: enters a die.
    """
    while True:
        pending, who = awaited(session)
        rest = awaited_sides(pending)[len(session.book.entered) :]
        if not rest:
            session = _asking(replace(session, throws=replace(session.throws, waiting=(), meant=())), ())
            break
        if not session.desk.at_rest or session.time_s - session.desk.changed_s < SETTLE_S:
            break
        after = _counted(session, pending, who, rest, enter)
        if after.book is session.book and after.throws == session.throws:
            session = after
            break
        session = after
    return replace(session, tasks=_tasks(session))


def chosen(session: Session, given: inputs.Choose) -> Session:
    """Take a player's answer to one of this module's questions."""
    question = next((q for q in session.book.questions if q.key == given.task), None)
    if question is None or given.choice not in dict(question.choices):
        return session
    kind, throws, die = given.task.split(":")[0], session.throws, question.die
    session = _without(session, given.task)
    if kind == READ and die is not None:
        return replace(session, throws=replace(throws, told=(*throws.told, (die, int(given.choice)))))
    if kind == PUT and given.choice == "count" and die is not None:
        return replace(session, throws=replace(throws, waiting=(*throws.waiting, die)))
    if kind == WHICH and given.choice == "own" and die is not None:
        return replace(session, throws=replace(throws, meant=(*throws.meant, die)))
    if given.choice == "emulate":
        step = Step((), DEEDS.message("did_emulating"))
        return session.turned(replace(session.book, is_emulating=True), step)
    if kind == MANY and given.choice.isdecimal():
        return replace(session, throws=replace(throws, waiting=(int(given.choice),)))
    if kind in (MANY, OTHER, WHICH):
        return replace(session, throws=replace(throws, waiting=(), meant=()))
    return session


def corrected(session: Session, given: inputs.CorrectDie, who: Callable[[Session], str], again: PlayAgain) -> Session:
    """Take what a player says that a die on the desk shows: before it counts, or for the roll that it counted in.

    Args:
        session: with the game.
        given: the die and its value.
        who: says what the one who rolls is called, in the session before the roll.
        again: plays an action again; what came after the roll is played after it as far as it still follows.
    """
    if given.die in session.throws.waiting:
        kept = tuple(t for t in session.throws.told if t[0] != given.die)
        return replace(session, throws=replace(session.throws, told=(*kept, (given.die, given.value))))
    at = next((i for i in reversed(range(len(session.past))) if _holds(session.past[i][1], given.die)), None)
    if at is None:
        return session.say(SignalKind.ILLEGAL, "no_such_roll")
    book, done = session.past[at]
    before = next(die.value for die in done.dice if die.die == given.die)
    if before == given.value:
        return session
    steps = [done, *(step for _, step in session.past[at + 1 :])]
    session = replace(session, book=book, past=session.past[:at], future=())
    about = signal_about(session, None, value=given.value, source=Source.TYPED, die=given.die)
    words = CATALOGUE.message("corrected", soldier=who(session), value=given.value, before=before)
    session = session.tell(SignalKind.CORRECTED, words, signal=about)
    for step in steps:
        dice = tuple(TypedDie(given.value, Source.TYPED, d.die) if d.die == given.die else d for d in step.dice)
        if not step.actions:
            entered = replace(session.book, entered=(*session.book.entered, *dice), pips=())
            session = session.turned(entered, replace(step, dice=dice))
            continue
        after = again(session, step, dice)
        if after.book is session.book:
            why = after.log[-1].message
            return session.say(SignalKind.ADVICE, "correction_ends", why=told(why))
        session = after
    return session


def _holds(step: Step, die: int) -> bool:
    return any(each.die == die for each in step.dice)


def _counted(session: Session, pending: Pending | None, who: str, rest: tuple[int, ...], enter: Enter) -> Session:
    """Enter what can be entered now of the dice that wait, or ask."""
    dice = session.throws.waiting
    own = sum(sides == PIP_SIDES for sides in rest)
    unread = [die for die in dice if _value(session, die) is None]
    if not dice:
        return _asking(session, ())
    if unread:
        return _asking(session, tuple(_which_value(die, who) for die in unread))
    if session.book.is_emulating and rest[0] != PIP_SIDES:
        return _emulated(session, pending, who, rest[0], enter)
    if len(dice) > own and own:
        return _asking(session, (_too_many(session, dice, own),))
    if not own:
        words = CATALOGUE.message("task_other_die", value=_value(session, dice[0]) or 0, sides=rest[0])
        return _asking(session, (_emulate_or(OTHER, words, rest[0], "no", "choice_ignore", dice[0]),))
    if own < len(rest) and any(die not in session.throws.meant for die in dice):
        die = next(die for die in dice if die not in session.throws.meant)
        words = CATALOGUE.message("task_which_die", value=_value(session, die) or 0, sides=rest[0])
        return _asking(session, (_emulate_or(f"{WHICH}:{die}", words, rest[0], "own", "choice_own_die", die),))
    if rest[0] != PIP_SIDES:
        return _asking(session, ())  # the other die is entered first
    return _entered(session, dice[0], int(_value(session, dice[0]) or 0), enter)


def _emulated(session: Session, pending: Pending | None, who: str, sides: int, enter: Enter) -> Session:
    """Take one throw of a six-sided die that stands for another die."""
    dice = session.throws.waiting
    if len(dice) > 1:
        session = _asking(replace(session, throws=replace(session.throws, waiting=(), meant=())), ())
        return session.say(SignalKind.ADVICE, "one_at_a_time")
    value = int(_value(session, dice[0]) or 0)
    pips = (*session.book.pips, value)
    so_far = emulate(sides, pips)
    if so_far.value is not None:
        return _entered(session, dice[0], so_far.value, enter)
    source = _source(session, dice[0])
    session = _forgotten(session, dice[0])
    words = CATALOGUE.message("pips_told", who=who, value=value, sides=sides)
    about = signal_about(session, pending.who if pending is not None else None, value=value, source=source, die=dice[0])
    session = session.tell(SignalKind.ROLL, words, signal=about)
    if so_far.step is not None:
        session = session.tell(SignalKind.RULING, so_far.step)
    deed = DEEDS.message("did_pips", who=who, value=value, sides=sides)
    return session.turned(replace(session.book, pips=pips), Step((), deed, source=source))


def _entered(session: Session, die: int, value: int, enter: Enter) -> Session:
    given = TypedDie(value, _source(session, die), die)
    return enter(_forgotten(session, die), given)


def _source(session: Session, die: int) -> Source:
    return Source.TYPED if die in dict(session.throws.told) else Source.CAMERA


def _value(session: Session, die: int) -> int | None:
    lying = session.desk.die(die)
    return dict(session.throws.told).get(die) or (lying.value if lying is not None else None)


def _forgotten(session: Session, die: int) -> Session:
    throws = session.throws
    kept = replace(
        throws,
        waiting=tuple(d for d in throws.waiting if d != die),
        meant=tuple(d for d in throws.meant if d != die),
        told=tuple(t for t in throws.told if t[0] != die),
    )
    questions = tuple(q for q in session.book.questions if q.die != die)
    book = session.book if len(questions) == len(session.book.questions) else replace(session.book, questions=questions)
    return replace(session, throws=kept, book=book)


# questions


def _which_value(die: int, who: str) -> Question:
    choices = tuple((str(v), CATALOGUE.message("choice_value", value=v)) for v in range(1, PIP_SIDES + 1))
    return Question(f"{READ}:{die}", CATALOGUE.message("task_read_die", soldier=who), choices, die=die)


def _too_many(session: Session, dice: tuple[int, ...], own: int) -> Question:
    words = CATALOGUE.message("task_too_many", count=len(dice), awaited=own)
    values = tuple((str(d), CATALOGUE.message("choice_value", value=_value(session, d) or 0)) for d in dice)
    again = ("again", CATALOGUE.message("choice_throw_again"))
    return Question(MANY, words, (*(values if own == 1 else ()), again))


def _emulate_or(key: str, words: Message, sides: int, other: str, other_words: str, die: int) -> Question:
    choices = (
        ("emulate", CATALOGUE.message("choice_emulate", sides=sides)),
        (other, CATALOGUE.message(other_words)),
    )
    return Question(key, words, choices, die=die)


def _yes_or_no(key: str, words: Message, die: int) -> Question:
    choices = (("count", CATALOGUE.message("choice_yes")), ("no", CATALOGUE.message("choice_no")))
    return Question(key, words, choices, die=die)


def _ask(session: Session, question: Question) -> Session:
    others = tuple(q for q in session.book.questions if q.key != question.key)
    return replace(session, book=replace(session.book, questions=(*others, question)))


def _without(session: Session, key: str) -> Session:
    questions = tuple(q for q in session.book.questions if q.key != key)
    return replace(session, book=replace(session.book, questions=questions))


def _asking(session: Session, wanted: tuple[Question, ...]) -> Session:
    """Ask these questions about waiting dice and no others; those about dice put down and about other things stay."""
    stay = tuple(q for q in session.book.questions if q.key.split(":")[0] not in (READ, OTHER, WHICH, MANY))
    questions = (*stay, *wanted)
    if questions == session.book.questions:
        return session
    return replace(session, book=replace(session.book, questions=questions))


def _tasks(session: Session) -> tuple[Task, ...]:
    now = (Task(q.key, q.message, session.time_s, q.choices, q.soldier, q.die) for q in session.book.questions)
    before = {task.key: task for task in session.tasks}
    tasks = tuple(replace(task, since_s=before[task.key].since_s) if task.key in before else task for task in now)
    return session.tasks if tasks == session.tasks else tasks
