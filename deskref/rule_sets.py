"""The games that can be played: for each the kind of its set-up, its referee, and the rules that resolve its actions.

This is the seam between the session and the rule sets. A referee is a module that carries out `Referee`; what belongs
to every game (undo, redo, the desk, the journal) knows no more of a game than that.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from deskref import inputs, skirmish_referee, skuffle_referee, world_saga_referee
from deskref.session import Session
from rules import skuffle, skuffle_state
from rules.ruling import Ruling
from rules.skirmish import play as skirmish_play
from rules.skirmish import state as skirmish_state
from rules.world_saga import actions as combat_actions
from rules.world_saga import combat
from vision import events


class Referee(Protocol):
    """What the session asks of a game; every function is pure and never raises for what players do."""

    def start(self, session: Session, setup: Any) -> Session:  # Any: each referee takes the set-up of its own game
        """Begin a new game from its set-up."""

    def on_event(self, session: Session, event: events.TableEvent) -> Session:
        """Give the session after an event on the desk, which the session's desk already shows."""

    def on_input(self, session: Session, given: inputs.PlayerInput) -> Session:
        """Give the session after a player's input."""

    def settle(self, session: Session) -> Session:
        """Renew what follows from desk and book together, after every step."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A game that can be played."""

    name: str
    """As set-up files call it."""
    setup: type
    game: type
    """Of the rules' states."""
    action: type | types.UnionType
    """Of the rules' actions."""
    referee: Referee
    resolve: Callable[[Any, Any], Ruling[Any, Any]]  # Any: game and action of the two fields above


SKUFFLE_WAMMER = RuleSet(
    "skuffle-wammer", inputs.Setup, skuffle_state.Game, skuffle_state.Action, skuffle_referee, skuffle.resolve
)
QUICK_SKIRMISH = RuleSet(
    "quick-skirmish",
    inputs.SkirmishSetup,
    skirmish_state.Scene,
    skirmish_state.Action,
    skirmish_referee,
    skirmish_play.resolve,
)
WORLD_SAGA = RuleSet(
    "world-saga", inputs.CombatSetup, combat.Combat, combat_actions.Action, world_saga_referee, combat.resolve
)

ALL = (SKUFFLE_WAMMER, QUICK_SKIRMISH, WORLD_SAGA)

NAMES: Final = {
    SKUFFLE_WAMMER.name: "Skuffle Wammer",
    QUICK_SKIRMISH.name: "Quick Skirmish",
    WORLD_SAGA.name: "World Saga",
}
"""The games' own names, which no language changes."""

RULE_SETS = {rule_set.game.__name__: rule_set for rule_set in ALL}
"""By the name of the game's kind, as journals write it."""


def rule_set_of(setup: inputs.AnySetup) -> RuleSet:
    """Return the rule set that a set-up is for."""
    return next(rule_set for rule_set in ALL if isinstance(setup, rule_set.setup))
