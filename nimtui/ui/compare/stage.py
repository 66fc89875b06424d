"""Shows a comparison: one view of all agents, the board, and what each agent answers; and moves in the table."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from nimtui.games.base import Move
from nimtui.ui.compare import view as compare_view
from nimtui.ui.compare.conductor import CompareConductor
from nimtui.ui.compare.curve_view import curves
from nimtui.ui.compare.depth_table import by_depth
from nimtui.ui.compare.view import HEAD, Place
from nimtui.ui.kit.panel import Panel, Panels
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, TABLE


class CompareStage(Vertical, Panels):
    """Draws the conductor's comparison."""

    def __init__(self, conductor: CompareConductor) -> None:
        super().__init__()
        self.conductor = conductor
        self.place = Place()
        self.view = TABLE

    def compose(self) -> ComposeResult:
        yield Panel(id="main")
        with Horizontal(id="below"):
            yield Panel(id="board")
            yield Panel(id="answers")

    @property
    def tabled(self) -> bool:
        """Is the table shown?"""
        return self.view == TABLE

    @property
    def moves(self) -> list[Move]:
        found = self.conductor.compared
        return [] if found is None else found.moves

    @property
    def move(self) -> Move | None:
        """The marked move; None on the agents' names."""
        moves, row = self.moves, self.place.row
        return moves[row] if 0 <= row < len(moves) else None

    def open(self) -> None:
        """Mark the first move of a new position."""
        self.place = Place(0 if self.moves else HEAD, min(self.place.agent, max(0, len(self.conductor.agents) - 1)))

    def mark(self, move: Move | None) -> None:
        """Mark this move."""
        if move in self.moves:
            self.place = Place(self.moves.index(move), self.place.agent)

    def show(self, view: str) -> None:
        """Show this view, and start what it needs."""
        self.view = view
        if view == CURVE:
            self.conductor.find_curves()
        elif view == DEPTHS:
            self.conductor.by_depth.find()
        self.draw()

    def go(self, down: int, across: int) -> None:
        """Mark another row or agent."""
        self.place = self.place.moved(down, across, len(self.moves), len(self.conductor.agents))
        self.draw()

    def draw(self) -> None:
        conductor = self.conductor
        self.set_class(self.view == DEPTHS, "-alone")
        if self.view == CURVE:
            self.fill("main", curves(conductor, self.place.agent))
        elif self.view == DEPTHS:
            self.fill("main", by_depth(conductor.by_depth))
        else:
            self.fill("main", compare_view.table(conductor, self.place))
        self.fill("board", compare_view.board(conductor, self.move))
        self.fill("answers", compare_view.answers(conductor))
