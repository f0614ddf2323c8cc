"""The live picture as browsers take it: each picture is whole at once, though nothing follows it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import numpy as np

from deskref.page.pictures import BOUNDARY, Pictures
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
