"""The forms of Quick Skirmish and World Saga: what they mean, and what they say is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from nicegui import ui

from deskref.characters import Character, CombatPart, SkirmishPart, keep_character, load_character
from deskref.page import new_game, skirmish_form, world_saga_fields, world_saga_form
from deskref.page.agreements import DEGREES, CombatAgreed, SkuffleAgreed
from deskref.page.kept_characters import keep
from deskref.page.skirmish_form import HeroRow, SceneRow
from deskref.page.world_saga_fields import Fields, first_fields
from rules.grid import CornerRule, SquareBoard
from rules.sight import SightRules
from rules.skirmish.state import MilestoneEffect
from rules.skuffle_state import Options, TurnOrder
from rules.world_saga.actions import Begin
from rules.world_saga.combat import new_combat, resolve
from rules.world_saga.state import BoonMode, DegreeTable, InitiativeMode, Phase, Settings
from tests.deskref.drawn_page import DrawnPage


def test_heroes_allies_and_milestones_become_a_set_up() -> None:
    heroes = [HeroRow("Lokan"), HeroRow("Old Hound", toughness=4, bennies=0, ally_of="Lokan")]
    scene = SceneRow(6, competence=1, leave_at=3, bonus_at=2)
    assert skirmish_form.wrong(heroes, scene) == ""
    setup = skirmish_form.setup_of(heroes, scene)
    assert [(f.id, f.label, f.ally_of) for f in setup.fighters] == [
        ("lokan", "Lokan", None),
        ("old hound", "Old Hound", "lokan"),
    ]
    assert (setup.tokens, setup.options.competence) == (6, 1)
    assert [(m.tokens, m.effect) for m in setup.options.milestones] == [
        (3, MilestoneEffect.LEAVE),
        (2, MilestoneEffect.NEXT_ROLL),
    ]


@pytest.mark.parametrize(
    ("heroes", "tokens", "says"),
    [
        ([HeroRow(" ")], 3, "needs a name"),
        ([HeroRow("A"), HeroRow("a")], 3, "Two heroes"),
        ([HeroRow("A", ally_of="B")], 3, "nobody's ally"),
        ([HeroRow("A"), HeroRow("B", ally_of="C")], 3, "no hero here"),
        ([HeroRow("A", toughness=None)], 3, "every number"),
        ([HeroRow("A")], None, "every number"),
        ([HeroRow("A")], 0, "Tokens of the foes: a whole number from 1 to 200."),
        ([HeroRow("A")], 201, "from 1 to 200"),
        ([HeroRow("A")], 2.5, "a whole number"),
        ([HeroRow("A", toughness=201)], 3, "A: Toughness: a whole number from 1 to 40."),
        ([HeroRow("A", toughness=0)], 3, "from 1 to 40"),
        ([HeroRow("A", bennies=21)], 3, "from 0 to 20"),
        ([], 3, "nobody's ally"),
    ],
)
def test_a_broken_skirmish_form_says_what_is_wrong(heroes: list[HeroRow], tokens: float | None, says: str) -> None:
    assert says in skirmish_form.wrong(heroes, SceneRow(tokens))


def test_what_the_combat_form_offers_can_be_started() -> None:
    fields = first_fields()
    assert world_saga_fields.wrong(fields) == ""
    setup = world_saga_fields.setup_of(fields)
    assert setup.board is not None
    assert (setup.board.columns, setup.board.rows, len(setup.board.walls)) == (12, 8, 3)
    assert [c.place for c in setup.combatants] == [(1, 2), (1, 5), (10, 2), (10, 5)]


def changed(change: Callable[[Fields], None]) -> Fields:
    fields = first_fields()
    change(fields)
    return fields


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda f: setattr(f.rows[0], "name", ""), "needs a name"),
        (lambda f: setattr(f.rows[0], "name", "vesta"), "Two combatants"),
        (lambda f: [setattr(row, "side", "pc") for row in f.rows], "Game Master's side"),
        (lambda f: setattr(f.rows[0], "column", 12), "outside the board"),
        (lambda f: setattr(f.rows[0], "column", 5), "in a wall"),
        (lambda f: setattr(f.rows[0], "row", 5), "stands where"),
        (lambda f: setattr(f.rows[0], "speed", None), "needs Reflexes"),
        (lambda f: setattr(f.rows[0], "group", "x"), "alone"),
        (lambda f: setattr(f.rows[0], "speed", -1), "Lokan: Speed: a whole number from 0 to 100."),
        (lambda f: setattr(f.rows[0], "stamina", -1), "from 0 to 1000"),
        (lambda f: setattr(f.rows[0], "reflexes", 1e300), "from -20 to 40"),
        (lambda f: setattr(f.rows[0], "reflexes", 1e16), "from -20 to 40"),
        (lambda f: setattr(f.rows[0], "fighting", 41), "from -20 to 40"),
        (lambda f: setattr(f.rows[0], "column", 1e300), "outside the board"),
        (lambda f: setattr(f.rows[0], "base", 1.5), "a base covers"),
        (lambda f: setattr(f.ground, "cell_mm", 1e300), "from 1 to 1000"),
        (lambda f: setattr(f.ground, "walls", "5;3"), "no list of squares"),
    ],
)
def test_a_broken_combat_form_says_what_is_wrong(change: Callable[[Fields], None], says: str) -> None:
    assert says in world_saga_fields.wrong(changed(change))


@pytest.mark.parametrize(
    ("text", "meant"),
    [("", ()), ("5,3", ((5, 3),)), (" 5,3  6,4; 5,3 ", ((5, 3), (6, 4))), ("5", None), ("a,b", None)],
)
def test_lists_of_squares_are_read(text: str, meant: object) -> None:
    assert world_saga_fields.squares(text) == meant


@pytest.mark.parametrize(("kind", "place"), [("squares", (1, 2)), ("hexes", (0, 2)), ("free", (30.0, 40.0))])
def test_each_kind_of_board_can_be_started(kind: str, place: tuple[float, float]) -> None:
    """Column 1, row 2 of a hex mat is the rules' (0, 2), whose columns are slanted."""
    fields = first_fields()
    fields.ground.kind = kind
    fields.ground.walls = fields.ground.difficult = ""
    for n, row in enumerate(fields.rows):
        if kind == "free":
            row.column, row.row = 30.0 + 20 * n, 40.0
    assert world_saga_fields.wrong(fields) == ""
    setup = world_saga_fields.setup_of(fields)
    assert setup.combatants[0].place == place
    combat = new_combat(setup.combatants, board=setup.board, settings=setup.settings)
    assert resolve(combat, Begin()).state.phase is Phase.INITIATIVE


