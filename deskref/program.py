"""Starting a game: settings, camera, journal, page."""

from __future__ import annotations

import importlib.metadata
import json as json_text
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table

from calibration.lens import Lens
from deskref import saved_game, settings
from deskref.calibrated import GivenError, TableOptions, lens_named, lens_of, table_given, table_of
from deskref.eyes import Eyes
from deskref.face_book import known_faces
from deskref.inputs import AnyInput, Setup, SoldierSetup, StartGame
from deskref.live import LiveGame
from deskref.looking import Looking
from deskref.one_copy import OneCopy
from deskref.outputs import add_outputs
from deskref.play import Play
from deskref.recording import Journal
from deskref.settings import PageSettings, Settings
from deskref.setup_file import load_setup
from deskref.typed_command import as_typed
from devices import camera_list
from devices.camera import Source
from devices.film import Film
from rules.skuffle_state import Options
from vision.table_state import TableState

if TYPE_CHECKING:
    from deskref.page.frames_in import FramesIn

VERSION = importlib.metadata.version("deskref")

PRACTICE = Setup(
    (
        SoldierSetup("lokan", "Lokan", "Blue"),
        SoldierSetup("tarik", "Tarik", "Blue"),
        SoldierSetup("daemon", "Daemon", "Orange"),
        SoldierSetup("imp", "Imp", "Orange"),
    ),
    Options(minutes=3),
    with_camera=False,
)
"""What is played where no set-up was given: two against two, two dice each."""

logger = logging.getLogger(__name__)


def play(
    *,
    camera: str | None,
    setup: Path | None,
    port: int | None,
    open_browser: bool,
    tray: str | None = None,
    options: TableOptions | None = None,
) -> None:
    """Referee a game on the page until the program is ended.

    Args:
        camera: over the table; None takes the settings'.
        setup: file of the set-up; None goes on with the last game, or asks.
        port: of the page; None takes the settings'.
        open_browser: whether the page is opened.
        tray: a second camera, over a dice tray; None takes the settings', `none` is none.
        options: what marks the table, for once.

    Raises:
        SourceError: a camera or file cannot be used.
        GivenError: an option about the table cannot be used.
        SetupError: the set-up file does not fit.
        PortTakenError: the page's port is in use.
        RunningError: another copy runs with the same folder.
    """
    # Loading the web server's parts takes half a second: only where a page is served.
    from deskref.page.frames_in import FramesIn
    from deskref.page.port import check_port
    from deskref.page.site import source_of

    home = settings.home()
    loaded = settings.load(home)
    wanted = camera if camera is not None else loaded.settings.camera.source
    frames_in = FramesIn()
    source = source_of(wanted, frames_in)
    tray_source = source_of(tray if tray is not None else loaded.settings.camera.tray, frames_in)
    if tray_source is not None and source is not None and tray_source.identity == source.identity:
        raise GivenError(f"The dice tray needs a camera of its own; {source.name!r} is the table's.")
    given = options or TableOptions()
    table_settings = table_given(loaded.settings.table, kind=given.kind, size=given.size, corners=given.corners)
    lens = lens_named(home, given.lens) if given.lens is not None else None
    own = loaded.settings.page
    page = own.model_copy(update={"open_browser": open_browser and own.open_browser, "port": port or own.port})
    start = StartGame(setup=load_setup(setup, with_camera=source is not None)) if setup is not None else None
    looking = Looking(table_of(home, table_settings), lens or lens_of(home, source)) if source is not None else None
    copy = OneCopy(home, port=page.port)
    check_port(page.port, phones_port=loaded.settings.phones.port)  # before a journal is begun that nobody plays
    begin_journal = saved_game.take_up if start is None else saved_game.begin
    film = source.path.resolve() if isinstance(source, Film) else None
    taken = begin_journal(home / "games", version=VERSION, looking=looking, film=film)
    saved_game.forget_old(home / "games", keep=loaded.settings.recording.keep_games)
    begin: AnyInput | None = start
    if start is None and taken.session is None and source is None:
        begin = StartGame(setup=PRACTICE)
    is_new = not wanted and setup is None and taken.session is None and loaded.trouble is None
    news = (*((loaded.trouble,) if loaded.trouble else ()), *taken.said)
    for said in news:
        _say(said)
    serve_game(
        Play(taken.journal, taken.session),
        source,
        own=loaded.settings.model_copy(update={"table": table_settings}),
        page=page,
        begin=begin,
        is_new=is_new,
        frames_in=frames_in,
        table=taken.table,
        tray=tray_source,
        lens=lens,
        news=news,
    )
    copy.release()


