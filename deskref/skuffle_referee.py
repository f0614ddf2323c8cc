"""Skuffle Wammer on the desk: which throw is whose roll, which push is a move, and when the desk agrees with the book.

A roll cannot be told from its value. It is told by place: a die came to rest while the pool of the soldier whose turn
it is is one die short. A move is told by its figure standing settled at another place.
"""

from __future__ import annotations

import math
from dataclasses import replace

from deskref import inputs
from deskref.inputs import AutomatedSoldier, Setup, SoldierSetup, Source
from deskref.rough_places import HOW_NEAR, WHOM, doubts_of, has_places, unknown_gap_mm
from deskref.session import Book, Declared, Question, Session, Step, TypedDie, signal_about
from deskref.signal import SignalKind
from deskref.skuffle_attack import answered, ask, ask_value, attacks, attacks_after, play, proposal, reconsidered
from deskref.skuffle_report import announce_turn
from deskref.skuffle_tasks import LOST_DIE, pools, tasks
from deskref.solo_turn import breed_of, opposite_places, plan_of
from deskref.tabletop import (
    base_radius,
    figure_of,
    rules_from_table,
    table_from_rules,
)
from deskref.words import CATALOGUE
from rules import skuffle, skuffle_doubt
from rules.ruling import IllegalActionError, Message, told
from rules.skuffle_state import (
    SMALL_BASE_RADIUS_MM,
    Adjust,
    Attack,
    AttackKind,
    Cancel,
    Die,
    Game,
    Move,
    Overrule,
    Pass,
    Phase,
    Reposition,
    Soldier,
    Tipped,
)
from vision import events
from vision.observation import Point, Pose

BIND_MM = 35.0
"""A figure put down this near to where a soldier is to start is that soldier: half of the least distance at which two
start places are told apart with ease."""

NUDGE_MM = 10.0
"""A figure that stands this little elsewhere was nudged, not moved: under half a base, above the tracker's error."""

ROW_BASE_SHARE = 0.4
"""Radius of a base in a crowded row, as a share of what two soldiers stand apart: a fifth of it stays free."""

AT_REST_S = 1.0
"""How long the desk must have been at rest before the game begins by itself."""


def start(session: Session, setup: Setup) -> Session:
    """Begin a new game; with a camera it waits until everybody stands on the mat with its dice."""
    session = replace(session, setup=setup, book=Book(), past=(), future=(), bindings=(), owners=(), tasks=())
    if not setup.with_camera:
        return _begin(session)
    return _bind_all(session.say(SignalKind.SET_UP, "set_up"))


def on_event(session: Session, event: events.TableEvent) -> Session:
    """Give the session after an event on the desk, which the session's desk already shows."""
    if session.setup is None or not session.setup.with_camera:
        return session
    if session.game is None:
        return _bind_all(session)
    match event:
        case events.DieAtRest() | events.DieAppeared():
            return _consider_roll(session, event)
        case events.DieValueChanged():
            return _die_read(session, event)
        case events.DieTaken():
            heads = ("own_roll", "whose_roll", WHOM, HOW_NEAR)
            session = answered(session, *(f"{head}:{event.die}" for head in heads))
            # Dice of one colour are not told apart in a hand: the next one thrown may come back under this number.
            spent = tuple(die for die in session.book.spent if die != event.die)
            return replace(session, book=replace(session.book, spent=spent))
        case events.FigureMoved():
            return reconsidered(_consider_move(session, event))
        case events.FigurePlaced():
            return reconsidered(_placed(session, event))
        case events.FigureTipped() | events.FigureLeft():
            return _consider_tip(session, event)
        case events.FigureEntered():
            return _bind_all(session)
        case _:
            return session


