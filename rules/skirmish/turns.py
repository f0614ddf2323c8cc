"""The round of a Quick Skirmish: whose turn comes, how it begins and ends, and when the scene is over."""

from __future__ import annotations

from dataclasses import replace

from rules.ruling import Message, Reason, Ruling
from rules.skirmish.checks import labels
from rules.skirmish.deck import needs_shuffle, next_hero
from rules.skirmish.rolls import trait_dice, trait_modifiers
from rules.skirmish.state import Fighter, Outcome, Phase, Result, Roll, RollKind, Scene
from rules.skirmish.words import ACTION_CARDS, CATALOGUE, QUICK_SKIRMISH

SkirmishRuling = Ruling[Scene, Outcome]


def begin_turn(scene: Scene) -> Scene:
    """Give the turn to whoever comes next, or begin the next round with its deal."""
    hero = next_hero(scene)
    if hero is not None:
        return open_turn(scene, hero)
    in_hand = tuple(fighter.card for fighter in scene.fighters if fighter.card is not None)
    discards = () if needs_shuffle(in_hand) else (*scene.discards, *in_hand)
    fighters = tuple(replace(fighter, card=None, has_acted=False, is_delaying=False) for fighter in scene.fighters)
    return replace(scene, fighters=fighters, discards=discards, phase=Phase.DEAL, current=None)


def open_turn(scene: Scene, hero: Fighter) -> Scene:
    """Open a hero's turn: with the Spirit roll of one who is Shaken."""
    scene = put(scene, replace(hero, is_delaying=False))
    scene = replace(scene, current=hero.id, is_still_shaken=False, roll=None)
    if not hero.condition.is_shaken:
        return replace(scene, phase=Phase.TURN)
    roll = begin_roll(RollKind.SPIRIT, hero, hero.spirit, trait_modifiers(scene, hero), "Spirit")
    return replace(scene, phase=Phase.SPIRIT, roll=roll)


def end_turn(
    scene: Scene, outcome: Outcome, reasons: tuple[Reason, ...], advice: tuple[Message, ...] = ()
) -> SkirmishRuling:
    """Close the turn of the hero whose turn it is, and go on."""
    hero = scene.fighter(str(scene.current))
    scene = replace(
        put(scene, replace(hero, has_acted=True)),
        roll=None,
        damage_dice=0,
        receiver=None,
        blow=None,
        is_still_shaken=False,
    )
    return go_on(scene, outcome, reasons, advice, is_turn_over=True)


def go_on(
    scene: Scene,
    outcome: Outcome,
    reasons: tuple[Reason, ...],
    advice: tuple[Message, ...] = (),
    *,
    is_turn_over: bool = False,
) -> SkirmishRuling:
    """End the scene where it has ended, and hand the turn on where its hero is done or gone.

    Reading QS-R7: the scene is won the moment the pile is empty. Reading QS-R8: it is lost when every hero is
    incapacitated or has left with tokens remaining.
    """
    if scene.tokens_left == 0:
        return _win(scene, outcome, reasons, advice)
    if all(hero.is_out for hero in scene.heroes):
        reasons += (CATALOGUE.reason("nobody_fights", QUICK_SKIRMISH),)
        scene = replace(scene, phase=Phase.OVER, current=None, roll=None, result=Result.DEFEAT)
        return Ruling(scene, outcome, reasons, advice)
    if is_turn_over or (scene.current is not None and scene.fighter(scene.current).is_out):
        scene = begin_turn(replace(scene, roll=None))
        if scene.phase is Phase.DEAL and not scene.discards:
            reasons += (CATALOGUE.reason("reshuffle", ACTION_CARDS),)
    return Ruling(scene, outcome, reasons, advice)


def _win(scene: Scene, outcome: Outcome, reasons: tuple[Reason, ...], advice: tuple[Message, ...]) -> SkirmishRuling:
    scene = replace(scene, phase=Phase.OVER, current=None, roll=None, result=Result.VICTORY)
    reasons += (CATALOGUE.reason("pile_empty", QUICK_SKIRMISH),)
    most = scene.most_tokens
    if scene.options.has_benny_for_most and len(most) == 1:
        scene, reason = give_award(scene, most[0])
        return Ruling(scene, replace(outcome, awards=most), (*reasons, reason), advice)
    if scene.options.has_benny_for_most and most:
        scene = replace(scene, can_award=True)
        tie = labels(scene.fighter(hero) for hero in most)
        reasons += (CATALOGUE.reason("most_tokens_tie", QUICK_SKIRMISH, who=tie),)
    return Ruling(scene, outcome, reasons, advice)


def give_award(scene: Scene, to: str) -> tuple[Scene, Reason]:
    """Give the Benny for most tokens."""
    hero = scene.fighter(to)
    reason = CATALOGUE.reason("most_tokens", QUICK_SKIRMISH, who=hero.label)
    return replace(put(scene, replace(hero, bennies=hero.bennies + 1)), can_award=False), reason


def begin_roll(kind: RollKind, fighter: Fighter, sides: int, modifiers: tuple[Reason, ...], trait: str) -> Roll:
    """Return a trait roll of which no die has been thrown."""
    dice = trait_dice(fighter, sides)
    return Roll(kind, fighter.id, dice, tuple(() for _ in dice), modifiers, trait)


def put(scene: Scene, changed: Fighter) -> Scene:
    """Put a changed fighter in the place of the one with its id."""
    fighters = tuple(changed if fighter.id == changed.id else fighter for fighter in scene.fighters)
    return replace(scene, fighters=fighters)
