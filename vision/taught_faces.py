"""Faces that a player has taught: a logo for the 1, a skull, letters; known again by their likeness.

A taught face is kept as what the value net sees in it (its features, which are alike for like faces) in each of the
four quarter turns in which the face may be flattened, with the colour of the die. It is known again where the nearest
taught face is near enough and no face with another value is about as near. It only answers where pips do not: a value
on which net and count agree is never overruled.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.dice_colour import lab

FILE_NAME = "taught-faces.json"
"""In the player's folder, beside the settings."""

LEAST_ALIKE = 0.90
"""Cosine of two features from which they may be the same face. Of 140 pairs of pictures of 14 drawn logo dice, seen
from 50 to 90 degrees under other lamps, 53 in 100 reach it; of 56 pip faces of the same dice one does. Teaching a face
in two or three pictures makes it known more often."""

LEAST_APART = 0.02
"""By so much the nearest face with another value must be less alike."""

MOST_COLOUR_APART = 30.0
"""Distance of the bodies' colours in Lab's a and b beyond which it is another die."""

FEATURES = 48
"""Length of a feature."""


class TaughtFacesError(ValueError):
    """The file of taught faces cannot be used; the message says what to do."""


@dataclass(frozen=True, slots=True)
class TaughtFace:
    """One face that a player named."""

    value: int
    """1 to 6."""
    features: tuple[tuple[float, ...], ...]
    """Each of length 1, one for each quarter turn in which the face was looked at."""
    colour_bgr: tuple[float, float, float]
    """Of the die's body."""
    name: str = ""
    """What the player calls it."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The taught face that a face is."""

    value: int
    alike: float
    """Cosine of the features, 0 to 1."""
    name: str


@dataclass(frozen=True, slots=True)
class TaughtFaces:
    """All faces that are known."""

    faces: tuple[TaughtFace, ...] = field(default=())

    def with_face(self, face: TaughtFace) -> TaughtFaces:
        """Know one more.

        Raises:
            ValueError: its value is no die's, or a feature has a wrong length.
        """
        if face.value not in range(1, 7):
            raise ValueError(f"a face has 1 to 6, not {face.value!r}")
        if not face.features or any(len(f) != FEATURES for f in face.features):
            raise ValueError(f"expected features of length {FEATURES}, not {[len(f) for f in face.features]!r}")
        return TaughtFaces((*self.faces, face))

    def without(self, index: int) -> TaughtFaces:
        """Forget one.

        Raises:
            IndexError: there is no such face.
        """
        if not 0 <= index < len(self.faces):
            raise IndexError(f"there are {len(self.faces)} taught faces, not one with number {index!r}")
        return TaughtFaces(self.faces[:index] + self.faces[index + 1 :])

    def recognise(self, feature: Sequence[float], colour_bgr: Iterable[float]) -> Recognised | None:
        """Tell which taught face this is, or None.

        Args:
            feature: of the flattened face.
            colour_bgr: of the die's body.
        """
        seen = np.asarray(feature, float)
        colour = lab(np.asarray(list(colour_bgr), float))
        best: Recognised | None = None
        for face in self.faces:
            if float(np.hypot(*(lab(face.colour_bgr) - colour)[1:])) > MOST_COLOUR_APART:
                continue
            alike = float((np.asarray(face.features, float) @ seen).max())
            if best is None or alike > best.alike:
                best = Recognised(face.value, alike, face.name)
        if best is None or best.alike < LEAST_ALIKE:
            return None
        others = [f for f in self.faces if f.value != best.value]
        rival = max((float((np.asarray(f.features, float) @ seen).max()) for f in others), default=-1.0)
        return best if best.alike - rival >= LEAST_APART else None


def features_of(features: npt.NDArray[np.floating]) -> tuple[tuple[float, ...], ...]:
    """Features, shape (n, 48), as they are kept: of length 1, rounded to what matters."""
    length = np.linalg.norm(features, axis=1, keepdims=True)
    return tuple(tuple(round(float(v), 4) for v in row) for row in features / np.maximum(length, 1e-6))


def load(folder: Path) -> TaughtFaces:
    """Read the taught faces of a player's folder; none where there is no file.

    Raises:
        TaughtFacesError: the file is broken.
    """
    path = folder / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return TaughtFaces()
    except (OSError, UnicodeDecodeError) as error:
        raise TaughtFacesError(f"{path} cannot be read: {error}; delete it to teach the faces again") from error
    try:
        known = TaughtFaces()
        for row in json.loads(text)["faces"]:
            colour = tuple(float(c) for c in row["colour_bgr"])
            features = tuple(tuple(float(v) for v in f) for f in row["features"])
            if len(colour) != 3 or not all(math.isfinite(v) for f in (colour, *features) for v in f):
                raise ValueError("a colour or feature is no number")
            known = known.with_face(TaughtFace(int(row["value"]), features, colour, str(row.get("name", ""))))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise TaughtFacesError(f"{path} is damaged ({error}); delete it to teach the faces again") from error
    return known


def save(folder: Path, known: TaughtFaces) -> None:
    """Write the taught faces into a player's folder; the old file stays whole until the new one is.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {"value": f.value, "name": f.name, "colour_bgr": list(f.colour_bgr), "features": [list(v) for v in f.features]}
        for f in known.faces
    ]
    path = folder / FILE_NAME
    scratch = path.with_suffix(".new")
    scratch.write_text(json.dumps({"faces": rows}), encoding="utf-8")
    scratch.replace(path)
