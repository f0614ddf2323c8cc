"""The form for a new World Saga combat: who fights with which Ranks, the board, and how initiative is decided."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.board_places import Layout, Place, hex_of
from deskref.characters import Character, CombatPart
from deskref.inputs import CombatSetup
from deskref.language import say
from deskref.live import LiveGame
from deskref.names import first_alike, likeness, printed
from deskref.number_ranges import RANGES, is_within
from deskref.page.agreements import CombatAgreed
from deskref.page.clicked_point import point_of
from deskref.page.kept_characters import choose_character, keep
from deskref.page.keys import key
from deskref.page.last_fields import remembered
from deskref.page.number_field import NumberField
from deskref.page.range_words import out_of_range
from deskref.page.world_saga_board import EMIT_PLACE, Cell, board_label, board_svg, token_svg
from deskref.rule_sets import WORLD_SAGA
from deskref.settings import home
from deskref.setup_file import base_radius_mm
from rules.footprints import MM_PER_INCH, ONE_SQUARE, cells_of
from rules.freeform import Ground as FreeTable
from rules.grid import CornerRule, SquareBoard
from rules.hexes import HexBoard
from rules.world_saga.initiative import Side
from rules.world_saga.state import RESOLVE, BoonMode, Combatant, InitiativeMode

FIELD = "outlined dense"
CHOICE = "outlined dense options-dense"

MOST_SQUARES = 40
"""Columns or rows of a board that can still be seen and clicked on a screen."""

SQUARES, HEXES, FREE = "squares", "hexes", "free"
"""Kinds of board."""

NUMBERS = {
    "reflexes": "rank",
    "fighting": "rank",
    "shooting": "rank",
    "resolve": "rank",
    "speed": "speed",
    "stamina": "pool",
}
"""Numbers of a row by the names of their ranges."""

WALL, DIFFICULT = " wall", " difficult"
"""What clicking the board puts besides a combatant; the space keeps them apart from names."""


@dataclass(slots=True, eq=False)
class Row:
    """A combatant as the form has it; a cleared number is None."""

    name: str
    side: str
    column: float | None
    row: float | None
    reflexes: float | None = 10
    fighting: float | None = 10
    shooting: float | None = 10
    resolve: float | None = 10
    speed: float | None = 6
    stamina: float | None = 10
    group: str = ""
    base: float | None = 1
    """Squares of its base each way; inches on a free table."""


@dataclass(slots=True, eq=False)
class Ground:
    """Board and settings as the form has them."""

    kind: str = SQUARES
    columns: float | None = 12
    rows: float | None = 8
    cell_mm: float | None = MM_PER_INCH
    """On the mat: side of a square, or a hex from flat to flat."""
    width_mm: float | None = 200
    depth_mm: float | None = 200
    """Size of a free table."""
    walls: str = "5,2 5,3 6,5"
    difficult: str = "7,3 7,4"
    initiative: str = InitiativeMode.EACH_ROUND.value
    boons: str = BoonMode.REPORT_ONLY.value


@dataclass(slots=True, eq=False)
class Fields:
    """Everything that the form has."""

    ground: Ground = field(default_factory=Ground)
    rows: list[Row] = field(default_factory=list)
    agreed: CombatAgreed = field(default_factory=CombatAgreed)


def first_fields() -> Fields:
    """Return what the form offers at first: two against two."""
    return Fields(
        Ground(),
        [
            Row("Lokan", Side.PC.value, 1, 2),
            Row("Vesta", Side.PC.value, 1, 5),
            Row("Raider", Side.NPC.value, 10, 2),
            Row("Brute", Side.NPC.value, 10, 5),
        ],
    )


def begun(_: LiveGame) -> Fields:
    """Return what the form begins with: what the last combat had, or two against two."""
    fields = remembered(home(), WORLD_SAGA.name, Fields)
    return fields if fields is not None and _is_sound(fields) else first_fields()


def _is_sound(fields: Fields) -> bool:
    """Whether what a file has can be shown and started."""
    ground = fields.ground
    return (
        ground.kind in (SQUARES, HEXES, FREE)
        and ground.initiative in {one.value for one in InitiativeMode}
        and ground.boons in {one.value for one in BoonMode}
        and fields.agreed.is_sound()
        and not wrong(fields)
    )


def squares(text: str) -> tuple[Cell, ...] | None:
    """Read a list of squares, `5,3 5,4`; None where it is none."""
    parts = re.split(r"[\s;]+", text.strip()) if text.strip() else []
    matches = [re.fullmatch(r"(\d{1,3}),(\d{1,3})", part) for part in parts]
    if not all(matches):
        return None
    return tuple(dict.fromkeys((int(m[1]), int(m[2])) for m in matches if m is not None))


def wrong(fields: Fields) -> str:
    """Return what keeps the form from being a combat, or nothing."""
    names = [printed(row.name) for row in fields.rows]
    if not all(names):
        return say("wsd_wrong_name")
    twice = first_alike(names)
    if twice is not None:
        return say("wsd_wrong_twice", who=twice)
    if {row.side for row in fields.rows} != {Side.PC.value, Side.NPC.value}:
        return say("wsd_wrong_sides")
    for row in fields.rows:
        if None in (row.reflexes, row.speed, row.column, row.row):
            return say("wsd_wrong_number", who=printed(row.name))
        for name, kind in NUMBERS.items():
            number = getattr(row, name)
            if number is not None and not is_within(number, kind):
                return out_of_range(say(f"wsd_{name}"), kind, who=printed(row.name))
        if not _is_somewhere(row):
            return say("wsd_wrong_place", who=printed(row.name))
        if not is_within(row.base, "base") or (fields.ground.kind == HEXES and row.base != 1):
            return say("wsd_wrong_base", who=printed(row.name), most=int(RANGES["base"][1]))
        if printed(row.group) and row.side == Side.PC.value:
            return say("wsd_wrong_group", who=printed(row.name))
    own = {likeness(printed(row.name)): row for row in fields.rows}
    for group in (likeness(printed(row.group)) for row in fields.rows if printed(row.group)):
        if group in own and likeness(printed(own[group].group)) != group:
            return say("wsd_wrong_group_name", who=printed(own[group].name))
    sizes = ("width_mm", "depth_mm", "cell_mm") if fields.ground.kind == FREE else ("cell_mm",)
    for name in sizes:
        number = getattr(fields.ground, name)
        if number is not None and not is_within(number, name):
            return out_of_range(say(f"wsd_{name}"), name)
    for name, number in (("columns", fields.ground.columns), ("rows", fields.ground.rows)):
        if number is not None and not math.isfinite(number):
            return say("agreed_range", name=say(f"wsd_{name}"), least=1, most=MOST_SQUARES)
    for text in (fields.ground.walls, fields.ground.difficult):
        if squares(text) is None and fields.ground.kind != FREE:
            return say("wsd_wrong_square", text=text)
    layout = layout_of(fields.ground)
    board = layout.board
    if not isinstance(board, FreeTable):
        listed = (*(squares(fields.ground.walls) or ()), *(squares(fields.ground.difficult) or ()))
        off = next(((x, y) for x, y in listed if not (x < board.columns and y < board.rows)), None)
        if off is not None:
            return say("wsd_wrong_off_board", square=f"{off[0]},{off[1]}")
    places: dict[Place, str] = {}
    for row in fields.rows:
        place = _place(fields.ground, row)
        for stand in _stands(board, place, int(row.base or 1)):
            is_on = layout.place_at(layout.middle(stand)) is not None
            if not is_on or (not isinstance(board, FreeTable) and stand in board.walls):
                return say("wsd_wrong_place", who=printed(row.name))
            if stand in places:
                return say("wsd_wrong_shared", who=row.name, other=places[stand])
            places[stand] = printed(row.name)
    return fields.agreed.wrong()


def board_of(ground: Ground) -> SquareBoard | HexBoard | FreeTable:
    """Return the board that the form means; broken lists count as empty. Hexes are listed by column and row."""
    size = (min(MOST_SQUARES, max(1, int(n or 1))) for n in (ground.columns, ground.rows))
    columns, rows = size
    walls, difficult = squares(ground.walls) or (), squares(ground.difficult) or ()
    match ground.kind:
        case "free":
            return FreeTable(_kept_within(ground.cell_mm, "cell_mm", MM_PER_INCH))
        case "hexes":
            walls, difficult = (tuple(hex_of(cell) for cell in cells) for cells in (walls, difficult))
            return HexBoard(columns, rows, walls=walls, difficult=difficult)
        case _:
            return SquareBoard(columns, rows, walls=walls, difficult=difficult)


def layout_of(ground: Ground) -> Layout:
    """Return how the board that the form means lies on the mat."""
    width, depth = (_kept_within(n, "width_mm", 200) for n in (ground.width_mm, ground.depth_mm))
    return Layout(board_of(ground), _kept_within(ground.cell_mm, "cell_mm", MM_PER_INCH), (width, depth))


def _kept_within(number: float | None, name: str, usual: float) -> float:
    """What is drawn of a number while it is being filled in."""
    least, most = RANGES[name]
    return min(most, max(least, float(number or usual)))


def _is_somewhere(row: Row) -> bool:
    """Whether a row has numbers that can be a place."""
    return is_within(row.column, "place") and is_within(row.row, "place")


def _place(ground: Ground, row: Row) -> Place:
    column, line = float(row.column or 0), float(row.row or 0)
    if ground.kind == FREE:
        return (column, line)
    return hex_of((int(column), int(line))) if ground.kind == HEXES else (int(column), int(line))


def _stands(board: SquareBoard | HexBoard | FreeTable, place: Place, base: int) -> tuple[Place, ...]:
    """Every square that a base covers; on other boards the one place where it stands."""
    if not isinstance(board, SquareBoard):
        return (place,)
    return cells_of((int(place[0]), int(place[1])), (base, base))


def setup_of(fields: Fields) -> CombatSetup:
    """Return the set-up that the form means; nothing must be wrong with it."""
    initiative, boons = InitiativeMode(fields.ground.initiative), BoonMode(fields.ground.boons)
    settings = fields.agreed.settings(initiative=initiative, boons=boons)
    layout = layout_of(fields.ground)
    combatants = tuple(_combatant(fields.ground, row) for row in fields.rows)
    board = layout.board
    if isinstance(board, SquareBoard):
        board = replace(board, corners=CornerRule(fields.agreed.corners))
    return CombatSetup(combatants, board, settings, layout.cell_mm, layout.area_mm)


def identity(name: str) -> str:
    """Return the id of somebody called so: the name itself, for the rules' sentences about initiative say the id."""
    return printed(name)


