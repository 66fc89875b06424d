"""The link to the terminal: how much may be on its way at once.

A terminal answers the question that follows a frame when it has drawn the frame. So the answers tell how many bytes are
still on their way, and how long they take. On a slow link bytes queue up, and a key's effect waits behind them. The
window of bytes under way grows while answers are prompt, and shrinks when they are late: congestion control by delay,
as in TCP Vegas (Brakmo and Peterson, 1995) and LEDBAT (RFC 6817).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import NamedTuple

LEAST = 1_200  # bytes of the smallest window: one slice
FIRST = 16_000  # bytes until the first answer
WIDE = 1 << 20  # bytes of the largest window
LATE, PROMPT = 0.1, 0.05  # seconds of queueing: above the first the window shrinks, below the second it grows
MEMORY = 60.0  # seconds: the least round trip of this and of the last such period counts, as links change
UNKNOWN, LOST = 1.0, 10.0  # seconds to wait for an answer: of a terminal that never answered, and of one that did


class Question(NamedTuple):
    """A question that was sent."""

    at: float
    sent: int  # bytes by then
    under_way: int  # bytes


class Link:
    """Counts what is under way. All times are in seconds, all sizes in bytes."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._asked: deque[Question] = deque()  # not answered yet, the oldest first
        self._sent = self._arrived = 0
        self._window = FIRST
        self._silent = False  # the terminal has not answered for too long
        self._answers = False  # it did at least once
        self._least = self._least_before = inf  # round trips: of this period, of the last one
        self._period = clock()  # its start
        self._shrunk = -inf  # when the window last shrank

    @property
    def slow(self) -> bool:
        """Whether frames have to be cut into slices."""
        return self._answers and self._window < FIRST

    @property
    def under_way(self) -> int:
        """How many bytes have not arrived, as far as is known."""
        return self._sent - self._arrived

    @property
    def round_trip(self) -> float:
        """The least time of late from a question to its answer."""
        return min(self._least, self._least_before)

    def room(self, urgent: bool = False) -> float:
        """Return how many bytes may be sent now; `inf` if the terminal does not answer. What is `urgent` may exceed the
        window once.
        """
        self._give_up()
        if self._silent:
            return inf
        room = self._window - self.under_way
        if urgent and room < LEAST:
            room += self._window
        return min(room, LEAST) if self.slow else room

    def wait(self) -> float | None:
        """Return after how many seconds the oldest question counts as lost; None if none is open."""
        if not self._asked:
            return None
        return max(0.0, self._asked[0].at + (LOST if self._answers else UNKNOWN) - self._clock())

    def sent(self, size: int) -> None:
        """Count a frame that is followed by a question."""
        self._sent += size
        self._asked.append(Question(self._clock(), self._sent, self.under_way))

    def answered(self, at: float) -> None:
        """Count the answer to the oldest question, heard at this time."""
        if not self._asked:
            return  # late, or twice
        question = self._asked.popleft()
        self._arrived, self._answers, self._silent = question.sent, True, False
        if at - self._period > MEMORY:
            self._least, self._least_before, self._period = inf, self._least, at
        self._least = min(self._least, at - question.at)
        queued = at - question.at - self.round_trip
        if queued > LATE:
            if question.at >= self._shrunk:  # else it was asked before the window shrank
                self._window, self._shrunk = max(LEAST, self._window // 2), at
        elif queued * self._window < PROMPT * question.under_way:  # a full window would be prompt, too
            self._window = min(WIDE, self._window + (LEAST if self._window < FIRST else self._window))

    def _give_up(self) -> None:
        if self.wait() == 0.0:
            self._asked.clear()
            self._arrived, self._silent = self._sent, not self._answers
            if self._answers:
                self._window = LEAST
