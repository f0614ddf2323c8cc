"""Skuffle Wammer where places are known only roughly: what they decide, and what they leave to the players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules import skuffle, skuffle_doubt
from rules.ruling import IllegalActionError
from rules.skuffle_state import Attack, AttackKind, Breed, Game, Options, Soldier

RADIUS_MM = 12.5


def game(*gaps_mm: float, options: Options | None = None, breed: Breed = Breed.SOLDIER) -> Game:
    """A game in the turn of `me`, who has one enemy to the right and one to the left at these gaps."""
    me = Soldier("me", (100.0, 150.0), team="a", breed=breed)
    foes = tuple(
        Soldier(f"foe{n}", (100.0 + way * (2 * RADIUS_MM + gap), 150.0), team="b")
        for n, (gap, way) in enumerate(zip(gaps_mm, (1, -1), strict=False), start=1)
    )
    begun = skuffle.start((me, *foes), options or Options(minutes=3)).state
    return replace(begun, current="me")


@pytest.mark.parametrize(
    ("gap", "doubt", "is_open"),
    [
        (8.0, 1.9, False),
        (8.0, 2.0, True),
        (10.0, 0.1, True),
        (10.0, 0.0, False),
        (12.0, 2.0, True),
        (12.1, 2.0, False),
    ],
)
def test_the_kind_is_open_within_the_doubt_of_the_melee_limit(gap: float, doubt: float, is_open: bool) -> None:
    """Reading SK-R6, up to 10 mm between bases is melee; on either side of what the places can tell."""
    assert skuffle_doubt.is_kind_open(game(gap), "me", "foe1", doubt) is is_open


def test_the_doubt_of_a_gap_joins_those_of_both_places() -> None:
    assert skuffle_doubt.gap_doubt_mm({"me": 3.0, "foe1": 4.0}, "me", "foe1") == 5.0
    assert skuffle_doubt.gap_doubt_mm({"me": 3.0}, "me", "foe1") == 3.0
    assert skuffle_doubt.gap_doubt_mm({}, "me", "foe1") == 0.0


@pytest.mark.parametrize(
    ("gaps", "doubts", "expected"),
    [
        ((30.0, 31.0), {}, ("foe1",)),
        ((31.0, 30.0), {}, ("foe2",)),
        ((30.0, 30.0), {}, ("foe1",)),
        ((30.0, 31.0), {"foe1": 0.6, "foe2": 0.6}, ("foe1",)),
        ((30.0, 31.0), {"foe1": 0.6, "foe2": 0.8}, ("foe1", "foe2")),
        ((31.0, 30.0), {"foe1": 0.6, "foe2": 0.8}, ("foe2", "foe1")),
        ((30.0, 31.5), {"me": 1.1}, ("foe1", "foe2")),
        ((30.0,), {"me": 9.0, "foe1": 9.0}, ("foe1",)),
    ],
)
def test_enemies_as_near_as_can_be_told_may_each_be_the_nearest(
    gaps: tuple[float, ...], doubts: dict[str, float], expected: tuple[str, ...]
) -> None:
    assert skuffle_doubt.perhaps_nearest(game(*gaps), "me", doubts) == expected


def test_friends_are_never_the_nearest_enemy() -> None:
    friend = Soldier("friend", (100.0, 110.0), team="a")
    start = skuffle.start((*game(30.0, 30.0).soldiers, friend), Options(minutes=3)).state
    doubts = {"friend": 9.0, "foe1": 9.0, "foe2": 9.0}
    assert skuffle_doubt.perhaps_nearest(replace(start, current="me"), "me", doubts) == ("foe1", "foe2")


@pytest.mark.parametrize(
    ("value", "decides"), [(1, False), (2, False), (3, True), (4, False), (6, False), (None, True)]
)
def test_only_a_three_tells_melee_from_range(value: int | None, decides: bool) -> None:
    """Skuffle Wammer, Gameplay: melee hits on 3 or greater, range on 4 or greater; a 3 is all that is between."""
    attack = Attack("me", "foe1", AttackKind.RANGED)
    assert skuffle_doubt.kind_decides(game(10.0), attack, value) is decides


@pytest.mark.parametrize(("value", "decides"), [(3, False), (4, True)])
def test_cover_shifts_the_face_that_decides(value: int, decides: bool) -> None:
    """Skuffle Wammer, Bonus points: a 4 against cover is functionally a 3."""
    attack = Attack("me", "foe1", AttackKind.MELEE, defence_bonus=(skuffle.cover_reason("a box", 0.5),))
    assert skuffle_doubt.kind_decides(game(10.0), attack, value) is decides


def test_a_ghoul_needs_no_answer() -> None:
    """The author's expansion: a ghoul hits on 1 or more, near or far."""
    attack = Attack("me", "foe1", AttackKind.MELEE)
    assert not skuffle_doubt.kind_decides(game(10.0, breed=Breed.GHOUL), attack, None)


def test_what_is_refused_for_one_kind_decides_too() -> None:
    """In a strict game nobody shoots at whom he does not see, whatever the die shows."""
    attack = Attack("me", "foe1", AttackKind.MELEE, is_target_hidden=True)
    assert skuffle_doubt.kind_decides(game(10.0, options=Options(minutes=3, strict=True)), attack, 6)


@pytest.mark.parametrize(("doubt", "is_refused"), [(0.0, True), (1.9, True), (2.0, False)])
def test_a_strict_game_takes_the_players_word_within_the_doubt(doubt: float, is_refused: bool) -> None:
    strict = game(12.0, options=Options(minutes=3, strict=True))
    attack = Attack("me", "foe1", AttackKind.MELEE, gap_doubt_mm=doubt)
    if is_refused:
        with pytest.raises(IllegalActionError, match="melee reaches 10 mm"):
            skuffle.check(strict, attack)
    else:
        assert skuffle.check(strict, attack) == ()


@pytest.mark.parametrize(("doubt", "codes"), [(1.9, ["melee_gap"]), (2.0, [])])
def test_other_games_advise_only_beyond_the_doubt(doubt: float, codes: list[str]) -> None:
    attack = Attack("me", "foe1", AttackKind.MELEE, gap_doubt_mm=doubt)
    assert [message.code for message in skuffle.check(game(12.0), attack)] == codes


@pytest.mark.parametrize("doubt", [-0.1, float("nan"), float("inf")])
def test_a_doubt_is_a_length(doubt: float) -> None:
    with pytest.raises(ValueError, match="a gap is off by 0 mm or more"):
        skuffle.check(game(8.0), Attack("me", "foe1", AttackKind.MELEE, gap_doubt_mm=doubt))
