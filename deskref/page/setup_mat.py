"""The second step of the set-up: what marks the table: the printed mat, corner tokens, or four clicked corners."""

from __future__ import annotations

import math
from functools import partial
from html import escape
from typing import Final

from nicegui import ui
from nicegui.events import GenericEventArguments

from calibration.clicked import start_clicked
from calibration.mat import INCH_MM
from deskref.calibrated import table_of
from deskref.language import now, say
from deskref.page.clicked_point import point_of
from deskref.page.keys import key
from deskref.page.number_field import NumberField
from deskref.page.pictures import picture_address
from deskref.page.site import Site
from deskref.table_choice import TableChoice, TableKind
from devices.frame import Frame

CORNERS: Final = ("set_mat_far_left", "set_mat_far_right", "set_mat_near_right", "set_mat_near_left")

SHEETS: Final = (
    ("set_mat_a4", "kind=mat&paper=a4"),
    ("set_mat_letter", "kind=mat&paper=letter"),
    ("set_mat_a4_inch", "kind=mat&paper=a4&grid=inch"),
    ("set_mat_letter_inch", "kind=mat&paper=letter&grid=inch"),
)

STEP_PX: Final = {"ArrowLeft": (-4, 0), "ArrowRight": (4, 0), "ArrowUp": (0, -4), "ArrowDown": (0, 4)}
"""An arrow key moves the mark so far, in the picture's pixels; with Shift one."""

EMIT_PLACE: Final = """(event) => {
  const drawing = event.target.closest("svg");
  if (!drawing) return;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  emit({x: at.x, y: at.y});
}"""


