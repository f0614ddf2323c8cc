"""A film of the table as data: where everything is at every moment, and when something moves.

`Film` is filled step by step by hands that reach in (`bring`, `take`, `carry`, `throw_die`, `tip`); afterwards `pose`
answers for any time. Nothing here renders or reads a clock.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from models.training.scenes.physics import Pose
from models.training.scenes.turning import Quaternion, Vector, about_vertical, between, matrix, times

HAND_IN_S = 0.55
"""From outside the picture to the thing: hurried but natural, about 0.6 m/s at the finger tips."""
GRIP_S = 0.15
"""Closing or opening the fingers."""
OUTSIDE_MM = 270.0
"""Distance of the finger tips from the mat's middle where no part of the hand is in the picture any more."""
HOVER_MM = 42.0
"""Height of the finger tips on their way in and out."""


@dataclass(frozen=True, slots=True)
class Key:
    """Where a thing is at one time; None where it is not on the table."""

    time_s: float
    pose: Pose | None


@dataclass(slots=True)
class Film:
    """Keys for each thing, and the stretches of time in which something moves."""

    tracks: dict[str, list[Key]] = field(default_factory=dict)
    moving: list[tuple[float, float]] = field(default_factory=list)
    now_s: float = 0.0

    def put(self, name: str, pose: Pose | None, *, time_s: float | None = None) -> None:
        """Add a key; a thing moves evenly from key to key.

        Raises:
            ValueError: the time is before the thing's last key.
        """
        at = self.now_s if time_s is None else time_s
        track = self.tracks.setdefault(name, [])
        if track and at < track[-1].time_s - 1e-9:
            raise ValueError(f"{name} already has a key at {track[-1].time_s!r} s, after {at!r} s")
        track.append(Key(at, pose))

    def pose(self, name: str, time_s: float) -> Pose | None:
        """Say where a thing is, or None where it is not on the table."""
        track = self.tracks.get(name, [])
        after = bisect.bisect_right([key.time_s for key in track], time_s + 1e-9)
        if after == 0:
            return None
        here = track[after - 1]
        if after == len(track) or here.pose is None:
            return here.pose
        there = track[after]
        if there.pose is None or there.time_s - here.time_s < 1e-9:
            return here.pose
        return blend(here.pose, there.pose, (time_s - here.time_s) / (there.time_s - here.time_s))

    def last(self, name: str) -> Pose:
        """Give a thing's pose after its last key.

        Raises:
            ValueError: it is not on the table.
        """
        track = self.tracks.get(name, [])
        if not track or track[-1].pose is None:
            raise ValueError(f"{name!r} is not on the table at {self.now_s:.2f} s")
        return track[-1].pose

    def hold(self, seconds: float) -> None:
        """Let time pass while nothing moves."""
        self.now_s += seconds

    def moves(self, time_s: float) -> bool:
        """Say whether something moves at a time."""
        return any(start - 1e-9 <= time_s < end for start, end in self.moving)

    # --- what hands do ------------------------------------------------------------------------------------------

    def bring(self, hand: str, side: int, things: Sequence[tuple[str, Pose]], *, grip_mm: float) -> float:
        """Let a hand bring things in and put them down; returns the time at which they stand."""
        middle = _middle([pose.at_mm for _, pose in things], grip_mm)
        start, path, heading = self.now_s, _way_in(side, middle), _heading(side, middle)
        landed = start + HAND_IN_S
        for share, at in path:
            time_s = start + share * HAND_IN_S
            self.put(hand, Pose(at, heading), time_s=time_s)
            for name, pose in things:
                self.put(name, _shifted(pose, middle, at), time_s=time_s)
        self.put(hand, Pose(path[-1][1], heading), time_s=landed + GRIP_S)
        self._leave(hand, path, heading, landed + GRIP_S)
        self.moving.append((start, self.now_s))
        return landed

    def take(self, hand: str, side: int, name: str, *, grip_mm: float = 8.0) -> float:
        """Let a hand take a thing away; returns the time at which it is lifted."""
        pose = self.last(name)
        middle = _middle([pose.at_mm], grip_mm)
        start, path, heading = self.now_s, _way_in(side, middle), _heading(side, middle)
        for share, at in path:
            self.put(hand, Pose(at, heading), time_s=start + share * HAND_IN_S)
        lifted = start + HAND_IN_S + GRIP_S
        self.put(name, pose, time_s=lifted)
        self._leave(hand, path, heading, lifted, carried=[(name, pose)])
        self.moving.append((start, self.now_s))
        return lifted

    def carry(self, hand: str, side: int, moves: Sequence[tuple[str, Pose]], *, grip_mm: float) -> tuple[float, float]:
        """Let a hand lift things and put them elsewhere; returns when they are lifted and when they stand again."""
        olds = [self.last(name) for name, _ in moves]
        here = _middle([pose.at_mm for pose in olds], grip_mm)
        there = _middle([pose.at_mm for _, pose in moves], grip_mm)
        start, path, heading = self.now_s, _way_in(side, here), _heading(side, here)
        for share, at in path:
            self.put(hand, Pose(at, heading), time_s=start + share * HAND_IN_S)
        lifted = start + HAND_IN_S + GRIP_S
        seconds = 0.5 + math.dist(here, there) / 300.0
        new_heading, steps = _heading(side, there), 16
        for (name, new), old in zip(moves, olds, strict=True):
            self.put(name, old, time_s=lifted)
            for i in range(1, steps + 1):
                share = _eased(i / steps)
                mixed = blend(old, new, share)
                x, y, z = mixed.at_mm
                self.put(name, Pose((x, y, z + _arc(i / steps)), mixed.turn), time_s=lifted + seconds * i / steps)
        for i in range(steps + 1):
            share = _eased(i / steps)
            x, y, z = (a + (b - a) * share for a, b in zip(here, there, strict=True))
            turn = between(heading, new_heading, share)
            self.put(hand, Pose((x, y, z + _arc(i / steps)), turn), time_s=lifted + seconds * i / steps)
        stands = lifted + seconds
        self.put(hand, Pose(there, new_heading), time_s=stands + GRIP_S)
        self._leave(hand, _way_in(side, there), new_heading, stands + GRIP_S)
        self.moving.append((start, self.now_s))
        return lifted, stands

    def tip(self, hand: str, side: int, name: str, lying: Pose, *, grip_mm: float) -> float:
        """Let a hand tip a figure over until it lies as `lying`; returns the time at which it lies."""
        old = self.last(name)
        here = _middle([old.at_mm], grip_mm)
        start, path, heading = self.now_s, _way_in(side, here), _heading(side, here)
        for share, at in path:
            self.put(hand, Pose(at, heading), time_s=start + share * HAND_IN_S)
        grabbed, seconds, steps = start + HAND_IN_S + GRIP_S, 0.5, 12
        self.put(name, old, time_s=grabbed)
        axis = _rotated((0.0, 0.0, grip_mm), lying)
        for i in range(steps + 1):
            share = (i / steps) ** 1.6
            mixed = blend(old, lying, share)
            x, y, z = mixed.at_mm
            lift = 5.0 * math.sin(math.pi * share)
            self.put(name, Pose((x, y, z + lift), mixed.turn), time_s=grabbed + seconds * i / steps)
            hx, hy, hz = (a + (b - a) * share * 0.8 for a, b in zip(here, axis, strict=True))
            self.put(hand, Pose((hx, hy, max(hz, 14.0) + lift), heading), time_s=grabbed + seconds * i / steps)
        lies = grabbed + seconds
        end = self.last(hand).at_mm
        self._leave(hand, _way_in(side, end), heading, lies + GRIP_S)
        self.moving.append((start, self.now_s))
        return lies

    def throw_die(
        self, hand: str, side: int, name: str, flight: Sequence[Pose], *, step_s: float
    ) -> tuple[float, float]:
        """Let a hand come to the border and throw a die along `flight`; returns when it leaves the hand and rests."""
        start, released = self.now_s, self.now_s + 0.35
        x, y, z = flight[0].at_mm
        here = (x, y, z)
        heading = _heading(side, here)
        back = (x, side * (OUTSIDE_MM + 20), z + 10)
        for i in range(9):
            share = (i / 8) ** 1.5
            at = _mixed(back, here, share)
            self.put(hand, Pose(at, heading), time_s=start + 0.35 * i / 8)
            self.put(name, Pose(at, flight[0].turn), time_s=start + 0.35 * i / 8)
        for i, pose in enumerate(flight[1:], start=1):
            self.put(name, pose, time_s=released + i * step_s)
        follow = _mixed(here, (x, y - side * 16, z + 4), 1.0)
        self.put(hand, Pose(follow, heading), time_s=released + 0.08)
        for i in range(1, 9):
            self.put(hand, Pose(_mixed(follow, back, _eased(i / 8)), heading), time_s=released + 0.08 + 0.45 * i / 8)
        gone = released + 0.55
        self.put(hand, None, time_s=gone)
        rests = released + (len(flight) - 1) * step_s
        self.now_s = max(gone, rests + 0.02)
        self.moving.append((start, self.now_s))
        return released, rests

    def _leave(
        self,
        hand: str,
        path: Sequence[tuple[float, Vector]],
        heading: Quaternion,
        start_s: float,
        *,
        carried: Sequence[tuple[str, Pose]] = (),
    ) -> None:
        grip = path[-1][1]
        for share, at in reversed(path):
            time_s = start_s + (1 - share) * HAND_IN_S
            self.put(hand, Pose(at, heading), time_s=time_s)
            for name, pose in carried:
                self.put(name, _shifted(pose, grip, at), time_s=time_s)
        self.now_s = start_s + HAND_IN_S + 0.01
        self.put(hand, None)
        for name, _ in carried:
            self.put(name, None)


