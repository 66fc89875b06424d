"""Recorded trees: walked, cut with a reason, found again, whole or in part, exported; and what a search tells."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
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
from nimtui.theory.answers import move_values
from nimtui.trees import MOST_NODES, depth_first, parse
from nimtui.trees import report as reports
from nimtui.trees.export import as_dot, as_json, chosen, most_visited, tree_text
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.report import searched
from nimtui.trees.result import MoveResult, Result, Space
from nimtui.trees.tree import KINDS, Skipped
from tests.stops import StopAfter
from tests.theory.force import Force
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


def test_positions_that_come_up_again_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tree("nim:1,2,3", "minimax:depth=-1")
    node = line(found, "a1 b1")
    same = found.same(node)
    assert line(found, "b1 a1") in same and node in same
    assert {found.game.position_name(found.state(other)) for other in same} == {"0,1,3"}
    assert found.find_position(found.game.new("0,1,3")) == same
    assert found.find_position(found.game.new("1,2,3")) == [0]
    zero = tree("noughts:2x1x2", "minimax:depth=-1")
    assert base.key(zero.root) == 0 and [zero.same(0), zero.find_position(zero.state(1))] == [[0], [1]]
    monkeypatch.setattr(base, "key", lambda state: -1)
    unknown = tree("nim:1,1", "minimax:depth=-1")
    assert [unknown.same(1), unknown.find_position(unknown.root)] == [[1], []], "without numbers none is found again"
    assert Skipped((), "open") == Skipped((), "open", None, -INFINITY, INFINITY)


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
    whole = {later.tree.move(child): child for child in later.tree.children(0) if later.tree.kind(child) != OPEN}
    nodes = {move.move: move.nodes for move in later.result.moves}
    assert nodes == {move: 1 + later.tree.below(whole[move]) if move in whole else 0 for move in nodes} and whole
    for each in (first, later):
        assert each.result.value == each.standing.value == each.tree.value(0)


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
    assert tree_text(found, ".json") == as_json(found, None, 10_000)
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


WON = 1_000_000


def lines(report: Any, columns: int | None = None) -> list[str]:
    return [plain_text(line).rstrip() for line in cells(report, columns)]


def place_of(game: str) -> Place:
    return Place(parse_game(game), parse_game(game).new(), None)


SIZES = Space(11, 46, 11, 3, 16, simulation_bytes=261), Space(11, 25, 10, 3, 192, 7, 16, 304)
TOLD: dict[str, Any] = {"best_move": 0, "principal_variation": (0, 0, 2), "seconds": 0.5}
GROWN = Result(
    parse("mcts:simulations=9,proven=yes"),
    True,
    10,
    5,
    0,
    0,
    0,
    0.75,
    False,
    **TOLD,
    space=SIZES[0],
    moves=(
        MoveResult(0, 1.0, None, 5, 6, 0.75, 1.25, 1),
        MoveResult(1, -1.0, None, 1, 2, -0.5, -1.0, -1),
        MoveResult(2, None, visits=0),
    ),
    simulations=8,
)
CUT_OFF = Result(
    parse("alphabeta:depth=4,table=16"),
    True,
    10,
    5,
    2,
    3,
    4,
    WON - 3,
    True,
    **TOLD,
    space=SIZES[1],
    moves=(MoveResult(0, WON - 3, "exact", 5), MoveResult(1, -4, "upper", 3), MoveResult(2, None)),
    depth=3,
)


def told(result: Result, **changes: Any) -> list[str]:
    """The lines of a search from (2,1), where a1 wins, without the place; their parts between bars."""
    place = place_of("nim:2,1")
    truths = {one.move: one for one in move_values(place.game, place.state)}
    report = searched(place, [replace(result, **changes)], truths)
    return ["|".join(re.split(" {2,}", line)) for line in lines(report)[2:] if line]


def test_every_number_of_a_search_is_told_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    grown, cut_off, clock = told(GROWN), told(CUT_OFF), "A search with a time limit depends on the machine: a"
    assert grown == [
        *("mcts:simulations=9,c=1.0,proven=yes plays a1|(500 ms)", "value|+0.750", "line|a1 a1 b1"),
        *("move|visits|mean|ucb|proven|truth", "a1|plays|6|+0.750|+1.250|wins|best"),
        *("a2|2|−0.500|−1.000|loses|mistake", "b1|0|mistake", "nodes|10", "leaves|5", "nodes/s|20"),
        *("tree|506 bytes|11 nodes of 46 bytes, stored", "stack|16 bytes|3 plies"),
        *("simulations|261 bytes|to replay them", "memory|783 bytes|in all"),
    ]
    timed = told(GROWN, settings=parse("mcts:time=0.5"), finished=False)
    assert timed[0] == "mcts:time=0.5,c=1.0 plays a1|(500 ms, stopped early)"
    assert timed[3:5] == ["move|visits|mean|ucb|truth", "a1|plays|6|+0.750|+1.250|best"]
    assert timed[7:] == ["simulations|8", *grown[7:], f"{clock} faster one searches more."]
    rows = ["move|value|nodes|truth", "a1|plays|wins in 3|5|best", "a2|≤ −4|3|mistake", "b1|–|0|mistake"]
    counts = ["nodes|10", "leaves|5", "cutoffs|2", "skipped|3", "nodes/s|20"]
    space = ["tree|275 bytes|11 nodes of 25 bytes, the first 10 stored, 250 bytes", "stack|192 bytes|3 plies"]
    space += ["table|304 bytes|7 of 16 entries used", "memory|746 bytes|in all"]
    bound = ["≤ marks a bound: the move is not better than the one that is played, so its", "own value is not needed."]
    assert cut_off[:7] == ["alphabeta:depth=4,table=16 plays a1|(500 ms)", "value|wins in 3 plies", grown[2], *rows]
    assert cut_off[7:] == [*counts[:4], "table hits|4", counts[4], *space, *bound]
    assert told(CUT_OFF, value=2 - WON)[1] == "value|loses in 2 plies"
    for depth in (3, None):  # no depth was finished in time
        timed = told(CUT_OFF, settings=parse("alphabeta:time=0.5"), depth=depth, moves=CUT_OFF.moves[:1])
        assert timed[5:] == [f"depth|{depth or 0}", *counts, *space, f"{clock} faster one searches more."]
    plain = told(CUT_OFF, settings=parse("minimax:depth=4"), space=Space(11, 25, 0, 1, 64))
    bare = ["tree|275 bytes|11 nodes of 25 bytes, not stored", "stack|64 bytes|1 ply", "memory|64 bytes|in all"]
    assert plain[7:] == [*counts[:2], counts[4], *bare, *bound]
    monkeypatch.setattr(place_of("nim:2,1").game.module, "PLAYERS", ("MAX", "MIN"), raising=False)
    assert told(CUT_OFF) == cut_off, "no payoff, so nobody is said to get one"
    stopped = searched(place_of("connect4"), [begun("connect4", "alphabeta:depth=8").result], None)
    assert document(stopped)["best_move"] is None and document(stopped)["truth"] is None
    assert lines(stopped)[2:] == ["alphabeta:depth=8", "", "stopped before the first move was searched"]
    both = lines(searched(place_of("nim:2,1"), [CUT_OFF, GROWN], None))[3:]
    assert both[0].index("move") == both[1].index(" a1 ") + 1
    for how, most in {
        "mcts:simulations=9": (None, 9, None),
        "mcts:time=0.5": (None, 8, 0.5),
        "alphabeta:depth=4": (4, None, None),
        "alphabeta:time=0.5": (3, None, 0.5),
    }.items():
        result = replace(GROWN if how.startswith("mcts") else CUT_OFF, settings=parse(how))
        keys = reports.keys(place_of("nim:2,1"), result, None)
        assert (keys["depth"], keys["simulations"], keys["time"]) == most


# The nodes of a tree.


def shown_value(text: str) -> int:
    """A value of a tree as it was before it was written."""
    word, _, plies = text.partition(" ")
    signs = {"win": WON, "loss": -WON, "+∞": INFINITY, "−∞": -INFINITY}
    return signs[word] - (int(plies or 0) if signs[word] > 0 else -int(plies or 0)) if word in signs else number(text)


def number(text: str) -> int:
    return int(text.replace("−", "-").replace(",", ""))


TEXTBOOK = "tree:random:depth=5,branching=2..3,leaves=-1000000..1000000,seed=3"  # all leaves differ
PRUNED = (
    r"(\d+) moves? pruned(?: \((\w+) cutoff\))?: α (.+) ≥ β (.+), "
    r"(\S+) is (?:so good that the opponent plays (\S+) instead|too good here)",
    r"(\d+) moves? pruned(?: \((\w+) cutoff\))?: β (.+) ≤ α (.+), "
    r"after (\S+) this line (?:cannot beat (\S+)|is not good enough)",
)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, "alphabeta:depth=-1") for name in ("nim:1,2,3", "kayles:5", "connect:3x2x2", TEXTBOOK)),
        ("connect:3x2x3", "alphabeta:depth=3"),
        ("nim:1,1,1", "alphabeta:depth=4"),
        ("nim:2,2", "alphabeta:depth=-1"),
    ],
)
def test_a_cutoff_names_the_moves_that_caused_it_of_which_one_is_at_least_as_good(name: str, how: str) -> None:
    grown, kinds, force = tree(name, how), set(), Force(name)

    def called(node: int) -> str:
        return grown.game.position_name(grown.state(node)) if name == TEXTBOOK else grown.name(node)

    for node in range(len(grown)):
        sentence, children, ply = reports.why_cut(grown, node), list(grown.children(node)), int(grown.plies[node])
        skipped = int(base.count(grown.state(node))) - len(children)
        if not (children and skipped):
            assert sentence == "cutoff at the last move: nothing left to prune" * (grown.kind(node) == CUT)
            continue
        number, kind, value, bound, by, other = re.fullmatch(PRUNED[ply % 2], sentence).groups()
        assert int(number) == skipped and ("moves" in sentence) == (skipped > 1) and by == called(children[-1])
        beta = int(grown.beta[node])
        assert [shown_value(value), shown_value(bound)] == [(-1) ** ply * one for one in (grown.value(node), beta)]
        found = [  # what the other player has by an earlier move, by how far it is above this node
            (ply - int(grown.plies[above]), sibling)
            for above, below in pairwise(grown.path(node))
            for sibling in grown.children(above)
            if sibling < below and (grown.value(sibling), grown.bound(sibling) == "lower") == (beta, False)
        ]
        far, best = min(((far, sibling) for far, sibling in found if far % 2), default=(0, None))
        assert other == (best and called(best))
        if best and name != TEXTBOOK and how == "alphabeta:depth=-1":
            ends = [(*force.value(grown.state(at)), int(grown.plies[at])) for at in (best, children[-1])]
            after, pruned = (sign * (1000 - plies - above) for sign, plies, above in ends)  # an earlier win is better
            assert -after >= pruned
        assert (kind == "deep" if far > 1 else kind == "shallow") or name != TEXTBOOK
        kinds.add(kind)
    assert kinds == ({"deep", "shallow"} if name == TEXTBOOK else {None})


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
    assert reports.TreeValue(None).text == "–"
    counts = {7: "7", 99_999: "99,999", 100_000: "100 k", 999_499: "999 k", 1_000_000: "1.0 M", 131_072_000: "131.1 M"}
    assert {nodes: reports.count(nodes) for nodes in counts} == counts


# Of searches as they are.


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
