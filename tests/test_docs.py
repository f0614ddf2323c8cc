"""The documentation names every command, option, setting, event and signal."""

from __future__ import annotations

import pathlib

import click
import pytest
import typer.main

from deskref.command_line import app
from deskref.recording import LineKind
from deskref.settings import Section, Settings
from deskref.signal import SignalKind
from vision.events import EVENTS

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
GROUP = typer.main.get_command(app)
assert hasattr(GROUP, "commands")
COMMANDS: dict[str, click.Command] = {
    name if sub is None else f"{name} {sub}": command
    for name, group in GROUP.commands.items()
    for sub, command in (getattr(group, "commands", None) or {None: group}).items()
}
"""Every command by its words, those of sub-commands too."""


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_option_is_documented(name: str) -> None:
    page = text("commands.md")
    assert f"`deskref {name}" in page
    for parameter in COMMANDS[name].params:
        for option in parameter.opts if parameter.param_type_name == "option" else ():
            assert f"`{option}" in page or f", `{option}" in page, f"{name} {option} is not in docs/commands.md"


def test_every_setting_is_documented() -> None:
    page = text("settings.md")
    for section, field in Settings.model_fields.items():
        assert isinstance(field.annotation, type)
        assert issubclass(field.annotation, Section)
        for setting in field.annotation.model_fields:
            assert f"`[{section}] {setting}`" in page, f"[{section}] {setting} is not in docs/settings.md"


@pytest.mark.parametrize("kind", [e.kind for e in EVENTS])
def test_every_event_is_documented(kind: str) -> None:
    assert f"`{kind}`" in text("recordings.md")


@pytest.mark.parametrize("kind", [*SignalKind, *LineKind])
def test_every_signal_and_line_is_documented(kind: str) -> None:
    assert f"`{kind}`" in text("recordings.md")


@pytest.mark.parametrize("page", sorted(p.name for p in DOCS.glob("*.md")))
def test_links_between_pages_lead_somewhere(page: str) -> None:
    import re

    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text(page)):
        if "://" not in target:
            assert (DOCS / target).exists(), f"{page} links to {target}"
