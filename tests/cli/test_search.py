"""`nimtui search`: its documents against the originals' counts, its files, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from nimtui.cli.app import run
from tests.cli.conftest import Nimtui

KEYS = {
    "game",
    "position",
    "algorithm",
    "depth",
    "nodes",
    "leaves",
    "cutoffs",
    "skipped",
    "value",
    "best_move",
    "principal_variation",
    "seconds",
    "peak_bytes",
}


def test_a_search_with_a_time_says_how_far_it_came_and_that_it_depends_on_the_machine(nimtui: Nimtui) -> None:
    found = nimtui("search connect4 --algorithm alphabeta --time 0.05 --json").document
    assert found["settings"] == "alphabeta:time=0.05" and found["time"] == 0.05 and found["best_move"]
    assert (found["finished"] and found["depth"] is None) or found["depth"] >= 1
    grown = nimtui("search connect4 --algorithm mcts:time=0.05 --json").document
    assert grown["simulations"] > 0 and grown["depth"] is None and grown["best_move"]
    told = nimtui("search connect4 --algorithm mcts --time 0.05")
    assert "simulations" in told.out and told.out.endswith("depends on the machine: a faster one searches more.\n")
    wrong = nimtui("search connect4 --algorithm mcts --time never")
    assert (wrong.status, wrong.out) == (2, "") and wrong.err.count("\n") == 1
    assert "time must be a number of seconds" in wrong.err


def test_the_example_of_the_original(nimtui: Nimtui) -> None:
    # source: minimax and alpha-beta, Nim (1, 2, 3, 4) at depth 4
    keys = nimtui("search nim:1,2,3,4 --algorithm alphabeta --depth 4 --heuristic original --json").document
    assert set(keys) >= KEYS
    assert (keys["nodes"], keys["leaves"], keys["cutoffs"], keys["value"]) == (669, 393, 199, -2)
    assert (keys["best_move"], keys["principal_variation"][0]) == ("c3", "c3")
    assert len(keys["principal_variation"]) == 4
    moves = {row["move"]: (row["value"], row["bound"]) for row in keys["moves"]}
    assert moves["c3"] == (-2, "exact") and moves["d3"] == (-2, "upper") and moves["a1"] == (-4, "exact")
    keys = nimtui("search nim:1,2,3,4 --algorithm minimax --depth 4 --heuristic original --json").document
    assert (keys["nodes"], keys["leaves"], keys["cutoffs"], keys["skipped"]) == (2978, 2387, 0, 0)
    assert (keys["tree_nodes"], keys["tree_bytes"], keys["tree_recorded"]) == (2978, 74_450, 0)
    assert (keys["stack_plies"], keys["stack_bytes"], keys["peak_bytes"]) == (4, 256, 256)
    assert (keys["table_used"], keys["table_entries"], keys["table_bytes"]) == (None, None, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "nodes"),
    [
        ("nim:1,2,3,4 --algorithm alphabeta --depth 10 --heuristic original", 2603),
        ("nim:1,2,3,4 --algorithm alphabeta --depth -1", 39_662),
        ("nim:1,2,3,4 --algorithm minimax --depth -1", 176_618),
        ("connect4:4x4 --algorithm minimax --depth 7", 20_921),
        ("connect4:4x4 --algorithm alphabeta --depth 7 --heuristic original", 2005),
        ("connect4:4x4 --algorithm alphabeta --depth -1 --heuristic original", 115_586),
        ("connect4:4x4 --algorithm alphabeta --depth -1 --heuristic flat", 62_889),
        ("connect4:4x4 --algorithm alphabeta --depth -1", 72_271),
    ],
)
def test_nodes_are_those_of_the_originals(nimtui: Nimtui, words: str, nodes: int) -> None:
    assert nimtui(f"search {words} --json").document["nodes"] == nodes


def test_several_algorithms_are_runs(nimtui: Nimtui) -> None:
    words = "search nim:1,2,3,4 --depth 4 --simulations 300 --json"
    words += " --algorithm minimax --algorithm alphabeta:order=killer --algorithm mcts"
    keys = nimtui(words).document
    assert set(keys) == {"game", "position", "canonical", "truth", "runs"}
    names = [row["settings"] for row in keys["runs"]]
    assert names == ["minimax:depth=4", "alphabeta:depth=4,order=killer", "mcts:simulations=300,c=1.0"]
    assert all(KEYS - {"game", "position"} <= set(row) for row in keys["runs"])
    assert [row["depth"] for row in keys["runs"]] == [4, 4, None]
    assert keys["runs"][0]["value"] == keys["runs"][1]["value"]
    assert sum(row["visits"] for row in keys["runs"][2]["moves"]) == 300


@pytest.mark.slow
def test_what_is_said_of_one_search_stands_before_what_is_said_of_all(nimtui: Nimtui) -> None:
    keys = nimtui(
        "search nim:1,2,3 --algorithm alphabeta:depth=2 --algorithm alphabeta --depth 3 --table --json"
    ).document
    assert [row["depth"] for row in keys["runs"]] == [2, 3]
    assert all("table=1048576" in row["settings"] for row in keys["runs"])
    small = nimtui("search nim:1,2,3 --algorithm alphabeta --table --entries 1000 --json").document
    assert small["settings"].endswith("table=1024")


def test_alpha_beta_is_the_default_and_a_decided_game_outweighs_all(nimtui: Nimtui) -> None:
    keys = nimtui("search nim:1,2,3,4 -p 0,0,0,4 --json").document
    assert (keys["algorithm"], keys["depth"], keys["best_move"], keys["exact"]) == ("alphabeta", 4, "d4", True)
    sooner, later = keys["value"], nimtui("search nim:1,2,3,4 -p 0,0,2,1 --json").document["value"]
    assert sooner > later > 900_000
    assert nimtui("search nim:2,2 --json").document["value"] < -900_000


def test_monte_carlo_tree_search_by_seed(nimtui: Nimtui) -> None:
    words = "search connect4 --algorithm mcts --simulations 400 --c 0.7 --log root --json --seed"
    one, again, other = (nimtui(f"{words} {seed}").document for seed in (5, 5, 6))
    assert one["moves"] == again["moves"] != other["moves"]
    assert one["settings"] == "mcts:simulations=400,c=0.7,log=root,seed=5"
    proven = nimtui("search nim:1,2,3 --algorithm mcts --simulations 100000 --proven --json").document
    assert (proven["value"], proven["exact"]) == (-1, True)
    assert all(row["proven"] == -1 for row in proven["moves"])


def test_one_search_and_several_as_text(nimtui: Nimtui) -> None:
    said = nimtui("search nim:1,2,3,4 --algorithm alphabeta --heuristic original").out
    assert "plays c3" in said and "≤ −2" in said and "≤ marks a bound" in said
    assert "669" in said and "mistake" in said
    said = nimtui("search nim:1,2,3,4 -p 0,0,0,4").out
    assert "wins in 1" in said
    said = nimtui("search nim:1,2,3,4 --algorithm minimax --algorithm alphabeta --algorithm mcts").out
    assert "2,978" in said and "cutoffs" in said and "mcts:simulations=500" in said
    said = nimtui("search nim:1,2 --algorithm mcts --proven").out
    assert "wins" in said and "proven" in said


def test_the_tree_as_json_and_for_graphviz(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    keys = nimtui(f"search nim:1,2,3 --depth 3 --tree {file} --plies 2 --json").document
    assert keys["tree"] == str(file)
    tree: dict[str, Any] = json.loads(file.read_text("utf-8"))
    assert tree["visited"] == keys["nodes"]
    assert max(node["ply"] for node in tree["nodes"]) == 2
    assert any(node.get("why") == "cut" for node in tree["nodes"])
    nimtui(f"search nim:1,2,3 --algorithm mcts --tree {file} --nodes 20 --force --json")
    tree = json.loads(file.read_text("utf-8"))
    assert len(tree["nodes"]) == 20 and tree["nodes"][0]["visits"] == 500
    parents = {node["node"]: node for node in tree["nodes"]}
    for node in tree["nodes"][1:]:
        assert parents[node["parent"]]["visits"] >= node["visits"] and 1 <= node["born"] <= 500
    for algorithm in ("alphabeta", "mcts"):
        file = tmp_path / f"{algorithm}.dot"
        assert "saved" in nimtui(f"search nim:1,2,3 --algorithm {algorithm} --tree {file} --nodes 9 --force").out
        text = file.read_text("utf-8")
        assert text.startswith("digraph") and text.count("{") == text.count("}") and "n0 -> n1" in text


def test_the_comparison_over_depths(nimtui: Nimtui, tmp_path: Path) -> None:
    # source: minimax and alpha-beta's closing table
    file = tmp_path / "depths.csv"
    words = "search nim:1,2,3,4 --algorithm minimax --algorithm alphabeta --depth 5 --heuristic original --json"
    words += f" --csv {file}"
    assert nimtui(words).document["csv"] == str(file)
    with file.open(newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    nodes = {(row["algorithm"].partition(":")[0], int(row["depth"])): int(row["nodes"]) for row in rows}
    assert [nodes["minimax", depth] for depth in range(1, 6)] == [11, 91, 591, 2978, 11508]
    assert [nodes["alphabeta", depth] for depth in range(1, 6)] == [11, 47, 264, 669, 2323]


WRONG = [
    ("search", "name the game"),
    ("search nim:1,2,3 -p 0,0,0", "the game is over at 0,0,0"),
    ("search nim:1,2,3 --algorithm minimx", "did you mean minimax"),
    ("search nim:1,2,3 --depth 0", "depth"),
    ("search nim:1,2,3 --depth x", "depth must be a whole number"),
    ("search nim:1,2,3 --order best-frist", "did you mean best-first"),
    ("search nim:1,2,3 --algorithm minimax --order killer", "minimax"),
    ("search nim:1,2,3 --algorithm minimax --simulations 5", "no option simulations"),
    ("search nim:1,2,3 --algorithm mcts --depth 5", "no option depth"),
    ("search nim:1,2,3 --algorithm mcts --simulations 0", "simulations must be from 1"),
    ("search nim:1,2,3 --algorithm mcts --c much", "c must be a number"),
    ("search nim:1,2,3 --heuristic orignal", "did you mean original"),
    ("search nim:1,2,3 --algorithm alphabeta:dept=3", "did you mean depth"),
    ("search connect4 --depth -1", "give a smaller depth"),
    ("search connect4 --algorithm mcts --simulations 90000000", "more than the"),
    ("search connect4 --algorithm mcts --policy perfect-opponent", "no perfect opponent"),
    ("search nim:1,2,3 --entries 9999999999", "entries"),
    ("search nim:1,2,3 --tree tree.txt", ".json or .dot"),
    ("search nim:1,2,3 --tree no/such/folder/tree.json", "no/such/folder"),
    ("search nim:1,2,3 --algorithm minimax --algorithm mcts --tree tree.json", "of one search"),
    ("search nim:1,2,3 --plies 3", "--to FILE"),
    ("search nim:1,2,3 --tree tree.json --plies x", "plies must be a whole number"),
    ("search nim:1,2,3 --algorithm mcts --csv depths.csv", "compares the depths"),
    ("search nim:1,2,3 --depth -1 --csv depths.csv", "compares the depths"),
    ("search nim:1,2,3 --nonsense", "--nonsense"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "says"), WRONG, ids=[words for words, _ in WRONG])
def test_one_line_and_status_2(nimtui: Nimtui, words: str, says: str) -> None:
    answer = nimtui(words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("nimtui: ") and answer.err.count("\n") == 1
    assert says in answer.err


def test_stopped_it_tells_how_far_it_came(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from nimtui.cli import bar

    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    reports = 0
    report = bar.Bar.report

    def stop_at_the_fifth(self: bar.Bar, done: float, total: float, what: str = "") -> None:
        nonlocal reports
        reports += 1
        self.stopped = reports >= 5
        report(self, done, total, what)

    monkeypatch.setattr(bar.Bar, "report", stop_at_the_fifth)
    for algorithm in ("mcts --simulations 5000000", "alphabeta --depth 14"):
        reports = 0
        assert run(f"search connect4 --algorithm {algorithm} --json".split()) == 130
        said = capsys.readouterr()
        keys = json.loads(said.out)
        assert keys["finished"] is False and keys["nodes"] > 100
        assert said.err == "nimtui: stopped\n"
