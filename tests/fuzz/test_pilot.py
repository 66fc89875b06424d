"""3,000 random events for the screens: no fault, from any start."""

from __future__ import annotations

import pytest

from tests.fuzz.hunt import drivers, hunt


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(101, 107))
def test_the_screens_bear_500_random_events(seed: int) -> None:
    report = hunt(drivers()["pilot"], seed, 500, shrinking=20)
    assert report.events >= 500
    assert not report.found, report.told
