"""Loads the games, learners and agents in the person's own folders, and those of installed packages."""

from __future__ import annotations

from functools import cache

from nimtui.foreign.paths import exists
from nimtui.store import paths


@cache
def add_own_files(kinds: tuple[str, ...] = ("game", "learner", "agent")) -> tuple[str, ...]:
    """Load installed packages and own files of these kinds once per process. Returns a line for each left out."""
    from nimtui.check import quarantine
    from nimtui.check.request import registry_of
    from nimtui.process import packages

    places = {"game": paths.games, "learner": paths.learners, "agent": paths.agents}
    folders = {kind: places[kind]() for kind in kinds}
    faults: list[str] = []
    if packages.installed():
        for kind in folders:
            faults += packages.add(kind, registry_of(kind).add)
    with quarantine.together(folders):
        for kind, folder in folders.items():
            if not exists(folder):
                continue  # and the import can wait
            if folder.is_dir():
                faults += quarantine.add_folder(folder, kind, registry_of(kind).add_folder)
            else:
                faults.append(f"{folder}: your own {kind}s belong into a folder of this name, but it is a file")
    return tuple(faults)
