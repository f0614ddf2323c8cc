"""Dice that the camera reads for the awaited roll of a Quick Skirmish or a World Saga combat."""

from __future__ import annotations

import pytest

from deskref.inputs import (
    Choose,
    CombatSetup,
    CorrectDie,
    DealCards,
    EnterDie,
    PlaySkirmish,
    SkirmishSetup,
    Source,
    StartGame,
    Undo,
)
from deskref.session import TypedDie
from deskref.signal import SignalKind
from rules.dice import emulate
from rules.skirmish.damage import Condition
from rules.skirmish.state import Accept, Fighter, Options, Phase, Skirmish
from rules.world_saga.initiative import Side
from rules.world_saga.state import Combatant, Settings
from tests.deskref.played_desk import PlayedDesk
from vision import events


def skirmish(sides: int = 8) -> PlayedDesk:
    """A skirmish of one hero, whose trait roll is awaited."""
    desk = PlayedDesk()
    desk.tell(events.TableFound(frame=0, time_s=0.0, markers=6))
    hero = Fighter("lokan", Condition(5), name="Lokan", spirit=6, vigor=6, bennies=0)
    desk.tell(StartGame(setup=SkirmishSetup((hero,), 8, Options(may_reroll=False))))
    desk.tell(DealCards(cards=(("lokan", "9H"),)))
    desk.tell(PlaySkirmish(action=Skirmish("lokan", "Fighting", sides)))
    return desk


def damage() -> PlayedDesk:
    """The hero has failed: 3d6 of damage are awaited."""
    desk = skirmish(8)
    desk.tell(EnterDie(value=1))
    desk.tell(EnterDie(value=2))
    assert awaited(desk) == 3
    return desk


def awaited(desk: PlayedDesk) -> int:
    scene = desk.session.scene
    assert scene is not None
    assert scene.phase in (Phase.ROLL, Phase.DAMAGE)
    assert scene.roll is not None
    done = len(desk.session.book.entered)
    return (3 if scene.phase is Phase.DAMAGE else 2) - done


def throw_together(desk: PlayedDesk, *values: int | None) -> list[int]:
    tracks = []
    for n, value in enumerate(values):
        desk.next_track += 1
        track, mm = desk.next_track, (30.0 * n - 40, 0.0)
        desk.places[track] = mm
        desk.time_s = round(desk.time_s + 0.1, 3)
        frame = round(desk.time_s * 30)
        desk.tell(events.DieThrown(frame=frame, time_s=desk.time_s, die=track, mm=mm))
        desk.tell(events.DieAtRest(frame=frame, time_s=desk.time_s, die=track, mm=mm, value=value, confidence=0.9))
        tracks.append(track)
    desk.wait(1)
    return tracks


def choose(desk: PlayedDesk, key: str, choice: str) -> None:
    desk.tell(Choose(task=key, choice=choice, time_s=desk.time_s))
    desk.wait(1)


def only_task(desk: PlayedDesk) -> str:
    (task,) = desk.session.tasks
    return task.key


def test_a_roll_of_six_sided_dice_is_entered_when_all_have_come_to_rest() -> None:
    desk = damage()
    tracks = throw_together(desk, 3, 4, 2)
    scene = desk.session.scene
    assert scene is not None
    assert scene.phase is not Phase.DAMAGE
    rolls = [s for s in desk.said if s.kind is SignalKind.ROLL and s.source is Source.CAMERA]
    assert [s.value for s in rolls] == [3, 4, 2]
    assert [s.die for s in rolls] == tracks


def test_dice_are_not_counted_before_the_desk_is_at_rest() -> None:
    """The first of three dice is at rest while the others roll on."""
    desk = damage()
    desk.tell(events.DieThrown(frame=1, time_s=desk.time_s, die=90, mm=(0, 0)))
    desk.tell(events.DieThrown(frame=1, time_s=desk.time_s, die=91, mm=(30, 0)))
    desk.tell(events.DieAtRest(frame=2, time_s=desk.time_s, die=90, mm=(0, 0), value=3))
    desk.wait(2)
    assert desk.session.book.entered == ()


def test_fewer_dice_are_entered_and_the_rest_is_waited_for() -> None:
    desk = damage()
    throw_together(desk, 3, 4)
    assert awaited(desk) == 1
    throw_together(desk, 2)
    assert desk.session.scene is not None
    assert desk.session.scene.phase is not Phase.DAMAGE


