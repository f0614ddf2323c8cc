"""Every sentence of the catalogue exists in every language, with the same gaps, and is said where it stands."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import deskref
import rules
import vision
from deskref import language, reading_words
from deskref.language import ENGLISH, NAMES, SOURCES
from deskref.words import CATALOGUE
from rules.ruling import LISTS, Catalogue, Message, listed, told
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


COUNTS = frozenset(
    {
        *(
            "awaited",
            "bears",
            "columns",
            "cost",
            "count",
            "games",
            "given",
            "leds",
            "left",
            "lost",
            "markers",
            "minutes",
        ),
        *("new_wounds", "rate", "rounds", "rows", "squares", "taken", "tokens", "wounds"),
    }
)
"""Gaps that hold how many of something there are."""

COUNTED = re.compile(r"\{(\w+)\}\s+([^\W\d_]\w*)")
"""A number and the word that stands behind it."""

INVARIABLE = {
    "en": {
        "a",
        "by",
        "came",
        "d",
        "damage",
        "engaged",
        "of",
        "min",
        "or",
        "more",
        "so",
        "and",
        "given",
        "left",
        "d20",
        "Stamina",
    },
    "de": {
        "gebracht",
        "mal",
        "min",
        "von",
        "oder",
        "in",
        "mehr",
        "aus",
        "der",
        "Würfel",
        "Ausdauer",
        "Schaden",
        "W20",
        "im",
        "zu",
    },
    "es": {"por", "min", "de", "o", "d20", "LED", "más", "y"},
}
"""Words behind a number that are the same for one and for several, by language."""


def outside_forms(text: str) -> str:
    """Put a sign for the words that a number chooses."""
    parts = string.Formatter().parse(text)
    return "".join(
        said + ("" if not gap else "§" if "|" in (form or "") else f"{{{gap}}}") for said, gap, form, _ in parts
    )


@pytest.mark.parametrize("code", NAMES)
def test_a_word_that_goes_with_a_number_has_both_its_forms(code: str) -> None:
    """The page said `1 squares`, `1 games`, `1 throws`: such a word needs a form for one and another."""
    words = language.language(code).words
    lacking = [
        (name, found[0])
        for name, text in words.items()
        for found in COUNTED.finditer(outside_forms(text))
        if found[1] in COUNTS and found[2] not in INVARIABLE[code]
    ]
    assert lacking == []
    assert [name for name, text in words.items() if re.search(r"\w\((s|e|n|en|es)\)", text)] == []


def test_why_a_die_was_not_read_is_said_in_the_language() -> None:
    """The reader gives its reasons in English; whatever it says must be found among the sentences."""
    said = "it looks like 3, but 1 pips are counted"
    assert language.say("live_reads_nothing", why=said).endswith("it looks like 3, but 1 pip is counted")
    language.use("de")
    assert language.say("live_reads_nothing", why=said).endswith("aber 1 Auge wird gezählt")
    assert language.say("live_reads_nothing", why="no such reason").endswith("no such reason")


def test_every_reason_of_the_reader_is_known() -> None:
    folder = Path(vision.__file__).parent
    found = set()
    for name in ("dice", "dice_agreement", "dice_search", "watcher"):
        tree = ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
        parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        docs = parts | {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if id(node) in docs:
                continue
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(p.value) if isinstance(p, ast.Constant) else "7" for p in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            else:
                continue
            if re.match(r"(it|its|no pips) \w+ ", text):
                found.add(text)
    assert len(found) >= len(reading_words.SAID) - 1
    language.use("es")
    assert [text for text in sorted(found) if language.now().of_reading(text) == text] == []


@pytest.mark.parametrize(
    ("code", "one", "two"),
    [
        ("en", "Lokan strides 1 square.", "Lokan strides 2 squares."),
        ("de", "Lokan geht 1 Feld.", "Lokan geht 2 Felder."),
        ("es", "Lokan camina 1 casilla.", "Lokan camina 2 casillas."),
    ],
)
def test_one_is_said_as_one(code: str, one: str, two: str) -> None:
    language.use(code)
    assert language.say("ws_stride", who="Lokan", squares=1) == one
    assert language.say("ws_stride", who="Lokan", squares="1") == one
    assert language.say("ws_stride", who="Lokan", squares=2) == two


@pytest.mark.parametrize(("count", "form"), [(0, "dice"), (0.5, "dice"), (1, "die"), ("1", "die"), (11, "dice")])
def test_only_exactly_one_takes_the_form_for_one(count: float | str, form: str) -> None:
    words = Catalogue({"lie": "{count} {count:die|dice} {count:lies|lie} here"})
    assert words.text("lie", {"count": count}).split()[1] == form


SAME_IN: dict[str, str] = {
    "de": "term_stress colour_orange colour_cyan set_mat_letter qs_bennies qs_swade qs_swd sound_fanfare "
    "wsd_mode wsd_name sk_name qs_name qs_with_enter qs_with_b",
    "es": "choice_no doc_title doc_open qs_bennies qs_swade qs_swd qs_vigor skill_vigor qs_with_b",
}
"""Ids whose words the languages share with English, looked at one by one."""

NO_WORDS = re.compile(r"\{[^{}]*\}|\W|\d|LEDs?|A4|d(?=\{)")
"""What is no word of any language: gaps, signs, numbers, names of things."""


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_left_in_english_by_oversight(code: str) -> None:
    words = language.language(code).words
    same = {name for name, text in ENGLISH.items() if words[name] == text and NO_WORDS.sub("", text)}
    assert same == set(SAME_IN[code].split())


def test_skills_are_written_and_read_in_the_language_of_the_table() -> None:
    """A Rank is looked up by the rules' own name, whatever the players write."""
    language.use("de")
    assert language.skill("Shooting") == "Schießen"
    assert language.skill_meant("schießen") == "Shooting"
    assert language.skill_meant("Jonglieren") == "Jonglieren"
    assert language.say("ws_rank", skill="Shooting", rank=12) == "Schießen, Rang 12."
    assert language.say("ws_move_action", who="Lokan", name="Dive Prone").endswith("Zu Boden werfen.")


