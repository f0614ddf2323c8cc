"""The command `deskref`: each subcommand parses, calls the piece that does the work, and turns errors into advice."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer
from rich.console import Console

from deskref.libraries import missing_library
from deskref.option_mistake import PlainGroup
from deskref.typed_command import as_typed

app = typer.Typer(
    name="deskref",
    cls=PlainGroup,
    help="The desk referee: watches miniatures and dice with a webcam and says what happened.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
)

board_app = typer.Typer(help="The light and sound board: find it, try it, put its program on it.", no_args_is_help=True)
app.add_typer(board_app, name="board")

BAD_INPUT = 2
"""Exit status where what was given cannot be used; 0 otherwise, 1 for a fault of the program."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON lines instead of words.")]


def _named(text: str) -> Path:
    """A path that was given; an empty name would mean this folder."""
    if not text.strip():
        raise typer.BadParameter("an empty name is no file")
    return Path(text)


Pictures = Annotated[
    list[Path],
    typer.Argument(
        help="Pictures, folders of pictures, or patterns such as *.jpg.", metavar="PICTURE...", parser=_named
    ),
]
TableKind = Annotated[
    Literal["mat", "tokens", "corners"] | None,
    typer.Option("--table", help="What marks the table; otherwise as the settings say."),
]
TableSize = Annotated[
    str | None, typer.Option("--size", help="Of an own mat: 300x200 in millimetres, or 24x20in in inch squares.")
]
Corners = Annotated[
    str | None,
    typer.Option(
        help="Far left, far right, near right, near left: 'X,Y X,Y X,Y X,Y' as shares of the picture from 0 to 1, or "
        "in pixels, '... of 1280x720'."
    ),
]
LensOf = Annotated[str | None, typer.Option("--lens", help="Which calibrated camera took it.", metavar="CAMERA")]
Port = Annotated[int | None, typer.Option(help="Port of the page on this computer.", min=1, max=65535)]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open the page in the browser.")]


