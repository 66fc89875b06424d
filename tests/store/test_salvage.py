"""What can be read of a damaged database is in a new one, and the damaged file stays as it was."""

from __future__ import annotations

import random
import resource
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from sqlite3 import Connection
from unittest.mock import Mock

import pytest

from nimtui.store import StoreError, game_list, salvage, saved_games, seals, sqlite, tournaments
from nimtui.store.database import Database
from nimtui.store.salvage import PAGE, Salvaged, records
from tests.examples import few
from tests.store.sample import begin, beside, flipped_page, games, older, raw, row, rows


def wild_list(whole: bytes) -> bytes:
    """The list of free pages begins at the last page, which has more entries than a page can have, and has no end."""
    start, last = len(whole) - 4096, (len(whole) // 4096).to_bytes(4, "big")
    return whole[:32] + last + bytes([0, 0, 0, 1]) + whole[40:start] + last + b"\xff" * 4 + whole[start + 8 :]


NONE = ("no games were readable; a new database was started", 0)
WHOLE = ("all 401 games were copied to a new database", 401)
MOST = ("345 of 401 games were readable and copied to a new database", 345)


HARMS: dict[str, tuple[Callable[[bytes], bytes], tuple[str, int] | None]] = {
    "no database": (lambda whole: b"this is no database at all\n" * 400, NONE),
    "no bytes": (lambda whole: b"", NONE),
    "a torn header": (lambda whole: whole[:50], NONE),
    "a flipped header": (lambda whole: bytes([whole[0] ^ 1]) + whole[1:], WHOLE),
    "no version": (lambda whole: whole[:60] + bytes(4) + whole[64:], WHOLE),
    "a flipped schema": (lambda whole: whole.replace(b"CREATE TABLE games", b"DREATE TABLE games", 1), WHOLE),
    "a flipped column": (lambda whole: whole.replace(b"own_first INTEGER", b"oun_first INTEGER", 1), WHOLE),
    "no first page": (lambda whole: bytes(4096) + whole[4096:], WHOLE),
    "a flipped page": (flipped_page, MOST),
    "cut": (lambda whole: whole[: len(whole) // 2], None),
    "a wild list": (wild_list, None),
    "zero pages": (lambda whole: whole[:4096] + bytes(8 * 4096) + whole[9 * 4096 :], None),
}


@pytest.mark.parametrize(("games", "before", "summary"), [
    (1, 1, "the only game was copied to a new database"), (2, 2, "all 2 games were copied to a new database"),
    (1, 1_200, "1 of 1,200 games was readable and copied to a new database"),
    (1, None, "1 game was readable and copied to a new database"),
    (1_100, None, "1,100 games were readable and copied to a new database"),
])  # fmt: skip
def test_one_game_and_several_are_said_as_people_do(games: int, before: int | None, summary: str) -> None:
    assert Salvaged(games, before).summary == summary


@pytest.mark.parametrize(("harm", "what"), HARMS.values(), ids=HARMS)
def test_a_damaged_one_is_set_aside_untouched_and_the_rest_is_in_a_new_one(
    filled: Path, harm: Callable[[bytes], bytes], what: tuple[str, int] | None
) -> None:
    whole = filled.read_bytes()
    for number in (1, 2):
        filled.write_bytes(damaged := harm(whole))
        with Database(filled) as db:
            fault = db.faults[0]
            assert fault.startswith(f"{filled} is damaged (") and "\n" not in fault
            said, left = what or ("", game_list.count(db))
            assert f"it was set aside as nimtui.damaged-{number}.sqlite; {said}" in fault
            saved = {number for (number,) in db.query("SELECT number FROM games WHERE pairing = 1")}
            assert [found.row for found in game_list.games(db, limit=None, tournament=1 if left else None)] == [
                one for one in rows(range(399, -1, -1)) if left and one.number in saved
            ]
            assert game_list.count(db) == left
            with begin(db) as kept:
                kept.append(0, rows(range(400)))
        assert (filled.parent / f"nimtui.damaged-{number}.sqlite").read_bytes() == damaged
    assert games(filled) == 400 + left


def contents(connection: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in salvage.COPIED}


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("gone", [("_copy_cells", "_rebuild"), ("_copy",), ()])
def test_each_way_to_read_a_database_finds_all_its_rows(
    path: Path, monkeypatch: pytest.MonkeyPatch, version: int, gone: tuple[str, ...]
) -> None:
    if version < 3:
        older(path, version)
    else:
        with Database(path) as db, begin(db, "a name") as kept:
            kept.append(0, rows(range(30)))
            kept.append(2, rows([0, 5]))
            saved_games.save_game(db, "tower:5", "me", "easy", row(3)._replace(beliefs=b"\4\x10\x27\0\1"), "mine")
    shutil.copy(path, newest := path.with_name("newest.sqlite"))
    with Database(newest), raw(newest) as other:
        wanted = contents(other)
    whole, before = path.read_bytes(), beside(path)
    if not gone:
        path.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])  # so that another first page stands in
    for name in gone:
        monkeypatch.setattr(salvage, name, lambda *_: False)
    with closing(sqlite.connect(Path(":memory:"))) as target:
        found = salvage.salvage(path, target)
        assert contents(target) == wanted and target.execute("PRAGMA foreign_keys").fetchone() == (1,)
    games = len(wanted["games"])
    assert found == Salvaged(games, None if "_copy" in gone else games) and beside(path) == before


def test_what_is_left_of_lost_rows_is_made_consistent(path: Path) -> None:
    with Database(path) as db, begin(db) as kept:
        kept.append(0, rows(range(3)))
        kept.append(1, rows(range(2)))
        for _ in range(2):
            saved_games.save_game(db, "nim:1,2", "me", "easy", row(0)._replace(beliefs=b"\4\x10\x27\0\1"))
    with raw(path) as other, closing(sqlite.connect(Path(":memory:"))) as target:
        assert (salvage.salvage(path, target), contents(target)) == (Salvaged(7, 7), contents(other))
        for harm in (
            "DELETE FROM games WHERE pairing = 4",
            "DELETE FROM pairings WHERE id = 1",
            "UPDATE pairings SET seal = seal + 1 WHERE id = 3",
        ):
            other.execute(harm)
    with raw(path) as other, closing(sqlite.connect(Path(":memory:"))) as target:
        assert salvage.salvage(path, target) == Salvaged(6, None)
        before, after = contents(other), contents(target)
        assert after["pairings"] == [(1, 2, 0, 0, 0, 0, 3, None), *before["pairings"][:2], before["pairings"][-1]]
        lost = (2, "tournament", "lost", "{}", "stopped", 0, 0, 0, 3)
        assert [values[:9] for values in after["tournaments"]] == [before["tournaments"][0][:9], lost]
        assert after["games"] == before["games"] and after["beliefs"] == before["beliefs"][1:]
        salvage._write(
            target, "INSERT INTO boards (id, name) VALUES (?, ?)", [(7, "a"), ("x", ""), (2**63, ""), (8, "b")]
        )
        assert contents(target)["boards"][1:] == [(7, "a", None), (8, "b", None)], "those that the table takes"
        for played, known in ((1 << 62, (1 << 62) + 4), ("9e999", None), (0.5, None)):
            target.execute("UPDATE pairings SET played = ? WHERE id = 2", (played,))
            target.execute(f"UPDATE pairings SET seal = {seals.expression('pairings')}")
            assert salvage._played(target) == known, "exactly, or not if one is no whole number"
    with Database(path.with_name("empty")), closing(sqlite.connect(Path(":memory:"))) as target, raw(path) as other:
        assert salvage.salvage(path.with_name("empty"), target) == Salvaged(0, 0)
        other.execute("DROP INDEX pairings_first")
        salvage._rebuild(other, target, "pairings")
        assert target.execute("SELECT * FROM sqlite_sequence").fetchall() == [], "a part of a row takes no number"


def test_of_a_file_that_cannot_be_opened_nothing_is_in_a_new_database(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as target:
        seals.install(target)
        assert salvage.salvage(tmp_path, target).games == 0, "a folder"
        assert target.execute("SELECT count(*) FROM games").fetchone() == (0,)
        assert not salvage._copy(target, target, "gone", ["id"]), "a table that cannot be read"
    (tmp_path / "a").write_bytes(b"12")
    assert salvage._contents(sqlite3.connect(":memory:"), tmp_path / "a") == b"12", "of no page"


@pytest.mark.slow
@pytest.mark.parametrize("length", [12, 4096])
def test_every_game_outside_the_damaged_page_is_in_the_new_database(filled: Path, length: int) -> None:
    chance = random.Random(length)
    moves = [chance.randbytes(40) for _ in range(400)]
    with Database(filled) as db, begin(db) as kept:
        kept.append(0, [one._replace(moves=moves[one.number]) for one in rows(range(400))])
    with raw(filled) as connection:
        connection.execute("VACUUM")  # no deleted copies: each game's moves stand once in the file
    whole = filled.read_bytes()
    page_of = {one: whole.index(one) // 4096 for one in moves}
    for page in range(len(whole) // 4096):
        if page and (page + length) % few(3, 1):  # the first page has the tables' names
            continue
        damaged, at = bytearray(whole), page * 4096 + chance.choice((0, chance.randrange(4097 - length)))
        damaged[at : at + length] = chance.randbytes(length)
        filled.write_bytes(damaged)
        with Database(filled) as db:
            listed = {one.row.moves for one in game_list.games(db, limit=None)}
            saved = {moves for (moves,) in db.query("SELECT moves FROM games")}
            assert {one for one in page_of if page_of[one] != page} <= saved, f"page {page}: {db.faults}"
            assert set(page_of) <= listed or db.faults, f"page {page}: lost without a word"


@pytest.mark.parametrize("room", [0, 20_000])
def test_without_room_for_a_copy_the_damaged_one_stays_and_is_read(filled: Path, room: int) -> None:
    filled.write_bytes(whole := flipped_page(filled.read_bytes()))
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    for _ in range(2):
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, most[1]))
            with Database(filled) as db:
                assert game_list.count(db) == 345
                assert "cannot be set aside (" in db.faults[0] and "345 of 401 games could be read" in db.faults[0]
                with pytest.raises(StoreError, match="cannot be"):
                    saved_games.save_game(db, "nim:1,2", "human", "perfect", row(3))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, most)
        assert filled.read_bytes() == whole and beside(filled)[0] == "nimtui.sqlite"  # nothing is set aside
    with Database(filled) as db:
        assert "345 of 401 games were readable and copied" in db.faults[0]
        assert game_list.count(db) == 345


@pytest.mark.parametrize("replace", [True, False])
def test_only_damage_and_tables_of_no_version_are_salvaged(path: Path, replace: bool) -> None:
    with Database(path) as db:
        saved_games.save_game(db, "nim:1,2", "human", "perfect", row(3))
    refused = {"INTERNAL": "odd", "BUSY": "another program has locked it"}
    for name in ("", "CORRUPT", "ERROR", *refused):
        fault = sqlite3.DatabaseError("odd") if name else sqlite.Damage("odd")
        fault.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{name}") if name else 0  # type: ignore[union-attr]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sqlite, "check", Mock(side_effect=[fault, *[len(sqlite.STEPS)] * 3]))
            if name in refused:
                with pytest.raises(StoreError, match=f"^{path} cannot be used: {refused[name]}$"):
                    Database(path, replace=replace)
                continue
            with Database(path, replace=replace) as db:
                assert game_list.games(db)[0].row == row(3) and db.faults[0].startswith(f"{path} is damaged (odd)")


def test_what_could_not_be_read_is_played_again_when_the_tournament_is_resumed(filled: Path) -> None:
    with Database(filled) as db, tournaments.resume(db, 1) as kept:
        kept.set_total(400)
        kept.ended("done", 1.0)
    filled.write_bytes(flipped_page(filled.read_bytes()))
    with Database(filled) as db, tournaments.resume(db) as kept:
        assert (kept.id, kept.info.played) == (1, 344)
        kept.append(0, rows(range(400)))
        kept.ended("done", 2.0)
        assert kept.rows(0) == rows(range(400)) and kept.info.played == 400
        assert tournaments.info(db, 1).state == "done" and len(db.faults) == 1


def test_what_sqlite_keeps_beside_it_is_set_aside_with_it(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with Database(path) as db, begin(db) as kept:
        kept.append(0, rows(range(400)))
        for end in ("", "-wal"):  # as a crash would leave it
            shutil.copy(f"{path}{end}", f"{other}{end}")
    log = Path(f"{other}-wal").read_bytes()
    assert len(log) > 10_000
    other.write_bytes(b"x" * 5000)
    with Database(other) as db:
        [fault] = db.faults
        assert "all 400 games were copied to a new database" in fault  # they were in the log
        assert saved_games.rows(db, 1, 0) == rows(range(400))
    assert (tmp_path / "other.damaged-1.sqlite").read_bytes() == b"x" * 5000
    assert (tmp_path / "other.damaged-1.sqlite-wal").read_bytes() == log


def test_damage_that_is_found_later_is_set_aside_then(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.write_bytes(damaged := flipped_page(filled.read_bytes()))
    monkeypatch.setattr(sqlite, "CHECKED", 0)  # as if it were too large to be read whole
    told: list[str] = []
    with Database(filled, told.append) as db:
        assert db.faults == []
        found = saved_games.rows(db, 1, 0)  # the rest reads at once
        assert len(found) == 344 and found == [row(one.number) for one in found]
        assert db.faults == told and len(told) == 1 and db.generation == 2
        assert told[0].endswith(
            "set aside as nimtui.damaged-1.sqlite; 345 of 401 games were readable and copied to a new database"
        )
        assert [one.state for one in tournaments.tournaments(db)] == ["stopped"]
        saved_games.save_game(db, "nim:1,2", "human", "perfect", row(3))
    aside = filled.parent / "nimtui.damaged-1.sqlite"
    assert aside.read_bytes() == damaged
    assert games(filled) == 346


def test_what_another_has_set_aside_stays_there(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.write_bytes(flipped_page(filled.read_bytes()))
    monkeypatch.setattr(sqlite, "CHECKED", 0)
    with Database(filled) as one, Database(filled) as other:
        with pytest.raises(StoreError, match="set aside by another nimtui"), other.reading() as connection:
            assert len(saved_games.rows(one, 1, 0)) == 344
            connection.execute("SELECT * FROM games").fetchall()
        saved_games.save_game(one, "nim:1,2", "human", "perfect", row(3))
        assert game_list.count(other) == 346
    assert beside(filled)[0] == "nimtui.damaged-1.sqlite"
    assert not [name for name in beside(filled) if "damaged-2" in name]


def test_a_tournament_goes_on_in_the_new_one(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.write_bytes(flipped_page(filled.read_bytes()))
    monkeypatch.setattr(sqlite, "CHECKED", 0)
    with Database(filled) as db, tournaments.resume(db) as kept:
        for number in range(0, 400, 10):
            kept.drop_from(0, 390 - number)  # meets the damaged page sooner or later
            assert kept.fault == ""
        kept.append(0, rows(range(400, 420)))
        assert kept.fault == "" and len(db.faults) == 1
        assert kept.rows(0) == rows(range(400, 420)) and kept.info.played == 20 and kept.id == 1
        assert tournaments.info(db, kept.id) == kept.info and kept.info.state == "running"


def test_rows_of_any_length_are_read_as_sqlite_wrote_them(tmp_path: Path) -> None:
    draw, path = random.Random(1), tmp_path / "long.sqlite"
    # For pages of 4,096 bytes: https://sqlite.org/fileformat2.html#b_tree_pages
    assert (salvage.LEAST, salvage.MOST) == (489, {13: 4061, 10: 1002, 2: 1002})
    sizes = (0, 1, 480, 1_100, 8_136, 8_137, 8_138, 9_000, 40_000)
    sizes += (*range(PAGE - 70, PAGE + 9), PAGE + 500, 2 * PAGE, 5 * PAGE + 7)
    keyed = [(at, draw.randbytes(size)) for at, size in enumerate((*range(960, 1_020), 1_400, PAGE, 3 * PAGE), start=1)]
    wanted = [(at, (None, draw.randbytes(size), "é", at / 3)) for at, size in enumerate(sizes, start=1)]
    wanted += [(id, (None, b"", "é", 0.5)) for id in (2**56 - 1, 2**56, 2**62)]  # of eight bytes and of nine
    edges = (0, 1, 127, 128, 2**15 - 1, 2**15, 2**23 - 1, 2**23, 2**31, 2**47 - 1, 2**47, 2**63 - 1)  # of each width
    wanted += [(10_000 + at, (None, -edge, edge, at)) for at, edge in enumerate(edges)]
    with raw(path) as other:
        other.executescript(f"PRAGMA page_size = {PAGE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        other.execute("PRAGMA secure_delete = OFF")
        other.execute("CREATE TABLE m (id INTEGER PRIMARY KEY)")
        other.executemany("INSERT INTO m VALUES (?)", [(at,) for at in range(1, 2_001)])
        other.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, long, text, part)")
        other.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [(at, *values[1:]) for at, values in wanted])
        other.execute("CREATE TABLE k (id INTEGER PRIMARY KEY, long BLOB) WITHOUT ROWID")
        other.executemany("INSERT INTO k VALUES (?, ?)", keyed)
        other.execute("CREATE TABLE dropped (long BLOB)")
        other.executemany("INSERT INTO dropped VALUES (?)", [(bytes(3_000),)] * 30)
        other.execute("DROP TABLE dropped")  # its pages are free, with all their bytes
    whole = path.read_bytes()
    found = list(records(whole))
    assert sorted(each for each in found if len(each[1]) == 4) == sorted(wanted)
    assert sorted(values for number, values in found if not number) == keyed
    assert sorted(each for each in found if len(each[1]) == 1) == [(at, (None,)) for at in range(1, 2_001)]
    page = next(at for at in range(PAGE, len(whole), PAGE) if whole[at] == salvage.TABLE)
    assert list(records(whole + whole[page : page + PAGE + 9])) == [*found, *records(bytes(PAGE) + whole[page:][:PAGE])]


@pytest.mark.parametrize("last", [0, 2, 99])
def test_the_list_of_free_pages_ends_at_none_at_one_that_it_had_and_at_one_that_is_not_there(last: int) -> None:
    trunks = struct.pack(">1024I", 3, 2, 7, 8, *range(50, 1070)) + struct.pack(
        ">1024I", last, 2**32 - 1, *range(9, 1031)
    )
    assert salvage._free(bytes(32) + struct.pack(">I", 2) + bytes(PAGE - 36) + trunks) == {2, 3, 7, 8, *range(9, 1031)}


@pytest.mark.parametrize(("further", "there"), [(0, False), (1, False), (2, True), (3, False)])
def test_a_long_row_that_leads_to_no_page_is_damaged(further: int, there: bool) -> None:
    page = (bytes([128 | 39, 8, 1]) + bytes(908) + further.to_bytes(4, "big")).ljust(PAGE, b"\0")  # 908 of 5,000 bytes
    with nullcontext() if there else pytest.raises(ValueError, match=r"^its row is longer than the file$"):
        assert salvage._record(bytes(2 * PAGE), page, salvage.TABLE, 0) == (1, ())


@pytest.mark.parametrize(("application", "version", "statement", "says"), [
    (0, 0, "", ""), (0, 0, "CREATE TABLE x (y)", "is a database of another program"),
    (0, 3, "", "is a database of another program"), (1, 0, "", "is a database of another program"),
    (sqlite.APPLICATION, 0, "", "it has no version number"), (sqlite.APPLICATION, 3, "", "agents is missing"),
    (sqlite.APPLICATION, 4, "", "it has version 4, this version reads up to 3"),
])  # fmt: skip
def test_a_database_is_known_by_numbers_and_tables(application: int, version: int, statement: str, says: str) -> None:
    with closing(sqlite.connect(Path(":memory:"))) as one:
        one.execute(f"PRAGMA application_id = {application}")
        one.execute(f"PRAGMA user_version = {version}")
        one.execute(statement)
        for look in (sqlite.check, sqlite.carry_over, lambda one: sqlite.carry_over(one, 3)) if says else ():
            with pytest.raises((sqlite.Foreign, sqlite.Damage), match=says):
                look(one)
        if not says:
            assert sqlite.check(one) == 0
            sqlite.carry_over(one)
            assert sqlite.check(one) == 3
            one.execute("ALTER TABLE games ADD COLUMN more")
            sqlite._expected.cache_clear()
            with pytest.raises(sqlite.Damage, match="the definition of games has changed"):
                sqlite.check(one)


def test_whoever_only_reads_takes_no_lock_where_there_is_no_log(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def mode(connection: Connection) -> str:
        with closing(connection):
            assert connection.execute("SELECT count(*) FROM games").fetchone() == (401,)
            return str(connection.execute("PRAGMA locking_mode").fetchone()[0])

    assert filled.read_bytes()[68:72] == b"NimT"
    assert mode(sqlite.connect_reading(filled, alone=True)) == "normal" and beside(filled) == [filled.name]
    assert mode(sqlite.connect_reading(filled)) == "normal" and len(beside(filled)) == 3
    with Database(filled) as db:
        begin(db).close()  # so that there is a log
        assert [mode(sqlite.connect_reading(filled, alone)) for alone in (False, True)] == ["normal", "normal"]
        assert db.query("PRAGMA busy_timeout") == [(10_000,)]
        (shut := filled.with_name("shut.sqlite-shm")).symlink_to("x")  # no index of the log can be made
        for ends, locking in (([""], "normal"), (["", "-wal"], "exclusive")):
            for end in ends:
                shutil.copy(f"{filled}{end}", shut.with_name(f"shut.sqlite{end}"))
            assert mode(sqlite.connect_reading(shut.with_name("shut.sqlite"))) == locking
    with raw(filled) as other, pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite, "PATIENCE", 0)
        sqlite.connect_reading(filled)
    shutil.copy(filled, odd := filled.with_name("vfs=unix-none"))
    assert mode(sqlite.connect(odd)) == "normal", "no address"
    for size in (0, 1):
        (small := filled.with_name("x")).write_bytes(b"x" * size)
        assert sqlite._has(small) is (size > 0) and not sqlite._has(small / "y")
        with nullcontext() if size else pytest.raises(sqlite.Damage, match=r"^it is empty: 0 bytes$"):
            assert sqlite.check_file(small) and not sqlite.check_file(small / "y")
    small.write_bytes(b"x" * 5_000)
    with pytest.raises(sqlite3.DatabaseError):
        sqlite.connect_reading(small)
    assert sqlite.is_damage(UnicodeDecodeError("utf-8", b"", 0, 1, "")) and sqlite.code(ValueError()) == 0
    filled.write_bytes(flipped_page(filled.read_bytes()))
    with closing(sqlite.connect(filled)) as one:
        for less, found in ((1, nullcontext()), (0, pytest.raises(sqlite.Damage))):
            monkeypatch.setattr(sqlite, "CHECKED", filled.stat().st_size - less)
            with found:
                sqlite.check_whole(one)


def test_a_file_of_no_bytes_is_damage_and_not_a_new_database(filled: Path) -> None:
    filled.write_bytes(b"")
    with Database(filled) as db:
        assert "it is empty: 0 bytes" in db.faults[0] and game_list.count(db) == 0
    assert (filled.parent / "nimtui.damaged-1.sqlite").read_bytes() == b""


@pytest.mark.slow
def test_no_flipped_bit_of_what_the_tables_are_made_with_loses_a_game(filled: Path) -> None:
    whole = filled.read_bytes()
    first = min(whole.index(b"CREATE"), whole.index(b"CREATE TABLE games"))
    chance = random.Random(3)
    places = [whole.index(b"own_first INTEGER"), *(chance.randrange(first, 4096) for _ in range(20))]
    for at in places:
        for left in filled.parent.iterdir():
            if left.is_file():
                left.unlink()
        damaged = bytearray(whole)
        damaged[at] ^= 1 << chance.randrange(8)
        filled.write_bytes(damaged)
        with Database(filled) as db:
            assert game_list.count(db) == 401, f"byte {at}"
            assert len(game_list.games(db, limit=None)) == 401, f"byte {at}: {db.faults}"


def test_an_older_one_is_carried_over(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = "ALTER TABLE games ADD COLUMN remark TEXT NOT NULL DEFAULT 'none'; CREATE TABLE remarks (text TEXT)"
    monkeypatch.setattr(sqlite, "STEPS", (*sqlite.STEPS, step))
    with Database(filled) as db:
        assert db.query("PRAGMA user_version") == [(len(sqlite.STEPS),)]
        assert db.query("SELECT count(*), min(remark), max(remark) FROM games") == [(401, "none", "none")]
        assert db.query("SELECT * FROM remarks") == []
        assert saved_games.rows(db, 1, 0) == rows(range(400))
    assert games(filled) == 401 and beside(filled) == ["nimtui.sqlite"]
