"""`deskref explain`: a picture of what was seen, with the same things and words as `observe`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from deskref.command_line import app
from deskref.drawn_table import draw_table, legend, names
from tests.vision.drawn_table import DrawnTable
from vision.explain import Above, Explanation, LeftOut, explain
from vision.observation import Observation, Pose, SeenDie, SeenFigure, SeenHand, SeenObstacle, TableSeen
from vision.observe import observe
from vision.pieces import Kind, Piece
from vision.rectify import top_view

SQUARE = np.array([(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0)])
BOX = (600.0, 300.0, 660.0, 360.0)


@pytest.fixture(scope="module")
def table() -> DrawnTable:
    """A die, a figure and a block on the drawn mat."""
    table = DrawnTable(3)
    table.die((20.0, 40.0), 5)
    table.paint(table.figure((-40.0, 20.0), (), 32.0), (60, 60, 190))
    table.obstacles.append(((45.0, -35.0), 16.0))
    return table


def made_up(table: DrawnTable) -> Explanation:
    """One thing of each kind and one left out, none of which a net has to find."""
    top = top_view(table.view)
    picture = top.from_frame(table.image())
    kinds = np.zeros(picture.shape[:2], np.uint8)
    kinds[300:340, 300:340] = 1
    pieces = (
        Piece(Kind.FIGURE, 0.97, SQUARE + (-40, 20), (-40.0, 20.0), Pose.STANDING, 32.0, 25.0),
        Piece(
            Kind.DIE, 0.9, SQUARE + (20, 40), (20.0, 40.0), height_mm=16.0, base_mm=16.0, footprint_mm=SQUARE + (20, 40)
        ),
        Piece(Kind.DIE, 0.5, SQUARE + (60, 40), (60.0, 40.0), base_mm=15.0),
        Piece(Kind.OBSTACLE, 0.8, SQUARE + (45, -35), (45.0, -35.0), height_mm=18.0),
        Piece(Kind.HAND, 1.0, SQUARE * 4 - (0, 90), (0.0, -90.0)),
    )
    things = (
        SeenFigure(BOX, Pose.STANDING, 0.97, (-40.0, 20.0), 32.0, 25.0),
        SeenDie(BOX, 5, 0.99, (20.0, 40.0), 16.0),
        SeenDie(BOX, None, 0.5, (60.0, 40.0), why="it looks like 4, but 5 pips are counted"),
        SeenObstacle(tuple((float(x), float(y)) for x, y in SQUARE + (45, -35)), 18.0, BOX, 0.8),
        SeenHand(((500.0, 600.0), (560.0, 610.0), (540.0, 700.0))),
    )
    shade = Piece(Kind.FIGURE, 0.21, SQUARE - (60, 60), (-60.0, -60.0), Pose.STANDING)
    seen = Observation(0, 0.0, table.view.size, TableSeen(True, 6))
    return Explanation(
        seen,
        Above(top, picture, kinds),
        tuple(zip(pieces, things, strict=True)),
        (LeftOut(shade, "the finder is 21% sure of it, and 70% is needed"),),
    )


def test_the_legend_says_of_everything_what_it_is_where_how_high_how_sure_and_why_not(table: DrawnTable) -> None:
    explained = made_up(table)
    assert names(explained) == ["F1", "D1", "D2", "O1", "H1"]
    assert legend(explained) == [
        "table found by 6 markers",
        "F1: figure, standing (97%) at -40, 20 mm, 32 mm high, base 25 mm wide",
        "D1: die at 20, 40 mm reads 5 (99%); side 16.0 mm, a cube fits its edges",
        "D2: die at 60, 40 mm reads ?: it looks like 4, but 5 pips are counted; side 15.0 mm, no cube fits its edges",
        "O1: obstacle (80%) at 45, -35 mm, 18 mm high, 4 corners",
        "H1: hand or arm: what lies under it is unknown",
        "X1: left out, perhaps a figure (21%) at -60, -60 mm: the finder is 21% sure of it, and 70% is needed",
    ]


def test_contact_points_verticals_and_tinted_places_are_drawn_and_the_picture_is_left_alone(table: DrawnTable) -> None:
    explained = made_up(table)
    image = table.image()
    before = image.copy()
    drawn = draw_table(image, explained)
    assert (image == before).all()
    rows, columns = image.shape[:2]
    assert drawn.shape[0] > rows
    assert drawn.shape[1] > columns
    frame = drawn[:rows, :columns]

    def is_drawn(mm: tuple[float, float], height_mm: float) -> bool:
        x, y = np.round(table.view.to_frame([mm], height_mm=height_mm)[0]).astype(int)
        part = frame[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).astype(int)
        green = (part[:, 1] > 150) & (part[:, 0] < 130) & (part[:, 2] < 130)
        return bool(green.any())

    assert is_drawn((-40.0, 20.0), 0.0)  # the contact point
    assert is_drawn((-40.0, 20.0), 16.0)  # half way up the vertical
    assert is_drawn((-40.0, 20.0), 32.0)  # its head
    assert is_drawn((-27.5, 20.0), 0.0)  # the base's rim
    assert not is_drawn((-40.0, 20.0), 48.0)
    above = drawn[:rows, columns:].reshape(-1, 3).astype(int)
    assert int(((above[:, 1] - above[:, 2]) > 25).sum()) > 20  # the places that were taken for a figure


def test_what_was_made_out_in_a_picture_is_what_observe_says(table: DrawnTable) -> None:
    image = table.image()
    explained = explain(image, table.view)
    seen = observe(image, table.view)
    assert explained.observation == seen
    assert explained.observation.dice
    counted = [type(thing) for _, thing in explained.things]
    assert counted.count(SeenDie) == len(seen.dice)
    assert counted.count(SeenFigure) == len(seen.figures)
    assert counted.count(SeenObstacle) == len(seen.obstacles)
    for piece, thing in explained.things:
        if isinstance(thing, (SeenDie, SeenFigure)):
            assert thing.mm == piece.mm
    assert explained.above is not None
    x, y = np.round(explained.above.top.to_top([(20.0, 40.0)])[0]).astype(int)
    assert explained.above.kinds[y, x] != 0


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, ["explain", *(str(a) for a in arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_command_writes_a_picture_and_prints_its_legend(
    tmp_path: Path, table: DrawnTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    path = tmp_path / "desk.png"
    assert cv2.imwrite(str(path), table.image())
    result = run(path, "--out", tmp_path / "out")
    assert result.exit_code == 0
    written = cv2.imread(str(tmp_path / "out" / "desk-explained.png"))
    assert written is not None
    assert written.shape[1] > 1280
    assert "table found by" in result.stdout
    assert re.search("D1: die at (19|20|21), (39|40|41) mm", result.stdout)


def test_without_a_table_the_dice_are_drawn_with_the_reason_why_there_is_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two pictures of one name get a drawing each; what cannot be read is named, and the others are drawn."""
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        assert cv2.imwrite(str(tmp_path / folder / "grey.png"), np.full((240, 320, 3), 128, np.uint8))
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    result = run("--json", tmp_path / "one", tmp_path / "bad.jpg", tmp_path / "two", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "bad.jpg" in result.stderr
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [Path(line["picture"]).name for line in lines] == ["grey-explained.png", "grey-explained-2.png"]
    for line in lines:
        assert line["table"] == {"found": False, "markers": 0}
        assert line["left_out"] == []
        drawn = cv2.imread(line["picture"])
        assert drawn is not None
        assert drawn.shape[0] > 240  # the reason stands below


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    path = tmp_path / "grey.png"
    assert cv2.imwrite(str(path), np.full((60, 80, 3), 128, np.uint8))
    (tmp_path / "file").write_text("in the way")
    result = run(path, "--out", tmp_path / "file")
    assert result.exit_code == 2
    assert "file" in result.stderr
    assert "Traceback" not in result.output
