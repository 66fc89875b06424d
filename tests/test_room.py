"""What `tests.room` counts: tiles that carry no value, and the share of a box that pieces take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from textual.geometry import Region

from tests import pictures, room
from tests.ui.sheets import parse_style_sheets_once

GROUND, OTHER = "#000000", "#223344"


def cells(*lines: str, ground: str = GROUND) -> list[list[room.Cell]]:
    return [[(sign, ground) for sign in line] for line in lines]


def test_a_screen_has_a_tile_for_each_20_columns_and_6_lines_and_cut_ones_at_its_edges() -> None:
    assert len([*room.tiles(200, 60)]) == 100
    assert [*room.tiles(50, 8)][-1] == Region(40, 6, 10, 2)


def test_frames_blanks_and_guide_lines_are_empty_a_letter_or_a_ground_of_its_own_is_not() -> None:
    wide = ["╭" + "─" * 38 + "╮", *["│" + " " * 37 + "┈│"] * 5]
    assert room.empty_tiles(cells(*wide), {GROUND}) == 1
    wide[3] = "│ a" + " " * 36 + "│"
    assert room.empty_tiles(cells(*wide), {GROUND}) == 0.5
    assert room.empty_tiles(cells(*[" " * 40] * 6, ground=OTHER), {GROUND}) == 0


def test_pieces_are_measured_in_the_direction_that_limits_without_the_labels_beside_them() -> None:
    box = cells("          ", "  A ┃ ┃   ", "    ┃     ", "          ")
    assert room.filled(box, Region(0, 0, 10, 4), {GROUND}) == pytest.approx(0.5)
    assert room.filled(cells("  "), Region(0, 0, 2, 1), {GROUND}) == 0


SIZES = ("80x24", "200x60", "240x70")


@pytest.fixture(scope="module", autouse=True)
def parsed_once() -> Iterator[None]:
    """A style sheet is parsed once for all apps."""
    with pytest.MonkeyPatch.context() as patch:
        parse_style_sheets_once(patch.setattr)
        yield


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("start", (0.05, 0.36)),
        ("settings", (0.25, 0.36)),
        ("new-game", (0.05, 0.31, 0.45)),
        ("palette", (0.4, 0.28)),
        ("tournament", (0.05, 0.25, 0.25)),
        ("pairing", (0.05, 0.25, 0.25)),
        ("compare", (0.05, 0.25, 0.25)),
        ("two-learners", (0.05, 0.15, 0.25)),
        ("sweep", (0.4, 0.25, 0.25)),
        ("positions", (0.3, 0.25, 0.25)),
    ],
)
async def test_a_screen_uses_its_room(name: str, most: Sequence[float]) -> None:
    with pictures.new_home():
        rooms = await room.measured(name, SIZES[: len(most)], most)
    assert [
        (size, found.empty) for size, found, limit in zip(SIZES, rooms, most, strict=False) if found.empty > limit
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size", "box"),
    [
        ("play", "240x70", 0.4),
        ("finished", "240x70", 0.4),
        ("watched", "200x60", 0.4),
        ("replay", "240x70", 0.25),
        ("review", "200x60", 0.25),
        ("search", "240x70", 0.25),
    ],
)
async def test_a_game_fills_a_large_screen_around_a_board_that_fills_its_box(name: str, size: str, box: float) -> None:
    with pictures.new_home():
        [measured] = await room.measured(name, [size], (0.25,))
    assert measured.empty <= 0.25
    if measured.board is not None and measured.box is not None:  # the board of a search is a picture in a panel
        assert measured.board >= 0.6 and measured.box >= box
