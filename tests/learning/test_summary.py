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
from types import SimpleNamespace

import numpy as np
import pytest

from nimtui.engine import graph, limits
from nimtui.games import Game, base, parse_game
from nimtui.learning import reasons, sample, summary
from nimtui.learning.curve_points import FunctionPoint, Point
from nimtui.learning.estimator import Estimator
from nimtui.learning.evaluate import RIGHT, UNDECIDED
from nimtui.learning.learner import parse_learner
from nimtui.learning.sample import truth_of
from nimtui.learning.summary import Known, known
from nimtui.learning.training import Training
from nimtui.theory.connect import Outcomes
from nimtui.theory.truth import truth
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
    assert len(bands) == 4
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


def point(games: int, right: float | None) -> FunctionPoint:
    return FunctionPoint(games, None, None, right, None)


def test_each_fact_is_a_sentence_and_what_is_unknown_is_none() -> None:
    nim, connect = parse_game("nim:1,2,3"), parse_game("connect:3x3x3")
    of_nim = summary.Summary(nim, 1_050, None, None, None, (), None, (), (), None, [reasons.Place((), {})] * 3)
    rows = [reasons.Place(((row, 0),), {}) for row in range(3)]
    cells = [reasons.Place(((2 - i % 3, i // 3),), {1: 0, 2: 1, 3: 2}) for i in range(9)]
    a1, b1, b2, c1, *_ = base.legal_moves(nim.start)
    plays, now = "After 1,050 games it plays", {"now": point(2_000, 0.5)}
    heavy, moved = "Its heaviest pattern", "when the player has just moved."
    for facts, told in (
        ({}, None),
        ({"now": point(20, None), "then": point(1, 0.5), "chance": 0.5}, None),
        (now, "After 2,000 games 50.0 % of its moves are right."),
        ({**now, "then": point(2, None)}, "After 2,000 games 50.0 % of its moves are right."),
        (
            {**now, "then": point(1_000, 0.25)},
            "After 2,000 games 50.0 % of its moves are right, after 1,000 it was 25.0 %.",
        ),
        (
            {"now": point(1, 0.5), "then": point(0, 0.25), "chance": 0.125},
            "After 1 game 50.0 % of its moves are right, before the first it was 25.0 %, a random player has 12.5 %.",
        ),
        ({"first": (a1,), "right": (a1,)}, None),
        ({"first": (a1, c1), "value": -1, "right": (a1, c1)}, f"{plays} a1 or c1 first: every first move loses."),
        (
            {"first": (a1,), "value": 1, "right": (a1,)},
            f"{plays} a1 first. That is right, it wins: nothing else wins.",
        ),
        (
            {"first": (b1,), "value": 0, "right": (a1, b1, b2)},
            f"{plays} b1 first. That is right, it draws, as a1 or b2 does.",
        ),
        ({"first": (a1,), "value": 1, "right": (b1, c1)}, f"{plays} a1 first. That is wrong: b1 or c1 wins."),
        (
            {"first": (a1, b1), "value": 0, "right": (b1,)},
            f"{plays} a1 or b1 first. Not all of them are right: b1 draws.",
        ),
        (
            {"bands": (summary.Band(0, 3, 7, 1_000), summary.Band(4, 4, 0, 5))},
            "Of 1,005 solved positions it can err in 7 of 1,000 after 0 to 3, 0 of 5 after 4 to 4 plies.",
        ),
        (
            {"heaviest": reasons.Pattern({2: 3, 0: 1}, -0.25)},
            f"{heavy}, a row of one: 1 1, 3 3. It adds −0.250 {moved}",
        ),
        ({"heaviest": reasons.Pattern({1: 2}, 0.5, 1), "places": rows}, f"{heavy}: B 2. It adds +0.500 {moved}"),
        (
            {"game": connect, "heaviest": reasons.Pattern({3: 3, 1: 1, 2: 0, 0: 2}, 0.5, 1), "places": cells},
            f"{heavy}: ● in 1-1, ○ in 2-1, filled next 1-2, empty 1-3. It adds +0.500 when ○ has just moved.",
        ),
        (
            {"game": connect, "heaviest": reasons.Pattern({3: 2, 4: 2}, 1.0, 0), "places": cells},
            f"{heavy}, ● two in a row: ● in 2-1 2-2. It adds +1.000 when ● has just moved.",
        ),
    ):
        assert summary.sentences(of_nim._replace(**facts), ("●", "○")) == ([] if told is None else [told])
    whole = of_nim._replace(**now, first=(a1,), value=-1, heaviest=reasons.Pattern({0: 1}, 1.0))
    assert [text.split()[1] for text in summary.sentences(whole)] == ["2,000", "1,050", "heaviest"]


@pytest.mark.parametrize("sampled", [False, True])
def test_a_summary_has_the_facts_of_curve_start_and_function(sampled: bool) -> None:
    force = Force("nim:1,2")
    game, start, known_ = force.game, force.game.start, truth(force.game)
    made = sample.make(game, 20, 1)
    listed = truth_of(made) if sampled else known_
    moves, scores = base.legal_moves(start), np.zeros(len(listed.keeps))
    at = listed.node(start.board) if sampled else int(listed.graph.start)
    scores[listed.graph.ptr[at] + 1 :][:2] = 1.0  # of the second and the third move
    estimator = Estimator(game, parse_learner("linear"), 1)
    wrong = np.arange(len(listed.values)) % 2 == 0
    training = SimpleNamespace(
        game=game, games=7, estimator=estimator, sample=made if sampled else None, listed=listed,
        listed_scores=lambda: (scores, None),
        listed_standing=lambda own: SimpleNamespace(verdicts=np.where(wrong, UNDECIDED, RIGHT) if own is scores else 0),
    )  # fmt: skip
    curve = [point(0, 0.1), point(999, 0.2), point(1_000, 0.3), point(1_000, None), point(1_001, 0.4), Point(5, 0, 0)]
    last = [point(10_000, 0.5), point(10_001, None), Point(10_002, 1.0, 1.0)]
    plies = made.plies.tolist()
    bands = [
        (ply, ply, sum(wrong[i] for i in places), len(places))
        for ply in sorted(set(plies))
        for places in [[i for i, own in enumerate(plies) if own == ply]]
    ]
    expected = summary.Summary(
        game, 7, last[0], curve[2], made.chance() if sampled else None, tuple(moves[1:3]), force.value(start)[0],
        tuple(force.best(start)), tuple(bands) if sampled else (), None, reasons.places(game, 2),
    )  # fmt: skip
    assert len(bands) < summary.BANDS and summary.of(training, [*curve, *last]) == expected
    view = SimpleNamespace(games=9, scores=scores)
    training.listed_scores, own = None, [reasons.Place((), {})] * 2
    assert summary.of(training, [], view, own) == expected._replace(games=9, now=None, then=None, places=own)
    training.listed = None
    estimator.function.weights[0, 1] = -0.5
    [heaviest], unlisted = reasons.heaviest(estimator, 1), {"first": (), "value": None, "right": (), "bands": ()}
    assert summary.of(training, curve[:2]) == expected._replace(
        now=curve[1], then=curve[0], heaviest=heaviest, **unlisted
    )
    training.estimator = Estimator(game, parse_learner("net:hidden=2"), 1)
    assert summary.of(training, []) == expected._replace(now=None, then=None, places=(), **unlisted)


@pytest.mark.usefixtures("large")
def test_it_is_compared_with_itself_after_a_tenth_of_the_games_and_a_network_has_no_heaviest_pattern() -> None:
    training = trained("connect:3x3x3", "linear", 12_000)
    [earlier] = [point.right_moves for point in training.curve if point.games == 1_000]
    assert f"after 1,000 it was {100 * earlier:.1f} %" in told(training)
    assert "pattern" not in told(trained("connect:3x3x2", "net:hidden=3", 50))


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


RANKED = (  # what says more stands first; signs: 0 empty, 1 filled next, x and o discs, . not looked at
    ("xxx1", "can win at once"),
    *(("0xxx0", "three in a row, both ends open"), ("xxx0", "three in a row, open on odd row 3")),
    *(("xx0x", "three with a gap on odd row 3"), ("xxox", "blocks three")),
    *(("0xx0", "two in a row, both ends open"), (".xxx", "three in a row")),
)
NAMED = (  # rows of the board from below; the side that has just moved; its name, and whose it is
    *(("connect4", f"{weak}/./{strong}", 1, name, int("blocks" in name))
      for (strong, name), (weak, _) in pairwise(RANKED)),
    *(("connect4", f"././{picture}", 1, name, int("blocks" in name)) for picture, name in RANKED),
    ("connect4", "././xxx1", 0, "three in a row, open end", 0),
    ("connect4", "././1ooo", 0, "can win at once", 1),
    ("connect4", "././.xx1x", 0, "three with a gap", 0),
    ("connect4", "./xxx0", 0, "three in a row, open on even row 2", 0),
    ("connect4", "./.../.../...oxxx", 0, "blocks three", 1),
    *(("connect4", f".../.../.../{row}", 0, None, 0) for row in ("oxx0", "0xxo", "xx", "0x", "1x1")),
    *(("connect4", f"x/x/x/{end}", 0, name, int(end == "o")) for end, name in
      ((".", "three in a row"), ("1", "three in a row, open end"), ("o", "blocks three"))),
    ("connect4", "x/.x/..x/...0", 0, "three in a row, open on even row 4", 0),
    ("connect4", "...0/..o/.o/o", 0, "three in a row, open on odd row 1", 1),
    ("connect4", "...1/..0/.o/o", 1, None, 0),
    ("connect:5x5x3", "..0/.x/x/.x/..0", 0, "two in a row, open on odd row 5", 0),  # of two alike the one that rises
    *(("connect4", picture, 0, name, player) for picture, name, player in (
      ("...o", "in the middle column", 1), ("...x/...x/0", "in the middle column", 0), ("...x/...o", None, 0),
      ("..x", None, 0), ("...x/..x", None, 0), ("0001000", None, 0), ("", None, 0))),
    *(("connect:7x3x4", picture, 0, None, 0) for picture in ("x/x/x", "x/.x/..x", "..x/.x/x")),
    *(("connect:3x4x4", picture, 0, None, 0) for picture in ("xxx", "x/.x/..x", "./..o/.o/o")),
    *(("connect:4x4x3", picture, 0, name, 0) for picture, name in (
      ("xx0", "two in a row, open on odd row 1"), ("x0x", "two with a gap on odd row 1"), ("./xx", "two in a row"),
      ("..xx", "two in a row"), ("0x0", None), ("0x00", None), (".x", None))),
    *(("noughts:3x3x3", picture, side, name, player) for picture, side, name, player in (
      ("xx0", 1, "can win at once", 0), ("xx0", 0, "two in a row, open end", 0), ("x0x", 0, "two with a gap", 0),
      ("oox", 0, "blocks two", 0), ("./.o", 0, "in the centre", 1), (".x", 0, None, 0), ("./x", 0, None, 0),
      ("./.0", 0, None, 0), ("..x/.x", 0, "two in a row", 0), ("x/./x", 0, None, 0), ("./.o/o", 0, "two in a row", 1))),
    *(("noughts:4x4x3", picture, 0, name, 0) for picture, name in (
      ("0xx0", "two in a row, both ends open"), ("./.x", None), ("./..x", None))),
    *(("noughts:3x4x3", picture, 0, None, 0) for picture in ("./.x", "././.x")),
    *(("noughts:2x2x2", picture, 0, None, 0) for picture in ("x", "x0", "xo")),
    *((game, f"./{picture}", 0, f"{name} in a row", 0) for game, picture, name in (
      ("noughts:6x6x5", "xxxx", "four"), ("noughts:7x7x6", "xxxxx", "five"), ("noughts:7x7x7", "xxxxxx", "6"))),
    ("noughts:7x6x5", "0xxx0", 0, "three in a row, both ends open", 0),
)  # fmt: skip


def test_a_pattern_of_a_board_is_named_by_what_says_most() -> None:
    for name, picture, side, said, player in NAMED:
        start, falls = parse_game(name).start, name.startswith("connect")
        cells = {(x, y): sign for y, row in enumerate(picture.split("/")) for x, sign in enumerate(row) if sign != "."}
        signs = "01xo" if falls else "0xo"
        values = {
            x * start.rows + y if falls else (start.rows - 1 - y) * start.columns + x: signs.index(sign)
            for (x, y), sign in cells.items()
        }
        assert known(parse_game(name), values, side) == (said and Known(said, player)), (name, picture, side)


def test_rows_are_named_by_what_is_equal_among_them() -> None:
    for name, values, said in (
        *(("nim:3,3", {0: 2, 1: 2}, "nim-sum 0"), ("nim:3,3:max=1", {0: 2, 1: 2}, "two equal rows")),
        *(("nim:3,3", {0: 0, 1: 0}, "nim-sum 0"), ("nim:1,2,3", {0: 1, 1: 2, 2: 3}, "nim-sum 0")),
        *(("nim:3,3,1", {0: 2, 1: 2}, "two equal rows"), ("nim:3,3,1", {0: 0, 2: 0}, None)),
        *(("nim:3,3,1", {0: 2, 1: 2, 2: 1}, "equal rows"), ("nim:3,3,3,1", {0: 2, 1: 2, 2: 2}, "equal rows")),
        ("nim:2,2,1,1,5", {0: 2, 1: 2, 2: 1, 3: 1}, "equal rows in pairs"),
        *(("nim:3,3,1", {0: 3, 2: 1}, "a row of one"), ("nim:3,3,1", {0: 3, 1: 2}, None)),
        *(("kayles:3,3", {0: 1, 1: 1}, None), ("chomp:3x2", {0: 1, 1: 1}, None)),
    ):
        assert known(parse_game(name), values, 0) == (None if said is None else Known(said)), (name, values)
    assert [Known("a", None).said("xo"), Known("a", 0).said("xo"), Known("a", 1).said("xo")] == ["a", "x a", "o a"]


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
