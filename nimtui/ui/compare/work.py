"""Runs the agents of a comparison, each as a job, on the position that is walked to; and what a comparison searches
beyond their answers: nodes by depth, two trees, all positions. What each view shows can be written to a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from nimtui.agents import Agent
from nimtui.arena.compare import comparison_report
from nimtui.arena.compare.comparison import Column, Comparison, Kind, PositionComparison, ask, compare_positions
from nimtui.arena.compare.effort_curve import Curve, curve_of
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.rule_text import Place
from nimtui.jobs import Job, Jobs, JobState
from nimtui.jobs.conductor import Conductor
from nimtui.learning.atlas import Order, orders
from nimtui.playing.setup import parse_game, usual_name
from nimtui.progress import Progress
from nimtui.report.document import document, file_text
from nimtui.theory.answers import MoveValue, known_moves
from nimtui.trees import search_of
from nimtui.trees.compare import Comparison as SearchComparison
from nimtui.trees.compare import Path, TwoTrees
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, MCTS, MINIMAX, Settings
from nimtui.ui.kit.forms.kept import names
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP, CompareSetup
from nimtui.ui.train.view import Atlas

R = TypeVar("R")
STOPPED = "stopped before it answered"


class CompareWork(Conductor):
    """Asks all agents about one position after another. Calls `changed` in the event loop for everything new.

    Answers stay for the way back. `columns` are what the agents believe now, finished or not.
    """

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.setup: CompareSetup | None = None
        self.game: Game | None = None
        self.agents: list[Agent] = []
        self.path: tuple[Move, ...] = ()  # from the position of the setup
        self.states: list[State] = []  # along the path, the first one is that of the setup
        self.columns: list[Column] = []
        self.truths: Mapping[Move, MoveValue] | None = None
        self.every = 0.25  # seconds between two thoughts of an agent
        self.by_depth = ByDepth(self)
        self.everywhere = Everywhere(self)
        self.trees = Trees(self)
        self._known: dict[tuple[Move, ...], tuple[list[Column], Mapping[Move, MoveValue] | None]] = {}
        self._curves: dict[tuple[Move, ...], list[Curve | None]] = {}

    # What is compared.

    @property
    def idle(self) -> bool:
        return self.setup is None

    def open(self, node: int) -> None:
        """Start the same comparison on a position of the game's graph."""
        positions = self.everywhere.result
        if positions is not None and self.setup is not None:
            self.start(replace(self.setup, position=positions.atlas.name(node)))

    def start(self, setup: CompareSetup) -> None:
        """Start this comparison. Raises InputError with one line if it is invalid; then the one before stays."""
        setup = setup.validate()
        game = parse_game(setup.game)
        agents = setup.parsed(game)
        self.stop_all()
        self.setup, self.game, self.agents = setup, game, agents
        self.path, self.states = (), [game.new(setup.position) if setup.position else base.copy(game.start)]
        self._known, self._curves, self.message = {}, {}, ""
        self.everywhere.forget_others()
        self._ask()

    @property
    def state(self) -> State | None:
        """The position that is compared now."""
        return self.states[-1] if self.states else None

    @property
    def over(self) -> bool:
        """Has the game ended here?"""
        return self.state is not None and base.outcome(self.state) != base.GOING_ON

    @property
    def setup_here(self) -> CompareSetup | None:
        """The setup with the position that is compared now, for a form."""
        if self.setup is None or self.game is None or self.state is None or self.over:
            return self.setup
        return replace(self.setup, position=self.game.position_name(self.state))

    @property
    def compared(self) -> Comparison | None:
        """The comparison as far as it is known."""
        if self.game is None or self.state is None or self.over:
            return None
        return Comparison(self.game, self.state, tuple(self.columns), self.truths)

    def walk(self, move: Move) -> None:
        """Go to the position after this move, in which all agents are asked."""
        assert self.game is not None and self.state is not None
        after = self.game.after(self.state, move)
        self._leave()
        self.path, self.states = (*self.path, move), [*self.states, after]
        self._ask()

    def back(self) -> Move | None:
        """Go back to the position before, and return the move that led here; None at the first position."""
        if not self.path:
            return None
        self._leave()
        self.path, move = self.path[:-1], self.path[-1]
        self.states = self.states[:-1]
        self._ask()
        return move

    def _leave(self) -> None:
        """Keep finished answers, and drop the others."""
        if not self.working and self.truths is not None:
            self._known[self.path] = (self.columns, self.truths)
        self.stop_all()

    def _ask(self) -> None:
        if self.path in self._known:
            self.columns, self.truths = self._known[self.path]
        else:
            self.columns, self.truths = [Column(agent.name) for agent in self.agents], None
            if not self.over:
                for place, agent in enumerate(self.agents):
                    self._ask_agent(place, agent)
                self._find_truth()
        self.changed()

    def _ask_agent(self, place: int, agent: Agent) -> None:
        assert self.setup is not None and self.state is not None

        def answered(column: Column) -> None:
            self.columns[place] = column

        def stopped(why: str) -> None:
            self.columns[place] = replace(self._latest(place, job), fault=why or STOPPED, decided=True)

        work = partial(ask, agent, base.copy(self.state), self.setup.seed, 0)
        job = self.errand(f"compare {agent.name}", work, answered, stopped, key=("agent", place))
        job.watch_thinking(self.every)

    def _find_truth(self) -> None:
        assert self.game is not None and self.state is not None

        def solved(truths: Mapping[Move, MoveValue] | None) -> None:
            self.truths = truths

        self.errand("truth", partial(known_moves, self.game, base.copy(self.state)), solved, aside=True)

    def _latest(self, place: int, job: Job[Column]) -> Column:
        """Return what the agent believed last."""
        thinking = job.thinking
        return self.columns[place] if thinking is None else Column.of_thinking(self.agents[place].name, thinking)

    def look(self) -> bool:
        """Take over what the agents think now; return whether any work runs."""
        for place in range(len(self.columns)):
            if (job := self.waits_for(place)) is not None:
                self.columns[place] = self._latest(place, job)
        return self.working

    # Running.

    @property
    def working(self) -> bool:
        return bool(self.asked)

    @property
    def paused(self) -> bool:
        return self.working and all(job.state is JobState.PAUSED for job in self.asked)

    def pause_or_go_on(self) -> None:
        paused = self.paused
        for job in self.asked:
            (job.resume if paused else job.pause)()
        self.changed()

    def stop(self) -> bool:
        """Stop all running work; what it found stays. Return False if nothing ran."""
        running = self.asked
        for job in running:
            job.cancel()
        return bool(running)

    def stop_all(self) -> None:
        """Stop all work of this position and forget it; that on all positions is of the game."""
        self.drop(*(key for key in self._errands if key != Everywhere.name))
        self._curves = {path: curves for path, curves in self._curves.items() if None not in curves}
        self.by_depth.drop()
        self.trees.drop()

    def waits_for(self, place: int) -> Job[Column] | None:
        """Return the job of an agent that has not answered yet."""
        return self.doing(("agent", place))

    # Effort curves.

    @property
    def curves(self) -> Sequence[Curve | None]:
        """The curve of each agent at this position; None while it is unknown."""
        return self._curves.get(self.path, ())

    def find_curves(self) -> None:
        """Compute the curves of this position, a job for each agent."""
        if self.path not in self._curves and self.setup is not None and self.state is not None and not self.over:
            curves = self._curves[self.path] = [None] * len(self.agents)
            for place, agent in enumerate(self.agents):
                self._find_curve(curves, place, agent)
            self.changed()

    def _find_curve(self, curves: list[Curve | None], place: int, agent: Agent) -> None:
        assert self.setup is not None and self.state is not None

        def known(curve: Curve) -> None:
            curves[place] = curve

        def stopped(why: str) -> None:
            curves[place] = Curve(agent.name, why_none=why or "stopped")

        work = partial(curve_of, agent, base.copy(self.state), self.setup.seed)
        self.errand(f"curve of {agent.name}", work, known, stopped, key=("curve", place))


