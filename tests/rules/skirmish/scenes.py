"""Scenes of a Quick Skirmish, and short words for playing them on."""

from __future__ import annotations

from typing import Any

from rules.cards import parse_card
from rules.ruling import Ruling
from rules.skirmish.damage import Condition
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.state import (
    Action,
    Deal,
    Edition,
    Fighter,
    Options,
    Outcome,
    Scene,
    Skirmish,
    Throw,
)

SkirmishRuling = Ruling[Scene, Outcome]
SWD, SWADE = Edition.SWD, Edition.SWADE


def hero(who: str = "a", *, toughness: int = 6, wounds: int = 0, shaken: bool = False, **fields: Any) -> Fighter:
    """A Wild Card; without Bennies unless told."""
    condition = Condition(toughness, wounds, shaken)
    return Fighter(who, condition, **{"bennies": 0, **fields})


def ally(name: str, of: str, *, wild: bool = False, **fields: Any) -> Fighter:
    return Fighter(name, Condition(5, is_wild_card=wild), **{"bennies": 0, "ally_of": of, **fields})


def dealt(cards: str, *fighters: Fighter, tokens: int = 9, **options: Any) -> Scene:
    """A scene in its first round; cards in the order of the heroes."""
    scene = new_scene(fighters or (hero(),), tokens, Options(**options))
    return deal(scene, cards).state


def deal(scene: Scene, cards: str) -> SkirmishRuling:
    names = [fighter.id for fighter in scene.heroes if not fighter.has_left]
    return resolve(scene, Deal(tuple(zip(names, map(parse_card, cards.split()), strict=True))))


def play(scene: Scene, *actions: Action) -> SkirmishRuling:
    """Resolve actions one after the other; the last ruling."""
    ruling: SkirmishRuling | None = None
    for action in actions:
        ruling = resolve(scene, action)
        scene = ruling.state
    assert ruling is not None
    return ruling


def skirmish(scene: Scene, *throws: tuple[int, ...], by: str = "a", sides: int = 8, **fields: Any) -> SkirmishRuling:
    """Declare a skirmish roll and throw."""
    return play(scene, Skirmish(by, "Fighting", sides, **fields), *(Throw(values) for values in throws))


def codes(ruling: SkirmishRuling) -> list[str]:
    return [reason.code for reason in ruling.reasons]


def wounded(fighter: Fighter, *, dice: tuple[int, ...] = (5, 4, 3), **options: Any) -> SkirmishRuling:
    """A failure and its damage: 12."""
    return play(
        dealt("9S", fighter, **{"may_reroll": False, **options}), Skirmish("a", "x", 8), Throw((3, 2)), Throw(dice)
    )
