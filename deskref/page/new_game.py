"""The form for a new game: how long, who plays, on whose side, and which figure on the desk is who."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from typing import Annotated

from nicegui import ui
from pydantic import Field

from deskref.desk import DeskFigure
from deskref.inputs import AutomatedSoldier, Setup, SoldierSetup
from deskref.language import say
from deskref.live import LiveGame
from deskref.names import first_alike, likeness, printed
from deskref.page.agreements import SkuffleAgreed
from deskref.page.keys import PRESSED, key
from deskref.page.last_fields import remembered
from deskref.page.panel import crop_html
from deskref.page.pictures import crop_address
from deskref.rule_sets import SKUFFLE_WAMMER
from deskref.settings import home
from deskref.tabletop import SEAT_MM
from rules.skuffle_state import POOL_OF_MINUTES, Breed
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
class Row:
    """A soldier as the form has it."""

    name: str
    side: str
    figure: Annotated[DeskFigure | None, Field(exclude=True)] = None
    """On the desk now; a later game looks for its own."""
    breed: str = Breed.SOLDIER.value


@dataclass(slots=True, eq=False)
class Fields:
    """Everything that the form has."""

    minutes: int = 3
    rows: list[Row] = field(default_factory=list)
    agreed: SkuffleAgreed = field(default_factory=SkuffleAgreed)


def begun(game: LiveGame) -> Fields:
    """Return what the form begins with: what the last game had, or two against two.

    With a camera each figure that stands on the mat has a row, nearest to the players' edge first.
    """
    fields = remembered(home(), SKUFFLE_WAMMER.name, Fields)
    if fields is None or not _is_sound(fields):
        fields = Fields()
    return replace(fields, rows=_placed(game, fields.rows))


def fill_form(game: LiveGame, fields: Fields, start: Callable[[Setup], object], close: Callable[[], object]) -> None:
    """Draw the form into the current element; `start` takes the set-up, `close` cancels."""
    _Form(game, fields, start, close)


class _Form:
    def __init__(
        self, game: LiveGame, fields: Fields, start: Callable[[Setup], object], close: Callable[[], object]
    ) -> None:
        self.game = game
        self.start = start
        self.close = close
        self.fields = fields
        minutes = {m: say("sk_minutes", minutes=m, count=dice) for m, dice in POOL_OF_MINUTES.items()}
        ui.html(f"<h2>{escape(say('sk_form'))}</h2>")
        ui.toggle(minutes, value=fields.minutes).bind_value(fields, "minutes").props(
            f'{PRESSED} aria-label="{say("sk_length")}"'
        )
        self.listed = ui.element("div").classes("rows")
        ui.label(say("sk_breeds_help")).classes("hint")
        fields.agreed.draw()
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
            for row in self.fields.rows:
                _show_row(self.game, row, partial(self.remove, row))

    def add(self) -> None:
        self.fields.rows.append(Row(_free_name(self.fields.rows), "B"))
        self.show()

    def remove(self, row: Row) -> None:
        self.fields.rows.remove(row)
        self.show()

    def begin(self) -> None:
        wrong = _what_is_wrong(self.fields.rows) or self.fields.agreed.wrong()
        self.trouble.set_text(wrong)
        if not wrong:
            self.start(setup_of(self.fields, with_camera=self.game.has_camera))


def _placed(game: LiveGame, last: list[Row]) -> list[Row]:
    """The last game's soldiers, each with its figure on the mat: the one it had, or the next that nobody has."""
    standing = sorted((f for f in game.session.desk.figures if not f.lifted), key=lambda f: math.dist(f.mm, SEAT_MM))
    figures = standing[: len(NAMES)]
    if not game.has_camera or len(figures) < 2:
        return last or [Row(name, side) for name, side in zip(NAMES, "AABB", strict=False)]
    bound = {soldier: track for track, soldier in game.session.bindings}
    rows = [replace(row, figure=None) for row in last]
    for row in rows:
        row.figure = next((f for f in figures if f.figure == bound.get(likeness(row.name))), None)
    free = [f for f in figures if all(f is not row.figure for row in rows)]
    for row in rows:
        if row.figure is None and free:
            row.figure = free.pop(0)
    for figure in free:
        rows.append(Row(_free_name(rows), "A" if figure.mm[1] < 0 else "B", figure))
    return rows


def _is_sound(fields: Fields) -> bool:
    """Whether what a file has can be shown and started."""
    known = all(row.side in (*SIDES, "") and row.breed in BREEDS for row in fields.rows)
    is_shown = known and fields.minutes in POOL_OF_MINUTES and fields.agreed.is_sound()
    return is_shown and not _what_is_wrong(fields.rows) and not fields.agreed.wrong()


def _show_row(game: LiveGame, row: Row, remove: Callable[[], object]) -> None:
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


def _what_is_wrong(rows: list[Row]) -> str:
    names = [printed(row.name) for row in rows]
    if len(rows) < 2:
        return say("sk_needs_two")
    if not all(names):
        return say("sk_needs_names")
    twice = first_alike(names)
    if twice is not None:
        return say("sk_same_name", who=twice)
    if len({row.side or row.name for row in rows}) < 2:
        return say("sk_one_side")
    return ""


def _free_name(rows: list[Row]) -> str:
    """A name that nobody could take for one of these."""
    used = {likeness(row.name) for row in rows}
    new = (say("sk_soldier", number=n) for n in range(len(rows) + 1, 2 * len(rows) + 2))
    return next(name for name in (*NAMES, *new) if likeness(name) not in used)


def setup_of(fields: Fields, *, with_camera: bool) -> Setup:
    """Return the set-up that the form means; nothing must be wrong with it."""
    return Setup(tuple(_soldier(row) for row in fields.rows), fields.agreed.options(fields.minutes), with_camera)


def _soldier(row: Row) -> SoldierSetup:
    name = printed(row.name)
    place = row.figure.mm if row.figure is not None else None
    named = (likeness(name), name, row.side or None, place, None)
    breed = Breed(row.breed)
    return SoldierSetup(*named) if breed is Breed.SOLDIER else AutomatedSoldier(*named, breed)
