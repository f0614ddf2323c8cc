"""A second camera over a dice tray: what comes to rest there is a roll, once, whatever hands, light and cables do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from deskref import inputs, settings
from deskref.command_line import app
from deskref.eyes import Seen
from deskref.inputs import InTray, StartGame
from deskref.live import LiveGame
from deskref.page.site import Site
from deskref.play import Play
from deskref.program import PRACTICE
from deskref.recording import Journal, LineKind, read_journal
from deskref.replay import session_of
from deskref.settings import PageSettings, Settings
from deskref.signal import Signal, SignalKind
from deskref.table_choice import MAT_TABLE
from deskref.tray import STILL_S, TrayEyes, agreed
from deskref.tray_feed import TrayFeed
from devices.camera import SourceError
from devices.camera_spec import open_source
from devices.film import Film
from devices.frame import Frame
from rules.skuffle_state import Phase
from tests.calibration.simulated import draw_sheet, photograph, view_of
from tests.calibration.simulated import frame as noisy
from tests.deskref.played_desk import DAEMON, LOKAN, PlayedDesk, skirmish_setup
from tests.vision.test_dice import FIVE_FOUR_SIX, Picture, draw
from vision.dice import read_dice
from vision.observation import Observation, SeenDie, TableSeen

DICE = tuple[tuple[int, float, float, float], ...]
RATE_HZ = 10
read_pips = cache(lambda data: read_dice(np.frombuffer(data, np.uint8).reshape(400, 400, 3)))


def by_pips(image: Picture) -> Sequence[SeenDie]:
    """The reader without nets; the same picture is read once."""
    return read_pips(image.tobytes())


@cache
def tray(dice: DICE, *, hand: int = 0, gain: float = 1.0, shift: int = 0) -> Picture:
    picture = draw(list(dice))
    if shift:
        picture = np.asarray(np.roll(picture, shift, axis=1), np.uint8)
    if hand:
        cv2.rectangle(picture, (0, 0), (hand, 400), (120, 150, 205), -1)
    return np.asarray(np.clip(picture * gain, 0, 255), np.uint8)


class Tray:
    """Plays pictures to the eyes and keeps what they tell."""

    def __init__(self, read: Callable[[Picture], Sequence[SeenDie]] = by_pips) -> None:
        self.eyes = TrayEyes(read)
        self.time_s, self.number = 0.0, 0
        self.told: list[InTray] = []

    def show(self, picture: Picture, seconds: float = 1.5) -> list[InTray]:
        told: list[InTray] = []
        for _ in range(round(seconds * RATE_HZ)):
            told += self.eyes.look(Frame(picture.copy(), self.time_s, self.number))
            self.time_s, self.number = self.time_s + 1 / RATE_HZ, self.number + 1
        self.told += told
        return told

    def throw(self, dice: DICE) -> list[InTray]:
        """A hand reaches in, the dice roll for a moment, then lie."""
        self.show(tray((), hand=250), 0.3)
        self.show(tray(dice, hand=90), 0.2)
        return self.show(tray(dice))


FIVE, FOUR, SIX = (tuple(FIVE_FOUR_SIX[k : k + 1]) for k in range(3))
AGAIN_FIVE: DICE = ((5, 250.0, 260.0, 55.0),)


def values(told: list[InTray]) -> list[int | None]:
    return sorted((t.value or 0) for t in told if t.is_new and not t.is_gone)


def test_dice_that_come_to_rest_are_rolls_and_those_there_at_the_start_are_none() -> None:
    desk = Tray()
    assert desk.show(tray(FIVE)) == []
    assert desk.eyes.values == (5,)
    told = desk.throw(FIVE + FOUR + SIX)
    assert values(told) == [4, 6]
    assert len({t.die for t in told}) == 2
    assert all(t.die < 0 for t in told)


def test_a_die_is_read_only_when_it_has_been_still() -> None:
    desk = Tray()
    desk.show(tray(()))
    for turn in range(12):
        assert desk.show(tray(((5, 100.0 + 15 * turn, 200.0, 30.0 * turn),)), 0.1) == []
    lies = tray(((5, 265.0, 200.0, 330.0),))
    assert desk.show(lies, STILL_S - 0.1) == []
    assert values(desk.show(lies)) == [5]
    assert desk.show(lies, 5) == []


def test_the_same_face_thrown_again_is_a_new_roll() -> None:
    desk = Tray()
    desk.show(tray(()))
    first = desk.throw(FIVE)
    told = desk.throw(AGAIN_FIVE)
    assert [(t.is_gone, t.value) for t in told] == [(True, 5), (False, 5)]
    assert told[0].die == first[0].die != told[1].die


def test_a_hand_over_the_dice_is_no_throw() -> None:
    desk = Tray()
    desk.show(tray(FIVE + FOUR))
    desk.show(tray(FIVE + FOUR, hand=300), 0.5)
    assert desk.show(tray(FIVE + FOUR)) == []
    assert values(desk.throw(FIVE + FOUR + SIX)) == [6]


def test_a_hand_that_rests_over_a_die_takes_it_only_for_hidden_dice() -> None:
    """What cannot be seen is taken for gone; when it shows again it is asked about as a roll, not lost."""
    desk = Tray()
    desk.show(tray(FIVE))
    gone = desk.show(tray(FIVE, hand=200), 2)
    assert [t.is_gone for t in gone] == [True]


@pytest.mark.parametrize("gain", [0.75, 1.15])
def test_c12_c19_other_light_is_no_throw(gain: float) -> None:
    desk = Tray()
    desk.show(tray(FIVE + FOUR))
    assert desk.show(tray(FIVE + FOUR, gain=gain)) == []
    for step in range(20):
        band = 6 * np.sin(np.arange(400) / 40 + step)[:, None, None]
        assert desk.show(np.clip(tray(FIVE + FOUR) + band, 0, 255).astype(np.uint8), 0.1) == []
    assert desk.show(tray(FIVE + FOUR)) == []


def test_a_push_of_the_camera_is_no_throw() -> None:
    desk = Tray()
    wood = np.random.default_rng(5).normal(0, 7, (40, 40)).astype(np.float32)
    grain = cv2.resize(wood, (400, 400), interpolation=cv2.INTER_CUBIC)[..., None]
    on_wood = np.clip(tray(FIVE) + grain, 0, 255).astype(np.uint8)
    desk.show(on_wood)
    assert desk.eyes.values == (5,)
    assert desk.show(np.roll(on_wood, 12, axis=1)) == []
    assert desk.eyes.values == (5,)


def test_a_camera_that_comes_back_counts_nothing_that_lies_there() -> None:
    desk = Tray()
    desk.show(tray(()))
    desk.eyes.forget()
    assert desk.show(tray(FIVE)) == []


def die(value: int | None, x: float = 50.0) -> SeenDie:
    return SeenDie((x - 20, 30, x + 20, 70), value, 0.9)


def test_readings_must_agree_and_flickering_dice_are_none() -> None:
    assert [d.value for d in agreed([[die(5)], [die(5, 52)], [die(5, 49)]])] == [5]
    assert [d.value for d in agreed([[die(5)], [die(6)], [die(5)], [die(6)]])] == [None]
    assert [d.value for d in agreed([[die(5)], [die(None)], [die(5)]])] == [None]
    assert agreed([[die(5)], [], []]) == ()
    assert len(agreed([[die(5), die(3, 95)]] * 3)) == 2


def test_a_die_that_becomes_readable_is_told_as_that_and_not_as_a_roll() -> None:
    shown: list[int | None] = [None]
    picture = tray(((5, 100.0, 50.0, 0.0),))
    desk = Tray(lambda image: [SeenDie((60, 10, 140, 90), shown[0], 0.9)] if np.array_equal(image, picture) else [])
    desk.show(tray(()))
    (told,) = desk.show(picture, 3)
    assert (told.value, told.is_new) == (None, True)
    shown[0] = 5
    desk.show(tray(((5, 100.0, 50.0, 0.0),), hand=20), 0.2)
    (told,) = desk.show(picture, 3)
    assert (told.value, told.is_new, told.is_gone) == (5, False, False)


# what it means for the games


@pytest.fixture
def desk() -> PlayedDesk:
    desk = PlayedDesk()
    desk.begin()
    return desk


def test_with_a_camera_over_the_table_a_die_in_the_tray_is_the_attack(desk: PlayedDesk) -> None:
    desk.take_die(LOKAN)
    desk.tell(InTray(die=-1, value=4, time_s=desk.time_s))
    hit = next(s for s in desk.said if s.kind is SignalKind.HIT)
    assert (hit.soldier, hit.target, hit.value, hit.die) == (LOKAN, DAEMON, 4, -1)
    assert hit.source is inputs.Source.CAMERA


def test_an_unread_die_in_the_tray_is_asked_about_and_answered_by_itself(desk: PlayedDesk) -> None:
    desk.take_die(LOKAN)
    desk.tell(InTray(die=-1, value=None, time_s=desk.time_s))
    assert SignalKind.UNREADABLE in desk.kinds()
    assert desk.session.game is not None
    assert desk.session.game.phase is Phase.AWAIT_DIE
    desk.tell(InTray(die=-1, value=4, is_new=False, time_s=desk.time_s))
    assert SignalKind.HIT in desk.kinds()


def test_a_die_in_the_tray_can_be_corrected_and_taken_out(desk: PlayedDesk) -> None:
    desk.take_die(LOKAN)
    desk.tell(InTray(die=-1, value=4, time_s=desk.time_s))
    desk.tell(inputs.CorrectDie(die=-1, value=2, time_s=desk.time_s))
    assert SignalKind.CORRECTED in desk.kinds()
    desk.tell(InTray(die=-1, value=2, is_gone=True, time_s=desk.time_s))
    assert desk.session.desk.die(-1) is None


def test_without_a_camera_over_the_table_the_die_is_entered() -> None:
    desk = PlayedDesk()
    desk.tell(StartGame(setup=skirmish_setup(with_camera=False)))
    desk.tell(InTray(die=-1, value=None, time_s=1.0))
    assert SignalKind.UNREADABLE in desk.kinds()
    assert "tray" in str(desk.said[-1].message.text)
    desk.tell(InTray(die=-1, value=4, time_s=2.0))
    hit = next(s for s in desk.said if s.kind is SignalKind.HIT)
    assert hit.source is inputs.Source.CAMERA


def test_before_any_game_a_die_in_the_tray_is_nothing() -> None:
    desk = PlayedDesk()
    assert desk.tell(InTray(die=-1, value=4, time_s=1.0)) == ()


def test_rolls_of_the_tray_are_in_the_journal_and_replay(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Journal(path, version="1", started="now") as journal:
        play = Play(journal)
        play.happened(StartGame(setup=skirmish_setup(with_camera=False)))
        play.happened(InTray(die=-7, value=4, time_s=2.0, colour="ivory"))
        after = play.session
    lines = [line for line in read_journal(path) if line.kind is LineKind.INPUT]
    assert lines[1].input() == InTray(die=-7, value=4, time_s=2.0, colour="ivory")
    assert session_of(path)[0].game == after.game


# two films at once


def film(path: Path, pictures: list[tuple[Picture, float]]) -> Path:
    height, width = pictures[0][0].shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE_HZ, (width, height))
    count = 0
    for picture, seconds in pictures:
        for _ in range(round(seconds * RATE_HZ)):
            noise = np.random.default_rng(count).integers(-3, 4, picture.shape)
            writer.write(np.clip(picture.astype(np.int16) + noise, 0, 255).astype(np.uint8))
            count += 1
    writer.release()
    return path


class _Paced(Film):
    """A film that gives the next frame when the last has been looked at: no computer is too slow for it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, speed="fast")
        self.may_go_on = threading.Semaphore(1)

    def read(self, timeout_s: float) -> Frame | None:
        return super().read(timeout_s) if self.may_go_on.acquire(timeout=timeout_s) else None


