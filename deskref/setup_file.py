"""The set-up of a game as a file: which game, who plays with whom, from where, by which agreements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from deskref.board_places import Layout, hex_of
from deskref.inputs import AnySetup, AutomatedSoldier, CombatSetup, Setup, SkirmishSetup, SoldierSetup, Trait
from rules.footprints import MM_PER_INCH
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.skirmish import state as skirmish
from rules.skirmish.damage import Condition
from rules.skuffle_state import AREA_20X20_MM, Breed, Options, TurnOrder
from rules.world_saga.initiative import Side
from rules.world_saga.state import BoonMode, Combatant, InitiativeMode, Settings

Square = tuple[int, int]
Name = Annotated[str, Field(min_length=1, max_length=40)]
TraitDie = Literal[4, 6, 8, 10, 12]


FARTHEST_MM = 500.0
"""Nobody starts farther from the middle of the table."""


class SetupError(Exception):
    """A set-up file that cannot be used; says where and what was expected."""


Coordinate = Annotated[float, Field(ge=-FARTHEST_MM, le=FARTHEST_MM, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Soldier(_Part):
    name: Name
    team: str | None = Field(default=None, max_length=40)
    start_mm: tuple[Coordinate, Coordinate] | None = None
    pool: int | None = Field(default=None, ge=1, le=20)
    breed: Literal[Breed.GHOUL, Breed.ZOMBIE, Breed.ROBOT] | None = None


class _Skuffle(_Part):
    game: Literal["skuffle-wammer"]
    minutes: Literal[1, 3, 5] = 5
    turn_order: TurnOrder = TurnOrder.TEAM_BLOCK
    strict: bool = False
    soldiers: list[_Soldier] = Field(min_length=2, max_length=20)

    def setup(self, *, with_camera: bool) -> Setup:
        options = Options(minutes=self.minutes, area_mm=AREA_20X20_MM, turn_order=self.turn_order, strict=self.strict)
        return Setup(tuple(_soldier(s, with_camera=with_camera) for s in self.soldiers), options, with_camera)

    def names(self) -> list[str]:
        return [s.name for s in self.soldiers]


class _Hero(_Part):
    name: Name
    trait: Name = "Fighting"
    die: TraitDie = 8
    toughness: int = Field(default=5, ge=1, le=40)
    spirit: TraitDie = 6
    vigor: TraitDie = 6
    bennies: int = Field(default=skirmish.START_BENNIES, ge=0, le=20)
    ally_of: str | None = None
    wild_card: bool = True


class _Milestone(_Part):
    tokens: int = Field(ge=1)
    effect: skirmish.MilestoneEffect
    bonus: int = 0
    note: str = Field(default="", max_length=200)


class _Skirmish(_Part):
    game: Literal["quick-skirmish"]
    tokens: int = Field(ge=1, le=200)
    edition: skirmish.Edition = skirmish.Edition.SWADE
    competence: int = Field(default=0, ge=-2, le=2)
    tactics: int = Field(default=0, ge=-2, le=2)
    benny_for_most: bool = False
    may_reroll: bool = True
    milestones: list[_Milestone] = []
    heroes: list[_Hero] = Field(min_length=1, max_length=20)

    def setup(self, *, with_camera: bool) -> SkirmishSetup:
        ids = {hero.name: _identity(hero.name) for hero in self.heroes}
        for hero in self.heroes:
            if hero.ally_of is not None and hero.ally_of not in {h.name for h in self.heroes if h.ally_of is None}:
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
                ids[hero.name],
                Condition(hero.toughness, is_wild_card=hero.wild_card),
                spirit=hero.spirit,
                vigor=hero.vigor,
                bennies=hero.bennies,
                ally_of=ids[hero.ally_of] if hero.ally_of is not None else None,
                name=hero.name,
            )
            for hero in self.heroes
        )
        traits = tuple(Trait(ids[h.name], h.trait, h.die) for h in self.heroes if h.ally_of is None)
        return SkirmishSetup(fighters, self.tokens, options, traits)

    def names(self) -> list[str]:
        return [h.name for h in self.heroes]


class _Combatant(_Part):
    name: Name
    side: Side
    reflexes: int
    place: tuple[float, float] | None = None
    speed: int | None = Field(default=None, ge=0, le=100)
    ranks: dict[str, int] = {}
    stamina: int | None = Field(default=None, ge=0)
    focus: int | None = Field(default=None, ge=0)
    courage: int | None = Field(default=None, ge=0)
    strike_cost: int = Field(default=0, ge=0)
    group: str = Field(default="", max_length=40)
    team: str = Field(default="", max_length=40)


class _Board(_Part):
    kind: Literal["squares", "hexes", "free"] = "squares"
    columns: int = Field(default=7, ge=1, le=100)
    rows: int = Field(default=7, ge=1, le=100)
    cell_mm: float = Field(default=MM_PER_INCH, ge=1, le=1000)
    width_mm: float = Field(default=AREA_20X20_MM[0], ge=50, le=5000)
    depth_mm: float = Field(default=AREA_20X20_MM[1], ge=50, le=5000)
    walls: list[Square] = []
    difficult: list[Square] = []

    def layout(self) -> Layout:
        """The board and how it lies; hexes are listed by column and row."""
        walls, difficult = tuple(self.walls), tuple(self.difficult)
        board: SquareBoard | HexBoard | Ground
        match self.kind:
            case "squares":
                board = SquareBoard(self.columns, self.rows, walls=walls, difficult=difficult)
            case "hexes":
                slanted = tuple(tuple(hex_of(cell) for cell in cells) for cells in (walls, difficult))
                board = HexBoard(self.columns, self.rows, walls=slanted[0], difficult=slanted[1])
            case "free":
                if walls or difficult:
                    raise SetupError("a free table has no squares for walls or difficult ground")
                board = Ground(self.cell_mm)
        return Layout(board, self.cell_mm, (self.width_mm, self.depth_mm))


class _Combat(_Part):
    game: Literal["world-saga"]
    initiative: InitiativeMode = InitiativeMode.EACH_ROUND
    boons: BoonMode = BoonMode.REPORT_ONLY
    strict: bool = False
    board: _Board | None = None
    combatants: list[_Combatant] = Field(min_length=2, max_length=40)

    def setup(self, *, with_camera: bool) -> CombatSetup:
        layout = self.board.layout() if self.board is not None else None
        combatants = []
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
                    team=c.team,
                    group=c.group,
                    ranks=tuple(c.ranks.items()),
                    speed=c.speed,
                    place=place,
                    strike_cost=c.strike_cost,
                    stamina=c.stamina,
                    focus=c.focus,
                    courage=c.courage,
                )
            )
        settings = Settings(initiative=self.initiative, boons=self.boons, strict=self.strict)
        if layout is None:
            return CombatSetup(tuple(combatants), None, settings)
        return CombatSetup(tuple(combatants), layout.board, settings, layout.cell_mm, layout.area_mm)

    def names(self) -> list[str]:
        return [c.name for c in self.combatants]


_FILE: TypeAdapter[_Skuffle | _Skirmish | _Combat] = TypeAdapter(
    Annotated[_Skuffle | _Skirmish | _Combat, Field(discriminator="game")]
)


def load_setup(path: Path, *, with_camera: bool) -> AnySetup:
    """Read a set-up file; its `game` says which game it is for.

    Raises:
        SetupError: it is no set-up, or something in it does not fit.
        OSError: the file cannot be read.
    """
    try:
        file = _FILE.validate_json(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise SetupError(f"{path.name}: {where}: {first['msg']}") from error
    names = file.names()
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise SetupError(f"{path.name}: two soldiers are called {twice!r}; give one of them another name")
    try:
        return file.setup(with_camera=with_camera)
    except (ValueError, SetupError) as wrong:
        raise SetupError(f"{path.name}: {wrong}") from wrong


def _soldier(soldier: _Soldier, *, with_camera: bool) -> SoldierSetup:
    place = soldier.start_mm if with_camera else None
    named = (_identity(soldier.name), soldier.name, soldier.team, place, soldier.pool)
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


def _identity(name: str) -> str:
    return name.lower()
