"""The slot in which only the newest value counts."""

from __future__ import annotations

import threading

from devices.latest import Latest


def test_only_the_newest_value_is_taken() -> None:
    slot: Latest[int] = Latest()
    for value in (1, 2, 3):
        slot.put(value)
    assert slot.take(0) == 3
    assert slot.replaced == 2


def test_a_value_is_taken_once() -> None:
    slot: Latest[str] = Latest()
    slot.put("a")
    assert slot.take(0) == "a"
    assert slot.take(0) is None


def test_a_taken_value_that_is_followed_does_not_count_as_replaced() -> None:
    slot: Latest[int] = Latest()
    slot.put(1)
    slot.take(0)
    slot.put(2)
    assert slot.replaced == 0


def test_a_waiting_consumer_is_woken_by_a_value() -> None:
    slot: Latest[int] = Latest()
    taken: list[int | None] = []
    consumer = threading.Thread(target=lambda: taken.append(slot.take(10)))
    consumer.start()
    slot.put(5)
    consumer.join(10)
    assert taken == [5]


def test_a_waiting_consumer_is_woken_by_closing() -> None:
    slot: Latest[int] = Latest()
    taken: list[int | None] = []
    consumer = threading.Thread(target=lambda: taken.append(slot.take(60)))
    consumer.start()
    slot.close()
    consumer.join(10)
    assert not consumer.is_alive()
    assert taken == [None]


def test_what_lies_there_at_closing_can_still_be_taken_and_nothing_later() -> None:
    slot: Latest[int] = Latest()
    slot.put(1)
    slot.close()
    slot.put(2)
    assert slot.is_closed
    assert slot.take(0) == 1
    assert slot.take(60) is None


def test_a_cleared_value_is_never_taken() -> None:
    """A camera that was lost must not leave an old picture for a ruling."""
    slot: Latest[int] = Latest()
    slot.put(1)
    slot.clear()
    assert slot.take(0) is None


def test_a_value_may_be_none_like_or_false() -> None:
    slot: Latest[int] = Latest()
    slot.put(0)
    assert slot.take(0) == 0


def test_a_patient_slot_waits_until_its_value_was_taken() -> None:
    slot: Latest[int] = Latest(wait_s=10.0)
    slot.put(1)
    taken: list[int | None] = []
    putting = threading.Thread(target=lambda: slot.put(2), daemon=True)
    putting.start()
    taken += [slot.take(5.0), slot.take(5.0)]
    putting.join(5.0)
    assert taken == [1, 2]
    assert slot.replaced == 0
