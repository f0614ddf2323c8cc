"""See frame after frame quickly: look closely only where the picture has changed and come to rest.

The picture from above is reduced to the finder's grid and compared with what was last looked at. A change that reaches
in from the border is a hand; one that still moves is a motion; one that lies still is looked at anew. Everything else
is as it was: a still table costs a few milliseconds a frame and cannot flicker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from vision.dice import read_dice
from vision.dice_check import die_candidate, laid_over
from vision.finder import GRID_MM, Finder, Part
from vision.ground import Ground, guess_ground, learn_ground, learnt_on_sheet, log_opponent
from vision.observation import (
    Observation,
    Point,
    SeenDie,
    SeenFigure,
    SeenHand,
    SeenMotion,
    SeenObstacle,
    TableSeen,
)
from vision.observe import (
    look_at,
    seen_figure,
    seen_hand,
    seen_obstacle,
)
from vision.pieces import Kind, Piece
from vision.rectify import Image, TableArea, TopView, top_view
from vision.shipped import shipped_dice_nets, shipped_finder

Mask = npt.NDArray[np.bool_]
Int16 = npt.NDArray[np.int16]

CHANGED_LEVELS = 9.0
"""Grey levels, of a mean over 16 pixels, by which a place differs from what was last looked at. Noise of sigma 6 leaves
1.5; a grey die on grey paper differs by 20."""
MOVING_LEVELS = 7.0
"""The same between two frames."""
NOISE_SIGMAS = 7.0
"""A noisier camera raises both: of 34,000 places none may pass by chance in an hour."""
HAND_CELLS = 110
"""A change at the border smaller than 440 mm^2 is no hand."""
LOOSE_HAND_CELLS = 450
"""A hand whose arm looks like the table, so that it seems cut off from the border, is still larger than this: 18 cm^2;
two rolling dice with blur and shadow are smaller."""
HAND_CLASS = 4
"""Of the finder's classes."""
RESTING_FRAMES = 20
"""What reaches in from the border and has not stirred for so long may be dice put down at the sheet's edge: the net is
asked whether it is a hand,"""
ASK_AGAIN_FRAMES = 15
"""and again after so long."""
HAND_SHARE = 0.35
"""Of its places that the net must take for a hand; a choice, not a measurement."""
LEAST_CELLS = 4
"""Smaller changes are noise or a flicker of the light."""
STILL_FRAMES = 2
"""A change must lie still for so many frames to be looked at,"""
STILL_FRAMES_WITH_HAND = 8
"""and for so many while a hand is over the table: its shadow wanders, and what it holds is not put down yet."""
HAND_CLEARANCE_CELLS = 8
"""Nothing is looked at so near a hand (16 mm)."""
SURER = 0.15
"""By so much a second look must be surer than the first, where nothing has changed in between."""
ARRIVED_SHARE = 0.6
"""Of a new thing's places that were seen bare after the last hand."""
STILL_THERE_SHARE = 0.5
CHANGED_SHARE = 0.3
"""Of a known thing's outline: when less has changed, the thing is what it was, whatever came to lie beside it."""
LOOK_AGAIN = (3, 8)
"""Frames after a look at which the same place is looked at again: the first may have caught a blurred frame."""
READS = 6
"""Each die is read in so many frames after a look, then its reading stands until something changes there."""
READS_A_FRAME = 2
"""A reading costs up to 15 ms on an old core: more in one frame would hold up the film."""
LAID_AGAIN = 2
"""A die that is not read then may not have been made out well: a cube is laid over it anew, so often."""
AGREEING_READS = 3
"""A value is given when so many readings of different frames, and two thirds of all, say the same."""
BEHIND_SHARE = 0.5
"""Of a vanished thing's outline that others must fill for it to count as hidden, and not as gone."""
CONTEXT_CELLS = 14
"""The net is shown so much around a change: 28 mm, a base's width."""
SAME_POSE_PX = 0.5
"""The map to the picture from above is made anew when the sheet's corners have shifted by more than this"""
DRIFT_FRAMES = 45
"""in so many frames without a hand: while one covers markers, the pose sways by up to 1.2 px in the demo recording, and
is averaged over a second,"""
OTHER_POSE_PX = 3.0
"""or at once when they have shifted by more than this."""
CALM_S = 4.0
"""After so long without any change the whole table is looked at once more."""
SURELY_THERE = 0.7
EMPTY_LOOKS = 6
"""So many looks without anything on the table, and its picture is learnt as the empty table."""


