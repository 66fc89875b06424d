"""A match: two agents play a number of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nimtui.agents import Agent
from nimtui.agents.agent import Judged
from nimtui.arena.play import pairings
from nimtui.arena.play.batch import LOST, WON, Batch
from nimtui.arena.play.judge import Judge, has_formula, known_truth
from nimtui.arena.play.limits import UNLIMITED, Limits
from nimtui.arena.play.pairings import CompiledPairing, Keep, SteppedPairing, Terms
from nimtui.arena.play.plan import FROM_THE_START, LOSES_GAME, LOSES_MATCH, START, VOID, Openings
from nimtui.arena.play.steps import MeanPayoff, Payoffs
from nimtui.arena.rating.meetings import NO_PAIRS, Meeting, pair_counts
from nimtui.arena.rating.ratings import HeadToHead, head_to_head
from nimtui.games import Game
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.store.rows import Fault, unpacked

NULL = -3  # the result of a game that does not count
MANY = 500  # games from which all positions are worth computing, if agents can have policies
MOST_WITH_MOVES = 1_000_000  # games stored with their moves; beyond these only sums are stored


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one player."""

    agent: str
    wins: int
    losses: int
    draws: int


class Sums:
    """The sums over many games."""

    def __init__(self, rule: str = LOSES_GAME) -> None:
        self._rule = rule
        self.games = 0  # played, whether they count or not
        self.forfeited = False
        self.results: npt.NDArray[np.int64] = np.zeros((2, 3), np.int64)  # [opener, player 0 lost, drew, won]
        self.pentanomial = np.array(NO_PAIRS)  # games 2k and 2k + 1, by the first player's points: 0, ½, 1, 1½, 2
        self.plies = 0  # openings included
        self.faults: list[tuple[int, int, Fault]] = []  # number of the game, who lost it: 0 or 1, the fault
        self._waiting: int | None = None  # the result of a game without its partner

    def add(self, games: Batch) -> None:
        """Add the games that follow."""
        self.games += len(games)
        counts = np.ones(len(games), bool)
        if self._rule == VOID:
            counts[list(games.faults)] = False
        if len(games):
            results = np.where(counts, games.result, NULL).astype(np.int8)
            row = results if self._waiting is None else np.r_[np.int8(self._waiting), results]
            self.pentanomial += np.array(pair_counts(row))
            self._waiting = int(row[-1]) if len(row) % 2 else None
        kinds = (3 * games.opener + games.result - LOST)[counts]
        self.results += np.bincount(kinds, minlength=6).reshape(2, 3)
        self.plies += len(games.moves)
        for place, line in sorted(games.faults.items()):
            loser = 0 if games.result[place] == LOST else 1
            self.faults.append((int(games.number[place]), loser, unpacked(line)))

    def forfeit(self, loser: int, openers: Sequence[int]) -> None:
        """Give all games of the match, with these openers, to the player who committed no fault."""
        result, self.forfeited = LOST if loser == 0 else WON, True
        self.results[:] = 0
        self.results[:, result - LOST] = np.bincount(openers, minlength=2)
        self.pentanomial = np.array(pair_counts(np.full(len(openers), result, np.int8)))


@dataclass(frozen=True, eq=False)
class MatchResult:
    """All games of a match; after an early stop, the games finished by then."""

    game: Game
    agents: tuple[str, str]  # the players' names: 0 moves first in the first game
    batch: Batch  # at least the first MOST_WITH_MOVES games; mistakes are counted if asked for, or if no work
    sums: Sums  # of all games
    seconds: float
    alternate: bool = False  # the second player starts every other game
    openings: Openings = FROM_THE_START
    payoff: MeanPayoff | None = None  # of player 0; None in a game without payoffs

    @cached_property
    def transcript(self) -> tuple[str, ...]:
        """Return the moves of the first game as people type them, including its opening."""
        moves = self.batch.game(0).codes() if len(self.batch) else ()
        return tuple(self.game.line_names(moves, self.game.start))

    @property
    def games(self) -> int:
        """Return how many games were finished."""
        return int(self.sums.results.sum())

    @property
    def first_wins(self) -> int:
        """Return how many games the first player won, counted after the opening."""
        return self._won(0, 0) + self._won(1, 1)

    @property
    def second_wins(self) -> int:
        return self._won(0, 1) + self._won(1, 0)

    @property
    def draws(self) -> int:
        return self.games - self.first_wins - self.second_wins

    @property
    def plies(self) -> int:
        """Return the moves of all games together, including openings."""
        return self.sums.plies

    @property
    def by_agent(self) -> tuple[Score, Score]:
        """Return the points of each player, over both seats."""
        first, second = (self._won(0, player) + self._won(1, player) for player in (0, 1))
        return Score(self.agents[0], first, second, self.draws), Score(self.agents[1], second, first, self.draws)

    @cached_property
    def head_to_head(self) -> HeadToHead:
        """Return the first player against the second.

        With alternating seats its Elo excludes what moving first is worth; otherwise the two cannot be told apart.
        """
        losses, draws, wins = ((row[0], row[1]) for row in self.sums.results.T.tolist())
        pairs = tuple(self.sums.pentanomial.tolist())
        shared = None if self.openings.kind == START else 0
        return head_to_head([Meeting(0, 1, wins, draws, losses, pairs, shared, None, self.alternate)])

    @property
    def faults(self) -> tuple[str, ...]:
        """Return the faults that lost games: a line each, in the order of the games."""
        return tuple(fault.text for _, _, fault in self.sums.faults)

    def _won(self, opener: int, player: int) -> int:
        """Return how many games that one player started were won by `player`."""
        return int(self.sums.results[opener, (WON, LOST)[player] - LOST])


