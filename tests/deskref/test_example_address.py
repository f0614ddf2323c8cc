"""The example of a film's path is one of the system that deskref runs on."""

from __future__ import annotations

import pytest

from deskref import language
from deskref.page.example_address import example_address


@pytest.mark.parametrize(
    ("system", "has", "lacks"),
    [("win32", "C:\\videos", "/home"), ("darwin", "/Users/", "C:"), ("linux", "/home/", "C:")],
)
def test_a_path_is_of_the_system_in_every_language(system: str, has: str, lacks: str) -> None:
    try:
        for code in ("en", "de", "es"):
            language.use(code)
            example = example_address(system)
            assert "http://192.168.1.20:8080" in example
            assert has in example
            assert lacks not in example
    finally:
        language.use("en")
