"""Each term of the glossary states a fact that is checked here, or only names a thing. A new term must say which.

F1, `nimtui words`, its JSON, plain mode and docs/glossary.md show the same list.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from math import log10

import pytest

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.agents.mcts import thoughts_of
from nimtui.arena.play.plan import parse_openings, plan
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import rate, score
from nimtui.arena.rating.sprt import PER_RATIO
from nimtui.arena.review.review import decide, review
from nimtui.cli import output
from nimtui.cli.plain import commands
from nimtui.engine.rng import Stream
from nimtui.engine.windows import CUT
from nimtui.games import Record, base, parse_game
from nimtui.games.base import State
from nimtui.glossary import TERMS
from nimtui.learning import opponents
from nimtui.learning.evaluate import accuracy, standing
from nimtui.learning.graph_table import on_graph
from nimtui.learning.learner import parse_learner
from nimtui.learning.table import Table
from nimtui.theory.truth import truth
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.ui.app import commands as help_screen
from tests.cli.conftest import Nimtui
from tests.cli.conftest import nimtui as nimtui
from tests.theory.force import Force, runs
from tests.theory.test_sentences import counts, excluded
from tests.trees.helpers import search, tree

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


def walk(force: Force, games: int = 5) -> list[State]:
    return [state for state in force.positions(games) if base.outcome(state) == base.GOING_ON]


def finished(game: str, seed: int) -> Record:
    record, chance = Record(parse_game(game)), random.Random(seed)
    while not record.over:
        record.push(chance.choice(base.legal_moves(record.state)))
    return record


def best(force: Force, found: Table, state: State) -> set[str]:
    scores = found.scores(state)
    return {force.game.move_name(move, state) for move in scores if scores[move] == max(scores.values())}


def trained(game: str) -> tuple[Force, Table, list[State]]:
    """A table, and all positions of its game that are not over."""
    force = Force(game)
    found = opponents.train_interpreted(force.game, parse_learner("reward"), 60, 1)
    seen, todo = dict[bytes, State](), [force.game.new()]
    while todo:
        state = todo.pop()
        if state.board.tobytes() not in seen and base.outcome(state) == base.GOING_ON:
            seen[state.board.tobytes()] = state
            todo += [force.after(state, move) for move in base.legal_moves(state)]
    return force, found, list(seen.values())


LEARNED = ["nim:3,2,1", "nim:3,2", "kayles:4:misere", "connect:3x2x3"]


def averaged(_: re.Match[str]) -> None:
    for game in LEARNED:
        force, found, states = trained(game)
        some = [state for state in states if force.value(state)[0] >= 0]
        shares = [len(best(force, found, s) & force.keeping(s)) / len(best(force, found, s)) for s in some]
        assert accuracy(found) == pytest.approx(sum(shares) / len(shares))


def only_some(_: re.Match[str]) -> None:
    for game in LEARNED:
        force, found, states = trained(game)
        known = truth(force.game)
        some = 0
        for state in states:
            kept = best(force, found, state) & force.keeping(state)
            some += force.value(state)[0] >= 0 and bool(kept) and kept != best(force, found, state)
        assert standing(known, on_graph(found, known.graph).cells).undecided == some


def losing(force: Force, found: Table, state: State, own: bool) -> float:
    if (over := int(base.outcome(state))) != base.GOING_ON:
        return float(over != base.DRAW and own == (over == base.WON))
    names = best(force, found, state) if own else force.keeping(state)
    left = [force.after(state, force.game.parse_move(name, state)) for name in names]
    return sum(losing(force, found, each, not own) for each in left) / len(left)


def favoured(_: re.Match[str]) -> None:
    starts = set()
    for game in LEARNED:
        force, found, _ = trained(game)
        start, known = force.value(force.game.new())[0], truth(force.game)
        starts.add(start)
        seats = [seat for seat, good in enumerate((start >= 0, start <= 0)) if good]
        lost = [losing(force, found, force.game.new(), seat == 0) for seat in seats]
        assert standing(known, on_graph(found, known.graph).cells).unbeaten == pytest.approx(1 - sum(lost) / len(lost))
    assert starts == {-1, 0, 1}


def same_value(_: re.Match[str]) -> None:
    for game in ("nim:2,3,1", "kayles:5:misere", "noughts:2x3x2", "connect:3x3x3"):
        for depth in (1, 2, 3, 5):
            one, other = (search(game, f"{how}:depth={depth}").result for how in ("alphabeta", "minimax"))
            assert one.value == other.value and one.nodes <= other.nodes


def every_branch(_: re.Match[str]) -> None:
    def lines(state: State, depth: int) -> int:
        if not depth or base.outcome(state) != base.GOING_ON:
            return 1
        return 1 + sum(lines(force.after(state, move), depth - 1) for move in base.legal_moves(state))

    for game in ("nim:2,3,1", "kayles:5:misere", "connect:3x3x3"):
        force = Force(game)
        assert search(game, "minimax:depth=3").result.nodes == lines(force.game.new(), 3)


def closed_window(_: re.Match[str]) -> None:
    for game in ("nim:2,3,1", "connect:3x3x3"):
        found = tree(game, "alphabeta:depth=4")
        cuts = [node for node in range(len(found)) if found.kind(node) == CUT]
        for node in cuts:
            alpha, beta = found.window(node)
            raised = max(alpha, *(-int(found.values[child]) for child in found.children(node)))
            assert beta <= raised
        assert cuts


def halves(_: re.Match[str]) -> None:
    for game in ("nim:3,2,1", "kayles:6:misere", "tower:9"):
        force, openings = Force(game), parse_openings("balanced:2")
        values = []
        for number in range(20):
            state = force.game.new()
            for move in openings.opening(force.game, 1, number):
                base.play(state, move)
            values.append(force.value(state)[0])
        assert values.count(1) == values.count(-1) == 10


def three_quarters(found: re.Match[str]) -> None:
    assert round(400 * log10(0.75 / 0.25)) == int(found[1]) and found[2] == "75"


def powers(found: re.Match[str]) -> None:
    whole, *parts = map(int, found.groups())
    assert sum(parts) == whole and all(part & (part - 1) == 0 for part in parts)


def nimbers(_: re.Match[str]) -> None:
    for game in ("nim:2,3,1", "kayles:1,3", "adjacent:4", "subtraction:9,3"):
        force = Force(game)
        for state in walk(force, 3):
            assert (excluded(force, state) == 0) == (force.value(state)[0] < 0)


def sums(_: re.Match[str]) -> None:
    for game in ("nim:2,3,1", "kayles:1,3", "nim:5,4:max=2"):
        force = Force(game)
        for state in walk(force):
            total = 0
            for row in counts(force, state):
                for count in row:
                    total ^= count
            assert (total == 0) == (force.value(state)[0] < 0) and theory.explain(force.game, state).nim_sum == total
            if game.startswith("nim:2"):
                assert counts(force, state) == runs(force.game, state)


def hinted(_: re.Match[str]) -> None:
    from nimtui.playing import advice

    for game in ("nim:2,3,1", "chomp:2x3", "connect:3x3x3"):
        force = Force(game)
        for state in walk(force, 2):
            assert force.game.move_name(advice.hint(force.game, state).move, state) in force.keeping(state)
    large = parse_game("connect4:9x6")
    assert "random games. Not solved exactly" in advice.hint(large, large.new()).text


def visited_most(_: re.Match[str]) -> None:
    proven = 0
    for game in ("nim:2,3,1", "kayles:5:misere", "connect:3x3x3"):
        force = Force(game)
        for state in walk(force, 3):
            for how in (False, True):
                found = MonteCarloSearch(force.game, state, 80, proven=how, stream=Stream(1)).run()
                rated = {each.move: each for each in thoughts_of(found)}
                value = {move: each.value if each.bound else 0 for move, each in rated.items()}
                assert how or not any(value.values())
                top = max(value.values(), key=lambda each: each or 0) or 0
                first = [move for move in rated if (value[move] or 0) == top]
                played = rated[found.best.move]
                assert found.best.move in first
                assert top != 0 or played.visits == max(rated[move].visits or 0 for move in first)
                proven += top == 1
    assert proven


def worsens(_: re.Match[str]) -> None:
    for game in ("nim:2,3,1", "kayles:5:misere", "noughts:3x3x3", "connect:3x2x3"):
        force = Force(game)
        for seed in range(6):
            record = finished(game, seed)
            for found in review(record):
                before, after = record.state_at(found.ply), record.state_at(found.ply + 1)
                assert found.mistake == (-force.value(after)[0] < force.value(before)[0])


def decisive(_: re.Match[str]) -> None:
    """After the last mistake of a finished game, every position has the game's result."""
    for game in ("nim:2,3,1", "kayles:5:misere", "noughts:3x3x3", "connect:3x2x3"):
        force = Force(game)
        for seed in range(6):
            record = finished(game, seed)
            point = decide(review(record)).point
            first = 0 if point is None else point.ply + 1
            for_first = [force.value(record.state_at(ply))[0] * (-1) ** ply for ply in range(record.ply + 1)]
            assert set(for_first[first:]) == {for_first[-1]} and (
                point is None or for_first[first - 1] != for_first[first]
            )