class Part(Generic[R]):
    """A part of a comparison that works as an errand, of which only the latest counts."""

    name: str
    pair = (0, 1)  # of the agents
    result: R | None = None
    fault = ""

    def __init__(self, conductor: CompareWork) -> None:
        self._conductor = conductor

    @property
    def job(self) -> Job[Any] | None:
        return self._conductor.doing(self.name)

    def drop(self) -> None:
        """Drop the result, and the work that runs."""
        self._conductor.drop(self.name)
        self.result, self.fault = None, ""

    def _done(self, result: R) -> None:
        self.result = result

    def _stopped(self, why: str) -> None:
        self.fault = why or "Stopped"


class Trees(Part["TwoTrees"]):
    """Records the trees of two agents that search; knows which line is marked."""

    name = "search trees"
    at: Path = ()
    _unfolds = False  # does it unfold both best lines?

    def searches(self, marked: int) -> list[Settings]:
        """Return the searches of the first agent and the marked one; of an agent without a tree none."""
        agents = [agent for at, agent in enumerate(self._conductor.agents) if at in _pair(marked)]
        return [each for agent in agents if isinstance(each := getattr(agent, "settings", None), Settings)]

    def show(self, marked: int) -> None:
        """Search beside the other work, unless that takes long or was stopped, and unfold both best lines."""
        columns = [column for at, column in enumerate(self._conductor.columns) if at in _pair(marked)]
        tried = self.pair == _pair(marked) and (self.result is not None or self.job is not None or self.fault)
        if not tried and all(column.decided and (column.nodes or 0) <= MOST_NODES for column in columns):
            self.find(marked)
            self._unfolds = True

    def find(self, marked: int) -> None:
        """Search with the first agent and with the marked one (the second, if the first is marked)."""
        conductor, pair = self._conductor, _pair(marked)
        game, state, setup = conductor.game, conductor.state, conductor.setup
        same = pair == self.pair and (self.result is not None or self.job is not None)
        if same or game is None or state is None or setup is None or conductor.over:
            return
        self.drop()
        self.pair, self._unfolds = pair, False
        settings = [replace(each, seed=setup.seed) for each in self.searches(marked)]
        if len(settings) < len(pair):
            self.fault = "Only minimax, alpha-beta and mcts have trees: a changes an agent"
            return
        conductor.errand(self.name, partial(_grown, game, state, settings), self._done, self._stopped)

    def _done(self, result: TwoTrees) -> None:
        super()._done(result)
        for at in range(2 * self._unfolds):
            result.reveal(result.line(at))
        if not self.part():
            self.at = next((place.path for place in result.lines()), ())

    # Walking.

    def part(self) -> bool:
        """Mark the first move on which the best lines part; return False if they never do."""
        parting = self.result.parting() if self.result is not None else ()
        if self.result is not None and parting:
            self.result.reveal(parting)
            self.at = parting
        return bool(parting)

    def go(self, down: int) -> None:
        """Mark another line."""
        if self.result is not None and (lines := [place.path for place in self.result.lines()]):
            here = lines.index(self.at) if self.at in lines else 0
            self.at = lines[max(0, min(len(lines) - 1, here + down))]

    def fold(self, out: bool) -> None:
        """Unfold the marked line; or fold it, and if it is folded, mark the line above."""
        if self.result is None:
            return
        if out:
            if self.at in self.result.open or not self.result.unfold(self.at):
                self.go(1)
        elif self.at in self.result.open:
            self.result.fold(self.at)
        elif len(self.at) > 1:
            self.at = self.at[:-1]

    def toggle(self) -> None:
        """Unfold or fold the marked line."""
        self.fold(self.result is not None and self.at not in self.result.open)


