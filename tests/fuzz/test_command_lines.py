"""Random command lines over a home whose files are damaged meanwhile.

Each line runs in a fork of a process that has loaded everything: some 20 ms instead of a second. Never a traceback;
status 0, 1, 2 or 130; what is wrong in one line on stderr; with --json one document or nothing; no control characters;
reading changes nothing; and Ctrl+C ends whatever takes long. NIMTUI_FUZZ=50 gives fifty times as many lines.
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
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
import typer

from nimtui.cli.app import app
from nimtui.cli.app import run as command
from tests.fuzz.home import at_home, copy_of, files_of, template
from tests.fuzz.hunt import TIMES

LINES, STATUSES = 10 * TIMES, (0, 1, 2, 130)
SET_ASIDE = "set aside"  # what is damaged is named in a line of its own
PATIENCE, ENDED = 0.5, 20.0  # seconds until Ctrl+C, and after that, with the time to compile
DATABASE, KEPT = "nimtui.sqlite", ("games", "tournaments")
LIMITS = {resource.RLIMIT_AS: 6 << 30, resource.RLIMIT_FSIZE: 64 << 20, resource.RLIMIT_CORE: 0}  # bytes
CALM = 0.002  # seconds between two looks
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

# Words of a command line.

GAMES = ("nim:3,2,1", "tower:16", "subtraction:21,3:misere", "connect:4x4x3", "adjacent:1,3", "kayles:1,3,5", "nim:1")
AGENTS = ("random", "perfect", "value", "mc:playouts=5", "mcts:simulations=20", "alphabeta:depth=2", "q:games=50")
LEARNERS = ("reward", "quality", "q", "average", "proof", "quality:margin=50", "proof:aim=all")
POSITIONS = ("1,1,1", "3,0,0", "4455", "1/101", "0,0,0", "", "10,4,4", "3,2,1")
GRIDS = ("margin=50,90", "margin=50..90:20", "win=1", "alpha=0.1,0.5", "margin=", "=1", "margin=1..0", "margin=nan")
NUMBERS = ("0", "1", "2", "10", "500", "-1", "1e3", "1.5", "nan", "inf", "9" * 25, "0x10", "١٢", "1_000", " 3 ", "")
SIGNS = ("", " ", "-", "-h", "x" * 3000, "\x1b[31mred\x1b]0;t\x07", "a\nb\rc\td", "\u202eevil", "\udcff", "漢字👩")
NO_GAMES = ("nim:" + "9," * 400 + "9", "nim:-1", "nim:99999999999999999999", "nmi:3,2,1", "tower:15", "漢字👩")
NO_AGENTS = ("mc:playouts=-5", "mcts:simulations=1e9", "table:", "%s%n{0}[bold]", "=cmd|' /C calc'!A1")
WILD = SIGNS + NO_GAMES + NO_AGENTS
PLACES = ("out.csv", "out.json", "new.npz", ".", "no/such/folder/file", "tree.dot", "a\x1bb.csv", "…", "out.txt")
DEVICES = ("/dev/zero", "/dev/null", "/dev/full", "/proc/self/mem", "/")  # only to be read
BY_NAME = {
    **dict.fromkeys(("agent", "first", "second"), AGENTS),
    **{"game": GAMES, "learner": LEARNERS, "position": POSITIONS, "grid": GRIDS, "seed": ("0", "1", "-1", "9" * 20)},
    "algorithm": ("minimax", "alphabeta", "mcts", "alphabeta:order=killer"),
    "openings": ("start", "balanced:2", "random:2", "random:-1"),
    "sprt": ("elo0=0,elo1=50", "elo0=50,elo1=0", "elo0="),
    "format": ("text", "csv", "json", "xml"),
    "id": ("1", "1:0", "2:3", "99", "x:y", "-1", "0", "9" * 30),
    "what": ("scores", "moves", "curve", "positions"),
    "pairs": ("round-robin", "gauntlet", "ordered"),
    "order": ("natural", "killer", "best-first"),
    "heuristic": ("default", "original"),
    "name": ("cup", "\x1b[31m", "x" * 100),
    "result": ("first", "second", "draw"),
}
FEW = ("games", "simulations", "depth", "repeats", "workers", "limit", "entries", "plies", "nodes", "c")
NEVER = {"--install-completion", "--show-completion", "--scheduler"}
READING = ("solve", "moves", "search", "table", "games list", "games show")


def commands() -> list[tuple[tuple[str, ...], list[Any]]]:
    """Every command with its options and arguments."""
    ways: list[tuple[tuple[str, ...], Any]] = [((), typer.main.get_command(app))]
    for path, way in ways:  # which grows
        ways += [((*path, name), below) for name, below in getattr(way, "commands", {}).items()]
    return [(path, [each for each in way.params if not set(each.opts) & NEVER]) for path, way in ways]


def line(random: Random, files: Sequence[str], commands: Sequence[tuple[tuple[str, ...], list[Any]]]) -> list[str]:
    """A command line, more or less right."""
    path, parameters = random.choice(commands)
    words = [near(random, word) for word in path]
    for parameter in parameters:
        argument = parameter.param_type_name == "argument"
        likely = 0.93 if argument else 0.5 if parameter.required or parameter.name in ("agent", "json") else 0.15
        several = (argument and parameter.nargs == -1) or getattr(parameter, "multiple", False)
        for _ in range(random.choice((1, 1, 2, 3)) if several else 1):
            if random.random() < likely:
                words += [] if argument else [near(random, random.choice([*parameter.opts, *parameter.secondary_opts]))]
                if argument or not parameter.is_flag:
                    words.append(value(random, parameter.name, path, files))
    if random.random() < 0.05:
        words.insert(random.randrange(len(words) + 1), random.choice(WILD))
    return words


def value(random: Random, name: str, path: tuple[str, ...], files: Sequence[str]) -> str:
    kind = random.random()
    if kind < 0.2:
        return random.choice(WILD if kind < 0.1 else NUMBERS)
    if name in FEW:
        return random.choice(NUMBERS[:5])
    if name in BY_NAME:
        return random.choice(BY_NAME[name])
    if path in (("games", "import"), ("table",)) and random.random() < 0.2:
        return random.choice(DEVICES)
    return random.choice([*PLACES, *files])


def near(random: Random, word: str) -> str:
    """The word, now and then with a slip of the finger in it."""
    at = random.randrange(len(word) + 1)
    slips = (word[:at] + word[at + 1 :], word[:at] + "x" + word[at:], word[::-1], word.upper())
    return random.choice(slips) if random.random() < 0.03 else word


# Damaged files.

WILD_TEXTS = ("", "\x1b[31mred\x1b]0;title\x07", "=1+1", "\u202eevil\u0000", "x" * 10_000, b"\xff\x00\xfe")
WILD_TIMES = ("0001-01-01 00:00:00 UTC", "9999-12-31 23:59:59 UTC")
WILD_FIELDS = (None, *WILD_TEXTS, *WILD_TIMES, -1, 0, 2**63 - 1, 2**64, 1e308, float("nan"), True, [], {})


def damage(file: Path, random: Random) -> None:
    """Flip, cut, repeat, splice or overwrite bytes, change a field, or put a folder or nothing in the file's place."""
    data, kind = bytearray(file.read_bytes()), random.randrange(8)
    one, two = sorted(random.randrange(len(data) + 1) for _ in range(2))
    if kind == 0 and data:
        for _ in range(random.choice((1, 1, 4, 50))):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    noise = (b"", random.randbytes(300), b"PK\x03\x04" + random.randbytes(60), b"SQLite format 3\0", b"{}")
    more = (b"\0" * 512, b"\n", data, random.randbytes(100))
    spliced = data[:one] + data[two:] + data[one:two]
    changed = {1: data[:one], 2: data + random.choice(more), 3: spliced, 4: random.choice(noise)}
    if kind >= 6:
        file.unlink()
        file.mkdir() if kind == 6 else None
    elif kind == 5 and file.suffix == ".sqlite":
        with suppress(sqlite3.Error, IndexError):  # it was damaged before
            cell(file, random)
    else:
        file.write_bytes(field(data, random) if kind == 5 else changed.get(kind, data))


