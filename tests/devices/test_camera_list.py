"""Which cameras there are, and which one is meant."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from devices.camera import SourceError, TroubleCode
from devices.camera_list import CameraInfo, find_camera, list_cameras
from devices.video4linux import answer_says_capture, programs_using, why_not_open
from tests.devices.fakes import camera


def linux_root(
    tmp_path: Path,
    nodes: dict[str, tuple[str, str]],
    *,
    by_id: dict[str, str] | None = None,
    by_path: dict[str, str] | None = None,
) -> Path:
    """Lay out `/sys` and `/dev` with nodes of (name, index) and lasting links."""
    (tmp_path / "dev").mkdir(exist_ok=True)
    for node, (name, index) in nodes.items():
        place = tmp_path / "sys/class/video4linux" / node
        place.mkdir(parents=True)
        (place / "name").write_text(name + "\n")
        (place / "index").write_text(index + "\n")
        (tmp_path / "dev" / node).touch()
    for folder, links in (("by-id", by_id), ("by-path", by_path)):
        for name, node in (links or {}).items():
            place = tmp_path / "dev/v4l" / folder
            place.mkdir(parents=True, exist_ok=True)
            (place / name).symlink_to(f"../../{node}")
    return tmp_path


def test_c2_c4_linux_cameras_are_named_and_metadata_nodes_left_out(tmp_path: Path) -> None:
    """C2: no index is probed. C4: a USB camera's second node opens and gives nothing."""
    root = linux_root(
        tmp_path,
        {
            "video0": ("HD Pro Webcam C920", "0"),
            "video1": ("HD Pro Webcam C920", "1"),
            "video10": ("OBS Virtual Camera", "0"),
            "video2": ("Integrated Camera: Integrated C", "0"),
        },
        by_id={"usb-046d_HD_Pro_Webcam_C920_A1-video-index0": "video0"},
        by_path={"pci-0000:00:14.0-usb-0:8:1.0-video-index0": "video2"},
    )
    found = list_cameras(platform="linux", system_files=root)
    assert [(c.index, c.name, c.identity) for c in found] == [
        (0, "HD Pro Webcam C920", "v4l:usb-046d_HD_Pro_Webcam_C920_A1-video-index0"),
        (2, "Integrated Camera", "v4l:pci-0000:00:14.0-usb-0:8:1.0-video-index0"),
        (10, "OBS Virtual Camera", "v4l:video10"),
    ]
    assert found[0].backend == cv2.CAP_V4L2
    assert found[0].path == str(root / "dev/video0")


def test_c3_two_cameras_of_one_make_are_told_apart_by_their_sockets(tmp_path: Path) -> None:
    """C3: without a serial number both claim the same name by id; the link leads to the later one only."""
    root = linux_root(
        tmp_path,
        {"video0": ("USB Camera", "0"), "video2": ("USB Camera", "0")},
        by_id={"usb-Generic_USB_Camera-video-index0": "video2"},
        by_path={"pci-usb-0:1:1.0-video-index0": "video0", "pci-usb-0:2:1.0-video-index0": "video2"},
    )
    identities = [c.identity for c in list_cameras(platform="linux", system_files=root)]
    assert len(set(identities)) == 2


def test_linux_without_any_camera_has_an_empty_list(tmp_path: Path) -> None:
    assert list_cameras(platform="linux", system_files=tmp_path) == ()


def test_windows_lists_directshow_first_and_media_foundation_for_the_rest() -> None:
    """C1: DirectShow opens within a second or two."""
    asked = []

    def enumerate_backend(backend: int) -> list[tuple[int, str, str]]:
        asked.append(backend)
        if backend == cv2.CAP_DSHOW:
            return [(0, "Logitech C920", r"\\?\usb#vid_046d&pid_082d#6&1"), (1, "OBS Virtual Camera", "")]
        return [(0, "Logitech C920", r"\\?\usb#vid_046d&pid_082d#6&1"), (1, "Windows Virtual Camera", r"\\?\swd#1")]

    found = list_cameras(platform="win32", enumerate_backend=enumerate_backend)
    assert asked == [cv2.CAP_DSHOW, cv2.CAP_MSMF]
    assert [(c.name, c.backend) for c in found] == [
        ("Logitech C920", cv2.CAP_DSHOW),
        ("OBS Virtual Camera", cv2.CAP_DSHOW),
        ("Windows Virtual Camera", cv2.CAP_MSMF),
    ]
    assert found[0].identity == r"dshow:\\?\usb#vid_046d&pid_082d#6&1"
    assert found[1].identity == "dshow:OBS Virtual Camera"


