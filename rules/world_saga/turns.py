"""Rounds and turns: whose initiative is missing, who is next, and what Delay does to it.

Rule: World Saga, Combat Mode, Rolling Initiative and its alternatives; Basic Action: Delay. Reading: who delays past
the end of a round may act before or after any turn of the next one, and goes on delaying if that passes too.
"""

from __future__ import annotations

from dataclasses import replace

from rules.ruling import Reason, listed
from rules.world_saga.initiative import Drawn, order_by_cards, order_by_rolls
from rules.world_saga.state import Combat, Combatant, InitiativeMode, Phase, Turn
from rules.world_saga.words import ACTIONS, CATALOGUE, DELAYING, INITIATIVE, OPTIONS, ROUNDS

Progress = tuple[Combat, tuple[Reason, ...]]
"""A combat and why it is so."""


def members_of(combat: Combat, entry: str) -> tuple[Combatant, ...]:
    """Return those of an initiative entry who have a regular turn in this round: able to act and not delaying."""
    return tuple(
        combatant
        for combatant in combat.combatants
        if combatant.entry == entry and combatant.can_act and combatant.id not in combat.delaying
    )


def entries_due(combat: Combat) -> tuple[str, ...]:
    """Return the entries whose initiative is still to be rolled or dealt, in order of entry."""
    known = {score.entry for score in combat.scores}
    entries = dict.fromkeys(combatant.entry for combatant in combat.combatants)
    return tuple(entry for entry in entries if entry not in known and members_of(combat, entry))


def begin_round(combat: Combat) -> Progress:
    """Begin the next round: initiative first, unless nobody has any to roll."""
    able = tuple(who for who in combat.delaying if combat.get(who).can_act)
    reasons = [
        CATALOGUE.reason("ws_floating", INITIATIVE, who=combat.get(who).label) for who in able if combat.round > 0
    ]
    keeps = combat.settings.initiative is InitiativeMode.ONCE
    combat = replace(
        combat,
        phase=Phase.INITIATIVE,
        round=combat.round + 1,
        scores=combat.scores if keeps else (),
        order=(),
        choices=(),
        delaying=able,
        turn=None,
    )
    if entries_due(combat):
        return combat, tuple(reasons)
    if keeps and all(c.entry in combat.settled for c in combat.combatants if c.can_act):
        reasons.append(CATALOGUE.reason("ws_same_order", OPTIONS))
        combat, more = _first_turn(replace(combat, order=_expanded(combat, combat.settled)))
    else:
        combat, more = settle_initiative(combat)
    return combat, (*reasons, *more)


def settle_initiative(combat: Combat) -> Progress:
    """Make the order of the round once every score is known; go on to the first turn or to the players' choice."""
    if entries_due(combat):
        return combat, ()
    scores = {score.entry: score.score for score in combat.scores}
    first: dict[str, Combatant] = {}
    for combatant in combat.combatants:
        # Who delays has a place too, for the rounds to come where the order is rolled once.
        if combatant.can_act and combatant.entry in scores:
            first.setdefault(combatant.entry, combatant)
    drawn = [Drawn(entry, each.side, each.reflexes, scores[entry]) for entry, each in first.items()]
    by_cards = combat.settings.initiative is InitiativeMode.CARDS
    order = order_by_cards(drawn) if by_cards else order_by_rolls(drawn)
    combat = replace(combat, settled=order.ids, choices=order.choices)
    if order.choices:
        return replace(combat, phase=Phase.CHOICE), order.reasons
    combat, reasons = _first_turn(replace(combat, order=_expanded(combat, order.ids)))
    return combat, (*order.reasons, *reasons)


def choose(combat: Combat, ids: tuple[str, ...]) -> Progress:
    """Put tied players into the order that they have chosen."""
    chosen = iter(ids)
    settled = tuple(next(chosen) if entry in combat.choices[0] else entry for entry in combat.settled)
    combat = replace(combat, settled=settled, choices=combat.choices[1:])
    reason = CATALOGUE.reason("ws_order", INITIATIVE, order=", ".join(settled))
    if combat.choices:
        return combat, (reason,)
    combat, reasons = _first_turn(replace(combat, order=_expanded(combat, settled)))
    return combat, (reason, *reasons)


