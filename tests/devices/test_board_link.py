"""The link's thread against a board in memory: repeats, resets, unplugging, hanging; the caller never waits."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator

import pytest

from devices import board_dialect, board_link
from devices.board import BoardError, BoardState, BoardStatus, NoBoard, Outbox, Picture
from devices.board_dialect import DeskrefDialect, Met
from devices.board_link import BoardLink, fitted
from devices.board_port import AbsentError, Port
from devices.board_protocol import Command
from tests.devices.fake_board import PATIENCE_S, FakeBoard, FakePort, plain


class Linked:
    """A link with its fake board and everything it told about itself."""

    def __init__(self, board: FakeBoard, *, expected_leds: int = 0) -> None:
        self.board = board
        self.told: list[BoardStatus] = []
        self.dialect = DeskrefDialect()
        self.link = BoardLink(
            board.open, self.dialect, expected_leds=expected_leds, on_status=self._tell, chance=random.Random(1)
        )

    def _tell(self, status: BoardStatus) -> None:
        with self.board.changed:
            self.told.append(status)
            self.board.changed.notify_all()

    def wait_until(self, state: BoardState) -> BoardStatus:
        self.board.wait_for(lambda: self.link.status.state is state)
        return self.link.status

    def wait_until_shown(self, picture: Picture) -> None:
        self.board.wait_for(lambda: bool(self.board.pictures) and self.board.pictures[-1] == picture)


TRUE_WAITS = {
    name: getattr(board_link, name) for name in ("FIRST_WAIT_S", "LONGEST_WAIT_S", "ABSENT_S", "NEVER_SEEN_S")
}
"""As they are outside tests."""


@pytest.fixture(autouse=True)
def quick_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same course in a fraction of the time."""
    monkeypatch.setattr(board_link, "FIRST_WAIT_S", 0.02)
    monkeypatch.setattr(board_link, "LONGEST_WAIT_S", 0.1)
    monkeypatch.setattr(board_link, "ABSENT_S", 0.02)
    monkeypatch.setattr(board_link, "NEVER_SEEN_S", 0.02)
    monkeypatch.setattr(board_dialect, "HELLO_EVERY_S", 0.03)
    monkeypatch.setattr(board_dialect, "HELLO_FOR_S", 0.5)


@pytest.fixture
def linked() -> Iterator[Linked]:
    pair = Linked(FakeBoard())
    pair.link.start()
    yield pair
    pair.link.close()


def test_it_greets_and_says_what_it_found(linked: Linked) -> None:
    status = linked.wait_until(BoardState.READY)
    assert (status.name, status.leds, status.has_sound, status.port) == ("Arduino (deskref-board/1)", 48, True, "fake")
    states = [s.state for s in linked.told]
    assert states[:3] == [BoardState.OPENING, BoardState.GREETING, BoardState.READY]


def test_it_greets_again_while_the_boot_loader_swallows_it() -> None:
    """Opening resets an Arduino: its first one to two seconds hear nothing."""
    board = FakeBoard()
    board.deaf_hellos = 4
    pair = Linked(board)
    pair.link.start()
    assert pair.wait_until(BoardState.READY).connections == 1
    assert board.opened == 1
    pair.link.close()


def test_the_newest_picture_wins(linked: Linked) -> None:
    linked.wait_until(BoardState.READY)
    for i in range(200):
        linked.link.show(plain(i))
    linked.wait_until_shown(plain(199))
    assert len(linked.board.pictures) <= 200


def test_a_picture_shown_before_the_board_is_there_arrives() -> None:
    pair = Linked(FakeBoard())
    pair.link.show(plain(5))
    pair.link.start()
    pair.wait_until_shown(plain(5))
    pair.link.close()


