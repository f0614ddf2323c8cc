"""The cards for what the table has to do: questions, what follows from a ruling, and where desk and book disagree."""

from __future__ import annotations

from functools import partial
from html import escape

from nicegui import ui

from deskref import inputs
from deskref.language import say, shown
from deskref.live import LiveGame
from deskref.page.die_pictures import picture_of_die
from deskref.page.keys import key
from deskref.page.panel import crop_html
from deskref.session import Session, Task


def draw_tasks(game: LiveGame, session: Session) -> None:
    """Draw a session's tasks into the current element: disagreements together, each question by itself.

    After a film's end only the questions stay: nobody can put anything anywhere on a desk that was filmed.
    """
    questions = [task for task in session.tasks if task.choices]
    told = [task for task in session.tasks if not task.choices and not game.is_film_over]
    has_begun = session.book.game is not None
    expected = [task for task in told if task.is_expected or not has_begun]
    disagreements = [task for task in told if not task.is_expected and has_begun]
    for task in questions:
        with _card("?", "live_question"):
            _say(game, session, task)
    for tasks, mark, title in ((disagreements, "≠", "live_disagree"), (expected, "☞", "live_to_do")):
        if tasks:
            with _card(mark, title):
                for task in tasks:
                    _say(game, session, task)
                if tasks is disagreements:
                    ui.label(say("live_disagree_why")).classes("hint")


def _card(mark: str, title: str) -> ui.element:
    card = ui.element("section").classes("card ask").props('role="status"')
    with card:
        ui.html(f'<h2><span aria-hidden="true">{mark}</span> {escape(say(title))}</h2>', sanitize=False)
    return card


def _say(game: LiveGame, session: Session, task: Task) -> None:
    ui.label(shown(task.message)).classes("says")
    picture = picture_of_die(game, session, task.die)
    if picture:
        ui.html(crop_html(picture, say("page_die_alt"), size=112), sanitize=False)
    if task.choices:
        with ui.element("div").classes("row"):
            for choice, words in task.choices:
                key(shown(words), partial(game.tell, inputs.Choose(task=task.key, choice=choice)))
