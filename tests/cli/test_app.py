"""The program as a whole: how a command ends, where and how it prints, and the options that hold for every command."""

from __future__ import annotations

import errno
import io
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from nimtui import ui
from nimtui.cli import app, names, output, play
from nimtui.cli.app import run
from nimtui.cli.bar import STOPS
from nimtui.cli.saving import Saving
from nimtui.errors import InputError
from nimtui.learning.training import Training
from nimtui.process import plugins
from nimtui.progress import Cancelled
from nimtui.store import guard
from nimtui.store.errors import Refused
from nimtui.ui.app import terminal
from nimtui.ui.app.modes import MODES
from nimtui.ui.play.compare_setup import CURVE, TABLE
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


@pytest.fixture(params=STOPS)
def stop(request: pytest.FixtureRequest) -> Iterator[int]:
    """A signal that is not ignored here, as it may be in the background."""
    before = signal.signal(request.param, signal.SIG_DFL)
    yield request.param
    signal.signal(request.param, before)


def test_a_signal_saves_what_was_learned(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stop: int
) -> None:
    file = tmp_path / "run.npz"
    signalled(monkeypatch, Training, "advance", stop, when=lambda training: training.games >= 50)
    answer = nimtui(f"train nim:7,5,3 -n 1000000000 --save {file} --json")
    assert (answer.status, answer.err) == (128 + stop, "nimtui: stopped\n")
    assert answer.document["saved"] == str(file) and 50 <= answer.document["games"] < 10**6
    assert nimtui(f"table {file} --json").document["games"] == answer.document["games"]


@pytest.mark.parametrize(  # in the engine, or not
    ("second", "games"), [("random", 40_000), pytest.param("mc:playouts=20", 400, marks=pytest.mark.slow)]
)
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


# The options before a command, --ascii, --slow and --plain: each holds for every command.


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
