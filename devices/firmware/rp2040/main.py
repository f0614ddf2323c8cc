# mypy: ignore-errors
# (mypy does not know the modules of MicroPython.)
"""The light and sound board on a Raspberry Pi Pico (RP2040 or RP2350), for MicroPython 1.20 or newer.

Strip: data on GP2, WS2812 or SK6812, through a level shifter or a short wire. Buzzer: GP15, a passive piezo.
Copy this file to the Pico as main.py; LEDS and LIMIT_MA below are for you to change.
It speaks deskref-board/1 over USB, as the Arduino's program does.
"""

import sys
import time
from array import array

LEDS = 48
LIMIT_MA = 400  # a USB port gives 500 mA; the Pico itself takes about 50
STRIP_PIN = 2
BUZZER_PIN = 15

CHANNEL_MA = 20  # of one colour of one LED at 255
IDLE_MA = 1  # of one dark LED
SILENCE_MS = 3000  # without a sound frame for so long: go dark

PROTOCOL = 1
KIND_RP2040 = 2
PAYLOAD_MOST = 250
BODY_MOST = 2 + PAYLOAD_MOST + 2
TONES_MOST = 8

HELLO, PING, READY = 0x01, 0x02, 0x03
PIXELS, FILL, SHOW, RUNS = 0x10, 0x11, 0x12, 0x13
TONE, OFF, ACK, NAK = 0x20, 0x30, 0x80, 0x81
DONE, DAMAGED, UNKNOWN, LENGTH = 0, 1, 2, 3
SHOW_NOW = 1


def _crc_table():
    table = array("H", bytes(512))
    for value in range(256):
        crc = value << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
        table[value] = crc
    return table


CRC = _crc_table()


def crc_of(data):
    """CRC-16 CCITT of bytes."""
    crc = 0xFFFF
    for value in data:
        crc = (crc << 8 & 0xFFFF) ^ CRC[crc >> 8 ^ value]
    return crc


def encode(kind, number, payload):
    """The bytes of a frame with its closing 0."""
    body = bytes((kind, number)) + payload
    crc = crc_of(body)
    out = b""
    for part in (body + bytes((crc >> 8, crc & 255))).split(b"\0"):
        out += bytes((len(part) + 1,)) + part
    return out + b"\0"


def decode(data):
    """Kind, number and payload of the bytes between two 0; None where they are no sound frame."""
    body = bytearray()
    at = 0
    while at < len(data):
        length = data[at]
        if at + length > len(data):
            return None
        body += data[at + 1 : at + length]
        at += length
        if length < 255 and at < len(data):
            body.append(0)
    if len(body) < 4 or crc_of(body) != 0:
        return None
    return body[0], body[1], bytes(body[2:-2])


def word(data, at):
    """Two bytes as a number."""
    return data[at] << 8 | data[at + 1]


