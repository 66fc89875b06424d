"""The options before a command, --ascii and --slow: each holds for every command."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from nimtui.cli import look, output
from nimtui.cli.app import app, run
from nimtui.ui.app.modes import MODES

SCREENS = [mode.name for mode in MODES]
TEXTS = {
    "solve": "solve tower:16",
    "sequence": "sequence kayles:5 --to 5",
    "moves": "moves nim:3,5 --agent mc:playouts=20",
    "search": "search nim:1,2,3 --depth 2",
    "compare": "compare nim:1,2,3 -a mc:playouts=20 -a perfect --curve",
    "match": "match tower:16 --first random --second perfect -n 20",
    "tournament": "tournament nim:3,5 -a random -a perfect -n 4 --no-save",
    "train": "train nim:3,5 -n 100 --headless",
    "sweep": "sweep nim:1,2 -l quality --grid margin=50,90 -n 100 --repeats 2",
    "words": "words alpha",
    "table": "table missing–.npz",
    "export": "export missing–.npz",
    "check": "check missing–.py",
    "book": "book",
    "keys": "keys play",
    "config": "config",
    "new": "new game Ä–",
    "play": "play nim:–",
    "library": "library",
    "tour": "tour",
    "bench": "bench --–",
    "games": "games list",
}


class Opened(Exception):
    """Stands for the app: what it was asked to draw."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Give what each start of the app was asked, on a terminal that can show it."""
    from nimtui import ui
    from nimtui.ui.app import terminal

    asked: list[dict[str, Any]] = []

    def note(setup: object = None, **more: Any) -> None:
        asked.append({"setup": setup, "encoding": sys.stdout.encoding, "mode": "", **more})

    monkeypatch.setattr(terminal, "check", lambda: None)
    monkeypatch.setattr(ui, "run", note)
    return asked


def wide(monkeypatch: pytest.MonkeyPatch) -> tuple[io.BytesIO, io.BytesIO]:
    """Replace stdout and stderr by streams whose encoding has every sign."""
    out, err = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="utf-8"))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding="utf-8"))
    return out, err


def printed(monkeypatch: pytest.MonkeyPatch, words: str) -> bytes:
    out, err = wide(monkeypatch)
    run(words.split())
    sys.stdout.flush()
    sys.stderr.flush()
    return out.getvalue() + err.getvalue()


def test_every_command_is_tried_here() -> None:
    names = {getattr(command.callback, "__name__", "") for command in app.registered_commands}
    assert names | {"games"} <= set(TEXTS) | {"ratings"}


@pytest.mark.parametrize("words", TEXTS.values(), ids=TEXTS)
def test_ascii_before_a_command_holds_for_all_that_it_prints(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    said = printed(monkeypatch, f"--ascii {words}")
    assert said and said.isascii()
    output.all_characters()


@pytest.mark.parametrize("words", [*SCREENS, "", "play nim:3,5", "train nim:3,5"])
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("option", ["ascii", "slow"])
def test_a_screen_hears_an_option_before_and_after_its_name(
    opened: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: str,
    option: str,
    before: bool,
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    wide(monkeypatch)
    parts = [f"--{option}", words] if before else [words, f"--{option}"]
    assert run(" ".join(parts).split()) == 0
    (asked,) = opened
    assert (asked["ascii"], asked["slow"]) == (option == "ascii", option == "slow")
    assert asked["encoding"] == "utf-8"  # the app draws ASCII itself
    assert words not in SCREENS or asked["mode"] in (words, "")


@pytest.mark.parametrize("screen", [name for name in SCREENS if name != "play"])
def test_a_screens_name_alone_opens_it(
    opened: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, screen: str
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    assert run([screen]) == 0
    assert [asked["mode"] for asked in opened] == [screen]


def test_slow_draws_a_progress_bar_once_a_second() -> None:
    look.forget()
    assert look.redraws(4) == 4
    look.use(ascii=False, slow=True)
    assert look.redraws(4) == 1
    run(["--version"])  # the next command starts anew
    assert look.redraws(4) == 4


def test_ascii_takes_the_accents_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"\nMisere: only one row exceeds 1" in printed(monkeypatch, "--ascii solve nim:1,2:misere")
