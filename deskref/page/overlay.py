"""The drawing over the live picture: dice with values, figures with names and pools, obstacles, who sees whom.

The same drawing goes over the camera's picture and over the view from above; only the way from millimetres to pixels
differs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from calibration.mat import INCH_MM
from deskref.desk import Desk, DeskDie, DeskFigure
from deskref.eyes import Seen
from deskref.inputs import side_number
from deskref.language import percent, say
from deskref.page.above import Above
from deskref.page.labels import (
    DIE,
    FIGURE,
    LATER,
    NEAR,
    Box,
    Labels,
    Layout,
    around,
    bounds,
    centred,
    leader,
    text_width,
)
from deskref.session import Session
from deskref.sight_lines import SightLine
from deskref.skuffle_attack import proposal
from deskref.skuffle_tasks import pools
from deskref.table_choice import MAT_TABLE, TableChoice
from deskref.tabletop import FIGURE_HEIGHT_MM, base_radius, figure_of
from rules.grid import Reach, SquareBoard
from vision.observation import Point, Pose, SeenDie

RING_POINTS: Final = 24
"""Corners by which a ring on the table is drawn."""

USUAL_DIE_MM: Final = 16.0
"""Side of a die whose size was not made out."""

NAME_PX: Final = 15.0
HEIGHT_PX: Final = 12.0
SIGHT_PX: Final = 12.0
DIE_PX: Final = 8.5
"""Sizes on the screen: of the letters of a name, a height, a hidden share; the least radius of the circle that has a
die's value. The style sheet has the same sizes of letters."""

USUAL_SCALE: Final = 1.5
"""Pixels of the picture for one of the screen: 1280 of a camera are shown about 830 wide on a small laptop."""

NAME_LETTERS: Final = 16
"""So many letters of a name are shown over the picture; pointing at it tells the rest."""

ALONG: Final = (0.6, 0.5, 0.7, 0.4, 0.8, 0.3, 0.2)
"""Where on a line of sight, or beside it, its share may stand."""

ON_LINE: Final = 5
"""So many rows of these places touch the line; from those farther off a thin line leads to it."""

SWITCHES_PX: Final = (350.0, 52.0)
"""Width and height on the screen of the buttons in the picture's right upper corner."""

NARROW_PX: Final = 560.0
"""A picture that is shown narrower has its buttons above it, not over it; as in the style sheet."""

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
    labels: Labels | None = None,
    scale: float = USUAL_SCALE,
) -> str:
    """Draw everything that is known over the picture, as SVG elements in the picture's pixels.

    Args:
        seen: the newest frame.
        session: the game.
        above: the map, to draw over the view from above; None draws over the camera's picture.
        table: what marks the table.
        lines: who sees whom.
        labels: where labels stood in the picture before.
        scale: pixels of the picture for one of the screen.
    """
    parts: list[str] = []
    size = above.size if above is not None else seen.frame.size
    layout = (labels or Labels()).layout(size)
    if size[0] / scale >= NARROW_PX:
        layout.block((size[0] - SWITCHES_PX[0] * scale, 0.0, float(size[0]), SWITCHES_PX[1] * scale), FIGURE)
    view: Projection | None = above if above is not None else seen.view
    dice = [_lying(d, above) for d in session.desk.dice] if above is not None else _all_seen(seen, session.desk)
    for die in dice:
        layout.block(die.box, DIE)
    figures = []
    if view is not None and seen.view is not None:
        figures = [f for f in (_ringed(view, session, f) for f in shown_figures(session)) if f is not None]
        for figure in figures:
            layout.block(figure.body, FIGURE)
    values = [_die(die, layout, scale) for die in dice]
    if view is not None and seen.view is not None:
        names = [_name(figure, layout, scale) for figure in figures]
        heights = [_height(view, o.outline_mm, o.height_mm, o.obstacle, layout, scale) for o in session.desk.obstacles]
        parts.append(play_area(view, table))
        parts += [_obstacle(view, o.outline_mm) for o in session.desk.obstacles]
        parts += [_sight(view, line, layout, scale) for line in lines]
        parts += _aim(view, session)
        parts += [figure.ring for figure in figures]
        parts += heights
        return "".join([*parts, *values, *names])
    return "".join([*parts, *values])


