"""The pictures of any source, one after the other, for commands that need no game."""

from __future__ import annotations

import math
from collections.abc import Iterator

from devices.camera import Source, SourceError, TroubleCode, now_s
from devices.camera_loop import CameraState
from devices.camera_thread import CameraThread
from devices.frame import Frame
from devices.latest import Latest

FRAME_WAIT_S = 1.0
"""How long a live camera is waited for before its trouble is said."""


def pictures_of(source: Source, *, seconds: float = math.inf, step_s: float = 0.0) -> Iterator[Frame]:
    """Give the pictures of a source: the newest of a live one for a while, every one of a file that is not too near.

    Args:
        source: belongs to this from now on; closed at the end.
        seconds: how long a live source is looked at.
        step_s: time between two pictures of a film.

    Raises:
        SourceError: a file cannot be read, or a live source gives no picture for `FRAME_WAIT_S` and says why, or none
            in all.
    """
    if not source.is_live:
        with source:
            last_s = -float("inf")
            for frame in source.frames():
                if frame.time_s - last_s >= step_s - 1e-6:
                    last_s = frame.time_s
                    yield frame
        return
    latest: Latest[Frame] = Latest()
    with CameraThread(source, latest) as thread:
        deadline_s = now_s() + seconds
        came = False
        while now_s() < deadline_s:
            newest = latest.take(FRAME_WAIT_S)
            if newest is not None:
                came = True
                yield newest
                continue
            status = thread.status
            if status.state in (CameraState.LOST, CameraState.ENDED) and status.trouble is not None:
                raise SourceError(status.trouble.code, status.trouble.message, status.trouble.remedy)
        if not came:
            why = thread.status.trouble
            raise SourceError(
                why.code if why else TroubleCode.NO_FRAMES,
                why.message if why else f"{source.name} sends no pictures.",
                why.remedy if why else "Check its plug, or that its app is running.",
            )
