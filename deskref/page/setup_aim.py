"""Two steps of the set-up: aiming the camera with meters and plain advice, and the scale check by a bank card."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Final

from nicegui import run, ui

from calibration.bank_card import measure_bank_card
from calibration.store import StoreError, save_print_scale
from calibration.table_view import TableView
from calibration.view_quality import (
    BLURRED_PX,
    DARK_PAPER,
    FINE_PX_PER_MM,
    FLAT_DEGREES,
    STEEP_DEGREES,
    Advice,
    Concern,
    check_view,
)
from deskref.calibrated import table_of
from deskref.camera_language import trouble_line, view_line
from deskref.eyes import Seen
from deskref.language import now, say
from deskref.page.keys import key
from deskref.page.live_picture import LivePicture
from deskref.page.overlay import play_area
from deskref.page.site import Site
from deskref.table_choice import TableChoice, TableKind
from devices.camera_loop import CameraState, CameraStatus
from devices.picture_quality import DARK_LEVEL, NOT_SHARP_PX, SLOW_HZ

STEADY_S: Final = 2.0
"""All must be well for so long before the next step opens by itself: long enough to see that it is."""

CHECK_S: Final = 0.5
"""How often the picture is judged: a judgement costs some 20 ms."""

DIE_MM: Final = 16.0
"""The commonest die."""

BLURRED_SHARES: Final = (0.2, 0.5)
"""How far the sharpness' bar reaches for a picture that is too soft, and for one that is somewhat soft."""

GRADES: Final = ("set_bad", "set_fair", "set_good")


@dataclass(frozen=True, slots=True)
class Meter:
    """One thing that is measured about the view, with how good it is."""

    name: str
    """Id of its words."""
    value: str
    """As shown."""
    share: float | None
    """0 to 1 along the bar; None while unknown."""
    grade: int
    """0 is bad, 1 fair, 2 good."""


def meters(
    seen: Seen | None, status: CameraStatus | None, table: TableChoice, advice: tuple[Advice, ...] = ()
) -> tuple[Meter, ...]:
    """Measure the view: markers, light, sharpness, angle, size of a die, pictures a second.

    Args:
        seen: the newest frame with its view; None before the first.
        status: of the camera.
        table: what marks the table.
        advice: what is said beside the meters, which must not say otherwise.
    """
    view = seen.view if seen is not None else None
    found: list[Meter] = []
    if table.kind is not TableKind.CORNERS:
        found.append(_markers(seen, view, len(table.target.ids)))
    quality = status.quality if status is not None else None
    light = quality.brightness if quality is not None else None
    found.append(_meter("set_aim_light", light, (DARK_LEVEL, DARK_PAPER), 180.0, lambda v: f"{100 * v / 255:.0f} %"))
    edge = quality.edge_px if quality is not None else None
    sharp = 1 / edge if edge else None
    blurred = next((a for a in advice if a.concern is Concern.BLURRED), None)
    if blurred is not None:
        # The edges of the whole picture may be sharp where the printed ones are not, or too faint to be measured.
        grade = 0 if blurred.is_serious else 1
        found.append(Meter("set_aim_sharp", f"{blurred.value:.1f} px", BLURRED_SHARES[grade], grade))
    else:
        found.append(
            _meter("set_aim_sharp", sharp, (1 / NOT_SHARP_PX, 1 / (2 * BLURRED_PX)), 0.6, lambda v: f"{1 / v:.1f} px")
        )
    tilt = view.elevation_degrees if view is not None else None
    found.append(
        _meter(
            "set_aim_tilt",
            tilt,
            (FLAT_DEGREES, STEEP_DEGREES),
            90.0,
            lambda v: say("set_aim_tilt_value", degrees=round(v)),
        )
    )
    die = DIE_MM * view.px_per_mm() if view is not None else None
    found.append(
        _meter(
            "set_aim_size",
            die,
            (DIE_MM * 1.5, DIE_MM * FINE_PX_PER_MM),
            64.0,
            lambda v: say("set_aim_size_value", pixels=round(v)),
        )
    )
    rate = status.rate_hz if status is not None else None
    found.append(_meter("set_aim_rate", rate, (SLOW_HZ / 2, SLOW_HZ), 30.0, lambda v: f"{v:.0f}"))
    return tuple(found)


def _markers(seen: Seen | None, view: TableView | None, count: int) -> Meter:
    if seen is None:
        return Meter("set_aim_markers", say("set_unknown"), None, 0)
    number = view.markers if view is not None else 0
    value = say("set_aim_markers_value", seen=number, all=count)
    if view is not None and number == 0:
        return Meter("set_aim_markers", say("set_aim_held"), 0.5, 1)
    return Meter("set_aim_markers", value, number / count, 2 if number == count else 1 if number >= 3 else 0)


def _has_ended(status: CameraStatus | None) -> bool:
    return status is not None and status.state is CameraState.ENDED


def _meter(
    name: str, value: float | None, limits: tuple[float, float], full: float, written: Callable[[float], str]
) -> Meter:
    if value is None:
        return Meter(name, say("set_unknown"), None, 0)
    grade = 0 if value < limits[0] else 1 if value < limits[1] else 2
    return Meter(name, written(value), min(1.0, value / full), grade)


def meters_html(measured: tuple[Meter, ...]) -> str:
    """Draw meters as bars with words."""
    rows = []
    for meter in measured:
        word = say(GRADES[meter.grade]) if meter.share is not None else ""
        width = round(100 * (meter.share or 0))
        rows.append(
            f'<div class="meter grade{meter.grade if meter.share is not None else "-none"}">'
            f'<span class="what-is">{escape(say(meter.name))}</span>'
            f'<span class="bar-of" aria-hidden="true"><i style="width:{width}%"></i></span>'
            f'<span class="how">{escape(meter.value)} <b>{escape(word)}</b></span></div>'
        )
    return f'<div class="meters">{"".join(rows)}</div>'


