"""The exact solver of connect games and its parts, against plain loops and brute force that share no code with it."""

from __future__ import annotations

from functools import reduce
from itertools import cycle
from operator import ne, xor
from random import Random
from threading import enumerate as enumerate_threads
from types import SimpleNamespace
from zlib import crc32

import numpy as np
import pytest

from nimtui.engine import jit, limits
from nimtui.engine.connect import Solver
from nimtui.engine.connect import search as kernel
from nimtui.engine.connect.board import Board, board_of, cells_above, cells_below, from_lowest_up, has_line
from nimtui.engine.connect.solver import DRAWN, GOING, WON, WRONG, ending, question, read
from nimtui.engine.connect.table import Table, ask, keep, key_of, lower_of, table, upper_of
from nimtui.games import base, parse_game
from nimtui.games.connect import Connect
from nimtui.progress import Cancelled
from tests.examples import few, with_slow
from tests.games.literal import lines
from tests.stops import Noted, StopAfter
from tests.theory.oracles import Columns

NAMES = ("connect4", "connect4:4x7", "connect:9x6x5", "connect:5x5x3", "connect:2x30x4", "connect:31x1x4")


def connect(name: str, position: str | None = None) -> Connect:
    state = parse_game(name).new(position)
    assert isinstance(state, Connect)
    return state


def boards() -> list[Board]:
    return [board_of(connect(name)) for name in NAMES]


def bit(board: Board, column: int, row: int) -> int:
    return 1 << column * (board.rows + 1) + row


def masks(board: Board) -> list[int]:
    """The bits of every line."""
    every = lines(board.columns, board.rows, board.k)
    return [sum(bit(board, column, row) for column, row in line) for line in every]


def filled(board: Board, dice: Random) -> int:
    """The cells below random heights."""
    heights = [dice.randint(0, board.rows) for _ in range(board.columns)]
    return sum(bit(board, column, height) - bit(board, column, 0) for column, height in enumerate(heights))


def test_what_is_constant_on_a_board() -> None:
    assert board_of(connect("connect:3x2x2")) == Board(
        3, 2, 2, 0b011011011, 0b001001001, 0b111, 0b010010010, 0b001001001
    )
    assert board_of(connect("connect:2x3x3")).follower == 0b01010101  # the top cells, and each second one below


def test_cells_above_and_below_stay_in_their_columns() -> None:
    dice = Random(5)
    for board in boards():
        for _ in range(20):
            cells = dice.getrandbits(63) & board.full
            assert kernel.popcount(cells) == cells.bit_count()
            above = up = below = 0
            for column in range(board.columns):
                rows = [row for row in range(board.rows) if cells & bit(board, column, row)]
                up += sum(bit(board, column, row) for row in range(board.rows) if rows and row >= rows[0])
                above += sum(bit(board, column, row) for row in range(board.rows) if rows and row > rows[0])
                below += sum(bit(board, column, row) for row in range(rows[-1] if rows else 0))
            places = [int(part(cells, board)) for part in (from_lowest_up, cells_above, cells_below)]
            assert places == [up, above, below]


@jit.kernel
def compiled_has_line(discs: int, board: Board) -> bool:
    """Shifts by more than 63 differ: Python has no limit."""
    return has_line(discs, board)


def test_lines_and_the_cells_that_complete_them() -> None:
    dice = Random(6)
    for board in boards():
        every = masks(board)
        for _ in range(60):
            cells = filled(board, dice)
            discs, empty = cells & dice.getrandbits(63), board.full ^ cells
            line = any(discs & mask == mask for mask in every)
            assert (bool(has_line(discs, board)), compiled_has_line(discs, board)) == (line, line)
            missing = [mask & ~discs for mask in every]
            holes = {mask for mask in missing if mask.bit_count() == 1 and mask & empty}
            assert int(kernel.winning_cells(discs, empty, board)) == sum(holes)


@pytest.mark.parametrize("size", with_slow([(4, 2, 3), (4, 3, 3), (4, 3, 4)], (4, 3, 3), (4, 3, 4)))
def test_a_bound_without_search_is_never_below_the_score_and_often_it(size: tuple[int, int, int]) -> None:
    oracle, name, gaps = Columns(*size), "connect:" + "x".join(map(str, size)), list[int]()
    board = board_of(connect(name))
    for number, (cells, moves) in enumerate(oracle.positions()):
        state = connect(name, moves)
        mine, discs = int(state.board[0]), int(state.board[1])
        theirs, empty, reach = mine ^ discs, board.full ^ discs, (discs + board.floor) & board.full
        if number % 3 == 0 and not int(kernel.winning_cells(mine, empty, board)) & reach:
            danger = int(kernel.winning_cells(theirs, empty, board))
            bounds = [
                int(kernel.upper_bound(mine, theirs, danger, reach, board, empty.bit_count(), at)) for at in (99, -9)
            ]
            assert oracle.score(cells) <= bounds[0] and bounds[1] == -9, moves
            gaps.append(bounds[0] - oracle.score(cells))
    assert gaps.count(0) > 9


