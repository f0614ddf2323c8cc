"""A Quick Skirmish on the page: cards, trait rolls with their chances, damage, Bennies, and the game master."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from html import escape

from nicegui import ui

from deskref.inputs import DealCards, PlaySkirmish, SkirmishSetup, Source
from deskref.language import percent, percents, say, shown
from deskref.names import printed
from deskref.page.dice_entry import DiceEntry, is_before_first_die
from deskref.page.game_over import draw_over
from deskref.page.keys import key
from deskref.page.named_group import named_group
from deskref.page.number_field import NumberField, are_numbers
from deskref.page.panel import Table, badge, who_line
from deskref.page.skill_field import skill_field
from deskref.session import Session
from deskref.skirmish_referee import Choice, awaited, cards_left, choices
from rules.ruling import Pending
from rules.skirmish.deck import who_draws
from rules.skirmish.rolls import (
    TRAIT_SIDES,
    UNTRAINED_SIDES,
    awaited_damage_chances,
    skirmish_chances,
    skirmish_modifiers,
    soak_chances,
)
from rules.skirmish.state import (
    Accept,
    Adjust,
    Circumstances,
    Fighter,
    Overrule,
    Phase,
    Receive,
    Reroll,
    RollKind,
    Scene,
    Skirmish,
    Soak,
    TakeWounds,
)
from rules.skirmish.trait import Level

MODIFIERS = {amount: f"{amount:+d}" if amount else "0" for amount in range(-2, 3)}


@dataclass(slots=True, eq=False)
class _Declared:
    """What a hero's player would roll, as this window's form has it."""

    trait: str
    sides: int
    inspired: int = 0
    is_untrained: bool = False

    def action(self, hero: str) -> Skirmish:
        sides = UNTRAINED_SIDES if self.is_untrained else self.sides
        return Skirmish(hero, printed(self.trait) or "?", sides, self.inspired, self.is_untrained)


@dataclass(slots=True)
class _Corrected:
    """What the game master's form says about a fighter."""

    who: str
    wounds: float
    is_shaken: bool
    is_out: bool
    bennies: float
    tokens: float


