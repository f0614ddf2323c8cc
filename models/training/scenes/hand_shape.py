"""A hand with forearm and sleeve, put together from rods, gripping from above.

The finger tips meet at the origin; the arm comes from -x and up, the palm looks forward and down.
"""

from __future__ import annotations

import math
from typing import Literal

from models.training.scenes.solids import Solid, ellipsoid, limb, moved
from models.training.scenes.turning import Vector

HAND_SCALE = 0.78
"""Of the rods below, which make a big man's hand: 0.78 is a narrow hand of about 170 mm."""
FOREARM_MM = 420.0
"""Long enough to leave the picture on the arm's side from anywhere on the mat, at 3 px/mm."""


def build(grip: Literal["pinch", "wide", "open"]) -> tuple[Solid, ...]:
    """Build the hand.

    Args:
        grip: "pinch" leaves 16 mm between thumb and fingers (a die), "wide" 26 mm (a figure), "open" lets go.
    """
    gap = {"pinch": 8.5, "wide": 12.0, "open": 25.0}[grip] / HAND_SCALE
    curl = {"pinch": 0.0, "wide": 2.0, "open": 14.0}[grip]
    parts: list[Solid] = []
    wrist: Vector = (-105.0, 6.0, 78.0)
    for offset, reach, knuckle_z in ((-9.0, 0.0, 62.0), (7.0, 3.0, 65.0), (23.0, -4.0, 62.0), (37.0, -14.0, 55.0)):
        side = offset * 0.55
        knuckle: Vector = (-30.0 + reach * 0.5, offset - 2.0, knuckle_z)
        middle: Vector = (7.0 + reach + curl * 0.6, side + offset * 0.25, 46.0 + curl)
        last: Vector = (gap + 6.0 + reach * 0.4 + curl * 0.5, side + offset * 0.1, 22.0 + curl * 1.3)
        lift = 3.0 if abs(offset) < 10 else 9.0
        tip: Vector = (gap + 5.5 - abs(reach) * 0.4, side, lift + curl * 1.2)
        parts += [
            limb(knuckle, middle, 9.6, 8.6, "skin"),
            limb(middle, last, 8.6, 7.6, "skin"),
            limb(last, tip, 7.6, 6.2, "skin"),
        ]
        parts += [limb((-82.0, 6.0 + offset * 0.45, 74.0), knuckle, 14.0, 11.0, "skin")]
    base: Vector = (-74.0, -20.0, 60.0)
    joint: Vector = (-40.0, -27.0 - curl * 0.4, 40.0)
    bend: Vector = (-20.0 - curl * 0.3, -15.0 - curl * 0.5, 20.0 + curl * 0.6)
    thumb: Vector = (-gap - 5.0, -3.0 - curl * 0.5, 3.0 + curl)
    parts += [limb((-86.0, -2.0, 72.0), base, 15.0, 14.0, "skin"), limb(base, joint, 14.0, 10.0, "skin")]
    parts += [limb(joint, bend, 10.0, 8.6, "skin"), limb(bend, thumb, 8.4, 6.8, "skin")]
    parts += [
        ellipsoid((-62.0, 8.0, 66.0), (34.0, 30.0, 13.0), "skin"),
        limb(base, (-45.0, -4.0, 62.0), 12.0, 11.0, "skin"),
    ]
    slope = math.radians(20.0)
    elbow: Vector = (wrist[0] - FOREARM_MM * math.cos(slope), wrist[1], wrist[2] + FOREARM_MM * math.sin(slope))
    parts += [limb((-86.0, 6.0, 74.0), wrist, 18.0, 20.0, "skin"), limb(wrist, elbow, 21.0, 36.0, "skin")]
    cuff: Vector = (wrist[0] - 42.0 * math.cos(slope), wrist[1], wrist[2] + 42.0 * math.sin(slope))
    hem: Vector = (wrist[0] - 50.0 * math.cos(slope), wrist[1], wrist[2] + 50.0 * math.sin(slope))
    parts += [limb(cuff, hem, 31.0, 33.0, "sleeve"), limb(hem, elbow, 31.0, 45.0, "sleeve")]
    return tuple(moved(part, scale=HAND_SCALE) for part in parts)
