"""What Compare says of nodes by depth, of two trees and of all positions: literal searches and brute force answer."""

from __future__ import annotations

import re
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.learned import OfTable
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.learning import opponents
from nimtui.learning.learner import parse_learner
from nimtui.progress import SILENT
from nimtui.report.lines import plain_text
from nimtui.trees import search_of
from nimtui.trees.compare import Comparison, TwoTrees
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MINIMAX, Settings, parse
from nimtui.ui.compare import parts_view
from nimtui.ui.compare.work import positions
from nimtui.ui.kit.terminal.glyphs import UNICODE
from tests.patterns import COUNT, Patterns, check, same
from tests.theory.force import Force
from tests.theory.literal_table import Literal
from tests.trees.test_replay import Aloud

SHARE = r"([<>]?[\d.]+) %"
COLUMNS = 200


def whole(text: str) -> int:
    return int(text.replace(",", ""))


def share_is(said: str, true: float) -> None:
    if said[0] in "<>":
        assert 0 < true < 0.001 if said[0] == "<" else 0.999 < true < 1
    else:
        assert abs(float(said) - 100 * true) <= 0.0501 and (float(said) in (0, 100)) == (true in (0, 1))


# Nodes by depth.


class Depths:
    """The nodes that each search printed, by depth."""

    def __init__(self, force: Force, depths: int) -> None:
        self.force, self.depths = force, depths
        self.nodes: dict[tuple[int, str], int] = {}

    @property
    def last(self) -> dict[str, int]:
        return {name: nodes for (depth, name), nodes in self.nodes.items() if depth == self.depths}


ROW = re.compile(
    rf" *(\d+)? +(minimax|alpha-beta|best-first) +({COUNT}) +({COUNT}) +({COUNT}) +({COUNT}) +([\d.]+) +(<?[\d.]+ m?s)"
    r" +\S+ +[\d.]+ \w+ +(\d+) +[\d.]+ \w+ +(?:\S+) +(?:– |\S+ \S+ |–) +(\S+(?: in \d+)?) +(\S+) +█*[█▏▎▍▌▋▊▉]*"
)


def searched(depths: Depths, depth: int, text: str) -> None:
    match = ROW.fullmatch(text)
    assert match, f"a sentence without a pattern: {text}"
    name, nodes, cutoffs = match[2], whole(match[3]), whole(match[5])
    depths.nodes[depth, name] = nodes
    if name != "best-first":
        aloud = Aloud(depths.force.game.name, depth, name == "alpha-beta", False)
        assert nodes == aloud.nodes
        if name == "alpha-beta":
            assert cutoffs == sum(kind.name == "CUT" for kind, *_ in aloud.told)
    powers = [float(match[7]) ** ply for ply in range(depth + 1)]
    assert sum(powers) == pytest.approx(nodes, rel=0.05 * depth) or nodes <= depth + 1
    assert int(match[9]) <= depth
    value, plies = depths.force.value(depths.force.game.new())
    if found := re.fullmatch(r"(wins|loses) in (\d+)", match[10]):
        assert ({"wins": 1, "loses": -1}[found[1]], int(found[2])) == (value, plies)
        assert match[11] in depths.force.keeping(depths.force.game.new())


def fewer(depths: Depths, name: str, times: str, other: str) -> None:
    assert other == "minimax" and depths.last[name] == min(depths.last.values()) < depths.last[other]
    assert abs(float(times) - depths.last[other] / depths.last[name]) <= 0.0501


def cost(depths: Depths, shallow: str, of: str, share: str, last: str, plain: str, verdict: str) -> None:
    """The shallower searches are those of best-first to one ply less, whose nodes the row above counts too."""
    assert whole(of) == depths.last["best-first"] == whole(shallow) + whole(last)
    share_is(share, whole(shallow) / whole(of))
    before = depths.nodes.get((depths.depths - 1, "best-first"), 0)
    assert before in (whole(shallow), whole(of))  # the same nodes, if no line is longer
    assert whole(plain) == depths.last["alpha-beta"]
    assert verdict == (
        "the order found prunes less than natural order" if whole(last) > whole(plain)
        else "the order prunes more, but costs more than it saves" if whole(of) > whole(plain)
        else "the order saves more than it costs"
    )  # fmt: skip


SORTING = (
    rf"Best-first: shallower searches take ({COUNT}) of ({COUNT}) nodes \({SHARE}\) to sort the moves\. The last one "
    rf"takes ({COUNT}), alpha-beta ({COUNT}): "
)
BELOW: Patterns = {
    r"(alpha-beta|best-first): ([\d.]+) × fewer nodes than (minimax)": fewer,
    SORTING + r"(the order found prunes less than natural order)\.": cost,
    SORTING + r"(the order prunes more, but costs more than it saves)\.": cost,
    SORTING + r"(the order saves more than it costs)\.": cost,
}


