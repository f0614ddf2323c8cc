"""Labels over the picture hide neither each other nor a die, and stay where they are."""

from __future__ import annotations

import re

import numpy as np
import pytest

from deskref.eyes import Seen
from deskref.page.above import above_of
from deskref.page.labels import DIE, NEAR, Box, Labels, around, bounds, centred, leader, text_width
from deskref.page.overlay import NAME_LETTERS, draw_dice, overlay
from deskref.sight_lines import SightLine
from deskref.table_choice import MAT_TABLE
from devices.frame import Frame
from tests.deskref.played_desk import DAEMON, IMP, LOKAN, TARIK, PlayedDesk
from tests.deskref.test_above import tilted
from vision.observation import Observation, SeenDie, TableSeen

MAP = above_of(MAT_TABLE)
CLOSE = {LOKAN: (-14.0, -30.0), TARIK: (16.0, -30.0), DAEMON: (-14.0, 4.0), IMP: (16.0, 2.0)}
"""Figures of 25 mm hand to hand."""
DICE = ((-14.0, -52.0), (2.0, -52.0), (18.0, -52.0), (-34.0, -14.0), (36.0, -14.0), (1.0, 24.0))


def crowd() -> PlayedDesk:
    """Four figures in a fight, with dice round them."""
    desk = PlayedDesk()
    desk.begin()
    for soldier, mm in CLOSE.items():
        desk.move(soldier, mm)
    for mm in DICE:
        desk.put_die(LOKAN, mm)
    return desk


def drawn(desk: PlayedDesk, labels: Labels | None = None, *, scale: float = 1.5) -> str:
    frame = Frame(np.zeros((720, 1280, 3), np.uint8), 0.0, 0)
    seen = Seen(frame, tilted(), Observation(0, 0.0, frame.size, TableSeen(found=True, markers=6)), ())
    return overlay(seen, desk.session, above=MAP, labels=labels, scale=scale)


def boxes(svg: str, group: str) -> list[Box]:
    """The rectangles of the drawing's groups of a class."""
    found = re.findall(rf'<g class="{group}[^>]*>.*?<rect x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)"', svg)
    return [(float(x), float(y), float(x) + float(w), float(y) + float(h)) for x, y, w, h in found]


def values(svg: str) -> list[Box]:
    """The circles with the values of the dice."""
    circles = re.findall(r'<circle cx="(-?\d+)" cy="(-?\d+)" r="(\d+)"/>', svg)
    return [(float(x) - float(r), float(y) - float(r), float(x) + float(r), float(y) + float(r)) for x, y, r in circles]


def shared(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)


def trembling(box: Box, chance: np.random.Generator) -> Box:
    x0, y0, x1, y1 = (float(side + chance.normal(0, 0.5)) for side in box)
    return x0, y0, x1, y1


def test_in_a_fight_no_name_hides_a_die_its_value_or_another_name() -> None:
    svg = drawn(crowd())
    names, dice, circles = boxes(svg, "tag"), boxes(svg, "die"), values(svg)
    assert len(names) == 4
    assert len(circles) == len(dice) >= len(DICE)
    for n, name in enumerate(names):
        assert all(shared(name, other) < 4 for other in [*names[:n], *dice, *circles]), f"name {n}"
    for n, circle in enumerate(circles):
        assert all(shared(circle, other) < 4 for other in circles[:n]), f"value {n}"


def rings(svg: str) -> list[Box]:
    """The boxes round the figures' rings."""
    found = re.findall(r'<polygon class="ring[^"]*" data-figure="\d+" points="([^"]+)"', svg)
    corners = [np.array([point.split(",") for point in points.split()], dtype=float) for points in found]
    return [bounds(ring) for ring in corners]


