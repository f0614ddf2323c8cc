"""The dice's part of the fold: taken, thrown, put down, at rest with a settled value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from vision.events import (
    DieAppeared,
    DieAtRest,
    DieMoved,
    DieRemoved,
    DieTaken,
    DieThrown,
    DieValueChanged,
    TableEvent,
)
from vision.observation import Observation, Point, SeenDie, SeenHand, SeenMotion
from vision.track import (
    AGREEING,
    DIE_GATE_MM,
    READINGS,
    STILL_MM,
    DieStatus,
    DieTrack,
    distance,
    hand_gap_mm,
    match,
    motion_gap_mm,
)

if TYPE_CHECKING:
    from vision.table_state import TableState

HAND_MARGIN_MM = 7.0
"""Nearer than this to a hand's outline a place is not in plain view: fingers' outlines are found to 3 mm, and their
shadows lie beside them."""
CARRY_MARGIN_MM = 14.0
"""A die this near a hand may be between its finger tips."""
FREE_STEP_MM = 5.0
"""A die that moves so far between two frames away from any hand rolls by itself."""
FLIGHT_MM = 90.0
"""Farthest that a rolling die gets between two frames of a slow camera (1.4 m/s at 15 frames a second)."""
MISSING_FRAMES = 5
MISSING_S = 0.16
"""So long an empty place is watched before its die counts as taken: a frame's misdetection is no event."""
UNREAD_FRAMES = 18
"""A slow camera shows a die less often in the same time."""
UNREAD_S = 1.2
"""After lying still so long without agreeing readings a die is told as unread, and the player is asked."""
CHANGE_READINGS = 12
"""A die that lies still keeps its value unless so many readings in a row say the same other one."""
REMOVED_S = 4.0
"""A taken die is off the table when no hand has been over it for so long, as a lifted figure has left."""
HELD_S = 90.0
"""How long a taken die is expected back before its number is forgotten."""
UNCOVERING_S = 0.04
"""A change where a hand was so shortly before is what the hand uncovers, not a movement."""
KNOCKED_MM = 2.5
"""A resting die whose place shifts by more was pushed or knocked."""
SAME_SIZE = 1.12
"""A die keeps its size: where it is measured so many times larger or smaller than before, the measure of its cube has
slipped, and its place says nothing. Under a sagging camera one die measured 16.9 to 17.4 mm, and 14.2 to 14.7 where its
cube lay 4 mm off."""


@dataclass(frozen=True, slots=True)
class DiceFold:
    """The dice of the state, and what happened to them in this frame."""

    tracks: tuple[DieTrack, ...]
    next_die: int
    past_hands: tuple[tuple[float, tuple[SeenHand, ...]], ...]
    past_motions: tuple[tuple[float, tuple[SeenMotion, ...]], ...]
    hand_s: float
    """When a hand was last seen."""
    events: tuple[TableEvent, ...] = ()

    @classmethod
    def of(cls, state: TableState) -> Self:
        """Take the dice out of the whole state."""
        return cls(state.dice, state.next_die, state.past_hands, state.past_motions, state.hand_s)


