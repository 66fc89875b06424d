"""Games move by move between any two agents: an agent that fails loses its game, and play continues."""

from __future__ import annotations

from math import inf
from operator import index
from time import perf_counter
from typing import Any

import numpy as np

from nimtui.agents.belief import Belief
from nimtui.agents.faults import AgentFault, OverTime, raised_text, short_text
from nimtui.arena import beliefs
from nimtui.arena.batch import DRAWN, LOST, MOVES, WON, Batch, Played
from nimtui.arena.judge import Judge
from nimtui.arena.limits import Limit
from nimtui.arena.players import NOT_ITS_FAULT, Player
from nimtui.arena.terms import BEAT, Keep, Terms, Watch
from nimtui.engine.plies import MOST_PLIES, endless
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress, TimeUp

TOGETHER = 20  # games that are passed on together


class Fault(Exception):
    """The fault by which an agent lost a game: one line."""


class SteppedPairing:
    """Two players and their games, judged if there is a judge."""

    def __init__(self, terms: Terms, players: tuple[Player, Player], judge: Judge | None = None) -> None:
        self.terms, self.players, self.judge = terms, players, judge

    def play(self, first: int, last: int, keep: Keep, progress: Progress = SILENT, watch: Watch | None = None) -> None:
        """Play the games first … last − 1 and pass them to `keep` in batches; after a cancel, all finished ones."""
        beat = _Heartbeat(progress, last - first)
        games: list[Played] = []
        try:
            for number in range(first, last):
                game = self._game(number, beat, watch)
                games.append(game if self.judge is None else self.judge.one(game, beat))
                if len(games) == TOGETHER:
                    self._hand_on(games, keep)
                beat.finished(number + 1 - first)
        finally:
            self._hand_on(games, keep)

    def _hand_on(self, games: list[Played], keep: Keep) -> None:
        if games:
            batch = Batch.of(games)
            keep(batch if self.judge is None else self.judge.batch(batch))
            games.clear()

    def _game(self, number: int, beat: _Heartbeat, watch: Watch | None) -> Played:
        terms, opener, opening = self.terms, self.terms.opener(number), self.terms.opening(number)
        streams, own, fault = terms.streams(number), [0, 0], ""
        spent = [0.0, 0.0]  # seconds of thinking, if limited
        began = perf_counter()
        state, moves = terms.game.new(), list(opening)
        believed: list[Belief | None] = [None] * len(moves)
        for move in opening:
            base.play(state, move)
        if watch is not None:  # the first move may take long
            watch(number, moves)
        seat, outcome = 1, base.GOING_ON
        while outcome == base.GOING_ON:
            seat = 1 - seat
            player = seat ^ opener
            try:
                limit = terms.limits.now(spent[player], self.players[player].limited)
                move = self._move(self.players[player], state, streams[seat], beat, limit)
                spent[player] += beat.taken
            except Fault as said:
                fault, outcome = str(said), base.LOST
                break
            base.play(state, move)
            moves.append(move)
            believed.append(self.players[player].belief)
            own[player] += 1
            outcome = int(base.outcome(state))
            if watch is not None and perf_counter() - began >= BEAT:
                watch(number, moves)
            if len(moves) >= MOST_PLIES and outcome == base.GOING_ON:
                raise endless(terms.game.name)
            beat.report(0, 0)
        result = {base.WON: WON, base.LOST: LOST}.get(outcome, DRAWN) * (-1 if player else 1)
        codes, seconds = np.array(moves, MOVES).tobytes(), perf_counter() - began
        counts, none = (own[0], own[1]), (0, 0)
        return Played(
            number, opener, len(opening), codes, result, counts, none, none, fault, seconds, beliefs.packed(believed)
        )

    def _move(self, player: Player, state: State, stream: Stream, beat: _Heartbeat, limit: Limit | None) -> Move:
        """Return the legal move that a player makes. Fault if it makes none, or none in time."""
        try:
            player.get_ready(beat)
        except InputError as fault:
            raise Fault(str(fault)) from fault
        beat.begin(player.patience(limit))
        try:
            answer: Any = player.choose(base.copy(state), stream, beat, limit)
        except (OverTime, TimeUp) as late:
            raise Fault(_late(player, limit)) from late
        except NOT_ITS_FAULT:
            raise
        except AgentFault as fault:
            raise Fault(str(fault)) from fault
        except BaseException as fault:  # an agent may fail in any way, even by `sys.exit()`: it loses
            raise Fault(raised_text(player.agent, fault)) from fault
        finally:
            beat.end()
        if limit is not None and beat.taken > limit.seconds:
            raise Fault(_late(player, limit))
        try:
            move = index(answer)
        except Exception:  # noqa: BLE001 - whatever its `__index__` raises
            raise Fault(f"{player.agent.name} played {short_text(answer)}, which is not a move") from None
        if not 0 <= move < self.terms.game.size or not base.legal(state, move):
            raise Fault(f"{player.agent.name} played {short_text(move)}, which is not legal")
        return move


def _late(player: Player, limit: Limit | None) -> str:
    return f"{player.agent.name} took longer than {'it may' if limit is None else limit.words}"


class _Heartbeat(Progress):
    """Reports how many games are finished, some twenty times a second, also while an agent is thinking.

    Also holds the agent's clock, which stops during a report: that may be a pause.
    """

    def __init__(self, progress: Progress, games: int) -> None:
        self._progress = progress
        self._games = games
        self._done = 0
        self._told = 0.0
        self._began = 0.0  # the start of the agent's clock, moved later by every stop
        self._seconds: float | None = None
        self.taken = 0.0  # seconds of the last move

    def begin(self, seconds: float | None) -> None:
        """Start the clock of an agent, which is told after so many seconds that its time is up."""
        self._seconds, self._began = seconds, perf_counter()

    def end(self) -> None:
        """Stop the clock: the agent has moved, or failed."""
        self._seconds, self.taken = None, perf_counter() - self._began

    def finished(self, done: int) -> None:
        self._done = done
        self._tell(last=done == self._games)

    def report(self, done: float, total: float, what: str = "") -> None:
        """Let the run be stopped while an agent is thinking; its own progress is not shown."""
        if self._seconds is not None and perf_counter() - self._began > self._seconds:
            raise TimeUp
        self._tell()

    def seconds_left(self) -> float:
        return inf if self._seconds is None else self._seconds - (perf_counter() - self._began)

    def _tell(self, last: bool = False) -> None:
        now = perf_counter()
        if last or now - self._told >= BEAT:
            self._told = now
            self._progress.report(self._done, self._games, "games")
            self._began += perf_counter() - now
