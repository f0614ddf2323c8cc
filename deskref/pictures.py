"""The commands that look at files: dice in photographs, the table in pictures, the events in a film."""

from __future__ import annotations

import glob
import json as json_text
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
import typer
from rich.console import Console
from rich.progress import track

from calibration.lens import Lens
from calibration.table import TableNotFound
from calibration.view_quality import Advice
from deskref import settings
from deskref.calibrated import TableOptions, find_once
from deskref.drawn_dice import draw_dice
from deskref.drawn_table import draw_table, legend
from deskref.eyes import Eyes
from deskref.face_book import known_faces
from deskref.plain_errors import said_of
from deskref.printed_markers import without_printed
from deskref.proofs import keep_proof
from deskref.reading_order import in_reading_order
from deskref.source_pictures import pictures_of
from deskref.table_choice import TableChoice
from deskref.told_lines import event_line
from deskref.view_advice import ViewAdvice, advice_as_json, advice_on
from devices.camera import SourceError
from devices.camera_spec import open_source
from devices.picture_folder import pictures_in
from devices.pictures import PICTURE_SUFFIXES, Picture, open_picture
from models.dice_nets import DiceNets
from models.runner import ModelError
from vision.dice import read_dice
from vision.events import event_as_json
from vision.explain import Explanation
from vision.explain import explain as explain_frame
from vision.observation import Box, Observation, SeenDie, TableSeen, as_json
from vision.observe import observe as observe_frame

Seen = TypeVar("Seen")

BAD_INPUT = 2
"""Exit status where a file could not be read; the others are read all the same."""

MANY = 8
"""From so many pictures on a progress bar is shown."""


def read(pictures: Sequence[Path], *, json: bool, draw: Path | None) -> int:
    """Print the dice of each picture, row by row and from left to right as a person reads.

    Where a model is missing or damaged, that is said once and the dice are read by their pips alone.

    Args:
        pictures: files, folders and patterns such as `*.jpg`.
        json: one JSON object a picture instead of words.
        draw: folder for copies of the pictures with what was seen.

    Returns:
        The exit status: 2 where a file could not be read or written, or a model not loaded.
    """
    nets: DiceNets | None = None
    trouble: str | None = None
    try:
        nets = DiceNets.load()
    except ModelError as error:
        trouble = f"{error}; until then dice are read by counting pips alone, and fewer are found"
    taught, broken = known_faces(settings.home())
    if broken is not None:
        trouble = f"{trouble}\n{broken}" if trouble else broken

    written: set[Path] = set()

    def show(path: Path, picture: Picture, observation: Observation) -> str:
        drawn = ""
        if draw is not None:
            draw.mkdir(parents=True, exist_ok=True)
            out = _free(draw, f"{path.stem}-dice", written)
            if not cv2.imwrite(str(out), draw_dice(picture.image_bgr, _likely(observation.dice))):
                raise OSError(f"{out} cannot be written")
            drawn = str(out)
        seen = _in_full_size(observation, picture.scale)
        dice = as_json(seen)["dice"]
        if json:
            kept = ("box", "value", "confidence", "cocked", "why")
            told = [{k: d[k] for k in kept if k == "value" or d[k] not in (None, False)} for d in dice]
            return _line({"file": str(path), "dice": told, **({"picture": drawn} if drawn else {})})
        likely = _likely(seen.dice)
        values = " ".join("?" if d.value is None else str(d.value) for d in likely) or "no dice"
        unread = [die for die in likely if die.value is None]
        reasons = [
            f"    ?{n} at {max(0, d.box[0]):.0f}, {max(0, d.box[1]):.0f}: {d.why or 'it could not be read'}"
            for n, d in enumerate(unread, 1)
        ]
        return "\n".join([f"{path}: {values}", *reasons, *([f"    drawn in {drawn}"] if drawn else [])])

    def look(picture: Picture) -> Observation:
        rows, columns = picture.image_bgr.shape[:2]
        dice = without_printed(picture.image_bgr, read_dice(picture.image_bgr, nets=nets, taught=taught))
        return Observation(0, 0.0, (columns, rows), TableSeen(False), dice=in_reading_order(dice))

    return _each(pictures, look, show, trouble=trouble)


