"""The last move on the boards of Play, replay and review, and digits that mark a column."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.games.base import legal_moves
from nimtui.playing.replay import KeptGame
from nimtui.playing.session import Session
from nimtui.playing.setup import ME, PlaySetup
from nimtui.ui.play.view import owned
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import moves, playing, session, settled, until


@pytest.mark.parametrize("game", ["tower:16", "kayles:1,3,5,7", "connect4", "nim:200,200", "noughts"])
def test_the_marked_cells_are_those_that_the_last_move_changed(game: str) -> None:
    found = Session(PlaySetup(game, None, (ME, ME)))
    assert owned(found).last == frozenset() and owned(found).move == ""
    for _ in range(4):
        before = found.game.cells(found.state)
        move = legal_moves(found.state)[0]
        found.play(move)
        after = found.game.cells(found.state)
        assert before is not None and after is not None
        changed = {(r, c) for r, row in enumerate(before) for c, cell in enumerate(row) if cell != after[r][c]}
        assert owned(found).last == changed
        assert owned(found).move == found.move_names()[-1]
    assert owned(found, 2).move == found.move_names()[1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["tower:16", "kayles:1,3,5,7", "connect4"])
async def test_the_reply_is_marked_until_the_next_move(make_app: Any, game: str, size: tuple[int, int]) -> None:
    async with playing(make_app, game, second="random", size=size) as pilot:
        assert not {"■", "□", "["} & set(screen_text(pilot.app))
        await pilot.press("enter")
        await settled(pilot)
        assert len(moves(pilot)) == 2
        text = screen_text(pilot.app)
        assert ("□" in text or "[○]" in text) and "■" not in text and "[●]" not in text
        await pilot.press("u")
        await settled(pilot)
        assert not {"■", "□", "["} & set(screen_text(pilot.app))


async def test_review_and_replay_mark_the_move_before_the_shown_position(make_app: Any) -> None:
    async with playing(make_app, "nim:2,2", second="perfect") as pilot:
        while not session(pilot).over:
            await pilot.press("enter")
            await settled(pilot)
        await pilot.press("r")
        await until(pilot, lambda: "Review" in type(pilot.app.screen).__name__)
        await settled(pilot)
        await pilot.press("home")
        assert not {"■", "□"} & set(screen_text(pilot.app))
        await pilot.press("end")
        await until(pilot, lambda: bool({"■", "□"} & set(screen_text(pilot.app))))
        played = session(pilot)
        await pilot.press("escape")
        pilot.app.show_game(KeptGame("nim:2,2", "me", "perfect", tuple(played.record.moves)), ply=1)
        await until(pilot, lambda: "Replay" in type(pilot.app.screen).__name__ and "■" in screen_text(pilot.app))


class TestDigits:
    async def test_a_digit_marks_its_column_and_other_keys_keep_their_meaning(self, make_app: Any) -> None:
        async with playing(make_app, "connect4", second="me") as pilot:
            await pilot.press("2")
            assert "drop in column 2" in screen_text(pilot.app) and "Move:" not in screen_text(pilot.app)
            await pilot.press("8", "9")  # there are no such columns
            assert "drop in column 2" in screen_text(pilot.app)
            await pilot.press("7", "left", "enter", "3", "enter")
            assert moves(pilot) == ["6", "3"]
            await pilot.press("1", "u")  # u is still undo
            assert moves(pilot) == ["6"]

    async def test_a_full_column_is_not_marked(self, make_app: Any) -> None:
        async with playing(make_app, "connect4", second="me", position="111111") as pilot:
            await pilot.press("5", "1")
            assert "drop in column 5" in screen_text(pilot.app)

    async def test_two_digits_are_typed_where_there_are_more_than_nine_columns(self, make_app: Any) -> None:
        async with playing(make_app, "connect:12x4x4", second="me") as pilot:
            await pilot.press("1", "1")
            assert "Move: 11" in screen_text(pilot.app)
            await pilot.press("enter")
            assert moves(pilot) == ["11"]

    async def test_a_replay_still_goes_to_the_typed_move(self, make_app: Any) -> None:
        async with playing(make_app, "connect4", second="me") as pilot:
            pilot.app.show_game(KeptGame("connect4", "me", "me", (3, 3, 2, 2)))
            await until(pilot, lambda: "Replay" in type(pilot.app.screen).__name__)
            await pilot.press("3", "enter")
            await until(pilot, lambda: pilot.app.screen.replay.record.ply == 3)
