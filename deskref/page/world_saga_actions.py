"""What somebody does in a World Saga turn, as forms of the page: attacks, other moves, tests, hiding, seeking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from nicegui import ui

from deskref.attack_choice import objections, offered
from deskref.combat_figures import cover_of
from deskref.inputs import PlayCombat
from deskref.language import named, say, shown
from deskref.names import printed
from deskref.page.keys import key
from deskref.page.number_field import NumberField
from deskref.page.panel import Table
from deskref.page.skill_field import skill_field
from deskref.page.world_saga_board import WorldSagaBoard
from rules.sight import Cover
from rules.sight import Degree as CoverDegree
from rules.world_saga.actions import (
    Action,
    AreaReflexes,
    Attack,
    FearTest,
    Hide,
    MoveAction,
    MoveName,
    Reveal,
    Seek,
    Test,
)
from rules.world_saga.hiding import may_seek, walk_may_reveal
from rules.world_saga.situation import enemies_of
from rules.world_saga.state import Blow, Combat, TestKind

MELEE, RANGED = "melee", "ranged"

SKILL = {MELEE: "Fighting", RANGED: "Shooting"}
"""What an attack of each kind is rolled with until the players say otherwise."""

OUT_OF_REACH = frozenset({"ws_advice_not_engaged", "ws_advice_no_sight", "ws_not_engaged", "ws_no_sight"})
"""What the rules say against an attack on somebody who is neither at hand nor in sight."""

NAME = {MELEE: "Strike", RANGED: "Shoot"}
"""What an attack of each kind is called, in the rules' own words; catalogues say it in others."""

FIELD = "outlined dense"
CHOICE = "outlined dense options-dense"


@dataclass(slots=True, eq=False)
class AttackForm:
    """An attack as this window's form has it; a cleared number is None."""

    target: str = ""
    how: str = ""
    """`MELEE`, `RANGED`, or nothing where neither fits and no player has chosen."""
    skill: str = SKILL[MELEE]
    rank: float | None = None
    cover: str = CoverDegree.NONE.value
    is_concealed: bool = False
    is_non_lethal: bool = False
    boons: float | None = 0
    bonus: float | None = 0
    is_cover_told: bool = False
    """Whether a player has chosen the cover; otherwise it is what is seen."""
    chosen_in: int | None = None
    """The round in which a player has chosen target or kind; in every other one the form offers what fits."""

    def blow(self) -> Blow:
        """Return the attack that the form means; a kind must be chosen."""
        return Blow(
            name=NAME[self.how],
            is_ranged=self.how == RANGED,
            skill=printed(self.skill) or SKILL[self.how],
            rank=None if self.rank is None else int(self.rank),
            cover=CoverDegree(self.cover),
            is_concealed=self.is_concealed,
            is_non_lethal=self.is_non_lethal,
            boons=int(self.boons or 0),
            item_bonus=int(self.bonus or 0),
        )


@dataclass(slots=True, eq=False)
class TestForm:
    """Another test or move as this window's form has it."""

    __test__ = False  # not a test case, whatever its name

    name: str = "Athletics"
    rank: float | None = None
    boons: float | None = 0
    move: str = MoveName.CRAWL.value
    cover: str = CoverDegree.NONE.value
    is_concealed: bool = False
    is_dark: bool = False


