"""Cheapest routes over a numbered board: everything within reach, or the one route to a goal.

Places are numbers whose order is the order of (row, column). A step has a whole, positive weight. Which steps there
are is asked from the board place by place, so that nothing is built that is not walked.

Between equally cheap routes the one with fewer steps is taken, then the one whose places come first in order. The
result is the same on every run and machine.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Steps = Callable[[int], Iterable[tuple[int, int]]]
"""For a place, its steps: pairs of a neighbouring place and the step's weight."""

_ONE_WEIGHT = 1 << 20
"""Weight and number of steps share one whole number, weight above: fewer steps break ties. No route is this long."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """How a place is reached at least cost."""

    weight: int
    """Sum of the weights on the way."""
    route: tuple[int, ...]
    """Places walked, from the start to this place."""


def within_reach(start: int, steps: Steps, *, most_weight: int | None = None) -> dict[int, Arrival]:
    """Return every place whose cheapest route weighs at most `most_weight` (None: no limit), the start included."""
    limit = None if most_weight is None else (most_weight + 1) * _ONE_WEIGHT
    best: dict[int, int] = {start: 0}
    came_from: dict[int, tuple[int, ...]] = {start: ()}
    arrivals: dict[int, Arrival] = {}
    queue = [(0, start)]
    while queue:
        label, place = heapq.heappop(queue)
        if label > best[place]:
            continue
        route = (*came_from[place], place)
        arrivals[place] = Arrival(label // _ONE_WEIGHT, route)
        for neighbour, weight in steps(place):
            new_label = label + weight * _ONE_WEIGHT + 1
            known = best.get(neighbour)
            if known is None or new_label < known:
                if limit is None or new_label < limit:
                    best[neighbour] = new_label
                    came_from[neighbour] = route
                    heapq.heappush(queue, (new_label, neighbour))
            elif new_label == known and route < came_from[neighbour]:
                came_from[neighbour] = route
    return arrivals


def cheapest_route(
    start: int,
    goal: int,
    steps_back: Steps,
    *,
    least_weight: Callable[[int], tuple[int, int]],
) -> Arrival | None:
    """Return the cheapest route from start to goal, or None where there is none.

    The search runs from the goal backwards, so that the first of several equal routes can be told while walking it
    forwards.

    Args:
        start: where the route begins.
        goal: where it ends.
        steps_back: for a place, the places from which one step leads to it, with that step's weight.
        least_weight: for a place, weight and steps of the route from the start to it on an empty board. It must never
            be more than the truth, nor more than a step's own beyond its neighbour's: then no place is searched twice.
    """
    to_go: dict[int, int] = {goal: 0}
    onward: dict[int, int] = {}
    least: dict[int, int] = {}
    finished: set[int] = set()
    queue = [(0, goal)]
    while queue:
        estimate, place = heapq.heappop(queue)
        # Everything as promising as the answer is still looked at: an equal route may come first in order.
        if start in finished and estimate > to_go[start]:
            break
        if place in finished:
            continue
        finished.add(place)
        label = to_go[place]
        for before, weight in steps_back(place):
            new_label = label + weight * _ONE_WEIGHT + 1
            known = to_go.get(before)
            if known is None or new_label < known:
                to_go[before] = new_label
                onward[before] = place
                if known is None:
                    weight_left, steps_left = least_weight(before)
                    least[before] = weight_left * _ONE_WEIGHT + steps_left
                heapq.heappush(queue, (new_label + least[before], before))
            elif new_label == known and place < onward[before]:
                onward[before] = place
    if start not in finished:
        return None
    route = [start]
    while route[-1] != goal:
        route.append(onward[route[-1]])
    return Arrival(to_go[start] // _ONE_WEIGHT, tuple(route))
