"""Minimax and alpha-beta with its table: the numbers of the originals, and of plain recursions."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.engine import alpha_beta, windows
from nimtui.engine.alpha_beta import CUTOFFS, DEEPEST, GUESSED, HITS, LEAVES, LISTED, NODES, SKIPPED, SKIPPING
from nimtui.engine.windows import CUT, DECIDED, EXACT, EXPANDED, INFINITY, LEAF, LOWER, TABLE, TERMINAL, UPPER, WIN
from nimtui.games import base, parse_game
from nimtui.games.bits import ones

ORIGINAL, FLAT, SOONER = (0, 0), (1000, 0), (WIN, 1)  # what a decided game is worth, and by how much less a ply later

# Source: minimax and alpha-beta, its table and exercises, recomputed.
NIM_MINIMAX = [11, 91, 591, 2_978, 11_508, 33_818, 75_118, 126_218, 164_018, 176_618]
NIM_ALPHA_BETA = [11, 47, 264, 669, 2_323, 2_353, 3_461, 2_559, 2_661, 2_603]
NIM_FLAT = [11, 47, 264, 643, 1_957, 3_198, 8_301, 29_870, 36_147, 36_895]


def chosen(depth: int, cutting: bool = True, worth: tuple[int, int] = SOONER, **options: bool) -> alpha_beta.Options:
    switches = {"killers": False, "best_first": False, "answers": False} | options
    return alpha_beta.Options(depth if depth > 0 else windows.LONGEST, depth < 0, cutting, *worth, **switches)


class Searched:
    """What a search leaves: its numbers, roots, record and table."""

    def __init__(self, name: str, how: alpha_beta.Options, chunk: int = 1 << 40, record: int = 0, **more: Any) -> None:
        game = parse_game(name)
        state, entries = game.new(), more.get("entries", 0)
        self.stack = alpha_beta.stack(how.depth, *more.get("window", ()))
        self.roots = alpha_beta.roots(game.size)
        self.record = alpha_beta.record(record, game.size) if record else None
        moves = base.legal_moves(state)
        ordered = how.killers or how.best_first
        self.order = alpha_beta.order(min(how.depth, 100), game.size, moves) if ordered else None
        self.table = alpha_beta.table(entries) if entries else None
        arguments = (state, self.stack, how, self.roots, self.record, self.order, self.table, None)
        while not alpha_beta.search(*arguments, int(self.stack.at[NODES]) + chunk):
            pass
        assert state.board.tolist() == game.start.board.tolist()
        self.at = self.stack.at.tolist()
        self.value, self.best = int(self.stack.best[0]), int(self.stack.best_move[0])


def nodes(name: str, how: alpha_beta.Options) -> int:
    return int(Searched(name, how).at[NODES])


class Plain:
    """Alpha-beta as a person writes it, with the rules interpreted, and what it notes of each node."""

    def __init__(self, name: str, how: alpha_beta.Options, window: tuple[int, int] = (-INFINITY, INFINITY)) -> None:
        self.state, self.how = parse_game(name).new(), how
        self.nodes: list[list[int]] = []  # the columns of a record
        self.roots: dict[int, tuple[int, int, int, int]] = {}
        numbers = (LEAVES, GUESSED, CUTOFFS, SKIPPING, SKIPPED, HITS, DEEPEST, LISTED)
        self.counts, self.ordered = dict.fromkeys(numbers, 0), how.killers or how.best_first
        self.table: dict[int, tuple[int, int, bool, int, int]] = {}  # depth, value, guessed, bound, move
        self.killers: dict[int, list[int]] = {}
        self.value = self.search(-1, -1, 0, *window)

    def search(self, parent: int, move: int, ply: int, alpha: int, beta: int, before: int = 0) -> int:
        node, result = len(self.nodes), base.outcome(self.state)
        self.nodes.append([parent, move, ply, alpha, beta])
        value, kind = self.expanded(node, ply, alpha, beta, result, before)
        self.nodes[node] += [value, len(self.nodes), kind]
        return value

    def later(self, value: int, plies: int) -> int:
        return value + plies * self.how.step * ((value > DECIDED) - (value < -DECIDED))

    def listed(self, ply: int) -> list[int]:
        """The moves: at the root in order, else the best known first, then the killers."""
        moves, key = base.legal_moves(self.state), int(base.key(self.state))
        best = [self.table[key][4]] if self.how.best_first and key in self.table else []
        first = best + self.killers.get(ply, []) * self.how.killers if ply else []
        return [*dict.fromkeys([*(move for move in first if move in moves), *moves])]

    def expanded(self, node: int, ply: int, alpha: int, beta: int, result: int, before: int) -> tuple[int, int]:
        if result != base.GOING_ON or ply == self.how.depth:
            self.counts[LEAVES] += 1
            self.counts[GUESSED] += result == base.GOING_ON
            worth = -result * (self.how.win - ply * self.how.step) if result != base.DRAW else 0
            guess = result == base.GOING_ON or self.how.win == 0
            return int(base.evaluate(self.state)) if guess else worth, LEAF if result == base.GOING_ON else TERMINAL
        rest, key = alpha_beta.TO_THE_END if self.how.endless else self.how.depth - ply, int(base.key(self.state))
        if ply and self.how.answers and key in self.table:
            depth, value, vague, bound, _ = self.table[key]
            value, reached = self.later(value, -ply), depth == rest or (not vague and depth < rest)
            if reached and (bound == EXACT or (value >= beta if bound == LOWER else value <= alpha)):
                self.counts[HITS] += 1
                self.counts[GUESSED] += vague
                return value, TABLE
        self.counts[DEEPEST] = max(self.counts[DEEPEST], ply)
        low, best, chosen, moves = alpha if ply else -INFINITY, -INFINITY, -1, self.listed(ply)
        if self.ordered and ply:
            self.counts[LISTED] = max(self.counts[LISTED], before + len(moves))
        guessed, kind = self.counts[GUESSED], EXPANDED
        for tried, move in enumerate(moves, 1):
            nodes = len(self.nodes)
            base.play(self.state, move)
            window = (-beta, -alpha) if self.how.windows else (-INFINITY, INFINITY)
            value = -self.search(node, move, ply + 1, *window, before + len(moves))
            base.undo(self.state, move)
            if ply == 0:
                bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
                self.roots[move] = value, bound if self.how.windows else EXACT, nodes, len(self.nodes)
            chosen = move if value > best else chosen
            best, alpha = max(best, value), max(alpha, value)
            if alpha >= beta:
                untried, kind = len(moves) - tried, CUT
                for number, more in ((CUTOFFS, 1), (SKIPPING, untried > 0), (SKIPPED, untried)):
                    self.counts[number] += more
                self.killers[ply] = [*dict.fromkeys([move, *self.killers.get(ply, [])])][:2]
                break
        bound = LOWER if best >= beta else UPPER if best <= low else EXACT
        self.table[key] = rest, self.later(best, ply), self.counts[GUESSED] > guessed, bound, chosen
        return best, kind


@pytest.mark.parametrize("depths", [range(1, 6), pytest.param(range(6, 11), marks=pytest.mark.slow)])
def test_nim_has_the_nodes_of_the_original_at_every_depth(depths: range) -> None:
    for known, cutting, worth in (
        (NIM_MINIMAX, False, ORIGINAL),
        (NIM_ALPHA_BETA, True, ORIGINAL),
        (NIM_FLAT, True, FLAT),
    ):
        assert [nodes("nim:1,2,3,4", chosen(depth, cutting, worth)) for depth in depths] == [
            known[depth - 1] for depth in depths
        ]


def test_depth_four_has_the_leaves_cutoffs_and_root_values_of_the_original() -> None:
    search = Searched("nim:1,2,3,4", chosen(4, True, ORIGINAL))
    assert [search.at[number] for number in (NODES, LEAVES, CUTOFFS, SKIPPING)] == [669, 393, 199, 191]
    assert search.roots.value.tolist() == [-4, -4, -3, -3, -3, -2, -4, -3, -2, -2]  # a1, b1, b2, c1 …, d4
    assert np.flatnonzero(search.roots.bound == EXACT).tolist() == [0, 2, 5]  # a1, b2, c3 raise α
    assert (search.value, search.best) == (-2, 5)  # the first of equals: d3 and d4 are bounds, d3 is worth −3


ORDERED = [
    {"answers": True},
    {"killers": True},
    {"best_first": True},
    dict.fromkeys(("answers", "killers", "best_first"), True),
]


@pytest.mark.parametrize("name", ["nim:1,2,3", "nim:4,4:max=2", "nim:2,3:misere", "adjacent:1,3", "connect:3x2x2"])
@pytest.mark.parametrize("worth", [ORIGINAL, (WIN, 2), SOONER])
def test_every_number_of_a_search_is_that_of_a_plain_recursion(name: str, worth: tuple[int, int]) -> None:
    ways: list[tuple[int, tuple[int, ...], dict[str, bool]]] = [(1, (), {}), (2, (), {}), (4, (), {})]
    ways += [(3, (-3, 1), {}), (3, (-WIN, -2), {}), *((depth, (), way) for way in ORDERED for depth in (5, -1))]
    ways.append((5, (), {"answers": True, "killers": True}))
    for depth, window, way in ways if name != "adjacent:1,3" else ways[:5]:
        for how in (chosen(depth, True, worth, **way), chosen(depth, False, worth, **way)):
            if (window or way) and not how.windows:
                continue
            plain = Plain(name, how, *([window] if window else []))
            more = {"entries": 1 << 16} if {"answers", "best_first"} & way.keys() else {}
            search = Searched(name, how, 7, 4_000, window=window, **more)
            assert (search.value, search.at[NODES]) == (plain.value, len(plain.nodes))
            assert {number: search.at[number] for number in plain.counts} == plain.counts
            columns = (column[: len(plain.nodes)].tolist() for column in search.record or ())
            rows = [list(row) for row in zip(*columns, strict=True)]
            plain.nodes[0][3:5] = -INFINITY, INFINITY  # the root has the widest window
            assert rows == plain.nodes
            roots = zip(*(column.tolist() for column in search.roots), strict=True)
            assert {move: row for move, row in enumerate(roots) if row[1]} == plain.roots
            assert search.table is None or alpha_beta.used(search.table) == len(plain.table)  # no two in one slot


def test_nodes_beyond_the_limit_are_counted_and_not_kept() -> None:
    whole, *some = (Searched("nim:1,2,3,4", chosen(4, True, ORIGINAL), record=size) for size in (669, *range(96, 102)))
    for size, few in zip(range(96, 102), some, strict=True):  # the first that is left out is a leaf, cut or whole
        assert few.at == whole.at and few.record is not None and whole.record is not None
        assert [column.tolist() for column in few.record] == [column[:size].tolist() for column in whole.record]


def test_keys_of_recorded_nodes_are_those_of_their_positions() -> None:
    game = parse_game("connect:3x2x2")
    search = Searched(game.name, chosen(4), record=1_000)
    assert search.record is not None
    state, keys = game.new(), np.zeros(search.at[NODES], np.int64)
    alpha_beta.fill_keys(state, search.record, len(keys), keys)
    assert state.board.tolist() == game.start.board.tolist()
    positions = {0: game.new()}
    for node in range(len(keys)):
        if node:
            parent = positions[int(search.record.parent[node])]
            positions[node] = game.after(parent, int(search.record.move[node]))
        assert keys[node] == base.key(positions[node])


def test_values_of_games_plies_and_functions_stay_apart_and_numbers_of_nodes_fit() -> None:
    assert (WIN, DECIDED, windows.EXPECTED, windows.NARROW, INFINITY) == (10**6, 9 * 10**5, 10**5, 1 << 15, 1 << 30)
    assert WIN - windows.LONGEST > DECIDED > windows.EXPECTED and windows.LONGEST == 26 * 255  # a tower's
    assert (np.iinfo(np.int32).max, np.iinfo(np.int16).max) == (windows.MOST_NODES, windows.NARROW - 1)


def test_the_bytes_of_a_search_are_those_of_its_arrays() -> None:
    for size, bits in ((windows.NARROW - 1, 2), (windows.NARROW, 4)):
        columns = alpha_beta.record(1, size)
        assert columns.move.itemsize == bits and (columns.parent[0], columns.move[0]) == (-1, -1)  # the root has none
        assert sum(column.itemsize for column in columns) == windows.record_bytes(size)
    stack, order = alpha_beta.stack(5), alpha_beta.order(5, 9, [1])
    assert [int(column[0]) for column in stack[3:7]] == [-INFINITY, INFINITY, -INFINITY, -1]
    assert sum(column.nbytes for column in stack[1:]) == windows.stack_bytes(5) == 64 * 7
    listed = order.moves.nbytes
    assert listed == windows.LISTED_BYTES * 6 * 9
    assert windows.order_bytes(5, 9) == listed + order.first.nbytes + order.killers.nbytes + 8
    assert (windows.used_bytes(3, False, 7), windows.used_bytes(3, True, 7)) == (3 * 64 + 28, 3 * 80 + 28)
    values = [WIN - 3, 3 - WIN, 7, -7, 0, windows.DECIDED, -windows.DECIDED]
    assert list(map(windows.a_ply_later, values)) == [2 - WIN, WIN - 4 + 2, -7, 7, 0, -windows.DECIDED, windows.DECIDED]


# The transposition table: what is stored is returned, bounds answer where they may, won games count their plies.


def stored(table: alpha_beta.Table, key: int, *asked: int) -> tuple[int, int, bool]:
    """The best move, the value, and whether it is guessed."""
    value, guessed = alpha_beta.answer(table, key, *asked)
    return int(alpha_beta.remembered(table, key)), int(value), bool(guessed)


def test_an_entry_answers_its_position_alone_where_its_depth_and_bound_allow_it() -> None:
    """With its value, or a bound outside the window; a decided one counts its plies from the position."""
    windows = [(-INFINITY, INFINITY), (3, 8), (8, 9), (2, 3), (WIN - 6, WIN - 5)]
    values, end = (3, 8, 9, WIN - 7, 7 - WIN, DECIDED, -DECIDED, DECIDED + 1, -DECIDED - 1), alpha_beta.TO_THE_END
    for depth, value, (low, high), guessed in product((3, end), values, windows, (0, 1)):
        key, table = 12345 * (value != 3), alpha_beta.table(16)
        alpha_beta.keep(table, key, depth, low, high, 4, value, guessed > 0, 2)
        for rest, (alpha, beta) in product((2, 3, 4, end), windows):
            here = value + 2 * (value > DECIDED) - 2 * (value < -DECIDED)  # stored at ply 4, met at ply 2
            fits = here >= beta if value >= high else here <= alpha if value <= low else True
            fits &= rest == depth or (depth < rest and not guessed)
            told = (here, guessed > 0) if fits else (alpha_beta.NOTHING, False)
            assert stored(table, key, rest, alpha, beta, 2) == (2, *told) and alpha_beta.used(table) == 1
        for other in {key + 1, *range(100 * (value == low == 3))} - {key}:  # some of them in the same slot
            assert stored(table, other, depth, low, high, 2) == (-1, alpha_beta.NOTHING, False)
    alpha_beta.keep(table := alpha_beta.table(16), -1, 9, 0, 9, 0, 5, False, 1)  # a position without a number
    assert stored(table, -1, 9, 0, 9, 0) == (-1, alpha_beta.NOTHING, False) and not alpha_beta.used(table)


@given(st.integers(0, 2**63 - 1), st.integers(0, 12))
def test_every_key_has_a_slot_and_every_bit_is_counted(key: int, power: int) -> None:
    assert 0 <= alpha_beta.slot_of(alpha_beta.table(1 << power), key) < 1 << power
    assert ones(key) == key.bit_count()


def test_sizes_are_the_next_power_of_two_and_neighbours_are_spread() -> None:
    sizes = [windows.slots(n) for n in (0, 1, 2, 3, 4, 5, 1 << 20, (1 << 20) + 1)]
    assert sizes == [1, 1, 2, 4, 4, 8, 1 << 20, 1 << 21]
    table = alpha_beta.table(800)
    assert len({alpha_beta.slot_of(table, key) for key in range(800)}) > 0.55 * 800
    keys = [0, 1, 12_345, 1 << 31, (1 << 62) + 5, 0x123456789ABCDEF]
    assert [int(alpha_beta.slot_of(table, key)) for key in keys] == [0, 819, 302, 1, 396, 364]
