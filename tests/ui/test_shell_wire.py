"""Only changed cells go to the terminal, and they are enough."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from nimtui.ui.kit.terminal.pen import JUMP, Abilities
from nimtui.ui.kit.terminal.wire import Picture
from tests.ui.cells import Terminal

SIZE = Size(30, 3)
STYLES = [
    Style(),
    Style(bold=True),
    Style(color="red"),
    Style(color="red", bgcolor="blue", dim=True),
    Style(bold=True, dim=True, italic=True, bgcolor="blue"),
    Style(reverse=True, underline=True),
]
SYSTEM = ColorSystem.STANDARD
ALL = Abilities(erases=True, fills=True, scrolls=True)
ABILITIES = [Abilities(), ALL, Abilities(erases=True)]

texts = st.text("ab ┃宽e", min_size=1, max_size=8) | st.integers(5, 30).map(lambda width: " " * width)
segments = st.tuples(texts, st.sampled_from(STYLES)).map(lambda drawn: Segment(*drawn))
strips = st.lists(segments, min_size=1, max_size=6).map(Strip)
writes = st.tuples(st.integers(0, SIZE.width - 1), st.integers(0, SIZE.height - 1), strips, st.booleans())


def whole(written: list[tuple[int, int, Strip]]) -> Picture:
    """A picture in which the same has been drawn, for a terminal that shows nothing of it."""
    picture = Picture(SYSTEM)
    picture.resized(SIZE)
    for x, y, strip in written:
        picture.draw(x, y, strip)
    return picture


@pytest.mark.slow
@given(st.lists(writes, max_size=12), st.sampled_from([1, 60, 300, inf]), st.integers(1, 4), st.sampled_from(ABILITIES))
def test_the_terminal_shows_the_same_as_if_all_had_been_sent(
    updates: list[tuple[int, int, Strip, bool]], room: float, every: int, abilities: Abilities
) -> None:
    thrifty, picture, written = Terminal(SIZE), Picture(SYSTEM, abilities), []
    picture.resized(SIZE)
    for number, (x, y, strip, urgent) in enumerate(updates):
        picture.draw(x, y, strip, urgent)
        written.append((x, y, strip.crop(0, SIZE.width - x)))
        if number % every == 0:
            thrifty.gets(picture.frame(room))
    while picture.pending:
        thrifty.gets(picture.frame(room))
    everything = Terminal(SIZE)
    everything.gets(whole(written).frame(inf))
    assert thrifty.seen == everything.seen


@given(strips)
def test_what_is_drawn_is_what_the_terminal_shows(strip: Strip) -> None:
    terminal = Terminal(SIZE)
    cropped = strip.crop(0, SIZE.width)
    terminal.gets(whole([(0, 0, cropped)]).frame(inf))
    shown = "".join(str(data) for data, *_ in terminal.seen[0])
    assert shown.rstrip() == cropped.text.rstrip()
    assert cell_len(cropped.text) <= SIZE.width


def line(text: str) -> Strip:
    return Strip([Segment(text, STYLES[0])])


def sent(picture: Picture, x: int, y: int, strip: Strip) -> str:
    picture.draw(x, y, strip)
    return picture.frame(inf)


def test_what_is_shown_is_not_sent_again() -> None:
    picture = whole([])
    assert sent(picture, 2, 1, line("match")) == "\x1b[2;3Hmatch"
    assert sent(picture, 2, 1, line("match")) == ""
    assert sent(picture, 2, 1, line("watch")) == "\x1b[2;3Hw"
    assert sent(picture, 3, 1, line("atch")) == ""
    assert sent(picture, 2, 5, line("match")) == ""  # beyond the screen


def test_what_changes_back_before_it_is_sent_is_not_sent() -> None:
    picture = whole([])
    assert sent(picture, 0, 0, line("a"))
    picture.draw(0, 0, line("b"))
    assert sent(picture, 0, 0, line("a")) == ""
    assert not picture.pending


def test_changes_near_each_other_go_together() -> None:
    picture = whole([(0, 0, line("a" * 30))])
    picture.frame(inf)
    most = JUMP
    near = "b" + "a" * most + "b"
    assert sent(picture, 0, 0, line(near + "a" * 10)) == f"\x1b[1;1H{near}"
    sent(picture, 0, 0, line("a" * 30))
    far = "b" + "a" * (most + 1) + "b" + "a" * 10
    assert sent(picture, 0, 0, line(far)) == f"\x1b[1;1Hb\x1b[{most + 3}Gb"


def test_unchanged_cells_of_other_styles_are_passed_over() -> None:
    picture = whole([])
    red, green = Style(color="red"), Style(color="green")

    def drawn(first: str, last: str) -> Strip:
        return Strip([Segment(first, red), Segment("a", green), Segment(last, red)])

    sent(picture, 0, 0, drawn("x", "y"))
    assert sent(picture, 0, 0, drawn("p", "q")) == "\x1b[1;1H\x1b[31mp\x1b[3Gq\x1b[m"


def test_after_a_change_of_size_or_a_redraw_all_is_sent() -> None:
    picture = whole([])
    assert sent(picture, 0, 0, line("match"))
    picture.resized(SIZE)
    assert sent(picture, 0, 0, line("match")) == ""
    picture.resized(Size(31, 3))
    assert sent(picture, 0, 0, line("match"))
    picture.forget()
    picture.resized(Size(31, 3))
    assert sent(picture, 0, 0, line("match"))


def test_what_is_forgotten_is_not_sent() -> None:
    picture = whole([(0, 0, line("a" * 30)), (0, 1, line("b" * 30))])
    picture.draw(0, 2, line("c" * 30), urgent=True)
    picture.frame(1)
    picture.forget()  # a notice is drawn over it, say
    assert not picture.pending and not picture.urgent
    assert picture.frame(inf) == ""


def test_a_frame_keeps_to_its_room_and_begins_with_what_is_urgent() -> None:
    rows = [(0, y, line(sign * 30)) for y, sign in enumerate("abc")]
    picture = whole(rows[:2])
    picture.draw(*rows[2], urgent=True)
    assert picture.urgent
    assert picture.frame(20) == "\x1b[3;1H" + "c" * 30
    assert not picture.urgent and picture.pending
    picture.draw(0, 1, line("B" * 30))  # the newest is sent, once
    assert picture.frame(20) == "\x1b[1;1H" + "a" * 30
    assert picture.frame(20) == "\x1b[2;1H" + "B" * 30
    assert not picture.pending and picture.frame(inf) == ""


def test_what_is_marked_is_shown_reversed_and_can_be_read() -> None:
    picture, terminal = whole([(0, 0, line("some 宽 text")), (0, 1, line("below"))]), Terminal(SIZE)
    terminal.gets(picture.frame(inf))
    plain = terminal.seen
    picture.mark({0: (5, 10), 1: (0, 30)})
    terminal.gets(picture.frame(inf))
    assert [[cell[3] for cell in row].count(True) for row in terminal.seen] == [5, 30, 0]
    assert picture.marked_text == "宽 te\nbelow"
    picture.draw(0, 1, line("other"))  # it changes below the mark
    assert picture.marked_text == "宽 te\nother"
    picture.draw(0, 1, line("below"))
    picture.mark({})
    terminal.gets(picture.frame(inf))
    assert terminal.seen[0] == plain[0] and picture.marked_text == ""
