"""Figures on the mat in a World Saga combat: which one is who, what a push means, and what to put where.

A figure that stands settled on another square strides there on its turn, by the cheapest way. Where that way leaves an
engaged enemy, how the Withdraw went is asked. What the rules refuse, and whoever moves out of turn, stays in the book
where it was: a task says where to put it back, or the players say that it stays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from deskref import inputs
from deskref.board_places import Layout, Place
from deskref.inputs import CombatSetup
from deskref.session import Question, Session, Task, signal_about
from deskref.signal import SignalKind
from deskref.tabletop import figure_of
from deskref.words import CATALOGUE
from rules import sight
from rules.freeform import Ground
from rules.grid import SquareBoard
from rules.hexes import HexBoard
from rules.ruling import IllegalActionError, Message
from rules.world_saga.actions import Action, Adjust, Stride, Withdraw
from rules.world_saga.combat import reach, squares_left
from rules.world_saga.state import Combat, Combatant, Phase
from rules.world_saga.striding import StridePlan, plan_stride
from vision import events
from vision.observation import Pose

BIND_CELLS = 0.75
"""A figure put down this near to the middle of somebody's square is that combatant: over half a square, so that one
who stands askew is still taken, and under the distance of the next square's middle."""

NUDGE_MM = 10.0
"""On the free table a figure that stands this little elsewhere was nudged, not moved; as in Skuffle Wammer."""

SEEN_FOR_S = 0.4
"""A task is shown once the desk has been at rest this long; shorter differences are movements seen half done."""

WALL_MM = 60.0
"""Height of a wall of the board where nobody measured one: higher than a common miniature, so it hides it whole."""

FIGURE_MM = 30.0
"""Height of a figure of which none was measured: a common 28-32 mm miniature."""

BASE_CORNERS = 16
"""Of the outline by which a base gives cover: it falls short of a circle by 2 %."""

LEAVE, MOVED, BACK = "withdraw", "board_moved", "board_back"
"""What the keys of the tasks begin with."""

Play = Callable[[Session, tuple[Action, ...]], Session]
"""Plays actions of the rules and says what they led to; a refusal leaves the book as it was."""


def layout_of(session: Session) -> Layout | None:
    """Return how the board lies; None where the combat has none."""
    combat, setup = session.combat, session.setup
    if combat is None or combat.board is None or not isinstance(setup, CombatSetup):
        return None
    return Layout(combat.board, setup.cell_mm, setup.area_mm)


def saw(session: Session, event: events.TableEvent, play: Play) -> Session:
    """Give the session after an event on the desk, which the session's desk already shows."""
    layout = layout_of(session)
    if layout is None or not isinstance(event, events.FigureEvent):
        return session
    session = _bound(session, layout)
    if isinstance(event, events.FigureMoved) and event.pose is not Pose.TIPPED:
        return _moved(session, layout, event, play)
    return session


def named(session: Session, given: inputs.NameFigure) -> Session:
    """Take a player's word on who a figure is."""
    others = tuple(b for b in session.bindings if given.figure != b[0] and given.soldier != b[1])
    return replace(session, bindings=(*others, (given.figure, given.soldier)))


def tasks(session: Session) -> tuple[Task, ...]:
    """Return what to put where so that the mat agrees with the book; the earlier ones while something moves."""
    layout, combat = layout_of(session), session.combat
    if layout is None or combat is None or combat.phase is Phase.OVER:
        return ()
    earlier = tuple(task for task in session.tasks if task.key.startswith((MOVED, BACK)))
    if not session.desk.at_rest or session.time_s - session.desk.changed_s < SEEN_FOR_S:
        return earlier
    wanted = []
    for combatant in combat.combatants:
        task = _task(session, layout, combatant)
        if task is not None:
            before = next((t for t in earlier if t.key == task.key), task)
            wanted.append(replace(task, since_s=before.since_s))
    return tuple(wanted)


def chosen(session: Session, given: inputs.Choose, play: Play) -> Session | None:
    """Take a player's answer; None where the task is none of this module's."""
    kind = given.task.split(":")[0]
    if kind == LEAVE:
        return _withdrawn(session, given, play)
    task = next((t for t in session.tasks if t.key == given.task), None)
    layout = layout_of(session)
    if kind != MOVED or task is None or layout is None or task.soldier is None or session.combat is None:
        return None
    who = session.combat.get(task.soldier)
    place = _stands_at(session, layout, who)
    if given.choice != "leave" or place is None:
        return session
    return play(session, (Adjust(replace(who, place=place), CATALOGUE.told("place_stays")),))


