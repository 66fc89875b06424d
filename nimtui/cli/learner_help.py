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

    folders = [Path(nimtui.__file__).parent / "learning" / "learners", paths.learners()]
    learners = [about for folder in folders if exists(folder) and folder.is_dir() for about in _in(folder)]
    return sorted({about.name: about for about in reversed(learners)}.values())


def _in(folder: Path) -> Iterator[About]:
    from nimtui.process.plugins import assigned

    for path in sorted(folder.glob("*.py")):
        try:
            text = path.read_text("utf-8")
            values = assigned(ast.parse(text)) if "ABOUT" in text else {}
        except (OSError, ValueError, SyntaxError):
            continue  # using the file reports its fault
        match values.get("NAME"), values.get("ABOUT"):
            case ast.Constant(str(name)), ast.Constant(str(about)):
                parameters = values.get("PARAMETERS")
                keys = parameters.keys if isinstance(parameters, ast.Dict) else []
                yield About(name, about, tuple(str(key.value) for key in keys if isinstance(key, ast.Constant)))


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
