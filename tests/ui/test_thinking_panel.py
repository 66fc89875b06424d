"""The panel of an agent that thinks: what it shows is the belief, and its rows and columns stay where they are."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.agents import Decision, Thinking, Thought, parse_agent
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.report.lines import Line, plain_text, width
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue
from nimtui.trees.result import Iteration
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.play.thinking import (
    REACHES,
    Belief,
    Steady,
    brief,
    head,
    interval,
    legend,
    paint,
    reach_of,
    reflection,
    settled,
)
from tests.jobs.test_thinking import heard
from tests.ui.drawn import as_drawn

CONNECT = parse_game("connect4:5x4")


def belief(thinking: Thinking, game: str = "connect4:5x4", seat: int = 0, title: str = "Tree search thinks") -> Belief:
    found = parse_game(game)
    return Belief(seat, title, thinking, found.move_name, base.legal_moves(found.start))


def panel(*beliefs: Belief, columns: int = 46, rows: int = 40) -> list[Line]:
    shown = paint(beliefs, Steady())(columns, rows, UNICODE)
    assert len(shown) <= rows and all(width(each) <= columns for each in shown)
    return shown


def text(*beliefs: Belief, columns: int = 46, rows: int = 40) -> list[str]:
    return [plain_text(each).rstrip() for each in panel(*beliefs, columns=columns, rows=rows)]


# While an agent thinks.


ALPHA_BETA = Thinking(
    (Thought(0, score=3, bound="exact"), Thought(1, score=-2, bound="upper"), Thought(2, score=5, bound="lower")),
    0,
    (0, 1),
    1234,
    "nodes",
    5e6,
    1.5,
    2,
    77,
    searching=3,
    iterations=(Iteration(1, 6, -3, 1, 0.1), Iteration(2, 30, 2, 0, 0.2)),
)


def test_alpha_beta_shows_bounds_the_move_it_searches_and_the_finished_depths() -> None:
    for columns, rows in ((46, 40), (34, 12)):
        name = f"alpha-beta, {columns} × {rows}"
        as_drawn("thinking", name, panel(belief(ALPHA_BETA), columns=columns, rows=rows))
    facts = {rows: "best line 1 2" in text(belief(ALPHA_BETA), rows=rows) for rows in (9, 10)}
    assert facts == {9: False, 10: True}  # a few moves matter more than the facts
    assert text(belief(ALPHA_BETA), rows=13)[-1] == "depth 2 searched · 77 table hits"  # one depth says nothing


def test_proven_moves_intervals_and_exact_values_are_shown_and_of_what_is_unknown_nothing() -> None:
    thoughts = (
        Thought(0, value=1.0, visits=9, mean=0.5, ucb=1.0),
        Thought(1, visits=27, value=-0.25, mean=-0.25, ucb=0.1),
        Thought(2, visits=0, ucb=9.0),
    )
    as_drawn(
        "thinking", "proven moves", panel(belief(Thinking(thoughts, 0, (0, 1, 2), 36, "simulations", 1200.0, 0.04)))
    )
    counts = {"wins": 500, "losses": 480, "draws": 20, "mean": 0.01, "value": 0.01}
    games = [Thought(move, low=0.01 - 0.03 / (move + 1), high=0.01 + 0.03 / (move + 1), **counts) for move in range(5)]
    shown = panel(belief(Thinking(games, 0, (), 5000, "playouts", None, 1.0)), columns=70)
    as_drawn("thinking", "intervals", shown)  # with as many digits as they need
    worth = ((Outcome.WIN, True, 5), (Outcome.DRAW, False, None), (Outcome.LOSS, False, 12))
    truths = {move: MoveValue(move, *value) for move, value in enumerate(worth)}
    thinking = Thinking((Thought(0, visits=3, value=0.5, mean=0.5, ucb=0.9),), 0, (0, 1), 3, "simulations")
    for name, thought, note, columns in (
        ("exact values", thinking, "The tree is full.", 46),
        ("exact values alone", Thinking(()), "", 30),
    ):
        about = Belief(0, "Analysis", thought, CONNECT.move_name, [0, 1, 2], truths, note)
        as_drawn("thinking", name, panel(about, columns=columns))


def test_two_agents_are_one_below_the_other_or_one_of_them_is_left_out() -> None:
    mine = belief(Thinking((Thought(0, value=0.5),), 0), seat=1, title="Mine")
    other = belief(Thinking((Thought(1, score=4),), 1), seat=0, title="Other")
    for columns, rows in ((34, 20), (34, 14), (34, 10)):  # in the order of the seats; each keeps its place
        as_drawn("thinking", f"two agents, {columns} × {rows}", panel(mine, other, columns=columns, rows=rows))


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("mcts:simulations=150000", "connect4"), ("mc:playouts=20000", "connect4:5x4"),
        ("alphabeta:depth=9,deepening=yes", "connect4:5x4"), ("perfect", "nim:3,4,5"),
    ],
)  # fmt: skip
def test_rows_and_columns_stay_where_they_are(spec: str, game: str, signs: Glyphs) -> None:
    thoughts = heard(spec, game)[0]
    for columns, rows in ((34, 16), (46, 40), (24, 12)):
        places, steady = list[list[str]](), Steady()
        for thinking in thoughts:
            shown = [plain_text(each) for each in paint([belief(thinking, game)], steady)(columns, rows, signs)]
            assert len(shown) <= rows and all(len(each) <= columns for each in shown)
            assert all(each.isascii() for each in shown) or signs is UNICODE
            if len(thinking.thoughts) == len(thoughts[-1].thoughts):
                places.append([name for each in shown[2:5] for name in re.findall(r"^..(\S+) ", each)])
        if len(base.legal_moves(parse_game(game).start)) < rows - 6:
            assert all(place == places[0] for place in places)


def test_where_not_all_moves_fit_a_move_leaves_only_for_a_clearly_better_one() -> None:
    steady, moves = Steady(), [0, 1, 2, 3]
    assert steady.choose(0, moves, {0: 10.0, 1: 0.0, 2: 5.0, 3: 4.9}, 2) == [0, 2]
    assert steady.choose(0, moves, {0: 10.0, 1: 0.0, 2: 5.0, 3: 5.1}, 2) == [0, 2]
    assert steady.choose(1, moves, {0: 10.0, 1: 0.0, 2: 5.0, 3: 5.1}, 2) == [0, 3]  # another panel
    assert steady.choose(0, moves, {0: 10.0, 1: 0.0, 2: 5.0, 3: 8.0}, 2) == [0, 3]
    assert steady.choose(0, [0, 1, 2], {0: 0.0, 1: 1.0, 2: 2.0}, 2) == [1, 2]  # another position
    assert steady.choose(0, [2, 1], {}, 2) == [2, 1] and steady.choose(0, moves, {1: 1.0}, 0) == []


@pytest.mark.parametrize(
    ("low", "high", "value", "cells", "drawn"),
    [
        (-1.0, 1.0, 0.0, 21, "├─────────┼─────────┤"), (-0.5, 0.5, 0.0, 21, "     ├────┼────┤"),
        (0.5, 0.9, 0.7, 21, "          │    ├─┼─┤"), (-9.0, -0.9, None, 21, "├┤        │"), (0.0, 0.0, None, 5, "  ┤"),
    ],
)  # fmt: skip
def test_an_interval_lies_on_the_line_from_lost_to_won(
    low: float, high: float, value: float | None, cells: int, drawn: str
) -> None:
    assert interval(low, high, value, cells, UNICODE) == drawn
    assert interval(low / 10, high / 10, None if value is None else value / 10, cells, UNICODE, 0.1) == drawn


@pytest.mark.parametrize("size", [0.9, 0.4, 0.03, 0.004])
@pytest.mark.parametrize("columns", [36, 37, 44])
def test_the_bars_of_intervals_reach_as_far_as_the_widest_one(size: float, columns: int) -> None:
    """Each bar fills more than a third of its half, however small the intervals are, and 0 is in the middle."""
    counts = {"wins": 500, "losses": 500, "mean": 0.0, "value": 0.0}
    thoughts = [Thought(move, low=-size / at, high=size / at, **counts) for at, move in enumerate(range(5), 1)]
    reaches = {0.01: 0.01, 0.0101: 0.02, 1.0: 1.0, 1.5: 1.0}
    assert {size: reach_of([Thought(0, low=-size, high=0.0)]) for size in reaches} == reaches
    assert reach_of([Thought(0)]) == 0.0
    reach = reach_of(thoughts)
    assert size <= reach <= 2.5 * size and reach in REACHES
    shown = text(belief(Thinking(thoughts, 0, (), 5000, "playouts", None, 1.0)), columns=columns)
    assert shown[1].endswith(f"±{reach:g}")
    [widest] = [line for line in shown if line.startswith("▸")]
    bar = re.sub(r"^.*[\d ] ", "", widest)
    left, right = bar.split("┼")
    assert bar[0] == "├" and bar[-1] == "┤" and len(left) == len(right)


# Behind the move that was played.


def behind(decision: Decision, columns: int, rows: int, signs: Glyphs = UNICODE) -> list[str]:
    return [plain_text(each).rstrip() for each in reflection("T", decision, str, "none", columns, rows, signs)]


def scored(*scores: int) -> tuple[Thought, ...]:
    return tuple(Thought(move, score=score) for move, score in enumerate(scores))


BOUNDED = (
    Thought(0, score=-4, bound="exact"), Thought(1, score=-2, bound="upper"), Thought(2, score=-2, bound="exact"),
    Thought(3, score=-999_996, value=-1.0, bound="exact"), Thought(4, score=-3, bound="lower"),
)  # fmt: skip
FEW = (Thought(0, wins=5, losses=3, draws=2), Thought(1, wins=1, losses=9))


@pytest.mark.parametrize(
    ("name", "decision", "rows"),
    [
        ("twenty moves", Decision(3, scored(*range(0, 200, 10))), 8),
        ("the chosen one is first of its equals", Decision(1, scored(3, 3)), 8),
        ("playouts", Decision(0, FEW, "It sees – nothing."), 8),
        ("values", Decision(0, tuple(Thought(move, value=at) for move, at in enumerate((1.0, 0.25, 0.0, -1.0)))), 8),
        ("scores", Decision(0, scored(40_000, 1, 0, -3, -40_000)), 8),
        ("bounds", Decision(2, BOUNDED), 9),
    ],
)
def test_what_an_agent_thought_is_sorted_with_the_chosen_move_in_sight(
    name: str, decision: Decision, rows: int
) -> None:
    as_drawn("thinking", f"behind: {name}", reflection("T", decision, str, "none", 34, rows, UNICODE))
    for columns in (18, 20):
        assert all(row.isascii() and len(row) <= columns for row in behind(decision, columns, rows, ASCII))
    assert any(row.startswith(f"▸ {decision.move} ") for row in behind(decision, 18, rows))


@pytest.mark.parametrize("columns", [20, 92])
def test_the_best_moves_and_the_chosen_one_stay_where_not_all_fit(columns: int) -> None:
    assert behind(Decision(0, (Thought(0),)), 34, 8) == ["T", "none"]
    decision = Decision(3, scored(*range(0, 200, 10)))
    for rows in range(4, 24):
        _, *shown = behind(decision, columns, rows)
        assert len(shown) <= rows - 1 and all(len(row) <= columns for row in shown)
        seen = re.findall(r"(\d+) +(?:\+\d+|0)", "\n".join(shown))
        hidden = sum(map(int, re.findall(r"… (\d+) more", shown[-1])))
        assert len(seen) + hidden == 20 and "3" in seen  # the chosen move too
        assert list(map(int, seen)) == sorted(map(int, seen), reverse=True)
        assert bool(hidden) == (rows - 2 < 20)


def agent(learner: str, games: int, policy: str = "") -> Any:
    """An agent with a table, or with a policy."""
    return SimpleNamespace(table=SimpleNamespace(learner=learner, games=games), policy=SimpleNamespace(value=policy))


WINDOWS = (Thought(0, score=1, bound="lower"), Thought(1, score=1, bound="upper"))
TRAINED = "Trained on 1,000,000 games: a win adds 2, a loss takes 1"


@pytest.mark.parametrize(
    ("thoughts", "player", "unit"),
    [
        ((Thought(0, wins=1, losses=2),), None, "random games won – lost"),
        ((Thought(0, wins=1, losses=2, draws=1),), None, "random games won – drawn – lost"),
        ((Thought(0, wins=1),), agent("q", 1, "perfect-both"), "games of perfect players won – lost"),
        ((Thought(0, visits=1),), None, "visits in the search tree"),
        ((Thought(0, score=1, bound="exact"),), None, "search score"),
        (WINDOWS, None, "search score; ≤ means at most; ≥ means at least"),
        ((Thought(0, score=1),), agent("reward:win=2", 1_000_000), TRAINED),
        ((Thought(0, score=1),), agent("proof", 5), "Trained on 5 games: +10,000 is a proven win"),
        ((Thought(0, score=1),), agent("average", 5), "Trained on 5 games"), ((Thought(0, score=1),), None, ""),
        ((Thought(0, value=0.5),), None, "expected result: win +1, loss −1"),
        ((Thought(0, value=1.0), Thought(1)), None, ""), ((Thought(0, value=0.5, largest=6),), None, "expected payoff"),
    ],
)  # fmt: skip
def test_the_numbers_are_named(thoughts: tuple[Thought, ...], player: Any, unit: str) -> None:
    assert legend(Decision(0, thoughts), player) == unit


@pytest.mark.parametrize("spec", ["mcts:simulations=300", "alphabeta:depth=3", "mc:playouts=50", "perfect"])
def test_the_last_thought_is_the_decision(spec: str) -> None:
    decision = parse_agent(spec, CONNECT).decide(CONNECT.start, Stream(2))
    last = settled(decision)
    assert (last.thoughts, last.move, last.line) == (decision.thoughts, decision.move, decision.line)
    assert settled(decision, last) is last
    other = settled(decision, Thinking((), 0, depth=7, table_hits=8))
    assert (other.depth, other.table_hits) == (7, 8)
    assert (last.done, last.unit) == ((300, "simulations") if spec.startswith("mcts") else (decision.nodes, "nodes"))


def test_a_title_that_leaves_room_for_the_move_and_a_belief_in_a_few_words() -> None:
    assert head("Hard", "d2", 27) == "What Hard thought before d2" and head("Hard", "d2", 26) == "Hard, before d2"
    assert head("Reward learner", "d4", 40) == "What the learner thought before d4"
    thoughts = (Thought(1, value=0.5), Thought(0, value=0.25, visits=9, mean=0.25), Thought(2, score=-4, bound="upper"))
    assert brief(Thinking(thoughts, 0, (), 1200, "simulations"), CONNECT.move_name) == "1 +0.25, 1,200 simulations"
    assert brief(Thinking(thoughts, 2), CONNECT.move_name) == "3 ≤ −4"
    assert brief(Thinking(thoughts, 3), CONNECT.move_name) == ""
    assert brief(Thinking((Thought(1, value=0.5, largest=5, visits=1),), 1), CONNECT.move_name) == "2 +2.50"
