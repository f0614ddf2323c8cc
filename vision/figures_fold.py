"""The figures' part of the fold: who is who through moves, lifts, falls and hands in front."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from vision.events import (
    FigureEntered,
    FigureEvent,
    FigureLeft,
    FigureLifted,
    FigureMoved,
    FigurePlaced,
    FigureStood,
    FiguresUnsure,
    FigureTipped,
    TableEvent,
)
from vision.observation import Observation, Point, Pose, SeenFigure
from vision.track import (
    FIGURE_GATE_MM,
    FigureStatus,
    FigureTrack,
    ObstacleTrack,
    difference_of,
    distance,
    hand_gap_mm,
    learnt,
    match,
    within,
)

if TYPE_CHECKING:
    from vision.table_state import TableState

COVER_MM = 10.0
"""Nearer than this to a hand's outline a figure is not in plain view: it is as wide as a base's half."""
SEATED_FRAMES = 5
"""Frames that a figure must stand still before its place is told."""
ENTER_FRAMES = 9
"""A new figure is told later than a known one's move: first it must be clear that nobody is missing,"""
ENTER_S = 1.5
"""which a slow camera or a busy computer tells late: so long after a hand that may have carried somebody,"""
HANDLED_S = 2.5
"""which was there not longer ago than this."""
MISSING_FRAMES = 7
MISSING_S = 0.25
LEFT_S = 4.0
"""A lifted figure has left when no hand has been over the table for so long."""
VANISHED_S = 3.0
"""A figure that was never lifted, and is not seen, has left only after so long."""
MOVED_MM = 4.0
"""Less is jitter or a nudge: a move in any of the games is more."""
STILL_MM = 2.0
POSE_FRAMES = 6
POSE_VOTES = 5
"""A pose is believed when so many of the last `POSE_FRAMES` frames say it: 0.2 s at 30 frames a second."""
FALL_MM = 55.0
"""A falling figure's middle comes to lie within its height of where it stood."""
BETTER_MM = 0.5
"""A place is told anew when it is known better by this, which is what whole millimetres are rounded by,"""
BETTER_FRAMES = 12
"""and when it has been for so long: the smoothed place is then within 2 % of where it is now seen."""
SURE_MARGIN = 0.25
"""By so much the best match must be better than the next one, on the scale of `difference_of`, else it is unsure."""
STRANGER = 1.1
"""A figure that differs more is nobody known,"""
STRANGER_ALONE = 1.7
"""or so much more if only one is in somebody's hand: before another ground the same figure looks taller and of other
colours, as one of the demo recording does before the eraser."""


@dataclass(frozen=True, slots=True)
class FiguresFold:
    """The figures of the state, and what happened to them in this frame."""

    tracks: tuple[FigureTrack, ...]
    next_figure: int
    hand_s: float
    events: tuple[TableEvent, ...] = ()
    obstacles: tuple[ObstacleTrack, ...] = ()
    """As they were before this frame."""

    @classmethod
    def of(cls, state: TableState) -> Self:
        """Take the figures out of the whole state."""
        return cls(state.figures, state.next_figure, state.hand_s, obstacles=state.obstacles)


