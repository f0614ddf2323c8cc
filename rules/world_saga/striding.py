"""Strides: what a way costs, what is left, whom it leaves, and what is within reach.

Rule: World Saga, Combat Mode, Movement. A Stride may be split by an Action; its cost and the turn's diagonals run on.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules import freeform, grid, hexes
from rules.engagement import (
    Standing,
    StandingFree,
    withdrawals_on_hexes,
    withdrawals_on_squares,
    withdrawals_on_table,
)
from rules.footprints import Cell, cells_of
from rules.freeform import Ground
from rules.grid import Mover, Reach, SquareBoard
from rules.hexes import HexBoard, HexMover
from rules.ruling import Message
from rules.world_saga.hiding import may_target
from rules.world_saga.situation import enemies_of
from rules.world_saga.state import Board, Combat, Combatant, Place, cell_of
from rules.world_saga.words import CATALOGUE


@dataclass(frozen=True, slots=True)
class StridePlan:
    """A way that could be strided, with its price."""

    end: Place
    steps: tuple[float, ...]
    """Cost of each step in squares; of each straight stretch on the free table."""
    squares: float
    """What the way costs: whole on squares and hexes."""
    left: float | None
    """What the Stride has left afterwards; None without a known Speed."""
    diagonals_used: int
    """In this turn, the way included."""
    leaves: tuple[tuple[str, ...], ...]
    """For each step the engaged enemies that it leaves without having withdrawn from them."""
    advice: tuple[Message, ...] = ()

    @property
    def requires_withdraw(self) -> tuple[str, ...]:
        """Ids of all enemies that need a Withdraw for this way."""
        return tuple(dict.fromkeys(who for step in self.leaves for who in step))


def plan_stride(combat: Combat, who: str, path: tuple[Place, ...], *, used_squares: float = 0) -> StridePlan:
    """Judge a way without walking it.

    Args:
        combat: the combat; the turn that is on tells the diagonals behind it and the Withdraws made.
        who: who would walk.
        path: squares, hexes, or points in mm, without the start.
        used_squares: what the Stride has cost so far.

    Raises:
        IllegalActionError: the way is blocked, there is no board or place to walk on, or it costs more than is left.
    """
    board, start = _ground(combat, who)
    walker = combat.get(who)
    turn = combat.turn if combat.turn is not None and combat.turn.who == who else None
    diagonals_used = turn.diagonals_used if turn is not None else 0
    advice: tuple[Message, ...] = ()
    match board:
        case Ground():
            measured = freeform.measure(board, (start, *path))
            squares = measured.squares
            way = (start, *path)
            steps = tuple(freeform.measure(board, way[n : n + 2]).squares for n in range(len(path)))
            if measured.crosses_wall:
                if combat.settings.strict:
                    raise CATALOGUE.refusal("ws_crosses_wall", who=walker.label)
                advice = (CATALOGUE.message("ws_advice_crosses_wall", who=walker.label),)
            leaves = withdrawals_on_table(
                way, walker.base_radius_mm, _free_enemies(combat, who), most_gap_mm=combat.settings.engaged_gap_mm
            )
        case SquareBoard():
            mover = _mover(combat, who, start, diagonals_used)
            cells = tuple(_cell(place) for place in path)
            walk = grid.walk(board, mover, cells)
            if cells:
                grid.check_end(mover, cells[-1])
            squares, diagonals_used = walk.cost_squares, walk.diagonals_used
            steps = tuple(step.cost_squares for step in walk.steps)
            leaves = withdrawals_on_squares(board, (mover.at, *cells), walker.footprint, _enemies(combat, who))
        case HexBoard():
            hex_mover = _hex_mover(combat, who, start)
            cells = tuple(_cell(place) for place in path)
            walk = hexes.walk(board, hex_mover, cells)
            if cells:
                hexes.check_end(hex_mover, cells[-1])
            squares = walk.cost_squares
            steps = tuple(step.cost_squares for step in walk.steps)
            leaves = withdrawals_on_hexes(board, (hex_mover.at, *cells), _enemies(combat, who))
    left = None if walker.speed is None else walker.speed - used_squares - squares
    forgiven = freeform.forgiven_squares(board) if isinstance(board, Ground) else 0.0
    if left is not None and left < -forgiven:
        raise CATALOGUE.refusal("ws_too_far", who=walker.label, cost=_rounded(squares), left=_rounded(left + squares))
    withdrawn = turn.withdrawn_from if turn is not None else ()
    leaves = tuple(tuple(enemy for enemy in step if enemy not in withdrawn) for step in leaves)
    return StridePlan(path[-1] if path else start, steps, squares, left, diagonals_used, leaves, advice)


def reach_of(combat: Combat, who: str, *, squares: int | None = None) -> Reach:
    """Return every square or hex that somebody can stride to (`squares` None: without limit).

    Raises:
        IllegalActionError: there is no board of squares or hexes, or nobody on it.
    """
    board, start = _ground(combat, who)
    if isinstance(board, SquareBoard):
        turn = combat.turn
        diagonals = turn.diagonals_used if turn is not None and turn.who == who else 0
        return grid.reach(board, _mover(combat, who, start, diagonals), speed_squares=squares)
    if isinstance(board, HexBoard):
        return hexes.reach(board, _hex_mover(combat, who, start), speed_squares=squares)
    raise CATALOGUE.refusal("ws_no_board")


def squares_left(combat: Combat) -> float | None:
    """Return what the Stride of this turn has left, all of it before it begins; None without a known Speed."""
    turn = combat.turn
    if turn is None or combat.get(turn.who).speed is None:
        return None
    speed = combat.get(turn.who).speed or 0
    if turn.is_striding:
        return speed - turn.stride_used_squares
    can_begin = turn.strides < combat.settings.strides_per_turn and (turn.move_left or turn.action_left)
    return speed if can_begin else 0


def _rounded(squares: float) -> float:
    """Show whole squares whole and others with one decimal."""
    return round(squares, 1) if squares % 1 else int(squares)


def _ground(combat: Combat, who: str) -> tuple[Board, Place]:
    if combat.board is None:
        raise CATALOGUE.refusal("ws_no_board")
    place = combat.get(who).place
    if place is None:
        raise CATALOGUE.refusal("ws_no_place", who=combat.get(who).label)
    check_place(combat, place)
    return combat.board, place


def check_place(combat: Combat, place: Place) -> None:
    """Refuse what is no place on a board of squares or hexes; any place is one on the free table or on none."""
    if isinstance(combat.board, SquareBoard | HexBoard):
        _cell(place)


def _cell(place: Place) -> Cell:
    if place[0] % 1 or place[1] % 1:
        raise CATALOGUE.refusal("ws_not_a_square", place=f"{place[0]}, {place[1]}")
    return cell_of(place)


def _others(combat: Combat, who: str, *, friends: bool) -> tuple[Combatant, ...]:
    """Return those who stand in the way: conscious, in the combat, on the board, and not hidden from the walker."""
    walker = combat.get(who)
    return tuple(
        other
        for other in combat.combatants
        if other.id != who
        and other.can_act
        and other.place is not None
        and (other.allegiance == walker.allegiance) is friends
        and (friends or may_target(who, other.hiding))
    )


def _cells(others: tuple[Combatant, ...]) -> tuple[Cell, ...]:
    return tuple(
        cell for other in others if other.place is not None for cell in cells_of(cell_of(other.place), other.footprint)
    )


def _mover(combat: Combat, who: str, start: Place, diagonals_used: int) -> Mover:
    return Mover(
        cell_of(start),
        combat.get(who).footprint,
        _cells(_others(combat, who, friends=True)),
        _cells(_others(combat, who, friends=False)),
        diagonals_used,
    )


def _hex_mover(combat: Combat, who: str, start: Place) -> HexMover:
    return HexMover(
        cell_of(start),
        _cells(_others(combat, who, friends=True)),
        _cells(_others(combat, who, friends=False)),
    )


def _holding(combat: Combat, who: str) -> list[Combatant]:
    """Return the enemies who would hold somebody next to them; a pair that the table has parted does not."""
    parted = {frozenset((pair.a, pair.b)) for pair in combat.pairs if not pair.is_engaged}
    visible = [enemy for enemy in enemies_of(combat, who) if may_target(who, enemy.hiding)]
    unseen = combat.get(who).hiding
    return [
        enemy
        for enemy in visible
        if enemy.place is not None and frozenset((who, enemy.id)) not in parted and may_target(enemy.id, unseen)
    ]


def _enemies(combat: Combat, who: str) -> list[Standing]:
    return [
        Standing(enemy.id, cell_of(enemy.place), enemy.footprint)
        for enemy in _holding(combat, who)
        if enemy.place is not None
    ]


def _free_enemies(combat: Combat, who: str) -> list[StandingFree]:
    return [
        StandingFree(enemy.id, enemy.place, enemy.base_radius_mm)
        for enemy in _holding(combat, who)
        if enemy.place is not None
    ]
