"""A simulated camera over a printed sheet: exact geometry, lens, blur, noise and curl, for measuring and for tests."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.mat import MAT
from calibration.table_view import TableView
from calibration.target import FloatArray, Target, marker_cells

Image = npt.NDArray[np.uint8]
SHEET_PX_PER_MM = 8.0
TABLE_GRAY = 120.0


def draw_sheet(
    target: Target = MAT,
    *,
    size_mm: tuple[float, float] = (210.0, 297.0),
    px_per_mm: float = SHEET_PX_PER_MM,
    paper: int = 235,
    ink: int = 25,
    without: Iterable[int] = (),
) -> Image:
    """Draw a target's sheet from above, its centre in the middle, row 0 at the far edge; margins of bare paper."""
    width, height = (round(side * px_per_mm) for side in size_mm)
    sheet = np.full((height, width), paper, np.uint8)
    hidden = set(without)
    for number, corners in target.corners_mm.items():
        if number in hidden:
            continue
        cells = marker_cells(target.dictionary, number)
        count = len(cells)
        for row, column in np.ndindex(count, count):
            square = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            right, down = (corners[1] - corners[0]) / count, (corners[3] - corners[0]) / count
            mm = np.array([corners[0] + x * right + y * down for x, y in square])
            px = np.column_stack([mm[:, 0] * px_per_mm + width / 2, height / 2 - mm[:, 1] * px_per_mm]) - 0.5
            # fillConvexPoly fills its outline's pixels too: half a pixel inwards keeps the edges exact.
            inner = px + np.sign(px.mean(axis=0) - px) * 0.5
            cv2.fillConvexPoly(sheet, np.round(inner).astype(np.int32), int(paper if cells[row, column] else ink))
    return sheet


