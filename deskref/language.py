"""The languages of the page: one catalogue over all that the rules and the application say, and its translations.

English stands beside the code that says it, in the `WORDS` of each module. Other languages are TOML files in a folder
of `deskref/languages`, id to sentence, which anybody can edit; whatever a file lacks is said in English. A table speaks
one language at a time, as it has one log and one voice; all windows follow.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from calibration import words as table_words
from deskref import (
    board_words,
    deed_words,
    doctor_words,
    page_words,
    reading_words,
    report_words,
    setup_words,
    skirmish_words,
    sound_words,
    tray_words,
    words,
    world_saga_words,
)
from deskref.typed_command import as_typed
from devices import camera_words
from rules import dice, grid, hexes, ruling, sight, skuffle_words, solo
from rules.ruling import Catalogue, IllegalActionError, Message, Param, Reason, Told
from rules.skirmish import words as skirmish_rules_words
from rules.world_saga import words as combat_rules_words

SOURCES: Final = (
    ruling.WORDS,
    dice.WORDS,
    grid.WORDS,
    hexes.WORDS,
    sight.WORDS,
    solo.WORDS,
    skuffle_words.WORDS,
    skirmish_rules_words.WORDS,
    combat_rules_words.WORDS,
    words.WORDS,
    page_words.WORDS,
    reading_words.WORDS,
    report_words.WORDS,
    board_words.WORDS,
    deed_words.WORDS,
    doctor_words.WORDS,
    setup_words.WORDS,
    skirmish_words.WORDS,
    sound_words.WORDS,
    world_saga_words.WORDS,
    camera_words.WORDS,
    table_words.WORDS,
    tray_words.WORDS,
)

ENGLISH: Final[Mapping[str, str]] = dict(chain.from_iterable(source.items() for source in SOURCES))
"""Every sentence by its id; ids are one flat namespace."""

FOLDER: Final = Path(__file__).with_name("languages")

NAMES: Final = {"en": "English", "de": "Deutsch", "es": "Español"}
"""The languages by code, each in its own words."""

TERM, SKILL, NAMED = "term_", "skill_", "named_"
"""What the ids of single words begin with: terms of the rules, skills and traits, moves and tests with a name of their
own. The rest of the id is the English word, in small letters and underscores."""

TERM_GAPS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("kind", "degree", "state", "result", "reserve", "overflow", "level", "obstacles", "role"), TERM),
    **dict.fromkeys(("skill", "trait"), SKILL),
    "name": NAMED,
}
"""Gaps that hold such a word, with what its id begins with; what is no such word is said as it came."""


NUMBER_GAPS: Final = frozenset(
    (
        "cost",
        "count",
        "distance_mm",
        "free",
        "height",
        "least",
        "left",
        "megabytes",
        "most",
        "percent",
        "rate",
        "seconds",
        "share",
    )
    + ("squares", "width")
)
"""Gaps in which a text may be a number with decimals; in others it may be a version or an address."""

DECIMAL: Final = re.compile(r"[+-]?\d+\.\d+")

COMMA: Final = frozenset({"de", "es"})
"""Languages that write a comma before decimals."""


@dataclass(frozen=True, slots=True)
class Language:
    """Says things in one language."""

    code: str
    """As browsers write it: `en`, `de`, `es`."""
    words: Mapping[str, str]
    """Sentences by id; ids that are missing are said in English."""

    def say(self, code: str, **params: Param) -> str:
        """Return a sentence, with commands as they are typed here; `ValueError`: an unknown id, or a gap left open."""
        return as_typed(self._filled(code, params))

    def shown(self, said: Message | Reason | IllegalActionError) -> str:
        """Return what was said, in this language; in English where its id is unknown, as of a journal of old."""
        if self.code == "en" or said.code not in self.words:
            return said.text
        return self._filled(said.code, dict(said.params))

    def _filled(self, code: str, params: Mapping[str, Param]) -> str:
        here = self.words if code in self.words else ENGLISH
        if self.code == "en":
            return Catalogue(here).text(code, {gap: self._english(gap, value) for gap, value in params.items()})
        return Catalogue(here).text(code, {gap: self._param(gap, value) for gap, value in params.items()})

    def _english(self, gap: str, value: Param) -> Param:
        return self.of_reading(value) if gap == "why" and isinstance(value, str) else value

    def _param(self, gap: str, value: Param) -> Param:
        if isinstance(value, Told):
            return self.shown(value.message) if value.code in self.words else value
        if gap == "card" and isinstance(value, str):
            return self._card(value)
        if gap == "why" and isinstance(value, str):
            return self.of_reading(self.of_table(value))
        if gap in TERM_GAPS and isinstance(value, str):
            return self.word(value, TERM_GAPS[gap])
        is_number = isinstance(value, str) and gap in NUMBER_GAPS and DECIMAL.fullmatch(value)
        if self.code in COMMA and (is_number or isinstance(value, float)):
            return str(value).replace(".", ",")
        return value

    def of_table(self, english: str) -> str:
        """Say in this language what the eyes said of the table; they, and journals, keep it in English.

        What is none of `calibration.words`' sentences is given back as it came.
        """
        if self.code == "en":
            return english
        for code, pattern in _table_sentences():
            found = pattern.fullmatch(english)
            if found is not None:
                return self._filled(code, found.groupdict())
        return english

    def of_reading(self, english: str) -> str:
        """Say in this language why the eyes could not read a die; anything else is given back as it came."""
        for code, pattern in _reading_sentences():
            found = pattern.fullmatch(english)
            if found is not None:
                return self._filled(code, found.groupdict())
        return english

    def word(self, english: str, family: str) -> str:
        """Say a single word of a family, `SKILL` or another; what is none of it is given back as it came."""
        return self.words.get(_word_code(english, family), english)

    def skill_meant(self, text: str) -> str:
        """Give the rules' own name of a skill that players write in this language; any other text as it came."""
        word = text.strip().lower()
        code = next((c for c, said in self.words.items() if c.startswith(SKILL) and said.lower() == word), None)
        return text if code is None else ENGLISH[code]

    def _card(self, name: str) -> str:
        """Say a playing card: `9 of Clubs`, `black Joker`."""
        rank, _, suit = name.partition(" of ")
        if not suit:
            return self.words.get(TERM + name.lower().replace(" ", "_"), name)
        terms = (self.words.get(TERM + term.lower(), term) for term in (rank, suit))
        return self._filled("card_of", dict(zip(("rank", "suit"), terms, strict=True)))


