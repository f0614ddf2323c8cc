"""A picture of what was seen on the table and why: outlines, contact points, verticals, heights, dice, and a legend."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.table_view import TableView
from deskref.drawn_dice import FONT, draw_dice, with_lines
from vision.explain import KINDS, Above, Explanation, Thing
from vision.observation import Pose, SeenDie, SeenFigure, SeenHand, SeenObstacle
from vision.pieces import Piece

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

COLOUR_OF: dict[str, Colour] = {
    "figure": (60, 200, 60),
    "die": (230, 140, 0),
    "obstacle": (40, 120, 240),
    "hand": (200, 80, 200),
    "something": (0, 220, 220),
}
"""Blue, green, red; told apart by most colour-blind people too, and every thing has its letter besides."""
UNSURE_BGR: Colour = (0, 140, 255)
AREA_BGR: Colour = (180, 180, 180)
TINT = 0.45
"""How strongly the picture from above is tinted."""
LEGEND_SIZE = 0.6
"""Of its letters, in units of OpenCV's font."""
FEW_CORNERS = 8
"""Of a body with more corners only so many verticals are drawn."""
ABOVE_WIDTH_SHARE = 0.6
"""The picture from above is at most so wide, for the frame's width."""


def draw_table(image_bgr: Image, explained: Explanation) -> Image:
    """Draw what was seen over a copy of the picture, the table from above beside it, and a legend below.

    Without a table the dice and the figures' boxes are drawn, with the reason why the table was not found.

    Args:
        image_bgr: shape (rows, columns, 3), the picture that was explained.
        explained: what was seen in it.
    """
    lines = legend(explained)
    thick = max(1, round(max(image_bgr.shape[:2]) / 640))
    if explained.above is None:
        drawn = draw_dice(image_bgr, explained.observation.dice, legend=False)
        for number, figure in enumerate(explained.observation.figures, 1):
            x0, y0, x1, y1 = figure.box
            _ring(drawn, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), COLOUR_OF["figure"], thick)
            _label(drawn, np.array([x0, y0]), f"F{number}", COLOUR_OF["figure"], thick)
        return with_lines(drawn, lines, largest=LEGEND_SIZE)
    drawn = image_bgr.copy()
    view = explained.above.top.view
    _draw_area(drawn, explained.above, thick)
    for (piece, thing), name in zip(explained.things, names(explained), strict=True):
        _draw_thing(drawn, view, piece, thing, name, thick)
    for number, left in enumerate(explained.left_out, 1):
        _ring(drawn, view.to_frame(left.piece.outline_mm), AREA_BGR, thick)
        _label(drawn, view.to_frame([left.piece.mm])[0], f"X{number}", AREA_BGR, thick)
    return with_lines(_beside(drawn, _from_above(explained)), lines, largest=LEGEND_SIZE)


def names(explained: Explanation) -> list[str]:
    """Give each thing the short name that stands at it in the picture and in the legend: F1, D1, O1, H1."""
    letters = [type(thing).__name__.removeprefix("Seen")[0] for _, thing in explained.things]
    return [f"{letter}{letters[: k + 1].count(letter)}" for k, letter in enumerate(letters)]


def legend(explained: Explanation) -> list[str]:
    """Say in one line each what the table was found by, what every thing was taken for and why, and what was left out.

    Lengths are in millimetres on the table; shares are how sure the reader or the net is.
    """
    table = explained.observation.table
    if not table.found:
        lines = [f"no table. {table.advice or ''}".rstrip()]
        lines += [f"D{k}: {_die_words(die)}" for k, die in enumerate(explained.observation.dice, 1)]
        figures = enumerate(explained.observation.figures, 1)
        return lines + [f"F{k}: figure ({figure.confidence:.0%})" for k, figure in figures]
    lines = [f"table found by {table.markers} markers"]
    for (piece, thing), name in zip(explained.things, names(explained), strict=True):
        lines.append(f"{name}: {_words(piece, thing)}")
    for number, left in enumerate(explained.left_out, 1):
        kind = left.piece.kind.value
        lines.append(
            f"X{number}: left out, perhaps a {kind} ({left.piece.confidence:.0%}){_at(left.piece.mm)}: {left.why}"
        )
    return lines