@dataclass(slots=True, eq=False)
class _Known:
    """A thing that was seen, and where it lies in the grid."""

    piece: Piece
    cells: tuple[int, int, int, int]
    """Top, bottom, left, right of its outline in the grid, ends exclusive."""
    thing: SeenDie | SeenFigure | SeenObstacle | SeenHand
    reads: list[SeenDie] = field(default_factory=list)
    """Readings of a die in different frames."""
    hidden: bool = False
    """Out of view behind something that came before it."""
    arrived: bool = False
    """Whether it came to lie there by itself."""
    laid_again: int = 0
    """How often a cube was laid over a die anew because it could not be read."""


@dataclass(slots=True)
class _Zone:
    """A place that was looked at not long ago."""

    cells: tuple[int, int, int, int]
    age: int = 0


@dataclass(slots=True)
class _Memory:
    top: TopView
    ground: Ground
    reference: Int16
    """Shape (h, w, 3): the reduced picture as last looked at."""
    previous: Int16
    still: npt.NDArray[np.uint8]
    """Frames since each place last moved."""
    border: Mask
    bare_at: npt.NDArray[np.int32]
    """Frame in which each place was last seen as it was known, no hand near."""
    covered_at: npt.NDArray[np.int32]
    """Frame in which a hand was last over it."""
    tick: int = 0
    known: list[_Known] = field(default_factory=list)
    zones: list[_Zone] = field(default_factory=list)
    hand: Mask | None = None
    changed_s: float = 0.0
    calm: bool = False
    empty: list[Image] = field(default_factory=list)
    drifted: int = 0
    """Frames in a row in which the pose was a little off."""
    asked_tick: int = -ASK_AGAIN_FRAMES
    """When the net was last asked whether what rests at the border is a hand."""


_Cells = tuple[int, int, int, int]
"""Top, bottom, left, right in the grid, ends exclusive."""


