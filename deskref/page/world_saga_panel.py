"""A World Saga combat on the page: initiative, the turn, what the table tells, everybody's state, the Game Master."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from html import escape
from itertools import permutations

from nicegui import ui

from deskref.inputs import DealCards, PlayCombat, Source
from deskref.language import percent, say, shortest, shown
from deskref.page.dice_entry import DiceEntry, is_before_first_die
from deskref.page.game_over import draw_over
from deskref.page.keys import KEY_HINT, key
from deskref.page.named_group import named_group
from deskref.page.number_field import NumberField, are_numbers
from deskref.page.panel import Table, badge, who_line
from deskref.page.world_saga_actions import MELEE, AttackForm, TurnForms
from deskref.page.world_saga_board import WorldSagaBoard
from deskref.session import Session
from deskref.world_saga_referee import awaited, cards_left, name_of
from rules.ruling import Pending
from rules.world_saga.actions import (
    Action,
    ActNow,
    Adjust,
    ChooseOrder,
    DeclineStrike,
    Delay,
    EndCombat,
    EndTurn,
    NextRound,
    SetEngaged,
    Stride,
    TakeStrike,
    TellConflict,
    TellEndured,
    TellNumber,
    Withdraw,
)
from rules.world_saga.combat import legal_actions, squares_left
from rules.world_saga.situation import are_engaged, enemies_of, engaged_with
from rules.world_saga.state import Case, Combat, Combatant, InitiativeMode, Phase, Stage
from rules.world_saga.turns import entries_due

MOST_TIED_SHOWN = 3
"""Tied players up to this many get a button for each order, six at most; more name who goes first, again and again."""


@dataclass(slots=True, eq=False)
class _Told:
    """What the table tells, as this window's form has it."""

    number: float | None = 0
    wounds: float | None = 0
    is_unconscious: bool = False
    is_out: bool = False


@dataclass(slots=True)
class _Righted:
    """What the Game Master's form says about somebody."""

    wounds: float | None
    stamina: float | None
    column: float | None
    row: float | None
    is_weary: bool
    is_prone: bool
    is_unconscious: bool
    is_out: bool
    is_shown: bool = False


