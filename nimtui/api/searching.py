"""`nimtui.search`: searches a position by minimax, alpha-beta or Monte Carlo tree search."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from nimtui.api.call import Report, Watch, Watcher
from nimtui.api.door import checked
from nimtui.api.games import GameLike, game
from nimtui.games.place import Place
from nimtui.report.blocks import Report as Told
from nimtui.report.document import document, read_back
from nimtui.theory.answers import known_moves
from nimtui.trees import Result, parse, search_of
from nimtui.trees.report import keys, searched


class SearchResult(Report):
    """The result of a search. Values are for the player to move.

    Its text, its document and what is not declared here compare the moves with perfect play, at the first call.
    """

    settings: str
    """The search as its canonical name."""
    value: float | None
    """Of the position; None if the search was stopped before it had one."""
    exact: bool
    """Whether this is the value of perfect play."""
    best_move: str | None
    principal_variation: list[str]
    """The best play of both players, as names of moves."""
    nodes: int
    seconds: float
    finished: bool
    """Whether the search came to its end; False after Ctrl+C."""

    def __init__(self, place: Place, result: Result) -> None:
        self._place, self._result = place, result
        unjudged = read_back(keys(place, result, None))
        self.__dict__ |= {name: unjudged[name] for name in SearchResult.__annotations__}
        self.values = {row["move"]: row["value"] for row in unjudged["moves"]}
        """The value of each move; for alpha-beta, values of later moves are bounds."""

    @cached_property
    def _report(self) -> Told:  # type: ignore[override]
        return searched(self._place, [self._result], known_moves(self._place.game, self._place.state))

    @cached_property
    def _keys(self) -> dict[str, Any]:  # type: ignore[override]
        return read_back(document(self._report))


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
    searching = search_of(chosen.rules, state, parse(algorithm), record=False)
    with Watcher("search", progress) as watcher, watcher.orderly(lambda: searching.nodes > 1):
        searching.run(watcher)
    return SearchResult(Place(chosen.rules, state, position), searching.result)
