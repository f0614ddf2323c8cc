"""Dice: their faces, acing, the exact chances of both, and other dice thrown with the pip dice on the desk.

An acing die (Savage Worlds) is thrown again while it shows its highest face, and all throws add up. Its faces are the
tuple of its successive natural throws, for example `(6, 3)` on a d6, which makes 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from rules.ruling import Catalogue, Message

SIDES: Final = (4, 6, 8, 10, 12, 20)
"""The dice that the rule sets know."""

WORDS: Final = {
    "throw_again": "The die shows its highest face: throw the same die again and add.",
    "throw_d6": "Throw 1 six-sided die.",
    "throw_for_half": "Throw 1 six-sided die: odd means the low half, even the high half.",
    "throw_for_quarter": "Throw it again: odd means the low half of that half, even the high half.",
    "throw_within": "Throw it again: it counts as 1 to {highest}, plus what the halves add.",
    "throw_for_d4": "Throw 1 six-sided die: it counts as 1 to 4.",
    "throw_over": "A face above {highest} does not count: throw it again.",
}

CATALOGUE: Final = Catalogue(WORDS)


def check_face(value: int, sides: int) -> None:
    """Raise `ValueError` for a face that the die does not have."""
    if sides not in SIDES:
        raise ValueError(f"dice have {', '.join(map(str, SIDES))} sides, not {sides!r}")
    if value not in range(1, sides + 1):
        raise ValueError(f"a d{sides} cannot show {value!r}")


# acing


def needs_another(faces: Sequence[int], sides: int) -> bool:
    """Whether an acing die is to be thrown again: at first, and while the last face is the highest.

    Raises:
        ValueError: for a face that the die does not have, or throws after one that was not the highest.
    """
    for face in faces:
        check_face(face, sides)
    if any(face != sides for face in faces[:-1]):
        raise ValueError(f"a d{sides} is thrown again only after a {sides}; thrown were {tuple(faces)!r}")
    return not faces or faces[-1] == sides


def throw_again() -> Message:
    """Return what to tell a player whose die aced."""
    return CATALOGUE.message("throw_again")


def ace_total(faces: Sequence[int], sides: int) -> int:
    """Return the total of an acing die; `ValueError` while it is to be thrown again."""
    if needs_another(faces, sides):
        raise ValueError(f"a d{sides} that shows {tuple(faces)!r} is still to be thrown again")
    return sum(faces)


def chance_at_least(target: int, sides: int) -> Fraction:
    """Return the exact chance that an acing die reaches a total."""
    chance, thrown = Fraction(0), Fraction(1)
    while target > 1:
        # Faces below the highest that reach it, and the highest with what the next throw still has to bring.
        chance += thrown * Fraction(max(0, sides - target), sides)
        thrown /= sides
        target -= sides
    return chance + thrown


@cache
def chances_of_sum(count: int, sides: int, limit: int) -> tuple[Fraction, ...]:
    """Return the exact chances of each sum of acing dice.

    Args:
        count: dice thrown together, each acing for itself.
        sides: of each.
        limit: highest sum of interest.

    Returns:
        Chances of the sums 0 to `limit`; what lacks to 1 is the chance of more.
    """
    single = tuple(chance_at_least(total, sides) - chance_at_least(total + 1, sides) for total in range(limit + 1))
    chances = (Fraction(1), *(Fraction(0) for _ in range(limit)))
    for _ in range(count):
        chances = tuple(
            sum((chances[rest] * single[total - rest] for rest in range(total + 1)), Fraction(0))
            for total in range(limit + 1)
        )
    return chances


# other dice with pip dice


@dataclass(frozen=True, slots=True)
class Emulated:
    """A die as far as its throws with six-sided dice have come."""

    value: int | None
    """The face, once it is known."""
    reroll_last: bool
    """Whether the last throw does not count and is repeated."""
    step: Message | None
    """What to throw next; None once the face is known."""


HALVINGS: Final = {4: 0, 6: 0, 8: 1, 10: 1, 12: 1, 20: 2}
"""How often a throw, odd or even, first halves the range (reading DI-R2). Every face stays equally likely."""


def emulate(sides: int, pips: Sequence[int]) -> Emulated:
    """Return the face of any die thrown with six-sided dice, or what to throw next.

    Reading DI-R2: a d8, d10 or d12 takes one throw for the half (odd low, even high), a d20 two, and then one for the
    place within it; a face above the range is thrown again. All faces are equally likely.

    Args:
        sides: of the die wanted.
        pips: the throws so far, repeated ones too.

    Raises:
        ValueError: for a throw after the face was known, or a face that a six-sided die does not have.
    """
    check_face(1, sides)
    for pip in pips:
        check_face(pip, 6)
    halvings = HALVINGS[sides]
    highest = sides >> halvings
    base = 0
    for even in (pip % 2 == 0 for pip in pips[:halvings]):
        base = 2 * base + even
    for index, pip in enumerate(pips[halvings:], start=halvings + 1):
        if pip <= highest:
            if index < len(pips):
                raise ValueError(f"a d{sides} is known after {tuple(pips[:index])!r}; thrown were {tuple(pips)!r}")
            return Emulated(base * highest + pip, False, None)
    if len(pips) > halvings:
        return Emulated(None, True, CATALOGUE.message("throw_over", highest=highest))
    return Emulated(None, False, steps(sides)[len(pips)])


def steps(sides: int) -> tuple[Message, ...]:
    """Return how to throw a die with six-sided dice, step by step."""
    check_face(1, sides)
    halvings = HALVINGS[sides]
    highest = sides >> halvings
    if sides == 6:
        return (CATALOGUE.message("throw_d6"),)
    over = (CATALOGUE.message("throw_over", highest=highest),) if highest < 6 else ()
    if halvings == 0:
        return (CATALOGUE.message("throw_for_d4"), *over)
    halves = ("throw_for_half", "throw_for_quarter")[:halvings]
    return (*(CATALOGUE.message(half) for half in halves), CATALOGUE.message("throw_within", highest=highest), *over)