def test_more_dice_than_awaited_are_asked_about_until_one_is_taken_away() -> None:
    desk = damage()
    tracks = throw_together(desk, 3, 4, 2, 5)
    assert only_task(desk) == "too_many"
    assert desk.session.book.entered == ()
    desk.remove_die(tracks[3])
    desk.wait(1)
    assert desk.session.tasks == ()
    assert [s.value for s in desk.said if s.kind is SignalKind.ROLL and s.source is Source.CAMERA] == [3, 4, 2]


def test_more_dice_than_awaited_may_all_be_thrown_again() -> None:
    desk = damage()
    throw_together(desk, 3, 4, 2, 5)
    choose(desk, "too_many", "again")
    assert awaited(desk) == 3
    assert desk.session.tasks == ()
    throw_together(desk, 1, 1, 2)
    assert [s.value for s in desk.said if s.kind is SignalKind.ROLL and s.source is Source.CAMERA] == [1, 1, 2]


def test_an_unreadable_die_is_asked_about_and_holds_the_roll_up() -> None:
    desk = damage()
    tracks = throw_together(desk, 3, None, 2)
    assert only_task(desk) == f"read_die:{tracks[1]}"
    choose(desk, f"read_die:{tracks[1]}", "4")
    rolls = [(s.value, s.source) for s in desk.said if s.kind is SignalKind.ROLL and s.die in tracks]
    assert rolls == [(3, Source.CAMERA), (4, Source.TYPED), (2, Source.CAMERA)]


def test_an_unreadable_die_that_becomes_readable_answers_the_question_itself() -> None:
    desk = damage()
    tracks = throw_together(desk, 3, None, 2)
    desk.tell(
        events.DieValueChanged(frame=1, time_s=desk.time_s, die=tracks[1], mm=(-10.0, 0.0), value=4, confidence=0.9)
    )
    desk.wait(1)
    assert desk.session.tasks == ()
    assert [s.value for s in desk.said if s.kind is SignalKind.ROLL and s.source is Source.CAMERA] == [3, 4, 2]


def test_a_six_sided_die_beside_an_awaited_d8_is_the_wild_die_if_the_player_says_so() -> None:
    """It waits for the d8, which is entered by hand, and then counts by itself."""
    desk = skirmish(8)
    (track,) = throw_together(desk, 5)
    assert only_task(desk) == f"which_die:{track}"
    choose(desk, f"which_die:{track}", "own")
    assert desk.session.tasks == ()
    desk.tell(EnterDie(value=7, time_s=desk.time_s))
    desk.wait(0.2)
    values = [(s.value, s.source) for s in desk.said if s.kind is SignalKind.ROLL]
    assert values == [(7, Source.TYPED), (5, Source.CAMERA)]


@pytest.mark.parametrize(("pips", "value"), [((1, 3), 3), ((2, 4), 8), ((2, 6, 1), 5)])
def test_a_d8_is_thrown_with_a_six_sided_die_step_by_step(pips: tuple[int, ...], value: int) -> None:
    assert emulate(8, pips).value == value
    desk = skirmish(8)
    (track,) = throw_together(desk, pips[0])
    choose(desk, f"which_die:{track}", "emulate")
    for pip in pips[1:]:
        throw_together(desk, pip)
    assert desk.session.book.entered == (TypedDie(value, Source.CAMERA, desk.next_track),)


def test_two_dice_at_once_do_not_stand_for_one() -> None:
    desk = skirmish(8)
    (track,) = throw_together(desk, 1)
    choose(desk, f"which_die:{track}", "emulate")
    throw_together(desk, 3, 3)
    assert desk.session.book.pips == (1,)
    assert desk.said[-1].message.code == "one_at_a_time"


def test_a_trait_and_a_wild_die_of_six_sides_count_in_any_order() -> None:
    desk = skirmish(6)
    throw_together(desk, 2, 5)
    scene = desk.session.scene
    assert scene is not None
    assert [s.value for s in desk.said if s.kind is SignalKind.ROLL] == [2, 5]


