"""The set-up of a game as a file: which game, who plays with whom, from where, by which agreements."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import shapely
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from deskref.board_places import Layout, hex_of
from deskref.characters import Pool, Rank
from deskref.file_mistake import first_mistake, not_truth
from deskref.given_file import read_given
from deskref.inputs import AnySetup, AutomatedSoldier, CombatSetup, Setup, SkirmishSetup, SoldierSetup, Trait
from deskref.names import checked, first_alike, likeness
from deskref.number_ranges import within
from deskref.sound_json import sound_json
from deskref.tabletop import rules_from_table
from rules.engagement import ENGAGED_GAP_MM
from rules.footprints import MM_PER_INCH, ONE_SQUARE
from rules.freeform import Ground
from rules.grid import CornerRule, SquareBoard
from rules.hexes import HexBoard
from rules.outline import contains
from rules.sight import COVER_FROM, GREATER_FROM, SightRules
from rules.skirmish import state as skirmish
from rules.skirmish.damage import Condition
from rules.skuffle_state import AREA_20X20_MM, AREA_A4_MM, Breed, Options, TurnOrder
from rules.world_saga.initiative import Side
from rules.world_saga.state import BoonMode, Combatant, DegreeTable, InitiativeMode, Settings

Square = tuple[int, int]


Named = Annotated[str, Field(max_length=40), AfterValidator(checked)]
"""What is shown where somebody or something has a name; may be empty."""
Name = Annotated[Named, Field(min_length=1)]
Note = Annotated[str, Field(max_length=200), AfterValidator(checked)]
TraitDie = Literal[4, 6, 8, 10, 12]
AGREED = Options()
"""What is agreed on where a file says nothing."""


FARTHEST_MM = 500.0
"""Nobody starts farther from the middle of the table."""


class SetupError(Exception):
    """A set-up file that cannot be used; says where and what was expected."""


Coordinate = Annotated[float, Field(ge=-FARTHEST_MM, le=FARTHEST_MM, allow_inf_nan=False)]
TableMm = Annotated[float, Field(ge=0, le=5000, allow_inf_nan=False)]
"""A place along a side of a free table."""
Place = Annotated[float, within("place")]
"""A column or row of a board, or a place along a side of a free table; whether it is on it is looked at later."""
Outline = Annotated[list[tuple[TableMm, TableMm]], Field(min_length=3, max_length=200)]


SideMm = Annotated[float, within("width_mm")]
"""Width or depth of a play area or table."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def _sheet(area: object) -> object:
    """A play area by the name of a sheet, or as it is given."""
    if area == "a4":
        return AREA_A4_MM
    return tuple(area) if isinstance(area, list) else area


class _Soldier(_Part):
    name: Name
    team: Named | None = None
    start_mm: tuple[Coordinate, Coordinate] | None = None
    pool: int | None = Field(default=None, ge=1, le=20)
    breed: Literal[Breed.GHOUL, Breed.ZOMBIE, Breed.ROBOT] | None = None


class _Skuffle(_Part):
    game: Literal["skuffle-wammer"]
    minutes: Annotated[Literal[1, 3, 5], BeforeValidator(not_truth)] = 5
    turn_order: TurnOrder = TurnOrder.TEAM_BLOCK
    strict: bool = False
    area_mm: Annotated[tuple[SideMm, SideMm], BeforeValidator(_sheet)] = AREA_20X20_MM
    seat_mm: tuple[Coordinate, Coordinate] | None = None
    melee_gap_mm: Annotated[float, within("melee_gap_mm")] = AGREED.melee_gap_mm
    max_move_mm: Annotated[float, within("max_move_mm")] | None = None
    vantage_mm: Annotated[float, within("vantage_mm")] = AGREED.vantage_mm
    cover_share: Annotated[float, within("cover_share")] = AGREED.cover_share
    soldiers: list[_Soldier] = Field(min_length=2, max_length=20)

    def setup(self, *, with_camera: bool) -> Setup:
        options = Options(
            minutes=self.minutes,
            area_mm=self.area_mm,
            seat_mm=rules_from_table(self.seat_mm, self.area_mm) if self.seat_mm is not None else None,
            turn_order=self.turn_order,
            melee_gap_mm=self.melee_gap_mm,
            max_move_mm=self.max_move_mm,
            vantage_mm=self.vantage_mm,
            cover_share=self.cover_share,
            strict=self.strict,
        )
        soldiers = tuple(_soldier(s, with_camera=with_camera) for s in self.soldiers)
        teams = _one_spelling([s.side for s in soldiers if s.side])
        soldiers = tuple(replace(s, side=teams[likeness(s.side)] if s.side else s.side) for s in soldiers)
        return Setup(soldiers, options, with_camera)

    def names(self) -> list[str]:
        return [s.name for s in self.soldiers]


