"""Where things are kept: the platform's data folder, or what NIMTUI_HOME names."""

from __future__ import annotations

import os
from pathlib import Path

from nimtui.foreign.paths import named
from nimtui.store.errors import unwritable


def home() -> Path:
    """The folder of everything that is kept. It need not exist yet."""
    chosen = os.environ.get("NIMTUI_HOME", "").strip()
    if chosen:
        return named(chosen)
    import platformdirs  # only where the platform has to be asked

    return platformdirs.user_data_path("nimtui", appauthor=False)


def games() -> Path:
    """The folder whose Python files are a person's own games."""
    return home() / "games"


def tables() -> Path:
    """The folder of the tables that agents keep."""
    return home() / "tables"


def runs() -> Path:
    """The folder of the app's training runs."""
    return home() / "runs"


def learners() -> Path:
    """The folder whose Python files are a person's own learners."""
    return home() / "learners"


def agents() -> Path:
    """The folder whose Python files are a person's own agents."""
    return home() / "agents"


def verdicts() -> Path:
    """The folder of what checks of a person's own files have found."""
    return home() / "checked"


def database() -> Path:
    """The file of the database: tournaments and games."""
    return home() / "nimtui.sqlite"


def settings() -> Path:
    """The file of the settings."""
    return home() / "settings.json"


def reports() -> Path:
    """The folder of the reports on the program's own faults."""
    return home() / "reports"


def ensure(folder: Path) -> Path:
    """Make a folder, and those above it, where it is missing. StoreError where that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise unwritable(folder, fault) from None
    return folder
