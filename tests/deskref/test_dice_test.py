"""The guided check of a player's dice: rates, advice, and the talk with the player."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from deskref.command_line import app
from deskref.dice_test import Rates, Throw, advice, parsed_values, rates, still_frame
from devices.frame import Frame
from vision.observation import SeenDie


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        ("3 5 1", (3, 5, 1)),
        ("351", (3, 5, 1)),
        ("3,5;1", (3, 5, 1)),
        ("", None),
        ("7", None),
        ("two", None),
        ("0", None),
    ],
)
def test_typed_values(answer: str, values: tuple[int, ...] | None) -> None:
    assert parsed_values(answer) == values


def test_rates_compare_in_any_order_and_count_what_is_missing() -> None:
    throws = [Throw((3, None, 5), (5, 3, 2)), Throw((6,), (6, 1)), Throw((4, 4), (4, 5))]
    assert rates(throws) == Rates(dice=7, found=6, read=5, right=4)
    assert rates(throws).wrong == 1
    assert rates([]) == Rates(0, 0, 0, 0)


def die(side: int, at: int = 20) -> SeenDie:
    box = (at, at, at + side, at + side)
    top = ((at, at), (at + side, at), (at + side, at + side), (at, at + side))
    return SeenDie(box, 3, 1.0, top_px=top)


def picture(*, body: int, pip: int, blur: float = 0) -> np.ndarray:
    image = np.full((120, 120, 3), 120, np.uint8)
    cv2.rectangle(image, (20, 20), (80, 80), (body,) * 3, -1)
    for at in (35, 50, 65):
        cv2.circle(image, (at, at), 6, (pip,) * 3, -1)
    return cv2.GaussianBlur(image, (0, 0), blur) if blur else image


def test_good_pictures_need_no_advice() -> None:
    assert advice([(picture(body=200, pip=20), [die(60)])]) == ()
    assert advice([]) == ()


def test_each_trouble_gets_its_advice() -> None:
    assert "nearer" in advice([(picture(body=200, pip=20), [die(15)])])[0]
    assert any("dark" in line for line in advice([(picture(body=200, pip=20) // 4, [die(60)])]))
    assert any("mirrored" in line for line in advice([(picture(body=255, pip=20), [die(60)])]))
    assert any("blurred" in line for line in advice([(picture(body=200, pip=20, blur=9), [die(60)])]))


def frames(*levels: int) -> list[Frame]:
    return [Frame(np.full((40, 40, 3), level, np.uint8), float(n), n) for n, level in enumerate(levels)]


def test_the_first_still_frame_is_taken_and_the_newest_when_nothing_rests() -> None:
    coming = iter(frames(10, 90, 91, 200))
    taken = still_frame(lambda: next(coming, None), now=lambda: 0.0)
    assert taken is not None
    assert taken.number == 2
    restless, clock = iter(frames(*range(0, 250, 20))), iter(np.arange(0, 100, 1.0))
    taken = still_frame(lambda: next(restless, None), now=lambda: float(next(clock)))
    assert taken is not None
    assert taken.number >= 3
    assert still_frame(lambda: None, now=iter([0.0, 2.0, 5.0]).__next__) is None


def test_the_command_asks_for_each_picture_and_ends_with_rates(tmp_path: Path) -> None:
    for n in range(2):
        assert cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((120, 160, 3), 90 + n, np.uint8))
    result = CliRunner().invoke(app, ["dice-test", str(tmp_path)], input="nonsense\n2 5\n3\n")
    assert result.exit_code == 0
    assert "I see no dice." in result.output
    assert "Only digits from 1 to 6" in result.output
    assert "3 dice: 0 found (0 %), 0 read (0 %), 0 wrong." in result.output


def test_the_command_can_be_left_and_a_missing_source_is_one_line(tmp_path: Path) -> None:
    assert cv2.imwrite(str(tmp_path / "a.png"), np.full((120, 160, 3), 90, np.uint8))
    assert "No throw was checked." in CliRunner().invoke(app, ["dice-test", str(tmp_path)], input="q\n").output
    assert CliRunner().invoke(app, ["dice-test", str(tmp_path / "none.mp4")]).exit_code == 2
