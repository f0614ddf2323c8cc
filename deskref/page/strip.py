"""The strip of lights drawn on the page, as it would be round the table.

Its motions are sent ahead, some seconds at once, and drawn by the browser on a canvas over the dark lights: ten new
pictures a second as elements of the page took a tenth of a processor core, more than the camera's picture.
"""

from __future__ import annotations

import json
import math
from html import escape
from typing import Final

from nicegui import ui

from deskref.language import say
from deskref.light_and_sound import Colour
from deskref.lights import Lights, is_moving, picture_at
from deskref.session import Session
from deskref.signal import SignalKind

LEDS: Final = 48
"""As on the recommended board."""

SIDES: Final = ("far", "right", "near", "left")
"""The table's edges in the order of the lights: clockwise from the far left corner, a quarter of them each."""

STEP_S: Final = 0.1
"""Between two pictures of the strip: no motion of it is quicker."""

AHEAD: Final = 20
"""Pictures that are sent at once."""

BESIDE: Final = frozenset({SignalKind.HIT, SignalKind.MISS, SignalKind.SAVED, SignalKind.DEATH})
"""What is shown beside a soldier on the table, whom the words then name."""


class Strip:
    """The strip in one window; built into the current element, for `strip.js` to draw on."""

    def __init__(self) -> None:
        """Draw it dark."""
        dark = "<i></i>" * LEDS
        self._words = ""
        self._named = ui.element("div").props('role="img"')
        with self._named:
            self._drawn = ui.html(f'<div class="strip">{dark}<canvas></canvas></div>', sanitize=False)
        sides = "".join(f"<span>{escape(say(f'strip_side_{side}'))}</span>" for side in SIDES)
        ui.html(f'<div class="strip-sides" aria-hidden="true">{sides}</div>', sanitize=False)
        # Said to a screen reader by the picture's name already.
        self._caption = ui.label().classes("hint strip-words").props('aria-hidden="true"')
        self.tell(say("strip_dark"))
        self._of: Lights | None = None
        self._until_s = -math.inf
        """To when pictures were sent; without end where nothing moves."""

    def tell(self, words: str) -> None:
        """Name what is shown: for a screen reader, and for the mouse that rests on it. The ruling is spoken already."""
        if words != self._words:
            self._words = words
            self._named.props["aria-label"] = self._named.props["title"] = words
            self._named.update()
            self._caption.set_text(words)

    def show(self, lights: Lights, now_s: float) -> None:
        """Let the browser show what the lights do; to be called as often as they may change."""
        if lights is self._of and now_s < self._until_s - STEP_S:
            return
        moves = is_moving(lights, now_s)
        count = AHEAD if moves else 1
        pictures = [_written(picture_at(lights, now_s + n * STEP_S, count=LEDS)) for n in range(count)]
        self._of, self._until_s = lights, now_s + count * STEP_S if moves else math.inf
        given = f"{json.dumps(self._drawn.html_id)}, {json.dumps(pictures)}, {1000 * STEP_S:.0f}"
        ui.run_javascript(f"deskrefStrip({given})")


def strip_words(lights: Lights, session: Session) -> str:
    """Say what the strip shows now, and why."""
    light = lights.current or lights.resting
    if light is None:
        return say("strip_dark")
    signal = next((signal for signal in reversed(session.log) if signal.number == light.number), None)
    of = {s.id: s.name for s in session.setup.soldiers} if session.setup is not None else {}
    if light.kind is not SignalKind.YOUR_TURN:
        code = f"strip_{light.kind.value}"
        if light.kind not in BESIDE or signal is None or signal.place_mm is None:
            return say(code)
        beside = signal.soldier if light.kind is SignalKind.DEATH else signal.target
        return say(f"{code}_beside", soldier=of[beside]) if beside in of else say(code)
    named = [of[signal.soldier]] if signal is not None and signal.soldier in of else []
    return say("strip_your_turn", soldier=named[0]) if named else say("strip_your_turn_nobody")


def _written(picture: tuple[Colour, ...]) -> str:
    """A picture as six hexadecimal digits for each light; empty where all are dark."""
    return (
        "".join(f"{_bright(r):02x}{_bright(g):02x}{_bright(b):02x}" for r, g, b in picture) if _is_lit(picture) else ""
    )


def _is_lit(picture: tuple[Colour, ...]) -> bool:
    return any(map(any, picture))


def _bright(level: int) -> int:
    """An LED's level as a screen shows it: LEDs are glaring at levels that a screen hardly shows."""
    return min(255, round(255 * (level / 96) ** 0.55)) if level else 0
