"""Table tops to lay dice on, drawn by procedure: desks, wood, felt, carpet, cloth, print, maps, keyboards.

A texture is 512x512 RGB at `MM_PER_PX` millimetres a pixel before the scene scales it.
"""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
import numpy.typing as npt

Rng = np.random.Generator
Picture = npt.NDArray[np.uint8]

SIZE = 512
"""Edge of a texture in pixels."""
MM_PER_PX = 0.4
"""Nominal size of a texture pixel; scenes scale it by about 0.5 to 2."""

_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_PLAIN)


def _noise(rng: Rng, cells: tuple[int, int], *, octaves: int = 4) -> npt.NDArray[np.float32]:
    """Smooth noise from 0 to 1, shape (SIZE, SIZE); `cells` is (across, down) of the coarsest octave."""
    out = np.zeros((SIZE, SIZE), np.float32)
    total = 0.0
    for k in range(octaves):
        across, down = min(SIZE, cells[0] << k), min(SIZE, cells[1] << k)
        grid = rng.random((down, across), np.float32)
        out += 0.5**k * cv2.resize(grid, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
        total += 0.5**k
    return np.asarray(np.clip(out / total, 0, 1), np.float32)


def _rgb(rng: Rng, saturation: tuple[float, float], value: tuple[float, float]) -> npt.NDArray[np.float32]:
    hsv = (rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return np.array(colorsys.hsv_to_rgb(*hsv), np.float32) * 255


def _blend(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32], t: npt.NDArray[np.float32]) -> Picture:
    return np.clip(a + (b - a) * t[..., None], 0, 255).astype(np.uint8)


def plain(rng: Rng) -> Picture:
    """A painted desk, paper or plastic with little texture."""
    base = _rgb(rng, (0, 0.15), (0.6, 0.98)) if rng.random() < 0.6 else _rgb(rng, (0, 0.9), (0.05, 0.95))
    grain = rng.normal(0, rng.uniform(0, 5), (SIZE, SIZE, 1)).astype(np.float32)
    slow = (_noise(rng, (3, 3)) - 0.5)[..., None] * rng.uniform(0, 30)
    return np.clip(base + grain + slow, 0, 255).astype(np.uint8)


def wood(rng: Rng) -> Picture:
    """Wood, with or without planks."""
    base = np.array([150, 95, 55], np.float32) * rng.uniform(0.3, 1.6) + rng.uniform(-25, 25, 3).astype(np.float32)
    dark = base * np.float32(rng.uniform(0.45, 0.85))
    warp = _noise(rng, (2, 5), octaves=3)
    rings = 0.5 + 0.5 * np.sin((np.arange(SIZE, dtype=np.float32)[:, None] * rng.uniform(0.02, 0.12) + 14 * warp) * 2)
    fibre = _noise(rng, (4, 128), octaves=2)
    out = _blend(base, dark, np.clip(0.5 * rings + 0.7 * (fibre - 0.25), 0, 1).astype(np.float32))
    if rng.random() < 0.4:
        step = int(rng.integers(60, 180))
        for y in range(int(rng.integers(0, step)), SIZE, step):
            cv2.line(out, (0, y), (SIZE, y), (base * 0.3).tolist(), int(rng.integers(1, 4)))
    return out


def felt(rng: Rng) -> Picture:
    """Felt, velvet or leather: one colour with fibres, scratches and wear."""
    base = _rgb(rng, (0.3, 1), (0.12, 0.75)) if rng.random() < 0.75 else _rgb(rng, (0, 0.3), (0.05, 0.25))
    t = _noise(rng, (90, 90), octaves=2) * 0.6 + _noise(rng, (5, 5)) * 0.4
    out = _blend(base * np.float32(rng.uniform(0.6, 0.9)), np.minimum(base * 1.25, 255), t)
    for _ in range(int(rng.integers(0, 120)) if rng.random() < 0.4 else 0):
        a = rng.integers(0, SIZE, 2)
        b = a + rng.normal(0, 18, 2)
        tint = np.clip(base + rng.uniform(10, 70), 0, 255).tolist()
        cv2.line(out, a.tolist(), b.astype(int).tolist(), tint, 1, cv2.LINE_AA)
    return out


def carpet(rng: Rng) -> Picture:
    """Carpet or a speckled mat of several colours."""
    cells = int(rng.integers(40, 160))
    t = _noise(rng, (cells, cells), octaves=2)
    t = np.clip((t - 0.5) * rng.uniform(1.5, 4) + 0.5, 0, 1).astype(np.float32)
    a, b = _rgb(rng, (0, 0.6), (0.1, 0.6)), _rgb(rng, (0, 0.6), (0.3, 0.9))
    if rng.random() < 0.5:
        b = np.clip(a + rng.uniform(20, 90), 0, 255).astype(np.float32)
    out = _blend(a, b, t)
    if rng.random() < 0.4:
        c = _rgb(rng, (0.3, 1), (0.2, 0.8))
        mask = (_noise(rng, (cells, cells), octaves=2) > 0.6).astype(np.float32)
        out = _blend(out.astype(np.float32), np.broadcast_to(c, out.shape).astype(np.float32), mask * 0.8)
    return out


def weave(rng: Rng) -> Picture:
    """Woven cloth, gingham or checks."""
    step = int(rng.integers(3, 9)) if rng.random() < 0.5 else int(rng.integers(14, 60))
    a, b = _rgb(rng, (0, 1), (0.05, 0.95)), _rgb(rng, (0, 0.6), (0.4, 1))
    y, x = np.mgrid[:SIZE, :SIZE] // step
    kind = int(rng.integers(0, 3))
    t = (
        ((x % 2) + (y % 2)) / 2
        if kind == 0
        else ((x + y) % 2)
        if kind == 1
        else ((x % 2) ^ (rng.random((SIZE, SIZE))[y, x] < 0.5))
    )
    t = cv2.GaussianBlur(t.astype(np.float32), (0, 0), 0.6) + 0.25 * (_noise(rng, (120, 120), octaves=1) - 0.5)
    return _blend(a, b, np.clip(t, 0, 1))


def stone(rng: Rng) -> Picture:
    """Granite, terrazzo, concrete or marble."""
    base = _rgb(rng, (0, 0.25), (0.3, 0.95))
    t = _noise(rng, (6, 6), octaves=6)
    out = _blend(base * 0.7, np.minimum(base * 1.2, 255), t)
    for _ in range(int(rng.integers(0, 500))):
        at = rng.integers(0, SIZE, 2).tolist()
        tint = (base * rng.uniform(0.2, 1.4)).clip(0, 255).tolist()
        cv2.circle(out, at, int(rng.integers(1, 6)), tint, -1, cv2.LINE_AA)
    return out


def printed(rng: Rng) -> Picture:
    """A page of text, a form, a table of numbers, handwriting on squared paper."""
    paper = _rgb(rng, (0, 0.15), (0.75, 1))
    out = np.broadcast_to(paper, (SIZE, SIZE, 3)).astype(np.uint8).copy()
    ink = _rgb(rng, (0, 1), (0, 0.45)).tolist()
    if rng.random() < 0.4:
        step = int(rng.integers(10, 24))
        for k in range(0, SIZE, step):
            cv2.line(out, (k, 0), (k, SIZE), (paper * 0.85).tolist(), 1)
            cv2.line(out, (0, k), (SIZE, k), (paper * 0.85).tolist(), 1)
    scale = rng.uniform(0.4, 2.6)
    letters = list("abcdefghijklmnopqrstuvwxyzABCDEOQ0123456789.,:;ooo8")
    y = 0
    while y < SIZE:
        y += int(26 * scale)
        words = [" " if rng.random() < 0.17 else str(rng.choice(letters)) for _ in range(int(60 / scale))]
        cv2.putText(
            out, "".join(words), (4, y), int(rng.choice(_FONTS)), scale, ink, max(1, int(scale * 1.7)), cv2.LINE_AA
        )
        if rng.random() < 0.1:
            y += int(30 * scale)
    return out


def dots(rng: Rng) -> Picture:
    """Printed dots: polka dots, perforated plates, bullet lists, drawn dice and dominoes."""
    paper, ink = _rgb(rng, (0, 0.8), (0.05, 1)), _rgb(rng, (0, 0.8), (0, 1)).tolist()
    out = np.broadcast_to(paper, (SIZE, SIZE, 3)).astype(np.uint8).copy()
    kind = int(rng.integers(0, 4))
    if kind == 0:
        step, radius = int(rng.integers(12, 60)), rng.uniform(0.12, 0.35)
        for row, y in enumerate(range(0, SIZE, step)):
            for x in range((row % 2) * step // 2, SIZE, step):
                cv2.circle(out, (x, y), max(1, int(step * radius)), ink, -1, cv2.LINE_AA)
    elif kind == 1:
        for _ in range(int(rng.integers(20, 300))):
            cv2.circle(out, rng.integers(0, SIZE, 2).tolist(), int(rng.integers(2, 12)), ink, -1, cv2.LINE_AA)
    else:
        cell = int(rng.integers(34, 90))
        offsets = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 4: [(-1, -1), (1, 1), (-1, 1), (1, -1)]}
        offsets[3] = offsets[1] + offsets[2]
        offsets[5] = offsets[1] + offsets[4]
        offsets[6] = offsets[4] + [(-1, 0), (1, 0)]
        for y in range(cell, SIZE - cell // 2, int(cell * rng.uniform(1.3, 2.2))):
            for x in range(cell, SIZE - cell // 2, int(cell * rng.uniform(1.3, 2.2))):
                h = cell // 2
                if rng.random() < 0.7:
                    cv2.rectangle(out, (x - h, y - h), (x + h, y + h), ink, max(1, cell // 20))
                for dx, dy in offsets[int(rng.integers(1, 7))]:
                    cv2.circle(
                        out, (x + int(dx * h * 0.5), y + int(dy * h * 0.5)), max(1, cell // 9), ink, -1, cv2.LINE_AA
                    )
    return out


def game_map(rng: Rng) -> Picture:
    """A game board: squares or hexes, patches of land, number discs, symbols."""
    land = carpet(rng) if rng.random() < 0.3 else stone(rng) if rng.random() < 0.5 else plain(rng)
    out = np.asarray(cv2.GaussianBlur(land, (0, 0), 1.2), np.uint8)
    step = int(rng.integers(40, 90))
    line = _rgb(rng, (0, 0.3), (0, 1)).tolist()
    hexes = rng.random() < 0.5
    for row, y in enumerate(range(0, SIZE + step, int(step * 0.866) if hexes else step)):
        for x in range((row % 2) * step // 2 if hexes else 0, SIZE + step, step):
            turn = np.arange(6) * np.pi / 3 + np.pi / 6
            corner = np.stack([x + step * 0.577 * np.cos(turn), y + step * 0.577 * np.sin(turn)], 1).astype(np.int32)
            if not hexes:
                corner = np.array([[x, y], [x + step, y], [x + step, y + step], [x, y + step]], np.int32)
            if rng.random() < 0.4:
                cv2.fillPoly(out, [corner], _rgb(rng, (0.2, 0.9), (0.2, 0.9)).tolist())
            cv2.polylines(out, [corner], True, line, int(rng.integers(1, 3)), cv2.LINE_AA)
            if rng.random() < 0.35:
                centre = (x, y) if hexes else (x + step // 2, y + step // 2)
                disc = _rgb(rng, (0, 0.3), (0.7, 1)).tolist()
                cv2.circle(out, centre, int(step * 0.2), disc, -1, cv2.LINE_AA)
                word = str(rng.integers(1, 13))
                cv2.putText(
                    out,
                    word,
                    (centre[0] - step // 8, centre[1] + step // 10),
                    _FONTS[0],
                    step / 110,
                    (30, 20, 20),
                    2,
                    cv2.LINE_AA,
                )
                for k in range(int(rng.integers(0, 5))):
                    cv2.circle(out, (centre[0] - 8 + 4 * k, centre[1] + step // 7), 1, (30, 20, 20), -1)
    return out


def keyboard(rng: Rng) -> Picture:
    """Keys with letters, or a remote control's buttons."""
    back, key = _rgb(rng, (0, 0.2), (0.02, 0.6)), _rgb(rng, (0, 0.2), (0.05, 1))
    out = np.broadcast_to(back, (SIZE, SIZE, 3)).astype(np.uint8).copy()
    ink = (255 - key).tolist()
    step = int(rng.integers(30, 60))
    for row, y in enumerate(range(2, SIZE, step)):
        for x in range(2 - (row % 3) * step // 3, SIZE, step):
            shade = (key * rng.uniform(0.92, 1.05)).clip(0, 255).tolist()
            cv2.rectangle(out, (x + 2, y + 2), (x + step - 4, y + step - 4), (key * 0.6).tolist(), -1)
            cv2.rectangle(out, (x + 5, y + 3), (x + step - 7, y + step - 9), shade, -1)
            word = str(rng.choice(list("QWERTYUIOPASDFGHJKLZXCVBNM1234567890.:;oO")))
            cv2.putText(out, word, (x + 9, y + step // 2 + 2), _FONTS[0], step / 90, ink, 1, cv2.LINE_AA)
    return out


def cards(rng: Rng) -> Picture:
    """Playing or game cards strewn over a cloth."""
    out = felt(rng) if rng.random() < 0.5 else plain(rng)
    for _ in range(int(rng.integers(2, 7))):
        wide, high = int(rng.integers(90, 160)), int(rng.integers(140, 220))
        card = np.broadcast_to(_rgb(rng, (0, 0.5), (0.5, 1)), (high, wide, 3)).astype(np.uint8).copy()
        ink = _rgb(rng, (0, 1), (0, 0.6)).tolist()
        for x, y in (
            (0.28, 0.2),
            (0.72, 0.2),
            (0.28, 0.5),
            (0.72, 0.5),
            (0.28, 0.8),
            (0.72, 0.8),
            (0.5, 0.35),
            (0.5, 0.65),
        ):
            if rng.random() < 0.6:
                cv2.circle(card, (int(x * wide), int(y * high)), int(rng.integers(6, 16)), ink, -1, cv2.LINE_AA)
        cv2.putText(card, str(rng.choice(list("A23456789JQK"))), (5, 26), _FONTS[2], 0.9, ink, 2, cv2.LINE_AA)
        cv2.rectangle(card, (0, 0), (wide - 1, high - 1), (90, 90, 90), 1)
        turn = cv2.getRotationMatrix2D((wide / 2, high / 2), float(rng.uniform(0, 360)), 1)
        turn[:, 2] = turn[:, 2] + rng.uniform(0, SIZE, 2) - np.array([wide / 2, high / 2])
        mask = cv2.warpAffine(np.full((high, wide), 255, np.uint8), turn, (SIZE, SIZE))
        moved = cv2.warpAffine(card, turn, (SIZE, SIZE))
        out = np.where(mask[..., None] > 127, moved, out)
    return out


def _strew(rng: Rng, out: Picture) -> Picture:
    """Lay cables, pens, crumbs, stains and scribbles over a texture."""
    for _ in range(int(rng.integers(0, 3))):
        points = np.cumsum(rng.normal(0, 60, (8, 2)), 0) + rng.uniform(0, SIZE, 2)
        t = np.linspace(0, 7, 60)
        curve = np.stack([np.interp(t, np.arange(8), points[:, k]) for k in (0, 1)], 1)
        curve = cv2.blur(curve.astype(np.float32), (1, 9)).astype(np.int32)
        thick = int(rng.integers(2, 14))
        tint = _rgb(rng, (0, 0.6), (0, 1))
        cv2.polylines(out, [curve + 2], False, (out.mean((0, 1)) * 0.4).tolist(), thick, cv2.LINE_AA)
        cv2.polylines(out, [curve], False, tint.tolist(), thick, cv2.LINE_AA)
        cv2.polylines(
            out, [curve - thick // 4], False, np.minimum(tint * 1.5 + 20, 255).tolist(), max(1, thick // 4), cv2.LINE_AA
        )
    for _ in range(int(rng.integers(0, 25)) if rng.random() < 0.3 else 0):
        at, tint = rng.integers(0, SIZE, 2).tolist(), _rgb(rng, (0, 0.5), (0, 1)).tolist()
        cv2.circle(out, at, int(rng.integers(1, 5)), tint, -1, cv2.LINE_AA)
    return out


KINDS = (
    (plain, 0.30),
    (wood, 0.16),
    (felt, 0.12),
    (carpet, 0.10),
    (weave, 0.07),
    (stone, 0.05),
    (printed, 0.06),
    (dots, 0.04),
    (game_map, 0.05),
    (keyboard, 0.02),
    (cards, 0.03),
)
"""Kinds of ground with their share of the tiles: about 60 % desk-like, as the trial measured best."""


def ground(rng: Rng) -> Picture:
    """Draw a random ground, shape (SIZE, SIZE, 3), RGB."""
    shares = np.array([share for _, share in KINDS])
    make = KINDS[int(rng.choice(len(KINDS), p=shares / shares.sum()))][0]
    return _strew(rng, make(rng)) if rng.random() < 0.35 else make(rng)
