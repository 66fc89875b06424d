"""How an agent's choice changes with its effort: the move and the value after 1, 2, 5, 10 … units of work.

The steps depend on the seed alone, not on the machine: Monte Carlo tree search is replayed from its record, minimax and
alpha-beta are searched depth by depth, flat Monte Carlo and learners run again with less. A search with a time limit
has as many steps as its time allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nimtui.agents.mc import FlatMonteCarlo
from nimtui.agents.mcts import MonteCarloTreeSearch
from nimtui.agents.searching import Searching
from nimtui.agents.trained import TrainedAgent
from nimtui.arena.comparison import NODES, PLAYOUTS, SIMULATIONS
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress
from nimtui.search.settings import DEFAULT, TO_THE_END, Settings

if TYPE_CHECKING:
    from nimtui.agents.agent import Agent
    from nimtui.learning.table import Table
    from nimtui.search.result import Result

GAMES = "games"
ROUND = (1, 2, 5)  # the steps of each decade


@dataclass(frozen=True, slots=True)
class Step:
    """What the agent would play after this effort."""

    effort: int
    move: Move
    value: float | None = None  # the expected result of the move, −1 to 1; None: the agent has no such number
    score: float | None = None  # alpha-beta's or the learner's number
    depth: int | None = None  # plies; −1: to the end; None for an agent without depth


@dataclass(frozen=True, slots=True)
class Curve:
    """An agent's steps by ascending effort, the last one with its own settings; none if it has no effort to vary."""

    agent: str
    unit: str = ""
    steps: tuple[Step, ...] = ()
    why_none: str = ""

    @property
    def settled_from(self) -> int | None:
        """The effort from which on the agent keeps its last move."""
        return self._from(frozenset({self.steps[-1].move})) if self.steps else None

    def right_from(self, best: frozenset[Move]) -> int | None:
        """Return the effort from which on all moves are among these; None if the last one is not."""
        return self._from(best)

    def _from(self, moves: frozenset[Move]) -> int | None:
        found = None
        for step in reversed(self.steps):
            if step.move not in moves:
                break
            found = step.effort
        return found


