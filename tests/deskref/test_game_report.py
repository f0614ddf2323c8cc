"""The report of a game: courses, rolls against their exact chances, whose dice they were, and the files of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deskref import language
from deskref.dice_fairness import fairness_of
from deskref.game_report import Line, Report, Throws, report_as_json, report_of
from deskref.inputs import DealCards, EnterDie, PlaySkirmish, Setup, Source, StartGame, Undo
from deskref.luck import Verdict, luck_of
from deskref.report_html import HEIGHT, course_html, faces_svg, report_file, report_html, verdict_words
from deskref.session import Session
from rules.skirmish.state import Skirmish
from tests.deskref.played_desk import PlayedDesk, skirmish_setup
from tests.deskref.test_camera_dice import combat, damage, skirmish, throw_together


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    language.use("en")


def skuffle(*values: int) -> PlayedDesk:
    desk = PlayedDesk()
    setup: Setup = skirmish_setup(with_camera=False)
    desk.tell(StartGame(setup=setup))
    for value in values:
        desk.tell(EnterDie(value=value, source=Source.TYPED))
    return desk


def report(desk: PlayedDesk) -> Report:
    made = report_of(desk.session)
    assert made is not None
    return made


def test_before_a_game_there_is_no_report() -> None:
    assert report_of(Session()) is None
    assert "No game" in report_html(None, None)


def test_pools_go_down_page_by_page() -> None:
    """Lokan (2 dice) attacks and hits: his pool and his target's fall by one."""
    made = report(skuffle(6))
    by_name = {line.name: line.values for line in made.lines}
    assert by_name["Lokan"] == (2, 1)
    assert sorted(values[-1] for values in by_name.values()) == [1, 1, 2, 2]
    assert {line.measure for line in made.lines} == {"pool"}


def test_hits_are_held_against_the_exact_chances() -> None:
    """Two shots at 4 or more, without any bonus, are one expected hit."""
    made = report(skuffle(6, 1))
    assert [(a.name, a.rolls, a.successes) for a in made.attempts] == [("Lokan", 1, 1), ("Tarik", 1, 0)]
    assert sum(a.expected for a in made.attempts) == pytest.approx(1.0)


def test_what_was_taken_back_is_in_no_report() -> None:
    desk = skuffle(6, 1)
    desk.tell(Undo())
    made = report(desk)
    assert [a.name for a in made.attempts] == ["Lokan"]
    assert [t.name for t in made.throws] == ["Lokan"]


def test_dice_belong_to_who_threw_them_with_their_sources() -> None:
    desk = skuffle(6)
    desk.tell(EnterDie(value=2, source=Source.SIMULATED))
    made = report(desk)
    assert [(t.name, t.luck.counts, t.by_source) for t in made.throws] == [
        ("Lokan", (0, 0, 0, 0, 0, 1), ((Source.TYPED, 1),)),
        ("Tarik", (0, 1, 0, 0, 0, 0), ((Source.SIMULATED, 1),)),
    ]


def test_a_roll_that_aced_counts_once_with_its_first_chance() -> None:
    """d8 and wild d6 against 4: 1 - 3/8 * 3/6 = 13/16."""
    desk = skirmish(8)
    for value in (8, 2, 1):
        desk.tell(EnterDie(value=value))
    (attempt,) = report(desk).attempts
    assert (attempt.rolls, attempt.successes) == (1, 1)
    assert attempt.expected == pytest.approx(13 / 16)


def test_damage_to_a_hero_is_the_tables_luck_and_no_success() -> None:
    desk = damage()
    throw_together(desk, 3, 4, 2)
    made = report(desk)
    assert [(a.rolls, a.successes) for a in made.attempts] == [(1, 0)]
    thrown = {(t.name, t.luck.sides, t.luck.throws) for t in made.throws}
    assert thrown == {("", 6, 3), ("Lokan", 8, 1), ("Lokan", 6, 1)}
    by_name = {(line.name, line.measure): line.values[-1] for line in made.lines}
    assert by_name["Lokan", "wounds"] == 1
    assert by_name["", "tokens"] == 8


