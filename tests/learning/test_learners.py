"""The learners: each cell of their tables against the sources, what one game teaches, names and parameters."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace as Plain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.engine.lessons import play
from nimtui.engine.rng import Pick, Stream
from nimtui.games import base, parse_game
from nimtui.learning import opponents, parse_learner
from nimtui.learning.learner import distinct_names, fresh, learners, make, spec
from nimtui.learning.learners import proof
from nimtui.learning.learners.proof import LOST, OPEN, SETTLED, WON
from nimtui.learning.learners.reward import Reward
from nimtui.learning.parameter import Parameter, value_text
from nimtui.learning.table import PartialGraph
from nimtui.learning.training import Training
from nimtui.progress import Cancelled
from tests.examples import few
from tests.games.refusal import refusal
from tests.learning import oracles
from tests.learning.helpers import same_tables, stat_of, visits_of
from tests.stops import StopAfter
from tests.theory.force import Force

HEAPS = {
    "nim:7,5,3": {"start": (7, 5, 3)},
    "nim:4,3:misere": {"start": (4, 3), "misere": True},
    "nim:9,9:max=3": {"start": (9, 9), "limit": 3},
    "subtraction:21,3:misere": {"start": (21,), "limit": 3, "misere": True},
}
LITERAL: dict[str, tuple[Callable[..., Any], oracles.Rule, float]] = {
    "reward:win=2,loss=3": (oracles.row_then_count, partial(oracles.reward, win=2, loss=3), 0),
    "reward:pick=uniform-move": (oracles.uniform_move, oracles.reward, 0),
    "quality": (oracles.within(90), oracles.quality, 50),
    "quality:margin=1,sure=101": (oracles.within(1), partial(oracles.quality, sure=101), 50),
    "quality:margin=50,win=7,loss=40": (oracles.within(50), partial(oracles.quality, win=7, loss=40), 50),
    "q": (oracles.exploring(0.2), oracles.q, 0.0),
    "q:alpha=0.1,epsilon=0.9": (oracles.exploring(0.9), partial(oracles.q, alpha=0.1), 0.0),
    "average:epsilon=0.5": (oracles.exploring(0.5), oracles.average, 0.0),
}


@pytest.mark.parametrize("learner", LITERAL)
def test_a_table_is_the_original_cell_by_cell(learner: str) -> None:
    choose, rule, fresh = LITERAL[learner]
    for seed, (name, rules) in enumerate(HEAPS.items()):
        table = opponents.train_interpreted(parse_game(name), learner, 60, seed)
        stat, visits = oracles.self_play(games=60, seed=seed, choose=choose, rule=rule, fresh=fresh, **rules)
        assert (stat_of(table), visits_of(table)) == (stat, visits)  # floats, and exactly the same


@pytest.mark.slow
@pytest.mark.parametrize("learner", [*LITERAL, "proof"])
def test_the_compiled_learner_fills_the_same_table(learner: str) -> None:
    for name, games in (
        ("nim:7,5,3:misere", few(150, 400)), ("adjacent:1,3,5", few(150, 400)), ("connect4:4x3", few(60, 200)),
    ):  # fmt: skip
        game, training = parse_game(name), Training(parse_game(name), learner, 5)
        training.run(games // 2)
        training.run(games - games // 2)
        slow = opponents.train_interpreted(game, learner, games, 5)
        assert slow.visits.sum() == training.plies and same_tables(slow, training.table)


def test_a_draw_teaches_nothing_but_that_it_was_played() -> None:
    drawn = parse_game("connect:1x3x3")  # one column, alternating discs: always a draw
    for learner, score in (("reward", 0), ("q", 0), ("average", 0), ("quality", 50)):
        table = opponents.train_interpreted(drawn, learner, 30)
        assert table.cells.tolist() == [score] * 3 and table.visits.tolist() == [30] * 3


def test_a_game_too_large_for_the_engine_gets_a_beginners_table_and_it_can_be_stopped() -> None:
    assert 50 < len(opponents.train_interpreted(parse_game("connect4"), "reward", 10).numbers) < 420
    vast = parse_game("nim:255,255,255,255,255,255,255,255")
    assert "too many positions" in refusal(opponents.train_interpreted, vast, "reward", 10)
    with pytest.raises(Cancelled):
        opponents.train_interpreted(parse_game("tower:16"), "reward", 10**9, 0, StopAfter(1))


# What a learner does at one position, and after one game.


def knowing(learner: str, scores: dict[str, float], start: str = "nim:1,3,5,7") -> tuple[PartialGraph, list[str]]:
    """What a learner knows that has seen the start, its node 0; other moves are as if never tried. And their names."""
    game, seen = parse_game(start), PartialGraph(parse_learner(learner))
    moves = base.legal_moves(game.start)
    names = [game.move_name(move) for move in moves]
    seen.put(seen.node(game.start), [scores.get(name, fresh(seen.learner)) for name in names], [0] * len(moves), [])
    return seen, names


def test_reward_is_greedy_above_nought_and_takes_the_first_of_equals_else_any() -> None:
    seen, names = knowing("reward", {"a1": 0, "b1": 1, "b2": 1, "b3": -9})
    untouched = Stream(1)
    assert names[seen.choose(0, untouched)] == "b1" and untouched.bits60() == Stream(1).bits60()
    assert {names[play(seen.learner, seen, seen.memory, 0, untouched)] for _ in range(50)} == {"b1", "b2"}
    for pick, expected in ((Pick.ROW_THEN_COUNT, 1 / 4), (Pick.UNIFORM_MOVE, 1 / 16)):  # a1 is a row of its own
        seen, names = knowing(f"reward:pick={pick.value}", {})
        stream = Stream(3)
        drawn = [names[play(seen.learner, seen, seen.memory, 0, stream)] for _ in range(1_000)]
        assert set(drawn) == set(names) and drawn.count("a1") / 1_000 == pytest.approx(expected, abs=0.04)


def test_reward_knows_its_first_best_move_after_every_game() -> None:
    seen, names = knowing("reward:win=2,loss=3", {})
    moves, stream = base.legal_moves(parse_game("nim:1,3,5,7").start), Stream(2)
    for _ in range(400):
        seen.learn([0], [stream.choose(moves)], stream.choose([1, -1]))
        scores = [seen.memory.scores[edge] for edge in range(len(names))]
        assert seen.memory.notes == [scores.index(max(scores)) if max(scores) > 0 else -1]
        assert max(scores) <= 0 or seen.choose(0, stream) == scores.index(max(scores))


def test_the_worked_example_of_quality() -> None:
    # Source: the quality learner: of 3,1,2 the moves 0, 3 and 5 are the best.
    scores = {"a3": 80, "a2": 20, "a1": 40, "b1": 80, "c2": 60, "c1": 80}
    seen, names = knowing("quality", scores, "nim:3,1,2")
    stream = Stream(1)
    assert {names[play(seen.learner, seen, seen.memory, 0, stream)] for _ in range(100)} == {"a3", "b1", "c1"}
    for margin, tried in ((1, 3), (20, 3), (21, 4), (40, 4), (41, 5), (60, 5), (61, 6), (90, 6)):
        seen.learner = parse_learner(f"quality:margin={margin}")
        assert len({seen.choose(0, stream) for _ in range(150)}) == tried, margin


LAST_MOVES = [("0,0,2,2", "c2"), ("0,0,0,2", "d1"), ("0,0,0,1", "d1")]


@pytest.mark.parametrize(
    ("learner", "before", "outcome", "scores"),
    [
        ("reward:win=2,loss=3", 0, 1, [2, -3, 2]), ("reward:win=2,loss=3", 0, -1, [-3, 2, -3]),
        ("reward:win=2,loss=3", 0, 2, [0, 0, 0]), ("quality", 50, 1, [79, -1000, 1000]),
        ("quality", 50, -1, [39, 1000, -1000]), ("quality", 90, 1, [100, -1000, 1000]),
        ("quality", 5, -1, [0, 1000, -1000]), ("quality", 1000, 1, [1000, -1000, 1000]),
        ("quality", -1000, 1, [-971, -1000, 1000]), ("quality", 1000, -1, [989, 1000, -1000]),
        ("q", 0.0, 1, [0.0, -0.25, 0.5]), ("average", 0.0, -1, [-1.0, 1.0, -1.0]),
        ("proof", 500, 1, [529, -10_000, 10_000]), ("proof", 500, -1, [-10_000, 10_000, -10_000]),
        ("proof:start=40", 60, 2, [60, 40, 40]),
    ],
)  # fmt: skip
def test_what_a_game_teaches(learner: str, before: float, outcome: int, scores: list[float]) -> None:
    game, seen = parse_game("nim:1,3,5,7"), PartialGraph(parse_learner(learner))
    nodes = [seen.node(game.new(position)) for position, _ in LAST_MOVES]
    moves = [game.parse_move(name, game.new()) for _, name in LAST_MOVES]
    edges = [seen.edge(node, move) for node, move in zip(nodes, moves, strict=True)]
    seen.memory.scores[edges[0]] = before
    seen.learn(nodes, moves, outcome)
    assert [seen.memory.scores[edge] for edge in edges] == scores and sum(seen.memory.visits) == 3
    others = {score for edge, score in enumerate(seen.memory.scores) if edge not in edges}
    assert others == {fresh(seen.learner)}


def test_marks_are_for_ever_and_true_and_qualities_stay_within_their_bounds() -> None:
    training = Training(parse_game("nim:7,5,3"), "quality:start=5,low=-3,high=40,margin=50", 2)
    marked: dict[int, int] = {}
    for _ in range(10):
        training.run(200)
        cells = training.table.cells.tolist()
        sure = {edge: score for edge, score in enumerate(cells) if abs(score) == 1000}
        assert marked.items() <= sure.items() and all(-3 <= score <= 40 or abs(score) == 1000 for score in cells)
        marked = sure
    assert {-3, 40, 1000, -1000} <= set(training.table.cells.tolist())
    for piles, scores in stat_of(training.table).items():
        for take, score in scores.items():
            left = oracles.after(piles, take)
            assert abs(score) < 1000 or (oracles.mover_wins(left) == (score < 0) and (score > 0) == (not any(left)))


# Which moves the proof learner tries first, on a graph written here: plain lists, so the rules run interpreted.

# The start has five moves, into positions with 8, 8, 8, 4 and 1 replies, of which so many are open:
REPLIES, OPENED = (8, 8, 8, 4, 1), (2, 3, 8, 1, 0)


def graph() -> Plain:
    ptr = [0, 5]
    for replies in REPLIES:
        ptr.append(ptr[-1] + replies)
    return Plain(ptr=ptr, to=[1, 2, 3, 4, 5] + [-1] * sum(REPLIES), start=0)


def memory(start: int = OPEN, played: bool = True, marks: tuple[int, ...] = (OPEN,) * 5) -> Plain:
    replies = [
        mark for size, still in zip(REPLIES, OPENED, strict=True) for mark in [OPEN] * still + [WON] * (size - still)
    ]
    notes = [0] * (proof.NOTES * 6)
    notes[0] = start
    return Plain(marks=[*marks, *replies], visits=[int(played)] * 5 + [0] * sum(REPLIES), notes=notes)


def order(learner: proof.Proof, of: Plain) -> list[list[int]]:
    """The moves of the start, the first to be tried first; equal ones together."""
    coded = learner._replace(memory=list(proof.Remembers).index(learner.memory), aim=list(proof.Aim).index(learner.aim))
    worth = [proof._worth(coded, graph(), of, move) for move in range(5)]
    return [[move for move in range(5) if worth[move] == each] for each in sorted(set(worth), reverse=True)]


PROOF, PLAYED = proof.Proof(), proof.Proof(memory=proof.Remembers.PLAYED)
ALL = proof.Proof(aim=proof.Aim.ALL)


@pytest.mark.parametrize(
    ("learner", "of", "moves"),
    [
        # at most a quarter of 8, 4 and 1 is open: nearly proven, the fewest open first
        (PROOF, memory(), [[4], [3], [0], [1], [2]]),
        # with the start proven, or if all positions are to be, the most open first
        (PROOF, memory(start=WON), [[0], [3], [4], [2], [1]]),
        (ALL, memory(), [[0], [3], [4], [2], [1]]),
        (ALL, memory(start=WON), [[0], [3], [4], [2], [1]]),
        # never played, or with no memory of where they led: all alike
        (PROOF, memory(played=False), [[0, 1, 2, 3, 4]]),
        (PLAYED, memory(), [[0, 1, 2, 3, 4]]),
        # a proven move comes last, by what is open further on; with nothing open there it is settled
        (PROOF, memory(marks=(WON, WON, OPEN, WON, WON | SETTLED)), [[2], [1], [0], [3], [4]]),
        (PLAYED, memory(marks=(WON, WON, OPEN, WON, WON | SETTLED)), [[2], [0, 1, 3], [4]]),
        (PROOF, memory(marks=(SETTLED | WON,) * 4 + (WON,)), [[4], [0, 1, 2, 3]]),
    ],
)
def test_what_is_tried_first(learner: proof.Proof, of: Plain, moves: list[list[int]]) -> None:
    assert order(learner, of) == moves


def test_untried_moves_stand_between_nearly_proven_ones_and_the_others() -> None:
    of = memory()
    of.visits[1] = 0
    assert order(PROOF, of) == [[4], [3], [0], [1], [2]]
    of.visits[0] = of.visits[2] = 0
    assert order(PROOF, of) == [[4], [3], [0, 1, 2]]
    blind = graph()
    blind.to[3] = -1  # played before targets were recorded
    assert proof._worth(PROOF._replace(memory=0, aim=0), blind, of, 3) == proof.UNTRIED


def test_what_is_proven_bit_by_bit_reaches_the_start_each_time() -> None:
    # The start's only move leads to a position with two moves, each to a position whose only move ends the game.
    tree = Plain(ptr=[0, 1, 3, 4, 5], to=[1, 2, 3, -1, -1])
    of = Plain(marks=[OPEN] * 5, scores=[0] * 5, links=[0] * 5, notes=[0] * (proof.NOTES * 4))
    coded = proof.Proof()._replace(memory=proof.SUCCESSORS)
    for edge in range(3):
        proof._link(tree, of, edge)
    for edge, mark, node, start in ((3, LOST, 2, LOST), (4, WON, 3, LOST | SETTLED)):
        of.marks[edge] = mark | SETTLED
        proof._spread(coded, tree, of, node)
        assert of.marks[0] == of.notes[0] == start


@pytest.mark.parametrize("learner", ["proof", "proof:aim=all,start=40", "proof:memory=played"])
@pytest.mark.parametrize("name", ["nim:2,2", "nim:3,1:misere", "noughts:2x2x2", "connect:1x3x3", "connect:2x3x3"])
def test_every_game_settles_a_move_until_all_results_are_those_of_brute_force(name: str, learner: str) -> None:
    force, seen, stream, settled = Force(name), PartialGraph(parse_learner(learner)), Stream(1), 0
    states = [state for state in force.every() if not base.outcome(state)]
    moves = sum(base.count(state) for state in states)
    while settled < moves:
        state, nodes, made = force.game.new(), list[int](), list[int]()
        while not base.outcome(state):
            nodes.append(seen.node(state))
            made.append(seen.choose(nodes[-1], stream))
            base.play(state, made[-1])
        seen.learn(nodes, made, base.outcome(state))
        before, settled = settled, sum(mark >= SETTLED for mark in seen.memory.marks)
        assert settled > before
    for state in states:
        node = seen.node(state)
        values = {1: WON, -1: LOST, 0: proof.DRAWN}
        assert seen.memory.notes[proof.NOTES * node] == values[force.value(state)[0]] | SETTLED
        for move, (sign, _) in force.worth(state).items():
            edge = seen.edge(node, move)
            assert seen.memory.marks[edge] == values[sign] | SETTLED
            assert seen.memory.scores[edge] == (10_000 * sign or seen.learner.start)


# Names and parameters.

NAMES = {
    "reward": (Reward(), "reward"),
    " Reward: ": (Reward(), "reward"),
    "reward:win=1,loss=1,pick=row-then-count": (Reward(), "reward"),
    "reward:pick=Uniform-Move": (Reward(pick=Pick.UNIFORM_MOVE), "reward:pick=uniform-move"),
    "reward:loss=0, win=3": (Reward(win=3, loss=0), "reward:win=3,loss=0"),
    "q:epsilon=-0.0": (parse_learner("q:epsilon=0"), "q:epsilon=0.0"),
    "q:alpha=1e-3": (parse_learner("q:alpha=0.001"), "q:alpha=0.001"),
}
WRONG = {
    "rewrad": "did you mean reward", "": "unknown learner", "reward:wins=1": "did you mean win",
    "reward:win=0": "from 1 to 1,000", "reward:win=x": "whole number", "reward:loss=-1": "from 0 to 1,000",
    "reward:win": "expected win=", "reward:win=1,win=2": "twice", "reward:pick=rows": "row-then-count",
    "q:epsilon=nan": "epsilon must be from 0 to 1, not nan", "q:alpha=inf": "alpha must be from 0 to 1, not inf",
    "average:epsilon=1.5": "epsilon must be from 0 to 1, not 1.5",
    "q:epsilon=-0.001": "epsilon must be from 0 to 1, not -0.001",
    "q:epsilon=often": "epsilon must be a number from 0 to 1, not 'often'", "q:epsilon=0x1": "epsilon must be a number",
    "quality:margin=0": "from 1 to 2,000,000", "quality:margin=1.5": "whole number",
    "quality:low=60": "start must be from low to high, 60 to 100, not 50",
    "quality:high=40": "start must be from low to high, 0 to 40, not 50",
    "quality:start=101": "start must be from low to high, 0 to 100, not 101",
    "quality:start=-1": "start must be from low to high, 0 to 100, not -1",
    "quality:sure=100": "sure must be beyond low and high, more than 100",
    "quality:low=-1000": "sure must be beyond low and high, more than 1,000", "proof:memory=all": "successors",
}  # fmt: skip


def test_a_learner_is_named_by_what_is_not_usual() -> None:
    for text, (learner, name) in NAMES.items():
        assert (parse_learner(text), spec(parse_learner(text))) == (learner, name)
    assert {text: line for text, line in WRONG.items() if line not in refusal(parse_learner, text)} == {}
    assert spec(parse_learner("quality:start=0,low=0,high=100,sure=101")) == "quality:start=0,sure=101"


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    if parameter.choices is not None:
        return st.sampled_from(parameter.choices)
    if parameter.real:
        return st.floats(parameter.low, parameter.high).map(lambda value: value + 0.0)
    return st.integers(int(parameter.low), int(parameter.high))


@pytest.mark.parametrize("word", ["reward", "quality", "q", "average", "proof"])
@given(data=st.data())
def test_every_learner_that_is_allowed_comes_back_from_its_name(word: str, data: st.DataObject) -> None:
    module = learners()[word]
    values = {name: data.draw(values_of(parameter), name) for name, parameter in module.PARAMETERS.items()}
    if word == "quality":
        values["low"], values["start"], values["high"] = sorted(values[name] for name in ("low", "start", "high"))
        values["sure"] = max(-values["low"], values["high"]) + 1
    learner = make(module, values)
    again = parse_learner(spec(learner))
    assert again == learner and spec(again) == spec(learner)
    assert [type(value) for value in again] == [type(value) for value in learner]


STEPS = (  # of functions; the arguments are the defaults that differ
    ", step 0.0000001 to 10 = {}, last 0.000000001 to 10 = {}, over 0 to 2,147,483,647 = 0, trace 0 to 1 = 0.8,"
    " discount 0 to 1 = {}, explore 0 to 1 = 0.1, average 0 to 1 = 0.1, errors squares or entropy = {},"
    " mirror on or off = on"
)
ALLOWED = {  # each parameter: what is allowed = its default
    "average": "epsilon 0 to 1 = 0.2",
    "linear": "digits on or off = off" + STEPS.format("0.8", "0.08", "1", "squares"),
    "net": "hidden 1 to 1,024 = 32, second 0 to 1,024 = 0" + STEPS.format("0.02", "0.001", "1", "entropy"),
    "ntuple": "tuples 1 to 10,000 = 200, length 0 to 16 = 0, draw walk or any = walk, digits on or off = off,"
    " adapt on or off = off" + STEPS.format("0.8", "0.012", "0.98", "squares"),
    "proof": "memory successors or played = successors, aim start or all = start, start 0 to 1,000 = 500,"
    " win 0 to 1,000 = 29, loss 0 to 1,000 = 11",
    "q": "alpha 0 to 1 = 0.5, epsilon 0 to 1 = 0.2",
    "quality": "start -100,000 to 100,000 = 50, win 0 to 100,000 = 29, loss 0 to 100,000 = 11,"
    " low -100,000 to 100,000 = 0, high -100,000 to 100,000 = 100, sure 0 to 1,000,000 = 1,000,"
    " margin 1 to 2,000,000 = 90",
    "reward": "win 1 to 1,000 = 1, loss 0 to 1,000 = 1, pick uniform-move or row-then-count = row-then-count",
}


def test_every_parameter_is_explained_and_has_a_range_and_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.learning.learner._added", [])  # by other tests
    found = {}
    for word, module in learners().items():
        assert make(module, {}) == module.LEARNER() and tuple(module.PARAMETERS) == module.LEARNER._fields
        every = list(zip(module.PARAMETERS.items(), module.LEARNER(), strict=True))
        assert all(one.meaning and one.real is isinstance(value, float) for (_, one), value in every)
        found[word] = ", ".join(f"{name} {one.allowed} = {value_text(value)}" for (name, one), value in every)
    assert found == ALLOWED


def test_learners_of_one_kind_are_told_apart_by_what_differs_defaults_included() -> None:
    for names, distinct in (
        (["quality:margin=50", "quality"], ["quality:margin=50", "quality:margin=90"]),
        (["quality:win=9,margin=50", "quality:win=9"], ["quality:margin=50,win=9", "quality:margin=90,win=9"]),
        (["proof", "proof:aim=all"], ["proof:aim=start", "proof:aim=all"]),
        (["quality:margin=50", "reward"], ["quality:margin=50", "reward"]),
        (["quality:margin=50"], ["quality:margin=50"]),
        *((["cs50:/a/x.py", "cs50:/b/y.py"], ["x.py", "y.py"]), (["cs50:/a/x.py", "q"], ["x.py", "q"])),
        (["cs50:/a/x.py", "cs50:/b/x.py"], ["cs50:/a/x.py", "cs50:/b/x.py"]),
        *((names, names) for names in (["q", "q"], ["quality:margin=50", "quality:margin=50", "quality"])),
    ):
        assert distinct_names(names) == distinct and all(map(parse_learner, distinct))


@pytest.mark.slow
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
