"""One picture from a camera, with its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture as it came from a source; the array is read-only and may be handed to any thread."""

    image_bgr: npt.NDArray[np.uint8]
    """Shape (rows, columns, 3), blue, green, red."""
    time_s: float
    """Monotonic for a live camera; the film's own time for a recording."""
    number: int
    """Counts the frames that the source delivered, from 0; gaps mean skipped frames."""

    def __post_init__(self) -> None:
        """Check the shape once and make the array read-only."""
        if self.image_bgr.ndim != 3 or self.image_bgr.shape[2] != 3 or self.image_bgr.dtype != np.uint8:
            raise ValueError(
                f"a frame is (rows, columns, 3) of uint8, not {self.image_bgr.shape!r} of {self.image_bgr.dtype!r}"
            )
        self.image_bgr.setflags(write=False)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]
