"""The doctor: every finding with its remedy, cameras measured, the diagnostics file without secrets or pictures."""

from __future__ import annotations

import io
import json
import logging
import socket
import zipfile
from collections import namedtuple
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from rich.console import Console
from typer.testing import CliRunner

from calibration.mat import MAT
from calibration.sheets import draw_picture
from deskref import diagnostics, doctor
from deskref.command_line import app
from deskref.diagnostics import Messages, bundle_bytes, without_secrets
from deskref.doctor import Examination, Running, examine
from deskref.doctor_camera import CameraLook, camera_findings, look_at
from deskref.finding import Finding, Health
from deskref.inputs import EnterDie, StartGame
from deskref.page.doctor_page import findings_html
from deskref.play import Play
from deskref.program import PRACTICE
from deskref.saved_game import begin
from deskref.settings import Settings
from deskref.table_choice import MAT_TABLE, TableChoice, TableKind
from devices.board import BoardState, BoardStatus, BoardTrouble
from devices.camera import Trouble, TroubleCode
from devices.camera_loop import CameraState, CameraStatus
from devices.picture_quality import advice_on, measure
from models.runner import ModelError

RUN = CliRunner()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No camera and no port of this computer, a folder of its own."""
    home = tmp_path / "home"
    monkeypatch.setenv("DESKREF_HOME", str(home))
    monkeypatch.setattr(doctor, "list_cameras", list)
    monkeypatch.setattr(doctor, "list_boards", tuple)
    return home


@pytest.fixture(scope="module")
def mat_bgr() -> npt.NDArray[np.uint8]:
    """The mat from straight above, 1280 x 720; its paper is not burnt out."""
    sheet = cv2.cvtColor(draw_picture(MAT, px_per_mm=4.0, rim_mm=5.0), cv2.COLOR_GRAY2BGR)
    picture = np.full((720, 1280, 3), 150, np.uint8)
    height = 700
    width = round(sheet.shape[1] * height / sheet.shape[0])
    left = (1280 - width) // 2
    picture[10 : 10 + height, left : left + width] = cv2.resize(sheet, (width, height), interpolation=cv2.INTER_AREA)
    return np.minimum(picture, 235).astype(np.uint8)


def look(image: npt.NDArray[np.uint8] | None, *, rate_hz: float = 30.0, trouble: Trouble | None = None) -> CameraLook:
    """What a trial of a camera gives that shows one picture."""
    if image is None:
        return CameraLook("Cam", CameraStatus(CameraState.LOST, "Cam", "cam", trouble=trouble), None)
    size = (image.shape[1], image.shape[0])
    quality = measure(image)
    status = CameraStatus(
        CameraState.LIVE, "Cam", "cam", size=size, rate_hz=rate_hz, quality=quality,
        advice=advice_on(quality, size=size, rate_hz=rate_hz),
    )  # fmt: skip
    return CameraLook("Cam", status, image, 0.7)


def by_check(findings: object) -> dict[str, Finding]:
    return {finding.what: finding for finding in findings}  # type: ignore[attr-defined]  # any findings


def test_a_good_camera_is_good_in_everything(mat_bgr: npt.NDArray[np.uint8]) -> None:
    found = by_check(camera_findings(look(mat_bgr), MAT_TABLE))
    assert found["camera Cam"].found == "1280 x 720, 30 pictures a second; the first came after 0.7 s"
    assert found["camera Cam: markers"].found == "6 markers of the table are seen"
    assert {finding.health for finding in found.values()} == {Health.GOOD}


@pytest.mark.parametrize(
    ("change", "check", "words"),
    [
        (lambda p: (p // 5).astype(np.uint8), "brightness", "lamp"),
        (lambda p: cv2.GaussianBlur(p, (0, 0), 4), "focus", "lens"),
        (lambda p: np.full_like(p, 150), "markers", "deskref mat"),
        (lambda p: cv2.resize(p, (640, 360)), "picture", "1280 x 720"),
    ],
)
def test_what_could_be_better_has_its_remedy(
    mat_bgr: npt.NDArray[np.uint8], change: object, check: str, words: str
) -> None:
    changed = change(mat_bgr)  # type: ignore[operator]  # from the parameters
    finding = by_check(camera_findings(look(changed), MAT_TABLE))[f"camera Cam: {check}"]
    assert finding.health is Health.NOTE
    assert words in finding.remedy


def test_a_slow_camera_is_said_with_its_rate(mat_bgr: npt.NDArray[np.uint8]) -> None:
    finding = by_check(camera_findings(look(mat_bgr, rate_hz=6.0), MAT_TABLE))["camera Cam"]
    assert finding.health is Health.NOTE
    assert "6 pictures a second" in finding.found
    assert "light" in finding.remedy


@pytest.mark.parametrize(
    "trouble",
    [
        None,
        Trouble(TroubleCode.NO_PERMISSION, "You may not use /dev/video0.", "Join the group video."),
        Trouble(TroubleCode.NO_FRAMES, "No pictures come.", ""),
    ],
)
def test_a_camera_without_a_picture_is_bad_and_has_a_remedy(trouble: Trouble | None) -> None:
    (finding,) = camera_findings(look(None, trouble=trouble), MAT_TABLE)
    assert finding.health is Health.BAD
    assert finding.remedy == (trouble.remedy if trouble is not None and trouble.remedy else finding.remedy)
    assert finding.remedy


def test_a_camera_that_is_not_there_is_bad_and_has_a_remedy(tmp_path: Path) -> None:
    finding = look_at("Lost", str(tmp_path / "no.mp4"))
    assert isinstance(finding, Finding)
    assert finding.health is Health.BAD
    assert finding.remedy


def test_a_folder_of_pictures_is_looked_at_as_a_camera_is(tmp_path: Path, mat_bgr: npt.NDArray[np.uint8]) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), mat_bgr)
    looked = look_at("Folder", str(tmp_path))
    assert isinstance(looked, CameraLook)
    assert by_check(camera_findings(looked, MAT_TABLE))["camera Folder: markers"].health is Health.GOOD


def test_clicked_corners_are_said_to_be_seen(mat_bgr: npt.NDArray[np.uint8]) -> None:
    table = TableChoice(TableKind.CORNERS, 200, 200, ((0.3, 0.1), (0.7, 0.1), (0.7, 0.9), (0.3, 0.9)))
    assert "corners" in by_check(camera_findings(look(mat_bgr), table))["camera Cam: markers"].found


def test_the_camera_in_use_is_asked_and_not_opened(
    monkeypatch: pytest.MonkeyPatch, mat_bgr: npt.NDArray[np.uint8]
) -> None:
    Camera = namedtuple("Camera", "name identity")
    monkeypatch.setattr(doctor, "list_cameras", lambda: [Camera("Cam", "cam"), Camera("Other", "other")])
    opened: list[str] = []

    def refuse(name: str, spec: str) -> Finding:
        opened.append(spec)
        return Finding(f"camera {name}", Health.BAD, "busy", "close it")

    monkeypatch.setattr(doctor, "look_at", refuse)
    looks: list[CameraLook] = []
    running = Running(camera=look(mat_bgr))
    found = by_check(doctor._cameras(Settings(), running, looks))
    assert opened == ["other"]
    assert found["camera Cam"].health is Health.GOOD
    assert found["camera Other"].health is Health.BAD
    assert len(looks) == 1


def test_a_camera_of_the_settings_that_no_list_names_is_tried(tmp_path: Path) -> None:
    own = Settings()
    own = own.model_copy(update={"camera": own.camera.model_copy(update={"source": str(tmp_path / "gone.mp4")})})
    (finding,) = doctor._cameras(own, Running(), [])
    assert finding.health is Health.BAD
    assert "gone.mp4" in finding.what


def test_a_broken_settings_file_is_bad_with_the_place_of_the_mistake(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("[page]\nport = 'x'\n", encoding="utf-8")
    (finding,) = doctor._settings(home)
    assert finding.health is Health.BAD
    assert "page.port" in finding.found
    assert "Mend the file" in finding.remedy


def test_a_folder_without_the_right_to_write_is_bad(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.os, "access", lambda *_: False)
    (finding,) = doctor._settings(home)
    assert finding.health is Health.BAD
    assert "DESKREF_HOME" in finding.remedy


def test_a_broken_saved_game_is_named_with_its_line(home: Path) -> None:
    (finding,) = doctor._games(home)
    assert finding.found == "none yet"
    journal = begin(home / "games", version="0").journal
    assert journal is not None
    play = Play(journal)
    for given in (StartGame(setup=PRACTICE), StartGame(setup=PRACTICE), EnterDie(value=2), StartGame(setup=PRACTICE)):
        play.happened(given)
    (finding,) = doctor._games(home)
    assert finding.found == "1 game, the newest can be read"
    play.happened(EnterDie(value=3))
    journal.close()
    (finding,) = doctor._games(home)
    assert finding.found == "2 games, the newest can be read"
    with journal.path.open("ab") as file:
        file.write(b"rubbish\n")
    (finding,) = doctor._games(home)
    assert finding.health is Health.NOTE
    assert "is broken" in finding.found
    assert ", line " in finding.found


def test_a_command_is_never_cut_in_a_narrow_terminal() -> None:
    command = f'Only for this: "/home/{"somebody/" * 9}.venv/bin/python" -m pip install paho-mqtt'
    said = io.StringIO()
    findings = (Finding("mqtt", Health.NOTE, "/long/" * 20, command), Finding("Python", Health.GOOD, "3.11"))
    doctor.print_findings(findings, Console(file=said, width=80))
    assert command in said.getvalue()
    assert "…" not in said.getvalue()
    assert said.getvalue().count("/long") > 10


@pytest.mark.parametrize(("free", "health"), [(199_999_999, Health.BAD), (200_000_000, Health.GOOD)])
def test_a_full_disk_is_bad(home: Path, monkeypatch: pytest.MonkeyPatch, free: int, health: Health) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: usage(10**9, 10**9 - free, free))
    (finding,) = doctor._disk(home)
    assert finding.health is health
    assert bool(finding.remedy) is (health is Health.BAD)


def test_a_port_in_use_is_a_note_unless_it_is_our_own() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        own = Settings()
        own = own.model_copy(update={"page": own.page.model_copy(update={"port": port})})
        (finding,) = doctor._page(own, Running())
        assert finding.health is Health.NOTE
        assert f"--port {port + 1}" in finding.remedy
        (finding,) = doctor._page(own, Running(port=port))
        assert finding.health is Health.GOOD


def test_a_model_that_does_not_load_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise ModelError(f"{name} is cut off")

    monkeypatch.setattr(doctor, "load_model", refuse)
    found = list(doctor._models())
    assert found
    assert {f.health for f in found} == {Health.BAD}
    assert {f.remedy for f in found} == {"Install deskref again."}


def test_two_opencv_packages_are_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    both = doctor.opencv_troubles(["opencv-python", "opencv-python-headless"])
    monkeypatch.setattr(doctor, "opencv_troubles", lambda: both)
    assert "pip uninstall" in next(iter(doctor._opencv())).remedy


@pytest.mark.parametrize(
    ("status", "health", "words"),
    [
        (BoardStatus(state=BoardState.READY, name="Uno", port="p", leds=48), Health.GOOD, "Uno, 48 LEDs"),
        (
            BoardStatus(state=BoardState.LOST, trouble=BoardTrouble(message="Busy.", remedy="Close the monitor.")),
            Health.BAD,
            "Busy.",
        ),
        (
            BoardStatus(state=BoardState.LOST, trouble=BoardTrouble(message="None.", is_news=False)),
            Health.NOTE,
            "optional",
        ),
    ],
)
def test_the_board_in_use_is_asked_and_not_opened(status: BoardStatus, health: Health, words: str) -> None:
    (finding,) = doctor._board(Running(board=status))
    assert finding.health is health
    assert words in finding.found


def test_every_check_of_this_computer_says_something_and_bad_ones_what_to_do() -> None:
    found = examine()
    checks = {finding.what for finding in found.findings}
    assert {"deskref", "Python", "OpenCV", "settings", "saved games", "room on the disk", "page"} <= checks
    assert {"demo recording", "cameras", "light board", "onnxruntime", "pyserial"} <= checks
    assert all(f.remedy for f in found.findings if f.health is Health.BAD)


SETTINGS = """[mqtt]
host = "10.0.0.2"
password = "hunter2"   # my cat
[camera]
source = "rtsp://me:hunter2@10.0.0.3/live?token=hunter2&size=1"
"""


@pytest.mark.parametrize(
    "text",
    [
        SETTINGS,
        SETTINGS + "[broken",
        'mqtt = { host = "x", password = "hunter2" }',
        'Password="""\nhunter2\n"""',
        "http://cam/video?user=x&pwd=hunter2",
        "'secret' = 'hunter2'",
    ],
)
def test_no_secret_is_in_the_diagnostics_file(text: str) -> None:
    assert "hunter2" not in without_secrets(text)


def test_the_rest_of_the_settings_stays() -> None:
    shown = without_secrets(SETTINGS + f"# {Path.home()}/games")
    assert 'host = "10.0.0.2"' in shown
    assert "size=1" in shown
    assert "# ~/games" in shown


def packed(found: Examination, home: Path, *, with_picture: bool) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(bundle_bytes(found, home, with_picture=with_picture))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("with_picture", [False, True])
def test_a_picture_is_in_the_file_only_where_it_was_asked_for(
    home: Path, mat_bgr: npt.NDArray[np.uint8], with_picture: bool
) -> None:
    found = Examination((Finding("x", Health.GOOD, "y"),), (look(mat_bgr), look(None)))
    parts = packed(found, home, with_picture=with_picture)
    pictures = [name for name in parts if name.endswith(".jpg")]
    assert pictures == (["camera-0.jpg"] if with_picture else [])
    assert b"\xff\xd8\xff" not in b"".join(parts[name] for name in parts if not name.endswith(".jpg"))
    assert json.loads(parts["findings.json"])[0]["check"] == "x"


def test_the_file_holds_settings_and_the_end_of_the_last_game(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = begin(home / "games", version="0").journal
    assert journal is not None
    journal.close()
    (home / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    parts = packed(Examination((), ()), home, with_picture=False)
    assert b'"line":"end"' in parts["last-game.jsonl"]
    assert b"hunter2" not in b"".join(parts.values())
    assert b"numpy" in parts["packages.txt"]
    monkeypatch.setattr(diagnostics, "GAME_BYTES", 20)
    assert packed(Examination((), ()), home, with_picture=False)["last-game.jsonl"] == b'{"line":"end"}\n'


def test_messages_are_remembered_but_not_for_ever() -> None:
    messages = Messages()
    for number in range(diagnostics.MESSAGES_KEPT + 5):
        messages.handle(logging.LogRecord("deskref", logging.INFO, "", 0, "number %s", (number,), None))
    messages.emit(logging.LogRecord("deskref", logging.INFO, "", 0, "%d", ("not a number",), None))
    assert len(messages.lines) == diagnostics.MESSAGES_KEPT
    assert "number 6" in messages.lines[0]
    assert "without words" in messages.lines[-1]


def test_the_command_writes_the_file_and_says_what_is_in_it(tmp_path: Path) -> None:
    done = RUN.invoke(app, ["doctor", "--json", "--bundle", str(tmp_path / "d.zip"), "--picture"])
    assert "Look into it before you pass it on" in done.stderr
    assert "a picture" not in done.stderr, "there is no camera"
    assert zipfile.is_zipfile(tmp_path / "d.zip")
    done = RUN.invoke(app, ["doctor", "--json", "--bundle", str(tmp_path / "d.zip" / "d.zip")])
    assert done.exit_code == 2
    assert "cannot be written: " in done.stderr
    assert "is a file that is there already" in done.stderr


def test_the_doctor_speaks_the_language_of_the_settings(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text('[page]\nlanguage = "de"\n', encoding="utf-8")
    try:
        assert '"check": "Einstellungen"' in RUN.invoke(app, ["doctor", "--json"]).stdout
    finally:
        doctor.language.use("en")


def test_the_page_shows_what_needs_a_hand_first_and_escapes_names() -> None:
    drawn = findings_html(
        (Finding("a", Health.GOOD, "fine"), Finding("<b>", Health.BAD, "x", "do"), Finding("n", Health.NOTE, "y"))
    )
    assert drawn.index("&lt;b&gt;") < drawn.index(">n<") < drawn.index("fine")
    assert "Something needs your hand: 1" in drawn
    assert "Everything that deskref needs" in findings_html(())