def on_desk(
    sheet: Image,
    *,
    px_per_mm: float = SHEET_PX_PER_MM,
    side_mm: float = 600.0,
    seed: int = 5,
    shift_mm: tuple[float, float] = (0.0, 0.0),
) -> Image:
    """Lay a sheet on a desk with grain and a few things beside it: what a real picture shows around the mat.

    The desk stays the same under the same seed, wherever the sheet is shifted to.
    """
    random = np.random.default_rng(seed)
    side = round(side_mm * px_per_mm)
    grain = cv2.resize(random.normal(0, 12, (120, 24)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
    desk = np.clip(TABLE_GRAY + grain, 0, 255).astype(np.uint8)
    for _ in range(25):
        x, y = random.uniform(0, side, 2)
        w, h = random.uniform(15, 50, 2) * px_per_mm
        box = cv2.boxPoints(((float(x), float(y)), (float(w), float(h)), float(random.uniform(0, 180))))
        cv2.fillConvexPoly(desk, np.round(box).astype(np.int32), int(random.integers(30, 220)))
    rows, columns = sheet.shape
    top = (side - rows) // 2 - round(shift_mm[1] * px_per_mm)
    left = (side - columns) // 2 + round(shift_mm[0] * px_per_mm)
    desk[top : top + rows, left : left + columns] = sheet
    return desk


@cache
def _grain(shape: tuple[int, int], noise: float) -> npt.NDArray[np.int16]:
    return np.random.default_rng(7).normal(0, noise, (2 * shape[0], 2 * shape[1])).round().astype(np.int16)


def frame(clean: Image, number: int, *, noise: float = 5.0) -> Image:
    """Add sensor noise that differs from frame to frame; fast, for long sequences."""
    rows, columns = clean.shape
    field = _grain((rows, columns), noise)
    top, left = (number * 37) % rows, (number * 53) % columns
    return np.clip(clean.astype(np.int16) + field[top : top + rows, left : left + columns], 0, 255).astype(np.uint8)


def cover(picture: Image, outline_px: list[tuple[float, float]], gray: int = 150) -> Image:
    """Lay a plain shape, such as a hand or a figure, over a picture."""
    covered = picture.copy()
    cv2.fillPoly(covered, [np.round(np.array(outline_px)).astype(np.int32)], gray)
    return covered


def view_of(
    *,
    size: tuple[int, int] = (1280, 720),
    tilt_degrees: float = 20.0,
    turn_degrees: float = 90.0,
    focal_share: float = 0.8,
    k1: float = 0.0,
    fill: float = 0.9,
    reach_mm: tuple[float, float] = (105.0, 148.0),
    aside_mm: tuple[float, float] = (0.0, 0.0),
) -> TableView:
    """Place a camera that looks at the sheet.

    Args:
        size: of the picture.
        tilt_degrees: from looking straight down.
        turn_degrees: of the sheet in the picture; 90 lays the A4 sheet landscape.
        focal_share: focal length over the picture's width.
        k1: first radial term of the lens.
        fill: how much of the picture the sheet takes, at most, in the tighter direction.
        reach_mm: half width and half height of what shall be in the picture.
        aside_mm: the point of the table in the picture's middle.
    """
    width, height = size
    focal = focal_share * width
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    tilt, turn = math.radians(tilt_degrees), math.radians(turn_degrees)
    spin = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    down = np.diag([1.0, -1.0, -1.0])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    rotation = lean @ down @ spin
    corners = np.array([(x, y, 0.0) for x in (-reach_mm[0], reach_mm[0]) for y in (-reach_mm[1], reach_mm[1])])
    low, high = 100.0, 5000.0
    for _ in range(50):
        distance = math.sqrt(low * high)
        view = TableView(
            matrix,
            np.array([k1, 0, 0, 0, 0]),
            rotation,
            np.array([0, 0, distance]) - rotation @ np.array([*aside_mm, 0.0]),
            size,
        )
        seen = view.to_frame(corners)
        reach = np.abs(seen - [(width - 1) / 2, (height - 1) / 2]) / [width / 2, height / 2]
        depths = (corners @ view.rotation.T + view.translation)[:, 2]
        if depths.min() < 20 or not np.all(np.isfinite(reach)) or reach.max() > fill:
            low = distance
        else:
            high = distance
    return view


_NODE = 8


def photograph(
    sheet: Image,
    view: TableView,
    *,
    px_per_mm: float = SHEET_PX_PER_MM,
    blur_px: float = 0.7,
    noise: float = 0.0,
    gain: float = 1.0,
    jpeg: int | None = None,
    curl_mm: float = 0.0,
    seed: int = 0,
    scale: int = 2,
) -> Image:
    """Take a grey picture of the sheet on a plain table.

    Args:
        sheet: from `draw_sheet` or a rendered PDF page; its centre is the table's origin.
        view: the camera.
        px_per_mm: of the sheet's picture.
        blur_px: Gaussian, in pixels of the picture.
        noise: sigma in grey levels.
        gain: of the exposure.
        jpeg: quality of a JPEG round trip.
        curl_mm: how far the far and near edges of the sheet rise, as a parabola along y.
        seed: of the noise.
        scale: samples along each side of a pixel.
    """
    width, height = view.size
    # The map is exact at every eighth sample and linear between: off by under 0.002 sheet pixels.
    across = (np.arange(0, width * scale + _NODE, _NODE) + 0.5) / scale - 0.5
    along = (np.arange(0, height * scale + _NODE, _NODE) + 0.5) / scale - 0.5
    mm = _table_points(view, across, along, curl_mm=curl_mm)
    rows, columns = sheet.shape
    nodes = np.stack([mm[..., 0] * px_per_mm + columns / 2 - 0.5, rows / 2 - mm[..., 1] * px_per_mm - 0.5], axis=-1)
    fine_x, fine_y = np.meshgrid(
        np.arange(width * scale, dtype=np.float32) / _NODE, np.arange(height * scale, dtype=np.float32) / _NODE
    )
    places = cv2.remap(nodes.astype(np.float32), fine_x, fine_y, cv2.INTER_LINEAR)
    picture = cv2.remap(sheet, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=TABLE_GRAY)
    picture = cv2.resize(picture.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
    return expose(picture, blur_px=blur_px, noise=noise, gain=gain, jpeg=jpeg, seed=seed)


def expose(
    picture: npt.NDArray[np.float32] | Image,
    *,
    blur_px: float = 0.0,
    noise: float = 0.0,
    gain: float = 1.0,
    jpeg: int | None = None,
    seed: int = 0,
) -> Image:
    """Blur, light, add noise to and compress a clean picture."""
    result = picture.astype(np.float32)
    if blur_px > 0:
        result = cv2.GaussianBlur(result, (0, 0), blur_px)
    result = result * gain
    if noise > 0:
        result = result + np.random.default_rng(seed).normal(0, noise, result.shape).astype(np.float32)
    done = np.clip(np.round(result), 0, 255).astype(np.uint8)
    if jpeg is not None:
        packed = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, jpeg])[1]
        done = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
    return done


def grid_points(step_mm: float = 25.0) -> FloatArray:
    """The points of the play area at which errors are measured, 81 at the default step, shape (n, 2)."""
    at = np.arange(-100.0, 100.1, step_mm)
    return np.array([(x, y) for y in at for x in at])


def errors_mm(found: TableView, truth: TableView, *, height_mm: float = 0.0) -> FloatArray:
    """How far from the truth the found view places each grid point that is in the picture, shape (n,)."""
    points = grid_points()
    pixels = truth.to_frame(points, height_mm=height_mm)
    inside = np.all((pixels >= 0) & (pixels < np.array(truth.size)), axis=1)
    back = found.to_table(pixels[inside], height_mm=height_mm)
    return np.asarray(np.linalg.norm(back - points[inside], axis=1), dtype=np.float64)


def _table_points(view: TableView, across: FloatArray, along: FloatArray, *, curl_mm: float) -> FloatArray:
    """Where each sampled pixel meets the sheet, shape (rows, columns, 2) in mm; far away where it meets nothing."""
    fx, fy = view.camera_matrix[0, 0], view.camera_matrix[1, 1]
    x, y = np.meshgrid((across - view.camera_matrix[0, 2]) / fx, (along - view.camera_matrix[1, 2]) / fy)
    k1 = float(view.distortion[0])
    if k1:
        seen = np.hypot(x, y)
        top = math.sqrt(-1 / (3 * k1)) if k1 < 0 else 3.0
        true = np.linspace(0, top, 20000)
        stretch = np.interp(seen, true * (1 + k1 * true**2), true) / np.maximum(seen, 1e-9)
        x, y = x * stretch, y * stretch
    rays = np.stack([x, y, np.ones_like(x)], axis=-1) @ view.rotation
    start = view.camera_mm
    height = np.zeros(x.shape)
    points = np.zeros((*x.shape, 2))
    for _ in range(6 if curl_mm else 1):
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (height - start[2]) / rays[..., 2]
        reach = np.where(reach > 0, reach, 1e5)
        points = start[:2] + rays[..., :2] * reach[..., None]
        if curl_mm:
            height = curl_mm * np.clip(points[..., 1] / 148.5, -1, 1) ** 2
    return points
