"""Quick Skirmish at the desk: dice read, typed and simulated, dealt cards, and what is said of every ruling."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deskref import camera_dice, inputs
from deskref.deeds import skirmish_deed
from deskref.inputs import AnyInput, PlaySkirmish, SkirmishSetup, Source
from deskref.session import Book, Session, Step, TypedDie, signal_about
from deskref.signal import SignalKind
from deskref.skirmish_words import CATALOGUE
from deskref.typed_play import played, with_die
from rules.cards import DECK, Card, parse_card
from rules.ruling import Message, Pending
from rules.skirmish.checks import legal_actions
from rules.skirmish.deck import who_draws
from rules.skirmish.play import new_scene, resolve
from rules.skirmish.rolls import pending
from rules.skirmish.state import (
    Accept,
    Action,
    Award,
    Deal,
    Delay,
    Event,
    Leave,
    Overrule,
    Phase,
    Receive,
    Reroll,
    Result,
    Scene,
    Soak,
    StepIn,
    TakeWounds,
    Throw,
    Unshake,
)
from rules.skirmish.turns import SkirmishRuling
from vision import events

KINDS = {
    Event.FAILURE: SignalKind.MISS,
    Event.SUCCESS: SignalKind.HIT,
    Event.RAISE: SignalKind.HIT,
    Event.SHAKEN: SignalKind.HIT,
    Event.WOUNDED: SignalKind.HIT,
    Event.UNHURT: SignalKind.SAVED,
    Event.SOAKED: SignalKind.SAVED,
    Event.INCAPACITATED: SignalKind.DEATH,
    Event.ADJUSTED: SignalKind.GAME_MASTER,
    Event.CIRCUMSTANCES: SignalKind.GAME_MASTER,
}
"""How an event looks and sounds; the others are plain rulings."""

ACTION_WORDS: dict[type[Action], str] = {
    Receive: "qs_do_receive",
    Accept: "qs_do_accept",
    Reroll: "qs_do_reroll",
    Soak: "qs_do_soak",
    TakeWounds: "qs_do_take",
    Delay: "qs_do_delay",
    StepIn: "qs_do_step_in",
    Unshake: "qs_do_unshake",
    Leave: "qs_do_leave",
    Award: "qs_do_award",
}
"""What the buttons of the actions say."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be done now, for a button of the page."""

    given: AnyInput
    words: Message


def start(session: Session, setup: SkirmishSetup) -> Session:
    """Begin a new skirmish, before its first deal."""
    session = replace(session, setup=setup, book=Book(), past=(), future=(), bindings=(), owners=(), tasks=())
    try:
        scene = new_scene(setup.fighters, setup.tokens, setup.options)
    except ValueError as impossible:
        return session.say(SignalKind.ILLEGAL, "refused", why=f"{impossible}.")
    session = replace(session, book=Book(game=scene))
    return session.tell(SignalKind.STARTED, CATALOGUE.message("qs_begins", tokens=scene.tokens_left))


def on_event(session: Session, event: events.TableEvent) -> Session:
    """Give the session after an event on the desk: dice that come to rest; a skirmish needs no places."""
    return session if session.scene is None else camera_dice.saw(session, event, *_awaited_of(session))


def settle(session: Session) -> Session:
    """Enter the dice that lie on the desk for the awaited roll, or ask about them."""
    return session if session.scene is None else camera_dice.settled(session, _awaited_of, _enter)


def on_input(session: Session, given: inputs.PlayerInput) -> Session:
    """Give the session after a player's input."""
    scene = session.scene
    if isinstance(given, inputs.Tick):
        return session
    if scene is None:
        return session.say(SignalKind.ILLEGAL, "no_game")
    match given:
        case inputs.EnterDie(value=value, source=source):
            return _enter(session, TypedDie(value, source))
        case inputs.CorrectDie():
            return camera_dice.corrected(session, given, _who, _again)
        case inputs.Choose():
            return camera_dice.chosen(session, given)
        case inputs.DealCards():
            return _deal(session, given)
        case PlaySkirmish():
            return _play(session, given.action)
        case _:
            return session.say(SignalKind.ILLEGAL, "not_here")


def awaited(session: Session) -> Pending | None:
    """Return the roll that the skirmish waits for."""
    return pending(session.scene) if session.scene is not None else None