def on_input(session: Session, given: inputs.PlayerInput) -> Session:
    """Give the session after a player's input."""
    if isinstance(given, inputs.NameFigure):
        bindings = tuple(b for b in session.bindings if given.figure != b[0] and given.soldier != b[1])
        return replace(session, bindings=(*bindings, (given.figure, given.soldier)))
    game = session.game
    if game is None:
        if isinstance(given, inputs.Tick) and _is_ready(session):
            return _begin(session)
        if isinstance(given, inputs.Tick):
            return session
        return session.say(SignalKind.ILLEGAL, "set_up")
    current = str(game.current)
    match given:
        case inputs.DeclareAttack():
            return _declare(session, given)
        case inputs.EnterDie():
            return _typed_die(session, given)
        case inputs.CorrectDie():
            return _correct(session, given)
        case inputs.MoveSoldier(to_mm=to_mm):
            place = (
                rules_from_table(to_mm, game.options.area_mm)
                if to_mm is not None
                else game.soldier(current).pos
                if game.phase is Phase.TURN
                else (0.0, 0.0)
            )
            return play(session, (Move(current, place),))
        case inputs.PassTurn():
            return play(session, (Pass(current),))
        case inputs.FollowPlan():
            return _follow(session)
        case inputs.CancelAttack():
            return play(session, (Cancel(),))
        case inputs.ConfirmTipped():
            return play(session, (Tipped(str(game.fallen)),))
        case inputs.OverruleAttack(is_hit=is_hit, why=why):
            return play(session, (Overrule(is_hit, why),))
        case inputs.AdjustSoldier():
            return play(session, (righted(given),))
        case inputs.Choose():
            return _choose(session, given)
        case _:
            return session


def righted(given: inputs.AdjustSoldier) -> Adjust:
    """Return the rules' action of a game master's decision about soldiers' books."""
    others = tuple(Adjust(other.soldier, other.pool, other.is_dead, given.why) for other in given.others)
    return Adjust(given.soldier, given.pool, given.is_dead, given.why, others)


def settle(session: Session) -> Session:
    """Hold the desk against the book and renew the tasks; say so when they have disagreed for long, or agree again."""
    if session.setup is None:
        return session
    return tasks(_with_owners(session))


def _with_owners(session: Session) -> Session:
    """Remember whose each die is while nobody touches it.

    Dice belong by place when they are put down; a soldier who comes near later does not take over another's pool.
    """
    if session.game is None or not session.setup or not session.setup.with_camera:
        return session
    asked = {question.die for question in session.book.questions}
    lying = {die.die for die in session.desk.dice if not die.moving}
    kept = tuple(o for o in session.owners if o[0] in lying and o[0] not in session.book.spent)
    known = {die for die, _ in kept}
    new = tuple(
        (die, soldier)
        for soldier, dice in pools(session).of
        for die in dice
        if die in lying and die not in known and die not in asked
    )
    return session if not new and kept == session.owners else replace(session, owners=(*kept, *new))


def _begin(session: Session) -> Session:
    """Start the rules' game from the set-up and, with a camera, from where the figures stand."""
    setup = session.setup
    assert isinstance(setup, Setup)
    area = setup.options.area_mm
    soldiers = []
    row = None if setup.with_camera else [_seat_in_line(index, setup) for index in range(len(setup.soldiers))]
    radius_mm = SMALL_BASE_RADIUS_MM if row is None else _radius_in_row(row)
    for index, soldier in enumerate(setup.soldiers):
        figure = figure_of(session.desk, session.bindings, soldier.id)
        place = figure.mm if figure is not None else soldier.start_mm or _seat_in_line(index, setup)
        soldiers.append(
            Soldier(
                id=soldier.id,
                pos=rules_from_table(place, area),
                team=soldier.side,
                base_radius_mm=base_radius(figure) if figure is not None else radius_mm,
                name=soldier.name,
                own_pool=soldier.pool,
                breed=breed_of(soldier),
            )
        )
    try:
        ruling = skuffle.start(tuple(soldiers), setup.options)
    except IllegalActionError as refusal:
        return session.tell(SignalKind.ILLEGAL, Message(refusal.code, refusal.text, refusal.params))
    session = replace(session, book=Book(game=ruling.state))
    return announce_turn(session.say(SignalKind.STARTED, "all_there", reasons=ruling.reasons))


def _seat_in_line(index: int, setup: Setup) -> Point:
    """Places for a game without a desk: a row, the first soldier nearest to the seat; the desk's own stand opposite."""
    if any(isinstance(soldier, AutomatedSoldier) for soldier in setup.soldiers):
        return opposite_places(setup)[index]
    height = setup.options.area_mm[1]
    return (0.0, -height / 2 + (index + 1) * height / (len(setup.soldiers) + 1))


def _radius_in_row(places: list[Point]) -> float:
    """The bases of soldiers in a row: smaller where there are so many that common ones would stand on each other."""
    apart = (math.dist(one, other) for n, one in enumerate(places) for other in places[:n])
    return min(SMALL_BASE_RADIUS_MM, ROW_BASE_SHARE * min(apart, default=math.inf))


