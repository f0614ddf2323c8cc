"""Opening ports: each failure has its message; the real pyserial on a pty."""

from __future__ import annotations

import errno
import os
import pty
import tty
from pathlib import Path

import pytest
import serial

from devices import board_port
from devices.board import BoardError
from devices.board_port import PORT_ERRORS, AbsentError, open_port, opening_error, permission_remedy


def test_a_missing_port_is_absent_and_says_how_to_list_them() -> None:
    with pytest.raises(AbsentError, match=r"no board at /dev/ttyNONE.*board list"):
        open_port("/dev/ttyNONE")


def test_a_file_is_no_serial_port(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    with pytest.raises(BoardError, match="serial port"):
        open_port(str(path))


def test_a_port_in_use_is_said_to_be() -> None:
    """Without exclusive access a second program steals bytes without any error."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    first = open_port(name)
    with pytest.raises(BoardError, match="open in another program"):
        open_port(name)
    first.close()
    open_port(name).close()
    os.close(master)
    os.close(slave)


def test_no_permission_names_group_and_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "port"
    path.write_text("")
    monkeypatch.setattr("grp.getgrgid", lambda _: type("Group", (), {"gr_name": "uucp"}))
    error = opening_error(str(path), serial.SerialException(errno.EACCES, "Permission denied"))
    assert error.trouble.message == f"You may not use {path}."
    assert 'sudo usermod -aG uucp "$USER"' in error.trouble.remedy
    assert "log out and in" in error.trouble.remedy


def test_a_port_of_the_administrator_needs_another_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grp.getgrgid", lambda _: type("Group", (), {"gr_name": "root"}))
    assert "usermod" not in permission_remedy("/dev/null")


def test_a_port_that_is_gone_has_the_usual_group() -> None:
    assert "dialout" in permission_remedy("/dev/ttyNONE")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)", "open in another program"),
        ("could not open port 'COM9': FileNotFoundError(2, 'The system cannot find the file', None, 2)", "no board at"),
        ("could not open port 'COM4': OSError(22, 'The semaphore timeout period has expired.')", "cannot be opened"),
    ],
)
def test_windows_says_it_in_words(words: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There pyserial's errors have no number."""
    monkeypatch.setattr(board_port.sys, "platform", "win32")
    assert message in opening_error("COM3", serial.SerialException(words)).trouble.message


def test_everything_that_an_unplugged_port_raises_is_expected() -> None:
    """A pty whose other end is closed, as pyserial 3.5 shows it: bare OSError, termios.error and its own errors."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    os.close(slave)
    port = open_port(name)
    os.close(master)
    raised: list[type[BaseException]] = []
    actions = [
        lambda: port.in_waiting,
        lambda: port.read(1),
        lambda: port.write(b"x"),
        lambda: port.flush(),  # type: ignore[attr-defined]  # pyserial's own
        lambda: port.reset_input_buffer(),  # type: ignore[attr-defined]  # pyserial's own
    ]
    for action in actions:
        try:
            action()
        except PORT_ERRORS as error:
            raised.append(type(error))
    port.close()
    assert len(raised) >= 4
    assert any(not issubclass(kind, OSError) for kind in raised)


def test_a_device_that_does_not_read_stops_a_write_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_port, "WRITE_S", 0.05)
    master, slave = pty.openpty()
    tty.setraw(slave)
    port = open_port(os.ttyname(slave))
    with pytest.raises(serial.SerialTimeoutException):
        port.write(b"x" * 1_000_000)
    port.close()
    os.close(master)
    os.close(slave)
