"""How an agent's choice changes with its effort: the move and the value after 1, 2, 5, 10 … units of work.

The steps depend on the seed alone, not on the machine: Monte Carlo tree search is replayed from its record, minimax and
alpha-beta are searched depth by depth, flat Monte Carlo and learners run again with less. With a time limit a curve has
as many steps as the time allows, and each step the effort that was really made.

Effort curves as an SVG picture: value over effort on a logarithmic axis, and a strip of the moves of each agent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from itertools import count

from nimtui.agents.agent import Agent
from nimtui.agents.learned import TrainedAgent
from nimtui.agents.mc import FlatMonteCarlo
from nimtui.agents.mcts import MonteCarloTreeSearch
from nimtui.agents.searching import Searching
from nimtui.arena.compare.comparison import NODES, PLAYOUTS, SIMULATIONS, Comparison, effort_of
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.learning.opponents import train_interpreted
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.progress import SILENT, Progress, TimeUp, Within
from nimtui.report.values import Count, Difference, Seconds
from nimtui.signs import visible
from nimtui.trees import search_of
from nimtui.trees.mcts import rank
from nimtui.trees.result import Result
from nimtui.trees.settings import DEFAULT, TO_THE_END, Settings

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
    largest: int = 0  # as in `Cell`


@dataclass(frozen=True, slots=True)
class Curve:
    """An agent's steps by ascending effort: the last one has its own settings, or was the last in its time.

    There are none if the agent has no effort to vary.
    """

    agent: str
    unit: str = ""
    steps: tuple[Step, ...] = ()
    why_none: str = ""

    @property
    def settled_from(self) -> int | None:
        """The effort from which on the agent keeps its last move."""
        return self.right_from(frozenset({self.steps[-1].move})) if self.steps else None

    def right_from(self, best: frozenset[Move]) -> int | None:
        """Return the effort from which on all moves are among these; None if the last one is not."""
        effort = None
        for step in reversed(self.steps):
            if step.move not in best:
                break
            effort = step.effort
        return effort


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
    efforts: list[int] = []
    before: bool | None = None  # whether `one` was the higher curve
    for effort in sorted({step.effort for step in (*mine, *theirs)}):
        here, there = _value_at(mine, effort), _value_at(theirs, effort)
        if here is None or there is None or here == there:
            continue
        higher = here > there
        if before is not None and higher is not before:
            efforts.append(effort)
        before = higher
    return efforts


def _value_at(steps: Sequence[Step], effort: int) -> float | None:
    return next((step.value for step in reversed(steps) if step.effort <= effort), None)


def curve_of(agent: Agent, state: State, seed: int, progress: Progress = SILENT, seconds: float = 0.0) -> Curve:
    """Return the curve of an agent on this position. Raises Cancelled.

    The random numbers are those of `Stream(seed)`, so the last step is the agent's decision with that seed. After so
    many `seconds` [0: no limit] the curve ends.
    """
    try:
        if isinstance(agent, MonteCarloTreeSearch | Searching | FlatMonteCarlo):
            agent.prepare(progress)  # before the clock starts
        curve = _curve(agent, state, seed, Within(progress, seconds) if seconds else progress)
    except InputError as fault:
        return Curve(agent.name, why_none=str(fault))
    if curve.unit and not curve.steps:
        limit = f"within {Seconds(seconds)}" if seconds else "in its time"
        return Curve(agent.name, why_none=f"has no step {limit}")
    return curve


def _curve(agent: Agent, state: State, seed: int, progress: Progress) -> Curve:
    if isinstance(agent, MonteCarloTreeSearch):
        return Curve(agent.name, SIMULATIONS, _tree_search(agent, state, seed, progress))
    if isinstance(agent, Searching):
        return Curve(agent.name, NODES, _in_time(_by_depth(agent, state, progress)))
    if isinstance(agent, FlatMonteCarlo):
        return Curve(agent.name, PLAYOUTS, _in_time(_playouts(agent, state, seed, progress)))
    if isinstance(agent, TrainedAgent):
        return Curve(agent.name, GAMES, _in_time(_training(agent, state, seed, progress)))
    return Curve(agent.name, why_none="has no effort to vary")


def _in_time(steps: Iterator[Step]) -> tuple[Step, ...]:
    """Return the steps until the time is up. A step with no more effort than the one before takes its place."""
    rising: list[Step] = []
    with suppress(TimeUp):
        for step in steps:
            while rising and rising[-1].effort >= step.effort:
                rising.pop()
            rising.append(step)
    return tuple(rising)


def _tree_search(agent: MonteCarloTreeSearch, state: State, seed: int, progress: Progress) -> tuple[Step, ...]:
    """Return the best moves of one search after so many of its simulations."""
    from nimtui.trees.mcts_replay import GrowingTree

    search = agent.search(state, Stream(seed))
    with suppress(TimeUp):
        search.run(progress)
    tree = GrowingTree(search)
    steps = []
    for done in ladder(search.done) if search.done else ():
        tree.seek(done)
        best = max(tree.children(0), key=lambda node: rank(tree.proven(node), int(tree.visits[node]), tree.mean(node)))
        proven = tree.proven(best)
        value = (tree.mean(best) or 0.0) / search.scale if proven is None else float(proven)
        steps.append(Step(done, tree.move(best), value, largest=search.largest or 0))
    search.release()
    return tuple(steps)


def _by_depth(agent: Searching, state: State, progress: Progress) -> Iterator[Step]:
    """Yield the results to depth 1, 2, 3 … with the nodes of each; of a deepening search, with the nodes so far."""
    settings = agent.settings
    if settings.deepens:
        search = search_of(agent.game, state, settings, record=False)
        with suppress(TimeUp):
            search.run(progress)
        yield from _iterations(search.result)
        return
    nodes = 0
    for depth in count(1) if settings.depth == TO_THE_END else range(1, settings.depth):
        result = search_of(agent.game, state, replace(settings, depth=depth), record=False).run(progress).result
        if result.nodes <= nodes:
            break  # no line is longer
        nodes = result.nodes
        yield _step(result)
        if result.exact and settings.depth == TO_THE_END:
            break
    yield _step(search_of(agent.game, state, settings, record=False).run(progress).result)


def _iterations(result: Result) -> Iterator[Step]:
    nodes = 0
    for place, done in enumerate(result.iterations, 1):
        nodes += done.nodes
        value = _sure(result.settings, done.value, result.exact and place == len(result.iterations))
        yield Step(nodes, done.best_move, value, float(done.value), done.depth, result.settings.largest)


def _step(result: Result) -> Step:
    assert result.best_move is not None and result.value is not None
    value = _sure(result.settings, int(result.value), result.exact)
    return Step(result.nodes, result.best_move, value, result.value, result.settings.depth, result.settings.largest)


def _sure(settings: Settings, score: int, exact: bool) -> float | None:
    """Return the result under perfect play if the search proved it: the heuristic's numbers are no results."""
    if settings.heuristic != DEFAULT or settings.pays:
        return None
    if abs(score) > DECIDED:
        return 1.0 if score > 0 else -1.0
    return 0.0 if exact and score == 0 else None


