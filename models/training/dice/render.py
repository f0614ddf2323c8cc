"""Build the small C renderer on demand and draw scenes of dice with it.

The renderer (`render.c`) is compiled once for each version of its source with the machine's C compiler. Lengths are
millimetres, z points up from the table, colours are linear RGB from 0 to 1.
"""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

PIPS = 9
"""Most pips on one face."""
PLANES = 20
"""Most faces of a polyhedron."""
PARTS = 10
"""Most capsules of a lump."""
DECAL_PX = 64
"""Edge of one picture in the decal atlas."""
MOST_BODIES = 64
"""The renderer's fixed lists hold so many bodies."""

BOX, POLYHEDRON, DISC, LUMP = range(4)
PLAIN, MARBLE, TWO_TONE, SPECKLE, GLITTER, WOOD, CLOUD, FELT = range(8)
PAINTED, DRILLED, RING, TARGET, SQUARE = range(5)

BODY = np.dtype(
    [
        ("shape", "i4"),
        ("pattern", "i4"),
        ("pip_style", "i4"),
        ("up_face", "i4"),
        ("centre", "f4", 3),
        ("axes", "f4", (3, 3)),
        ("half", "f4", 3),
        ("edge_radius", "f4"),
        ("cut_radius", "f4"),
        ("bound_radius", "f4"),
        ("colour", "f4", 3),
        ("colour2", "f4", 3),
        ("pattern_scale", "f4"),
        ("seed", "f4"),
        ("specular", "f4"),
        ("metal", "f4"),
        ("translucency", "f4"),
        ("roughness", "f4"),
        ("pip_depth", "f4"),
        ("pip_metal", "f4"),
        ("pip_wear", "f4"),
        ("frame", "f4"),
        ("pip_colour", "f4", (6, 3)),
        ("pip_count", "i4", 6),
        ("pips", "f4", (6, PIPS, 3)),
        ("decal", "i4", PLANES),
        ("decal_size", "f4"),
        ("decal_turn", "f4"),
        ("plane_count", "i4"),
        ("part_count", "i4"),
        ("planes", "f4", (PLANES, 4)),
        ("parts", "f4", (PARTS, 8)),
    ]
)
"""One body, as `Body` in render.c; `axes` rows are the body's own x, y, z axes in the world."""
CAMERA = np.dtype([("position", "f4", 3), ("axes", "f4", (3, 3)), ("focal", "f4", 2), ("principal", "f4", 2)])
"""A pinhole camera; `axes` rows point right, down and ahead."""
LIGHT = np.dtype([("position", "f4", 3), ("colour", "f4", 3), ("sharpness", "f4"), ("pool", "f4", 4)])
"""A lamp; `pool` is x, y, radius and the share of light outside of its bright pool."""
GROUND = np.dtype(
    [
        ("map", "f4", (2, 3)),
        ("gloss", "f4"),
        ("bump", "f4"),
        ("sky", "f4", 3),
        ("floor_bounce", "f4", 3),
        ("window", "f4", 3),
        ("window_dir", "f4", 3),
        ("window_size", "f4"),
        ("exposure", "f4"),
        ("width", "i4"),
        ("height", "i4"),
        ("levels", "i4"),
    ]
)
"""The table top and what stands around it."""


class CompilerMissingError(RuntimeError):
    """No C compiler builds the renderer; training needs one, playing does not."""


@dataclass(frozen=True, slots=True, eq=False)
class Render:
    """A drawn scene."""

    rgb: npt.NDArray[np.uint8]
    """Shape (height, width, 3)."""
    outline_px: npt.NDArray[np.float32]
    """Shape (bodies, 4): x0, y0, x1, y1 of each whole body, also where others hide it; inf where it is out of view."""
    visible: npt.NDArray[np.float32]
    """Shape (bodies,): share of the outline within the picture that is not hidden by others."""
    top_visible: npt.NDArray[np.float32]
    """Shape (bodies,): the same for the up face."""
    top_share: npt.NDArray[np.float32]
    """Shape (bodies,): share of the outline that the up face takes."""


