"""`nimtui compare`: its table, its documents, its files, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from nimtui.cli import output
from tests.cli.conftest import Nimtui

LOST = "compare connect4:4x4 -p 122 -a mcts:simulations=2000 -a alphabeta:depth=8"


def test_agents_stand_beside_each_other_with_the_truth_between(nimtui: Nimtui) -> None:
    lines = nimtui(LOST).out.splitlines()
    head = next(line for line in lines if line.startswith("move"))
    assert head.split() == ["move", "truth", "1", "value", "share", "2", "value"]
    at = lines.index(head)
    rows = {line.split()[0]: line for line in lines[at + 1 : at + 5]}
    assert "wins in 13" in rows["2"] and "✓ 1" in rows["2"] and "✗ 1" in rows["1"]
    assert "   plays 2: right  (2,000 simulations" in "\n".join(lines)
    assert "   plays 1: mistake: draws  (2,762 nodes" in "\n".join(lines)
    assert lines[-2:] == ["Only 2 wins.", "They disagree: 1 plays 2, 2 plays 1."]


def test_no_move_of_a_lost_position_is_marked_as_right(nimtui: Nimtui) -> None:
    shown = nimtui("compare connect4:4x4 -p 1222 -a mcts -a alphabeta").out
    assert "Every move loses: no mistake is possible." in shown
    assert shown.count("* 1") == 2 and "✓" not in shown and "✗" not in shown


def test_two_agents_fit_60_columns(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "terminal_width", lambda: 60)
    out = nimtui("compare connect4:4x4 -p 122 -a mcts:simulations=2000 -a mc:playouts=100").out
    assert max(map(len, out.splitlines())) <= 60
    assert sum(line.startswith("move") for line in out.splitlines()) == 1  # in one table


def test_the_document_has_what_moves_has(nimtui: Nimtui) -> None:
    keys = nimtui(f"{LOST} --seed 5 --json").document
    alone = nimtui("moves connect4:4x4 -p 122 -a mcts:simulations=2000 --seed 5 --json").document
    first, second = keys["agents"]
    assert (first["best_move"], first["nodes"]) == (alone["best_move"], alone["nodes"])
    assert [move["value"] for move in first["moves"]] == [move["value"] for move in alone["moves"]]
    truth = ("move", "optimal", "outcome", "remoteness")
    assert keys["moves"] == [{key: move[key] for key in truth} for move in alone["moves"]]
    assert (first["right"], second["right"], keys["apart"], keys["decides"]) == (True, False, True, True)
    assert (first["effort"], first["unit"], second["unit"]) == (2000, "simulations", "nodes")


def test_the_curve_shows_when_an_agent_becomes_right(nimtui: Nimtui) -> None:
    lines = nimtui("compare connect4:4x4 -p 122 -a mcts:simulations=2000 --curve").out.splitlines()
    rows = [line.split() for line in lines if line.endswith(("right", "mistake")) and "plays" not in line]
    assert [row[0] for row in rows][:4] == ["1", "2", "5", "10"] and rows[-1][0] == "2,000"
    since = next(row[0] for at, row in enumerate(rows) if all(later[-1] == "right" for later in rows[at:]))
    assert lines[-1] == f"Plays 2 from {since} simulations on."
    again = nimtui("compare connect4:4x4 -p 122 -a mcts:simulations=2000 --curve --json").document
    steps = again["agents"][0]["curve"]["steps"]
    assert again["agents"][0]["curve"]["right_from"] == int(since.replace(",", ""))
    assert [step["right"] for step in steps] == [row[-1] == "right" for row in rows]


@pytest.mark.parametrize("more", ["", " --curve", " --positions"])
def test_files_are_written_once(nimtui: Nimtui, tmp_path: Path, more: str) -> None:
    words = "compare nim:1,2,3 -a mc:playouts=20 -a perfect" + more
    for suffix in (".csv", ".json"):
        file = tmp_path / f"out{suffix}"
        answer = nimtui(*words.split(), "--to", str(file))
        assert answer.status == 0 and answer.out.splitlines()[-1] == f"saved to {file}"
        refused = nimtui(*words.split(), "--to", str(file))
        assert refused.status == 2 and "already exists" in refused.err
        assert nimtui(*words.split(), "--to", str(file), "--force").status == 0
    rows = list(csv.reader((tmp_path / "out.csv").open()))
    assert len({len(row) for row in rows}) == 1 and len(rows) > 2
    assert json.loads((tmp_path / "out.json").read_text())["game"] == "nim:1,2,3"


def test_a_picture_of_the_curves_needs_no_other_option(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "curves.svg"
    answer = nimtui("compare", "nim:1,2,3", "-a", "mcts:simulations=100", "--to", str(file))
    assert answer.status == 0 and file.read_text("utf-8").startswith("<svg ")
    assert nimtui("compare nim:1,2 -a mc --to x.txt").status == 2


def test_all_positions(nimtui: Nimtui) -> None:
    words = "compare tower:16 -a reward:games=1000 -a proof:games=1000 --positions"
    text, keys = nimtui(words).out, nimtui(f"{words} --json").document
    assert "383 positions, 47 of them lost: nothing to decide there" in text
    counts = keys["counts"]
    assert counts["nothing_to_decide"] == 47 and sum(counts.values()) == 383 == len(keys["positions"])
    for name in ("both", "first_only", "second_only", "neither"):
        row = next(line for line in text.splitlines() if line.startswith(name.replace("_", " ") + " "))
        assert row.split()[len(name.split("_"))] == str(counts[name])
    assert keys["right"][1] > 0.9 > 0.5 > keys["right"][0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("compare nim:1,2 --headless", "name the agents to compare"),
        ("compare nim:1,2 -a mc -a mc", "mc is named twice"),
        ("compare nim:1,2 -p 0,0 -a mc", "the game is over"),
        ("compare nim:1,2 -a nobody", "unknown agent"),
        ("compare nim:1,2 -a mc --positions", "compares two agents, not 1"),
        ("compare nim:1,2 -a mc -a perfect --positions -p 1,1", "leave out --position"),
        ("compare nim:1,2 -a mc -a perfect --positions --curve", "leave out --curve"),
        ("compare connect4 -a mc -a mcts --positions", "too large"),
    ],
)
def test_nonsense_is_refused_in_one_line(nimtui: Nimtui, words: str, said: str) -> None:
    answer = nimtui(words)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert said in answer.err


def test_ascii_has_signs_too(nimtui: Nimtui) -> None:
    said = nimtui(f"{LOST} --curve --ascii").out
    output.all_characters()
    assert said.isascii() and "mistake" in said


def test_an_agent_out_of_time_says_so(nimtui: Nimtui) -> None:
    keys = nimtui("compare connect4 -a mcts:simulations=3000000 --move-time 0.05 --json").document
    assert keys["agents"][0]["fault"] is None and keys["agents"][0]["effort"] < 3_000_000
