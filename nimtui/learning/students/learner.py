"""A student's file as a learner, `cs50:nim.py`, and the questions to its process."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from nimtui.errors import InputError, shortened
from nimtui.learning.students.assignment import built_in
from nimtui.sandbox.faults import FaultKind
from nimtui.sandbox.program import USUAL, Program

if TYPE_CHECKING:
    from nimtui.games import Game

NAME = "cs50"
ABOUT = "a student's nim.py, cs50:FILE: its own training, in the sandbox"
PARAMETERS: dict[str, Any] = {}
SCORES = np.float64
GAMES = 10_000  # as the course trains
LOADING = 120.0  # seconds to load the file, and for each answer while it trains
NOT_OURS = "wrote where only nimtui's answers belong"
ALLOWANCE = USUAL._replace(start=LOADING, line=1 << 24)


class StudentFile(NamedTuple):
    """The learner's only parameter."""

    file: str  # its absolute path


LEARNER = StudentFile


def parse(text: str) -> StudentFile:
    """Return the learner of a file, which may be gone. Raises InputError if it is none."""
    return StudentFile(str(file_in(text, NAME)))


def spec(learner: StudentFile) -> str:
    """Return the learner's name, which parses to an equal one."""
    return f"{NAME}:{shlex.quote(learner.file)}"


def file_in(text: str, word: str) -> Path:
    """Return the absolute path of the one file in a text, quoted as in a shell. Raises InputError for any other."""
    try:
        words = shlex.split(text)
    except ValueError as fault:
        raise InputError(f"invalid file '{shortened(text)}': {str(fault).lower()}") from None
    if len(words) != 1:
        raise InputError(f"{word} takes one file, for example {word}:nim.py")
    return Path(os.path.abspath(Path(words[0]).expanduser()))  # noqa: PTH100 - a link stays a link


def why_not(learner: StudentFile, game: Game) -> str | None:
    """Return why such a file cannot learn this game; None if it can."""
    trained = [one for one in built_in() if one.trained]
    if any(game.name == one.trained for one in trained):
        return None
    return f"files of CS50 learn {' or '.join(one.trained for one in trained)}, not {game.name}"


def check(learner: StudentFile, game: Game) -> None:
    """Raise InputError if the file is missing, or cannot learn this game."""
    if not Path(learner.file).is_file():
        raise InputError(f"no file '{learner.file}'")
    if (fault := why_not(learner, game)) is not None:
        raise InputError(fault)


def update(*values: Any) -> NoReturn:
    """Raise InputError: such a file learns from its own games alone."""
    raise InputError("a student's file learns only from its own games")


def train_to(process: Program, games: int, seconds: float, pause: Callable[[], object] = bool) -> dict[str, Any]:
    """Let a file train until so many games are played, and return its answer. Raises ProgramFault."""
    answer = ask(process, {"games": games}, seconds, pause)
    if not isinstance(answer.get("games"), int):
        process.fail(FaultKind.UNREADABLE, NOT_OURS, str(answer))
    return answer


def ask(
    process: Program, question: Mapping[str, Any], seconds: float, pause: Callable[[], object] = bool
) -> dict[str, Any]:
    """Return the answer of a file's process to a question, or its next one to {}. Raises ProgramFault."""
    line, _ = process.answer(json.dumps(question), seconds, pause) if question else process.receive(seconds, pause)
    try:
        return dict(json.loads(line))
    except (ValueError, TypeError):
        process.fail(FaultKind.UNREADABLE, NOT_OURS, line)
