"""How a file is made that misbehaves, a few lines away from one that is right, with what the check says of it."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from nimtui.cli.new import Kind, template

Change = tuple[str, str]


class File(NamedTuple):
    """A file, and what it gets."""

    name: str
    kind: str
    text: str | bytes
    check: str  # the first check that it fails; "load" where it cannot even be loaded
    says: str  # what the example has in it


def changed(kind: str, name: str, check: str, says: str, *changes: Change | str) -> File:
    """The template of this kind, with changes; a text alone stands before the names of a game."""
    text = template(Kind(kind), name)
    for change in changes:
        old, new = ("# Names.", change) if isinstance(change, str) else change
        assert old in text, (name, old)
        text = text.replace(old, new)
    return File(name, "learner" if kind == "function" else kind, text, check, says)


game, learner, function, agent = (partial(changed, kind) for kind in ("game", "learner", "function", "agent"))


def first_line(kind: str, name: str, line: str, says: str) -> File:
    """A file that would be right, but for this line at its beginning."""
    return File(name, kind, f"{line}\n{template(Kind(kind), name)}", "load", says)


def trace(kind: str, name: str, line: str, says: str) -> File:
    """A file that would be right, but for what this line at its beginning leaves behind."""
    return first_line(kind, name, line, f"loading the file {says}")._replace(check="traces")
