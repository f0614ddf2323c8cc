"""Everything that the pages of one running deskref share: the game, the settings, what may come in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from deskref import settings
from deskref.calibrated import lens_of, table_of
from deskref.inputs import Setup, StartGame
from deskref.language import say
from deskref.live import LiveGame
from deskref.page.die_pictures import DiePictures
from deskref.page.frames_in import FramesIn
from deskref.page.phones import Phones
from deskref.page.pictures import Pictures
from deskref.page.score import ScoreBoard
from deskref.plain_errors import said_of
from deskref.session import Session
from deskref.settings import PageSettings, Section, Settings, TableSettings
from deskref.table_choice import TableChoice
from devices.camera import Source
from devices.camera_spec import open_source

NO_CAMERA = "none"
"""The name by which a game without a camera is asked for."""


@dataclass(slots=True)
class Site:
    """What the pages work with. Used by the web server's thread."""

    game: LiveGame
    home: Path
    """Folder of the settings."""
    own: Settings
    """The player's settings as they are now."""
    page: PageSettings
    """The page's, as the command line changed them."""
    notice: str = ""
    """Shown in the bar, for example that a demo plays."""
    is_new: bool = False
    """Whether nothing has been set up yet: the first page is then the set-up."""
    frames_in: FramesIn = field(default_factory=FramesIn)
    news: tuple[str, ...] = ()
    """What starting had to tell the player: a broken file, a game that goes on."""
    pictures: Pictures = field(init=False)
    score: ScoreBoard = field(init=False)
    phones: Phones = field(init=False)
    die_pictures: DiePictures = field(init=False)

    def __post_init__(self) -> None:
        """Make what depends on the rest."""
        self.pictures = Pictures(self.game)
        self.score = ScoreBoard(self.game)
        self.phones = Phones(self.home, self.own.phones)
        self.die_pictures = DiePictures(self.game)

    def keep(self, **sections: Section) -> str:
        """Change sections of the settings and write them; gives what went wrong, in words for the player."""
        loaded = settings.load(self.home)
        if loaded.trouble is not None:
            self.own = self.own.model_copy(update=sections)
            return loaded.trouble  # the broken file is left for the player to mend
        self.own = loaded.settings.model_copy(update=sections)
        try:
            settings.save(self.home, self.own)
        except OSError as error:
            return said_of(error if error.filename else OSError(error.errno, error.strerror, str(self.home)))
        return ""

    def keep_camera(self, spec: str) -> str:
        """Remember the camera; gives what went wrong."""
        self.is_new = False
        return self.keep(camera=self.own.camera.model_copy(update={"source": spec}))

    def source_of(self, spec: str) -> Source | None:
        """Give the source that is meant; None for typed dice.

        Raises:
            SourceError: there is no such camera, file or address.
        """
        return source_of(spec, self.frames_in)

    def use_camera(self, source: Source | None) -> None:
        """Let the game use a camera with its lens; may take seconds."""
        lens = lens_of(self.home, source)
        self.game.use_camera(source, table=table_of(self.home, self.own.table), lens=lens)
        start = started_without_camera(self.game.session) if source is None else None
        if start is not None:
            self.game.tell(start)

    def use_tray(self, spec: str) -> str:
        """Let another camera look into the dice tray, or none, and remember it; may take seconds.

        Returns:
            What went wrong, in words for the player; empty where nothing did.

        Raises:
            SourceError: there is no such camera, film or address.
        """
        source = self.source_of(spec)
        table = self.game.source
        if source is not None and table is not None and source.identity == table.identity:
            return say("tray_same", name=table.name)
        self.game.use_tray(source)
        kept = "" if source is None else spec
        return self.keep(camera=self.own.camera.model_copy(update={"tray": kept}))

    def use_table(self, table: TableChoice) -> str:
        """Let the game look for a table that is marked otherwise, and remember it; gives what went wrong."""
        self.game.use_table(table, lens=lens_of(self.home, self.game.source))
        return self.keep(
            table=TableSettings(
                kind=table.kind.value, width_mm=table.width_mm, depth_mm=table.depth_mm, corners=table.corners
            )
        )


def source_of(spec: str, frames_in: FramesIn) -> Source | None:
    """Give the source that a setting or an option means; None for typed dice.

    A film plays at its own speed, and slower where this computer cannot look at each of its pictures in time.

    Raises:
        SourceError: there is no such camera, file or address.
    """
    if spec in ("", NO_CAMERA):
        return None
    return frames_in.sources.get(spec) or open_source(spec, speed="steady", is_held=True)


def started_without_camera(session: Session) -> StartGame | None:
    """What begins a game with typed dice that still waits for its soldiers to be seen on the mat; None for others."""
    setup = session.setup
    if not isinstance(setup, Setup) or not setup.with_camera or session.game is not None:
        return None
    return StartGame(setup=replace(setup, with_camera=False))
