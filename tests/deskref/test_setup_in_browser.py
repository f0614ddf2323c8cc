"""From nothing to a game in a real browser: the set-up with a camera, a phone as camera, the overlay and the score."""

from __future__ import annotations

import json
import re
import ssl
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskref.page.phones import TOKEN_FILE
from tests.deskref.browsing import PATIENCE_MS, SLOW, Program, camera_from_the_right, expect, more, ruling, turn
from tests.deskref.ports import free_port

pytestmark = SLOW


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click(timeout=PATIENCE_MS)


def shows_picture(page: Any) -> None:
    """The live picture has arrived."""
    page.wait_for_function(
        "[...document.querySelectorAll('img[src^=\"/stream.mjpg\"]')].some((i) => i.naturalWidth > 300)",
        timeout=PATIENCE_MS,
    )


def use_browser_camera(program: Program, browser: Any) -> Any:
    """Open the set-up in a browser that may use its camera, and choose that."""
    context = browser.new_context(permissions=["camera"], base_url=program.address)
    page = context.new_page()
    page.goto("/")
    page.wait_for_url("**/setup", timeout=PATIENCE_MS)
    press(page, "Use it: This browser's camera")
    shows_picture(page)
    return page


def test_a_player_sets_up_the_table_from_nothing(run: Callable[..., Program], browser: Any, tmp_path: Path) -> None:
    """Camera, mat, aim with meters, scale, dice check, game; the page comes back with the same camera."""
    program = run("play")
    page = use_browser_camera(program, browser)
    press(page, "Next")
    expect(page.get_by_role("heading", name="The printed mat")).to_be_visible(timeout=PATIENCE_MS)
    sheet = page.request.get("/sheet.pdf?kind=mat&paper=letter&grid=inch")
    assert sheet.body().startswith(b"%PDF")
    press(page, "Next")
    # Where all is well the next step opens by itself; a busy computer takes too few pictures for that.
    measured = re.compile("Markers.*6 of 6 good.*Angle from above.*60° good", re.DOTALL)
    expect(page.locator(".meters")).to_contain_text(measured, timeout=PATIENCE_MS)
    press(page, "4 Scale")
    expect(page.get_by_text("Is the mat printed at its true size?")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "Measure the card")
    expect(page.get_by_text("No card is seen clearly")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "Next")
    expect(page.get_by_text("No dice are seen.")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "The table is empty now: learn it")
    expect(page.get_by_text("The empty table is learnt.")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "Next")
    page.get_by_label("Name").first.fill("Asha")
    press(page, "Start")
    page.wait_for_url(program.address + "/", timeout=PATIENCE_MS)
    shows_picture(page)
    expect(page.locator(".side")).to_contain_text("Put Asha on the mat", timeout=PATIENCE_MS)
    expect(page.locator(".state")).to_contain_text("table found, 6 of 6 markers", timeout=PATIENCE_MS)
    kept = tomllib.loads((tmp_path / "settings.toml").read_text(encoding="utf-8"))
    assert kept["camera"]["source"] == "browser"
    page.reload()
    shows_picture(page)
    expect(page.locator(".state")).to_contain_text("table found", timeout=PATIENCE_MS)
    page.context.close()


def test_every_step_can_be_skipped_and_come_back_to(run: Callable[..., Program], browser: Any, tmp_path: Path) -> None:
    """Without a camera the steps that need one say so; leaving plays with typed dice and asks no more."""
    program = run("play")
    page = browser.new_page(base_url=program.address)
    page.goto("/")
    page.wait_for_url("**/setup", timeout=PATIENCE_MS)
    press(page, "3 Aim")
    expect(page.get_by_text("This step needs a camera")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "Skip this step")
    expect(page.get_by_text("Who plays, and what?")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "Later")
    turn(page, "Lokan")
    kept = tomllib.loads((tmp_path / "settings.toml").read_text(encoding="utf-8"))
    assert kept["camera"]["source"] == "none"
    page.goto("/")
    turn(page, "Lokan")
    more(page, "Set up")
    page.wait_for_url("**/setup", timeout=PATIENCE_MS)
    page.close()


def test_a_wrong_address_is_said_and_nothing_is_lost(run: Callable[..., Program], browser: Any) -> None:
    program = run("play")
    page = browser.new_page(base_url=program.address)
    page.goto("/setup")
    box = page.get_by_label("Web address, video or folder of pictures")
    alert = page.get_by_role("alert").filter(has_text="no-such-film.mp4")
    box.fill("no-such-film.mp4")
    box.press("Enter")
    expect(alert).to_be_visible(timeout=PATIENCE_MS)
    page.close()


