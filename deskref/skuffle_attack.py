"""Attacks of Skuffle Wammer on a desk: what a roll is taken for, what is asked before it counts, and playing it."""

from __future__ import annotations

from dataclasses import replace

from deskref.deeds import skuffle_deed
from deskref.inputs import Source
from deskref.rough_places import HOW_NEAR, WHOM, doubts_of, has_places, question_before, unknown_gap_mm
from deskref.session import Book, Declared, Question, Session, Step, TypedDie, signal_about
from deskref.signal import SignalKind
from deskref.skuffle_report import announce_turn, report
from deskref.solo_turn import plan_of
from deskref.tabletop import nearest_enemy, view_of
from deskref.words import CATALOGUE
from rules import skuffle, skuffle_doubt
from rules.ruling import IllegalActionError, Message
from rules.skuffle_choices import ATTACK_BONUS, DEFENCE_BONUS
from rules.skuffle_state import Action, Attack, AttackKind, Breed, Die, Game, Phase, Soldier
from rules.skuffle_words import BONUS


def proposal(session: Session) -> Attack | None:
    """The attack that a throw of the soldier whose turn it is would be taken for, or None where none is possible."""
    game = session.game
    if game is None or game.phase is not Phase.TURN or game.current is None:
        return None
    return attack_by(session, game, game.soldier(game.current))


def attack_by(
    session: Session, game: Game, attacker: Soldier, *, target: str | None = None, kind: AttackKind | None = None
) -> Attack | None:
    """The attack that a roll of a soldier is taken for; `target` and `kind` where its player has named them."""
    declared = session.book.declared if attacker.id == game.current else None
    plan = plan_of(session) if declared is None and attacker.id == game.current else None
    if plan is not None:
        if not isinstance(plan.action, Attack):
            return None
        declared = Declared(plan.action.target, plan.action.kind, None, None)
    named = target or (declared.target if declared else None)
    aim = game.soldier(named) if named else nearest_enemy(game, attacker)
    if aim is None:
        return None
    kind = kind or (declared.attack if declared else None)
    if kind is None:  # where nobody knows who stands where, the row of the soldiers tells of no melee
        kind = skuffle.propose_kind(game, attacker.id, aim.id) if has_places(session) else AttackKind.RANGED
    view = view_of(game, session.desk, session.bindings, attacker, aim)
    cover, vantage = view.cover, view.vantage
    if declared and declared.cover is not None:
        cover = (cover or (CATALOGUE.reason("declared_cover", BONUS, DEFENCE_BONUS),)) if declared.cover else ()
    if declared and declared.vantage is not None:
        vantage = (CATALOGUE.reason("declared_vantage", BONUS, ATTACK_BONUS),) if declared.vantage else ()
    doubt_mm = skuffle_doubt.gap_doubt_mm(doubts_of(session, game), attacker.id, aim.id)
    return Attack(attacker.id, aim.id, kind, vantage, cover, view.is_hidden, round(doubt_mm, 3))


def attacks(
    session: Session,
    soldier: Soldier,
    value: int | None,
    *,
    die: int | None = None,
    entered: TypedDie | None = None,
    target: str | None = None,
    kind: AttackKind | None = None,
) -> Session:
    """Play an attack by a die on the desk or one that was entered; first ask what rough places leave open.

    Figures that the desk plays do what their plan says, which was told before the roll.
    """
    game = session.game
    assert game is not None
    attack = attack_by(session, game, soldier, target=target, kind=kind)
    if attack is None:
        return session
    declared = session.book.declared if soldier.id == game.current else None
    is_automated = soldier.breed is not Breed.SOLDIER
    question = question_before(
        session,
        game,
        attack,
        value=value,
        die=die,
        entered=entered,
        target=target,
        is_target_said=is_automated or target is not None or declared is not None,
        is_kind_said=is_automated or kind is not None or (declared is not None and declared.attack is not None),
    )
    if question is not None:
        return ask(session, question)
    if not has_places(session):  # asked nothing about a gap that nobody measured, and advised nothing either
        attack = replace(attack, gap_doubt_mm=unknown_gap_mm(game))
    source = entered.source if entered is not None else Source.CAMERA
    if value is not None:
        return play(session, (attack, Die(value)), die=die, source=source)
    before = session
    session = play(session, (attack,), die=die, source=source)
    if session.book is before.book or die is None:
        return session
    lying = session.desk.die(die)
    session = session.say(
        SignalKind.UNREADABLE,
        "roll_unread",
        soldier=soldier.label,
        signal=signal_about(session, soldier.id, die=die, place_mm=lying.mm if lying is not None else None),
    )
    return ask_value(session, soldier, die)


