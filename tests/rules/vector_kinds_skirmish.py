"""Vector kinds of the Quick Skirmish and of the Savage Worlds rules that it uses."""

from __future__ import annotations

from typing import Any

from rules.cards import DECK, Card, parse_card
from rules.ruling import Reason, Ruling
from rules.skirmish.damage import Condition, blow, suffer
from rules.skirmish.deck import needs_shuffle, turn_order, who_draws
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.rolls import pending
from rules.skirmish.state import (
    Accept,
    Deal,
    Fighter,
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

TOUGH = 1000
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
    state = given["state"]
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
    milestone = given.get("milestone", given.get("milestone_bonus", 0))
    hero = Fighter(
        "hero",
        Condition(TOUGH, given.get("wounds", 0), given.get("still_shaken", False), max_wounds=9),
        bennies=0,
        next_bonus=milestone,
    )
    options = Options(competence=given.get("competence", 0), tactics=given.get("tactical", given.get("tactics", 0)))
    scene = new_scene((hero,), given["tokens_left"], options)
    scene = resolve(scene, Deal((("hero", parse_card(given["card"])),))).state
    scene = _without_dice_for_spirit(scene)
    ruling = resolve(scene, Skirmish("hero", "a trait", given["trait_sides"], given.get("situational", 0)))
    ruling = _throw_out(_taken_from(given), ruling)
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
    """A scene of whole turns; nobody is hurt unless the vector says who is out."""
    ids = tuple(dict.fromkeys(turn["by"] for turn in given["turns"]))
    out = {turn["by"] for turn in given["turns"] if turn.get("incapacitated")}
    heroes = tuple(Fighter(each, Condition(TOUGH, is_incapacitated=each in out), bennies=0) for each in ids)
    milestones = tuple(
        Milestone(each["tokens"], MilestoneEffect(each["effect"]), each.get("bonus", 0))
        for each in given.get("milestones", ())
    )
    scene = new_scene(heroes, given["tokens"], Options(milestones=milestones))
    log, waiting = [], list(given["turns"])
    while waiting:
        turn = waiting[0]
        if scene.phase is Phase.OVER:
            log.append("scene_over")
        elif turn["by"] in out:
            log.append("skipped")
        elif scene.phase is Phase.DEAL:
            scene = _deal(scene, waiting)
            continue
        else:
            ruling = resolve(scene, Skirmish(turn["by"], "a trait", turn["trait_sides"], turn.get("situational", 0)))
            ruling = _throw_out(_taken_from(turn), ruling)
            log.append(str(ruling.outcome.event))
            scene = _unhurt(ruling.state)
        waiting.pop(0)
    return {
        "log": log,
        "tokens_left": scene.tokens_left,
        "victory": scene.result is Result.VICTORY,
        "defeat": scene.result is Result.DEFEAT,
        "most": list(scene.most_tokens),
    }


def _trait(given: Json, sides: int, mods: Any) -> TraitRoll:
    modifiers = tuple(Reason("modifier", f"{mod:+d}", "the vector", mod) for mod in mods)
    return trait_roll(sides, given["trait"], given.get("wild"), modifiers)


def _deal(scene: Scene, turns: list[Json]) -> Scene:
    """Deal the cards that the next turns tell, and to everybody else a card that nobody has."""
    told = {}
    for turn in turns:
        if turn["by"] not in told and "card" in turn:
            told[turn["by"]] = parse_card(turn["card"])
    spare: list[Card] = [card for card in DECK if card not in told.values() and not card.is_joker]
    return resolve(scene, Deal(tuple((hero.id, told.get(hero.id) or spare.pop()) for hero in who_draws(scene)))).state


def _without_dice_for_spirit(scene: Scene) -> Scene:
    """A vector tells who is still Shaken after the Spirit roll: let that roll fail."""
    if scene.phase is Phase.SPIRIT:
        scene = resolve(scene, Throw((1, 1))).state
    return scene


def _taken_from(given: Json) -> tuple[list[int], list[int]]:
    return list(given["trait"]), list(given["wild"])


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
