"""A deskref that serves its page and a browser that looks at it, for tests."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shutil
import signal
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.mat import MAT
from calibration.sheets import draw_picture
from calibration.table_view import TableView
from tests.deskref.forked import fresh_context, quick_context, serve
from tests.deskref.ports import free_port

playwright = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")
expect = playwright.expect

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 60_000
"""A page of a busy computer took 35 s to load, where eight other things ran on two cores."""
expect.set_options(timeout=PATIENCE_MS)
SLOWED = float(os.environ.get("DESKREF_SLOWED_BROWSER", "1"))
"""How many times slower than this computer the pages run: the tests must pass at 4 as well."""

SLOW = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
]
"""Marks of tests that need a browser."""


def environment(home: Path) -> dict[str, str]:
    """A player's: NiceGUI would take this test's own variables for a test of itself."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return {**kept, "DESKREF_HOME": str(home)}


class Program:
    """A deskref that serves its page."""

    def __init__(self, home: Path, *arguments: str, anew: bool = False) -> None:
        """Begin it and wait until it answers.

        Args:
            home: its settings and games.
            arguments: of the command.
            anew: whether by an interpreter of its own, as a player does; a copy of a prepared one is quicker.
        """
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._said = Path(tempfile.mkstemp(prefix="deskref-said-")[1])
        context = fresh_context() if anew else quick_context()
        given = (*arguments, "--no-browser", "--port", str(self.port))
        # Under any other name NiceGUI takes the process for one of its helpers and serves nothing.
        self.process = context.Process(target=serve, args=(given, home, self._said), name="MainProcess", daemon=True)
        self.process.start()
        end = time.monotonic() + 2 * PATIENCE_MS / 1000
        while True:
            try:
                urllib.request.urlopen(f"{self.address}/plain.css", timeout=5).close()
                break
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                assert self.process.is_alive(), self.said
                assert time.monotonic() < end, f"the page does not answer: {self.said}"
                time.sleep(0.05)

    @property
    def said(self) -> str:
        """What it has printed so far."""
        return self._said.read_text(encoding="utf-8", errors="replace")

    def send(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ask it to end, without waiting for that."""
        if self.process.is_alive() and self.process.pid is not None:
            os.kill(self.process.pid, how)

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it and wait until it has ended."""
        self.send(how)
        self.process.join(PATIENCE_MS / 1000)
        if self.process.is_alive():
            self.process.kill()
            raise AssertionError(f"the program does not end: {self.said}")
        self._said.unlink(missing_ok=True)


class Windows:
    """A browser whose windows have patience, and slow computers' speed where that is asked for."""

    def __init__(self, browser: Any) -> None:
        """Take the browser."""
        self._browser = browser
        self.contexts: list[Any] = []

    def new_context(self, **given: Any) -> Any:
        """Open a context with Playwright's own settings."""
        context = self._browser.new_context(**given)
        context.set_default_timeout(PATIENCE_MS)
        if SLOWED > 1:
            context.on("page", slow_down)
        self.contexts.append(context)
        return context

    def new_page(self, **given: Any) -> Any:
        """Open a window in a context of its own."""
        return self.new_context(**given).new_page()

    def close_all(self) -> None:
        """Close everything: a window that was left open keeps the computer busy."""
        while self.contexts:
            self.contexts.pop().close()


def slow_down(page: Any) -> None:
    """Let a page run as slowly as on an old computer."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})


@contextlib.contextmanager
def open_browser() -> Iterator[Windows]:
    """Open a Chromium whose camera shows the mat."""
    with tempfile.TemporaryDirectory() as folder, playwright.sync_playwright() as p:
        clip = Path(folder) / "mat.mjpeg"
        write_clip(clip)
        camera = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={clip}")
        opened = p.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, *camera])
        yield Windows(opened)
        opened.close()


def write_clip(path: Path, *, frames: int = 20) -> None:
    """Write a clip of the printed mat on a desk, seen by a camera from aside, as motion JPEG."""
    sheet = cv2.cvtColor(draw_picture(MAT, px_per_mm=4.0, rim_mm=20.0), cv2.COLOR_GRAY2BGR)
    rows, columns = sheet.shape[:2]
    corners = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    half_width, half_depth = columns / 8.0, rows / 8.0  # in mm, at 4 px/mm
    sides = ((-half_width, half_depth), (half_width, half_depth), (half_width, -half_depth), (-half_width, -half_depth))
    seen = camera_from_the_right().to_frame(sides).astype(np.float32)
    picture = np.full((720, 1280, 3), (60, 92, 128), np.uint8)
    warp = cv2.getPerspectiveTransform(corners, seen)
    cv2.warpPerspective(sheet, warp, (1280, 720), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.float32) * 0.85
    chance = np.random.default_rng(1)
    with path.open("wb") as file:
        for _ in range(frames):
            noisy = np.clip(soft + chance.normal(0, 3, soft.shape), 0, 255).astype(np.uint8)
            file.write(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())


def camera_from_the_right() -> TableView:
    """A camera at the mat's right edge, 60 degrees above the table, so that the sheet lies landscape in its picture."""
    up, away_mm = math.radians(60), 370.0
    camera_matrix = [[1000.0, 0, 640], [0, 1000.0, 360], [0, 0, 1]]
    rotation = [[0, 1, 0], [math.sin(up), 0, -math.cos(up)], [-math.cos(up), 0, -math.sin(up)]]
    return TableView(
        np.array(camera_matrix), np.zeros(5), np.array(rotation), np.array([0.0, 0.0, away_mm]), (1280, 720)
    )


def ruling(page: Any, text: str) -> None:
    expect(page.locator(".ruling .what")).to_contain_text(re.compile(text), timeout=PATIENCE_MS)


def more(page: Any, name: str) -> None:
    """Press a button of the bar's menu."""
    page.locator(".menu > summary").click(timeout=PATIENCE_MS)
    page.locator("details.menu").get_by_role("button", name=name, exact=True).click(timeout=PATIENCE_MS)


def turn(page: Any, name: str) -> None:
    """Wait until it is somebody's turn on a page that listens: before its socket is open, keys go nowhere."""
    page.wait_for_function("window.did_handshake", timeout=PATIENCE_MS)
    expect(page.locator(".side .who")).to_contain_text(name, timeout=PATIENCE_MS)


PACE_MS = 3000
"""Between two attempts to wake a page."""


def until(page: Any, do: Callable[[], object], seen: str) -> None:
    """Do something until the page shows it: before its socket is open a page takes no keys."""
    for _ in range(PATIENCE_MS // PACE_MS):
        do()
        try:
            page.locator(seen).wait_for(timeout=PACE_MS)
        except playwright.TimeoutError:
            continue
        return
    raise AssertionError(f"the page does not show {seen!r}")


def choose(page: Any, label: str, option: str) -> None:
    """Choose from a list of the page; what its field shows is its value."""
    until(page, lambda: page.get_by_label(label).first.click(), f'[role=option]:has-text("{option}")')
    page.get_by_role("option", name=option, exact=True).click()