MOST_NODES = 1_000_000  # of a tree that is searched without being asked for


def _pair(marked: int) -> tuple[int, int]:
    return 0, max(1, marked)


def _grown(game: Game, state: State, settings: Sequence[Settings], progress: Progress) -> TwoTrees:
    one, other = (search_of(game, state, each).run(progress).tree for each in settings)
    return TwoTrees(game, state, one, other)


MOST_DEPTHS, USUAL_DEPTHS = 10, 6


class ByDepth(Part[SearchComparison]):
    """Searches the position of a comparison with several settings, to depth 1, 2, 3 …"""

    name = "nodes by depth"

    def find(self) -> None:
        """Search, unless that is done or running."""
        conductor = self._conductor
        if self.job is not None or conductor.game is None or conductor.state is None or conductor.over:
            return
        if self.result is None:
            settings = [getattr(agent, "settings", None) for agent in conductor.agents]
            by_depth = [each for each in settings if isinstance(each, Settings) and each.algorithm != MCTS]
            depth = max((each.depth for each in by_depth), default=USUAL_DEPTHS)
            depths = range(1, min(depth if depth > 0 else USUAL_DEPTHS, MOST_DEPTHS) + 1)
            self.result = SearchComparison(conductor.game, conductor.state, _entrants(by_depth), depths)
        conductor.message = ""
        conductor.errand(self.name, self.result.run, wrong=self._stopped)

    def _stopped(self, why: str) -> None:
        self._conductor.message = why


def _entrants(own: list[Settings]) -> list[Settings]:
    """Return minimax, alpha-beta and best-first, and the agents' own searches that differ from these."""
    plain = Settings(MINIMAX, heuristic=own[0].heuristic, value=own[0].value) if own else Settings(MINIMAX)
    pruned = replace(plain, algorithm=ALPHA_BETA)
    others = [replace(settings, depth=plain.depth, time=0.0) for settings in own]
    return list(dict.fromkeys([plain, pruned, replace(pruned, order=BEST_FIRST), *others]))


ORDER = (Kind.FIRST, Kind.SECOND, Kind.NEITHER, Kind.BOTH, Kind.NOTHING)  # of the list: where the two differ, first


