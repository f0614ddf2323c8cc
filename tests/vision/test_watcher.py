"""Films that are drawn, seen frame by frame and folded into events."""

from __future__ import annotations

import math
from collections import Counter
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.table_watch import Change, Status, start_watch, watch
from tests.calibration.simulated import draw_sheet, photograph, view_of
from tests.vision.drawn_table import DrawnTable, camera, empty_table
from vision import watcher
from vision.events import DieAppeared, DieAtRest, FigureEntered, FigureTipped, ObstacleMoved
from vision.observation import Pose, SeenDie
from vision.pieces import Kind, Piece
from vision.rectify import top_view
from vision.table_state import TableState
from vision.watch_memory import Known, is_print
from vision.watcher import Watcher, _agreed


def _table(seed: int = 1, **flaws: float) -> DrawnTable:
    """A table that was empty until now."""
    table = DrawnTable(seed, **flaws)  # type: ignore[arg-type]  # only the flaws that are numbers are given
    table.wait(0.5)
    assert table.watcher.knows_empty_table
    return table


def _set(table: DrawnTable, *, seconds: float) -> None:
    """Let the watcher begin anew with what stands there now, as after a restart in the middle of a game."""
    table.watcher.forget()
    table.wait(seconds)


def test_a_table_with_nothing_on_it_is_learnt_and_tells_nothing() -> None:
    table = _table()
    table.wait(0.7)
    assert table.kinds() == ["table_found"]
    assert all(not o.dice and not o.figures and not o.hands and not o.motions for o in table.observations)


@pytest.mark.slow
def test_a_game_opening_is_told_as_it_is_played() -> None:
    """A figure and a die are put down by hand; the die is thrown."""
    table = _table()
    figure = table.paint(table.figure((0.0, 0.0), ()), (60, 60, 190))
    figure.mm = None
    die = table.die((0.0, 0.0), 4)
    die.mm = None
    table.put(figure, (-40.0, 30.0))
    table.put(die, (20.0, 50.0))
    table.wait(1.5)
    assert table.kinds("figure", "die") == ["figure_entered", "die_appeared"]
    entered = next(e for e in table.events if isinstance(e, FigureEntered))
    assert entered.mm == pytest.approx((-40, 30), abs=3.0)
    assert entered.pose is Pose.STANDING
    appeared = next(e for e in table.events if isinstance(e, DieAppeared))
    assert appeared.value in (4, None)
    assert appeared.mm == pytest.approx((20, 50), abs=2.0)
    table.take(die)
    table.throw([(die, (60.0, -40.0), 5)], (20.0, 10.0))
    table.wait(0.9)
    assert table.kinds("figure", "die")[2:] == ["die_taken", "die_thrown", "die_rest"]
    rest = next(e for e in table.events if isinstance(e, DieAtRest))
    assert rest.value in (5, None)
    assert rest.mm == pytest.approx((60, -40), abs=2.0)


@pytest.mark.slow
def test_a_figure_that_falls_is_told_within_a_second() -> None:
    table = _table()
    figure = table.paint(table.figure((0.0, 0.0), ()), (60, 60, 190))
    figure.mm = None
    table.put(figure, (-40.0, 30.0))
    table.wait(0.8)
    entered = next(e for e in table.events if isinstance(e, FigureEntered))
    table.reach((-40.0, 30.0))
    figure.pose, figure.mm = Pose.TIPPED, (-28.0, 34.0)
    fell_s = table.frame / table.rate
    table.reach(None)
    table.wait(0.8)
    tipped = [e for e in table.events if isinstance(e, FigureTipped)]
    assert [e.figure for e in tipped] == [entered.figure]
    assert tipped[0].time_s - fell_s < 1.0
    assert table.kinds("hand")[-2:] == ["hand_over", "hand_gone"]


@pytest.mark.slow
@pytest.mark.parametrize("noise", [1.0, 6.0])
def test_noise_and_a_changing_light_are_no_events(noise: float) -> None:
    """C19: the light of a mains lamp ripples; webcams hunt for the exposure."""
    table = _table(3, noise=noise, light=0.06)
    table.die((30.0, 30.0), 3)
    table.obstacles.append(((-30.0, -20.0), 16.0))
    _set(table, seconds=1.0)
    start = len(table.events)
    table.wait(1.5)
    assert table.events[start:] == []
    obstacle = [e for e in table.events if isinstance(e, ObstacleMoved)]
    assert len(obstacle) == 1
    assert obstacle[0].height_mm == pytest.approx(18, abs=6)


