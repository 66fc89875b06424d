"""What a sandbox is asked to check, and its verdict on a file, as a value and as JSON. Imports nothing heavy.

The kinds of own files are registered here. Verdicts are stored: one per file, valid while the file and everything that
the verdict depends on are unchanged.

Certain verdicts go to the folder `checked` of the data folder. Uncertain ones, and all if that folder is not writable,
go to a folder that this process shares with its children. That folder ends with this process.

A verdict that time ran out goes to both. In the data folder it holds for a while: the machine may have been busy. Each
time that the file is late again, it holds twice as long.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from time import time
from typing import Any, NamedTuple

from nimtui.errors import InputError
from nimtui.foreign import reading
from nimtui.process import children
from nimtui.process.plugins import Facts, OwnFile
from nimtui.store import StoreError, files, paths


class Check(NamedTuple):
    """One rule of the contract: whether it holds, and otherwise the shortest example."""

    name: str
    ok: bool
    example: str | None


class Imported(NamedTuple):
    """A file that the checked file imports, as it was at the check; −1 and −1 if it did not exist."""

    path: str
    time: int  # of the last change, in nanoseconds
    size: int  # in bytes

    @classmethod
    def now(cls, path: str) -> Imported:
        """Return this file as it is now."""
        try:
            state = Path(path).stat()
        except (OSError, ValueError):
            return cls(path, -1, -1)
        return cls(path, state.st_mtime_ns, state.st_size)


class Verdict(NamedTuple):
    """The findings about a file."""

    loaded: bool
    ok: bool
    checks: tuple[Check, ...]
    missing: str = ""  # a module that the file imports and that was missing
    refused: str = ""  # why the game, learner or agent that a person named was refused
    deep: bool = True  # True: the contract was checked; False: the file was only loaded
    certain: bool = True  # False if it depends on a clock or on a failure outside the file: it may change
    imports: tuple[Imported, ...] = ()  # the person's other files that it depends on
    facts: Facts | None = None  # about an agent's file that loads
    late: bool = False  # True if it is uncertain only because time ran out
    closed: tuple[str, ...] = ()  # what closed the sandbox in: Landlock, seccomp, bubblewrap

    @property
    def fault(self) -> str:
        """Return the first broken rule with its example: 'undo: wythoff:3,5: undo after move 2 …'; '' if none is
        broken.
        """
        return next((f"{check.name}: {check.example}" for check in self.checks if not check.ok), "")

    def keys(self) -> dict[str, Any]:
        """Return this verdict for a JSON document; `read` reads it."""
        facts = None if self.facts is None else self.facts._asdict()
        return {**self._asdict(), "checks": [one._asdict() for one in self.checks], "facts": facts}


def failed(fault: str, deep: bool = True) -> Verdict:
    """Return the verdict on a file that could not be checked, with the reason."""
    return Verdict(False, False, (Check("load", False, fault),), deep=deep, certain=False)


def read(keys: dict[str, Any]) -> Verdict:
    """Return a verdict from its JSON.

    Raise ArithmeticError, ValueError, LookupError or TypeError if the JSON is invalid.
    """
    verdict = Verdict(
        bool(keys["loaded"]),
        bool(keys["ok"]),
        tuple(Check(str(one["name"]), bool(one["ok"]), one["example"]) for one in keys["checks"]),
        str(keys["missing"]),
        str(keys["refused"]),
        bool(keys["deep"]),
        bool(keys["certain"]),
        tuple(Imported(str(path), int(time), int(size)) for path, time, size in keys["imports"]),
        None if keys["facts"] is None else facts_of(keys["facts"]),
        bool(keys["late"]),
        tuple(map(str, keys["closed"])),
    )
    if verdict.ok == bool(verdict.fault) or (verdict.ok and not verdict.loaded):
        raise ValueError("a verdict must name a fault if and only if a rule is broken")
    return verdict


def facts_of(keys: dict[str, Any]) -> Facts:
    """Return the facts about an agent's file from their JSON. Raises LookupError, TypeError or ValueError."""
    pairs = [tuple((str(first), str(second)) for first, second in keys[name]) for name in ("forms", "presets")]
    return Facts(tuple(str(name) for name in keys["names"]), *pairs)


