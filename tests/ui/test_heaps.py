"""Heaps that split: the cursor, where heaps stand, the values of heaps in rows, and the quotient."""

from __future__ import annotations

import random
from typing import Any

import pytest

from nimtui.games import base, parse_game
from nimtui.theory.sequence import row_of
from nimtui.ui.board.cursor import Step
from nimtui.ui.board.heaps_cursor import HeapsCursor
from nimtui.ui.play.heap_pages import QuotientPage, SequencePage, Values
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, until

GAMES = ("octal:0.77:12", "octal:0.137:9,5:misere", "grundy:13", "nim:21:take=1,3,4", "octal:4.3:7", "octal:0.26:9,9")


@pytest.mark.parametrize("name", GAMES)
def test_every_key_leaves_it_on_a_legal_move_and_heaps_stay_in_their_rows(name: str) -> None:
    game, chance = parse_game(name), random.Random(5)
    state = game.new()
    cursor = HeapsCursor(game, state)
    for move in base.legal_moves(state):
        cursor.go_to(move)
        assert cursor.move == move
    while base.outcome(state) == base.GOING_ON:
        for _ in range(20):
            before, step = cursor.move, chance.choice(list(Step))
            assert cursor.press(step) == (cursor.move != before)
            assert cursor.move is not None and base.legal(state, cursor.move)
        piece, rows = cursor.pieces[cursor.at], [sum(row) for row in cursor.cells]
        take = int(state.take_of[cursor.move])  # type: ignore[attr-defined]
        assert {row for row, _ in cursor.marked} == {piece.row}
        assert len(cursor.marked) == (take or int(state.left_of[cursor.move]))  # type: ignore[attr-defined]
        base.play(state, cursor.move)
        cursor.look(state)
        rows[piece.row] -= take
        assert [sum(row) for row in cursor.cells] == rows, "the other rows stay as they are"
        heaps = sorted((piece.matches for piece in cursor.pieces), reverse=True)
        assert ",".join(map(str, heaps)) or game.position_name(state) == "0"
        for each in cursor.pieces:
            assert all(cursor.cells[each.row][each.first : each.first + each.matches])
        names = [cursor.name_of(at) for at in range(len(cursor.pieces))]
        assert sorted(names, key=lambda name: (len(name), name)) == sorted(set(names), key=lambda n: (len(n), n))
    assert cursor.move is None and not cursor.marked


def test_a_click_chooses_where_a_heap_splits_and_a_position_from_elsewhere_is_laid_out() -> None:
    game = parse_game("octal:0.77:9")
    cursor = HeapsCursor(game, game.new())
    assert cursor.aim((0, 3)) and game.move_name(cursor.move or 0, game.start) == "a1/3"
    assert cursor.marked == {(0, 3)} and not cursor.aim((0, 20))
    cursor.look(game.new("4,2,1"))
    assert [(piece.first, piece.matches) for piece in cursor.pieces] == [(0, 4), (5, 2), (8, 1)]


async def test_a_heap_splits_where_it_stands(make_app: Any) -> None:
    async with playing(make_app, "octal:0.77:9", second="me") as pilot:
        await pilot.press("left", "plus", "plus", "plus")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.session.record.ply == 1)
        assert pilot.app.screen.session.game.position_name(pilot.app.screen.session.state) == "4,3"
        text = screen_text(pilot.app)
        assert "B 3" in text and "A 4" in text and text.index("B 3") < text.index("A 4")


async def test_p_shows_rows_as_long_as_the_period_and_searches_a_value(make_app: Any) -> None:
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


async def test_other_games_have_no_page_of_values(make_app: Any) -> None:
    async with playing(make_app, "connect4:4x4", second="me") as pilot:
        await pilot.press("P")
        assert not isinstance(pilot.app.screen, SequencePage)


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
