"""Shows a search: the tree, the board of the marked node, its windows, and facts; and moves in the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message

from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.tree import GameTree
from nimtui.report.blocks import Report
from nimtui.report.copies import Copy
from nimtui.report.lines import BLANK, Ink, Line, cut, line
from nimtui.trees import report as search_words
from nimtui.trees.tree import RecordedTree
from nimtui.ui.board import small_board
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Paint, Panel, Panels, of_report
from nimtui.ui.kit.widgets.virtual_list import Rows, VirtualList
from nimtui.ui.kit.work_screen import Said
from nimtui.ui.search import view as search_view
from nimtui.ui.search.outline import MOST_LINES, Outline, WindowSource
from nimtui.ui.search.rows import Row, bars, ends_of
from nimtui.ui.search.rows import Rows as Painter
from nimtui.ui.search.walk import MOST_GROWING, Walk, WindowSlider, windows_to
from nimtui.ui.search.work import SearchWork

Still = Callable[[int], AbstractContextManager[bool]]
"""Holds the search while its tree is read, after so many tries; gives False if that is not possible now."""
TRIES = 4  # of a key: 0.2 seconds


class SearchTree(VirtualList, inherit_bindings=False, place="tree"):
    """Shows an `Outline` with one marked line. It reads the tree of a running search only while that stands still, and
    remembers the painted lines for the time in between.

    Home and End are not its keys: on the Search screen they go to the first and last event.
    """

    BINDING_GROUP_TITLE = "Tree"

    class Moved(Message):
        """The marked line or the folds changed."""

    outline: Outline | None = None
    _painter: Painter

    def __init__(self, still: Still, id: str | None = None) -> None:
        super().__init__(id=id, classes="box")
        self._still = still
        self._painted_lines: dict[int, Row] = {}  # by place
        self._painted_for: tuple[int, Glyphs] | None = None  # columns and signs

    def read(self, painter: Painter) -> None:
        """Paint the visible lines of an outline, for `look` to show. The search must stand still."""
        if painter.outline is not self.outline:
            self.top = 0
        self.outline, self._painter = painter.outline, painter
        self._painted_lines.clear()
        if self.size.area:
            places = self.shown_places(self._rows_of(self.outline))
            self._paint_missing(places, self.size.width, shell(self).glyphs)

    def close(self) -> None:
        """Show nothing."""
        self.outline = None
        self.put(None)

    def look(self) -> None:
        """Show the outline."""
        if self.outline is not None:
            self.put(self._rows_of(self.outline))

    def _rows_of(self, outline: Outline) -> Rows:
        return Rows(len(outline), outline.at, self._lines, self._mark, self.turn)

    def _lines(self, places: Sequence[int], columns: int, signs: Glyphs) -> Sequence[Line]:
        at = self.outline.at if self.outline is not None else 0
        painted = self._painted_lines
        if self._painted_for != (columns, signs) or any(place not in painted for place in places):
            with self._still(1) as still:
                if still:
                    self._paint_missing(places, columns, signs)
        head = cut(line((self._painter.head(columns, signs), Ink.COLUMN)), columns, signs.hidden)
        rows = ((place, painted.get(place)) for place in places)
        return [head, *(BLANK if row is None else row.line(place == at, columns, signs) for place, row in rows)]

    def _paint_missing(self, places: Sequence[int], columns: int, signs: Glyphs) -> None:
        if self._painted_for != (columns, signs):
            self._painted_for = (columns, signs)
            self._painted_lines.clear()
        for place in places:
            if place not in self._painted_lines:
                self._painted_lines[place] = self._painter.row(place, columns, signs)

    def _mark(self, place: int) -> None:
        if self.outline is not None and place != self.outline.at:
            self.outline.at = place
            self._moved()

    def _moved(self) -> None:
        self.look()
        self.post_message(self.Moved())

    def _fold(self, change: Callable[[Outline], object]) -> None:
        """Fold or unfold while the search stands still; if it does not come to that, the key has no effect."""
        outline = self.outline
        if outline is None:
            return
        with self._still(TRIES) as still:
            if not still or not change(outline):
                return
            self.read(self._painter)
        self._moved()

    def unfold(self) -> None:
        """Unfold the marked line; if it is, go one line down."""
        if self.outline is not None and self.outline.is_open(self.outline.at):
            self.step(1)
        else:
            self._fold(lambda outline: outline.open(outline.at))

    def fold(self) -> None:
        self._fold(Outline.step_out)

    def turn(self) -> None:
        self._fold(lambda outline: outline.close(outline.at) or outline.open(outline.at))

    ROWS: ClassVar[tuple[Command[SearchTree], ...]] = (
        *family("step", VirtualList.step, ("up,k", "Up", "Go one line up", -1)),
        *family("step", VirtualList.step, ("down,j", "Down", "Go one line down", 1)),
        *family("page", VirtualList.page, ("pageup", "Page up", "Go one page up", -1)),
        *family("page", VirtualList.page, ("pagedown", "Page down", "Go one page down", 1)),
        Command("right,l", "unfold", "Unfold", "Unfold; if unfolded, go one line down", unfold, show=False),
        Command("left,h", "fold", "Fold", "Fold; if folded, go to the parent", fold, show=False),
        Command("enter", "turn", "Fold or unfold", "Fold or unfold", turn, show=False),
    )


MOST_BOARD = 9  # lines of the board on a screen that is not wide
FILTERS = {  # what each shows, and its key
    "principal": ("Only the best line", "p"),
    "cuts": ("Only cutoffs", "f"),
    "wins": ("Only positions won for the root player", "w"),
}
WIDE = 120  # from this many columns on there is room for more
nothing = of_report(Report([]))  # the painter of an empty panel


class SearchStage(Horizontal, Panels):
    """Draws the conductor's search and moves in it."""

    def __init__(self, conductor: SearchWork) -> None:
        super().__init__()
        self.conductor = conductor
        self.walk = Walk(conductor.lineage)
        self._looking = False  # is a look at the tree due?

    def compose(self) -> ComposeResult:
        yield SearchTree(self.conductor.still, id="tree").headed("Search tree", "The search tree will stand here.")
        yield Panel(id="table", classes="box").headed("Moves of the root: share of the playouts won")
        with Vertical(id="side"):
            yield Panel(id="board", classes="box").headed("Board", "The position at the marked line will stand here.")
            yield Panel(id="window", classes="box").headed("Windows", "α and β of the marked line will stand here.")
            yield Panel(id="moves", classes="box").headed("Moves of the root", "Their values will stand here.")
            yield Panel(id="facts", classes="box").headed("Counts", "Nodes, leaves and cutoffs will stand here.")
            yield Panel(id="why", classes="box").headed("Why moves were pruned", "The reasons will stand here.")

    def on_resize(self) -> None:
        self._share_room()
        self.call_after_refresh(self.draw)

    @property
    def shown(self) -> SearchTree:
        return self.query_one(SearchTree)

    @property
    def walking(self) -> bool:
        """Is a tree shown?"""
        return self.walk.outline is not None and self.walk.lineage == self.conductor.lineage

    @property
    def windows(self) -> bool:
        """Is it the tree of a search with windows (minimax or alpha-beta)?"""
        return self.walking and self._windows is not None

    @property
    def _windows(self) -> WindowSource | None:
        """The source of the tree, if its search has windows."""
        return self.walk.source if isinstance(self.walk.source, WindowSource) else None

    @property
    def _outline(self) -> Outline:
        """The lines of the tree. Whoever asks for them is `walking`."""
        assert self.walk.outline is not None
        return self.walk.outline

    @property
    def _tree(self) -> RecordedTree:
        """The tree that is shown."""
        return self._outline.source.tree

    # Drawing.

    def draw(self) -> None:
        """Draw the current search, as far as it has come; open a new tree at its root.

        The search stands still only while its tree is read.
        """
        self._looking = False
        conductor = self.conductor
        if self.walk.lineage != conductor.lineage:
            self.walk = Walk(conductor.lineage)
            self.shown.close()
        self._share_room()
        flat = conductor.flat is not None
        with conductor.still() as still:
            side = self._read() if still else []
        self.set_class(flat, "-table")
        self.set_class(self.walking and not self.windows, "-growth")
        if flat:
            self.fill("table", search_view.intervals(conductor))
        else:
            self.shown.look()
        for name, paint in side:
            self.fill(name, paint)

    def _read(self) -> list[tuple[str, Paint]]:
        """Read the tree; return what the panels beside it show."""
        walk, search, found = self.walk, self.conductor.search, self.conductor.found
        if search is not None and found is None and walk.look(search):
            self.conductor.standing = search.standing
        elif search is not None and found is not None and found is not walk.found:
            walk.open(found, search)
        if walk.found is not None and not walk.touched and self.shown.size.area:
            walk.unfold_best(self.shown.room if self._large else 0)
        if walk.rows is not None:
            walk.rows.truths = {each.truth.move: each for each in search_view.judgements(self.conductor)}
            self.shown.read(walk.rows)
        return self._side()

    def _share_room(self) -> None:
        """Give the board the lines it needs, if there are enough."""
        game, board = self.conductor.game, self.query_one("#board", Panel)
        rows = 0 if game is None else len(game.cells(game.start) or ()) or small_board.tree_height(game)
        if not self._large:
            board.styles.height = max(3, min(MOST_BOARD, rows + 2))
        else:
            board.styles.clear_rule("height")

    def _side(self) -> list[tuple[str, Paint]]:
        """Return what the panels beside the tree show."""
        conductor, source, slider = self.conductor, self._windows, self.walk.slider
        panels = [("board", self._board()), ("moves", search_view.root_moves(conductor))]
        if not self.walking:
            facts = search_view.facts(conductor, [], [conductor.fault] if conductor.fault else [], [])
            return [*panels, ("facts", facts), ("window", nothing), ("why", nothing)]
        if isinstance(conductor.root, GameTree) and conductor.game is not None and self.walk.rows is not None:
            panels[0] = "board", search_view.book(conductor.game, conductor.root, self._moves, self.walk.rows)
        node, wide = self._outline.node, self.app.size.width >= WIDE
        if isinstance(slider, WindowSlider):
            windows, scale = slider.windows(node), slider.scale
        else:
            windows = [] if source is None else windows_to(source.tree, node)
            scale = ends_of(windows)
        event = slider is not None and slider.at is not None
        sentences = slider.sentences if slider is not None else []
        if not sentences and source is not None and source.leaves_out(node):
            sentences = [search_words.why_cut(source.tree, node)]
        counts = slider.counts if slider is not None else []
        counts, memory = (counts, []) if counts else search_view.counted(conductor, source, node, wide)
        return [
            *panels,
            ("facts", search_view.facts(conductor, counts, [] if self._large else sentences, memory)),
            ("window", bars(windows, scale)),
            ("why", search_view.why(sentences, event, source, node)),
        ]

    @property
    def _large(self) -> bool:
        """Is there room for a large board, and for the reasons in a box of their own?"""
        return self.screen.has_class("-large")

    def _board(self) -> Paint:
        """Return the board after the moves of the marked line. Reads nothing of the tree."""
        framed = self.screen.has_class("-framed")
        return search_view.board(self.conductor.game, self.conductor.root, self._moves, framed)

    @property
    def _moves(self) -> tuple[Move, ...]:
        """The moves from the root to the marked line. Reads nothing of the tree."""
        return self._outline.moves(self._outline.at) if self.walking else ()

    def on_search_tree_moved(self, message: SearchTree.Moved) -> None:
        """Show the marked position at once, and the rest as soon as the keys that wait are done."""
        self.walk.folds.mark, self.walk.touched = None, True
        if not isinstance(self.conductor.root, GameTree):  # its picture reads the tree
            self.fill("board", self._board())
        if not self._looking:
            self._looking = True
            self.call_after_refresh(self.draw)

    def state(self) -> State:
        """The position of the marked node."""
        return self._tree.state(self._outline.node)

    def copies(self) -> list[Copy]:
        """Return the marked position and the path to it. Reads nothing of the tree."""
        game, state = self.conductor.game, self.conductor.root
        return [] if game is None or state is None else of_node(game, state, self._moves)

    # Moving in the tree.

    def _say(self, text: str) -> None:
        self.post_message(Said(text))

    def _goto(self, node: int) -> None:
        self.walk.leave_time()
        self._outline.reveal(node)
        self.draw()

    def next_cut(self, backwards: bool) -> None:
        """Mark what the next cutoff pruned, further down the tree or up."""
        source, outline = self._windows, self._outline
        node = None if source is None else source.tree.next_cut(outline.node, backwards)
        if node is None:
            self._say(f"No cutoff further {'up' if backwards else 'down'}")
        else:
            self.walk.leave_time()
            outline.reveal(node)
            outline.open(outline.at)
            if (place := outline.place(~node)) is not None:
                outline.at = place
            self.draw()

    def toggle_filter(self, name: str) -> None:
        """Show only the best line, the cutoffs or the wins; the same filter again shows all."""
        outline, source = self._outline, self._windows
        self.walk.leave_time()
        self.walk.filter = "" if self.walk.filter == name else name
        if not self.walk.filter:
            outline.alone(outline.node)
        elif source is not None and name != "principal":
            outline.show(*(source.cuts() if name == "cuts" else source.wins()))
        else:
            self.walk.show_principal()
        nodes, key = FILTERS[name]
        self._say(f"{nodes}. Press {key_of(f'search.{name}', key)} to show all" if self.walk.filter else "")
        self.draw()

    def fold_to(self, ply: int) -> None:
        """Unfold the tree to this depth."""
        self.walk.filter = ""
        self.walk.leave_time()
        most, end = (MOST_LINES, "") if self.conductor.found else (MOST_GROWING, ": pause first (space)")
        if self._outline.fold_to(ply, most):
            self._say(f"{len(self._outline):,} lines, unfolded to depth {ply}")
        else:
            self._say(f"More than {most:,} lines at depth {ply}{end}")
        self.draw()

    def find(self, text: str) -> None:
        """Go to the node after these moves, or the first of a position. Raises InputError if there is none."""
        game, state = self.conductor.game, self.conductor.root
        if game is None or state is None or not self.walking:
            raise InputError("no search tree yet")
        try:
            at, moves = base.copy(state), []
            for word in text.replace(",", " ").split():
                moves.append((game.parse_move(word, at), word))
                base.play(at, moves[-1][0])
        except InputError as fault:
            node = self._of_position(game, text, fault)
        else:
            node = 0
            for move, word in moves:
                node = self._child(node, move, word)
        self._goto(node)

    def _of_position(self, game: Game, text: str, no_moves: InputError) -> int:
        """Return the first node of a position. If the text is no position, raise the error it gave as moves."""
        try:
            state = game.new(text)
        except InputError:
            raise no_moves from None
        nodes = self._tree.find_position(state)
        if not nodes:
            raise InputError(f"{text.strip()} is not in this tree")
        return nodes[0]

    def _child(self, node: int, move: int, word: str) -> int:
        for child in self._outline.source.children(node):
            if self._tree.move(child) == move:
                return child
        why = search_words.why_cut(self._windows.tree, node) if self._windows is not None else ""
        raise InputError(f"{word} was not searched" + (f": {why}" if why else ""))

    def next_same(self) -> None:
        """Go to the next node with the same position."""
        if self._windows is not None:
            node = self._outline.node
            same = self._windows.tree.same(node)
            after = next((other for other in same if other > node), same[0])
            if after == node:
                self._say("This position occurs only here")
            else:
                self._goto(after)

    # Moving in time.

    def seek(self, at: int | None) -> None:
        """Show the search after this event; None: the whole search."""
        if (slider := self.walk.slider) is not None:
            self.walk.filter = ""
            slider.go(None if at is None else max(0, min(len(slider) - 1, at)))
            self._outline.alone(slider.node)
            self.draw()

    def step(self, by: int) -> bool:
        """Go this many events further; return False at an end."""
        if (slider := self.walk.slider) is None:
            return False
        if by > 0 and slider.at is None:
            self.seek(slider.begin(self._outline.node))
            return True
        target = (len(slider) if slider.at is None else slider.at) + by
        self.seek(None if target >= len(slider) else target)
        return 0 < target < len(slider)

    def to_cut(self, backwards: bool) -> None:
        """Go to the event of the next cutoff, or of the one before."""
        if (slider := self.walk.slider) is not None:
            if slider.at is None and not backwards:
                slider.go(slider.begin(self._outline.node))
            at = slider.next_cut(backwards)
            if at is None and backwards:
                self._say("No earlier cutoff")
            else:
                self.seek(at)


def of_node(game: Game, root: State, moves: Sequence[Move]) -> list[Copy]:
    """Return the position of the node after these moves, and the moves."""
    at, _, names = small_board.replayed(game, moves, root)
    return [Copy("position", game.position_name(at)), *([Copy("path", " ".join(names))] if names else [])]
