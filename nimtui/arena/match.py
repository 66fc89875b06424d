"""A match: two agents play a number of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from nimtui.agents import Agent
from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import Move
from nimtui.progress import SILENT, Cancelled, Progress

BEAT = 0.05  # seconds between two reports, at least


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game ended."""

    first: int  # the player who moved first: 0 or 1, as the match's agents are numbered
    winner: int | None  # the winning player, numbered likewise; None for a draw
    plies: int

    @property
    def winning_seat(self) -> int | None:
        """0 where the one who moved first has won, 1 the other, None in a draw."""
        return None if self.winner is None else self.winner ^ self.first


@dataclass(frozen=True, slots=True)
class Score:
    """What one player has from its games."""

    agent: str
    wins: int
    losses: int
    draws: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """All games of a match. Stopped early it holds those that were finished: fewer than were asked for."""

    agents: tuple[str, str]  # the players' names: 0 moves first in the first game
    results: tuple[GameResult, ...]
    first_game: tuple[Move, ...]  # its moves
    transcript: tuple[str, ...]  # the same as people type them
    seconds: float

    @property
    def games(self) -> int:
        """How many games were played to their end."""
        return len(self.results)

    @property
    def first_wins(self) -> int:
        """Games won by whoever moved first."""
        return sum(result.winning_seat == 0 for result in self.results)

    @property
    def second_wins(self) -> int:
        return sum(result.winning_seat == 1 for result in self.results)

    @property
    def draws(self) -> int:
        return sum(result.winner is None for result in self.results)

    @property
    def plies(self) -> int:
        """The moves of all games together."""
        return sum(result.plies for result in self.results)

    @property
    def by_agent(self) -> tuple[Score, Score]:
        """What each player has, on whichever seat."""
        wins = [sum(result.winner == player for result in self.results) for player in (0, 1)]
        return (
            Score(self.agents[0], wins[0], wins[1], self.draws),
            Score(self.agents[1], wins[1], wins[0], self.draws),
        )


def play_match(
    game: Game,
    first: Agent,
    second: Agent,
    games: int,
    seed: int = 0,
    alternate: bool = False,
    progress: Progress = SILENT,
) -> MatchResult:
    """Play so many games from the start; with `alternate` the second agent begins every other one.

    Each seat of each game has random numbers of its own, from the seed, the game's number and the seat, so a game
    does not depend on those before it. Where it is cancelled, the games finished by then are the result.
    """
    players = (first, second)
    began = perf_counter()
    results: list[GameResult] = []
    first_game: Sequence[Move] = ()
    beat = _Beat(progress, games)
    try:
        for player in players:
            player.prepare(progress)
        began = perf_counter()  # neither training nor compiling is play
        for number in range(games):
            opener = number % 2 if alternate else 0
            seats = (players[opener], players[1 - opener])
            streams = (Stream(seed, 2 * number), Stream(seed, 2 * number + 1))
            moves, winner = _play(game, seats, streams, beat)
            results.append(GameResult(opener, None if winner is None else winner ^ opener, len(moves)))
            first_game = first_game or moves
            beat.finished(number + 1)
    except Cancelled:
        pass
    return MatchResult(
        (first.name, second.name),
        tuple(results),
        tuple(first_game),
        _transcript(game, first_game),
        perf_counter() - began,
    )


class _Beat(Progress):
    """Tells how many games are finished, some twenty times a second, also while an agent is thinking."""

    def __init__(self, progress: Progress, games: int) -> None:
        self._progress = progress
        self._games = games
        self._done = 0
        self._told = 0.0

    def finished(self, done: int) -> None:
        self._done = done
        self._tell(last=done == self._games)

    def report(self, done: float, total: float, what: str = "") -> None:
        """An agent is thinking: how far it is does not show, but it can be stopped."""
        self._tell()

    def _tell(self, last: bool = False) -> None:
        now = perf_counter()
        if last or now - self._told >= BEAT:
            self._told = now
            self._progress.report(self._done, self._games, "games")


def _play(
    game: Game, seats: tuple[Agent, Agent], streams: tuple[Stream, Stream], beat: _Beat
) -> tuple[list[Move], int | None]:
    """One game: its moves, and the winning seat."""
    state = game.new()
    moves: list[Move] = []
    outcome = base.GOING_ON
    while outcome == base.GOING_ON:
        turn = len(moves) % 2
        move = seats[turn].decide(state, streams[turn], beat).move
        if not 0 <= move < game.size or not base.legal(state, move):
            raise ValueError(f"{seats[turn].name} played {move}, which is not legal in {game.name}")
        base.play(state, move)
        moves.append(int(move))
        outcome = int(base.outcome(state))
        beat.report(0, 0)
    last = (len(moves) - 1) % 2
    return moves, {base.WON: last, base.LOST: 1 - last}.get(outcome)


def _transcript(game: Game, moves: Sequence[Move]) -> tuple[str, ...]:
    state = game.new()
    names = []
    for move in moves:
        names.append(game.move_name(move, state))
        base.play(state, move)
    return tuple(names)
