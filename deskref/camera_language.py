"""What is wrong with a camera, and what could be better about its view of the table, in the table's language."""

from __future__ import annotations

from calibration.table import TableNotFound
from calibration.view_quality import Advice
from deskref.language import now, say
from deskref.typed_command import as_typed
from devices.camera import Trouble


def trouble_told(trouble: Trouble) -> tuple[str, str]:
    """Give a camera's trouble and its remedy, empty where nothing has to be done; in English where it has no id."""
    if not trouble.says:
        return as_typed(trouble.message), as_typed(trouble.remedy)
    params = dict(trouble.params)
    return say(trouble.says, **params), say(f"{trouble.says}_do", **params) if trouble.remedy else ""


def trouble_line(trouble: Trouble) -> str:
    """Give both in one line."""
    return " ".join(trouble_told(trouble)).rstrip()


def view_told(advice: Advice) -> tuple[str, str]:
    """Give what could be better about a view, and what to do about it."""
    where = say(f"where_{advice.where.replace(' ', '_')}") if advice.where else ""
    message, remedy = now().words[advice.says], now().words[f"{advice.says}_do"]
    return message.format(value=advice.value, where=where), remedy


def view_line(advice: Advice) -> str:
    """Give both in one line."""
    return " ".join(view_told(advice))


def not_found_told(found: TableNotFound) -> tuple[str, str]:
    """Give why no table is found, and what to do about it."""
    return say(found.says, **found.params), say(f"{found.says}_do", **found.params)
