"""Writes the exports of the Compare screen: the table as CSV, the curves as CSV and SVG, everything as JSON."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from nimtui.arena.comparison_document import curves_csv, document, table_csv
from nimtui.arena.curve_svg import picture
from nimtui.errors import InputError
from nimtui.foreign.paths import new_file
from nimtui.ui.compare.conductor import CompareConductor
from nimtui.ui.play.compare_setup import CURVE, DEPTHS

TABLE = {".csv": "CSV: a row for each agent and move", ".json": "JSON: the table, and the curves if shown"}
CURVES = {
    ".svg": "SVG: a picture of the effort curves",
    ".csv": "CSV: a row for each agent and step of effort",
    ".json": "JSON: the table and the curves",
}
BY_DEPTH = {".csv": "CSV: a row for each depth and search"}


def suggested(conductor: CompareConductor, view: str) -> dict[str, str]:
    """Return names for files that could be written now, and the content of each."""
    game = conductor.game.name if conductor.game is not None else ""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", f"compare-{game}").strip("-")[:80]
    kinds = CURVES if view == CURVE and all(conductor.curves) else BY_DEPTH if view == DEPTHS else TABLE
    return {stem + suffix: about for suffix, about in kinds.items()}


def parse_target(text: str, conductor: CompareConductor, view: str) -> Path:
    """Return the file to write. Raises InputError if it is invalid or exists."""
    return new_file(text, sorted({Path(name).suffix for name in suggested(conductor, view)}))


def write(path: Path, conductor: CompareConductor, view: str) -> None:
    """Write the export that the extension names. Raises InputError if that fails."""
    text = _text(path.suffix.lower(), conductor, view)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise InputError(f"{path} cannot be written: {os.strerror(fault.errno or 0)}") from fault


def _text(suffix: str, conductor: CompareConductor, view: str) -> str:
    found, setup = conductor.compared, conductor.setup
    if found is None or setup is None:
        raise InputError("the game is over here: nothing to export")
    if view == DEPTHS:
        compared = conductor.by_depth.comparison
        return "" if compared is None else compared.csv()
    curves = [curve for curve in conductor.curves if curve is not None]
    if suffix == ".svg":
        return picture(found, curves)
    if suffix == ".csv":
        return curves_csv(found, curves) if view == CURVE else table_csv(found)
    place = found.game.position_name(found.state)
    keys = {"game": found.game.name, "position": place, "canonical": place, "seed": setup.seed}
    whole = keys | document(found, curves if len(curves) == len(found.columns) else None)
    return json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
