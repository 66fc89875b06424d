"""What the time slider says of events and simulations.

The events and the simulations themselves are held by tests/trees; here is how they are told.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.engine.rng import Stream
from nimtui.engine.windows import INFINITY, WIN
from nimtui.games import parse_game
from nimtui.report.lines import line, plain_text
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.tree import Kind, Replay
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource
from nimtui.ui.search.rows import GrowthRows, Interval, WindowRows
from nimtui.ui.search.walk import GrowthSlider, WindowSlider, windows_to
from tests.trees.helpers import tree as searched_tree
from tests.ui.drawn import as_drawn


def as_told(name: str, told: list[str]) -> None:
    as_drawn("search", name, map(line, told))


def slider_of(name: str, how: str) -> WindowSlider:
    replay = Replay(searched_tree(name, how))
    return WindowSlider(replay, WindowRows(Outline(WindowSource(replay.tree, replay))))


@pytest.mark.parametrize(
    ("how", "events"), [("alphabeta:depth=2", (0, 13)), ("alphabeta:depth=2", (25, 30)), ("minimax:depth=-1", (4, 9))]
)
def test_every_event_of_a_search_is_told(how: str, events: tuple[int, int]) -> None:
    slider, told = slider_of("nim:1,2", how), list[str]()
    for at in range(*events):
        slider.go(at)
        assert slider.moment == f"event {at + 1} of {len(slider)}"
        told += slider.sentences
    as_told(f"events from {events[0] + 1} on of {how}", told)


def test_counts_windows_and_the_whole_search() -> None:
    slider = slider_of("nim:1,2", "alphabeta:depth=2")
    assert (slider.moment, slider.sentences, slider.counts, len(slider)) == ("30 events", [], [], 30)
    assert slider.scale == [2 - WIN, -1]
    for event, nodes, cuts in ((1, 1, 0), (12, 4, 0), (27, 9, 0), (28, 9, 1), (30, 9, 1)):
        slider.go(event - 1)
        assert slider.counts == [("so far", f"{nodes} node{'s' * (nodes > 1)}  cutoffs {cuts}"), ("of", "9 nodes")]
    slider.go(16)  # in the middle of b1: the windows of now, and those of a node at its entry
    assert slider.windows(slider.node) == [Interval("root", 2 - WIN, INFINITY), Interval("b1", 2 - WIN, -1)]
    assert slider.windows(1) == windows_to(slider.tree, 1) == [
        Interval("root", -INFINITY, INFINITY), Interval("a1", -INFINITY, INFINITY),
    ]  # fmt: skip
    assert slider.next_cut(False) == 27 and slider.begin(1) == 1
    slider.go(None)
    assert slider.next_cut(True) == 27 and slider.next_cut(False) is None
    assert slider.windows(0) == [Interval("root", -INFINITY, INFINITY)]


def test_what_the_tree_shows_at_each_moment() -> None:
    slider = slider_of("nim:2,3,1", "alphabeta:depth=3")
    source, replay, tree = slider.rows.source, slider.replay, slider.tree
    told: dict[Kind, dict[int, int]] = {kind: {} for kind in Kind}  # when each node was entered, cut and left
    for at in range(len(slider)):
        event = replay.event(at)
        told[event.kind].setdefault(event.node, at)
    assert not source.growing and WindowSource(tree).growing and told[Kind.CUT]
    for at in range(0, len(slider), 3):
        slider.go(at)
        for node in range(min(len(tree), 40)):
            assert source.returned(node) == (told[Kind.RETURN][node] <= at)
            assert source.leaves_out(node) == (told[Kind.CUT].get(node, len(slider)) <= at)
            assert source.children(node) == [child for child in tree.children(node) if told[Kind.ENTER][child] <= at]


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
        number = nodes.removesuffix(" nodes").removesuffix(" node")
        told.append(f"{slider.moment}: {'; '.join(slider.sentences)}: {number}")
    as_told("simulations", told)
    told = []
    for at in range(28, 31):
        slider.go(at)
        told += slider.sentences
    as_told("the last simulation", told)
    assert [slider.next_cut(backwards) for backwards in (False, True)] == [None, 24] and slider.begin(0) == 0
    slider.go(None)
    assert slider.next_cut(True) == 28 and slider.rows.path == frozenset()
    branches = [SimpleNamespace(node=node, bonus=None, mean=None) for node in (2, 1)]
    choice: Any = SimpleNamespace(chosen=1, untried=False, branches=branches)
    assert slider._choice(choice) == "a1: proven"


@pytest.mark.parametrize("columns", [46, 50, 60, 80, 110])
def test_the_largest_payoffs_stay_in_their_columns(columns: int) -> None:
    tree = searched_tree("tree:((999999999,-1000000000),(0,1000000000),(600000000,7))", "alphabeta:depth=-1")
    rows = WindowRows(Outline(WindowSource(tree, Replay(tree))))
    end = rows.head(columns, UNICODE).index("value") + len("value")
    for place in range(len(rows.outline.lines)):
        text = plain_text(rows.row(place, columns, UNICODE).line(False, columns, UNICODE))
        assert text[:end].rstrip()[-1].isdigit() and text[end] == " ", text
        window = text[end:].split("(")[1:]
        assert all(part.rstrip().count(")") == 1 for part in window), text
