"""Walk through a game's positions, the nearest to the start first, and play random games to the end and back.

The walk also finds out whether a game can return to an earlier position, so that it may never end.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from random import Random
from time import monotonic

import numpy as np

from nimtui.check.rules import Rules
from nimtui.check.trial import Broken, Ended, Late, Overdue, at_most
from nimtui.engine.limits import MOST_PLIES
from nimtui.games import base
from nimtui.games.base import Board, Move, State

LONG_ENOUGH = 1_000  # plies after which positions are checked less closely and the game may be too slow
LINE_SECONDS = 3  # for one game
MOST_POSITIONS = 3_000
MOST_LINES = 200
MOST_BROKEN = 20  # broken positions after which the walk stops
SHOWN_MOVES = 12


def small_positions(rules: Rules, seconds: float) -> list[Board]:
    """Examine positions breadth first, so that the first broken position is one of the nearest to the start.

    Return the examined positions. The rules are asked about them a second time, in another order.
    """
    until = monotonic() + seconds
    boards: dict[bytes, Board] = {rules.game.start.board.tobytes(): rules.game.start.board.copy()}
    waiting = deque(boards.values())
    done: list[Board] = []
    moves: dict[bytes, list[bytes]] = {}  # position -> the positions after its moves
    faults = 0
    rules.trial.tries("end")
    while waiting and len(done) < MOST_POSITIONS and faults < MOST_BROKEN and (monotonic() < until or not done):
        board = waiting.popleft()
        try:
            after = rules.examine(board)
        except Broken as broken:
            rules.trial.note(broken)
            if isinstance(broken, Late):
                raise Ended from None
            faults += 1
            continue
        done.append(board)
        moves[board.tobytes()] = [one.tobytes() for one in after]
        for one in after:
            if len(boards) < 2 * MOST_POSITIONS and boards.setdefault(one.tobytes(), one) is one:
                waiting.append(one)
    with rules.trial.noting():
        check_no_cycles(rules, moves)
    again = done.copy()
    Random(0).shuffle(again)
    for board in again:
        with rules.trial.noting():
            rules.in_time(partial(rules.same, rules.fresh(board)))
        if "same" in rules.trial.broken or monotonic() > until + seconds:
            break
    return done


def games(rules: Rules, seconds: float) -> list[Board]:
    """Play games from the start to the end, and take them back move by move.

    One game plays each first legal move, one each last move; the others are random. Return the positions that occurred.
    """
    until = monotonic() + seconds
    seen: list[Board] = []
    for number in range(MOST_LINES):
        if number > 2 and monotonic() > until:
            break
        try:
            seen += _one_game(rules, number)
        except Broken as broken:
            rules.trial.note(broken)
            break
        except Overdue:
            slow = f"a game is too slow to be played to its end in {2 * LINE_SECONDS} s"
            raise Late("end", f"{rules.game.name}: {slow}") from None
    return seen


def _one_game(rules: Rules, number: int) -> list[Board]:
    random, until = Random(number), monotonic() + LINE_SECONDS
    state = rules.fresh(rules.game.start.board)
    line: list[Move] = []
    rules.trial.at("playing", f"{rules.game.name}, game {number + 1}")
    boards = [state.board.copy()]
    with at_most(2 * LINE_SECONDS):
        rules.same(state)
        while rules.number("outcome", state) == base.GOING_ON:
            move = _next_move(rules, state, number, random)
            rules.ask("play", state, move)
            line.append(move)
            boards.append(state.board.copy())
            if len(line) < LONG_ENOUGH:  # early positions are checked more closely
                _after(rules, state, line)
            if len(line) >= MOST_PLIES:
                raise rules.broken("end", f"no end after {len(line):,} moves: the game may be endless")
            if len(line) >= LONG_ENOUGH and monotonic() > until:
                slow = f"a game is too slow to be played to its end: {len(line):,} moves take {LINE_SECONDS} s"
                raise Late("end", f"{rules.game.name}: {slow}")
        for ply in range(len(line) - 1, -1, -1):
            rules.ask("undo", state, line[ply])
            if not np.array_equal(state.board, boards[ply]):
                before = rules.fresh(boards[ply])
                place = f"{rules.move(line[ply], before)} {rules.where(before)}"
                raise rules.broken("undo", f"undo after move {place} gives {rules.position(state)}")
    rules.untouched("playing a game", state)
    return boards


def _next_move(rules: Rules, state: State, number: int, random: Random) -> Move:
    """Return the first legal move, the last or a random one, by the number of the game."""
    start = (0, rules.size - 1, random.randrange(rules.size))[min(number, 2)]
    step = -1 if number == 1 else 1
    answers = rules.known.get(state.board.tobytes())
    if answers is not None:
        return answers.moves[(0, -1, random.randrange(len(answers.moves)))[min(number, 2)]]
    for i in range(rules.size):
        if rules.ask("legal", state, move := (start + i * step) % rules.size):
            return move
    raise rules.broken("outcome", "outcome returns 0 (going on), but no move is legal", state)


def _after(rules: Rules, state: State, line: list[Move]) -> None:
    """Ask the rules after this line. Raise Broken if they answered differently when another line led to this board."""
    try:
        rules.same(state)
    except Broken as broken:
        if broken.name != "same":
            raise
        names = " ".join(rules.move(move, rules.game.start) for move in line[:SHOWN_MOVES])
        more = " …" if len(line) > SHOWN_MOVES else ""
        raise Broken("same", f"{broken.example}, after the moves {names}{more}") from None


Moves = dict[bytes, list[bytes]]  # board -> the boards that its moves lead to, in the order of the moves


def check_no_cycles(rules: Rules, moves: Moves) -> None:
    """Raise Broken, with the moves, if some moves lead back to the position where they start."""
    here = _on_cycle(moves)
    if here is None:
        return
    names, board = [], here
    for after in _shortest(moves, here):
        state = rules.fresh(np.frombuffer(board, np.int64))
        names.append(rules.move(rules.known[board].moves[moves[board].index(after)], state))
        board = after
    line = " ".join(names[:SHOWN_MOVES]) + (" …" if len(names) > SHOWN_MOVES else "")
    where = rules.where(rules.fresh(np.frombuffer(here, np.int64)))
    raise rules.broken("end", f"the game may never end: the moves {line} lead back to the same board {where}")


def _on_cycle(moves: Moves) -> bytes | None:
    """Return the first position found on a cycle, or None if there is no cycle."""
    done: set[bytes] = set()
    for start in moves:
        path: dict[bytes, int] = {start: 0} if start not in done else {}  # position -> how many of its moves are tried
        while path:
            here, tried = path.popitem()
            if tried == len(moves.get(here, ())):
                done.add(here)
                continue
            path[here] = tried + 1
            after = moves[here][tried]
            if after in path:
                return after
            if after not in done:
                path[after] = 0
    return None


def _shortest(moves: Moves, start: bytes) -> list[bytes]:
    """Return the positions of the shortest cycle through this one; the position itself comes last."""
    came: dict[bytes, bytes] = {}
    waiting = deque([start])
    while start not in came:
        here = waiting.popleft()
        for after in moves.get(here, ()):
            if after not in came:
                came[after] = here
                waiting.append(after)
    line = [start]
    while came[line[-1]] != start:
        line.append(came[line[-1]])
    return line[::-1]
