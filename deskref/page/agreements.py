"""What players agree on before a game besides who plays: parts of the forms of two games."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from nicegui import ui

from deskref.language import say
from deskref.number_ranges import RANGES, is_within
from deskref.page.number_field import NumberField
from rules.engagement import ENGAGED_GAP_MM
from rules.grid import CornerRule
from rules.sight import COVER_FROM, GREATER_FROM, SightRules
from rules.skuffle_state import AREA_20X20_MM, AREA_A4_MM, Options, TurnOrder
from rules.world_saga.state import BoonMode, DegreeTable, InitiativeMode, Settings

NUMBER: Final = "outlined dense"
CHOICE: Final = "outlined dense options-dense"

AREAS: Final = {"square": AREA_20X20_MM, "a4": AREA_A4_MM}
OWN: Final = "own"
"""A play area whose sides are given."""

PERCENT: Final = {"cover_percent": (1, 100), "greater_percent": (1, 98)}
"""Least and greatest of the shares, which the forms have in hundredths."""

DEGREES: Final = ("weak", "success", "strong", "great")

USUAL: Final = Options()
"""What the rules of Skuffle Wammer take where nothing is agreed on."""


@dataclass(slots=True, eq=False)
class SkuffleAgreed:
    """Of Skuffle Wammer, as the form has it; a cleared number is None."""

    turn_order: str = TurnOrder.TEAM_BLOCK.value
    strict: bool = False
    area: str = "square"
    width_mm: float | None = AREA_20X20_MM[0]
    depth_mm: float | None = AREA_20X20_MM[1]
    max_move_mm: float | None = None
    melee_gap_mm: float | None = USUAL.melee_gap_mm
    vantage_mm: float | None = USUAL.vantage_mm
    cover_percent: float | None = 100 * USUAL.cover_share

    def wrong(self) -> str:
        """Say which number cannot be, in words for the player; empty where all can."""
        numbers = {"melee_gap_mm": self.melee_gap_mm, "vantage_mm": self.vantage_mm}
        if self.area == OWN:
            numbers |= {"width_mm": self.width_mm, "depth_mm": self.depth_mm}
        if self.max_move_mm is not None:
            numbers["max_move_mm"] = self.max_move_mm
        return _out_of_range({**numbers, "cover_percent": self.cover_percent})

    def is_sound(self) -> bool:
        """Whether every choice is one that is offered: a file may say anything."""
        return self.turn_order in {one.value for one in TurnOrder} and self.area in (*AREAS, OWN)

    def options(self, minutes: int) -> Options:
        """Return what was agreed on; nothing must be wrong with it."""
        own = (float(self.width_mm or 0), float(self.depth_mm or 0))
        return Options(
            minutes=minutes,
            area_mm=AREAS.get(self.area, own),
            turn_order=TurnOrder(self.turn_order),
            melee_gap_mm=float(self.melee_gap_mm or 0),
            max_move_mm=None if self.max_move_mm is None else float(self.max_move_mm),
            vantage_mm=float(self.vantage_mm or 0),
            cover_share=float(self.cover_percent or 0) / 100,
            strict=self.strict,
        )

    def draw(self) -> None:
        """Draw the fields into the current element, folded away."""
        with _folded():
            with ui.element("div").classes("fields broad"):
                orders = {order.value: say(f"agreed_{order.value}") for order in TurnOrder}
                ui.select(orders, label=say("agreed_turn_order")).bind_value(self, "turn_order").props(CHOICE)
                areas = {area: say(f"agreed_area_{area}") for area in (*AREAS, OWN)}
                area = ui.select(areas, label=say("agreed_area")).bind_value(self, "area").props(CHOICE)
                for name in ("width_mm", "depth_mm"):
                    _number(self, name).bind_visibility_from(area, "value", value=OWN)
                for name in ("max_move_mm", "melee_gap_mm", "vantage_mm", "cover_percent"):
                    _number(self, name)
            ui.checkbox(say("agreed_strict")).bind_value(self, "strict")


@dataclass(slots=True, eq=False)
class CombatAgreed:
    """Of World Saga, as the form has it; a cleared number is None."""

    strict: bool = False
    horror: bool = False
    strides_per_turn: float | None = 1
    weary_penalty: float | None = 0
    engaged_gap_mm: float | None = ENGAGED_GAP_MM
    corners: str = CornerRule.NO_CUT.value
    damage: dict[str, float | None] = field(default_factory=lambda: dict.fromkeys(DEGREES))
    defence: dict[str, float | None] = field(default_factory=lambda: dict.fromkeys(DEGREES))
    cover_percent: float | None = 100 * COVER_FROM
    greater_percent: float | None = 100 * GREATER_FROM
    creatures_cover: bool = False
    lean: bool = False

    def wrong(self) -> str:
        """Say which number cannot be, in words for the player; empty where all can."""
        whole = {"strides_per_turn": self.strides_per_turn, "weary_penalty": self.weary_penalty}
        shares = {"cover_percent": self.cover_percent, "greater_percent": self.greater_percent}
        trouble = _out_of_range({**whole, "engaged_gap_mm": self.engaged_gap_mm, **shares})
        if not trouble and float(self.cover_percent or 0) >= float(self.greater_percent or 0):
            trouble = say("agreed_cover_order")
        for name, table in (("damage", self.damage), ("defence", self.defence)):
            numbers = [number for number in table.values() if number is not None]
            is_table = len(numbers) in (0, len(DEGREES)) and numbers == sorted(numbers)
            if not trouble and not (is_table and all(is_within(number, "degree") for number in numbers)):
                trouble = say("agreed_degrees", name=say(f"agreed_{name}"), most=RANGES["degree"][1])
        return trouble

    def is_sound(self) -> bool:
        """Whether every choice is one that is offered: a file may say anything."""
        are_tables = set(self.damage) == set(self.defence) == set(DEGREES)
        return are_tables and self.corners in {one.value for one in CornerRule}

    def settings(self, *, initiative: InitiativeMode, boons: BoonMode) -> Settings:
        """Return what was agreed on; nothing must be wrong with it."""
        return Settings(
            initiative=initiative,
            boons=boons,
            damage_table=_table(self.damage),
            defence_table=_table(self.defence),
            weary_penalty=int(self.weary_penalty or 0),
            horror=self.horror,
            strides_per_turn=int(self.strides_per_turn or 1),
            engaged_gap_mm=float(self.engaged_gap_mm or 0),
            strict=self.strict,
            sight=SightRules(
                cover_from=float(self.cover_percent or 0) / 100,
                greater_from=float(self.greater_percent or 0) / 100,
                creatures_cover=self.creatures_cover,
                lean=self.lean,
            ),
        )

    def draw(self) -> None:
        """Draw the fields into the current element, folded away."""
        with _folded():
            with ui.element("div").classes("fields broad"):
                for name in ("strides_per_turn", "weary_penalty", "engaged_gap_mm"):
                    _number(self, name, is_whole=name != "engaged_gap_mm")
                for name in ("cover_percent", "greater_percent"):
                    _number(self, name)
                corners = {rule.value: say(f"agreed_corners_{rule.value}") for rule in CornerRule}
                ui.select(corners, label=say("agreed_corners")).bind_value(self, "corners").props(CHOICE)
            for name, table in (("damage", self.damage), ("defence", self.defence)):
                with ui.element("fieldset"):
                    with ui.element("legend"):
                        ui.label(say(f"agreed_{name}"))
                    with ui.element("div").classes("fields"):
                        for degree in DEGREES:
                            number = NumberField(say(f"agreed_{degree}"), min=0, max=RANGES["degree"][1], precision=0)
                            number.bind_value(table, degree).props(f"{NUMBER} clearable")
            for name in ("creatures_cover", "lean", "horror"):
                ui.checkbox(say(f"agreed_{name}")).bind_value(self, name)
            ui.checkbox(say("agreed_strict")).bind_value(self, "strict")


@contextmanager
def _folded() -> Iterator[None]:
    with ui.element("details"):
        with ui.element("summary"):
            ui.label(say("agreed_more"))
        yield


def _number(of: object, name: str, *, is_whole: bool = False) -> NumberField:
    number = NumberField(say(f"agreed_{name}"), precision=0 if is_whole else None)
    number.bind_value(of, name).props(NUMBER)
    return number


def _is_within(value: float | None, name: str) -> bool:
    if name not in PERCENT:
        return is_within(value, name)
    least, most = PERCENT[name]
    return value is not None and math.isfinite(value) and least <= value <= most


def _out_of_range(numbers: dict[str, float | None]) -> str:
    wrong = next((name for name, value in numbers.items() if not _is_within(value, name)), None)
    if wrong is None:
        return ""
    least, most = PERCENT.get(wrong) or RANGES[wrong]
    return say("agreed_range", name=say(f"agreed_{wrong}"), least=f"{least:g}", most=f"{most:g}")


def _table(numbers: dict[str, float | None]) -> DegreeTable | None:
    given = [int(number) for number in numbers.values() if number is not None]
    return DegreeTable(*given) if len(given) == len(DEGREES) else None