def draw_dice(dice: tuple[SeenDie, ...], *, size: tuple[int, int], scale: float = USUAL_SCALE) -> str:
    """Draw dice as they are read in one frame of a width and height, numbered in their order for clicks."""
    layout = Labels().layout(size)
    shown = [
        _DieShown(
            die.box, die.value, die.confidence, tag=f' data-die="{number}"', key=f"die{number}", cocked=die.cocked
        )
        for number, die in enumerate(dice)
    ]
    for die in shown:
        layout.block(die.box, DIE)
    return "".join(_die(die, layout, scale) for die in shown)


def side_of(session: Session, soldier: str) -> int:
    """The number of a soldier's side in the order of the set-up, from 0; it decides colour and shape."""
    return side_number(session.setup, soldier)


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


def _obstacle(view: Projection, outline_mm: tuple[Point, ...]) -> str:
    if len(outline_mm) < 3:
        return ""
    pixels = view.to_frame(list(outline_mm))
    return f'<polygon class="obstacle" points="{_points(pixels)}"/>' if np.isfinite(pixels).all() else ""


def _height(
    view: Projection, outline_mm: tuple[Point, ...], height_mm: float, obstacle: int, layout: Layout, scale: float
) -> str:
    """How high an obstacle is, in it or beside it."""
    if len(outline_mm) < 3 or height_mm <= 0:
        return ""
    pixels = view.to_frame(list(outline_mm))
    if not np.isfinite(pixels).all():
        return ""
    text = f"↥ {height_mm:.0f} mm"
    size = (text_width(text, HEIGHT_PX * scale), 1.3 * HEIGHT_PX * scale)
    x, y = pixels.mean(axis=0)
    places = [centred((float(x), float(y)), size), *around(bounds(pixels), size, gap=2 * scale)[:NEAR]]
    box = places[layout.put(f"height{obstacle}", places)]
    return f'<text class="height" {_middle(box)}>{text}</text>'


def _sight(view: Projection, line: SightLine, layout: Layout, scale: float) -> str:
    """A line from an attacker to a target, with how much of it is hidden."""
    (x0, y0), (x1, y1) = view.to_frame([line.from_mm, line.to_mm])
    if not math.isfinite(x0 + y0 + x1 + y1):
        return ""
    words = say("live_unseen") if line.is_hidden else say("live_hidden", percent=percent(line.hidden_share))
    state = "hidden" if line.is_hidden else "partly" if line.hidden_share > 0.005 else "open"
    label = ""
    if state != "open":
        size = (text_width(words, SIGHT_PX * scale), 1.3 * SIGHT_PX * scale)
        places = _beside_line((x0, y0), (x1, y1), size)
        at = layout.put(f"sight{line.target}", places, later=LATER / len(ALONG))
        box, far = places[at], ""
        if at >= len(ALONG) * ON_LINE:
            middle = ((x0 + x1) / 2, (y0 + y1) / 2)
            ends = leader(box, (*middle, *middle))
            far = '<line class="leader" x1="{:.0f}" y1="{:.0f}" x2="{:.0f}" y2="{:.0f}"/>'.format(*ends)
        label = f'{far}<text class="sight" {_middle(box)}>{escape(words)}</text>'
    return f'<line class="sight {state}" x1="{x0:.0f}" y1="{y0:.0f}" x2="{x1:.0f}" y2="{y1:.0f}"/>{label}'


