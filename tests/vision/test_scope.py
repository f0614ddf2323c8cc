"""What a look leaves as it is: what lies beyond its part of the table, and what is known there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.drawn_table import camera
from vision.lean import cube_outline, prism_outline
from vision.pieces import Kind, Piece
from vision.rectify import TopView, top_view
from vision.scope import LARGEST_CUBE_MM, Scope
from vision.watch_grid import Mask, seen_places


@pytest.fixture(scope="module")
def top() -> TopView:
    return top_view(camera(elevation=52.0))


def _cube(top: TopView, mm: tuple[float, float], side_mm: float = 16.0, yaw: float = 0.3) -> Piece:
    return Piece(Kind.DIE, 0.6, cube_outline(mm, side_mm, yaw, top.view), mm)


def _box(top: TopView, mm: tuple[float, float], *, confidence: float = 0.8) -> Piece:
    foot = np.array([(-15.0, -10.0), (15.0, -10.0), (15.0, 10.0), (-15.0, 10.0)]) + mm
    outline = prism_outline(foot, 20.0, top.view)
    return Piece(Kind.OBSTACLE, confidence, outline, mm, height_mm=20.0, footprint_mm=foot)


def _changed(top: TopView, cells: tuple[int, int, int, int]) -> Mask:
    changed = np.zeros(seen_places(top).shape, np.bool_)
    changed[cells[0] : cells[1], cells[2] : cells[3]] = True
    return changed


def test_nothing_that_is_taken_lies_beyond(top: TopView) -> None:
    """Whatever cube the search may end with, seen by the net or by the detector alone."""
    random = np.random.default_rng(3)
    taken = 0
    for _ in range(400):
        row, column = (int(v) for v in random.integers(20, (170, 130)))
        cells = (row, row + int(random.integers(1, 20)), column, column + int(random.integers(1, 20)))
        changed = _changed(top, cells) if random.random() < 0.5 else None
        scope = Scope(top, cells, changed)
        near = top.to_mm([(4 * column, 4 * row)])[0] + random.uniform(-30, 30, 2)
        start = (float(near[0]), float(near[1]))
        reach, turn = random.uniform(0, 4.5), random.uniform(0, 2 * math.pi)
        found = (start[0] + reach * math.cos(turn), start[1] + reach * math.sin(turn))
        die = _cube(top, found, float(random.uniform(10.0, LARGEST_CUBE_MM)), float(random.uniform(0, 1.5)))
        if scope.takes(die):
            taken += 1
            assert not scope.is_beyond(die)
            assert not scope.is_beyond_cube(start)
    assert 60 < taken < 340


def test_what_lies_elsewhere_is_beyond(top: TopView) -> None:
    scope = Scope(top, (40, 50, 40, 50))
    assert scope.is_beyond(_cube(top, (80.0, -100.0)))
    assert scope.is_beyond_cube((80.0, -100.0))
    assert not Scope(top, None).is_beyond_cube((80.0, -100.0))


def test_what_has_not_changed_is_beyond_though_its_place_is_looked_at(top: TopView) -> None:
    scope = Scope(top, (0, 208, 0, 165), _changed(top, (20, 30, 20, 30)))
    assert scope.is_beyond(_cube(top, (60.0, -100.0)))
    assert not scope.takes(_cube(top, (60.0, -100.0)))


def test_a_known_obstacle_that_has_not_changed_stands(top: TopView) -> None:
    """However sure the net is of it now; a figure that is seen there may overrule it."""
    known = _box(top, (10.0, 20.0), confidence=0.3)
    scope = Scope(top, None, None, [known])
    assert scope.is_settled(_box(top, (12.0, 22.0), confidence=0.9))
    assert not scope.is_settled(_box(top, (25.0, 20.0)))
    assert not scope.is_settled(Piece(Kind.FIGURE, 0.9, known.outline_mm, (10.0, 20.0)))
    assert not Scope(top, None).is_settled(_box(top, (10.0, 20.0)))


@pytest.mark.parametrize(("confidence", "settled"), [(0.5, True), (0.64, True), (0.7, False)])
def test_a_much_surer_figure_is_looked_at_again(top: TopView, confidence: float, settled: bool) -> None:
    outline = cube_outline((0.0, 0.0), 16.0, 0.0, top.view)
    known = Piece(Kind.FIGURE, 0.5, outline, (0.0, 0.0))
    seen = Piece(Kind.FIGURE, confidence, outline, (1.0, 0.0))
    assert Scope(top, None, None, [known]).is_settled(seen) is settled
