"""Recorded trees: walked, cut with a reason, found again, whole or in part, exported; and what a search tells."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from time import thread_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.engine import limits
from nimtui.engine.windows import CUT, EXPANDED, INFINITY, LEAF, OPEN, TABLE, TERMINAL
from nimtui.games import base, parse_game
from nimtui.games.rule_text import Place
from nimtui.progress import Cancelled
from nimtui.report.cells import cells
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue, move_values
from nimtui.trees import MOST_NODES, depth_first, parse
from nimtui.trees import report as reports
from nimtui.trees.export import as_dot, as_json, chosen, most_visited, tree_text
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.report import searched
from nimtui.trees.result import MoveResult, claimed_outcome
from nimtui.trees.tree import KINDS
from tests.stops import StopAfter
from tests.trees.helpers import ORIGINAL, begun, growing, line, search, tree


def test_the_tree_of_the_original_has_its_values_bounds_and_cuts_with_their_reasons(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Source: original 004, recomputed: after a1 b2 the move c3 proves −3 ≥ β −3, after b1 the move d1 proves 4 ≥ β 4
    # (seen from the root −4 ≤ α −4).
    found = tree("nim:1,2,3,4", ORIGINAL)
    move = found.game.parse_move
    for path, by, bound, number in (("a1 b2", "c3", -3, 4), ("b1", "d1", 4, 3)):
        cut = found.skipped(line(found, path))
        assert (cut.why, cut.by) == ("cut", move(by, found.root))
        assert (cut.alpha, cut.beta, len(cut.moves)) == (bound, bound, number)
    told = {found.game.move_name(found.move(child)): child for child in found.children(0)}
    assert -(found.value(told["d3"]) or 0) == -2 and found.bound(told["d3"]) == "lower"  # for the opponent
    assert found.bound(told["c3"]) == "exact" and found.best_child(0) == told["c3"]
    assert [found.game.move_name(found.move(node)) for node in found.principal[1:]] == ["c3", "d1", "d3", "a1"]
    cuts = [node for node in range(len(found)) if found.skipped(node)]
    assert len(cuts) == 191
    monkeypatch.setattr("nimtui.trees.tree.BLOCK", 5)  # so that many blocks are looked through
    for at in range(-1, len(found) + 1):
        assert found.next_cut(at) == next((cut for cut in cuts if cut > at), None)
        assert found.next_cut(at, backwards=True) == next((cut for cut in cuts[::-1] if cut < at), None)


HOWS = {
    "nim:1,2,3": "alphabeta:depth=5,order=killer",
    "kayles:4,2:misere": "alphabeta:depth=-1",
    "connect:3x2x2": "alphabeta:table=64,depth=5",
    "connect:3x2x3": "minimax:depth=3",
}


@pytest.mark.parametrize("name", HOWS)
def test_every_node_agrees_with_the_rules_and_its_children(name: str) -> None:
    found = tree(name, HOWS[name])
    assert found.complete and len(found) == found.visited
    left = []
    for node in range(len(found)):
        state, kind, children = found.state(node), found.kind(node), found.children(node)
        assert found.below(node) == sum(1 + found.below(child) for child in children)
        assert [found.parent[child] for child in children] == [node] * len(children)
        assert found.path(node)[-1] == node and len(found.line(node)) == found.plies[node]
        assert len(found.path(node)) == found.plies[node] + 1
        skipped = found.skipped(node)
        if kind in (EXPANDED, CUT):
            assert found.value(node) == max(-(found.value(child) or 0) for child in children)
            untried = () if skipped is None else skipped.moves
            moves = {found.move(child) for child in children} | set(untried)
            assert sorted(moves) == base.legal_moves(state) and len(moves) == len(children) + len(untried)
            assert skipped is None or (kind == CUT and skipped.alpha >= skipped.beta)
        else:
            assert not children and skipped is None
            assert (kind == TERMINAL) == (base.outcome(state) != base.GOING_ON)
            assert kind in (LEAF, TERMINAL, TABLE)
        left.append(found.end(node) - 1 - int(found.plies[node]))
    assert sorted(left) == list(range(len(found)))
    assert left[0] == len(found) - 1


def test_positions_that_come_up_again_are_named() -> None:
    found = tree("nim:1,2,3", "minimax:depth=-1")
    node = line(found, "a1 b1")
    same = found.same(node)
    assert line(found, "b1 a1") in same and node in same
    assert {found.game.position_name(found.state(other)) for other in same} == {"0,1,3"}
    assert found.find_position(found.game.new("0,1,3")) == same
    assert found.find_position(found.game.new("1,2,3")) == [0]


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 669), st.integers(0, 668))
def test_a_tree_with_a_limit_says_what_is_missing(most: int, node: int) -> None:
    whole, part = tree("nim:1,2,3,4", ORIGINAL), tree("nim:1,2,3,4", ORIGINAL, most=most)
    assert len(part) == most and part.visited == 669 and part.complete == (most == 669)
    node = node % most
    assert part.children(node) == [child for child in whole.children(node) if child < most]
    assert part.value(node) == whole.value(node) and part.below(node) == whole.below(node)
    skipped = part.skipped(node)
    if whole.below(node) and node + whole.below(node) >= most and skipped is not None:
        assert skipped.why == "limit"
    else:
        assert skipped == whole.skipped(node)
    assert part.principal == whole.principal[: len(part.principal)]


def stopped(chunk: int, most: int = MOST_NODES) -> Any:
    """A search that was stopped after so many nodes, however fast others were."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(depth_first, "FIRST_CHUNK", chunk)
        patch.setattr(limits, "CAREFUL", 1)
        patch.setattr(limits, "_learned", {})
        search = begun("nim:1,2,3,4", "minimax:depth=6", most=most)
        with pytest.raises(Cancelled):
            search.run(StopAfter(1))
    return search