def fold_figures(fold: FiguresFold, observation: Observation) -> FiguresFold:
    """Take the figures of one observation in."""
    seen = [f for f in observation.figures if f.mm is not None]
    time_s = observation.time_s
    events: list[TableEvent] = []
    seated = [t for t in fold.tracks if t.status is FigureStatus.SEATED]
    away = [t for t in fold.tracks if t.status is not FigureStatus.SEATED]
    penalty = [[10.0 * min(1.0, difference_of(t, f)) for f in seen] for t in seated]
    pairs = match([t.now_mm for t in seated], [_mm(f) for f in seen], FIGURE_GATE_MM, penalty=penalty)
    pairs.update(_falls(seated, seen, pairs, observation))
    tracks: list[FigureTrack] = []
    for index, track in enumerate(seated):
        if index in pairs:
            kept, told = _seen_again(track, seen[pairs[index]], observation)
            tracks.append(kept)
            events += told
            continue
        if not track.known:
            if track.missing < 3 or hand_gap_mm(track.now_mm, observation.hands) < COVER_MM:
                tracks.append(replace(track, missing=track.missing + 1, still=0))
            continue
        gone, told = _not_seen(track, fold, observation)
        (tracks if gone.status is FigureStatus.SEATED else away).append(gone)
        events += told
    for j, figure in enumerate(seen):
        if j not in pairs.values():
            tracks.append(_candidate(figure, observation))
    tracks, away, told, next_figure = _recognised(tracks, away, fold, observation)
    events += told
    final: list[FigureTrack] = []
    for track in away:
        if track.status is FigureStatus.LIFTED and time_s - fold.hand_s > LEFT_S and time_s - track.seen_s > LEFT_S:
            events.append(_event(FigureLeft, track, observation))
            track = replace(track, status=FigureStatus.GONE)
        final.append(track)
    return FiguresFold((*tracks, *final), next_figure, fold.hand_s, tuple(events))


def _mm(figure: SeenFigure) -> Point:
    if figure.mm is None:
        raise ValueError("a figure without a place cannot be followed")
    return figure.mm


def _event(
    kind: type[FigureEntered | FigureLifted | FigurePlaced | FigureTipped | FigureStood | FigureLeft],
    track: FigureTrack,
    observation: Observation,
) -> FigureEvent:
    return kind(
        frame=observation.frame,
        time_s=observation.time_s,
        figure=track.figure,
        mm=track.mm,
        pose=track.pose,
        confidence=track.confidence,
        height_mm=track.height_mm,
        base_mm=track.base_mm,
        doubt_mm=track.doubt_mm,
    )


def _moved_event(track: FigureTrack, before: Point, observation: Observation) -> FigureMoved:
    return FigureMoved(
        frame=observation.frame,
        time_s=observation.time_s,
        figure=track.figure,
        mm=track.mm,
        pose=track.pose,
        confidence=track.confidence,
        height_mm=track.height_mm,
        base_mm=track.base_mm,
        doubt_mm=track.doubt_mm,
        from_mm=before,
    )


def _falls(
    seated: list[FigureTrack], seen: list[SeenFigure], pairs: dict[int, int], observation: Observation
) -> dict[int, int]:
    """Pair standing figures that are missing with tipped ones that lie within their reach, and the other way round."""
    found: dict[int, int] = {}
    free = {j for j in range(len(seen)) if j not in pairs.values()}
    candidates = []
    for i, track in enumerate(seated):
        if i in pairs or not track.known:
            continue
        for j in free:
            if seen[j].pose is track.pose or Pose.UNSURE in (seen[j].pose, track.pose):
                continue
            reach = min(FALL_MM, (track.height_mm or 30.0) + 8.0)
            apart = distance(track.now_mm, _mm(seen[j]))
            if apart <= reach:
                candidates.append((apart + 20 * difference_of(track, seen[j]), i, j))
    for _, i, j in sorted(candidates):
        if i not in found and j in free:
            found[i] = j
            free.discard(j)
    return found


def _candidate(figure: SeenFigure, observation: Observation) -> FigureTrack:
    time_s = observation.time_s
    return FigureTrack(
        figure=0,
        mm=_mm(figure),
        now_mm=_mm(figure),
        pose=figure.pose,
        status=FigureStatus.SEATED,
        stood_s=time_s,
        poses=(figure.pose,),
        still=1,
        seen_s=time_s,
        confidence=figure.confidence,
        height_mm=figure.height_mm,
        base_mm=figure.base_mm,
        appearance=figure.appearance,
        weight=1.0,
        doubt_mm=observation.table.doubt_mm,
    )


def _believed(poses: tuple[Pose, ...]) -> Pose | None:
    counts = Counter(p for p in poses[-POSE_FRAMES:] if p is not Pose.UNSURE)
    if not counts:
        return None
    pose, count = counts.most_common(1)[0]
    return pose if count >= min(POSE_VOTES, POSE_FRAMES) else None