def _combatant(ground: Ground, row: Row) -> Combatant:
    ranks = (("Fighting", row.fighting), ("Shooting", row.shooting), (RESOLVE, row.resolve))
    return replace(
        _token(ground, row),
        reflexes=int(row.reflexes or 0),
        group=printed(row.group),
        ranks=tuple((skill, int(rank)) for skill, rank in ranks if rank is not None),
        speed=int(row.speed or 0),
        stamina=None if row.stamina is None else int(row.stamina),
    )


def _token(ground: Ground, row: Row) -> Combatant:
    """What is drawn of a row, whatever else is being filled in: who and whose it is, its place and its base."""
    base = int(_kept_within(row.base, "base", 1))
    return Combatant(
        identity(row.name),
        Side(row.side),
        0,
        name=printed(row.name),
        place=_place(ground, row),
        footprint=(base, base) if ground.kind == SQUARES else ONE_SQUARE,
        base_radius_mm=base_radius_mm(layout_of(ground), base),
    )


def character_of(row: Row, before: Character | None = None) -> Character:
    """Return a row as a character that can be kept; `ValueError` where a number does not fit.

    Args:
        row: of the form.
        before: who is kept by that name: what the form has no field for stays as it is there.
    """
    had = before.world_saga if before is not None and before.world_saga is not None else CombatPart()
    own = {"Fighting": row.fighting, "Shooting": row.shooting, RESOLVE: row.resolve}
    part = CombatPart.model_validate(
        {
            **had.model_dump(),
            "reflexes": row.reflexes,
            "ranks": {skill: rank for skill, rank in {**had.ranks, **own}.items() if rank is not None},
            "speed": row.speed,
            "stamina": row.stamina,
        }
    )
    return Character(name=printed(row.name), world_saga=part)


