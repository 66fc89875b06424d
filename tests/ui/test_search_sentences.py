"""What the time slider of Search says of every event and of every simulation, taken apart.

A recursion that thinks aloud answers for minimax and alpha-beta. For a tree search the printed sentences are recounted:
the results that they name must give the means, bounds and visits that they name later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log, sqrt
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.engine.rng import Stream
from nimtui.engine.windows import INFINITY, WIN
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.report.lines import plain_text
from nimtui.theory.answers import known_moves
from nimtui.trees import report as sentences
from nimtui.trees import search_of
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.replay import Kind, Replay
from nimtui.trees.settings import parse
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.search import view as search_view
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource
from nimtui.ui.search.rows import GrowthRows, WindowRows
from nimtui.ui.search.slider import GrowthSlider, WindowSlider
from tests.patterns import Patterns, check, real, same
from tests.theory.force import Force
from tests.trees.helpers import tree as searched_tree
from tests.trees.test_replay import Aloud

VALUE = r"(?:(?:≤ |≥ )?(?:wins|loses) in \d+|(?:≤ |≥ )?[+−]?[\d,]+|…)"
EDGE = r"(?:[+−]∞|(?:win|loss) \d+|[+−]?[\d,]+)"


def number(text: str) -> int:
    """A value or an edge of a window, for the player at the root."""
    text = re.sub("^[≤≥] ", "", text)
    if "∞" in text:
        return -INFINITY if "−" in text else INFINITY
    if found := re.fullmatch(r"(win|loss|wins|loses)(?: in)? (\d+)", text):
        return (1 if found[1].startswith("win") else -1) * (WIN - int(found[2]))
    return int(real(text))


class Valued(Aloud):
    """Remembers what each node returned, for the player to move there, its ply, and the moves to it."""

    def __init__(self, name: str, depth: int, cutting: bool, original: bool) -> None:
        self.values: dict[int, int] = {}
        self.plies: dict[int, int] = {}
        self.order: list[int] = []  # in which nodes returned
        super().__init__(name, depth, cutting, original)

    def search(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        node = self.nodes
        self.plies[node] = ply
        self.values[node] = value = super().search(depth, alpha, beta, ply)
        return value


class Event:
    """One event as the recursion tells it, with the tree for names and positions."""

    def __init__(self, tree: Any, aloud: Valued, at: int) -> None:
        self.tree, self.aloud = tree, aloud
        self.kind, self.node, self.frames = aloud.told[at]
        returned = [node for kind, node, _ in aloud.told[max(0, at - 2) : at] if kind is Kind.RETURN]
        self.child = returned[-1] if returned else -1  # it has just returned

    def for_root(self, node: int) -> int:
        return self.aloud.values[node] * (-1 if self.aloud.plies[node] % 2 else 1)

    def is_named(self, name: str, node: int) -> None:
        if name == "root":
            assert node == 0
            return
        game, above = self.tree.game, self.tree.state(int(self.tree.parent[node]))
        base.play(above, game.parse_move(name, above))
        assert above.board.tolist() == self.tree.state(node).board.tolist()

    def exact(self, state: State, depth: int, ply: int) -> int:
        """The value of minimax for the player at the root."""
        over, sign = int(base.outcome(state)), -1 if ply % 2 else 1
        if over != base.GOING_ON:
            return sign * (0 if over == base.DRAW else -over * (WIN - ply))
        if not depth:
            return sign * int(base.evaluate(state))
        left = []
        for move in base.legal_moves(state):
            after = base.copy(state)
            base.play(after, move)
            left.append(self.exact(after, depth - 1, ply + 1))
        return min(left) if ply % 2 else max(left)

    def is_worth(self, node: int, value: str) -> None:
        """Check what a node returned, and that its bound holds for the value of minimax."""
        said, ply = number(value), self.aloud.plies[node]
        assert said == self.for_root(node)
        depth = self.tree.settings.depth
        exact = self.exact(self.tree.state(node), 99 if depth < 0 else depth - ply, ply)
        assert {"≤": exact <= said, "≥": exact >= said}.get(value[0], exact == said), (value, exact)


def entered(event: Event, name: str, low: str, high: str) -> None:
    assert event.kind is Kind.ENTER
    event.is_named(name, event.node)
    _, alpha, beta = event.frames[-1]
    window = (-beta, -alpha) if event.aloud.plies[event.node] % 2 else (alpha, beta)
    assert (number(low), number(high)) == window


def evaluated(event: Event, name: str, value: str, how: str) -> None:
    assert event.kind is Kind.EVALUATE
    event.is_named(name, event.node)
    event.is_worth(event.node, value)
    over = int(base.outcome(event.tree.state(event.node))) != base.GOING_ON
    assert how == ("game over" if over else "depth limit")


def returned(event: Event, name: str, value: str) -> None:
    assert event.kind is Kind.RETURN
    event.is_named(name, event.node)
    event.is_worth(event.node, value)


def raised(event: Event, by: str, name: str | None, side: str | None, value: str) -> None:
    assert event.kind is Kind.RAISE and event.tree.parent[event.child] == event.node
    event.is_named(by, event.child)
    if name:
        event.is_named(name, event.node)
        assert event.tree.settings.algorithm == "minimax"
    else:
        assert side == ("β falls" if event.aloud.plies[event.node] % 2 else "α rises")
        _, alpha, _beta = event.frames[-1]
        assert number(value) == (-alpha if event.aloud.plies[event.node] % 2 else alpha)
    assert number(value) == event.for_root(event.child)


def cut_off(event: Event, moves: str | None, _: str | None) -> None:
    """Held sentence by sentence in tests/theory; here: it is a cutoff, of so many moves."""
    assert event.kind is Kind.CUT
    done = sum(1 for child in event.tree.children(event.node))
    assert int(moves or 0) == int(base.count(event.tree.state(event.node))) - done


EVENTS: Patterns = {
    rf"Enter (\S+): \(({EDGE}), ({EDGE})\)": entered,
    rf"(\S+) is worth ({VALUE}): (depth limit|game over)": evaluated,
    rf"(\S+) returns ({VALUE})": returned,
    rf"(\S+) is the best (?:of (\S+) )?so far: (?:(α rises|β falls) to )?({VALUE})": raised,
    r"(\d+) moves? pruned: (.+)|cutoff at the last move: nothing left to prune": cut_off,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim:1,2,3", "adjacent:3,2:misere", "chomp:2x3", "noughts:2x3x2", "connect:3x2x2"])
@pytest.mark.parametrize("how", ["alphabeta:depth=3", "alphabeta:depth=-1", "minimax:depth=2", "minimax:depth=3"])
def test_every_event_of_a_search_is_told_as_a_recursion_tells_it(name: str, how: str) -> None:
    tree = searched_tree(name, how)
    replay = Replay(tree)
    source = WindowSource(tree, replay)
    slider = WindowSlider(replay, WindowRows(Outline(source)))
    depth = tree.settings.depth
    aloud = Valued(name, 99 if depth < 0 else depth, how.startswith("alpha"), False)
    assert slider.moment == f"{len(aloud.told):,} events" and slider.sentences == [] and slider.counts == []
    told, entries, cuts = set[str](), 0, 0
    for at in range(min(len(aloud.told), 1500)):
        slider.go(at)
        event = Event(tree, aloud, at)
        [said] = slider.sentences
        told.add(check(said, EVENTS, event))
        entries, cuts = entries + (event.kind is Kind.ENTER), cuts + (event.kind is Kind.CUT)
        assert slider.moment == f"event {at + 1:,} of {len(aloud.told):,}"
        assert slider.counts == [("so far", f"{entries:,} nodes  cutoffs {cuts:,}"), ("of", f"{aloud.nodes:,} nodes")]
        if event.frames:
            windows = [
                (-beta, -alpha) if aloud.plies[node] % 2 else (alpha, beta) for node, alpha, beta in event.frames
            ]
            if slider.node == event.frames[-1][0]:
                assert [(each.alpha, each.beta) for each in slider.windows(slider.node)] == windows
    assert len(told) == len(EVENTS) - how.startswith("minimax")


class Recount:
    """The tree of the simulations that were read, by the moves to each node: visits and results of who moved there."""

    def __init__(self, name: str, c: float, of_root: bool) -> None:
        self.force, self.c, self.of_root = Force(name), c, of_root
        self.game = self.force.game
        self.visits: dict[tuple[str, ...], int] = {}
        self.total: dict[tuple[str, ...], int] = {}
        self.path: tuple[str, ...] = ()
        self.result = 0  # for the player whose move led to the leaf
        self.proving = False

    def state(self, path: tuple[str, ...]) -> State:
        state = self.game.new()
        for name in path:
            base.play(state, self.game.parse_move(name, state))
        return state

    def names(self, path: tuple[str, ...]) -> list[str]:
        state = self.state(path)
        return [self.game.move_name(move, state) for move in base.legal_moves(state)]

    def bounds(self, name: str) -> tuple[float, float]:
        """The mean and the bonus of a move at the end of the path."""
        path = (*self.path, name)
        count = self.visits[() if self.of_root else self.path]
        visits = self.visits[path]
        return self.total[path] / visits, self.c * sqrt(log(count) / visits)


def untried(count: Recount, name: str) -> None:
    fresh = [each for each in count.names(count.path) if (*count.path, each) not in count.visits]
    assert name == fresh[0]
    count.path = (*count.path, name)


def highest(count: Recount, name: str, mean: str, bonus: str, bound: str) -> None:
    names = count.names(count.path)
    assert all((*count.path, each) in count.visits for each in names)
    own = count.bounds(name)
    assert (real(mean), real(bonus), real(bound)) == pytest.approx((*own, sum(own)), abs=0.00501)
    if not count.proving:
        assert sum(own) >= max(sum(count.bounds(each)) for each in names) - 1e-9
    count.path = (*count.path, name)


def proven(count: Recount, name: str) -> None:
    assert count.proving
    count.path = (*count.path, name)


def expanded(count: Recount, name: str) -> None:
    assert name == count.path[-1] and count.path not in count.visits


def not_expanded(count: Recount, name: str) -> None:
    assert name == count.path[-1] and count.path in count.visits
    assert int(base.outcome(count.state(count.path))) != base.GOING_ON or count.proving


def playout(count: Recount, names: str) -> None:
    state = count.state(count.path)
    for name in names.split():
        assert int(base.outcome(state)) == base.GOING_ON
        base.play(state, count.game.parse_move(name, state))
    end = int(base.outcome(state))
    assert end != base.GOING_ON
    moved = {base.WON: 1, base.DRAW: 0, base.LOST: -1}[end]  # for the player of the last move
    count.result = -moved if len(names.split()) % 2 else moved


def at_the_end(count: Recount) -> None:
    """The game is over at the leaf, or its value is proven: then brute force says the same."""
    state = count.state(count.path)
    assert int(base.outcome(state)) != base.GOING_ON or count.proving
    count.result = -count.force.value(state)[0]


def result(count: Recount, how: str, name: str) -> None:
    assert name == count.path[-1] and count.result == {"win": 1, "draw": 0, "loss": -1}[how]


def backed_up(count: Recount, name: str, change: str, before: str, after: str, visits: str, unit: str) -> None:
    """Check a node's change against the recount, then the one above is next."""
    path = count.path
    assert name == (path[-1] if path else "root") and (unit == "visit") == (visits == "1")
    own = count.result if path else -count.result  # at the root: of the player to move
    assert int(real(change)) == own
    old, total = count.visits.get(path, 0), count.total.get(path, 0)
    assert (before == "new") == (old == 0) and (before == "new" or abs(real(before) - total / old) <= 0.000501)
    count.visits[path], count.total[path] = old + 1, total + own
    assert int(real(visits)) == old + 1 and abs(real(after) - (total + own) / (old + 1)) <= 0.000501
    count.path, count.result = path[:-1], -count.result


