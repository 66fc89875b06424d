"""The value history against a full search of every position, and as a row of cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from nimtui.agents.belief import Belief, Kind
from nimtui.arena.review.history import LEAST, Moment, Story, cells, column, history, legend, sides
from nimtui.arena.review.review import review
from nimtui.games import Record, base, parse_game, registry
from nimtui.theory import Outcome
from tests.games import wythoff

registry.add(wythoff)  # a game from elsewhere, of which nothing here knows
GAMES = (
    *("nim:1,3,5", "nim:2,3,4:misere", "subtraction:15,3", "adjacent:7", "connect:3x4x3"),
    pytest.param("wythoff:3,5", marks=pytest.mark.slow),
)
VALUES = {1: Outcome.WIN, 0: Outcome.DRAW, -1: Outcome.LOSS}


def searched(name: str) -> Callable[[bytes], tuple[int, int]]:
    """Return a function of a board: its value for the player to move, and the plies to its end under best play."""
    game = parse_game(name)

    @cache
    def of(board: bytes) -> tuple[int, int]:
        state = game.new()
        state.board[:] = np.frombuffer(board, state.board.dtype)
        outcome = int(base.outcome(state))
        if outcome != base.GOING_ON:  # for the player who moved last
            return {base.WON: -1, base.LOST: 1}.get(outcome, 0), 0
        found = []
        for move in base.legal_moves(state):
            base.play(state, move)
            value, plies = of(state.board.tobytes())
            base.undo(state, move)
            found.append((-value, plies + 1))
        best = max(value for value, _ in found)
        plies = [plies for value, plies in found if value == best]
        return best, min(plies) if best > 0 else max(plies)

    return of


def random_game(name: str, seed: int) -> Record:
    record, chance = Record(parse_game(name)), Random(seed)
    while not record.over:
        record.push(chance.choice(base.legal_moves(record.state)))
    return record


@pytest.mark.parametrize("name", GAMES)
def test_outcome_distance_and_mistakes_are_those_of_a_full_search(name: str) -> None:
    of = searched(name)
    for seed in range(6):
        record = random_game(name, seed)
        for opening in (0, 1):
            moments = history(record.ply, review(record, plies=True), opening=opening)
            before, _ = of(record.state_at(0).board.tobytes())
            for ply, moment in enumerate(moments):
                value, plies = of(record.state_at(ply + 1).board.tobytes())
                sign = 1 if ply % 2 else -1  # after an even ply the second player is to move
                sign *= -1 if opening else 1
                assert moment.outcome is VALUES[value * sign]
                drawn = value == 0 and ply + 1 < record.ply  # a draw has no distance before its end
                assert moment.remoteness == (None if drawn else plies)
                assert bool(moment.gave_away) is (-value < before)
                assert moment.place is not None and (moment.place > 0) is (value * sign > 0)
                before = value


def test_the_sooner_the_end_the_farther_out_and_no_win_is_in_the_middle() -> None:
    record = random_game("subtraction:15,3", 1)
    known = [one for one in history(record.ply, review(record, plies=True)) if one.remoteness is not None]
    outward = sorted(known, key=lambda one: one.remoteness or 0)
    away = [abs(one.place or 0) for one in outward]
    assert away == sorted(away, reverse=True) and away[0] == 1 and away[-1] >= LEAST
    for width in (9, 11, 41):
        assert [column(place, width) for place in (-1.0, 0.0, 1.0)] == [0, width // 2, width - 1]
        assert column(0.001, width) == width // 2 + 1 and column(-0.001, width) == width // 2 - 1


def test_exact_values_mistakes_and_beliefs_are_drawn_each_where_it_is() -> None:
    def drawn(width: int, *of: Any, belief: float | None = None, estimate: float | None = None) -> str:
        said = (None if value is None else Belief(Kind.ESTIMATE, value) for value in (belief, estimate))
        return cells(Moment(*of, **dict(zip(("belief", "estimate"), said, strict=True))), width)

    lost, drew = (Outcome.LOSS, 3, "win → loss", 0.5, -1.0), (Outcome.DRAW, None, "win → draw", -0.5, 0.0)
    assert drawn(21, 4, 0, *lost) == "xLLLLLLLLL|-----     "
    assert (drawn(11, 5, 1, *drew), drawn(11, 5, 1, *drew[:2], "", 0.0, 0.0)) == ("  ---x     ", "     =     ")
    assert drawn(11, 0, 0, belief=0.4) == "     | o   "
    assert drawn(11, 1, 1, belief=0.4) == "   o |     "  # good for the second player
    assert drawn(11, 0, 0, *lost[:2], "", -1.0, -1.0, belief=0.4) == "LLLLL| o   "
    assert drawn(11, 0, 0, belief=-1.0, estimate=1.0) == "o    |    e"
    assert drawn(11, 4, 0, *lost, belief=-1.0)[:2] == "xo"  # both stay visible
    assert drawn(11, 4, 1, Outcome.WIN, 0, "loss → win", -0.5, 1.0, belief=-1.0)[-2:] == "ox"
    [found] = history(1)
    assert found.blank and history(0) == []
    half = Belief(Kind.ESTIMATE, 0.5)
    for known in (Moment(0, 0, place=0.0), Moment(0, 0, belief=half), Moment(0, 1, estimate=half)):
        assert not known.blank
    assert (Moment(0, 1, belief=half).believed, Moment(0, 0, estimate=half).estimated) == (-0.5, 0.5)
    assert Moment(0, 0, belief=Belief(Kind.SCORE, 37.0)).blank  # has no place


def test_the_sentence_says_what_was_believed_and_what_is_true() -> None:
    estimate, names = Belief(Kind.ESTIMATE, 0.4), ("mcts", "you")
    for moment, said in (
        (Moment(0, 0, belief=Belief(Kind.SCORE, 37.0)), "Move 1: mcts scored the move +37."),
        (Moment(6, 0, Outcome.LOSS, 5, "win → loss", 0.5, -0.6, estimate),
         "Move 7: mcts expected +0.40; exact: it then loses in 5 plies."),
        (Moment(7, 1, Outcome.LOSS, 4), "Move 8: you then win in 4 plies with perfect play."),
        (Moment(8, 0, Outcome.WIN, 0, belief=Belief(Kind.EXACT, 1.0)), "Move 9: mcts was sure to win; it has won."),
        (Moment(9, 1, Outcome.LOSS, 0), "Move 10: you have won."),
        (Moment(9, 1, Outcome.DRAW, 0), "Move 10: a draw."),
        (Moment(2, 0, Outcome.DRAW, estimate=Belief(Kind.ESTIMATE, -0.25)),
         "Move 3: mc estimates −0.25; exact: a draw."),
        (Moment(0, 0), ""),
    ):  # fmt: skip
        assert Story([moment] * (moment.ply + 1), names, "mc").told(moment.ply) == said
    assert sides(names) == ("you win", "mcts wins")


def test_the_legend_explains_the_signs_that_are_shown_and_no_others() -> None:
    assert legend(["  |WW"]) == [("W", "exact, longer: sooner over")]
    assert legend(["xL|WW"], paid=True) == [("LW", "exact, longer: more points"), ("x", "mistake")]
    assert legend(["xL|-o", "=e   "], "mc") == [
        ("L", "exact, longer: sooner over"),
        ("=", "exact draw"),
        ("-x", "mistake, from the value before"),
        ("o", "expected by its player"),
        ("e", "estimated by mc"),
    ]
