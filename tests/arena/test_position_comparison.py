"""Two agents on all positions: against brute force, the standing of tables, and any number of workers."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.compare import comparison_report
from nimtui.arena.compare.comparison import Kind, PositionComparison, compare_positions, state_of, verdicts_on
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning.evaluate import NOTHING, RIGHT, standing
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import parse_learner
from nimtui.learning.opponents import train_interpreted
from nimtui.progress import SILENT
from nimtui.report.document import document
from nimtui.theory.truth import truth
from tests.theory.oracles import heaps_lost, takes


def compared(game: str, first: str, second: str, seed: int = 0, workers: int = 1) -> PositionComparison:
    board = parse_game(game)
    return compare_positions(board, (parse_agent(first, board), parse_agent(second, board)), seed, workers)


@pytest.mark.parametrize("misere", [False, True])
def test_random_play_is_right_only_where_every_move_wins_by_brute_force(misere: bool) -> None:
    found = compared("nim:2,3,3" + ":misere" * misere, "random", "perfect")
    for node in range(found.positions):
        rows = tuple(map(int, found.name(node).split(",")))
        after = [heaps_lost(left, 3, misere) for _, left in takes(rows, 3)]
        wanted = Kind.NOTHING if not any(after) else Kind.BOTH if all(after) else Kind.SECOND
        assert found.kinds[node] == wanted, rows
    assert found.share(1) == 1.0 and sum(found.counts) == found.positions


def test_drawn_positions_have_no_distance_and_come_last() -> None:
    found = compared("connect:3x3x3", "random", "perfect")
    assert found.by_distance()[-1].distance is None
    assert (found.solution.values[found.distances < 0] == 0).all()


def test_what_searches_to_the_end_keeps_every_draw() -> None:
    game = parse_game("connect:3x2x3")
    known = truth(game)
    assert (known.values >= 0).all() and (known.values == 0).any()
    assert (verdicts_on(parse_agent("alphabeta:depth=6", game), game, known) == RIGHT).all()


@pytest.mark.parametrize("learner", ["reward", "proof", "quality"])
def test_a_learner_is_right_where_its_table_is(learner: str) -> None:
    game = parse_game("nim:1,3,5")
    table = train_interpreted(game, parse_learner(learner), 200, 0)
    known = truth(game)
    wanted = standing(known, on_graph(table, known.graph).cells)
    found = verdicts_on(parse_agent(f"{learner}:games=200", game), game, known)
    if learner != "reward":  # where no score is above 0 the reward learner plays any move, not the best-scored
        assert (found == wanted.verdicts).all()
    assert ((found == NOTHING) == (wanted.verdicts == NOTHING)).all()


@pytest.mark.parametrize("names", [("mcts:simulations=30", "mc:playouts=5"), ("alphabeta:depth=2", "easy")])
def test_workers_change_nothing_and_seeds_do(names: tuple[str, str]) -> None:
    one, many = (compared("nim:2,3,4", *names, seed=3, workers=workers) for workers in (1, 3))
    assert all((a == b).all() for a, b in zip(one.verdicts, many.verdicts, strict=True))
    if names[0].startswith("mcts"):
        other = compared("nim:2,3,4", *names, seed=4)
        assert any((a != b).any() for a, b in zip(one.verdicts, other.verdicts, strict=True))


def test_each_position_is_decided_with_its_own_numbers() -> None:
    game = parse_game("nim:2,3,4")
    known, agent = truth(game), parse_agent("mc:playouts=5", game)
    found = verdicts_on(agent, game, known, seed=8)
    for node in range(0, len(known.values), 7):
        state = state_of(game, known.graph, node)
        move = agent.decide(state, Stream(8, node)).move
        edges = range(int(known.graph.ptr[node]), int(known.graph.ptr[node + 1]))
        keeps = next(bool(known.keeps[edge]) for edge in edges if known.graph.move[edge] == move)
        assert known.values[node] < 0 or (found[node] == RIGHT) == keeps


def test_shares_by_distance_add_up_and_distances_are_of_the_position() -> None:
    found = compared("tower:16", "reward:games=1000", "proof:games=1000")
    rows = found.by_distance()
    decided = sum(row.positions for row in rows)
    assert decided == found.positions - found.counts[Kind.NOTHING]
    for at, name in enumerate(("first", "second")):
        right = sum(row.positions * getattr(row, name) for row in rows)
        assert right == pytest.approx(found.share(at) * decided)
    assert all(row.distance is not None and row.distance % 2 for row in rows)  # a won game ends with the winner's move
    assert found.counts[Kind.SECOND] > found.counts[Kind.FIRST]  # proof knows more after 1,000 games


def test_the_list_of_a_kind_starts_near_the_end() -> None:
    found = compared("tower:16", "random", "perfect")
    nodes = found.nodes(Kind.SECOND)
    assert (np.diff(found.distances[nodes]) >= 0).all() and len(nodes) == found.counts[Kind.SECOND]


def test_files_hold_every_position() -> None:
    found = compared("nim:1,2", "random", "perfect")
    keys = document(comparison_report.compared_everywhere(found, 0)) | {
        "positions": list(comparison_report.rows(found, SILENT))
    }
    assert len(keys["positions"]) == found.positions == sum(keys["counts"].values())
    assert keys["positions"][0] == {
        "position": "1,0", "outcome": "win", "remoteness": 1, "first": "right", "second": "right", "right": "both",
    }  # fmt: skip
    assert comparison_report.positions_csv(found, SILENT).splitlines()[1] == '"1,0",win,1,right,right,both'


@pytest.mark.parametrize(
    ("game", "agents", "said"),
    [
        ("connect4", ("mc", "mcts"), "too large"),
        ("nim:1,2", ("mc", "mc"), "named twice"),
        ("nim:1,2", ("mc",), "two agents, not 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(game: str, agents: tuple[str, ...], said: str) -> None:
    from nimtui.arena.compare.comparison import check_agents

    board = parse_game(game)
    with pytest.raises(InputError, match=said):
        check_agents(board, [parse_agent(name, board) for name in agents])