class Watcher:
    """Turns frames into observations, faster than `observe` because it remembers."""

    def __init__(self, *, area: TableArea | None = None, finder: Finder | None = None) -> None:
        """Start without knowing anything.

        Args:
            area: the part of the table that is looked at; None is the six-marker sheet.
            finder: the net; None is the shipped one.
        """
        self._area = area or TableArea()
        self._finder = finder if finder is not None else shipped_finder()
        self._memory: _Memory | None = None
        self._learnt: tuple[Ground, Mask] | None = None
        """The empty table, and where the camera saw it."""

    @property
    def knows_empty_table(self) -> bool:
        """Whether a picture of the empty table has been learnt."""
        return self._memory is not None and self._memory.ground.learnt

    def see(
        self,
        image_bgr: Image,
        view: TableView | None,
        *,
        frame: int,
        time_s: float,
        moved: bool = False,
        steady: bool = True,
        advice: str | None = None,
    ) -> Observation:
        """Take one frame in.

        Args:
            image_bgr: shape (rows, columns, 3), 8 bits.
            view: where the table is; None while it is not found.
            frame: number of the frame.
            time_s: time of the frame.
            moved: whether camera or mat were pushed since the frame before.
            steady: whether the pose can be trusted.
            advice: why there is no table, for the player.
        """
        size = (image_bgr.shape[1], image_bgr.shape[0])
        if view is None:
            return Observation(frame, time_s, size, TableSeen(False, 0, advice))
        table = TableSeen(True, view.markers, None, moved, steady)
        if moved or not steady:
            if moved:
                self._memory = None
            return Observation(frame, time_s, size, table, moving=True)
        memory = self._memory
        if memory is None or _has_drifted(memory, view):
            memory = self._begin(image_bgr, view, time_s)
            return self._tell(memory, frame, time_s, size, table, ())
        top_bgr = memory.top.from_frame(image_bgr)
        motions = self._follow(memory, image_bgr, top_bgr, time_s)
        return self._tell(memory, frame, time_s, size, table, motions)

    def learn_empty(self, image_bgr: Image, view: TableView) -> None:
        """Take this frame as the picture of the empty table: nothing stands on it."""
        top = self._memory.top if self._memory is not None else top_view(view, self._area)
        self._set_ground(learn_ground([top.from_frame(image_bgr)], top), top)

    def forget(self) -> None:
        """Start anew, as after a change of the camera or the mat."""
        self._memory = None
        self._learnt = None

    def _set_ground(self, ground: Ground, top: TopView) -> None:
        self._learnt = (ground, top.seen)
        if self._memory is not None:
            self._memory.ground = ground
            self._memory.calm = False
            self._memory.empty = []

    def _begin(self, image_bgr: Image, view: TableView, time_s: float) -> _Memory:
        top = top_view(view, self._area)
        top_bgr = top.from_frame(image_bgr)
        small = _reduced(top_bgr, top)
        seen = _grid_mask(top)
        border = seen & ~(cv2.erode(seen.astype(np.uint8), np.ones((7, 7), np.uint8), borderValue=0) > 0)
        ground = guess_ground(top_bgr, top)
        if self._learnt is not None and self._learnt[1].shape == top.seen.shape:
            # The mat's own picture holds wherever camera and mat have been moved to; the desk's does not.
            ground = learnt_on_sheet(*self._learnt, ground)
        memory = _Memory(
            top,
            ground,
            small,
            small,
            np.zeros(seen.shape, np.uint8),
            border,
            np.full(seen.shape, -1, np.int32),
            np.full(seen.shape, -1, np.int32),
            changed_s=time_s,
        )
        self._look(memory, image_bgr, top_bgr, None)
        self._memory = memory
        return memory

    def _follow(self, memory: _Memory, image_bgr: Image, top_bgr: Image, time_s: float) -> tuple[SeenMotion, ...]:
        small = _reduced(top_bgr, memory.top)
        away = _unlike(small, memory.reference)
        step = _unlike(small, memory.previous)
        memory.previous = small
        noise = 1.4826 * float(np.median(step[::3, ::3]))
        moving = step > max(MOVING_LEVELS, NOISE_SIGMAS * noise)
        memory.still = np.where(moving, 0, np.minimum(memory.still, 250) + 1).astype(np.uint8)
        changed = away > max(CHANGED_LEVELS, NOISE_SIGMAS * noise)
        memory.tick += 1
        if not changed.any():
            memory.bare_at[:] = memory.tick
            memory.hand = None
            self._again(memory, image_bgr, top_bgr, time_s)
            return ()
        memory.changed_s, memory.calm = time_s, False
        joined = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        uncovered = _grown(memory.hand, 5) if memory.hand is not None else None
        hand = np.zeros(changed.shape, np.bool_)
        others: list[int] = []
        at_border = np.bincount(labels[memory.border].ravel(), minlength=count)
        was_hand = np.bincount(labels[memory.hand].ravel(), minlength=count) if memory.hand is not None else None
        for label in range(1, count):
            area = int(stats[label, cv2.CC_STAT_AREA])
            if area < LEAST_CELLS:
                continue
            reaches_in = at_border[label] >= 4 and area >= HAND_CELLS
            stays = was_hand is not None and was_hand[label] > 0.5 * area and area >= LOOSE_HAND_CELLS
            if reaches_in and not self._is_hand(memory, top_bgr, labels == label):
                reaches_in = stays = False
            if reaches_in or (stays and bool((moving & (labels == label)).any())):
                hand |= labels == label
            else:
                others.append(label)
        memory.hand = hand if hand.any() else None
        near_hand = _grown(hand, 4) if memory.hand is not None else hand
        clear_of = _grown(hand, HAND_CLEARANCE_CELLS) if memory.hand is not None else hand
        patience = STILL_FRAMES if memory.hand is None else STILL_FRAMES_WITH_HAND
        motions: list[SeenMotion] = []
        to_look: list[tuple[int, int, int, int]] = []
        for label in others:
            left, upper, width, height, _ = (int(v) for v in stats[label])
            cells = (upper, upper + height, left, left + width)
            window = (slice(upper, upper + height), slice(left, left + width))
            mine = labels[window] == label
            if bool((near_hand[window] & mine).any()):
                hand[window] |= mine  # what a hand holds or shades
                memory.hand = hand
                continue
            stirs = moving[window] & mine
            if uncovered is not None:  # where the hand was in the frame before, its leaving is the change
                stirs &= ~uncovered[window]
            if int(stirs.sum()) >= 2:
                motions.append(SeenMotion(_box_mm(memory.top, cells)))
            elif int(memory.still[window][mine].min()) >= patience and not bool((clear_of[window] & mine).any()):
                to_look.append(cells)
        over = _grown(hand, 3) if memory.hand is not None else hand
        memory.covered_at[over] = memory.tick
        memory.bare_at[~changed & ~over] = memory.tick
        if to_look:
            grown = _grown(joined > 0, 1)
            for zone in _merged(to_look, memory, grown):
                self._look(memory, image_bgr, top_bgr, zone, changed=grown)
        self._again(memory, image_bgr, top_bgr, time_s)
        return tuple(motions)

    def _is_hand(self, memory: _Memory, top_bgr: Image, mask: Mask) -> bool:
        """Whether what reaches in from the border is a hand: it stirs, or looks like one."""
        stirs = float(np.percentile(memory.still[mask], 10)) < RESTING_FRAMES
        if stirs or self._finder is None or memory.tick - memory.asked_tick < ASK_AGAIN_FRAMES:
            return True
        memory.asked_tick = memory.tick
        rows, columns = np.nonzero(mask)
        cells = (int(rows.min()), int(rows.max()) + 1, int(columns.min()), int(columns.max()) + 1)
        where = _part(cells, memory)
        classes = self._finder.maps(top_bgr, memory.top, memory.ground, where=where).classes.argmax(axis=0)
        step = _step(memory.top)
        mine = mask[where[0].start // step :, where[1].start // step :][: classes.shape[0], : classes.shape[1]]
        return float((classes[mine] == HAND_CLASS).mean()) > HAND_SHARE

    def _again(self, memory: _Memory, image_bgr: Image, top_bgr: Image, time_s: float) -> None:
        """Look again where a look is not long past, read fresh dice again, and the whole table after a calm."""
        due = [z for z in memory.zones if z.age + 1 in LOOK_AGAIN and not _touches(memory.hand, z.cells)]
        for zone in memory.zones:
            zone.age += 1
        memory.zones = [z for z in memory.zones if z.age <= max(LOOK_AGAIN)]
        for zone in due:
            self._look(memory, image_bgr, top_bgr, zone.cells, missed=zone.age == max(LOOK_AGAIN))
        self._read(memory, image_bgr)
        if memory.hand is None and not memory.calm and time_s - memory.changed_s > CALM_S:
            memory.calm = True
            self._look(memory, image_bgr, top_bgr, None)
        if memory.hand is None and not memory.ground.learnt and _is_empty(memory):
            if int((memory.still < STILL_FRAMES).sum()) < LEAST_CELLS and len(memory.empty) < EMPTY_LOOKS:
                memory.empty.append(top_bgr)
            if len(memory.empty) >= EMPTY_LOOKS:
                self._set_ground(learn_ground(memory.empty, memory.top), memory.top)
                memory.known = []  # nothing stands there: what was taken for a thing was print
                self._look(memory, image_bgr, top_bgr, None)
        else:
            memory.empty = []

    def _read(self, memory: _Memory, image_bgr: Image) -> None:
        """Read some of the dice that have not been read often enough, the least read first."""
        unread = [k for k in memory.known if isinstance(k.thing, SeenDie) and not k.hidden and len(k.reads) < READS]
        unread = [k for k in unread if not _touches(memory.hand, k.cells)]
        unread = sorted(unread, key=lambda k: len(k.reads))[:READS_A_FRAME]
        if not unread:
            return
        candidates = [die_candidate(k.piece, memory.top.view) for k in unread]
        for known, die in zip(
            unread,
            read_dice(image_bgr, view=memory.top.view, candidates=candidates, nets=shipped_dice_nets()),
            strict=True,
        ):
            known.reads.append(die)
            known.thing = replace(_agreed(known.reads), arrived=known.arrived)
            if len(known.reads) == READS and known.thing.value is None and known.laid_again < LAID_AGAIN:
                known.piece = laid_over(image_bgr, known.piece, memory.top.view)
                known.reads = []
                known.laid_again += 1

    def _look(
        self,
        memory: _Memory,
        image_bgr: Image,
        top_bgr: Image,
        cells: _Cells | None,
        *,
        changed: Mask | None = None,
        missed: bool = True,
    ) -> None:
        """Look closely at a part of the grid, or at all of it, and replace what is known there.

        Args:
            memory: what is known; it is brought up to date.
            image_bgr: the frame.
            top_bgr: the same from above.
            cells: the part; None is all.
            changed: shape of the grid: what differs from the last look. Known things that did not change stay as they
                are, and only what covers a changed place is new. None looks at the same things again.
            missed: whether to look for dice that the net does not see, which takes longer.
        """
        top = memory.top
        small = memory.previous
        ground = memory.ground
        if ground.learnt:
            ground = replace(ground, shift=_light_shift(small, memory))
        rows, columns = small.shape[:2]
        whole = cells is None
        fresh = changed is not None
        zone = cells or (0, rows, 0, columns)
        where = _part(zone, memory)
        before = [k for k in memory.known if changed is None or _share(changed, k, top) >= CHANGED_SHARE]
        before = [k for k in before if whole or _meets(k.cells, zone, 0)]
        kept = [k for k in memory.known if k not in before]
        # By shape alone things that touch are not told apart; that they came one after the other tells it.
        only = _new_places(changed, zone, memory, kept) if self._finder is None and changed is not None else None
        unchanged = [k.piece for k in (memory.known if not fresh else kept)]
        seen = look_at(
            image_bgr, top_bgr, top, ground, self._finder, where=where, only=only, known=unchanged, missed=missed
        )
        for piece in seen:
            if not whole and not _meets(_cells(piece, top), zone, 1):
                continue
            if changed is not None and _piece_share(changed, piece, top) < CHANGED_SHARE:
                continue
            if any(_same(k.piece, piece) for k in kept if not k.hidden):
                continue
            same = next((k for k in before if _same(k.piece, piece)), None)
            if not fresh and same is not None and not self._is_better(piece, same):
                continue  # nothing has changed since: what was seen first still holds
            kept = [k for k in kept if not (k.hidden and _same(k.piece, piece))]
            known = self._known(memory, image_bgr, top_bgr, piece, same, fresh=fresh)
            if known is not None:
                kept.append(known)
        told = [k.piece for k in kept if not k.hidden]
        for known in before:
            if any(_same(known.piece, p) for p in told):
                continue
            if isinstance(known.thing, SeenHand):
                if not fresh:
                    kept.append(known)
            elif _behind(known, told, memory):
                known.hidden = True
                kept.append(known)
            elif not fresh or (not known.hidden and _is_still_there(known, told, small, memory)):
                kept.append(known)
        memory.known = kept
        upper, lower, left, right = zone
        grown = (max(0, upper - 1), min(rows, lower + 1), max(0, left - 1), min(columns, right + 1))
        window = (slice(grown[0], grown[1]), slice(grown[2], grown[3]))
        if memory.hand is None:
            memory.reference = memory.reference.copy()
            memory.reference[window] = small[window]
        else:
            free = ~_grown(memory.hand, 2)[window]
            memory.reference = memory.reference.copy()
            memory.reference[window][free] = small[window][free]
        if fresh and not whole:
            memory.zones.append(_Zone(zone))

    def _is_better(self, piece: Piece, same: _Known) -> bool:
        """Whether a second look at an unchanged place may overrule the first."""
        if piece.kind is Kind.DIE and same.piece.kind is Kind.DIE:
            return piece.footprint_mm is not None and same.piece.footprint_mm is None
        return piece.kind is not same.piece.kind and piece.confidence > same.piece.confidence + SURER

    def _known(
        self, memory: _Memory, image_bgr: Image, top_bgr: Image, piece: Piece, same: _Known | None, *, fresh: bool
    ) -> _Known | None:
        """Make what is remembered of a piece; None for what is not remembered."""
        top = memory.top
        if not fresh:
            arrived = same.arrived if same is not None else False
        else:
            mask = _drawn(piece, top, memory.previous.shape) > 0
            arrived = (
                bool((memory.bare_at[mask] > memory.covered_at[mask]).mean() > ARRIVED_SHARE) if mask.any() else False
            )
        if piece.kind is Kind.DIE:
            if same is not None and same.hidden and isinstance(same.thing, SeenDie):
                return _Known(same.piece, same.cells, same.thing, same.reads, arrived=same.arrived)
            return _Known(piece, _cells(piece, top), replace(_unread(piece, top), arrived=arrived), arrived=arrived)
        thing: SeenFigure | SeenObstacle | SeenHand
        if piece.kind is Kind.FIGURE:
            thing = seen_figure(piece, top_bgr, top)
        elif piece.kind is Kind.OBSTACLE:
            thing = seen_obstacle(piece, top.view)
        elif self._memory is None:
            # A hand that was there before the first frame; later ones are known by reaching in.
            thing = seen_hand(piece, top.view)
        else:
            return None
        return _Known(piece, _cells(piece, top), thing, arrived=arrived)

    def _tell(
        self,
        memory: _Memory,
        frame: int,
        time_s: float,
        size: tuple[int, int],
        table: TableSeen,
        motions: tuple[SeenMotion, ...],
    ) -> Observation:
        hidden = tuple(k.piece.mm for k in memory.known if k.hidden)
        visible = [
            k
            for k in memory.known
            if not k.hidden and (isinstance(k.thing, SeenHand) or not _touches(memory.hand, k.cells, 0.25))
        ]
        hands = [k.thing for k in memory.known if isinstance(k.thing, SeenHand)]
        if memory.hand is not None:
            hands += _hand_outlines(memory.hand, memory.top)
        return Observation(
            frame,
            time_s,
            size,
            table,
            tuple(k.thing for k in visible if isinstance(k.thing, SeenDie)),
            tuple(k.thing for k in visible if isinstance(k.thing, SeenFigure)),
            tuple(k.thing for k in visible if isinstance(k.thing, SeenObstacle)),
            tuple(hands),
            motions=motions,
            hidden_mm=hidden,
        )


def _is_empty(memory: _Memory) -> bool:
    """Whether nothing stands in the play area; what is taken for a thing on the strips beside it is mostly print."""
    half_width, half_depth = memory.top.area.width_mm / 2, memory.top.area.depth_mm / 2
    return not any(
        isinstance(k.thing, SeenHand)
        or k.piece.confidence > SURELY_THERE
        or (abs(k.piece.mm[0]) < half_width and abs(k.piece.mm[1]) < half_depth)
        for k in memory.known
    )


def _has_drifted(memory: _Memory, view: TableView) -> bool:
    """Whether the table lies elsewhere in the picture than when the map to the picture from above was made."""
    if memory.top.view.size != view.size:
        return True
    shift = _shift_px(memory.top.view, view)
    if shift <= SAME_POSE_PX or memory.hand is not None:
        memory.drifted = 0
    else:
        memory.drifted += 1
    return shift > OTHER_POSE_PX or memory.drifted >= DRIFT_FRAMES


def _unread(piece: Piece, top: TopView) -> SeenDie:
    candidate = die_candidate(piece, top.view)
    return SeenDie(
        candidate.box, None, piece.confidence, piece.mm, piece.base_mm, height_mm=piece.on_mm, why="it is being read"
    )


def _agreed(reads: Sequence[SeenDie]) -> SeenDie:
    """Join readings of different frames: the value that most of them give, or none."""
    last = reads[-1]
    values = [d.value for d in reads if d.value is not None]
    best = max(set(values), key=values.count) if values else None
    count = values.count(best) if best is not None else 0
    if count >= AGREEING_READS and count >= len(reads) * 2 / 3 - 1e-9:
        confidence = sum(d.confidence for d in reads if d.value == best) / count
        colours = [d.colour for d in reads if d.colour is not None]
        colour = max(set(colours), key=colours.count) if colours else None
        return replace(last, value=best, confidence=confidence, colour=colour, why=None)
    why = "it is being read" if len(reads) < AGREEING_READS else last.why or "its readings do not agree"
    return replace(last, value=None, why=why)


def _step(top: TopView) -> int:
    return round(GRID_MM * top.px_per_mm)


def _reduced(top_bgr: Image, top: TopView) -> Int16:
    step = _step(top)
    rows, columns = top.size[1] // step, top.size[0] // step
    cut = top_bgr[: rows * step, : columns * step]
    return np.asarray(cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA), dtype=np.int16)