def _playouts(agent: FlatMonteCarlo, state: State, seed: int, progress: Progress) -> Iterator[Step]:
    """Yield the decisions of the same agent with fewer playouts, up to the first that its time cut short."""
    moves = len(base.legal_moves(state))
    for playouts in ladder(agent.playouts):
        decision = replace(agent, playouts=playouts).decide(state, Stream(seed), progress)
        done = effort_of(decision.thoughts, decision.nodes)[0] or 0
        if not done:
            return
        value = next(thought.value for thought in decision.thoughts if thought.move == decision.move)
        yield Step(done, decision.move, value)
        if done < moves * playouts:
            return


def _training(agent: TrainedAgent, state: State, seed: int, progress: Progress) -> Iterator[Step]:
    """Yield the moves of the same learner after fewer games: 1, 10, 100 …"""

    opponent, game = agent.opponent, agent.game
    marks = [games for games in ladder(opponent.games) if str(games).strip("0") == "1"]
    marks = [*marks, *([] if opponent.games in marks else [opponent.games])]
    if opponent.at_once:
        tables = (train_interpreted(game, opponent.learner, games, opponent.seed, progress) for games in marks)
        yield from (_scored(games, table, state, seed) for games, table in zip(marks, tables, strict=True))
        return
    training = Training(game, opponent.learner, opponent.seed)
    training.plan(opponent.games)
    for games in marks:
        training.run(games - training.games, progress)
        yield _scored(games, training.table, state, seed)


def _scored(games: int, table: Table, state: State, seed: int) -> Step:
    move = table.move(state, Stream(seed))
    score, largest = float(table.scores(state)[move]), int(base.largest_payoff(state))
    return Step(games, move, score if largest else None, score, largest=largest)


WIDE, HIGH = 640, 280  # of the plot, in units of the picture
LEFT, TOP, RIGHT = 64, 56, 24  # margins
STRIP = 34  # height of an agent's strip of moves
UNDER = 56  # below the plot: labels of the axis
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # source: Okabe and Ito, told apart by all eyes
STYLE = (
    "text{font:12px sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}.end{text-anchor:end}"
    ".mid{text-anchor:middle}.grid{stroke:#ccc}.axis{stroke:#222}.truth{stroke:#222;stroke-dasharray:6 4}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.back{fill:#1c1c1c}.grid{stroke:#444}"
    ".axis,.truth{stroke:#ddd}}"
)
WORTH = {"win": 1.0, "draw": 0.0, "loss": -1.0}