def test_a_thread_takes_the_first_move_that_no_other_is_searching() -> None:
    board = board_of(connect("connect4"))
    cells = [int(board.floor & (board.column << 7 * column)) for column in range(7)]
    numbers = {cell: kernel.key_of(0, cell, board, False) for cell in cells}
    for key in (0, 1, 0x123456789ABCDEF, 1 << 36, (1 << 63) - 1):
        assert kernel.slot_of(key) == reduce(xor, (key >> bits & 0xFFF for bits in (0, 12, 24, 36)))

    def taken(place: int, searched: list[int]) -> tuple[int, list[int]]:
        busy, moves = np.zeros(kernel.SLOTS, np.int64), np.array(cells, np.int64)
        for cell in searched:
            busy[kernel.slot_of(numbers[cell])] = numbers[cell]
        key = kernel.take(moves, place, len(moves), 0, 0, board, False, busy)
        assert sorted(moves) == cells  # no move is lost or doubled
        assert key == numbers[int(moves[place])]
        return cells.index(int(moves[place])), [cells.index(int(move)) for move in moves[:place]]

    assert taken(0, cells) == (0, [])  # all begin with the best
    assert taken(1, []) == (1, [0])
    assert taken(1, cells[1:4]) == (4, [0])
    assert taken(5, cells[:5]) == (5, [0, 1, 2, 3, 4])
    assert taken(2, cells) == (2, [0, 1])  # all are searched: then together


# The table.


def entry(words: Table, key: int) -> tuple[int, int]:
    word = ask(words, key)
    return int(upper_of(word, 99)), int(lower_of(word, -99))


def test_the_table_returns_what_was_stored_and_never_the_bounds_of_another_position() -> None:
    dice = Random(3)
    assert table(1 << 20, board_of(connect("connect4"))).words.shape == (1 << 17,)
    for name, size, bits in (("connect4:4x4", 16, 20), ("connect4", 1 << 12, 49)):
        words, keys = table(size, board_of(connect(name))), [dice.randrange(1 << bits) for _ in range(9)]
        for _ in range(150):
            key, value, is_lower = dice.choice(keys), dice.randint(-21, 21), dice.random() < 0.5
            upper, lower = entry(words, key)
            before = [entry(words, other) for other in keys if other != key]
            keep(words, key, value, is_lower, dice.randrange(1 << dice.randint(0, 40)))
            assert entry(words, key) == ((upper, value) if is_lower else (value, lower))
            after = [entry(words, other) for other in keys if other != key]
            assert sum(map(ne, before, after)) <= 1 and {*after} <= {*before, (99, -99)}  # one at most gives way


def test_of_many_positions_a_table_has_the_bounds_of_few_and_those_right() -> None:
    dice, board = Random(3), board_of(connect("connect4"))
    assert table(1 << 20, board).words.shape == (1 << 17,)
    for size in (16, 1 << 12):
        words = table(size, board)
        stored: dict[int, tuple[int, int]] = {}
        for _ in range(600):
            key, value, is_lower = dice.randrange(1 << 49), dice.randint(-21, 21), dice.random() < 0.5
            keep(words, key, value, is_lower, dice.randrange(1 << 40))
            upper, lower = stored.get(key, (99, -99))
            stored[key] = (upper, value) if is_lower else (value, lower)
            assert entry(words, key)[is_lower] == value
        hits = [key for key in stored if ask(words, key)]
        assert all(entry(words, key) == stored[key] for key in hits) and 0 < len(hits) <= len(words.words)


def test_a_mirror_image_has_the_same_number_and_no_other_position() -> None:
    dice, keys = Random(4), {False: set(), True: set()}
    game = parse_game("connect:5x4x4")
    board = board_of(connect("connect:5x4x4"))
    for _ in range(40):
        one, other = game.new(), game.new()
        for _ in range(6):
            move = dice.choice(base.legal_moves(one))
            base.play(one, move)
            base.play(other, 4 - move)
        numbers = [int(key_of(int(at.board[0]), int(at.board[1]), board, True)) for at in (one, other)]
        plain = [int(key_of(int(at.board[0]), int(at.board[1]), board, False)) for at in (one, other)]
        assert numbers[0] == numbers[1] == min(plain) and plain[0] == int(one.board[0] + one.board[1])
        keys[True].add(numbers[0])
        keys[False].add(tuple(sorted((tuple(one.board[:2]), tuple(other.board[:2])))))
    assert len(keys[True]) == len(keys[False])


