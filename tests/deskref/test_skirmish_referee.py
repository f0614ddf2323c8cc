"""Quick Skirmish through the session: typed cards and dice to the end, undo, journal and replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskref.chance import Chance
from deskref.inputs import DealCards, EnterDie, PlaySkirmish, SkirmishSetup, Source, StartGame, Trait, Undo
from deskref.play import Play
from deskref.recording import Journal, LineKind, read_journal
from deskref.referee import step
from deskref.replay import rulings, session_of
from deskref.session import Session
from deskref.signal import SignalKind
from deskref.skirmish_referee import awaited, cards_left, choices
from rules.skirmish.damage import Condition
from rules.skirmish.deck import who_draws
from rules.skirmish.state import Accept, Fighter, Options, Overrule, Phase, Result, Skirmish, Soak, TakeWounds
from rules.skirmish.trait import Level

SETUP = SkirmishSetup(
    (
        Fighter("lokan", Condition(5), name="Lokan"),
        Fighter("vesta", Condition(6), name="Vesta"),
        Fighter("hound", Condition(4, is_wild_card=False), bennies=0, ally_of="vesta", name="Hound"),
    ),
    3,
    Options(),
    (Trait("lokan", "Fighting", 8), Trait("vesta", "Shooting", 6)),
)
CARDS = (("lokan", "KS"), ("vesta", "9C"))


class Game:
    """A session that takes inputs one after the other."""

    def __init__(self, setup: SkirmishSetup = SETUP) -> None:
        self.session = Session()
        self.tell(StartGame(setup=setup))

    def tell(self, given: object) -> tuple[SignalKind, ...]:
        self.session, signals = step(self.session, given)  # type: ignore[arg-type]
        return tuple(s.kind for s in signals)

    def dice(self, *values: int) -> tuple[SignalKind, ...]:
        kinds: tuple[SignalKind, ...] = ()
        for value in values:
            kinds = self.tell(EnterDie(value=value))
        return kinds

    @property
    def scene(self):  # type: ignore[no-untyped-def]
        assert self.session.scene is not None
        return self.session.scene

    def to_the_roll(self) -> None:
        self.tell(DealCards(cards=CARDS))
        self.tell(PlaySkirmish(action=Skirmish("lokan", "Fighting", 8)))


def test_cards_are_dealt_and_the_highest_acts_first() -> None:
    game = Game()
    assert SignalKind.YOUR_TURN in game.tell(DealCards(cards=CARDS))
    assert (game.scene.phase, game.scene.current) == (Phase.TURN, "lokan")


@pytest.mark.parametrize("cards", [(("lokan", "1S"), ("vesta", "9C")), (("lokan", "KS"),), (("lokan", ""),)])
def test_a_card_that_cannot_come_is_refused_with_words(cards: tuple[tuple[str, str], ...]) -> None:
    game = Game()
    assert game.tell(DealCards(cards=cards)) == (SignalKind.ILLEGAL,)
    assert game.scene.phase is Phase.DEAL


def test_trait_and_wild_die_are_entered_one_by_one_and_a_success_takes_a_token() -> None:
    """Quick Skirmish: 4 or more takes a token, and the hero takes 2d6 damage."""
    game = Game()
    game.to_the_roll()
    game.dice(5)
    assert [die.value for die in game.session.book.entered] == [5]
    assert game.dice(2)[-1] is SignalKind.RULING
    assert game.scene.phase is Phase.ACCEPT
    assert SignalKind.HIT in game.tell(PlaySkirmish(action=Accept()))
    assert (game.scene.tokens_left, game.scene.phase, game.scene.damage_dice) == (2, Phase.DAMAGE, 2)


def test_an_ace_is_asked_for_again() -> None:
    """Savage Worlds, trait rolls: the highest face is thrown again and added."""
    game = Game()
    game.to_the_roll()
    game.dice(8, 3)
    pending = awaited(game.session)
    assert pending is not None
    assert [(need.role, need.sides) for need in pending.dice] == [("trait", 8)]
    game.dice(4)
    assert (game.scene.tokens_left, game.scene.phase) == (1, Phase.TURN)


@pytest.mark.parametrize("value", [0, 9, -1])
def test_a_face_that_the_die_does_not_have_is_refused(value: int) -> None:
    game = Game()
    game.to_the_roll()
    assert game.dice(value) == (SignalKind.ILLEGAL,)
    assert game.session.book.entered == ()


def test_a_die_that_nobody_waits_for_is_refused() -> None:
    assert Game().dice(3) == (SignalKind.ILLEGAL,)


def test_undo_takes_back_the_last_die_only() -> None:
    game = Game()
    game.to_the_roll()
    game.dice(3, 2)
    game.tell(Undo())
    assert [die.value for die in game.session.book.entered] == [3]
    game.tell(Undo())
    assert game.session.book.entered == ()
    assert game.scene.phase is Phase.ROLL


def test_wounds_can_be_soaked_for_a_benny() -> None:
    """Savage Worlds, Soak rolls: a success cancels a wound; when all are cancelled Shaken goes too."""
    game = Game()
    game.to_the_roll()
    game.dice(2, 3)
    game.tell(PlaySkirmish(action=Accept()))
    game.dice(5, 3, 2)
    assert game.scene.phase is Phase.SOAK
    assert {type(c.given.action) for c in choices(game.session)} >= {Soak, TakeWounds}  # type: ignore[union-attr]
    game.tell(PlaySkirmish(action=Soak()))
    assert SignalKind.SAVED in game.dice(4, 2)
    lokan = game.scene.fighter("lokan")
    assert (lokan.condition.wounds, lokan.condition.is_shaken, lokan.bennies) == (0, False, 2)


def test_the_game_master_decides_and_the_log_says_so() -> None:
    game = Game()
    game.to_the_roll()
    assert SignalKind.GAME_MASTER in game.tell(PlaySkirmish(action=Overrule(Level.RAISE, "So be it.")))
    assert game.scene.tokens_left == 1


def play_on(game: Game, chance: Chance) -> None:
    """Do the first thing possible until the scene is over, with dice of a seeded generator."""
    for _ in range(400):
        scene, pending = game.scene, awaited(game.session)
        if scene.phase is Phase.OVER:
            return
        if pending is not None:
            for need in pending.dice:
                for _ in range(need.count):
                    game.tell(EnterDie(value=chance.die(need.sides), source=Source.SIMULATED))
        elif scene.phase is Phase.DEAL:
            heroes = who_draws(scene)
            dealt = chance.deal(cards_left(scene), len(heroes))
            game.tell(DealCards(cards=tuple((h.id, str(c)) for h, c in zip(heroes, dealt, strict=True))))
        elif scene.phase is Phase.TURN:
            game.tell(PlaySkirmish(action=Skirmish(str(scene.current), "Fighting", 8)))
        else:
            game.tell(choices(game.session)[0].given)
    raise AssertionError(f"the scene did not end: {game.scene!r}")


@pytest.mark.parametrize("seed", range(8))
def test_simulated_skirmishes_end_without_a_refusal(seed: int) -> None:
    game = Game()
    play_on(game, Chance(seed))
    assert game.scene.result in Result
    kinds = [signal.kind for signal in game.session.log]
    assert kinds[-1] is SignalKind.WINNER
    assert SignalKind.ILLEGAL not in kinds


def test_a_journal_gives_the_game_again_and_its_rulings_twice_the_same(tmp_path: Path) -> None:
    with Journal(tmp_path / "g.jsonl", version="0", started="2026-01-01T00:00:00+00:00") as journal:
        play = Play(journal)
        play.happened(StartGame(setup=SETUP))
        for given in (
            DealCards(cards=CARDS),
            PlaySkirmish(action=Skirmish("lokan", "Fighting", 8)),
            EnterDie(value=8),
            EnterDie(value=3),
            Undo(),
            EnterDie(value=2),
            EnterDie(value=5, source=Source.SIMULATED),
        ):
            play.happened(given)
    session, trouble = session_of(journal.path)
    assert trouble is None
    assert session.scene == play.session.scene is not None
    assert session.log == play.session.log
    once = list(rulings(journal.path))
    assert once == list(rulings(journal.path))
    assert len(once) >= 4
    games = [line for line in read_journal(journal.path) if line.kind is LineKind.GAME]
    assert games[-1].game()[1] == play.session.scene
