"""Intervals contain the truth as often as they say: a quick run of what docs/ratings.md tells in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.coverage import ENOUGH, TOURNAMENTS, WORLDS, coverage, equals

PAGE = Path(__file__).resolve().parents[2] / "docs" / "ratings.md"
QUICK = 1_000  # tournaments: a share of 95 % then scatters by 0.7 %


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("agents", [2, 4])
def test_an_interval_contains_the_truth_95_times_in_100(world: str, agents: int) -> None:
    found = coverage(WORLDS[world](agents), 60, QUICK, 3)
    for share in (found.elo, found.score, found.seat):
        assert 0.93 <= share <= 0.975 if found.side >= ENOUGH else share >= 0.9
    if found.side >= ENOUGH:
        for width in (found.elo_width, found.score_width, found.seat_width):
            assert 0.85 <= width <= 1.15


@pytest.mark.slow
@pytest.mark.parametrize(("draws", "shared"), [(0.0, False), (0.3, True), (0.93, True)])
def test_the_los_of_equals_exceeds_95_percent_5_times_in_100(draws: float, shared: bool) -> None:
    assert 0.04 <= equals(draws, 40.0 * (draws < 0.9), 1_000, 2_000, 1, shared) <= 0.065


def test_the_page_has_a_row_for_each_world_and_none_is_wrong() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.read_text(encoding="utf-8").splitlines()]
    told = {world: [row for row in rows if len(row) == 8 and row[0] == world] for world in WORLDS}
    assert all(len(found) == 9 for found in told.values())
    for row in (row for found in told.values() for row in found):
        if "too few games" not in row[-1]:
            assert all(93 <= float(cell.split()[0]) <= 97 for cell in row[3:6]), row
            assert all(0.85 <= float(width) <= 1.15 for width in row[6].split(", ")), row
    assert f"{TOURNAMENTS:,} tournaments" in PAGE.read_text(encoding="utf-8")
