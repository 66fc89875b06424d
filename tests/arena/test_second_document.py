"""The subtraction tournament: six agents, every ordered pair of them, 100 games each.

21 matches, take 1 to 3, whoever takes the last one loses: who begins is lost. The exact values are recursions.
"""

from __future__ import annotations

from math import comb

import pytest

from nimtui.arena.play.batch import Batch
from nimtui.arena.play.pieces import Piece, play
from nimtui.arena.play.plan import plan
from tests.agents.chance import RARE, plausible
from tests.agents.subtraction import perfect_wins, random_wins

RANDOM, PERFECT, MC, MCPO, MCTS, VALUE = AGENTS = (
    "random",
    "perfect",
    "mc:playouts=1000",
    "mc:playouts=1000,policy=perfect-opponent",
    "mcts:simulations=500",
    "value",
)
NUMBER = 100

# source: the subtraction tournament, re-run with 100 games each: how many the one moving first won
RE_RUN = {
    (RANDOM, RANDOM): 43, (PERFECT, RANDOM): 98, (RANDOM, MC): 15, (MC, RANDOM): 92, (PERFECT, MC): 99,
    (RANDOM, MCPO): 0, (MCPO, RANDOM): 100, (RANDOM, MCTS): 3, (MCTS, RANDOM): 98, (PERFECT, MCTS): 88, (MC, MCTS): 7,
    (MCTS, MC): 96, (MCPO, MCTS): 95, (MCTS, MCPO): 0, (MC, MC): 53, (MCTS, MCTS): 53, (VALUE, RANDOM): 99,
    (VALUE, MC): 100, (VALUE, MCTS): 96, (PERFECT, MCPO): 0, (VALUE, MCPO): 0,
}  # fmt: skip
# not run again: with 1000 playouts against a perfect opponent it plays as good as perfectly
RE_RUN |= {(MC, MCPO): 0, (MCPO, MC): 99, (MCPO, MCPO): 0}


def same_odds(won: int, of: int, other: int) -> bool:
    """Could so many wins of `of` games, and `other` of 100, come from one probability? Fisher's exact test."""
    both = won + other
    ways = [comb(of, k) * comb(NUMBER, both - k) if both >= k else 0 for k in range(of + 1)]
    return min(sum(ways[: won + 1]), sum(ways[won:])) / sum(ways) > RARE / 2


def wins(games: Batch) -> int:
    return int((games.result == 1).sum())


@pytest.mark.slow
def test_the_tournament_comes_to_what_it_came_to() -> None:
    """Each ordered pair plays 40 games. Where the second mover is perfect it wins all of them without a mistake."""
    asked = plan(["subtraction:21,3:misere"], AGENTS, "ordered", 40)
    assert len(asked.pairings) == 36
    for number, pairing in enumerate(asked.pairings):
        first, second = AGENTS[pairing.first], AGENTS[pairing.second]
        games = play(Piece(asked, number, 0, 40))
        assert len(games) == 40 and not games.opener.any() and games.result.all() and not games.faults
        if second in (PERFECT, VALUE):
            assert wins(games) == 0 and not games.mistakes[:, 1].any(), first
        elif (first, second) in ((PERFECT, RANDOM), (VALUE, RANDOM)):
            assert plausible(wins(games), 40, perfect_wins(21, True))  # 0.9952
        assert (first, second) in RE_RUN or second in (PERFECT, VALUE)
        assert same_odds(wins(games), 40, RE_RUN.get((first, second), 0)), (first, second)


@pytest.mark.slow
def test_a_million_games_show_the_exact_values() -> None:
    asked = plan(["subtraction:21,3:misere"], [RANDOM, PERFECT], "ordered", 1_000_000)
    for pairing, exact in ((0, random_wins(21)), (2, perfect_wins(21, True))):
        share = wins(play(Piece(asked, pairing, 0, 1_000_000))) / 1_000_000
        assert abs(share - exact) < 5 * (exact * (1 - exact) / 1_000_000) ** 0.5
