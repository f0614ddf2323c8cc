"""The door for phones: https with a token, closed unless it is opened; what may come in is a picture."""

from __future__ import annotations

import asyncio
import ssl
import stat
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi import FastAPI, Request, Response

from deskref.page.certificate import CERTIFICATE_FILE, KEY_FILE, VALID_DAYS, certificate_for
from deskref.page.frames_in import PHONE, FramesIn
from deskref.page.guard import Guard
from deskref.page.phones import TOKEN_FILE, Phones, PhonesError, qr_code
from deskref.settings import PhoneSettings
from devices.pushed import PUSH_MOST_BYTES
from tests.deskref.ports import free_port

HOME_ADDRESS = "127.0.0.1"


def picture(width: int = 64, height: int = 48) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((height, width, 3), 120, np.uint8))[1])


def test_a_certificate_is_made_once_and_names_the_addresses(tmp_path: Path) -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    made = certificate_for(tmp_path, ("192.168.1.5",), now=now)
    first = made[0].read_bytes()
    assert certificate_for(tmp_path, ("192.168.1.5",), now=now + timedelta(days=300))[0].read_bytes() == first
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("addresses", "days"),
    [(("192.168.1.6",), 0), (("192.168.1.5",), VALID_DAYS - 3)],
    ids=["another address", "near its end"],
)
def test_a_certificate_is_made_anew_when_it_no_longer_holds(
    tmp_path: Path, addresses: tuple[str, ...], days: int
) -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    first = certificate_for(tmp_path, ("192.168.1.5",), now=now)[0].read_bytes()
    assert certificate_for(tmp_path, addresses, now=now + timedelta(days=days))[0].read_bytes() != first


def test_a_broken_certificate_is_replaced(tmp_path: Path) -> None:
    certificate_for(tmp_path, ("192.168.1.5",))
    (tmp_path / CERTIFICATE_FILE).write_text("nonsense", encoding="utf-8")
    made = certificate_for(tmp_path, ("192.168.1.5",))[0]
    assert b"BEGIN CERTIFICATE" in made.read_bytes()


def with_phones(tmp_path: Path, asks: Callable[[Phones, str], Any]) -> Any:
    """Open the door on this computer, ask in a thread, close it again; gives what was answered."""
    port = free_port()
    phones = Phones(tmp_path, PhoneSettings(allowed=True, port=port, address=HOME_ADDRESS))
    frames = FramesIn()
    app = FastAPI()

    async def page() -> Response:
        return Response("hello")

    async def frame(request: Request) -> Response:
        return await frames.take(request, kind=PHONE)

    app.add_api_route("/score", page, methods=["GET"])
    app.add_api_route("/setup", page, methods=["GET"])
    app.add_api_route("/frame", frame, methods=["POST"])
    app.add_middleware(Guard, page_port=1, phone_token=lambda: phones.token)

    async def run() -> Any:
        await phones.open(app)
        try:
            return await asyncio.to_thread(asks, phones, f"https://{HOME_ADDRESS}:{port}")
        finally:
            await phones.close()

    return asyncio.run(run())


def ask(address: str, *, data: bytes | None = None) -> tuple[int, str]:
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data=data), timeout=10, context=trusting) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_a_phone_with_the_token_is_let_in_and_others_are_not(tmp_path: Path) -> None:
    def asks(phones: Phones, address: str) -> list[int]:
        before = phones.token
        answers = [
            ask(f"{address}/score?token={before}")[0],
            ask(f"{address}/score")[0],
            ask(f"{address}/score?token=x{before}")[0],
            ask(f"{address}/setup?token={before}")[0],
        ]
        phones.renew()
        answers += [ask(f"{address}/score?token={before}")[0], ask(f"{address}/score?token={phones.token}")[0]]
        return answers

    assert with_phones(tmp_path, asks) == [200, 403, 403, 403, 403, 200]


def test_pictures_come_in_by_post_and_what_is_none_is_refused(tmp_path: Path) -> None:
    def asks(phones: Phones, address: str) -> list[int]:
        frame = f"{address}/frame?token={phones.token}&sender="
        return [
            ask(frame + "one", data=picture())[0],
            ask(frame + "two", data=picture())[0],
            ask(frame + "one", data=b"no picture")[0],
            ask(frame + "one", data=picture() + bytes(PUSH_MOST_BYTES))[0],
            ask(f"{address}/frame", data=picture())[0],
        ]

    assert with_phones(tmp_path, asks) == [204, 409, 415, 413, 403]


def test_the_token_stays_over_a_restart_and_is_for_the_player_alone(tmp_path: Path) -> None:
    first = with_phones(tmp_path, lambda phones, _: phones.link())
    second = with_phones(tmp_path, lambda phones, _: phones.link())
    assert first.partition("?")[2] == second.partition("?")[2] != ""
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600


def test_nothing_listens_before_the_door_is_opened_and_after_it_is_closed(tmp_path: Path) -> None:
    port = free_port()
    phones = Phones(tmp_path, PhoneSettings(port=port, address=HOME_ADDRESS))
    assert phones.token is None
    assert phones.link() == ""
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"https://{HOME_ADDRESS}:{port}/", timeout=5)


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind((HOME_ADDRESS, 0))
        taken.listen()
        phones = Phones(tmp_path, PhoneSettings(port=taken.getsockname()[1], address=HOME_ADDRESS))
        with pytest.raises(PhonesError, match="in use"):
            asyncio.run(phones.open(FastAPI()))
        assert not phones.is_open


def test_the_code_is_a_drawing_on_white() -> None:
    assert qr_code("https://127.0.0.1:8378/phone?token=abc").startswith("<svg")


def test_a_phone_that_drops_out_while_it_sends_is_no_fault_of_the_program() -> None:
    frames = FramesIn()
    pieces = [
        {"type": "http.request", "body": picture()[:40], "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Any:
        return pieces.pop(0)

    scope = {"type": "http", "method": "POST", "path": "/frame", "query_string": b"", "headers": []}
    answer = asyncio.run(frames.take(Request(scope, receive), kind=PHONE))
    assert answer.status_code == 400
    assert frames.newest(PHONE) is None