class SkirmishPanel:
    """The parts of the page for a Quick Skirmish, in one window."""

    def __init__(self, table: Table) -> None:
        """Take the table that it shows and tells."""
        self.table = table
        self.dice = DiceEntry(table, awaited)
        self.declared: dict[str, _Declared] = {}
        self.typed_cards: dict[str, str] = {}
        self.is_gm_open = False
        self.corrected_who = ""
        """Whom the game master's form shows."""
        self._books: dict[str, tuple[_Corrected, _Corrected]] = {}
        """For each fighter its state when the form was begun, and what is filled in: drawing again keeps it."""
        self._setup: SkirmishSetup | None = None

    def turn(self, session: Session) -> None:
        """Draw whose turn it is, what is awaited and what may be done."""
        scene = session.scene
        if scene is None:
            return
        if session.setup is not self._setup and isinstance(session.setup, SkirmishSetup):
            self._setup, self._books = session.setup, {}
            self.declared = {t.fighter: _Declared(t.name, t.sides) for t in session.setup.traits}
        with ui.element("section").classes("card"):
            ui.html(f"<h2>{escape(say('over_title' if scene.phase is Phase.OVER else 'qs_card_turn'))}</h2>")
            if scene.phase is Phase.OVER:
                draw_over(self.table, session)
                return
            code = "qs_round" if scene.round else "qs_before"
            number = scene.round + (scene.phase is Phase.DEAL)  # who deals is about to play the next round
            ui.label(say(code, round=number, tokens=scene.tokens_left)).classes("hint")
            self._phase(session, scene)
            given = choices(session)
            if given:
                with ui.element("div").classes("row gap"):
                    by_enter, by_benny = _with_keys(session, scene)
                    for choice in given:
                        words = shown(choice.words)
                        if choice == by_enter:
                            words = say("qs_with_enter", what=words)
                        elif choice == by_benny:
                            words = say("qs_with_b", what=words)
                        key(words, partial(self.table.game.tell, choice.given), main=choice == by_enter)
        self._game_master(scene)

    def board(self, session: Session) -> None:
        """A skirmish has no board."""

    def roster(self, session: Session) -> None:
        """Draw every fighter with card, tokens, wounds and Bennies."""
        scene = session.scene
        if scene is None:
            return
        with ui.element("section").classes("card"):
            ui.html(f"<h2>{say('qs_card_heroes')}</h2>")
            for fighter in scene.fighters:
                classes = "soldier" + (" dead" if fighter.is_out else " turn" if fighter.id == scene.current else "")
                ui.html(
                    f'<div class="{classes}">{badge(session, fighter.id)}'
                    f"<span>{escape(fighter.label)}{_marks(fighter)}</span>"
                    f'<span class="numbers">{escape(_state(fighter))}</span></div>'
                )

    def key(self, pressed: str) -> bool:
        """Take a key: digits and S for dice, C deals, Enter declares or does without a Benny, B spends one."""
        session = self.table.game.session
        scene = session.scene
        if scene is None:
            return False
        if self.dice.key(pressed):
            return True
        if pressed == "c" and scene.phase is Phase.DEAL:
            self._deal(scene)
        elif pressed == "enter" and scene.phase is Phase.TURN:
            self._declare(scene)
        else:
            by_enter, by_benny = _with_keys(session, scene)
            choice = {"enter": by_enter, "b": by_benny}.get(pressed)
            if choice is None:
                return False
            self.table.game.tell(choice.given)
        return True

    def _phase(self, session: Session, scene: Scene) -> None:
        pending = awaited(session)
        if pending is not None:
            self._roll(session, scene, pending)
            return
        match scene.phase:
            case Phase.DEAL:
                self._cards(scene)
            case Phase.TURN:
                self._trait(session, scene)
            case Phase.SOAK:
                who = scene.fighter(str(scene.receiver))
                ui.html(who_line(session, who.id, who.label))
                wounds = scene.blow.new_wounds if scene.blow is not None else 0
                ui.label(say("qs_may_soak", who=who.label, wounds=wounds))
                ui.label(_soak_words(scene, who.id)).classes("hint")
            case _:
                who = scene.fighter(scene.roll.who if scene.roll is not None else str(scene.current))
                ui.html(who_line(session, who.id, who.label))

    def _cards(self, scene: Scene) -> None:
        ui.label(say("qs_deal")).classes("who")
        key(say("qs_deal_button"), partial(self._deal, scene), main=True)
        with ui.element("details").classes("gap"):
            with ui.element("summary"):
                ui.label(say("qs_deal_typed"))
            drawing = who_draws(scene)
            self.typed_cards = {hero.id: "" for hero in drawing}
            with ui.element("div").classes("fields"):
                for hero in drawing:
                    field = ui.input(hero.label).props('outlined dense maxlength="3"')
                    field.bind_value(self.typed_cards, hero.id)
            ui.label(say("qs_deal_hint")).classes("hint")
            key(say("qs_deal_typed"), self._deal_typed, small=True)

    def _trait(self, session: Session, scene: Scene) -> None:
        hero = scene.fighter(str(scene.current))
        form = self._form_of(hero)
        ui.html(who_line(session, hero.id, hero.label))
        ui.label(say("qs_declare", who=hero.label))
        lines: list[ui.label] = []

        def show() -> None:
            if not lines:
                return  # binding the fields has changed them before the labels stand
            action = form.action(hero.id)
            odds = skirmish_chances(scene, action)
            raised, success, failure = percents([float(odds.raise_), float(odds.success), float(odds.failure)])
            lines[0].set_text(say("qs_chances", raise_=raised, success=success, failure=failure))
            reasons = skirmish_modifiers(scene, action)
            lines[1].set_text("  ".join(f"{r.amount or 0:+d} {shown(r)}" for r in reasons))

        with ui.element("div").classes("fields"):
            skill_field(form, name="trait", words="qs_trait").on_value_change(show)
            ui.select(
                {s: say("report_die", sides=s) for s in TRAIT_SIDES}, label=say("qs_die"), on_change=show
            ).bind_value(form, "sides").props("outlined dense options-dense")
            ui.select({n: f"{n:+d}" for n in range(3)}, label=say("qs_inspired"), on_change=show).bind_value(
                form, "inspired"
            ).props("outlined dense options-dense")
        ui.checkbox(say("qs_untrained"), on_change=show).bind_value(form, "is_untrained")
        lines += [ui.label().classes("chances"), ui.label().classes("hint")]
        show()
        key(say("qs_roll_button", trait=printed(form.trait) or "?"), partial(self._declare, scene), main=True)

    def _roll(self, session: Session, scene: Scene, pending: Pending) -> None:
        who = scene.fighter(pending.who)
        ui.html(who_line(session, who.id, who.label))
        ui.label(f"{shown(pending.purpose)} {shown(pending.success)}")
        for reason in pending.modifiers:
            ui.label(f"{reason.amount or 0:+d}  {shown(reason)}").classes("hint")
        if pending.chance is not None and is_before_first_die(session):
            ui.label(say("qs_chance", chance=percent(float(pending.chance)))).classes("chances")
        is_fresh = scene.roll is not None and not any(scene.roll.faces)
        if scene.phase is Phase.DAMAGE and is_fresh and not session.book.entered:
            ui.label(_damage_words(scene)).classes("chances")
        self.dice.draw(session)

    def _game_master(self, scene: Scene) -> None:
        with ui.element("section").classes("card"):
            opens = key(("▾ " if self.is_gm_open else "▸ ") + say("qs_card_gm"), self._toggle_gm, small=True)
            opens.props(f'aria-expanded="{str(self.is_gm_open).lower()}"')
            if not self.is_gm_open:
                return
            is_trait = scene.roll is not None and scene.roll.kind is not RollKind.DAMAGE
            if is_trait and scene.phase in (Phase.SPIRIT, Phase.ROLL, Phase.ACCEPT):
                with ui.element("div").classes("row gap"):
                    for level in Level:
                        overrule = PlaySkirmish(action=Overrule(level, say("qs_gm_decides")))
                        key(say(f"qs_gm_{level.value}"), partial(self.table.game.tell, overrule), small=True)
            self._circumstances(scene)
            self._corrections(scene)

    def _circumstances(self, scene: Scene) -> None:
        with ui.element("div").classes("fields gap"):
            competence, tactics = (
                ui.select(MODIFIERS, label=label, value=value).props("outlined dense options-dense")
                for label, value in (
                    (say("qs_competence"), scene.options.competence),
                    (say("qs_tactics"), scene.options.tactics),
                )
            )
            why = ui.input(say("qs_why"), value=say("qs_gm_decides")).props("outlined dense")

        def change() -> None:
            action = Circumstances(int(competence.value), int(tactics.value), str(why.value))
            self.table.game.tell(PlaySkirmish(action=action))

        key(say("qs_change"), change, small=True)

    def _corrections(self, scene: Scene) -> None:
        forms = {f.id: self._form_of_books(f) for f in scene.fighters}
        if self.corrected_who not in forms:
            self.corrected_who = scene.current or scene.fighters[0].id
        chosen = {"form": forms[self.corrected_who]}
        names = {f.id: f.label for f in scene.fighters}
        numbers: list[NumberField] = []

        @ui.refreshable
        def fields() -> None:
            form = chosen["form"]
            numbers.clear()
            with named_group(names[form.who]).classes("fields"):
                for name, words in (("wounds", "qs_wounds"), ("bennies", "qs_bennies"), ("tokens", "qs_tokens")):
                    number = NumberField(say(words), min=0, precision=0)
                    number.bind_value(form, name).props("outlined dense")
                    numbers.append(number)
            ui.checkbox(say("qs_shaken_flag")).bind_value(form, "is_shaken")
            ui.checkbox(say("qs_out_flag")).bind_value(form, "is_out")

        def choose(who: str) -> None:
            self.corrected_who = who
            chosen["form"] = forms[who]
            fields.refresh()

        def put_right() -> None:
            if not are_numbers(numbers):
                return
            form = chosen["form"]
            action = Adjust(
                form.who,
                say("qs_gm_decides"),
                int(form.wounds or 0),
                form.is_shaken,
                form.is_out,
                int(form.bennies or 0),
                int(form.tokens or 0),
            )
            self.table.game.tell(PlaySkirmish(action=action))

        ui.select(names, label=say("qs_who"), value=chosen["form"].who, on_change=lambda e: choose(str(e.value))).props(
            "outlined dense options-dense"
        ).classes("gap")
        fields()
        key(say("qs_put_right"), put_right, small=True)

    def _form_of_books(self, fighter: Fighter) -> _Corrected:
        """What is filled in for a fighter; anew where the fighter is another one than when it was begun."""
        now = _corrected(fighter)
        begun, filled = self._books.get(fighter.id, (now, now))
        if begun == now and filled is not now:
            return filled
        form = replace(now)
        self._books[fighter.id] = (now, form)
        return form

    def _toggle_gm(self) -> None:
        self.is_gm_open = not self.is_gm_open
        self.table.redraw()

    def _form_of(self, hero: Fighter) -> _Declared:
        return self.declared.setdefault(hero.id, _Declared("", 8))

    def _declare(self, scene: Scene) -> None:
        hero = scene.fighter(str(scene.current))
        self.table.game.tell(PlaySkirmish(action=self._form_of(hero).action(hero.id)))

    def _deal(self, scene: Scene) -> None:
        drawing = who_draws(scene)
        dealt = self.table.chance.deal(cards_left(scene), len(drawing))
        cards = tuple((hero.id, str(card)) for hero, card in zip(drawing, dealt, strict=True))
        self.table.game.tell(DealCards(cards=cards, source=Source.SIMULATED))

    def _deal_typed(self) -> None:
        cards = tuple((who, text.strip()) for who, text in self.typed_cards.items())
        self.table.game.tell(DealCards(cards=cards, source=Source.TYPED))


