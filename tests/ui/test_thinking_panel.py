"""The panel of an agent that thinks: what it shows is the belief, and its rows and columns stay where they are."""

from __future__ import annotations

import re

import pytest

from nimtui.agents import Thinking, Thought, parse_agent
from nimtui.agents.mcts import thinking_of
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.report.lines import plain_text, width
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.result import Iteration
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.play.thinking import REACHES, Belief, Steady, brief, interval, paint, reach_of, settled
from tests.jobs.test_thinking import heard

CONNECT = parse_game("connect4:5x4")
SIZES = [(34, 16), (46, 40), (24, 12), (92, 40)]


def belief(thinking: Thinking, game: str = "connect4:5x4", seat: int = 0, title: str = "Tree search thinks") -> Belief:
    found = parse_game(game)
    return Belief(seat, title, thinking, found.move_name, base.legal_moves(found.start))


def text(*beliefs: Belief, columns: int = 46, rows: int = 40, signs: Glyphs = UNICODE) -> list[str]:
    lines = paint(beliefs, Steady())(columns, rows, signs)
    assert len(lines) <= rows and all(width(shown) <= columns for shown in lines)
    return [plain_text(shown).rstrip() for shown in lines]


def row(lines: list[str], move: str) -> list[str]:
    """Return the numbers in the row of a move."""
    [found] = [line for line in lines if re.match(rf"^[▸ ].{move} ", line)]
    return re.sub(r"^[▸ ].\S+ ", "", found).replace(" %", "%").split()


def test_a_tree_search_shows_visits_share_mean_and_bound_of_every_move() -> None:
    search = MonteCarloSearch(CONNECT, CONNECT.start, 5000, stream=Stream(3)).run()
    thinking = thinking_of(search, 2.0)
    lines = text(belief(thinking))
    assert lines[1].split() == ["visits", "share", "mean", "bound"]
    for found in search.moves:
        assert found.mean is not None and found.ucb is not None
        visits, share, mean, bound = row(lines, str(found.move + 1))[:4]
        assert int(visits.replace(",", "")) == found.visits
        assert share == f"{100 * found.visits / 5000:.1f}%"
        assert (float(mean.replace("−", "-")), float(bound.replace("−", "-"))) == (
            pytest.approx(found.mean, abs=0.0051),
            pytest.approx(found.ucb, abs=0.0051),
        )
    [marked] = [line for line in lines if line.startswith("▸")]
    assert marked.split()[1] == str(search.best.move + 1)
    line = " ".join(str(move + 1) for move in search.principal_variation)
    assert any(shown.removeprefix("best line ").rstrip("…").strip() in line for shown in lines if "best line" in shown)
    assert "5,000 simulations · 2.5 k/s · 2.0 s" in lines


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("mcts:simulations=150000", "connect4"),
        ("mc:playouts=20000", "connect4:5x4"),
        ("alphabeta:depth=9,deepening=yes", "connect4:5x4"),
        ("minimax:depth=5", "tower:16"),
        ("perfect", "nim:3,4,5"),
    ],
)
def test_rows_and_columns_stay_where_they_are(spec: str, game: str, columns: int, rows: int, signs: Glyphs) -> None:
    thoughts, steady = heard(spec, game)[0], Steady()
    places: list[list[tuple[str, ...]]] = []
    for thinking in thoughts:
        lines = [plain_text(shown) for shown in paint([belief(thinking, game)], steady)(columns, rows, signs)]
        assert len(lines) <= rows and all(len(line) <= columns for line in lines)
        assert all(line.isascii() for line in lines) or signs is UNICODE
        if len(thinking.thoughts) == len(thoughts[-1].thoughts):
            places.append([tuple(re.findall(r"^..(\S+) ", line)) for line in lines[2:5]])
    if len(base.legal_moves(parse_game(game).start)) < rows - 6:
        assert all(place == places[0] for place in places)


def test_where_not_all_moves_fit_a_move_leaves_only_for_a_clearly_better_one() -> None:
    steady, moves = Steady(), [0, 1, 2, 3]
    assert steady.choose(0, moves, {0: 10.0, 1: 0.0, 2: 5.0, 3: 4.9}, 2) == [0, 2]
    assert steady.choose(0, moves, {0: 10.0, 1: 0.0, 2: 5.0, 3: 5.1}, 2) == [0, 2]
    assert steady.choose(0, moves, {0: 10.0, 1: 0.0, 2: 5.0, 3: 8.0}, 2) == [0, 3]
    assert steady.choose(0, [0, 1, 2], {0: 0.0, 1: 1.0, 2: 2.0}, 2) == [1, 2]  # another position


def test_an_interval_lies_on_the_line_from_lost_to_won_and_shrinks() -> None:
    assert interval(-1.0, 1.0, 0.0, 21, UNICODE) == "├─────────┼─────────┤"
    assert interval(-0.5, 0.5, 0.0, 21, UNICODE) == "     ├────┼────┤"
    assert interval(0.5, 0.9, 0.7, 21, UNICODE) == "          │    ├─┼─┤"
    assert interval(0.0, 0.0, None, 21, ASCII).strip() == "]"