def attacks_after(
    session: Session, question: Question, *, target: str | None, kind: AttackKind | None = None
) -> Session:
    """Go on with the roll that waited for a question's answer."""
    assert session.game is not None
    soldier = session.game.soldier(str(question.soldier))
    if question.entered is not None:
        return attacks(session, soldier, question.entered.value, entered=question.entered, target=target, kind=kind)
    die = session.desk.die(question.die) if question.die is not None else None
    return session if die is None else attacks(session, soldier, die.value, die=die.die, target=target, kind=kind)


def reconsidered(session: Session) -> Session:
    """Let a roll go on whose question the desk has answered, or a player by naming the attack; else ask it anew."""
    waiting = next((q for q in session.book.questions if q.key.split(":")[0] in (WHOM, HOW_NEAR)), None)
    if waiting is None or session.game is None or session.game.phase is not Phase.TURN:
        return session
    return attacks_after(answered(session, waiting.key), waiting, target=waiting.target)


def ask_value(session: Session, soldier: Soldier, die: int) -> Session:
    """Ask what a die on the desk shows."""
    choices = tuple((str(v), CATALOGUE.message("choice_value", value=v)) for v in range(1, 7))
    message = CATALOGUE.message("task_read_die", soldier=soldier.label)
    return ask(session, Question(f"read_die:{die}", message, choices, soldier=soldier.id, die=die))


def ask(session: Session, question: Question) -> Session:
    """Ask a question; it takes the place of an earlier one about the same."""
    questions = tuple(q for q in session.book.questions if q.key != question.key)
    return replace(session, book=replace(session.book, questions=(*questions, question)))


def answered(session: Session, *keys: str) -> Session:
    """Drop the questions with these keys."""
    questions = tuple(q for q in session.book.questions if q.key not in keys)
    return replace(session, book=replace(session.book, questions=questions))


def play(
    session: Session, actions: tuple[Action, ...], *, die: int | None = None, source: Source | None = None
) -> Session:
    """Let the rules resolve actions one after the other; all of them count, or none."""
    game = session.game
    assert game is not None
    face = next((action.value for action in actions if isinstance(action, Die)), 1)
    if not 1 <= face <= 6:  # a die of another kind, or with taught faces
        return session.say(SignalKind.ILLEGAL, "no_such_face", sides=6, value=face)
    rulings = []
    for action in actions:
        try:
            ruling = skuffle.resolve(game, action)
        except IllegalActionError as refusal:
            return session.tell(SignalKind.ILLEGAL, Message(refusal.code, refusal.text, refusal.params))
        rulings.append(ruling)
        game = ruling.state
    before = session.game
    assert before is not None
    spent = session.book.spent
    if die is not None and any(isinstance(a, Die) for a in actions):
        spent = (*spent, die)
    on_desk = {d.die for d in session.desk.dice}
    ends_turn = game.current != before.current or game.phase is Phase.OVER
    book = Book(
        game=game,
        spent=tuple(d for d in spent if d in on_desk),
        declared=None if ends_turn or game.phase is not Phase.TURN else session.book.declared,
    )
    session = session.turned(book, Step(actions, skuffle_deed(rulings[-1]), die, source))
    for action, ruling in zip(actions, rulings, strict=True):
        session = report(session, before, action, ruling, die=die, source=source)
        before = ruling.state
    if game.phase is Phase.TURN and ends_turn:
        session = announce_turn(session)
    return session
