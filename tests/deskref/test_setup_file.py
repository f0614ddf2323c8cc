"""Set-up files of the three games: the documented examples, and what does not fit."""

from __future__ import annotations

import json
import pathlib
import re
from pathlib import Path

import pytest

from deskref.inputs import AnySetup, AutomatedSoldier, CombatSetup, Setup, SkirmishSetup, StartGame
from deskref.referee import step
from deskref.session import Session
from deskref.setup_file import SetupError, load_setup
from rules.freeform import Ground
from rules.grid import CornerRule, SquareBoard
from rules.json_form import from_json, to_json
from rules.sight import SightRules
from rules.skuffle_state import Breed, Options
from rules.world_saga.state import DegreeTable, Settings

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "recordings.md"


def blocks() -> list[str]:
    """The set-ups that the documentation shows."""
    section = PAGE.read_text(encoding="utf-8").split("## Set-up files")[1]
    return re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)


def examples() -> dict[str, str]:
    """The first that it shows of each game."""
    return {json.loads(block)["game"]: block for block in reversed(blocks())}


KINDS = {"skuffle-wammer": Setup, "quick-skirmish": SkirmishSetup, "world-saga": CombatSetup}


@pytest.mark.parametrize("number", range(5))
def test_every_documented_example_begins_a_game(number: int, tmp_path: Path) -> None:
    assert len(blocks()) == 5
    path = tmp_path / "setup.json"
    path.write_text(blocks()[number], encoding="utf-8")
    setup = load_setup(path, with_camera=False)
    assert isinstance(setup, KINDS[json.loads(blocks()[number])["game"]])
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


BOTH_SIDES = [{"name": "A", "side": "pc", "reflexes": 9}, {"name": "B", "side": "npc", "reflexes": 9}]


def loaded(folder: Path, content: object) -> AnySetup:
    path = folder / "setup.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return load_setup(path, with_camera=False)


def skuffle(**agreed: object) -> dict[str, object]:
    return {"game": "skuffle-wammer", "soldiers": [{"name": "A"}, {"name": "B"}], **agreed}


def combat(**agreed: object) -> dict[str, object]:
    return {"game": "world-saga", "combatants": BOTH_SIDES, **agreed}


def test_what_is_agreed_on_in_skuffle_wammer_can_be_written(tmp_path: Path) -> None:
    agreed = {"melee_gap_mm": 5, "max_move_mm": 120, "vantage_mm": 40, "cover_share": 0.5, "seat_mm": [0, -160]}
    setup = loaded(tmp_path, skuffle(area_mm="a4", **agreed))
    assert isinstance(setup, Setup)
    assert setup.options == Options(
        area_mm=(210.0, 297.0),
        seat_mm=(105.0, 308.5),
        melee_gap_mm=5,
        max_move_mm=120,
        vantage_mm=40,
        cover_share=0.5,
    )
    own = loaded(tmp_path, skuffle(area_mm=[250, 180]))
    assert isinstance(own, Setup)
    assert own.options == Options(area_mm=(250, 180))


def test_what_is_agreed_on_in_world_saga_can_be_written(tmp_path: Path) -> None:
    degrees = {"weak": 1, "success": 2, "strong": 4, "great": 6}
    agreed = {"weary_penalty": 2, "horror": True, "strides_per_turn": 2, "engaged_gap_mm": 8}
    setup = loaded(tmp_path, combat(damage_table=degrees, defence_table={**degrees, "weak": 0}, **agreed))
    assert isinstance(setup, CombatSetup)
    assert setup.settings == Settings(
        damage_table=DegreeTable(1, 2, 4, 6),
        defence_table=DegreeTable(0, 2, 4, 6),
        weary_penalty=2,
        horror=True,
        strides_per_turn=2,
        engaged_gap_mm=8,
    )


def test_how_cover_is_measured_can_be_written(tmp_path: Path) -> None:
    chosen = {"cover_from": 0.25, "greater_from": 0.5, "creatures_cover": True, "lean": True}
    setup = loaded(tmp_path, combat(**chosen))
    assert isinstance(setup, CombatSetup)
    assert setup.settings.sight == SightRules(cover_from=0.25, greater_from=0.5, creatures_cover=True, lean=True)
    with pytest.raises(SetupError, match="cover begins at a share over 0 and below that of greater cover"):
        loaded(tmp_path, combat(cover_from=0.7))


