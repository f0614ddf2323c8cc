"""Cutting pictures out of a stream of bytes, whatever its pieces and faults."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.http_answer import ChunkReader
from devices.mjpeg import PART_MOST_BYTES, MjpegParser, jpeg_size
from tests.devices.fakes import PictureMaker, jpeg

make = PictureMaker(size=(80, 60))
JPEGS = [jpeg(make()) for _ in range(5)]


def stream(*, with_length: bool, boundary: str = "frame", line: str = "\r\n") -> bytes:
    data = b""
    for picture in JPEGS:
        length = f"Content-Length: {len(picture)}{line}" if with_length else ""
        data += f"--{boundary}{line}Content-Type: image/jpeg{line}{length}{line}".encode() + picture + line.encode()
    return data + f"--{boundary}--{line}".encode()


@pytest.mark.parametrize("with_length", [True, False])
@pytest.mark.parametrize("line", ["\r\n", "\n"])
@pytest.mark.parametrize("said", ["frame", "--frame", '"frame"'])
def test_all_pictures_come_out_whole(with_length: bool, line: str, said: str) -> None:
    """Cameras differ in their line ends, in giving lengths, and in how they quote the boundary."""
    assert MjpegParser(said).feed(stream(with_length=with_length, line=line)) == JPEGS


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=60), st.booleans())
def test_how_the_bytes_are_cut_into_pieces_does_not_matter(pieces: list[int], with_length: bool) -> None:
    data = stream(with_length=with_length)
    parser, got, place = MjpegParser("frame"), [], 0
    for piece in pieces:
        got += parser.feed(data[place : place + piece])
        place += piece
    got += parser.feed(data[place:])
    assert got == JPEGS


def test_a_wrong_length_is_corrected_by_the_next_boundary() -> None:
    data = b"--frame\r\nContent-Length: 99999999999\r\n\r\n" + JPEGS[0] + b"\r\n" + stream(with_length=True)
    assert MjpegParser("frame").feed(data) == [JPEGS[0], *JPEGS]


def test_garbage_between_the_pictures_is_dropped() -> None:
    chance = random.Random(2)
    data = chance.randbytes(5000) + stream(with_length=False)[: -len(b"--frame--\r\n")]
    data += b"--frame\r\n\r\n" + b"no picture" + b"\r\n" + stream(with_length=False)
    parser = MjpegParser("frame")
    assert parser.feed(data) == JPEGS + JPEGS
    assert parser.dropped_bytes >= 10


def test_endless_garbage_does_not_fill_the_memory() -> None:
    chance = random.Random(3)
    parser = MjpegParser("frame")
    for _ in range(40):
        assert parser.feed(chance.randbytes(1024 * 1024)) == []
        assert len(parser._buffer) <= PART_MOST_BYTES
    assert parser.feed(b"--frame" + chance.randbytes(10_000)) == []
    parser.feed(b"\r\n--frame--\r\n")
    assert parser.feed(stream(with_length=True))[-5:] == JPEGS


def test_a_picture_without_end_does_not_fill_the_memory() -> None:
    parser = MjpegParser("frame")
    parser.feed(b"--frame\r\n\r\n\xff\xd8")
    for _ in range(20):
        parser.feed(bytes(1024 * 1024))
    assert len(parser._buffer) <= PART_MOST_BYTES


@pytest.mark.parametrize("size", [(80, 60), (1280, 720), (33, 500)])
def test_a_jpegs_size_is_read_from_its_head(size: tuple[int, int]) -> None:
    data = jpeg(PictureMaker(size=size)())
    assert jpeg_size(data) == size
    assert jpeg_size(data[:700]) == size


@given(st.binary(max_size=200))
def test_any_bytes_have_a_size_or_none(data: bytes) -> None:
    assert jpeg_size(data) is None
    jpeg_size(b"\xff\xd8" + data)


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=10), st.integers(1, 9))
def test_a_chunked_answer_is_put_together(chunks: list[bytes], piece: int) -> None:
    data = b"".join(f"{len(chunk):x};x=y\r\n".encode() + chunk + b"\r\n" for chunk in chunks) + b"0\r\n\r\n"
    reader = ChunkReader()
    got = b"".join(reader.feed(data[place : place + piece]) for place in range(0, len(data), piece))
    assert got == b"".join(chunks)
    assert reader.has_ended


@pytest.mark.parametrize("data", [b"xyz\r\n", b"-5\r\n", b"\xff" * 2000])
def test_an_answer_that_is_not_chunked_as_announced_is_an_error(data: bytes) -> None:
    with pytest.raises(ConnectionError):
        ChunkReader().feed(data)
