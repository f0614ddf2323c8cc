"""What to put where so that the desk agrees with the book of Skuffle Wammer, and when to speak of disagreement."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from deskref.inputs import Setup
from deskref.rough_places import HOW_NEAR, WHOM
from deskref.session import Session, Task
from deskref.signal import SignalKind
from deskref.solo_turn import breed_of
from deskref.tabletop import Pools, figure_of, pools_on, rules_from_table
from deskref.words import CATALOGUE
from rules.ruling import Message, Param
from rules.skuffle_state import Game, Phase, Soldier, pool_at_start
from vision.observation import Pose

STANDS_ELSEWHERE_MM = 15.0
"""From this far off a figure does not stand where the book has it: over half a base, well above the tracker's error."""

DISAGREE_AFTER_S = 8.0
"""Desk and book may differ this long before it is called a disagreement: people need some seconds to tidy up."""

SEEN_FOR_S = 0.4
"""A task is shown once the desk has been at rest this long; shorter differences are movements seen half done."""

MISSED_AFTER_S = 3.0
"""What seems to lack in a game is asked for once it has not been seen for so long: dice that were just put down are
read within two seconds (1.6 s in the demo's recording)."""

MISSED = ("task_back", "task_back_dice")
"""What begins the keys of tasks that something is not seen."""

LOST_DIE = "lost_die"
"""Begins the key of the question where a die is that was taken to be rolled and does not come into view."""

LOST_AFTER_S = 5.0
"""It is asked when nothing has stirred on the desk for so long: a throw takes two seconds, a thought longer."""

QUESTIONS = ("read_die", "own_roll", "whose_roll", LOST_DIE, WHOM, HOW_NEAR)
"""What the keys of questions begin with, which only players can answer."""


def pools(session: Session) -> Pools:
    """Whose dice are whose on the desk now; spent dice belong to nobody."""
    return pools_on(session.desk, session.bindings, owners=session.owners, without=session.book.spent)


def tasks(session: Session) -> Session:
    """Renew the tasks; while somebody reaches in or something moves, none begins, and what is done ends at once."""
    setup = session.setup
    assert isinstance(setup, Setup)
    questions = tuple(
        _lasting(session, Task(q.key, q.message, session.time_s, q.choices, q.soldier, q.die, q.figure))
        for q in session.book.questions
    )
    asked = {q.key for q in questions}
    if not setup.with_camera:
        return replace(session, tasks=questions)
    rested_s = session.time_s - session.desk.changed_s
    wanted = tuple(_before_play(session, setup) if session.game is None else _in_play(session, session.game))
    if not session.desk.at_rest or rested_s < SEEN_FOR_S:
        still = {t.key for t in wanted}
        if session.game is None or session.game.phase is not Phase.OVER:
            still |= {t.key for t in session.tasks if t.told}  # a lifted figure is no end of what was spoken of
        kept = tuple(t for t in session.tasks if t.key in still - asked and not _is_question(t))
        return replace(session, tasks=(*questions, *kept))
    standing = {t.key for t in session.tasks}
    shown = (t for t in wanted if rested_s >= MISSED_AFTER_S or t.key in standing or t.key.split(":")[0] not in MISSED)
    now = (*questions, *(_lasting(session, task) for task in shown))
    return _tell(replace(session, tasks=now), before=session.tasks)


def _is_question(task: Task) -> bool:
    return ":" in task.key and task.key.split(":")[0] in QUESTIONS


def _lasting(session: Session, task: Task) -> Task:
    """Keep since when the same task has stood."""
    earlier = next((t for t in session.tasks if t.key == task.key), None)
    return task if earlier is None else replace(task, since_s=earlier.since_s, told=earlier.told)


def _tell(session: Session, *, before: tuple[Task, ...]) -> Session:
    """Say once that desk and book disagree, and once that they agree again."""
    if session.game is None or session.game.phase is Phase.OVER:
        return session
    for task in session.tasks:
        late = session.time_s - task.since_s >= DISAGREE_AFTER_S
        if late and not task.told and not _is_question(task):
            session = session.tell(SignalKind.DISAGREE, task.message)
            told = tuple(replace(t, told=True) if t.key == task.key else t for t in session.tasks)
            session = replace(session, tasks=told)
    if any(t.told for t in before) and not any(t.told for t in session.tasks):
        session = session.say(SignalKind.AGREE, "agree")
    return session


