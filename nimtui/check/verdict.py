"""What a check has found out about a file, as a value and as JSON. Light: nothing else is imported here."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from nimtui.plugins import Facts


class Check(NamedTuple):
    """One rule of the contract: whether it holds, and if not the shortest example."""

    name: str
    ok: bool
    example: str | None


class Imported(NamedTuple):
    """A file that the checked file imports, as it was then; −1 and −1 for one that was not there."""

    path: str
    time: int  # of its last change, in nanoseconds
    size: int  # in bytes

    @property
    def unchanged(self) -> bool:
        """Is the file as it was?"""
        return Imported.now(self.path) == self

    @classmethod
    def now(cls, path: str) -> Imported:
        """This file as it is now."""
        try:
            state = Path(path).stat()
        except (OSError, ValueError):
            return cls(path, -1, -1)
        return cls(path, state.st_mtime_ns, state.st_size)


class Verdict(NamedTuple):
    """What was found out about a file."""

    loaded: bool
    ok: bool
    checks: tuple[Check, ...]
    missing: str = ""  # a module that the file imports and that was not there
    refused: str = ""  # why the game, learner or agent that a person named cannot be had
    deep: bool = True  # was its contract tried, or was it only loaded?
    certain: bool = True  # False where it rests on a clock, or on what failed beside the file: it may be another later
    imports: tuple[Imported, ...] = ()  # the person's other files that it depends on
    facts: Facts | None = None  # of an agent's file that can be loaded

    @property
    def fault(self) -> str:
        """The first rule that is broken, with its example: 'undo: wythoff:3,5: undo after move 2 …'; '' if none is."""
        return next((f"{check.name}: {check.example}" for check in self.checks if not check.ok), "")

    def keys(self) -> dict[str, Any]:
        """This verdict for a JSON document; `read` reads it."""
        facts = None if self.facts is None else self.facts._asdict()
        return {**self._asdict(), "checks": [one._asdict() for one in self.checks], "facts": facts}


def failed(fault: str, deep: bool = True) -> Verdict:
    """A file about which nothing was found out, and why."""
    return Verdict(False, False, (Check("load", False, fault),), deep=deep, certain=False)


def read(keys: dict[str, Any]) -> Verdict:
    """A verdict from its JSON. ValueError, LookupError or TypeError where it is none."""
    found = Verdict(
        bool(keys["loaded"]),
        bool(keys["ok"]),
        tuple(Check(str(one["name"]), bool(one["ok"]), one["example"]) for one in keys["checks"]),
        str(keys["missing"]),
        str(keys["refused"]),
        bool(keys["deep"]),
        bool(keys["certain"]),
        tuple(Imported(str(path), int(time), int(size)) for path, time, size in keys["imports"]),
        None if keys["facts"] is None else _facts(keys["facts"]),
    )
    if found.ok == bool(found.fault) or (found.ok and not found.loaded):
        raise ValueError("it does not say what is wrong")
    return found


def _facts(keys: dict[str, Any]) -> Facts:
    pairs = [tuple((str(first), str(second)) for first, second in keys[name]) for name in ("forms", "presets")]
    return Facts(tuple(str(name) for name in keys["names"]), *pairs)
