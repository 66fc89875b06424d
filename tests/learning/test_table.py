"""Tables: what they say, how they learn from one game, how they and the weights of functions are kept and told."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from datetime import datetime
from functools import reduce
from operator import or_
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nimtui
from nimtui.games import Record, base, parse_game
from nimtui.games.rule_text import Place
from nimtui.learning import export, opponents, report, sample
from nimtui.learning.curve_points import FunctionPoint, Point, Points, Share
from nimtui.learning.estimator import pack, unpack
from nimtui.learning.run import Run
from nimtui.learning.table import Change, Row, Table, _narrow, load_run
from nimtui.learning.taught import Lesson
from nimtui.learning.training import Training
from nimtui.learning.views import NO_STANDING
from nimtui.report import values
from nimtui.report.cells import cells
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.store import StoreError, arrays
from nimtui.theory.truth import truth as truth_of
from tests.games.refusal import refusal
from tests.learning.helpers import random_record, same_tables


@pytest.fixture
def table() -> Table:
    return opponents.train_interpreted(parse_game("nim:1,3,5,7"), "reward", 500, 3)


def test_scores_are_those_of_the_legal_moves_in_order_and_nought_in_a_position_never_seen(table: Table) -> None:
    for state, scores, _ in table.rows():
        assert list(scores) == base.legal_moves(state)
        assert table.scores(state) == scores
        most = max(scores.values())
        assert table.best_moves(state) == tuple(m for m in scores if scores[m] == most)
        assert all(type(score) is int for score in scores.values())
    numbers = [int(base.index(row.state)) for row in table.rows()]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers)
    game = parse_game("nim:1,3,5,7")
    empty = Table.empty(game, "reward")
    assert empty.scores(game.new()) == dict.fromkeys(range(16), 0)
    assert empty.visits_of(game.new("0,0,0,2")) == {9: 0, 10: 0}
    assert empty.best_moves(game.new("0,0,0,2")) == (9, 10)
    assert list(empty.rows()) == []
    assert empty.scores(game.new("0,0,0,0")) == {} and empty.best_moves(game.new("0,0,0,0")) == ()


@pytest.mark.parametrize("name", ["nim:1,3,5", "connect:3x3x3"])
@given(seed=st.integers(0, 10**6), games=st.integers(0, 5))
@settings(max_examples=6, deadline=None)
def test_learning_from_a_game_is_what_the_learner_itself_does(name: str, seed: int, games: int) -> None:
    game = parse_game(name)
    table = opponents.train_interpreted(game, "reward:win=2,loss=3", games, seed)
    before, record = table.copy(), random_record(game, seed)
    once, often = table.copy(), table.copy()
    for _ in range(10):
        once.learn(record)
    often.learn(record, 10)  # a weight counts like so many lessons
    assert same_tables(once, often)
    changes = table.learn(record)
    assert table.games == before.games + 1 == games + 1
    expected = {}
    for ply, move in enumerate(record.moves):
        state = record.state_at(ply)
        old = before.scores(state)[move]
        if record.winner is not None:
            new = old + (2 if ply % 2 == record.winner else -3)
            expected[game.position_name(state), move] = old, new
        assert table.scores(state)[move] == (old if record.winner is None else new)
    told = {(c.position_name, c.move): (c.before, c.after) for c in changes}
    assert told == expected
    assert [c.move for c in changes] == (record.moves if record.winner is not None else [])
    for state, scores, _ in before.rows():  # no other cell has changed
        name_here = game.position_name(state)
        for move, score in scores.items():
            if (name_here, move) not in expected:
                assert table.scores(state)[move] == score


def test_a_game_from_another_start_teaches_too_and_an_empty_table(table: Table, tmp_path: Path) -> None:
    record = Record(table.game, "0,0,0,2")
    record.push(table.game.parse_move("d2", record.state))
    (change,) = table.learn(record)
    assert (change.position_name, change.move) == ("0,0,0,2", 10)
    assert change.after == change.before + 1
    game = parse_game("nim:255")
    Table.empty(game, "reward").save(tmp_path / "t.npz")
    found, record = Table.load(tmp_path / "t.npz"), Record(game)
    record.push(254)
    assert found.learn(record) == [Change("255", 254, 0, 1)] and found.best_moves(game.new()) == (254,)


def test_only_finished_games_of_the_same_game_are_learned_from_and_none_at_the_limit(table: Table) -> None:
    record, before = Record(table.game), table.cells.copy()
    record.push(0)
    assert "unfinished game" in refusal(table.learn, record)
    assert "cannot learn from nim:7,5,3" in refusal(table.learn, random_record(parse_game("nim:7,5,3"), 1))
    table.games = 2**31 - 1
    assert "could exceed" in refusal(table.learn, random_record(table.game, 4))
    assert np.array_equal(table.cells, before)


@pytest.mark.parametrize("name", ["adjacent:1,3,5:misere", "connect4"])
def test_a_table_comes_back_from_its_file(tmp_path: Path, name: str) -> None:
    table = opponents.train_interpreted(parse_game(name), "reward:win=500", 60, 9)
    table.save(tmp_path / "t.npz")
    found = Table.load(tmp_path / "t.npz")
    assert same_tables(found, table)
    assert (found.game, found.seed, found.games) == (table.game, 9, 60)
    assert load_run(tmp_path / "t.npz")[1] is None
    record = random_record(table.game, 4)
    assert found.learn(record) == table.learn(record)
    assert same_tables(found, table)


def test_what_is_proven_stays_proven_when_a_table_learns_from_a_person() -> None:
    table = opponents.train_interpreted(parse_game("nim:1,2,3"), "proof", 60, 1)
    proven = np.flatnonzero(table.marks)
    values, rows = table.marks[proven] & 3, len(table.numbers)
    for seed in range(5):
        table.learn(random_record(table.game, seed))
    assert len(table.numbers) == rows and len(proven) > 10 and (table.marks[proven] & 3 == values).all()


GOOD = {"kind": "table", "game": "nim:3", "learner": "reward", "seed": 0, "games": 1, "run": None}


def small() -> dict[str, np.ndarray]:
    return {
        "numbers": np.array([1, 2, 3]), "boards": np.array([[1, 1, 1], [2, 2, 2], [3, 3, 3]]),
        "ptr": np.array([0, 1, 3, 6]), "moves": np.array([0, 0, 1, 0, 1, 2]),
        "scores": np.array([5, 0, 0, -1, 2, 0], np.int32), "visits": np.array([5, 0, 0, 1, 2, 0], np.int8),
        "marks": np.zeros(0, np.int8),
    }  # fmt: skip


def test_a_file_that_holds_no_table_of_the_game_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    arrays.save(path, GOOD, small())
    assert Table.load(path).scores(parse_game("nim:3").new("2")) == {0: 0, 1: 0}
    changes: list[tuple[str, dict[str, object]]] = [
        ("holds no strategy table", {"kind": "curve"}),
        ("unknown game", {"game": "chess"}),
        ("unknown learner", {"learner": "guess"}),
        *(("lacks parts", changed) for changed in ({"game": 3}, {"seed": None}, {"games": float("inf")})),
        *(("does not fit", {"game": name}) for name in ("nim:2", "nim:1,3")),
        *(("does not fit", {"scores": scores}) for scores in (np.zeros(5, np.int32), np.zeros(6))),
        ("holds invalid scores", {"learner": "q", "scores": np.array([0, 0, np.nan, 0, 0, 0])}),
        *(("does not fit", {"ptr": np.array(ptr)}) for ptr in ([0, 1, 1, 6], [1, 2, 3, 6], [0, 1, 3, 5], [0, 1, 6])),
        *(("does not fit", {"numbers": np.array(of)}) for of in ([1, 3, 2], [1, 2, 2], [1, 2], [[1], [2], [3]])),
        ("does not fit", {"boards": np.zeros((3, 4), np.int64)}),
        *(("does not fit", {"moves": np.array(moves)}) for moves in ([0, 0, 1, 0, 1, 3], [-1, 0, 1, 0, 1, 2], [0] * 5)),
        *(("does not fit", {name: small()[name].astype(float)}) for name in ("numbers", "boards", "ptr")),
        *(("does not fit", {"marks": marks}) for marks in (np.zeros(6, np.int8), np.zeros(0, np.int16))),
        ("does not fit", {"visits": np.zeros(5, np.int8)}),
    ]
    for said, change in [*changes, *(("lacks parts", {name: None}) for name in ("moves", "visits"))]:
        parts = small() | {name: value for name, value in change.items() if name in small()}
        header = GOOD | {name: value for name, value in change.items() if name not in parts}
        arrays.save(path, header, {name: part for name, part in parts.items() if isinstance(part, np.ndarray)})
        before = path.read_bytes()
        with pytest.raises(StoreError, match=said) as fault:
            Table.load(path)
        assert "\n" not in str(fault.value) and str(path) in str(fault.value) and path.read_bytes() == before


def test_whole_numbers_are_stored_in_as_few_bytes_as_hold_them() -> None:
    for least, most, kind in (
        *((0, 127, "i1"), (-128, 0, "i1"), (0, 128, "i2"), (-129, 0, "i2"), (-32_768, 32_767, "i2")),
        *((0, 32_768, "i4"), (-32_769, 0, "i4"), (-(2**31), 2**31 - 1, "i4"), (0, 2**31, "i8")),
    ):
        numbers = _narrow(np.array([least, most]))
        assert (numbers.dtype, numbers.tolist()) == (kind, [least, most])


# Weights in a file: packed to the same bits, and refused in one line where they do not fit.


@given(st.lists(st.one_of(st.just(0.0), st.floats(width=32))), st.sampled_from(["f4", "f8", "u4", "u8"]))
def test_any_numbers_are_unpacked_to_the_same_bits(numbers: list[float], kind: str) -> None:
    words = np.array(numbers, "f4" if kind in ("f4", "u4") else "f8").view(kind)
    assert unpack(pack(words), words).tobytes() == words.tobytes()
    other = np.roll(words, 1)
    assert unpack(pack(words, other), words, other).tobytes() == words.tobytes()


def deflated(text: bytes) -> Any:
    return np.frombuffer(zlib.compress(text), np.uint8)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda parts: parts.pop("function-weights"), "lacks the weights"),
        (lambda parts: parts.update({"function-weights": parts["function-weights"][:1]}), "another function|be read"),
        (lambda parts: parts.update({"function-weights": deflated(b"")}), "another function"),
        (lambda parts: parts.update({"function-weights": deflated(b"x" * 10**6)}), "another function"),
        (lambda parts: parts.update({"function-weights": deflated(b"\xff" * 4 * 20)}), "no numbers"),
        (lambda parts: parts["function-weights"].fill(7), "cannot be read"),
    ],
)
def test_weights_that_do_not_fit_are_refused_in_one_line(spoil: Any, says: str, tmp_path: Path) -> None:
    training = Training(parse_game("nim:3,4"), "ntuple", 1)
    training.run(30)
    training.save(tmp_path / "run.npz")
    header, parts = arrays.load(tmp_path / "run.npz")
    parts = {name: part.copy() for name, part in parts.items()}
    spoil(parts)
    arrays.save(tmp_path / "run.npz", header, parts)
    with pytest.raises(StoreError, match=says) as fault:
        Training.load(tmp_path / "run.npz")
    assert "run.npz" in str(fault.value) and "\n" not in str(fault.value)


# What is told: words agree with figures, and the text with the document.


def test_the_truth_of_a_row_counts_the_best_scored_moves_that_keep_the_outcome() -> None:
    training = Training(parse_game("nim:3,4,5"), "reward", 1)
    training.run(300)
    rows = list(export.positions(training.table))
    told = report.positions(training.table, rows)
    words = [re.split(r"  +", plain_text(each))[-1] for each in cells(told)[3:]]
    wanted = []
    for keys in document(told)["positions"]:
        right = [move for move in keys["best_moves"] if move in keys["optimal_moves"]]
        some = f"{len(right)} of {len(keys['best_moves'])} best"
        all_equal = set(keys["optimal_moves"]) == set(keys["scores"])
        wanted.append("all equal" if all_equal else "best" if right == keys["best_moves"] else some)
    assert words == wanted and {"all equal", "best", "0 of 1 best"} <= set(words)


def test_a_move_is_best_or_a_mistake_and_the_best_scored_stands_first() -> None:
    training = Training(parse_game("nim:3,4,5"), "q", 1)
    training.run(300)
    place = Place(training.game, training.game.new(), None)
    told = report.position(training.table, place, export.one(training.table, place.state))
    keys, rows = document(told), [plain_text(each).split() for each in cells(told)[4:]]
    assert [row[0] for row in rows] == sorted(keys["scores"], key=lambda move: -keys["scores"][move])
    for move, score, visits, truth in rows:
        assert float(score.replace("−", "-")) == round(keys["scores"][move], 3) and int(visits) == keys["visits"][move]
        assert truth == ("best" if move in keys["optimal_moves"] else "mistake")


def test_the_report_of_a_run_shows_a_point_of_each_decade_and_how_many_positions_are_wrong() -> None:
    run = Run(Training(parse_game("nim:2,3"), "reward", 3))
    run.goal(250, False)
    run.work()
    keys = document(report.trained(run))
    shown = [point.games for point in report.points(run.training.curve_to(report.standing(run)))]
    assert shown == [0, 1, 10, 100, 250] and set(shown) <= {point["games"] for point in keys["curve"]}
    assert keys["curve"][-1] == {name: keys[name] for name in ("games", "accuracy", "unbeaten")}
    told = nimtui.train("tower:16", games=1_000)
    keys = told.to_dict()
    of_all = keys["right"] + keys["wrong"] + keys["undecided"]
    said = f"no ({keys['wrong']} of {of_all} wrong, {keys['undecided']} undecided)"
    assert said in str(told) and said in told._repr_html_()


def test_points_are_told_with_their_intervals_and_when_others_are_measured() -> None:
    share, half = Share(0.5, 0.25, 0.75), "50.0 % (25.0 % to 75.0 %)"
    random = "points moving first, in 200 games: 90.0 % (85.1 % to 93.4 %) against random moves"
    perfect = f"in 20 games against perfect play, which holds out longest: {half}"
    same = f"the same from openings of one and two random plies: {half}; perfect play would take 62.5 %"
    later = "points against perfect play: measured "
    for games, points, by_random, told in (
        (100_000, Points(20, share, share, 0.625), 0.9, [random, perfect, same]),
        (100_000, Points(20, share, None, None), None, [perfect]),
        (100_000, Points(20, None, None, None), 0.9, [random]),
        (100_000, None, None, [f"{later}when a run is done"]),
        (99_999, None, 0.9, [random, f"{later}from 100,000 games on"]),
    ):
        last = FunctionPoint(games, None, None, None, None, by_random)
        assert report._of_points(SimpleNamespace(points=(games, points), truth=None), last) == told


def told_of(shown: Any) -> list[str]:
    return [plain_text(each) for each in cells(shown)]


def within(name: str, share: float | None, games: int = 1) -> dict[str, float | None]:
    low, high = (None, None) if share is None else sample.wilson(share, games)
    return {name: share, f"{name}_low": low, f"{name}_high": high}


def test_the_report_of_a_function_that_a_sample_measures_is_told_whole() -> None:
    game = parse_game("nim:1,2")
    made, half, quarter = sample.make(game, 20, 1), Share(0.5, 0.25, 0.75), Share(0.25, 0.0, 0.5)
    rows = (
        (0, 0.2, None, 0.125),
        (20, 0.3, None, 0.25),
        (100_000, 0.5, None, 0.5),
        (150_000, 0.5, 0.25, 0.5),
        (200_000, 0.7, 0.5, 0.625),
    )
    curve = [FunctionPoint(games, None, None, *shares) for games, *shares in rows]
    training = SimpleNamespace(
        game=game, learner=SimpleNamespace(over=0), over=9, table=SimpleNamespace(learner="linear"), seed=3, plies=1,
        games=200_000, seconds=2.0, games_per_second=100_000.0, more={"perfect": 7}, truth=None, sample=made,
        estimator=SimpleNamespace(weights=1_200), points=(200_000, Points(20, half, quarter, 0.625)),
        curve_to=lambda now: curve if now is None else None,
    )  # fmt: skip
    run = SimpleNamespace(training=training, writer=SimpleNamespace(path=Path("/x/a run.npz"), fault="", games=None))
    low, high = map(values.Share, sample.wilson(0.7, 2))
    by_chance = f"random player has {values.Share(made.chance())}"
    random = "points moving first, in 200 games: 62.5 % (55.6 % to 68.9 %) against random"
    assert told_of(report.trained(run)) == [
        "Nim 1,2 · the last match wins  (nim:1,2)", "linear, seed 3: 200,000 games in 2.00 s, 100,000 a second",
        "1 ply, 1,200 weights", "",
        "  games   right moves                           points",
        "      0        20.0 %   ██████",
        "100,000        50.0 %   ███████████████",
        "150,000        50.0 %   ███████████████         25.0 %",
        "200,000        70.0 %   █████████████████████   50.0 %", "",
        f"right moves: 70.0 %, {low} to {high} in 19 of 20 cases",
        "measured on 2 positions after 0 to 1 plies where the moves differ; a random", f"player has {by_chance[18:]}",
        random, "moves", "in 20 games against perfect play, which holds out longest: 50.0 % (25.0 % to", "75.0 %)",
        "the same from openings of one and two random plies: 25.0 % (0 % to 50.0 %);", "perfect play would take 62.5 %",
        "saved to /x/a run.npz",
    ]  # fmt: skip
    kinds = (("points_against_perfect", 4, 20), ("points_against_random", 5, 200))
    points = [
        reduce(or_, (within(name, point[at], games) for name, at, games in kinds), point._asdict()) for point in curve
    ]
    names = ("accuracy", "reachable", "unbeaten", "proof", "perfect", "right", "wrong", "undecided")
    expected = {
        "game": "nim:1,2", "learner": "linear", "seed": 3, "games": 200_000, "seconds": 2.0, "plies": 1,
        "games_per_second": 100_000.0, **dict.fromkeys(names), **within("right_moves", 0.7, 2),
        "right_moves_met": None, "right_moves_unmet": None,
        **{name: value for name, value in points[-1].items() if name.startswith("points_")},
        "points_from_openings": 0.25, "points_from_openings_low": 0.0, "points_from_openings_high": 0.5,
        "openings_worth": 0.625, "points_games": 20, "weights": 1_200, "over": 9, "games_to_perfect": 7,
        "curve": points, "positions": None, "saved": "/x/a run.npz", "saved_games": 0,
    }  # fmt: skip
    assert document(report.trained(run)) == expected
    training.sample, training.game, run.writer.fault, run.writer.games = None, parse_game("noughts:4x4x4"), "full", 5
    training.learner.over, curve[:] = 4, [curve[-1]._replace(right_moves=None, points_against_perfect=None)]
    training.points = 0, None
    told = document(report.trained(run))
    assert [told[name] for name in ("right_moves_low", "points_games", "over", "saved", "saved_games")] == [
        *(None, None, 4, None, 5),
    ]
    unknown, later = sample.why_none(training.game), "points against perfect play: measured when a run is done"
    assert " ".join(told_of(report.trained(run))[2:]) == " ".join(
        ["1 ply, 1,200 weights", "", f"right moves: unknown, because {unknown}", random, "moves", later]
    )
    run.writer.path = None
    assert document(report.trained(run))["saved_games"] is None


def test_what_a_run_is_worth_has_reached_and_which_points_are_shown() -> None:
    view = SimpleNamespace(standing=SimpleNamespace(accuracy=0.5))
    curve = [FunctionPoint(games, None, None, 0.25, None) for games in (0, 1)]
    for truth, newest, points, text in (
        *((1, view, [], "accuracy 50.0 %"), (1, None, curve, ""), (None, view, curve, "right moves 25.0 %")),
        *((None, None, [], ""), (None, None, [FunctionPoint(0, None, None, None, None)], "")),
    ):
        training = SimpleNamespace(truth=truth, curve=points)
        assert report.worth(SimpleNamespace(training=training, views=SimpleNamespace(newest=newest))) == text
    shown = [0, 1, 2, 9, 10, 11, 100, 110, 1_000, 1_010]
    some = [Point(games, 0.5, 0.5) for games in shown]
    assert [each.games for each in report.points(some)] == [0, 1, 10, 100, 1_000, 1_010]
    some = [
        FunctionPoint(games, accuracy, None, None, taken)
        for games, accuracy, taken in ((0, None, None), (2, None, 0.5), (3, None, None), (4, 0.5, 0.5), (5, 0.5, None))
    ]
    assert [each.games for each in report.points(some)] == [0, 2, 5]
    game, paying = parse_game("nim:1,2"), parse_game("redblue:2,1")
    right, none, seat = "every position right: ", "no mistake against any opponent, moving first: ", " positions"
    for played, counts, proof, more, told in (
        (game, (4, 0, 0), True, {}, (f"4{seat} not lost", "yes", "yes")),
        (game, (1_000, 2, 3), False, {}, (f"1,005{seat} not lost", "no", "no (2 of 1,005 wrong, 3 undecided)")),
        (game, (3, 0, 1), False, {}, (f"4{seat} not lost", "no", "no (1 of 4 undecided)")),
        (paying, (2, 0, 0), True, {"perfect": 1}, (f"2{seat}", "yes", "yes, after 1 game")),
    ):
        now = NO_STANDING._replace(
            right=counts[0], wrong=counts[1], undecided=counts[2], proof=proof, perfect=not any(counts[1:])
        )
        run = SimpleNamespace(training=SimpleNamespace(truth=truth_of(game), more=more, game=played))
        assert report.reached(run, now) == (f"accuracy: over the {told[0]}", f"{none}{told[1]}", f"{right}{told[2]}")


def test_versions_of_a_taught_table_say_who_won_and_what_changed() -> None:
    lesson = Lesson(("me", "easy"), "1,2", (0, 1), 1, 1_700_000_000.0, 1_000)
    base_ = report.Version(0, 1_234, None, (), (), None)
    won = report.Version(1, 1_234, lesson, ("a1", "b2"), ("1,2",), 0.5)
    drawn = report.Version(2, 1_235, replace(lesson, winner=None, weight=1), (), ("1,2", "0,2"), 1.0)
    when = datetime.fromtimestamp(1_700_000_000.0).strftime("%Y-%m-%d %H:%M")
    told = [(each.winner, report.lesson_text(each)) for each in (base_, won, drawn)]
    assert told == [("", "the base"), ("easy", f"easy won, {when}"), ("", f"a draw, {when}")]
    whole = {
        "version": 1, "games": 1_234, "accuracy": 0.5, "when": 1_700_000_000.0, "players": ["me", "easy"],
        "start": "1,2", "moves": ["a1", "b2"], "weight": 1_000, "winner": "second", "changed_positions": ["1,2"],
    }  # fmt: skip
    lesser = dict.fromkeys(("accuracy", "when", "players", "start", "weight", "winner"))
    assert won.document() == whole
    assert base_.document() == whole | lesser | {"version": 0, "moves": [], "changed_positions": []}
    taught_ = SimpleNamespace(base=Table.empty(parse_game("nim:1,2"), "reward", 3), origin="easy")
    shown = report.taught_versions(taught_, [base_, won, drawn])
    title, gap, *table, last_gap, footnote = told_of(shown)
    assert (title, gap, last_gap) == ("nim:1,2  reward, taught from easy", "", "")
    assert footnote == "accuracy: over positions not lost" and document(shown)["base"] == "easy"
    assert [re.split("  +", row.strip()) for row in table] == [
        ["version", "games", "accuracy", "lesson", "weight", "best moves changed in", "moves"],
        ["0", "1,234", "unknown", "the base"],
        ["1", "1,234", "50.00 %", f"easy won, {when}", "1,000", "1 position", "a1 b2"],
        ["2", "1,235", "100 %", f"a draw, {when}", "1", "2 positions"],
    ]  # fmt: skip
    four = Table.empty(parse_game("connect4"), "reward")
    for moves, best in ((range(6), "1 2 3 4 5 6"), (range(7), "1 2 3 4 5 6 and 1 more")):
        entry = report.Entry(Row(four.game.new(), four.scores(four.game.new()), {0: 1, 3: 2}), tuple(moves), None)
        row = told_of(report.positions(four, [entry]))[3]
        assert re.split("  +", row.strip()) == ["the start", "0", "3", best, "unknown"]
