from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rules.world_saga.d20 import FACES, Degree, oppose, read, read_many
from rules.world_saga.odds import degree_chances, opposed_chance, opposed_chance_after, outcomes, success_chance


@pytest.mark.parametrize(
    ("tn", "boons", "chance"),
    [
        (10, 0, Fraction(1, 2)),
        (1, 0, Fraction(1, 20)),
        (0, 0, Fraction(0)),
        (-5, 0, Fraction(0)),
        (19, 0, Fraction(19, 20)),
        (20, 0, Fraction(19, 20)),
        (30, 0, Fraction(19, 20)),
        (10, 1, Fraction(3, 4)),
        (10, -1, Fraction(1, 4)),
        (10, 2, Fraction(7, 8)),
        (10, -3, Fraction(1, 16)),
    ],
)
def test_the_chance_of_success_is_exact(tn: int, boons: int, chance: Fraction) -> None:
    assert success_chance(tn, boons=boons) == chance


@pytest.mark.parametrize("tn", [-1, 0, 1, 7, 12, 19, 20, 22])
@pytest.mark.parametrize("boons", [-1, 0, 1])
def test_degrees_agree_with_counting_every_throw(tn: int, boons: int) -> None:
    throws = [read_many(tn, faces, boons=boons) for faces in product(FACES, repeat=1 + abs(boons))]
    counted: dict[Degree | None, Fraction] = {}
    for result in throws:
        counted[result.degree] = counted.get(result.degree, Fraction(0)) + Fraction(1, len(throws))
    chances = degree_chances(tn, boons=boons)
    assert [degree for degree, _ in chances] == [None, Degree.WEAK, Degree.SUCCESS, Degree.STRONG, Degree.GREAT]
    for degree, chance in chances:
        assert chance == counted.get(degree, 0)
    assert sum(share for _, share in outcomes(tn, boons=boons)) == 1


@pytest.mark.parametrize(("attacker_tn", "defender_tn"), [(12, 14), (8, 8), (0, 5), (20, 1), (15, 20)])
@pytest.mark.parametrize("boons", [-1, 0, 1])
def test_opposed_chances_agree_with_counting_every_throw(attacker_tn: int, defender_tn: int, boons: int) -> None:
    wins = throws = 0
    for face in FACES:
        for faces in product(FACES, repeat=1 + abs(boons)):
            throws += 1
            defence = read_many(defender_tn, faces, boons=boons)
            wins += oppose("a", read(attacker_tn, face), "d", defence).attacker_wins
    assert opposed_chance(attacker_tn, defender_tn, defender_boons=boons) == Fraction(wins, throws)


def test_the_chance_after_the_first_roll_makes_up_the_whole() -> None:
    after = [opposed_chance_after(read(12, face), 14) for face in FACES]
    assert sum(after) / 20 == opposed_chance(12, 14)
    assert opposed_chance_after(read(12, 13), 14) == 0
    assert opposed_chance_after(read(12, 12), 14) == Fraction(19, 20)
    assert opposed_chance_after(read(12, 12), 14, defender_boons=1) == Fraction(361, 400)
    assert opposed_chance(12, 14, attacker_boons=1) > opposed_chance(12, 14)
