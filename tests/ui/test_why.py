"""Hints and explanations on the Play screen, in three depths; and the values of heaps, in rows and as a quotient."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nimtui.games.registry import presets
from nimtui.playing.setup import PlaySetup
from nimtui.theory.sequence import row_of
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.play.heap_pages import QuotientPage, SequencePage, Values
from tests.examples import few
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import make_moves, playing, session, settled, until

CUT = "…"


def panel(pilot: Any, name: str = "why") -> list[str]:
    """The lines of a panel, without what is empty below."""
    return [line.rstrip() for line in pilot.app.screen.query_one(f"#{name}").text().splitlines()]


@pytest.mark.slow
async def test_each_press_goes_deeper_and_the_last_closes_at_every_size(make_app: Any) -> None:
    async with playing(make_app, position="1,3,5,6", second="me") as pilot:
        await pilot.press("down", "left")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.press("w")
            assert panel(pilot)[0] == "Why  w the reason  P the period" and "take 2 from B" in screen_text(pilot.app)
            assert " ".join(panel(pilot)[1:]).startswith("Take 1 from A: then every group of 4, 2 and 1")
            await pilot.press("w")
            assert panel(pilot)[:2] == ["Why  w the terms  P the period", "        4 2 1"]
            assert "odd         ▲" in panel(pilot) and "N-position: player to move wins." in " ".join(panel(pilot))
            if size == (60, 20):  # a smaller board stands beside it
                assert screen_text(pilot.app).count("┃") + screen_text(pilot.app).count("╎") == 15
            await pilot.press("w")
            words = " ".join(panel(pilot))
            assert words.startswith("Why  w close  P the period N-position: A position that the player to move wins")
            assert "group: " in words and "nim-sum: " in words
            await pilot.press("w")
            assert not pilot.app.screen.conductor.explaining.on
        await pilot.press("w", "w", "w", "escape", "w")
        assert panel(pilot)[0].startswith("Why  w the reason"), "closed and opened again, it starts with plain words"


@pytest.mark.slow
async def test_columns_drawn_positions_watched_games_and_ascii_are_explained_too(make_app: Any) -> None:
    async with playing(make_app, "noughts:3x3x3", second="me", surroundings=TerminalInfo(unicode=False)) as pilot:
        await pilot.press("w")
        await settled(pilot)
        await pilot.press("w", "w")
        assert " ".join(panel(pilot)).startswith("Why  w close draw: A game without a winner.")
        pilot.app.play(PlaySetup("kayles:1,5", None, ("me", "me"), 1))
        await until(pilot, lambda: pilot.app.screen.board is not None)
        await pilot.press("w", "w", "w")  # what was open at another game is closed first
        heads, *rows = panel(pilot)[1:4]
        assert "\n".join(panel(pilot)).isascii() and all(len(row) == len(heads) for row in rows)
        pilot.app.play(PlaySetup("tower:16", "1,3,5,6", ("random", "perfect"), 1))
        await pilot.press("space", "escape", "w")
        await settled(pilot)
        words = " ".join(panel(pilot)[1:])
        assert "you" not in words and ("Random" in words or "Perfect" in words)
        pilot.app.play(PlaySetup("connect4:4x4", "12", ("me", "me"), 1))
        await until(pilot, lambda: session(pilot).game.board_kind == "columns")
        await pilot.press("w", "w")
        await until(pilot, lambda: re.search("D +L14 +D +D", screen_text(pilot.app)) is not None)


@pytest.mark.slow
async def test_at_200_by_60_thoughts_explanation_and_moves_are_seen_together(make_app: Any) -> None:
    async with playing(make_app, size=(200, 60)) as pilot:
        await pilot.press("w", "w")
        await make_moves(pilot, "d3")
        text = screen_text(pilot.app)
        assert "What Perfect thought before" in text and "sum" in text and "Moves" in text


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_nothing_is_cut_for_the_games_that_lists_offer(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, "nim:2", second="me", size=size) as pilot:
        names = [preset.game for preset in presets() if preset.game != "connect4"]
        for name in few(names[:: 1 if size == (60, 20) else 2], names):
            pilot.app.play(PlaySetup(name, None, ("me", "me"), 1))
            await until(pilot, lambda: pilot.app.screen.board is not None)
            await pilot.press("h")
            await settled(pilot)
            message = pilot.app.screen.conductor.message
            assert " ".join(panel(pilot, "prompt")[1:]).split() == message.split()
            for _ in range(3):
                await pilot.press("w")
                await settled(pilot)
                assert panel(pilot)[-1:] not in ([CUT], []), screen_text(pilot.app)
            await pilot.press("w")


async def test_a_hint_is_wrapped_and_a_key_takes_its_room_back(make_app: Any) -> None:
    async with playing(make_app, "tower:16:misere", second="me", size=(60, 20)) as pilot:
        board = pilot.app.screen.board
        before = board.size.height
        await pilot.press("h")
        words = " ".join(panel(pilot, "prompt")[1:])
        assert words.endswith("Take 1 from A to hold out longest: 15 plies.") and CUT not in words
        assert board.size.height < before
        await pilot.press("enter")
        await settled(pilot)
        assert board.size.height >= before


@pytest.mark.slow
async def test_reasons_stand_by_themselves_where_agents_play_not_while_a_person_does(make_app: Any) -> None:
    async with playing(make_app, position="1,3,5,6", second="me", size=(200, 60)) as pilot:
        text = " ".join(" ".join(panel(pilot)).split())
        assert "w explains the position: who wins, and why." in text and "Take" not in text
        pilot.app.play(PlaySetup("tower:16", "1,3,5,6", ("random", "perfect"), 1))
        await until(pilot, lambda: pilot.app.screen.session.over)
        await until(pilot, lambda: "The player who takes the last match wins." in " ".join(panel(pilot)))
        await pilot.press("u")
        await until(pilot, lambda: "sum" in " ".join(panel(pilot)))
        assert not pilot.app.screen.conductor.explaining.on


# Heaps that split.


@pytest.mark.slow
async def test_p_shows_rows_as_long_as_the_period_searches_a_value_and_then_a_heap_splits(make_app: Any) -> None:
    async with playing(make_app, "octal:0.77:9", second="me") as pilot:
        await pilot.press("P")
        page = pilot.app.screen
        assert isinstance(page, SequencePage)
        text = screen_text(pilot.app)
        assert "period 12 from 71 on" in text and "12 in a row = the period" in text
        await pilot.press(*"99", "enter")
        assert [each.message for each in pilot.app._notifications] == ["no heap up to 250 has the value 99"]
        await pilot.press("escape", "pagedown")
        assert page._top > 0
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