def _word_code(english: str, family: str) -> str:
    return family + english.strip().lower().replace(" ", "_")


@cache
def _table_sentences() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The sentences about the table by id, each as a pattern that finds what fills its gaps."""
    about = {code: text for code, text in table_words.WORDS.items() if code.startswith(("table_", "clicked_"))}
    return tuple((code, _pattern(text)) for code, text in about.items())


@cache
def _reading_sentences() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The reasons why a die was not read, likewise."""
    return tuple((code, _pattern(text)) for code, text in reading_words.SAID.items())


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("".join(_part(*piece) for piece in string.Formatter().parse(text)))


def _part(text: str, gap: str | None, *_: str | None) -> str:
    return re.escape(text) + (f"(?P<{gap}>.+)" if gap else "")


@cache
def language(code: str) -> Language:
    """Return a language; `ValueError` for a code that is none of `NAMES`."""
    if code not in NAMES:
        raise ValueError(f"the languages are {', '.join(NAMES)}, not {code!r}")
    if code == "en":
        return Language(code, ENGLISH)
    words: dict[str, str] = {}
    for path in sorted((FOLDER / code).glob("*.toml")):
        for part in tomllib.loads(path.read_text(encoding="utf-8")).values():
            words |= part
    return Language(code, words)


class _Spoken:
    """Which language the table speaks; replaced as a whole, read by every thread."""

    now: Language = Language("en", ENGLISH)


def use(code: str) -> None:
    """Let the table speak another language from now on; `ValueError` for one that is not there."""
    _Spoken.now = language(code)


def now() -> Language:
    """Return the language that the table speaks."""
    return _Spoken.now


def say(code: str, **params: Param) -> str:
    """Return a sentence of the catalogue in the table's language."""
    return _Spoken.now.say(code, **params)


def shown(said: Message | Reason | IllegalActionError) -> str:
    """Return what the referee or the rules said, in the table's language."""
    return _Spoken.now.shown(said)


def skill(english: str) -> str:
    """Say a skill or trait in the table's language."""
    return _Spoken.now.word(english, SKILL)


def skill_meant(text: str) -> str:
    """Give the rules' own name of a skill that players write in the table's language."""
    return _Spoken.now.skill_meant(text)


def named(english: str) -> str:
    """Say a move or test with a name of its own in the table's language."""
    return _Spoken.now.word(english, NAMED)


def percent(share: float) -> int:
    """Return a chance or share in whole percent, as it is shown: 0 and 100 only where it is exactly that."""
    return 0 if share <= 0 else 100 if share >= 1 else min(99, max(1, round(100 * share)))


def percents(shares: Sequence[float]) -> tuple[int, ...]:
    """Return shares of one whole in percent so that they add to 100, by their remainders; 0 only for what cannot be."""
    whole = [max(1, int(100 * share)) if share > 0 else 0 for share in shares]
    short = 100 - sum(whole)
    by_remainder = sorted(range(len(whole)), key=lambda n: whole[n] - 100 * shares[n])
    for n in by_remainder[: max(0, short)]:
        whole[n] += 1
    for _ in range(-short):
        whole[whole.index(max(whole))] -= 1
    return tuple(whole)


def decimal(value: float, digits: int, *, is_signed: bool = False) -> str:
    """Write a number with so many decimals as the table's language does.

    Args:
        value: the number.
        digits: after the point or comma.
        is_signed: whether a plus is written, too.
    """
    return _with_comma(f"{value:+.{digits}f}" if is_signed else f"{value:.{digits}f}")


def shortest(value: float, digits: int = 1) -> str:
    """Write a number as the table's language does, rounded, with no more decimals than it needs: `2`, `2.5`."""
    return _with_comma(f"{round(value, digits):.12g}")


def _with_comma(number: str) -> str:
    return number.replace(".", ",") if _Spoken.now.code in COMMA else number