def _words(piece: Piece, thing: Thing) -> str:
    match thing:
        case SeenDie():
            laid = "a cube fits its edges" if piece.footprint_mm is not None else "no cube fits its edges"
            return f"{_die_words(thing)}; side {piece.base_mm or 0:.1f} mm, {laid}"
        case SeenFigure():
            size = "" if thing.height_mm is None else f", {thing.height_mm:.0f} mm high"
            base = ", no base made out" if thing.base_mm is None else f", base {thing.base_mm:.0f} mm wide"
            on = f", on something {thing.on_mm:.0f} mm high" if thing.on_mm else ""
            return f"figure, {thing.pose.value} ({thing.confidence:.0%}){_at(thing.mm)}{size}{base}{on}"
        case SeenObstacle():
            corners = len(thing.outline_mm)
            return f"obstacle ({thing.confidence:.0%}){_at(piece.mm)}, {thing.height_mm:.0f} mm high, {corners} corners"
        case SeenHand():
            return "hand or arm: what lies under it is unknown"


def _die_words(die: SeenDie) -> str:
    if die.value is None:
        return f"die{_at(die.mm)} reads ?: {die.why or 'it could not be read'}"
    return f"die{_at(die.mm)} reads {die.value} ({die.confidence:.0%})"


def _at(mm: tuple[float, float] | None) -> str:
    return "" if mm is None else f" at {mm[0]:.0f}, {mm[1]:.0f} mm"


