"""nimtui answers other programs: as an oracle, and as an engine for other judges.

An `Oracle` answers requests for exact values, a line of JSON each, several at once. What takes long goes to threads:
who asks for less overtakes. An answer has the `id` of its request.

An `Engine` is the side of the Universal Game Interface (UGI) that is asked. The text of the interface has no word for
the game, so that is the option `Game`. Positions and moves are those of nimtui. The engine searches in a thread: it
hears `isready`, `stop` and `quit` meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count
from math import inf
from queue import PriorityQueue
from threading import Event, Thread
from time import perf_counter
from typing import Any

from nimtui import theory
from nimtui.agents import Agent, parse_agent
from nimtui.agents.agent import StopsItself, Thinking
from nimtui.agents.searching import Searching
from nimtui.agents.ugi import player_of
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED, LONGEST, WIN
from nimtui.errors import InputError, invalid, shortened, unknown, whole_number
from nimtui.foreign import values
from nimtui.foreign.reading import WrongDocument, parse_object
from nimtui.games import base, parse_game
from nimtui.games.connect import Connect
from nimtui.games.rule_text import Place
from nimtui.process.plugins import RAISED
from nimtui.progress import Cancelled, Progress, TimeUp
from nimtui.report.document import text as as_json
from nimtui.signs import visible
from nimtui.store import guard
from nimtui.theory import connect
from nimtui.theory.answers import Until
from nimtui.theory.report import everything
from nimtui.trees.depth_first import BEST_LINE, FOR_THE_LINE
from nimtui.version import __version__

KEYS = ("id", "game", "position", "moves")
LONGEST_REQUEST = 100_000  # bytes
MOST_WAITING = 10_000  # requests that wait for a thread; then `ask` waits, too
LAST = inf  # more than the cost of any request

known_game = lru_cache(maxsize=256)(parse_game)


class Oracle(Progress):
    """Answers requests by `write`, a line each, as soon as each answer is there.

    `seconds` limits the work for one request [0: no limit]. Requests run in so many threads. It is their progress, too:
    once stopped, it ends their work.
    """

    def __init__(self, write: Callable[[str], object], seconds: float, threads: int) -> None:
        self._write, self._seconds = write, seconds
        self._waiting: PriorityQueue[tuple[float, int, Any, Place | None]] = PriorityQueue(MOST_WAITING)
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
        if cost is None:
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


def _cost(place: Place) -> int | None:
    """Return how long an answer takes, to order requests by; None: it needs no thread.

    Raises Unsolvable where that is clear at once.
    """
    game, state, _ = place
    if theory.is_instant(game, state):
        return None
    return connect.empty_cells(state) if isinstance(state, Connect) else 0


GAME, AGENT, SEED = "Game", "Agent", "Seed"
CLOCK = ("p1time", "p2time", "p1inc", "p2inc")
LIMITS = ("movetime", "depth", "nodes")
WAYS = (*LIMITS, "infinite")  # to say how long to search, beside the clock
LARGEST = 10**12  # of a number of milliseconds, plies or nodes
DEFAULTS = {GAME: "tower:16", AGENT: "alphabeta:depth=-1,order=killer,table=yes,deepening=yes", SEED: "0"}
LONGEST_LINE = 1 << 20  # bytes: a position and many moves
LARGEST_SEED = (1 << 31) - 1
NO_MOVE = "(none)"
A_WIN = 100  # centipoints of an expected result of 1
OF_A_MOVE, OVERHEAD = 0.95, 0.01  # share of the time of a move, and seconds for the pipe
OF_A_GAME, OF_AN_INCREMENT = 0.05, 0.8  # shares of the clock for one move
LEAST_FOR_THE_LINE = 0.05  # seconds
TELLING = 0.2  # seconds between two lines of what a search believes
RESULTS = {base.WON: ("p2win", "p1win"), base.LOST: ("p1win", "p2win"), base.DRAW: ("draw", "draw")}  # by who moves
PACE = 1e6 / 0.4  # more nodes a second than any search has, by the longest chunk: see `Pace`


class Engine:
    """Hears lines of a judge, and answers by `write`."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self.write: Callable[[str], object] = lambda line: write(visible(line))
        self._options = dict(DEFAULTS)
        self.game = parse_game(self._options[GAME])
        self._search: _Search | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._introduce,
            "setoption": self._set,
            "uginewgame": lambda words: self._new_game(),
            "position": self._place,
            "go": self._go,
            "query": self._query,
        }
        self._new_game()

    def hear(self, line: str) -> bool:
        """Obey a line; what is unknown or invalid gets an info line. Return False if the engine should end."""
        word, *words = line.split() or [""]
        if word == "quit":
            return False
        try:
            if word == "isready":
                if self._search is None or not self._search.runs:
                    self._prepared()
                self.write("readyok")
            elif word == "stop":
                self.stop()
            elif word in self._commands:
                if self._search is not None and self._search.runs:
                    raise InputError(f"'{word}' must wait: send stop, or wait for bestmove")
                self._commands[word](words)
            elif word:
                raise unknown("command", word, [*self._commands, "isready", "stop", "quit"])
        except InputError as fault:
            self.write(f"info string {fault}")
        return True

    def stop(self) -> None:
        """End the search, if one runs; it still says its move."""
        if self._search is not None:
            self._search.stop()

    def _introduce(self, words: list[str]) -> None:
        numbers = {SEED: f"type spin default 0 min 0 max {LARGEST_SEED}"}
        options = [
            f"option name {name} {numbers.get(name, f'type string default {value}')}"
            for name, value in DEFAULTS.items()
        ]
        for line in (f"id name nimtui {__version__}", "id author the authors of nimtui", *options, "ugiok"):
            self.write(line)

    def _set(self, words: list[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        if name not in DEFAULTS:
            raise unknown("option", name, DEFAULTS)
        if name == GAME:
            value = parse_game(value).name
        if name == SEED:
            value = str(whole_number(value, "the seed", 0, LARGEST_SEED))
        if name == AGENT:
            parse_agent(value, self.game)
        self._options[name] = value
        self._new_game()

    def _new_game(self) -> None:
        self.game = parse_game(self._options[GAME])
        self.state = self.game.new()
        self._player = player_of(self.state)  # that is to move
        self._agent: Agent | None = None  # made when it is needed
        self.stream = Stream(int(self._options[SEED]))

    def _place(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        where, moves = words[:at], words[at + 1 :]
        if where[:1] not in (["startpos"], ["fen"]) or (where[0] == "startpos" and len(where) > 1):
            raise invalid("position", " ".join(words), "expected startpos or fen POSITION, and moves MOVE …")
        state = self.game.new(None if where[0] == "startpos" else " ".join(where[1:]))
        player = player_of(state, len(moves))
        for move in moves:
            base.play(state, self.game.parse_move(move, state))
        self.state, self._player = state, player

    def _query(self, words: list[str]) -> None:
        end = int(base.outcome(self.state))
        answers = {
            "p1turn": str(self._player == 0).lower(),
            "gameover": str(end != base.GOING_ON).lower(),
            "result": "none" if end == base.GOING_ON else RESULTS[end][self._player],
        }
        if len(words) != 1 or words[0] not in answers:
            raise unknown("query", " ".join(words), answers)
        self.write(f"response {answers[words[0]]}")

    def _prepared(self) -> Agent:
        if self._agent is None:
            self._agent = parse_agent(self._options[AGENT], self.game)
        if base.outcome(self.state) == base.GOING_ON:
            self._agent.prepare()
        return self._agent

    def _go(self, words: list[str]) -> None:
        try:
            if base.outcome(self.state) != base.GOING_ON:
                raise InputError("the game is over: no moves are left")
            seconds, depth, nodes = effort(words, self._player)
            agent = self._prepared()
        except InputError:
            self.write(f"bestmove {NO_MOVE}")
            raise
        if depth is not None and isinstance(agent, Searching):
            agent = replace(agent, settings=replace(agent.settings, depth=depth, deepening=True, time=0.0))
        self._search = _Search(self, agent, seconds, nodes)


def effort(words: Sequence[str], player: int) -> tuple[float, int | None, float]:
    """Return the seconds, the depth and the nodes that the words after `go` allow this player; None: any depth.

    Exactly one of the ways to say it is allowed. Raises InputError.
    """
    if list(words) == ["infinite"]:
        return inf, None, inf
    keys, texts = words[::2], words[1::2]
    if len(keys) != len(texts) or sorted(keys) not in (sorted(CLOCK), *([limit] for limit in LIMITS)):
        raise invalid("search", " ".join(words), f"expected {', '.join(WAYS)}, or {', '.join(CLOCK)} together")
    values = {key: whole_number(text, key, 0, LARGEST) for key, text in zip(keys, texts, strict=True)}
    if "depth" in values:
        return inf, min(max(1, values["depth"]), LONGEST), inf
    if "nodes" in values:
        return inf, None, values["nodes"]
    if "movetime" in values:
        whole = values["movetime"] / 1000
        return max(whole / 2, OF_A_MOVE * whole - OVERHEAD), None, inf
    left, increment = (values[key] / 1000 for key in CLOCK[player::2])
    return max(0.0, min(left / 2, OF_A_GAME * left + OF_AN_INCREMENT * increment) - OVERHEAD), None, inf


def score_words(value: float, pays: bool = False) -> str:
    """Return a search's value as a score: 'cp 12', or 'mate −5' if the game is decided, by its plies to the end."""
    if not pays and abs(value) > DECIDED:
        plies = WIN - int(abs(value))
        return f"mate {plies if value > 0 else -plies}"
    return f"cp {round(value)}"


class _Search(Progress):
    """A search in a thread. Writes what it believes, and at the end its move."""

    def __init__(self, engine: Engine, agent: Agent, seconds: float, nodes: float) -> None:
        self._game, self._state, self._stream = engine.game, base.copy(engine.state), engine.stream
        self._agent, self._write, self._nodes, self._done = agent, engine.write, nodes, 0.0
        self._began = self._last = perf_counter()
        self._until = self._began + seconds
        self._stopped = Event()
        self.runs = True
        self._told: int | None = None  # the nodes in the latest line
        self._thread = Thread(target=self._run, name="search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def report(self, done: float, total: float, what: str = "") -> None:
        self._done, now = done, perf_counter()
        if what == BEST_LINE:  # the move is known: the judge waits for it
            self._until = min(self._until, now + max(LEAST_FOR_THE_LINE, FOR_THE_LINE * (now - self._began)))
        if isinstance(self._agent, StopsItself):
            if self._stopped.is_set() or now >= self._until or done >= self._nodes:
                raise TimeUp
        elif self._stopped.is_set():
            raise Cancelled("search")

    def seconds_left(self) -> float:
        return min(self._until - perf_counter(), (self._nodes - self._done) / PACE)

    def think(self, thinking: Callable[[], Thinking]) -> None:
        if (now := perf_counter()) - self._last >= TELLING:
            self._last, so_far = now, thinking()
            if so_far.move is not None and so_far.done != self._told:
                self._told = so_far.done
                self._tell(so_far, so_far.move)

    def _run(self) -> None:
        move = base.legal_moves(self._state)[0]
        try:
            self._agent.prepare()  # a clock that is up must not end that
            decision = self._agent.decide(self._state, self._stream, self)
            move = decision.move
            self._tell(Thinking(decision.thoughts, move, decision.line, decision.nodes, depth=decision.depth), move)
        except Cancelled:
            pass
        except InputError as fault:
            self._say(f"info string {fault}")
        except RAISED as fault:  # of an own agent or game: the judge waits for a move
            self._say(f"info string {type(fault).__name__}: {fault}")
        self.runs = False  # before the judge hears of it
        self._say(f"bestmove {self._game.move_name(move, self._state)}")

    def _tell(self, thinking: Thinking, move: int) -> None:
        """Write what the search believes of its best move, with the words of `info`."""
        seconds, nodes = perf_counter() - self._began, thinking.done
        thought = next((one for one in thinking.thoughts if one.move == move), None)
        words = ["info", *(("depth", str(thinking.depth)) if thinking.depth else ())]
        words += ["time", str(round(1000 * seconds))]
        words += [] if nodes is None else ["nodes", str(nodes), "nps", str(round(nodes / max(seconds, 0.001)))]
        if thought is not None and thought.score is not None:
            words += ["score", score_words(thought.score, thought.largest > 0)]
        elif thought is not None and thought.value is not None:
            payoff = thought.payoff
            words += ["score", score_words(A_WIN * thought.value if payoff is None else payoff, payoff is not None)]
        self._say(" ".join([*words, "pv", *self._game.line_names(thinking.line or [move], self._state)]))

    def _say(self, line: str) -> None:
        try:
            self._write(line)
        except OSError:  # the judge has left: the main thread sees that, too
            self._stopped.set()