def test_large_bases_can_be_written(tmp_path: Path) -> None:
    board = {"columns": 6, "rows": 6, "walls": [[3, 3]]}
    giant = {"name": "Giant", "side": "npc", "reflexes": 8, "place": [0, 0], "base": 2}
    hero = {"name": "Vesta", "side": "pc", "reflexes": 9, "place": [5, 5]}

    def written(**changed: object) -> object:
        return loaded(tmp_path, combat(board=board, combatants=[{**giant, **changed}, hero]))

    setup = written()
    assert isinstance(setup, CombatSetup)
    assert (setup.combatants[0].footprint, setup.combatants[0].base_radius_mm) == ((2, 2), 25.4)
    large = loaded(tmp_path, combat(board={**board, "cell_mm": 50}, combatants=[giant, hero]))
    assert isinstance(large, CombatSetup)
    assert [c.base_radius_mm for c in large.combatants] == [50.0, 25.0]
    free = loaded(
        tmp_path, combat(board={"kind": "free", "cell_mm": 50}, combatants=[giant, {**hero, "place": [90, 90]}])
    )
    assert isinstance(free, CombatSetup)
    assert [c.base_radius_mm for c in free.combatants] == [25.4, 12.7]
    for place, says in (([2, 2], "in a wall at"), ([5, 0], "outside the board"), ([4, 4], "both stand at")):
        with pytest.raises(SetupError, match=says):
            written(place=place)
    with pytest.raises(SetupError, match="on hexes everybody stands on one"):
        loaded(tmp_path, combat(board={"kind": "hexes"}, combatants=[giant, hero]))


def test_walls_of_every_kind_of_board_can_be_written(tmp_path: Path) -> None:
    squares = {"columns": 5, "rows": 5, "fences": [[[1, 1], [2, 1]]], "corners": "both"}
    setup = loaded(tmp_path, combat(board=squares))
    assert isinstance(setup, CombatSetup)
    assert setup.board == SquareBoard(5, 5, fences=(((1, 1), (2, 1)),), corners=CornerRule.BOTH)
    triangle = [[10, 10], [60, 10], [10, 60]]
    setup = loaded(tmp_path, combat(board={"kind": "free", "wall_outlines": [triangle], "difficult_outlines": []}))
    assert isinstance(setup, CombatSetup)
    assert setup.board == Ground(walls=(((10, 10), (60, 10), (10, 60)),))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (skuffle(area_mm="a3"), r"area_mm is 'a3'; it must be a list in square brackets"),
        (skuffle(area_mm=[20, 200]), r"area_mm.1 is 20; it must be at least 50"),
        (skuffle(max_move_mm=0), r"max_move_mm is 0; it must be at least 1"),
        (skuffle(max_move_mm="far"), r"max_move_mm is 'far'; it must be a number"),
        (skuffle(melee_gap_mm=-1), r"melee_gap_mm is -1; it must be at least 0"),
        (skuffle(cover_share=1.5), r"cover_share is 1.5; it must be at most 1"),
        (skuffle(turn_order="random"), r"turn_order is 'random'; it must be 'team_block' or 'team_alternate'"),
        (skuffle(melee_gap=5), r"melee_gap means nothing here; is it misspelt\?"),
        (combat(damage_table={"weak": 1, "success": 2, "strong": 3}), r"damage_table.great is missing"),
        (combat(damage_table={"weak": 5, "success": 2, "strong": 3, "great": 4}), r"none less than that of a worse"),
        (combat(weary_penalty=1.5), r"weary_penalty is 1.5; it must be a whole number"),
        (combat(horror="maybe"), r"horror is 'maybe'; it must be true or false"),
        (combat(strides_per_turn=0), r"strides_per_turn is 0; it must be at least 1"),
        (combat(engaged_gap_mm=-3), r"engaged_gap_mm is -3; it must be at least 0"),
        (combat(board={"corners": "round"}), r"board.corners is 'round'; it must be 'no_cut', 'both' or 'free'"),
        (combat(board={"kind": "hexes", "corners": "both"}), r"only a board of squares has fences"),
        (combat(board={"kind": "squares", "width_mm": 300}), r"are of a free table"),
        (combat(board={"kind": "squares", "fences": [[[0, 0], [2, 0]]]}), r"two squares that share a side"),
        (
            combat(board={"kind": "free", "wall_outlines": [[[0, 0], [9, 9]]]}),
            r"2 entries; it must have at least 3",
        ),
        (combat(board={"kind": "free", "wall_outlines": [[[0, 0], [999, 0], [0, 9]]]}), r"outside the table"),
        ({"game": "chess"}, r"'chess'"),
    ],
)
def test_nonsense_is_refused_in_plain_words(tmp_path: Path, content: object, says: str) -> None:
    """The place in the file, what stands there, and what may stand there."""
    with pytest.raises(SetupError, match=says):
        loaded(tmp_path, content)


