"""The referee of a Quick Skirmish: what an action does to a scene, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.cards import Card
from rules.dice import ace_total
from rules.ruling import Message, Reason, Ruling, signed, total
from rules.skirmish.checks import able_receivers, check
from rules.skirmish.damage import blow, suffer
from rules.skirmish.deck import draw, turn_order
from rules.skirmish.rolls import awaited_dice, skirmish_modifiers, trait_modifiers
from rules.skirmish.state import (
    Accept,
    Action,
    Adjust,
    Award,
    Circumstances,
    Deal,
    Delay,
    Edition,
    Event,
    Fighter,
    Leave,
    Milestone,
    MilestoneEffect,
    Options,
    Outcome,
    Overrule,
    Phase,
    Receive,
    Reroll,
    Roll,
    RollKind,
    Scene,
    Skirmish,
    Soak,
    StepIn,
    TakeWounds,
    Throw,
    Unshake,
)
from rules.skirmish.trait import Level, TraitRoll, trait_roll
from rules.skirmish.turns import SkirmishRuling, begin_roll, begin_turn, end_turn, give_award, go_on, open_turn, put
from rules.skirmish.words import (
    ACTION_CARDS,
    BENNIES,
    CATALOGUE,
    DAMAGE,
    GAME_MASTER,
    MILESTONES,
    QUICK_SKIRMISH,
    TRAIT_ROLLS,
)

TOKENS = {Level.FAILURE: 0, Level.SUCCESS: 1, Level.RAISE: 2}
"""Tokens taken from the table (Quick Skirmish)."""

FAILURE_DICE = 3
"""Six-sided dice of damage for a failure (Quick Skirmish)."""

CLUBS_FAILURE_DICE = 4
"""The same on a card of Clubs (Quick Skirmish)."""

SUCCESS_DICE = 2
"""Six-sided dice of damage for a success, also on Clubs (Quick Skirmish)."""


def new_scene(
    fighters: tuple[Fighter, ...], tokens: int, options: Options | None = None, *, discards: tuple[Card, ...] = ()
) -> Scene:
    """Return a scene before its first deal.

    Args:
        fighters: heroes and their allies.
        tokens: pile for the foes; 3 to 5 for each player are a reasonable challenge.
        options: None for the defaults.
        discards: cards of an earlier fight, for a new fight alone is no reason to shuffle.

    Raises:
        ValueError: for no hero who can fight, no token, two fighters of one id, or an ally of nobody.
    """
    ids = [fighter.id for fighter in fighters]
    heroes = {fighter.id: fighter for fighter in fighters if fighter.ally_of is None}
    able = [hero for hero in heroes.values() if not hero.is_out]
    if not able or tokens < 1:
        raise ValueError(f"a scene needs a hero who can fight and a token, not {len(able)} and {tokens}")
    for fighter in fighters:
        if ids.count(fighter.id) > 1:
            raise ValueError(f"two fighters are called {fighter.id!r}")
        if fighter.ally_of is not None and fighter.ally_of not in heroes:
            raise ValueError(f"{fighter.id!r} is an ally of {fighter.ally_of!r}, who is no hero of the scene")
    return Scene(fighters, tokens, options or Options(), discards=discards)


def resolve(scene: Scene, action: Action) -> SkirmishRuling:
    """Return the scene after an action, what happened and why. Raises what `check` raises."""
    check(scene, action)
    match action:
        case Deal():
            return _deal(scene, action)
        case Throw():
            return _throw(scene, action)
        case Skirmish():
            return _declare(scene, action)
        case Accept():
            return _accept(scene)
        case Reroll():
            return _reroll(scene)
        case Receive():
            return _receive(scene, action.who)
        case Soak():
            return _soak(scene)
        case TakeWounds():
            return _take(scene, None, ())
        case Unshake():
            return _unshake(scene, action.who)
        case Delay():
            hero = scene.fighter(action.by)
            reason = CATALOGUE.reason("delays", ACTION_CARDS, who=hero.label)
            scene = put(scene, replace(hero, is_delaying=True))
            return Ruling(begin_turn(scene), Outcome(Event.DELAYED, hero.id), (reason,))
        case StepIn():
            hero = scene.fighter(action.by)
            reason = CATALOGUE.reason("steps_in", ACTION_CARDS, who=hero.label)
            return Ruling(open_turn(scene, hero), Outcome(Event.STEPPED_IN, hero.id), (reason,))
        case Leave():
            hero = scene.fighter(action.by)
            reason = CATALOGUE.reason("leaves", MILESTONES, who=hero.label)
            scene = put(scene, replace(hero, has_left=True))
            return go_on(scene, Outcome(Event.LEFT, hero.id), (reason,))
        case Overrule():
            return _overrule(scene, action)
        case Adjust():
            return _adjust(scene, action)
        case Circumstances():
            options = replace(scene.options, competence=action.competence, tactics=action.tactics)
            reason = CATALOGUE.reason(
                "gm_circumstances", GAME_MASTER, competence=action.competence, tactics=action.tactics, why=action.why
            )
            return Ruling(replace(scene, options=options), Outcome(Event.CIRCUMSTANCES), (reason,))
        case Award():
            scene, reason = give_award(scene, action.to)
            return Ruling(scene, Outcome(Event.AWARDED, action.to, awards=(action.to,)), (reason,))
        case _:
            assert_never(action)


def _deal(scene: Scene, deal: Deal) -> SkirmishRuling:
    discards, was_shuffled = draw(scene, deal)
    cards = dict(deal.cards)
    reasons = [CATALOGUE.reason("deck_ran_out", ACTION_CARDS)] if was_shuffled else []
    reasons += (
        CATALOGUE.reason("drawn", ACTION_CARDS, who=scene.fighter(who).label, card=cards[who].name)
        for who in turn_order(deal.cards)
    )
    fighters = tuple(replace(fighter, card=cards.get(fighter.id)) for fighter in scene.fighters)
    awards: tuple[str, ...] = ()
    if scene.options.edition is Edition.SWADE:
        jokers = [who for who, card in deal.cards if card.is_joker]
        reasons += (CATALOGUE.reason("joker_bennies", BENNIES, who=scene.fighter(who).label) for who in jokers)
        awards = tuple(hero.id for hero in scene.heroes) if jokers else ()
        fighters = tuple(
            replace(fighter, bennies=fighter.bennies + len(jokers)) if fighter.ally_of is None else fighter
            for fighter in fighters
        )
    scene = replace(scene, fighters=fighters, discards=discards, round=scene.round + 1)
    return Ruling(begin_turn(scene), Outcome(Event.DEALT, awards=awards), tuple(reasons))


# rolls


def _declare(scene: Scene, action: Skirmish) -> SkirmishRuling:
    hero = scene.fighter(action.by)
    modifiers = skirmish_modifiers(scene, action)
    roll = begin_roll(RollKind.SKIRMISH, hero, action.sides, modifiers, action.trait)
    # The milestone's bonus is for this roll only, however it goes.
    scene = replace(put(scene, replace(hero, next_bonus=0)), phase=Phase.ROLL, roll=roll)
    return Ruling(scene, Outcome(Event.DECLARED, hero.id), modifiers)


def _throw(scene: Scene, action: Throw) -> SkirmishRuling:
    """Take the faces of the dice awaited; aces are awaited again, and then the roll is made."""
    roll = scene.roll
    assert roll is not None
    thrown = dict(zip(awaited_dice(roll), action.values, strict=True))
    faces = tuple((*known, thrown[die]) if die in thrown else known for die, known in enumerate(roll.faces))
    roll = replace(roll, faces=faces)
    scene = replace(scene, roll=roll)
    if awaited_dice(roll):
        return Ruling(scene, Outcome(Event.THROWN_AGAIN, roll.who), ())
    if roll.kind is RollKind.DAMAGE:
        return _strike(scene, roll)
    made = trait_roll(roll.sides[0], faces[0], faces[1] if len(faces) > 1 else None, roll.modifiers)
    kept, reasons = _better(scene, roll, made)
    scene = replace(scene, roll=replace(roll, kept=kept))
    if _can_better(scene, roll, kept):
        return Ruling(replace(scene, phase=Phase.ACCEPT), Outcome(Event.MAY_REROLL, roll.who, kept.total), reasons)
    return _settle(scene, roll, kept.level, _successes(kept), kept.total, reasons)


def _better(scene: Scene, roll: Roll, made: TraitRoll) -> tuple[TraitRoll, tuple[Reason, ...]]:
    """Keep the better of two rolls (Savage Worlds, Bennies); in `swade` a critical failure ends the attempt."""
    ends = made.is_critical_failure and scene.options.edition is Edition.SWADE
    kept = roll.kept
    if kept is None or ends or (made.is_success, made.total) >= (kept.is_success, kept.total):
        return made, made.reasons
    return kept, (CATALOGUE.reason("kept", BENNIES, made=made.total, total=kept.total), *kept.reasons)


def _can_better(scene: Scene, roll: Roll, kept: TraitRoll) -> bool:
    """Whether another roll could be bought and could help."""
    if scene.fighter(roll.who).bennies < 1 or (roll.kind is not RollKind.SOAK and not scene.options.may_reroll):
        return False
    if kept.is_critical_failure and scene.options.edition is Edition.SWADE:
        return False
    match roll.kind:
        case RollKind.SPIRIT:
            return not kept.is_success
        case RollKind.SOAK:
            assert scene.blow is not None
            return _successes(kept) < scene.blow.new_wounds
        case _:
            return kept.level is not Level.RAISE


def _accept(scene: Scene) -> SkirmishRuling:
    roll = scene.roll
    assert roll is not None
    assert roll.kept is not None
    kept = roll.kept
    return _settle(scene, roll, kept.level, _successes(kept), kept.total, kept.reasons)


def _reroll(scene: Scene) -> SkirmishRuling:
    roll = scene.roll
    assert roll is not None
    scene, reason = _spend_benny(scene, roll.who)
    phase = Phase.SPIRIT if roll.kind is RollKind.SPIRIT else Phase.ROLL
    again = replace(roll, faces=tuple(() for _ in roll.sides))
    return Ruling(replace(scene, phase=phase, roll=again), Outcome(Event.REROLL, roll.who), (reason,))


def _overrule(scene: Scene, action: Overrule) -> SkirmishRuling:
    roll = scene.roll
    assert roll is not None
    reason = CATALOGUE.reason("gm_decides", GAME_MASTER, level=action.level, why=action.why)
    return _settle(scene, roll, action.level, TOKENS[action.level], None, (reason,))


def _settle(
    scene: Scene, roll: Roll, level: Level, successes: int, made: int | None, reasons: tuple[Reason, ...]
) -> SkirmishRuling:
    """Let a trait roll have its effect."""
    match roll.kind:
        case RollKind.SPIRIT:
            return _recover(scene, level, made, reasons)
        case RollKind.SOAK:
            return _take(scene, successes, reasons, made)
        case _:
            return _take_tokens(scene, level, made, reasons)


def _recover(scene: Scene, level: Level, made: int | None, reasons: tuple[Reason, ...]) -> SkirmishRuling:
    """Recover from Shaken, or go on at -2 (Quick Skirmish); a success is enough in both editions."""
    hero = scene.fighter(str(scene.current))
    scene = replace(scene, phase=Phase.TURN, roll=None)
    if level is Level.FAILURE:
        reasons += (CATALOGUE.reason("not_recovered", QUICK_SKIRMISH, who=hero.label),)
        return Ruling(replace(scene, is_still_shaken=True), Outcome(Event.STILL_SHAKEN, hero.id, made), reasons)
    reasons += (CATALOGUE.reason("recovered", TRAIT_ROLLS, who=hero.label),)
    calm = replace(hero, condition=replace(hero.condition, is_shaken=False))
    return Ruling(put(scene, calm), Outcome(Event.RECOVERED, hero.id, made), reasons)


def _take_tokens(scene: Scene, level: Level, made: int | None, reasons: tuple[Reason, ...]) -> SkirmishRuling:
    """Take tokens and say who is hurt. Reading QS-R6: never more than two tokens, nor more than are left."""
    hero = scene.fighter(str(scene.current))
    taken = min(TOKENS[level], scene.tokens_left)
    left = scene.tokens_left - taken
    if taken:
        reasons += (CATALOGUE.reason("token_taken", QUICK_SKIRMISH, who=hero.label, taken=taken, left=left),)
    hero, reached = _reach_milestones(replace(hero, tokens=hero.tokens + taken), scene.options.milestones)
    scene = replace(put(scene, hero), tokens_left=left, roll=None)
    is_clubs = hero.card is not None and hero.card.is_clubs
    failure_dice = CLUBS_FAILURE_DICE if is_clubs else FAILURE_DICE
    dice = {Level.FAILURE: failure_dice, Level.SUCCESS: SUCCESS_DICE, Level.RAISE: 0}[level]
    outcome = Outcome(Event(level.value), hero.id, made, taken, dice)
    reasons += reached
    if level is Level.RAISE:
        return end_turn(scene, outcome, (*reasons, CATALOGUE.reason("unhurt", QUICK_SKIRMISH)))
    reasons += (CATALOGUE.reason("takes_damage", QUICK_SKIRMISH, dice=dice),)
    scene = replace(scene, damage_dice=dice)
    if level is Level.SUCCESS and len(able_receivers(scene)) > 1:
        return Ruling(replace(scene, phase=Phase.RECEIVER), outcome, reasons)
    return Ruling(_await_damage(scene, hero.id), outcome, reasons)


def _reach_milestones(hero: Fighter, milestones: tuple[Milestone, ...]) -> tuple[Fighter, tuple[Reason, ...]]:
    """Give a hero what its tokens have earned; each milestone once, also one jumped over (reading QS-R9)."""
    reasons = []
    for position, milestone in enumerate(milestones):
        if position in hero.milestones or hero.tokens < milestone.tokens:
            continue
        hero = replace(hero, milestones=(*hero.milestones, position))
        match milestone.effect:
            case MilestoneEffect.LEAVE:
                hero, code = replace(hero, may_leave=True), "may_leave"
            case MilestoneEffect.NEXT_ROLL:
                hero, code = replace(hero, next_bonus=hero.next_bonus + milestone.bonus), "milestone_next_roll"
            case MilestoneEffect.NOTE:
                code = "milestone_note"
        bonus = signed(milestone.bonus)
        told = CATALOGUE.reason(
            code, MILESTONES, who=hero.label, tokens=milestone.tokens, bonus=bonus, note=milestone.note
        )
        reasons.append(told)
    return hero, tuple(reasons)


# damage


def _receive(scene: Scene, who: str) -> SkirmishRuling:
    fighter = scene.fighter(who)
    reason = CATALOGUE.reason("receives", QUICK_SKIRMISH, who=fighter.label, dice=scene.damage_dice)
    return Ruling(_await_damage(scene, who), Outcome(Event.RECEIVER, who, damage_dice=scene.damage_dice), (reason,))


def _await_damage(scene: Scene, who: str) -> Scene:
    """Wait for the dice of damage. They are not the hero's own roll, so a Joker adds nothing (reading QS-R4)."""
    dice = scene.damage_dice
    roll = Roll(RollKind.DAMAGE, who, (6,) * dice, ((),) * dice)
    return replace(scene, phase=Phase.DAMAGE, receiver=who, roll=roll)


