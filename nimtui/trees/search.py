"""Searches one position by any algorithm."""

from __future__ import annotations

from nimtui.games import Game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.trees.recorded import RecordedTree
from nimtui.trees.result import Result, Searching, Standing
from nimtui.trees.settings import MCTS, Settings

MOST_NODES = 4_000_000  # recorded at most: 100 MB


class Search:
    """A search that can be run, read, stopped and continued.

    Raises InputError if the search is impossible, before anything is allocated: the game is over, memory would not
    suffice, or the depth is out of reach.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        settings: Settings,
        record: bool = True,
        most_nodes: int = MOST_NODES,
    ) -> None:
        self.game, self.state = game, state
        self.searching: Searching
        if settings.algorithm == MCTS:
            from nimtui.trees.mcts_search import MctsSearch

            self.searching = MctsSearch(game, state, settings, record, most_nodes)
        else:
            from nimtui.trees.depth_first import DepthFirst

            self.searching = DepthFirst(game, state, settings, record, most_nodes)

    def run(self, progress: Progress = SILENT) -> Search:
        """Search to the end, in chunks of about 20 ms. After a cancel, the next `run` continues."""
        self.searching.run(progress)
        return self

    @property
    def settings(self) -> Settings:
        """The settings; a search that was extended has those of its new end."""
        return self.searching.settings

    @property
    def finished(self) -> bool:
        return self.searching.finished

    @property
    def trees(self) -> int:
        """How many trees it has started to record, one after the other: the nodes of each have numbers of their own."""
        return self.searching.trees

    @property
    def result(self) -> Result:
        """The result so far."""
        return self.searching.result

    @property
    def standing(self) -> Standing:
        """How far the search has come; cheap between two chunks."""
        return self.searching.standing

    @property
    def tree(self) -> RecordedTree:
        """The recorded nodes: a `tree.Tree`, or the `GrowingTree` of Monte Carlo tree search."""
        return self.searching.tree

    @property
    def nodes(self) -> int:
        """The visited nodes so far; cheap enough for a progress display."""
        return self.searching.nodes

    @property
    def bytes_needed(self) -> int:
        """The most memory the search can take, in bytes, known before it allocates any."""
        return self.searching.bytes_needed
