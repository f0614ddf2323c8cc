"""Skuffle Wammer: what is refused, in which words, and what is only advised on."""

from __future__ import annotations

from typing import Any

import pytest

from rules.ruling import IllegalActionError
from rules.skuffle import (
    Action,
    Adjust,
    Attack,
    AttackKind,
    Cancel,
    Die,
    Game,
    Move,
    Options,
    Overrule,
    Pass,
    Phase,
    Reposition,
    Soldier,
    Start,
    Tipped,
    check,
    new_game,
    resolve,
    start,
)

RANGED, MELEE = AttackKind.RANGED, AttackKind.MELEE
NAN = float("nan")

A = Soldier("a", (100.0, 190.0), name="Lokan")
B = Soldier("b", (20.0, 120.0), name="Daemon")
C = Soldier("c", (100.0, 10.0))


def started(*soldiers: Soldier, **options: Any) -> Game:
    return start(soldiers or (A, B, C), Options(**options)).state


def in_phase(phase: Phase) -> Game:
    """A game of three in the phase asked for."""
    turn = started(minutes=1)
    waiting = resolve(turn, Attack("a", "b", RANGED)).state
    killed = resolve(waiting, Die(6)).state
    over = resolve(resolve(resolve(killed, Tipped("b")).state, Attack("c", "a", RANGED)).state, Die(1)).state
    games = {
        Phase.SETUP: new_game((A, B, C)),
        Phase.TURN: turn,
        Phase.AWAIT_DIE: waiting,
        Phase.AWAIT_TIP: killed,
        Phase.OVER: over,
    }
    assert games[phase].phase is phase
    return games[phase]


def refused(game: Game, action: Action) -> tuple[str, str]:
    """Code and sentence of a refusal, which leaves the game as it was."""
    with pytest.raises(IllegalActionError) as error:
        resolve(game, action)
    with pytest.raises(IllegalActionError) as same:
        check(game, action)
    assert (same.value.code, same.value.text) == (error.value.code, error.value.text)
    return error.value.code, error.value.text


ATTACK, MOVE, PASS = Attack("a", "c", RANGED), Move("a", (90.0, 190.0)), Pass("a")
NOT_STARTED = ("not_started", "The game has not started. Start it first.")
GAME_OVER = ("game_over", "The game is over. Start another, or take back the last step.")
DIE_AWAITED = ("die_awaited", "Lokan has taken a die to attack. Roll it, or take the attack back.")
TIP_AWAITED = ("tip_awaited", "Daemon is dead. Tip it on its side and take its last die away, then go on.")
NO_ATTACK = ("no_attack", "No attack is under way. Declare one first.")
NOBODY_TO_TIP = ("nobody_to_tip", "Nobody has just died, so nobody is tipped. Go on with the turn of Lokan.")
ALREADY_STARTED = ("already_started", "The game has started. End it before you start another.")
ADJUST = Adjust("a", 1, is_dead=False, why="")


@pytest.mark.parametrize(
    ("phase", "action", "refusal"),
    [
        *((Phase.SETUP, action, NOT_STARTED) for action in (ATTACK, MOVE, PASS, Die(1), Cancel(), Tipped("b"), ADJUST)),
        *((Phase.OVER, action, GAME_OVER) for action in (ATTACK, MOVE, PASS, Die(1), Cancel(), Tipped("b"), ADJUST)),
        *((Phase.AWAIT_DIE, action, DIE_AWAITED) for action in (ATTACK, MOVE, PASS, Tipped("b"), ADJUST)),
        *((Phase.AWAIT_TIP, action, TIP_AWAITED) for action in (ATTACK, MOVE, PASS, Die(1), Cancel(), ADJUST)),
        *((Phase.TURN, action, NO_ATTACK) for action in (Die(1), Overrule(True, ""), Cancel())),
        (Phase.TURN, Tipped("b"), NOBODY_TO_TIP),
        *((phase, Start(), ALREADY_STARTED) for phase in Phase if phase is not Phase.SETUP),
    ],
)
def test_each_phase_refuses_what_belongs_to_another(phase: Phase, action: Action, refusal: tuple[str, str]) -> None:
    """The sentence says what this phase waits for."""
    assert refused(in_phase(phase), action) == refusal


def test_whoever_died_without_a_die_has_none_to_take_away() -> None:
    """Skuffle Wammer, Damage: the pool goes to -1, and no die lies there."""
    game = resolve(resolve(started(minutes=1), Attack("a", "b", RANGED)).state, Die(1)).state
    while game.current != "b":
        game = resolve(game, Pass(str(game.current))).state
    game = resolve(resolve(game, Attack("b", "a", RANGED)).state, Die(1)).state  # its only die is spent
    game = resolve(resolve(game, Attack(str(game.current), "b", RANGED)).state, Die(6)).state
    assert (game.phase, game.soldier("b").pool) == (Phase.AWAIT_TIP, -1)
    said = "Daemon is dead. Tip it on its side, then go on. It had no die left to take away."
    assert refused(game, PASS) == ("tip_awaited_no_die", said)


