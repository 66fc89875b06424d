"""The set-up of a search: game, position and settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.playing.setup import parse_game, parse_position
from nimtui.report.copies import Copy, command
from nimtui.ui.kit.contract import Preset

if TYPE_CHECKING:
    from nimtui.trees.settings import Settings

FLAT = "mc"  # flat Monte Carlo: no tree, but a table of intervals


@dataclass(frozen=True, slots=True)
class SearchSetup:
    """One search as texts. `validate` checks them."""

    game: str = "nim:1,2,3,4"
    position: str | None = None  # None: the game's own start
    search: str = "alphabeta:depth=6"

    @property
    def flat(self) -> bool:
        """Is this flat Monte Carlo, which has no tree?"""
        return self.search.strip().lower().partition(":")[0] == FLAT

    @property
    def agent(self) -> str:
        """The name of the agent that searches like this: agents take their seed from the command."""
        return self.search if self.flat else replace(parse_settings(self.search), seed=0).name

    @property
    def command(self) -> Copy:
        """The command that searches like this; flat Monte Carlo only rates moves."""
        options = {"agent" if self.flat else "algorithm": self.search}
        return command("moves" if self.flat else "search", self.game, position=self.position, **options)

    def validate(self) -> SearchSetup:
        """Return the set-up in canonical form. Raises InputError with one line if a text is wrong, or if the search is
        impossible.
        """
        game = parse_game(self.game)
        position = parse_position(self.position or "", game)
        if self.flat:
            from nimtui.agents import parse_agent

            name = parse_agent(self.search, game).name
        else:
            from nimtui.trees import search_of

            settings = parse_settings(self.search)
            search = search_of(game, game.new(position), settings)  # refuses what does not fit, allocates nothing
            name = search.settings.name
        return SearchSetup(self.game.strip(), position, name)


def parse_settings(text: str) -> Settings:
    """Return the settings of this name. Raises InputError if there are none."""
    if not text.strip():
        raise InputError("name a search algorithm: minimax, alphabeta, mcts or mc")
    from nimtui.trees.settings import parse  # imports the games, which the start screen does not need

    return parse(text)


PRESETS = (  # the first one plays well; alpha-beta's counts come out only with the document's heuristic
    Preset(
        "Nim 1,2,3,4, alpha-beta to the end",
        "plays perfectly; every cutoff",
        SearchSetup("nim:1,2,3,4", None, "alphabeta:depth=-1"),
    ),
    Preset(
        "Nim 1,2,3,4, alpha-beta to depth 4",
        "document's heuristic: 669 nodes",
        SearchSetup("nim:1,2,3,4", None, "alphabeta:depth=4,heuristic=original"),
    ),
    Preset(
        "Nim 1,2,3,4, minimax to depth 4",
        "document's heuristic: 2,978 nodes",
        SearchSetup("nim:1,2,3,4", None, "minimax:depth=4,heuristic=original"),
    ),
    Preset(
        "Connect Four, 4 × 4, alpha-beta to 7",
        "document's heuristic: 2,005 nodes",
        SearchSetup("connect4:4x4", None, "alphabeta:depth=7,heuristic=original"),
    ),
    Preset(
        "Connect Four, 4 × 4, minimax to 7",
        "document's heuristic: 20,921 nodes",
        SearchSetup("connect4:4x4", None, "minimax:depth=7,heuristic=original"),
    ),
    Preset(
        "Nim 1,2,3,4, best moves first, table",
        "how many nodes these two save",
        SearchSetup("nim:1,2,3,4", None, "alphabeta:depth=8,order=best-first,table=65536"),
    ),
    Preset(
        "21 matches, take 1 to 3, misère: MCTS",
        "500 simulations in four phases",
        SearchSetup("subtraction:21,3:misere", None, "mcts:simulations=500,c=1.0"),
    ),
    Preset(
        "A textbook's tree, alpha-beta",
        "drawn as in books; prunes 4 and 6",
        SearchSetup("tree:((3,12,8),(2,4,6),(14,5,2))", None, "alphabeta:depth=-1"),  # source: Russell and Norvig
    ),
    Preset(
        "Nim 3,5,4,2,6, misère, Monte Carlo",
        "40,000 playouts: all moves equal",
        SearchSetup("nim:3,5,4,2,6:misere", None, "mc:playouts=40000"),  # source: flat Monte Carlo
    ),
)
