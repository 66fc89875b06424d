"""The files that students of Harvard's CS50 AI course hand in, as players: `cs50:nim.py`, `cs50:tictactoe.py`.

The file runs in the sandbox as any program does. Nim's learner is trained there first, by the file's own `train`.
"""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

from nimtui.agents import program
from nimtui.agents.agent import moves_of
from nimtui.agents.parse import plays
from nimtui.agents.program import MEMORY, START, TRAIN, Options, ProgramAgent, options_before
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, shortened
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.learning.students import learner
from nimtui.learning.students.learner import Assignment, built_in
from nimtui.progress import SILENT, Progress
from nimtui.sandbox.command import FaultKind, ProgramFault, class_of
from nimtui.sandbox.program import Allowance
from nimtui.store import StoreError, files, paths

WORD = program.CS50
NAMES = (WORD,)
FORMS = ((f"{WORD}:[--train=10000] [--start=120] [--memory=2048] FILE", "a file of the CS50 AI course"),)
ALLOWED = (TRAIN, START, MEMORY)
STEPS = 20  # of a training whose progress is shown
MOST_FILES = 100  # in the folder of a file whose learning is stored
MOST_STORED = 300  # files, the oldest go first


class StudentAgent(ProgramAgent):
    """A student's file, asked for a move by the expression of its assignment."""

    def __init__(self, options: Options, assignment: Assignment, file: Path, game: Game) -> None:
        games = options.get(TRAIN)
        self._games = 0 if not assignment.trained else learner.GAMES if games is None else int(games)
        super().__init__(WORD, options, assignment.command(file, f"TRAIN = {self._games}"), game)
        self._assignment, self._file = assignment, file

    @property
    def _text(self) -> str:
        return shlex.quote(str(self._file))

    def _allowance(self) -> Allowance:
        allowance = super()._allowance()
        return learner.ALLOWANCE._replace(start=self._options.get(START) or learner.LOADING, memory=allowance.memory)

    def prepare(self, progress: Progress = SILENT) -> None:
        """Start the file, and let it train or restore what it learnt. Raises AgentFault if that fails or takes long."""
        if self.ready:
            return
        super().prepare(progress)
        if not self._assignment.train:
            return
        late, path = monotonic() + self._allowance().start, self._stored()
        try:
            if path is None or not self._restored(path, late, progress):
                self._train(late, progress)
                self._keep(path, late, progress)
        except ProgramFault as fault:
            late_text = f"did not train within {self._allowance().start:g} s"
            text = late_text if fault.kind is FaultKind.STALL else str(fault)
            self._fail(ProgramFault(FaultKind.NO_START, text, fault.errors))

    def _ask_until(self, late: float, question: dict[str, str], progress: Progress) -> dict[str, Any]:
        return learner.ask(self._running, question, late - monotonic(), lambda: progress.report(0, 0))

    def _train(self, late: float, progress: Progress) -> None:
        """Let the file train, a part at a time."""
        until, played, done = 0, 0, False

        def tell() -> None:
            progress.report(played, self._games, f"training games of {self.title}")

        while not done:
            until += max(1, self._games // STEPS)
            answer = learner.train_to(self._running, until, late - monotonic(), tell)
            played, done = min(answer["games"], self._games), answer["done"]
            tell()

    # What a file has learnt is stored, because each process of a tournament needs it.

    def _stored(self) -> Path | None:
        """Return where it is stored what the file learns, by all that it can read; None if that is much."""
        folder = self._file.parent
        own = [self._file] if class_of(str(folder)) == str(folder) else list(islice(folder.rglob("*.py"), MOST_FILES))
        if len(own) == MOST_FILES:
            return None
        total = sha256(repr((sys.version, self.command.words)).encode())
        for file in filter(Path.is_file, sorted(own)):  # no endless device
            with suppress(OSError):
                total.update(f"{file} {file.stat().st_size}\n".encode() + file.read_bytes())
        return paths.tables() / "students" / f"{total.hexdigest()}.json"

    def _restored(self, path: Path, late: float, progress: Progress) -> bool:
        """Return whether the file's process took in what it has learnt, and plays as it did then."""
        try:
            question = {**json.loads(path.read_text("utf-8")), "restore": self._assignment.alike}
        except (OSError, ValueError, TypeError):
            return False
        if self._ask_until(late, question, progress).get("restored") is True:
            return True
        self.end()
        super().prepare(progress)
        return False

    def _keep(self, path: Path | None, late: float, progress: Progress) -> None:
        answer = self._ask_until(late, {"keep": self._assignment.alike}, progress)
        if path is None or "ai" not in answer:
            return
        with suppress(StoreError):  # then each process trains
            folder = paths.ensure(path.parent)
            for old in sorted(folder.glob("*.json"), key=lambda one: one.stat().st_mtime)[:-MOST_STORED]:
                old.unlink(missing_ok=True)
            files.replace_text(path, lambda file: json.dump(answer, file))

    def _question(self, state: State, stream: Stream) -> str:
        moves = [self._game.move_name(move, state) for move in moves_of(state)]
        names = {"position": self._game.position_name(state), "moves": moves}
        return json.dumps({"code": self._assignment.move, "names": names, "seed": stream.below(1 << 31)})

    def _read(self, answer: str) -> str:
        try:
            row = json.loads(answer)
            if "raised" in row:
                self._refuse(FaultKind.DISCONNECT, f"raised {row['raised']}", "")
            return str(row["value"])
        except (ValueError, TypeError, LookupError):
            self._running.fail(FaultKind.UNREADABLE, learner.NOT_OURS, answer)

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
