"""World Saga's combat at the desk: dice read, typed and simulated, figures on the mat, and what every ruling says."""

from __future__ import annotations

from dataclasses import replace

from deskref import camera_dice, combat_figures, inputs
from deskref.deeds import combat_deed
from deskref.inputs import CombatSetup, PlayCombat, Source
from deskref.session import Book, Session, Step, TypedDie, signal_about
from deskref.signal import SignalKind
from deskref.typed_play import played, with_die
from deskref.world_saga_words import CATALOGUE
from rules.cards import DECK, Card, parse_card
from rules.ruling import IllegalActionError, Message, Pending, listed, told
from rules.world_saga.actions import Action, Attack, Begin, DealCard, Roll, RollInitiative, TakeStrike, Test
from rules.world_saga.attacks import Event
from rules.world_saga.combat import CombatRuling, new_combat, pending, resolve
from rules.world_saga.state import Combat, Phase, Stage
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
    """Give the session after an event on the desk: dice that come to rest, figures that are pushed."""
    if session.combat is None:
        return session
    session = combat_figures.saw(session, event, _play)
    return camera_dice.saw(session, event, *_awaited_of(session))


def settle(session: Session) -> Session:
    """Enter the dice that lie on the desk for the awaited roll, or ask; say what to put where."""
    if session.combat is None:
        return session
    before, wanted = session.tasks, combat_figures.tasks(session)
    session = camera_dice.settled(session, _awaited_of, _enter)
    now = (*session.tasks, *wanted)
    return replace(session, tasks=before if now == before else now)


def on_input(session: Session, given: inputs.PlayerInput) -> Session:
    """Give the session after a player's input."""
    combat = session.combat
    if isinstance(given, inputs.Tick):
        return session
    if combat is None:
        return session.say(SignalKind.ILLEGAL, "no_game")
    match given:
        case inputs.EnterDie(value=value, source=source):
            return _enter(session, TypedDie(value, source))
        case inputs.CorrectDie():
            return camera_dice.corrected(session, given, _who, _again)
        case inputs.NameFigure():
            return combat_figures.named(session, given)
        case inputs.Choose():
            answered = combat_figures.chosen(session, given, _play)
            return camera_dice.chosen(session, given) if answered is None else answered
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


def _awaited_of(session: Session) -> tuple[Pending | None, str]:
    roll = awaited(session)
    return roll, name_of(session.combat, roll.who) if roll is not None and session.combat is not None else ""


def _who(session: Session) -> str:
    return _awaited_of(session)[1]


def _enter(session: Session, die: TypedDie) -> Session:
    session, dice = with_die(session, die, *_awaited_of(session))
    return session if dice is None else _play(session, (_thrown(session, dice),), source=die.source, dice=dice)


def _again(session: Session, step: Step, dice: tuple[TypedDie, ...]) -> Session:
    actions = (_thrown(session, dice),) if dice else step.actions
    return _play(session, actions, source=step.source, dice=dice)


def _thrown(session: Session, dice: tuple[TypedDie, ...]) -> Action:
    """The action of dice that were thrown for what is awaited."""
    roll, combat = awaited(session), session.combat
    # A test that the Game Master calls for meanwhile comes before the rest of the initiative.
    if combat is not None and combat.phase is Phase.INITIATIVE and not combat.cases and roll is not None:
        return RollInitiative(roll.who, dice[0].value)
    return Roll(tuple(die.value for die in dice))


def _deal(session: Session, given: inputs.DealCards) -> Session:
    actions = []
    for entry, text in given.cards:
        try:
            actions.append(DealCard(entry, str(parse_card(text))))
        except ValueError:
            return session.say(SignalKind.ILLEGAL, "no_card", card=text or "?")
    return _play(session, tuple(actions), source=given.source) if actions else session


def _play(
    session: Session, actions: tuple[Action, ...], *, source: Source | None = None, dice: tuple[TypedDie, ...] = ()
) -> Session:
    before = session.combat
    assert before is not None
    session, rulings = played(session, actions, resolve, combat_deed, source=source, dice=dice)
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
    about = signal_about(session, outcome.who, target=outcome.target, source=source)
    session = session.tell(kind, _message(action, ruling), reasons=ruling.reasons, signal=about)
    if combat.phase is Phase.OVER and before.phase is not Phase.OVER:
        names = listed(tuple(combat.get(who).label for who in combat.winners))
        words = CATALOGUE.message("wsd_winner", winners=names) if names else CATALOGUE.message("wsd_nobody")
        return session.tell(
            SignalKind.WINNER, words, signal=replace(signal_about(session, None), winners=combat.winners)
        )
    return _announce_turn(session, before, combat)


def _announce_turn(session: Session, before: Combat, combat: Combat) -> Session:
    turn, earlier = combat.turn, before.turn
    is_new = turn is not None and (earlier is None or earlier.who != turn.who or before.round != combat.round)
    if turn is None or not is_new:
        return session
    words = CATALOGUE.message("wsd_turn", who=combat.get(turn.who).label)
    return session.tell(SignalKind.YOUR_TURN, words, signal=signal_about(session, turn.who))


def _message(action: Action, ruling: CombatRuling) -> Message:
    """Say in one sentence what an action led to."""
    combat, outcome = ruling.state, ruling.outcome
    code = f"wsd_{outcome.event.value}"
    target = combat.get(outcome.target) if outcome.target is not None else None
    name = ""
    if outcome.event is Event.DECLARED:
        name = action.blow.name if isinstance(action, Attack | TakeStrike) else _test_name(combat, action)
        code = "wsd_declared_at" if target is not None else code
    if outcome.event is Event.NUMBER_DUE and target is not None:
        code = "wsd_base_due" if combat.cases[-1].stage is Stage.BASE else "wsd_reduction_due"
    if outcome.event is Event.TURN:
        ended = "wsd_round" if combat.phase is Phase.INITIATIVE else "wsd_turn_ends"
        code = "wsd_turn" if combat.turn is not None else ended
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
    return CATALOGUE.told("wsd_squares", count=f"{cost:g}")
