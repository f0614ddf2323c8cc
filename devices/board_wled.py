"""Boards that run WLED: over USB by its JSON interface, over Wi-Fi by UDP. Light only; WLED has no way to sound."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from collections.abc import Callable

from devices.board import BoardError, Picture, Tune
from devices.board_dialect import Met, SilentError
from devices.board_port import AbsentError, Port
from devices.board_protocol import runs_of

DEFAULT_LEDS = 48
"""Where WLED does not say how long its strip is."""

JSON_RUNS = 12
"""Runs of one picture over USB: about 230 bytes, 20 ms."""

VERSION_EVERY_S = 0.5
VERSION_FOR_S = 6.0
"""WLED says its version when asked `v`; an ESP32 that was reset by the opening of its port boots for some seconds."""

INFO_S = 2.0
"""How long the description of the strip may take: some kilobytes at 11.5 a millisecond, and the time to write them."""

SILENT_S = 1.0
"""How long WLED may take to say its version."""

UDP_PORT = 21324
"""Where WLED listens for live pictures."""

DRGB = 2
"""The UDP form `02 seconds RGB...`, for up to 490 LEDs."""

DRGB_MOST = 490

LIVE_S = 3
"""Seconds after which WLED goes back to its own light where no picture came; ours comes again each second."""

ASK_EVERY_S = 10.0
HTTP_S = 1.0
"""How often and how long WLED is asked over Wi-Fi whether it is there: UDP itself says nothing."""


class WledSerialDialect:
    """WLED at a USB port, by LED ranges of its JSON interface, which need no repetition.

    Only ASCII is ever sent: a stray byte between B0 and B7 would change WLED's baud rate until it is restarted, and
    streams of pictures without pause crash it (its receive loop never ends), so there are at most ten a second.
    """

    beat_s = 2.0
    picture_s = 0.1

    def __init__(self, *, leds: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._leds = leds
        self._clock = clock
        self._missed = 0

    def greet(self, port: Port, is_stopped: Callable[[], bool]) -> Met:
        """Ask for the version until WLED says it, then for the length of its strip."""
        heard = bytearray()
        end_s = self._clock() + VERSION_FOR_S
        while not is_stopped() and self._clock() < end_s:
            port.write(b"v")
            version = self._version(port, VERSION_EVERY_S, heard)
            if version is not None:
                self._missed = 0
                leds = self._leds or self._count(port) or DEFAULT_LEDS
                return Met(name=f"WLED {version}", leds=leds, has_sound=False)
        if b"Ada" in heard:
            raise SilentError(
                "WLED is there but does not hear.",
                "WLED 16.0 betas on the ESP32 have this fault: update it. Else its pin RX (GPIO 3) is used for LEDs: "
                "choose GPIO 2 or 16 for them.",
                is_recognised=True,
            )
        raise SilentError(
            "The port opens, but WLED does not answer.",
            "Its pins RX and TX (GPIO 3 and 1) must be free of LEDs, and the baud rate 115200.",
        )

    def show(self, port: Port, picture: Picture) -> None:
        """Send the picture as ranges; WLED does not say when it is shown."""
        port.write(ranges_json(picture))

    def play(self, port: Port, tune: Tune) -> None:
        """Do nothing: WLED has no command for its buzzer."""

    def beat(self, port: Port) -> None:
        """Ask for the version; two questions without an answer are a loss."""
        if port.in_waiting:
            port.read(port.in_waiting)
        port.write(b"v")
        self._missed = 0 if self._version(port, SILENT_S, bytearray()) is not None else self._missed + 1
        if self._missed >= 2:
            raise BoardError("WLED stopped answering.", "Unplug it and plug it in again.")

    def hears_reset(self, port: Port) -> bool:
        """Whether WLED has booted: it then says `Ada`."""
        return port.in_waiting > 0 and b"Ada" in port.read(port.in_waiting)

    def leave(self, port: Port) -> None:
        """Switch the strip off and thaw the segment, so that WLED's own effects work again."""
        port.write(b'{"on":false,"seg":{"id":0,"frz":false}}\n')

    def _version(self, port: Port, wait_s: float, heard: bytearray) -> str | None:
        end_s = self._clock() + wait_s
        said = bytearray()
        while self._clock() < end_s:
            said += port.read(max(1, port.in_waiting))
            found = re.search(rb"WLED ([0-9]{1,12})[\r\n]", bytes(said))
            if found:
                return found[1].decode()
        heard += said[: 400 - len(heard)]
        return None

    def _count(self, port: Port) -> int | None:
        port.write(b'{"v":true}\n')
        end_s = self._clock() + INFO_S
        said = bytearray()
        while self._clock() < end_s:
            said += port.read(max(1, port.in_waiting))
            found = re.search(rb'"leds":\{"count":([0-9]{1,6})[,}]', bytes(said))
            if found:
                while port.read(256):  # the rest of the answer, which must not be taken for another
                    pass
                return min(int(found[1]), DRGB_MOST)
        return None


