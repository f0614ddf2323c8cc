"""The drawing over the live picture: dice with values, figures with names and pools, obstacles, who sees whom.

The same drawing goes over the camera's picture and over the view from above; only the way from millimetres to pixels
differs.
"""

from __future__ import annotations

import math
from html import escape
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from calibration.mat import INCH_MM
from deskref.desk import Desk, DeskDie, DeskFigure
from deskref.eyes import Seen
from deskref.language import percent, say
from deskref.page.above import Above
from deskref.session import Session
from deskref.sight_lines import SightLine
from deskref.skuffle_attack import proposal
from deskref.skuffle_tasks import pools
from deskref.table_choice import MAT_TABLE, TableChoice
from deskref.tabletop import base_radius, figure_of
from rules.grid import Reach, SquareBoard
from vision.observation import Point, Pose, SeenDie

RING_POINTS: Final = 24
"""Corners by which a ring on the table is drawn."""

USUAL_DIE_MM: Final = 16.0
"""Side of a die whose size was not made out."""

EMIT_CLICKED: Final = """(event) => {
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  const thing = under.map((one) => one.closest("[data-die],[data-figure]")).find((one) => one !== null);
  if (thing) emit({...thing.dataset});
}"""
"""Sends which die or figure of the drawing was clicked.

It looks at the place and not at the event's target: where the drawing follows a new picture while the button is down,
the target is the whole drawing, and the click would be lost.
"""


class Projection(Protocol):
    """The way from table millimetres to the picture's pixels: a `TableView`, or the map of the view from above."""

    def to_frame(self, points_mm: npt.ArrayLike, *, height_mm: float = 0.0) -> npt.NDArray[np.float64]:
        """Map points, shape (n, 2), at a height above the table."""


def overlay(
    seen: Seen,
    session: Session,
    *,
    above: Above | None = None,
    table: TableChoice = MAT_TABLE,
    lines: tuple[SightLine, ...] = (),
) -> str:
    """Draw everything that is known over the picture, as SVG elements in the picture's pixels.

    Args:
        seen: the newest frame.
        session: the game.
        above: the map, to draw over the view from above; None draws over the camera's picture.
        table: what marks the table.
        lines: who sees whom.
    """
    parts: list[str] = []
    view: Projection | None = above if above is not None else seen.view
    if view is not None and seen.view is not None:
        parts.append(play_area(view, table))
        parts += [_obstacle(view, o.outline_mm, o.height_mm) for o in session.desk.obstacles]
        parts += [_sight(view, session, line) for line in lines]
        parts += _aim(view, session)
        parts += [_figure(view, session, figure) for figure in shown_figures(session)]
    if above is not None:
        parts += [_lying(die, above) for die in session.desk.dice]
    else:
        parts += [_seen(die, session.desk) for die in seen.observation.dice]
    return "".join(parts)


def draw_dice(dice: tuple[SeenDie, ...]) -> str:
    """Draw dice as they are read in one frame, numbered in their order for clicks."""
    return "".join(
        _die(die.box, die.value, die.confidence, tag=f' data-die="{number}"', cocked=die.cocked)
        for number, die in enumerate(dice)
    )


def side_of(session: Session, soldier: str) -> int:
    """The number of a soldier's side in the order of the set-up, from 0; it decides colour and shape."""
    if session.setup is None:
        return 0
    sides = list(dict.fromkeys(s.side or s.id for s in session.setup.soldiers))
    mine = next((s.side or s.id for s in session.setup.soldiers if s.id == soldier), None)
    return sides.index(mine) if mine in sides else 0


def shown_figures(session: Session) -> tuple[DeskFigure, ...]:
    """Return the figures that are shown, drawn and listed alike.

    A figure in somebody's hand is not where it stood. Once everybody of the game stands there, what belongs to nobody
    is no figure of the game: a pen, a cup, a second sight of somebody. While one is missing, each may be that one.
    """
    standing = tuple(figure for figure in session.desk.figures if not figure.lifted)
    bound = dict(session.bindings)
    if session.setup is None or session.book.game is None:
        return standing
    there = {bound[figure.figure] for figure in session.desk.figures if figure.figure in bound}  # in a hand or not
    fallen = {soldier.id for soldier in session.game.soldiers if soldier.is_dead} if session.game is not None else set()
    awaited = {soldier.id for soldier in session.setup.soldiers} - fallen
    return standing if awaited - there else tuple(figure for figure in standing if figure.figure in bound)


