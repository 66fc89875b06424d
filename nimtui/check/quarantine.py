"""Loads own files that may be used: checks each version once, in a separate process, and caches the verdict.

A file that cannot be loaded is left out. So is a game or learner that breaks its contract, unless --unchecked is set.
Each file is read once, so that the checked source is the one that runs. Rooms above `check` use it.
The own files are the games, learners and agents in the person's folders, and those of installed packages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from nimtui.check import checking
from nimtui.check.verdict import (
    Request,
    Verdict,
    Version,
    failed,
    find_verdict,
    is_new,
    keep_verdict,
    registry_of,
    version_of,
)
from nimtui.errors import InputError
from nimtui.foreign.reading import exists
from nimtui.process import plugins
from nimtui.process.plugins import Chosen, OwnFile
from nimtui.sandbox import client
from nimtui.store import paths

UNCHECKED = "NIMTUI_UNCHECKED"  # in the environment, so that child processes inherit it
DEEP = ("game", "learner")  # kinds that must keep their contract; a bad agent only loses its games
BEFORE = {"agent": ("game", "learner")}  # kinds that a file of this kind may use while it loads
NO_PROCESS = "your own files run unchecked: this system cannot fork a process"

announce: Callable[[Path], object] = lambda path: None  # noqa: E731 - called with each file before its check
_again: set[tuple[Path, bytes]] = set()  # files that were checked again because a person named them
_said: list[str] = []  # messages that each process prints once


def unchecked() -> bool:
    """Return whether --unchecked or the settings allow games and learners that fail their check."""
    if os.environ.get(UNCHECKED):
        return True
    from nimtui.store import settings

    return settings.load()[0].unchecked


def usable(verdict: Verdict, kind: str) -> bool:
    """Return whether a file with this verdict may be used. A bad agent may: it only loses its games."""
    if kind not in DEEP:
        return verdict.loaded and verdict.facts is not None
    return verdict.loaded and (verdict.ok or unchecked())


def add_folder(folder: Path, kind: str, add: Callable[[Path, Mapping[Path, Chosen] | None], list[str]]) -> list[str]:
    """Call `add(folder, chosen)` for the usable files of a folder. Returns a line for each file that is left out."""
    if not _files(folder, kind):
        return []
    if not client.possible():
        return [*_once(NO_PROCESS), *add(folder, None)]
    sources, verdicts = _judged(folder, kind)
    out = sorted(path for path, verdict in verdicts.items() if not usable(verdict, kind))
    lines = [plugins.left_out(_line(path, kind, verdicts[path]), kind, plugins.names_of(path, kind)) for path in out]
    chosen = {path: Chosen(source, verdicts[path].facts) for path, source in sources.items() if path not in out}
    return lines + add(folder, chosen)


def _files(folder: Path, kind: str) -> list[Path]:
    """Return the Python files of a folder but students' hand-ins, which play as they are."""
    files = plugins.files(folder)
    if kind != "agent" or not files:
        return files
    from nimtui.agents.path import is_hand_in

    return [path for path in files if not is_hand_in(path)]


def _once(line: str) -> list[str]:
    if line in _said:
        return []
    _said.append(line)
    return [line]


def _line(path: Path, kind: str, verdict: Verdict) -> str:
    again = f" ({'change it, or ' * verdict.late}'nimtui check {path}' tries again)" if not verdict.certain else ""
    if not verdict.loaded:
        return plugins.unusable(path, kind, verdict.fault.removeprefix("load: ")) + again
    return f"the {kind} file {path} is left out: {verdict.fault} (--unchecked uses it anyway)"


def _judged(folder: Path, kind: str) -> tuple[dict[Path, bytes], dict[Path, Verdict]]:
    """Return the contents and the verdicts of a folder's files. An unreadable file has only a verdict."""
    sources, verdicts = {}, {}
    for path in _files(folder, kind):
        try:
            sources[path] = plugins.contents(path)
        except (OSError, InputError) as fault:
            verdicts[path] = _unreadable(fault)
    return sources, {**verdicts, **verdicts_of(sources, kind)}


@contextmanager
def together(folders: Mapping[str, Path]) -> Iterator[None]:
    """Within, one fork server serves all checks. First load the files of these folders, by kind, without a verdict.

    They load side by side, so that files that never end cost their time once, together.
    """
    runs = client.runs()
    try:
        if client.possible():
            _load_new(folders)
        yield
    finally:
        if not runs:
            client.end()