def _bind_all(session: Session) -> Session:
    """Bind each figure that nobody has claimed to the soldier whose start place it stands at."""
    setup = session.setup
    assert setup is not None
    for figure in session.desk.figures:
        if figure.lifted or any(track == figure.figure for track, _ in session.bindings):
            continue
        bound = {soldier for track, soldier in session.bindings if session.desk.figure(track) is not None}
        waiting = [s for s in setup.soldiers if s.id not in bound and _awaited_mm(session, s) is not None]
        near = min(waiting, key=lambda s: math.dist(_awaited_mm(session, s) or (0, 0), figure.mm), default=None)
        if near is None or math.dist(_awaited_mm(session, near) or (0, 0), figure.mm) > BIND_MM:
            continue
        others = tuple(b for b in session.bindings if b[1] != near.id)
        session = replace(session, bindings=(*others, (figure.figure, near.id)))
        session = session.say(
            SignalKind.INFO,
            "bound",
            soldier=near.name,
            signal=signal_about(session, near.id, place_mm=figure.mm),
        )
    return session


def _awaited_mm(session: Session, soldier: SoldierSetup) -> Point | None:
    """Where a soldier's figure is expected: its start place, or in play where the book has it."""
    if session.game is None:
        return soldier.start_mm
    return table_from_rules(session.game.soldier(soldier.id).pos, session.game.options.area_mm)


def _is_ready(session: Session) -> bool:
    """Whether everybody stands on the mat with its dice, and has done so for a moment."""
    setup = session.setup
    return (
        setup is not None
        and setup.with_camera
        and not session.tasks
        and session.desk.at_rest
        and session.time_s - session.desk.changed_s >= AT_REST_S
    )


def _consider_roll(session: Session, event: events.DieAtRest | events.DieAppeared) -> Session:
    """Decide whether a die that has come to rest is the roll of the soldier whose turn it is."""
    game = session.game
    assert game is not None
    if event.die in session.book.spent or game.phase not in (Phase.TURN, Phase.AWAIT_DIE):
        return session
    if game.phase is Phase.AWAIT_DIE:
        return _read_awaited(session, event)
    now = pools(session)
    owner = now.owner(event.die)
    short = [s for s in game.standing if s.pool - now.count(s.id) + (owner == s.id) >= 1]
    current = game.soldier(str(game.current))
    has_rolled = isinstance(event, events.DieAtRest)
    if current in short:
        if owner is None:
            # A die that was put down, or came to lie unseen, is only perhaps a roll: its player says so.
            return _roll(session, current, event) if has_rolled else _ask_own_roll(session, current, event)
        if owner == current.id:
            return _ask_own_roll(session, current, event) if has_rolled else session
        # Rolled into somebody's pool: his count tells that it is one too many.
        return _roll(session, current, event) if has_rolled else session
    if has_rolled and owner is None:
        if len(short) == 1:
            return _ask_whose_roll(session, current, short[0], event)
        return session.say(SignalKind.INFO, "loose_die", signal=signal_about(session, None, die=event.die))
    return session


def _roll(session: Session, soldier: Soldier, event: events.DieEvent) -> Session:
    """Play an attack with the die that lies there."""
    return attacks(session, soldier, event.value, die=event.die)


def _read_awaited(session: Session, event: events.DieEvent) -> Session:
    """A die comes to rest while one is awaited: it is the roll, or the roll thrown again."""
    game = session.game
    assert game is not None
    assert game.attack is not None
    now = pools(session)
    if now.owner(event.die) is not None:
        return session
    if any(now.count(s.id) < s.pool for s in game.standing if s.id != game.attack.by):
        # Another's die is missing from its pool: it is that one, thrown out of turn, and not the awaited one again.
        return session.say(SignalKind.INFO, "loose_die", signal=signal_about(session, None, die=event.die))
    if event.value is None:
        return ask_value(session, game.soldier(game.attack.by), event.die)
    return play(session, (Die(event.value),), die=event.die, source=Source.CAMERA)


def _die_read(session: Session, event: events.DieValueChanged) -> Session:
    """A die at rest became readable: it answers the question about it."""
    asked = next((q for q in session.book.questions if q.key == f"read_die:{event.die}"), None)
    if asked is None or event.value is None or session.game is None or session.game.phase is not Phase.AWAIT_DIE:
        return session
    return play(session, (Die(event.value),), die=event.die, source=Source.CAMERA)


