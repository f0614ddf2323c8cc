"""Boards of squares, drawn and generated, and an oracle for their costs."""

from __future__ import annotations

import heapq
from typing import Any

import pytest
from hypothesis import strategies as st

from rules.footprints import Cell
from rules.grid import (
    CornerRule,
    Mover,
    SquareBoard,
    walk,
)
from rules.ruling import IllegalActionError

OPEN = SquareBoard(12, 12)
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def drawn(*rows: str, **more: Any) -> SquareBoard:
    """A board from a picture: '#' wall, 'd' difficult, anything else open."""
    marks = {mark: [] for mark in "#d"}  # type: dict[str, list[Cell]]
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            marks.get(mark, []).append((x, y))
    return SquareBoard(len(rows[0]), len(rows), tuple(marks["#"]), tuple(marks["d"]), **more)


def costs(board: SquareBoard, mover: Mover, *path: Cell) -> list[int]:
    return [step.cost_squares for step in walk(board, mover, path).steps]


def refused(board: SquareBoard, mover: Mover, *path: Cell) -> str:
    with pytest.raises(IllegalActionError) as caught:
        walk(board, mover, path)
    assert caught.value.text.endswith((".", "!"))
    return caught.value.code


# An oracle that shares nothing with the code under test: labels (square, parity), rules written out on sets of squares.


def oracle_costs(board: SquareBoard, mover: Mover) -> dict[tuple[Cell, int], int]:
    walls, enemies, difficult = set(board.walls), set(mover.enemies), set(board.difficult)
    fences = {frozenset(fence) for fence in board.fences}
    width, height = mover.footprint

    def covered(at: Cell) -> set[Cell]:
        return {(at[0] + x, at[1] + y) for x in range(width) for y in range(height)}

    def way_closed(one: Cell, by: Cell, other: Cell, *, only_fences: bool) -> bool:
        fenced = frozenset((one, by)) in fences or frozenset((by, other)) in fences
        return fenced or (by in walls and not only_fences)

    def legal(at: Cell, dx: int, dy: int) -> bool:
        before, after = covered(at), covered((at[0] + dx, at[1] + dy))
        for cell in after - before:
            if not (0 <= cell[0] < board.columns and 0 <= cell[1] < board.rows) or cell in walls or cell in enemies:
                return False
            for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                beside = (cell[0] + x, cell[1] + y)
                if beside in after and frozenset((cell, beside)) in fences:
                    return False
        for x, y in before:
            there = (x + dx, y + dy)
            if dx and dy:
                ways = [(x + dx, y), (x, y + dy)]
                closed = [way_closed((x, y), by, there, only_fences=False) for by in ways]
                fenced = [way_closed((x, y), by, there, only_fences=True) for by in ways]
                if all(fenced):
                    return False
                if board.corners is CornerRule.NO_CUT and any(closed):
                    return False
                if board.corners is CornerRule.BOTH and all(closed):
                    return False
            elif frozenset(((x, y), there)) in fences:
                return False
        return True

    best: dict[tuple[Cell, int], int] = {}
    queue = [(0, mover.at, mover.diagonals_used % 2)]
    while queue:
        cost, at, parity = heapq.heappop(queue)
        if (at, parity) in best:
            continue
        best[at, parity] = cost
        for dx, dy in STEPS:
            if legal(at, dx, dy):
                after = (at[0] + dx, at[1] + dy)
                step = 1 + bool((covered(after) - covered(at)) & difficult)
                if dx and dy:
                    heapq.heappush(queue, (cost + step + parity, after, 1 - parity))
                else:
                    heapq.heappush(queue, (cost + step, after, parity))
    return best


@st.composite
def boards(draw: st.DrawFn, *, fences: bool = False, most: int = 7) -> tuple[SquareBoard, Mover]:
    columns, rows = draw(st.integers(2, most)), draw(st.integers(2, most))
    marks = draw(st.lists(st.sampled_from("...##dde a"), min_size=columns * rows, max_size=columns * rows))
    at = draw(st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1)))
    footprint = draw(st.sampled_from([(1, 1), (1, 1), (2, 2), (1, 2)])) if fences else (1, 1)
    placed: dict[str, list[Cell]] = {mark: [] for mark in "#dea"}
    own = {(at[0] + x, at[1] + y) for x in range(footprint[0]) for y in range(footprint[1])}
    for number, mark in enumerate(marks):
        cell = (number % columns, number // columns)
        if mark in placed and (mark == "d" or cell not in own):
            placed[mark].append(cell)
    walls_between = ()
    if fences:
        pairs = [((x, y), (x + 1, y)) for x in range(columns - 1) for y in range(rows)]
        pairs += [((x, y), (x, y + 1)) for x in range(columns) for y in range(rows - 1)]
        pairs = [pair for pair in pairs if not set(pair) <= own]
        if pairs:
            walls_between = tuple(draw(st.lists(st.sampled_from(pairs), max_size=len(pairs) // 2, unique=True)))
    board = SquareBoard(
        columns,
        rows,
        tuple(placed["#"]),
        tuple(placed["d"]),
        walls_between,
        draw(st.sampled_from(CornerRule)),
    )
    mover = Mover(at, footprint, tuple(placed["a"]), tuple(placed["e"]), draw(st.integers(0, 3)))
    return board, mover