def fold_dice(fold: DiceFold, observation: Observation) -> DiceFold:
    """Take the dice of one observation in."""
    seen = [d for d in observation.dice if d.mm is not None]
    events: list[TableEvent] = []
    resting = [t for t in fold.tracks if t.status is DieStatus.RESTING]
    loose = [t for t in fold.tracks if t.status is DieStatus.LOOSE]
    held = [t for t in fold.tracks if t.status is DieStatus.HELD and observation.time_s - t.seen_s < HELD_S]
    pairs = match([t.mm for t in resting], [_mm(d) for d in seen], DIE_GATE_MM)
    next_resting: list[DieTrack] = []
    for index, track in enumerate(resting):
        if index in pairs:
            kept, told = _seen_at_rest(track, seen[pairs[index]], observation)
            next_resting.append(kept)
        else:
            gone, told = _not_seen(track, observation, fold)
            (held if gone.status is DieStatus.HELD else next_resting).append(gone)
        events += told
    unmatched = [d for j, d in enumerate(seen) if j not in pairs.values()]
    followed = match([t.mm for t in loose], [_mm(d) for d in unmatched], FLIGHT_MM, penalty=_colours(loose, unmatched))
    next_loose: list[DieTrack] = []
    next_die = fold.next_die
    for index, track in enumerate(loose):
        if index in followed:
            moved = _followed(track, unmatched[followed[index]], observation, fold)
        else:
            moved = replace(track, missing=track.missing + 1, still=0)
            if moved.missing > 20 and hand_gap_mm(moved.mm, observation.hands) > HAND_MARGIN_MM:
                if moved.known:  # it rolled off the table or under something
                    held.append(replace(moved, status=DieStatus.HELD, seen_s=observation.time_s))
                    events.append(_event(DieTaken, moved, observation))
                continue
        next_loose.append(moved)
    for j, die in enumerate(unmatched):
        if j not in followed.values():
            next_loose.append(_new(die, observation, fold))
    settled: list[DieTrack] = []
    still_loose: list[DieTrack] = []
    for track in next_loose:
        if track.free and not track.known and track.travelled_mm >= FREE_STEP_MM and track.missing == 0:
            track, held, next_die = _named(track, held, next_die)
            events.append(_event(DieThrown, track, observation))
        track, told, held, next_die = _settled(track, held, next_die, observation)
        events += told
        (settled if track.status is DieStatus.RESTING else still_loose).append(track)
    in_hand: list[DieTrack] = []
    for track in held:
        if not track.removed and observation.time_s - max(track.seen_s, fold.hand_s) > REMOVED_S:
            track = replace(track, removed=True)
            events.append(_event(DieRemoved, track, observation))
        in_hand.append(track)
    tracks = (*next_resting, *settled, *still_loose, *in_hand)
    return replace(fold, tracks=tracks, next_die=next_die, events=tuple(events))


def _mm(die: SeenDie) -> Point:
    if die.mm is None:
        raise ValueError("a die without a place cannot be followed")
    return die.mm


def _colours(tracks: Sequence[DieTrack], seen: Sequence[SeenDie]) -> list[list[float]]:
    return [
        [0.0 if t.colour is None or d.colour is None or t.colour == d.colour else 40.0 for d in seen] for t in tracks
    ]


def _event(
    kind: type[DieAppeared | DieTaken | DieRemoved | DieThrown | DieValueChanged],
    track: DieTrack,
    observation: Observation,
) -> TableEvent:
    is_roll = kind is DieThrown
    return kind(
        frame=observation.frame,
        time_s=observation.time_s,
        die=track.die,
        mm=track.mm,
        value=None if is_roll else track.value,
        confidence=0.0 if is_roll else track.confidence,
        colour=track.colour,
    )


def _covered(place: Point, observation: Observation) -> bool:
    return hand_gap_mm(place, observation.hands) < HAND_MARGIN_MM


def _occluded(track: DieTrack, observation: Observation) -> bool:
    """Whether something else is in front of the place, or moves there."""
    if motion_gap_mm(track.mm, observation.motions) < 4.0:
        return True
    return any(distance(track.mm, place) < DIE_GATE_MM for place in observation.hidden_mm)