def _consider_move(session: Session, event: events.FigureMoved) -> Session:
    """Decide whether a figure that stands elsewhere has moved, was nudged, or is out of turn."""
    game = session.game
    soldier_id = dict(session.bindings).get(event.figure)
    if game is None or soldier_id is None or event.pose is Pose.TIPPED:
        return session
    soldier = game.soldier(soldier_id)
    place = rules_from_table(event.mm, game.options.area_mm)
    shift_mm = math.dist(place, soldier.pos)
    if soldier.is_dead or game.phase in (Phase.OVER, Phase.SETUP):
        return session
    if shift_mm < NUDGE_MM or _has_just_moved(session, soldier_id):
        return _reposition(session, soldier_id, place)
    if game.phase is Phase.TURN and game.current == soldier_id:
        return play(session, (Move(soldier_id, place),))
    return session  # the tasks say that it stands elsewhere, and offer to leave it there


def _placed(session: Session, event: events.FigurePlaced) -> Session:
    """A figure that has not stirred is known to stand a little elsewhere."""
    game = session.game
    soldier_id = dict(session.bindings).get(event.figure)
    if game is None or soldier_id is None or event.pose is Pose.TIPPED:
        return session
    place = rules_from_table(event.mm, game.options.area_mm)
    soldier = game.soldier(soldier_id)
    is_there = math.dist(place, soldier.pos) < NUDGE_MM
    return _reposition(session, soldier_id, place) if is_there and not soldier.is_dead else session


def _has_just_moved(session: Session, soldier_id: str) -> bool:
    """Whether the last thing played was this soldier's move, which its player still sets right."""
    if not session.past:
        return False
    action = session.past[-1][1].actions[-1]
    return isinstance(action, Move) and action.by == soldier_id


def _reposition(session: Session, soldier_id: str, place: Point) -> Session:
    assert session.game is not None
    ruling = skuffle.resolve(session.game, Reposition(soldier_id, place))
    return replace(session, book=replace(session.book, game=ruling.state))


def _consider_tip(session: Session, event: events.FigureTipped | events.FigureLeft) -> Session:
    """The dead soldier was tipped on its side, or taken off the mat, which says the same."""
    game = session.game
    soldier_id = dict(session.bindings).get(event.figure)
    if game is None or game.phase is not Phase.AWAIT_TIP or soldier_id != game.fallen:
        return session
    return play(session, (Tipped(str(soldier_id)),))


def _declare(session: Session, given: inputs.DeclareAttack) -> Session:
    game = session.game
    assert game is not None
    current = game.current
    try:
        doubt_mm = skuffle_doubt.gap_doubt_mm(doubts_of(session, game), str(current), given.target)
        doubt_mm = doubt_mm if has_places(session) else unknown_gap_mm(game)
        kind = given.attack or AttackKind.RANGED
        skuffle.check(game, Attack(str(current), given.target, kind, gap_doubt_mm=doubt_mm))
    except IllegalActionError as refusal:
        return session.tell(SignalKind.ILLEGAL, Message(refusal.code, refusal.text, refusal.params))
    declared = Declared(given.target, given.attack, given.cover, given.vantage)
    return reconsidered(replace(session, book=replace(session.book, declared=declared)))


def _typed_die(session: Session, given: inputs.EnterDie) -> Session:
    """A value typed or simulated: for the awaited die, or with the proposed attack."""
    game = session.game
    assert game is not None
    if game.phase is Phase.AWAIT_DIE:
        die = next((q.die for q in session.book.questions if q.key.startswith("read_die:")), None)
        return play(session, (Die(given.value),), die=die, source=given.source)
    if proposal(session) is None:
        if plan_of(session) is not None:
            return session.say(SignalKind.ILLEGAL, "desk_moves", soldier=game.soldier(str(game.current)).label)
        if game.phase is Phase.TURN and game.soldier(str(game.current)).pool < 1:
            return session.say(SignalKind.ILLEGAL, "no_die_to_roll", soldier=game.soldier(str(game.current)).label)
        return play(session, (Die(given.value),), source=given.source)
    entered = TypedDie(given.value, given.source)
    return attacks(session, game.soldier(str(game.current)), given.value, entered=entered)


