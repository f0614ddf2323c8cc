"""Solo play: what the desk does with ghouls, zombies and robots."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from rules.json_form import to_json
from rules.ruling import Ruling
from rules.skuffle import (
    Adjust,
    Attack,
    AttackKind,
    Breed,
    Die,
    Game,
    Move,
    Options,
    Outcome,
    Pass,
    Phase,
    Soldier,
    Tipped,
    check,
    gap_mm,
    new_game,
    propose_kind,
    resolve,
    start,
    targets,
)
from rules.solo import Plan, is_automated, plan

GHOUL, ZOMBIE, ROBOT = Breed.GHOUL, Breed.ZOMBIE, Breed.ROBOT
DESK = "desk"


def desk(breed: Breed, *places: tuple[float, float], pool: int | None = None) -> tuple[Soldier, ...]:
    """Figures 1, 2, 3 of the desk."""
    return tuple(
        Soldier(str(i + 1), place, DESK, breed=breed, own_pool=pool, name=f"{breed} {i + 1}")
        for i, place in enumerate(places)
    )


def hero(name: str, place: tuple[float, float], pool: int = 3) -> Soldier:
    return Soldier(name, place, "heroes", own_pool=pool)


def turn_of(who: str, *soldiers: Soldier, **options: Any) -> Game:
    """A started game in the turn of somebody."""
    state = start(soldiers, Options(**options)).state
    while state.current != who:
        state = resolve(state, Pass(str(state.current))).state
    return state


def codes(found: Plan) -> list[str]:
    return [reason.code for reason in found.reasons]


def test_the_desk_plays_its_own_figures_only() -> None:
    """Whose turn it is decides; before and after the game it is nobody's."""
    state = turn_of("1", hero("a", (100, 190)), *desk(GHOUL, (100, 50)))
    assert is_automated(state)
    players_turn = resolve(state, Pass("1")).state
    assert not is_automated(players_turn)
    assert not is_automated(new_game(state.soldiers))
    assert not is_automated(resolve(state, Attack("1", "a", AttackKind.RANGED)).state)
    with pytest.raises(ValueError, match="a player plays 'a', not the desk"):
        plan(players_turn)


# ghouls


def test_a_ghoul_runs_at_its_prey_80_mm_a_turn() -> None:
    """Straight at it, in whole millimetres, and the player is told where to push it."""
    found = plan(turn_of("1", hero("a", (100, 190)), *desk(GHOUL, (100, 50))))
    assert found.action == Move("1", (100.0, 129.0))
    assert [reason.text for reason in found.reasons] == [
        "ghoul 1 runs with the pack at a, the nearest to any of them.",
        "Push ghoul 1 79 mm, to 100 mm from the left and 129 mm from the far edge.",
    ]


def test_a_ghoul_stops_at_the_base_of_its_prey() -> None:
    """Bases meet and do not overlap."""
    assert plan(turn_of("1", hero("a", (100, 190)), *desk(GHOUL, (100, 100)))).action == Move("1", (100.0, 164.0))


def test_ghouls_hunt_as_a_pack() -> None:
    """The prey is nearest to any of the pack, not to each ghoul."""
    heroes = (hero("a", (20, 190)), hero("b", (180, 190)))
    state = turn_of("2", *heroes, *desk(GHOUL, (30, 130), (180, 80)))
    found = plan(state)
    assert found.reasons[0].params == (("soldier", "ghoul 2"), ("prey", "a"))
    assert isinstance(found.action, Move)
    assert math.dist(found.action.to, (20, 190)) < math.dist((180, 80), (20, 190)) - 75


def test_a_pack_agrees_on_the_weaker_of_two_preys() -> None:
    """Equally near: fewer dice, then the id."""
    heroes = (hero("a", (60, 190), 3), hero("b", (140, 190), 2), hero("c", (60, 190), 2))
    assert plan(turn_of("1", *heroes[:2], *desk(GHOUL, (100, 100)))).reasons[0].params[1] == ("prey", "b")
    pair = (hero("a", (60, 190)), hero("b", (140, 190)))
    assert plan(turn_of("1", *pair, *desk(GHOUL, (100, 100)))).reasons[0].params[1] == ("prey", "a")


def test_a_ghoul_strikes_what_it_reaches() -> None:
    """The prey of the pack first, else whoever stands beside it."""
    close = turn_of("1", hero("a", (100, 190)), *desk(GHOUL, (100, 160)))
    assert plan(close).action == Attack("1", "a", AttackKind.MELEE)
    assert codes(plan(close)) == ["solo_pack", "solo_strike"]
    apart = turn_of("2", hero("a", (20, 190)), hero("b", (180, 190)), *desk(GHOUL, (20, 164), (180, 160)))
    assert plan(apart).action == Attack("2", "b", AttackKind.MELEE)
    assert plan(apart).reasons[0].text == "ghoul 2 goes for b, the nearest."