def end_turn(combat: Combat) -> Progress:
    """End the turn that is on and begin the next."""
    turn = combat.turn
    assert turn is not None
    ended = combat.get(turn.who)
    reasons = [CATALOGUE.reason("ws_turn_over", ROUNDS, who=ended.label)]
    if ended.distracted:
        combat = with_combatant(combat, replace(ended, distracted=0))
        reasons.append(CATALOGUE.reason("ws_distracted_ends", ACTIONS, who=ended.label))
    if not turn.is_extra:
        combat = replace(combat, order=combat.order[1:])
    combat, more = _next_turn(combat)
    return combat, (*reasons, *more)


def delay(combat: Combat, who: str) -> Progress:
    """Let the turn that is on pass for now."""
    turn = combat.turn
    assert turn is not None
    combat = replace(
        combat,
        order=combat.order if turn.is_extra else combat.order[1:],
        delaying=(*combat.delaying, who),
    )
    reason = CATALOGUE.reason("ws_delays", DELAYING, who=combat.get(who).label)
    combat, more = _next_turn(combat)
    return combat, (reason, *more)


def act_now(combat: Combat, who: str) -> Progress:
    """Give somebody who delayed a turn between two others."""
    waiting = [other for other in combat.delaying if other != who]
    if combat.turn is not None and combat.turn.is_extra:
        waiting.append(combat.turn.who)
    combat = replace(combat, delaying=tuple(waiting), phase=Phase.TURN, turn=Turn(who, is_extra=True))
    return combat, (CATALOGUE.reason("ws_turn", DELAYING, who=combat.get(who).label),)


def finish(combat: Combat) -> Progress:
    """After anything that may have felled somebody: end the combat, or the turn of who can no longer act."""
    if combat.cases or combat.phase in (Phase.SETUP, Phase.OVER):
        return combat, ()
    standing = [combatant for combatant in combat.combatants if combatant.can_act]
    if len({combatant.allegiance for combatant in standing}) < 2:
        combat = over(combat)
        winners = listed([combatant.label for combatant in standing], nobody="nobody")
        return combat, (CATALOGUE.reason("ws_combat_over", ROUNDS, winners=winners),)
    if combat.turn is not None and not combat.get(combat.turn.who).can_act:
        return end_turn(combat)
    if combat.phase is Phase.INITIATIVE:
        # The last whose roll was missing may just have been taken out of the combat.
        return settle_initiative(combat)
    if combat.phase is Phase.ROUND_END and not any(combat.get(who).can_act for who in combat.delaying):
        return begin_round(combat)
    return combat, ()


def over(combat: Combat) -> Combat:
    """Return the combat ended, with everybody who can still act as winners."""
    winners = tuple(combatant.id for combatant in combat.combatants if combatant.can_act)
    return replace(combat, phase=Phase.OVER, turn=None, cases=(), order=(), choices=(), delaying=(), winners=winners)


def with_combatant(combat: Combat, changed: Combatant) -> Combat:
    """Return the combat with one combatant changed."""
    return replace(
        combat,
        combatants=tuple(changed if combatant.id == changed.id else combatant for combatant in combat.combatants),
    )


def _expanded(combat: Combat, entries: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members of entries one after the other."""
    return tuple(combatant.id for entry in entries for combatant in members_of(combat, entry))


def _first_turn(combat: Combat) -> Progress:
    return _next_turn(replace(combat, phase=Phase.TURN))


def _next_turn(combat: Combat) -> Progress:
    """Begin the turn of the next in order who can act, or end the round."""
    order = combat.order
    while order and not combat.get(order[0]).can_act:
        order = order[1:]
    combat = replace(combat, order=order, turn=None)
    if order:
        reason = CATALOGUE.reason("ws_turn", ROUNDS, who=combat.get(order[0]).label)
        return replace(combat, phase=Phase.TURN, turn=Turn(order[0])), (reason,)
    if any(combat.get(who).can_act for who in combat.delaying):
        return replace(combat, phase=Phase.ROUND_END), ()
    combat, reasons = begin_round(combat)
    return combat, (CATALOGUE.reason("ws_round_over", ROUNDS), *reasons)
