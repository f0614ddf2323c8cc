"""The form of a new game begins with what the last game of its kind had; what was filled in is not lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import pytest
from nicegui import ui

from deskref import language
from deskref.desk import Desk, DeskFigure
from deskref.inputs import CombatSetup, Setup, SkirmishSetup
from deskref.page import last_fields, new_game, skirmish_form, world_saga_fields
from deskref.page.choose_game import open_form
from deskref.page.language_choice import LanguageChoice
from deskref.page.notices import Notices
from deskref.page.site import Site
from deskref.settings import PageSettings, Settings
from rules.skirmish.state import Options
from rules.skuffle_state import TurnOrder
from tests.deskref.drawn_page import DrawnPage, ToldGame
from vision.observation import Pose


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    yield tmp_path
    language.use("en")


def form(game: ToldGame) -> DrawnPage:
    return DrawnPage(partial(open_form, game))


def test_a_second_skuffle_game_is_started_by_one_press_in_its_form() -> None:
    game = ToldGame()
    page = form(game)
    page.fill(ui.input, "Anna", number=0)
    page.fill(ui.toggle, 1, number=1)
    page.fill(ui.select, "B", label="Side", number=1)
    page.fill(ui.select, TurnOrder.TEAM_ALTERNATE.value, label="Turn order")
    page.press("Start")
    first = game.started[0].setup
    assert isinstance(first, Setup)
    assert (first.soldiers[0].name, first.options.minutes, first.soldiers[1].side) == ("Anna", 1, "B")
    again = form(game)
    assert "last game's" in again.text
    again.press("Start")
    assert game.started[1].setup == first


def test_the_last_game_is_kept_for_the_next_evening_and_its_kind_is_offered() -> None:
    game = ToldGame()
    page = form(game)
    page.fill(ui.toggle, "quick-skirmish")
    page.fill(ui.input, "Mirel", label="Name")
    page.press("Start")
    evening = ToldGame()
    assert evening.session.setup is None
    form(evening).press("Start")
    setup = evening.started[0].setup
    assert isinstance(setup, SkirmishSetup)
    assert setup == game.started[0].setup
    assert setup.fighters[0].name == "Mirel"


def test_a_combat_comes_back_with_its_places_and_agreements() -> None:
    game = ToldGame()
    page = form(game)
    page.fill(ui.toggle, "world-saga")
    page.fill(ui.number, 3, label="Column", number=0)
    page.fill(ui.checkbox, True, number=0)
    page.press("Start")
    form(game).press("Start")
    first, second = (start.setup for start in game.started)
    assert isinstance(first, CombatSetup)
    assert first.combatants[0].place == (3, 2)
    assert second == first


def test_the_last_game_can_be_forgotten() -> None:
    game = ToldGame()
    page = form(game)
    page.fill(ui.input, "Anna", number=0)
    page.press("Start")
    again = form(game)
    again.press("Begin afresh")
    assert again.values(ui.input) == ["Lokan", "Tarik", "Daemon", "Imp"]
    assert "last game's" not in again.text
    assert "Anna" not in form(game).values(ui.input)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"skuffle-wammer": 3}',
        '{"skuffle-wammer": {"minutes": 7, "rows": [], "agreed": {}}}',
        '{"skuffle-wammer": {"minutes": 3, "rows": [{"name": "A", "side": "Z"}, {"name": "B", "side": "A"}]}}',
        '{"quick-skirmish": {"heroes": [{"name": "A", "sides": 7}]}, "newest": "chess"}',
        '{"world-saga": {"ground": {"kind": "round"}}}',
    ],
)
def test_a_file_that_was_broken_by_hand_gives_the_usual_form(folder: Path, text: str) -> None:
    (folder / last_fields.FILE_NAME).write_text(text, encoding="utf-8")
    page = form(ToldGame())
    assert page.values(ui.input) == ["Lokan", "Tarik", "Daemon", "Imp"]
    for name in ("quick-skirmish", "world-saga"):
        page.fill(ui.toggle, name)
        assert page.values(ui.input, "Name")[0] == "Lokan"


@pytest.mark.parametrize(
    ("game", "part", "name"),
    [("world-saga", "ground", name) for name in ("columns", "rows", "cell_mm")]
    + [("world-saga", "rows", name) for name in ("column", "row", "reflexes", "fighting", "speed", "stamina", "base")]
    + [("quick-skirmish", "scene", name) for name in ("tokens", "leave_at", "bonus_at")]
    + [("quick-skirmish", "heroes", name) for name in ("toughness", "bennies")],
)
@pytest.mark.parametrize("number", ["Infinity", "NaN", "1e999", '"inf"', '"nan"'])
def test_numbers_that_nobody_can_count_give_the_usual_form(
    folder: Path, game: str, part: str, name: str, number: str
) -> None:
    begins_with_usual_fields(folder, game, part, name, number)


@pytest.mark.parametrize(
    ("game", "part", "name", "number"),
    [
        ("world-saga", "rows", "speed", "-1"),
        ("world-saga", "rows", "speed", "0.5"),
        ("world-saga", "rows", "stamina", "-1"),
        ("world-saga", "rows", "reflexes", "1e300"),
        ("world-saga", "rows", "column", "1e300"),
        ("world-saga", "rows", "group", '"guards"'),
        ("quick-skirmish", "scene", "leave_at", "0.5"),
        ("quick-skirmish", "scene", "tokens", "1" + 400 * "0"),
        ("quick-skirmish", "heroes", "toughness", "201"),
    ],
)
def test_what_the_rules_would_refuse_is_not_taken_up_again(
    folder: Path, game: str, part: str, name: str, number: str
) -> None:
    begins_with_usual_fields(folder, game, part, name, number)


def begins_with_usual_fields(folder: Path, game: str, part: str, name: str, number: str) -> None:
    """Break one value of a file that is sound otherwise; what it has besides must not be shown."""

    def begun() -> dict[str, object]:
        fields = world_saga_fields.begun(ToldGame()) if game == "world-saga" else skirmish_form.begun(ToldGame())
        return asdict(fields)

    usual = begun()
    kept = json.loads(json.dumps(usual))
    rows = kept["rows" if game == "world-saga" else "heroes"]
    rows[1]["name"] = "Mirel"
    path = folder / last_fields.FILE_NAME
    path.write_text(json.dumps({game: kept}), encoding="utf-8")
    assert "Mirel" in str(begun())
    of = kept[part]
    (of[0] if isinstance(of, list) else of)[name] = "HERE"
    path.write_text(json.dumps({game: kept}).replace('"HERE"', number), encoding="utf-8")
    assert begun() == usual


def test_figures_keep_the_names_that_they_had_and_the_rest_go_by_place() -> None:
    def figure(track: int, y: float) -> DeskFigure:
        return DeskFigure(track, (0.0, y), Pose.STANDING, 30.0, 25.0)

    class Watched(ToldGame):
        has_camera = True

    game = Watched()
    figures = (figure(1, -60.0), figure(2, 20.0), figure(3, 70.0))
    game.session = replace(game.session, desk=Desk(figures=figures), bindings=((3, "anna"),))
    last = [new_game.Row("Anna", "A"), new_game.Row("Bert", "B")]
    rows = new_game._placed(game, last)
    assert [(row.name, row.figure and row.figure.figure, row.side) for row in rows] == [
        ("Anna", 3, "A"),
        ("Bert", 1, "B"),
        ("Lokan", 2, "B"),
    ]


def test_what_is_kept_says_nothing_of_the_desk(folder: Path) -> None:
    place = DeskFigure(1, (0.0, 0.0), Pose.STANDING, 30.0, 25.0)
    fields = new_game.Fields(rows=[new_game.Row("A", "A", place), new_game.Row("B", "B")])
    last_fields.remember(folder, "skuffle-wammer", fields)
    kept = json.loads((folder / last_fields.FILE_NAME).read_text(encoding="utf-8"))
    assert kept["skuffle-wammer"]["rows"][0] == {"name": "A", "side": "A", "breed": "soldier"}


def test_a_folder_that_cannot_be_written_keeps_nobody_from_playing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    last_fields.remember(blocked, "quick-skirmish", skirmish_form.Fields())
    assert last_fields.remembered(blocked, "quick-skirmish", skirmish_form.Fields) is None


def test_what_was_filled_in_stays_while_another_game_is_looked_at() -> None:
    page = form(ToldGame())
    page.fill(ui.select, "C", label="Side", number=0)
    page.fill(ui.toggle, "world-saga")
    assert "C" not in page.values(ui.select)
    page.fill(ui.toggle, "skuffle-wammer")
    assert page.values(ui.select, "Side")[0] == "C"


@pytest.mark.parametrize("name", ["skuffle-wammer", "quick-skirmish", "world-saga"])
def test_a_half_filled_form_stays_when_another_window_changes_the_language(name: str) -> None:
    page = form(ToldGame())
    page.fill(ui.toggle, name)
    page.fill(ui.input, "Anna", label="Name")
    language.use("de")
    page.tick()
    assert page.values(ui.input, "Name")[0] == "Anna"
    assert "Beginnen" in page.text


@pytest.mark.parametrize("name", ["skuffle-wammer", "quick-skirmish", "world-saga"])
def test_a_start_that_is_pressed_twice_starts_one_game(name: str) -> None:
    game = ToldGame()
    page = form(game)
    page.fill(ui.toggle, name)
    page.press("Start")
    page.press("Start")
    assert len(game.started) == 1


def test_what_the_rules_refuse_is_said_and_not_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(ui, "notify", lambda text, **_: said.append(text))
    game = ToldGame()
    page = form(game)
    page.fill(ui.toggle, "quick-skirmish")
    with monkeypatch.context() as broken:
        broken.setattr(skirmish_form, "setup_of", lambda *_: SkirmishSetup((), 0, Options(), ()))
        page.press("Start")
    assert game.started == []
    assert not (folder / last_fields.FILE_NAME).exists()
    assert "cannot begin: a scene needs a hero" in said[0]
    page.press("Start")
    assert len(game.started) == 1
    assert (folder / last_fields.FILE_NAME).exists()


def test_a_window_says_what_the_referee_could_not_take(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said: list[str] = []
    monkeypatch.setattr(ui, "notify", lambda text, **_: said.append(text))
    game = ToldGame()
    page = DrawnPage(lambda: None)
    notices: list[Notices] = []
    page.run(lambda: notices.append(Notices(Site(game, tmp_path, Settings(), PageSettings()))))
    page.run(lambda: notices[0].refresh())
    assert said == []
    game.refused = (1, "two fighters are called 'a'")
    page.run(lambda: notices[0].refresh())
    page.run(lambda: notices[0].refresh())
    assert len(said) == 1
    assert "two fighters are called" in said[0]


def test_the_offered_combat_and_skirmish_are_the_usual_ones() -> None:
    assert world_saga_fields.begun(ToldGame()).rows[0].name == "Lokan"
    assert len(skirmish_form.begun(ToldGame()).heroes) == 3


def test_a_page_waits_for_its_dialogue_before_it_is_loaded_in_another_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another window's choice of language closed a half-filled form."""
    loaded: list[bool] = []
    monkeypatch.setattr(ui.navigate, "reload", lambda: loaded.append(True))
    monkeypatch.setattr(ui, "run_javascript", lambda _: None)
    choices: list[LanguageChoice] = []
    page = DrawnPage(lambda: choices.append(LanguageChoice()))
    dialogs: list[ui.dialog] = []
    page.run(lambda: dialogs.append(ui.dialog(value=True)))
    language.use("de")
    page.run(lambda: choices[0].follow())
    assert loaded == []
    dialogs[0].value = False
    page.run(lambda: choices[0].follow())
    assert loaded == [True]


