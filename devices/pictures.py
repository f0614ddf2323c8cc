"""A picture file as an array, whatever camera or program wrote it, or a clear word why not."""

from __future__ import annotations

import functools
import io
import re
import struct
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from devices.camera import SourceError, TroubleCode, source_error

FULL_PIXELS = 8000 * 8000
"""Up to this the picture is decoded in full: 192 MB as an array. Phones' usual modes have 12 to 50 megapixels."""

REDUCED_PIXELS = 256_000_000
"""Up to this a JPEG is decoded at a half, a quarter or an eighth, which needs no more memory than the small picture.
Phones' largest modes have 200 megapixels."""

FILE_BYTES = 512 * 1024 * 1024
"""Larger files are not read at all; a 64-megapixel PNG of 16 bits a colour without compression has 384 MB."""

SIDE_PX = 65_500
"""Longest side of a JPEG; other files that claim more are broken or made to do harm."""

PICTURE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jfif", ".png", ".bmp", ".webp", ".tif", ".tiff", ".gif", ".avif", ".jp2", ".ppm", ".pgm"}
)
"""File names that a folder of pictures takes for pictures."""

PILLOW_FORMATS = ("JPEG", "PNG", "BMP", "DIB", "WEBP", "TIFF", "GIF", "PPM", "AVIF", "JPEG2000")
"""What Pillow may try to read, as far as it can; its many rarer formats are left out, as less tried and never asked
for. A JPEG with a second picture behind the first (MPO) is opened as JPEG."""

DAMAGE = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    TypeError,
    LookupError,
    ArithmeticError,
    RuntimeError,
    struct.error,
)
"""What Pillow raises on damaged files: seen on 16,500 files of 11 kinds with bytes changed at random."""

ORIENTATION_TAG = 0x0112
"""EXIF's number for how the picture is to be turned; 1 is upright."""

STRIP_ROWS = 512
"""Rows that are converted at once."""

HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
"""Brands in the first box of iPhone pictures, which Pillow cannot read."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture as EXIF says it is to be shown."""

    image_bgr: npt.NDArray[np.uint8]
    """Shape (rows, columns, 3), blue, green, red, writeable."""
    full_size: tuple[int, int]
    """Width and height in pixels as EXIF shows the picture, before any reduction."""
    notes: tuple[str, ...]
    """What the player should know: reduced, only the first of several pictures."""

    @property
    def scale(self) -> float:
        """Pixels of `image_bgr` for one pixel of the full picture; 1 unless it was reduced."""
        return float(self.image_bgr.shape[1] / self.full_size[0])


def open_picture(path: Path | str) -> Picture:
    """Load a picture with what is to be known about it.

    Colours of any kind become 8-bit BGR: grey, palette, CMYK, 16 bits (the high 8 bits count); transparent parts
    become white, as a page shows them.

    Raises:
        SourceError: it cannot be read; says why and what to do.
    """
    path = Path(path)
    try:
        is_ordinary = path.is_dir() or path.is_file() or not path.exists()
    except OSError as error:
        raise source_error(
            TroubleCode.NO_SUCH_FILE, "cam_no_file_name", path=f"{str(path)[:60]!r}", why=error.strerror or "?"
        ) from error
    if not is_ordinary:
        raise source_error(TroubleCode.NOT_A_PICTURE, "cam_no_ordinary_file", path=f"{str(path)!r}")
    if path.is_dir():
        raise source_error(TroubleCode.NOT_A_PICTURE, "cam_folder_no_picture", path=f"{str(path)!r}")
    if not path.exists():
        raise source_error(TroubleCode.NO_SUCH_FILE, "cam_no_file", path=f"{str(path)!r}")
    try:
        size_bytes = path.stat().st_size
        if size_bytes > FILE_BYTES:
            raise source_error(
                TroubleCode.TOO_LARGE,
                "cam_file_large",
                name=f"{path.name!r}",
                megabytes=f"{size_bytes / 1000000.0:.0f}",
                most=f"{FILE_BYTES / 1000000.0:.0f}",
            )
        data = path.read_bytes()
    except OSError as error:
        raise source_error(
            TroubleCode.NO_PERMISSION, "cam_file_unreadable", path=f"{str(path)!r}", why=error.strerror or "?"
        ) from error
    return decode_picture(data, name=path.name)


def decode_picture(data: bytes, *, name: str, full_pixels: int = FULL_PIXELS) -> Picture:
    """Decode a picture that is in memory already.

    Args:
        data: the whole file.
        name: for the messages.
        full_pixels: limit as `FULL_PIXELS`, for sources that have a lower one.

    Raises:
        SourceError: it cannot be read; says why and what to do.
    """
    if not data:
        raise source_error(TroubleCode.EMPTY_FILE, "cam_picture_empty", name=f"{name!r}")
    with warnings.catch_warnings():
        # Pillow warns of large pictures and odd metadata; sizes are judged here, and metadata does not matter.
        warnings.simplefilter("ignore")
        try:
            image = Image.open(io.BytesIO(data), formats=_formats())
        except UnidentifiedImageError as error:
            raise _why_not_a_picture(data, name) from error
        except Image.DecompressionBombError as error:
            # Pillow's words: "Image size (180000000 pixels) exceeds limit of ..., could be ... DOS attack."
            pixels = re.search(r"\((\d+) pixels\)", str(error))
            raise _too_large(name, f"{int(pixels[1]) / 1e6:.0f} megapixels" if pixels else "?") from error
        except DAMAGE as error:
            raise _broken(name) from error
        with image:
            try:
                return _decode(image, name, full_pixels)
            except DAMAGE as error:
                raise _broken(name) from error
            except MemoryError as error:
                raise _too_large(name, f"{image.size[0]} x {image.size[1]} pixels do not fit the memory") from error


