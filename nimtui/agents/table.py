"""Plays by a table from a file."""

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
FORMS = (("table:FILE", "the best-scored move of a table that was saved; the rest is the path"),)


class SavedTable(TableAgent):
    """The table is read once, when the agent is named."""

    def __init__(self, game: Game, path: str) -> None:
        """InputError where the file holds no table for this game."""
        file = named(path)
        self.name = f"table:{absolute(file)}"  # it is gone on with from any folder
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
        raise InputError("name the table's file, as in table:FILE")
    return SavedTable(game, path)
