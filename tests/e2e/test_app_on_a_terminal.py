"""The app as it is really run: in a process of its own, on a terminal; and without a screen, line by line."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import signal
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pyte
import pytest

from tests.e2e.conftest import Open
from tests.e2e.terminal import PATIENCE, Terminal
from tests.games import hanging

pytestmark = pytest.mark.slow


def at_play(app: Open, *words: str, **more: Any) -> Terminal:
    """The board of a game in which nobody moves but us, at rest."""
    terminal = app("play", *words, "--second", "me", **more)
    assert terminal.sees("▌Play▐")
    terminal.rests()
    return terminal


@pytest.mark.fresh
def test_play_settings_and_quit(app: Open, tmp_path: Path) -> None:
    terminal = app()
    assert terminal.sees("Play now")
    terminal.press("s")
    assert terminal.sees("Slow line")
    terminal.press("down", "right")
    assert terminal.sees("Now: unicode.")
    terminal.press("right", "right")
    assert terminal.sees("Now: ascii.")
    terminal.press("escape")
    assert terminal.sees("> m  Show me")
    terminal.press("q")
    assert terminal.ends() == 0
    assert json.loads((tmp_path / "settings.json").read_text())["glyphs"] == "ascii"
    again = app()
    assert again.sees("> m  Show me")
    assert again.text.isascii()
    again.press("q")
    assert again.ends() == 0
    (tmp_path / "settings.json").write_text("{ no")
    damaged = app(columns=120)
    assert damaged.sees("is damaged") and "settings.json" in "".join(damaged.text.split())
    assert [path.read_text() for path in tmp_path.glob("settings.*") if path.name != "settings.json"] == ["{ no"]


def test_what_is_on_the_screen_is_what_a_full_redraw_would_send(app: Open) -> None:
    """Only changed cells are sent; nothing may be left over from them."""
    terminal = at_play(app, "nim:3,5,4")
    for keys in (["down"], ["enter"], ["n", "tab", "x", "escape"], ["f9"], ["escape"], ["f1", "escape"]):
        terminal.press(*keys)
        terminal.rests()
        before, sent = terminal.seen, terminal.sent
        terminal.press("\x0c")
        terminal.rests()
        if terminal.sent > sent:  # dialogs have no such key
            assert terminal.seen == before, keys


def leaves(terminal: Terminal, answer: str) -> None:
    """Answer until the app has ended: it may ask whether to leave, and takes no answer before the question is there."""
    until = time.monotonic() + PATIENCE
    while terminal.status() is None and time.monotonic() < until:
        with contextlib.suppress(OSError):  # it has ended meanwhile
            terminal.press(answer)
        time.sleep(0.1)


def is_ended(terminal: Terminal, number: int, status: int) -> None:
    """Check that the app, asked to end by a signal, leaves the terminal as it was."""
    assert not terminal.echoes
    terminal.signal(number)
    assert terminal.ends() == status
    assert terminal.becomes(lambda: terminal.echoes)
    for mode in (b"?1049l", b"?1003l", b"?2004l", b"?25h"):
        assert b"\x1b[" + mode in terminal.raw


def test_a_program_has_ended_when_its_last_word_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    feed = pyte.ByteStream.feed
    monkeypatch.setattr(pyte.ByteStream, "feed", lambda *data: (feed(*data), time.sleep(0.3)))  # a slow reader
    program = "import time; print('first', flush=True); time.sleep(0.1); print('second', flush=True); print('last')"
    with Terminal([sys.executable, "-c", program], tmp_path) as terminal:
        while terminal.status() is None:
            time.sleep(0.01)
        assert (terminal.status(), terminal.raw.split()) == (0, [b"first", b"second", b"last"])
        assert terminal.text.split() == ["first", "second", "last"]


@pytest.mark.fresh
def test_idle_sends_nothing_a_key_little_and_waking_all(app: Open) -> None:
    terminal = app()
    assert terminal.sees("Play now")
    terminal.settles()
    sent = terminal.sent
    time.sleep(1.2)
    assert terminal.sent == sent
    terminal.press("down")
    assert terminal.sees("▸ p  Play now")
    terminal.settles()
    assert terminal.sent - sent <= 500
    assert terminal.memory() <= 90
    terminal.press("\x1a")
    stat = Path(f"/proc/{terminal.pid}/stat")
    assert terminal.becomes(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T")
    sent = terminal.sent
    terminal.signal(signal.SIGCONT)
    assert terminal.becomes(lambda: terminal.sent - sent >= 1000)  # all of the screen again
    terminal.resize(50, 15)
    assert terminal.sees("nimtui needs 60 columns")
    terminal.resize(100, 40)
    assert terminal.sees("Play now")
    is_ended(terminal, signal.SIGTERM, 143)


@pytest.mark.parametrize("answers", [True, False])
def test_every_frame_asks_the_answers_are_no_keys_and_ctrl_y_has_the_terminal_copy(app: Open, answers: bool) -> None:
    terminal = at_play(app, "nim:3,4,5", answers=answers)
    before, asked, picture = terminal.text, terminal.asked, terminal.seen
    assert asked > 1
    terminal.rests()
    assert (terminal.text, terminal.asked) == (before, asked)  # an answer changes nothing, and asks nothing
    terminal.press("down", "up")
    terminal.rests()
    assert terminal.seen == picture and terminal.asked > asked
    terminal.press("\x19")
    assert terminal.sees("nimtui play nim:3,4,5 --first me")
    terminal.press("enter")
    assert terminal.sees("copied: 3,4,5")
    assert b"\x1b]52;c;Myw0LDU=\x07" in terminal.raw
    is_ended(terminal, *((signal.SIGHUP, 129) if answers else (signal.SIGQUIT, 131)))


def test_text_is_selected_with_the_mouse_and_copied(app: Open) -> None:
    terminal = at_play(app, "nim:3,4,5", "--first", "me")

    def mouse(action: int, x: int, y: int, up: bool = False) -> None:  # xterm's SGR reports
        terminal.press(f"\x1b[<{action};{x + 1};{y + 1}{'m' if up else 'M'}")

    line = next(y for y, text in enumerate(terminal.text.split("\n")) if "▸A" in text)
    mouse(0, 0, line)
    mouse(32, 79, line)  # into another panel: it stays in its own
    assert terminal.becomes(lambda: sum(cell.reverse for cell in terminal.cells[line]) > 30)
    mouse(0, 79, line, up=True)
    assert terminal.sees("copied: ▸A ┃")
    copied = base64.b64decode(terminal.raw.partition(b"\x1b]52;c;")[2].partition(b"\x07")[0]).decode()
    assert copied.split() == ["▸A", "┃", "┃", "╎"]
    assert "the first player's move" in terminal.text  # it was no click
    terminal.press("down")
    assert terminal.becomes(lambda: not any(cell.reverse for cell in terminal.cells[line]))
    mouse(0, 0, line)
    mouse(32, 20, line)
    assert terminal.becomes(lambda: terminal.cells[line][5].reverse)
    terminal.press("f1")  # while the button is down: the drag is over
    mouse(32, 30, line + 2)
    terminal.rests()
    copied_before = terminal.raw.count(b"\x1b]52")
    mouse(0, 30, line + 2, up=True)
    terminal.rests()
    assert terminal.raw.count(b"\x1b]52") == copied_before == 1


@pytest.mark.parametrize(
    ("words", "shown", "ends"),
    [("play hanging:loop --first mc --second me", "prepares", 0), ("train hanging:late", "Solving", 143)],
)
def test_a_rule_that_loops_in_a_job_holds_up_no_key_and_no_signal(
    app: Open, tmp_path: Path, words: str, shown: str, ends: int
) -> None:
    (tmp_path / "games").mkdir()
    shutil.copy(hanging.__file__, tmp_path / "games" / "hanging.py")
    terminal = app("--unchecked", *words.split())
    assert terminal.sees(shown)
    terminal.settles()
    if ends:
        terminal.signal(signal.SIGTERM)
    else:
        terminal.press("\x11")
        leaves(terminal, "enter")
    assert terminal.ends() == ends and b"\x1b[?1049l" in terminal.raw


NOISE = (b"\xff", b"\xf0\x9f\x92", b"\xed\xa0\x80", b"\x00", b"\x9b", b"\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\",
         b"\x1b[<0;0;0M", b"\x1b[48;24;80;0;0t", b"\x1b[1114112u", b"\x1b[M !!", b"\x1b[<999;99999;99999M",
         b"\x1b[200~", b"\x1b[999999~")  # fmt: skip
CALM = (b"\r", b"\x1b", b"\t", b"\x1b[A", b"\x1b[B", b"\x1bOP", b"\x1b[17~", b"\x1b[15~", b"x", b"n", b"S")


def test_noise_and_keys_cut_in_pieces_leave_a_program_that_leaves_well(app: Open) -> None:
    terminal, random = app("play", "nim:3,2,1", "--second", "random"), Random(201)
    assert terminal.sees("▌Play▐")
    for _ in range(60):
        data = random.choice(NOISE if random.random() < 0.4 else CALM)
        cut = random.randrange(len(data))
        for piece in filter(None, (data[:cut], data[cut:])):
            os.write(terminal._fd, piece)
            time.sleep(0.01)
    for size in ((300, 100), (2, 2), (80, 24)):
        terminal.resize(*size)
        time.sleep(0.1)
    assert terminal.status() is None
    os.write(terminal._fd, b"\x1b[201~")
    terminal.press("\x11")
    leaves(terminal, "y")
    assert terminal.status() == 0 and terminal.echoes
    assert b"Traceback" not in terminal.raw and terminal.raw.rfind(b"?25h") > terminal.raw.rfind(b"?25l")


@pytest.mark.fresh
@pytest.mark.parametrize("environment", [{"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "NO_COLOR": "1"}])
def test_without_utf8_only_ascii_is_sent_and_without_colour_none(app: Open, environment: dict[str, str]) -> None:
    terminal = app(**environment)
    assert terminal.sees("> m  Show me")
    assert terminal.raw.isascii()
    assert b"\\u" not in terminal.raw
    terminal.settles()
    cells = [cell for line in terminal.cells for cell in line]
    assert ({(cell.fg, cell.bg) for cell in cells} == {("default", "default")}) == ("NO_COLOR" in environment)
    assert any(cell.reverse for cell in cells) or "NO_COLOR" not in environment


@pytest.mark.fresh
@pytest.mark.parametrize(
    ("words", "environment", "said"),
    [
        (["library"], {"TERM": "dumb"}, "not TERM=dumb"),
        (["tour"], {"TERM": "dumb"}, "the app needs a terminal"),
        ([], {"TEXTUAL_COLOR_SYSTEM": "many"}, "TEXTUAL_COLOR_SYSTEM must be"),
    ],
)
def test_a_terminal_it_cannot_use(app: Open, words: list[str], environment: dict[str, str], said: str) -> None:
    terminal = app(*words, columns=300, **environment)
    assert terminal.sees(said)
    assert terminal.ends() == 2
    assert len(terminal.text.strip().splitlines()) == 1


# Work that is seen on a real terminal: a search grows, and the tour is walked by its keys.


SIMULATIONS = 5_000_000
OPEN = f"""
from nimtui import ui
from nimtui.ui.search.setup import SearchSetup
ui.run(setup=SearchSetup("connect4", None, "mcts:simulations={SIMULATIONS}"), mode="search")
"""
WALK = (  # what the step shows, and its key
    ("positions right", "\x07"),
    ("find a position still wrong", "x"),
    ("play it: the table moves first", "P"),
    ("ow you can win", "w"),
    ("hatever", "h"),
    ("then the table is lost", "\r"),
    ("end the tour and play on", "\x07"),
)


def visits(terminal: Terminal) -> int:
    shown = re.search(r"root +([\d,]+)", terminal.text)
    return int(shown[1].replace(",", "")) if shown else 0


def test_the_visits_of_the_root_grow_and_a_pause_holds_them(tmp_path: Path) -> None:
    with Terminal([sys.executable, "-c", OPEN], tmp_path) as terminal:
        seen = [0]
        for _ in range(3):
            assert terminal.becomes(lambda: visits(terminal) > seen[-1])
            seen.append(visits(terminal))
        assert seen[-1] < SIMULATIONS
        terminal.press(" ")
        assert terminal.sees("Paused. Space continues")
        terminal.settles()
        held = visits(terminal)
        time.sleep(0.6)
        assert seen[-1] <= held == visits(terminal) < SIMULATIONS
        terminal.press(" ")
        assert terminal.sees("Searching.") and terminal.becomes(lambda: visits(terminal) > held)


def test_the_tour_from_its_first_step_to_its_last(app: Open) -> None:
    terminal = app("tour", "--slow", "--ascii", columns=60, lines=20, NO_COLOR="1")
    for at, (shown, key) in enumerate(WALK, 1):
        assert terminal.sees(f"{at}/{len(WALK)}  "), at
        assert terminal.sees(shown), shown
        terminal.press(key)
    assert terminal.becomes(lambda: "7/7" not in terminal.text)
    assert terminal.sees("Why")


def test_all_keys_of_the_tour_but_its_last_in_one_write_leave_a_tour_that_goes_on(app: Open) -> None:
    terminal = app("tour", columns=200, lines=60)
    assert terminal.sees("1/7  ") and terminal.sees(WALK[0][0])  # before, its first key does nothing
    terminal.press("".join(key for _, key in WALK[:-1]))
    for at, key in ((2, "x"), (3, "P"), (4, "")):  # as many as are heard, the others once more
        assert terminal.becomes(lambda: any(f"{step}/7  " in terminal.text for step in range(at, 8)))  # noqa: B023
        if f"{at}/7  " in terminal.text:
            terminal.press(key)


# `--plain` as it is really run: on a terminal, with Ctrl+C, Ctrl+D and TERM=dumb.


STOP = "\x03"


def is_plain(terminal: Terminal) -> None:
    """Check that the program has sent nothing but lines."""
    sent = terminal.raw.replace(b"\r\n", b"\n")  # as every terminal ends its lines
    assert not {*b"\x1b\r\x08\x07"} & {*sent}, sent


def answers(terminal: Terminal, prompt: str, *keys: str) -> None:
    """Wait until the last line is this prompt, and type."""
    assert terminal.becomes(lambda: terminal.text.rstrip().endswith(prompt)), terminal.text
    terminal.press(*keys)


@pytest.mark.parametrize("term", ["dumb", "unknown", ""])
def test_a_terminal_without_a_cursor_gets_lines(app: Open, term: str) -> None:
    terminal = app(lines=50, TERM=term)
    answers(terminal, "Game, by number or name [1]:", "nim:1,4,5", "enter")
    answers(terminal, "First player [me]:", "enter")
    answers(terminal, "Second player [hard]:", "perfect", "enter")
    answers(terminal, "Your move:", "why", "enter")
    assert terminal.sees("Nim-sum: 0, binary 000.")
    answers(terminal, "Your move:", "\x04")
    assert terminal.ends() == 0
    assert terminal.text.rstrip().endswith("Your move:\nEnd of input.")
    is_plain(terminal)


def test_ctrl_c_stops_an_agent_a_long_search_and_then_the_program(app: Open) -> None:
    terminal = app("play", "connect4", "--plain", "--second", "mcts:time=600", lines=50)
    answers(terminal, "Your move:", "4", "enter")
    assert terminal.sees("Move 1: you dropped in column 4.")
    assert terminal.sees("Tree search is thinking.")
    terminal.press(STOP)
    assert terminal.sees("Tree search was stopped. 'go' lets it continue. You may type a move for it.")
    answers(terminal, "Command:", "go", "enter")
    assert terminal.becomes(lambda: terminal.text.count("is thinking.") == 2)
    terminal.press(STOP)
    assert terminal.becomes(lambda: terminal.text.count("was stopped") == 2)
    answers(terminal, "Command:", "1", "enter")
    assert terminal.sees("Move 2: Tree search dropped in column 1 (you moved for it).")
    answers(terminal, "Your move:", "search mcts:time=600", "enter")
    assert terminal.sees("Searching:")
    terminal.press(STOP)
    assert terminal.sees("stopped early)")  # the moves as they stood
    answers(terminal, "Your move:", STOP)
    assert terminal.ends() == 130
    assert terminal.text.rstrip().endswith("Your move:\nnimtui: stopped")
    is_plain(terminal)