def test_a_row_of_each_form_is_kept_as_a_character_and_comes_back() -> None:
    hero = HeroRow("Lokan", "Shooting", 10, 6, 8, 4, 2)
    assert asdict(skirmish_form.row_of(skirmish_form.character_of(hero))) == asdict(hero)
    row = first_fields().rows[0]
    row.focus, row.courage, row.strike_cost, row.others = 7, 3, 2, "Stealth 15, Arcana 4"
    again = world_saga_fields.row_of(world_saga_fields.character_of(row))
    again.column, again.row = row.column, row.row
    assert asdict(again) == asdict(row)


def test_a_row_with_an_impossible_number_is_not_kept() -> None:
    with pytest.raises(ValueError, match="toughness"):
        skirmish_form.character_of(HeroRow("Lokan", toughness=None))


def test_what_is_agreed_on_is_the_rules_own_until_it_is_changed() -> None:
    assert SkuffleAgreed().options(5) == Options()
    assert CombatAgreed().settings(initiative=InitiativeMode.EACH_ROUND, boons=BoonMode.REPORT_ONLY) == Settings()
    assert (SkuffleAgreed().wrong(), CombatAgreed().wrong()) == ("", "")


def test_what_is_agreed_on_reaches_the_rules() -> None:
    skuffle = SkuffleAgreed("team_alternate", True, "a4", None, None, 120, 5, 40, 50)
    assert skuffle.wrong() == ""
    assert skuffle.options(3) == Options(
        minutes=3,
        turn_order=TurnOrder.TEAM_ALTERNATE,
        strict=True,
        area_mm=(210.0, 297.0),
        max_move_mm=120,
        melee_gap_mm=5,
        vantage_mm=40,
        cover_share=0.5,
    )
    assert SkuffleAgreed(area="own", width_mm=300, depth_mm=250).options(5).area_mm == (300, 250)
    fields = first_fields()
    fields.agreed = CombatAgreed(True, True, 2, 3, 8, "both", dict(zip(DEGREES, (1, 2, 4, 6), strict=True)))
    assert world_saga_fields.wrong(fields) == ""
    setup = world_saga_fields.setup_of(fields)
    assert setup.settings == Settings(
        damage_table=DegreeTable(1, 2, 4, 6),
        weary_penalty=3,
        horror=True,
        strides_per_turn=2,
        engaged_gap_mm=8,
        strict=True,
    )
    assert isinstance(setup.board, SquareBoard)
    assert setup.board.corners is CornerRule.BOTH
    fields.agreed = CombatAgreed(cover_percent=25, greater_percent=75, creatures_cover=True, lean=True)
    assert world_saga_fields.wrong(fields) == ""
    chosen = SightRules(cover_from=0.25, greater_from=0.75, creatures_cover=True, lean=True)
    assert world_saga_fields.setup_of(fields).settings == Settings(sight=chosen)