def _grid_mask(top: TopView) -> Mask:
    step = _step(top)
    rows, columns = top.size[1] // step, top.size[0] // step
    cut = top.seen[: rows * step, : columns * step]
    return np.asarray(cut.reshape(rows, step, columns, step).all(axis=(1, 3)))


def _unlike(one: Int16, other: Int16) -> npt.NDArray[np.float32]:
    """Give by how many levels two reduced pictures differ at each place, the change of the whole light left out."""
    difference = (one - other).astype(np.float32)
    # Brighter light lifts bright places more than dark ones: one gain for each channel.
    sample_one, sample_other = one[::4, ::4].astype(np.float32), other[::4, ::4].astype(np.float32)
    bright = sample_other.min(axis=2) > 12
    if int(bright.sum()) > 50:
        gain = np.median(sample_one[bright] / sample_other[bright], axis=0)
        if np.abs(gain - 1).max() > 0.004:
            difference = one - other * gain.astype(np.float32)
    blue, green, red = cv2.split(np.abs(difference))  # numpy's maximum over a short last axis is ten times slower
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.float32)


def _grown(mask: Mask, cells: int) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((2 * cells + 1,) * 2, np.uint8)) > 0)


def _shift_px(one: TableView, other: TableView) -> float:
    corners = [(-100.0, -140.0), (100.0, -140.0), (100.0, 140.0), (-100.0, 140.0), (0.0, 0.0)]
    return float(np.nan_to_num(np.abs(one.to_frame(corners) - other.to_frame(corners)), nan=1e3).max())


