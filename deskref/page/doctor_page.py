"""The doctor's page: everything checked with its remedy, and the diagnostics file to take away."""

from __future__ import annotations

from functools import partial
from html import escape

from nicegui import run, ui

from deskref.diagnostics import bundle_bytes, bundle_name
from deskref.doctor import Examination, Running, examine
from deskref.doctor_camera import CameraLook
from deskref.finding import Finding, Health
from deskref.language import say
from deskref.page.keys import key
from deskref.page.language_choice import LanguageChoice
from deskref.page.site import Site

MARKS = {Health.GOOD: "✓", Health.NOTE: "–", Health.BAD: "!"}
"""A shape for each health beside its word, so that nothing hangs on colour."""

STYLE = """
.doctor-page { max-width: 1000px; margin: 0 auto; padding: calc(2 * var(--space)); width: 100%; box-sizing: border-box;
  display: flex; flex-direction: column; gap: calc(2 * var(--space)); }
.findings { border-collapse: collapse; width: 100%; }
.findings th, .findings td { text-align: left; vertical-align: top; padding: var(--space); font-weight: 400;
  border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.findings thead th { border: 0; color: var(--soft); font-size: var(--small); }
.findings tr.bad th { font-weight: 700; } .findings tr.bad { background: var(--ask-ground); }
.findings .mark { display: inline-block; width: 1.4em; font-weight: 700; }
@media (max-width: 600px) { .findings, .findings tbody, .findings tr, .findings th, .findings td { display: block; }
  .findings thead { display: none; } .findings tr { border-top: 1px solid var(--line); padding: var(--space) 0; }
  .findings th, .findings td { border: 0; padding: 2px var(--space); } .findings td:empty { display: none; } }
"""

LOOK_S = 1.0
"""How often the page looks whether the language was changed."""


class DoctorPage:
    """The doctor in one window."""

    def __init__(self, site: Site) -> None:
        """Build the page in the current client and begin to check."""
        self.site = site
        self.found: Examination | None = None
        self._is_checking = False
        ui.add_css(STYLE)
        ui.page_title(f"deskref · {say('doc_title')}")
        with ui.element("div").classes("doctor-page"):
            with ui.element("header").classes("bar"):
                ui.html(f"<h1>{escape(say('doc_title'))}</h1>")
                ui.label(say("doc_lead")).classes("state")
                with ui.element("div").classes("row"):
                    key(say("doc_back"), partial(ui.navigate.to, "/"), small=True)
                    key(say("doc_again"), self.check, small=True)
                    self._language = LanguageChoice()
            self._body = ui.html("", sanitize=False).props('aria-live="polite"')
            with ui.element("section").classes("card"):
                ui.label(say("doc_bundle_why"))
                with ui.element("div").classes("row gap"):
                    key(say("doc_bundle"), self._save)
                    self._with_picture = ui.checkbox(say("doc_bundle_picture"))
        ui.timer(0.05, self.check, once=True)
        ui.timer(LOOK_S, self._language.follow)

    async def check(self) -> None:
        """Check everything again; a second call while one is under way does nothing."""
        if self._is_checking:
            return
        self._is_checking = True
        self._body.set_content(f'<section class="card"><p>{escape(say("doc_checking"))}</p></section>')
        try:
            self.found = await run.io_bound(examine, running_of(self.site))
        finally:
            self._is_checking = False
        if self.found is not None:  # None where the program ends meanwhile
            self._body.set_content(findings_html(self.found.findings))

    async def _save(self) -> None:
        if self.found is None:
            await self.check()
        if self.found is None:
            return
        picture = bool(self._with_picture.value)
        try:
            packed = await run.io_bound(bundle_bytes, self.found, self.site.home, with_picture=picture)
        except OSError as error:
            ui.notify(say("doc_bundle_failed", why=error.strerror or str(error)), type="warning")
            return
        if packed is not None:  # as above
            ui.download.content(packed, bundle_name(), "application/zip")


def running_of(site: Site) -> Running:
    """Say what runs in this program, so that it is asked and not opened a second time."""
    game = site.game
    status, seen = game.camera_status, game.seen
    camera = None
    if status is not None:
        camera = CameraLook(status.name, status, seen.frame.image_bgr if seen is not None else None)
    board = game.board.status if game.board is not None else None
    return Running(camera=camera, board=board, port=site.page.port, table=game.table)


def findings_html(findings: tuple[Finding, ...]) -> str:
    """Draw the findings, what needs a hand first."""
    bad = sum(f.health is Health.BAD for f in findings)
    says = say("doc_some_bad", count=bad) if bad else say("doc_all_good")
    order = (Health.BAD, Health.NOTE, Health.GOOD)
    rows = "".join(map(_row, sorted(findings, key=lambda f: order.index(f.health))))
    heads = "".join(f'<th scope="col">{escape(say(i))}</th>' for i in ("doc_check", "doc_found", "doc_to_do"))
    return (
        f'<section class="card"><p class="says-small">{escape(says)}</p>'
        f'<table class="findings"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></section>'
    )


def _row(finding: Finding) -> str:
    word = say(f"doc_{finding.health.value}")
    return (
        f'<tr class="{finding.health.value}"><th scope="row"><span class="mark" aria-hidden="true">'
        f'{MARKS[finding.health]}</span><span class="sr">{escape(word)}: </span>{escape(finding.what)}</th>'
        f"<td>{escape(finding.found)}</td><td>{escape(finding.remedy)}</td></tr>"
    )
