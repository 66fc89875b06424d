"""Only changed cells go to the terminal, and they are enough."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from nimtui.ui.kit.wire import JUMP, SIGN, Shown, cells

SIZE = Size(30, 3)
STYLES = [Style(), Style(bold=True), Style(color="red")]

texts = st.text("ab ┃宽e", min_size=1, max_size=8)
segments = st.tuples(texts, st.sampled_from(STYLES)).map(lambda drawn: Segment(*drawn))
strips = st.lists(segments, min_size=1, max_size=6).map(Strip)
writes = st.tuples(st.integers(0, SIZE.width - 1), st.integers(0, SIZE.height - 1), strips)


def put(grid: list[list[object]], x: int, y: int, strip: Strip) -> None:
    for i, cell in enumerate(cells(strip)):
        if x + i < SIZE.width:
            grid[y][x + i] = cell


@pytest.mark.slow
@given(st.lists(writes, max_size=12))
def test_the_terminal_shows_the_same_as_if_all_had_been_sent(updates: list[tuple[int, int, Strip]]) -> None:
    everything = [[None] * SIZE.width for _ in range(SIZE.height)]
    thrifty = [[None] * SIZE.width for _ in range(SIZE.height)]
    shown = Shown()
    shown.resized(SIZE)
    for x, y, whole in updates:
        strip = whole.crop(0, SIZE.width - x)
        put(everything, x, y, strip)  # type: ignore[arg-type]
        for begin, end in shown.changes(x, y, strip):
            put(thrifty, x + begin, y, strip.crop(begin, end))  # type: ignore[arg-type]
        assert thrifty == everything


def line(text: str) -> Strip:
    return Strip([Segment(text, STYLES[0])])


def test_what_is_shown_is_not_sent_again() -> None:
    shown = Shown()
    shown.resized(SIZE)
    assert list(shown.changes(2, 1, line("match"))) == [(0, 5)]
    assert list(shown.changes(2, 1, line("match"))) == []
    assert list(shown.changes(2, 1, line("watch"))) == [(0, 1)]
    assert list(shown.changes(3, 1, line("atch"))) == []
    assert list(shown.changes(2, 5, line("match"))) == []  # beyond the screen


def test_changes_near_each_other_go_together() -> None:
    shown = Shown()
    shown.resized(SIZE)
    list(shown.changes(0, 0, line("a" * 30)))
    most = JUMP // SIGN
    near, far = 1 + most, 2 + most
    assert list(shown.changes(0, 0, line("b" + "a" * most + "b" + "a" * 10))) == [(0, near + 1)]
    list(shown.changes(0, 0, line("a" * 30)))
    assert list(shown.changes(0, 0, line("b" + "a" * (most + 1) + "b" + "a" * 10))) == [(0, 1), (far, far + 1)]


def test_unchanged_cells_of_other_styles_are_passed_over() -> None:
    shown = Shown()
    shown.resized(SIZE)
    red, green = Style(color="red"), Style(color="green")

    def drawn(first: str, last: str) -> Strip:
        return Strip([Segment(first, red), Segment("a", green), Segment(last, red)])

    list(shown.changes(0, 0, drawn("x", "y")))
    assert list(shown.changes(0, 0, drawn("p", "q"))) == [(0, 1), (2, 3)]


def test_after_a_change_of_size_or_a_redraw_all_is_sent() -> None:
    shown = Shown()
    shown.resized(SIZE)
    list(shown.changes(0, 0, line("match")))
    shown.resized(SIZE)
    assert list(shown.changes(0, 0, line("match"))) == []
    shown.resized(Size(31, 3))
    assert list(shown.changes(0, 0, line("match"))) == [(0, 5)]
    shown.forget()
    shown.resized(Size(31, 3))
    assert list(shown.changes(0, 0, line("match"))) == [(0, 5)]