@pytest.mark.parametrize(
    ("agreed", "says"),
    [
        (SkuffleAgreed(melee_gap_mm=-1), "Melee up to this gap, in mm: from 0 to 100."),
        (SkuffleAgreed(max_move_mm=0), "from 1 to 5000"),
        (SkuffleAgreed(vantage_mm=None), "from 1 to 500"),
        (SkuffleAgreed(cover_percent=101), "from 1 to 100"),
        (SkuffleAgreed(area="own", width_mm=5), "Width in mm: from 50 to 5000."),
        (CombatAgreed(strides_per_turn=0), "from 1 to 10"),
        (CombatAgreed(weary_penalty=None), "from 0 to 20"),
        (CombatAgreed(engaged_gap_mm=501), "from 0 to 500"),
        (CombatAgreed(cover_percent=0), "Cover from this share hidden, in %: from 1 to 100."),
        (CombatAgreed(greater_percent=99), "from 1 to 98"),
        (CombatAgreed(cover_percent=70), "Greater cover begins at a greater share"),
        (CombatAgreed(cover_percent=62.5), "Greater cover begins at a greater share"),
        (CombatAgreed(damage=dict(zip(DEGREES, (1, 2, 3, None), strict=True))), "four numbers from 0 to 100"),
        (CombatAgreed(defence=dict(zip(DEGREES, (4, 2, 3, 4), strict=True))), "none less than the one before"),
        (CombatAgreed(defence=dict(zip(DEGREES, (1, 2, 3, 400), strict=True))), "What a defence takes off"),
    ],
)
def test_an_agreement_that_cannot_be_is_named(agreed: SkuffleAgreed | CombatAgreed, says: str) -> None:
    assert says in agreed.wrong()


def test_what_lies_off_the_board_and_a_group_that_is_somebody_are_named() -> None:
    fields = first_fields()
    fields.ground.walls += f" {fields.ground.columns},0"
    assert world_saga_fields.wrong(fields) == f"The square {fields.ground.columns},0 lies outside the board."
    fields = first_fields()
    pc = next(row for row in fields.rows if row.side == "pc")
    npcs = [row for row in fields.rows if row.side == "npc"]
    npcs[0].group = pc.name
    assert f"A group is called {pc.name}" in world_saga_fields.wrong(fields)
    npcs[0].group = npcs[1].group = npcs[0].name
    assert world_saga_fields.wrong(fields) == ""


