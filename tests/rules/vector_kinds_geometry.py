"""Vector kinds of movement, adjacency and cover."""

from __future__ import annotations

from typing import Any

from rules import engagement, freeform, grid, hexes, sight
from rules.footprints import MM_PER_INCH, Cell, cells_of
from rules.ruling import IllegalActionError
from rules.world_saga.initiative import Side
from rules.world_saga.state import Combat, Combatant
from rules.world_saga.striding import plan_stride

Json = dict[str, Any]


def path(given: Json) -> Json:
    """A walk of one or more stretches; a board just big enough is laid under it."""
    segments = [[tuple(cell) for cell in segment] for segment in given["segments"]]
    named = [cell for segment in segments for cell in segment]
    footprint = tuple(given.get("footprint", (1, 1)))
    # The board is moved so that its first square is (0, 0) whatever numbers the vector uses.
    left, top = min(x for x, _ in named) - 1, min(y for _, y in named) - 1

    def moved(cells: Any) -> tuple[Cell, ...]:
        return tuple((x - left, y - top) for x, y in cells)

    board = grid.SquareBoard(
        max(x for x, _ in named) - left + 1 + footprint[0],
        max(y for _, y in named) - top + 1 + footprint[1],
        walls=moved(given.get("walls", ())),
        difficult=moved(given.get("difficult", ())),
        corners=grid.CornerRule(given.get("corner", "no_cut")),
    )
    mover = grid.Mover(
        moved(segments[0][:1])[0],
        footprint,
        moved(given.get("allies", ())),
        moved(given.get("enemies", ())),
        diagonals_used=given.get("diagonals_used", 0),
    )
    try:
        walk = grid.walk(board, mover, [cell for segment in segments for cell in moved(segment[1:])])
    except IllegalActionError as refused:
        return {"error": refused.code, "total": None}
    return {
        "step_costs": [step.cost_squares for step in walk.steps],
        "total": walk.cost_squares,
        "diagonals_used": walk.diagonals_used,
    }


def _board(given: Json) -> tuple[grid.SquareBoard, grid.Mover, Cell | None]:
    rows = given["map"]

    def marked(mark: str) -> tuple[Cell, ...]:
        return tuple((x, y) for y, row in enumerate(rows) for x, square in enumerate(row) if square == mark)

    board = grid.SquareBoard(
        len(rows[0]), len(rows), marked("#"), marked("d"), corners=grid.CornerRule(given.get("corner", "no_cut"))
    )
    start = tuple(given["start"]) if "start" in given else marked("S")[0]
    goals = [tuple(given["goal"])] if "goal" in given else marked("G")
    footprint = tuple(given.get("footprint", (1, 1)))
    mover = grid.Mover(start, footprint, marked("a"), marked("e"), given.get("diagonals_used", 0))
    return board, mover, goals[0] if goals else None


def shortest(given: Json) -> Json:
    """The cheapest route on a drawn map."""
    board, mover, goal = _board(given)
    assert goal is not None
    route = grid.cheapest(board, mover, goal)
    if route is None:
        return {"cost": None, "reachable": False}
    budget = given.get("budget", route.cost_squares)
    return {"cost": route.cost_squares, "reachable": route.may_end and route.cost_squares <= budget}


def reach(given: Json) -> Json:
    """How many squares a move can end on, the start not counted."""
    board, mover, _ = _board(given)
    reached = grid.reach(board, mover, speed_squares=given.get("budget"))
    return {"count": sum(square.may_end and square.cell != mover.at for square in reached.squares)}


def hex_distance(given: Json) -> Json:
    """Steps between two hexes."""
    return {"distance": hexes.distance(tuple(given["a"]), tuple(given["b"]))}


def hex_path(given: Json) -> Json:
    """A walk over hexes, moved onto a board that holds all of it."""
    cells = [tuple(cell) for cell in given["path"]]
    q0, r0 = min(q for q, _ in cells), min(r for _, r in cells)

    def moved(named: Any) -> tuple[Cell, ...]:
        return tuple((q - q0, r - r0) for q, r in named)

    board = hexes.HexBoard(
        max(q + r for q, r in moved(cells)) + 1,
        max(r for _, r in moved(cells)) + 1,
        walls=moved(given.get("walls", ())),
        difficult=moved(given.get("difficult", ())),
    )
    start, *steps = moved(cells)
    mover = hexes.HexMover(start, moved(given.get("allies", ())), moved(given.get("enemies", ())))
    try:
        walk = hexes.walk(board, mover, steps)
    except IllegalActionError as refused:
        return {"error": refused.code, "total": None}
    return {"step_costs": [step.cost_squares for step in walk.steps], "total": walk.cost_squares}


def free(given: Json) -> Json:
    """A Stride on the free table; squares to two decimals as the vectors give them."""
    difficult = tuple(((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, y0, x1, y1 in given.get("difficult_rects", ()))
    ground = freeform.Ground(given.get("unit_mm", 25.4), difficult)
    start, *way = [tuple(point) for point in given["path"]]
    squares = round(freeform.measure(ground, [start, *way]).squares, 2)
    walker = Combatant("walker", Side.PC, 10, speed=given.get("speed"), place=start)
    try:
        plan = plan_stride(Combat((walker,), ground), "walker", tuple(way))
    except IllegalActionError as refused:
        return {"squares": squares, "allowed": refused.code != "ws_too_far"}
    assert round(plan.squares, 2) == squares
    return {"squares": squares, "allowed": True}


def engaged(given: Json) -> Json:
    """Whether two figures are adjacent."""
    a, b = given["a"], given["b"]
    if given.get("mode") == "freeform":
        radii = [each.get("r", MM_PER_INCH / 2) for each in (a, b)]
        return {"engaged": engagement.adjacent_on_table(tuple(a["at"]), radii[0], tuple(b["at"]), radii[1])}
    if given.get("mode") == "hex":
        return {"engaged": engagement.adjacent_on_hexes(hexes.HexBoard(1, 1), tuple(a["at"]), tuple(b["at"]))}
    board = grid.SquareBoard(1, 1, walls=tuple(tuple(cell) for cell in given.get("walls", ())))
    covered = [cells_of(tuple(each["at"]), tuple(each.get("size", (1, 1)))) for each in (a, b)]
    return {"engaged": engagement.adjacent_on_squares(board, *covered)}


def cover(given: Json) -> Json:
    """The hidden share of a target."""
    obstacles = [
        sight.Obstacle(
            f"obstacle {number}",
            tuple((x, y) for x, y in each["poly"]),
            each.get("h"),
            sight.ObstacleKind(each.get("kind", "object")),
        )
        for number, each in enumerate(given.get("obstacles", ()))
    ]
    target = sight.Figure("target", tuple(given["target"]), given["target_radius"], given.get("target_h"))
    sight_rules = sight.SightRules(creatures_cover=given.get("creatures_cover", False))
    eye = sight.Eye(tuple(given["eye"]), given.get("eye_h"))
    share = sight.hidden_share(eye, target, obstacles, sight_rules=sight_rules)
    return {"fraction": share, "degree": sight.degree_of(share).value, "borderline": sight.is_borderline(share)}


KINDS = {
    "grid_path": path,
    "grid_shortest": shortest,
    "grid_reach": reach,
    "hex_distance": hex_distance,
    "hex_path": hex_path,
    "freeform": free,
    "engaged": engaged,
    "cover": cover,
}
