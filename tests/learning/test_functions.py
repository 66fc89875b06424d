"""Learners with a function: what they see, what they learn, against plain Python and exact values."""

from __future__ import annotations

import json
import math
import zlib
from copy import deepcopy
from functools import cache
from itertools import chain, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.engine import function_play, functions, limits
from nimtui.engine.rng import Stream
from nimtui.games import Game, Record, base, parse_game, registry
from nimtui.learning import compiled, report, sample, taught
from nimtui.learning.compiled import GameSteps
from nimtui.learning.estimator import Estimator
from nimtui.learning.evaluate import choices
from nimtui.learning.learner import make, module_of, parse_learner
from nimtui.learning.run import Run
from nimtui.learning.sight import Sight
from nimtui.learning.training import Training
from nimtui.learning.tuples import Draw, drawn
from nimtui.report.document import document
from nimtui.store import StoreError
from tests.examples import few, with_slow
from tests.games import takeaway, wythoff
from tests.games.refusal import refusal
from tests.learning.functions import seen, walk

WORTHS: dict[tuple[int, ...], int] = {}  # of a small board, by its cells, for the player who moved there


def literal(game: Game, learner: Any, games: int, seed: int) -> Any:
    """Self-play of a sum over tuples in plain Python: weights by (side, tuple, values), as the documents tell it."""
    estimator = Estimator(game, learner, seed)
    sight, stream = estimator.sight, Stream(seed)
    length = learner.length if hasattr(learner, "length") else 1
    number = learner.tuples if hasattr(learner, "tuples") else sight.inputs
    draw = learner.draw if hasattr(learner, "draw") else Draw.ANY
    digits = learner.digits.value == "on"
    looks, parts = sight.digits() if digits else (sight, [(i, -1) for i in range(sight.inputs)])
    tuples = drawn(looks, number, length, draw, Stream(seed, stream=1))
    weights: dict[Any, float] = {}

    def keys(state: Any, side: int) -> list[Any]:
        values = [value if place < 0 else value >> place & 1 for i, place in parts for value in [seen(state)[i]]]
        return [
            (side, at, tuple(values[image[i]] for i in one)) for image in looks.images for at, one in enumerate(tuples)
        ]

    def value_of(state: Any, side: int) -> float:
        return math.tanh(sum(weights.get(key, 0.0) for key in keys(state, side)))

    for played in range(games):
        step = learner.step * (learner.last / learner.step) ** min(1.0, played / (learner.over or games))
        step /= len(looks.images) * len(tuples)  # each weight takes its part
        state, moves = game.new(), []
        while not base.outcome(state):
            side = base.side(state)
            best, chosen, equal = -2.0, -1, 0
            for move in base.legal_moves(state):
                after = game.after(state, move)
                end = base.outcome(after)
                worth = value_of(after, side) if not end else {1: 1.0, -1: -1.0, 2: 0.0}[end]
                if worth > best:
                    best, chosen, equal = worth, move, 1
                elif worth == best:
                    equal += 1
                    chosen = move if stream.below(equal) == 0 else chosen
            is_random = best < 1.0 and stream.share() < learner.explore
            if is_random:
                chosen = stream.choose(base.legal_moves(state))
            base.play(state, chosen)
            end = base.outcome(state)
            own = value_of(state, side) if not end else {1: 1.0, -1: -1.0, 2: 0.0}[end]
            moves.append((side, keys(state, side), own, best, is_random))
        after = moves[-1][2]
        for (_, here, own, _, _), (_, _, _, best, is_random) in reversed(list(pairwise(moves))):
            after = best if is_random else (1 - learner.trace) * best + learner.trace * after
            after *= -learner.discount
            by = step * (after - own) * (1 - own * own)
            for key in here:
                weights[key] = weights.get(key, 0.0) + by
    return value_of


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        ("nim:3,4,2", "ntuple:length=2,trace=0.6,explore=0.3"),
        ("noughts:3x3x3", "ntuple:tuples=9,length=3,over=10,step=0.05,last=0.001,mirror=off"),
        ("connect:4x3x3", "linear:trace=1,mirror=off,step=0.12,last=0.012"),
        ("nim:3,5:misere", "ntuple:tuples=6,length=2,digits=on,explore=0.4"),
        ("kayles:2,3", "ntuple:tuples=5,length=3,draw=any,explore=1"),
    ],
)
def test_compiled_self_play_learns_what_plain_python_learns(name: str, learner: str) -> None:
    game, games = parse_game(name), 12
    training = Training(game, learner, 5)
    training.run(games)
    value_of = literal(game, training.learner, games, 5)
    for state, _ in chain.from_iterable(walk(game, seed)[:-1] for seed in range(6)):
        for legal, value in training.estimator.values(state).items():
            after = game.after(state, legal)
            if not base.outcome(after):
                assert value == pytest.approx(value_of(after, base.side(state)), abs=2e-6)