def test_a_die_while_no_roll_is_awaited_is_not_counted() -> None:
    desk = skirmish(6)
    throw_together(desk, 2, 5)
    before = desk.session.book
    throw_together(desk, 4)
    if desk.session.scene is not None and desk.session.scene.phase is not Phase.DAMAGE:
        assert desk.session.book is before
    desk = PlayedDesk()
    desk.tell(events.TableFound(frame=0, time_s=0.0, markers=6))
    hero = Fighter("lokan", Condition(5), name="Lokan", spirit=6, vigor=6)
    desk.tell(StartGame(setup=SkirmishSetup((hero,), 8, Options())))
    throw_together(desk, 4)
    assert [s.message.code for s in desk.said][-1] == "no_roll_awaited"


def test_a_die_that_was_put_down_is_asked_about() -> None:
    desk = damage()
    track = desk.put_die("lokan", (0.0, 0.0), value=6)
    desk.wait(1)
    assert only_task(desk) == f"put_die:{track}"
    choose(desk, f"put_die:{track}", "no")
    assert desk.session.tasks == ()
    assert desk.session.book.entered == ()


def test_undo_does_not_enter_the_dice_that_still_lie_there_once_more() -> None:
    desk = damage()
    throw_together(desk, 3, 4)
    desk.tell(Undo(time_s=desk.time_s))
    desk.wait(2)
    assert [die.value for die in desk.session.book.entered] == [3]


def test_a_die_is_corrected_after_its_roll_has_counted() -> None:
    """3 + 4 + 2 = 9 is 4 over Toughness 5: a wound; corrected to 3 + 1 + 2 = 6 it is Shaken only."""
    desk = damage()
    tracks = throw_together(desk, 3, 4, 2)
    assert desk.session.scene is not None
    before = desk.session.scene
    desk.tell(CorrectDie(die=tracks[1], value=1, time_s=desk.time_s))
    after = desk.session.scene
    assert after is not None
    assert any(s.kind is SignalKind.CORRECTED for s in desk.said)
    assert before.fighter("lokan").condition.wounds == 1
    assert after.fighter("lokan").condition.wounds == 0
    assert after.fighter("lokan").condition.is_shaken


def test_a_corrected_die_that_aced_takes_back_what_no_longer_follows() -> None:
    desk = damage()
    tracks = throw_together(desk, 6, 4, 2)
    throw_together(desk, 3)
    desk.tell(CorrectDie(die=tracks[0], value=5, time_s=desk.time_s))
    assert desk.said[-1].message.code == "correction_ends"


def test_a_die_nobody_counted_is_not_corrected() -> None:
    desk = damage()
    desk.tell(CorrectDie(die=77, value=5, time_s=desk.time_s))
    assert desk.said[-1].message.code == "no_such_roll"


def combat() -> PlayedDesk:
    desk = PlayedDesk()
    desk.tell(events.TableFound(frame=0, time_s=0.0, markers=6))
    fighters = (Combatant("Lokan", Side.PC, 10), Combatant("Raider", Side.NPC, 9))
    desk.tell(StartGame(setup=CombatSetup(fighters, None, Settings())))
    return desk


def test_a_d20_is_thrown_with_six_sided_dice_and_asked_about_only_once() -> None:
    desk = combat()
    throw_together(desk, 2)
    assert only_task(desk) == "other_die"
    choose(desk, "other_die", "emulate")
    for pip in (1, 3):
        throw_together(desk, pip)
    rolled = emulate(20, (2, 1, 3)).value
    assert [s.value for s in desk.said if s.kind is SignalKind.ROLL][-1] == rolled
    throw_together(desk, 1)
    assert desk.session.tasks == ()
    assert desk.session.book.pips == (1,)


def test_a_six_sided_die_that_is_no_d20_may_be_left_out() -> None:
    desk = combat()
    throw_together(desk, 2)
    choose(desk, "other_die", "no")
    assert desk.session.tasks == ()
    assert desk.session.combat is not None
    assert desk.session.combat.scores == ()
    desk.tell(EnterDie(value=12, time_s=desk.time_s))
    assert desk.session.combat.scores != ()


def test_an_accepted_roll_goes_on_as_usual() -> None:
    desk = skirmish(6)
    throw_together(desk, 2, 5)
    scene = desk.session.scene
    assert scene is not None
    assert scene.phase is not Phase.ROLL
    assert not isinstance(desk.session.past[-1][1].actions[-1], Accept)
