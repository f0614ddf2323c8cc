"""The test vectors of the rules, each through the public functions of its rule set.

The files `vector_kinds_*.py` beside this one say how a kind of vector is played. `data/vectors.json` came with the
rules, `data/more_vectors.json` was worked out by hand from the rule texts: both sides of each limit, and what the
first has few of. The environment variable DESKREF_VECTORS names another file to play instead of both.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]
Kind = Callable[[Json], Json]

HERE = Path(__file__).parent
OWN_VECTORS = (HERE / "data" / "vectors.json", HERE / "data" / "more_vectors.json")


def _kinds() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for path in sorted(HERE.glob("vector_kinds_*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert not kinds.keys() & module.KINDS.keys(), f"{path.name} repeats a kind"
        kinds |= module.KINDS
    return kinds


KINDS = _kinds()
OTHER = os.environ.get("DESKREF_VECTORS")
FILES: list[Json] = [
    json.loads(path.read_text(encoding="utf-8")) for path in ((Path(OTHER),) if OTHER else OWN_VECTORS)
]
VECTORS: list[Json] = [vector for file in FILES for vector in file["vectors"]]


def matches(result: Any, expected: Any) -> bool:
    """Whether a result holds what is expected: every key listed, fractions within their tolerance."""
    if isinstance(expected, dict) and expected.keys() == {"approx", "tol"}:
        return isinstance(result, int | float) and abs(result - expected["approx"]) <= expected["tol"]
    if isinstance(expected, dict):
        return isinstance(result, dict) and all(
            key in result and matches(result[key], value) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(result, list | tuple)
            and len(result) == len(expected)
            and all(matches(*pair) for pair in zip(result, expected, strict=True))
        )
    return type(result) is not bool and bool(result == expected) if type(expected) is not bool else result is expected


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in VECTORS])
def test_the_vector_holds(vector: Json) -> None:
    """What the vector expects is in the result."""
    assert vector["kind"] in KINDS, f"no file vector_kinds_*.py plays {vector['kind']!r}"
    result = KINDS[vector["kind"]](vector["input"])
    title = vector.get("title", vector["id"])
    assert matches(result, vector["expect"]), f"{title}: {result!r} does not hold {vector['expect']!r}"


def test_every_kind_is_played() -> None:
    """The lists of kinds in the files name none that nothing plays."""
    assert {kind for file in FILES for kind in file.get("kinds", ())} <= KINDS.keys()


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (True, 1),
        (1, True),
        (0, False),
        (None, False),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        ([1, 2], [1]),
        ([1], [1, 2]),
        (0.5, {"approx": 0.6, "tol": 0.05}),
        ("x", {"approx": 0.6, "tol": 0.05}),
        (None, {"a": 1}),
    ],
)
def test_a_wrong_result_does_not_match(result: Any, expected: Any) -> None:
    """The matcher can fail: wrong values, missing keys, a number for a yes."""
    assert not matches(result, expected)


@pytest.mark.parametrize(
    ("result", "expected"),
    [({"a": 1, "b": 2}, {"a": 1}), ([1, [2]], [1, [2]]), (0.56, {"approx": 0.6, "tol": 0.05}), (None, None)],
)
def test_more_than_expected_matches(result: Any, expected: Any) -> None:
    """Keys that nobody asked for and fractions within tolerance are no mistake."""
    assert matches(result, expected)