def test_tunes_play_one_after_the_other(linked: Linked) -> None:
    """A tune is sent when the last one has ended: the board would cut it off."""
    linked.wait_until(BoardState.READY)
    began_s = time.monotonic()
    linked.link.play(((880, 100),))
    linked.link.play(((440, 50),))
    linked.board.wait_for(lambda: len(linked.board.tunes) == 2)
    assert time.monotonic() - began_s >= 0.1
    assert linked.board.tunes == [((880, 100),), ((440, 50),)]


def test_pictures_overtake_waiting_tunes(linked: Linked) -> None:
    linked.wait_until(BoardState.READY)
    linked.link.play(((880, 60_000),))
    linked.link.play(((440, 50),))
    linked.board.wait_for(lambda: len(linked.board.tunes) == 1)
    linked.link.show(plain(3))
    linked.wait_until_shown(plain(3))
    assert len(linked.board.tunes) == 1


@pytest.mark.parametrize("fault", ["lost_answers", "refused"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_frame_is_sent_again(linked: Linked, fault: str, times: int) -> None:
    """Up to two answers lost or two frames damaged in a row go unnoticed, and a tune is not played twice."""
    linked.wait_until(BoardState.READY)
    setattr(linked.board, fault, times)
    linked.link.play(((880, 50),))
    linked.board.wait_for(lambda: linked.link.tunes_played == 1)
    assert linked.board.tunes == [((880, 50),)]
    assert linked.dialect.repeats == times
    assert linked.link.status.connections == 1


def test_a_board_that_stops_answering_is_opened_again(linked: Linked) -> None:
    linked.wait_until(BoardState.READY)
    linked.link.show(plain(4))
    linked.wait_until_shown(plain(4))
    linked.board.is_silent = True
    linked.link.show(plain(5))
    status = linked.wait_until(BoardState.LOST)
    assert status.trouble is not None
    assert "stopped answering" in status.trouble.message
    linked.board.is_silent = False
    linked.wait_until_shown(plain(5))
    assert linked.link.status.connections == 2
    linked.board.wait_for(lambda: linked.board.closed >= linked.board.opened - 1)


def test_unplugged_and_plugged_in_the_picture_is_back(linked: Linked) -> None:
    """Also the picture that was given while it was away; sounds of that time are not made up for."""
    linked.wait_until(BoardState.READY)
    linked.link.show(plain(4))
    linked.wait_until_shown(plain(4))
    linked.board.unplug()
    linked.wait_until(BoardState.LOST)
    linked.link.play(((880, 50),))
    linked.link.show(plain(6))
    linked.board.plug()
    linked.wait_until_shown(plain(6))
    assert linked.board.tunes == []


def test_the_picture_in_flight_when_the_plug_is_pulled_is_not_forgotten(linked: Linked) -> None:
    linked.wait_until(BoardState.READY)
    linked.board.is_silent = True
    linked.link.show(plain(9))
    linked.board.unplug()
    linked.wait_until(BoardState.LOST)
    linked.board.is_silent = False
    linked.board.plug()
    linked.wait_until_shown(plain(9))


def test_a_board_that_was_reset_gets_its_picture_again(linked: Linked) -> None:
    linked.wait_until(BoardState.READY)
    linked.link.show(plain(4))
    linked.wait_until_shown(plain(4))
    linked.board.reset()
    linked.board.wait_for(lambda: linked.board.pictures[-2:] == [((0, 0, 0),) * 48, plain(4)])
    assert linked.link.status.connections == 1


def test_garbage_from_the_board_changes_nothing(linked: Linked) -> None:
    linked.wait_until(BoardState.READY)
    linked.board.say(random.Random(2).randbytes(3000))
    linked.link.show(plain(8))
    linked.wait_until_shown(plain(8))


def test_it_pings_an_idle_board() -> None:
    board = FakeBoard()
    pair = Linked(board)
    pair.dialect.beat_s = 0.05  # quicker here
    pair.link.start()
    board.wait_for(lambda: board.commands.count(Command.PING) >= 3)
    pair.link.close()


def test_closing_makes_it_dark(linked: Linked) -> None:
    linked.link.show(plain(4))
    linked.wait_until_shown(plain(4))
    linked.link.close()
    assert linked.board.commands[-1] == Command.OFF
    assert linked.board.pictures[-1] == ((0, 0, 0),) * 48
    assert linked.board.closed == linked.board.opened
    assert linked.link.status.state is BoardState.OFF


@pytest.mark.parametrize(
    ("protocol", "words"), [(0, ("too old", "deskref board flash")), (2, ("newer", "Update deskref"))]
)
def test_a_board_of_another_protocol_gets_advice(protocol: int, words: tuple[str, str]) -> None:
    pair = Linked(FakeBoard(protocol=protocol))
    pair.link.start()
    status = pair.wait_until(BoardState.LOST)
    assert all(word in str(status.trouble) for word in words)
    pair.link.close()


def test_a_board_that_does_not_know_a_command_gets_advice(linked: Linked) -> None:
    linked.wait_until(BoardState.READY)
    linked.board.unknown = {Command.RUNS}
    linked.link.show(plain(1))
    status = linked.wait_until(BoardState.LOST)
    assert "does not know the command RUNS" in str(status.trouble)


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        (b"", "right port"),
        (b"Ada\n", "WLED"),
        (b"MPY: soft reboot\r\nMicroPython v1.27\r\n>>> ", "how to copy it"),
        (b"start\necho:Marlin 2.1", "Marlin"),
    ],
)
def test_a_wrong_device_is_named_by_what_it_says(said: bytes, advice: str) -> None:
    board = FakeBoard()
    board.is_silent = True
    pair = Linked(board)
    pair.link.start()
    board.wait_for(lambda: board.opened == 1)
    board.say(said)
    status = pair.wait_until(BoardState.LOST)
    assert status.trouble is not None
    assert "does not answer" in status.trouble.message
    assert advice in status.trouble.remedy
    pair.link.close()


