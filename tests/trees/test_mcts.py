"""Monte Carlo tree search of a position: what it plays, what it reports, how it is stopped and refused."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.progress import Cancelled
from nimtui.trees.mcts import MonteCarloSearch, bytes_needed, children
from tests.agents.subtraction import lost, right
from tests.stops import StopAt

MATCHES = parse_game("subtraction:21,3:misere")
WINNABLE = [matches for matches in range(2, 21) if not lost(matches)]


def accuracy(simulations: int, repeats: int, **how: object) -> float:
    """Over the 15 winnable positions of 2 to 20 matches."""
    good = 0
    for matches in WINNABLE:
        for seed in range(repeats):
            search = MonteCarloSearch(
                MATCHES,
                MATCHES.new(str(matches)),
                simulations,
                stream=Stream(seed, matches),
                **how,  # type: ignore[arg-type]
            )
            good += search.run().best.move + 1 in right(matches)
    return good / len(WINNABLE) / repeats


@pytest.mark.slow
@pytest.mark.parametrize(
    ("simulations", "how", "repeats", "expected", "tolerance"),
    [
        # source: original 002 re-run with 0.711 and 0.80. For its own bound (the root's count) the re-run has
        # 0.679; its program word for word gave 0.709 ± 0.015 over 900 searches, and grows the same trees as this one
        # (tests/engine/test_mcts.py). A share of 15 × repeats searches varies by 0.015, 0.015 and 0.023 (σ).
        (500, {}, 60, 0.711, 0.06),
        (500, {"log": "root"}, 60, 0.695, 0.06),
        (2000, {}, 20, 0.80, 0.08),
    ],
)
def test_accuracy_is_that_of_the_original(
    simulations: int, how: dict[str, object], repeats: int, expected: float, tolerance: float
) -> None:
    assert abs(accuracy(simulations, repeats, **how) - expected) < tolerance


@pytest.mark.slow
def test_proving_helps() -> None:
    assert accuracy(500, 40, proven=True) > accuracy(500, 40) + 0.02
    assert accuracy(20_000, 1, proven=True) == 1.0


def test_proven_searches_end_where_the_root_is_proven_and_play_the_win() -> None:
    for matches in (4, 6, 7):
        search = MonteCarloSearch(MATCHES, MATCHES.new(str(matches)), 3_000, proven=True).run()
        assert search.settled and search.finished and search.done < 3_000
        assert (search.value, search.best.proven) == (1.0, 1)
        assert search.best.move + 1 in right(matches)
    lost_one = MonteCarloSearch(MATCHES, MATCHES.new("5"), 3_000, proven=True).run()
    assert lost_one.settled and lost_one.value == -1.0
    assert [move.proven for move in lost_one.moves] == [-1, -1, -1]


@pytest.mark.parametrize("name", ["tower:16", "connect:3x3x3"])
def test_what_it_reports(name: str) -> None:
    game = parse_game(name)
    search = MonteCarloSearch(game, game.start, 300).run()
    moves = search.moves
    assert [move.move for move in moves] == base.legal_moves(game.start)
    assert sum(move.visits for move in moves) == 300
    assert search.best.visits == max(move.visits for move in moves)
    for move in moves:
        assert move.mean is not None and move.ucb is not None and -1 <= move.mean <= 1 and move.mean < move.ucb
        assert move.value == move.mean
    line = search.principal_variation
    assert line[0] == search.best.move
    state = game.new()
    for move_made in line:
        assert base.legal(state, move_made)
        base.play(state, move_made)
    parents, visited = search.columns.parent.tolist(), np.flatnonzero(search.columns.visits).tolist()
    below = dict.fromkeys(children(search.columns, 0), 0)
    for node in visited[1:]:
        while parents[node]:
            node = parents[node]
        below[node] += 1
    assert search.survey == (len({*visited} - {parents[node] for node in visited[1:]}), list(below.values()))
    assert search.nodes == len(visited) <= 301 and search.scale == 1
    assert 0 < search.space.used_bytes < bytes_needed(game.start, 300)
    assert game.position_name(game.start) == game.position_name(game.new())


@pytest.mark.slow
def test_cancelled_it_is_valid_as_far_as_it_came_and_goes_on_to_the_same_end() -> None:
    game = parse_game("connect4")
    whole = MonteCarloSearch(game, game.start, 30_000).run()
    search = MonteCarloSearch(game, game.start, 30_000)
    assert search.moves[0].visits == 0 and search.nodes == 1
    with pytest.raises(Cancelled):
        search.run(StopAt(1))
    assert 0 < search.done < 30_000 and not search.finished
    assert sum(move.visits for move in search.moves) == search.done
    search.run()
    assert search.finished and search.moves == whole.moves


def test_memory_left_by_one_search_changes_nothing_in_the_next() -> None:
    game = parse_game("nim:3,4")
    clean = MonteCarloSearch(game, game.start, 120, stream=Stream(4)).run().moves
    for simulations in (300, 120, 20):  # the next finds more room than it needs, or less
        used = MonteCarloSearch(MATCHES, MATCHES.start, simulations, stream=Stream(1)).run()
        used.release()
        assert used.done == 0 and used.moves[0].visits == 0
        search = MonteCarloSearch(game, game.start, 120, stream=Stream(4)).run()
        assert search.moves == clean
        search.release()
        assert MonteCarloSearch(game, game.start, 120, proven=True, stream=Stream(4)).run().proven


def test_playouts_against_a_perfect_opponent() -> None:
    # After a losing move the perfect opponent wins every playout, so all means tell at once.
    for matches in (6, 10, 14, 18):
        search = MonteCarloSearch(MATCHES, MATCHES.new(str(matches)), 3, policy="perfect-opponent").run()
        assert all(move.mean == -1 for move in search.moves if move.move + 1 not in right(matches))
    late = parse_game("nim:3,2")
    from_there = Game(late.module, base.with_board(late.start, late.parse_position("1,2")))
    search = MonteCarloSearch(from_there, late.new("3,2"), 500, policy="perfect-opponent").run()
    assert late.move_name(search.best.move, late.new()) == "a1"


def test_what_cannot_be_is_said_before_anything_is_allocated() -> None:
    game, pays = parse_game("connect4"), parse_game("tree:((3,9),(2,7))")
    assert MonteCarloSearch(pays, pays.start, 5).scale == 9
    needed = bytes_needed(pays.start, 50, valued=True)
    assert needed == MonteCarloSearch(pays, pays.start, 50, most_bytes=needed).bytes_needed
    with pytest.raises(InputError, match=rf"50 simulations could need .* \({needed:,} bytes\)"):
        MonteCarloSearch(pays, pays.start, 50, most_bytes=needed - 1)
    with pytest.raises(InputError, match=r"10,000,000 simulations could need .* GB .*: at most [\d,]+ fit"):
        MonteCarloSearch(game, game.start, 10_000_000)
    with pytest.raises(InputError, match="no perfect opponent for the playouts"):
        MonteCarloSearch(game, game.start, policy="perfect-opponent")
    with pytest.raises(InputError, match="the game is over at 0"):
        MonteCarloSearch(MATCHES, MATCHES.new("0"))
