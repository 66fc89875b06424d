"""Openings: the first moves of a game, made for both players, so that games start differently.

From a decided start, the seat decides every game of perfect players. Openings of random moves vary that. Of balanced
openings half are won and half lost for the player to move, and each is played twice, with the seats swapped.
"""

from __future__ import annotations

from dataclasses import dataclass

from nimtui import theory
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, did_you_mean, shortened, whole_number
from nimtui.games import Game, base
from nimtui.games.base import Move
from nimtui.games.notation import plural
from nimtui.theory import Outcome, Unsolvable

START, RANDOM, BALANCED = "start", "random", "balanced"
FORMS = {
    "start": "every game starts from the initial position",
    "random:PLIES": "PLIES random moves first",
    "balanced:PLIES": "PLIES random moves; half of the openings are won and half lost for the player to move",
}
USUAL_PLIES, MOST_PLIES = 2, 60
STREAMS = 1 << 63  # beyond the streams of the games
TRIES = 2_000  # random openings to try for one that is not over and has the wanted outcome


@dataclass(frozen=True, slots=True)
class Openings:
    """How games start. `opening` returns the same moves for the same seed and number."""

    kind: str = START
    plies: int = 0

    @property
    def name(self) -> str:
        """Return text that parses to equal openings: 'balanced:2'."""
        return START if self.kind == START else f"{self.kind}:{self.plies}"

    @property
    def title(self) -> str:
        """Return them as people say them."""
        if self.kind == START:
            return "from the start"
        moves = "1 random move" if self.plies == 1 else f"{self.plies} random moves"
        return f"after {moves}" if self.kind == RANDOM else f"balanced, after {moves}"

    def opening(self, game: Game, seed: int, number: int) -> tuple[Move, ...]:
        """Return the moves of the opening of this number. InputError if the game has none such."""
        if self.kind == START:
            return ()
        stream = Stream(seed, STREAMS + number)
        wanted = Outcome.WIN if number % 2 == 0 else Outcome.LOSS
        for _ in range(TRIES):
            moves = self._moves(game, stream)
            if moves is not None and (self.kind == RANDOM or _worth(game, moves) is wanted):
                return moves
        what = "that is not over" if self.kind == RANDOM else f"that is a {wanted.value} for the player to move"
        raise InputError(
            f"{game.name} has no position {what} after {plural(self.plies, 'move', 'moves')}, in {TRIES:,} tries"
        )

    def check(self, game: Game) -> None:
        """Raise InputError if this game cannot have such openings."""
        if self.kind == BALANCED and (fault := theory.why_unsolvable(game, game.start)) is not None:
            raise InputError(f"balanced openings need a solved game; {game.name}: {fault}")
        for number in range(2):
            self.opening(game, 0, number)

    def _moves(self, game: Game, stream: Stream) -> tuple[Move, ...] | None:
        """Return so many random moves; None if the game is over after them."""
        state = game.new()
        moves: list[Move] = []
        while len(moves) < self.plies:
            if base.outcome(state) != base.GOING_ON:
                return None
            move = int(base.nth(state, stream.below(base.count(state))))
            base.play(state, move)
            moves.append(move)
        return tuple(moves) if base.outcome(state) == base.GOING_ON else None


FROM_THE_START = Openings()


def _worth(game: Game, moves: tuple[Move, ...]) -> Outcome | None:
    state = game.new()
    for move in moves:
        base.play(state, move)
    try:
        return theory.solve(game, state).outcome
    except Unsolvable:
        return None


def parse_openings(text: str) -> Openings:
    """Return the openings of this name: 'start', 'random:4', 'balanced' (= balanced:2). InputError if it is invalid."""
    kind, colon, plies = text.strip().lower().partition(":")
    if kind not in (START, RANDOM, BALANCED):
        near = did_you_mean(kind, (START, RANDOM, BALANCED))
        raise InputError(f"unknown kind of openings '{shortened(kind)}'{near} (one of: {', '.join(FORMS)})")
    if kind == START:
        if colon:
            raise InputError("the openings 'start' take no number (did you mean random:PLIES or balanced:PLIES?)")
        return FROM_THE_START
    return Openings(kind, whole_number(plies, "the random moves", 1, MOST_PLIES) if colon else USUAL_PLIES)