class _Hero(_Part):
    name: Name
    trait: Name = "Fighting"
    die: TraitDie = 8
    toughness: Annotated[int, within("toughness")] = 5
    spirit: TraitDie = 6
    vigor: TraitDie = 6
    bennies: Annotated[int, within("bennies")] | None = None
    ally_of: Named | None = None
    wild_card: bool = True


def _bennies(hero: _Hero) -> int:
    """Those named, or as many as heroes begin with; allies usually have none."""
    if hero.bennies is not None:
        return hero.bennies
    return skirmish.START_BENNIES if hero.ally_of is None else 0


class _Milestone(_Part):
    tokens: Annotated[int, within("tokens")]
    effect: skirmish.MilestoneEffect
    bonus: int = Field(default=0, ge=-20, le=20)
    note: Note = ""


class _Skirmish(_Part):
    game: Literal["quick-skirmish"]
    tokens: Annotated[int, within("tokens")]
    edition: skirmish.Edition = skirmish.Edition.SWADE
    competence: int = Field(default=0, ge=-2, le=2)
    tactics: int = Field(default=0, ge=-2, le=2)
    benny_for_most: bool = False
    may_reroll: bool = True
    milestones: list[_Milestone] = []
    heroes: list[_Hero] = Field(min_length=1, max_length=20)

    def setup(self, *, with_camera: bool) -> SkirmishSetup:
        players = {likeness(hero.name) for hero in self.heroes if hero.ally_of is None}
        for hero in self.heroes:
            if hero.ally_of is not None and likeness(hero.ally_of) not in players:
                raise SetupError(f"{hero.name!r} is the ally of {hero.ally_of!r}, who is no hero of this skirmish")
        options = skirmish.Options(
            edition=self.edition,
            competence=self.competence,
            tactics=self.tactics,
            milestones=tuple(skirmish.Milestone(m.tokens, m.effect, m.bonus, m.note) for m in self.milestones),
            has_benny_for_most=self.benny_for_most,
            may_reroll=self.may_reroll,
        )
        fighters = tuple(
            skirmish.Fighter(
                likeness(hero.name),
                Condition(hero.toughness, is_wild_card=hero.wild_card),
                spirit=hero.spirit,
                vigor=hero.vigor,
                bennies=_bennies(hero),
                ally_of=likeness(hero.ally_of) if hero.ally_of is not None else None,
                name=hero.name,
            )
            for hero in self.heroes
        )
        traits = tuple(Trait(likeness(h.name), h.trait, h.die) for h in self.heroes if h.ally_of is None)
        return SkirmishSetup(fighters, self.tokens, options, traits)

    def names(self) -> list[str]:
        return [h.name for h in self.heroes]


class _Combatant(_Part):
    name: Name
    side: Side
    reflexes: Rank
    place: tuple[Place, Place] | None = None
    speed: Annotated[int, within("speed")] | None = None
    ranks: dict[Name, Rank] = Field(default={}, max_length=60)
    stamina: Pool | None = None
    focus: Pool | None = None
    courage: Pool | None = None
    strike_cost: Annotated[int, within("strike_cost")] = 0
    base: Annotated[int, within("base")] = 1
    group: Named = ""
    team: Named = ""


