"""The panels and lines of the Search screen, painted without it, and what the time slider says."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.agents import Decision, Thought
from nimtui.engine.rng import Stream
from nimtui.engine.windows import INFINITY, WIN
from nimtui.games import parse_game
from nimtui.jobs import Jobs
from nimtui.report.lines import Ink, Line, line, plain_text
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue
from nimtui.theory.report import bounded, truth
from nimtui.trees import search_of
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.report import TreeValue
from nimtui.trees.result import Standing
from nimtui.trees.settings import parse
from nimtui.trees.tree import Kind, Replay
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.panel import Paint
from nimtui.ui.search import view
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource
from nimtui.ui.search.rows import GrowthRows, Interval, WindowRows, bars, ends_of, lettered
from nimtui.ui.search.setup import PRESETS, SearchSetup
from nimtui.ui.search.walk import GrowthSlider, Walk, WindowSlider, windows_to
from nimtui.ui.search.work import SearchWork
from tests.trees.helpers import tree as searched_tree
from tests.ui.drawn import as_drawn
from tests.ui.playing import eventually, painted
from tests.ui.searching import GROWN, ORIGINAL

ENDED = SearchSetup("nim:1,2,3", None, "alphabeta:depth=-1,table=64")


async def ended(setup: SearchSetup) -> SearchWork:
    """The search at its end, with all that is known beside it, and a duration that is always the same."""
    work = SearchWork(Jobs())
    work.start(setup)
    await eventually(lambda: work.found is not None and not work.on and not work.on_errand())
    if work.found is not None and work.found.result is not None:
        work.found.result = replace(work.found.result, seconds=2.0)
    return work


def walked(work: SearchWork) -> Any:
    walk = Walk(1)
    assert work.found is not None and work.search is not None
    walk.open(work.found, work.search)
    assert walk.rows is not None
    walk.rows.truths = {each.truth.move: each for each in view.judgements(work)}
    return walk


def rows_of(walk: Any, columns: int, mark: int, signs: Glyphs = UNICODE) -> list[Line]:
    rows = (
        walk.rows.row(place, columns, signs).line(place == mark, columns, signs) for place in range(len(walk.outline))
    )
    return [line(walk.rows.head(columns, signs)), *rows]


def drawn(name: str, paint: Paint, columns: int, rows: int = 40, signs: Glyphs = UNICODE) -> None:
    as_drawn("search", f"{name}, {columns} × {rows}", paint(columns, rows, signs))


async def test_the_lines_of_alpha_beta() -> None:
    walk = walked(await ended(ORIGINAL))
    as_drawn("search", "alpha-beta", rows_of(walk, 76, 1))
    as_drawn("search", "alpha-beta with bars", rows_of(walk, 110, 1))
    source = walk.outline.source
    walk.outline.reveal(source.tree.next_cut(0))
    walk.outline.open(walk.outline.at)
    as_drawn("search", "alpha-beta, a cut in ASCII", rows_of(walk, 46, walk.outline.at, ASCII))


async def test_a_walk_unfolds_the_best_line_as_far_as_there_is_room_and_shows_it_alone() -> None:
    work = await ended(ORIGINAL)
    walk = walked(work)
    assert not walk.touched and walk.filter == "" and walk.outline.at == 0
    walk.unfold_best(25)
    unfolded = [place for place in range(len(walk.outline)) if walk.outline.is_open(place)]
    best = walk.source.tree.principal
    assert [int(walk.outline.lines[place]) for place in unfolded] == best[:3] and len(walk.outline) <= 25
    walk.unfold_best(60)
    largest = max(walk.source.children(0), key=walk.rows.size)
    assert walk.outline.is_open(walk.outline.place(largest)) and 45 < len(walk.outline) < 60
    walk.unfold_best(25)
    assert len(walk.outline) <= 25, "in less room as if it had been opened there"
    walk.outline.close(0)
    walk.unfold_best(60)
    assert len(walk.outline) == 1, "somebody has folded it"
    walk.outline.alone(0)
    walk.show_principal()
    assert walk.outline.lines.tolist() == best and walk.outline.depths.tolist() == [0, 1, 2, 3, 4]
    walk.slider.go(3)
    walk.leave_time()
    assert walk.slider.at is None and len(walk.outline) == 11
    walk.filter = "cuts"
    walk.outline.show(*walk.source.cuts())
    assert walk.look(work.search) and walk.filter == "" and len(walk.outline) == 11  # the search goes on
    assert walk.found is None and walk.slider is None


async def test_the_lines_of_a_search_to_the_end_where_values_are_brief() -> None:
    walk = walked(await ended(ENDED))
    for columns in (60, 46):
        as_drawn("search", f"to the end, {columns}", rows_of(walk, columns, 1))


async def test_the_lines_of_a_tree_search() -> None:
    walk = walked(await ended(GROWN))
    as_drawn("search", "a tree search", rows_of(walk, 60, 2))
    sizes = {0: 1, 1: 4, 2: 13}
    assert {ply: walk.outline.fold_to(ply, 20) and len(walk.outline) for ply in sizes} == sizes
    assert not walk.outline.fold_to(3, 20) and len(walk.outline) == 13
    few = walked(await ended(SearchSetup("nim:3,4", None, "mcts:simulations=3")))
    assert [few.source.leaves_out(node) for node in (0, 1)] == [True, False]
    as_drawn("search", "a tree search of 3 simulations", rows_of(few, 60, 0))
    proven = walked(await ended(SearchSetup("nim:1,1", None, "mcts:simulations=20,proven=yes")))
    proven.rows.truths = {}
    as_drawn("search", "a proven tree", rows_of(proven, 60, 0))


@pytest.mark.parametrize(
    ("setup", "title"),
    [
        (ORIGINAL, "Alpha-beta · nim:1,2,3,4 · depth 4 · document's heuristic"),
        (ENDED, "Alpha-beta · nim:1,2,3 · to the end · table of 64"),
        (replace(ENDED, position="1,2,0"), "Alpha-beta · nim:1,2,3 from 1,2,0 · to the end · table of 64"),
        (GROWN, "Tree search · subtraction:21,3:misere · 500 simulations · c 1"),
        (
            SearchSetup("nim:3,2", None, "mcts:time=0.5,c=2.0,log=root,policy=perfect-opponent"),
            "Tree search · nim:3,2 · 0.5 s · c 2 · log root · perfect-opponent",
        ),
        (SearchSetup("nim:3,2", None, "minimax:depth=2"), "Minimax · nim:3,2 · depth 2"),
        (
            SearchSetup("nim:3,2", None, "alphabeta:depth=3,order=killer,deepening=yes,heuristic=flat"),
            "Alpha-beta · nim:3,2 · depth 3 · killer order · deepening · flat heuristic",
        ),
        (SearchSetup("nim:3,2", None, "mc:playouts=50"), "Flat Monte Carlo · nim:3,2 · playouts 50"),
        (None, "No search yet. Press N to start one"),
    ],
)
def test_the_title_names_all_that_is_not_usual(setup: SearchSetup | None, title: str) -> None:
    search = None
    if setup is not None and not setup.flat:
        game = parse_game(setup.game)
        search = search_of(game, game.new(setup.position), parse(setup.search))
    work: Any = SimpleNamespace(
        setup=setup, search=search, paused=True, stopped=False, on=False, job=None, standing=None
    )
    assert view.title(work) == title
    assert painted(view.status(work, "event 3"), 100, 1) == [title + "paused · event 3".rjust(100 - len(title))]
    work.paused, work.stopped = False, True
    assert painted(view.status(work, "event 3"), 100, 1)[0].endswith(" stopped · event 3")


async def test_the_numbers_of_a_search_in_wide_and_narrow_panels() -> None:
    work = await ended(ORIGINAL)
    source = walked(work).outline.source
    beside = [("repeats", "none")]
    assert view.counted(work, source, 1, True)[0] == [
        ("nodes", "669  leaves 393  330/s"), ("cutoffs", "199, 803 moves pruned"), ("minimax", "2,978  4.5 × as many"),
        ("plays", "c3  value −2"), *beside,
    ]  # fmt: skip
    assert view.counted(work, source, 1, False) == (
        [("nodes", "669  330/s"), ("cutoffs", "199"), ("minimax", "2,978  4.5 ×"), ("plays", "c3  −2")],
        [("tree", "669 nodes, 16.7 kB"), ("stack", "4 plies, 256 bytes")],
    )
    repeated = next(node for node in range(len(source.tree)) if len(source.tree.same(node)) == 3)
    assert view.again(source, repeated) == [("repeats", "2 more (t)")] and view.again(None, 1) == []
    assert view.exact_values(work) == [("d4 is the only win", Ink.RIGHT), ("plays c3: loses in 8", Ink.WRONG)]
    paint = view.facts(work, [("nodes", "669")], ["It is said."], [("tree", "5 nodes")])
    for rows in (9, 4):
        drawn("facts", paint, 30, rows)
    table = await ended(ENDED)
    assert view.counted(table, None, 1, True)[0][2:] == [
        ("table", "39 hits, 19 of 64 entries, 1.22 kB"),
        ("minimax", "447  5.5 × as many"),
        ("plays", "a1  value loses in 6 plies, proven"),
    ]
    assert view.counted(table, None, 1, False)[0][2] == ("table", "39 hits, 19 used")
    assert view.exact_values(table) == [("every move loses", Ink.TEXT)]
    grown = await ended(GROWN)
    assert view.counted(grown, None, 1, True) == (
        [("nodes", "493  leaves 283  250/s"), ("plays", "a2  +0.012"), ("seconds", "2.000")],
        [("tree", "616 nodes, 25.3 kB"), ("stack", "11 plies, 48 bytes")],
    )
    fresh = SearchWork(Jobs())
    fresh.truths = grown.truths
    assert view.judgements(fresh) == [] and view.judgements(grown) != []
    assert view.counted(SearchWork(Jobs()), None, 0, True) == ([], []) and view.exact_values(SearchWork(Jobs())) == []


@pytest.mark.parametrize(
    ("settings", "wide", "narrow", "numbers"),
    [
        (
            "mcts:simulations=5000", "1,234  24 %   2.5 k/s  depth  4    0.5 s", "1,234  24 %   2.5 k/s",
            [("depth", "4  2.5 k/s"), ("plays", "a2  +0.250")],
        ),
        (
            "alphabeta:depth=4", "      1,234   2.5 k/s  depth  4    0.5 s", "      1,234   2.5 k/s",
            [("nodes", "1,234  2.5 k/s"), ("plays", "a2  value 0")],
        ),
    ],
)  # fmt: skip
def test_how_far_a_running_search_has_come(
    settings: str, wide: str, narrow: str, numbers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, tree = parse_game("nim:3,4"), settings.startswith("mcts")
    standing = Standing(parse(settings), 1234, 5000 * tree, 0.5, 4, 1, 0.25 if tree else 0, False, ())
    snapshot = SimpleNamespace(done=3, far="3 of 5", what="kernels")
    job = SimpleNamespace(snapshot=snapshot)
    work: Any = SearchWork(Jobs())
    work.game, work.root, work.standing, work.job = game, game.start, standing, job
    monkeypatch.setattr(SearchWork, "on", True)
    for columns, text in ((76, wide), (75, narrow)):
        assert painted(view.status(work, ""), columns, 1)[0].endswith(f"  {text}".rstrip())
    assert view.counted(work, None, 0, True) == (numbers, [])
    work.standing = None
    assert painted(view.status(work, ""), 76, 1)[0].endswith("  3 of 5 kernels")
    snapshot.done = 0
    assert painted(view.status(work, ""), 76, 1)[0].endswith("  preparing")
    monkeypatch.setattr(SearchWork, "on", False)
    assert painted(view.status(work, ""), 76, 1)[0].endswith("to start one")


def test_where_a_search_is_wrong_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("nim:9,9")
    values = [MoveValue(move, Outcome.WIN if move < 8 else Outcome.LOSS, move < 8, 3) for move in range(10)]
    work: Any = SimpleNamespace(truths=values, game=game, root=game.start, truth_fault="")
    judged = [SimpleNamespace(truth=values[move], wrong=move != 1, preferred=move != 8) for move in (9, 8, 0, 1)]
    monkeypatch.setattr(view, "judgements", lambda work: judged)
    names = [game.move_name(move, game.start) for move in range(10)]
    assert view.exact_values(work) == [
        (f"{', '.join(names[:6])} and 2 more win", Ink.RIGHT),
        (f"plays {names[9]}: loses in 3, wrong about {names[8]}, {names[0]}", Ink.WRONG),
    ]
    work.truths, judged[:] = None, []
    assert view.exact_values(work) == []
    work.truth_fault = "too large"
    assert view.exact_values(work) == [("too large", Ink.QUIET)]
    work.truths = [MoveValue(0, Outcome.DRAW, True), MoveValue(1, Outcome.DRAW, True)]
    assert view.exact_values(work) == [(f"{names[0]}, {names[1]} draw", Ink.RIGHT)]


async def test_the_moves_of_the_root_in_the_order_of_the_search_or_of_their_visits() -> None:
    for name, work in (("alpha-beta", await ended(ENDED)), ("tree", await ended(GROWN)), ("none", SearchWork(Jobs()))):
        drawn(f"moves of the root: {name}", view.root_moves(work), 70, 20)


async def test_flat_monte_carlo_says_why_it_sees_nothing() -> None:
    work = await ended(SearchSetup("nim:3,2", None, "mc:playouts=50"))
    panel = " ".join(painted(view.intervals(work), 70, 20))
    assert "5 of 5 intervals contain 0, an even score (95 % for all moves together)." in panel
    assert "Every move wins exactly half of its random games here." in panel
    assert panel.endswith("Flat Monte Carlo plays b1: a mistake; right: a1.")
    assert painted(view.intervals(SearchWork(Jobs())), 70, 20) == []
    assert " ".join(painted(view.intervals(await ended(PRESETS[-1].setup)), 90, 40)).endswith("right: b2, c2, e6.")


def test_intervals_that_are_not_known_yet_and_nodes_that_are_not_recorded() -> None:
    game = parse_game("nim:1,1,1")
    thoughts = (Thought(0, value=0.5, low=0.1, high=0.9), Thought(1, value=-0.5, low=-0.9, high=-0.1), Thought(2))
    flat: Any = SimpleNamespace(flat=Decision(0, thoughts), game=game, root=game.start, truths=None)
    panel = painted(view.intervals(flat), 90, 20)
    assert panel[-1] == "1 of 3 intervals contain 0, an even score (95 % for all moves together)."
    assert [row.split()[0] for row in panel[2:5]] == ["▸", "c1", "b1"]
    search = search_of(game, game.start, parse("minimax:depth=3"), most_nodes=5).run()
    walk = Walk(1)
    assert walk.look(search)
    source: Any = walk.source
    part: Any = SimpleNamespace(game=game, root=game.start, found=None, standing=search.standing)
    assert source.leaves_out(0) and view.counted(part, source, 0, False)[0][2:] == [("recorded", "the first 5")]
    assert view.counted(part, None, 0, False)[0][2:] == []


async def test_windows_are_bars_on_one_scale() -> None:
    work = await ended(ENDED)
    walk = walked(work)
    source = walk.outline.source
    windows = windows_to(source.tree, source.tree.next_cut(0))
    drawn("windows", bars(windows, walk.slider.scale), 50, 10)
    drawn("windows, the last two", bars(windows, ends_of(windows)), 50, 3)
    assert painted(bars([], []), 50) == painted(bars(windows, []), 50, 1) == []
    assert ends_of(windows) == [6 - WIN, WIN - 5]
    shut = [Interval("a long name", -3, 4), Interval("b", 2, 2)]
    drawn("a shut window", bars(shut, [-3, 2, 4]), 40)
    assert painted(bars(shut, [-3, 2, 4]), 23, signs=ASCII)[0] == "Windows (a, b) on this~"
    assert lettered("window (α, β)", ASCII) == "window (a, b)"


async def test_the_board_of_the_marked_node() -> None:
    work = await ended(ENDED)
    moves = [0, 1, 1]
    drawn("board", view.board(work.game, work.root, moves, True), 30, 12)
    assert painted(view.board(work.game, work.root, [0], False), 30, 12)[0] == "a1"
    assert painted(view.board(work.game, work.root, [], True), 30, 12)[0] == "Board · 1,2,3"
    assert "■" in "\n".join(painted(view.board(work.game, work.root, [0], False), 40, 12))
    assert painted(view.board(work.game, work.root, [0], False), 30, 2) == ["a1", "0,2,3"]
    assert painted(view.board(None, None, [], True), 30) == []


async def test_what_stands_in_place_of_a_reason() -> None:
    source = walked(await ended(ORIGINAL)).outline.source
    assert isinstance(source, WindowSource)
    leaf = int((source.tree.plies == 4).nonzero()[0][0])
    assert painted(view.why([], False, source, leaf), 90) == [
        "Why moves were pruned", "No move of this position was searched: depth limit.",
    ]  # fmt: skip
    assert painted(view.why([], False, source, 0), 90)[1] == "Every move of this position was searched."
    assert painted(view.why(["Enter root"], True, source, 0), 90) == ["This event", "Enter root"]
    assert painted(view.why([], False, None, 0), 90) == ["Events", "Press . to see what each simulation does."]


async def test_a_tree_is_drawn_as_in_books_with_what_is_known_of_it_at_each_moment() -> None:
    """MAX chooses the larger of min(3, 12, 8), min(2, ...) and min(14, 5, 2); the second is cut at its first leaf."""
    work = await ended(SearchSetup("tree:((3,12,8),(2,4,6),(14,5,2))", None, "alphabeta:depth=-1"))
    walk = walked(work)
    paint = view.book(work.game, work.root, [], walk.rows)  # type: ignore[arg-type]
    for event in (None, 0, 8, 14, len(walk.slider) - 1):
        walk.slider.go(event)
        drawn(f"a book's tree at event {event}", paint, 60, 12)
    walk.slider.go(14)
    as_drawn("search", "lines in the middle of a search", rows_of(walk, 76, 1))
    assert view.exact_values(work) == [("1: worth +3", Ink.RIGHT)]
    grown = await ended(SearchSetup("tree:((3,9),(2,7))", None, "mcts:simulations=40"))
    drawn("a book's tree of simulations", view.book(grown.game, grown.root, [1], walked(grown).rows), 60, 12)  # type: ignore[arg-type]
    even = await ended(SearchSetup("tree:((3,9),(3,7))", None, "minimax:depth=-1"))
    assert view.exact_values(even) == [("every move: worth +3", Ink.RIGHT)]


def test_a_decided_value_says_its_plies() -> None:
    values = [TreeValue(value) for value in (WIN - 7, 6 - WIN, -4, 0, INFINITY, -INFINITY)]
    assert [value.text for value in values] == ["wins in 7", "loses in 6", "−4", "0", "+∞", "−∞"]
    assert [value.short for value in values] == ["win 7", "loss 6", "−4", "0", "+∞", "−∞"]
    assert TreeValue(WIN - 1).whole == "wins in 1 ply" and TreeValue(3 - WIN).whole == "loses in 3 plies"
    bound = bounded(TreeValue(6 - WIN), "upper")
    assert (bound.text, bound.short) == ("≤ loses in 6", "≤ loss 6")
    exact = MoveValue(0, Outcome.LOSS, False, 12)
    assert truth(exact).text == "loses in 12" and truth(replace(exact, remoteness=None)).text == "loses"


# What the time slider says; the events and the simulations themselves are held by tests/trees.


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
    assert slider.next_cut(False) == 27 and slider.begin(1) == 1 and slider.scale is slider.scale
    slider.go(29)  # of the last event nothing is searched any more
    assert slider.windows(0) == windows_to(slider.tree, 0) and slider.node == 0
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
    assert slider.next_cut(True) == 28 and slider.rows.path == frozenset() and slider.replay.at == 8
    for at, backwards, target in (
        (0, True, None), (3, True, None), (4, True, 0), (7, False, 8), (27, False, 28), (28, False, None),
    ):  # fmt: skip
        slider.go(at)
        assert slider.next_cut(backwards) == target and slider.replay.at == (at + 1) // 4
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