def observe(pictures: Sequence[Path], *, json: bool, options: TableOptions | None = None) -> int:
    """Print everything on the table of each picture; returns the exit status as `read` does.

    Args:
        pictures: files, folders and patterns.
        json: one JSON object a picture instead of words.
        options: what marks the table, and which calibrated camera took the pictures.

    Raises:
        GivenError: an option that cannot be used.
        StoreError: the file with the lenses is damaged.
    """
    given, home = options or TableOptions(), settings.home()
    table, lens = given.table(home, is_live=False), given.lens_for(home, None)
    taught, broken = known_faces(home)

    def show(path: Path, picture: Picture, looked: tuple[Observation, tuple[Advice, ...]]) -> str:
        observation, advice = looked
        seen = _in_full_size(observation, picture.scale)
        if json:
            return _line({"file": str(path), **as_json(seen), **_view_json(advice)})
        return "\n".join([f"{path}: {_table_words(seen)}", *_view_words(advice), *_things(seen)])

    def look(picture: Picture) -> tuple[Observation, tuple[Advice, ...]]:
        found = find_once(picture.image_bgr, table, lens=lens)
        view = None if isinstance(found, TableNotFound) else found
        seen = observe_frame(picture.image_bgr, view, frame=0, time_s=0.0, area=table.area, taught=taught)
        if isinstance(found, TableNotFound):
            return replace(seen, table=TableSeen(False, 0, f"{found.message} {found.advice}")), ()
        return seen, _could_be_better(picture, table, lens)

    return _each(pictures, look, show, trouble=broken, note=given.assumed_size(home, is_live=False))


def explain(pictures: Sequence[Path], *, json: bool, out: Path, options: TableOptions | None = None) -> int:
    """Write for each picture one that shows what was seen in it and why, and print its legend.

    Args:
        pictures: files, folders and patterns.
        json: one JSON object a picture instead of words.
        out: folder for the drawn pictures, made where it is missing.
        options: what marks the table, and which calibrated camera took the pictures.

    Returns:
        The exit status, as `read` gives it.

    Raises:
        GivenError: an option that cannot be used.
        StoreError: the file with the lenses is damaged.
    """
    given, home = options or TableOptions(), settings.home()
    table, lens = given.table(home, is_live=False), given.lens_for(home, None)
    written: set[Path] = set()

    def look(picture: Picture) -> tuple[Explanation, tuple[Advice, ...]]:
        found = find_once(picture.image_bgr, table, lens=lens)
        if isinstance(found, TableNotFound):
            return explain_frame(picture.image_bgr, None, advice=f"{found.message} {found.advice}"), ()
        return explain_frame(picture.image_bgr, found, area=table.area), _could_be_better(picture, table, lens)

    def show(path: Path, picture: Picture, looked: tuple[Explanation, tuple[Advice, ...]]) -> str:
        explained, advice = looked
        out.mkdir(parents=True, exist_ok=True)
        target = _free(out, f"{path.stem}-explained", written)
        if not cv2.imwrite(str(target), draw_table(picture.image_bgr, explained)):
            raise OSError(f"{target} cannot be written")
        if json:
            left = [
                {"kind": o.piece.kind.value, "confidence": round(o.piece.confidence, 3),
                 "mm": [round(v, 1) for v in o.piece.mm], "why": o.why}
                for o in explained.left_out
            ]  # fmt: skip
            seen = as_json(_in_full_size(explained.observation, picture.scale))
            return _line({"file": str(path), "picture": str(target), **seen, **_view_json(advice), "left_out": left})
        lines = [*_view_words(advice), *(f"    {line}" for line in legend(explained))]
        return "\n".join([f"{path}: drawn in {target}", *lines])

    return _each(pictures, look, show, note=given.assumed_size(home, is_live=False))


def watch(film: str, *, json: bool, options: TableOptions | None = None, proofs: Path | None = None) -> None:
    """Print the events of a recording or of a camera, one line each; advice on the view goes to standard error.

    Args:
        film: video, folder of pictures, camera or address.
        json: JSON lines instead of words.
        options: what marks the table, and which calibrated camera took the film.
        proofs: folder for a picture of each event's die, figure or obstacle, cut out of its frame.

    Raises:
        SourceError: it cannot be opened or breaks off.
        OSError: a proof cannot be written.
        GivenError: an option that cannot be used.
        StoreError: the file with the lenses is damaged.
    """
    given, home = options or TableOptions(), settings.home()
    source = open_source(film, speed="fast")
    table = given.table(home, is_live=source.is_live)
    eyes = Eyes(table=table, lens=given.lens_for(home, source))
    taught, broken = known_faces(home)
    eyes.know_faces(taught)
    advice = ViewAdvice(table)
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    if broken is not None:
        errors.print(broken, markup=False)
    assumed = given.assumed_size(home, is_live=source.is_live)
    if assumed:
        errors.print(assumed, markup=False)
    for frame in pictures_of(source):
        seen = eyes.look(frame)
        for line in advice.on(seen):
            errors.print(f"{frame.time_s:8.2f} s  {line}", markup=False)
        for event in seen.events:
            data = event_as_json(event)
            proof = keep_proof(proofs, event, frame, seen.view) if proofs is not None else None
            if proof is not None:
                data["proof"] = str(proof)
            if json:
                typer.echo(_line(data))
            else:
                typer.echo(f"{event_line(event)}  ({proof})" if proof is not None else event_line(event))
    for trouble in source.details.advice:
        errors.print(str(trouble), markup=False)


