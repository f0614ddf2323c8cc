"""Find and read dice with the two nets: where each die is, where its top face is, what the nets think it shows.

The nets alone do not answer: whoever uses them compares the two views' readings with a third, independent one.
Pictures are uint8 BGR, pixel centres at integers, x right and y down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.dice_crops import CROP_PX, Pyramid, face_affine, upright_affine
from models.dice_finds import Candidate, NetReading, plausible, without_nested
from models.pyramid_detector import LEAST_SCORE, PyramidDetector, corners_of
from models.runner import DEFAULT_THREADS, Model, load_model

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

SURE_VOTE = 0.95
"""A vote for a value from which other guesses at the top face are not tried."""
LEAST_PROBABILITY = 1e-4
"""Probabilities below weigh no more than that in a mean of logarithms."""


class DiceNets:
    """The detector and the value net, loaded."""

    def __init__(self, detector: Model, value: Model) -> None:
        """Hold two loaded models; use `load` for the shipped ones."""
        self._detector = PyramidDetector(detector)
        self._value = value

    @classmethod
    def load(cls, *, folder: Path | None = None, threads: int = DEFAULT_THREADS) -> DiceNets:
        """Load the shipped models, or those in `folder`.

        Raises:
            ModelMissingError: a model is not there.
            ModelDamagedError: a model cannot be loaded.
        """
        return cls(
            load_model("dice_detector", folder=folder, threads=threads),
            load_model("dice_value", folder=folder, threads=threads),
        )

    def find(self, frame_bgr: Picture, *, least_score: float = LEAST_SCORE) -> tuple[Candidate, ...]:
        """Find what looks like dice, best first.

        Candidates may still be nested (a pip within a big die, a group around dice); `look` sorts those out.

        Args:
            frame_bgr: shape (height, width, 3).
            least_score: peaks below are left out.
        """
        return self._detector.find(frame_bgr, least_score=least_score)

    def read(
        self, frame_bgr: Picture, candidates: Sequence[Candidate], *, refine: bool = True
    ) -> tuple[NetReading, ...]:
        """Read each candidate in both views.

        The upright view also says where the top face is, with four times the detector's resolution; the face view is
        cut by that.

        Args:
            frame_bgr: shape (height, width, 3).
            candidates: from `find`, or with top faces that are known better (from the table's pose).
            refine: correct the candidates' top faces; False where they are known better.
        """
        if not candidates:
            return ()
        candidates = list(candidates)
        pyramid = Pyramid(frame_bgr)
        affines = [upright_affine(np.array(c.box_px), np.array(c.top_px).mean(0)) for c in candidates]
        upright = self._value.run({"crops": np.stack([pyramid.crop(affine) for affine in affines])})
        detected = candidates
        if refine:
            candidates = _refined(candidates, affines, np.asarray(upright["top"], np.float64))
        face, faces = self._faces(pyramid, candidates)
        if refine:
            said = np.stack([upright["probability"], face["probability"]])
            unsure = np.nonzero(_consensus(said)[:, 1:].max(1) < SURE_VOTE)[0].tolist()
            for others in self._other_faces(pyramid, candidates, detected, faces, face["top"], unsure):
                other, _ = self._faces(pyramid, others)
                better = other["probability"][:, 1:].max(1) > face["probability"][unsure, 1:].max(1)
                for n in np.nonzero(better)[0].tolist():
                    candidates = [others[n] if k == unsure[n] else c for k, c in enumerate(candidates)]
                    for name in ("probability", "feature"):
                        face[name][unsure[n]] = other[name][n]
        feature = np.asarray(face["feature"], np.float32)
        feature = feature / (np.linalg.norm(feature, axis=1, keepdims=True) + 1e-6)
        feature.setflags(write=False)
        return tuple(
            NetReading(
                candidate=candidate,
                upright=tuple(float(p) for p in upright["probability"][k]),
                face=tuple(float(p) for p in face["probability"][k]),
                feature=feature[k],
            )
            for k, candidate in enumerate(candidates)
        )

    def _faces(
        self, pyramid: Pyramid, candidates: Sequence[Candidate]
    ) -> tuple[dict[str, npt.NDArray[np.float32]], list[Floats]]:
        """What the value net says of the face views, and the affines by which they were cut."""
        affines = [face_affine(np.array(c.top_px)) for c in candidates]
        said = self._value.run({"crops": np.stack([pyramid.crop(affine) for affine in affines])})
        return {name: np.array(value, np.float32) for name, value in said.items()}, affines

    def _other_faces(
        self,
        pyramid: Pyramid,
        candidates: Sequence[Candidate],
        detected: Sequence[Candidate],
        affines: Sequence[Floats],
        codes: npt.NDArray[np.float32],
        unsure: Sequence[int],
    ) -> Iterator[list[Candidate]]:
        """Other guesses at the top faces of those that were not read surely: the face view's own, the detector's."""
        if not unsure:
            return
        doubted = [candidates[k] for k in unsure]
        yield _refined(doubted, [affines[k] for k in unsure], np.asarray(codes[list(unsure)], np.float64))
        first = [detected[k] for k in unsure]
        yield first
        said, cut = self._faces(pyramid, first)
        yield _refined(first, cut, np.asarray(said["top"], np.float64))

    def look(self, frame_bgr: Picture, *, least_score: float = LEAST_SCORE) -> tuple[NetReading, ...]:
        """Find and read all dice; faint finds stay where others speak for them, of nested ones the likelier stay."""
        return without_nested(plausible(self.read(frame_bgr, self.find(frame_bgr, least_score=least_score))))


def _consensus(said: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Geometric mean over the first axis, scaled to sum to 1 over the last."""
    mean = np.exp(np.log(np.maximum(said, LEAST_PROBABILITY)).mean(0))
    return np.asarray(mean / mean.sum(-1, keepdims=True), np.float32)


def _refined(candidates: Sequence[Candidate], affines: Sequence[Floats], codes: Floats) -> list[Candidate]:
    """Candidates with the top faces that the value net saw; a face that lies outside of its die is not believed."""
    middle = np.full((len(codes), 2), (CROP_PX - 1) / 2)
    in_crop = corners_of(codes, middle, np.full(len(codes), float(CROP_PX)))
    out = []
    for candidate, affine, corners in zip(candidates, affines, in_crop, strict=True):
        top = (corners - affine[:, 2]) @ np.linalg.inv(affine[:, :2]).T
        x0, y0, x1, y1 = candidate.box_px
        x, y = top.mean(0)
        edge = np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).max()
        sound = x0 < x < x1 and y0 < y < y1 and 0.3 < edge / max(x1 - x0, y1 - y0) < 1.3
        out.append(replace(candidate, top_px=tuple((float(px), float(py)) for px, py in top)) if sound else candidate)
    return out
