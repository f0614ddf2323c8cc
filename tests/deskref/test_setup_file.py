"""Set-up files of the three games: the documented examples, and what does not fit."""

from __future__ import annotations

import json
import pathlib
import re
from pathlib import Path

import pytest

from deskref.inputs import AutomatedSoldier, CombatSetup, Setup, SkirmishSetup, StartGame
from deskref.referee import step
from deskref.session import Session
from deskref.setup_file import SetupError, load_setup
from rules.json_form import from_json, to_json
from rules.skuffle_state import Breed

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "recordings.md"


def examples() -> dict[str, str]:
    """The set-ups that the documentation shows, by game."""
    section = PAGE.read_text(encoding="utf-8").split("## Set-up files")[1]
    blocks = re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)
    return {json.loads(block)["game"]: block for block in blocks}


KINDS = {"skuffle-wammer": Setup, "quick-skirmish": SkirmishSetup, "world-saga": CombatSetup}


@pytest.mark.parametrize("game", KINDS)
def test_the_documented_example_begins_a_game(game: str, tmp_path: Path) -> None:
    path = tmp_path / "setup.json"
    path.write_text(examples()[game], encoding="utf-8")
    setup = load_setup(path, with_camera=False)
    assert isinstance(setup, KINDS[game])
    session, _ = step(Session(), StartGame(setup=setup))
    assert session.book.game is not None
    assert from_json(to_json(StartGame(setup=setup)), StartGame) == StartGame(setup=setup)


def test_a_breed_is_played_by_the_desk(tmp_path: Path) -> None:
    path = tmp_path / "setup.json"
    path.write_text(examples()["skuffle-wammer"], encoding="utf-8")
    setup = load_setup(path, with_camera=True)
    assert isinstance(setup, Setup)
    assert not isinstance(setup.soldiers[0], AutomatedSoldier)
    assert isinstance(setup.soldiers[1], AutomatedSoldier)
    assert setup.soldiers[1].breed is Breed.GHOUL


@pytest.mark.parametrize(
    ("board", "place", "meant"),
    [
        ({"columns": 7, "rows": 7}, [1, 2], (1, 2)),
        ({"kind": "hexes", "columns": 7, "rows": 8}, [1, 2], (0, 2)),
        ({"kind": "free", "width_mm": 300}, [250, 12.5], (250, 12.5)),
    ],
)
def test_each_kind_of_board_can_be_written(tmp_path: Path, board: object, place: object, meant: object) -> None:
    who = [
        {"name": "A", "side": "pc", "reflexes": 9, "place": place},
        {"name": "B", "side": "npc", "reflexes": 9},
    ]
    path = tmp_path / "setup.json"
    path.write_text(json.dumps({"game": "world-saga", "board": board, "combatants": who}), encoding="utf-8")
    setup = load_setup(path, with_camera=False)
    assert isinstance(setup, CombatSetup)
    assert setup.combatants[0].place == meant
    assert from_json(to_json(StartGame(setup=setup)), StartGame) == StartGame(setup=setup)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"game": "quick-skirmish", "tokens": 0, "heroes": [{"name": "A"}]}, "tokens"),
        ({"game": "quick-skirmish", "tokens": 3, "heroes": [{"name": "A", "die": 7}]}, "die"),
        ({"game": "quick-skirmish", "tokens": 3, "heroes": [{"name": "A"}, {"name": "B", "ally_of": "C"}]}, "ally"),
        ({"game": "quick-skirmish", "tokens": 3, "heroes": [{"name": "A"}, {"name": "A"}]}, "two"),
        (
            {
                "game": "world-saga",
                "board": {"columns": 3, "rows": 3},
                "combatants": [
                    {"name": "A", "side": "pc", "reflexes": 9, "place": [3, 0]},
                    {"name": "B", "side": "npc", "reflexes": 9},
                ],
            },
            "outside the board",
        ),
        (
            {
                "game": "world-saga",
                "board": {"columns": 3, "rows": 3},
                "combatants": [
                    {"name": "A", "side": "pc", "reflexes": 9, "place": [1.5, 0]},
                    {"name": "B", "side": "npc", "reflexes": 9},
                ],
            },
            "two whole numbers",
        ),
        (
            {
                "game": "world-saga",
                "board": {"kind": "free", "walls": [[1, 1]]},
                "combatants": [
                    {"name": "A", "side": "pc", "reflexes": 9},
                    {"name": "B", "side": "npc", "reflexes": 9},
                ],
            },
            "free table",
        ),
        (
            {
                "game": "world-saga",
                "combatants": [
                    {"name": "A", "side": "pc", "reflexes": 9, "group": "g"},
                    {"name": "B", "side": "npc", "reflexes": 9},
                ],
            },
            "only NPCs",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_the_place(tmp_path: Path, content: object, says: str) -> None:
    path = tmp_path / "setup.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(SetupError, match=says):
        load_setup(path, with_camera=False)


@pytest.mark.parametrize("place", ["[NaN, 0]", "[1e400, 0]", "[9999, 0]"])
def test_nobody_starts_off_the_table(place: str, tmp_path: Path) -> None:
    soldiers = f'[{{"name": "A", "start_mm": {place}}}, {{"name": "B"}}]'
    path = tmp_path / "game.json"
    path.write_text(f'{{"game": "skuffle-wammer", "soldiers": {soldiers}}}', encoding="utf-8")
    with pytest.raises(SetupError, match="start_mm"):
        load_setup(path, with_camera=True)


def test_a_mark_of_the_byte_order_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"game": "skuffle-wammer", "soldiers": [{"name": "A"}, {"name": "B"}]}', encoding="utf-8-sig")
    load_setup(path, with_camera=False)