def _seen_again(
    track: FigureTrack, figure: SeenFigure, observation: Observation
) -> tuple[FigureTrack, list[TableEvent]]:
    place, time_s, doubt_mm = _mm(figure), observation.time_s, observation.table.doubt_mm
    covered = hand_gap_mm(place, observation.hands) < COVER_MM
    step = distance(track.now_mm, place)
    if covered:
        return replace(
            track, now_mm=place, still=0, missing=0, seen_s=time_s, hidden_s=time_s, touched=True, poses=(),
            stood_s=time_s,
        ), []  # fmt: skip
    x, y = track.now_mm
    smooth = (x + (place[0] - x) * 0.3, y + (place[1] - y) * 0.3) if step <= STILL_MM else place
    track = replace(
        track,
        now_mm=smooth,
        still=track.still + 1 if step <= STILL_MM else 0,
        stood_s=track.stood_s if step <= STILL_MM else time_s,
        missing=0,
        seen_s=time_s,
        hidden_s=None,
        poses=(*track.poses, figure.pose)[-POSE_FRAMES:],
        confidence=figure.confidence,
        surer=track.surer + 1 if _is_surer(doubt_mm, track.doubt_mm) else 0,
    )
    if not track.known:
        pose = _believed(track.poses)
        track = replace(track, mm=smooth, doubt_mm=doubt_mm, pose=pose or track.pose)
        return learnt(track, figure), []
    events: list[TableEvent] = []
    pose = _believed(track.poses)
    if pose is not None and pose is not track.pose and track.still >= 2:
        track = replace(track, pose=pose, mm=smooth, doubt_mm=doubt_mm, surer=0, touched=False)
        events.append(_event(FigureTipped if pose is Pose.TIPPED else FigureStood, track, observation))
        return track, events
    if pose is track.pose:
        track = learnt(track, figure)
        if track.still >= SEATED_FRAMES:
            if distance(track.mm, smooth) > MOVED_MM:
                before = track.mm
                track = replace(track, mm=smooth, doubt_mm=doubt_mm, surer=0, touched=False)
                events.append(_moved_event(track, before, observation))
            elif track.surer >= BETTER_FRAMES:
                track = replace(track, mm=smooth, doubt_mm=doubt_mm, surer=0, touched=False)
                events.append(_event(FigurePlaced, track, observation))
            elif not track.touched:
                a, b = track.mm
                track = replace(track, mm=(a + (smooth[0] - a) * 0.05, b + (smooth[1] - b) * 0.05))
            else:
                track = replace(track, touched=False)
    return track, events


def _is_surer(doubt_mm: float | None, told_mm: float | None) -> bool:
    """Whether a place is now known clearly better than when it was told."""
    return doubt_mm is not None and told_mm is not None and told_mm - doubt_mm >= BETTER_MM


def _in_front(track: FigureTrack, observation: Observation) -> bool:
    """Whether something stands or moves right before the figure's place."""
    if any(distance(track.now_mm, place) < FIGURE_GATE_MM for place in observation.hidden_mm):
        return True
    return any(
        distance(track.now_mm, p) < (track.base_mm or 25.0) / 2 + 4 for m in observation.motions for p in m.outline_mm
    )


def _not_seen(track: FigureTrack, fold: FiguresFold, observation: Observation) -> tuple[FigureTrack, list[TableEvent]]:
    time_s = observation.time_s
    if hand_gap_mm(track.now_mm, observation.hands) < COVER_MM or _in_front(track, observation):
        return replace(track, missing=0, still=0, hidden_s=time_s, touched=True, poses=()), []
    track = replace(track, missing=track.missing + 1, still=0)
    last = max(track.seen_s, track.hidden_s if track.hidden_s is not None else track.seen_s)
    if track.missing < MISSING_FRAMES or time_s - last < MISSING_S:
        return track, []
    if track.touched or time_s - fold.hand_s < 2.0:
        lifted = replace(track, status=FigureStatus.LIFTED, seen_s=time_s, missing=0)
        return lifted, [_event(FigureLifted, track, observation)]
    if time_s - last < VANISHED_S:
        return track, []
    return replace(track, status=FigureStatus.GONE, seen_s=time_s), [_event(FigureLeft, track, observation)]


