"""Only changed cells go to the terminal, in few bytes, and they are enough."""

from __future__ import annotations

import subprocess
import sys
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

from nimtui.ui.kit.terminal.pen import JUMP, SAME, Abilities, Look, Pen, Text, change, known, look, of_terminal
from nimtui.ui.kit.terminal.wire import FEW, LEAST, Picture, scrolled, sound
from tests.fuzz.drive import driven
from tests.fuzz.steps import KEYS
from tests.ui.cells import Terminal
from tests.ui.repainting import Screenful

SIZE = Size(30, 3)
HIGH = Size(24, 9)
SYSTEM = ColorSystem.EIGHT_BIT
CONSOLE = Console(color_system="256", force_terminal=True)
ALL = Abilities(erases=True, fills=True, scrolls=True)
ABILITIES = st.sampled_from([Abilities(), ALL, Abilities(erases=True)])
FLAGS = ("bold", "dim", "italic", "underline", "reverse", "strike")
COLORS = st.sampled_from((None, "red", "color(200)", "default"))

styles = st.builds(
    lambda flags, color, ground: Style(color=color, bgcolor=ground, **dict.fromkeys(flags, True)),
    st.sets(st.sampled_from(FLAGS)),
    COLORS,
    COLORS,
)
texts = st.text("ab ┃宽e", min_size=1, max_size=8) | st.integers(5, 30).map(lambda width: " " * width)
segments = st.tuples(texts, styles).map(lambda drawn: Segment(*drawn))
strips = st.lists(segments, min_size=1, max_size=6).map(Strip)
writes = st.tuples(st.integers(0, SIZE.width - 1), st.integers(0, SIZE.height - 1), strips, st.booleans())


def whole(written: list[tuple[int, int, Strip]], size: Size = SIZE, able: Abilities | None = None) -> Picture:
    """A picture in which this has been drawn, for a terminal that shows nothing of it."""
    picture = Picture(SYSTEM, able)
    picture.resized(size)
    for x, y, strip in written:
        picture.draw(x, y, strip)
    return picture


@pytest.mark.slow
@given(st.lists(writes, max_size=12), st.sampled_from([1, 60, 300, inf]), st.integers(1, 4), ABILITIES)
def test_the_terminal_shows_the_same_as_if_all_had_been_sent(
    updates: list[tuple[int, int, Strip, bool]], room: float, every: int, able: Abilities
) -> None:
    thrifty, picture, written = Terminal(SIZE), whole([], able=able), []
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


narrow = st.lists(st.tuples(st.text("ab ", min_size=1, max_size=9), styles).map(lambda one: Segment(*one)), min_size=1)
places = st.tuples(st.integers(0, 20), st.integers(0, 8), narrow.map(Strip))


@pytest.mark.slow
@given(st.lists(places, max_size=10), ABILITIES, st.booleans())
def test_it_shows_what_whole_styles_show(drawn: list[tuple[int, int, Strip]], able: Abilities, urgent: bool) -> None:
    naive, thrifty, picture = Terminal(HIGH), Terminal(HIGH), whole([], HIGH, able)
    for x, y, strip in drawn:
        naive.gets(str(Control.move_to(x, y)) + strip.crop(0, HIGH.width - x).render(CONSOLE))
        picture.draw(x, y, strip, urgent)
        thrifty.gets(picture.frame(inf))
    assert thrifty.seen == naive.seen


def page(top: int, bar: int) -> list[Strip]:
    """A page of a text whose lines have little in common, with a bar at its right side."""
    mark = [Style(color="red") if y == bar else Style() for y in range(HIGH.height)]
    lines = ["line " + f"{(top + y) * 7919 % 1000:03}" * 6 for y in range(HIGH.height)]
    return [Strip([Segment(line, Style()), Segment("|", mark[y])]) for y, line in enumerate(lines)]


def draw(picture: Picture, top: int, bar: int) -> None:
    for y, strip in enumerate(page(top, bar)):
        picture.draw(0, y, strip, urgent=True)


@pytest.mark.slow
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=6), st.sampled_from([20, 100, inf]))
def test_scrolled_lines_end_where_they_should(steps: list[int], room: float) -> None:
    terminal, picture, top = Terminal(HIGH), whole([], HIGH, ALL), 20
    for number, step in enumerate([0, *steps]):
        top += step
        draw(picture, top, number)
        terminal.gets(picture.frame(room))
    while picture.pending:
        terminal.gets(picture.frame(room))
    naive = Terminal(HIGH)
    for y, strip in enumerate(page(top, len(steps))):
        naive.gets(str(Control.move_to(0, y)) + strip.render(CONSOLE))
    assert terminal.seen == naive.seen


