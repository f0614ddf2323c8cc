"""What marks the table for the camera: the printed mat, corner tokens round an own mat, or four clicked corners."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from calibration.clicked import ClickedState, follow_clicked, start_clicked
from calibration.lens import Lens
from calibration.markers import is_tiny
from calibration.mat import MAT
from calibration.sheets import tokens_target
from calibration.table import TableNotFound, TableProblem
from calibration.table_view import TableView
from calibration.table_watch import Change, Status, WatchState, start_watch, watch
from calibration.target import Target
from calibration.tokens import PlacedTokens, place_tokens
from calibration.words import WORDS
from vision.observation import Point
from vision.rectify import TableArea


class TableKind(StrEnum):
    """How the camera finds the table."""

    MAT = "mat"
    """The printed sheet with six markers round 20 x 20 cm."""
    TOKENS = "tokens"
    """Four printed tokens laid at the corners of an own mat."""
    CORNERS = "corners"
    """Four corners clicked in the picture; nothing is printed."""


@dataclass(frozen=True, slots=True)
class TableChoice:
    """How the table is marked, and how large the play area is."""

    kind: TableKind = TableKind.MAT
    width_mm: float = 200.0
    """Of the play area; the printed mat always has 200."""
    depth_mm: float = 200.0
    corners: tuple[Point, ...] = ()
    """Of clicked corners: far left, far right, near right, near left, as shares of the picture's width and height."""
    print_scale: float = 1.0
    """Of the printed mat, from the bank card: true millimetres for each nominal one."""

    def __post_init__(self) -> None:
        """Refuse clicked corners that are not four."""
        if self.kind is TableKind.CORNERS and len(self.corners) != 4:
            raise ValueError(f"a table by clicked corners has four corners, not {len(self.corners)!r}")

    @property
    def target(self) -> Target:
        """The markers that are looked for, tokens as they would lie if laid square; the mat's for clicked corners."""
        return tokens_target(self.width_mm, self.depth_mm) if self.kind is TableKind.TOKENS else MAT

    @property
    def area(self) -> TableArea:
        """The part of the table that is looked at."""
        if self.kind is TableKind.MAT:
            return TableArea()
        return TableArea(self.width_mm, self.depth_mm, sheet_mm=None)


MAT_TABLE = TableChoice()
"""The printed mat, at 100 %."""


PLACE_S = 0.3
"""Between two looks for tokens that are not placed yet: each takes 70 ms of an old core (measured at 1280x720)."""

PLACE_ANEW_S = 3.0
"""Tokens that have been lost for so long may lie otherwise when they are back: their turns are measured anew."""


def tokens_as_laid(
    image_bgr: npt.NDArray[np.uint8], choice: TableChoice, lens: Lens | None
) -> PlacedTokens | TableNotFound:
    """Measure corner tokens where they really lie: no hand lays four of them square.

    All four must be in view. Tokens that look larger or smaller than the typed size allows are not found either.
    """
    placed = place_tokens(image_bgr, width_mm=choice.width_mm, depth_mm=choice.depth_mm, camera=lens)
    if isinstance(placed, PlacedTokens) and not placed.size_agrees:
        return TableNotFound(problem=TableProblem.WRONG_SIZE, seen=placed.view.marker_ids)
    return placed


class TableSight:
    """Follows the table from frame to frame, whatever marks it. Used by one thread."""

    def __init__(self, choice: TableChoice = MAT_TABLE, lens: Lens | None = None) -> None:
        """Begin without having seen it.

        Args:
            choice: what marks it.
            lens: of the camera, where it was calibrated.
        """
        self.choice = choice
        self._lens = lens
        self._printed: WatchState | None = None
        """None for tokens that are not placed yet."""
        if choice.kind is not TableKind.TOKENS:
            scale = choice.print_scale if choice.kind is TableKind.MAT else 1.0
            self._printed = start_watch(target=choice.target, camera=lens, print_scale=scale)
        self._placed_s = -math.inf
        """When tokens were last looked for, or last seen where they had been placed."""
        self._clicked: ClickedState | None = None
        self._advice: str | None = None

    def follow(
        self, image_bgr: npt.NDArray[np.uint8], time_s: float
    ) -> tuple[TableView | None, Change | None, bool, str | None]:
        """Take one frame in.

        Returns:
            The view, None while the table is not found; what changed; whether the pose is steady; and advice for the
            player where there is no view.
        """
        if self.choice.kind is not TableKind.CORNERS:
            return self._follow_printed(image_bgr, time_s)
        if self._clicked is None:
            return self._begin_clicked(image_bgr)
        self._clicked, view, change = follow_clicked(self._clicked, image_bgr, time_s)
        lost = WORDS["clicked_lost"] if view is None and self._clicked.status is Status.LOST else None
        return view, change, self._clicked.status is Status.SEEN, lost

    @property
    def target(self) -> Target:
        """The markers as they lie: tokens turned as they were laid, once they have been found."""
        return self._printed.target if self._printed is not None else self.choice.target

    def _follow_printed(
        self, image_bgr: npt.NDArray[np.uint8], time_s: float
    ) -> tuple[TableView | None, Change | None, bool, str | None]:
        if self._printed is None and time_s - self._placed_s >= PLACE_S and not is_tiny(image_bgr):
            self._placed_s = time_s
            placed = tokens_as_laid(image_bgr, self.choice, self._lens)
            if isinstance(placed, TableNotFound):
                self._advice = placed.message
            else:
                self._printed = start_watch(target=placed.target, camera=self._lens)
        if self._printed is None:
            return None, None, False, self._advice
        self._printed, view, change = watch(self._printed, image_bgr, time_s)
        problem = self._printed.problem
        advice = problem.message if view is None and problem is not None else None
        is_steady = self._printed.status in (Status.SEEN, Status.HELD)
        if self.choice.kind is TableKind.TOKENS:
            if view is not None:
                self._placed_s = time_s
            elif time_s - self._placed_s >= PLACE_ANEW_S:
                self._printed, self._advice = None, advice
        return view, change, is_steady, advice

    def _begin_clicked(
        self, image_bgr: npt.NDArray[np.uint8]
    ) -> tuple[TableView | None, Change | None, bool, str | None]:
        rows, columns = image_bgr.shape[:2]
        corners = [(x * columns, y * rows) for x, y in self.choice.corners]
        try:
            self._clicked = start_clicked(
                image_bgr, corners, width_mm=self.choice.width_mm, depth_mm=self.choice.depth_mm, camera=self._lens
            )
        except ValueError as error:
            return None, None, False, f"{str(error)[:1].upper()}{str(error)[1:]}."
        return self._clicked.view, Change.FOUND, True, None
