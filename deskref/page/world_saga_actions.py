"""What somebody does in a World Saga turn, as forms of the page: attacks, other moves, tests, hiding, seeking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from nicegui import ui

from deskref.combat_figures import cover_of
from deskref.inputs import PlayCombat
from deskref.language import say, shown
from deskref.page.keys import key
from deskref.page.panel import Table
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
from rules.world_saga.situation import enemies_of, engaged_with
from rules.world_saga.state import Blow, Combat, TestKind

MELEE, RANGED = "melee", "ranged"

SKILL = {MELEE: "Fighting", RANGED: "Shooting"}
"""What an attack of each kind is rolled with until the players say otherwise."""

FIELD = "outlined dense"
CHOICE = "outlined dense options-dense"


@dataclass(slots=True, eq=False)
class AttackForm:
    """An attack as this window's form has it; a cleared number is None."""

    target: str = ""
    how: str = MELEE
    skill: str = SKILL[MELEE]
    rank: float | None = None
    cover: str = CoverDegree.NONE.value
    is_concealed: bool = False
    is_non_lethal: bool = False
    boons: float | None = 0
    bonus: float | None = 0
    is_cover_told: bool = False
    """Whether a player has chosen the cover; otherwise it is what is seen."""

    def blow(self) -> Blow:
        """Return the attack that the form means."""
        return Blow(
            name=say("wsd_melee") if self.how == MELEE else say("wsd_ranged"),
            is_ranged=self.how == RANGED,
            skill=self.skill.strip() or SKILL[self.how],
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

    def attack_form(self, combat: Combat, who: str) -> AttackForm:
        """Return somebody's attack form, aimed at an engaged enemy or else the first one."""
        form = self.attacks.setdefault(who, AttackForm())
        enemies = [enemy.id for enemy in enemies_of(combat, who)]
        if form.target not in enemies:
            form.target = next(iter((*engaged_with(combat, who), *enemies)), "")
        return form

    def seen_cover(self, who: str, form: AttackForm) -> Cover | None:
        """Return the target's cover from a shot as it is seen; hand to hand there is none to see."""
        return cover_of(self.table.game.session, who, form.target) if form.how == RANGED else None

    def draw_attack(self, combat: Combat, who: str) -> None:
        """Draw the form of an attack; its cover is what is seen until a player chooses another."""
        form = self.attack_form(combat, who)
        enemies = {enemy.id: enemy.label for enemy in enemies_of(combat, who)}
        if not enemies:
            return
        ui.html(f"<h2>{say('wsd_attack')}</h2>").classes("gap")
        with ui.element("div").classes("fields"):
            target = ui.select(enemies, label=say("wsd_target")).bind_value(form, "target").props(CHOICE)
            how = ui.select({MELEE: say("wsd_melee"), RANGED: say("wsd_ranged")}, label=say("wsd_how"))
            how.bind_value(form, "how").props(CHOICE)
            ui.input(say("wsd_skill")).bind_value(form, "skill").props(FIELD)
            ui.number(say("wsd_rank"), precision=0).bind_value(form, "rank").props(FIELD)
            cover = _cover_field(form)
            ui.number(say("wsd_boons"), precision=0).bind_value(form, "boons").props(FIELD)
            ui.number(say("wsd_bonus"), precision=0).bind_value(form, "bonus").props(FIELD)
        with ui.element("div").classes("row"):
            ui.checkbox(say("wsd_concealed")).bind_value(form, "is_concealed")
            ui.checkbox(say("wsd_non_lethal")).bind_value(form, "is_non_lethal")
        seen_words = ui.label().classes("hint")

        def look() -> None:
            seen = self.seen_cover(who, form)
            seen_words.set_text(shown(seen.message) if seen is not None else "")
            if not form.is_cover_told:
                form.cover = seen.degree.value if seen is not None else CoverDegree.NONE.value

        def choose_cover() -> None:
            seen = self.seen_cover(who, form)
            seen_degree = seen.degree.value if seen is not None else CoverDegree.NONE.value
            form.is_cover_told = form.cover != seen_degree

        look()
        cover.on_value_change(choose_cover)
        button = key(say("wsd_attack_button", target=enemies[form.target]), self.attack, main=True)

        def aim() -> None:
            form.is_cover_told = False
            look()
            button.set_text(say("wsd_attack_button", target=enemies[form.target]))

        target.on_value_change(aim)

        def change_how() -> None:
            form.skill = SKILL[form.how]
            aim()

        how.on_value_change(change_how)

    def attack(self) -> None:
        """Attack as the form says."""
        combat = self.table.game.session.combat
        if combat is not None and combat.turn is not None:
            who = combat.turn.who
            form = self.attack_form(combat, who)
            seen = self.seen_cover(who, form)
            if seen is not None and not form.is_cover_told:
                form.cover = seen.degree.value  # somebody may have moved since the form was drawn
            self._tell(Attack(who, form.target, form.blow()))

    def draw_more(self, combat: Combat, who: str, *, has_move: bool, has_action: bool) -> None:
        """Draw the rarer actions, folded up until asked for."""
        opens = key(("▾ " if self.are_more_open else "▸ ") + say("wsd_more"), self._toggle, small=True)
        opens.props(f'aria-expanded="{str(self.are_more_open).lower()}"').classes("gap")
        if not self.are_more_open:
            return
        form = self.tests.setdefault(who, TestForm())
        if has_move:
            with ui.element("div").classes("row gap"):
                moves = {name.value: name.value for name in MoveName}
                ui.select(moves, label=say("wsd_move_name")).bind_value(form, "move").props(CHOICE).classes("wide")
                key(say("wsd_move_button"), lambda: self._move(who, form), small=True)
            ui.label(say("wsd_move_to")).classes("hint")
        with ui.element("div").classes("fields gap"):
            ui.input(say("wsd_test_name")).bind_value(form, "name").props(FIELD)
            ui.number(say("wsd_rank"), precision=0).bind_value(form, "rank").props(FIELD)
            ui.number(say("wsd_boons"), precision=0).bind_value(form, "boons").props(FIELD)
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

    def _toggle(self) -> None:
        self.are_more_open = not self.are_more_open
        self.table.redraw()

    def _move(self, who: str, form: TestForm) -> None:
        self._tell(MoveAction(who, MoveName(form.move), self.board.aim))

    def _test(self, who: str, form: TestForm, kind: TestKind) -> None:
        name = form.name.strip() or "?"
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