def row_of(character: Character) -> Row:
    """Return a character as a row of the form, a player character without a place yet."""
    part = character.world_saga or CombatPart()
    return Row(
        character.name,
        Side.PC.value,
        0,
        0,
        reflexes=part.reflexes,
        fighting=part.ranks.get("Fighting"),
        shooting=part.ranks.get("Shooting"),
        resolve=part.ranks.get(RESOLVE),
        speed=part.speed,
        stamina=part.stamina,
    )


def fill_form(_: LiveGame, fields: Fields, start: Callable[[CombatSetup], object], close: Callable[[], object]) -> None:
    """Draw the form into the current element; `start` takes the set-up, `close` cancels."""
    _Form(fields, start, close)


class _Form:
    def __init__(self, fields: Fields, start: Callable[[CombatSetup], object], close: Callable[[], object]) -> None:
        self.start = start
        self.close = close
        self.fields = fields
        self.paint = WALL
        self.trouble: ui.label | None = None
        ui.html(f"<h2>{say('wsd_form')}</h2>")
        self._ground()
        for words in ("wsd_boons_help", "wsd_walls_help"):
            ui.label(say(words)).classes("hint")
        self.counted = ui.label().classes("hint")
        self.drawing = ui.html("", sanitize=False)
        self.drawing.on("click", self._clicked, js_handler=EMIT_PLACE)
        self.rows = ui.element("div").classes("rows")
        for words in ("wsd_group_help", "char_keep_help"):
            ui.label(say(words)).classes("hint")
        self.fields.agreed.draw()
        choose_character(lambda c: c.world_saga is not None, self.take)
        self.trouble = ui.label().classes("says").props('role="alert"')
        with ui.element("div").classes("row"):
            key(say("wsd_start"), self.begin, main=True)
            key(say("wsd_add"), self.add)
            key(say("wsd_cancel"), self.close)
        self.show()

    def _ground(self) -> None:
        ground = self.fields.ground
        with ui.element("div").classes("fields"):
            modes = {mode.value: say(f"wsd_mode_{mode.value}") for mode in InitiativeMode}
            ui.select(modes, label=say("wsd_mode")).bind_value(ground, "initiative").props(CHOICE)
            boons = {mode.value: say(f"wsd_boons_{mode.value}") for mode in BoonMode}
            ui.select(boons, label=say("wsd_boon_mode")).bind_value(ground, "boons").props(CHOICE)
            kinds = {kind: say(f"wsd_kind_{kind}") for kind in (SQUARES, HEXES, FREE)}
            kind = ui.select(kinds, label=say("wsd_kind")).bind_value(ground, "kind").props(CHOICE)
            on_cells: list[NumberField | ui.input] = [
                NumberField(say(f"wsd_{name}"), min=1, max=MOST_SQUARES, precision=0, on_change=lambda: self.draw())
                .bind_value(ground, name)
                .props(FIELD)
                for name in ("columns", "rows")
            ]
            on_cells += [
                ui.input(say(f"wsd_{name}"), on_change=lambda: self.draw()).bind_value(ground, name).props(FIELD)
                for name in ("walls", "difficult")
            ]
            on_table = [
                NumberField(say(f"wsd_{name}"), min=RANGES[name][0], max=RANGES[name][1], on_change=lambda: self.draw())
                .bind_value(ground, name)
                .props(FIELD)
                for name in ("width_mm", "depth_mm")
            ]
            NumberField(say("wsd_cell_mm"), min=1, on_change=lambda: self.draw()).bind_value(ground, "cell_mm").props(
                FIELD
            )
            kind.on_value_change(lambda: self._show_kind(on_cells, on_table))
            self._show_kind(on_cells, on_table)
            self.paints = ui.select({WALL: say("wsd_paint_wall")}, label=say("wsd_paint"), value=WALL).props(CHOICE)

    def _show_kind(self, on_cells: list[NumberField | ui.input], on_table: list[NumberField]) -> None:
        """Show the fields of this kind of board, and put everybody on it."""
        is_free = self.fields.ground.kind == FREE
        for field_ in on_cells:
            field_.set_visibility(not is_free)
        for field_ in on_table:
            field_.set_visibility(is_free)
        if self.trouble is None:
            return
        layout = layout_of(self.fields.ground)
        width, height = layout.size
        for n, row in enumerate(self.fields.rows):
            if layout.place_at(layout.middle(_place(self.fields.ground, row))) is None or is_free:
                x = width * (0.15 if row.side == Side.PC.value else 0.85)
                place = layout.place_at((x, height * (n + 0.5) / len(self.fields.rows)))
                if place is not None:
                    self._put(row, place)
        self.show()

    def _put(self, row: Row, place: Place) -> None:
        column, line = place
        row.column, row.row = (column + line // 2, line) if self.fields.ground.kind == HEXES else (column, line)

    def show(self) -> None:
        """Draw the combatants' rows and the board."""
        self.rows.clear()
        with self.rows:
            for row in self.fields.rows:
                self._row(row)
        self.draw()

    def draw(self) -> None:
        """Draw the board, and offer what clicking it puts."""
        if self.trouble is None:
            return  # binding the first fields has changed them before the rest stands
        names = {WALL: say("wsd_paint_wall"), DIFFICULT: say("wsd_paint_difficult")}
        names |= {row.name: printed(row.name) for row in self.fields.rows if printed(row.name)}
        chosen = str(self.paints.value)
        self.paints.set_options(names, value=chosen if chosen in names else WALL)
        layout = layout_of(self.fields.ground)
        tokens = "".join(
            token_svg(layout, None, _token(self.fields.ground, row), side=0 if row.side == Side.PC.value else 1)
            for row in self.fields.rows
            if _is_somewhere(row)
        )
        self.drawing.set_content(board_svg(layout, tokens, board_label(layout)))
        kind = self.fields.ground.kind
        self.counted.set_text("" if kind == FREE else say(f"wsd_counted_{kind}"))

    def _row(self, row: Row) -> None:
        with ui.element("div").classes("fields boxed"):
            ui.input(say("wsd_name"), on_change=self.draw).bind_value(row, "name").props(f'{FIELD} maxlength="30"')
            sides = {Side.PC.value: say("wsd_pc"), Side.NPC.value: say("wsd_npc")}
            ui.select(sides, label=say("wsd_side"), on_change=self.draw).bind_value(row, "side").props(CHOICE)
            for name in ("reflexes", "fighting", "shooting", "resolve", "speed", "stamina", "base", "column", "row"):
                NumberField(say(f"wsd_{name}"), precision=0, on_change=self.draw).bind_value(row, name).props(FIELD)
            ui.input(say("wsd_group")).bind_value(row, "group").props(f'{FIELD} maxlength="30"')
            with ui.element("div").classes("row"):
                key(say("char_keep"), partial(keep, character_of, row), small=True)
                remove = key("✕", partial(self.remove, row), small=True)
                remove.props["aria-label"] = say("wsd_remove", who=printed(row.name))

    def _clicked(self, event: GenericEventArguments) -> None:
        ground, paint = self.fields.ground, str(self.paints.value)
        at = point_of(event)
        place = layout_of(ground).place_at(at) if at is not None else None
        if place is None:
            return
        if paint in (WALL, DIFFICULT):
            if ground.kind == FREE:
                return
            column, row = int(place[0]), int(place[1])
            cell = (column + row // 2, row) if ground.kind == HEXES else (column, row)
            name = "walls" if paint == WALL else "difficult"
            cells = squares(getattr(ground, name)) or ()
            changed = tuple(c for c in cells if c != cell) if cell in cells else (*cells, cell)
            setattr(ground, name, " ".join(f"{x},{y}" for x, y in changed))
        else:
            for combatant in self.fields.rows:
                if combatant.name == paint:
                    self._put(combatant, place)
        self.draw()

    def add(self) -> None:
        """Add a combatant of the Game Master's on a free place."""
        self._join(Row(self._free_name(), Side.NPC.value, 0, 0))

    def _free_name(self) -> str:
        """A name that nobody has yet."""
        taken = {likeness(row.name) for row in self.fields.rows}
        names = (say("wsd_raider", number=n) for n in range(2, len(taken) + 3))
        return next(name for name in names if likeness(name) not in taken)

    def take(self, character: Character) -> None:
        """Let a kept character take part, in place of a row of its name, or on a free place."""
        new = row_of(character)
        for n, row in enumerate(self.fields.rows):
            if likeness(row.name) == likeness(character.name):
                new.column, new.row, new.side, new.group = row.column, row.row, row.side, row.group
                new.base = row.base
                self.fields.rows[n] = new
                self.show()
                return
        self._join(new)

    def _join(self, new: Row) -> None:
        ground = self.fields.ground
        layout = layout_of(ground)
        there = [row for row in self.fields.rows if _is_somewhere(row)]
        taken = {
            stand
            for row in there
            for stand in _stands(layout.board, _place(ground, row), int(_kept_within(row.base, "base", 1)))
        }
        walls = () if isinstance(layout.board, FreeTable) else layout.board.walls
        free = (cell for cell in reversed(layout.cells()) if cell not in taken and cell not in walls)
        width, height = layout.area_mm
        self._put(new, next(free, (0.9 * width, 0.5 * height) if ground.kind == FREE else (0, 0)))
        self.fields.rows.append(new)
        self.show()

    def remove(self, row: Row) -> None:
        """Take a combatant out of the form."""
        self.fields.rows.remove(row)
        self.show()

    def begin(self) -> None:
        """Start the combat, or say what is wrong with the form."""
        trouble = wrong(self.fields)
        assert self.trouble is not None
        self.trouble.set_text(trouble)
        if not trouble:
            self.start(setup_of(self.fields))
