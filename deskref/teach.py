"""The command `deskref teach`: name a face without pips (a logo, a skull) once, and it is known from then on."""

from __future__ import annotations

from pathlib import Path

import typer

from deskref import settings
from devices.pictures import open_picture
from models.dice_nets import DiceNets
from vision import taught_faces
from vision.dice import read_dice
from vision.teaching import teach_face


class TeachError(ValueError):
    """What the player asked for cannot be done; the message says why and what to do."""


def teach(picture: Path, at: tuple[float, float], value: int, *, name: str = "") -> None:
    """Teach the face of the die at a place of a picture, and say so.

    Args:
        picture: file of a photograph.
        at: x and y in pixels of the picture.
        value: what the face counts as.
        name: what the player calls it.

    Raises:
        SourceError: the picture cannot be read.
        ModelError: a model cannot be loaded.
        TaughtFacesError: the file of taught faces is broken.
        TeachError: no die is there, or its pips are read as another value.
    """
    home = settings.home()
    known = taught_faces.load(home)
    opened, nets = open_picture(picture), DiceNets.load()
    place = (at[0] * opened.scale, at[1] * opened.scale)
    face = teach_face(opened.image_bgr, place, value, nets=nets, name=name)
    if face is None:
        raise TeachError(
            f"no die is seen at {at[0]:.0f}, {at[1]:.0f} in {picture.name!r}; `deskref read --draw FOLDER` shows where "
            "dice are seen"
        )
    for die in read_dice(opened.image_bgr, nets=nets):
        x0, y0, x1, y1 = die.box
        if x0 <= place[0] <= x1 and y0 <= place[1] <= y1 and die.value not in (None, value):
            raise TeachError(
                f"this face is read as {die.value} by its pips; only faces without pips can be taught, and they never "
                "overrule pips"
            )
    known = known.with_face(face)
    taught_faces.save(home, known)
    typer.echo(
        f"Known from now on as {value}. {len(known.faces)} faces are taught; teach it in other light to know it better."
    )


def show() -> None:
    """List the taught faces with their numbers.

    Raises:
        TaughtFacesError: the file of taught faces is broken.
    """
    known = taught_faces.load(settings.home())
    for n, face in enumerate(known.faces, 1):
        typer.echo(f"{n}: counts as {face.value}{f', {face.name}' if face.name else ''}")
    if not known.faces:
        typer.echo("No face is taught.")


def forget(number: int) -> None:
    """Forget one taught face.

    Args:
        number: as `show` counts, from 1.

    Raises:
        TaughtFacesError: the file of taught faces is broken.
        TeachError: there is no such number.
    """
    home = settings.home()
    known = taught_faces.load(home)
    if not 1 <= number <= len(known.faces):
        raise TeachError(f"there is no taught face {number}; `deskref teach --list` shows them")
    taught_faces.save(home, known.without(number - 1))
    typer.echo(f"Forgotten. {len(known.faces) - 1} faces are taught.")