PHASES: tuple[Patterns, ...] = (
    {
        "Select": lambda count: same(count.path, ()),
        r"(\S+): the first move not tried yet": untried,
        r"(\S+): ([+−]?[\d.]+) \+ ([\d.]+) = ([+−]?[\d.]+) is highest": highest,
        r"(\S+): proven": proven,
    },
    {
        r"Expand: (\S+) is a new node": expanded,
        r"(\S+): no new node \(over or proven\)": not_expanded,
    },
    {
        r"Play out: the game is over here": at_the_end,
        r"Play out: (?!the game)(.+)": playout,
        r"A (win|draw|loss) for the player of (\S+)": result,
    },
    {
        "Back up": lambda count: None,
        r"(\S+) ([+−]1|0): (new|[+−]?[\d.]+) → ([+−]?[\d.]+), ([\d,]+) (visit|visits)": backed_up,
    },
)


def sliders(name: str, how: dict[str, Any]) -> Iterator[GrowthSlider]:
    game = parse_game(name)
    for seed in (1, 2):
        search = MonteCarloSearch(game, game.start, 120, stream=Stream(seed), **how).run()
        tree = GrowingTree(search)
        source = GrowthSource(tree)
        yield GrowthSlider(tree, GrowthRows(Outline(source)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("nim:2,3,1", {}),
        ("kayles:2,3:misere", {"log": "root", "c": 0.4}),
        ("chomp:2x3", {}),
        ("noughts:3x3x3", {"c": 2.0}),
        ("connect:3x3x3", {"proven": True}),
        ("nim:3,2", {"proven": True}),
    ],
)
def test_the_sentences_of_all_simulations_add_up(name: str, how: dict[str, Any]) -> None:
    told = set[str]()
    for slider in sliders(name, how):
        count = Recount(name, how.get("c", 1.0), how.get("log") == "root")
        count.proving = bool(how.get("proven"))
        simulations = len(slider) // 4
        assert slider.moment == f"{simulations:,} simulations" and slider.sentences == []
        for at in range(len(slider)):
            slider.go(at)
            phase = ("select", "expand", "play out", "back up")[at % 4]
            assert slider.moment == f"simulation {at // 4 + 1:,} of {simulations:,} · {phase}"
            count.path = () if at % 4 == 0 else count.path
            told |= {check(text, PHASES[at % 4], count) for text in slider.sentences}
            nodes = max(1, len(count.visits)) if at % 4 == 3 or count.visits else 0
            assert slider.counts == [("so far", f"{nodes:,} nodes")]
    assert len(told) >= sum(map(len, PHASES)) - 3 + count.proving