class TurnForms:
    """The forms of a turn, in one window; what was chosen last stays for the next turn of the same combatant."""

    def __init__(self, table: Table, board: WorldSagaBoard) -> None:
        """Take the table, and the board that is aimed at."""
        self.table = table
        self.board = board
        self.attacks: dict[str, AttackForm] = {}
        self.tests: dict[str, TestForm] = {}
        self.are_more_open = False
        self.are_details_open = False

    def attack_form(self, combat: Combat, who: str) -> AttackForm:
        """Return somebody's attack form: as chosen this turn, or aimed where nothing speaks against the attack."""
        form = self.attacks.setdefault(who, AttackForm())
        enemies = [enemy.id for enemy in enemies_of(combat, who)]
        if form.target in enemies and form.chosen_in == combat.round:
            return form
        best = offered(combat, who, lambda enemy: [self._attack_on(who, form, enemy, how) for how in (MELEE, RANGED)])
        if best is None:
            form.target = ""
            return form
        form.target, form.is_cover_told = best.target, False
        how = RANGED if best.blow.is_ranged else MELEE
        if objections(combat, best):
            form.how = ""  # everything would be refused or cost something: the player says what all the same
        elif form.how != how:
            form.how, form.skill = how, SKILL[how]
        return form

    def _attack_on(self, who: str, form: AttackForm, target: str, how: str) -> Attack:
        """The form's attack with another target and kind, in the cover that is seen."""
        tried = replace(form, target=target, how=how, skill=form.skill if form.how == how else SKILL[how])
        seen = self.seen_cover(who, tried)
        tried.cover = seen.degree.value if seen is not None else CoverDegree.NONE.value
        return Attack(who, target, tried.blow())

    def seen_cover(self, who: str, form: AttackForm) -> Cover | None:
        """Return the target's cover from a shot as it is seen; hand to hand there is none to see."""
        return cover_of(self.table.game.session, who, form.target) if form.how == RANGED else None

    def draw_attack(self, combat: Combat, who: str) -> None:
        """Draw the form of an attack, with what speaks against it; its cover is what is seen until a player says."""
        form = self.attack_form(combat, who)
        enemies = {enemy.id: enemy.label for enemy in enemies_of(combat, who)}
        if not enemies:
            return
        with ui.element("div").classes("fields pair gap"):
            target = ui.select(enemies, label=say("wsd_target")).bind_value(form, "target").props(CHOICE)
            ways = {MELEE: say("wsd_melee"), RANGED: say("wsd_ranged")}
            how = ui.select(ways, label=say("wsd_how"), value=form.how or None).props(CHOICE)
            cover = _cover_field(form)
            boons = NumberField(say("wsd_boons"), precision=0).bind_value(form, "boons").props(FIELD)
        if self.are_details_open:
            with ui.element("div").classes("fields pair gap"):
                skill_field(form)
                NumberField(say("wsd_rank"), precision=0).bind_value(form, "rank").props(FIELD)
                NumberField(say("wsd_bonus"), precision=0).bind_value(form, "bonus").props(FIELD)
            with ui.element("div").classes("row"):
                ui.checkbox(say("wsd_concealed")).bind_value(form, "is_concealed")
                ui.checkbox(say("wsd_non_lethal")).bind_value(form, "is_non_lethal")
        seen_words = ui.label().classes("hint")
        against = ui.label().classes("against").props('role="status"')

        def look() -> None:
            seen = self.seen_cover(who, form)
            if not form.is_cover_told:
                form.cover = seen.degree.value if seen is not None else CoverDegree.NONE.value
            seen_words.set_text(shown(seen.message) if seen is not None else "")
            if not form.how:
                against.set_text(self._why_none(who, form, combat))
                return
            said = objections(combat, Attack(who, form.target, form.blow()))
            against.set_text(" ".join(shown(one.message) for one in said))
            button.classes(**{"remove" if said else "add": "main"})
            button.props("disabled" if any(one.is_refused for one in said) else "", remove="disabled")

        def choose_cover() -> None:
            seen = self.seen_cover(who, form)
            seen_degree = seen.degree.value if seen is not None else CoverDegree.NONE.value
            form.is_cover_told = form.cover != seen_degree
            look()

        with ui.element("div").classes("row"):
            button = key(say("wsd_attack_button", target=enemies[form.target]), self.attack)
            _fold(say("wsd_details"), is_open=self.are_details_open, on_click=self._toggle_details)
        if not form.how:
            button.props("disabled")
        look()
        cover.on_value_change(choose_cover)
        boons.on_value_change(look)

        def aim() -> None:
            form.is_cover_told = False
            form.chosen_in = combat.round
            look()
            button.set_text(say("wsd_attack_button", target=enemies[form.target]))

        target.on_value_change(aim)

        def change_how() -> None:
            form.how = str(how.value)
            form.skill = SKILL[form.how]
            aim()

        how.on_value_change(change_how)

    def _why_none(self, who: str, form: AttackForm, combat: Combat) -> str:
        """Say why no attack is offered: in short where it is only distance and sight."""
        said = [
            one.message
            for how in (MELEE, RANGED)
            for one in objections(combat, self._attack_on(who, form, form.target, how))
        ]
        if {message.code for message in said} <= OUT_OF_REACH:
            return say("wsd_nothing_fits")
        return " ".join(map(shown, said))

    def attack(self) -> None:
        """Attack as the form says."""
        combat = self.table.game.session.combat
        if combat is not None and combat.turn is not None:
            who = combat.turn.who
            form = self.attack_form(combat, who)
            if not form.how:
                return
            seen = self.seen_cover(who, form)
            if seen is not None and not form.is_cover_told:
                form.cover = seen.degree.value  # somebody may have moved since the form was drawn
            self._tell(Attack(who, form.target, form.blow()))

    def more_key(self) -> None:
        """Draw the button that unfolds the rarer actions."""
        _fold(say("wsd_more"), is_open=self.are_more_open, on_click=self._toggle)

    def draw_more(self, combat: Combat, who: str, *, has_move: bool, has_action: bool) -> None:
        """Draw the rarer actions where they are asked for."""
        if not self.are_more_open:
            return
        form = self.tests.setdefault(who, TestForm())
        if has_move:
            with ui.element("div").classes("row gap"):
                moves = {name.value: named(name.value) for name in MoveName}
                ui.select(moves, label=say("wsd_move_name")).bind_value(form, "move").props(CHOICE).classes("wide")
                key(say("wsd_move_button"), lambda: self._move(who, form), small=True)
            ui.label(say("wsd_move_to")).classes("hint")
        with ui.element("div").classes("fields pair gap"):
            skill_field(form, name="name", words="wsd_test_name")
            NumberField(say("wsd_rank"), precision=0).bind_value(form, "rank").props(FIELD)
            NumberField(say("wsd_boons"), precision=0).bind_value(form, "boons").props(FIELD)
            _cover_field(form)
        with ui.element("div").classes("row"):
            ui.checkbox(say("wsd_concealed")).bind_value(form, "is_concealed")
            ui.checkbox(say("wsd_dark")).bind_value(form, "is_dark")
        with ui.element("div").classes("row"):
            if has_action:
                key(say("wsd_test_button"), lambda: self._test(who, form, TestKind.BASIC), small=True)
                key(say("wsd_complex_button"), lambda: self._test(who, form, TestKind.COMPLEX), small=True)
                key(say("wsd_hide_button"), lambda: self._hide(who, form), small=True)
            key(say("wsd_fear_button"), lambda: self._fear(who, form), small=True)
            key(say("wsd_reflexes_button"), lambda: self._reflexes(who, form), small=True)
            for enemy in enemies_of(combat, who):
                if has_action and may_seek(who, enemy.hiding):
                    key(say("wsd_seek_button", target=enemy.label), partial(self._seek, who, enemy.id, form))
                if walk_may_reveal(who, enemy.hiding):
                    reveal = PlayCombat(action=Reveal(who, enemy.id))
                    key(say("wsd_reveal_button", target=enemy.label), partial(self.table.game.tell, reveal))

    def _toggle_details(self) -> None:
        self.are_details_open = not self.are_details_open
        self.table.redraw()

    def _toggle(self) -> None:
        self.are_more_open = not self.are_more_open
        self.table.redraw()

    def _move(self, who: str, form: TestForm) -> None:
        self._tell(MoveAction(who, MoveName(form.move), self.board.aim))

    def _test(self, who: str, form: TestForm, kind: TestKind) -> None:
        name = printed(form.name) or "?"
        self._tell(Test(who=who, name=name, skill=name, rank=_rank(form), kind=kind, boons=int(form.boons or 0)))

    def _hide(self, who: str, form: TestForm) -> None:
        self._tell(
            Hide(
                who=who,
                rank=_rank(form),
                cover=CoverDegree(form.cover),
                is_concealed=form.is_concealed,
                is_dark=form.is_dark,
                boons=int(form.boons or 0),
            )
        )

    def _seek(self, who: str, target: str, form: TestForm) -> None:
        self._tell(Seek(who=who, target=target, rank=_rank(form), boons=int(form.boons or 0)))

    def _fear(self, who: str, form: TestForm) -> None:
        self._tell(FearTest(who=who, rank=_rank(form), boons=int(form.boons or 0)))

    def _reflexes(self, who: str, form: TestForm) -> None:
        self._tell(AreaReflexes(who=who, cover=CoverDegree(form.cover), boons=int(form.boons or 0)))

    def _tell(self, action: Action) -> None:
        self.table.game.tell(PlayCombat(action=action))


def _rank(form: TestForm) -> int | None:
    return None if form.rank is None else int(form.rank)


def _cover_field(form: AttackForm | TestForm) -> ui.select:
    degrees = {degree.value: say(f"wsd_cover_{degree.value}") for degree in CoverDegree}
    return ui.select(degrees, label=say("wsd_cover")).bind_value(form, "cover").props(CHOICE)


def _fold(words: str, *, is_open: bool, on_click: Callable[[], object]) -> None:
    opens = key(("▾ " if is_open else "▸ ") + words, on_click, small=True)
    opens.props(f'aria-expanded="{str(is_open).lower()}"')