def _beside_line(begin: Point, end: Point, size: tuple[float, float]) -> list[Box]:
    """Places of a label on a line of the picture, close beside it, and then clear of the figures at its ends."""
    (x0, y0), (x1, y1) = begin, end
    length = max(math.hypot(x1 - x0, y1 - y0), 1.0)
    across = (-(y1 - y0) / length, (x1 - x0) / length)
    # Half of the label as seen along the line: broad labels stand farther off from upright lines.
    half = (abs(across[0]) * size[0] + abs(across[1]) * size[1]) / 2
    ways = [0.0]
    for away in (size[1], half + 0.2 * size[1], half + 1.5 * size[1], half + 3.0 * size[1], half + 4.5 * size[1]):
        ways += [away, -away]
    return [
        centred((x0 + t * (x1 - x0) + way * across[0], y0 + t * (y1 - y0) + way * across[1]), size)
        for way in ways
        for t in ALONG
    ]


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


@dataclass(frozen=True, slots=True)
class _Ringed:
    """A figure's ring, and what its label says."""

    ring: str
    base: Box
    """Of the ring in the picture."""
    body: Box
    """Of ring and figure."""
    tag: str
    key: str
    side: str
    name: str
    pips: str
    is_turn: bool


def _ringed(view: Projection, session: Session, figure: DeskFigure) -> _Ringed | None:
    """Draw a figure's ring; None where it is not in the picture's plane."""
    soldier_id = dict(session.bindings).get(figure.figure)
    radius = base_radius(figure) + 2.0
    ring = [
        (figure.mm[0] + radius * math.cos(a), figure.mm[1] + radius * math.sin(a))
        for a in np.linspace(0, 2 * math.pi, RING_POINTS, endpoint=False)
    ]
    pixels = view.to_frame(ring)
    head = view.to_frame([figure.mm], height_mm=figure.height_mm or FIGURE_HEIGHT_MM)
    if not np.isfinite(pixels).all():
        return None
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
    tag = f'data-figure="{figure.figure}"'
    base = bounds(pixels)
    upright = np.isfinite(head).all() and figure.pose is not Pose.TIPPED
    return _Ringed(
        ring=f'<polygon class="{" ".join(classes)}" {tag} points="{_points(pixels)}"/>',
        base=base,
        body=bounds(np.vstack([pixels, head])) if upright else base,
        tag=tag,
        key=f"figure{figure.figure}",
        side=classes[1],
        name=name,
        pips=pips.rstrip(),
        is_turn="turn" in classes,
    )


def _name(figure: _Ringed, layout: Layout, scale: float) -> str:
    """A figure's name and pool on a tag beside its ring; where there is no room, farther off with a line to it."""
    font = NAME_PX * scale
    mark = "▶ " if figure.is_turn else ""
    name = figure.name if len(figure.name) <= NAME_LETTERS else f"{figure.name[: NAME_LETTERS - 1].rstrip()}…"
    size = (text_width(mark + name + figure.pips, font) + 0.6 * font, 1.3 * font)
    places = around(figure.base, size, gap=3 * scale)
    at = layout.put(figure.key, places)
    x0, y0, x1, y1 = places[at]
    line = ""
    if at >= NEAR:
        ends = leader(places[at], figure.base)
        line = '<line class="leader" x1="{:.0f}" y1="{:.0f}" x2="{:.0f}" y2="{:.0f}"/>'.format(*ends)
    title = f"<title>{escape(figure.name)}</title>" if name != figure.name else ""
    return (
        f'<g class="tag {figure.side}" {figure.tag}>{title}{line}<rect x="{x0:.0f}" y="{y0:.0f}" '
        f'width="{x1 - x0:.0f}" height="{y1 - y0:.0f}" rx="{0.3 * font:.0f}"/>'
        f'<text class="name" {_middle(places[at])}>'
        f"{mark}{escape(name)}<tspan class='pool'>{figure.pips}</tspan></text></g>"
    )


