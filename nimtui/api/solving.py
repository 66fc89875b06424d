"""`nimtui.solve` and `nimtui.solve_many`: the exact values of positions.

`nimtui.search`: searches a position by minimax, alpha-beta or Monte Carlo tree search.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.api.door import Report, Watch, Watcher, checked
from nimtui.api.games import Game, GameLike, game
from nimtui.games.notation import plural
from nimtui.games.rule_text import Place
from nimtui.report.blocks import Report as Told
from nimtui.report.document import document, read_back
from nimtui.theory.answers import Values, known_moves, values_of
from nimtui.theory.report import solution
from nimtui.trees import Result, parse, search_of
from nimtui.trees.report import keys, searched


class Solution(Report):
    """The exact value of a position, for the player to move."""

    game: str
    position: str
    outcome: str
    """'win', 'loss' or 'draw'."""
    remoteness: int | None
    """Plies to the end under best play; None in a draw, or if unknown."""
    grundy: int | None
    """The Grundy value; None if the game has none."""
    best_moves: list[str]
    """The moves that keep the outcome: all of them if the position is lost, [] if the game is over."""
    explanation: str
    """Why, in sentences; '' for a game without theory."""
    plain: str
    """What to play and why, in plain words; '' if the game is over."""


@checked
def solve(on: GameLike, position: str | None = None, *, progress: Watch = None) -> Solution:
    """Return the exact value of a position [default: the start]: `nimtui.solve("nim:3,4,5", "1,4,5").best_moves`.

    `to_dict()` is the document of `nimtui solve --json`. Raises InputError for an invalid game or position, and for a
    position that is too large to solve. Ctrl+C raises KeyboardInterrupt: there is no part of an answer.
    """
    chosen = game(on)
    rules, state = chosen.rules, chosen.state(position)
    with Watcher("solve", progress) as watcher:
        solved = solution(Place(rules, state, position), watcher)
        result = Solution(solved.report)
        result.explanation = solved.why
    return result


class Solutions:
    """The exact values of many positions of a game: arrays of NumPy with an entry for each, in their order.

    `solutions[i]` is what `nimtui.solve` returns of that position; it is made when it is read.
    """

    outcome: npt.NDArray[np.str_]
    """'win', 'loss' or 'draw', for the player to move."""
    remoteness: npt.NDArray[np.int64]
    """Plies to the end under best play; −1 in a draw, or if unknown."""
    grundy: npt.NDArray[np.int64]
    """The Grundy value; −1 if the game has none."""
    score: npt.NDArray[np.int64] | None
    """Connect games: 0 draws, ±n wins or loses with n − 1 discs to spare; None for other games."""

    def __init__(self, on: Game, positions: Sequence[str], values: Values) -> None:
        self.game, self.positions = on.name, positions
        self.outcome = np.array(["loss", "draw", "win"])[values.worth + 1]
        self.remoteness, self.grundy, self.score = values.remoteness, values.grundy, values.score
        self._on = on

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, place: int) -> Solution:
        return solve(self._on, self.positions[place])

    def __repr__(self) -> str:
        return f"<{plural(len(self), 'solution', 'solutions')} of {self.game}>"


@checked
def solve_many(on: GameLike, positions: Sequence[str], *, progress: Watch = None) -> Solutions:
    """Return the exact values of positions: `nimtui.solve_many("connect4", ["4455", "4456"]).outcome`.

    Much faster than a call of `solve` for each: positions of connect games are read and solved compiled.

    Raises InputError for a position that is invalid or too large to solve, and names its place from 1.
    """
    chosen = game(on)
    with Watcher("solve", progress) as watcher:
        return Solutions(chosen, positions, values_of(chosen.rules, positions, watcher))


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