def _before_play(session: Session, setup: Setup) -> Iterator[Task]:
    now = pools(session)
    for soldier in setup.soldiers:
        figure = figure_of(session.desk, session.bindings, soldier.id)
        if figure is None:
            yield _task(session, "task_place", soldier.id, soldier=soldier.name)
            continue
        if figure.pose is Pose.TIPPED:
            yield _task(session, "task_stand", soldier.id, soldier=soldier.name)
        as_played = Soldier(soldier.id, (0.0, 0.0), own_pool=soldier.pool, breed=breed_of(soldier))
        wanted = pool_at_start(as_played, setup.options.minutes)
        have = now.count(soldier.id)
        if have < wanted:
            yield _dice_task(session, "task_put_dice", soldier.id, soldier.name, wanted - have)
        elif have > wanted:
            yield _dice_task(session, "task_take_dice", soldier.id, soldier.name, have - wanted)


def _in_play(session: Session, game: Game) -> Iterator[Task]:
    if game.phase is Phase.OVER:
        return
    now = pools(session)
    for soldier in game.soldiers:
        figure = figure_of(session.desk, session.bindings, soldier.id)
        have = now.count(soldier.id)
        if soldier.is_dead:
            if figure is not None and figure.pose is Pose.STANDING:
                yield _task(session, "task_tip", soldier.id, is_expected=True, soldier=soldier.label)
            if have:
                yield _dice_task(session, "task_dead_dice", soldier.id, soldier.label, have, is_expected=True)
            continue
        if figure is None:
            yield _task(session, "task_back", soldier.id, soldier=soldier.label)
            continue
        if figure.pose is Pose.TIPPED:
            yield _task(session, "task_stand", soldier.id, soldier=soldier.label)
        yield from _place_task(session, game, soldier)
        if now.shared:
            continue
        if have > soldier.pool:
            yield _dice_task(
                session, "task_take_dice", soldier.id, soldier.label, have - soldier.pool, is_expected=True
            )
        elif have < soldier.pool - _in_hand(game, soldier):
            yield _dice_task(
                session, "task_back_dice", soldier.id, soldier.label, soldier.pool - have - _in_hand(game, soldier)
            )
        elif have < soldier.pool and session.time_s - session.desk.changed_s >= LOST_AFTER_S:
            yield _lost_die(session, soldier)


def _in_hand(game: Game, soldier: Soldier) -> int:
    """The die that the soldier whose turn it is may have taken up to roll."""
    return 1 if game.phase is Phase.TURN and soldier.id == game.current else 0


def _lost_die(session: Session, soldier: Soldier) -> Task:
    """Ask what the die shows that is in somebody's hand, or has come to rest where the camera does not see it."""
    choices = tuple((str(v), CATALOGUE.message("choice_value", value=v)) for v in range(1, 7))
    message = CATALOGUE.message("task_lost_die", soldier=soldier.label)
    key = f"{LOST_DIE}:{soldier.id}"
    return Task(key, message, session.time_s, choices, soldier=soldier.id, is_expected=True)


def _place_task(session: Session, game: Game, soldier: Soldier) -> Iterator[Task]:
    figure = figure_of(session.desk, session.bindings, soldier.id)
    assert figure is not None
    away_mm = math.dist(rules_from_table(figure.mm, game.options.area_mm), soldier.pos)
    if away_mm >= STANDS_ELSEWHERE_MM and figure.pose is Pose.STANDING and soldier.id != game.current:
        current = game.soldier(game.current).label if game.current else soldier.label
        task = _task(session, "task_moved", soldier.id, soldier=soldier.label, current=current)
        yield replace(task, figure=figure.figure, choices=(("leave", CATALOGUE.message("choice_leave")),))


def _dice_task(session: Session, code: str, soldier: str, name: str, count: int, *, is_expected: bool = False) -> Task:
    return _task(session, code, soldier, is_expected=is_expected, soldier=name, count=count)


def _task(session: Session, code: str, about: str, *, is_expected: bool = False, **params: Param) -> Task:
    message: Message = CATALOGUE.message(code, **params)
    return Task(f"{code}:{about}", message, session.time_s, soldier=about, is_expected=is_expected)
