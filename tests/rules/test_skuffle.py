"""Skuffle Wammer: attacks, damage, bonuses, turns, the end; each number of the rules from both sides."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.ruling import DiceNeed, Reason, total
from rules.skuffle import (
    Attack,
    AttackKind,
    Breed,
    Die,
    Event,
    Move,
    Options,
    Outcome,
    Pass,
    Phase,
    Soldier,
    Tipped,
    cover_reason,
    hit_chance,
    hitting_faces,
    needed_value,
    pending,
    propose_cover,
    propose_vantage,
    resolve,
    start,
    vantage_reason,
)
from tests.rules.skuffle_games import COVER, MELEE, RANGED, VANTAGE, codes, game, shoot

# set-up


@pytest.mark.parametrize(("minutes", "dice"), [(1, 1), (3, 2), (5, 3)])
def test_each_soldier_gets_the_dice_of_the_game(minutes: int, dice: int) -> None:
    """Skuffle Wammer, Setup."""
    ruling = start((Soldier("a", (100, 190)), Soldier("b", (20, 120))), Options(minutes=minutes))
    assert [soldier.pool for soldier in ruling.state.soldiers] == [dice, dice]
    assert ruling.outcome == Outcome(Event.STARTED)
    assert [reason.text for reason in ruling.reasons] == [
        f"A game of {minutes} {'minute' if minutes == 1 else 'minutes'}: dice beside each soldier: {dice}.",
        "a is closest to the middle of the near edge, where you sit, and goes first.",
    ]


def test_a_seat_that_was_agreed_on_is_named_as_such() -> None:
    """Whoever sits at another edge is not told of the near one."""
    ruling = start((Soldier("a", (100, 190)), Soldier("b", (100, 20))), Options(seat_mm=(100, 0)))
    assert ruling.reasons[-1].text == "b is closest to the seat that you agreed on and goes first."


@pytest.mark.parametrize("minutes", [0, 2, 4, 6])
def test_no_other_length_of_game_exists(minutes: int) -> None:
    """Skuffle Wammer, Setup: 5, 3 or 1 minutes."""
    with pytest.raises(ValueError, match=f"a game takes 1, 3 or 5 minutes, not {minutes}"):
        Options(minutes=minutes)


@pytest.mark.parametrize("area", [(0.0, 200.0), (200.0, -1.0), (200.0, float("inf")), (float("nan"), 200.0)])
def test_an_area_has_a_size(area: tuple[float, float]) -> None:
    """A play area of nothing or of everything is a mistake in the settings."""
    with pytest.raises(ValueError, match="a width and a height above 0 mm"):
        Options(area_mm=area)


def test_the_area_is_20_by_20_cm_and_the_seat_in_the_middle_of_its_near_edge() -> None:
    """Skuffle Wammer: a 20x20 cm play area; reading SK-R2."""
    assert Options().area_mm == (200.0, 200.0)
    assert (Options().seat, Options().centre) == ((100.0, 200.0), (100.0, 100.0))
    a4 = Options(area_mm=(210.0, 297.0))
    assert (a4.seat, a4.centre) == ((105.0, 297.0), (105.0, 148.5))
    assert Options(seat_mm=(0.0, 50.0)).seat == (0.0, 50.0)


@pytest.mark.parametrize(("minutes", "dice"), [(1, 1), (3, 1), (5, 2)])
def test_a_ghoul_starts_with_one_die_fewer_and_never_with_none(minutes: int, dice: int) -> None:
    """The author's expansion; reading for the 1-minute game."""
    ghoul = Soldier("g", (20, 120), breed=Breed.GHOUL, name="Ghoul")
    ruling = start((Soldier("a", (100, 190)), ghoul), Options(minutes=minutes))
    assert ruling.state.soldier("g").pool == dice
    assert ruling.reasons[1].text == f"Ghoul is a ghoul and starts with one die fewer, but never with none: {dice}."
    assert ruling.reasons[1].source == "Skuffle Wammer with ghouls"


def test_a_handicap_comes_before_everything_else() -> None:
    """Reading SK-R4: a soldier may be given its own pool."""
    ghoul = Soldier("g", (20, 120), breed=Breed.GHOUL, own_pool=5)
    ruling = start((Soldier("a", (100, 190)), ghoul))
    assert ruling.state.soldier("g").pool == 5
    assert ruling.reasons[1].text == "g starts with its own number of dice: 5."
    assert len(ruling.reasons) == 3


