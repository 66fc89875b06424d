"""The places of stored data: the platform's data folder, or the folder in NIMTUI_HOME."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from nimtui.foreign.reading import named
from nimtui.store.errors import raising, unwritable

KEYS = "keys.toml"


def home() -> Path:
    """Return the data folder. It may not exist yet."""
    chosen = os.environ.get("NIMTUI_HOME", "").strip()
    if chosen:
        return named(chosen)
    import platformdirs  # slow to import: only if the platform decides

    return platformdirs.user_data_path("nimtui", appauthor=False)


def place(name: str) -> Callable[[], Path]:
    """Return a function that returns the file or folder of this name in the data folder."""
    return lambda: home() / name


games = place("games")  # a person's own games, as Python files
learners = place("learners")  # a person's own learners, as Python files
agents = place("agents")  # a person's own agents, as Python files
programs = place("programs")  # a person's own programs, each a file or a folder
tables = place("tables")  # the tables that agents store
runs = place("runs")  # the app's training runs
texts = place("texts")  # long texts, such as trees, each under the name of its content
verdicts = place("checked")  # the verdicts on a person's own files
reports = place("reports")  # reports of internal errors
database = place("nimtui.sqlite")  # the database with tournaments and games
settings = place("settings.json")
keys = place(KEYS)  # in which a person gives keys to actions
OWN_CODE = {"game": games, "learner": learners, "agent": agents}  # the folders, by what their files hold


def ensure(folder: Path) -> Path:
    """Create a folder and its parents if missing, and return it. Raise StoreError if that fails."""
    with raising(unwritable, folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder
