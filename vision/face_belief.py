"""How far a group of spots is to be believed as the top face of a die: measures, weighed.

A logistic regression for each value over measures that a person can name (`MEASURES`). Its weights were fitted on
photographs of real dice with labelled top faces; `docs/reading-dice.md` tells on which and what it reaches on
collections that took no part.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.die_body import Bodies
from vision.face_weights import WEIGHTS
from vision.pip_patterns import Face
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
)
"""Names of the columns of `face_measures`."""


def face_measures(spots: Spots, faces: list[Face], bodies: Bodies) -> npt.NDArray[np.float64]:
    """Measure faces for `beliefs`.

    Returns:
        Shape (n, len(MEASURES)), one row a face.
    """
    rows = [_row(spots, face, bodies, n) for n, face in enumerate(faces)]
    return np.array(rows, np.float64).reshape(len(faces), len(MEASURES))


def _row(spots: Spots, face: Face, bodies: Bodies, n: int) -> list[float]:
    pips = list(face.pips)
    extent = bodies.extent[n]
    side = float(np.sqrt(abs(np.linalg.det(face.axes))))
    rays = bodies.ray_px[n] * extent[:, None]
    following = np.roll(rays, -1, axis=0)
    areas = (rays[:, 0] * following[:, 1] - rays[:, 1] * following[:, 0]) / 2
    whole = float(areas.sum())
    whole = whole if abs(whole) > 1e-6 else 1e-6
    off_px = ((rays + following) * areas[:, None]).sum(axis=0) / (3 * whole)
    off = float(np.linalg.norm(np.linalg.solve(face.axes, off_px)))
    places = np.linalg.solve(face.axes, (spots.centres - face.centre).T).T
    reach = np.abs(places).sum(axis=1)
    contrast = float(spots.contrast[pips].mean())
    radius = float(spots.radii[pips].mean())
    like = np.linalg.norm(spots.inner - spots.inner[pips].mean(axis=0), axis=1) < 0.5 * contrast
    like &= (spots.radii > 0.5 * radius) & (spots.radii < 1.5 * radius)
    like[pips] = False
    foreign = int((like & (reach < 1.5)).sum())
    neighbours = float(np.log1p((like & (reach >= 1.5) & (reach < 4.5)).sum()))
    misfit, unlike = face.misfit, min(face.unlike, 3.0)
    size = float(np.log(face.radius))
    rough, extra = min(float(bodies.roughness[n]), 2.0), float(bodies.extra[n])
    ended = float(bodies.ended[n].mean())
    median = float(np.median(extent))
    roughest = float(spots.roughness[pips].max())
    uneven = float(spots.unevenness[pips].mean())
    pixels = float(np.log(max(radius, 0.5)))
    slant = float(np.log(spots.aspects[pips].mean()))
    area = float(np.log(max(abs(whole) / (2 * side * side), 0.05)))
    above, below = max(float(-rays[:, 1].min()) / side, 0.3), max(float(rays[:, 1].max()) / side, 0.3)
    uneven_ends = min(float(extent.std() / extent.mean()), 1.0)
    return [
        misfit,
        face.skew,
        unlike,
        size,
        size * size,
        rough,
        rough * rough,
        extra,
        extra * extra,
        ended,
        ended**4,
        float(extent.min()),
        median,
        median * median,
        float(extent.max()),
        min(float(bodies.edge[n]), 80.0) / 40,
        float(spots.roughness[pips].mean()),
        roughest,
        roughest * roughest,
        uneven,
        uneven * uneven,
        float(np.log(contrast)),
        pixels,
        pixels * pixels,
        slant,
        slant * slant,
        float(min(foreign, 3)),
        float(min(foreign, 1)),
        area,
        area * area,
        min(off, 3.0),
        float(np.clip(off_px[1] / side, -2, 2)),
        float(np.log(above)),
        float(np.log(above)) ** 2,
        float(np.log(np.clip(below / above, 0.1, 10))),
        uneven_ends,
        uneven_ends * uneven_ends,
        neighbours,
        neighbours * neighbours,
        float(bodies.pip_like_end[n]),
    ]


def beliefs(faces: list[Face], measures: npt.NDArray[np.float64]) -> FloatArray:
    """How probably each face is the top face of a die and reads its value, shape (n,), 0 to 1."""
    result = np.zeros(len(faces), np.float32)
    for n, face in enumerate(faces):
        weights = WEIGHTS[face.value]
        z = float(measures[n] @ weights[:-1] + weights[-1])
        result[n] = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
    return result
