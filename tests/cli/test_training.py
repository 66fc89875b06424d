"""Runs and tables: resumed, saved in the middle, taught, and written for other programs."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from nimtui import theory
from nimtui.cli import train
from nimtui.cli.bar import Bar
from nimtui.games import Record, parse_game
from nimtui.jobs import processes
from nimtui.learning import export, opponents, sample, saved_tables, taught
from nimtui.learning.evaluate import accuracy
from nimtui.learning.run import Run
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.progress import Cancelled, Progress
from nimtui.report.values import Share
from nimtui.store import StoreError, files, paths, run_files
from tests.cli.conftest import Nimtui
from tests.cli.transcripts import Here
from tests.learning.helpers import random_record


def test_a_resumed_run_is_the_same_run(nimtui: Nimtui, tmp_path: Path) -> None:
    whole, parts, other = (tmp_path / f"{name}.npz" for name in ("whole", "parts", "other"))
    nimtui(f"train nim:3,5 --games 300 --seed 4 --save {whole} --json")
    nimtui(f"train nim:3,5 --games 100 --seed 4 --save {parts} --json")
    keys = nimtui(f"train --resume {parts} --games 200 --json").document
    assert (keys["games"], keys["saved"]) == (300, str(parts))
    assert nimtui(f"table {whole} --json").document == nimtui(f"table {parts} --json").document
    run = Run(Training(parse_game("nim:3,5"), "reward"), parts)
    run.goal(3000)
    run.training.run(1000)
    run.save()
    assert nimtui(f"train --resume {parts} --save {other} --json").document["games"] == 3000
    assert nimtui(f"train --resume {other} --games 10 --json").document["games"] == 3010
    assert Training.load(parts).games == 1000
    perfect = nimtui(f"train nim:2,3 -l proof --until-perfect --save {whole} --force --json").document
    again = nimtui(f"train --resume {whole} --until-perfect --json").document
    assert again["games"] == perfect["games"] == again["games_to_perfect"] and again["perfect"]


def test_checkpoints_are_written_and_a_fault_is_told_once(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("os.access", lambda *_: False)  # named before the training
        answer = nimtui("train", "nim:1,2", "--games", "10", "--save", str(tmp_path / "run.npz"))
    assert (answer.status, answer.err) == (2, f"nimtui: the folder {tmp_path} is read-only\n")
    assert not list(tmp_path.glob("*.npz"))
    monkeypatch.setattr("nimtui.learning.run.SAVE_SECONDS", 0.0)
    file, replace, sizes = tmp_path / "run.npz", files.replace, list[int]()

    def failing(path: Path, fill: Any) -> None:
        sizes.append(len(sizes))
        if len(sizes) <= 2:
            raise StoreError(f"{path} cannot be written: no space left on device")
        replace(path, fill)

    monkeypatch.setattr(files, "replace", failing)
    answer = nimtui(f"train nim:7,5,3 -n 5000 --save {file} --json")
    assert answer.status == 0 and answer.document["saved"] == str(file)
    fault = f"{file} cannot be written: no space left on device"
    assert answer.err == f"nimtui: {fault}; the training continues in memory\n"
    assert Training.load(file).games == 5000 and len(sizes) > 3
    monkeypatch.setattr(files, "replace", lambda path, fill: failing(path, sizes.clear()))
    answer = nimtui(f"train --resume {file} -n 10 --json")
    assert answer.status == 1 and answer.document["games"] == 5010
    left = (
        f"5,000 of 5,010 games are saved; nimtui train --resume {file} --games 10 plays the others, once there is room"
    )
    assert answer.err.splitlines()[-1] == f"nimtui: {fault}: {left}"
    new = tmp_path / "new.npz"
    answer = nimtui(f"train nim:7,5,3 -n 10 --save {new} --json")
    assert (answer.status, answer.document["games"], answer.document["saved"]) == (1, 10, None)
    left = "0 of 10 games are saved; --save FILE saves to another file"
    assert answer.err.splitlines()[-1] == f"nimtui: {new} cannot be written: no space left on device: {left}"


def test_what_a_training_and_its_table_say_is_what_is_in_the_file(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    keys = nimtui(f"train tower:16 --games 1000 --save {file} --json").document
    assert keys["positions"] == 383 and keys["right"] + keys["wrong"] + keys["undecided"] == 336  # 47 are lost
    assert keys["curve"][0]["accuracy"] == pytest.approx(0.188, abs=5e-4)  # source: the tower of 16
    assert keys["curve"][-1] == {name: keys[name] for name in ("games", "accuracy", "unbeaten")}
    assert nimtui(f"export {file} --what curve --format json").document["curve"] == keys["curve"]
    rows, read = nimtui(f"table {file} --json").document["positions"], Table.load(file)
    lines = iter(csv.DictReader(io.StringIO(nimtui(f"export {file}").out)))
    for row, position in zip(rows, read.rows(), strict=True):
        best = theory.solve(read.game, position.state).best_moves
        assert row["optimal_moves"] == [read.game.move_name(move, position.state) for move in best]
        assert row["best_moves"] == [move for move, one in row["scores"].items() if one == max(row["scores"].values())]
        for move, one in row["scores"].items():
            line = next(lines)
            assert (line["position"], line["move"], float(line["score"])) == (row["position"], move, one)
            assert int(line["visits"]) == row["visits"][move]
            assert [line["best"], line["optimal"]] == [
                str(move in row[name]).lower() for name in ("best_moves", "optimal_moves")
            ]
    assert sum(rows[-1]["visits"].values()) == 1000  # every game begins at the start


def test_an_interrupted_export_leaves_no_file_and_a_table_alone_has_no_curve(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "table.npz"
    Table.empty(parse_game("connect4"), "reward").save(file)  # of a game too large to know all positions
    answer = nimtui(f"export {file} --what curve")
    assert (answer.status, answer.err) == (2, f"nimtui: {file} holds a table, but not the run that made it\n")
    assert nimtui(f"export {file}").out == "position,move,score,visits,best,optimal\n"
    game, record = parse_game("nim:2,2"), Record(parse_game("nim:2,2"))
    table = Table.empty(game, "reward")
    for name in ("a2", "b2"):
        record.push(game.parse_move(name, record.state))
    table.learn(record)
    table.save(file)
    rows = nimtui(f"table {file} --json").document["positions"]
    assert [(row["position"], row["optimal_moves"]) for row in rows] == [
        *(("0,2", ["b2"]), ("2,2", ["a1", "a2", "b1", "b2"])),
    ]
    assert rows[0]["scores"] == {"b1": 0, "b2": 1}

    def stopped(bar: Bar, done: float, total: float, what: str = "") -> None:
        if what == "positions":
            raise Cancelled("export")

    monkeypatch.setattr(Bar, "report", stopped)
    answer = nimtui(f"export {file} --to {tmp_path / 'table.csv'}")
    assert (answer.status, answer.err) == (130, "nimtui: stopped\n")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["table.npz"]


@pytest.mark.slow
def test_a_table_is_written_in_pieces() -> None:
    class Pieces(io.StringIO):
        largest = 0

        def write(self, text: str) -> int:
            self.largest = max(self.largest, len(text))
            return super().write(text)

    training = Training(parse_game("tower:25"), "reward")
    training.run(10)
    for as_json in (False, True):
        out, lengths = Pieces(), list[int]()

        class Watching(Progress):
            def report(self, done: float, total: float, what: str = "") -> None:
                if what == "positions":
                    lengths.append(out.tell())  # noqa: B023

        export.write(training.table, as_json, out, Watching())
        assert out.largest < 5_000 and lengths == sorted(set(lengths)) and len(lengths) > 5


def test_the_versions_of_a_taught_table(nimtui: Nimtui) -> None:
    game = parse_game("nim:3,5")
    records = [random_record(game, seed) for seed in (1, 2)]
    before = opponents.train_interpreted(game, "reward", 10, 1)
    for number, record in enumerate(records, 1):
        lesson = taught.Lesson.of(record, None, ("me", "easy"), 1_700_000_000.0 + number, 10 ** (number - 1))
        taught.keep(saved_tables.new_place("mine"), "easy", before, [lesson])
    keys = nimtui("table mine --versions --json").document
    assert (keys["game"], keys["learner"], keys["base"]) == ("nim:3,5", "reward", "easy")
    base, *lessons = keys["versions"]
    assert (base["version"], base["games"], base["weight"]) == (0, 10, None)
    assert base["moves"] == [] and base["when"] is None and base["winner"] is None
    for number, (one, record) in enumerate(zip(lessons, records, strict=True), 1):
        after, earlier = (saved_tables.load(f"mine@{version}").table for version in (number, number - 1))
        differ = [row.state for row in after.rows() if earlier.best_moves(row.state) != after.best_moves(row.state)]
        assert one == {
            "version": number, "games": (11, 21)[number - 1], "weight": 10 ** (number - 1),
            "moves": record.transcript().split(), "players": ["me", "easy"],
            "winner": ("first", "second")[record.winner or 0], "when": 1_700_000_000.0 + number,
            "accuracy": accuracy(after),
            "changed_positions": one["changed_positions"], "start": None,
        }  # fmt: skip
        names = [game.position_name(state) for state in differ]
        assert sorted(one["changed_positions"]) == sorted(names)
    text = nimtui("table mine --versions").out
    assert "taught from easy" in text and " ".join(lessons[1]["moves"]) in text
    assert nimtui("table mine@0 --json").document["games"] == 10
    assert nimtui("table mine -p 1,3 --json").document["games"] == 21
    assert nimtui("export mine@1").out.startswith("position,move,score")
    agents = nimtui("match nim:3,5 --first table:mine --second table:mine@0 -n 4 --json").document["agents"]
    assert [one["agent"] for one in agents] == ["table:mine@2", "table:mine@0"]
    for line, said in (
        ("table mien", "unknown table 'mien' (did you mean mine?). Tables: mine"),
        ("table mine@3", "mine: there is no version 3: versions are 0 to 2"),
        ("match nim:3,5 --first table:mine@9 --second easy", "mine: there is no version 9: versions are 0 to 2"),
        ("match nim:3,6 --first table:mine --second easy", "the table in mine is for nim:3,5, not for nim:3,6"),
    ):
        assert nimtui(line).err == f"nimtui: {said}\n"


def test_the_bar_of_a_training_shows_its_accuracy_and_its_latest_speed() -> None:
    run = Run(Training(parse_game("nim:3,5"), "reward"))
    bar = train.SpeedBar(run)
    assert run.views.every is None  # stderr is no terminal
    bar.show(0, 10, "games")
    assert bar.remark == ""
    run.views.every = 0.0
    run.goal(400)
    run.work()
    view = run.views.newest
    assert view is not None
    run.views.newest = view._replace(games=100, seconds=1.0)  # type: ignore[misc]
    bar.show(5, 10, "games")
    first = bar.remark
    run.views.newest = view._replace(games=180, seconds=3.0)  # type: ignore[misc]
    bar.show(6, 10, "games")
    share = Share(view.standing.accuracy).text
    assert (first, bar.remark) == (f"accuracy {share} · 100 games/s", f"accuracy {share} · 40 games/s")


# Sweeps.

SWEEP = "sweep nim:1,2 -l quality --grid margin=50,90 -n 100 -r 2 -w 1"


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train in this process."""
    monkeypatch.setattr(processes, "Processes", Here)