@pytest.mark.parametrize("step", [1, -1, 3])
def test_a_line_further_takes_a_line_where_the_terminal_scrolls(step: int) -> None:
    sent = {}
    for able in (Abilities(), ALL):
        picture = whole([], HIGH, able)
        for top in (20, 20 + step):
            draw(picture, top, 4)
            sent[able] = picture.frame(inf)
    assert sent[ALL].startswith(f"\x1b[1;9r\x1b[1;1H\x1b[{abs(step)}{'M' if step > 0 else 'L'}\x1b[r")
    assert sent[ALL].count("line") == abs(step)
    assert sent[Abilities()].count("\x1b[") >= HIGH.height  # every line


def test_a_line_that_stays_between_those_that_scroll_is_sent_again() -> None:
    picture, terminal, naive = whole([], HIGH, ALL), Terminal(HIGH), Terminal(HIGH)
    draw(picture, 20, 0)
    terminal.gets(picture.frame(inf))
    for y, strip in enumerate(page(21, 0)):
        if y != 4:
            picture.draw(0, y, strip, urgent=True)
    sent = picture.frame(inf)
    terminal.gets(sent)
    for y in range(HIGH.height):
        naive.gets(str(Control.move_to(0, y)) + page(20 if y == 4 else 21, 0)[y].render(CONSOLE))
    assert terminal.seen == naive.seen and "\x1b[1M" in sent


def test_lines_are_moved_only_if_that_saves_much() -> None:
    rows = [[sign] * 40 for sign in "abcdefg"]
    up, down = [*rows[1:], ["x"] * 40], [["x"] * 40, *rows[:-1]]
    assert scrolled(rows, up, range(7)) == (0, 6, 1) and scrolled(rows, down, range(7)) == (0, 6, -1)
    assert scrolled(rows, rows, range(7)) is None
    assert scrolled(rows, up, range(LEAST)) is None and scrolled(rows, up, range(LEAST + 1)) == (0, 3, 1)
    short, shorter = ([[row[:columns] for row in each] for each in (rows, up)] for columns in (10, 9))
    assert scrolled(*short, range(7)) == (0, 6, 1) and scrolled(*shorter, range(7)) is None  # of 60 cells or 54
    alike = [["a"] * 40] * (FEW + 3)
    assert scrolled(alike, [*alike[1:], ["b"] * 40], range(FEW + 3)) is None  # which of them went where?


@pytest.mark.parametrize(
    ("before", "after", "sequence"),
    [
        (Look(), Look(), ""),
        (Look(), Look(frozenset("1")), "\x1b[1m"),
        (Look(frozenset("1")), Look(), "\x1b[m"),
        (Look(frozenset("12")), Look(frozenset("2")), "\x1b[0;2m"),  # 22 ends both
        (Look(frozenset("1"), "31", "48;5;200"), Look(frozenset(), "31", "48;5;200"), "\x1b[22m"),
        (Look(frozenset("1"), "31", "48;5;200"), Look(frozenset("1"), "32", "48;5;200"), "\x1b[32m"),
        (Look(frozenset("1"), "31", "48;5;200"), Look(frozenset("1")), "\x1b[0;1m"),
        (Look(frozenset("12")), Look(frozenset("2"), "31", "41"), "\x1b[0;2;31;41m"),
    ],
)
def test_a_change_of_style_takes_the_shorter_way(before: Look, after: Look, sequence: str) -> None:
    assert change(before, after) == sequence


def test_a_style_sets_its_attributes_and_the_colours_that_the_terminal_has() -> None:
    style = Style(bold=True, reverse=True, color="#ff0000", bgcolor="#0000ff")
    shown = {SYSTEM: ("38;5;196", "48;5;21"), ColorSystem.STANDARD: ("31", "44"), None: ("39", "49")}
    for system, colors in shown.items():
        assert look(style, system)[0] == Look(frozenset("17"), *colors)
    assert look(style, SYSTEM)[1] == look(style, SYSTEM)[0]  # a blank shows all of what is reversed
    plain = Style(bold=True, color="red", bgcolor="red")
    assert look(plain, SYSTEM) == (Look(frozenset("1"), "31", "41"), Look(ground="41"))
    assert look(Style(link="1m"), SYSTEM) == (Look(), Look())  # links are not drawn
    assert look(None, SYSTEM) == (Look(), Look()) and look(Style(color="red"), SYSTEM)[1] == Look()
    assert Look().reversed == Look(frozenset("7")) and Look(frozenset("7")).reversed is known(Look())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["no such terminal", "dumb", "vt100"])
def test_what_terminals_can_do_is_read_from_their_descriptions(name: str) -> None:
    code = "import sys; from nimtui.ui.kit.terminal.pen import of_terminal; print(of_terminal(sys.argv[1])[:2])"
    done = subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, check=True)  # only one
    assert done.stdout == "(False, False)\n"