def keeps_outcome(_: re.Match[str]) -> None:
    for game in ("nim:2,3,1", "kayles:5:misere", "noughts:2x3x2"):
        force, agent = Force(game), parse_agent("perfect", parse_game(game))
        for state in walk(force, 4):
            assert force.game.move_name(agent.decide(state, Stream(1)).move, state) in force.keeping(state)


def plies_left(_: re.Match[str]) -> None:
    for game in ("nim:2,3,1", "kayles:5:misere", "connect:3x3x3", "chomp:2x3"):
        force = Force(game)
        for state in walk(force, 3):
            sign, plies = force.value(state)
            found = theory.remoteness(force.game, state)
            assert found == (plies if sign else None)


def repeats(_: re.Match[str]) -> None:
    from nimtui.theory.sequence import sequence

    found = sequence(parse_game("subtraction:40,3"), 40)
    assert found.period is not None and found.grundy is not None
    values, start, length = found.grundy, found.period.preperiod, found.period.length
    assert all(values[n] == values[n + length] for n in range(start, 41 - length))


def pairings(wanted: Callable[[int], int], kind: str) -> Callable[[re.Match[str]], None]:
    def count(_: re.Match[str]) -> None:
        for agents in (2, 3, 4):
            names = ["random", "perfect", "value", "mc:playouts=3"][:agents]
            assert len(plan(("nim:3,2",), names, kind, 2, "start").pairings) == wanted(agents)

    return count