def _strike(scene: Scene, roll: Roll) -> SkirmishRuling:
    """Compare damage with Toughness; wounds may be soaked before they are taken."""
    fighter = scene.fighter(roll.who)
    dice = tuple(
        CATALOGUE.reason("damage_die", DAMAGE, ace_total(faces, 6), faces=" + ".join(map(str, faces)))
        for faces in roll.faces
    )
    damage = total(dice)
    struck = blow(damage, fighter.condition.toughness, is_shaken=fighter.condition.is_shaken)
    reasons = (*dice, *struck.reasons)
    if struck.new_wounds and fighter.bennies:
        scene = replace(scene, phase=Phase.SOAK, roll=None, blow=struck)
        return Ruling(scene, Outcome(Event.MAY_SOAK, fighter.id, damage, new_wounds=struck.new_wounds), reasons)
    return _take(replace(scene, blow=struck), None, reasons, damage)


def _soak(scene: Scene) -> SkirmishRuling:
    """Roll Vigor. The wounds about to be taken do not count against it, older ones do."""
    who = str(scene.receiver)
    scene, reason = _spend_benny(scene, who)
    fighter = scene.fighter(who)
    modifiers = trait_modifiers(scene, fighter)
    roll = begin_roll(RollKind.SOAK, fighter, fighter.vigor, modifiers, "Vigor")
    return Ruling(replace(scene, phase=Phase.ROLL, roll=roll), Outcome(Event.SOAKING, who), (reason, *modifiers))