def test_every_line_about_nodes_by_depth_is_true() -> None:
    told, silent = set[str](), 0
    for name in ("nim:3,2,1", "nim:2,3:misere", "connect:3x2x3", "noughts:2x3x2", "nim:2", "subtraction:8,3"):
        force = Force(name)
        for most in (1, 3, 4):
            entrants = [Settings(MINIMAX), Settings(ALPHA_BETA), Settings(ALPHA_BETA, order=BEST_FIRST)]
            compared = Comparison(parse_game(name), force.game.new(), entrants, range(1, most + 1)).run()
            shown: Any = SimpleNamespace(result=compared, job=None)
            lines = [plain_text(one).rstrip() for one in parts_view.by_depth(shown)(COLUMNS, 90, UNICODE)]
            depths, depth, found = Depths(force, most), 0, lines[1 : 1 + 3 * most]
            for text in found:
                depth = int(text[:6].strip() or depth)
                searched(depths, depth, text)
            above, *below = [text for text in lines[1 + 3 * most :] if text]
            if above.startswith("Best-first"):
                above, below = "", [above, *below]
            told |= {check(text, BELOW, depths) for text in (above, " ".join(below)) if text}
            assert (not above) == (depths.last["minimax"] / min(depths.last.values()) < 1.05)
            silent += not above
            short = [plain_text(one).rstrip() for one in parts_view.by_depth(shown)(COLUMNS, 8, UNICODE)]
            if hidden := re.fullmatch(r"… (\d+) rows of smaller depths", short[1]):
                rows = [re.sub(r"[█▏▎▍▌▋▊▉ ]+", " ", text) for text in (*found[int(hidden[1]) :], *short)]
                assert all(row in rows[len(found) - int(hidden[1]) :] for row in rows[: len(found) - int(hidden[1])])
    assert told == set(BELOW) and silent


# Two trees.


class Pair:
    """Two trees of one position, each walked alone."""

    def __init__(self, force: Force, state: State, specs: tuple[str, str]) -> None:
        self.force, self.state = force, state
        self.settings = (parse(specs[0]), parse(specs[1]))
        self.trees = [search_of(force.game, state, each).run(SILENT).tree for each in self.settings]
        self.grown = TwoTrees(force.game, state, *self.trees)

    def children(self, at: int, path: tuple[int, ...]) -> dict[int, int]:
        """The searched moves of a tree after a path, by node."""
        tree: Any = self.trees[at]
        nodes = [0]
        for move in (*path, -1):
            grows = isinstance(tree, GrowingTree)
            children = [child for node in nodes for child in tree.children(node) if not grows or tree.visits[child]]
            nodes = [child for child in children if tree.move(child) == move]
        return {tree.move(child): child for child in children}

    def best(self, at: int, path: tuple[int, ...]) -> int | None:
        tree: Any = self.trees[at]
        found = self.children(at, path)
        if not found:
            return None
        if isinstance(tree, GrowingTree):
            return max(found, key=lambda move: (tree.proven(found[move]) or 0, int(tree.visits[found[move]]), -move))
        child = tree.best_child(self.children(at, path[:-1])[path[-1]] if path else 0)
        return None if child < 0 else tree.move(child)

    @property
    def parting(self) -> tuple[tuple[int, ...], int, int] | None:
        """The common best moves, and the two that differ after them."""
        path: tuple[int, ...] = ()
        while True:
            one, other = self.best(0, path), self.best(1, path)
            if one is None or other is None:
                return None
            if one != other:
                return path, one, other
            path = (*path, one)

    def line(self, path: tuple[int, ...]) -> str:
        return " ".join(self.force.game.line_names(path, self.state))


def prefers(pair: Pair, before: str | None, one: str, other: str) -> None:
    assert pair.parting is not None
    path, *moves = pair.parting
    assert pair.line(path) == (before or "")
    for move, name in zip(moves, (one, other), strict=True):
        assert pair.line((*path, move)).split()[-1] == name


TOLD: Patterns = {
    r"(?:After (.+), tree|Tree) 1 prefers (\S+), tree 2 (\S+)\.": prefers,
    r"The best lines agree as far as both trees go\.": lambda pair: same(pair.parting, None),
    r"Line: (.+)": lambda pair, names: same(names, pair.line(pair.at)),
    re.escape(parts_view.SIGNS.format("+", "−", "◐", "!")): lambda pair: None,
}


