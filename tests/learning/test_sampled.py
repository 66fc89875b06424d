"""Samples of positions with exact results, a sample as a graph, the orders of all positions, and what games meet."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from nimtui import theory
from nimtui.engine import limits
from nimtui.games import base, parse_game
from nimtui.learning import evaluate, sample
from nimtui.learning.atlas import orders
from nimtui.learning.compiled import times_met
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG
from nimtui.learning.run import Run
from nimtui.learning.sample import ELSEWHERE, SampledTruth, truth_of
from nimtui.learning.training import Training
from nimtui.progress import SILENT
from nimtui.store import StoreError, arrays
from nimtui.theory.truth import truth
from tests.games.refusal import refusal
from tests.theory.force import Force

GAME = "connect:3x3x3"
VERDICTS = (NOTHING, RIGHT, WRONG, UNDECIDED)


def test_the_sample_of_connect_four_has_the_exact_results_of_moves() -> None:
    shipped = sample.of(parse_game("connect4"))
    assert len(shipped.boards) == 10_000 and sample.place(shipped.game).stat().st_size <= 300_000
    assert (shipped.plies.min(), shipped.plies.max()) == (0, 36) and 0.3 < shipped.chance() < 0.4
    for at in random.Random(1).sample(np.flatnonzero(shipped.plies >= 16).tolist(), 40):
        state = shipped.game.at(shipped.boards[at])
        assert base.legal_moves(state) == np.flatnonzero(shipped.results[at] != sample.NOT_LEGAL).tolist()
        for move in base.legal_moves(state):
            after = shipped.game.after(state, move)
            worth = {1: 1, -1: -1, 2: 0}.get(base.outcome(after))
            if worth is None:
                worth = theory.solve(shipped.game, after).outcome.reply.worth
            assert shipped.results[at, move] == worth


def test_a_sample_agrees_with_brute_force_without_a_solver() -> None:
    made = sample.make(parse_game("connect:4x4x4"), 150, 3)
    force, late = Force(made.game), np.flatnonzero(made.plies >= 7)
    assert len(late) > 80
    for at in late:
        results = {move: sign for move, (sign, _) in force.worth(made.game.at(made.boards[at])).items()}
        assert {move: int(made.results[at, move]) for move in results} == results and len(set(results.values())) > 1
        assert (made.results[at] != sample.NOT_LEGAL).sum() == len(results)
        assert np.flatnonzero(made.right()[at]).tolist() == force.best(made.game.at(made.boards[at]))


def test_a_sample_is_the_same_for_a_seed_and_from_its_file(tmp_path: Path) -> None:
    made = sample.make(parse_game("connect:4x4x3"), 200, 7)
    assert len(made.boards) == 200 == len({board.tobytes() for board in made.boards})
    made.save(tmp_path / "sample.npz")
    read = sample.read(tmp_path / "sample.npz")
    assert all(np.array_equal(one, other) for one, other in zip(read[2:], made[2:], strict=True))
    assert read.game == made.game and np.array_equal(sample.make(made.game, 200, 7).boards, made.boards)
    header, parts = arrays.load(tmp_path / "sample.npz")
    for change, said in (
        ({"kind": "curve"}, "holds no sample of positions"),
        ({"results": parts["results"][1:]}, "does not fit the rules of connect:4x4x3"),
        ({"plies": None}, "lacks parts of a sample"),
    ):
        changed = {name: part for name, part in {**parts, **change}.items() if name in parts and part is not None}
        arrays.save(tmp_path / "other.npz", {name: change.get(name, value) for name, value in header.items()}, changed)
        with pytest.raises(StoreError, match=said):
            sample.read(tmp_path / "other.npz")
    assert "no sample of noughts:4x4x4: " in refusal(sample.make, parse_game("noughts:4x4x4"))
    low, high = made.interval(0.9)
    assert low == pytest.approx(0.8506, abs=5e-4) and high == pytest.approx(0.9343, abs=5e-4)  # Wilson, 180 of 200


@pytest.mark.parametrize("name", ["octal:0.137:8", "nim:2,3:misere"])
def test_results_by_a_rule_of_theory_or_a_solver_are_those_of_brute_force(name: str) -> None:
    force = Force(name)
    results_of = sample.judge(force.game, SILENT)
    for state in force.every():
        if base.outcome(state) == base.GOING_ON:
            worth, results = force.worth(state), results_of(state)
            assert {move: int(results[move]) for move in worth} == {move: sign for move, (sign, _) in worth.items()}
            assert (results != sample.NOT_LEGAL).sum() == len(worth)


# A sample as a graph, and runs that show it where positions are too many.


def test_values_moves_and_links_are_those_of_the_rules() -> None:
    force = Force(GAME)
    known = truth_of(sample.make(force.game, 60), 40)
    graph = known.graph
    assert len(known.values) == 40 and list(known.plies) == sorted(known.plies) and known.of >= 40
    links = 0
    for node, board in enumerate(graph.boards):
        state = base.with_board(force.game.new(), board.copy())
        edges = range(graph.ptr[node], graph.ptr[node + 1])
        assert [int(graph.move[edge]) for edge in edges] == base.legal_moves(state)
        assert known.values[node] == force.value(state)[0] and known.node(board) == node
        for edge in edges:
            move = int(graph.move[edge])
            assert known.keeps[edge] == (move in force.best(state))
            after = force.after(state, move)
            if base.outcome(after) == base.GOING_ON:
                assert graph.to[edge] in (ELSEWHERE, known.node(after.board))
                links += graph.to[edge] >= 0
            else:
                assert graph.to[edge] == {base.WON: -1, base.LOST: -2, base.DRAW: -3}[base.outcome(after)]
    assert links and known.node(graph.boards[0] * 0 - 1) == -1
    for order in known.orders():
        assert sorted(order.nodes.tolist()) == list(range(40))


def test_a_run_on_a_game_that_is_too_large_shows_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    run = Run(Training(parse_game(GAME), "ntuple:tuples=5,length=3", 3))
    run.training.sample = sample.make(run.training.game, 60)
    run.goal(400)
    run.views.every = 0.0
    run.work()
    training, view = run.training, run.views.newest
    assert training.truth is None and isinstance(training.listed, SampledTruth) and training.estimator is not None
    assert view.games == 400 and training.sample is not None
    values = training.estimator.all_values(training.listed.graph.boards)
    nodes = np.repeat(np.arange(len(values)), np.diff(training.listed.graph.ptr))
    assert np.array_equal(view.scores, values[nodes, training.listed.graph.move])
    verdicts, keeps = view.standing.verdicts, training.listed.keeps
    for node, (first, end) in enumerate(zip(training.listed.graph.ptr, training.listed.graph.ptr[1:], strict=False)):
        best = view.scores[first:end] == view.scores[first:end].max()
        right = keeps[first:end][best]
        assert verdicts[node] == (RIGHT if right.all() else UNDECIDED if right.any() else WRONG)
    if len(training.listed.values) == training.listed.of:  # the map is the whole sample: then both shares are one
        assert view.standing.accuracy == pytest.approx(training.estimator.right_moves(training.sample))


def test_one_game_at_a_time_is_followed_by_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    run, held = Run(Training(parse_game(GAME), "linear", 3)), list[int]()
    run.training.sample = sample.make(run.training.game, 10)
    run.goal(10)
    run.following, run.speed = True, 1_000_000.0
    run.stop_after(3)
    run.job = SimpleNamespace(pause=lambda: held.append(run.done), paused=False)
    run.work()
    assert held == [3] and run.done == 10
    assert run.followed_game is None  # nobody wants views
    run.views.every = 60.0
    run.goal(2)
    run.stop_after(1)
    run.work()
    game = run.followed_game
    assert game.episode is None and game.steps.number == 11
    assert game.after.games == game.before.games + 1 == 11 and run.done == 12


# What a function meets in games against itself, and what only one of two learners plays right.


def test_games_without_random_moves_meet_what_best_moves_reach_and_random_moves_lead_elsewhere() -> None:
    game, numbers = parse_game(GAME), []
    for share in (0, 1):
        training = Training(game, f"ntuple:tuples=5,length=3,explore={share}", 2)
        training.run(200)
        times = times_met(training.estimator, training.truth, 50)
        assert times[training.truth.graph.start] == 50 and times.max() == 50
        assert np.array_equal(times, times_met(training.estimator, training.truth, 50))
        met = {training.truth.graph.boards[node].astype(np.int64).tobytes() for node in np.flatnonzero(times)}
        numbers.append(len(met))
        reached, todo = set(), [game.new()]
        while todo and not share:
            state = todo.pop()
            if state.board.tobytes() in reached or base.outcome(state) != base.GOING_ON:
                continue
            reached.add(state.board.tobytes())
            values = training.estimator.values(state)
            todo += [game.after(state, move) for move, value in values.items() if value == max(values.values())]
        assert share or met <= reached
    assert numbers[0] < numbers[1]


def test_what_only_one_plays_right_is_counted() -> None:
    chance = random.Random(1)
    for _ in range(50):
        number = chance.randrange(1, 30)
        mine, other = (np.array(chance.choices(VERDICTS, k=number), np.int8) for _ in range(2))
        visits, theirs = (np.array([chance.randrange(2) for _ in range(number)]) for _ in range(2))
        nodes = [node for node in range(number) if mine[node] == RIGHT and other[node] != RIGHT]
        known, unmet = ([node for node in nodes if not by[node]] for by in (theirs, visits))
        assert np.flatnonzero(evaluate.alone(mine, other)).tolist() == nodes
        text = f"Only a is right in {len(nodes)}"
        both = evaluate.sentence(("a", "b"), (mine, other), (visits, theirs))
        assert both == f"{text}: never met by b {len(known)}, by itself {len(unmet)}"
        assert evaluate.sentence(("a", "b"), (mine, other), ()) == text


# The orders of all positions: nothing is lost, and what belongs together lies together.


@pytest.mark.parametrize("name", ["nim:3,5", "subtraction:21,3:misere", "adjacent:1,2", "connect:3x2x2"])
def test_every_order_has_every_position_once_and_groups_that_follow_each_other(name: str) -> None:
    game = parse_game(name)
    known = truth(game)
    found = orders(known, game)
    assert len({order.name for order in found}) == 3
    for order in found:
        assert np.array_equal(np.sort(order.nodes), np.arange(len(known.graph.order)))
        for axis in (order.across, order.down):
            if axis is not None:
                assert (np.diff(axis.of) >= 0).all()
                assert 0 <= axis.of.min() <= axis.of.max() == len(axis.labels) - 1


def test_positions_are_ordered_by_value_by_nim_sum_or_grundy_value_and_by_number() -> None:
    game = parse_game(GAME)
    known = truth(game)
    by_level, by_value, by_number = orders(known, game)
    assert (by_level.name, by_value.name) == ("plies left", "exact value")
    labels = [by_value.down.labels[group] for group in by_value.down.of.tolist()]
    words = {-1: "lost", 0: "drawn", 1: "won"}
    assert labels == [words[value] for value in known.values[by_value.nodes].tolist()]
    assert (by_number.periods, by_number.lead) == ((), 0)  # its numbers have gaps
    game = parse_game("nim:7,5,3")
    known = truth(game)
    order = orders(known, game)[1]
    assert order.name == "nim-sum" and order.down is not None
    sums = [int(np.bitwise_xor.reduce(known.graph.boards[node, :3])) for node in order.nodes]
    assert [int(order.down.labels[group]) for group in order.down.of] == sums
    assert [total == 0 for total in sums] == (known.values[order.nodes] == -1).tolist()
    game = parse_game("subtraction:21,3")
    assert [order.name for order in orders(truth(game), game)] == ["matches left", "Grundy value", "number"]
    game = parse_game("tower:16")  # its numbers count like an odometer
    order = orders(truth(game), game)[2]
    assert (order.periods, order.lead) == ((2, 8, 48, 384), 1)
