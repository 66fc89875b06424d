"""How the games of a pairing are played, and on which terms: seats, openings, random numbers.

Games between two agents with a policy for every position are played whole by the engine, a million a second. Any other
games are played move by move: an agent that fails loses its game, and play continues. The games are the same.

A `Player` is an agent during games that no user watches: the same moves, as quickly as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from operator import index
from time import perf_counter
from typing import Any

import numpy as np

from nimtui.agents import Agent, belief
from nimtui.agents.agent import (
    AgentFault,
    Clock,
    Deterministic,
    Judged,
    Limited,
    LimitedMemoryless,
    Memoryless,
    OverTime,
    StopsItself,
    Terse,
    raised_text,
    short_text,
)
from nimtui.agents.belief import Belief, belief_of
from nimtui.arena.play.batch import DRAWN, LOST, MOVES, WON, Batch, Played
from nimtui.arena.play.judge import Judge
from nimtui.arena.play.limits import UNLIMITED, Limit, Limits
from nimtui.arena.play.plan import FROM_THE_START, Openings
from nimtui.engine.lessons import casual_edge
from nimtui.engine.limits import MOST_PLIES, endless
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream, ground
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Cancelled, Progress, TimeUp
from nimtui.sandbox.command import FaultKind
from nimtui.store.rows import Fault
from nimtui.theory.truth import Truth

REMEMBERED = 100_000  # positions of a deterministic agent
NOT_ITS_FAULT = (Cancelled, KeyboardInterrupt, MemoryError)


class Player:
    """An agent that is asked only for its moves, or also for its `thoughts`."""

    def __init__(self, agent: Agent, thoughts: bool = False) -> None:
        self.agent, self._thoughts = agent, thoughts
        self.belief: Belief | None = None  # of the latest move, if the agent is asked for its thoughts
        self.limited = isinstance(agent, Limited)  # its process is ended if it takes too long
        self.program = agent if isinstance(agent, Judged) else None  # it measures its own time

    def patience(self, limit: Limit | None) -> float | None:
        """Return the seconds after which it is told that its time is up; None without a limit."""
        if limit is None or self.program is not None:
            return None
        return limit.share if isinstance(self.agent, StopsItself) else limit.seconds

    def hear(self, limit: Limit | None, limits: Limits, spent: float, opponent: float) -> None:
        """Set an agent's clock for its next move, after both players spent so many seconds of the game's time."""
        if isinstance(self.agent, Limited) and limit is not None:
            share = limit.share if limits.move or limits.game else 0.0
            clock = Clock(limit.seconds, share, increment=limits.increment, nodes=limits.nodes)
            if limits.game:
                clock = clock._replace(left=limits.game - spent, opponent=limits.game - opponent)
            self.agent.clock = clock

    def taken(self, measured: float) -> float:
        """Return the seconds of the latest move, of which so many were measured from outside."""
        return measured if self.program is None else self.program.taken

    def get_ready(self, progress: Progress) -> None:
        """Restart its process if the last one ended. InputError if that fails."""
        if self.program is not None:
            self.program.prepare(progress)
        elif self.limited and not self.agent.ready:
            prepare(self.agent, progress)

    def choose(self, state: State, stream: Stream, progress: Progress, limit: Limit | None = None) -> object:
        """Return its answer, legal or not. May raise anything, and change the state."""
        if not self._thoughts and isinstance(self.agent, Terse):
            return self.agent.choose(state, stream, progress)
        self.belief = None
        decision = self.agent.decide(state, stream, progress)
        if self._thoughts:
            self.belief = belief_of(decision)
        return decision.move


class CachingPlayer(Player):
    """Asks a deterministic agent once per position."""

    def __init__(self, agent: Agent, thoughts: bool) -> None:
        super().__init__(agent, thoughts)
        self._known: dict[bytes, tuple[object, Belief | None]] = {}

    def choose(self, state: State, stream: Stream, progress: Progress, limit: Limit | None = None) -> object:
        place = state.board.tobytes()
        if place in self._known:
            move, self.belief = self._known[place]
            return move
        began = perf_counter()
        move = super().choose(state, stream, progress, limit)
        patience = self.patience(limit)
        stopped = patience is not None and perf_counter() - began >= patience  # the clock chose: not cached
        if len(self._known) < REMEMBERED and not stopped:
            self._known[place] = move, self.belief
        return move


class PolicyPlayer(Player):
    """Looks moves up in a policy, without asking the agent."""

    def __init__(self, agent: Agent, policy: Policy, truth: Truth) -> None:
        super().__init__(agent)
        self._policy, self._graph = policy, truth.graph

    def choose(self, state: State, stream: Stream, progress: Progress, limit: Limit | None = None) -> object:
        graph, policy = self._graph, self._policy
        node = graph.node_of[base.index(state)]
        if policy.casual[node]:
            return graph.move[casual_edge(graph, int(node), stream)]
        first, last = policy.ptr[node : node + 2].tolist()
        return graph.move[policy.edges[first + stream.below(last - first)]]


def player(agent: Agent, policy: Policy | None = None, truth: Truth | None = None, thoughts: bool = False) -> Player:
    """Return the quickest way to ask this agent, which plays a game from its start; `thoughts`: for its beliefs, too.

    The moves are the same in every way.
    """
    if policy is not None and truth is not None and not thoughts:
        return PolicyPlayer(agent, policy, truth)
    return (CachingPlayer if isinstance(agent, Deterministic) else Player)(agent, thoughts)


def prepare(agent: Agent, progress: Progress) -> None:
    """Prepare the agent for play. InputError if it fails in any way; a program that does not start loses its games."""
    try:
        agent.prepare(progress)
    except AgentFault:
        if not isinstance(agent, Judged):
            raise
    except (*NOT_ITS_FAULT, InputError, OSError):
        raise
    except BaseException as fault:  # a user's own agent may do anything, even `sys.exit()`
        raise InputError(f"{raised_text(agent, fault)}, before it played") from fault


BEAT = 0.05  # least seconds between two reports
MOST_CODES = int(np.iinfo(MOVES).max) + 1
MOST_OPENINGS = 1 << 17  # cached openings
CHUNK_SECONDS, FIRST_CHUNK = 0.03, 100  # games between two reports
FIRST_MOVES, MOST_MOVES = 200_000, 4_000_000  # moves per chunk, at first and at most: 8 MB
TOGETHER = 20  # games that are passed on together

Keep = Callable[[Batch], None]  # receives games as soon as they are finished
Watch = Callable[[int, list[Move]], None]  # receives a game's number and its moves so far


@dataclass(frozen=True)
class Terms:
    """The terms of one pairing; each game depends only on these and its own number.

    With alternating seats the second player starts every other game, and games 2k and 2k + 1 have the same opening.
    """

    game: Game
    seed: int = 0
    pairing: int = 0
    alternate: bool = True
    openings: Openings = FROM_THE_START
    limits: Limits = UNLIMITED

    def __post_init__(self) -> None:
        """Raise InputError for a game that cannot be played or stored."""
        if self.game.size > MOST_CODES:
            raise InputError(
                f"{self.game.name} has {self.game.size:,} moves: games with more than {MOST_CODES:,} cannot be stored"
            )
        if base.outcome(self.game.start) != base.GOING_ON:
            raise InputError(f"{self.game.name} is over at its start: there is nothing to play")

    def opener(self, number: int) -> int:
        """Return the first player of this game, after the opening."""
        return number % 2 if self.alternate else 0

    def opening_number(self, number: int) -> int:
        """Return the number of this game's opening."""
        return number // 2 if self.alternate else number

    def opening(self, number: int) -> tuple[Move, ...]:
        """Return the moves of this game's opening."""
        return _opening(self.openings, self.game, self.seed, self.opening_number(number))

    def streams(self, number: int) -> tuple[Stream, Stream]:
        """Return the random numbers of this game's first and second player."""
        first = 2 * (self.pairing << 32 | number)
        return Stream(self.seed, first), Stream(self.seed, first + 1)


