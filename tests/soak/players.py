"""Players who never tire: games that tables could set up, and the next thing that somebody at the table tells.

What they choose is what the random games of the rules' own tests choose; here it is told as a player tells it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from deskref import skirmish_referee, world_saga_referee
from deskref.inputs import (
    AdjustSoldier,
    AnyInput,
    AnySetup,
    AutomatedSoldier,
    CancelAttack,
    Choose,
    CombatSetup,
    ConfirmTipped,
    DealCards,
    DeclareAttack,
    EnterDie,
    FollowPlan,
    MoveSoldier,
    OverruleAttack,
    PassTurn,
    PlayCombat,
    PlaySkirmish,
    Setup,
    SkirmishSetup,
    SoldierSetup,
    Source,
)
from deskref.session import Session
from deskref.solo_turn import plan_of
from deskref.tabletop import table_from_rules
from deskref.typed_play import next_sides
from rules import skuffle_state as skuffle
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.ruling import Pending
from rules.skirmish import state as skirmish
from rules.world_saga import actions as saga
from rules.world_saga.state import Combat
from rules.world_saga.state import Phase as SagaPhase
from tests.rules import test_skuffle_games as skuffle_games
from tests.rules.skirmish import test_games as skirmish_games
from tests.rules.world_saga import test_random_combats as combats

WRONG_FACE = 0.02
"""How often a die is entered that has no such face."""

WHIM = 0.05
"""How often the game master of a combat does something in between, as in the rules' own random combats."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of game that is played by telling."""

    name: str
    setup: Callable[[random.Random], AnySetup]
    """A game that some table might set up; the rules may refuse it."""
    next_input: Callable[[random.Random, Session], AnyInput]
    """What somebody tells now; the rules may refuse it."""
    is_over: Callable[[Session], bool]
    game: type
    """Of the rules' states."""
    end: AnyInput | None = None
    """Ends a game that nobody wins; None where every game ends by itself."""


def skuffle_setup(chance: random.Random) -> Setup:
    """Some of the soldiers are played by the desk."""
    game = skuffle_games.random_setup(chance)
    soldiers = tuple(
        SoldierSetup(s.id, s.label, s.team, pool=s.own_pool)
        if s.breed is skuffle.Breed.SOLDIER
        else AutomatedSoldier(s.id, s.label, s.team, pool=s.own_pool, breed=s.breed)
        for s in game.soldiers
    )
    return Setup(soldiers, game.options, with_camera=False)


def skuffle_input(chance: random.Random, session: Session) -> AnyInput:
    """Tell what a random player of the rules' tests does, or follow the desk's plan."""
    game = session.game
    assert game is not None
    if plan_of(session) is not None and chance.random() < 0.9:
        return FollowPlan()
    if session.tasks and session.tasks[0].choices and chance.random() < 0.3:
        return a_choice(chance, session)
    match skuffle_games.random_action(chance, game):
        case skuffle.Attack(target=target):
            if chance.random() < 0.5:
                return a_die(chance, 6)  # for the attack that the referee proposes
            kind = chance.choice((None, *skuffle.AttackKind))
            return DeclareAttack(target=target, attack=kind, cover=a_word(chance), vantage=a_word(chance))
        case skuffle.Die():
            return a_die(chance, 6)
        case skuffle.Cancel():
            return CancelAttack()
        case skuffle.Overrule(is_hit=is_hit, why=why):
            return OverruleAttack(is_hit=is_hit, why=why)
        case skuffle.Tipped():
            return ConfirmTipped()
        case skuffle.Move(to=to):
            mm = table_from_rules(to, game.options.area_mm)
            return MoveSoldier(to_mm=chance.choice((None, mm)))
        case skuffle.Adjust() as put:
            return AdjustSoldier(soldier=put.soldier, pool=put.pool, is_dead=put.is_dead, why=put.why)
        case _:
            return PassTurn()


