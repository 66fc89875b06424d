"""What reports say of plans, sequential tests, positions and sweeps: exact sentences, and which cell is the best."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from statistics import median
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.arena.compare.comparison import Column, Comparison
from nimtui.arena.compare.comparison_report import agreement_text, best_text, verdict_text
from nimtui.arena.play.plan import plan
from nimtui.arena.rating.sprt import Sprt
from nimtui.arena.standings import statements
from nimtui.arena.standings.standings import PairingScore, remark
from nimtui.games import parse_game
from nimtui.jobs.tournament_report import kind_text, speed_text
from nimtui.learning.sweep import Cell, Needed
from nimtui.learning.sweep import plan as sweep_plan
from nimtui.learning.sweep_report import Unit, best
from nimtui.report.values import Count, Share
from nimtui.theory.answers import known_moves
from nimtui.ui.tournament.view import played
from tests.arena.crosstables import AGENTS

AVOIDS = "between perfect players the seat decides. --openings balanced:2 avoids this."
DRAWN = "is a draw: perfect players draw every game. --openings random:2 avoids this."
PLANS = [  # games, kind of pairs, agents, number, openings; kind and pairings in words; remarks on the start
    ("nim:2,2:misere", "round-robin", 2, 1, "start", "round-robin of 2 agents, 1 game per pairing, from the start",
     "1 pair × 1 game", [f"The start is lost for the player to move: {AVOIDS}"]),
    ("connect:3x3x3", "gauntlet", 4, 2, "random:1", "gauntlet of 4 agents, 2 games per pairing, after 1 random move",
     "gauntlet of 3 pairs × 2 games, seats swapped",
     ["The start is a draw.", "Games start after 1 random move. Each is played twice, with the seats swapped."]),
    ("nim:3,2", "ordered", 2, 21, "random:2",
     "all ordered pairs of 2 agents, 21 games per pairing, after 2 random moves", "4 ordered pairs × 21 games",
     ["The start is won for the player to move.", "Games start after 2 random moves."]),
    ("connect:3x3x3 nim:3,2", "round-robin", 4, 1000, "start",
     "round-robin of 4 agents, 1,000 games per pairing, from the start", "6 pairs × 1,000 games, seats swapped",
     [f"The start of connect:3x3x3 {DRAWN}", f"The start of nim:3,2 is won for the player to move: {AVOIDS}"]),
    ("nim:3,2", "gauntlet", 2, 21, "balanced:2",
     "gauntlet of 2 agents, 21 games per pairing, balanced, after 2 random moves",
     "gauntlet of 1 pair × 21 games, seats swapped",
     ["The start is won for the player to move.",
      "Every other opening is won for the player to move, the rest are lost. Each is played twice, with the seats"
      " swapped, the last one once."]),
]  # fmt: skip


@pytest.mark.parametrize("games, pairs, agents, number, openings, kind, short, remarks", PLANS)
def test_a_plan_is_told_in_words(
    games: str, pairs: str, agents: int, number: int, openings: str, kind: str, short: str, remarks: list[str]
) -> None:
    made = plan(games.split(), AGENTS[:agents], pairs, number, openings)
    assert (kind_text(made), played(made), list(remark(made))) == (kind, short, remarks)


def test_the_speed_is_that_of_the_games() -> None:
    for finished, done, seconds, now, text in (
        (True, 0, 0.0, 0.0, "0 games in 0.0 ms"),
        (True, 1234, 0.5, 0.0, "1,234 games in 500 ms, 2,468 a second"),
        (False, 1, 20.0, 19.0, "1 of 5,000 games in 20.00 s"),
        (False, 2, 20.0, 0.3, "2 of 5,000 games in 20.00 s (300 ms of it now), 0 a second"),
        (False, 1234, 20.0, 18.0, "1,234 of 5,000 games in 20.00 s, 62 a second"),
        (False, 1234, 20.0, 17.9, "1,234 of 5,000 games in 20.00 s (17.90 s of it now), 62 a second"),
    ):
        view: Any = SimpleNamespace(finished=finished, done=done, total=5000, seconds=seconds)
        assert speed_text(view, now) == text


# Of a sequential test: its settings, agents and pairs, the state of a pairing; what is said of it, in words and short.
TESTS = [
    (
        (Sprt(0, 50), "round-robin", 2, 1, "", 0.0),
        "random against perfect: undecided after 1 pair, LLR 0.00 of −2.94 … 2.94; a verdict needs 10 pairs.",
        ("logistic Elo of random against perfect 0", "+50", "0 Elo", "+50 Elo", "5 %", "5 %"),
        ("├─────────●─────────┤", "SPRT 0 … +50 Elo", "LLR 0.00 of −2.94 … 2.94"),
    ),
    (
        (Sprt(-60, -2.5, 0.001, 0.2, "normalised"), "gauntlet", 3, 10, "H1", 6.7),
        "H1 accepted after 10 pairs: random is less than 60 normalised Elo weaker than perfect (α 0.1 %)."
        " LLR 6.70 of −1.61 … 6.68.",
        (
            "normalised Elo of random against each other agent −60",
            *("−2.5", "−60 normalised Elo", "−2.5 normalised Elo", "0.1 %", "20 %"),
        ),
        ("├───┼───────────────●", "SPRT −60 … −2.5 normalised Elo", "H1 accepted"),
    ),
    (
        (Sprt(-60, -5), "round-robin", 3, 1400, "H0", -2.95),
        "H0 accepted after 1,400 pairs: random is more than 5 Elo weaker than perfect (β 5 %)."
        " LLR −2.95 of −2.94 … 2.94.",
        ("logistic Elo of the agent named first against the other −60", "−5", "−60 Elo", "−5 Elo", "5 %", "5 %"),
        ("●─────────┼─────────┤", "SPRT −60 … −5 Elo", "H0 accepted"),
    ),
]


@pytest.mark.parametrize(("asked", "sentence", "parts", "short"), TESTS)
def test_a_sequential_test_is_told_in_words(
    asked: tuple[Any, ...], sentence: str, parts: tuple[str, ...], short: tuple[str, str, str]
) -> None:
    test, pairs, agents, number, verdict, llr = asked
    made = plan(("nim:3,2",), AGENTS[:agents], pairs, 4000, "start", sprt=test.name)
    none = (0, 0)
    score = PairingScore(made.pairings[0], (number, 0), none, (0, number), none, none, none, none,
                         (0, 0, number, 0, 0), 4000, llr, verdict)  # fmt: skip
    asks, high, low_text, high_text, alpha, beta = parts
    assert statements.question(made) == [
        f"sequential test: is the {asks} or less (H0), or {high} or more (H1)?",
        f"α {alpha}, β {beta}; two games with swapped seats are a pair, a verdict needs 10 pairs",
    ]
    assert statements.errors_text(test) == (
        f"If the true difference is {low_text} or less, at most about {alpha} of such tests accept H1 (α)."
        f" If it is {high_text} or more, at most about {beta} accept H0 (β)."
    )
    bar, brief, far = short
    assert statements.shown(made, score) == [sentence, f"H0 {bar} H1"]
    assert (statements.brief(test), statements.far(made, [score])) == (brief, far)
    assert statements.far(made, [score] * 2) == f"{2 * bool(verdict)} of 2 tests decided"
    assert statements.shown(made, replace(score, llr=None)) == []
    untested = plan(("nim:3,2",), AGENTS[:2])
    assert (statements.shown(untested, score), statements.far(untested, [score])) == ([], "")


def test_a_verdict_needs_no_minus() -> None:
    for test, verdict, text in (
        (Sprt(0, 50), "H1", "a is stronger than b (α 5 %)"),
        (Sprt(5, 60), "H1", "a is more than 5 Elo stronger than b (α 5 %)"),
        (Sprt(-60, 0, beta=0.1), "H0", "a is not stronger than b (β 10 %)"),
        (Sprt(5, 60), "H0", "a is not 60 Elo stronger than b (β 5 %)"),
    ):
        assert statements.conclusion(test, verdict, "a", "b") == text


@pytest.mark.parametrize(
    ("rows", "moves", "agree", "best_moves", "verdicts"),
    [
        ("2,1", "a1 - a1", "All with an answer play a1.", "Only a1 wins.", ["right", "", "right"]),
        ("2,1", "a2 a1", "They disagree: 1 plays a2, 2 plays a1.", "Only a1 wins.", ["mistake: loses in 2", "right"]),
        ("1,1,1", "a1 b1 a1", "They disagree: 1 and 3 play a1, 2 plays b1.", "Every move wins: no mistake is possible.",
         ["every move wins"] * 3),
        ("2,2", "a1 a1", "All play a1.", "Every move loses: no mistake is possible.", ["every move loses"] * 2),
        ("2,2,2", "a2 b2 c2 a1", "They disagree: 1 plays a2, 2 plays b2, 3 plays c2, 4 plays a1.",
         "Best: a2, b2, c2 (win).", ["right", "right", "right", "mistake: loses in 6"]),
        ("2,1", "a1", "", "Only a1 wins.", ["right"]),
    ],
)  # fmt: skip
def test_agents_on_one_position_agree_or_not(
    rows: str, moves: str, agree: str, best_moves: str, verdicts: list[str]
) -> None:
    game = parse_game(f"nim:{rows}")
    state = game.new()
    chosen = [None if name == "-" else game.parse_move(name, state) for name in moves.split()]
    columns = tuple(Column(f"agent {at}", move=move) for at, move in enumerate(chosen))
    known, unknown = (Comparison(game, state, columns, moves) for moves in (known_moves(game, state), None))
    assert (agreement_text(known), best_text(known)) == (agree, best_moves)
    assert [verdict_text(known, column) for column in columns] == verdicts
    assert (best_text(unknown), verdict_text(unknown, columns[0])) == ("", "")


def test_the_best_cell_of_a_sweep_is_the_best() -> None:
    source = np.random.default_rng(3)
    for _ in range(300):
        repeats = int(source.integers(1, 6))
        made = sweep_plan(parse_game("nim:2,1"), "quality", ["margin=50,70,90"], repeats, 500, 1)
        cells = []
        for setting in made.settings:
            seeds = repeats if source.random() < 0.8 else int(source.integers(0, repeats + 1))
            runs = []
            for seed in range(seeds):
                needed = None if source.random() < 0.4 else int(source.choice([40, 70, 90, 7224]))
                runs.append((seed, Needed(needed, needed, 500, float(source.choice([0.5, 0.75, 1.0])), 1.0)))
            cells.append(Cell(setting, tuple(runs)))
        done = [cell for cell in cells if len(cell.runs) == repeats]
        so_far = " so far" if len(done) < len(cells) else ""
        for unit in Unit.all_of(made):
            found = []  # of each cell its value, lower is better, how many seeds never got there, and its margin
            for cell in done:
                worth = [-run.accuracy if unit is Unit.SHARE else run.perfect or inf for _, run in cell.runs]
                never = sum(run.perfect is None for _, run in cell.runs)
                found += [(median(worth), never, cell.setting.params["margin"])] * (median(worth) < inf)
            text = best(cells, made, unit, "See the accuracy.")
            if not found:
                none = f"No cell became perfect with most of its seeds{so_far}. See the accuracy."
                assert text == (none if done else "")
                continue
            value, never, _ = min(found)
            same = [margin for *key, margin in found if key == [value, never]]
            margin = f"margin {same[0]}" + ("", " and 1 other cell", " and 2 other cells")[len(same) - 1]
            all_seeds = "" if repeats == 1 else f" (median of {repeats} seeds)"
            if unit is Unit.SHARE:
                assert text == f"Most accurate{so_far}: {margin}, with {Share(-value)}{all_seeds}."
            elif not never:
                assert text == f"Quickest{so_far}: {margin}, perfect after {Count(value)} games{all_seeds}."
            else:
                there = f"Of {repeats} seeds, {repeats - never} got there."
                assert text == f"Quickest median{so_far}: {margin}, {Count(value)} games. {there}"
