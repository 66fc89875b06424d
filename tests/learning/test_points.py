"""Points of a function against perfect play and random moves, against values by plain recursion."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.learning import compiled, curve_points, sample
from nimtui.learning import training as training_module
from nimtui.learning.curve_points import CurveGames
from nimtui.learning.report import trained
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.progress import Cancelled, Progress
from nimtui.report.cells import cells as lines_of
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.theory.answers import timely_moves
from tests.theory.force import Force

GAME = "connect:3x3x3"


@pytest.mark.parametrize("name", [GAME, "nim:3,2", "noughts:3x2x2"])
def test_timely_moves_win_soonest_and_lose_latest(name: str) -> None:
    force, stream = Force(name), Stream(5)
    for _ in range(25):
        state = force.game.new()
        while base.outcome(state) == base.GOING_ON:
            keeping = set(force.best(state))
            assert set(timely_moves(force.game, state, True, True)) == timely(force, state)
            assert set(timely_moves(force.game, state, False, False)) == keeping
            base.play(state, base.nth(state, stream.below(base.count(state))))


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


def test_who_wants_to_lose_takes_less_than_its_openings_are_worth_and_a_game_of_one_ply_has_none() -> None:
    taken = curve_points.measure(player("connect:4x3x3", -1), 30)
    assert taken.perfect.points == 0 and taken.openings.points < taken.worth
    taken = curve_points.measure(player("nim:2", 1), 10)  # a random ply may end it
    assert taken.perfect.points == 1 and taken.openings is None is taken.worth


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
        again.measure_points(Stopped())


class Stopped(Progress):
    """A person who has stopped it."""

    def report(self, done: float, total: float, what: str = "") -> None:
        raise Cancelled("train")


@pytest.mark.parametrize("name", ["nim:3,2,2", GAME])
def test_exact_points_are_against_random_moves_and_perfect_play_that_holds_out_longest(name: str) -> None:
    force = Force(name)
    training = Training(force.game, "linear", 5)
    training.run(3)

    def expected(other: Any, state: State | None = None, own: bool = True) -> float:
        state = force.game.new() if state is None else state
        if (end := base.outcome(state)) != base.GOING_ON:
            return 0.5 if end == base.DRAW else float((end == base.WON) != own)
        moves = training.table.best_moves(state) if own else other(state)
        return sum(expected(other, force.after(state, move), not own) for move in moves) / len(moves)

    last, longest = training.curve_to(training.standing())[-1], expected(lambda state: timely(force, state))
    assert last.points_against_perfect == pytest.approx(longest)
    assert last.points_against_random == pytest.approx(expected(base.legal_moves))
    assert name != "nim:3,2,2" or longest != pytest.approx(expected(force.best))


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


@pytest.mark.parametrize("parts", [(400,), (150, 250)])
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
    training.plan(400)
    for games in parts:
        training.run(games)
    alone.plan(400)
    alone.run(200)
    expected = curve_points.against_perfect(alone.estimator, curve_points.FEW)
    by_games = {point["games"]: point for point in document(trained(Run(training)))["curve"]}
    assert list(by_games) == [0, 100, 200, 400]
    assert by_games[100]["points_against_perfect"] is by_games[100]["points_against_perfect_low"] is None
    names = ("points_against_perfect", "points_against_perfect_low", "points_against_perfect_high")
    assert tuple(by_games[200][name] for name in names) == expected
    random = curve_points.against_random(alone.estimator)
    assert by_games[200]["points_against_random"] == random.points < by_games[200]["points_against_random_high"]
    training.save(tmp_path / "run.npz")
    assert Training.load(tmp_path / "run.npz").curve == training.curve


def test_a_stop_leaves_out_the_points_that_are_being_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Event()

    def endless(estimator: Any, number: int, progress: Progress) -> None:
        while True:
            started.set()
            progress.report(0, 1)

    monkeypatch.setattr(curve_points, "against_perfect", endless)
    games = CurveGames()
    games.play(5, player("nim:2,1", 1))
    started.wait()
    with pytest.raises(Cancelled):
        games.wait(Stopped())
    games.drop()
    assert games.finished(5) == []
