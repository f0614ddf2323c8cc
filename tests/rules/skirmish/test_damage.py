"""Damage of Savage Worlds: Shaken, wounds, Soak rolls, and their exact chances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import chance_at_least
from rules.skirmish.damage import Blow, Condition, DamageChances, blow, damage_chances, suffer, wound_penalty


@pytest.mark.parametrize(
    ("margin", "calm", "shaken"),
    [
        (-1, (0, False), (0, False)),
        (0, (0, True), (1, True)),
        (3, (0, True), (1, True)),
        (4, (1, True), (1, True)),
        (7, (1, True), (1, True)),
        (8, (2, True), (2, True)),
        (11, (2, True), (2, True)),
        (12, (3, True), (3, True)),
        (16, (4, True), (4, True)),
    ],
)
def test_damage_over_toughness_shakes_and_wounds(margin: int, calm: tuple[int, bool], shaken: tuple[int, bool]) -> None:
    """Savage Worlds, Damage: every full 4 a wound; 0 to 7 over somebody Shaken is exactly one."""
    for is_shaken, expected in ((False, calm), (True, shaken)):
        struck = blow(6 + margin, 6, is_shaken=is_shaken)
        assert (struck.new_wounds, struck.shakes) == expected


def test_a_blow_says_why() -> None:
    """In the words of the table."""
    assert blow(5, 6, is_shaken=True).reasons[0].text == "5 is below Toughness 6: nothing happens."
    assert blow(9, 6, is_shaken=False).reasons[0].text == "9 is 3 over Toughness 6: Shaken."
    assert blow(9, 6, is_shaken=True).reasons[0].text == (
        "9 is 3 over Toughness 6, and who is Shaken already takes a wound."
    )
    assert blow(14, 6, is_shaken=True).reasons[0].text == (
        "14 is 8 over Toughness 6: Shaken, and a wound for every full 4: 2."
    )


@pytest.mark.parametrize(("wounds", "penalty"), [(0, 0), (1, -1), (2, -2), (3, -3), (4, -3), (9, -3)])
def test_wounds_burden_rolls_up_to_3(wounds: int, penalty: int) -> None:
    """Savage Worlds, Wounds."""
    assert wound_penalty(wounds) == penalty


@pytest.mark.parametrize(
    ("before", "new_wounds", "after"),
    [
        ({"wounds": 0}, 1, (1, False)),
        ({"wounds": 2}, 1, (3, False)),
        ({"wounds": 3}, 1, (3, True)),
        ({"wounds": 0}, 3, (3, False)),
        ({"wounds": 0}, 4, (3, True)),
        ({"wounds": 3, "max_wounds": 4}, 1, (4, False)),
        ({"wounds": 4, "max_wounds": 4}, 1, (4, True)),
        ({"wounds": 0, "is_wild_card": False}, 1, (1, True)),
        ({"wounds": 0, "is_wild_card": False}, 3, (1, True)),
    ],
)
def test_a_wild_card_bears_three_wounds_and_an_extra_none(
    before: dict[str, Any], new_wounds: int, after: tuple[int, bool]
) -> None:
    """Savage Worlds, Damage: one more incapacitates; an Edge may allow a fourth."""
    suffered = suffer(Condition(6, **before), Blow(new_wounds, True, ()))
    assert (suffered.condition.wounds, suffered.condition.is_incapacitated) == after
    assert suffered.condition.is_shaken
    assert suffered.new_wounds == new_wounds
    code = {True: "incapacitated", False: "extra_out"}[before.get("is_wild_card", True)]
    assert [reason.code for reason in suffered.reasons] == ["wounds_taken", *([code] if after[1] else [])]


def test_what_does_not_change_stays() -> None:
    """Toughness, kind, and what wounds somebody bears."""
    before = Condition(7, 1, False, is_wild_card=True, max_wounds=4)
    after = suffer(before, Blow(1, True, ())).condition
    assert after == Condition(7, 2, True, False, True, 4)


@pytest.mark.parametrize(
    ("is_shaken", "shakes", "after"),
    [(False, False, False), (True, False, True), (False, True, True), (True, True, True)],
)
def test_without_wounds_only_shaken_changes(is_shaken: bool, shakes: bool, after: bool) -> None:
    """A blow that does nothing leaves an old Shaken; one that only shakes cannot be soaked (reading QS-R12)."""
    suffered = suffer(Condition(6, 2, is_shaken), Blow(0, shakes, ()), soak_successes=5)
    assert suffered.condition == Condition(6, 2, after)
    assert (suffered.new_wounds, suffered.reasons) == (0, ())


@pytest.mark.parametrize(
    ("successes", "left", "wounds", "is_shaken"),
    [(None, 2, 3, True), (0, 2, 3, True), (1, 1, 2, True), (2, 0, 1, False), (3, 0, 1, False)],
)
def test_each_success_of_a_soak_roll_cancels_a_wound(
    successes: int | None, left: int, wounds: int, is_shaken: bool
) -> None:
    """Savage Worlds, Soak rolls: all cancelled takes Shaken away, even an older one."""
    suffered = suffer(Condition(6, 1, is_shaken=True), Blow(2, True, ()), soak_successes=successes)
    assert (suffered.new_wounds, suffered.condition.wounds, suffered.condition.is_shaken) == (left, wounds, is_shaken)
    texts = [reason.text for reason in suffered.reasons]
    if successes is not None:
        assert texts[0] == f"The Soak roll cancels wounds: {2 - left}; left to take: {left}."
    last = f"Wounds taken: {left}; now {wounds}." if left else "No wound is left, so Shaken goes too."
    assert texts[-1] == last


@given(st.integers(0, 40), st.integers(2, 12), st.booleans(), st.integers(0, 3), st.integers(0, 4))
def test_more_damage_never_wounds_less_and_a_soak_never_wounds_more(
    damage: int, toughness: int, is_shaken: bool, wounds: int, successes: int
) -> None:
    """Monotone in damage; a Soak only helps."""
    condition = Condition(toughness, wounds, is_shaken)
    struck, harder = (blow(damage + more, toughness, is_shaken=is_shaken) for more in (0, 1))
    assert struck.new_wounds <= harder.new_wounds
    assert struck.shakes <= harder.shakes
    plain, soaked = suffer(condition, struck), suffer(condition, struck, soak_successes=successes)
    assert soaked.new_wounds <= plain.new_wounds
    assert soaked.condition.is_incapacitated <= plain.condition.is_incapacitated


# chances


def test_the_chances_of_two_dice_against_toughness_6() -> None:
    """By hand: sums of two acing dice below 6: 10 of 36; no sum of them is a 7 without a 6 and a 1, or without aces."""
    found = damage_chances(Condition(6), 2)
    assert found.nothing == Fraction(10, 36)
    assert found.nothing + found.shaken + sum(found.wounds) + found.incapacitated == 1
    assert len(found.wounds) == 3


def test_one_die_against_toughness_4_is_counted_by_hand() -> None:
    """Nothing 1 to 3; Shaken 4 to 7 (4, 5, 6 then 1); a wound 8 to 11; two 12 to 15; three 16 to 19."""
    found = damage_chances(Condition(4), 1)
    reach = [chance_at_least(4 + 4 * step, 6) for step in range(5)]
    assert found == DamageChances(
        Fraction(1, 2),
        reach[0] - reach[1],
        (reach[1] - reach[2], reach[2] - reach[3], reach[3] - reach[4]),
        reach[4],
    )
    assert found.shaken == Fraction(1, 6) + Fraction(1, 6) + Fraction(1, 36)


@pytest.mark.parametrize(
    ("condition", "wounds"),
    [
        (Condition(6), 3),
        (Condition(6, 2), 1),
        (Condition(6, 3), 0),
        (Condition(6, 3, max_wounds=4), 1),
        (Condition(6, is_wild_card=False), 0),
        (Condition(6, 5), 0),
    ],
)
def test_wounds_that_cannot_be_borne_are_incapacitation(condition: Condition, wounds: int) -> None:
    """As many counts as can still be borne; the rest is one chance."""
    found = damage_chances(condition, 3)
    assert len(found.wounds) == wounds
    assert found.nothing + found.shaken + sum(found.wounds) + found.incapacitated == 1
    assert 0 < found.incapacitated < 1


def test_somebody_shaken_is_wounded_where_others_are_shaken() -> None:
    """0 to 3 over."""
    calm, shaken = damage_chances(Condition(6), 3), damage_chances(Condition(6, 0, is_shaken=True), 3)
    assert shaken.shaken == 0
    assert shaken.nothing == calm.nothing
    assert shaken.wounds[0] == calm.wounds[0] + calm.shaken
    assert shaken.wounds[1:] == calm.wounds[1:]


@given(st.integers(1, 12), st.integers(1, 3), st.booleans(), st.integers(0, 3))
def test_more_dice_never_hurt_less(toughness: int, dice: int, is_shaken: bool, wounds: int) -> None:
    """The chance of nothing falls, that of incapacitation rises."""
    condition = Condition(toughness, wounds, is_shaken)
    fewer, more = damage_chances(condition, dice), damage_chances(condition, dice + 1)
    assert more.nothing <= fewer.nothing
    assert more.incapacitated >= fewer.incapacitated


@pytest.mark.parametrize("field", ["wounds", "max_wounds"])
@pytest.mark.parametrize("wounds", [-1, 51, 2**53])
def test_wounds_beyond_counting_are_refused(field: str, wounds: int) -> None:
    """A broken log may hold any number; counting chances up to it would never end."""
    with pytest.raises(ValueError, match=f"{field} go from 0 to 50"):
        Condition(6, **{field: wounds})  # type: ignore[arg-type]  # mypy takes every field for a flag
