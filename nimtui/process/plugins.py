"""A person's own games, learners and agents: loads every Python file of a folder once, and reports failures.

Installed packages bring some, too: an entry point of a group in GROUPS names a module as `nimtui new` writes one. The
modules run in this process, without a check: who installs a package trusts it.
"""

from __future__ import annotations

import ast
import base64
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeGuard

from nimtui import errors
from nimtui.errors import InputError, shortened
from nimtui.foreign import reading
from nimtui.foreign.reading import exists
from nimtui.process import children

LARGEST = reading.MEGABYTE  # bytes of a file
LONGEST, LONGEST_WORD = 200, 40  # characters of a text and of a name from own code
MOST_WORDS = 200  # names or forms that a file declares
RULES = {"size", "legal", "play", "undo", "outcome"}  # functions that only a game has
RAISED = (Exception, SystemExit, GeneratorExit)  # what own code may raise; Ctrl+C and time limits pass

_sources: dict[str, bytes] = {}  # of the loaded modules and of stand-ins
_loaded: dict[str, OwnFile] = {}  # that this process ran, by the names of the modules
_left_out: dict[tuple[str, str], str] = {}  # by kind and name: why nothing of this name can be used


class OwnFile(NamedTuple):
    """A person's own file, read once: what was checked is what runs."""

    kind: str  # game, learner, agent
    path: Path
    source: bytes

    def packed(self) -> tuple[str, str, str]:
        """Return this file for a message between processes; `unpacked` reads it."""
        return self.kind, str(self.path), base64.b64encode(self.source).decode("ascii")

    @classmethod
    def unpacked(cls, parts: Sequence[str]) -> OwnFile:
        """Return the file of a message."""
        kind, path, source = parts
        return cls(kind, Path(path), base64.b64decode(source))

    def load(self) -> ModuleType:
        """Run the file as a module. Raises whatever the file raises."""
        return load(self.path, self.kind, self.source)


class Facts(NamedTuple):
    """What an agent file declares: enough to offer its agents, but not to play them."""

    names: tuple[str, ...]  # the first words of their names
    forms: tuple[tuple[str, str], ...]  # pairs: how to name an agent, and what it does
    presets: tuple[tuple[str, str], ...]  # pairs of a title and a name, for lists


class Declared(NamedTuple):
    """The kind and the names that a file declares, read without running it."""

    kind: str
    names: tuple[str, ...]


class Chosen(NamedTuple):
    """A file that may be added: its contents, and its facts if it is not run in this process."""

    source: bytes
    facts: Facts | None = None


def files(folder: Path) -> list[Path]:
    """Return the Python files of a folder, sorted by name."""
    return sorted(folder.glob("*.py")) if exists(folder) and folder.is_dir() else []


def contents(path: Path) -> bytes:
    """Return the present contents of a file. Raises OSError, or InputError if it is not an ordinary file."""
    return reading.contents(path, LARGEST)


def module_name(path: Path, kind: str) -> str:
    """Return the module name of a file."""
    return f"nimtui_{kind}s_{path.stem}"


def source_of(module: str) -> bytes:
    """Return the source that a module was loaded from, whatever its file holds now. Raises KeyError if none was."""
    return _sources[module]


def text_of(module: ModuleType) -> bytes:
    """Return the source of any module: as it was loaded here, else its file; b'' if it has none."""
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
    _sources[name], _loaded[name] = source, OwnFile(kind, path, source)
    try:
        with children.no_copies(), redirected(os.open(os.devnull, os.O_WRONLY)):
            exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except BaseException:
        _unload(name)
        raise
    return module


@contextmanager
def redirected(to: int) -> Iterator[None]:
    """Send to this file, which is closed, what the block writes to stdout and stderr, also past Python.

    There is the screen, or a document.
    """
    _flush()
    files: dict[int, int] = {}
    for number in (1, 2):
        with suppress(OSError):  # closed
            files[number] = os.dup(number)
            os.dup2(to, number)
    os.close(to)
    try:
        yield
    finally:
        _flush()
        for number, file in files.items():
            os.dup2(file, number)
            os.close(file)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()


def stand_in(path: Path, kind: str, source: bytes, facts: Facts) -> ModuleType:
    """Return a module with the file's facts that runs none of its code: another process runs it."""
    name = module_name(path, kind)
    module = ModuleType(name)
    module.__file__ = str(path)
    module.__dict__.update(NAMES=facts.names, FORMS=facts.forms, PRESETS=facts.presets, parse=_elsewhere)
    sys.modules[name] = module
    _sources[name] = source
    return module


def _elsewhere(word: str, text: str, game: object) -> object:
    raise RuntimeError(f"the agent {word} can only be created in its own process")


def _unload(name: str) -> None:
    sys.modules.pop(name, None)
    _sources.pop(name, None)
    _loaded.pop(name, None)


def loaded() -> list[OwnFile]:
    """Return the own files that this process ran, in that order."""
    return list(_loaded.values())


def loaded_names() -> str:
    """Return the names of these files: 'games/euclid.py, learners/patient.py'."""
    return ", ".join(sorted(f"{one.kind}s/{one.path.name}" for one in loaded()))


