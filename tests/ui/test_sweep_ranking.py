"""The list of a sweep's cells: the best first, those that never got there last."""

from __future__ import annotations

import pytest

from nimtui.games import parse_game
from nimtui.learning.perfection import Needed
from nimtui.learning.sweep import Cell, plan
from nimtui.report import lines as ink
from nimtui.report.lines import Ink
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.sweep.heat import Unit
from nimtui.ui.sweep.view import ranked, ranking

PLAN = plan(parse_game("nim:2,1"), "quality", ["margin=50,90", "win=19,29"], 2, 500, 1)


def cell(number: int, *needed: int | None) -> Cell:
    runs = tuple((seed, Needed(games, games, 500, 0.5 + number / 10, 1.0)) for seed, games in enumerate(needed))
    return Cell(PLAN.settings[number], runs)


CELLS = (cell(0, 90, 70), cell(1, None, None), cell(2, 40), cell(3))


def test_the_best_come_first_then_what_never_got_there_then_what_has_not_run() -> None:
    assert ranked(CELLS, Unit.GAMES) == [2, 0, 1, 3]
    assert ranked(CELLS, Unit.SHARE) == [2, 1, 0, 3]


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_each_line_has_rank_value_and_settings_and_the_chosen_one_is_marked(signs: Glyphs) -> None:
    lines = ranking(CELLS, 2, Unit.GAMES, 1)(40, 9, signs)
    rows = [ink.plain_text(shown).split() for shown in lines]
    assert rows == [
        ["games", "margin", "win"],
        ["1", f"40{signs.waiting}", "90", "19"],  # one of two seeds
        ["2", "80", "50", "19"],
        [f"{signs.cursor}3", "never", "50", "29"],
        [signs.waiting, "90", "29"],
    ]
    assert [shown[0].ink for shown in lines] == [Ink.COLUMN, Ink.QUIET, Ink.TEXT, Ink.WHERE, Ink.QUIET]


@pytest.mark.parametrize("chosen", [0, 1, 2, 3])
def test_the_chosen_cell_is_in_sight_and_signs_say_that_there_are_more(chosen: int) -> None:
    lines = ranking(CELLS, 2, Unit.GAMES, chosen)(40, 4, UNICODE)
    texts = [ink.plain_text(shown) for shown in lines]
    assert len(texts) == 4 and sum(text.startswith("▸") for text in texts) == 1
    assert texts[-1] == "2 more rows"
