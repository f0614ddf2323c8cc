"""Who may import whom; the table of the architecture, kept by machine."""

import ast
import pathlib
from functools import cache

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = {"calibration", "deskref", "devices", "models", "rules", "vision"}
MAY_IMPORT: dict[str, set[str]] = {
    "rules": set(),
    "calibration": set(),
    "models": set(),
    "devices": set(),
    "vision": {"calibration", "models"},
    "deskref": PACKAGES - {"deskref"},
}
RULES_LIBRARIES = {"shapely"}
"""What the rules may use beyond the standard library."""


def modules(package: str) -> list[pathlib.Path]:
    return sorted(p for p in (ROOT / package).rglob("*.py") if "training" not in p.parts)


@cache
def imported(path: pathlib.Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_a_package_imports_only_what_it_may(package: str) -> None:
    """The walls between the packages stand."""
    found = modules(package)
    assert found
    for path in found:
        ours = imported(path) & PACKAGES - {package}
        assert ours <= MAY_IMPORT[package], f"{path.relative_to(ROOT)} imports {ours - MAY_IMPORT[package]}"


def test_the_rules_know_no_camera() -> None:
    """The rules use the standard library, and shapely for cover: no pictures, no clock, no chance."""
    import sys

    allowed = set(sys.stdlib_module_names) | RULES_LIBRARIES | {"rules"}
    forbidden = {"random", "time", "datetime", "socket", "threading", "os"}
    for path in modules("rules"):
        names = imported(path)
        assert names <= allowed, f"{path.name} imports {names - allowed}"
        assert not names & forbidden, f"{path.name} imports {names & forbidden}"


def test_nothing_that_plays_imports_the_training() -> None:
    """A player never needs torch or a renderer."""
    heavy = {"torch", "onnx", "bpy", "mujoco", "trimesh", "manifold3d", "numba", "scipy"}
    for package in sorted(PACKAGES):
        for path in modules(package):
            assert not imported(path) & heavy, path
            assert "models.training" not in path.read_text(encoding="utf-8").replace("`models.training", ""), path