def test_a_terminal_can_do_what_its_description_has_in_the_usual_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    curses, has = pytest.importorskip("curses"), dict(SAME)

    def described(name: str, number: int) -> None:
        assert (name, number) == ("any", 1)

    monkeypatch.setattr(curses, "setupterm", described)
    monkeypatch.setattr(curses, "tigetstr", lambda name: has.get(name))
    for flag, fills in ((1, True), (0, False), (-1, False)):
        monkeypatch.setattr(curses, "tigetflag", lambda name, flag=flag: flag)
        assert of_terminal("any") == Abilities(True, fills, True)
    assert of_terminal("without an entry") == Abilities() == (False, False, False)
    for name in ("dl", "il", "csr", "ech"):
        has = {**SAME, name: b"another"}
        assert of_terminal("any") == Abilities(name != "ech", False, name == "ech")


def test_a_pen_counts_bytes_and_goes_by_steps_where_it_is_sure_of_its_place_and_where_that_is_shorter() -> None:
    def way(text: str, x: int, y: int) -> str:
        pen = Pen(Abilities(), 80)
        for part in (Text(40, 5, text, Look(), len(text), True), Text(x, y, "z", Look(), 1, True)):
            pen.write(part)
        pen.fixed = True
        return pen.frame().removeprefix(f"\x1b[6;41H{text}").removesuffix("z")

    steps = {(43, 6): "\x1b[B", (41, 6): "\x1b[B\b\b", (44, 4): "\x1b[A\x1b[C", (42, 5): "\b"}
    assert {place: way("ab█", *place) for place in steps} == steps
    assert way("abc", 2, 6) == way("a┃c", 2, 6) == "\n\x1b[3G"  # whatever a line feed does to the column
    assert (way("a┃c", 43, 4), way("a┃c", 46, 5)) == ("\x1b[5;44H", "\x1b[47G")  # a terminal may draw ┃ wider
    assert way("a" * 40, 79, 6) == "\n\x1b[80G"  # beyond the last column nobody knows where it is
    pen = Pen(Abilities(), 80)
    pen.write(Text(0, 0, "é", Look(frozenset("1")), 1, True))
    assert pen.bytes == len("\x1b[1;1H\x1b[1mé".encode()) and pen.frame() == "\x1b[1;1H\x1b[1mé\x1b[m"


def test_texts_of_one_look_are_written_together_where_that_is_shorter() -> None:
    red, green = Style(color="#ff0000"), Style(color="#00ff00")

    def frame(*words: str) -> str:
        picture = Picture(ColorSystem.TRUECOLOR)
        picture.resized(SIZE)
        for y in (0, 1):
            picture.draw(0, y, Strip([Segment(words[0], red), Segment(words[1], green), Segment(words[2], green)]))
        return picture.frame(inf)

    assert frame("┃", "b c", " ") == (
        "\x1b[1;2H\x1b[38;2;0;255;0mb c \n\x1b[2Gb c \x1b[1;1H\x1b[38;2;255;0;0m┃\n\x1b[1G┃\x1b[m"
    )
    wide = frame("宽", "b", "c")  # written later, it could wipe its neighbour out
    assert wide.count("38;2;255") == wide.count("38;2;0;255") == 2


def line(text: str) -> Strip:
    return Strip([Segment(text, Style())])


def sent(picture: Picture, x: int, y: int, strip: Strip) -> str:
    picture.draw(x, y, strip)
    return picture.frame(inf)


def test_what_is_shown_is_not_sent_again() -> None:
    picture = whole([])
    assert sent(picture, 2, 1, line("match")) == "\x1b[2;3Hmatch"
    assert sent(picture, 2, 1, line("match")) == ""
    assert sent(picture, 2, 1, line("watch")) == "\x1b[2;3Hw"
    assert sent(picture, 3, 1, line("atch")) == ""
    assert sent(picture, 2, 3, line("match")) == sent(picture, 2, -1, line("match")) == ""  # beyond the screen
    picture.draw(0, 0, line("b"))  # changes back before it is sent
    assert sent(picture, 0, 0, line(" ")) == "\x1b[1;1H "
    picture.draw(0, 0, line("b"))
    assert sent(picture, 0, 0, line(" ")) == "" and not picture.pending
    accents = sent(picture, 9, 0, line("a\u0301宽\u0301b\u0301"))  # each belongs to the sign before it
    assert all(sign + "\u0301" in accents for sign in "a宽b") and accents.count("\u0301") == 3