# What the boxes say of a node, and of the search against the exact values.


def all_searched(tree: Any, node: int) -> None:
    state = tree.state(node)
    assert int(base.outcome(state)) == base.GOING_ON and len(tree.children(node)) == int(base.count(state))


def none_searched(tree: Any, node: int, how: str) -> None:
    state = tree.state(node)
    over = int(base.outcome(state)) != base.GOING_ON
    assert not list(tree.children(node)) and over == (how == "game over")
    assert how != "depth limit" or int(tree.plies[node]) == tree.settings.depth
    assert how != "from the table" or tree.settings.table


def pruned(tree: Any, node: int, moves: str) -> None:
    assert int(moves) == int(base.count(tree.state(node))) - len(tree.children(node)) > 0


NODES: Patterns = {
    r"Every move of this position was searched\.": all_searched,
    r"No move of this position was searched: (depth limit|game over|from the table)\.": none_searched,
    r"(\d+) moves? pruned: .+": pruned,
    r"cutoff at the last move: nothing left to prune": all_searched,
}


@pytest.mark.parametrize("how", ["alphabeta:depth=3", "minimax:depth=-1", "alphabeta:depth=4,table=1024"])
def test_the_box_says_of_every_node_which_moves_were_searched(how: str) -> None:
    told = set[str]()
    for name in ("nim:2,3,1", "kayles:5:misere", "connect:3x2x3"):
        tree = searched_tree(name, how)
        source = WindowSource(tree, Replay(tree))
        for node in range(min(len(tree), 400)):
            said = [sentences.why_cut(source.tree, node)] if source.leaves_out(node) else []
            paint = search_view.why(said, False, source, node)
            [_, *lines] = paint(300, 20, UNICODE)
            told.add(check(" ".join(map(plain_text, lines)), NODES, tree, node))
    assert len(told) == (2 if how.startswith("minimax") else 4)