def play_area(view: Projection, table: TableChoice = MAT_TABLE) -> str:
    """Outline the play area."""
    half_width, half_depth = table.area.width_mm / 2, table.area.depth_mm / 2
    corners = view.to_frame(
        [(-half_width, half_depth), (half_width, half_depth), (half_width, -half_depth), (-half_width, -half_depth)]
    )
    return f'<polygon class="area" points="{_points(corners)}"/>' if np.isfinite(corners).all() else ""


def squares(view: Projection, board: SquareBoard, reach: Reach | None) -> str:
    """Draw a board of inch squares centred on the table, and what can be reached with its cost.

    Args:
        view: of the table.
        board: row 0 is the far one.
        reach: where the one whose turn it is can go; None draws the lines alone.
    """
    left, far = -board.columns * INCH_MM / 2, board.rows * INCH_MM / 2
    parts = []
    reached = [s for s in reach.squares if s.came_from is not None and s.may_end] if reach is not None else []
    farthest = max((s.cost_squares for s in reached), default=1)
    for square in reached:
        column, row = square.cell
        x, y = left + column * INCH_MM, far - row * INCH_MM
        corners = view.to_frame([(x, y), (x + INCH_MM, y), (x + INCH_MM, y - INCH_MM), (x, y - INCH_MM)])
        if not np.isfinite(corners).all():
            continue
        middle = corners.mean(axis=0)
        opacity = 0.42 - 0.3 * square.cost_squares / farthest
        parts.append(
            f'<polygon class="reached" points="{_points(corners)}" fill-opacity="{opacity:.2f}"/>'
            f'<text class="cost" x="{middle[0]:.0f}" y="{middle[1]:.0f}">{square.cost_squares}</text>'
        )
    ends = [((left + c * INCH_MM, far), (left + c * INCH_MM, -far)) for c in range(board.columns + 1)]
    ends += [((left, far - r * INCH_MM), (-left, far - r * INCH_MM)) for r in range(board.rows + 1)]
    for begin, end in ends:
        (x0, y0), (x1, y1) = view.to_frame([begin, end])
        if math.isfinite(x0 + y0 + x1 + y1):
            parts.append(f'<path class="grid-line" d="M{x0:.0f} {y0:.0f}L{x1:.0f} {y1:.0f}"/>')
    return "".join(parts)


def _obstacle(view: Projection, outline_mm: tuple[Point, ...], height_mm: float) -> str:
    if len(outline_mm) < 3:
        return ""
    pixels = view.to_frame(list(outline_mm))
    if not np.isfinite(pixels).all():
        return ""
    x, y = pixels.mean(axis=0)
    height = f'<text class="height" x="{x:.0f}" y="{y:.0f}">↥ {height_mm:.0f} mm</text>' if height_mm > 0 else ""
    return f'<polygon class="obstacle" points="{_points(pixels)}"/>{height}'


def _sight(view: Projection, session: Session, line: SightLine) -> str:
    """A line from an attacker to a target, with how much of it is hidden."""
    (x0, y0), (x1, y1) = view.to_frame([line.from_mm, line.to_mm])
    if not math.isfinite(x0 + y0 + x1 + y1):
        return ""
    words = say("live_unseen") if line.is_hidden else say("live_hidden", percent=percent(line.hidden_share))
    state = "hidden" if line.is_hidden else "partly" if line.hidden_share > 0.005 else "open"
    label = (
        "" if state == "open" else f'<text class="sight" x="{x0 + 0.6 * (x1 - x0):.0f}" y="{y0 + 0.6 * (y1 - y0):.0f}">'
    )
    label += f"{escape(words)}</text>" if label else ""
    return f'<line class="sight {state}" x1="{x0:.0f}" y1="{y0:.0f}" x2="{x1:.0f}" y2="{y1:.0f}"/>{label}'


def _aim(view: Projection, session: Session) -> list[str]:
    """The line from whose turn it is to whom a throw would be aimed at."""
    game = session.game
    attack = proposal(session) or (game.attack if game is not None else None)
    if attack is None:
        return []
    ends = [figure_of(session.desk, session.bindings, soldier) for soldier in (attack.by, attack.target)]
    if ends[0] is None or ends[1] is None or ends[0].lifted or ends[1].lifted:
        return []
    (x0, y0), (x1, y1) = view.to_frame([ends[0].mm, ends[1].mm])
    if not math.isfinite(x0 + y0 + x1 + y1):
        return []
    return [
        f'<line class="aim side{side_of(session, attack.by) % 4}" '
        f'x1="{x0:.0f}" y1="{y0:.0f}" x2="{x1:.0f}" y2="{y1:.0f}"/>',
        f'<circle class="aim-end" cx="{x1:.0f}" cy="{y1:.0f}" r="7"/>',
    ]


