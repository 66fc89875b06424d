"""The program as a whole: how a command ends, where it prints and in which encoding, and what the shell is told."""

from __future__ import annotations

import errno
import io
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from nimtui.cli import app, output
from nimtui.cli.bar import STOPS
from nimtui.cli.saving import Saving
from nimtui.errors import InputError
from nimtui.learning.training import Training
from nimtui.progress import Cancelled
from nimtui.store import guard
from nimtui.store.errors import Refused
from nimtui.ui.app.modes import MODES
from tests.cli.conftest import Answer, Nimtui
from tests.cli.processes import begin, end

OWN = ("play", "tour", "solve", "moves", "search", "compare", "match", "tournament", "train", "sweep", "games", "bench")


def test_each_kind_of_failure_has_its_status_and_one_line(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = mock.Mock()
    monkeypatch.setattr("nimtui.cli.solve.read_position", broken)
    monkeypatch.setattr(output, "discard_output", lambda: None)
    for fault, status, line in (
        (Refused("x is full"), 1, "x is full"),
        (InputError("x is no game"), 2, "x is no game"),
        (BrokenPipeError(), 1, None),
        (Cancelled("solve"), 130, "stopped"),
        (KeyboardInterrupt(), 130, "stopped"),
        (MemoryError(), 1, "not enough memory"),
        (OSError(errno.ENOSPC, "No space left", "x.npz"), 1, "No space left: x.npz"),
        (OSError("odd"), 1, "odd"),
    ):
        broken.side_effect = fault
        assert nimtui("solve nim:1,2") == Answer(status, "", "" if line is None else f"nimtui: {line}\n")


def test_a_fault_of_the_program_is_two_lines_and_a_report_which_blames_unchecked_files(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = mock.Mock(side_effect=RuntimeError("nobody\nexpects this"))
    monkeypatch.setattr("nimtui.cli.solve.read_position", broken)
    answer = nimtui("--ascii solve nim:1,2")
    what, where = answer.err.splitlines()
    assert (answer.status, answer.out) == (guard.STATUS, "")
    assert what.endswith("failed in the command solve: RuntimeError: nobody expects this")
    [report] = (tmp_path / "home" / "reports").iterdir()
    assert where == f"nimtui: Report: {report}"
    assert "arguments  ['--ascii', 'solve', 'nim:1,2']" in report.read_text()
    monkeypatch.setattr(app.play, "open_app", broken)
    assert "failed at the start: RuntimeError" in nimtui("--ascii").err
    monkeypatch.setattr(app.plugins, "loaded_names", lambda: "games/x.py")
    for unchecked in (False, True):
        monkeypatch.setattr("nimtui.check.quarantine.unchecked", lambda unchecked=unchecked: unchecked)
        answer = nimtui("solve nim:1,2")
        why = "--unchecked used games/x.py without a check, which may be the cause. " * unchecked
        assert answer.status == guard.STATUS
        assert answer.err.splitlines()[1].startswith(f"nimtui: {why}Report: ")
    broken.side_effect = SystemExit(3)
    with pytest.raises(SystemExit):
        nimtui("solve nim:1,2")  # the shell's completion ends so
    with monkeypatch.context() as patch:
        patch.setattr(app.names, "raised", lambda fault: True)  # own code asks for it
        assert nimtui("solve nim:1,2").status == guard.STATUS
    broken.side_effect = RuntimeError("oops")
    monkeypatch.setattr(app.names, "compiled_fault", lambda fault: f"x.py raises {fault}")
    assert nimtui("solve nim:1,2") == Answer(2, "", "nimtui: x.py raises oops\n")


def test_a_warning_of_a_library_is_one_line(nimtui: Nimtui, capsys: pytest.CaptureFixture[str]) -> None:
    nimtui("--version")
    app.warnings.showwarning("old\nfashioned", UserWarning, "x.py", 1)
    assert capsys.readouterr().err == "nimtui: warning: old‹0A›fashioned\n"


def test_a_closed_stream_is_replaced_and_what_a_stream_cannot_say_is_said_in_ascii(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    for closed, other, words, status in (
        ("stdout", "stderr", "solve nim", 2),
        ("stderr", "stdout", "solve nim:1,2", 0),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(sys, closed, None)
            patch.setattr(sys, other, out)
            assert app.run(words.split()) == status
    said = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
    assert said.startswith("nimtui: the game's name needs a size") and "best moves  b1" in said
    plain = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", plain)
    assert app.run(["solve", "nim:1,2:misere"]) == 0
    plain.write("Ä 中 →\n")
    said = plain.buffer.getvalue().decode("ascii")  # type: ignore[attr-defined]
    assert said.startswith("Nim 1,2 - the last match loses") and said.endswith("\nA ? ->\n")
    with pytest.raises(UnicodeDecodeError):
        app._plain(UnicodeDecodeError("ascii", b"\xff", 0, 1, ""))


@pytest.mark.parametrize("words", [["--slow"], *([mode.name] for mode in MODES), ["search", "--ascii"]])
def test_a_screen_needs_a_terminal(nimtui: Nimtui, words: list[str]) -> None:
    answer = nimtui(*words, *["--slow"] * (len(words) == 1))
    assert answer.status == 2 and answer.out == "" and answer.err.count("\n") == 1
    names_a_game = words[0] in OWN and words[0] not in ("play", "tour")
    assert ("name the game (see" in answer.err) == names_a_game
    assert "needs a terminal" in answer.err


@pytest.mark.slow
def test_the_shell_is_given_completions(tmp_path: Path) -> None:
    asked = {"_NIMTUI_COMPLETE": "complete_bash", "COMP_WORDS": "nimtui solve kay", "COMP_CWORD": "2"}
    assert "kayles:1,3,5,7" in end(begin(tmp_path, program="from nimtui.cli import main; main()", **asked)).out


@pytest.mark.slow
def test_nothing_is_said_to_a_reader_that_went_away(tmp_path: Path) -> None:
    running = begin(tmp_path, "solve tower:16 --json")
    assert running.stdout is not None and running.stderr is not None
    running.stdout.close()
    assert running.stderr.read() == ""
    assert running.wait(timeout=30) == 1


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_a_stream_that_the_shell_closed_is_no_fault(tmp_path: Path, closed: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m nimtui solve tower:16 {closed}"
    environment = {**os.environ, "NIMTUI_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# Signals, each sent once to this process when a method has done its work.


def signalled(
    patch: pytest.MonkeyPatch, owner: type, method: str, stop: int, when: Callable[[Any], bool] = lambda _: True
) -> None:
    done, sent = getattr(owner, method), list[int]()

    def interrupted(self: Any, *given: Any) -> Any:
        result = done(self, *given)
        if when(self) and not sent:
            sent.append(stop)
            signal.raise_signal(stop)
        return result

    patch.setattr(owner, method, interrupted)


@pytest.mark.parametrize("stop", STOPS)
def test_a_signal_saves_what_was_learned(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stop: int
) -> None:
    file = tmp_path / "run.npz"
    signalled(monkeypatch, Training, "advance", stop, when=lambda training: training.games >= 50)
    answer = nimtui(f"train nim:7,5,3 -n 1000000000 --save {file} --json")
    assert (answer.status, answer.err) == (128 + stop, "nimtui: stopped\n")
    assert answer.document["saved"] == str(file) and 50 <= answer.document["games"] < 10**6
    assert nimtui(f"table {file} --json").document["games"] == answer.document["games"]


@pytest.mark.parametrize(("second", "games"), [("random", 40_000), ("mc:playouts=20", 400)])  # in the engine, or not
def test_a_match_that_ctrl_c_stopped_is_resumed_to_the_same_result(nimtui: Nimtui, second: str, games: int) -> None:
    words = f"match nim:7,5,3 --first random --second {second} -n {games} --alternate --seed 3 --json"
    whole = nimtui(words).document
    with pytest.MonkeyPatch.context() as patch:
        signalled(patch, Saving, "keep", signal.SIGINT)
        stopped = nimtui(f"{words} --save")
    assert stopped.status == 130 and 0 < stopped.document["games"] < whole["games"]
    assert stopped.err.endswith("Resume: nimtui tournament --resume 1\nnimtui: stopped\n")
    resumed = nimtui("tournament --resume 1 --json").document
    assert (resumed["games"], resumed["id"]) == (whole["games"], 1)
    [pairing] = resumed["pairings"]
    assert (pairing["wins"], pairing["losses"]) == (whole["agents"][0]["wins"], whole["agents"][0]["losses"])
