"""The list of learners for help, read from their files without importing them or NumPy."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from typer.core import TyperCommand


class About(NamedTuple):
    """A learner's name, its description and its parameters."""

    name: str
    about: str
    parameters: tuple[str, ...]


def about_learners() -> list[About]:
    """Return all learners, the person's own included, sorted by name."""
    import nimtui
    from nimtui.foreign.paths import exists
    from nimtui.store import paths

    folders = [Path(nimtui.__file__).parent / "learning", paths.learners()]
    found = [about for folder in folders if exists(folder) and folder.is_dir() for about in _in(folder)]
    return sorted({about.name: about for about in reversed(found)}.values())


def _in(folder: Path) -> Iterator[About]:
    for path in sorted(folder.glob("*.py")):
        try:
            text = path.read_text("utf-8")
            words = _words(ast.parse(text)) if "ABOUT" in text else {}
        except (OSError, ValueError, SyntaxError):
            continue  # using the file reports its fault
        if isinstance(words.get("NAME"), str) and isinstance(words.get("ABOUT"), str):
            yield About(words["NAME"], words["ABOUT"], words.get("PARAMETERS", ()))


def _words(module: ast.Module) -> dict[str, Any]:
    """Return the constants assigned at the top level of a file, by name; of a dictionary its keys."""
    found: dict[str, Any] = {}
    for line in module.body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            name, value = line.targets[0].id, line.value
        elif isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            name, value = line.target.id, line.value or line.target
        else:
            continue
        if isinstance(value, ast.Constant):
            found[name] = value.value
        elif isinstance(value, ast.Dict):
            found[name] = tuple(str(key.value) for key in value.keys if isinstance(key, ast.Constant))
    return found


class LearnerCommand(TyperCommand):
    """A command whose help ends with a list of all learners."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        with formatter.section("Learners"):
            formatter.write_dl(
                [
                    (one.name, one.about + (f" ({', '.join(one.parameters)})" if one.parameters else ""))
                    for one in about_learners()
                ]
            )
