"""Vector kinds of Skuffle Wammer."""

from __future__ import annotations

import math
from typing import Any

from rules.ruling import IllegalActionError
from rules.skuffle import (
    Attack,
    AttackKind,
    Breed,
    Cancel,
    Die,
    Event,
    Game,
    Move,
    Options,
    Pass,
    Phase,
    Soldier,
    Start,
    Tipped,
    TurnOrder,
    cover_reason,
    new_game,
    resolve,
    turn_order,
    vantage_reason,
)
from rules.skuffle_order import next_in_turn

Json = dict[str, Any]


def _place(number: int, count: int) -> tuple[float, float]:
    """Places clockwise from the seat, so that turns follow the order in which a vector names its soldiers."""
    angle = math.radians(90 + 360 * number / count)
    return (100 + 90 * math.cos(angle), 100 + 90 * math.sin(angle))


def attack(given: Json) -> Json:
    """One attack between two soldiers; a bystander keeps the game alive whatever happens."""
    soldiers = tuple(
        Soldier(
            name,
            place,
            pool=given[role].get("pool", 1),
            is_dead=given[role].get("dead", False),
            breed=Breed(given[role].get("breed", "soldier")),
        )
        for name, role, place in (("a", "attacker", (50.0, 100.0)), ("d", "defender", (70.0, 100.0)))
    )
    bystander = Soldier("bystander", (150.0, 100.0), pool=1)
    options = Options(strict=given.get("strict", False))
    order = ("a", "d", "bystander")
    game = Game((*soldiers, bystander), options, phase=Phase.TURN, order=order, current="a", round=1)
    attacker, defender = given["attacker"], given["defender"]
    declared = {
        "kind": given["kind"],
        "attack_bonus": attacker.get("attack_bonus"),
        "defence_bonus": defender.get("defence_bonus"),
    }
    try:
        ruling = resolve(game, _attack("a", "d", declared))
        ruling = resolve(ruling.state, Die(given["die"]))
    except IllegalActionError as refused:
        pools = {"attacker_pool": soldiers[0].pool, "defender_pool": soldiers[1].pool}
        return {"error": refused.code, "hit": False, "modified": None, **pools}
    shooter, victim = ruling.state.soldier("a"), ruling.state.soldier("d")
    return {
        "modified": ruling.outcome.modified,
        "hit": ruling.outcome.event is not Event.MISS,
        "attacker_pool": shooter.pool,
        "attacker_dead": shooter.is_dead,
        "defender_pool": victim.pool,
        "defender_dead": victim.is_dead,
    }


def order(given: Json) -> Json:
    """Turn order from the soldiers' places."""
    soldiers = [Soldier(each["id"], tuple(each["pos"]), each.get("team")) for each in given["soldiers"]]
    seat, centre = (tuple(given.get(name, usual)) for name, usual in (("seat", (100, 200)), ("centre", (100, 100))))
    order = turn_order(soldiers, seat=seat, centre=centre)
    rule = TurnOrder(given.get("turn_order") or given.get("order") or "team_block")
    if rule is TurnOrder.TEAM_BLOCK:
        return {"order": list(order)}
    # Alternating, the order is what the first turns are, until everybody has had one.
    turns: list[str] = []
    while set(turns) != set(order):
        turn = next_in_turn(soldiers, order, rule)
        turns.append(turn.id)
        soldiers = [each.changed(turns=each.turns + 1) if each is turn else each for each in soldiers]
    return {"order": turns}


def game(given: Json) -> Json:
    """A whole game; every event leaves one word in the log."""
    named = given["soldiers"]
    soldiers = tuple(
        Soldier(
            each["id"],
            tuple(each.get("pos", _place(index, len(named)))),
            each.get("team"),
            own_pool=each.get("pool"),
            breed=Breed(each.get("breed", "soldier")),
        )
        for index, each in enumerate(named)
    )
    options = Options(
        minutes=given.get("minutes", 5),
        turn_order=TurnOrder(given.get("turn_order") or given.get("order") or "team_block"),
        strict=given.get("strict", False),
    )
    state = resolve(new_game(soldiers, options), Start()).state
    log = []
    for event in given["events"]:
        if state.phase is Phase.OVER:
            log.append("game_over")
            continue
        try:
            state, word = _play(state, event)
        except IllegalActionError as refused:
            word = f"error:{refused.code}"
        log.append(word)
    return {
        "log": log,
        "pools": {soldier.id: soldier.pool for soldier in state.soldiers},
        "dead": [soldier.id for soldier in state.soldiers if soldier.is_dead],
        "over": state.phase is Phase.OVER,
        "winners": list(state.winners),
        "result": state.result,
        "dice_in_play": state.dice_in_play,
    }


def _play(state: Game, event: Json) -> tuple[Game, str]:
    by = event["by"]
    if event["do"] == "move":
        ruling = resolve(state, Move(by, tuple(event.get("to", state.soldier(by).pos))))
    elif event["do"] == "pass":
        ruling = resolve(state, Pass(by))
    else:
        ruling = resolve(state, _attack(by, event["at"], event))
        ruling = resolve(ruling.state, Cancel() if event.get("cancel") else Die(event["die"]))
    word = ruling.outcome.event
    if ruling.state.phase is Phase.AWAIT_TIP:
        ruling = resolve(ruling.state, Tipped(event["at"]))
    return ruling.state, word


def _attack(by: str, target: str, given: Json) -> Attack:
    return Attack(
        by,
        target,
        AttackKind(given["kind"]),
        (vantage_reason("the monitor", 40),) if given.get("attack_bonus") else (),
        (cover_reason("the eraser", 0.6),) if given.get("defence_bonus") else (),
    )


KINDS = {"sk_attack": attack, "sk_order": order, "sk_game": game}