def test_initiative_is_luck_and_no_success() -> None:
    desk = combat()
    desk.tell(EnterDie(value=12))
    made = report(desk)
    assert made.attempts == ()
    assert [(t.name, t.luck.sides) for t in made.throws] == [("Lokan", 20)]


def test_a_pool_below_zero_is_drawn_below_zero() -> None:
    """A soldier that has spent its last die and is hit goes to -1."""
    desk = PlayedDesk()
    desk.tell(StartGame(setup=skirmish_setup(minutes=1, with_camera=False)))
    for value in (1, 1, 6):  # Lokan and Tarik miss and have no die left; the Daemon hits
        desk.tell(EnterDie(value=value))
    made = report(desk)
    (below,) = [line for line in made.lines if line.values[-1] < 0]
    assert below.values[-1] == -1
    drawn = course_html(made.lines, "dice")
    ticks = re.findall(r'class="tick" style="top:([\d.]+)px">(-?\d+)<', drawn)
    assert [number for _, number in ticks] == ["-1", "0", "1"]
    assert [float(top) for top, _ in ticks] == [HEIGHT, HEIGHT / 2, 0.0]
    assert "NaN" not in drawn


def test_a_course_has_the_colour_of_its_side_and_a_dash_of_its_own() -> None:
    """Lokan and Tarik are wolves, Daemon and Imp the warp: the report had given each a colour of some side."""
    made = report(skuffle(6))
    assert [(line.name, line.side) for line in made.lines] == [("Lokan", 0), ("Tarik", 0), ("Daemon", 1), ("Imp", 1)]
    line = r'class="course-line" stroke="var\(--side(\d)\)"( stroke-dasharray="[^"]+")? d="M0\.0 '
    drawn = re.findall(line, report_html(made, None))
    assert [side for side, _ in drawn] == ["0", "0", "1", "1"]
    assert len({dash for _, dash in drawn}) == 4


def test_the_sources_of_dice_are_said_with_their_number() -> None:
    """A die that was typed in was told as "typed 1", as if a 1 had been typed."""
    assert "1 throw typed in by hand" in report_html(report(skuffle(6)), None)
    language.use("de")
    assert "1 Wurf von Hand eingegeben" in report_html(report(skuffle(6)), None)


def test_a_long_course_keeps_its_zero_beside_it() -> None:
    line = Line("a", "A", "stamina", (17, 3, -4))
    ticks = re.findall(r'class="tick"[^>]*>(-?\d+)<', course_html((line,), "Stamina"))
    assert "0" in ticks
    assert int(ticks[0]) <= -4
    assert len(ticks) <= 7


def test_simulated_dice_are_chance_and_nothing_to_watch() -> None:
    luck = luck_of([6] * 12, 6)
    assert "Such dice may well not be fair" in verdict_words(luck)
    assert "chance alone" in verdict_words(luck, is_simulated=True)
    desk = skuffle()
    thrown = (Throws("a", "A", luck, ((Source.SIMULATED, 12),)), Throws("b", "B", luck, ((Source.TYPED, 12),)))
    desk.tell(EnterDie(value=6))
    html = report_html(replace(report(desk), throws=thrown), None)
    assert html.count("simulated and fair") == html.count("may well not be fair") == 1


@pytest.mark.parametrize("code", ["de", "es"])
def test_numbers_of_the_report_have_the_languages_comma(code: str) -> None:
    language.use(code)
    made = replace(report(skuffle(6, 1)), throws=(Throws("a", "A", luck_of([1, 2] * 20, 6), ((Source.TYPED, 40),)),))
    text = re.sub(r"<[^>]*>", " ", report_html(made, None))
    assert "0,5" in text
    assert "1,50" in text
    assert "&lt; 0,1" in text
    assert not re.search(r"\d\.\d", text)


def test_a_game_that_is_not_recorded_says_that_its_dice_are_not_counted(tmp_path: Path) -> None:
    """The demo's report told of dice read by a camera, and of none in no recorded game."""
    made = report(skuffle(6))
    text = report_html(made, fairness_of(tmp_path), is_recorded=False)
    assert "No game has been recorded yet." in text
    assert "it is not recorded" in text
    assert "it is not recorded" not in report_html(made, fairness_of(tmp_path))


