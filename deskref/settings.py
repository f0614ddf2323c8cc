"""The player's settings: a small TOML file that the page writes; a broken one means defaults and a message."""

from __future__ import annotations

import codecs
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import platformdirs
import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from deskref.file_mistake import first_mistake
from deskref.given_file import read_given
from deskref.plain_errors import said_of
from deskref.whole_file import write_whole

FOLDER_VARIABLE = "DESKREF_HOME"
"""Environment variable that names another folder for settings and games."""

FILE_NAME = "settings.toml"

MEND: Final = "Mend that line in a text editor, or delete the file to begin anew."


class Section(BaseModel):
    """A section of the settings; an unknown name in it is an error that names it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PageSettings(Section):
    """Section `[page]`."""

    port: int = Field(default=8377, ge=1, le=65535)
    """Where the page is served: http://127.0.0.1:8377."""
    language: Literal["en", "de", "es"] = "en"
    """Language of the page: English, German or Spanish."""
    theme: Literal["auto", "dark", "light"] = "auto"
    """Colours of the page; `auto` follows the computer's."""
    sound: bool = False
    """Whether the page sounds from the start."""
    effects: bool = False
    """Whether the page plays sound effects instead of tones."""
    speech: bool = False
    """Whether the browser reads rulings aloud."""
    open_browser: bool = True
    """Whether starting opens the page in the browser."""


class CameraSettings(Section):
    """Section `[camera]`."""

    source: str = ""
    """Name, number, address, video or folder of pictures; `browser` and `phone` send theirs, `none` is typed dice;
    empty asks."""
    tray: str = ""
    """A second camera over a dice tray, named in the same way; empty for none."""


class TableSettings(Section):
    """Section `[table]`: what marks the table for the camera."""

    kind: Literal["mat", "tokens", "corners"] = "mat"
    """The printed sheet, printed tokens at the corners of an own mat, or corners clicked in the picture."""
    width_mm: float = Field(default=200.0, ge=50, le=3000)
    """Of the play area of an own mat."""
    depth_mm: float = Field(default=200.0, ge=50, le=3000)
    """Of the play area of an own mat, away from the players."""
    corners: tuple[tuple[float, float], ...] = Field(default=(), max_length=4)
    """Clicked corners as shares of the picture: far left, far right, near right, near left."""

    @field_validator("corners", mode="before")
    @classmethod
    def _as_read(cls, value: object) -> object:
        """TOML knows lists only."""
        return tuple(tuple(v) if isinstance(v, list) else v for v in value) if isinstance(value, list) else value


class PhoneSettings(Section):
    """Section `[phones]`: phones in the same Wi-Fi as camera and score board."""

    allowed: bool = False
    """Whether phones may reach this computer; without it only this computer does."""
    port: int = Field(default=8378, ge=1, le=65535)
    """Where phones are answered, by https."""
    address: str = ""
    """Only on the network connection with this address of the computer; empty for all."""


class BoardSettings(Section):
    """Section `[board]`: the light and sound board."""

    kind: Literal["auto", "deskref", "wled", "wled-udp", "none"] = "auto"
    """`auto` looks for an Uno or a Pico with deskref's program; `wled` is WLED on USB, `wled-udp` in the Wi-Fi."""
    port: str = ""
    """Serial port, or WLED's address; empty looks for a board."""
    leds: int = Field(default=0, ge=0, le=490)
    """Length of the strip; 0 takes what the board says."""
    brightness: int = Field(default=100, ge=0, le=100)
    """Percent of the usual light."""
    sound: Literal["on", "quiet", "off"] = "on"
    """Of the buzzer; `quiet` leaves rulings only."""


class MqttSettings(Section):
    """Section `[mqtt]`: publishing to a broker for the room."""

    host: str = ""
    """The broker's address; empty publishes nothing."""
    port: int = Field(default=1883, ge=1, le=65535)
    """The broker's port."""
    table: str = Field(default="table", min_length=1, max_length=60)
    """The table's name in the topics."""
    user: str = ""
    """Name at the broker; empty for none."""
    password: str = ""
    """Password at the broker; it stands here in plain text."""
    tls: bool = False
    """Whether the connection is encrypted; the port is then usually 8883."""
    home_assistant: bool = True
    """Whether Home Assistant is told, so that the table appears there by itself."""


class RecordingSettings(Section):
    """Section `[recording]`."""

    keep_games: int = Field(default=200, ge=1)
    """So many journals of past games are kept; older ones are deleted."""


class Settings(Section):
    """Everything that a player can set."""

    page: PageSettings = PageSettings()
    camera: CameraSettings = CameraSettings()
    table: TableSettings = TableSettings()
    phones: PhoneSettings = PhoneSettings()
    recording: RecordingSettings = RecordingSettings()
    board: BoardSettings = BoardSettings()
    mqtt: MqttSettings = MqttSettings()


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings with what was wrong with their file."""

    settings: Settings
    trouble: str | None = None
    """For the player; None where the file is sound or absent."""


def home() -> Path:
    """The folder of settings and games: `DESKREF_HOME`, or the system's place for a program's data."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_data_dir("deskref", appauthor=False))


def load(folder: Path) -> LoadedSettings:
    """Read the settings of a folder; what cannot be used is replaced by the defaults, and said."""
    path = folder / FILE_NAME
    try:
        data = sound_toml(read_given(path))
    except FileNotFoundError:
        return LoadedSettings(Settings())
    except OSError as error:
        return LoadedSettings(Settings(), f"The settings cannot be read, so the defaults are used. {said_of(error)}")
    except ValueError as error:
        return LoadedSettings(Settings(), f"{path} cannot be read, so the defaults are used: {error}. {MEND}")
    try:
        return LoadedSettings(Settings.model_validate(data))
    except ValidationError as error:
        mistake = first_mistake(error)
        return LoadedSettings(Settings(), f"{path} has a mistake, so the defaults are used: {mistake}. {MEND}")


def sound_toml(data: bytes) -> dict[str, Any]:
    """Read a TOML file that a person may have written.

    Raises:
        ValueError: it is no text or no TOML; says where.
    """
    try:
        return tomllib.loads(decoded(data))
    except UnicodeDecodeError as error:
        raise ValueError("it is no text; it must be saved as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError("brackets stand in brackets without end") from error


def decoded(data: bytes) -> str:
    """Give the text of a file that may come from an editor of Windows: in UTF-8 or UTF-16, as its first bytes tell.

    Raises:
        UnicodeDecodeError: it is no text.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16").replace("\r\n", "\n")
    return data.decode("utf-8-sig").replace("\r\n", "\n")


def save(folder: Path, settings: Settings) -> None:
    """Write the settings, keeping the file's own comments; the old file stays whole until the new one is.

    Raises:
        OSError: the folder cannot be written.
    """
    path = folder / FILE_NAME
    try:
        document = tomlkit.parse(decoded(path.read_bytes()))
    except (OSError, UnicodeDecodeError, ValueError):
        document = tomlkit.document()
    for section, values in settings.model_dump().items():
        if not isinstance(document.get(section), dict):
            document[section] = tomlkit.table()
        for name, value in values.items():
            document[section][name] = value
    write_whole(path, tomlkit.dumps(document))
