"""A bit that flips in the database is noticed when its row is read: it is said, and the rest still reads."""

from __future__ import annotations

import random
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest

from nimtui.foreign.values import FIRST_DATE
from nimtui.store import StoreError, game_list, saved_games, seals, sqlite, tournaments
from nimtui.store.check import Checked, check_database
from nimtui.store.database import Database
from nimtui.store.game_list import tallies
from tests.store.sample import begin, row, rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "nimtui.sqlite"
    with Database(path) as db:
        with begin(db, "a name") as kept:
            kept.append(0, rows(range(200)))
            kept.append(1, rows(range(100)))
        for number in range(20):
            saved_games.save_game(db, "nim:1,2", "human", "perfect", row(number), f"n{number}")
    return path


def harm(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        assert other.execute(statement, values).rowcount == 1


def everything(path: Path) -> tuple[dict[str, Any], list[str]]:
    """What is read of a database, and what was said."""
    told: list[str] = []
    with Database(path, told.append) as db:
        found = {
            "games": game_list.games(db, limit=None),
            "tournaments": tournaments.tournaments(db),
            "count": game_list.count(db),
            "columns": [saved_games.columns(db, 1, pairing) for pairing in range(3)],
            "rows": [saved_games.rows(db, 1, pairing) for pairing in range(3)],
            "tallies": tallies(db, 1),
        }
    return found, told


@pytest.mark.parametrize(("change", "tallied", "columns"), [
    *((f"{change} = {value}", 300, 200) for change, value in {
        "moves": "zeroblob(18)", "ended": 7, "name": "'another'", "deleted": 7.0, "fault": "'another'"}.items()),
    ("seconds = x'12'", 300, 199),
    *((change, 299, 199) for change in (
        "seal = NULL", "opener = 'one'", "own_first = 1 << 60",
        "own_first = own_first + (1 << 31)", "own_first = own_first - (1 << 31)",
        "own_first = own_first + 17, own_second = own_second - 13",
        "own_first = own_first + 19, chances_first = chances_first - 13",
        *(f"{column} = 3" for column in ("opener", "opening", *seals.COUNTS)))),
])  # fmt: skip
def test_a_changed_value_of_a_game_is_noticed_and_the_others_are_read(
    path: Path, change: str, tallied: int, columns: int
) -> None:
    harm(path, f"UPDATE games SET {change} WHERE pairing = 1 AND number = 16")
    found, told = everything(path)
    assert [one for one in told if "game 1:17 is damaged and left out: its checksum is wrong" in one] == told[:1]
    assert found["rows"][0] == [one for one in rows(range(200)) if one.number != 16]
    assert sum(one.wins + one.draws + one.losses for one in found["tallies"]) == tallied
    assert len(found["columns"][0].number) == columns and sum(one.faults for one in found["tallies"]) == 30
    assert len(found["games"]) == 319
    with Database(path) as db:
        pages = [
            game_list.games(db, limit=3, tournament=1, **{end: id})
            for end, id in (("before", 10_000_018), ("after", 10_000_014))
        ]
        numbers = [[one.row.number for one in page] for page in pages]
        assert numbers == [[17, 15, 14], [15, 17, 18]], "others in place of the damaged one"
        left_out = ["game 1:17 is damaged and left out: its checksum is wrong"]
        assert db.faults == ([] if "deleted" in change else left_out)
        with pytest.raises(StoreError, match="game 1:17 is damaged: its checksum is wrong"):
            game_list.game(db, 10_000_016)
        check_database(checked := Checked(), db)
    assert checked.damaged == [("game", "1:17", "its checksum is wrong")]


@pytest.mark.slow
@pytest.mark.parametrize("checked", [sqlite.CHECKED, 0])  # 0: as if it were too large to be read whole at once
def test_whatever_bytes_change_nothing_wrong_is_shown_in_silence(
    path: Path, monkeypatch: pytest.MonkeyPatch, checked: int
) -> None:
    monkeypatch.setattr(sqlite, "CHECKED", checked)
    good, told = everything(path)
    assert told == []
    whole, chance = path.read_bytes(), random.Random(5)
    known = {one.id: one for one in good["games"]}
    noticed = 0
    for _ in range(40):
        for beside in path.parent.iterdir():
            if beside.is_file():
                beside.unlink()
        at, length = chance.randrange(len(whole) - 64), chance.choice([1, 1, 1, 64])
        damaged = bytearray(whole)
        for place in range(at, at + length):
            damaged[place] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        found, told = everything(path)
        assert told or found == good, f"bytes {at} to {at + length}"
        noticed += bool(told)
        for one in found["games"]:
            assert one == known.get(one.id) or "(its name is damaged)" in str(one), f"bytes {at} to {at + length}"
    assert noticed > 5


def test_a_damaged_name_is_said_in_its_place_and_a_damaged_tournament_listed_but_not_resumed(path: Path) -> None:
    harm(path, "UPDATE agents SET name = 'perfekt' WHERE name = 'perfect'")
    with Database(path) as db:
        assert game_list.games(db, tournament=1, pairing=0, limit=1)[0].second == "agent 2 (its name is damaged)"
        with pytest.raises(StoreError, match="pairing 1 of tournament 1 is damaged"):
            tournaments.resume(db)
    harm(path, "UPDATE tournaments SET document = '{}', made = 'never' WHERE id = 1")
    with Database(path) as db:
        (found,) = tournaments.tournaments(db)
        assert (found.id, found.sound, found.made, found.document) == (1, False, FIRST_DATE - 1, {})  # no date
        assert db.faults == ["tournament 1 is damaged: its checksum is wrong"]
        assert len(game_list.games(db, tournament=1, limit=None)) == 300
        with pytest.raises(StoreError, match="tournament 1 is damaged: its checksum is wrong"):
            tournaments.resume(db, 1)


def test_a_damaged_game_that_is_played_again_is_mended_and_missing_games_are_said(path: Path) -> None:
    harm(path, "UPDATE games SET moves = x'00' WHERE pairing = 1 AND number = 16")
    with Database(path) as db, tournaments.resume(db, 1) as kept:
        kept.append(0, rows(range(10, 20)))
        assert kept.info.played == 300 and db.faults == []
        assert kept.rows(0) == rows(range(200))
    harm(path, "DELETE FROM games WHERE pairing = 2 AND number = 16")
    assert everything(path)[1] == ["1 game of pairing 2 of tournament 1 is missing"]


def test_damaged_rows_are_named_once(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE games SET moves = x'00' WHERE pairing = 2 AND number < 7")
        other.execute("UPDATE pairings SET seal = NULL WHERE id = 3")
    with Database(path) as db:
        assert len(saved_games.rows(db, 1, 1)) == 93 and not game_list.games(db, 1, before=20_000_001, pairing=1)
        assert saved_games.rows(db, 1, 2) == saved_games.rows(db, 1, 9) == []
        assert db.faults == [
            "7 games are damaged and left out: 2:1, 2:2, 2:3, 2:4, 2:5 and 2 more; their checksums are wrong",
            "pairing 3 of tournament 1 is damaged: its checksum is wrong", "pairing 10 of tournament 1 is missing",
        ]  # fmt: skip


def test_what_a_person_changes_is_sealed_and_damage_stays_known(path: Path) -> None:
    with Database(path) as db:
        tournaments.rename(db, 1, "another")
        saved_games.rename_game(db, 10_000_003, "third")
        saved_games.delete_game(db, 10_000_004)
    found, told = everything(path)
    assert told == [] and len(found["games"]) == 319
    harm(path, "UPDATE games SET result = 1 WHERE pairing = 1 AND number = 3")
    with Database(path) as db:
        saved_games.rename_game(db, 10_000_003, "fourth")
        with pytest.raises(StoreError, match="game 1:4 is damaged"):
            game_list.game(db, 10_000_003)


def test_a_seal_is_computed_as_in_every_version(path: Path) -> None:
    with Database(path) as db:
        saved_games.rename_game(db, 10_000_003, "née")
        saved_games.delete_game(db, 10_000_009)
        names, primes = ", ".join(seals.WEIGHTS), (3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
        select = f"SELECT seal, pairing, ended, {names}, seconds, moves, fault, name, deleted FROM games"
        for seal, pairing, ended, *whole, seconds, moves, fault, name, deleted in db.query(select):
            crc = crc32(struct.pack("<10qd", *whole, seconds), crc32(struct.pack("<2q", pairing, ended)))
            texts = f"{fault}\0{name}\0{deleted!r}".encode() if fault or name or deleted is not None else b""
            weighted = sum(number * prime for number, prime in zip(whole, primes, strict=True)) % 2**31
            assert seal == weighted * 2**32 + crc32(texts, crc32(moves, crc))
        for table, columns in (
            ("agents", "id, name"),
            ("tournaments", "id, kind, name, document, state, made, changed, seconds, total, token, deleted"),
            ("pairings", "id, tournament, number, board, first, second, played"),
        ):
            for seal, *values in db.query(f"SELECT seal, {columns} FROM {table}"):
                stored = tuple(value.encode() if isinstance(value, str) else value for value in values)
                assert seal == crc32(ascii(stored).encode())


@pytest.mark.parametrize("change", ["played = 'x'", "played = 3", "number = 'x'", "seal = NULL"])
def test_a_damaged_pairing_hides_none_of_its_sound_games(path: Path, change: str) -> None:
    with Database(path) as db:
        saved_games.delete_game(db, 10_000_016)
    harm(path, f"UPDATE pairings SET {change} WHERE id = 1")
    told: list[str] = []
    with Database(path, told.append) as db:
        shown = game_list.games(db, limit=None)
        assert len(shown) == game_list.count(db) == 319
        assert game_list.count(db, deleted=True) == 1
        assert game_list.game(db, 10_000_015).row == row(15)
        assert told == ["pairing 1 is damaged: its checksum is wrong; the names of its games may be wrong"]
        tallies(db, 1)


def test_a_check_counts_all_rows_says_how_far_it_is_and_names_lost_tournaments(path: Path) -> None:
    for often in (100, 99, 3):
        with Database(path) as db, pytest.MonkeyPatch.context() as patch:
            patch.setattr("nimtui.store.check.OFTEN", often)
            told: list[tuple[object, ...]] = []
            check_database(checked := Checked(), db, SimpleNamespace(report=lambda *far, told=told: told.append(far)))  # type: ignore[arg-type]
        played, before = [200, 100, 0, *[1] * 20], [0, 200, 300, 300, *range(301, 320)]
        due = [done for number, done in enumerate(before) if number % often == 0 or played[number] > often]
        assert told == [*((done, 320, "games") for done in due), (320, 320, "pages")]
        assert checked.damaged == [] and checked.counts == {
            "game name": 1, "agent name": 4, "tournament": 1, "pairing": 23, "game": 320
        }  # fmt: skip
    harm(path, "DELETE FROM tournaments")
    with Database(path) as db:
        check_database(checked := Checked(), db)
    assert checked.damaged == [("pairing", f"{id}", "its tournament 1 is missing") for id in (1, 2, 3)]


def test_a_check_names_what_is_missing_and_whatever_changed(path: Path) -> None:
    for number in (3, 16):
        harm(path, "DELETE FROM games WHERE pairing = 1 AND number = ?", number)
    harm(path, "UPDATE games SET moves = x'00' WHERE pairing = 1 AND number = 5")
    harm(path, "UPDATE agents SET name = 'perfekt' WHERE name = 'perfect'")
    with Database(path) as db:
        check_database(checked := Checked(), db)
        [(pairings,)], [(games,)] = db.query("SELECT count(*) FROM pairings"), db.query("SELECT count(*) FROM games")
        [(agent,)] = db.query("SELECT id FROM agents WHERE name = 'perfekt'")
    assert [(one.what, one.id, one.fault) for one in checked.damaged] == [
        ("agent name", str(agent), "its checksum is wrong"),
        ("game", "1:6", "its checksum is wrong"),
        ("pairing", "1", "2 of its 200 games are missing"),
    ]
    assert (checked.counts["pairing"], checked.counts["game"]) == (pairings, games)


@pytest.mark.parametrize("column", sorted(seals.WEIGHTS.keys() - {"number", "result"}))
def test_no_number_that_counts_changes_unseen(path: Path, column: str) -> None:
    for bit in (0, 5):
        change = f"UPDATE games SET {column} = ({column} | :bit) - ({column} & :bit) WHERE pairing = 1 AND number = 16"
        with Database(path) as db:
            before = tallies(db, 1)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute(change, {"bit": 1 << bit})
        told: list[str] = []
        with Database(path, told.append) as db:
            assert sum(one.wins + one.draws + one.losses for one in tallies(db, 1)) == 299
            assert len(saved_games.columns(db, 1, 0).number) == 199
        assert told == ["game 1:17 is damaged and left out: its checksum is wrong"]
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute(change, {"bit": 1 << bit})
        with Database(path) as db:
            assert tallies(db, 1) == before and db.faults == []


def test_an_older_database_is_sealed_as_it_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old.sqlite"
    with closing(sqlite.connect(path)) as old:
        sqlite.carry_over(old, 1)
        old.execute("INSERT INTO boards VALUES (1, 'nim:1,2')")
        old.execute("INSERT INTO agents VALUES (1, 'human')")
        old.execute("INSERT INTO pairings VALUES (1, NULL, 0, 1, 1, 1, 1)")
        values = (1, 0, 0, 0, b"ab", 1, 1, 0, 0, 0, 0, 0, "", 0.5, 9, "", None)
        old.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(values))})", values)
    with Database(path) as db:
        assert game_list.game(db, 10_000_000).row.moves == b"ab" and db.faults == []
        checked = Checked()
        check_database(checked, db)
        assert checked.damaged == [] and checked.counts["game"] == 1
    harm(path, "UPDATE games SET moves = x'6163'")
    with Database(path) as db, pytest.raises(StoreError, match="game 1:1 is damaged"):
        game_list.game(db, 10_000_000)
