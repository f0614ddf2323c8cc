"""World Saga's combat through the session: initiative, turns, told numbers, the end, journal and replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskref.inputs import CombatSetup, DealCards, EnterDie, PlayCombat, StartGame, Undo
from deskref.play import Play
from deskref.recording import Journal
from deskref.referee import step
from deskref.replay import rulings, session_of
from deskref.session import Session
from deskref.signal import SignalKind
from deskref.world_saga_referee import awaited
from rules.grid import SquareBoard
from rules.world_saga.actions import (
    AreaReflexes,
    Attack,
    ChooseOrder,
    Delay,
    EndCombat,
    EndTurn,
    Stride,
    TellEndured,
    TellNumber,
)
from rules.world_saga.initiative import Side
from rules.world_saga.state import Combatant, InitiativeMode, Phase, Settings, Stage


def combatant(name: str, side: Side, place: tuple[int, int]) -> Combatant:
    return Combatant(name.lower(), side, 10, name=name, ranks=(("Fighting", 12),), speed=6, place=place, stamina=5)


def setup(mode: InitiativeMode = InitiativeMode.EACH_ROUND) -> CombatSetup:
    return CombatSetup(
        (
            combatant("Lokan", Side.PC, (1, 1)),
            combatant("Vesta", Side.PC, (1, 3)),
            combatant("Brute", Side.NPC, (3, 1)),
        ),
        SquareBoard(8, 6, walls=((2, 3),)),
        Settings(initiative=mode),
    )


class Game:
    """A session that takes inputs one after the other."""

    def __init__(self, mode: InitiativeMode = InitiativeMode.EACH_ROUND) -> None:
        self.session = Session()
        self.tell(StartGame(setup=setup(mode)))

    def tell(self, given: object) -> tuple[SignalKind, ...]:
        self.session, signals = step(self.session, given)  # type: ignore[arg-type]
        return tuple(s.kind for s in signals)

    def do(self, action: object) -> tuple[SignalKind, ...]:
        return self.tell(PlayCombat(action=action))  # type: ignore[arg-type]

    def dice(self, *values: int) -> tuple[SignalKind, ...]:
        kinds: tuple[SignalKind, ...] = ()
        for value in values:
            kinds = self.tell(EnterDie(value=value))
        return kinds

    @property
    def combat(self):  # type: ignore[no-untyped-def]
        assert self.session.combat is not None
        return self.session.combat

    def begun(self) -> Game:
        """Lokan acts first, then Vesta, then the Brute."""
        self.dice(18, 12, 3)
        return self


def test_initiative_is_asked_for_one_after_the_other_and_begins_the_first_turn() -> None:
    game = Game()
    pending = awaited(game.session)
    assert pending is not None
    assert (pending.who, pending.dice[0].sides) == ("lokan", 20)
    assert SignalKind.YOUR_TURN in game.dice(3, 12, 18)
    assert game.combat.order == ("brute", "vesta", "lokan")


def test_a_test_called_for_while_initiative_is_rolled_takes_the_next_die() -> None:
    """Found by a soak: every die was taken for initiative and refused, and the combat stood still for good."""
    game = Game()
    game.dice(3)
    game.do(AreaReflexes(who="vesta"))
    assert SignalKind.ILLEGAL not in game.dice(2)
    assert not game.combat.cases
    assert SignalKind.YOUR_TURN in game.dice(12, 18)
    assert game.combat.order == ("brute", "vesta", "lokan")


def test_tied_player_characters_choose() -> None:
    game = Game()
    game.dice(15, 15, 3)
    assert game.combat.phase is Phase.CHOICE
    game.do(ChooseOrder(("vesta", "lokan")))
    assert game.combat.turn.who == "vesta"


def test_initiative_by_cards_is_dealt_at_once_and_undone_at_once() -> None:
    game = Game(InitiativeMode.CARDS)
    game.tell(DealCards(cards=(("lokan", "9C"), ("vesta", "J*B"), ("brute", "AS"))))
    assert game.combat.order == ("vesta", "brute", "lokan")
    game.tell(Undo())
    assert (game.combat.phase, game.combat.scores) == (Phase.INITIATIVE, ())


@pytest.mark.parametrize("cards", [(("lokan", "9X"),), (("lokan", "9C"), ("vesta", "9C"))])
def test_a_card_that_cannot_come_is_refused_and_nothing_counts(cards: tuple[tuple[str, str], ...]) -> None:
    game = Game(InitiativeMode.CARDS)
    assert game.tell(DealCards(cards=cards)) == (SignalKind.ILLEGAL,)
    assert game.combat.scores == ()


def test_a_stride_beside_an_enemy_then_an_attack_with_told_numbers() -> None:
    """World Saga, Attack Test: Attack Roll, Defense Roll, base damage, what the defence takes off."""
    game = Game().begun()
    assert SignalKind.MOVED in game.do(Stride("lokan", ((2, 1),)))
    assert game.do(Attack("lokan", "brute")) == (SignalKind.RULING,)
    game.dice(11)
    game.dice(4)
    assert game.combat.cases[-1].stage is Stage.BASE
    game.do(TellNumber(4))
    assert SignalKind.HIT in game.do(TellNumber(1))
    assert game.combat.get("brute").stamina == 2
    assert game.combat.cases == ()


def test_a_miss_is_said() -> None:
    game = Game().begun()
    game.do(Attack("lokan", "brute"))
    assert SignalKind.MISS in game.dice(13)


def test_wounds_are_told_and_the_last_enemy_out_ends_the_combat() -> None:
    game = Game().begun()
    game.do(Attack("lokan", "brute"))
    game.dice(11, 19)
    assert SignalKind.HIT in game.do(TellNumber(9))
    assert game.combat.cases[-1].stage is Stage.ENDURE
    kinds = game.do(TellEndured(3, is_out=True))
    assert SignalKind.DEATH in kinds
    assert kinds[-1] is SignalKind.WINNER
    assert game.session.log[-1].winners == ("lokan", "vesta")


def test_what_the_rules_refuse_is_said_and_changes_nothing() -> None:
    game = Game().begun()
    before = game.session.book
    assert game.do(EndTurn("brute")) == (SignalKind.ILLEGAL,)
    assert game.do(Stride("lokan", ((2, 3),))) == (SignalKind.ILLEGAL,)
    assert game.dice(21) == (SignalKind.ILLEGAL,)
    assert game.session.book is before


def test_delay_passes_the_turn_and_the_game_master_may_end_the_combat() -> None:
    game = Game().begun()
    assert SignalKind.PASSED in game.do(Delay("lokan"))
    assert game.combat.turn.who == "vesta"
    assert SignalKind.GAME_MASTER in game.do(EndCombat())
    assert game.combat.phase is Phase.OVER


def test_a_journal_gives_the_combat_again_and_its_rulings_twice_the_same(tmp_path: Path) -> None:
    with Journal(tmp_path / "c.jsonl", version="0", started="2026-01-01T00:00:00+00:00") as journal:
        play = Play(journal)
        play.happened(StartGame(setup=setup()))
        for given in (
            *(EnterDie(value=v) for v in (18, 12, 3)),
            PlayCombat(action=Stride("lokan", ((2, 1),))),
            Undo(),
            PlayCombat(action=Stride("lokan", ((2, 2),))),
            PlayCombat(action=Attack("lokan", "brute")),
            EnterDie(value=11),
        ):
            play.happened(given)
    session, trouble = session_of(journal.path)
    assert trouble is None
    assert session.combat == play.session.combat is not None
    assert session.log == play.session.log
    once = list(rulings(journal.path))
    assert once == list(rulings(journal.path))
    assert len(once) == 7
