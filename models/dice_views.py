"""Both views of each die as the value net reads them, and other guesses at where the top faces are.

A die is read well only where its top face is cut well. The nets' own guess is off where a die is small, rounded or seen
from straight above: then the sides can hardly be told from the top. So whatever is not read surely is cut anew by other
guesses, and the one that is read best stays, if it shows the value that was hinted at before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.dice_crops import CROP_PX, Pyramid, face_affine, upright_affine
from models.dice_finds import Candidate
from models.pyramid_detector import corners_of
from models.runner import Model

Floats = npt.NDArray[np.float64]
Said = dict[str, npt.NDArray[np.float32]]
"""What the value net says of crops: `probability` (n, 7), `feature` (n, 48), `top` (n, 7)."""

SURE_VOTE = 0.95
"""A vote for a value from which other guesses at the top face are not tried."""
SURELY_NONE = 0.98
"""Probability of no value in both views from which other guesses are not tried either."""
LEAST_SCORE_TO_TRY = 0.35
"""Of the detector's find, below which other guesses are not tried: of left-out dice that are read 99 in 100 have more,
and in a crowded tray half of all crops are saved."""
LEAST_PROBABILITY = 1e-4
"""Probabilities below weigh no more than that in a mean of logarithms."""
MOST_RAISED = 0.12
"""Middles of top faces lie no farther from their boxes' where a camera looks from above, in boxes' edges. Without this
limit the front faces of drawn dice were read from low cameras; with it nearly all photographed dice stay read."""
FACE_OF_BOX = 0.9
"""Side of the top face of a die seen from straight above, in units of its outline: a little is edge."""
CORNERS_LEFT = 0.6
"""So much of what a sharp square's corners would add to its box a rounded die's really do."""


@dataclass(slots=True, eq=False)
class DieViews:
    """Dice with what is said of their two views; row k of each array belongs to candidate k."""

    candidates: list[Candidate]
    upright: Said
    face_affines: list[Floats]
    face: Said

    def votes(self, shown: Sequence[int] | None = None) -> Floats:
        """How surely each die is read, shape (n,): the likeliest value's vote of both views together.

        Args:
            shown: the values that the dice are known to show; then those values' votes.
        """
        mean = self._mean()
        return mean[:, 1:].max(1) if shown is None else mean[np.arange(len(mean)), list(shown)]

    def values(self) -> npt.NDArray[np.int64]:
        """What each die is likeliest to show, 1 to 6, shape (n,)."""
        return np.asarray(self._mean()[:, 1:].argmax(1) + 1, np.int64)

    def _mean(self) -> Floats:
        """Geometric mean of both views, scaled to sum to 1, shape (n, 7)."""
        both = np.stack([self.upright["probability"], self.face["probability"]])
        mean = np.exp(np.log(np.maximum(both, LEAST_PROBABILITY)).mean(0))
        return np.asarray(mean / mean.sum(-1, keepdims=True), np.float64)

    def unreadable(self) -> npt.NDArray[np.bool_]:
        """Which of them both views are sure to show no value of, shape (n,)."""
        both = np.minimum(self.upright["probability"][:, 0], self.face["probability"][:, 0])
        return np.asarray(both > SURELY_NONE)

    def only(self, rows: Sequence[int]) -> DieViews:
        """Some of the dice."""
        rows = list(rows)
        return DieViews(
            [self.candidates[k] for k in rows],
            {name: values[rows] for name, values in self.upright.items()},
            [self.face_affines[k] for k in rows],
            {name: values[rows] for name, values in self.face.items()},
        )

    def take(self, row: int, other: DieViews, its_row: int) -> None:
        """Put another look at one die in the place of this one's."""
        self.candidates[row] = other.candidates[its_row]
        self.face_affines[row] = other.face_affines[its_row]
        for mine, its in ((self.upright, other.upright), (self.face, other.face)):
            for name in mine:
                mine[name][row] = its[name][its_row]


