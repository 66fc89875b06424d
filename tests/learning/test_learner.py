"""How learners are named, and how the reward learner chooses and updates."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.engine.rng import Pick, Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.learning import parse_learner
from nimtui.learning.learner import distinct_names, fresh, learners, spec
from nimtui.learning.learners.reward import PARAMETERS, Reward
from nimtui.learning.partial_graph import PartialGraph


@pytest.mark.parametrize(
    ("text", "learner", "name"),
    [
        ("reward", Reward(), "reward"),
        (" Reward: ", Reward(), "reward"),
        ("reward:win=1,loss=1,pick=row-then-count", Reward(), "reward"),
        ("reward:pick=Uniform-Move", Reward(pick=Pick.UNIFORM_MOVE), "reward:pick=uniform-move"),
        ("reward:loss=0, win=3", Reward(win=3, loss=0), "reward:win=3,loss=0"),
    ],
)
def test_a_learner_is_named_by_what_is_not_usual(text: str, learner: Reward, name: str) -> None:
    assert parse_learner(text) == learner
    assert spec(parse_learner(text)) == name


@given(st.builds(Reward, st.integers(1, 1000), st.integers(0, 1000), st.sampled_from(Pick)))
def test_every_name_parses_to_its_learner(learner: Reward) -> None:
    assert parse_learner(spec(learner)) == learner


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rewrad", "did you mean reward"),
        ("", "unknown learner"),
        ("reward:wins=1", "did you mean win"),
        ("reward:win=0", "from 1 to 1,000"),
        ("reward:win=x", "whole number"),
        ("reward:loss=-1", "from 0 to 1,000"),
        ("reward:win", "expected win="),
        ("reward:win=1,win=2", "twice"),
        ("reward:pick=rows", "row-then-count"),
        ("reward:pick=", "uniform-move"),
    ],
)
def test_a_bad_name_gets_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as fault:
        parse_learner(text)
    assert "\n" not in str(fault.value)


def test_every_parameter_is_explained() -> None:
    for module in learners().values():
        fields = module.LEARNER._fields
        assert tuple(module.PARAMETERS) == fields
        assert all(parameter.meaning for parameter in module.PARAMETERS.values())
    assert set(learners()) >= {"reward"}
    assert PARAMETERS["win"].low == 1


def knowing(learner: str, scores: dict[int, float], position: str = "1,3,5,7") -> PartialGraph:
    """What a learner knows that has seen one position of the tower, its node 0; other moves are as if never tried."""
    state, seen = parse_game("nim:1,3,5,7").new(position), PartialGraph(parse_learner(learner))
    moves = base.legal_moves(state)
    usual = fresh(seen.learner)
    seen.put(seen.node(state), [scores.get(move, usual) for move in moves], [0] * len(moves), [])
    return seen


def test_greedy_above_nought_and_the_first_of_equals() -> None:
    seen, untouched = knowing("reward", {0: 1, 1: 4, 2: 4, 3: -9}), Stream(1)
    assert seen.choose(0, untouched) == 1
    assert untouched.bits60() == Stream(1).bits60()


@pytest.mark.parametrize("pick", Pick)
def test_where_nothing_is_above_nought_the_move_is_random(pick: Pick) -> None:
    seen, stream = knowing(f"reward:pick={pick.value}", {}), Stream(3)
    drawn = [seen.choose(0, stream) for _ in range(4_000)]
    assert set(drawn) == set(seen.move)
    expected = 1 / 4 if pick is Pick.ROW_THEN_COUNT else 1 / 16  # a1 is a row of its own
    assert drawn.count(0) / 4_000 == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize(("outcome", "expected"), [(1, (2, -3, 2)), (-1, (-3, 2, -3)), (2, (0,) * 3)])
def test_the_winners_moves_gain_and_the_losers_lose(outcome: int, expected: tuple[int]) -> None:
    game, seen = parse_game("nim:1,3,5,7"), PartialGraph(parse_learner("reward:win=2,loss=3"))
    nodes = [seen.node(game.new(position)) for position in ("0,0,2,2", "0,0,0,2", "0,0,0,1")]
    moves = [game.parse_move(name, game.new()) for name in ("c2", "d1", "d1")]
    seen.learn(nodes, moves, outcome)
    assert tuple(seen.memory.scores[seen.edge(node, move)] for node, move in zip(nodes, moves, strict=True)) == expected
    assert sum(map(abs, seen.memory.scores)) == sum(map(abs, expected))
    assert sum(seen.memory.visits) == 3


def test_a_simple_opponent_needs_no_engine() -> None:
    program = (
        "import sys, pkgutil, importlib, nimtui.learning as room\n"
        "for info in pkgutil.iter_modules(room.__path__):\n"
        "    importlib.import_module(f'nimtui.learning.{info.name}')\n"
        "from nimtui.games import parse_game\n"
        "from nimtui.learning import graph_table, opponents\n"
        "game = parse_game('tower:16')\n"
        "assert opponents.trained(game, 'medium').games == 1000\n"
        "assert graph_table.why_untrainable(game) is None\n"
        "assert not {'numba', 'textual', 'rich', 'typer'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_learners_of_one_kind_are_told_apart_by_what_differs_defaults_included() -> None:
    assert distinct_names(["quality:margin=50", "quality"]) == ["quality:margin=50", "quality:margin=90"]
    assert distinct_names(["quality:win=9,margin=50", "quality:win=9"]) == [
        "quality:margin=50,win=9",
        "quality:margin=90,win=9",
    ]
    assert distinct_names(["proof", "proof:aim=all"]) == ["proof:aim=start", "proof:aim=all"]
    assert distinct_names(["quality:margin=50", "reward"]) == ["quality:margin=50", "reward"]
    assert distinct_names(["quality:margin=50"]) == ["quality:margin=50"]
    assert distinct_names(["q", "q"]) == ["q", "q"]
    for name in distinct_names(["quality:margin=50,start=40", "quality"]):
        parse_learner(name)