class Judged:
    """A search's moves of the root, beside brute force."""

    def __init__(self, force: Force, state: State, result: Any) -> None:
        self.force, self.state, self.result = force, state, result
        self.keeping = force.keeping(state)

    def after(self, name: str) -> tuple[int, int]:
        sign, plies = self.force.value(self.force.after(self.state, self.force.game.parse_move(name, self.state)))
        return -sign, plies + 1


def winning(judged: Judged, names: str, more: str | None, word: str) -> None:
    whole = set(names.split(", "))
    assert whole <= judged.keeping and len(judged.keeping - whole) == int(more or 0)
    assert judged.force.value(judged.state)[0] == {"win": 1, "draw": 0}[word]


def only(judged: Judged, name: str, word: str) -> None:
    assert judged.keeping == {name} and judged.force.value(judged.state)[0] == {"win": 1, "draw": 0}[word]


def played_wrong(judged: Judged, name: str, how: str, plies: str | None, others: str | None) -> None:
    assert name not in judged.keeping
    assert name == judged.force.game.move_name(judged.result.best_move, judged.state)
    sign, left = judged.after(name)
    assert sign == {"wins": 1, "draws": 0, "loses": -1}[how] and (plies is None or int(plies) == left)
    if others:
        wrong_about(judged, others)