def marked(pair: Pair, text: str, path: tuple[int, ...]) -> str:
    """Check the sign of a place; return it."""
    *before, move = path
    has = [move in pair.children(at, tuple(before)) for at in (0, 1)]
    chosen = [has[at] and pair.best(at, tuple(before)) == move for at in (0, 1)]
    sign = text[1]
    if sign in "+−":
        assert has == [sign == "+", sign == "−"]
    elif sign == "◐":
        assert all(has) and chosen[0] != chosen[1]
    else:
        assert all(has) and chosen[0] == chosen[1] and sign in " !"
    halves = [half for half in next(
        place for place in pair.grown.children(tuple(before)) if place.path == path).halves if half]  # fmt: skip
    values = [(half.value or 0, half.bound) for half in halves]
    surely = [(value > 0 and bound != "upper") - (value < 0 and bound != "lower") for value, bound in values]
    if sign in " !":
        assert (sign == "!") == (sorted(surely) == [-1, 1])
    if "in " in text and all(setting.depth == -1 for setting in pair.settings):
        value, plies = pair.force.value(pair.grown.state(path))
        for said, number in re.findall(r"  (wins|loses) in (\d+)", text):
            assert (-value, plies + 1) == ({"wins": 1, "loses": -1}[said], int(number) - len(before))
    return sign