SEEDED = ["linear:trace=1", "net:hidden=8", "net:hidden=8,second=4", "ntuple:tuples=30"]


@pytest.mark.parametrize("learner", with_slow(SEEDED, *SEEDED[1:]))
def test_a_seed_gives_the_same_bits_however_the_run_is_divided_saved_and_read(learner: str, tmp_path: Path) -> None:
    game = parse_game("connect:4x3x3")
    whole, other = (Training(game, f"{learner},over=60", seed) for seed in (3, 4))
    whole.run(60)
    other.run(60)
    parts = Training(game, whole.learner, 3)
    parts.run(13)
    parts.save(tmp_path / "run.npz")
    parts = Training.load(tmp_path / "run.npz")
    parts.run(17)
    parts.run(30)
    arrays = whole.estimator.arrays(), parts.estimator.arrays()
    assert arrays[0] and all(np.array_equal(part, arrays[1][name]) for name, part in arrays[0].items())
    assert (whole.curve, whole.plies, whole.counter[0]) == (parts.curve, parts.plies, parts.counter[0])
    assert np.array_equal(whole.scores(), parts.scores()) and np.array_equal(whole.table.visits, parts.table.visits)
    assert not np.array_equal(whole.scores(), other.scores())


def test_weights_that_play_are_averages_however_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On games whose positions are too many to be listed: every 100 games, over the last tenth of them."""
    monkeypatch.setattr(compiled, "why_untrainable", lambda _: "it has too many positions")
    game, spec = parse_game("connect:4x3x3"), "ntuple:tuples=5,length=3,over=5000"
    whole, parts = Training(game, spec, 3, measured=False), Training(game, spec, 3, measured=False)
    whole.prepare()
    mean, every = None, 100
    while whole.games < 4_000:
        whole.run(every)
        weights, window = whole.estimator.function.weights, 0.1 * whole.games
        if window > 2 * every:
            mean = weights.copy() if mean is None else mean
            mean += (weights - mean) * (every / window)
        played = whole.estimator.played.weights
        assert np.allclose(played, weights if mean is None else mean, rtol=0, atol=1e-6)
        assert whole.games < 2_500 or not np.array_equal(played, weights)
    for games in (1_777, 1, 1_323, 899):
        parts.run(games)
        parts.save(tmp_path / "run.npz")
        parts = Training.load(tmp_path / "run.npz")
    assert parts.games == 4_000 and whole.estimator is not None and parts.estimator is not None
    for one, other in ((whole.estimator, parts.estimator), (whole.estimator, whole.estimator.copy())):
        assert np.array_equal(one.function.weights, other.function.weights)
        assert np.array_equal(one.played.weights, other.played.weights)
        assert one.values(game.start) == other.values(game.start)


def test_noughts_is_learned_and_its_moves_are_counted() -> None:
    training = Training(parse_game("noughts:3x3x3"), "ntuple:tuples=8,length=9,trace=0", 1)
    training.run(4_000)
    assert training.standing().accuracy > 0.97 and training.curve[-1].points_against_perfect == 0.5
    assert training.table.visits.sum() == training.plies > 4_000 * 5
    first, last = training.curve[0].right_moves, training.curve[-1].right_moves
    assert first < 0.75 < 0.95 < last < 1


def test_steps_fall_over_the_planned_games_however_they_are_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a time, in which more games are expected than the first seconds promise, or by a goal after the start."""
    game = parse_game("nim:3,4")
    whole, later, briefly, timed, long = (Training(game, f"ntuple:over={over}", 1) for over in (40, 0, 0, 0, 0))
    whole.run(40)
    later.prepare()
    later.plan(40)
    for games in (3, 20, 17):
        later.run(games)
    assert np.array_equal(whole.estimator.function.weights, later.estimator.function.weights)
    monkeypatch.setattr(compiled.SelfPlay, "speed", lambda own, seconds: 1_000 * seconds)  # as long as it tries
    briefly.prepare()
    briefly.plan_time(0)
    timed.prepare()
    timed.plan_time(10)
    assert briefly.over == 1
    assert timed.over == 15_000
    timed.plan_time(600)  # which was planned
    timed.plan(5)
    assert timed.over == 15_000
    long.prepare()
    long.plan_time(600)
    assert long.over == 3 * 900_000  # the trial is 3 seconds at most


