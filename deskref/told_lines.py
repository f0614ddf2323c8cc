"""What the commands print of events, signals and rulings: a short line of words each."""

from __future__ import annotations

from typing import Any

from deskref.signal import Signal
from rules.ruling import Ruling
from vision import events as ev
from vision.observation import Point, Pose
from vision.track import middle


def signal_line(signal: Signal) -> str:
    """Say when something was said, what, and why."""
    why = " ".join(reason.text for reason in signal.reasons)
    return f"{signal.time_s:7.2f} s  {signal.message.text}{'  ' + why if why else ''}"


def ruling_line(action: object, ruling: Ruling[Any, Any]) -> str:
    """Say what the rules made of an action; one of which there is nothing to say is named."""
    told = [*(reason.text for reason in ruling.reasons), *(message.text for message in ruling.advice)]
    return " ".join(told) or f"{type(action).__name__}."


def event_line(event: ev.TableEvent) -> str:
    """Say when something happened on the table, and what."""
    return f"{event.time_s:8.2f} s  {_told(event)}"


def _told(event: ev.TableEvent) -> str:
    match event:
        case ev.DieEvent():
            return _of_die(event)
        case ev.FigureEvent():
            return _of_figure(event)
        case ev.FiguresUnsure():
            return f"figures {' and '.join(map(str, event.figures))} can no longer be told apart"
        case ev.ObstacleMoved(outline_mm=()):
            return f"obstacle {event.obstacle} is gone"
        case ev.ObstacleMoved():
            return f"obstacle {event.obstacle} stands at {_at(middle(event.outline_mm))}, {event.height_mm:.0f} mm high"
        case ev.HandOver():
            return "a hand reaches in"
        case ev.HandGone():
            return "nothing reaches in any more"
        case ev.CameraMoved():
            return "camera or table was pushed; places are measured anew"
        case ev.TableLost():
            return f"the table is lost. {event.advice}".rstrip()
        case ev.TableFound():
            return f"the table is found by {event.markers} markers" if event.markers else "the table is found"
    return event.kind


def _of_die(event: ev.DieEvent) -> str:
    die = f"die {event.die}" if event.colour is None else f"die {event.die} ({event.colour})"
    shows = "cannot be read" if event.value is None else f"shows {event.value}"
    match event:
        case ev.DieAppeared():
            return f"{die} lies at {_at(event.mm)} and {shows}"
        case ev.DieTaken():
            return f"{die} is taken from {_at(event.mm)}"
        case ev.DieRemoved():
            return f"{die} is off the table"
        case ev.DieThrown():
            return f"{die} is thrown"
        case ev.DieAtRest():
            return f"{die} has come to rest at {_at(event.mm)} and {shows}"
        case ev.DieMoved():
            return f"{die} is pushed from {_at(event.from_mm)} to {_at(event.mm)}"
        case ev.DieValueChanged():
            return f"{die} {shows} after a second look"
    return f"{die}: {event.kind}"


def _of_figure(event: ev.FigureEvent) -> str:
    figure = f"figure {event.figure}"
    match event:
        case ev.FigureEntered():
            does = "lies" if event.pose is Pose.TIPPED else "stands"
            height = "" if event.height_mm is None else f", {event.height_mm:.0f} mm high"
            return f"{figure} {does} at {_at(event.mm)}{height}"
        case ev.FigureLifted():
            return f"{figure} is lifted from {_at(event.mm)}"
        case ev.FigureMoved():
            return f"{figure} has moved from {_at(event.from_mm)} to {_at(event.mm)}"
        case ev.FigurePlaced():
            return f"{figure} is at {_at(event.mm)}, as is known better now"
        case ev.FigureTipped():
            return f"{figure} lies on its side at {_at(event.mm)}"
        case ev.FigureStood():
            return f"{figure} stands again at {_at(event.mm)}"
        case ev.FigureLeft():
            return f"{figure} is gone from the table"
    return f"{figure}: {event.kind}"


def _at(mm: Point) -> str:
    return f"{mm[0]:.0f}, {mm[1]:.0f} mm"