def cover_of(session: Session, attacker: str, target: str) -> sight.Cover | None:
    """Judge cover from the board's walls and from what stands on the mat; None where somebody has no place."""
    layout, combat = layout_of(session), session.combat
    if layout is None or combat is None:
        return None
    one, other = (_sight_figure(session, layout, combat.get(who)) for who in (attacker, target))
    if one is None or other is None:
        return None
    walls = [
        sight.Obstacle(CATALOGUE.told("a_wall"), outline, WALL_MM) for outline in _walls(layout) if len(outline) >= 3
    ]
    things = [
        sight.Obstacle(CATALOGUE.told("an_obstacle", number=o.obstacle), o.outline_mm, o.height_mm)
        for o in session.desk.obstacles
        if len(o.outline_mm) >= 3 and o.height_mm > 0
    ]
    sight_rules = combat.settings.sight
    bodies = _bodies(session, layout, combat, {attacker, target}) if sight_rules.creatures_cover else []
    return sight.cover(one, other, [*walls, *things, *bodies], sight_rules=sight_rules)


def _bodies(session: Session, layout: Layout, combat: Combat, without: set[str]) -> list[sight.Obstacle]:
    """Everybody who stands on the board, as obstacles of the size of their bases."""
    figures = [
        _sight_figure(session, layout, who) for who in combat.combatants if who.id not in without and not who.is_out
    ]
    return [
        sight.Obstacle(
            figure.name,
            tuple(
                (figure.at_mm[0] + figure.radius_mm * math.cos(a), figure.at_mm[1] + figure.radius_mm * math.sin(a))
                for a in (n * math.tau / BASE_CORNERS for n in range(BASE_CORNERS))
            ),
            figure.top_mm,
            sight.ObstacleKind.CREATURE,
        )
        for figure in figures
        if figure is not None
    ]


def way_to(combat: Combat, place: Place) -> tuple[tuple[Place, ...], StridePlan] | None:
    """Return the cheapest way of the one whose turn it is, without the start, and its price.

    None where it cannot be strided to now.
    """
    turn = combat.turn
    if turn is None or combat.phase is not Phase.TURN or combat.cases:
        return None
    left = squares_left(combat)
    path: tuple[Place, ...] = (place,)
    try:
        if not isinstance(combat.board, Ground):
            within = reach(combat, turn.who, squares=None if left is None else int(left))
            route = within.route_to((int(place[0]), int(place[1])))
            if route is None or len(route) < 2:
                return None
            path = route[1:]
        used = turn.stride_used_squares if turn.is_striding else 0
        return path, plan_stride(combat, turn.who, path, used_squares=used)
    except IllegalActionError:
        return None  # somebody stands there, or it is too far


def _bound(session: Session, layout: Layout) -> Session:
    """Bind each figure that nobody has claimed to the combatant on whose square it was put."""
    combat = session.combat
    assert combat is not None
    for figure in session.desk.figures:
        if figure.lifted or any(track == figure.figure for track, _ in session.bindings):
            continue
        on_desk = {who for track, who in session.bindings if session.desk.figure(track) is not None}
        waiting = [c for c in combat.combatants if c.id not in on_desk and c.place is not None and not c.is_out]

        def away(who: Combatant, mm: tuple[float, float] = figure.mm) -> float:
            return math.dist(layout.mm(who.place or (0, 0), who.footprint), mm)

        near = min(waiting, key=away, default=None)
        if near is None or away(near) > BIND_CELLS * layout.scale_mm:
            continue
        others = tuple(b for b in session.bindings if b[1] != near.id)
        session = replace(session, bindings=(*others, (figure.figure, near.id)))
        about = replace(signal_about(session, near.id), place_mm=figure.mm)
        session = session.say(SignalKind.INFO, "bound", soldier=near.label, signal=about)
    return session


def _moved(session: Session, layout: Layout, event: events.FigureMoved, play: Play) -> Session:
    combat = session.combat
    assert combat is not None
    who = dict(session.bindings).get(event.figure)
    if who is None or combat.turn is None or combat.turn.who != who or not combat.get(who).can_act:
        return session  # a task says that it stands elsewhere
    combatant = combat.get(who)
    place = layout.place_on_mat(event.mm, combatant.footprint)
    if place is None or not _is_elsewhere(layout, combatant, place):
        return session
    way = way_to(combat, place)
    if way is None:
        words = CATALOGUE.message("cannot_stride", who=combatant.label, place=_named(layout, place))
        return session.tell(SignalKind.ILLEGAL, words, signal=signal_about(session, who))
    path, plan = way
    if plan.requires_withdraw:
        enemies = ", ".join(combat.get(enemy).label for enemy in plan.requires_withdraw)
        words = CATALOGUE.message("task_withdraw", who=combatant.label, enemies=enemies)
        choices = (("yes", CATALOGUE.message("choice_succeeded")), ("no", CATALOGUE.message("choice_failed")))
        question = Question(f"{LEAVE}:{event.figure}", words, choices, soldier=who, figure=event.figure)
        others = tuple(q for q in session.book.questions if q.key != question.key)
        return replace(session, book=replace(session.book, questions=(*others, question)))
    return play(session, (Stride(who, path),))


