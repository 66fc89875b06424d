"""Shows a comparison: one view of all agents, the board, and what each agent answers; and moves in the views."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message

from nimtui.games.base import Move
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.compare import parts_view
from nimtui.ui.compare import view as compare_view
from nimtui.ui.compare.view import HEAD, Place, curves
from nimtui.ui.compare.work import CompareWork, Found
from nimtui.ui.kit.panel import Panel, Panels
from nimtui.ui.kit.virtual_list import VirtualList
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP, TABLE, TREES

LEAST = 8  # lines of the effort curves below the table, with their frame
HEADINGS = {
    TABLE: "Moves: exact value, and what each agent believes",
    CURVE: "Moves by effort",
    DEPTHS: "Nodes by depth",
    TREES: "Two search trees",
    MAP: "All positions",
    LIST: "All positions",
}


class CompareStage(Vertical, Panels):
    """Draws the conductor's comparison."""

    @dataclass
    class Opened(Message):
        """The person chose a position of the game."""

        node: int

    def __init__(self, conductor: CompareWork) -> None:
        super().__init__()
        self.conductor = conductor
        self.place = Place()
        self.view = TABLE
        self._mapped: Found | None = None  # that the map and the list show
        self._at = 0  # the marked place of the list

    def compose(self) -> ComposeResult:
        yield Panel(id="main", classes="box -focus")
        yield PositionMap(self._stepped, self._say, id="map", classes="box")
        yield VirtualList(id="list", classes="box")
        with Horizontal(id="below"):
            yield Panel(id="board", classes="box").headed("Position")
            yield Panel(id="answers", classes="box").headed("Answers")
        yield Panel(id="effort", classes="box").headed(HEADINGS[CURVE])

    @property
    def tabled(self) -> bool:
        """Is the table shown?"""
        return self.view == TABLE

    @property
    def planted(self) -> bool:
        """Are two trees shown?"""
        return self.view == TREES and self.conductor.trees.grown is not None

    @property
    def listed(self) -> bool:
        """Is the list of positions shown?"""
        return self.view == LIST and self._mapped is not None

    @property
    def moves(self) -> list[Move]:
        found = self.conductor.compared
        return [] if found is None else found.moves

    @property
    def move(self) -> Move | None:
        """The marked move; None on the agents' names."""
        moves, row = self.moves, self.place.row
        return moves[row] if 0 <= row < len(moves) else None

    @property
    def node(self) -> int:
        """The marked position of the map and the list; −1 for none."""
        found = self._mapped
        return found.listed[self._at] if found is not None and found.listed else -1

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
        elif view == TREES:
            self.conductor.trees.find(self.place.agent)
        elif view in (MAP, LIST):
            self.conductor.everywhere.find(self.place.agent)
        self.draw()
        self._focus()

    def on_mount(self) -> None:
        self._focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)  # there may be room for more

    def _focus(self) -> None:
        """Give the map or the list the keys while it is shown; else they are the screen's."""
        for name in (MAP, LIST):
            self.query_one(f"#{name}").can_focus = name == self.view
        if self.view in (MAP, LIST):
            self.query_one(f"#{self.view}").focus()
        else:
            self.screen.set_focus(None)

    def go(self, down: int, across: int) -> None:
        """Mark another row or agent; in the trees, another line, or fold it."""
        if self.planted:
            trees = self.conductor.trees
            trees.fold(across > 0) if across else trees.go(down)
            self.draw()
            return
        self.place = self.place.moved(down, across, len(self.moves), len(self.conductor.agents))
        self.draw()

    # Drawing.

    def draw(self) -> None:
        conductor = self.conductor
        everywhere = self.view in (MAP, LIST)
        there = everywhere and conductor.everywhere.found is not None
        self.set_class(self.view == DEPTHS, "-alone")
        # Where there is room the answers follow the table, instead of a wide gap.
        roomy = self.screen.has_class("-wide") or self.screen.has_class("-framed")
        follows, needed = self.tabled and bool(self.moves) and roomy, len(self.moves) + 3
        self.query_one("#main").styles.max_height = needed if follows else None
        left = self.size.height - needed - self.query_one("#below").size.height
        self._draw_effort(follows and self.screen.has_class("-framed") and left >= LEAST)
        for name in ("main", "list"):
            self.query_one(f"#{name}", Panel).heading = HEADINGS[self.view]
        self.set_class(there and self.view == MAP, "-map")
        self.set_class(there and self.view == LIST, "-list")
        if there:
            self._draw_positions()
        elif everywhere:
            self.fill("main", parts_view.waiting(conductor.everywhere))
        elif self.view == CURVE:
            self.fill("main", curves(conductor, self.place.agent))
        elif self.view == TREES:
            self.fill("main", parts_view.trees(conductor.trees, conductor))
        elif self.view == DEPTHS:
            self.fill("main", parts_view.by_depth(conductor.by_depth))
        else:
            self.fill("main", compare_view.table(conductor, self.place))
        if there:
            state = self._mapped.atlas.state(self.node) if self._mapped is not None and self.node >= 0 else None
            self.fill("board", compare_view.board(conductor.game, state, None))
            self.fill("answers", parts_view.counts(conductor.everywhere, self.node))
        elif self.planted and (grown := conductor.trees.grown) is not None:
            self.fill("board", compare_view.board(conductor.game, grown.state(conductor.trees.at), None))
            self.fill("answers", parts_view.told(conductor.trees, conductor))
        else:
            self.fill("board", compare_view.board(conductor.game, conductor.state, self.move))
            self.fill("answers", compare_view.answers(conductor))

    def _draw_effort(self, tall: bool) -> None:
        """Draw the effort curves below the answers if there is room; find them once all agents have answered."""
        conductor = self.conductor
        self.set_class(tall, "-tall")
        if tall:
            if not (conductor.working or conductor.over or conductor.curves):
                conductor.find_curves()
            self.fill("effort", curves(conductor, self.place.agent))

    def _draw_positions(self) -> None:
        found, drawn = self.conductor.everywhere.found, self.query_one(PositionMap)
        assert found is not None
        if found is not self._mapped:
            self._mapped, self._at = found, 0
            drawn.set_orders(found.orders, self.node)
            drawn.show(*found.compared.verdicts)
        shown = parts_view.rows(self.conductor.everywhere, self._at, self._go, self._take)
        self.query_one("#list", VirtualList).put(shown)

    # The map and the list.

    def _stepped(self, node: int) -> None:
        """Mark the position under the map's cursor in the list, too."""
        if self._mapped is not None:
            self._at = self._mapped.listed.index(node)
            self.draw()

    def _go(self, place: int) -> None:
        self._at = place
        self.query_one(PositionMap).goto(self.node)
        self.draw()

    def _take(self) -> None:
        if self.node >= 0:
            self.post_message(self.Opened(self.node))

    def _say(self, text: str) -> None:
        self.conductor.message = text
        self.draw()

    def on_position_map_picked(self, message: PositionMap.Picked) -> None:
        self._take()

    def take(self) -> None:
        """Open the marked position of the list; unfold or fold the marked line of the trees."""
        if self.planted:
            self.conductor.trees.toggle()
            self.draw()
        else:
            self._take()

    def part(self) -> None:
        """Go to where the best lines of two trees part."""
        if self.conductor.trees.part():
            self.draw()
