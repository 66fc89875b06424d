"""Nim that shows a learner earlier frames of the game, and how right its answers to a move are then.

S. Riis, "Mastering NIM and impartial games with weak neural networks" (arXiv 2411.06403): with two frames a network
need not know whether each binary digit occurs an even number of times. It only has to answer the last move. A function
values positions after its own move, so it sees the same with three: `frames:3:1,3,5`. `frames:0:1,3,5` shows the rows
and what the last two moves changed: the number of the row before XOR after.
"""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from nimtui.errors import whole_number
from nimtui.games import Game, base, parse_game
from nimtui.games.notation import check_rows
from nimtui.learning.estimator import Estimator
from nimtui.learning.learner import parse_learner
from nimtui.learning.training import Training

NAMES = ("frames",)
FORMS = ("frames:3:1,3,5",)
RULES = "Whoever takes the last match wins. In turn, take one or more matches from one row."
IMPARTIAL = True


class Frames(NamedTuple):
    board: np.ndarray  # [rows + 1 + matches]: the rows; the number of moves; the moves
    full: np.ndarray  # [rows]: the rows at the start
    frames: int
    most: int  # a move is row × most + take − 1


def size(state):
    return state.full.shape[0] * state.most


def legal(state, move):
    return move % state.most < state.board[move // state.most]


def play(state, move):
    plies = state.full.shape[0]
    state.board[move // state.most] -= move % state.most + 1
    state.board[plies + 1 + state.board[plies]] = move
    state.board[plies] += 1


def undo(state, move):
    plies = state.full.shape[0]
    state.board[move // state.most] += move % state.most + 1
    state.board[plies] -= 1
    state.board[plies + 1 + state.board[plies]] = 0


def outcome(state):
    return 0 if state.board[: state.full.shape[0]].any() else 1


def inputs(state):
    rows = state.full.shape[0]
    return state.frames * rows if state.frames else rows + 2


def input(state, i):
    rows = state.full.shape[0]
    made = state.board[rows]
    if not state.frames and i >= rows:
        return difference(state, i - rows + 1)
    row = i % rows
    value = state.board[row]
    for back in range(1, min(i // rows, made) + 1):
        value += taken(state, row, back)
    return value


def taken(state, row, back):
    rows = state.full.shape[0]
    move = state.board[rows + 1 + state.board[rows] - back]
    return move % state.most + 1 if move // state.most == row else 0


def difference(state, back):
    rows = state.full.shape[0]
    made = state.board[rows]
    if back > made:
        return 0
    row = state.board[rows + 1 + made - back] // state.most
    after = state.board[row]
    for later in range(1, back):
        after += taken(state, row, later)
    return after ^ (after + taken(state, row, back))


def changes(state, move, i):
    rows = state.full.shape[0]
    made = state.board[rows]
    if not state.frames:
        return -1 if i > 2 else rows + i - 1 if i else move // state.most
    if i >= min(state.frames, made + 1):
        return -1
    return i * rows + (move if i == 0 else state.board[rows + 1 + made - i]) // state.most


def levels(state):
    shown = [int(matches) + 1 for matches in state.full]
    return shown * state.frames if state.frames else [*shown, *[1 << int(max(state.full)).bit_length()] * 2]


def parse(word, fields):
    frames = whole_number(fields[0], "the number of frames", 0, 9)
    rows = [whole_number(part, "a row", 1, 100) for part in fields[1].split(",")]
    check_rows(rows, 100, "a row", 100)
    board = np.array([*rows, *(0 for _ in range(1 + sum(rows)))], np.int64)
    return Frames(board, np.array(rows, np.int64), frames, max(rows))


def name(state):
    return f"frames:{state.frames}:{','.join(map(str, state.full))}"


# How right its answers are.

POSITIONS = 2_000  # of each kind
TAUGHT = 20_000  # games of a teacher, from which seven rows are learned


def nim_sum(rows: list[int]) -> int:
    """Return 0 for a lost position."""
    return reduce(xor, rows)


def moves_of(rows: list[int]) -> list[tuple[int, int, bool]]:
    """Return each move: its row, how many it takes, and whether it leads to a lost position."""
    whole = nim_sum(rows)
    return [
        (row, take, whole ^ heap ^ (heap - take) == 0) for row, heap in enumerate(rows) for take in range(1, heap + 1)
    ]


def answers(game: Game, after_lost: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return positions after one random move from a lost position, or from a won one, and their moves, [position, 2,
    move]: which lead to a lost position, and which are legal.

    Only won positions are among them, in which some move is wrong.
    """
    random, boards, right_moves, full = Random(1), [], [], game.start.full.tolist()
    while len(boards) < POSITIONS:
        state = game.new()
        rows = [random.randint(0, heap) for heap in full]
        if not any(rows) or (nim_sum(rows) == 0) != after_lost:
            continue
        state.board[: len(rows)] = rows
        row, take, _ = random.choice(moves_of(rows))
        base.play(state, row * state.most + take - 1)
        answer = np.zeros((2, game.size), np.bool_)
        for row, take, right in moves_of(state.board[: len(rows)].tolist()):
            answer[:, row * state.most + take - 1] = right, True
        if answer[0].any() and (answer[0] != answer[1]).any():
            boards.append(state.board)
            right_moves.append(answer)
    return np.array(boards), np.array(right_moves)


def taught_game(game: Game, random: Random) -> list[int]:
    """Return the moves of a game of a teacher, who plays perfectly and moves first, against random moves."""
    rows, made = game.start.full.tolist(), list[int]()
    while any(rows):
        moves = moves_of(rows)
        right = [move for move in moves if move[2]]
        row, take, _ = random.choice(right if right and len(made) % 2 == 0 else moves)
        rows[row] -= take
        made.append(row * game.start.most + take - 1)
    return made


def measured(name: str, learner: str, games: int, seed: int) -> dict[str, Any]:
    """Return the share of right answers to a move from a lost position (right) and from a won one (unmet).

    It learns from itself; with TAUGHT games from those of a teacher.
    """
    game, began = parse_game(name), process_time()
    if games == TAUGHT:
        estimator, random = Estimator(game, parse_learner(learner), seed), Random(seed)
        for _ in range(games):
            estimator.learn(game.new(), taught_game(game, random))
    else:
        training = Training(game, learner, seed, measured=False)
        training.run(games)
        assert training.estimator is not None
        estimator = training.estimator
    shares = []
    for after_lost in (True, False):
        boards, moves = answers(game, after_lost)
        values = estimator.all_values(boards)
        best = values == values.max(axis=1, keepdims=True)
        shares.append([float(np.mean((each & moves[:, 0]).sum(1) / each.sum(1))) for each in (best, moves[:, 1])])
    (right, chance), (unmet, _) = shares
    parts = {"right": right, "met": None, "unmet": unmet, "chance": chance}
    return {"game": name, "learner": learner, "games": games, "seed": seed, **parts, "seconds": process_time() - began}
