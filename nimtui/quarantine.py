"""Whether a person's own file may be used: found out once for its content, in a process of its own, and kept.

A file that cannot be loaded is left out; so is a game or learner that breaks its contract, unless unchecked ones are
wanted. Each file is read once: what is checked is what is run. Any room may ask; nothing heavy is imported here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from nimtui import plugins
from nimtui.check import verdict_cache
from nimtui.check.client import CheckServer, OwnFile
from nimtui.check.verdict import Verdict, failed
from nimtui.errors import InputError
from nimtui.plugins import Chosen

__all__ = ["UNCHECKED", "Verdict", "add_folder", "check", "end", "unchecked", "usable", "verdicts_of"]

UNCHECKED = "NIMTUI_UNCHECKED"  # in the environment, so that processes that are started know it too
DEEP = ("game", "learner")  # kinds whose contract decides; an agent that plays badly loses its games
BEFORE = {"agent": ("game", "learner")}  # kinds that a file of this kind may name while it is loaded
NO_PROCESS = "your own files are not checked: this system cannot fork a process"

announce: Callable[[Path], None] = lambda path: None  # noqa: E731 - told of each file before it is checked
_said: list[str] = []  # what is said once a process


def unchecked() -> bool:
    """Shall games and learners be used whatever their check says? By --unchecked or by the settings."""
    if os.environ.get(UNCHECKED):
        return True
    from nimtui.store import settings

    return settings.load()[0].unchecked


def usable(verdict: Verdict, kind: str) -> bool:
    """May a file with this verdict be used? An agent that plays badly may: it loses its games."""
    if kind not in DEEP:
        return verdict.loaded and verdict.facts is not None
    return verdict.loaded and (verdict.ok or unchecked())


def add_folder(folder: Path, kind: str, add: Callable[[Path, Sequence[Path]], list[str]]) -> list[str]:
    """Let `add(folder, but)` add the files of a folder that may be used; returns a line for each that is left out."""
    if not plugins.files(folder):
        return []
    if not hasattr(os, "fork"):
        return [*_once(NO_PROCESS), *add(folder, ())]
    sources, verdicts = _judged(folder, kind)
    out = [path for path, verdict in verdicts.items() if not usable(verdict, kind)]
    chosen = {path: Chosen(source, verdicts[path].facts) for path, source in sources.items() if path not in out}
    with plugins.only(chosen):
        return [_line(path, kind, verdicts[path]) for path in sorted(out)] + add(folder, out)


def _once(line: str) -> list[str]:
    if line in _said:
        return []
    _said.append(line)
    return [line]


def _line(path: Path, kind: str, verdict: Verdict) -> str:
    again = "" if verdict.certain else f" ('nimtui check {path}' tries again)"
    if not verdict.loaded:
        fault = verdict.fault.removeprefix("load: ").removeprefix(f"the {kind} {path}").lstrip(": ")
        return f"the {kind} file {path} cannot be used: {fault}{again}"
    return f"the {kind} file {path} is left out: {verdict.fault} (--unchecked uses it all the same)"


def _judged(folder: Path, kind: str) -> tuple[dict[Path, bytes], dict[Path, Verdict]]:
    """The files of a folder as they are now, and what is known of each; one that cannot be read has a verdict alone."""
    sources, verdicts = {}, {}
    for path in plugins.files(folder):
        try:
            sources[path] = plugins.contents(path)
        except (OSError, InputError) as fault:
            verdicts[path] = _unreadable(fault)
    return sources, {**verdicts, **verdicts_of(sources, kind)}


def verdicts_of(sources: Mapping[Path, bytes], kind: str) -> dict[Path, Verdict]:
    """What is known of files with these contents; those of which nothing is known are checked now."""
    deep = kind in DEEP and not unchecked()
    before = _before(kind)
    found: dict[Path, Verdict] = {}
    asked: dict[Path, str] = {}
    for path, source in sources.items():
        digest = _digest(kind, source, before)
        known = verdict_cache.find(path, kind, digest, deep)
        if known is None:
            asked[path] = digest
        else:
            found[path] = known
    with CheckServer() as server:
        for path, digest in asked.items():
            announce(path)
            own = OwnFile(kind, path, sources[path])
            found[path] = server.ask(own, kind, deep, before=before, many=len(asked) > 1)
            verdict_cache.keep(path, kind, digest, found[path])
    return found


def check(file: str, kind: str, wanted: str = "") -> Verdict:
    """Check one file now, or a module of the package; what is found of a file counts from now on.

    `wanted` is the game, learner or agent that is tried first. InputError where nothing can be checked here.
    """
    if not hasattr(os, "fork"):
        raise InputError("nothing can be checked here: the system cannot fork a process")
    with CheckServer() as server:
        if not file.endswith(".py"):
            return server.ask(file, kind, wanted=wanted)
        path = Path(file)
        try:
            source = plugins.contents(path)
        except (OSError, InputError) as fault:
            return _unreadable(fault)
        before = _before(kind)
        verdict = server.ask(OwnFile(kind, path, source), kind, wanted=wanted, before=before)
    if not verdict.refused:
        verdict_cache.keep(path, kind, _digest(kind, source, before), verdict)
    return verdict


def end() -> None:
    """Forget what holds for this process alone: to be called by whoever ends the process at once."""
    verdict_cache.end()


def _unreadable(fault: Exception) -> Verdict:
    return failed(plugins.one_line(fault) if isinstance(fault, InputError) else plugins.fault_text(fault))


def _before(kind: str) -> list[OwnFile]:
    """The person's other files that are loaded before one of this kind: those that may be used."""
    from nimtui.store import paths

    folders = {"game": paths.games, "learner": paths.learners}
    found = []
    for other in BEFORE.get(kind, ()):
        sources, verdicts = _judged(folders[other](), other)
        found += [OwnFile(other, path, source) for path, source in sources.items() if usable(verdicts[path], other)]
    return found


def _digest(kind: str, source: bytes, before: Sequence[OwnFile]) -> str:
    return verdict_cache.digest(kind, [source, *(one.source for one in before)])
