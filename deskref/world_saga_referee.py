"""World Saga's combat at the desk: typed and simulated d20 and cards, and what is said of every ruling."""

from __future__ import annotations

from dataclasses import replace

from deskref import inputs
from deskref.inputs import CombatSetup, PlayCombat, Source
from deskref.session import Book, Session
from deskref.signal import SignalKind
from deskref.typed_play import about_of, played, with_die
from deskref.world_saga_words import CATALOGUE
from rules.cards import DECK, Card, parse_card
from rules.ruling import IllegalActionError, Message, Pending, listed, told
from rules.world_saga.actions import Action, Attack, Begin, DealCard, Roll, RollInitiative, TakeStrike, Test
from rules.world_saga.attacks import Event
from rules.world_saga.combat import CombatRuling, new_combat, pending, resolve
from rules.world_saga.state import Combat, Phase
from vision import events

KINDS = {
    Event.MISS: SignalKind.MISS,
    Event.NO_DAMAGE: SignalKind.SAVED,
    Event.STAYS_UP: SignalKind.SAVED,
    Event.DAMAGE: SignalKind.HIT,
    Event.ENDURE_DUE: SignalKind.HIT,
    Event.RESILIENCE_DUE: SignalKind.HIT,
    Event.KNOCKED_OUT: SignalKind.DEATH,
    Event.STRODE: SignalKind.MOVED,
    Event.MOVED: SignalKind.MOVED,
    Event.DELAYED: SignalKind.PASSED,
    Event.ADJUSTED: SignalKind.GAME_MASTER,
    Event.OVER: SignalKind.GAME_MASTER,
}
"""How an event looks and sounds; the others are plain rulings."""


def start(session: Session, setup: CombatSetup) -> Session:
    """Begin a new combat: initiative is waited for."""
    session = replace(session, setup=setup, book=Book(), past=(), future=(), bindings=(), owners=(), tasks=())
    combat = new_combat(setup.combatants, board=setup.board, settings=setup.settings)
    try:
        ruling = resolve(combat, Begin())
    except IllegalActionError as refusal:
        return session.tell(SignalKind.ILLEGAL, Message(refusal.code, refusal.text, refusal.params))
    session = replace(session, book=Book(game=ruling.state))
    session = session.tell(SignalKind.STARTED, CATALOGUE.message("wsd_begun"), reasons=ruling.reasons)
    return _announce_turn(session, combat, ruling.state)


def on_event(session: Session, event: events.TableEvent) -> Session:
    """Give the session after an event on the desk: places are told on the drawn board, and dice are entered."""
    return session


def settle(session: Session) -> Session:
    """Nothing on the desk can disagree with a combat on the drawn board."""
    return session


def on_input(session: Session, given: inputs.PlayerInput) -> Session:
    """Give the session after a player's input."""
    combat = session.combat
    if isinstance(given, inputs.Tick):
        return session
    if combat is None:
        return session.say(SignalKind.ILLEGAL, "no_game")
    match given:
        case inputs.EnterDie():
            return _die(session, combat, given)
        case inputs.DealCards():
            return _deal(session, given)
        case PlayCombat():
            return _play(session, (given.action,))
        case _:
            return session.say(SignalKind.ILLEGAL, "not_here")


def awaited(session: Session) -> Pending | None:
    """Return what the combat waits for: a roll, or with no dice a word of the table."""
    return pending(session.combat) if session.combat is not None else None


def name_of(combat: Combat, entry: str) -> str:
    """Return what somebody, or a group that rolls initiative together, is called."""
    return next((c.label for c in combat.combatants if c.id == entry), entry)


def cards_left(combat: Combat) -> tuple[Card, ...]:
    """Return the cards that have not been dealt this round."""
    dealt = {score.card for score in combat.scores}
    return tuple(card for card in DECK if str(card) not in dealt)


def _die(session: Session, combat: Combat, given: inputs.EnterDie) -> Session:
    roll = pending(combat)
    session, values = with_die(session, given, roll, name_of(combat, roll.who) if roll is not None else "")
    if values is None or roll is None:
        return session
    action: Action = RollInitiative(roll.who, values[0]) if combat.phase is Phase.INITIATIVE else Roll(values)
    return _play(session, (action,), source=given.source)