@pytest.mark.parametrize("second", [0, 4])
def test_the_curve_of_a_network_is_what_plain_python_counts_from_the_saved_weights(second: int, tmp_path: Path) -> None:
    training = Training(parse_game(few("connect:3x3x3", "connect:4x3x3")), f"net:hidden=6,second={second}", 2)
    training.run(300)
    training.save(tmp_path / "run.npz")
    game, sight = training.game, Sight.of(training.game)
    sizes = {"weights": 2 * (4 * sight.inputs + 1) * 6, "middle": 2 * 7 * second, "out": 2 * ((second or 6) + 1)}
    with np.load(tmp_path / "run.npz") as parts:
        weights, middle, out = (dense(parts, name, size) for name, size in sizes.items())
    shares, images = [], np.array(sight.images)

    @cache
    def total(cells: tuple[int, ...], side: int) -> float:
        values, first = np.array(cells), weights.reshape(2, -1, 6)[side]
        marks = first[4 * images + values] * (values > 0)[:, np.newaxis]
        hidden = np.maximum(0, marks.sum(axis=1) + first[-1])
        if second:
            layer = middle.reshape(2, 7, second)[side]
            hidden = np.maximum(0, hidden @ layer[:6] + layer[6])
        last = out.reshape(2, -1)[side]
        return float((hidden @ last[:-1]).mean() + last[-1])

    for row in training.table.rows():
        values, worth = {}, {}
        for move in row.scores:
            after = game.after(row.state, move)
            end, cells = base.outcome(after), tuple(seen(after))
            values[move] = {1: 1.0, 2: 0.0}[end] if end else math.tanh(total(cells, base.side(row.state)))
            if cells not in WORTHS:
                WORTHS[cells] = theory.solve(game, after).outcome.reply.worth
            worth[move] = WORTHS[cells]
        assert values == pytest.approx(row.scores, abs=1e-5)
        if len(set(worth.values())) > 1:
            best = [move for move, score in row.scores.items() if score == max(row.scores.values())]
            shares.append(sum(worth[move] == max(worth.values()) for move in best) / len(best))
    assert training.curve[-1].right_moves == pytest.approx(sum(shares) / len(shares))


def dense(parts: Any, name: str, size: int) -> Any:
    """The numbers of a file: their first bytes, then their second bytes …"""
    if f"function-{name}" not in parts:
        return np.zeros(0)
    planes = np.frombuffer(zlib.decompress(parts[f"function-{name}"].tobytes()), np.uint8).reshape(-1, size)
    return np.ascontiguousarray(planes.T).view(f"f{len(planes)}")[:, 0].astype(np.float64)