def _withdrawn(session: Session, given: inputs.Choose, play: Play) -> Session:
    """Play the Withdraw as it went, and where it succeeded the Stride that followed."""
    question = next((q for q in session.book.questions if q.key == given.task), None)
    layout, combat = layout_of(session), session.combat
    if question is None or question.figure is None or layout is None or combat is None or combat.turn is None:
        return session
    questions = tuple(q for q in session.book.questions if q.key != given.task)
    session = replace(session, book=replace(session.book, questions=questions))
    figure = session.desk.figure(question.figure)
    who = combat.get(combat.turn.who)
    place = layout.place_on_mat(figure.mm, who.footprint) if figure is not None else None
    way = way_to(combat, place) if place is not None and question.soldier == who.id else None
    if way is None:
        return session
    path, plan = way
    is_success = given.choice == "yes"
    withdraw = Withdraw(who.id, plan.requires_withdraw, is_success)
    return play(session, (withdraw, Stride(who.id, path)) if is_success else (withdraw,))


def _task(session: Session, layout: Layout, combatant: Combatant) -> Task | None:
    figure = figure_of(session.desk, session.bindings, combatant.id)
    was_bound = any(who == combatant.id for _, who in session.bindings)
    if not was_bound or combatant.place is None or combatant.is_out:
        return None
    where = _named(layout, combatant.place)
    if figure is None:
        words: Message = CATALOGUE.message("task_board_back", who=combatant.label, place=where)
        return Task(f"{BACK}:{combatant.id}", words, session.time_s, soldier=combatant.id)
    asked = {question.figure for question in session.book.questions}
    place = layout.place_on_mat(figure.mm, combatant.footprint)
    if figure.figure in asked or (place is not None and not _is_elsewhere(layout, combatant, place)):
        return None
    words = CATALOGUE.message("task_board_moved", who=combatant.label, place=where)
    choices = () if place is None else (("leave", CATALOGUE.message("choice_leave")),)
    key = f"{MOVED}:{combatant.id}"
    return Task(key, words, session.time_s, choices, soldier=combatant.id, figure=figure.figure)


def _stands_at(session: Session, layout: Layout, who: Combatant) -> Place | None:
    figure = figure_of(session.desk, session.bindings, who.id)
    return None if figure is None else layout.place_on_mat(figure.mm, who.footprint)


def _is_elsewhere(layout: Layout, who: Combatant, place: Place) -> bool:
    if who.place is None:
        return True
    if isinstance(layout.board, Ground):
        return math.dist(who.place, place) >= NUDGE_MM
    return (place[0], place[1]) != (who.place[0], who.place[1])


def _named(layout: Layout, place: Place) -> str:
    """Write a place as the page and the set-up file do: column and row, or mm from the far left corner."""
    unit = " mm" if isinstance(layout.board, Ground) else ""
    return f"{place[0]:.0f}, {place[1]:.0f}{unit}"


def _walls(layout: Layout) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Outlines of the board's walls in table millimetres."""
    width, height = layout.size

    def mm(at: tuple[float, float]) -> tuple[float, float]:
        return ((at[0] - width / 2) * layout.scale_mm, (height / 2 - at[1]) * layout.scale_mm)

    match layout.board:
        case SquareBoard(walls=walls):
            corners = ((0, 0), (1, 0), (1, 1), (0, 1))
            return tuple(tuple(mm((x + dx, y + dy)) for dx, dy in corners) for x, y in walls)
        case HexBoard(walls=walls):
            return tuple(tuple(mm(corner) for corner in layout.hexagon(cell)) for cell in walls)
        case Ground(walls=outlines):
            scale = layout.scale_mm
            return tuple(tuple(mm((x / scale, y / scale)) for x, y in outline) for outline in outlines)


def _sight_figure(session: Session, layout: Layout, who: Combatant) -> sight.Figure | None:
    if who.place is None:
        return None
    figure = figure_of(session.desk, session.bindings, who.id)
    at_mm = figure.mm if figure is not None else layout.mm(who.place, who.footprint)
    height = figure.height_mm if figure is not None and figure.height_mm else FIGURE_MM
    return sight.Figure(who.label, at_mm, who.base_radius_mm, height, prone=who.is_prone)
