"""The form for a new World Saga combat: who fights with which Ranks, the board, and how initiative is decided."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments

from deskref.board_places import Place
from deskref.characters import Character
from deskref.inputs import CombatSetup
from deskref.language import say
from deskref.live import LiveGame
from deskref.names import likeness, printed
from deskref.number_ranges import RANGES
from deskref.page.clicked_point import point_of
from deskref.page.kept_characters import KeptChoice, keep
from deskref.page.keys import key
from deskref.page.number_field import NumberField
from deskref.page.world_saga_board import EMIT_PLACE, board_label, board_svg, token_svg
from deskref.page.world_saga_fields import (
    FOLDED,
    FREE,
    HEXES,
    MOST_SQUARES,
    SQUARES,
    Fields,
    Row,
    character_of,
    has_folded,
    is_somewhere,
    kept_within,
    layout_of,
    place_of,
    row_of,
    setup_of,
    squares,
    stands_on,
    token_of,
    wrong,
)
from rules.freeform import Ground as FreeTable
from rules.world_saga.initiative import Side
from rules.world_saga.state import BoonMode, InitiativeMode

FIELD = "outlined dense"
CHOICE = "outlined dense options-dense"

WALL, DIFFICULT = " wall", " difficult"
"""What clicking the board puts besides a combatant; the space keeps them apart from names."""


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
        self.kept = KeptChoice(lambda c: c.world_saga is not None, self.take)
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
            if layout.place_at(layout.middle(place_of(self.fields.ground, row))) is None or is_free:
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
            token_svg(layout, None, token_of(self.fields.ground, row), side=0 if row.side == Side.PC.value else 1)
            for row in self.fields.rows
            if is_somewhere(row)
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
            self._folded_fields(row)
            with ui.element("div").classes("row"):
                key(say("char_keep"), partial(keep, character_of, row, choice=self.kept), small=True)
                remove = key("✕", partial(self.remove, row), small=True)
                remove.props["aria-label"] = say("wsd_remove", who=printed(row.name))

    def _folded_fields(self, row: Row) -> None:
        with ui.element("details").props("open" if has_folded(row) else ""):
            with ui.element("summary"):
                ui.label(say("wsd_more_of_row"))
            with ui.element("div").classes("fields"):
                for name in FOLDED:
                    NumberField(say(f"wsd_{name}"), precision=0).bind_value(row, name).props(FIELD)
                others = ui.input(say("wsd_others"), placeholder=say("wsd_others_example"))
                others.bind_value(row, "others").props(f'{FIELD} maxlength="300"')

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
        there = [row for row in self.fields.rows if is_somewhere(row)]
        taken = {
            stand
            for row in there
            for stand in stands_on(layout.board, place_of(ground, row), int(kept_within(row.base, "base", 1)))
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
