"""The learners quality, q and average: each cell against the sources, compiled against interpreted."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from nimtui.engine.lessons import play
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.learning import interpreted, parse_learner
from nimtui.learning.learner import learners, make
from nimtui.learning.partial_graph import PartialGraph
from nimtui.learning.training import Training
from tests.learning import oracles
from tests.learning.helpers import GAMES, same_tables, stat_of, visits_of

HEAPS = [
    ("nim:7,5,3", {"start": (7, 5, 3)}),
    ("nim:7,5,3:misere", {"start": (7, 5, 3), "misere": True}),
    ("nim:9,9:max=3", {"start": (9, 9), "limit": 3}),
    ("subtraction:21,3:misere", {"start": (21,), "limit": 3, "misere": True}),
]
QUALITIES: list[dict[str, int]] = [
    {},
    {"margin": 50},
    {"margin": 100, "win": 7, "loss": 40},
    {"margin": 1, "sure": 101},
]


def named(word: str, values: dict[str, Any]) -> str:
    return word + (":" + ",".join(f"{name}={value}" for name, value in values.items()) if values else "")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), HEAPS)
@pytest.mark.parametrize("values", QUALITIES, ids=str)
def test_quality_is_the_original_cell_by_cell(name: str, rules: dict[str, Any], values: dict[str, int]) -> None:
    table = interpreted.train(parse_game(name), named("quality", values), 700, 11)
    stat, visits = oracles.quality(games=700, seed=11, **rules, **values)
    assert stat_of(table) == stat
    assert visits_of(table) == visits


@pytest.mark.slow
@pytest.mark.parametrize("misere", [False, True])
def test_quality_is_the_original_after_as_many_games_as_it_needs(misere: bool) -> None:
    training = Training(parse_game("nim:7,5,3" + ":misere" * misere), "quality", 4)
    training.run(15_000)
    stat, visits = oracles.quality((7, 5, 3), 15_000, 4, misere=misere)
    assert visits_of(training.table) == visits
    assert {piles: scores for piles, scores in stat_of(training.table).items() if piles in stat} == stat


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), HEAPS)
@pytest.mark.parametrize("values", [{}, {"alpha": 0.1, "epsilon": 0.9}, {"alpha": 1.0, "epsilon": 0.0}], ids=str)
def test_q_is_watkins_cell_by_cell(name: str, rules: dict[str, Any], values: dict[str, float]) -> None:
    table = interpreted.train(parse_game(name), named("q", values), 700, 3)
    stat, visits = oracles.q(games=700, seed=3, **rules, **values)
    assert stat_of(table) == stat  # floats, and exactly the same
    assert visits_of(table) == visits
    assert all(-1 <= score <= 1 for scores in stat.values() for score in scores.values())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), HEAPS)
@pytest.mark.parametrize("epsilon", [0.0, 0.2, 1.0])
def test_average_is_the_mean_result_cell_by_cell(name: str, rules: dict[str, Any], epsilon: float) -> None:
    table = interpreted.train(parse_game(name), f"average:epsilon={epsilon}", 700, 6)
    stat, visits, results = oracles.average(games=700, seed=6, **rules, epsilon=epsilon)
    assert stat_of(table) == stat
    assert visits_of(table) == visits
    for (piles, take), told in results.items():
        assert stat[piles][take] == approx(sum(told) / len(told), abs=1e-12)
        assert len(told) == visits[piles, take]


LEARNERS = ["quality", "quality:margin=50,win=3", "q", "q:alpha=0.3", "average:epsilon=0.5"]


@pytest.mark.slow
@pytest.mark.parametrize(  # each learner on half of the games; every game with two learners or three
    ("name", "games", "learner"),
    [(*game, learner) for at, game in enumerate(GAMES) for learner in LEARNERS[at % 2 :: 2]],
)
def test_compiled_and_interpreted_learners_fill_the_same_table(name: str, games: int, learner: str) -> None:
    game, training = parse_game(name), Training(parse_game(name), learner, 5)
    training.run(games // 2)
    training.run(games - games // 2)
    slow = interpreted.train(game, learner, games, 5)
    assert slow.visits.sum() == training.plies
    assert len(set(slow.cells.tolist())) > 2
    assert same_tables(slow, training.table)


def knowing(learner: str, start: str, position: str, scores: dict[str, float]) -> tuple[PartialGraph, list[str]]:
    """What a learner knows of one position, its node 0, and the names of its moves."""
    game, seen = parse_game(start), PartialGraph(parse_learner(learner))
    state = game.new(position)
    names = [game.move_name(move) for move in base.legal_moves(state)]
    seen.put(seen.node(state), [scores[name] for name in names], [0] * len(names), [])
    return seen, names


def test_the_worked_example_of_the_original() -> None:
    # Source: the quality learner: of 3,1,2 the moves 0, 3 and 5 are the best.
    original = [("a3", 80), ("a2", 20), ("a1", 40), ("b1", 80), ("c2", 60), ("c1", 80)]
    seen, names = knowing("quality", "nim:3,1,2", "3,1,2", dict(original))
    stream = Stream(1)
    earnest = {names[play(seen.learner, seen, seen.memory, 0, stream)] for _ in range(200)}
    assert earnest == {original[at][0] for at in (0, 3, 5)}
    for margin, tried in ((1, 3), (20, 3), (21, 4), (40, 4), (41, 5), (60, 5), (61, 6), (90, 6)):
        seen.learner = parse_learner(f"quality:margin={margin}")
        training = {seen.choose(0, stream) for _ in range(400)}
        assert len(training) == tried, margin  # those greater than the best less the margin


def test_in_normal_play_marks_are_for_ever_and_true_and_qualities_stay_within_their_bounds() -> None:
    training = Training(parse_game("nim:7,5,3"), "quality:start=5,low=-3,high=40,margin=50", 2)
    marked: dict[int, int] = {}
    for _ in range(30):
        training.run(100)
        cells = training.table.cells.tolist()
        found = {edge: score for edge, score in enumerate(cells) if abs(score) == 1000}
        assert marked.items() <= found.items()
        marked = found
        assert all(-3 <= score <= 40 or abs(score) == 1000 for score in cells)
    assert {-3, 40, 1000, -1000} <= set(training.table.cells.tolist())
    for piles, scores in stat_of(training.table).items():
        for take, score in scores.items():
            left = oracles.after(piles, take)
            if abs(score) == 1000:
                assert oracles.mover_wins(left) == (score < 0)
                assert (score > 0) == (not any(left))


@pytest.mark.parametrize(
    ("before", "outcome", "after"),
    [
        (50, 1, 79),
        (50, -1, 39),
        (90, 1, 100),
        (5, -1, 0),
        (1000, 1, 1000),
        (1000, -1, 989),
        (-1000, -1, -1000),
        (-1000, 1, -971),
    ],
)
def test_what_a_game_does_to_a_quality_that_is_not_of_its_end(before: int, outcome: int, after: int) -> None:
    game, seen = parse_game("nim:1,3,5,7"), PartialGraph(parse_learner("quality"))
    plays = [("0,0,2,2", "c2"), ("0,0,0,2", "d1"), ("0,0,0,1", "d1")]
    nodes = [seen.node(game.new(position)) for position, _ in plays]
    moves = [game.parse_move(name, game.new()) for _, name in plays]
    edges = [seen.edge(node, move) for node, move in zip(nodes, moves, strict=True)]
    seen.memory.scores[edges[0]] = before
    seen.learn(nodes, moves, outcome)
    assert [seen.memory.scores[edge] for edge in edges] == [after, -1000 * outcome, 1000 * outcome]
    assert sum(seen.memory.visits) == 3
    assert {score for edge, score in enumerate(seen.memory.scores) if edge not in edges} == {50}


def test_a_draw_is_half_way_for_q_and_average_and_nothing_for_quality() -> None:
    drawn = parse_game("connect:1x3x3")  # one column: always a draw
    for learner in ("q", "average"):
        table = interpreted.train(drawn, learner, 30)
        assert not table.cells.any() and table.visits.tolist() == [30, 30, 30]
    table = interpreted.train(drawn, "quality", 30)
    assert table.cells.tolist() == [50, 50, 50] and table.visits.tolist() == [30, 30, 30]


@pytest.mark.parametrize("word", ["quality", "q", "average", "reward"])
def test_a_learners_defaults_agree_with_its_own_rules(word: str) -> None:
    module = learners()[word]
    assert make(module, {}) == module.LEARNER()
    assert all(
        parameter.choices or parameter.low <= value <= parameter.high
        for parameter, value in zip(module.PARAMETERS.values(), module.LEARNER(), strict=True)
    )
