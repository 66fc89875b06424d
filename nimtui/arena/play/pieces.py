"""Play pieces of a tournament in any process: the same games for any number of workers in any order.

How long a tournament takes is estimated from a few random games and from the agents' work per move.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from nimtui.agents import parse_agent
from nimtui.agents.agent import Memoryless
from nimtui.agents.mc import FlatMonteCarlo
from nimtui.agents.mcts import MonteCarloTreeSearch
from nimtui.agents.searching import own_time
from nimtui.arena.play.batch import Batch
from nimtui.arena.play.judge import Judge, has_graph, known_truth, most_judged
from nimtui.arena.play.pairings import CompiledPairing, Player, SteppedPairing, Terms, memoryless, player, policy_of
from nimtui.arena.play.pairings import prepare as prepare_agent
from nimtui.arena.play.plan import Plan
from nimtui.check.quarantine import add_own_files
from nimtui.engine.limits import MOST_PLIES
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.games.base import Move
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth

MOST_BOARDS = 4  # games whose agents and exact values a process caches


class Piece(NamedTuple):
    """The games first … last − 1 of one pairing: all that a worker needs to know."""

    plan: Plan
    pairing: int
    first: int
    last: int


class Board:
    """A game in this process: its exact values, and the prepared agents that play it."""

    def __init__(self, game: Game, progress: Progress = SILENT) -> None:
        self.game = game
        self.known: Truth | None = known_truth(game, progress)
        self.judge = Judge(game, self.known)
        self.entrants: dict[tuple[str, bool], tuple[Player, Policy | None]] = {}

    def entrant(self, name: str, progress: Progress = SILENT, thoughts: bool = False) -> tuple[Player, Policy | None]:
        """Return the agent of this name, ready to play, and its policy for every position if it has one.

        With `thoughts` it tells what it believes of its moves, and has no policy.
        """
        if (name, thoughts) not in self.entrants:
            agent = parse_agent(name, self.game)
            prepare_agent(agent, progress)
            policy = None if self.known is None or thoughts else policy_of(agent, self.known, progress)
            self.entrants[name, thoughts] = player(agent, policy, self.known, thoughts), policy
        return self.entrants[name, thoughts]


_boards: OrderedDict[str, Board] = OrderedDict()  # recently used games, the latest at the end
_keeping = Lock()


def board(name: str, progress: Progress = SILENT, most: int = MOST_BOARDS) -> Board:
    """Return the game of this name in this process, which caches `most` of them."""
    game = _boards.get(name) or Board(parse_game(name), progress)
    with _keeping:
        _boards[name] = game
        _boards.move_to_end(name)
        while len(_boards) > most:
            _boards.popitem(last=False)
    return game


def end_programs() -> None:
    """End the programs that played in this process. The next question starts one again."""
    for one in list(_boards.values()):
        for each, _ in one.entrants.values():
            if each.program is not None:
                each.program.end()


def play(
    piece: Piece, progress: Progress = SILENT, watch: Callable[[int, int, list[Move]], None] | None = None
) -> Batch:
    """Play a piece. If cancelled, nothing of it remains.

    `watch(pairing, number, moves so far)` is called at the start of a game, and after each move of a slow one. It is
    called often, so it must be quick.
    """
    add_own_files()
    playing = _playing_of(piece.plan, piece.pairing, progress)
    watch_game = None if watch is None else lambda game, moves: watch(piece.pairing, game, moves)
    batches: list[Batch] = []
    playing.play(piece.first, piece.last, batches.append, progress, watch_game)
    return Batch.joined(batches)


def prepare(plan: Plan, progress: Progress = SILENT) -> None:
    """Prepare everything slow once, before pieces are dealt out.

    Trained tables are saved in files and compiled kernels in a cache, where other processes find them.
    """
    add_own_files()
    for pairing in range(len(plan.pairings)):
        playing = _playing_of(plan, pairing, progress)
        if isinstance(playing, CompiledPairing):
            playing.play(0, 1, lambda games: None)
        elif playing.judge is not None:
            playing.judge.get_ready()


def compiled(plan: Plan, pairing: int) -> bool:
    """Return whether the engine will play the games of this pairing whole; known before anything is prepared."""
    if plan.thoughts:
        return False
    add_own_files()
    game = parse_game(plan.games[plan.pairings[pairing].game])
    names = (plan.agents[entrant] for entrant in plan.pairings[pairing][1:])
    first, second = (parse_agent(name, game) for name in names)
    return has_graph(game) and memoryless((first, second))


def _playing_of(plan: Plan, number: int, progress: Progress) -> CompiledPairing | SteppedPairing:
    """Return how the games of a pairing are played."""
    pairing = plan.pairings[number]
    here = board(plan.games[pairing.game], progress, max(MOST_BOARDS, len(plan.games)))  # pieces take turns
    terms = Terms(here.game, plan.seed, plan.stream(number), plan.alternate, plan.openings, plan.limits)
    entrants = (here.entrant(plan.agents[place], progress, plan.thoughts) for place in pairing[1:])
    (first, firsts), (second, seconds) = entrants
    if here.known is not None and firsts is not None and seconds is not None:
        return CompiledPairing(terms, here.known, (firsts, seconds))
    return SteppedPairing(terms, (first, second), here.judge)


SAMPLES = 10  # random games
# Seconds, measured on one core of a small server; another machine may be twice or half as fast.
PLY = 40e-9  # per ply of a playout
SIMULATION = 500e-9  # per simulation of a tree search, without its playout
ASKED = 60e-6  # per move of an agent that is asked move by move
WHOLE = 2e-6  # per game that the engine plays as a whole
JUDGED = 0.15  # per game of a large connect board that is judged


class Shape(NamedTuple):
    """The shape of a game under random play."""

    plies: float
    moves: float  # per position


@lru_cache(64)
def shape(game: str) -> Shape:
    """Return the mean shape of a few random games."""
    stream, plies, moves = Stream(0), 0, 0
    for _ in range(SAMPLES):
        state = parse_game(game).new()
        for _ in range(MOST_PLIES):
            if base.outcome(state) != base.GOING_ON:
                break
            count = int(base.count(state))
            base.play(state, base.nth(state, stream.below(count)))
            plies, moves = plies + 1, moves + count
    return Shape(plies / SAMPLES, moves / max(1, plies))


@lru_cache(1024)
def of_a_move(agent: str, game: str) -> float | None:
    """Return the seconds an agent takes per move, 0 if it only looks moves up; None if unknown."""
    player, (plies, moves) = parse_agent(agent, parse_game(game)), shape(game)
    if own := own_time(player):
        return own
    if isinstance(player, FlatMonteCarlo):
        return player.playouts * moves * plies / 2 * PLY
    if isinstance(player, MonteCarloTreeSearch):
        return player.settings.simulations * (SIMULATION + plies / 2 * PLY)
    return 0.0 if isinstance(player, Memoryless) and player.memoryless else None


def seconds(plan: Plan, processes: int) -> float | None:
    """Estimate the seconds of a whole tournament on so many cores, all games played; None if unknown for an agent."""
    total = 0.0
    for pairing in plan.pairings:
        game = plan.games[pairing.game]
        first, second = (of_a_move(plan.agents[place], game) for place in (pairing.first, pairing.second))
        if first is None or second is None:
            return None
        plies = shape(game).plies
        slow = plies * (ASKED + (first + second) / 2)
        total += plan.number * (slow if first + second or plan.thoughts else WHOLE)
        total += JUDGED * min(plan.number, most_judged(parse_game(game)) or 0)
    return total / min(processes, max(1, plan.total))