@pytest.mark.parametrize(
    ("board", "places", "says"),
    [
        ({"walls": [[99, 99]]}, [[0, 0], [1, 1]], r"\(99, 99\) is outside the board of 12 columns and 8 rows"),
        ({"difficult": [[0, 8]]}, [[0, 0], [1, 1]], r"\(0, 8\) is outside the board"),
        ({"kind": "hexes", "walls": [[12, 0]]}, [[0, 0], [1, 1]], r"\(12, 0\) is outside the board"),
        ({"walls": [[1, 2]]}, [[1, 2], [0, 0]], r"'A' stands in a wall at \(1.0, 2.0\)"),
        ({}, [[1, 2], [1, 2]], r"'A' and 'B' both stand at \(1.0, 2.0\)"),
    ],
)
def test_nobody_begins_in_a_wall_or_on_another(
    tmp_path: Path, board: dict[str, object], places: object, says: str
) -> None:
    one, other = places  # type: ignore[misc]  # two places
    who = [
        {"name": "A", "side": "pc", "reflexes": 9, "place": one},
        {"name": "B", "side": "npc", "reflexes": 9, "place": other},
    ]
    board = {"columns": 12, "rows": 8, **board}
    with pytest.raises(SetupError, match=says):
        loaded(tmp_path, {"game": "world-saga", "board": board, "combatants": who})


def test_a_group_is_not_called_like_somebody_outside_of_it(tmp_path: Path) -> None:
    fighters = [BOTH_SIDES[0], {**BOTH_SIDES[1], "group": BOTH_SIDES[0]["name"]}]
    with pytest.raises(SetupError, match="who is not in it"):
        loaded(tmp_path, combat(combatants=fighters))


@pytest.mark.parametrize("other", ["a", "A ", "A"])
def test_names_that_nobody_could_tell_apart_are_refused(tmp_path: Path, other: str) -> None:
    with pytest.raises(SetupError, match="two soldiers are called 'A'"):
        loaded(tmp_path, {"game": "skuffle-wammer", "soldiers": [{"name": "A"}, {"name": other}]})


NASTY_NAMES = ["a\x1b[2Jb", "a\nb", "a\u202eb", "a\u200bb"]
"""Control characters, and others that make a name look like another."""


