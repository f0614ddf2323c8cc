"""Pictures from any camera or program, and clear words for what is none."""

from __future__ import annotations

import io
import os
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from devices.camera import SourceError, TroubleCode
from devices.pictures import FULL_PIXELS, decode_picture, open_picture


def halves(width: int = 60, height: int = 40) -> Image.Image:
    """Red at the left, blue at the right, with a green stripe at the top."""
    image = Image.new("RGB", (width, height), (220, 20, 20))
    image.paste((20, 20, 220), (width // 2, 0, width, height))
    image.paste((20, 220, 20), (0, 0, width, height // 5))
    return image


def saved(image: Image.Image, path: Path, **options: Any) -> Path:
    image.save(path, **options)
    return path


def is_near(pixel: np.ndarray, rgb: tuple[int, int, int], tolerance: int = 30) -> bool:
    return bool(np.all(np.abs(pixel.astype(int) - np.array(rgb[::-1])) <= tolerance))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("a.jpg", {"quality": 95}),
        ("a.png", {}),
        ("a.bmp", {}),
        ("a.webp", {"quality": 95}),
        ("a.tif", {}),
        ("a.ppm", {}),
    ],
)
def test_common_kinds_are_read_as_bgr(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    image = open_picture(saved(halves(), tmp_path / name, **options)).image_bgr
    assert image.shape == (40, 60, 3)
    assert image.dtype == np.uint8
    assert is_near(image[30, 10], (220, 20, 20))
    assert is_near(image[30, 50], (20, 20, 220))
    assert is_near(image[3, 30], (20, 220, 20))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied_as_opencv_does(tmp_path: Path, orientation: int) -> None:
    """Boxes are told in pixels as EXIF shows the picture."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = saved(halves(), tmp_path / "turned.jpg", exif=exif, quality=95)
    picture = open_picture(path)
    expected = np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR))
    assert picture.image_bgr.shape == expected.shape
    assert np.abs(picture.image_bgr.astype(int) - expected.astype(int)).max() <= 12
    assert picture.full_size == (picture.image_bgr.shape[1], picture.image_bgr.shape[0])
    assert picture.scale == 1


def test_gray_palette_and_cmyk_become_colour(tmp_path: Path) -> None:
    gray = open_picture(saved(halves().convert("L"), tmp_path / "g.png")).image_bgr
    assert gray.shape == (40, 60, 3)
    assert (gray[..., 0] == gray[..., 2]).all()
    palette = open_picture(saved(halves().convert("P"), tmp_path / "p.gif")).image_bgr
    assert is_near(palette[30, 10], (220, 20, 20), 60)
    cmyk = open_picture(saved(halves().convert("CMYK"), tmp_path / "c.jpg", quality=95)).image_bgr
    assert is_near(cmyk[30, 10], (220, 20, 20), 40)
    assert is_near(cmyk[30, 50], (20, 20, 220), 40)


def test_sixteen_bits_keep_their_high_eight(tmp_path: Path) -> None:
    ramp = np.linspace(0, 65535, 256, dtype=np.uint16).reshape(1, 256).repeat(10, axis=0)
    cv2.imwrite(str(tmp_path / "gray.png"), ramp)
    gray = open_picture(tmp_path / "gray.png").image_bgr
    assert np.abs(gray[5, :, 0].astype(int) - np.arange(256)).max() <= 1
    colour = np.zeros((10, 10, 3), np.uint16)
    colour[...] = (10 * 257, 100 * 257, 200 * 257)
    cv2.imwrite(str(tmp_path / "colour.png"), colour)
    assert open_picture(tmp_path / "colour.png").image_bgr[5, 5].tolist() == [10, 100, 200]


@pytest.mark.parametrize("top", [1.0, 255.0])
def test_floating_point_pictures_are_scaled_by_their_usual_range(tmp_path: Path, top: float) -> None:
    values = np.full((10, 10), top / 2, np.float32)
    values[0, 0] = top
    Image.fromarray(values).save(tmp_path / "f.tif")
    assert open_picture(tmp_path / "f.tif").image_bgr[5, 5, 0] in (127, 128)


def test_transparent_parts_are_white(tmp_path: Path) -> None:
    image = halves().convert("RGBA")
    image.putalpha(Image.new("L", image.size, 0))
    assert (open_picture(saved(image, tmp_path / "t.png")).image_bgr == 255).all()


@pytest.mark.parametrize("name", ["moving.gif", "moving.webp", "pages.tif", "moving.png"])
def test_of_an_animation_the_first_picture_is_read_and_that_is_said(tmp_path: Path, name: str) -> None:
    second = Image.new("RGB", (60, 40), (255, 255, 255))
    path = saved(halves(), tmp_path / name, save_all=True, append_images=[second, halves()])
    picture = open_picture(path)
    assert is_near(picture.image_bgr[30, 10], (220, 20, 20), 60)
    assert "first of its 3 pictures" in picture.notes[0]


def test_a_jpeg_over_the_limit_is_read_at_a_half_a_quarter_or_an_eighth() -> None:
    data = io.BytesIO()
    halves(640, 480).save(data, format="JPEG", quality=95)
    for limit, size in ((640 * 480, (640, 480)), (640 * 480 - 1, (320, 240)), (320 * 240 - 1, (160, 120))):
        picture = decode_picture(data.getvalue(), name="p", full_pixels=limit)
        assert picture.image_bgr.shape[1::-1] == size
        assert picture.full_size == (640, 480)
        assert picture.scale == pytest.approx(size[0] / 640)
        assert bool(picture.notes) is (size != (640, 480))
        assert is_near(picture.image_bgr[size[1] // 2, size[0] // 8], (220, 20, 20))


def test_a_turned_picture_that_is_reduced_keeps_its_turned_size() -> None:
    data, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6
    halves(640, 480).save(data, format="JPEG", exif=exif)
    picture = decode_picture(data.getvalue(), name="p", full_pixels=320 * 240)
    assert picture.full_size == (480, 640)
    assert picture.image_bgr.shape[1::-1] == (240, 320)
    assert picture.scale == pytest.approx(0.5)


@pytest.mark.parametrize(("kind", "options"), [("PNG", {}), ("JPEG", {"progressive": True})])
def test_what_cannot_be_decoded_small_is_refused_over_the_limit(kind: str, options: dict[str, Any]) -> None:
    data = io.BytesIO()
    halves(640, 480).save(data, format=kind, **options)
    with pytest.raises(SourceError) as caught:
        decode_picture(data.getvalue(), name="p", full_pixels=640 * 480 - 1)
    assert caught.value.code is TroubleCode.TOO_LARGE
    assert "640 x 480" in str(caught.value)


@pytest.mark.slow
def test_8000_by_8000_is_read_in_full(tmp_path: Path) -> None:
    saved(Image.new("L", (8000, 8000), 90), tmp_path / "big.png", compress_level=1)
    picture = open_picture(tmp_path / "big.png")
    assert picture.image_bgr.shape == (8000, 8000, 3)
    assert picture.scale == 1
    assert picture.notes == ()


@pytest.mark.slow
def test_a_100_megapixel_jpeg_is_read_smaller_and_says_so(tmp_path: Path) -> None:
    path = saved(Image.new("L", (10_000, 10_000), 90), tmp_path / "huge.jpg", quality=30)
    picture = open_picture(path)
    assert picture.full_size == (10_000, 10_000)
    assert picture.image_bgr.shape == (5000, 5000, 3)
    assert picture.scale == pytest.approx(0.5)
    assert "5000 x 5000" in picture.notes[0]
    assert abs(int(picture.image_bgr[2500, 2500, 0]) - 90) <= 2


def code_of(path: Path) -> TroubleCode:
    with pytest.raises(SourceError) as caught:
        open_picture(path)
    assert caught.value.trouble.message
    assert caught.value.trouble.remedy
    return caught.value.code


def test_a_100_megapixel_png_is_refused_by_its_head(tmp_path: Path) -> None:
    """Its pixels would need 300 MB; a bomb of a few bytes can claim any size."""
    saved(halves(), tmp_path / "bomb.png")
    data = bytearray((tmp_path / "bomb.png").read_bytes())
    for side in (8001, 10_000, 60_000, 2_000_000_000):
        data[16:24] = side.to_bytes(4, "big") * 2
        data[29:33] = zlib.crc32(bytes(data[12:29])).to_bytes(4, "big")
        (tmp_path / "bomb.png").write_bytes(bytes(data))
        assert code_of(tmp_path / "bomb.png") is TroubleCode.TOO_LARGE
    assert FULL_PIXELS == 64_000_000


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.bmp", "a.tif", "a.gif"])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_truncated_picture_is_cut_off(tmp_path: Path, name: str, part: float) -> None:
    noise = np.random.default_rng(4).integers(0, 256, (200, 300, 3), dtype=np.uint8)
    path = saved(Image.fromarray(noise), tmp_path / name)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
    assert code_of(path) is TroubleCode.CUT_OFF


def test_what_is_no_picture_is_told_with_what_it_is(tmp_path: Path) -> None:
    cases = {
        "empty.jpg": (b"", TroubleCode.EMPTY_FILE, "0 bytes"),
        "text.jpg": (b"hello, this is text " * 20, TroubleCode.NOT_A_PICTURE, "JPEG"),
        "page.jpg": (b"<!DOCTYPE html><html></html>", TroubleCode.NOT_A_PICTURE, "web page"),
        "phone.heic": (b"\0\0\0\x18ftypheic" + bytes(40), TroubleCode.NOT_A_PICTURE, "Most Compatible"),
        "film.jpg": (b"\0\0\0\x18ftypmp42" + bytes(40), TroubleCode.NOT_A_PICTURE, "film"),
        "stub.jpg": (b"\xff\xd8\xff\xe0", TroubleCode.CUT_OFF, "cut off"),
        "stub.png": (b"\x89PNG\r\n\x1a\n", TroubleCode.CUT_OFF, "cut off"),
    }
    for name, (data, code, word) in cases.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SourceError) as caught:
            open_picture(tmp_path / name)
        assert caught.value.code is code, name
        assert word in str(caught.value), name


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    assert code_of(tmp_path / "none.jpg") is TroubleCode.NO_SUCH_FILE
    assert code_of(tmp_path) is TroubleCode.NOT_A_PICTURE


def test_random_damage_never_ends_in_a_traceback(tmp_path: Path) -> None:
    """Seeded damage of each kind of file: either a picture or a `SourceError`."""
    chance = np.random.default_rng(8)
    originals = {}
    Image.init()
    kinds = [kind for kind in ("JPEG", "PNG", "WEBP", "TIFF", "GIF", "BMP", "PPM", "AVIF") if kind in Image.SAVE]
    for kind in kinds:
        data, exif = io.BytesIO(), Image.Exif()
        exif[0x0112] = 6
        more: dict[str, Any] = {"exif": exif} if kind in ("JPEG", "PNG", "WEBP", "TIFF") else {}
        more |= {"save_all": True, "append_images": [halves().rotate(90)]} if kind == "GIF" else {}
        halves().save(data, format=kind, **more)
        originals[kind] = data.getvalue()
    for kind, original in originals.items():
        for number in range(40):
            broken = bytearray(original)
            end = len(broken) if number % 2 else min(300, len(broken))
            for place in chance.integers(0, end, 1 + number % 8):
                broken[place] = chance.integers(0, 256)
            path = tmp_path / f"broken.{kind}"
            path.write_bytes(bytes(broken))
            try:
                image = open_picture(path).image_bgr
            except SourceError:
                continue
            assert image.ndim == 3


def test_what_is_no_ordinary_file_is_not_waited_for(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no name of a file"):
        open_picture(tmp_path / ("x" * 300 + ".jpg"))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.jpg")
        with pytest.raises(SourceError, match="no ordinary file"):
            open_picture(tmp_path / "pipe.jpg")
