"""Sweeps as files: the list of those that are kept, and what is written of one for other programs."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nimtui.foreign.paths import is_there, new_file
from nimtui.foreign.sheet import Sheet
from nimtui.foreign.values import recently
from nimtui.games.notation import plural
from nimtui.store import files, sweeps
from nimtui.ui.kit.kept import KeptWork, newest

if TYPE_CHECKING:
    from nimtui.learning.sweep import Cell, Plan

FORMATS = {".csv": "CSV: a line a cell, for a spreadsheet", ".json": "JSON: every cell with each of its seeds"}


def saved_sweeps() -> list[KeptWork]:
    """The sweeps there are, the newest first."""
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
    """What is said above the list."""
    if not found:
        return "There are none yet: a sweep keeps every training as soon as it is finished."
    return f"{plural(len(found), 'sweep', 'sweeps')} in {sweeps.folder()}, the newest first"


# For other programs.


def suggested(plan: Plan) -> dict[str, str]:
    """Names in the current folder that are free, each with what is then written."""
    return {_free(plan, suffix): about for suffix, about in FORMATS.items()}


def _free(plan: Plan, suffix: str) -> str:
    word = re.sub(r"[^a-z0-9]+", "-", plan.game.name.lower()).strip("-")[:80]
    stem = f"sweep-{word}-{plan.learner.partition(':')[0]}"
    names = (f"{stem}{more}{suffix}" for more in ("", *(f"-{at}" for at in range(2, 1000))))
    return next((name for name in names if not is_there(Path(name))), "")


def parse_target(text: str) -> Path:
    """The file that is named. InputError where it cannot be written, or would replace another."""
    return new_file(text, tuple(FORMATS))


def write(path: Path, plan: Plan, cells: Sequence[Cell]) -> Path:
    """A new file, CSV or JSON by the end of its name. InputError where there is one, or it cannot be written."""
    parse_target(str(path))
    text = as_json(plan, cells) if path.suffix.lower() == ".json" else as_csv(cells)
    files.replace(path, lambda file: file.write(text.encode()))
    return path


def as_csv(cells: Sequence[Cell]) -> str:
    """A line a cell; nothing stands where a number is not known, or never."""
    rows = [cell.document() for cell in cells]
    flat = [
        {
            **row["params"],
            "learner": row["learner"],
            "seeds": len(row["runs"]),
            **{key: value for key, value in row.items() if key not in ("params", "learner", "runs")},
        }
        for row in rows
    ]
    text = io.StringIO(newline="")
    sheet = Sheet(text, list(flat[0]))
    for row in flat:
        sheet.keyed(row)
    return text.getvalue()


def as_json(plan: Plan, cells: Sequence[Cell]) -> str:
    """One document: the plan, and every cell with each of its seeds."""
    trainings = sum(len(cell.runs) for cell in cells)
    document = {
        **plan.document(),
        "trainings": trainings,
        "of_trainings": plan.grid.cells * plan.repeats,
        "cells": [cell.document() for cell in cells],
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"
