"""The Arduino's real program in a simulated chip: pictures, pitch, current, failsafe, recovery."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from devices.board import Colour, Picture
from devices.board_protocol import (
    MOST_PAYLOAD,
    Command,
    Frame,
    Kind,
    Refusal,
    encode,
    fill_payload,
    greeting_in,
    pixels_payload,
    runs_payload,
    tone_payload,
)
from tests.devices.firmware.simulated_board import (
    FIRMWARE,
    NEED,
    Said,
    Script,
    frames,
    pitches,
    run,
    strips,
)

WHITE = (255, 255, 255)
DARK = (0, 0, 0)
BUILT_WITH = "5.4.0"
"""The avr-gcc of Debian 12, with which the .hex files were built."""


def current_ma(picture: Picture) -> float:
    """What a WS2812 strip takes: 20 mA a full channel, 1 mA a dark LED."""
    return sum(map(sum, picture)) * 20 / 255 + len(picture)


@pytest.mark.parametrize("leds", [48, 144])
def test_the_hex_files_are_what_the_source_gives(firmware_folder: Path, leds: int) -> None:
    """Nobody has to trust a binary: building again gives the same bytes."""
    version = run("avr-gcc", "-dumpversion").strip()
    if version != BUILT_WITH and os.environ.get(NEED) != "1":
        pytest.skip(f"the files were built with avr-gcc {BUILT_WITH}, here is {version}")
    folder = firmware_folder / f"again-{leds}"
    folder.mkdir()
    run("make", "-C", FIRMWARE / "avr", f"OUT={folder}", f"LEDS={leds}")
    name = f"deskref-board-{leds}.hex"
    assert (folder / name).read_bytes() == (FIRMWARE / "avr" / name).read_bytes()


@pytest.mark.parametrize("leds", [48, 144])
def test_the_program_leaves_room_in_memory(firmware_folder: Path, leds: int, request: pytest.FixtureRequest) -> None:
    """2048 bytes of memory: 300 stay free for the stack; 30 KB of flash beside the boot loader."""
    elf: Path = request.getfixturevalue(f"program_{leds}")
    text, data, bss = (int(v) for v in run("avr-size", elf).splitlines()[1].split()[:3])
    assert data + bss <= 2048 - 300
    assert text + data <= 30 * 1024


def test_after_a_reset_it_is_dark_and_says_so(simulator: Path, program_48: Path) -> None:
    events = Script().run(simulator, program_48, until_s=0.1)
    (strip,) = strips(events)
    assert strip.colours == (DARK,) * 48
    (ready,) = frames(events)
    assert ready.kind == Command.READY
    greeting = greeting_in(ready.payload)
    assert greeting is not None
    assert (greeting.leds, greeting.kind, greeting.limit_ma) == (48, Kind.AVR, 400)


def test_it_greets(simulator: Path, program_144: Path) -> None:
    script = Script()
    script.send(0.05, encode(Frame(Command.HELLO, 0)))
    answer = frames(script.run(simulator, program_144, until_s=0.1))[-1]
    assert (answer.kind, answer.number) == (Command.ACK, 0)
    greeting = greeting_in(answer.payload)
    assert greeting is not None
    assert (greeting.leds, greeting.most_payload, greeting.protocol) == (144, MOST_PAYLOAD, 1)


@pytest.mark.parametrize("leds", [48, 144])
def test_pictures_arrive_as_they_were_sent(simulator: Path, leds: int, request: pytest.FixtureRequest) -> None:
    """Every form of picture; the pulses keep to the data sheet of the WS2812B: 0 is 220..380 ns, 1 is 580..1000 ns."""
    program: Path = request.getfixturevalue(f"program_{leds}")
    chance = random.Random(7)
    picture = tuple((chance.randrange(16), chance.randrange(16), chance.randrange(16)) for _ in range(leds))
    runs = ((1, 2, 3),) * 10 + ((12, 4, 0),) * (leds - 11) + ((0, 0, 9),)
    script = Script()
    script.send(0.05, encode(Frame(Command.RUNS, 1, runs_payload(runs))))
    script.send(0.10, encode(Frame(Command.FILL, 2, fill_payload(5, 3, (9, 9, 9)))))
    script.send(0.15, encode(Frame(Command.FILL, 3, fill_payload(0, leds, DARK, show=False))))
    for i, first in enumerate(range(0, leds, 48)):
        frame = Frame(Command.PIXELS, 4 + i, pixels_payload(first, picture[first : first + 48], show=False))
        script.send(0.20 + 0.05 * i, encode(frame))
    script.send(0.40, encode(Frame(Command.SHOW, 9)))
    events = script.run(simulator, program, until_s=0.5)
    first, by_runs, by_fill, by_pixels = strips(events)
    assert by_runs.colours == runs
    assert by_fill.colours == (*runs[:5], (9, 9, 9), (9, 9, 9), (9, 9, 9), *runs[8:])
    assert by_pixels.colours == picture
    assert all(f.kind == Command.ACK for f in frames(events)[1:])
    for strip in (by_runs, by_fill, by_pixels):
        assert 220 <= strip.zero_ns[0] <= strip.zero_ns[1] <= 380
        assert 580 <= strip.one_ns[0] <= strip.one_ns[1] <= 1000
        assert strip.ended_s - strip.began_s < leds * 32e-6


def test_the_answer_comes_after_the_strip_was_clocked_out(simulator: Path, program_144: Path) -> None:
    """While the strip is clocked out an AVR hears nothing: only the answer allows the next frame."""
    script = Script()
    script.send(0.05, encode(Frame(Command.RUNS, 1, runs_payload(((3, 3, 3),) * 144))))
    events = script.run(simulator, program_144, until_s=0.2)
    answer = [e for e in events if isinstance(e, Said)][-1]
    assert answer.time_s > strips(events)[-1].ended_s


@pytest.mark.parametrize("leds", [48, 144])
@pytest.mark.parametrize("colour", [WHITE, (255, 0, 0), (96, 32, 0)])
def test_the_current_never_exceeds_the_limit(
    simulator: Path, leds: int, colour: Colour, request: pytest.FixtureRequest
) -> None:
    """Full white on 48 LEDs would be 2.9 A; the board itself dims it to its 400 mA, and not to much less."""
    program: Path = request.getfixturevalue(f"program_{leds}")
    script = Script()
    script.send(0.05, encode(Frame(Command.FILL, 1, fill_payload(0, leds, colour))))
    shown = strips(script.run(simulator, program, until_s=0.2))[-1].colours
    assert 350 <= current_ma(shown) <= 400


def test_what_the_limit_allows_is_shown_untouched(simulator: Path, program_48: Path) -> None:
    """After a dimmed picture the asked-for one is still known: a partial change does not build on the dimmed one."""
    script = Script()
    script.send(0.05, encode(Frame(Command.FILL, 1, fill_payload(0, 48, WHITE))))
    script.send(0.10, encode(Frame(Command.FILL, 2, fill_payload(1, 47, DARK))))
    assert strips(script.run(simulator, program_48, until_s=0.2))[-1].colours == (WHITE, *(DARK,) * 47)


@pytest.mark.parametrize("hz", [220, 330, 440, 523, 880, 1047, 1320, 3000])
def test_pitch_and_length_are_right(simulator: Path, program_48: Path, hz: int) -> None:
    """The pitch within 2 %, the length within 5 ms, although a picture is clocked out meanwhile."""
    script = Script()
    script.send(0.05, encode(Frame(Command.TONE, 1, tone_payload(((hz, 200),)))))
    script.send(0.10, encode(Frame(Command.RUNS, 2, runs_payload(((1, 1, 1),) * 48))))
    on, off = pitches(script.run(simulator, program_48, until_s=0.5))
    assert on.hz == pytest.approx(hz, rel=0.02)
    assert off.hz == 0
    assert off.time_s - on.time_s == pytest.approx(0.2, abs=0.005)


def test_a_tune_has_its_pauses(simulator: Path, program_48: Path) -> None:
    script = Script()
    script.send(0.05, encode(Frame(Command.TONE, 1, tone_payload(((220, 90), (0, 60), (220, 90))))))
    first, pause, second, end = pitches(script.run(simulator, program_48, until_s=0.5))
    assert (pause.hz, end.hz) == (0, 0)
    assert second.time_s - first.time_s == pytest.approx(0.15, abs=0.01)
    assert first.hz == pytest.approx(220, rel=0.02)


def test_a_repeated_frame_does_not_begin_its_tune_again(simulator: Path, program_48: Path) -> None:
    """Where the answer was lost the host sends again; the player must not hear a stutter."""
    tone = encode(Frame(Command.TONE, 5, tone_payload(((880, 200),))))
    script = Script()
    script.send(0.05, tone)
    script.send(0.15, tone)
    events = script.run(simulator, program_48, until_s=0.6)
    on, off = pitches(events)
    assert off.time_s - on.time_s == pytest.approx(0.2, abs=0.005)
    assert [f.number for f in frames(events) if f.kind == Command.ACK] == [5, 5]


@pytest.mark.parametrize("hz", [0, 1, 15, 20001, 65535])
def test_a_pitch_that_nobody_hears_is_silence(simulator: Path, program_48: Path, hz: int) -> None:
    script = Script()
    script.send(0.05, encode(Frame(Command.TONE, 1, tone_payload(((hz, 100),)))))
    events = script.run(simulator, program_48, until_s=0.3)
    assert pitches(events) == []
    assert frames(events)[-1].kind == Command.ACK


@pytest.mark.parametrize(("silence_s", "is_dark"), [(2.9, False), (3.2, True)])
def test_it_goes_dark_when_nobody_speaks_for_three_seconds(
    simulator: Path, program_48: Path, silence_s: float, is_dark: bool
) -> None:
    """A crashed program leaves no light burning for ever."""
    script = Script()
    script.send(0.1, encode(Frame(Command.FILL, 1, fill_payload(0, 48, (9, 9, 9)))))
    events = script.run(simulator, program_48, until_s=0.1 + silence_s)
    assert (strips(events)[-1].colours == (DARK,) * 48) is is_dark


def test_a_ping_keeps_it_lit_and_a_tone_without_end_stops(simulator: Path, program_48: Path) -> None:
    script = Script()
    script.send(0.1, encode(Frame(Command.FILL, 1, fill_payload(0, 48, (9, 9, 9)))))
    script.send(2.0, encode(Frame(Command.PING, 2)))
    script.send(2.1, encode(Frame(Command.TONE, 3, tone_payload(((440, 60000),)))))
    events = script.run(simulator, program_48, until_s=6.0)
    dark = strips(events)[-1]
    assert dark.colours == (DARK,) * 48
    assert dark.began_s == pytest.approx(5.1, abs=0.1)
    assert pitches(events)[-1].hz == 0
    assert pitches(events)[-1].time_s == pytest.approx(5.1, abs=0.1)


def test_off_makes_it_dark_and_silent(simulator: Path, program_48: Path) -> None:
    script = Script()
    script.send(0.10, encode(Frame(Command.FILL, 1, fill_payload(0, 48, (9, 9, 9)))))
    script.send(0.15, encode(Frame(Command.TONE, 2, tone_payload(((440, 5000),)))))
    script.send(0.30, encode(Frame(Command.OFF, 3)))
    events = script.run(simulator, program_48, until_s=0.6)
    assert strips(events)[-1].colours == (DARK,) * 48
    assert pitches(events)[-1].hz == 0
    assert pitches(events)[-1].time_s < 0.32


def damaged(frame: bytes) -> bytes:
    return frame[:5] + bytes((frame[5] ^ 1 or 2,)) + frame[6:]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (damaged(encode(Frame(Command.FILL, 7, fill_payload(0, 48, WHITE)))), Refusal.CRC),
        (encode(Frame(0x77, 7)), Refusal.UNKNOWN),
        (encode(Frame(Command.FILL, 7, b"\1\0")), Refusal.LENGTH),
        (encode(Frame(Command.PIXELS, 7, b"\1\0\0\1")), Refusal.LENGTH),
        (encode(Frame(Command.RUNS, 7, b"\1\0\0\1\2")), Refusal.LENGTH),
        (encode(Frame(Command.TONE, 7, bytes(4 * 9))), Refusal.LENGTH),
        (encode(Frame(Command.PING, 7, b"x")), Refusal.LENGTH),
        (b"\x11" * 300 + b"\0", Refusal.LENGTH),
        (b"hello world\r\n\0", Refusal.CRC),
    ],
)
def test_what_it_cannot_obey_it_refuses_with_the_reason(
    simulator: Path, program_48: Path, data: bytes, why: Refusal
) -> None:
    script = Script()
    script.send(0.05, data)
    script.send(0.15, encode(Frame(Command.FILL, 9, fill_payload(0, 48, (1, 2, 3)))))
    events = script.run(simulator, program_48, until_s=0.3)
    _, refused, done = frames(events)
    assert (refused.kind, refused.payload) == (Command.NAK, bytes((why,)))
    assert (done.kind, done.number) == (Command.ACK, 9)
    assert [s.colours for s in strips(events)[1:]] == [((1, 2, 3),) * 48]


@pytest.mark.parametrize(
    "payload",
    [
        fill_payload(47, 65535, (1, 1, 1)),
        fill_payload(48, 1, (1, 1, 1)),
        fill_payload(65535, 65535, (1, 1, 1)),
    ],
)
def test_a_picture_beyond_the_strip_is_cut(simulator: Path, program_48: Path, payload: bytes) -> None:
    """The memory behind the picture is not written."""
    script = Script()
    script.send(0.05, encode(Frame(Command.FILL, 1, payload)))
    script.send(0.10, encode(Frame(Command.RUNS, 2, b"\1\0\0" + bytes((255, 2, 2, 2)) * 61)))
    events = script.run(simulator, program_48, until_s=0.2)
    assert [f.kind for f in frames(events)] == [Command.READY, Command.ACK, Command.ACK]
    assert strips(events)[1].colours[:47] == (DARK,) * 47
    assert strips(events)[2].colours == ((2, 2, 2),) * 48


def test_it_finds_back_after_garbage(simulator: Path, program_48: Path) -> None:
    """Half a frame, noise, then a good frame after a 00: obeyed."""
    chance = random.Random(3)
    script = Script()
    half = encode(Frame(Command.FILL, 1, fill_payload(0, 48, WHITE)))[:7]
    script.send(0.05, half + bytes(chance.randrange(256) for _ in range(500)))
    script.send(0.20, b"\0" + encode(Frame(Command.FILL, 2, fill_payload(0, 48, (4, 5, 6)))))
    events = script.run(simulator, program_48, until_s=0.4)
    assert strips(events)[-1].colours == ((4, 5, 6),) * 48


def test_a_reset_in_the_middle_of_a_frame(simulator: Path, program_48: Path) -> None:
    """The half frame is forgotten, READY is said, and the next frame is obeyed."""
    frame = encode(Frame(Command.FILL, 1, fill_payload(0, 48, (4, 5, 6))))
    script = Script()
    script.send(0.05, frame)
    script.reset(0.0505)
    script.send(0.10, frame)
    events = script.run(simulator, program_48, until_s=0.2)
    assert [f.kind for f in frames(events)] == [Command.READY, Command.READY, Command.ACK]
    assert strips(events)[-1].colours == ((4, 5, 6),) * 48


def mutated(chance: random.Random) -> bytes:
    """Random bytes, or a good frame with bytes changed, left out, doubled or cut off."""
    if chance.random() < 0.3:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
    kind = chance.choice([*Command, Command.RUNS, Command.FILL, Command.TONE])
    data = bytearray(
        encode(Frame(kind, chance.randrange(256), bytes(chance.randrange(256) for _ in range(chance.randrange(30)))))
    )
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(data))
        action = chance.randrange(4)
        if action == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif action == 1:
            data.insert(at, chance.randrange(256))
        elif action == 2 and len(data) > 1:
            del data[at]
        else:
            del data[at:]
            data += b"\0"
    return bytes(data)


def fuzz(simulator: Path, program: Path, *, strings: int, seed: int) -> None:
    chance = random.Random(seed)
    script = Script()
    at_s = 0.05
    checks = 0
    for n in range(strings):
        data = mutated(chance)
        script.send(at_s, data)
        at_s += len(data) * 87e-6 + 0.006
        if n % 20 == 19:
            checks += 1
            colour = (1 + checks % 8, 1 + checks // 8 % 8, 1 + checks // 64 % 8)
            script.send(at_s, b"\0" + encode(Frame(Command.HELLO, 0)))
            script.send(at_s + 0.01, encode(Frame(Command.FILL, 1, fill_payload(0, 48, colour))))
            at_s += 0.02
    events = script.run(simulator, program, until_s=at_s + 0.1, timeout_s=1500)
    shown = [s.colours for s in strips(events)]
    at = 0
    for n in range(1, checks + 1):
        wanted = ((1 + n % 8, 1 + n // 8 % 8, 1 + n // 64 % 8),) * 48
        at = shown.index(wanted, at) + 1
    assert all(current_ma(picture) <= 400 for picture in shown)


def test_a_thousand_strange_strings_do_not_disturb_it(simulator: Path, program_48: Path) -> None:
    """After each twenty of them a good frame is obeyed, and the current stays below the limit throughout."""
    fuzz(simulator, program_48, strings=1000, seed=1)


@pytest.mark.slow
def test_a_hundred_thousand_strange_strings_do_not_disturb_it(simulator: Path, program_48: Path) -> None:
    for seed in range(20):
        fuzz(simulator, program_48, strings=5000, seed=100 + seed)


@pytest.mark.slow
def test_the_parser_is_clean_under_the_sanitizers(firmware_folder: Path) -> None:
    """The same C on this computer, with every memory access and overflow checked: 100,000 strange strings."""
    out = firmware_folder / "parser_check"
    flags = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    sources = [Path(__file__).with_name("parser_check.c"), FIRMWARE / "avr" / "frames.c", FIRMWARE / "avr" / "board.c"]
    run("gcc", *flags, f"-I{FIRMWARE / 'avr'}", "-o", out, *sources)
    chance = random.Random(11)
    good = encode(Frame(Command.HELLO, 42))
    data = b"".join(mutated(chance) + b"\0" + good for _ in range(100_000))
    done = subprocess.run([out], input=data, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert int(done.stdout) >= 100_000
