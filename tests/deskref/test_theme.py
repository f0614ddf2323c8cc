"""The colours of the page are readable, in the light and in the dark: WCAG 2 AA."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import deskref.page

THEME = (Path(deskref.page.__file__).parent / "theme.css").read_text(encoding="utf-8")
TEXT, LARGE = 4.5, 3.0
"""Least contrast of text, and of large text and signs."""


def colours(selector: str) -> dict[str, str]:
    """The colours that a block of the theme names."""
    block = THEME[THEME.index(selector) :]
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{3,6});", block[: block.index("}")]))


LIGHT = colours(":root {")
DARK = {**LIGHT, **colours("body.body--dark {")}


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(2 * d for d in digits) if len(digits) == 3 else digits
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_reckoned_as_wcag_does() -> None:
    assert contrast("#000", "#fff") == pytest.approx(21.0)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground", "least"),
    [
        ("ink", "ground", TEXT),
        ("ink", "panel", TEXT),
        ("ink", "ask-ground", TEXT),
        ("soft", "ground", TEXT),
        ("soft", "panel", TEXT),
        ("soft", "ask-ground", TEXT),
        ("ask", "ask-ground", TEXT),
        ("accent", "panel", TEXT),
        ("on-accent", "accent", TEXT),
        ("good", "panel", TEXT),
        ("fair", "panel", TEXT),
        ("bad", "panel", TEXT),
        *((f"side{n}", "panel", LARGE) for n in range(4)),
    ],
)
def test_text_stands_out_from_its_ground(theme: dict[str, str], text: str, ground: str, least: float) -> None:
    assert contrast(theme[text], theme[ground]) >= least
