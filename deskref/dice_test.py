"""The command `deskref dice-test`: a guided check of a player's own dice under the player's own lamp.

The player throws, the program says what it reads, the player confirms or corrects. At the end stand the rates and
what would make them better.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np
import typer

from deskref import settings
from devices.camera import SourceEnded, SourceError, TroubleCode
from devices.camera_spec import open_source
from devices.frame import Frame
from models.dice_nets import DiceNets
from vision.dice import read_dice
from vision.observation import SeenDie
from vision.pip_spots import UInt8Array
from vision.top_face import flattened, quad_side_px

STILL_LEVELS = 4.0
"""Mean change between two frames, in grey levels, under which nothing moves: sensor noise makes 1 to 3."""

LONGEST_WAIT_S = 4.0
"""After so long the newest frame is taken even if something moves."""

SMALL_PX = 22.0
"""Top faces narrower than this are read less often, whatever the dice."""

DARK_LEVEL = 45.0
"""Median brightness of the picture under which a lamp helps."""

GLARE_SHARE = 0.04
"""Share of burnt-out pixels of a top face from which the lamp's reflection hides pips."""

SOFT_SHARPNESS = 0.125
"""Steepest change from pixel to pixel on a top face, in parts of its range of brightness and as if it were 40 px wide,
under which it is blurred: 95 of 100 photographed dice have 0.135 and more."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw: what was read and what really lay there."""

    read: tuple[int | None, ...]
    """In reading order; None is "?"."""
    real: tuple[int, ...]
    """What the player says lay there, in any order."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What a test came to."""

    dice: int
    found: int
    read: int
    right: int

    @property
    def wrong(self) -> int:
        """Answers that were not what lay there."""
        return self.read - self.right


def parsed_values(answer: str) -> tuple[int, ...] | None:
    """The values that a player typed, such as `3 5 1` or `351`; None if it is nothing of the kind."""
    digits = re.sub(r"[\s,;]+", "", answer)
    if not digits or not all("1" <= digit <= "6" for digit in digits):
        return None
    return tuple(int(digit) for digit in digits)


def rates(throws: Sequence[Throw]) -> Rates:
    """Count found, read and right dice; answers are compared with what lay there whatever the order."""
    dice = found = read = right = 0
    for throw in throws:
        answers = Counter(value for value in throw.read if value is not None)
        dice += len(throw.real)
        found += min(len(throw.read), len(throw.real))
        read += answers.total()
        right += (answers & Counter(throw.real)).total()
    return Rates(dice, found, read, right)


def advice(frames: Sequence[tuple[UInt8Array, Sequence[SeenDie]]]) -> tuple[str, ...]:
    """What would make the reading better, judged by the pictures.

    Args:
        frames: pictures with the dice that were seen in them.
    """
    sides, glare, sharpness, dark = [], [], [], []
    for image, dice in frames:
        dark.append(float(np.median(image)))
        for die in dice:
            if die.top_px is None or not np.isfinite(die.top_px).all():
                continue
            sides.append(quad_side_px(die.top_px))
            face = flattened(image, die.top_px, side_px=int(np.clip(sides[-1], 8, 64))).astype(np.float32)
            glare.append(float((face.min(axis=2) > 250).mean()))
            grey = face.mean(axis=2)
            spread = float(np.ptp(np.percentile(grey, (3, 97))))
            step = np.abs(np.diff(grey, axis=1))
            sharpness.append(float(np.quantile(step, 0.95)) / max(spread, 12.0) * face.shape[0] / 40)
    out = []
    if sides and float(np.median(sides)) < SMALL_PX:
        out.append(
            f"The dice are small in the picture ({np.median(sides):.0f} px across the top face): "
            "bring the camera nearer."
        )
    if dark and float(np.median(dark)) < DARK_LEVEL:
        out.append("The picture is dark: add a lamp, best from the side.")
    if glare and float(np.mean(np.array(glare) > GLARE_SHARE)) > 0.25:
        out.append("The lamp is mirrored on the dice: move it to the side or soften it with paper.")
    if sharpness and float(np.median(sharpness)) < SOFT_SHARPNESS:
        out.append("The dice look blurred: wipe the lens, focus on the table, or add light.")
    return tuple(out)