class _Board(_Part):
    kind: Literal["squares", "hexes", "free"] = "squares"
    columns: int = Field(default=7, ge=1, le=100)
    rows: int = Field(default=7, ge=1, le=100)
    cell_mm: Annotated[float, within("cell_mm")] = MM_PER_INCH
    width_mm: SideMm = AREA_20X20_MM[0]
    depth_mm: SideMm = AREA_20X20_MM[1]
    walls: list[Square] = []
    difficult: list[Square] = []
    fences: list[tuple[Square, Square]] = []
    corners: CornerRule | None = None
    wall_outlines: list[Outline] = []
    difficult_outlines: list[Outline] = []

    def layout(self) -> Layout:
        """The board and how it lies; hexes are listed by column and row."""
        self._check_kind()
        walls, difficult = tuple(self.walls), tuple(self.difficult)
        board: SquareBoard | HexBoard | Ground
        match self.kind:
            case "squares":
                corners = self.corners or CornerRule.NO_CUT
                fences = tuple(self.fences)
                board = SquareBoard(
                    self.columns, self.rows, walls=walls, difficult=difficult, fences=fences, corners=corners
                )
            case "hexes":
                slanted = tuple(tuple(hex_of(cell) for cell in cells) for cells in (walls, difficult))
                board = HexBoard(self.columns, self.rows, walls=slanted[0], difficult=slanted[1])
            case "free":
                outlines = (tuple(map(tuple, some)) for some in (self.difficult_outlines, self.wall_outlines))
                board = Ground(self.cell_mm, *outlines)
        return Layout(board, self.cell_mm, (self.width_mm, self.depth_mm))

    def has_wall_at(self, place: tuple[float, float]) -> bool:
        """Whether nobody can stand at a place because a wall is there."""
        if self.kind == "free":
            return any(contains(tuple(outline), place) for outline in self.wall_outlines)
        return any(wall == place for wall in self.walls)

    def check_room(self, combatants: int) -> None:
        """Refuse walls that leave fewer places than there are combatants."""
        if self.kind == "free":
            walls = shapely.union_all([shapely.make_valid(shapely.Polygon(outline)) for outline in self.wall_outlines])
            free_mm2 = shapely.box(0, 0, self.width_mm, self.depth_mm).difference(walls).area
            places = int(free_mm2 / self.cell_mm**2)
        else:
            places = self.columns * self.rows - len(set(self.walls))
        if places < combatants:
            raise SetupError(f"the walls leave room for {places} of the {combatants} who fight; take some away")

    def _holds(self, cell: tuple[int, int]) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def _check_kind(self) -> None:
        """Refuse what another kind of board has."""
        given = self.model_fields_set
        if self.kind == "free" and given & {"walls", "difficult"}:
            raise SetupError(
                "a free table has no squares for walls or difficult ground; name wall_outlines and difficult_outlines"
            )
        if self.kind != "free" and given & {"wall_outlines", "difficult_outlines", "width_mm", "depth_mm"}:
            raise SetupError("outlines, width_mm and depth_mm are of a free table; squares and hexes have rows")
        if self.kind != "squares" and given & {"fences", "corners"}:
            raise SetupError("only a board of squares has fences and a rule for corners")
        off = next((c for c in (*self.walls, *self.difficult) if not self._holds(c)), None)
        if off is not None:
            raise SetupError(f"{off!r} is outside the board of {self.columns} columns and {self.rows} rows")
        outside = [
            (x, y)
            for outline in (*self.wall_outlines, *self.difficult_outlines)
            for x, y in outline
            if x > self.width_mm or y > self.depth_mm
        ]
        if outside:
            raise SetupError(f"an outline goes to {outside[0]!r}, outside the table")


class _Degrees(_Part):
    weak: Annotated[int, within("degree")]
    success: Annotated[int, within("degree")]
    strong: Annotated[int, within("degree")]
    great: Annotated[int, within("degree")]

    def table(self) -> DegreeTable:
        return DegreeTable(self.weak, self.success, self.strong, self.great)


class _Combat(_Part):
    game: Literal["world-saga"]
    initiative: InitiativeMode = InitiativeMode.EACH_ROUND
    boons: BoonMode = BoonMode.REPORT_ONLY
    damage_table: _Degrees | None = None
    defence_table: _Degrees | None = None
    weary_penalty: Annotated[int, within("weary_penalty")] = 0
    horror: bool = False
    strides_per_turn: Annotated[int, within("strides_per_turn")] = 1
    engaged_gap_mm: Annotated[float, within("engaged_gap_mm")] = ENGAGED_GAP_MM
    strict: bool = False
    cover_from: Annotated[float, within("cover_from")] = COVER_FROM
    greater_from: Annotated[float, within("greater_from")] = GREATER_FROM
    creatures_cover: bool = False
    lean: bool = False
    board: _Board | None = None
    combatants: list[_Combatant] = Field(min_length=2, max_length=40)

    def setup(self, *, with_camera: bool) -> CombatSetup:
        layout = self.board.layout() if self.board is not None else None
        self._check_places()
        combatants = []
        teams = _one_spelling([c.team for c in self.combatants if c.team])
        groups = _one_spelling([c.group for c in self.combatants if c.group])
        for c in self.combatants:
            place = c.place
            if place is not None and layout is not None:
                place = _place(layout, c.name, place)
            combatants.append(
                Combatant(
                    c.name,
                    c.side,
                    c.reflexes,
                    name=c.name,
                    team=teams.get(likeness(c.team), ""),
                    group=groups.get(likeness(c.group), ""),
                    ranks=tuple(c.ranks.items()),
                    speed=c.speed,
                    place=place,
                    footprint=(c.base, c.base)
                    if layout is None or isinstance(layout.board, SquareBoard)
                    else ONE_SQUARE,
                    base_radius_mm=base_radius_mm(layout, c.base),
                    strike_cost=c.strike_cost,
                    stamina=c.stamina,
                    focus=c.focus,
                    courage=c.courage,
                )
            )
        settings = Settings(
            initiative=self.initiative,
            boons=self.boons,
            damage_table=self.damage_table.table() if self.damage_table is not None else None,
            defence_table=self.defence_table.table() if self.defence_table is not None else None,
            weary_penalty=self.weary_penalty,
            horror=self.horror,
            strides_per_turn=self.strides_per_turn,
            engaged_gap_mm=self.engaged_gap_mm,
            strict=self.strict,
            sight=SightRules(
                cover_from=self.cover_from,
                greater_from=self.greater_from,
                creatures_cover=self.creatures_cover,
                lean=self.lean,
            ),
        )
        if layout is None:
            return CombatSetup(tuple(combatants), None, settings)
        return CombatSetup(tuple(combatants), layout.board, settings, layout.cell_mm, layout.area_mm)

    def _check_places(self) -> None:
        """Refuse a place in a wall, two who stand on one place, and a group called like somebody outside of it."""
        board = self.board
        if board is not None:
            board.check_room(len(self.combatants))
        own = {likeness(c.name): c for c in self.combatants}
        for c in self.combatants:
            namesake = own.get(likeness(c.group)) if c.group else None
            if namesake is not None and likeness(namesake.group) != likeness(c.group):
                raise SetupError(f"the group {c.group!r} is called like {namesake.name!r}, who is not in it")
        standing: dict[tuple[float, float], str] = {}
        for c in self.combatants:
            if board is not None and board.kind == "hexes" and c.base > 1:
                raise SetupError(f"{c.name!r} has a base of {c.base}; on hexes everybody stands on one")
            if c.place is None:
                continue
            is_wide = c.base > 1 and board is not None and board.kind == "squares"
            reach = range(c.base if is_wide else 1)
            for place in ((c.place[0] + right, c.place[1] + down) for down in reach for right in reach):
                if board is not None and board.has_wall_at(place):
                    raise SetupError(f"{c.name!r} stands in a wall at {place!r}")
                if board is not None and is_wide and not (place[0] < board.columns and place[1] < board.rows):
                    raise SetupError(f"{c.name!r} stands outside the board with its base of {c.base}")
                if place in standing:
                    raise SetupError(f"{standing[place]!r} and {c.name!r} both stand at {place!r}")
                standing[place] = c.name

    def names(self) -> list[str]:
        return [c.name for c in self.combatants]