# The solver.


TINY = 16  # bytes: one bucket where the board allows it
IDEAS = [0, *(1 << bit for bit in range(kernel.PROSPECTS.bit_length()))]  # that a search can leave out
SMALL = [(3, 2, 2), (2, 3, 3), (4, 2, 3), (2, 5, 3), (6, 1, 3), (1, 6, 4)]
LARGER = [(3, 3, 3), (4, 3, 3), (3, 4, 3), (4, 3, 4), (3, 6, 3)]


def check(solver: Solver, state: Connect, oracle: Columns, board: tuple[str, ...]) -> None:
    """Compare every answer about a position with brute force."""
    score, moves = oracle.score(board), oracle.moves(board)
    sign = (score > 0) - (score < 0)
    assert (solver.score(state), solver.sign(state)) == (score, sign)
    assert solver.score(state, least=score) == solver.score(state, least=score - 1) == score
    assert solver.scores(state) == moves
    for least in {score, sign, score - 1, score + 1, min(moves.values())}:
        assert solver.keeping(state, least) == tuple(move for move, value in sorted(moves.items()) if value >= least)
    line, at = solver.line(state, score=score), board
    assert line == solver.line(state) and line[0] == min(move for move in moves if moves[move] == score)
    for number, move in enumerate(line):
        assert oracle.moves(at)[move] == score * (-1) ** number
        at = oracle.drop(at, move)
    assert oracle.wins(at, line[-1]) or not oracle.open(at)


@pytest.mark.parametrize("size", with_slow([*SMALL, *LARGER], *LARGER))
def test_every_answer_about_a_small_board_is_that_of_brute_force(size: tuple[int, int, int]) -> None:
    oracle, game = Columns(*size), parse_game("connect:" + "x".join(map(str, size)))
    start = connect(game.name)
    solvers = [Solver(start, 1 << 16), *(Solver(start, TINY, without=idea) for idea in IDEAS)]
    for solver in solvers[1:]:  # whatever is left out, and in any order
        solver.history[:] = np.random.default_rng(1).integers(0, kernel.MOST_HISTORY, len(solver.history))
    for number, (board, moves) in enumerate(oracle.positions()):
        if size in SMALL or number % few(21, 7) == 0:
            check(solvers[number % len(solvers)], connect(game.name, moves), oracle, board)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "played"), [("connect4", 31), ("connect4:9x5", 34), ("connect:6x6x5", 27)])
def test_late_positions_agree_with_brute_force(name: str, played: int) -> None:
    dice, state = Random(played), connect(name)
    oracle = Columns(len(state.top), state.rows, state.k)
    for _ in range(6):
        board, moves = oracle.empty(), ""
        while len(moves) < played:
            column = dice.choice(oracle.open(board))
            after = oracle.drop(board, column)
            board, moves = (oracle.empty(), "") if oracle.wins(after, column) else (after, f"{moves}{column + 1}")
        check(Solver(state), connect(name, moves), oracle, board)


def test_questions_leave_0_faster_and_faster_and_then_halve_what_is_left() -> None:
    for low, high, step, asked in (
        (-21, 21, 1, (0, 1)),  # who wins?
        (-21, 0, 1, (-1, 2)),
        (-21, -1, 2, (-3, 4)),
        (-21, -20, 8, (-21, 16)),
        (1, 21, 1, (1, 2)),
        (2, 21, 2, (3, 4)),
        (20, 21, 8, (20, 16)),
        (3, 8, 4, (5, 4)),
        (-8, -3, 4, (-6, 4)),
    ):
        assert question(low, high, -21, 21, step) == asked


def test_many_positions_are_scored_in_calls_of_any_size_and_counted_as_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle, noted = Columns(4, 2, 3), Noted()
    played = [(board, connect("connect:4x2x3", moves)) for board, moves in [*oracle.positions()][::4]]
    scores = {state.board[:2].tobytes(): oracle.score(board) for board, state in played}
    numbers = np.array([np.frombuffer(one, np.int64) for one in scores])
    for nodes in (1, 50_000):
        monkeypatch.setattr(limits.Pace, "begin", lambda *_: nodes)  # noqa: B023
        solver = Solver(played[0][1], TINY)
        assert solver.score_many(*numbers.T.copy(), noted).tolist() == [*scores.values()]
        assert solver.nodes >= len(numbers)
    assert noted.lines == sorted(noted.lines) and {line[1:] for line in noted.lines} == {(len(numbers), "positions")}


