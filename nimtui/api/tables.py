"""`nimtui.load`: a learned table, as a mapping from positions to the scores of their moves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from nimtui import games
from nimtui.agents import registry
from nimtui.agents.learned import OfTable
from nimtui.api.door import checked
from nimtui.api.games import Game, own_files
from nimtui.errors import InputError
from nimtui.learning import export, report, saved_tables
from nimtui.learning import table as learned
from nimtui.report.document import document, read_back


class Table(Mapping[str, dict[str, float]]):
    """The scores of a learner: `table["1,4,5"]` is the score of each move there. It plays wherever an agent is taken.

    Its keys are the names of the positions that the learner met. Any other position of the game has the scores from
    before any game.
    """

    def __init__(self, table: learned.Table) -> None:
        self._table = table
        self.game = Game(table.game)
        self.learner = table.learner
        self.seed = table.seed
        self.games = table.games

    def best_moves(self, position: str | None = None) -> list[str]:
        """Return the moves of the highest score [default: at the start]. Raises InputError for an invalid position."""
        state = self.game.state(position)
        return [self.game.rules.move_name(move, state) for move in self._table.best_moves(state)]

    def visits(self, position: str | None = None) -> dict[str, int]:
        """Return how often the learner played each move. Raises InputError for an invalid position."""
        state = self.game.state(position)
        return {self.game.rules.move_name(move, state): count for move, count in self._table.visits_of(state).items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `nimtui table FILE --json`, with every position and its optimal moves."""
        return read_back(document(report.positions(self._table, list(export.positions(self._table)))))

    def as_agent(self) -> str:
        """Return the name under which it plays in this process: 'quality-5000', after 5,000 games."""
        word = self.learner.partition(":")[0]
        return registry.enter(self._table, f"{word}-{self.games}", self._playing)

    def _playing(self, game: games.Game, name: str) -> OfTable:
        if self._table.game != game:
            raise InputError(f"the table {name} is for {self._table.game.name}, not for {game.name}")
        return OfTable(self._table, name, name)

    def __getitem__(self, position: str) -> dict[str, float]:
        state = self.game.state(position)
        return {self.game.rules.move_name(move, state): score for move, score in self._table.scores(state).items()}

    def __contains__(self, position: object) -> bool:
        try:
            return isinstance(position, str) and any(self._table.visits_of(self.game.state(position)).values())
        except InputError:
            return False

    def __iter__(self) -> Iterator[str]:
        return (self.game.rules.position_name(row.state) for row in self._table.rows())

    def __len__(self) -> int:
        return len(self._table.numbers)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<table of {self.learner} on {self.game.name}: {self.games:,} games, {len(self):,} positions>"


@checked
def load(file: str | os.PathLike[str]) -> Table:
    """Return the table in a file of `nimtui train --save`, or of the name that you taught ('NAME', 'NAME@2').

    Raises InputError if there is no such table, or the file is damaged.
    """
    own_files()
    return Table(saved_tables.load(os.fspath(file)).table)
