"""Stored files, damaged: bytes flipped, cut, spliced, repeated, fields replaced, rows of the database rewritten."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.fuzz.home import files_of

WILD_FIELDS: tuple[object, ...] = (
    None,
    "",
    "\x1b[31mred\x1b]0;title\x07",
    "=1+1",
    "\u202eevil\u0000",
    "0001-01-01 00:00:00 UTC",
    "9999-12-31 23:59:59 UTC",
    "x" * 10_000,
    -1,
    0,
    2**63 - 1,
    2**64,
    1e308,
    float("nan"),
    True,
    [],
    {},
    b"\xff\x00\xfe",
)


def damage(home: Path, name: str, kind: str, seed: int) -> None:
    """Damage a file of that home in one of the ways of `KINDS`, in the same way for the same seed."""
    file, random = home / name, Random(seed)
    if file.is_file() and kind == OTHER:
        shutil.copyfile(home / random.choice(files_of(home)), home / "copied")
        (home / "copied").replace(file)
    elif file.is_file():
        KINDS[kind](file, random)


def _bytes(change: Callable[[bytearray, Random], bytes | bytearray]) -> Callable[[Path, Random], None]:
    def changed(file: Path, random: Random) -> None:
        file.write_bytes(change(bytearray(file.read_bytes()), random))

    return changed


def _flip(data: bytearray, random: Random) -> bytearray:
    for _ in range(random.choice((1, 1, 4, 50))):
        if data:
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return data


def _cut(data: bytearray, random: Random) -> bytearray:
    return data[: random.randrange(len(data) + 1)]


def _extend(data: bytearray, random: Random) -> bytes:
    return bytes(data) + random.choice((b"\0" * 512, b"\n", bytes(data), random.randbytes(100)))


def _splice(data: bytearray, random: Random) -> bytes:
    one, two = sorted(random.randrange(len(data) + 1) for _ in range(2))
    return bytes(data[:one] + data[two:] + data[one:two])


def _noise(data: bytearray, random: Random) -> bytes:
    return random.choice(
        (b"", random.randbytes(300), b"PK\x03\x04" + random.randbytes(60), b"SQLite format 3\0", b"{}")
    )


def _field(file: Path, random: Random) -> None:
    """Replace a value: in the database a cell, in JSON a field, in other text what follows a colon."""
    if file.suffix in (".db", ".sqlite", ".sqlite3"):
        _cell(file, random)
        return
    lines = file.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    at = random.randrange(len(lines))
    wild = random.choice(WILD_FIELDS)
    try:
        keys = json.loads(lines[at])
        keys[random.choice(sorted(keys))] = repr(wild) if isinstance(wild, bytes) else wild
        lines[at] = json.dumps(keys)
    except (ValueError, TypeError, IndexError, AttributeError, KeyError):
        lines[at] = f"{lines[at].partition(':')[0]}: {wild}"
    file.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))


def _cell(file: Path, random: Random) -> None:
    """Write something else into a cell, or take a column, a table or an index away."""
    try:
        with sqlite3.connect(file) as db:
            db.execute("PRAGMA foreign_keys=OFF")
            tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
            table = random.choice(tables)
            columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
            column, kind = random.choice(columns), random.random()
            if kind < 0.8:
                wild = random.choice(WILD_FIELDS)
                if (isinstance(wild, int) and wild > 2**63 - 1) or isinstance(wild, (list, dict)):
                    wild = str(wild)
                db.execute(f'UPDATE "{table}" SET "{column}" = ?', (wild,))
            elif kind < 0.9:
                db.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "other"')
            elif kind < 0.95:
                db.execute(f'DROP TABLE "{table}"')
            else:
                db.execute(f"PRAGMA user_version = {random.choice((0, 999, -1))}")
    except (sqlite3.Error, IndexError):
        pass  # it was damaged before


def _folder(file: Path, random: Random) -> None:
    file.unlink()
    file.mkdir()


def _gone(file: Path, random: Random) -> None:
    file.unlink()


OTHER = "other"  # another stored file in its place
KINDS: dict[str, Callable[[Path, Random], None]] = {
    "flip": _bytes(_flip),
    "cut": _bytes(_cut),
    "extend": _bytes(_extend),
    "splice": _bytes(_splice),
    "noise": _bytes(_noise),
    "field": _field,
    "folder": _folder,
    "gone": _gone,
}
