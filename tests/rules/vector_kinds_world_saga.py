"""Vector kinds of World Saga."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.cards import parse_card, world_saga_order
from rules.ruling import total
from rules.sight import Degree as CoverDegree
from rules.world_saga.actions import Attack, Begin, Roll, RollInitiative, TellNumber
from rules.world_saga.combat import Combat, Combatant, Event, new_combat, resolve
from rules.world_saga.d20 import oppose, read
from rules.world_saga.hiding import HiddenBy, Hiding, may_seek, may_target, shelter, walk_may_reveal
from rules.world_saga.initiative import Drawn, Side, order_by_cards, order_by_rolls
from rules.world_saga.modifiers import Modifier, ModifierType, counted, rank, target_number
from rules.world_saga.rolls import roll_due
from rules.world_saga.situation import may_strike_shooter, surrounding_bonus
from rules.world_saga.state import Blow
from rules.world_saga.turns import begin_round, entries_due

Json = dict[str, Any]


def _modifiers(given: Json) -> list[Modifier]:
    return [Modifier(ModifierType(kind), amount, "vector") for kind, amount in given["mods"]]


def mods(given: Json) -> Json:
    """Typed modifiers added up."""
    modifiers = _modifiers(given)
    tn, _ = target_number("vector", given.get("rank", 0), modifiers)
    return {"total": total(counted(modifiers)), "tn": tn}


def ranks(given: Json) -> Json:
    """Rank from attributes and training."""
    return {"rank": rank(given["attributes"], given["training"])}


def test(given: Json) -> Json:
    """One d20 against its Target Number."""
    result = read(given["tn"], given["roll"])
    return {"success": result.is_success, "special": result.special, "degree": result.degree}


def opposed(given: Json) -> Json:
    """An Opposed Test."""
    attack, defence = (read(given[side]["tn"], given[side]["roll"]) for side in ("attacker", "defender"))
    result = oppose("attacker", attack, "defender", defence)
    return {
        "attacker_final": result.attacker_final,
        "defender_final": result.defender_final,
        "winner": "attacker" if result.attacker_wins else "defender",
    }


def initiative(given: Json) -> Json:
    """Initiative by dice; whoever delayed past the last round does not roll."""
    participants = given["participants"]
    combatants = tuple(Combatant(each["id"], Side(each["side"]), each["reflexes"]) for each in participants)
    late = [*given.get("delayed", ())]
    late += [each["id"] for each in participants if each.get("delayed") or each.get("roll") is None]
    combat = replace(begin_round(Combat(combatants))[0], delaying=tuple(dict.fromkeys(late)))
    due = entries_due(combat)
    drawn = [
        Drawn(each["id"], Side(each["side"]), each["reflexes"], each["roll"] + each["reflexes"])
        for each in participants
        if each["id"] in due
    ]
    order = order_by_rolls(drawn)
    no_roll = [each["id"] for each in participants if each["id"] not in due]
    return {
        "order": list(order.ids),
        "player_choice": [list(choice) for choice in order.choices],
        "no_roll": no_roll,
        "act_any_time": no_roll,
    }


def cards(given: Json) -> Json:
    """Initiative by cards."""
    drawn = [
        Drawn(each["id"], Side(each["side"]), each["reflexes"], world_saga_order(parse_card(each["card"])))
        for each in given["participants"]
    ]
    order = order_by_cards(drawn)
    return {"order": list(order.ids), "player_choice": [list(choice) for choice in order.choices]}


def surround(given: Json) -> Json:
    """The surrounding bonus of each attacker asked for."""
    engaged = given["engaged_enemies"]
    asked = given.get("ask") or engaged
    return {"bonus": {who: surrounding_bonus(len(engaged)) if who in engaged else 0 for who in asked}}


def banes(given: Json) -> Json:
    """What cover and concealment do."""
    is_dark = bool(given.get("dark", False) or given.get("dim_light", False))
    result = shelter(
        CoverDegree(given.get("cover", "none")), is_concealed=given.get("concealed", False), is_dark=is_dark
    )
    return {
        "attack_banes": result.attack_banes,
        "hide_boons": result.hide_boons,
        "aoe_reflex_boons": result.area_reflex_boons,
        "may_hide": result.may_hide,
    }


def non_lethal(given: Json) -> Json:
    """A non-lethal attack, played from the declaration on."""
    resilience = given.get("resilience", {"tn": 10, "roll": 10})
    target = Combatant(
        "target",
        Side.NPC,
        10,
        ranks=(("Resilience", resilience["tn"]),),
        stamina=10,
        is_weary=given.get("target_weary", False),
    )
    combat = resolve(new_combat((Combatant("hero", Side.PC, 10, ranks=(("Fighting", 12),)), target)), Begin()).state
    for face, who in ((10, "hero"), (1, "target")):
        combat = resolve(combat, RollInitiative(who, face)).state
    blow = Blow(is_non_lethal=True, is_subdued=given.get("subdued_weapon", False))
    combat = resolve(combat, Attack("hero", "target", blow)).state
    due = roll_due(combat)
    assert due is not None
    attack_mod = due.tn - 12
    ruling = resolve(combat, Roll((2 if given.get("attack_success", True) else 19,)))
    if ruling.outcome.event is Event.MISS:
        return {"attack_mod": attack_mod, "next": "miss"}
    ruling = resolve(resolve(ruling.state, Roll((19,))).state, TellNumber(3))
    if ruling.outcome.event is Event.DAMAGE:
        return {"attack_mod": attack_mod, "next": "normal_damage"}
    assert ruling.outcome.event is Event.RESILIENCE_DUE
    ruling = resolve(ruling.state, Roll((resilience["roll"],)))
    unconscious = ruling.state.get("target").is_unconscious
    return {"attack_mod": attack_mod, "next": "unconscious" if unconscious else "conscious"}


def shoot_in_melee(given: Json) -> Json:
    """Who may Strike at a shooter."""
    return {
        "free_strikes_from": [
            each["id"]
            for each in given["enemies"]
            if may_strike_shooter(
                is_engaged=each["engaged"],
                is_conscious=each["conscious"],
                stamina=each["stamina"],
                strike_cost=each["strike_cost"],
            )
        ]
    }


def seek(given: Json) -> Json:
    """Who may be sought, targeted, and revealed by walking round."""
    by = HiddenBy.LIGHT if given["hidden_by"] in ("dark", "darkness", "dim_light", "lighting") else given["hidden_by"]
    hiding = Hiding(HiddenBy(by), () if given["known"] else ("seeker",))
    result = {"may_seek": may_seek("seeker", hiding), "stride_may_reveal": walk_may_reveal("seeker", hiding)}
    if given.get("seek_success") and result["may_seek"]:
        hiding = replace(hiding, located_by=("seeker",))
    return result | {"may_target": may_target("seeker", hiding)}


KINDS = {
    "ws_mods": mods,
    "ws_rank": ranks,
    "ws_test": test,
    "ws_opposed": opposed,
    "ws_initiative": initiative,
    "ws_cards": cards,
    "ws_surround": surround,
    "ws_banes": banes,
    "ws_nonlethal": non_lethal,
    "ws_shoot_in_melee": shoot_in_melee,
    "ws_seek": seek,
}
