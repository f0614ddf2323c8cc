"""`deskref board ...`: what is printed, remembered and advised; against a board in memory."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deskref import board_commands, doctor
from deskref.command_line import app
from deskref.doctor import Health
from devices import board_choice, board_list
from devices.board import BoardError
from devices.board_choice import make_board
from devices.board_list import Consents, PortFound
from tests.devices.fake_board import FakeBoard, FakePort
from tests.devices.test_board_choice import CHIP, PLAIN, UNO

RUN = CliRunner()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> tuple[PortFound, ...]:
    found = (UNO, CHIP, PLAIN)
    monkeypatch.setattr(board_list, "list_boards", lambda: found)
    return found


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeBoard:
    board = FakeBoard()
    monkeypatch.setattr(board_commands, "make_board", partial(make_board, opener=lambda _: FakePort(board)))
    monkeypatch.setattr(board_commands, "LONGEST_SHOW_S", 0.1)
    return board


def said(*arguments: str) -> str:
    """What a command prints; a refusal ends with status 2 and its words on the error output."""
    done = RUN.invoke(app, ["board", *arguments])
    return " ".join((done.stdout + done.stderr).split())


def test_ports_are_listed_with_what_is_done_with_them(home: Path, ports: tuple[PortFound, ...]) -> None:
    lines = [json.loads(line) for line in RUN.invoke(app, ["board", "list", "--json"]).stdout.splitlines()]
    assert [(line["port"], line["tried"], line["chance"]) for line in lines] == [
        ("/dev/ttyACM0", True, "known"),
        ("/dev/ttyUSB0", False, "ask"),
        ("/dev/ttyS0", False, "no"),
    ]
    Consents(home).remember(CHIP, agreed=True)
    text = said("list")
    assert "Arduino Uno" in text
    assert "as you said" in text


def test_no_port_at_all_has_a_hint(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_list, "list_boards", tuple)
    assert "cable for charging" in said("list")


def test_a_test_shows_everything_and_remembers_the_named_port(
    home: Path, ports: tuple[PortFound, ...], fake: FakeBoard
) -> None:
    assert not Consents(home).may_try(CHIP)
    text = said("test", "--port", "/dev/ttyUSB0", "--kind", "deskref")
    assert "Arduino (deskref-board/1) at /dev/ttyUSB0: 48 LEDs" in text
    assert all(words in text for words in ("your turn", "winner", "trouble", "clockwise"))
    assert len(set(fake.pictures)) >= 10
    assert fake.tunes
    assert fake.pictures[-1] == ((0, 0, 0),) * 48
    assert Consents(home).may_try(CHIP)


def test_a_test_without_sound_is_silent(home: Path, ports: tuple[PortFound, ...], fake: FakeBoard) -> None:
    said("test", "--port", "/dev/ttyACM0", "--no-sound")
    assert fake.pictures
    assert fake.tunes == []


def test_a_test_of_an_old_board_gives_advice(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = FakeBoard(protocol=0)
    monkeypatch.setattr(board_commands, "make_board", partial(make_board, opener=lambda _: FakePort(board)))
    done = RUN.invoke(app, ["board", "test", "--port", "/dev/x"])
    assert done.exit_code == 2
    assert "too old" in done.stderr


def test_a_test_of_a_missing_port_gives_advice(home: Path) -> None:
    assert "There is no board at /dev/ttyNONE" in said("test", "--port", "/dev/ttyNONE")


def test_wled_without_an_address_is_refused(home: Path) -> None:
    assert "needs WLED's address" in said("test", "--kind", "wled-udp")


def test_a_strip_of_another_length_than_the_settings_say_is_told(
    home: Path, ports: tuple[PortFound, ...], fake: FakeBoard
) -> None:
    assert "drives 48 LEDs, the settings say 60" in said("test", "--port", "/dev/ttyACM0", "--leds", "60", "--no-sound")


def test_the_monitor_says_what_changes(home: Path, ports: tuple[PortFound, ...], fake: FakeBoard) -> None:
    text = said("monitor", "--port", "/dev/x", "--kind", "deskref", "--seconds", "0.6")
    assert "opening" in text
    assert "ready" in text
    assert "48 LEDs" in text


def test_a_device_that_is_no_board_is_left_alone(home: Path, ports: tuple[PortFound, ...]) -> None:
    assert "left alone" in said("ignore", "/dev/ttyUSB0")
    assert Consents(home).answer(CHIP) is False
    assert "There is no port '/dev/nope'" in said("ignore", "/dev/nope")
    assert "not on USB" in said("ignore", "/dev/ttyS0")


def test_flashing_an_arduino_is_explained(home: Path) -> None:
    text = said("flash", "--port", "/dev/ttyACM0", "--leds", "144")
    assert "avrdude -p atmega328p -c arduino -P /dev/ttyACM0 -b 115200" in text
    assert "deskref-board-144.hex" in text
    assert "-b 57600" in said("flash", "--chip", "nano-old", "--port", "/dev/ttyUSB0")


def test_the_named_program_is_there() -> None:
    for leds in board_commands.BUILT_LEDS:
        assert (board_commands.FIRMWARE / "avr" / f"deskref-board-{leds}.hex").is_file()
    assert (board_commands.FIRMWARE / "rp2040" / "main.py").is_file()


def test_flashing_a_pico_is_explained(home: Path) -> None:
    text = said("flash", "--chip", "pico", "--leds", "60")
    assert "BOOTSEL" in text
    assert "main.py" in text
    assert "change LEDS = 48" in text
    assert "copied by hand" in said("flash", "--chip", "pico", "--run")


def test_a_strip_without_a_built_program_is_explained(home: Path) -> None:
    text = said("flash", "--leds", "60")
    assert "only for 48 and 144" in text
    assert "LEDS=60" in text


def test_which_arduino_is_asked_where_there_are_several(
    home: Path, ports: tuple[PortFound, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Name the Arduino's port" in said("flash", "--run")
    monkeypatch.setattr(board_list, "list_boards", lambda: (PLAIN,))
    assert "No Arduino is plugged in" in said("flash", "--run")
    assert "-P PORT" in said("flash")
    assert "PORT stands for the Arduino's port" in said("flash")


def test_what_may_be_a_printer_is_not_flashed_unless_it_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_list, "list_boards", lambda: (CHIP,))
    monkeypatch.setattr(board_commands.shutil, "which", lambda _: None)
    assert "may be an Arduino, or a printer at work" in said("flash", "--run")
    Consents(home).remember(CHIP, agreed=True)
    assert "avrdude is not installed" in said("flash", "--run")


def test_with_nothing_plugged_in_every_command_says_what_to_do(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_list, "list_boards", lambda: (PLAIN,))
    monkeypatch.setattr(board_choice.Finder.__init__, "__kwdefaults__", {"ports": lambda: (PLAIN,), "opener": None})
    for command in ("list", "test"):
        assert "Plug the board in; a cable for charging only" in said(command)
    assert "No board is plugged in. The game goes on" in said("monitor", "--seconds", "0.5")


@pytest.mark.parametrize(("status", "words"), [(0, "Done."), (1, "did not succeed")])
def test_flashing_runs_avrdude(home: Path, monkeypatch: pytest.MonkeyPatch, status: int, words: str) -> None:
    ran: list[list[str]] = []

    class Done:
        returncode = status

    def run(command: list[str], *, check: bool) -> Done:
        ran.append(command)
        return Done()

    monkeypatch.setattr(board_commands.shutil, "which", lambda _: "/usr/bin/avrdude")
    monkeypatch.setattr(board_commands.subprocess, "run", run)
    assert words in said("flash", "--port", "/dev/ttyACM0", "--run")
    assert ran[0][0] == "avrdude"
    monkeypatch.setattr(board_commands.shutil, "which", lambda _: None)
    assert "not installed" in said("flash", "--port", "/dev/ttyACM0", "--run")


def test_the_doctor_looks_only_at_ports_that_are_used_anyway(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_port(path: str) -> FakePort:
        opened.append(path)
        return FakePort(FakeBoard())

    monkeypatch.setattr(doctor, "list_boards", lambda: (UNO, CHIP, PLAIN))
    monkeypatch.setattr(doctor, "open_port", open_port)
    found = list(doctor._board())
    assert opened == ["/dev/ttyACM0"]
    assert [f.health for f in found] == [Health.GOOD, Health.NOTE]
    assert found[1].remedy == "Only if it is your board: deskref board test --port /dev/ttyUSB0"


def test_the_doctor_says_why_a_port_cannot_be_used(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> FakePort:
        raise BoardError(f"You may not use {path}.", "Join the group.")

    monkeypatch.setattr(doctor, "list_boards", lambda: (UNO,))
    monkeypatch.setattr(doctor, "open_port", refuse)
    (found,) = doctor._board()
    assert (found.health, found.found, found.remedy) == (Health.BAD, "You may not use /dev/ttyACM0.", "Join the group.")
    monkeypatch.setattr(doctor, "list_boards", tuple)
    assert next(doctor._board()).found == "none (optional)"
    (home / "settings.toml").write_text('[board]\nkind = "none"\n')
    assert "not wanted" in next(doctor._board()).found
