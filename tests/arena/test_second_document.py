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
    (RANDOM, RANDOM): 43,
    (PERFECT, RANDOM): 98,
    (RANDOM, MC): 15,
    (MC, RANDOM): 92,
    (PERFECT, MC): 99,
    (RANDOM, MCPO): 0,
    (MCPO, RANDOM): 100,
    (RANDOM, MCTS): 3,
    (MCTS, RANDOM): 98,
    (PERFECT, MCTS): 88,
    (MC, MCTS): 7,
    (MCTS, MC): 96,
    (MCPO, MCTS): 95,
    (MCTS, MCPO): 0,
    (MC, MC): 53,
    (MCTS, MCTS): 53,
    (VALUE, RANDOM): 99,
    (VALUE, MC): 100,
    (VALUE, MCTS): 96,
    (PERFECT, MCPO): 0,
    (VALUE, MCPO): 0,
}
# not run again: with 1000 playouts against a perfect opponent it plays as good as perfectly
ABOUT = {(MC, MCPO): 0, (MCPO, MC): 99, (MCPO, MCPO): 0}


def same_odds(won: int, other: int, games: int = NUMBER) -> bool:
    """Could both come from one probability, each of so many games? Fisher's exact test: hypergeometric tails."""
    both = won + other
    ways = [comb(games, k) * comb(games, both - k) if both >= k else 0 for k in range(games + 1)]
    return min(sum(ways[: won + 1]), sum(ways[won:])) / sum(ways) > RARE / 2


@pytest.fixture(scope="module")
def cells() -> dict[tuple[str, str], Batch]:
    """The whole tournament."""
    asked = plan(["subtraction:21,3:misere"], AGENTS, "ordered", NUMBER)
    assert asked.total == 3600
    pairs = [(AGENTS[pairing.first], AGENTS[pairing.second]) for pairing in asked.pairings]
    return {pair: play(Piece(asked, number, 0, NUMBER)) for number, pair in enumerate(pairs)}


def wins(games: Batch) -> int:
    return int((games.result == 1).sum())


@pytest.mark.slow
def test_it_has_every_ordered_pair(cells: dict[tuple[str, str], Batch]) -> None:
    assert len(cells) == 36 and all(len(games) == NUMBER for games in cells.values())
    assert all((games.opener == 0).all() and (games.result != 0).all() for games in cells.values())
    assert not any(games.faults for games in cells.values())


@pytest.mark.slow
@pytest.mark.parametrize("second", [PERFECT, VALUE])
@pytest.mark.parametrize("first", AGENTS)
def test_who_moves_second_and_perfectly_wins_every_game(
    cells: dict[tuple[str, str], Batch], first: str, second: str
) -> None:
    assert wins(cells[first, second]) == 0
    assert not cells[first, second].mistakes[:, 1].any()


@pytest.mark.slow
@pytest.mark.parametrize("first", [PERFECT, VALUE])
def test_against_random_play_it_is_what_theory_says(cells: dict[tuple[str, str], Batch], first: str) -> None:
    assert plausible(wins(cells[first, RANDOM]), NUMBER, perfect_wins(21, True))  # 0.9952
    assert plausible(wins(cells[RANDOM, RANDOM]), NUMBER, random_wins(21))  # 0.5


@pytest.mark.slow
@pytest.mark.parametrize("pair", [*RE_RUN, *ABOUT], ids=" - ".join)
def test_every_cell_is_as_in_the_re_run(cells: dict[tuple[str, str], Batch], pair: tuple[str, str]) -> None:
    assert same_odds(wins(cells[pair]), (RE_RUN | ABOUT)[pair])


@pytest.mark.slow
def test_all_cells_are_compared() -> None:
    exact = {(first, second) for first in AGENTS for second in (PERFECT, VALUE)}
    assert len(exact | set(RE_RUN) | set(ABOUT)) == 36


@pytest.mark.slow
def test_a_million_games_show_the_exact_values() -> None:
    asked = plan(["subtraction:21,3:misere"], [RANDOM, PERFECT], "ordered", 1_000_000)
    for pairing, exact in ((0, random_wins(21)), (2, perfect_wins(21, True))):
        share = wins(play(Piece(asked, pairing, 0, 1_000_000))) / 1_000_000
        assert abs(share - exact) < 5 * (exact * (1 - exact) / 1_000_000) ** 0.5