def ladder(most: int) -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 … below `most`, then `most`."""
    decade = 1
    while decade < most:
        yield from (step * decade for step in ROUND if step * decade < most)
        decade *= 10
    yield most


def crossings(one: Curve, other: Curve) -> list[int]:
    """Return the efforts at which the curve with the higher value becomes the lower one.

    Only efforts of the same unit compare; between two steps a curve keeps its value.
    """
    if one.unit != other.unit:
        return []
    mine, theirs = ([step for step in curve.steps if step.value is not None] for curve in (one, other))
    found, before = [], 0
    for effort in sorted({step.effort for step in (*mine, *theirs)}):
        here, there = _value_at(mine, effort), _value_at(theirs, effort)
        if here is None or there is None or here == there:
            continue
        sign = 1 if here > there else -1
        if before and sign != before:
            found.append(effort)
        before = sign
    return found


def _value_at(steps: Sequence[Step], effort: int) -> float | None:
    return next((step.value for step in reversed(steps) if step.effort <= effort), None)


def curve_of(agent: Agent, state: State, seed: int, progress: Progress = SILENT) -> Curve:
    """Return the curve of an agent on this position. Raises Cancelled.

    The random numbers are those of `Stream(seed)`, so the last step is the agent's decision with that seed.
    """
    try:
        if isinstance(agent, MonteCarloTreeSearch):
            return Curve(agent.name, SIMULATIONS, _tree_search(agent, state, seed, progress))
        if isinstance(agent, Searching):
            return Curve(agent.name, NODES, _by_depth(agent, state, progress))
        if isinstance(agent, FlatMonteCarlo):
            return Curve(agent.name, PLAYOUTS, _playouts(agent, state, seed, progress))
        if isinstance(agent, TrainedAgent):
            return Curve(agent.name, GAMES, _training(agent, state, seed, progress))
    except InputError as fault:
        return Curve(agent.name, why_none=str(fault))
    return Curve(agent.name, why_none="has no effort to vary")


def _tree_search(agent: MonteCarloTreeSearch, state: State, seed: int, progress: Progress) -> tuple[Step, ...]:
    """Return the best moves of one search after so many of its simulations."""
    from nimtui.search.mcts_nodes import rank
    from nimtui.search.mcts_replay import GrowingTree

    agent.prepare(progress)
    search = agent.search(state, Stream(seed)).run(progress)
    tree = GrowingTree(search)
    steps = []
    for done in ladder(search.done):
        tree.seek(done)
        best = max(
            tree.children(0),
            key=lambda node: (*rank(tree.proven(node), int(tree.visits[node])), tree.mean(node) or 0.0),
        )
        proven = tree.proven(best)
        steps.append(Step(done, tree.move(best), tree.mean(best) if proven is None else float(proven)))
    search.release()
    return tuple(steps)


def _by_depth(agent: Searching, state: State, progress: Progress) -> tuple[Step, ...]:
    """Return the results to depth 1, 2, 3 … with the nodes of each; of a deepening search, with the nodes so far."""
    from nimtui.search import Search

    settings = agent.settings
    if settings.deepens:
        found = Search(agent.game, state, settings, record=False).run(progress).result
        return _iterations(found)
    steps: list[Step] = []
    for shallow in _shallower(settings):
        found = Search(agent.game, state, shallow, record=False).run(progress).result
        if steps and found.nodes <= steps[-1].effort:
            break  # no line is longer
        steps.append(_step(found))
        if found.exact and settings.depth == TO_THE_END:
            break
    own = _step(Search(agent.game, state, settings, record=False).run(progress).result)
    return (*(step for step in steps if step.effort < own.effort), own)


def _shallower(settings: Settings) -> Iterator[Settings]:
    depth = 1
    while settings.depth == TO_THE_END or depth < settings.depth:
        yield replace(settings, depth=depth)
        depth += 1


def _iterations(found: Result) -> tuple[Step, ...]:
    steps, nodes = [], 0
    for place, done in enumerate(found.iterations, 1):
        nodes += done.nodes
        exact = found.exact and place == len(found.iterations)
        steps.append(
            Step(nodes, done.best_move, _sure(found.settings, done.value, exact), float(done.value), done.depth)
        )
    return tuple(steps)


def _step(found: Result) -> Step:
    assert found.best_move is not None and found.value is not None
    value = _sure(found.settings, int(found.value), found.exact)
    return Step(found.nodes, found.best_move, value, found.value, found.settings.depth)


def _sure(settings: Settings, score: int, exact: bool) -> float | None:
    """Return the result under perfect play if the search proved it: the heuristic's numbers are no results."""
    if settings.heuristic != DEFAULT:
        return None
    if abs(score) > DECIDED:
        return 1.0 if score > 0 else -1.0
    return 0.0 if exact and score == 0 else None


def _playouts(agent: FlatMonteCarlo, state: State, seed: int, progress: Progress) -> tuple[Step, ...]:
    """Return the decisions of the same agent with fewer playouts."""
    agent.prepare(progress)
    moves, steps = len(base.legal_moves(state)), []
    for playouts in ladder(agent.playouts):
        decision = replace(agent, playouts=playouts).decide(state, Stream(seed), progress)
        value = next(thought.value for thought in decision.thoughts if thought.move == decision.move)
        steps.append(Step(moves * playouts, decision.move, value))
    return tuple(steps)


def _training(agent: TrainedAgent, state: State, seed: int, progress: Progress) -> tuple[Step, ...]:
    """Return the moves of the same learner after fewer games: 1, 10, 100 …"""
    from nimtui.learning import interpreted
    from nimtui.learning.training import Training

    opponent, game = agent.opponent, agent.game
    marks = [games for games in ladder(opponent.games) if str(games).strip("0") == "1"]
    marks = [*marks, *([] if opponent.games in marks else [opponent.games])]
    if opponent.at_once:
        tables = (interpreted.train(game, opponent.learner, games, opponent.seed, progress) for games in marks)
        return tuple(_scored(games, table, state, seed) for games, table in zip(marks, tables, strict=True))
    training, steps = Training(game, opponent.learner, opponent.seed), []
    for games in marks:
        training.run(games - training.games, progress)
        steps.append(_scored(games, training.table, state, seed))
    return tuple(steps)


def _scored(games: int, table: Table, state: State, seed: int) -> Step:
    move = table.move(state, Stream(seed))
    return Step(games, move, score=float(table.scores(state)[move]))
