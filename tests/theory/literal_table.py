"""What a table is worth, by literal loops over all positions and by plain recursion over all games."""

from __future__ import annotations

from nimtui.games import base
from nimtui.games.base import State
from nimtui.learning.table import Table
from tests.theory.force import Force

Odds = tuple[float, float]  # of a player to win, to draw


class Literal:
    """A table beside the values of brute force."""

    def __init__(self, force: Force, table: Table) -> None:
        self.force, self.table = force, table
        self._known: dict[int, dict[tuple[bytes, bool], Odds]] = {}  # by the other table
        found, todo = dict[bytes, State](), [force.game.new()]
        while todo:
            state = todo.pop()
            if state.board.tobytes() not in found and int(base.outcome(state)) == base.GOING_ON:
                found[state.board.tobytes()] = state
                todo += [force.after(state, move) for move in base.legal_moves(state)]
        self.states = list(found.values())  # all positions that are not over
        self.not_lost = [state for state in self.states if force.value(state)[0] >= 0]

    def name(self, state: State) -> str:
        return self.force.game.position_name(state) or "the start"

    def best(self, state: State) -> set[int]:
        scores = self.table.scores(state)
        return {move for move in scores if scores[move] == max(scores.values())}

    def keeping(self, state: State) -> set[int]:
        """The moves that keep the outcome: all, if it is lost."""
        names = self.force.keeping(state)
        return {move for move in base.legal_moves(state) if self.force.game.move_name(move, state) in names}

    def right(self, state: State) -> float:
        """The share of the best-scored moves that keep the outcome."""
        best = self.best(state)
        return len(best & self.keeping(state)) / len(best)

    @property
    def accuracy(self) -> float:
        shares = [self.right(state) for state in self.not_lost]
        return sum(shares) / len(shares) if shares else 1.0

    @property
    def unbeaten(self) -> float:
        """The probability not to lose to perfect play, in the seats where perfect play does not lose."""
        worth = self.force.value(self.force.game.new())[0]
        seats = [seat for seat, favoured in ((0, worth >= 0), (1, worth <= 0)) if favoured]
        chances = [self._against(seat) for seat in seats]
        return sum(win + draw for win, draw in chances) / len(seats)

    def _against(self, seat: int) -> Odds:
        """The table's chances in a seat against a player of any move that keeps the outcome."""
        return self._odds(self.force.game.new(), seat == 0, None, {})

    def between(self, other: Literal, state: State, begins: bool) -> Odds:
        """This table's chances from a position where it, or the other one, is to move."""
        return self._odds(state, begins, other, self._known.setdefault(id(other), {}))

    def _odds(self, state: State, mine: bool, other: Literal | None, known: dict[tuple[bytes, bool], Odds]) -> Odds:
        if (end := int(base.outcome(state))) != base.GOING_ON:
            if end == base.DRAW:
                return 0.0, 1.0
            return float((end == base.WON) != mine), 0.0  # the other player made the last move
        key = state.board.tobytes(), mine
        if key not in known:
            moves = self.best(state) if mine else self.keeping(state) if other is None else other.best(state)
            after = [self._odds(self.force.after(state, move), not mine, other, known) for move in moves]
            known[key] = sum(win for win, _ in after) / len(after), sum(draw for _, draw in after) / len(after)
        return known[key]
