"""Hints and explanations on the Play screen, in three depths."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.games.registry import presets
from nimtui.playing.setup import PlaySetup
from nimtui.ui.app.terminal import TerminalInfo
from tests.examples import few
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import make_moves, playing, settled, until

CUT = "…"


def panel(pilot: Any, name: str = "why") -> list[str]:
    """The lines of a panel, without what is empty below."""
    return [line.rstrip() for line in pilot.app.screen.query_one(f"#{name}").text().splitlines()]


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
async def test_drawn_positions_watched_games_and_ascii_are_explained_too(make_app: Any) -> None:
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
