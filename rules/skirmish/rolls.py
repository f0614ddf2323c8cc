"""The rolls of a Quick Skirmish: what is added to them, which dice are awaited, and their exact chances."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rules.dice import needs_another, steps, throw_again
from rules.ruling import DiceNeed, Message, Pending, Reason, signed, total
from rules.skirmish.damage import DamageChances, damage_chances, wound_penalty
from rules.skirmish.state import Fighter, Phase, Roll, RollKind, Scene, Skirmish
from rules.skirmish.trait import RAISE_STEP, TARGET, WILD_SIDES, trait_chance
from rules.skirmish.words import ACTION_CARDS, CATALOGUE, DAMAGE, MILESTONES, QUICK_SKIRMISH, TRAIT_ROLLS

CLUBS_PENALTY: Final = -2
"""Complication of a card of Clubs (Quick Skirmish)."""

SHAKEN_PENALTY: Final = -2
"""For those who stay Shaken (Quick Skirmish)."""

JOKER_BONUS: Final = 2
"""To the trait rolls of a Joker's holder (Savage Worlds, Action cards)."""

UNTRAINED_PENALTY: Final = -2
"""For a skill that the hero lacks, also on the wild die (Savage Worlds, Trait rolls; reading QS-R15)."""

UNTRAINED_SIDES: Final = 4
"""Die of a skill that the hero lacks (Savage Worlds, Trait rolls)."""

TRAIT_SIDES: Final = (4, 6, 8, 10, 12)
"""Dice of traits in Savage Worlds."""

TRAIT_ROLL_WORDS: Final = {
    RollKind.SPIRIT: ("roll_spirit", "spirit_success"),
    RollKind.SKIRMISH: ("roll_skirmish", "skirmish_success"),
    RollKind.SOAK: ("roll_soak", "soak_success"),
}
"""What a trait roll is for, and what counts as success."""

ROLES: Final = (("trait", "step_trait"), ("wild", "step_wild"))
"""Of the dice of a trait roll, and how each is announced."""


@dataclass(frozen=True, slots=True)
class SkirmishChances:
    """The exact chances of a skirmish roll; together they make 1."""

    failure: Fraction
    success: Fraction
    """A success without a raise."""
    raise_: Fraction


def trait_modifiers(scene: Scene, fighter: Fighter) -> tuple[Reason, ...]:
    """Return what is added to any trait roll of a fighter: wounds, and a Joker on which it acts."""
    modifiers = []
    wounds = fighter.condition.wounds
    # The one wound that puts an Extra out never burdens a roll of his.
    if wounds and fighter.condition.is_wild_card:
        penalty = wound_penalty(wounds)
        modifiers.append(CATALOGUE.reason("wound_penalty", DAMAGE, penalty, who=fighter.label, wounds=wounds))
    # An ally acts on its player's card.
    card = (fighter if fighter.ally_of is None else scene.fighter(fighter.ally_of)).card
    if card is not None and card.is_joker:
        modifiers.append(CATALOGUE.reason("joker", ACTION_CARDS, JOKER_BONUS))
    return tuple(modifiers)


def skirmish_modifiers(scene: Scene, action: Skirmish) -> tuple[Reason, ...]:
    """Return what is added to a skirmish roll, and why."""
    hero, options = scene.fighter(action.by), scene.options
    modifiers = []
    if options.competence:
        modifiers.append(CATALOGUE.reason("competence", QUICK_SKIRMISH, options.competence))
    if options.tactics:
        modifiers.append(CATALOGUE.reason("tactics", QUICK_SKIRMISH, options.tactics))
    if hero.card is not None and hero.card.is_clubs:
        modifiers.append(CATALOGUE.reason("clubs", QUICK_SKIRMISH, CLUBS_PENALTY))
    if hero.condition.is_shaken:
        modifiers.append(CATALOGUE.reason("still_shaken", QUICK_SKIRMISH, SHAKEN_PENALTY, who=hero.label))
    if action.inspired:
        modifiers.append(CATALOGUE.reason("inspired", QUICK_SKIRMISH, action.inspired))
    if hero.next_bonus:
        modifiers.append(CATALOGUE.reason("milestone_bonus", MILESTONES, hero.next_bonus, who=hero.label))
    if action.is_untrained:
        modifiers.append(CATALOGUE.reason("untrained", TRAIT_ROLLS, UNTRAINED_PENALTY, who=hero.label))
    return (*modifiers, *trait_modifiers(scene, hero))


