"""Measure what the live page costs and how quick it is, and print the figures.

    python -m tests.deskref.measure_page

A film of the demo's game plays at 15 pictures a second. Processor time is counted and not the clock, so it says the
same on a busy computer; what is waited for is longer there, and the load is printed with it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2

from deskref.demo import FILM, SETUP
from tests.deskref.browsing import PATIENCE_MS, Program, open_browser, playwright, turn

PICTURES_HZ = 15
WINDOWS, WINDOW_S = 3, 6.0
"""Of time in which processor time is counted; the median of them is told."""

PAINTS = 5
"""First visits, each by a browser that has nothing kept."""

FOLLOW = """async (seconds) => {
  const pictures = new Map(), drawings = new Map();
  const note = () => {
    const number = document.querySelector("svg.over")?.dataset.frame;
    if (number !== undefined && !drawings.has(+number)) drawings.set(+number, performance.now());
  };
  new MutationObserver(note).observe(document.querySelector(".live"), {childList: true, subtree: true});
  const stop = new AbortController();
  const stream = (await fetch(document.querySelector(".live img").src, {signal: stop.signal})).body.getReader();
  setTimeout(() => stop.abort(), 1000 * seconds);
  const text = new TextDecoder("latin1");
  let last = null, tail = "";
  try {
    for (;;) {
      const {done, value} = await stream.read();
      if (done) break;
      const part = tail + text.decode(value);
      for (const found of part.matchAll(/X-Frame: (\\d+)\\r\\n/g)) last = +found[1];
      if (last !== null && part.includes("\\r\\n--frame\\r\\n") && !pictures.has(last))
        pictures.set(last, performance.now());
      tail = part.slice(-40);
    }
  } catch { /* the time is over */ }
  return [[...pictures], [...drawings]];
}"""
"""When each picture had arrived, and when the drawing of each frame stood on the page."""

COUNT = """async (seconds) => {
  let changes = 0;
  const watching = new MutationObserver((records) => { changes += records.length; });
  watching.observe(document.body, {childList: true, subtree: true, attributes: true, characterData: true});
  await new Promise((done) => setTimeout(done, 1000 * seconds));
  watching.disconnect();
  return changes / seconds;
}"""
"""How many changes of the page there are a second."""

STARTS = 3
"""Of the demo, each by an interpreter of its own."""

PICTURED = """() => (document.querySelector(".live img")?.naturalWidth ?? 0) > 0"""

PAINTED = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null"""


def processor_s(roots: Sequence[int]) -> float:
    """Give the processor time that processes and all below them have taken so far, in seconds."""
    parents: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        parents.setdefault(int(fields[1]), []).append(int(folder.name))
        spent[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    total, waiting = 0.0, list(roots)
    while waiting:
        process = waiting.pop()
        total += spent.get(process, 0.0)
        waiting += parents.get(process, [])
    return total


def share(roots: Sequence[int]) -> float:
    """Give the share of one core that processes take: the median of some windows."""
    shares = []
    for _ in range(WINDOWS):
        began_s, before_s = time.monotonic(), processor_s(roots)
        time.sleep(WINDOW_S)
        shares.append((processor_s(roots) - before_s) / (time.monotonic() - began_s))
    return statistics.median(shares)


def count_chatter(page: Any) -> None:
    """Print how much the page is told and how much of it changes, a second: figures that no other work disturbs."""
    session = page.context.new_cdp_session(page)
    received: list[int] = []
    session.on("Network.webSocketFrameReceived", lambda frame: received.append(len(frame["response"]["payloadData"])))
    pictures: list[int] = []
    session.on("Network.dataReceived", lambda data: pictures.append(data["dataLength"]))
    session.send("Network.enable")
    changes = page.evaluate(COUNT, WINDOW_S)
    session.detach()
    print(
        f"a second: {len(received) / WINDOW_S:.1f} messages of {sum(received) / WINDOW_S / 1000:.1f} KB together, "
        f"{changes:.1f} changes of the page, {sum(pictures) / WINDOW_S / 1000:.0f} KB of pictures"
    )


def browsers_of(process: int) -> list[int]:
    """Give the browsers that a process has started, by its driver."""
    below = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(one) for path in below for one in path.read_text(encoding="ascii").split()]
    return [one for one in children if b"playwright" in Path(f"/proc/{one}/cmdline").read_bytes()]