def test_flat_monte_carlo_shows_won_and_lost_and_an_interval_that_shrinks() -> None:
    thoughts = heard("mc:playouts=40000", "connect4:5x4")[0]
    complete = [one for one in thoughts if all(thought.wins is not None for thought in one.thoughts)]
    first, last = (text(belief(one), columns=70) for one in (complete[0], complete[-1]))
    for thought in complete[-1].thoughts:
        assert thought.low is not None and thought.high is not None
        won, drawn, lost, mean, low, to, high = row(last, str(thought.move + 1))[:7]
        assert (won, drawn, lost) == (f"{thought.wins:,}", f"{thought.draws:,}", f"{thought.losses:,}")
        assert [number.replace("−", "-") for number in (mean, low, to, high)] == [
            f"{thought.value:+.2f}", f"{thought.low:+.2f}", "…", f"{thought.high:+.2f}",
        ]  # fmt: skip

    def cells(lines: list[str]) -> int:
        return sum(len(re.findall(r"├.*┤", line)[0]) for line in lines if "├" in line and "┤" in line)

    assert cells(last) < cells(first) or "┤" not in "".join(last)


@pytest.mark.parametrize("size", [0.9, 0.4, 0.03, 0.004])
@pytest.mark.parametrize("columns", [36, 37, 44])
def test_the_bars_of_intervals_reach_as_far_as_the_widest_one(size: float, columns: int) -> None:
    """Each bar fills more than a third of its half, however small the intervals are, and 0 is in the middle."""
    counts = {"wins": 500, "losses": 500, "mean": 0.0, "value": 0.0}
    thoughts = [Thought(move, low=-size / at, high=size / at, **counts) for at, move in enumerate(range(5), 1)]
    reach = reach_of(thoughts)
    assert size <= reach <= 2.5 * size and reach in REACHES
    lines = text(belief(Thinking(thoughts, 0, (), 5000, "playouts", None, 1.0)), columns=columns)
    assert lines[1].endswith(f"±{reach:g}")
    [widest] = [line for line in lines if line.startswith("▸")]
    bar = re.sub(r"^.*[\d ] ", "", widest)
    left, right = bar.split("┼")
    assert bar[0] == "├" and bar[-1] == "┤" and len(left) == len(right)


def test_alpha_beta_shows_bounds_the_move_it_searches_and_the_finished_depths() -> None:
    thoughts = (
        Thought(0, score=3, bound="exact"),
        Thought(1, score=-2, bound="upper"),
        Thought(2, score=5, bound="lower"),
    )
    done = (Iteration(1, 6, -3, 1, 0.1), Iteration(2, 30, 2, 0, 0.2))
    lines = text(belief(Thinking(thoughts, 0, (0, 1), 1234, "nodes", 5e6, 1.5, 2, 77, searching=3, iterations=done)))
    assert row(lines, "1")[0] == "+3" and row(lines, "2")[:2] == ["≤", "−2"] and row(lines, "3")[:2] == ["≥", "+5"]
    assert any(line.startswith(" …4 ") and line.rstrip().endswith("–") for line in lines)
    assert "best line 1 2" in lines and "1,234 nodes · 5.0 M/s · 1.5 s" in lines
    assert "depth 2 searched · 77 table hits" in lines
    assert lines[-2:] == ["depth 1  2 −3 · 6 nodes", "depth 2  1 +2 · 30 nodes"]


def test_a_proven_move_says_its_outcome_in_place_of_the_mean() -> None:
    lines = text(belief(Thinking((Thought(0, value=1.0, visits=9, mean=0.5, ucb=1.0),), 0)))
    assert "wins" in row(lines, "1")


def test_two_agents_are_beside_each_other_or_below() -> None:
    search = MonteCarloSearch(CONNECT, CONNECT.start, 5000, stream=Stream(3)).run()
    mine, other = thinking_of(search, 2.0), heard("alphabeta:depth=4", "connect4:5x4")[1]
    pair = (
        belief(mine, seat=1, title="Tree search thinks"),
        belief(settled(other), seat=0, title="Alpha-beta, before 3"),
    )
    beside = text(*pair, columns=92)
    assert re.match(r"Alpha-beta, before 3 +Tree search thinks$", beside[0])
    below = text(*pair, columns=34, rows=16)
    assert below[0] == "Tree search thinks" and below[11] == "Alpha-beta, before 3" and len(below) == 16
    tall = text(*pair, columns=34, rows=40)
    assert tall[0] == "Alpha-beta, before 3" and "Tree search thinks" in tall  # each keeps its place
    small = text(*pair, columns=34, rows=8)
    assert small[0] == "Tree search thinks" and "Alpha-beta, before 3" not in small


def test_exact_values_are_beside_the_moves() -> None:
    truths = {0: MoveValue(0, Outcome.WIN, True, 5), 1: MoveValue(1, Outcome.DRAW, False)}
    lines = text(Belief(0, "Analysis", Thinking(()), CONNECT.move_name, [0, 1], truths, "The tree is full."))
    assert lines[1].split() == ["exact"] and row(lines, "1") == ["wins", "5"] and row(lines, "2") == ["draws"]
    assert lines[-1] == "The tree is full."


def test_a_belief_in_a_few_words() -> None:
    thoughts = (Thought(0, value=0.25, visits=9, mean=0.25),)
    assert brief(Thinking(thoughts, 0, (), 1200, "simulations"), CONNECT.move_name) == "1 +0.25, 1,200 simulations"
    assert brief(Thinking(()), CONNECT.move_name) == ""


def test_the_last_thought_is_the_decision() -> None:
    for spec in ("mcts:simulations=3000", "alphabeta:depth=5", "mc:playouts=500", "perfect"):
        agent = parse_agent(spec, CONNECT)
        decision = agent.decide(CONNECT.start, Stream(2))
        last = settled(decision)
        assert (last.thoughts, last.move, last.line) == (decision.thoughts, decision.move, decision.line)
