"""A camera's address that is typed in the set-up: why nothing can be seen there is said within seconds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler as Handler
from pathlib import Path
from typing import Any, cast

import pytest
from nicegui import ui

from deskref.page import setup_address
from deskref.page.setup_address import AddressChoice, no_picture_at
from deskref.page.site import Site
from deskref.settings import Settings
from devices.camera import Source
from devices.camera_loop import CameraState, CameraStatus, hangs, still_opening
from devices.camera_spec import open_source
from devices.camera_trial import Trial
from devices.stream import CONNECT_TIMEOUT_S
from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, expect
from tests.deskref.drawn_page import DrawnPage, ToldGame
from tests.deskref.ports import free_port
from tests.devices.fakes import CameraServer, jpeg, send_part, send_whole, stamped, start_multipart


def page_only(handler: Handler, asked: str) -> None:
    """A router's page, and nothing else."""
    send_whole(handler, b"<html>Welcome</html>", "text/html", status=200 if asked == "/" else 404)


def test_nobody_at_a_port_an_unknown_host_and_a_page_without_a_picture_are_told_with_what_to_do() -> None:
    nobody = no_picture_at(open_source(f"http://127.0.0.1:{free_port()}/video"))
    assert "Nobody answers" in nobody
    assert "Check that the app is running" in nobody
    unknown = no_picture_at(open_source("http://no-such-phone.invalid:8080/video"))
    assert "There is no computer or phone called 'no-such-phone.invalid'" in unknown
    with CameraServer(page_only) as router:
        told = no_picture_at(open_source(router.address))
        assert "There is no camera stream" in told
        assert "Use the stream's address as the app shows it" in told


def test_who_answers_with_no_picture_and_who_does_not_speak_at_all_are_told_in_time() -> None:
    def silent(handler: Handler, asked: str) -> None:
        start_multipart(handler)
        server.stopping.wait(30)

    with CameraServer(silent) as server:
        began_s = time.monotonic()
        told = no_picture_at(open_source(f"{server.address}/video"), open_s=0.5)
        assert "answers, but sends no picture" in told
        assert time.monotonic() - began_s < CONNECT_TIMEOUT_S + 10


def test_a_head_that_drips_is_told_as_an_address_and_not_as_a_camera_on_a_cable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Dripping:
        name = "http://192.168.0.7/video"

    for trouble in (still_opening(), hangs()):
        status = CameraStatus(CameraState.LOST, "", "", trouble)
        monkeypatch.setattr(setup_address, "try_source", lambda *_, status=status, **__: Trial(status, None, None))
        told = no_picture_at(cast(Source, Dripping()))
        assert "http://192.168.0.7/video answers, but sends no picture" in told
        assert "USB" not in told


@pytest.mark.parametrize("second", ["http://192.168.0.8/", "http://192.168.0.7/"])
def test_an_address_that_is_typed_while_another_is_tried_is_tried_in_its_place(
    second: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer about the first comes later and is not shown; the same address is not tried twice at once."""
    own = Settings()
    used: list[tuple[str, str]] = []

    async def use(spec: str, name: str) -> None:
        used.append((spec, name))

    choice = AddressChoice(Site(ToldGame(), tmp_path, own, own.page), use)
    page = DrawnPage(choice.build)
    gates = {"http://192.168.0.7/": asyncio.Event(), "http://192.168.0.8/": asyncio.Event()}
    tried: list[str] = []

    async def answered(spec: str) -> str:
        tried.append(spec)
        await gates[spec].wait()
        return f"nothing at {spec}"

    monkeypatch.setattr(choice, "_tried", answered)

    async def act() -> None:
        page.fill(ui.input, "http://192.168.0.7/")
        with page.client:
            first = asyncio.create_task(choice._typed())
            await asyncio.sleep(0)
            page.fill(ui.input, second)
            later = asyncio.create_task(choice._typed())
            await asyncio.sleep(0)
            gates[second].set()
            await later
            gates["http://192.168.0.7/"].set()
            await first

    asyncio.run(act())
    assert tried == list(dict.fromkeys(["http://192.168.0.7/", second]))
    assert f"nothing at {second}" in page.text
    assert used == []


def test_an_address_that_shows_a_picture_is_let_in() -> None:
    def camera(handler: Handler, asked: str) -> None:
        start_multipart(handler)
        for number in range(10_000):
            send_part(handler, jpeg(stamped(number)))
            if server.stopping.wait(0.02):
                return

    with CameraServer(camera) as server:
        assert no_picture_at(open_source(f"{server.address}/video")) == ""


@pytest.mark.slow
class TestInBrowser:
    """What the set-up says."""

    pytestmark = SLOW

    def test_what_is_typed_wrong_is_told_beside_it_and_changes_nothing(
        self, run: Callable[..., Program], browser: Any
    ) -> None:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{run('play').address}/setup")
        card = page.locator("article", has_text="Web address, video")
        address = card.get_by_label("Web address, video")
        for typed, told in (
            ("", "Type the address first"),
            ("my old phone", "Neither a web address nor a file: my old phone"),
            (f"127.0.0.1:{free_port()}", "Nobody answers at"),
            ("http://no-such-phone.invalid", "There is no computer or phone called"),
            ("/no/such/film.mp4", "There is no file"),
        ):
            address.fill(typed)
            address.press("Enter")
            expect(card.get_by_role("alert")).to_contain_text(told, timeout=PATIENCE_MS)
            assert page.locator(".setup img[src^='/stream']").count() == 0
        address.fill(f"http://127.0.0.1:{free_port()}")
        address.press("Enter")
        card.get_by_role("button", name="Use it all the same").click()
        expect(page.locator(".step > div > .says")).to_contain_text("Nobody answers at", timeout=PATIENCE_MS)
        page.close()
