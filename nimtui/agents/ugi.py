"""Programs that speak the Universal Game Interface (UGI): `ugi:PROGRAM [ARGS]`, on the side of the judge.

nimtui knows the rules and asks the program for moves alone. What a program tells of its search are its thoughts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from nimtui.agents.agent import Decision, Thinking, Thought, moves_of
from nimtui.agents.program import DEPTH, MEMORY, RESTART, SET, START, Options, ProgramAgent, options_before
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, did_you_mean
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.sandbox.command import Command, FaultKind, ProgramFault, parse_command

NAMES = ("ugi",)
ALLOWED = (SET, DEPTH, RESTART, START, MEMORY)
FORMS = (("ugi:[--depth=PLIES] [--set=OPTION=VALUE] PROGRAM [ARGS]", "any engine of the Universal Game Interface"),)
GAME, SEED = "Game", "Seed"  # options that the judge sets, if the engine has them
HANDSHAKE = 60.0  # seconds for an answer that is no move: an engine may compile, or fill its tables
USUAL = 1.0  # seconds of a move, if the rules name no time
BEST = "bestmove"  # the word of an answer
NUMBER = re.compile(r"-?\d{1,12}", re.ASCII)


def player_of(state: State, moves: int = 0) -> int:
    """Return 0 if the first player is to move, so many moves after a position; 1 for the second.

    Where the position does not tell, the first player is to move in it: nimtui starts a game from it so.
    """
    return (int(base.side(state)) + moves) % 2


class Info(NamedTuple):
    """What an engine tells of its search in one line. None: it does not say."""

    line: tuple[Move, ...] = ()
    score: float | None = None  # in its own unit
    value: float | None = None  # 1 or −1 if it sees the end of the game
    bound: str | None = None
    depth: int | None = None
    nodes: int | None = None
    nps: int | None = None
    time: float = 0.0  # seconds
    rank: int = 1  # of its line among those that it tells


class UgiAgent(ProgramAgent):
    """An engine. It starts once, and plays game after game."""

    def __init__(self, options: Options, command: Command, game: Game) -> None:
        super().__init__("ugi", options, command, game)
        self._offered: set[str] = set()  # the names of the engine's options
        self._fresh = True  # the next question belongs to another game
        self._searching = False  # it was told to search, and has not answered
        self._infos: dict[int, Info] = {}  # of the latest search, by their ranks

    def prepare(self, progress: Progress = SILENT) -> None:
        """Start the engine, and tell it the game. Raises AgentFault if it does not start."""
        if self.ready:
            return
        super().prepare(progress)
        try:
            self._running.send("ugi")
            self._hear(self._introduced, progress, self._running.allowance.start)
            for name, value in (option.split("=", 2)[1:] for option in self._options if option.startswith(SET)):
                if name not in self._offered:
                    hint = did_you_mean(name, self._offered)
                    self._running.fail(FaultKind.NO_START, f"did not start: it has no option {name}{hint}")
                self._set(name, value)
            self._set(GAME, self._game.whole_name)
            self._wait(progress)
        except ProgramFault as fault:
            text = str(fault) if fault.kind is FaultKind.NO_START else f"did not start: it {fault}"
            self._fail(ProgramFault(FaultKind.NO_START, text, fault.errors, fault.answer), "ugi")
        self._fresh, self._searching = True, False

    def _introduced(self, line: str) -> bool:
        """Return whether the engine has named all its options; else take note of the one in this line."""
        words = line.split()
        if words[:2] == ["option", "name"]:
            end = words.index("type") if "type" in words else len(words)
            self._offered.add(" ".join(words[2:end]))
        return line == "ugiok"

    def new_game(self) -> None:
        super().new_game()
        self._fresh = True

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        decision = super().decide(state, stream, progress)
        best = next((info for info in self._infos.values() if info.line[:1] == (decision.move,)), Info())
        effort = decision.seconds, best.nodes, best.nps
        return Decision(decision.move, _thoughts(state, self._infos), "", *effort, best.line, best.depth)

    def _question(self, state: State, stream: Stream) -> str:
        """Return the lines of a question: the position, and how long to search."""
        self._state, self._seed = base.copy(state), stream.below(1 << 31)
        position, clock = self._game.position_name(state), self.clock
        if depth := self._options.get(DEPTH):
            go = f"depth {depth:.0f}"
        elif clock.nodes:
            go = f"nodes {clock.nodes}"
        elif clock.left is not None:
            times = [max(1, round(1000 * seconds)) for seconds in (clock.left, clock.opponent or 0.0)]
            one, two = times[:: -1 if player_of(state) else 1]
            increment = round(1000 * clock.increment)
            go = f"p1time {one} p2time {two} p1inc {increment} p2inc {increment}"
        else:
            go = f"movetime {max(1, round(1000 * (clock.share or USUAL)))}"
        return f"position {f'fen {position}' if position else 'startpos'}\ngo {go}"

    def _ask(self, question: str, progress: Progress) -> str:
        position, go = question.split("\n")
        if self._fresh:
            self._set(SEED, str(self._seed))
            self._running.send("uginewgame")
            self._wait(progress)
            self._fresh = False
        self._running.send(position)
        self._wait(progress)
        self._running.send(go)
        self._searching, self._infos = True, {}
        line, self.taken = self._hear(lambda line: self._answers(line, progress), progress, self.clock.seconds)
        self._searching = False
        return line

    def _read(self, answer: str) -> str:
        return " ".join(answer.split()[1:2])

    def _answers(self, line: str, progress: Progress) -> bool:
        """Return whether a line of the search has its move; else take note of what it says."""
        word, _, rest = line.partition(" ")
        if word == "info" and (info := read_info(rest, self._game, self._state)) is not None:
            self._infos[info.rank] = info
            progress.think(self._thinking)
        return word == BEST

    def _thinking(self) -> Thinking:
        best = self._infos[min(self._infos)]
        thoughts = tuple(one for one in _thoughts(self._state, self._infos) if one != Thought(one.move))
        move = best.line[0] if best.line else None
        return Thinking(thoughts, move, best.line, best.nodes, "nodes", best.nps, best.time, best.depth)

    def _set(self, name: str, value: str) -> None:
        if name in self._offered:
            self._running.send(f"setoption name {name} value {value}")

    def _wait(self, progress: Progress) -> None:
        """Wait until the engine is ready. Its lines till then are no answers."""

        def ready(line: str) -> bool:
            if self._is_answer(line):
                self._twice(line)
            return line == "readyok"

        self._running.send("isready")
        self._hear(ready, progress, HANDSHAKE)

    def _check_unasked(self, progress: Progress, seconds: float = 0.0) -> None:
        if self._searching:  # somebody stopped the judge, not the engine
            self._running.send("stop")
            self._hear(self._is_answer, progress, HANDSHAKE)
            self._searching = False
        super()._check_unasked(progress, seconds)

    def _is_answer(self, line: str) -> bool:
        return line.split()[:1] == [BEST]

    def _hear(self, answers: Callable[[str], bool], progress: Progress, seconds: float) -> tuple[str, float]:
        """Return the next line that `answers`, and the seconds that it took."""
        return self._running.receive(seconds, lambda: progress.report(0, 0), answers)


def read_info(text: str, game: Game, state: State) -> Info | None:
    """Return what a line after 'info' says; None if it says nothing of a search. Invalid parts are left out."""
    words, _, line = f" {text} ".partition(" pv ")
    parts, values = words.split(), dict[str, int]()
    if parts[:1] == ["string"]:
        return None
    for key, value in pairwise(parts):
        if NUMBER.fullmatch(value):
            values[key] = int(value)
    mate, moves = values.get("mate"), _moves(line.split(), game, state)
    bound = next((BOUNDS[word] for word in parts if word in BOUNDS), None)
    result = None if mate is None else 1.0 if mate > 0 else -1.0
    effort = values.get("depth"), values.get("nodes"), values.get("nps")
    time = values.get("time", 0) / 1000
    info = Info(moves, values.get("cp"), result, bound, *effort, time, values.get("multipv", 1))
    return None if info == Info() else info


BOUNDS = {"lowerbound": "lower", "upperbound": "upper"}


def _moves(names: list[str], game: Game, state: State) -> tuple[Move, ...]:
    """Return the legal moves at the beginning of a line."""
    at, moves = base.copy(state), list[int]()
    for name in names:
        try:
            move = game.parse_move(name, at)
        except InputError:
            break
        moves.append(move)
        base.play(at, move)
    return tuple(moves)


def _thoughts(state: State, infos: dict[int, Info]) -> tuple[Thought, ...]:
    """Return a thought for each legal move, with what the engine told of it."""
    by_move = {info.line[0]: info for _, info in sorted(infos.items(), reverse=True) if info.line}
    return tuple(
        Thought(move, info.value, score=info.score, bound=info.bound)
        for move in moves_of(state)
        for info in (by_move.get(move, Info()),)
    )


def parse(word: str, text: str, game: Game) -> UgiAgent:
    options, command = options_before(word, text, ALLOWED)
    return UgiAgent(options, parse_command(command), game)
