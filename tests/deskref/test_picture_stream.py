"""The live picture as browsers take it: each picture is whole at once, though nothing follows it."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from deskref.page.pictures import BOUNDARY, PICTURES_HZ, Pictures
from deskref.table_choice import MAT_TABLE
from devices.frame import Frame
from tests.deskref.test_above import tilted


def game_showing(level: int) -> Any:
    frame = Frame(np.full((72, 128, 3), level, np.uint8), 0.0, level)
    return SimpleNamespace(seen=SimpleNamespace(frame=frame, view=tilted()), table=MAT_TABLE)


def test_a_picture_of_a_still_table_ends_with_its_boundary() -> None:
    """A browser shows a picture when it has seen where it ends; the next frame may be long in coming."""

    async def first_two() -> list[bytes]:
        stream = Pictures(game_showing(90)).stream()
        return [await anext(stream), await anext(stream)]

    begin, part = asyncio.run(first_two())
    assert begin == f"--{BOUNDARY}\r\n".encode()
    head, _, body = part.partition(b"\r\n\r\n")
    length = int(head.rpartition(b": ")[2])
    assert body[:length].startswith(b"\xff\xd8")
    assert body[length:] == f"\r\n--{BOUNDARY}\r\n".encode()


def test_a_picture_is_compressed_once_for_all_who_look() -> None:
    game = game_showing(90)
    pictures = Pictures(game)
    first = pictures.newest()
    assert pictures.newest()[1] is first[1]
    assert pictures.newest(from_above=True)[1] is not first[1]
    assert pictures.newest()[1] is first[1]
    game.seen = game_showing(120).seen
    assert pictures.newest()[0] > first[0]
    assert pictures.newest()[1] != first[1]


def test_nothing_is_shown_before_the_first_frame() -> None:
    game: Any = SimpleNamespace(seen=None, table=MAT_TABLE)
    assert Pictures(game).newest() == (-1, b"")


def test_a_picture_is_as_wide_as_who_looks_can_show_and_never_wider() -> None:
    pictures = Pictures(game_showing(90))
    assert size_of(pictures.newest(wide=64)[1]) == (64, 36)
    assert size_of(pictures.newest(wide=4000)[1]) == (128, 72)
    assert size_of(pictures.newest()[1]) == (128, 72)


def test_pictures_of_old_windows_are_forgotten() -> None:
    """A window that is drawn larger asks for another width at every step of it."""
    game = game_showing(90)
    pictures = Pictures(game)
    for wide in range(16, 128, 16):
        pictures.newest(wide=wide)
    game.seen = game_showing(120).seen
    pictures.newest(wide=64)
    assert list(pictures._made) == [(False, 64)]


def test_pictures_come_fifteen_a_second_of_a_camera_that_is_quicker() -> None:
    game = game_showing(0)

    async def gaps() -> list[float]:
        stream = Pictures(game).stream()
        await anext(stream)
        times = []
        for level in range(1, 7):
            await anext(stream)
            times.append(time.monotonic())
            game.seen = game_showing(level).seen
        return [after - before for before, after in pairwise(times)]

    found = asyncio.run(gaps())
    assert sum(found) >= (len(found) - 1) / PICTURES_HZ, "none is sent early but to keep the pace"


def size_of(picture: bytes) -> tuple[int, int]:
    """Width and height of a JPEG."""
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image.shape[1], image.shape[0]