class Board:
    """Obeys frames; knows the strip and the buzzer only through `hardware`."""

    def __init__(self, hardware, port, now_ms):
        self.hardware = hardware
        self.port = port
        self.picture = bytearray(3 * LEDS)  # green, red, blue of each LED, as asked for
        self.received = bytearray()
        self.is_too_long = False
        self.last = None  # number of the last frame that was obeyed
        self.heard_ms = now_ms
        self.is_resting = True
        self.tune = []
        self.tone_ends_ms = now_ms
        self.rest()
        self.greet(READY, 0)

    def rest(self):
        """Dark and silent."""
        for i in range(len(self.picture)):
            self.picture[i] = 0
        self.tune = []
        self.hardware.pitch(0)
        self.show()

    def answer(self, kind, number, payload):
        """Say something."""
        self.port.write(encode(kind, number, payload))

    def greet(self, kind, number):
        """Say what this is."""
        head = (DONE, PROTOCOL, KIND_RP2040, LEDS >> 8, LEDS & 255, LIMIT_MA >> 8, LIMIT_MA & 255, PAYLOAD_MOST)
        self.answer(kind, number, bytes(head) + b"deskref")

    def show(self):
        """Show the picture, dimmed where it would take more than the limit."""
        most = (LIMIT_MA - LEDS * IDLE_MA) * 255 // CHANNEL_MA
        total = sum(self.picture)
        if total <= most:
            self.hardware.strip(self.picture)
        else:
            share = (most << 16) // total
            self.hardware.strip(bytes([value * share >> 16 for value in self.picture]))

    def tick(self, now_ms):
        """Go on with the tune; go dark where nobody has spoken for long."""
        while self.tune and time.ticks_diff(now_ms, self.tone_ends_ms) >= 0:
            self.tune.pop(0)
            self.begin_tone(self.tone_ends_ms)
        if not self.is_resting and time.ticks_diff(now_ms, self.heard_ms) >= SILENCE_MS:
            self.is_resting = True
            self.rest()

    def begin_tone(self, now_ms):
        """Sound the first tone of the tune, or be silent."""
        hz, ms = self.tune[0] if self.tune else (0, 0)
        self.hardware.pitch(hz if 16 <= hz <= 20000 else 0)
        self.tone_ends_ms = time.ticks_add(now_ms, ms)

    def take(self, data, now_ms):
        """Take received bytes."""
        for value in data:
            if value:
                if len(self.received) < BODY_MOST + 2:
                    self.received.append(value)
                else:
                    self.is_too_long = True
                continue
            if self.received:
                self.end(now_ms)
            self.received = bytearray()
            self.is_too_long = False

    def end(self, now_ms):
        """Obey or refuse what lies between two 0."""
        frame = None if self.is_too_long else decode(self.received)
        if frame is not None:
            self.heard_ms = now_ms
            self.is_resting = False
            self.obey(frame[0], frame[1], frame[2], now_ms)
        else:
            self.answer(NAK, 0, bytes((LENGTH if self.is_too_long else DAMAGED,)))

    def obey(self, kind, number, payload, now_ms):
        """Do what a frame asks for and answer it."""
        form = FORMS.get(kind)
        if form is None:
            self.answer(NAK, number, bytes((UNKNOWN,)))
        elif not form(len(payload)):
            self.answer(NAK, number, bytes((LENGTH,)))
        elif kind == HELLO:
            self.last = None
            self.greet(ACK, number)
        elif kind == PING:
            self.answer(ACK, number, bytes((DONE, now_ms >> 8 & 255, now_ms & 255)))
        else:
            if number != self.last:  # else its answer was lost: do not begin a tune again
                self.carry_out(kind, payload, now_ms)
                self.last = number
            self.answer(ACK, number, bytes((DONE,)))

    def carry_out(self, kind, payload, now_ms):
        """Change picture or tune."""
        if kind == PIXELS:
            led = word(payload, 1)
            for at in range(3, len(payload), 3):
                led = self.fill(led, 1, payload, at)
        elif kind == RUNS:
            led = word(payload, 1)
            for at in range(3, len(payload), 4):
                led = self.fill(led, payload[at], payload, at + 1)
        elif kind == FILL:
            self.fill(word(payload, 1), word(payload, 3), payload, 5)
        elif kind == TONE:
            self.tune = [(word(payload, at), word(payload, at + 2)) for at in range(0, len(payload), 4)]
            self.begin_tone(now_ms)
        elif kind == OFF:
            self.rest()
        if kind == SHOW or (kind in (PIXELS, RUNS, FILL) and payload[0] & SHOW_NOW):
            self.show()

    def fill(self, first, count, payload, at):
        """Set LEDs to a colour; those beyond the strip are left out. Gives the LED after them."""
        count = max(0, min(count, LEDS - first))
        colour = bytes((payload[at + 1], payload[at], payload[at + 2]))
        self.picture[3 * first : 3 * (first + count)] = colour * count
        return first + count


FORMS = {
    HELLO: lambda n: n == 0,
    PING: lambda n: n == 0,
    SHOW: lambda n: n == 0,
    OFF: lambda n: n == 0,
    PIXELS: lambda n: n >= 3 and (n - 3) % 3 == 0,
    RUNS: lambda n: n >= 3 and (n - 3) % 4 == 0,
    FILL: lambda n: n == 8,
    TONE: lambda n: n <= 4 * TONES_MOST and n % 4 == 0,
}


class Pins:
    """The strip and the buzzer of a Pico."""

    TIMING_NS = (375, 875, 800, 450)  # high and low of a 0, high and low of a 1

    def __init__(self):
        from machine import PWM, Pin, bitstream

        self.bitstream = bitstream
        self.pin = Pin(STRIP_PIN, Pin.OUT)
        self.buzzer = PWM(Pin(BUZZER_PIN))
        self.pitch(0)

    def strip(self, green_red_blue):
        """Clock a picture out."""
        self.bitstream(self.pin, 0, self.TIMING_NS, green_red_blue)

    def pitch(self, hz):
        """Sound a pitch; 0 is silence."""
        if hz:
            self.buzzer.freq(hz)
        self.buzzer.duty_u16(32768 if hz else 0)


class UsbPort:
    """The Pico's USB serial port."""

    def __init__(self):
        import select

        import micropython

        micropython.kbd_intr(-1)  # byte 03 is data here and must not stop the program
        self.poll = select.poll()
        self.poll.register(sys.stdin, select.POLLIN)

    def read(self):
        """What has come, waiting 1 ms for it: MicroPython gives one byte at a time."""
        data = bytearray()
        while len(data) < 64 and self.poll.poll(0 if data else 1):
            data += sys.stdin.buffer.read(1)
        return data

    def write(self, data):
        """Say bytes."""
        sys.stdout.buffer.write(data)


def serve(port, hardware, is_over=lambda: False):
    """Be a board until it is over, which on a Pico is never."""
    board = Board(hardware, port, time.ticks_ms())
    while not is_over():
        data = port.read()
        now_ms = time.ticks_ms()
        if data:
            board.take(data, now_ms)
        board.tick(now_ms)


if __name__ == "__main__":
    serve(UsbPort(), Pins())
