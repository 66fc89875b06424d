"""Which terminals the app is opened in, and what it takes from them."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.report.lines import Ink
from nimtui.store.settings import Settings
from nimtui.ui.app import terminal
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.terminal.glyphs import ASCII, CONSOLE, SEXTANTS, UNICODE
from tests.ui.conftest import LOCALE, screen_text
from tests.ui.tournaments import finished, tournament


class Terminal(io.TextIOWrapper):
    def __init__(self, encoding: str = "utf-8", is_terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.fixture
def tty(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("__stdin__", "__stdout__", "__stderr__"):
        monkeypatch.setattr(sys, name, Terminal())
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("TEXTUAL_FPS", "TEXTUAL_ANIMATIONS", "TEXTUAL_COLOR_SYSTEM", "COLORTERM"):
        monkeypatch.setenv(name, "restored later")
        monkeypatch.delenv(name)
    return monkeypatch


def test_a_usual_terminal_is_good(tty: pytest.MonkeyPatch) -> None:
    terminal.check()
    assert terminal.prepare(Settings()) == TerminalInfo(colors=256)
    assert TerminalInfo() == TerminalInfo(True, True, False, False, False, 16_777_216)
    assert "TEXTUAL_FPS" not in os.environ


@pytest.mark.parametrize("stream", ["__stdin__", "__stdout__", "__stderr__"])
@pytest.mark.parametrize("instead", [None, Terminal(is_terminal=False)])
def test_without_a_terminal_it_says_which_commands_need_none(
    tty: pytest.MonkeyPatch, stream: str, instead: object
) -> None:
    assert terminal.talks()
    tty.setattr(sys, stream, instead)
    assert terminal.talks() == (stream == "__stderr__")
    for ssh, more in (
        (None, "; without one, use nimtui"),
        ("here there", r" \(over SSH: ssh -t HOST nimtui\); without one,"),
    ):
        if ssh is not None:
            tty.setenv("SSH_CONNECTION", ssh)
        with pytest.raises(InputError, match=f"^the app needs a terminal{more}"):
            terminal.check()


def test_a_terminal_places_its_cursor_and_textual_knows_the_colour_system(tty: pytest.MonkeyPatch) -> None:
    for term in ("dumb", "unknown", ""):
        tty.setenv("TERM", term)
        with pytest.raises(InputError, match=f"not TERM={term};"):
            terminal.check()
    tty.setenv("TERM", "xterm")
    tty.setenv("TEXTUAL_COLOR_SYSTEM", "many")
    with pytest.raises(InputError, match=r"TEXTUAL_COLOR_SYSTEM must be one of auto, .*, not 'many'"):
        terminal.check()
    tty.setenv("TEXTUAL_COLOR_SYSTEM", "256")
    terminal.check()
    for system, term in (("nt", ""), ("posix", ""), ("posix", "xterm")):
        tty.setattr(terminal, "os", SimpleNamespace(name=system, environ={"TERM": term}))
        assert terminal.has_cursor() == (system == "nt" or term == "xterm")
        assert system == "posix" or terminal.name() == terminal._color_system("x") == ""


@pytest.mark.parametrize(("ssh", "slow", "kept"), [(True, False, False), (False, True, False), (False, False, True)])
def test_a_slow_line_gets_fewer_frames_unless_the_person_set_their_number(
    tty: pytest.MonkeyPatch, ssh: bool, slow: bool, kept: bool
) -> None:
    if ssh:
        tty.setenv("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22")
    assert terminal.prepare(Settings(slow=kept), slow=slow).slow is slow
    assert (os.environ["TEXTUAL_FPS"], os.environ["TEXTUAL_ANIMATIONS"]) == ("15", "none")
    tty.setenv("TEXTUAL_FPS", "30")
    terminal.prepare(Settings(), slow=True)
    assert os.environ["TEXTUAL_FPS"] == "30"


@pytest.mark.parametrize(
    ("encoding", "term", "ascii", "wanted", "signs"),
    [
        ("utf-8", "xterm-256color", False, "auto", UNICODE), ("UTF8", "xterm", False, "auto", UNICODE),
        ("utf-8", "xterm", False, "ascii", ASCII), ("utf-8", "xterm", True, "unicode", ASCII),
        ("utf-8", "linux", False, "auto", CONSOLE), ("utf-8", "linux", False, "unicode", UNICODE),
        ("latin-1", "xterm", False, "auto", ASCII), ("latin-1", "xterm", False, "unicode", ASCII),
        ("ascii", "linux", False, "unicode", ASCII), ("utf-8", "xterm-kitty", False, "auto", SEXTANTS),
        ("utf-8", "foot-extra", False, "auto", SEXTANTS), ("utf-8", "foot-extra", False, "unicode", UNICODE),
        ("utf-8", "xterm-256color", False, "sextants", SEXTANTS), ("ascii", "xterm-kitty", False, "sextants", ASCII),
        ("utf-8", "xterm-kitty", False, "ascii", ASCII),
    ],
)  # fmt: skip
def test_signs(tty: pytest.MonkeyPatch, encoding: str, term: str, ascii: bool, wanted: str, signs: object) -> None:
    tty.setattr(sys, "__stderr__", Terminal(encoding))
    tty.setenv("TERM", term)
    assert terminal.prepare(Settings(), ascii=ascii).glyphs(wanted) is signs


@pytest.mark.parametrize(
    ("locale", "signs"),
    [
        ("", UNICODE),
        ("LANG=de_DE.UTF-8", UNICODE),
        ("LANG=en_US.utf8@euro", UNICODE),
        ("LANG=de_DE", UNICODE),  # says nothing of the encoding
        ("LC_CTYPE=UTF-8", UNICODE),  # macOS
        ("LC_ALL=C.UTF-8 LANG=C", UNICODE),
        ("LC_ALL= LANG=POSIX", ASCII),
        ("LC_ALL=C LANG=de_DE.UTF-8", ASCII),
        ("LC_CTYPE=POSIX LANG=de_DE.UTF-8", ASCII),
        ("LANG=de_DE.ISO-8859-15", ASCII),
        ("LANG=de_DE.no-such-encoding", ASCII),
    ],
)
def test_the_first_locale_that_is_set_decides(tty: pytest.MonkeyPatch, locale: str, signs: object) -> None:
    for name, _, value in (each.partition("=") for each in locale.split()):
        tty.setenv(name, value)
    surroundings = terminal.prepare(Settings())
    assert surroundings.glyphs("auto") is signs
    assert surroundings.glyphs("unicode") is UNICODE  # the person knows better
    assert [terminal.reads_unicode(one) for one in (Terminal(), Terminal("latin-1"), None)] == [
        *(signs is UNICODE, False, False)
    ]


@pytest.mark.parametrize(
    ("python", "name", "value", "unicode"),
    [
        (1, "LC_CTYPE", "C.UTF-8", False),  # Python's own: LANG decides
        (0, "LC_CTYPE", "C.UTF-8", True),
        (1, "LC_CTYPE", "de_DE.UTF-8", True),
        (1, "LC_ALL", "C.UTF-8", True),
    ],
)
def test_a_locale_that_python_has_put_in_does_not_decide(
    tty: pytest.MonkeyPatch, python: int, name: str, value: str, unicode: bool
) -> None:
    tty.setattr(terminal, "sys", SimpleNamespace(flags=SimpleNamespace(utf8_mode=python)))
    tty.setenv("LANG", "C")
    tty.setenv(name, value)
    assert terminal._locale_has_unicode() is unicode


@pytest.mark.slow
def test_the_locale_that_python_puts_in_for_c_is_none_of_the_persons() -> None:
    code = (
        "import os; from nimtui.ui.app import terminal; from nimtui.store.settings import Settings\n"
        "print(terminal.prepare(Settings()).all_signs)"
    )
    for locale, said in (({"LANG": "C"}, "False"), ({}, "True"), ({"LC_CTYPE": "C.UTF-8", "LANG": "C"}, "True")):
        kept = {name: value for name, value in os.environ.items() if name not in LOCALE}
        asked = subprocess.run([sys.executable, "-c", code], env=kept | locale, capture_output=True, check=True)
        assert asked.stdout.decode().strip() == said, locale


@pytest.mark.parametrize(
    ("term", "more", "colors"),
    [
        ("xterm-256color", {}, 256), ("xterm-256color", {"COLORTERM": "truecolor"}, 2**24),
        ("xterm-256color", {"TEXTUAL_COLOR_SYSTEM": "standard"}, 16), ("linux", {}, 16),
        ("linux", {"TEXTUAL_COLOR_SYSTEM": "256"}, 256),
        *((term, {}, 256) for term in ("alacritty", "foot-extra", "wezterm", "xterm-ghostty", "iterm2", "xterm-kitty")),
        ("xterm-direct", {}, 2**24), ("xterm", {}, 16), ("a-name-that-no-host-has", {}, 16),
    ],
)  # fmt: skip
def test_a_terminal_gets_the_colours_that_its_name_promises(
    tty: pytest.MonkeyPatch, term: str, more: dict[str, str], colors: int
) -> None:
    for name, value in {"TERM": term, **more}.items():
        tty.setenv(name, value)
    assert terminal.prepare(Settings()).colors == colors


@pytest.mark.parametrize(
    ("colors", "system"), [(255, ""), (256, "256"), (2**24 - 1, "256"), (2**24, "truecolor"), (None, "")]
)
def test_an_unknown_name_has_the_colours_of_its_description(
    tty: pytest.MonkeyPatch, colors: int | None, system: str
) -> None:
    curses = pytest.importorskip("curses")

    def described(name: str, number: int) -> None:
        if colors is None or (name, number) != ("other", 1):
            raise curses.error

    tty.setattr(curses, "setupterm", described)
    tty.setattr(curses, "tigetnum", lambda name: colors if name == "colors" else 0)
    assert terminal._color_system("other") == system
    assert terminal._color_system("other-256color") == "" and terminal._color_system("other-direct") == "truecolor"
    tty.setenv("COLORTERM", "yes")
    assert terminal._color_system("other") == terminal._color_system("other-direct") == ""


def test_no_color_is_seen_and_an_empty_one_asks_for_nothing(tty: pytest.MonkeyPatch) -> None:
    for value in ("1", ""):
        tty.setenv("NO_COLOR", value)
        assert terminal.prepare(Settings()).no_color == bool(value)
    assert "NO_COLOR" not in os.environ  # Textual looks only whether it is there


@pytest.mark.skipif(sys.platform == "win32", reason="has no device files")
def test_a_terminal_has_the_name_of_its_device(tty: pytest.MonkeyPatch) -> None:
    assert terminal.name() == ""  # it has no number
    ours, theirs = os.openpty()
    for number, name in ((theirs, os.ttyname(theirs)), (os.open(os.devnull, os.O_RDONLY), "")):
        tty.setattr(sys, "__stdin__", SimpleNamespace(fileno=lambda number=number: number))
        assert terminal.name() == name
    tty.setattr(sys, "__stdin__", None)
    assert terminal.name() == ""
    os.close(ours)
    os.close(theirs)


@pytest.mark.slow
def test_what_checks_the_terminal_does_not_load_textual() -> None:
    code = "import sys, nimtui.ui.app.terminal, nimtui.playing.setup; assert 'textual' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_shape_of_a_cell_comes_from_the_windows_size_in_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "__stderr__", SimpleNamespace(fileno=lambda: 2))
    for size, ratio in {
        (24, 80, 800, 480): 2.0,
        (24, 80, 800, 432): 1.8,
        (24, 80, 0, 0): None,
        (24, 80, 80, 480): None,
        (0, 0, 0, 0): None,
    }.items():
        monkeypatch.setattr("fcntl.ioctl", lambda *_, size=size: struct.pack("HHHH", *size))
        assert terminal.cell_ratio() == ratio
    monkeypatch.setattr(sys, "__stderr__", None)
    assert terminal.cell_ratio() is None and terminal.PLAUSIBLE[0] < terminal.SIDES < terminal.PLAUSIBLE[1]


@pytest.mark.slow
async def test_ascii_and_no_colour_are_enough_for_a_tournament(make_app: Any) -> None:
    async with tournament(make_app, surroundings=TerminalInfo(unicode=False, no_color=True)) as pilot:
        await finished(pilot)
        assert pilot.app.screen.get_component_rich_style(f"ink--{Ink.CURSOR}").reverse
        for key in ("v", "down", "enter", "f", "escape", "s", "f1"):
            assert screen_text(pilot.app).isascii(), key
            await pilot.press(key)
            await pilot.pause(0.05)
        assert screen_text(pilot.app).isascii()
