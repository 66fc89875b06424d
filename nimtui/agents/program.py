"""Programs in any language: for each move the program reads one line, and writes one line, the move.

`cmd:PROGRAM [ARGS]` sends JSON, `text:PROGRAM [ARGS]` only the position as nimtui writes it.
"""

from __future__ import annotations

import json
import re
import shlex
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, NoReturn, TypeAlias

from nimtui.agents.agent import AgentFault, Decision, Judged, Thought, moves_of
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, decimal, invalid, shortened, unknown
from nimtui.foreign.values import exact
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.sandbox import command
from nimtui.sandbox.client import possible
from nimtui.sandbox.closing import account, open_to
from nimtui.sandbox.command import Command, FaultKind, ProgramFault, parse_command
from nimtui.sandbox.program import USUAL, Allowance, Program, held

Options: TypeAlias = dict[str, float | None]  # by name; None: it has no number
JSON, TEXT = "cmd", "text"
NAMES = (JSON, TEXT)
TWICE = "answered more than one line"
SETTLES = 0.05  # seconds in which a second answer comes, after an invalid one or the last of all
CS50 = "cs50"
PROGRAMS = (*NAMES, "ugi", CS50)  # kinds of agents whose names hold a command
NO_MOVES, RESTART, START, MEMORY, DEPTH = "--no-moves", "--restart", "--start", "--memory", "--depth"
TRAIN = "--train"
LEVELS = ("possible", REQUIRED := "required")  # of the sandbox
VALUES = {  # least, most and unit of an option's number
    START: (0.1, 600.0, "seconds"),
    MEMORY: (1.0, 1e6, "MiB"),
    DEPTH: (1.0, 10_000.0, "plies"),
    TRAIN: (0.0, 1e7, "games"),
}
ALLOWED = {JSON: (NO_MOVES, RESTART, START, MEMORY), TEXT: (RESTART, START, MEMORY)}
NAME = "--name"  # of the program for people
SET = "--set"  # of an option of the program itself: --set=OPTION=VALUE
FORMS = (
    ("cmd:[--no-moves] [--restart] [--start=10] [--memory=2048] PROGRAM [ARGS]", "any program: JSON for each move"),
    ("text:[--restart] [--start=10] [--memory=2048] PROGRAM [ARGS]", "any program: the position for each move"),
)


def is_program(agent: str) -> bool:
    """Return whether this names a program in any language."""
    return agent.partition(":")[0] in PROGRAMS


def called(agent: str) -> str:
    """Return an agent's name for people: of a program NAME or the file's name, of any other its canonical name."""
    if not is_program(agent):
        return agent
    with suppress(ValueError):
        word, *_ = (*shlex.split(agent.partition(":")[2]), "")
        if word.startswith(f"{NAME}="):
            return word.removeprefix(f"{NAME}=")
    return file_of(agent).name


def brief(agent: str) -> str:
    """Return an agent's name in one word for lists: without its options, of a program the file's name."""
    return called(agent).partition(":")[0]