def blend(start: Pose, end: Pose, share: float) -> Pose:
    """Interpolate between two poses."""
    return Pose(_mixed(start.at_mm, end.at_mm, share), between(start.turn, end.turn, share))


def _mixed(start: Vector, end: Vector, share: float) -> Vector:
    x, y, z = (a + (b - a) * share for a, b in zip(start, end, strict=True))
    return (x, y, z)


def _eased(share: float) -> float:
    return share * share * (3 - 2 * share)


def _arc(share: float) -> float:
    return 24.0 * math.sin(math.pi * share) ** 0.8 if 0 < share < 1 else 0.0


def _middle(places: Sequence[Vector], grip_mm: float) -> Vector:
    count = len(places)
    return (sum(p[0] for p in places) / count, sum(p[1] for p in places) / count, grip_mm)


def _shifted(pose: Pose, old: Vector, new: Vector) -> Pose:
    x, y, z = (p + b - a for p, a, b in zip(pose.at_mm, old, new, strict=True))
    return Pose((x, y, z), pose.turn)


def _rotated(point: Vector, pose: Pose) -> Vector:
    x, y, z = (float(c) for c in matrix(pose.turn) @ point + pose.at_mm)
    return (x, y, z)


def _shoulder(side: int) -> tuple[float, float]:
    return (30.0, side * 520.0)


def _heading(side: int, target: Vector) -> Quaternion:
    sx, sy = _shoulder(side)
    return about_vertical(math.degrees(math.atan2(target[1] - sy, target[0] - sx)))


def _way_in(side: int, target: Vector) -> list[tuple[float, Vector]]:
    """Give (share of the time, place of the finger tips) from outside the picture to the target."""
    sx, sy = _shoulder(side)
    reach = (side * OUTSIDE_MM - sy) / (target[1] - sy)
    outside = (sx + (target[0] - sx) * reach, side * OUTSIDE_MM, HOVER_MM + target[2] + 20)
    above = (target[0], target[1], target[2] + HOVER_MM)
    steps, path = 12, []
    for i in range(steps + 1):
        share = i / steps
        over = _mixed(outside, above, _eased(min(1.0, share * 1.2)))
        down = max(0.0, (share - 0.55) / 0.45) ** 1.5
        path.append((share, (over[0], over[1], over[2] + (target[2] - above[2]) * down)))
    return path


def turned(pose: Pose, turn: Quaternion) -> Pose:
    """Turn a thing within its own frame."""
    return Pose(pose.at_mm, times(pose.turn, turn))
