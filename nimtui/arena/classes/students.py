"""The students of a folder: the player that each file or folder is, and whether it starts."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from nimtui.agents import parse_agent, student
from nimtui.agents.agent import AgentFault, Judged
from nimtui.agents.home_programs import START, line_of
from nimtui.agents.program import ProgramAgent
from nimtui.learning.students.assignment import built_in
from nimtui.arena.classes.settings import FILE
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.progress import SILENT, Progress
from nimtui.sandbox.command import within
from nimtui.sandbox.faults import FaultKind

READS = ("input(", "stdin")  # a Python file with one of these speaks in lines
LARGEST = 64 << 20  # bytes of a folder that count


class Student(NamedTuple):
    """A student's hand-in."""

    name: str
    agent: str  # its name as an agent, '' if it is no player
    digest: str  # of all its files
    fault: str = ""  # why it does not start

    @property
    def plays(self) -> bool:
        return not self.fault


def students(
    folder: Path, game: Game, tried: Mapping[str, str], seconds: float, progress: Progress = SILENT
) -> list[Student]:
    """Return the students of a folder by name; each starts once and makes a move.

    `tried`: the faults by name and digest of those that were tried before. Raises InputError without a student.
    """
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as fault:
        raise InputError(f"{folder} cannot be read: {fault.strerror}") from None
    places = [path for path in entries if path.name[0] not in "._" and path.name != FILE and _is_student(path)]
    if not places:
        raise InputError(f"{folder} has no file or folder of a student")
    stems = [path.stem for path in places]
    rows = []
    for number, path in enumerate(places):
        name = path.name if stems.count(path.stem) > 1 else path.stem
        digest = digest_of(path)
        key = f"{name} {digest}"
        try:
            agent = parse_agent(_agent_of(path, game), game)
            why = tried[key] if key in tried else _fault(agent, game, seconds)
            rows.append(Student(name, agent.name, digest, why))
        except InputError as wrong:
            rows.append(Student(name, "", digest, str(wrong)))
        progress.report(number + 1, len(places), "students")
    return rows


def _is_student(path: Path) -> bool:
    return path.is_dir() or path.suffix == ".py" or os.access(path, os.X_OK)


def _agent_of(path: Path, game: Game) -> str:
    """Return the name of the agent that a file or folder is. Raises InputError if it is none."""
    if not path.is_dir():
        return _of_file(path, game)
    if (path / START).is_file():
        kind, _, command = line_of(path).partition(":")
        return f"{kind}:{within(str(path), command)}"
    files = [file for file in sorted(path.iterdir()) if file.is_file() and _is_student(file)]
    names = [f"{one.path.stem}.py" for one in built_in() if student.plays(one, game.name)]
    likely = [file for file in files if file.name in names] or files
    if len(likely) != 1:
        raise InputError(f"the folder has {len(files)} programs: a file '{START}' with a command says which plays")
    return _of_file(likely[0], game)


def _of_file(path: Path, game: Game) -> str:
    """Return the name of the agent that a file is: a program, or a Python file of an assignment."""
    file = shlex.quote(str(path.absolute()))
    if path.suffix != ".py":
        return f"cmd:{file}"
    text = path.read_bytes().decode(errors="replace")
    assigned = any(student.plays(one, game.name) for one in built_in())
    if assigned and not any(word in text for word in READS):
        return f"{student.WORD}:{file}"
    return f"cmd:{shlex.quote(sys.executable)} {file}"


def _fault(agent: object, game: Game, seconds: float) -> str:
    """Return why an agent does not start, '' if it does."""
    assert isinstance(agent, Judged)
    state = game.new()
    try:
        if isinstance(agent, ProgramAgent):
            agent.choose_within(state, Stream(0), SILENT, seconds)
    except AgentFault as fault:
        return _reason(fault) if fault.kind is FaultKind.NO_START else ""
    finally:
        if isinstance(agent, ProgramAgent):
            agent.end()
    return ""


def _reason(fault: AgentFault) -> str:
    return ": ".join([str(fault), *fault.errors[-1:]])


def digest_of(path: Path) -> str:
    """Return the digest of a file, or of all files in a folder with their names."""
    total, size = sha256(), 0
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in files:
        if not file.is_file() or "__pycache__" in file.parts:
            continue
        size += file.stat().st_size
        if size > LARGEST:
            break
        data = file.read_bytes()
        total.update(f"{file.relative_to(path.parent)} {len(data)}\n".encode() + data)
    return total.hexdigest()
