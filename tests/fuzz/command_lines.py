"""Random command lines over a home whose files are damaged meanwhile.

Each line runs in a fork of a process that has loaded everything: some 20 ms instead of a second. Never a traceback;
status 0, 1, 2 or 130; what is wrong in one line on stderr; with --json one document or nothing; no control characters;
reading changes nothing; and Ctrl+C ends whatever takes long.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from tests.fuzz.drive import Broken
from tests.fuzz.faults import Fault
from tests.fuzz.home import files_of
from tests.fuzz.steps import Step
from tests.fuzz.trial import Outcome, Trial, apart

STARTS = ("home", "empty")
STATUSES = (0, 1, 2, 130)
SET_ASIDE = "set aside"  # what is damaged is named in a line of its own
PATIENCE = 0.5  # seconds until Ctrl+C
ENDED = 5.0  # seconds after that
LOADING = 15.0  # seconds that a line may take longer because it compiles
DATABASE, KEPT = "nimtui.sqlite", ("games", "tournaments")
MEMORY, LARGEST_FILE, CALM = 6 << 30, 64 << 20, 0.002  # bytes, bytes, seconds
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
FRAME = re.compile(r'File ".*?(nimtui/\S+?)", line (\d+), in (\S+)')
REPORT = re.compile(r"^nimtui: Report: (.*)$", re.MULTILINE)


def run(trial: Trial, home: Path) -> Outcome:
    """Run this trial's lines, or so many random ones, in a copy of that home."""
    return apart(trial, home, child)


def child(there: Connection, trial: Trial, home: Path) -> None:
    """Do so in the process that this is."""
    outcome = Outcome(trial)
    began = time.perf_counter()
    try:
        for step in trial.steps if trial.steps is not None else random_steps(trial, home):
            outcome.steps.append(step)
            outcome.events += 1
            _do(step, home)
    except Broken as broken:
        outcome.fault = broken.fault
    outcome.seconds = time.perf_counter() - began
    there.send(outcome)
    os._exit(0)


def random_steps(trial: Trial, home: Path) -> Iterator[Step]:
    """Command lines ('run', word, …), and now and then ('damage', file, kind, seed)."""
    from tests.fuzz import damage, words

    random = Random(f"{trial.seed} {trial.start}")
    if trial.start == "empty":
        yield ("empty",)
    yield ("run", "games", "export", "games.txt")
    for _ in range(trial.events):
        files = files_of(home)
        if files and random.random() < 0.25:
            yield (
                "damage",
                random.choice(files),
                random.choice([*damage.KINDS, damage.OTHER]),
                str(random.randrange(1_000_000)),
            )
        else:
            yield ("run", *words.line(random, files))


def _do(step: Step, home: Path) -> None:
    from tests.fuzz import damage, words

    assert isinstance(step, tuple)
    kind, *rest = map(str, step)
    if kind == "damage":
        damage.damage(home, rest[0], rest[1], int(rest[2]))
    elif kind == "empty":
        for name in files_of(home):
            (home / name).unlink()
    else:
        before = _contents(home) if words.reads_only(rest) else None
        status, out, err = _fork(rest, home)
        _check(rest, status, out, err)
        if SET_ASIDE in err:  # and saved what could be saved
            return
        if before is not None and before != (after := _contents(home)):
            changed = sorted(set(before.items()) ^ set(after.items()))
            raise Broken(Fault("reading writes", f"{rest}: {changed[0][0]}"))


def _contents(home: Path) -> dict[str, bytes]:
    """What is stored, by file; of the database what it says. One is made where none is, or none can be read."""
    found = {}
    for name in files_of(home):
        if not name.startswith("reports/") and ".damaged-" not in name:
            found[name] = _said(home / name) if name == DATABASE else (home / name).read_bytes()
    return {name: data for name, data in found.items() if data or name != DATABASE}


def _said(database: Path) -> bytes:
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
            tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
            rows = [(name, *row) for name in tables for row in db.execute(f'SELECT * FROM "{name}"')]
            return repr(rows).encode() if any(row[0] in KEPT for row in rows) else b""
    except sqlite3.Error:
        return b""


def _fork(words: list[str], home: Path) -> tuple[int, str, str]:
    """The status, stdout and stderr of this command line."""
    places = [Path(f"{home}.{name}") for name in ("out", "err")]
    pid = os.fork()
    if pid == 0:
        _become(words, places)
    began = time.monotonic()
    asked = False
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        past = time.monotonic() - began
        if past > PATIENCE and not asked:
            asked = True
            os.kill(pid, signal.SIGINT)
        if past > PATIENCE + ENDED + LOADING:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise Broken(Fault("does not stop", f"{words}: {ENDED + LOADING:g} s after Ctrl+C"))
        time.sleep(CALM)
    texts = [place.read_bytes().decode("utf-8", "surrogateescape") for place in places]
    for place in places:
        place.unlink()
    return os.waitstatus_to_exitcode(status), texts[0], texts[1]


def _become(words: list[str], places: list[Path]) -> None:
    """Run the command line in this process, and end it."""
    status = 99
    try:
        for number, place in enumerate(places, 1):
            os.dup2(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(at, mode, encoding="utf-8") for at, mode in enumerate("rww"))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        from nimtui.cli.app import run as command

        status = command(words)
    except BaseException:  # noqa: BLE001 - as the interpreter does: a traceback, and status 1
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _check(words: list[str], status: int, out: str, err: str) -> None:
    if "Traceback (most recent call last)" in err:
        frames = tuple(f"{place}:{line} {name}" for place, line, name in FRAME.findall(err))
        kind, _, text = err.strip().splitlines()[-1].partition(": ")
        raise Broken(Fault(kind, f"{words}: {text[:150]}", frames[-4:]))
    if status not in STATUSES:
        report = REPORT.search(err)
        frames = FRAME.findall(Path(report[1]).read_text()) if report else []
        told = tuple(f"{place}:{line} {name}" for place, line, name in frames)
        raise Broken(Fault(f"status {status}", f"{words}: {err[-300:]}", told[-4:]))
    if status == 2 and len([line for line in err.strip().splitlines() if SET_ASIDE not in line]) != 1:
        raise Broken(Fault("not one line on stderr", f"{words}: {err[:200]!r}"))
    if status == 2 and out and "-" not in words:
        raise Broken(Fault("an error, and yet an answer", f"{words}: {out[:100]!r}"))
    if found := CONTROLS.search(out + err):
        raise Broken(Fault("a control character", f"{words}: {found[0]!r} in {(out + err)[:200]!r}"))
    if "--json" in words and out and not {"-h", "--help"} & set(words):
        try:
            json.loads(out, parse_constant=_not_json)
        except ValueError:
            raise Broken(Fault("not one JSON document", f"{words}: {out[:100]!r}")) from None


def _not_json(name: str) -> None:
    raise ValueError(name)
