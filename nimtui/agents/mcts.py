"""Monte Carlo tree search: grows a search tree towards promising moves, and plays the move visited most."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter

from nimtui.agents.agent import Decision, Loading, StopsItself, Terse, Thinking, Thought, moves_of
from nimtui.agents.searching import read_settings, values_title
from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.learning.saved_tables import LearnedValues
from nimtui.progress import SILENT, Aloud, Progress, TimeUp
from nimtui.report.values import Seconds, Typed
from nimtui.theory.truth import Truth
from nimtui.trees import Settings
from nimtui.trees.mcts import ROOT, MonteCarloSearch
from nimtui.trees.result import pace
from nimtui.trees.settings import FORMS as SEARCH_FORMS
from nimtui.trees.settings import MCTS, PERFECT_OPPONENT

NAMES = (MCTS,)
FORMS = (
    (
        SEARCH_FORMS[2],
        "tree search by Monte Carlo (UCB1): plays the move visited most; with time=, searches until it is up",
    ),
)
PRESETS = (
    ("Monte Carlo tree search, 500 simulations", "mcts:simulations=500,c=1.0"),
    ("Monte Carlo tree search, 10,000 simulations", "mcts:simulations=10000,c=1.0"),
    ("Monte Carlo tree search, half a second a move", "mcts:time=0.5,c=1.0"),
)


@dataclass
class MonteCarloTreeSearch(Loading, Terse, StopsItself):
    """Searches with a number of simulations or a time limit, and a new tree for every decision."""

    game: Game
    settings: Settings
    values: LearnedValues | None = None  # that `settings.value` names
    level: str = ""  # 'hard': the level that this search is the recipe of
    _truth: Truth | None = field(default=None, repr=False)  # cached for all decisions

    @property
    def name(self) -> str:
        return self.level or self.settings.name

    @property
    def title(self) -> str:
        settings = self.settings
        parts = [plural(settings.simulations, "simulation", "simulations")] if settings.simulations else []
        if settings.time:
            parts.append(f"{Seconds(settings.time)} a move")
        if settings.c != 1:
            parts.append(f"c {Typed(settings.c)}")
        if settings.log == ROOT:
            parts.append("root's count")
        if settings.policy == PERFECT_OPPONENT:
            parts.append("perfect opponent")
        if settings.proven:
            parts.append("proving")
        parts += values_title(settings)
        return f"{self.level.capitalize() or 'Tree search'} ({', '.join(parts)})"

    def _load(self, progress: Progress) -> None:
        """Load the engine, compiled for this game. For a perfect opponent, compute its moves."""
        if self.settings.policy == PERFECT_OPPONENT:
            from nimtui.theory.truth import truth

            self._truth = truth(self.game, progress)
        if base.outcome(self.game.start) == base.GOING_ON:
            self.search(self.game.start, Stream(0), 1).run(progress)  # compiles before a clock runs

    def search(self, state: State, stream: Stream, simulations: int | None = None) -> MonteCarloSearch:
        """Return a new search of this position with the agent's settings."""
        settings = self.settings
        how = (settings.c, settings.log, settings.policy, settings.proven)
        simulations = settings.simulations if simulations is None else simulations
        return MonteCarloSearch(self.game, state, simulations, *how, stream, time=settings.time, values=self.values)

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        search = self._run(state, stream, progress, aloud=True)
        thoughts, line = thoughts_of(search), tuple(search.principal_variation)
        move, note = search.best.move, _note(search)
        nodes, rate = search.nodes, pace(search.nodes, search.seconds)
        search.release()
        return Decision(move, thoughts, note, perf_counter() - began, nodes, rate, line)

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        search = self._run(state, stream, progress, aloud=False)
        move = search.best.move
        search.release()
        return move

    def _run(self, state: State, stream: Stream, progress: Progress, *, aloud: bool) -> MonteCarloSearch:
        moves_of(state)
        self.prepare(progress)
        search, started = self.search(state, stream), perf_counter()
        if aloud:
            progress = Aloud(progress, lambda: thinking_of(search, perf_counter() - started))
        with suppress(TimeUp):  # the simulations so far decide; without any, all moves are equal
            search.run(progress)
        return search


def thoughts_of(search: MonteCarloSearch) -> tuple[Thought, ...]:
    """Return the rating of every move of the root."""
    return tuple(
        Thought(
            rating.move,
            None if rating.value is None else rating.value / search.scale,
            visits=rating.visits,
            mean=rating.mean,
            ucb=rating.ucb,
            bound=None if rating.proven is None else "exact",
            largest=search.largest or 0,
        )
        for rating in search.moves
    )


def thinking_of(search: MonteCarloSearch, seconds: float) -> Thinking:
    """Return what a search believes between two chunks."""
    line = tuple(search.principal_variation)
    move, rate = line[0] if line else None, pace(search.done, seconds)
    return Thinking(thoughts_of(search), move, line, search.done, "simulations", rate, seconds)


def _note(search: MonteCarloSearch) -> str:
    """Return the note: a proof that ended the search early, or the number of moves without visits."""
    if search.settled:
        word = {1.0: "won", -1.0: "lost"}.get(search.value, "drawn")
        of = f" of {search.simulations:,}" if not search.time else ""
        return f"Proven {word} after {search.done:,}{of} simulations."
    untried = sum(not rating.visits for rating in search.moves)
    return f"{untried} of {len(search.moves)} moves were not tried: too few simulations." if untried else ""


def parse(word: str, text: str, game: Game, level: str = "") -> MonteCarloTreeSearch:
    return MonteCarloTreeSearch(game, *read_settings(word, text, game), level)
