"""The form for a new game: how long, who plays, on whose side, and which figure on the desk is who."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape

from nicegui import ui

from deskref.desk import DeskFigure
from deskref.inputs import AutomatedSoldier, Setup, SoldierSetup, StartGame
from deskref.language import say
from deskref.live import LiveGame
from deskref.names import first_alike, likeness, printed
from deskref.page.agreements import SkuffleAgreed
from deskref.page.keys import PRESSED, key
from deskref.page.panel import crop_html
from deskref.page.pictures import crop_address
from deskref.tabletop import SEAT_MM
from rules.skuffle_state import POOL_OF_MINUTES, Breed, Options
from vision.observation import Box

NAMES = ("Lokan", "Tarik", "Daemon", "Imp", "Vesta", "Borin", "Selka", "Grom")
"""What soldiers are called until the players say otherwise."""

BREEDS = {
    Breed.SOLDIER.value: "breed_player",
    Breed.GHOUL.value: "breed_ghoul",
    Breed.ZOMBIE.value: "breed_zombie",
    Breed.ROBOT.value: "breed_robot",
}
"""Who plays a soldier: a player, or the desk as one of three breeds."""

SIDES = "ABCD"
"""Letters of the sides; a soldier that is on none fights everybody."""


@dataclass(slots=True, eq=False)
class _Row:
    name: str
    side: str
    figure: DeskFigure | None
    breed: str = Breed.SOLDIER.value


def fill_form(game: LiveGame, close: Callable[[], object]) -> None:
    """Draw the form into the current element; starting the game or cancelling calls `close`.

    With a camera there is a row for each figure that stands on the mat, nearest to the players' edge first.
    """
    _Form(game, close)


class _Form:
    def __init__(self, game: LiveGame, close: Callable[[], object]) -> None:
        self.game = game
        self.close = close
        self.rows = _first_rows(game)
        self.agreed = SkuffleAgreed()
        minutes = {m: say("sk_minutes", minutes=m, count=dice) for m, dice in POOL_OF_MINUTES.items()}
        ui.html(f"<h2>{escape(say('sk_form'))}</h2>")
        self.minutes = ui.toggle(minutes, value=3).props(f'{PRESSED} aria-label="{say("sk_length")}"')
        self.listed = ui.element("div").classes("rows")
        self.agreed.draw()
        self.trouble = ui.label().classes("says").props('role="alert"')
        with ui.element("div").classes("row"):
            key(say("sk_start"), self.begin, main=True)
            key(say("sk_add"), self.add)
            key(say("sk_cancel"), self.close)
        if game.has_camera:
            ui.label(say("sk_put_first")).classes("hint")
        self.show()

    def show(self) -> None:
        self.listed.clear()
        with self.listed:
            for row in self.rows:
                _show_row(self.game, row, partial(self.remove, row))

    def add(self) -> None:
        self.rows.append(_Row(_free_name(self.rows), "B", None))
        self.show()

    def remove(self, row: _Row) -> None:
        self.rows.remove(row)
        self.show()

    def begin(self) -> None:
        wrong = _what_is_wrong(self.rows) or self.agreed.wrong()
        self.trouble.set_text(wrong)
        if not wrong:
            options = self.agreed.options(int(self.minutes.value))
            setup = _setup(self.rows, options, with_camera=self.game.has_camera)
            self.game.tell(StartGame(setup=setup))
            self.close()


def _first_rows(game: LiveGame) -> list[_Row]:
    figures = sorted((f for f in game.session.desk.figures if not f.lifted), key=lambda f: math.dist(f.mm, SEAT_MM))[
        : len(NAMES)
    ]
    if game.has_camera and len(figures) >= 2:
        return [_Row(NAMES[i], "A" if f.mm[1] < 0 else "B", f) for i, f in enumerate(figures)]
    return [_Row(name, side, None) for name, side in zip(NAMES, "AABB", strict=False)]


def _show_row(game: LiveGame, row: _Row, remove: Callable[[], object]) -> None:
    with ui.element("div").classes("soldier-row"):
        picture = _picture_of(game, row.figure)
        if picture:
            ui.html(crop_html(picture, say("page_figure_alt"), size=64), sanitize=False)
        sides = {letter: say("sk_side_of", letter=letter) for letter in SIDES} | {"": say("sk_alone")}
        ui.input(say("sk_name")).bind_value(row, "name").props('outlined dense maxlength="40"')
        ui.select(sides, label=say("sk_side")).bind_value(row, "side").props("outlined dense options-dense")
        breeds = {breed: say(code) for breed, code in BREEDS.items()}
        played_by = ui.select(breeds, label=say("breed_label")).bind_value(row, "breed")
        played_by.props("outlined dense options-dense")
        key("✕", remove, small=True).props(f'aria-label="{escape(say("sk_remove", soldier=row.name), quote=True)}"')


def _picture_of(game: LiveGame, figure: DeskFigure | None) -> str:
    seen = game.seen
    if seen is None or figure is None:
        return ""
    box: Box | None = next(
        (
            f.box
            for f in seen.observation.figures
            if f.mm is not None and abs(f.mm[0] - figure.mm[0]) + abs(f.mm[1] - figure.mm[1]) < 10
        ),
        None,
    )
    return crop_address(seen.frame.image_bgr, box) if box is not None else ""


def _what_is_wrong(rows: list[_Row]) -> str:
    names = [printed(row.name) for row in rows]
    if len(rows) < 2:
        return say("sk_needs_two")
    if not all(names):
        return say("sk_needs_names")
    if first_alike(names) is not None:
        return say("sk_same_name")
    if len({row.side or row.name for row in rows}) < 2:
        return say("sk_one_side")
    return ""


def _free_name(rows: list[_Row]) -> str:
    used = {row.name for row in rows}
    return next((name for name in NAMES if name not in used), say("sk_soldier", number=len(rows) + 1))


def _setup(rows: list[_Row], options: Options, *, with_camera: bool) -> Setup:
    return Setup(tuple(_soldier(row) for row in rows), options, with_camera)


def _soldier(row: _Row) -> SoldierSetup:
    name = printed(row.name)
    place = row.figure.mm if row.figure is not None else None
    named = (likeness(name), name, row.side or None, place, None)
    breed = Breed(row.breed)
    return SoldierSetup(*named) if breed is Breed.SOLDIER else AutomatedSoldier(*named, breed)
