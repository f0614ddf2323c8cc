"""Skuffle Wammer on the page: the attack that is proposed, the dice that are entered, everybody's pool."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from nicegui import ui

from deskref import inputs
from deskref.language import percent, say, shown
from deskref.page.choose_game import open_form
from deskref.page.game_over import draw_over
from deskref.page.keys import KEY_HINT, key
from deskref.page.panel import Table, badge
from deskref.page.solo_board import SoloBoard
from deskref.session import Declared, Session
from deskref.skuffle_attack import proposal
from deskref.solo_turn import plan_of
from rules import skuffle
from rules.skuffle_state import Attack, AttackKind, Game, Phase, Soldier


class SkufflePanel:
    """The parts of the page for a game of Skuffle Wammer, in one window."""

    def __init__(self, table: Table) -> None:
        """Take the table that it shows and tells."""
        self.table = table
        self.solo = SoloBoard(table)

    def turn(self, session: Session) -> None:
        """Draw whose turn it is, the attack that a die would be taken for, and what else may be done."""
        game = session.game
        with ui.element("section").classes("card"):
            is_over = game is not None and game.phase is Phase.OVER
            ui.html(f"<h2>{escape(say('over_title' if is_over else 'page_turn'))}</h2>")
            if game is None:
                ui.label(say("page_waiting") if session.setup else say("page_no_game"))
                if session.setup is None:
                    key(say("page_new_game"), partial(open_form, self.table.game), main=True)
            elif game.phase is Phase.OVER:
                draw_over(self.table, session)
            elif game.phase is Phase.AWAIT_TIP:
                fallen = game.soldier(str(game.fallen))
                ui.label(say("sk_tip", soldier=fallen.label)).classes("who")
                ui.label(say("sk_tip_die" if fallen.pool == 0 else "sk_tip_no_die"))
                key(say("sk_tipped_key"), partial(self.table.game.tell, inputs.ConfirmTipped()), main=True)
            else:
                self._turn_of(session, game)
        if self.solo.is_drawn(session):
            self._everybody(session)

    def board(self, session: Session) -> None:
        """Draw the table of a game against the desk where no camera shows it."""
        self.solo.draw(session)

    def roster(self, session: Session) -> None:
        """Draw everybody with its pool; beside a drawn table it stands below the turn, in view."""
        if session.setup is not None and not self.solo.is_drawn(session):
            self._everybody(session)

    def _everybody(self, session: Session) -> None:
        if session.setup is None:
            return
        with ui.element("section").classes("card"):
            ui.html(f"<h2>{escape(say('sk_soldiers'))}</h2>")
            game = session.game
            for setup in session.setup.soldiers:
                soldier = game.soldier(setup.id) if game is not None else None
                classes, dice, means = "soldier", "", ""
                if soldier is not None and game is not None:
                    classes += " dead" if soldier.is_dead else " turn" if game.current == setup.id else ""
                    dice = say("sk_dead") if soldier.is_dead else "■" * max(0, soldier.pool) or say("sk_no_dice")
                    if not soldier.is_dead and soldier.pool < 1:
                        means = f' <span class="hint">{escape(say("sk_empty"))}</span>'
                ui.html(
                    f'<div class="{classes}">{badge(session, setup.id)}<span>{escape(setup.name)}{means}</span>'
                    f'<span class="dice">{escape(dice)}</span></div>'
                )
            ui.label(say("sk_costs")).classes("hint")

    def key(self, pressed: str) -> bool:
        """Take a key: 1 to 6 enter a die, S simulates it, P passes, V moves, Enter confirms, arrows aim.

        A digit where no die can count is told as well: the referee says what is awaited instead.
        """
        session = self.table.game.session
        game = session.game
        is_players = plan_of(session) is None
        if pressed in "123456" and len(pressed) == 1:
            self._roller(int(pressed), inputs.Source.TYPED)()
        elif pressed == "s" and can_roll(session):
            self._simulate()
        elif pressed == "p" and is_players:
            self.table.game.tell(inputs.PassTurn())
        elif pressed == "v" and is_players and not self.table.game.has_camera:
            self.table.game.tell(self.solo.move())
        elif pressed == "enter" and game is not None and game.phase is Phase.AWAIT_TIP:
            self.table.game.tell(inputs.ConfirmTipped())
        elif not self.table.game.has_camera or pressed == "enter":
            return self.solo.key(pressed)
        else:
            return False
        return True

    def _turn_of(self, session: Session, game: Game) -> None:
        soldier = game.soldier(str(game.attack.by if game.attack else game.current))
        ui.html(f'<div class="who">{badge(session, soldier.id)}{escape(soldier.label)}</div>')
        attack = proposal(session)
        self.solo.plan(session)
        if game.phase is Phase.AWAIT_DIE:
            self._awaited(game)
        elif attack is None and plan_of(session) is None:
            ui.label(say("sk_only_moves", soldier=soldier.label))
        elif attack is not None:
            self._proposal(session, game)
        self._entry(session, game)

    def _awaited(self, game: Game) -> None:
        pending = skuffle.pending(game)
        if pending is not None:
            ui.label(f"{shown(pending.purpose)} {shown(pending.success)}")
        with ui.element("div").classes("row"):
            key(say("sk_take_back"), partial(self.table.game.tell, inputs.CancelAttack()), small=True)
            for is_hit, words in ((True, "sk_gm_hit"), (False, "sk_gm_miss")):
                overrule = inputs.OverruleAttack(is_hit=is_hit, why=say("page_gm_decides"))
                key(say(words), partial(self.table.game.tell, overrule), small=True)

    def _proposal(self, session: Session, game: Game) -> None:
        attack = proposal(session)
        assert attack is not None
        soldier, target = game.soldier(attack.by), game.soldier(attack.target)
        bonus = (1 if attack.attack_bonus else 0) - (1 if attack.defence_bonus else 0)
        needed = skuffle.needed_value(soldier, attack.kind)
        chance = percent(float(skuffle.hit_chance(needed, bonus)))
        face = min(skuffle.hitting_faces(needed, bonus))
        is_players = plan_of(session) is None
        words = "sk_proposal" if is_players else "sk_desk_rolls"
        ui.label(
            say(words, soldier=soldier.label, target=target.label, kind=attack.kind.value, face=face, chance=chance)
        )
        for line in bonus_lines(attack):
            ui.label(line).classes("hint")
        if is_players:
            with ui.element("div").classes("row"):
                for other in targets_in_order(game, soldier):
                    words = other.label if other.side != soldier.side else say("sk_own_side", name=other.label)
                    key(("● " if other is target else "") + words, self._declarer(other.id, None), small=True)
        with ui.element("div").classes("row"):
            for kind in AttackKind if is_players else ():
                words = say(f"term_{kind.value}")
                key(("● " if kind is attack.kind else "") + words, self._declarer(attack.target, kind), small=True)
            for words, has_it, told in bonus_keys(session.book.declared, attack):
                key(("● " if has_it else "") + say(words), partial(self.table.game.tell, told), small=True)

    def _entry(self, session: Session, game: Game) -> None:
        """Draw the keys of a die where one can be entered now, what else may be done, and what the keyboard does."""
        takes_die, is_players = can_roll(session), plan_of(session) is None
        who = game.soldier(str(game.current)).label
        if takes_die:
            with ui.element("div").classes("row gap dice-keys"):
                for value in range(1, 7):
                    key(str(value), self._roller(value, inputs.Source.TYPED), small=True)
                key(say("dice_simulate"), self._simulate, small=True)
        if game.phase is Phase.TURN and is_players:
            with ui.element("div").classes("row gap"):
                if not self.table.game.has_camera:
                    key(say("sk_move"), lambda: self.table.game.tell(self.solo.move()), small=True)
                key(say("sk_pass"), partial(self.table.game.tell, inputs.PassTurn()), small=True)
        if takes_die:
            if is_players:
                ui.label(say("sk_keys")).classes(KEY_HINT)
            else:
                ui.label(say("sk_keys_desk", soldier=who)).classes("hint")
        elif not is_players:
            ui.label(say("sk_keys_not_now", soldier=who)).classes("hint")

    def _simulate(self) -> None:
        self._roller(self.table.chance.die(6), inputs.Source.SIMULATED)()

    def _declarer(self, target: str, kind: AttackKind | None) -> Callable[[], None]:
        return partial(self.table.game.tell, inputs.DeclareAttack(target=target, attack=kind))

    def _roller(self, value: int, source: inputs.Source) -> Callable[[], None]:
        return partial(self.table.game.tell, inputs.EnterDie(value=value, source=source))


def targets_in_order(game: Game, attacker: Soldier) -> list[Soldier]:
    """Whom a soldier may attack: enemies, nearest first, and then those of its own side."""
    may = (game.soldier(other) for other in skuffle.targets(game, attacker.id))
    return sorted(may, key=lambda other: other.side == attacker.side)


def bonus_keys(declared: Declared | None, attack: Attack) -> list[tuple[str, bool, inputs.DeclareAttack]]:
    """The keys that give or take cover and vantage: the words' ids, whether it counts now, and what a press tells.

    What was said of the one stays as it is when the other is pressed.
    """
    kept = declared if declared is not None and declared.target == attack.target else None
    cover, vantage = (kept.cover, kept.vantage) if kept is not None else (None, None)
    has_cover, has_vantage = bool(attack.defence_bonus), bool(attack.attack_bonus)
    said = partial(inputs.DeclareAttack, target=attack.target, attack=attack.kind)
    return [
        ("sk_cover", has_cover, said(cover=not has_cover, vantage=vantage)),
        ("sk_vantage", has_vantage, said(cover=cover, vantage=not has_vantage)),
    ]


def bonus_lines(attack: Attack) -> list[str]:
    """Say what is added to the die and why, one line for each bonus, and that two cancel each other."""
    lines = [f"{reason.amount or 0:+d}  {shown(reason)}" for reason in (*attack.attack_bonus, *attack.defence_bonus)]
    return [*lines, say("sk_bonuses_cancel")] if attack.attack_bonus and attack.defence_bonus else lines


def can_roll(session: Session) -> bool:
    """Whether a die that is entered now counts: one is awaited, or an attack is proposed."""
    game = session.game
    return game is not None and (game.phase is Phase.AWAIT_DIE or proposal(session) is not None)