def test_a_start_forgets_an_earlier_game() -> None:
    """The same soldiers can play again."""
    tired = Soldier("b", (20, 120), pool=-1, is_dead=True, turns=4)
    state = start((Soldier("a", (100, 190)), tired)).state
    assert state.soldier("b") == Soldier("b", (20, 120), pool=3)
    assert (state.phase, state.current, state.round, state.last_attack_round) == (Phase.TURN, "a", 1, 0)


# attack


@pytest.mark.parametrize(
    ("kind", "die", "attack_bonus", "defence_bonus", "is_hit"),
    [
        (RANGED, 3, (), (), False),
        (RANGED, 4, (), (), True),
        (RANGED, 2, VANTAGE, (), False),
        (RANGED, 3, VANTAGE, (), True),
        (RANGED, 4, (), COVER, False),
        (RANGED, 5, (), COVER, True),
        (RANGED, 3, VANTAGE, COVER, False),
        (RANGED, 4, VANTAGE, COVER, True),
        (MELEE, 2, (), (), False),
        (MELEE, 3, (), (), True),
        (MELEE, 1, VANTAGE, (), False),
        (MELEE, 2, VANTAGE, (), True),
        (MELEE, 3, (), COVER, False),
        (MELEE, 4, (), COVER, True),
        (MELEE, 2, VANTAGE, COVER, False),
        (MELEE, 3, VANTAGE, COVER, True),
        (RANGED, 6, (), COVER, True),
        (RANGED, 1, VANTAGE, (), False),
    ],
)
def test_an_attack_hits_from_its_number_on(
    kind: AttackKind, die: int, attack_bonus: tuple[Reason, ...], defence_bonus: tuple[Reason, ...], is_hit: bool
) -> None:
    """Ranged 4, melee 3; +1 to attack, -1 to an attacker (Skuffle Wammer, Gameplay and Bonus points)."""
    ruling = shoot(game(3, 3), die, kind=kind, attack_bonus=attack_bonus, defence_bonus=defence_bonus)
    needed = 4 if kind is RANGED else 3
    modified = die + len(attack_bonus) - len(defence_bonus)
    event = Event.HIT if is_hit else Event.MISS
    assert ruling.outcome == Outcome(event, "a", "b", die, modified, needed)
    assert [soldier.pool for soldier in ruling.state.soldiers] == [2, 2 if is_hit else 3]
    assert total(ruling.reasons) == modified
    decision = "falls_short" if not is_hit else "reaches"
    assert codes(ruling) == [
        "die_shows",
        *["vantage" for _ in attack_bonus],
        *["cover" for _ in defence_bonus],
        decision,
        *["damage" for _ in range(is_hit)],
    ]


def test_the_die_leaves_the_pool_when_the_attack_is_declared() -> None:
    """Skuffle Wammer, Gameplay: remove a die, permanently, and roll it."""
    ruling = resolve(game(3, 3), Attack("a", "b", RANGED, VANTAGE, COVER))
    assert ruling.state.soldier("a").pool == 2
    assert (ruling.state.phase, ruling.state.current) == (Phase.AWAIT_DIE, "a")
    assert ruling.outcome == Outcome(Event.ATTACK, "a", "b", needed=4)
    assert [reason.text for reason in ruling.reasons] == [
        "a takes a die from its pool to attack; left: 2.",
        "A vantage point on the monitor, 41 mm higher.",
        "Cover behind the eraser (62 % hidden).",
    ]
    assert [reason.amount for reason in ruling.reasons] == [None, 1, -1]


def test_the_roll_awaited_says_who_throws_what_for_what() -> None:
    """The table can ask for the roll and match a die to it."""
    state = start((Soldier("a", (100, 190), name="Traitor"), Soldier("b", (20, 120), name="Lokan"))).state
    assert pending(state) is None
    roll = pending(resolve(state, Attack("a", "b", RANGED, (), COVER)).state)
    assert roll is not None
    assert (roll.who, roll.dice) == ("a", (DiceNeed(1, 6, "attack"),))
    assert roll.purpose.text == "Traitor shoots at Lokan."
    assert roll.success.text == "5 or more on the die hits."
    assert (roll.winning_faces, roll.chance) == ((5, 6), Fraction(1, 3))
    assert [modifier.code for modifier in roll.modifiers] == ["cover"]
    assert [step.text for step in roll.steps] == [
        "Throw the die taken from the pool of Traitor; throw it again if it lies askew or falls off."
    ]
    melee = pending(resolve(state, Attack("a", "b", MELEE)).state)
    assert melee is not None
    assert melee.purpose.text == "Traitor strikes at Lokan."
    assert (melee.success.text, melee.chance) == ("3 or more on the die hits.", Fraction(2, 3))