def test_a_second_camera_over_a_tray_is_chosen_and_its_trouble_told(
    run: Callable[..., Program], browser: Any, tmp_path: Path
) -> None:
    program = run("play", "--camera", "none")
    page = browser.new_context(base_url=program.address).new_page()
    page.goto("/setup")
    page.get_by_text("A second camera over a dice tray").click(timeout=PATIENCE_MS)
    page.get_by_label("Web address or video of the tray").fill("http://127.0.0.1:1/video")
    press(page, "Use it for the tray")
    expect(page.get_by_text("Dice tray: Nobody answers at")).to_be_visible(timeout=PATIENCE_MS)
    page.goto("/")
    expect(page.get_by_text("Dice tray: Nobody answers at")).to_be_visible(timeout=PATIENCE_MS)
    page.goto("/setup")
    press(page, "No tray camera")
    expect(page.get_by_text("Dice tray:")).not_to_be_visible(timeout=PATIENCE_MS)


def test_four_corners_are_clicked_and_set_by_keys(run: Callable[..., Program], browser: Any, tmp_path: Path) -> None:
    """Without a printer: two corners by the mouse, two by arrow keys and Enter; the table is then found."""
    program = run("play")
    page = use_browser_camera(program, browser)
    press(page, "2 Mat")
    press(page, "Use these: No printer")
    expect(page.get_by_text("Click corner 1 of 4: far left.")).to_be_visible(timeout=PATIENCE_MS)

    def click(across: float, down: float) -> None:
        drawing = page.locator(".clicking svg")
        box = drawing.bounding_box()
        drawing.click(position={"x": across * box["width"], "y": down * box["height"]})

    view = camera_from_the_right()
    corners = view.to_frame([(-100, 100), (100, 100), (100, -100), (-100, -100)]) / view.size
    click(*corners[0])
    expect(page.get_by_text("Click corner 2 of 4")).to_be_visible(timeout=PATIENCE_MS)
    click(*corners[1])
    expect(page.get_by_text("Click corner 3 of 4")).to_be_visible(timeout=PATIENCE_MS)
    marked = page.locator(".clicking .mark")

    def step(arrow: str, times: int) -> None:
        for _ in range(times):
            before = marked.get_attribute("d")
            page.locator(".clicking").press(arrow)
            expect(marked).not_to_have_attribute("d", before or "", timeout=PATIENCE_MS)

    step("ArrowLeft", round((corners[1][0] - corners[2][0]) * view.size[0] / 8))
    page.locator(".clicking").press("Enter")
    expect(page.get_by_text("Click corner 4 of 4: near left.")).to_be_visible(timeout=PATIENCE_MS)
    click(*corners[3])
    expect(page.get_by_text("All four corners are clicked.")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "3 Aim")
    expect(page.locator("svg.over .area")).to_be_attached(timeout=PATIENCE_MS)
    kept = tomllib.loads((tmp_path / "settings.toml").read_text(encoding="utf-8"))
    assert kept["table"]["kind"] == "corners"
    assert len(kept["table"]["corners"]) == 4
    page.context.close()


@pytest.fixture
def phones_allowed(tmp_path: Path) -> int:
    """Settings of a player who allowed phones before, on this computer's own address; gives the port."""
    port = free_port()
    settings = f'[camera]\nsource = "none"\n[phones]\nallowed = true\nport = {port}\naddress = "127.0.0.1"\n'
    (tmp_path / "settings.toml").write_text(settings, encoding="utf-8")
    return port


def test_a_phone_becomes_the_camera(
    run: Callable[..., Program], browser: Any, tmp_path: Path, phones_allowed: int
) -> None:
    """The code's link opens the camera page over https; its pictures become the table's; the score is there too."""
    program = run("play")
    token = (tmp_path / TOKEN_FILE).read_text(encoding="ascii")
    secure = f"https://127.0.0.1:{phones_allowed}"
    phone = browser.new_context(
        permissions=["camera"], ignore_https_errors=True, viewport={"width": 390, "height": 844}
    ).new_page()
    refused = phone.goto(f"{secure}/camera?token=guess")
    assert refused is not None
    assert refused.status == 403
    phone.goto(f"{secure}/camera?token={token}")
    press(phone, "Start the camera")
    expect(phone.get_by_role("status")).to_contain_text("pictures a second", timeout=PATIENCE_MS)

    page = browser.new_page(base_url=program.address)
    other = browser.new_page(base_url=program.address)
    other.goto("/")
    turn(other, "Lokan")
    page.goto("/setup")
    expect(page.get_by_text("The phone sends pictures.")).to_be_visible(timeout=PATIENCE_MS)
    assert page.locator(".code svg").count() == 1
    press(page, "Use it: A phone")
    shows_picture(page)
    # The other window shows the picture by itself, and the game is the one that was on.
    shows_picture(other)
    turn(other, "Lokan")
    expect(other.locator(".state")).to_contain_text("table found, 6 of 6 markers", timeout=PATIENCE_MS)

    phone.goto(f"{secure}/score")
    other.keyboard.press("6")
    expect(phone.locator('[data-part="ruling"]')).to_contain_text("Lokan hits", timeout=PATIENCE_MS)
    for opened in (page, other):
        opened.close()
    phone.context.close()


