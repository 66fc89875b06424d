from __future__ import annotations

import pytest

from nimtui.cli.benchmarks import (
    Benchmark,
    agent_games,
    alpha_beta,
    connect_four,
    learners,
    literal,
    mcts,
    playouts,
    rows,
)
from tests.cli.conftest import Nimtui


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmarks with next to nothing to do."""
    games = [(name, spiel, 1000, 100) for name, spiel, _, _ in playouts.GAMES]
    monkeypatch.setattr(playouts, "GAMES", games)
    monkeypatch.setattr(learners, "REWARDED_GAMES", 1000)
    monkeypatch.setattr(learners, "REWARDED_GAMES_IN_PYTHON", 100)
    monkeypatch.setattr(rows, "ROUNDS", 1)
    for name, less in (("GAMES", 1000), ("GAMES_IN_PYTHON", 50), ("GAMES_IN_OPEN_SPIEL", 5)):
        monkeypatch.setattr(learners, name, less)
    monkeypatch.setattr(mcts, "GAMES", [(name, spiel, 1, 1) for name, spiel, _, _ in mcts.GAMES])
    monkeypatch.setattr(mcts, "SIMULATIONS", 50)
    for name, smaller in (("NIM", "nim:1,2,3"), ("SMALL_NAME", "nim:1,2"), ("CONNECT", "connect:3x2x2")):
        monkeypatch.setattr(alpha_beta, name, smaller)
    for name, less in (("FRESH_NODES", 100), ("RECORDED", 10_000)):
        monkeypatch.setattr(alpha_beta, name, less)
    for name, less in (("GAMES", 1000), ("GAMES_IN_PYTHON", 100), ("GAMES_A_PAIR", 1)):
        monkeypatch.setattr(agent_games, name, less)
    for name, less in (("PLAYOUTS", 10), ("SIMULATIONS", 10)):
        monkeypatch.setattr(literal, name, less)


@pytest.mark.slow
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
def test_any_row_can_be_asked_for_by_its_name_or_how_it_begins(nimtui: Nimtui) -> None:
    assert [row["name"] for row in nimtui("bench", "random – perfect", "--json").document["rows"]] == [
        "random – perfect subtraction:21,3:misere"
    ]
    wrong = nimtui("bench nope")
    assert wrong.status == 2 and "playouts nim:1,3,5,7" in wrong.err


def test_what_an_idea_of_the_solver_is_worth(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("POSITIONS", "LATER"):
        monkeypatch.setattr(connect_four, name, ("445331226644", "52264575446722"))
    connect_four.work.cache_clear()
    found = nimtui("bench connect4-ablation --json").document["rows"]
    connect_four.work.cache_clear()
    assert len(found) == 4 * len(connect_four.IDEAS)
    nodes = {row["name"]: row for row in found if row["unit"] == "scores/M nodes"}
    assert len({row["nimtui"] for name, row in nodes.items() if "only" not in name}) == 1
    assert len({row["baseline"] for name, row in nodes.items() if "only" in name}) == 1
    assert all(row["ratio"] == pytest.approx(row["nimtui"] / row["baseline"]) for row in found)
    assert nodes["connect4: the bound by pairing"]["ratio"] > 1.2
    assert nodes["connect4: only the weighted sum in the order of moves"]["ratio"] > 1.2


@pytest.mark.usefixtures("small")
def test_text(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "nimtui.cli.benchmarks.benchmarks", lambda name: [*playouts.benchmarks(), *learners.benchmarks()]
    )
    answer = nimtui("bench")
    assert answer.status == 0 and "playouts/s" in answer.out and "games/s" in answer.out


def test_what_is_missing_has_no_ratio() -> None:
    row = Benchmark("nothing", "units/s", "somebody", lambda: lambda: 1.0, lambda: None).measure()
    assert (row.baseline, row.ratio, row.against) == (None, None, "somebody (not installed)")


@pytest.mark.parametrize("learn", [literal.learn_on_lists, literal.learn_on_numbers])
def test_the_algorithm_in_plain_python_learns(learn: learners.Learn) -> None:
    # source: the tower of 16: taking both of the last two wins, and its score is the only one above 0
    table = learn((1, 3, 5, 7), 3000, 1)
    assert len(table) == 383 and sum(map(len, table.values())) == 3072
    scores = table[0, 0, 0, 2]
    assert scores[3, 2] > 0 >= scores[3, 1]


@pytest.mark.slow
def test_the_agents_in_plain_python_play_as_the_original_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    # source: the subtraction tournament, re-run with 100 games each, 1000 playouts: who moves first wins so many
    monkeypatch.setattr(literal, "PLAYOUTS", 200)
    random, perfect, flat, flat_against_perfect, tree, values = literal.AGENTS
    literal.seed(1)
    for first, second, wins in (
        (random, perfect, 0),
        (perfect, values, 0),
        (perfect, random, 99.5),
        (values, random, 99.5),
        (random, tree, 3),
        (random, flat, 15),
        (flat_against_perfect, random, 100),
    ):
        assert abs(5 * literal.play(first, second, 20) - wins) <= 30
    assert literal.play(random, perfect, 50) == 0
    assert [literal.perfectly(left) for left in (2, 3, 4, 6, 12, 20)] == [1, 2, 3, 1, 3, 3]
    assert [literal.by_values(left) for left in (2, 3, 4, 6, 12, 20)] == [1, 2, 3, 1, 3, 3]