@pytest.mark.parametrize(
    ("kind", "modifier", "chance"),
    [
        (RANGED, 0, Fraction(3, 6)),
        (RANGED, 1, Fraction(4, 6)),
        (RANGED, -1, Fraction(2, 6)),
        (MELEE, 0, Fraction(4, 6)),
        (MELEE, 1, Fraction(5, 6)),
        (MELEE, -1, Fraction(3, 6)),
    ],
)
def test_the_chance_to_hit_is_exact(kind: AttackKind, modifier: int, chance: Fraction) -> None:
    """Arithmetic on six faces."""
    needed = needed_value(Soldier("a", (0, 0)), kind)
    assert hit_chance(needed, modifier) == chance
    assert len(hitting_faces(needed, modifier)) == chance * 6
    if modifier == 0:
        assert hit_chance(needed) == chance
        assert len(hitting_faces(needed)) == chance * 6


def test_a_ghoul_hits_on_1_and_pays_all_the_same() -> None:
    """The author's expansion: a ghoul hits on 1+ and still pays a die; cover spoils a natural 1."""
    pair = (Soldier("a", (100, 190), breed=Breed.GHOUL), Soldier("b", (20, 120)))
    state = start(pair).state
    waiting = resolve(state, Attack("a", "b", RANGED)).state
    roll = pending(waiting)
    assert roll is not None
    assert (roll.success.text, roll.chance) == ("Every face of the die hits.", Fraction(1))
    ruling = resolve(waiting, Die(1))
    assert (ruling.outcome.event, ruling.outcome.needed) == (Event.HIT, 1)
    assert (ruling.state.soldier("a").pool, ruling.state.soldier("b").pool) == (1, 2)
    assert shoot(state, 1, defence_bonus=COVER).outcome.event is Event.MISS
    assert shoot(state, 2, defence_bonus=COVER).outcome.event is Event.HIT
    assert needed_value(pair[0], MELEE) == 1


# damage and death


@pytest.mark.parametrize(
    ("pool", "left", "is_killed", "loss"),
    [
        (3, 2, False, "b takes damage and loses a die; left: 2."),
        (2, 1, False, "b takes damage and loses a die; left: 1."),
        (1, 0, True, "b takes damage and loses a die; left: 0."),
        (0, -1, True, "b has no die left to lose: its pool goes to -1."),
    ],
)
def test_damage_kills_at_0_or_less(pool: int, left: int, is_killed: bool, loss: str) -> None:
    """Skuffle Wammer, Damage: reduced by damage to 0 or less is dead; -1 qualifies."""
    ruling = shoot(game(2, pool, 1), 6)
    victim = ruling.state.soldier("b")
    assert (victim.pool, victim.is_dead) == (left, is_killed)
    assert ruling.outcome.event is (Event.KILL if is_killed else Event.HIT)
    assert ruling.reasons[2].text == loss
    assert (ruling.state.phase, ruling.state.fallen) == ((Phase.AWAIT_TIP, "b") if is_killed else (Phase.TURN, None))
    assert [reason.text for reason in ruling.reasons[3:]] == [
        f"Damage brought the pool of b to {left}: it is dead. Tip it on its side." for _ in range(is_killed)
    ]


def test_a_soldier_that_spends_its_last_die_is_not_dead() -> None:
    """Skuffle Wammer, Damage: a death from lack of dice only occurs by taking damage."""
    ruling = shoot(game(1, 2), 1)
    assert ruling.state.soldier("a").pool == 0
    assert not ruling.state.soldier("a").is_dead
    assert ruling.state.phase is Phase.TURN


def test_the_next_turn_waits_for_the_dead_to_be_tipped() -> None:
    """Skuffle Wammer, Damage: tip it on its side."""
    killed = shoot(game(2, 1, 1), 6).state
    assert killed.current == "a"
    ruling = resolve(killed, Tipped("b"))
    assert (ruling.outcome, ruling.reasons[0].text) == (Outcome(Event.TIPPED, "b"), "b lies on its side.")
    assert (ruling.state.phase, ruling.state.fallen, ruling.state.current) == (Phase.TURN, None, "c")


# bonuses


def test_many_reasons_make_one_bonus() -> None:
    """Reading SK-R8: at most one attack bonus and one defence bonus; the rest say that they add nothing."""
    more_cover = (*COVER, cover_reason("the mug", 0.5))
    more_height = (*VANTAGE, vantage_reason("a book", 35))
    ruling = shoot(game(3, 3), 4, attack_bonus=more_height, defence_bonus=more_cover)
    assert [(reason.code, reason.amount) for reason in ruling.reasons[:5]] == [
        ("die_shows", 4),
        ("vantage", 1),
        ("one_bonus", 0),
        ("cover", -1),
        ("one_bonus", 0),
    ]
    assert ruling.reasons[2].text == "a has that bonus already; more of the same adds nothing."
    assert ruling.reasons[4].text == "b has that bonus already; more of the same adds nothing."
    assert ruling.outcome.modified == 4


