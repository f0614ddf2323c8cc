"""From settings to a board: whose port is opened, what is asked first, and the same device under another name."""

from __future__ import annotations

import queue
import random
import time

import pytest

from devices import board_dialect, board_wled
from devices.board import BoardError, BoardStatus, NoBoard
from devices.board_choice import AnyDialect, BoardChoice, Finder, make_board
from devices.board_dialect import DeskrefDialect
from devices.board_link import NEVER_SEEN_S, BoardLink
from devices.board_list import Chance, Consents, PortFound, PortIdentity
from devices.board_port import AbsentError, Port
from tests.devices.fake_board import PATIENCE_S, FakeBoard, FakePort, plain
from tests.devices.test_board_wled import FakeWled

UNO = PortFound(
    path="/dev/ttyACM0", name="Arduino Uno", chance=Chance.KNOWN, identity=PortIdentity(vid=1, pid=2, serial="a")
)
CHIP = PortFound(path="/dev/ttyUSB0", name="CH340", chance=Chance.ASK, identity=PortIdentity(vid=3, pid=4, place="1-1"))
PLAIN = PortFound(path="/dev/ttyS0", name="ttyS0", chance=Chance.NO)


class Ports:
    """A computer's ports; `opened` remembers which were touched."""

    def __init__(self, *found: PortFound) -> None:
        self.found = found
        self.busy: set[str] = set()
        self.opened: list[str] = []

    def finder(self, wanted: str = "", consents: Consents | None = None) -> Finder:
        return Finder(wanted, consents or Consents(None), ports=lambda: self.found, opener=self.open)

    def open(self, path: str) -> Port:
        self.opened.append(path)
        if path in self.busy:
            raise BoardError(f"{path} is open in another program.")
        return FakePort(FakeBoard())


def test_a_known_board_is_opened_unasked() -> None:
    ports = Ports(UNO, CHIP, PLAIN)
    assert ports.finder()()[1] == "/dev/ttyACM0"
    assert ports.opened == ["/dev/ttyACM0"]


def test_an_unknown_chip_is_asked_about_and_not_touched() -> None:
    ports = Ports(CHIP, PLAIN)
    with pytest.raises(AbsentError, match=r"CH340 at /dev/ttyUSB0 may be.*board test --port /dev/ttyUSB0"):
        ports.finder()()
    assert ports.opened == []


@pytest.mark.parametrize(("agreed", "opened"), [(True, ["/dev/ttyUSB0"]), (False, [])])
def test_the_players_word_decides(agreed: bool, opened: list[str]) -> None:
    ports = Ports(CHIP, PLAIN)
    consents = Consents(None)
    consents.remember(CHIP, agreed=agreed)
    find = ports.finder(consents=consents)
    if agreed:
        find()
    else:
        with pytest.raises(AbsentError, match="No board is plugged in"):
            find()
    assert ports.opened == opened


def test_a_named_port_is_opened_whatever_it_is() -> None:
    for path in ("/dev/ttyUSB0", "/dev/ttyS0", "/dev/elsewhere", "socket://127.0.0.1:9"):
        ports = Ports(UNO, CHIP, PLAIN)
        assert ports.finder(path)()[1] == path
        assert ports.opened == [path]


def test_the_same_device_is_found_under_another_name() -> None:
    """ttyUSB0 is ttyUSB1 after a replug, or COM3 becomes COM7."""
    ports = Ports(CHIP)
    find = ports.finder("/dev/ttyUSB0")
    find()
    find.keep()
    ports.found = (
        PortFound(path="/dev/ttyUSB0", name="another", chance=Chance.ASK, identity=PortIdentity(vid=9, pid=9)),
        PortFound(path="/dev/ttyUSB1", name="CH340", chance=Chance.ASK, identity=CHIP.identity),
    )
    assert find()[1] == "/dev/ttyUSB1"


def test_where_one_board_is_busy_the_next_is_taken() -> None:
    other = PortFound(path="/dev/ttyACM1", name="Pico", chance=Chance.KNOWN, identity=PortIdentity(vid=5, pid=6))
    ports = Ports(UNO, other)
    ports.busy = {"/dev/ttyACM0"}
    assert ports.finder()()[1] == "/dev/ttyACM1"
    ports.busy = {"/dev/ttyACM0", "/dev/ttyACM1"}
    with pytest.raises(BoardError, match="ttyACM0 is open in another"):
        ports.finder()()


