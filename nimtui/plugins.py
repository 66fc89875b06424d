"""A person's own games, learners and agents: every Python file of a folder, loaded once; one that fails gets a line."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from nimtui import children
from nimtui.foreign import reading

LARGEST = reading.MEGABYTE  # bytes of a file
LONGEST = 200  # characters of what a person's own code says

_sources: dict[str, bytes] = {}  # of the modules that are loaded, and of stand-ins
_loaded: dict[str, Loaded] = {}  # by the names of the modules
_chosen: Mapping[Path, Chosen] | None = None  # the files that may be added now; None: any


class Loaded(NamedTuple):
    """A file that was run here as a module."""

    kind: str  # game, learner, agent
    module: str
    path: Path


class Facts(NamedTuple):
    """What an agent's file says of its agents: as much as is needed to offer them, and not to play them."""

    names: tuple[str, ...]  # the words that their names begin with
    forms: tuple[tuple[str, str], ...]  # how they are named, and what they do
    presets: tuple[tuple[str, str], ...]  # titles and names, for choosing


class Chosen(NamedTuple):
    """A file that may be added: what was in it when it was read, and its facts where it need not be run."""

    source: bytes
    facts: Facts | None = None


def files(folder: Path) -> list[Path]:
    """Return the files of a folder that are loaded, in the order of their names."""
    return sorted(folder.glob("*.py")) if folder.is_dir() else []


def contents(path: Path) -> bytes:
    """Return what is in a file now. OSError as the system says; InputError where it is no ordinary file."""
    return reading.contents(path, LARGEST)


def module_name(path: Path, kind: str) -> str:
    """Return what the module of a file is called."""
    return f"nimtui_{kind}s_{path.stem}"


def source_of(module: str) -> bytes:
    """Return the bytes that a module was made from, whatever is in its file now. KeyError where no file was loaded."""
    return _sources[module]


def text_of(module: ModuleType) -> bytes:
    """Return what any module was made from, here or not: the bytes of its file; b'' where it has none."""
    if module.__name__ in _sources:
        return _sources[module.__name__]
    file = getattr(module, "__file__", None)
    return Path(file).read_bytes() if file else b""


def load(path: Path, kind: str, source: bytes | None = None) -> ModuleType:
    """Run a file as a module. Raises whatever the file raises; InputError where it is no ordinary file.

    What is run is `source` where the file was read before, else what is in it now: never an older compiled form of it.
    """
    source = contents(path) if source is None else source
    name = module_name(path, kind)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    _sources[name], _loaded[name] = source, Loaded(kind, name, path)
    try:
        with children.no_copies():
            exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except BaseException:
        _unload(name)
        raise
    return module


def stand_in(path: Path, kind: str, source: bytes, facts: Facts) -> ModuleType:
    """Return a module that says of itself what the file says, and runs nothing of it: it is run elsewhere."""
    name = module_name(path, kind)
    module = ModuleType(name)
    module.__file__ = str(path)
    module.__dict__.update(NAMES=facts.names, FORMS=facts.forms, PRESETS=facts.presets, parse=_elsewhere)
    sys.modules[name] = module
    _sources[name] = source
    return module


def _elsewhere(word: str, text: str, game: object) -> object:
    raise RuntimeError(f"the agent {word} can be made in a process of its own alone")


def _unload(name: str) -> None:
    sys.modules.pop(name, None)
    _sources.pop(name, None)
    _loaded.pop(name, None)


def loaded() -> list[Loaded]:
    """Return the person's own files that were run in this process, in the order in which they were."""
    return list(_loaded.values())


@contextmanager
def only(chosen: Mapping[Path, Chosen]) -> Iterator[None]:
    """Within, `add_folder` adds these files alone, as they were read here, whatever comes into the folder meanwhile."""
    global _chosen
    before, _chosen = _chosen, chosen
    try:
        yield
    finally:
        _chosen = before


def add_folder(folder: Path, kind: str, add: Callable[[ModuleType], None], but: Collection[Path] = ()) -> list[str]:
    """Load the files (*.py) of a folder `but` for some, and `add` each, in the order of their names.

    `kind` is what they are: 'game', 'learner'. Returns a line for each that could not be used.
    """
    faults = []
    for path in files(folder) if _chosen is None else sorted(_chosen):
        name = module_name(path, kind)
        if path in but or name in sys.modules:
            continue
        try:
            add(load(path, kind) if _chosen is None else _module(path, kind, _chosen[path]))
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - a person's own file may fail in any way
            _unload(name)
            faults.append(f"the {kind} file {path} cannot be used: {fault_text(fault)}")
    return faults


def _module(path: Path, kind: str, chosen: Chosen) -> ModuleType:
    if chosen.facts is None:
        return load(path, kind, chosen.source)
    return stand_in(path, kind, chosen.source, chosen.facts)


def one_line(what: object, most: int = LONGEST) -> str:
    """Return what a fault or a text says, in one line of at most so many characters; '' where its own code fails."""
    try:
        text = " ".join(str(what)[: 10 * most].split())
    except Exception:  # noqa: BLE001 - a person's own class may fail here too
        return ""
    return text if len(text) <= most else text[: most - 1] + "…"


def fault_text(fault: BaseException) -> str:
    """Return what a fault is called and says, in one line: 'IndexError: index 9 is out of bounds …'."""
    return one_line(f"{type(fault).__name__}: {one_line(fault)}".removesuffix(": "))
