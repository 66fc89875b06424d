"""Find out whether a game can return to an earlier position, so that it may never end."""

from __future__ import annotations

from collections import deque

import numpy as np

from nimtui.check.rules import Rules

SHOWN_MOVES = 12

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