def test_texts_are_read_as_positions_until_the_first_impossible_move() -> None:
    dice, game = Random(2), parse_game("connect:4x3x3")
    texts = ["", *("".join(dice.choices("123412341234/05", k=dice.randint(1, 13))) for _ in range(400))]
    ends, (mine, discs, results) = np.cumsum([*map(len, texts)]), np.zeros((3, len(texts)), np.int64)
    read(board_of(connect(game.name)), np.frombuffer("".join(texts).encode(), np.uint8), ends, mine, discs, results)
    for text, *told in zip(texts, mine, discs, results, strict=True):
        state, result = game.new(), GOING
        for letter in text:
            if result != GOING or letter not in "1234" or not base.legal(state, int(letter) - 1):
                result = WRONG
                break
            base.play(state, int(letter) - 1)
            result = {base.GOING_ON: GOING, base.WON: WON, base.DRAW: DRAWN}[int(base.outcome(state))]
        assert told == [*state.board[:2].tolist(), result], text
    assert {*results.tolist()} >= {WRONG, GOING, WON} and (WRONG, GOING, WON, DRAWN) == (-1, 0, 1, 2)
    assert ending(0, board_of(connect(game.name)).full, board_of(connect(game.name))) == DRAWN


def test_a_win_at_once_scores_22_less_the_discs_the_winner_has_played() -> None:
    # source: the convention of Pons's solver on 7 × 6
    for position, own_discs in (("121212", 4), ("1212127", 4), ("12121277", 5), ("121212776", 5)):
        state = connect("connect4", position)
        solver = Solver(state)
        assert solver.score(state) == 22 - own_discs and solver.nodes == 0


# Source: the solutions of small boards published by John Tromp: 1 the first player wins, −1 the second, 0 a draw.
VALUES = {"4x4": 0, "5x4": 0, "6x4": -1, "4x5": 0, "5x5": 0, "4x6": 0, "5x6": 0, "4x7": 0}


@pytest.mark.slow
@pytest.mark.parametrize("size", VALUES)
def test_published_values_of_whole_boards(size: str) -> None:
    state = connect(f"connect4:{size}")
    assert Solver(state).sign(state) == VALUES[size]


def test_threads_that_share_a_table_give_the_same_answer_and_end() -> None:
    state = connect("connect4:5x4", "33")
    shared = Solver(state, TINY, threads=3)
    assert shared.scores(state) == Solver(state, 1 << 16).scores(state)
    state = connect("connect4", "44")
    with pytest.raises(Cancelled):
        Solver(state, threads=2).score(state, StopAfter(3))
    assert not [thread for thread in enumerate_threads() if thread.name == "connect solver"]


def test_the_answer_of_another_thread_is_taken_and_the_thread_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.Pace, "begin", lambda *_: 1)  # node of a call
    state, told, noted = connect("connect4", "44"), list[object](), Noted()
    solver, other = Solver(state), SimpleNamespace(value=None, end=lambda: told.append("end"))
    other.begin, other.stack = lambda *asked: told.append(asked) or setattr(other, "value", 7), solver._stack
    solver._helpers = [other]  # type: ignore[list-item]
    assert solver.beyond(state, -2, noted) == 7 and noted.lines == [(2, 0, "positions")]  # one node of each
    assert told == [(int(state.board[0]), int(state.board[0] ^ state.board[1]), -2), "end"]


def fresh(state: Connect) -> tuple[object, ...]:
    board = board_of(state)
    stack = kernel.stacks(board)[0]
    mine = int(state.board[0])
    kernel.begin(stack, mine, mine ^ int(state.board[1]), 0)
    return board, table(1 << 12, board), kernel.history(), stack


@pytest.mark.parametrize(("name", "position"), [("connect:4x3x3", "12"), ("connect4:4x4", "1234112")])
def test_interpreted_and_in_chunks_of_any_size_it_is_the_same_search(name: str, position: str) -> None:
    results = []
    for search, chunk in ((kernel.search.py_func, 1 << 30), *((kernel.search, size) for size in (1, 7, 1 << 30))):
        board, words, history, stack = fresh(connect(name, position))
        with np.errstate(over="ignore"):
            while not search(board, words, history, stack, int(stack.at[kernel.NODES]) + chunk):  # type: ignore[attr-defined]
                pass
        results.append((stack.at.tolist(), words.words.tobytes(), history.tobytes()))  # type: ignore[attr-defined]
    assert results == [results[0]] * 4