def still_frame(next_frame: Callable[[], Frame | None], *, now: Callable[[], float] = monotonic) -> Frame | None:
    """The first frame in which nothing moves any more, or the newest after `LONGEST_WAIT_S`; None if none came."""
    end = now() + LONGEST_WAIT_S
    last: Frame | None = None
    while True:
        frame = next_frame()
        if frame is not None:
            if last is not None and last.size == frame.size:
                change = np.abs(frame.image_bgr[::4, ::4].astype(np.int16) - last.image_bgr[::4, ::4]).mean()
                if change < STILL_LEVELS:
                    return frame
            last = frame
        if now() >= end:
            return last


def run(source_spec: str | None, *, throws: int) -> None:
    """Guide a player through the test and print what it came to.

    Args:
        source_spec: camera, film or folder of pictures (each picture is a throw); the settings' camera if None.
        throws: how many.

    Raises:
        SourceError: the source cannot be used.
        ModelError: a model cannot be loaded.
    """
    spec = source_spec or settings.load(settings.home()).settings.camera.source or "auto"
    if spec == "none":
        raise SourceError(
            TroubleCode.NO_SUCH_CAMERA, "The settings name no camera.", "Name one: `deskref dice-test CAMERA`."
        )
    nets = DiceNets.load()
    done: list[Throw] = []
    looked: list[tuple[UInt8Array, Sequence[SeenDie]]] = []
    typer.echo("Throw the dice that you play with where you play. Enter looks at them, q ends the test.")
    with open_source(spec, speed="fast") as source:
        while len(done) < throws:
            if (
                source.is_live
                and _asked(f"Throw {len(done) + 1} of {throws}: throw, take the hand away, Enter").lower() == "q"
            ):
                break
            try:
                frame = still_frame(lambda: source.read(1.0)) if source.is_live else source.read(1.0)
            except SourceEnded:
                break
            if frame is None:
                typer.echo("No picture came; try again.")
                if not source.is_live:
                    break
                continue
            dice = tuple(die for die in read_dice(frame.image_bgr, nets=nets) if not die.is_doubtful)
            looked.append((frame.image_bgr, dice))
            typer.echo(_seen_words(dice))
            real = _real_values(dice)
            if real is None:
                break
            done.append(Throw(tuple(d.value for d in dice), real))
    typer.echo(_result_words(rates(done), advice(looked)))


def _asked(question: str) -> str:
    """The player's answer; the end of the input counts as the wish to end."""
    typer.echo(f"{question}: ", nl=False)
    try:
        return input().strip()
    except EOFError:
        return "q"


def _seen_words(dice: Sequence[SeenDie]) -> str:
    if not dice:
        return "I see no dice."
    values = " ".join("?" if d.value is None else str(d.value) for d in dice)
    reasons = [f"    ? {d.why}" for d in dice if d.value is None and d.why]
    return "\n".join([f"I see: {values}", *reasons])


def _real_values(dice: Sequence[SeenDie]) -> tuple[int, ...] | None:
    """What really lies there as the player says; None if the player ends the test."""
    seen = tuple(d.value for d in dice if d.value is not None)
    whole = len(seen) == len(dice) and bool(dice)
    question = "Right? Enter for yes, or type what lies there" if whole else "Type what lies there, such as 3 5 1"
    while True:
        answer = _asked(question)
        if answer.lower() == "q":
            return None
        if not answer and whole:
            return seen
        values = parsed_values(answer)
        if values is not None:
            return values
        typer.echo("Only digits from 1 to 6, one for each die; q ends the test.")


def _result_words(result: Rates, hints: Sequence[str]) -> str:
    if not result.dice:
        return "No throw was checked."
    share = 100 / result.dice
    lines = [
        f"{result.dice} dice: {result.found} found ({result.found * share:.0f} %), {result.read} read "
        f"({result.read * share:.0f} %), {result.wrong} wrong.",
        *hints,
    ]
    if result.wrong:
        lines.append("Dice that are read wrongly should not be played with here; a plainer set helps most.")
    elif result.read == result.dice:
        lines.append("These dice are read well here.")
    elif not hints:
        lines.append('"?" is answered by a click or a key in play; dice with plain round pips are read most.')
    return "\n".join(lines)