def skirmish_chances(scene: Scene, action: Skirmish) -> SkirmishChances:
    """Return the exact chances of a skirmish roll before it is thrown, with all that would be added to it."""
    modifier = total(skirmish_modifiers(scene, action))
    is_wild_card = scene.fighter(action.by).condition.is_wild_card
    reached, raised = (
        trait_chance(at_least, action.sides, modifier=modifier, is_wild_card=is_wild_card)
        for at_least in (TARGET, TARGET + RAISE_STEP)
    )
    return SkirmishChances(1 - reached, reached - raised, raised)


def soak_chances(scene: Scene, who: str) -> tuple[Fraction, ...]:
    """Return the exact chances that a Soak roll cancels at least 1, 2, ... of the wounds that a fighter would take."""
    fighter = scene.fighter(who)
    wounds = scene.blow.new_wounds if scene.blow else 0
    modifier = total(trait_modifiers(scene, fighter))
    is_wild_card = fighter.condition.is_wild_card
    return tuple(
        trait_chance(TARGET + RAISE_STEP * raises, fighter.vigor, modifier=modifier, is_wild_card=is_wild_card)
        for raises in range(wounds)
    )


def awaited_damage_chances(scene: Scene) -> DamageChances | None:
    """Return the exact chances of the damage that is about to be thrown; None while there is none."""
    if scene.receiver is None or not scene.damage_dice:
        return None
    return damage_chances(scene.fighter(scene.receiver).condition, scene.damage_dice)


def awaited_dice(roll: Roll) -> tuple[int, ...]:
    """Return the positions of the dice that are to be thrown now: all at first, then those that ace."""
    return tuple(
        position
        for position, (faces, sides) in enumerate(zip(roll.faces, roll.sides, strict=True))
        if needs_another(faces, sides)
    )


def pending(scene: Scene) -> Pending | None:
    """Return the dice that the scene waits for, or None."""
    roll = scene.roll
    if roll is None or scene.phase not in (Phase.SPIRIT, Phase.ROLL, Phase.DAMAGE):
        return None
    who = scene.fighter(roll.who).label
    awaited = awaited_dice(roll)
    if roll.kind is RollKind.DAMAGE:
        toughness = scene.fighter(roll.who).condition.toughness
        again = "step_damage_again" if any(roll.faces) else "step_damage"
        return Pending(
            who=roll.who,
            dice=(DiceNeed(len(awaited), 6, "damage", aces=True, so_far=sum(map(sum, roll.faces))),),
            purpose=CATALOGUE.message("roll_damage", who=who),
            success=CATALOGUE.message("damage_success", toughness=toughness),
            steps=(CATALOGUE.message(again, count=len(awaited)),),
        )
    purpose, success = TRAIT_ROLL_WORDS[roll.kind]
    return Pending(
        who=roll.who,
        dice=tuple(
            DiceNeed(1, roll.sides[die], ROLES[die][0], aces=True, so_far=sum(roll.faces[die])) for die in awaited
        ),
        purpose=CATALOGUE.message(purpose, who=who, trait=roll.trait),
        success=CATALOGUE.message(
            success,
            target=TARGET,
            raised=TARGET + RAISE_STEP,
            modifier=signed(total(roll.modifiers)),
        ),
        modifiers=roll.modifiers,
        chance=trait_chance(
            TARGET,
            roll.sides[0],
            modifier=total(roll.modifiers),
            is_wild_card=len(roll.sides) > 1,
            trait=roll.faces[0],
            wild=roll.faces[1] if len(roll.sides) > 1 else (),
        ),
        steps=tuple(step for die in awaited for step in _steps(die, roll.sides[die], is_again=bool(roll.faces[die]))),
    )


def trait_dice(fighter: Fighter, sides: int) -> tuple[int, ...]:
    """Return the dice of a trait roll: the trait die, and the wild die of a Wild Card."""
    return (sides, WILD_SIDES) if fighter.condition.is_wild_card else (sides,)


def _steps(die: int, sides: int, *, is_again: bool) -> tuple[Message, ...]:
    announced = CATALOGUE.message(ROLES[die][1], sides=sides)
    return (announced, *((throw_again(),) if is_again else ()), *steps(sides))
