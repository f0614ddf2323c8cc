"""Whether this computer looks at pictures quickly enough, and what it means where it does not."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Final

from devices.camera import Source, Trouble, TroubleCode, trouble
from devices.picture_quality import SLOW_HZ

TIMES_KEPT: Final = 31
"""Pictures over which the pace is judged: a second at 30 pictures a second, and not judged before so many were looked
at: the first ones load the models and take longer."""

KEEPS_UP: Final = 0.8
"""Part of a film's own pace from which it plays as it was taken: by this much nobody sees it."""


PACES: Final = frozenset({"cam_slow", "cam_slow_computer", "cam_film_slower"})
"""Ids of the sentences about too few pictures, the camera's own among them."""


def pace_told(source: Source, times_s: tuple[float, ...], *, came_hz: float | None) -> Trouble | None:
    """Say where the computer, not the camera, makes the pictures few; None where it keeps up or that is not known yet.

    Args:
        source: where the pictures come from.
        times_s: when the last pictures were looked at, by one clock.
        came_hz: pictures a second that came from a live source; a source that is slow itself is told elsewhere.
    """
    if len(times_s) < TIMES_KEPT:
        return None
    # The median: one that took a second, as when other work began, is no pace.
    between_s = median(later - earlier for earlier, later in pairwise(times_s))
    looked_hz = 1 / between_s if between_s > 0 else float("inf")
    expected_hz = came_hz if source.is_live else source.details.rate_hz
    if expected_hz is None or looked_hz >= KEEPS_UP * expected_hz:
        return None
    if source.is_patient:
        return trouble(TroubleCode.NOTE, "cam_film_slower", rate=round(looked_hz))
    if looked_hz < SLOW_HZ <= expected_hz:
        return trouble(TroubleCode.SLOW, "cam_slow_computer", rate=round(looked_hz))
    return None
