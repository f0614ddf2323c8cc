"""Games that contradict themselves, one contradiction at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules import skuffle
from rules.cards import parse_card
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.replay import BrokenLogError, replay, write_log
from rules.ruling import Reason
from rules.skirmish import play
from rules.skirmish import state as skirmish
from rules.skirmish.damage import Blow as WoundingBlow
from rules.skirmish.damage import Condition
from rules.soundness import check_state
from rules.world_saga import actions, combat
from rules.world_saga import state as saga
from rules.world_saga.d20 import read
from rules.world_saga.initiative import Side

# Skuffle Wammer

SOLDIERS = (
    skuffle.Soldier("a", (100, 190)),
    skuffle.Soldier("b", (20, 100)),
    skuffle.Soldier("c", (180, 100)),
)
TURN = skuffle.start(SOLDIERS, skuffle.Options(minutes=1)).state
AWAIT_DIE = skuffle.resolve(TURN, skuffle.Attack("a", "b", skuffle.AttackKind.RANGED)).state
AWAIT_TIP = skuffle.resolve(AWAIT_DIE, skuffle.Die(6)).state
OVER = skuffle.resolve(
    skuffle.resolve(TURN, skuffle.Adjust("b", 0, True, "it fell")).state, skuffle.Adjust("c", 0, True, "too")
)
Change = Callable[[Any], Any]


def soldier(game: skuffle.Game, who: str, **changes: Any) -> skuffle.Game:
    return replace(game, soldiers=tuple(replace(s, **changes) if s.id == who else s for s in game.soldiers))


@pytest.mark.parametrize(
    ("game", "change", "what"),
    [
        (TURN, lambda g: replace(g, phase=skuffle.Phase.AWAIT_DIE), "an attack and its die come together"),
        (AWAIT_DIE, lambda g: replace(g, attack=None), "an attack and its die come together"),
        (AWAIT_TIP, lambda g: replace(g, fallen=None), "the fallen and the tipping come together"),
        (TURN, lambda g: replace(g, fallen="b"), "the fallen and the tipping come together"),
        (TURN, lambda g: replace(g, result=skuffle.Result.WIN), "an end and its result come together"),
        (OVER.state, lambda g: replace(g, result=None), "an end and its result come together"),
        (OVER.state, lambda g: replace(g, winners=("z",)), "the end names ['z'], which it does not hold"),
        (TURN, lambda g: replace(g, soldiers=(*g.soldiers, g.soldiers[0])), "there are two ['a']"),
        (TURN, lambda g: replace(g, order=("a", "b")), "the turn order names every soldier once"),
        (TURN, lambda g: replace(g, order=("a", "b", "b")), "the turn order names every soldier once"),
        (
            TURN,
            lambda g: soldier(
                soldier(soldier(g, "a", pool=0, is_dead=True), "b", pool=0, is_dead=True), "c", pool=0, is_dead=True
            ),
            "somebody stands",
        ),
        (TURN, lambda g: soldier(g, "b", pool=-1), "the dice of 'b' and its life"),
        (TURN, lambda g: soldier(g, "b", is_dead=True), "the dice of 'b' and its life"),
        (TURN, lambda g: replace(g, current="z"), "the turn names ['z']"),
        (TURN, lambda g: replace(g, current=None), "the turn names ['None']"),
        (TURN, lambda g: soldier(g, "a", pool=0, is_dead=True), "the turn names ['a']"),
        (AWAIT_TIP, lambda g: replace(g, fallen="c"), "the tipping names ['c']"),
        (AWAIT_DIE, lambda g: replace(g, attack=replace(g.attack, by="z")), "the attack names ['z']"),
        (AWAIT_DIE, lambda g: replace(g, attack=replace(g.attack, target="z")), "the attack names ['z']"),
        (AWAIT_DIE, lambda g: replace(g, attack=replace(g.attack, target="a")), "an attack has two sides"),
    ],
)
def test_a_skirmish_of_soldiers_that_contradicts_itself_is_refused(
    game: skuffle.Game, change: Change, what: str
) -> None:
    check_state(game)
    with pytest.raises(ValueError, match=r"^the game contradicts itself: ") as unsound:
        check_state(change(game))
    assert what in str(unsound.value)


def test_a_game_being_set_up_may_still_be_anything() -> None:
    """`Start` says what is wrong with it, in words for players."""
    check_state(skuffle.new_game((SOLDIERS[0], SOLDIERS[0])))


def test_whoever_fell_out_of_turn_may_be_the_one_whose_turn_it_was() -> None:
    out_of_turn = skuffle.resolve(TURN, skuffle.Attack("b", "a", skuffle.AttackKind.RANGED)).state
    check_state(skuffle.resolve(out_of_turn, skuffle.Die(6)).state)


# Quick Skirmish

HEROES = (
    skirmish.Fighter("h", Condition(5), bennies=1),
    skirmish.Fighter("i", Condition(5)),
    skirmish.Fighter("x", Condition(4, is_wild_card=False), ally_of="h"),
)


def after(scene: skirmish.Scene, *done: skirmish.Action) -> skirmish.Scene:
    for action in done:
        scene = play.resolve(scene, action).state
    return scene


DEAL = play.new_scene(HEROES, 6)
HERO_TURN = after(DEAL, skirmish.Deal((("h", parse_card("AS")), ("i", parse_card("2C")))))
ROLL = after(HERO_TURN, skirmish.Skirmish("h", "Fighting", 6))
ACCEPT = after(ROLL, skirmish.Throw((3, 2)))
DAMAGE = after(ACCEPT, skirmish.Accept())
SOAK = after(DAMAGE, skirmish.Throw((5, 5, 5)))
SOAKING = after(SOAK, skirmish.Soak())
RECEIVER = after(ROLL, skirmish.Throw((5, 2)), skirmish.Accept())


def hero(scene: skirmish.Scene, who: str, **changes: Any) -> skirmish.Scene:
    return replace(scene, fighters=tuple(replace(f, **changes) if f.id == who else f for f in scene.fighters))


def roll(scene: skirmish.Scene, **changes: Any) -> skirmish.Scene:
    assert scene.roll is not None
    return replace(scene, roll=replace(scene.roll, **changes))


@pytest.mark.parametrize(
    ("scene", "change", "what"),
    [
        (DEAL, lambda s: hero(s, "i", id="h"), "there are two ['h']"),
        (DEAL, lambda s: hero(s, "x", ally_of="z"), "an ally names ['z']"),
        (DEAL, lambda s: hero(s, "x", ally_of="x"), "an ally names ['x']"),
        (DEAL, lambda s: replace(s, fighters=()), "a hero and a pile of 0 tokens or more"),
        (DEAL, lambda s: replace(s, tokens_left=-1), "a hero and a pile of 0 tokens or more"),
        (DEAL, lambda s: replace(s, result=skirmish.Result.DEFEAT), "an end and its result come together"),
        (DEAL, lambda s: hero(s, "h", spirit=7), "the dice of 'h'"),
        (DEAL, lambda s: hero(s, "h", vigor=20), "the dice of 'h'"),
        (DEAL, lambda s: hero(s, "h", bennies=-1), "the counts of 'h'"),
        (DEAL, lambda s: hero(s, "h", tokens=-1), "the counts of 'h'"),
        (DEAL, lambda s: hero(s, "h", next_bonus=1001), "the next bonus of 'h'"),
        (HERO_TURN, lambda s: hero(s, "i", card=parse_card("AS")), "a card lies in one place"),
        (HERO_TURN, lambda s: replace(s, discards=(parse_card("AS"),)), "a card lies in one place"),
        (HERO_TURN, lambda s: replace(s, current=None), "a turn is somebody's"),
        (DEAL, lambda s: replace(s, current="h"), "a turn is somebody's"),
        (HERO_TURN, lambda s: replace(s, current="x"), "the turn names ['x']"),
        (HERO_TURN, lambda s: hero(s, "h", has_left=True), "the turn names ['h']"),
        (ROLL, lambda s: replace(s, roll=None), "a roll and the phase that waits for it"),
        (ROLL, lambda s: replace(s, phase=skirmish.Phase.TURN), "a roll and the phase that waits for it"),
        (ROLL, lambda s: roll(s, kind=skirmish.RollKind.SPIRIT), "a roll and the phase that waits for it"),
        (ROLL, lambda s: roll(s, who="i"), "a roll is made by whose it is"),
        (SOAKING, lambda s: roll(s, who="i"), "a roll is made by whose it is"),
        (ROLL, lambda s: roll(s, faces=((),)), "dice and their faces"),
        (ROLL, lambda s: roll(s, faces=(), sides=()), "dice and their faces"),
        (ROLL, lambda s: roll(s, sides=(7, 6)), "the dice of a roll"),
        (ROLL, lambda s: roll(s, sides=(6,), faces=((),)), "the number of a roll's dice"),
        (DAMAGE, lambda s: replace(s, damage_dice=2), "the number of a roll's dice"),
        (DAMAGE, lambda s: roll(s, sides=(6, 6, 8)), "dice of damage have six sides"),
        (ROLL, lambda s: roll(s, modifiers=(Reason("x", "x", "x", -1001),)), "the modifiers of a roll"),
        (ROLL, lambda s: roll(s, faces=((3,), (2,))), "a roll and what it still waits for"),
        (ACCEPT, lambda s: roll(s, kept=None), "a roll and what it still waits for"),
        (ACCEPT, lambda s: roll(s, faces=((), ())), "a roll and what it still waits for"),
        (RECEIVER, lambda s: replace(s, damage_dice=0), "damage and its dice"),
        (SOAK, lambda s: replace(s, damage_dice=5), "damage and its dice"),
        (HERO_TURN, lambda s: replace(s, damage_dice=2), "damage and its dice"),
        (SOAK, lambda s: replace(s, receiver=None), "the damage names ['None']"),
        (SOAK, lambda s: replace(s, receiver="z"), "the damage names ['z']"),
        (SOAK, lambda s: replace(s, blow=None), "wounds and the blow that deals them"),
        (SOAKING, lambda s: replace(s, blow=None), "wounds and the blow that deals them"),
    ],
)
def test_a_scene_that_contradicts_itself_is_refused(scene: skirmish.Scene, change: Change, what: str) -> None:
    check_state(scene)
    with pytest.raises(ValueError, match=r"^the game contradicts itself: ") as unsound:
        check_state(change(scene))
    assert what in str(unsound.value)


def test_the_scenes_above_wait_for_what_they_are_named_after() -> None:
    scenes = (DEAL, HERO_TURN, ROLL, ACCEPT, DAMAGE, SOAK, SOAKING, RECEIVER)
    phases = ("deal", "turn", "roll", "accept", "damage", "soak", "roll", "receiver")
    assert tuple(scene.phase for scene in scenes) == phases
    assert isinstance(SOAK.blow, WoundingBlow)


# World Saga

FIGHTERS = (
    saga.Combatant("ann", Side.PC, 10, ranks=(("Fighting", 12), ("Shooting", 12)), place=(0, 0)),
    saga.Combatant("orc", Side.NPC, 8, ranks=(("Fighting", 12),), place=(1, 0)),
    saga.Combatant("elf", Side.PC, 9, ranks=(("Fighting", 12),)),
)


def fought(first: saga.Combat, *done: actions.Action) -> saga.Combat:
    for action in done:
        first = combat.resolve(first, action).state
    return first


SETUP = combat.new_combat(FIGHTERS, board=SquareBoard(4, 4))
INITIATIVE = fought(SETUP, actions.Begin(), actions.RollInitiative("ann", 20))
ON_TURN = fought(INITIATIVE, actions.RollInitiative("orc", 10), actions.RollInitiative("elf", 1))
CHOICE = fought(
    SETUP,
    actions.Begin(),
    actions.RollInitiative("ann", 10),
    actions.RollInitiative("orc", 1),
    actions.RollInitiative("elf", 11),
)
SHOT = fought(ON_TURN, actions.Attack("ann", "orc", saga.Blow(name="Fire", is_ranged=True, skill="Shooting")))
STRUCK = fought(ON_TURN, actions.Attack("ann", "orc", saga.Blow()))
DEFENCE = fought(STRUCK, actions.Roll((10,)))
BASE = fought(DEFENCE, actions.Roll((5,)))
REDUCTION = fought(BASE, actions.TellNumber(5))
FEAR = fought(ON_TURN, actions.FearTest(who="ann", rank=10), actions.Roll((19,)))


def case(state: saga.Combat, **changes: Any) -> saga.Combat:
    return replace(state, cases=(*state.cases[:-1], replace(state.cases[-1], **changes)))


@pytest.mark.parametrize(
    ("state", "change", "what"),
    [
        (ON_TURN, lambda c: replace(c, combatants=(*c.combatants, c.combatants[0])), "there are two ['ann']"),
        (ON_TURN, lambda c: replace(c, order=("ann", "ann")), "there are two ['ann']"),
        (ON_TURN, lambda c: replace(c, delaying=("elf",)), "there are two ['elf']"),
        (ON_TURN, lambda c: replace(c, order=("ann", "z")), "the order of turns names ['z']"),
        (ON_TURN, lambda c: replace(c, winners=("z",)), "the order of turns names ['z']"),
        (ON_TURN, lambda c: replace(c, pairs=(saga.Pair("ann", "z", True),)), "who is engaged names ['z']"),
        (ON_TURN, lambda c: replace(c, pairs=(saga.Pair("z", "ann", True),)), "who is engaged names ['z']"),
        (ON_TURN, lambda c: replace(c, scores=(saga.Score("z", 3),)), "initiative names ['z']"),
        (ON_TURN, lambda c: replace(c, settled=("z",)), "initiative names ['z']"),
        (CHOICE, lambda c: replace(c, choices=(("ann", "z"),)), "initiative names ['z']"),
        (ON_TURN, lambda c: replace(c, scores=(*c.scores, c.scores[0])), "there are two ['ann']"),
        (ON_TURN, lambda c: replace(c, settled=("ann", "ann")), "there are two ['ann']"),
        (ON_TURN, lambda c: replace(c, turn=None), "a turn is somebody's"),
        (INITIATIVE, lambda c: replace(c, turn=saga.Turn("ann")), "a turn is somebody's"),
        (CHOICE, lambda c: replace(c, choices=()), "a choice and what it is between"),
        (CHOICE, lambda c: replace(c, choices=((),)), "a tie has somebody in it"),
        (ON_TURN, lambda c: replace(c, turn=replace(c.turn, who="z")), "the turn names ['z']"),
        (ON_TURN, lambda c: replace(c, turn=replace(c.turn, withdrawn_from=("z",))), "the turn names ['z']"),
        (ON_TURN, lambda c: replace(c, turn=replace(c.turn, who="orc")), "the turn is the next in order"),
        (
            ON_TURN,
            lambda c: replace(c, order=("orc", "elf"), delaying=("ann",), turn=replace(c.turn, is_extra=True)),
            "the turn is the next in order",
        ),
        (STRUCK, lambda c: replace(c, phase=saga.Phase.OVER, turn=None), "a test needs a combat"),
        (STRUCK, lambda c: replace(c, phase=saga.Phase.SETUP, turn=None), "a test needs a combat"),
        (SHOT, lambda c: case(c, offered=()), "a Strike is offered to somebody"),
        (SHOT, lambda c: case(c, offered=("z",)), "a test names ['z']"),
        (STRUCK, lambda c: case(c, who="z"), "a test names ['z']"),
        (STRUCK, lambda c: case(c, target="z"), "a test names ['z']"),
        (STRUCK, lambda c: case(c, target=None), "a test against somebody has a target"),
        (STRUCK, lambda c: case(c, blow=None), "an attack and its blow come together"),
        (STRUCK, lambda c: case(c, purpose=saga.Purpose.HIDE), "an attack and its blow come together"),
        (FEAR, lambda c: case(c, stage=saga.Stage.ENDURE), "an attack and its blow come together"),
        (FEAR, lambda c: case(c, kind=saga.TestKind.OPPOSED), "a test against somebody has a target"),
        (FEAR, lambda c: case(c, purpose=saga.Purpose.SEEK), "a test against somebody has a target"),
        (FEAR, lambda c: case(c, stage=saga.Stage.RESILIENCE), "a test against somebody has a target"),
        (FEAR, lambda c: case(c, stage=saga.Stage.ANSWER, target="orc"), "a test that is answered"),
        (FEAR, lambda c: case(c, purpose=saga.Purpose.HIDE), "Courage is lost to fear"),
        (DEFENCE, lambda c: case(c, result=None), "a test and the roll that it has had"),
        (DEFENCE, lambda c: case(c, result=read(5, 9)), "an attack that hits has a degree"),
        (REDUCTION, lambda c: case(c, base=None), "damage and what it begins with"),
        (STRUCK, lambda c: case(c, kind=saga.TestKind.OPPOSED), "an attack is the test that its blow is"),
        (
            BASE,
            lambda c: case(c, kind=saga.TestKind.OPPOSED, blow=saga.Blow(test=saga.TestKind.OPPOSED)),
            "only an Attack Test does damage",
        ),
        (STRUCK, lambda c: case(c, stage=saga.Stage.COURAGE), "an attack is no Fear Test"),
    ],
)
def test_a_combat_that_contradicts_itself_is_refused(state: saga.Combat, change: Change, what: str) -> None:
    check_state(state)
    with pytest.raises(ValueError, match=r"^the game contradicts itself: ") as unsound:
        check_state(change(state))
    assert what in str(unsound.value)


def test_the_combats_above_wait_for_what_they_are_named_after() -> None:
    assert (SETUP.phase, INITIATIVE.phase, ON_TURN.phase, CHOICE.phase) == ("setup", "initiative", "turn", "choice")
    stages = [state.cases[-1].stage for state in (SHOT, STRUCK, DEFENCE, BASE, REDUCTION, FEAR)]
    assert stages == ["offer", "roll", "answer", "base", "reduction", "courage"]


# Logs and limits


def test_a_log_that_begins_with_a_contradiction_names_its_first_line() -> None:
    with pytest.raises(BrokenLogError, match=r"^line 1: the game contradicts itself: the turn names \['z'\]"):
        replay(write_log(replace(TURN, current="z"), ()), skuffle.Game, skuffle.Action, skuffle.resolve)


def test_other_values_than_games_are_left_alone() -> None:
    check_state("a game of chess")


@pytest.mark.parametrize("board", [SquareBoard, HexBoard])
@pytest.mark.parametrize(("columns", "rows"), [(1001, 1), (1, 1001)])
def test_a_board_is_no_larger_than_any_table(board: Any, columns: int, rows: int) -> None:
    assert board(1000, 1000).rows == 1000
    with pytest.raises(ValueError, match=f"a board has at most 1000 each way, got {columns} by {rows}"):
        board(columns, rows)


@pytest.mark.parametrize("footprint", [(0, 1), (1, 0), (51, 1), (1, 51)])
def test_a_base_covers_one_square_or_more(footprint: tuple[int, int]) -> None:
    assert saga.Combatant("a", Side.PC, 8, footprint=(50, 50)).footprint == (50, 50)
    with pytest.raises(ValueError, match="the base of 'a' covers 1 to 50 squares each way"):
        saga.Combatant("a", Side.PC, 8, footprint=footprint)


@pytest.mark.parametrize("toughness", [-1, 201])
def test_toughness_has_limits(toughness: int) -> None:
    assert (Condition(0).toughness, Condition(200).toughness) == (0, 200)
    with pytest.raises(ValueError, match=f"Toughness goes from 0 to 200, not {toughness}"):
        Condition(toughness)


@pytest.mark.parametrize("bonus", [-21, 21])
def test_the_bonus_of_a_milestone_has_limits(bonus: int) -> None:
    assert skirmish.Milestone(1, skirmish.MilestoneEffect.NEXT_ROLL, 20).bonus == 20
    assert skirmish.Milestone(1, skirmish.MilestoneEffect.NEXT_ROLL, -20).bonus == -20
    with pytest.raises(ValueError, match=r"a milestone's bonus goes from -20 to \+20, not"):
        skirmish.Milestone(1, skirmish.MilestoneEffect.NEXT_ROLL, bonus)