@pytest.mark.slow
def test_a_hand_that_passes_over_leaves_everything_as_it_was() -> None:
    table = _table(4)
    table.die((30.0, 30.0), 3)
    table.paint(table.figure((-30.0, 30.0), ()), (60, 160, 60))
    _set(table, seconds=1.0)
    start = len(table.events)
    table.reach((0.0, 30.0), 0.3)
    table.reach((30.0, 35.0), 0.3)
    table.wait(0.3)
    table.reach(None)
    table.wait(0.6)
    assert [e.kind for e in table.events[start:]] == ["hand_over", "hand_gone"]


@pytest.mark.slow
def test_a_frame_has_one_look_at_most_and_what_waits_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four dice that come to lie in four corners in one frame: each is looked at, in frames of their own."""
    table = _table(2)
    looks: list[int] = []
    look_closely = table.watcher._look

    def counted(*args: Any, **options: Any) -> None:
        looks.append(table.frame)
        look_closely(*args, **options)

    monkeypatch.setattr(table.watcher, "_look", counted)
    places = [(-70.0, -70.0), (70.0, -70.0), (-70.0, 70.0), (70.0, 70.0)]
    for value, place in enumerate(places, 2):
        table.die(place, value)
    table.wait(2.0)
    assert len(looks) >= 4
    assert max(Counter(looks).values()) == 1
    seen = [d.mm for d in table.observations[-1].dice if d.mm is not None]
    told = [e.mm for e in table.events if isinstance(e, (DieAppeared, DieAtRest))]
    assert len(told) == len(seen) == 4
    for place in places:
        assert min(math.dist(place, mm) for mm in told) < 4


@pytest.mark.parametrize("corners", [6, 4])
def test_an_obstacle_that_only_one_look_saw_goes_unless_its_edges_were_measured(
    monkeypatch: pytest.MonkeyPatch, corners: int
) -> None:
    """A hand's shadow stayed as an obstacle and gave a cover that was none."""
    table = _table(3)
    looks: list[int] = []
    look_at = watcher.look_at

    def once(*args: Any, **options: Any) -> tuple[Piece, ...]:
        looks.append(table.frame)
        if len(looks) > 1:
            return look_at(*args, **options)
        turns = np.arange(corners) * 2 * np.pi / corners
        outline = np.column_stack([20 + 9 * np.cos(turns), 50 + 9 * np.sin(turns)])
        return (Piece(Kind.OBSTACLE, 0.8, outline, (20.0, 50.0), height_mm=20.0, footprint_mm=outline),)

    monkeypatch.setattr(watcher, "look_at", once)
    table.die((20.0, 50.0), 4)
    table.wait(1.0)
    assert len(looks) >= 3
    assert any(len(o.obstacles) == 1 for o in table.observations)
    assert len(table.observations[-1].obstacles) == (corners == 4)


def test_a_die_on_a_marker_that_is_seen_is_print() -> None:
    """Marker 4 was told as a die that nobody could read, and after a bump as a 2."""
    top = top_view(camera())
    seen = SimpleNamespace(top=top, doubted_ids=(0, 1, 4))

    def known(mm: tuple[float, float], values: list[int | None], *, value: int | None = None) -> Known:
        readings = [SeenDie((0, 0, 9, 9), one, 0.9, mm) for one in values]
        piece = Piece(Kind.DIE, 0.5, np.zeros((4, 2)), mm)
        return Known(piece, (0, 1, 0, 1), SeenDie((0, 0, 9, 9), value, 0.5, mm), readings)

    on_marker = known((5.9, -109.9), [None] * 3)
    assert is_print(on_marker, seen)  # type: ignore[arg-type]  # what it looks at
    assert is_print(known((2.9, -120.7), [2, 2, 2], value=2), seen)  # type: ignore[arg-type]
    assert not is_print(on_marker, SimpleNamespace(top=top, doubted_ids=(0, 1)))  # type: ignore[arg-type]
    for other in (
        known((5.9, -95.0), [None] * 3),
        known((10.0, -106.0), [None, 4, 4, 4], value=4),
    ):
        assert not is_print(other, seen)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_film_without_movement_has_no_hand_however_a_cloth_looks() -> None:
    """What lies there like an arm from the first picture on is none; once it stirs it is told, and its leaving too."""
    table = DrawnTable(9)
    table.die((70.0, 70.0), 4)
    table.reach((0.0, -30.0))
    table.watcher.forget()
    table.state, table.events = TableState(frame=table.frame - 1), []
    table.wait(1.2)
    assert table.kinds("hand") == []
    table.reach((20.0, -20.0), 0.4)
    assert table.kinds("hand") == ["hand_over"]
    table.reach(None)
    table.wait(1.3)  # where it lay from the start nobody knows the table: that is looked at when it has long been still
    assert table.kinds("hand") == ["hand_over", "hand_gone"]


