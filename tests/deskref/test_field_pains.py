"""What users of other camera referees suffer from, each as a test: pains 1 to 13 and the dice cases D1 to D3.

From the field study of open issues of chess cameras, electronic dice and virtual tables.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.view_quality import Concern
from deskref.drawn_table import legend
from deskref.inputs import CorrectDie, DeclareAttack, EnterDie, Undo
from deskref.light_and_sound import PROGRAMS
from deskref.signal import SignalKind
from deskref.skuffle_tasks import MISSED_AFTER_S
from deskref.table_choice import MAT_TABLE, TableSight
from deskref.view_advice import advice_on
from models.dice_nets import DiceNets
from rules.skirmish.state import Phase as SkirmishPhase
from rules.skuffle_state import Phase
from tests.deskref.refereed_table import FREE, RefereedTable
from tests.deskref.test_camera_dice import choose, damage, throw_together
from tests.vision.drawn_table import DrawnTable, camera
from vision.dice import DieCandidate, read_dice
from vision.dice_check import dice_made_sure_of
from vision.events import CameraMoved, DieAppeared, DieAtRest, DieThrown, FigureMoved
from vision.explain import Explanation
from vision.ground import guess_ground
from vision.observation import Observation, TableSeen
from vision.pieces import Kind, Piece
from vision.rectify import top_view

BUMP_FRAMES = 12


@pytest.fixture
def table() -> RefereedTable:
    table = RefereedTable(5)
    table.begin()
    return table


def test_pain_1_a_misread_is_corrected_by_a_click_and_the_game_goes_on(table: RefereedTable) -> None:
    die = table.attack("lokan", 2)
    roll = next(s for s in table.said if s.kind is SignalKind.ROLL)
    assert table.verdicts() == [(SignalKind.MISS, "daemon", 2)]
    table.attack("tarik", 1, (70.0, 10.0))
    assert roll.die is not None
    table.tell(CorrectDie(time_s=table.time_s, die=roll.die, value=5))
    assert (SignalKind.HIT, "daemon", 5) in table.verdicts()
    assert table.game.soldier("daemon").pool == 1
    assert table.game.current == "daemon"  # and Tarik's roll after it still stands
    assert table.game.soldier("tarik").pool == 1
    assert die.value == 2


def test_pain_2_what_the_rules_know_is_held_against_the_camera(table: RefereedTable) -> None:
    """Two dice are thrown where one is awaited: one roll is counted, the other is no second attack."""
    one, other = table.pools["lokan"]
    table.take(one)
    table.take(other)
    table.throw([(one, FREE, 5), (other, (5.0, 25.0), 6)], (-30.0, -70.0))
    table.wait(3.0)
    assert len(table.verdicts()) == 1
    assert table.game.soldier("lokan").pool == 1
    assert table.game.current == "tarik"
    table.wait(MISSED_AFTER_S)
    assert any("lokan" in task.key for task in table.play.session.tasks)  # and it is asked to be put back


def test_pain_3_after_a_false_reading_the_game_is_never_stuck(table: RefereedTable) -> None:
    """A throw that was none of the game: taken back, said, and the next roll is ruled as if it had not been."""
    die = table.attack("lokan", 6)
    table.tell(Undo(time_s=table.time_s))
    assert any(s.kind is SignalKind.UNDONE for s in table.said)
    assert table.game.current == "lokan"
    table.take(die)
    table.put(die, (-28.0, -96.0))
    table.pools["lokan"].append(die)
    table.wait(2.0)
    assert table.verdicts() == [(SignalKind.HIT, "daemon", 6)]  # carrying it back is no roll
    table.said.clear()
    table.attack("lokan", 4)
    assert table.verdicts() == [(SignalKind.HIT, "daemon", 4)]


def test_pain_4_a_still_table_that_reads_now_so_now_so_says_nothing(table: RefereedTable) -> None:
    before = len(table.events)
    for k in range(300):
        table.dice[0].value = 3 if k % 3 else 5
        table.step()
    assert table.events[before:] == []
    assert table.said == []


def test_pain_5_what_the_rules_refuse_is_said_in_words_light_and_sound(table: RefereedTable) -> None:
    table.tell(DeclareAttack(time_s=table.time_s, target="lokan"))
    refused = table.said[-1]
    assert refused.kind is SignalKind.ILLEGAL
    assert len(refused.message.text) > 15
    program = PROGRAMS[SignalKind.ILLEGAL]
    assert program.tones
    assert program.colour != (0, 0, 0)


def test_pain_6_a_standing_camera_gives_the_same_places_from_the_first_frame_on() -> None:
    """Corners that wander make the first move after calibration wrong."""
    drawn = DrawnTable(4, noise=4.0)
    sight = TableSight(MAT_TABLE)
    corners = [(-100.0, -100.0), (100.0, -100.0), (100.0, 100.0), (-100.0, 100.0)]
    seen = []
    for k in range(10):
        view, _, is_steady, _ = sight.follow(drawn.image(), k / 15)
        if view is not None and is_steady:
            seen.append(view.to_table(drawn.view.to_frame(corners)))
    assert len(seen) >= 7
    places = np.stack(seen)
    assert float(np.linalg.norm(places - places.mean(axis=0), axis=2).max()) < 0.3
    assert float(np.linalg.norm(places[0] - np.array(corners), axis=1).max()) < 1.0


def test_pain_7_a_bumped_camera_is_followed_and_changes_nothing(table: RefereedTable) -> None:
    """In the middle of a roll: the die is taken, the camera is bumped, the die is thrown."""
    die = table.pools["lokan"].pop()
    table.take(die)
    table.reach(None)
    table.moved = True
    for k in range(BUMP_FRAMES):
        table.scatter_mm = 9.0 if k < BUMP_FRAMES - 4 else 0.35
        table.step()
    table.moved, table.scatter_mm = False, 0.35
    table.wait(1.0)
    assert [type(e) for e in table.events if isinstance(e, CameraMoved)]
    table.throw([(die, FREE, 5)], (-30.0, -70.0))
    table.wait(2.0)
    assert table.verdicts() == [(SignalKind.HIT, "daemon", 5)]
    assert not table.play.session.tasks or all(t.is_expected for t in table.play.session.tasks)


def test_pain_8_a_move_that_is_not_finished_is_no_move(table: RefereedTable) -> None:
    """A figure slides on under a hand and rests half way: only where it is left has it moved to."""
    figure = table.figures_of["lokan"]
    table.reach((-50.0, -70.0))
    for k in range(1, 9):
        figure.mm = (-50.0 + 4 * k, -70.0 + 2 * k)
        table.reach(figure.mm, 0.1)
    table.wait(1.5)  # the hand rests on it
    assert not [e for e in table.events if isinstance(e, FigureMoved)]
    for k in range(1, 6):
        figure.mm = (-18.0 + 4 * k, -54.0 + 2 * k)
        table.reach(figure.mm, 0.1)
    table.reach(None)
    table.wait(1.5)
    moved = [e for e in table.events if isinstance(e, FigureMoved)]
    assert len(moved) == 1
    assert moved[0].mm == pytest.approx((2.0, -44.0), abs=1.5)
    assert [s.kind for s in table.said if s.kind is SignalKind.MOVED] == [SignalKind.MOVED]


def test_pain_9_many_dice_are_read_in_one_throw_and_none_is_typed() -> None:
    desk = damage()
    throw_together(desk, 3, 4, 2)
    scene = desk.session.scene
    assert scene is not None
    assert scene.phase is not SkirmishPhase.DAMAGE
    assert not [h for h in desk.happened if isinstance(h, EnterDie)][2:]  # the first two made the damage roll due


def test_pain_10_dice_that_were_kept_stay_when_one_is_set_right() -> None:
    """One of three dice cannot be read, and another was misread: only these two change."""
    desk = damage()
    tracks = throw_together(desk, 3, None, 2)
    choose(desk, f"read_die:{tracks[1]}", "6")
    desk.tell(CorrectDie(time_s=desk.time_s, die=tracks[0], value=5))
    step = desk.session.past[-1][1]
    assert [(d.value, d.die) for d in step.dice] == [(5, tracks[0]), (6, tracks[1]), (2, tracks[2])]


def test_pain_11_a_die_that_is_picked_up_held_and_put_back_is_no_roll(table: RefereedTable) -> None:
    die = table.pools["lokan"][0]
    table.take(die)
    die.value = 6
    table.reach((0.0, 0.0), 0.5)
    table.wait(2.0)
    table.put(die, (-30.0, -95.0))
    table.wait(2.0)
    assert not [e for e in table.events if isinstance(e, (DieThrown, DieAtRest))]
    assert table.verdicts() == []
    assert table.game.soldier("lokan").pool == 2


def test_pain_12_a_roll_during_which_the_camera_fails_is_not_lost(table: RefereedTable) -> None:
    """The table is out of sight from the throw until the die lies still: its value is known, and counts or is asked."""
    die = table.pools["lokan"].pop()
    table.take(die)
    table.reach(None)
    table.found = False
    table.wait(1.0)
    die.mm, die.value = FREE, 5
    table.found = True
    table.wait(2.5)
    lying = [d for d in table.play.session.desk.dice if math.dist(d.mm, FREE) < 2]
    assert [d.value for d in lying] == [5]
    assert isinstance(next(e for e in reversed(table.events) if hasattr(e, "die")), (DieAtRest, DieAppeared))
    if not table.verdicts():  # nobody saw it roll: then its player is asked, with the value that was read
        question = next(t for t in table.play.session.tasks if t.key.startswith("own_roll:"))
        assert "5" in question.message.text
    assert table.game.phase is Phase.TURN


def test_pain_13_a_die_that_cannot_be_read_says_why() -> None:
    image = np.full((200, 200, 3), (90, 110, 120), np.uint8)
    image[70:130, 70:130] = (205, 226, 236)  # a face without pips
    (die,) = read_dice(image, candidates=[DieCandidate((65.0, 65.0, 135.0, 135.0))], nets=DiceNets.load(threads=1))
    assert die.value is None
    assert die.why
    explained = Explanation(Observation(0, 0.0, (200, 200), TableSeen(False, 0, "No mat."), dice=(die,)))
    assert legend(explained)[1] == f"D1: die reads ?: {die.why}"


@pytest.mark.parametrize("value", [2, 3, 5, 6])
def test_d1_from_a_low_camera_the_near_side_is_never_given_for_the_top(value: int) -> None:
    """And the camera's place is said to be bad."""
    drawn = DrawnTable(value, view=camera(elevation=27.0))
    drawn.die((20.0, -30.0), value)
    image = drawn.image()
    x0, y0, x1, y1 = 20.0 - 9, -30.0 - 9, 20.0 + 9, -30.0 + 9
    corners = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (0.0, 16.0)]
    low, high = (f(drawn.view.to_frame(corners), axis=0) for f in (np.min, np.max))
    candidate = DieCandidate((low[0], low[1], high[0], high[1]), mm=(20.0, -30.0), size_mm=16.0)
    (die,) = read_dice(image, view=drawn.view, candidates=[candidate], nets=DiceNets.load(threads=1))
    assert die.value in (value, None)
    advice = advice_on(image, MAT_TABLE)
    assert isinstance(advice, tuple)
    assert Concern.TILTED in [a.concern for a in advice]