class AimStep:
    """Aim the camera."""

    def __init__(self, site: Site, go_on: Callable[[], None], *, may_go_on: bool) -> None:
        """Take what is set up.

        Args:
            site: the game with its camera.
            go_on: opens the next step.
            may_go_on: whether to do so when all is well; not for players who came back.
        """
        self.site = site
        self.go_on = go_on
        self._may_go_on = may_go_on
        self._checked_s = 0.0
        self._advice: tuple[Advice, ...] = ()
        self._well_since_s: float | None = None
        self._shown = ""

    def build(self) -> None:
        """Draw the step."""
        ui.html(f'<h2 class="lead">{escape(say("set_aim_lead"))}</h2>', sanitize=False)
        with ui.element("div").classes("aiming"):
            self._picture = LivePicture()
            with ui.element("div"):
                # What to do stands first: at the foot of a small screen the buttons would cover it.
                self._told = ui.html("", sanitize=False).props('role="status"')
                self._meters = ui.html("", sanitize=False)

    async def refresh(self) -> None:
        """Measure, advise, and go on when all has been well for a while."""
        game = self.site.game
        seen = game.seen
        if seen is not None:
            self._picture.draw(play_area(seen.view, game.table) if seen.view is not None else "", seen.frame.size)
        now_s = time.monotonic()
        if now_s - self._checked_s < CHECK_S:
            return
        self._checked_s = now_s
        if seen is not None and seen.view is not None and seen.view.markers:
            target = seen.target or game.table.target
            found = await run.io_bound(check_view, seen.frame.image_bgr, seen.view, target=target)
            self._advice = found or ()
            if self._meters.is_deleted:
                return  # the step was left meanwhile
        elif seen is None or seen.view is None:
            self._advice = ()
        measured = meters(seen, game.camera_status, game.table, self._advice)
        self._meters.set_content(meters_html(measured))
        self._tell(seen)
        is_well = (
            seen is not None
            and not _has_ended(game.camera_status)
            and seen.view is not None
            and not self._advice
            and all(m.grade == 2 or m.share is None for m in measured)
        )
        if not is_well:
            self._well_since_s = None
        elif self._well_since_s is None:
            self._well_since_s = now_s
        elif self._may_go_on and now_s - self._well_since_s >= STEADY_S:
            self._may_go_on = False
            self.go_on()

    def _tell(self, seen: Seen | None) -> None:
        game = self.site.game
        lines = []
        if seen is None and game.trouble is None:  # the card over the step tells a trouble
            lines.append(say("set_aim_wait"))
        elif seen is not None and seen.view is None:
            lines.append(now().of_table(seen.observation.table.advice or "") or say("set_scale_no_mat"))
        lines += [view_line(advice) for advice in self._advice]
        status = game.camera_status
        if status is not None:
            lines += [line for line in map(trouble_line, status.advice) if line not in lines]
        if not lines and not _has_ended(status):
            lines.append(say("set_aim_good" if self._may_go_on else "set_aim_well"))
        html = "".join(f'<p class="advice">{escape(line)}</p>' for line in lines[:4])
        if html != self._shown:
            self._shown = html
            self._told.set_content(html)


class ScaleStep:
    """Check the print's scale with a bank card."""

    def __init__(self, site: Site) -> None:
        """Take what is set up."""
        self.site = site

    def build(self) -> None:
        """Draw the step."""
        ui.html(f'<h2 class="lead">{escape(say("set_scale_lead"))}</h2>', sanitize=False)
        if self.site.game.table.kind is not TableKind.MAT:
            ui.label(say("set_scale_no_need"))
            return
        ui.label(say("set_scale_how"))
        with ui.element("div").classes("aiming"):
            self._picture = LivePicture()
            with ui.element("div"):
                key(say("set_scale_measure"), self.measure, main=True)
                self._told = ui.label().classes("says").props('role="status"')
                self._now = ui.label().classes("hint")
                key(say("set_scale_reset"), self._reset, small=True)
        self._show_now()

    async def refresh(self) -> None:
        """Outline the play area."""
        seen = self.site.game.seen
        table = self.site.game.table
        if seen is not None and table.kind is TableKind.MAT:
            self._picture.draw(play_area(seen.view, table) if seen.view is not None else "", seen.frame.size)

    async def measure(self) -> None:
        """Measure the card in the newest picture, and reckon with what it says."""
        seen = self.site.game.seen
        if seen is None or seen.view is None:
            self._told.set_text(say("set_scale_no_mat"))
            return
        card = await run.io_bound(measure_bank_card, seen.frame.image_bgr, seen.view)
        if self._told.is_deleted:
            return  # the step was left meanwhile
        if card is None:
            self._told.set_text(say("set_scale_none"))
            return
        scale = card.print_scale if card.differs else 1.0
        words = say("set_scale_off" if card.differs else "set_scale_true", percent=f"{100 * card.print_scale:.1f}")
        self._told.set_text(self._keep(scale) or words)

    def _reset(self) -> None:
        self._told.set_text(self._keep(1.0))

    def _keep(self, scale: float) -> str:
        try:
            save_print_scale(self.site.home, "mat", scale)
        except StoreError as error:
            return str(error)
        trouble = self.site.use_table(table_of(self.site.home, self.site.own.table))
        self._show_now(scale)
        return trouble

    def _show_now(self, scale: float | None = None) -> None:
        scale = self.site.game.table.print_scale if scale is None else scale
        self._now.set_text(say("set_scale_now", percent=f"{100 * scale:.1f}"))
