"""Entering the dice of an awaited roll on the page: by buttons, by keys, or simulated."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import ui

from deskref.camera_dice import PIP_SIDES
from deskref.inputs import EnterDie, Source
from deskref.language import say, shown
from deskref.page.keys import KEY_HINT, key
from deskref.page.panel import Table
from deskref.session import Session
from deskref.typed_play import awaited_sides, next_sides
from rules.dice import emulate
from rules.ruling import Param, Pending

HIGHEST_OF_ONE_DIGIT = 10
"""Faces up to here are entered by one key (0 for 10); a d12 and a d20 take two digits."""


class DiceEntry:
    """Enters dice one by one for the roll that a game waits for."""

    def __init__(self, table: Table, awaited: Callable[[Session], Pending | None]) -> None:
        """Take the table, and the function that says which roll is awaited."""
        self.table = table
        self.awaited = awaited
        self.typed = ""
        """The first digit of two."""
        self._typed_for: object = None
        """The die that it belongs to."""

    def draw(self, session: Session) -> None:
        """Draw the buttons of the die that comes next, and what has been entered; nothing where none is awaited."""
        pending = self.awaited(session)
        sides = next_sides(session, pending)
        if pending is None or sides is None:
            return
        if self.typed and self._typed_for != (pending, len(session.book.entered)):
            self.typed = ""  # of a die that is no longer awaited; drawing the same one again loses no digit
        entered = session.book.entered
        ui.label(now_words(pending, [die.value for die in entered])).classes("says-small")
        if entered:
            faces = ", ".join(f"{die.value} ({say('source_' + die.source.value)})" for die in entered)
            ui.label(say("dice_entered", faces=faces)).classes("hint")
        if session.book.is_emulating and sides != PIP_SIDES:
            step = emulate(sides, session.book.pips).step
            ui.label(shown(step) if step is not None else "").classes("says-small")
        with ui.element("div").classes("row dice-keys"):
            for value in range(1, sides + 1):
                key(str(value), partial(self._enter, value, Source.TYPED), small=True)
        with ui.element("div").classes("row"):
            key(say("dice_simulate"), self.simulate, small=True)
            ui.label().classes("typed-digit").bind_text_from(self, "typed", lambda d: f"{d}…" if d else "")
        ui.label(_keys_words(sides)).classes(KEY_HINT)

    def key(self, pressed: str) -> bool:
        """Take a digit, Enter after one digit of two, Backspace, or S for simulated dice."""
        session = self.table.game.session
        pending = self.awaited(session)
        sides = next_sides(session, pending)
        if sides is None:
            return False
        if self.typed and self._typed_for != (pending, len(session.book.entered)):
            self.typed = ""
        if pressed == "s":
            self.simulate()
        elif pressed == "backspace" and self.typed:
            self.typed = ""
        elif pressed == "enter" and self.typed:
            self._enter(int(self.typed), Source.TYPED)
        elif len(pressed) == 1 and pressed in "0123456789":
            self._digit(pressed, sides)
        else:
            return False
        return True

    def simulate(self) -> None:
        """Roll what is still awaited of this roll; what aces is asked for again."""
        session = self.table.game.session
        for sides in awaited_sides(self.awaited(session))[len(session.book.entered) :]:
            self._enter(self.table.chance.die(sides), Source.SIMULATED)

    def _digit(self, digit: str, sides: int) -> None:
        if sides <= HIGHEST_OF_ONE_DIGIT:
            # A 0 on a smaller die is a slip, and the referee says what the die shows.
            self._enter(int(digit) or (HIGHEST_OF_ONE_DIGIT if sides == HIGHEST_OF_ONE_DIGIT else 0), Source.TYPED)
        elif self.typed:
            self._enter(int(self.typed + digit), Source.TYPED)
        elif int(digit) > sides // 10:
            self._enter(int(digit), Source.TYPED)
        else:
            session = self.table.game.session
            self.typed, self._typed_for = digit, (self.awaited(session), len(session.book.entered))

    def _enter(self, value: int, source: Source) -> None:
        self.typed = ""
        self.table.game.tell(EnterDie(value=value, source=source))


def now_words(pending: Pending, entered: list[int]) -> str:
    """Say which die comes next and, after an ace, what it is added to: with the dice of its kind that are in."""
    count = sum(need.count for need in pending.dice)
    first = 0
    for need in pending.dice:
        if len(entered) < first + need.count:
            break
        first += need.count
    gaps: dict[str, Param] = {"role": need.role, "sides": need.sides, "number": len(entered) + 1, "count": count}
    if not need.so_far:
        return say("dice_now", **gaps)
    return say("dice_now_again", sum=need.so_far + sum(entered[first:]), **gaps)


def is_before_first_die(session: Session) -> bool:
    """Whether no die of the awaited roll has been entered yet: its chance, told before the roll, still holds."""
    return not session.book.entered and not session.book.pips


def _keys_words(sides: int) -> str:
    """Say which keys enter a die of so many sides."""
    if sides > HIGHEST_OF_ONE_DIGIT:
        return say("dice_keys_two")
    return say("dice_keys_ten") if sides == HIGHEST_OF_ONE_DIGIT else say("dice_keys_to", sides=sides)
