"""600 random events for the screens: no fault, from any start. NIMTUI_FUZZ=5 gives 3,000."""

from __future__ import annotations

import pytest

from tests.fuzz.hunt import TIMES, drivers, hunt


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 102])
def test_the_screens_bear_300_random_events(seed: int) -> None:
    report = hunt(drivers()["pilot"]._replace(lengths=(60,)), seed, 300 * TIMES, shrinking=20)
    assert report.events >= 300 * TIMES
    assert not report.found, report.told