def _correct(session: Session, given: inputs.CorrectDie) -> Session:
    """Play the roll of a die again with another value, and after it everything that still follows."""
    asked = f"read_die:{given.die}"
    if any(q.key == asked for q in session.book.questions):
        return play(session, (Die(given.value),), die=given.die, source=Source.TYPED)
    at = next((i for i in reversed(range(len(session.past))) if _reads(session.past[i][1], given.die)), None)
    if at is None:
        return session.say(SignalKind.ILLEGAL, "no_such_roll")
    book, done = session.past[at]
    later = [step for _, step in session.past[at + 1 :]]
    before = next(a.value for a in done.actions if isinstance(a, Die))
    if before == given.value:
        return session
    attack = next((a for a in done.actions if isinstance(a, Attack)), None)
    roller = (
        attack.by
        if attack is not None
        else (book.game.attack.by if isinstance(book.game, Game) and book.game.attack else "")
    )
    assert session.game is not None
    session = session.say(
        SignalKind.CORRECTED,
        "corrected",
        soldier=session.game.soldier(roller).label,
        value=given.value,
        before=before,
        signal=signal_about(session, roller, die=given.die, value=given.value, source=Source.TYPED),
    )
    session = replace(session, book=book, past=session.past[:at])
    actions = tuple(Die(given.value) if isinstance(a, Die) else a for a in done.actions)
    session = play(session, actions, die=given.die, source=Source.TYPED)
    for step in later:
        played = play(session, step.actions, die=step.die, source=step.source)
        if played.book is session.book:
            refusal = played.log[-1].message
            return session.say(SignalKind.ADVICE, "correction_ends", why=told(refusal))
        session = played
    return session


def _follow(session: Session) -> Session:
    """Let the figure that the desk plays do what the plan says; an attack then waits for its die."""
    plan = plan_of(session)
    if plan is None:
        return session.say(SignalKind.ILLEGAL, "no_plan")
    attack = proposal(session)
    return play(session, (plan.action if attack is None else attack,))


def _reads(step: Step, die: int) -> bool:
    return step.die == die and any(isinstance(a, Die) for a in step.actions)


def _choose(session: Session, given: inputs.Choose) -> Session:
    """Answer a question, or say that a figure stays where it stands."""
    task = next((t for t in session.tasks if t.key == given.task), None)
    game = session.game
    if task is None or game is None or given.choice not in dict(task.choices):
        return session
    question = next((q for q in session.book.questions if q.key == task.key), None)
    session = answered(session, task.key)
    head = task.key.split(":")[0]
    if question is not None and head == WHOM:
        return attacks_after(session, question, target=given.choice)
    if question is not None and head == HOW_NEAR:
        return attacks_after(session, question, target=question.target, kind=AttackKind(given.choice))
    if task.key.startswith("read_die:"):
        return play(session, (Die(int(given.choice)),), die=task.die, source=Source.TYPED)
    if head == LOST_DIE:
        return _typed_die(session, inputs.EnterDie(time_s=given.time_s, value=int(given.choice)))
    if given.choice == "leave" and task.figure is not None and task.soldier is not None:
        figure = session.desk.figure(task.figure)
        place = rules_from_table(figure.mm, game.options.area_mm) if figure is not None else None
        return session if place is None else _reposition(session, task.soldier, place)
    if given.choice == "count" and task.die is not None and task.soldier is not None:
        die = session.desk.die(task.die)
        return session if die is None else attacks(session, game.soldier(task.soldier), die.value, die=die.die)
    return session


def _ask_own_roll(session: Session, soldier: Soldier, event: events.DieEvent) -> Session:
    message = CATALOGUE.message("task_own_roll", soldier=soldier.label, value=event.value or "?")
    choices = (("count", CATALOGUE.message("choice_yes")), ("no", CATALOGUE.message("choice_no")))
    return ask(session, Question(f"own_roll:{event.die}", message, choices, soldier=soldier.id, die=event.die))


def _ask_whose_roll(session: Session, current: Soldier, short: Soldier, event: events.DieEvent) -> Session:
    message = CATALOGUE.message("task_whose_roll", value=event.value or "?", current=current.label, soldier=short.label)
    choices = (
        ("count", CATALOGUE.message("choice_count_for", soldier=short.label)),
        ("no", CATALOGUE.message("choice_ignore")),
    )
    return ask(session, Question(f"whose_roll:{event.die}", message, choices, soldier=short.id, die=event.die))
