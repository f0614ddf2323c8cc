"""The drawing over the live picture: dice with values, figures with names and pools, and the line of the attack."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from calibration.table_view import TableView
from deskref.desk import Desk, DeskFigure
from deskref.eyes import Seen
from deskref.session import Session
from deskref.skuffle_referee import proposal
from deskref.skuffle_tasks import pools
from deskref.tabletop import base_radius, figure_of
from vision.observation import Pose, SeenDie

RING_POINTS = 24
"""Corners by which a ring on the table is drawn."""


def overlay(seen: Seen, session: Session) -> str:
    """Draw everything that is known over the picture, as SVG elements in the picture's pixels."""
    parts: list[str] = []
    view = seen.view
    if view is not None:
        parts.append(_play_area(view))
        parts += [_obstacle(view, o.outline_mm) for o in session.desk.obstacles]
        parts += _aim(view, session)
        parts += [_figure(view, session, figure) for figure in session.desk.figures]
    parts += [_die(die, session.desk, view) for die in seen.observation.dice]
    return "".join(parts)


def side_of(session: Session, soldier: str) -> int:
    """The number of a soldier's side in the order of the set-up, from 0; it decides colour and shape."""
    if session.setup is None:
        return 0
    sides = list(dict.fromkeys(s.side or s.id for s in session.setup.soldiers))
    mine = next((s.side or s.id for s in session.setup.soldiers if s.id == soldier), None)
    return sides.index(mine) if mine in sides else 0


def _play_area(view: TableView) -> str:
    corners = view.to_frame([(-100, 100), (100, 100), (100, -100), (-100, -100)])
    return f'<polygon class="area" points="{_points(corners)}"/>'


def _obstacle(view: TableView, outline_mm: tuple[tuple[float, float], ...]) -> str:
    return f'<polygon class="obstacle" points="{_points(view.to_frame(list(outline_mm)))}"/>'


def _aim(view: TableView, session: Session) -> list[str]:
    """The line from whose turn it is to whom a throw would be aimed at."""
    game = session.game
    attack = proposal(session) or (game.attack if game is not None else None)
    if attack is None:
        return []
    ends = [figure_of(session.desk, session.bindings, soldier) for soldier in (attack.by, attack.target)]
    if ends[0] is None or ends[1] is None:
        return []
    (x0, y0), (x1, y1) = view.to_frame([ends[0].mm, ends[1].mm])
    return [
        f'<line class="aim side{side_of(session, attack.by)}" '
        f'x1="{x0:.0f}" y1="{y0:.0f}" x2="{x1:.0f}" y2="{y1:.0f}"/>',
        f'<circle class="aim-end" cx="{x1:.0f}" cy="{y1:.0f}" r="7"/>',
    ]


def _figure(view: TableView, session: Session, figure: DeskFigure) -> str:
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
    classes = ["ring", f"side{side_of(session, soldier_id)}" if soldier_id else "nobody"]
    name, pips = "?", ""
    if soldier_id is not None and session.setup is not None:
        name = next(s.name for s in session.setup.soldiers if s.id == soldier_id)
        if game is not None:
            soldier = game.soldier(soldier_id)
            pips = " " + "■" * max(0, soldier.pool) if not soldier.is_dead else " ✝"
            classes += ["dead"] if soldier.is_dead else []
            classes += ["turn"] if game.current == soldier_id else []
        else:
            pips = " " + "■" * pools(session).count(soldier_id)
    classes += ["lifted"] if figure.lifted else []
    classes += ["tipped"] if figure.pose is Pose.TIPPED else []
    below = pixels[int(np.argmax(pixels[:, 1]))]
    return (
        f'<polygon class="{" ".join(classes)}" data-figure="{figure.figure}" points="{_points(pixels)}"/>'
        f'<text class="name {classes[1]}" x="{pixels[:, 0].mean():.0f}" y="{below[1] + 20:.0f}">'
        f"{escape(name)}<tspan class='pool'>{pips}</tspan></text>"
    )


def _die(die: SeenDie, desk: Desk, view: TableView | None) -> str:
    x0, y0, x1, y1 = die.box
    track = _track_of(die, desk)
    settled = desk.die(track) if track is not None else None
    value = settled.value if settled is not None else die.value
    label = "?" if value is None else str(value)
    classes = "die unsure" if value is None else "die"
    size = max(x1 - x0, y1 - y0)
    tag = f' data-die="{track}"' if track is not None else ""
    return (
        f'<g class="{classes}"{tag}>'
        f'<rect x="{x0:.0f}" y="{y0:.0f}" width="{x1 - x0:.0f}" height="{y1 - y0:.0f}" rx="6"/>'
        f'<circle cx="{x1:.0f}" cy="{y0:.0f}" r="{max(12.0, size * 0.24):.0f}"/>'
        f'<text x="{x1:.0f}" y="{y0:.0f}">{label}</text></g>'
    )


def _track_of(die: SeenDie, desk: Desk) -> int | None:
    """The track of the die on the desk that was seen here, within half a die."""
    if die.mm is None:
        return None
    near = min(desk.dice, key=lambda d: math.dist(d.mm, die.mm or (0, 0)), default=None)
    return near.die if near is not None and math.dist(near.mm, die.mm) <= 8.0 else None


def _points(pixels: object) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in np.asarray(pixels).reshape(-1, 2))
