"""The positions of a learner's games against a shallow search, against the rules and the judge of matches."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.agents.learned import OfTable
from nimtui.arena.play import trials
from nimtui.arena.play.match import play_match
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.learning.sample import NOT_LEGAL
from nimtui.learning.training import Training
from tests.learning.test_sampled import result

GAMES = 12


@pytest.mark.parametrize(
    ("name", "learner"), [("connect:3x3x3", "linear"), ("nim:1,2,3", "quality"), ("connect:3x3x3", "q")]
)
def test_mistakes_and_values_are_those_of_the_rules_and_of_the_judge(name: str, learner: str) -> None:
    game = parse_game(name)
    training = Training(game, learner, 1)
    training.run(30)
    met = trials.met(training.table, GAMES)
    for board, results in zip(met.sample.boards, met.sample.results, strict=True):
        state = game.at(board.copy())
        legal = {move: result(state, move) for move in base.legal_moves(state)}
        assert {move: int(results[move]) for move in np.flatnonzero(results != NOT_LEGAL).tolist()} == legal
        assert len(set(legal.values())) > 1
    agents = OfTable(training.table, "learner", ""), parse_agent("alphabeta:depth=2", game)
    judged = play_match(game, *agents, GAMES, 1, True, openings=trials.OPENINGS, judging=True)
    mistakes = sum(row.mistakes[0] for row in judged.batch.rows())
    assert met.wrong.sum() == mistakes and (met.wrong <= met.times).all() and met.games == GAMES
    score = judged.by_agent[0]
    assert met.points == (score.wins + score.draws / 2) / GAMES
    assert (
        met.errors == np.count_nonzero(met.wrong)
        and f"it erred in {met.errors} of {len(met.times)} positions" in met.text
    )
    assert met.unmet(np.zeros(len(met.times), np.int64)) == met.errors and met.unmet(met.times) == 0


def test_a_game_without_exact_values_is_refused() -> None:
    with pytest.raises(InputError, match="have no exact values"):
        trials.met(Training(parse_game("connect4:8x6"), "linear", 1).table)
