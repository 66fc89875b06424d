"""The Play screen, driven by keys and mouse at several sizes, as text."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from textual.events import Paste

from nimtui import theory
from nimtui.cli.new import Kind, template
from nimtui.games import registry
from nimtui.playing import advice
from nimtui.playing.setup import PlaySetup
from nimtui.store.game_list import games as saved_games
from nimtui.store.settings import Glyphs, Settings
from nimtui.ui.board.board import MOVING, Board
from nimtui.ui.kit.widgets.panel import Canvas
from tests.examples import few
from tests.games import domineering
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import CALM, conducted, eventually, make_moves, moves, playing, said, session, settled, until

KINDS = {"tower:16": "take", "subtraction:21,3:misere": "take", "kayles:1,3,5,7": "take", "connect4": "drop in column",
         "noughts": "mark", "chomp:4x5": "eat", "domineering:4x3": "cover"}  # fmt: skip


@pytest.fixture(autouse=True)
def own() -> None:
    registry.add(domineering)


def footer(pilot: Any) -> str:
    return str(screen_text(pilot.app).splitlines()[-1])


def board_of(pilot: Any) -> Any:
    return pilot.app.screen.query_one("#middle").query_one(Board)


@pytest.mark.slow
async def test_every_board_is_shown_and_played_at_every_size(make_app: Any) -> None:
    async with playing(make_app, "nim:2") as pilot:
        for game, doing in {**KINDS, "connect4:4x4": "drop in column", "tower:36": "take"}.items():
            pilot.app.play(PlaySetup(game, None, ("me", "random"), 1))
            await until(pilot, lambda: pilot.app.screen.board is not None)
            await pilot.press("left", "enter")
            await settled(pilot)
            assert len(moves(pilot)) == 2
            for size in few(SIZES if game in KINDS else SIZES[2:], SIZES):
                await pilot.resize_terminal(*size)
                text = screen_text(pilot.app)
                assert session(pilot).game.title.split(" · ")[0][:20] in text and "your move" in text
                assert doing in text and "2 random" in said(pilot)


@pytest.mark.parametrize("settings", [Settings(pace=0.0), CALM])
async def test_what_an_answer_moves_is_marked_for_a_moment_unless_nothing_shall_move(
    make_app: Any, settings: Settings
) -> None:
    async with playing(make_app, "nim:3,4,5", settings=settings) as pilot:
        board, marked = board_of(pilot), list[tuple[Any, Any]]()
        show = board.draw
        board.draw = lambda: (marked.append((dict(board._moving), board.marked)), show())
        await pilot.press("enter")
        await settled(pilot)
        await until(pilot, lambda: not board._moving)
        answer = board.owned.last
        assert len(moves(pilot)) == 2 and answer and all(not board.cells[row][at] for row, at in answer)
        moving = [(places, cells) for places, cells in marked if places]
        assert bool(moving) == (settings is not CALM and len(answer) <= MOVING)
        assert all(places == dict.fromkeys(answer, 1) and cells == answer for places, cells in moving)
        await pilot.press("u")  # nothing moves when moves are taken back
        await settled(pilot)
        assert not board._moving and not moves(pilot)


async def test_a_move_is_crossed_out_typed_explained_mended_and_leaves_ghosts(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        tile = board_of(pilot).query_one(Canvas)
        before = list(tile.lines)
        await pilot.press("down")
        assert sum(old != new for old, new in zip(before, tile.lines, strict=True)) == 4, "the lines of two rows"
        await pilot.press("down", "left")
        text = screen_text(pilot.app)
        assert text.count("╳") == 2 and "take 2 from C" in text
        await pilot.press("d", "3")
        text = screen_text(pilot.app)
        assert "Move: d3" in text and text.count("╳") == 3 and moves(pilot) == []
        assert "⏎ play" in footer(pilot) and "esc cancel" in footer(pilot)
        assert not {"hint", "undo", "take"} & set(footer(pilot).split())
        await pilot.press("left")  # an arrow leaves the typed move and moves on from it
        assert "take 4 from D" in said(pilot, "prompt") and "Move:" not in said(pilot, "prompt")
        assert "hint" in footer(pilot) and "take" in footer(pilot) and "cancel" not in footer(pilot)
        await pilot.press("c", "6", "enter")
        assert "Move: c6" in said(pilot) and "row C has 5 matches: 6 cannot be taken" in said(pilot)
        await pilot.press("backspace", "2", "enter")
        assert moves(pilot) == ["c2"] and "Move:" not in screen_text(pilot.app)
        ghosts = board_of(pilot).query_one(Canvas).text()
        assert ghosts.count("■") == 2 and ghosts.count("╳") == 1
        await pilot.press("c", "escape", "enter")  # what was typed is forgotten
        assert "Move:" not in screen_text(pilot.app) and len(moves(pilot)) == 2
        assert board_of(pilot).query_one(Canvas).text().count("∙") == 2  # no longer the last move


@pytest.mark.slow
async def test_digits_mark_a_column_or_are_typed_and_rows_whose_letter_is_a_key_are_typed_as_capitals(
    make_app: Any,
) -> None:
    async with playing(make_app, "connect4", second="me", position="111111") as pilot:
        await pilot.press("2")
        assert "drop in column 2" in said(pilot) and "Move:" not in said(pilot)
        await pilot.press("8", "9", "1")  # there are no such columns, and the first one is full
        assert "drop in column 2" in said(pilot)
        await pilot.press("7", "left", "enter", "3", "enter")
        assert moves(pilot) == ["6", "3"]
        await pilot.press("4", "u")  # u is still undo
        assert moves(pilot) == ["6"]
        play = pilot.app.screen
        await pilot.press("P")
        assert pilot.app.screen is play, "no heaps: no page of their values"
        for game, asks in (("connect:12x4x4", "drop in column"), ("nim:" + ",".join("3" * 26), "take")):
            pilot.app.play(PlaySetup(game, None, ("me", "me"), 1))
            await until(pilot, lambda asks=asks: asks in said(pilot, "prompt") and not moves(pilot))
            if game[0] == "c":  # of more than nine columns all are typed
                await pilot.press("1", "1")
                assert "Move: 11" in screen_text(pilot.app)
                await pilot.press("enter")
                assert moves(pilot) == ["11"]
        assert "Type rows H L N O Q R S T U W Y with Shift, as in H1" in said(pilot, "prompt")
        await pilot.press("colon", "h", "2", "enter", "H", "1", "enter")
        assert moves(pilot) == ["h2", "h1"]
        await pilot.press("u", "h")
        await settled(pilot)
        assert moves(pilot) == ["h2"] and ("makes pairs of equals" in said(pilot) or "from its partner" in said(pilot))
        hint = re.search(r"Take (\d) from (\w)", pilot.app.screen.conductor.message)
        await pilot.press("enter")
        assert hint and moves(pilot) == ["h2", f"{hint[2].lower()}{hint[1]}"], "the cursor has moved there"


async def test_undo_redo_and_a_new_move_and_what_the_footer_offers(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        assert not pilot.app.game_played.in_progress and "redo" not in footer(pilot)
        for _ in range(2):  # Enter pressed twice plays one move
            board_of(pilot).take()
        await until(pilot, lambda: bool(moves(pilot)))
        await settled(pilot)
        assert moves(pilot) == ["a1"]
        await make_moves(pilot, "b2")
        assert "1 first a1 2 second b2" in said(pilot) and pilot.app.game_played.in_progress
        await pilot.press("h")
        assert "take 2 from B" not in said(pilot, "prompt")
        await pilot.press("u")
        assert moves(pilot) == ["a1"] and "2 second b2" in said(pilot) and "redo" not in footer(pilot)
        assert said(pilot, "prompt").startswith("take 2 from B") and "wins" not in said(pilot, "prompt")
        await pilot.press("u")
        assert moves(pilot) == [] and "y redo" in footer(pilot) and "undo" not in footer(pilot)
        await pilot.press("y", "y")
        assert moves(pilot) == ["a1", "b2"] and "redo" not in footer(pilot) and "u undo" in footer(pilot)
        play, analysis = pilot.app.screen, pilot.app.screen.conductor.analysis
        await pilot.press("V")
        assert play.has_class("-story")
        await pilot.press("A")
        assert analysis.on and not play.has_class("-story"), "the analysis takes its place"
        await pilot.press("escape", "V", "escape")
        assert not analysis.on and not play.has_class("-story")
        pilot.app.post_message(Paste("d2"))
        await pilot.press("enter", "ctrl+s")
        assert moves(pilot)[-1] == "d2"
        await until(pilot, lambda: "Saved the unfinished game as 1" in said(pilot, "prompt"))
        await pilot.press("t")
        await until(pilot, lambda: pilot.app.current_mode == "search")
        assert "tower:16 from 0,1,5,5" in screen_text(pilot.app)
        await pilot.press("f2", "n")
        assert "New game" in screen_text(pilot.app)


async def test_escape_stops_looking_for_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(game: Any, state: Any, progress: Any) -> None:
        while True:
            progress.report(0, 0)
            sleep(0.005)

    monkeypatch.setattr(theory, "is_instant", lambda game, state: False)
    monkeypatch.setattr(advice, "hint", endless)
    conductor = await conducted("tower:16")
    conductor.hint()
    assert conductor.message == "Looking for the best move …" and conductor.busy
    conductor.stop()
    assert conductor.message == "No hint: stopped" and conductor.session.person_may_move and not conductor.busy
    await eventually(lambda: not conductor.jobs.running())


async def test_the_result_says_who_won_and_offers_what_comes_next(make_app: Any) -> None:
    async with playing(make_app, "nim:2") as pilot:
        await make_moves(pilot, "a2")
        assert "You took the last match and win." in said(pilot) and "why did Perfect lose?" in said(pilot)
        assert "review" in footer(pilot) and "take" not in footer(pilot) and not pilot.app.game_played.in_progress
        pilot.app.play(PlaySetup("tower:16", None, ("me", "perfect"), 1))
        await until(pilot, lambda: pilot.app.screen.board is not None)
        await pilot.press("s")  # the machine starts
        await settled(pilot)
        assert len(moves(pilot)) == 1 and session(pilot).me == 1 and not pilot.app.unfinished
        await pilot.press("enter")
        assert pilot.app.unfinished == "Your game on the Play screen is not over."


@pytest.mark.slow
async def test_at_the_end_of_a_game_on_a_huge_screen_every_box_stays_where_it_is(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", size=(200, 60), second="me") as pilot:
        await pilot.press("enter")

        def boxes() -> dict[str | None, Any]:
            return {box.id: box.region for box in pilot.app.screen.query(".box") if box.region.area}

        before = boxes()
        await pilot.press("enter")
        await until(pilot, lambda: len(session(pilot).judged()) == 2)
        assert session(pilot).over and boxes() == before
        assert "Mistakes" in str(pilot.app.screen.query_one("#thoughts").border_title), "of the whole game"


@pytest.mark.slow
async def test_signs_change_at_once_with_the_settings_and_ascii_is_ascii_on_every_board(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        assert "┃" in screen_text(pilot.app)
        pilot.app.change_settings(glyphs=Glyphs.ASCII)
        for game in (*list(KINDS)[:-1], "tree:((3,5),2)"):
            pilot.app.play(PlaySetup(game, None, ("me", "mc:playouts=20" if game == "connect4" else "random"), 1))
            await until(pilot, lambda: pilot.app.screen.board is not None)
            await pilot.press("w", "right", "enter")
            await settled(pilot)
            text = screen_text(pilot.app).replace("▏", "")  # the footer's own edge before the palette's key
            assert text.isascii(), [sign for sign in text if not sign.isascii()]


async def test_a_game_of_ones_own_is_a_list_of_moves_that_are_typed_as_they_are_shown(
    make_app: Any, tmp_path: Path
) -> None:
    sys.modules.pop("nimtui_games_mine", None)  # of other tests
    (tmp_path / "mine.py").write_text(template(Kind.GAME, "mine"))
    assert registry.add_folder(tmp_path) == []
    try:
        async with playing(make_app, "mine:3,5", second="random") as pilot:
            assert "Position 3,5" in said(pilot) and "▸a1" in said(pilot) and "last move" not in said(pilot)
            assert "In turn, take 1 to 3" in said(pilot)  # its file's RULES
            await pilot.press("a", "enter")
            assert "a move is a or b and a number, for example a2" in said(pilot)
            await pilot.press("2", "enter")
            await settled(pilot)
            assert moves(pilot)[0] == "a2" and len(moves(pilot)) == 2
            assert f"· last move {moves(pilot)[1]}" in said(pilot)
            await pilot.press("h")
            await settled(pilot)
            assert "you win" in said(pilot) or "Every move loses" in said(pilot)
    finally:
        sys.modules.pop("nimtui_games_mine", None)


@pytest.mark.slow
async def test_q_pressed_twice_saves_the_game_that_is_not_over(make_app: Any) -> None:
    async with playing(make_app, settings=Settings(animation=False, pace=0.0)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.unfinished_game)
        await pilot.press("q", "q")
        await until(pilot, lambda: not pilot.app.is_running)
        assert len(saved_games(pilot.app.database())) == 1


async def test_nothing_is_drawn_while_nothing_runs(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(make_app) as pilot:
        await make_moves(pilot, "d1")
        drawn: list[str] = []
        monkeypatch.setattr(pilot.app.screen, "fill", lambda name, paint: drawn.append(name))
        await pilot.pause(3 * pilot.app.tick)
        assert drawn == []
