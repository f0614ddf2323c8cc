"""What a step of each game was, in one sentence about the past: undo and redo say it as their headline.

A ruling's own sentence does not serve there: it may tell a player what to do next, or whose turn it is.
"""

from __future__ import annotations

from typing import Any, Final

from deskref.deed_words import CATALOGUE
from rules.ruling import Message, listed
from rules.skirmish.turns import SkirmishRuling
from rules.skuffle import SkuffleRuling
from rules.skuffle_state import Event as SkuffleEvent
from rules.world_saga.actions import ActNow, Attack, TakeStrike, TellNumber, Test
from rules.world_saga.attacks import Event
from rules.world_saga.combat import CombatRuling

RIGHTED: Final = ("gm_dead", "gm_alive")
"""Reasons that name whom the game master puts right."""


def skuffle_deed(ruling: SkuffleRuling) -> Message:
    """Say what a ruling of Skuffle Wammer has made of an action."""
    outcome, game = ruling.outcome, ruling.state
    names = {who.id: who.label for who in game.soldiers}
    event = outcome.event
    code = f"did_sk_{event.value}"
    if event in (SkuffleEvent.HIT, SkuffleEvent.KILL, SkuffleEvent.MISS) and outcome.natural is None:
        code += "_told"
    # One decision of the game master may put several right.
    righted = [str(dict(reason.params)["soldier"]) for reason in ruling.reasons if reason.code in RIGHTED]
    return CATALOGUE.message(
        code,
        who=listed(righted) if event is SkuffleEvent.ADJUSTED else names.get(str(outcome.soldier), ""),
        target=names.get(str(outcome.target), ""),
        value=outcome.natural if outcome.natural is not None else "",
    )


def skirmish_deed(_: Any, ruling: SkirmishRuling) -> Message:  # Any: whatever was done, the ruling says it
    """Say what a ruling of the Quick Skirmish has made of an action."""
    scene, outcome = ruling.state, ruling.outcome
    return CATALOGUE.message(
        f"did_qs_{outcome.event.value}",
        who=scene.fighter(outcome.who).label if outcome.who is not None else "",
        round=scene.round,
        trait=scene.roll.trait if scene.roll is not None else "",
        taken=outcome.tokens_taken,
        total=outcome.total if outcome.total is not None else "",
        wounds=outcome.new_wounds,
    )


def combat_deed(action: Any, ruling: CombatRuling) -> Message:  # Any: every action of World Saga
    """Say what a ruling of World Saga has made of an action."""
    combat, outcome = ruling.state, ruling.outcome
    names = {who.id: who.label for who in combat.combatants}
    target = combat.get(outcome.target) if outcome.target is not None else None
    code, name, value = f"did_ws_{outcome.event.value}", "", 0
    if outcome.event is Event.DECLARED:
        code = "did_ws_declared_at" if target is not None else code
        name = _name_of(action, combat.cases[-1].name if combat.cases else "")
    elif outcome.event is Event.NUMBER_DUE and isinstance(action, TellNumber):
        code, value = "did_ws_told_number", action.value
    elif outcome.event is Event.NUMBER_DUE and target is None:
        code = "did_ws_test_done"
    elif outcome.event is Event.ENDURED and target is not None and not target.can_act:
        code = "did_ws_fallen"
    elif outcome.event is Event.TURN and isinstance(action, ActNow):
        code = "did_ws_acted"
    return CATALOGUE.message(
        code,
        who=names.get(str(outcome.who), outcome.who or ""),
        target=target.label if target is not None else "",
        name=name,
        value=value,
        squares=f"{outcome.squares:g}" if outcome.squares is not None else "",
        damage=outcome.damage if outcome.damage is not None else "",
        wounds=target.wounds if target is not None else 0,
        round=combat.round,
    )


def _name_of(action: Any, of_case: str) -> str:  # Any: as above
    if isinstance(action, Attack | TakeStrike):
        return action.blow.name
    return action.name if isinstance(action, Test) else of_case