@pytest.mark.parametrize("expected", [30, 60])
def test_a_strip_of_another_length_is_told_and_used(expected: int) -> None:
    pair = Linked(FakeBoard(leds=48), expected_leds=expected)
    pair.link.start()
    status = pair.wait_until(BoardState.READY)
    assert f"48 LEDs, the settings say {expected}" in str(status.trouble)
    pair.link.show(((1, 1, 1),) * expected)
    pair.wait_until_shown(((1, 1, 1),) * 48)
    pair.link.close()


def test_no_port_is_not_waited_for_long() -> None:
    """The game starts without the board; the link keeps looking."""
    board = FakeBoard()
    board.is_plugged = False
    pair = Linked(board)
    pair.link.start()
    trouble = pair.wait_until(BoardState.LOST).trouble
    assert trouble is not None
    assert trouble.message
    board.plug()
    pair.wait_until(BoardState.READY)
    pair.link.close()


def test_waits_between_attempts_grow_and_end_at_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that is busy is tried at 0.25, 0.5, 1 ... 5 s, never in a tight loop; an absent one each 2 s."""
    for failure, expected in (
        (BoardError("busy"), [0.25, 0.5, 1, 2, 4, 5, 5]),
        (AbsentError("gone"), [2.0] * 7),
    ):

        def fail(failure: Exception = failure) -> tuple[object, str]:
            raise failure

        link = BoardLink(fail, DeskrefDialect(), chance=random.Random(1))  # type: ignore[arg-type]  # never opens
        assert_waits(link, expected, monkeypatch)


def assert_waits(link: BoardLink, expected: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a link fail as often as waits are expected, and compare them; nobody waits."""
    waits: list[float] = []

    def note(wait_s: float) -> bool:
        waits.append(wait_s)
        if len(waits) == len(expected):
            link._stop.set()
        return False

    for name, wait_s in TRUE_WAITS.items():
        monkeypatch.setattr(board_link, name, wait_s)
    monkeypatch.setattr(link._hurry, "wait", note)
    link.start()
    link._thread.join(PATIENCE_S)
    for wait_s, about_s in zip(waits, expected, strict=True):
        assert 0.8 * about_s <= wait_s <= 1.2 * about_s


