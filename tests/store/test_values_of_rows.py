"""Rows, numbers and names of the database as values: fitted, counted, imported, and the files beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.store import game_list, guard, imports, paths, row_values, seals, settings, tournaments
from nimtui.store.database import Database
from nimtui.store.imports import ImportedGame, ImportedTournament
from nimtui.store.rows import MOST_NUMBERS, Fault, GameId, GameRow, parse_game_id, unpacked
from tests.store.sample import DOCUMENT, begin, row, rows

SOUND = (3, 1, 2, b"abcd", -1, 5, 6, 3, 4, 1, 0, "a fault", 0.5)
NAMES = ("number", "opener", "opening", "moves", "result", *seals.COUNTS, "fault", "seconds")
FITTED: list[tuple[str, Any, Any]] = [  # a column, a value that does not fit, the value instead
    ("number", "3", 0), ("opener", 2, 0), ("opening", -1, 0), ("opening", 2**15, 0), ("moves", b"abc", b"ab"),
    ("moves", b"abcde", b"abcd"), ("moves", "text", b""), ("result", 0.5, 0), ("result", "x", 0),
    *((column, count, 0) for column in seals.COUNTS for count in (2**31, 1.0)), ("own_first", -1, 0),
    ("fault", None, ""), ("fault", 7, "7"), ("seconds", -0.5, 0.0), ("seconds", 3, 3.0),
    ("seconds", float("inf"), 0.0),
]  # fmt: skip


def flat(game: GameRow) -> tuple[Any, ...]:
    return (*game[:5], *game.own, *game.chances, *game.mistakes, game.fault, game.seconds)


@pytest.mark.parametrize(("column", "value", "instead"), FITTED)
def test_a_value_that_no_game_has_is_replaced_alone(column: str, value: Any, instead: Any) -> None:
    place = NAMES.index(column)
    stored = (*SOUND[:place], value, *SOUND[place + 1 :])
    fitted = row_values.game_row(stored)
    assert flat(fitted) == (*SOUND[:place], instead, *SOUND[place + 1 :])
    assert row_values.misfits(fitted, stored) == (column,)


def test_values_at_their_limits_stay() -> None:
    for values in (SOUND, (3, 0, 2**15 - 1, b"", 1, *[2**31 - 1] * 6, "", 0.0)):
        fitted = row_values.game_row(values)
        assert flat(fitted) == values and row_values.misfits(fitted, values) == ()
    text = '{"games": "x", "agents": ["a", 1], "number": "n", "seed": 7, "pairs": 1}'
    assert row_values.tournament_document(text) == {"games": [], "agents": ["a", "1"], "seed": 7}
    assert row_values.tournament_document(b"{") == {} and row_values.count("x") == 0 and row_values.count(-3) == -3
    assert row_values.token("0af") == "0af" and len(row_values.token("../x")) == len(row_values.token(None)) == 64


@pytest.mark.parametrize(
    ("text", "id"),
    [("3:30", GameId(3, 29)), (" 3 ", GameId(3)), ("30000029", GameId(3, 29)), ("10000000", GameId(1, 0)),
     ("9999999", GameId(9999999))],
)  # fmt: skip
def test_an_id_is_read_as_it_is_written(text: str, id: GameId) -> None:
    assert parse_game_id(text) == id == parse_game_id(str(id))
    for wrong in ("3:0", f"3:{MOST_NUMBERS + 1}", "0", "x", "3:4:5", ""):
        with pytest.raises(InputError):
            parse_game_id(wrong)


def test_games_are_imported_once(db: Database) -> None:
    dated = ImportedGame("nim:1,2", "a", "b", row(3), " a\nname ", 1_000)
    timeless = dated._replace(row=row(4), ended=None)
    told: list[int] = []
    assert imports.keep_all(db, [dated, timeless, timeless, dated], [], told.append) == (
        [10_000_003, 20_000_004, 30_000_004, None], [],
    )  # fmt: skip
    assert told == [0] and game_list.game(db, 10_000_003).name == "a name"
    assert game_list.game(db, 10_000_003).ended == 1_000 and game_list.game(db, 20_000_004).ended > 1.7e9
    assert imports.keep_all(db, [dated, timeless, dated._replace(ended=1_001)], []) == ([None, None, 40_000_003], [])
    source = ImportedTournament("tournament", "t", DOCUMENT, 5.0, 2.5, 2, [("nim:1,2", "a", "b")],
                                [(0, row(0), 7), (0, row(1), None)])  # fmt: skip
    assert imports.keep_all(db, [], [source, source._replace(made=6.0, total=3)]) == ([], [1, 2])
    assert [(info.state, info.played, info.seconds) for info in tournaments.tournaments(db)] == [
        ("stopped", 2, 2.5), ("done", 2, 2.5),
    ]  # fmt: skip
    assert [game.ended for game in game_list.games(db, tournament=1)][1] == 7
    assert game_list.same_games(db, (1, 0), (2, 0)) and not game_list.same_games(db, (1, 0), (1, 1))
    with begin(db) as kept:
        kept.append(0, [row(0), row(1)._replace(result=1)])
        kept.append(1, rows([2]))
    assert not game_list.same_games(db, (1, 0), (3, 0)) and not game_list.same_games(db, (1, 0), (3, 1))
    assert imports.keep_all(db, [], [source]) == ([], [None])
    with pytest.raises(InputError, match="tournament 1 is an earlier state of the one in the file: delete it"):
        imports.keep_all(db, [], [source._replace(games=[*source.games, (0, row(2), None)])])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    return tmp_path


def test_a_crash_is_told_in_two_lines_and_the_oldest_report_goes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MOST_REPORTS", 2)
    reports = [guard.write_report(ValueError("one\ntwo"), {"screen": "play"}) for _ in range(3)]
    assert all(reports) and sorted(paths.reports().glob("*.txt")) == reports[1:]
    text = reports[2].read_text().splitlines() if reports[2] else []
    assert text[2:5] == ["screen     play", "", "ValueError: one"] and text[1].startswith("version    nimtui ")
    assert guard.report_lines(ValueError("one\ntwo"), "in play", reports[2]) == (
        "nimtui failed in play: ValueError: one two", f"Report: {reports[2]}",
    )  # fmt: skip
    monkeypatch.setenv("NIMTUI_HOME", str(reports[2]))
    assert guard.write_report(ValueError(), {}) is None
    assert guard.report_lines(ValueError("x" * 300), "x", None)[1] == "The report could not be written."


def test_a_fault_tells_what_a_program_was_told_and_wrote() -> None:
    fault = Fault("a took too long", "timeout", "3,4", "go movetime 5", "", ("one", "two"))
    told = ["timeout at 3,4", "told: go movetime 5", "answered: nothing", "stderr: one", "stderr: two"]
    assert fault.particulars == told and fault._replace(told="").particulars == []
    assert unpacked(fault.packed()) == fault and fault.document()["answer"] is None


def test_keys_are_read_from_tables_and_dots(home: Path) -> None:
    assert settings.read_keys() == ([], [])
    paths.keys().write_text('a.b = "f1"\nc = ["x", "y"]\nd = []\ne = 3\n[a]\nb2 = "z"\n[f]\ng = ["1", 2]\n')
    assert settings.read_keys()[1][0].startswith(f"{paths.keys()} is no TOML (")  # `a` is declared twice
    paths.keys().write_text(f'c = ["x", "y"]\nd = []\ne = 3\nm = {["k"] * 8}\nn = {["k"] * 9}\n[a]\nb = "f1"\n')
    lines, faults = settings.read_keys()
    assert lines == [
        settings.KeyLine("c", ("x", "y")),
        settings.KeyLine("m", ("k",) * 8),
        settings.KeyLine("a.b", ("f1",)),
    ]
    assert [fault.split(" must be ")[0] for fault in faults] == ["keys.toml: d", "keys.toml: e", "keys.toml: n"]
