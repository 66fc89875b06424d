"""What is measured of a function: samples of exact results, and points against perfect play and random moves."""

from __future__ import annotations

import random
from concurrent.futures import Future
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui import theory
from nimtui.engine import limits
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.learning import compiled, curve_points, evaluate, sample
from nimtui.learning import training as training_module
from nimtui.learning.atlas import Axis, orders
from nimtui.learning.compiled import times_met
from nimtui.learning.curve_points import CurveGames, Points
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG
from nimtui.learning.report import trained
from nimtui.learning.run import Run
from nimtui.learning.sample import ELSEWHERE, SampledTruth, truth_of
from nimtui.learning.training import Training
from nimtui.progress import SILENT, Cancelled
from nimtui.report.cells import cells as lines_of
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.store import StoreError, arrays, paths
from nimtui.theory.truth import truth
from tests.games.refusal import refusal
from tests.stops import StopAfter
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


def test_a_sample_is_kept_in_a_file_and_listed_by_plies_and_by_value(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game(GAME)
    made = sample.of(game, SILENT, 20)
    assert sample.place(game) == paths.home() / "samples" / "connect-3x3x3.npz" and len(made.boards) == 20
    monkeypatch.setattr(sample, "make", None)
    again, known, some = sample.of(game), truth_of(made), truth_of(made, 4, "chosen")
    assert again.seed == 1 and all(np.array_equal(*both) for both in zip(again[2:], made[2:], strict=True))
    shares = [(row == row.max()).sum() / (row > sample.NOT_LEGAL).sum() for row in made.results]
    assert made.chance() == pytest.approx(sum(shares) / 20)
    assert (known.of, known.about) == (20, "of 20 solved exactly") and (some.of, some.about) == (20, "chosen")
    assert some.plies.tolist() == made.plies[[0, 6, 12, 19]].tolist()  # a third of the way each
    assert known.lists_as(truth_of(made)) and not some.lists_as(known)
    by_plies, by_value = known.orders()
    plies, values = known.plies.tolist(), [("lost", "drawn", "won")[value + 1] for value in known.values]
    for order, axis, name, of in (
        (by_plies, by_plies.across, "plies played", plies),
        (by_value, by_value.down, "exact value", values),
    ):
        assert (order.name, order.about, axis.title) == (name, f"of 20 solved exactly, by {name}", name)
        assert [axis.labels[group] for group in axis.of] == [str(of[node]) for node in order.nodes]
    intervals = [sample.interval_of(*both) for both in ((None, 0.5), (made, None), (made, 0.5))]
    assert intervals == [(0.5, 0.5), (None, None), made.interval(0.5)]


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


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_positions_are_met_as_in_games_of_best_moves_with_random_ones_where_none_wins_at_once(share: float) -> None:
    game, stream, seen = parse_game(GAME), Stream(1), list[tuple[object, ...]]()
    training = Training(game, f"ntuple:tuples=5,length=3,explore={share}", 2)
    training.run(200)
    states, met, told = [game.new() for _ in range(50)], dict[bytes, int](), list[tuple[object, ...]]()
    while states:
        told.append((50 - len(states), 50, "its own games"))
        for state in states:
            met[state.board.tobytes()] = met.get(state.board.tobytes(), 0) + 1
            values = training.estimator.values(state)
            best = [move for move, value in values.items() if value == max(values.values())]
            is_random = max(values.values()) < 1 and stream.share() < share
            base.play(state, stream.choose(list(values) if is_random else best))
        states = [state for state in states if base.outcome(state) == base.GOING_ON]
    progress = SimpleNamespace(report=lambda *words: seen.append(words))
    times = times_met(training.estimator, training.truth, 50, progress)
    boards = training.truth.graph.boards.astype(np.int64)
    assert {boards[node].tobytes(): int(times[node]) for node in np.flatnonzero(times)} == met and seen == told


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


# The orders of all positions.

OTHERS, NIMBERS = ("lost", "drawn", "won"), tuple(map(str, range(8)))


@pytest.mark.parametrize(
    ("name", "unit", "what", "labels", "periods", "lead"),
    [
        ("nim:3,5", "matches left", "nim-sum", NIMBERS, (4, 24), 1),
        ("nim:2,2:max=1", "matches left", "Grundy value", NIMBERS[:2], (3, 9), 1),
        ("subtraction:21,3:misere", "matches left", "Grundy value", NIMBERS[:4], (22,), 1),
        ("tower:16", "matches left", "nim-sum", NIMBERS, (2, 8, 48, 384), 1),
        ("kayles:4", "matches left", "Grundy value", NIMBERS[:4], (16,), 1),
        ("chomp:2x2", "plies left", "Grundy value", NIMBERS[:4], (), 1),
        ("connect:3x2x3", "plies left", "exact value", OTHERS[1:], (), 0),  # its numbers have gaps
        (GAME, "plies left", "exact value", OTHERS, (), 0),
        ("nim:7,5,3", "matches left", "nim-sum", NIMBERS, (8, 48, 192), 1),
        ("subtraction:21,3", "matches left", "Grundy value", NIMBERS[:4], (22,), 1),
        ("adjacent:1,2", "matches left", "Grundy value", NIMBERS[:4], (2, 8), 1),
        ("connect:3x2x2", "plies left", "exact value", ("lost", "won"), (), 0),
        ("redblue:2,1", "plies left", "exact payoff", ("+3", "+4"), (), 0),
    ],
)
def test_orders_have_every_position_once_grouped_by_what_is_left_and_by_value(
    name: str, unit: str, what: str, labels: tuple[str, ...], periods: tuple[int, ...], lead: int
) -> None:
    known = truth(parse_game(name))
    ptr, values = known.graph.ptr.tolist(), known.values.tolist()
    follow = [known.graph.to[first:end].tolist() for first, end in pairwise(ptr)]

    @cache
    def left(node: int) -> int:
        return 0 if node < 0 else 1 + max(map(left, follow[node]))

    @cache
    def grundy(node: int) -> int:
        reached = set() if node < 0 else {grundy(after) for after in follow[node]}
        return min({*range(len(reached) + 1)} - reached)

    def axis(of: Axis | None) -> object:
        return of and (of.title, of.labels, of.of.tolist())

    nodes, exact = range(len(values)), what.startswith("exact")
    worth = [sorted(set(values)).index(value) for value in values] if exact else [*map(grundy, nodes)]
    by_left = sorted(nodes, key=lambda node: (left(node), worth[node]))
    by_worth = sorted(nodes, key=lambda node: (worth[node], left(node)))
    levels = tuple(str(level) for level in range(1, max(map(left, nodes)) + 1))
    top = f"{labels[0]} ones" if exact else f"{what} 0"
    by_unit, by_number = f"by {unit}, end of the game first; {top} on top", "by number, like an odometer"
    groups = (unit, levels, [left(node) - 1 for node in by_left]), (what, labels, [worth[node] for node in by_worth])
    assert [
        (of.name, of.about, of.nodes.tolist(), axis(of.across), axis(of.down), of.periods, of.lead)
        for of in orders(known, parse_game(name))
    ] == [
        (unit, by_unit, by_left, groups[0], None, (), 0),
        (what, f"by {what}; each row starts at the end of the game", by_worth, None, groups[1], (), 0),
        ("number", by_number, [*nodes], None, None, periods, lead),
    ]  # fmt: skip


# Points against perfect play and random moves, against values by brute force.


def timely(force: Force, state: State) -> set[int]:
    """The best moves that win soonest and lose latest; all that keep a draw."""
    value, plies = force.value(state)
    return {move for move, (sign, end) in force.worth(state).items() if sign == value and (not value or end == plies)}


def player(name: str, sign: int) -> Any:
    """Return what values moves as they are worth (1), or as the opposite (−1)."""
    force = Force(name)

    def values(boards: Any) -> Any:
        rows = np.full((len(boards), force.game.size), -2.0)
        for row, board in zip(rows, boards, strict=True):
            for move, (worth, _) in force.worth(base.with_board(force.game.new(), board)).items():
                row[move] = sign * worth
        return rows

    return SimpleNamespace(game=force.game, all_values=values)


@pytest.mark.parametrize(("name", "value"), [("connect:4x3x3", 1.0), (GAME, 0.5), ("nim:1,2,3", 0.0)])
def test_a_right_player_takes_what_game_and_openings_are_worth(name: str, value: float) -> None:
    assert Force(name).value(parse_game(name).start)[0] == 2 * value - 1
    taken = curve_points.measure(player(name, 1), 30)
    assert taken.games == 30 and taken.perfect is not None and taken.openings is not None
    assert taken.perfect.points == value and taken.openings.points == taken.worth
    low, high = taken.perfect.low, taken.perfect.high
    assert 0 <= low <= value <= high <= 1 and 0.05 < high - low < 0.4
    assert curve_points.against_random(player(name, 1)).points > value or value == 1


@pytest.mark.parametrize("name", ["nim:1,2,3", GAME])
def test_games_against_random_moves_are_played_side_by_side_with_one_stream(name: str) -> None:
    own, stream, points = player(name, -1), Stream(1), [0.0] * 200
    going, mine = {at: own.game.new() for at in range(200)}, True
    while going:
        for state in going.values():
            moves = base.legal_moves(state)
            worth = own.all_values([state.board])[0][moves] if mine else [0] * len(moves)
            best = [move for move, value in zip(moves, worth, strict=True) if value == max(worth)]
            base.play(state, stream.choose(best) if mine else moves[stream.below(len(moves))])
        for at, state in [*going.items()]:
            if (end := base.outcome(state)) != base.GOING_ON:
                points[at] = 0.5 if end == base.DRAW else float((end == base.WON) is mine)
                del going[at]
        mine = not mine
    assert curve_points.against_random(own) == curve_points.share_in(sum(points) / 200, 200)


def test_who_wants_to_lose_takes_less_than_its_openings_are_worth_and_a_game_of_one_ply_has_none() -> None:
    taken = curve_points.measure(player("connect:4x3x3", -1), 30)
    assert taken.perfect.points == 0 and taken.openings.points < taken.worth
    taken = curve_points.measure(player("nim:2", 1), 10)  # a random ply may end it
    assert taken.perfect.points == 1 and taken.openings is None is taken.worth


def test_a_game_without_perfect_play_has_no_points_and_openings_have_one_and_two_plies() -> None:
    unsolved = SimpleNamespace(game=parse_game("noughts:4x4x4"))
    assert curve_points.measure(unsolved, 5) == Points(5, None, None, None)
    game = parse_game("connect:4x3x3")
    openings = curve_points._openings(game, 4)
    plies = [int((np.array(game.cells(opening.state)) > 0).sum()) for opening in openings]
    assert plies == [1, 2, 1, 2] and [opening.first_to_move for opening in openings] == [False, True, False, True]
    stream = Stream(1)
    for opening, number in zip(openings, plies, strict=True):
        state = game.new()
        for _ in range(number):
            base.play(state, base.legal_moves(state)[stream.below(int(base.count(state)))])
        assert opening.state.board.tolist() == state.board.tolist()
    over_in_two = parse_game("nim:1,1")
    assert len(curve_points._openings(over_in_two, 1)) == 1 and curve_points._openings(over_in_two, 2) == []
    assert curve_points.share_in(0.25, None) == (0.25,) * 3
    assert curve_points.share_in(0.9, 200) == (0.9, *sample.wilson(0.9, 200))
    numbers = {0: 0, 99_999: 0, 100_000: 20, 999_999: 20, 1_000_000: 200}
    assert {games: curve_points.games_of_measure(games) for games in numbers} == numbers
    seen: list[tuple[float, float, str]] = []  # it takes 1 of 2, its opponent 1 of 1,1, and it takes the last
    curve_points.against_perfect(player("nim:1,2", 1), 3, SimpleNamespace(report=lambda *told: seen.append(told)))
    assert seen == [(0, 3, "measuring: games")] * 3
    force, reply = Force("nim:2,2,1"), curve_points._perfect(parse_game("nim:2,2,1"), SILENT)
    for state in filter(base.count, force.every()):
        ranks = {move: (sign, -sign * plies) for move, (sign, plies) in force.worth(state).items()}
        played = {reply(state, Stream(seed)) for seed in range(9)}
        assert {ranks[move] for move in played} == {max(ranks.values())}, "it wins soon and loses late"


def test_games_for_the_curve_rest_nine_tenths_of_the_time_and_their_points_are_given_once_and_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games, (done, late), seen = CurveGames(), (Future[float](), Future[float]()), list[object]()
    pace, rests, clock = games._pace, list[float](), iter((0.2, 0.2, 0.5, 0.6, 0.1, 0.1))
    monkeypatch.setattr(pace.waited_for, "wait", rests.append)
    monkeypatch.setattr(curve_points, "thread_time", lambda: next(clock))
    for _ in range(3):
        pace.report(0, 1)
    assert rests == pytest.approx([9 * 0.2, 9 * 0.3, 0])  # the last time is that of another thread
    done.set_result(0.25)
    games._points.extend([(100, done), (200, late)])
    assert games.finished(99) == []
    games.wait(SimpleNamespace(report=lambda *words: seen.append(words) or late.set_result(0.5)))
    assert seen == [(1, 2, "measuring: points")] and not pace.waited_for.is_set()
    assert (games.finished(100), games.finished(200), games.finished(200)) == ([(100, 0.25)], [(200, 0.5)], [])
    games.drop()
    assert pace.dropped and pace.waited_for.is_set() and not games._pace.dropped


def test_points_are_measured_when_a_run_is_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not before: neither the games nor a save nor a stop wait for it. A saved run is measured again, alike."""
    monkeypatch.setattr(curve_points, "FEW_FROM", 300)
    monkeypatch.setattr(sample, "why_none", lambda _: "it would take too long")
    monkeypatch.setattr(training_module, "why_untrainable", lambda _: "it has too many positions")
    training = Training(parse_game("tower:36"), "ntuple:tuples=10,length=1", 2)
    training.run(400)
    training.save(tmp_path / "run.npz")
    again = Training.load(tmp_path / "run.npz")
    assert document(trained(Run(training)))["points_against_perfect"] is None
    training.measure_points()
    last, told = training.curve_to(None)[-1], document(trained(Run(training)))
    share = told["points_against_perfect"]
    assert (last.games, last.points_against_perfect) == (400, share)
    assert last.right_moves is None and curve_points.games_of_measure(299) == 0 and told["points_games"] == 20
    assert told["points_against_perfect_low"] <= share <= told["points_against_perfect_high"]
    assert "measured when a run is done" in "".join(map(plain_text, lines_of(trained(Run(again)))))
    again.measure_points()
    kinds = [name for name in told if "points" in name] + ["openings_worth"]
    measured = document(trained(Run(again)))
    assert [measured[name] for name in kinds] == [told[name] for name in kinds]
    with pytest.raises(Cancelled):
        again.measure_points(StopAfter(1))


@pytest.mark.parametrize("name", ["nim:3,2,2", GAME])
def test_exact_points_are_against_random_moves_and_perfect_play_that_holds_out_longest(name: str) -> None:
    force = Force(name)
    training = Training(force.game, "linear", 5)
    training.run(3)
    training.curve.pop()  # so it is looked at now

    def expected(other: Any, state: State | None = None, own: bool = True) -> float:
        state = force.game.new() if state is None else state
        if (end := base.outcome(state)) != base.GOING_ON:
            return 0.5 if end == base.DRAW else float((end == base.WON) != own)
        moves = training.table.best_moves(state) if own else other(state)
        return sum(expected(other, force.after(state, move), not own) for move in moves) / len(moves)

    now = training.standing()
    last, longest = training.curve_to(now)[-1], expected(lambda state: timely(force, state))
    assert last[:3] == (3, now.accuracy, now.unbeaten)
    assert last.points_against_perfect == pytest.approx(longest)
    assert last.points_against_random == pytest.approx(expected(base.legal_moves))
    assert name != "nim:3,2,2" or longest != pytest.approx(expected(force.best))


def test_a_taught_game_moves_what_plays_as_far_as_what_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates of single weights count it once."""
    monkeypatch.setattr(compiled, "why_untrainable", lambda _: "it has too many positions")
    training = Training(parse_game("connect:4x3x3"), "ntuple:tuples=5,length=3,adapt=on", 3, measured=False)
    training.run(2_500)
    learns, alone = training.estimator, training.estimator.copy() if training.estimator else None
    assert alone is not None and learns.played is not learns.function
    alone.played = alone.function
    before = learns.function.weights.copy(), learns.played.weights.copy()
    for estimator in (learns, alone):
        estimator.learn(training.game.new(), [0, 1, 0, 1, 0], 20)
    for name in ("weights", "moved", "went"):
        assert np.array_equal(getattr(learns.function, name), getattr(alone.function, name))
    moved = learns.function.weights - before[0]
    assert np.abs(moved).max() > 0 and np.allclose(learns.played.weights - before[1], moved, atol=1e-6)


@pytest.mark.parametrize("parts", [(400,), (150, 250), (250, 150)])
def test_a_curve_has_points_at_fixed_games(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, parts: tuple[int, ...]
) -> None:
    """The same however the run is divided. They are those of games of a function after exactly so much training."""
    monkeypatch.setattr(training_module, "CURVE_FROM", 200)
    monkeypatch.setattr(curve_points, "LARGE_FROM", 100)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 40, 1))
    monkeypatch.setattr(training_module, "why_untrainable", lambda _: "it has too many positions")
    training, alone = (
        Training(parse_game("connect:4x3x3"), "ntuple:tuples=5,length=3", 3, measured=measured)
        for measured in (True, False)
    )
    run = Run(training, tmp_path / "run.npz")
    run.goal(400)
    for games in parts[:-1]:
        training.run(games)
    run.work()
    assert Training.load(tmp_path / "run.npz").curve == training.curve  # the last point, too
    alone.plan(400)
    alone.run(200)
    expected = curve_points.against_perfect(alone.estimator, curve_points.FEW)
    by_games = {point["games"]: point for point in document(trained(run))["curve"]}
    assert list(by_games) == [0, 100, 200, 400]
    assert by_games[100]["points_against_perfect"] is by_games[100]["points_against_perfect_low"] is None
    names = ("points_against_perfect", "points_against_perfect_low", "points_against_perfect_high")
    assert tuple(by_games[200][name] for name in names) == expected
    random = curve_points.against_random(alone.estimator)
    assert by_games[200]["points_against_random"] == random.points < by_games[200]["points_against_random_high"]
