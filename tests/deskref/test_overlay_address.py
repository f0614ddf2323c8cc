"""The address of a stream's overlay: which parts it names, and what is said of one that there is none of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import cast

import httpx
import pytest
from fastapi import FastAPI

from deskref import language
from deskref.page.plain_pages import PARTS, USUAL_PARTS
from deskref.page.routes import add_routes
from deskref.page.site import Site

Get = Callable[[str], httpx.Response]


@pytest.fixture
def get() -> Iterator[Get]:
    app = FastAPI()
    add_routes(app, cast(Site, None))  # the overlay's page is the same whatever is played

    async def answer(path: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            return await client.get(path)

    yield lambda path: asyncio.run(answer(path))
    language.use("en")


def shown(page: httpx.Response) -> tuple[str, ...]:
    return tuple(part for part in PARTS if f'data-part="{part}" hidden' in page.text)


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("", USUAL_PARTS),
        ("?parts=", USUAL_PARTS),
        ("?parts=,", USUAL_PARTS),
        ("?parts=dice", ("dice",)),
        ("?parts=Ruling,%20turn,turn,", ("ruling", "turn")),
        ("?parts=" + ",".join(PARTS), PARTS),
    ],
)
def test_the_parts_that_an_address_names_are_shown(get: Get, query: str, parts: tuple[str, ...]) -> None:
    page = get(f"/overlay{query}")
    assert page.status_code == 200
    assert shown(page) == parts
    assert all(page.text.count(f'data-part="{part}"') == 1 for part in parts)


def test_an_unknown_part_is_refused_with_those_that_there_are(get: Get) -> None:
    """A slip of the pen showed the usual parts, or one part fewer, without a word."""
    page = get("/overlay?parts=foo")
    assert page.status_code == 400
    assert "There is no part foo. The parts are: ruling, turn, everybody, tasks, dice, log." in page.text
    assert "/score.js" not in page.text, "what it says is not written over by the game"
    page = get("/overlay?parts=ruling,dices,%3Cb%3E")
    assert page.status_code == 400
    assert "There is no part dices, &lt;b&gt;." in page.text
    long = get("/overlay?parts=" + ",".join("x" * 300 + str(n) for n in range(40))).text
    assert len(long) < 2000


def test_an_unknown_part_is_refused_in_the_language_of_the_table(get: Get) -> None:
    language.use("de")
    assert "Einen Teil foo gibt es nicht." in get("/overlay?parts=foo").text
