"""What the form for a new World Saga combat holds, what is wrong with it, and the combat that it means."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace

from deskref.board_places import Layout, Place, hex_of
from deskref.characters import Character, CombatPart
from deskref.inputs import CombatSetup
from deskref.language import say
from deskref.live import LiveGame
from deskref.names import first_alike, likeness, printed
from deskref.number_ranges import RANGES, is_within
from deskref.page.agreements import CombatAgreed
from deskref.page.last_fields import remembered
from deskref.page.range_words import out_of_range
from deskref.page.rank_list import ranks_meant, ranks_written
from deskref.page.world_saga_board import Cell
from deskref.rule_sets import WORLD_SAGA
from deskref.settings import home
from deskref.setup_file import base_radius_mm
from rules.footprints import MM_PER_INCH, ONE_SQUARE, cells_of
from rules.freeform import Ground as FreeTable
from rules.grid import CornerRule, SquareBoard
from rules.hexes import HexBoard
from rules.world_saga.initiative import Side
from rules.world_saga.state import RESOLVE, BoonMode, Combatant, InitiativeMode

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
    "focus": "pool",
    "courage": "pool",
    "strike_cost": "strike_cost",
}
"""Numbers of a row by the names of their ranges."""

FIELDS_OF_RANKS = ("Fighting", "Shooting", RESOLVE)
"""Ranks that have fields of their own beside Reflexes."""
FOLDED = ("focus", "courage", "strike_cost")
"""Those of them that are folded away, for many tables never need them."""


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
    focus: float | None = None
    courage: float | None = None
    strike_cost: float | None = None
    others: str = ""
    """Further Ranks, as `rank_list` reads them."""


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
        if ranks_meant(row.others) is None:
            return say("wsd_wrong_others", who=printed(row.name))
        if not is_somewhere(row):
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
        place = place_of(fields.ground, row)
        for stand in stands_on(board, place, int(row.base or 1)):
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
            return FreeTable(kept_within(ground.cell_mm, "cell_mm", MM_PER_INCH))
        case "hexes":
            walls, difficult = (tuple(hex_of(cell) for cell in cells) for cells in (walls, difficult))
            return HexBoard(columns, rows, walls=walls, difficult=difficult)
        case _:
            return SquareBoard(columns, rows, walls=walls, difficult=difficult)


def layout_of(ground: Ground) -> Layout:
    """Return how the board that the form means lies on the mat."""
    width, depth = (kept_within(n, "width_mm", 200) for n in (ground.width_mm, ground.depth_mm))
    return Layout(board_of(ground), kept_within(ground.cell_mm, "cell_mm", MM_PER_INCH), (width, depth))


def kept_within(number: float | None, name: str, usual: float) -> float:
    """What is drawn of a number while it is being filled in."""
    least, most = RANGES[name]
    return min(most, max(least, float(number or usual)))


def is_somewhere(row: Row) -> bool:
    """Whether a row has numbers that can be a place."""
    return is_within(row.column, "place") and is_within(row.row, "place")


def place_of(ground: Ground, row: Row) -> Place:
    """Return the place on the board that a row means: on hexes by column and row, on a free table in mm."""
    column, line = float(row.column or 0), float(row.row or 0)
    if ground.kind == FREE:
        return (column, line)
    return hex_of((int(column), int(line))) if ground.kind == HEXES else (int(column), int(line))


def stands_on(board: SquareBoard | HexBoard | FreeTable, place: Place, base: int) -> tuple[Place, ...]:
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
    ranks = {**(ranks_meant(row.others) or {}), **_own_ranks(row)}
    return replace(
        token_of(ground, row),
        reflexes=int(row.reflexes or 0),
        group=printed(row.group),
        ranks=tuple((skill, int(rank)) for skill, rank in ranks.items()),
        speed=int(row.speed or 0),
        strike_cost=int(row.strike_cost or 0),
        stamina=_whole(row.stamina),
        focus=_whole(row.focus),
        courage=_whole(row.courage),
    )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _own_ranks(row: Row) -> dict[str, float]:
    """Ranks that have fields of their own, those that are filled in."""
    ranks = {"Fighting": row.fighting, "Shooting": row.shooting, RESOLVE: row.resolve}
    return {skill: rank for skill, rank in ranks.items() if rank is not None}


def token_of(ground: Ground, row: Row) -> Combatant:
    """What is drawn of a row, whatever else is being filled in: who and whose it is, its place and its base."""
    base = int(kept_within(row.base, "base", 1))
    return Combatant(
        identity(row.name),
        Side(row.side),
        0,
        name=printed(row.name),
        place=place_of(ground, row),
        footprint=(base, base) if ground.kind == SQUARES else ONE_SQUARE,
        base_radius_mm=base_radius_mm(layout_of(ground), base),
    )


def has_folded(row: Row) -> bool:
    """Say whether anything is filled in that is folded away."""
    return bool(row.others) or any(getattr(row, name) is not None for name in FOLDED)


def character_of(row: Row, before: Character | None = None) -> Character:
    """Return a row as a character that can be kept; `ValueError` where a number does not fit.

    Args:
        row: of the form.
        before: who is kept by that name: what is folded away in the form, and empty there, stays as it is kept.
    """
    had = before.world_saga if before is not None and before.world_saga is not None else CombatPart()
    others = ranks_meant(row.others)
    if others is None:
        raise ValueError(say("wsd_wrong_others", who=printed(row.name)))
    if not others:
        others = {skill: rank for skill, rank in had.ranks.items() if skill not in FIELDS_OF_RANKS}
    part = CombatPart.model_validate(
        {
            **had.model_dump(),
            "reflexes": row.reflexes,
            "ranks": {**others, **_own_ranks(row)},
            "speed": row.speed,
            "stamina": row.stamina,
            **{name: value for name in FOLDED if (value := getattr(row, name)) is not None},
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
        focus=part.focus,
        courage=part.courage,
        strike_cost=part.strike_cost or None,
        others=ranks_written({name: rank for name, rank in part.ranks.items() if name not in FIELDS_OF_RANKS}),
    )
