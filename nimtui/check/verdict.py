"""What a sandbox is asked to check, and its verdict on a file, as a value and as JSON. Imports nothing heavy.

The kinds of own files are registered here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from nimtui.process.plugins import Facts, OwnFile


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

    @property
    def unchanged(self) -> bool:
        """Return whether the file is unchanged."""
        return Imported.now(self.path) == self

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


def registry_of(kind: str) -> Any:
    """Return the module with `add` and `add_folder` for this kind; only then its room is imported."""
    if kind == "game":
        from nimtui.games import registry as games

        return games
    if kind == "learner":
        from nimtui.learning import learner

        return learner
    from nimtui.agents import registry

    return registry


class Request(NamedTuple):
    """A request for a check: one file, or one built-in module."""

    file: str  # a path, or the name of a module of this package
    kind: str  # game, learner, agent
    source: bytes = b""  # of the file
    deep: bool = True  # True: check the contract; False: only load the file
    wanted: str = ""  # the game, learner or agent that a person named; checked first
    before: tuple[OwnFile, ...] = ()  # other files to load first

    @property
    def own(self) -> OwnFile:
        """Return the file itself."""
        return OwnFile(self.kind, Path(self.file), self.source)

    def message(self) -> dict[str, Any]:
        """Return this request as JSON keys; `read` reads them."""
        before = [one.packed() for one in self.before]
        return {"own": self.own.packed(), "deep": self.deep, "wanted": self.wanted, "before": before}

    @classmethod
    def read(cls, message: dict[str, Any]) -> Request:
        """Return the request of these keys."""
        own, before = OwnFile.unpacked(message["own"]), map(OwnFile.unpacked, message["before"])
        return cls(str(own.path), own.kind, own.source, message["deep"], message["wanted"], tuple(before))
