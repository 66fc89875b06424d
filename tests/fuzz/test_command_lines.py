"""Random command lines over damaged files: an answer or a line that says what is wrong, never a traceback."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs to fork", allow_module_level=True)

from tests.fuzz.hunt import drivers, hunt


@pytest.mark.slow
@pytest.mark.parametrize("seed", [301, 302])
def test_50_random_command_lines_are_answered(seed: int) -> None:
    report = hunt(drivers()["cli"], seed, 50, shrinking=20)
    assert report.events >= 50
    assert not report.found, report.told
