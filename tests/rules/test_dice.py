"""Dice: faces, acing, exact chances, and other dice thrown with six-sided ones."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import (
    SIDES,
    Emulated,
    ace_total,
    chance_at_least,
    chances_of_sum,
    check_face,
    emulate,
    needs_another,
    steps,
)


@pytest.mark.parametrize("sides", SIDES)
def test_a_die_shows_its_own_faces_and_no_other(sides: int) -> None:
    """From 1 to the number of its sides."""
    check_face(1, sides)
    check_face(sides, sides)
    for value in (0, sides + 1, -1):
        with pytest.raises(ValueError, match=rf"^a d{sides} cannot show {value}$"):
            check_face(value, sides)


@pytest.mark.parametrize("sides", [0, 3, 5, 7, 100])
def test_other_dice_are_not_known(sides: int) -> None:
    """Nobody has a seven-sided die on the desk."""
    with pytest.raises(ValueError, match=f"dice have 4, 6, 8, 10, 12, 20 sides, not {sides}"):
        check_face(1, sides)


# acing


@pytest.mark.parametrize(
    ("faces", "sides", "total"),
    [
        ((3,), 6, 3),
        ((5,), 6, 5),
        ((6, 3), 6, 9),
        ((6, 6, 1), 6, 13),
        ((4, 4, 4, 4, 4, 4, 4, 4, 4, 1), 4, 37),
        ((11,), 12, 11),
    ],
)
def test_an_acing_die_adds_up_its_throws(faces: tuple[int, ...], sides: int, total: int) -> None:
    """The highest face is thrown again and added, without limit."""
    assert ace_total(faces, sides) == total
    assert not needs_another(faces, sides)


@pytest.mark.parametrize(("faces", "sides"), [((), 6), ((6,), 6), ((6, 6), 6), ((4,), 4), ((12, 12), 12)])
def test_an_acing_die_is_thrown_again_after_its_highest_face(faces: tuple[int, ...], sides: int) -> None:
    """A total is refused until then."""
    assert needs_another(faces, sides)
    with pytest.raises(ValueError, match="is still to be thrown again"):
        ace_total(faces, sides)


@pytest.mark.parametrize(("faces", "sides"), [((5, 1), 6), ((6, 5, 6), 6), ((6, 1), 8)])
def test_no_throw_follows_one_that_was_not_the_highest(faces: tuple[int, ...], sides: int) -> None:
    """A die read twice is a mistake and is not added up."""
    with pytest.raises(ValueError, match=f"is thrown again only after a {sides}"):
        needs_another(faces, sides)


def test_a_face_that_the_die_does_not_have_is_named() -> None:
    """Anywhere among the throws."""
    with pytest.raises(ValueError, match="a d6 cannot show 7"):
        needs_another((6, 7), 6)


@pytest.mark.parametrize(
    ("target", "sides", "chance"),
    [
        (0, 6, Fraction(1)),
        (1, 6, Fraction(1)),
        (2, 6, Fraction(5, 6)),
        (4, 6, Fraction(1, 2)),
        (5, 6, Fraction(1, 3)),
        (6, 6, Fraction(1, 6)),
        (7, 6, Fraction(1, 6)),
        (8, 6, Fraction(5, 36)),
        (4, 4, Fraction(1, 4)),
        (5, 4, Fraction(1, 4)),
        (8, 4, Fraction(1, 16)),
        (8, 12, Fraction(5, 12)),
    ],
)
def test_the_chance_of_an_acing_die_is_exact(target: int, sides: int, chance: Fraction) -> None:
    """A multiple of the sides is never a total, so it is reached as often as the next number."""
    assert chance_at_least(target, sides) == chance


def two_throws(sides: int) -> Counter[int]:
    """Totals of an acing die by enumeration of two throws, out of sides squared; only totals up to twice the sides."""
    return Counter(a if a < sides else a + b for a, b in itertools.product(range(1, sides + 1), repeat=2))


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
def test_chances_agree_with_counting(sides: int) -> None:
    """Every total below twice the sides needs no more than two throws."""
    counted = two_throws(sides)
    for target in range(2 * sides):
        reached = sum(times for total, times in counted.items() if total >= target)
        assert chance_at_least(target, sides) == Fraction(reached, sides * sides)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_sums_agree_with_counting(count: int) -> None:
    """Dice ace each for itself; sums up to 11 + count - 1 need no more than two throws of any die."""
    limit = 11
    single = two_throws(6)
    counted: Counter[int] = Counter({0: 1})
    for _ in range(count):
        step: Counter[int] = Counter()
        for (total, times), (more, ways) in itertools.product(counted.items(), single.items()):
            step[total + more] += times * ways
        counted = step
    chances = chances_of_sum(count, 6, limit)
    assert len(chances) == limit + 1
    assert chances == tuple(Fraction(counted[total], 36**count) for total in range(limit + 1))


@given(st.integers(1, 4), st.sampled_from(SIDES), st.integers(0, 30))
def test_chances_of_sums_never_make_more_than_one(count: int, sides: int, limit: int) -> None:
    """And what lacks to 1 shrinks as the limit grows."""
    fewer, more = sum(chances_of_sum(count, sides, limit)), sum(chances_of_sum(count, sides, limit + 1))
    assert 0 <= fewer <= more < 1


# emulation


def outcomes(sides: int) -> Counter[int | None]:
    """The faces of an emulated die over all equally likely throws of one round; None means a throw that is repeated."""
    throws = {4: 1, 6: 1, 8: 2, 10: 2, 12: 2, 20: 3}[sides]
    return Counter(emulate(sides, pips).value for pips in itertools.product(range(1, 7), repeat=throws))


@pytest.mark.parametrize("sides", SIDES)
def test_every_face_of_an_emulated_die_is_equally_likely(sides: int) -> None:
    """Reading DI-R2: exact, by enumeration."""
    counted = outcomes(sides)
    repeated = counted.pop(None, 0)
    assert set(counted) == set(range(1, sides + 1))
    assert len(set(counted.values())) == 1
    assert repeated == {4: 2, 6: 0, 8: 12, 10: 6, 12: 0, 20: 36}[sides]


@pytest.mark.parametrize(
    ("sides", "pips", "value"),
    [
        (4, (1,), 1),
        (4, (4,), 4),
        (4, (5, 6, 2), 2),
        (6, (6,), 6),
        (8, (1, 4), 4),
        (8, (2, 1), 5),
        (8, (2, 5, 6, 4), 8),
        (10, (5, 5), 5),
        (10, (6, 1), 6),
        (12, (3, 6), 6),
        (12, (4, 1), 7),
        (20, (1, 1, 5), 5),
        (20, (1, 2, 1), 6),
        (20, (2, 1, 5), 15),
        (20, (2, 2, 5), 20),
        (20, (2, 2, 6, 1), 16),
    ],
)
def test_a_die_is_emulated_throw_by_throw(sides: int, pips: tuple[int, ...], value: int) -> None:
    """Halves first, then the place within the half; what does not count is repeated."""
    assert emulate(sides, pips) == Emulated(value, False, None)
    for end in range(len(pips)):
        before = emulate(sides, pips[:end])
        assert before.value is None
        assert before.step is not None
        halvings = {4: 0, 6: 0, 8: 1, 10: 1, 12: 1, 20: 2}[sides]
        assert before.reroll_last is (end > halvings)


def test_the_next_throw_is_told() -> None:
    """What to throw, and when to repeat it."""
    told = []
    for pips in ((), (2,), (2, 1), (2, 1, 6), (2, 1, 6, 5)):
        step = emulate(20, pips).step
        told.append(None if step is None else step.text)
    assert told == [
        "Throw 1 six-sided die: odd means the low half, even the high half.",
        "Throw it again: odd means the low half of that half, even the high half.",
        "Throw it again: it counts as 1 to 5, plus what the halves add.",
        "A face above 5 does not count: throw it again.",
        None,
    ]


@pytest.mark.parametrize(
    ("sides", "codes"),
    [
        (4, ["throw_for_d4", "throw_over"]),
        (6, ["throw_d6"]),
        (8, ["throw_for_half", "throw_within", "throw_over"]),
        (10, ["throw_for_half", "throw_within", "throw_over"]),
        (12, ["throw_for_half", "throw_within"]),
        (20, ["throw_for_half", "throw_for_quarter", "throw_within", "throw_over"]),
    ],
)
def test_the_steps_are_told_beforehand(sides: int, codes: list[str]) -> None:
    """All of them, for the panel that asks for the roll."""
    assert [step.code for step in steps(sides)] == codes


def test_throws_beyond_the_face_are_refused() -> None:
    """A die thrown once too often is a mistake and not another face."""
    with pytest.raises(ValueError, match=r"a d8 is known after \(1, 3\); thrown were \(1, 3, 2\)"):
        emulate(8, (1, 3, 2))
    with pytest.raises(ValueError, match="a d6 cannot show 7"):
        emulate(8, (7,))
    with pytest.raises(ValueError, match="sides, not 7"):
        emulate(7, ())
    with pytest.raises(ValueError, match="sides, not 7"):
        steps(7)