def test_a_tree_of_a_search_that_was_stopped_is_open_where_it_stands() -> None:
    found = stopped(300).tree
    assert len(found) == 301
    opened = [node for node in range(len(found)) if found.kind(node) == OPEN]
    assert opened == found.path(opened[-1]) and KINDS[found.kind(0)] == "open"
    skipped = found.skipped(0)
    assert skipped.why == "open" and found.value(opened[-2]) is not None
    assert reports.why_cut(found, 0) == f"{len(skipped.moves)} moves not searched yet"
    for node in opened:
        assert found.end(node) == len(found) and found.below(node) == len(found) - node - 1
    assert sum(1 + found.below(child) for child in found.children(0)) == found.below(0)
    assert re.fullmatch(r"\d moves not recorded, or not searched yet", reports.why_cut(stopped(300, 50).tree, 0))
    first, later = stopped(3), stopped(12_000)
    early = first.tree
    assert (early.value(0), early.bound(0), reports.value(early, 0)) == (None, "lower", "…")
    assert later.tree.value(0) is not None
    for each in (first, later):
        assert each.result.value == each.standing.value == each.tree.value(0)


@pytest.mark.slow
def test_a_million_nodes_open_at_once() -> None:
    search = begun("nim:3,4,5,2", "minimax:depth=8", most=1_000_000).run()
    assert len(search.tree) == 1_000_000 and search.result.space.tree_bytes < 200_000_000
    began = thread_time()
    again, node = search.tree, 0
    while again.children(node):
        node = again.children(node)[-1]
    again.skipped(node)
    assert again.next_cut(0) is None  # looks through all of them: minimax has none
    assert thread_time() - began < 5  # some milliseconds of work; a wide berth


# Exports.


def test_json_tells_windows_cuts_and_the_best_line_down_to_a_ply() -> None:
    found = tree("nim:1,2,3,4", ORIGINAL)
    told = json.loads(as_json(found))
    assert (told["game"], told["position"], told["visited"], told["written"]) == ("nim:1,2,3,4", "1,2,3,4", 669, 669)
    assert told["principal_variation"] == ["c3", "d1", "d3", "a1"]
    nodes = {node["node"]: node for node in told["nodes"]}
    assert all(nodes[node["parent"]]["ply"] + 1 == node["ply"] for node in nodes.values() if node["node"])
    assert chosen(found, to_ply=1) == [0, *found.children(0)] and len(chosen(found, most_nodes=5)) == 5
    plies = [int(found.plies[node]) for node in chosen(found, most_nodes=100)]
    assert plies == sorted(plies)
    assert json.loads(as_json(found, to_ply=2))["written"] == sum(found.plies <= 2)
    assert tree_text(found, ".json", 2, 9) == as_json(found, 2, 9) and tree_text(found, ".dot", 2) == as_dot(found, 2)
    assert tree_text(found, ".dot").count("label=") - tree_text(found, ".dot").count("shape=plaintext") == 501


