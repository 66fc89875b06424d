"""A program by its command: its absolute paths, the file that a person wrote, what it may read, and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimtui.errors import InputError, shortened
from nimtui.sandbox.closing import Bounds
from nimtui.sandbox.command import CLASS, Command, FaultKind, ProgramFault, class_of, file_of, parse_command, within


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, an interpreter, a text and a folder; another folder is the current one."""
    (tmp_path / "own" / "bin").mkdir(parents=True)
    (tmp_path / "my" / "sub").mkdir(parents=True)
    for name in ("my/bot", "own/bin/python3", "own/bot"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "my" / "bot.py").write_text("print()")
    monkeypatch.setenv("HOME", str(tmp_path / "own"))
    monkeypatch.setenv("PATH", str(tmp_path / "own" / "bin"))
    monkeypatch.chdir(tmp_path / "own")
    return tmp_path


def test_a_command_has_the_absolute_paths_of_its_files(here: Path) -> None:
    my, python = f"{here}/my", f"{here}/own/bin/python3"
    for text, words, file, folder in (
        ("./bot 7 'a b'", [f"{my}/bot", "7", "a b"], f"{my}/bot", my),
        (f"{my}/bot bot.py", [f"{my}/bot", f"{my}/bot.py"], f"{my}/bot", my),
        ("python3 -u bot.py ./bot", [python, "-u", f"{my}/bot.py", f"{my}/bot"], f"{my}/bot.py", my),
        ("python3 -c :", [python, "-c", ":"], python, f"{here}/own/bin"),
        ("python3 ./sub sub", [python, f"{my}/sub", "sub"], f"{my}/sub", f"{my}/sub"),
        ("~/bot . ..", [f"{here}/own/bot", my, str(here)], f"{here}/own/bot", f"{here}/own"),
        (f"python3 --at=./bot {'x' * 5000}", [python, "--at=./bot", "x" * 5000], python, f"{here}/own/bin"),
        ("python3 ./missing", [python, "./missing"], python, f"{here}/own/bin"),
    ):
        found = parse_command(text, my)
        assert found == Command(tuple(words), file) and found.folder == folder
        assert parse_command(found.text) == found and file_of(f"--restart --start=3 {found.text}") == file
    assert parse_command("./bot").words == (f"{here}/own/bot",), "the current folder"
    assert within(my, "--no-moves --start=3 ./bot --deep 7") == f"--no-moves --start=3 {my}/bot --deep 7"
    assert (file_of("'half"), file_of("--only"), file_of("")) == ("'half", "--only", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a program is missing: expected a command, for example cmd:./bot or cmd:python3 bot.py"),
        ("'half", "invalid command ''half': no closing quotation"),
        ("nowhere", "no program 'nowhere' (a program in this folder is ./nowhere)"),
        ("./nowhere", "no program '{}'"),
        ("./sub", "'{}' is a folder, not a program"),
        ("./bot.py", "no permission to run '{}': chmod +x makes a file a program"),
    ],
)
def test_what_is_no_program_is_refused_with_what_would_be_right(text: str, said: str, here: Path) -> None:
    with pytest.raises(InputError) as wrong:
        parse_command(text, f"{here}/my")
    assert str(wrong.value) == said.format(shortened(f"{here}/my/{text}"))
    with pytest.raises(InputError):
        within(f"{here}/my", text)


def test_a_program_reads_its_files_its_folder_and_its_interpreter_but_no_home_and_no_other_hand_in(here: Path) -> None:
    my, python = f"{here}/my", f"{here}/own/bin/python3"
    (here / "lib" / "bin").mkdir(parents=True)
    Path(python).rename(here / "lib" / "bin" / "python3")
    Path(python).symlink_to(here / "lib" / "bin" / "python3")
    assert parse_command("./bot 7", my).bounds == Bounds((f"{my}/bot", my))
    assert parse_command("python3 bot.py", my).bounds == Bounds((python, f"{my}/bot.py", my, f"{here}/lib"))
    assert parse_command("./bot", f"{here}/own").bounds == Bounds((f"{here}/own/bot",))
    (here / "my" / CLASS).touch()
    assert [class_of(folder) for folder in (my, f"{my}/sub", str(here))] == [my, my, ""]
    assert parse_command("./bot", my).bounds == Bounds((f"{my}/bot",), hides=my)
    assert parse_command("python3 ./sub", my).bounds == Bounds(
        (python, f"{my}/sub", f"{my}/sub", f"{here}/lib"), hides=my
    )


def test_a_fault_is_told_with_the_last_line_of_its_errors() -> None:
    assert ProgramFault(FaultKind.STALL, "gave no answer").whole == "gave no answer"
    fault = ProgramFault(FaultKind.DISCONNECT, "ended", ("first", "last"), "c9")
    assert (fault.whole, fault.kind, fault.errors) == ("ended: last", "disconnect", ("first", "last"))
    assert fault.answer == "c9"
