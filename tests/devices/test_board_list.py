"""Which ports are tried unasked, and what the player's word is remembered by."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from devices.board_list import FILE_NAME, Chance, Consents, PortFound, list_boards


@dataclass
class Listed:
    """As pyserial lists a port."""

    device: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    location: str | None = None
    description: str = "n/a"


UNO = Listed("/dev/ttyACM0", 0x2341, 0x0043, "85736323838351F0B1C1", "1-2")
PICO = Listed("/dev/ttyACM1", 0x2E8A, 0x0005, "e6614103e7452d2f", "1-3")
MEGA = Listed("/dev/ttyACM2", 0x2341, 0x0042, "95530", "1-4")
CH340 = Listed("/dev/ttyUSB0", 0x1A86, 0x7523, None, "1-5")
MODEM = Listed("/dev/ttyUSB1", 0x12D1, 0x1506, "1", "1-6", "Modem")
BUILT_IN = Listed("/dev/ttyS0")


def found(*ports: Listed) -> tuple[PortFound, ...]:
    return list_boards(lambda: ports)


def test_likely_boards_come_first_and_printers_are_not_touched() -> None:
    """An Arduino Mega is in many 3D printers; opening its port resets it in the middle of a print."""
    listed = found(BUILT_IN, MODEM, CH340, MEGA, PICO, UNO)
    assert [(p.path, p.chance) for p in listed] == [
        ("/dev/ttyACM0", Chance.KNOWN),
        ("/dev/ttyACM1", Chance.KNOWN),
        ("/dev/ttyACM2", Chance.ASK),
        ("/dev/ttyUSB0", Chance.ASK),
        ("/dev/ttyS0", Chance.NO),
        ("/dev/ttyUSB1", Chance.NO),
    ]
    assert listed[0].name == "Arduino Uno"
    assert "CH340" in listed[3].name


def test_only_known_boards_may_be_tried_unasked() -> None:
    consents = Consents(None)
    assert [p.path for p in found(UNO, PICO, MEGA, CH340, MODEM, BUILT_IN) if consents.may_try(p)] == [
        "/dev/ttyACM0",
        "/dev/ttyACM1",
    ]


@pytest.mark.parametrize("agreed", [True, False])
def test_the_players_word_is_remembered_under_any_name(tmp_path: Path, agreed: bool) -> None:
    """By vendor, product and serial number; without one by the USB socket. The name may change."""
    for port, elsewhere in (
        (CH340, Listed("/dev/ttyUSB7", 0x1A86, 0x7523, None, "1-5")),
        (MEGA, Listed("/dev/ttyACM9", 0x2341, 0x0042, "95530", "3-1")),
        (UNO, Listed("COM5", 0x2341, 0x0043, "85736323838351F0B1C1", "9-9")),
    ):
        Consents(tmp_path).remember(found(port)[0], agreed=agreed)
        again = Consents(tmp_path)
        assert again.may_try(found(elsewhere)[0]) is agreed
        assert again.answer(found(elsewhere)[0]) is agreed


def test_another_device_of_the_same_kind_is_asked_about() -> None:
    consents = Consents(None)
    consents.remember(found(CH340)[0], agreed=True)
    assert not consents.may_try(found(Listed("/dev/ttyUSB0", 0x1A86, 0x7523, None, "1-1"))[0])
    assert consents.may_try(found(CH340)[0])


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"port": 1}', '[{"port": {"vid": 1}, "agreed": true}]', "null"])
def test_a_broken_memory_is_no_memory(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    consents = Consents(tmp_path)
    assert not consents.may_try(found(CH340)[0])
    consents.remember(found(CH340)[0], agreed=True)
    assert len(json.loads((tmp_path / FILE_NAME).read_text())) == 1


def test_a_folder_that_cannot_be_written_only_means_to_be_asked_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    consents = Consents(tmp_path / "file" / "folder")
    consents.remember(found(CH340)[0], agreed=True)
    assert consents.may_try(found(CH340)[0])
    assert "cannot be written" in caplog.text


def test_a_port_that_is_not_on_usb_is_not_remembered(tmp_path: Path) -> None:
    Consents(tmp_path).remember(found(BUILT_IN)[0], agreed=True)
    assert not (tmp_path / FILE_NAME).exists()


def test_the_real_list_can_be_read() -> None:
    for port in list_boards():
        assert port.path
        assert port.name