def skirmish_setup(chance: random.Random) -> SkirmishSetup:
    """Heroes, allies, options and milestones."""
    scene = skirmish_games.random_scene(chance)
    return SkirmishSetup(scene.fighters, scene.tokens_left, scene.options)


def skirmish_input(chance: random.Random, session: Session) -> AnyInput:
    """Tell what a random player of the rules' tests does."""
    scene = session.scene
    assert scene is not None
    if scene.phase is skirmish.Phase.OVER:
        return PlaySkirmish(action=skirmish.Award(scene.most_tokens[0]))
    match skirmish_games.random_action(chance, scene):
        case skirmish.Deal(cards=cards):
            return DealCards(cards=tuple((who, str(card)) for who, card in cards))
        case skirmish.Throw():
            return the_next_die(chance, session, skirmish_referee.awaited(session))
        case action:
            return PlaySkirmish(action=action)


def combat_setup(chance: random.Random, board: type) -> CombatSetup:
    """A combat on a kind of board, with every setting."""
    while True:
        combat: Combat = combats.a_combat(chance)
        if isinstance(combat.board, board):
            return CombatSetup(combat.combatants, combat.board, combat.settings)


def combat_input(chance: random.Random, session: Session) -> AnyInput:
    """Tell what a random player or game master of the rules' tests does."""
    combat = session.combat
    assert combat is not None
    if chance.random() < WHIM:
        return PlayCombat(action=combats.a_whim(combat, chance))
    match combats.an_action(combat, chance):
        case saga.Roll() | saga.RollInitiative():
            return the_next_die(chance, session, world_saga_referee.awaited(session))
        case saga.DealCard(entry, card):
            return DealCards(cards=((entry, card),))
        case action:
            return PlayCombat(action=action)


def the_next_die(chance: random.Random, session: Session, awaited: Pending | None) -> EnterDie:
    """One die of the awaited roll."""
    return a_die(chance, next_sides(session, awaited) or 6)


def a_die(chance: random.Random, sides: int) -> EnterDie:
    """A die of so many sides, typed or simulated."""
    return EnterDie(value=chance.randint(1, sides), source=chance.choice((Source.TYPED, Source.SIMULATED)))


def a_word(chance: random.Random) -> bool | None:
    """What a player says of cover or vantage; mostly nothing."""
    return chance.choice((None, None, True, False))


def a_choice(chance: random.Random, session: Session) -> AnyInput:
    """An answer to the first question."""
    task = session.tasks[0]
    return Choose(task=task.key, choice=chance.choice(task.choices)[0])


def skuffle_is_over(session: Session) -> bool:
    """Whether somebody has won."""
    return session.game is not None and session.game.phase is skuffle.Phase.OVER


def skirmish_is_over(session: Session) -> bool:
    """Whether the scene has ended, the last benny given."""
    scene = session.scene
    return scene is not None and scene.phase is skirmish.Phase.OVER and not scene.can_award


def combat_is_over(session: Session) -> bool:
    """Whether the combat has ended."""
    return session.combat is not None and session.combat.phase is SagaPhase.OVER


SKUFFLE = Kind("skuffle typed", skuffle_setup, skuffle_input, skuffle_is_over, skuffle.Game)
SKIRMISH = Kind("quick skirmish", skirmish_setup, skirmish_input, skirmish_is_over, skirmish.Scene)
SAGAS = tuple(
    Kind(
        f"world saga, {name}",
        lambda chance, board=board: combat_setup(chance, board),  # type: ignore[misc]  # mypy 1: defaults in lambdas
        combat_input,
        combat_is_over,
        Combat,
        PlayCombat(action=saga.EndCombat()),
    )
    for name, board in (("squares", SquareBoard), ("hexes", HexBoard), ("free table", Ground))
)
TYPED = (SKUFFLE, SKIRMISH, *SAGAS)
"""Games that are played by telling."""

BY_NAME = {kind.name: kind for kind in TYPED}