def main() -> None:
    """Run the command line; an interrupted command ends quietly."""
    missing = missing_library()
    if missing:
        _fail(missing)
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    """Start deskref: with the camera of the settings, or with typed dice where there is none."""
    if version:
        from deskref.program import VERSION

        typer.echo(f"deskref {VERSION}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        play()


@app.command()
def demo(
    headless: Annotated[
        bool, typer.Option("--headless", help="No page: referee as fast as possible and print.")
    ] = False,
    json: Json = False,
    record: Annotated[
        Path | None, typer.Option(help="Write the journal of the game here.", metavar="FILE", parser=_named)
    ] = None,
    port: Port = None,
    no_browser: NoBrowser = False,
) -> None:
    """Play the bundled recording of a game as if a camera saw it now; nothing else is needed."""
    from deskref import demo as bundled

    if json and not headless:
        _fail("--json prints what is said, in place of the page: add --headless. deskref demo --headless --json")
    _guarded(
        lambda: (
            bundled.run_headless(json=json, record=record)
            if headless
            else bundled.run_page(port=port, open_browser=not no_browser, record=record)
        )
    )


@app.command()
def play(
    camera: Annotated[
        str | None,
        typer.Option(help="Camera's name or number, video, folder of pictures, or address; `none` for typed dice."),
    ] = None,
    tray: Annotated[
        str | None, typer.Option(help="A second camera over a dice tray: its dice count as rolls.", metavar="CAMERA")
    ] = None,
    setup: Annotated[
        Path | None,
        typer.Option(help="Set-up of the game (JSON), as `deskref demo` uses it.", metavar="FILE", parser=_named),
    ] = None,
    table: TableKind = None,
    size: TableSize = None,
    corners: Corners = None,
    lens: LensOf = None,
    port: Port = None,
    no_browser: NoBrowser = False,
) -> None:
    """Referee a game: with a camera, or with typed and simulated dice."""
    from deskref import program
    from deskref.calibrated import TableOptions

    _guarded(
        lambda: program.play(
            camera=camera,
            setup=setup,
            port=port,
            open_browser=not no_browser,
            tray=tray,
            options=TableOptions(table, size, corners, lens),
        )
    )


@app.command()
def read(
    pictures: Pictures,
    json: Json = False,
    draw: Annotated[
        Path | None,
        typer.Option(help="Write each picture with what was seen into this folder.", metavar="FOLDER", parser=_named),
    ] = None,
) -> None:
    """Read the dice in photographs, without mat or scale."""
    from deskref import pictures as reading

    _tell_of_settings()
    _guarded(lambda: _exit_with(reading.read(pictures, json=json, draw=draw)))


@app.command("dice-test")
def dice_test(
    source: Annotated[
        str | None,
        typer.Argument(help="Camera, film or folder of pictures; the settings' camera if not given.", metavar="CAMERA"),
    ] = None,
    throws: Annotated[int, typer.Option(help="How many throws.", min=1, max=100)] = 6,
) -> None:
    """Check how well your own dice are read under your own lamp."""
    from deskref import dice_test as testing

    _guarded(lambda: testing.run(source, throws=throws))


@app.command()
def teach(
    picture: Annotated[
        Path | None, typer.Argument(help="Photograph that shows the die.", metavar="PICTURE", parser=_named)
    ] = None,
    at: Annotated[str | None, typer.Option(help="Where the die is: X,Y in pixels.")] = None,
    value: Annotated[int | None, typer.Option(help="What its top face counts as.", min=1, max=6)] = None,
    name: Annotated[str, typer.Option(help="What you call the face.")] = "",
    list_them: Annotated[bool, typer.Option("--list", help="List the taught faces.")] = False,
    forget: Annotated[int | None, typer.Option(help="Forget the taught face of this number.", min=1)] = None,
) -> None:
    """Teach a die's face without pips, such as a logo in place of the 1."""
    from deskref import teach as teaching

    if list_them:
        _guarded(teaching.show)
    elif forget is not None:
        number = forget
        _guarded(lambda: teaching.forget(number))
    elif picture is None or at is None or value is None:
        _fail("name a picture, where the die is, and what it counts as: deskref teach dice.jpg --at 410,220 --value 1")
    else:
        parts = at.split(",")
        if len(parts) != 2 or not all(part.strip().replace(".", "", 1).isdigit() for part in parts):
            _fail(f"--at needs two numbers such as 410,220, not {at!r}")
        file, place, counts_as = picture, (float(parts[0]), float(parts[1])), value
        _guarded(lambda: teaching.teach(file, place, counts_as, name=name))


@app.command()
def observe(
    pictures: Pictures,
    json: Json = False,
    table: TableKind = None,
    size: TableSize = None,
    corners: Corners = None,
    lens: LensOf = None,
) -> None:
    """Say everything that stands and lies on the table in pictures: figures, dice, obstacles."""
    from deskref import pictures as reading
    from deskref.calibrated import TableOptions

    options = TableOptions(table, size, corners, lens)
    _tell_of_settings()
    _guarded(lambda: _exit_with(reading.observe(pictures, json=json, options=options)))


@app.command()
def explain(
    pictures: Pictures,
    json: Json = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the drawn pictures; otherwise this one.", metavar="FOLDER", parser=_named),
    ] = None,
    table: TableKind = None,
    size: TableSize = None,
    corners: Corners = None,
    lens: LensOf = None,
) -> None:
    """Draw what was seen in pictures and why: outlines, places, heights, dice, and what was left out."""
    from deskref import pictures as reading
    from deskref.calibrated import TableOptions

    options = TableOptions(table, size, corners, lens)
    _tell_of_settings()
    _guarded(lambda: _exit_with(reading.explain(pictures, json=json, out=out or Path(), options=options)))


@app.command()
def watch(
    film: Annotated[str, typer.Argument(help="Video, folder of pictures, camera or address.", metavar="VIDEO")],
    json: Json = False,
    proofs: Annotated[
        Path | None,
        typer.Option(
            help="Keep a picture of each event's die, figure or obstacle here.", metavar="FOLDER", parser=_named
        ),
    ] = None,
    table: TableKind = None,
    size: TableSize = None,
    corners: Corners = None,
    lens: LensOf = None,
) -> None:
    """Say what happens in a recording: one line for each event."""
    from deskref import pictures as reading
    from deskref.calibrated import TableOptions

    options = TableOptions(table, size, corners, lens)
    _tell_of_settings()
    _guarded(lambda: reading.watch(film, json=json, options=options, proofs=proofs))


