"""What the players' pages on the rules say is what the rules do."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from rules import solo
from rules.freeform import Ground
from rules.grid import CornerRule, SquareBoard
from rules.sight import SightRules
from rules.skirmish import play, rolls
from rules.skirmish import state as skirmish
from rules.skuffle import AttackKind, Breed, Options, Soldier, TurnOrder, hit_chance, needed_value
from rules.skuffle_state import AREA_20X20_MM, AREA_A4_MM, POOL_OF_MINUTES

DOCS = Path(__file__).parents[2] / "docs"
SKUFFLE = (DOCS / "rules-skuffle-wammer.md").read_text(encoding="utf-8")
SKIRMISH = (DOCS / "rules-quick-skirmish.md").read_text(encoding="utf-8")
SAGA = (DOCS / "rules-world-saga.md").read_text(encoding="utf-8")


def shown(default: Any) -> str:
    """How a page writes a setting's default."""
    match default:
        case None:
            return "not set"
        case bool():
            return "on" if default else "off"
        case Enum():
            return f"`{default.value}`"
        case (width, height):
            return f"{width:.0f} x {height:.0f}"
        case ():
            return "none"
        case _:
            return f"{default:g}" if default != 1 else "1.0"


@pytest.mark.parametrize(
    ("page", "settings", "name"),
    [
        pytest.param(page, settings, field.name, id=f"{type(settings).__module__}-{field.name}")
        for page, settings in (
            (SKUFFLE, Options()),
            (SKIRMISH, skirmish.Options()),
            (SAGA, SightRules()),
            (SAGA, SquareBoard(1, 1)),
            (SAGA, Ground()),
        )
        for field in fields(settings)
        if field.name not in ("columns", "rows", "walls", "difficult", "fences")  # what stands on a board
    ],
)
def test_every_setting_has_its_row_with_its_default(page: str, settings: Any, name: str) -> None:
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| `")]
    named, default = next((row[1], row[2]) for row in rows if f"`{name}`" in row[1])
    position = [each.strip().strip("`") for each in named.split(",")].index(name)
    assert default.split(",")[position].strip() == shown(getattr(settings, name))


@pytest.mark.parametrize(
    ("page", "value"),
    [
        *((SKUFFLE, value) for value in TurnOrder),
        *((SKIRMISH, value) for value in (*skirmish.Edition, *skirmish.MilestoneEffect)),
        *((SAGA, value) for value in CornerRule),
    ],
)
def test_every_choice_is_named(page: str, value: Enum) -> None:
    assert f"`{value.value}`" in page


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
