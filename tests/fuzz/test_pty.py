"""120 random events for the installed program on a terminal: it lives, and leaves the terminal as it was.

NIMTUI_FUZZ=4 gives four times as many.
"""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.fuzz.hunt import TIMES, drivers, hunt


@pytest.mark.slow
def test_the_program_bears_120_random_events() -> None:
    report = hunt(drivers()["pty"]._replace(lengths=(40,)), 201, 120 * TIMES, shrinking=20)
    assert report.events >= 120 * TIMES
    assert not report.found, report.told
