"""The painters of Compare, on comparisons made by hand: the table, the answers, the curves, the form, the exports."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.agent import Thinking
from nimtui.arena.compare.comparison import NODES, SIMULATIONS, VISITED, Cell, Column, Comparison
from nimtui.arena.compare.effort_curve import Curve, Step
from nimtui.games import base, parse_game
from nimtui.jobs import Jobs
from nimtui.jobs.job import Snapshot
from nimtui.progress import SILENT
from nimtui.theory.answers import known_moves
from nimtui.ui.compare import view
from nimtui.ui.compare.screen import CompareDraft
from nimtui.ui.compare.view import HEAD, Place
from nimtui.ui.compare.work import CompareWork, able, content, positions, suggested
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.panel import Paint
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP, TABLE, CompareSetup, beside
from tests.ui.drawn import as_drawn

NIM = parse_game("nim:3,2")  # a1 alone wins
A1, A2, A3, B1, B2 = base.legal_moves(NIM.start)
TREE = Column(
    "mcts:simulations=60",
    (
        Cell(A1, 1, 0.625, share=0.75), Cell(A2, 3, -0.5, share=0.05), Cell(A3, 5, -1.0, share=0.0004),
        Cell(B1, 2, 0.0, share=0.1496), Cell(B2, 3, -0.5, share=0.05),
    ),
    A1,
    (A1, B1, A1),
    60,
    SIMULATIONS,
    41,
    0.25,
    VISITED,
    decided=True,
)  # fmt: skip
SEARCH = Column(
    "alphabeta:depth=2",
    (
        Cell(A1, 2, score=3.0, bound="upper"), Cell(A2, 2, score=-995.0), Cell(A3, 4), Cell(B1, 1, score=12.0),
        Cell(B2, 4, score=-2.0, bound="lower"),
    ),
    B1,
    (B1,),
    17,
    NODES,
    17,
    1.5,
    note="Searches 2 plies.",
    decided=True,
)  # fmt: skip
LOOKS_UP = Column("random", move=A1, line=(A1,), seconds=0.001, decided=True)
FAILED = Column("own", fault="raised ValueError: no", decided=True)


def scene(*columns: Column, position: str = "3,2", solved: bool = True, **more: Any) -> Any:
    """A conductor of nim:3,2 with these columns and no work."""
    state = NIM.new(position)
    compared = Comparison(NIM, state, columns, known_moves(NIM, state) if solved else None)
    return SimpleNamespace(**{"compared": compared, "waits_for": lambda place: None, "curves": (), **more})


BOTH = scene(TREE, SEARCH)
FOUR = scene(TREE, SEARCH, LOOKS_UP, FAILED)
LOST = scene(replace(TREE, move=A1), replace(SEARCH, move=A1), position="2,2")
UNKNOWN = scene(TREE, SEARCH, solved=False)


OVER: Any = SimpleNamespace(compared=None, state=NIM.new("0,0"))
DRAW: Any = SimpleNamespace(compared=None, state=parse_game("noughts").new("xox/xox/oxo"))
NOTHING: Any = SimpleNamespace(compared=None, state=None, curves=())
BEFORE = Column("mcts:simulations=60")
GROWN = Curve(
    "mcts:simulations=60",
    SIMULATIONS,
    (Step(1, B1, -1.0), Step(10, A1, -0.01), Step(50, B1, 0.75), Step(200, A1, 1.0)),
)
DEEPER = Curve(
    "alphabeta:depth=2", NODES, (Step(6, A1, None, 3.0, 1), Step(170, B1, None, 12.0, 2), Step(999, B1, 0.0, depth=-1))
)
NONE = Curve("random", why_none="has no effort to vary")


def answers(*columns: Column, at: int = 0, **report: Any) -> Paint:
    """The answers, while the agent at this place works and has reported this."""
    job = SimpleNamespace(snapshot=Snapshot(**report))
    return view.answers(scene(*columns, waits_for=lambda place: job if place == at else None))


def curves(*found: Curve | None, solved: bool = True) -> Any:
    return scene(TREE, SEARCH, LOOKS_UP, FAILED, solved=solved, curves=found)


ALL_CURVES = curves(GROWN, DEEPER, NONE, None)


def status(**more: Any) -> Paint:
    usual = {"setup": CompareSetup("nim:3,2"), "game": NIM, "path": (), "states": [NIM.start], "asked": []}
    return view.status(SimpleNamespace(**{**usual, "paused": False, "message": "", **more}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "paint", "columns", "rows", "signs"),
    [
        ("table: two agents", view.table(BOTH, Place(3, 1)), 90, 9, UNICODE),
        ("table: four agents, narrow", view.table(FOUR, Place(0, 2)), 60, 9, UNICODE),
        ("table: agents' names, wide, ASCII", view.table(FOUR, Place(HEAD, 1)), 200, 9, ASCII),
        ("table: few rows", view.table(BOTH, Place(4, 0)), 50, 4, UNICODE),
        ("table: a lost position", view.table(LOST, Place()), 80, 9, UNICODE),
        ("table: exact values unknown", view.table(UNKNOWN, Place()), 80, 9, UNICODE),
        ("table: over", view.table(OVER, Place()), 80, 9, UNICODE),
        ("table: over in a narrow panel", view.table(OVER, Place()), 30, 9, ASCII),
        ("table: a draw", view.table(DRAW, Place()), 80, 9, UNICODE),
        ("table: nothing yet", view.table(NOTHING, Place()), 80, 9, UNICODE),
        ("answers: two agents", view.answers(BOTH), 80, 20, UNICODE),
        ("answers: without room for lines and efforts", view.answers(FOUR), 32, 6, UNICODE),
        ("answers: four agents, ASCII", view.answers(FOUR), 80, 13, ASCII),
        ("answers: a row too few for lines", view.answers(FOUR), 80, 12, UNICODE),
        ("answers: a lost position", view.answers(LOST), 80, 20, UNICODE),
        ("answers: exact values unknown", view.answers(UNKNOWN), 80, 20, UNICODE),
        ("answers: still thinking", view.answers(scene(replace(TREE, decided=False), LOOKS_UP)), 80, 20, UNICODE),
        ("answers: stopped on the way", view.answers(scene(replace(TREE, fault="stopped"))), 80, 20, UNICODE),
        ("answers: a share of the work", answers(BEFORE, done=25, total=50, what="simulations"), 80, 9, UNICODE),
        ("answers: work without a total", answers(BEFORE, done=1200, what="nodes"), 80, 9, UNICODE),
        ("answers: nothing done yet", answers(BEFORE), 80, 9, UNICODE),
        ("answers: work of another agent", answers(BEFORE, TREE, at=1), 80, 9, UNICODE),
        ("answers: nothing yet", view.answers(NOTHING), 80, 9, UNICODE),
        ("curves: all, the first marked", view.curves(ALL_CURVES, 0), 60, 30, UNICODE),
        ("curves: the second marked, ASCII", view.curves(ALL_CURVES, 1), 100, 30, ASCII),
        ("curves: two steps fit", view.curves(curves(GROWN), 0), 60, 8, UNICODE),
        ("curves: a row too few for steps", view.curves(curves(GROWN), 0), 60, 7, UNICODE),
        ("curves: cut at the panel's end", view.curves(curves(GROWN, DEEPER), 0), 40, 5, UNICODE),
        ("curves: exact values unknown", view.curves(curves(GROWN, DEEPER, solved=False), 1), 60, 30, UNICODE),
        ("curves: an agent without steps marked", view.curves(curves(NONE), 0), 60, 30, UNICODE),
        ("curves: an agent not there marked", view.curves(curves(NONE), 1), 60, 30, UNICODE),
        ("curves: none yet", view.curves(BOTH, 0), 60, 30, UNICODE),
        ("curves: nothing yet", view.curves(NOTHING, 0), 60, 30, UNICODE),
        ("status: at the start", status(), 80, 1, UNICODE),
        ("status: after moves, at work", status(path=(A1, B1), asked=[1, 2]), 80, 1, UNICODE),
        (
            "status: from a position, paused", status(setup=CompareSetup("nim:3,2", "2,2"), asked=[1], paused=True), 80,
            1, UNICODE,
        ),
        ("status: a message at work", status(message="Written to a.csv", asked=[1]), 80, 1, UNICODE),
        ("status: a message at rest", status(message="Written to a.csv"), 80, 1, UNICODE),
        ("status: no comparison", status(setup=None, game=None), 80, 1, UNICODE),
        ("board: with the marked move", view.board(NIM, NIM.start, A2), 30, 8, UNICODE),
        ("board: without room for a picture", view.board(NIM, NIM.start, None), 30, 1, UNICODE),
    ],
)  # fmt: skip
def test_what_the_panels_show(name: str, paint: Paint, columns: int, rows: int, signs: Glyphs) -> None:
    as_drawn("compare", name, paint(columns, rows, signs))


def test_the_marked_cell_moves_within_the_table_and_onto_the_names_and_no_board_stands_before_a_comparison() -> None:
    place = Place(1, 1)
    assert place.moved(1, 1, 5, 3) == Place(2, 2) and place.moved(-1, -1, 5, 3) == Place(0, 0)
    assert place.moved(9, 9, 5, 3) == Place(4, 2) and place.moved(-9, -9, 5, 3) == Place(HEAD, 0)
    assert Place().moved(1, 1, 0, 0) == Place(HEAD, 0)
    assert view.board(None, NIM.start, None)(30, 9, UNICODE) == view.board(NIM, None, None)(30, 9, UNICODE) == []


# The form, what may be exported, and what opens a comparison.


def test_the_form_makes_the_setup_that_it_was_made_of_and_names_what_is_wrong() -> None:
    setup = CompareSetup("nim:3,2", "2,2", ("random", "perfect"), 7)
    draft = CompareDraft.of(setup)
    assert draft.setup() == setup
    assert draft.with_text("agent2", " ").with_text("agent4", "mc").setup().agents == ("random", "mc")
    assert CompareDraft.of(replace(setup, position=None)).setup().position is None
    findings = {name: (found.right, found.text) for name, found in draft.with_text("agent3", "rando").check().items()}
    assert findings["agent1"] == (True, "Random") and findings["agent4"] == (True, "none")
    assert findings["agent3"][0] is False and "did you mean random" in findings["agent3"][1]
    unknown = draft.with_text("game", "nmi")
    assert unknown.finding("agent1").text == "" and not unknown.finding("game").right
    assert [offer.value for offer in unknown.offers("agent1")] == [""]
    assert "random" in [offer.value for offer in draft.offers("agent1")]
    assert not draft.with_text("agent2", "random").check()["agent1"].right  # named twice


def test_a_late_position_of_a_large_game_is_compared_with_the_agents_that_only_solve_what_follows() -> None:
    setup = CompareSetup("noughts:4x4x4", "xoxo/oxox/xo../....", ("perfect", "random"))
    assert setup.validate().agents == ("perfect", "random")
    late, start = CompareDraft.of(setup), CompareDraft.of(replace(setup, position=None))
    assert late.finding("agent1").right and not start.finding("agent1").right
    offers = [{offer.value for offer in draft.offers("agent2")} for draft in (late, start)]
    assert offers[0] - offers[1] == {"perfect:lost=longest", "value"}


def test_the_second_agent_is_a_search_of_another_kind() -> None:
    assert beside("nim:1,2", None, "mcts:simulations=9").agents == ("mcts:simulations=9", "alphabeta:depth=8")
    assert beside("nim:1,2", "1,1", "hard").agents == ("hard", "mcts:simulations=10000,c=1.0")
    assert beside("nim:1,2", None, "me").agents == ("mcts:simulations=10000,c=1.0", "alphabeta:depth=8")


def parts(conductor: Any, everywhere: Any = None, by_depth: Any = None) -> Any:
    more = {"everywhere": SimpleNamespace(result=everywhere), "by_depth": SimpleNamespace(result=by_depth)}
    return SimpleNamespace(**{**vars(conductor), "game": NIM, "setup": CompareSetup("nim:3,2", seed=4), **more})


def test_only_what_is_complete_is_exported() -> None:
    nothing = parts(SimpleNamespace(compared=None, curves=()))
    assert not any(able(nothing, kind) for kind in (TABLE, CURVE, DEPTHS, MAP, LIST))
    some, whole = parts(curves(GROWN, None)), parts(curves(GROWN, DEEPER), 1, 1)
    assert able(some, TABLE) and not able(some, CURVE)
    assert all(able(whole, kind) for kind in (TABLE, CURVE, DEPTHS, MAP, LIST))


def test_each_view_offers_its_files(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    offers = {kind: list(suggested(parts(BOTH), kind)) for kind in (TABLE, CURVE, DEPTHS, MAP, LIST)}
    both = ["compare-nim-3-2.csv", "compare-nim-3-2.json"]
    assert offers == {TABLE: both, CURVE: ["compare-nim-3-2.svg", *both], DEPTHS: both[:1], MAP: both, LIST: both}
    assert next(iter(suggested(SimpleNamespace(game=None), TABLE))) == "compare.csv"  # type: ignore[arg-type]


def test_files_have_what_the_view_shows() -> None:
    whole = parts(curves(GROWN, DEEPER, NONE, Curve("own", why_none="failed")))
    silent: Any = None
    text = {
        (end, kind): content(end, whole, kind)(silent) for end in (".csv", ".json", ".svg") for kind in (TABLE, CURVE)
    }
    assert text[".csv", TABLE].startswith("agent,move,plays,") and text[".csv", TABLE].count("\n") == 21
    assert text[".csv", CURVE].startswith("agent,unit,effort,") and text[".csv", CURVE].count("\n") == 8
    assert text[".svg", CURVE].startswith("<svg ") and '"seed": 4' in text[".json", TABLE]
    assert '"curve"' in text[".json", TABLE]
    assert '"curve"' not in content(".json", parts(curves(GROWN, None)), TABLE)(silent)
    depths = parts(BOTH, by_depth=SimpleNamespace(csv=lambda: "algorithm"))
    assert content(".csv", depths, DEPTHS)(silent) == "algorithm"
    agents: Any = (parse_agent("perfect", NIM), parse_agent("random", NIM))
    everywhere = parts(BOTH, everywhere=positions(NIM, agents, 4, SILENT))
    for shown in (MAP, LIST):
        assert content(".csv", everywhere, shown)(SILENT).startswith("position,outcome,remoteness,first,second,right")
        document = json.loads(content(".json", everywhere, shown)(SILENT))
        assert document["seed"] == 4 and sum(document["counts"].values()) == len(document["positions"]) > 9


def test_an_agent_that_thinks_shows_what_it_believed_last() -> None:
    work, empty = CompareWork(Jobs()), Column("mc")
    work.agents, work.columns = [parse_agent("mc", parse_game("nim:1,2"))], [empty]
    job = SimpleNamespace(thinking=None)
    work.waits_for = lambda place: job  # type: ignore[method-assign,assignment,return-value]
    work.look()
    assert work.columns == [empty]
    job.thinking = Thinking((), move=1, done=70, unit="playouts")
    work.look()
    assert [(column.agent, column.move, column.effort) for column in work.columns] == [("mc", 1, 70)]