def repeatable(_: re.Match[str]) -> None:
    """Agents with the same seed decide alike; no agent with a clock is asked."""
    for spec in ("random", "mc:playouts=9", "mcts:simulations=30", "reward:games=30,seed=4"):
        game = parse_game("nim:3,2,1")
        first, second = (parse_agent(spec, game).decide(game.new(), Stream(5)) for _ in range(2))
        assert (first.move, first.thoughts) == (second.move, second.thoughts)


def saves(_: re.Match[str]) -> None:
    """A table answers for positions that were searched; one that is too small answers for fewer."""
    hits = [search("nim:3,3,2", f"alphabeta:depth=-1,table={size}").result for size in (64, 65536)]
    assert hits[0].table_hits > 0 and hits[1].nodes < hits[0].nodes
    assert hits[0].nodes < search("nim:3,3,2", "alphabeta:depth=-1").result.nodes


CLAIMS: dict[str, tuple[str, Callable[[re.Match[str]], None]]] = {
    "accuracy": (
        r"The share of .* best-scored moves that keep the outcome, averaged over positions not lost\.",
        averaged,
    ),
    "alpha-beta": (r"Minimax that skips branches .* It finds the same value\.", same_value),
    "balanced openings": (r"Random first moves, half of them leading to won and half to lost positions\.", halves),
    "cutoff": (r".* stops examining a node, because β ≤ α\.", closed_window),
    "draw": (r"A game without a winner\. It counts as half a point\.", lambda found: half_a_point()),
    "Elo": (r".* A difference of (\d+) means (\d+) % of the points\.", three_quarters),
    "gauntlet": (r".* one agent plays against each of the others\.", pairings(lambda n: n - 1, "gauntlet")),
    "group": (r"A power of 2 .*: (\d+) is a group of (\d+), one of (\d+) and one of (\d+)\.", powers),
    "Grundy value": (r".* a position in normal play: 0 means the player to move loses\.", nimbers),
    "hint": (r"A best move, shown on request\. Of an unsolved position, .* random games\.", hinted),
    "logistic Elo": (r".*: 400 log10\(s / \(1 − s\)\)\.", lambda found: logistic()),
    "MCTS": (r".* plays the move visited most\. A proven win goes first, a proven loss last\.", visited_most),
    "minimax": (r"A search that assumes the best move by both players, and examines every branch\.", every_branch),
    "mistake": (r"A move that worsens the outcome: .*", worsens),
    "nim-sum": (r".*: in Nim the row sizes, .* In normal play 0 means: the player to move loses\.", sums),
    "normalised Elo": (r".*: ([\d.]+) \(s − 1/2\) / σ\.", lambda found: same_scale(float(found[1]))),
    "perfect play": (r"Play that never worsens the outcome\.", keeps_outcome),
    "period": (r"The distance at which the values of rows .* repeat, from some row on\.", repeats),
    "remoteness": (r"The plies to the end: the winner wins as soon, and the loser loses as late .*", plies_left),
    "round-robin": (
        r"A tournament in which every agent plays every other\.",
        pairings(lambda n: n * (n - 1) // 2, "round-robin"),
    ),
    "seed": (r".* Without a clock, the same seed gives the same result\.", repeatable),
    "transposition table": (r"A memory of searched positions\. It saves searching .*, as far as it has room\.", saves),
    "turning point": (r"The last mistake of a game: it decided the result\.", decisive),
    "unbeaten": (
        r".* do not lose to perfect play: in the favoured seat, or the mean of both seats if the start is a draw\.",
        favoured,
    ),
    "Wilson interval": (
        r"The 95 % interval of a score\. After (\d) wins in (\d) games it is ([\d.]+)–100 %\.",
        lambda found: perfect_score(int(found[1]), int(found[2]), float(found[3])),
    ),
    "undecided": (r"A position in which only some of a table's best-scored moves keep the outcome\.", only_some),
}


def half_a_point() -> None:
    drawn = Meeting(0, 1, (0, 0), (3, 2), (0, 0))
    assert drawn.points == 2.5 and rate(2, [drawn]).ratings[0].elo == pytest.approx(0, abs=1e-6)


def perfect_score(wins: int, games: int, low: float) -> None:
    """The lower end solves (1 − q)² = 1.96² q (1 − q) / n."""
    found = score(Meeting(0, 1, (wins, 0), (0, 0), (games - wins, 0)))
    share = low / 100
    assert (1 - share) ** 2 == pytest.approx(1.959964**2 * share * (1 - share) / games, abs=2e-3)
    assert (found.low, found.high) == pytest.approx((share, 1), abs=5e-4)


def logistic() -> None:
    """Thousands of games with a score: the ratings differ by the formula; the prior adds no more than a little."""
    for won in (5_000, 7_500, 9_000):
        ratings = rate(2, [Meeting(0, 1, (won, won), (0, 0), (10_000 - won, 10_000 - won))]).ratings
        assert ratings[0].elo - ratings[1].elo == pytest.approx(400 * log10(won / (10_000 - won)), abs=0.5)


def same_scale(factor: float) -> None:
    assert round(PER_RATIO, 1) == factor


def test_every_term_states_a_checked_fact_or_only_names_a_thing() -> None:
    assert {*CLAIMS, *NAMES} == set(MEANINGS) and not {*CLAIMS} & {*NAMES}


@pytest.mark.slow
@pytest.mark.parametrize("name", CLAIMS)
def test_what_the_glossary_states_is_true(name: str) -> None:
    pattern, holds = CLAIMS[name]
    found = re.fullmatch(pattern, MEANINGS[name])
    assert found, f"a meaning without a pattern: {MEANINGS[name]}"
    holds(found)


def test_every_place_shows_the_same_meanings(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    assert help_screen.TERMS is TERMS
    shown = {term["name"]: term["meaning"] for term in nimtui("words", "--json").document["terms"]}
    assert shown == MEANINGS
    text = " ".join(nimtui("words").out.split())
    assert all(" ".join(meaning.split()) in text for meaning in MEANINGS.values())
    printed: list[str] = []
    monkeypatch.setattr(output, "paragraph", printed.append)
    for term in TERMS:
        commands._words(None, term.name)  # type: ignore[arg-type]
    assert printed == [f"{term.heading}: {term.meaning}" for term in TERMS]
