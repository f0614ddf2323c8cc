"""The form for a new World Saga combat: who fights with which Ranks, the board, and how initiative is decided."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.inputs import CombatSetup, StartGame
from deskref.language import say
from deskref.live import LiveGame
from deskref.page.keys import key
from deskref.page.world_saga_board import EMIT_CELL, Cell, board_svg, token_svg
from rules.grid import SquareBoard
from rules.world_saga.initiative import Side
from rules.world_saga.state import RESOLVE, BoonMode, Combatant, InitiativeMode, Settings

FIELD = "outlined dense"
CHOICE = "outlined dense options-dense"

MOST_SQUARES = 40
"""Columns or rows of a board that can still be seen and clicked on a screen."""

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


@dataclass(slots=True, eq=False)
class Ground:
    """Board and settings as the form has them."""

    columns: float | None = 12
    rows: float | None = 8
    walls: str = "5,2 5,3 6,5"
    difficult: str = "7,3 7,4"
    initiative: str = InitiativeMode.EACH_ROUND.value
    boons: str = BoonMode.REPORT_ONLY.value


@dataclass(slots=True, eq=False)
class Fields:
    """Everything that the form has."""

    ground: Ground = field(default_factory=Ground)
    rows: list[Row] = field(default_factory=list)


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


def squares(text: str) -> tuple[Cell, ...] | None:
    """Read a list of squares, `5,3 5,4`; None where it is none."""
    parts = re.split(r"[\s;]+", text.strip()) if text.strip() else []
    matches = [re.fullmatch(r"(\d{1,3}),(\d{1,3})", part) for part in parts]
    if not all(matches):
        return None
    return tuple(dict.fromkeys((int(m[1]), int(m[2])) for m in matches if m is not None))


def wrong(fields: Fields) -> str:
    """Return what keeps the form from being a combat, or nothing."""
    names = [row.name.strip() for row in fields.rows]
    if not all(names):
        return say("wsd_wrong_name")
    ids = [identity(name).lower() for name in names]
    twice = next((name for name, own in zip(names, ids, strict=True) if ids.count(own) > 1), None)
    if twice is not None:
        return say("wsd_wrong_twice", who=twice)
    if {row.side for row in fields.rows} != {Side.PC.value, Side.NPC.value}:
        return say("wsd_wrong_sides")
    for row in fields.rows:
        if None in (row.reflexes, row.speed, row.column, row.row):
            return say("wsd_wrong_number", who=row.name)
        if row.group.strip() and row.side == Side.PC.value:
            return say("wsd_wrong_group", who=row.name)
    for text in (fields.ground.walls, fields.ground.difficult):
        if squares(text) is None:
            return say("wsd_wrong_square", text=text)
    board = board_of(fields.ground)
    places: dict[Cell, str] = {}
    for row in fields.rows:
        place = (int(row.column or 0), int(row.row or 0))
        if not board.holds(place) or place in board.walls:
            return say("wsd_wrong_place", who=row.name)
        if place in places:
            return say("wsd_wrong_shared", who=row.name, other=places[place])
        places[place] = row.name
    return ""


def board_of(ground: Ground) -> SquareBoard:
    """Return the board that the form means; broken lists count as empty."""
    size = (min(MOST_SQUARES, max(1, int(n or 1))) for n in (ground.columns, ground.rows))
    columns, rows = size
    return SquareBoard(columns, rows, walls=squares(ground.walls) or (), difficult=squares(ground.difficult) or ())


def setup_of(fields: Fields) -> CombatSetup:
    """Return the set-up that the form means; nothing must be wrong with it."""
    settings = Settings(initiative=InitiativeMode(fields.ground.initiative), boons=BoonMode(fields.ground.boons))
    return CombatSetup(tuple(_combatant(row) for row in fields.rows), board_of(fields.ground), settings)


def identity(name: str) -> str:
    """Return the id of somebody called so: the name itself, for the rules' sentences about initiative say the id."""
    return re.sub(r"\s+", " ", name.strip())


def _combatant(row: Row) -> Combatant:
    ranks = (("Fighting", row.fighting), ("Shooting", row.shooting), (RESOLVE, row.resolve))
    return Combatant(
        identity(row.name),
        Side(row.side),
        int(row.reflexes or 0),
        name=row.name.strip(),
        group=row.group.strip(),
        ranks=tuple((skill, int(rank)) for skill, rank in ranks if rank is not None),
        speed=int(row.speed or 0),
        place=(int(row.column or 0), int(row.row or 0)),
        stamina=None if row.stamina is None else int(row.stamina),
    )