def wrong_about(judged: Judged, others: str) -> None:
    """The search's value of these moves has another sign than the exact value, or its choice is no best move."""
    values = {judged.force.game.move_name(move.move, judged.state): move for move in judged.result.moves}
    for name in others.split(", "):
        value, (sign, _) = values[name].value, judged.after(name)
        assert value is not None
        claimed = (value > 0) - (value < 0)
        assert claimed != sign or (name in judged.keeping), (name, value, sign)


TRUTHS: Patterns = {
    r"every move loses": lambda judged: same(judged.force.value(judged.state)[0], -1),
    r"(\S+) is the only (win|draw)": only,
    r"(\S+(?:, \S+)*?)(?: and (\d+) more)? (win|draw)": winning,
    r"plays (\S+): (wins|draws|loses)(?: in (\d+))?(?:, wrong about (.+))?": played_wrong,
    r"wrong about (.+)": wrong_about,
}


@pytest.mark.parametrize("how", ["alphabeta:depth=2", "mcts:simulations=20,seed=3"])
def test_what_is_said_of_a_search_and_the_exact_values_is_true(how: str) -> None:
    told = set[str]()
    for name in ("nim:2,3,1", "kayles:7:misere", "nim:9,5:max=3", "chomp:2x4", "noughts:3x3x3", "connect:4x3x3"):
        force = Force(name)
        for state in [state for state in force.positions(12) if base.outcome(state) == base.GOING_ON][:40]:
            search = search_of(force.game, base.copy(state), parse(how), record=False).run()
            known = known_moves(force.game, state)
            assert known is not None
            conductor: Any = SimpleNamespace(
                truths=list(known.values()), game=force.game, root=state, found=None, standing=search.result,
                truth_fault="",
            )  # fmt: skip
            for text, _ in search_view.exact_values(conductor):
                told.add(check(text, TRUTHS, Judged(force, state, search.result)))
    assert told >= set(TRUTHS) - {r"wrong about (.+)"}
