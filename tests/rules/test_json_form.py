"""The JSON form of frozen values: one way to write each, and errors that name the broken place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.json_form import (
    MOST_READ,
    MOST_WRITTEN,
    JsonFormError,
    from_json,
    from_json_lines,
    lines_of,
    to_json,
    to_json_lines,
)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    size: float = 1.0


@dataclass(frozen=True, slots=True)
class Tree:
    leaves: tuple[Leaf, ...]
    pair: tuple[int, bool] = (1, True)
    chance: Fraction = Fraction(1, 2)
    colour: Colour = Colour.RED
    kind: Literal["oak", 7] = "oak"
    note: str | int | float | None = None
    other: Leaf | Branch | None = None
    spot: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    length: int

    def __post_init__(self) -> None:
        if self.length < 0:
            raise ValueError(f"a branch is 0 long or more, not {self.length}")


Wood = Leaf | Branch

TREE = Tree((Leaf("a", 2.5), Leaf("ä")), (-3, False), Fraction(-2, 3), Colour.BLUE, 7, 0.5, Branch(4), (8, 9))
TREE_JSON = (
    '{"chance":"-2/3","colour":"blue","kind":7,'
    '"leaves":[{"name":"a","size":2.5,"type":"Leaf"},{"name":"ä","size":1.0,"type":"Leaf"}],'
    '"note":0.5,"other":{"length":4,"type":"Branch"},"pair":[-3,false],"spot":[8,9],"type":"Tree"}'
)


def test_a_value_is_written_in_one_way() -> None:
    """Keys sorted, no spaces, the class under `type`."""
    assert to_json(TREE) == TREE_JSON
    assert from_json(TREE_JSON, Tree) == TREE


def test_a_union_is_told_by_its_type() -> None:
    """Actions are read back as what they were."""
    assert from_json(to_json(Branch(2)), Wood) == Branch(2)
    assert from_json(to_json(Leaf("x")), Wood) == Leaf("x")


whole = st.integers(-MOST_READ, MOST_READ)
# Any character, halves of one and ends of lines among them.
texts = st.text(st.characters(exclude_categories=()))

trees = st.builds(
    Tree,
    st.lists(st.builds(Leaf, texts, st.floats(allow_nan=False, allow_infinity=False) | whole)).map(tuple),
    st.tuples(whole, st.booleans()),
    st.fractions(),
    st.sampled_from(Colour),
    st.sampled_from(["oak", 7]),
    st.none() | texts | whole | st.floats(allow_nan=False, allow_infinity=False),
    st.none() | st.builds(Leaf, texts) | st.builds(Branch, st.integers(0, MOST_READ)),
    st.none() | st.tuples(whole, whole),
)


@given(trees)
def test_every_value_comes_back_as_it_went_and_to_the_same_bytes(tree: Tree) -> None:
    """A whole number in a place for any number stays whole, so that the bytes stay the same."""
    text = to_json(tree)
    assert from_json(text, Tree) == tree
    assert to_json(from_json(text, Tree)) == text
    assert text.encode()
    assert len(text.splitlines()) == 1


@pytest.mark.parametrize("name", ["a\u2028b", "a\x85b", "a\u2029", "\ud800", "\x0b\x0c\x1c", "line\nend\r", "é漢🎲"])
def test_a_name_with_any_character_stays_one_line_in_a_file(name: str, tmp_path: Path) -> None:
    """Readers that end a line at more than a line feed read the same lines; half a character can be written."""
    text = to_json_lines([Leaf(name), Leaf("next")])
    (tmp_path / "log").write_text(text, encoding="utf-8")
    assert text.splitlines() == lines_of(text)
    assert from_json_lines((tmp_path / "log").read_text(encoding="utf-8"), Leaf) == (Leaf(name), Leaf("next"))


def test_other_writers_may_leave_line_separators_as_they_are() -> None:
    """Plain JSON allows them inside texts."""
    line = to_json(Leaf("x")).replace("x", "a\u2028b\x85c")
    assert from_json_lines(line + "\r\n" + line, Leaf) == (Leaf("a\u2028b\x85c"),) * 2


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_go_as_far_as_every_reader_of_json_knows_them(sign: int) -> None:
    """A browser reads larger ones as something else, and some are larger than any float."""
    most, over = sign * MOST_READ, sign * (MOST_READ + 1)
    for value in (Leaf("a", most), Tree((), spot=(most, 0))):
        assert from_json(to_json(value), type(value)) == value
    with pytest.raises(JsonFormError, match=r"Leaf.size: expected a number of at most 1000000000000000, got -?1"):
        from_json(to_json(Leaf("a", over)), Leaf)
    with pytest.raises(JsonFormError, match=r"Tree.spot\[0\]: expected a whole number of at most 1000000000000000"):
        from_json(to_json(Tree((), spot=(most, 0))).replace(str(most), f"{over}{'0' * 400}"), Tree)


@pytest.mark.parametrize("sign", [1, -1])
def test_what_was_read_can_be_counted_on_from_and_written(sign: int) -> None:
    assert str(sign * MOST_WRITTEN) in to_json(Leaf("a", sign * MOST_WRITTEN))
    with pytest.raises(ValueError, match=r"a whole number in JSON goes up to 9007199254740992, not -?9007199254740993"):
        to_json(Leaf("a", sign * (MOST_WRITTEN + 1)))


def test_an_error_shows_the_beginning_of_a_long_value() -> None:
    """It is read by a person."""
    with pytest.raises(JsonFormError) as broken:
        from_json(to_json(Leaf("a", 7)).replace(":7", f":[{'1,' * 5000}1]"), Leaf)
    assert str(broken.value) == f"Leaf.size: expected a number, got [{'1, ' * 66}1..."


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"size":2.5', '"size":"big"', "Tree.leaves[0].size: expected a number, got 'big'"),
        ('"size":2.5', '"size":true', "Tree.leaves[0].size: expected a number, got True"),
        ('"name":"ä"', '"name":3', "Tree.leaves[1].name: expected a text, got 3"),
        ('"name":"ä",', "", "Tree.leaves[1]: 'name' is missing"),
        ('"name":"ä"', '"nam":1,"name":"ä"', "Tree.leaves[1]: 'nam' is not known; expected are ['name', 'size']"),
        ('"Leaf"},{', '"Laef"},{', "Tree.leaves[0].type: expected 'Leaf', got 'Laef'"),
        ("[-3,false]", "[-3]", "Tree.pair: expected a list of 2, got [-3]"),
        ("[-3,false]", "[-3.0,false]", "Tree.pair[0]: expected a whole number, got -3.0"),
        ("[-3,false]", "[true,false]", "Tree.pair[0]: expected a whole number, got True"),
        ("[-3,false]", "[1,0]", "Tree.pair[1]: expected true or false, got 0"),
        ("[-3,false]", "{}", "Tree.pair: expected a list, got {}"),
        ('"-2/3"', '"2/0"', "Tree.chance: expected a fraction in lowest terms such as \"1/2\", got '2/0'"),
        (
            '"-2/3"',
            '"2/4"',
            "Tree.chance: expected a fraction in lowest terms such as \"1/2\", got '2/4'",
        ),
        ('"size":2.5', '"size":1e999', "Tree.leaves[0].size: expected a number, got inf"),
        ('"-2/3"', '"2/-3"', "Tree.chance: expected a fraction in lowest terms such as \"1/2\", got '2/-3'"),
        ('"-2/3"', "0.5", 'Tree.chance: expected a fraction in lowest terms such as "1/2", got 0.5'),
        ('"blue"', '"green"', "Tree.colour: expected one of ['red', 'blue'], got 'green'"),
        ('"blue"', "[]", "Tree.colour: expected one of ['red', 'blue'], got []"),
        ('"kind":7', '"kind":8', "Tree.kind: expected one of ('oak', 7), got 8"),
        ('"kind":7', '"kind":7.0', "Tree.kind: expected one of ('oak', 7), got 7.0"),
        ('"length":4', '"length":-1', "Tree.other: a branch is 0 long or more, not -1"),
        (
            '{"length":4,"type":"Branch"}',
            '{"type":"Twig"}',
            "Tree.other.type: expected one of ['Branch', 'Leaf'], got 'Twig'",
        ),
        ('{"length":4,"type":"Branch"}', '{"type":1}', "Tree.other.type: expected one of ['Branch', 'Leaf'], got 1"),
        (
            '{"length":4,"type":"Branch"}',
            "5",
            "Tree.other: expected an object of one of the types ['Branch', 'Leaf'] or null, got 5",
        ),
        ('"note":0.5', '"note":[]', "Tree.note: expected a text or a whole number or a number or null, got []"),
        ('"note":0.5', '"note":{}', "Tree.note: expected a text or a whole number or a number or null, got {}"),
        ("[8,9]", "[8]", "Tree.spot: expected a list of 2 or null, got [8]"),
        ("[8,9]", '[8,"x"]', "Tree.spot[1]: expected a whole number, got 'x'"),
        ('"note":0.5', '"note":NaN', "NaN is not a number that the rules know"),
        ('"note":0.5', '"note":-Infinity', "-Infinity is not a number that the rules know"),
        ('"note":0.5', '"note":', "not JSON at character 137: Expecting value"),
    ],
)
def test_a_broken_text_names_the_place(old: str, new: str, message: str) -> None:
    """Whoever edited a log by hand finds the mistake."""
    assert old in TREE_JSON
    with pytest.raises(JsonFormError) as broken:
        from_json(TREE_JSON.replace(old, new, 1), Tree)
    assert str(broken.value) == message


def test_what_is_no_object_is_named() -> None:
    """A list or a number where a value was expected."""
    with pytest.raises(JsonFormError, match=r"value: expected an object of type 'Leaf', got \[1\]"):
        from_json("[1]", Leaf)
    with pytest.raises(JsonFormError, match=r"value: expected an object of one of the types .*, got 3"):
        from_json("3", Wood)


def test_deep_nesting_is_refused() -> None:
    """A text made to exhaust the reader ends in the usual error."""
    with pytest.raises(JsonFormError, match="nested too deeply"):
        from_json("[" * 100_000, Leaf)


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    """Python reads whole numbers of up to 4300 digits."""
    with pytest.raises(JsonFormError, match="not a value of the rules: Exceeds the limit"):
        from_json(TREE_JSON.replace("[8,9]", f"[8,{'9' * 5000}]"), Tree)
    with pytest.raises(JsonFormError, match="expected a fraction in lowest terms"):
        from_json(TREE_JSON.replace("-2/3", f"1/{'9' * 5000}"), Tree)


@given(st.integers(0, len(TREE_JSON)), st.integers(0, 8), st.text(max_size=6))
def test_whatever_a_text_is_broken_into_there_is_one_error(start: int, length: int, patch: str) -> None:
    """A hand or a disk can break anything; what can still be read is written back the same."""
    text = TREE_JSON[:start] + patch + TREE_JSON[start + length :]
    try:
        tree = from_json(text, Tree)
    except JsonFormError:
        return
    assert from_json(to_json(tree), Tree) == tree


def test_what_has_no_json_form_is_named() -> None:
    """Lists are not frozen, so they have none; nor has NaN."""
    with pytest.raises(TypeError, match=r"\[1\] has no JSON form"):
        to_json([1])
    with pytest.raises(TypeError, match="Leaf'> has no JSON form"):
        to_json(Leaf)
    with pytest.raises(ValueError, match="JSON"):
        to_json(Leaf("a", float("nan")))


def test_lines_come_back_in_order() -> None:
    """One value a line."""
    text = to_json_lines([Leaf("a"), Branch(1)])
    assert text.splitlines() == [to_json(Leaf("a")), to_json(Branch(1))]
    assert from_json_lines(text, Wood) == (Leaf("a"), Branch(1))
    assert from_json_lines("", Wood) == ()


def test_a_broken_line_is_named() -> None:
    """Counted from 1."""
    text = to_json_lines([Leaf("a"), Branch(1)]) + "{}\n"
    with pytest.raises(JsonFormError, match=r"^line 3: value.type: expected one of"):
        from_json_lines(text, Wood)


def test_the_text_is_plain_json() -> None:
    """Any other program can read it."""
    assert json.loads(to_json(TREE))["leaves"][1]["name"] == "ä"


def test_a_name_that_stands_twice_is_refused() -> None:
    """Readers of JSON take the last one without a word: a log that was mended by hand would say something else."""
    assert from_json('{"name":"oak","size":1.0,"type":"Leaf"}', Leaf) == Leaf("oak")
    with pytest.raises(JsonFormError, match="'name' stands twice in one object"):
        from_json('{"name":"elm","name":"oak","size":1.0,"type":"Leaf"}', Leaf)
