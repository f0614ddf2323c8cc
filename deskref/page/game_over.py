"""The card of a game that is over: who has won and why, the report, the same game again, another one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from html import escape

from nicegui import ui

from deskref.game_report import outcome_of
from deskref.inputs import AnySetup, Setup, StartGame
from deskref.language import say
from deskref.live import LiveGame
from deskref.page.choose_game import open_form
from deskref.page.keys import key
from deskref.page.overlay import side_of
from deskref.page.panel import Table, badge
from deskref.report_html import won_words
from deskref.session import Session
from rules import skuffle_state
from rules.skirmish.state import Result, Scene
from rules.world_saga.state import Combat


def draw_over(table: Table, session: Session) -> None:
    """Draw what a finished game came to and what may follow, into the current element."""
    outcome = outcome_of(session)
    setup = session.setup
    if outcome is None or setup is None:
        return
    has_winner = bool(outcome.winners) and _is_decided(session)
    won = won_words(outcome.winners, outcome.side) if has_winner else say("over_nobody")
    ui.html(f'<div class="won">{_badges(session)}<span>{escape(won)}</span></div>', sanitize=False)
    ui.label(over_why(session)).classes("says-small")
    ui.label(say("report_over", rounds=outcome.rounds)).classes("hint")
    with ui.element("div").classes("row gap"):
        key(say("page_new_game"), partial(open_form, table.game), main=True)
        if not _is_filmed(table.game, setup):
            key(say("over_again"), partial(_begin_again, table.game, setup))
        key(say("page_report"), partial(ui.navigate.to, "/report"))
    ui.label(say("over_undo")).classes("hint gap")


def over_why(session: Session) -> str:
    """Say why a finished game is over."""
    game = session.book.game
    match game:
        case skuffle_state.Game():
            return say("one_side_stands" if game.result is skuffle_state.Result.WIN else "no_dice_left")
        case Scene():
            return say("qs_victory") if game.result is Result.VICTORY else say("qs_defeat", left=game.tokens_left)
        case Combat():
            return say("over_ended" if not _is_decided(session) else "over_one_side" if game.winners else "wsd_nobody")
        case _:
            return ""


def _is_decided(session: Session) -> bool:
    """Whether somebody has won, or everybody lost: a combat that the Game Master ends may leave both sides standing."""
    game = session.book.game
    return not isinstance(game, Combat) or len({game.get(who).allegiance for who in game.winners}) < 2


def _badges(session: Session) -> str:
    """The shape of each side that has won, once."""
    game = session.book.game
    ids = tuple(hero.id for hero in game.heroes) if isinstance(game, Scene) else game.winners if game else ()
    if (isinstance(game, Scene) and game.result is not Result.VICTORY) or not _is_decided(session):
        ids = ()
    of_sides = {side_of(session, who): badge(session, who) for who in ids}
    return "".join(of_sides.values())


def _is_filmed(game: LiveGame, setup: AnySetup) -> bool:
    """Whether a recording played this game, as in the demo: nobody can put its figures up again."""
    return setup.with_camera and game.source is not None and not game.source.is_live


def _begin_again(game: LiveGame, setup: AnySetup) -> None:
    """Begin the same game anew; without the camera that it had, with typed dice."""
    if isinstance(setup, Setup):
        setup = replace(setup, with_camera=setup.with_camera and game.has_camera)
    game.tell(StartGame(setup=setup))
