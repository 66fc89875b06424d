"""The folder of a class: its settings, and its students.

The settings stand in the folder's `class.toml`: pool, games, limits, and the scale of marks. The students are its files
and folders: which player each is, and whether it starts.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from hashlib import sha256
from itertools import count
from pathlib import Path
from secrets import token_hex
from shutil import copy2, copytree, rmtree
from typing import Any, NamedTuple, TypeAlias

from nimtui.agents import parse_agent, program
from nimtui.agents.agent import AgentFault, Clock
from nimtui.agents.parse import agent_of, can_play
from nimtui.agents.program import ProgramAgent
from nimtui.arena.play.plan import FAULT_RULES, LOSES_GAME
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, shortened, unknown
from nimtui.foreign.reading import is_there, toml
from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.report.document import sheet
from nimtui.report.lines import FIRM
from nimtui.sandbox.command import CLASS, PLACES, FaultKind
from nimtui.store import files, paths

FILE = CLASS
USUAL_POOL = ("random", "easy", "hard", "perfect")
MEMORY = 2048  # MiB
LEAST = {"games": 1, "memory": 16}  # of whole numbers; of all others 0
USUAL_MARKS = {"A": 60.0, "B": 50.0, "C": 40.0, "D": 30.0, "F": 0.0}
TEMPLATE = f"""\
# A class: `nimtui class FOLDER GAME`. Without a line its default holds, which stands here.
seed = 0                  # the same seed gives the same games
games = 20                # of each pairing, with alternating seats
openings = "random:2"     # or start, or balanced:2 in a game without draws
pool = {json.dumps(USUAL_POOL)}   # each student meets all of them
move_time = 5.0           # seconds; of a slower move the game is lost
game_time = 0.0           # seconds for all moves of a game; 0: no limit
memory = 2048             # MiB of each hand-in
fault = "{LOSES_GAME}"            # what a fault costs: game, match or void
league = 30               # at most so many students meet each other; 0: none do
anonymous = false         # names such as student 4c1f instead of those of the files
secret = "SECRET"  # anonymous names follow from it

[marks]                   # the least percentage of points against the pool
{"".join(f"{mark} = {least:g}{chr(10)}" for mark, least in USUAL_MARKS.items())}"""


class Settings(NamedTuple):
    """The settings of a class."""

    seed: int = 0
    games: int = 20
    openings: str = "random:2"
    pool: tuple[str, ...] = USUAL_POOL
    move_time: float = 5.0
    game_time: float = 0.0
    memory: int = MEMORY
    fault: str = LOSES_GAME
    league: int = 30
    anonymous: bool = False
    secret: str = ""
    marks: Mapping[str, float] = USUAL_MARKS

    def mark(self, share: float | None) -> str:
        """Return the mark for a share of points, 0 to 1; without games the lowest."""
        order = sorted(self.marks, key=lambda mark: -self.marks[mark])
        reached = (mark for mark in order if share is not None and share >= self.marks[mark] / 100 - 1e-9)
        return next(reached, order[-1])


def begin(folder: Path) -> bool:
    """Write the default settings into a folder without any; return whether they are new. Raises StoreError.

    The sandbox knows a class by this file: then no hand-in reads another.
    """
    if is_there(folder / FILE):
        return False
    files.create(folder / FILE, lambda file: file.write(TEMPLATE.replace("SECRET", token_hex(8)).encode()))
    return True


def hand_ins(folder: Path) -> list[Path]:
    """Return the files and folders of students, by name. Raises InputError if the folder cannot be read."""
    return [path for path in _entries(folder) if can_play(path)]


def omitted(folder: Path) -> str:
    """Return which files cannot be run, of an anonymous class how many: 'not executable: bot.sh'; '' if none."""
    names = [path.name for path in _entries(folder) if not can_play(path)]
    which = plural(len(names), "file", "files") if read(folder).anonymous else shortened(", ".join(names))
    return f"not executable: {which}" if names else ""


def names_of(hand_ins: Sequence[Path], rules: Settings) -> list[str]:
    """Return the names of hand-ins, all different: without `.py` unless that is taken, or as the secret says."""
    taken = {*rules.pool, *(path.name for path in hand_ins)}
    if not rules.anonymous:
        short = [path.name.removesuffix(".py") for path in hand_ins]
        return [path.name if name in taken else name for path, name in zip(hand_ins, short, strict=True)]
    names: dict[str, None] = {}
    for path in hand_ins:
        codes = (sha256(f"{rules.secret} {path.name} {number}".encode()).hexdigest()[:4] for number in count())
        names[next(name for code in codes if (name := f"student {code}") not in names)] = None
    return list(names)


def names_csv(folder: Path) -> str:
    """Return who is who in an anonymous class as CSV, '' if it is not anonymous."""
    rules, places = read(folder), hand_ins(folder)
    rows = [{"name": name, "hand-in": path.name} for name, path in zip(names_of(places, rules), places, strict=True)]
    return sheet(rows, ("name", "hand-in")) if rules.anonymous else ""


def _entries(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as fault:
        raise InputError(f"{folder} cannot be read: {fault.strerror}") from None
    return [path for path in entries if path.name[0] not in "._" and path.name != FILE]


def read(folder: Path) -> Settings:
    """Return the settings in a folder, the defaults without a file. Raises InputError that says what is wrong."""
    path = folder / FILE
    keys = toml(path) if is_there(path) else {}
    for key, value in keys.items():
        if key not in Settings._fields:
            raise unknown(f"key in {path}", key, Settings._fields)
        _check(path, key, value)
    if isinstance(keys.get("pool"), list):
        keys["pool"] = tuple(keys["pool"])
    if keys.get("anonymous") and not keys.get("secret"):
        raise InputError(f'{path}: anonymous names need a secret, such as secret = "{token_hex(8)}"')
    return Settings(**keys)


def _check(path: Path, key: str, value: Any) -> None:
    """Raise InputError if a setting is not what its default is."""
    usual, whole = Settings._field_defaults[key], isinstance(value, int) and not isinstance(value, bool)
    if key == "pool":
        right = isinstance(value, list) and bool(value) and all(isinstance(name, str) for name in value)
        words = 'a list of agents, such as ["random", "perfect"]'
    elif key == "marks":
        numbers = value.values() if isinstance(value, dict) else ()
        right = bool(numbers) and all(isinstance(least, int | float) and 0 <= least <= 100 for least in numbers)
        words = "percentages from 0 to 100, such as A = 60"
    elif isinstance(usual, bool):
        right, words = isinstance(value, bool), "true or false"
    elif isinstance(usual, int):
        right, words = whole and LEAST.get(key, 0) <= value < 1 << 31, f"a whole number, such as {usual}"
    elif isinstance(usual, float):
        right = (whole or isinstance(value, float)) and value >= (1e-3 if usual else 0.0)
        words = f"{'' if usual else '0 or '}a positive number, such as {usual or 60.0}"
    else:
        right, words = isinstance(value, str), f'a text, such as "{usual or "word"}"'
    if not right:
        raise InputError(f"{path}: {key} must be {words}")
    if key == "fault" and value not in FAULT_RULES:
        raise unknown(f"fault in {path}", value, FAULT_RULES)


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
        for link in [*filter(Path.is_symlink, copy.rglob("*"))]:  # of an earlier trial: no link is replaced
            link.unlink()
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