def _deal(session: Session, given: inputs.DealCards) -> Session:
    actions = []
    for entry, text in given.cards:
        try:
            actions.append(DealCard(entry, str(parse_card(text))))
        except ValueError:
            return session.say(SignalKind.ILLEGAL, "no_card", card=text or "?")
    return _play(session, tuple(actions), source=given.source) if actions else session


def _play(session: Session, actions: tuple[Action, ...], *, source: Source | None = None) -> Session:
    before = session.combat
    assert before is not None
    session, rulings = played(session, actions, resolve, _message, source=source)
    for action, ruling in zip(actions, rulings, strict=False):
        session = _report(session, before, action, ruling, source)
        before = ruling.state
    return session


def _report(session: Session, before: Combat, action: Action, ruling: CombatRuling, source: Source | None) -> Session:
    """Say what a ruling means, whose turn it is now, and to whom the field belongs."""
    combat, outcome = ruling.state, ruling.outcome
    for advice in ruling.advice:
        session = session.tell(SignalKind.ADVICE, advice)
    kind = KINDS.get(outcome.event, SignalKind.RULING)
    if outcome.event is Event.ENDURED:
        kind = SignalKind.HIT if combat.get(str(outcome.target)).can_act else SignalKind.DEATH
    about = about_of(session, outcome.who, target=outcome.target, source=source)
    session = session.tell(kind, _message(action, ruling), reasons=ruling.reasons, signal=about)
    if combat.phase is Phase.OVER and before.phase is not Phase.OVER:
        names = listed(tuple(combat.get(who).label for who in combat.winners))
        words = CATALOGUE.message("wsd_winner", winners=names) if names else CATALOGUE.message("wsd_nobody")
        return session.tell(SignalKind.WINNER, words, signal=replace(about_of(session, None), winners=combat.winners))
    return _announce_turn(session, before, combat)


def _announce_turn(session: Session, before: Combat, combat: Combat) -> Session:
    turn, earlier = combat.turn, before.turn
    is_new = turn is not None and (earlier is None or earlier.who != turn.who or before.round != combat.round)
    if turn is None or not is_new:
        return session
    words = CATALOGUE.message("wsd_turn", who=combat.get(turn.who).label)
    return session.tell(SignalKind.YOUR_TURN, words, signal=about_of(session, turn.who))


def _message(action: Action, ruling: CombatRuling) -> Message:
    """Say in one sentence what an action led to."""
    combat, outcome = ruling.state, ruling.outcome
    code = f"wsd_{outcome.event.value}"
    target = combat.get(outcome.target) if outcome.target is not None else None
    name = ""
    if outcome.event is Event.DECLARED:
        name = action.blow.name if isinstance(action, Attack | TakeStrike) else _test_name(combat, action)
        code = "wsd_declared_at" if target is not None else code
    if outcome.event is Event.TURN:
        code = "wsd_turn" if combat.turn is not None else "wsd_turn_ends"
    if outcome.event is Event.ENDURED and target is not None and not target.can_act:
        code = "wsd_fallen"
    who = combat.turn.who if outcome.event is Event.TURN and combat.turn is not None else outcome.who
    waiting = pending(combat)
    return CATALOGUE.message(
        code,
        who=name_of(combat, who) if who is not None else "",
        target=target.label if target is not None else "",
        name=name,
        squares=_squares(outcome.squares),
        damage=outcome.damage if outcome.damage is not None else "",
        wounds=target.wounds if target is not None else 0,
        round=combat.round,
        due=told(waiting.purpose) if waiting is not None else "",
    )


def _test_name(combat: Combat, action: Action) -> str:
    if isinstance(action, Test):
        return action.name
    return combat.cases[-1].name if combat.cases else ""


def _squares(cost: float | None) -> str:
    if cost is None:
        return ""
    return CATALOGUE.told("wsd_one_square" if cost == 1 else "wsd_squares", count=f"{cost:g}")