def test_a_large_base_covers_squares_and_stands_on_no_wall_and_nobody() -> None:
    """A giant on two squares by two: its place is the top left one."""
    fields = first_fields()
    giant = fields.rows[3]
    giant.base = 2
    assert world_saga_fields.wrong(fields) == ""
    combatant = world_saga_fields.setup_of(fields).combatants[3]
    assert (combatant.footprint, combatant.base_radius_mm) == ((2, 2), 25.4)
    for column, row, says in (
        (11, 5, "Brute stands outside the board"),
        (4, 1, "Brute stands outside the board or in a wall"),
        (9, 1, "Brute stands where Raider stands"),
    ):
        giant.column, giant.row = column, row
        assert says in world_saga_fields.wrong(fields)
    giant.column, giant.row, giant.base = 10, 5, 7
    assert "Brute: a base covers 1 to 6 squares" in world_saga_fields.wrong(fields)
    giant.base, fields.ground.kind = 2, world_saga_fields.HEXES
    assert "on hexes everybody stands on one" in world_saga_fields.wrong(fields)
    fields.ground.kind = world_saga_fields.FREE
    for row_, (giant_x, giant_y) in zip(fields.rows, ((30, 30), (30, 90), (150, 30), (150, 90)), strict=True):
        row_.column, row_.row = giant_x, giant_y
    assert world_saga_fields.wrong(fields) == ""
    assert world_saga_fields.setup_of(fields).combatants[3].base_radius_mm == 25.4
    assert world_saga_fields.setup_of(fields).combatants[3].footprint == (1, 1)


def test_further_ranks_and_reserves_are_played_and_named_where_they_are_wrong() -> None:
    fields = first_fields()
    row = fields.rows[0]
    row.focus, row.courage, row.strike_cost, row.others = 7, None, 2, "stealth 15; Lore of Kings: -2,, fighting 3"
    assert world_saga_fields.wrong(fields) == ""
    combatant = world_saga_fields.setup_of(fields).combatants[0]
    assert dict(combatant.ranks) == {"Stealth": 15, "Lore of Kings": -2, "Fighting": 10, "Shooting": 10, "Resolve": 10}
    assert (combatant.focus, combatant.courage, combatant.strike_cost) == (7, None, 2)
    for others in ("Stealth", "12", "Stealth 999", "Stealth twelve", "x" * 31 + " 3"):
        row.others = others
        assert "Lokan: write other Ranks as a list" in world_saga_fields.wrong(fields)
    row.others, row.focus = "", 1e9
    assert "Focus" in world_saga_fields.wrong(fields)


def test_keeping_a_row_changes_only_what_the_form_has_fields_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    monkeypatch.setattr(ui, "notify", lambda *_, **__: None)
    part = CombatPart(
        reflexes=12, ranks={"Fighting": 11, "Stealth": 15, "Arcana": 4}, speed=5, focus=7, courage=3, strike_cost=2
    )
    path = keep_character(tmp_path, Character(name="Lokan", quick_skirmish=SkirmishPart(die=12), world_saga=part))
    row = world_saga_fields.row_of(load_character(path))
    row.name, row.fighting, row.resolve, row.speed = "lokan", None, 9, None
    keep(world_saga_fields.character_of, row)
    again = load_character(path)
    ranks = {"Stealth": 15, "Arcana": 4, "Resolve": 9}
    assert again.world_saga == CombatPart(reflexes=12, ranks=ranks, focus=7, courage=3, strike_cost=2)
    assert again.quick_skirmish == SkirmishPart(die=12)
    keep(skirmish_form.character_of, HeroRow("Lokan", sides=4))
    last = load_character(path)
    assert (last.quick_skirmish, last.world_saga) == (SkirmishPart(die=4), again.world_saga)