def _cells(piece: Piece, top: TopView) -> tuple[int, int, int, int]:
    step = _step(top)
    pixels = (top.to_top(piece.outline_mm) + 0.5) / step
    low, high = np.floor(pixels.min(axis=0)).astype(int), np.ceil(pixels.max(axis=0)).astype(int)
    return int(low[1]), int(high[1]) + 1, int(low[0]), int(high[0]) + 1


def _meets(one: tuple[int, int, int, int], other: tuple[int, int, int, int], margin: int) -> bool:
    return (
        one[0] < other[1] + margin
        and other[0] < one[1] + margin
        and one[2] < other[3] + margin
        and other[2] < one[3] + margin
    )


def _touches(mask: Mask | None, cells: tuple[int, int, int, int], share: float = 0.0) -> bool:
    if mask is None:
        return False
    upper, lower, left, right = (max(0, v) for v in cells)
    part = mask[upper:lower, left:right]
    return bool(part.size and part.mean() > share)


def _same(one: Piece, other: Piece) -> bool:
    apart = float(np.hypot(one.mm[0] - other.mm[0], one.mm[1] - other.mm[1]))
    return apart < (9.0 if one.kind is other.kind else 6.0)


def _drawn(piece: Piece, top: TopView, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """Draw a piece's outline into the grid."""
    mask = np.zeros(shape[:2], np.uint8)
    corners = (top.to_top(piece.outline_mm) + 0.5) / _step(top) - 0.5
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 1)
    return mask