@lru_cache(MOST_OPENINGS)
def _opening(openings: Openings, game: Game, seed: int, number: int) -> tuple[Move, ...]:
    """Return an opening; all pairings share the openings."""
    return openings.opening(game, seed, number)


# Whole games.


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
    try:
        return player.policy(truth, progress) if isinstance(player, LimitedMemoryless) else player.policy(truth)
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
        from nimtui.engine.self_play import GamesToPlay, buffers, play_games

        terms, truth = self.terms, self.known
        began = perf_counter()
        openings = self._openings(number, games)
        row = terms.opening_number(number) if openings.shape[1] else 0
        begin = GamesToPlay(np.uint64(ground(terms.seed)), terms.pairing, number, terms.alternate, openings, row)
        played = buffers(games, truth.graph.longest)
        play_games(truth.graph, truth.signs, truth.keeps, *self.policies, begin, games, played)
        plies, moves = np.full(games, openings.shape[1], np.int16), played.moves[: played.ptr[-1]].copy()
        begun = np.arange(number, number + games), played.opener, plies, played.ptr, moves
        judged = played.result, played.own, played.chances, played.mistakes
        return Batch(*begun, *judged, np.full(games, (perf_counter() - began) / games))

    def _openings(self, number: int, games: int) -> np.ndarray[tuple[int, int], np.dtype[np.int16]]:
        """Return the openings of these games, in order, each once."""
        step = 2 if self.terms.alternate else 1
        numbers = range(number - number % step, number + games, step)
        plies = len(self.terms.opening(number))
        if plies == 0:
            return np.empty((0, 0), np.int16)
        return np.array([self.terms.opening(number) for number in numbers], np.int16)


