"""Every sentence of the catalogue exists in every language, with the same gaps, and is said where it stands."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import deskref
import rules
from deskref import language
from deskref.language import ENGLISH, NAMES, SOURCES
from deskref.words import CATALOGUE
from rules.ruling import LISTS, Message, listed, told
from rules.skirmish.words import CATALOGUE as SKIRMISH
from rules.world_saga.words import CATALOGUE as COMBAT

OTHERS = tuple(code for code in NAMES if code != "en")


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    language.use("en")


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_catalogue_holds_every_table_of_words_and_no_id_twice() -> None:
    modules = [importlib.import_module(m.name) for m in pkgutil.walk_packages(rules.__path__, "rules.")]
    own = [
        importlib.import_module(m.name)
        for m in pkgutil.iter_modules(deskref.__path__, "deskref.")
        if m.name != "deskref.__main__"
    ]
    below = [importlib.import_module(name) for name in ("calibration.words", "devices.camera_words")]
    tables = {id(m.WORDS): m.WORDS for m in (*modules, *own, *below) if hasattr(m, "WORDS")}
    assert {id(source) for source in SOURCES} == set(tables)
    assert sum(len(table) for table in tables.values()) == len(ENGLISH)


@pytest.mark.parametrize("code", OTHERS)
def test_every_id_exists_in_every_language_with_the_same_gaps(code: str) -> None:
    words = language.language(code).words
    assert sorted(ENGLISH.keys() - words.keys()) == []
    assert sorted(words.keys() - ENGLISH.keys()) == []
    assert [name for name, text in ENGLISH.items() if gaps(words[name]) != gaps(text)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_no_sentence_was_left_in_english(code: str) -> None:
    """Names of editions, bare gaps and words that the languages share may be equal; whole sentences may not."""
    words = language.language(code).words
    equal = [
        name for name, text in ENGLISH.items() if words[name] == text and len(text.split()) > 2 and "{" not in text
    ]
    assert equal == []


def test_every_id_that_the_page_says_is_in_the_catalogue() -> None:
    """Ids are written where they are said; a slip of the pen would be found only on that screen."""
    missing = []
    for path in Path(deskref.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_say = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say"
            if is_say and node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value not in ENGLISH:
                missing.append((path.name, node.args[0].value))
    assert missing == []


def test_a_sentence_within_another_is_said_in_the_same_language() -> None:
    inner = COMBAT.message("ws_for_endure", who="Lokan")
    outer = COMBAT.refusal("ws_roll_due", due=told(inner))
    assert outer.text == "Finish this first: How Endure Wounds goes for Lokan."
    language.use("de")
    assert language.shown(outer) == "Zuerst dies: Wie Lokan die Wunden erträgt."


@pytest.mark.parametrize(("code", "said"), [("en", "A, B and C"), ("de", "A, B und C"), ("es", "A, B y C")])
def test_names_stand_in_a_row_as_the_language_has_it(code: str, said: str) -> None:
    names = listed(("A", "B", "C"))
    assert names == "A, B and C"
    language.use(code)
    assert language.shown(CATALOGUE.message("wins", winners=names)).startswith(said)
    assert listed(("A",)) == "A"
    assert listed((), nobody="nobody") == "nobody"
    assert LISTS.words.keys() <= ENGLISH.keys()


@pytest.mark.parametrize(
    ("code", "params", "said"),
    [
        ("task_put_dice", {"count": 1, "dice": "die", "soldier": "Lokan"}, "Leg 1 Würfel mehr neben Lokan."),
        ("drawn", {"who": "Vesta", "card": "9 of Clubs"}, "Vesta zieht Kreuz 9."),
        ("drawn", {"who": "Vesta", "card": "black Joker"}, "Vesta zieht schwarzer Joker."),
        ("gm_decides", {"level": "raise", "why": "So."}, "Die Spielleitung entscheidet: Steigerung. So."),
    ],
)
def test_terms_of_the_rules_are_said_in_the_language(code: str, params: dict[str, str | int], said: str) -> None:
    language.use("de")
    assert language.say(code, **params) == said


def test_a_soldier_called_like_a_term_keeps_its_name() -> None:
    language.use("de")
    assert language.say("your_turn", soldier="Cover") == "Cover ist am Zug."


def test_what_no_catalogue_knows_is_said_as_it_came() -> None:
    language.use("es")
    assert language.shown(Message("an_old_id", "An old sentence.")) == "An old sentence."
    assert language.shown(SKIRMISH.reason("clubs", "x", -2)).startswith("Complicación")


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="'xx'"):
        language.use("xx")
