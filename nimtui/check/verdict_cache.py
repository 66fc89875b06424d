"""Store verdicts: one per file, valid while the file and everything that the verdict depends on are unchanged.

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

from nimtui.check.verdict import Verdict
from nimtui.check.verdict import read as read_verdict
from nimtui.errors import InputError
from nimtui.foreign import reading
from nimtui.process import children

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


def version(kind: str, source: bytes, before: Iterable[bytes] = ()) -> Version:
    """Return the version of a file with this source, after other files."""
    hashed = hashlib.sha256(_surroundings() + kind.encode())
    hashed.update(hashlib.sha256(source).digest())
    file = hashed.hexdigest()
    for other in before:
        hashed.update(hashlib.sha256(other).digest())
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


def find(path: Path, kind: str, current: Version, deep: bool) -> Verdict | None:
    """Return the stored verdict on this version of a file, `deep` if wanted; None if none is valid."""
    for keys, verdict in _valid(path, kind):
        never_loads = verdict.late and not verdict.loaded and keys["file"] == current.file  # whatever loads before it
        if (never_loads or keys["whole"] == current.whole) and (verdict.deep or not deep or not verdict.loaded):
            return verdict
    return None


def is_new(path: Path, kind: str, current: Version) -> bool:
    """Return whether no valid verdict on this file is stored, whatever loads before it."""
    return all(keys["file"] != current.file for keys, _ in _valid(path, kind))


def _valid(path: Path, kind: str) -> Iterator[tuple[dict[str, Any], Verdict]]:
    """Yield the stored verdicts on a file that are still valid, with their JSON keys."""
    for folder in _folders():
        keys, verdict = _stored(folder, path, kind)
        if verdict is not None and _holds(folder, keys, verdict):
            yield keys, verdict


def keep(path: Path, kind: str, current: Version, verdict: Verdict) -> None:
    """Store a verdict on this version of a file, in place of an earlier one."""
    from nimtui.store import files, paths
    from nimtui.store.errors import StoreError

    name = _name(path, kind)
    keys = {"path": str(_whole(path)), "kind": kind, **current._asdict(), **verdict.keys()}
    if verdict.late:
        keys |= {"at": time(), "waits": _next_wait(path, kind, current)}
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


def _stored(folder: Path, path: Path, kind: str) -> tuple[dict[str, Any], Verdict | None]:
    """Return what a folder stores about a file: the JSON keys and the verdict, None if there is none."""
    try:
        keys = json.loads(reading.contents(folder / _name(path, kind), LARGEST))
        verdict = read_verdict(keys)
        if {"file", "whole"} <= set(keys) and (not verdict.late or 0 < float(keys["at"]) + float(keys["waits"]) < inf):
            return keys, verdict
    except (OSError, ArithmeticError, ValueError, LookupError, TypeError, RecursionError, InputError):
        pass
    return {}, None


def _next_wait(path: Path, kind: str, current: Version) -> float:
    """Return for how many seconds a verdict holds that this version of a file is late, perhaps again."""
    keys, verdict = _stored(_lasting(), path, kind)
    again = verdict is not None and verdict.late and keys["file"] == current.file
    return min(LATEST, max(LATE, 2 * float(keys["waits"]))) if again else LATE


def _holds(folder: Path, keys: dict[str, Any], verdict: Verdict) -> bool:
    """Return whether everything else that a verdict depends on is unchanged, and a late file has waited long enough."""
    if verdict.late and folder == _lasting() and not 0 <= time() - float(keys["at"]) < float(keys["waits"]):
        return False  # also if the clock was set back
    if verdict.missing and _is_there(verdict.missing):
        return False
    return all(one.unchanged for one in verdict.imports)


def _is_there(name: str) -> bool:
    with suppress(ImportError, ValueError):
        return importlib.util.find_spec(name) is not None
    return False


def _name(path: Path, kind: str) -> str:
    return hashlib.sha256(f"{kind}\0{_whole(path)}".encode("utf-8", "surrogateescape")).hexdigest()[:32] + ".json"


def _whole(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - a link stays a link


def _folders() -> list[Path]:
    own = os.environ.get(PLACE)
    return [*([Path(own)] if own else []), _lasting()]


def _lasting() -> Path:
    from nimtui.store import paths

    return paths.verdicts()


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
