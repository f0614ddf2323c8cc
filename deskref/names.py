"""Names that players type or paste: what of them is shown, and which of them look the same."""

from __future__ import annotations

import unicodedata
from typing import Final

BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that are drawn as nothing."""
JOINERS: Final = "\u200c\u200d"
"""Signs without a shape that some scripts and emoji need between two others; anywhere else they are dropped."""


def printed(name: str) -> str:
    """Return a name as it is shown: one line, single spaces, composed letters, nothing that has no shape.

    Line ends, tabs and other control characters become spaces; marks that turn the writing direction, zero-width
    spaces and broken surrogates are dropped, for they would let one name look like another or upset the page.
    """
    composed = unicodedata.normalize("NFC", name)
    words = (word.strip(JOINERS) for word in "".join(map(_shown, composed)).split())
    shown = " ".join(word for word in words if word)
    return shown if any(_has_shape(sign) for sign in shown) else ""


def checked(name: str) -> str:
    """Return a name of a file as it is shown; of a file, what cannot be shown is refused and not dropped in silence.

    Raises:
        ValueError: it has control characters or marks of the writing direction, or nothing that has a shape.
    """
    shown = printed(name)
    if (name and not shown) or not all(sign.isprintable() or sign in JOINERS for sign in name):
        raise ValueError(f"{name!r} cannot be shown as a name; give it letters")
    return shown


def likeness(name: str) -> str:
    """Return what two names share that nobody could tell apart on the page: small letters, without joiners."""
    plain = unicodedata.normalize("NFKC", printed(name)).casefold()
    return printed("".join(sign for sign in plain if sign not in JOINERS))


def first_alike(names: list[str]) -> str | None:
    """Return the first of the names that another one looks like; None where all differ."""
    alike = [likeness(name) for name in names]
    return next((name for name, own in zip(names, alike, strict=True) if alike.count(own) > 1), None)


def _shown(sign: str) -> str:
    if sign.isprintable() or sign in JOINERS:
        return sign
    return "" if unicodedata.category(sign) in ("Cf", "Cs", "Co", "Cn") else " "


def _has_shape(sign: str) -> bool:
    """Whether something is drawn for it by itself; marks over letters need one."""
    return not sign.isspace() and sign not in JOINERS + BLANK and not unicodedata.category(sign).startswith("M")