GAMES = ("skuffle-wammer", "quick-skirmish", "world-saga")
"""What `game` may say."""

_FILE: TypeAdapter[_Skuffle | _Skirmish | _Combat] = TypeAdapter(
    Annotated[_Skuffle | _Skirmish | _Combat, Field(discriminator="game")]
)


def base_radius_mm(layout: Layout | None, base: int) -> float:
    """Return the radius of a base in mm: of as many squares or hexes of the board, or of inches where it has none."""
    has_cells = layout is not None and not isinstance(layout.board, Ground)
    return base * (layout.cell_mm if layout is not None and has_cells else MM_PER_INCH) / 2


def load_setup(path: Path, *, with_camera: bool) -> AnySetup:
    """Read a set-up file; its `game` says which game it is for.

    Raises:
        SetupError: it is no set-up, or something in it does not fit.
        OSError: the file cannot be read.
    """
    try:
        file = _FILE.validate_json(sound_json(read_given(path)))
    except ValidationError as error:
        raise SetupError(f"{path.name}: {first_mistake(error, tags=GAMES)}") from error
    except ValueError as error:
        raise SetupError(f"{path.name}: {error}") from error
    twice = first_alike(file.names())
    if twice is not None:
        raise SetupError(f"{path.name}: two soldiers are called {twice!r}; give one of them another name")
    try:
        return file.setup(with_camera=with_camera)
    except (ValueError, SetupError) as wrong:
        raise SetupError(f"{path.name}: {wrong}") from wrong


def _soldier(soldier: _Soldier, *, with_camera: bool) -> SoldierSetup:
    place = soldier.start_mm if with_camera else None
    named = (likeness(soldier.name), soldier.name, soldier.team, place, soldier.pool)
    return SoldierSetup(*named) if soldier.breed is None else AutomatedSoldier(*named, soldier.breed)


def _place(layout: Layout, name: str, place: tuple[float, float]) -> tuple[float, float]:
    """A place of a set-up file as the rules have it: whole numbers on a board, hexes slanted."""
    if not isinstance(layout.board, Ground):
        if place[0] % 1 or place[1] % 1:
            raise SetupError(f"{name!r} stands at {place!r}; a place on a board is two whole numbers")
        place = (int(place[0]), int(place[1]))
        place = hex_of(place) if isinstance(layout.board, HexBoard) else place
    if layout.place_at(layout.middle(place)) is None:
        raise SetupError(f"{name!r} stands at {place!r}, outside the board")
    return place


def _one_spelling(names: list[str]) -> dict[str, str]:
    """The first spelling of each name by what it shares with those that look like it: `Wolves` and `wolves` are one."""
    return {likeness(name): name for name in reversed(names)}
