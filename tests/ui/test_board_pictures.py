"""How boards are laid out and painted: what is seen at each size, and that a click finds what was drawn there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.games import base, parse_game
from nimtui.report import lines as ink
from nimtui.theory import Outcome
from nimtui.ui.board.cursor import NOBODY, Cell, Owned
from nimtui.ui.board.discs import Discs, winning_cells
from nimtui.ui.board.matches import Matches, is_tower, plan
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs

NOTHING: frozenset[Cell] = frozenset()


def picture(rows: list[int], columns: int = 45, room: int = 17, signs: Glyphs = UNICODE) -> list[str]:
    cells = [[1] * matches for matches in rows]
    return [ink.plain_text(shown) for shown in Matches(rows, columns, room).paint(cells, NOTHING, NOBODY, 0, signs)]


def test_a_tower_is_a_centred_pyramid_of_matches_two_lines_high() -> None:
    lines = [text for text in picture([1, 3, 5, 7]) if text.strip()]
    assert [text.count("●") for text in lines] == [1, 0, 3, 0, 5, 0, 7, 0]
    assert [text.count("┃") for text in lines] == [0, 1, 0, 3, 0, 5, 0, 7]
    middles = {(text.index("●") + text.rindex("●")) / 2 for text in lines[::2]}
    assert len(middles) == 1
    assert [text.split()[0].lstrip("▸") for text in lines[1::2]] == ["A", "B", "C", "D"]


def test_other_rows_begin_at_the_left() -> None:
    lines = [text for text in picture([7, 5, 3]) if "┃" in text]
    assert len({text.index("┃") for text in lines}) == 1 and not is_tower([7, 5, 3]) and not is_tower([1])


@pytest.mark.parametrize("columns", [26, 28, 32, 38, 45, 60, 120])
def test_the_21_matches_are_one_line(columns: int) -> None:
    """At 80 columns they have 45; at 60 columns they have 60, or 26 beside the explanation."""
    assert {text.count("┃") for text in picture([21], columns) if "┃" in text} == {21}


def test_long_rows_stand_close_in_groups_that_can_be_counted() -> None:
    [text] = [text for text in picture([21], 28, 1) if "┃" in text]
    assert [len(group) for group in text.split()[1:]] == [5, 5, 5, 5, 1]
    [text] = [text for text in picture([21], 26, 1) if "┃" in text]
    assert [len(group) for group in text.split()[1:]] == [10, 10, 1]


def test_lines_of_a_row_that_wraps_are_equally_long() -> None:
    assert [text.count("┃") for text in picture([60]) if "┃" in text] == [20, 20, 20]


@pytest.mark.parametrize(("columns", "room", "tall"), [(30, 7, 1), (45, 17, 2), (120, 50, 6)])
def test_matches_grow_with_the_room(columns: int, room: int, tall: int) -> None:
    assert Matches([1, 3, 5, 7], columns, room).plan.tall == tall


def test_a_row_of_255_wraps_and_all_are_there() -> None:
    assert sum(text.count("┃") for text in picture([255])) == 255


def test_26_rows_scroll_with_the_cursor() -> None:
    rows = [3] * 26
    board = Matches(rows, 45, 17)
    cells = [[1] * 3] * 26
    top, bottom = (board.paint(cells, NOTHING, NOBODY, row, UNICODE) for row in (0, 25))
    assert ink.plain_text(top[0]).split()[0] == "▸A" and ink.plain_text(bottom[-1]).split()[0] == "▸Z"
    assert ink.plain_text(top[-1]).endswith("↓") and ink.plain_text(bottom[0]).endswith("↑")


def test_too_many_long_rows_become_numbers_and_bars() -> None:
    rows = [255] * 26
    cells = [[1] * 250 + [0] * 5 for _ in rows]
    marked = frozenset((1, column) for column in range(50, 250))
    shown = [ink.plain_text(text) for text in Matches(rows, 45, 17).paint(cells, marked, NOBODY, 1, UNICODE)]
    assert shown[1].split()[:2] == ["▸B", "250"]
    assert shown[1].count("╳") == pytest.approx(4 * shown[1].count("┃"), abs=4)


def test_ghosts_tell_who_took_a_match_and_a_place_empty_from_the_start_shows_nothing() -> None:
    shown = Matches([4], 45, 5).paint([[1, 0, 0, 0]], NOTHING, Owned({(0, 1): 0, (0, 2): 1}), None, UNICODE)
    [text] = [text for text in map(ink.plain_text, shown) if "A" in text]
    assert text.split() == ["A", "┃", "∙", "∘"]


def signs_of(shown: list[ink.Line], row: str) -> list[str]:
    [text] = [text for text in map(ink.plain_text, shown) if row in text]
    return text.split()


@pytest.mark.parametrize(
    ("signs", "own", "others"), [(UNICODE, ["■", "∙"], ["□", "∘"]), (ASCII, ["+", "."], ["@", "o"])]
)
def test_what_the_last_move_took_has_signs_of_its_own(signs: Glyphs, own: list[str], others: list[str]) -> None:
    for side, expected in ((0, own), (1, others)):
        owners, last = {(0, 1): side, (0, 2): side}, frozenset({(0, 1)})
        shown = Matches([4], 45, 5).paint([[1, 0, 0, 1]], NOTHING, Owned(owners, last=last), None, signs)
        assert signs_of(shown, "A") == ["A", signs.match, *expected, signs.match]
    numbers = Matches([200, 200], 45, 5)
    cells = [[1] * 200, [1] * 150 + [0] * 50]
    owned = Owned({(1, at): 1 for at in range(150, 200)}, last=frozenset({(1, 199)}))
    shown = numbers.paint(cells, NOTHING, owned, None, signs)
    assert signs_of(shown, " B ")[-1].endswith(others[0]) and not signs_of(shown, " A ")[-1].endswith(others[0])


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize(("wide", "room"), [(10, 9), (40, 9), (40, 17), (80, 30)])
def test_the_last_disc_looks_like_no_other_disc(signs: Glyphs, wide: int, room: int) -> None:
    def picture(cell: int, last: frozenset[Cell], winning: frozenset[Cell] = NOTHING) -> str:
        tiles = Discs(7, 6, wide, room, signs).paint(
            [[0] * 7] * 5 + [[cell] * 7], NOTHING, Owned({}, winning, last), None
        )
        return "\n".join(ink.plain_text(shown) for shown in tiles[1])

    here = frozenset({(5, 0)})
    shown = [picture(cell, *given) for cell in (1, 2) for given in ((NOTHING,), (here,), (NOTHING, here))]
    assert len(set(shown)) == 6
    assert picture(1, frozenset({(5, 1)})) == shown[0]


def test_ascii_pictures_are_ascii() -> None:
    assert "\n".join(picture([1, 3, 5, 7], signs=ASCII)).isascii()
    discs = Discs(7, 6, 45, 17, ASCII)
    tiles = discs.paint([[0, 1, 2, 0, 0, 0, 0]] * 6, frozenset({(0, 0)}), Owned({}, frozenset({(1, 1), (1, 2)})), 0)
    assert "".join(ink.plain_text(shown) for tile in tiles for shown in tile).isascii()


@pytest.mark.slow
@given(st.lists(st.integers(1, 60), min_size=1, max_size=26), st.integers(25, 200), st.integers(8, 60), st.data())
def test_a_click_on_a_match_finds_that_match(rows: list[int], columns: int, room: int, data: st.DataObject) -> None:
    board = Matches(rows, columns, room)
    if not board.plan.tall:
        return
    row = data.draw(st.integers(0, len(rows) - 1))
    cell = (row, data.draw(st.integers(0, rows[row] - 1)))
    x, y = board.place(cell)
    shown = y - board.scroll(row)
    if 0 <= shown < room:
        assert board.cell_at(x, shown, row) == cell
        text = ink.plain_text(board.paint([[1] * n for n in rows], frozenset({cell}), NOBODY, row, UNICODE)[shown])
        assert text[x] == UNICODE.chosen


@pytest.mark.slow
@given(st.lists(st.integers(1, 255), min_size=1, max_size=26), st.integers(25, 200), st.integers(8, 60))
def test_no_picture_is_larger_than_its_room(rows: list[int], columns: int, room: int) -> None:
    shown = Matches(rows, columns, room).paint([[1] * n for n in rows], NOTHING, NOBODY, 0, UNICODE)
    assert len(shown) <= room and max(map(ink.width, shown)) <= columns


@pytest.mark.parametrize(("wide", "room", "tall"), [(45, 17, 2), (45, 12, 1), (120, 50, 3), (20, 12, 1)])
def test_discs_grow_with_the_room_and_fit_into_it(wide: int, room: int, tall: int) -> None:
    discs = Discs(7, 6, wide, room, UNICODE)
    assert discs.shapes.tall == tall and sum(discs.widths) <= wide and discs.height <= room


def test_the_two_players_discs_differ_without_colour() -> None:
    for wide, room in ((45, 17), (45, 12), (120, 50), (20, 12)):
        for signs in (UNICODE, ASCII):
            shapes = Discs(7, 6, wide, room, signs).shapes
            every = (*shapes.plain, *shapes.won, shapes.landing, shapes.empty)
            assert len(set(every)) == 6


ENDINGS = {0: (Outcome.WIN, 7), 1: (Outcome.DRAW, None), 2: (Outcome.LOSS, 12), 6: (Outcome.LOSS, 20)}


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize(
    ("wide", "room", "expected"),
    [
        (120, 50, ["winsin 7", "draws", "losesin 12"]),
        (45, 16, ["W7", "D", "L12"]),
        (45, 15, ["", "", ""]),
        (20, 12, ["W", "D", "L"]),
    ],
)
def test_how_a_column_ends_is_written_below_it(wide: int, room: int, expected: list[str], signs: Glyphs) -> None:
    discs = Discs(7, 6, wide, room, signs, labelled=True)
    plain = Discs(7, 6, wide, room, signs)
    assert discs.shapes == plain.shapes and discs.height <= room, "a label never costs the board its size"
    tiles = discs.paint([[0] * 7] * 6, NOTHING, NOBODY, None, ENDINGS)
    bare = discs.paint([[0] * 7] * 6, NOTHING, NOBODY, None)
    texts = []
    for tile, other in zip(tiles, bare, strict=True):
        added = [ink.plain_text(one) for one, before in zip(tile, other, strict=True) if one != before]
        assert all(len(text) <= discs.pitch for text in added)
        texts.append("".join(text.strip() for text in added))
    assert texts[1:4] == expected and texts[4:7] == [""] * 3


def test_a_click_finds_the_column() -> None:
    discs = Discs(7, 6, 45, 17, UNICODE)
    x = 0
    for column, width in enumerate(discs.widths):
        if 1 <= column <= 7:
            assert discs.cell_at(x + width // 2) == (0, column - 1)
        x += width
    assert discs.cell_at(0) is None and discs.cell_at(44) is None


def test_all_lines_that_win_are_marked() -> None:
    game = parse_game("connect:4x4x3")
    state = game.new()
    for name in ["1", "2", "2", "3", "4", "3", "3"]:  # completes the diagonal 1-2-3 and nothing else
        base.play(state, game.parse_move(name, state))
    assert base.outcome(state) == base.WON
    assert winning_cells(game.cells(state) or [], (1, 2), 3) == {(3, 0), (2, 1), (1, 2)}


@pytest.mark.parametrize("lengths", [(1,), (1, 3, 5, 7), (40,), (2, 30, 1)])
def test_there_is_a_picture_for_any_room_while_a_layout_is_under_way(lengths: tuple[int, ...]) -> None:
    for columns in range(12):
        for room in range(8):
            plan(lengths, columns, room)
