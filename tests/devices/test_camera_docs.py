"""The manual knows every trouble."""

from __future__ import annotations

from pathlib import Path

import pytest

from devices.camera import TroubleCode
from devices.stream import USUAL_PATHS

MANUAL = (Path(__file__).resolve().parents[2] / "docs" / "cameras.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", list(TroubleCode))
def test_each_code_stands_in_the_manual(code: TroubleCode) -> None:
    assert f"`{code.value}`" in MANUAL


@pytest.mark.parametrize("path", USUAL_PATHS)
def test_each_place_that_is_tried_stands_in_the_manual(path: str) -> None:
    assert f"`{path}`" in MANUAL