def test_a_pack_surrounds_its_prey() -> None:
    """The straight way is taken, so the second ghoul goes round to a free place beside the prey."""
    state = turn_of("2", hero("a", (100, 150)), *desk(GHOUL, (100, 124), (100, 98)))
    found = plan(state)
    assert isinstance(found.action, Move)
    after = resolve(state, found.action)
    assert after.advice == ()
    assert 0 <= gap_mm(after.state.soldier("2"), after.state.soldier("a")) <= 2


def test_a_ghoul_without_dice_slinks_away() -> None:
    """It can only move; it goes where it is farthest from its nearest enemy."""
    state = turn_of("1", hero("a", (100, 190)), *desk(GHOUL, (100, 120), pool=0))
    found = plan(state)
    assert codes(found) == ["solo_slink_away", "solo_push"]
    assert found.action == Move("1", (100.0, 41.0))
    cornered = turn_of("1", hero("a", (190, 190)), *desk(GHOUL, (0, 0), pool=0))
    assert codes(plan(cornered)) == ["solo_hemmed_in"]
    assert plan(cornered).action == Pass("1")


# zombies


def test_a_zombie_shambles_30_mm_at_the_nearest() -> None:
    """Each for itself, without a pack."""
    heroes = (hero("a", (20, 190)), hero("b", (180, 190)))
    state = turn_of("2", *heroes, *desk(ZOMBIE, (20, 130), (180, 80)))
    found = plan(state)
    assert codes(found) == ["solo_nearest", "solo_push"]
    assert found.action == Move("2", (180.0, 109.0))


def test_a_zombie_bites_and_without_dice_shambles_on() -> None:
    """It does not know that it is harmless."""
    close = (hero("a", (100, 190)), *desk(ZOMBIE, (100, 160)))
    assert plan(turn_of("1", *close)).action == Attack("1", "a", AttackKind.MELEE)
    harmless = turn_of("1", hero("a", (100, 190)), *desk(ZOMBIE, (100, 160), pool=0))
    assert plan(harmless).action == Move("1", (100.0, 164.0))
    there = turn_of("1", hero("a", (100, 190)), *desk(ZOMBIE, (100, 164), pool=0))
    assert plan(there).action == Pass("1")
    assert codes(plan(there)) == ["solo_nearest", "solo_hemmed_in"]


# robots


def test_a_robot_finishes_whom_it_can() -> None:
    """Somebody with one die or none dies of a hit, so distance does not matter."""
    heroes = (hero("a", (100, 190), 3), hero("b", (20, 190), 1))
    found = plan(turn_of("1", *heroes, *desk(ROBOT, (150, 100), pool=1)))
    assert found.action == Attack("1", "b", AttackKind.RANGED)
    assert [reason.text for reason in found.reasons] == ["robot 1 can finish b.", "robot 1 shoots."]


def test_a_robot_with_dice_to_spare_shoots_the_weakest() -> None:
    """Fewest dice, then the nearest, then the id."""
    heroes = (hero("a", (100, 190), 3), hero("b", (20, 190), 2), hero("c", (180, 190), 2))
    found = plan(turn_of("1", *heroes, *desk(ROBOT, (150, 100), pool=2)))
    assert found.action == Attack("1", "c", AttackKind.RANGED)
    assert codes(found) == ["solo_weakest", "solo_shoot"]


def test_a_robot_strikes_what_is_within_reach() -> None:
    """Melee hits more easily."""
    found = plan(turn_of("1", hero("a", (100, 190)), *desk(ROBOT, (100, 160), pool=2)))
    assert found.action == Attack("1", "a", AttackKind.MELEE)
    assert codes(found) == ["solo_weakest", "solo_strike"]


def test_a_robot_keeps_its_last_die_and_backs_off() -> None:
    """Nobody to finish; cornered it fires."""
    found = plan(turn_of("1", hero("a", (100, 190), 2), *desk(ROBOT, (100, 150), pool=1)))
    assert codes(found) == ["solo_back_off", "solo_push"]
    assert found.action == Move("1", (100.0, 101.0))
    cornered = plan(turn_of("1", hero("a", (190, 190), 2), *desk(ROBOT, (0, 0), pool=1)))
    assert cornered.action == Attack("1", "a", AttackKind.RANGED)
    assert codes(cornered) == ["solo_cornered", "solo_shoot"]


