"""Prisms laid over drawn obstacles, from a rough word of where they are and how high."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.drawn_table import camera
from vision.finder import FinderMaps
from vision.lean import prism_outline, thrown
from vision.outlines import overlap
from vision.pieces import Kind, Piece
from vision.prism_fit import COARSE_PX, FloatArray, Relief, fit_prism, with_prisms
from vision.rectify import Image, TopView, top_view


def drawn(
    footprint: FloatArray, height: float, top: TopView, *, levels: tuple[int, int, int]
) -> tuple[Image, FinderMaps]:
    """The picture from above of a prism (levels of table, sides and top), and a net that sees where it is."""
    noise = np.random.default_rng(3).normal(0, 2, (top.size[1], top.size[0]))
    table, sides, upper = levels
    grey = np.full(noise.shape, table, np.uint8)
    outline = prism_outline(footprint, height, top.view)
    for ring, level in ((outline, sides), (thrown(footprint, height, top.view), upper)):
        cv2.fillPoly(grey, [np.rint(top.to_top(ring) * 16).astype(np.int32)], int(level), shift=4)
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8)
    picture = np.clip(soft + noise, 0, 255).astype(np.uint8)
    mask = np.zeros_like(grey)
    cv2.fillPoly(mask, [np.rint(top.to_top(outline)).astype(np.int32)], 1)
    step = round(2.0 * top.px_per_mm)
    classes = np.zeros((5, *mask[::step, ::step].shape), np.float32)
    classes[3] = mask[::step, ::step]
    rows, columns = classes.shape[1:]
    x = top.to_mm([(k * step, 0) for k in range(columns)])[:, 0]
    y = top.to_mm([(0, k * step) for k in range(rows)])[:, 1]
    blank = np.zeros_like(classes)
    colour = np.repeat(picture[..., None], 3, axis=2)
    return colour, FinderMaps(classes, blank[0], blank, blank, blank, blank, x, y)


def reliefs(picture: Image, top: TopView, maps: FinderMaps) -> tuple[Relief, Relief]:
    """Blurred and sharp."""
    return Relief.of(picture, top, maps, blur_px=COARSE_PX), Relief.of(picture, top, maps)


def box(*, turn: float) -> FloatArray:
    """A footprint of 50 x 30 mm."""
    cos, sin = math.cos(turn), math.sin(turn)
    corners = np.array([(-25, -15), (25, -15), (25, 15), (-25, 15)]) @ np.array([[cos, sin], [-sin, cos]])
    return np.asarray(corners + (10, 20))


def circle() -> FloatArray:
    """A footprint of 44 mm across."""
    angle = np.arange(40) * math.pi / 20
    return np.column_stack([22 * np.cos(angle), 22 * np.sin(angle)]) + (-30, 10)


FOOTPRINTS = {"box": box(turn=0.2), "turned": box(turn=0.9), "cup": circle()}


@cache
def above(*, azimuth: float = -90.0) -> TopView:
    """Made once: it takes longer than all that is done with it."""
    return top_view(camera(elevation=55, azimuth=azimuth))


@cache
def shapes(name: str, height: float, levels: tuple[int, int, int]) -> tuple[Relief, Relief]:
    """The reliefs of a drawn prism, which each rough word of it is laid over."""
    top = above(azimuth=20)
    picture, maps = drawn(FOOTPRINTS[name], height, top, levels=levels)
    return reliefs(picture, top, maps)


@pytest.mark.parametrize("levels", [(215, 90, 170), (60, 90, 120)])
@pytest.mark.parametrize("height", [15.0, 60.0])
@pytest.mark.parametrize("wrong_by", [0.65, 1.5])
@pytest.mark.parametrize("name", FOOTPRINTS)
def test_height_and_footprint_are_read_off_the_edges(
    name: str, wrong_by: float, height: float, levels: tuple[int, int, int]
) -> None:
    """The height is off by a third or a half, the footprint by a tenth and 3 mm."""
    footprint = FOOTPRINTS[name]
    rough = (footprint - footprint.mean(axis=0)) * 1.1 + footprint.mean(axis=0) + (3.0, -2.0)
    prism = fit_prism(*shapes(name, height, levels), rough, height * wrong_by)
    assert prism.height_mm == pytest.approx(height, abs=2.0 + 0.04 * height)
    assert overlap(prism.footprint_mm, footprint) > 0.85
    assert prism.score > 2.5


def test_the_same_picture_gives_the_same_prism() -> None:
    top = above()
    picture, maps = drawn(box(turn=0.4), 30.0, top, levels=(215, 90, 170))
    one, other = (fit_prism(*reliefs(picture, top, maps), box(turn=0.5), 20.0) for _ in range(2))
    assert one.height_mm == other.height_mm
    assert np.array_equal(one.footprint_mm, other.footprint_mm)


def test_where_no_edge_is_seen_the_nets_word_stands() -> None:
    """Also for other things, whatever is around them."""
    top = above()
    picture, maps = drawn(box(turn=0.4), 30.0, top, levels=(128, 128, 128))
    rough = Piece(Kind.OBSTACLE, 0.8, box(turn=0.4), (10.0, 20.0), height_mm=22.0, footprint_mm=box(turn=0.3))
    die = Piece(Kind.DIE, 0.8, box(turn=0.4), (10.0, 20.0), height_mm=16.0)
    pieces = with_prisms((die, rough), picture, top, maps)
    assert pieces[0] is die
    assert pieces[1].height_mm == 22.0
