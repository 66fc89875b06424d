"""Many sequences; what fails is made as short as it can be, and told once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import TypeVar

from tests.fuzz.faults import Fault
from tests.fuzz.home import template
from tests.fuzz.starts import STARTS
from tests.fuzz.steps import Step, events
from tests.fuzz.trial import SIZE, Outcome, Trial, run

SIZES = (*[SIZE] * 4, (60, 20), (60, 20), (120, 40), (200, 60))
LENGTHS = (60, 120, 200)  # events of a sequence
TIMES = int(os.environ.get("NIMTUI_FUZZ", "1"))  # how many times as many events the tests give
SHRINKING = 120.0  # seconds a fault, in the long run
TELLING = 5_000  # events between two lines that say how far it is
TRIES = 3  # how often a sequence is run again before it counts as one that fails by chance
Part = TypeVar("Part")
say = partial(print, flush=True)


@dataclass(slots=True)
class Report:
    """What a hunt did: for each different fault the shortest sequence to it, and how often it was met."""

    events: int = 0
    sequences: int = 0
    found: dict[tuple[str, str], tuple[Fault, str]] = field(default_factory=dict)
    times: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """What was done and found, a fault a line and the sequence to it on the next."""
        lines = [f"{self.events:,} events in {self.sequences:,} sequences; {len(self.found)} different faults"]
        for (kind, where), (fault, text) in sorted(self.found.items(), key=lambda item: -self.times[item[0]]):
            lines += [f"{self.times[kind, where]:6} × {kind} in {where}: {fault.text[:200]}", f"         {text}"]
        return "\n".join(lines)


def plan(starts: Sequence[str], seed: int, lengths: Sequence[int] = LENGTHS) -> Iterator[Trial]:
    """Sequences without end: every start in turn, in random order, each with a seed of its own."""
    random, number = Random(seed), 0
    while True:
        for start in random.sample(starts, len(starts)):
            length = random.choice(lengths)
            yield Trial(start, random.choice(SIZES), None, seed * 1_000_000 + number, length)
            number += 1


def hunt(
    seed: int,
    events: int,
    starts: Sequence[str] = sorted(STARTS),
    shrinking: float = SHRINKING,
    lengths: Sequence[int] = LENGTHS,
) -> Report:
    """Run sequences until there were so many events; shrink what fails, so many seconds each.

    Ctrl+C ends it with what it has done.
    """
    report, trials = Report(), plan(starts, seed, lengths)
    with template() as home:
        try:
            while (before := report.events) < events > report.sequences:  # whatever crashes at once ends, too
                outcome = run(next(trials), home)
                report.events += outcome.events
                report.sequences += 1
                _note(report, outcome, home, shrinking)
                if report.events // TELLING > before // TELLING:
                    say(report.told)
        except KeyboardInterrupt:
            say("interrupted")
    return report


def _note(report: Report, outcome: Outcome, home: Path, shrinking: float) -> None:
    if (fault := outcome.fault) is None:
        return
    report.times[fault.key] = report.times.get(fault.key, 0) + 1
    if fault.key not in report.found:
        outcome.steps, sure = shortest(outcome, home, shrinking)
        report.found[fault.key] = fault, outcome.text
        say(f"\n{fault}\n  {'' if sure else 'not every time: '}{outcome.text}\n  seed {outcome.trial.seed}")


def shortest(outcome: Outcome, home: Path, seconds: float) -> tuple[list[Step], bool]:
    """The shortest sequence that fails in the same way, and whether the whole one does so again.

    Delta debugging: halves are left out first, then steps, then events of a step.
    """
    fault, end = outcome.fault, monotonic() + seconds
    assert fault is not None

    def fails(steps: list[Step]) -> bool:
        again = run(Trial(outcome.trial.start, outcome.trial.size, tuple(steps)), home)
        return again.fault is not None and again.fault.key == fault.key

    def still(tried: list[Step]) -> bool:
        return monotonic() < end and fails(tried)

    if not any(fails(outcome.steps) for _ in range(TRIES)):
        return outcome.steps, False
    fewer = _fewer(outcome.steps, still)
    for at in range(len(fewer) - 1, -1, -1):
        step, before, after = fewer[at], fewer[:at], fewer[at + 1 :]
        if isinstance(step, bytes):
            parts = _fewer(events(step), lambda some, b=before, a=after: still([*b, b"".join(some), *a]))  # type: ignore[misc]
            fewer = [*before, b"".join(parts), *after]
    return fewer, True


def _fewer(parts: list[Part], fails: Callable[[list[Part]], bool]) -> list[Part]:
    """As few of these parts as still fail: leave out ever smaller pieces, from the end, while any can be left out."""
    size = max(1, len(parts) // 2)
    while len(parts) > 1:
        before = len(parts)
        for begin in range(len(parts) - size, -size, -size):
            some = parts[: max(0, begin)] + parts[begin + size :]
            if some and len(some) < len(parts) and fails(some):
                parts = some
        if len(parts) == before and size == 1:
            break
        size = max(1, min(size // 2, len(parts) // 2))
    return parts
