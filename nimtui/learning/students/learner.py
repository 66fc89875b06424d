"""A student's file as a learner, `cs50:nim.py`, its assignment, and the questions to its process.

An assignment says what a student's Python file must define, the rules that are tried on it, and how it plays. It is a
file in TOML, see `nim.toml` beside this file; docs/classes.md explains each key.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from nimtui.errors import InputError, shortened, unknown
from nimtui.foreign.reading import contents, syntax, toml
from nimtui.sandbox.command import Command, FaultKind
from nimtui.sandbox.program import USUAL, Program

if TYPE_CHECKING:
    from nimtui.games import Game

FOLDER = Path(__file__).parent
BUILT_IN = {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}
TEXTS = ("title", "game", "trained", "setup", "start", "train", "alike", "move")  # keys of an assignment with a text
LIMITS = ("seconds", "each")  # of a rule, and of one of its cases
RULE = {"name", "for", "try", "right", "say", *LIMITS}  # keys of a rule
NEEDED = ("name", "try", "say")  # of them
SECONDS = 20.0  # for a rule
LARGEST = 1 << 20  # bytes of a file


@dataclass(frozen=True)
class Assignment:
    """An assignment. All code is Python, and sees the names that the file defines."""

    path: Path
    title: str
    needs: tuple[str, ...]  # names that the file must define: 'NimAI', 'NimAI.train'
    rules: tuple[Mapping[str, Any], ...]
    game: str = ""  # the first word of the games that such a file plays, '': none
    trained: str = ""  # the game that such a file learns by its own training, '': none
    setup: str = ""  # run once after the file
    start: str = ""  # run then in a process that plays or trains
    train: str = ""  # run then, once: makes `ai`, and calls `between` before each game
    alike: str = ""  # an expression that tells two trained players apart: an iterator over their moves
    move: str = ""  # an expression for the name of a move, of `position` and `moves`

    def command(self, file: Path, names: str | None = None) -> Command:
        """Return the process that runs a student's file; to play or train, with these `names` set by Python."""
        start, train = ("", "") if names is None else (f"{names}\n{self.start}", self.train)
        words = (sys.executable, "-B", str(FOLDER / "host.py"), str(file), self.setup, start, train)
        return Command(words, str(file))


@cache
def built_in() -> tuple[Assignment, ...]:
    """Return the assignments that nimtui knows."""
    return tuple(read(path) for path in BUILT_IN.values())


def read(path: Path) -> Assignment:
    """Return the assignment in a file. Raises InputError that names what is wrong in it."""
    keys = toml(path)
    for key, value in keys.items():
        if key not in (*TEXTS, "needs", "rules"):
            raise unknown(f"key in {path}", key, (*TEXTS, "needs", "rules"))
        if key in TEXTS and not isinstance(value, str):
            raise InputError(f"{path}: {key} must be a text")
    needs, rules = keys.get("needs", []), keys.get("rules", [])
    if not (isinstance(needs, list) and needs and all(isinstance(name, str) for name in needs)):
        raise InputError(f'{path}: needs must be a list of names, such as needs = ["NimAI", "NimAI.train"]')
    if not (isinstance(rules, list) and all(isinstance(rule, dict) for rule in rules)):
        raise InputError(f"{path}: rules must be a list of tables")
    for key in ("setup", "start", "train"):
        try:
            compile(keys.get(key, ""), key, "exec")
        except (SyntaxError, ValueError) as fault:
            raise InputError(f"{path}: {key} is not Python: {fault}") from None
    for rule in rules:
        _check(path, rule)
    texts = {key: keys[key] for key in TEXTS if key in keys}
    return Assignment(path, **{"title": path.stem, **texts}, needs=tuple(needs), rules=tuple(rules))


def _check(path: Path, rule: Mapping[str, Any]) -> None:
    """Raise InputError if a rule lacks something, has an unknown key, or its code is not Python."""
    name = rule.get("name", "a rule without a name")
    if lacking := [key for key in NEEDED if key not in rule]:
        raise InputError(f"{path}: {name} lacks: {', '.join(lacking)}")
    if more := set(rule) - RULE:
        raise unknown(f"key of the rule {name} in {path}", min(more), sorted(RULE))
    for key in RULE - {*LIMITS} & set(rule):
        if not isinstance(rule.get(key, ""), str):
            raise InputError(f"{path}: {key} of {name} must be a text")
    for key in LIMITS:
        if not isinstance(seconds := rule.get(key, SECONDS), int | float) or isinstance(seconds, bool) or seconds <= 0:
            raise InputError(f"{path}: {key} of {name} must be a number above 0")
    cases = rule.get("for", "x in ()")
    names = {name.strip() for name in cases.partition(" in ")[0].split(",")} | {"got", "right"}
    try:
        others = {field for _, field, _, _ in Formatter().parse(rule["say"]) if field is not None} - names
    except ValueError as fault:
        raise InputError(f"{path}: say of {name}: {fault}") from None
    if others:
        raise InputError(f"{path}: say of {name} names {{{min(others)}}}: one of {', '.join(sorted(names))}")
    for code in (rule["try"], re.sub(r"^[<>]=", "", rule.get("right", "True")).strip(), f"[0 for {cases}]"):
        try:
            compile(code, name, "eval")
        except (SyntaxError, ValueError) as fault:
            raise InputError(f"{path}: {name}: '{code}' is not a Python expression: {fault}") from None


def parsed(file: Path) -> ast.Module:
    """Return the syntax of a Python file. Raises InputError if it is not Python, or cannot be read."""
    try:
        return syntax(contents(file, LARGEST), file.name)
    except OSError as fault:
        raise InputError(f"{file} cannot be read: {fault.strerror}") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        raise InputError(f"{file} is not Python: {fault}") from None


def defined(file: Path) -> set[str]:
    """Return the names of the classes and functions of a Python file, without running it: {'NimAI', 'NimAI.train'}.

    Empty if it is not Python, or cannot be read.
    """
    try:
        tree = parsed(file)
    except InputError:
        return set()
    kinds = ast.FunctionDef | ast.ClassDef
    names = {node.name for node in tree.body if isinstance(node, kinds)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, kinds)}
    return names


def likeliest(file: Path) -> Assignment | None:
    """Return the built-in assignment of which this file defines most, at least half; None if it defines less."""
    names = defined(file)
    shares = [(sum(need in names for need in one.needs) / len(one.needs), one) for one in built_in()]
    share, best = max(shares, key=lambda pair: pair[0])
    if share >= 0.5:
        return best
    return next((one for one in built_in() if file.stem == one.path.stem), None)


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
