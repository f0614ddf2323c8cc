"""The drawing over the live picture: marks only where something is."""

from __future__ import annotations

import numpy as np

from deskref.eyes import Seen
from deskref.page.above import above_of
from deskref.page.overlay import overlay, shown_figures
from deskref.sight_lines import sight_lines
from deskref.table_choice import MAT_TABLE
from devices.frame import Frame
from tests.deskref.played_desk import LOKAN, START, TARIK, PlayedDesk
from tests.deskref.test_above import tilted
from vision.events import FigureLeft, FigureLifted, TableFound
from vision.observation import Observation, Pose, TableSeen


def drawn(desk: PlayedDesk) -> str:
    """The drawing over a picture in which no dice were found."""
    frame = Frame(np.zeros((720, 1280, 3), np.uint8), 0.0, 0)
    seen = Seen(frame, tilted(), Observation(0, 0.0, frame.size, TableSeen(found=True, markers=6)), ())
    return overlay(seen, desk.session, above=above_of(MAT_TABLE), lines=sight_lines(desk.session))


def lift(desk: PlayedDesk, soldier: str) -> None:
    """A hand takes a figure up."""
    seen = {"pose": Pose.STANDING, "confidence": 1.0, "height_mm": 32.0, "base_mm": 25.0}
    figure = desk.figures[soldier]
    lifted = FigureLifted(frame=0, time_s=desk.time_s, figure=figure, mm=desk.places[figure], **seen)  # type: ignore[arg-type]
    desk.tell(lifted)


def test_a_figure_that_is_carried_leaves_no_mark_behind() -> None:
    """In the air it is not where it stood: neither ring nor name, no line to it and none from it."""
    desk = PlayedDesk()
    desk.begin()
    before = drawn(desk)
    assert [before.count(name) for name, _, _ in START.values()] == [1, 1, 1, 1]
    assert before.count('class="sight') == 2
    assert 'class="aim side0"' in before
    lift(desk, TARIK)
    assert "Tarik" not in drawn(desk)
    assert drawn(desk).count('class="ring') == 3
    lift(desk, LOKAN)
    in_the_air = drawn(desk)
    assert "Lokan" not in in_the_air
    assert 'class="sight' not in in_the_air
    assert 'class="aim' not in in_the_air


def test_once_everybody_stands_there_what_belongs_to_nobody_is_not_drawn() -> None:
    """Before, it may be somebody's figure; in a game it is mostly a cup."""
    desk = PlayedDesk()
    desk.begin()
    desk.put_figure("stranger", (30.0, 30.0))
    assert 'class="ring nobody' not in drawn(desk)
    assert drawn(desk).count('class="ring') == 4


def left(desk: PlayedDesk, soldier: str) -> None:
    """A figure is gone from the table."""
    seen = {"pose": Pose.STANDING, "confidence": 1.0, "height_mm": 32.0, "base_mm": 25.0}
    figure = desk.figures[soldier]
    desk.tell(FigureLeft(frame=0, time_s=desk.time_s, figure=figure, mm=desk.places[figure], **seen))  # type: ignore[arg-type]


def test_what_is_not_drawn_is_not_listed_to_be_corrected_and_the_other_way_round() -> None:
    """A second sight of somebody had no ring in the picture, but stood as "?" among the figures to correct."""
    desk = PlayedDesk()
    desk.begin()
    desk.put_figure("stranger", (30.0, 30.0))
    assert [f.figure for f in shown_figures(desk.session)] == [desk.figures[soldier] for soldier in START]
    lift(desk, TARIK)  # in a hand, it is still there: the stranger is nobody's
    assert len(shown_figures(desk.session)) == 3
    left(desk, TARIK)  # gone from the table: the stranger may be it
    listed = [f.figure for f in shown_figures(desk.session)]
    assert desk.figures["stranger"] in listed
    assert drawn(desk).count('class="ring') == len(listed) == 4


def test_before_the_game_begins_figures_without_a_name_are_drawn() -> None:
    desk = PlayedDesk()
    desk.tell(TableFound(frame=0, time_s=desk.time_s))
    desk.put_figure("stranger", (30.0, 30.0))
    assert 'class="ring nobody' in drawn(desk)
