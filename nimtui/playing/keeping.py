"""Saves the game of the Play screen in the database: full names of players, every move, and the seed as its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nimtui.agents.belief import Belief
from nimtui.arena.play.batch import DRAWN, LOST, WON
from nimtui.arena.play.beliefs import packed
from nimtui.arena.review.review import Judgement, review
from nimtui.errors import InputError
from nimtui.games import Game, Record
from nimtui.games.base import Move
from nimtui.playing.session import Session
from nimtui.progress import Progress
from nimtui.store.rows import GameRow
from nimtui.theory import Outcome
from nimtui.theory.answers import BRIEFLY, TooSlow, Until, is_solvable

if TYPE_CHECKING:
    from nimtui.store.database import Database


@dataclass(frozen=True)
class Snapshot:
    """A copy of a game, made while the session may continue."""

    game: Game
    position: str | None  # the start position; None: the game's own start
    seats: tuple[str, str]
    moves: tuple[Move, ...]
    seed: int | None  # None: the game has no random choices
    beliefs: tuple[Belief | None, ...] = ()  # of each move

    @classmethod
    def of(cls, session: Session) -> Snapshot:
        """Return the session's game. Raises InputError if no move has been made."""
        if not session.record.ply:
            raise InputError("no move has been made yet")
        first, second = (player.spec for player in session.players)
        people = all(player.is_person for player in session.players)
        moves = tuple(session.record.moves)
        seed = None if people else session.seed
        return cls(session.game, session.position, (first, second), moves, seed, session.beliefs()[: len(moves)])

    def row(self, progress: Progress) -> GameRow:
        """Return the row for the database. Moves of an opening lead to a start position other than the game's own.

        Raises InputError if no moves lead there.
        """
        opening = self._opening()
        record = Record(self.game, self.position, self.moves)
        result = DRAWN if record.winner is None else WON if record.winner == 0 else LOST
        own = (len(self.moves) + 1) // 2, len(self.moves) // 2
        judged = self._judged(record, progress)
        could = [move.seat for move in judged if move.before is not Outcome.LOSS]  # be a mistake
        wrong = [move.seat for move in judged if move.mistake]
        chances, mistakes = ((seats.count(0), seats.count(1)) for seats in (could, wrong))
        data = b"".join(move.to_bytes(2, "little", signed=True) for move in (*opening, *self.moves))
        beliefs = packed([*(None for _ in opening), *self.beliefs])
        return GameRow(0, 0, len(opening), data, result, own, chances, mistakes, "", 0.0, beliefs)

    def save(self, database: Database, progress: Progress) -> int:
        """Save the game, its seed as its name, and return its number."""
        from nimtui.store.saved_games import save_game

        name = "" if self.seed is None else f"seed {self.seed}"
        return save_game(database, self.game.name, *self.seats, self.row(progress), name)

    def _opening(self) -> tuple[Move, ...]:
        from nimtui.arena.play.steps import line_to

        if self.position is None:
            return ()
        line = line_to(self.game, self.game.new(self.position))
        if line is None:
            raise InputError(f"no moves lead from the start to {self.position}")
        return line

    def _judged(self, record: Record, progress: Progress) -> Sequence[Judgement]:
        """Return the judgements of its moves, or none if solving would take long."""
        if not is_solvable(self.game, record.state_at(0)):
            return ()
        try:
            return review(record, Until(progress, BRIEFLY))
        except TooSlow:
            return ()
