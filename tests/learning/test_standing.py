"""What a table is worth against brute force: every verdict, and all its games against all opponents."""

from __future__ import annotations

import numpy as np
import pytest
from pytest import approx

from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.learning import evaluate
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG, Standing
from nimtui.learning.learner import Scores
from nimtui.learning.perfection import looks
from nimtui.learning.training import Training
from nimtui.theory.truth import Truth, truth
from tests.learning.judge import Judge

GAMES = (
    "nim:2,3",
    "nim:3,3",
    "nim:3,4,2:misere",
    "nim:1,1:misere",
    "subtraction:10,3",
    "subtraction:9,3:misere",
    "adjacent:1,3",
    "kayles:5:misere",
    "connect:3x3x3",
    "connect:2x2x2",
    "connect:1x3x3",
)


def judge_of(game: Game, known: Truth, scores: Scores) -> Judge:
    def best(state: State) -> tuple[int, ...]:
        node = int(known.graph.node_of[int(base.index(state))])
        here = slice(int(known.graph.ptr[node]), int(known.graph.ptr[node + 1]))
        mine = dict(zip(known.graph.move[here].tolist(), scores[here].tolist(), strict=True))
        return tuple(move for move, score in mine.items() if score == max(mine.values()))

    return Judge(game, best)


def check(game: Game, known: Truth, scores: Scores) -> Standing:
    """Everything the standing says."""
    found, judge = evaluate.standing(known, scores), judge_of(game, known, scores)
    boards = [tuple(board) for board in known.graph.boards.tolist()]
    assert sorted(boards) == judge.positions()
    shares = {board: judge.share(board) for board in boards if judge.value(board) >= 0}
    told = [
        NOTHING if board not in shares else {1.0: RIGHT, 0.0: WRONG}.get(shares[board], UNDECIDED) for board in boards
    ]
    assert found.verdicts.tolist() == told
    counts = [told.count(verdict) for verdict in (RIGHT, WRONG, UNDECIDED, NOTHING)]
    assert [found.right, found.wrong, found.undecided, found.nothing] == counts
    assert found.decided == counts[0] + counts[1]
    assert found.accuracy == approx(sum(shares.values()) / len(shares) if shares else 1.0, abs=1e-12)
    met = [shares[board] for board in judge.met() if board in shares]
    assert found.reachable == approx(sum(met) / len(met) if met else 1.0, abs=1e-12)
    assert found.unbeaten == approx(judge.unbeaten(), abs=1e-12)
    assert found.proof == judge.proof()
    assert found.perfect == all(share == 1 for share in shares.values())
    assert looks(known, scores) == (found.proof, found.perfect)
    assert not found.proof or judge.never_loses()
    if all(judge.value(board) for board in boards):  # where nothing is drawn, not to lose is to hold what one has
        assert found.proof == judge.never_loses()
    assert not found.perfect or (found.proof and found.unbeaten == 1.0 and found.accuracy == 1.0)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_any_scores_stand_as_brute_force_finds(name: str) -> None:
    game = parse_game(name)
    known, chance = truth(game), np.random.default_rng(1)
    edges = len(known.graph.to)
    for most in (1, 2, 3, 50):  # few different scores: many ties
        for kind in (np.int32, np.float64):
            check(game, known, chance.integers(0, most, edges).astype(kind))
    check(game, known, -known.keeps.astype(np.int32))  # the worst
    assert check(game, known, known.keeps.astype(np.float64)).perfect


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("learner", ["quality", "q", "reward"])
def test_a_learning_table_stands_as_brute_force_finds(name: str, learner: str) -> None:
    game = parse_game(name)
    training = Training(game, learner, 1)
    for games in (0, 5, 60, 2_000):
        training.run(games)
        assert training.truth is not None
        found = check(game, training.truth, training.table.cells)
        assert training.standing().accuracy == found.accuracy


@pytest.mark.slow
def test_proof_without_perfection_and_unbeaten_without_proof() -> None:
    # Only positions that its own play never meets are spoiled: no opponent can profit.
    game = parse_game("nim:3,4,2:misere")
    known = truth(game)
    scores = known.keeps.astype(np.int32)
    met = judge_of(game, known, scores).met()
    spoiled = 0
    for node, board in enumerate(known.graph.boards.tolist()):
        if tuple(board) not in met and known.values[node] == 1:
            here = slice(int(known.graph.ptr[node]), int(known.graph.ptr[node + 1]))
            scores[here] = ~known.keeps[here]
            spoiled += not known.keeps[here].all()
    found = check(game, known, scores)
    assert spoiled > 5 and found.proof and not found.perfect and found.wrong == spoiled
    assert found.unbeaten == 1.0 and found.reachable == 1.0 > found.accuracy

    # A weakness that perfect play never asks for: it wins against the perfect, not against all.
    game = parse_game("connect:3x3x3")
    known, chance, kinds = truth(game), np.random.default_rng(3), set()
    for _ in range(40):
        scores = known.keeps.astype(np.int32)
        node = int(chance.integers(0, len(known.values)))
        here = slice(int(known.graph.ptr[node]), int(known.graph.ptr[node + 1]))
        scores[here] = -scores[here]
        one = check(game, known, scores)
        kinds.add((one.unbeaten == 1.0, one.proof, one.perfect))
    assert {(True, True, False), (True, False, False), (True, True, True)} <= kinds


def test_which_seats_theory_favours() -> None:
    seats = {name: evaluate.favoured_seats(truth(parse_game(name))) for name in ("nim:1,2", "nim:2,2", "connect:3x3x3")}
    assert seats == {"nim:1,2": (True, False), "nim:2,2": (False, True), "connect:3x3x3": (True, True)}
