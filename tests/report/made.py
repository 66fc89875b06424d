"""Every report of the package, made once from real results of small games, and which functions made it.

Commands make most of them, functions the rest: whatever makes a `Report` while they run is found, with its callers.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from unittest import mock

import nimtui
from nimtui.arena.standings.standings_report import openings
from nimtui.cli.app import run
from nimtui.cli.benchmarks import rows as benchmarks
from nimtui.cli.plain import lines
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.jobs import sweep as jobs_sweep
from nimtui.jobs.tournament import StoppedTournament
from nimtui.learning import opponents, saved_tables, taught
from nimtui.learning import sweep as learning_sweep
from nimtui.playing.teaching import _lesson
from nimtui.progress import SILENT
from nimtui.report.blocks import Report
from nimtui.store import sweeps
from nimtui.store.database import Database
from nimtui.ui.library import catalogue
from nimtui.ui.library.catalogue import Scanner, game_of
from nimtui.ui.library.details import details
from nimtui.ui.library.shelf import Kind
from nimtui.ui.play import view
from tests.jobs.piecework import Threads
from tests.learning.helpers import random_record

PACKAGE = Path(nimtui.__file__).parent
CALLS = (
    *(f"solve {game}" for game in ("tower:9", "nim:3,4,5", "nim:2,2:misere", "kayles:5", "connect:4x4x4")),
    "solve noughts -p xo./.x./..o",
    "solve nim:1,1 -p 0,0",
    *(f"moves {game} --agent random" for game in ("tower:9", "nim:2,2:misere", "noughts", "connect:4x4x4")),
    "moves nim:3,4,5 --agent perfect",
    "moves kayles:5 --agent mc:playouts=50",
    "moves noughts --agent mcts:simulations=50",
    "moves connect:4x4x4 --agent alphabeta:depth=3",
    "search nim:3,4,5 --algorithm alphabeta --depth 4 --table",
    "search tower:9 --algorithm alphabeta --deepening --time 0.05",
    "search noughts --algorithm mcts --simulations 100",
    "search kayles:5 --algorithm minimax --algorithm alphabeta --algorithm mcts --depth 3 --simulations 100 --table",
    "compare kayles:5 -a mc:playouts=50 -a mcts:simulations=50 -a perfect --curve",
    "compare nim:2,2:misere -a random -a alphabeta:depth=3",
    "compare tower:9 -a easy -a perfect --positions",
    "match nim:3,4,5 --first random --second perfect -n 20 --alternate --save",
    "match noughts --first mcts:simulations=30 --second mc:playouts=20 --save-thoughts",
    "match noughts --first random --second random --save",
    "tournament tower:9 nim:2,2:misere -a random -a easy -a perfect -n 20 -w 1 --name ladder",
    "tournament kayles:5 -a random -a perfect -n 100 --sprt elo0=0,elo1=200 -w 1",
    "tournament tower:9 -a random -a perfect --pairs ordered -n 4 -w 1",
    "tournaments list",
    "ratings 2 4",
    "games list --limit 3",
    "games list --game connect4",
    "games show 2 --estimate mc:playouts=20",
    "games show 4:1",
    "games export --to {home}/games.txt",
    "games import {home}/games.txt",
    "games check",
    "train kayles:5 -n 2000",
    "sample nim:3,4",
    "train tower:9 -l reward -n 2000 --seed 1 --save {home}/tables/one.npz",
    "train tower:9 -l quality -n 500 --seed 2 --save {home}/tables/two.npz",
    "table one",
    "table one -p 1,3,1",
    "table mine --versions",
    "sweep --resume {home}/sweeps/one.jsonl",
    "sequence kayles:9 --to 20",
    "sequence nim:9:misere --to 9",
    "sequence octal:0.77 --to 90",
    "quotient octal:0.123 --to 9 --sum 8,5",
    "book",
    "check mc",
    "config",
    "keys",
)
TYPED = {
    "play nim:3,4,5 --plain --second perfect": "why\nhint\nsearch\nmoves\na1\nreview\nquit\n",
    "solve nim:3,4,5 --stdin": "1,4,5\n0,0,0\n3,1,1\n",
    "solve connect4:4x4 --stdin": "\n1223\n121212\n",
}


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax of every file of the package, by its path within."""
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    gc.disable()
    found = {name: ast.parse(path.read_text("utf-8")) for name, path in paths.items()}
    gc.freeze()  # they stay: no collection of garbage goes through them
    gc.enable()
    return found