@functools.cache
def _formats() -> tuple[str, ...]:
    """Return what this Pillow can read; older ones know no AVIF."""
    Image.init()
    return tuple(name for name in PILLOW_FORMATS if name in Image.OPEN)


def _decode(image: Image.Image, name: str, full_pixels: int) -> Picture:
    """Check the size in the header, then decode, turn and convert."""
    width, height = image.size
    notes: list[str] = []
    if max(width, height) > SIDE_PX or width * height > REDUCED_PIXELS:
        raise _too_large(name, f"{width} x {height} pixels")
    if width * height > full_pixels:
        if image.format not in ("JPEG", "MPO") or image.info.get("progressive"):
            # Only a plain JPEG can be decoded small without its whole size in memory first.
            raise _too_large(name, f"{width} x {height} pixels")
        reduction = next(part for part in (2, 4, 8) if width * height <= full_pixels * part * part)
        image.draft("RGB", (width // reduction, height // reduction))
        notes.append(f"{width} x {height} pixels are more than are needed: read at {image.size[0]} x {image.size[1]}")
    # An MPO is a JPEG with a second one behind it, for a depth or a second lens: nothing that a player calls animated.
    pictures = getattr(image, "n_frames", 1) if image.format in ("GIF", "WEBP", "PNG", "TIFF", "AVIF") else 1
    if pictures > 1:
        notes.append(f"only the first of its {pictures} pictures is read")
    image.load()
    # Turning copies even what needs no turn, 256 MB at the limit.
    turned = ImageOps.exif_transpose(image) if image.getexif().get(ORIENTATION_TAG, 1) != 1 else image
    is_on_its_side = (turned.size[0] > turned.size[1]) != (image.size[0] > image.size[1])
    full_size = (height, width) if is_on_its_side else (width, height)
    return Picture(_bgr(turned), full_size, tuple(notes))


def _bgr(image: Image.Image) -> npt.NDArray[np.uint8]:
    """Convert any of Pillow's modes to (rows, columns, 3) uint8 BGR."""
    if image.mode.startswith("I;16"):
        gray = (np.asarray(image).astype(np.uint16) >> 8).astype(np.uint8)
        return np.repeat(gray[:, :, np.newaxis], 3, axis=2)
    if image.mode in ("I", "F"):
        values = np.asarray(image).astype(np.float64)
        low, high = float(values.min(initial=0)), float(values.max(initial=1))
        # 32-bit pictures say no range: the usual ones are 0..1 (float), 0..255 and 0..65535.
        top = next((top for top in (1.0, 255.0, 65535.0) if high <= top), high)
        gray = np.clip((values - min(low, 0.0)) * (255 / top), 0, 255).astype(np.uint8)
        return np.repeat(gray[:, :, np.newaxis], 3, axis=2)
    width, height = image.size
    has_transparency = image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
    bgr = np.empty((height, width, 3), np.uint8)
    # In strips, so that a large picture is not held four times over: 480 MB instead of 1.1 GB at the limit (measured).
    for top in range(0, height, STRIP_ROWS):
        strip = image.crop((0, top, width, min(top + STRIP_ROWS, height)))
        if has_transparency:
            coloured = strip.convert("RGBA")
            strip = Image.alpha_composite(Image.new("RGBA", coloured.size, "white"), coloured)
        bgr[top : top + STRIP_ROWS] = np.asarray(strip.convert("RGB"))[:, :, ::-1]
    return bgr


def _why_not_a_picture(data: bytes, name: str) -> SourceError:
    """Tell what the file is instead, as far as its first bytes show."""
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        return source_error(TroubleCode.NOT_A_PICTURE, "cam_picture_heic", name=f"{name!r}")
    if data[:2] == b"\xff\xd8" or data[:8] == b"\x89PNG\r\n\x1a\n":
        return _broken(name)
    what = "cam_no_picture"
    if data[4:8] == b"ftyp" or data[:4] in (b"RIFF", b"\x1aE\xdf\xa3"):
        what = "cam_film_no_picture"
    elif re.match(rb"\s*<(!doctype|html|\?xml|svg)", data[:64], re.IGNORECASE):
        what = "cam_page_no_picture"
    return source_error(TroubleCode.NOT_A_PICTURE, what, name=f"{name!r}")


def _broken(name: str) -> SourceError:
    """Say that the picture is cut off or damaged."""
    return source_error(TroubleCode.CUT_OFF, "cam_picture_broken", name=f"{name!r}")


def _too_large(name: str, what: str) -> SourceError:
    """Say that the picture is beyond the limits."""
    return source_error(TroubleCode.TOO_LARGE, "cam_picture_large", name=f"{name!r}", size=what)
