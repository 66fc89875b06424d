"""Connect games in theory: what is solved, from where on, and told of their end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from nimtui.engine.connect import Solver
from nimtui.games import Game, base, parse_game
from nimtui.games.connect import Connect
from nimtui.theory import Outcome, connect, is_instant, solve, why_unsolvable
from nimtui.theory.claims import Last
from nimtui.theory.explanation import ending_lines
from tests.examples import few


def board(game: Game, moves: str) -> Connect:
    state = game.new(moves)
    assert isinstance(state, Connect)
    return state


def test_a_finished_board_has_the_score_of_who_lost_or_0() -> None:
    game = parse_game("connect4:4x4")
    lost = solve(game, game.new("1212121"))
    # the winner's fourth of eight discs: 5 for them
    assert (lost.outcome, lost.score, lost.scores, lost.best_moves) == (Outcome.LOSS, -5, {}, ())
    board = parse_game("connect:1x3x3")
    full = solve(board, board.new("111"))
    assert (full.outcome, full.score, full.scores, full.best_moves) == (Outcome.DRAW, 0, {}, ())


def test_a_later_position_of_a_game_profits_from_what_was_solved_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_idle", [])
    game = parse_game("connect4")
    before, after = (board(game, moves) for moves in ("5226457544672", "52264575446722"))
    connect._verdicts.clear()
    solve(game, before)
    [solver] = connect._idle
    known = solver.nodes
    verdict = solve(game, after)
    fresh = Solver(after)
    assert verdict.scores == fresh.scores(after) and is_instant(game, after), "what was solved is kept"
    assert connect._idle == [solver] and solver.nodes - known < fresh.nodes


@pytest.mark.parametrize(("name", "plies"), [("connect4:4x3", 3), ("connect4:5x4", 11)])
def test_without_the_scores_of_moves_the_best_moves_are_the_same(name: str, plies: int) -> None:
    game, random = parse_game(name), Random(plies)
    connect._verdicts.clear()
    outcomes = set()
    for _ in range(12):
        state = base.copy(game.start)
        for _ in range(plies):
            if base.outcome(state) == base.GOING_ON:
                base.play(state, random.choice(base.legal_moves(state)))
        brief = solve(game, state, scores=False)
        assert solve(game, state, scores=False) == brief
        full = solve(game, state)
        assert (brief.outcome, brief.score, brief.best_moves) == (full.outcome, full.score, full.best_moves)
        outcomes.add(full.outcome)
    assert len(outcomes) >= 2


@pytest.mark.slow
def test_threads_that_ask_at_once_all_get_the_right_answer() -> None:
    game = parse_game("connect4:6x5")
    openings = [f"{first}{second}1" for first in few("12", "123") for second in few("46", "456")]
    expected = {moves: Solver(board(game, moves)).scores(board(game, moves)) for moves in openings}
    connect._verdicts.clear()
    with ThreadPoolExecutor(4) as pool:
        found = dict(zip(openings, pool.map(lambda moves: solve(game, game.new(moves)).scores, openings), strict=True))
    assert found == expected


# How a game ends; test_plain_sentences holds every fact of the sentences.


def test_the_sentences_name_the_winner_the_column_and_the_row() -> None:
    game = parse_game("connect4")
    found = connect.ending(game, board(game, "52264575446722"))
    assert found is not None and found.last is Last.ZUGZWANG and len(found.line) == 22
    text = " ".join(ending_lines(found, Outcome.LOSS))
    assert text.startswith("Best play: 6 4 6 6 1 1") and "whichever of the columns 3 and 7 the player to move" in text
    assert "the opponent completes a line right above." in text


def test_the_end_of_a_game_and_of_an_early_position_is_not_told() -> None:
    game = parse_game("connect4")
    assert [connect.ending(game, board(game, moves)) for moves in ("1212121", "44")] == [None, None]


ROOM = [("7x6x4", 36, 42), ("6x4x4", 36, 42), ("8x6x4", 34, 40), ("9x6x4", 30, 30), ("8x3x4", 27, 27)]
ROOM += [("9x3x3", 24, 24), ("7x6x5", 27, 27), ("9x4x5", 24, 24)]


@pytest.mark.parametrize(("board", "most", "patient"), ROOM)
def test_how_many_cells_may_be_empty(board: str, most: int, patient: int) -> None:
    start = parse_game(f"connect:{board}").new()
    assert isinstance(start, Connect)
    assert (connect.most_empty(start), connect.most_empty(start, patient=True)) == (most, patient)


def test_a_board_that_is_too_large_is_refused_with_the_way_out() -> None:
    game = parse_game("connect:8x6x4")
    for moves, empty, patient, most in (("", 48, False, 34), ("", 48, True, 40), ("11112222", 40, False, 34)):
        why = f"a 8 × 6 board with {empty} empty cells is too large to solve exactly: at most {most} cells may be empty"
        why += " (nimtui solve takes some minutes)" * (empty == 40)
        assert why_unsolvable(game, game.new(moves), patient=patient) == why
    assert why_unsolvable(game, game.new("11112222"), patient=True) is None
    assert why_unsolvable(game, game.new("11111122222233")) is None
