"""Find and read dice with the two nets: where each die is, where its top face is, what the nets think it shows.

The nets alone do not answer: whoever uses them compares the two views' readings with a third, independent one.
Pictures are uint8 BGR, pixel centres at integers, x right and y down.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.dice_crops import Pyramid
from models.dice_finds import Candidate, NetReading, one_a_face, plausible, without_nested
from models.dice_views import looked_at, refined, with_other_guesses
from models.pyramid_detector import LEAST_SCORE, PyramidDetector
from models.runner import DEFAULT_THREADS, Model, load_model

Picture = npt.NDArray[np.uint8]


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
        self,
        frame_bgr: Picture,
        candidates: Sequence[Candidate],
        *,
        refine: bool = True,
        shown: Sequence[int] | None = None,
    ) -> tuple[NetReading, ...]:
        """Read each candidate in both views.

        The upright view also says where the top face is, with four times the detector's resolution; the face view is
        cut by that.

        Args:
            frame_bgr: shape (height, width, 3).
            candidates: from `find`, or with top faces that are known better (from the table's pose).
            refine: correct the candidates' top faces; False where they are known better.
            shown: the values that the dice are known to show, as labels of photographs tell; guides the correction.
        """
        if not candidates:
            return ()
        pyramid = Pyramid(frame_bgr)
        if refine:
            views = refined(pyramid, self._value, candidates)
            views = with_other_guesses(pyramid, self._value, views, candidates, shown=shown)
        else:
            views = looked_at(pyramid, self._value, candidates)
        feature = views.face["feature"] / (np.linalg.norm(views.face["feature"], axis=1, keepdims=True) + 1e-6)
        feature.setflags(write=False)
        return tuple(
            NetReading(
                candidate=candidate,
                upright=tuple(float(p) for p in views.upright["probability"][k]),
                face=tuple(float(p) for p in views.face["probability"][k]),
                feature=feature[k],
            )
            for k, candidate in enumerate(views.candidates)
        )

    def look(self, frame_bgr: Picture, *, least_score: float = LEAST_SCORE) -> tuple[NetReading, ...]:
        """Find and read all dice; faint finds stay where others speak for them, of nested ones the likelier stay."""
        found = self.read(frame_bgr, self.find(frame_bgr, least_score=least_score))
        return without_nested(one_a_face(plausible(found)))
