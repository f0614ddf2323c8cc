"""The one owner of a session: everything that happens goes through here, is journalled, and leads to signals."""

from __future__ import annotations

from deskref.inputs import AnyInput, Tick
from deskref.looking import Looking
from deskref.recording import Journal
from deskref.referee import Input, step
from deskref.session import Session
from deskref.signal import Signal
from vision.events import TableEvent, event_as_json, event_from_json
from vision.observation import Observation

TICK_S = 0.2
"""How often time itself is told to the session: four ticks within the time after which a task is shown."""

ROUNDED_S = 1e-3
"""Times in journals are rounded: without this slack a replay would tick a frame earlier or later than the game did."""


class Play:
    """A session with its journal. Used by one thread."""

    def __init__(self, journal: Journal | None = None, session: Session | None = None) -> None:
        """Take up a session, a new one by default, and write its course to the journal where one is given."""
        self.session = session or Session()
        self.journal = journal
        self._ticked_s = -TICK_S

    def seen(self, observation: Observation) -> None:
        """Journal what was seen in a frame; its events follow by `happened`."""
        if self.journal is not None:
            self.journal.observation(observation)

    def looks(self, looking: Looking, *, after_s: float) -> None:
        """Journal that frames later than a time show a table marked otherwise, or through another lens."""
        if self.journal is not None:
            self.journal.looks(looking, after_s=after_s)

    def happened(self, happened: TableEvent | AnyInput) -> tuple[Signal, ...]:
        """Let the session take a step; the input is in the journal before anything follows from it."""
        if isinstance(happened, TableEvent):
            happened = as_kept(happened)
        if self.journal is not None and not isinstance(happened, Tick):
            self.journal.happened(happened)
        return self._step(happened)

    def passed(self, time_s: float) -> tuple[Signal, ...]:
        """Tell the session the time, every `TICK_S` at most; only ticks from which something follows are journalled."""
        if time_s - self._ticked_s < TICK_S - ROUNDED_S:
            return ()
        self._ticked_s = time_s
        if self.journal is not None and self.journal.trouble is not None:
            self.journal.catch_up()  # not only with the next line: the program may be killed before anybody plays on
        return self._step(Tick(time_s=time_s))

    def _step(self, happened: Input) -> tuple[Signal, ...]:
        before = self.session
        after, signals = step(before, happened)
        if isinstance(happened, Tick):
            if not _differs(before, after):
                return ()  # no trace of it is left, as none is in the journal: not even that it is later now
            if self.journal is not None:
                self.journal.happened(happened)
        self.session = after
        if self.journal is not None:
            self.journal.followed(before, after, signals)
        return signals


def _differs(before: Session, after: Session) -> bool:
    return before.book is not after.book or before.tasks != after.tasks or before.log is not after.log


def as_kept(event: TableEvent) -> TableEvent:
    """Give an event as the journal keeps it: with its rounded places and times a replay says the same to the byte."""
    return event_from_json(event_as_json(event))
