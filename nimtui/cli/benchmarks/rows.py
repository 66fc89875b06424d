"""Benchmarks and their results: both sides take turns, and the best of some rounds counts."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias

from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Column, Report, Table
from nimtui.report.values import Number, Ratio, Word

Work: TypeAlias = Callable[[], float]

ROUNDS = 3


PYTHON = f"{platform.python_implementation()} {platform.python_version()}"


def program(title: str, package: str, language: str = "") -> str:
    """Return the name of another program, with its version if it is installed, and its language."""
    from importlib.metadata import PackageNotFoundError, version

    with suppress(PackageNotFoundError):
        title += f" {version(package)}"
    return ", ".join(filter(None, (title, language)))


@dataclass(frozen=True, slots=True)
class Row:
    """One result. `baseline` and `ratio` are None if the other program is not installed."""

    name: str
    nimtui: float
    baseline: float | None
    against: str
    unit: str
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Two ways to do the same work.

    `ours` and `theirs` prepare (compile, build) and return a function that does the work once and returns the number
    of units done. `theirs` returns None if the program is missing.
    """

    name: str
    unit: str
    against: str
    ours: Callable[[], Work]
    theirs: Callable[[], Work | None]
    rounds: int = ROUNDS

    def measure(self, progress: Progress = SILENT) -> Row:
        """Return the units per second of both sides, the best round of each."""
        ours, theirs = self.ours(), self.theirs()
        best = other = 0.0
        for number in range(self.rounds):
            progress.report(number, self.rounds, self.name)
            best = max(best, _rate(ours))
            if theirs is not None:
                other = max(other, _rate(theirs))
        progress.report(self.rounds, self.rounds, self.name)
        if theirs is None:
            return Row(self.name, best, None, f"{self.against} (not installed)", self.unit, None)
        return Row(self.name, best, other, self.against, self.unit, best / other)


def counting(units: float, do: Callable[[], object]) -> Work:
    """Return work of so many units."""

    def work() -> float:
        do()
        return units

    return work


def _rate(work: Work) -> float:
    begun = perf_counter()
    done = work()
    return done / (perf_counter() - begun)


class Rate(Number):
    """Units per second: '5,000,000', and two digits at least: '0.11'."""

    def size(self, value: float) -> str:
        return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def report(rows: Sequence[Row]) -> Report:
    """Return the report of these results."""
    columns = [
        Column("what", lambda row: Word(row.name), "name", left=True),
        Column("nimtui", lambda row: Rate(row.nimtui), "nimtui"),
        Column("baseline", lambda row: Rate(row.baseline), "baseline"),
        Column("ratio", lambda row: Ratio(row.ratio), "ratio"),
        Column("unit", lambda row: Word(row.unit), "unit", left=True),
        Column("against", lambda row: Word(row.against), "against", left=True),
    ]
    return Report([Table("rows", columns, rows)])