@pytest.mark.parametrize(
    ("code", "one", "two"),
    [("en", "A has won.", "A and B have won."), ("de", "A hat gewonnen.", "A und B haben gewonnen.")],
)
def test_who_has_won_is_said_of_one_and_of_several(code: str, one: str, two: str) -> None:
    language.use(code)
    made = report(skuffle(6))
    assert one in report_html(replace(made, winners=("A",)), None)
    assert two in report_html(replace(made, winners=("A", "B")), None)


def test_rolls_that_a_correction_plays_again_count_once(tmp_path: Path) -> None:
    corrected: dict[str, object] = {"line": "signal", "n": 2, "type": "corrected", "die": 3, "value": 2}
    before = (rest(3, 5, "red"), roll(3, 5), rest(4, 6, "red"), roll(4, 6))
    journal(tmp_path, "a", *before, corrected, roll(3, 2, "typed"), roll(4, 6), rest(4, 1, "red"), roll(4, 1))
    (red,) = fairness_of(tmp_path).colours
    assert red.luck.counts == (1, 1, 0, 0, 0, 1)


def test_dice_of_the_tray_count_with_their_colour(tmp_path: Path) -> None:
    tray: dict[str, object] = {"line": "input", "type": "InTray", "die": -1, "value": 4, "colour": "blue"}
    journal(tmp_path, "a", tray, roll(-1, 4), {**tray, "value": 2, "is_new": True}, roll(-1, 2))
    (blue,) = fairness_of(tmp_path).colours
    assert (blue.colour, blue.luck.counts) == ("blue", (0, 1, 0, 1, 0, 0))


def test_the_report_as_json_names_everything() -> None:
    data = report_as_json(report(skuffle(6, 1)))
    assert json.loads(json.dumps(data)) == data
    assert data["game"] == "skuffle-wammer"
    assert data["rolls"][0] == {"who": "Lokan", "rolls": 1, "successes": 1, "expected": 0.5}
    assert data["dice"][0]["counts"] == [0, 0, 0, 0, 0, 1]
    assert data["course"][0]["values"][0] == 2


@pytest.mark.parametrize("code", ["en", "de", "es"])
def test_the_report_is_a_file_that_stands_alone_in_each_language(code: str) -> None:
    language.use(code)
    text = report_file(report(skuffle(6, 1)), None)
    assert f'<html lang="{code}">' in text
    assert "<svg" in text
    assert "http" not in text.replace("http-equiv", "")
    assert "Lokan" in text


def test_names_cannot_break_the_report() -> None:
    desk = skirmish(8)
    desk.tell(DealCards(cards=(("lokan", "9H"),)))
    desk.tell(PlaySkirmish(action=Skirmish("lokan", "<b>", 8)))
    made = report(desk)
    hurt = Report(made.game, False, 1, ("<script>",), made.lines, made.attempts, made.throws)
    assert "<script>" not in report_html(hurt, None)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([1, 2, 3], "too few"),
        ([1, 2, 3, 4, 5, 6] * 4, "As fair dice do: 100 of 100"),
        ([6] * 12 + [1, 2, 3, 4, 5], "Very uneven"),
        ([6] * 40, "only < 0.1 of 100"),
    ],
)
def test_the_test_is_told_in_words(values: list[int], says: str) -> None:
    assert says in verdict_words(luck_of(values, 6))


