"""What a function has learned, in sentences: each is taken apart against the sample, the weights and the rules.

A pattern has a name only if it holds in every position that has the pattern, by brute force over positions.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import reduce
from itertools import combinations, pairwise, product
from operator import xor

import pytest

from nimtui.engine import graph, limits
from nimtui.games import Game, base, parse_game
from nimtui.learning import reasons, sample, summary
from nimtui.learning.summary import Known, known
from nimtui.learning.training import Training
from nimtui.theory.connect import Outcomes
from tests.examples import few, with_slow
from tests.learning.functions import seen as inputs_of
from tests.theory.force import Force


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
    values = training.estimator.values(state)
    return [move for move, value in values.items() if value == max(values.values())]


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(
    ("name", "learner"), [("connect:4x4x3", "ntuple:tuples=6,length=4"), ("connect:4x4x3", "linear")]
)
def test_every_sentence_holds_of_a_game_of_which_only_a_sample_is_known(name: str, learner: str) -> None:
    training = trained(name, learner, 2_000)
    text, game, positions = told(training), training.game, training.sample
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
    ).groups()
    assert float(now) == pytest.approx(100 * sum(shares) / len(shares), abs=0.06)
    assert float(chance) == pytest.approx(100 * positions.chance(), abs=0.06)
    [earlier] = [point.right_moves for point in training.curve if point.games == 0]
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
    [heaviest] = reasons.heaviest(estimator, 1)
    cells, weight, mover = re.search(r"heaviest pattern[^:]*: (.*)\. It adds (.*) when (.) has", text).groups()
    assert float(weight.replace("−", "-")) == pytest.approx(heaviest.weight, abs=6e-4) and mover == "XO"[heaviest.side]
    seen = {}
    for part in cells.split(", "):
        *what, at = re.fullmatch(r"(X in|O in|empty|filled next) (.*)", part).groups()
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
    wins = [game.move_name(move, game.start) for move in Force(name).best(game.start)]
    assert ("That is right" in text) is ({*plays} <= {*wins}) and ("That is wrong" in text) is (not {*plays} & {*wins})
    assert ", ".join(wins) in text


@pytest.mark.usefixtures("large")
def test_it_is_compared_with_itself_after_a_tenth_of_the_games_and_a_network_has_no_heaviest_pattern() -> None:
    training = trained("connect:3x3x3", "linear", 12_000)
    [earlier] = [point.right_moves for point in training.curve if point.games == 1_000]
    assert f"after 1,000 it was {100 * earlier:.1f} %" in told(training)
    assert "pattern" not in told(trained("nim:2,3", "net:hidden=3", 50))


# Names of patterns.


def positions(name: str, number: int) -> list[tuple[base.State, dict[int, int], int]]:
    """Unfinished positions after random moves: each with its inputs, and the side that has just moved."""
    game, draw, reached = parse_game(name), random.Random(name), []
    while len(reached) < number:
        state, side = game.new(), 1
        while moves := base.legal_moves(state):
            base.play(state, draw.choice(moves))
            side = 1 - side
            if base.outcome(state) == base.GOING_ON:
                reached.append((base.copy(state), dict(enumerate(inputs_of(state))), side))
    return reached[:number]


def lines(game: Game) -> list[list[tuple[int, int]]]:
    """Every line that wins, as cells of `game.cells`: rows from the top."""
    cells, k = game.cells(game.start), game.start.k
    everywhere = product(range(len(cells)), range(len(cells[0])), ((0, 1), (1, 0), (1, 1), (1, -1)))
    every = [[(row + down * step, at + right * step) for step in range(k)] for row, at, (down, right) in everywhere]
    return [line for line in every if all(0 <= row < len(cells) and 0 <= at < len(cells[0]) for row, at in line)]


def holds(game: Game, state: base.State, side: int, name: Known) -> bool:
    """Is this true of the whole position? Read off the drawn board and the rules."""
    if name.player is None:
        rows = [row for row in inputs_of(state) if row]
        pairs = all(rows.count(row) % 2 == 0 for row in rows)
        return {
            "nim-sum 0": not reduce(xor, rows, 0),
            "a row of one": 1 in rows,
            "two equal rows": len(set(rows)) < len(rows),
            "equal rows": len(set(rows)) < len(rows),
            "equal rows in pairs": pairs or len(set(rows)) < len(rows) - 1,
        }[name.text]
    board, disc, k, text = game.cells(state), name.player + 1, game.start.k, name.text
    if text.startswith("in the"):
        row, at = len(board) // 2, len(board[0]) // 2
        return any(each[at] == disc for each in board) if text.endswith("column") else board[row][at] == disc
    if text == "can win at once":
        ends = [base.outcome(game.after(state, move)) for move in base.legal_moves(state)]
        return name.player != side and base.WON in ends
    contents = {tuple(line): [board[row][at] for row, at in line] for line in lines(game)}
    if text.startswith("blocks"):
        return any(sorted(seen) == sorted([disc] + [3 - disc] * (k - 1)) for seen in contents.values())
    words = {"two in a row": 2, "three in a row": 3}
    if text in words:
        return any([disc] * (k - 1) in (seen[1:], seen[:-1]) for seen in contents.values()) and words[text] == k - 1
    lacking = {line: seen for line, seen in contents.items() if seen.count(disc) == k - 1 and seen.count(0) == 1}
    if text.startswith("two in a row, both") and k == 4:
        return any(seen == [0, disc, disc, 0] for seen in contents.values())
    if text.endswith("both ends open"):
        ends = [{*line, *other} for line, other in combinations(lacking, 2)]
        return any(len(both) == k + 1 and len(_line(both)) == 1 for both in ends)
    gap = "gap" in text
    holes = {line[seen.index(0)] for line, seen in lacking.items() if (0 < seen.index(0) < k - 1) == gap}
    if " row " in text.replace("in a row", ""):
        word, _, number = text.rpartition("on ")[2].split()
        assert word == ("odd" if int(number) % 2 else "even")
        return any(len(board) - row == int(number) for row, _ in holes)
    return bool(holes)


def _line(cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The steps from each cell to the next: one if they are in a line."""
    ordered = sorted(cells)
    return {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(ordered)}