def _piece_share(changed: Mask, piece: Piece, top: TopView) -> float:
    mask = _drawn(piece, top, changed.shape)
    return float((changed & (mask > 0)).sum()) / max(1, int(mask.sum()))


def _share(changed: Mask, known: _Known, top: TopView) -> float:
    return _piece_share(changed, known.piece, top)


def _behind(known: _Known, others: Sequence[Piece], memory: _Memory) -> bool:
    """Whether other things now fill most of a known thing's outline."""
    top, shape = memory.top, memory.previous.shape
    mine = _drawn(known.piece, top, shape) > 0
    covered = np.zeros(mine.shape, np.bool_)
    for piece in others:
        if _meets(_cells(piece, top), known.cells, 0):
            covered |= _drawn(piece, top, shape) > 0
    return float((covered & mine).sum()) > BEHIND_SHARE * max(1, int(mine.sum()))


def _is_still_there(known: _Known, others: Sequence[Piece], small: Int16, memory: _Memory) -> bool:
    """Whether a known thing's place looks like no bare table though nothing was found there: it is in shade."""
    top, ground = memory.top, memory.ground
    mask = _drawn(known.piece, top, small.shape) > 0
    for piece in others:
        if _meets(_cells(piece, top), known.cells, 0):
            mask &= _drawn(piece, top, small.shape) == 0
    if int(mask.sum()) < LEAST_CELLS:
        return False
    step, half = _step(top), _step(top) // 2
    rows, columns = small.shape[:2]
    expected = ground.expected[half::step, half::step][:rows, :columns]
    away = np.abs(log_opponent(small.astype(np.uint8)) - expected)[mask]
    unlike = (away[:, 0] > 0.45) | (away[:, 1] > 0.07) | (away[:, 2] > 0.07)
    return float(unlike.mean()) > STILL_THERE_SHARE