def fill_form(game: LiveGame, close: Callable[[], object]) -> None:
    """Draw the form into the current element; starting the combat or cancelling calls `close`."""
    _Form(game, close)


class _Form:
    def __init__(self, game: LiveGame, close: Callable[[], object]) -> None:
        self.game = game
        self.close = close
        self.fields = first_fields()
        self.paint = WALL
        self.trouble: ui.label | None = None
        ui.html(f"<h2>{say('wsd_form')}</h2>")
        self._ground()
        self.drawing = ui.html("", sanitize=False)
        self.drawing.on("click", self._clicked, js_handler=EMIT_CELL)
        self.rows = ui.element("div").classes("rows")
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
            for name in ("columns", "rows"):
                ui.number(
                    say(f"wsd_{name}"), min=1, max=MOST_SQUARES, precision=0, on_change=lambda: self.draw()
                ).bind_value(ground, name).props(FIELD)
            for name in ("walls", "difficult"):
                ui.input(say(f"wsd_{name}"), on_change=lambda: self.draw()).bind_value(ground, name).props(FIELD)
            self.paints = ui.select({WALL: say("wsd_paint_wall")}, label=say("wsd_paint"), value=WALL).props(CHOICE)

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
        names |= {row.name: row.name for row in self.fields.rows if row.name}
        chosen = str(self.paints.value)
        self.paints.set_options(names, value=chosen if chosen in names else WALL)
        board = board_of(self.fields.ground)
        tokens = "".join(
            token_svg(None, _combatant(row), side=0 if row.side == Side.PC.value else 1)
            for row in self.fields.rows
            if row.column is not None and row.row is not None
        )
        self.drawing.set_content(board_svg(board, tokens, say("wsd_board", columns=board.columns, rows=board.rows)))

    def _row(self, row: Row) -> None:
        with ui.element("div").classes("fields boxed"):
            ui.input(say("wsd_name"), on_change=self.draw).bind_value(row, "name").props(f'{FIELD} maxlength="30"')
            sides = {Side.PC.value: say("wsd_pc"), Side.NPC.value: say("wsd_npc")}
            ui.select(sides, label=say("wsd_side"), on_change=self.draw).bind_value(row, "side").props(CHOICE)
            for name in ("reflexes", "fighting", "shooting", "resolve", "speed", "stamina", "column", "row"):
                ui.number(say(f"wsd_{name}"), precision=0, on_change=self.draw).bind_value(row, name).props(FIELD)
            ui.input(say("wsd_group")).bind_value(row, "group").props(f'{FIELD} maxlength="30"')
            name = row.name.replace('"', "").replace("\\", "")
            key("✕", partial(self.remove, row), small=True).props(f'aria-label="{say("wsd_remove", who=name)}"')

    def _clicked(self, event: GenericEventArguments) -> None:
        place = event.args if isinstance(event.args, dict) else {}
        column, row = place.get("column"), place.get("row")
        if not isinstance(column, int) or not isinstance(row, int):
            return
        cell, ground, paint = (column, row), self.fields.ground, str(self.paints.value)
        if not board_of(ground).holds(cell):
            return
        if paint in (WALL, DIFFICULT):
            name = "walls" if paint == WALL else "difficult"
            cells = squares(getattr(ground, name)) or ()
            changed = tuple(c for c in cells if c != cell) if cell in cells else (*cells, cell)
            setattr(ground, name, " ".join(f"{x},{y}" for x, y in changed))
        else:
            for combatant in self.fields.rows:
                if combatant.name == paint:
                    combatant.column, combatant.row = column, row
        self.draw()

    def add(self) -> None:
        """Add a combatant of the Game Master's on a free square."""
        board = board_of(self.fields.ground)
        taken = {(row.column, row.row) for row in self.fields.rows} | set(board.walls)
        cells = ((c, r) for c in reversed(range(board.columns)) for r in range(board.rows))
        column, row = next((cell for cell in cells if cell not in taken), (0, 0))
        self.fields.rows.append(Row(f"Raider {len(self.fields.rows)}", Side.NPC.value, column, row))
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
            self.game.tell(StartGame(setup=setup_of(self.fields)))
            self.close()
