"""Programs in any language: for each move the program reads one line, and writes one line, the move.

`cmd:PROGRAM [ARGS]` sends JSON, `text:PROGRAM [ARGS]` only the position as nimtui writes it.
"""

from __future__ import annotations

import json
from time import perf_counter
from typing import TYPE_CHECKING, NoReturn

from nimtui.agents.agent import AgentFault, Decision, Judged, Thought, moves_of
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.progress import SILENT
from nimtui.sandbox.faults import FaultKind, ProgramFault

if TYPE_CHECKING:
    from nimtui.engine.rng import Stream
    from nimtui.games.base import Move, State
    from nimtui.progress import Progress
    from nimtui.sandbox.command import Command
    from nimtui.sandbox.program import Program

JSON, TEXT = "cmd", "text"
NAMES = (JSON, TEXT)
NO_MOVES, RESTART = "--no-moves", "--restart"
OPTIONS = {NO_MOVES: "leave the legal moves out", RESTART: "start the program again for each game"}
FORMS = (
    ("cmd:[--no-moves] [--restart] PROGRAM [ARGS]", "any program: it reads a line of JSON for each move"),
    ("text:[--restart] PROGRAM [ARGS]", "any program: it reads the position for each move"),
)


class ProgramAgent(Judged):
    """A program that answers a line with a line. Starts when it is first asked, and again after a fault."""

    def __init__(self, word: str, options: tuple[str, ...], command: Command, game: Game) -> None:
        self.command = command
        self.closed: tuple[str, ...] | None = None  # what closes it in; None: it did not start yet
        self._word, self._options, self._game = word, options, game
        self._program: Program | None = None

    @property
    def name(self) -> str:
        return f"{self._word}:{' '.join((*self._options, self.command.text))}"

    @property
    def title(self) -> str:
        return self.command.label

    @property
    def label(self) -> str:
        return self.command.label

    @property
    def ready(self) -> bool:
        return self._program is not None and self._program.runs

    def prepare(self, progress: Progress = SILENT) -> None:
        """Start the program. Raises AgentFault if it does not start."""
        if not self.ready:
            from nimtui.sandbox.program import Program

            command = self.command
            try:
                self._program = Program(command.words, command.folder, command.bounds)
            except ProgramFault as fault:
                self._fail(fault)
            self.closed = self._program.closed

    def new_game(self) -> None:
        if RESTART in self._options:
            self.end()

    def end(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.end()

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        return self.decide_within(state, stream, progress, self.clock.seconds)

    def decide_within(self, state: State, stream: Stream, progress: Progress, seconds: float) -> Decision:
        began = perf_counter()
        move = self.choose_within(state, stream, progress, seconds)
        return Decision(move, tuple(map(Thought, moves_of(state))), seconds=perf_counter() - began)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        return self.choose_within(state, stream, progress, self.clock.seconds)

    def choose_within(self, state: State, stream: Stream, progress: Progress, seconds: float) -> Move:
        """Return the program's move. Raises AgentFault with the kind of its fault."""
        question = self._question(state, stream, seconds)
        try:
            self.prepare(progress)
            assert self._program is not None
            answer = self._ask(self._program, question, seconds, progress)
        except ProgramFault as fault:
            self._fail(fault, question)
        try:
            return self._game.parse_move(answer, state)
        except InputError as wrong:
            self._fail(ProgramFault(*self._wrong(answer, wrong), answer=answer), question)

    def _ask(self, program: Program, question: str, seconds: float, progress: Progress) -> str:
        """Return the one line that answers. Raises ProgramFault."""
        if early := program.waiting():
            program.fail(FaultKind.UNREADABLE, "wrote a line that nobody asked for", early)
        program.send(question)
        answer, self.taken = program.receive(seconds, lambda: progress.report(0, 0))
        if more := program.waiting():
            program.fail(FaultKind.UNREADABLE, "answered more than one line", f"{answer} {more}")
        return answer

    def _question(self, state: State, stream: Stream, seconds: float) -> str:
        position = self._game.position_name(state)
        if self._word == TEXT:
            return position
        question = {"game": self._game.name, "position": position, "time": round(seconds, 3)}
        if NO_MOVES not in self._options:
            question["moves"] = [self._game.move_name(move, state) for move in moves_of(state)]
        if self.clock.nodes:
            question["nodes"] = self.clock.nodes
        return json.dumps({**question, "seed": stream.below(1 << 31)})

    def _wrong(self, answer: str, wrong: InputError) -> tuple[FaultKind, str]:
        """Return the kind of fault of an answer that is no legal move, and words for it."""
        if not answer:
            return FaultKind.UNREADABLE, "answered an empty line"
        if str(wrong).startswith("illegal move"):
            return FaultKind.ILLEGAL, f"played '{answer}', which is not legal"
        return FaultKind.UNREADABLE, f"answered '{answer}', which is not a move"

    def _fail(self, fault: ProgramFault, told: str = "") -> NoReturn:
        raise AgentFault(f"{self.label} {fault}", fault.kind, told, fault.answer, fault.errors) from fault


def parse(word: str, text: str, game: Game) -> ProgramAgent:
    from nimtui.sandbox.client import possible
    from nimtui.sandbox.command import parse_command

    if not possible():
        raise InputError(f"{word} needs a system that can fork processes")
    options, rest = [], text.strip()
    while (first := rest.partition(" ")[0]) in OPTIONS:
        options.append(first)
        rest = rest.partition(" ")[2].lstrip()
    if word == TEXT and NO_MOVES in options:
        raise InputError(f"{TEXT} sends no moves: leave out {NO_MOVES}")
    chosen = tuple(option for option in OPTIONS if option in options)
    return ProgramAgent(word, chosen, parse_command(rest), game)
