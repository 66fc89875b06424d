"""The perfect agent, which plays by theory, and the base of agents that play by exact values."""

from __future__ import annotations

from enum import Enum
from time import perf_counter

from nimtui import theory
from nimtui.agents.agent import Decision, Loading, Memoryless, Terse, Thinking, Thought, moves_of
from nimtui.agents.registry import Options, canonical
from nimtui.engine import policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome
from nimtui.theory.answers import outcome_of, payoff_of, timely_moves
from nimtui.theory.truth import Truth


class Exact(Loading, Memoryless, Terse):
    """Plays by theory: a random move among those that keep the outcome; in a lost position that is any move.

    Ready as soon as theory answers at once.
    """

    def __init__(self, game: Game) -> None:
        """Raise InputError if the game is too large to solve from its first position."""
        if (fault := theory.why_unsolvable(game, game.first)) is not None:
            raise InputError(f"{self.name} cannot play {game.name}: {fault}")
        self.game = game
        self._loaded = theory.is_instant(game, game.first)

    name: str

    def _load(self, progress: Progress) -> None:
        """Solve all that follows the first position. The theory caches the result."""
        theory.solve(self.game, self.game.first, progress)

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves = moves_of(state)
        move = self.choose(state, stream, progress)
        verdict, largest = theory.solve(self.game, state, progress), int(base.largest_payoff(state))
        if verdict.payoff is None:
            worths = [float(outcome_of(self.game, state, each, verdict, progress).worth) for each in moves]
        else:
            worths = [payoff_of(self.game, state, each, verdict, progress) / largest for each in moves]
        thoughts = tuple(Thought(each, worth, largest=largest) for each, worth in zip(moves, worths, strict=True))
        progress.think(lambda: Thinking(thoughts, move))
        return Decision(move, thoughts, seconds=perf_counter() - began)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        self.prepare(progress)
        return stream.choose(theory.solve(self.game, state, progress).best_moves)

    def policy(self, truth: Truth) -> policy.Policy | None:
        return policy.among(truth.graph, truth.keeps)


NAMES = ("perfect",)
FORMS = (
    ("perfect", "never worsens the outcome; plays any move in a lost position"),
    ("perfect[:won=random|fastest,lost=random|longest]", "wins as soon, or loses as late as possible"),
)
PRESETS = (("Perfect", "perfect:lost=longest"),)  # against a person: no lost game is given away at once


class Won(Enum):
    """How a won position is played."""

    RANDOM = "random"
    FASTEST = "fastest"


class Lost(Enum):
    """How a lost position is played."""

    RANDOM = "random"
    LONGEST = "longest"


class Perfect(Exact):
    """Plays a random move among those that keep the outcome; in a lost position that is any move.

    `won=fastest` keeps only the moves that win soonest, `lost=longest` only those that lose latest, by remoteness.
    Where that is unknown, all moves that keep the outcome remain.
    """

    name = "perfect"
    title = "Perfect"

    def __init__(self, game: Game, won: Won = Won.RANDOM, lost: Lost = Lost.RANDOM) -> None:
        super().__init__(game)
        self._won, self._lost = won, lost
        self.name = canonical("perfect", {"won": (won, Won.RANDOM), "lost": (lost, Lost.RANDOM)})
        ways = ["wins fastest"] * (won is Won.FASTEST) + ["holds out longest"] * (lost is Lost.LONGEST)
        self.title = f"Perfect ({', '.join(ways)})" if ways else "Perfect"

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        self.prepare(progress)
        won, lost = self._is_timed(Outcome.WIN), self._is_timed(Outcome.LOSS)
        return stream.choose(timely_moves(self.game, state, won, lost, progress))

    def _is_timed(self, outcome: Outcome) -> bool:
        """Return whether the plies to the end decide between moves that keep this outcome."""
        return (outcome is Outcome.WIN and self._won is Won.FASTEST) or (
            outcome is Outcome.LOSS and self._lost is Lost.LONGEST
        )

    def policy(self, truth: Truth) -> policy.Policy | None:
        may = truth.keeps
        if self._is_timed(Outcome.WIN) or self._is_timed(Outcome.LOSS):
            from nimtui.engine.exact import timed

            start = self.game.new()
            if theory.never_drawn(start) and theory.remoteness(self.game, start) is None:
                return None  # `choose` does not know the plies of all positions
            for outcome, value in ((Outcome.WIN, 1), (Outcome.LOSS, -1)):
                if self._is_timed(outcome):
                    may = timed(truth.graph, truth.values, may, value)
        return policy.among(truth.graph, may)


def parse(word: str, text: str, game: Game) -> Perfect:
    options = Options(word, text, ("won", "lost"))
    return Perfect(game, options.choice("won", Won.RANDOM), options.choice("lost", Lost.RANDOM))
