"""A slot between two threads that holds only the newest value."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class Latest(Generic[T]):
    """Hand the newest value from one thread to another; a value that nobody took in time is replaced.

    One producer calls `put`, one consumer `take`. A second consumer gets its own slot.
    """

    def __init__(self, *, wait_s: float = 0.0) -> None:
        """Begin empty.

        Args:
            wait_s: how long `put` waits until the value before was taken; 0 replaces it at once.
        """
        self._wait_s = wait_s
        self._changed = threading.Condition()
        self._value: T | None = None
        self._is_new = False
        self._is_closed = False
        self._replaced = 0

    def put(self, value: T) -> None:
        """Store the value and wake the consumer; blocks for `wait_s` at most. After `close` the value is ignored."""
        with self._changed:
            if self._wait_s:
                self._changed.wait_for(lambda: not self._is_new or self._is_closed, self._wait_s)
            if self._is_closed:
                return
            if self._is_new:
                self._replaced += 1
            self._value = value
            self._is_new = True
            self._changed.notify_all()

    def take(self, timeout_s: float) -> T | None:
        """Wait for a value that was not taken yet.

        Returns:
            The newest value, or None after `timeout_s` seconds without one, or at once when closed and empty.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_new or self._is_closed, timeout_s)
            if not self._is_new:
                return None
            self._is_new = False
            if self._wait_s:
                self._changed.notify_all()
            return self._value

    def clear(self) -> None:
        """Forget the value, so that nothing old is taken later."""
        with self._changed:
            self._value = None
            self._is_new = False

    def close(self) -> None:
        """Wake the consumer for good: what lies in the slot can still be taken, then `take` returns None at once."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        with self._changed:
            return self._is_closed

    @property
    def replaced(self) -> int:
        """How many values were replaced before they were taken."""
        with self._changed:
            return self._replaced