class MatStep:
    """Choose what marks the table, print it, or click the corners."""

    def __init__(self, site: Site) -> None:
        """Take what is set up."""
        self.site = site
        now = site.game.table
        self._kind = now.kind
        self._columns = max(2, round(now.width_mm / INCH_MM)) if now.kind is TableKind.TOKENS else 24
        self._rows = max(2, round(now.depth_mm / INCH_MM)) if now.kind is TableKind.TOKENS else 20
        self._size_cm = (now.width_mm / 10, now.depth_mm / 10)
        self._frame: Frame | None = None
        self._corners: list[tuple[float, float]] = []
        self._mark = (0.0, 0.0)
        self._drawing: ui.html | None = None

    def build(self) -> None:
        """Draw the step."""
        ui.html(f'<h2 class="lead">{escape(say("set_mat_lead"))}</h2>', sanitize=False)
        self._choices = ui.element("div").classes("choices")
        self._clicking = ui.element("div")
        self._told = ui.label().classes("says").props('role="status"')
        self._draw()

    async def refresh(self) -> None:
        """Wait for a first picture to click in."""
        if self._kind is TableKind.CORNERS and self._frame is None and self.site.game.seen is not None:
            self._take_picture()

    def _draw(self) -> None:
        self._choices.clear()
        with self._choices:
            with self._choice(TableKind.MAT, "set_mat_sheet"):
                _links(SHEETS)
                ui.label(say("set_mat_print")).classes("hint")
                self._use_key(TableKind.MAT, "set_mat_sheet")
            with self._choice(TableKind.TOKENS, "set_mat_tokens"):
                _links((("set_mat_a4", "kind=tokens&paper=a4"), ("set_mat_letter", "kind=tokens&paper=letter")))
                tiles = f"wide={math.ceil(self._columns / 7)}&deep={math.ceil(self._rows / 10)}&paper=a4"
                _links((("set_mat_tiles", f"kind=tiles&{tiles}"), ("set_mat_hexes", f"kind=hex&{tiles}")))
                with ui.element("div").classes("fields"):
                    for words, name in (("set_mat_wide", "_columns"), ("set_mat_deep", "_rows")):
                        NumberField(say(words), min=2, max=118, step=1, precision=0).bind_value(self, name).props(
                            "outlined dense"
                        )
                self._use_key(TableKind.TOKENS, "set_mat_tokens")
            if self.site.game.has_camera:
                with self._choice(TableKind.CORNERS, "set_mat_corners"):
                    self._use_key(TableKind.CORNERS, "set_mat_corners")

    def _choice(self, kind: TableKind, words: str) -> ui.element:
        choice = ui.element("article").classes("choice used" if kind is self.site.game.table.kind else "choice")
        with choice:
            ui.html(f"<h3>{escape(say(words))}</h3>", sanitize=False)
            ui.label(say(f"{words}_why")).classes("hint")
        return choice

    def _use_key(self, kind: TableKind, words: str) -> None:
        if kind is self.site.game.table.kind and kind is not TableKind.CORNERS:
            ui.label(f"✓ {say('set_mat_used')}").classes("used-word")
            return
        button = key(say("set_mat_use"), partial(self._use, kind), small=True)
        button.props["aria-label"] = f"{say('set_mat_use')}: {say(words)}"

    def _use(self, kind: TableKind) -> None:
        self._kind = kind
        if kind is TableKind.CORNERS:
            self._take_picture()
            return
        self._clicking.clear()
        width_mm, depth_mm = self._columns * INCH_MM, self._rows * INCH_MM
        choice = TableChoice(kind, width_mm, depth_mm) if kind is TableKind.TOKENS else self._mat()
        self._told.set_text(self.site.use_table(choice))
        ui.timer(0.5, self._draw, once=True)

    def _mat(self) -> TableChoice:
        return table_of(self.site.home, self.site.own.table.model_copy(update={"kind": "mat"}))

    def _take_picture(self) -> None:
        seen = self.site.game.seen
        self._frame = seen.frame if seen is not None else None
        self._corners = []
        if self._frame is not None:
            self._mark = (self._frame.size[0] * 0.3, self._frame.size[1] * 0.3)
        self._draw_clicking()

    def _draw_clicking(self) -> None:
        self._clicking.clear()
        if self._frame is None:
            return
        with self._clicking:
            with ui.element("div").classes("fields"):
                for words, index in (("set_mat_width", 0), ("set_mat_depth", 1)):
                    NumberField(
                        say(words), value=self._size_cm[index], min=5, max=300, on_change=partial(self._resize, index)
                    ).props("outlined dense")
            done = len(self._corners) == 4
            said = (
                say("set_mat_clicked")
                if done
                else say("set_mat_click", number=len(self._corners) + 1, corner=say(CORNERS[len(self._corners)]))
            )
            ui.label(said).classes("says").props('role="status"')
            with ui.element("div").classes("picture"):
                address = picture_address(self._frame.image_bgr)
                ui.html(f'<img src="{address}" alt="{escape(say("set_mat_photo"), quote=True)}">', sanitize=False)
                # The frame keeps the keyboard's focus while what it holds is drawn anew.
                drawing = ui.html(self._marks(), sanitize=False).classes("clicking")
                drawing.props('tabindex="0" role="application"').props["aria-label"] = said
                self._drawing = drawing
                drawing.on("click", self._clicked, js_handler=EMIT_PLACE)
                drawing.on(
                    "keydown",
                    self._pressed,
                    js_handler="(event) => { if (event.key.startsWith('Arrow') || event.key === 'Enter') "
                    "{ event.preventDefault(); emit({key: event.key, fine: event.shiftKey}); } }",
                )
            ui.label(say("set_mat_order")).classes("hint")
            with ui.element("div").classes("row"):
                key(say("set_mat_again"), self._take_picture, small=True)
        if not done:
            ui.run_javascript("document.querySelector('.clicking')?.focus({preventScroll: true})")
        if not self._corners:
            ui.run_javascript("document.querySelector('.clicking svg')?.scrollIntoView({block: 'center'})")

    def _marks(self) -> str:
        if self._frame is None:
            return ""
        width, height = self._frame.size
        points = " ".join(f"{x:.0f},{y:.0f}" for x, y in self._corners)
        x, y = self._mark
        marks = [f'<polygon class="area" points="{points}"/>'] if len(self._corners) > 1 else []
        marks += [
            f'<circle class="corner" cx="{cx:.0f}" cy="{cy:.0f}" r="9"/>'
            f'<text x="{cx:.0f}" y="{cy - 26:.0f}">{number}</text>'
            for number, (cx, cy) in enumerate(self._corners, start=1)
        ]
        if len(self._corners) < 4:
            marks.append(f'<path class="mark" d="M{x - 14:.0f} {y:.0f}h28M{x:.0f} {y - 14:.0f}v28"/>')
        return f'<svg class="over" viewBox="0 0 {width} {height}" aria-hidden="true">{"".join(marks)}</svg>'

    def _resize(self, index: int, event: GenericEventArguments) -> None:
        value = getattr(event, "value", None)
        if isinstance(value, int | float) and 5 <= value <= 300:
            sizes = list(self._size_cm)
            sizes[index] = float(value)
            self._size_cm = (sizes[0], sizes[1])
            if len(self._corners) == 4:
                self._set_corners()

    def _clicked(self, event: GenericEventArguments) -> None:
        at = point_of(event)
        if at is not None:
            self._put(*at)

    def _pressed(self, event: GenericEventArguments) -> None:
        pressed = event.args if isinstance(event.args, dict) else {}
        if pressed.get("key") == "Enter":
            self._put(*self._mark)
        elif str(pressed.get("key")) in STEP_PX and self._frame is not None:
            right, down = STEP_PX[str(pressed["key"])]
            times = 0.25 if pressed.get("fine") else 2.0
            width, height = self._frame.size
            x, y = self._mark[0] + right * times, self._mark[1] + down * times
            self._mark = (min(width - 1.0, max(0.0, x)), min(height - 1.0, max(0.0, y)))
            if self._drawing is not None:
                self._drawing.set_content(self._marks())

    def _put(self, x: float, y: float) -> None:
        if self._frame is None or len(self._corners) >= 4:
            return
        self._corners.append((x, y))
        self._mark = (x, y)
        if len(self._corners) == 4:
            self._set_corners()
        self._draw_clicking()

    def _set_corners(self) -> None:
        if self._frame is None:
            return
        width, height = self._frame.size
        width_mm, depth_mm = (10 * size for size in self._size_cm)
        try:
            start_clicked(self._frame.image_bgr, self._corners, width_mm=width_mm, depth_mm=depth_mm)
        except ValueError as error:
            why = now().of_table(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            self._told.set_text(say("set_mat_refused", why=why.removesuffix(".")))
            self._corners = []
            return
        shares = tuple((x / width, y / height) for x, y in self._corners)
        self._told.set_text(self.site.use_table(TableChoice(TableKind.CORNERS, width_mm, depth_mm, shares)))


def _links(sheets: tuple[tuple[str, str], ...]) -> None:
    with ui.element("div").classes("row"):
        for words, query in sheets:
            ui.html(
                f'<a class="key small" href="/sheet.pdf?{escape(query, quote=True)}" target="_blank">'
                f"↓ {escape(say(words))}</a>",
                sanitize=False,
            )
