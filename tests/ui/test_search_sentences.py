"""What the time slider says of events and simulations, and what the boxes say of the exact values.

The events and the simulations themselves are held by tests/trees; here is how they are told.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.engine.rng import Stream
from nimtui.engine.windows import INFINITY, WIN
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.theory.answers import known_moves
from nimtui.trees import search_of
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.replay import Replay
from nimtui.trees.settings import parse
from nimtui.ui.search import view as search_view
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource
from nimtui.ui.search.rows import GrowthRows, Interval, WindowRows
from nimtui.ui.search.slider import GrowthSlider, WindowSlider, windows_to
from tests.patterns import Patterns, check, same
from tests.theory.force import Force
from tests.trees.helpers import tree as searched_tree
from tests.ui.playing import lines

EVENTS = {  # from this event on, one after another
    ("alphabeta:depth=2", 1): """
        Enter root: (−∞, +∞)
        Enter a1: (−∞, +∞)
        Enter b1: (−∞, +∞)
        b1 is worth −1: depth limit
        b1 returns −1
        b1 is the best so far: β falls to −1
        Enter b2: (−∞, −1)
        b2 is worth loses in 2: game over
        b2 returns loses in 2
        b2 is the best so far: β falls to loses in 2
        a1 returns loses in 2
        a1 is the best so far: α rises to loses in 2
        Enter b1: (loss 2, +∞)
        """,
    ("alphabeta:depth=2", 26): """
        a1 returns loses in 2
        a1 is the best so far: β falls to loses in 2
        cutoff at the last move: nothing left to prune
        b2 returns ≤ loses in 2
        root returns −1
        """,
    ("minimax:depth=-1", 5): """
        b1 is worth wins in 3: game over
        b1 returns wins in 3
        b1 is the best of b1 so far: wins in 3
        b1 returns wins in 3
        b1 is the best of a1 so far: wins in 3
        """,
}


def slider_of(name: str, how: str) -> WindowSlider:
    replay = Replay(searched_tree(name, how))
    return WindowSlider(replay, WindowRows(Outline(WindowSource(replay.tree, replay))))


@pytest.mark.parametrize(("how", "first"), EVENTS)
def test_every_event_of_a_search_is_told(how: str, first: int) -> None:
    slider, told = slider_of("nim:1,2", how), list[str]()
    for at, _ in enumerate(lines(EVENTS[how, first]), first - 1):
        slider.go(at)
        assert slider.moment == f"event {at + 1} of {len(slider)}"
        told += slider.sentences
    assert told == lines(EVENTS[how, first])


def test_counts_windows_and_the_whole_search() -> None:
    slider = slider_of("nim:1,2", "alphabeta:depth=2")
    assert (slider.moment, slider.sentences, slider.counts, len(slider)) == ("30 events", [], [], 30)
    assert slider.scale == [2 - WIN, -1]
    for event, nodes, cuts in ((1, 1, 0), (12, 4, 0), (27, 9, 0), (28, 9, 1), (30, 9, 1)):
        slider.go(event - 1)
        assert slider.counts == [("so far", f"{nodes} nodes  cutoffs {cuts}"), ("of", "9 nodes")]
    slider.go(16)  # in the middle of b1: the windows of now, and those of a node at its entry
    assert slider.windows(slider.node) == [Interval("root", 2 - WIN, INFINITY), Interval("b1", 2 - WIN, -1)]
    assert slider.windows(1) == windows_to(slider.tree, 1) == [
        Interval("root", -INFINITY, INFINITY), Interval("a1", -INFINITY, INFINITY),
    ]  # fmt: skip
    assert slider.next_cut(False) == 27 and slider.begin(1) == 1
    slider.go(None)
    assert slider.next_cut(True) == 27 and slider.next_cut(False) is None
    assert slider.windows(0) == [Interval("root", -INFINITY, INFINITY)]


SIMULATIONS = """
    simulation 1 of 8 · select: Select; a1: the first move not tried yet: 0
    simulation 1 of 8 · expand: Expand: a1 is a new node: 0
    simulation 1 of 8 · play out: Play out: a1 b1; A win for the player of a1: 0
    simulation 1 of 8 · back up: Back up; a1 +1: new → +1.000, 1 visit; root +1: new → +1.000, 1 visit: 2
    simulation 2 of 8 · select: Select; a2: the first move not tried yet: 2
    simulation 2 of 8 · expand: Expand: a2 is a new node: 2
    simulation 2 of 8 · play out: Play out: b1; A loss for the player of a2: 2
    simulation 2 of 8 · back up: Back up; a2 −1: new → −1.000, 1 visit; root −1: +1.000 → 0.000, 2 visits: 3
    """
LAST = """
    Select
    a1: +1.00 + 0.62 = +1.62 is highest
    a1: −1.00 + 0.90 = −0.10 is highest
    b1: +1.00 + 0.83 = +1.83 is highest
    b1: no new node (over or proven)
    Play out: the game is over here
    A win for the player of b1
    """


def growth() -> GrowthSlider:
    game = parse_game("nim:2,1")
    tree = GrowingTree(MonteCarloSearch(game, game.start, 8, stream=Stream(1)).run())
    return GrowthSlider(tree, GrowthRows(Outline(GrowthSource(tree))))


def test_every_simulation_is_told_in_four_phases() -> None:
    slider, told = growth(), list[str]()
    assert (slider.moment, slider.sentences, slider.counts, len(slider)) == ("8 simulations", [], [], 32)
    for at in range(8):
        slider.go(at)
        [(about, nodes)] = slider.counts
        assert about == "so far"
        told.append(f"{slider.moment}: {'; '.join(slider.sentences)}: {nodes.removesuffix(' nodes')}")
    assert told == [line.strip() for line in SIMULATIONS.strip().splitlines()]
    told = []
    for at in range(28, 31):
        slider.go(at)
        told += slider.sentences
    assert told == [line.strip() for line in LAST.strip().splitlines()]
    assert [slider.next_cut(backwards) for backwards in (False, True)] == [None, 24] and slider.begin(0) == 0
    slider.go(None)
    assert slider.next_cut(True) == 28 and slider.rows.path == frozenset()
    branches = [SimpleNamespace(node=node, bonus=None, mean=None) for node in (2, 1)]
    choice: Any = SimpleNamespace(chosen=1, untried=False, branches=branches)
    assert slider._choice(choice) == "a1: proven"


# What the boxes say of the search against the exact values.


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
        assert value is not None and ((value > 0) - (value < 0) != sign or name in judged.keeping), (name, value, sign)


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
    for name in ("kayles:7:misere", "nim:9,5:max=3", "noughts:3x3x3"):
        force = Force(name)
        for state in [state for state in force.positions(4) if base.outcome(state) == base.GOING_ON][:15]:
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