GAMES = {  # how many positions have how many different names
    "connect4": (few(250, 700), 12),
    "connect:4x4x3": (few(60, 500), 10),
    "connect:5x5x4": (few(200, 700), 11),
    "noughts:3x3x3": (few(60, 200), 6),
    "noughts:5x5x4": (few(120, 300), 8),
    "nim:2,3,4": (few(60, 200), 4),
    "nim:1,2,1,2,2": (few(60, 200), 5),
    "subtraction:9,3": (few(60, 200), 1),
}


@pytest.mark.parametrize("name", with_slow(GAMES, "connect4", "connect:5x5x4", "noughts:5x5x4"))
def test_a_name_holds_in_every_position_with_the_pattern(name: str) -> None:
    game, draw, seen = parse_game(name), random.Random(1), set[str]()
    near, (number, names) = _near(game), GAMES[name]
    for state, values, side in positions(name, number):
        subsets = [draw.sample(list(values), draw.randint(1, min(8, len(values)))) for _ in range(10)]
        for inputs in [*subsets, *near(draw), list(values)]:
            label = known(game, {i: values[i] for i in inputs}, side)
            if label is not None:
                seen.add(label.text.rstrip("0123456789"))
                assert holds(game, state, side, label), (game.position_name(state), inputs, label)
    assert len(seen) >= names, seen


def _near(game: Game) -> Callable[[random.Random], list[list[int]]]:
    """Draws inputs of some winning lines and of what is beside them: patterns that have a name more often."""
    if not hasattr(game.start, "k"):
        return lambda draw: []
    at = {place.cells[0]: i for i, place in enumerate(reasons.places(game, int(base.inputs(game.start))))}
    every = lines(game)
    return lambda draw: [[at[cell] for cell in {*line, *draw.sample(list(at), 2)}] for line in draw.sample(every, 8)]


@pytest.mark.parametrize("name", ["connect4", "connect:4x4x3", "noughts:3x3x3"])
def test_whoever_can_win_at_once_is_named_where_the_whole_board_is_seen(name: str) -> None:
    game, wins = parse_game(name), 0
    for state, values, side in positions(name, 300):
        can = base.WON in [base.outcome(game.after(state, move)) for move in base.legal_moves(state)]
        assert (known(game, values, side) == Known("can win at once", 1 - side)) is can
        wins += can
    assert wins


def test_names_that_a_person_expects() -> None:
    game, (out, empty, first, second) = parse_game("connect4"), range(4)
    rows = game.start.rows
    three = [(column, 2, first) for column in (1, 2, 3)]
    for cells, side, name in (
        ((*three, (4, 2, out)), 0, Known("three in a row, open on odd row 3", 0)),
        ((*three, (4, 2, empty)), 0, Known("three in a row, open end", 0)),
        ((*three, (4, 2, empty)), 1, Known("can win at once", 0)),
        ((*three, (0, 2, out), (4, 2, out)), 1, Known("three in a row, both ends open", 0)),
        ((*three, (4, 2, second)), 1, Known("blocks three", 1)),
        (((0, 0, first), (1, 1, first), (2, 2, out), (3, 3, first)), 0, Known("three with a gap on odd row 3", 0)),
        (((2, 0, empty), (3, 0, second), (4, 0, second), (5, 0, empty)), 0, Known("two in a row, both ends open", 1)),
        (((3, 0, second), (3, 1, second)), 0, Known("in the middle column", 1)),
        (three, 0, Known("three in a row", 0)),
        (three[:2], 0, None),
        ((), 0, None),
    ):
        assert known(game, {column * rows + row: value for column, row, value in cells}, side) == name
    assert known(parse_game("nim:3,3"), {0: 2, 1: 2}, 0) == Known("nim-sum 0")
