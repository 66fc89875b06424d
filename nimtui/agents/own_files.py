"""What a person has added: the games, learners and agents in the folders of their own."""

from __future__ import annotations

from functools import cache

from nimtui.store import paths


@cache
def add_own_files() -> tuple[str, ...]:
    """Let them take part, once a process; returns a line for each file that could not be used."""
    faults: list[str] = []
    if paths.games().is_dir():  # else nothing needs to be loaded yet
        from nimtui.games import registry as games

        faults += games.add_folder(paths.games())
    if paths.learners().is_dir():
        from nimtui.learning import learner

        faults += learner.add_folder(paths.learners())
    if paths.agents().is_dir():
        from nimtui.agents import registry

        faults += registry.add_folder(paths.agents())
    return tuple(faults)
