"""A small rasteriser: triangles on a table, lit by lamps and sky with soft shadows, through a pinhole camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from models.training.tables.shapes import Array

Float32 = npt.NDArray[np.float32]
Int32 = npt.NDArray[np.int32]
Function = TypeVar("Function", bound=Callable[..., object])

PLAIN, DIE, GRAIN, LABEL = range(4)
"""How a body's surface is painted."""


@dataclass(slots=True)
class Triangles:
    """All triangles of a scene; t of them."""

    corners: Float32
    """Shape (t, 3, 3), in table mm."""
    normals: Float32
    """Shape (t, 3, 3)."""
    local: Float32
    """Shape (t, 3, 3): corners in the body's own axes, for its paint."""
    colour: Float32
    """Shape (t, 3): linear blue, green, red."""
    second: Float32
    """Shape (t, 3): the second colour of pips, grain and labels."""
    gloss: Float32
    """Shape (t, 5): strength of the highlight, its exponent, and three numbers that the style uses."""
    style: Int32
    """Shape (t,): `PLAIN`, `DIE`, `GRAIN` or `LABEL`."""
    body: Int32
    """Shape (t,): which body the triangle belongs to, from 0."""


@dataclass(slots=True)
class Lamps:
    """l distant lamps, each one hard shadow; many together make soft ones."""

    towards: Float32
    """Shape (l, 3): unit vectors from the table to the lamps."""
    colour: Float32
    """Shape (l, 3)."""
    centre_mm: tuple[float, float]
    """Where the light is strongest."""
    falloff_mm: float
    """The light halves at about this distance from there."""
    highlights: int
    """How many of the first lamps make highlights."""


def _compiled(function: Function) -> Function:
    """Compile with numba, which has no types: the function keeps its own."""
    compiled: Any = numba.njit(cache=True, fastmath=True)(function)  # Any: with numba it is a dispatcher
    return cast("Function", compiled)


@_compiled
def _raster(
    xy: Float32, inverse: Float32, body: Int32, only: int, width: int, height: int, near: Float32, which: Int32
) -> None:
    for t in range(xy.shape[0]):
        if only >= 0 and body[t] != only:
            continue
        x0, y0, x1, y1, x2, y2 = xy[t, 0, 0], xy[t, 0, 1], xy[t, 1, 0], xy[t, 1, 1], xy[t, 2, 0], xy[t, 2, 1]
        left = max(0, int(np.ceil(min(x0, x1, x2))))
        right = min(width - 1, int(np.floor(max(x0, x1, x2))))
        top = max(0, int(np.ceil(min(y0, y1, y2))))
        low = min(height - 1, int(np.floor(max(y0, y1, y2))))
        if left > right or top > low:
            continue
        area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
        if abs(area) < 1e-9:
            continue
        for y in range(top, low + 1):
            for x in range(left, right + 1):
                b1 = ((x - x0) * (y2 - y0) - (y - y0) * (x2 - x0)) / area
                b2 = ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / area
                b0 = 1.0 - b1 - b2
                if b0 < 0 or b1 < 0 or b2 < 0:
                    continue
                w = b0 * inverse[t, 0] + b1 * inverse[t, 1] + b2 * inverse[t, 2]
                if w > near[y, x]:
                    near[y, x] = w
                    which[y, x] = t


@_compiled
def _noise(x: float, y: float, z: float, seed: float) -> float:
    xi, yi, zi = np.floor(x), np.floor(y), np.floor(z)
    fx, fy, fz = x - xi, y - yi, z - zi
    fx, fy, fz = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy), fz * fz * (3 - 2 * fz)
    total = 0.0
    for dx in range(2):
        for dy in range(2):
            for dz in range(2):
                n = (
                    (np.int64(xi) + dx) * 73856093 ^ (np.int64(yi) + dy) * 19349663 ^ (np.int64(zi) + dz) * 83492791
                    ^ np.int64(seed) * 2654435761
                )  # fmt: skip
                n = (n ^ (n >> 13)) * 1274126177
                value = ((n ^ (n >> 16)) & 65535) / 65535.0
                weight = (fx if dx else 1 - fx) * (fy if dy else 1 - fy) * (fz if dz else 1 - fz)
                total += weight * value
    return total