def field(data: bytearray, random: Random) -> bytes:
    """Replace a field of JSON, or what follows a colon in other text."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    at, wild = random.randrange(len(lines)), random.choice(WILD_FIELDS)
    try:
        keys = json.loads(lines[at])
        keys[random.choice(sorted(keys))] = repr(wild) if isinstance(wild, bytes) else wild
        lines[at] = json.dumps(keys)
    except (ValueError, TypeError, IndexError, AttributeError, KeyError):
        lines[at] = f"{lines[at].partition(':')[0]}: {wild}"
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def cell(file: Path, random: Random) -> None:
    """Write something else into a column, or take a column, a table or the version away."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA foreign_keys=OFF")
        table = random.choice([name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")])
        column = random.choice([row[1] for row in db.execute(f'PRAGMA table_info("{table}")')])
        kind, wild = random.random(), random.choice(WILD_FIELDS)
        if kind < 0.8:
            plain = isinstance(wild, (str, bytes, float)) or wild is None or (isinstance(wild, int) and wild < 2**63)
            db.execute(f'UPDATE "{table}" SET "{column}" = ?', (wild if plain else str(wild),))
        elif kind < 0.9:
            db.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "other"')
        else:
            db.execute(
                f'DROP TABLE "{table}"' if kind < 0.95 else f"PRAGMA user_version = {random.choice((0, 999, -1))}"
            )


# A line, and what holds after it.


def contents(home: Path) -> dict[str, bytes]:
    """What is stored, by file; of the database what it says. One is made where none is, or none can be read."""
    names = [name for name in files_of(home) if not name.startswith("reports/") and ".damaged-" not in name]
    stored = {name: rows(home / name) if name == DATABASE else (home / name).read_bytes() for name in names}
    return {name: data for name, data in stored.items() if data or name != DATABASE}


def rows(database: Path) -> bytes:
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
        stored = [(name, *row) for name in tables for row in db.execute(f'SELECT * FROM "{name}"')]
        return repr(stored).encode() if any(row[0] in KEPT for row in stored) else b""
    return b""


def run(words: list[str], home: Path) -> tuple[int, str, str]:
    """The status, stdout and stderr of this command line, which Ctrl+C ends after a while."""
    places = [Path(f"{home}.{name}") for name in ("out", "err")]
    pid = os.fork()
    if pid == 0:
        become(words, home, places)
    began, signals = time.monotonic(), [(PATIENCE, signal.SIGINT), (PATIENCE + ENDED, signal.SIGKILL)]
    while not (done := os.waitpid(pid, os.WNOHANG))[0]:
        if signals and time.monotonic() - began > signals[0][0]:
            os.kill(pid, signals.pop(0)[1])
        time.sleep(CALM)
    assert signals, f"it does not stop {ENDED:g} s after Ctrl+C"
    out, err = (place.read_bytes().decode("utf-8", "surrogateescape") for place in places)
    for place in places:
        place.unlink()
    return os.waitstatus_to_exitcode(done[1]), out, err


def become(words: list[str], home: Path, places: list[Path]) -> None:
    """Run the command line in this process, and end it."""
    status = 99
    try:
        os.chdir(home)
        for number, place in enumerate(places, 1):
            os.dup2(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(at, mode, encoding="utf-8") for at, mode in enumerate("rww"))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for limit, most in LIMITS.items():
            resource.setrlimit(limit, (most, most))
        status = command(words)
    except BaseException:  # noqa: BLE001 - as the interpreter does: a traceback, and status 1
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def reads_only(words: Sequence[str]) -> bool:
    """Is this a command that only reads, whatever its options say?"""
    writes = any(word.startswith(("--to", "--tree", "--csv", "--save")) for word in words)
    return not writes and (" ".join(words[:1]) in READING or " ".join(words[:2]) in READING)


def not_json(name: str) -> None:
    raise ValueError(name)


def answered(words: list[str], home: Path) -> None:
    """Run a line. AssertionError where a rule does not hold."""
    before = contents(home) if reads_only(words) else None
    status, out, err = run(words, home)
    assert "Traceback (most recent call last)" not in err and status in STATUSES, err
    if status == 2:
        assert len([line for line in err.strip().splitlines() if SET_ASIDE not in line]) == 1, err
        assert not out or "-" in words, f"an error, and yet an answer: {out[:100]!r}"
    assert not CONTROLS.search(out + err), f"a control character in {(out + err)[:200]!r}"
    if "--json" in words and out and not {"-h", "--help"} & set(words):
        json.loads(out, parse_constant=not_json)
    if SET_ASIDE not in err and before is not None:  # what could be saved is saved then
        assert before == contents(home), "reading writes"


@pytest.mark.slow
@pytest.mark.fresh
@pytest.mark.skipif(sys.platform == "win32", reason="needs to fork")
@pytest.mark.parametrize("start", ["home", "empty"])
def test_random_command_lines_over_damaged_files_are_answered(start: str) -> None:
    random, known = Random(f"301 {start}"), commands()
    with template() as whole, copy_of(whole) as home, at_home(home):
        for name in files_of(home) if start == "empty" else ():
            (home / name).unlink()
        lines = [["games", "export", "games.txt"]]
        for _ in range(LINES):
            files = files_of(home)
            if files and random.random() < 0.25:
                lines.append(["damaged", file := random.choice(files)])
                damage(home / file, random)
            else:
                lines.append(line(random, files, known))
                try:
                    answered(lines[-1], home)
                except (AssertionError, ValueError) as fault:
                    raise AssertionError(f"{fault}\nafter {lines}") from fault