def test_names_that_were_typed_go_along_to_the_form_of_another_game() -> None:
    """They were lost where another rule set was looked at; names that nobody typed stay each game's own."""
    game = ToldGame()
    page = form(game)
    page.fill(ui.input, "Anna", label="Name", number=0)
    page.fill(ui.toggle, "world-saga")
    assert page.values(ui.input, "Name")[:3] == ["Anna", "Vesta", "Raider"]
    page.fill(ui.input, "Vesta II", label="Name", number=1)
    page.fill(ui.toggle, "quick-skirmish")
    assert page.values(ui.input, "Name") == ["Anna", "Vesta II", "Vesta"]
    page.fill(ui.toggle, "skuffle-wammer")
    assert page.values(ui.input, "Name") == ["Anna", "Vesta II", "Daemon", "Imp"]
    page.fill(ui.input, "Imp", label="Name", number=0)  # of whom this game has another one
    page.fill(ui.toggle, "world-saga")
    assert page.values(ui.input, "Name")[0] == "Imp"


@pytest.mark.parametrize(
    ("name", "helped"),
    [
        ("skuffle-wammer", ["A ghoul", "a zombie", "a robot"]),
        ("quick-skirmish", ["Competence:", "Tactics:", "may leave", "Keep writes"]),
        ("world-saga", ["Boons help", "Walls stop", "under Group", "Keep writes"]),
    ],
)
def test_the_forms_say_what_their_words_mean(name: str, helped: list[str]) -> None:
    page = form(ToldGame())
    page.fill(ui.toggle, name)
    assert [words for words in helped if words not in page.text] == []