@dataclass(frozen=True, eq=False)
class Positions:
    """What the views show: the verdicts, the orders of the map, the names, the list."""

    compared: PositionComparison
    orders: list[Order]
    atlas: Atlas
    listed: list[int]  # all nodes, where the agents differ first


class Everywhere(Part["Positions"]):
    """Compares two agents on all positions. The result stays while game, agents and seed do."""

    name = "compare on all positions"
    _key: tuple[object, ...] = ()

    def find(self, marked: int) -> None:
        """Compare the first agent with the marked one (with the second, if the first is marked)."""
        conductor, pair = self._conductor, _pair(marked)
        game, setup = conductor.game, conductor.setup
        if game is None or setup is None:
            return
        if len(conductor.agents) < 2:
            self.result, self._key, self.fault = None, (), "Two agents are needed here: a adds one"
            return
        agents = conductor.agents[pair[0]], conductor.agents[pair[1]]
        key = self._key_of(pair)
        if key != self._key or (self.result is None and self.job is None):
            self._key, self.pair, self.result, self.fault = key, pair, None, ""
            conductor.errand(self.name, partial(positions, game, agents, setup.seed), self._done, self._stopped)

    def forget_others(self) -> None:
        """Drop the result, and the running work, unless game, agents and seed are still those of the comparison."""
        if self._key != self._key_of(self.pair):
            self.drop()
            self._key = ()

    def _key_of(self, pair: tuple[int, int]) -> tuple[object, ...]:
        conductor = self._conductor
        names = tuple(conductor.agents[place].name for place in pair if place < len(conductor.agents))
        return (conductor.game, *names, conductor.setup.seed if conductor.setup is not None else 0)

    def _stopped(self, why: str) -> None:
        self._key, self.fault = (), why or "Stopped. m starts again"


def positions(game: Game, agents: tuple[Agent, Agent], seed: int, progress: Progress) -> Positions:
    """Compare two agents on all positions of a game. Raises InputError if the game is too large."""
    compared = compare_positions(game, agents, seed, progress=progress)
    listed = [int(node) for kind in ORDER for node in compared.nodes(kind)]
    return Positions(compared, orders(compared.solution, game), Atlas(game, compared.solution), listed)


# The exports: each view as CSV or JSON, the curves as SVG too.

AS_TABLE = {".csv": "CSV: a row for each agent and move", ".json": "JSON: the table, and the curves if shown"}
CURVES = {
    ".svg": "SVG: a picture of the effort curves",
    ".csv": "CSV: a row for each agent and step of effort",
    ".json": "JSON: the table and the curves",
}
POSITIONS = {
    ".csv": "CSV: a row for each position of the game",
    ".json": "JSON: the counts, the shares by distance, all positions",
}
BY_DEPTH = {".csv": "CSV: a row for each depth and search"}


def suggested(conductor: CompareWork, view: str) -> dict[str, str]:
    """Return names for files that could be written now, and the content of each."""
    game = usual_name(conductor.game.name) if conductor.game is not None else ""
    kinds = {CURVE: CURVES, DEPTHS: BY_DEPTH, MAP: POSITIONS, LIST: POSITIONS}
    return names(f"compare-{game}", kinds.get(view, AS_TABLE))


def able(conductor: CompareWork, view: str) -> bool:
    """Return whether what the view shows is complete enough to be written."""
    if view == CURVE:
        return bool(conductor.curves) and all(conductor.curves)
    everywhere = conductor.everywhere.result
    results: dict[str, object] = {MAP: everywhere, LIST: everywhere, DEPTHS: conductor.by_depth.result}
    return results.get(view, conductor.compared) is not None


def content(suffix: str, conductor: CompareWork, view: str) -> Callable[[Progress], str]:
    """Return a function that makes the text of an export, of what is known now."""
    seed = conductor.setup.seed if conductor.setup is not None else 0
    everywhere, by_depth, compared = conductor.everywhere.result, conductor.by_depth.result, conductor.compared
    curves = [curve for curve in conductor.curves if curve is not None]
    if view in (MAP, LIST):
        assert everywhere is not None
        both = everywhere.compared
        if suffix == ".csv":
            return lambda progress: comparison_report.positions_csv(both, progress)
        counts = document(comparison_report.compared_everywhere(both, seed))
        return lambda progress: file_text(counts | {"positions": list(comparison_report.rows(both, progress))})
    if view == DEPTHS:
        assert by_depth is not None
        return lambda progress: by_depth.csv()
    assert compared is not None
    complete = curves if len(curves) == len(compared.columns) else None
    drawn = {".svg": curves, ".csv": curves if view == CURVE else None}.get(suffix, complete)
    text = comparison_report.file_of(suffix, Place(compared.game, compared.state, None), compared, seed, drawn)
    return lambda progress: text
