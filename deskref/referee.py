"""The step of the session: an event on the desk or a player's input, and what follows from it.

Pure: time, dice and events come in as values.
"""

from __future__ import annotations

from dataclasses import replace

from deskref.desk import desk_after
from deskref.inputs import AnyInput, InTray, Redo, StartGame, Tick, Undo
from deskref.rule_sets import rule_set_of
from deskref.session import Pages, PlayedGame, Session
from deskref.signal import Signal, SignalKind
from deskref.tray_rolls import as_entry, as_event
from rules.ruling import told
from vision import events

Input = events.TableEvent | AnyInput


def step(session: Session, happened: Input) -> tuple[Session, tuple[Signal, ...]]:
    """Give the session after an event on the desk or a player's input, and the signals that follow from it.

    Never raises for what players or cameras do: what the rules refuse comes back as an `ILLEGAL` signal.
    """
    before, past = session.log[-1].number if session.log else 0, session.past
    session = replace(session, time_s=max(session.time_s, happened.time_s))
    rule_set = rule_set_of(session.setup) if session.setup is not None else None
    if isinstance(happened, events.TableEvent):
        session = _see(session, happened)
        if rule_set is not None:
            session = rule_set.referee.on_event(session, happened)
    elif isinstance(happened, InTray):
        session = _in_tray(session, happened)
    elif isinstance(happened, Undo):
        session = _undo(session)
    elif isinstance(happened, Redo):
        session = _redo(session)
    elif isinstance(happened, StartGame):
        rule_set = rule_set_of(happened.setup)
        log = tuple(signal for signal in session.log if signal.number > session.before_game)
        session = replace(session, earlier=_with_this(session), log=log)
        asked = replace(session, before_game=before, began_s=session.time_s, began_at=happened.at)
        session = rule_set.referee.start(asked, happened.setup)
    elif rule_set is not None:
        session = rule_set.referee.on_input(session, happened)
    elif not isinstance(happened, Tick):
        session = session.say(SignalKind.ILLEGAL, "no_game")
    if session.past is not past and not isinstance(happened, Undo | Redo | StartGame):
        session = _with_lines(session, past, before=before)
    if rule_set is not None:
        session = rule_set.referee.settle(session)
    return session, tuple(signal for signal in session.log if signal.number > before)


def _with_this(session: Session) -> tuple[PlayedGame, ...]:
    """The games before the one that is to begin."""
    if not session.past:
        return session.earlier
    return (*session.earlier, PlayedGame.of(session))


def _with_lines(session: Session, past: Pages, *, before: int) -> Session:
    """Note what was said of each new page, and which lines a correction has replaced.

    Args:
        session: after the pages were turned.
        past: the pages before.
        before: number of the last signal before.
    """
    pages = list(session.past)
    end = session.log[-1].number if session.log else before
    new = [n for n, (_, done) in enumerate(pages) if not done.said[1]]
    for n in reversed(new):
        book, done = pages[n]
        first = before + 1 if n == new[0] else done.said[0]
        pages[n] = (book, replace(done, said=(first, end)))
        end = first - 1
    kept = {done.said for _, done in pages}
    replaced = session.replaced
    if past and past[-1][1].said not in kept:  # otherwise only the oldest page was dropped, because there are so many
        replaced += tuple(done.said for _, done in past if done.said not in kept)
    return replace(session, past=tuple(pages), replaced=replaced)


def _see(session: Session, event: events.TableEvent) -> Session:
    session = replace(session, desk=desk_after(session.desk, event))
    match event:
        case events.TableLost():
            return session.say(SignalKind.TROUBLE, "table_lost", why=event.advice)
        case events.TableFound():
            return session.say(SignalKind.INFO, "table_found")
        case events.CameraMoved():
            return session.say(SignalKind.INFO, "camera_moved")
        case _:
            return session


def _in_tray(session: Session, given: InTray) -> Session:
    rule_set = rule_set_of(session.setup) if session.setup is not None else None
    if session.desk.table_found:
        event = as_event(given)
        session = _see(session, event)
        return rule_set.referee.on_event(session, event) if rule_set is not None else session
    entry = as_entry(given)
    if rule_set is None or given.is_gone:
        return session
    if entry is None:
        return session.say(SignalKind.UNREADABLE, "tray_unread")
    return rule_set.referee.on_input(session, entry)


def _undo(session: Session) -> Session:
    if not session.past:
        return session.say(SignalKind.ILLEGAL, "nothing_to_undo")
    book, done = session.past[-1]
    session = replace(session, book=book, past=session.past[:-1], future=(*session.future, (session.book, done)))
    session = replace(session, undone=(*session.undone, done.said))
    return session.say(SignalKind.UNDONE, "undone", what=told(done.what))


def _redo(session: Session) -> Session:
    if not session.future:
        return session.say(SignalKind.ILLEGAL, "nothing_to_redo")
    book, done = session.future[-1]
    session = replace(session, book=book, future=session.future[:-1], past=(*session.past, (session.book, done)))
    session = replace(session, undone=tuple(lines for lines in session.undone if lines != done.said))
    return session.say(SignalKind.REDONE, "redone", what=told(done.what))
