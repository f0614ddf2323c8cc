"""Skuffle Wammer: who goes first and who next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.skuffle import Adjust, Game, Options, Pass, Soldier, TurnOrder, resolve, start, turn_order

SEAT, CENTRE = (100.0, 200.0), (100.0, 100.0)
BLOCK, ALTERNATE = TurnOrder.TEAM_BLOCK, TurnOrder.TEAM_ALTERNATE


def order(*soldiers: Soldier) -> str:
    """Ids in turn order, in one word."""
    return "".join(turn_order(soldiers, seat=SEAT, centre=CENTRE))


def test_the_nearest_goes_first_and_the_rest_clockwise_from_above() -> None:
    """Skuffle Wammer, Setup; y points to the player, so clockwise is near, left, far, right."""
    near, left, far, right = ((100, 180), (20, 100), (100, 20), (180, 100))
    assert order(Soldier("r", right), Soldier("f", far), Soldier("l", left), Soldier("n", near)) == "nlfr"


def test_clockwise_starts_at_the_first_wherever_it_stands() -> None:
    """Also where the first is not at the near edge."""
    assert order(Soldier("r", (190, 110)), Soldier("f", (100, 20)), Soldier("l", (5, 90))) == "rlf"


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        (("b", (80, 150)), ("a", (120, 150)), "b"),
        (("b", (80, 150)), ("a", (80, 150)), "a"),
        (("b", (80, 150)), ("a", (120, 150.1)), "a"),
    ],
)
def test_a_tie_goes_to_the_smaller_x_and_then_the_id(
    one: tuple[str, tuple[float, float]], other: tuple[str, tuple[float, float]], first: str
) -> None:
    """Reading SK-R2."""
    assert order(Soldier(*one), Soldier(*other))[0] == first
    assert order(Soldier(*other), Soldier(*one))[0] == first


def test_soldiers_in_one_direction_go_nearest_to_the_seat_first() -> None:
    """Reading: a tie of direction; also in the direction of the first, which is not last for a bit of an angle."""
    first = Soldier("a", (100, 190))
    assert order(first, Soldier("f", (100, 10)), Soldier("g", (100, 30))) == "agf"
    assert order(Soldier("a", (103, 193)), Soldier("b", (101, 131)), Soldier("l", (20, 100))) == "abl"


def test_the_soldier_in_the_middle_has_a_place_too() -> None:
    """A direction from the centre to itself does not exist; the order is still one."""
    assert sorted(order(Soldier("a", (100, 190)), Soldier("m", (100, 100)), Soldier("l", (20, 100)))) == ["a", "l", "m"]


def test_a_team_goes_as_a_block_and_the_next_team_is_the_next_clockwise() -> None:
    """Reading SK-R3: nearest to the seat first within each team."""
    red = (Soldier("a", (100, 190), "red"), Soldier("b", (100, 20), "red"))
    blue = (Soldier("c", (30, 40), "blue"), Soldier("d", (150, 150), "blue"))
    green = (Soldier("e", (20, 110), "green"),)
    assert order(*red, *blue, *green) == "abedc"


def test_a_soldier_without_a_team_is_a_team_of_its_own() -> None:
    """Also when its id is the name of a team."""
    mixed = (Soldier("a", (100, 190), "l"), Soldier("l", (20, 100)), Soldier("f", (100, 20), "l"))
    assert order(*mixed) == "afl"


soldiers_anywhere = st.lists(
    st.builds(
        Soldier,
        st.sampled_from("abcdefgh"),
        st.tuples(st.integers(0, 20).map(lambda n: n * 10.0), st.integers(0, 20).map(lambda n: n * 10.0)),
        st.sampled_from([None, "red", "blue"]),
    ),
    min_size=1,
    unique_by=lambda soldier: soldier.id,
)


@given(soldiers_anywhere, st.randoms(use_true_random=False))
def test_everybody_has_one_place_whoever_is_named_first(soldiers: list[Soldier], shuffle: object) -> None:
    """The order in which the camera finds the figures does not matter."""
    found = turn_order(soldiers, seat=SEAT, centre=CENTRE)
    assert sorted(found) == sorted(soldier.id for soldier in soldiers)
    shuffle.shuffle(soldiers)  # type: ignore[attr-defined]  # a random.Random made by hypothesis
    assert turn_order(soldiers, seat=SEAT, centre=CENTRE) == found


# whose turn it is


def play(state: Game, turns: int, early: dict[int, str] | None = None) -> str:
    """Pass so many turns; `early` names who acts instead of the one whose turn it is."""
    actors = ""
    for turn in range(turns):
        actor = (early or {}).get(turn, str(state.current))
        actors += actor
        state = resolve(state, Pass(actor)).state
    return actors


def teams(*, sizes: tuple[int, ...], rule: TurnOrder) -> Game:
    """Teams of the given sizes: a, b, c ... in turn order, the first team's first."""
    names = iter("abcdefgh")
    soldiers = []
    for team, size in enumerate(sizes):
        x = 100.0 - 90.0 * team
        soldiers += [Soldier(next(names), (x, 190.0 - 40.0 * place), f"team {team}") for place in range(size)]
    return start(tuple(soldiers), Options(turn_order=rule)).state


