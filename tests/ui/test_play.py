"""The Play screen, driven by keys and mouse at several sizes, as text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from nimtui.cli.new import Kind, template
from nimtui.games import base, parse_game
from nimtui.playing.setup import PlaySetup
from nimtui.store.settings import Glyphs, Settings
from nimtui.theory.answers import move_values
from nimtui.ui.board.board import Board
from tests.ui.conftest import SIZES, screen_text, unframed
from tests.ui.playing import moves, playing, session, settled, until

KINDS = ("tower:16", "nim:7,5,3", "subtraction:21,3:misere", "kayles:1,3,5,7", "connect4", "connect4:4x4", "tower:36")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_every_board_is_shown_and_played_at_every_size(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, "nim:2", size=size) as pilot:
        for game in KINDS:
            pilot.app.play(PlaySetup(game, None, ("me", "random"), 1))
            await until(pilot, lambda: pilot.app.screen.board is not None)
            await pilot.press("left", "enter")
            await settled(pilot)
            assert len(moves(pilot)) == 2
            text = screen_text(pilot.app)
            assert session(pilot).game.title.split(" · ")[0][:20] in text and "your move" in text
            assert "take" in text if session(pilot).game.board_kind != "columns" else "drop in column" in text
            assert "2 random" in " ".join(text.split())


async def test_what_would_be_taken_is_crossed_out_first_and_a_ghost_afterwards(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("down", "down", "left")
        text = screen_text(pilot.app)
        assert text.count("╳") == 2 and "take 2 from C" in text
        await pilot.press("enter")
        text = screen_text(pilot.app)
        assert text.count("╳") == 1 and moves(pilot) == ["c2"]
        board = pilot.app.screen.query_one("#middle").query_one(Board)
        assert sum(tile.text().count("■") for tile in board.tiles) == 2
        await pilot.press("enter")
        assert sum(tile.text().count("∙") for tile in board.tiles) == 2  # no longer the last move


async def test_a_typed_move_is_previewed_and_played_by_enter(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("d", "3")
        text = screen_text(pilot.app)
        assert "Move: d3" in text and text.count("╳") == 3 and moves(pilot) == []
        await pilot.press("enter")
        assert moves(pilot) == ["d3"] and "Move:" not in screen_text(pilot.app)


@pytest.mark.slow
async def test_a_wrong_typed_move_is_explained_in_place_and_can_be_mended(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("c", "6", "enter")
        text = screen_text(pilot.app)
        assert "Move: c6" in text and "row C has 5 matches: 6 cannot be taken" in text and moves(pilot) == []
        await pilot.press("backspace", "4", "enter")
        assert moves(pilot) == ["c4"]


async def test_escape_forgets_what_was_typed(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("c", "escape")
        assert "Move:" not in screen_text(pilot.app)
        await pilot.press("enter")
        assert moves(pilot) == ["a1"]


@pytest.mark.slow
async def test_rows_whose_letter_is_a_key_are_typed_after_a_colon(make_app: Any) -> None:
    async with playing(make_app, "nim:" + ",".join("3" * 26), second="me") as pilot:
        await pilot.press("colon", "h", "2", "enter")
        assert moves(pilot) == ["h2"]
        await pilot.press("h")
        await settled(pilot)
        said = " ".join(screen_text(pilot.app).split())
        assert "then the rows make pairs of equals" in said or "you take the same from its partner" in said


async def test_a_click_marks_and_a_second_takes(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.pause()
        board = pilot.app.screen.query_one("#middle").query_one(Board)
        x, y = board._picture.place((3, 5))
        await pilot.click(board, offset=(x, y))
        assert "take 2 from D" in screen_text(pilot.app) and moves(pilot) == []
        await pilot.click(board, offset=(x, y))
        assert moves(pilot) == ["d2"]


@pytest.mark.slow
async def test_a_click_on_a_column_marks_it_and_a_second_drops(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="me") as pilot:
        await pilot.pause()
        board = pilot.app.screen.query_one("#middle").query_one(Board)
        x = sum(board._picture.widths[:2]) + 1
        for _ in range(2):
            await pilot.click(board, offset=(x, 8))
        assert moves(pilot) == ["2"]


@pytest.mark.slow
async def test_undo_redo_and_the_list_of_moves(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("a", "1", "enter", "b", "2", "enter")
        assert "1 first a1   2 second b2" in screen_text(pilot.app)
        await pilot.press("u")
        assert moves(pilot) == ["a1"] and "2 second b2" in screen_text(pilot.app)
        await pilot.press("y")
        assert moves(pilot) == ["a1", "b2"]


async def test_a_hint_says_why_and_moves_the_cursor_there(make_app: Any) -> None:
    async with playing(make_app, position="1,3,5,6", second="me") as pilot:
        await pilot.press("h")
        text = screen_text(pilot.app)
        assert "Take 1 from A: then every group of 4, 2 and 1 has a partner in another row." in text
        assert "Whatever the opponent does, you can restore that." in text
        await pilot.press("enter")
        assert moves(pilot)[0] in ("a1", "b1", "c1")


@pytest.mark.slow
async def test_the_explanation_shows_the_nim_sum_in_binary(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("w", "w")
        text = screen_text(pilot.app)
        assert "D   7   1 1 1" in text and "sum     0 0 0" in text and "P-position" in text
        await pilot.press("d", "2", "enter")
        assert "N-position" in screen_text(pilot.app)
        await pilot.press("w", "w")
        assert "N-position" not in screen_text(pilot.app)


SHORT = {"win": "W", "draw": "D", "loss": "L"}
LONG = {"win": "wins", "draw": "draws", "loss": "loses"}


@pytest.mark.parametrize(
    ("name", "start", "size", "words"),
    [
        ("connect4:5x4", "1122", (80, 24), LONG),
        ("connect4:5x4", "1122", (200, 60), LONG),
        ("connect4", "52264575446722", (80, 24), SHORT),
    ],
)
async def test_how_each_column_ends_stands_below_it_while_explained(
    make_app: Any, name: str, start: str, size: tuple[int, int], words: dict[str, str]
) -> None:
    game = parse_game(name)
    async with playing(make_app, name, size=size, second="me", position=start) as pilot:
        heads = [game.move_name(move, game.start) for move in base.legal_moves(game.start)]

        def below() -> list[str]:
            lines = unframed(pilot.app).split("\n")
            names = next(at for at, text in enumerate(lines) if text.split()[: len(heads)] == heads)
            return [
                text[: lines[names].index(heads[-1]) + 6] for text in lines[names + 1 :][: 2 if words is LONG else 1]
            ]

        assert not below()[0].strip()
        for key, moves in (("w", start), ("3", start + "3"), ("A", start + "3")):
            await pilot.press(key, *(["enter"] if key == "3" else []))
            await until(pilot, lambda: len(below()[0].split()) == len(heads))
            await settled(pilot)
            found = move_values(game, game.new(moves))
            plies = ["" if each.remoteness is None else str(each.remoteness) for each in found]
            outcomes = [words[each.outcome.value] for each in found]
            if words is SHORT:
                assert below()[0].split() == [outcome + left for outcome, left in zip(outcomes, plies, strict=True)]
            else:
                assert below()[0].split() == outcomes
                assert below()[1].replace("in", "").split() == [left for left in plies if left]
        await pilot.press("A", "escape")
        assert not below()[0].strip()


async def test_toggling_the_explanation_leaves_the_cursor_where_it_is(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("down", "left", "w")
        assert "take 2 from B" in screen_text(pilot.app)


@pytest.mark.slow
async def test_at_200_by_60_thoughts_explanation_and_moves_are_seen_together(make_app: Any) -> None:
    async with playing(make_app, size=(200, 60)) as pilot:
        await pilot.press("w", "w", "d", "3", "enter")
        await settled(pilot)
        text = screen_text(pilot.app)
        assert "What Perfect thought before" in text and "sum" in text and "Moves" in text


@pytest.mark.slow
async def test_at_60_by_20_the_explanation_stands_beside_a_smaller_board(make_app: Any) -> None:
    async with playing(make_app, size=(60, 20), second="me") as pilot:
        await pilot.press("w", "w")
        text = screen_text(pilot.app)
        assert "P-position" in text and text.count("┃") + text.count("╎") == 16


async def test_the_result_says_who_won_and_offers_what_comes_next(make_app: Any) -> None:
    async with playing(make_app, "nim:2") as pilot:
        await pilot.press("a", "2", "enter")
        await settled(pilot)
        text = screen_text(pilot.app)
        assert "You took the last match and win." in text and "why did Perfect lose?" in text
        footer = text.splitlines()[-1]
        assert "review" in footer and "take" not in footer


@pytest.mark.slow
async def test_the_winning_line_is_marked(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="me") as pilot:
        for column in "1213141":
            await pilot.press(column, "enter")
        text = screen_text(pilot.app)
        assert "has four in a row and wins" in text and text.count("★") == 8


async def test_swapped_seats_let_the_machine_begin(make_app: Any) -> None:
    async with playing(make_app) as pilot:
        await pilot.press("s")
        await settled(pilot)
        assert len(moves(pilot)) == 1 and session(pilot).me == 1


async def test_n_asks_for_a_new_game(make_app: Any) -> None:
    async with playing(make_app) as pilot:
        await pilot.press("n")
        await pilot.pause()
        assert "New game" in screen_text(pilot.app)


@pytest.mark.slow
async def test_ascii_is_ascii_everywhere(make_app: Any) -> None:
    settings = Settings(animation=False, glyphs=Glyphs.ASCII)
    for game in ("tower:16", "connect4", "kayles:1,3,5,7"):
        async with playing(make_app, game, "me", "mc:playouts=20", settings=settings) as pilot:
            await pilot.press("w", "right", "enter")
            await settled(pilot)
            text = screen_text(pilot.app).replace("▏", "")  # the footer's own edge before the palette's key
            assert text.isascii(), [sign for sign in text if not sign.isascii()]


async def test_a_game_without_a_picture_is_a_list_of_moves(make_app: Any, tmp_path: Path) -> None:
    from nimtui.games import registry

    source = Path(__file__).parent.parent / "games" / "wythoff.py"
    if "wythoff" not in {name for module in registry.families() for name in module.NAMES}:
        (tmp_path / "games").mkdir()
        (tmp_path / "games" / "wythoff.py").write_text(source.read_text())
        assert registry.add_folder(tmp_path / "games") == []
    try:
        async with playing(make_app, "wythoff:3,5", second="random") as pilot:
            assert "Position 3,5" in screen_text(pilot.app) and "▸0" in screen_text(pilot.app)
            await pilot.press("right", "enter")
            await settled(pilot)
            assert moves(pilot)[0] == "1" and len(moves(pilot)) == 2
            await pilot.press("h")
            await settled(pilot)
            assert "you win" in screen_text(pilot.app) or "Every move loses" in screen_text(pilot.app)
    finally:
        for module in list(registry._added):
            if module.__name__ == "nimtui_games_wythoff":
                registry._added.remove(module)
                sys.modules.pop(module.__name__, None)


async def test_moves_of_a_game_of_ones_own_are_typed_as_they_are_shown(
    make_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nimtui.games import registry

    monkeypatch.setattr(registry, "_added", list(registry._added))
    (tmp_path / "mine.py").write_text(template(Kind.GAME, "mine"))
    assert registry.add_folder(tmp_path) == []
    try:
        async with playing(make_app, "mine:3,5", second="random") as pilot:
            assert "▸a1" in screen_text(pilot.app) and "last move" not in screen_text(pilot.app)
            assert "In turn, take 1 to 3" in screen_text(pilot.app)  # its file's RULES
            await pilot.press("a", "enter")
            assert "a move is a or b and a number, for example a2" in screen_text(pilot.app)
            await pilot.press("2", "enter")
            await settled(pilot)
            assert moves(pilot)[0] == "a2" and len(moves(pilot)) == 2
            assert f"· last move {moves(pilot)[1]}" in screen_text(pilot.app)
    finally:
        sys.modules.pop("nimtui_games_mine", None)


async def test_a_cursor_key_repaints_no_more_than_the_rows_it_leaves_and_enters(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.pause()
        board = pilot.app.screen.query_one("#middle").query_one(Board)
        [tile] = board.tiles
        before = list(tile.lines)
        await pilot.press("down")
        changed = [y for y, (old, new) in enumerate(zip(before, tile.lines, strict=True)) if old != new]
        assert len(changed) == 4


@pytest.mark.slow
async def test_signs_change_at_once_with_the_settings(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        assert "┃" in screen_text(pilot.app)
        pilot.app.change_settings(glyphs=Glyphs.ASCII)
        await pilot.pause()
        text = screen_text(pilot.app)
        assert "|" in text and "┃" not in text and "╳" not in text


async def test_enter_pressed_twice_at_once_plays_one_move(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        board = pilot.app.screen.board
        board.take()
        board.take()
        await pilot.pause()
        assert moves(pilot) == ["a1"]


async def test_a_game_of_two_people_is_there_where_the_screen_was_not(make_app: Any) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.play(PlaySetup("nim:1,1", None, ("me", "me"), 1))  # nobody thinks: nothing changes after this
        await until(pilot, lambda: app.screen.board is not None)
        assert "Nim 1,1" in screen_text(app)