class ProgramAgent(Judged):
    """A program that answers a line with a line. Starts when it is first asked, and again after a fault."""

    def __init__(self, word: str, options: Options, command: Command, game: Game) -> None:
        self.command = command
        self._word, self._options, self._game = word, options, game
        self._program: Program | None = None
        self._asking = threading.Lock()  # one question at a time
        self._latest: tuple[str, str] | None = None  # question and answer; None: there is none in this game

    @property
    def name(self) -> str:
        options = [key if value is None else f"{key}={exact(value)}" for key, value in self._options.items()]
        return f"{self._word}:{' '.join((*options, self._text))}"

    @property
    def _text(self) -> str:
        """Return what stands behind the options in the name."""
        return self.command.text

    @property
    def title(self) -> str:
        return called(self.name)

    @property
    def ready(self) -> bool:
        return self._program is not None and self._program.runs

    def prepare(self, progress: Progress = SILENT) -> None:
        """Start the program. Raises AgentFault if it does not start."""
        if not self.ready:
            try:
                self._program = Program(self.command, self._allowance())
            except ProgramFault as fault:
                self._fail(fault)

    def _allowance(self) -> Allowance:
        start, memory = self._options.get(START), self._options.get(MEMORY)
        return USUAL._replace(start=start or USUAL.start, memory=int(memory * (1 << 20)) if memory else USUAL.memory)

    @property
    def _running(self) -> Program:
        """The program after `prepare`."""
        assert self._program is not None
        return self._program

    def finish(self, last: bool) -> None:
        if self._latest and self.ready:
            try:
                self._check_unasked(SILENT, SETTLES if last else 0.0)
            except ProgramFault as fault:
                self._fail(fault)

    def new_game(self) -> None:
        self._latest = None
        if RESTART in self._options:
            self.end()

    def end(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.end()

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        move = self.choose(state, stream, progress)
        return Decision(move, tuple(map(Thought, moves_of(state))), seconds=perf_counter() - began)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        """Return the program's move. Raises AgentFault with the kind of its fault."""
        question = self._question(state, stream)
        self.prepare(progress)
        try:
            with self._asking:
                self._check_unasked(progress)
                line = self._ask(question, progress)
                if more := self._second(0.0):
                    self._running.fail(FaultKind.UNREADABLE, TWICE, f"{line} {more}")
            answer = self._read(line)
            try:
                move = self._game.parse_move(answer, state)
            except InputError:
                kind, text = self._wrong(answer, state)
                if self._latest and (more := self._second(SETTLES)):  # that was a second answer to the question before
                    kind, text, answer = FaultKind.UNREADABLE, TWICE, f"{answer} {more}"
                self._refuse(kind, text, answer)
            self._latest = question, answer
            return move
        except ProgramFault as fault:
            self._fail(fault, question)

    def _ask(self, question: str, progress: Progress) -> str:
        """Return the line that answers. Raises ProgramFault."""
        answer, self.taken = self._running.answer(question, self.clock.seconds, lambda: progress.report(0, 0))
        return answer

    def _is_answer(self, line: str) -> bool:
        """Return whether a line is an answer, not only talk."""
        return True

    def _second(self, seconds: float) -> str:
        """Return the answers that the program writes within so many seconds without a question, '' if none."""
        return " ".join(filter(self._is_answer, self._running.unasked(seconds)))

    def _check_unasked(self, progress: Progress, seconds: float = 0.0) -> None:
        """End a program that answers without a question."""
        if more := self._second(seconds):
            self._twice(more)

    def _twice(self, more: str) -> NoReturn:
        """End the program, which wrote a line that nobody asked for: its latest question has two answers."""
        if self._latest is None:
            self._running.fail(FaultKind.UNREADABLE, "wrote a line that nobody asked for", more)
        question, answer = self._latest
        try:
            self._running.fail(FaultKind.UNREADABLE, TWICE, f"{answer} {more}")
        except ProgramFault as fault:
            self._fail(fault, question, earlier=True)

    def _question(self, state: State, stream: Stream) -> str:
        position = self._game.position_name(state)
        if self._word == TEXT:
            return position
        question = {"game": self._game.whole_name, "position": position, "time": round(self.clock.seconds, 3)}
        if NO_MOVES not in self._options:
            question["moves"] = [self._game.move_name(move, state) for move in moves_of(state)]
        if self.clock.nodes:
            question["nodes"] = self.clock.nodes
        return json.dumps({**question, "seed": stream.below(1 << 31)})

    def _read(self, answer: str) -> str:
        """Return the name of the move in an answer."""
        return answer

    def _refuse(self, kind: FaultKind, text: str, answer: str) -> NoReturn:
        """Raise the fault of an answer that is no legal move: the program must start again."""
        self._running.fail(kind, text, answer)

    def _wrong(self, answer: str, state: State) -> tuple[FaultKind, str]:
        """Return the kind of fault of an answer that is no legal move, and words for it.

        An illegal move is written as moves are here: letters, digits and signs in the same order.
        """
        if not answer:
            return FaultKind.UNREADABLE, "answered an empty line"
        if shape(answer) in {shape(self._game.move_name(move, state)) for move in moves_of(state)}:
            return FaultKind.ILLEGAL, f"played '{answer}', which is not legal"
        return FaultKind.UNREADABLE, f"answered '{answer}', which is not a move"

    def _fail(self, fault: ProgramFault, told: str = "", earlier: bool = False) -> NoReturn:
        self._latest = None
        text = fault.whole if fault.kind is FaultKind.NO_START else fault
        raise AgentFault(f"{self.title} {text}", fault.kind, told, fault.answer, fault.errors, earlier) from fault


def shape(name: str) -> str:
    """Return a name with one letter for letters, and one digit for digits: 'a0-0' for 'c12-4'."""
    return re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", name))


def parse(word: str, text: str, game: Game) -> ProgramAgent:
    options, rest = options_before(word, text, ALLOWED[word])
    return ProgramAgent(word, options, parse_command(rest), game)


def options_before(word: str, text: str, allowed: Sequence[str]) -> tuple[Options, str]:
    """Return the options that stand before a program, and the command. NAME and SET are whole texts.

    Raises InputError for an invalid one, and if the system cannot run programs.
    """
    if not possible():
        raise InputError(f"{word} needs a system that can fork processes")
    chosen: Options = {}
    rest, allowed = text.strip(), (NAME, *allowed)
    while rest.startswith("--"):
        first, _, rest = rest.partition(" ")
        key, equals, number = first.partition("=")
        if key not in allowed:
            raise unknown(f"option of {word}", key, allowed)
        if key != SET and key in (before.partition("=")[0] for before in chosen):
            raise InputError(f"{key} is there twice")
        if key == SET and not all(number.partition("=")):
            raise invalid(f"option of {word}", first, f"expected {SET}=OPTION=VALUE")
        if key == NAME and not number:
            raise InputError(f"{NAME} needs a name, such as {NAME}=anna")
        if key in (SET, NAME):
            key = first
        chosen[key] = None
        if key in VALUES:
            low, high, unit = VALUES[key]
            with suppress(ValueError):
                chosen[key] = decimal(number)
            if not low <= (chosen[key] or 0.0) <= high:
                raise InputError(f"{key} must be {low:g} to {high:g} {unit}, such as {key}={low:g}")
        elif equals and key != first:
            raise InputError(f"{key} has no value: leave out '{equals}{shortened(number)}'")
        rest = rest.lstrip()
    order = sorted(chosen, key=lambda key: allowed.index(key.partition("=")[0]))
    return {key: chosen[key] for key in order}, rest


def sandbox_line(agents: Iterable[str], level: str | None = None) -> str:
    """Return the line on what closes the programs among the agents in, '' without programs.

    Raises InputError for an unknown level, and if it is "required" and the system leaves something open.
    """
    if level not in (None, *LEVELS):
        raise unknown("level of the sandbox", str(level), LEVELS)
    if not any(map(is_program, agents)):
        return ""
    ways = open_to(held())
    if level == REQUIRED and ways:
        raise InputError(f"the sandbox is required, and this system leaves open to programs: {', '.join(ways)}")
    return account(held())


def digests(agents: Iterable[str]) -> dict[str, str]:
    """Return what a saved tournament stores of its programs: the digest of each one's file."""
    return {agent: _digest(agent) for agent in agents if is_program(agent)}


def changes(document: Mapping[str, Any], resumed: bool = False) -> list[str]:
    """Return a line for each program of a saved tournament that has changed since, or is gone.

    Raises InputError if the tournament is `resumed` and one is gone.
    """
    lines = []
    for agent, digest in document.get("programs", {}).items():
        file = file_of(agent)
        if not file.exists():
            if resumed:
                raise InputError(f"the program {file} is gone: put it back to resume")
            lines.append(f"The program {file} is gone.")
        elif digest != _digest(agent):
            lines.append(f"{file} has changed since the tournament started. Missing games are played by the new one.")
    return lines


def _digest(agent: str) -> str:
    """Return the digest of a program's file, '' if it is no ordinary file or unreadable."""
    file = file_of(agent)
    try:
        return sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
    except OSError:
        return ""


def file_of(agent: str) -> Path:
    """Return the file of a program, which may be gone."""
    return Path(command.file_of(agent.partition(":")[2]))