def _figure(view: Projection, session: Session, figure: DeskFigure) -> str:
    soldier_id = dict(session.bindings).get(figure.figure)
    radius = base_radius(figure) + 2.0
    ring = [
        (figure.mm[0] + radius * math.cos(a), figure.mm[1] + radius * math.sin(a))
        for a in np.linspace(0, 2 * math.pi, RING_POINTS, endpoint=False)
    ]
    pixels = view.to_frame(ring)
    if not np.isfinite(pixels).all():
        return ""
    game = session.game
    classes = ["ring", f"side{side_of(session, soldier_id) % 4}" if soldier_id else "nobody"]
    name, pips = "?", ""
    if soldier_id is not None and session.setup is not None:
        name = next((s.name for s in session.setup.soldiers if s.id == soldier_id), "?")
        if game is not None:
            soldier = game.soldier(soldier_id)
            pips = " " + "■" * max(0, soldier.pool) if not soldier.is_dead else " ✝"
            classes += ["dead"] if soldier.is_dead else []
            classes += ["turn"] if game.current == soldier_id else []
        else:
            pips = " " + "■" * pools(session).count(soldier_id)
    classes += ["tipped"] if figure.pose is Pose.TIPPED else []
    below = pixels[int(np.argmax(pixels[:, 1]))]
    is_turn = "▶ " if "turn" in classes else ""
    return (
        f'<polygon class="{" ".join(classes)}" data-figure="{figure.figure}" points="{_points(pixels)}"/>'
        f'<text class="name {classes[1]}" x="{pixels[:, 0].mean():.0f}" y="{below[1] + 20:.0f}">'
        f"{is_turn}{escape(name)}<tspan class='pool'>{pips}</tspan></text>"
    )


def _seen(die: SeenDie, desk: Desk) -> str:
    """A die as the camera sees it, with the value that has settled."""
    track = _track_of(die, desk)
    settled = desk.die(track) if track is not None else None
    value = settled.value if settled is not None else die.value
    sureness = settled.confidence if settled is not None else die.confidence
    return _die(die.box, value, sureness, tag=f' data-die="{track}"' if track is not None else "", cocked=die.cocked)


def _lying(die: DeskDie, above: Above) -> str:
    """A die on the map."""
    (x, y), half = above.to_frame([die.mm])[0], above.px_per_mm * USUAL_DIE_MM / 2
    box = (float(x) - half, float(y) - half, float(x) + half, float(y) + half)
    return _die(box, die.value, die.confidence, tag=f' data-die="{die.die}"', moving=die.moving)


def _die(
    box: tuple[float, float, float, float],
    value: int | None,
    sureness: float,
    *,
    tag: str,
    moving: bool = False,
    cocked: bool = False,
) -> str:
    """A box with the value beside it; the ring round the value closes as far as the reading is sure."""
    x0, y0, x1, y1 = box
    size = max(x1 - x0, y1 - y0)
    radius = max(12.0, size * 0.24)
    classes = "die unsure" if value is None else "die"
    classes += " moving" if moving else ""
    sure = round(100 * sureness) if value is not None else 0
    word = ""
    if cocked and value is None:
        word = f'<text class="word" x="{(x0 + x1) / 2:.0f}" y="{y1 + radius:.0f}">{escape(say("die_cocked"))}</text>'
    return (
        f'<g class="{classes}"{tag}>'
        f'<rect x="{x0:.0f}" y="{y0:.0f}" width="{x1 - x0:.0f}" height="{y1 - y0:.0f}" rx="6"/>'
        f'<circle cx="{x1:.0f}" cy="{y0:.0f}" r="{radius:.0f}"/>'
        f'<circle class="sure" cx="{x1:.0f}" cy="{y0:.0f}" r="{radius:.0f}" pathLength="100" '
        f'stroke-dasharray="{sure - sure % 5} 100"/>'
        f'<text x="{x1:.0f}" y="{y0:.0f}">{"?" if value is None else value}</text>{word}</g>'
    )


def _track_of(die: SeenDie, desk: Desk) -> int | None:
    """The track of the die on the desk that was seen here, within half a die."""
    if die.mm is None:
        return None
    near = min(desk.dice, key=lambda d: math.dist(d.mm, die.mm or (0, 0)), default=None)
    return near.die if near is not None and math.dist(near.mm, die.mm) <= 8.0 else None


def _points(pixels: object) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in np.asarray(pixels).reshape(-1, 2))
