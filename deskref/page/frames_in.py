"""Pictures that a browser or a phone sends to be the camera: one for each POST."""

from __future__ import annotations

import time
from typing import Final

from fastapi import Request, Response
from starlette.requests import ClientDisconnect

from deskref.camera_language import trouble_line
from devices.camera import SourceError, TroubleCode
from devices.pushed import PUSH_MOST_BYTES, PushedSource

BROWSER: Final = "browser"
"""The camera of a browser on this computer."""

PHONE: Final = "phone"
"""A phone's."""

NAMES: Final = {BROWSER: "this browser's camera", PHONE: "the phone"}

STATUS: Final = {
    TroubleCode.TOO_LARGE: 413,
    TroubleCode.NOT_A_PICTURE: 415,
    TroubleCode.BUSY: 409,
}

SENDING_S = 3.0
"""A sender that was silent for longer is gone."""


class FramesIn:
    """The receiving end, one source for each kind of sender; whether a source is in use is not known here."""

    def __init__(self) -> None:
        """Make the sources; they cost nothing until somebody sends."""
        self.sources = {kind: PushedSource(name) for kind, name in NAMES.items()}
        self._last: dict[str, tuple[bytes, float]] = {}

    def newest(self, kind: str) -> bytes | None:
        """The newest picture of a kind of sender as it came; None where nobody sends now."""
        data, at_s = self._last.get(kind, (b"", float("-inf")))
        return data if time.monotonic() - at_s < SENDING_S else None

    async def take(self, request: Request, *, kind: str) -> Response:
        """Answer a POST whose body is a picture.

        Args:
            request: already let in by the guard.
            kind: of sender, `browser` or `phone`.

        Returns:
            204, or why the picture is not taken, in words for who holds the phone.
        """
        data = bytearray()
        try:
            async for piece in request.stream():
                data += piece
                if len(data) > PUSH_MOST_BYTES:
                    break
        except ClientDisconnect:  # a phone that loses its network: nobody is there to be answered
            return Response(status_code=400)
        sender = request.query_params.get("sender", "")[:60]
        try:
            self.sources[kind].push(bytes(data), sender=sender)
        except SourceError as error:
            return Response(
                trouble_line(error.trouble), status_code=STATUS.get(error.code, 400), media_type="text/plain"
            )
        self._last[kind] = (bytes(data), time.monotonic())
        return Response(status_code=204)
