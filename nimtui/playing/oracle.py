"""An oracle: answers requests for exact values, a line of JSON each, several at once.

What takes long goes to threads: who asks for less overtakes. An answer has the `id` of its request.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from queue import PriorityQueue
from threading import Thread
from typing import Any

from nimtui import theory
from nimtui.errors import InputError, shortened, unknown
from nimtui.foreign import values
from nimtui.foreign.reading import WrongDocument, parse_object
from nimtui.games import base, parse_game
from nimtui.games.connect import Connect
from nimtui.games.rule_text import Place
from nimtui.process.plugins import RAISED
from nimtui.progress import Cancelled, Progress
from nimtui.report.document import text as as_json
from nimtui.store import guard
from nimtui.theory import connect
from nimtui.theory.answers import Until
from nimtui.theory.report import everything

KEYS = ("id", "game", "position", "moves")
LONGEST_REQUEST = 100_000  # bytes
MOST_WAITING = 10_000  # requests that wait for a thread; then `ask` waits, too
AT_ONCE, LAST = -1, 1 << 30  # costs: of what needs no thread, and more than that of any request

known_game = lru_cache(maxsize=256)(parse_game)


class Oracle(Progress):
    """Answers requests by `write`, a line each, as soon as each answer is there.

    `seconds` limits the work for one request [0: no limit]. Requests run in so many threads. It is their progress, too:
    once stopped, it ends their work.
    """

    def __init__(self, write: Callable[[str], object], seconds: float = 0, threads: int = 1) -> None:
        self._write, self._seconds = write, seconds
        self._waiting: PriorityQueue[tuple[int, int, Any, Place | None]] = PriorityQueue(MOST_WAITING)
        self._number = count()
        self.stopped = False
        self._threads = [Thread(target=self._work, name="oracle", daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def ask(self, line: bytes) -> None:
        """Take a request. Whatever its line holds, it gets one line as an answer."""
        identity: Any = None
        try:
            if len(line) > LONGEST_REQUEST:
                raise InputError(f"the line is too long: at most {LONGEST_REQUEST:,} bytes")
            try:
                request = parse_object(line)
            except WrongDocument as fault:
                raise InputError(f"a line must be an object as JSON, such as {EXAMPLE}: {fault}") from None
            identity = request.get("id")
            place = place_of(request)
            cost = _cost(place)
        except RAISED as fault:
            self._say({"id": identity, "error": _words(fault)})
            return
        if cost == AT_ONCE:
            self._answer(identity, place)
        else:
            self._waiting.put((cost, next(self._number), identity, place))

    def finish(self) -> None:
        """Wait until all requests are answered."""
        for _ in self._threads:
            self._waiting.put((LAST, next(self._number), None, None))
        for thread in self._threads:
            thread.join()

    def stop(self) -> None:
        """Let the threads give up their work soon."""
        self.stopped = True

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.stopped:
            raise Cancelled("serve")

    def _work(self) -> None:
        while True:
            *_, identity, place = self._waiting.get()
            if place is None:
                return
            if not self.stopped:
                self._answer(identity, place)

    def _answer(self, identity: Any, place: Place) -> None:
        try:
            keys = everything(place, Until(self, self._seconds) if self._seconds else self)
        except Cancelled:
            return
        except RAISED as fault:
            keys = {"error": _words(fault)}
        self._say({"id": identity, **keys})

    def _say(self, keys: dict[str, Any]) -> None:
        try:
            self._write(as_json(keys))
        except OSError:  # its reader has left
            self.stop()


def _words(fault: BaseException) -> str:
    """Return what is wrong with a request. A bug, or rules of an own game that raise, has a report: others go on."""
    if isinstance(fault, InputError):
        return str(fault)
    return ". ".join(guard.report_lines(fault, "in a request", guard.write_report(fault, {})))


EXAMPLE = '{"id": 1, "game": "nim:3,4,5", "position": "1,4,5"}'


def place_of(request: dict[str, Any]) -> Place:
    """Return the position of a request: a game, a position [default: the start] and moves from there [default: none].

    Raises InputError.
    """
    for key in request:
        if key not in KEYS:
            raise unknown("key", key, KEYS)
    name, position, moves = request.get("game"), request.get("position"), request.get("moves", [])
    if not isinstance(name, str):
        raise InputError(f"a request needs a game, such as {EXAMPLE}")
    if position is not None and not isinstance(position, str):
        raise InputError(f"position must be a text, not {shortened(json.dumps(position))}")
    if not values.are_texts(moves):
        raise InputError(f"moves must be a list of texts, not {shortened(json.dumps(moves))}")
    game = known_game(name)
    state = game.new(position)
    for move in moves:
        base.play(state, game.parse_move(move, state))
    return Place(game, state, game.position_name(state) if moves else position)


def _cost(place: Place) -> int:
    """Return how long an answer takes, to order requests by. Raises Unsolvable where that is clear at once."""
    game, state, _ = place
    if theory.is_instant(game, state):
        return AT_ONCE
    return connect.empty_cells(state) if isinstance(state, Connect) else 0