class _Looking(TrayEyes):
    """The tray's eyes, which let the film go on."""

    def __init__(self, film: _Paced) -> None:
        super().__init__(read_dice)
        self.film = film

    def look(self, frame: Frame) -> tuple[InTray, ...]:
        told = super().look(frame)
        self.film.may_go_on.release()
        return told


class _Blind:
    """Eyes for the table's film, where only the tray matters."""

    table = MAT_TABLE
    knows_empty_table = False

    def __init__(self) -> None:
        self.frames = 0

    def look(self, frame: Frame) -> Seen:
        self.frames += 1
        table = TableSeen(found=False)
        return Seen(frame, None, Observation(frame.number, frame.time_s, frame.size, table), ())


def test_two_films_side_by_side_the_trays_dice_are_the_rolls(tmp_path: Path) -> None:
    sheet = photograph(draw_sheet(), view_of(size=(640, 480)))
    table = film(tmp_path / "table.avi", [(cv2.cvtColor(noisy(sheet, 0), cv2.COLOR_GRAY2BGR), 8.0)])  # type: ignore[list-item]
    rolls = film(
        tmp_path / "tray.avi",
        [(tray(()), 1.0), (tray((), hand=250), 0.3), (tray(SIX), 2.2), (tray((), hand=250), 0.3), (tray(FOUR), 2.2)],
    )
    eyes = _Blind()
    game = LiveGame(Play(), open_source(str(table)), eyes=eyes)  # type: ignore[arg-type]
    paced = _Paced(rolls)
    game.tray = TrayFeed(paced, game.tell, eyes=_Looking(paced))
    done, said = threading.Event(), list[Signal]()

    def hear(signals: tuple[Signal, ...]) -> None:
        said.extend(s for s in signals if s.kind is SignalKind.ROLL)
        if len(said) == 2:
            done.set()

    game.on_signals.append(hear)
    game.start()
    game.tell(StartGame(setup=PRACTICE))
    try:
        assert done.wait(40), [s.kind for s in game.session.log]
        assert [s.value for s in said] == [6, 4]
        assert all(s.source is inputs.Source.CAMERA for s in said)
        assert game.tray.trouble is None
        assert eyes.frames > 0
    finally:
        game.stop()


