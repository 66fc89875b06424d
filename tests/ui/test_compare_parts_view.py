"""What Compare draws of nodes by depth, of two trees and of all positions, of results made by hand; and the walk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.compare.comparison import Column, PositionComparison
from nimtui.games import Game, parse_game
from nimtui.jobs.job import Snapshot
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG
from nimtui.progress import SILENT
from nimtui.theory.truth import truth
from nimtui.trees import search_of
from nimtui.trees.compare import Comparison, TwoTrees
from nimtui.trees.result import Iteration, Result, Space
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MINIMAX, NATURAL, Settings, parse
from nimtui.ui.compare import parts_view
from nimtui.ui.compare.work import MOST_NODES, ORDER, ByDepth, Everywhere, Positions, Trees, _entrants, positions
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.panel import Paint
from nimtui.ui.play.compare_setup import CompareSetup
from nimtui.ui.train.view import Atlas
from tests.ui.drawn import as_drawn

NIM = parse_game("nim:3,2")


def working(done: float, total: float = 0, what: str = "") -> Any:
    return SimpleNamespace(snapshot=Snapshot(done, total, what))


# Nodes by depth.


def searched(settings: Settings, nodes: int, *before: int, value: int = 3, seconds: float = 0.5) -> Result:
    """A search of so many nodes in all, of which the shallower iterations took those before."""
    iterations = tuple(
        Iteration(depth, each, 0, 0, 0.1) for depth, each in enumerate((*before, nodes - sum(before)), 1)
    )
    space = Space(nodes, 64, 0, settings.depth, 40 * settings.depth, *((9, 64, 1024) if settings.table else ()))
    more = (nodes - 1, nodes // 2, nodes // 4, nodes // 5 if settings.table else 0, value, False, 0, (0,), seconds)
    return Result(settings, True, nodes, *more, space, (), iterations=iterations)


def by_depth(*rows: Result, entrants: int = 3, job: Any = None) -> Any:
    settings = [row.settings for row in rows[:entrants]]
    return SimpleNamespace(result=Comparison(NIM, NIM.start, settings, range(1, 3), list(rows)), job=job)


def three(depth: int, minimax: int, pruned: int, ordered: int, *before: int) -> list[Result]:
    best = Settings(ALPHA_BETA, depth, order=BEST_FIRST)
    return [
        searched(Settings(MINIMAX, depth), minimax, seconds=0.01),
        searched(Settings(ALPHA_BETA, depth), pruned, value=999_995),
        searched(best, ordered, *before, value=-12),
    ]


SAVES = (*three(1, 6, 6, 6), *three(2, 2_200, 1_700, 1_500, 6))
WITH_TABLE = searched(Settings(ALPHA_BETA, 2, order=BEST_FIRST, table=1), 40, 6)
PLAIN_TABLE = searched(Settings(ALPHA_BETA, 2, table=1), 1_000)


# Two trees.


@cache
def trees_of(game: Game, *specs: str) -> tuple[Any, Any]:
    one, other = (search_of(game, game.start, parse(spec)).run().tree for spec in specs)
    return one, other


def grown(*specs: str, at: tuple[int, ...] = (), **more: Any) -> tuple[Trees, Any]:
    """Two trees of nim:3,2 as the screen gets them, with a conductor that does nothing."""
    conductor: Any = SimpleNamespace(
        game=NIM,
        agents=[SimpleNamespace(name=spec) for spec in specs],
        doing=lambda key: None,
        **more,
    )
    trees = Trees(conductor)
    trees._done(TwoTrees(NIM, NIM.start, *trees_of(NIM, *specs)))
    trees.at = at or trees.at
    return trees, conductor


TWO = ("mcts:simulations=20", "alphabeta:depth=3")
DEEP = ("minimax:depth=3", "alphabeta:depth=3,order=best-first")
AGREE = ("minimax:depth=3", "alphabeta:depth=3")


def unfolded(*paths: tuple[int, ...], specs: tuple[str, ...] = TWO, at: tuple[int, ...] = ()) -> tuple[Trees, Any]:
    trees, conductor = grown(*specs, at=at)
    for path in paths:
        assert trees.result is not None and trees.result.unfold(path)
    return trees, conductor


WAITING: Any = SimpleNamespace(result=None, job=working(1_200, 0, "nodes"), fault="")
FAULT: Any = SimpleNamespace(result=None, job=None, fault="Only minimax, alpha-beta and mcts have trees")


def test_the_trees_are_walked_by_lines_and_folded() -> None:
    trees: Any = grown(*AGREE)[0]
    assert trees.at == (0,) and trees.result is not None and not trees.part()
    for act, given, at in (
        *((trees.go, 1, (1,)), (trees.go, -9, (0,)), (trees.go, 9, (4,)), (trees.go, -3, (1,))),
        (trees.fold, True, (1,)),
        (trees.fold, True, (1, 0)),  # it is open: on to the first line below
        (trees.fold, False, (1,)),  # it is folded: to the line above
    ):
        act(given)
        assert trees.at == at and ((1,) in trees.result.open) == (act == trees.fold)
    for shown in (False, True):
        trees.toggle()
        assert ((1,) in trees.result.open) == shown
        trees.fold(shown)
        assert trees.at == ((1, 0) if shown else (1,))
    trees.at = (9, 9)  # of other trees
    trees.go(1)
    trees.result = None
    trees.go(1)
    trees.fold(True)
    trees.toggle()
    assert trees.at == (1,) and trees.part() is False
    apart, _ = grown(*TWO)
    assert apart.result is not None and NIM.position_name(apart.result.state((0, 3))) == "2,1"
    assert apart.result is not None and apart.at == apart.result.parting() and apart.part()


def test_trees_are_searched_unasked_if_that_is_quick_and_unfold_both_best_lines() -> None:
    asked: list[Any] = []
    settings, columns = [parse(spec) for spec in TWO], [Column(spec, nodes=MOST_NODES, decided=True) for spec in TWO]
    trees, conductor = grown(*TWO, state=NIM.start, setup=SimpleNamespace(seed=0), over=False, columns=columns)
    conductor.agents = [SimpleNamespace(settings=each) for each in settings]
    conductor.errand, conductor.drop = lambda name, work, *more: asked.append(name), lambda name: None
    trees.show(0)
    assert not asked, "the result is there"
    for column in (Column("", nodes=MOST_NODES + 1, decided=True), Column("", nodes=1)):
        trees.drop()
        conductor.columns = [columns[0], column]
        trees.show(1)
        assert not asked and trees.searches(1) == settings, "too large, or not decided"
    conductor.columns = columns
    trees.show(1)
    assert asked == [trees.name]
    grown_now = TwoTrees(NIM, NIM.start, *trees_of(NIM, *TWO))
    trees._done(grown_now)
    for at in (0, 1):
        line = grown_now.line(at)
        assert len(line) > 1 and grown_now.best(line, at) is None and line[:-1] in grown_now.open
    trees.drop()
    trees._stopped("")
    trees.show(1)
    assert asked == [trees.name], "not again after a stop"


# All positions.


@cache
def everywhere() -> Any:
    """Verdicts by the number of each position of nim:3,2 that is not lost; none drawn."""
    known = truth(NIM)
    nodes = np.arange(len(known.values))
    lost = known.values < 0
    one = np.where(lost, NOTHING, np.array([RIGHT, WRONG, UNDECIDED, RIGHT], np.int8)[nodes % 4])
    other = np.where(lost, NOTHING, np.array([RIGHT, RIGHT, WRONG], np.int8)[nodes % 3])
    both = PositionComparison(NIM, ("mc:playouts=9", "random"), known, (one.astype(np.int8), other.astype(np.int8)))
    listed = [int(node) for kind in ORDER for node in both.nodes(kind)]
    return SimpleNamespace(result=Positions(both, [], Atlas(NIM, known), listed), job=None, fault="", pair=(0, 2))


def both(make: Callable[..., tuple[Trees, Any]], *given: Any, **more: Any) -> Paint:
    return lambda *size: parts_view.trees(*make(*given, **more))(*size)  # not before it is drawn


def differing(make: Callable[..., tuple[Trees, Any]], *given: Any, **more: Any) -> Paint:
    return lambda *size: parts_view.differences(*make(*given, **more))(*size)


def depths(*rows: Result, **more: Any) -> Paint:
    return parts_view.by_depth(by_depth(*rows, **more))


def counts(node: int) -> Paint:
    return lambda *size: parts_view.counts(everywhere(), node)(*size)  # not before it is drawn


def paying() -> Any:
    """Two agents on all positions of a game that ends with a number."""
    game = parse_game("tree:((3,9),(2,7))")
    agents: Any = (parse_agent("perfect", game), parse_agent("random", game))
    return SimpleNamespace(result=positions(game, agents, 1, SILENT), pair=(0, 1))


def listed(shown: Any, at: int = 0) -> Any:
    return parts_view.rows(shown, at, lambda place: None, lambda: None)


def waiting(job: Any = None) -> Paint:
    shown: Any = SimpleNamespace(job=job, fault="too large")
    return parts_view.waiting(shown)


NOBODY: Any = SimpleNamespace(game=NIM)
NO_GAME: Any = SimpleNamespace(game=None)
BEFORE: Any = SimpleNamespace(result=None, job=None, fault="too large")


@pytest.mark.parametrize(
    ("name", "paint", "columns", "rows", "signs"),
    [
        ("depths: wide", depths(*SAVES), 180, 30, UNICODE),
        ("depths: memory below, ASCII", depths(*SAVES), 159, 30, ASCII),
        ("depths: narrow", depths(*SAVES), 70, 30, UNICODE),
        ("depths: rows of smaller depths hidden", depths(*SAVES), 160, 9, UNICODE),
        ("depths: one row hidden is two", depths(*SAVES), 160, 10, UNICODE),
        ("depths: the order prunes more but costs more", depths(*three(2, 60, 40, 50, 20)), 100, 30, UNICODE),
        ("depths: the order prunes less", depths(*three(2, 41, 40, 70, 6)), 100, 30, UNICODE),
        ("depths: just as many nodes", depths(*three(2, 42, 40, 40, 6)), 100, 30, UNICODE),
        ("depths: a table in best-first order", depths(*three(2, 60, 40, 50, 6)[::2], WITH_TABLE), 100, 30, UNICODE),
        (
            "depths: a table in natural order", depths(*three(2, 60, 40, 50, 6)[:1], PLAIN_TABLE, entrants=2), 100, 30,
            UNICODE,
        ),
        ("depths: one search", depths(*three(2, 60, 40, 50, 6)[:1], entrants=1), 100, 30, UNICODE),
        ("depths: at work", depths(*SAVES[:4], job=working(3, 9)), 100, 30, UNICODE),
        ("depths: nothing done yet", depths(job=working(0)), 100, 30, UNICODE),
        ("depths: nothing yet", parts_view.by_depth(BEFORE), 80, 30, UNICODE),
        ("trees: at the parting", both(grown, *TWO), 80, 30, UNICODE),
        ("trees: unfolded, ASCII", both(unfolded, (0,), (0, 3), at=(0, 3)), 120, 30, ASCII),
        ("trees: with pruned moves", both(unfolded, (0,), (1,), (1, 3), specs=DEEP), 80, 40, UNICODE),
        (
            "trees: the marked place in sight", both(unfolded, (0,), (1,), specs=DEEP, at=(4,)), 60, 6,
            UNICODE,
        ),
        ("trees: searching", parts_view.trees(WAITING, NOBODY), 80, 9, UNICODE),
        ("trees: why there are none", parts_view.trees(FAULT, NOBODY), 30, 9, UNICODE),
        ("differences: at the start", differing(grown, *TWO), 70, 9, UNICODE),
        ("differences: after two moves, ASCII", differing(grown, *DEEP), 70, 9, ASCII),
        ("differences: the best lines agree", differing(grown, *AGREE, at=(0, 3)), 70, 9, UNICODE),
        ("differences: few rows", differing(grown, *TWO), 40, 2, UNICODE),
        ("differences: none yet", parts_view.differences(WAITING, NOBODY), 70, 9, UNICODE),
        ("differences: no game", differing(lambda: (grown(*TWO)[0], NO_GAME)), 70, 9, UNICODE),
        ("counts: the start", counts(0), 100, 20, UNICODE),
        ("counts: a lost position, ASCII", counts(1), 80, 20, ASCII),
        ("counts: none marked", counts(-1), 60, 20, UNICODE),
        ("counts: too few rows for distances", counts(2), 100, 6, UNICODE),
        ("counts: two distances", counts(3), 100, 7, UNICODE),
        ("counts: few rows", counts(3), 40, 2, UNICODE),
        ("counts: payoffs", lambda *size: parts_view.counts(paying(), 1)(*size), 100, 12, UNICODE),
        ("list: payoffs", lambda *size: listed(paying()).paint(range(size[1]), size[0], size[2]), 60, 3, UNICODE),
        ("no map: why there is none", waiting(), 60, 1, UNICODE),
        ("no map: counting", waiting(working(3, 9, "positions")), 60, 1, UNICODE),
        ("no map: solving", waiting(working(3)), 60, 1, UNICODE),
    ],
)  # fmt: skip
def test_what_the_panels_show(name: str, paint: Paint, columns: int, rows: int, signs: Glyphs) -> None:
    as_drawn("compare-parts", name, paint(columns, rows, signs))


def test_the_positions_are_listed_where_the_agents_differ_first(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: Any = everywhere().result
    asked: list[object] = []

    def compared(*given: object, **more: object) -> object:
        asked.extend((*given, more))
        return shown.compared

    monkeypatch.setattr("nimtui.ui.compare.work.compare_positions", compared)
    agents: Any = ("first", "second")
    found = positions(NIM, agents, 7, SILENT)
    assert asked == [NIM, agents, 7, {"progress": SILENT}]
    assert found.listed == shown.listed and [order.name for order in found.orders] == [
        "matches left", "nim-sum", "number",
    ]  # fmt: skip
    assert [found.atlas.name(node) for node in found.listed[:3]] == ["1,2", "2,0", "3,1"]
    rows = listed(everywhere(), 2)
    as_drawn("compare-parts", "list: wide", rows.paint(range(len(shown.listed)), 60, UNICODE))
    as_drawn("compare-parts", "list: ASCII", rows.paint(range(3, 6), 40, ASCII))
    assert (rows.count, rows.at) == (len(shown.listed), 2)
    assert listed(BEFORE) is None
    assert parts_view.counts(BEFORE, 0)(80, 9, UNICODE) == []


# What the parts search: without room for doubt, and only once.


class Errands(SimpleNamespace):
    """A conductor that only writes down what it should do."""

    def __init__(self, *specs: str, game: Game | None = NIM, **more: Any) -> None:
        agents = [parse_agent(spec, NIM) for spec in specs]
        setup = CompareSetup("nim:3,2", None, specs, 7)
        usual = {"game": game, "state": NIM.start, "setup": setup, "over": False, "agents": agents, "message": "old"}
        super().__init__(errands=[], running=None, dropped=[], **{**usual, **more})

    def errand(self, name: str, work: Any, *given: Any, **more: Any) -> None:
        self.errands.append((name, work))

    def doing(self, name: str) -> Any:
        return self.running

    def drop(self, *names: str) -> None:
        self.dropped += names


def test_each_depth_is_searched_by_the_plain_searches_and_by_the_agents_own() -> None:
    assert _entrants([]) == [
        Settings(MINIMAX), Settings(ALPHA_BETA), Settings(ALPHA_BETA, order=BEST_FIRST)
    ]  # fmt: skip
    own = [Settings(ALPHA_BETA, 8, time=2.0), Settings(ALPHA_BETA, 3, table=1)]
    assert [(each.algorithm, each.order, each.table) for each in _entrants(own)] == [
        (MINIMAX, NATURAL, 0), (ALPHA_BETA, NATURAL, 0), (ALPHA_BETA, BEST_FIRST, 0), (ALPHA_BETA, NATURAL, 1)
    ]  # fmt: skip
    assert all((each.depth, each.time) == (Settings(MINIMAX).depth, 0.0) for each in _entrants(own))


@pytest.mark.parametrize(
    ("specs", "deepest"),
    [
        (("alphabeta:depth=3", "minimax:depth=4"), 4), (("mcts:simulations=9", "random"), 6),
        (("alphabeta:depth=-1",), 6), (("alphabeta:depth=12",), 10),
    ],
)  # fmt: skip
def test_depths_go_as_far_as_the_agents(specs: tuple[str, ...], deepest: int) -> None:
    conductor: Any = Errands(*specs)
    part = ByDepth(conductor)
    part.find()
    assert part.result is not None and list(part.result.depths) == list(range(1, deepest + 1))
    assert [name for name, _ in conductor.errands] == ["nodes by depth"] and conductor.message == ""
    part.result.rows.append(SAVES[0])
    part.find()  # goes on with what it has
    assert len(conductor.errands) == 2 and part.result.rows == [SAVES[0]]
    conductor.running = object()
    part.find()
    assert len(conductor.errands) == 2
    part._stopped("out of memory")
    assert conductor.message == "out of memory"


@pytest.mark.parametrize("missing", [{"game": None}, {"state": None}, {"over": True}, {"setup": None}])
def test_without_a_position_nothing_is_searched(missing: dict[str, Any]) -> None:
    conductor: Any = Errands("minimax:depth=2", "alphabeta:depth=2", **missing)
    ByDepth(conductor).find() if "setup" not in missing else None
    Trees(conductor).find(1)
    assert conductor.errands == []
    Everywhere(conductor).find(1)  # needs no position, only the game
    assert len(conductor.errands) == ("game" not in missing and "setup" not in missing)


def test_trees_are_those_of_the_first_agent_and_the_marked_one() -> None:
    conductor: Any = Errands("minimax:depth=2", "random", "alphabeta:depth=2")
    trees = Trees(conductor)
    for marked, pair in ((0, (0, 1)), (1, (0, 1)), (2, (0, 2))):
        trees.find(marked)
        assert trees.pair == pair
    assert [name for name, _ in conductor.errands] == ["search trees"]  # random has no tree
    assert conductor.dropped == ["search trees"] * 3 and trees.fault == ""
    grown_trees = conductor.errands[0][1](SILENT)
    assert [tree.move(1) for tree in grown_trees.trees] == [0, 0]
    trees.result = grown_trees
    trees.find(2)
    assert len(conductor.errands) == 1, "they are there already"
    trees.find(1)
    assert trees.fault == "Only minimax, alpha-beta and mcts have trees: a changes an agent" and trees.result is None
    trees._stopped("")
    assert trees.fault == "Stopped"


def test_all_positions_are_compared_once_for_game_agents_and_seed() -> None:
    conductor: Any = Errands("random", "perfect", "mc:playouts=2")
    part = Everywhere(conductor)
    part.find(0)
    assert part.pair == (0, 1) and len(conductor.errands) == 1
    result = part.result = everywhere().result
    part.find(1)
    assert len(conductor.errands) == 1 and part.result is result
    part.forget_others()
    assert part.result is result
    conductor.setup = CompareSetup("nim:3,2", None, (), 8)
    part.forget_others()
    assert part.result is None and conductor.dropped == ["compare on all positions"]
    part.find(2)
    assert part.pair == (0, 2) and len(conductor.errands) == 2
    part._stopped("")
    assert part.fault == "Stopped. m starts again"
    part.find(2)
    assert len(conductor.errands) == 3 and part.fault == ""
    alone: Any = Errands("random")
    part = Everywhere(alone)
    part.find(0)
    assert not alone.errands and part.fault == "Two agents are needed here: a adds one"
