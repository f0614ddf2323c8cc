"""Speed of movement and cover, with networkx beside it on the same boards.

Processor time, so that whatever else runs on the machine counts less.
"""

from __future__ import annotations

import random
import time
from itertools import permutations
from typing import Any

import pytest

from rules.footprints import Cell
from rules.grid import Mover, SquareBoard, cheapest, reach
from rules.sight import Cover, Figure, Obstacle, cover

pytestmark = pytest.mark.slow


def rubble(size: int, *, seed: int = 7) -> SquareBoard:
    """A board with 20 % walls and 20 % difficult squares."""
    randomness = random.Random(seed)
    cells = [(x, y) for x in range(size) for y in range(size)]
    randomness.shuffle(cells)
    fifth = size * size // 5
    return SquareBoard(size, size, tuple(cells[:fifth]), tuple(cells[fifth : 2 * fifth]))


def free_square_near(board: SquareBoard, x: int, y: int) -> Cell:
    walls = set(board.walls)
    cells = [(column, row) for column in range(board.columns) for row in range(board.rows)]
    return min((cell for cell in cells if cell not in walls), key=lambda cell: abs(cell[0] - x) + abs(cell[1] - y))


def expanded_graph(board: SquareBoard) -> Any:
    """The board as networkx has it: a node for each square and parity of the diagonals used."""
    import networkx

    walls, difficult = set(board.walls), set(board.difficult)
    graph = networkx.DiGraph()
    for x in range(board.columns):
        for y in range(board.rows):
            for dx, dy in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
                to = (x + dx, y + dy)
                blocked = {(x, y), to} | ({(x + dx, y), (x, y + dy)} if dx and dy else set())
                if blocked & walls or not board.holds(to):
                    continue
                for parity in (0, 1):
                    step = 1 + (to in difficult) + (parity if dx and dy else 0)
                    graph.add_edge(((x, y), parity), (to, 1 - parity if dx and dy else parity), weight=step)
    return graph


BOARD_40, BOARD_100 = rubble(40), rubble(100)
MIDDLE = free_square_near(BOARD_40, 20, 20)
CORNERS = free_square_near(BOARD_100, 0, 0), free_square_near(BOARD_100, 99, 99)


def by_networkx(graph: Any, start: Cell, cutoff: int | None = None) -> dict[Cell, int]:
    import networkx

    costs: dict[Cell, int] = {}
    for (cell, _), cost in networkx.single_source_dijkstra_path_length(graph, (start, 0), cutoff=cutoff).items():
        costs[cell] = min(cost, costs.get(cell, cost))
    return costs


@pytest.mark.benchmark(group="reach, 40 x 40, Speed 12", timer=time.process_time)
def test_reach_with_speed_12_takes_under_3_ms(benchmark: Any) -> None:
    reached = benchmark(reach, BOARD_40, Mover(MIDDLE), speed_squares=12)
    costs = {square.cell: square.cost_squares for square in reached.squares}
    assert costs == by_networkx(expanded_graph(BOARD_40), MIDDLE, 12)
    assert benchmark.stats.stats.median < 0.003


@pytest.mark.benchmark(group="reach, 40 x 40, Speed 12", timer=time.process_time)
def test_networkx_on_the_same_reach(benchmark: Any) -> None:
    graph = expanded_graph(BOARD_40)
    assert benchmark(by_networkx, graph, MIDDLE, 12)


@pytest.mark.benchmark(group="reach, 40 x 40, whole board", timer=time.process_time)
def test_the_whole_board_takes_under_25_ms(benchmark: Any) -> None:
    reached = benchmark(reach, BOARD_40, Mover(MIDDLE))
    costs = {square.cell: square.cost_squares for square in reached.squares}
    assert costs == by_networkx(expanded_graph(BOARD_40), MIDDLE)
    assert benchmark.stats.stats.median < 0.025


@pytest.mark.benchmark(group="reach, 40 x 40, whole board", timer=time.process_time)
def test_networkx_on_the_same_board(benchmark: Any) -> None:
    graph = expanded_graph(BOARD_40)
    assert benchmark(by_networkx, graph, MIDDLE)


@pytest.mark.benchmark(group="reach, 40 x 40, whole board", timer=time.process_time)
def test_networkx_with_building_its_graph(benchmark: Any) -> None:
    """A board changes with every move, so the graph has to be built as well."""
    assert benchmark(lambda: by_networkx(expanded_graph(BOARD_40), MIDDLE))


@pytest.mark.benchmark(group="reach, 40 x 40, whole board", timer=time.process_time)
def test_a_large_base_on_the_whole_board(benchmark: Any) -> None:
    assert benchmark(reach, SquareBoard(40, 40, difficult=BOARD_40.difficult), Mover((0, 0), (2, 2)))


@pytest.mark.benchmark(group="route, 100 x 100", timer=time.process_time)
def test_a_route_across_100_squares_takes_under_30_ms(benchmark: Any) -> None:
    route = benchmark(cheapest, BOARD_100, Mover(CORNERS[0]), CORNERS[1])
    assert route.cost_squares == by_networkx(expanded_graph(BOARD_100), CORNERS[0])[CORNERS[1]]
    assert benchmark.stats.stats.median < 0.030


@pytest.mark.benchmark(group="route, 100 x 100", timer=time.process_time)
def test_networkx_on_the_same_route(benchmark: Any) -> None:
    import networkx

    graph = expanded_graph(BOARD_100)
    goal = min((0, 1), key=lambda parity: networkx.dijkstra_path_length(graph, (CORNERS[0], 0), (CORNERS[1], parity)))
    assert benchmark(networkx.dijkstra_path_length, graph, (CORNERS[0], 0), (CORNERS[1], goal))


def desk() -> tuple[list[Figure], list[Obstacle]]:
    """Eight figures and twelve obstacles of four to eight corners with heights on 20 x 20 cm."""
    randomness = random.Random(3)
    figures = [
        Figure(f"figure {n}", (randomness.uniform(10, 190), randomness.uniform(10, 190)), 12.5, 32.0) for n in range(8)
    ]
    obstacles = []
    for number in range(12):
        x, y = randomness.uniform(10, 180), randomness.uniform(10, 180)
        width, depth = randomness.uniform(8, 40), randomness.uniform(4, 20)
        outline = [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]
        if number % 2:
            outline += [(x - 3, y + depth * 0.7), (x - 4, y + depth * 0.3)]
            outline[1:1] = [(x + width / 3, y - 2), (x + 2 * width / 3, y - 2)]
        obstacles.append(Obstacle(f"obstacle {number}", tuple(outline), randomness.uniform(5, 60)))
    return figures, obstacles


@pytest.mark.benchmark(group="cover, 8 figures, 12 obstacles", timer=time.process_time)
def test_cover_of_all_pairs_takes_under_20_ms(benchmark: Any) -> None:
    figures, obstacles = desk()

    def judge() -> list[Cover]:
        return [cover(a, b, obstacles) for a, b in permutations(figures, 2)]

    judged = benchmark(judge)
    assert len(judged) == 56
    assert len({view.degree for view in judged}) > 2
    assert benchmark.stats.stats.median < 0.020