class Made(NamedTuple):
    """A report, what made it, and the functions that were at work: 'theory/report.py:solved'."""

    report: Report
    call: str
    makers: frozenset[str]


@cache
def reports() -> tuple[Made, ...]:
    """Return all reports, in the order in which they were made."""
    made: list[Made] = []
    make, call = Report.__init__, ""

    def record(report: Report, *given: Any, **named: Any) -> None:
        make(report, *given, **named)
        made.append(Made(report, call, frozenset(_makers(sys._getframe(1)))))

    with tempfile.TemporaryDirectory() as folder, _at_home(folder, record):
        _teach()
        _sweep()
        for call in (*CALLS, *TYPED):
            _run(call.replace("{home}", folder).split(), TYPED.get(call, ""))
        for call in OTHERS:
            OTHERS[call]()
    return tuple(made)


@contextlib.contextmanager
def _at_home(folder: str, record: Any) -> Iterator[None]:
    """Within, files are in this folder, and each new report is recorded."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {"NIMTUI_HOME": folder, "COLUMNS": "100"}))
        stack.enter_context(mock.patch.object(Report, "__init__", record))
        stack.enter_context(mock.patch.object(lines, "PATIENCE", 1e6))
        yield


def _makers(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if PACKAGE in path.parents:
            yield f"{path.relative_to(PACKAGE).as_posix()}:{frame.f_code.co_name}"
        frame = frame.f_back


def _run(words: list[str], typed: str = "") -> None:
    """Run a command that succeeds, with these lines on stdin."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch.object(sys, "stdin", stdin):
        status = run(words)
    assert status == 0, (words, err.buffer.getvalue().decode())


LESSONS = parse_game("nim:1,3,5")


def _teach() -> None:
    """Save a table that learned from two games, under the name 'mine'."""
    before = opponents.train_interpreted(LESSONS, "reward", 10, 1)
    for seed in (1, 2):
        given = taught.Lesson.of(random_record(LESSONS, seed), None, ("me", "easy"), 1_700_000_000.0 + seed, seed)
        taught.keep(saved_tables.new_place("mine"), "easy", before, [given])


def _sweep() -> None:
    """Save a finished sweep, which trained in this process."""
    sweeps.folder().mkdir()
    plan = learning_sweep.plan(parse_game("nim:2,2"), "quality", ["margin=50,90"], 2, 500, 1)
    log = jobs_sweep.begin(plan, sweeps.folder() / "one.jsonl")
    with contextlib.closing(log):
        jobs_sweep.Sweep(plan, log, lambda: Threads(1)).work()


def _lessons() -> None:
    """What the panel of Play says after a lesson."""
    table = opponents.train_interpreted(LESSONS, "reward", 10, 1)
    given = taught.Lesson.of(random_record(LESSONS, 3), None, ("me", "easy"), 1_700_000_000.0, 10)
    view.learned_report("Easy", _lesson(table, given)[1], "Forgotten when you quit.")


def _library() -> None:
    """The details of everything saved, and each comparison of two or three items of a kind."""
    database = Database()
    with contextlib.closing(database):
        items = Scanner().look(lambda: database)
        for item in (*items, game_of("4:1", lambda: database)):
            details(item, lambda: database)
        for kind in Kind:
            some = [item for item in items if item.kind is kind]
            for pair in combinations(some[:3], 2):
                with contextlib.suppress(InputError):
                    if not catalogue.why_not(*pair):
                        catalogue.compare(pair, lambda: database, SILENT)
        catalogue.compare([item for item in items if item.kind is Kind.TOURNAMENT][:3], lambda: database, SILENT)


def _first_moves() -> None:
    """The first moves of a saved tournament, as its page lists them."""
    with contextlib.closing(Database()) as database:
        held = StoppedTournament(database, 2)
        openings(held.plan, held.view.scores)


def _benchmarks() -> None:
    """Two ways to do the same work, of which one may not be installed."""
    one = benchmarks.Benchmark("sums", "sums/s", "Python", lambda: lambda: sum(range(9)), lambda: lambda: 36.0)
    other = benchmarks.Benchmark("漢字", "sums/s", "nobody", lambda: lambda: sum(range(9)), lambda: None)
    benchmarks.report([one.measure(), other.measure()])


OTHERS = {"first moves": _first_moves, "library": _library, "lesson": _lessons, "benchmark": _benchmarks}
