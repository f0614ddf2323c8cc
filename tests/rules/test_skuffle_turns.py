"""Skuffle Wammer: moves, passes, attacks taken back, the game master, the end, stalemate."""

from __future__ import annotations

import pytest

from rules.ruling import total
from rules.skuffle import (
    Adjust,
    Attack,
    Cancel,
    Die,
    Event,
    Move,
    Outcome,
    Overrule,
    Pass,
    Phase,
    Reposition,
    Result,
    Soldier,
    Start,
    Tipped,
    TurnOrder,
    legal_actions,
    new_game,
    propose_kind,
    resolve,
    start,
    targets,
)
from tests.rules.skuffle_games import COVER, MELEE, RANGED, VANTAGE, game, shoot, soldiers

# the game master


@pytest.mark.parametrize(("is_hit", "die"), [(True, 1), (False, 6), (True, None), (False, None)])
def test_the_game_master_may_decide_an_attack(is_hit: bool, die: int | None) -> None:
    """A person outranks the arithmetic, and the ruling says so."""
    waiting = resolve(game(3, 3), Attack("a", "b", RANGED, (), COVER)).state
    ruling = resolve(waiting, Overrule(is_hit, "The die hit the mug.", die))
    assert ruling.outcome.event is (Event.HIT if is_hit else Event.MISS)
    assert (ruling.outcome.natural, ruling.outcome.modified) == (die, None if die is None else die - 1)
    said = ruling.reasons[0 if die is None else 2]
    assert said.source == "the game master"
    assert said.text == f"The game master rules a {'hit' if is_hit else 'miss'}: The die hit the mug."
    assert total(ruling.reasons) == (0 if die is None else die - 1)
    assert ruling.state.soldier("b").pool == (2 if is_hit else 3)


def test_the_game_master_may_put_a_soldier_right() -> None:
    """Where table and books disagree a person decides; the turn stays where it was."""
    state = game(3, 3, 3)
    ruling = resolve(state, Adjust("b", 1, is_dead=False, why="A die had rolled away."))
    assert ruling.state.soldier("b").pool == 1
    assert (ruling.state.current, ruling.state.round) == ("a", 1)
    assert ruling.outcome == Outcome(Event.ADJUSTED, "b")
    assert ruling.reasons[0].text == "The game master puts b right: alive, dice: 1. A die had rolled away."
    assert ruling.reasons[0].source == "the game master"
    dead = resolve(state, Adjust("a", 0, is_dead=True, why="Eaten by the cat."))
    assert dead.state.soldier("a").is_dead
    assert dead.state.current == "b"
    assert dead.reasons[0].text == "The game master puts a right: dead. Eaten by the cat."
    raised = resolve(dead.state, Adjust("a", 2, is_dead=False, why="It was a plush cat."))
    assert (raised.state.soldier("a").pool, raised.state.soldier("a").is_dead) == (2, False)


def test_somebody_raised_from_the_dead_does_not_catch_up_on_turns() -> None:
    """Reading: it joins the round that is on."""
    state = resolve(game(3, 3, 3), Adjust("b", 0, is_dead=True, why="")).state
    for _ in range(4):
        for who in "ac":
            state = resolve(state, Pass(who)).state
    state = resolve(state, Adjust("b", 2, is_dead=False, why="")).state
    turns = []
    for _ in range(6):
        turns.append(str(state.current))
        state = resolve(state, Pass(turns[-1])).state
    assert turns == ["a", "b", "c", "a", "b", "c"]


def test_the_game_master_can_end_a_game() -> None:
    """The end is looked for after every change."""
    assert resolve(game(3, 3), Adjust("b", 0, is_dead=True, why="")).state.winners == ("a",)
    state = resolve(game(3, 3), Adjust("b", 0, is_dead=False, why="")).state
    assert resolve(state, Adjust("a", 0, is_dead=False, why="")).state.result is Result.SHARED


def test_a_place_is_put_right_without_a_turn() -> None:
    """A bumped desk is no move: what gives bonuses there stays."""
    state = shoot(game(3, 3), 1, attack_bonus=VANTAGE).state
    ruling = resolve(state, Reposition("a", (90.0, 185.0)))
    assert ruling.state.soldier("a") == state.soldier("a").changed(pos=(90.0, 185.0))
    assert ruling.state.current == "b"
    assert ruling.outcome == Outcome(Event.REPOSITIONED, "a")
    assert ruling.reasons[0].text == "The place of a is put right; this is no move."


