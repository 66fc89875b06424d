"""The students of a folder: the player that each file or folder is, and whether it starts."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from hashlib import sha256
from pathlib import Path
from shutil import copy2, copytree, rmtree
from typing import NamedTuple, TypeAlias

from nimtui.agents import parse_agent, program
from nimtui.agents.agent import AgentFault, Clock
from nimtui.agents.path import agent_of
from nimtui.agents.program import ProgramAgent
from nimtui.arena.classes.settings import Settings, hand_ins, names_of
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.report.lines import FIRM
from nimtui.sandbox.command import CLASS, PLACES, FaultKind
from nimtui.store import paths

Tried: TypeAlias = Mapping[tuple[str, str], str]  # why those that were tried before do not start: by agent and digest
LOOK = 0.1  # seconds between two looks at a stop
LARGEST = 64 << 20  # bytes of a folder that count
OUTSIDE = "a link, or the command in its file 'start', leads outside the hand-in"


class Student(NamedTuple):
    """A student's hand-in."""

    name: str
    agent: str  # its name as an agent, '' if it is no player
    digest: str  # of all its files
    fault: str = ""  # why it does not start


def students(
    folder: Path, game: Game, tried: Tried, rules: Settings, workers: int = 1, progress: Progress = SILENT
) -> list[Student]:
    """Return the students of a folder by name; each starts once and makes a move, so many side by side.

    Raises InputError without a student.
    """
    places = hand_ins(folder)
    if not places:
        raise InputError(f"{folder} has no file or folder of a student")
    names, trials = names_of(places, rules), [_Trial() for _ in places]
    with ThreadPoolExecutor(workers, "students") as threads:
        rows = [
            threads.submit(_student, path, name, game, tried, rules, trial)
            for path, name, trial in zip(places, names, trials, strict=True)
        ]
        try:
            while waiting := [row for row in rows if not row.done()]:
                wait(waiting, LOOK, FIRST_COMPLETED)
                done = (1.0 if row.done() else trial.share for row, trial in zip(rows, trials, strict=True))
                now = [name for row, name in zip(rows, names, strict=True) if row.running()]
                progress.report(sum(done), len(rows), f"students, now {', '.join(now)}" if now else "students")
        except BaseException:  # also a stop
            for trial in trials:
                trial.stopped = True
            raise
        everyone = [row.result() for row in rows]
    if rules.anonymous:
        for copy in _copies(folder).glob("*/"):
            if copy.name not in [one.digest for one in everyone]:
                rmtree(copy, ignore_errors=True)
    return everyone


class _Trial(Progress):
    """How far the training of a hand-in is. Ends it when all trials are stopped."""

    share, stopped = 0.0, False

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.stopped:
            raise Cancelled
        if total:
            self.share = min(0.99, done / total)


def _student(path: Path, name: str, game: Game, tried: Tried, rules: Settings, trial: _Trial) -> Student:
    trial.report(0, 0)
    student = Student(name, "", "")
    try:
        if os.path.realpath(path) != _own(path):
            raise InputError(OUTSIDE)
        if not (path.is_file() or path.is_dir()):
            raise InputError("no ordinary file")
        student = student._replace(digest=digest_of(path))
        place = _copied(path, student) if rules.anonymous else path
        agent = parse_agent(_agent_of(place, game, name, rules.memory), game)
        fault = tried.get((agent.name, student.digest))
        fault = _fault(agent, game, rules.move_time, trial) if fault is None else fault
        return student._replace(agent=agent.name, fault=fault)
    except InputError as wrong:
        return student._replace(fault=str(wrong))
    except OSError as wrong:
        return student._replace(fault=f"cannot be read: {wrong.strerror or 'no ordinary file in it'}")


def _own(path: Path) -> str:
    """Return where a file or folder is, if it is no link."""
    return os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118


def _copies(folder: Path) -> Path:
    """Return the folder for copies of an anonymous class, whose paths name no student."""
    return paths.home() / "classes" / sha256(os.path.realpath(folder).encode()).hexdigest()[:16]


def _copied(path: Path, student: Student) -> Path:
    """Return a copy of a hand-in under its name in the report. Raises OSError."""
    copies = paths.ensure(_copies(path.parent) / student.digest)
    (copies.parent / CLASS).touch()  # closes the copies in
    copy = copies / (student.name + path.suffix)
    if path.is_dir():
        copytree(path, copy, symlinks=True, ignore=lambda *_: {"__pycache__"}, dirs_exist_ok=True)
    else:
        copy2(path, copy)
    return copy


def _agent_of(path: Path, game: Game, name: str, memory: int) -> str:
    """Return the name of the agent that a hand-in is. Raises InputError if it is none, or uses other files."""
    kind, _, command = agent_of(path, game).partition(":")
    words = [word for word in shlex.split(command) if not word.startswith("--")]
    if Path(words[0]).parent.name in PLACES:
        del words[0]
    if not all(Path(os.path.realpath(word)).is_relative_to(_own(path)) for word in words if word.startswith(os.sep)):
        raise InputError(OUTSIDE)
    named = f"{program.NAME}=" + shlex.quote(FIRM.join(name.split()))
    return f"{kind}:{named} {program.MEMORY}={memory} {command}"


def _fault(agent: object, game: Game, seconds: float, progress: Progress) -> str:
    """Return why an agent does not start, '' if it does."""
    assert isinstance(agent, ProgramAgent)
    agent.clock = Clock(seconds)
    try:
        agent.choose(game.new(), Stream(0), progress)
    except AgentFault as fault:
        reason = str(fault).removeprefix(f"{agent.title} ").removeprefix("did not start: ")
        return reason if fault.kind is FaultKind.NO_START else ""
    finally:
        agent.end()
    return ""


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
