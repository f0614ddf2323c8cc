"""Who goes first: initiative by dice or by cards, with its ties.

Rule: World Saga, Combat Mode, Rolling Initiative and Alternative Initiative Options. The d20 is added here and the
highest total goes first: this one roll is not rolled under anything. Readings: tied NPCs go by Reflexes, then in the
order in which they were entered; a group rolls once and acts one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise

from rules.ruling import Reason, listed
from rules.world_saga.words import CATALOGUE, INITIATIVE, OPTIONS


class Side(StrEnum):
    """Whether a player or the Game Master plays somebody; it decides ties."""

    PC = "pc"
    NPC = "npc"


@dataclass(frozen=True, slots=True)
class Drawn:
    """Somebody, or a group, with what was rolled or dealt."""

    id: str
    side: Side
    reflexes: int
    score: int
    """Total of the roll, or the strength of the card by `rules.cards.world_saga_order`."""


@dataclass(frozen=True, slots=True)
class Order:
    """A turn order with its open choices."""

    ids: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    """Players who tie and may choose among themselves; until they do, the order of entry stands."""
    reasons: tuple[Reason, ...]


def order_by_rolls(drawn: Sequence[Drawn]) -> Order:
    """Order by total, highest first; a PC goes before an NPC with the same total, tied PCs choose."""
    by_place = {each.id: place for place, each in enumerate(drawn)}

    def place(each: Drawn) -> tuple[int, bool, int, int]:
        is_npc = each.side is Side.NPC
        return (-each.score, is_npc, -each.reflexes if is_npc else 0, by_place[each.id])

    return _order(sorted(drawn, key=place), by_reflexes=False)


def order_by_cards(drawn: Sequence[Drawn]) -> Order:
    """Order by card, then by Reflexes; still tied, a PC goes before an NPC and tied PCs choose."""
    by_place = {each.id: place for place, each in enumerate(drawn)}
    ranked = sorted(drawn, key=lambda each: (-each.score, -each.reflexes, each.side is Side.NPC, by_place[each.id]))
    return _order(ranked, by_reflexes=True)


def _order(ranked: list[Drawn], *, by_reflexes: bool) -> Order:
    """Find the choices in a ranking and explain its ties."""
    source = OPTIONS if by_reflexes else INITIATIVE
    choices, reasons = [], []
    for _, tied in groupby(ranked, key=lambda each: (each.score, each.reflexes if by_reflexes else 0)):
        group = list(tied)
        players = tuple(each.id for each in group if each.side is Side.PC)
        if len(players) > 1:
            choices.append(players)
            reasons.append(CATALOGUE.reason("ws_pcs_choose", source, who=listed(players)))
        for one, other in pairwise(group):
            if one.side is not other.side:
                reasons.append(CATALOGUE.reason("ws_pc_first", source, pc=one.id, npc=other.id))
            elif one.side is Side.NPC:
                reasons.append(CATALOGUE.reason("ws_npc_tie", source, first=one.id, second=other.id))
    ids = tuple(each.id for each in ranked)
    reasons.append(CATALOGUE.reason("ws_order", source, order=", ".join(ids)))
    return Order(ids, tuple(choices), tuple(reasons))
