"""Loads the games, learners and agents in the person's own folders."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from nimtui.store import paths


@cache
def add_own_files() -> tuple[str, ...]:
    """Load the own files once per process. Returns a line for each file that is left out."""
    from nimtui import quarantine

    folders = {"game": paths.games(), "learner": paths.learners(), "agent": paths.agents()}
    faults: list[str] = []
    with quarantine.together(folders):
        for kind, folder in folders.items():
            if folder.is_dir():  # otherwise the import can wait
                faults += quarantine.add_folder(folder, kind, _adding(kind))
            elif folder.exists():
                faults.append(f"{folder}: your own {kind}s belong into a folder of this name, but it is a file")
    return tuple(faults)


def _adding(kind: str) -> Callable[[Path, Collection[Path]], list[str]]:
    """Return the function that adds a folder of this kind."""
    if kind == "game":
        from nimtui.games import registry as games

        return games.add_folder
    if kind == "learner":
        from nimtui.learning import learner

        return learner.add_folder
    from nimtui.agents import registry

    return registry.add_folder
