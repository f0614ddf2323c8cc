"""Network cameras: what answers, what it sends, and the newest frame of it. All on 127.0.0.1."""

from __future__ import annotations

import http.server
import socket
import statistics
import threading
import time
from collections.abc import Callable

import pytest

from devices.camera import SourceError, TroubleCode
from devices.camera_loop import CameraState
from devices.camera_thread import CameraThread
from devices.frame import Frame
from devices.http_answer import LONGEST_SHOWN, shown
from devices.latest import Latest
from devices.network_film import NetworkFilm
from devices.stream import BROKEN_AT_MOST, USUAL_PATHS, Stream, addresses_to_try
from tests.devices.fakes import (
    WAIT_S,
    CameraServer,
    jpeg,
    send_part,
    send_whole,
    stamp_of,
    stamped,
    start_multipart,
    wait_for_status,
    wait_until,
)

Handler = http.server.BaseHTTPRequestHandler


def frame_of(source: Stream, *, timeout_s: float = WAIT_S) -> Frame:
    deadline_s = time.monotonic() + timeout_s
    while time.monotonic() < deadline_s:
        frame = source.read(0.5)
        if frame is not None:
            return frame
    raise AssertionError("no frame came")


def numbered_stream(frames: int = 10_000, *, path: str = "/video") -> Callable[[Handler, str], None]:
    """Answer one path with a stream of stamped pictures, every other with a page."""

    def respond(handler: Handler, asked: str) -> None:
        if asked != path:
            send_whole(handler, b"<html>phone camera</html>", "text/html", status=200 if asked == "/" else 404)
            return
        start_multipart(handler)
        tick = threading.Event()
        for number in range(frames):
            send_part(handler, jpeg(stamped(number)))
            tick.wait(0.01)

    return respond


def test_a_motion_jpeg_stream_gives_its_pictures() -> None:
    with CameraServer(numbered_stream()) as server, Stream(f"{server.address}/video") as source:
        first, second = frame_of(source), frame_of(source)
        assert first.size == (320, 240)
        assert stamp_of(second.image_bgr) > stamp_of(first.image_bgr)
        assert second.number == first.number + 1
        assert "motion JPEG" in source.details.way
        assert source.details.size == (320, 240)


@pytest.mark.parametrize("path", [path for path in USUAL_PATHS if path != "/shot.jpg"])
def test_the_usual_places_are_tried_where_the_address_leads_to_a_page(path: str) -> None:
    """People paste the address of the app's page (webcam-capture issue 601)."""
    with CameraServer(numbered_stream(path=path)) as server, Stream(server.address) as source:
        frame_of(source)
        assert server.asked[-1] == path


def test_single_pictures_are_asked_for_again_and_again() -> None:
    count = iter(range(10_000))

    def respond(handler: Handler, path: str) -> None:
        if path == "/shot.jpg":
            send_whole(handler, jpeg(stamped(next(count))), "image/jpeg")
        else:
            send_whole(handler, b"<html></html>", "text/html")

    with CameraServer(respond) as server, Stream(server.address) as source:
        stamps = [stamp_of(frame_of(source).image_bgr) for _ in range(3)]
        assert stamps == sorted(set(stamps))


def test_an_address_with_a_path_of_its_own_is_asked_alone() -> None:
    assert addresses_to_try("http://10.0.0.5:8080/cam/1") == ("http://10.0.0.5:8080/cam/1",)
    assert addresses_to_try("http://10.0.0.5:8080/?action=stream") == ("http://10.0.0.5:8080/?action=stream",)
    assert addresses_to_try("http://10.0.0.5:8080/")[1:3] == (
        "http://10.0.0.5:8080/video",
        "http://10.0.0.5:8080/videofeed",
    )


def test_a_chunked_stream_and_a_redirection_are_followed() -> None:
    def respond(handler: Handler, path: str) -> None:
        if path == "/video":
            handler.send_response(302)
            handler.send_header("Location", "/real")
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=b")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for number in range(50):
            part = b"--b\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg(stamped(number)) + b"\r\n"
            handler.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")

    with CameraServer(respond) as server, Stream(f"{server.address}/video") as source:
        assert frame_of(source).size == (320, 240)


