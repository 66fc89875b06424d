"""The options before a command, --ascii, --slow and --plain: each holds for every command."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from nimtui import ui
from nimtui.cli import app, names, output, play
from nimtui.cli.app import run
from nimtui.errors import InputError
from nimtui.process import plugins
from nimtui.ui.app import terminal
from nimtui.ui.app.modes import MODES
from nimtui.ui.play.compare_setup import CURVE, TABLE
from tests.cli.conftest import Nimtui

SCREENS = [mode.name for mode in MODES]
WITH_OWN_FILES = """
solve nim:1,2 | sequence kayles:5 --to 5 | moves nim:3,5 --agent mc:playouts=20 | sample nim:3,4 | bench nope– | ratings
search nim:1,2,3 --depth 2 | compare nim:1,2,3 -a mc:playouts=20 -a perfect --curve | library | tour | sweep nim:–
compare nim:1,2 -a random -a perfect --positions | match tower:16 --first random --second perfect -n 20 | games list
tournament --resume 1 | tournament nim:3,5 -a random -a perfect -n 4 --no-save | tournaments show 1 | games show 1:1
tournaments export 1 --to x.txt | tournaments extend 1 --games 2 | games export | games import games.txt
train nim:3,5 -n 100 --headless | table run.npz | export run.npz | play nim:– --plain --first nob
"""
WITHOUT = """
book | quotient kayles --to 5 | config | keys play | words alpha | check missing–.py | new game Ä– | tournaments list
class – | grade missing–.py | serve | runs list
"""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[dict[str, Any]]:
    """Give what each start of the app was asked, on a terminal that can show it."""
    asked: list[dict[str, Any]] = []

    def note(setup: object = None, **more: Any) -> None:
        asked.append({"setup": setup, "encoding": sys.stdout.encoding, "mode": "", **more})

    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    monkeypatch.setattr(terminal, "check", lambda: None)
    monkeypatch.setattr(ui, "run", note)
    return asked


def wide(monkeypatch: pytest.MonkeyPatch) -> tuple[io.BytesIO, io.BytesIO]:
    """Replace stdout and stderr by streams whose encoding has every sign."""
    out, err = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="utf-8", write_through=True))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding="utf-8", write_through=True))
    return out, err


def test_every_command_prints_ascii_if_that_is_asked_before_it_and_loads_own_files_if_it_may_need_them(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in ("tournament nim:1,2 -a random -a perfect -n 2 -w 1", "train nim:1,2 -n 5 --save run.npz"):
        assert nimtui(words).status == 0
    assert nimtui("games export --to games.txt").status == 0
    (tmp_path / "home" / "games").mkdir()
    monkeypatch.setattr("nimtui.check.quarantine.add_own_files", lambda: ["x – cannot be used"])
    tried = set[str]()
    for texts, loads in ((WITH_OWN_FILES, True), (WITHOUT, False)):
        for words in texts.strip().replace("\n", " | ").split(" | "):
            names.own_files.cache_clear()
            out, err = wide(monkeypatch)
            run(f"--ascii {words}".split())
            said = out.getvalue() + err.getvalue()
            assert said and said.isascii(), words
            assert (b"nimtui: x - cannot be used\n" in err.getvalue()) == loads, words
            output.drawing_of_app()
            tried.add(words.split()[0])
    names.own_files.cache_clear()
    commands = {getattr(command.callback, "__name__", "") for command in app.app.registered_commands}
    assert {name.rstrip("_") for name in commands} <= tried


@pytest.mark.parametrize("words", [*SCREENS, "", "tour", "play nim:3,5", "train nim:3,5", "compare nim:3 -a mc"])
def test_a_screen_hears_an_option_before_and_after_its_name(
    opened: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    wide(monkeypatch)
    for option in ("ascii", "slow"):
        for parts in (f"--{option} {words}", f"{words} --{option}"):
            assert run(parts.split()) == 0
            asked = opened.pop()
            assert (asked["ascii"], asked["slow"]) == (option == "ascii", option == "slow")
            assert asked["encoding"] == "utf-8"  # the app draws ASCII itself
            assert words not in SCREENS or asked["mode"] == words or (words, asked["mode"]) == ("play", "")
    assert opened == []


def test_own_files_are_loaded_before_a_screen_opens(
    opened: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[int] = []
    monkeypatch.setattr(plugins, "any_packaged", lambda: loaded.append(len(opened)))
    for number, words in enumerate(("library", "compare nim:3 -a mc", "train nim:3", "play nim:3", "tour")):
        names.own_files.cache_clear()
        assert run(words.split()) == 0 and len(opened) == number + 1
        assert number in loaded


def test_what_is_asked_of_a_command_is_what_its_screen_starts_with(opened: list[dict[str, Any]]) -> None:
    for words in (
        "compare nim:3,5 -p 2,2 -a mc -a perfect --curve --seed 4",
        "compare nim:3,5",
        "play nim:3,5 -p 2,2 --first random --seed 4",
        "play --second me",
        "train nim:3,5 -l quality -n 500 --seed 3",
        "train nim:3,5",
    ):
        assert run(words.split()) == 0
    compared, beside, played, usual, trained, plain = (asked["setup"] for asked in opened)
    assert (compared.game, compared.position, compared.seed) == ("nim:3,5", "2,2", 4)
    assert (compared.agents, compared.view) == (("mc", "perfect"), CURVE)
    assert (beside.view, len(beside.agents)) == (TABLE, 2)
    assert (played.game, played.position, played.seats, played.seed) == ("nim:3,5", "2,2", ("random", "me"), 4)
    assert (usual.game, usual.position, usual.seats) == ("tower:16", None, ("me", "me"))
    assert (trained.game, trained.learner, trained.rival) == ("nim:3,5", "quality", "")
    assert (trained.seed, trained.goal) == (3, "500")
    assert (plain.learner, plain.seed, plain.goal) == ("reward", 0, "1,000,000")
    assert [asked["mode"] for asked in opened] == ["compare", "compare", "", "", "train", "train"]


def test_lines_stand_for_the_screen_where_that_is_asked_for_or_there_is_no_cursor(
    opened: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    talks: list[tuple[Any, int | None]] = []
    monkeypatch.setattr("nimtui.cli.plain.commands.talk", lambda setup, seed: talks.append((setup, seed)))
    for words in ("--plain", "play --plain --seed 7", "--plain play nim:3 --seed 7", "play nim:3 --plain"):
        assert run(words.split()) == 0
    assert [(setup and (setup.game, setup.seed), seed) for setup, seed in talks[:3]] == [
        *((None, None), (None, 7), (("nim:3", 7), 8))
    ]
    assert talks[3][0].game == "nim:3" and talks[3][1] is None
    assert run(["--plain", "train"]) == run(["--plain", "search"]) == 2 and run(["--plain", "solve", "nim:3"]) == 0
    monkeypatch.setattr(terminal, "talks", lambda: True)
    for cursor, played in ((True, 0), (False, 1)):
        talks.clear()
        monkeypatch.setattr(terminal, "has_cursor", lambda cursor=cursor: cursor)
        assert run(["play", "nim:3"]) == 0 and len(talks) == played


def test_a_reader_without_unicode_is_talked_to_in_ascii(
    opened: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nimtui.cli.plain.commands.talk", lambda setup, seed: print("–"))
    for reads, text in ((True, "–"), (False, "-")):
        out, _ = wide(monkeypatch)
        with mock.patch.object(terminal, "reads_unicode", lambda stream, reads=reads: reads):
            assert run(["play", "--plain"]) == 0
        assert out.getvalue().decode() == f"{text}\n"
        output.drawing_of_app()


def test_whether_a_command_may_open_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise InputError("no terminal")

    output.forget()
    monkeypatch.setattr(terminal, "check", lambda: None)
    assert play.at_a_terminal()
    output.draw_as(ascii=False, slow=False, plain=True)
    output.draw_as(ascii=False, slow=False)
    assert output.is_plain() and not play.at_a_terminal()
    output.forget()
    monkeypatch.setattr(terminal, "check", refused)
    assert not output.is_plain() and not play.at_a_terminal()
