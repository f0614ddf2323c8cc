"""A round head that the net takes for a die is the figure that it half sees there, unless pips say otherwise."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.dice_nets import DiceNets
from tests.vision.drawn_table import camera
from vision.dice_check import dice_made_sure_of
from vision.finder import FinderMaps
from vision.ground import guess_ground
from vision.grouping import group
from vision.pieces import Kind
from vision.rectify import TopView, top_view

HEAD_MM, FOOT_MM = (20.0, 30.0), (17.0, 26.0)


@pytest.fixture(scope="module")
def nets() -> DiceNets:
    return DiceNets.load()


def maps(top: TopView, *, die: float, figure: float) -> FinderMaps:
    """What the net says of a head at `HEAD_MM`: so much heat of a die there, so much of a figure at `FOOT_MM`."""
    step = round(2.0 * top.px_per_mm)
    rows, columns = top.size[1] // step, top.size[0] // step
    x = top.to_mm([(k * step + (step - 1) / 2, 0) for k in range(columns)])[:, 0]
    y = top.to_mm([(0, k * step + (step - 1) / 2) for k in range(rows)])[:, 1]
    away = {mm: np.hypot(x[None, :] - mm[0], y[:, None] - mm[1]) for mm in (HEAD_MM, FOOT_MM)}
    classes = np.zeros((5, rows, columns), np.float32)
    classes[2] = away[HEAD_MM] < 9
    classes[0] = 1 - classes[2]
    heat = np.zeros((4, rows, columns), np.float32)
    heat[2] = die * np.exp(-(away[HEAD_MM] ** 2) / 20)
    heat[0] = figure * np.exp(-(away[FOOT_MM] ** 2) / 20)
    offset = np.stack([HEAD_MM[0] - np.tile(x, (rows, 1)), HEAD_MM[1] - np.tile(y[:, None], (1, columns))])
    size = np.stack([np.full((rows, columns), 30.0), np.full((rows, columns), 25.0)])
    blank = np.zeros((2, rows, columns), np.float32)
    tall = np.full((rows, columns), 18.0, np.float32)
    return FinderMaps(classes, tall, offset.astype(np.float32), blank, heat, size.astype(np.float32), x, y)


@pytest.mark.parametrize(
    ("die", "figure", "kind"),
    [(0.36, 0.18, Kind.FIGURE), (0.36, 0.05, Kind.DIE), (0.7, 0.18, Kind.DIE)],
    ids=["faint die, half a figure", "no figure", "surely a die"],
)
def test_what_cannot_be_read_and_is_faint_is_a_head(die: float, figure: float, kind: Kind, nets: DiceNets) -> None:
    view = camera(elevation=55)
    top = top_view(view)
    frame = np.full((view.size[1], view.size[0], 3), 200, np.uint8)
    centre = view.to_frame([(*HEAD_MM, 10.0)])[0]
    cv2.circle(frame, (round(centre[0]), round(centre[1])), 20, (90, 120, 160), -1)
    picture = top.from_frame(frame)
    pieces = group(maps(top, die=die, figure=figure), top)
    assert [p.kind for p in pieces] == [Kind.DIE]
    sure = dice_made_sure_of(frame, picture, top, guess_ground(picture, top), pieces, nets, missed=False)
    assert [p.kind for p in sure] == [kind]
    if kind is Kind.FIGURE:
        assert np.hypot(sure[0].mm[0] - FOOT_MM[0], sure[0].mm[1] - FOOT_MM[1]) < 3
