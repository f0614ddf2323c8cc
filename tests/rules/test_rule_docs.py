"""What the players' pages on the rules say is what the rules do."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import solo
from rules.skirmish import play, rolls
from rules.skuffle import AttackKind, Breed, Options, Soldier, hit_chance, needed_value
from rules.skuffle_state import AREA_20X20_MM, AREA_A4_MM, POOL_OF_MINUTES

DOCS = Path(__file__).parents[2] / "docs"
SKUFFLE = (DOCS / "rules-skuffle-wammer.md").read_text(encoding="utf-8")
SKIRMISH = (DOCS / "rules-quick-skirmish.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("minutes", POOL_OF_MINUTES)
def test_the_page_deals_the_same_dice(minutes: int) -> None:
    """Skuffle Wammer, Setup."""
    assert f"| {minutes} minute{'s' if minutes > 1 else ''} | {POOL_OF_MINUTES[minutes]} |" in SKUFFLE


@pytest.mark.parametrize("kind", list(AttackKind))
def test_the_page_gives_the_same_chances(kind: AttackKind) -> None:
    """Skuffle Wammer, Gameplay and Bonus points."""
    needed = needed_value(Soldier("a", (0, 0)), kind)
    chances = [f"{int(6 * hit_chance(needed, modifier))} in 6" for modifier in (0, 1, -1)]
    assert f"| {kind} | {needed} or more | {' | '.join(chances)} |" in SKUFFLE


def test_the_page_names_the_same_limits() -> None:
    """The readings' numbers."""
    options = Options()
    assert f"is {options.melee_gap_mm:.0f} mm or less" in SKUFFLE
    assert f"standing {options.vantage_mm:.0f} mm higher" in SKUFFLE
    assert f"when {100 * options.cover_share} % of its figure or more is hidden" in SKUFFLE
    assert f"{AREA_20X20_MM[0] / 10:.0f} x {AREA_20X20_MM[1] / 10:.0f} cm" in SKUFFLE
    assert f"({AREA_A4_MM[0]:.0f} x {AREA_A4_MM[1]:.0f} mm)" in SKUFFLE


@pytest.mark.parametrize("breed", [Breed.GHOUL, Breed.ZOMBIE, Breed.ROBOT])
def test_the_page_moves_the_desks_figures_as_far(breed: Breed) -> None:
    """Solo play."""
    row = next(line for line in SKUFFLE.splitlines() if line.startswith(f"| **{breed}**"))
    assert f"| up to {solo.STRIDE_MM[breed]:.0f} mm |" in row


def test_the_page_of_the_quick_skirmish_names_the_same_numbers() -> None:
    """Modifiers and dice of damage."""
    assert f"| card of Clubs | {rolls.CLUBS_PENALTY} |" in SKIRMISH
    assert f"| Joker | +{rolls.JOKER_BONUS} |" in SKIRMISH
    assert f"| still Shaken | {rolls.SHAKEN_PENALTY} |" in SKIRMISH
    assert f"| d{rolls.UNTRAINED_SIDES} and {rolls.UNTRAINED_PENALTY} |" in SKIRMISH
    failure = f"| none | {play.FAILURE_DICE}d6 to the hero; {play.CLUBS_FAILURE_DICE}d6 on Clubs |"
    assert failure in SKIRMISH
    assert f"| 1 | {play.SUCCESS_DICE}d6 to the hero, or to an ally" in SKIRMISH
