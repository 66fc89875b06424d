"""Games, learners and agents of installed packages, which their entry points name.

An entry point of a group in GROUPS names a module as `nimtui new` writes one. The modules run in this process, without
a check: who installs a package trusts it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from nimtui.process.plugins import fault_text, left_out

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS = {"game": "nimtui.games", "learner": "nimtui.learners", "agent": "nimtui.agents"}
ENDINGS = (".dist-info", ".egg-info")
MARK = b"[nimtui."  # how the head of each group starts in the file of a package


def installed() -> bool:
    """Return whether any package names a module. Reads the files itself: importing the reader takes 30 ms."""
    return any(MARK in text for folder in sys.path for text in _texts(folder or "."))


def _texts(folder: str) -> Iterator[bytes]:
    """Yield the entry points of the packages in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for one in entries:
            if one.name.endswith(ENDINGS):
                with suppress(OSError):
                    yield Path(one.path, "entry_points.txt").read_bytes()


def add(kind: str, adding: Callable[[ModuleType], None]) -> list[str]:
    """Call `adding` with each module of this kind, by name. Return a line for each that cannot be used."""
    from importlib.metadata import entry_points

    faults = []
    for point in sorted(entry_points(group=GROUPS[kind]), key=lambda one: one.name):
        try:
            module = point.load()
            if not isinstance(module, ModuleType):
                raise TypeError(f"{point.value} is no module")
            adding(module)
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - another's code may fail in any way
            line = f"the {kind} {point.name}{_from(point)} cannot be used: {fault_text(fault)}"
            faults.append(left_out(line, kind, [point.name]))
    return faults


def _from(point: EntryPoint) -> str:
    """Return ' of the package euclid 1.0', or '' if that is unknown."""
    return "" if point.dist is None else f" of the package {point.dist.name} {point.dist.version}"