@pytest.mark.parametrize("phase", list(Phase))
def test_a_place_can_be_put_right_at_any_time(phase: Phase) -> None:
    """Also while a die rolls, and before and after the game."""
    setup = new_game(soldiers(2, 1, 1))
    states = {
        Phase.SETUP: setup,
        Phase.TURN: game(2, 1, 1),
        Phase.AWAIT_DIE: resolve(game(2, 1, 1), Attack("a", "b", RANGED)).state,
        Phase.AWAIT_TIP: shoot(game(2, 1, 1), 6).state,
        Phase.OVER: resolve(shoot(game(2, 1), 6).state, Tipped("b")).state,
    }
    state = states[phase]
    assert state.phase is phase
    moved = resolve(state, Reposition("b", (1.0, 2.0))).state
    assert moved.soldier("b").pos == (1.0, 2.0)
    assert resolve(moved, Reposition("b", state.soldier("b").pos)).state == state


# taking back, moving, passing


def test_an_attack_can_be_taken_back_before_the_die_is_read() -> None:
    """Reading SK-R9: the die returns and the turn goes on."""
    state = game(3, 3)
    ruling = resolve(resolve(state, Attack("a", "b", RANGED, VANTAGE, COVER)).state, Cancel())
    assert ruling.state == state
    assert ruling.outcome == Outcome(Event.CANCELLED, "a", "b")
    assert ruling.reasons[0].text == "The attack is taken back: the die returns to the pool of a, now 3."


def test_a_move_is_a_turn() -> None:
    """Skuffle Wammer, Gameplay: a soldier may move or attack."""
    ruling = resolve(game(3, 3), Move("a", (100.0, 149.6)))
    assert ruling.state.soldier("a").pos == (100.0, 149.6)
    assert ruling.state.soldier("a").turns == 1
    assert (ruling.state.current, ruling.state.phase) == ("b", Phase.TURN)
    assert (ruling.outcome, ruling.reasons[0].text) == (Outcome(Event.MOVED, "a"), "a moves 40 mm.")
    assert ruling.advice == ()


def test_a_move_that_nobody_measures_names_no_distance() -> None:
    """A game of typed dice without a board says that somebody moves, and not that it moves 0 mm."""
    state = game(3, 3)
    ruling = resolve(state, Move("a", state.soldier("a").pos))
    assert (ruling.state.current, ruling.reasons[0].text) == ("b", "a moves.")


def test_a_soldier_may_do_nothing() -> None:
    """Reading SK-R5: "may" is no must."""
    state = game(3, 3)
    ruling = resolve(state, Pass("a"))
    assert (ruling.state.current, ruling.state.soldiers[0].pos) == ("b", state.soldiers[0].pos)
    assert (ruling.outcome, ruling.reasons[0].text) == (Outcome(Event.PASSED, "a"), "a does nothing this turn.")


def test_rounds_are_counted() -> None:
    """Everybody has a turn in each."""
    state = game(3, 3)
    rounds = []
    for who in "ababa":
        rounds.append(state.round)
        state = resolve(state, Pass(who)).state
    assert rounds == [1, 1, 2, 2, 3]


# the end


def test_all_dice_spent_is_a_shared_win_of_those_who_stand() -> None:
    """Skuffle Wammer, Winner: the last soldier or soldiers standing when there are no dice."""
    ruling = shoot(shoot(game(1, 1), 1).state, 1, by="b", at="a")
    state = ruling.state
    assert (state.phase, state.winners, state.result) == (Phase.OVER, ("a", "b"), Result.SHARED)
    assert (state.current, state.attack) == (None, None)
    assert [reason.text for reason in ruling.reasons[-2:]] == [
        "No dice are left in the play area.",
        "a, b share the win.",
    ]


@pytest.mark.parametrize(("pool", "is_over"), [(1, True), (2, False)])
def test_the_last_die_in_the_play_area_decides(pool: int, is_over: bool) -> None:
    """Skuffle Wammer, Winner: no dice left, not one."""
    state = shoot(game(pool, 0, 0), 1).state
    assert (state.phase is Phase.OVER) is is_over
    assert state.dice_in_play == pool - 1


def test_the_last_side_standing_wins_with_dice_left() -> None:
    """Reading SK-R11: nothing can change any more."""
    ruling = resolve(shoot(game(3, 1), 6).state, Tipped("b"))
    assert (ruling.state.phase, ruling.state.winners, ruling.state.result) == (Phase.OVER, ("a",), Result.WIN)
    assert [reason.text for reason in ruling.reasons[1:]] == ["Only one side is standing.", "a wins."]
    assert (ruling.state.dice_in_play, ruling.state.fallen) == (2, None)