@dataclass(frozen=True, slots=True)
class _DieShown:
    """A die in the picture and what is said of it."""

    box: Box
    value: int | None
    sureness: float
    tag: str
    key: str
    moving: bool = False
    cocked: bool = False


def _all_seen(seen: Seen, desk: Desk) -> list[_DieShown]:
    """Dice as the camera sees them, each with the value that has settled."""
    return [_seen(die, desk, number) for number, die in enumerate(seen.observation.dice)]


def _seen(die: SeenDie, desk: Desk, number: int) -> _DieShown:
    track = _track_of(die, desk)
    settled = desk.die(track) if track is not None else None
    value = settled.value if settled is not None else die.value
    sureness = settled.confidence if settled is not None else die.confidence
    tag = f' data-die="{track}"' if track is not None else ""
    key = f"die{track}" if track is not None else f"unknown{number}"
    return _DieShown(die.box, value, sureness, tag=tag, key=key, cocked=die.cocked)


def _lying(die: DeskDie, above: Above) -> _DieShown:
    """A die on the map."""
    (x, y), half = above.to_frame([die.mm])[0], above.px_per_mm * USUAL_DIE_MM / 2
    box = (float(x) - half, float(y) - half, float(x) + half, float(y) + half)
    return _DieShown(
        box, die.value, die.confidence, tag=f' data-die="{die.die}"', key=f"die{die.die}", moving=die.moving
    )


def _die(die: _DieShown, layout: Layout, scale: float) -> str:
    """A box with the value at one of its corners; the ring round the value closes as far as the reading is sure."""
    x0, y0, x1, y1 = die.box
    radius = max(DIE_PX * scale, max(x1 - x0, y1 - y0) * 0.24)
    round_it = (2 * radius, 2 * radius)
    out = 0.4 * radius  # clear of the pips, and still at the corner
    corners = ((x1 + out, y0 - out), (x0 - out, y0 - out), (x1 + out, y1 + out), (x0 - out, y1 + out))
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    sides = ((x1 + radius, middle[1]), (x0 - radius, middle[1]), (middle[0], y0 - radius), (middle[0], y1 + radius))
    places = [centred(at, round_it) for at in (*corners, *sides)]
    box = places[layout.put(die.key, places)]
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    classes = "die unsure" if die.value is None else "die"
    classes += " moving" if die.moving else ""
    sure = round(100 * die.sureness) if die.value is not None else 0
    word = ""
    if die.cocked and die.value is None:
        told = say("die_cocked")
        size = (text_width(told, SIGHT_PX * scale), 1.3 * SIGHT_PX * scale)
        beside = around(die.box, size, gap=2 * scale)[:NEAR]
        at = beside[layout.put(f"{die.key}word", beside)]
        word = f'<text class="word" {_middle(at)}>{escape(told)}</text>'
    return (
        f'<g class="{classes}"{die.tag}>'
        f'<rect x="{x0:.0f}" y="{y0:.0f}" width="{x1 - x0:.0f}" height="{y1 - y0:.0f}" rx="6"/>'
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}"/>'
        f'<circle class="sure" cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}" pathLength="100" '
        f'stroke-dasharray="{sure - sure % 5} 100"/>'
        f'<text x="{x:.0f}" y="{y:.0f}">{"?" if die.value is None else die.value}</text>{word}</g>'
    )


def _middle(box: Box) -> str:
    """The middle of a box, as a text's attributes."""
    return f'x="{(box[0] + box[2]) / 2:.0f}" y="{(box[1] + box[3]) / 2:.0f}"'


def _track_of(die: SeenDie, desk: Desk) -> int | None:
    """The track of the die on the desk that was seen here, within half a die."""
    if die.mm is None:
        return None
    near = min(desk.dice, key=lambda d: math.dist(d.mm, die.mm or (0, 0)), default=None)
    return near.die if near is not None and math.dist(near.mm, die.mm) <= 8.0 else None


def _points(pixels: object) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in np.asarray(pixels).reshape(-1, 2))