def test_the_trays_camera_may_be_changed_or_taken_away_in_the_middle(tmp_path: Path) -> None:
    path = film(tmp_path / "tray.avi", [(tray(()), 1.0)])
    game = LiveGame(Play())
    game.start()
    try:
        game.use_tray(open_source(str(path)))
        assert game.tray is not None
        first = game.tray
        game.use_tray(open_source(str(path)))
        assert game.tray is not first
        game.use_tray(None)
        assert game.tray is None
    finally:
        game.stop()
    assert not [t for t in threading.enumerate() if t.name == "tray"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--camera", "none", "--tray", "missing.mp4"), "missing.mp4"),
        (("--camera", "none", "--tray", "Nonsense cam"), "Nonsense cam"),
        (("--camera", "none", "--table", "corners"), "corners"),
        (("--camera", "none", "--lens", "Nonsense cam"), "was calibrated"),
    ],
)
def test_options_of_play_that_cannot_be_used_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["play", "--no-browser", *arguments])
    assert result.exit_code == 2, result.output
    assert says in result.stderr


def test_the_same_camera_cannot_be_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKREF_HOME", str(tmp_path / "home"))
    path = film(tmp_path / "one.avi", [(tray(()), 0.5)])
    result = CliRunner().invoke(app, ["play", "--no-browser", "--camera", str(path), "--tray", str(path)])
    assert result.exit_code == 2
    assert "camera of its own" in result.stderr


def test_the_page_chooses_a_trays_camera_and_keeps_it(tmp_path: Path) -> None:
    rolls = film(tmp_path / "tray.avi", [(tray(()), 0.5)])
    table = film(tmp_path / "table.avi", [(tray(()), 0.5)])
    game = LiveGame(Play(), open_source(str(table)))
    site = Site(game, tmp_path, Settings(), PageSettings())
    assert site.use_tray(str(rolls)) == ""
    assert game.tray is not None
    assert game.tray.source.name == "tray.avi"
    assert settings.load(tmp_path).settings.camera.tray == str(rolls)
    assert site.use_tray(str(table)) == "The dice tray needs a camera of its own; table.avi is the table's."
    assert game.tray.source.name == "tray.avi"
    with pytest.raises(SourceError):
        site.use_tray(str(tmp_path / "none.avi"))
    assert site.use_tray("none") == ""
    assert game.tray is None
    assert settings.load(tmp_path).settings.camera.tray == ""