def test_a_small_tree_is_written_word_for_word() -> None:
    # The player to move wins whatever she takes. After b1 and c1 the answer a1 proves as much as after a1: pruned.
    found, win = tree("nim:1,1,1", "alphabeta:depth=-1"), WON - 3
    told = json.loads(as_json(found))
    nodes = told.pop("nodes")
    counts = {"visited": 12, "recorded": 12, "written": 12}
    head = {"game": "nim:1,1,1", "position": "1,1,1", "algorithm": "alphabeta:depth=-1"}
    assert told == {**head, **counts, "principal_variation": ["a1", "b1", "c1"]}
    heads = ("node", "parent", "move", "ply", "kind", "value", "bound", "alpha", "beta", "nodes")
    cut = {"why": "cut", "cut_by": "a1"}
    assert nodes == [
        dict(zip(heads, row, strict=True)) | more
        for *row, more in [
            (0, None, None, 0, "expanded", win, "exact", None, None, 12, {}),
            (1, 0, "a1", 1, "expanded", -win, "exact", None, None, 5, {}),
            (6, 0, "b1", 1, "cut", -win, "lower", None, -win, 3, {"skipped": ["c1"], **cut}),
            (9, 0, "c1", 1, "cut", -win, "lower", None, -win, 3, {"skipped": ["b1"], **cut}),
            (2, 1, "b1", 2, "expanded", win, "exact", None, None, 2, {}),
            (4, 1, "c1", 2, "cut", win, "lower", None, win, 2, {}),
            (7, 6, "a1", 2, "expanded", win, "upper", win, None, 2, {}),
            (10, 9, "a1", 2, "expanded", win, "upper", win, None, 2, {}),
            (3, 2, "c1", 3, "terminal", -win, "exact", None, None, 1, {}),
            (5, 4, "b1", 3, "terminal", -win, "exact", -win, None, 1, {}),
            (8, 7, "c1", 3, "terminal", -win, "exact", None, -win, 1, {}),
            (11, 10, "b1", 3, "terminal", -win, "exact", None, -win, 1, {}),
        ]
    ]
    shape, form = "shape=plaintext", "  node [shape=box, fontname=monospace];"
    assert as_dot(found, 1, 3).splitlines() == [
        *("digraph search {", '  label="alphabeta:depth=-1 · nim:1,1,1";', form),
        f'  n0 [label="root\\n{win}  (−∞, ∞)", penwidth=3];',
        f'  m0 [label="… 1 more", {shape}]; n0 -> m0 [style=dotted];',
        *(f'  n1 [label="a1\\n-{win}  (−∞, ∞)", penwidth=3];', "  n0 -> n1 [penwidth=3];"),
        f'  m1 [label="… 2 more", {shape}]; n1 -> m1 [style=dotted];',
        *(f'  n6 [label="b1\\n≥ -{win}  (−∞, -{win})", style=dashed];', "  n0 -> n6;"),
        f'  m6 [label="… 1 more", {shape}]; n6 -> m6 [style=dotted];',
        f'  c6 [label="1 pruned", {shape}]; n6 -> c6 [style=dashed];',
        "}",
    ]
    assert f'  n7 [label="a1\\n≤ {win}  ({win}, ∞)"];' in as_dot(found)
    part = as_dot(stopped(3).tree).splitlines()
    assert '  n0 [label="root\\n…  (−∞, ∞)", penwidth=3, style=dotted];' in part
    assert f'  c0 [label="9 not recorded", {shape}]; n0 -> c0 [style=dashed];' in part


