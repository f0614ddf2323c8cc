"""Playing cards for initiative: one deck of 54 with both Jokers.

A card is written as rank and suit, `9C`, `10H`, `AS`; the Jokers are `J*B` (black) and `J*R` (red), for `JB` could be
taken for a Jack.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""From low to high."""

SUITS: Final = ("C", "D", "H", "S")
"""Clubs, Diamonds, Hearts, Spades: from low to high as Savage Worlds breaks ties."""

JOKER: Final = "J*"

JOKER_COLOURS: Final = ("R", "B")
"""Red and black: from low to high (reading QS-R5)."""

RANK_NAMES: Final = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
SUIT_NAMES: Final = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}


@dataclass(frozen=True, slots=True)
class Card:
    """A playing card."""

    rank: str
    """One of RANKS, or JOKER."""
    suit: str
    """One of SUITS, or of JOKER_COLOURS for a Joker."""

    def __post_init__(self) -> None:
        """Refuse a card that no deck holds."""
        in_deck = self.suit in JOKER_COLOURS if self.rank == JOKER else self.rank in RANKS and self.suit in SUITS
        if not in_deck:
            raise ValueError(f"no card is written {self.rank + self.suit!r}; write 9C, 10H, AS, J*B or J*R")

    def __str__(self) -> str:
        """Write it short, as `parse_card` reads it."""
        return self.rank + self.suit

    @property
    def is_joker(self) -> bool:
        """Whether it is one of the two Jokers, which have no suit."""
        return self.rank == JOKER

    @property
    def is_clubs(self) -> bool:
        """Whether it is of Clubs."""
        return self.suit == "C"

    @property
    def name(self) -> str:
        """What players call it: `9 of Clubs`, `black Joker`."""
        if self.is_joker:
            return f"{'black' if self.suit == 'B' else 'red'} Joker"
        return f"{RANK_NAMES.get(self.rank, self.rank)} of {SUIT_NAMES[self.suit]}"


DECK: Final = (
    *(Card(rank, suit) for suit in SUITS for rank in RANKS),
    *(Card(JOKER, colour) for colour in JOKER_COLOURS),
)
"""All 54 cards."""


def parse_card(text: str) -> Card:
    """Read a card as it is written short, `10H` or `J*B`; `T` means 10, small letters do too.

    Raises:
        ValueError: for what is no card, saying how one is written.
    """
    upper = text.strip().upper()
    rank, suit = upper[:-1], upper[-1:]
    return Card("10" if rank == "T" else rank, suit)


def savage_order(card: Card) -> tuple[int, int]:
    """Return a key that grows with who acts first in Savage Worlds; different for all 54 cards.

    Jokers, then Ace down to Two; equal ranks by Spades, Hearts, Diamonds, Clubs. Reading: of two Jokers the black one
    comes first.
    """
    if card.is_joker:
        return (len(RANKS), JOKER_COLOURS.index(card.suit))
    return (RANKS.index(card.rank), SUITS.index(card.suit))


def world_saga_order(card: Card) -> int:
    """Return a key that grows with who acts first in World Saga: Jokers, then Ace down to 2, ignoring the suit."""
    return len(RANKS) if card.is_joker else RANKS.index(card.rank)