def test_macos_lists_avfoundation_and_twins_get_a_number() -> None:
    found = list_cameras(platform="darwin", enumerate_backend=lambda _: [(0, "FaceTime", ""), (1, "FaceTime", "")])
    assert [c.identity for c in found] == ["avf:FaceTime", "avf:FaceTime#2"]


CAMERAS = (
    camera("Integrated Camera", "v4l:built-in", 0),
    CameraInfo("HD Pro Webcam C920", "v4l:c920-a", 2, cv2.CAP_V4L2, "/dev/video2"),
    camera("HD Pro Webcam C920", "v4l:c920-b", 4),
    camera("Iriun Webcam", "v4l:iriun", 6),
)


@pytest.mark.parametrize(
    ("wanted", "identity"),
    [
        ("v4l:c920-b", "v4l:c920-b"),
        ("/dev/video2", "v4l:c920-a"),
        ("2", "v4l:c920-a"),
        (0, "v4l:built-in"),
        ("integrated camera", "v4l:built-in"),
        ("iriun", "v4l:iriun"),
    ],
)
def test_a_camera_is_found_by_identity_path_number_or_name(wanted: str | int, identity: str) -> None:
    assert find_camera(wanted, CAMERAS).identity == identity


@pytest.mark.parametrize("wanted", ["HD Pro Webcam C920", "webcam", "auto"])
def test_c3_several_that_fit_are_listed_and_none_is_guessed(wanted: str) -> None:
    with pytest.raises(SourceError) as caught:
        find_camera(wanted, CAMERAS)
    assert caught.value.code is TroubleCode.SEVERAL_CAMERAS
    assert "v4l:c920-a" in str(caught.value)


def test_no_such_camera_says_which_there_are() -> None:
    for wanted in ("Brio", 7, "v4l:gone"):
        with pytest.raises(SourceError) as caught:
            find_camera(wanted, CAMERAS)
        assert caught.value.code is TroubleCode.NO_SUCH_CAMERA
        assert "Iriun Webcam" in str(caught.value)


def test_without_any_camera_that_is_said() -> None:
    for wanted in ("auto", "Brio"):
        with pytest.raises(SourceError, match="plugged in") as caught:
            find_camera(wanted, ())
        assert "phone" in caught.value.trouble.remedy


def test_auto_takes_the_only_camera() -> None:
    assert find_camera("auto", CAMERAS[:1]) is CAMERAS[0]


@pytest.mark.parametrize(
    ("device", "node", "captures"),
    [
        (0x84A00001, 0x04200001, True),
        (0x84A00001, 0x04A00000, False),
        (0x84201000, 0x04201000, True),
        (0x00000001, 0, True),
        (0x84008000, 0x04008000, False),
    ],
)
def test_c4_the_drivers_answer_tells_pictures_from_metadata_and_codecs(device: int, node: int, captures: bool) -> None:
    """C4; the numbers are the capability bits of linux/videodev2.h as UVC cameras and a board's codec answer."""
    import struct

    answer = struct.pack("16s32s32sIII12x", b"uvcvideo", b"C920", b"usb", 0x60000, device, node)
    assert len(answer) == 104
    assert answer_says_capture(answer) is captures


def test_c8_the_program_that_holds_the_camera_is_named(tmp_path: Path) -> None:
    """C8: "in use by another program" instead of a hang."""
    node = tmp_path / "video0"
    node.touch()
    for number, name, target in (("100", "zoom", node), ("200", "bash", tmp_path / "other")):
        (tmp_path / "proc" / number / "fd").mkdir(parents=True)
        (tmp_path / "proc" / number / "comm").write_text(name + "\n")
        (tmp_path / "proc" / number / "fd" / "7").symlink_to(target)
    assert programs_using(str(node), processes=tmp_path / "proc") == ("zoom",)
    reason = why_not_open(str(node), name="C920", processes=tmp_path / "proc")
    assert reason is not None
    assert reason.code is TroubleCode.BUSY
    assert "(zoom)" in str(reason)


def test_a_camera_that_is_gone_or_free_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "video0").touch()
    gone = why_not_open(str(tmp_path / "video9"), name="C920", processes=tmp_path / "proc")
    assert gone is not None
    assert gone.code is TroubleCode.UNPLUGGED
    assert why_not_open(str(tmp_path / "video0"), name="C920", processes=tmp_path / "proc") is None


def test_a_camera_that_may_not_be_used_names_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "video0").touch()
    monkeypatch.setattr("devices.video4linux.os.access", lambda *_: False)
    refused = why_not_open(str(tmp_path / "video0"), name="C920", processes=tmp_path)
    assert refused is not None
    assert refused.code is TroubleCode.NO_PERMISSION
    assert "usermod" in refused.trouble.remedy
