"""One serial port: opening it with advice for every way in which that fails, and what a port must be able to do."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import Protocol, cast

import serial

from devices.board import BoardError
from devices.board_protocol import BAUD

if sys.platform == "win32":
    _TERMIOS: tuple[type[BaseException], ...] = ()
else:
    import termios

    _TERMIOS = (termios.error,)

PORT_ERRORS: tuple[type[BaseException], ...] = (OSError, *_TERMIOS, TypeError, ValueError, AttributeError)
"""Everything that pyserial 3.5 raises when a device goes away: its own errors are OSErrors, `flush` raises
termios.error, and a port closed meanwhile TypeError or AttributeError."""

WRITE_S = 0.5
"""A write that takes longer is given up: without a limit pyserial waits for ever for a device that does not read."""

READ_S = 0.02
"""How long one read waits; answers come within it or are asked for again."""


class Port(Protocol):
    """What is needed of a port; pyserial's `Serial` has it."""

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once."""

    def read(self, size: int = 1) -> bytes:
        """Read up to `size` bytes, waiting `READ_S` for them."""

    def write(self, data: bytes, /) -> int | None:
        """Write all bytes or raise after `WRITE_S`."""

    def close(self) -> None:
        """Let go of the device."""


class AbsentError(BoardError):
    """There is no such port at the moment; it may be plugged in again."""


def open_port(path: str, *, baud: int = BAUD) -> Port:
    """Open a serial port for a board.

    Args:
        path: a device's name such as `/dev/ttyUSB0` or `COM3`, or an address that pyserial knows (`socket://...`).
        baud: speed of the port.

    Raises:
        AbsentError: there is no such port.
        BoardError: it cannot be used; the message says why and what to do.
    """
    try:
        return cast(
            Port,
            serial.serial_for_url(
                path, baud, timeout=READ_S, write_timeout=WRITE_S, **({} if "://" in path else {"exclusive": True})
            ),
        )
    except PORT_ERRORS as error:
        raise opening_error(path, error) from error


def opening_error(path: str, error: BaseException) -> BoardError:
    """Say why a port cannot be opened, and what to do."""
    number = error.errno if isinstance(error, OSError) else None
    words = str(error)
    if "://" in path:
        return AbsentError(f"Nothing answers at {path}.", "Check the address, and that the board is switched on.")
    if number in (errno.EAGAIN, errno.EBUSY) or "lock" in words or (sys.platform == "win32" and "Access" in words):
        return BoardError(
            f"{path} is open in another program.", "Close the Arduino IDE's monitor or the other deskref."
        )
    if number in (errno.EACCES, errno.EPERM):
        return BoardError(f"You may not use {path}.", permission_remedy(path))
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO) or "FileNotFoundError" in words:
        return AbsentError(
            f"There is no board at {path}.", "Plug it in; `deskref board list` shows the ports of this computer."
        )
    if number in (errno.ENOTTY, errno.EISDIR) or os.strerror(errno.ENOTTY) in words:
        return BoardError(f"{path} is no serial port.", "`deskref board list` shows the ports of this computer.")
    return BoardError(f"{path} cannot be opened: {_reason(error)}.", "Unplug the board and plug it in again.")


def _reason(error: BaseException) -> str:
    """Give the system's own words without their numbers, or the library's first line."""
    number = error.errno if isinstance(error, OSError) else None
    return os.strerror(number) if number is not None else str(error).strip().partition("\n")[0].rstrip(".")


def permission_remedy(path: str) -> str:
    """The command that lets the user use a port: its group, and that a new login is needed."""
    group = "dialout"
    if sys.platform != "win32":
        import grp

        with contextlib.suppress(OSError, KeyError):
            group = grp.getgrgid(os.stat(path).st_gid).gr_name
    if group == "root":
        return "Only the administrator may use it; a udev rule can give it to a group."
    return f'Enter `sudo usermod -aG {group} "$USER"` once, then log out and in again.'
