"""Whether the camera stood still between two moments, told from the whole picture and not from the markers.

Covered markers look alike whether a hand lies on them or the camera was knocked. The rest of the picture tells: a hand
changes a part of it, a knock shifts all of it. Textured places of a reduced picture are followed; lighting is divided
out first, so that a lamp or a drifting exposure is no movement.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from calibration.markers import GrayImage
from calibration.target import FloatArray

REDUCED_WIDTH_PX = 320
"""Of the reduced picture; one of its pixels is four of a 1280 wide one."""
LANDMARKS = 80
STILL_PX = 0.3
"""A landmark that moved less, in reduced pixels, stood still: noise of sigma 6 moves half of them by under 0.02 and
nine of ten by under 0.23 (measured)."""
FOLLOWED_SHARE = 0.1
"""Share of landmarks that must agree on one movement to tell anything. With two thirds of the picture covered 0.11-0.44
of them stay in place; after a knock of 2 px or more at most 0.03 do, and the others agree (measured on the evaluation
scenes with noise of sigma 6, also under half the light and under banding)."""
MIN_LANDMARKS = 7
"""Fewer, as in the dark, tell nothing."""


class Stillness(Enum):
    """What the picture says about the camera."""

    STILL = "still"
    MOVED = "moved"
    UNKNOWN = "unknown"
    """Too dark, too plain, too blurred or too much covered to tell."""


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """Textured places of a reference picture."""

    texture: npt.NDArray[np.uint8]
    """Shape (rows, 320): the reduced picture with lighting divided out."""
    places: npt.NDArray[np.float32]
    """Shape (n, 2): in reduced pixels."""


def reduce_picture(gray: GrayImage) -> npt.NDArray[np.uint8]:
    """Reduce a picture to 320 wide and divide its lighting out: local contrast about 128."""
    height = max(16, round(gray.shape[0] * REDUCED_WIDTH_PX / gray.shape[1]))
    small = cv2.resize(gray, (REDUCED_WIDTH_PX, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    smooth = cv2.GaussianBlur(small, (0, 0), 0.8)
    detail = smooth - cv2.boxFilter(smooth, -1, (21, 21))
    # Rounding leaves a running sum just below zero where a burnt-out or computed picture has no noise at all.
    spread = cv2.sqrt(np.maximum(cv2.boxFilter(detail * detail, -1, (21, 21)), 0))
    # The constant keeps a plain area's noise from being blown up into landmarks.
    return np.asarray(np.clip(128 + 50 * detail / (spread + 4), 0, 255), dtype=np.uint8)


def landmarks_of(gray: GrayImage) -> Landmarks:
    """Choose the textured places of a picture, spread over all of it."""
    texture = reduce_picture(gray)
    corners = cv2.goodFeaturesToTrack(texture, LANDMARKS, 0.02, 9, blockSize=5)
    places = np.zeros((0, 2), np.float32) if corners is None else np.asarray(corners, np.float32).reshape(-1, 2)
    return Landmarks(texture, places)


def displacement(landmarks: Landmarks, gray: GrayImage) -> tuple[FloatArray, FloatArray]:
    """Follow landmarks into another picture of the same size.

    Returns:
        The places followed with confidence, shape (n, 2), and where they are now, shape (n, 2), in pixels of `gray`.
    """
    if not len(landmarks.places):
        return np.zeros((0, 2)), np.zeros((0, 2))
    texture = reduce_picture(gray)
    if texture.shape != landmarks.texture.shape:
        return np.zeros((0, 2)), np.zeros((0, 2))
    before = landmarks.places.reshape(-1, 1, 2)
    window, levels = (15, 15), 3
    after, found, _ = cv2.calcOpticalFlowPyrLK(
        landmarks.texture, texture, before, np.zeros_like(before), winSize=window, maxLevel=levels
    )
    back, returned, _ = cv2.calcOpticalFlowPyrLK(
        texture, landmarks.texture, after, np.zeros_like(before), winSize=window, maxLevel=levels
    )
    honest = (
        (np.ravel(found) == 1)
        & (np.ravel(returned) == 1)
        & (np.linalg.norm((back - before).reshape(-1, 2), axis=1) < 0.5)
    )
    scale = gray.shape[1] / REDUCED_WIDTH_PX
    start = before.reshape(-1, 2)[honest].astype(np.float64)
    end = after.reshape(-1, 2)[honest].astype(np.float64)
    return (start + 0.5) * scale - 0.5, (end + 0.5) * scale - 0.5


def stillness(landmarks: Landmarks, gray: GrayImage) -> Stillness:
    """Judge whether the camera stands where it stood when the landmarks were chosen."""
    if float(gray[::8, ::8].std()) < 3:
        return Stillness.UNKNOWN
    before, now = displacement(landmarks, gray)
    enough = max(MIN_LANDMARKS, FOLLOWED_SHARE * len(landmarks.places))
    if len(before) < enough:
        return Stillness.UNKNOWN
    limit = STILL_PX * gray.shape[1] / REDUCED_WIDTH_PX
    movement, agree = cv2.estimateAffinePartial2D(
        before, now, method=cv2.RANSAC, ransacReprojThreshold=limit, maxIters=300, refineIters=5
    )
    if movement is None or int(np.sum(agree)) < enough:
        return Stillness.UNKNOWN
    # A camera that turns about its axis leaves the middle in place: the outermost landmarks decide.
    followed = before[np.ravel(agree).astype(bool)]
    moved = followed @ movement[:, :2].T + movement[:, 2] - followed
    return Stillness.STILL if float(np.percentile(np.linalg.norm(moved, axis=1), 90)) < limit else Stillness.MOVED