def test_who_is_kept_is_offered_at_once_and_who_lacks_this_games_numbers_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The choice was drawn only when the form was opened again, and nothing said why somebody was not in it."""
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    said: list[dict[str, object]] = []
    monkeypatch.setattr(ui, "notify", lambda *_, **given: said.append(given))
    keep_character(tmp_path, Character(name="Vesta", world_saga=CombatPart()))
    fields = skirmish_form.Fields([HeroRow("Lokan")], SceneRow(4))
    page = DrawnPage(lambda: skirmish_form._Form(fields, lambda _: None, lambda: None))
    assert "Vesta is kept with another game's numbers only" in page.text
    assert page.values(ui.select, "A kept character takes part") == []
    page.press("Keep")
    assert said == [{"type": "positive", "position": "top"}]  # below stand the form's last buttons
    assert page.values(ui.select, "A kept character takes part") == [None]
    page.fill(ui.select, "Lokan", label="A kept character takes part")
    assert [row.name for row in fields.heroes] == ["Lokan"]


@pytest.mark.parametrize(("name", "value"), [("group", "guards"), ("speed", -1), ("stamina", -1), ("reflexes", 1e300)])
def test_the_board_is_drawn_while_a_row_cannot_be_yet(name: str, value: object) -> None:
    fields = first_fields()
    forms: list[world_saga_form._Form] = []
    DrawnPage(lambda: forms.append(world_saga_form._Form(fields, lambda _: None, lambda: None)))
    setattr(fields.rows[0], name, value)
    fields.rows[1].column = 3
    forms[0].draw()
    moved = forms[0].drawing.content
    fields.rows[1].column = 1e300
    forms[0].draw()
    assert "Vesta" in moved
    assert "Vesta" not in forms[0].drawing.content
    forms[0].add()
    assert len(fields.rows) == 5


def test_who_is_added_stands_beside_a_large_base() -> None:
    fields = first_fields()
    fields.ground.walls = fields.ground.difficult = ""
    fields.ground.columns, fields.ground.rows = 6, 6
    del fields.rows[3]
    for row, place in zip(fields.rows, ((0, 0), (0, 1), (1, 1)), strict=True):
        row.column, row.row = place
    fields.rows[2].base = 5
    forms: list[world_saga_form._Form] = []
    DrawnPage(lambda: forms.append(world_saga_form._Form(fields, lambda _: None, lambda: None)))
    assert world_saga_fields.wrong(fields) == ""
    for _ in range(4):
        forms[0].add()
        assert world_saga_fields.wrong(fields) == ""


def test_an_added_name_looks_like_nobodys() -> None:
    heroes = [HeroRow("lokan"), HeroRow("TARIK"), HeroRow("Vesta"), HeroRow("Borin"), HeroRow("Hero 6")]
    for _ in range(3):
        heroes.append(HeroRow(*skirmish_form.free_hero(heroes)))
    assert skirmish_form.wrong(heroes, SceneRow(6)) == ""
    rows = [new_game.Row(name.lower(), "A") for name in new_game.NAMES] + [new_game.Row("Soldier 10", "B")]
    for _ in range(3):
        rows.append(new_game.Row(new_game._free_name(rows), "B"))
    assert new_game._what_is_wrong(rows) == ""


def test_soldiers_of_one_name_are_named() -> None:
    rows = [new_game.Row("Lokan", "A"), new_game.Row("Imp", "B"), new_game.Row(" lokan ", "B")]
    assert new_game._what_is_wrong(rows) == "Two soldiers are called Lokan."


def test_names_that_differ_by_a_hyphen_are_two_heroes() -> None:
    heroes = [HeroRow("A B"), HeroRow("A-B")]
    assert skirmish_form.wrong(heroes, SceneRow(6)) == ""
    assert len({fighter.id for fighter in skirmish_form.setup_of(heroes, SceneRow(6)).fighters}) == 2