def _load_new(folders: Mapping[str, Path]) -> None:
    """Store a verdict on each new file that fails to load in time, or in any way if it may use no other own file."""
    new = []
    for kind, folder in folders.items():
        for path in _files(folder, kind):
            with suppress(OSError, InputError):
                own = OwnFile(kind, path, plugins.contents(path))
                if is_new(path, kind, version_of(kind, own.source)):
                    new.append(own)
    if len(new) < 2:
        return
    requests = [Request(str(own.path), own.kind, own.source, deep=False) for own in new]
    for own, verdict in zip(new, checking.check(requests), strict=True):
        if verdict.late or (verdict.certain and not verdict.loaded and own.kind not in BEFORE):
            keep_verdict(own.path, own.kind, version_of(own.kind, own.source), verdict)


def verdicts_of(sources: Mapping[Path, bytes], kind: str) -> dict[Path, Verdict]:
    """Return the verdicts on files with these contents, from the cache or by a check now."""
    deep = kind in DEEP and not unchecked()
    before = _before(kind)
    verdicts: dict[Path, Verdict] = {}
    for path, source in sources.items():
        verdict = find_verdict(path, kind, _version(kind, source, before), deep)
        if verdict is None:
            announce(path)
            verdict = _check(Request(str(path), kind, source, deep, before=before))
        verdicts[path] = verdict
    return verdicts


def _check(request: Request) -> Verdict:
    """Check a file now, and cache the verdict if the name that a person gave was not refused."""
    [verdict] = checking.check([request])
    if not verdict.refused:
        version = _version(request.kind, request.source, request.before)
        keep_verdict(Path(request.file), request.kind, version, verdict)
    return verdict


def check(file: str, kind: str, wanted: str = "") -> Verdict:
    """Check one file, or a module of the package, and cache the verdict on a file.

    `wanted` is the game, learner or agent to test first. Raises InputError if this system cannot fork.
    """
    if not client.possible():
        raise InputError("nothing can be checked here: the system cannot fork a process")
    if not file.endswith(".py"):
        return checking.check([Request(file, kind, wanted=wanted)])[0]
    try:
        source = plugins.contents(Path(file))
    except (OSError, InputError) as fault:
        return _unreadable(fault)
    return _check(Request(file, kind, source, wanted=wanted, before=_before(kind)))


def look_again(kind: str, name: str) -> bool:
    """Check the file of this name again, once for each version, and use it if that is possible now.

    Returns whether it is used.
    """
    folder = paths.OWN_CODE[kind]()
    for path in plugins.files(folder):
        with suppress(OSError, InputError):
            source = plugins.contents(path)
            if name in plugins.names_of(path, kind) and (path, source) not in _again:
                _again.add((path, source))
                if usable(verdict := check(str(path), kind), kind):
                    registry_of(kind).add_folder(folder, {path: Chosen(source, verdict.facts)})
                    return True
    return False


plugins.look_again = look_again


def _unreadable(fault: OSError | InputError) -> Verdict:
    reason = fault.strerror or "" if isinstance(fault, OSError) else ""
    return failed(f"{reason[0].lower()}{reason[1:]}" if reason else plugins.one_line(fault))


def _before(kind: str) -> tuple[OwnFile, ...]:
    """Return the usable own files that must load before a file of this kind."""
    files: list[OwnFile] = []
    for other in BEFORE.get(kind, ()):
        sources, verdicts = _judged(paths.OWN_CODE[other](), other)
        files += [OwnFile(other, path, source) for path, source in sources.items() if usable(verdicts[path], other)]
    return tuple(files)


def _version(kind: str, source: bytes, before: Sequence[OwnFile]) -> Version:
    return version_of(kind, source, (one.source for one in before))


@cache
def add_own_files(kinds: tuple[str, ...] = ("game", "learner", "agent")) -> tuple[str, ...]:
    """Load installed packages and own files of these kinds once per process. Returns a line for each left out."""
    folders = {kind: paths.OWN_CODE[kind]() for kind in kinds}
    faults: list[str] = []
    if plugins.any_packaged():
        for kind in folders:
            faults += plugins.add_packaged(kind, registry_of(kind).add)
    with together(folders):
        for kind, folder in folders.items():
            if not exists(folder):
                continue  # and the import can wait
            if folder.is_dir():
                faults += add_folder(folder, kind, registry_of(kind).add_folder)
            else:
                faults.append(f"{folder}: your own {kind}s belong into a folder of this name, but it is a file")
    return tuple(faults)
