"""The codec of `deskref-board/1` against garbage, splits and flipped bits."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devices.board import Picture
from devices.board_protocol import (
    MOST_PAYLOAD,
    Command,
    Damaged,
    Decoder,
    Frame,
    Greeting,
    cobs,
    decode,
    encode,
    fill_payload,
    greeting_in,
    greeting_payload,
    pixels_payload,
    runs_of,
    runs_payload,
    tone_payload,
    uncobs,
)

FRAMES = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=MOST_PAYLOAD))
LEVELS = st.integers(0, 255)
PICTURES = st.lists(st.tuples(LEVELS, LEVELS, LEVELS), min_size=1, max_size=200).map(tuple)


@given(st.binary(max_size=800))
def test_cobs_goes_there_and_back_without_zeros(data: bytes) -> None:
    assert 0 not in cobs(data)
    assert uncobs(cobs(data)) == data


@pytest.mark.parametrize(
    ("data", "encoded"),
    [
        (b"", "01"),
        (b"\0", "0101"),
        (b"\0\0", "010101"),
        (b"\x11\x22\0\x33", "0311220233"),
        (b"\x11\x22\x33\x44", "0511223344"),
        (b"\x11\0\0\0", "0211010101"),
        (bytes(range(1, 255)), "ff" + bytes(range(1, 255)).hex() + "01"),
    ],
)
def test_cobs_of_known_bytes(data: bytes, encoded: str) -> None:
    """The published examples; a full block may be followed by an empty one or by nothing."""
    assert cobs(data).hex() == encoded
    assert uncobs(bytes.fromhex(encoded)) == data
    if encoded.startswith("ff"):
        assert uncobs(bytes.fromhex(encoded[:-2])) == data


@pytest.mark.parametrize("data", ["00", "05", "0511", "0311", "031100"])
def test_what_cannot_be_cobs_is_none(data: str) -> None:
    assert uncobs(bytes.fromhex(data)) is None


@given(FRAMES)
def test_a_frame_goes_there_and_back(frame: Frame) -> None:
    data = encode(frame)
    assert data.endswith(b"\0")
    assert data.count(0) == 1
    assert decode(data[:-1]) == frame


@given(st.lists(FRAMES, max_size=5), st.randoms(use_true_random=False))
def test_frames_are_found_however_the_stream_is_split(frames: list[Frame], chance: random.Random) -> None:
    stream = b"".join(encode(f) for f in frames)
    decoder = Decoder()
    found: list[Frame | Damaged] = []
    while stream:
        count = chance.randrange(1, 40)
        found += decoder.feed(stream[:count])
        stream = stream[count:]
    assert found == frames


@given(FRAMES, st.data())
@settings(derandomize=True)  # a flip in a COBS length passes the checksum once in 65,536 times
def test_one_or_two_flipped_bits_are_never_taken_for_a_frame(frame: Frame, data: st.DataObject) -> None:
    """A flip may make a 00 and so cut the frame: then both parts are damaged. No other frame comes out of it."""
    good = encode(frame)[:-1]
    bits = data.draw(st.lists(st.integers(0, 8 * len(good) - 1), min_size=1, max_size=2, unique=True))
    bad = bytearray(good)
    for bit in bits:
        bad[bit // 8] ^= 1 << bit % 8
    found = Decoder().feed(bytes(bad) + b"\0")
    assert all(isinstance(f, Damaged) for f in found)


@given(st.binary(max_size=600), FRAMES)
def test_after_garbage_and_a_zero_the_next_frame_is_obeyed(garbage: bytes, frame: Frame) -> None:
    decoder = Decoder()
    decoder.feed(garbage)
    assert decoder.feed(b"\0" + encode(frame))[-1] == frame


def test_a_hundred_thousand_strange_strings_do_not_disturb_the_parser() -> None:
    """Random and mutated strings: nothing is raised, memory stays bounded, and the next good frame is found."""
    chance = random.Random(5)
    good = Frame(Command.ACK, 42, b"\0")
    end = b"\0" + encode(good)
    templates = [bytearray(encode(Frame(kind, 9, bytes(chance.randrange(256) for _ in range(12))))) for kind in Command]
    decoder = Decoder()
    for n in range(100_000):
        if n % 3 == 0:
            data = bytearray(chance.randbytes(chance.randrange(30)))
        else:
            data = bytearray(chance.choice(templates))
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            if n % 3 == 1:
                del data[chance.randrange(len(data)) :]
        decoder.feed(bytes(data))
        assert decoder.feed(end)[-1] == good


def test_endless_noise_without_a_zero_is_not_kept() -> None:
    """A wrong device may stream for ever."""
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\x55" * 1000) == ()
    assert len(decoder._kept) <= Decoder.MOST
    (found,) = decoder.feed(b"\0")
    assert isinstance(found, Damaged)


@pytest.mark.parametrize("frame", [Frame(256, 0), Frame(-1, 0), Frame(1, 256), Frame(1, 0, bytes(MOST_PAYLOAD + 1))])
def test_what_is_no_frame_is_refused(frame: Frame) -> None:
    with pytest.raises(ValueError, match=r"bytes"):
        encode(frame)


def test_a_greeting_goes_there_and_back() -> None:
    greeting = Greeting(protocol=1, kind=2, leds=144, limit_ma=400, most_payload=250)
    assert greeting_in(greeting_payload(greeting)) == greeting
    assert greeting.name == "Raspberry Pi Pico (deskref-board/1)"
    assert Greeting(protocol=1, kind=9, leds=1, limit_ma=1, most_payload=1).name.startswith("board of kind 9")


@pytest.mark.parametrize("payload", [b"", b"\0" * 15, b"\1" + b"\0" * 7 + b"deskref", b"\0" * 7 + b"deskref"])
def test_what_is_no_greeting_is_none(payload: bytes) -> None:
    assert greeting_in(payload) is None


def test_our_greeting_means_nothing_to_wled() -> None:
    """Bytes B0 to B7 change WLED's baud rate, and letters are its commands."""
    data = b"\0" + encode(Frame(Command.HELLO, 0))
    assert not any(0xB0 <= v <= 0xB7 for v in data)
    assert not set(data) & set(b"v{lLoOA\xc9")


