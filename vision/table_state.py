"""From observations to events: a pure fold that keeps who is who, waits until things lie still, and ignores flicker.

What happened is told by movement, what a die shows only by readings that have settled: a die rolled to the same face
is a new roll, a die carried or put down is none. While a hand or something else hides a place, that place is unknown:
nothing there counts as gone, moved or changed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.dice_fold import DiceFold, fold_dice
from vision.events import CameraMoved, HandGone, HandOver, ObstacleMoved, TableEvent, TableFound, TableLost
from vision.figures_fold import FiguresFold, fold_figures
from vision.observation import MEASURED_CORNERS, Observation, Point, SeenHand, SeenMotion, SeenObstacle
from vision.track import (
    DieStatus,
    DieTrack,
    FigureStatus,
    FigureTrack,
    ObstacleTrack,
    distance,
    distance_to,
    hand_gap_mm,
    middle,
)

HAND_FRAMES = 2
"""A hand is told after so many frames, so that one frame's flicker is none."""
HAND_GONE_FRAMES = 4
OBSTACLE_STILL = 12
"""Obstacles are furniture: they are told slowly, and gone more slowly."""
OBSTACLE_MISSING = 25
OBSTACLE_GATE_MM = 18.0
OBSTACLE_MOVED_MM = 8.0
ROUGH_MIDDLE_MM = 12.0
ROUGH_MM, ROUGH_SHARE = 5.0, 0.8
"""A prism that was laid by its edges stands while only the net's rough outline is seen, with its middle so near to the
prism's, or with such a share of its corners so near to the prism: a part of it."""
"""Outlines scatter by 2 to 4 mm from frame to frame; less than this is no move."""
HAND_MEMORY_S = 1.5
"""How long after a hand has left what it did is still put down to it."""


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything remembered from one observation to the next; start with `TableState()`."""

    time_s: float = 0.0
    frame: int = -1
    table_found: bool = False
    hand_over: bool = False
    hand_frames: int = 0
    """Frames in a row with a hand where none was told, or without where one was."""
    hand_s: float = -math.inf
    """When a hand was last seen."""
    dice: tuple[DieTrack, ...] = ()
    figures: tuple[FigureTrack, ...] = ()
    obstacles: tuple[ObstacleTrack, ...] = ()
    past_hands: tuple[tuple[float, tuple[SeenHand, ...]], ...] = ()
    """The hands of the last `HAND_MEMORY_S`, with their times, for places that were covered just now."""
    past_motions: tuple[tuple[float, tuple[SeenMotion, ...]], ...] = ()
    next_die: int = 1
    next_figure: int = 1
    next_obstacle: int = 1

    @property
    def resting_dice(self) -> tuple[DieTrack, ...]:
        """The dice that lie settled on the table."""
        return tuple(d for d in self.dice if d.status is DieStatus.RESTING and d.known)

    @property
    def seated_figures(self) -> tuple[FigureTrack, ...]:
        """The figures that stand or lie on the table."""
        return tuple(f for f in self.figures if f.status is FigureStatus.SEATED and f.known)


def settle(state: TableState, observation: Observation) -> tuple[TableState, tuple[TableEvent, ...]]:
    """Take one observation in.

    Args:
        state: from the observation before.
        observation: of the next frame; frames may be skipped, but time never runs backwards.

    Returns:
        The next state and what has happened, in the order in which it is to be told.

    Raises:
        ValueError: the observation is older than the state.
    """
    if observation.frame <= state.frame or observation.time_s < state.time_s:
        raise ValueError(
            f"frame {observation.frame!r} at {observation.time_s!r} s does not follow frame {state.frame!r} "
            f"at {state.time_s!r} s"
        )
    frame, time_s = observation.frame, observation.time_s
    observation = _in_order(observation)
    events: list[TableEvent] = []
    state = replace(state, frame=frame, time_s=time_s)
    if observation.table.found != state.table_found:
        state = replace(state, table_found=observation.table.found)
        if observation.table.found:
            events.append(TableFound(frame=frame, time_s=time_s, markers=observation.table.markers))
        else:
            events.append(TableLost(frame=frame, time_s=time_s, advice=observation.table.advice or ""))
    elif observation.table.moved:
        events.append(CameraMoved(frame=frame, time_s=time_s))
    state, hand_events = _fold_hands(state, observation)
    events += hand_events
    if not observation.table.found or observation.table.moved or not observation.table.steady or observation.moving:
        return _held(state), tuple(events)
    dice = fold_dice(DiceFold.of(state), observation)
    figures = fold_figures(FiguresFold.of(state), observation)
    obstacles, next_obstacle, obstacle_events = _fold_obstacles(state, observation)
    state = replace(
        state,
        dice=dice.tracks,
        next_die=dice.next_die,
        figures=figures.tracks,
        next_figure=figures.next_figure,
        obstacles=obstacles,
        next_obstacle=next_obstacle,
    )
    return state, (*events, *obstacle_events, *figures.events, *dice.events)


def _in_order(observation: Observation) -> Observation:
    """Sort what was seen by place, so that nothing, numbers included, hangs on the order in which it was found."""
    return replace(
        observation,
        dice=tuple(sorted(observation.dice, key=lambda d: (d.mm or (0.0, 0.0), d.box, -d.confidence))),
        figures=tuple(sorted(observation.figures, key=lambda f: (f.mm or (0.0, 0.0), f.box, -f.confidence))),
        obstacles=tuple(sorted(observation.obstacles, key=lambda o: (o.outline_mm, o.height_mm))),
    )


def _held(state: TableState) -> TableState:
    """While the table is out of sight or shaking, no stillness and no absence is counted."""
    return replace(
        state,
        dice=tuple(replace(d, missing=0, still=0 if d.status is DieStatus.LOOSE else d.still) for d in state.dice),
        figures=tuple(replace(f, missing=0) for f in state.figures),
        obstacles=tuple(replace(o, missing=0) for o in state.obstacles),
    )


def _fold_hands(state: TableState, observation: Observation) -> tuple[TableState, list[TableEvent]]:
    frame, time_s = observation.frame, observation.time_s
    has_hand = bool(observation.hands)
    events: list[TableEvent] = []
    frames = state.hand_frames + 1 if has_hand != state.hand_over else 0
    over = state.hand_over
    if not over and frames >= HAND_FRAMES:
        over, frames = True, 0
        events.append(HandOver(frame=frame, time_s=time_s))
    elif over and frames >= HAND_GONE_FRAMES:
        over, frames = False, 0
        events.append(HandGone(frame=frame, time_s=time_s))
    past = tuple((t, h) for t, h in state.past_hands if time_s - t <= HAND_MEMORY_S)
    motions = tuple((t, m) for t, m in state.past_motions if time_s - t <= HAND_MEMORY_S)
    if has_hand:
        past = (*past, (time_s, observation.hands))
    if observation.motions:
        motions = (*motions, (time_s, observation.motions))
    state = replace(
        state,
        hand_over=over,
        hand_frames=frames,
        hand_s=time_s if has_hand else state.hand_s,
        past_hands=past,
        past_motions=motions,
    )
    return state, events


def _fold_obstacles(
    state: TableState, observation: Observation
) -> tuple[tuple[ObstacleTrack, ...], int, list[TableEvent]]:
    frame, time_s = observation.frame, observation.time_s
    events: list[TableEvent] = []
    seen = list(observation.obstacles)
    next_number = state.next_obstacle
    tracks: list[ObstacleTrack] = []
    for track in state.obstacles:
        place = middle(track.outline_mm)
        found = _nearest(place, seen)
        if found is not None:
            seen.remove(found)
            if _is_rougher(found.outline_mm, track.outline_mm):
                found = replace(found, outline_mm=track.outline_mm, height_mm=track.height_mm)
            new_place = middle(found.outline_mm)
            moving = distance(place, new_place) > 3.0
            track = replace(
                track,
                outline_mm=found.outline_mm,
                height_mm=track.height_mm + (found.height_mm - track.height_mm) * 0.2,
                still=0 if moving else track.still + 1,
                missing=0,
            )
            told = track.told_mm
            far = told is None or distance(told, new_place) > OBSTACLE_MOVED_MM
            if track.still >= OBSTACLE_STILL and far and not _hidden(new_place, observation):
                track = replace(track, known=True, told_mm=new_place)
                events.append(_obstacle_event(track, frame, time_s))
            tracks.append(track)
            continue
        if _hidden(place, observation) or _is_behind(place, observation):
            tracks.append(replace(track, missing=0))
            continue
        track = replace(track, missing=track.missing + 1)
        if track.missing < OBSTACLE_MISSING:
            tracks.append(track)
        elif track.known:
            events.append(_obstacle_event(replace(track, outline_mm=()), frame, time_s))
    for new in seen:
        if len(new.outline_mm) >= 3:
            tracks.append(ObstacleTrack(next_number, new.outline_mm, new.height_mm))
            next_number += 1
    return tuple(tracks), next_number, events


def _is_rougher(seen: Sequence[Point], known: Sequence[Point]) -> bool:
    """Whether only the net's outline is seen of what was laid by its edges: a figure stands before some of them."""
    if len(known) not in MEASURED_CORNERS or len(seen) in MEASURED_CORNERS:
        return False
    if distance(middle(seen), middle(known)) < ROUGH_MIDDLE_MM:
        return True
    return sum(distance_to(corner, known) < ROUGH_MM for corner in seen) >= ROUGH_SHARE * len(seen)


def _nearest(place: Point, seen: Sequence[SeenObstacle]) -> SeenObstacle | None:
    near = [(distance(place, middle(o.outline_mm)), k) for k, o in enumerate(seen) if len(o.outline_mm) >= 3]
    if not near or min(near)[0] > OBSTACLE_GATE_MM:
        return None
    return seen[min(near)[1]]


def _hidden(place: Point, observation: Observation) -> bool:
    return hand_gap_mm(place, observation.hands) < 15.0


def _is_behind(place: Point, observation: Observation) -> bool:
    """Whether something that came to stand before it fills an obstacle's outline: it is there all the same."""
    return any(distance(place, hidden) < OBSTACLE_GATE_MM for hidden in observation.hidden_mm)


def _obstacle_event(track: ObstacleTrack, frame: int, time_s: float) -> ObstacleMoved:
    return ObstacleMoved(
        frame=frame, time_s=time_s, obstacle=track.obstacle, outline_mm=track.outline_mm, height_mm=track.height_mm
    )
