"""Pictures on faces that are no pips: numerals, letters, logos, skulls, Fate signs, drawn by the project itself."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from models.training.dice.render import DECAL_PX

NUMERALS = range(20)
"""Atlas places of the numerals 1 to 20."""
SIGNS = range(20, 44)
"""Atlas places of letters and punctuation."""
LOGOS = range(44, 92)
"""Atlas places of logos, skulls and other pictures."""
FATE = range(92, 95)
"""Atlas places of plus, minus and a hollow square."""

_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def _text(word: str, font: int, weight: int) -> npt.NDArray[np.uint8]:
    big = np.zeros((256, 256), np.uint8)
    (wide, high), _ = cv2.getTextSize(word, font, 4.0, weight)
    scale = 4.0 * min(200 / max(wide, 1), 200 / max(high, 1))
    (wide, high), _ = cv2.getTextSize(word, font, scale, weight)
    cv2.putText(big, word, (128 - wide // 2, 128 + high // 2), font, scale, 255, weight, cv2.LINE_AA)
    return np.asarray(cv2.resize(big, (DECAL_PX, DECAL_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _skull(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    big = np.zeros((256, 256), np.uint8)
    wide = int(rng.integers(60, 85))
    cv2.ellipse(big, (128, 108), (wide, 78), 0, 0, 360, 255, -1)
    cv2.rectangle(big, (128 - wide // 2, 150), (128 + wide // 2, 220), 255, -1)
    eye = int(rng.integers(16, 26))
    for side in (-1, 1):
        cv2.circle(big, (128 + side * wide // 2, 115), eye, 0, -1)
    cv2.fillPoly(big, [np.array([[128, 135], [118, 160], [138, 160]])], 0)
    for x in range(128 - wide // 2 + 12, 128 + wide // 2, 20):
        cv2.line(big, (x, 185), (x, 220), 0, 6)
    return np.asarray(cv2.resize(big, (DECAL_PX, DECAL_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _logo(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    big = np.zeros((256, 256), np.uint8)
    kind = int(rng.integers(0, 7))
    if kind == 0:
        points = int(rng.integers(3, 9))
        inner = rng.uniform(0.3, 0.7)
        at = np.arange(2 * points) * np.pi / points
        reach = np.where(np.arange(2 * points) % 2, 100 * inner, 100)
        cv2.fillPoly(big, [np.stack([128 + reach * np.sin(at), 128 - reach * np.cos(at)], 1).astype(np.int32)], 255)
    elif kind == 1:
        at = np.sort(rng.uniform(0, 2 * np.pi, 14))
        reach = rng.uniform(30, 105, 14)
        cv2.fillPoly(big, [np.stack([128 + reach * np.sin(at), 128 - reach * np.cos(at)], 1).astype(np.int32)], 255)
    elif kind == 2:
        for _ in range(int(rng.integers(2, 6))):
            a, b = rng.integers(30, 226, (2, 2)).tolist()
            cv2.line(big, a, b, 255, int(rng.integers(8, 26)))
    elif kind == 3:
        cv2.circle(big, (128, 128), int(rng.integers(70, 105)), 255, int(rng.integers(8, 26)))
        start = float(rng.uniform(0, 360))
        cv2.ellipse(big, (128, 128), (60, 60), 0, start, start + float(rng.uniform(90, 300)), 255, -1)
    elif kind == 4:
        word = "".join(rng.choice(list("ABCDEFGHKLMNRSTUVWXYZ"), int(rng.integers(2, 5))))
        return _text(word, int(rng.choice(_FONTS)), int(rng.integers(5, 16)))
    elif kind == 5:
        for k in range(int(rng.integers(2, 5))):
            cv2.ellipse(
                big, (128, 128), (100 - 22 * k, int(rng.integers(15, 90))), float(rng.uniform(0, 180)), 0, 360, 255, 9
            )
    else:
        half = rng.integers(0, 2, (5, 3)).astype(np.uint8) * 255
        whole = np.concatenate([half, half[:, ::-1][:, 1:]], 1)
        big[28:228, 28:228] = cv2.resize(whole, (200, 200), interpolation=cv2.INTER_NEAREST)
    if rng.random() < 0.3:
        cv2.circle(big, (128, 128), 115, 255, 8)
    return np.asarray(cv2.resize(big, (DECAL_PX, DECAL_PX), interpolation=cv2.INTER_AREA), np.uint8)


@cache
def atlas() -> npt.NDArray[np.uint8]:
    """Draw all decals once: shape (95, 64, 64), coverage 0 to 255."""
    rng = np.random.default_rng(7)
    out = [_text(str(k + 1) + ("." if k + 1 in (6, 9) else ""), _FONTS[k % 4], 10) for k in NUMERALS]
    out += [_text(word, _FONTS[k % 4], 11) for k, word in enumerate("ABCDEFGHKQRSTWXYZ?!&%+=@")]
    out += [_skull(rng) for _ in range(10)] + [_logo(rng) for _ in range(len(LOGOS) - 10)]
    out += [_text("+", _FONTS[0], 16), _text("-", _FONTS[0], 16)]
    square = np.zeros((DECAL_PX, DECAL_PX), np.uint8)
    square[14:50, 14:50] = 255
    square[20:44, 20:44] = 0
    return np.stack([*out, square])