def test_a_game_too_large_for_a_table_is_learned_by_a_function_and_played(tmp_path: Path) -> None:
    game = parse_game("connect4")
    assert "the learner ntuple needs no table" in refusal(Training, game, "reward")
    run = Run(Training(game, "ntuple:tuples=12,length=4", 1), tmp_path / "run.npz")
    assert "too many positions to tell whether every one is played right" in refusal(run.goal, until_perfect=True)
    run.goal(400)
    run.work()
    agent = parse_agent(f"table:{tmp_path / 'run.npz'}", game)
    state = game.new("4444")
    values = run.training.estimator.values(state)
    decision = agent.decide(state, Stream(1))
    assert values[decision.move] == max(values.values())
    assert {thought.move: thought.value for thought in decision.thoughts} == pytest.approx(values)
    assert agent.choose(game.new("112233"), Stream(1)) == 3  # four in a row at once
    again = Run.load(tmp_path / "run.npz")
    assert again.training.estimator.values(state) == values and again.training.curve == run.training.curve
    assert (tmp_path / "run.npz").stat().st_size < 200_000


def test_minutes_end_a_run_of_a_table_and_of_a_function() -> None:
    for learner in ("reward", "ntuple"):
        run = Run(Training(parse_game("nim:3,4"), learner, 1))
        run.goal(minutes=0.002)
        run.work()
        assert run.training.processor >= 0.12 and run.finished and run.training.games == run.last
    assert run.training.more["over"] > 100


