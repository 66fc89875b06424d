"""One running game: who sits where, whose turn it is, what was thought, what may be taken back.

Knows nothing of screens, threads or time. Whoever watches asks `waiting_for` which agent should think, with which
stream of random numbers, and hands its decision to `play`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from typing import Any

from nimtui.agents import Agent, Decision
from nimtui.arena.review import Judgement
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Record, base
from nimtui.games.base import Move, State
from nimtui.ui.board.cursor import Cell
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.play.setup import ME, PlaySetup, parse_seat


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat: an agent; one who is known by name alone, in a game that is shown; else a person."""

    agent: Agent | None
    name: str = ""  # of one who once made these moves and need not be here any more

    @property
    def is_person(self) -> bool:
        return self.agent is None and not self.name

    @property
    def spec(self) -> str:
        return self.name or (ME if self.agent is None else self.agent.name)

    @property
    def title(self) -> str:
        return self.name or ("You" if self.agent is None else self.agent.title)

    @property
    def short(self) -> str:
        """One word for lists: 'you', 'hard', 'mc'."""
        return "you" if self.is_person else self.spec.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Author:
    """Who made a move, as it was when it was made: the players may change later."""

    label: str  # in one word: 'you', 'hard', 'first'
    person: bool  # a person made it, perhaps for an agent that had been stopped or had failed
    side: int  # whose mark what it took bears
    names: tuple[str, str]  # of the players on the two seats


class Hold(Enum):
    """Why an agent whose turn it is does not think."""

    PAUSED = "paused"  # two agents are watched, and a person asked them to wait
    STOPPED = "stopped"  # a person stopped its thinking
    FAILED = "failed"  # it ended in an error


@dataclass(frozen=True, slots=True)
class Reflection:
    """What an agent thought before its move."""

    ply: int  # how many moves had been played
    player: Player
    decision: Decision


ORDER = ("first", "second")
OPENING = "opening"  # who made its moves, in a word