def _each(
    pictures: Sequence[Path],
    look: Callable[[Picture], Seen],
    show: Callable[[Path, Picture, Seen], str],
    *,
    trouble: str | None = None,
    note: str = "",
) -> int:
    """Look at every picture, print what is seen, and go on after one that cannot be read.

    Args:
        pictures: files, folders and patterns.
        look: sees what is in a picture.
        show: makes it text.
        trouble: something to say first, which makes the exit status 2.
        note: something to say on standard error that is no trouble.
    """
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    status = 0
    paths, missing = _expanded(pictures)
    if note:
        errors.print(note, markup=False)
    for line in [*([trouble] if trouble else []), *missing]:
        errors.print(line, markup=False)
        status = BAD_INPUT
    many = len(paths) >= MANY and sys.stderr.isatty()
    for path in track(paths, "Reading", console=errors, disable=not many):
        try:
            picture = open_picture(path)
            for note in picture.notes:
                errors.print(f"{path}: {note}", markup=False)
            typer.echo(show(path, picture, look(picture)))
        except SourceError as error:
            errors.print(f"{path}: {error}", markup=False)
            status = BAD_INPUT
        except OSError as error:
            errors.print(f"{path}: {said_of(error) if error.errno is not None else error}", markup=False)
            status = BAD_INPUT
    return status


def _free(folder: Path, stem: str, written: set[Path]) -> Path:
    """A name for a drawing that no other one of this run has, as of two pictures that differ in their folder only."""
    path, number = folder / f"{stem}.png", 1
    while path in written:
        number += 1
        path = folder / f"{stem}-{number}.png"
    written.add(path)
    return path


def _expanded(pictures: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """Folders become the pictures in them, and patterns that no shell has expanded the files that they mean."""
    paths: list[Path] = []
    troubles: list[str] = []
    for path in pictures:
        try:
            is_folder = path.is_dir()
        except OSError:
            paths.append(path)  # no name of a file: opening it says so
            continue
        if is_folder:
            inside = pictures_in(path)
            paths += inside
            if not inside:
                troubles.append(f"{path}: there is no picture in this folder.")
        elif not path.exists() and glob.has_magic(str(path)):
            meant = sorted(Path(name) for name in glob.glob(str(path), recursive=True))
            fitting = [p for p in meant if p.is_file() and p.suffix.lower() in PICTURE_SUFFIXES]
            paths += fitting
            if not fitting:
                troubles.append(f"{path}: no picture fits this pattern.")
        else:
            paths.append(path)
    return paths, troubles


def _in_full_size(observation: Observation, scale: float) -> Observation:
    """Boxes in the file's own pixels, where the picture was reduced for looking."""
    if scale == 1.0:
        return observation

    def grown(box: Box) -> Box:
        x0, y0, x1, y1 = (v / scale for v in box)
        return x0, y0, x1, y1

    return replace(
        observation,
        dice=tuple(replace(d, box=grown(d.box)) for d in observation.dice),
        figures=tuple(replace(f, box=grown(f.box)) for f in observation.figures),
        obstacles=tuple(replace(o, box=grown(o.box)) for o in observation.obstacles),
    )


def _table_words(seen: Observation) -> str:
    if not seen.table.found:
        return f"no table. {seen.table.advice or ''}".rstrip()
    return f"table found by {seen.table.markers} markers" if seen.table.markers else "table found by its corners"


def _could_be_better(picture: Picture, table: TableChoice, lens: Lens | None) -> tuple[Advice, ...]:
    """What the set-up's third step would say of this picture, in which the table has been found."""
    advice = advice_on(picture.image_bgr, table, lens=lens)
    return advice if isinstance(advice, tuple) else ()


def _view_words(advice: tuple[Advice, ...]) -> list[str]:
    return [f"    {'bad view' if a.is_serious else 'could be better'}: {a.message}" for a in advice]


def _view_json(advice: tuple[Advice, ...]) -> dict[str, Any]:
    return {"could_be_better": advice_as_json(advice)} if advice else {}


def _likely(dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """The dice without what is hardly any; only JSON has those, too."""
    return tuple(die for die in dice if not die.is_doubtful)


def _things(seen: Observation) -> list[str]:
    lines = []
    for figure in seen.figures:
        if figure.mm is None:  # a picture without a table: nothing tells pose or size
            lines.append(f"    figure at {figure.box[0]:.0f}, {figure.box[1]:.0f}")
            continue
        place = f" at {figure.mm[0]:.0f}, {figure.mm[1]:.0f} mm"
        height = "" if figure.height_mm is None else f", {figure.height_mm:.0f} mm high"
        lines.append(f"    figure, {figure.pose.value}{place}{height}")
    for die in _likely(seen.dice):
        place = "" if die.mm is None else f" at {die.mm[0]:.0f}, {die.mm[1]:.0f} mm"
        why = f" ({die.why})" if die.value is None and die.why else ""
        lines.append(f"    die {'?' if die.value is None else die.value}{place}{why}")
    lines += [f"    obstacle, {o.height_mm:.0f} mm high, {len(o.outline_mm)} corners" for o in seen.obstacles]
    return lines


def _line(data: dict[str, Any]) -> str:
    return json_text.dumps(data, ensure_ascii=False)
