"""The form for a new Quick Skirmish: heroes and allies, the pile of tokens, the game master's modifiers, milestones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from nicegui import ui

from deskref.characters import Character, SkirmishPart
from deskref.inputs import SkirmishSetup, Trait
from deskref.language import say
from deskref.live import LiveGame
from deskref.names import first_alike, likeness, printed
from deskref.number_ranges import is_within
from deskref.page.kept_characters import KeptChoice, keep
from deskref.page.keys import key
from deskref.page.last_fields import remembered
from deskref.page.number_field import NumberField
from deskref.page.range_words import out_of_range
from deskref.page.skill_field import skill_field
from deskref.rule_sets import QUICK_SKIRMISH
from deskref.settings import home
from rules.skirmish.damage import Condition
from rules.skirmish.rolls import TRAIT_SIDES
from rules.skirmish.state import (
    START_BENNIES,
    Edition,
    Fighter,
    Milestone,
    MilestoneEffect,
    Options,
)

TOKENS_PER_HERO = 4
"""Tokens offered for each hero: 3 to 5 are a reasonable challenge (Quick Skirmish)."""

HEROES = (("Lokan", "Fighting"), ("Tarik", "Shooting"), ("Vesta", "Stealth"), ("Borin", "Fighting"))
"""Who is offered until the players say otherwise."""

MODIFIERS = {amount: f"{amount:+d}" if amount else "0" for amount in range(-2, 3)}


@dataclass(slots=True, eq=False)
class HeroRow:
    """A hero or ally as the form has it; a cleared number field is None."""

    name: str
    trait: str = "Fighting"
    sides: int = 8
    toughness: float | None = 5
    spirit: int = 6
    vigor: int = 6
    bennies: float | None = START_BENNIES
    ally_of: str = ""
    """The hero's name; empty for a hero."""


@dataclass(slots=True, eq=False)
class SceneRow:
    """The scene as the form has it."""

    tokens: float | None = TOKENS_PER_HERO * 3
    competence: int = 0
    tactics: int = 0
    edition: str = Edition.SWADE.value
    leave_at: float | None = 0
    bonus_at: float | None = 0
    has_benny_for_most: bool = False


@dataclass(slots=True, eq=False)
class Fields:
    """Everything that the form has."""

    heroes: list[HeroRow] = field(default_factory=lambda: [HeroRow(name, trait) for name, trait in HEROES[:3]])
    scene: SceneRow = field(default_factory=SceneRow)


def begun(_: LiveGame) -> Fields:
    """Return what the form begins with: what the last skirmish had, or three heroes."""
    fields = remembered(home(), QUICK_SKIRMISH.name, Fields)
    return fields if fields is not None and _is_sound(fields) else Fields()


def _is_sound(fields: Fields) -> bool:
    """Whether what a file has can be shown and started."""
    scene = fields.scene
    dice = (sides for row in fields.heroes for sides in (row.sides, row.spirit, row.vigor))
    return (
        all(sides in TRAIT_SIDES for sides in dice)
        and {scene.competence, scene.tactics} <= set(MODIFIERS)
        and scene.edition in {one.value for one in Edition}
        and not wrong(fields.heroes, scene)
    )


def wrong(heroes: list[HeroRow], scene: SceneRow) -> str:
    """Return what keeps the form from being a skirmish, or nothing."""
    names = [printed(row.name) for row in heroes]
    if not all(names):
        return say("qs_wrong_name")
    twice = first_alike(names)
    if twice is not None:
        return say("qs_wrong_twice", who=twice)
    players = {printed(row.name) for row in heroes if not row.ally_of}
    if not players:
        return say("qs_wrong_none")
    stray = next((printed(r.name) for r in heroes if r.ally_of and printed(r.ally_of) not in players), None)
    if stray is not None:
        return say("qs_wrong_ally", who=stray)
    numbers = [scene.tokens, scene.leave_at, scene.bonus_at]
    numbers += [number for row in heroes for number in (row.toughness, row.bennies)]
    if any(number is None for number in numbers):
        return say("qs_wrong_number")
    for words, number in (
        ("qs_foes", scene.tokens),
        ("qs_milestone_leave", scene.leave_at or None),
        ("qs_milestone_bonus", scene.bonus_at or None),
    ):
        if number is not None and not is_within(number, "tokens"):
            return out_of_range(say(words), "tokens")
    for row in heroes:
        for name, number in (("toughness", row.toughness), ("bennies", row.bennies)):
            if not is_within(number, name):
                return out_of_range(say(f"qs_{name}"), name, who=printed(row.name))
    return ""


def setup_of(heroes: list[HeroRow], scene: SceneRow) -> SkirmishSetup:
    """Return the set-up that the form means; nothing must be wrong with it."""
    fighters = tuple(
        Fighter(
            identity(row.name),
            Condition(int(row.toughness or 0)),
            spirit=row.spirit,
            vigor=row.vigor,
            bennies=int(row.bennies or 0),
            ally_of=identity(row.ally_of) if row.ally_of else None,
            name=printed(row.name),
        )
        for row in heroes
    )
    milestones = []
    if scene.leave_at:
        milestones.append(Milestone(int(scene.leave_at), MilestoneEffect.LEAVE))
    if scene.bonus_at:
        milestones.append(Milestone(int(scene.bonus_at), MilestoneEffect.NEXT_ROLL, bonus=1))
    options = Options(
        edition=Edition(scene.edition),
        competence=scene.competence,
        tactics=scene.tactics,
        milestones=tuple(milestones),
        has_benny_for_most=scene.has_benny_for_most,
    )
    traits = tuple(Trait(identity(row.name), printed(row.trait) or "?", row.sides) for row in heroes if not row.ally_of)
    return SkirmishSetup(fighters, int(scene.tokens or 1), options, traits)