class Session:
    """A game between two players, from its first move to its end and back. Seats are 0 (moves first) and 1."""

    past = False  # is it a game that is only shown?
    opening = 0  # how many of the first moves were made for both players, by nobody

    def __init__(self, setup: PlaySetup, players: Sequence[Player] = ()) -> None:
        """InputError where the setup names something that cannot be. `players` take the place of who is named there."""
        game = parse_game(setup.game)
        self.game = game
        self.seed = setup.seed
        self.position = setup.position
        self.record = Record(game, setup.position)
        self.players = list(players) or [Player(parse_seat(spec, game)) for spec in setup.seats]
        self.sides = [int(seat != self.me) for seat in (0, 1)]  # whose mark each seat leaves: 0 one's own, 1 the other
        self.authors: list[Author] = []  # of all known moves, those taken back too
        self.hold: Hold | None = None
        self.fault = ""
        self.steps = 0  # moves still to be made although paused
        self.reflections: dict[int, Reflection] = {}
        self.learned: tuple[Any, ...] | None = None  # what the learned opponent changed after this game
        self._lessons: set[tuple[str, tuple[Move, ...]]] = set()  # who has learned from which moves
        self.judgements: Sequence[Judgement] = ()  # of the review made last

    # Whose turn it is.

    @property
    def state(self) -> State:
        return self.record.state

    @property
    def over(self) -> bool:
        return self.record.over

    @property
    def to_move(self) -> Player:
        return self.players[self.record.turn]

    @property
    def watched(self) -> bool:
        """Do two agents play each other?"""
        return not any(player.is_person for player in self.players)

    @property
    def waiting_for(self) -> Agent | None:
        """The agent that should be thinking now; None while a person moves, at the end and while it is held."""
        if self.over or (self.hold is not None and not self.steps):
            return None
        return self.to_move.agent

    @property
    def person_may_move(self) -> bool:
        """A person's turn, or that of an agent that was stopped or failed: then a person may move for it."""
        return not self.over and self.waiting_for is None and self.hold is not Hold.PAUSED

    @property
    def opponent(self) -> int | None:
        """The seat of the only machine, or of the second of two; None between people."""
        seats = [seat for seat, player in enumerate(self.players) if not player.is_person]
        return seats[-1] if seats else None

    @property
    def me(self) -> int:
        """The seat a person looks from: their own, the first where both are alike."""
        return 1 if self.players[1].is_person and not self.players[0].is_person else 0

    def stream(self) -> Stream:
        """The random numbers for the move to come: always the same for one seed and ply."""
        return Stream(self.seed, self.record.ply + 1)

    # What happens.

    def play(self, move: Move, decision: Decision | None = None) -> None:
        """Play a legal move of the player to move, whose agent may say what it thought. ValueError for any other."""
        record, ply, mover = self.record, self.record.ply, self.to_move
        author = self._author(instead=decision is None and self.person_may_move)
        redone = bool(record.undone) and record.undone[-1] == move
        record.push(move)
        self.authors[ply : ply + 1 if redone else None] = [author]
        if not redone:
            self.reflections = {at: known for at, known in self.reflections.items() if at < ply}
        if decision is not None:
            self.reflections[ply] = Reflection(ply, mover, decision)
        self.learned = None
        self.steps = max(0, self.steps - 1)
        if self.hold is not Hold.PAUSED:
            self._go_on()

    def fail(self, fault: str) -> None:
        """The agent to move ended in an error: the game waits for another agent, or a person's move for it."""
        self.hold, self.fault, self.steps = Hold.FAILED, fault, 0

    def stop(self) -> None:
        """The agent to move shall not think; `resume` lets it."""
        self.hold, self.steps = Hold.PAUSED if self.watched else Hold.STOPPED, 0

    def resume(self) -> None:
        self._go_on()

    def step(self) -> None:
        """Let the agent to move make one move, and wait again."""
        self.hold, self.fault, self.steps = Hold.PAUSED if self.watched else None, "", 1

    def _go_on(self) -> None:
        self.hold, self.fault, self.steps = None, "", 0

    # Back and forth.

    @property
    def undo_ply(self) -> int | None:
        """How far `undo` goes back: to the last own move, so a machine's reply goes with it. None: nowhere."""
        return self._person_ply(range(self.record.ply - 1, -1, -1), None)

    @property
    def redo_ply(self) -> int | None:
        """How far `redo` goes: to the next own move, or to the last known one. None: nowhere."""
        ply, undone = self.record.ply, len(self.record.undone)
        return self._person_ply(range(ply + 1, ply + undone + 1), ply + undone if undone else None)

    def _person_ply(self, plies: range, otherwise: int | None) -> int | None:
        alike = self.players[0].is_person == self.players[1].is_person
        return next((ply for ply in plies if alike or self.players[ply % 2].is_person), otherwise)

    def undo(self) -> bool:
        """Take back the last own move and what came after it. False where there is none."""
        return self._to(self.undo_ply)

    def redo(self) -> bool:
        """Play again what was taken back, up to the next own move."""
        return self._to(self.redo_ply)

    def goto(self, ply: int) -> None:
        """Go to the position after so many of the known moves, and play on from there."""
        self._to(ply)

    def _to(self, ply: int | None) -> bool:
        if ply is None:
            return False
        self.record.goto(ply)
        self._go_on()
        self.learned = None
        if self.watched:
            self.hold = Hold.PAUSED
        return True

    # Who plays.

    def seat(self, seat: int, spec: str) -> None:
        """Let somebody else play on this seat. InputError, and nothing changes, where that cannot be."""
        self.players[seat] = Player(parse_seat(spec, self.game))
        self._go_on()

    def swap(self) -> None:
        """The players exchange their seats."""
        self.players.reverse()
        self.sides.reverse()
        paused = self.hold is Hold.PAUSED
        self._go_on()
        if paused:
            self.stop()

    def setup(self) -> PlaySetup:
        """What this game was set up with, as it is now."""
        first, second = (player.spec for player in self.players)
        return PlaySetup(self.game.name, self.position, (first, second), self.seed)

    # What there is to show.

    @property
    def reflection(self) -> Reflection | None:
        """The thoughts behind the latest move of an agent."""
        known = [at for at in self.reflections if at < self.record.ply]
        return self.reflections[max(known)] if known else None

    def called(self, seat: int) -> str:
        """Who plays on this seat: 'You', 'Hard', or where two people play 'The first player'."""
        player, other = self.players[seat], self.players[1 - seat]
        if player.is_person:
            return f"The {self.order(seat)} player" if other.is_person else "You"
        title, others = (agent.title.partition(" (")[0] for agent in (player, other))
        return f"{title} ({self.order(seat)})" if title == others else title

    def order(self, seat: int) -> str:
        """'first' for who moves first once the opening is made, 'second' for the other."""
        return ORDER[(seat + self.opening) % 2]

    def _author(self, instead: bool) -> Author:
        """Of the move to come; `instead`: a person makes it, even for an agent."""
        seat = self.record.turn
        player, other = self.players[seat], self.players[1 - seat]
        side, label = self.sides[seat], player.short if player.short != other.short else self.order(seat)
        if instead and not player.is_person:
            side, label = self.sides[1 - seat] if other.is_person else side, "you"
        return Author(label, instead or player.is_person, side, (self.called(0), self.called(1)))

    def author(self, ply: int) -> Author:
        """Of the known move after so many others."""
        return self.authors[ply]

    def names_at(self, ply: int) -> tuple[str, str]:
        """Who played on the two seats when this known move was made; who does now where there is none."""
        return self.authors[ply].names if 0 <= ply < len(self.authors) else (self.called(0), self.called(1))

    @property
    def labels(self) -> list[str]:
        """Who made each known move, in a word."""
        return [author.label for author in self.authors]

    @property
    def changed_hands(self) -> bool:
        """Did the players change while the moves on the board were made?"""
        return len({author.names for author in self.authors[: self.record.ply]}) > 1

    def owners(self, ply: int | None = None) -> dict[Cell, int]:
        """The cells that were taken in the first `ply` moves, and by which side: 0 one's own, 1 the other's."""
        state = self.record.state_at(0)
        owners: dict[Cell, int] = {}
        for at, move in enumerate(self.record.moves[:ply]):
            owners.update(dict.fromkeys(self.game.touched(state, move), self.authors[at].side))
            base.play(state, move)
        return owners

    def move_names(self) -> list[str]:
        """All known moves by name, those taken back too."""
        return [self.game.move_name(move) for move in (*self.record.moves, *reversed(self.record.undone))]

    def judged(self) -> dict[int, Judgement]:
        """What a review said of those known moves that are still the same, by ply."""
        known = (*self.record.moves, *reversed(self.record.undone))
        same = takewhile(lambda pair: pair[0].move == pair[1], zip(self.judgements, known, strict=False))
        return {judgement.ply: judgement for judgement, _ in same}

    # Learning from it.

    @property
    def pupil(self) -> Player | None:
        """A player with a learned table, who can learn from this game."""
        return next((player for player in self.players if getattr(player.agent, "table", None) is not None), None)

    @property
    def can_learn(self) -> bool:
        """Is there a game at its end that the pupil has not learned from yet?"""
        return self.over and self.record.ply > 0 and self.pupil is not None and self._lesson not in self._lessons

    @property
    def _lesson(self) -> tuple[str, tuple[Move, ...]]:
        return (self.pupil.spec if self.pupil is not None else "", tuple(self.record.moves))

    def learn(self) -> tuple[Any, ...]:
        """Let that player's table learn from the game just played; what it changed."""
        pupil = self.pupil
        if pupil is None or not self.can_learn:
            raise InputError("there is nothing to learn from yet: the game is not over")
        table: Any = pupil.agent.table  # type: ignore[union-attr]
        self.learned = tuple(table.learn(self.record))
        self._lessons.add(self._lesson)
        return self.learned