def _seen_at_rest(track: DieTrack, die: SeenDie, observation: Observation) -> tuple[DieTrack, list[TableEvent]]:
    place, time_s = _mm(die), observation.time_s
    if _covered(place, observation):
        hidden = track.hidden_s if track.hidden_s is not None else time_s
        return replace(track, missing=0, hidden_s=hidden, still=0, readings=(), confidences=()), []
    was_hidden = track.hidden_s is not None
    shift = distance(track.mm, place) if _is_of_its_size(track, die) else 0.0
    events: list[TableEvent] = []
    still = track.still + 1
    readings = (*track.readings, die.value)[-CHANGE_READINGS:]
    confidences = (*track.confidences, die.confidence)[-CHANGE_READINGS:]
    if was_hidden:
        still, readings, confidences = 1, (die.value,), (die.confidence,)
    track = replace(
        track, missing=0, hidden_s=None, still=still, readings=readings, confidences=confidences, seen_s=time_s
    )
    if shift > KNOCKED_MM:
        if still >= READINGS:
            before = track.mm
            value, confidence = _agreed(readings[-READINGS:], confidences[-READINGS:])
            track = replace(track, mm=place, value=value or track.value, confidence=confidence or track.confidence)
            events.append(
                DieMoved(
                    frame=observation.frame, time_s=time_s, die=track.die, mm=place, value=track.value,
                    confidence=track.confidence, colour=track.colour, from_mm=before,
                )
            )  # fmt: skip
        return track, events
    if _is_of_its_size(track, die):
        x, y = track.mm
        track = replace(track, mm=(x + (place[0] - x) * 0.1, y + (place[1] - y) * 0.1))
    needed = AGREEING + 1 if track.value is None else CHANGE_READINGS
    value, confidence = _agreed(readings[-needed:], confidences[-needed:], share=0.8 if track.value is None else 1.0)
    if value is not None and len(readings) >= needed and value != track.value:
        track = replace(track, value=value, confidence=confidence)
        events.append(_event(DieValueChanged, track, observation))
    return track, events


def _is_of_its_size(track: DieTrack, die: SeenDie) -> bool:
    if track.size_mm is None or die.size_mm is None:
        return True
    return 1 / SAME_SIZE < die.size_mm / track.size_mm < SAME_SIZE


def _not_seen(track: DieTrack, observation: Observation, fold: DiceFold) -> tuple[DieTrack, list[TableEvent]]:
    time_s = observation.time_s
    if _covered(track.mm, observation) or _occluded(track, observation):
        hidden = track.hidden_s if track.hidden_s is not None else time_s
        return replace(track, missing=0, hidden_s=hidden, still=0, readings=(), confidences=()), []
    track = replace(track, missing=track.missing + 1, still=0)
    since = track.seen_s if track.hidden_s is None else max(track.seen_s, _uncovered_s(track.mm, fold))
    if track.missing < MISSING_FRAMES or time_s - since < MISSING_S:
        return track, []
    taken = replace(track, status=DieStatus.HELD, seen_s=time_s, hidden_s=None, missing=0)
    return taken, [_event(DieTaken, track, observation)]


def _uncovered_s(place: Point, fold: DiceFold) -> float:
    """When a hand was last over a place."""
    times = [t for t, hands in fold.past_hands if hand_gap_mm(place, hands) < HAND_MARGIN_MM]
    return max(times, default=-1e9)


def _new(die: SeenDie, observation: Observation, fold: DiceFold) -> DieTrack:
    place, time_s = _mm(die), observation.time_s
    free = _arrived_freely(place, observation, fold) if die.arrived is None else die.arrived
    return DieTrack(
        die=0,
        mm=place,
        status=DieStatus.LOOSE,
        colour=die.colour,
        size_mm=die.size_mm,
        readings=(die.value,),
        confidences=(die.confidence,),
        moved_s=time_s,
        seen_s=time_s,
        free=free,
    )


def _arrived_freely(place: Point, observation: Observation, fold: DiceFold) -> bool:
    """Whether something moved at a place just now while no hand was near enough to have put it there.

    The start of a recording is no roll: then nothing was seen to move before.
    """
    hands_at = dict(fold.past_hands)

    def free(t: float) -> bool:
        just_before = [hands for s, hands in fold.past_hands if t - UNCOVERING_S <= s < t]
        return hand_gap_mm(place, hands_at.get(t, ())) > CARRY_MARGIN_MM and all(
            hand_gap_mm(place, hands) > HAND_MARGIN_MM for hands in just_before
        )

    return any(
        motion_gap_mm(place, motions) < 10.0 and free(t)
        for t, motions in fold.past_motions
        if observation.time_s - t <= 0.7
    )


