"""Fit how far to believe the witnesses of a die, on predictions for left-out collections only."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.training.dice.evaluate import Row
from vision.dice_agreement import Views, Weights, agree, features
from vision.pip_count import PipCount

logger = logging.getLogger(__name__)

Floats = npt.NDArray[np.float64]


def read_rows(paths: Sequence[Path]) -> list[Row]:
    """Read what `evaluate` wrote, all files together."""
    return [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def temperature(rows: Sequence[Row]) -> float:
    """The temperature that makes the probabilities of both views of labelled dice likeliest; a line search."""
    seen = [row for row in rows if row["label"] and "score" in row]
    logits = np.log(np.array([row[view] for row in seen for view in ("upright", "face")]) + 1e-9)
    label = np.array([row["label"] for row in seen for _ in range(2)])
    best, chosen = np.inf, 1.0
    for t in np.exp(np.linspace(np.log(0.5), np.log(4), 60)):
        scaled = logits / t
        scaled -= np.log(np.exp(scaled - scaled.max(1, keepdims=True)).sum(1, keepdims=True)) + scaled.max(
            1, keepdims=True
        )
        miss = -float(scaled[np.arange(len(label)), label].mean())
        if miss < best:
            best, chosen = miss, float(t)
    return chosen


def logistic(features: Floats, right: Floats, *, ridge: float = 0.3) -> Floats:
    """Weights of a logistic regression, the last one constant, by Newton's method.

    Args:
        features: shape (n, k).
        right: shape (n,), 1 where the answer was right.
        ridge: keeps weights small where few examples speak.
    """
    x = np.concatenate([features, np.ones((len(features), 1))], 1)
    w = np.zeros(x.shape[1])
    keep = np.full(x.shape[1], ridge)
    keep[-1] = 1e-3
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - right) + keep * w
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.diag(keep)
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-7:
            break
    return w


def threshold(belief: Floats, right: Floats, dice: int, *, wrong_per_thousand: float) -> float:
    """The lowest belief from which at most so many answers a 1,000 dice are wrong."""
    order = np.argsort(-belief)
    wrong = np.cumsum(1 - right[order])
    allowed = np.nonzero(wrong <= wrong_per_thousand * dice / 1000)[0]
    return float(belief[order[allowed[-1]]]) if len(allowed) else 1.0


def witnesses(row: Row) -> tuple[Views, PipCount, float]:
    """Both views, the count and the detector's score of a find, as `vision.dice_agreement` takes them."""
    count = PipCount(row["count"] or None, row["count_confidence"], (), fits=tuple(row["fits"]))
    return (row["upright"], row["face"]), count, row["score"]


def weights(rows: Sequence[Row]) -> Weights:
    """Fit the weights of the witnesses to the labels (0 = no die) of finds on left-out collections."""
    finds = [row for row in rows if "score" in row]
    x = np.array([features(*witnesses(row)) for row in finds])
    return fitted(x, np.array([row["label"] for row in finds]))


def fitted(x: Floats, label: npt.NDArray[np.int_], *, counts: Floats | None = None, ridge: float = 0.5) -> Weights:
    """Fit the weights of the witnesses by Newton's method on the likelihood of labels.

    Args:
        x: `features` of n finds, shape (n, 7, 10).
        label: shape (n,), 0 for no die.
        counts: shape (n,), how much each find counts; None is once.
        ridge: keeps weights small where few examples speak.
    """
    counts = np.ones(len(x)) if counts is None else counts
    w = np.zeros(x.shape[2])
    for _ in range(60):
        logit = x @ w
        p = np.exp(logit - logit.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        mean = np.einsum("nk,nkf->nf", p, x)
        gradient = counts @ (mean - x[np.arange(len(x)), label]) + ridge * w
        hessian = np.einsum("n,nk,nkf,nkg->fg", counts, p, x, x) - (mean.T * counts) @ mean + ridge * np.eye(len(w))
        step = np.linalg.solve(hessian, gradient)
        w -= step * min(1.0, 2.0 / max(1e-9, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-7:
            break
    return Weights(*(round(float(v), 3) for v in w))


def reader_rates(rows: Sequence[Row]) -> dict[str, float]:
    """Found, read, right and wrong of the whole reader as it is set now, counted as `score_dice` counts them."""
    dice = [row for row in rows if row["label"]]
    values = [(row["label"], _value(row)) for row in rows]
    given = [(label, value) for label, value in values if value]
    read = sum(label > 0 for label, _ in given)
    right = sum(label == value for label, value in given)
    return {
        "dice": len(dice),
        "found": 100 * sum("score" in row for row in dice) / max(1, len(dice)),
        "read": 100 * read / max(1, len(dice)),
        "right": 100 * right / max(1, read),
        "wrong": 1000 * (len(given) - right) / max(1, len(dice)),
    }


def _value(row: Row) -> int | None:
    if "score" not in row:
        return None
    views, count, score = witnesses(row)
    return agree(count, views, die=score).value
