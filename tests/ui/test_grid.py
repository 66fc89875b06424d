"""The board of cells: its cursor, its marks, its words, on screens of several sizes; two games and one's own."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from nimtui.api import games
from nimtui.cli.plain import lines
from nimtui.games import Game, base, parse_game, registry, rule_text
from nimtui.games.rule_text import verbed
from nimtui.jobs.live_games import LiveGame
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.playing.setup import ME, PlaySetup
from nimtui.report.lines import width
from nimtui.store.settings import Glyphs as Signs
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY, GridCursor, Owned, Step
from nimtui.ui.board.grid import Grid
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.tournament.pages import LookingOn
from nimtui.ui.tournament.setup import TournamentSetup
from tests.games import domineering
from tests.ui.conftest import screen_text
from tests.ui.drawn import targets
from tests.ui.playing import CALM, moves, playing, session, settled, until
from tests.ui.tournaments import finished, tournament

FLAT = replace(UNICODE, grounds=False)  # without colours for grounds
GAMES = ("noughts:3x3x3", "noughts:7x6x4", "chomp:4x5", "domineering:4x3")


@pytest.fixture(autouse=True)
def own() -> Iterator[None]:
    registry.add(domineering)
    yield
    registry._added.remove(domineering)


def picture(
    game: Game, columns: int, room: int, signs: Glyphs = UNICODE, cursor: Any = None, marked: Any = None, **owned: Any
) -> list[str]:
    cells = game.cells(game.start) or []
    painted = Grid(cells, columns, room, signs).paint(cells, cursor, marked or {}, Owned({}, **owned))
    assert len(painted) <= room and all(width(line) <= columns for line in painted)
    return ["".join(run.text for run in line) for line in painted]


@pytest.mark.parametrize("name", GAMES)
def test_arrow_keys_alone_reach_every_legal_move_of_a_random_game(name: str) -> None:
    game, chance = parse_game(name), random.Random(5)
    state = game.new()
    while base.outcome(state) == base.GOING_ON:
        cursor = GridCursor(game, state)
        found, todo = set(), [cursor.move]
        while todo:
            move = todo.pop()
            if move is None or move in found:
                continue
            found.add(move)
            for step in (Step.UP, Step.DOWN, Step.LEFT, Step.RIGHT):
                cursor.go_to(move)
                cursor.press(step)
                todo.append(cursor.move)
        assert found == set(base.legal_moves(state))
        base.play(state, chance.choice(base.legal_moves(state)))


def test_the_cursor_skips_cells_without_a_move_and_stays_at_the_edge() -> None:
    game = parse_game("noughts")
    cursor = GridCursor(game, game.new("xox/.../..."))
    assert cursor.move is not None and game.move_name(cursor.move) == "b2"
    assert not cursor.press(Step.UP)
    cursor = GridCursor(game, game.new(".../.x./...".replace("....", "..o")))
    cursor.go_to(game.parse_move("b1", game.new()))
    assert cursor.press(Step.RIGHT) and game.move_name(cursor.move or 0) == "b3"


def test_a_click_marks_a_cell_and_a_second_one_plays_it() -> None:
    cursor = GridCursor(game := parse_game("chomp:4x5"), game.new("4,2,0,0,0"))
    assert not cursor.point((0, 2))
    assert cursor.marked == {(0, 2), (0, 3)}
    assert cursor.point((0, 2))
    assert not cursor.point((1, 3)) and game.move_name(cursor.move or 0) == "a3"


def test_without_touched_the_cells_that_a_move_changes_are_found_on_a_copy() -> None:
    game = parse_game("chomp:4x5")
    state = game.new("4,4,3,1,0")
    board = state.board.copy()
    assert game.touched(state, game.parse_move("b2", state)) == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    assert state.board.tolist() == board.tolist()


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_cells_are_as_large_as_the_room_allows_and_large_boards_scroll(signs: Glyphs) -> None:
    game = parse_game("noughts:9x7x4")
    framed = {(120, 50): (12, 6, 1), (45, 17): (4, 2, 1), (34, 17): (3, 1, 0), (20, 9): (2, 1, 0)}
    tiled = {(120, 50): (13, 6.5, 0), (45, 17): (4, 2, 0), (34, 14): (3, 1, 0), (20, 9): (2, 1, 0)}
    for (columns, room), size in (framed if signs is ASCII else tiled).items():
        board = Grid(game.cells(game.start) or [], columns, room, signs)
        assert (board.wide, board.tall, board.frame) == size
        picture(game, columns, room, signs)
    cells = game.cells(game.start) or []
    assert targets(Grid(cells, 5, 3, signs).paint(cells, None, {}, NOBODY))[1][2] == (0, 0)  # without a cursor
    for row, column in ((0, 0), (6, 8), (3, 4)):
        shown = picture(game, 12, 5, signs, (row, column), {(row, column): 1})
        assert any(sign in line for line in shown for sign in ("▸", ">"))
        found = targets(Grid(cells, 12, 5, signs).paint(cells, (row, column), {}, NOBODY))
        assert any((row, column) in line for line in found)


@pytest.mark.parametrize("size", [(60, 30), (40, 14), (30, 12), (20, 8)])
def test_a_click_finds_the_cell_that_is_drawn_there(size: tuple[int, int]) -> None:
    game = parse_game("noughts")
    for cell in ((0, 0), (1, 2), (2, 1)):
        shown = picture(game, *size, FLAT, cell, {cell: 1})
        y, x = next((y, line.index("▸")) for y, line in enumerate(shown) if "▸" in line)
        cells = game.cells(game.start) or []
        found = targets(Grid(cells, *size, FLAT).paint(cells, cell, {}, NOBODY))
        assert found[y][x] == cell
        assert {target for line in found for target in line} == {None, *product(range(3), repeat=2)}


@pytest.mark.parametrize("signs", [UNICODE, FLAT, ASCII])
def test_every_mark_is_a_sign_of_its_own(signs: Glyphs) -> None:
    game = parse_game("noughts")
    for size in ((60, 30), (40, 14), (30, 6), (20, 4)):
        kinds: list[dict[str, Any]] = [
            {},
            {"cursor": (1, 1), "marked": {(1, 1): 1}},
            {"marked": {(1, 1): 1}},
            {"last": frozenset({(1, 1)})},
            {"winning": frozenset({(1, 1)})},
        ]
        shown = {"\n".join(picture(game, *size, signs, **kind)) for kind in kinds}
        assert len(shown) == len(kinds)


def test_a_frame_surrounds_only_the_squares_that_are_left() -> None:
    game = parse_game("chomp:4x5")
    cells = game.cells(game.new("4,1,1,0,0")) or []
    lines = [
        "".join(run.text for run in line).rstrip() for line in Grid(cells, 22, 13, FLAT).paint(cells, None, {}, NOBODY)
    ]
    assert [line.strip() for line in lines if line.strip()] == [
        "1   2   3   4",
        "┌───┬───┬───┬───┐",
        "A │█!█│███│███│███│",
        "├───┼───┴───┴───┘",
        "B │███│",
        "├───┤",
        "C │███│",
        "└───┘",
        "D",
        "E",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "unicode"), [((80, 24), True), ((60, 20), False)])
async def test_noughts_is_played_with_keys_and_marks_the_reply(
    make_app: Any, size: tuple[int, int], unicode: bool
) -> None:
    settings = CALM if unicode else replace(CALM, glyphs=Signs.ASCII)
    async with playing(make_app, "noughts", second="perfect", size=size, settings=settings) as pilot:
        text = screen_text(pilot.app)
        assert "mark b2" in text and (unicode or re.search(r">[ +]+<", text))
        await pilot.press("up", "left", "enter")
        await settled(pilot)
        assert moves(pilot)[0] == "a1" and len(moves(pilot)) == 2
        assert (unicode or "[" in screen_text(pilot.app)) and "Perfect marked b2" in screen_text(pilot.app)
        await pilot.press("h")
        await settled(pilot)
        assert session(pilot).game.move_name(pilot.app.screen_stack[0].board.cursor.move) in screen_text(pilot.app)


@pytest.mark.slow
async def test_a_move_on_the_grid_is_typed_and_an_own_game_is_told_by_its_file(make_app: Any) -> None:
    async with playing(make_app, "chomp:4x5", second="perfect") as pilot:
        await pilot.press("c", "3", "enter")
        await settled(pilot)
        assert moves(pilot)[0] == "c3"
        assert "eat " in screen_text(pilot.app) and "take " not in screen_text(pilot.app).replace("take back", "")
    async with playing(make_app, "domineering:4x3", second="random") as pilot:
        assert "cover b2" in screen_text(pilot.app)
        await pilot.press("enter")
        await settled(pilot)
        assert moves(pilot)[0] == "b2" and "Random covered" in screen_text(pilot.app)


def played(name: str, *typed: str) -> Session:
    found = Session(PlaySetup(name, None, (ME, ME)))
    for text in typed:
        found.play(found.game.parse_move(text, found.state))
    return found


def test_the_words_are_those_of_the_game() -> None:
    chomp = played("chomp:2x2", "b2", "a2", "b1", "a1")
    assert words.result(chomp) == "The second player ate a1: the first player wins."
    assert words.result(played("noughts", *["a1", "b1", "a2", "b2", "a3"])) == "The first player marked a3 and wins."
    assert (
        words.result(played("noughts", *["b2", "a1", "a3", "c1", "b1", "b3", "c2", "a2", "c3"]))
        == "The board is full: a draw."
    )
    game = parse_game("chomp:4x5")
    assert [verbed(game, form) for form in ("take", "takes", "took")] == ["eat", "eats", "ate"]
    assert verbed(parse_game("nim:3"), "takes") == "plays"
    assert rule_text.notation(game) == "Type c3 to eat c3: row C, column 3."


def test_the_board_in_lines_of_text() -> None:
    game = parse_game("chomp:4x5")
    assert games.board_lines(game, game.new("4,2,1,0,0")) == ["   1 2 3 4", "A: ! # # #", "B: # #", "C: #", "D:", "E:"]
    noughts = parse_game("noughts")
    assert games.board_lines(noughts, noughts.new("x../.o./..x")) == ["   1 2 3", "A: X . .", "B: . O .", "C: . . X"]
    assert "Cells that are not named are empty." in lines.rules(game)


def test_a_small_picture_has_the_move_marked() -> None:
    game = parse_game("noughts")
    high = small_board.height(game, 10)
    lines = small_board.drawing(game, game.start, NOBODY, 40, high, UNICODE, move=4)
    assert len(lines) == high and any("▸◌◂" in "".join(run.text for run in line) for line in lines)
    assert small_board.height(game, 3) == 0


@pytest.mark.slow
async def test_a_watched_game_shows_whose_mark_is_whose(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = TournamentSetup(("noughts",), ("perfect", "random"), number=4, seed=1)
    async with tournament(make_app, plan) as pilot:
        conductor = await finished(pilot)
        going = [LiveGame(0, 0, (4, 0, 8))]
        monkeypatch.setattr(LookingOn, "_going", property(lambda self: tuple(going)))
        pilot.app.push_screen(LookingOn(conductor))
        await until(pilot, lambda: "╳ perfect – ○ random" in screen_text(pilot.app))
        assert "3 plies" in screen_text(pilot.app)