@pytest.mark.parametrize(
    ("soldiers", "refusal"),
    [
        ((), ("too_few", "A game needs 2 soldiers or more, not 0. Put down another.")),
        ((A,), ("too_few", "A game needs 2 soldiers or more, not 1. Put down another.")),
        ((A, B, A), ("same_id", "Two soldiers are called a. Give one of them another name.")),
        (
            (Soldier("a", (1, 1), "red"), Soldier("b", (2, 2), "red")),
            ("only_one_side", "All soldiers are on one side. Put somebody on another side, then start."),
        ),
        (
            (Soldier("a", (1, 1), own_pool=0), Soldier("b", (2, 2), own_pool=0)),
            ("no_dice_at_all", "Nobody has a die. Give somebody dice, then start."),
        ),
    ],
)
def test_a_start_needs_two_sides_and_a_die(soldiers: tuple[Soldier, ...], refusal: tuple[str, str]) -> None:
    """Skuffle Wammer, Setup: arrange 2 or more soldiers within the play area."""
    assert refused(new_game(soldiers), Start()) == refusal


def test_two_soldiers_with_one_die_between_them_may_start() -> None:
    """The smallest game there is."""
    pair = (Soldier("a", (1, 1), own_pool=0), Soldier("b", (2, 2), own_pool=1))
    assert start(pair).state.phase is Phase.TURN


def test_a_team_and_a_soldier_of_the_same_name_are_two_sides() -> None:
    """A soldier without a team called like a team does not join it."""
    pair = (Soldier("red", (1, 1)), Soldier("b", (2, 2), "red"))
    assert start(pair).state.phase is Phase.TURN


def test_nobody_starts_with_fewer_than_no_dice() -> None:
    """A mistake in a file of settings."""
    with pytest.raises(ValueError, match="a soldier starts with 0 dice or more, not -1"):
        start((A, Soldier("b", (1, 1), own_pool=-1)))


@pytest.mark.parametrize(
    ("x", "y", "is_inside"),
    [
        (0.0, 0.0, True),
        (200.0, 200.0, True),
        (-0.1, 100.0, False),
        (200.1, 100.0, False),
        (60.0, -0.1, False),
        (100.0, 200.1, False),
    ],
)
def test_the_centre_of_a_base_decides_what_is_inside(x: float, y: float, is_inside: bool) -> None:
    """Skuffle Wammer, Setup: within the play area; a move outside is advised against, or refused when strict."""
    setup = new_game((A, Soldier("z", (x, y), name="Zed")))
    move = Move("a", (x, y))
    if is_inside:
        assert resolve(setup, Start()).state.phase is Phase.TURN
        assert check(started(), move) == ()
        assert check(started(strict=True), move) == ()
        return
    assert refused(setup, Start()) == ("not_inside", "Zed stands outside the play area. Move it inside, then start.")
    assert [advice.text for advice in check(started(), move)] == ["Lokan would stand outside the play area."]
    assert refused(started(strict=True), move) == (
        "outside_area",
        "Lokan would stand outside the play area. Move inside it.",
    )


