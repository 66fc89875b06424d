"""What a search tells: the same figures as text at every width, in its document and to a screen reader."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nimtui.engine.windows import INFINITY
from nimtui.games import base, parse_game
from nimtui.games.rule_text import Place
from nimtui.report.cells import cells
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue, move_values
from nimtui.trees import parse
from nimtui.trees import report as reports
from nimtui.trees.report import searched
from nimtui.trees.result import MoveResult, claimed_outcome
from tests.trees.helpers import ORIGINAL, begun, search, tree

DECIDED, WON = 900_000, 1_000_000


def lines(report: Any, columns: int | None = None) -> list[str]:
    return [plain_text(line).rstrip() for line in cells(report, columns)]


def place_of(game: str) -> Place:
    return Place(parse_game(game), parse_game(game).new(), None)


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_several_searches_fit_every_width_and_lose_no_number(columns: int) -> None:
    how = ("minimax:depth=3", "alphabeta:depth=4,order=killer", "mcts")
    results = [search("nim:1,2,3,4", algorithm, record=False).result for algorithm in how]
    report = searched(place_of("nim:1,2,3,4"), results, None)
    whole, shown = lines(report), lines(report, columns)
    assert all(len(line) <= columns for line in shown) and re.search(r"^search +move", "\n".join(whole), re.MULTILINE)
    numbers = {word for line in whole for word in re.findall(r"[\d,.]*\d", line)}
    assert numbers <= {word for line in shown for word in re.findall(r"[\d,.]*\d", line)}


def test_the_truth_stands_below_its_head_and_a_search_without_a_move_says_that_it_was_stopped() -> None:
    place, result = place_of("nim:1,2,2"), search("nim:1,2,2", "minimax:depth=2", record=False).result
    head, *rows = lines(searched(place, [result], {one.move: one for one in move_values(place.game, place.state)}))[
        6:12
    ]
    assert [row[head.index("truth") :] for row in rows] == ["best", *["mistake"] * 4]
    stopped = searched(place_of("connect4"), [begun("connect4", "alphabeta:depth=8").result], None)
    assert document(stopped)["best_move"] is None and document(stopped)["truth"] is None
    assert lines(stopped)[-1] == "stopped before the first move was searched"


# The nodes of a tree.


def shown_value(text: str) -> int:
    """A value of a tree as it was before it was written."""
    word, _, plies = text.partition(" ")
    signs = {"win": WON, "loss": -WON, "+∞": INFINITY, "−∞": -INFINITY}
    return signs[word] - (int(plies or 0) if signs[word] > 0 else -int(plies or 0)) if word in signs else number(text)


def number(text: str) -> int:
    return int(text.replace("−", "-").replace(",", ""))


@pytest.mark.parametrize(
    ("name", "how"),
    [("nim:1,1,1", "alphabeta:depth=4"), ("nim:2,2", "alphabeta:depth=-1"), ("connect:3x2x3", "alphabeta:depth=3")],
)
def test_a_cutoff_names_the_moves_that_caused_it(name: str, how: str) -> None:
    grown, cuts = tree(name, how), 0
    for node in range(len(grown)):
        sentence, children = reports.why_cut(grown, node), list(grown.children(node))
        skipped = int(base.count(grown.state(node))) - len(children)
        if not (children and skipped):
            assert sentence in ("", "cutoff at the last move: nothing left to prune")
            continue
        cuts += 1
        pattern = (
            r"(\d+) moves? pruned: β (.+) ≤ α (.+), after (\w+) this line (?:cannot beat (\w+)|is not good enough)"
            if grown.plies[node] % 2
            else r"(\d+) moves? pruned: α (.+) ≥ β (.+), (\w+) is (?:so good that the opponent plays (\w+) instead|.*)"
        )
        root_sign = -1 if grown.plies[node] % 2 else 1
        groups = re.fullmatch(pattern, sentence).groups()
        assert int(groups[0]) == skipped and ("moves" in sentence) == (skipped > 1)
        assert shown_value(groups[1]) == root_sign * grown.value(node)
        assert shown_value(groups[2]) == root_sign * int(grown.beta[node])
        assert groups[3] == grown.name(children[-1])
        before = [each for above in grown.path(node)[:-1] for each in grown.children(above) if each < node]
        assert groups[4] is None or groups[4] in map(grown.name, before)
    assert cuts


def test_nodes_in_words() -> None:
    small = tree("nim:1,1,1", "alphabeta:depth=4")
    assert [reports.value(small, node) for node in (0, 4, 6)] == ["wins in 3", "≥ wins in 3", "≤ wins in 3"]
    assert [reports.value(small, node, brief=True) for node in (0, 6)] == ["win 3", "≤ win 3"]
    cut = "1 move pruned: β win 3 ≤ α win 3, after a1 this line cannot beat a1"
    last = "cutoff at the last move: nothing left to prune"
    assert [reports.why_cut(small, node) for node in (6, 4, 0)] == [cut, last, ""]
    intervals = [reports.interval(*reports.window(small, node)) for node in (0, 6, 5)]
    assert intervals == ["(−∞, +∞)", "(win 3, +∞)", "(−∞, win 3)"]
    assert reports.why_cut(tree("nim:2,1", "minimax:depth=-1", most=3), 0) == "2 moves beyond the recorded nodes"
    counts = {7: "7", 99_999: "99,999", 100_000: "100 k", 999_499: "999 k", 1_000_000: "1.0 M", 131_072_000: "131.1 M"}
    assert {nodes: reports.count(nodes) for nodes in counts} == counts


# What a search claims.


def rating(value: float | None, bound: str | None = "exact", proven: int | None = None) -> MoveResult:
    return MoveResult(0, value, nodes=1, bound=bound, proven=proven)


@pytest.mark.parametrize(
    ("how", "move", "exact", "claim", "plies"),
    [
        ("alphabeta:depth=4", rating(WON - 3), False, Outcome.WIN, 3),
        ("alphabeta:depth=4", rating(WON - 3, "lower"), False, Outcome.WIN, 3),
        ("alphabeta:depth=4", rating(WON - 3, "upper"), False, None, 3),
        ("alphabeta:depth=4", rating(-WON + 4), False, Outcome.LOSS, 4),
        ("alphabeta:depth=4", rating(-WON + 4, "upper"), False, Outcome.LOSS, 4),
        ("alphabeta:depth=4", rating(-WON + 4, "lower"), False, None, 4),
        ("alphabeta:depth=4", rating(DECIDED), False, None, None),
        ("alphabeta:depth=4", rating(-DECIDED), False, None, None),
        ("alphabeta:depth=4", rating(0), True, None, None),
        ("alphabeta:depth=4", rating(None), True, None, None),
        ("alphabeta:depth=-1", rating(0), True, Outcome.DRAW, None),
        ("alphabeta:depth=-1", rating(0), False, None, None),
        ("alphabeta:depth=-1", rating(0, "upper"), True, None, None),
        ("alphabeta:time=1", rating(0), True, None, None),
        ("alphabeta:depth=4,heuristic=original", rating(WON - 3), False, None, 3),
        ("mcts:simulations=40", rating(1.0), False, None, None),
        ("mcts:simulations=40,proven=yes", rating(1.0, None, proven=-1), False, Outcome.LOSS, None),
    ],
)
def test_what_a_value_claims(how: str, move: MoveResult, exact: bool, claim: Outcome | None, plies: int | None) -> None:
    assert claimed_outcome(parse(how), move, exact) is claim
    assert reports.claimed_plies(parse(how), move.value) == plies


@pytest.mark.parametrize(
    ("claim", "preferred", "optimal", "wrong"),
    [
        (None, False, False, False),
        (None, True, True, False),
        (None, True, False, True),
        (Outcome.WIN, False, False, False),
        (Outcome.LOSS, False, True, True),
    ],
)
def test_a_search_is_wrong_by_a_false_claim_or_a_mistake(
    claim: Outcome | None, preferred: bool, optimal: bool, wrong: bool
) -> None:
    truth = MoveValue(0, Outcome.WIN, optimal, 3)
    assert reports.JudgedMove(truth, rating(0), claim, preferred).wrong == wrong


def test_a_search_is_wrong_where_it_claims_or_plays_what_is_not_so() -> None:
    # Source: the heuristic of minimax and alpha-beta values won and lost ends alike; from (1,2,3,4) only d4 wins.
    for name, how, mistakes in (
        ("nim:1,2,3,4", ORIGINAL, ["c3"]),
        *((name, "alphabeta:depth=-1", []) for name in ("nim:1,2,3:misere", "connect:3x3x3", "kayles:4,3", "nim:2,3")),
    ):
        game = parse_game(name)
        truths = move_values(game, game.new())
        found = reports.judged_moves(truths, search(name, how).result)
        assert [game.move_name(one.truth.move) for one in found if one.wrong] == mistakes
        [best] = [one for one in found if one.preferred]
        if mistakes:
            assert best.claim is None and best.wrong
            assert [game.move_name(truth.move) for truth in truths if truth.optimal] == ["d4"]
        else:
            assert best.claim is best.truth.outcome
            assert {one.claim for one in found if one.believed.bound == "upper"} <= {None, Outcome.LOSS}
