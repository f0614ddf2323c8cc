"""The choice of the table's language on the page; it is kept in the settings."""

from __future__ import annotations

from nicegui import ui

from deskref import language, settings
from deskref.language import say
from deskref.page.titled_dialog import has_open_dialog


class LanguageChoice:
    """A choice in one window; another window's choice loads this one anew."""

    def __init__(self) -> None:
        """Draw the choice into the current element."""
        self._drawn_in = language.now().code
        ui.select(language.NAMES, value=self._drawn_in, on_change=lambda e: choose(str(e.value))).props(
            f'dense borderless options-dense aria-label="{say("page_language")}"'
        ).classes("language")
        ui.run_javascript(f"document.documentElement.lang = '{self._drawn_in}'")

    def follow(self) -> bool:
        """Load the page anew where the table speaks another language by now; says whether it does.

        While a dialogue is open the page waits: what is filled in there would be lost.
        """
        if language.now().code == self._drawn_in or has_open_dialog():
            return False
        self._drawn_in = language.now().code
        ui.navigate.reload()
        return True


def choose(code: str) -> None:
    """Let the table speak this language, now and after the next start."""
    language.use(code)
    loaded = settings.load(settings.home())
    if loaded.trouble is not None:
        return  # the broken file is left for the player to mend
    kept = loaded.settings
    page = kept.page.model_copy(update={"language": code})
    try:
        settings.save(settings.home(), kept.model_copy(update={"page": page}))
    except OSError as error:
        ui.notify(say("page_language_unsaved", why=str(error)), type="warning")