def _followed(track: DieTrack, die: SeenDie, observation: Observation, fold: DiceFold) -> DieTrack:
    place, time_s = _mm(die), observation.time_s
    step = distance(track.mm, place)
    gap = hand_gap_mm(place, observation.hands)
    covered = gap < HAND_MARGIN_MM
    free = track.free
    travelled = track.travelled_mm
    if step > STILL_MM:
        steps = track.steps + 1
        if step > FREE_STEP_MM and gap > CARRY_MARGIN_MM:
            # One jump alone may be two still dice of which now this and now that one was missed.
            free = free or steps >= 2 or _in_motion(place, observation, fold)
            travelled += step
        elif gap <= CARRY_MARGIN_MM:
            free, travelled = (track.free and track.known), (travelled if track.known else 0.0)
        return replace(
            track, mm=place, still=0, readings=(), confidences=(), moved_s=time_s, seen_s=time_s, missing=0, free=free,
            travelled_mm=travelled, colour=track.colour or die.colour, steps=steps,
        )  # fmt: skip
    if covered:
        return replace(track, still=0, steps=0, readings=(), confidences=(), seen_s=time_s, missing=0)
    x, y = track.mm
    return replace(
        track,
        mm=(x + (place[0] - x) * 0.3, y + (place[1] - y) * 0.3),
        still=track.still + 1,
        steps=0,
        readings=(*track.readings, die.value)[-CHANGE_READINGS:],
        confidences=(*track.confidences, die.confidence)[-CHANGE_READINGS:],
        seen_s=time_s,
        missing=0,
        colour=track.colour or die.colour,
    )


def _in_motion(place: Point, observation: Observation, fold: DiceFold) -> bool:
    recent = [m for t, m in fold.past_motions if observation.time_s - t <= 0.3]
    return any(motion_gap_mm(place, motions) < 15.0 for motions in (*recent, observation.motions))


def _agreed(
    readings: Sequence[int | None], confidences: Sequence[float], *, share: float = AGREEING / READINGS
) -> tuple[int | None, float]:
    """Give the value that enough of the readings say, and its mean confidence."""
    counts = Counter(r for r in readings if r is not None)
    if not counts:
        return None, 0.0
    value, count = counts.most_common(1)[0]
    if count < share * len(readings) - 1e-9:
        return None, 0.0
    mean = sum(c for r, c in zip(readings, confidences, strict=True) if r == value) / count
    return value, mean


def _named(track: DieTrack, held: list[DieTrack], next_die: int) -> tuple[DieTrack, list[DieTrack], int]:
    """Give a die its number: that of a taken die of its colour, the one that was taken first, or a new one."""
    if track.known:
        return track, held, next_die
    alike = [h for h in held if h.colour is None or track.colour is None or h.colour == track.colour]
    if alike:
        first = min(alike, key=lambda h: (h.seen_s, h.die))
        return replace(track, die=first.die, known=True), [h for h in held if h is not first], next_die
    return replace(track, die=next_die, known=True), held, next_die + 1


def _settled(
    track: DieTrack, held: list[DieTrack], next_die: int, observation: Observation
) -> tuple[DieTrack, list[TableEvent], list[DieTrack], int]:
    if track.still < READINGS or track.missing:
        return track, [], held, next_die
    value, confidence = _agreed(track.readings[-READINGS:], track.confidences[-READINGS:])
    time_s = observation.time_s
    if value is None and (time_s - track.moved_s < UNREAD_S or track.still < UNREAD_FRAMES):
        return track, [], held, next_die
    was_known = track.known
    track, held, next_die = _named(track, held, next_die)
    track = replace(track, status=DieStatus.RESTING, value=value, confidence=confidence, hidden_s=None)
    if track.free:
        event: TableEvent = DieAtRest(
            frame=observation.frame, time_s=time_s, die=track.die, mm=track.mm, value=value, confidence=confidence,
            colour=track.colour, settled_s=time_s - track.moved_s,
        )  # fmt: skip
        # Too blurred to be followed on its way: that it was thrown is known only now.
        told = [event] if was_known else [_event(DieThrown, track, observation), event]
        return replace(track, free=False, travelled_mm=0.0), told, held, next_die
    return track, [_event(DieAppeared, track, observation)], held, next_die