def _take(
    scene: Scene, soak_successes: int | None, reasons: tuple[Reason, ...], made: int | None = None
) -> SkirmishRuling:
    """Let the receiver suffer what is left of the blow, and end the turn."""
    struck = scene.blow
    assert struck is not None
    fighter = scene.fighter(str(scene.receiver))
    was_soaked = soak_successes is not None
    suffered = suffer(fighter.condition, struck, soak_successes=soak_successes)
    after = suffered.condition
    if after.is_incapacitated:
        event = Event.INCAPACITATED
    elif suffered.new_wounds:
        event = Event.WOUNDED
    elif was_soaked:
        event = Event.SOAKED
    else:
        event = Event.SHAKEN if struck.shakes else Event.UNHURT
    advice: tuple[Message, ...] = ()
    if after.is_incapacitated and after.is_wild_card:
        is_swade = scene.options.edition is Edition.SWADE
        advice = (CATALOGUE.message("incapacitated_swade" if is_swade else "incapacitated_swd"),)
    outcome = Outcome(event, fighter.id, made, new_wounds=suffered.new_wounds)
    scene = put(scene, replace(fighter, condition=after))
    return end_turn(scene, outcome, (*reasons, *suffered.reasons), advice)


# Bennies and the game master


def _spend_benny(scene: Scene, who: str) -> tuple[Scene, Reason]:
    fighter = scene.fighter(who)
    left = fighter.bennies - 1
    reason = CATALOGUE.reason("benny_spent", BENNIES, who=fighter.label, left=left)
    return put(scene, replace(fighter, bennies=left)), reason