def test_a_team_wins_together() -> None:
    """Skuffle Wammer, Winner: soldiers, in the plural; the dead of the team are not among them."""
    state = start(soldiers(2, 1, 1, 1, teams="XYXX")).state
    state = resolve(state, Adjust("d", 0, is_dead=True, why="")).state
    ruling = resolve(shoot(state, 6).state, Tipped("b"))
    assert (ruling.state.winners, ruling.state.result) == (("a", "c"), Result.WIN)
    assert ruling.reasons[-1].text == "a, c win together."


def test_two_teams_without_dice_share() -> None:
    """Reading SK-R11: several sides standing share the win."""
    state = shoot(game(1, 0, 0, teams="XYX"), 1).state
    assert (state.winners, state.result) == (("a", "b", "c"), Result.SHARED)


def test_the_end_is_looked_for_after_damage_and_not_between() -> None:
    """Reading SK-R12: the die being rolled is out of the area, yet the attack is finished."""
    waiting = resolve(game(1, 0), Attack("a", "b", RANGED)).state
    assert (waiting.phase, waiting.dice_in_play) == (Phase.AWAIT_DIE, 0)
    assert resolve(resolve(waiting, Die(6)).state, Tipped("b")).state.winners == ("a",)


# who may do what


def test_the_attack_is_melee_up_to_a_gap_of_10_mm() -> None:
    """Reading SK-R6: the tool proposes, the player decides."""
    for gap, kind in ((9.9, MELEE), (10.0, MELEE), (10.1, RANGED)):
        pair = (Soldier("a", (100, 190)), Soldier("b", (100, 190 - 25 - gap)))
        assert propose_kind(start(pair).state, "a", "b") is kind


def test_targets_are_named_nearest_first() -> None:
    """Everybody who stands, friends too: teams do not change the rules."""
    state = game(2, 1, 1, 1, teams="XYXY")
    assert targets(state, "a") == ("b", "d", "c")
    assert targets(state, "b") == ("a", "c", "d")
    assert targets(resolve(state, Adjust("b", 0, is_dead=True, why="")).state, "a") == ("d", "c")


def test_who_cannot_attack_has_no_targets() -> None:
    """No dice, dead, somebody else's turn in a strict game, no turn at all."""
    assert targets(game(0, 1), "a") == ()
    assert targets(game(1, 1), "a") == ("b",)
    assert targets(resolve(game(2, 2, 2), Adjust("a", 0, is_dead=True, why="")).state, "a") == ()
    assert targets(game(1, 1, strict=True), "b") == ()
    assert targets(game(1, 1, strict=True), "a") == ("b",)
    assert targets(game(1, 1), "b") == ("a",)
    assert targets(new_game(soldiers(1, 1)), "a") == ()


def test_the_kinds_of_action_follow_the_phase() -> None:
    """For the buttons of the page."""
    state = game(1, 1)
    waiting = resolve(state, Attack("a", "b", RANGED)).state
    killed = resolve(waiting, Die(6)).state
    assert legal_actions(new_game(soldiers(1, 1))) == (Start,)
    assert legal_actions(state) == (Move, Attack, Pass)
    assert legal_actions(game(0, 1)) == (Move, Pass)
    assert legal_actions(waiting) == (Die, Cancel, Overrule)
    assert legal_actions(killed) == (Tipped,)
    assert legal_actions(resolve(killed, Tipped("b")).state) == ()


# stalemate


@pytest.mark.parametrize("order", list(TurnOrder))
def test_two_rounds_without_an_attack_bring_advice(order: TurnOrder) -> None:
    """Reading SK-R13: two full rounds; players may call a shared end."""
    state = game(3, 3, turn_order=order)
    advised = []
    for turn, who in enumerate("ababab"):
        ruling = resolve(state, Pass(who))
        if ruling.advice:
            advised.append((turn, ruling.advice[0].code))
        state = ruling.state
    assert advised == [(3, "stalemate_possible"), (5, "stalemate_possible")]


def test_an_attack_begins_the_count_anew() -> None:
    """Reading SK-R13: the two rounds are full rounds after the round of the attack, hit or miss."""
    state = shoot(game(3, 3), 1).state
    advised = []
    for turn, who in enumerate("babab"):
        ruling = resolve(state, Pass(who))
        advised += [turn for _ in ruling.advice]
        state = ruling.state
    assert state.last_attack_round == 1
    assert advised == [4]


def test_a_killing_attack_counts_as_an_attack() -> None:
    """Reading SK-R13."""
    state = resolve(resolve(game(3, 1, 3), Pass("a")).state, Pass("b")).state
    state = shoot(state, 6, by="c", at="b").state
    assert state.last_attack_round == 1
    assert resolve(state, Tipped("b")).state.last_attack_round == 1


def test_nobody_unknown_is_found() -> None:
    """A caller's mistake."""
    with pytest.raises(KeyError, match="x"):
        game(1, 1).soldier("x")