def _with_keys(session: Session, scene: Scene) -> tuple[Choice | None, Choice | None]:
    """The choice that Enter takes, which never spends a Benny, and the one that B takes, which does."""
    if scene.phase not in (Phase.ACCEPT, Phase.SOAK, Phase.RECEIVER):
        return None, None
    given = [(choice, choice.given) for choice in choices(session)]
    of = [(choice, told.action) for choice, told in given if isinstance(told, PlaySkirmish)]
    by_enter = next((choice for choice, action in of if isinstance(action, Accept | TakeWounds | Receive)), None)
    return by_enter, next((choice for choice, action in of if isinstance(action, Reroll | Soak)), None)


def _corrected(fighter: Fighter) -> _Corrected:
    condition = fighter.condition
    return _Corrected(
        fighter.id,
        condition.wounds,
        condition.is_shaken,
        condition.is_incapacitated,
        fighter.bennies,
        fighter.tokens,
    )


def _marks(fighter: Fighter) -> str:
    """Words for what has happened to somebody, as HTML."""
    words = []
    if fighter.condition.is_incapacitated:
        words.append(say("qs_state_out"))
    elif fighter.has_left:
        words.append(say("qs_state_left"))
    elif fighter.condition.is_shaken:
        words.append(say("qs_state_shaken"))
    return "".join(f' <span class="mark-word">{escape(word)}</span>' for word in words)


def _state(fighter: Fighter) -> str:
    condition = fighter.condition
    state = say("qs_state", tokens=fighter.tokens, wounds=condition.wounds, bennies=fighter.bennies)
    return state if fighter.card is None else say("qs_state_card", card=fighter.card.name, state=state)


def _soak_words(scene: Scene, who: str) -> str:
    chances = soak_chances(scene, who)
    each = (say("qs_soak_chance", count=n, chance=percent(float(c))) for n, c in enumerate(chances, start=1))
    return say("qs_soak_chances", chances=", ".join(each))


def _damage_words(scene: Scene) -> str:
    odds = awaited_damage_chances(scene)
    if odds is None:
        return ""
    shares = (odds.nothing, odds.shaken, sum(odds.wounds), odds.incapacitated)
    nothing, shaken, wounds, out = percents([float(share) for share in shares])
    return say("qs_damage_chances", nothing=nothing, shaken=shaken, wounds=wounds, out=out)
