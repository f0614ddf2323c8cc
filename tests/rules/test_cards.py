"""Playing cards for initiative."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import DECK, RANKS, SUITS, Card, parse_card, savage_order, world_saga_order


def test_the_deck_has_54_cards_and_both_jokers() -> None:
    """Four suits of thirteen, and two Jokers."""
    assert len(DECK) == len(set(DECK)) == 54
    assert sum(card.is_joker for card in DECK) == 2
    assert sum(card.is_clubs for card in DECK) == 13


def test_every_card_is_read_as_it_is_written() -> None:
    """Short, and in full for players."""
    assert all(parse_card(str(card)) == card for card in DECK)
    assert (str(Card("10", "H")), Card("10", "H").name) == ("10H", "10 of Hearts")
    assert [parse_card(text).name for text in ("as", " td ", "J*B", "j*r", "JC", "QS", "KD", "2C")] == [
        "Ace of Spades",
        "10 of Diamonds",
        "black Joker",
        "red Joker",
        "Jack of Clubs",
        "Queen of Spades",
        "King of Diamonds",
        "2 of Clubs",
    ]


@pytest.mark.parametrize("text", ["", "1C", "11C", "9X", "J*C", "J*", "9B", "9R", "C", "joker"])
def test_what_is_no_card_is_refused(text: str) -> None:
    """Saying how one is written."""
    with pytest.raises(ValueError, match=r"no card is written .*; write 9C, 10H, AS, J\*B or J\*R"):
        parse_card(text)


def test_savage_worlds_orders_all_54_cards_strictly() -> None:
    """54 distinct keys: Jokers, Ace to Two, then Spades, Hearts, Diamonds, Clubs."""
    in_order = sorted(DECK, key=savage_order, reverse=True)
    assert len({savage_order(card) for card in DECK}) == 54
    assert [str(card) for card in in_order[:8]] == ["J*B", "J*R", "AS", "AH", "AD", "AC", "KS", "KH"]
    assert [str(card) for card in in_order[-5:]] == ["3C", "2S", "2H", "2D", "2C"]


@given(st.sampled_from(RANKS), st.sampled_from(SUITS), st.sampled_from(SUITS))
def test_world_saga_ignores_the_suit(rank: str, suit: str, other: str) -> None:
    """World Saga, Initiative: Jokers to Ace down to 2."""
    assert world_saga_order(Card(rank, suit)) == world_saga_order(Card(rank, other)) == RANKS.index(rank)
    assert world_saga_order(Card("J*", "R")) == world_saga_order(Card("J*", "B")) > world_saga_order(Card(rank, suit))


def test_an_ace_is_no_joker() -> None:
    """Seen in a public tool, where an Ace gave the Joker's bonus."""
    assert not Card("A", "S").is_joker
    assert not Card("J", "S").is_joker
    assert Card("J*", "B").is_joker
    assert not Card("J*", "B").is_clubs
