"""The files that students of Harvard's CS50 AI course hand in, as players: `cs50:nim.py`, `cs50:tictactoe.py`.

The file runs in the sandbox as any program does. Nim's learner is trained there first, by the file's own `train`.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NoReturn

from nimtui.agents import program
from nimtui.agents.agent import moves_of
from nimtui.agents.home_programs import plays
from nimtui.agents.program import MEMORY, START, TRAIN, Options, ProgramAgent, options_before
from nimtui.errors import InputError, shortened
from nimtui.games import Game
from nimtui.learning.students import learner
from nimtui.learning.students.assignment import Assignment, built_in
from nimtui.progress import SILENT
from nimtui.sandbox.faults import FaultKind, ProgramFault

if TYPE_CHECKING:
    from nimtui.engine.rng import Stream
    from nimtui.games.base import State
    from nimtui.progress import Progress
    from nimtui.sandbox.program import Allowance, Program

WORD = program.CS50
NAMES = (WORD,)
FORMS = ((f"{WORD}:[--train=10000] [--start=120] [--memory=2048] FILE", "a file of the CS50 AI course"),)
ALLOWED = {WORD: (TRAIN, START, MEMORY)}
STEPS = 20  # of a training whose progress is shown


class StudentAgent(ProgramAgent):
    """A student's file, asked for a move by the expression of its assignment."""

    def __init__(self, options: Options, assignment: Assignment, file: Path, game: Game) -> None:
        games = options.get(TRAIN)
        self._games = 0 if not assignment.trained else learner.GAMES if games is None else int(games)
        start = f"TRAIN = {self._games}\n{assignment.start}"
        super().__init__(WORD, options, assignment.command(file, start), game)
        self._assignment, self._file = assignment, file

    @property
    def _text(self) -> str:
        return shlex.quote(str(self._file))

    def _allowance(self) -> Allowance:
        allowance = super()._allowance()
        return learner.ALLOWANCE._replace(start=self._options.get(START) or learner.LOADING, memory=allowance.memory)

    def prepare(self, progress: Progress = SILENT) -> None:
        """Start the file and let it train, a part at a time. Raises AgentFault if it fails or takes too long."""
        if self.ready:
            return
        super().prepare(progress)
        done, late = 0, monotonic() + self._allowance().start
        try:
            while done < self._games:
                most = min(self._games, done + max(1, self._games // STEPS))
                answer = learner.train_to(self._running, most, late - monotonic(), lambda: progress.report(0, 0))
                done = self._games if answer["done"] else most
                progress.report(done, self._games, f"training games of {self.title}")
        except ProgramFault as fault:
            fault.kind = FaultKind.NO_START
            self._fail(fault)

    def _question(self, state: State, stream: Stream, seconds: float) -> str:
        moves = [self._game.move_name(move, state) for move in moves_of(state)]
        names = {"position": self._game.position_name(state), "moves": moves}
        return json.dumps({"code": self._assignment.move, "names": names, "seed": stream.below(1 << 31)})

    def _read(self, process: Program, answer: str) -> str:
        try:
            row = json.loads(answer)
            if "raised" in row:
                self._refuse(FaultKind.DISCONNECT, f"raised {row['raised']}", "")
            return str(row["value"])
        except (ValueError, TypeError, LookupError):
            process.fail(FaultKind.UNREADABLE, "wrote where only nimtui's answers belong", answer)

    def _refuse(self, kind: FaultKind, text: str, answer: str) -> NoReturn:
        """Raise the fault. The file stays loaded and trained: it answers one question at a time."""
        raise ProgramFault(kind, text, answer=answer)


def parse(word: str, text: str, game: Game) -> StudentAgent:
    options, rest = options_before(word, text, ALLOWED)
    file = learner.file_in(rest, word)
    if not file.is_file():
        raise InputError(f"no file '{shortened(rest)}': {word} takes a Python file, such as {word}:nim.py")
    return StudentAgent(options, _assignment_of(game), file, game)


def _assignment_of(game: Game) -> Assignment:
    """Return the assignment whose files play this game. Raises InputError if there is none."""
    for one in built_in():
        if one.move and plays(one, game.name):
            return one
    games = " and ".join(one.game for one in built_in() if one.move)
    raise InputError(f"files of CS50 play {games}, not {game.name}")
