"""Shows a search: the tree, the board of the marked node, its windows, and facts; and moves in the tree."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.tree import GameTree
from nimtui.report.blocks import Report
from nimtui.report.copies import Copy
from nimtui.trees import report as search_words
from nimtui.trees.tree import RecordedTree
from nimtui.ui.board import book_tree, small_board
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.widgets.panel import Paint, Panel, Panels, of_report
from nimtui.ui.kit.work_screen import Said
from nimtui.ui.search import view as search_view
from nimtui.ui.search.outline import MOST_LINES, Outline, WindowSource
from nimtui.ui.search.rows import WindowRows, bars, ends_of
from nimtui.ui.search.slider import WindowSlider, windows_to
from nimtui.ui.search.tree import SearchTree
from nimtui.ui.search.walk import MOST_GROWING, Walk
from nimtui.ui.search.work import SearchWork

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
        rows = 0 if game is None else len(game.cells(game.start) or ()) or book_tree.height(game)
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
        if isinstance(conductor.root, GameTree) and conductor.game is not None:
            frames = self.walk.rows.frames if isinstance(self.walk.rows, WindowRows) else {}
            book = search_view.book(conductor.game, conductor.root, self._moves, self._outline.source, frames)
            panels[0] = "board", book
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
