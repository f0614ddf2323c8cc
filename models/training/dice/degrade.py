"""What cameras do to a picture: colour, exposure, blur, noise, sharpening, compression, small size."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Rng = np.random.Generator
Picture = npt.NDArray[np.uint8]

_NOISE = np.random.default_rng(11).normal(0, 1, (700, 700, 3)).astype(np.float32)


def _turn_hues(rng: Rng, rgb: Picture) -> Picture:
    """Turn all colours about the grey axis: every pip's colour on every body's."""
    t = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(t), np.sin(t)
    same, next_one, last = (1 + 2 * c) / 3, (1 - c) / 3 - s / np.sqrt(3), (1 - c) / 3 + s / np.sqrt(3)
    matrix = np.array([[same, next_one, last], [last, same, next_one], [next_one, last, same]], np.float32)
    return np.asarray(cv2.transform(np.ascontiguousarray(rgb), matrix), np.uint8)


def recolour(rng: Rng, rgb: Picture) -> Picture:
    """Permute channels or turn hues, shift gains, gamma and contrast; sometimes grey."""
    out = rgb
    pick = rng.random()
    if pick < 0.25:
        out = out[..., rng.permutation(3)]
    elif pick < 0.45:
        out = _turn_hues(rng, out)
    if rng.random() < 0.08:
        out = np.repeat(cv2.cvtColor(np.ascontiguousarray(out), cv2.COLOR_RGB2GRAY)[..., None], 3, 2)
    gain = np.exp(rng.normal(0, 0.10, 3)) * np.exp(rng.normal(0, 0.12))
    gamma = np.exp(rng.normal(0, 0.22))
    lift = rng.uniform(-12, 18)
    levels = np.arange(256, dtype=np.float32) / 255
    table = np.clip(255 * (levels[:, None] ** gamma) * gain + lift, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(np.ascontiguousarray(out), table[None]), np.uint8)


def motion(rng: Rng, rgb: Picture, length_px: float) -> Picture:
    """Blur along a random direction."""
    n = max(3, int(2 * np.ceil(length_px / 2) + 1))
    kernel = np.zeros((n, n), np.float32)
    turn = rng.uniform(0, np.pi)
    reach = np.array([np.cos(turn), np.sin(turn)]) * length_px / 2
    middle = n // 2
    a, b = (middle - reach).round().astype(int).tolist(), (middle + reach).round().astype(int).tolist()
    cv2.line(kernel, a, b, 1.0, 1)
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.uint8)


def noisy(rng: Rng, rgb: Picture, sigma: float) -> Picture:
    """Add sensor noise of some grain, stronger in one channel order than the next."""
    high, wide = rgb.shape[:2]
    y, x = rng.integers(0, 700 - high + 1), rng.integers(0, 700 - wide + 1)
    grain = _NOISE[y : y + high, x : x + wide] * sigma
    if rng.random() < 0.4:
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.8) * 2, np.float32)
    if rng.random() < 0.5:
        grain = grain[..., :1]
    return np.clip(rgb + grain, 0, 255).astype(np.uint8)


def compress(rng: Rng, rgb: Picture, quality: tuple[int, int] = (25, 96)) -> Picture:
    """Encode and decode as JPEG."""
    level = int(rng.integers(*quality))
    _, data = cv2.imencode(".jpg", rgb, [cv2.IMWRITE_JPEG_QUALITY, level])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def sharpen(rng: Rng, rgb: Picture) -> Picture:
    """Unsharp mask as phones apply it."""
    soft = cv2.GaussianBlur(rgb, (0, 0), float(rng.uniform(0.8, 2)))
    strength = float(rng.uniform(0.3, 1.2))
    return np.asarray(cv2.addWeighted(rgb, 1 + strength, soft, -strength, 0), np.uint8)


def shrink(rng: Rng, rgb: Picture, factor: float) -> Picture:
    """Lose resolution by `factor` below 1 and come back to the old size, at times in blocks as careless programs do."""
    high, wide = rgb.shape[:2]
    small = cv2.resize(rgb, (max(4, int(wide * factor)), max(4, int(high * factor))), interpolation=cv2.INTER_AREA)
    way = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST)[int(rng.integers(3))]
    return np.asarray(cv2.resize(small, (wide, high), interpolation=way), np.uint8)


def tile(rng: Rng, rgb: Picture) -> Picture:
    """Degrade a detector tile; strong enough to cover webcams, never so that dice of 20 px are lost."""
    out = recolour(rng, rgb)
    pick = rng.random()
    if pick < 0.3:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.5))), np.uint8)
    elif pick < 0.38:
        out = motion(rng, out, float(rng.uniform(2, 6)))
    elif pick < 0.55:
        out = shrink(rng, out, float(rng.uniform(0.45, 0.9)))
    if rng.random() < 0.3:
        out = sharpen(rng, out)
    if rng.random() < 0.6:
        out = noisy(rng, out, float(np.exp(rng.uniform(0, np.log(14)))))
    if rng.random() < 0.6:
        out = compress(rng, out)
    return np.ascontiguousarray(out)