def free_hero(heroes: list[HeroRow]) -> tuple[str, str]:
    """Return a name that nobody could take for one of these, and its trait."""
    used = {likeness(row.name) for row in heroes}
    new = ((say("qs_new_hero", number=n), "Fighting") for n in range(len(heroes) + 1, 2 * len(heroes) + 2))
    return next(one for one in (*HEROES, *new) if likeness(one[0]) not in used)


def identity(name: str) -> str:
    """Return the id of somebody called so."""
    return likeness(name)


def character_of(row: HeroRow, _: Character | None = None) -> Character:
    """Return a row as a character that can be kept; `ValueError` where a number does not fit.

    The form has everything that a skirmish needs of somebody; who was kept before does not matter.
    """
    part = SkirmishPart.model_validate(
        {
            "trait": printed(row.trait),
            "die": row.sides,
            "toughness": row.toughness,
            "spirit": row.spirit,
            "vigor": row.vigor,
            "bennies": row.bennies,
        }
    )
    return Character(name=printed(row.name), quick_skirmish=part)


def row_of(character: Character) -> HeroRow:
    """Return a character as a row of the form."""
    part = character.quick_skirmish or SkirmishPart()
    return HeroRow(character.name, part.trait, part.die, part.toughness, part.spirit, part.vigor, part.bennies)


def fill_form(
    _: LiveGame, fields: Fields, start: Callable[[SkirmishSetup], object], close: Callable[[], object]
) -> None:
    """Draw the form into the current element; `start` takes the set-up, `close` cancels."""
    _Form(fields, start, close)


class _Form:
    def __init__(self, fields: Fields, start: Callable[[SkirmishSetup], object], close: Callable[[], object]) -> None:
        self.start = start
        self.close = close
        self.fields = fields
        self.scene = fields.scene
        ui.html(f"<h2>{say('qs_form')}</h2>")
        with ui.element("div").classes("fields"):
            NumberField(say("qs_foes"), min=1, precision=0).bind_value(self.scene, "tokens").props("outlined dense")
            for name, words in (("competence", "qs_competence"), ("tactics", "qs_tactics")):
                ui.select(MODIFIERS, label=say(words)).bind_value(self.scene, name).props(
                    "outlined dense options-dense"
                )
            editions = {Edition.SWADE.value: say("qs_swade"), Edition.SWD.value: say("qs_swd")}
            ui.select(editions, label=say("qs_edition")).bind_value(self.scene, "edition").props(
                "outlined dense options-dense"
            )
            for name, words in (("leave_at", "qs_milestone_leave"), ("bonus_at", "qs_milestone_bonus")):
                NumberField(say(words), min=0, precision=0).bind_value(self.scene, name).props("outlined dense")
        ui.checkbox(say("qs_benny_most")).bind_value(self.scene, "has_benny_for_most")
        for words in ("qs_circumstances_help", "qs_milestone_help"):
            ui.label(say(words)).classes("hint")
        self.rows = ui.element("div").classes("rows")
        ui.label(say("char_keep_help")).classes("hint")
        self.kept = KeptChoice(lambda c: c.quick_skirmish is not None, self.take)
        self.trouble = ui.label().classes("says").props('role="alert"')
        with ui.element("div").classes("row"):
            key(say("qs_start"), self.begin, main=True)
            key(say("qs_add"), self.add)
            key(say("qs_cancel"), self.close)
        self.show()

    def show(self) -> None:
        self.rows.clear()
        with self.rows:
            for row in self.fields.heroes:
                self._row(row)

    def _row(self, row: HeroRow) -> None:
        heroes = {"": say("qs_hero")}
        heroes |= {printed(o.name): printed(o.name) for o in self.fields.heroes if o is not row and not o.ally_of}
        if row.ally_of not in heroes:
            row.ally_of = ""
        with ui.element("div").classes("fields boxed"):
            ui.input(say("qs_name")).bind_value(row, "name").props('outlined dense maxlength="30"')
            skill_field(row, name="trait", words="qs_trait")
            dice = {sides: say("report_die", sides=sides) for sides in TRAIT_SIDES}
            for name, words in (("sides", "qs_die"), ("spirit", "qs_spirit"), ("vigor", "qs_vigor")):
                ui.select(dice, label=say(words)).bind_value(row, name).props("outlined dense options-dense")
            for name, words in (("toughness", "qs_toughness"), ("bennies", "qs_bennies")):
                NumberField(say(words), min=0, precision=0).bind_value(row, name).props("outlined dense")
            ui.select(heroes, label=say("qs_ally_of")).bind_value(row, "ally_of").props("outlined dense options-dense")
            with ui.element("div").classes("row"):
                key(say("char_keep"), partial(keep, character_of, row, choice=self.kept), small=True)
                remove = key("✕", partial(self.remove, row), small=True)
                remove.props["aria-label"] = say("qs_remove", who=printed(row.name))

    def add(self) -> None:
        name, trait = free_hero(self.fields.heroes)
        self.fields.heroes.append(HeroRow(name, trait))
        self.show()

    def take(self, character: Character) -> None:
        """Let a kept character take part, in place of a row of its name."""
        name = likeness(character.name)
        self.fields.heroes = [row for row in self.fields.heroes if likeness(row.name) != name]
        self.fields.heroes.append(row_of(character))
        self.show()

    def remove(self, row: HeroRow) -> None:
        self.fields.heroes.remove(row)
        self.show()

    def begin(self) -> None:
        trouble = wrong(self.fields.heroes, self.scene)
        self.trouble.set_text(trouble)
        if not trouble:
            self.start(setup_of(self.fields.heroes, self.scene))