def test_teams_go_in_blocks() -> None:
    """Reading SK-R3, the default."""
    assert play(teams(sizes=(2, 1), rule=BLOCK), 7) == "abcabca"


def test_teams_alternate_and_a_smaller_team_comes_round_again() -> None:
    """Reading SK-R3: one soldier of each team in turn."""
    assert play(teams(sizes=(3, 1), rule=ALTERNATE), 8) == "adbdcdad"
    assert play(teams(sizes=(2, 2), rule=ALTERNATE), 6) == "acbdac"


def test_alternating_rounds_end_when_everybody_has_had_a_turn() -> None:
    """Everybody acts in each round."""
    state = teams(sizes=(3, 1), rule=ALTERNATE)
    rounds = []
    for _ in range(7):
        rounds.append(state.round)
        state = resolve(state, Pass(str(state.current))).state
    assert rounds == [1, 1, 1, 1, 1, 2, 2]


def test_the_dead_are_passed_over() -> None:
    """In blocks and alternating."""
    state = resolve(teams(sizes=(3, 1), rule=BLOCK), Adjust("b", 0, is_dead=True, why="")).state
    assert play(state, 6) == "acdacd"
    state = resolve(teams(sizes=(3, 1), rule=ALTERNATE), Adjust("b", 0, is_dead=True, why="")).state
    assert play(state, 6) == "adcdad"


def test_a_turn_taken_early_is_not_taken_again() -> None:
    """Skuffle Wammer, Setup: every soldier gets a turn at regular intervals."""
    state = start(tuple(Soldier(name, (100.0, 190.0 - 30 * i)) for i, name in enumerate("abc"))).state
    assert play(state, 6) == "abcabc"
    assert play(state, 6, {1: "c"}) == "acbabc"
    assert play(state, 7, {1: "a"}) == "aabcbca"
    assert play(teams(sizes=(2, 2), rule=ALTERNATE), 6, {1: "b"}) == "abcdac"


def test_the_order_stays_when_figures_move() -> None:
    """Reading SK-R2: frozen at the start."""
    state = start((Soldier("a", (100, 190)), Soldier("b", (20, 100)), Soldier("c", (180, 100)))).state
    assert state.order == ("a", "b", "c")
    moved = Game(
        tuple(soldier.changed(pos=(200 - soldier.pos[0], 200 - soldier.pos[1])) for soldier in state.soldiers),
        *(getattr(state, name) for name in ("options", "phase", "order", "current", "round")),
    )
    assert play(moved, 4) == "abca"
