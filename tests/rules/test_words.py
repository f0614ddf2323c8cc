"""The catalogues of sentences: one code, one sentence, and every sentence is said somewhere."""

from __future__ import annotations

import importlib
import pkgutil
import re
import string
from pathlib import Path

import pytest

import rules


def catalogues() -> dict[str, dict[str, str]]:
    """`WORDS` of every module of the rules that has one."""
    found = {}
    for module in pkgutil.walk_packages(rules.__path__, "rules."):
        words = getattr(importlib.import_module(module.name), "WORDS", None)
        if words is not None:
            found[module.name] = dict(words)
    return found


CATALOGUES = catalogues()
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(rules.__path__[0]).rglob("*.py")))


def test_one_code_has_one_sentence() -> None:
    """A translation is looked up by the code alone."""
    sentences: dict[str, str] = {}
    for name, words in CATALOGUES.items():
        for code, sentence in words.items():
            assert sentences.setdefault(code, sentence) == sentence, f"{name} gives {code!r} a second sentence"


@pytest.mark.parametrize("name", sorted(CATALOGUES))
def test_every_sentence_is_said(name: str) -> None:
    """Nobody translates what nobody hears: each code stands in the source besides its catalogue."""
    unsaid = [code for code in CATALOGUES[name] if len(re.findall(rf'"{code}"', SOURCE)) < 2]
    assert unsaid == []


@pytest.mark.parametrize("name", sorted(CATALOGUES))
def test_every_sentence_can_be_filled(name: str) -> None:
    """Codes are plain words and every gap has a name."""
    for code, sentence in CATALOGUES[name].items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", code), code
        gaps = [gap for _, gap, _, _ in string.Formatter().parse(sentence) if gap is not None]
        assert all(gap.isidentifier() for gap in gaps), sentence
