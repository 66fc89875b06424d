"""500 random events for the installed program on a terminal: it lives, and leaves the terminal as it was."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.fuzz.hunt import drivers, hunt


@pytest.mark.slow
@pytest.mark.parametrize("seed", [201, 202])
def test_the_program_bears_250_random_events(seed: int) -> None:
    report = hunt(drivers()["pty"], seed, 250, shrinking=20)
    assert report.events >= 250
    assert not report.found, report.told
