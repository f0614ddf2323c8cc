"""The doctor's look at cameras: whether they open, how fast, bright and sharp they are, and whether the mat is seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.lens import Lens
from deskref.camera_language import trouble_told, view_told
from deskref.finding import Finding, Health
from deskref.language import now, say
from deskref.table_choice import TableChoice, TableSight
from deskref.view_advice import advice_on
from devices.camera import SourceError, Trouble, TroubleCode
from devices.camera_loop import CameraStatus
from devices.camera_spec import open_source
from devices.camera_trial import try_source

LOOKS = 3
"""The table is looked for in so many copies of the picture: what follows it wants to see it more than once."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraLook:
    """What is known of a camera after a look at it."""

    name: str
    status: CameraStatus
    image_bgr: npt.NDArray[np.uint8] | None
    """The newest picture, shape (rows, columns, 3); None if none came."""
    first_s: float | None = None
    """From opening to the first picture; None for one that is in use."""


def look_at(name: str, spec: str) -> CameraLook | Finding:
    """Open a camera for some seconds; a finding where it cannot be."""
    try:
        source = open_source(spec)
    except SourceError as error:
        return _bad(name, error.trouble)
    trial = try_source(source)
    image = trial.frame.image_bgr if trial.frame is not None else None
    return CameraLook(name, trial.status, image, trial.seconds_to_first_frame)


def camera_findings(look: CameraLook, table: TableChoice, lens: Lens | None = None) -> Iterator[Finding]:
    """Say how a camera is: opening and rate, brightness, focus, markers, its view of the table, and what else.

    Args:
        look: at the camera.
        table: what marks the table.
        lens: of the camera, where it was calibrated.
    """
    status, image = look.status, look.image_bgr
    if image is None or status.size is None:
        trouble = status.trouble
        yield (
            _bad(look.name, trouble)
            if trouble is not None
            else Finding(say("doc_camera", name=look.name), Health.BAD, say("doc_no_picture"), say("doc_no_picture_do"))
        )
        return
    advice = {note.code: note for note in status.advice}
    what = say("doc_camera", name=look.name)
    width, height = status.size
    rate = f"{status.rate_hz:.0f}" if status.rate_hz is not None else "?"
    slow = advice.pop(TroubleCode.SLOW, None) or status.trouble
    if look.first_s is None:
        found = say("doc_camera_runs", width=width, height=height, rate=rate)
    else:
        found = say("doc_camera_tried", width=width, height=height, rate=rate, seconds=f"{look.first_s:.1f}")
    yield _noted(what, found, slow)
    if status.quality is not None:
        found = say("doc_bright", level=round(status.quality.brightness))
        yield _noted(f"{what}: {say('doc_brightness')}", found, advice.pop(TroubleCode.DARK, None))
        blurred = advice.pop(TroubleCode.FOCUS_HUNTS, None) or advice.pop(TroubleCode.NOT_SHARP, None)
        edge = status.quality.edge_px
        found = say("doc_sharp", width=f"{edge:.1f}") if edge is not None else say("doc_no_edges")
        yield _noted(f"{what}: {say('doc_focus')}", found, blurred)
    yield _markers(what, image, table)
    yield from _view(what, image, table, lens)
    for note in advice.values():
        yield Finding(f"{what}: {say('doc_picture')}", Health.NOTE, *trouble_told(note))


def _markers(what: str, image_bgr: npt.NDArray[np.uint8], table: TableChoice) -> Finding:
    sight = TableSight(table, None)
    looks = [sight.follow(image_bgr, number / 10) for number in range(LOOKS)]
    view, _, _, advice = looks[-1]
    what = f"{what}: {say('doc_markers')}"
    if view is None:
        return Finding(what, Health.NOTE, now().of_table(advice or "") or say("doc_no_mat"), say("doc_no_mat_do"))
    seen = max(look[0].markers for look in looks if look[0] is not None)
    return Finding(what, Health.GOOD, say("doc_markers_seen", markers=seen) if seen else say("doc_corners_seen"))


def _view(what: str, image_bgr: npt.NDArray[np.uint8], table: TableChoice, lens: Lens | None) -> Iterator[Finding]:
    """What could be better about how the table is seen: tilt, glare, markers of one side only."""
    advice = advice_on(image_bgr, table, lens=lens)
    for one in advice if isinstance(advice, tuple) else ():
        yield Finding(f"{what}: {say('doc_view')}", Health.NOTE, *view_told(one))


def _bad(name: str, trouble: Trouble) -> Finding:
    message, remedy = trouble_told(trouble)
    return Finding(say("doc_camera", name=name), Health.BAD, message, remedy or say("doc_no_picture_do"))


def _noted(what: str, found: str, note: Trouble | None) -> Finding:
    """A measure that is good, or what could be better about it."""
    if note is None:
        return Finding(what, Health.GOOD, found)
    message, remedy = trouble_told(note)
    return Finding(what, Health.NOTE, f"{found}. {message}", remedy)
