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
from deskref.live import LiveGame
from deskref.page.keys import key
from deskref.page.pictures import crop_address
from deskref.tabletop import SEAT_MM
from deskref.words import CATALOGUE, dice_word
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

SIDES = {"A": "Side A", "B": "Side B", "C": "Side C", "D": "Side D", "": "Alone"}
"""The choice of sides; a soldier that is alone fights everybody."""


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
        minutes = {m: f"{m} min: {dice} {dice_word(dice)} each" for m, dice in POOL_OF_MINUTES.items()}
        ui.html("<h2>New game of Skuffle Wammer</h2>")
        self.minutes = ui.toggle(minutes, value=3).props('no-caps aria-label="Length of the game"')
        self.listed = ui.element("div").classes("rows")
        self.trouble = ui.label().classes("says").props('role="alert"')
        with ui.element("div").classes("row"):
            key("Start", self.begin, main=True)
            key("Add a soldier", self.add)
            key("Cancel", self.close)
        if game.has_camera:
            ui.label("Put the figures on the mat before you open this form: each has its picture here.").classes("hint")
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
        wrong = _what_is_wrong(self.rows)
        self.trouble.set_text(wrong)
        if not wrong:
            setup = _setup(self.rows, int(self.minutes.value), with_camera=self.game.has_camera)
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
            ui.html(f'<img class="crop" src="{picture}" alt="The figure" width="64" height="64">', sanitize=False)
        ui.input("Name").bind_value(row, "name").props('outlined dense maxlength="40"')
        ui.select(SIDES, label="Side").bind_value(row, "side").props("outlined dense options-dense")
        breeds = {breed: CATALOGUE.text(code, {}) for breed, code in BREEDS.items()}
        played_by = ui.select(breeds, label=CATALOGUE.text("breed_label", {})).bind_value(row, "breed")
        played_by.props("outlined dense options-dense")
        key("✕", remove, small=True).props(f'aria-label="Remove {escape(row.name, quote=True)}"')


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
    names = [row.name.strip() for row in rows]
    if len(rows) < 2:
        return "A game needs two soldiers or more."
    if not all(names):
        return "Every soldier needs a name."
    if len({n.lower() for n in names}) < len(names):
        return "Two soldiers have the same name."
    if len({row.side or row.name for row in rows}) < 2:
        return "All soldiers are on one side: put somebody on another."
    return ""


def _free_name(rows: list[_Row]) -> str:
    used = {row.name for row in rows}
    return next((name for name in NAMES if name not in used), f"Soldier {len(rows) + 1}")


def _setup(rows: list[_Row], minutes: int, *, with_camera: bool) -> Setup:
    soldiers = tuple(_soldier(row) for row in rows)
    return Setup(soldiers, Options(minutes=minutes), with_camera)


def _soldier(row: _Row) -> SoldierSetup:
    name = row.name.strip()
    place = row.figure.mm if row.figure is not None else None
    named = (name.lower(), name, row.side or None, place, None)
    breed = Breed(row.breed)
    return SoldierSetup(*named) if breed is Breed.SOLDIER else AutomatedSoldier(*named, breed)
