"""The generator of simulated dice and dealt cards: the one place where chance enters, seeded where that is wanted."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rules.cards import Card


class Chance:
    """Rolls dice and deals cards; equal seeds give equal games."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed, or with one that nobody can foresee."""
        self._random = random.Random(seed)

    def die(self, sides: int) -> int:
        """Return a face, 1 to `sides`, all equally likely."""
        return self._random.randint(1, sides)

    def deal(self, deck: Sequence[Card], count: int) -> tuple[Card, ...]:
        """Return so many different cards of a deck, every order equally likely; `ValueError` for too small a deck."""
        return tuple(self._random.sample(list(deck), count))
