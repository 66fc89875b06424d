"""The outline of a tree, against a model of it: which nodes are unfolded, and which line is marked."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.tree import Replay
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource
from tests.trees.helpers import tree as searched_tree


@cache
def outlined() -> list[tuple[str, Any]]:
    whole, part = searched_tree("nim:2,1", "alphabeta:depth=3"), searched_tree("nim:2,2", "minimax:depth=-1", most=20)
    pruned = searched_tree("nim:2,2", "alphabeta:depth=-1", most=20)  # lines below two nodes stand at one place
    replay, game = Replay(searched_tree("nim:1,2", "alphabeta:depth=-1")), parse_game("nim:2,1")
    moment = WindowSource(replay.tree, replay)
    moment.at = len(replay) // 2
    grown = GrowingTree(MonteCarloSearch(game, game.start, 9, stream=Stream(1)).run())
    sources = [("", WindowSource(tree)) for tree in (whole, part, pruned)]
    return [*sources, ("moment", moment), ("", GrowthSource(grown))]


@pytest.mark.parametrize("number", range(5))
def test_an_outline_has_the_lines_of_its_unfolded_nodes_whatever_is_folded(number: int) -> None:
    """A set of unfolded nodes, from which all lines follow, and a mark do the same as the outline."""
    name, source = outlined()[number]
    chance, outline, mark = random.Random(2), Outline(source), 0
    every, unfolded = [0], {0}
    for node in every:
        every += source.children(node)
    paths = {node: source.tree.path(node) for node in every}
    below = {node: source.children(node) + [~node] * source.leaves_out(node) for node in every}

    def lines(line: int = 0, depth: int = 0) -> list[tuple[int, int]]:
        inside = below[line] if line in unfolded else []
        return [(line, depth), *(each for one in inside for each in lines(one, depth + 1))]

    for _ in range(70):
        shown = [line for line, _ in lines()]
        place, what, node = chance.randrange(len(shown)), chance.randrange(6), chance.choice(every)
        line, at = shown[place], shown.index(mark)
        if what == 0:
            assert outline.open(place) == bool(line >= 0 and line not in unfolded and below[line])
            unfolded |= {line} if line >= 0 and below[line] else set()
        elif what == 1 or (what == 2 and mark in unfolded):
            line = line if what == 1 else mark
            assert (outline.close(place) if what == 1 else outline.step_out()) == (line in unfolded)
            inside = {each for each in every if line in paths[each]}
            unfolded, mark = unfolded - inside, line if mark in inside or ~mark in inside else mark
        elif what == 2:
            assert outline.step_out() == (at > 0)
            mark = mark if not at else ~mark if mark < 0 else paths[mark][-2]
        elif what in (3, 4):
            [outline.reveal, outline.alone][what - 3](node)
            unfolded = {step for step in paths[node][: what - 4 or None] if below[step]} | (
                unfolded if what == 3 else set()
            )
            mark = node
        elif not name:  # to a depth, of which a moment knows nothing
            ply = chance.randrange(4)
            unfolded = {each for each in every if len(paths[each]) <= ply and below[each]}
            assert not outline.fold_to(ply, len(lines()) - 1) and outline.lines.tolist() == shown
            assert outline.fold_to(ply, len(lines()))
            mark = [step for step in paths[max(mark, ~mark)] if step in dict(lines())][-1]
        assert [*zip(outline.lines.tolist(), outline.depths.tolist(), strict=True)] == lines()
        assert (lines()[outline.at][0], outline.node) == (mark, max(mark, ~mark))
        for at, (line, _) in enumerate(lines()):
            named = tuple(int(source.tree.moves[step]) for step in paths[max(line, ~line)][1:])
            assert outline.moves(at) == named and outline.is_open(at) == (line in unfolded)
            assert line < 0 or (outline.after(named) == at == outline.place(line))
        assert outline.after((99,)) is None and outline.place(len(source.tree.moves)) is None
