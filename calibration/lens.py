"""A camera's lens: focal length and distortion for one picture size."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from calibration.pose import LensGuess
from calibration.target import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A calibrated lens."""

    camera_matrix: FloatArray
    """Shape (3, 3), in pixels of `size`."""
    distortion: FloatArray
    """Shape (5,): k1, k2, p1, p2, k3."""
    size: tuple[int, int]
    """Width and height of the pictures it was calibrated on."""
    rms_px: float = math.nan
    """Reprojection error of the calibration."""
    views: int = 0
    """How many pictures it rests on."""
    others: tuple[Lens, ...] = ()
    """The same camera calibrated at other sizes: which one counts is known when the first picture has come."""

    def __post_init__(self) -> None:
        """Check the shapes and make the arrays read-only."""
        for name, shape in (("camera_matrix", (3, 3)), ("distortion", (5,))):
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != shape:
                raise ValueError(f"{name} must have the shape {shape!r}, not {array.shape!r}")
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def fits(self, size: tuple[int, int]) -> bool:
        """Whether pictures of `size` can come from the same sensor area: the same aspect within 1 %.

        A camera that crops its sensor for another aspect has another field of view and needs its own calibration.
        """
        return any(abs(size[0] * lens.size[1] / (size[1] * lens.size[0]) - 1) < 0.01 for lens in (self, *self.others))

    def at(self, size: tuple[int, int]) -> Lens:
        """Give the lens for pictures of a size, scaled from the nearest calibrated size of the same aspect.

        Raises:
            ValueError: another aspect.
        """
        fitting = [lens for lens in (replace(self, others=()), *self.others) if lens.fits(size)]
        if not fitting:
            raise ValueError(f"a lens calibrated at {self.size!r} does not fit pictures of {size!r}")
        nearest = min(fitting, key=lambda lens: abs(lens.size[0] - size[0]))
        return nearest if nearest.size == size else nearest._scaled(size)

    def _scaled(self, size: tuple[int, int]) -> Lens:
        scale = size[0] / self.size[0]
        matrix = self.camera_matrix.copy()
        matrix[:2] *= scale
        # Pixel centres are at integers: the principal point scales about the picture's corner at -0.5.
        matrix[:2, 2] += 0.5 * (scale - 1)
        return Lens(matrix, self.distortion, size, self.rms_px * scale, self.views)

    def guess(self, size: tuple[int, int]) -> LensGuess:
        """Give it as a known lens for fits in pictures of `size`."""
        scaled = self.at(size)
        return LensGuess(scaled.camera_matrix, scaled.distortion, True, np.zeros((4, 4)))
