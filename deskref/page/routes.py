"""The addresses beside the pages: the live picture, pictures that come in, the score, sheets to print."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, StreamingResponse

from calibration.sheets import MAX_TILES, write_sheet
from deskref.language import say
from deskref.option_mistake import said_of_option
from deskref.page import plain_pages
from deskref.page.frames_in import BROWSER, PHONE
from deskref.page.pictures import BOUNDARY, WIDEST
from deskref.page.site import Site

Kind = Literal["mat", "tokens", "tiles", "hex", "lens"]
NOT_KEPT = {"Cache-Control": "no-store"}


def add_routes(app: FastAPI, site: Site) -> None:
    """Let an application answer all addresses that are no pages of the library."""

    def kind_of(request: Request) -> str:
        """Who is the camera: a phone is one whatever it says, and its page needs no word for it."""
        is_here = (request.scope.get("server") or ("", 0))[1] == site.page.port
        return BROWSER if is_here and request.query_params.get("as") != PHONE else PHONE

    async def stream(above: bool = False, wide: Annotated[int, Query(ge=0, le=WIDEST)] = 0) -> Response:
        parts = site.pictures.stream(from_above=above, wide=wide)
        return StreamingResponse(parts, media_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}")

    async def frame(request: Request) -> Response:
        return await site.frames_in.take(request, kind=kind_of(request))

    async def sent(request: Request) -> Response:
        picture = site.frames_in.newest(kind_of(request))
        if picture is None:
            return Response(status_code=404)
        return Response(picture, media_type="image/jpeg", headers=NOT_KEPT)

    async def score(after: int = 0) -> Response:
        number, data = await site.score.after(after)
        return Response(data, media_type="application/json", headers={**NOT_KEPT, "X-Score": str(number)})

    async def sheet(
        kind: Kind = "mat",
        paper: Literal["a4", "letter"] = "a4",
        grid: Literal["none", "inch", "hex"] = "none",
        wide: int = 1,
        deep: int = 1,
    ) -> Response:
        if wide < 1 or deep < 1 or wide * deep > MAX_TILES:
            said = say("set_mat_tiles_wrong", most=MAX_TILES, wide=wide, deep=deep)
            return Response(said, status_code=400, media_type="text/plain; charset=utf-8")
        try:
            pdf = await asyncio.to_thread(_sheet, kind, paper, grid, (wide, deep))
        except ValueError as error:
            return Response(str(error), status_code=400, media_type="text/plain")
        named = f'inline; filename="deskref-{kind}-{paper}.pdf"'
        return Response(pdf, media_type="application/pdf", headers={"Content-Disposition": named})

    async def phone() -> Response:
        return HTMLResponse(plain_pages.phone_page(), headers=NOT_KEPT)

    async def camera(request: Request) -> Response:
        return HTMLResponse(plain_pages.camera_page(kind_of(request)), headers=NOT_KEPT)

    async def score_board() -> Response:
        return HTMLResponse(plain_pages.score_page(), headers=NOT_KEPT)

    async def overlay(parts: str | None = None) -> Response:
        why = plain_pages.unknown_parts(parts)
        if why:
            return HTMLResponse(plain_pages.wrong_overlay_page(why), status_code=400, headers=NOT_KEPT)
        return HTMLResponse(plain_pages.overlay_page(parts), headers=NOT_KEPT)

    async def style() -> Response:
        return Response(plain_pages.plain_style(), media_type="text/css")

    async def camera_script() -> Response:
        return Response(plain_pages.script("camera.js"), media_type="text/javascript")

    async def score_script() -> Response:
        return Response(plain_pages.script("score.js"), media_type="text/javascript")

    async def refused(_: Request, error: Exception) -> Response:
        """Say in plain words what cannot be in an address, in place of the library's JSON."""
        assert isinstance(error, RequestValidationError)
        mistake = error.errors()[0]
        return Response(f"{mistake['loc'][-1]}: {said_of_option(mistake)}", status_code=400, media_type="text/plain")

    app.add_exception_handler(RequestValidationError, refused)
    gets: dict[str, Any] = {
        "/stream.mjpg": stream,
        "/sent.jpg": sent,
        "/score.json": score,
        "/sheet.pdf": sheet,
        "/phone": phone,
        "/camera": camera,
        "/score": score_board,
        "/overlay": overlay,
        "/plain.css": style,
        "/camera.js": camera_script,
        "/score.js": score_script,
    }
    for path, answer in gets.items():
        app.add_api_route(path, answer, methods=["GET"])
    app.add_api_route("/frame", frame, methods=["POST"])


def _sheet(
    kind: Kind, paper: Literal["a4", "letter"], grid: Literal["none", "inch", "hex"], tiles: tuple[int, int]
) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.pdf"
        write_sheet(path, paper=paper, kind=kind, grid=grid, tiles=tiles)
        return path.read_bytes()
