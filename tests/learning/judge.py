"""What a table is worth, by brute force: every game is played, with the interpreted rules and dictionaries alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from nimtui.games import Game, base
from nimtui.games.base import Move, State

RESULTS = {base.WON: 1, base.LOST: -1, base.DRAW: 0}  # for who moved last
Best = Callable[[State], tuple[Move, ...]]  # the moves of the highest score


class Judge:
    """A game and a table's best moves. Every position is its board."""

    def __init__(self, game: Game, best: Best) -> None:
        self.game = game
        self.best: Callable[[tuple[int, ...]], tuple[Move, ...]] = cache(lambda board: best(self.state(board)))
        self.value = cache(self._value)
        self.chances = cache(self._chances)
        self.holds = cache(self._holds)
        self.start = tuple(game.start.board.tolist())

    def state(self, board: tuple[int, ...]) -> State:
        state = self.game.new()
        state.board[:] = board
        return state

    def after(self, board: tuple[int, ...], move: Move) -> tuple[tuple[int, ...], int | None]:
        """The board after a move, and its result for who made it, None where the game goes on."""
        state = self.state(board)
        base.play(state, move)
        return tuple(state.board.tolist()), RESULTS.get(base.outcome(state))

    def moves(self, board: tuple[int, ...]) -> list[Move]:
        return base.legal_moves(self.state(board))

    def worth(self, board: tuple[int, ...], move: Move) -> int:
        left, result = self.after(board, move)
        return -self.value(left) if result is None else result

    def _value(self, board: tuple[int, ...]) -> int:
        return max(self.worth(board, move) for move in self.moves(board))

    def keeping(self, board: tuple[int, ...]) -> list[Move]:
        return [move for move in self.moves(board) if self.worth(board, move) == self.value(board)]

    def positions(self) -> list[tuple[int, ...]]:
        """Every position that can come up and is not over."""
        found, todo = {self.start}, [self.start]
        while todo:
            board = todo.pop()
            for left, result in (self.after(board, move) for move in self.moves(board)):
                if result is None and left not in found:
                    found.add(left)
                    todo.append(left)
        return sorted(found)

    def share(self, board: tuple[int, ...]) -> float:
        """Of the best moves, those that keep the outcome."""
        keeping = self.keeping(board)
        return sum(move in keeping for move in self.best(board)) / len(self.best(board))

    def seats(self) -> list[bool]:
        """Does the table begin, in the seats that theory favours?"""
        return [first for first in (True, False) if self.value(self.start) * (1 if first else -1) >= 0]

    def met(self) -> set[tuple[int, ...]]:
        """Where the table comes to move in these seats."""
        seen: set[tuple[tuple[int, ...], bool]] = set()
        todo = [(self.start, mine) for mine in self.seats()]
        while todo:
            board, mine = todo.pop()
            if (board, mine) in seen:
                continue
            seen.add((board, mine))
            for move in self.best(board) if mine else self.moves(board):
                left, result = self.after(board, move)
                if result is None:
                    todo.append((left, not mine))
        return {board for board, mine in seen if mine}

    def _chances(self, board: tuple[int, ...], mine: bool) -> tuple[float, float, float]:
        """How probably the table wins, draws, loses against perfect play, with it to move or not."""
        moves = self.best(board) if mine else self.keeping(board)
        total = [0.0, 0.0, 0.0]
        for move in moves:
            left, result = self.after(board, move)
            if result is None:
                chances = self.chances(left, not mine)
            else:
                told = result if mine else -result
                chances = (float(told == 1), float(told == 0), float(told == -1))
            total = [had + got for had, got in zip(total, chances, strict=True)]
        return total[0] / len(moves), total[1] / len(moves), total[2] / len(moves)

    def unbeaten(self) -> float:
        lost = [self.chances(self.start, mine)[2] for mine in self.seats()]
        return 1 - sum(lost) / len(lost)

    def _holds(self, board: tuple[int, ...], mine: bool, promised: int) -> bool:
        """Does no opponent at all keep it from a result as good as promised, and as any position that it comes to?"""
        if mine:
            promised = max(promised, self.value(board))
        for move in self.best(board) if mine else self.moves(board):
            left, result = self.after(board, move)
            if result is not None:
                if (result if mine else -result) < promised:
                    return False
            elif not self.holds(left, not mine, promised):
                return False
        return True

    def proof(self) -> bool:
        """All its games against all opponents, from the seats that theory favours."""
        return all(self.holds(self.start, mine, -1) for mine in self.seats())

    def never_loses(self) -> bool:
        """Likewise, with no more asked than not to lose."""

        @cache
        def safe(board: tuple[int, ...], mine: bool) -> bool:
            for move in self.best(board) if mine else self.moves(board):
                left, result = self.after(board, move)
                if result is None:
                    if not safe(left, not mine):
                        return False
                elif result == (-1 if mine else 1):
                    return False
            return True

        return all(safe(self.start, mine) for mine in self.seats())
