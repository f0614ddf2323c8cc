"""Who goes first and who goes next (Skuffle Wammer, Setup).

"The soldier closest to you goes first. The turn order proceeds by team, or clockwise when there are no teams."
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from rules.skuffle_state import Point, Soldier, TurnOrder


def turn_order(soldiers: Sequence[Soldier], *, seat: Point, centre: Point) -> tuple[str, ...]:
    """Return the ids in turn order, as it is fixed at the start.

    Reading: the first is nearest to the seat (ties: smaller x, then id), the others follow clockwise around the centre
    as seen from above. With teams everybody of the first soldier's team comes first, nearest to the seat before the
    others, and then the teams as one meets them clockwise. A soldier without a team is a team of its own.

    Args:
        soldiers: at least one; positions in mm, y down.
        seat: where the player sits.
        centre: of the play area.
    """

    def nearness(soldier: Soldier) -> tuple[float, float, str]:
        (x, y), (seat_x, seat_y) = soldier.pos, seat
        return ((x - seat_x) ** 2 + (y - seat_y) ** 2, x, soldier.id)

    first = min(soldiers, key=nearness)

    def clockwise(soldier: Soldier) -> tuple[bool, float, tuple[float, float, str]]:
        turn = _bearing_deg(soldier.pos, centre) - _bearing_deg(first.pos, centre)
        # Rounded, so that two soldiers in one direction are not told apart by the last bit of an angle.
        return (soldier is not first, round(turn, 6) % 360, nearness(soldier))

    around = sorted(soldiers, key=clockwise)
    sides = tuple(dict.fromkeys(soldier.side for soldier in around))
    ranks = {side: rank for rank, side in enumerate(sides)}
    return tuple(soldier.id for soldier in sorted(soldiers, key=lambda s: (ranks[s.side], nearness(s))))


def next_in_turn(soldiers: Iterable[Soldier], order: Sequence[str], rule: TurnOrder) -> Soldier:
    """Return the standing soldier whose turn comes next.

    Reading: whoever has had the fewest turns, in the order fixed at the start. So everybody has a turn at regular
    intervals, which is all that the rules ask, and a turn taken early is simply not taken again. Alternating, the side
    with the fewest turns comes first, then its soldier with the fewest: a smaller team comes round again sooner.
    """
    by_id = {soldier.id: soldier for soldier in soldiers}
    standing = [by_id[soldier_id] for soldier_id in order if not by_id[soldier_id].is_dead]
    if rule is TurnOrder.TEAM_ALTERNATE:
        turns_of_side = _turns_of_side(by_id)
        return min(standing, key=lambda soldier: (turns_of_side[soldier.side], soldier.turns))
    return min(standing, key=lambda soldier: soldier.turns)


def _turns_of_side(by_id: Mapping[str, Soldier]) -> dict[str, int]:
    turns: dict[str, int] = {}
    for soldier in by_id.values():
        turns[soldier.side] = turns.get(soldier.side, 0) + soldier.turns
    return turns


def _bearing_deg(point: Point, centre: Point) -> float:
    """Angle from the centre; y points down, so it grows clockwise as seen from above."""
    return math.degrees(math.atan2(point[1] - centre[1], point[0] - centre[0]))
