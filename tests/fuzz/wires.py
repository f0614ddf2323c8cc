"""What comes over wires and the air: boards, WLED, cameras with an address, pictures."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import numpy as np
from PIL import Image

from devices import http_answer
from devices.board import BoardError
from devices.board_dialect import DeskrefDialect
from devices.board_protocol import (
    MAGIC,
    MOST_LEDS,
    Command,
    Damaged,
    Decoder,
    Frame,
    Greeting,
    encode,
    greeting_payload,
)
from devices.board_wled import DRGB_MOST, WledSerialDialect, WledUdpDialect, drgb, ranges_json
from devices.camera import SourceError
from devices.mjpeg import MjpegParser, jpeg_size
from devices.pictures import decode_picture
from devices.pushed import PushedSource
from devices.stream import Stream
from tests.fuzz.engine import Target


class _Clock:
    """Passes by a hundredth of a second whenever it is asked."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 0.01
        return self.now_s


class _Port:
    """A serial port at which bytes wait, in pieces whose lengths the first byte decides."""

    def __init__(self, data: bytes) -> None:
        self._piece = 1 + (data[0] if data else 0)
        self._data = data[1:]
        self.written = bytearray()

    @property
    def in_waiting(self) -> int:
        return min(self._piece, len(self._data))

    def read(self, size: int = 1) -> bytes:
        piece, self._data = self._data[:size], self._data[size:]
        return piece

    def write(self, data: bytes, /) -> int:
        self.written += data
        return len(data)

    def close(self) -> None:
        """Nothing is open."""


def _serial(data: bytes, folder: Path) -> str | None:
    decoder = Decoder()
    port = _Port(data)
    while piece := port.read(max(1, port.in_waiting)):
        for frame in decoder.feed(piece):
            if isinstance(frame, Frame):
                if len(frame.payload) <= 250:
                    (again,) = Decoder().feed(encode(frame))
                    assert again == frame, "what is encoded is decoded"
            else:
                assert isinstance(frame, Damaged)
                assert len(frame.data) <= Decoder.MOST
    return f"{_obeys(data)} {_obeys(_framed(data))}"


def _framed(data: bytes) -> bytes:
    """The same bytes in frames with true checksums, which chance alone would not find."""
    pieces = [piece for piece in data.split(b"\xfe")[:20] if len(piece) > 1]
    return b"\x20" + b"".join(encode(Frame(piece[0], piece[1], piece[2:252])) for piece in pieces)


def _obeys(data: bytes) -> str:
    """Greet what says this, and let it show, sound and go dark."""
    port = _Port(data)
    dialect = DeskrefDialect(clock=_Clock())
    try:
        met = dialect.greet(port, lambda: False)
        assert 0 <= met.leds <= MOST_LEDS
        assert met.name.isprintable()
        dialect.show(port, ((1, 2, 3),) * 8)
        dialect.play(port, ((440, 100),))
        dialect.hears_reset(port)
        dialect.beat(port)
        dialect.leave(port)
    except BoardError as error:
        answer = str(error)
    else:
        answer = "obeys"
    assert answer.isprintable()
    return answer


def _wled(data: bytes, folder: Path) -> str | None:
    port = _Port(data)
    dialect = WledSerialDialect(clock=_Clock())
    answers = []
    try:
        met = dialect.greet(port, lambda: False)
        assert 0 <= met.leds <= DRGB_MOST
        assert met.name.isprintable()
        dialect.show(port, ((1, 2, 3),) * 8)
        dialect.hears_reset(port)
        dialect.beat(port)
        dialect.beat(port)
    except BoardError as error:
        answers.append(str(error))

    class Connection(_FakeHttp):
        answer = data

    with mock.patch("devices.board_wled.http.client.HTTPConnection", Connection):
        air = WledUdpDialect("127.0.0.1", clock=_Clock())
        try:
            met = air.greet(port, lambda: False)
            assert 0 <= met.leds <= DRGB_MOST
            assert met.name.isprintable()
            air.beat(port)
        except BoardError as error:
            answers.append(str(error))
    return " ".join(answers)


def _stream(data: bytes, folder: Path) -> str | None:
    """An answer of a camera, its pieces as long as the first byte says."""
    clock = _Clock()
    with mock.patch.object(http_answer.socket, "create_connection", return_value=_Connection(data)):
        stream = Stream("http://127.0.0.1:1/video", clock=clock, sleep=lambda _: None)
        try:
            for _ in range(4):
                frame = stream.read(0.01)
                assert frame is None or frame.image_bgr.ndim == 3
        except SourceError as error:
            return error.code.name
        finally:
            stream.close()
    return "pictures"


class _Connection:
    """A socket from which an answer comes."""

    def __init__(self, data: bytes) -> None:
        self._piece = 1 + 8 * (data[0] if data else 0)
        self._data = data[1:]

    def settimeout(self, seconds: float) -> None:
        """Nothing is waited for."""

    def sendall(self, data: bytes) -> None:
        """Nobody reads."""

    def recv(self, most: int) -> bytes:
        piece, self._data = self._data[: min(self._piece, most)], self._data[min(self._piece, most) :]
        return piece

    def close(self) -> None:
        """Nothing is open."""


def _parts(data: bytes, folder: Path) -> str | None:
    """The parts of a stream, by themselves: cut anywhere, the pictures are the same as far as lengths are told."""
    parser = MjpegParser("frame")
    step = 1 + (data[0] if data else 0)
    found = []
    for begin in range(1, len(data), step):
        found += parser.feed(data[begin : begin + step])
    for picture in found:
        assert picture.startswith(b"\xff\xd8")
        jpeg_size(picture)
    reader = http_answer.ChunkReader()
    try:
        for begin in range(1, len(data), step):
            reader.feed(data[begin : begin + step])
    except ConnectionError as error:
        return str(error)
    return f"{min(len(found), 3)} pictures"