def play_match(
    game: Game,
    first: Agent,
    second: Agent,
    games: int,
    seed: int = 0,
    alternate: bool = False,
    progress: Progress = SILENT,
    openings: Openings = FROM_THE_START,
    judging: bool = False,
    keep: Keep | None = None,
    limits: Limits = UNLIMITED,
    thoughts: bool = False,
    fault: str = LOSES_GAME,
) -> MatchResult:
    """Play `games` games; with `alternate` the second agent starts every other one.

    They are the games of the first pairing of a tournament with this seed. After a cancel, the result has the games
    finished by then. `keep` receives games as soon as they are finished. An agent that exceeds the `limits` loses the
    game. `thoughts` records what the agents believed of their moves: the same games, played more slowly. `fault` is one
    of FAULT_RULES. InputError for a game that is over at its start, or has no such openings.
    """
    terms = Terms(game, seed, 0, alternate, openings, limits)
    sums, held = Sums(fault), list[Batch]()
    payoffs, paid = Payoffs(game) if game.pays else None, MeanPayoff()

    def finished(games: Batch) -> None:
        if fault == LOSES_MATCH and games.faults:
            games = Batch.of(games.rows(range(min(games.faults) + 1)))
        if int(sums.results.sum()) < MOST_WITH_MOVES:
            held.append(games)
        sums.add(games)
        if payoffs is not None:
            nonlocal paid
            sizes = payoffs.of(games)
            paid += MeanPayoff.of(np.delete(sizes, list(games.faults)) if fault == VOID else sizes)
        if keep is not None:
            keep(games)
        if fault == LOSES_MATCH and games.faults:
            sums.forfeit(sums.faults[0][1], [terms.opener(number) for number in range(planned)])
            raise Cancelled("match")

    planned, began = games, perf_counter()
    try:
        playing = _playing_of(terms, (first, second), games, judging, progress, thoughts)
        began = perf_counter()  # training and compiling do not count
        playing.play(0, games, finished, progress)
    except Cancelled:
        pass
    except KeyboardInterrupt:  # an agent that did not report was interrupted within a game
        if not sums.games:
            raise
    finally:
        for agent in (first, second):
            if isinstance(agent, Judged):
                agent.end()
    seconds = perf_counter() - began
    mean = None if payoffs is None else paid
    return MatchResult(game, (first.name, second.name), Batch.joined(held), sums, seconds, alternate, openings, mean)


def _playing_of(
    terms: Terms, players: tuple[Agent, Agent], games: int, judging: bool, progress: Progress, thoughts: bool
) -> CompiledPairing | SteppedPairing:
    for agent in players:
        pairings.prepare(agent, progress)
    truth = None
    if (games >= MANY and pairings.memoryless(players)) or (judging and not has_formula(terms.game)):
        truth = known_truth(terms.game, progress)
    policies = None if truth is None or thoughts else pairings.policies_of(players, truth, progress)
    if truth is not None and policies is not None:
        playing = CompiledPairing(terms, truth, policies)
        playing.play(0, 1, lambda games: None)  # compiles or loads the kernels before the clock starts
        return playing
    first, second = (pairings.player(agent, thoughts=thoughts) for agent in players)
    return SteppedPairing(terms, (first, second), Judge(terms.game, truth) if judging else None)
