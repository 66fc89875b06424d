"""What a function has learned, in sentences: each is taken apart against the sample, the weights and the rules."""

from __future__ import annotations

import re

import pytest

from nimtui.engine import graph, limits
from nimtui.engine.ntuple import Tuples
from nimtui.games import base, parse_game
from nimtui.learning import reasons, sample, summary
from nimtui.learning.summary import known
from nimtui.learning.training import Training
from nimtui.theory.connect import Outcomes


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game is too large for a table, and samples are small."""
    assert graph.MOST_BYTES > 100  # loaded before: it takes the limit as a default
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 120, 1, progress))


def trained(name: str, learner: str, games: int) -> Training:
    training = Training(parse_game(name), learner, 1)
    training.run(games)
    return training


def told(training: Training) -> str:
    return " ".join(summary.sentences(summary.of(training, training.curve_to(None))))


def best(training: Training, state: base.State) -> list[int]:
    assert training.estimator is not None
    values = training.estimator.values(state)
    return [move for move, value in values.items() if value == max(values.values())]


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(
    ("name", "learner"), [("connect:4x4x3", "ntuple:tuples=6,length=4"), ("connect:4x4x3", "linear")]
)
def test_every_sentence_holds_of_a_game_of_which_only_a_sample_is_known(name: str, learner: str) -> None:
    training = trained(name, learner, 2_000)
    text, game, positions = told(training), training.game, training.sample
    assert positions is not None
    # Right moves now, then and by chance.
    shares, wrong = [], {}
    for board, results, plies in zip(positions.boards, positions.results, positions.plies.tolist(), strict=True):
        state = game.at(board)
        right = [move for move in base.legal_moves(state) if results[move] == results.max()]
        plays = best(training, state)
        shares.append(len({*right} & {*plays}) / len(plays))
        wrong.setdefault(plies, []).append(shares[-1] < 1)
    now, then, chance = re.match(
        r"After 2,000 games (.*?) % .*?, before the first it was (.*?) %, .* has (.*?) %\.", text
    ).groups()  # type: ignore[union-attr]
    assert float(now) == pytest.approx(100 * sum(shares) / len(shares), abs=0.06)
    assert float(chance) == pytest.approx(100 * positions.chance(), abs=0.06)
    [earlier] = [point.right_moves for point in training.curve if point.games == 0]  # type: ignore[union-attr]
    assert float(then) == pytest.approx(100 * earlier, abs=0.06)
    # All first moves win here, so the start is not among the positions, and nothing is said of it.
    outcomes = Outcomes(game.start)
    assert {outcomes.of(game.after(game.start, move)).worth for move in base.legal_moves(game.start)} == {-1}
    assert " first." not in text and " first:" not in text
    # Where it errs.
    bands = re.findall(r"(\d+) of (\d+) after (\d+) to (\d+)", text)
    assert len(bands) == summary.BANDS
    for number, total, first, last in bands:
        counts = [each for plies, each in wrong.items() if int(first) <= plies <= int(last) for each in each]
        assert (sum(counts), len(counts)) == (int(number), int(total))
    assert sum(int(total) for _, total, _, _ in bands) == len(positions.boards)
    # The heaviest pattern.
    estimator = training.estimator
    assert estimator is not None and isinstance(estimator.played, Tuples)
    [heaviest] = reasons.heaviest(estimator, 1)
    cells, weight, mover = re.search(r"heaviest pattern[^:]*: (.*)\. It adds (.*) when (.) has", text).groups()  # type: ignore[union-attr]
    assert float(weight.replace("−", "-")) == pytest.approx(heaviest.weight, abs=6e-4) and mover == "XO"[heaviest.side]
    seen = {}
    for part in cells.split(", "):
        *what, at = re.fullmatch(r"(X in|O in|empty|filled next) (.*)", part).groups()  # type: ignore[union-attr]
        for cell in at.split():
            column, row = map(int, cell.split("-"))
            seen[(column - 1) * game.start.rows + row - 1] = ("empty", "filled next", "X in", "O in").index(what[0])
    assert seen == heaviest.values
    name_ = known(game, heaviest.values, heaviest.side)
    assert name_ is None or f"{'XO'[name_.player or 0]} {name_.text}:" in text


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize(("name", "start"), [("nim:1,2,3", -1), ("nim:2,3", 1), ("nim:1,2,4", 1)])
def test_the_first_move_is_judged_by_the_exact_value_of_the_start(
    name: str, start: int, sampled: bool, request: pytest.FixtureRequest
) -> None:
    if sampled and start < 0:
        return  # every move loses: the start is no position where the moves differ
    if sampled:
        request.getfixturevalue("large")
    training = trained(name, "ntuple:length=2", 50)
    text, game = told(training), training.game
    plays = [game.move_name(move, game.start) for move in best(training, game.start)]
    assert f"After 50 games it plays {' or '.join(plays)} first" in text
    if start < 0:
        assert "first: every first move loses." in text
        return
    rows = [int(row) for row in name.partition(":")[2].split(",")]
    wins = []
    for move in base.legal_moves(game.start):
        left = [int(row) for row in game.after(game.start, move).board[: len(rows)]]
        total = 0
        for row in left:
            total ^= row
        wins += [game.move_name(move, game.start)] * (total == 0)
    assert ("That is right" in text) is ({*plays} <= {*wins}) and ("That is wrong" in text) is (not {*plays} & {*wins})
    assert ", ".join(wins) in text


@pytest.mark.usefixtures("large")
def test_it_is_compared_with_itself_after_a_tenth_of_the_games() -> None:
    training = trained("connect:3x3x3", "linear", 12_000)
    [earlier] = [point.right_moves for point in training.curve if point.games == 1_000]  # type: ignore[union-attr]
    assert f"after 1,000 it was {100 * earlier:.1f} %" in told(training)


def test_a_network_has_no_heaviest_pattern() -> None:
    assert "pattern" not in told(trained("nim:2,3", "net:hidden=3", 50))