def _unshake(scene: Scene, who: str) -> SkirmishRuling:
    scene, spent = _spend_benny(scene, who)
    fighter = scene.fighter(who)
    calm = replace(fighter, condition=replace(fighter.condition, is_shaken=False))
    scene = put(scene, calm)
    if who == scene.current:
        scene = replace(scene, is_still_shaken=False)
        if scene.phase is Phase.SPIRIT:
            scene = replace(scene, phase=Phase.TURN, roll=None)
    reasons = (spent, CATALOGUE.reason("unshaken", BENNIES, who=fighter.label))
    return Ruling(scene, Outcome(Event.RECOVERED, who), reasons)


def _adjust(scene: Scene, action: Adjust) -> SkirmishRuling:
    fighter = scene.fighter(action.who)
    condition = replace(
        fighter.condition,
        wounds=action.wounds,
        is_shaken=action.is_shaken,
        is_incapacitated=action.is_incapacitated,
    )
    changed = replace(fighter, condition=condition, bennies=action.bennies, tokens=action.tokens)
    left = scene.tokens_left + fighter.tokens - action.tokens
    scene = replace(put(scene, changed), tokens_left=left)
    reason = CATALOGUE.reason("gm_adjusts", GAME_MASTER, who=fighter.label, why=action.why)
    # Whoever has the turn begins it again where that changes the Spirit roll.
    is_spirit_changed = scene.phase is Phase.SPIRIT or fighter.condition.is_shaken != action.is_shaken
    if scene.current == action.who and not changed.is_out and is_spirit_changed:
        scene = open_turn(scene, changed)
    return go_on(scene, Outcome(Event.ADJUSTED, action.who), (reason,))


def _successes(roll: TraitRoll) -> int:
    """Success and raises together."""
    return 1 + roll.raises if roll.is_success else 0
