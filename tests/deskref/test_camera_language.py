"""What is wrong with a camera or its view is told in the table's language: on the page, in the log, by the doctor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import devices
from calibration import words as table_words
from calibration.table import TableNotFound, TableProblem
from calibration.view_quality import Advice, Concern
from deskref import language
from deskref.camera_language import not_found_told, trouble_line, trouble_told, view_line, view_told
from deskref.doctor_camera import CameraLook, camera_findings
from deskref.session import Session
from deskref.signal import SignalKind
from deskref.table_choice import MAT_TABLE
from devices.camera import SourceError, Trouble, TroubleCode, source_error, trouble
from devices.camera_loop import CameraState, CameraStatus
from devices.camera_spec import open_source
from devices.camera_watch import BLACK
from devices.camera_words import WORDS

MAKERS = ("trouble", "source_error")


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    language.use("en")


def said_by_devices() -> Iterator[tuple[str, ast.Call]]:
    """Every trouble that the devices make: the file, and the call."""
    for path in Path(devices.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield path.name, node


def test_every_trouble_of_the_devices_has_an_id_that_the_catalogue_knows() -> None:
    """Texts that are written where they are raised cannot be translated: only what a file itself says is left so."""
    unnamed = [
        (name, node.lineno)
        for name, node in said_by_devices()
        if node.func.id in ("Trouble", "SourceError") and name not in ("camera.py", "picture_folder.py")  # type: ignore[attr-defined]
    ]
    assert unnamed == []
    ids = {
        node.args[1].value
        for _, node in said_by_devices()
        if node.func.id in MAKERS and isinstance(node.args[1], ast.Constant)  # type: ignore[attr-defined]
    }
    held = {f"cam_not_held_{what}" for what in ("exposure", "white_balance", "focus")}
    pictures = {"cam_no_picture", "cam_film_no_picture", "cam_page_no_picture"}
    assert ids | held | pictures == {name for name in WORDS if not name.endswith("_do")}


def test_a_trouble_is_told_in_the_language_with_its_names() -> None:
    error = source_error(TroubleCode.BUSY, "cam_busy_by", name="'C920'", programs="obs")
    assert str(error) == (
        "The camera 'C920' is in use by another program (obs). Close that program; or, to use both at once, start "
        "OBS's virtual camera and choose it here."
    )
    language.use("de")
    message, remedy = trouble_told(error.trouble)
    assert message == "Die Kamera 'C920' wird von einem anderen Programm benutzt (obs)."
    assert remedy.startswith("Schließ das Programm;")
    assert trouble_line(BLACK).startswith("Die Kamera sendet schwarze Bilder. Öffne")


def test_one_without_a_remedy_ends_with_its_message() -> None:
    language.use("es")
    held = trouble(TroubleCode.NOT_LOCKED, "cam_not_held_focus")
    assert trouble_told(held) == ("El enfoque de la cámara no se pudo fijar; así también funciona.", "")
    assert trouble_line(held).endswith("funciona.")


def test_one_without_an_id_is_told_as_it_came() -> None:
    language.use("de")
    assert trouble_line(Trouble(TroubleCode.NOTE, "a.png: it has no colours.", "")) == "a.png: it has no colours."


def test_a_mistyped_address_is_told_in_the_language() -> None:
    with pytest.raises(SourceError) as raised:
        open_source("ftp://192.168.1.20/video")
    language.use("es")
    assert trouble_line(raised.value.trouble).startswith(
        "Las cámaras tienen direcciones con http, https o rtsp; 'ftp://192.168.1.20/video' tiene 'ftp'."
    )


@pytest.mark.parametrize("concern", list(Concern))
@pytest.mark.parametrize("code", ["de", "es"])
def test_advice_on_the_view_has_both_halves_in_every_language(concern: Concern, code: str) -> None:
    advice = Advice(concern=concern, is_serious=True, value=3.25, where="top left")
    english = view_line(advice)
    assert english == advice.message
    language.use(code)
    message, remedy = view_told(advice)
    assert message not in english
    assert remedy not in english
    assert "{" not in message + remedy


def test_where_a_lamp_shines_is_said_in_the_language() -> None:
    language.use("de")
    glare = Advice(concern=Concern.GLARE, is_serious=False, value=0.01, where="bottom right")
    assert view_told(glare)[0] == "Eine Lampe spiegelt sich im Bild unten rechts."
    assert view_told(Advice(concern=Concern.TILTED, is_serious=False, value=47.6))[0].endswith("(48°).")


@pytest.mark.parametrize("problem", list(TableProblem))
@pytest.mark.parametrize("code", ["de", "es"])
def test_why_no_table_is_found_is_known_again_from_its_english_sentence(problem: TableProblem, code: str) -> None:
    """What the eyes see, and journals, hold the sentence alone."""
    found = TableNotFound(problem=problem, seen=(1, 2), detail="7, 9")
    assert language.now().of_table(found.message) == found.message
    language.use(code)
    assert language.now().of_table(found.message) == not_found_told(found)[0]
    assert not_found_told(found)[1] != found.advice


def test_clicked_corners_are_told_of_too_and_all_else_stays_as_it_came() -> None:
    language.use("de")
    told = language.now().of_table
    assert told(table_words.WORDS["clicked_lost"]).startswith("Die angeklickten Ecken")
    assert told("Something else.") == "Something else."
    assert told("") == ""


def test_the_log_tells_in_the_language_why_the_mat_is_lost() -> None:
    why = TableNotFound(problem=TableProblem.TOO_FEW, seen=(4, 5)).message
    said = Session().say(SignalKind.TROUBLE, "table_lost", why=why).log[-1].message
    assert language.shown(said) == "The mat cannot be seen. Only 2 of the mat's black squares can be seen."
    language.use("de")
    assert language.shown(said).endswith("Von den schwarzen Quadraten der Matte sind nur 2 zu sehen.")


def test_the_doctor_tells_of_a_camera_in_the_language() -> None:
    language.use("de")
    status = CameraStatus(name="C920", identity="c920", state=CameraState.LOST, trouble=BLACK)
    (finding,) = camera_findings(CameraLook("C920", status, None), MAT_TABLE)
    assert (finding.what, finding.found) == ("Kamera C920", "Die Kamera sendet schwarze Bilder.")
    assert finding.remedy.startswith("Öffne die Abdeckung")
    status = CameraStatus(name="C920", identity="c920", state=CameraState.LIVE, size=(640, 480))
    blank = np.full((480, 640, 3), 128, np.uint8)
    told = " ".join(f"{f.found} {f.remedy}" for f in camera_findings(CameraLook("C920", status, blank), MAT_TABLE))
    assert "Das Bild ist unscharf oder verwackelt." in told
    assert "out of focus" not in told