def spread(runs: tuple[tuple[int, tuple[int, int, int]], ...]) -> Picture:
    return tuple(colour for count, colour in runs for _ in range(count))


@given(PICTURES)
@settings(max_examples=60)
def test_runs_cover_the_strip_and_are_few(picture: Picture) -> None:
    runs = runs_of(picture)
    assert len(runs) <= (40 if len(picture) <= 60 else 31)
    assert all(1 <= count <= 255 for count, _ in runs)
    shown = spread(runs)
    assert len(shown) == len(picture)
    assert all(0 <= v <= 255 for led in shown for v in led)
    if len({*picture}) == 1 or len(picture) <= 31:
        assert shown == picture


@given(st.integers(1, 40).flatmap(lambda n: st.lists(st.tuples(LEVELS, LEVELS, LEVELS), min_size=n, max_size=n)))
def test_few_colours_are_sent_exactly(colours: list[tuple[int, int, int]]) -> None:
    picture = tuple(colours)
    assert spread(runs_of(picture)) == picture


def test_a_long_strip_of_one_colour_is_cut_at_255() -> None:
    assert runs_of(((1, 1, 1),) * 600) == ((255, (1, 1, 1)), (255, (1, 1, 1)), (90, (1, 1, 1)))


def test_too_many_runs_lose_what_is_seen_least() -> None:
    """A bright spot among faint steps stays as it is."""
    steps = tuple((0, 0, i // 2) for i in range(60))
    picture = (*steps[:30], (96, 32, 0), *steps[31:])
    assert spread(runs_of(picture, most=10))[30] == (96, 32, 0)


def test_a_picture_of_four_runs_is_25_bytes() -> None:
    """The figure on which the 20 ms rest: 2.2 ms on the wire."""
    picture = ((0, 0, 0),) * 10 + ((96, 32, 0),) * 6 + ((0, 4, 24),) * 20 + ((0, 0, 0),) * 12
    assert len(encode(Frame(Command.RUNS, 1, runs_payload(picture)))) == 25


def test_the_longest_pictures_fit_into_the_time() -> None:
    """20 ms less strip (1.5 and 4.5 ms), board and computer leave 170 and 135 bytes."""
    for leds, most_bytes in ((48, 170), (60, 170), (144, 135)):
        picture = tuple((i, 255 - i, i * 7 % 256) for i in range(leds))
        assert len(encode(Frame(Command.RUNS, 1, runs_payload(picture)))) <= most_bytes


def test_payloads_have_the_documented_form() -> None:
    assert fill_payload(1, 300, (7, 8, 9)) == bytes.fromhex("010001012c070809")
    assert pixels_payload(2, ((1, 2, 3), (4, 5, 6)), show=False) == bytes.fromhex("000002010203040506")
    assert runs_payload(((1, 2, 3), (1, 2, 3), (0, 0, 0))) == bytes.fromhex("0100000201020301000000")
    assert tone_payload(((880, 70), (0, 60))) == bytes.fromhex("037000460000003c")
    assert len(tone_payload(((880, 70),) * 20)) == 32
