"""The kernel of minimax and alpha-beta: exact counts, the same compiled, interpreted and in chunks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nimtui.engine import alpha_beta, perft, transposition, windows
from nimtui.engine.alpha_beta import CUTOFFS, LEAVES, NODES, SKIPPED, SKIPPING, Options
from nimtui.engine.windows import INFINITY, LONGEST, WIN
from nimtui.games import base, parse_game

ORIGINAL, FLAT, SOONER = (0, 0), (1000, 0), (WIN, 1)  # what a decided game is worth, and by how much less a ply later

# Source: minimax and alpha-beta, its table and exercises, recomputed.
NIM_MINIMAX = [11, 91, 591, 2_978, 11_508, 33_818, 75_118, 126_218, 164_018, 176_618]
NIM_ALPHA_BETA = [11, 47, 264, 669, 2_323, 2_353, 3_461, 2_559, 2_661, 2_603]
NIM_FLAT = [11, 47, 264, 643, 1_957, 3_198, 8_301, 29_870, 36_147, 36_895]


def chosen(depth: int, cutting: bool = True, worth: tuple[int, int] = SOONER, **options: bool) -> Options:
    switches = {"killers": False, "best_first": False, "answers": False} | options
    return Options(depth if depth > 0 else LONGEST, depth < 0, cutting, *worth, **switches)


def searched(
    name: str,
    how: Options,
    chunk: int = 1 << 40,
    record: int = 0,
    entries: int = 0,
    interpreted: bool = False,
    position: str | None = None,
) -> dict[str, Any]:
    game = parse_game(name)
    state = game.new(position)
    stack, roots = alpha_beta.stack(how.depth), alpha_beta.roots(game.size)
    kept = alpha_beta.record(record, game.size) if record else None
    order = None
    if how.killers or how.best_first:
        order = alpha_beta.order(min(how.depth, 100), game.size, base.legal_moves(state))
    table = transposition.table(entries) if entries else None
    board = state.board.copy()
    search = alpha_beta.search.py_func if interpreted else alpha_beta.search
    while not search(state, stack, how, roots, kept, order, table, int(stack.at[NODES]) + chunk):
        pass
    assert state.board.tolist() == board.tolist()
    found: dict[str, Any] = {"at": stack.at.tolist(), "value": int(stack.best[0]), "best": int(stack.best_move[0])}
    found["roots"] = [column.tolist() for column in roots]
    if kept is not None:
        n = min(record, int(stack.at[NODES]))
        found["record"] = [column[:n].tolist() for column in kept]
    if table is not None:
        found["table"] = [column.tolist() for column in table]
    return found


def nodes(name: str, how: Options) -> int:
    return int(searched(name, how)["at"][NODES])


def test_nim_has_the_nodes_of_the_original_at_every_depth() -> None:
    depths = range(1, 11)
    assert [nodes("nim:1,2,3,4", chosen(depth, False, ORIGINAL)) for depth in depths] == NIM_MINIMAX
    assert [nodes("nim:1,2,3,4", chosen(depth, True, ORIGINAL)) for depth in depths] == NIM_ALPHA_BETA
    assert [nodes("nim:1,2,3,4", chosen(depth, True, FLAT)) for depth in depths] == NIM_FLAT
    assert nodes("nim:1,2,3,4", chosen(-1)) == nodes("nim:1,2,3,4", chosen(10)) == 39_662


def test_connect_four_on_4x4_has_the_nodes_of_the_original() -> None:
    assert nodes("connect4:4x4", chosen(7, False, ORIGINAL)) == 20_921
    assert nodes("connect4:4x4", chosen(7, True, ORIGINAL)) == 2_005
    assert nodes("connect4:4x4", chosen(-1, True, ORIGINAL)) == 115_586
    assert nodes("connect4:4x4", chosen(-1, True, FLAT)) == 62_889
    assert nodes("connect4:4x4", chosen(-1)) == 72_271


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim:2,3,4", "connect:4x3x3", "adjacent:2,4:misere"])
def test_minimax_to_the_end_visits_the_whole_tree(name: str) -> None:
    assert nodes(name, chosen(-1, False)) == perft.tree_nodes(parse_game(name).new())


def test_depth_four_has_the_leaves_cutoffs_and_root_values_of_the_original() -> None:
    found = searched("nim:1,2,3,4", chosen(4, True, ORIGINAL))
    at = found["at"]
    assert [at[NODES], at[LEAVES], at[CUTOFFS], at[SKIPPING]] == [669, 393, 199, 191]
    assert found["value"] == -2
    assert searched("nim:1,2,3,4", chosen(4, False, ORIGINAL))["at"][LEAVES] == 2_387
    values, bounds = found["roots"][:2]
    assert values == [-4, -4, -3, -3, -3, -2, -4, -3, -2, -2]  # a1, b1, b2, c1 …, d4
    exact = [move for move, bound in enumerate(bounds) if bound == windows.EXACT]
    assert exact == [0, 2, 5]  # a1, b2, c3 raise α
    assert found["best"] == 5  # the first of equals: d3 and d4 are bounds, d3 is worth −3


OPTIONS: list[dict[str, bool]] = [{}, {"killers": True}, {"best_first": True}, {"answers": True}]
SEARCHED = [(name, options) for name in ("nim:1,2,3", "nim:2,3:misere") for options in OPTIONS]
SEARCHED += [("connect:3x3x3", {}), ("connect:3x3x3", {"best_first": True}), ("kayles:4,3", {})]  # seconds to compile


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), SEARCHED)
@pytest.mark.parametrize("depth", [1, 3, -1])
def test_compiled_and_interpreted_in_any_chunks_do_the_same(name: str, depth: int, options: dict[str, bool]) -> None:
    for cutting in (True, False):
        how = chosen(depth, cutting, **options)
        entries = 64 if how.answers or how.best_first else 0
        whole = searched(name, how, record=500, entries=entries)
        assert whole == searched(name, how, 1, 500, entries)
        assert whole == searched(name, how, 37, 500, entries)
        if depth != -1 or name != "connect:3x3x3":
            assert whole == searched(name, how, 1 << 40, 500, entries, interpreted=True)


def negamax(state: Any, depth: int, alpha: int, beta: int, worth: tuple[int, int], ply: int, count: list[int]) -> int:
    """As a person writes it, with the rules interpreted: what the kernel is compared with."""
    count[0] += 1
    result = base.outcome(state)
    if result != base.GOING_ON and worth != ORIGINAL:
        return 0 if result == base.DRAW else -result * (worth[0] - ply * worth[1])
    if result != base.GOING_ON or depth == 0:
        return int(base.evaluate(state))
    best = -INFINITY
    for move in base.legal_moves(state):
        base.play(state, move)
        value = -negamax(state, depth - 1, -beta, -alpha, worth, ply + 1, count)
        base.undo(state, move)
        best = max(best, value)
        alpha = max(alpha, value)
        if alpha >= beta:
            count[1] += 1
            break
    return best


@pytest.mark.parametrize("name", ["nim:1,2,3", "nim:4,4:max=2", "nim:2,3:misere", "adjacent:1,3", "connect:3x3x3"])
@pytest.mark.parametrize("worth", [ORIGINAL, FLAT, SOONER])
def test_values_nodes_and_cutoffs_are_those_of_a_plain_recursion(name: str, worth: tuple[int, int]) -> None:
    for depth in (1, 2, 3, 5):
        count = [0, 0]
        value = negamax(parse_game(name).new(), depth, -INFINITY, INFINITY, worth, 0, count)
        found = searched(name, chosen(depth, True, worth))
        assert [found["value"], found["at"][NODES], found["at"][CUTOFFS]] == [value, *count]
        assert searched(name, chosen(depth, False, worth))["value"] == value


def test_nodes_beyond_the_limit_are_counted_and_not_kept() -> None:
    whole = searched("nim:1,2,3,4", chosen(4, True, ORIGINAL), record=1_000)
    few = searched("nim:1,2,3,4", chosen(4, True, ORIGINAL), record=100)
    assert few["at"] == whole["at"]
    assert few["record"] == [column[:100] for column in whole["record"]]


def test_skipped_moves_are_those_without_nodes() -> None:
    found = searched("nim:1,2,3,4", chosen(4, True, ORIGINAL), record=1_000)
    tree = parse_game("nim:1,2,3,4")
    parents, moves, kinds = found["record"][0], found["record"][1], found["record"][7]
    positions = {0: tree.new()}
    for node in range(1, len(parents)):
        state = base.copy(positions[parents[node]])
        base.play(state, moves[node])
        positions[node] = state
    expanded = [node for node, kind in enumerate(kinds) if kind in (windows.EXPANDED, windows.CUT)]
    assert len(expanded) == 276
    legal = sum(base.count(positions[node]) for node in expanded)
    assert found["at"][SKIPPED] == legal - (len(parents) - 1)


def test_keys_of_recorded_nodes_are_those_of_their_positions() -> None:
    game, how = parse_game("connect:3x3x3"), chosen(4)
    state, stack, kept = game.new(), alpha_beta.stack(4), alpha_beta.record(3_000, game.size)
    alpha_beta.search(state, stack, how, alpha_beta.roots(game.size), kept, None, None, 1 << 40)
    n = int(stack.at[NODES])
    for fill in (alpha_beta.fill_keys, alpha_beta.fill_keys.py_func):
        keys = np.zeros(n, np.int64)
        fill(state, kept, n, keys)
        assert state.board.tolist() == game.start.board.tolist()
        for node in range(0, n, 17):
            line, at = [], node
            while at:
                line.append(int(kept.move[at]))
                at = int(kept.parent[at])
            there = game.new()
            for move in reversed(line):
                base.play(there, move)
            assert keys[node] == base.key(there)