def _is_piece_of_obstacle(new: FigureTrack, obstacles: tuple[ObstacleTrack, ...]) -> bool:
    """Whether what looks like a stranger lying down is within an obstacle that was there before.

    Nobody falls onto the table out of nowhere; a part of an eraser behind a figure looked like it.
    """
    if new.pose is not Pose.TIPPED:
        return False
    return any(o.known and len(o.outline_mm) > 2 and within(new.mm, o.outline_mm) for o in obstacles)


def _recognised(
    tracks: list[FigureTrack], away: list[FigureTrack], fold: FiguresFold, observation: Observation
) -> tuple[list[FigureTrack], list[FigureTrack], list[TableEvent], int]:
    """Say who the figures are that have newly come to stand still."""
    events: list[TableEvent] = []
    next_figure = fold.next_figure
    result = [t for t in tracks if t.known]
    handled = bool(result) and observation.time_s - fold.hand_s < HANDLED_S
    pending = [t for t in result if t.missing > 0 or (t.hidden_s is not None and t.touched)]
    for new in (t for t in tracks if not t.known):
        ready = new.still >= SEATED_FRAMES and new.missing == 0 and _believed(new.poses) is not None
        if not ready:
            result.append(new)
            continue
        seen = SeenFigure(
            (0, 0, 0, 0), new.pose, new.confidence, new.mm, new.height_mm, new.base_mm, 0.0, new.appearance
        )
        lifted = [t for t in away if t.status is FigureStatus.LIFTED]
        gone = [t for t in away if t.status is FigureStatus.GONE]
        choices = sorted(((difference_of(t, seen), t) for t in lifted), key=lambda c: (c[0], c[1].figure))
        if not choices:
            if pending and new.still < 3 * ENTER_FRAMES:
                result.append(new)  # someone hidden or missing may turn out to be this one
                continue
            if new.still < ENTER_FRAMES or (handled and observation.time_s - new.stood_s < ENTER_S):
                result.append(new)
                continue
            choices = sorted(
                ((difference_of(t, seen), t) for t in gone if difference_of(t, seen) < STRANGER / 3),
                key=lambda c: (c[0], c[1].figure),
            )
        strange = STRANGER_ALONE if len(lifted) == 1 else STRANGER
        choices = [c for c in choices if c[0] < strange]
        if not choices and _is_piece_of_obstacle(new, fold.obstacles):
            result.append(new)
            continue
        if not choices:
            track = replace(new, figure=next_figure, known=True)
            next_figure += 1
            result.append(track)
            events.append(_event(FigureEntered, track, observation))
            continue
        best = choices[0][1]
        away = [t for t in away if t is not best]
        before = best.mm
        came_back = best.status is FigureStatus.GONE
        tipped = new.pose is not best.pose
        track = replace(
            new, figure=best.figure, known=True, appearance=best.appearance or new.appearance, weight=best.weight,
            height_mm=best.height_mm or new.height_mm, base_mm=best.base_mm or new.base_mm, touched=False,
        )  # fmt: skip
        result.append(track)
        if came_back:
            events.append(_event(FigureEntered, track, observation))
        else:
            events.append(_moved_event(track, before, observation))
            if tipped:
                events.append(_event(FigureTipped if new.pose is Pose.TIPPED else FigureStood, track, observation))
        if len(choices) > 1 and choices[1][0] - choices[0][0] < SURE_MARGIN:
            others = tuple(
                sorted({best.figure, *(c[1].figure for c in choices[1:] if c[0] - choices[0][0] < SURE_MARGIN)})
            )
            events.append(FiguresUnsure(frame=observation.frame, time_s=observation.time_s, figures=others))
    return result, away, events, next_figure
