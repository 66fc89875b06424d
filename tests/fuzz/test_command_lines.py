"""Random command lines over damaged files: an answer or a line that says what is wrong, never a traceback."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs to fork", allow_module_level=True)

from tests.fuzz.hunt import drivers, hunt


@pytest.mark.parametrize("seed", [301, 302])
def test_100_random_command_lines_are_answered(seed: int) -> None:
    report = hunt(drivers()["cli"], seed, 100, shrinking=20)
    assert report.events >= 100
    assert not report.found, report.told
