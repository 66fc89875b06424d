"""Two tables beside each other: who wins is what playing out every game by hand gives."""

from __future__ import annotations

from fractions import Fraction

import pytest

from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.learning import interpreted
from nimtui.learning.evaluate import compare
from nimtui.learning.learner import parse_learner
from nimtui.learning.table import Table


def trained(game: str, learner: str, games: int, seed: int) -> Table:
    return interpreted.train(parse_game(game), parse_learner(learner), games, seed)


def wins(mover: Table, other: Table, state: State) -> tuple[Fraction, Fraction]:
    """How probably the mover wins and draws, each making any of its best-scored moves alike; by playing all games."""
    moves = mover.best_moves(state)
    win = draw = Fraction(0)
    for move in moves:
        base.play(state, move)
        ended = base.outcome(state)
        if ended == base.GOING_ON:
            theirs, drawn = wins(other, mover, state)
            win, draw = win + 1 - theirs - drawn, draw + drawn
        else:
            win, draw = win + (ended == base.WON), draw + (ended not in (base.WON, base.LOST))
        base.undo(state, move)
    return win / len(moves), draw / len(moves)


@pytest.mark.parametrize("game", ["nim:3,2,1", "nim:2,2,1:misere", "connect:3x2x3"])
def test_who_wins_is_what_all_games_by_hand_give(game: str) -> None:
    one, other = trained(game, "quality", 30, 1), trained(game, "reward", 20, 2)
    found = compare(one, other)
    win, draw = wins(one, other, one.game.new())
    assert found.first.win == pytest.approx(float(win)) and found.first.draw == pytest.approx(float(draw))
    theirs, drawn = wins(other, one, one.game.new())
    assert found.second.loss == pytest.approx(float(theirs)) and found.second.draw == pytest.approx(float(drawn))
    back = compare(other, one)
    assert back.first == pytest.approx((found.second.loss, found.second.draw, found.second.win))
    assert back.accuracy == found.accuracy[::-1] and back.alike == found.alike


def test_agreement_counts_positions_with_a_choice() -> None:
    one, other = trained("nim:3,2,1", "quality", 30, 1), trained("nim:3,2,1", "reward", 20, 2)
    found = compare(one, other)
    choices = [row for row in one.rows() if len(row.scores) > 1]
    seen = {one.game.position_name(row.state) for row in choices}
    alike = sum(one.best_moves(row.state) == other.best_moves(row.state) for row in choices)
    assert found.positions >= len(seen) and found.alike >= alike
    assert found.alike + found.apart <= found.positions
    same = compare(one, one)
    assert same.alike == same.positions and same.apart == 0
    assert same.everywhere[0] == pytest.approx(
        (same.everywhere[1].loss, same.everywhere[1].draw, same.everywhere[1].win)
    )


def test_tables_of_two_games_have_nothing_in_common() -> None:
    with pytest.raises(InputError, match="no positions in common"):
        compare(trained("nim:2,1", "quality", 5, 0), trained("nim:1,1", "quality", 5, 0))
