"""The faces without pips that the player has taught: kept in the settings' folder, and told to the eyes of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deskref.language import say
from vision import taught_faces
from vision.observation import SeenDie
from vision.shipped import shipped_dice_nets
from vision.taught_faces import TaughtFaces, TaughtFacesError
from vision.teaching import pips_on, teach_seen_die

if TYPE_CHECKING:
    from deskref.live import LiveGame


def known_faces(home: Path) -> tuple[TaughtFaces, str | None]:
    """Give the taught faces of a folder, and what is wrong with their file; then none are known."""
    try:
        return taught_faces.load(home), None
    except TaughtFacesError as error:
        return TaughtFaces(), str(error)


def remember_face(home: Path, game: LiveGame, die: SeenDie, value: int) -> str:
    """Teach the top face of a die in the newest frame; the eyes know it from the next frame on.

    Args:
        home: folder of the settings.
        game: whose eyes see the die.
        die: of the newest observation.
        value: what its face counts as.

    Returns:
        What was done or why nothing was, in words for the player.
    """
    seen, nets = game.seen, shipped_dice_nets()
    if seen is None or nets is None:
        return say("face_no_picture")
    image = seen.frame.image_bgr
    pips = pips_on(image, die)
    if pips is not None:
        return say("face_has_pips", pips=pips)
    face = teach_seen_die(image, die, value, nets=nets)
    known, trouble = known_faces(home)
    if face is None or trouble is not None:
        return trouble or say("face_not_seen")
    return _kept(home, game, known.with_face(face)) or say("face_kept", value=value)


def forget_face(home: Path, game: LiveGame, index: int) -> str:
    """Forget a taught face, counted from 0; gives what went wrong, in words for the player, or nothing.

    Dice that lie still keep the value that they were given by it.
    """
    known, trouble = known_faces(home)
    if trouble is not None or not 0 <= index < len(known.faces):
        return trouble or ""
    return _kept(home, game, known.without(index))


def _kept(home: Path, game: LiveGame, known: TaughtFaces) -> str:
    try:
        taught_faces.save(home, known)
    except OSError as error:
        return say("face_not_written", folder=str(home), why=error.strerror or str(error))
    game.know_faces(known)
    return ""