def test_any_reason_given_counts_one_whatever_its_own_amount() -> None:
    """The players may call anything on the desk a bonus, but it is a bonus of one."""
    own = Reason("steady", "Steady aim.", "the players", 5)
    ruling = shoot(game(3, 3), 3, attack_bonus=(own,))
    assert ruling.outcome.modified == 4
    assert ruling.reasons[1] == Reason("steady", "Steady aim.", "the players", 1)


def test_one_thing_never_gives_both_bonuses_while_a_soldier_stays() -> None:
    """Reading SK-R8: the rules give a thing's bonus to attack or to defence."""
    state = shoot(game(3, 3), 1, attack_bonus=VANTAGE).state
    behind_it = (cover_reason("the monitor", 0.9),)
    ruling = shoot(state, 4, by="b", at="a", defence_bonus=behind_it)
    assert ruling.outcome.modified == 4
    assert ruling.reasons[1].code == "source_used"
    assert ruling.reasons[1].text == "the monitor already gives a the other bonus; one thing never gives both."
    assert shoot(state, 4, by="b", at="a", defence_bonus=COVER).outcome.modified == 3
    both = shoot(state, 4, by="b", at="a", defence_bonus=(*behind_it, *COVER))
    assert [reason.amount for reason in both.reasons[:3]] == [4, 0, -1]


def test_a_thing_that_has_protected_gives_no_attack_bonus_until_the_soldier_moves() -> None:
    """Reading SK-R8, the other way round; moving away begins anew."""
    state = shoot(game(3, 3), 1, defence_bonus=(cover_reason("the monitor", 0.9),)).state
    assert state.soldier("b").defence_sources == ("the monitor",)
    assert shoot(state, 4, by="b", at="a", attack_bonus=VANTAGE).outcome.modified == 4
    moved = resolve(state, Move("b", (30, 120))).state
    assert moved.soldier("b").defence_sources == ()
    moved = resolve(moved, Pass("a")).state
    assert shoot(moved, 4, by="b", at="a", attack_bonus=VANTAGE).outcome.modified == 5
    assert shoot(moved, 4, by="b", at="a", attack_bonus=VANTAGE).state.soldier("b").attack_sources == ("the monitor",)


def test_a_thing_is_remembered_once_and_the_two_sides_may_share_it() -> None:
    """One on the monitor, the other behind it: each has its own bonus."""
    state = shoot(game(4, 4), 1, attack_bonus=VANTAGE, defence_bonus=(cover_reason("the monitor", 0.9),)).state
    state = resolve(state, Pass("b")).state
    ruling = shoot(state, 4, attack_bonus=VANTAGE, defence_bonus=(cover_reason("the monitor", 0.9), *COVER))
    assert ruling.outcome.modified == 4
    assert ruling.state.soldier("a").attack_sources == ("the monitor",)
    assert ruling.state.soldier("b").defence_sources == ("the monitor",)


@pytest.mark.parametrize(
    ("share", "is_cover"), [(0.0, False), (0.374, False), (0.375, True), (0.375 - 1e-12, True), (1.0, True)]
)
def test_cover_is_proposed_from_three_eighths_hidden(share: float, is_cover: bool) -> None:
    """Reading SK-R8."""
    proposal = propose_cover(Options(), "the eraser", share)
    assert proposal == ((cover_reason("the eraser", share),) if is_cover else ())


@pytest.mark.parametrize(("height", "is_vantage"), [(29.9, False), (30.0, True)])
def test_a_vantage_point_is_proposed_from_30_mm_on(height: float, is_vantage: bool) -> None:
    """Reading SK-R8."""
    proposal = propose_vantage(Options(), "a book", height)
    assert proposal == ((vantage_reason("a book", height),) if is_vantage else ())
    assert propose_vantage(Options(vantage_mm=20), "a book", 29.9)


def test_bonus_reasons_round_what_was_measured() -> None:
    """Players read whole numbers."""
    assert cover_reason("the eraser", 0.626).params == (("by", "the eraser"), ("percent", 63))
    assert cover_reason("the eraser", 0.996).params[1] == ("percent", 99)  # a part can still be seen
    assert vantage_reason("a book", 40.6).params == (("by", "a book"), ("height_mm", 41))
    assert (cover_reason("x", 0.5).amount, vantage_reason("x", 1).amount) == (-1, 1)
