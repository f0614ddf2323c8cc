"""The commands that measure: a camera's lens from views of the printed lens board, and the scale of the printed mat."""

from __future__ import annotations

import json as json_text
import statistics
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from calibration.bank_card import WORTH_STORING, measure_bank_card
from calibration.lens import Lens
from calibration.lens_views import (
    ADVICE,
    ENOUGH_CELLS,
    ENOUGH_TILTED,
    ENOUGH_VIEWS,
    LensResult,
    LensViews,
    Verdict,
    add_view,
    solve_lens,
)
from calibration.mat import SQUARE_MM
from calibration.store import save_lens, save_print_scale
from calibration.table import TableNotFound
from deskref import settings
from deskref.calibrated import GivenError, find_once, identity_of, lens_of, table_of
from deskref.source_pictures import pictures_of
from deskref.table_choice import TableChoice, TableKind
from deskref.typed_command import as_typed
from devices.camera import Source
from devices.camera_spec import open_source
from devices.frame import Frame
from devices.picture_folder import pictures_in

FILM_STEP_S = 0.2
"""A film is looked at so often: a board moved by hand shows no other view sooner, and finding it takes 0.05 s."""

WORST_RMS_PX = 1.0
"""At 1280 pixels of width: boards glued on something flat leave 0.1 to 0.4 (measured on simulated views), bent paper
leaves several."""

LIVE_S = 300.0
"""So long a calibration with a live camera may take."""

SCALE_LIVE_S = 15.0
"""So long a card is looked for with a live camera."""

SCALE_READS = 5
"""Pictures of a live camera or a film whose median counts."""


@dataclass(frozen=True, slots=True)
class KeptLens:
    """A calibration that was stored."""

    camera: str
    """Identity under which it is kept."""
    result: LensResult


def calibrate(
    views: str | None, *, camera: str | None, seconds: float | None, json: bool, show: Console | None = None
) -> None:
    """Gather views of the lens board, print what is missing and each view's error, and keep the lens.

    Args:
        views: a camera, film, folder of pictures or address; None takes the settings' camera, or the only one.
        camera: which camera took a film or pictures; None where `views` is that camera.
        seconds: a live camera is given up after so long; None is `LIVE_S`.
        json: JSON lines instead of words.
        show: where words go; None is standard output.

    Raises:
        SourceError: the camera or file cannot be used.
        GivenError: the views do not suffice or do not agree, or nobody said which camera took them.
        StoreError: the lens cannot be kept.
    """
    home = settings.home()
    spec = views or settings.load(home).settings.camera.source or "auto"
    if spec in ("browser", "phone", "none"):
        raise GivenError("Name the camera to calibrate: deskref calibrate CAMERA. deskref cameras lists what there is.")
    source = open_source(spec, speed="fast")
    if not source.is_live and camera is None:
        source.close()
        raise GivenError(
            f"{spec!r} is no camera. Say which one took it, by the name that it has in deskref: --for CAMERA"
        )
    identity = source.identity if camera is None else identity_of(camera)
    console = show or Console(highlight=False, soft_wrap=True)
    state = LensViews()
    names = [path.name for path in pictures_in(Path(spec).expanduser())] if Path(spec).expanduser().is_dir() else []
    shown = _Progress(console, json=json, names=names, is_live=source.is_live)
    with shown:
        for frame in pictures_of(source, seconds=seconds or LIVE_S, step_s=0.0 if names else FILM_STEP_S):
            state, verdict = add_view(state, frame.image_bgr)
            shown.tell(frame, state, verdict)
            if state.is_enough and source.is_live:
                break
    kept = keep_lens(home, identity, state)
    _print_result(kept, json=json, console=console)


def keep_lens(home: Path, camera: str, views: LensViews) -> KeptLens:
    """Calibrate from gathered views and keep the lens under a camera's identity and the pictures' size.

    Args:
        home: folder of the settings.
        camera: its identity, such as `Source.identity`.
        views: that were gathered.

    Raises:
        GivenError: the views do not suffice, or do not agree with each other.
        StoreError: the lens cannot be kept.
    """
    if not views.is_enough or views.size is None:
        raise GivenError(
            f"Not enough was seen, so no lens is kept: {lacking(views)}. "
            f"{views.wanted if views.views else ADVICE[Verdict.NO_BOARD]}"
        )
    result = solve_lens(views)
    if result.lens.rms_px > WORST_RMS_PX * max(1.0, views.size[0] / 1280):
        raise GivenError(
            f"The views do not agree ({result.lens.rms_px:.1f} px), so no lens is kept. Glue the lens board on "
            "something flat, switch the camera's autofocus and zoom off, and begin again."
        )
    save_lens(home, camera, result.lens)
    return KeptLens(camera, result)


def scale(what: str | None, *, measured_mm: float | None, reset: bool, json: bool) -> None:
    """Measure the scale of the printed mat with a bank card, or take it as measured by hand, and keep it.

    Args:
        what: camera, film or picture with a card on the mat; None takes the settings' camera, or the only one.
        measured_mm: true side of the play area, measured with a ruler.
        reset: take the print as exact again.
        json: a JSON object instead of words.

    Raises:
        SourceError: the camera or file cannot be used.
        GivenError: no card is seen, or a measure that cannot be.
        StoreError: the scale cannot be kept.
    """
    home = settings.home()
    if sum((what is not None, measured_mm is not None, reset)) > 1:
        raise GivenError("Give only one of these: a picture or camera, --measured, or --reset.")
    if reset:
        found = 1.0
    elif measured_mm is not None:
        found = measured_mm / SQUARE_MM
        if not 0.5 < found < 2:
            raise GivenError(
                f"The play area is {SQUARE_MM:.0f} mm wide as printed; {measured_mm:g} mm cannot be. Measure the "
                "grey square from line to line."
            )
    else:
        spec = what or settings.load(home).settings.camera.source or "auto"
        source = open_source(spec, speed="fast")
        found = card_scale(source, table_of(home, settings.TableSettings()), lens=lens_of(home, source), name=spec)
        found = found if abs(found - 1) > WORTH_STORING else 1.0
    save_print_scale(home, "mat", found)
    if json:
        typer.echo(json_text.dumps({"print_scale": round(found, 5)}))
    elif found == 1.0:
        typer.echo("The mat is taken as printed at 100 %.")
    else:
        typer.echo(
            f"The mat is printed at {100 * found:.1f} %. This is kept and reckoned with; no need to print again."
        )


