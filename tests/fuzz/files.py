"""What players write or keep: set-ups, settings, characters, lenses, taught faces, agreed devices, options."""

from __future__ import annotations

import json
from pathlib import Path

from calibration.store import FILE_NAME as CALIBRATION
from calibration.store import StoreError, calibrated_cameras, load_lens, load_lenses, load_print_scale
from deskref import settings
from deskref.calibrated import GivenError, table_given, table_of
from deskref.characters import CharacterError, keep_character, load_character
from deskref.demo import SETUP
from deskref.inputs import StartGame
from deskref.play import Play
from deskref.room import discovery, messages_of, table_name
from deskref.setup_file import SetupError, load_setup
from devices.board_list import FILE_NAME as CONSENTS
from devices.board_list import Consents
from devices.camera import SourceError
from devices.camera_spec import open_source
from tests.fuzz.engine import Target
from vision.taught_faces import FILE_NAME as FACES
from vision.taught_faces import TaughtFacesError
from vision.taught_faces import load as load_faces


def _setup(data: bytes, folder: Path) -> str | None:
    path = folder / "setup.json"
    path.write_bytes(data)
    for with_camera in (False, True):
        try:
            setup = load_setup(path, with_camera=with_camera)
        except SetupError as error:
            _plain(str(error))
            return str(error)
        play = Play()
        play.happened(StartGame(setup=setup))
        assert play.session.setup is not None, "a set-up that was read must begin a game"
        messages_of(play.session.log, play.session, table="table")
    return None


def _settings(data: bytes, folder: Path) -> str | None:
    path = folder / settings.FILE_NAME
    path.write_bytes(data)
    loaded = settings.load(folder)
    if loaded.trouble is not None:
        assert loaded.settings == settings.Settings()
        _plain(loaded.trouble)
        return loaded.trouble.replace(str(folder), "")
    table_of(folder, loaded.settings.table)
    discovery(loaded.settings.mqtt.table, version="0")
    settings.save(folder, loaded.settings)
    assert settings.load(folder) == loaded, "what is saved is read again"
    return None


def _character(data: bytes, folder: Path) -> str | None:
    path = folder / "somebody.toml"
    path.write_bytes(data)
    try:
        somebody = load_character(path)
    except CharacterError as error:
        _plain(str(error))
        return str(error)
    (folder / "characters").mkdir(exist_ok=True)
    for old in (folder / "characters").iterdir():
        old.unlink()
    assert load_character(keep_character(folder, somebody)) == somebody, "who is kept is read again"
    return None


def _lenses(data: bytes, folder: Path) -> str | None:
    (folder / CALIBRATION).write_bytes(data)
    try:
        load_print_scale(folder, "mat")
        for camera in calibrated_cameras(folder):
            load_lenses(folder, camera)
            load_lens(folder, camera, (1280, 720))
    except StoreError as error:
        _plain(str(error))
        return str(error).replace(str(folder), "")
    return None


def _faces(data: bytes, folder: Path) -> str | None:
    (folder / FACES).write_bytes(data)
    try:
        known = load_faces(folder)
    except TaughtFacesError as error:
        return str(error).replace(str(folder), "")
    known.recognise([0.1] * 48, (10, 20, 30))
    return None


def _consents(data: bytes, folder: Path) -> str | None:
    (folder / CONSENTS).write_bytes(data)
    Consents(folder)
    return None


def _option(data: bytes, folder: Path) -> str | None:
    """Texts of options: a camera's name, a table's size and corners, a topic."""
    text = data.decode("utf-8", "replace").replace("\0", "")
    named = table_name(text)
    assert named
    assert not set(named) & set("+#/ \0"), "MQTT's own signs"
    answers = []
    for given in ({"size": text}, {"corners": text}):
        try:
            table_given(settings.TableSettings(), **given)
        except GivenError as error:
            answers.append(str(error))
    if not text.startswith(("/", ".", "~")):
        try:
            open_source(text, cameras=lambda: ()).close()
        except SourceError as error:
            answers.append(error.code.name)
    return " ".join(answers)


def _plain(words: str) -> None:
    """No library's own words, and nothing that a terminal obeys."""
    for theirs in ("Input should", "Value error", "type=", "Traceback", "pydantic", "Invalid JSON"):
        assert theirs not in words, f"a library's words: {theirs}"
    assert "\x1b" not in words, "an escape goes to the terminal"


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