@pytest.mark.usefixtures("here")
def test_a_stopped_sweep_says_how_to_continue_and_ends_as_an_unbroken_one(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = Bar.report

    def stop_after_the_first(self: Bar, done: float, total: float, what: str = "") -> None:
        self.stopped = done >= 1
        report(self, done, total, what)

    file, whole = tmp_path / "a sweep.jsonl", nimtui(f"{SWEEP} --json").document
    for words, name in (([*SWEEP.split(), "--save", str(file)], str(file)), (SWEEP.split(), "home/sweeps")):
        with monkeypatch.context() as patch:
            patch.setattr(Bar, "report", stop_after_the_first)
            stopped = nimtui(*words, "--json")
        assert stopped.status == 130 and 0 < stopped.document["trainings"] < 4
        left, last = stopped.err.splitlines()
        number = 4 - stopped.document["trainings"]
        assert left.startswith(f"nimtui: {number} of 4 trainings are left. Resume: nimtui sweep --resume ")
        assert name in left and last == "nimtui: stopped"
        assert stopped.document["saved_trainings"] == stopped.document["trainings"]
    assert "--resume '" in stopped.err or "--resume /" in stopped.err
    values = {"id": 1, "kind": "sweep", "name": "", "state": "stopped", "started": 0.0, "file": str(file)}
    paths.ensure(run_files.folder())
    run_files.write(run_files.described(**values))
    assert nimtui("runs take 1 --json").document["cells"] == whole["cells"]
    resumed = nimtui("sweep", "--resume", str(file), "--json").document
    assert resumed["cells"] == whole["cells"] and resumed["saved"] == str(file)
    assert whole["saved"] is None and whole["saved_trainings"] is None
    other = nimtui(*SWEEP.split(), "--seed", "1", "--resume", str(file))
    assert (
        other.err == f"nimtui: {file} holds another sweep, and stays unchanged: leave out the options, or use --save\n"
    )
    both = nimtui("sweep", "--resume", str(file), "--save", "x.jsonl")
    assert both.err == "nimtui: a resumed sweep is saved to its own file: give --resume or --save, not both\n"
    monkeypatch.setattr("nimtui.cli.train.__version__", "9.9")
    assert f"{file} was started with nimtui " in nimtui("sweep", "--resume", str(file)).err


@pytest.mark.usefixtures("here")
def test_a_sweep_that_cannot_be_saved_runs_all_the_same_and_says_what_is_left(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("nimtui.store.sweeps.usual_path", mock.Mock(side_effect=StoreError("x is full")))
    answer = nimtui(f"{SWEEP} --json")
    assert (answer.status, answer.document["trainings"], answer.document["saved"]) == (0, 4, None)
    assert answer.err == "nimtui: x is full; the sweep runs without saving, so --resume cannot continue it\n"
    task: Any = SimpleNamespace(writer=None, fault="x is full", view=SimpleNamespace(done=1_005, total=2_000))
    train._say_how_to_resume(task)
    task.writer = SimpleNamespace(path=Path("a b"), unsaved=4)
    train._say_how_to_resume(task)
    command = "nimtui sweep --resume 'a b' continues, once there is room"
    assert capsys.readouterr().err == f"nimtui: x is full: 1,001 of 1,005 trainings are saved; {command}\n"


def test_a_map_has_the_signs_of_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.learning import sweep as sweeps

    plan = sweeps.plan(parse_game("nim:1,2"), "quality", ["margin=50,90"], 1, 20, 0)
    view: Any = SimpleNamespace(cells=sweeps.cells(plan, {piece: sweeps.train(piece) for piece in plan.pieces}))
    for encoding, ascii in (("utf-8", False), ("UTF8", False), ("latin-1", True)):
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(encoding=encoding))
        texts = [str(words.lines) for words in train._maps(plan, view)]
        assert len(texts) == 2 and all(text.isascii() == ascii for text in texts)
    alone: Any = SimpleNamespace(cells=view.cells[:1])
    assert train._maps(plan, alone) == []


def test_a_sample_is_made_shown_and_stopped(nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sample.npz"
    keys = nimtui(f"sample connect:4x4x3 --positions 90 --seed 5 --save {file} --json").document
    made = sample.read(file)
    assert (keys["positions"], keys["seed"], keys["file"]) == (90, 5, str(file)) and len(made.boards) == 90
    assert sum(row["positions"] for row in keys["plies"]) == 90
    late = [at for at, plies in enumerate(made.plies) if plies == keys["plies"][-1]["plies"]]
    shares = [made.right()[at].sum() / (made.results[at] != sample.NOT_LEGAL).sum() for at in late]
    assert keys["plies"][-1]["right_moves_at_random"] == pytest.approx(sum(shares) / len(late))
    monkeypatch.setattr(sample, "TRIES", 1)  # not more games than positions are wanted
    kept = nimtui("sample connect:4x3x3 --json").document
    assert sample.read(Path(kept["file"])).game.name == "connect:4x3x3" and kept["seed"] == 1

    def stopped(bar: Bar, done: float, total: float, what: str = "") -> None:
        if done > 20:
            raise Cancelled("sample")

    monkeypatch.setattr(Bar, "report", stopped)
    answer = nimtui(f"sample connect:4x4x3 --positions 90 --save {tmp_path / 'other.npz'}")
    assert (answer.status, answer.err, answer.out) == (130, "nimtui: stopped\n", "")
    assert not (tmp_path / "other.npz").exists()