def test_d2_a_die_counts_when_it_has_been_still_and_free_with_equal_readings(table: RefereedTable) -> None:
    """It rolls slowly for two seconds showing 6 on the way, and comes to rest on 2: one roll, of a 2."""
    die = table.pools["lokan"].pop()
    table.take(die)
    table.reach(None)
    die.value = 6
    for k in range(60):
        die.mm = (-60.0 + 1.9 * k, -25.0 + 0.5 * k)
        table.motions = [die.mm]
        table.step()
    assert not [e for e in table.events if isinstance(e, DieAtRest)]
    assert table.verdicts() == []
    table.motions = []
    die.value = 2
    stopped_s = table.time_s
    table.wait(2.0)
    rests = [e for e in table.events if isinstance(e, DieAtRest)]
    assert [e.value for e in rests] == [2]
    assert 0.1 < rests[0].time_s - stopped_s < 1.0
    assert [v[2] for v in table.verdicts()] == [2]


def test_d3_one_die_that_is_found_twice_is_one_die() -> None:
    """Two finds of one die, with other middles and other sides, end as one."""
    drawn = DrawnTable(6)
    drawn.die((20.0, 40.0), 5)
    image = drawn.image()
    top = top_view(drawn.view)
    picture = top.from_frame(image)
    square = np.array([(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0)])
    twice = [
        Piece(Kind.DIE, 0.9, square + (20.5, 40.5), (20.5, 40.5), base_mm=16.0),
        Piece(Kind.DIE, 0.6, square * 0.8 + (18.0, 42.0), (18.0, 42.0), base_mm=13.0),
    ]
    nets = DiceNets.load(threads=1)
    sure = dice_made_sure_of(image, picture, top, guess_ground(picture, top), twice, nets)
    assert len(sure) == 1
    assert sure[0].mm == pytest.approx((20.0, 40.0), abs=1.0)
