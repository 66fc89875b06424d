"""Every kernel gives the same compiled and interpreted, whatever the chunk size, and agrees with theory."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from nimtui.engine import exact, graph, perft, playouts
from nimtui.engine.graph import DRAWN_EDGE, LOST_EDGE, WON_EDGE
from nimtui.engine.jit import kernel
from nimtui.engine.playouts import Pick
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Record, base, parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.theory.truth import truth

SMALL = [
    "nim:1,2,3",
    "nim:2,3:misere",
    "nim:5,2:max=2",
    "adjacent:2,4",
    "kayles:5:misere",
    "connect:3x3x3",
    "noughts:3x3x2",
    "chomp:3x3",
]
RULES = [
    "nim:1,3,5,7",
    "nim:9,2:max=3:misere",
    "adjacent:1,3,5,7",
    "kayles:9,2:misere",
    "connect4",
    "connect:5x4x3",
    "noughts:4x3x3",
    "chomp:4x5",
]


@pytest.mark.parametrize("name", RULES)
def test_compiled_and_interpreted_rules_play_the_same_games(name: str) -> None:
    game = parse_game(name)
    for casually in (False, True):
        compiled, interpreted = Stream(3), Stream(3)
        fast, slow = game.new(), game.new()
        wins, same = np.zeros((2, playouts.NUMBERS), np.int64)
        playouts.playouts(fast, game.start.board, 60, casually, compiled.counter, wins, 10**6)
        with np.errstate(over="ignore"):
            while same[playouts.DONE] < 60:  # in pieces that end within a game
                playouts.playouts.py_func(slow, game.start.board, 60, casually, interpreted.counter, same, 7)
        assert wins.tolist() == same.tolist() and wins[playouts.DONE] == 60
        assert compiled.counter[0] == interpreted.counter[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_compiled_rules_agree_with_the_interpreter_on_every_word_of_a_random_game(name: str) -> None:
    stream = Stream(11)
    for _ in range(20):
        record = Record(parse_game(name))
        while not record.over:
            answers = np.zeros((record.game.size + 1, 7), np.int64)
            interpreted = answers.copy()
            every_word(record.state, stream_bits := stream.bits60(), answers)
            every_word.py_func(record.state, stream_bits, interpreted)
            assert answers.tolist() == interpreted.tolist()
            record.push(stream.choose(base.legal_moves(record.state)))


@kernel
def every_word(state, bits, out):  # type: ignore[no-untyped-def]
    moves = base.size(state)
    for move in range(moves):
        if base.legal(state, move):
            out[move, 0] = 1
            out[move, 1] = base.following(state, move)
            out[move, 2] = base.row(state, move)
            base.play(state, move)
            out[move, 3] = base.outcome(state)
            out[move, 4] = base.key(state)
            if base.positions(state) > 0:
                out[move, 5] = base.index(state)
            out[move, 6] = base.count(state)
            base.undo(state, move)
    out[moves, 0] = base.casual(state, bits)
    out[moves, 1] = base.nth(state, base.count(state) - 1)
    out[moves, 2] = base.following(state, -1)
    out[moves, 3] = base.evaluate(state)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rows", "nodes"),
    [
        ("tower:1", (1,), 2),
        ("tower:4", (1, 3), 28),
        ("tower:9", (1, 3, 5), 12_456),
        ("nim:3,4,5", (3, 4, 5), 1_038_768),
        ("tower:16", (1, 3, 5, 7), 516_124_195),  # the kernel would count for seconds
    ],
)
def test_complete_trees_of_the_towers(name: str, rows: tuple[int, ...], nodes: int) -> None:
    # Source: counts of complete game trees, recomputed by brute force.
    assert tree_nodes(rows) == nodes
    if name != "tower:16":
        assert perft.tree_nodes(parse_game(name).new()) == nodes


@cache
def tree_nodes(rows: tuple[int, ...]) -> int:
    """The nodes of a complete tree, a position counted as often as it comes up."""
    after = ((*rows[:at], left, *rows[at + 1 :]) for at, row in enumerate(rows) for left in range(row))
    return 1 + sum(tree_nodes(tuple(sorted(following))) for following in after)


def test_perft_of_small_connect_four() -> None:
    state = parse_game("connect4:4x4").new()
    assert perft.by_ply(state, 7) == [1, 4, 16, 64, 256, 1_020, 4_020, 15_540]
    assert perft.perft(state, 7) == 15_540
    assert perft.perft(parse_game("nim:1,1").new(), 3) == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_perft_is_the_same_compiled_interpreted_and_in_chunks(name: str) -> None:
    state = parse_game(name).new()
    counts = perft.by_ply(state)
    for until in (1, 7, 10_000_000):
        scratch = base.copy(state)
        found, path, at = np.zeros(30, np.int64), np.zeros(30, np.int64), np.array([0, -1])
        found[0], found[1] = 1, base.count(state)
        while not perft.walk.py_func(scratch, 30, found, path, at, until):
            pass
        assert found[: len(counts)].tolist() == counts
        assert found.sum() == sum(counts)


@pytest.mark.parametrize("name", ["nim:1,3,5,7", "connect:4x4x4"])
@pytest.mark.parametrize("pick", Pick)
def test_playouts_do_not_depend_on_the_chunk_size(name: str, pick: Pick, monkeypatch: pytest.MonkeyPatch) -> None:
    state = parse_game(name).new()
    results = set()
    for chunk in (1, 37, 50_000):
        monkeypatch.setattr(playouts, "CHUNK", chunk)
        stream = Stream(9)
        tallies = tuple(playouts.flat_monte_carlo(state, 100, stream, pick))
        results.add((tallies, int(stream.counter[0])))
    assert len(results) == 1


@cache
def win_probability(rows: tuple[int, ...]) -> float:
    """Independent: the chance that the player to move wins a uniformly random game of neighbours (normal play)."""
    if not any(rows):
        return 0.0
    children = []
    for i, row in enumerate(rows):
        for take in range(1, row + 1):
            for left in range(row - take + 1):
                parts = [part for part in (left, row - take - left) if part]
                children.append(win_probability(tuple(sorted((*rows[:i], *parts, *rows[i + 1 :])))))
    return 1 - math.fsum(children) / len(children)


def test_playouts_win_as_often_as_theory_says() -> None:
    # Nim: exactly one half while a row of two or more stands, however the random move is drawn.
    n = 400_000
    for pick in Pick:
        wins, draws = playouts.count_playouts(parse_game("nim:1,3,5,7").new(), n, Stream(1), pick)
        assert draws == 0
        assert abs(wins / n - 0.5) < 5 * 0.5 / math.sqrt(n)
    exactly = win_probability((3,))
    wins, _ = playouts.count_playouts(parse_game("adjacent:3").new(), n, Stream(1))
    assert abs(wins / n - exactly) < 5 * 0.5 / math.sqrt(n)
    assert abs(exactly - 0.5) > 0.05


def test_flat_monte_carlo_counts_for_the_player_who_moves() -> None:
    state = parse_game("nim:2,1:misere").new()  # a2 leaves one match: the opponent must take it and loses
    tallies = {tally.move: tally for tally in playouts.flat_monte_carlo(state, 500, Stream(2))}
    assert tallies[1].wins == 500 and tallies[1].value == 1
    state = parse_game("nim:1").new()
    assert playouts.flat_monte_carlo(state, 10, Stream(0))[0].wins == 10


@pytest.mark.parametrize("name", [*SMALL, "nim:1,3,5,7", "connect:4x4x4"])
def test_a_graph_holds_every_position_and_move(name: str) -> None:
    game = parse_game(name)
    built = graph.build(game.new())
    numbers = [int(base.index(game.at(board))) for board in built.boards[:3000]]
    assert numbers == sorted(numbers)
    for node in range(0, len(built.order), max(1, len(built.order) // 500)):
        state = game.at(built.boards[node])
        edges = slice(int(built.ptr[node]), int(built.ptr[node + 1]))
        assert built.move[edges].tolist() == base.legal_moves(state)
        for move, to in zip(built.move[edges], built.to[edges], strict=True):
            base.play(state, move)
            end = {base.WON: WON_EDGE, base.LOST: LOST_EDGE, base.DRAW: DRAWN_EDGE}.get(base.outcome(state))
            assert to == (graph.node_at(built, state) if end is None else end)
            base.undo(state, move)


@pytest.mark.slow
def test_graphs_have_the_known_numbers_of_positions() -> None:
    # Sources: products of rows + 1; brute force for 4 × 4 (161,029 positions with the finished ones).
    assert len(graph.build(parse_game("nim:1,3,5,7").new()).order) == 383
    assert len(graph.build(parse_game("nim:1,3,5,7").new()).to) == 3_072
    assert len(graph.build(parse_game("adjacent:1,3,5,7").new()).order) == 65_535
    small = graph.build(parse_game("connect4:4x4").new())
    ended = {  # the boards of finished games
        (int(board[0]), int(board[1]))
        for node in np.flatnonzero(
            np.bincount(np.repeat(np.arange(len(small.order)), np.diff(small.ptr))[small.to < 0])
        )
        for board in ends_after(small, node)
    }
    assert len(small.order) + len(ended) == 161_029


def ends_after(built: graph.Graph, node: int) -> list[np.ndarray]:
    game = parse_game("connect4:4x4")
    boards = []
    for edge in range(int(built.ptr[node]), int(built.ptr[node + 1])):
        if built.to[edge] < 0:
            state = game.at(built.boards[node])
            base.play(state, int(built.move[edge]))
            boards.append(state.board)
    return boards


def test_a_graph_too_large_is_refused_before_it_is_built_with_the_bytes_it_would_need() -> None:
    with pytest.raises(InputError, match=r"10,321,920 positions would need about [\d.]+ GB \([\d,]+ bytes\)"):
        graph.build(parse_game("tower:64").new())
    with pytest.raises(InputError, match="too many positions"):
        graph.build(parse_game("tower:676").new())


@pytest.mark.parametrize("name", SMALL)
def test_the_graph_kernels_are_the_same_interpreted(name: str) -> None:
    game = parse_game(name)
    built = graph.build(game.new())
    nodes = len(built.order)
    for chunk in (1, 1000):
        positions = base.positions(game.start)
        node_of, at = np.full(positions, -1, np.int32), np.array([0, 1])
        boards, counts, numbers = (
            np.zeros((positions, len(game.start.board)), np.int64),
            *np.zeros((2, positions), np.int64),
        )
        boards[0], numbers[0] = game.start.board, base.index(game.start)
        node_of[numbers[0]] = 0
        while not graph.discover.py_func(game.new(), boards, counts, numbers, node_of, at, chunk):
            pass
        assert at[1] == nodes
        assert sorted(numbers[:nodes]) == [int(base.index(game.at(board))) for board in built.boards]
    to, move, row = (np.zeros(len(built.to), np.int32) for _ in range(3))
    graph.join.py_func(game.new(), built.boards, built.node_of, built.ptr, to, move, row, 0, nodes)
    assert to.tolist() == built.to.tolist()
    assert move.tolist() == built.move.tolist()
    order, path, height = (np.zeros(nodes, np.int32) for _ in range(3))
    cursor, at = built.ptr[:-1].copy(), np.zeros(2, np.int64)
    path[0] = built.start
    while not graph.arrange.py_func(built.ptr, built.to, order, cursor, path, height, at, 7):
        pass
    assert (at[0], height[built.start]) == (nodes, built.longest)
    assert order.tolist() == built.order.tolist()
    values = np.zeros(nodes, np.int8)
    exact._fill_values.py_func(built, values, 0, nodes)
    assert values.tolist() == exact.values(built).tolist()
    kept = np.zeros(len(built.to), np.bool_)
    exact._fill_keeps.py_func(built, values, kept, 0, nodes)
    assert kept.tolist() == exact.keeps(built, values).tolist()
    grundy = np.zeros(nodes, np.int32)
    exact._fill_grundy.py_func(built, grundy, np.zeros(200, np.int32), 0, nodes)
    assert grundy.tolist() == exact.grundy(built).tolist()
    player = exact.perfect(built, values)
    compiled, interpreted = Stream(4), Stream(4)
    fast, slow = np.zeros((2, exact.NODE + 1), np.int64)
    exact.playouts_against_perfect(built, player, built.start, 100, compiled.counter, fast, 10**6, False)
    with np.errstate(over="ignore"):
        while slow[playouts.DONE] < 100:
            exact.playouts_against_perfect.py_func(built, player, built.start, 100, interpreted.counter, slow, 3, False)
    assert fast.tolist() == slow.tolist() and compiled.counter[0] == interpreted.counter[0]


def test_exact_values_and_grundy_values_of_nim() -> None:
    # Source: Bouton 1901.
    game = parse_game("nim:1,3,5,7")
    built = graph.build(game.new())
    values, grundy = exact.values(built), exact.grundy(built)
    for node, board in enumerate(built.boards[:, :4]):
        nim_sum = int(np.bitwise_xor.reduce(board))
        assert grundy[node] == nim_sum
        assert values[node] == (1 if nim_sum else -1)


def test_a_perfect_opponent_never_lets_a_lost_move_win() -> None:
    game = parse_game("subtraction:21,3:misere")
    built = graph.build(game.new())
    values = exact.values(built)
    for node in range(len(built.order)):
        tallies = exact.against_perfect(built, exact.perfect(built, values), node, 200, Stream(node))
        if values[node] == 1:  # only after the right move can a random mover win at all
            matches = int(built.boards[node, 0])
            best = max(tallies, key=lambda tally: tally.wins)
            assert (matches - int(best.move) - 1) % 4 == 1 and best.wins > 0
            assert sum(tally.wins > 0 for tally in tallies) == 1


def test_building_a_graph_can_be_stopped_at_every_step() -> None:
    class Stop(Progress):
        def __init__(self, after: int) -> None:
            self.left = after

        def report(self, done: float, total: float, what: str = "") -> None:
            self.left -= 1
            if not self.left:
                raise Cancelled

    for after in range(1, 7):
        with pytest.raises(Cancelled):
            truth(parse_game("nim:3,6"), Stop(after))
