"""A combat to play with: every action is checked to leave refused states alone and to survive its JSON form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.grid import SquareBoard
from rules.json_form import from_json, to_json
from rules.ruling import IllegalActionError
from rules.world_saga.actions import Action, Begin, RollInitiative
from rules.world_saga.combat import Combat, Combatant, CombatRuling, Settings, new_combat, resolve
from rules.world_saga.initiative import Side

RANKS = (("Fighting", 12), ("Shooting", 11), ("Resolve", 9), ("Resilience", 10), ("Stealth", 13), ("Investigate", 8))


def combatant(who: str, side: Side, **more: Any) -> Combatant:
    """Somebody with every Rank known, Reflexes 10 and 10 Stamina."""
    return Combatant(who, side, **{"reflexes": 10, "ranks": RANKS, "stamina": 10, "speed": 6, **more})


class Play:
    """A combat under way."""

    def __init__(self, combat: Combat) -> None:
        self.combat = combat
        self.ruling: CombatRuling | None = None

    def do(self, *actions: Action) -> CombatRuling:
        """Play actions one after the other and return the last ruling."""
        for action in actions:
            assert from_json(to_json(action), type(action)) == action
            self.ruling = resolve(self.combat, action)
            self.combat = self.ruling.state
            assert from_json(to_json(self.combat), Combat) == self.combat
        assert self.ruling is not None
        return self.ruling

    def refused(self, action: Action) -> str:
        """Return the code of the refusal."""
        before = to_json(self.combat)
        with pytest.raises(IllegalActionError) as caught:
            resolve(self.combat, action)
        assert to_json(self.combat) == before
        assert caught.value.text.endswith(".")
        return caught.value.code

    @property
    def current(self) -> str | None:
        """Whose turn it is."""
        return self.combat.turn.who if self.combat.turn is not None else None

    def __getitem__(self, who: str) -> Combatant:
        return self.combat.get(who)


def set_up(*combatants: Combatant, board: Any = None, **settings: Any) -> Play:
    """A combat before it begins."""
    return Play(new_combat(combatants, board=board, settings=Settings(**settings)))


def begun(*combatants: Combatant, board: Any = None, **settings: Any) -> Play:
    """A combat in which turns are taken in the order in which the combatants are named."""
    play = set_up(*combatants, board=board, **settings)
    play.do(Begin())
    for number, each in enumerate(each for each in combatants if each.can_act):
        play.do(RollInitiative(each.entry, 20 - number - (each.reflexes - 10)))
    return play


@pytest.fixture
def pc() -> Callable[..., Combatant]:
    """Make a player's character."""
    return lambda who, **more: combatant(who, Side.PC, **more)


@pytest.fixture
def npc() -> Callable[..., Combatant]:
    """Make a Game Master's character."""
    return lambda who, **more: combatant(who, Side.NPC, **more)


@pytest.fixture
def setting_up() -> Callable[..., Play]:
    """Enter combatants, and do not begin."""
    return set_up


@pytest.fixture
def fighting() -> Callable[..., Play]:
    """Begin a combat with turns in the order of entry."""
    return begun


@pytest.fixture
def duel(pc: Any, npc: Any) -> Play:
    """Ann, whose turn it is, against an orc; no board."""
    return begun(pc("ann"), npc("orc"))


@pytest.fixture
def field() -> SquareBoard:
    """Open ground of 12 by 12 squares."""
    return SquareBoard(12, 12)