@pytest.mark.parametrize(
    ("game", "action", "refusal"),
    [
        (
            started(A, Soldier("b", (1, 1), own_pool=0), C),
            Attack("b", "a", RANGED),
            ("no_dice", "b has no dice left and cannot attack. It can move."),
        ),
        (
            started(),
            Attack("a", "a", RANGED),
            ("own_target", "Lokan cannot attack itself. Attack somebody else: Daemon, c."),
        ),
        (
            resolve(started(), Adjust("b", 0, is_dead=True, why="")).state,
            Attack("a", "b", RANGED),
            ("target_dead", "Daemon is already dead. Attack somebody who stands: c."),
        ),
        (
            resolve(started(), Adjust("b", 0, is_dead=True, why="")).state,
            Attack("b", "a", RANGED),
            ("attacker_dead", "Daemon is dead and cannot attack. It is the turn of Lokan."),
        ),
        *(
            (
                resolve(started(), Adjust("b", 0, is_dead=True, why="")).state,
                action,
                ("actor_dead", "Daemon is dead and takes no more turns. It is the turn of Lokan."),
            )
            for action in (Move("b", (50.0, 50.0)), Pass("b"))
        ),
        *(
            (
                started(),
                action,
                ("unknown_soldier", "There is no soldier x in this game. There are: Lokan, Daemon, c."),
            )
            for action in (
                Attack("x", "a", RANGED),
                Attack("a", "x", RANGED),
                Move("x", (1.0, 1.0)),
                Pass("x"),
                Reposition("x", (1.0, 1.0)),
                Adjust("x", 1, is_dead=False, why=""),
            )
        ),
        (
            in_phase(Phase.AWAIT_TIP),
            Tipped("x"),
            ("unknown_soldier", "There is no soldier x in this game. There are: Lokan, Daemon, c."),
        ),
        (in_phase(Phase.AWAIT_TIP), Tipped("c"), ("other_to_tip", "c has not just died. Tip Daemon.")),
        (
            started(),
            Adjust("b", 1, is_dead=True, why=""),
            ("dead_pool", "A dead soldier has no dice, not 1. Take the dice of Daemon away."),
        ),
        (
            started(),
            Adjust("b", -1, is_dead=False, why=""),
            ("living_pool", "A living soldier has 0 dice or more, not -1. Give Daemon dice, or declare it dead."),
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_and_possible(game: Game, action: Action, refusal: tuple[str, str]) -> None:
    """Reading SK-R10; no die is spent by a refusal, for nothing changes."""
    assert refused(game, action) == refusal


@pytest.mark.parametrize(("pool", "is_dead"), [(0, False), (0, True), (-1, True)])
def test_the_game_master_may_set_what_the_rules_can_hold(pool: int, is_dead: bool) -> None:
    """Living with 0 or more, dead with 0 or fewer."""
    assert resolve(started(), Adjust("b", pool, is_dead=is_dead, why="")).state.soldier("b").pool == pool


def test_somebody_is_left_standing() -> None:
    """Skuffle Wammer, Winner: the last soldier left standing."""
    alone = started(A, B).soldier("a")
    dead = started(A, B).soldier("b").changed(pool=0, is_dead=True)
    game = Game((alone, dead), phase=Phase.TURN, order=("a", "b"), current="a", round=1)
    assert refused(game, Adjust("a", 0, is_dead=True, why="")) == (
        "nobody_left",
        "Somebody has to be left standing. Leave Lokan alive.",
    )
    assert check(game, Adjust("b", 0, is_dead=True, why="")) == ()
    assert check(game, Adjust("a", 0, is_dead=False, why="")) == ()


@pytest.mark.parametrize("value", [0, 7, -1])
def test_a_die_has_six_faces(value: int) -> None:
    """A caller's mistake, in whatever phase."""
    for phase in (Phase.AWAIT_DIE, Phase.TURN):
        for action in (Die(value), Overrule(True, "", value)):
            with pytest.raises(ValueError, match=f"a six-sided die cannot show {value}"):
                check(in_phase(phase), action)


@pytest.mark.parametrize("value", [1, 6])
def test_each_of_its_faces_is_read(value: int) -> None:
    """1 and 6 are the ends."""
    assert check(in_phase(Phase.AWAIT_DIE), Die(value)) == ()
    assert check(in_phase(Phase.AWAIT_DIE), Overrule(True, "", value)) == ()


@pytest.mark.parametrize("place", [(NAN, 1.0), (1.0, NAN), (float("inf"), 1.0)])
def test_a_place_is_two_numbers(place: tuple[float, float]) -> None:
    """A camera that measured nothing must not move anybody."""
    for action in (Move("a", place), Reposition("a", place)):
        with pytest.raises(ValueError, match="a place is two finite numbers in mm, not"):
            check(started(), action)
    with pytest.raises(ValueError, match="a place is two finite numbers in mm, not"):
        start((A, Soldier("b", place)))


# what is left to people


def test_a_turn_out_of_order_is_advised_against_or_refused_when_strict() -> None:
    """Skuffle Wammer, Setup: turn order does not matter that much; reading SK-R10."""
    for action in (Attack("b", "a", RANGED), Move("b", (50.0, 50.0)), Pass("b")):
        assert [(advice.code, advice.text) for advice in check(started(), action)] == [
            (
                "out_of_turn",
                "It is the turn of Lokan; Daemon acts early and will not act again this round.",
            )
        ]
        assert refused(started(strict=True), action) == (
            "not_your_turn",
            "It is the turn of Lokan, not of Daemon. Let Lokan move, attack or pass.",
        )
    assert check(started(strict=True), Attack("a", "b", RANGED)) == ()


@pytest.mark.parametrize(("gap_mm", "is_far"), [(0.0, False), (10.0, False), (10.5, True)])
def test_melee_across_more_than_10_mm_is_advised_against_or_refused_when_strict(gap_mm: float, is_far: bool) -> None:
    """Reading SK-R6."""
    pair = (A, Soldier("d", (100.0, 190.0 - 12.5 - 20.0 - gap_mm), base_radius_mm=20.0))
    action = Attack("a", "d", MELEE)
    advice = check(started(*pair), action)
    assert [message.text for message in advice] == (["d is 11 mm away; melee is meant up to 10 mm."] if is_far else [])
    if is_far:
        assert refused(started(*pair, strict=True), action) == (
            "too_far_for_melee",
            "d is 11 mm away; melee reaches 10 mm. Attack at range, or move closer.",
        )
    else:
        assert check(started(*pair, strict=True), action) == ()
    assert check(started(*pair, strict=True), Attack("a", "d", RANGED)) == ()
    assert check(started(*pair, strict=True, melee_gap_mm=10.5), action) == ()


def test_the_limit_of_melee_is_written_as_it_was_set() -> None:
    """7.5 stays 7.5, 10.0 becomes 10."""
    advice = check(started(A, B, melee_gap_mm=7.5), Attack("a", "b", MELEE))
    assert advice[0].params == (("target", "Daemon"), ("gap_mm", 82), ("limit_mm", 7.5))


def test_a_friend_may_be_attacked_after_a_warning() -> None:
    """Skuffle Wammer, Setup: grouping does not change the rules; also when strict."""
    team = (Soldier("a", (10, 10), "red", name="Lokan"), Soldier("b", (50, 50), "red"), Soldier("c", (90, 90)))
    for strict in (False, True):
        game = started(*team, strict=strict)
        friendly = Attack(str(game.current), "a", RANGED) if game.current != "a" else Attack("a", "b", RANGED)
        if game.current == "c":
            game = resolve(game, Pass("c")).state
            friendly = Attack("b", "a", RANGED)
        assert [advice.text for advice in check(game, friendly)] == ["Lokan is on the side of b. The rules allow it."]


def test_an_unseen_target_is_advised_against_or_refused_at_range_when_strict() -> None:
    """Reading SK-R8: the rules have no line of sight."""
    shot = Attack("a", "b", RANGED, is_target_hidden=True)
    blow = Attack("a", "d", MELEE, is_target_hidden=True)
    neighbour = Soldier("d", (100.0, 165.0))
    text = "Nothing of Daemon can be seen from Lokan."
    assert [advice.text for advice in check(started(), shot)] == [text]
    assert refused(started(strict=True), shot) == ("out_of_sight", f"{text} Move, or attack somebody else.")
    assert [advice.code for advice in check(started(A, neighbour, strict=True), blow)] == ["target_hidden"]


def test_advice_adds_up_and_comes_with_the_ruling() -> None:
    """Everything that is odd is said at once."""
    team = (Soldier("a", (10, 10), "red"), Soldier("b", (50, 150), "red"), Soldier("c", (90, 190)))
    ruling = resolve(started(*team), Attack("a", "b", MELEE, is_target_hidden=True))
    assert [advice.code for advice in ruling.advice] == ["out_of_turn", "friend_attacked", "melee_gap", "target_hidden"]
    assert [advice.code for advice in resolve(started(*team), Pass("a")).advice] == ["out_of_turn"]
    assert [advice.code for advice in resolve(started(*team), Move("a", (11, 10))).advice] == ["out_of_turn"]


@pytest.mark.parametrize(("gap_mm", "overlaps"), [(0.0, False), (-0.1, True)])
def test_standing_on_a_base_is_advised_against_or_refused_when_strict(gap_mm: float, overlaps: bool) -> None:
    """Reading SK-R5."""
    move = Move("a", (20.0 + 12.5 + 12.5 + gap_mm, 120.0))
    assert [advice.text for advice in check(started(), move)] == (
        ["Lokan would stand on the base of Daemon."] if overlaps else []
    )
    if overlaps:
        assert refused(started(strict=True), move) == (
            "on_base",
            "Lokan would stand on the base of Daemon. Move beside it.",
        )


def test_the_dead_and_oneself_are_in_nobodys_way() -> None:
    """A tipped figure is lifted aside; a small step overlaps where one stood."""
    game = resolve(started(), Adjust("b", 0, is_dead=True, why="")).state
    assert check(game, Move("a", B.pos)) == ()
    assert check(game, Move("a", (101.0, 190.0))) == ()


@pytest.mark.parametrize(("distance_mm", "is_far"), [(50.0, False), (50.1, True)])
def test_a_limit_of_moves_is_advised_or_refused_when_strict(distance_mm: float, is_far: bool) -> None:
    """Reading SK-R5: the rules have no limit, the players may agree on one."""
    move = Move("a", (100.0, 190.0 - distance_mm))
    assert check(started(), move) == ()
    advice = check(started(max_move_mm=50.0), move)
    assert [message.text for message in advice] == (["Lokan moves 51 mm; 50 mm are agreed."] if is_far else [])
    if is_far:
        assert refused(started(max_move_mm=50.0, strict=True), move) == (
            "too_far",
            "Lokan would move 51 mm; 50 mm are allowed. Move less.",
        )
