"""A search of one position by any algorithm."""

from __future__ import annotations

from nimtui.games import Game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.search.recorded import RecordedTree
from nimtui.search.result import Result, Searching
from nimtui.search.settings import MCTS, Settings

MOST_NODES = 4_000_000  # recorded: 108 MB


class Search:
    """A search that is run, stopped, looked at and gone on with.

    InputError, before anything is allocated, where it cannot be: the position is over, the memory would not suffice,
    the depth is one that no computer reaches.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        settings: Settings,
        record: bool = True,
        most_nodes: int = MOST_NODES,
    ) -> None:
        self.game, self.state, self.settings = game, state, settings
        self.searching: Searching
        if settings.algorithm == MCTS:
            from nimtui.search.mcts_search import MctsSearch

            self.searching = MctsSearch(game, state, settings, record, most_nodes)
        else:
            from nimtui.search.depth_first import DepthFirst

            self.searching = DepthFirst(game, state, settings, record, most_nodes)

    def run(self, progress: Progress = SILENT) -> Search:
        """Search to the end, in chunks of about 20 ms. Cancelled in between it may go on with the next `run`."""
        self.searching.run(progress)
        return self

    @property
    def result(self) -> Result:
        """What has been found as far as it came."""
        return self.searching.result

    @property
    def tree(self) -> RecordedTree:
        """The nodes that were recorded: a `tree.Tree`, or the `GrowingTree` of Monte Carlo tree search."""
        return self.searching.tree

    @property
    def nodes(self) -> int:
        """How many have been visited: cheap, for watching."""
        return self.searching.nodes

    @property
    def bytes_needed(self) -> int:
        """The most memory it can take, known before any of it is taken."""
        return self.searching.bytes_needed