class WorldSagaPanel:
    """The parts of the page for a World Saga combat, in one window."""

    def __init__(self, table: Table) -> None:
        """Take the table that it shows and tells."""
        self.table = table
        self.dice = DiceEntry(table, awaited)
        self.squares = WorldSagaBoard(table)
        self.forms = TurnForms(table, self.squares)
        self.typed_cards: dict[str, str] = {}
        self.righted_who = ""
        self.is_gm_open = False
        self._picked: tuple[str, ...] = ()
        self._books: dict[str, tuple[_Righted, _Righted]] = {}
        """For each combatant the state when the Game Master's form was begun, and what is filled in."""

    def turn(self, session: Session) -> None:
        """Draw whose turn it is, what is awaited and what may be done."""
        combat = session.combat
        if combat is None:
            return
        self.squares.follow(combat)
        with ui.element("section").classes("card"):
            state = say("wsd_state", round=combat.round) if combat.round else say("wsd_before")
            title = say("over_title") if combat.phase is Phase.OVER else f"{say('wsd_card_turn')} · {state}"
            ui.html(f"<h2>{escape(title)}</h2>")
            if combat.phase is Phase.OVER:
                draw_over(self.table, session)
            elif combat.cases:
                self._case(session, combat, combat.cases[-1])
            else:
                self._phase(session, combat)
        self._everybody(session, combat)
        if combat.phase is not Phase.OVER:
            self._game_master(combat)

    def board(self, session: Session) -> None:
        """Draw the board."""
        self.squares.draw(session)

    def roster(self, session: Session) -> None:
        """Draw nothing more: who is next, and how everybody is, stands below the turn, in view beside the board."""

    def _everybody(self, session: Session, combat: Combat) -> None:
        """Draw everybody, in the order of the round once there is one."""
        with ui.element("section").classes("card"):
            ui.html(f"<h2>{escape(say('wsd_card_all'))}</h2>")
            places = {who: n for n, who in enumerate(combat.order)}
            for who in sorted(combat.combatants, key=lambda one: places.get(one.id, len(places))):
                is_on = combat.turn is not None and combat.turn.who == who.id
                classes = "soldier" + (" dead" if not who.can_act else " turn" if is_on else "")
                marks = "".join(f' <span class="mark-word">{escape(word)}</span>' for word in _marks(combat, who))
                ui.html(
                    f'<div class="{classes}">{badge(session, who.id)}<span>{escape(who.label)}{marks}</span>'
                    f'<span class="numbers">{escape(_state(who))}</span></div>'
                )

    def key(self, pressed: str) -> bool:
        """Take a key: digits and S for dice, arrows aim, Enter strides or goes on, A, D, E, C as the buttons say."""
        combat = self.table.game.session.combat
        if combat is None:
            return False
        if self.dice.key(pressed) or self.squares.key(pressed):
            return True
        if combat.cases:
            if combat.cases[-1].stage not in (Stage.BASE, Stage.REDUCTION, Stage.COURAGE) or not pressed.isdecimal():
                return False
            self._tell(TellNumber(int(pressed)))
        elif pressed == "c" and combat.phase is Phase.INITIATIVE and _is_by_cards(combat):
            self._deal(combat)
        elif pressed == "enter" and combat.phase is Phase.ROUND_END:
            self._tell(NextRound())
        elif combat.turn is not None:
            return self._turn_key(combat, pressed)
        else:
            return False
        return True

    def _turn_key(self, combat: Combat, pressed: str) -> bool:
        turn = combat.turn
        assert turn is not None
        if pressed == "enter":
            self._stride(combat)
        elif pressed == "a" and turn.action_left:
            self.forms.attack()
        elif pressed == "d" and not turn.has_begun:
            self._tell(Delay(turn.who))
        elif pressed == "e":
            self._tell(EndTurn(turn.who))
        else:
            return False
        return True

    def _phase(self, session: Session, combat: Combat) -> None:
        pending = awaited(session)
        match combat.phase:
            case Phase.INITIATIVE if pending is not None:
                self._initiative(session, combat, pending)
            case Phase.CHOICE if pending is not None:
                ui.label(shown(pending.purpose)).classes("says-small")
                self._order(combat)
            case Phase.TURN:
                self._turn(session, combat)
            case Phase.ROUND_END:
                self._waiting(combat)
                key(say("wsd_next_round"), partial(self._tell, NextRound()), main=True)

    def _initiative(self, session: Session, combat: Combat, pending: Pending) -> None:
        ui.html(who_line(session, pending.who, name_of(combat, pending.who)))
        if not _is_by_cards(combat):
            ui.label(f"{shown(pending.purpose)}. {shown(pending.success)}.")
            self.dice.draw(session)
            return
        key(say("wsd_deal"), partial(self._deal, combat), main=True)
        with ui.element("details").classes("gap"):
            with ui.element("summary"):
                ui.label(say("wsd_deal_typed"))
            self.typed_cards = dict.fromkeys(entries_due(combat), "")
            with ui.element("div").classes("fields"):
                for entry in self.typed_cards:
                    field = ui.input(name_of(combat, entry)).props('outlined dense maxlength="3"')
                    field.bind_value(self.typed_cards, entry)
            ui.label(say("wsd_deal_hint")).classes("hint")
            key(say("wsd_deal_typed"), self._deal_typed, small=True)

    def _order(self, combat: Combat) -> None:
        tied = combat.choices[0]
        self._picked = tuple(who for who in self._picked if who in tied)
        with ui.element("div").classes("row gap"):
            if len(tied) <= MOST_TIED_SHOWN:
                for ids in permutations(tied):
                    words = " → ".join(name_of(combat, who) for who in ids)
                    key(say("wsd_first", order=words), partial(self._tell, ChooseOrder(ids)))
                return
            for who in tied:
                if who not in self._picked:
                    key(say("wsd_first", order=name_of(combat, who)), partial(self._pick, who, tied))

    def _pick(self, who: str, tied: tuple[str, ...]) -> None:
        self._picked = (*self._picked, who)
        if len(self._picked) == len(tied):
            picked, self._picked = self._picked, ()
            self._tell(ChooseOrder(picked))
        self.table.redraw()

    def _turn(self, session: Session, combat: Combat) -> None:
        turn = combat.turn
        assert turn is not None
        who = combat.get(turn.who)
        ui.html(who_line(session, who.id, who.label))
        left = squares_left(combat)
        ui.label(
            say(
                "wsd_left",
                action=say("wsd_open") if turn.action_left else say("wsd_used"),
                move=say("wsd_open" if turn.move_left else "wsd_move_begun" if left else "wsd_used"),
                squares=say("wsd_no_limit") if left is None else shortest(left),
            )
        )
        self._stride_form(combat, who)
        if turn.action_left:
            self.forms.draw_attack(combat, who.id)
        with ui.element("div").classes("row gap"):
            if not turn.has_begun:
                key(say("wsd_delay"), partial(self._tell, Delay(who.id)), small=True)
            key(say("wsd_end_turn"), partial(self._tell, EndTurn(who.id)), small=True)
            self.forms.more_key()
        if ActNow in legal_actions(combat):
            self._waiting(combat)
        self.forms.draw_more(combat, who.id, has_move=turn.move_left or turn.action_left, has_action=turn.action_left)

    def _stride_form(self, combat: Combat, who: Combatant) -> None:
        way = self.squares.way(combat)
        if way is None:
            return
        steps = " · ".join(way.running)
        left = say("wsd_no_limit") if way.plan.left is None else shortest(way.plan.left)
        ui.label(say("wsd_way", steps=steps, left=left)).classes("hint")
        held_by = way.plan.requires_withdraw
        if held_by:
            ui.label(say("wsd_leaves", enemies=", ".join(combat.get(e).label for e in held_by))).classes("says-small")
            with ui.element("div").classes("row"):
                for is_success, words in ((True, "wsd_withdraw_yes"), (False, "wsd_withdraw_no")):
                    key(say(words), partial(self._tell, Withdraw(who.id, held_by, is_success)))
            return
        key(say("wsd_stride", cost=shortest(way.plan.squares)), partial(self._stride, combat), main=True)

    def _waiting(self, combat: Combat) -> None:
        with ui.element("div").classes("row gap"):
            for who in combat.delaying:
                if combat.get(who).can_act:
                    key(say("wsd_act_now", who=combat.get(who).label), partial(self._tell, ActNow(who)))

    def _stride(self, combat: Combat) -> None:
        way = self.squares.way(combat)
        if way is not None and combat.turn is not None:
            self._tell(Stride(combat.turn.who, way.places))

    # what a test under way waits for

    def _case(self, session: Session, combat: Combat, case: Case) -> None:
        pending = awaited(session)
        if pending is None:
            return
        ui.html(who_line(session, pending.who, name_of(combat, pending.who)))
        ui.label(f"{shown(pending.purpose)}. {shown(pending.success)}.")
        for reason in pending.modifiers:
            amount = f"{reason.amount:+d}  " if reason.amount is not None else ""
            ui.label(amount + shown(reason)).classes("hint")
        if pending.dice:
            chance = pending.chance
            told = say("wsd_no_chance") if chance is None else say("wsd_chance", chance=percent(float(chance)))
            if is_before_first_die(session):
                ui.label(told).classes("chances")
            ui.label(shown(pending.steps[0])).classes("hint")
            self.dice.draw(session)
            return
        form = _Told()
        match case.stage:
            case Stage.OFFER:
                self._offers(combat, case)
            case Stage.BASE | Stage.REDUCTION | Stage.COURAGE:
                _help_of_number(case)
                with ui.element("div").classes("row gap"):
                    for value in range(10):
                        key(str(value), partial(self._tell, TellNumber(value)), small=True)
                with ui.element("div").classes("row gap"):
                    NumberField(say("wsd_number"), min=0, precision=0).bind_value(form, "number").props(
                        "outlined dense"
                    )
                    key(say("wsd_tell"), lambda: self._tell(TellNumber(int(form.number or 0))), small=True)
                ui.label(say("wsd_number_keys")).classes(KEY_HINT)
            case Stage.ENDURE:
                self._endure(combat, case, form)
            case _:
                with ui.element("div").classes("row gap"):
                    for who in (case.who, str(case.target)):
                        words = say("wsd_wins", who=combat.get(who).label)
                        key(words, partial(self._tell, TellConflict(who)))

    def _offers(self, combat: Combat, case: Case) -> None:
        for who in case.offered:
            label = combat.get(who).label
            with ui.element("div").classes("row gap"):
                strike = TakeStrike(who, AttackForm(how=MELEE).blow())
                key(say("wsd_strike", who=label), partial(self._tell, strike), main=True)
                key(say("wsd_decline", who=label), partial(self._tell, DeclineStrike(who)))

    def _endure(self, combat: Combat, case: Case, told: _Told) -> None:
        told.wounds = combat.get(str(case.target)).wounds
        NumberField(say("wsd_wounds_after"), min=0, precision=0).bind_value(told, "wounds").props("outlined dense")
        with ui.element("div").classes("row"):
            ui.checkbox(say("wsd_unconscious")).bind_value(told, "is_unconscious")
            ui.checkbox(say("wsd_out")).bind_value(told, "is_out")
        key(
            say("wsd_tell"),
            lambda: self._tell(TellEndured(int(told.wounds or 0), told.is_unconscious, told.is_out)),
            main=True,
        )

    # the Game Master

    def _game_master(self, combat: Combat) -> None:
        with ui.element("section").classes("card"):
            opens = key(("▾ " if self.is_gm_open else "▸ ") + say("wsd_card_gm"), self._toggle_gm, small=True)
            opens.props(f'aria-expanded="{str(self.is_gm_open).lower()}"')
            if not self.is_gm_open:
                return
            ids = [who.id for who in combat.combatants]
            if self.righted_who not in ids:
                self.righted_who = combat.turn.who if combat.turn is not None else ids[0]
            names = {who.id: who.label for who in combat.combatants}
            # Given its value from the start: binding one would be a change, which draws all this again without end.
            ui.select(
                names,
                label=say("wsd_who"),
                value=self.righted_who,
                on_change=lambda event: self._choose_righted(str(event.value)),
            ).props("outlined dense options-dense").classes("gap")
            who = combat.get(self.righted_who)
            self._righting(who)
            with ui.element("div").classes("row gap"):
                for enemy in enemies_of(combat, who.id):
                    is_engaged = are_engaged(combat, who.id, enemy.id)
                    words = say("wsd_disengage" if is_engaged else "wsd_engage", other=enemy.label)
                    key(words, partial(self._tell, SetEngaged(who.id, enemy.id, not is_engaged)), small=True)
                key(say("wsd_end_combat"), partial(self._tell, EndCombat()), small=True)

    def _righting(self, who: Combatant) -> None:
        column, row = who.place if who.place is not None else (None, None)
        now = _Righted(who.wounds, who.stamina, column, row, who.is_weary, who.is_prone, who.is_unconscious, who.is_out)
        begun, form = self._books.get(who.id, (None, now))
        if begun != now:  # of another moment: drawing the same one again keeps what is filled in
            form = replace(now)
            self._books[who.id] = (now, form)
        with named_group(who.label).classes("fields") as group:
            for name in ("wounds", "stamina", "column", "row"):
                NumberField(say(f"wsd_{name}"), min=0, precision=0).bind_value(form, name).props("outlined dense")
        with ui.element("div").classes("row"):
            for name, words in (
                ("is_weary", "wsd_weary"),
                ("is_prone", "wsd_prone"),
                ("is_unconscious", "wsd_unconscious"),
                ("is_out", "wsd_out"),
                *((("is_shown", "wsd_show"),) if who.hiding is not None else ()),
            ):
                ui.checkbox(say(words)).bind_value(form, name)

        def put_right() -> None:
            if are_numbers(group.descendants()):
                self._tell(Adjust(_righted(who, form), say("wsd_why")))

        key(say("wsd_put_right"), put_right, small=True)

    def _choose_righted(self, who: str) -> None:
        self.righted_who = who
        self.table.redraw()

    def _toggle_gm(self) -> None:
        self.is_gm_open = not self.is_gm_open
        self.table.redraw()

    def _deal(self, combat: Combat) -> None:
        due = entries_due(combat)
        cards = self.table.chance.deal(cards_left(combat), len(due))
        dealt = tuple((entry, str(card)) for entry, card in zip(due, cards, strict=True))
        self.table.game.tell(DealCards(cards=dealt, source=Source.SIMULATED))

    def _deal_typed(self) -> None:
        cards = tuple((entry, text.strip()) for entry, text in self.typed_cards.items())
        self.table.game.tell(DealCards(cards=cards, source=Source.TYPED))

    def _tell(self, action: Action) -> None:
        self.table.game.tell(PlayCombat(action=action))


