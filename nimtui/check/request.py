"""What a sandbox is asked to check, and where the kinds of own files are registered. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from nimtui.process.plugins import OwnFile


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
