"""The exports of the Compare screen: each view as CSV or JSON, the curves as SVG too."""

from __future__ import annotations

import re
from collections.abc import Callable

from nimtui.arena import comparison_report, position_report
from nimtui.games.place import Place
from nimtui.progress import Progress
from nimtui.report.document import document, file_text
from nimtui.ui.compare.conductor import CompareConductor
from nimtui.ui.kit.entries import usual_name
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP

TABLE = {".csv": "CSV: a row for each agent and move", ".json": "JSON: the table, and the curves if shown"}
CURVES = {
    ".svg": "SVG: a picture of the effort curves",
    ".csv": "CSV: a row for each agent and step of effort",
    ".json": "JSON: the table and the curves",
}
POSITIONS = {
    ".csv": "CSV: a row for each position of the game",
    ".json": "JSON: the counts, the shares by distance, all positions",
}
BY_DEPTH = {".csv": "CSV: a row for each depth and search"}


def suggested(conductor: CompareConductor, view: str) -> dict[str, str]:
    """Return names for files that could be written now, and the content of each."""
    game = usual_name(conductor.game.name) if conductor.game is not None else ""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", f"compare-{game}").strip("-")[:80]
    kinds = {CURVE: CURVES, DEPTHS: BY_DEPTH, MAP: POSITIONS, LIST: POSITIONS}.get(view, TABLE)
    return {stem + suffix: about for suffix, about in kinds.items()}


def able(conductor: CompareConductor, view: str) -> bool:
    """Return whether what the view shows is complete enough to be written."""
    if view in (MAP, LIST):
        return conductor.everywhere.found is not None
    if view == CURVE:
        return bool(conductor.curves) and all(conductor.curves)
    if view == DEPTHS:
        return conductor.by_depth.comparison is not None
    return conductor.compared is not None


def content(suffix: str, conductor: CompareConductor, view: str) -> Callable[[Progress], str]:
    """Return a function that makes the text of an export, of what is known now."""
    setup, seed = conductor.setup, conductor.setup.seed if conductor.setup is not None else 0
    everywhere, by_depth, found = conductor.everywhere.found, conductor.by_depth.comparison, conductor.compared
    curves = [curve for curve in conductor.curves if curve is not None]
    if view in (MAP, LIST):
        assert everywhere is not None
        both = everywhere.compared
        if suffix == ".csv":
            return lambda progress: position_report.positions_csv(both, progress)
        counts = document(position_report.compared(both, seed))
        return lambda progress: file_text(counts | position_report.positions_keys(both, progress))
    if view == DEPTHS:
        assert by_depth is not None
        return lambda progress: by_depth.csv()
    assert found is not None and setup is not None
    complete = curves if len(curves) == len(found.columns) else None
    shown = {".svg": curves, ".csv": curves if view == CURVE else None}.get(suffix, complete)
    text = comparison_report.file_of(suffix, Place(found.game, found.state, None), found, seed, shown)
    return lambda progress: text
