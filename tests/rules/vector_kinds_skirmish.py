"""Vector kinds of the Quick Skirmish and of the Savage Worlds rules that it uses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.cards import DECK, Card, parse_card, savage_order
from rules.ruling import IllegalActionError, Reason, Ruling
from rules.skirmish.damage import Condition, blow, suffer
from rules.skirmish.deck import needs_shuffle, turn_order, who_draws
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.rolls import pending
from rules.skirmish.state import (
    Accept,
    Adjust,
    Deal,
    Fighter,
    Leave,
    Milestone,
    MilestoneEffect,
    Options,
    Outcome,
    Phase,
    Receive,
    Result,
    Scene,
    Skirmish,
    TakeWounds,
    Throw,
)
from rules.skirmish.trait import TraitRoll, trait_roll

Json = dict[str, Any]
SkirmishRuling = Ruling[Scene, Outcome]

TOUGH = 200
"""Nobody is hurt where a vector does not tell the dice of damage."""


def sw_trait(given: Json) -> Json:
    """A trait roll with its modifiers."""
    made = _trait(given, given["trait_sides"], given.get("mods", ()))
    return {
        "total": made.total,
        "success": made.is_success,
        "raises": made.raises,
        "critical_failure": made.is_critical_failure,
    }


def sw_damage(given: Json) -> Json:
    """Damage against Toughness, with a Soak roll where one is given."""
    state = given.get("state", {})
    condition = Condition(
        given["toughness"],
        state.get("wounds", 0),
        state.get("shaken", False),
        is_wild_card=given.get("wild_card", True),
    )
    damage = given["damage"] if "damage" in given else sum(map(sum, given["dice"]))
    struck = blow(damage, condition.toughness, is_shaken=condition.is_shaken)
    soak = given.get("soak")
    successes = None
    if soak is not None and struck.new_wounds:
        older = [-min(condition.wounds, 3)] if condition.wounds else []
        made = _trait(soak, soak["trait_sides"], [*soak.get("mods", ()), *older])
        successes = 1 + made.raises if made.is_success else 0
    suffered = suffer(condition, struck, soak_successes=successes)
    return {
        "new_wounds": suffered.new_wounds,
        "shaken": suffered.condition.is_shaken,
        "wounds": suffered.condition.wounds,
        "incapacitated": suffered.condition.is_incapacitated,
    }


def qs_roll(given: Json) -> Json:
    """One skirmish roll, played through the referee."""
    condition = Condition(
        TOUGH,
        given.get("wounds", 0),
        given.get("still_shaken", False),
        is_wild_card=given.get("wild") is not None,
        max_wounds=9,
    )
    hero = Fighter("hero", condition, bennies=0, next_bonus=_milestone_bonus(given))
    options = Options(competence=given.get("competence", 0), tactics=given.get("tactical") or given.get("tactics") or 0)
    scene = new_scene((hero,), given["tokens_left"], options)
    scene = resolve(scene, Deal((("hero", parse_card(given["card"])),))).state
    scene = _without_dice_for_spirit(scene)
    ruling = _rolled(scene, "hero", given)
    outcome = ruling.outcome
    return {
        "total": outcome.total,
        "outcome": outcome.event,
        "tokens_taken": outcome.tokens_taken,
        "tokens_left": ruling.state.tokens_left,
        "damage": f"{outcome.damage_dice}d6" if outcome.damage_dice else None,
        "critical_failure": any(reason.code == "critical_failure" for reason in ruling.reasons),
    }


def qs_initiative(given: Json) -> Json:
    """Turn order from the cards, and whether the deck is shuffled after the round."""
    cards = [(player["id"], parse_card(player["card"])) for player in given["players"]]
    return {"order": list(turn_order(cards)), "reshuffle": needs_shuffle(card for _, card in cards)}


def qs_scene(given: Json) -> Json:
    """A scene of whole turns; nobody is hurt unless the vector says who is out from a turn on."""
    heroes = dict.fromkeys(turn["by"] for turn in given["turns"])
    milestones = tuple(
        Milestone(each["tokens"], MilestoneEffect(each["effect"]), each.get("bonus", 0))
        for each in given.get("milestones", ())
    )
    options = Options(
        competence=given.get("competence", 0),
        tactics=given.get("tactical") or given.get("tactics") or 0,
        milestones=milestones,
    )
    scene = new_scene(tuple(Fighter(each, Condition(TOUGH), bennies=0) for each in heroes), given["tokens"], options)
    log, waiting = [], list(given["turns"])
    while waiting:
        turn = waiting[0]
        is_over = scene.phase is Phase.OVER
        if turn.get("incapacitated") and not is_over:
            scene = _out_of_action(scene, turn["by"])
        if is_over:
            log.append("scene_over")
        elif scene.fighter(turn["by"]).is_out:
            log.append("skipped")
        elif scene.phase is Phase.DEAL:
            scene = _deal(scene, waiting)
            continue
        else:
            try:
                ruling = resolve(scene, Leave(turn["by"])) if turn.get("leave") else _rolled(scene, turn["by"], turn)
                log.append(str(ruling.outcome.event))
                scene = _unhurt(ruling.state)
            except IllegalActionError as refused:
                log.append(f"error:{refused.code}")
        waiting.pop(0)
    return {
        "log": log,
        "tokens_left": scene.tokens_left,
        "tokens": {hero.id: hero.tokens for hero in scene.heroes},
        "over": scene.phase is Phase.OVER,
        "victory": scene.result is Result.VICTORY,
        "defeat": scene.result is Result.DEFEAT,
        "most": list(scene.most_tokens),
    }


def _milestone_bonus(given: Json) -> int:
    """What a milestone adds to this roll: its number, or +2 where the vector only says that there is one."""
    told = given.get("milestone") or given.get("milestone_bonus") or 0
    return 2 if told is True else int(told)


def _out_of_action(scene: Scene, who: str) -> Scene:
    hero = scene.fighter(who)
    action = Adjust(who, "the vector", hero.condition.wounds, hero.condition.is_shaken, True, hero.bennies, hero.tokens)
    return resolve(scene, action).state


def _rolled(scene: Scene, who: str, given: Json) -> SkirmishRuling:
    """Declare a skirmish roll and throw its dice."""
    is_untrained = given.get("untrained", False)
    sides = given.get("trait_sides", 4)
    ruling = resolve(scene, Skirmish(who, "a trait", sides, given.get("situational", 0), is_untrained))
    return _throw_out((list(given["trait"]), list(given.get("wild") or ())), ruling)


def _trait(given: Json, sides: int, mods: Any) -> TraitRoll:
    modifiers = tuple(Reason("modifier", f"{mod:+d}", "the vector", mod) for mod in mods)
    return trait_roll(sides, given["trait"], given.get("wild"), modifiers)


def _deal(scene: Scene, turns: list[Json]) -> Scene:
    """Deal the cards that the next turns tell.

    Whoever is told none gets one that changes nothing and keeps the order of the turns. A vector does not tell when
    the deck was shuffled, so every card may come.
    """
    hands = [hero.id for hero in who_draws(scene)]
    told: dict[str, Card] = {}
    for turn in turns:
        if turn["by"] not in told and "card" in turn:
            told[turn["by"]] = parse_card(turn["card"])
    quiet = [card for card in DECK if card not in told.values() and not card.is_joker and not card.is_clubs]
    spare = sorted(quiet, key=savage_order, reverse=True)
    before, cards = None, {}
    for who in dict.fromkeys([turn["by"] for turn in turns] + hands):
        if who in hands:
            lower = [card for card in spare if before is None or savage_order(card) < savage_order(before)] or spare
            cards[who] = before = told.get(who) or lower[0]
            spare = [card for card in spare if card != before]
    return resolve(replace(scene, discards=()), Deal(tuple(cards.items()))).state


def _without_dice_for_spirit(scene: Scene) -> Scene:
    """A vector tells who is still Shaken after the Spirit roll: let that roll fail."""
    if scene.phase is Phase.SPIRIT:
        scene = resolve(scene, Throw((1, 1))).state
    return scene


def _throw_out(dice: tuple[list[int], list[int]], ruling: SkirmishRuling) -> SkirmishRuling:
    """Throw trait die and wild die as the vector tells until the roll is made."""
    while (awaited := pending(ruling.state)) is not None and ruling.state.phase is Phase.ROLL:
        values = tuple(dice[("trait", "wild").index(need.role)].pop(0) for need in awaited.dice)
        ruling = resolve(ruling.state, Throw(values))
    if ruling.state.phase is Phase.ACCEPT:
        ruling = resolve(ruling.state, Accept())
    return ruling


def _unhurt(scene: Scene) -> Scene:
    """Let damage go by."""
    while scene.phase in (Phase.RECEIVER, Phase.DAMAGE, Phase.SOAK):
        if scene.phase is Phase.RECEIVER:
            scene = resolve(scene, Receive(str(scene.current))).state
        elif scene.phase is Phase.SOAK:
            scene = resolve(scene, TakeWounds()).state
        else:
            scene = resolve(scene, Throw((1,) * scene.damage_dice)).state
    return scene


KINDS = {
    "sw_trait": sw_trait,
    "sw_damage": sw_damage,
    "qs_roll": qs_roll,
    "qs_initiative": qs_initiative,
    "qs_scene": qs_scene,
}