class Datagrams:
    """A UDP socket with the manners of a port."""

    in_waiting = 0

    def __init__(self, host: str, udp_port: int = UDP_PORT) -> None:
        """Look the host up.

        Raises:
            AbsentError: its name is not known.
        """
        self.host = host
        try:
            family, kind, _, _, address = socket.getaddrinfo(host, udp_port, type=socket.SOCK_DGRAM)[0]
        except (OSError, UnicodeError) as error:  # the latter for a name with nothing between its dots
            raise AbsentError(
                f"There is no {host!r} in the network.", "Is WLED switched on and in the same Wi-Fi?"
            ) from error
        self._socket = socket.socket(family, kind)
        self._socket.setblocking(False)
        self._socket.connect(address)

    def read(self, size: int = 1) -> bytes:
        """Nothing comes back."""
        return b""

    def write(self, data: bytes, /) -> int | None:
        """Send one datagram; one that cannot be sent is lost, as in the air."""
        try:
            return self._socket.send(data)
        except OSError:
            return None

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


class WledUdpDialect:
    """WLED in the network: pictures by UDP, repeated each second; HTTP only to see whether it is there."""

    beat_s = 1.0
    picture_s = 0.05

    def __init__(self, host: str, *, leds: int = 0, http_port: int = 80, clock: Callable[[], float] = time.monotonic):
        self._host = host
        self._leds = leds
        self._http_port = http_port
        self._clock = clock
        self._shown: Picture = ()
        self._asked_s = 0.0

    def greet(self, port: Port, is_stopped: Callable[[], bool]) -> Met:
        """Ask over HTTP what is there."""
        info = self._info()
        strip = info.get("leds")
        count = strip.get("count") if isinstance(strip, dict) else None
        leds = self._leds or (count if type(count) is int and count > 0 else DEFAULT_LEDS)
        version = "".join(letter for letter in str(info.get("ver", ""))[:20] if letter.isprintable())
        return Met(name=f"WLED {version} over Wi-Fi", leds=min(leds, DRGB_MOST), has_sound=False)

    def show(self, port: Port, picture: Picture) -> None:
        """Send the picture."""
        self._shown = picture
        port.write(drgb(picture))

    def play(self, port: Port, tune: Tune) -> None:
        """Do nothing: WLED has no command for its buzzer."""

    def beat(self, port: Port) -> None:
        """Send the picture again, for WLED forgets it and the air loses some; now and then see whether it is there."""
        if self._shown:
            port.write(drgb(self._shown))
        if self._clock() - self._asked_s >= ASK_EVERY_S:
            self._info()

    def hears_reset(self, port: Port) -> bool:
        """Never: a WLED that began afresh gets the repeated picture anyway."""
        return False

    def leave(self, port: Port) -> None:
        """Go dark; a second later WLED is its own again."""
        port.write(drgb(((0, 0, 0),) * (len(self._shown) or DEFAULT_LEDS), live_s=1))
        self._shown = ()

    def _info(self) -> dict[str, object]:
        self._asked_s = self._clock()
        connection = http.client.HTTPConnection(self._host, self._http_port, timeout=HTTP_S)
        try:
            connection.request("GET", "/json/info")
            answer = connection.getresponse()
            info = json.loads(answer.read(100_000))
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            raise AbsentError(
                f"WLED does not answer at {self._host}.", "Is it switched on and in the same Wi-Fi?"
            ) from error
        finally:
            connection.close()
        if not isinstance(info, dict) or info.get("brand") != "WLED":
            raise BoardError(f"What answers at {self._host} is no WLED.", "Set its address under [board] port.")
        return info


def ranges_json(picture: Picture) -> bytes:
    """A picture as WLED's JSON with LED ranges; ends with the byte that WLED eats after it."""
    parts: list[object] = []
    first = 0
    for count, (red, green, blue) in runs_of(picture, most=JSON_RUNS):
        parts += [first, first + count, f"{red:02X}{green:02X}{blue:02X}"]
        first += count
    state = {"on": True, "bri": 255, "tt": 0, "seg": {"id": 0, "i": parts}}
    return json.dumps(state, separators=(",", ":")).encode("ascii") + b"\n"


def drgb(picture: Picture, *, live_s: int = LIVE_S) -> bytes:
    """A picture as WLED's UDP form DRGB."""
    return bytes((DRGB, live_s)) + b"".join(bytes(c) for c in picture[:DRGB_MOST])
