"""The students of a folder: the player that each file or folder is, and whether it starts."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from nimtui.agents import parse_agent, program
from nimtui.agents.agent import AgentFault, Judged
from nimtui.agents.path import agent_of
from nimtui.arena.classes.settings import MEMORY, Settings, hand_ins
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.sandbox.faults import FaultKind

LOOK = 0.1  # seconds between two looks at a stop
LARGEST = 64 << 20  # bytes of a folder that count
SHARED = "another hand-in starts the same command: 'start' must name a file of its own folder"


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
    folder: Path,
    game: Game,
    tried: Mapping[tuple[str, str], str],
    rules: Settings,
    workers: int = 1,
    progress: Progress = SILENT,
) -> list[Student]:
    """Return the students of a folder by name; each starts once and makes a move, so many side by side.

    `tried`: the faults by name and digest of those that were tried before. Raises InputError without a student.
    """
    places = hand_ins(folder)
    if not places:
        raise InputError(f"{folder} has no file or folder of a student")
    stems = [path.stem for path in places]
    names = [path.name if stems.count(path.stem) > 1 else path.stem for path in places]
    trials = [_Trial() for _ in places]
    with ThreadPoolExecutor(workers, "students") as threads:
        rows = [
            threads.submit(_student, path, name, game, tried, rules, trial)
            for path, name, trial in zip(places, names, trials, strict=True)
        ]
        try:
            while not all(row.done() for row in rows):
                wait(rows, LOOK, FIRST_COMPLETED)
                done = (1.0 if row.done() else trial.share for row, trial in zip(rows, trials, strict=True))
                progress.report(sum(done), len(rows), "students")
        except BaseException:  # also a stop
            for trial in trials:
                trial.stopped = True
            raise
        everyone = [row.result() for row in rows]
    agents = Counter(one.agent for one in everyone if one.plays)
    return [one._replace(fault=SHARED) if agents[one.agent] > 1 else one for one in everyone]


class _Trial(Progress):
    """How far the training of a hand-in is. Ends it when all trials are stopped."""

    share, stopped = 0.0, False

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.stopped:
            raise Cancelled
        if total:
            self.share = min(0.99, done / total)


def _student(
    path: Path, name: str, game: Game, tried: Mapping[tuple[str, str], str], rules: Settings, trial: _Trial
) -> Student:
    trial.report(0, 0)
    digest = ""
    try:
        digest = digest_of(path)
        agent = parse_agent(_agent_of(path, game, rules.memory), game)
        before = tried.get((name, digest))
        # The other hand-in may have changed.
        fault = _fault(agent, game, rules.move_time, trial) if before in (None, SHARED) else before
        return Student(name, agent.name, digest, fault)
    except InputError as wrong:
        return Student(name, "", digest, str(wrong))
    except OSError as wrong:
        return Student(name, "", digest, f"cannot be read: {wrong.strerror or wrong}")


def _agent_of(path: Path, game: Game, memory: int) -> str:
    """Return the name of the agent that a hand-in is. Raises InputError if it is none, or uses another's files."""
    name = agent_of(path, game)
    room, own = path.parent.resolve(), path.parent.resolve() / path.name
    for word in shlex.split(name.partition(":")[2]):
        file = Path(word).resolve()
        if word.startswith(os.sep) and file.is_relative_to(room) and not file.is_relative_to(own):
            raise InputError(f"{path.name} leads to another's file")
    kind, _, command = name.partition(":")
    return name if memory == MEMORY else f"{kind}:{program.MEMORY}={memory} {command}"


def _fault(agent: object, game: Game, seconds: float, progress: Progress) -> str:
    """Return why an agent does not start, '' if it does."""
    assert isinstance(agent, Judged)
    try:
        agent.choose_within(game.new(), Stream(0), progress, seconds)
    except AgentFault as fault:
        return ": ".join([str(fault), *fault.errors[-1:]]) if fault.kind is FaultKind.NO_START else ""
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