def _draw_area(drawn: Image, above: Above, thick: int) -> None:
    """Draw the edge of the play area, by which one sees how well the table was found."""
    x, y = above.top.area.width_mm / 2, above.top.area.depth_mm / 2
    corners = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    shares = np.linspace(0, 1, 12, endpoint=False)[:, None]
    edge = np.concatenate([a + shares * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
    _ring(drawn, above.top.view.to_frame(edge), AREA_BGR, thick)


def _draw_thing(drawn: Image, view: TableView, piece: Piece, thing: Thing, name: str, thick: int) -> None:
    match thing:
        case SeenDie():
            colour = COLOUR_OF["die"] if thing.value is not None else UNSURE_BGR
            if thing.top_px is not None:
                _ring(drawn, np.asarray(thing.top_px), colour, thick)
            if piece.footprint_mm is not None:
                _draw_prism(drawn, view, piece.footprint_mm, piece.on_mm, piece.height_mm, colour, 1)
            else:
                _ring(drawn, view.to_frame(piece.outline_mm), colour, thick)
            value = "?" if thing.value is None else str(thing.value)
            _label(drawn, np.array([thing.box[0], thing.box[1]]), f"{name}: {value}", colour, thick)
        case SeenFigure():
            colour = COLOUR_OF["figure"] if thing.pose is not Pose.UNSURE else UNSURE_BGR
            _ring(drawn, view.to_frame(piece.outline_mm), colour, thick)
            foot = view.to_frame([piece.mm], height_mm=thing.on_mm)[0]
            _cross(drawn, foot, colour, thick)
            name = f"{name}: {thing.pose.value}"
            if thing.pose is Pose.STANDING:
                if thing.base_mm:
                    angle = np.arange(32) * np.pi / 16
                    circle = np.column_stack([np.cos(angle), np.sin(angle)]) * thing.base_mm / 2 + np.array(piece.mm)
                    _ring(drawn, view.to_frame(circle, height_mm=thing.on_mm), colour, thick)
                if thing.height_mm:
                    head = view.to_frame([piece.mm], height_mm=thing.on_mm + thing.height_mm)[0]
                    _line(drawn, foot, head, colour, thick)
                    _cross(drawn, head, colour, thick)
                    name = f"{name}, {thing.height_mm:.0f} mm"
            _label(drawn, np.array([thing.box[0], thing.box[1]]), name, colour, thick)
        case SeenObstacle():
            colour = COLOUR_OF["obstacle"]
            _draw_prism(drawn, view, np.asarray(thing.outline_mm), piece.on_mm, thing.height_mm, colour, thick)
            corner = np.array([thing.box[0], thing.box[1]])
            _label(drawn, corner, f"{name}: {thing.height_mm:.0f} mm", colour, thick)
        case SeenHand():
            outline = np.asarray(thing.outline_px, dtype=np.float64).reshape(-1, 2)
            _ring(drawn, outline, COLOUR_OF["hand"], 2 * thick)
            if len(outline):
                _label(drawn, outline.mean(axis=0), name, COLOUR_OF["hand"], thick)


def _draw_prism(
    drawn: Image, view: TableView, footprint_mm: FloatArray, on_mm: float, height_mm: float, colour: Colour, thick: int
) -> None:
    """Draw an upright body: its footprint, its top and the verticals between."""
    low, high = view.to_frame(footprint_mm, height_mm=on_mm), view.to_frame(footprint_mm, height_mm=on_mm + height_mm)
    _ring(drawn, low, colour, thick)
    _ring(drawn, high, colour, thick)
    step = max(1, len(low) // FEW_CORNERS)
    for foot, head in zip(low[::step], high[::step], strict=True):
        _line(drawn, foot, head, colour, 1)


def _from_above(explained: Explanation) -> Image:
    """Draw the table from above, tinted by what each place was taken for, with the names of its colours below it."""
    above = explained.above
    assert above is not None, "asked for only where the table was found"
    picture = above.picture_bgr.copy()
    for number, kind in enumerate(KINDS):
        mask = above.kinds == number
        if kind in COLOUR_OF and mask.any():
            tint = np.array(COLOUR_OF[kind], np.float32)
            picture[mask] = np.round(picture[mask] * (1 - TINT) + tint * TINT).astype(np.uint8)
    for (piece, _), name in zip(explained.things, names(explained), strict=True):
        place = above.top.to_top([piece.mm])[0]
        _cross(picture, place, (255, 255, 255), 1)
        _label(picture, place, name, (255, 255, 255), 1)
    step = 24
    key = np.full((step + 6, picture.shape[1], 3), 30, np.uint8)
    shown = [kind for kind in KINDS[1:] if kind != "something" or (above.kinds == KINDS.index("something")).any()]
    for k, kind in enumerate(shown):
        x = 8 + k * (picture.shape[1] - 16) // len(shown)
        cv2.rectangle(key, (x, 8), (x + 14, 22), COLOUR_OF[kind], -1)
        cv2.putText(key, kind, (x + 20, 21), FONT, 0.45, (230, 230, 230), 1, cv2.LINE_AA)
    return np.vstack([picture, key])


def _beside(left: Image, right: Image) -> Image:
    """Put two pictures side by side, the right one made as high as the left one unless that makes it too wide."""
    scale = min(left.shape[0] / right.shape[0], ABOVE_WIDTH_SHARE * left.shape[1] / right.shape[1])
    width, height = max(1, round(right.shape[1] * scale)), max(1, round(right.shape[0] * scale))
    small = cv2.resize(right, (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    whole = np.full((max(left.shape[0], height), left.shape[1] + width, 3), 30, np.uint8)
    whole[: left.shape[0], : left.shape[1]] = left
    whole[:height, left.shape[1] :] = small
    return whole


def _ring(drawn: Image, points_px: FloatArray, colour: Colour, thick: int) -> None:
    points = points_px[np.isfinite(points_px).all(axis=1)]
    if len(points) > 1:
        cv2.polylines(drawn, [_pixels(points)], True, colour, thick, cv2.LINE_AA)


def _line(drawn: Image, start_px: FloatArray, end_px: FloatArray, colour: Colour, thick: int) -> None:
    if np.isfinite(start_px).all() and np.isfinite(end_px).all():
        start, end = _pixels(np.stack([start_px, end_px]))
        cv2.line(drawn, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), colour, thick, cv2.LINE_AA)


def _cross(drawn: Image, at_px: FloatArray, colour: Colour, thick: int) -> None:
    arm = 4.0 * thick
    for away in ((arm, 0.0), (0.0, arm)):
        _line(drawn, at_px - away, at_px + away, colour, thick)


def _label(drawn: Image, at_px: FloatArray, text: str, colour: Colour, thick: int) -> None:
    if not np.isfinite(at_px).all():
        return
    scale = 0.35 + 0.1 * thick
    (width, height), below = cv2.getTextSize(text, FONT, scale, 1)
    x, y = _pixels(at_px[None])[0]
    x = int(np.clip(x, 0, max(0, drawn.shape[1] - width)))
    y = int(np.clip(y - 4, height + 2, max(height + 2, drawn.shape[0] - below - 1)))
    cv2.rectangle(drawn, (x - 1, y - height - 2), (x + width + 1, y + below), (25, 25, 25), -1)
    cv2.putText(drawn, text, (x, y), FONT, scale, colour, 1, cv2.LINE_AA)


def _pixels(points_px: Sequence[FloatArray] | FloatArray) -> npt.NDArray[np.int32]:
    """Round to pixels; what lies far outside of any picture is brought near enough to be drawn."""
    return np.round(np.clip(np.asarray(points_px, dtype=np.float64), -20000, 20000)).astype(np.int32)