@cache
def _library() -> ctypes.CDLL:
    """Compile the renderer, or load it from the temporary folder where an earlier run left it."""
    source = Path(__file__).with_name("render.c")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise CompilerMissingError("found no C compiler (cc, gcc or clang); install one to make training tiles")
    # Not -ffast-math: linked into a library it makes the whole process flush subnormal numbers to zero.
    flags = ["-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC"]
    key = hashlib.sha256(source.read_bytes() + " ".join(flags).encode()).hexdigest()[:16]
    target = Path(tempfile.gettempdir()) / f"deskref-render-{key}.so"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            built = Path(folder) / target.name
            subprocess.run([compiler, *flags, str(source), "-o", str(built), "-lm"], check=True)
            built.replace(target)
    return ctypes.CDLL(str(target))


def texture_pyramid(rgb: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], int]:
    """Flatten a texture and its halvings for the renderer.

    Args:
        rgb: shape (height, width, 3); both edges divisible by 8.

    Returns:
        The bytes of all levels one after another, and the number of levels.
    """
    levels = [np.ascontiguousarray(rgb)]
    while len(levels) < 4:
        high, wide = levels[-1].shape[:2]
        levels.append(
            np.asarray(cv2.resize(levels[-1], (wide // 2, high // 2), interpolation=cv2.INTER_AREA), np.uint8)
        )
    return np.concatenate([level.ravel() for level in levels]), len(levels)


def draw(
    bodies: npt.NDArray[np.void],
    camera: npt.NDArray[np.void],
    lights: npt.NDArray[np.void],
    ground: npt.NDArray[np.void],
    texture: npt.NDArray[np.uint8],
    atlas: npt.NDArray[np.uint8],
    *,
    size: tuple[int, int],
) -> Render:
    """Draw a scene.

    Args:
        bodies: shape (n,) of `BODY`, n at most 64.
        camera: shape (1,) of `CAMERA`.
        lights: shape (m,) of `LIGHT`.
        ground: shape (1,) of `GROUND`; width, height and levels are filled in here.
        texture: shape (height, width, 3), RGB.
        atlas: shape (pictures, 64, 64), coverage 0 to 255.
        size: (width, height) of the picture.

    Raises:
        ValueError: there are more bodies than the renderer holds.
        CompilerMissingError: no C compiler was found.
    """
    if len(bodies) > MOST_BODIES:
        raise ValueError(f"at most {MOST_BODIES} bodies fit in a scene, got {len(bodies)!r}")
    width, height = size
    flat, levels = texture_pyramid(texture)
    ground = ground.copy()
    ground["width"], ground["height"], ground["levels"] = texture.shape[1], texture.shape[0], levels
    rgb = np.zeros((height, width, 3), np.uint8)
    stats = np.zeros((max(1, len(bodies)), 8), np.float32)

    def pointer(array: npt.NDArray[np.generic] | npt.NDArray[np.void]) -> ctypes.c_void_p:
        return ctypes.c_void_p(array.ctypes.data)

    held = [np.ascontiguousarray(a) for a in (bodies, camera, lights, ground, flat, atlas)]
    _library().render(
        pointer(held[0]),
        ctypes.c_int(len(bodies)),
        pointer(held[1]),
        pointer(held[2]),
        ctypes.c_int(len(lights)),
        pointer(held[3]),
        pointer(held[4]),
        pointer(held[5]),
        ctypes.c_int(width),
        ctypes.c_int(height),
        pointer(rgb),
        pointer(stats),
    )
    stats = stats[: len(bodies)]
    outline = np.where(stats[:, 4:5] > 0, stats[:, :4], np.float32(np.inf)).astype(np.float32)
    return Render(
        rgb=rgb,
        outline_px=outline,
        visible=np.asarray(stats[:, 5] / np.maximum(stats[:, 4], 1), np.float32),
        top_visible=np.asarray(stats[:, 7] / np.maximum(stats[:, 6], 1), np.float32),
        top_share=np.asarray(stats[:, 6] / np.maximum(stats[:, 4], 1), np.float32),
    )
