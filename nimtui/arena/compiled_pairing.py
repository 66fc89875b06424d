"""Games between two agents with a policy for every position: the engine plays them whole, a million a second.

The games are the same as move by move.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from nimtui.agents import Agent
from nimtui.agents.agent import USUAL_SECONDS, LimitedMemoryless, Memoryless
from nimtui.agents.faults import AgentFault
from nimtui.arena.batch import Batch
from nimtui.arena.terms import Keep, Terms, Watch
from nimtui.engine.policy import Policy
from nimtui.engine.rng import ground
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth

CHUNK_SECONDS, FIRST_CHUNK = 0.03, 100  # games between two reports
FIRST_MOVES, MOST_MOVES = 200_000, 4_000_000  # moves per chunk, at first and at most: 8 MB


def memoryless(players: tuple[Agent, Agent]) -> bool:
    """Return whether both agents can have a policy, as far as that is known before they are prepared."""
    return all(isinstance(player, Memoryless) and player.memoryless for player in players)


def policies_of(
    players: tuple[Agent, Agent], truth: Truth, progress: Progress = SILENT
) -> tuple[Policy, Policy] | None:
    """Return the policies of both agents; None if one of them has none."""
    first, second = (policy_of(player, truth, progress) for player in players)
    return None if first is None or second is None else (first, second)


def policy_of(player: Agent, truth: Truth, progress: Progress = SILENT) -> Policy | None:
    """Return a prepared agent's policy for every position; None if it has none or fails.

    A failing agent is then asked for each move, and `nimtui check` says what is wrong.
    """
    if not isinstance(player, Memoryless) or not player.memoryless:
        return None
    if not isinstance(player, LimitedMemoryless):
        return player.policy(truth)
    try:
        return player.policy_within(truth, progress, USUAL_SECONDS)
    except AgentFault:
        return None


class CompiledPairing:
    """Two such agents, and the games they play."""

    def __init__(self, terms: Terms, truth: Truth, policies: tuple[Policy, Policy]) -> None:
        self.terms, self.known, self.policies = terms, truth, policies

    def play(self, first: int, last: int, keep: Keep, progress: Progress = SILENT, watch: Watch | None = None) -> None:
        """Play the games first … last − 1 and pass them to `keep` in chunks, with chances and mistakes."""
        most = max(1, MOST_MOVES // self.known.graph.longest)
        number, wanted = first, min(FIRST_CHUNK, max(1, FIRST_MOVES // self.known.graph.longest))
        while number < last:
            begun = perf_counter()
            games = min(wanted, last - number)
            keep(self._chunk(number, games))
            number += games
            taken = max(perf_counter() - begun, 1e-6)
            wanted = min(most, 1 + int(games * min(4.0, CHUNK_SECONDS / taken)))
            progress.report(number - first, last - first, "games")

    def _chunk(self, number: int, games: int) -> Batch:
        from nimtui.engine.policy_games import GamesToPlay, buffers, play_games

        terms, truth = self.terms, self.known
        began = perf_counter()
        openings = self._openings(number, games)
        row = terms.opening_number(number) if openings.shape[1] else 0
        begin = GamesToPlay(np.uint64(ground(terms.seed)), terms.pairing, number, terms.alternate, openings, row)
        played = buffers(games, truth.graph.longest)
        play_games(truth.graph, truth.values, truth.keeps, *self.policies, begin, games, played)
        return Batch(
            np.arange(number, number + games),
            played.opener,
            np.full(games, openings.shape[1], np.int16),
            played.ptr,
            played.moves[: played.ptr[-1]].copy(),
            played.result,
            played.own,
            played.chances,
            played.mistakes,
            np.full(games, (perf_counter() - began) / games),
        )

    def _openings(self, number: int, games: int) -> np.ndarray[tuple[int, int], np.dtype[np.int16]]:
        """Return the openings of these games, in order, each once."""
        step = 2 if self.terms.alternate else 1
        numbers = range(number - number % step, number + games, step)
        plies = len(self.terms.opening(number))
        if plies == 0:
            return np.empty((0, 0), np.int16)
        return np.array([self.terms.opening(number) for number in numbers], np.int16)
