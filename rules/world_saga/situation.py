"""Who fights whom where: enemies, engagement, surrounding, and Strikes at shooters.

Rule: World Saga, Combat Mode, Special Circumstances. Reading: enemies are engaged while they are adjacent and both
conscious and in the combat, and neither is hidden from the other at an unknown place; prone figures engage. The table
may say otherwise for any pair.
"""

from __future__ import annotations

from rules.engagement import adjacent_on_hexes, adjacent_on_squares, adjacent_on_table
from rules.footprints import cells_of
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.world_saga.hiding import may_target
from rules.world_saga.state import Combat, Combatant, cell_of

MOST_SURROUNDING = 4
"""The greatest surrounding bonus (Surrounding Bonus: "maximum of +4")."""


def surrounding_bonus(attackers: int) -> int:
    """Return what each of so many allies engaged with one defender gains: 1 per additional ally, at most 4."""
    return max(0, min(MOST_SURROUNDING, attackers - 1))


def may_strike_shooter(*, is_engaged: bool, is_conscious: bool, stamina: int | None, strike_cost: int) -> bool:
    """Say whether somebody may Strike at once at a shooter: engaged, conscious, and able to pay the Stamina."""
    return is_engaged and is_conscious and (stamina is None or stamina >= strike_cost)


def enemies_of(combat: Combat, who: str) -> tuple[Combatant, ...]:
    """Return everybody on another side who can act."""
    allegiance = combat.get(who).allegiance
    return tuple(other for other in combat.combatants if other.allegiance != allegiance and other.can_act)


def are_engaged(combat: Combat, a: str, b: str) -> bool:
    """Say whether two combatants are engaged in melee with each other."""
    one, other = combat.get(a), combat.get(b)
    if one.allegiance == other.allegiance or not one.can_act or not other.can_act:
        return False
    if not may_target(a, other.hiding) or not may_target(b, one.hiding):
        return False
    for pair in combat.pairs:
        if {pair.a, pair.b} == {a, b}:
            return pair.is_engaged
    return are_adjacent(combat, one, other)


def are_adjacent(combat: Combat, one: Combatant, other: Combatant) -> bool:
    """Say whether two combatants stand next to each other; False where either has no place on the board."""
    if one.place is None or other.place is None:
        return False
    match combat.board:
        case SquareBoard() as board:
            return adjacent_on_squares(
                board, cells_of(cell_of(one.place), one.footprint), cells_of(cell_of(other.place), other.footprint)
            )
        case HexBoard() as board:
            return adjacent_on_hexes(board, cell_of(one.place), cell_of(other.place))
        case Ground():
            return adjacent_on_table(
                one.place,
                one.base_radius_mm,
                other.place,
                other.base_radius_mm,
                most_gap_mm=combat.settings.engaged_gap_mm,
            )
        case None:
            return False


def engaged_with(combat: Combat, who: str) -> tuple[str, ...]:
    """Return the ids of the enemies that somebody is engaged with, in order of entry."""
    return tuple(other.id for other in enemies_of(combat, who) if are_engaged(combat, who, other.id))


def attackers_of(combat: Combat, attacker: str, defender: str) -> int:
    """Return how many of the attacker's side are engaged with a defender, itself included; 0 where it is not.

    A third side that fights the same defender is no ally ("+1 situation bonus per additional ally").
    """
    engaged = engaged_with(combat, defender)
    if attacker not in engaged:
        return 0
    allegiance = combat.get(attacker).allegiance
    return sum(combat.get(who).allegiance == allegiance for who in engaged)


def strikers(combat: Combat, shooter: str) -> tuple[str, ...]:
    """Return who may Strike at once when somebody shoots: the engaged who are able to pay."""
    return tuple(
        other.id
        for other in enemies_of(combat, shooter)
        if may_strike_shooter(
            is_engaged=are_engaged(combat, shooter, other.id),
            is_conscious=other.can_act,
            stamina=other.stamina,
            strike_cost=other.strike_cost,
        )
    )
