"""The picture below the details of a tournament: each agent's share of the points."""

from __future__ import annotations

from nimtui.arena.standings.standings_report import standings as table_of
from nimtui.report.lines import Ink, plain_text, width
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.library.details import _shares
from tests.ui.tournaments import standings


def test_each_agent_has_a_bar_as_long_as_its_share_of_the_points() -> None:
    field = standings(4)
    drawn = _shares(table_of(field))(60, 10, UNICODE)
    lines = [each for each in drawn if "%" in plain_text(each)]
    bars = [sum(len(run.text) for run in each if run.ground is Ink.BAR) for each in lines]
    assert len(lines) == 4 and max(map(width, drawn)) <= 60
    for row, each, bar in zip(field.rows, lines, bars, strict=True):
        text = plain_text(each)
        assert text.startswith(row.agent[:3]) and text.endswith("%")
        assert abs(bar - bars[0] * row.score / field.rows[0].score) <= 1
