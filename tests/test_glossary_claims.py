"""Each term of the glossary states a fact or only names a thing. A new term must say which, and what checks the fact.

F1, `nimtui words`, its JSON, plain mode and docs/glossary.md show the same list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from math import log10
from pathlib import Path

import pytest

from nimtui.agents.mcts import thoughts_of
from nimtui.arena.play.plan import plan
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import rate, score
from nimtui.arena.rating.sprt import PER_RATIO
from nimtui.cli import output
from nimtui.cli.plain import commands
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.glossary import TERMS
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.ui.app import commands as help_screen
from tests.cli.conftest import Nimtui
from tests.cli.conftest import nimtui as nimtui
from tests.theory.force import Force
from tests.trees.helpers import search

MEANINGS = {term.name: term.meaning for term in TERMS}

# Terms whose meaning only says what a word stands for.
PLAIN = """
agent · anchor · belief · checkpoint · depth · discount · epsilon · event · exact value · exploration ·
flat Monte Carlo · goodness of fit · greedy · heuristic · impartial · interval · iterative deepening · kept tree ·
kernel · killer move · learner · lesson · LOS · margin · match · misère ·
misère quotient · N-position · negamax · node · opening ·
outcome · P-position · pairing · payoff · pentanomial · playout · ply · policy · pool · position · preset ·
principal variation · prior · Q-learning · reward · score · seat · self-play · simulation · SPRT · stack ·
standings · strength · sweep · table · threat · UCB · value history · weight · window · temporal difference · zugzwang
"""
NAMES = [" ".join(name.split()) for name in PLAIN.split("·")]


def three_quarters(difference: str, share: str) -> None:
    assert round(400 * log10(0.75 / 0.25)) == int(difference) and share == "75"


def powers(*numbers: str) -> None:
    whole, *parts = map(int, numbers)
    assert sum(parts) == whole and all(part & (part - 1) == 0 for part in parts)


def pairings(kind: str, wanted: Callable[[int], int]) -> None:
    for agents in (2, 3, 4):
        names = ["random", "perfect", "value", "mc:playouts=3"][:agents]
        assert len(plan(("nim:3,2",), names, kind, 2, "start").pairings) == wanted(agents)


def saves() -> None:
    """A table answers for positions that were searched; one that is too small answers for fewer."""
    small, large = (search("nim:3,3,2", f"alphabeta:depth=-1,table={size}").result for size in (64, 65536))
    assert small.table_hits > 0 and large.nodes < small.nodes
    assert small.nodes < search("nim:3,3,2", "alphabeta:depth=-1").result.nodes


def half_a_point() -> None:
    drawn = Meeting(0, 1, (0, 0), (3, 2), (0, 0))
    assert drawn.points == 2.5 and rate(2, [drawn]).ratings[0].elo == pytest.approx(0, abs=1e-6)


def perfect_score(wins: str, games: str, low: str) -> None:
    """The lower end solves (1 − q)² = 1.96² q (1 − q) / n."""
    found, share = score(Meeting(0, 1, (int(wins), 0), (0, 0), (int(games) - int(wins), 0))), float(low) / 100
    assert (1 - share) ** 2 == pytest.approx(1.959964**2 * share * (1 - share) / int(games), abs=2e-3)
    assert (found.low, found.high) == pytest.approx((share, 1), abs=5e-4)


def logistic() -> None:
    """Thousands of games with a score: the ratings differ by the formula; the prior adds no more than a little."""
    for won in (5_000, 7_500, 9_000):
        ratings = rate(2, [Meeting(0, 1, (won, won), (0, 0), (10_000 - won, 10_000 - won))]).ratings
        assert ratings[0].elo - ratings[1].elo == pytest.approx(400 * log10(won / (10_000 - won)), abs=0.5)


def same_scale(factor: str) -> None:
    assert round(PER_RATIO, 1) == float(factor)


def visited_most() -> None:
    """Of the moves with the best proven value, none being 0, the search plays one that was visited most."""
    values = set()
    for game, how in product(("nim:2,3,1", "kayles:5:misere", "connect:3x3x3"), (False, True)):
        for state in Force(game).positions(3):
            if base.outcome(state) != base.GOING_ON:
                continue
            found = MonteCarloSearch(parse_game(game), state, 80, proven=how, stream=Stream(1)).run()
            rated = {
                each.move: ((each.value or 0) if each.bound else 0, each.visits or 0) for each in thoughts_of(found)
            }
            best, _ = played = rated[found.best.move]
            assert best == max(value for value, _ in rated.values()) and (how or not best)
            assert best or played == max(rated.values())
            values.add(best)
    assert 1 in values


STANDING = "any_scores_stand_as_brute_force_finds"
VALUES = "every_answer_about_every_position_is_that_of_brute_force"
REVIEW = "mistakes_and_gaps_of_a_random_game_are_those_of_a_minimax"
CLAIMS: dict[str, tuple[str, Callable[..., None] | str]] = {  # meaning; what checks it, or the test that does
    "accuracy": (
        r"The share of .* best-scored moves that keep the outcome, averaged over positions not lost\.", STANDING
    ),
    "alpha-beta": (r"Minimax that skips branches .* It finds the same value\.", "no_option_changes_a_value"),
    "balanced openings": (
        r"Random first moves, half of them leading to won and half to lost positions\.",
        "balanced_openings_are_won_and_lost_by_turns",
    ),
    "cutoff": (
        r".* stops examining a node, because β ≤ α\.", "events_and_windows_are_those_of_a_search_that_thinks_aloud"
    ),
    "draw": (r"A game without a winner\. It counts as half a point\.", half_a_point),
    "Elo": (r".* A difference of (\d+) means (\d+) % of the points\.", three_quarters),
    "gauntlet": (
        r".* one agent plays against each of the others\.", lambda: pairings("gauntlet", lambda agents: agents - 1)
    ),
    "group": (r"A power of 2 .*: (\d+) is a group of (\d+), one of (\d+) and one of (\d+)\.", powers),
    "Grundy value": (r".* a position in normal play: 0 means the player to move loses\.", VALUES),
    "hint": (
        r"A best move, shown on request\. Of an unsolved position, .* random games\.",
        "all_commands_and_screens_know_the_same",
    ),
    "logistic Elo": (r".*: 400 log10\(s / \(1 − s\)\)\.", logistic),
    "MCTS": (r".* plays the move visited most\. A proven win goes first, a proven loss last\.", visited_most),
    "minimax": (
        r"A search that assumes the best move by both players, and examines every branch\.",
        "tree_and_stack_of_minimax_are_those_of_a_recursion",
    ),
    "mistake": (r"A move that worsens the outcome: .*", REVIEW),
    "nim-sum": (
        r".*: in Nim the row sizes, .* In normal play 0 means: the player to move loses\.",
        "every_reason_for_a_position_and_for_its_best_move_is_true",
    ),
    "normalised Elo": (r".*: ([\d.]+) \(s − 1/2\) / σ\.", same_scale),
    "perfect play": (r"Play that never worsens the outcome\.", "every_moves_value_is_that_of_brute_force"),
    "period": (
        r"The distance at which the values of rows .* repeat, from some row on\.", "the_sentence_about_a_period_is_true"
    ),
    "remoteness": (r"The plies to the end: the winner wins as soon, and the loser loses as late .*", VALUES),
    "round-robin": (
        r"A tournament in which every agent plays every other\.",
        lambda: pairings("round-robin", lambda agents: agents * (agents - 1) // 2),
    ),
    "seed": (
        r".* Without a clock, the same seed gives the same result\.",
        "the_same_seed_gives_the_same_games_however_many_and_another_one_others",
    ),
    "transposition table": (r"A memory of searched positions\. It saves searching .*, as far as it has room\.", saves),
    "turning point": (r"The last mistake of a game: it decided the result\.", REVIEW),
    "unbeaten": (
        r".* do not lose to perfect play: in the favoured seat, or the mean of both seats if the start is a draw\.",
        STANDING,
    ),
    "Wilson interval": (
        r"The 95 % interval of a score\. After (\d) wins in (\d) games it is ([\d.]+)–100 %\.", perfect_score
    ),
    "undecided": (r"A position in which only some of a table's best-scored moves keep the outcome\.", STANDING),
}  # fmt: skip


def test_every_term_states_a_checked_fact_or_only_names_a_thing() -> None:
    assert {*CLAIMS, *NAMES} == set(MEANINGS) and not {*CLAIMS} & {*NAMES}


@pytest.mark.parametrize("name", CLAIMS)
def test_what_the_glossary_states_is_true(name: str) -> None:
    pattern, check = CLAIMS[name]
    found = re.fullmatch(pattern, MEANINGS[name])
    assert found, f"a meaning without a pattern: {MEANINGS[name]}"
    if isinstance(check, str):
        assert check in names_of_tests(), "the test that holds this fact has another name"
    else:
        check(*found.groups())


@cache
def names_of_tests() -> set[str]:
    """Return the names of all tests."""
    files = Path(__file__).parent.glob("*/test_*.py")
    return {name for file in files for name in re.findall(r"^def test_(\w+)", file.read_text("utf-8"), re.MULTILINE)}


def test_every_place_shows_the_same_meanings(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    assert help_screen.TERMS is TERMS
    shown = {term["name"]: term["meaning"] for term in nimtui("words", "--json").document["terms"]}
    assert shown == MEANINGS
    assert [term["name"] for term in nimtui("words", "LOS", "--json").document["terms"]][:1] == ["LOS"]
    text = " ".join(nimtui("words").out.split())
    assert all(" ".join(meaning.split()) in text for meaning in MEANINGS.values())
    printed: list[str] = []
    monkeypatch.setattr(output, "paragraph", printed.append)
    for term in TERMS:
        commands._words(None, term.name)  # type: ignore[arg-type]
    assert printed == [f"{term.heading}: {term.meaning}" for term in TERMS]
