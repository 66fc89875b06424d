"""The places of stored data: the platform's data folder, or the folder in NIMTUI_HOME."""

from __future__ import annotations

import os
from pathlib import Path

from nimtui.foreign.reading import named
from nimtui.store.errors import unwritable

KEYS = "keys.toml"


def home() -> Path:
    """Return the data folder. It may not exist yet."""
    chosen = os.environ.get("NIMTUI_HOME", "").strip()
    if chosen:
        return named(chosen)
    import platformdirs  # slow to import: only if the platform decides

    return platformdirs.user_data_path("nimtui", appauthor=False)


def games() -> Path:
    """Return the folder with a person's own games, as Python files."""
    return home() / "games"


def tables() -> Path:
    """Return the folder with the tables that agents store."""
    return home() / "tables"


def runs() -> Path:
    """Return the folder with the app's training runs."""
    return home() / "runs"


def learners() -> Path:
    """Return the folder with a person's own learners, as Python files."""
    return home() / "learners"


def agents() -> Path:
    """Return the folder with a person's own agents, as Python files."""
    return home() / "agents"


OWN_CODE = {"game": games, "learner": learners, "agent": agents}  # the folders, by what their files hold


def programs() -> Path:
    """Return the folder with a person's own programs, each a file or a folder."""
    return home() / "programs"


def texts() -> Path:
    """Return the folder with long texts, such as trees, each under the name of its content."""
    return home() / "texts"


def verdicts() -> Path:
    """Return the folder with the verdicts on a person's own files."""
    return home() / "checked"


def database() -> Path:
    """Return the file of the database with tournaments and games."""
    return home() / "nimtui.sqlite"


def settings() -> Path:
    """Return the file with the settings."""
    return home() / "settings.json"


def keys() -> Path:
    """Return the file in which a person gives keys to actions."""
    return home() / KEYS


def reports() -> Path:
    """Return the folder with reports of internal errors."""
    return home() / "reports"


def ensure(folder: Path) -> Path:
    """Create a folder and its parents if missing, and return it. Raise StoreError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise unwritable(folder, fault) from None
    return folder