def test_without_a_table_it_says_so_and_keeps_no_things() -> None:
    seen = Watcher().see(np.zeros((720, 1280, 3), np.uint8), None, frame=1, time_s=0.1, advice="Uncover the mat.")
    assert not seen.table.found
    assert seen.table.advice == "Uncover the mat."
    assert seen.figures == ()


@pytest.mark.slow
def test_a_bump_makes_it_look_anew() -> None:
    table = _table(5)
    table.die((30.0, 30.0), 3)
    _set(table, seconds=0.8)
    view = camera(elevation=58.0, azimuth=-86.0)
    table.view, table.empty = view, empty_table(view)
    table.moved = True
    table.step()
    assert table.observations[-1].moving
    table.moved = False
    start = len(table.events)
    table.wait(1.0)
    assert [e.kind for e in table.events[start:] if not e.kind.startswith("camera")] == []
    assert table.observations[-1].dice[0].mm == pytest.approx((30, 30), abs=2.0)


def test_places_are_in_doubt_until_markers_of_both_ends_have_been_in_view() -> None:
    """Squares of one end leave millimetres; what was measured by all of them stays good when they are covered."""
    truth = view_of(size=(1280, 720), tilt_degrees=20)
    part, whole = (photograph(draw_sheet(without=ids), truth, noise=2) for ids in ((0, 1, 2), ()))
    state, watcher = start_watch(), Watcher()
    doubts: list[float | None] = []
    for number, hidden in enumerate([True] * 12 + [False] * 60 + [True] * 12):
        image = part if hidden else whole
        state, view, change = watch(state, image, number / 30)
        seen = watcher.see(
            cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image,
            view,
            frame=number,
            time_s=number / 30,
            moved=change is Change.MOVED,
            steady=state.status in (Status.SEEN, Status.HELD),
        )
        doubts.append(seen.table.doubt_mm)
    rough, sure, covered = doubts[11], doubts[71], doubts[-1]
    assert rough is not None
    assert sure is not None
    assert sure < 1.5
    assert 2 * sure < rough < 6.0
    assert covered == sure


def _reading(value: int | None, *, cocked: bool = False) -> SeenDie:
    return SeenDie((0.0, 0.0, 9.0, 9.0), value, 0.9, cocked=cocked, why="it is cocked" if cocked else None)


@pytest.mark.parametrize(
    ("readings", "value", "cocked"),
    [
        ([_reading(None, cocked=True)] * 3, None, True),
        ([_reading(None, cocked=True)] * 2, None, False),
        ([_reading(5)] * 4 + [_reading(None, cocked=True)] * 2, 5, False),
        ([_reading(5)] * 3 + [_reading(None, cocked=True)] * 3, None, False),
        ([_reading(None, cocked=True)] * 4 + [_reading(5)] * 2, None, True),
    ],
)
def test_a_die_is_cocked_where_most_readings_say_so(readings: list[SeenDie], value: int | None, cocked: bool) -> None:
    joined = _agreed(readings)
    assert (joined.value, joined.cocked) == (value, cocked)
    assert (joined.why == "it is cocked") is cocked


@pytest.mark.slow
def test_a_thrown_die_has_its_value_within_a_quarter_of_a_second_from_rest() -> None:
    """Median of throws at 30 frames a second; a frame more for the one in which it came to rest."""
    table = _table(5)
    die = table.die((0.0, 0.0), 4)
    die.mm = None
    for place, value in (((60.0, -40.0), 5), ((-50.0, 30.0), 3), ((20.0, 50.0), 6)):
        table.throw([(die, place, value)], (0.0, 0.0))
        table.wait(0.6)
        table.take(die)
        table.wait(0.3)
    rests = [e.settled_s for e in table.events if isinstance(e, DieAtRest) and e.value is not None]
    assert len(rests) >= 2
    assert sorted(rests)[len(rests) // 2] <= 0.25 + 1 / table.rate