@_compiled
def _pip(local: Float32, half: float, radius: float, spread: float) -> bool:
    ax, ay, az = abs(local[0]), abs(local[1]), abs(local[2])
    if az >= ax and az >= ay:
        value, u, v = (1 if local[2] > 0 else 6), local[0], local[1]
    elif ay >= ax:
        value, u, v = (2 if local[1] > 0 else 5), local[0], local[2]
    else:
        value, u, v = (3 if local[0] > 0 else 4), local[1], local[2]
    s = half * spread
    r = radius * half
    if value % 2 == 1 and u * u + v * v < r * r * (2.2 if value == 1 else 1.0):
        return True
    if value >= 2 and ((u - s) ** 2 + (v - s) ** 2 < r * r or (u + s) ** 2 + (v + s) ** 2 < r * r):
        return True
    if value >= 4 and ((u - s) ** 2 + (v + s) ** 2 < r * r or (u + s) ** 2 + (v - s) ** 2 < r * r):
        return True
    return value == 6 and ((u - s) ** 2 + v * v < r * r or (u + s) ** 2 + v * v < r * r)


@_compiled
def _shade(
    near: Float32, which: Int32, xy: Float32, inverse: Float32, corners: Float32, normals: Float32, local: Float32,
    colour: Float32, second: Float32, gloss: Float32, style: Int32, body: Int32, camera: Float32, rays_k: Array,
    rotation: Float32, ground: npt.NDArray[np.uint8], ground_scale: float, ground_origin: Array, light_uv: Array,
    light_axes: Float32, light_maps: Float32, map_scale: float, lamp_to: Float32, lamp_colour: Float32,
    lamp_centre: Array, falloff: float, highlights: int, out: Float32, height_out: Float32, body_out: Int32,
) -> None:  # fmt: skip
    rows, columns = near.shape
    size = light_maps.shape[1]
    point = np.zeros(3, np.float32)
    normal = np.zeros(3, np.float32)
    loc = np.zeros(3, np.float32)
    albedo = np.zeros(3, np.float32)
    ray = np.zeros(3, np.float32)
    for y in range(rows):
        for x in range(columns):
            t = which[y, x]
            ux, uy = (x - rays_k[2]) / rays_k[0], (y - rays_k[3]) / rays_k[1]
            for k in range(3):
                ray[k] = ux * rotation[0, k] + uy * rotation[1, k] + rotation[2, k]
            length = np.sqrt(ray[0] ** 2 + ray[1] ** 2 + ray[2] ** 2)
            shine, power = 0.0, 1.0
            if t >= 0:
                x0, y0, x1, y1, x2, y2 = xy[t, 0, 0], xy[t, 0, 1], xy[t, 1, 0], xy[t, 1, 1], xy[t, 2, 0], xy[t, 2, 1]
                area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
                b1 = ((x - x0) * (y2 - y0) - (y - y0) * (x2 - x0)) / area
                b2 = ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / area
                b0 = 1.0 - b1 - b2
                w0, w1, w2 = b0 * inverse[t, 0], b1 * inverse[t, 1], b2 * inverse[t, 2]
                total = w0 + w1 + w2
                for k in range(3):
                    point[k] = (w0 * corners[t, 0, k] + w1 * corners[t, 1, k] + w2 * corners[t, 2, k]) / total
                    normal[k] = (w0 * normals[t, 0, k] + w1 * normals[t, 1, k] + w2 * normals[t, 2, k]) / total
                    loc[k] = (w0 * local[t, 0, k] + w1 * local[t, 1, k] + w2 * local[t, 2, k]) / total
                    albedo[k] = colour[t, k]
                size_n = np.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2) + 1e-6
                facing = 0.0
                for k in range(3):
                    normal[k] /= size_n
                    facing += normal[k] * ray[k]
                if facing > 0:
                    for k in range(3):
                        normal[k] = -normal[k]
                kind = style[t]
                mix = 0.0
                if kind == DIE:
                    mix = 1.0 if _pip(loc, gloss[t, 2], gloss[t, 3], gloss[t, 4]) else 0.0
                elif kind == GRAIN:
                    mix = _noise(loc[0] / gloss[t, 2], loc[1] / gloss[t, 2], loc[2] / gloss[t, 3], gloss[t, 4])
                    mix = min(1.0, max(0.0, (mix - 0.35) * 2.5))
                elif kind == LABEL:
                    a, b = loc[0] / gloss[t, 2], (loc[1] + loc[2]) / gloss[t, 3]
                    line = b - np.floor(b)
                    mix = 1.0 if line > 0.55 and _noise(a, np.floor(b), 0.5, gloss[t, 4]) > 0.45 else 0.0
                for k in range(3):
                    albedo[k] = albedo[k] * (1 - mix) + second[t, k] * mix
                shine, power = gloss[t, 0], gloss[t, 1]
                body_out[y, x] = body[t]
                height_out[y, x] = point[2]
            else:
                body_out[y, x] = -1
                height_out[y, x] = 0.0
                if ray[2] >= -1e-6:
                    continue
                reach = -camera[2] / ray[2]
                point[0], point[1], point[2] = camera[0] + ray[0] * reach, camera[1] + ray[1] * reach, 0.0
                normal[0], normal[1], normal[2] = 0.0, 0.0, 1.0
                gx = (point[0] - ground_origin[0]) * ground_scale
                gy = (ground_origin[1] - point[1]) * ground_scale
                gx = min(max(gx, 0.0), ground.shape[1] - 2.001)
                gy = min(max(gy, 0.0), ground.shape[0] - 2.001)
                ix, iy = int(gx), int(gy)
                fx, fy = gx - ix, gy - iy
                for k in range(3):
                    albedo[k] = (
                        (ground[iy, ix, k] * (1 - fx) + ground[iy, ix + 1, k] * fx) * (1 - fy)
                        + (ground[iy + 1, ix, k] * (1 - fx) + ground[iy + 1, ix + 1, k] * fx) * fy
                    ) / 255.0
                shine, power = 0.015, 8.0
            away = (point[0] - lamp_centre[0]) ** 2 + (point[1] - lamp_centre[1]) ** 2
            strength = 1.0 / (1.0 + away / (falloff * falloff))
            # Nobody looks at the desk far from the sheet: it gets no shadows.
            far = t < 0 and (abs(point[0]) > 168 or abs(point[1]) > 212)
            r0, r1, r2 = 0.0, 0.0, 0.0
            for lamp in range(lamp_to.shape[0]):
                facing = normal[0] * lamp_to[lamp, 0] + normal[1] * lamp_to[lamp, 1] + normal[2] * lamp_to[lamp, 2]
                if facing <= 0:
                    continue
                u = v = depth = 0.0
                if not far:
                    for k in range(3):
                        u += point[k] * light_axes[lamp, 0, k]
                        v += point[k] * light_axes[lamp, 1, k]
                        depth += point[k] * light_axes[lamp, 2, k]
                iu = int(np.round(u * map_scale + size / 2))
                iv = int(np.round(v * map_scale + size / 2))
                lit = 1.0
                if far:
                    iu = -1
                if 0 < iu < size - 1 and 0 < iv < size - 1:
                    hidden = 0
                    for du in range(2):
                        for dv in range(2):
                            if light_maps[lamp, iv + dv, iu + du] > depth + 2.0 + 1.5 * (1 - facing):
                                hidden += 1
                    lit = 1.0 - hidden / 4.0
                if lit <= 0:
                    continue
                bright = facing * lit * strength if lamp < highlights else facing * lit
                extra = 0.0
                if shine > 0 and lamp < highlights:
                    hx = lamp_to[lamp, 0] - ray[0] / length
                    hy = lamp_to[lamp, 1] - ray[1] / length
                    hz = lamp_to[lamp, 2] - ray[2] / length
                    h = np.sqrt(hx * hx + hy * hy + hz * hz) + 1e-6
                    half = max(0.0, (hx * normal[0] + hy * normal[1] + hz * normal[2]) / h)
                    extra = shine * half**power * lit * strength * (power + 2) / 8
                r0 += lamp_colour[lamp, 0] * (albedo[0] * bright + extra)
                r1 += lamp_colour[lamp, 1] * (albedo[1] * bright + extra)
                r2 += lamp_colour[lamp, 2] * (albedo[2] * bright + extra)
            out[y, x, 0], out[y, x, 1], out[y, x, 2] = r0, r1, r2


