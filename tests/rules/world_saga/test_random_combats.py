"""Whole combats played at random: to the end, without an illegal state, and again from their logs to the same bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from rules.cards import DECK
from rules.freeform import Ground
from rules.grid import CornerRule, SquareBoard
from rules.hexes import HexBoard
from rules.json_form import to_json
from rules.replay import replay, write_log
from rules.ruling import IllegalActionError, total
from rules.sight import Degree as CoverDegree
from rules.soundness import check_state
from rules.world_saga import actions
from rules.world_saga.actions import Action
from rules.world_saga.combat import (
    Combat,
    Combatant,
    CombatRuling,
    Reserve,
    Settings,
    legal_actions,
    new_combat,
    pending,
    resolve,
    squares_left,
)
from rules.world_saga.hiding import HiddenBy
from rules.world_saga.initiative import Side
from rules.world_saga.modifiers import Modifier, ModifierType
from rules.world_saga.rolls import roll_due
from rules.world_saga.situation import enemies_of
from rules.world_saga.state import (
    Blow,
    Board,
    BoonMode,
    DegreeTable,
    InitiativeMode,
    Phase,
    Place,
    TestKind,
)
from rules.world_saga.turns import entries_due

MOST_ACTIONS = 500
"""A combat that nobody has won by then is ended by the Game Master."""


WEIGHTS = {actions.Attack: 20, actions.TakeStrike: 4, actions.EndTurn: 3}
"""How much likelier than other actions; most combats are to be fought out."""


def a_combat(dice: random.Random) -> Combat:
    """Two or three sides of two to six combatants, on every kind of board or none, with every setting."""
    kind = dice.randrange(4)
    board: Board | None = None
    places: list[Place] = []
    if kind == 0:
        cells = [(x, y) for x in range(8) for y in range(8)]
        dice.shuffle(cells)
        fences = (((0, 0), (1, 0)), ((4, 4), (4, 5)))
        board = SquareBoard(8, 8, tuple(cells[:6]), tuple(cells[6:14]), fences, dice.choice(list(CornerRule)))
        places = list(cells[14:])
    elif kind == 1:
        board = HexBoard(8, 8, walls=((3, 3),), difficult=((2, 2), (4, 4)))
        places = [(q - r // 2, r) for q in range(8) for r in range(8) if (q - r // 2, r) != (3, 3)]
        dice.shuffle(places)
    elif kind == 2:
        board = Ground(difficult=(((40.0, 40.0), (90.0, 40.0), (90.0, 90.0), (40.0, 90.0)),))
        places = [(30.0 * x, 30.0 * y) for x in range(7) for y in range(7)]
        dice.shuffle(places)
    combatants = []
    for number in range(dice.randint(2, 6)):
        is_pc = number % 2 == 0
        combatants.append(
            Combatant(
                f"c{number}",
                Side.PC if is_pc else Side.NPC,
                dice.randint(4, 12),
                team="third" if number == 4 and dice.random() < 0.5 else "",
                group="" if is_pc else dice.choice(["", "band"]),
                ranks=tuple(
                    (skill, dice.randint(5, 16))
                    for skill in ("Fighting", "Shooting", "Resolve", "Resilience", "Stealth", "Investigate")
                ),
                speed=dice.choice([None, 4, 6]),
                place=places.pop() if places and dice.random() < 0.95 else None,
                stamina=dice.choice([None, 1, 2, 4]),
                courage=dice.choice([None, 2]),
                strike_cost=dice.choice([0, 1]),
                is_weary=dice.random() < 0.8,
                distracted=dice.choice([0, 0, 2]),
                exposed=dice.choice([0, 0, 2]),
            )
        )
    table = DegreeTable(1, 2, 4, 6)
    settings = Settings(
        initiative=dice.choice(list(InitiativeMode)),
        boons=dice.choice(list(BoonMode)),
        damage_table=dice.choice([None, table]),
        defence_table=dice.choice([None, DegreeTable(0, 1, 2, 3)]),
        weary_penalty=dice.choice([0, 2]),
        horror=dice.random() < 0.5,
        strides_per_turn=dice.choice([1, 2]),
        strict=dice.random() < 0.3,
    )
    return new_combat(tuple(combatants), board=board, settings=settings)


def a_blow(dice: random.Random) -> Blow:
    is_ranged = dice.random() < 0.4
    test = dice.choices([TestKind.ATTACK, TestKind.OPPOSED, TestKind.CONFLICT], [8, 1, 1])[0]
    return Blow(
        name="Fire" if is_ranged else "Strike",
        is_ranged=is_ranged,
        test=test,
        skill="Shooting" if is_ranged else "Fighting",
        modifiers=(Modifier(dice.choice(list(ModifierType)), dice.randint(-3, 3), "whim"),),
        boons=dice.randint(-1, 1),
        cover=dice.choice(list(CoverDegree)),
        is_concealed=dice.random() < 0.2,
        is_non_lethal=test is TestKind.ATTACK and dice.random() < 0.3,
        is_subdued=dice.random() < 0.3,
        attribute_modifier=dice.randint(-2, 2),
        item_bonus=dice.randint(0, 3),
        reserve=dice.choices(list(Reserve), [8, 1, 1])[0],
    )


def a_way(combat: Combat, who: str, dice: random.Random) -> tuple[Place, ...]:
    x, y = combat.get(who).place or (0, 0)
    way = []
    for _ in range(dice.randint(0, 3)):
        if isinstance(combat.board, Ground):
            x, y = x + dice.randint(-30, 30), y + dice.randint(-30, 30)
        else:
            x, y = x + dice.randint(-1, 1), y + dice.randint(-1, 1)
        way.append((x, y))
    return tuple(way)


def an_action(combat: Combat, dice: random.Random) -> Action:
    """Something of the kinds that take the combat on; it may still be refused."""
    legal = legal_actions(combat)
    kind = dice.choices(legal, [WEIGHTS.get(kind, 1) for kind in legal])[0]
    who = combat.turn.who if combat.turn is not None else ""
    others = [combatant.id for combatant in combat.combatants if combatant.id != who and not combatant.is_out] or [who]
    if kind is actions.Attack and dice.random() < 0.9:
        others = [enemy.id for enemy in enemies_of(combat, who)] or others
    case = combat.cases[-1] if combat.cases else None
    due = roll_due(combat)
    made: dict[type, Callable[[], Action]] = {
        actions.Begin: actions.Begin,
        actions.RollInitiative: lambda: actions.RollInitiative(entries_due(combat)[0], dice.randint(1, 20)),
        actions.DealCard: lambda: actions.DealCard(entries_due(combat)[0], str(dice.choice(DECK))),
        actions.ChooseOrder: lambda: actions.ChooseOrder(tuple(dice.sample(combat.choices[0], len(combat.choices[0])))),
        actions.ActNow: lambda: actions.ActNow(dice.choice(combat.delaying)),
        actions.NextRound: actions.NextRound,
        actions.Stride: lambda: actions.Stride(who, a_way(combat, who, dice), dice.random() < 0.1),
        actions.Withdraw: lambda: actions.Withdraw(who, (dice.choice(others),), dice.random() < 0.8),
        actions.MoveAction: lambda: actions.MoveAction(who, dice.choice(list(actions.MoveName))),
        actions.Attack: lambda: actions.Attack(who, dice.choice(others), a_blow(dice)),
        actions.Test: lambda: actions.Test(
            who=who,
            name="Trick",
            skill="Stealth",
            kind=TestKind.OPPOSED,
            against=dice.choice(others),
            against_skill="Investigate",
        ),
        actions.Hide: lambda: actions.Hide(who=who, cover=dice.choice(list(CoverDegree)), is_dark=dice.random() < 0.2),
        actions.Seek: lambda: actions.Seek(who=who, target=dice.choice(others)),
        actions.Delay: lambda: actions.Delay(who),
        actions.EndTurn: lambda: actions.EndTurn(who),
        actions.TakeStrike: lambda: actions.TakeStrike(
            dice.choice(case.offered) if case else "", replace(a_blow(dice), is_ranged=False, skill="Fighting")
        ),
        actions.DeclineStrike: lambda: actions.DeclineStrike(dice.choice(case.offered) if case else ""),
        actions.Roll: lambda: actions.Roll(tuple(dice.randint(1, 20) for _ in range(due.dice if due else 1))),
        actions.TellNumber: lambda: actions.TellNumber(dice.randint(0, 7)),
        actions.TellEndured: lambda: actions.TellEndured(
            combat.get(str(case.target if case else "")).wounds + 1, dice.random() < 0.6, dice.random() < 0.6
        ),
        actions.TellConflict: lambda: actions.TellConflict(dice.choice([case.who, str(case.target)]) if case else ""),
    }
    make: Callable[[], Action] = made[kind]
    return make()


def a_whim(combat: Combat, dice: random.Random) -> Action:
    """Something that the Game Master does in between."""
    someone = dice.choice(combat.combatants)
    return dice.choice(
        [
            actions.FearTest(who=someone.id, courage=dice.choice([None, 0, 2]), is_complex=dice.random() < 0.5),
            actions.AreaReflexes(who=someone.id, cover=dice.choice(list(CoverDegree))),
            actions.SetHidden(someone.id, dice.choice([None, *HiddenBy]), (combat.combatants[0].id,)),
            actions.SetEngaged(someone.id, combat.combatants[0].id, dice.choice([None, True, False])),
            actions.Adjust(replace(someone, is_weary=not someone.is_weary), "whim"),
            actions.Reveal(combat.combatants[0].id, someone.id),
        ]
    )


def hold(combat: Combat) -> None:
    """What must hold of every combat between two actions."""
    check_state(combat)
    assert bool(legal_actions(combat)) is (combat.phase is not Phase.OVER)
    if combat.turn is not None:
        assert combat.turn.strides <= combat.settings.strides_per_turn
        left = squares_left(combat)
        assert left is None or left >= -0.1
        if not combat.cases:
            assert combat.get(combat.turn.who).can_act
    if combat.phase is Phase.OVER:
        assert pending(combat) is None
    due, waits = roll_due(combat), pending(combat)
    if due is not None:
        assert waits is not None
        assert waits.dice[0].count == due.dice
        assert total(due.reasons) == due.tn
        assert waits.chance is None or 0 <= waits.chance <= 1


def check_ruling(before: Combat, ruling: CombatRuling) -> None:
    """What must hold of every step."""
    after = ruling.state
    assert after.round in (before.round, before.round + 1)
    assert ruling.outcome.damage is None or ruling.outcome.damage >= 0
    for combatant in before.combatants:
        now = after.get(combatant.id)
        for reserve in Reserve:
            was, left = combatant.reserve(reserve), now.reserve(reserve)
            assert (was is None) is (left is None)
            assert was is None or left is None or 0 <= left <= was
    assert all(reason.text and reason.source for reason in ruling.reasons)


def play_out(seed: int) -> tuple[Combat, list[Action], list[CombatRuling]]:
    dice = random.Random(seed)
    first = combat = a_combat(dice)
    played: list[Action] = []
    rulings: list[CombatRuling] = []
    while combat.phase is not Phase.OVER:
        if len(played) >= MOST_ACTIONS:
            action: Action = actions.EndCombat()
        elif dice.random() < 0.05:
            action = a_whim(combat, dice)
        else:
            action = an_action(combat, dice)
        before = to_json(combat) if dice.random() < 0.05 else None
        refusal: IllegalActionError | None = None
        try:
            ruling = resolve(combat, action)
        except IllegalActionError as caught:
            refusal = caught
        if refusal is not None:
            assert refusal.text.endswith(".")
            assert before is None or to_json(combat) == before
            continue
        check_ruling(combat, ruling)
        combat = ruling.state
        hold(combat)
        played.append(action)
        rulings.append(ruling)
    return first, played, rulings


def play_and_replay(seed: int) -> Combat:
    first, played, rulings = play_out(seed)
    log = write_log(first, played)
    again, repeated = replay(log, Combat, Action, resolve)
    assert again == first
    assert list(repeated) == rulings
    assert to_json(repeated[-1]) == to_json(rulings[-1])
    assert write_log(again, played) == log
    return rulings[-1].state


@pytest.mark.parametrize("seed", range(6))
def test_a_random_combat_ends_and_replays_to_the_same_bytes(seed: int) -> None:
    play_and_replay(seed)


@pytest.mark.slow
def test_a_thousand_random_combats_end_and_replay_to_the_same_bytes() -> None:
    lasts = [play_and_replay(seed) for seed in range(1000)]
    decided = sum(len({c.allegiance for c in last.combatants if c.can_act}) < 2 for last in lasts)
    # Most are fought out; the rest were ended by the Game Master.
    assert decided > 600