def card_scale(source: Source, choice: TableChoice, *, lens: Lens | None, name: str) -> float:
    """Find a bank card on the mat in the pictures of a source; gives the print's scale, the median of several.

    Raises:
        GivenError: no card is seen clearly, or no mat.
        SourceError: the source cannot be used.
    """
    assert choice.kind is TableKind.MAT
    reads: list[float] = []
    trouble = "No picture came."
    for frame in pictures_of(source, seconds=SCALE_LIVE_S, step_s=FILM_STEP_S):
        view = find_once(frame.image_bgr, choice, lens=lens)
        if isinstance(view, TableNotFound):
            trouble = f"{view.message} {view.advice}"
            continue
        card = measure_bank_card(frame.image_bgr, view)
        if card is None:
            trouble = (
                "No bank card is seen clearly. Lay it flat on the play area, not on a marker, so that it stands out "
                "from the paper; 1280x720 or more is best."
            )
            continue
        reads.append(card.print_scale)
        if len(reads) == SCALE_READS:
            break
    if not reads:
        raise GivenError(f"{name}: {trouble}")
    return statistics.median(reads)


def coverage_lines(views: LensViews) -> list[str]:
    """Draw which parts of the picture were covered, a line for each row of cells."""
    return [" ".join("■" if cell else "·" for cell in row) for row in views.covered]


def lacking(views: LensViews) -> str:
    """Say what is still missing for a lens, and nothing of what there is enough of; empty where nothing is missing."""
    cells = sum(map(sum, views.covered))
    tilted = sum(view.is_tilted for view in views.views)
    found = (
        (len(views.views), ENOUGH_VIEWS, "{seen} of the {needed} views that are needed"),
        (cells, ENOUGH_CELLS, "the board in {seen} of the {needed} parts of the picture that are needed"),
        (tilted, ENOUGH_TILTED, "it was tilted in {seen} of the {needed} views in which it must be"),
    )
    return ", ".join(words.format(seen=seen, needed=needed) for seen, needed, words in found if seen < needed)


class _Progress:
    """Shows how the calibration goes: redrawn in a terminal, line by line otherwise."""

    def __init__(self, console: Console, *, json: bool, names: list[str], is_live: bool) -> None:
        self._console = console
        self._json = json
        self._names = names
        self._is_live = is_live
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal and not json else None

    def __enter__(self) -> _Progress:
        if not self._json and self._is_live:
            self._console.print(
                as_typed(f"{ADVICE[Verdict.NO_BOARD]} Print it: deskref mat --kind lens  (end with Ctrl+C)")
            )
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def tell(self, frame: Frame, state: LensViews, verdict: Verdict) -> None:
        """Show what became of a picture."""
        name = self._names[frame.number] if frame.number < len(self._names) else f"{frame.time_s:.1f} s"
        if self._json:
            line = {
                "picture": name,
                "verdict": verdict.value,
                "views": len(state.views),
                "covered": state.covered,
                "progress": round(state.progress, 3),
            }
            typer.echo(json_text.dumps(line, ensure_ascii=False))
            return
        if self._live is not None:
            words = ADVICE[verdict] if verdict is not Verdict.TAKEN else state.wanted
            taken = len(state.views)
            count = f"{taken} of {ENOUGH_VIEWS} views" if taken < ENOUGH_VIEWS else f"{taken} views"
            self._live.update(Group(*map(Text, coverage_lines(state)), Text(f"{count}: {words}")), refresh=True)
        elif verdict is Verdict.TAKEN or self._names:
            count = f"view {len(state.views)}" if verdict is Verdict.TAKEN else "not used"
            self._console.print(f"{name}: {count}. {state.wanted if verdict is Verdict.TAKEN else ADVICE[verdict]}")


def _print_result(kept: KeptLens, *, json: bool, console: Console) -> None:
    lens, result = kept.result.lens, kept.result
    focal = float(lens.camera_matrix[0, 0])
    if json:
        data = {
            "camera": kept.camera,
            "size": lens.size,
            "focal_px": round(focal, 2),
            "focal_sigma_px": round(result.focal_sigma_px, 2),
            "distortion": [round(float(v), 5) for v in lens.distortion],
            "rms_px": round(lens.rms_px, 4),
            "errors_px": [round(e, 4) for e in result.errors_px],
            "left_out": result.left_out,
        }
        typer.echo(json_text.dumps(data))
        return
    table = Table("View", "Error", "", title="How well each view fits")
    for number, error in enumerate(result.errors_px):
        table.add_row(str(number + 1), f"{error:.2f} px", "left out" if number in result.left_out else "")
    console.print(table)
    console.print(
        f"Kept for {kept.camera} at {lens.size[0]}x{lens.size[1]}: focal length {focal:.1f} ± "
        f"{result.focal_sigma_px:.1f} px, distortion {lens.distortion[0]:+.3f}, error {lens.rms_px:.2f} px over "
        f"{lens.views} views. Every command that opens this camera uses it from now on."
    )