_MAP_PX = 420
_MAP_MM = 620.0


def _project(points: Array, view: TableView) -> tuple[Float32, Float32]:
    in_camera = points.reshape(-1, 3) @ view.rotation.T + view.translation
    depth = np.maximum(in_camera[:, 2:], 1.0)
    pixels = in_camera[:, :2] / depth * (view.camera_matrix[0, 0], view.camera_matrix[1, 1])
    pixels += (view.camera_matrix[0, 2], view.camera_matrix[1, 2])
    shape = points.shape[:-1]
    return pixels.reshape(*shape, 2).astype(np.float32), (1 / depth).reshape(shape).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One frame and what is in it, all of the frame's size."""

    light: Float32
    """Shape (rows, columns, 3): linear blue, green, red."""
    height_mm: Float32
    """Height above the table of what each pixel shows."""
    body: Int32
    """Which body each pixel shows; -1 is the table."""
    alone_px: npt.NDArray[np.int64]
    """For each body, how many pixels it would fill with nothing before it."""


def draw(
    triangles: Triangles, bodies: int, view: TableView, ground_bgr: npt.NDArray[np.uint8], ground_px_per_mm: float,
    lamps: Lamps,
) -> Drawn:  # fmt: skip
    """Draw a scene.

    Args:
        triangles: everything that stands on the table.
        bodies: how many bodies there are.
        view: a camera without distortion.
        ground_bgr: linear colours of the table, 0..255, its middle at the table's origin, row 0 farthest.
        ground_px_per_mm: scale of the ground.
        lamps: the light.
    """
    width, height = view.size
    xy, inverse = _project(triangles.corners.astype(np.float64), view)
    near = np.zeros((height, width), np.float32)
    which = np.full((height, width), -1, np.int32)
    _raster(xy, inverse, triangles.body, -1, width, height, near, which)
    alone = np.zeros(bodies, np.int64)
    scratch_near, scratch = np.zeros_like(near), np.full_like(which, -1)
    for number in range(bodies):
        own = triangles.body == number
        if not own.any():
            continue
        low = np.clip(np.floor(xy[own].min(axis=(0, 1))), 0, (width, height)).astype(int)
        high = np.clip(np.ceil(xy[own].max(axis=(0, 1))) + 1, 0, (width, height)).astype(int)
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        if window[0].start >= window[0].stop or window[1].start >= window[1].stop:
            continue
        scratch_near[window], scratch[window] = 0, -1
        _raster(xy[own], inverse[own], triangles.body[own], -1, width, height, scratch_near, scratch)
        alone[number] = int((scratch[window] >= 0).sum())
    maps = np.full((len(lamps.towards), _MAP_PX, _MAP_PX), -1e6, np.float32)
    axes = np.zeros((len(lamps.towards), 3, 3), np.float32)
    scale = _MAP_PX / _MAP_MM
    for k, towards in enumerate(lamps.towards.astype(np.float64)):
        side = np.cross(towards, (0.2, 1.0, 0.1))
        side /= np.linalg.norm(side)
        axes[k] = np.stack([side, np.cross(towards, side), towards])
        seen = triangles.corners.astype(np.float64) @ axes[k].T.astype(np.float64)
        uv = (seen[..., :2] * scale + _MAP_PX / 2).astype(np.float32)
        shadow = np.zeros((_MAP_PX, _MAP_PX), np.float32)
        hit = np.full((_MAP_PX, _MAP_PX), -1, np.int32)
        _raster(uv, (seen[..., 2] + 1e4).astype(np.float32), triangles.body, -1, _MAP_PX, _MAP_PX, shadow, hit)
        maps[k] = np.where(hit >= 0, shadow - 1e4, -1e6)
    light = np.zeros((height, width, 3), np.float32)
    heights = np.zeros((height, width), np.float32)
    body = np.full((height, width), -1, np.int32)
    rays = np.array(
        [view.camera_matrix[0, 0], view.camera_matrix[1, 1], view.camera_matrix[0, 2], view.camera_matrix[1, 2]]
    )
    origin = (
        -ground_bgr.shape[1] / 2 / ground_px_per_mm,
        ground_bgr.shape[0] / 2 / ground_px_per_mm,
    )
    _shade(
        near, which, xy, inverse, triangles.corners, triangles.normals, triangles.local, triangles.colour,
        triangles.second, triangles.gloss, triangles.style, triangles.body, view.camera_mm.astype(np.float32), rays,
        view.rotation.astype(np.float32), ground_bgr, ground_px_per_mm, np.array(origin), np.zeros(1), axes, maps,
        scale, lamps.towards, lamps.colour, np.array(lamps.centre_mm), lamps.falloff_mm, lamps.highlights, light,
        heights, body,
    )  # fmt: skip
    return Drawn(light, heights, body, alone)
