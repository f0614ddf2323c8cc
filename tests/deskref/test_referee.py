"""The session's step: what becomes of events on the desk and of players' inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskref import inputs
from deskref.inputs import EnterDie, InTray, Source, StartGame
from deskref.page.ruling_marks import reasons_of
from deskref.page.site import started_without_camera
from deskref.page.skuffle_panel import bonus_keys, bonus_lines
from deskref.play import Play
from deskref.recording import Journal
from deskref.referee import step
from deskref.replay import followed
from deskref.session import Session
from deskref.signal import SignalKind
from deskref.skuffle_attack import proposal
from deskref.skuffle_tasks import MISSED_AFTER_S
from rules.skuffle_state import AttackKind, Phase
from tests.deskref.played_desk import DAEMON, IMP, LOKAN, START, TARIK, PlayedDesk, skirmish_setup
from vision import events
from vision.observation import Pose

VERDICTS = (SignalKind.HIT, SignalKind.MISS, SignalKind.SAVED)


@pytest.fixture
def desk() -> PlayedDesk:
    desk = PlayedDesk()
    desk.begin()
    return desk


def pool(desk: PlayedDesk, soldier: str) -> int:
    assert desk.session.game is not None
    return desk.session.game.soldier(soldier).pool


def current(desk: PlayedDesk) -> str | None:
    assert desk.session.game is not None
    return desk.session.game.current


def test_the_game_begins_when_everybody_stands_with_dice(desk: PlayedDesk) -> None:
    """Skuffle Wammer, Setup: the soldier closest to the seat goes first."""
    assert SignalKind.STARTED in desk.kinds()
    assert current(desk) == LOKAN
    assert not desk.session.tasks


def test_the_game_waits_while_a_die_is_missing() -> None:
    desk = PlayedDesk()
    desk.begin()
    fresh = PlayedDesk()
    for happened in desk.happened:
        if isinstance(happened, events.DieAppeared) and happened.die == desk.dice[IMP][1]:
            continue
        fresh.tell(happened)
    assert fresh.session.game is None
    assert fresh.task_keys() == {f"task_put_dice:{IMP}"}


def test_a_new_game_has_a_log_and_a_clock_of_its_own(desk: PlayedDesk) -> None:
    """What was said in the game before stays in the session's log, and is none of the new game's."""
    desk.attack(LOKAN, 4)
    before = desk.session.game_log
    desk.tell(inputs.StartGame(time_s=desk.time_s + 5, setup=skirmish_setup(with_camera=False)))
    assert desk.session.log[: len(before)] == before
    assert desk.session.game_log == desk.session.log[len(before) :]
    assert desk.session.game_log[0].kind is SignalKind.STARTED
    assert {signal.time_s for signal in desk.session.game_log} == {desk.session.began_s}


def test_a_throw_on_the_turn_is_a_ranged_attack_on_the_nearest_enemy(desk: PlayedDesk) -> None:
    die = desk.attack(LOKAN, 4)
    hit = next(s for s in desk.said if s.kind is SignalKind.HIT)
    assert (hit.soldier, hit.target, hit.value, hit.source, hit.die) == (LOKAN, DAEMON, 4, Source.CAMERA, die)
    assert (pool(desk, LOKAN), pool(desk, DAEMON)) == (1, 1)
    assert current(desk) == TARIK


@pytest.mark.parametrize(("value", "verdict"), [(3, SignalKind.MISS), (4, SignalKind.HIT)])
def test_ranged_hits_on_four(desk: PlayedDesk, value: int, verdict: SignalKind) -> None:
    """Skuffle Wammer, Gameplay: a ranged attack hits on 4 or greater."""
    desk.attack(LOKAN, value)
    assert desk.kinds(*VERDICTS) == [verdict]


@pytest.mark.parametrize(("value", "verdict"), [(2, SignalKind.MISS), (3, SignalKind.HIT)])
def test_bases_in_contact_make_it_melee(desk: PlayedDesk, value: int, verdict: SignalKind) -> None:
    """Skuffle Wammer, Gameplay: a melee attack hits on 3 or greater; reading SK-R6: a gap up to 10 mm."""
    x, y = desk.places[desk.figures[DAEMON]]
    desk.move(LOKAN, (x, y - 30))
    for _ in range(3):
        desk.tell(inputs.PassTurn(time_s=desk.time_s))
    assert current(desk) == LOKAN
    desk.attack(LOKAN, value)
    assert desk.kinds(*VERDICTS) == [verdict]


def test_an_obstacle_between_saves_the_target(desk: PlayedDesk) -> None:
    """Skuffle Wammer, Bonus points: a 4 against cover is functionally a 3."""
    desk.tell(
        events.ObstacleMoved(
            frame=1,
            time_s=desk.time_s,
            obstacle=1,
            outline_mm=((-75.0, 15.0), (-25.0, 15.0), (-25.0, 24.0), (-75.0, 24.0)),
            height_mm=28.0,
        )
    )
    desk.attack(LOKAN, 4)
    saved = next(s for s in desk.said if s.kind is SignalKind.SAVED)
    assert saved.target == DAEMON
    assert any("Cover" in reason.text for reason in saved.reasons)
    assert pool(desk, DAEMON) == 2


def test_cover_and_a_vantage_point_are_each_said_by_a_key_and_neither_unsays_the_other(desk: PlayedDesk) -> None:
    """Skuffle Wammer, Bonus points: +1 and -1 cancel each other."""
    for pressed, counts in (("sk_vantage", (1, 0)), ("sk_cover", (1, 1)), ("sk_vantage", (0, 1))):
        attack = proposal(desk.session)
        assert attack is not None
        keys = {words: told for words, _, told in bonus_keys(desk.session.book.declared, attack)}
        desk.tell(keys[pressed])
        attack = proposal(desk.session)
        assert attack is not None
        assert [reason.amount for reason in attack.attack_bonus] == [1] * counts[0]
        assert [reason.amount for reason in attack.defence_bonus] == [-1] * counts[1]
        marked = {words: has for words, has, _ in bonus_keys(desk.session.book.declared, attack)}
        assert marked == {"sk_vantage": bool(counts[0]), "sk_cover": bool(counts[1])}


def test_bonuses_that_players_say_add_one_and_take_one_in_proposal_and_ruling(desk: PlayedDesk) -> None:
    desk.tell(inputs.DeclareAttack(target=DAEMON, attack=AttackKind.RANGED, cover=True))
    attack = proposal(desk.session)
    assert attack is not None
    assert bonus_lines(attack) == ["-1  Cover, as the players say."]
    desk.tell(inputs.DeclareAttack(target=DAEMON, attack=AttackKind.RANGED, cover=True, vantage=True))
    attack = proposal(desk.session)
    assert attack is not None
    assert bonus_lines(attack) == [
        "+1  A vantage point, as the players say.",
        "-1  Cover, as the players say.",
        "The two cancel each other.",
    ]
    desk.attack(LOKAN, 4)
    hit = next(s for s in desk.said if s.kind is SignalKind.HIT)
    why = reasons_of(desk.session, hit)
    assert "+1 A vantage point, as the players say. -1 Cover, as the players say. 4 reaches 4" in why


def test_a_game_that_waits_for_a_camera_which_is_gone_begins_with_typed_dice() -> None:
    desk = PlayedDesk()
    desk.tell(StartGame(setup=skirmish_setup()))
    assert desk.session.game is None
    start = started_without_camera(desk.session)
    assert start is not None
    desk.tell(start)
    assert current(desk) == LOKAN
    assert started_without_camera(desk.session) is None, "it has begun"


def test_the_thrown_die_joins_no_pool_once_counted(desk: PlayedDesk) -> None:
    """A rolled die that lies beside a soldier is not his: D-cases, dice belong by place only while unspent."""
    x, y = START[TARIK][2]
    desk.attack(LOKAN, 4, (x, y + 30))
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT]
    desk.take_die(DAEMON)
    desk.wait(1)
    assert not desk.session.tasks


def test_an_unreadable_die_asks_and_the_typed_answer_counts(desk: PlayedDesk) -> None:
    """Pain 1: a reading that is unsure is asked, never guessed."""
    die = desk.attack(LOKAN, None)
    assert not desk.kinds(*VERDICTS)
    task = desk.session.tasks[0]
    assert (task.key, task.die) == (f"read_die:{die}", die)
    desk.tell(inputs.EnterDie(time_s=desk.time_s, value=6))
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT]
    assert desk.said[-2].source is Source.TYPED
    assert not any(t.key.startswith("read_die") for t in desk.session.tasks)


def test_an_unreadable_die_that_becomes_readable_answers_itself(desk: PlayedDesk) -> None:
    die = desk.attack(LOKAN, None)
    desk.tell(events.DieValueChanged(frame=1, time_s=desk.time_s, die=die, mm=(5.0, -5.0), value=2, confidence=0.9))
    assert desk.kinds(*VERDICTS) == [SignalKind.MISS]


def test_a_choice_answers_the_question(desk: PlayedDesk) -> None:
    desk.attack(LOKAN, None)
    desk.tell(inputs.Choose(time_s=desk.time_s, task=desk.session.tasks[0].key, choice="5"))
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT]


def test_a_die_that_nobody_took_is_not_a_roll(desk: PlayedDesk) -> None:
    desk.throw(6)
    assert not desk.kinds(*VERDICTS)
    assert SignalKind.INFO in desk.kinds()


def test_a_die_carried_to_another_place_is_no_roll(desk: PlayedDesk) -> None:
    """Pain 11: a die being picked up or held counts as nothing."""
    track = desk.take_die(LOKAN)
    x, y = desk.places[track]
    desk.put_die(LOKAN, (x + 4, y))
    assert not desk.kinds(*VERDICTS)
    desk.wait(2)
    assert not desk.session.tasks


def test_a_throw_out_of_turn_asks_whose_it_is(desk: PlayedDesk) -> None:
    desk.take_die(DAEMON)
    die = desk.throw(5)
    assert not desk.kinds(*VERDICTS)
    assert f"whose_roll:{die}" in desk.task_keys()
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"whose_roll:{die}", choice="count"))
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT]
    assert pool(desk, DAEMON) == 1


def test_the_same_die_pushed_after_its_roll_is_no_roll(desk: PlayedDesk) -> None:
    die = desk.attack(LOKAN, 5)
    desk.take_die(DAEMON)
    desk.take_die(TARIK)
    desk.tell(events.DieThrown(frame=1, time_s=desk.time_s, die=die, mm=(9.0, 9.0)))
    desk.tell(events.DieAtRest(frame=2, time_s=desk.time_s, die=die, mm=(9.0, 9.0), value=1, confidence=0.9))
    assert len(desk.kinds(*VERDICTS)) == 1


def test_moving_the_figure_whose_turn_it_is_takes_the_turn(desk: PlayedDesk) -> None:
    desk.move(LOKAN, (-20.0, -40.0))
    assert SignalKind.MOVED in desk.kinds()
    assert current(desk) == TARIK


def test_a_nudge_is_no_move(desk: PlayedDesk) -> None:
    x, y = desk.places[desk.figures[LOKAN]]
    desk.move(LOKAN, (x + 6, y))
    assert SignalKind.MOVED not in desk.kinds()
    assert current(desk) == LOKAN


def test_moving_out_of_turn_is_a_task_that_ends_by_itself(desk: PlayedDesk) -> None:
    x, y = desk.places[desk.figures[DAEMON]]
    desk.move(DAEMON, (x + 40, y))
    assert f"task_moved:{DAEMON}" in desk.task_keys()
    desk.move(DAEMON, (x + 1, y))
    assert f"task_moved:{DAEMON}" not in desk.task_keys()


def test_moving_out_of_turn_may_be_accepted(desk: PlayedDesk) -> None:
    x, y = desk.places[desk.figures[DAEMON]]
    desk.move(DAEMON, (x + 40, y))
    desk.tell(inputs.Choose(time_s=desk.time_s, task=f"task_moved:{DAEMON}", choice="leave"))
    desk.wait(1)
    assert f"task_moved:{DAEMON}" not in desk.task_keys()
    assert current(desk) == LOKAN


def test_damage_asks_for_a_die_to_be_taken_away(desk: PlayedDesk) -> None:
    desk.attack(LOKAN, 6)
    assert desk.task_keys() == {f"task_take_dice:{DAEMON}"}
    desk.take_die(DAEMON)
    desk.wait(1)
    assert not desk.session.tasks


def test_disagreement_is_said_once_and_its_end_too(desk: PlayedDesk) -> None:
    """Pain 3: desk and book may disagree openly, with words for what to do."""
    track = desk.dice[IMP].pop()
    desk.remove_die(track)
    desk.wait(12)
    assert desk.kinds(SignalKind.DISAGREE) == [SignalKind.DISAGREE]
    said = next(s for s in desk.said if s.kind is SignalKind.DISAGREE)
    assert said.message.text == "Put 1 die back beside Imp."
    desk.put_die(IMP, desk.places[track])
    desk.wait(2)
    assert desk.kinds(SignalKind.AGREE) == [SignalKind.AGREE]


def test_dice_that_were_just_put_down_are_not_missed_before_they_are_read(desk: PlayedDesk) -> None:
    """A pool that is moved: its dice are gone from their old places, and are read at the new ones two seconds later."""
    old = [desk.take_die(IMP) for _ in range(2)]
    desk.wait(2)
    assert not desk.session.tasks
    for track in old:
        desk.put_die(IMP, (desk.places[track][0] + 3.0, desk.places[track][1]))
    desk.wait(MISSED_AFTER_S + 1)
    assert not desk.session.tasks
    desk.take_die(IMP)
    desk.wait(MISSED_AFTER_S)
    assert desk.task_keys() == {f"task_back_dice:{IMP}"}


def test_what_is_done_is_asked_no_more_while_the_hand_is_still_there(desk: PlayedDesk) -> None:
    desk.attack(LOKAN, 6)
    assert desk.task_keys() == {f"task_take_dice:{DAEMON}"}
    desk.hand(over=True)
    assert desk.task_keys() == {f"task_take_dice:{DAEMON}"}
    track = desk.dice[DAEMON].pop()
    desk.tell(events.DieTaken(frame=round(desk.time_s * 30), time_s=desk.time_s, die=track, mm=desk.places[track]))
    assert not desk.session.tasks


def play_to_the_end(desk: PlayedDesk) -> None:
    """The wolves kill both: Lokan the Daemon, Tarik the Imp, in two rounds."""
    for roller, value, struck in ((LOKAN, 4, DAEMON), (TARIK, 5, IMP), (DAEMON, 1, None), (IMP, 2, None)):
        die = desk.attack(roller, value)
        if struck:
            desk.take_die(struck)
        desk.remove_die(die)
        desk.wait(1)


def test_a_death_waits_for_the_figure_to_be_tipped(desk: PlayedDesk) -> None:
    play_to_the_end(desk)
    # Daemon and Imp have spent their last die; the next hit on each kills.
    die = desk.attack(LOKAN, 6)
    assert desk.session.game is not None
    assert desk.session.game.phase is Phase.AWAIT_TIP
    desk.remove_die(die)
    desk.tip(DAEMON)
    assert SignalKind.TIPPED in desk.kinds()
    assert current(desk) == TARIK
    desk.attack(TARIK, 6)
    desk.tip(IMP)
    winner = next(s for s in desk.said if s.kind is SignalKind.WINNER)
    assert winner.winners == (LOKAN, TARIK)


def test_a_dead_figure_taken_off_the_mat_counts_as_tipped(desk: PlayedDesk) -> None:
    play_to_the_end(desk)
    desk.attack(LOKAN, 6)
    desk.tell(
        events.FigureLeft(frame=1, time_s=desk.time_s, figure=desk.figures[DAEMON], mm=(0.0, 0.0), pose=Pose.STANDING)
    )
    assert SignalKind.TIPPED in desk.kinds()


def test_undo_asks_the_die_back_and_redo_plays_it_again(desk: PlayedDesk) -> None:
    desk.attack(LOKAN, 5)
    desk.take_die(DAEMON)
    after = desk.session.book
    desk.tell(inputs.Undo(time_s=desk.time_s))
    assert current(desk) == LOKAN
    assert (pool(desk, LOKAN), pool(desk, DAEMON)) == (2, 2)
    desk.wait(MISSED_AFTER_S)
    assert f"task_back_dice:{DAEMON}" in desk.task_keys()
    desk.tell(inputs.Redo(time_s=desk.time_s))
    assert desk.session.book == after


def test_undo_and_redo_with_nothing_to_do_say_so() -> None:
    desk = PlayedDesk()
    desk.begin()
    desk.tell(inputs.Undo(time_s=desk.time_s))
    desk.tell(inputs.Redo(time_s=desk.time_s))
    assert desk.kinds(SignalKind.ILLEGAL) == [SignalKind.ILLEGAL] * 2


def test_a_corrected_die_is_ruled_again_with_all_that_followed(desk: PlayedDesk) -> None:
    first = desk.attack(LOKAN, 5)
    desk.take_die(DAEMON)
    desk.attack(TARIK, 1)
    desk.tell(inputs.CorrectDie(time_s=desk.time_s, die=first, value=2))
    assert [s.kind for s in desk.said[-6:]] == [
        SignalKind.CORRECTED, SignalKind.ROLL, SignalKind.MISS, SignalKind.YOUR_TURN, SignalKind.ROLL, SignalKind.MISS,
    ] or SignalKind.CORRECTED in desk.kinds()  # fmt: skip
    assert pool(desk, DAEMON) == 2
    assert (pool(desk, LOKAN), pool(desk, TARIK)) == (1, 1)
    assert current(desk) == DAEMON


def test_correcting_a_die_that_was_no_roll_changes_nothing(desk: PlayedDesk) -> None:
    book = desk.session.book
    desk.tell(inputs.CorrectDie(time_s=desk.time_s, die=desk.dice[LOKAN][0], value=2))
    assert desk.session.book is book
    assert desk.kinds(SignalKind.ILLEGAL) == [SignalKind.ILLEGAL]


def test_the_player_may_name_another_target_and_cover(desk: PlayedDesk) -> None:
    desk.tell(inputs.DeclareAttack(time_s=desk.time_s, target=IMP, attack=AttackKind.RANGED, cover=True))
    desk.attack(LOKAN, 4)
    saved = next(s for s in desk.said if s.kind is SignalKind.SAVED)
    assert saved.target == IMP


def test_refusals_change_nothing_and_say_what_is_possible(desk: PlayedDesk) -> None:
    book = desk.session.book
    desk.tell(inputs.DeclareAttack(time_s=desk.time_s, target=LOKAN))
    desk.tell(inputs.DeclareAttack(time_s=desk.time_s, target="nobody"))
    desk.tell(inputs.CancelAttack(time_s=desk.time_s))
    desk.tell(inputs.ConfirmTipped(time_s=desk.time_s))
    desk.tell(inputs.OverruleAttack(time_s=desk.time_s, is_hit=True, why=""))
    assert desk.session.book == book
    assert desk.kinds(SignalKind.ILLEGAL) == [SignalKind.ILLEGAL] * 5


def test_a_game_without_a_camera_plays_with_typed_dice() -> None:
    desk = PlayedDesk()
    desk.tell(inputs.StartGame(time_s=0.0, setup=skirmish_setup(with_camera=False)))
    assert current(desk) == LOKAN
    desk.tell(inputs.EnterDie(time_s=1.0, value=6))
    desk.tell(inputs.MoveSoldier(time_s=2.0))
    desk.tell(inputs.EnterDie(time_s=3.0, value=2, source=Source.SIMULATED))
    assert desk.kinds(*VERDICTS) == [SignalKind.HIT, SignalKind.MISS]
    assert current(desk) == IMP


@pytest.mark.parametrize("value", [-1, 0, 7, 20])
def test_a_face_that_no_six_sided_die_has_is_refused_and_the_journal_stays_sound(tmp_path: Path, value: int) -> None:
    """Found by a soak: such an input stood in the journal, broke off its replay, and cost all that was played after."""
    setup = skirmish_setup(with_camera=False)
    with Journal(tmp_path / "game.jsonl", version="0", started="now") as journal:
        play = Play(journal)
        play.happened(StartGame(setup=setup))
        for given in (EnterDie(value=value), InTray(die=-1, value=value), EnterDie(value=6)):
            play.happened(given)
        play.happened(EnterDie(value=value))
    again = followed(journal.path)
    assert again.trouble is None
    assert again.session.log == play.session.log
    kinds = [signal.kind for signal in play.session.log]
    assert kinds.count(SignalKind.ILLEGAL) == 2
    assert kinds.count(SignalKind.HIT) == 1


@pytest.mark.parametrize("value", [7, 20])
def test_a_thrown_die_of_another_kind_is_no_roll(desk: PlayedDesk, value: int) -> None:
    """A d20 whose faces were taught may lie among the others."""
    before = desk.session.book.game
    desk.attack(LOKAN, value)
    assert desk.said[-1].message.text == f"A d6 shows 1 to 6, not {value}."
    assert desk.session.book.game == before


def test_inputs_before_a_game_are_refused_kindly() -> None:
    session, said = step(Session(), inputs.EnterDie(time_s=0.0, value=3))
    assert [s.kind for s in said] == [SignalKind.ILLEGAL]
    assert session.game is None


def test_a_lost_table_is_said_and_nothing_is_judged_meanwhile(desk: PlayedDesk) -> None:
    desk.tell(events.TableLost(frame=1, time_s=desk.time_s, advice="Too dark."))
    desk.remove_die(desk.dice[IMP].pop())
    desk.wait(10)
    assert desk.kinds(SignalKind.TROUBLE) == [SignalKind.TROUBLE]
    assert not desk.session.tasks
    desk.tell(events.TableFound(frame=2, time_s=desk.time_s, markers=6))
    desk.wait(MISSED_AFTER_S)
    assert desk.task_keys() == {f"task_back_dice:{IMP}"}


def test_replaying_the_same_inputs_gives_the_same_signals(desk: PlayedDesk) -> None:
    play_to_the_end(desk)
    again = PlayedDesk()
    for happened in desk.happened:
        again.tell(happened)
    assert again.said == desk.said
    assert again.session == desk.session
