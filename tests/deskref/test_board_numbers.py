"""The numbers at the edge of World Saga's drawn board: as the form and the roster count."""

from __future__ import annotations

import re

import pytest

from deskref.board_places import Layout
from deskref.page.world_saga_board import board_svg
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard

AREA_MM = (200.0, 200.0)


def numbers(layout: Layout) -> list[tuple[int, float, float]]:
    found = re.findall(r'<text class="edge" x="([^"]+)" y="([^"]+)">(\d+)</text>', board_svg(layout, "", "board"))
    return [(int(n), float(x), float(y)) for x, y, n in found]


@pytest.mark.parametrize("board", [SquareBoard(4, 3), HexBoard(4, 3)], ids=["squares", "hexes"])
def test_each_number_stands_beside_its_own_column_or_row(board: SquareBoard | HexBoard) -> None:
    layout = Layout(board, 25.4, AREA_MM)
    told = numbers(layout)
    columns, rows = [n for n in told if n[1] > 0], [n for n in told if n[1] < 0]
    assert [n for n, _, _ in columns] == [0, 1, 2, 3]
    assert [n for n, _, _ in rows] == [0, 1, 2]
    for n, x, _ in columns:
        assert x == pytest.approx(layout.middle((n, 0))[0])
    for n, _, y in rows:
        start = (-(n // 2), n) if isinstance(board, HexBoard) else (0, n)
        assert y == pytest.approx(layout.middle(start)[1], abs=0.1)
    is_far = columns[0][2] < 0  # columns are numbered beside the row 0
    assert is_far == isinstance(board, SquareBoard)


def test_a_free_table_has_no_numbers() -> None:
    assert numbers(Layout(Ground(25.4), 25.4, AREA_MM)) == []