def choices(session: Session) -> tuple[Choice, ...]:
    """Return what may be done now besides throwing dice, declaring a roll, and what only the game master does."""
    scene = session.scene
    if scene is None:
        return ()
    return tuple(Choice(PlaySkirmish(action=action), _words_of(scene, action)) for action in legal_actions(scene))


def cards_left(scene: Scene) -> tuple[Card, ...]:
    """Return the cards that can come in the next deal; the whole deck where what is left does not go round."""
    left = tuple(card for card in DECK if card not in scene.discards)
    return left if len(left) >= len(who_draws(scene)) else DECK


def _words_of(scene: Scene, action: Action) -> Message:
    who = getattr(action, "who", None) or getattr(action, "by", None) or getattr(action, "to", None)
    label = scene.fighter(who).label if who is not None else ""
    return CATALOGUE.message(ACTION_WORDS[type(action)], who=label)


def _awaited_of(session: Session) -> tuple[Pending | None, str]:
    roll = awaited(session)
    return roll, session.scene.fighter(roll.who).label if roll is not None and session.scene is not None else ""


def _who(session: Session) -> str:
    return _awaited_of(session)[1]


def _enter(session: Session, die: TypedDie) -> Session:
    session, dice = with_die(session, die, *_awaited_of(session))
    if dice is None:
        return session
    return _play(session, Throw(tuple(each.value for each in dice)), source=die.source, dice=dice)


def _again(session: Session, step: Step, dice: tuple[TypedDie, ...]) -> Session:
    action = Throw(tuple(die.value for die in dice)) if dice else step.actions[0]
    return _play(session, action, source=step.source, dice=dice)


def _deal(session: Session, given: inputs.DealCards) -> Session:
    cards = []
    for who, text in given.cards:
        try:
            cards.append((who, parse_card(text)))
        except ValueError:
            return session.say(SignalKind.ILLEGAL, "no_card", card=text or "?")
    return _play(session, Deal(tuple(cards)), source=given.source)


def _play(
    session: Session, action: Action, *, source: Source | None = None, dice: tuple[TypedDie, ...] = ()
) -> Session:
    before = session.scene
    assert before is not None
    session, rulings = played(session, (action,), resolve, skirmish_deed, source=source, dice=dice)
    for ruling in rulings:
        session = _report(session, before, action, ruling, source)
    return session


def _report(session: Session, before: Scene, action: Action, ruling: SkirmishRuling, source: Source | None) -> Session:
    """Say what a ruling means, whose turn it is now, and who has won."""
    scene, outcome = ruling.state, ruling.outcome
    for advice in ruling.advice:
        session = session.tell(SignalKind.ADVICE, advice)
    kind = KINDS.get(outcome.event, SignalKind.RULING)
    if isinstance(action, Overrule):
        kind = SignalKind.GAME_MASTER
    about = signal_about(session, outcome.who or before.current, source=source)
    session = session.tell(kind, _message(action, ruling), reasons=ruling.reasons, signal=about)
    if scene.phase is Phase.OVER and before.phase is not Phase.OVER:
        code = "qs_victory" if scene.result is Result.VICTORY else "qs_defeat"
        heroes = tuple(hero.id for hero in scene.heroes) if scene.result is Result.VICTORY else ()
        won = replace(signal_about(session, None), winners=heroes)
        return session.tell(SignalKind.WINNER, CATALOGUE.message(code, left=scene.tokens_left), signal=won)
    has_turn = scene.phase in (Phase.SPIRIT, Phase.TURN) and scene.current is not None
    if has_turn and (scene.current != before.current or scene.round != before.round):
        hero = scene.fighter(str(scene.current))
        words = CATALOGUE.message("qs_turn", who=hero.label)
        session = session.tell(SignalKind.YOUR_TURN, words, signal=signal_about(session, hero.id))
    return session


def _message(action: Action, ruling: SkirmishRuling) -> Message:
    """Say in one sentence what an action led to."""
    scene, outcome = ruling.state, ruling.outcome
    who = scene.fighter(outcome.who).label if outcome.who is not None else ""
    return CATALOGUE.message(
        f"qs_{outcome.event.value}",
        who=who,
        round=scene.round,
        trait=scene.roll.trait if scene.roll is not None else "",
        dice=outcome.damage_dice,
        left=scene.tokens_left,
        taken=outcome.tokens_taken,
        total=outcome.total if outcome.total is not None else "",
        wounds=outcome.new_wounds,
    )
