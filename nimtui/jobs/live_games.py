"""Show what the workers are playing right now, at almost no cost to them.

Workers of this machine share some memory with the process that started them. Each writes its present game into a place
of its own, a few times a second; nothing waits. A checksum reveals a game read while it was written. The memory has no
name in any folder: it is gone with the last process that has it, however that process ends.
"""

from __future__ import annotations

import multiprocessing
from array import array
from collections.abc import Iterable, Sequence
from ctypes import c_char
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from nimtui.jobs.processes import start_tracker
from nimtui.report.values import Seconds

if TYPE_CHECKING:
    from nimtui.arena.play.plan import Plan

RATE = 20.0  # writes per second of a worker, on average
BURST = 3.0  # writes without waiting, so that a quick reply after a long thought is seen
LONGEST = 500  # moves shown of a game; of a longer one the first
HEAD = 4  # numbers before the moves: checksum, pairing, game, number of moves
PLACES = 2  # per worker: a dead one leaves its own behind
STUCK = 2.0  # seconds after which a move is shown as long


class LiveGame(NamedTuple):
    """A game in progress."""

    pairing: int  # its place in the plan
    number: int  # of the game in its pairing
    moves: tuple[int, ...]  # made so far, the opening's first


class Waits:
    """Since when the games in progress stand as they do."""

    def __init__(self) -> None:
        self._since: dict[LiveGame, float] = {}

    def look(self, playing: Iterable[LiveGame]) -> None:
        """Take what is being played now."""
        self._since = {game: self._since.get(game, monotonic()) for game in playing}

    def stuck(self, plan: Plan) -> str:
        """Name the agent whose move takes longest, once it takes STUCK seconds: 'anna.py thinks for 7 s: game 3 …'."""
        from nimtui.arena.play.entrants import labels

        if not self._since:
            return ""
        game, since = min(self._since.items(), key=lambda item: item[1])
        seconds = monotonic() - since
        if seconds < STUCK:
            return ""
        names, pairing = labels(plan.agents), plan.pairings[game.pairing]
        seat = (len(game.moves) - plan.openings.plies) % 2
        mover = seat ^ plan.opener(game.number)
        two = names[pairing[1 + mover]], names[pairing[2 - mover]]
        return f"{two[0]} thinks for {Seconds(int(seconds))}: game {game.number + 1:,} against {two[1]}"


class Slot:
    """Room for one game, in memory that two processes may share: one writes, any may read."""

    SIZE = 8 * (HEAD + LONGEST)

    def __init__(self, memory: memoryview) -> None:
        """Use `memory`: `SIZE` bytes, all 0 before the first write."""
        self._memory = memory.cast("B")
        self._allowed = BURST
        self._asked = -1.0e9

    def show(self, pairing: int, number: int, moves: Sequence[int]) -> None:
        """Publish a game in progress. Most calls do nothing: they come too soon after another."""
        now = monotonic()
        self._allowed = min(BURST, self._allowed + (now - self._asked) * RATE)
        self._asked = now
        if self._allowed >= 1.0:
            self._allowed -= 1.0
            self._write(pairing, number, min(len(moves), LONGEST), *moves[:LONGEST])

    def clear(self) -> None:
        """Publish that no game is in progress."""
        self._write(0, 0, -1)

    def seen(self) -> LiveGame | None:
        """Return the game written last; None without one, or while it is being written."""
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
        start_tracker()  # shared memory needs it, too
        context = multiprocessing.get_context("spawn")
        slots = PLACES * workers
        memory = context.RawArray(c_char, slots * Slot.SIZE)
        self.shared = memory, context.Value("q", 0)  # what `take` needs in a new process
        self._slots = _slots(memory)

    def playing(self) -> list[LiveGame]:
        """Return the games in progress, each once; a dead worker's game stays until its slot is used again."""
        games: dict[tuple[int, int], LiveGame] = {}
        for slot in self._slots:
            game = slot.seen()
            if game is not None and len(game.moves) >= len(games.get(game[:2], game).moves):
                games[game[:2]] = game
        return sorted(games.values())


def _slots(memory: Any) -> list[Slot]:
    whole = memoryview(memory).cast("B")
    return [Slot(whole[first : first + Slot.SIZE]) for first in range(0, len(whole), Slot.SIZE)]


own: Slot | None = None  # the slot of this process, if it is a worker, and one of this machine watches


def take(memory: Any, taken: Any) -> None:
    """Take a slot that no other living worker has: the first action of a new worker."""
    global own
    slots = _slots(memory)
    with taken.get_lock():
        number = taken.value
        taken.value += 1
    own = slots[number % len(slots)]