def test_every_line_about_two_trees_is_true() -> None:
    told, signs = set[str](), set[str]()
    pairs = [("mcts:simulations=80", "alphabeta:depth=3"), ("minimax:depth=-1", "alphabeta:depth=-1"),
             ("alphabeta:depth=2", "alphabeta:depth=4"),
             ("mcts:simulations=20", "mcts:simulations=300,c=0.5")]  # fmt: skip
    for name in ("nim:3,2,1", "nim:2,3:misere", "connect:3x2x3", "noughts:2x3x2"):
        force = Force(name)
        states = [state for state in force.positions(4) if base.outcome(state) == base.GOING_ON][::3]
        for number, state in enumerate(states[:12]):
            pair: Any = Pair(force, state, pairs[number % len(pairs)])
            trees = pair.grown
            trees.reveal(trees.parting())
            for place in trees.lines()[:3]:
                trees.unfold(place.path)
            places = trees.lines()
            pair.at = places[len(places) // 2].path
            shown: Any = SimpleNamespace(result=pair.grown, job=None, fault="", pair=(0, 1), at=pair.at)
            agents = [SimpleNamespace(name=each.name) for each in pair.settings]
            conductor: Any = SimpleNamespace(game=force.game, agents=agents)
            lines = [plain_text(one).strip() for one in parts_view.differences(shown, conductor)(400, 90, UNICODE)]
            told |= {check(text, TOLD, pair) for text in re.split(r" (?=Line:|\+ and − mark)", " ".join(lines))}
            _, _, *rows = parts_view.trees(shown, conductor)(160, 2 + len(places), UNICODE)
            for place, text in zip(places, map(plain_text, rows), strict=True):
                signs.add(marked(pair, text, place.path))
                assert (text[0] == "▸") == (place.path == pair.at)
    assert told == set(TOLD) and signs == set("+−◐! ")


# All positions.


class Field:
    """Two agents on all positions, judged by what they play there."""

    def __init__(self, name: str, specs: tuple[str, str]) -> None:
        self.force, self.specs = Force(name), specs
        game = self.force.game
        agents = tuple(parse_agent(spec, game) for spec in specs)
        self.shown: Any = SimpleNamespace(result=positions(game, agents, 1, SILENT), pair=(0, 1))  # type: ignore[arg-type]
        self.found = self.shown.result
        self.node = 0
        table = opponents.train_interpreted(game, parse_learner("reward"), 50, 0)
        self.literal = Literal(self.force, table)
        self.nodes = range(self.found.compared.positions)
        self.words = {node: [self.word(spec, node) for spec in specs] for node in self.nodes}

    def word(self, spec: str, node: int) -> str:
        """'lost', 'right', 'wrong' or 'undecided', by the moves that an agent may play."""
        state, game = self.found.atlas.state(node), self.force.game
        if self.force.value(state)[0] < 0:
            return "lost"
        if spec == "random":
            moves = set(base.legal_moves(state))
        elif spec == "perfect":
            moves = {parse_agent(spec, game).decide(base.copy(state), Stream(seed)).move for seed in range(3)}
        elif spec.startswith("reward"):
            agent = OfTable(self.literal.table, "random", "Random")
            moves = {agent.choose(base.copy(state), Stream(seed)) for seed in range(40)}
        else:
            moves = {parse_agent(spec, game).decide(base.copy(state), Stream(1, node)).move}
        keeping = self.literal.keeping(state)
        return "right" if moves <= keeping else "undecided" if moves & keeping else "wrong"

    def kind(self, node: int) -> str:
        one, other = self.words[node]
        kind = (("neither", "second only"), ("first only", "both"))[one == "right"][other == "right"]
        return "nothing to decide" if one == "lost" else kind

    def value(self, node: int) -> tuple[int, int]:
        return self.force.value(self.found.atlas.state(node))

    @property
    def not_lost(self) -> list[int]:
        return [node for node in self.nodes if self.value(node)[0] >= 0]

    def share(self, at: int, nodes: list[int]) -> float:
        return sum(self.words[node][at] == "right" for node in nodes) / len(nodes) if nodes else 1.0


def right_on(field: Field, sign: str, number: str, share: str, agent: str, of: str) -> None:
    at = int(number) - 1
    assert sign == "+−"[at] and agent == parse_agent(field.specs[at], field.force.game).name
    assert whole(of) == len(field.not_lost)
    share_is(share, field.share(at, field.not_lost))


def kinds(field: Field, *said: str) -> None:
    true = Counter(map(field.kind, field.nodes))
    names = ("both", "first only", "second only", "neither", "nothing to decide")
    assert [whole(number) for number in said] == [true[name] for name in names]


def here(field: Field, name: str, kind: str, plies: str | None) -> None:
    assert name == (field.found.atlas.name(field.node) or "the start") and kind == field.kind(field.node)
    value, far = field.value(field.node)
    assert (plies is None) == (value == 0) and (plies is None or int(plies) == far)


def distances(field: Field, distance: str, number: str, one: str, other: str) -> None:
    there = [node for node in field.not_lost if (
        "draw" if not field.value(node)[0] else str(field.value(node)[1])) == distance]  # fmt: skip
    assert whole(number) == len(there) > 0
    for at, share in enumerate((one, other)):
        share_is(share, field.share(at, there))


COUNTS: Patterns = {
    rf"([+−]) (\d) right on {SHARE}  (\S+) \(of ({COUNT}) not lost\)": right_on,
    rf"both ({COUNT})  first only ({COUNT})  second only ({COUNT})  neither ({COUNT})  lost ({COUNT})": kinds,
    r"(.+): (\D+), (?:a draw|(\d+) (?:ply|plies) of perfect play to the end)": here,
    r"plies +not lost +1 +2": lambda field: None,
    rf"(draw|\d+) +({COUNT}) +{SHARE} *[█▏▎▍▌▋▊▉]* *{SHARE} *[█▏▎▍▌▋▊▉]*": distances,
}
SECTIONS = ["first only", "second only", "neither", "both", "nothing to decide"]
LISTED = re.compile(rf"[▸ ](.+?) +(draw|\d+)  ({'|'.join(SECTIONS)}) +. ?(\w*) +. ?(\w*) *")


@pytest.mark.slow
def test_every_line_about_all_positions_is_true() -> None:
    told, words = set[str](), set[str]()
    pairs = [("reward:games=50,seed=0", "perfect"), ("mc:playouts=3", "random")]
    for name in ("nim:3,2,1", "nim:2,3:misere", "kayles:4", "noughts:2x3x2", "connect:3x2x3"):
        for specs in pairs:
            field = Field(name, specs)
            assert {field.literal.name(field.found.atlas.state(node)) for node in field.nodes} == {
                field.literal.name(state) for state in field.literal.states
            }
            for node in field.nodes[:: max(1, len(field.nodes) // 8)]:
                field.node = node
                lines = parts_view.counts(field.shown, field.node)(120, 60, UNICODE)
                told |= {check(plain_text(one).strip(), COUNTS, field) for one in lines}
            by_distance = [one for one in map(plain_text, lines) if re.match(r" +(draw|\d+) +[\d,]+  ", one)]
            assert sum(whole(one.split()[1]) for one in by_distance) == len(field.not_lost)
            listed: Any = parts_view.rows(field.shown, 0, lambda place: None, lambda: None)
            head, *rows = listed.paint(range(len(field.nodes)), COLUMNS, UNICODE)
            order = []
            for node, text in zip(field.found.listed, map(plain_text, rows), strict=True):
                match = LISTED.fullmatch(text)
                assert match, f"a sentence without a pattern: {text!r}"
                value, plies = field.value(node)
                assert match[1].strip() == (field.found.atlas.name(node) or "the start")
                assert match[2] == ("draw" if not value else str(plies)) and match[3] == field.kind(node)
                assert [match[4] or "lost", match[5] or "lost"] == field.words[node]
                words |= {match[4], match[5]}
                order.append(match[3])
            assert order == sorted(order, key=SECTIONS.index)
            assert plain_text(head).split() == ["position", "plies", "right", "1", "2"]
    assert told == set(COUNTS) and words == {"", "right", "wrong", "undecided"}
