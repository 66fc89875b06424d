from __future__ import annotations

import pytest

from nimtui.cli.benchmarks import Benchmark, alpha_beta, learners, literal, mcts, playouts, reward, rows
from tests.cli.conftest import Nimtui


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmarks with next to nothing to do."""
    games = [(name, spiel, 1000, 100) for name, spiel, _, _ in playouts.GAMES]
    monkeypatch.setattr(playouts, "GAMES", games)
    monkeypatch.setattr(reward, "GAMES", 1000)
    monkeypatch.setattr(reward, "GAMES_IN_PYTHON", 100)
    monkeypatch.setattr(rows, "ROUNDS", 1)
    for name, less in (("GAMES", 1000), ("GAMES_IN_PYTHON", 50), ("GAMES_IN_OPEN_SPIEL", 5)):
        monkeypatch.setattr(learners, name, less)
    monkeypatch.setattr(mcts, "GAMES", [(name, spiel, 1, 1) for name, spiel, _, _ in mcts.GAMES])
    monkeypatch.setattr(mcts, "SIMULATIONS", 50)
    for name, smaller in (("NIM", "nim:1,2,3"), ("SMALL_NAME", "nim:1,2"), ("CONNECT", "connect:3x2x2")):
        monkeypatch.setattr(alpha_beta, name, smaller)
    for name, less in (("FRESH_NODES", 100), ("RECORDED", 10_000)):
        monkeypatch.setattr(alpha_beta, name, less)


@pytest.mark.usefixtures("small")
def test_rows(nimtui: Nimtui) -> None:
    found = nimtui("bench --json").document["rows"]
    assert {"playouts nim:1,3,5,7", "quality learner nim:7,5,3", "mcts nim:1,3,5,7"} <= {row["name"] for row in found}
    for row in found:
        assert set(row) == {"name", "nimtui", "baseline", "against", "unit", "ratio"}
        assert row["nimtui"] > 0
        if row["baseline"] is None:
            assert row["ratio"] is None and "not installed" in row["against"]
        else:
            assert row["ratio"] == pytest.approx(row["nimtui"] / row["baseline"])
    assert sum("reward learner" in row["name"] for row in found) == 2


@pytest.mark.usefixtures("small")
def test_text(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.cli.benchmarks.benchmarks", lambda: [*playouts.benchmarks(), *reward.benchmarks()])
    answer = nimtui("bench")
    assert answer.status == 0 and "playouts/s" in answer.out and "games/s" in answer.out


def test_what_is_missing_has_no_ratio() -> None:
    row = Benchmark("nothing", "units/s", "somebody", lambda: lambda: 1.0, lambda: None).measure()
    assert (row.baseline, row.ratio, row.against) == (None, None, "somebody (not installed)")


@pytest.mark.parametrize("learn", [literal.learn_on_lists, literal.learn_on_numbers])
def test_the_algorithm_in_plain_python_learns(learn: reward.Learn) -> None:
    # source: original 000: taking both of the last two wins, and its score is the only one above 0
    table = learn((1, 3, 5, 7), 3000, 1)
    assert len(table) == 383 and sum(map(len, table.values())) == 3072
    scores = table[0, 0, 0, 2]
    assert scores[3, 2] > 0 >= scores[3, 1]
