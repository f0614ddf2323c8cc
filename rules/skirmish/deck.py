"""Action cards of a Quick Skirmish: who draws, which cards can come, and who acts next."""

from __future__ import annotations

from collections.abc import Iterable

from rules.cards import DECK, Card, savage_order
from rules.skirmish.state import Deal, Edition, Fighter, Scene
from rules.skirmish.words import CATALOGUE


def who_draws(scene: Scene) -> tuple[Fighter, ...]:
    """Return the heroes that get a card: all who have not left; the incapacitated in `swade` only."""
    is_swd = scene.options.edition is Edition.SWD
    return tuple(
        hero for hero in scene.heroes if not hero.has_left and not (is_swd and hero.condition.is_incapacitated)
    )


def turn_order(cards: Iterable[tuple[str, Card]]) -> tuple[str, ...]:
    """Return ids in the order in which their cards act: the highest first."""
    return tuple(who for who, card in sorted(cards, key=lambda dealt: savage_order(dealt[1]), reverse=True))


def needs_shuffle(cards: Iterable[Card]) -> bool:
    """Whether the whole deck is shuffled after the round: when a Joker was dealt."""
    return any(card.is_joker for card in cards)


def draw(scene: Scene, deal: Deal) -> tuple[tuple[Card, ...], bool]:
    """Take the cards of a deal out of the deck.

    Reading QS-R5: where the cards run out in a deal, the discards are shuffled, and not what is in hands.

    Returns:
        The discards that are still apart, and whether they had to be shuffled.

    Raises:
        IllegalActionError: for a card that cannot come.
    """
    discards, was_shuffled = scene.discards, False
    dealt: list[Card] = []
    for _, card in deal.cards:
        if len(discards) + len(dealt) == len(DECK):
            discards, was_shuffled = (), True
        if card in dealt:
            raise CATALOGUE.refusal("card_twice", card=card.name)
        if card in discards:
            raise CATALOGUE.refusal("card_gone", card=card.name)
        dealt.append(card)
    return discards, was_shuffled


def next_hero(scene: Scene) -> Fighter | None:
    """Return the hero whose turn comes next, or None at the end of the round.

    A Joker's holder who waits comes when nobody else has a turn left.
    """
    to_act = [hero for hero in scene.heroes if hero.card is not None and not hero.has_acted and not hero.is_out]
    return max(to_act, key=_priority, default=None)


def _priority(hero: Fighter) -> tuple[bool, tuple[int, int]]:
    assert hero.card is not None
    return (not hero.is_delaying, savage_order(hero.card))
