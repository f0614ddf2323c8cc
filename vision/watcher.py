"""See frame after frame quickly: look closely only where the picture has changed and come to rest.

The picture from above is reduced to the finder's grid and compared with what was last looked at. A change that reaches
in from the border is a hand; one that still moves is a motion; one that lies still is looked at anew. Everything else
is as it was: a still table costs a few milliseconds a frame and cannot flicker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.table_view import TableView
from vision.dice import read_dice
from vision.dice_check import die_candidate, laid_over
from vision.finder import Finder
from vision.ground import Ground, guess_ground, learn_ground, learnt_on_sheet
from vision.observation import (
    Observation,
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
from vision.scope import CHANGED_SHARE, SURER, Scope
from vision.shipped import shipped_dice_nets, shipped_finder
from vision.taught_faces import TaughtFaces
from vision.watch_grid import (
    Cells,
    Mask,
    are_same,
    cells_of,
    corners_mm,
    drawn_in_grid,
    hand_outlines,
    levels_apart,
    meets,
    reduced,
    seen_places,
    step_px,
    touches,
    widened,
)
from vision.watch_memory import (
    ASK_AGAIN_FRAMES,
    LEAST_CELLS,
    Known,
    Memory,
    Zone,
    has_drifted,
    is_behind,
    is_empty,
    is_print,
    is_rough,
    is_still_there,
    known_share,
    light_shift,
    merged,
    new_places,
    part_shown,
    renew_doubt,
    stirs,
)

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
HAND_SHARE = 0.35
"""Of its places that the net must take for a hand; a choice, not a measurement."""
STILL_FRAMES = 2
"""A change must lie still for so many frames to be looked at,"""
STILL_FRAMES_WITH_HAND = 8
"""and for so many while a hand is over the table: its shadow wanders, and what it holds is not put down yet."""
HAND_CLEARANCE_CELLS = 8
"""Nothing is looked at so near a hand (16 mm)."""
ARRIVED_SHARE = 0.6
"""Of a new thing's places that were seen bare after the last hand."""
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
UNSEEN_LOOKS = 2
"""An obstacle that only the net has drawn goes when so many later looks in a row do not find it: the first had caught a
hand's shadow, or what it held."""
CALM_S = 4.0
"""After so long without any change the whole table is looked at once more."""
EMPTY_LOOKS = 6
"""So many looks without anything on the table, and its picture is learnt as the empty table."""


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
        self._taught = TaughtFaces()
        self._memory: Memory | None = None
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
        if memory is None or has_drifted(memory, view):
            memory = self._begin(image_bgr, view, time_s)
            renew_doubt(memory, view)
            return self._tell(memory, frame, time_s, size, replace(table, doubt_mm=memory.doubt_mm), ())
        renew_doubt(memory, view)
        table = replace(table, doubt_mm=memory.doubt_mm)
        top_bgr = memory.top.from_frame(image_bgr)
        motions = self._follow(memory, image_bgr, top_bgr, time_s)
        return self._tell(memory, frame, time_s, size, table, motions)

    def know_faces(self, taught: TaughtFaces) -> None:
        """Know these taught faces from now on; dice that are not read are read anew, the others stay as they are."""
        self._taught = taught
        for known in self._memory.known if self._memory is not None else ():
            if isinstance(known.thing, SeenDie) and known.thing.value is None:
                known.reads = []

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

    def _begin(self, image_bgr: Image, view: TableView, time_s: float) -> Memory:
        top = top_view(view, self._area)
        top_bgr = top.from_frame(image_bgr)
        small = reduced(top_bgr, top)
        seen = seen_places(top)
        border = seen & ~(cv2.erode(seen.astype(np.uint8), np.ones((7, 7), np.uint8), borderValue=0) > 0)
        ground = guess_ground(top_bgr, top)
        if self._learnt is not None and self._learnt[1].shape == top.seen.shape:
            # The mat's own picture holds wherever camera and mat have been moved to; the desk's does not.
            ground = learnt_on_sheet(*self._learnt, ground)
        memory = Memory(
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

    def _follow(self, memory: Memory, image_bgr: Image, top_bgr: Image, time_s: float) -> tuple[SeenMotion, ...]:
        small = reduced(top_bgr, memory.top)
        away = levels_apart(small, memory.reference)
        step = levels_apart(small, memory.previous)
        memory.previous = small
        noise = 1.4826 * float(np.median(step[::3, ::3]))
        moving = step > max(MOVING_LEVELS, NOISE_SIGMAS * noise)
        memory.still = np.where(moving, 0, np.minimum(memory.still, 250) + 1).astype(np.uint8)
        changed = away > max(CHANGED_LEVELS, NOISE_SIGMAS * noise)
        memory.tick += 1
        if not changed.any():
            memory.bare_at[:] = memory.tick
            memory.hand = None
            self._again(memory, image_bgr, top_bgr, time_s, has_looked=False)
            return ()
        memory.changed_s, memory.calm = time_s, False
        joined = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        uncovered = widened(memory.hand, 5) if memory.hand is not None else None
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
        near_hand = widened(hand, 4) if memory.hand is not None else hand
        clear_of = widened(hand, HAND_CLEARANCE_CELLS) if memory.hand is not None else hand
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
                motions.append(SeenMotion(corners_mm(memory.top, cells)))
            elif int(memory.still[window][mine].min()) >= patience and not bool((clear_of[window] & mine).any()):
                to_look.append(cells)
        over = widened(hand, 3) if memory.hand is not None else hand
        memory.covered_at[over] = memory.tick
        memory.bare_at[~changed & ~over] = memory.tick
        if to_look:
            grown = widened(joined > 0, 1)
            # One place a frame: a look takes as long as ten frames without one, and what waits stays changed and still.
            self._look(memory, image_bgr, top_bgr, merged(to_look, memory, grown)[0], changed=grown)
        self._again(memory, image_bgr, top_bgr, time_s, has_looked=bool(to_look))
        return tuple(motions)

    def _is_hand(self, memory: Memory, top_bgr: Image, mask: Mask) -> bool:
        """Whether what reaches in from the border is a hand: it stirs, or looks like one."""
        stirs = float(np.percentile(memory.still[mask], 10)) < RESTING_FRAMES
        if stirs or self._finder is None or memory.tick - memory.asked_tick < ASK_AGAIN_FRAMES:
            return True
        memory.asked_tick = memory.tick
        rows, columns = np.nonzero(mask)
        cells = (int(rows.min()), int(rows.max()) + 1, int(columns.min()), int(columns.max()) + 1)
        where = part_shown(cells, memory)
        classes = self._finder.maps(top_bgr, memory.top, memory.ground, where=where).classes.argmax(axis=0)
        step = step_px(memory.top)
        mine = mask[where[0].start // step :, where[1].start // step :][: classes.shape[0], : classes.shape[1]]
        return float((classes[mine] == HAND_CLASS).mean()) > HAND_SHARE

    def _again(self, memory: Memory, image_bgr: Image, top_bgr: Image, time_s: float, *, has_looked: bool) -> None:
        """Look again where a look is not long past, read fresh dice again, and the whole table after a calm.

        One of these in a frame, and none of the first two in a frame that has had its look: they wait for the next.
        """
        due = [z for z in memory.zones if z.age + 1 in LOOK_AGAIN and not touches(memory.hand, z.cells)]
        now = None if has_looked or not due else due[0]
        for zone in memory.zones:
            if zone is now or not any(zone is z for z in due):
                zone.age += 1
        memory.zones = [z for z in memory.zones if z.age <= max(LOOK_AGAIN)]
        if now is not None:
            self._look(memory, image_bgr, top_bgr, now.cells, missed=now.age == max(LOOK_AGAIN))
        elif not has_looked:
            self._read(memory, image_bgr)
        if memory.hand is None and not memory.calm and time_s - memory.changed_s > CALM_S:
            memory.calm = True
            self._look(memory, image_bgr, top_bgr, None)
        if memory.hand is None and not memory.ground.learnt and is_empty(memory):
            if int((memory.still < STILL_FRAMES).sum()) < LEAST_CELLS and len(memory.empty) < EMPTY_LOOKS:
                memory.empty.append(top_bgr)
            if len(memory.empty) >= EMPTY_LOOKS:
                self._set_ground(learn_ground(memory.empty, memory.top), memory.top)
                memory.known = []  # nothing stands there: what was taken for a thing was print
                self._look(memory, image_bgr, top_bgr, None)
        else:
            memory.empty = []

    def _read(self, memory: Memory, image_bgr: Image) -> None:
        """Read some of the dice that have not been read often enough, the least read first."""
        unread = [k for k in memory.known if isinstance(k.thing, SeenDie) and not k.hidden and len(k.reads) < READS]
        unread = [k for k in unread if not touches(memory.hand, k.cells)]
        unread = sorted(unread, key=lambda k: len(k.reads))[:READS_A_FRAME]
        if not unread:
            return
        view, nets = memory.top.view, shipped_dice_nets()
        candidates = [die_candidate(k.piece, view) for k in unread]
        dice = read_dice(image_bgr, view=view, candidates=candidates, nets=nets, taught=self._taught)
        for known, die in zip(unread, dice, strict=True):
            known.reads.append(die)
            known.thing = replace(_agreed(known.reads), arrived=known.arrived)
            if len(known.reads) == READS and known.thing.value is None and known.laid_again < LAID_AGAIN:
                known.piece = laid_over(image_bgr, known.piece, memory.top.view)
                known.reads = []
                known.laid_again += 1

    def _look(
        self,
        memory: Memory,
        image_bgr: Image,
        top_bgr: Image,
        cells: Cells | None,
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
            ground = replace(ground, shift=light_shift(small, memory))
        rows, columns = small.shape[:2]
        whole = cells is None
        fresh = changed is not None
        zone = cells or (0, rows, 0, columns)
        where = part_shown(zone, memory)
        before = [k for k in memory.known if changed is None or known_share(changed, k, top) >= CHANGED_SHARE]
        before = [k for k in before if whole or meets(k.cells, zone, 0)]
        kept = [k for k in memory.known if k not in before]
        # By shape alone things that touch are not told apart; that they came one after the other tells it.
        only = new_places(changed, zone, memory, kept) if self._finder is None and changed is not None else None
        unchanged = memory.known if not fresh else kept
        told_before = [k.piece for k in unchanged if not (fresh and k.hidden)]
        scope = Scope(top, cells, changed, told_before)
        seen = look_at(
            image_bgr,
            top_bgr,
            top,
            ground,
            self._finder,
            where=where,
            only=only,
            known=[k.piece for k in unchanged],
            missed=missed,
            scope=scope,
        )
        again: list[Known] = []
        for piece in seen:
            if not scope.takes(piece):
                continue
            if any(are_same(k.piece, piece) for k in kept if not k.hidden):
                continue
            same = next((k for k in before if are_same(k.piece, piece)), None)
            if not fresh and same is not None and not self._is_better(piece, same):
                if piece.kind is same.piece.kind:
                    again.append(same)
                continue  # nothing has changed since: what was seen first still holds
            kept = [k for k in kept if not (k.hidden and are_same(k.piece, piece))]
            known = self._known(memory, image_bgr, top_bgr, piece, same, fresh=fresh)
            if known is not None:
                kept.append(known)
        told = [k.piece for k in kept if not k.hidden]
        for known in before:
            if any(are_same(known.piece, p) for p in told):
                continue
            if isinstance(known.thing, SeenHand):
                if not fresh:
                    kept.append(known)
            elif is_behind(known, told, memory):
                known.hidden = True
                kept.append(known)
            elif not fresh and is_rough(known) and not known.hidden:
                known.unseen = 0 if any(known is k for k in again) else known.unseen + 1
                if known.unseen < UNSEEN_LOOKS:
                    kept.append(known)
            elif not fresh or (not known.hidden and is_still_there(known, told, small, memory)):
                kept.append(known)
        memory.known = kept
        upper, lower, left, right = zone
        grown = (max(0, upper - 1), min(rows, lower + 1), max(0, left - 1), min(columns, right + 1))
        window = (slice(grown[0], grown[1]), slice(grown[2], grown[3]))
        if memory.hand is None:
            memory.reference = memory.reference.copy()
            memory.reference[window] = small[window]
        else:
            free = ~widened(memory.hand, 2)[window]
            memory.reference = memory.reference.copy()
            memory.reference[window][free] = small[window][free]
        if fresh and not whole:
            memory.zones.append(Zone(zone))

    def _is_better(self, piece: Piece, same: Known) -> bool:
        """Whether a second look at an unchanged place may overrule the first."""
        if piece.kind is Kind.DIE and same.piece.kind is Kind.DIE:
            return piece.footprint_mm is not None and same.piece.footprint_mm is None
        if piece.kind is same.piece.kind:
            return False
        is_doubted = is_rough(same) and same.unseen + 1 >= UNSEEN_LOOKS
        return is_doubted or piece.confidence > same.piece.confidence + SURER

    def _known(
        self, memory: Memory, image_bgr: Image, top_bgr: Image, piece: Piece, same: Known | None, *, fresh: bool
    ) -> Known | None:
        """Make what is remembered of a piece; None for what is not remembered."""
        top = memory.top
        if not fresh:
            arrived = same.arrived if same is not None else False
        else:
            mask = drawn_in_grid(piece, top, memory.previous.shape) > 0
            arrived = (
                bool((memory.bare_at[mask] > memory.covered_at[mask]).mean() > ARRIVED_SHARE) if mask.any() else False
            )
        if piece.kind is Kind.DIE:
            if same is not None and same.hidden and isinstance(same.thing, SeenDie):
                return Known(same.piece, same.cells, same.thing, same.reads, arrived=same.arrived)
            return Known(piece, cells_of(piece, top), replace(_unread(piece, top), arrived=arrived), arrived=arrived)
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
        return Known(piece, cells_of(piece, top), thing, arrived=arrived)

    def _tell(
        self,
        memory: Memory,
        frame: int,
        time_s: float,
        size: tuple[int, int],
        table: TableSeen,
        motions: tuple[SeenMotion, ...],
    ) -> Observation:
        # Not before a die is read, or read and laid to the end: until then its place may be wrong, too.
        memory.known = [k for k in memory.known if not (_is_read_out(k) and is_print(k, memory))]
        hidden = tuple(k.piece.mm for k in memory.known if k.hidden)
        visible = [
            k
            for k in memory.known
            if not k.hidden and (isinstance(k.thing, SeenHand) or not touches(memory.hand, k.cells, 0.25))
        ]
        hands = [k.thing for k in memory.known if isinstance(k.thing, SeenHand) and stirs(k, memory, RESTING_FRAMES)]
        if memory.hand is not None:
            hands += hand_outlines(memory.hand, memory.top)
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


def _is_read_out(known: Known) -> bool:
    """Whether no further reading will change a die's value or place."""
    if isinstance(known.thing, SeenDie) and known.thing.value is not None:
        return True
    return known.laid_again >= LAID_AGAIN and len(known.reads) >= READS


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
        return replace(last, value=best, confidence=confidence, colour=colour, cocked=False, why=None)
    leaning = [d for d in reads if d.cocked]
    is_cocked = len(leaning) >= AGREEING_READS and 2 * len(leaning) > len(reads)
    why = leaning[-1].why if is_cocked else last.why if not last.cocked else None
    why = "it is being read" if len(reads) < AGREEING_READS else why or "its readings do not agree"
    return replace(last, value=None, cocked=is_cocked, why=why)