@pytest.mark.parametrize(
    ("board", "without", "signature"),
    [
        ("connect4 4444", 0, (10_000, 347_816, 385_053_529)),
        ("connect4:5x4", 0, (1_306, 344_248, 3_232_017_594)),
        ("connect4:7x4", 0, (10_000, 346_291, 2_433_516_059)),
        ("connect4:7x4", kernel.HISTORY, (10_000, 343_957, 3_188_877_696)),
        ("connect4:7x4", kernel.ASKING, (10_000, 346_294, 1_360_181_555)),
        ("connect4:7x4", kernel.MIRRORS, (10_000, 346_196, 158_867_210)),
        ("connect4:7x4", kernel.CHILDREN, (10_000, 347_933, 2_970_191_783)),
        ("connect4:7x4", kernel.ZUGZWANG, (10_000, 346_388, 2_916_045_024)),
        ("connect4:7x4", kernel.PAIRING, (10_000, 348_540, 1_866_010_662)),
        ("connect4:7x4", kernel.PROSPECTS, (10_000, 346_148, 2_439_116_634)),
    ],
)
def test_the_search_goes_its_way(board: str, without: int, signature: tuple[int, int, int]) -> None:
    """Another order of moves, or a bound that is missed, gives another table: as the signatures of chess engines."""
    parts, words, history, stack = fresh(connect(*board.split()))
    history[::3] = kernel.MOST_HISTORY - 1  # some counts reach their most
    stack.at[kernel.WITHOUT] = without
    done = kernel.search(parts, words, history, stack, 10_000)
    assert (int(stack.at[kernel.NODES]), int(history.sum()), crc32(words.words.tobytes())) == signature
    assert done == (stack.at[kernel.NODES] < 10_000) and done <= (stack.at[kernel.ENTERING] == 0)


@pytest.mark.parametrize(
    ("name", "alpha", "signature"),
    [
        ("6x4", 0, [2_796, 2_750, 1_378, 932, 0, 2_360_003_756]),
        ("6x4", -1, [49_550, 49_504, 26_178, 27_079, 71_474_752, 3_429_010_144]),
        ("5x5", -1, [4_927, 4_900, 2_597, 2_881, 0, 1_465_353_002]),
    ],
)
def test_searches_that_take_turns_share_the_moves_and_find_what_is_published(
    name: str, alpha: int, signature: list[int]
) -> None:
    board, words, *_ = fresh(connect(f"connect4:{name}"))
    both = [(kernel.history(), stack) for stack in kernel.stacks(board, 2)]
    for _, stack in both:
        kernel.begin(stack, 0, 0, alpha)
    for history, stack in cycle(both):
        if kernel.search(board, words, history, stack, int(stack.at[kernel.NODES]) + 50):
            break
    assert (stack.at[kernel.VALUE] > alpha) == (VALUES[name] > alpha)
    told = [*(int(one.at[kernel.NODES]) for _, one in both), *(int(one.sum()) for one, _ in both)]
    assert [*told, int(stack.busy.sum()), crc32(words.words.tobytes())] == signature


def test_a_search_that_cuts_enters_fewer_positions_than_the_square_root_of_all() -> None:
    # Knuth and Moore, 1975: with the best order of moves about the root of the tree. 4 × 4 has 161,029 positions.
    board, words, history, stack = fresh(connect("connect4:4x4"))
    with np.errstate(over="ignore"):
        assert kernel.search.py_func(board, words, history, stack, 401)
    assert 1 < int(stack.at[kernel.NODES]) < 401  # type: ignore[attr-defined]


def test_a_cancelled_solver_reports_leaves_the_position_alone_and_still_answers_right() -> None:
    state, late, noted = connect("connect4:7x5"), connect("connect4:7x5", "3332254441"), Noted(3)
    solver, before = Solver(state), state.board.copy()
    with pytest.raises(Cancelled):
        solver.scores(state, noted)
    assert (state.board == before).all()
    assert all(line[:2] == (0, 7) and line[2].startswith("moves, ") for line in noted.lines)
    assert noted.lines[-1][2] == f"moves, {solver.nodes:,} positions" and 0 < solver.filled < 1
    assert solver.scores(late) == Solver(late).scores(late) and solver.bytes == 1 << 26
    solver.forget()
    assert (solver.filled, solver.history.any()) == (0.0, False)
    small = Solver(connect("connect:3x2x2"), TINY)
    small.get_ready()
    assert (small.nodes, small.bytes, small.filled) == (0, 32, 0.0)
    assert base.outcome(state) == base.GOING_ON