def test_of_a_grown_tree_the_most_visited_nodes_are_written() -> None:
    grown = GrowingTree(growing("connect:3x3x3", 60, seed=2).run())
    visits = {node: int(each) for node, each in enumerate(grown.visits) if each}
    for most in (1, 2, 7, 30):
        plies = most_visited(grown, most_nodes=most)
        assert sorted((visits[node] for node in plies), reverse=True) == sorted(visits.values(), reverse=True)[:most]
        for node, ply in plies.items():  # a path of nodes that are written leads to each
            above = int(grown.tree.parent[node])
            assert (ply == 0) == (node == 0) and (node == 0 or plies[above] == ply - 1)
    assert set(most_visited(grown, to_ply=1)) == {0, *(child for child in grown.children(0) if child in visits)}
    assert max(most_visited(grown).values()) > 1 and set(most_visited(grown)) == set(visits)
    many = GrowingTree(growing("connect:3x3x3", 400, seed=2).run())
    assert tree_text(many, ".dot") == as_dot(many, None, 200) != as_dot(many)
    # Two heaps of one match: both moves lose, and both answers win; the fourth simulation proves all.
    grown = GrowingTree(growing("nim:1,1", 6, proven=True).run())
    told = json.loads(as_json(grown))
    nodes = told.pop("nodes")
    head = {"game": "nim:1,1", "position": "1,1", "algorithm": "mcts", "simulations": 4, "c": 1.0, "log": "parent"}
    of = "the player who makes the move, at the root the player to move"
    assert told == {**head, "policy": "uniform", "written": 5, "mean_of": of}
    heads = ("node", "parent", "move", "ply", "visits", "mean", "born", "proven")
    assert [tuple(node.items()) for node in nodes] == [
        tuple(zip(heads, row, strict=True))
        for row in [
            (0, None, None, 0, 4, -1.0, 0, -1),
            *((1, 0, "a1", 1, 2, -1.0, 1, -1), (2, 0, "b1", 1, 2, -1.0, 2, -1)),
            *((3, 1, "b1", 2, 1, 1.0, 3, 1), (4, 2, "a1", 2, 1, 1.0, 4, 1)),
        ]
    ]
    assert as_dot(grown, 1, 2).splitlines() == [
        *("digraph search {", f'  label="mcts · nim:1,1 · means of {of}";'),
        "  node [shape=box, fontname=monospace];",
        '  n0 [label="root\\n4 visits\\nmean −1.000\\nloses"];',
        '  m0 [label="… 1 more", shape=plaintext]; n0 -> m0 [style=dotted];',
        *('  n1 [label="a1\\n2 visits\\nmean −1.000\\nloses"];', "  n0 -> n1;"),
        '  m1 [label="… 1 more", shape=plaintext]; n1 -> m1 [style=dotted];',
        "}",
    ]
    none = GrowingTree(growing("nim:1,1", 6).run())
    assert '  n3 [label="b1\\n2 visits\\nmean +1.000"];' in as_dot(none).splitlines()
    assert '  n0 [label="root\\n0 visits"];' in as_dot(none.seek(0)).splitlines()
    assert none.find_position(none.root) == []


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
    told = lines(searched(place, [result], {one.move: one for one in move_values(place.game, place.state)}))
    head, *rows = told[6:12]
    assert not any(line.startswith("depth ") for line in told)
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
        ("alphabeta:depth=-1", rating(5), True, None, None),
        ("mcts:simulations=40", rating(1.0), False, None, None),
        ("mcts:simulations=40", rating(WON - 3, None), False, None, None),  # a payoff
        ("mcts:simulations=40,proven=yes", rating(1.0, None, proven=-1), False, Outcome.LOSS, None),
    ],
)
def test_what_a_value_claims(how: str, move: MoveResult, exact: bool, claim: Outcome | None, plies: int | None) -> None:
    pays = replace(parse(how), largest=1)
    assert claimed_outcome(pays, move, exact) is (claim if move.proven else None)
    assert reports.claimed_plies(pays, move.value) is None
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
def test_a_false_claim_or_a_mistake_is_wrong(
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
