"""`deskref calibrate` and `deskref scale`, and that what they keep is used; unusable input is one line each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from calibration.lens import Lens
from calibration.lens_views import BoardView, LensViews, add_view
from calibration.store import FILE_NAME, load_lens, load_lenses, load_print_scale, save_lens, save_print_scale
from calibration.table_view import TableView
from deskref import calibrate_commands
from deskref.calibrated import (
    GivenError,
    TableOptions,
    find_once,
    lens_named,
    lens_of,
    table_given,
    table_of,
)
from deskref.command_line import app
from deskref.settings import CameraSettings, Settings, TableSettings, save
from deskref.table_choice import TableChoice, TableKind
from devices.camera import SourceError, TroubleCode
from devices.film import Film
from tests.calibration.simulated import Image, draw_sheet, expose, photograph, view_of
from tests.calibration.test_bank_card import sheet_with_card
from tests.calibration.test_lens_views import FOCAL_SHARE, POSES, SIZE, shot
from tests.devices.fakes import FakeClock, PictureMaker, ScriptedSource


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("devices.camera_list._linux_cameras", lambda root: [])
    return tmp_path / "home"


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


@cache
def shots() -> tuple[Image, ...]:
    return tuple(shot(**pose) for pose in POSES)  # type: ignore[arg-type]


@pytest.fixture
def board(tmp_path: Path) -> Path:
    folder = tmp_path / "board"
    folder.mkdir()
    for number, image in enumerate(shots()):
        assert cv2.imwrite(str(folder / f"{number}.png"), image)
    return folder


def bgr(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)


def test_a_folder_of_pictures_gives_the_lens_of_the_camera_that_took_them(board: Path, home: Path) -> None:
    assert cv2.imwrite(str(board / "97.png"), expose(shots()[1], blur_px=3))
    assert cv2.imwrite(str(board / "98.png"), shots()[1])
    (board / "99.png").write_bytes(b"")
    result = run("calibrate", board, "--for", "C920")
    assert result.exit_code == 0, result.output
    assert "98.png: not used. Move or tilt the board." in result.stdout
    assert "97.png: not used" in result.stdout
    assert "too_similar" not in result.stdout
    assert result.stdout.count(" px │") >= 12
    lens = load_lens(home, "C920", SIZE)
    assert lens is not None
    assert lens.camera_matrix[0, 0] == pytest.approx(FOCAL_SHARE * SIZE[0], rel=0.005)


@pytest.mark.slow
def test_as_json_each_picture_is_a_line_and_the_lens_the_last(board: Path) -> None:
    lines = [json.loads(line) for line in run("calibrate", board, "--for", "x", "--json").stdout.splitlines()]
    assert [line["picture"] for line in lines[:3]] == ["0.png", "1.png", "2.png"]
    assert lines[0]["verdict"] == "taken"
    assert np.array(lines[-2]["covered"]).shape == (3, 4)
    assert lines[-2]["progress"] == 1.0
    assert lines[-1]["camera"] == "x"
    assert len(lines[-1]["errors_px"]) == lines[-2]["views"]
    assert lines[-1]["rms_px"] < 0.3


@pytest.mark.slow
def test_a_film_is_looked_at_five_times_a_second(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "board.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
    for image in shots():
        for _ in range(2):
            writer.write(bgr(image))
    writer.release()
    result = run("calibrate", path, "--for", "C920", "--json")
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == len(POSES) + 1
    assert load_lenses(home, "C920") is not None


def test_too_few_views_are_not_kept_and_what_is_missing_is_said(board: Path, home: Path) -> None:
    for number in range(3, len(POSES)):
        (board / f"{number}.png").unlink()
    result = run("calibrate", board, "--for", "C920")
    assert result.exit_code == 2
    assert "3 of the 12 views that are needed" in result.stderr
    assert not (home / FILE_NAME).exists()


def test_views_that_do_not_agree_are_not_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = LensViews()
    for image in shots():
        state, _ = add_view(state, image)
    monkeypatch.setattr(calibrate_commands, "WORST_RMS_PX", 0.01)
    with pytest.raises(GivenError, match="do not agree"):
        calibrate_commands.keep_lens(home, "cam", state)
    assert not (home / FILE_NAME).exists()


class _Live(ScriptedSource):
    """A live camera before which a board is held; then it is unplugged."""

    def __init__(self, images: list[Image]) -> None:
        gone = SourceError(TroubleCode.UNPLUGGED, "The camera is gone.", "Plug it in.")
        super().__init__([*images, *[gone] * 9], clock=FakeClock())
        self.identity = "v4l:board"
        self.name = "Board cam"

    def open(self) -> None:
        super().open()
        if self.opened > 1:
            raise SourceError(TroubleCode.UNPLUGGED, "The camera is gone.", "Plug it in.")


def test_what_there_is_enough_of_is_not_told_as_missing() -> None:
    """The reasons why no lens is kept were told as "12 of 12 views" and "9 of 4 tilted"."""
    corner = np.array([[10.0, 10.0]])
    views = tuple(BoardView(np.array([1], np.int32), corner, is_tilted) for is_tilted in (*(True,) * 9, *(False,) * 3))
    state = LensViews((1280, 720), views)
    assert calibrate_commands.lacking(state) == "the board in 1 of the 11 parts of the picture that are needed"
    few = LensViews((1280, 720), views[-2:])
    assert calibrate_commands.lacking(few) == (
        "2 of the 12 views that are needed, the board in 1 of the 11 parts of the picture that are needed, it was "
        "tilted in 0 of the 4 views in which it must be"
    )


def test_a_live_camera_ends_by_itself_when_it_has_seen_enough(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = _Live([bgr(expose(image, noise=2, seed=k)) for k, image in enumerate((*shots(), *shots(), *shots()))])

    def one_by_one(source: ScriptedSource, **_: object):  # type: ignore[no-untyped-def]
        yield from source.frames()

    monkeypatch.setattr(calibrate_commands, "open_source", lambda *_, **__: source)
    monkeypatch.setattr(calibrate_commands, "pictures_of", one_by_one)
    result = run("calibrate")
    assert result.exit_code == 0, result.output
    assert "Print it: deskref mat --kind lens" in result.stdout
    assert load_lens(home, "v4l:board", SIZE) is not None


@pytest.mark.parametrize("images", [0, 3])
def test_a_camera_unplugged_on_the_way_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, home: Path, images: int
) -> None:
    maker = PictureMaker(size=(320, 240))
    source = _Live([maker() for _ in range(images)])
    monkeypatch.setattr(calibrate_commands, "open_source", lambda *_, **__: source)
    result = run("calibrate")
    assert result.exit_code == 2
    assert result.stderr.strip().endswith("The camera is gone. Plug it in.")
    assert not (home / FILE_NAME).exists()


def test_a_film_without_its_camera_is_asked_about(board: Path) -> None:
    result = run("calibrate", board)
    assert result.exit_code == 2
    assert "--for" in result.stderr


@pytest.mark.parametrize("name", ["phone", "none"])
def test_the_settings_camera_that_is_none_here_is_asked_about(home: Path, name: str) -> None:
    save(home, Settings(camera=CameraSettings(source=name)))
    result = run("calibrate")
    assert result.exit_code == 2
    assert "deskref calibrate CAMERA" in result.stderr


# the scale of the print


@pytest.fixture
def card(tmp_path: Path) -> Path:
    sheet = sheet_with_card(0.96, angle_degrees=12, gray=60)
    view = view_of(size=(1280, 720), tilt_degrees=20, focal_share=0.9)
    path = tmp_path / "card.png"
    assert cv2.imwrite(str(path), photograph(sheet, view, noise=4, blur_px=0.8))
    return path


def test_a_picture_of_a_bank_card_gives_the_scale_which_is_then_used(card: Path, home: Path) -> None:
    result = run("scale", card)
    assert result.exit_code == 0, result.output
    assert load_print_scale(home, "mat") == pytest.approx(0.96, abs=0.002)
    assert "96." in result.stdout or "95.9" in result.stdout
    assert table_of(home, TableSettings()).print_scale == pytest.approx(0.96, abs=0.002)
    assert json.loads(run("scale", "--reset", "--json").stdout) == {"print_scale": 1.0}
    assert load_print_scale(home, "mat") == 1.0


def test_a_measure_by_hand_is_taken(home: Path) -> None:
    assert run("scale", "--measured", "150").exit_code == 0
    assert load_print_scale(home, "mat") == 0.75


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--measured", "20"), "cannot be"),
        (("--measured", "nan"), "cannot be"),
        (("--measured", "190", "--reset"), "only one"),
        (("missing.png",), "missing.png"),
    ],
)
def test_a_scale_that_cannot_be_is_refused(arguments: tuple[str, ...], says: str) -> None:
    result = run("scale", *arguments)
    assert result.exit_code == 2
    assert says in result.stderr


def test_without_a_card_or_a_mat_the_remedy_is_said(tmp_path: Path) -> None:
    plain = tmp_path / "plain.png"
    assert cv2.imwrite(str(plain), np.random.default_rng(3).integers(60, 200, (300, 400)).astype(np.uint8))
    assert "No mat in the picture" in run("scale", plain).stderr
    mat = tmp_path / "mat.png"
    assert cv2.imwrite(str(mat), photograph(draw_sheet(), view_of()))
    result = run("scale", mat)
    assert result.exit_code == 2
    assert "Lay it flat" in result.stderr


# that it is used


def lens(focal: float = 1024.0, size: tuple[int, int] = (1280, 720)) -> Lens:
    matrix = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    return Lens(matrix, np.zeros(5), size, 0.1, 12)


def test_a_kept_lens_is_found_by_identity_name_or_part(home: Path) -> None:
    save_lens(home, "v4l:usb-046d_HD_Pro_Webcam_C920", lens())
    save_lens(home, "Brio", lens())
    assert lens_named(home, "c920").size == (1280, 720)
    with pytest.raises(GivenError, match="Calibrated are: Brio, v4l"):
        lens_named(home, "Kiyo")
    with pytest.raises(GivenError, match="Several"):
        lens_named(home, "r")


def test_the_lens_of_a_source_is_that_of_its_identity(tmp_path: Path, home: Path) -> None:
    film = Film(tmp_path / "game.mp4")
    assert lens_of(home, film) is None
    save_lens(home, film.identity, lens(900))
    found = lens_of(home, film)
    assert found is not None
    assert found.camera_matrix[0, 0] == 900
    (home / FILE_NAME).write_text("{", encoding="utf-8")
    assert lens_of(home, film) is None


def test_a_known_lens_and_print_scale_fix_the_view(home: Path) -> None:
    """The focal length is not estimated any more, and places come out in true millimetres."""
    truth = view_of(size=(1280, 720), tilt_degrees=0, focal_share=0.8)
    image = bgr(photograph(draw_sheet(), truth, noise=4))
    save_print_scale(home, "mat", 0.97)
    choice = table_of(home, TableSettings())
    view = find_once(image, choice, lens=lens())
    assert isinstance(view, TableView)
    assert view.camera_matrix[0, 0] == 1024.0
    free = find_once(image, choice)
    assert isinstance(free, TableView)
    assert free.camera_matrix[0, 0] != 1024.0
    corner = view.to_table(truth.to_frame([(100.0, 100.0)]))[0]
    assert corner == pytest.approx((97.0, 97.0), abs=0.1)


def test_observe_and_watch_use_the_lens_that_is_named(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_lens(home, "C920", lens(1111))
    path = tmp_path / "mat.png"
    assert cv2.imwrite(str(path), photograph(draw_sheet(), view_of()))
    used: list[float] = []

    def seen(image: Image, choice: TableChoice, *, lens: Lens | None = None) -> object:
        assert lens is not None
        used.append(float(lens.camera_matrix[0, 0]))
        return find_once(image, choice, lens=lens)

    monkeypatch.setattr("deskref.pictures.find_once", seen)
    assert run("observe", path, "--lens", "C920").exit_code == 0
    assert used == [1111.0]
    monkeypatch.setattr("deskref.pictures.Eyes", lambda *, table, lens: used.append(float(lens.camera_matrix[0, 0])))
    CliRunner().invoke(app, ["watch", str(path), "--lens", "C920"])
    assert used == [1111.0, 1111.0]
    assert run("watch", path, "--lens", "Kiyo").exit_code == 2


def test_a_damaged_file_of_calibrations_is_said_where_a_lens_is_named(tmp_path: Path, home: Path) -> None:
    home.mkdir()
    (home / FILE_NAME).write_text("{", encoding="utf-8")
    path = tmp_path / "x.png"
    assert cv2.imwrite(str(path), np.full((50, 50), 128, np.uint8))
    result = run("observe", path, "--lens", "C920")
    assert result.exit_code == 2
    assert "calibrate again" in result.stderr


# what marks the table

CORNERS = "0.2,0.1 0.8,0.1 0.9,0.9 0.1,0.9"


def test_options_change_what_marks_the_table_for_once() -> None:
    own = TableSettings(kind="tokens", width_mm=600, depth_mm=500)
    assert table_given(own) == own
    given = table_given(own, size="24x20in")
    assert (given.width_mm, given.depth_mm) == pytest.approx((609.6, 508.0))
    given = table_given(own, corners=CORNERS, size="30 x 20 cm")
    assert given.kind == "corners"
    assert given.corners[2] == (0.9, 0.9)
    assert given.width_mm == 300
    pixels = table_given(own, corners="256,72 1024,72 1152,648 128,648 of 1280x720")
    assert np.array(pixels.corners) == pytest.approx(np.array(given.corners))
    assert table_given(own, kind="mat").kind == "mat"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"size": "large", "kind": "tokens"}, "no size"),
        ({"size": "1x1", "kind": "tokens"}, "50 to 3000"),
        ({"size": "9e9x2", "kind": "tokens"}, "no size"),
        ({"size": "1.2.3x200", "kind": "tokens"}, "no size"),
        ({"size": "300x200"}, "--size"),
        ({"kind": "corners"}, "Click them"),
        ({"corners": "1,2"}, "no four corners"),
        ({"corners": "a,b c,d e,f g,h"}, "no four corners"),
        ({"corners": CORNERS + " of 0x0"}, "no four corners"),
        ({"corners": CORNERS + " of 1x"}, "no four corners"),
        ({"corners": "256,72 1024,72 1152,648 128,648"}, "outside"),
        ({"corners": "0.1,0.9 0.9,0.9 0.8,0.1 0.2,0.1"}, "order"),
        ({"corners": "nan,0 1,0 1,1 0,1"}, "outside"),
        ({"corners": CORNERS, "kind": "tokens"}, "Leave one"),
    ],
)
def test_options_that_make_no_table_are_refused(options: dict[str, str], says: str) -> None:
    with pytest.raises(GivenError, match=says):
        table_given(TableSettings(), **options)


def test_corners_clicked_in_the_cameras_picture_do_not_count_for_photographs(home: Path) -> None:
    corners = ((0.2, 0.1), (0.8, 0.1), (0.9, 0.9), (0.1, 0.9))
    save(home, Settings(table=TableSettings(kind="corners", width_mm=300, depth_mm=200, corners=corners)))
    assert TableOptions().table(home, is_live=True).kind is TableKind.CORNERS
    assert TableOptions().table(home, is_live=False).kind is TableKind.MAT
    assert TableOptions(corners=CORNERS).table(home, is_live=False).kind is TableKind.CORNERS


def test_four_corners_place_the_table_in_a_photograph() -> None:
    truth = view_of(size=(1280, 720), tilt_degrees=30)
    image = bgr(photograph(draw_sheet(), truth))
    shares = truth.to_frame([(-100, 100), (100, 100), (100, -100), (-100, -100)]) / truth.size
    choice = TableChoice(TableKind.CORNERS, 200, 200, tuple((float(x), float(y)) for x, y in shares))
    view = find_once(image, choice)
    assert isinstance(view, TableView)
    assert view.to_table(truth.to_frame([(50.0, -20.0)]))[0] == pytest.approx((50.0, -20.0), abs=0.5)
