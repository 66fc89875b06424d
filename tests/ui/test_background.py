"""The terminal is asked for its background once. What is typed meanwhile is kept, and no answer becomes a key."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

import select
import termios

from nimtui.store import paths
from nimtui.store import settings as store
from nimtui.store.settings import Settings
from nimtui.ui.app import background
from nimtui.ui.app.background import Background, understood
from nimtui.ui.app.terminal import TerminalInfo

WHITE, BLACK = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", b"\x1b]11;rgb:0000/0000/0000\x07"
ATTRIBUTES = b"\x1b[?62;22c"
ANSWERS = [WHITE, BLACK, b"\x1b]11;rgba:1e1e/1e1e/1e1e/ffff\x1b\\", ATTRIBUTES]
PATIENT = 20.0  # seconds; no test waits so long


class Pty:
    """A terminal in two halves: ours, and the one that the app has."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ours, self.theirs = os.openpty()
        for name in ("__stdin__", "__stderr__"):
            monkeypatch.setattr(sys, name, self)

    def fileno(self) -> int:
        return self.theirs

    def answers(self, *parts: bytes) -> threading.Thread:
        """Send these as soon as it is asked."""

        def answer() -> None:
            asked = b""
            while not asked.endswith(b"\x1b[c"):
                asked += os.read(self.ours, 100)
            for part in parts:
                os.write(self.ours, part)

        thread = threading.Thread(target=answer)
        thread.start()
        return thread


@pytest.fixture
def pty(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pty]:
    made = Pty(monkeypatch)
    yield made
    os.close(made.ours)
    os.close(made.theirs)


COLORS = {b"rgb:ffff/ffff/ffff": True, b"rgb:fd/f6/e3": True, b"rgb:f/f/f": True, b"rgb:0000/2b2b/3636": False,
          b"rgba:1e1e/1e1e/1e1e/ffff": False, b"white": None, b"rgb:12/zz/34": None}  # fmt: skip
BY_LUMA = {b"80/80/80": True, b"7f/7f/7f": False, b"ff/0/0": False, b"0/ff/0": True, b"0/0/ff": False,
           b"ff/0/ff": False, b"ff/80/0": True, b"ff/58/0": True, b"ff/57/0": False, b"800/7fff/7f": False}  # fmt: skip
COLORS |= {b"rgb:" + color: light for color, light in BY_LUMA.items()}


@pytest.mark.parametrize("end", [b"\x07", b"\x1b\\"])
def test_a_colour_is_light_or_dark_or_unknown(end: bytes) -> None:
    found = {color: understood(b"\x1b]11;" + color + end + ATTRIBUTES) for color in COLORS}
    assert found == {color: Background(light) for color, light in COLORS.items()}


HALVES = [b"", *(answer[:end] for answer in ANSWERS for end in range(3, len(answer)))]
PARTS = some.lists(some.sampled_from([*ANSWERS, b"q", b"\r", b"\x1b[A", b"\x1bOP", "é".encode(), b"\x03"]))


@given(PARTS, some.sampled_from(HALVES))
def test_all_but_the_answers_was_typed_and_half_an_answer_is_no_key(parts: list[bytes], half: bytes) -> None:
    typed = b"".join(part for part in parts if part not in ANSWERS)
    assert understood(b"".join(parts) + half).typed == typed


@pytest.mark.parametrize(("color", "light"), [(WHITE, True), (BLACK, False), (b"", None)])
def test_the_terminal_is_asked_and_left_as_it_was(pty: Pty, color: bytes, light: bool | None) -> None:
    before = termios.tcgetattr(pty.theirs)
    thread = pty.answers(b"n", color, b"\x1b[B", ATTRIBUTES)
    assert background.ask(PATIENT) == Background(light, b"n\x1b[B")
    thread.join()
    assert termios.tcgetattr(pty.theirs) == before
    assert not select.select([pty.ours], [], [], 0)[0]  # no answer was echoed


def test_an_answer_in_two_parts_is_waited_for_and_one_that_never_comes_is_given_up(pty: Pty) -> None:
    thread = pty.answers(WHITE[:12], WHITE[12:], ATTRIBUTES)
    assert background.ask(PATIENT) == Background(True)
    thread.join()
    assert background.ask(0.01) == Background(None)


def test_where_keys_are_waiting_or_without_a_terminal_nothing_is_asked(pty: Pty) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "__stdin__", None)
        assert not background.ask(PATIENT).asked
    os.write(pty.ours, b"q")
    assert not background.ask(PATIENT).asked
    assert not select.select([pty.ours], [], [], 0)[0] or os.read(pty.ours, 9) == b"q"  # its echo
    os.write(pty.ours, b"\n")
    assert os.read(pty.theirs, 1) + os.read(pty.theirs, 1) == b"q\n"


@pytest.mark.parametrize(("light", "theme"), [(True, "nimtui-light"), (False, "nimtui-dark"), (None, "nimtui-dark")])
def test_the_first_theme_fits_and_is_saved(monkeypatch: pytest.MonkeyPatch, light: bool | None, theme: str) -> None:
    asked: list[int] = []
    monkeypatch.setattr(background, "ask", lambda: asked.append(1) or Background(light, b"n"))
    settings, typed = background.at_first_start(Settings(), TerminalInfo())
    assert (settings.theme, typed) == (theme, b"n")
    assert store.load() == (settings, [])
    assert background.at_first_start(settings, TerminalInfo()) == (settings, b"")
    assert len(asked) == 1


@pytest.mark.parametrize("surroundings", [TerminalInfo(colors=16), TerminalInfo(no_color=True)])
def test_a_terminal_without_the_colours_is_not_asked(pty: Pty, surroundings: TerminalInfo) -> None:
    assert background.at_first_start(Settings(), surroundings) == (Settings(), b"")
    assert not select.select([pty.ours], [], [], 0)[0]
    assert not paths.settings().exists()


@pytest.mark.parametrize(("text", "named"), [('{"pace": 1}', False), ('{"theme": "nord"}', True), ("{ no", True)])
def test_a_file_without_a_theme_is_one_that_can_be_asked_for(home: Any, text: str, named: bool) -> None:
    assert not store.has("theme")
    (home / "settings.json").write_text(text)  # a damaged one is left alone
    assert store.has("theme") == named


PROGRAM = f"""
from nimtui.__main__ import main
from nimtui.ui.app import background
background.ask.__defaults__ = ({PATIENT},)
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("answer", [WHITE + ATTRIBUTES, b""])
def test_keys_typed_while_it_is_asked_reach_the_app_in_their_order(tmp_path: Any, answer: bytes) -> None:
    from tests.e2e.terminal import Terminal

    words = ["-c", PROGRAM] if answer else ["-m", "nimtui"]  # the answer is heard however late it comes
    with Terminal([sys.executable, *words], tmp_path) as terminal:
        assert terminal.becomes(lambda: background.QUESTION in terminal.raw)
        os.write(terminal._fd, b"s" + answer + b"\x1b[B")
        assert terminal.sees("▸ Signs")
        assert f'"theme": "{"nimtui-light" if answer else "nimtui-dark"}"' in (tmp_path / "settings.json").read_text()
