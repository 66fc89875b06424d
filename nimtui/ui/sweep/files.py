"""Sweeps as files: the list of saved ones, and their exports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nimtui.foreign.paths import is_there, new_file
from nimtui.foreign.values import recently
from nimtui.games.notation import plural
from nimtui.report.document import document, text
from nimtui.report.tables import csv
from nimtui.store import files, sweeps
from nimtui.ui.kit.kept import KeptWork, newest

if TYPE_CHECKING:
    from nimtui.learning.sweep import Cell, Plan

FORMATS = {".csv": "CSV: one line per cell, for a spreadsheet", ".json": "JSON: every cell with each of its seeds"}


def saved_sweeps() -> list[KeptWork]:
    """Return the saved sweeps, newest first."""
    return newest(sweeps.folder(), "*.jsonl", _kept)


def _kept(path: Path) -> KeptWork:
    from nimtui.jobs.sweep import plan_of

    with sweeps.Log(path) as log:
        plan, done = plan_of(log), len(log.entries)
    when = recently(path.stat().st_mtime)
    total = plan.grid.cells * plan.repeats
    varied = " × ".join(plan.grid.values) or "one cell"
    rest = "finished" if done >= total else f"{total - done:,} of {total:,} left"
    return KeptWork(path, f"{plan.game.name} · {plan.learner} · {varied}", f"{rest} · {when}", done >= total)


def list_intro(found: Sequence[KeptWork]) -> str:
    """Return the text above the list."""
    if not found:
        return "No sweeps yet. A sweep saves each training as soon as it ends."
    return f"{plural(len(found), 'sweep', 'sweeps')} in {sweeps.folder()}, newest first"


# Export.


def suggested(plan: Plan) -> dict[str, str]:
    """Return free names in the current folder, each with what is written there."""
    return {_free(plan, suffix): about for suffix, about in FORMATS.items()}


def _free(plan: Plan, suffix: str) -> str:
    word = re.sub(r"[^a-z0-9]+", "-", plan.game.name.lower()).strip("-")[:80]
    stem = f"sweep-{word}-{plan.learner.partition(':')[0]}"
    names = (f"{stem}{more}{suffix}" for more in ("", *(f"-{at}" for at in range(2, 1000))))
    return next((name for name in names if not is_there(Path(name))), "")


def parse_target(name: str) -> Path:
    """Return the file of this name. InputError if its extension is unknown or the file exists."""
    return new_file(name, tuple(FORMATS))


def write(path: Path, plan: Plan, cells: Sequence[Cell]) -> Path:
    """Write a new file; the extension sets the format, CSV or JSON. InputError if it exists or cannot be written."""
    parse_target(str(path))
    contents = as_json(plan, cells) if path.suffix.lower() == ".json" else as_csv(cells)
    files.replace(path, lambda file: file.write(contents.encode()))
    return path


def as_csv(cells: Sequence[Cell]) -> str:
    """Return a line per cell; unknown numbers and 'never' are empty."""
    from nimtui.learning.sweep_report import sheet

    return csv(sheet(cells))


def as_json(plan: Plan, cells: Sequence[Cell]) -> str:
    """Return one document: the plan, and every cell with each of its seeds."""
    from nimtui.learning.sweep_report import swept

    return text(document(swept(plan, cells)), 2) + "\n"