def test_name_and_password_are_sent_and_never_shown() -> None:
    heads: list[str | None] = []

    def respond(handler: Handler, path: str) -> None:
        heads.append(handler.headers["Authorization"])
        if handler.headers["Authorization"] != "Basic YW5uYTpzM2NyZXQ=":
            send_whole(handler, b"", "text/plain", status=401)
            return
        numbered_stream()(handler, path)

    with CameraServer(respond) as server:
        address = server.address.replace("//", "//anna:s3cret@") + "/video"
        with Stream(address) as source:
            frame_of(source)
            assert "s3cret" not in source.name + source.identity + source.details.way
        with pytest.raises(SourceError) as caught:
            Stream(f"{server.address}/video").open()
        assert caught.value.code is TroubleCode.NEEDS_PASSWORD
    assert shown("rtsp://a:b@host/x") == "rtsp://host/x"


def code_of(address: str) -> TroubleCode:
    with pytest.raises(SourceError) as caught:
        Stream(address).open()
    assert caught.value.trouble.remedy
    return caught.value.code


def test_wrong_addresses_have_their_own_words() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert code_of(f"http://127.0.0.1:{unused.getsockname()[1]}/video") is TroubleCode.NO_ANSWER
    for address in ("http://", "http://127.0.0.1:99999/", "http://[::1", "http://127.0.0.1:0/", "http://a b/"):
        assert code_of(address) is TroubleCode.WRONG_ADDRESS, address
    assert code_of("http://no-such-host.invalid/video") is TroubleCode.WRONG_ADDRESS


@pytest.mark.parametrize(
    ("status", "kind", "code"),
    [
        (200, "text/html", TroubleCode.NOT_A_STREAM),
        (404, "text/html", TroubleCode.NOT_A_STREAM),
        (403, "text/html", TroubleCode.NEEDS_PASSWORD),
        (503, "text/html", TroubleCode.BUSY),
        (200, "application/json", TroubleCode.NOT_A_STREAM),
    ],
)
def test_answers_that_are_no_stream_are_told(status: int, kind: str, code: TroubleCode) -> None:
    with CameraServer(lambda handler, _: send_whole(handler, b"{}", kind, status=status)) as server:
        assert code_of(f"{server.address}/video") is code
        assert code_of(server.address) is code


def test_a_circle_of_redirections_is_told() -> None:
    def respond(handler: Handler, path: str) -> None:
        handler.send_response(302)
        handler.send_header("Location", "/video")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    with CameraServer(respond) as server:
        assert code_of(f"{server.address}/video") is TroubleCode.WRONG_ADDRESS


class RawServer:
    """A TCP port that says one thing and then what `then` does with the connection."""

    def __init__(self, says: bytes, then: Callable[[socket.socket], object] = lambda connection: None) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._says, self._then = says, then
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection:
                try:
                    connection.recv(4096)
                    connection.sendall(self._says)
                    self._then(connection)
                except OSError:
                    continue

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}/video"

    def __exit__(self, *_: object) -> None:
        self._listening.close()


def test_something_that_does_not_speak_http_is_told() -> None:
    with RawServer(b"SSH-2.0-OpenSSH_9.2\r\n") as address:
        assert code_of(address) is TroubleCode.NOT_A_STREAM
    with RawServer(b"") as address:
        assert code_of(address) is TroubleCode.NOT_A_STREAM


HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


def test_c6_a_silent_stream_returns_in_time() -> None:
    """C6: the phone is there and says nothing; `read` keeps its timeout."""
    release = threading.Event()
    with RawServer(HEAD, lambda _: release.wait(WAIT_S)) as address:
        source = Stream(address)
        source.open()
        began_s = time.monotonic()
        assert source.read(0.1) is None
        assert time.monotonic() - began_s < 2.0
        release.set()
        source.close()


def test_a_stream_that_ends_is_told() -> None:
    part = b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg(stamped(1)) + b"\r\n--frame\r\n"
    with RawServer(HEAD + part) as address, Stream(address) as source:
        assert stamp_of(frame_of(source).image_bgr) == 1
        with pytest.raises(SourceError) as caught:
            frame_of(source)
        assert caught.value.code is TroubleCode.UNPLUGGED


def test_broken_pictures_are_dropped_and_too_many_are_told() -> None:
    whole, broken = jpeg(stamped(5)), jpeg(stamped(6))[:-300]

    def part(data: bytes) -> bytes:
        return f"--frame\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n"

    pieces = [part(broken)] * 3 + [part(whole)] + [part(broken)] * (BROKEN_AT_MOST + 2)
    step = threading.Semaphore(0)

    def then(connection: socket.socket) -> None:
        for piece in pieces:
            step.acquire(timeout=WAIT_S)
            connection.sendall(piece)

    with RawServer(HEAD, then) as address, Stream(address) as source:
        seen: list[Frame] = []

        def read_on() -> None:
            deadline_s = time.monotonic() + WAIT_S
            while time.monotonic() < deadline_s:
                step.release()
                frame = source.read(0.05)
                if frame is not None:
                    seen.append(frame)

        with pytest.raises(SourceError) as caught:
            read_on()
        assert caught.value.code is TroubleCode.BROKEN_FRAMES
        assert [stamp_of(frame.image_bgr) for frame in seen] == [5]