def test_the_kernel_is_compiled_before_the_clock_of_a_function_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where weights are averaged: playing no games calls it."""
    kernel, played = function_play.self_play, list[int]()

    def noted(*arguments: Any) -> None:
        played.append(arguments[4])
        kernel(*arguments)

    monkeypatch.setattr(function_play, "self_play", noted)
    for measured in (True, False):
        training = Training(parse_game("nim:3,4"), "ntuple", 1, measured=measured)
        training.prepare()
        assert played == [0] and training.games == 0 and training.seconds == 0
        played.clear()


def test_a_game_without_a_choice_has_no_share_of_right_moves() -> None:
    run = Run(Training(parse_game("nim:1"), "linear", 1))
    run.goal(5)
    run.work()
    assert run.training.curve[-1].right_moves is None and json.dumps(document(report.trained(run)), allow_nan=False)


def test_a_change_of_a_best_move_is_noticed() -> None:
    training = Training(parse_game("nim:1,2,3"), "linear", 1)
    training.prepare()
    graph, seen = training.truth.graph, set()
    for _ in range(40):
        before = training.scores().copy()
        _, changed = training.watch(1, until_change=True)
        now = training.scores()
        rows = [slice(graph.ptr[node], graph.ptr[node + 1]) for node in choices(training.truth)]
        best = [[np.flatnonzero(of[row] == of[row].max()).tolist() for row in rows] for of in (before, now)]
        assert changed == (best[0] != best[1])
        seen.add(changed)
    assert seen == {False, True}


def test_weights_that_are_no_numbers_end_the_run_in_one_line_and_are_not_saved(tmp_path: Path) -> None:
    for learner in ("ntuple:tuples=5,length=3", "net:hidden=4"):
        training = Training(parse_game("connect:4x3x3"), learner, 1)
        training.run(5)
        training.estimator.function.weights.fill(np.nan)
        with pytest.raises(StoreError, match="take smaller steps"):
            training.save(tmp_path / "run.npz")
        assert learner.startswith("net") or "take smaller steps" in refusal(training.run, 50)


def test_a_function_is_taught_by_a_game_and_its_lessons_are_kept(tmp_path: Path) -> None:
    game = parse_game("connect:4x3x3")
    training = Training(game, "ntuple:tuples=6,length=4", 1)
    training.run(50)
    record = Record(game, None, (0, 1, 0, 1, 0))
    lesson = taught.Lesson.of(record, None, ("me", "table"), 0.0, 100)
    base_table = training.table.copy()
    pupil = taught.keep(tmp_path / "pupil.npz", "table", base_table, [lesson])
    before, after = (table.scores(record.state_at(2))[0] for table in (base_table, pupil.newest))
    assert after > before and pupil.newest.games == 150
    counts = [
        [table.visits_of(record.state_at(ply))[move] for ply, move in enumerate(record.moves)]
        for table in (base_table, pupil.newest)
    ]
    assert counts[1] == [count + 100 for count in counts[0]] and base_table._row(game.start) == 0
    again = taught.read(tmp_path / "pupil.npz")[1]
    assert [table.games for table in again.versions()] == [50, 150]
    assert again.newest.scores(record.state_at(2)) == pupil.newest.scores(record.state_at(2))
    assert again.newest.move(record.state_at(2), Stream(1)) in again.newest.best_moves(record.state_at(2))
    taught_by = [Estimator(game, parse_learner(f"linear:step={step},last=0.08"), 1) for step in (0.8, 0.08)]
    for one in taught_by:
        one.learn(game.new(), record.moves)
    weights = [one.function.weights for one in taught_by]
    assert np.array_equal(*weights) and weights[0].any(), "a lesson takes the last and smallest step"


OWN = [(takeaway, "takeaway:20"), (wythoff, "wythoff:5,7")]


@pytest.mark.parametrize(("module", "name"), few(OWN[1:], OWN))
def test_an_own_game_is_learned_without_a_word_about_inputs(module: Any, name: str) -> None:
    registry.add(module)
    training = Training(parse_game(name), "ntuple:length=2", 1)
    training.run(2_000)
    assert training.standing().accuracy > (training.curve[0].accuracy or 0)


BOARDS, SPECS = ["connect:3x3x3", "noughts:3x3x2", "nim:2,3:misere", "chomp:3x2"], ["ntuple", "net:hidden=4"]
UNLIKE = [*zip(BOARDS[:3], [*SPECS[::-1], "ntuple"], strict=True), (BOARDS[0], "ntuple:mirror=off")]


@pytest.mark.parametrize(("name", "learner"), few(UNLIKE, list(product(BOARDS, [*SPECS, "ntuple:mirror=off"]))))
def test_a_move_has_the_value_of_its_position_whichever_move_led_there(name: str, learner: str) -> None:
    training = Training(parse_game(name), learner, 2)
    training.run(100)
    graph, scores = training.truth.graph, training.scores()
    for node, values in enumerate(training.estimator.all_values(graph.boards)):
        edges = slice(graph.ptr[node], graph.ptr[node + 1])
        np.testing.assert_allclose(
            scores[edges], values[graph.move[edges]], rtol=0, atol=1e-9 if "net" in learner else 0
        )


def test_a_learner_with_a_function_is_refused_with_steps_that_grow_or_too_many_weights() -> None:
    assert "last must be at most step" in refusal(parse_learner, "ntuple:step=0.001,last=0.01")
    many = parse_learner("ntuple:tuples=400,length=16")
    assert "take fewer or shorter ones" in refusal(Estimator, parse_game("connect4"), many, 1)
    assert make(module_of(parse_learner("net")), {"hidden": 4}).hidden == 4


def test_a_network_starts_with_small_weights_and_none_for_what_is_always_there() -> None:
    network = Estimator(parse_game("connect:3x3x3"), parse_learner("net:hidden=5,second=4"), 1).function
    for part, reach in ((network.weights, (6 / 9) ** 0.5), (network.middle, (6 / 5) ** 0.5), (network.out, 1 / 4)):
        assert not part[:, -1].any() and part[:, :-1].all()
        assert reach / 2 < np.abs(part).max() <= reach


def test_moves_that_are_mirror_images_have_the_same_bits() -> None:
    """So each of them is played as often as the other."""
    game = parse_game("connect4")
    training = Training(game, "ntuple:tuples=30", 1, measured=False)
    training.run(500)
    for moves in ("", "44", "4444", "4455335"):
        state = game.new(moves)
        if moves != "4455335":
            values = training.estimator.values(state)
            assert all(values[column] == values[6 - column] for column in values) and len(set(values.values())) > 2
        mirrored = game.new("".join(str(8 - int(column)) for column in moves))
        one, other = training.estimator.values(state), training.estimator.values(mirrored)
        assert {6 - column: value for column, value in one.items()} == other


# What one game taught a function: its numbers, recomputed from the weights before and after it.


def run_of(learner: str, games: int, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    run = Run(Training(parse_game("connect:3x3x3"), learner, 3))
    run.training.sample = sample.make(run.training.game, 60, 1)
    run.training.prepare()
    if games:
        run.training.run(games)
    return run


def value(function: Any, board: Any, side: int) -> float:
    """The value of an afterstate by the function's words, for the side that has just moved."""
    functions.clear(function)
    state = base.with_board(parse_game("connect:3x3x3").new(), board.copy())
    for i in range(base.inputs(state)):
        if number := int(base.input(state, i)):
            functions.shift(function, i, 0, number)
    return math.tanh(float(functions.total(function, side)))


