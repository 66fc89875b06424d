"""`nimtui tour` on a real terminal, walked by the key that each step names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.e2e.terminal import Terminal

APP = (sys.executable, "-m", "nimtui")
WALK = (  # what the step shows, and its key
    ("positions right", "\x07"),
    ("find a position still wrong", "x"),
    ("play it: the table moves first", "P"),
    ("ow you can win", "w"),
    ("hatever", "h"),
    ("then the table is lost", "\r"),
    ("end the tour and play on", "\x07"),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "lines", "options", "environment"),
    [
        (80, 24, (), {}),
        (60, 20, ("--slow",), {"NO_COLOR": "1"}),
        (200, 60, (), {}),
        (80, 24, ("--ascii",), {"TERM": "linux"}),
    ],
)
def test_the_tour_from_its_first_step_to_its_last(
    tmp_path: Path, columns: int, lines: int, options: tuple[str, ...], environment: dict[str, str]
) -> None:
    command = [*APP, "tour", *options]
    with Terminal(command, tmp_path, columns=columns, lines=lines, **environment) as terminal:
        for number, (shown, key) in enumerate(WALK, 1):
            assert terminal.sees(f"{number}/{len(WALK)}  "), number
            assert terminal.sees(shown), shown
            terminal.press(key)
        assert terminal.becomes(lambda: "7/7" not in terminal.text)
        assert terminal.sees("Why")


@pytest.mark.slow
def test_all_its_keys_in_one_write_leave_a_tour_that_goes_on(tmp_path: Path) -> None:
    with Terminal([*APP, "tour"], tmp_path) as terminal:
        assert terminal.sees("1/7  ")
        terminal.press("".join(key for _, key in WALK))
        assert terminal.sees("2/7  ") or terminal.sees("3/7  ")
        terminal.press("xP")
        assert terminal.sees("4/7  ")


def test_without_a_full_screen_one_line_says_so(tmp_path: Path) -> None:
    with Terminal([*APP, "tour"], tmp_path, TERM="dumb") as terminal:
        assert terminal.sees("the app needs a terminal")