@app.command()
def replay(
    journal: Annotated[Path, typer.Argument(help="Journal of a game.", metavar="JOURNAL", parser=_named)],
    cut: Annotated[
        Literal["actions", "observations", "frames"],
        typer.Option("--from", help="Where to begin: the rules' actions, the observations, or the frames."),
    ] = "observations",
    film: Annotated[
        Path | None,
        typer.Option(help="The video, where it is no longer where the journal says.", metavar="VIDEO", parser=_named),
    ] = None,
    json: Json = False,
) -> None:
    """Play a recorded game again and say what was said, or ruled, the same every time."""
    from deskref import replay as replaying

    _guarded(lambda: replaying.run(journal, cut=cut, film=film, json=json))


@app.command()
def mat(
    out: Annotated[
        Path | None,
        typer.Argument(
            help="The file to write; otherwise deskref-KIND.pdf here.",
            show_default=False,
            metavar="FILE",
            parser=_named,
        ),
    ] = None,
    paper: Annotated[Literal["a4", "letter"], typer.Option(help="Size of the sheet.")] = "a4",
    kind: Annotated[
        Literal["mat", "tokens", "tiles", "hex", "lens", "screen"],
        typer.Option(help="The mat, tokens for an own mat, sheets of a larger grid, the lens board, or a picture."),
    ] = "mat",
    grid: Annotated[Literal["none", "inch", "hex"], typer.Option(help="Grid in the mat's play area.")] = "none",
    tiles: Annotated[str | None, typer.Option(help="Sheets of a larger grid, wide and deep: 2x3.")] = None,
) -> None:
    """Write what is to be printed: the mat, corner tokens, sheets of a larger grid, or the lens board."""
    from deskref import mat_command

    _guarded(lambda: mat_command.run(out, paper=paper, kind=kind, grid=grid, tiles=tiles))


