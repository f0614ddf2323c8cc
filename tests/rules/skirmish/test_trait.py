"""Trait rolls of Savage Worlds."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.ruling import Reason, total
from rules.skirmish.trait import Level, trait_chance, trait_roll


def plus(*amounts: int) -> tuple[Reason, ...]:
    return tuple(Reason("any", "Any.", "the table", amount) for amount in amounts)


@pytest.mark.parametrize(
    ("made", "level", "raises"),
    [
        (3, Level.FAILURE, 0),
        (4, Level.SUCCESS, 0),
        (7, Level.SUCCESS, 0),
        (8, Level.RAISE, 1),
        (11, Level.RAISE, 1),
        (12, Level.RAISE, 2),
        (15, Level.RAISE, 2),
        (16, Level.RAISE, 3),
        (-3, Level.FAILURE, 0),
    ],
)
def test_success_at_4_and_a_raise_for_every_4_above(made: int, level: Level, raises: int) -> None:
    """Savage Worlds, Trait rolls."""
    roll = trait_roll(12, (2,), (2,), plus(made - 2))
    assert (roll.total, roll.level, roll.raises, roll.is_success) == (made, level, raises, level is not Level.FAILURE)
    assert not roll.is_critical_failure
    assert total(roll.reasons) == made


def test_the_better_die_counts_and_says_so() -> None:
    """The amounts of the reasons add up to the total, and the worse die adds nothing."""
    roll = trait_roll(8, (4,), (6, 4), plus(-1))
    assert roll.total == 9
    assert [(reason.text, reason.amount) for reason in roll.reasons] == [
        ("Trait die d8: 4, which is lower and does not count.", 0),
        ("Wild die d6: 6 + 4.", 10),
        ("Any.", -1),
        ("9 reaches 4; full steps of 4 above it: 1. A raise.", None),
    ]
    roll = trait_roll(8, (5,), (5,))
    assert [(reason.code, reason.amount) for reason in roll.reasons] == [
        ("trait_die", 5),
        ("wild_die_lower", 0),
        ("trait_success", None),
    ]
    assert trait_roll(8, (3,), (2,)).reasons[-1].text == "3 is below 4: a failure."


def test_an_extra_has_no_wild_die_and_no_critical_failure() -> None:
    """Savage Worlds, Trait rolls."""
    roll = trait_roll(6, (1,), None, plus(4))
    assert (roll.total, roll.is_success, roll.is_critical_failure) == (5, True, False)
    assert [reason.code for reason in roll.reasons] == ["trait_die", "any", "trait_success"]


@pytest.mark.parametrize(
    ("trait", "wild", "is_critical"),
    [((1,), (1,), True), ((1,), (2,), False), ((2,), (1,), False), ((8, 1), (1,), False), ((1,), (6, 1), False)],
)
def test_two_natural_ones_fail_whatever_is_added(
    trait: tuple[int, ...], wild: tuple[int, ...], is_critical: bool
) -> None:
    """Reading QS-R3: natural, so the 1 after an ace is none."""
    roll = trait_roll(8, trait, wild, plus(10))
    assert (roll.is_critical_failure, roll.is_success) == (is_critical, not is_critical)
    assert (roll.raises == 0) is is_critical
    assert (roll.level is Level.FAILURE) is is_critical
    assert (roll.reasons[-1].code == "critical_failure") is is_critical


def test_a_die_still_acing_makes_no_roll() -> None:
    """The table asks for the next throw instead."""
    with pytest.raises(ValueError, match="a d8 that shows \\(8,\\) is still to be thrown again"):
        trait_roll(8, (8,), (1,))
    with pytest.raises(ValueError, match="a d6 that shows \\(6,\\) is still to be thrown again"):
        trait_roll(8, (1,), (6,))


@given(st.integers(1, 7), st.integers(1, 5), st.lists(st.integers(-4, 4), max_size=4), st.integers(0, 4))
def test_more_added_never_makes_a_roll_worse(trait: int, wild: int, mods: list[int], more: int) -> None:
    """And the order of modifiers does not matter."""
    roll = trait_roll(8, (trait,), (wild,), plus(*mods))
    better = trait_roll(8, (trait,), (wild,), plus(more, *reversed(mods)))
    assert better.total == roll.total + more
    assert better.raises >= roll.raises
    assert better.is_success >= roll.is_success


# chances


def counted(at_least: int, sides: int, modifier: int, *, is_wild_card: bool) -> Fraction:
    """The chance by counting every pair of two-throw dice; right while the target needs no third throw."""

    def chains(of: int) -> list[tuple[tuple[int, ...], Fraction]]:
        single = [((face,), Fraction(1, of)) for face in range(1, of)]
        return (
            single
            + [((of, face), Fraction(1, of * of)) for face in range(1, of)]
            + [((of, of, 1), Fraction(1, of * of))]
        )

    wilds = chains(6) if is_wild_card else [((), Fraction(1))]
    reached = Fraction(0)
    for (trait, p), (wild, q) in itertools.product(chains(sides), wilds):
        roll = trait_roll(sides, trait, wild or None, plus(modifier))
        if roll.is_success and roll.total >= at_least:
            reached += p * q
    return reached


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
@pytest.mark.parametrize("is_wild_card", [True, False])
def test_chances_agree_with_counting(sides: int, is_wild_card: bool) -> None:
    """Success and raise, from -3 to +6, critical failures counted."""
    for at_least, modifier in itertools.product((4, 8), range(-3, 7)):
        if at_least - modifier <= 2 * min(sides, 6):
            found = trait_chance(at_least, sides, modifier=modifier, is_wild_card=is_wild_card)
            assert found == counted(at_least, sides, modifier, is_wild_card=is_wild_card), (at_least, modifier)


@pytest.mark.parametrize(
    ("trait", "wild", "chance"),
    [
        ((6,), (2,), Fraction(1, 1)),
        ((6,), (), Fraction(1, 1)),
        ((3,), (2,), Fraction(0)),
        ((4,), (2,), Fraction(1)),
        ((3,), (6,), Fraction(1)),
    ],
)
def test_a_roll_half_thrown_has_the_chance_that_is_left(
    trait: tuple[int, ...], wild: tuple[int, ...], chance: Fraction
) -> None:
    """A die that aces can still add."""
    assert trait_chance(4, 6, trait=trait, wild=wild) == chance


def test_a_half_thrown_raise() -> None:
    """A 6 and still to throw: 2 or more makes 8; the wild die's 3 stays behind."""
    assert trait_chance(8, 6, trait=(6,), wild=(3,)) == Fraction(5, 6)
    assert trait_chance(8, 6, trait=(6,), wild=(6,)) == 1 - Fraction(1, 36)
    assert trait_chance(8, 6, trait=(6,), is_wild_card=False) == Fraction(5, 6)
    assert trait_chance(4, 6, modifier=3, trait=(6,)) == 1
    assert trait_chance(4, 6, modifier=3) == 1 - Fraction(1, 36)
    assert trait_chance(4, 6, modifier=2) == 1 - Fraction(1, 36)
    assert trait_chance(4, 6, modifier=3, wild=(6,)) == 1