def one_game(run: Run) -> tuple[Any, GameSteps, Any]:
    """Play one game; return copies of the function before and after it, and the steps."""
    training = run.training
    before = deepcopy(training.estimator.function)
    training.watch(1)
    steps = training.game_steps()
    return before, steps, training.estimator.function


@pytest.mark.parametrize(
    "learner",
    ["ntuple:tuples=4,length=3", "ntuple:tuples=4,length=3,adapt=on", "ntuple:tuples=4,length=3,trace=0", "linear"],
)
def test_the_steps_are_those_that_change_the_weights(learner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(learner, 300, monkeypatch)
    for _ in range(6):
        before, steps, after = one_game(run)
        game, pace, moves = run.training.game, steps.pace, steps.moves
        end = base.copy(moves[-1].state)
        base.play(end, moves[-1].move)
        assert base.outcome(end) == steps.outcome and steps.number == run.training.games
        target = float({base.WON: 1, base.LOST: -1}.get(steps.outcome, 0))
        assert moves[-1].target == target and moves[-1].step == 0 and moves[-1].error == 0
        again = deepcopy(before)._replace(path=after.path)
        for ply in range(len(moves) - 2, -1, -1):
            move, reply = moves[ply], moves[ply + 1]
            board, side = game.after(move.state, move.move).board, int(base.side(move.state))
            assert move.value == pytest.approx(value(deepcopy(before), board, side), abs=1e-6)
            assert move.later == pytest.approx(value(deepcopy(after), board, side), abs=1e-6)
            later = 0.0 if reply.by_chance else pace.decay
            target = -pace.discount * ((1 - later) * reply.best + later * target)
            assert move.target == pytest.approx(target) and move.error == pytest.approx(target - move.value)
            factor = 1 - move.value**2 if pace.squares else 1.0
            assert move.step == pytest.approx(steps.size * move.error * factor)
            assert (move.rates is not None) == ("adapt" in learner)
            functions.learn(again, side, ply, move.step)
        for name in functions.known_of(after):  # in the same order the same bits
            assert np.array_equal(getattr(again, name), getattr(after, name)), name


def test_the_met_positions_are_those_of_its_own_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run = run_of("ntuple:tuples=4,length=3", 0, monkeypatch)
    truth, plays = run.training.listed, dict[tuple[bytes, int], int]()
    for _ in range(30):
        for move in one_game(run)[1].moves:
            key = move.state.board.tobytes(), move.move
            plays[key] = plays.get(key, 0) + 1
    nodes = np.repeat(np.arange(len(truth.values)), np.diff(truth.graph.ptr))
    expected = [
        plays.get((truth.graph.boards[node].tobytes(), int(move)), 0)
        for node, move in zip(nodes, truth.graph.move, strict=True)
    ]
    assert sum(expected) > 30 and run.training.listed_scores()[1].tolist() == expected
    run.training.save(tmp_path / "run.npz")
    again = Training.load(tmp_path / "run.npz")
    again._saved_met = np.vstack((again._saved_met, [len(expected), 1]))  # of a larger sample
    again.sample = run.training.sample
    again.prepare()
    assert again.listed_scores()[1].tolist() == expected
