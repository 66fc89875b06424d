"""Monte Carlo tree search by settings, with the result type of every algorithm."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.result import Result, Standing
from nimtui.trees.settings import Settings

if TYPE_CHECKING:
    from nimtui.trees.mcts_replay import GrowingTree


class MctsSearch:
    """A search of one position. It always records everything."""

    def __init__(self, game: Game, state: State, settings: Settings) -> None:
        self._settings = settings
        self.search = MonteCarloSearch(
            game,
            state,
            settings.simulations,
            settings.c,
            settings.log,
            settings.policy,
            settings.proven,
            Stream(settings.seed),
            time=settings.time,
        )

    @property
    def settings(self) -> Settings:
        if self.search.time:
            return self._settings
        return replace(self._settings, simulations=self.search.simulations, time=0.0)

    trees = 1  # nodes keep their numbers for good

    def run(self, progress: Progress = SILENT) -> Self:
        self.search.run(progress)
        return self

    @property
    def tree(self) -> GrowingTree:
        """The current tree, which can be shown after any of its simulations."""
        from nimtui.trees.mcts_replay import GrowingTree

        return GrowingTree(self.search)

    @property
    def finished(self) -> bool:
        return self.search.finished

    @property
    def standing(self) -> Standing:
        search, settings = self.search, self.settings
        best = search.best if search.done else None
        return Standing(
            settings=settings,
            done=search.done,
            total=0 if search.time else search.simulations,
            seconds=search.spent,
            depth=search.deepest,
            best_move=None if best is None else best.move,
            value=None if best is None else best.value,
            exact=search.settled,
            moves=tuple(search.moves),
        )

    @property
    def nodes(self) -> int:
        return self.search.nodes

    @property
    def bytes_needed(self) -> int:
        return self.search.bytes_needed

    @property
    def result(self) -> Result:
        search = self.search
        started = search.done > 0
        leaves, below = search.survey
        return Result(
            settings=self.settings,
            finished=search.finished,
            nodes=search.nodes,
            leaves=leaves if started else 0,
            cutoffs=0,
            skipping=0,
            skipped=0,
            table_hits=0,
            value=search.value if started else None,
            exact=search.settled,
            best_move=search.best.move if started else None,
            principal_variation=tuple(search.principal_variation),
            seconds=search.seconds,
            simulations=search.done,
            space=search.space,
            moves=tuple(replace(move, nodes=nodes) for move, nodes in zip(search.moves, below, strict=True)),
        )