def _new_places(changed: Mask, zone: _Cells, memory: _Memory, kept: Sequence[_Known]) -> Mask:
    """Give the pixels of the picture from above where something new may be: what changed, or was something else."""
    rows, columns = changed.shape
    mask = np.zeros((rows, columns), np.uint8)
    upper, lower, left, right = zone
    mask[upper:lower, left:right] = changed[upper:lower, left:right]
    for known in memory.known:
        if known not in kept and _meets(known.cells, zone, 0):
            mask |= _drawn(known.piece, memory.top, changed.shape)
    step = _step(memory.top)
    width, height = memory.top.size
    whole = np.zeros((height, width), np.bool_)
    big = cv2.resize(mask, (columns * step, rows * step), interpolation=cv2.INTER_NEAREST)
    whole[: rows * step, : columns * step] = big > 0
    return whole


def _box_mm(top: TopView, cells: tuple[int, int, int, int]) -> tuple[Point, ...]:
    step = _step(top)
    upper, lower, left, right = cells
    corners = top.to_mm(
        [
            (left * step - 0.5, lower * step - 0.5),
            (right * step - 0.5, lower * step - 0.5),
            (right * step - 0.5, upper * step - 0.5),
            (left * step - 0.5, upper * step - 0.5),
        ]
    )
    return tuple((float(x), float(y)) for x, y in corners)