def looked_at(pyramid: Pyramid, value: Model, candidates: Sequence[Candidate]) -> DieViews:
    """Cut both views by the candidates' top faces, and let the value net read them."""
    upright, face = _upright_affines(candidates), _face_affines(candidates)
    said = _said(pyramid, value, upright + face)
    count = len(upright)
    return DieViews(
        list(candidates),
        {name: values[:count] for name, values in said.items()},
        face,
        {name: values[count:] for name, values in said.items()},
    )


def refined(pyramid: Pyramid, value: Model, candidates: Sequence[Candidate]) -> DieViews:
    """Let the upright view say where the top face is, with four times the detector's resolution, and cut by that."""
    affines = _upright_affines(candidates)
    upright = _said(pyramid, value, affines)
    better = _moved(candidates, affines, upright["top"])
    faces = _face_affines(better)
    return DieViews(better, upright, faces, _said(pyramid, value, faces))


def with_other_guesses(
    pyramid: Pyramid,
    value: Model,
    views: DieViews,
    detected: Sequence[Candidate],
    *,
    shown: Sequence[int] | None = None,
) -> DieViews:
    """Try other guesses at the top faces of the dice that are not read surely; the best read ones stay.

    Args:
        pyramid: of the picture.
        value: the value net.
        views: what was made of the dice so far; changed in place.
        detected: the dice with their top faces as the detector saw them.
        shown: the values that they are known to show (of labelled photographs); then what shows these best stays.
    """
    # A net that was trained on these very dice reads them surely however they are cut: then all guesses count.
    enough = SURE_VOTE if shown is None else np.inf
    vote = views.votes(shown)
    # Seen from a low camera the box's middle is the front face: where another guess shows another value than the first
    # one hinted at, it may have slipped there.
    first = views.values()
    hopeless = views.unreadable() | np.array([c.score < LEAST_SCORE_TO_TRY for c in views.candidates])
    rows = np.nonzero((vote < enough) & ~(hopeless & (shown is None)))[0].tolist()
    above = _are_seen_from_above(views.candidates, vote) | (shown is not None)
    for guess in (_by_boxes, _by_own_view, _by_detector):
        tried = [k for k in rows if above[k] or guess is not _by_boxes]
        if not tried:
            continue
        for seen in guess(pyramid, value, views.only(tried), [detected[k] for k in tried]):
            of = tried * (len(seen.candidates) // len(tried))
            said = seen.values()
            for n, its in enumerate(seen.votes(None if shown is None else [shown[k] for k in of])):
                if its > vote[of[n]] and (shown is not None or said[n] == first[of[n]]):
                    vote[of[n]] = its
                    views.take(of[n], seen, n)
        rows = [k for k in rows if vote[k] < enough]
    return views


def _are_seen_from_above(candidates: Sequence[Candidate], vote: Floats) -> npt.NDArray[np.bool_]:
    """Which dice the camera may see from straight above, by those that are read surely, else each by itself.

    One camera sees all of them about as steeply; seen from a low one, top faces lie in the upper part of their boxes.
    """
    boxes = np.array([c.box_px for c in candidates], float)
    tops = np.array([np.mean(c.top_px, axis=0) for c in candidates])
    raised = np.abs((boxes[:, :2] + boxes[:, 2:]) / 2 - tops).max(1) / (boxes[:, 2:] - boxes[:, :2]).max(1)
    sure = vote >= SURE_VOTE
    return np.full(len(raised), np.median(raised[sure]) < MOST_RAISED) if sure.any() else raised < MOST_RAISED


def _by_boxes(pyramid: Pyramid, value: Model, views: DieViews, _detected: Sequence[Candidate]) -> list[DieViews]:
    """Both views cut anew, as if from straight above, and half-way between."""
    boxed = [_seen_from_above(candidate) for candidate in views.candidates]
    between = [_between(a, b) for a, b in zip(views.candidates, boxed, strict=True)]
    return [looked_at(pyramid, value, [*views.candidates, *boxed, *between])]


def _by_own_view(pyramid: Pyramid, value: Model, views: DieViews, _detected: Sequence[Candidate]) -> list[DieViews]:
    """By where the flattened view sees the top face."""
    return [looked_at(pyramid, value, _moved(views.candidates, views.face_affines, views.face["top"]))]


def _by_detector(pyramid: Pyramid, value: Model, _views: DieViews, detected: Sequence[Candidate]) -> list[DieViews]:
    """By where the detector saw the top face, and by where the view flattened by that sees it."""
    first = looked_at(pyramid, value, detected)
    return [first, looked_at(pyramid, value, _moved(detected, first.face_affines, first.face["top"]))]


def _said(pyramid: Pyramid, value: Model, affines: Sequence[Floats]) -> Said:
    answer = value.run({"crops": np.stack([pyramid.crop(affine) for affine in affines])})
    return {name: np.array(values, np.float32) for name, values in answer.items()}


def _upright_affines(candidates: Sequence[Candidate]) -> list[Floats]:
    return [upright_affine(np.array(c.box_px), np.array(c.top_px).mean(0)) for c in candidates]


def _face_affines(candidates: Sequence[Candidate]) -> list[Floats]:
    return [face_affine(np.array(c.top_px)) for c in candidates]


def _moved(
    candidates: Sequence[Candidate], affines: Sequence[Floats], codes: npt.NDArray[np.float32]
) -> list[Candidate]:
    """Candidates with the top faces that the value net saw; a face that lies outside of its die is not believed."""
    middle = np.full((len(codes), 2), (CROP_PX - 1) / 2)
    in_crop = corners_of(np.asarray(codes, np.float64), middle, np.full(len(codes), float(CROP_PX)))
    out = []
    for candidate, affine, corners in zip(candidates, affines, in_crop, strict=True):
        top = (corners - affine[:, 2]) @ np.linalg.inv(affine[:, :2]).T
        x0, y0, x1, y1 = candidate.box_px
        x, y = top.mean(0)
        edge = np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).max()
        sound = x0 < x < x1 and y0 < y < y1 and 0.3 < edge / max(x1 - x0, y1 - y0) < 1.3
        out.append(_with_top(candidate, top) if sound else candidate)
    return out