def _picture(data: bytes, folder: Path) -> str | None:
    """A file that shall be a picture, and the same bytes as a phone sends them."""
    answers = []
    try:
        picture = decode_picture(data, name="a.png")
        assert picture.image_bgr.dtype == np.uint8
        assert picture.image_bgr.shape[2] == 3
    except SourceError as error:
        answers.append(error.code.name)
    source = PushedSource("phone", clock=_Clock())
    try:
        source.push(data, sender="x")
        frame = source.read(0.0)
        answers.append("broken" if frame is None else "frame")
    except SourceError as error:
        answers.append(error.code.name)
    return " ".join(answers)


def _greeted() -> bytes:
    frames = [Frame(Command.READY, 0, _GREETING)]
    frames += [Frame(Command.ACK, number, b"\0") for number in range(1, 6)]
    return b"\x20" + b"".join(encode(frame) for frame in frames)


_GREETING = greeting_payload(Greeting(protocol=1, kind=1, leds=48, limit_ma=450, most_payload=250))
_READY = bytes((Command.READY, 0)) + _GREETING
_ACKS = tuple(bytes((Command.ACK, number, 0)) for number in range(1, 6))


def _images() -> tuple[bytes, ...]:
    chance = np.random.default_rng(3)
    gray = chance.integers(0, 255, (24, 32), dtype=np.uint8)
    bgr = np.dstack([gray, gray[::-1], gray])
    found = [cv2.imencode(end, bgr)[1].tobytes() for end in (".jpg", ".png", ".webp", ".bmp", ".tiff")]
    for mode, form in (("CMYK", "JPEG"), ("P", "GIF"), ("I;16", "PNG"), ("LA", "PNG"), ("1", "TIFF")):
        kept = io.BytesIO()
        base = Image.fromarray(gray)
        image = Image.fromarray(gray.astype(np.uint16) * 256) if mode == "I;16" else base.convert(mode)
        image.save(kept, form)
        found.append(kept.getvalue())
    frames = io.BytesIO()
    Image.fromarray(gray).save(frames, "GIF", save_all=True, append_images=[Image.fromarray(gray.T)] * 2)
    turned = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(gray).save(turned, "JPEG", exif=exif, progressive=True)
    return (*found, frames.getvalue(), turned.getvalue())


def _answers() -> tuple[bytes, ...]:
    jpeg = _images()[0]
    part = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg) + jpeg + b"\r\n"
    multipart = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n" + part * 3
    chunk = b"%x\r\n" % len(part) + part + b"\r\n"
    chunked = (
        b'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/x-mixed-replace;boundary="--frame"'
        b"\r\n\r\n" + chunk * 2 + b"0\r\n\r\n"
    )
    still = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg) + jpeg
    other = b"HTTP/1.1 302 Found\r\nLocation: /shot.jpg\r\n\r\n"
    page = b"HTTP/1.1 401 No\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi"
    return tuple(b"\x10" + answer for answer in (multipart, chunked, still, other, page))


WLED = (
    b"\x10WLED 2405180\r\n" + b'{"state":{"on":true},"info":{"ver":"0.15.0","leds":{"count":60},"brand":"WLED"}}',
    b"\x40Ada\r\n",
    b'{"ver":"0.15.0","leds":{"count":60},"brand":"WLED"}',
)

PARTS_WORDS = (
    b"--frame",
    b"\r\n\r\n",
    b"\n\n",
    b"Content-Length: ",
    b"\xff\xd8",
    b"\xff\xd9",
    b"0\r\n",
    b"ffffffff\r\n",
)


class _FakeHttp:
    """A connection of the library that gives prepared bytes."""

    answer = b""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Nothing is connected."""

    def request(self, *_: Any) -> None:
        """Nobody is asked."""

    def getresponse(self) -> io.BytesIO:
        return io.BytesIO(self.answer)

    def close(self) -> None:
        """Nothing is open."""


def _pure(data: bytes, folder: Path) -> str | None:
    """Pictures of the strip, whatever their length and colours, as WLED wants them."""
    picture = tuple(tuple(data[at : at + 3]) for at in range(0, len(data) - 2, 3))[:2000]
    said = ranges_json(picture)  # type: ignore[arg-type]
    assert said.isascii()
    assert json.loads(said)["on"] is True
    assert len(drgb(picture)) <= 2 + 3 * DRGB_MOST  # type: ignore[arg-type]
    return None


TARGETS = (
    Target(
        "serial",
        "frames of the board (COBS, CRC) and its greeting",
        _serial,
        (_greeted(), b"\x05WLED\r\n>>>", b"\xfe".join((_READY, *_ACKS))),
        (MAGIC, b"\xfe", b"\x80\x01\0", b"\x81\x01", b"\x03\x01", b"\0"),
    ),
    Target(
        "wled", "what WLED says over USB and over HTTP", _wled, WLED, (b'"count":', b"9" * 400, b"WLED ", b"[" * 99)
    ),
    Target("strip", "pictures of the strip for WLED", _pure, (bytes(range(90)), b"\0" * 60)),
    Target("stream", "answers of cameras with an address", _stream, _answers(), PARTS_WORDS),
    Target("parts", "motion JPEG and chunks by themselves", _parts, _answers(), PARTS_WORDS),
    Target("picture", "pictures in files and as phones send them", _picture, _images()),
)
