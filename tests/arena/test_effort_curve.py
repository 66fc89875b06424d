"""Effort curves: every step is what the agent itself would do with so much effort."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from nimtui.agents import parse_agent
from nimtui.arena.compare.comparison import Comparison, ask
from nimtui.arena.compare.comparison_report import settled_text
from nimtui.arena.compare.effort_curve import Curve, Step, crossings, curve_of, ladder, picture
from nimtui.engine import playouts
from nimtui.engine.rng import Stream
from nimtui.games import Game, parse_game
from nimtui.games.base import State
from nimtui.theory.answers import known_moves
from nimtui.trees import parse, search_of

GAME = parse_game("connect4:4x4")
STATE = GAME.new("122")  # only column 2 wins


def curve(name: str, seed: int = 0, game: Game = GAME, state: State = STATE, seconds: float = 0.0) -> Curve:
    return curve_of(parse_agent(name, game), state, seed, seconds=seconds)


def test_a_ladder_climbs_in_ones_twos_and_fives_to_its_top() -> None:
    assert list(ladder(1)) == [1] and list(ladder(2)) == [1, 2]
    assert list(ladder(120)) == [1, 2, 5, 10, 20, 50, 100, 120]


@pytest.mark.parametrize("options", ["", ",proven=yes", ",c=0.3", ",log=root"])
def test_a_tree_after_n_simulations_is_that_of_a_search_of_n(options: str) -> None:
    found = curve(f"mcts:simulations=2000{options}", seed=5)
    assert [step.effort for step in found.steps] == list(ladder(found.steps[-1].effort))
    for step in found.steps:
        alone = parse_agent(f"mcts:simulations={step.effort}{options}", GAME).decide(STATE, Stream(5))
        value = next(thought.value for thought in alone.thoughts if thought.move == alone.move)
        assert (step.move, step.value) == (alone.move, pytest.approx(value))


def test_depths_cost_the_nodes_of_a_search_to_each_depth() -> None:
    game = parse_game("nim:1,2,3,4")
    wanted = [
        search_of(game, game.start, parse(f"alphabeta:depth={depth},heuristic=original"), record=False).run().nodes
        for depth in (1, 2, 3, 4)
    ]
    for name, last in (("alphabeta", 669), ("minimax", 2978)):  # source: minimax and alpha-beta
        efforts = [step.effort for step in curve(f"{name}:depth=4,heuristic=original", 0, game, game.start).steps]
        assert efforts[-1] == last and (efforts == wanted or name == "minimax")


def test_a_search_claims_what_its_iterations_have_proven() -> None:
    found = curve("alphabeta:depth=4,deepening=yes")
    result = search_of(GAME, STATE, parse("alphabeta:depth=4,deepening=yes"), record=False).run().result
    assert [step.depth for step in found.steps] == [1, 2, 3, 4] and found.steps[-1].effort == result.nodes
    steps = curve("alphabeta:depth=14,deepening=yes").steps
    assert steps[-1].value == 1.0 and len(steps) > 3 and {step.value for step in steps[:-1]} == {None}
    to_the_end = curve("alphabeta:depth=-1").steps
    assert (to_the_end[-1].value, to_the_end[-1].move) == (1.0, 1)
    assert all(step.value in (None, 1.0) for step in to_the_end)
    assert curve("perfect") == Curve("perfect", why_none="has no effort to vary")


@pytest.mark.parametrize("name", ["mcts:simulations=700", "mc:playouts=300", "alphabeta:depth=5", "minimax:depth=3"])
def test_the_last_step_is_the_agents_decision(name: str) -> None:
    alone = parse_agent(name, GAME).decide(STATE, Stream(3))
    found = curve(name, 3)
    assert found.steps[-1].move == alone.move
    if alone.nodes is not None and "mcts" not in name:
        assert found.steps[-1].effort == alone.nodes
    assert found == curve(name, 3)
    assert [step.effort for step in found.steps] == sorted({step.effort for step in found.steps})


@pytest.mark.parametrize("policy", ["", ",policy=perfect-opponent"])
def test_a_curve_claims_only_the_playouts_that_its_time_allowed(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def until_the_third_round(n: int, left: Callable[[], float]) -> Iterator[tuple[int, int]]:
        yield from ((before, after) for before, after in ((0, 1), (1, 4), (4, 16)) if before < n)

    monkeypatch.setattr(playouts, "rounds", until_the_third_round)
    game = parse_game("nim:1,3,5")
    found = curve_of(parse_agent(f"mc:time=60{policy}", game), game.new("1,1,1"), 0)
    assert [step.effort for step in found.steps] == [3 * n for n in (1, 4, 16)]


@pytest.mark.parametrize("name", ["mc:playouts=900000000", "alphabeta:depth=12"])
def test_a_curve_ends_with_its_time(name: str) -> None:
    game = parse_game("connect4")
    found = curve_of(parse_agent(name, game), game.start, 0, seconds=0.05)
    assert len(found.steps) < 40 and (found.steps or "within 0.05 s" in found.why_none)


@pytest.mark.parametrize("learner", ["reward", "proof"])
def test_a_learners_steps_are_learners_of_fewer_games(learner: str) -> None:
    game = parse_game("nim:1,3,5")
    state = game.new("1,3,4")
    found = curve_of(parse_agent(f"{learner}:games=300", game), state, 2)
    assert found.unit == "games" and [step.effort for step in found.steps][:3] == [1, 10, 100]
    for step in found.steps:
        alone = parse_agent(f"{learner}:games={step.effort}", game).decide(state, Stream(2))
        score = next(thought.score for thought in alone.thoughts if thought.move == alone.move)
        assert (step.move, step.score) == (alone.move, score)


def test_when_it_becomes_right_is_the_first_step_of_the_last_right_ones() -> None:
    found = Curve("a", "nodes", tuple(Step(n, move) for n, move in ((1, 5), (2, 3), (5, 4), (10, 3), (20, 5))))
    assert found.settled_from == 20 and found.right_from(frozenset({3, 5})) == 10
    assert found.right_from(frozenset({3})) is None and found.right_from(frozenset({3, 4, 5})) == 1


def test_curves_cross_where_the_higher_one_becomes_the_lower_one() -> None:
    one = Curve("a", "nodes", tuple(Step(n, 0, value) for n, value in ((1, 0.5), (10, 0.5), (100, -0.5))))
    other = Curve("b", "nodes", tuple(Step(n, 0, value) for n, value in ((2, 0.0), (20, 0.7), (200, 0.7))))
    assert crossings(one, other) == crossings(other, one) == [20]
    assert crossings(one, Curve("c", "playouts", other.steps)) == []  # efforts of other units do not compare
    assert crossings(one, one) == []


@pytest.fixture(scope="module")
def found() -> tuple[Comparison, list[Curve]]:
    agents = [parse_agent(name, GAME) for name in ("mcts:simulations=2000", "alphabeta:depth=8", "perfect")]
    columns = tuple(ask(agent, STATE, 0) for agent in agents)
    curves = [curve_of(agent, STATE, 0) for agent in agents]
    return Comparison(GAME, STATE, columns, known_moves(GAME, STATE)), curves


def test_the_picture_names_every_agent_and_every_mark_lies_in_it(found: tuple[Comparison, list[Curve]]) -> None:
    compared, curves = found
    root = ElementTree.fromstring(picture(compared, [*curves[:2], Curve("<own & agent>", why_none="no <effort>")]))
    said = " ".join("".join(part.itertext()) for part in root.iter() if part.tag.endswith("text"))
    assert all(name in said for name in ("mcts:simulations=2000", "alphabeta:depth=8", "<own & agent>: no <effort>"))
    assert "exact value" in said and "effort, logarithmic: nodes, simulations" in said
    crosses = sum(part.tag.endswith("path") for part in root.iter())
    assert crosses == sum(step.move != 1 for each in curves for step in each.steps)  # a cross for each mistake
    wide, high = map(float, root.get("viewBox", "0 0 0 0").split()[2:])
    grid = [
        {key: float(part.get(key, "nan")) for key in ("x1", "y1", "x2", "y2")}
        for part in root.iter()
        if part.tag.endswith("line") and part.get("class") in ("grid", "axis")
    ]
    across = [one for one in grid if one["y1"] == one["y2"]]
    along = [one for one in grid if one["x1"] == one["x2"]]
    assert len(across) + len(along) == len(grid) and len(across) == 6 and len(along) > 3
    assert len({(one["x1"], one["x2"]) for one in across}) == len({(one["y1"], one["y2"]) for one in along}) == 1
    top, bottom = along[0]["y1"], along[0]["y2"]
    assert 0 < top < bottom < high and max(one["y1"] for one in across) == bottom
    assert sorted({one["y1"] for one in across}) == pytest.approx([top + (bottom - top) * at / 4 for at in range(5)])
    for part in root.iter():
        for key, most in (("x", wide), ("y", high), ("cx", wide), ("cy", high)):
            assert 0 <= float(part.get(key, "0")) <= most
    unsolved = picture(replace(compared, truths=None), curves)
    assert unsolved.count('fill="#888"') == sum(len(each.steps) for each in curves) and "<path" not in unsolved


def test_the_summary_of_a_curve_is_computed(found: tuple[Comparison, list[Curve]]) -> None:
    compared, curves = found
    since = curves[0].settled_from
    assert settled_text(compared, curves[0]) == f"Plays 2 from {since:,} simulations on."
    assert settled_text(compared, curves[1]).endswith(" nodes, the last step: a mistake.")
    last = Curve("a", "nodes", (Step(1, 0), Step(2, 1)))
    assert settled_text(compared, last) == "Plays 2 after 2 nodes, the last step."
    assert settled_text(compared, Curve("a", "nodes", last.steps[1:])) == "Plays 2 from 2 nodes on."