def _seen_from_above(candidate: Candidate) -> Candidate:
    """The die as if seen from straight above: its top face fills its box, turned as the guess so far is."""
    x0, y0, x1, y1 = candidate.box_px
    top = np.array(candidate.top_px)
    first, second = top[1] - top[0] + top[2] - top[3], top[3] - top[0] + top[2] - top[1]
    # A square looks the same after a quarter turn, so the angles of its two edges agree four times over.
    four = np.exp(4j * np.arctan2(first[1], first[0])) + np.exp(4j * np.arctan2(second[1], second[0]))
    turn = float(np.angle(four)) / 4
    cosine, sine = np.cos(turn), np.sin(turn)
    wide = 1 + CORNERS_LEFT * (abs(cosine) + abs(sine) - 1)
    half = FACE_OF_BOX * (x1 - x0 + y1 - y0) / 4 / wide
    unit = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    return _with_top(candidate, middle + unit @ np.array([[cosine, sine], [-sine, cosine]]))


def _between(candidate: Candidate, other: Candidate) -> Candidate:
    """The top face half-way between two guesses; which corner comes first is arbitrary, so the nearest order counts."""
    top, its = np.array(candidate.top_px), np.array(other.top_px)
    own = top - top.mean(0)
    orders = [np.roll(way, k, axis=0) for way in (its, its[::-1]) for k in range(4)]
    nearest = min(orders, key=lambda order: float(np.abs(order - order.mean(0) - own).sum()))
    return _with_top(candidate, (top + nearest) / 2)


def _with_top(candidate: Candidate, top: Floats) -> Candidate:
    return replace(candidate, top_px=tuple((float(x), float(y)) for x, y in top))
