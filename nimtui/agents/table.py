"""The agent that plays by a table from a file."""

from __future__ import annotations

from nimtui.agents.learned import TableAgent
from nimtui.errors import InputError
from nimtui.foreign.paths import absolute, named
from nimtui.games import Game
from nimtui.learning import table_policy
from nimtui.learning.learner import parse_learner
from nimtui.learning.table import Table
from nimtui.progress import Progress

NAMES = ("table",)
FORMS = (("table:FILE", "plays the best-scored move of a saved table; FILE is its path"),)


class SavedTable(TableAgent):
    """Plays by a saved table, which is read when the agent is created."""

    def __init__(self, game: Game, path: str) -> None:
        """Raise InputError if the file holds no table for this game."""
        file = named(path)
        self.name = f"table:{absolute(file)}"  # absolute, so that a tournament can resume from any folder
        super().__init__(game)
        self._saved = Table.load(file)
        if self._saved.game != game:
            raise InputError(f"the table in {path} is for {self._saved.game.name}, not for {game.name}")
        self.title = f"Table {file.name} ({self._saved.learner}, {self._saved.games:,} games)"
        self.memoryless = table_policy.plays_best_scored(parse_learner(self._saved.learner))
        self.prepare()

    def _make(self, progress: Progress) -> Table:
        return self._saved


def parse(word: str, text: str, game: Game) -> SavedTable:
    path = text.strip()
    if not path:
        raise InputError("name the table's file: table:FILE")
    return SavedTable(game, path)