@app.command()
def calibrate(
    views: Annotated[
        str | None,
        typer.Argument(
            help="Camera, address, film or folder of pictures; otherwise the settings' camera.", metavar="CAMERA"
        ),
    ] = None,
    taken_by: Annotated[
        str | None, typer.Option("--for", help="Which camera took the film or the pictures.", metavar="CAMERA")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Give a live camera up after so long.", min=1)] = None,
    json: Json = False,
) -> None:
    """Measure a camera's lens from many views of the lens board (deskref mat --kind lens), and keep it."""
    from deskref import calibrate_commands

    _tell_of_settings()
    _guarded(lambda: calibrate_commands.calibrate(views, camera=taken_by, seconds=seconds, json=json))


@app.command()
def scale(
    what: Annotated[
        str | None,
        typer.Argument(
            help="Camera or picture with a bank card on the mat; otherwise the settings' camera.", metavar="CAMERA"
        ),
    ] = None,
    measured: Annotated[
        float | None, typer.Option(help="Side of the play area in millimetres, measured with a ruler.")
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Take the print as exact again.")] = False,
    json: Json = False,
) -> None:
    """Measure at which scale the mat was printed, with a bank card laid on it, and keep it."""
    from deskref import calibrate_commands

    _tell_of_settings()
    _guarded(lambda: calibrate_commands.scale(what, measured_mm=measured, reset=reset, json=json))


@app.command()
def cameras(json: Json = False) -> None:
    """List the cameras of this computer by name."""
    from deskref import program

    program.list_cameras(json=json)


@app.command()
def doctor(
    json: Json = False,
    bundle: Annotated[
        Path | None,
        typer.Option(
            help="Write a diagnostics file (ZIP) for whoever helps you; no passwords in it.",
            metavar="FILE",
            parser=_named,
        ),
    ] = None,
    picture: Annotated[bool, typer.Option("--picture", help="Put a picture of each camera into it.")] = False,
) -> None:
    """Check what deskref needs on this computer and name the remedy for what is missing."""
    from deskref import doctor as checking

    _exit_with(checking.run(json=json, bundle=bundle, picture=picture))


@app.command()
def bench(
    json: Json = False,
    film: Annotated[
        Path | None, typer.Option(help="Another video than the demo's.", metavar="VIDEO", parser=_named)
    ] = None,
    frames: Annotated[int, typer.Option(help="So many frames at most.", min=10)] = 1000,
) -> None:
    """Measure how long each stage takes for a frame, and how many frames a second are kept up."""
    from deskref import bench as measuring

    _guarded(lambda: measuring.run(json=json, film=film, most_frames=frames))


BoardPort = Annotated[str | None, typer.Option(help="Serial port, or WLED's address.")]
BoardKind = Annotated[
    Literal["auto", "deskref", "wled", "wled-udp"] | None, typer.Option(help="What kind of board it is.")
]


@board_app.command("list")
def board_list(json: Json = False) -> None:
    """List the serial ports, likely boards first, and whether deskref tries them."""
    from deskref import board_commands

    board_commands.list_ports(json=json)


@board_app.command("test")
def board_test(
    port: BoardPort = None,
    kind: BoardKind = None,
    leds: Annotated[int | None, typer.Option(help="Length of the strip.", min=0, max=490)] = None,
    no_sound: Annotated[bool, typer.Option("--no-sound", help="Light only.")] = False,
) -> None:
    """Show every light and play every sound once; a named port is remembered."""
    from deskref import board_commands

    _guarded(lambda: board_commands.test(port=port, kind=kind, leds=leds, sound=not no_sound))


@board_app.command("flash")
def board_flash(
    chip: Annotated[
        Literal["uno", "nano", "nano-old", "pico"],
        typer.Option(help="Which board it is; `nano-old` is a Nano with the old boot loader."),
    ] = "uno",
    port: BoardPort = None,
    leds: Annotated[int, typer.Option(help="Length of the strip.", min=1, max=200)] = 48,
    run: Annotated[bool, typer.Option("--run", help="Do it now instead of saying how.")] = False,
) -> None:
    """Say how deskref's program gets onto a board, or put it onto an Arduino."""
    from deskref import board_commands

    _guarded(lambda: board_commands.flash(chip=chip, port=port, leds=leds, run=run))


@board_app.command("monitor")
def board_monitor(
    port: BoardPort = None,
    kind: BoardKind = None,
    seconds: Annotated[float | None, typer.Option(help="End after so long.", min=0)] = None,
) -> None:
    """Say how the board is, whenever that changes; ends with Ctrl+C."""
    from deskref import board_commands

    _guarded(lambda: _exit_with(board_commands.monitor(port=port, kind=kind, seconds=seconds)))


@board_app.command("ignore")
def board_ignore(port: Annotated[str, typer.Argument(help="The port of something that is no board.")]) -> None:
    """Leave a device alone that only looks like a board."""
    from deskref import board_commands

    _guarded(lambda: board_commands.ignore(port))


def _guarded(work: object) -> None:
    """Do the work; what the world or the player did wrong becomes one line of advice and the exit status 2."""
    from calibration.store import StoreError
    from deskref.calibrated import GivenError
    from deskref.one_copy import RunningError
    from deskref.page.port import PortTakenError
    from deskref.plain_errors import said_of
    from deskref.recording import RecordingError
    from deskref.setup_file import SetupError
    from deskref.teach import TeachError
    from devices.board import BoardError
    from devices.camera import SourceError
    from models.runner import ModelError
    from vision.taught_faces import TaughtFacesError

    assert callable(work)
    try:
        work()
    except (
        RecordingError,
        SetupError,
        SourceError,
        PortTakenError,
        RunningError,
        BoardError,
        StoreError,
        GivenError,
        ModelError,
        TeachError,
        TaughtFacesError,
    ) as error:
        _fail(str(error))
    except BrokenPipeError:
        raise  # whoever read the lines has gone: not the player's fault
    except OSError as error:
        _fail(said_of(error))


def _tell_of_settings() -> None:
    """Say that the settings are damaged, for commands that go on with the defaults."""
    from deskref import settings

    trouble = settings.load(settings.home()).trouble
    if trouble is not None:
        Console(stderr=True, highlight=False, soft_wrap=True).print(trouble, markup=False)


def _exit_with(status: int) -> None:
    if status:
        raise typer.Exit(status)


def _fail(message: str) -> NoReturn:
    Console(stderr=True, highlight=False, soft_wrap=True).print(as_typed(message), markup=False)
    sys.exit(BAD_INPUT)
