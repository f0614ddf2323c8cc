"""What Skuffle Wammer's rulings mean, said as signals: the roll, the verdict, the death, the turn, the winner."""

from __future__ import annotations

from dataclasses import replace

from deskref.inputs import Source
from deskref.session import Session, signal_about
from deskref.signal import SignalKind
from deskref.solo_turn import plan_of
from deskref.tabletop import figure_of, table_from_rules
from deskref.words import CATALOGUE as APP
from rules import skuffle
from rules.ruling import Message, Reason, listed, told, total
from rules.skuffle_state import Action, Event, Game, Outcome, Overrule, Phase, Result
from rules.skuffle_words import CATALOGUE
from vision.observation import Point

ENDINGS = ("one_side_stands", "no_dice_left")
"""Ids of the rules' reasons for which a game is over."""


def report(
    session: Session,
    before: Game,
    action: Action,
    ruling: skuffle.SkuffleRuling,
    *,
    die: int | None,
    source: Source | None,
) -> Session:
    """Say what a ruling means: the roll, the hit, the death, the winner."""
    outcome, game = ruling.outcome, ruling.state
    for message in ruling.advice:
        session = session.tell(SignalKind.ADVICE, message)
    about = signal_about(session, outcome.soldier, target=outcome.target, die=die, value=outcome.natural, source=source)
    if outcome.event in (Event.HIT, Event.MISS, Event.KILL):
        attacker, target = (game.soldier(str(i)) for i in (outcome.soldier, outcome.target))
        if isinstance(action, Overrule):
            session = session.say(SignalKind.GAME_MASTER, "game_master", why=told(ruling.reasons[0]), signal=about)
        elif outcome.natural is not None:
            session = session.say(
                SignalKind.ROLL, "rolled", soldier=attacker.label, value=outcome.natural, signal=about
            )
        kind, code = _verdict(before, outcome)
        about = replace(about, place_mm=place_of(session, game, target.id))
        session = session.say(
            kind,
            code,
            reasons=ruling.reasons,
            signal=about,
            **_verdict_words(code, attacker.label, target.label, outcome.natural),
        )
        if outcome.event is Event.KILL:
            session = session.say(
                SignalKind.DEATH,
                "dies",
                target=target.label,
                signal=signal_about(session, target.id, place_mm=place_of(session, game, target.id)),
            )
    elif outcome.event in (Event.MOVED, Event.PASSED, Event.TIPPED, Event.ADJUSTED, Event.CANCELLED):
        kind = {
            Event.MOVED: SignalKind.MOVED,
            Event.PASSED: SignalKind.PASSED,
            Event.TIPPED: SignalKind.TIPPED,
            Event.ADJUSTED: SignalKind.GAME_MASTER,
        }.get(outcome.event, SignalKind.INFO)
        about = replace(about, place_mm=place_of(session, game, str(outcome.soldier)))
        session = session.tell(kind, message_of(ruling.reasons[0]), reasons=ruling.reasons[1:], signal=about)
    if game.phase is Phase.OVER and before.phase is not Phase.OVER:
        session = _announce_winner(session, game, tuple(r for r in ruling.reasons if r.code in ENDINGS))
    return session


def _verdict(before: Game, outcome: Outcome) -> tuple[SignalKind, str]:
    """Hit, miss, or saved by cover: the same die without the target's bonus would have hit."""
    if outcome.event in (Event.HIT, Event.KILL):
        return SignalKind.HIT, "hit"
    attack = before.attack
    if attack is not None and outcome.natural is not None:
        bonus = total(r for r in attack.modifiers if (r.amount or 0) > 0)
        if outcome.natural + bonus >= attack.needed:
            return SignalKind.SAVED, "saved"
    return SignalKind.MISS, "miss"


def _verdict_words(code: str, attacker: str, target: str, natural: int | None) -> dict[str, str | int]:
    if code == "saved":
        return {"target": target, "value": natural or 0}
    return {"soldier": attacker, "target": target}


def announce_turn(session: Session) -> Session:
    """Say whose turn it is, and what the desk plays where it plays that soldier."""
    game = session.game
    if game is None or game.current is None:
        return session
    soldier = game.soldier(game.current)
    about = signal_about(session, soldier.id, place_mm=place_of(session, game, soldier.id))
    session = session.say(SignalKind.YOUR_TURN, "your_turn", soldier=soldier.label, signal=about)
    plan = plan_of(session)
    if plan is None:
        return session
    return session.tell(SignalKind.RULING, message_of(plan.reasons[-1]), reasons=plan.reasons[:-1], signal=about)


def _announce_winner(session: Session, game: Game, why: tuple[Reason, ...]) -> Session:
    names = tuple(game.soldier(winner).label for winner in game.winners)
    about = replace(signal_about(session, None), winners=game.winners)
    side = winning_side(game)
    if len(side) > len(names):
        members = listed(tuple(game.soldier(who).label for who in side))
        words = APP.message("side_wins", members=members, winners=listed(names), count=len(names))
        return session.tell(SignalKind.WINNER, words, signal=about, reasons=why)
    if game.result is Result.WIN and len(names) > 1:
        words = CATALOGUE.message("winners", winners=listed(names))
        return session.tell(SignalKind.WINNER, words, signal=about, reasons=why)
    code = "wins" if game.result is Result.WIN else "shared_win"
    return session.say(SignalKind.WINNER, code, winners=listed(names), signal=about, reasons=why)


def winning_side(game: Game) -> tuple[str, ...]:
    """Return the ids of all who played on the side that has won, its dead too; nobody where several sides share it.

    The winners are those of them who still stand (Skuffle Wammer, Winner).
    """
    if game.result is not Result.WIN:
        return ()
    sides = {game.soldier(winner).side for winner in game.winners}
    return tuple(soldier.id for soldier in game.soldiers if soldier.side in sides)


def message_of(reason: Reason) -> Message:
    """A reason's sentence as a message."""
    return Message(reason.code, reason.text, reason.params)


def place_of(session: Session, game: Game, soldier: str) -> Point:
    """Where a soldier stands on the table, for the lights."""
    figure = figure_of(session.desk, session.bindings, soldier)
    return figure.mm if figure is not None else table_from_rules(game.soldier(soldier).pos, game.options.area_mm)
