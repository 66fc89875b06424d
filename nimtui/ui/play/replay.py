"""A game that was played, to be gone through move by move. Its players need not be here any more.

Knows no widgets. Agents are known by their names alone: nothing is read, trained or asked.
"""

from __future__ import annotations

from dataclasses import dataclass

from nimtui.arena.entrants import labels
from nimtui.errors import InputError
from nimtui.games.base import Move
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import OPENING, Author, Hold, Player, Session
from nimtui.ui.play.setup import ME, PlaySetup

BRIEF = 8  # signs of a name in a list


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A finished game, or as much of one as was played."""

    game: str
    first: str  # who moved first once the opening was made: an agent's name, 'me' for a person
    second: str
    moves: tuple[Move, ...]  # from the game's start, those of the opening too
    opening: int = 0  # how many of them were made for both players
    title: str = ""  # 'game 3 of 100'
    fault: str = ""  # why the player to move at its end lost it there: an illegal move, an error
    id: int | None = None  # of a game in the database
    position: str | None = None  # where it began; None: the game's own start

    @property
    def seats(self) -> tuple[str, str]:
        """Who made the moves 0, 2, 4 … and who the others: an odd opening lets the second one begin."""
        return (self.second, self.first) if self.opening % 2 else (self.first, self.second)


class Replay(Session):
    """Such a game, as a session in which nobody moves. `record` stands wherever one looks."""

    past = True

    def __init__(self, kept: KeptGame, ply: int = 0) -> None:
        """InputError where the game is not known, or a move is none of its rules as they are now."""
        self.kept, self.opening = kept, kept.opening
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
        self.goto(max(0, min(self.last, ply)))

    def _author(self, instead: bool) -> Author:
        """Of the move to come; the opening's were made by nobody."""
        seat, names = self.record.turn, (self.called(0), self.called(1))
        if self.record.ply < self.opening:
            return Author(OPENING, False, self.sides[seat], names)
        return Author(self.short(seat), self.players[seat].is_person, self.sides[seat], names)

    def whole(self) -> Session:
        """The same game at its end, for a review."""
        return Replay(self.kept, self.last)

    # Going through it.

    @property
    def at_end(self) -> bool:
        return self.record.ply == self.last

    def move_by(self, by: int) -> bool:
        """So many moves on (or back, below zero). False at the ends."""
        return self.look_at(self.record.ply + by)

    def look_at(self, ply: int) -> bool:
        """To the position after so many moves, the nearest there is. False where it stands there."""
        ply = max(0, min(self.last, ply))
        if ply == self.record.ply:
            return False
        self.goto(ply)
        return True

    def next_mistake(self) -> bool:
        """Just behind the next mistake of a player, from the start again after the last. False where there is none."""
        found = [ply + 1 for ply, what in self.judged().items() if what.mistake and ply >= self.opening]
        return bool(found) and self.look_at(next((ply for ply in found if ply > self.record.ply), found[0]))

    def played_on(self, opponent: str) -> PlaySetup:
        """From here on: a person moves next, against this agent."""
        record = self.record
        position = self.game.position_name(record.state) if record.ply else self.position
        return PlaySetup(self.game.name, position, (ME, opponent))

    def called(self, seat: int) -> str:
        """Who plays on this seat: 'You', 'mc 10', 'mcts 500 (first)' where no word tells the two apart."""
        if self.players[seat].is_person:
            return super().called(seat)
        return self._names[seat] if self._briefs else f"{self._names[seat]} ({self.order(seat)})"

    def in_full(self, seat: int) -> str:
        """The same with all that was asked of the agent: 'mc:playouts=10,policy=perfect-opponent'."""
        name = self.called(seat)
        return name if self.players[seat].is_person else name.replace(self._names[seat], self.players[seat].spec, 1)

    def short(self, seat: int) -> str:
        """Who sits there, in a word or two: 'mc', 'mc 10', or 'first' where these do not tell them apart."""
        player = self.players[seat]
        if player.is_person:
            return player.short if not self.players[1 - seat].is_person else self.order(seat)
        return self._briefs[seat] if self._briefs else self.order(seat)

    def other(self) -> str:
        """Who sits where a person would not, who moves next."""
        return self.players[1 - self.record.turn].spec


def briefs(names: tuple[str, ...]) -> tuple[str, ...]:
    """These labels of two players in a word or two each, so that they differ; none where that cannot be."""
    split = [name.replace(":", " ").split() for name in names]
    for parts in ([each[:1] for each in split], split, [each[1:] for each in split]):
        found = tuple(map(_whole_words, parts))
        if len(set(found)) == len(found) and all(any(map(str.isalpha, brief)) for brief in found):
            return found
    return ()


def _whole_words(words: list[str]) -> str:
    """As many as have room; of the first as much as there is room for."""
    text = words[0][:BRIEF] if words else ""
    for word in words[1:]:
        if len(text) + 1 + len(word) > BRIEF:
            break
        text += f" {word}"
    return text
