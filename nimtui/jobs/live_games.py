"""What the workers are playing right now, for whoever watches: it costs them next to nothing.

Workers of this machine share some memory with the process that started them. Each writes the game it is playing into
a place of its own, a few times a second; nobody waits for anybody. What is read while it is being written is told by
its checksum. The memory has no name in any folder: it is gone with the last process that has it, however that ends.
"""

from __future__ import annotations

import multiprocessing
from array import array
from collections.abc import Sequence
from ctypes import c_char
from time import monotonic
from typing import Any, NamedTuple
from zlib import crc32

from nimtui.jobs.processes import start_tracker

RATE = 20.0  # times a second that a worker writes, on average
BURST = 3.0  # so often without waiting, so that a quick reply after a long thought is seen
LONGEST = 500  # moves of a game that are shown; a longer one is shown by its first
HEAD = 4  # numbers before the moves: checksum, pairing, game, how many moves
PLACES = 2  # for each worker: one that died has left its own


class LiveGame(NamedTuple):
    """A game that is going on now."""

    pairing: int  # its place in the plan
    number: int  # of the game in its pairing
    moves: tuple[int, ...]  # made so far, the opening's first


class Slot:
    """Room for one game, in memory that two processes may share: one writes, any may read."""

    SIZE = 8 * (HEAD + LONGEST)

    def __init__(self, memory: memoryview) -> None:
        """`SIZE` bytes, all 0 where nothing was written yet."""
        self._memory = memory.cast("B")
        self._allowed = BURST
        self._asked = -1.0e9

    def show(self, pairing: int, number: int, moves: Sequence[int]) -> None:
        """This is how far a game has come. Most calls do nothing: they come too soon after another."""
        now = monotonic()
        self._allowed = min(BURST, self._allowed + (now - self._asked) * RATE)
        self._asked = now
        if self._allowed >= 1.0:
            self._allowed -= 1.0
            self._write(pairing, number, min(len(moves), LONGEST), *moves[:LONGEST])

    def clear(self) -> None:
        """No game is going on."""
        self._write(0, 0, -1)

    def seen(self) -> LiveGame | None:
        """The game that was written last; None where there is none, or it is being written right now."""
        copy = array("q", self._memory.tobytes())
        check, pairing, number, count = copy[:HEAD]
        if not 0 <= count <= LONGEST or check != crc32(copy[1 : HEAD + count].tobytes()):
            return None
        return LiveGame(pairing, number, tuple(copy[HEAD : HEAD + count]))

    def _write(self, *numbers: int) -> None:
        text = array("q", numbers).tobytes()
        self._memory[8 : 8 + len(text)] = text
        self._memory[:8] = array("q", (crc32(text),)).tobytes()


class Window:
    """The slots of some workers, made by the process that starts them."""

    def __init__(self, workers: int) -> None:
        start_tracker()  # what is shared needs it, too
        context = multiprocessing.get_context("spawn")
        slots = PLACES * workers
        self._memory = context.RawArray(c_char, slots * Slot.SIZE)
        self._taken = context.Value("q", 0)
        self._slots = _slots(self._memory)

    def start(self) -> tuple[Any, Any]:
        """What `take` needs in a new process."""
        return self._memory, self._taken

    def playing(self) -> list[LiveGame]:
        """The games going on, each once; one whose worker died is among them until that slot is used again."""
        found: dict[tuple[int, int], LiveGame] = {}
        for slot in self._slots:
            game = slot.seen()
            if game is not None and len(game.moves) >= len(found.get(game[:2], game).moves):
                found[game[:2]] = game
        return sorted(found.values())


def _slots(memory: Any) -> list[Slot]:
    whole = memoryview(memory).cast("B")
    return [Slot(whole[first : first + Slot.SIZE]) for first in range(0, len(whole), Slot.SIZE)]


_own: Slot | None = None  # of this process, where it is a worker


def take(memory: Any, taken: Any) -> None:
    """The first thing a new worker does: from now on `own` is a slot that no other living worker has."""
    global _own
    slots = _slots(memory)
    with taken.get_lock():
        number = taken.value
        taken.value += 1
    _own = slots[number % len(slots)]


def own() -> Slot | None:
    """Where this process may show what it plays; None where nobody of this machine looks on."""
    return _own
