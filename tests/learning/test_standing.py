"""What a table is worth, alone and against another one, by brute force: verdicts, chances, and all its games."""

from __future__ import annotations

import gc
import weakref
from functools import cache

import numpy as np
import pytest
from pytest import approx

from nimtui.engine.graph import node_at
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.learning import evaluate, opponents
from nimtui.learning.evaluate import FIRST, NOTHING, RIGHT, SECOND, UNDECIDED, WRONG, Standing, compare, looks
from nimtui.learning.graph_table import on_graph
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.theory.truth import Truth, truth
from tests.examples import WHOLE, with_slow
from tests.games.refusal import refusal
from tests.theory.force import Force
from tests.theory.literal_table import Literal

GAMES = ("nim:2,3", "nim:2,2", "nim:3,2:misere", "nim:1,1:misere", "subtraction:6,3", "adjacent:1,2", "connect:1x3x3")
MORE = ("subtraction:9,3:misere", "kayles:5:misere", "connect:3x2x2", "connect:3x3x3")


class Judge(Literal):
    """Also plays all games against all opponents."""

    def __init__(self, force: Force, table: Table) -> None:
        super().__init__(force, table)
        worth = force.value(force.game.start)[0]
        self.seats = [first for first, favoured in ((True, worth >= 0), (False, worth <= 0)) if favoured]

    def met(self) -> set[bytes]:
        """Where the table comes to move in the seats that theory favours."""
        seen: set[tuple[bytes, bool]] = set()
        todo = [(self.force.game.new(), mine) for mine in self.seats]
        while todo:
            state, mine = todo.pop()
            if base.outcome(state) == base.GOING_ON and (state.board.tobytes(), mine) not in seen:
                seen.add((state.board.tobytes(), mine))
                moves = self.best(state) if mine else base.legal_moves(state)
                todo += [(self.force.after(state, move), not mine) for move in moves]
        return {board for board, mine in seen if mine}

    def proof(self) -> bool:
        """Does no opponent keep it from a result as good as the value of any position that it comes to?"""

        @cache
        def holds(board: bytes, mine: bool, promised: int) -> bool:
            state = self.force.game.at(np.frombuffer(board, np.int64))
            if end := int(base.outcome(state)):
                result = {base.WON: -1, base.LOST: 1, base.DRAW: 0}[end] * (1 if mine else -1)
                return result >= promised
            if mine:
                promised = max(promised, self.force.value(state)[0])
            moves = self.best(state) if mine else base.legal_moves(state)
            return all(holds(self.force.after(state, move).board.tobytes(), not mine, promised) for move in moves)

        return all(holds(self.force.game.start.board.tobytes(), mine, -1) for mine in self.seats)


def check(force: Force, known: Truth, scores: np.ndarray) -> Standing:
    """Everything the standing says."""
    table = on_graph(Table.empty(force.game, "q"), known.graph)
    table.cells = scores
    found, judge = evaluate.standing(known, scores), Judge(force, table)
    states = [force.game.at(board) for board in known.graph.boards]
    shares = {state.board.tobytes(): judge.right(state) for state in states if force.value(state)[0] >= 0}
    kinds = [{1.0: RIGHT, 0.0: WRONG}.get(shares.get(at.board.tobytes(), 0.5), UNDECIDED) for at in states]
    verdicts = [kind if at.board.tobytes() in shares else NOTHING for kind, at in zip(kinds, states, strict=True)]
    assert found.verdicts.tolist() == verdicts
    counts = [verdicts.count(kind) for kind in (RIGHT, WRONG, UNDECIDED, NOTHING)]
    assert [found.right, found.wrong, found.undecided, found.nothing] == counts and found.decided == sum(counts[:2])
    assert (found.accuracy, found.unbeaten) == (approx(judge.accuracy), approx(judge.unbeaten))
    met = [shares[board] for board in judge.met() if board in shares]
    assert found.reachable == approx(sum(met) / len(met) if met else 1.0)
    assert (found.proof, found.perfect) == (judge.proof(), not (found.wrong or found.undecided)) == looks(known, scores)
    alone = evaluate.sampled_standing(known, scores)
    assert np.isnan([alone.reachable, alone.unbeaten]).all() and not alone.proof and alone[4:9] == found[4:9]
    return found