def serve_game(
    play: Play,
    source: Source | None,
    *,
    own: Settings,
    page: PageSettings,
    begin: AnyInput | None,
    notice: str = "",
    is_new: bool = False,
    frames_in: FramesIn | None = None,
    table: TableState | None = None,
    tray: Source | None = None,
    lens: Lens | None = None,
    news: tuple[str, ...] = (),
) -> None:
    """Serve the page of a game until the program is ended.

    Args:
        play: the game.
        source: where frames come from; None for typed dice.
        own: the player's settings: table, light board, broker, phones.
        page: the page's settings, as the command line changed them.
        begin: what is told to the game first.
        notice: shown in the page's bar; the demo's, for which the table's settings do not count.
        is_new: whether the page begins with the set-up.
        frames_in: where pictures of phones and browsers arrive; the source may be one of its own.
        table: what the eyes knew of the table, where a game goes on.
        tray: a second camera over a dice tray.
        lens: of the camera, where another than its own is named.
        news: what starting had to tell; the page tells it too.
    """
    from deskref.page.ending import told_at_end  # here for the reason in `play`
    from deskref.page.frames_in import FramesIn
    from deskref.page.server import serve
    from deskref.page.site import Site

    home = settings.home()
    eyes = Eyes() if notice else Eyes(table=table_of(home, own.table), lens=lens or lens_of(home, source))
    if table is not None:
        eyes.take_up(table)
    game = LiveGame(play, source, eyes=eyes, tray=tray)
    if not notice:
        taught, broken = known_faces(home)
        game.know_faces(taught)
        news = news if broken is None else (*news, broken)
    troubles = add_outputs(game, board=own.board, mqtt=own.mqtt, home=home, version=VERSION)
    for trouble in troubles:
        _say(trouble)
    if begin is not None:
        game.tell(begin)
    site = Site(
        game,
        home,
        own,
        page,
        notice=notice,
        is_new=is_new,
        frames_in=frames_in or FramesIn(),
        news=(*news, *troubles),
    )

    def started() -> None:
        _say(f"deskref is at http://127.0.0.1:{page.port}  (end with Ctrl+C)")

    try:
        serve(site, on_started=started, on_trouble=_say)
    except KeyboardInterrupt:  # the server has ended in an orderly way, and hands the signal on
        _say(f"\n{told_at_end(game)}")
        raise


def new_journal(path: Path, *, film: Path | None = None) -> Journal:
    """Begin the journal of a film that shows the printed mat, through a lens that nobody has calibrated.

    Raises:
        OSError: the file cannot be made.
    """
    started = datetime.now(UTC).isoformat(timespec="seconds")
    named = str(film) if film is not None else None
    return Journal(path, version=VERSION, started=started, film=named, looking=Looking())


def list_cameras(*, json: bool) -> None:
    """Print the cameras of this computer."""
    found = camera_list.list_cameras()
    if json:
        for camera in found:
            data = {"name": camera.name, "identity": camera.identity, "index": camera.index, "path": camera.path}
            typer.echo(json_text.dumps(data, ensure_ascii=False))
        return
    if not found:
        typer.echo(
            as_typed(
                "No camera was found. Plug one in, or close the program that uses it; a phone's address or a video "
                "works as well: deskref play --camera http://192.168.1.20:8080"
            )
        )
        return
    table = Table("Name", "Number", "Place")
    for camera in found:
        table.add_row(camera.name, str(camera.index), camera.path)
    Console().print(table)


def _say(message: str) -> None:
    Console(file=sys.stderr, highlight=False, soft_wrap=True).print(message, markup=False)
