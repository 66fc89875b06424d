"""Random command lines over damaged files: an answer or a line that says what is wrong, never a traceback.

NIMTUI_FUZZ=5 gives five times as many.
"""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs to fork", allow_module_level=True)

from tests.fuzz.hunt import TIMES, drivers, hunt


@pytest.mark.slow
def test_20_random_command_lines_are_answered() -> None:
    report = hunt(drivers()["cli"]._replace(lengths=(10,)), 301, 20 * TIMES, shrinking=20)
    assert report.events >= 20 * TIMES
    assert not report.found, report.told
