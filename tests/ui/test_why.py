"""Hints and explanations on the Play screen, in three depths."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.games.registry import presets
from nimtui.report.lines import Ink, plain_text
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.play import view
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, settled

CUT = "…"


def panel(pilot: Any, name: str = "why") -> list[str]:
    """The lines of a panel, without what is empty below."""
    lines: list[str] = [line.rstrip() for line in pilot.app.screen.query_one(f"#{name}").text().splitlines()]
    return lines


@pytest.mark.parametrize("size", SIZES)
async def test_each_press_goes_deeper_and_the_last_closes(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, position="1,3,5,6", second="me", size=size) as pilot:
        await pilot.press("w")
        assert panel(pilot)[0] == "Why  w the reason"
        assert " ".join(panel(pilot)[1:]).startswith("Take 1 from A: then every group of 4, 2 and 1")
        await pilot.press("w")
        assert panel(pilot)[:2] == ["Why  w the terms", "        4 2 1"]
        assert "odd         ▲" in panel(pilot) and "N-position: player to move wins." in " ".join(panel(pilot))
        await pilot.press("w")
        said = " ".join(panel(pilot))
        assert said.startswith("Why  w close N-position: A position that the player to move wins")
        assert "group: " in said and "nim-sum: " in said
        await pilot.press("w")
        assert not pilot.app.screen.conductor.explaining.on


async def test_a_drawn_position_explains_its_terms(make_app: Any) -> None:
    async with playing(make_app, "noughts:3x3x3", second="me") as pilot:
        await pilot.press("w")
        await settled(pilot)
        await pilot.press("w", "w")
        assert " ".join(panel(pilot)).startswith("Why  w close draw: A game without a winner.")


async def test_several_keys_at_once_and_escape(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("w", "w", "w", "escape", "w")
        assert panel(pilot)[0] == "Why  w the reason", "closed and opened again, it starts with plain words"


async def test_the_depth_stays_from_move_to_move(make_app: Any) -> None:
    async with playing(make_app, position="1,3,5,6", second="perfect") as pilot:
        await pilot.press("w", "w", "a", "1", "enter")
        await settled(pilot)
        assert panel(pilot)[0] == "Why  w the terms" and "sum     1" not in panel(pilot)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
@pytest.mark.parametrize("name", [preset.game for preset in presets() if preset.game != "connect4"])
async def test_nothing_is_cut_for_the_games_that_lists_offer(make_app: Any, name: str, size: tuple[int, int]) -> None:
    async with playing(make_app, name, second="me", size=size) as pilot:
        for press in ("enter", "enter"):
            await pilot.press("h")
            await settled(pilot)
            message = pilot.app.screen.conductor.message
            assert " ".join(panel(pilot, "prompt")[1:]).split() == message.split()
            for _ in range(3):
                await pilot.press("w")
                await settled(pilot)
                assert panel(pilot)[-1:] not in ([CUT], []), screen_text(pilot.app)
            await pilot.press("w", press)
            await settled(pilot)


async def test_odd_columns_stand_out_by_colour_and_by_a_sign(make_app: Any) -> None:
    async with playing(make_app, position="1,3,5,6", second="me") as pilot:
        await pilot.press("w", "w")
        found = pilot.app.screen.conductor.explaining.explanation
        shown = view.why_lines(found, depth=pilot.app.screen.conductor.explaining.depth)(34, 15, pilot.app.glyphs)
        odd = [[run.text.strip() for run in line if run.ink is Ink.WRONG] for line in shown[1:8]]
        assert odd == [["1"], ["1"], ["1"], ["1"], ["0"], ["1"], ["▲"]], [*map(plain_text, shown)]


async def test_an_ascii_terminal_has_the_same_table(make_app: Any) -> None:
    surroundings = TerminalInfo(unicode=False)
    async with playing(make_app, "kayles:1,5", second="me", surroundings=surroundings) as pilot:
        await pilot.press("w", "w")
        text = "\n".join(panel(pilot))
        assert text.isascii()
        heads, *rows = panel(pilot)[1:4]
        assert all(len(row) == len(heads) for row in rows)


async def test_a_hint_is_wrapped_and_a_key_takes_its_room_back(make_app: Any) -> None:
    async with playing(make_app, "tower:16:misere", second="me", size=(60, 20)) as pilot:
        board = pilot.app.screen.board
        before = board.size.height
        await pilot.press("h")
        said = " ".join(panel(pilot, "prompt")[1:])
        assert said.endswith("Take 1 from A to hold out longest: 15 plies.") and CUT not in said
        assert board.size.height < before
        await pilot.press("enter")
        await settled(pilot)
        assert board.size.height >= before


async def test_the_panel_names_an_opponent_who_is_to_move(make_app: Any) -> None:
    async with playing(make_app, first="random", second="perfect", position="1,3,5,6") as pilot:
        await pilot.press("space", "w")
        await settled(pilot)
        said = " ".join(panel(pilot)[1:])
        assert "you" not in said and ("Random" in said or "Perfect" in said)


async def test_a_hint_of_two_lines_leaves_the_board_where_it_is(make_app: Any) -> None:
    async with playing(make_app, "nim:3,4,5", second="me") as pilot:
        board = pilot.app.screen.query_one("Board")
        before = board.region
        await pilot.press("h")
        await settled(pilot)
        assert "you can restore that" in screen_text(pilot.app) and board.region == before