def picture(comparison: Comparison, curves: Sequence[Curve]) -> str:
    """Return the SVG document of these curves. Agents without steps are named below the plot."""
    drawn = [(place, curve) for place, curve in enumerate(curves) if curve.steps]
    most = max((curve.steps[-1].effort for _, curve in drawn), default=10)
    decades = math.ceil(math.log10(max(10, most)))
    height = TOP + HIGH + UNDER + STRIP * len(curves) + 16
    width = LEFT + WIDE + RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<style>{STYLE}</style>",
        f'<rect class="back" width="{width}" height="{height}" fill="#fff"/>',
        _text(LEFT, 24, f"{comparison.game.title}: value over effort", "title"),
        _text(LEFT, 42, f"position {comparison.game.position_name(comparison.state) or 'the start'}"),
        *_axes(decades, sorted({curve.unit for _, curve in drawn})),
        *_truth(comparison),
    ]
    for place, curve in drawn:
        parts += _line(place, curve, decades)
    for place, curve in enumerate(curves):
        parts += _strip(comparison, place, curve, decades)
    return "\n".join([*parts, "</svg>", ""])


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    look = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{look}>{escape(visible(text))}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def _axes(decades: int, units: list[str]) -> list[str]:
    parts = []
    for value in (-1.0, -0.5, 0.0, 0.5, 1.0):
        y = _y(value)
        parts += [_rule(LEFT, y, LEFT + WIDE, y, "grid"), _text(LEFT - 8, y + 4, Difference(value).text, "end")]
    for decade in range(decades + 1):
        x = _x(10**decade, decades)
        parts += [_rule(x, TOP, x, TOP + HIGH, "grid"), _text(x, TOP + HIGH + 18, Count(10**decade).text, "mid")]
    parts += [_rule(LEFT, TOP, LEFT, TOP + HIGH, "axis"), _rule(LEFT, TOP + HIGH, LEFT + WIDE, TOP + HIGH, "axis")]
    label = f"effort, logarithmic: {', '.join(units)}" if units else "effort, logarithmic"
    parts.append(_text(LEFT + WIDE / 2, TOP + HIGH + 38, label, "mid"))
    middle = TOP + HIGH / 2
    return [*parts, f'<text transform="translate(16 {middle:g}) rotate(-90)" class="mid">value of its move</text>']


def _truth(comparison: Comparison) -> list[str]:
    """Return the exact value of the position as a dashed line; nothing if it is unknown."""
    if comparison.truths is None:
        return []
    value = max(WORTH[each.outcome.value] for each in comparison.truths.values())
    return [
        _rule(LEFT, _y(value), LEFT + WIDE, _y(value), "truth"),
        _text(LEFT + WIDE, _y(value) + (16 if value > 0 else -6), "exact value", "end"),
    ]


def _line(place: int, curve: Curve, decades: int) -> list[str]:
    """Return the line of the steps with a value; a number at its end names the agent."""
    at = [(_x(step.effort, decades), _y(step.value)) for step in curve.steps if step.value is not None]
    if not at:
        return []
    colour = COLOURS[place % len(COLOURS)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]
    line = f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
    return [line, *dots, _text(at[-1][0] + 6, at[-1][1] + 4, str(place + 1))]


def _strip(comparison: Comparison, place: int, curve: Curve, decades: int) -> list[str]:
    """Return the agent's name, and its move at each step: a filled mark if right, a cross if a mistake."""
    y = TOP + HIGH + UNDER + STRIP * place
    colour = COLOURS[place % len(COLOURS)]
    parts = [
        f'<rect x="{LEFT}" y="{y}" width="10" height="10" fill="{colour}"/>',
        _text(LEFT + 16, y + 10, f"{place + 1}  {curve.agent}" + (f": {curve.why_none}" if curve.why_none else "")),
    ]
    return parts + [part for step in curve.steps for part in _mark(comparison, step, _x(step.effort, decades), y + 20)]


def _mark(comparison: Comparison, step: Step, x: float, y: float) -> list[str]:
    best, title = comparison.right_moves, f"{step.effort:,}: {comparison.game.move_name(step.move, comparison.state)}"
    hint = f"<title>{escape(visible(title))}</title>"
    if best is None or step.move in best:
        fill = "#888" if best is None else "#009e73"
        return [f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="{fill}">{hint}</circle>']
    cross = f"M{x - 4:.1f} {y - 4}l8 8m0 -8l-8 8"
    return [f'<path d="{cross}" stroke="#d00000" stroke-width="2" fill="none">{hint}</path>']


def _x(effort: float, decades: int) -> float:
    return LEFT + WIDE * math.log10(max(1, effort)) / decades


def _y(value: float) -> float:
    return TOP + HIGH * (1 - value) / 2
