"""A person's own games, learners and agents: every Python file of a folder, loaded once; one that fails gets a line."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType


def add_folder(folder: Path, kind: str, add: Callable[[ModuleType], None]) -> list[str]:
    """Load the files (*.py) of a folder and `add` each, in the order of their names.

    `kind` is what they are: 'game', 'learner'. Returns a line for each that could not be used.
    """
    faults = []
    for path in sorted(folder.glob("*.py")) if folder.is_dir() else ():
        name = f"nimtui_{kind}s_{path.stem}"
        if name in sys.modules:
            continue
        try:
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
            add(module)
        except Exception as fault:  # noqa: BLE001 - a person's own file may fail in any way
            sys.modules.pop(name, None)
            said = " ".join(str(fault).split())
            faults.append(f"the {kind} file {path} cannot be used: {type(fault).__name__}: {said}")
    return faults
