"""Every sentence about a tournament is true: random crosstables, each fact recomputed from the games."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from nimtui.arena.standings import statements
from tests.arena import facts
from tests.arena.crosstables import Field, fields


@pytest.mark.slow
@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(fields())
def test_every_sentence_about_ratings_is_true(field: Field) -> None:
    standings = field.view.standings
    said = list(statements.of_ratings(standings.ratings, standings.meetings, field.names))
    facts.CHECKED["crosstables"] += 1
    facts.check_ratings(field, standings.ratings, said)
