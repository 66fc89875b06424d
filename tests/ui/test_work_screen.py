"""What the screens of long work share: their bar, their first line, and the commands that start, export and stop."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from nimtui.jobs.work import State
from nimtui.report.lines import plain_text, width
from nimtui.ui.compare.screen import ComparisonScreen
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.panel import of_head, of_message
from nimtui.ui.kit.work_screen import WorkScreen, pace, progress
from nimtui.ui.library.screen import LibraryScreen
from nimtui.ui.search.screen import SearchScreen
from nimtui.ui.sweep.screen import SweepScreen
from nimtui.ui.tournament import work
from nimtui.ui.tournament.screen import TournamentScreen
from nimtui.ui.train.screen import TrainScreen
from tests.ui.playing import until
from tests.ui.tournaments import tournament

SCREENS = (SweepScreen, TournamentScreen, ComparisonScreen, TrainScreen, SearchScreen, LibraryScreen)
PARTS = ("12 of 80 games", "about 2 min left", "2 workers")


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_a_bar_leaves_out_its_last_parts_and_never_its_first(signs: Glyphs) -> None:
    before = 0
    for columns in range(24, 90):
        [shown] = progress(0.15, *PARTS)(columns, 1, signs)
        text = plain_text(shown)
        assert width(shown) <= columns and "15 %" in text and PARTS[0] in text
        parts = [part in text for part in PARTS]
        assert parts == sorted(parts, reverse=True) and sum(parts) >= before
        before = sum(parts)
        assert text.isascii() or signs is UNICODE
    assert before == len(PARTS)


def test_work_that_does_not_run_says_its_state() -> None:
    assert pace(State.GOING, PARTS[1:]) == PARTS[1:]
    assert pace(State.PAUSED, PARTS[1:], "rest") == ("‖ paused", "rest")
    assert {pace(state, PARTS)[0] for state in (State.STOPPED, State.SAVED, State.LEFT)} == {"stopped"}


def test_the_first_line_has_the_longest_text_that_fits_beside_the_name() -> None:
    rights = ("a long text about it", "a text", "it")
    for columns in range(12, 40):
        [shown] = of_head("name", rights)(columns, 1, UNICODE)
        fitting = next((text for text in rights if len("name") + 2 + len(text) <= columns), rights[-1])
        assert plain_text(shown).split(maxsplit=1) == ["name", fitting] and width(shown) == columns


def test_a_fault_comes_before_a_message_and_a_message_before_a_hint() -> None:
    def said(*texts: str) -> str:
        return plain_text(of_message(*texts)(40, 1, UNICODE)[0])

    assert said("message", "fault", "hint") == "! fault"
    assert said("message", "", "hint") == "message" and said("", "", "hint") == "hint"


@pytest.mark.parametrize("kind", SCREENS)
def test_a_screen_of_work_starts_and_exports_by_the_same_keys(kind: type[WorkScreen[Any]]) -> None:
    keys = {row.action: row.key for row in kind.ROWS}
    assert keys.get("export", "e") == "e" and keys.get("new", "N").split(",")[-1] == "N"
    assert "export" in keys or kind is TrainScreen
    assert "new" in keys or kind is LibraryScreen


async def test_the_list_of_saved_tournaments_is_no_work_in_the_header(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, listed = threading.Event(), work.listed
    monkeypatch.setattr(work, "listed", lambda database: gate.wait(30) and listed(database))
    async with tournament(make_app, None) as pilot:
        assert pilot.app.tournament._listing.running and not pilot.app.jobs.running()
        gate.set()
        await until(pilot, lambda: not pilot.app.tournament._listing.running)
