"""What the tour sees of the app: the training it started, the position under the cursor, the game against the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from textual.screen import Screen

from nimtui.engine.graph import node_at
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.learning.evaluate import Standing
from nimtui.learning.run import Run
from nimtui.learning.views import View
from nimtui.ui.kit.shell import Shell
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.screen import PlayScreen
from nimtui.ui.play.session import Session
from nimtui.ui.train.lane import Lane
from nimtui.ui.train.screen import TrainScreen
from nimtui.ui.train.view import Atlas
from nimtui.ui.train.work import TrainWork


class TourShell(Shell, Protocol):
    """The app as the tour sees it."""

    @property
    def training(self) -> TrainWork: ...

    @property
    def game_played(self) -> PlayConductor: ...

    def save_game_in_progress(self) -> None:
        """Save the game on the Play screen in the Library, if it is not over."""

    @property
    def screen_stack(self) -> Sequence[Screen[Any]]: ...


class Scene:
    """Knows which training and which game belong to the tour, and answers with exact values. Changes nothing."""

    def __init__(self, app: TourShell) -> None:
        self.app = app
        self.run: Run | None = None  # the tour's training
        self.session: Session | None = None  # the tour's game
        self._matches: npt.NDArray[np.int32] | None = None

    # The training.

    @property
    def lane(self) -> Lane | None:
        """The tour's training on the Train screen; None if another one is there."""
        lanes = self.app.training.lanes
        return lanes[0] if lanes and lanes[0].run is self.run else None

    @property
    def view(self) -> View | None:
        """The view of the tour's table that the Train screen shows."""
        return self.lane.view if self.lane is not None else None

    @property
    def standing(self) -> Standing | None:
        return self.view.standing if self.view is not None else None

    @property
    def atlas(self) -> Atlas | None:
        run = self.run
        return Atlas(run.training.game, run.training.truth) if run is not None and run.training.truth else None

    def draws_at(self, node: int) -> bool:
        """Does the table draw a move at random in this position, because no score is above 0?"""
        view, atlas = self.view, self.atlas
        return view is not None and atlas is not None and view.scores[atlas.edges(node)].max() <= 0

    @property
    def matches(self) -> npt.NDArray[np.int32]:
        """The matches left in each position, [nodes]."""
        if self._matches is None and (atlas := self.atlas) is not None:
            cells = (atlas.game.cells(atlas.state(node)) or () for node in range(len(atlas.truth.values)))
            self._matches = np.array([sum(map(sum, rows)) for rows in cells], np.int32)
        return self._matches if self._matches is not None else np.zeros(0, np.int32)

    @property
    def train_screen(self) -> TrainScreen | None:
        """The Train screen, if it is shown and complete."""
        screen = self.app.screen_stack[0]
        return screen if isinstance(screen, TrainScreen) and screen.there else None

    @property
    def node(self) -> int:
        """The position under the cursor of the map; −1 if there is none."""
        return self.train_screen.stage.node if self.train_screen is not None else -1

    # The game.

    @property
    def play_screen(self) -> PlayScreen | None:
        screen = self.app.screen_stack[0]
        return screen if isinstance(screen, PlayScreen) and screen.there else None

    @property
    def marked(self) -> Move | None:
        """The move under the cursor of the board."""
        board = self.play_screen.board if self.play_screen is not None else None
        return board.cursor.move if board is not None else None

    def value(self, state: State) -> int | None:
        """Return the value of a position for the player to move: 1 won, −1 lost; None if it is unknown."""
        if (outcome := base.outcome(state)) != base.GOING_ON:
            return -outcome  # the outcome is that of the player who just moved; nobody draws here
        if self.run is None or self.run.training.truth is None:
            return None
        node = node_at(self.run.training.truth.graph, state)
        return int(self.run.training.truth.values[node]) if node >= 0 else None

    def value_after(self, ply: int) -> int | None:
        """Return the value of the game's position after so many moves, for the player to move there."""
        return self.value(self.session.record.state_at(ply)) if self.session is not None else None