def add_folder(
    folder: Path, kind: str, add: Callable[[ModuleType], None], chosen: Mapping[Path, Chosen] | None = None
) -> list[str]:
    """Load the files (*.py) of a folder, or only the `chosen` ones with these contents; `add` each, sorted by name.

    `kind` is 'game', 'learner' or 'agent'. Returns a line for each file that cannot be used.
    """
    faults = []
    for path in files(folder) if chosen is None else sorted(chosen):
        name = module_name(path, kind)
        if name in sys.modules:
            continue
        try:
            one = Chosen(contents(path)) if chosen is None else chosen[path]
            add(load(path, kind, one.source) if one.facts is None else stand_in(path, kind, one.source, one.facts))
        except RAISED as fault:
            _unload(name)
            text = str(fault) if isinstance(fault, InputError) else fault_text(fault)
            faults.append(left_out(unusable(path, kind, text), kind, names_of(path, kind)))
    return faults


def unusable(path: Path, kind: str, fault: str) -> str:
    """Return the line about a file that cannot be used."""
    return f"the {kind} file {path} cannot be used: {reason(path, kind, fault)}"


def reason(path: Path, kind: str, fault: str) -> str:
    """Return why a file cannot be used, in `one_line`. A fault may start with the path: it needs no room here."""
    return one_line(fault.removeprefix(f"the {kind} {path}").lstrip(": "))


def left_out(line: str, kind: str, names: Iterable[str]) -> str:
    """Return this line, and let an unknown name of this kind be answered with it: its file or package is not used."""
    _left_out.update({(kind, name.lower()): line for name in names})
    return line


look_again: Callable[[str, str], bool] = lambda kind, name: False  # noqa: E731 - `check` fills it


def refused(kind: str, name: str) -> bool:
    """Return whether a file of this kind that declares this name is left out, after another look at it."""
    return (kind, name) in _left_out and not look_again(kind, name)


def unknown(kind: str, given: str, allowed: Iterable[str], spoken: Mapping[str, str] | None = None) -> InputError:
    """Return the error for a name that nothing usable has: why what declares it is left out, else `errors.unknown`.

    A learner that is left out answers for its agent, too.
    """
    for of in (kind, "learner") if kind == "agent" else (kind,):
        if line := _left_out.get((of, given.strip().lower())):
            return InputError(line)
    return errors.unknown(kind, given, allowed, spoken)


def names_of(path: Path, kind: str) -> tuple[str, ...]:
    """Return the names that a file declares, and its own: a person may mean it by any of them."""
    return (*declared(path, kind).names, path.stem.lower())


def declared(path: Path, kind: str) -> Declared:
    """Return what a file declares; `kind` is the kind of its folder, '' for any other folder."""
    try:
        tree = reading.syntax(contents(path))
    except (OSError, InputError, SyntaxError, ValueError, RecursionError, MemoryError):
        return Declared(kind, ())
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    values = assigned(tree)
    if not kind:
        kind = "learner" if "LEARNER" in values else "game" if functions & RULES else "agent" if values else ""
    names = values.get("NAME" if kind == "learner" else "NAMES")
    try:
        value = ast.literal_eval(names) if names is not None else ()
    except (ValueError, TypeError):
        value = ()
    words = (value,) if isinstance(value, str) else value if isinstance(value, tuple | list) else ()
    return Declared(kind, tuple(str(word).lower() for word in words))


def assigned(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the expressions assigned to names at the top level of a module."""
    values: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    values[target.id] = node.value
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = zip(target.elts, node.value.elts, strict=False)
                    values |= {name.id: value for name, value in pairs if isinstance(name, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            values[node.target.id] = node.value
    return values


def are(given: object, each: Callable[[object], bool], most: int = MOST_WORDS) -> TypeGuard[Sequence[str]]:
    """Return whether this is a list of at most `most` texts, and `each` holds for all."""
    return isinstance(given, tuple | list) and len(given) <= most and all(map(each, given))


def is_word(given: object) -> TypeGuard[str]:
    """Return whether this can be the first word of a name: lowercase, without spaces, colons and commas."""
    return is_text(given) and len(given) <= LONGEST_WORD and given == given.lower() and not set(given) & set(" :,")


def is_text(given: object) -> TypeGuard[str]:
    """Return whether this is one line of printable characters, not too long."""
    return type(given) is str and 0 < len(given) <= LONGEST and given.isprintable()


def one_line(what: object, most: int = LONGEST) -> str:
    """Return the text of a fault or an object in one line, `shortened` to `most`; '' if its `__str__` fails."""
    try:
        return shortened(" ".join(str(what).split()), most)
    except Exception:  # noqa: BLE001 - a person's own class may fail here too
        return ""


def fault_text(fault: BaseException) -> str:
    """Return the type and the message of a fault in one line: 'IndexError: index 9 is out of bounds …'."""
    return one_line(f"{type(fault).__name__}: {one_line(fault)}".removesuffix(": "))


GROUPS = {"game": "nimtui.games", "learner": "nimtui.learners", "agent": "nimtui.agents"}
ENDINGS = (".dist-info", ".egg-info")
MARK = b"[nimtui."  # how the head of each group starts in the file of a package


def any_packaged() -> bool:
    """Return whether any package names a module. Reads the files itself: importing the reader takes 30 ms."""
    return any(MARK in text for folder in sys.path for text in _texts(folder or "."))


def _texts(folder: str) -> Iterator[bytes]:
    """Yield the entry points of the packages in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for one in entries:
            if one.name.endswith(ENDINGS):
                with suppress(OSError):
                    yield Path(one.path, "entry_points.txt").read_bytes()


def add_packaged(kind: str, adding: Callable[[ModuleType], None]) -> list[str]:
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
            package = "" if point.dist is None else f" of the package {point.dist.name} {point.dist.version}"
            line = f"the {kind} {point.name}{package} cannot be used: {fault_text(fault)}"
            faults.append(left_out(line, kind, [point.name]))
    return faults
