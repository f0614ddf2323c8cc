"""The pictures of one die that the value net reads: how they are cut, in training and in play alike.

Two views of each die are read. The *upright* view is cut as the camera sees it, centred on the top face: it shows the
side faces below, so the net can tell which face is on top. The *face* view flattens the top face to a square: it makes
an oblique die look as if seen from above, but cannot tell a side face from a top one. Affine transforms map picture
pixels to crop pixels, pixel centres at integers.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

CROP_PX = 48
"""Edge of a crop."""
UPRIGHT_MARGIN = 1.45
"""Edge of the upright view in units of the box's longer edge."""
FACE_MARGIN = 1.36
"""Edge of the face view in units of the face's edge."""

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def upright_affine(box_px: Floats, top_centre_px: Floats) -> Floats:
    """Affine, shape (2, 3), of the upright view.

    Args:
        box_px: shape (4,): x0, y0, x1, y1 of the whole die.
        top_centre_px: shape (2,): the middle of the top face.
    """
    size = max(box_px[2] - box_px[0], box_px[3] - box_px[1], 1.0)
    scale = CROP_PX / (UPRIGHT_MARGIN * size)
    middle = (CROP_PX - 1) / 2
    return np.array([[scale, 0, middle - scale * top_centre_px[0]], [0, scale, middle - scale * top_centre_px[1]]])


def face_affine(top_px: Floats) -> Floats:
    """Affine, shape (2, 3), that maps the top face (corners of shape (4, 2), in order) to a square in the crop.

    A degenerate face (no area) gives a crop of the surroundings instead of an error.
    """
    centre = top_px.mean(0)
    e1 = (top_px[1] - top_px[0] + top_px[2] - top_px[3]) / 4
    e2 = (top_px[3] - top_px[0] + top_px[2] - top_px[1]) / 4
    edges = np.stack([e1, e2], 1)
    if abs(_determinant(edges)) < 0.25:
        edges = np.eye(2) * max(1.0, float(np.abs(edges).max()))
    linear = np.linalg.inv(edges) * (CROP_PX / (2 * FACE_MARGIN))
    middle = (CROP_PX - 1) / 2
    return np.concatenate([linear, (middle - linear @ centre)[:, None]], 1)


def _determinant(matrix: Floats) -> float:
    """Of the first two columns of two rows; `np.linalg.det` takes ten times as long."""
    return float(matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0])


class Pyramid:
    """A picture and its halvings, made when first needed, so that crops shrink without aliasing."""

    def __init__(self, picture: Picture) -> None:
        """Hold a picture of shape (height, width, 3), any channel order."""
        self._levels = [picture]

    def level(self, index: int) -> Picture:
        """The picture shrunk by 2 ** index; the smallest one that keeps 8 pixels where index asks for more."""
        while len(self._levels) <= index:
            last = self._levels[-1]
            if min(last.shape[:2]) < 16:
                return last
            half = cv2.resize(last, (last.shape[1] // 2, last.shape[0] // 2), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        return self._levels[index]

    def crop(self, affine: Floats) -> Picture:
        """Cut a crop of 48 x 48; what lies beyond the picture repeats its edge.

        Args:
            affine: shape (2, 3), picture pixels to crop pixels.
        """
        zoom = float(np.sqrt(abs(_determinant(affine))))
        index = 0 if zoom >= 0.6 else int(np.floor(np.log2(0.6 / max(zoom, 1e-3)))) + 1
        picture = self.level(index)
        rows, columns = self._levels[0].shape[:2]
        scale = np.array([columns / picture.shape[1], rows / picture.shape[0]])
        moved = affine.copy()
        moved[:, :2] = affine[:, :2] * scale
        moved[:, 2] = affine[:, 2] + affine[:, :2] @ ((scale - 1) / 2)
        out = cv2.warpAffine(
            picture, moved, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(out, np.uint8)
