"""Why a die shows a question mark, for players: the reader's own short reasons, found again and said anew."""

from __future__ import annotations

from typing import Final

from rules.ruling import Catalogue

SAID: Final = {
    "die_why_half": "it looks like {value}, but may be half of a {double}",
    "die_why_leans": "it is cocked: its top face leans by about {degrees} degrees",
    "die_why_no_pips": "no pips were made out",
    "die_why_count": "it looks like {value}, but {pips} pips are counted",
    "die_why_no_die": "it looks like {value}, but not surely like a die",
    "die_why_hardly": "it is hardly a die",
    "die_why_no_top": "its top face cannot be made out",
    "die_why_uncounted": "it looks like {value}, but its pips could not be counted",
    "die_why_unsure": "it looks like {value}, but not surely",
    "die_why_two": "it may be {value} or {other}",
    "die_why_being_read": "it is being read",
    "die_why_disagree": "its readings do not agree",
}
"""The reasons as `vision` gives them, by which they are found."""

WORDS: Final = SAID | {
    "die_why_leans": "it is cocked: its top face leans by about {degrees} {degrees:degree|degrees}",
    "die_why_count": "it looks like {value}, but {pips} {pips:pip is|pips are} counted",
    "die_why_being_read": "it is still being read; wait a moment",
}

CATALOGUE: Final = Catalogue(WORDS)
