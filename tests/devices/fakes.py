"""Stand-ins for cameras: a clock that is told the time, captures that lie, and a small server of motion JPEG."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from devices.camera import Source, SourceDetails, SourceError, TroubleCode
from devices.camera_list import CameraInfo
from devices.camera_loop import CameraStatus
from devices.camera_thread import CameraThread
from devices.frame import Frame

Image = npt.NDArray[np.uint8]

WAIT_S = 10.0
"""Longest wait of a test for something that another thread does; reached only when the test fails."""


class FakeClock:
    """Seconds that pass only when somebody sleeps or reads."""

    def __init__(self, now_s: float = 1000.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, wait_s: float) -> None:
        self.now_s += max(0.0, wait_s)


class PictureMaker:
    """Makes pictures that all differ by their noise, as a camera's do. Seeded."""

    def __init__(self, *, seed: int = 7, size: tuple[int, int] = (64, 48), level: int = 120) -> None:
        self._chance = np.random.default_rng(seed)
        self.size = size
        self.level = level

    def __call__(self) -> Image:
        width, height = self.size
        noise = self._chance.integers(-8, 9, (height, width, 3), dtype=np.int16)
        return np.clip(noise + self.level, 0, 255).astype(np.uint8)


def black_picture(size: tuple[int, int] = (64, 48)) -> Image:
    return np.zeros((size[1], size[0], 3), np.uint8)


class FakeCapture:
    """A `cv2.VideoCapture` that gives prepared pictures and remembers what was set, in order.

    A picture may be None (refused), an exception (raised), or a function that is called for the picture.
    """

    def __init__(
        self,
        pictures: Iterable[Any],
        *,
        is_open: bool = True,
        properties: dict[int, float] | None = None,
        obeys: Callable[[int, float], bool] = lambda prop, value: True,
        before_grab: Callable[[], object] = lambda: None,
    ) -> None:
        self._pictures: Iterator[Any] = iter(pictures)
        self._is_open = is_open
        self.properties: dict[int, float] = dict(properties or {})
        self._obeys = obeys
        self._before_grab = before_grab
        self._grabbed: Any = None
        self.asked: list[tuple[int, float]] = []
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return self._is_open and not self.released

    def grab(self) -> bool:
        assert not self.released, "a released capture must not be read"
        self._before_grab()
        picture = next(self._pictures, None)
        if callable(picture):
            picture = picture()
        if isinstance(picture, Exception):
            raise picture
        self._grabbed = picture
        return picture is not None

    def retrieve(self) -> tuple[bool, Any]:
        return self._grabbed is not None, self._grabbed

    def get(self, prop: int, /) -> float:
        return self.properties.get(prop, 0.0)

    def set(self, prop: int, value: float, /) -> bool:
        self.asked.append((prop, value))
        if not self._obeys(prop, value):
            return False
        self.properties[prop] = value
        return True

    def release(self) -> None:
        self.released = True


def camera(name: str = "Fake cam", identity: str = "v4l:fake", index: int = 0) -> CameraInfo:
    return CameraInfo(name, identity, index, cv2.CAP_ANY)


class ScriptedSource(Source):
    """A live source that plays a script: each step is a picture, None (nothing came), or an exception."""

    is_live = True
    name = "scripted"
    identity = "scripted"

    def __init__(self, steps: Iterable[Any], *, clock: FakeClock, interval_s: float = 1 / 30) -> None:
        super().__init__()
        self._steps = iter(steps)
        self._clock = clock
        self._interval_s = interval_s
        self.opened = 0
        self.closed = 0
        self.open_troubles: list[SourceError | None] = []

    @property
    def details(self) -> SourceDetails:
        return SourceDetails(way="a script")

    def open(self) -> None:
        self.opened += 1
        if self.open_troubles and (trouble := self.open_troubles.pop(0)) is not None:
            raise trouble

    def read(self, timeout_s: float) -> Frame | None:
        step = next(self._steps)
        if isinstance(step, Exception):
            raise step
        if step is None:
            self._clock.sleep(timeout_s)
            return None
        self._clock.sleep(self._interval_s)
        return Frame(step.copy(), self._clock(), self._next_number())

    def close(self) -> None:
        self.closed += 1

    def again(self) -> ScriptedSource:
        raise NotImplementedError


def wait_until(is_so: Callable[[], bool], *, timeout_s: float = WAIT_S) -> None:
    """Wait for another thread, failing after the timeout."""
    tick = threading.Event()
    deadline_s = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline_s, "what was waited for did not happen"
        tick.wait(0.005)


def wait_for_status(thread: CameraThread, is_so: Callable[[CameraStatus], bool]) -> CameraStatus:
    """Wait for a camera thread's status."""
    wait_until(lambda: is_so(thread.status))
    return thread.status


def gone() -> SourceError:
    return SourceError(TroubleCode.UNPLUGGED, "The camera is gone.", "Plug it in again.")


def jpeg(image: Image, quality: int = 90) -> bytes:
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok
    return data.tobytes()


def stamped(number: int, *, size: tuple[int, int] = (320, 240), seed: int = 0) -> Image:
    """A noisy picture whose upper left shows a number as 16 black or white squares, readable after JPEG."""
    image = PictureMaker(seed=seed + number, size=size)()
    for bit in range(16):
        image[0:16, bit * 16 : bit * 16 + 16] = 255 if number >> bit & 1 else 0
    return image


def stamp_of(image: Image) -> int:
    return sum(1 << bit for bit in range(16) if image[8, bit * 16 + 8].mean() > 127)


Respond = Callable[[http.server.BaseHTTPRequestHandler, str], None]


class CameraServer:
    """An HTTP server on 127.0.0.1 that answers each path as told."""

    def __init__(self, respond: Respond) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                asked.append(self.path)
                self.close_connection = True
                try:
                    respond(self, self.path)
                except (BrokenPipeError, ConnectionResetError):
                    return

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                return

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self.stopping = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> CameraServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(WAIT_S)


def start_multipart(handler: http.server.BaseHTTPRequestHandler, boundary: str = "frame") -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={boundary}")
    handler.end_headers()


def send_part(
    handler: http.server.BaseHTTPRequestHandler, data: bytes, *, boundary: str = "frame", with_length: bool = True
) -> None:
    length = f"Content-Length: {len(data)}\r\n" if with_length else ""
    handler.wfile.write(f"--{boundary}\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + data + b"\r\n")
    handler.wfile.flush()


def send_whole(handler: http.server.BaseHTTPRequestHandler, data: bytes, kind: str, *, status: int = 200) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)