def journal(folder: Path, name: str, *lines: dict[str, object]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def rest(die: int, value: int | None, colour: str | None) -> dict[str, object]:
    return {
        "line": "event",
        "frame": 1,
        "time_s": 1.0,
        "type": "die_rest",
        "die": die,
        "value": value,
        "colour": colour,
    }


def roll(die: int, value: int, source: str = "camera") -> dict[str, object]:
    return {"line": "signal", "n": 1, "type": "roll", "die": die, "value": value, "source": source}


def test_the_dice_of_all_games_are_tested_by_colour(tmp_path: Path) -> None:
    journal(tmp_path, "a", *(line for n in range(10) for line in (rest(n, 6, "blue"), roll(n, 6))))
    journal(tmp_path, "b", rest(1, 3, "blue"), roll(1, 3), rest(2, 4, "ivory"), roll(2, 4))
    found = fairness_of(tmp_path)
    assert [(c.colour, c.luck.throws, c.games) for c in found.colours] == [("blue", 11, 2), ("ivory", 1, 1)]
    assert found.colours[0].luck.verdict is Verdict.VERY_ODD
    assert (found.games, found.broken) == (2, 0)
    assert "blue" in report_html(None, found)


def test_a_journal_of_several_games_counts_them_all(tmp_path: Path) -> None:
    """The second start is of a game that nobody played."""
    start: dict[str, object] = {"line": "input", "type": "StartGame"}
    again = (start, start, rest(2, 4, "blue"), roll(2, 4))
    journal(tmp_path, "a", start, rest(1, 3, "blue"), roll(1, 3), *again, start)
    found = fairness_of(tmp_path)
    assert [(c.colour, c.luck.throws, c.games) for c in found.colours] == [("blue", 2, 2)]
    assert found.games == 2


def test_only_counted_camera_dice_count_and_corrected_ones_as_corrected(tmp_path: Path) -> None:
    corrected: dict[str, object] = {
        "line": "signal",
        "n": 2,
        "type": "corrected",
        "die": 3,
        "value": 2,
        "source": "typed",
    }
    journal(
        tmp_path,
        "a",
        rest(1, 5, "red"),  # never counted
        rest(2, 5, "red"),
        roll(2, 5, "typed"),
        rest(3, 5, "red"),
        roll(3, 5),
        corrected,
        rest(4, None, "red"),
        {**rest(4, 6, "red"), "type": "die_value"},
        roll(4, 6),
    )
    (red,) = fairness_of(tmp_path).colours
    assert red.luck.counts == (0, 1, 0, 0, 0, 1)


def test_a_d20_thrown_with_a_six_sided_die_counts_as_the_pips_that_lay_there(tmp_path: Path) -> None:
    journal(tmp_path, "a", rest(1, 3, "red"), roll(1, 13))
    (red,) = fairness_of(tmp_path).colours
    assert red.luck.counts == (0, 0, 1, 0, 0, 0)


def test_a_broken_line_spoils_only_itself(tmp_path: Path) -> None:
    path = journal(tmp_path, "a", rest(1, 3, "red"), roll(1, 3))
    path.write_text(path.read_text(encoding="utf-8") + '{"line":"event", "ty', encoding="utf-8")
    found = fairness_of(tmp_path)
    assert found.broken == 1
    assert found.colours[0].luck.throws == 1


def test_no_folder_is_no_games(tmp_path: Path) -> None:
    found = fairness_of(tmp_path / "none")
    assert (found.games, found.colours) == (0, ())


LONG = "Sergeant Brunhilde Ironside of the Seventh"


def with_long_names() -> Report:
    made = report(skuffle(6, 1))
    return replace(made, lines=tuple(replace(line, name=f"{LONG} {n}") for n, line in enumerate(made.lines)))


def test_names_in_a_course_are_words_and_none_is_left_out() -> None:
    """In the drawing itself they shrank with it on a phone, or were cut at its edge."""
    html = report_html(with_long_names(), None)
    for n in range(4):
        assert f'<li style="color:var(--side{n // 2})"' in html
        assert f"{LONG} {n}: 2 → " in html
    courses = re.findall(r'<svg class="course".*?</svg>', html)
    assert courses
    assert not [course for course in courses if "<text" in course]


def test_the_bars_of_faces_are_named_below() -> None:
    names = [re.findall(r"<text[^>]*>(\d+)</text>", faces_svg(luck_of((1, 2, 3), sides))) for sides in (6, 20)]
    assert names == [["1", "2", "3", "4", "5", "6"], ["1", "5", "10", "15", "20"]]
