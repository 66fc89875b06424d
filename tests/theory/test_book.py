"""Books of openings: their positions and scores against brute force, and the published counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nimtui.engine.connect import Solver
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.games.connect import Connect
from nimtui.jobs.book import Making
from nimtui.progress import Cancelled
from nimtui.theory import book as books
from nimtui.theory import is_instant, solve
from nimtui.theory.book import UNKNOWN, Book, deepened, empty, fill, from_bytes, read
from tests.examples import few
from tests.stops import StopAfter
from tests.theory.oracles import Columns

SMALL = [("connect:4x3x3", 12), ("connect:5x2x3", 10)]


def made(name: str, plies: int) -> Book:
    found = empty(parse_game(name), plies)
    fill(found, solver(found))
    return found


def solver(book: Book) -> Solver:
    assert isinstance(book.game.start, Connect)
    return Solver(book.game.start, 1 << 20)


def position(name: str, moves: str) -> Connect:
    state = parse_game(name).new(moves)
    assert isinstance(state, Connect)
    return state


@pytest.mark.slow
@pytest.mark.parametrize(("name", "cells"), few(SMALL[1:], SMALL))
def test_a_book_of_a_whole_game_holds_every_position_with_its_score(name: str, cells: int) -> None:
    start = position(name, "")
    oracle = Columns(len(start.top), start.rows, start.k)
    book, seen = empty(parse_game(name), 0), 0
    while True:
        try:
            book = deepened(book)
        except InputError:
            break
    fill(book, solver(book))
    assert book.plies < cells
    for board, moves in oracle.positions():
        state = position(name, moves)
        assert book.score(state) == oracle.score(board), moves
        assert book.move_scores(state) == (oracle.moves(board) if len(moves) < book.plies else None), moves
        seen += 1
    assert seen == sum(int(book.openings(ply).images.sum()) for ply in range(book.plies + 1))


def test_counts_are_of_all_positions_and_add_up() -> None:
    oracle = Columns(4, 3, 3)
    expected = {ply: [0, 0, 0] for ply in range(4)}  # won, drawn, lost, by whoever is to move
    for board, moves in oracle.positions():
        if len(moves) in expected:
            score = oracle.score(board)
            expected[len(moves)][0 if score > 0 else 2 if score < 0 else 1] += 1
    for counts in made("connect:4x3x3", 3).counts():
        mine = (counts.won, counts.drawn, counts.lost)
        assert (mine if counts.plies % 2 == 0 else mine[::-1]) == tuple(expected[counts.plies])
        assert counts.finished == 0, "nobody has three discs yet"


# Source: Böck, the weak solution of Connect Four: positions after so many plies, for the first player.
BOCK = {3: (35, 58, 145), 6: (10_889, 1_943, 3_590), 8: (124_624, 14_676, 44_975)}


def test_the_book_of_connect_four_adds_up_to_the_published_counts() -> None:
    found = {counts.plies: (counts.won, counts.drawn, counts.lost) for counts in books.shipped().counts()}
    for plies, counts in BOCK.items():
        assert plies not in found or found[plies] == counts
    assert len(found) > 6
    assert books.shipped().unknown == 0
    assert len(books.shipped().bytes()) < 1_000_000


def test_the_positions_of_connect_four_are_those_that_are_published() -> None:
    # source: OEIS A212693, the positions after n plies on 7 × 6
    book = books.shipped()
    found = [book.openings(ply) for ply in range(9)]
    assert [int(here.images.sum()) + here.lines for here in found] == [
        1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275
    ]  # fmt: skip
    assert found[8].lines == 1892


def test_theory_answers_from_the_book_without_a_search() -> None:
    game = parse_game("connect4")
    for moves in ("", "4", "44", "4455", "44556", "445561"):
        state = game.new(moves)
        assert isinstance(state, Connect)
        assert is_instant(game, state)
        verdict = solve(game, state)
        assert verdict.scores is not None
        assert verdict.score == max(verdict.scores.values()) == books.shipped().score(state)
    # source: Allis 1988 and Pons: only the middle wins, with the last but one disc; beside it the game is drawn
    first = solve(game, game.new())
    assert (first.score, first.scores) == (1, {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2})
    left, right = (solve(game, game.new(moves)).scores for moves in ("1223", "7665"))
    assert left == {6 - move: score for move, score in (right or {}).items()}, "a mirror image is in the book"


def test_another_board_has_no_book() -> None:
    assert books.book_of(position("connect4:6x7", "")) is None
    assert books.book_of(position("connect:7x6x5", "")) is None
    assert books.book_of(position("connect4:7x6", "")) is books.shipped()
    nowhere = np.array([0]), np.array([(1 << 62) - 1])  # numbered after all that are reached
    assert books.shipped().scores_at(1, *nowhere)[0] == books.shipped().scores_at(4, *nowhere)[0] == UNKNOWN


def test_making_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole, part = made("connect4:4x4", 7), empty(parse_game("connect4:4x4"), 7)
    kept: list[bytes] = []
    with pytest.raises(Cancelled):
        fill(part, solver(part), StopAfter(30), lambda book: kept.append(book.bytes()))
    again = from_bytes(kept[-1], "part")
    assert 0 < np.count_nonzero(again.scores[-1] == UNKNOWN) < len(again.scores[-1])
    fill(again, solver(again))
    shallow = made("connect4:4x4", 3)
    deeper = Making(shallow, 7, solver(shallow), tmp_path / "deeper.book")
    deeper.work()
    assert read(tmp_path / "deeper.book").bytes() == deeper.book.bytes() and deeper.finished
    assert again.bytes() == whole.bytes() == deeper.book.bytes()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: data[:-1], "its checksum is wrong"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "its checksum is wrong"),
        (lambda data: data.replace(b'"version": 1', b'"version": 9'), "no book of this version"),
        (lambda data: data.replace(b"connect:4x4x4", b"nim:3,4,5"), "is no connect game"),
        (lambda data: data.replace(b"[1, 2,", b"[1, 3,"), "scores instead of"),
        (lambda data: b"", ""),
    ],
)
def test_a_damaged_book_is_refused_in_one_line(tmp_path: Path, damage, said: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "some.book"
    file.write_bytes(damage(made("connect4:4x4", 3).bytes()))
    with pytest.raises(InputError, match="no book of openings, or it is damaged") as caught:
        read(file)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