# Games move by move.


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
                game = self._game(number, beat, watch, number == last - 1)
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

    def _game(self, number: int, beat: _Heartbeat, watch: Watch | None, last: bool) -> Played:
        terms, opener, opening = self.terms, self.terms.opener(number), self.terms.opening(number)
        streams, own, fault = terms.streams(number), [0, 0], ""
        lost: AgentFault | None = None
        for each in self.players:
            if each.program is not None:
                each.program.new_game()
        spent = [0.0, 0.0]  # seconds of thinking, if limited
        began, beat.preparing = perf_counter(), 0.0
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
                self.players[player].hear(limit, terms.limits, spent[player], spent[1 - player])
                move = self._move(self.players[player], state, streams[seat], beat, limit)
                spent[player] += self.players[player].taken(beat.taken) - terms.limits.increment
            except AgentFault as error:
                lost = error
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
        lost, player, back = self._finish(player, lost, last)
        if lost is not None:
            outcome = base.LOST
            if lost.earlier:  # the game ends before its latest move
                del moves[-back:], believed[-back:]
                own[player] -= 1
                own[1 - player] -= back - 1
                state = terms.game.new()
                for move in moves:
                    base.play(state, move)
            position = terms.game.position_name(state)
            fault = Fault(str(lost), lost.kind, position, lost.told, lost.answer, lost.errors).packed()
        result = {base.WON: WON, base.LOST: LOST}.get(outcome, DRAWN) * (-1 if player else 1)
        codes, seconds = np.array(moves, MOVES).tobytes(), max(0.0, perf_counter() - began - beat.preparing)
        counts, none = (own[0], own[1]), (0, 0)
        return Played(
            number, opener, len(opening), codes, result, counts, none, none, fault, seconds, belief.packed(believed)
        )

    def _finish(self, player: int, lost: AgentFault | None, last: bool) -> tuple[AgentFault | None, int, int]:
        """Return the fault that ends a game, if any, whose it is, and how many moves an `earlier` one takes back.

        `player` was asked last; `lost` is its fault. Before that counts the second answer of a program that answered
        before, and shows only now.
        """
        answered = ((player, 1), (1 - player, 2)) if lost is None else ((1 - player, 1),) * (not lost.earlier)
        for each, back in answered:
            if (program := self.players[each].program) is not None:
                try:
                    program.finish(last)
                except AgentFault as fault:
                    return fault, each, back
        return lost, player, 2

    def _move(self, player: Player, state: State, stream: Stream, beat: _Heartbeat, limit: Limit | None) -> Move:
        """Return the legal move that a player makes. Raises AgentFault if it makes none, or none in time."""
        started = perf_counter()
        try:
            player.get_ready(beat)
            beat.preparing += perf_counter() - started
        except AgentFault:
            raise
        except InputError as fault:
            raise AgentFault(str(fault), FaultKind.NO_START) from fault
        beat.begin(player.patience(limit))
        try:
            answer: Any = player.choose(base.copy(state), stream, beat, limit)
        except (OverTime, TimeUp) as late:
            raise AgentFault(_late(player, limit), FaultKind.SLOW) from late
        except (*NOT_ITS_FAULT, AgentFault):
            raise
        except BaseException as fault:  # an agent may fail in any way, even by `sys.exit()`: it loses
            raise AgentFault(raised_text(player.agent, fault)) from fault
        finally:
            beat.end()
        if limit is not None and player.taken(beat.taken) > limit.seconds:
            raise AgentFault(_late(player, limit), FaultKind.SLOW)
        try:
            move = index(answer)
        except Exception:  # noqa: BLE001 - whatever its `__index__` raises
            text = f"{player.agent.name} played {short_text(answer)}, which is not a move"
            raise AgentFault(text, FaultKind.UNREADABLE) from None
        if not 0 <= move < self.terms.game.size or not base.legal(state, move):
            raise AgentFault(f"{player.agent.name} played {short_text(move)}, which is not legal", FaultKind.ILLEGAL)
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
        self._reported = 0.0
        self._began = 0.0  # the start of the agent's clock, moved later by every stop
        self._seconds: float | None = None
        self.taken = 0.0  # seconds of the last move
        self.preparing = 0.0  # seconds of this game in which processes started: none of the game's

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
        if last or now - self._reported >= BEAT:
            self._reported = now
            self._progress.report(self._done, self._games, "games")
            self._began += perf_counter() - now
