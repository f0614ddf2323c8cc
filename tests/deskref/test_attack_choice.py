"""Which attack of World Saga is offered first: one that the rules have nothing against, or none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deskref.attack_choice import objections, offered
from deskref.combat_figures import cover_of
from deskref.inputs import CombatSetup, EnterDie, StartGame
from deskref.page.world_saga_fields import Fields, Row, first_fields, setup_of
from deskref.referee import step
from deskref.session import Session
from rules.sight import Degree
from rules.world_saga.actions import Attack
from rules.world_saga.state import Blow

FACES = (19, 15, 8, 4)
"""Initiative of Lokan, Vesta, the Raider and the Brute: Lokan is first."""


def begun(setup: CombatSetup) -> Session:
    session, _ = step(Session(), StartGame(setup=setup))
    for face in FACES:
        session, _ = step(session, EnterDie(value=face))
    return session


def at(fields: Fields, **places: tuple[int, int]) -> Fields:
    """The form's combatants, some of them elsewhere."""

    def placed(row: Row) -> Row:
        column, line = places.get(row.name.lower(), (row.column, row.row))
        return replace(row, column=column, row=line)

    return replace(fields, rows=[placed(row) for row in fields.rows])


def ways(session: Session, target: str, *, who: str = "Lokan") -> list[Attack]:
    """A Strike and a shot in the cover that is seen."""
    seen = cover_of(session, who, target)
    degree = seen.degree if seen is not None else Degree.NONE
    return [
        Attack(who, target, Blow(name="Strike", skill="Fighting")),
        Attack(who, target, Blow(name="Shoot", is_ranged=True, skill="Shooting", cover=degree)),
    ]


def first(session: Session) -> Attack:
    assert session.combat is not None
    found = offered(session.combat, "Lokan", lambda enemy: ways(session, enemy))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("places", "target", "is_ranged"),
    [
        ({"lokan": (1, 5)}, "Raider", True),  # the Brute is behind a wall: the Raider can be seen
        ({"lokan": (9, 2)}, "Raider", False),  # beside the Raider
        ({"lokan": (9, 5)}, "Brute", False),  # beside the Brute, though the Raider comes first in the list
        ({"lokan": (8, 4)}, "Brute", True),  # nobody at hand: the nearest in sight
    ],
)
def test_an_attack_that_nothing_speaks_against_is_offered(
    places: dict[str, tuple[int, int]], target: str, is_ranged: bool
) -> None:
    fields = at(first_fields(), vesta=(0, 0), **places)
    session = begun(setup_of(fields))
    attack = first(session)
    assert (attack.target, attack.blow.is_ranged) == (target, is_ranged)
    assert session.combat is not None
    assert objections(session.combat, attack) == ()


def test_where_nobody_is_at_hand_or_in_sight_every_attack_has_something_against_it() -> None:
    """Walls stand between Lokan and both enemies: a Strike is only warned of, and would be thrown for nothing."""
    session = begun(setup_of(first_fields()))
    assert session.combat is not None
    for enemy in ("Raider", "Brute"):
        codes = [[one.message.code for one in objections(session.combat, way)] for way in ways(session, enemy)]
        assert codes == [["ws_advice_not_engaged"], ["ws_advice_no_sight"]]


def test_a_strict_table_refuses_what_others_advise_against() -> None:
    fields = first_fields()
    fields.agreed.strict = True
    session = begun(setup_of(fields))
    assert session.combat is not None
    (said,) = objections(session.combat, ways(session, "Raider")[0])
    assert (said.message.code, said.is_refused) == ("ws_not_engaged", True)


def test_a_shot_beside_an_enemy_tells_of_the_strike_that_it_opens() -> None:
    session = begun(setup_of(at(first_fields(), lokan=(9, 2))))
    assert session.combat is not None
    shot = ways(session, "Raider")[1]
    assert [one.message.code for one in objections(session.combat, shot)] == ["ws_may_strike"]
    assert not first(session).blow.is_ranged
