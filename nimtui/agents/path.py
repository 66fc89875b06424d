"""Files and folders as agents, by what they hold: programs, and students' hand-ins.

A Python file is a hand-in if it defines what an assignment asks for. A folder has a file `start` with one line: a
command that runs in the folder, after `cmd:`, `text:` or another word for how to speak [default: cmd].
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path

from nimtui.agents.program import CS50, JSON
from nimtui.errors import InputError
from nimtui.foreign.reading import contents
from nimtui.games import Game
from nimtui.learning.students.learner import LARGEST, Assignment, built_in, defined, likeliest
from nimtui.sandbox.command import within

START = "start"
LONGEST = 4096  # bytes of a line
READS = ("input(", "stdin")  # a Python file with one of these speaks in lines


def is_hand_in(path: Path) -> bool:
    """Return whether a file defines what an assignment asks for."""
    return path.suffix == ".py" and likeliest(path) is not None and bool(defined(path))


def plays(assignment: Assignment, game: str) -> bool:
    """Return whether files of an assignment play this game, whose name is canonical."""
    if not assignment.game:
        return False
    return game == assignment.game or (game.startswith(f"{assignment.game}:") and ":max" not in game)


def agent_of(path: Path, game: Game) -> str:
    """Return the name of the agent that a file or folder is. Raises InputError if it is none."""
    if not path.is_dir():
        return _of_file(path, game)
    if (path / START).is_file():
        kind, _, command = line_of(path).partition(":")
        if kind == CS50:
            return f"{kind}:{shlex.quote(str((path / command).absolute()))}"
        return f"{kind}:{within(str(path), command)}"
    files = [file for file in sorted(path.iterdir()) if file.is_file() and can_play(file)]
    names = [f"{one.path.stem}.py" for one in built_in() if plays(one, game.name)]
    likely = [file for file in files if file.name in names] or files
    if len(likely) != 1:
        raise InputError(f"the folder has {len(files)} programs: a file '{START}' with a command says which plays")
    return _of_file(likely[0], game)


def can_play(path: Path) -> bool:
    """Return whether a file or folder may be a player."""
    return path.is_dir() or path.suffix == ".py" or os.access(path, os.X_OK)


def starts(path: Path) -> bool:
    """Return whether a folder says how it starts, or a file can be run."""
    return (path / START).is_file() if path.is_dir() else os.access(path, os.X_OK)


def speaks(path: Path) -> bool:
    """Return whether a file or folder is a program that answers lines; of Python files by their text."""
    with suppress(InputError):
        return _reads_lines(path) if path.suffix == ".py" else starts(path)
    return False


def _reads_lines(path: Path) -> bool:
    """Return whether a Python file reads its standard input. Raises InputError if it cannot be read."""
    try:
        text = contents(path, LARGEST).decode(errors="replace")
    except OSError as fault:
        raise InputError(f"{path.name} cannot be read: {fault.strerror}") from None
    return any(word in text for word in READS)


def _of_file(path: Path, game: Game) -> str:
    """Return the name of the agent that a file is: a program, or a Python file of an assignment."""
    file = shlex.quote(str(path.absolute()))
    if path.suffix != ".py":
        return f"{JSON}:{file}"
    if not _reads_lines(path):
        own = likeliest(path)
        if own is not None and defined(path) and not plays(own, game.name):
            raise InputError(f"{path.name} plays {own.game}, not {game.name}")
        if own is not None or any(plays(one, game.name) for one in built_in()):
            return f"{CS50}:{file}"
    return f"{JSON}:{shlex.quote(sys.executable)} {file}"


def line_of(path: Path) -> str:
    """Return the line in a folder's file `start`: 'cmd:./bot'. Raises InputError if it cannot be read."""
    try:
        with (path / START).open("rb") as file:
            line = file.readline(LONGEST).decode().strip()
    except (OSError, ValueError) as fault:
        raise InputError(f"{path / START} cannot be read: {fault}") from None
    kind, colon, _ = line.partition(":")
    return line if colon and kind.isalnum() else f"cmd:{line}"
