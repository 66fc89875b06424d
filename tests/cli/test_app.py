"""The commands as a whole: help, version, completion, and how a process ends."""

from __future__ import annotations

import io
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nimtui import __version__
from nimtui.cli import completion
from nimtui.cli.app import app
from nimtui.cli.bar import STOPS
from nimtui.ui.app.modes import MODES
from tests import forks
from tests.cli.conftest import Nimtui, Signalled

COMMANDS = ("play", "solve", "moves", "match", "tournament", "train", "sweep", "table", "export", "bench")


def process(*words: str, home: Path, **more: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "NIMTUI_HOME": str(home), **more}
    return forks.Popen(
        [sys.executable, "-m", "nimtui", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={name: str(value) for name, value in environment.items()},
    )


def test_version(nimtui: Nimtui) -> None:
    assert nimtui("--version").out == f"nimtui {__version__}\n"


@pytest.mark.parametrize("screen", [mode.name for mode in MODES])
def test_a_screen_needs_a_terminal(nimtui: Nimtui, screen: str) -> None:
    answer = nimtui(screen)
    assert answer.status == 2 and answer.out == "" and answer.err.count("\n") == 1


def test_help_names_every_command(nimtui: Nimtui) -> None:
    answer = nimtui("--help")
    assert answer.status == 0
    assert [command.name for command in app.registered_commands if command.name] == []
    assert all(f"\n  {command} " in answer.out for command in (*COMMANDS, "games", *(mode.name for mode in MODES)))
    assert "Examples:" in answer.out


@pytest.mark.slow
@pytest.mark.parametrize("command", (*COMMANDS, "games list", "games show", "games export", "games import"))
def test_every_command_has_examples(nimtui: Nimtui, command: str) -> None:
    answer = nimtui(f"{command} --help")
    examples = answer.out.partition("Examples:")[2]
    assert answer.status == 0 and f"nimtui {command}" in examples


@pytest.mark.slow
def test_alone_it_needs_a_terminal_and_says_what_does_not(tmp_path: Path) -> None:
    done = process(home=tmp_path)
    out, err = done.communicate(timeout=30)
    assert (done.returncode, out) == (2, "")
    assert err.startswith("nimtui: the app needs a terminal") and err.count("\n") == 1
    assert all(command in err for command in COMMANDS[1:])


def test_names_are_completed() -> None:
    assert ("tower:16", "Tower of 16") in completion.games("tow")
    assert completion.games("zzz") == []
    assert ("perfect", "") in completion.agents("p") and ("mc", "") in completion.agents("")
    assert completion.seats("m")[0][0] == "me"


@pytest.mark.slow
def test_the_shell_is_given_completions(tmp_path: Path) -> None:
    asked = process(
        home=tmp_path,
        _NIMTUI_COMPLETE="complete_bash",
        COMP_WORDS="nimtui solve kay",
        COMP_CWORD="2",
    )
    out, _ = asked.communicate(timeout=30)
    assert "kayles:1,3,5,7" in out


@pytest.mark.slow
def test_nothing_is_said_to_a_reader_that_went_away(tmp_path: Path) -> None:
    running = process("solve", "tower:16", "--json", home=tmp_path)
    assert running.stdout is not None and running.stderr is not None
    running.stdout.close()
    assert running.stderr.read() == ""
    assert running.wait(timeout=30) == 1


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_a_closed_stream_is_no_fault(tmp_path: Path, closed: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m nimtui solve tower:16 {closed}"
    environment = {**os.environ, "NIMTUI_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("stop", STOPS)
def test_a_signal_saves_what_was_learned(
    nimtui: Nimtui, signalled: Signalled, tmp_path: Path, stop: signal.Signals
) -> None:
    file, advance = tmp_path / "run.npz", "nimtui.learning.training.Training.advance"
    words = f"train nim:7,5,3 -n 1000000000 --save {file} --json"
    answer = signalled(words, advance, stop, when="given[0].games >= 50")
    assert (answer.status, answer.err) == (128 + stop, "nimtui: stopped\n")
    assert answer.document["saved"] == str(file) and 50 <= answer.document["games"] < 10**6
    kept = nimtui(f"table {file} --json").document
    assert kept["games"] == answer.document["games"]


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["random", "mc:playouts=2"])  # whole in the engine, and move by move
def test_ctrl_c_ends_a_match_with_the_games_it_has(nimtui: Nimtui, signalled: Signalled, agent: str) -> None:
    words = f"match nim:7,5,3 --first {agent} --second random -n 9000000 --save --json"
    answer = signalled(words, "nimtui.cli.saving.Saving.keep", signal.SIGINT)
    assert answer.status == 130 and answer.err.endswith("--resume 1\nnimtui: stopped\n")
    assert 0 < answer.document["games"] < 9_000_000
    assert answer.document["first_wins"] + answer.document["second_wins"] == answer.document["games"]
    assert nimtui("games list --limit 1 --json").document["of_games"] == answer.document["games"]


def test_what_the_terminal_cannot_say_is_said_in_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.cli.app import run

    plain = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", plain)
    assert run(["solve", "tower:16"]) == 0
    plain.flush()
    said = plain.buffer.getvalue().decode("ascii")  # type: ignore[attr-defined]
    assert "Tower of 16 - the last match wins" in said and "?" not in said


def test_ascii_holds_for_every_command_that_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.cli.app import run

    wide = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", wide)
    assert run(["--ascii", "solve", "tower:16"]) == 0
    wide.flush()
    assert b"Tower of 16 - the last match wins" in wide.buffer.getvalue()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_own_games_are_found_and_faulty_ones_named(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "broken.py").write_text("this is no Python")
    running = process("solve", "tower:16", "--json", home=tmp_path)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 0 and '"outcome": "loss"' in out
    assert "broken.py" in err and err.count("\n") == 1


def test_ctrl_c_twice_is_told_like_once(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt  # the second one does not wait for the next report

    monkeypatch.setattr("nimtui.arena.play.match.play_match", interrupted)
    answer = nimtui("match nim:7,5,3 --first random --second random -n 10")
    assert (answer.status, answer.out, answer.err) == (130, "", "nimtui: stopped\n")