def _help_of_number(case: Case) -> None:
    """Say what is known of an asked number, and how it need not be asked again."""
    rolled = case.result if case.stage is Stage.BASE else case.answer
    if case.stage is Stage.COURAGE or rolled is None or rolled.degree is None:
        return
    ui.label(say(f"wsd_{case.stage.value}_help", degree=rolled.degree.word)).classes("hint")
    ui.label(say("wsd_agree")).classes("hint")


def _is_by_cards(combat: Combat) -> bool:
    return combat.settings.initiative is InitiativeMode.CARDS


def _righted(who: Combatant, form: _Righted) -> Combatant:
    return replace(
        who,
        wounds=int(form.wounds or 0),
        stamina=None if form.stamina is None else int(form.stamina),
        place=_place_of(who, form),
        is_weary=form.is_weary,
        is_prone=form.is_prone,
        is_unconscious=form.is_unconscious,
        is_out=form.is_out,
        hiding=None if form.is_shown else who.hiding,
    )


def _place_of(who: Combatant, form: _Righted) -> tuple[float, float] | None:
    """Where somebody is put: a place between whole squares, as on the free table, stays where nothing was written."""
    if form.column is None or form.row is None:
        return None
    if who.place is not None and (form.column, form.row) == tuple(who.place):
        return who.place
    return int(form.column), int(form.row)


def _marks(combat: Combat, who: Combatant) -> list[str]:
    """Words for somebody's conditions."""
    if who.is_out:
        return [say("wsd_is_out")]
    if who.is_unconscious:
        return [say("wsd_is_unconscious")]
    conditions = (
        (bool(engaged_with(combat, who.id)), "wsd_is_engaged"),
        (who.is_weary, "wsd_is_weary"),
        (who.is_prone, "wsd_is_prone"),
        (who.hiding is not None, "wsd_is_hidden"),
        (who.id in combat.delaying, "wsd_waits"),
    )
    return [say(code) for holds, code in conditions if holds]


def _state(who: Combatant) -> str:
    parts = []
    if who.stamina is not None:
        parts.append(say("wsd_of_stamina", stamina=who.stamina))
    parts.append(say("wsd_of_wounds", wounds=who.wounds))
    if who.place is not None:
        parts.append(say("wsd_of_place", column=round(who.place[0]), row=round(who.place[1])))
    return " · ".join(parts)