def test_none_is_no_board() -> None:
    assert isinstance(make_board(BoardChoice(kind="none"), Consents(None)), NoBoard)


def test_wled_in_the_network_needs_its_address() -> None:
    with pytest.raises(ValueError, match=r"wled-udp.*192\.168"):
        make_board(BoardChoice(kind="wled-udp"), Consents(None))


@pytest.mark.parametrize("kind", ["auto", "deskref"])
def test_a_board_of_ours_is_found_by_its_greeting(kind: str) -> None:
    fake = FakeBoard()
    board = make_board(
        BoardChoice(kind=kind, port="/dev/fake"),  # type: ignore[arg-type]  # from the parameters
        Consents(None),
        opener=lambda _: FakePort(fake),
    )
    assert isinstance(board, BoardLink)
    board.start()
    board.show(plain(3))
    fake.wait_for(lambda: bool(fake.pictures))
    board.close()
    assert fake.pictures[0] == plain(3)


def test_what_is_not_ours_is_asked_whether_it_is_wled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_dialect, "HELLO_FOR_S", 0.1)
    wled = FakeWled()
    dialect = AnyDialect()
    met = dialect.greet(wled, lambda: False)
    assert met.name == "WLED 2506160"
    assert (dialect.beat_s, dialect.picture_s) == (2.0, 0.1)
    dialect.show(wled, plain(1))
    assert wled.pictures[-1] == plain(1)
    dialect.beat(wled)
    dialect.play(wled, ((880, 50),))
    dialect.leave(wled)
    assert not wled.is_on
    assert not dialect.hears_reset(wled)


def test_what_answers_to_neither_gets_the_first_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_dialect, "HELLO_FOR_S", 0.05)
    monkeypatch.setattr(board_wled, "VERSION_FOR_S", 0.05)
    board = FakeBoard()
    board.is_silent = True
    with pytest.raises(BoardError, match="The board does not answer"):
        AnyDialect().greet(FakePort(board), lambda: False)
    wled = FakeWled(is_deaf=True)
    wled.say(b"Ada\n")
    with pytest.raises(BoardError, match="looks like WLED"):
        AnyDialect().greet(wled, lambda: False)


def test_an_unknown_chip_is_named_so_that_the_page_can_ask() -> None:
    with pytest.raises(AbsentError) as asked:
        Ports(CHIP).finder()()
    assert asked.value.trouble.asks == CHIP


def test_an_uno_that_does_something_else_does_not_hide_the_board() -> None:
    """Whoever does not answer is passed over in the next round, and unknown chips are asked about in between."""
    ports = Ports(UNO, CHIP)
    find = ports.finder()
    assert find()[1] == UNO.path
    with pytest.raises(AbsentError, match="CH340"):
        find()
    assert find()[1] == UNO.path
    consents = Consents(None)
    consents.remember(CHIP, agreed=True)
    find = ports.finder(consents=consents)
    assert [find()[1] for _ in range(4)] == [UNO.path, CHIP.path, UNO.path, CHIP.path]


def test_a_board_that_answered_is_stayed_with() -> None:
    consents = Consents(None)
    consents.remember(CHIP, agreed=True)
    find = Ports(UNO, CHIP).finder(consents=consents)
    assert (find()[1], find()[1]) == (UNO.path, CHIP.path)
    find.keep()
    assert [find()[1] for _ in range(3)] == [CHIP.path] * 3


def test_the_players_yes_is_acted_upon_at_once() -> None:
    """The link waits two seconds between looks; an answer on the page ends that."""
    fake = FakeBoard()
    consents = Consents(None)
    asked: queue.Queue[BoardStatus] = queue.Queue()
    find = Finder("", consents, ports=lambda: (CHIP,), opener=lambda _: FakePort(fake))
    link = BoardLink(find, DeskrefDialect(), on_status=asked.put, on_met=find.keep, chance=random.Random(1))
    link.start()
    try:
        while (status := asked.get(timeout=PATIENCE_S)).trouble is None:
            pass
        assert status.trouble.asks == CHIP
        assert fake.opened == 0
        began_s = time.monotonic()
        consents.remember(CHIP, agreed=True)
        link.look_now()
        while not asked.get(timeout=PATIENCE_S).is_ready:
            pass
        assert time.monotonic() - began_s < NEVER_SEEN_S / 2
    finally:
        link.close()