@pytest.mark.parametrize(
    ("attacker", "target"),
    [((-14.0, -30.0), (16.0, -30.0)), ((0.0, -40.0), (0.0, -8.0)), ((-60.0, -60.0), (-38.0, -37.0))],
    ids=["side by side", "one behind the other", "aslant"],
)
def test_a_hidden_share_stands_beside_figures_that_are_close(
    attacker: tuple[float, float], target: tuple[float, float]
) -> None:
    """Hand to hand the line between two is shorter than what is said of it, which lay on one of them."""
    desk = PlayedDesk()
    desk.begin()
    for soldier, mm in zip((LOKAN, DAEMON), (attacker, target), strict=True):
        desk.move(soldier, mm)
    line = SightLine(DAEMON, attacker, target, 0.7, False)
    frame = Frame(np.zeros((720, 1280, 3), np.uint8), 0.0, 0)
    seen = Seen(frame, tilted(), Observation(0, 0.0, frame.size, TableSeen(found=True, markers=6)), ())
    svg = overlay(seen, desk.session, above=MAP, lines=(line,))
    (share,) = re.findall(r'<text class="sight" x="(-?\d+)" y="(-?\d+)">([^<]+)</text>', svg)
    box = centred((float(share[0]), float(share[1])), (text_width(share[2], 18.0), 23.4))
    assert share[2].startswith("70")
    assert len(rings(svg)) == 4
    area = (box[2] - box[0]) * (box[3] - box[1])
    assert all(shared(box, ring) < 0.1 * area for ring in rings(svg))
    hidden = [shared(box, name) / area for name in boxes(svg, "tag")]
    assert max(hidden) < 0.05, hidden


def test_a_name_that_stands_farther_off_has_a_line_to_its_figure() -> None:
    svg = drawn(crowd(), scale=2.6)  # as on a phone: letters are larger beside figures and dice
    far = re.findall(r'<g class="tag[^>]*><line class="leader" x1="(\d+)" y1="(\d+)" x2="(\d+)" y2="(\d+)"/>', svg)
    assert far
    assert all(x1 != x2 or y1 != y2 for x1, y1, x2, y2 in far)
    assert leader((0, 0, 10, 10), (20, 0, 30, 10)) == (10, 5, 20, 5)


def test_labels_stay_where_they_are_while_places_tremble() -> None:
    """A tenth of a millimetre to and fro, as a camera's noise has it, moves no label to another side."""
    labels, chance = Labels(), np.random.default_rng(7)
    things: list[Box] = [(300, 300, 360, 340), (380, 310, 440, 350), (300, 350, 360, 390)]
    chosen = set()
    for _ in range(200):
        layout = labels.layout((1280, 720))
        for thing in things:
            layout.block(trembling(thing, chance), DIE)
        put = []
        for n, thing in enumerate(things):
            put.append(layout.put(f"{n}", around(trembling(thing, chance), (90, 26), gap=4)))
        chosen.add(tuple(put))
    assert len(chosen) == 1


def test_a_label_leaves_a_place_that_something_came_to() -> None:
    labels, thing = Labels(), (300.0, 300.0, 340.0, 340.0)
    places = around(thing, (80, 20), gap=4)
    assert labels.layout((1280, 720)).put("it", places) == 0
    layout = labels.layout((1280, 720))
    layout.block(places[0], DIE)
    assert layout.put("it", places) == 1


@pytest.mark.parametrize("at", [(0.0, 0.0), (1240.0, 0.0), (0.0, 690.0), (1240.0, 690.0)])
def test_labels_stay_in_the_picture(at: tuple[float, float]) -> None:
    thing = (*at, at[0] + 40, at[1] + 30)
    places = around(thing, (120, 26), gap=4)
    x0, y0, x1, y1 = places[Labels().layout((1280, 720)).put("it", places)]
    assert x0 >= 0
    assert y0 >= 0
    assert x1 <= 1280
    assert y1 <= 720
    assert len(places) == 3 * NEAR


def test_a_long_name_is_cut_and_told_in_full() -> None:
    desk = crowd()
    session = desk.session
    assert session.setup is not None
    long = "Donaudampfschifffahrtsgesellschaftskapit"
    first, *others = session.setup.soldiers
    renamed = (type(first)(first.id, long, first.side, first.start_mm), *others)
    object.__setattr__(session.setup, "soldiers", renamed)
    svg = drawn(desk)
    assert f"<title>{long}</title>" in svg
    assert f"{long[: NAME_LETTERS - 1]}…<" in svg


def test_values_of_dice_that_lie_in_a_row_stand_beside_none_of_them() -> None:
    """In the set-up's dice check: the value of one die used to cover its neighbour's pips."""
    row = tuple(SeenDie((400.0 + 46 * n, 300.0, 445.0 + 46 * n, 345.0), 3, 0.9) for n in range(4))
    svg = draw_dice(row, size=(1280, 720))
    dice, circles = boxes(svg, "die"), values(svg)
    inner = [(x0 + 8, y0 + 8, x1 - 8, y1 - 8) for x0, y0, x1, y1 in dice]
    assert all(shared(circle, pips) == 0 for circle in circles for pips in inner)
    assert all(shared(a, b) < 4 for n, a in enumerate(circles) for b in circles[:n])
