"""A terminal shows the same as if every text were written with its whole style, and gets fewer bytes."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.console import Console
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from nimtui.ui.kit.terminal.pen import Abilities, Look, change, of_terminal
from nimtui.ui.kit.terminal.wire import Picture
from tests.ui.cells import Terminal

SIZE = Size(24, 9)
CONSOLE = Console(color_system="256", force_terminal=True)
ALL = Abilities(erases=True, fills=True, scrolls=True)
FLAGS = ("bold", "dim", "italic", "underline", "reverse", "strike")
COLORS = (None, "red", "color(200)", "default")

styles = st.builds(
    lambda flags, color, ground: Style(color=color, bgcolor=ground, **dict.fromkeys(flags, True)),
    st.sets(st.sampled_from(FLAGS)),
    st.sampled_from(COLORS),
    st.sampled_from(COLORS),
)
texts = st.text("ab ", min_size=1, max_size=6) | st.integers(6, 24).map(lambda width: " " * width)
segments = st.tuples(texts, styles).map(lambda drawn: Segment(*drawn))
strips = st.lists(segments, min_size=1, max_size=5).map(Strip)
abilities = st.sampled_from([Abilities(), Abilities(erases=True), ALL])


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 8), strips), max_size=10), abilities, st.booleans())
def test_it_shows_what_whole_styles_show(writes: list[tuple[int, int, Strip]], able: Abilities, urgent: bool) -> None:
    naive, thrifty, picture = Terminal(SIZE), Terminal(SIZE), Picture(ColorSystem.EIGHT_BIT, able)
    picture.resized(SIZE)
    for x, y, strip in writes:
        drawn = strip.crop(0, SIZE.width - x)
        naive.gets(str(Control.move_to(x, y)) + drawn.render(CONSOLE))
        picture.draw(x, y, strip, urgent)
        thrifty.gets(picture.frame(inf))
    assert thrifty.seen == naive.seen


def page(top: int, bar: int) -> list[Strip]:
    """A page of a text whose lines have little in common, with a bar at its right side."""
    mark = [Style(color="red") if y == bar else Style() for y in range(SIZE.height)]
    lines = ["line " + f"{(top + y) * 7919 % 1000:03}" * 6 for y in range(SIZE.height)]
    return [Strip([Segment(line, Style()), Segment("|", mark[y])]) for y, line in enumerate(lines)]


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=6), st.sampled_from([20, 100, inf]))
def test_scrolled_lines_end_where_they_should(steps: list[int], room: float) -> None:
    terminal, picture, top = Terminal(SIZE), Picture(ColorSystem.EIGHT_BIT, ALL), 20
    picture.resized(SIZE)
    for number, step in enumerate([0, *steps]):
        top += step
        for y, strip in enumerate(page(top, number)):
            picture.draw(0, y, strip, urgent=True)
        terminal.gets(picture.frame(room))
    while picture.pending:
        terminal.gets(picture.frame(room))
    whole = Terminal(SIZE)
    for y, strip in enumerate(page(top, len(steps))):
        whole.gets(str(Control.move_to(0, y)) + strip.render(CONSOLE))
    assert terminal.seen == whole.seen


@pytest.mark.parametrize("step", [1, -1, 3])
def test_a_line_further_takes_a_line_where_the_terminal_scrolls(step: int) -> None:
    sent = {}
    for able in (Abilities(), ALL):
        picture = Picture(ColorSystem.EIGHT_BIT, able)
        picture.resized(SIZE)
        for top in (20, 20 + step):
            for y, strip in enumerate(page(top, 4)):
                picture.draw(0, y, strip, urgent=True)
            sent[able] = picture.frame(inf)
    assert "M" in sent[ALL] or "L" in sent[ALL]
    assert sent[ALL].count("line") == abs(step)
    assert sent[Abilities()].count("\x1b[") >= SIZE.height  # every line


def test_a_change_of_style_takes_the_shorter_way() -> None:
    plain, bold = Look(), Look(frozenset("1"))
    assert change(plain, plain) == ""
    assert change(plain, bold) == "\x1b[1m"
    assert change(bold, plain) == "\x1b[m"
    assert change(Look(frozenset("12")), Look(frozenset("2"))) == "\x1b[0;2m"  # 22 ends both
    red = Look(frozenset("1"), "31", "48;5;200")
    assert change(red, red._replace(attributes=frozenset())) == "\x1b[22m"
    assert change(red, red._replace(text="32")) == "\x1b[32m"
    assert change(red, bold) == "\x1b[0;1m"


def test_what_terminals_can_do_is_read_from_their_descriptions() -> None:
    assert of_terminal("no such terminal") == Abilities()
    assert of_terminal("dumb") == Abilities()
    assert not of_terminal("vt100").erases
