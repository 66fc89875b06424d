"""What a sandbox is asked to check, and where the kinds of own files are registered. Imports nothing heavy."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, NamedTuple


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


class OwnFile(NamedTuple):
    """A person's own file, read once: the checked bytes are the bytes that run."""

    kind: str  # game, learner, agent
    path: Path
    source: bytes


class Request(NamedTuple):
    """A request for a check: one file, or one built-in module."""

    file: str  # a path, or the name of a module of this package
    kind: str  # game, learner, agent
    source: bytes = b""  # of the file
    deep: bool = True  # True: check the contract; False: only load the file
    wanted: str = ""  # the game, learner or agent that a person named; checked first
    before: tuple[OwnFile, ...] = ()  # other files to load first

    def message(self) -> dict[str, Any]:
        """Return this request as JSON keys; `read` reads them."""
        before = [(one.kind, str(one.path), _text(one.source)) for one in self.before]
        return {**self._asdict(), "source": _text(self.source), "before": before}

    @classmethod
    def read(cls, message: dict[str, Any]) -> Request:
        """Return the request of these keys."""
        before = (OwnFile(kind, Path(path), b64decode(source)) for kind, path, source in message["before"])
        return cls(**{**message, "source": b64decode(message["source"]), "before": tuple(before)})


def _text(source: bytes) -> str:
    return b64encode(source).decode("ascii")
