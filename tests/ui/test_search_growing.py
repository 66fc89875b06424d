"""The outline of a tree that grows: it is what a new outline with the same unfolded nodes would be."""

from __future__ import annotations

from contextlib import suppress

import pytest

from nimtui.games import parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.trees import more, search_of
from nimtui.trees.result import Search
from nimtui.trees.settings import MCTS, parse
from nimtui.ui.search.outline import Outline
from nimtui.ui.search.walk import Walk


class Look(Progress):
    """Looks at the search after every chunk, as the screen does, and unfolds more and more of it."""

    def __init__(self, search: Search, looks: int) -> None:
        self.search, self.left, self.walk = search, looks, Walk(1)
        self.grew = 0

    def report(self, done: float, total: float, what: str = "") -> None:
        before = 0 if self.walk.outline is None else len(self.walk.outline)
        marked = None if self.walk.outline is None else self.walk.outline.moves(self.walk.outline.at)
        marked = marked if self.walk.folds.mark is None else self.walk.folds.mark
        assert self.walk.look(self.search)
        outline = self.walk.outline
        assert outline is not None
        self.grew += 0 < before != len(outline)
        if self.walk.folds.mark is None:
            assert marked is None or outline.moves(outline.at) == marked
            assert_as_new(outline)
            folded = (place for place in range(len(outline)) if outline.lines[place] > 0 and not outline.is_open(place))
            partial = (place for place in folded if outline.source.leaves_out(int(outline.lines[place])))
            outline.open(next(partial, len(outline) // 2))
            outline.at = (outline.at * 7 + 3) % len(outline)
            if outline.lines[outline.at] < 0:
                outline.at -= 1
        self.left -= 1
        if not self.left:
            raise Cancelled


def assert_as_new(outline: Outline) -> None:
    """A new outline with the same unfolded nodes has the same lines."""
    unfolded = {int(node) for place, node in enumerate(outline.lines) if outline.is_open(place)}
    new = Outline(outline.source)
    place = 0
    while place < len(new):
        node = int(new.lines[place])
        if node in unfolded and not new.is_open(place):
            assert new.open(place)
        elif node not in unfolded:
            new.close(place)
        place += 1
    assert new.lines.tolist() == outline.lines.tolist()
    assert new.depths.tolist() == outline.depths.tolist()
    for place in range(len(new)):
        assert new.moves(place) == outline.moves(place)
        if new.lines[place] >= 0:
            assert new.after(new.moves(place)) == place


class EvenPace:
    """Chunks of one size, however fast the machine is."""

    def __init__(self, *_: object) -> None:
        self.units = 300

    def begin(self, left: float = 0.0) -> int:
        return self.units

    def end(self, done: int) -> None:
        pass


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("connect4", "mcts:simulations=1,proven=yes"),
        ("connect4:5x5", "alphabeta:depth=14,order=killer"),
        ("connect4:5x5", "alphabeta:depth=13,deepening=yes,order=killer"),
    ],
)
def test_what_grew_below_unfolded_nodes_is_shown_and_the_mark_stays(
    monkeypatch: pytest.MonkeyPatch, game: str, settings: str
) -> None:
    monkeypatch.setattr("nimtui.trees.depth_first.Pace", EvenPace)
    found = parse_game(game)
    search = search_of(found, found.start, parse(settings), most_nodes=200_000)
    look = Look(search, 30)
    if search.settings.algorithm == MCTS:
        for _ in range(29):
            more.simulations(search, 5)
            look.report(0, 0)
    else:
        with suppress(Cancelled):
            search.run(look)
    assert look.grew


def test_a_marked_node_that_is_not_searched_yet_is_marked_as_soon_as_it_is() -> None:
    found = parse_game("connect4:5x5")
    search, walk = search_of(found, found.start, parse("alphabeta:depth=3")).run(), Walk(1)
    walk.look(search)
    outline = walk.outline
    assert outline is not None
    outline.at = 5  # the last move of the root
    marked, seen = outline.moves(5), []
    deeper = search_of(found, found.start, parse("alphabeta:depth=12"))

    class Looks(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            walk.look(deeper)
            seen.append(outline.moves(outline.at))

    deeper.run(Looks())
    walk.look(deeper)
    assert seen[0] == () and outline.moves(outline.at) == marked
