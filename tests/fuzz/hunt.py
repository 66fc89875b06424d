"""Many sequences, one after another or several at once; what fails is shrunk, and told once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Lock
from time import monotonic
from typing import NamedTuple

from tests.fuzz import command_lines, on_a_pty, trial
from tests.fuzz.faults import Fault
from tests.fuzz.home import template
from tests.fuzz.shrink import shrink
from tests.fuzz.starts import STARTS
from tests.fuzz.steps import Step
from tests.fuzz.trial import SIZE, Outcome, Trial

SIZES = (*[SIZE] * 4, (60, 20), (60, 20), (120, 40), (200, 60))
TIMES = int(os.environ.get("NIMTUI_FUZZ", "1"))  # how many times as many events the tests give
SHRINKING = 120.0  # seconds a fault, in the long run
TELLING = 5_000  # events between two lines that say how far it is
TRIES = 3  # how often a sequence is run again before it counts as one that fails by chance


class Driver(NamedTuple):
    """What runs sequences: from where they start, how long they are, and how one is run in a home."""

    starts: Sequence[str]
    lengths: Sequence[int]
    run: Callable[[Trial, Path], Outcome]


def drivers() -> dict[str, Driver]:
    """The drivers by name."""
    return {
        "pilot": Driver(sorted(STARTS), (60, 120, 200), trial.run),
        "pty": Driver(sorted(on_a_pty.STARTS), (40, 80), on_a_pty.run),
        "cli": Driver(sorted(command_lines.STARTS), (50,), command_lines.run),
    }


@dataclass(slots=True)
class Found:
    """A fault, the shortest sequence to it, and how often it was met."""

    fault: Fault
    text: str
    seed: int
    times: int = 1
    sure: bool = True  # did it come again when it was tried again?


@dataclass(slots=True)
class Report:
    """What a hunt did."""

    events: int = 0
    sequences: int = 0
    counted: int = 0  # events of those that failed nowhere
    seconds: float = 0.0  # for these, their starts left out
    work: float = 0.0  # of these, those in which the app's own thread worked
    found: dict[tuple[str, str], Found] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Events a second, in one process."""
        return self.counted / self.seconds if self.seconds else 0.0

    @property
    def counts(self) -> str:
        """What was done, in a line."""
        work = f", {self.counted / self.work:.0f} a second of work" if self.work else ""
        events = f"{self.events:,} events in {self.sequences:,} sequences, {self.rate:.0f} a second{work}"
        return f"{events}; {len(self.found)} different faults"

    @property
    def told(self) -> str:
        """What was done and found, a fault a line and the sequence to it on the next."""
        lines = [self.counts]
        for (kind, where), found in sorted(self.found.items(), key=lambda item: -item[1].times):
            place = f" in {where}" if where else ""
            lines += [f"{found.times:6} × {kind}{place}: {found.fault.text[:200]}", f"         {found.text}"]
        return "\n".join(lines)


def plan(driver: Driver, seed: int, events: int) -> Iterator[Trial]:
    """Sequences of so many events in all: every start in turn, in random order, each with a seed of its own."""
    random = Random(seed)
    number = 0
    while events > 0:
        for start in random.sample(driver.starts, len(driver.starts)):
            length = min(events, random.choice(driver.lengths))
            yield Trial(start, random.choice(SIZES), None, seed * 1_000_000 + number, length)
            number, events = number + 1, events - length
            if events <= 0:
                return


def hunt(
    driver: Driver,
    seed: int,
    events: int,
    workers: int = 1,
    seconds: float | None = None,
    say: Callable[[str], object] = print,
    shrinking: float = SHRINKING,
) -> Report:
    """Run sequences until there were so many events, or this time is over; shrink what fails, so many seconds each.

    Ctrl+C ends it with what it has done.
    """
    report, end = Report(), None if seconds is None else monotonic() + seconds
    with template() as home, ThreadPoolExecutor(workers) as pool:
        trials, lock = plan(driver, seed, events * 100), Lock()

        def one() -> Outcome | None:
            if report.events >= events or (end is not None and monotonic() > end):
                return None
            with lock:
                following = next(trials)
            return driver.run(following, home)

        waiting = {pool.submit(one) for _ in range(workers)}
        try:
            while waiting:
                done = next(as_completed(waiting))
                waiting.discard(done)
                outcome = done.result()
                if outcome is None:
                    continue
                before = report.events
                _count(report, driver, outcome, home, say, shrinking)
                if report.events // TELLING > before // TELLING:
                    say(report.counts)
                    sys.stdout.flush()
                waiting.add(pool.submit(one))
        except KeyboardInterrupt:
            events = 0  # what runs now ends first
    return report


def _count(
    report: Report, driver: Driver, outcome: Outcome, home: Path, say: Callable[[str], object], shrinking: float
) -> None:
    report.events += outcome.events
    report.sequences += 1
    fault = outcome.fault
    if fault is None:
        report.seconds, report.counted = report.seconds + outcome.seconds, report.counted + outcome.events
        report.work += outcome.work
    if fault is None:
        return
    if fault.key in report.found:
        report.found[fault.key].times += 1
        return
    steps, sure = shortest(driver, outcome, home, shrinking)
    shown = Outcome(outcome.trial, steps)
    report.found[fault.key] = Found(fault, shown.text, outcome.trial.seed, sure=sure)
    say(f"\n{fault}\n  {'' if sure else 'not every time: '}{shown.text}\n  seed {outcome.trial.seed}")
    sys.stdout.flush()


def shortest(driver: Driver, outcome: Outcome, home: Path, seconds: float) -> tuple[list[Step], bool]:
    """The shortest sequence found that fails in the same way, and whether the whole one does so again."""
    fault = outcome.fault
    assert fault is not None

    def fails(steps: list[Step]) -> bool:
        again = driver.run(Trial(outcome.trial.start, outcome.trial.size, tuple(steps)), home)
        return again.fault is not None and again.fault.key == fault.key

    if not any(fails(outcome.steps) for _ in range(TRIES)):
        return outcome.steps, False
    return shrink(outcome.steps, fails, seconds), True
