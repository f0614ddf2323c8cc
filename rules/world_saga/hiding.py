"""Cover, concealment and what is hidden: Boons, Banes, and who may be sought or targeted.

Rule: World Saga, Combat Mode, Concealment and Cover; Detection and Hidden. Reading: cover and concealment add up, so an
attack suffers at most 3 Banes from them; the Boons against area effects come from cover alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.sight import Degree as CoverDegree

COVER_STEPS = {CoverDegree.NONE: 0, CoverDegree.COVER: 1, CoverDegree.GREATER: 2, CoverDegree.NO_SIGHT: 2}
"""Banes to attacks and Boons to Hide and to Reflexes against area effects. Behind something that hides all of it a
target has greater cover where it is attacked at all: "about three-quarters their size or more"."""


class HiddenBy(StrEnum):
    """What hides somebody."""

    COVER = "cover"
    CONCEALMENT = "concealment"
    LIGHT = "light"
    """Dim light or darkness."""


@dataclass(frozen=True, slots=True)
class Shelter:
    """What cover and concealment do for somebody, seen from one opponent."""

    attack_banes: int
    """Banes to Attack Rolls on Attack Tests against it."""
    hide_boons: int
    area_reflex_boons: int
    """Boons on Reflexes to avoid area effects."""
    may_hide: bool


def shelter(degree: CoverDegree, *, is_concealed: bool, is_dark: bool = False) -> Shelter:
    """Return what cover of this degree, concealment and darkness do."""
    steps = COVER_STEPS[degree]
    return Shelter(
        attack_banes=steps + is_concealed,
        hide_boons=steps,
        area_reflex_boons=steps,
        may_hide=steps > 0 or is_concealed or is_dark,
    )


@dataclass(frozen=True, slots=True)
class Hiding:
    """That somebody is Hidden, and from whom."""

    by: HiddenBy
    unaware: tuple[str, ...] = ()
    """Ids of those who do not even know that it is there: they cannot seek it."""
    located_by: tuple[str, ...] = ()
    """Ids of those who have found it."""


def knows_of(seeker: str, hiding: Hiding | None) -> bool:
    """Say whether the seeker knows that there is somebody."""
    return hiding is None or seeker not in hiding.unaware


def may_seek(seeker: str, hiding: Hiding | None) -> bool:
    """Say whether there is something for the seeker to seek: known, hidden and not found."""
    return hiding is not None and knows_of(seeker, hiding) and seeker not in hiding.located_by


def may_target(seeker: str, hiding: Hiding | None) -> bool:
    """Say whether the seeker knows where it is."""
    return hiding is None or seeker in hiding.located_by


def walk_may_reveal(seeker: str, hiding: Hiding | None) -> bool:
    """Say whether walking round may reveal it: only what is known and hidden by cover."""
    return hiding is not None and may_seek(seeker, hiding) and hiding.by is HiddenBy.COVER
