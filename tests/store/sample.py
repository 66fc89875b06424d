"""Games and processes for the tests of the database."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from nimtui.store import game_list, seals, sqlite, tournaments
from nimtui.store.database import Database
from nimtui.store.rows import GameRow
from nimtui.store.tournaments import TournamentWriter

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = {"games": ["nim:1,2"], "agents": ["random", "perfect", "quality:margin=50"], "seed": 7}


def row(number: int, length: int = 9) -> GameRow:
    """A game whose every part follows from its number."""
    return GameRow(
        number,
        number % 2,
        number % 3,
        bytes((number * 7 + place) % 256 for place in range(2 * length)),
        number % 3 - 1,
        (number % 5, number % 7),
        (number % 4, number % 2),
        (number % 3, number % 2),
        f"perfect played {number}, which is not legal" if number % 10 == 9 else "",
        number / 7,
    )


def rows(numbers: Iterable[int]) -> list[GameRow]:
    return [row(number) for number in numbers]


def begin(db: Database, name: str = "", kind: str = "tournament") -> TournamentWriter:
    """A tournament of three agents at one game."""
    agents = ["random", "perfect", "quality:margin=50"]
    return tournaments.begin(db, DOCUMENT, ["nim:1,2"], agents, [(0, 0, 1), (0, 0, 2), (0, 1, 2)], 300, kind, name)


def older(path: Path, version: int) -> Path:
    """A database as an earlier nimtui left it, with one game."""
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite.connect(path)) as old:
        sqlite.carry_over(old, version)
        assert "beliefs" not in sqlite.tables(old)
        for table, values in (
            ("boards", (1, "nim:1,2")), ("agents", (1, "me")), ("pairings", (1, None, 0, 1, 1, 1, 1)),
            ("games", (1, 0, 0, 0, b"ab", 1, 1, 0, 0, 0, 0, 0, "", 0.5, 9, "", None)),
        ):  # fmt: skip
            sealed = values if version == 1 else (*values, None)
            old.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(sealed))})", sealed)
            if version > 1:
                old.execute(f"UPDATE {table} SET seal = {seals.expression(table)}")
    return path


def games(path: Path) -> int:
    with Database(path) as db:
        assert db.faults == []
        return game_list.count(db)


def raw(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


def beside(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir() if found.is_file())


def child(code: str, path: Path) -> subprocess.Popen[str]:
    """Another process that has `db`, a database at this path, two modules of the store and this module's functions."""
    head = (
        "import sys\nfrom pathlib import Path\nfrom nimtui.store import saved_games, tournaments\n"
        "from nimtui.store.database import Database\nfrom tests.store.sample import begin, row, rows\n"
        "def say(*what): print(*what, flush=True)\n"
        f"db = Database(Path({str(path)!r}))\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", head + code],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def flipped_page(whole: bytes) -> bytes:
    """The head of the last page but one, which has games."""
    start = len(whole) - 2 * 4096
    return whole[:start] + bytes(byte ^ 255 for byte in whole[start : start + 12]) + whole[start + 12 :]


def said(process: subprocess.Popen[str]) -> list[str]:
    """What a process says until it ends well."""
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return text.splitlines()
