"""Connect games in theory: what is solved, from where on, told of their end; books of openings, by brute force."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from nimtui.engine.connect import Solver
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.games.connect import Connect
from nimtui.jobs.book import Making
from nimtui.progress import Cancelled, Progress
from nimtui.report.cells import cells as cells_of
from nimtui.report.lines import plain_text
from nimtui.theory import Outcome, connect, is_instant, plain, solve, why_unsolvable
from nimtui.theory import book as books
from nimtui.theory.answers import Answer
from nimtui.theory.book import UNKNOWN, Book, Counts, deepened, empty, fill, from_bytes, read
from nimtui.theory.claims import Last
from nimtui.theory.explanation import ending_lines
from tests.examples import few
from tests.games.refusal import refusal
from tests.stops import StopAfter
from tests.theory.oracles import Columns


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
    solve(parse_game("connect:3x2x2"), board(parse_game("connect:3x2x2"), ""), patience=type(connect.USUAL)(9))
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
    outcomes, judged = set(), connect.Outcomes(game.start)
    for _ in range(12):
        state = base.copy(game.start)
        for _ in range(plies):
            if base.outcome(state) == base.GOING_ON:
                base.play(state, random.choice(base.legal_moves(state)))
        brief = solve(game, state, scores=False)
        assert solve(game, state, scores=False) == brief
        full = solve(game, state)
        assert (brief.outcome, brief.score, brief.best_moves) == (full.outcome, full.score, full.best_moves)
        assert base.outcome(state) != base.GOING_ON or judged.of(state) is full.outcome
        if brief.outcome is Outcome.WIN:  # without the plies to the end
            [said] = plain.explained(game, state, solution=Answer(brief, None)).sentences()
            assert re.fullmatch(r"Drop.+: (then you win, whatever the .+ does|that completes four in a row)\.", said)
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
    square = parse_game("connect4:6x6")
    assert connect.ending(square, square.new()) is None, "35 cells may be empty"


ROOM = [("7x6x4", 36, 42), ("6x4x4", 36, 42), ("8x6x4", 34, 40), ("9x6x4", 30, 30), ("8x3x4", 27, 27)]
ROOM += [("9x3x3", 24, 24), ("7x6x5", 27, 27), ("9x4x5", 24, 24)]


@pytest.mark.parametrize(("board", "most", "patient"), ROOM)
def test_how_many_cells_may_be_empty(board: str, most: int, patient: int) -> None:
    start = parse_game(f"connect:{board}").new()
    assert isinstance(start, Connect)
    assert (connect.most_empty(start), connect.most_empty(start, patient=True)) == (most, patient)


def test_a_board_that_is_too_large_is_refused_with_the_way_out() -> None:
    game = parse_game("connect:8x6x4")
    for moves, cells, patient, most in (("", 48, False, 34), ("", 48, True, 40), ("11112222", 40, False, 34)):
        why = f"a 8 × 6 board with {cells} empty cells is too large to solve exactly: at most {most} cells may be empty"
        why += " (nimtui solve takes some minutes)" * (cells == 40)
        assert why_unsolvable(game, game.new(moves), patient=patient) == why
    assert why_unsolvable(game, game.new("11112222"), patient=True) is None
    paid = parse_game("connect:8x6x4:score")
    assert why_unsolvable(paid, paid.start) == why_unsolvable(game, game.start)
    assert connect.why_unsolvable(game, game.start) == connect.why_unsolvable(game, game.start, patient=False)
    assert why_unsolvable(game, game.new("11111122222233")) is None


# Books of openings: their positions and scores against brute force, and the published counts.


SMALL = [pytest.param(*row, marks=pytest.mark.slow) for row in (("connect:4x3x3", 12), ("connect:5x2x3", 10))]


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


@pytest.mark.parametrize(("name", "cells"), [("connect:4x2x3", 8), *few(SMALL[1:], SMALL)])
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
    plies = range(book.plies + 1)
    ends: dict[int, dict[tuple[str, ...], int]] = {ply: {} for ply in range(cells + 1)}  # for the first player
    finished = {ply: set[tuple[str, ...]]() for ply in range(cells + 1)}
    for board, moves in oracle.positions():
        sign = -1 if len(moves) % 2 else 1
        ends[len(moves)][board] = sign * int(np.sign(oracle.score(board)))
        for after in (oracle.drop(board, column) for column in oracle.open(board)):
            won = any(oracle.wins(after, column) for column in range(len(after)) if after[column] != board[column])
            if won or not oracle.open(after):
                finished[len(moves) + 1].add(after)
                ends[len(moves) + 1][after] = sign * won
        state = position(name, moves)
        assert book.score(state) == oracle.score(board), moves
        assert book.move_scores(state) == (oracle.moves(board) if len(moves) < book.plies else None), moves
        seen += 1
    assert seen == sum(int(book.openings(ply).images.sum()) for ply in plies)
    whole = [[*ends[ply].values()] for ply in plies]
    assert book.counts() == [
        Counts(ply, each.count(1), each.count(0), each.count(-1), len(finished[ply])) for ply, each in enumerate(whole)
    ]
    assert [counts.positions for counts in book.counts()] == list(map(len, whole))
    told = [plain_text(line).split() for line in cells_of(books.report(book, "some.book"))]
    assert told[1][:4] == ["some.book:", str(book.plies), "plies,", f"{len(book.bytes()):,}"]
    rows = [(each.plies, each.positions, each.won, each.drawn, each.lost, each.finished) for each in book.counts()]
    assert told[4 : 5 + book.plies] == [[f"{number:,}" for number in row] for row in rows]
    assert told[-1] == ["sha256", book.checksum] and len(told) == book.plies + 7


def test_filling_a_book_tells_how_far_it_is_and_saves_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    told, saved, heard = [], list[int](), Progress()  # four columns: two openings, each with its mirror image
    heard.report = lambda done, total, what="": told.append((done, total, what))
    book = empty(parse_game("connect:4x2x3"), 1)
    assert (book.unknown, [counts.plies for counts in book.counts()]) == (3, [])
    text = [plain_text(line) for line in cells_of(books.report(book, ""))]
    assert text[1] == f"The book: 1 ply, {len(book.bytes())} bytes" and text[-3] == "3 scores are still unknown."
    monkeypatch.setattr(books, "SAVE_EVERY", -1.0)
    fill(book, solver(book), heard, lambda book: saved.append(book.unknown))
    assert set(told) == {(0, 2, "positions"), (1, 2, "positions")} and saved == [2, 1, 0]
    assert (book.scores[0].tolist(), book.scores[1].tolist(), book.unknown) == ([0], [0, 0], 0)
    book.scores[1][1] = UNKNOWN
    told.clear()
    fill(book, solver(book), heard)
    assert set(told) == {(1, 2, "positions")} and book.unknown == 0
    assert refusal(empty, parse_game("nim:3"), 1) == (
        "a book is for connect games, such as connect4: nim:3 is another game"
    )
    over = "every game of connect:2x1x2 is over after 2 plies: choose fewer plies"
    assert refusal(deepened, empty(parse_game("connect:2x1x2"), 1)) == over
    monkeypatch.setattr(books, "MOST_BYTES", 3)
    assert empty(parse_game("connect:4x2x3"), 1).plies == 1
    many = sum(len(book.openings(ply)) for ply in range(3))
    large = f"a book of 2 plies has {many} positions: choose fewer plies"
    assert refusal(empty, parse_game("connect:4x2x3"), 2) == large


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
        connect._verdicts.clear()
        verdict = solve(game, state, scores=False)
        assert verdict.scores is not None
        assert verdict.score == max(verdict.scores.values()) == books.shipped().score(state)
    # source: Allis 1988 and Pons: only the middle wins, with the last but one disc; beside it the game is drawn
    first = solve(game, game.new())
    assert (first.score, first.scores) == (1, {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2})
    left, right = (solve(game, game.new(moves)).scores for moves in ("1223", "7665"))
    assert left == {6 - move: score for move, score in (right or {}).items()}, "a mirror image is in the book"


def test_another_board_has_no_book() -> None:
    assert [books.book_of(position(name, "")) for name in ("connect4:6x7", "connect:7x6x5")] == [None, None]
    assert books.book_of(position("connect4:7x6", "")) is books.shipped()
    nowhere = np.array([0]), np.array([(1 << 62) - 1])  # numbered after all that are reached
    assert books.shipped().scores_at(1, *nowhere)[0] == books.shipped().scores_at(4, *nowhere)[0] == UNKNOWN
    four, plies = parse_game("connect4"), books.book_of(parse_game("connect4").start).plies  # it ends at its last ply
    assert [connect.is_in_book(board(four, "444444222222"[:ply])) for ply in (plies - 1, plies)] == [True, False]


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


SIZE = 37  # positions of the first three plies of 4 × 4, without mirror images


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: data[:-1], "its checksum is wrong"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "its checksum is wrong"),
        (lambda data: data.replace(b'"version": 1', b'"version": 9'), "its first line names no book of this version"),
        (lambda data: data.replace(b'"book"', b'"run"'), "its first line names no book of this version"),
        (lambda data: data.replace(b"connect:4x4x4", b"nim:3,4,5"), "nim:3,4,5 is no connect game"),
        (lambda data: data.replace(b'"connect:4x4x4"', b"4"), "its first line names no game or no positions"),
        (lambda data: data.replace(b"[1, 2,", b"[0, 3,"), "its first line names no game or no positions"),
        (lambda data: data.replace(b'"positions"', b'"counts"'), "its first line names no game or no positions"),
        (lambda data: data.replace(b"[1, 2,", b"3, "), None),
        (lambda data: data.replace(b"[1, 2,", b"[1, 3,"), f"it has {SIZE} scores instead of {SIZE + 1}"),
        (lambda data: Book(parse_game("connect4:4x4"), []).bytes(), "it has 0 scores instead of 0"),
        (lambda data: scored(9), "it has a score that the board does not allow"),
        (lambda data: scored(-9), "it has a score that the board does not allow"),
        (lambda data: b"", None),
    ],
)
def test_a_damaged_book_is_refused_in_one_line(tmp_path: Path, damage, said: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "some.book"
    file.write_bytes(damage(made("connect4:4x4", 3).bytes()))
    told, whole = refusal(read, file), "some.book is no book of openings, or it is damaged: "
    assert told == whole + said if said else told.startswith(whole)


def scored(score: int) -> bytes:
    """A file with this score."""
    return Book(parse_game("connect4:4x4"), [np.array([score], np.int8)]).bytes()


def test_a_file_with_positions_that_are_not_those_of_the_game_is_refused(tmp_path: Path) -> None:
    file, book = tmp_path / "some.book", made("connect4:4x4", 3)
    assert refusal(read, file) == f"there is no file {file}"
    file.write_bytes(book.bytes().replace(b"[1, 2,", b"[2, 1,"))
    assert refusal(read, file) == "some.book has 2 positions after 0 plies, which is wrong"
    for score in (8, -8, UNKNOWN):  # of 16 cells each has 8
        assert from_bytes(scored(score), "").scores[0].tolist() == [score]
