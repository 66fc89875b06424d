"""One running game: the players, the turn, the agents' thoughts, undo and redo.

Knows no screens, threads or time. The conductor asks `waiting_for` which agent should think, and `stream` for its
random numbers, and passes the decision to `play`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from nimtui.agents import Agent, Decision
from nimtui.agents.belief import Belief, belief_of
from nimtui.agents.program import brief, called
from nimtui.arena.review.review import Judgement
from nimtui.engine.rng import Stream
from nimtui.games import Record, base, parse_game
from nimtui.games.base import Move, State
from nimtui.learning.table import Change
from nimtui.playing.setup import ME, PlaySetup, parse_seat, usual_name


@dataclass(frozen=True, slots=True)
class Player:
    """A player on a seat: an agent, only a name (in a replay), or a person."""

    agent: Agent | None
    name: str = ""  # of a replay's player, who need not exist any more

    @property
    def is_person(self) -> bool:
        return self.agent is None and not self.name

    @property
    def spec(self) -> str:
        return self.name or (ME if self.agent is None else self.agent.name)

    @property
    def title(self) -> str:
        return called(self.name) or ("You" if self.agent is None else self.agent.title)

    @property
    def short(self) -> str:
        """One word for lists: 'you', 'hard', 'mc'."""
        return "you" if self.is_person else brief(self.spec)


@dataclass(frozen=True, slots=True)
class Author:
    """The maker of a move, recorded when it was made: the players may change later."""

    label: str  # one word: 'you', 'hard', 'first'
    person: bool  # a person made it, perhaps for a stopped or failed agent
    side: int  # whose mark the taken matches get
    names: tuple[str, str]  # of the players on the two seats


class Hold(Enum):
    """Why the agent to move does not think."""

    PAUSED = "paused"  # a person paused two agents
    STOPPED = "stopped"  # a person stopped the agent
    FAILED = "failed"  # the agent raised an error


@dataclass(frozen=True, slots=True)
class Reflection:
    """Holds what an agent thought before its move."""

    ply: int  # the number of moves played before
    player: Player
    decision: Decision


@dataclass(frozen=True, slots=True)
class Learned:
    """Holds what the trained opponent changed after this game."""

    changes: tuple[Change, ...]  # of scores, in the order of play
    moves: tuple[str, ...]  # the names of these moves
    positions: tuple[str, ...]  # whose best-scored moves changed
    weight: int = 1  # of the lesson


ORDER = ("first", "second")
OPENING = "opening"  # the label of the opening's moves


class Session:
    """A game between two players, from its first move to its end and back. Seats are 0 (moves first) and 1."""

    past = False  # whether this is a replay
    opening = 0  # how many of the first moves belong to the opening

    def __init__(self, setup: PlaySetup, players: Sequence[Player] = ()) -> None:
        """Raises InputError if the setup is invalid. `players` replace the players of the setup."""
        game = parse_game(setup.game).beginning(setup.position)
        self.game = game
        self.seed = setup.seed
        self.position = setup.position
        self.record = Record(game, setup.position)
        self.players = list(players) or [Player(parse_seat(spec, game)) for spec in setup.seats]
        self.sides = [int(seat != self.me) for seat in (0, 1)]  # the mark of each seat: 0 one's own, 1 the opponent's
        self.authors: list[Author] = []  # of all known moves, including those taken back
        self.hold: Hold | None = None
        self.fault = ""
        self.steps = 0  # moves still to make while paused
        self.reflections: dict[int, Reflection] = {}
        self.learned: Learned | None = None  # from the game as it stands
        self._lessons: set[tuple[str, tuple[Move, ...]]] = set()  # agents and the moves they have learned from
        self.judgements: Sequence[Judgement] = ()  # of the latest review
        self.estimates: Sequence[Belief | None] = ()  # of an analysing agent:
        self.analyst = ""

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
        """Whether a person watches two agents."""
        return not any(player.is_person for player in self.players)

    @property
    def waiting_for(self) -> Agent | None:
        """The agent that should think now; None if a person moves, at the end, and while the game is held."""
        if self.over or (self.hold is not None and not self.steps):
            return None
        return self.to_move.agent

    @property
    def person_may_move(self) -> bool:
        """Whether a person may move: in their own turn, or for a stopped or failed agent."""
        return not self.over and self.waiting_for is None and self.hold is not Hold.PAUSED

    @property
    def opponent(self) -> int | None:
        """The seat of the only agent, or of the second of two; None if two people play."""
        seats = [seat for seat, player in enumerate(self.players) if not player.is_person]
        return seats[-1] if seats else None

    @property
    def me(self) -> int:
        """The person's seat; the first one if both seats are alike."""
        return 1 if self.players[1].is_person and not self.players[0].is_person else 0

    def stream(self) -> Stream:
        """Return the random numbers of the next move: always the same for one seed and ply."""
        return Stream(self.seed, self.record.ply + 1)

    # Moves.

    def play(self, move: Move, decision: Decision | None = None) -> None:
        """Play a legal move of the player to move; `decision` holds its agent's thoughts. ValueError if illegal."""
        record, ply, mover = self.record, self.record.ply, self.to_move
        author = self._author(instead=decision is None and self.person_may_move)
        redone = bool(record.undone) and record.undone[-1] == move
        record.push(move)
        self.authors[ply : ply + 1 if redone else None] = [author]
        if not redone:
            self.reflections = {at: thoughts for at, thoughts in self.reflections.items() if at < ply}
        if decision is not None:
            self.reflections[ply] = Reflection(ply, mover, decision)
        self.learned = None
        self.steps = max(0, self.steps - 1)
        if self.hold is not Hold.PAUSED:
            self.resume()

    def fail(self, fault: str) -> None:
        """Record an error of the agent to move: the game waits for another agent or a person's move."""
        self.hold, self.fault, self.steps = Hold.FAILED, fault, 0

    def stop(self) -> None:
        """Stop the agent to move until `resume`."""
        self.hold, self.steps = Hold.PAUSED if self.watched else Hold.STOPPED, 0

    def step(self) -> None:
        """Let the agent to move play one move, then hold again."""
        self.hold, self.fault, self.steps = Hold.PAUSED if self.watched else None, "", 1

    def resume(self) -> None:
        self.hold, self.fault, self.steps = None, "", 0

    # Back and forth.

    @property
    def undo_ply(self) -> int | None:
        """The ply that `undo` returns to: before the person's last move and the reply. None: no undo."""
        return self._person_ply(range(self.record.ply - 1, -1, -1), None)

    @property
    def redo_ply(self) -> int | None:
        """The ply that `redo` goes to: the person's next move, or the last known one. None: no redo."""
        ply, undone = self.record.ply, len(self.record.undone)
        return self._person_ply(range(ply + 1, ply + undone + 1), ply + undone if undone else None)

    def _person_ply(self, plies: range, otherwise: int | None) -> int | None:
        alike = self.players[0].is_person == self.players[1].is_person
        return next((ply for ply in plies if alike or self.players[ply % 2].is_person), otherwise)

    def undo(self) -> bool:
        """Take back the person's last move and all after it. Return False if there is none."""
        return self.goto(self.undo_ply)

    def redo(self) -> bool:
        """Replay the moves taken back, up to the person's next move."""
        return self.goto(self.redo_ply)

    def goto(self, ply: int | None) -> bool:
        """Go to the position after `ply` of the known moves and continue from there. Return False for None."""
        if ply is None:
            return False
        self.record.goto(ply)
        self.resume()
        self.learned = None
        if self.watched:
            self.hold = Hold.PAUSED
        return True

    # Players.

    def seat(self, seat: int, spec: str) -> None:
        """Give this seat to another player. Raises InputError, and changes nothing, if the name is invalid."""
        self.players[seat] = Player(parse_seat(spec, self.game))
        self.resume()

    def swap(self) -> None:
        """Swap the two players."""
        self.players.reverse()
        self.sides.reverse()
        paused = self.hold is Hold.PAUSED
        self.resume()
        if paused:
            self.stop()

    def setup(self) -> PlaySetup:
        """Return the setup of this game with its current players."""
        first, second = (player.spec for player in self.players)
        return PlaySetup(usual_name(self.game.name), self.position, (first, second), self.seed)

    # Facts for the screen.

    @property
    def reflection(self) -> Reflection | None:
        """The thoughts behind the latest move of an agent; None if there are none."""
        return self.last_reflection(0, 1)

    def last_reflection(self, *seats: int) -> Reflection | None:
        """Return the thoughts behind the latest move on the board of an agent on these seats; None: there are none."""
        plies = (at for at in self.reflections if at < self.record.ply and at % 2 in seats)
        return self.reflections.get(max(plies, default=-1))

    def called(self, seat: int) -> str:
        """Return the player's name: 'You', 'Hard', or 'The first player' if two people play."""
        player, other = self.players[seat], self.players[1 - seat]
        if player.is_person:
            return f"The {self.order(seat)} player" if other.is_person else "You"
        title, others = (agent.title.partition(" (")[0] for agent in (player, other))
        return f"{title} ({self.order(seat)})" if title == others else title

    def order(self, seat: int) -> str:
        """Return 'first' for the player who starts after the opening, else 'second'."""
        return ORDER[(seat + self.opening) % 2]

    def _author(self, instead: bool) -> Author:
        """Return the author of the next move; `instead`: a person makes it, perhaps for an agent."""
        seat = self.record.turn
        player, other = self.players[seat], self.players[1 - seat]
        side, label = self.sides[seat], player.short if player.short != other.short else self.order(seat)
        if instead and not player.is_person:
            side, label = self.sides[1 - seat] if other.is_person else side, "you"
        return Author(label, instead or player.is_person, side, (self.called(0), self.called(1)))

    def names_at(self, ply: int) -> tuple[str, str]:
        """Return both players' names when this move was made; the current names if the move is unknown."""
        return self.authors[ply].names if 0 <= ply < len(self.authors) else (self.called(0), self.called(1))

    @property
    def labels(self) -> list[str]:
        """The label of each known move's player, one word."""
        return [author.label for author in self.authors]

    def owners(self, ply: int | None = None) -> dict[tuple[int, int], int]:
        """Return the cells taken in the first `ply` moves, with their side: 0 one's own, 1 the opponent's."""
        state = self.record.state_at(0)
        owners: dict[tuple[int, int], int] = {}
        for at, move in enumerate(self.record.moves[:ply]):
            owners.update(dict.fromkeys(self.game.touched(state, move), self.authors[at].side))
            base.play(state, move)
        return owners

    @property
    def known_moves(self) -> tuple[Move, ...]:
        """All moves, including those taken back."""
        return (*self.record.moves, *reversed(self.record.undone))

    def move_names(self) -> list[str]:
        """Return all known moves by name, including those taken back."""
        return self.game.line_names(self.known_moves, self.record.state_at(0))

    def judged(self) -> dict[int, Judgement]:
        """Return the review's judgements of the known moves that are still the same, by ply."""
        pairs = zip(self.judgements, self.known_moves, strict=False)
        return {judgement.ply: judgement for judgement, move in takewhile(lambda pair: pair[0].move == pair[1], pairs)}

    def beliefs(self) -> tuple[Belief | None, ...]:
        """Return what the players believed of all known moves; None for a person's move."""
        reflections = (self.reflections.get(ply) for ply in range(len(self.authors)))
        return tuple(None if one is None else belief_of(one.decision) for one in reflections)

    # Learning from the game.

    @property
    def pupil(self) -> Player | None:
        """A player with a learner's table, which can learn from this game; None if there is none."""
        return next((player for player in self.players if getattr(player.agent, "table", None) is not None), None)

    @property
    def can_learn(self) -> bool:
        """Whether the game is over and the pupil has not learned from it yet."""
        return self.over and self.record.ply > 0 and self.pupil is not None and self._lesson not in self._lessons

    @property
    def _lesson(self) -> tuple[str, tuple[Move, ...]]:
        return (self.pupil.spec if self.pupil is not None else "", tuple(self.record.moves))

    def learn(self, learned: Learned) -> None:
        """Record what the pupil has learned from the finished game. It plays the next game with it."""
        self.learned = learned
        self._lessons.add(self._lesson)

    def unlearn(self) -> None:
        """Forget the lesson of the finished game: the pupil can learn from it again."""
        self.learned = None
        self._lessons.discard(self._lesson)