@pytest.mark.parametrize("name", with_slow([*GAMES, *MORE], *MORE))
def test_any_scores_stand_as_brute_force_finds(name: str) -> None:
    force, known, chance = Force(name), truth(parse_game(name)), np.random.default_rng(1)
    edges = len(known.graph.to)
    for most, kind in ((1, np.int32), (2, np.float64), (3, np.int32), (50, np.float64)):  # few scores: many ties
        check(force, known, chance.integers(0, most, edges).astype(kind))
    check(force, known, -known.keeps.astype(np.int32))  # the worst
    perfect = check(force, known, known.keeps.astype(np.float64))
    assert perfect.perfect and perfect.proof and (perfect.accuracy, perfect.unbeaten) == (1.0, 1.0)
    for node in range(0, len(known.values), max(1, len(known.values) // 4)):  # one position alone may be wrong
        here, scores = slice(*known.graph.ptr[node : node + 2].tolist()), known.keeps.astype(np.int32)
        scores[here] = -scores[here]
        check(force, known, scores)
    training = Training(parse_game(name), "quality", 1)
    training.run(60)
    assert training.standing().accuracy == check(force, known, training.table.cells).accuracy


@pytest.mark.slow
def test_proof_without_perfection_and_unbeaten_without_proof() -> None:
    # A weakness that perfect play never asks for: it wins against the perfect, not against all.
    force, known = Force("connect:3x3x3"), truth(parse_game("connect:3x3x3"))
    chance, kinds = np.random.default_rng(3), set()
    wanted = {(True, True, False), (True, False, False), (True, True, True)}
    for _ in range(25):
        scores = known.keeps.astype(np.int32)
        node = int(chance.integers(0, len(known.values)))
        here = slice(int(known.graph.ptr[node]), int(known.graph.ptr[node + 1]))
        scores[here] = -scores[here]
        one = check(force, known, scores)
        kinds.add((one.unbeaten == 1.0, one.proof, one.perfect))
        if wanted <= kinds and not WHOLE:
            break
    assert wanted <= kinds


def test_an_empty_table_and_which_seats_theory_favours() -> None:
    # source: the definition in the design
    assert evaluate.accuracy(Table.empty(parse_game("nim:1,3,5,7"), "reward")) == approx(0.188, abs=0.0005)
    seats = {name: evaluate.favoured_seats(truth(parse_game(name))) for name in ("nim:1,2", "nim:2,2", "connect:1x3x3")}
    assert seats == {"nim:1,2": (True, False), "nim:2,2": (False, True), "connect:1x3x3": (True, True)}
    for seat in (FIRST, SECOND):
        assert evaluate.against_perfect(Table.empty(parse_game("connect:1x3x3"), "q"), seat) == (0, 1, 0)
    chances = evaluate.against_perfect(Table.empty(parse_game("nim:2,2"), "q"), SECOND)
    # by hand: after the two takes of both matches of a row it wins with 1/2, after the takes of one with 1/3
    assert chances == (approx(5 / 12), 0, approx(7 / 12))


def test_the_truth_about_a_game_is_shared_and_forgotten() -> None:
    first = truth(parse_game("nim:2,3,4"))
    assert truth(parse_game("nim:4,3,2")) is not first
    assert truth(parse_game("nim:2,3,4")) is first
    held = weakref.ref(first)
    del first
    gc.collect()
    assert held() is None


# Two tables beside each other.


@pytest.mark.parametrize("name", ["nim:2,2,1:misere", "connect:3x2x3"])
def test_who_wins_is_what_all_games_give_and_agreement_counts_positions_with_a_choice(name: str) -> None:
    force = Force(name)
    one = opponents.train_interpreted(force.game, "quality", 30, 1)
    other = opponents.train_interpreted(force.game, "reward", 20, 2)
    mine, theirs = Literal(force, one), Literal(force, other)
    found, back = compare(one, other), compare(other, one)
    for chances, begins in ((found.first, True), (found.second, False)):
        win, draw = mine.between(theirs, force.game.new(), begins)
        assert chances == approx((win, draw, 1 - win - draw))
    assert back.first == approx((found.second.loss, found.second.draw, found.second.win))
    assert found.accuracy == (approx(mine.accuracy), approx(theirs.accuracy)) == back.accuracy[::-1]
    choices: list[State] = [state for state in mine.states if base.count(state) > 1]
    alike = [state for state in choices if mine.best(state) == theirs.best(state)]
    apart = [state for state in choices if not mine.best(state) & theirs.best(state)]
    assert (found.positions, found.alike, found.apart) == (len(choices), len(alike), len(apart))
    for seat, begins in enumerate((True, False)):
        odds = [mine.between(theirs, state, begins) for state in mine.states]
        win, draw = (sum(each[at] for each in odds) / len(odds) for at in (0, 1))
        assert found.everywhere[seat] == approx((win, draw, 1 - win - draw))
    same = compare(one, one)
    assert (same.alike, same.apart, same.everywhere[0]) == (same.positions, 0, approx(same.everywhere[1][::-1]))
    strange = opponents.train_interpreted(parse_game("nim:1,1"), "quality", 5)
    assert "no positions in common" in refusal(compare, one, strange)


def test_a_mistake_where_the_second_player_never_comes_leaves_the_proof() -> None:
    game = parse_game("nim:1,2,3")  # lost; who answers well never moves in 1,1,2
    known = truth(game)
    first, end = known.graph.ptr[(node := node_at(known.graph, game.new("1,1,2"))) : node + 2]
    scores = known.keeps.astype(float)
    scores[first:end] = 1 - scores[first:end]
    assert looks(known, scores) == (True, False)