COMBAT = {
    "game": "world-saga",
    "damage_table": {"weak": 1, "success": 2, "strong": 3, "great": 4},
    "board": {"kind": "squares", "columns": 9, "rows": 8, "walls": [[1, 2]], "difficult": [[3, 3]], "fences": []},
    "combatants": [
        {"name": "Lokan", "side": "pc", "reflexes": 12, "place": [2, 1], "speed": 5, "ranks": {"Fighting": 11}},
        {"name": "Imp", "side": "npc", "reflexes": 9, "place": [6, 1], "stamina": 8, "group": "imps"},
    ],
}
FREE = {
    "game": "world-saga",
    "board": {
        "kind": "free",
        "wall_outlines": [[[10, 10], [20, 10], [20, 30]]],
        "difficult_outlines": [[[50, 50], [90, 50], [90, 90]]],
    },
    "combatants": COMBAT["combatants"],
}
SKIRMISH = {
    "game": "quick-skirmish",
    "tokens": 9,
    "milestones": [{"tokens": 5, "effect": "next_roll", "bonus": 1, "note": "x"}],
    "heroes": [{"name": "Mina", "die": 10}, {"name": "Rex", "ally_of": "Mina", "wild_card": False}],
}
SKUFFLE = {
    "game": "skuffle-wammer",
    "minutes": 3,
    "area_mm": "a4",
    "seat_mm": [0, -160],
    "soldiers": [
        {"name": "Ann", "team": "red", "start_mm": [-50, 0], "pool": 3},
        {"name": "Zed", "team": "green", "breed": "zombie", "start_mm": [50, 0]},
    ],
}

SETTINGS = b"""# mine
[page]
port = 8377
language = "de"
sound = true
[camera]
source = "none"
[table]
kind = "corners"
width_mm = 300.0
corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
[phones]
allowed = false
[board]
kind = "wled"
port = "/dev/ttyUSB0"
leds = 48
[mqtt]
host = "127.0.0.1"
table = "My table"
[recording]
keep_games = 20
"""

CHARACTER = b"""name = "Lokan"
[quick_skirmish]
trait = "Shooting"
die = 10
toughness = 6
[world_saga]
reflexes = 12
speed = 5
[world_saga.ranks]
Fighting = 11
Resolve = 9
"""

LENSES = {
    "lenses": [
        {
            "camera": "film:a.mp4",
            "size": [1280, 720],
            "camera_matrix": [[900.0, 0, 639.5], [0, 900.0, 359.5], [0, 0, 1]],
            "distortion": [-0.1, 0, 0, 0, 0],
            "rms_px": 0.2,
            "views": 12,
        }
    ],
    "print_scales": {"mat": 0.97},
}

TOML_WORDS = (
    b"[",
    b"]",
    b"[[",
    b"= ",
    b'"',
    b"'''",
    b'"""',
    b"true",
    b"nan",
    b"inf",
    b"1979-05-27",
    b"\n",
    b"#",
    b"0x",
)

TARGETS = (
    Target(
        "setup",
        "set-up files of games, and the game that they begin",
        _setup,
        (_json(SKUFFLE), _json(SKIRMISH), _json(COMBAT), _json(FREE), SETUP.read_bytes()),
        form="json",
    ),
    Target("settings", "the settings, and what is saved of them", _settings, (SETTINGS, b""), TOML_WORDS, "text"),
    Target("character", "kept characters", _character, (CHARACTER, b'name = "A"\n'), TOML_WORDS, "text"),
    Target("lenses", "calibrated lenses and scales", _lenses, (_json(LENSES), b"{}"), form="json"),
    Target(
        "faces",
        "taught faces of dice",
        _faces,
        (_json({"faces": [{"value": 1, "name": "logo", "colour_bgr": [9, 8, 7], "features": [[0.1] * 48]}]}),),
        form="json",
    ),
    Target(
        "consents",
        "devices that the player agreed to",
        _consents,
        (_json([{"port": {"vid": 1, "pid": 2, "serial": "x", "place": ""}, "agreed": True}]),),
        form="json",
    ),
    Target(
        "option",
        "names of cameras, sizes, corners, topics",
        _option,
        (
            b"300x200", b"24x20in", b"0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9", b"1,1 9,1 9,9 1,9 of 1280x720", b"auto", b"0",
            b"http://user:pass@192.168.1.20:8080/video", b"rtsp://cam.local/stream", b"HD Pro Webcam C920", b"a.mp4",
            b"/dev/video0", b"[::1]:8080", b"COM3",
        ),
        (b"://", b":", b"@", b"[", b"]", b"%00", b",", b"x", b"of", b"in", b".", b"..", b"/", b"~", b"\\\\?\\"),
        "text",
    ),
)  # fmt: skip