REGISTRIES = {
    "game": "nimtui.games.registry",
    "learner": "nimtui.learning.learner",
    "agent": "nimtui.agents.registry",
}


def registry_of(kind: str) -> Any:
    """Return the module with `add` and `add_folder` for this kind; only then its room is imported."""
    return importlib.import_module(REGISTRIES[kind])


class Request(NamedTuple):
    """A request for a check: one file, or one built-in module."""

    own: OwnFile  # the path of a module of this package is its name, and it has no source
    deep: bool = True  # True: check the contract; False: only load the file
    wanted: str = ""  # the game, learner or agent that a person named; checked first
    before: tuple[OwnFile, ...] = ()  # other files to load first

    @property
    def is_file(self) -> bool:
        return self.own.path.name.endswith(".py")

    def message(self) -> dict[str, Any]:
        """Return this request as JSON keys; `read` reads them."""
        return {**self._asdict(), "own": self.own.packed(), "before": [one.packed() for one in self.before]}

    @classmethod
    def read(cls, message: dict[str, Any]) -> Request:
        """Return the request of these keys."""
        before = map(OwnFile.unpacked, message["before"])
        return cls(OwnFile.unpacked(message["own"]), message["deep"], message["wanted"], tuple(before))


PACKAGE = Path(__file__).parents[1]
# The packages that a verdict depends on: the check, and the modules that own files use.
ROOMS = ("sandbox", "games", "engine", "theory", "learning", "trees", "agents", "store", "foreign", "check")
LIBRARIES = ("numpy", "numba")
LARGEST = 4 * reading.MEGABYTE  # bytes of a verdict
PLACE = "NIMTUI_CHECKED"  # environment variable: the folder shared by this process and its children
LATE, LATEST = 600.0, 86_400.0  # seconds that a verdict of a late file holds: at first, and at most
PREFIX = "nimtui-checked-"  # of that folder's name; the process number follows


class Version(NamedTuple):
    """Hashes that identify a version of a file, with everything that a verdict on it depends on."""

    file: str  # of the file and this program
    whole: str  # and of the files that load before it


def version_of(own: OwnFile, before: Iterable[OwnFile] = ()) -> Version:
    """Return the version of a file, after other files."""
    hashed = hashlib.sha256(_surroundings() + own.kind.encode())
    hashed.update(hashlib.sha256(own.source).digest())
    file = hashed.hexdigest()
    for other in before:
        hashed.update(hashlib.sha256(other.source).digest())
    return Version(file, hashed.hexdigest())


@cache
def _surroundings() -> bytes:
    """Return a hash of this version of the program, of Python and of the compiling libraries."""
    hashed = hashlib.sha256(sys.version.encode())
    files = [*PACKAGE.glob("*.py"), *(path for room in ROOMS for path in (PACKAGE / room).rglob("*.py"))]
    for path in sorted(files):
        hashed.update(str(path.relative_to(PACKAGE)).encode())
        hashed.update(path.read_bytes())
    for library in LIBRARIES:
        spec = importlib.util.find_spec(library)
        if spec is not None and spec.origin is not None:
            state = Path(spec.origin).stat()
            hashed.update(f"{library} {state.st_mtime_ns} {state.st_size}".encode())
    return hashed.digest()


def find_verdict(request: Request) -> Verdict | None:
    """Return the stored verdict on this version of a file, `deep` if wanted; None if none is valid."""
    current, deep = version_of(request.own, request.before), request.deep
    for keys, verdict in _valid(request.own):
        never_loads = verdict.late and not verdict.loaded and keys["file"] == current.file  # whatever loads before it
        if (never_loads or keys["whole"] == current.whole) and (verdict.deep or not deep or not verdict.loaded):
            return verdict
    return None


def is_new(own: OwnFile) -> bool:
    """Return whether no valid verdict on this file is stored, whatever loads before it."""
    current = version_of(own)
    return all(keys["file"] != current.file for keys, _ in _valid(own))


