"""How a file is made that misbehaves, a few lines away from one that is right, with what the check says of it."""

from __future__ import annotations

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


def changed(kind: str, name: str, *changes: Change) -> str:
    """The template of this kind, with changes."""
    text = template(Kind(kind), name)
    for old, new in changes:
        assert old in text, (name, old)
        text = text.replace(old, new)
    return text


def game(name: str, check: str, says: str, *changes: Change) -> File:
    return File(name, "game", changed("game", name, *changes), check, says)


def learner(name: str, check: str, says: str, *changes: Change) -> File:
    return File(name, "learner", changed("learner", name, *changes), check, says)


def agent(name: str, check: str, says: str, *changes: Change) -> File:
    return File(name, "agent", changed("agent", name, *changes), check, says)


def first_line(kind: str, name: str, line: str, says: str) -> File:
    """A file that would be right, but for this line at its beginning."""
    return File(name, kind, f"{line}\n{template(Kind(kind), name)}", "load", says)


def trace(kind: str, name: str, line: str, says: str) -> File:
    """A file that would be right, but for what this line at its beginning leaves behind."""
    return first_line(kind, name, line, f"loading the file {says}")._replace(check="traces")
