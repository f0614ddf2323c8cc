"""Characters kept as TOML files."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskref.characters import (
    Character,
    CharacterError,
    CombatPart,
    SkirmishPart,
    all_characters,
    file_name,
    keep_character,
    load_character,
)

LOKAN = Character(
    name="Lokan the Grey",
    quick_skirmish=SkirmishPart(trait="Shooting", die=10, toughness=6, spirit=8, vigor=6, bennies=2),
    world_saga=CombatPart(reflexes=12, ranks={"Fighting": 11, "Resolve": 9}, speed=5, stamina=14),
)


def test_a_character_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    path = keep_character(tmp_path, LOKAN)
    assert path.name == "lokan-the-grey.toml"
    assert load_character(path) == LOKAN
    assert all_characters(tmp_path) == ((LOKAN,), ())


def test_keeping_one_game_leaves_the_other_and_the_comments(tmp_path: Path) -> None:
    path = keep_character(tmp_path, LOKAN)
    path.write_text("# my hero\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    changed = SkirmishPart(trait="Fighting", die=12)
    keep_character(tmp_path, Character(name=LOKAN.name, quick_skirmish=changed))
    again = load_character(path)
    assert again.quick_skirmish == changed
    assert again.world_saga == LOKAN.world_saga
    assert path.read_text(encoding="utf-8").startswith("# my hero")


def test_a_rank_or_reserve_that_is_gone_is_gone_from_the_file(tmp_path: Path) -> None:
    path = keep_character(tmp_path, LOKAN)
    keep_character(tmp_path, Character(name=LOKAN.name, world_saga=CombatPart(reflexes=12, ranks={"Fighting": 11})))
    again = load_character(path).world_saga
    assert again == CombatPart(reflexes=12, ranks={"Fighting": 11})


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("name = 3", "name"),
        ('name = "A"\n[quick_skirmish]\ndie = 7', "quick_skirmish.die"),
        ('name = "A"\ncolour = "red"', "colour"),
        ('name = "A', "Unterminated string"),
        ("", "name"),
    ],
)
def test_a_broken_file_is_named_and_the_others_still_load(tmp_path: Path, text: str, where: str) -> None:
    path = keep_character(tmp_path, LOKAN)
    broken = path.with_name("broken.toml")
    broken.write_text(text, encoding="utf-8")
    found, wrong = all_characters(tmp_path)
    assert found == (LOKAN,)
    assert len(wrong) == 1
    assert "broken.toml" in str(wrong[0])
    assert where in str(wrong[0])


def test_a_broken_file_is_not_written_over(tmp_path: Path) -> None:
    path = keep_character(tmp_path, LOKAN)
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(CharacterError):
        keep_character(tmp_path, LOKAN)
    assert path.read_text(encoding="utf-8") == "name = "


@pytest.mark.parametrize(
    ("name", "file"),
    [("Lokan", "lokan.toml"), ("../etc/x", "etc-x.toml"), ("Ärger Ⅱ", "ärger-ⅱ.toml"), ("?!", "character.toml")],
)
def test_file_names_stay_in_their_folder(name: str, file: str) -> None:
    assert file_name(name) == file


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "a\\u001b[2J"\n', "name: .* cannot be shown as a name"),
        ('name = "A"\n[world_saga]\nreflexes = true\n', "world_saga.reflexes: true and false are no numbers"),
        ('name = "A"\n[world_saga]\nreflexes = 99\n', "world_saga.reflexes is 99; it must be at most 40"),
        ('name = "A"\ncolour = 1\n', "colour means nothing here"),
        ("name = ", "x.toml: Invalid value"),
    ],
)
def test_a_mistake_in_a_characters_file_is_told_in_plain_words(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CharacterError, match=says) as raised:
        load_character(path)
    assert "Input should" not in str(raised.value)


@pytest.mark.parametrize(
    ("one", "other"), [("\N{GAME DIE}", "\N{DAGGER KNIFE}"), ("!!!", "???"), ("A B", "A-B"), ("Ann.", "Ann")]
)
def test_two_whose_file_names_would_be_one_have_a_file_each(tmp_path: Path, one: str, other: str) -> None:
    first = keep_character(tmp_path, Character(name=one, quick_skirmish=SkirmishPart(die=4)))
    second = keep_character(tmp_path, Character(name=other, quick_skirmish=SkirmishPart(die=12)))
    assert first != second
    again = keep_character(tmp_path, Character(name=other, quick_skirmish=SkirmishPart(die=10)))
    assert again == second
    kept = {c.name: c.quick_skirmish.die for c in all_characters(tmp_path)[0] if c.quick_skirmish is not None}
    assert kept == {one: 4, other: 10}
    first.unlink()
    assert keep_character(tmp_path, Character(name=other)) == second


def test_comments_beside_ranks_stay(tmp_path: Path) -> None:
    path = keep_character(tmp_path, LOKAN)
    text = path.read_text(encoding="utf-8").replace("Resolve = 9", "Resolve = 9  # since the siege")
    path.write_text(text, encoding="utf-8")
    keep_character(tmp_path, Character(name=LOKAN.name, world_saga=CombatPart(ranks={"Resolve": 10})))
    text = path.read_text(encoding="utf-8")
    assert "Resolve = 10  # since the siege" in text
    assert "Fighting" not in text