def test_a_robot_does_not_shoot_at_what_it_cannot_see() -> None:
    """It picks another, and looks for the nearest when nobody is in sight."""
    heroes = (hero("a", (100, 190), 1), hero("b", (20, 190), 2))
    state = turn_of("1", *heroes, *desk(ROBOT, (100, 100), pool=3))
    assert plan(state, hidden=("a",)).action == Attack("1", "b", AttackKind.RANGED)
    search = plan(state, hidden=("a", "b"))
    assert codes(search) == ["solo_search", "solo_push"]
    assert search.action == Move("1", (100.0, 149.0))


def test_a_robot_without_dice_stands_still() -> None:
    """No power."""
    found = plan(turn_of("1", hero("a", (100, 190)), *desk(ROBOT, (100, 150), pool=0)))
    assert found.action == Pass("1")
    assert codes(found) == ["solo_stand_still"]


# the way


def test_obstacles_and_the_edge_are_gone_round() -> None:
    """The nearest free place to the prey is taken."""
    state = turn_of("1", hero("a", (100, 190)), *desk(ZOMBIE, (100, 120)))

    def wall(place: tuple[float, float], radius_mm: float) -> bool:
        assert radius_mm == 12.5
        return abs(place[0] - 100) < 10 and place[1] > 125

    found = plan(state, is_blocked=wall)
    assert isinstance(found.action, Move)
    assert not wall(found.action.to, 12.5)
    assert math.dist(found.action.to, (100, 190)) < 50
    assert plan(state, is_blocked=lambda *_: True).action == Pass("1")


@pytest.mark.parametrize(("agreed_mm", "y"), [(None, 129.0), (100.0, 129.0), (40.0, 89.0), (0.5, None)])
def test_nobody_is_pushed_farther_than_agreed(agreed_mm: float | None, y: float | None) -> None:
    """The players' limit of moves holds for the desk too."""
    found = plan(turn_of("1", hero("a", (100, 190)), *desk(GHOUL, (100, 50)), max_move_mm=agreed_mm))
    assert found.action == (Pass("1") if y is None else Move("1", (100.0, y)))


def solo_game(seed: int) -> tuple[Game, int]:
    """A whole game of a random player against random figures of the desk, strict; the end and its number of turns."""
    chance = random.Random(seed)
    breed = chance.choice((GHOUL, ZOMBIE, ROBOT))
    places = [(x, y) for x in range(20, 200, 40) for y in range(20, 200, 40)]
    spots = [(float(x), float(y)) for x, y in chance.sample(places, 6)]
    soldiers = (
        *(hero(name, spots[i]) for i, name in enumerate("ab")),
        *desk(breed, *spots[2 : 2 + chance.randint(1, 4)]),
    )
    state = start(soldiers, Options(minutes=chance.choice((1, 3, 5)), strict=True)).state
    turns = 0
    while state.phase is not Phase.OVER and turns < 400:
        me = str(state.current)
        action: Move | Attack | Pass
        if is_automated(state):
            found = plan(state)
            assert found == plan(state), "the same table gives the same plan"
            action = found.action
        else:
            choice = [target for target in targets(state, me) if state.soldier(target).team == DESK]
            action = Pass(me)
            if choice and chance.random() < 0.5:
                action = Attack(me, choice[0], propose_kind(state, me, choice[0]))
        assert check(state, action) == ()
        ruling: Ruling[Game, Outcome] = resolve(state, action)
        if ruling.state.phase is Phase.AWAIT_DIE:
            ruling = resolve(ruling.state, Die(chance.randint(1, 6)))
        if ruling.state.phase is Phase.AWAIT_TIP:
            ruling = resolve(ruling.state, Tipped(str(ruling.state.fallen)))
        state = ruling.state
        turns += 1
    return state, turns


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_whole_solo_games_come_to_an_end_without_a_refusal(first: int) -> None:
    """The strict referee never refuses the desk, and the same seed plays the same game."""
    for seed in range(first, first + 20):
        state, turns = solo_game(seed)
        assert state.phase is Phase.OVER, f"seed {seed} does not end"
        assert turns < 400
    assert to_json(solo_game(first)[0]) == to_json(solo_game(first)[0])


def test_a_figure_put_down_by_the_game_master_is_no_prey() -> None:
    """The dead are left alone."""
    state = turn_of("1", hero("a", (100, 120)), hero("b", (20, 190)), *desk(ZOMBIE, (100, 60)))
    state = resolve(state, Adjust("a", 0, is_dead=True, why="")).state
    assert plan(state).reasons[0].params[1] == ("prey", "b")
