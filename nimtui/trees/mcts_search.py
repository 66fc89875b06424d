"""Monte Carlo tree search by settings, with the result type of every algorithm."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nimtui.engine.rng import Stream
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.result import Result, Standing
from nimtui.trees.settings import Settings

if TYPE_CHECKING:
    from nimtui.trees.mcts_replay import GrowingTree


class MctsSearch(MonteCarloSearch):
    """A search of one position. It always records everything."""

    trees = 1  # nodes keep their numbers for good

    def __init__(self, game: Game, state: State, settings: Settings) -> None:
        how = (settings.simulations, settings.c, settings.log, settings.policy, settings.proven)
        super().__init__(game, state, *how, Stream(settings.seed), time=settings.time)
        self._settings = settings

    @property
    def settings(self) -> Settings:
        return self._settings if self.time else replace(self._settings, simulations=self.simulations, time=0.0)

    @property
    def tree(self) -> GrowingTree:
        """The current tree, which can be shown after any of its simulations."""
        from nimtui.trees.mcts_replay import GrowingTree

        return GrowingTree(self)

    @property
    def standing(self) -> Standing:
        best = self.best if self.done else None
        return Standing(
            settings=self.settings,
            done=self.done,
            total=0 if self.time else self.simulations,
            seconds=self.spent,
            depth=self.deepest,
            best_move=None if best is None else best.move,
            value=None if best is None else best.value,
            exact=self.settled,
            moves=tuple(self.moves),
        )

    @property
    def result(self) -> Result:
        best = self.best if self.done else None
        leaves, below = self.survey
        return Result(
            settings=self.settings,
            finished=self.finished,
            nodes=self.nodes,
            leaves=leaves if self.done else 0,
            cutoffs=0,
            skipping=0,
            skipped=0,
            table_hits=0,
            value=None if best is None else self.value,
            exact=self.settled,
            best_move=None if best is None else best.move,
            principal_variation=tuple(self.principal_variation),
            seconds=self.seconds,
            simulations=self.done,
            space=self.space,
            moves=tuple(replace(move, nodes=nodes) for move, nodes in zip(self.moves, below, strict=True)),
        )
