"""List every text of the program with its place: what a person sees, and what a reader of the code reads.

`python -m tests.texts` prints them, `python -m tests.texts docs` the docstrings: PLACE, a tab, and the text.
A text is a string of the package with two words or more, its gaps as {}, or the help of a command as it is printed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import typer

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "nimtui"
TWO_WORDS = re.compile(r"[a-z]{2,}[,:;.]? [a-z{]|[A-Z][a-z]+ [a-z{]")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+")


class Text(NamedTuple):
    """A text and its place."""

    place: str  # 'nimtui/cli/play.py:31', or 'nimtui play --help'
    text: str


def _written(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def _docstring(node: ast.AST) -> ast.Constant | None:
    first = node.body[0] if isinstance(node, DOCUMENTED) and node.body else None
    value = first.value if isinstance(first, ast.Expr) else None
    return value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _of_file(path: Path) -> Iterator[tuple[bool, Text]]:
    """Yield the texts of a file, each with whether it is a docstring."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    docs = [found for node in nodes if (found := _docstring(node)) is not None]
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    of_docs = {id(doc) for doc in docs}
    for node in nodes:
        is_doc = id(node) in of_docs
        if id(node) not in parts and (text := _written(node)) and (is_doc or TWO_WORDS.search(text)):
            place = f"{path.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 0)}"
            yield is_doc, Text(place, " ".join(text.split()))


@cache
def _of_package() -> tuple[tuple[bool, Text], ...]:
    return tuple(found for path in sorted(PACKAGE.rglob("*.py")) for found in _of_file(path))


def written(docstrings: bool = False) -> list[Text]:
    """Return the texts in the code of the package, or its docstrings."""
    return [text for is_doc, text in _of_package() if is_doc == docstrings]


def helps() -> list[Text]:
    """Return the help of every command, as printed in 80 columns."""
    from nimtui.cli.app import app

    def walk(command: object, words: tuple[str, ...]) -> Iterator[Text]:
        with typer.Context(command, info_name=" ".join(words), terminal_width=80, max_content_width=80) as context:  # type: ignore[arg-type]
            yield Text(f"{' '.join(words)} --help", command.get_help(context))  # type: ignore[attr-defined]
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk(inner, (*words, name))

    return list(walk(typer.main.get_command(app), ("nimtui",)))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [part for part in SENTENCE_END.split(" ".join(text.split())) if part]


if __name__ == "__main__":
    for found in written(docstrings="docs" in sys.argv):
        print(f"{found.place}\t{found.text}")
    if "docs" not in sys.argv:
        for found in helps():
            print(f"{found.place}\n{found.text}\n")
