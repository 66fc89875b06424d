"""Saves the game of the Play screen in the database, and replays a finished or saved game move by move.

Saved are the full names of the players, every move, and the seed as the game's name. The players of a replay need not
exist any more.

Knows no widgets. Agents are only names here: nothing is loaded, trained or asked.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nimtui.agents.belief import Belief, packed
from nimtui.agents.program import called
from nimtui.arena.play.batch import DRAWN, LOST, WON
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.steps import line_to
from nimtui.arena.review.review import Judgement, review
from nimtui.errors import InputError
from nimtui.games import Game, Record
from nimtui.games.base import Move
from nimtui.playing import sentences as words
from nimtui.playing.session import OPENING, Author, Hold, Player, Session
from nimtui.playing.setup import ME, PlaySetup, usual_name
from nimtui.progress import Progress
from nimtui.store.rows import GameRow
from nimtui.theory import Outcome
from nimtui.theory.answers import BRIEFLY, TooSlow, Until, is_solvable

if TYPE_CHECKING:
    from nimtui.store.database import Database

BRIEF = 8  # characters of a name in a list


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A finished game, or the played part of an unfinished one."""

    game: str
    first: str  # the first player after the opening: an agent's name, or 'me' for a person
    second: str
    moves: tuple[Move, ...]  # from the start, including the opening
    opening: int = 0  # how many of the moves are the opening's
    title: str = ""  # 'game 3 of 100'
    fault: str = ""  # why the player to move lost at the end: an illegal move, an error
    id: int | None = None  # of a game in the database
    position: str | None = None  # the start position; None: the game's own start
    particulars: Sequence[str] = ()  # of a program's fault: what it was told and wrote, a line each

    @property
    def seats(self) -> tuple[str, str]:
        """The players of the even plies (0, 2, 4 …) and of the odd ones; an odd opening swaps them."""
        return (self.second, self.first) if self.opening % 2 else (self.first, self.second)


class Replay(Session):
    """A saved game as a session in which no player moves. `record` is at the shown position."""

    past = True

    def __init__(self, kept: KeptGame, ply: int = 0) -> None:
        """Raises InputError if the game is unknown, or a move is illegal under its current rules."""
        self.kept, self.opening = kept, kept.opening
        self.believed: Sequence[Belief | None] = ()  # of each move, if they were saved
        self._names = labels(kept.seats)
        self._briefs = briefs(self._names)
        players = [Player(None, "" if name == ME else name) for name in kept.seats]
        super().__init__(PlaySetup(kept.game, kept.position), players)
        self.hold = Hold.PAUSED
        for number, move in enumerate(kept.moves, 1):
            try:
                self.play(move)
            except (ValueError, IndexError):
                raise InputError(f"move {number} of this game (code {move}) is not legal in {self.game.name}") from None
        self.last = self.record.ply
        self.fault = "" if self.over else kept.fault
        self.result = words.result(self)
        self.look_at(ply)

    def _author(self, instead: bool) -> Author:
        """Return the author of the next move; the opening's moves have no player."""
        seat, names = self.record.turn, (self.called(0), self.called(1))
        if self.record.ply < self.opening:
            return Author(OPENING, False, self.sides[seat], names)
        return Author(self.short(seat), self.players[seat].is_person, self.sides[seat], names)

    def whole(self) -> Session:
        """Return the same game at its end, for a review."""
        whole = Replay(self.kept, self.last)
        whole.judgements, whole.believed = self.judgements, self.believed
        whole.estimates, whole.analyst = self.estimates, self.analyst
        return whole

    def beliefs(self) -> tuple[Belief | None, ...]:
        """Return what the players believed of all moves, as saved with the game."""
        return tuple(self.believed)

    # Going through it.

    @property
    def particulars(self) -> Sequence[str]:
        """What a program was told and wrote when its fault ended the game; only at the end."""
        return self.kept.particulars if self.at_end else ()

    @property
    def at_end(self) -> bool:
        return self.record.ply == self.last

    def look_at(self, ply: int) -> None:
        """Go to the position after `ply` moves, or the nearest."""
        self.goto(max(0, min(self.last, ply)))

    def played_on(self, opponent: str) -> PlaySetup:
        """Return a game from this position: a person moves next, against this agent."""
        record = self.record
        position = self.game.position_name(record.state) if record.ply else self.position
        return PlaySetup(usual_name(self.game.name), position, (ME, opponent))

    def called(self, seat: int) -> str:
        """Return the player's name: 'You', 'mc 10', or 'mcts 500 (first)' if both names are alike."""
        if self.players[seat].is_person:
            return super().called(seat)
        return self._names[seat] if self._briefs else f"{self._names[seat]} ({self.order(seat)})"

    def in_full(self, seat: int) -> str:
        """Return the player's name with all options: 'mc:playouts=10,policy=perfect-opponent'."""
        name = self.called(seat)
        whole = called(self.players[seat].spec)
        return name if self.players[seat].is_person else name.replace(self._names[seat], whole, 1)

    def short(self, seat: int) -> str:
        """Return the player in a word or two: 'mc', 'mc 10', or 'first' if those are alike."""
        player = self.players[seat]
        if player.is_person:
            return player.short if not self.players[1 - seat].is_person else self.order(seat)
        return self._briefs[seat] if self._briefs else self.order(seat)

    @property
    def other(self) -> str:
        """The name of the player who does not move next."""
        return self.players[1 - self.record.turn].spec


def briefs(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return distinct labels of two players, a word or two each; none if that is impossible."""
    split = [name.replace(":", " ").split() for name in names]
    for parts in ([each[:1] for each in split], split, [each[1:] for each in split]):
        texts = tuple(map(_whole_words, parts))
        if len(set(texts)) == len(texts) and all(any(map(str.isalpha, brief)) for brief in texts):
            return texts
    return ()


def _whole_words(words: list[str]) -> str:
    """Join as many words as fit; the first is cut to the room."""
    lines = textwrap.wrap(" ".join(words), BRIEF, break_long_words=False, break_on_hyphens=False)
    return lines[0][:BRIEF] if lines else ""


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
