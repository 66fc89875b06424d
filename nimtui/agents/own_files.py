"""Loads the games, learners and agents in the person's own folders."""

from __future__ import annotations

from functools import cache

from nimtui.store import paths


@cache
def add_own_files() -> tuple[str, ...]:
    """Load the own files once per process. Returns a line for each file that is left out."""
    from nimtui import quarantine

    faults: list[str] = []
    if paths.games().is_dir():  # otherwise the import can wait
        from nimtui.games import registry as games

        faults += quarantine.add_folder(paths.games(), "game", games.add_folder)
    if paths.learners().is_dir():
        from nimtui.learning import learner

        faults += quarantine.add_folder(paths.learners(), "learner", learner.add_folder)
    if paths.agents().is_dir():
        from nimtui.agents import registry

        faults += quarantine.add_folder(paths.agents(), "agent", registry.add_folder)
    return tuple(faults)