class BriefDialect(DeskrefDialect):
    """A board that greets and is gone."""

    def greet(self, port: Port, is_stopped: Callable[[], bool]) -> Met:
        return Met(name="brief", leds=8, has_sound=False)

    def hears_reset(self, port: Port) -> bool:
        raise OSError("unplugged")


def test_a_board_that_was_there_is_looked_for_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plugged in again it is back within 1.5 s; and after a connection the waits begin anew."""
    course: list[Exception | None] = [
        BoardError("busy"),
        BoardError("busy"),
        None,
        AbsentError("gone"),
        AbsentError("gone"),
    ]

    def open_port() -> tuple[Port, str]:
        failure = course.pop(0)
        if failure is not None:
            raise failure
        return FakePort(FakeBoard()), "fake"

    link = BoardLink(open_port, BriefDialect(), chance=random.Random(1))
    assert_waits(link, [0.25, 0.5, 0.25, 0.4, 0.4], monkeypatch)
    assert link.status.connections == 1


def test_only_a_board_that_was_there_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """That none is plugged in is no news to somebody who has none."""
    course: list[Exception | None] = [AbsentError("none", is_news=False), None, AbsentError("none", is_news=False)]
    told: list[tuple[int, bool]] = []

    def open_port() -> tuple[Port, str]:
        failure = course.pop(0)
        if failure is not None:
            raise failure
        return FakePort(FakeBoard()), "fake"

    def note(status: BoardStatus) -> None:
        if status.trouble is not None and status.trouble.message == "none":
            told.append((status.connections, status.trouble.is_news))

    link = BoardLink(open_port, BriefDialect(), chance=random.Random(1), on_status=note)
    assert_waits(link, [2.0, 0.25, 0.4], monkeypatch)
    assert told == [(0, False), (1, True)]


class PacedDialect(DeskrefDialect):
    """A board that may be shown only so many pictures a second, and a game that has always another."""

    picture_s = 0.05

    def __init__(self) -> None:
        super().__init__()
        self.shown_s: list[float] = []
        self.link: BoardLink | None = None

    def show(self, port: Port, picture: Picture) -> None:
        self.shown_s.append(time.monotonic())
        if self.link is not None and len(self.shown_s) < 4:
            self.link.show(plain(len(self.shown_s)))
        super().show(port, picture)


def test_pictures_keep_the_pace_that_a_board_can_take() -> None:
    """Pictures without a pause crash WLED."""
    board, dialect = FakeBoard(), PacedDialect()
    link = dialect.link = BoardLink(board.open, dialect, chance=random.Random(1))
    link.show(plain(0))
    link.start()
    board.wait_for(lambda: len(board.pictures) == 4)
    link.close()
    assert all(later - before >= 0.045 for before, later in itertools.pairwise(dialect.shown_s))


@pytest.mark.parametrize("fault", ["hangs", "floods", "silent", "fine"])
def test_the_game_never_waits_for_the_board(linked: Linked, fault: str) -> None:
    """10,000 calls: 99.9 % under 2 ms whatever the board does."""
    linked.wait_until(BoardState.READY)
    linked.board.is_hung = fault == "hangs"
    linked.board.is_silent = fault == "silent"
    if fault == "floods":
        linked.board.say(random.Random(3).randbytes(500_000))
    pictures = [plain(i) for i in range(100)]
    times_s = []
    for i in range(10_000):
        began_s = time.perf_counter()
        linked.link.show(pictures[i % 100])
        if i % 10 == 0:
            linked.link.play(((880, 50),))
        times_s.append(time.perf_counter() - began_s)
    assert sorted(times_s)[9_990] < 0.002


def test_closing_does_not_wait_for_a_hanging_driver(linked: Linked, monkeypatch: pytest.MonkeyPatch) -> None:
    linked.wait_until(BoardState.READY)
    monkeypatch.setattr(board_link, "CLOSE_S", 0.05)
    linked.board.is_hung = True
    linked.link.show(plain(1))
    began_s = time.monotonic()
    linked.link.close()
    assert time.monotonic() - began_s < 5.0
    linked.board.is_hung = False


def test_a_fault_of_the_program_is_survived(linked: Linked, caplog: pytest.LogCaptureFixture) -> None:
    linked.wait_until(BoardState.READY)
    linked.link.show(((1, 2),) * 48)  # type: ignore[arg-type]  # what a bug might give
    linked.wait_until(BoardState.LOST)
    linked.link.show(plain(2))
    linked.wait_until_shown(plain(2))
    assert "the board's thread failed" in caplog.text


def test_fitted_pictures_keep_their_places() -> None:
    red, blue = (9, 0, 0), (0, 0, 9)
    assert fitted((red,) * 24 + (blue,) * 24, 48) == (red,) * 24 + (blue,) * 24
    assert fitted((red,) * 24 + (blue,) * 24, 144) == (red,) * 72 + (blue,) * 72
    assert fitted((red,) * 24 + (blue,) * 24, 10) == (red,) * 5 + (blue,) * 5
    assert fitted((red, plain(1, 1)[0], blue), 2) == (red, blue)  # by the middle of each LED, not its beginning
    assert fitted((), 10) == ()


def test_the_oldest_tune_is_dropped_where_too_many_wait() -> None:
    outbox = Outbox()
    for hz in range(100, 120):
        outbox.play(((hz, 10),))
    found = []
    while (tune := outbox.take_tune()) is not None:
        found.append(tune[0][0])
    assert found == list(range(112, 120))


def test_no_board_does_nothing_whatever_it_is_told() -> None:
    nothing = NoBoard()
    nothing.start()
    nothing.show(plain(1, 24))
    nothing.play(((880, 50),))
    nothing.look_now()
    nothing.close()
    assert nothing.status == BoardStatus(state=BoardState.OFF)


class FailingPort(FakePort):
    """A port whose plug is pulled at its n-th operation."""

    def __init__(self, board: FakeBoard, operations: Countdown) -> None:
        super().__init__(board)
        self._operations = operations

    @property
    def in_waiting(self) -> int:
        self._operations.count(self._board)
        return super().in_waiting

    def read(self, size: int = 1) -> bytes:
        self._operations.count(self._board)
        return super().read(size)

    def write(self, data: bytes, /) -> int | None:
        self._operations.count(self._board)
        return super().write(data)


class Countdown:
    """Pulls the plug after so many operations, once."""

    def __init__(self, left: int) -> None:
        self.left = left

    def count(self, board: FakeBoard) -> None:
        self.left -= 1
        if self.left == 0:
            board.unplug()


@pytest.mark.parametrize("at", range(1, 31))
def test_unplugged_at_every_moment_the_picture_comes_back(at: int) -> None:
    """While greeting, between frame and answer, during a tune, a beat: the newest picture is there after the replug."""
    board = FakeBoard()
    operations = Countdown(at)

    def opener() -> tuple[Port, str]:
        _, name = board.open()
        return FailingPort(board, operations), name

    link = BoardLink(opener, DeskrefDialect(), chance=random.Random(at))
    link.start()
    try:
        link.show(plain(1))
        for level in range(2, 8):
            if not board.is_plugged:
                break
            link.play(((880, 5),))
            link.show(plain(level))
        board.wait_for(lambda: not board.is_plugged)  # an idle link looks at the port ten times a second
        link.show(plain(9))
        board.plug()
        board.wait_for(lambda: bool(board.pictures) and board.pictures[-1] == plain(9))
        assert board.opened == 2
    finally:
        link.close()
    assert board.closed == board.opened
