"""What score boards and overlays are told, and that they are told at once."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

from deskref.inputs import DealCards, EnterDie, PlaySkirmish, SkirmishSetup, StartGame
from deskref.page.plain_pages import USUAL_PARTS, overlay_page
from deskref.page.score import ScoreBoard, score_of
from deskref.page.world_saga_fields import first_fields, setup_of
from deskref.program import PRACTICE
from deskref.referee import step
from deskref.session import Session
from rules.skirmish.damage import Condition
from rules.skirmish.state import Fighter, Options, Skirmish
from tests.deskref.played_desk import LOKAN, PlayedDesk


def played() -> Session:
    session, _ = step(Session(), StartGame(setup=PRACTICE))
    return session


def test_the_score_has_ruling_turn_and_everybody() -> None:
    session, _ = step(played(), EnterDie(value=6))
    score = score_of(session)
    assert score["ruling"]["text"].startswith("Lokan hits")
    assert score["ruling"]["mark"] == "✸"
    assert score["turn"] == {"name": "Tarik", "side": 0}
    rows = {one["name"]: one for one in score["everybody"]}
    assert rows["Lokan"]["state"] == "■"
    assert [name for name, one in rows.items() if one["turn"]] == ["Tarik"]
    assert rows["Daemon"]["side"] != rows["Lokan"]["side"]


def test_a_refusal_is_shown_until_play_has_gone_on() -> None:
    """A die that does not exist was entered, then one that does: the refusal stayed in large type above the game."""
    desk = PlayedDesk()
    desk.tell(StartGame(setup=setup_of(first_fields())))
    before = score_of(desk.session)["ruling"]
    desk.tell(EnterDie(value=21))
    assert score_of(desk.session)["ruling"]["text"] == "A d20 shows 1 to 20, not 21."
    desk.tell(EnterDie(value=19))
    assert score_of(desk.session)["ruling"]["text"] == "Initiative of Lokan."
    heroes = (Fighter("lokan", Condition(5), name="Lokan"),)
    desk.tell(StartGame(setup=SkirmishSetup(heroes, 4, Options())))
    desk.tell(DealCards(cards=(("lokan", "9C"),)))
    desk.tell(PlaySkirmish(action=Skirmish("lokan", "Fighting", 8)))
    declared = score_of(desk.session)["ruling"]
    desk.tell(EnterDie(value=9))
    assert score_of(desk.session)["ruling"]["text"] == "A d8 shows 1 to 8, not 9."
    desk.tell(EnterDie(value=5))  # the first of two dice: nothing is ruled yet
    assert score_of(desk.session)["ruling"] == declared
    assert before["text"].startswith("The combat begins")


def test_nothing_is_shown_before_a_game() -> None:
    assert score_of(Session()) == {
        "ruling": None,
        "turn": None,
        "everybody": [],
        "tasks": [],
        "dice": [],
        "log": [],
    }


def test_unread_dice_on_the_desk_are_none() -> None:
    desk = PlayedDesk()
    desk.begin()
    desk.put_die(LOKAN, (0.0, 0.0), value=None)
    assert None in score_of(desk.session)["dice"]


def board(session: Session) -> tuple[ScoreBoard, Any]:
    game: Any = SimpleNamespace(session=session, is_film_over=False)
    return ScoreBoard(game), game


def test_the_number_grows_only_when_something_has_changed() -> None:
    scores, game = board(played())
    first, _ = scores.newest()
    assert scores.newest()[0] == first
    game.session, _ = step(game.session, EnterDie(value=6))
    number, data = scores.newest()
    assert number == first + 1
    assert json.loads(data)["ruling"]["text"].startswith("Lokan hits")


def test_a_waiting_request_is_answered_as_soon_as_something_changes() -> None:
    scores, game = board(played())

    async def wait() -> tuple[int, bytes]:
        first, _ = await scores.after(0)
        waiting = asyncio.create_task(scores.after(first))
        await asyncio.sleep(0)
        assert not waiting.done()
        game.session, _ = step(game.session, EnterDie(value=6))
        return await asyncio.wait_for(waiting, 5)

    number, data = asyncio.run(wait())
    assert number == 2
    assert b"Lokan hits" in data


def test_an_overlay_shows_the_parts_that_its_address_names() -> None:
    def parts(page: str) -> list[str]:
        return [piece.partition('"')[0] for piece in page.split('data-part="')[1:]]

    assert parts(overlay_page("dice,ruling,<script>,nonsense")) == ["dice", "ruling"]
    assert parts(overlay_page(None)) == list(USUAL_PARTS)
    assert parts(overlay_page("nonsense")) == list(USUAL_PARTS)
    assert "<script>,nonsense" not in overlay_page("<script>,nonsense")