def test_without_the_switch_nobody_answers_phones(
    run: Callable[..., Program], tmp_path: Path, phones_allowed: int
) -> None:
    settings = (tmp_path / "settings.toml").read_text(encoding="utf-8")
    (tmp_path / "settings.toml").write_text(settings.replace("allowed = true", "allowed = false"), encoding="utf-8")
    run("play")
    trusting = ssl._create_unverified_context()
    with pytest.raises(urllib.error.URLError) as silent:
        urllib.request.urlopen(f"https://127.0.0.1:{phones_allowed}/phone", timeout=5, context=trusting)
    assert not isinstance(silent.value, urllib.error.HTTPError)


def test_the_overlay_is_transparent_and_follows_the_game(run: Callable[..., Program], browser: Any) -> None:
    """Only the parts that the address names; the ruling arrives within a tenth of a second (printed)."""
    program = run("play", "--camera", "none")
    overlay = browser.new_page(base_url=program.address)
    overlay.goto("/overlay?parts=ruling,turn")
    page = browser.new_page(base_url=program.address)
    page.goto("/")
    turn(page, "Lokan")
    expect(overlay.locator('[data-part="turn"]')).to_contain_text("Lokan", timeout=PATIENCE_MS)
    assert overlay.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert overlay.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    parts = overlay.eval_on_selector_all("[data-part]", "parts => parts.map(part => part.dataset.part)")
    assert parts == ["ruling", "turn"]
    page.keyboard.press("6")
    expect(overlay.locator('[data-part="ruling"]')).to_contain_text("Lokan hits", timeout=PATIENCE_MS)
    expect(overlay.locator('[data-part="turn"]')).to_contain_text("Tarik", timeout=PATIENCE_MS)
    ruling(page, "Lokan hits")
    overlay.close()
    page.close()


def test_a_foreign_page_cannot_open_a_socket_or_send_a_picture(run: Callable[..., Program]) -> None:
    program = run("play", "--camera", "none")
    for path, data in (
        ("/_nicegui_ws/socket.io/?EIO=4&transport=polling", None),
        ("/frame", b"x"),
        ("/score.json", None),
    ):
        request = urllib.request.Request(
            program.address + path, data=data, headers={"Origin": "http://example.org", "Content-Type": "image/jpeg"}
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=10)
        assert refused.value.code == 403
        refused.value.close()


def test_rulings_reach_the_page_quickly(
    run: Callable[..., Program], browser: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the key to the new ruling on the page, its own and the overlay's; printed, for computers differ."""
    program = run("play", "--camera", "none")
    page = browser.new_page(base_url=program.address)
    page.goto("/")
    turn(page, "Lokan")
    waits: list[float] = []
    for _ in range(20):
        page.evaluate(
            """() => { window.seen = new Promise((done) => {
              const began = performance.now(), before = document.querySelector(".ruling .what").textContent;
              const look = new MutationObserver(() => {
                const now = document.querySelector(".ruling .what")?.textContent;
                if (now && now !== before) { look.disconnect(); done(performance.now() - began); } });
              look.observe(document.querySelector(".ruling"), {childList: true, subtree: true, characterData: true});
            }); }"""
        )
        page.keyboard.press("v" if len(waits) % 2 == 0 else "u")
        waits.append(page.evaluate("window.seen"))
    waits.sort()
    with capsys.disabled():
        print(f"\nkey to ruling: median {waits[10]:.0f} ms, p95 {waits[18]:.0f} ms of {len(waits)}")
    page.close()


def test_the_score_waits_for_news(run: Callable[..., Program]) -> None:
    """A second request with the number of the first waits; one with another number is answered at once."""
    program = run("play", "--camera", "none")
    with urllib.request.urlopen(f"{program.address}/score.json", timeout=10) as answer:
        number = int(answer.headers["X-Score"])
        score = json.loads(answer.read())
    assert [one["name"] for one in score["everybody"]] == ["Lokan", "Tarik", "Daemon", "Imp"]
    assert score["turn"]["name"] == "Lokan"
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        urllib.request.urlopen(f"{program.address}/score.json?after={number}", timeout=1.0)
    assert time.monotonic() - began >= 0.9
