"""Store verdicts: one per file, valid while the file and everything that the verdict depends on are unchanged.

Certain verdicts go to the folder `checked` of the data folder. Uncertain ones, and all if that folder is not writable,
go to a folder that this process shares with its children. That folder ends with this process.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from nimtui.check import verdict
from nimtui.check.verdict import Verdict
from nimtui.errors import InputError
from nimtui.foreign import reading

PACKAGE = Path(__file__).parents[1]
# The packages that a verdict depends on: the check, and the modules that own files use.
ROOMS = ("games", "engine", "theory", "learning", "search", "agents", "store", "foreign", "check")
LIBRARIES = ("numpy", "numba")
LARGEST = 4 * reading.MEGABYTE  # bytes of a verdict
PLACE = "NIMTUI_CHECKED"  # environment variable: the folder shared by this process and its children
PREFIX = "nimtui-checked-"  # of that folder's name; the process number follows


def digest(kind: str, sources: Iterable[bytes]) -> str:
    """Return a hash of a file, of the files loaded before it, and of everything that a verdict depends on."""
    hashed = hashlib.sha256(_surroundings() + kind.encode())
    for source in sources:
        hashed.update(hashlib.sha256(source).digest())
    return hashed.hexdigest()


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


def find(path: Path, kind: str, known: str, deep: bool) -> Verdict | None:
    """Return the stored verdict on a file with this digest, `deep` if wanted; None if none is valid."""
    for folder in _folders():
        try:
            keys = json.loads(reading.contents(folder / _name(path, kind), LARGEST))
            if keys["digest"] != known:
                continue
            found = verdict.read(keys)
        except (OSError, ValueError, LookupError, TypeError, RecursionError, InputError):
            continue
        if _holds(found) and (found.deep or not deep or not found.loaded):
            return found
    return None


def keep(path: Path, kind: str, known: str, found: Verdict) -> None:
    """Store a verdict on a file with this digest, in place of an earlier one."""
    from nimtui.store import files, paths
    from nimtui.store.errors import StoreError

    name = _name(path, kind)
    keys = {"path": str(_whole(path)), "kind": kind, "digest": known, **found.keys()}
    text = json.dumps(keys, indent=1).encode()
    if found.certain:
        with suppress(StoreError):
            place = paths.ensure(paths.verdicts()) / name
            if not place.is_file():  # a pipe would block forever
                with suppress(OSError):
                    place.unlink(missing_ok=True)
            files.replace(place, lambda file: file.write(text))
            _forget_what_is_gone(paths.verdicts())
            with suppress(OSError):
                if PLACE in os.environ:
                    Path(os.environ[PLACE], name).unlink(missing_ok=True)
            return
    with suppress(OSError):
        (_own_folder() / name).write_bytes(text)


def _holds(found: Verdict) -> bool:
    """Return whether everything else that a verdict depends on is unchanged."""
    if found.missing and _is_there(found.missing):
        return False
    return all(one.unchanged for one in found.imports)


def _is_there(name: str) -> bool:
    with suppress(ImportError, ValueError):
        return importlib.util.find_spec(name) is not None
    return False


def _name(path: Path, kind: str) -> str:
    return hashlib.sha256(f"{kind}\0{_whole(path)}".encode("utf-8", "surrogateescape")).hexdigest()[:32] + ".json"


def _whole(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - a link stays a link


def _folders() -> list[Path]:
    from nimtui.store import paths

    own = os.environ.get(PLACE)
    return [*([Path(own)] if own else []), paths.verdicts()]


def _own_folder() -> Path:
    """Return the folder that this process and its children share."""
    if PLACE not in os.environ:
        _forget_other_processes()
        os.environ[PLACE] = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
    return Path(os.environ[PLACE])


@atexit.register
def end() -> None:
    """Remove the folder that this process made. Code that ends the process at once must call this itself."""
    folder = os.environ.get(PLACE, "")
    if Path(folder).name.startswith(f"{PREFIX}{os.getpid()}-"):
        shutil.rmtree(folder, ignore_errors=True)


def _forget_other_processes() -> None:
    """Remove the folders of processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        try:
            os.kill(int(folder.name.removeprefix(PREFIX).partition("-")[0]), 0)
        except (ValueError, OverflowError, PermissionError):
            continue
        except ProcessLookupError:
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