def test_long_blanks_are_erased_where_that_is_shorter_and_the_terminal_can() -> None:
    def blanks(length: int, able: Abilities, after: str = "", **style: str) -> str:
        picture = whole([], able=able)
        return sent(picture, 0, 0, Strip([Segment(" " * length, Style(**style)), Segment(after, Style())]))

    assert blanks(6, ALL) == "\x1b[1;1H\x1b[6X" and blanks(5, ALL) == "\x1b[1;1H     "
    assert blanks(10, ALL, "a") == "\x1b[1;1H\x1b[10X\x1b[10Ca" and blanks(9, ALL, "a") == "\x1b[1;1H" + " " * 9 + "a"
    assert blanks(6, Abilities()) == "\x1b[1;1H      "
    assert blanks(6, ALL, color="red") == blanks(6, Abilities(erases=True)) == "\x1b[1;1H\x1b[6X"
    unseen = Style(bold=True, dim=True, italic=True, conceal=True)  # what a blank does not show may stay set
    drawn = Strip([Segment("a", unseen), Segment(" " * 12, Style())])
    assert sent(whole([], able=ALL), 0, 0, drawn) == "\x1b[1;1H\x1b[1;2;3;8ma\x1b[12X\x1b[m"
    assert sent(whole([], able=ALL), 0, 0, line("abcdefghijkl")) == "\x1b[1;1Habcdefghijkl"
    reverse = Strip([Segment(" " * 12, Style(reverse=True))])
    assert sent(whole([], able=ALL), 0, 0, reverse) == f"\x1b[1;1H\x1b[7m{' ' * 12}\x1b[m"
    assert blanks(6, ALL, bgcolor="red") == "\x1b[1;1H\x1b[41m\x1b[6X\x1b[m"
    assert blanks(6, Abilities(erases=True), bgcolor="red") == "\x1b[1;1H\x1b[41m      \x1b[m"


def test_changes_near_each_other_go_together() -> None:
    picture = whole([(0, 0, line("a" * 30))])
    picture.frame(inf)
    near = "b" + "a" * JUMP + "b"
    assert sent(picture, 0, 0, line(near + "a" * 10)) == f"\x1b[1;1H{near}"
    sent(picture, 0, 0, line("a" * 30))
    far = "b" + "a" * (JUMP + 1) + "b" + "a" * 10
    assert sent(picture, 0, 0, line(far)) == f"\x1b[1;1Hb\x1b[{JUMP + 1}Cb"
    red, green = Style(color="red"), Style(color="green")

    def drawn(first: str, last: str) -> Strip:
        return Strip([Segment(first, red), Segment("a", green), Segment(last, red)])

    sent(picture, 0, 1, drawn("x", "y"))  # unchanged cells of other styles are passed over
    assert sent(picture, 0, 1, drawn("p", "q")) == "\x1b[2;1H\x1b[31mp\x1b[Cq\x1b[m"


def test_after_a_change_of_size_or_a_redraw_all_is_sent_and_nothing_of_before() -> None:
    picture = whole([])
    assert sent(picture, 0, 0, line("match"))
    picture.resized(SIZE)
    assert sent(picture, 0, 0, line("match")) == ""
    picture.resized(Size(31, 3))
    assert sent(picture, 0, 0, line("match"))
    picture.draw(0, 2, line("c" * 30), urgent=True)
    picture.draw(0, 1, line("c" * 30))
    picture.frame(1)
    picture.forget()  # a notice is drawn over it, say
    assert not picture.pending and not picture.urgent and picture.frame(inf) == ""
    picture.resized(Size(31, 3))
    assert sent(picture, 0, 0, line("match"))


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
    picture.mark({0: (5, 10), 1: (0, 30), 7: (0, 3)})
    assert picture.urgent
    terminal.gets(picture.frame(inf))
    assert [[cell[3] for cell in row].count(True) for row in terminal.seen] == [5, 30, 0]
    assert picture.marked_text == "宽 te\nbelow"
    picture.draw(0, 1, line("other"))  # it changes below the mark
    assert picture.marked_text == "宽 te\nother"
    picture.draw(0, 1, line("below"))
    picture.mark({})
    terminal.gets(picture.frame(inf))
    assert terminal.seen[0] == plain[0] and picture.marked_text == ""


@pytest.mark.slow
async def test_an_app_sends_what_a_repaint_would_show() -> None:
    async with driven((80, 24)) as drive:
        screenful = Screenful(drive)
        for step in (KEYS["down"], b"s", KEYS["down"], KEYS["escape"], (120, 36), b"p", 0.3, KEYS["down"], b"w"):
            await drive.do(step)
            if isinstance(step, tuple):
                screenful.resized()
            assert await screenful.stale() == [], step
    assert drive.app.found == []


def test_the_wire_lets_nothing_through_that_no_widget_has_seen() -> None:
    given = Strip([Segment("a\x1bb\u00ad\u00a0", Style()), Segment("日本", Style())])
    passed = sound(given)
    assert passed.text == "ab?\u00a0日本" and passed.cell_length == given.cell_length
    assert sound(passed) is passed
