"""`nimtui table`: what a saved table says, and files that hold none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nimtui import theory
from nimtui.games import parse_game
from nimtui.learning import interpreted, saved_tables, taught
from nimtui.learning.evaluate import accuracy
from nimtui.learning.table import Table
from nimtui.store import arrays
from tests.cli.conftest import Nimtui
from tests.learning.helpers import random_record


@pytest.fixture
def table(nimtui: Nimtui, tmp_path: Path) -> Path:
    file = tmp_path / "table.npz"
    assert nimtui(f"train subtraction:21,3:misere --games 200000 --save {file}").status == 0
    return file


def test_one_position_of_a_table(nimtui: Nimtui, table: Path) -> None:
    keys = nimtui(f"table {table} -p 2 --json").document
    assert (keys["game"], keys["learner"], keys["games"]) == ("nim:21:max=3:misere", "reward", 200_000)
    assert keys["position"] == "2" and set(keys["scores"]) == set(keys["visits"]) == {"a1", "a2"}
    assert keys["best_moves"] == keys["optimal_moves"] == ["a1"]
    assert keys["scores"]["a1"] > 0 >= keys["scores"]["a2"]
    assert keys["visits"]["a1"] > keys["visits"]["a2"] >= 0
    assert f"{keys['visits']['a1']:,}   best\n" in nimtui(f"table {table} -p 2").out


@pytest.mark.slow
def test_every_position_of_a_table(nimtui: Nimtui, table: Path) -> None:
    keys = nimtui(f"table {table} --json").document
    rows = keys["positions"]
    assert [row["position"] for row in rows] == [str(n) for n in range(1, 22)]
    for row in rows:
        assert set(row) == {"position", "scores", "visits", "best_moves", "optimal_moves"}
        most = max(row["scores"].values())
        assert row["best_moves"] == [move for move, score in row["scores"].items() if score == most]
        assert row == {name: nimtui(f"table {table} -p {row['position']} --json").document[name] for name in row}
    assert sum(rows[-1]["visits"].values()) == 200_000  # every game begins at the start
    text = nimtui(f"table {table}").out
    assert all(f"\n{n:<8}" in text for n in range(1, 22))


@pytest.mark.parametrize("name", ["nim:2,3", "nim:2,2:misere", "adjacent:1,3"])
def test_what_is_optimal_is_what_solve_says(nimtui: Nimtui, tmp_path: Path, name: str) -> None:
    file = tmp_path / "run.npz"
    nimtui(f"train {name} -n 10 --save {file}")
    read = Table.load(file)
    rows = nimtui(f"table {file} --json").document["positions"]
    assert len(rows) == len(read.numbers)
    for row, kept in zip(rows, read.rows(), strict=True):
        best = theory.solve(read.game, kept.state).best_moves
        assert row["optimal_moves"] == [read.game.move_name(move, kept.state) for move in best]


def test_scores_that_are_no_whole_numbers(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    nimtui(f"train nim:2,3 -l q -n 500 --save {file}")
    keys = nimtui(f"table {file} -p 1,2 --json").document
    assert all(isinstance(score, float) and -1 <= score <= 1 for score in keys["scores"].values())
    assert "b1     +1.000" in nimtui(f"table {file} -p 1,2").out


def test_a_table_can_play(nimtui: Nimtui, table: Path) -> None:
    words = f"match subtraction:21,3:misere --first random --second table:{table} -n 50 --json"
    assert nimtui(words).document["second_wins"] > 45


def _damaged(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 255
    file.write_bytes(content)


def _truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1000])


def _foreign(file: Path) -> None:
    file.write_bytes(b"GIF89a and so on")


def _another_npz(file: Path) -> None:
    with file.open("wb") as out:
        np.savez(out, numbers=np.arange(5))


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _newer(file: Path) -> None:
    header, kept = arrays.load(file)
    before, arrays.FORMAT = arrays.FORMAT, 99  # type: ignore[misc]
    try:
        arrays.save(file, header, kept)
    finally:
        arrays.FORMAT = before  # type: ignore[misc]


def _of_an_unknown_learner(file: Path) -> None:
    header, kept = arrays.load(file)
    arrays.save(file, {**header, "learner": "genius"}, kept)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_damaged, "is damaged"),
        (_truncated, "is damaged"),
        (_foreign, "is not a file of nimtui"),
        (_another_npz, "is not a file of nimtui"),
        (_empty, "is empty"),
        (_newer, "was written by a newer nimtui: it has format 99"),
        (_of_an_unknown_learner, "unknown learner 'genius'"),
    ],
)
def test_a_file_that_is_not_sound_is_named_and_left_as_it_was(
    nimtui: Nimtui, table: Path, spoil: Callable[[Path], None], says: str
) -> None:
    spoil(table)
    before = table.read_bytes()
    for words in (
        f"table {table}",
        f"train --resume {table} --games 5",
        f"export {table}",
        f"export {table} --what curve --to {table}.csv",
    ):
        answer = nimtui(words)
        assert (answer.status, answer.out) == (2, "")
        assert str(table) in answer.err and says in answer.err and answer.err.count("\n") == 1
    assert table.read_bytes() == before
    assert [path.name for path in table.parent.iterdir() if path.is_file()] == [table.name]


def test_json_is_one_line_in_a_pipe(nimtui: Nimtui, table: Path) -> None:
    said = nimtui(f"table {table} --json").out
    assert said.count("\n") == 1 and json.loads(said)


@pytest.fixture
def taught_table() -> str:
    """The name of a table that learned from two random games."""
    game = parse_game("nim:1,3,5,7")
    before = interpreted.train(game, "reward", 10, 1)
    for seed in (1, 2):
        record, when = random_record(game, seed), 1_700_000_000.0 + seed
        lesson = taught.Lesson.of(record, None, ("me", "easy"), when, 10 ** (seed - 1))
        taught.keep(saved_tables.new_place("mine"), "easy", before, [lesson])
    return "mine"


def test_the_versions_of_a_taught_table(nimtui: Nimtui, taught_table: str) -> None:
    keys = nimtui(f"table {taught_table} --versions --json").document
    assert (keys["game"], keys["learner"], keys["base"]) == ("nim:1,3,5,7", "reward", "easy")
    assert [(one["version"], one["games"]) for one in keys["versions"]] == [(0, 10), (1, 11), (2, 21)]
    assert [one["weight"] for one in keys["versions"]] == [None, 1, 10]
    base, *lessons = keys["versions"]
    assert base["moves"] == [] and base["when"] is None and base["winner"] is None
    for number, one in enumerate(lessons, 1):
        record = random_record(parse_game("nim:1,3,5,7"), number)
        assert " ".join(one["moves"]) == record.transcript() and one["players"] == ["me", "easy"]
        assert one["winner"] == ("first", "second")[record.winner or 0] and one["when"] == 1_700_000_000.0 + number
        after, before = (saved_tables.load(f"mine@{version}").table for version in (number, number - 1))
        assert one["accuracy"] == accuracy(after)
        differ = [row.state for row in after.rows() if before.best_moves(row.state) != after.best_moves(row.state)]
        assert sorted(one["changed_positions"]) == sorted(after.game.position_name(state) for state in differ)
    text = nimtui(f"table {taught_table} --versions").out
    assert "taught from easy" in text and " ".join(lessons[1]["moves"]) in text
    assert [
        row.split()[-len(one["moves"]) - 3] for row, one in zip(text.splitlines()[-4:-2], lessons, strict=True)
    ] == [
        "1",
        "10",
    ]


def test_a_version_is_named_wherever_a_table_is(nimtui: Nimtui, taught_table: str) -> None:
    assert nimtui("table mine@0 --json").document["games"] == 10
    assert nimtui("table mine -p 1,3,5,6 --json").document["games"] == 21
    assert nimtui("export mine@1").out.startswith("position,move,score")
    assert nimtui("moves tower:16 --agent table:mine@1 --json").document["agent"] == "table:mine@1"
    agents = nimtui("match tower:16 --first table:mine --second table:mine@0 -n 4 --json").document["agents"]
    assert [one["agent"] for one in agents] == ["table:mine@2", "table:mine@0"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("table mien", "unknown table 'mien' (did you mean mine?). Tables: mine"),
        ("table mine@3", "mine: there is no version 3: versions are 0 to 2"),
        ("table mine --versions -p 1,3,5,6", "--versions lists whole tables: leave --position out"),
        ("match tower:16 --first table:mine@9 --second easy", "mine: there is no version 9: versions are 0 to 2"),
        (
            "match tower:25 --first table:mine --second easy",
            "the table in mine is for nim:1,3,5,7, not for nim:1,3,5,7,9",
        ),
    ],
)
def test_a_wrong_name_or_version_is_told_what_there_is(nimtui: Nimtui, taught_table: str, line: str, said: str) -> None:
    ended = nimtui(line)
    assert ended.status == 2 and ended.err.strip() == f"nimtui: {said}"


def test_a_plain_table_has_no_versions(nimtui: Nimtui, table: Path) -> None:
    ended = nimtui(f"table {table} --versions")
    assert ended.status == 2 and "has no versions: it is not a table that you taught" in ended.err
