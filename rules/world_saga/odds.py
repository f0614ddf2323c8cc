"""Exact chances of tests, by counting every face of every die.

With Boons or Banes the chances hold for the setting that rolls extra d20; where the table rolls them its own way, there
is no chance to tell, and callers get None from `rules.world_saga.combat.pending`.
"""

from __future__ import annotations

from fractions import Fraction

from rules.world_saga.d20 import FACES, Degree, TestResult, attacker_wins, goodness, read


def outcomes(tn: int, *, boons: int = 0) -> tuple[tuple[TestResult, Fraction], ...]:
    """Return every outcome of a test with its chance, worst first; Banes are Boons under 0.

    With n Boons the best of 1 + n dice counts, with n Banes the worst.
    """
    dice = 1 + abs(boons)
    results = sorted((read(tn, face) for face in FACES), key=goodness)
    sides = len(results)
    chances = []
    for index, result in enumerate(results):
        if boons >= 0:
            # All dice at most this good, less all dice worse.
            share = Fraction((index + 1) ** dice - index**dice, sides**dice)
        else:
            share = Fraction((sides - index) ** dice - (sides - index - 1) ** dice, sides**dice)
        chances.append((result, share))
    return tuple(chances)


def success_chance(tn: int, *, boons: int = 0) -> Fraction:
    """Return the chance that a Basic Test succeeds."""
    return sum((share for result, share in outcomes(tn, boons=boons) if result.is_success), Fraction(0))


def degree_chances(tn: int, *, boons: int = 0) -> tuple[tuple[Degree | None, Fraction], ...]:
    """Return the chance of each degree of a Complex Test, None standing for failure."""
    chances: dict[Degree | None, Fraction] = {degree: Fraction(0) for degree in (None, *Degree)}
    for result, share in outcomes(tn, boons=boons):
        chances[result.degree] += share
    return tuple(chances.items())


def opposed_chance(attacker_tn: int, defender_tn: int, *, attacker_boons: int = 0, defender_boons: int = 0) -> Fraction:
    """Return the chance that the attacker wins an Opposed Test."""
    defences = outcomes(defender_tn, boons=defender_boons)
    return sum(
        (
            attack_share * defence_share
            for attack, attack_share in outcomes(attacker_tn, boons=attacker_boons)
            for defence, defence_share in defences
            if attacker_wins(attack, defence)
        ),
        Fraction(0),
    )


def opposed_chance_after(attack: TestResult, defender_tn: int, *, defender_boons: int = 0) -> Fraction:
    """Return the chance that the attacker wins once the attacker's roll lies on the table."""
    return sum(
        (share for defence, share in outcomes(defender_tn, boons=defender_boons) if attacker_wins(attack, defence)),
        Fraction(0),
    )