def _merged(parts: Sequence[_Cells], memory: _Memory, changed: Mask) -> list[_Cells]:
    """Join changes that lie near each other or in the same known thing."""
    boxes = list(parts)
    for known in memory.known:
        if _share(changed, known, memory.top) < CHANGED_SHARE:
            continue
        for k, box in enumerate(boxes):
            if _meets(box, known.cells, 1):
                boxes[k] = _union(box, known.cells)
    merged = True
    while merged:
        merged = False
        for i in range(len(boxes)):
            for j in range(i):
                if _meets(boxes[i], boxes[j], 6):
                    boxes[j] = _union(boxes[i], boxes[j])
                    del boxes[i]
                    merged = True
                    break
            if merged:
                break
    rows, columns = memory.previous.shape[:2]
    return [(max(0, a), min(rows, b), max(0, c), min(columns, d)) for a, b, c, d in boxes]


def _union(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return min(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), max(one[3], other[3])


def _part(cells: tuple[int, int, int, int], memory: _Memory) -> Part:
    """Give the pixels that the net is shown for a part of the grid: with context, at least 96 mm wide."""
    rows, columns = memory.previous.shape[:2]
    step = _step(memory.top)
    upper, lower, left, right = cells

    def spread(low: int, high: int, most: int) -> tuple[int, int]:
        low, high = low - CONTEXT_CELLS, high + CONTEXT_CELLS
        short = 48 - (high - low)
        if short > 0:
            low, high = low - short // 2, high + short - short // 2
        # Multiples of 16 cells are what the net works in: take what is padded otherwise.
        extra = -(high - low) % 16
        low, high = low - extra // 2, high + extra - extra // 2
        shift = max(0, -low) - max(0, high - most)
        return max(0, low + shift), min(most, high + shift)

    upper, lower = spread(upper, lower, rows)
    left, right = spread(left, right, columns)
    return slice(upper * step, lower * step), slice(left * step, right * step)


def _light_shift(small: Int16, memory: _Memory) -> tuple[float, float, float]:
    """Measure how the light has changed since the empty table was learnt, over the bare parts of the sheet."""
    step = _step(memory.top)
    half = step // 2
    rows, columns = small.shape[:2]
    expected = memory.ground.expected[half::step, half::step][:rows, :columns]
    sheet = memory.ground.sheet[half::step, half::step][:rows, :columns]
    difference = (log_opponent(small.astype(np.uint8)) - expected)[sheet]
    if not len(difference):
        return 0.0, 0.0, 0.0
    near = difference[np.abs(difference[:, 0] - np.median(difference[:, 0])) < 0.15]
    middle = np.median(near if len(near) else difference, axis=0)
    return float(middle[0]), float(middle[1]), float(middle[2])


def _hand_outlines(hand: Mask, top: TopView) -> list[SeenHand]:
    step = _step(top)
    contours, _ = cv2.findContours(hand.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hands = []
    for contour in contours:
        if len(contour) < 4:
            continue
        ring = np.asarray(cv2.approxPolyDP(contour, 1.0, True), dtype=np.float64).reshape(-1, 2)
        if len(ring) < 3:
            continue
        outline = top.to_mm(ring * step + (step - 1) / 2)
        pixels = top.view.to_frame(outline)
        hands.append(
            SeenHand(
                tuple((float(x), float(y)) for x, y in pixels if np.isfinite(x)),
                tuple((float(x), float(y)) for x, y in outline),
            )
        )
    return hands
