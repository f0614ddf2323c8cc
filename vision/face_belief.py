"""How far a group of spots is to be believed as the top face of a die: measures, weighed.

A logistic regression for each value over measures that a person can name (`MEASURES`). Its weights were fitted on
photographs of real dice with labelled top faces; `docs/reading-dice.md` tells on which and what it reaches on
collections that took no part.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.die_body import Bodies, inverted
from vision.face_weights import WEIGHTS
from vision.pip_patterns import Faces, near
from vision.pip_spots import FloatArray, Spots

MEASURES = (
    "misfit",
    "skew",
    "unlike",
    "pip size",
    "pip size squared",
    "rough body",
    "rough body squared",
    "extra pip",
    "extra pip squared",
    "body ends",
    "body ends everywhere",
    "nearest end",
    "median end",
    "median end squared",
    "farthest end",
    "edge",
    "rough pips",
    "roughest pip",
    "roughest pip squared",
    "uneven ground",
    "uneven ground squared",
    "contrast",
    "pixels",
    "pixels squared",
    "slant",
    "slant squared",
    "foreign spots",
    "any foreign spot",
    "body area",
    "body area squared",
    "off centre",
    "off centre downwards",
    "body above",
    "body above squared",
    "body below to above",
    "uneven ends",
    "uneven ends squared",
    "neighbours",
    "neighbours squared",
    "ends in pip colour",
    "slant upwards",
    "slant sideways",
    "slant sideways squared",
    "pips above",
    "pips below",
    "any pip above",
)
"""Names of the columns of `face_measures`."""


def face_measures(spots: Spots, faces: Faces, bodies: Bodies) -> npt.NDArray[np.float64]:
    """Measure faces for `beliefs`.

    Returns:
        Shape (n, len(MEASURES)), one row a face.
    """
    if not len(faces):
        return np.zeros((0, len(MEASURES)))
    extent = bodies.extent
    square = np.abs(faces.axes[:, 0, 0] * faces.axes[:, 1, 1] - faces.axes[:, 0, 1] * faces.axes[:, 1, 0])
    side = np.sqrt(np.maximum(square, 1e-6))
    rays = bodies.ray_px * extent[..., None]
    following = np.roll(rays, -1, axis=1)
    areas = (rays[..., 0] * following[..., 1] - rays[..., 1] * following[..., 0]) / 2
    whole = areas.sum(axis=1)
    whole = np.where(np.abs(whole) < 1e-6, 1e-6, whole)
    off_px = ((rays + following) * areas[..., None]).sum(axis=1) / (3 * whole[:, None])
    off = np.linalg.norm(np.matmul(inverted(faces.axes), off_px[..., None])[..., 0], axis=1)
    foreign, neighbours, pips_above, pips_below = _company(spots, faces)
    radius, contrast = faces.mean(spots.radii), faces.mean(spots.contrast)
    size, pixels = np.log(faces.radius), np.log(np.maximum(radius, 0.5))
    rough, extra = np.minimum(bodies.roughness, 2.0), bodies.extra
    ended = bodies.ended.mean(axis=1)
    median = np.median(extent, axis=1)
    roughest = faces.largest(spots.roughness)
    uneven = faces.mean(spots.unevenness)
    slant = np.log(faces.mean(spots.aspects))
    area = np.log(np.maximum(np.abs(whole) / (2 * square), 0.05))
    above = np.maximum(-rays[..., 1].min(axis=1) / side, 0.3)
    below = np.maximum(rays[..., 1].max(axis=1) / side, 0.3)
    uneven_ends = np.minimum(extent.std(axis=1) / extent.mean(axis=1), 1.0)
    upwards, sideways = slants(spots, faces).T
    columns = [
        faces.misfit,
        faces.skew,
        np.minimum(faces.unlike, 3.0),
        size,
        size**2,
        rough,
        rough**2,
        extra,
        extra**2,
        ended,
        ended**4,
        extent.min(axis=1),
        median,
        median**2,
        extent.max(axis=1),
        np.minimum(bodies.edge, 80.0) / 40,
        faces.mean(spots.roughness),
        roughest,
        roughest**2,
        uneven,
        uneven**2,
        np.log(contrast),
        pixels,
        pixels**2,
        slant,
        slant**2,
        np.minimum(foreign, 3.0),
        np.minimum(foreign, 1.0),
        area,
        area**2,
        np.minimum(off, 3.0),
        np.clip(off_px[:, 1] / side, -2, 2),
        np.log(above),
        np.log(above) ** 2,
        np.log(np.clip(below / above, 0.1, 10)),
        uneven_ends,
        uneven_ends**2,
        neighbours,
        neighbours**2,
        bodies.pip_like_end,
        upwards,
        np.abs(sideways),
        sideways**2,
        pips_above,
        pips_below,
        np.minimum(pips_above, 1.0),
    ]
    return np.column_stack(columns).astype(np.float64)


def slants(spots: Spots, faces: Faces) -> FloatArray:
    """How faces are slanted to the camera, shape (n, 2): upwards, sideways.

    A circle on a face that lies on the table is seen flattened from top to bottom: the logarithm of its aspect is the
    first figure, and the second is 0 up to the camera's roll. Side faces are flattened obliquely.
    """
    shape = faces.mean(spots.shapes)
    square = np.matmul(faces.axes, faces.axes.transpose(0, 2, 1))
    shape = np.where((faces.value >= 4)[:, None, None], square, shape)
    half = (shape[:, 0, 0] + shape[:, 1, 1]) / 2
    along, across = (shape[:, 0, 0] - shape[:, 1, 1]) / 2, shape[:, 0, 1]
    away = np.hypot(along, across)
    aspect = np.log(np.maximum((half + away) / np.maximum(half - away, 1e-3), 1.0)) / 2
    slant: FloatArray = (np.column_stack([along, across]) / np.maximum(away, 1e-6)[:, None]) * aspect[:, None]
    return slant.astype(np.float32)


def _company(spots: Spots, faces: Faces) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Further spots like the pips: how many lie in each face, and the logarithms of how many around, above, below."""
    radius = faces.mean(spots.radii)
    contrast = faces.mean(spots.contrast)
    inner = faces.mean(spots.inner)
    reach = 4.5 * np.abs(faces.axes).sum(axis=2).max(axis=1)
    f, k = near(faces.centre, reach.astype(np.float32), spots.centres)
    like = ((spots.inner[k] - inner[f]) ** 2).sum(axis=1) < (0.5 * contrast[f]) ** 2
    like &= (spots.radii[k] > 0.5 * radius[f]) & (spots.radii[k] < 1.5 * radius[f])
    f, k = f[like], k[like]
    own = (faces.pips[f] == k[:, None]).any(axis=1)
    f, k = f[~own], k[~own]
    away = spots.centres[k] - faces.centre[f]
    place = np.abs(np.matmul(inverted(faces.axes)[f], away[..., None])[..., 0]).sum(axis=1)
    foreign = np.bincount(f[place < 1.5], minlength=len(faces))
    around = np.bincount(f[(place >= 1.5) & (place < 4.5)], minlength=len(faces))
    beside = (place >= 1.3) & (place < 4.0) & (np.abs(away[:, 1]) > np.abs(away[:, 0]))
    over = np.bincount(f[beside & (away[:, 1] < 0)], minlength=len(faces))
    under = np.bincount(f[beside & (away[:, 1] > 0)], minlength=len(faces))
    return (
        foreign.astype(np.float32),
        np.log1p(around).astype(np.float32),
        np.log1p(over).astype(np.float32),
        np.log1p(under).astype(np.float32),
    )


def beliefs(faces: Faces, measures: npt.NDArray[np.float64]) -> FloatArray:
    """How probably each face is the top face of a die and reads its value, shape (n,), 0 to 1."""
    weights = np.array([WEIGHTS[value] for value in faces.value.tolist()]).reshape(len(faces), len(MEASURES) + 1)
    z = (measures * weights[:, :-1]).sum(axis=1) + weights[:, -1]
    believed: FloatArray = (1 / (1 + np.exp(-np.clip(z, -30, 30)))).astype(np.float32)
    return believed
