"""The agent that plays by a table from a file, and which files the names of agents name."""

from __future__ import annotations

import re
from pathlib import Path

from nimtui.agents.learned import OfTable
from nimtui.agents.registry import AgentPreset
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.learning import saved_tables
from nimtui.store.claims import Stamp, stamp

NAMES = ("table",)
FILE = re.compile(r"table:(.+)|(?:minimax|alphabeta|mcts):(?:.*,)?value=([^,]+).*", re.IGNORECASE)
FORMS = (("table:FILE", "plays the best-scored move of a saved table: its path, or its name; NAME@2 is version 2"),)


class SavedTable(OfTable):
    """Plays by a saved table, which is read when the agent is created."""

    def __init__(self, game: Game, text: str) -> None:
        """Raise InputError if the text names no table for this game."""
        self.saved = saved = saved_tables.load(text)
        if saved.table.game != game:
            raise InputError(f"the table in {text} is for {saved.table.game.name}, not for {game.name}")
        if saved.taught is None:
            title = f"Table {saved.path.name} ({saved.table.learner}, {plural(saved.table.games, 'game', 'games')})"
        else:
            lessons = plural(saved.version, "lesson", "lessons")
            title = f"{saved.path.stem}@{saved.version} ({plural(saved.table.games, 'game', 'games')}, {lessons})"
        # The name is of one version and from any folder, so that a tournament can resume.
        super().__init__(saved.table, f"table:{saved.called}", title)


def choices(game: Game) -> list[AgentPreset]:
    """Return the tables of this game that the person taught."""
    return [AgentPreset(each.title, f"table:{each.name}") for each in saved_tables.taught_tables(game)]


def file_stamp(agent: str) -> Stamp | None:
    """Return a stamp that changes with every write to the agent's file; None without a file."""
    try:
        return stamp(saved_tables.find(text)[0]) if (text := _file(agent)) else None
    except InputError:
        return None


def plays(agent: str, path: Path) -> bool:
    """Return whether the agent of this canonical name plays by the table or function in a file, in any version."""
    return saved_tables.names(_file(agent), path)


def _file(agent: str) -> str:
    """Return how the agent names its file; '' if it has none."""
    match = FILE.fullmatch(agent.strip())
    return (match[1] or match[2]).strip() if match else ""


def parse(word: str, text: str, game: Game) -> SavedTable:
    if not text.strip():
        raise InputError("name the table's file, as in table:FILE, or a table that you taught: table:NAME")
    return SavedTable(game, text)
