from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.world_saga.d20 import (
    FACES,
    Degree,
    Special,
    TestResult,
    explain,
    faces_of,
    goodness,
    oppose,
    read,
    read_many,
)

COMPLICATION, FUMBLE, CRITICAL = Special.COMPLICATION, Special.CRITICAL_FAILURE, Special.CRITICAL_SUCCESS


@pytest.mark.parametrize(
    ("tn", "face", "success", "special", "degree"),
    [
        (12, 12, True, CRITICAL, Degree.STRONG),
        (12, 13, False, None, None),
        (12, 11, True, None, Degree.STRONG),
        (12, 1, True, COMPLICATION, Degree.WEAK),
        (12, 2, True, None, Degree.WEAK),
        (12, 20, False, FUMBLE, None),
        (20, 20, False, FUMBLE, None),
        (25, 20, False, FUMBLE, None),
        (20, 19, True, None, Degree.GREAT),
        (19, 19, True, CRITICAL, Degree.GREAT),
        (16, 15, True, None, Degree.GREAT),
        (16, 14, True, None, Degree.STRONG),
        (16, 10, True, None, Degree.STRONG),
        (16, 9, True, None, Degree.SUCCESS),
        (16, 5, True, None, Degree.SUCCESS),
        (16, 4, True, None, Degree.WEAK),
        (2, 2, True, CRITICAL, Degree.WEAK),
        (1, 1, True, COMPLICATION, Degree.WEAK),
        (0, 1, False, None, None),
        (-3, 1, False, None, None),
        (0, 20, False, FUMBLE, None),
    ],
)
def test_a_d20_means_what_the_rules_say(
    tn: int, face: int, success: bool, special: Special | None, degree: Degree | None
) -> None:
    """World Saga, Test Types and Special Outcomes."""
    assert read(tn, face) == TestResult(tn, face, success, special, degree)


@pytest.mark.parametrize("face", [0, 21, -1])
def test_a_d20_shows_1_to_20(face: int) -> None:
    with pytest.raises(ValueError, match="a d20 shows 1 to 20, not"):
        read(10, face)


@given(st.integers(-2, 25))
def test_the_degree_grows_with_the_face_up_to_the_target_number(tn: int) -> None:
    degrees = [read(tn, face).degree for face in FACES if face <= tn and face < 20]
    steps = [list(Degree).index(degree) for degree in degrees if degree is not None]
    assert len(steps) == max(0, min(19, tn))
    assert steps == sorted(steps)


@pytest.mark.parametrize(
    ("attack", "defence", "finals", "wins", "code"),
    [
        ((12, 9), (14, 11), (9, 11), False, "ws_opposed"),
        ((12, 11), (14, 9), (11, 9), True, "ws_opposed"),
        ((12, 3), (10, 15), (3, 0), True, "ws_opposed"),
        ((12, 8), (14, 8), (8, 8), False, "ws_opposed_tie"),
        ((8, 12), (8, 19), (0, 0), False, "ws_opposed_tie"),
        ((8, 12), (8, 3), (0, 3), False, "ws_opposed"),
        ((8, 8), (14, 11), (8, 11), True, "ws_opposed_critical"),
        ((8, 8), (11, 11), (8, 11), False, "ws_opposed_both_critical"),
        ((12, 12), (8, 8), (12, 8), False, "ws_opposed_both_critical"),
        ((12, 11), (8, 8), (11, 8), True, "ws_opposed"),
    ],
)
def test_the_higher_success_wins_and_ties_go_to_the_defender(
    attack: tuple[int, int], defence: tuple[int, int], finals: tuple[int, int], wins: bool, code: str
) -> None:
    """World Saga, Opposed Test."""
    result = oppose("Ann", read(*attack), "the orc", read(*defence))
    assert (result.attacker_final, result.defender_final) == finals
    assert result.attacker_wins is wins
    assert result.reason.code == code
    assert ("Ann" if wins else "the orc") in result.reason.text


def test_boons_keep_the_best_and_banes_the_worst_outcome() -> None:
    assert read_many(10, [15, 7], boons=1).face == 7
    assert read_many(10, [9, 10, 3], boons=2).face == 10
    assert read_many(10, [15, 7], boons=-1).face == 15
    assert read_many(10, [15, 20], boons=-1).face == 20
    assert read_many(10, [20, 15], boons=1).face == 15
    assert read_many(10, [1, 9], boons=-1).face == 1
    assert read_many(10, [5], boons=0).face == 5


def test_outcomes_have_an_order() -> None:
    faces = sorted(FACES, key=lambda face: goodness(read(10, face)))
    assert faces[0] == 20
    assert set(faces[1:10]) == set(range(11, 20))
    assert faces[10:] == list(range(1, 11))


@pytest.mark.parametrize(
    ("tn", "face", "is_complex", "codes"),
    [
        (12, 13, True, ["ws_roll", "ws_failure"]),
        (12, 11, False, ["ws_roll", "ws_success"]),
        (12, 11, True, ["ws_roll", "ws_success", "ws_degree"]),
        (12, 12, True, ["ws_roll", "ws_critical_success", "ws_degree"]),
        (12, 20, True, ["ws_roll", "ws_critical_failure"]),
        (12, 1, False, ["ws_roll", "ws_complication"]),
        (0, 1, False, ["ws_roll", "ws_no_chance"]),
    ],
)
def test_every_roll_is_explained(tn: int, face: int, is_complex: bool, codes: list[str]) -> None:
    reasons = explain("Ann", read(tn, face), is_complex=is_complex)
    assert [reason.code for reason in reasons] == codes


@pytest.mark.parametrize(("degree", "faces"), [("weak", (1, 4)), ("success", (5, 9)), ("strong", (10, 14))])
def test_the_faces_of_a_degree(degree: str, faces: tuple[int, int]) -> None:
    """World Saga, Test Types; a 20 fails, so a great success ends at 19."""
    assert faces_of(Degree(degree)) == faces
    assert faces_of(Degree.GREAT) == (15, 19)
    assert all(read(19, face).degree is Degree(degree) for face in range(faces[0], faces[1] + 1))


def test_a_plain_success_is_called_plain() -> None:
    assert explain("Ann", read(12, 7), is_complex=True)[-1].text == "The die shows 7; 5 to 9 is a plain success."
    assert explain("Ann", read(12, 10), is_complex=True)[-1].text == "The die shows 10; 10 to 14 is a strong success."
