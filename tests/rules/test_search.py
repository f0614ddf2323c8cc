from __future__ import annotations

import random
from itertools import pairwise, permutations

import pytest

from rules.search import Arrival, cheapest_route, within_reach

Edges = dict[int, list[tuple[int, int]]]


def forwards(edges: Edges) -> object:
    return lambda place: edges.get(place, [])


def backwards(edges: Edges) -> object:
    before: Edges = {}
    for place, steps in edges.items():
        for other, weight in steps:
            before.setdefault(other, []).append((place, weight))
    return lambda place: before.get(place, [])


def no_guess(place: int) -> tuple[int, int]:
    del place
    return 0, 0


def all_routes(edges: Edges, start: int, goal: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Every route without a loop as (weight, steps, places)."""
    places = {start, goal, *edges} - {start, goal}
    found = []
    weights = {(a, b): w for a, steps in edges.items() for b, w in steps}
    for count in range(len(places) + 1):
        for middle in permutations(sorted(places), count):
            route = (start, *middle, goal) if start != goal else (start,)
            pairs = list(pairwise(route))
            if all(pair in weights for pair in pairs):
                found.append((sum(weights[pair] for pair in pairs), len(pairs), route))
    return found


EDGES: Edges = {0: [(1, 2), (2, 1), (3, 5)], 1: [(3, 2)], 2: [(1, 1), (3, 4)], 3: [(4, 1)]}


def test_everything_in_reach_is_found_with_its_route() -> None:
    reached = within_reach(0, forwards(EDGES))  # type: ignore[arg-type]
    # 3 is reached for 4 by 0-1-3 in two steps and by 0-2-1-3 in three: fewer steps win.
    assert reached == {
        0: Arrival(0, (0,)),
        2: Arrival(1, (0, 2)),
        1: Arrival(2, (0, 1)),
        3: Arrival(4, (0, 1, 3)),
        4: Arrival(5, (0, 1, 3, 4)),
    }


@pytest.mark.parametrize(("most", "places"), [(0, {0}), (1, {0, 2}), (2, {0, 1, 2}), (3, {0, 1, 2}), (4, {0, 1, 2, 3})])
def test_nothing_beyond_the_limit_is_found(most: int, places: set[int]) -> None:
    assert within_reach(0, forwards(EDGES), most_weight=most).keys() == places  # type: ignore[arg-type]


def test_a_goal_that_cannot_be_reached_has_no_route() -> None:
    assert cheapest_route(4, 0, backwards(EDGES), least_weight=no_guess) is None  # type: ignore[arg-type]


def test_the_route_to_where_one_stands_is_empty() -> None:
    assert cheapest_route(2, 2, backwards(EDGES), least_weight=no_guess) == Arrival(0, (2,))  # type: ignore[arg-type]


def test_both_searches_take_the_first_of_the_shortest_of_the_cheapest_routes() -> None:
    """Against a list of all routes, on 300 small random graphs full of ties."""
    randomness = random.Random(1)
    for _ in range(300):
        edges: Edges = {
            place: [
                (other, randomness.randint(1, 3)) for other in range(6) if other != place and randomness.random() < 0.5
            ]
            for place in range(6)
        }
        goal = randomness.randrange(6)
        routes = all_routes(edges, 0, goal)
        expected = None
        if routes:
            weight, _, route = min(routes)
            expected = Arrival(weight, route)
        assert cheapest_route(0, goal, backwards(edges), least_weight=no_guess) == expected  # type: ignore[arg-type]
        assert within_reach(0, forwards(edges)).get(goal) == expected  # type: ignore[arg-type]
