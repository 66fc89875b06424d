"""What the list of runs shows, and the sentence about one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import Any

from nimtui.report.blocks import Column, Facts, Gap, Report, Sentence, Table
from nimtui.report.values import Clock, Count, Keys, Named, Pace, Progress, Value, Word, known
from nimtui.store.run_files import RunFile

INTERNAL = ("boot", "birth", "written", "number", "unit")  # keys of the file that no document needs
UNITS = {"sweep": "trainings", "book": "positions"}  # before a run has told its own
MORE = "nimtui runs watch, stop and take continue with a run's number."


def runs(every: Sequence[RunFile], words: Sequence[str] = ()) -> Report:
    """Return the list of the runs with these words, which come newest first."""
    if not (every := with_words(every, words)):
        none = "No run has these words." if words else "No run yet: training, tournaments and sweeps stand here."
        return Report([Table("runs", [], []), Sentence(none)])
    return Report([Table("runs", COLUMNS, every, gap=2), Gap(), Sentence(MORE)])


def run(one: RunFile) -> Report:
    """Return the sentence about one run; a document has its keys."""
    return Report([Sentence(sentence(one)), Facts(keys(one))])


def keys(one: RunFile) -> dict[str, Any]:
    """Return the document of a run."""
    started = datetime.fromtimestamp(one.started, UTC).isoformat(timespec="seconds")
    document = {name: value for name, value in asdict(one).items() if name not in INTERNAL}
    return {**document, "started": started, "tournament": one.number, "unit": one.unit or None}


def sentence(one: RunFile) -> str:
    """Return one sentence on how far a run is: 'Run 3, training of reward on tower:16, is running: 24 of 99 games.'."""
    name = f" of {one.name}" if one.kind == "training" else f" {one.name}" if one.name else ""
    fault = f" {one.fault}." if one.fault else " Nothing of it is saved." if one.place is None and not one.is_on else ""
    on = f" on {one.game}" if one.game else ""
    return f"Run {one.id}, {one.kind}{name}{on}, {WORDS[one.state]}: {course(one, far(one))}.{fault}"


def course(one: RunFile, first: str) -> str:
    """Return `first`, how fast a run is, and how long it will take: 'is running, 15 M/s, 2:10 left'."""
    rate = None if one.rate is None else Pace(one.rate).text
    left = None if one.seconds_left is None else f"{Clock(one.seconds_left)} left"
    return ", ".join(filter(None, (first, rate, left)))


def brief(one: RunFile) -> str:
    """Return what runs and how far it is, in few words: 'training of reward: 24 %, 2:10 left'.

    Of a run in the background: 'reward: 24 %, 3 minutes since you left'.
    """
    (learner, comma, seed), of = one.name.partition(", "), " of" * (one.kind == "training")
    name = learner.partition(":")[0] + comma + seed
    head = f"{one.kind}{of if name else ''} {name}".strip()
    done = Progress(one.done / one.goal).text if one.goal else far(one)
    if not one.is_on:
        return f"{head} {WORDS[one.state]}: {done}"
    if one.background:
        return f"{head.removeprefix('training of ')}: {done}, {_since(one.started)} since you left"
    return course(replace(one, rate=None), f"{head}: {done}")


def _since(start: float) -> str:
    minutes = max(0, int(time() - start)) // 60
    if minutes < 1:
        return "less than a minute"
    return Named(minutes // 60, "hour", "hours").text if minutes > 119 else Named(minutes, "minute", "minutes").text


def with_words(every: Sequence[RunFile], words: Sequence[str]) -> list[RunFile]:
    """Return the runs with all these words in kind, name, game, state or file."""
    return [run for run in every if all(word.lower() in searched(run) for word in words)]


def searched(one: RunFile) -> str:
    """Return the text of a run in which a filter searches."""
    return f"{one.kind} {one.name} {one.game} {_state(one)} {one.state} {Path(one.file or '').name}".lower()


def _state(one: RunFile) -> str:
    return "running" if one.state == "going" else one.state


def far(one: RunFile) -> str:
    """Return how far a run is: '1,204 of 5,000 games'."""
    unit = one.unit or UNITS.get(one.kind, "games")
    if one.goal:
        return f"{Count(one.done)} of {Count(one.goal)} {unit}"
    return f"{Count(one.done)} {unit.removesuffix('s') if one.done == 1 else unit}"


WORDS = {
    "going": "is running",
    "paused": "is paused",
    "stopped": "was stopped",
    "cut": "was cut off",
    "finished": "is finished",
    "failed": "failed",
}


def _where(one: RunFile) -> Value:
    return Word(f"tournament {one.number}" if one.number is not None else one.file or "not saved")


COLUMNS = (
    Column("ID", lambda one: Count(one.id), rank=0),
    Column(None, lambda one: Keys(keys(one)), "run"),
    Column("kind", lambda one: Word(one.kind), rank=4, left=True),
    Column("name", lambda one: Word(one.name), rank=1, left=True),
    Column("game", lambda one: Word(one.game), rank=3, left=True),
    Column("state", lambda one: Word(_state(one)), left=True),
    Column("done", lambda one: Word(far(one)), rank=2),
    Column("speed", lambda one: known(Pace, one.rate), rank=5),
    Column("time", lambda one: Clock(one.seconds), rank=5),
    Column("left", lambda one: known(Clock, one.seconds_left), rank=3),
    Column("host", lambda one: Word(one.host), rank=7, left=True),
    Column("saved in", _where, rank=6, left=True),
)
