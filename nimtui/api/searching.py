"""`nimtui.search`: searches a position by minimax, alpha-beta or Monte Carlo tree search."""

from __future__ import annotations

from typing import Any

from nimtui.api.door import checked
from nimtui.api.games import GameLike, game
from nimtui.api.watching import Watch, Watcher
from nimtui.documents.place import place_keys
from nimtui.documents.plain import plain
from nimtui.documents.search import document, run_document
from nimtui.games.base import State
from nimtui.progress import Cancelled
from nimtui.theory.answers import known_moves
from nimtui.trees import Search, parse


class SearchResult:
    """The result of a search. Values are for the player to move."""

    def __init__(self, searched: Search, state: State, given: str | None) -> None:
        self._search, self._state, self._given = searched, state, given
        self._document: dict[str, Any] | None = None
        result, rules = searched.result, searched.game
        self.settings = result.settings.name
        """The search as its canonical name."""
        self.value = result.value
        """Of the position; None if the search was stopped before it had one."""
        self.exact = result.exact
        """Whether this is the value of perfect play."""
        self.best_move = None if result.best_move is None else rules.move_name(result.best_move, state)
        self.principal_variation = rules.line_names(result.principal_variation, state)
        """The best play of both players, as names of moves."""
        self.values = {rules.move_name(found.move, state): found.value for found in result.moves}
        """The value of each move; for alpha-beta, values of later moves are bounds."""
        self.nodes = result.nodes
        self.seconds = result.seconds
        self.finished = result.finished
        """Whether the search came to its end; False after Ctrl+C."""

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `nimtui search --json`. The first call compares the moves with perfect play."""
        if self._document is None:
            rules, state = self._search.game, self._state
            truths = known_moves(rules, state)
            runs = [run_document(rules, state, self._search, truths)]
            self._document = document(rules, state, place_keys(rules, state, self._given), runs, truths, several=False)
        return plain(self._document)

    def __repr__(self) -> str:
        line = " ".join(self.principal_variation) or "no line"
        early = "" if self.finished else ", stopped"
        return f"<{self.settings}: value {self.value}, {line}; {self.nodes:,} nodes{early}>"


@checked
def search(
    on: GameLike, algorithm: str = "alphabeta", position: str | None = None, *, progress: Watch = None
) -> SearchResult:
    """Search a position [default: the start]: `nimtui.search("nim:3,4,5", "alphabeta:depth=4").principal_variation`.

    `algorithm` is minimax, alphabeta or mcts with its options, as docs/searching.md lists them; `mcts:seed=7` has
    a seed. Raises InputError for an invalid game, algorithm or position, and for a search that memory cannot hold.
    Ctrl+C returns the result so far.
    """
    chosen = game(on)
    state = chosen.state(position)
    searched = Search(chosen.rules, state, parse(algorithm), record=False)
    with Watcher("search", progress) as watcher:
        try:
            searched.run(watcher)
        except (Cancelled, KeyboardInterrupt):
            if searched.nodes <= 1:
                raise
    return SearchResult(searched, state, position)
