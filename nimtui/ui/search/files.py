"""Writes the exports of the Search screen: a tree as JSON or Graphviz."""

from __future__ import annotations

import os
import re
from pathlib import Path

from nimtui.errors import InputError
from nimtui.foreign.paths import new_file
from nimtui.ui.search.conductor import SearchConductor

KINDS = {
    ".json": "JSON: the 10,000 nodes nearest to the root",
    ".dot": "Graphviz: a drawing of a few hundred nodes",
}


def suggested(conductor: SearchConductor) -> dict[str, str]:
    """Return names for files that could be written now, and the contents of each."""
    setup = conductor.setup
    stem = re.sub(r"[^A-Za-z0-9]+", "-", f"{setup.game}-{setup.search}" if setup else "search").strip("-")[:80]
    able = conductor.found is not None and conductor.found.tree is not None
    return {stem + suffix: about for suffix, about in KINDS.items()} if able else {}


def parse_target(text: str, conductor: SearchConductor) -> Path:
    """Return the file to write. Raises InputError if it is invalid or exists."""
    return new_file(text, sorted({Path(name).suffix for name in suggested(conductor)}))


def write(path: Path, conductor: SearchConductor) -> None:
    """Write the export that the extension names. Raises InputError if that fails."""
    text = _text(path.suffix.lower(), conductor)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise InputError(f"{path} cannot be written: {os.strerror(fault.errno or 0)}") from fault


def _text(suffix: str, conductor: SearchConductor) -> str:
    from nimtui.trees.tree_file import tree_text

    assert conductor.found is not None and conductor.found.tree is not None
    return tree_text(conductor.found.tree, suffix)
