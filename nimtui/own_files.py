"""Loads the games, learners and agents in the person's own folders, and those of installed packages."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from types import ModuleType

from nimtui.foreign.paths import exists
from nimtui.store import paths


@cache
def add_own_files() -> tuple[str, ...]:
    """Load installed packages and own files once per process. Returns a line for each that is left out."""
    from nimtui import packages, quarantine

    folders = {"game": paths.games(), "learner": paths.learners(), "agent": paths.agents()}
    faults: list[str] = []
    if packages.installed():
        for kind in folders:
            faults += packages.add(kind, _registry(kind).add)
    with quarantine.together(folders):
        for kind, folder in folders.items():
            if not exists(folder):
                continue  # and the import can wait
            if folder.is_dir():
                faults += quarantine.add_folder(folder, kind, _adding(kind))
            else:
                faults.append(f"{folder}: your own {kind}s belong into a folder of this name, but it is a file")
    return tuple(faults)


def _adding(kind: str) -> Callable[[Path, Collection[Path]], list[str]]:
    """Return the function that adds a folder of this kind."""
    found: Callable[[Path, Collection[Path]], list[str]] = _registry(kind).add_folder
    return found


def _registry(kind: str) -> ModuleType:
    """Return the module with `add` and `add_folder` for this kind; only then its room is imported."""
    if kind == "game":
        from nimtui.games import registry as games

        return games
    if kind == "learner":
        from nimtui.learning import learner

        return learner
    from nimtui.agents import registry

    return registry
