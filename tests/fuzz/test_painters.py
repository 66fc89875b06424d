"""Every panel paints itself in any size: a layout may give it a single cell for a moment."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from nimtui.ui.kit.widgets.panel import Panel
from tests.fuzz import faults
from tests.fuzz.drive import driven
from tests.fuzz.home import template
from tests.fuzz.starts import reach
from tests.fuzz.trial import SIZE, Outcome, Trial, apart

SHOWN = (
    "taught",
    "lesson",
    "values",
    "replay thoughts",
    "train",
    "search",
    "compare curves",
    "pairing",
    "library versions",
)
COLUMNS, ROWS = (1, 2, 3, 5, 9, 20, 39, 79), (1, 2, 3, 4, 5, 8)


def _painted(there: Connection, trial: Trial, home: Path) -> None:
    there.send(asyncio.run(_paint(trial)))
    there.close()


async def _paint(trial: Trial) -> Outcome:
    outcome = Outcome(trial)
    async with driven(trial.size) as drive:
        await reach(drive, trial.start)
        painters = [panel._paint for panel in drive.app.screen.query(Panel) if panel._paint is not None]
        for paint in painters:
            for columns, rows, signs in ((c, r, s) for c in COLUMNS for r in ROWS for s in (UNICODE, ASCII)):
                outcome.events += 1
                try:
                    paint(columns, rows, signs)
                except Exception as fault:  # noqa: BLE001 - whatever it is
                    outcome.fault = faults.of_exception(fault)
        await drive.leave()
    return outcome


@pytest.mark.slow
def test_panels_of_every_size_are_painted() -> None:
    with template() as home:
        for start in SHOWN:
            outcome = apart(Trial(start, SIZE), home, _painted)
            assert outcome.fault is None, f"{start}: {outcome.fault}"
            assert outcome.events, start
