"""A person's own games, learners and agents: every Python file of a folder, loaded once; one that fails gets a line."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from types import ModuleType

from nimtui.foreign import reading

LARGEST = reading.MEGABYTE  # bytes of a file
LONGEST = 200  # characters of what a person's own code says


def files(folder: Path) -> list[Path]:
    """Return the files of a folder that are loaded, in the order of their names."""
    return sorted(folder.glob("*.py")) if folder.is_dir() else []


def module_name(path: Path, kind: str) -> str:
    """Return what the module of a file is called."""
    return f"nimtui_{kind}s_{path.stem}"


def load(path: Path, kind: str) -> ModuleType:
    """Run a file as a module. Raises whatever the file raises; InputError where it is no ordinary file.

    What is run is what is in the file now: no older compiled form of it is looked for.
    """
    source = reading.contents(path, LARGEST)
    name = module_name(path, kind)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def add_folder(folder: Path, kind: str, add: Callable[[ModuleType], None], but: Collection[Path] = ()) -> list[str]:
    """Load the files (*.py) of a folder `but` for some, and `add` each, in the order of their names.

    `kind` is what they are: 'game', 'learner'. Returns a line for each that could not be used.
    """
    faults = []
    for path in files(folder):
        if path in but or module_name(path, kind) in sys.modules:
            continue
        try:
            add(load(path, kind))
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - a person's own file may fail in any way
            sys.modules.pop(module_name(path, kind), None)
            faults.append(f"the {kind} file {path} cannot be used: {said(fault)}")
    return faults


def in_a_line(what: object, most: int = LONGEST) -> str:
    """Return what a fault or a text says, in one line of at most so many characters; '' where its own code fails."""
    try:
        text = " ".join(str(what)[: 10 * most].split())
    except Exception:  # noqa: BLE001 - a person's own class may fail here too
        return ""
    return text if len(text) <= most else text[: most - 1] + "…"


def said(fault: BaseException) -> str:
    """Return what a fault is called and says, in one line: 'IndexError: index 9 is out of bounds …'."""
    return in_a_line(f"{type(fault).__name__}: {in_a_line(fault)}".removesuffix(": "))