@pytest.mark.parametrize(
    ("share", "said"), [(0.0, 0), (0.001, 1), (0.5, 50), (0.996, 99), (0.9999, 99), (1.0, 100), (1 - 1e-12, 99)]
)
def test_only_what_is_certain_is_said_to_be_so(share: float, said: int) -> None:
    """A chance of 99.7 % read as 100 % and failed."""
    assert language.percent(share) == said


@pytest.mark.parametrize(("code", "whole", "half"), [("en", "2", "2.5"), ("de", "2", "2,5"), ("es", "2", "2,5")])
def test_numbers_have_the_decimals_of_the_language(code: str, whole: str, half: str) -> None:
    language.use(code)
    assert language.shortest(2.0) == whole
    assert language.shortest(2.5) == half
    assert language.decimal(2.5, 1) == half
    assert language.decimal(2.5, 2, is_signed=True) == f"+{half}0"
    assert half in language.say("wsd_stride", cost="2.5")
    assert half in language.say("ws_stride", who="Lokan", squares=2.5)
    assert "4.12" in language.say("did_qs_declared", who="Lokan", trait="4.12")


@pytest.mark.parametrize(("code", "strong"), [("en", "strong"), ("de", "stark"), ("es", "fuerte")])
def test_how_well_a_conflict_was_won_is_said_in_the_language(code: str, strong: str) -> None:
    """An English piece of sentence stood in the gap."""
    language.use(code)
    reason = COMBAT.reason("ws_conflict_degree", "", winner="Ann", degree="strong")
    assert strong in language.shown(reason)
    assert "degree" not in language.shown(COMBAT.reason("ws_conflict", "", winner="Ann", degree=""))


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.25, 0.5625, 0.1875), (25, 56, 19)),
        ((1 / 3, 1 / 3, 1 / 3), (34, 33, 33)),
        ((0.001, 0.998, 0.001), (1, 98, 1)),
        ((0.0, 1.0), (0, 100)),
        ((0.004, 0.004, 0.004, 0.988), (1, 1, 1, 97)),
    ],
)
def test_the_chances_of_one_roll_add_to_a_hundred(shares: tuple[float, ...], said: tuple[int, ...]) -> None:
    """Raise 25, success 57, failure 19: 101."""
    assert language.percents(shares) == said
    assert sum(said) == 100
