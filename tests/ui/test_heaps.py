"""Heaps that split: on the board, the values of heaps in rows, and the quotient."""

from __future__ import annotations

from typing import Any

from nimtui.theory.sequence import row_of
from nimtui.ui.play.heap_pages import QuotientPage, SequencePage, Values
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, session, until


async def test_p_shows_rows_as_long_as_the_period_searches_a_value_and_then_a_heap_splits(make_app: Any) -> None:
    async with playing(make_app, "octal:0.77:9", second="me") as pilot:
        await pilot.press("P")
        page = pilot.app.screen
        assert isinstance(page, SequencePage)
        text = screen_text(pilot.app)
        assert "period 12 from 71 on" in text and "12 in a row = the period" in text
        await pilot.press("7", "enter", "enter")
        values = page.values.sequence.grundy
        assert page.at == [heap for heap, value in enumerate(values) if value == 7][1]
        await pilot.press("right")
        assert "13 in a row" in screen_text(pilot.app)
        await pilot.press("p", "plus")
        await until(pilot, lambda: page.to == 2_500 and page._job is None)
        await pilot.press("end")
        last = screen_text(pilot.app).split("2496")[1].split()
        assert last[:5] == [str(value) for value in page.values.sequence.grundy[2_496:]], "the last row, without stars"
        await pilot.press("home")
        assert "3*" in screen_text(pilot.app), "the value of heap 3 is none of the period"
        await pilot.press("m")
        assert page.heap.misere and {page.values.text(heap) for heap in range(page.to + 1)} == {"N", "P"}
        await pilot.press("Q")
        assert isinstance(pilot.app.screen, QuotientPage)
        await pilot.press("escape", "escape", "escape")
        assert not isinstance(pilot.app.screen, SequencePage)
        await pilot.press("left", "plus", "plus", "plus", "enter")
        assert session(pilot).game.position_name(session(pilot).state) == "4,3"
        text = screen_text(pilot.app)
        assert "B 3" in text and "A 4" in text and text.index("B 3") < text.index("A 4"), "it splits where it stands"


async def test_the_element_changes_with_each_heap_that_is_added(make_app: Any) -> None:
    async with playing(make_app, "octal:0.123:11:misere", second="me", size=(100, 30)) as pilot:
        await pilot.press("P", "Q")
        page = pilot.app.screen
        assert isinstance(page, QuotientPage) and page.quotient.order == 20
        for heap in (8, 5, 3):
            while page.at != heap:
                await pilot.press("down" if page.at < heap else "up")
            await pilot.press("enter")
        text = screen_text(pilot.app)
        assert "+ 8 = c" in text and "+ 5 = ac" in text and "+ 3 = abc: the player to move wins" in text
        await pilot.press("left", "left", "left", "left", "left")
        assert page.largest == 7 and page.quotient.order == 6 and page.sum == [5, 3]
        await pilot.press("backspace")
        assert page.sum == [5]


def test_values_are_found_and_compared_where_they_repeat_and_where_they_do_not() -> None:
    kayles, other = row_of("octal:0.77"), row_of("octal:0.6")
    assert kayles is not None and other is not None
    values, grundy = Values(kayles, 3_000), kayles.values(3_000).grundy
    assert grundy is not None and [values.text(heap) for heap in range(3_001)] == [str(value) for value in grundy]
    fives = [heap for heap, value in enumerate(grundy) if value == 5]
    assert values.next("5", -1) == values.next("5", fives[-1]) == fives[0] and values.next("99", -1) is None
    exceptions = [heap for heap in range(71) if grundy[heap] != grundy[heap + 12 * -(-(71 - heap) // 12)]]
    assert exceptions[-1] == max(heap for heap in range(2_900) if values.differs(heap, 12)) == 70
    assert not values.differs(3_000, 12), "nothing to compare with"
    assert Values(other, 50).period == 0 and Values(other.turned(), 24).next("1", -1) is None, "letters, no numbers"