def _valid(own: OwnFile) -> Iterator[tuple[dict[str, Any], Verdict]]:
    """Yield the stored verdicts on a file that are still valid, with their JSON keys."""
    for folder in _folders():
        keys, verdict = _stored(folder, own)
        if verdict is not None and _holds(folder, keys, verdict):
            yield keys, verdict


def keep_verdict(request: Request, verdict: Verdict) -> None:
    """Store a verdict on this version of a file, in place of an earlier one."""
    own, current = request.own, version_of(request.own, request.before)
    name = _name(own)
    keys = {"path": str(_whole(own.path)), "kind": own.kind, **current._asdict(), **verdict.keys()}
    if verdict.late:
        keys |= {"at": time(), "waits": _next_wait(own, current)}
    text = json.dumps(keys, indent=1).encode()
    saved = False
    if verdict.certain or verdict.late:
        with suppress(StoreError):
            place = paths.ensure(paths.verdicts()) / name
            if not place.is_file():  # a pipe would block forever
                with suppress(OSError):
                    place.unlink(missing_ok=True)
            files.replace(place, lambda file: file.write(text))
            _forget_what_is_gone(paths.verdicts())
            saved = True
    with suppress(OSError):
        if not saved or verdict.late:
            (_own_folder() / name).write_bytes(text)
        elif PLACE in os.environ:
            Path(os.environ[PLACE], name).unlink(missing_ok=True)


def _stored(folder: Path, own: OwnFile) -> tuple[dict[str, Any], Verdict | None]:
    """Return what a folder stores about a file: the JSON keys and the verdict, None if there is none."""
    try:
        keys = json.loads(reading.contents(folder / _name(own), LARGEST))
        verdict = read(keys)
        if {"file", "whole"} <= set(keys) and (not verdict.late or 0 < float(keys["at"]) + float(keys["waits"]) < inf):
            return keys, verdict
    except (OSError, ArithmeticError, ValueError, LookupError, TypeError, RecursionError, InputError):
        pass
    return {}, None


def _next_wait(own: OwnFile, current: Version) -> float:
    """Return for how many seconds a verdict holds that this version of a file is late, perhaps again."""
    keys, verdict = _stored(paths.verdicts(), own)
    again = verdict is not None and verdict.late and keys["file"] == current.file
    return min(LATEST, max(LATE, 2 * float(keys["waits"]))) if again else LATE


def _holds(folder: Path, keys: dict[str, Any], verdict: Verdict) -> bool:
    """Return whether everything else that a verdict depends on is unchanged, and a late file has waited long enough."""
    if verdict.late and folder == paths.verdicts() and not 0 <= time() - float(keys["at"]) < float(keys["waits"]):
        return False  # also if the clock was set back
    if verdict.missing and _is_there(verdict.missing):
        return False
    return all(Imported.now(one.path) == one for one in verdict.imports)


def _is_there(name: str) -> bool:
    with suppress(ImportError, ValueError):
        return importlib.util.find_spec(name) is not None
    return False


def _name(own: OwnFile) -> str:
    named = f"{own.kind}\0{_whole(own.path)}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(named).hexdigest()[:32] + ".json"


def _whole(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - a link stays a link


def _folders() -> list[Path]:
    own = os.environ.get(PLACE)
    return [*([Path(own)] if own else []), paths.verdicts()]


def _own_folder() -> Path:
    """Return the folder that this process and its children share."""
    if PLACE not in os.environ:
        os.environ[PLACE] = children.temporary_folder(PREFIX)
    return Path(os.environ[PLACE])


@atexit.register
def end() -> None:
    """Remove the folder that this process made. Code that ends the process at once must call this itself."""
    folder = os.environ.get(PLACE, "")
    if Path(folder).name.startswith(f"{PREFIX}{os.getpid()}-"):
        shutil.rmtree(folder, ignore_errors=True)


def _forget_what_is_gone(folder: Path) -> None:
    """Remove verdicts on files that no longer exist, and invalid verdicts."""
    for path in folder.glob("*.json"):
        try:
            there = os.path.lexists(json.loads(reading.contents(path, LARGEST))["path"])
        except (OSError, ValueError, LookupError, TypeError, RecursionError, InputError):
            there = False
        if not there:
            with suppress(OSError):
                path.unlink(missing_ok=True)