def write_film(path: Path) -> None:
    """Write the demo's film at the pace that is measured: every second picture of 30 a second."""
    reader = cv2.VideoCapture(str(FILM))
    size = (int(reader.get(cv2.CAP_PROP_FRAME_WIDTH)), int(reader.get(cv2.CAP_PROP_FRAME_HEIGHT)))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), PICTURES_HZ, size)
    step = max(1, round(reader.get(cv2.CAP_PROP_FPS) / PICTURES_HZ))
    number = 0
    while True:
        there, picture = reader.read()
        if not there:
            break
        if number % step == 0:
            writer.write(picture)
        number += 1
    writer.release()
    reader.release()


def told(values: Sequence[float]) -> str:
    """Put a median and a 95th percentile into words."""
    ordered = sorted(values)
    return f"median {statistics.median(ordered):.0f} ms, p95 {ordered[int(0.95 * (len(ordered) - 1))]:.0f} ms"


def measure_drawing(page: Any) -> None:
    """Print how long after its picture each changed drawing stands on the page."""
    pictures, drawings = (dict(pairs) for pairs in page.evaluate(FOLLOW, 20))
    arrived = sorted(pictures.items())
    behind = []
    for number, drawn_ms in drawings.items():
        # A picture that was left out is shown by the next one.
        shown_ms = next((at for frame, at in arrived if frame >= number), None)
        if shown_ms is not None and arrived[0][0] <= number:
            behind.append(drawn_ms - shown_ms)
    if len(behind) > 1:
        late = told([max(0.0, one) for one in behind])
        print(f"drawing behind its picture: {late} of {len(behind)} changes; before it in {sum(b < 0 for b in behind)}")
    gaps = [b - a for (_, a), (_, b) in pairwise(arrived)]
    if gaps:
        print(f"pictures a second on the page: {1000 / statistics.median(gaps):.1f} (median)")


def measure_paint(browser: Any, address: str) -> None:
    """Print how soon something stands on the page at a first visit, and how soon it takes keys."""
    paints, ready = [], []
    for _ in range(PAINTS):
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(address)
        turn(page, "")
        ready.append(page.evaluate("() => performance.now()"))
        painted = page.evaluate(PAINTED)
        if painted is not None:
            paints.append(painted)
        browser.close_all()
    print(f"first paint: {told(paints)} of {len(paints)} first visits; connected and drawn: {told(ready)}")


def measure_start(browser: Any, folder: Path) -> None:
    """Print how long after its call the demo shows its first picture in a browser that is open."""
    shown = []
    for number in range(STARTS):
        began_s = time.monotonic()
        program = Program(folder / f"start-{number}", "demo", anew=True)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(program.address)
        page.wait_for_function(PICTURED, timeout=PATIENCE_MS)
        shown.append(1000 * (time.monotonic() - began_s))
        program.end()
        browser.close_all()
    print(f"demo, from its call to its first picture: {told(shown)} of {STARTS} starts")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--film", type=Path, help="keep the film here, or take it from here")
    given_film: Path | None = parser.parse_args().film
    print(f"load of this computer: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as name, open_browser() as browser:
        folder = Path(name)
        path = given_film or folder / "film.mp4"
        if not path.exists():
            write_film(path)
        measure_start(browser, folder)
        typed = Program(folder / "typed", "play", "--camera", "none")
        measure_paint(browser, typed.address)
        typed.end()
        given = ("play", "--camera", str(path), "--setup", str(SETUP))
        served = Program(folder / "film", *given)
        alone = share([served.process.pid or 0])
        served.end()
        served = Program(folder / "again", *given)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(served.address)
        # The game is on: only then all is drawn that costs.
        try:
            page.locator("svg.over .ring.turn").wait_for(state="attached", timeout=3 * PATIENCE_MS)
        except playwright.TimeoutError:
            print("too busy: the game has not begun, and the browser's figures are of a table without one")
        looking = browsers_of(os.getpid())
        watched, shown = share([served.process.pid or 0]), share(looking)
        print(f"server: {alone:.0%} of a core without a page, {watched:.0%} with one")
        print(f"browser, all its processes: {shown:.0%} of a core")
        count_chatter(page)
        measure_drawing(page)
        served.end()
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
