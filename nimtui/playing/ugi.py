"""nimtui as an engine for other judges: the side of the Universal Game Interface (UGI) that is asked.

The text of the interface has no word for the game, so that is the option `Game`. Positions and moves are those of
nimtui. The engine searches in a thread: it hears `isready`, `stop` and `quit` meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from threading import Event, Thread
from time import perf_counter

from nimtui.agents import Agent, parse_agent
from nimtui.agents.agent import StopsItself, Thinking
from nimtui.agents.searching import Searching
from nimtui.agents.ugi import player_of
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED, LONGEST, WIN
from nimtui.errors import InputError, invalid, unknown, whole_number
from nimtui.games import base, parse_game
from nimtui.process.plugins import RAISED
from nimtui.progress import Cancelled, Progress, TimeUp
from nimtui.signs import visible
from nimtui.trees.depth_first import BEST_LINE, FOR_THE_LINE
from nimtui.version import __version__

GAME, AGENT, SEED = "Game", "Agent", "Seed"
CLOCK = ("p1time", "p2time", "p1inc", "p2inc")
WAYS = ("movetime", "depth", "nodes", "infinite")  # to say how long to search, beside the clock
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
    numbers = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not (set(numbers) == set(CLOCK) or (len(numbers) == 1 and set(numbers) <= set(WAYS))):
        raise invalid("search", " ".join(words), f"expected {', '.join(WAYS)}, or {', '.join(CLOCK)} together")
    values = {key: whole_number(text, key, 0, LARGEST) for key, text in numbers.items()}
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
        self.runs, self._line_began = True, False
        self._told: int | None = None  # the nodes in the latest line
        self._thread = Thread(target=self._run, name="search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def report(self, done: float, total: float, what: str = "") -> None:
        self._done, now = done, perf_counter()
        if what == BEST_LINE and not self._line_began:  # the move is known: the judge waits for it
            self._line_began = True
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
