"""Runs a parser on nonsense: seeds, then what grows out of them, and notes each new way in which it fails.

Where atheris is installed (`pip install atheris`; never needed by what ships), its coverage decides what is kept and
changed further. Without it, every new answer does: what is refused in other words came to another line.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HANGS_S = 10.0
"""A parser that takes longer hangs: the largest input here takes far less than a second."""

LARGEST = 1 << 16
"""Bytes of an input."""

ROOT = Path(__file__).resolve().parents[2]

NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 7, 255, 65536, 2**31, 2**53 + 1, 10**400, -0.0, 0.5, 1e-320, 1e308, -1e308,
    float("nan"), float("inf"), "", " ", "a", "true", "1", "½", "٣", "²", "\x00", "\x1b[2J", "\u202e", "\ud800", "a\nb",
    "x" * 300, "../../x", "{0}", "%s", "type", [], [[]], [0, 0], [1, 2, 3], [None], {}, {"type": "x"}, {"": ""},
)  # fmt: skip
"""What stands in place of something sensible."""


@dataclass(frozen=True, slots=True)
class Target:
    """One parser, with what it is given."""

    name: str
    about: str
    run: Callable[[bytes, Path], str | None]
    """Takes input and a folder of its own; returns what it answered, or raises: any exception is a finding. What the
    parser's own documentation says that it raises is caught here and given as the answer."""
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()
    """Pieces that the format is made of."""
    form: str = "bytes"
    """`json`, `lines` (of JSON), `text` or `bytes`: how it is changed."""


@dataclass(slots=True)
class Result:
    """What came of a run."""

    name: str
    executions: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    findings: dict[str, bytes] = field(default_factory=dict)
    """The first input for each way to fail."""
    seconds: float = 0.0


class HangsError(Exception):
    """The parser took too long."""


def fuzz(target: Target, *, executions: int | None = None, seconds: float | None = None, seed: int = 0) -> Result:
    """Run a target on its seeds and on changed ones, without atheris; ends after so many inputs or seconds."""
    chance = random.Random(seed)
    result = Result(target.name)
    began_s = time.monotonic()
    pool = list(target.seeds)
    with tempfile.TemporaryDirectory() as folder:
        for data in target.seeds:
            tried(target, data, Path(folder), result)
        while (executions is None or result.executions < executions) and (
            seconds is None or time.monotonic() - began_s < seconds
        ):
            data = changed(chance.choice(pool), target, chance, pool)
            if tried(target, data, Path(folder), result) and len(pool) < 3000:
                pool.append(data)
    result.seconds = time.monotonic() - began_s
    return result


def tried(target: Target, data: bytes, folder: Path, result: Result) -> bool:
    """Run a target once and note what came of it; says whether that was new."""
    result.executions += 1
    try:
        with _no_longer_than(HANGS_S):
            answer = target.run(data, folder) or "sound"
    except Exception as error:
        key = _where(error)
        is_new = key not in result.findings
        result.findings.setdefault(key, data)
        return is_new
    answer = re.sub(r"'[^']*'|\"[^\"]*\"|[-+.\d]+", "_", answer)[:80]
    result.answers[answer] += 1
    return result.answers[answer] == 1


def changed(data: bytes, target: Target, chance: random.Random, pool: list[bytes]) -> bytes:
    """Change an input in one to four ways."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 4))):
        if target.form in ("json", "lines") and chance.random() < 0.8:
            data = _changed_json(data, target, chance)
        else:
            data = _changed_bytes(data, target, chance, pool)
    return data[:LARGEST]


def _changed_json(data: bytes, target: Target, chance: random.Random) -> bytes:
    """Change one place of the JSON, or of one line of it."""
    lines = data.split(b"\n") if target.form == "lines" else [data]
    number = chance.randrange(len(lines))
    if target.form == "lines" and chance.random() < 0.25:
        other = chance.randrange(len(lines))
        way = chance.randrange(3)
        if way == 0:
            lines[number], lines[other] = lines[other], lines[number]
        elif way == 1:
            lines.insert(number, lines[other])
        elif len(lines) > 1:
            del lines[number]
        return b"\n".join(lines)
    try:
        value = json.loads(lines[number])
    except (ValueError, RecursionError):
        return data
    places = list(_places(value))
    if not places:
        value = chance.choice(NASTY)
    else:
        holder, key = chance.choice(places)
        way = chance.randrange(6)
        if way <= 2:
            holder[key] = chance.choice(NASTY)
        elif way == 3:
            other, name = chance.choice(places)
            holder[key] = json.loads(json.dumps(other[name]))
        elif way == 4:
            del holder[key]
        elif isinstance(holder, list):
            holder.insert(key, holder[key])
        else:
            holder[chance.choice(("x", "", "type", f"{key} "))] = holder.get(key)
    if isinstance(value, dict) and chance.random() < 0.05:
        names = list(value)
        chance.shuffle(names)
        value = {name: value[name] for name in names}
    lines[number] = json.dumps(value, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a JSON value, as its holder and the key or index in it."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from _places(item)


def _changed_bytes(data: bytes, target: Target, chance: random.Random, pool: list[bytes]) -> bytes:
    work = bytearray(data)
    at = chance.randrange(len(work) + 1)
    length = min(chance.choice((1, 1, 2, 4, 8, 64)), len(work) - at)
    match chance.randrange(8):
        case 0 if work and at < len(work):
            work[at] ^= 1 << chance.randrange(8)
        case 1 if at < len(work):
            work[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        case 2:
            del work[at : at + length]
        case 3:
            work[at:at] = work[at : at + length] * chance.choice((1, 2, 50))
        case 4:
            work[at:at] = bytes(chance.randrange(256) for _ in range(length or 1))
        case 5:
            other = chance.choice(pool)
            begin = chance.randrange(len(other) + 1)
            work[at:] = other[begin:]
        case 6:
            nasty = chance.choice(NASTY)
            text = nasty if isinstance(nasty, str) else str(nasty)
            work[at : at + length] = text.encode("utf-8", "surrogatepass")
        case _:
            if target.words:
                work[at : at + chance.choice((0, length))] = chance.choice(target.words)
    return bytes(work)


@contextlib.contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """Raise `HangsError` in the work where it takes too long; without signals (Windows) nothing watches."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def over(number: int, frame: object) -> None:
        raise HangsError(f"longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _where(error: BaseException) -> str:
    """Name a way to fail: the kind of error and the innermost line of the project."""
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(str(ROOT)) and not frame.filename.endswith("engine.py")
    ]
    place = f"{os.path.relpath(ours[-1].filename, ROOT)}:{ours[-1].lineno}" if ours else "?"
    if isinstance(error, AssertionError):
        return f"{type(error).__name__} at {place}: {str(error)[:100]}"
    return f"{type(error).__name__} at {place}"