@pytest.mark.parametrize("nasty", NASTY_NAMES)
def test_everything_that_is_shown_can_be_shown(tmp_path: Path, nasty: str) -> None:
    """Names of teams went unlooked at onto the page, into the terminal, and to the broker."""
    fighters = [{**BOTH_SIDES[0], "team": nasty}, BOTH_SIDES[1]]
    grouped = [BOTH_SIDES[0], {**BOTH_SIDES[1], "group": nasty}]
    skilled = [{**BOTH_SIDES[0], "ranks": {nasty: 3}}, BOTH_SIDES[1]]
    heroes = [{"name": "A", "trait": nasty}]
    for content in (
        skuffle(soldiers=[{"name": "A", "team": nasty}, {"name": "B"}]),
        combat(combatants=fighters),
        combat(combatants=grouped),
        combat(combatants=skilled),
        {"game": "quick-skirmish", "tokens": 3, "heroes": heroes},
    ):
        with pytest.raises(SetupError, match="cannot be shown as a name"):
            loaded(tmp_path, content)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"game": "skuffle-wammer", "minutes": 1, "minutes": 5, %s}', "'minutes' stands twice"),
        ('{"game": "skuffle-wammer", "minutes": true, %s}', "minutes: true and false are no numbers"),
        ('{"game": "skuffle-wammer", "melee_gap_mm": true, %s}', "melee_gap_mm is True; it must be a number"),
        ('{"game": "skuffle-wammer", "strict": 1, %s}', "strict is 1; it must be true or false"),
        ('{"game": "skuffle-wammer", %s, }', "this is not JSON"),
        ("{%s}", "game is missing: one of 'quick-skirmish'"),
        ("[%s", "this is not JSON"),
        ("", "the file is empty"),
    ],
)
def test_a_slip_of_the_pen_is_told_in_plain_words(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "setup.json"
    path.write_text(text.replace("%s", '"soldiers": [{"name": "A"}, {"name": "B"}]'), encoding="utf-8")
    with pytest.raises(SetupError, match=says) as raised:
        load_setup(path, with_camera=False)
    assert "Input should" not in str(raised.value)
    assert "Invalid JSON" not in str(raised.value)


WHOLE_TABLE = [[0, 0], [200, 0], [200, 200], [0, 200]]


@pytest.mark.parametrize(
    ("board", "says"),
    [
        ({"kind": "free", "wall_outlines": [WHOLE_TABLE]}, "room for 0 of the 2 who fight"),
        ({"kind": "free", "wall_outlines": [[[0, 0], [150, 100], [100, 0]], WHOLE_TABLE]}, "room for 0"),
        ({"columns": 2, "rows": 1, "walls": [[0, 0]]}, "room for 1 of the 2 who fight"),
        ({"columns": 1, "rows": 1}, "room for 1 of the 2 who fight"),
    ],
)
def test_walls_leave_room_for_all(tmp_path: Path, board: dict[str, object], says: str) -> None:
    with pytest.raises(SetupError, match=says):
        loaded(tmp_path, combat(board=board))


def test_nobody_stands_in_a_wall_of_a_free_table(tmp_path: Path) -> None:
    board = {"kind": "free", "wall_outlines": [[[100, 100], [200, 100], [200, 200], [100, 200]]]}
    inside = [{**BOTH_SIDES[0], "place": [150, 150]}, BOTH_SIDES[1]]
    beside = [{**BOTH_SIDES[0], "place": [99, 150]}, BOTH_SIDES[1]]
    with pytest.raises(SetupError, match="'A' stands in a wall"):
        loaded(tmp_path, combat(board=board, combatants=inside))
    loaded(tmp_path, combat(board=board, combatants=beside))


def test_names_are_read_as_they_are_shown(tmp_path: Path) -> None:
    """A decomposed letter, as macOS writes it, and an emoji that is joined of two are names; only their look counts."""
    setup = loaded(tmp_path, skuffle(soldiers=[{"name": "Zoe\u0308"}, {"name": "\U0001f469\u200d\U0001f680"}]))
    assert [s.name for s in setup.soldiers] == ["Zo\u00eb", "\U0001f469\u200d\U0001f680"]
    with pytest.raises(SetupError, match="two soldiers are called"):
        loaded(tmp_path, skuffle(soldiers=[{"name": "Zoe\u0308"}, {"name": "ZO\u00cb"}]))


def test_a_hero_begins_with_three_bennies_and_an_ally_with_none_unless_named(tmp_path: Path) -> None:
    heroes = [
        {"name": "Vesta"},
        {"name": "Hound", "ally_of": "Vesta"},
        {"name": "Cat", "ally_of": "Vesta", "bennies": 2},
    ]
    path = tmp_path / "skirmish.json"
    path.write_text(json.dumps({"game": "quick-skirmish", "tokens": 3, "heroes": heroes}), encoding="utf-8")
    setup = load_setup(path, with_camera=False)
    assert isinstance(setup, SkirmishSetup)
    assert {fighter.name: fighter.bennies for fighter in setup.fighters} == {"Vesta": 3, "Hound": 0, "Cat": 2}


def test_allies_and_teams_are_found_however_they_are_spelled(tmp_path: Path) -> None:
    """A team written once with a capital and once without was two teams, which fought each other."""
    path = tmp_path / "setup.json"
    heroes = [{"name": "Straße"}, {"name": "Hound", "ally_of": "STRASSE"}]
    path.write_text(json.dumps({"game": "quick-skirmish", "tokens": 4, "heroes": heroes}), encoding="utf-8")
    scene = load_setup(path, with_camera=False)
    assert isinstance(scene, SkirmishSetup)
    assert scene.fighters[1].ally_of == scene.fighters[0].id
    soldiers = [{"name": "A", "team": "Wolves"}, {"name": "B", "team": "wolves"}, {"name": "C", "team": "Warp"}]
    path.write_text(json.dumps({"game": "skuffle-wammer", "soldiers": soldiers}), encoding="utf-8")
    setup = load_setup(path, with_camera=False)
    assert isinstance(setup, Setup)
    assert [s.side for s in setup.soldiers] == ["Wolves", "Wolves", "Warp"]
    combatants = [
        {"name": "Ann", "side": "pc", "reflexes": 10},
        {"name": "Rat", "side": "npc", "reflexes": 10, "group": "Pack", "team": "Sewer"},
        {"name": "Bat", "side": "npc", "reflexes": 10, "group": "pack", "team": "sewer"},
    ]
    path.write_text(json.dumps({"game": "world-saga", "combatants": combatants}), encoding="utf-8")
    combat = load_setup(path, with_camera=False)
    assert isinstance(combat, CombatSetup)
    assert {(c.group, c.team) for c in combat.combatants[1:]} == {("Pack", "Sewer")}
