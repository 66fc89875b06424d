"""`nimtui export`: tables and curves for other programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from nimtui.games import parse_game
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.progress import Progress
from tests.cli.conftest import Nimtui


@pytest.fixture
def run(nimtui: Nimtui, tmp_path: Path) -> Path:
    file = tmp_path / "run.npz"
    assert nimtui(f"train nim:1,3,5 -l q -n 2000 --save {file}").status == 0
    return file


def test_a_table_as_csv(nimtui: Nimtui, run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(nimtui(f"export {run}").out)))
    positions = nimtui(f"table {run} --json").document["positions"]
    assert list(rows[0]) == ["position", "move", "score", "visits", "best", "optimal"]
    assert [(row["position"], row["move"]) for row in rows] == [
        (one["position"], move) for one in positions for move in one["scores"]
    ]
    told = {one["position"]: one for one in positions}
    for row in rows:
        one, move = told[row["position"]], row["move"]
        assert float(row["score"]) == one["scores"][move]  # to the last bit
        assert int(row["visits"]) == one["visits"][move]
        assert row["best"] == str(move in one["best_moves"]).lower()
        assert row["optimal"] == str(move in one["optimal_moves"]).lower()


def test_a_table_as_json_is_what_table_says(nimtui: Nimtui, run: Path) -> None:
    said = nimtui(f"export {run} --format json").document
    assert said == nimtui(f"table {run} --json").document
    assert (said["game"], said["learner"], said["seed"], said["games"]) == ("nim:1,3,5", "q", 0, 2000)


def test_a_curve(nimtui: Nimtui, run: Path) -> None:
    curve = Training.load(run).curve
    rows = list(csv.reader(io.StringIO(nimtui(f"export {run} --what curve").out)))
    assert rows[0] == ["games", "accuracy", "unbeaten"]
    assert [(int(games), float(share), float(held)) for games, share, held in rows[1:]] == [tuple(p) for p in curve]
    keys = nimtui(f"export {run} --what curve --format json").document
    assert keys["curve"] == [point._asdict() for point in curve] and keys["games"] == 2000


@pytest.mark.slow
def test_to_a_file_by_its_name(nimtui: Nimtui, run: Path, tmp_path: Path) -> None:
    for name in ("table.csv", "table.json", "table.JSON"):
        file = tmp_path / name
        answer = nimtui(f"export {run} --to {file}")
        assert (answer.status, answer.out, answer.err) == (0, "", "")
        kind = "json" if name.lower().endswith("json") else "csv"
        assert file.read_text("utf-8") == nimtui(f"export {run} --format {kind}").out
    nimtui(f"export {run} --to {tmp_path / 'odd.csv'} --format json")
    assert json.loads((tmp_path / "odd.csv").read_text("utf-8"))["positions"]


@pytest.mark.parametrize("name", ["table.xyz", "table", "table.csv.gz", "table.txt"])
def test_an_unknown_extension_is_refused(nimtui: Nimtui, run: Path, tmp_path: Path, name: str) -> None:
    answer = nimtui(f"export {run} --to {tmp_path / name}")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.endswith("the name must end in .csv or .json\n") and not (tmp_path / name).exists()
    assert nimtui(f"export {run} --to {tmp_path / name} --format csv").status == 0


def test_nothing_is_replaced_unless_told_to(nimtui: Nimtui, run: Path, tmp_path: Path) -> None:
    file, before = tmp_path / "mine.csv", run.read_bytes()
    file.write_text("mine")
    answer = nimtui(f"export {run} --to {file}")
    assert (answer.status, answer.err) == (2, f"nimtui: {file} already exists: --force overwrites it\n")
    assert file.read_text() == "mine"
    assert nimtui(f"export {run} --to {file} --force").status == 0
    assert file.read_text().startswith("position,move")
    answer = nimtui(f"export {run} --to {run} --force")
    assert answer.status == 2 and answer.err.count("\n") == 1 and run.read_bytes() == before
    assert nimtui(f"export {run} --to {tmp_path / 'no' / 'x.csv'}").status == 2
    assert nimtui(f"export {run} --to {tmp_path}").status == 2


def test_what_is_interrupted_leaves_no_file(
    nimtui: Nimtui, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nimtui.cli.bar import Bar
    from nimtui.progress import Cancelled

    def stopped(bar: Bar, done: float, total: float, what: str = "") -> None:
        if what == "positions":
            raise Cancelled("export")

    monkeypatch.setattr(Bar, "report", stopped)
    before = set(tmp_path.iterdir())
    answer = nimtui(f"export {run} --to {tmp_path / 'table.csv'}")
    assert (answer.status, answer.err) == (130, "nimtui: stopped\n")
    assert set(tmp_path.iterdir()) == before


def test_a_table_without_a_run_has_no_curve(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "table.npz"
    Table.empty(parse_game("connect4"), "reward").save(file)  # of a game too large to know all positions
    answer = nimtui(f"export {file} --what curve")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == f"nimtui: {file} holds a table, but not the run that made it\n"
    assert nimtui(f"export {file}").out == "position,move,score,visits,best,optimal\n"


def test_a_table_that_has_met_only_some_positions(nimtui: Nimtui, tmp_path: Path) -> None:
    from nimtui.games import Record

    game, file = parse_game("nim:2,2"), tmp_path / "table.npz"
    table, record = Table.empty(game, "reward"), Record(game)
    for name in ("a2", "b2"):
        record.push(game.parse_move(name, record.state))
    table.learn(record)
    table.save(file)
    rows = nimtui(f"table {file} --json").document["positions"]
    assert [row["position"] for row in rows] == ["0,2", "2,2"]
    assert [row["optimal_moves"] for row in rows] == [["b2"], ["a1", "a2", "b1", "b2"]]
    assert rows[0]["scores"] == {"b1": 0, "b2": 1}


@pytest.mark.slow
def test_it_is_written_as_it_is_made(tmp_path: Path, nimtui: Nimtui) -> None:
    """A table is never held as text: what is written comes in pieces, from the first positions on."""
    from nimtui.learning import export

    file = tmp_path / "run.npz"
    nimtui(f"train tower:25 -n 10 --save {file}")
    table = Table.load(file)

    class Counting(io.StringIO):
        largest = 0

        def write(self, text: str) -> int:
            self.largest = max(self.largest, len(text))
            return super().write(text)

    told: list[tuple[float, int]] = []
    out = Counting()

    class Watching(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            if what == "positions":
                told.append((done, out.tell()))

    for as_json in (False, True):
        told.clear()
        out = Counting()
        export.write(table, as_json, out, Watching())
        assert out.largest < 5_000
        assert [length for _, length in told] == sorted({length for _, length in told}) and len(told) > 5


@pytest.mark.slow
@pytest.mark.parametrize("words", ["", "--what graph", "--format xml", "--to"])
def test_wrong_words_get_a_line(nimtui: Nimtui, run: Path, words: str) -> None:
    answer = nimtui(f"export {run} {words}") if words else nimtui("export nowhere.npz")
    assert (answer.status, answer.out) == (2, "") and answer.err.count("\n") == 1
