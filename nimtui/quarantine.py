"""Whether a person's own file may be used: found out once for its content, in a process of its own, and kept.

A file that cannot be loaded is left out; so is a game or learner that breaks its contract, unless unchecked ones are
wanted. What was found is kept in the folder `checked` of the data folder under a hash of the file and of all that the
answer depends on, and never asked for again. Any room may ask; nothing heavy is imported here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from nimtui import plugins
from nimtui.errors import InputError

PACKAGE = Path(__file__).parent
ROOMS = ("games", "engine", "learning", "agents", "check")  # what a verdict depends on
LIBRARIES = ("numpy", "numba")
UNCHECKED = "NIMTUI_UNCHECKED"  # in the environment, so that processes that are started know it too
PLACE = "NIMTUI_CHECKED"  # likewise: where verdicts are kept if the data folder cannot be written
LEAVING = 5.0  # seconds that the process that checks has to end
DEEP = ("game", "learner")  # kinds whose contract decides; an agent that plays badly loses its games


class Check(NamedTuple):
    """One rule of the contract: whether it holds, and if not the shortest example."""

    name: str
    ok: bool
    example: str | None


class Verdict(NamedTuple):
    """What was found out about a file."""

    loaded: bool
    ok: bool
    checks: tuple[Check, ...]
    missing: str = ""  # a module that the file imports and that was not there
    refused: str = ""  # why the game, learner or agent that a person named cannot be had
    deep: bool = True  # was its contract tried, or was it only loaded?

    @property
    def fault(self) -> str:
        """The first rule that is broken, with its example: 'undo: wythoff:3,5: undo after move 2 …'; '' if none is."""
        return next((f"{check.name}: {check.example}" for check in self.checks if not check.ok), "")

    def usable(self, kind: str) -> bool:
        """May the file be used? An agent that plays badly may: it loses its games."""
        return self.loaded and (self.ok or kind not in DEEP or unchecked())


announce: Callable[[Path], None] = lambda path: None  # noqa: E731 - told of each file before it is checked


def unchecked() -> bool:
    """Shall games and learners be used whatever their check says? By --unchecked or by the settings."""
    if os.environ.get(UNCHECKED):
        return True
    from nimtui.store import settings

    return settings.load()[0].unchecked


def add_folder(folder: Path, kind: str, add: Callable[[Path, Sequence[Path]], list[str]]) -> list[str]:
    """Let `add(folder, but)` add the files of a folder, but for those that are left out; returns a line for each."""
    found = plugins.files(folder)
    if not found:
        return []
    if not hasattr(os, "fork"):
        return add(folder, ())
    verdicts = dict(zip(found, verdicts_of(found, kind), strict=True))
    out = [path for path, verdict in verdicts.items() if not verdict.usable(kind)]
    lines = [_line(path, kind, verdicts[path]) for path in out]
    return lines + add(folder, out)


def _line(path: Path, kind: str, verdict: Verdict) -> str:
    if not verdict.loaded:
        fault = verdict.fault.removeprefix("load: ").removeprefix(f"the {kind} {path}").lstrip(": ")
        again = f" ('nimtui check {path}' tries again)" if "does not end" in fault else ""
        return f"the {kind} file {path} cannot be used: {fault}{again}"
    return f"the {kind} file {path} is left out: {verdict.fault} (--unchecked uses it all the same)"


def verdicts_of(files: Sequence[Path], kind: str) -> list[Verdict]:
    """What is known of these files; those of which nothing is known are checked now."""
    deep = kind in DEEP and not unchecked()
    digests = [digest(path, kind) for path in files]
    found = [_kept(known, deep) for known in digests]
    asked = [place for place, verdict in enumerate(found) if verdict is None]
    if asked:
        with _server() as ask:
            for place in asked:
                announce(files[place])
                found[place] = verdict = ask(str(files[place]), kind, deep, "", len(asked) > 1)
                _keep(digests[place], verdict)
    return [verdict for verdict in found if verdict is not None]


def check(file: str, kind: str, wanted: str = "") -> Verdict:
    """Check one file anew, or a module of the package; what is found of a file counts from now on.

    `wanted` is the game, learner or agent that is tried first. InputError where nothing can be checked here.
    """
    if not hasattr(os, "fork"):
        raise InputError("nothing can be checked here: the system cannot fork a process")
    with _server() as ask:
        verdict = ask(file, kind, True, wanted, False)
    if file.endswith(".py") and (verdict.ok or not wanted) and not verdict.refused:
        _keep(digest(Path(file), kind), verdict)
    return verdict


def digest(path: Path, kind: str) -> str:
    """Return a hash of a file and of all that a verdict on it depends on; '' for a file that cannot be read."""
    from nimtui.foreign import reading

    try:
        source = reading.contents(path, plugins.LARGEST)
    except (OSError, InputError):
        return ""
    return hashlib.sha256(b"\0".join((_surroundings(), kind.encode(), source))).hexdigest()


@cache
def _surroundings() -> bytes:
    """A hash of this version of the program, of Python and of the libraries that compile."""
    hashed = hashlib.sha256(sys.version.encode())
    for path in (path for folder in ("", *ROOMS) for path in sorted((PACKAGE / folder).glob("*.py"))):
        hashed.update(str(path.relative_to(PACKAGE)).encode())
        hashed.update(path.read_bytes())
    for library in LIBRARIES:
        spec = importlib.util.find_spec(library)
        if spec is not None and spec.origin is not None:
            state = Path(spec.origin).stat()
            hashed.update(f"{library} {state.st_mtime_ns} {state.st_size}".encode())
    return hashed.digest()


# What was found is kept.


def _folders() -> list[Path]:
    from nimtui.store import paths

    other = os.environ.get(PLACE)
    return [paths.checked(), *([Path(other)] if other else [])]


def _kept(known: str, deep: bool) -> Verdict | None:
    for folder in _folders() if known else ():
        try:
            text = (folder / f"{known}.json").read_bytes()
            keys = json.loads(text)
            verdict = _read(keys)
        except (OSError, ValueError, LookupError, TypeError):
            continue
        if verdict.missing and _is_there(verdict.missing):
            continue
        if verdict.deep or not deep or not verdict.loaded:
            return verdict
    return None


def _read(keys: dict[str, Any]) -> Verdict:
    """A verdict from its JSON. ValueError, LookupError or TypeError where it is none."""
    checks = tuple(Check(str(one["name"]), bool(one["ok"]), one["example"]) for one in keys["checks"])
    return Verdict(
        bool(keys["loaded"]), bool(keys["ok"]), checks, str(keys["missing"]), str(keys["refused"]), bool(keys["deep"])
    )


def _is_there(name: str) -> bool:
    with suppress(ImportError, ValueError):
        return importlib.util.find_spec(name) is not None
    return False


def _keep(known: str, verdict: Verdict) -> None:
    """Keep a verdict; where no folder can be written, in one of this process and those that it starts."""
    from nimtui.store import files, paths
    from nimtui.store.errors import StoreError

    if not known:
        return
    keys = {**verdict._asdict(), "checks": [one._asdict() for one in verdict.checks]}
    text = json.dumps(keys, indent=1).encode()
    try:
        files.replace(paths.ensure(paths.checked()) / f"{known}.json", lambda file: file.write(text))
    except StoreError:
        with suppress(OSError):
            os.environ.setdefault(PLACE, tempfile.mkdtemp(prefix="nimtui-"))
            Path(os.environ[PLACE], f"{known}.json").write_bytes(text)


# Asking the process that checks.

ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("NUMBA", "OMP", "OPENBLAS", "MKL")}  # it forks
START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from nimtui.check import server; server.main()"


@contextmanager
def _server() -> Iterator[Callable[[str, str, bool, str, bool], Verdict]]:
    """A process that checks files, for as long as it is needed; it ends with this one."""
    words = [sys.executable, "-c", START, json.dumps(sys.path)]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, **ONE_THREAD, "PYTHONWARNINGS": "ignore"},
    ) as process:
        assert process.stdin is not None and process.stdout is not None

        def ask(file: str, kind: str, deep: bool, wanted: str, engine: bool) -> Verdict:
            asked = {"file": file, "kind": kind, "deep": deep, "wanted": wanted, "engine": engine and deep}
            try:
                process.stdin.write(json.dumps(asked).encode() + b"\n")  # type: ignore[union-attr]
                process.stdin.flush()  # type: ignore[union-attr]
                answer = process.stdout.readline()  # type: ignore[union-attr]
                return _read({**json.loads(answer), "deep": deep})
            except (OSError, ValueError, LookupError, TypeError):
                fault = Check("load", False, "the process that checks files ended without an answer")
                return Verdict(False, False, (fault,), deep=deep)

        try:
            yield ask
        finally:
            with suppress(OSError):
                process.stdin.close()  # then it ends its child, and itself
            try:
                process.wait(LEAVING)
            except subprocess.TimeoutExpired:
                process.kill()