def lags_of(size: tuple[int, int], *, reads: int) -> tuple[list[float], list[int]]:
    """Read a stream of 30 frames a second about 6 times a second: seconds and frames behind at each reading."""
    sent_s: dict[int, float] = {}
    prepared = [jpeg(stamped(number, size=size), 80) for number in range(90)]

    def respond(handler: Handler, path: str) -> None:
        start_multipart(handler)
        began_s = time.monotonic()
        tick = threading.Event()
        for number in range(10_000):
            tick.wait(max(0.0, began_s + number / 30 - time.monotonic()))
            # The time counts from before sending, as it would from the sensor.
            sent_s[number % 90] = time.monotonic()
            send_part(handler, prepared[number % 90])

    lags: list[float] = []
    behind: list[int] = []
    latest: Latest[Frame] = Latest()
    with CameraServer(respond) as server, CameraThread(Stream(f"{server.address}/video"), latest) as thread:
        wait_for_status(thread, lambda status: status.state is CameraState.LIVE)
        pause = threading.Event()
        for _ in range(reads):
            pause.wait(1 / 6)
            frame = latest.take(WAIT_S)
            now_s = time.monotonic()
            assert frame is not None
            stamp = stamp_of(frame.image_bgr)
            lags.append(now_s - sent_s[stamp])
            newest = max(sent_s, key=lambda number: sent_s[number])
            behind.append((newest - stamp) % 90)
    return lags, behind


def test_the_newest_frame_wins_in_a_slow_reader() -> None:
    """A queue would be 4.5 s, 135 frames, behind after 40 readings; measured with OpenCV's own reader."""
    _, behind = lags_of((320, 240), reads=12)
    assert statistics.median(behind) <= 2
    assert behind[-1] <= 10


@pytest.mark.slow
def test_the_lag_at_720p_is_under_60_ms() -> None:
    """30 frames a second of 1280 x 720 into a reader of 6 a second."""
    lags, _ = lags_of((1280, 720), reads=40)
    assert statistics.median(lags) < 0.060


def test_c7_a_stream_that_breaks_is_connected_again() -> None:
    """C7 for the network: the app was closed and opened again."""
    rounds: list[int] = []

    def respond(handler: Handler, path: str) -> None:
        rounds.append(1)
        numbered_stream(5 if len(rounds) == 1 else 10_000)(handler, path)

    latest: Latest[Frame] = Latest()
    with CameraServer(respond) as server, CameraThread(Stream(f"{server.address}/video"), latest) as thread:
        wait_until(lambda: len(rounds) >= 2)
        status = wait_for_status(thread, lambda s: s.state is CameraState.LIVE and s.openings >= 2)
        assert status.trouble is None


def test_an_rtsp_address_without_camera_is_told() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        source = NetworkFilm(f"rtsp://eve:pw@127.0.0.1:{unused.getsockname()[1]}/live")
        with pytest.raises(SourceError) as caught:
            source.open()
    assert caught.value.code is TroubleCode.NO_ANSWER
    assert "pw" not in str(caught.value)


def test_a_film_behind_an_http_address_is_read_by_ffmpeg(tmp_path: object) -> None:
    from pathlib import Path

    from tests.devices.test_film import write_film

    data = write_film(Path(str(tmp_path)) / "film.avi").read_bytes()
    with CameraServer(lambda handler, _: send_whole(handler, data, "video/x-msvideo")) as server:
        source = NetworkFilm(f"{server.address}/film.avi")
        frame = source.read(1)
        assert frame is not None
        assert stamp_of(frame.image_bgr) == 0
        assert source.details.size == (320, 240)
        following = source.read(1)
        assert following is not None
        assert following.number == 1
        source.close()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://user:secret@host/video", "http://host/video"),
        ("http://user:pa@ss@host/", "http://host/"),
        ("rtsp://user:pa/ss?#@host:554/", "rtsp://host:554/"),
        ("http://host:8080/video", "http://host:8080/video"),
    ],
)
def test_no_piece_of_a_password_is_shown(address: str, said: str) -> None:
    assert shown(address) == said
    assert len(shown(f"http://user:pa@ss@host/{'x' * 5000}")) <= LONGEST_SHOWN + 1
