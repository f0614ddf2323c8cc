"""What every rule set answers with: rulings, their reasons, refusals, and the roll that is waited for.

Words come from catalogues: a `Catalogue` maps a code to an English sentence with named gaps, and each message carries
code and parameters besides the finished English, so that another language needs a catalogue and no code. Codes are one
flat namespace over all rule sets: one code has one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, TypeVar

Param = str | int | float
Params = tuple[tuple[str, Param], ...]

StateT = TypeVar("StateT")
OutcomeT = TypeVar("OutcomeT")


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence for a player: advice, a purpose, a step of an instruction."""

    code: str
    """Catalogue id, for example `melee_gap`."""
    text: str
    """The English sentence."""
    params: Params = ()
    """What fills the gaps of the catalogue's sentence, in the order given."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of the way to a number or a decision.

    Where a number is explained, the amounts of its reasons add up to it.
    """

    code: str
    """Catalogue id, for example `cover`."""
    text: str
    """The English sentence."""
    source: str
    """The rule that says so, for example `Skuffle Wammer, Damage`."""
    amount: int | None = None
    """What this adds to the number explained; None where the reason explains a decision and no number."""
    params: Params = ()
    """What fills the gaps of the catalogue's sentence, in the order given."""


class Told(str):
    """A finished text that fills a gap of another sentence, with what other languages need to say it anew."""

    __slots__ = ("code", "params")

    code: str
    """Catalogue id."""
    params: Params
    """What fills the gaps of the catalogue's sentence."""

    @property
    def message(self) -> Message:
        """The text as a sentence of its own."""
        return Message(self.code, str(self), self.params)


def told(message: Message | Reason | IllegalActionError) -> Told:
    """Make a finished sentence fit for a gap of another."""
    text = Told(message.text)
    text.code, text.params = message.code, message.params
    return text


class IllegalActionError(Exception):
    """An action that the rules refuse: what is wrong and what is possible, in one sentence for a player."""

    def __init__(self, code: str, text: str, params: Params = ()) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.params = params

    def __reduce__(self) -> tuple[type[IllegalActionError], tuple[str, str, Params]]:
        """Let a refusal cross a process border whole."""
        return (type(self), (self.code, self.text, self.params))


@dataclass(frozen=True, slots=True)
class DiceNeed:
    """Dice of one kind that a roll needs."""

    count: int
    """How many, 1 or more."""
    sides: int
    """4, 6, 8, 10, 12 or 20."""
    role: str
    """What they are in the roll: `attack`, `trait`, `wild`, `damage`, `initiative`, `test` ..."""
    aces: bool = False
    """Whether the highest face is thrown again and added."""
    so_far: int = 0
    """What has come together before an ace is thrown again, to which these dice are added; 0 on the first throw."""


@dataclass(frozen=True, slots=True)
class Pending:
    """The roll that a game waits for, told so that the table can ask for it and match dice to it."""

    who: str
    """Id of the soldier or combatant that rolls."""
    dice: tuple[DiceNeed, ...]
    """What is thrown, in the order in which values are expected."""
    purpose: Message
    """What the roll is for."""
    success: Message
    """What counts as success, for example "5 or more on the die hits"."""
    winning_faces: tuple[int, ...] = ()
    """Natural faces that succeed, modifiers already counted in; empty when more than one die decides."""
    modifiers: tuple[Reason, ...] = ()
    """What is already known to be added."""
    chance: Fraction | None = None
    """Exact chance of success; None when it is not known beforehand."""
    steps: tuple[Message, ...] = ()
    """What to throw with the dice on the desk, step by step."""


@dataclass(frozen=True, slots=True)
class Ruling(Generic[StateT, OutcomeT]):
    """What the rules made of one action."""

    state: StateT
    """The game afterwards."""
    outcome: OutcomeT
    """What happened."""
    reasons: tuple[Reason, ...]
    """Why, in the order in which it was decided."""
    advice: tuple[Message, ...] = ()
    """Warnings that hold nothing up: the rules leave these to the players."""


class _Gaps:
    """What fills the gaps of a sentence; `{count:die|dice}` is the form of a word that goes with a number."""

    __slots__ = ("params",)

    def __init__(self, params: Mapping[str, Param]) -> None:
        self.params = params

    def __getitem__(self, gap: str) -> _Gap:
        return _Gap(self.params[gap])


class _Gap:
    __slots__ = ("value",)

    def __init__(self, value: Param) -> None:
        self.value = value

    def __format__(self, spec: str) -> str:
        one, bar, more = spec.partition("|")
        return (one if is_one(self.value) else more) if bar else format(self.value, spec)


def is_one(count: Param) -> bool:
    """Whether a number, or the text of one, takes the first of two forms: of one, not of none, a half or several.

    So English, German and Spanish count; a language that counts otherwise needs a rule of its own here.
    """
    try:
        return float(count) == 1
    except ValueError:
        return False


class Catalogue:
    """English sentences by code, and the makers of everything that carries one.

    A word that goes with a number has both its forms in the sentence, with the number's own gap: `{count} {count:die
    is|dice are} awaited`.
    """

    __slots__ = ("words",)

    def __init__(self, words: Mapping[str, str]) -> None:
        """Take the sentences: code to text with `{named}` gaps."""
        self.words = words

    def text(self, code: str, params: Mapping[str, Param]) -> str:
        """Return the English sentence; `ValueError` names an unknown code or a gap left open."""
        try:
            return self.words[code].format_map(_Gaps(params))
        except KeyError as missing:
            raise ValueError(f"message {code!r} lacks {missing.args[0]!r}; given were {dict(params)!r}") from None

    def message(self, code: str, **params: Param) -> Message:
        """Make a message."""
        return Message(code, self.text(code, params), tuple(params.items()))

    def reason(self, code: str, source: str, amount: int | None = None, **params: Param) -> Reason:
        """Make a reason of the rule `source`, adding `amount`."""
        return Reason(code, self.text(code, params), source, amount, tuple(params.items()))

    def told(self, code: str, **params: Param) -> Told:
        """Make a text that fills a gap of another sentence."""
        return told(self.message(code, **params))

    def refusal(self, code: str, **params: Param) -> IllegalActionError:
        """Make the error that refuses an action; the caller raises it."""
        return IllegalActionError(code, self.text(code, params), tuple(params.items()))


def total(reasons: Iterable[Reason]) -> int:
    """Add up the amounts of the reasons that have one."""
    return sum(reason.amount for reason in reasons if reason.amount is not None)


LISTS: Final = Catalogue({"list_last": "{before} and {last}", "list_more": "{before}, {last}"})
"""How names stand in a row; the only words that belong to no rule set."""

WORDS: Final = LISTS.words


def listed(names: Sequence[str], *, nobody: str = "") -> str:
    """Join names as in a sentence: `Lokan`, `Lokan and Tarik`, `Lokan, Tarik and Nero`; `nobody` for none."""
    if not names:
        return nobody
    row = names[0]
    for name in names[1:-1]:
        row = LISTS.told("list_more", before=row, last=name)
    return LISTS.told("list_last", before=row, last=names[-1]) if len(names) > 1 else row


def signed(amount: int) -> str:
    """Write a modifier as players do: `+1`, `-2`, and `+0`."""
    return f"{amount:+d}"
