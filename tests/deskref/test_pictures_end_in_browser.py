"""The set-up in a browser where the pictures end, or where one picture is the camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.calibration.simulated import draw_sheet, expose, photograph, view_of
from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, expect, write_clip

pytestmark = SLOW


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture of the mat on a desk."""
    clip, path = tmp_path / "clip.mjpeg", tmp_path / "desk.jpg"
    write_clip(clip, frames=1)
    path.write_bytes(clip.read_bytes())
    return path


def write_film(path: Path, picture: Path) -> None:
    image = cv2.imread(str(picture))
    assert image is not None
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 15, (image.shape[1], image.shape[0]))
    for _ in range(15):
        writer.write(image)
    writer.release()


@pytest.mark.parametrize("step", ["aim", "scale", "check"])
def test_a_film_that_has_ended_is_told_and_can_be_played_again(
    run: Callable[..., Program], browser: Any, tmp_path: Path, picture: Path, step: str
) -> None:
    """The steps went on waiting without a word."""
    write_film(tmp_path / "film.mp4", picture)
    program = run("play", "--camera", str(tmp_path / "film.mp4"))
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{program.address}/setup?step={step}")
    card = page.get_by_role("alert").filter(has_text="The pictures of film.mp4 have ended")
    expect(card).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text("All is well")).to_have_count(0)
    page.get_by_role("button", name="Play them again").click()
    expect(card).to_be_hidden(timeout=PATIENCE_MS)
    expect(card).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Choose another camera").click()
    expect(page.locator(".steps .here")).to_contain_text("Camera", timeout=PATIENCE_MS)
    expect(card).to_be_hidden(timeout=PATIENCE_MS)


def test_one_picture_is_a_camera_that_stays(run: Callable[..., Program], browser: Any, picture: Path) -> None:
    program = run("play", "--camera", str(picture))
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{program.address}/setup?step=scale")
    page.locator("svg.over .area").wait_for(state="attached", timeout=PATIENCE_MS)
    frame = "document.querySelector('.live img, .picture img').naturalWidth"
    page.wait_for_function(f"() => {frame} > 300", timeout=PATIENCE_MS)
    page.goto(f"{program.address}/setup?step=aim")
    expect(page.locator(".meters")).to_contain_text("6 of 6", timeout=PATIENCE_MS)
    expect(page.get_by_text("have ended")).to_have_count(0)


def test_the_buttons_cover_no_advice(run: Callable[..., Program], browser: Any, tmp_path: Path) -> None:
    """On a small laptop the second and third piece of advice lay below the bar with Back, Skip and Next."""
    view = view_of(size=(640, 480), tilt_degrees=65)
    image = expose(photograph(draw_sheet(), view), gain=0.35)
    assert cv2.imwrite(str(tmp_path / "bad.png"), image)
    program = run("play", "--camera", str(tmp_path / "bad.png"))
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{program.address}/setup?step=aim")
    expect(page.locator(".advice").nth(2)).to_be_visible(timeout=PATIENCE_MS)
    bar = page.locator(".setup > .ways").bounding_box()
    for advice in page.locator(".advice").all()[:3]:
        box = advice.bounding_box()
        assert box["y"] + box["height"] <= bar["y"] + 1, advice.inner_text()
    expect(page.get_by_text("not known yet")).to_have_count(0)
