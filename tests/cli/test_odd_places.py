"""A pipe, a socket, a device, a folder or a link that leads nowhere, in the place of a file."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from nimtui.store import files, paths, settings
from nimtui.store.errors import Unwritable
from tests.cli.conftest import Nimtui


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


ODD: dict[str, tuple[Callable[[Path], object], str]] = {  # what stands there, and what is said of it
    "folder": (Path.mkdir, "it is a folder"),
    "pipe": (os.mkfifo, "it is a pipe, not a file"),
    "socket": (bound, "it is a socket"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a file"),
    "loop": (lambda path: path.symlink_to(path), "is a link that leads nowhere"),
    "dangling": (
        lambda path: path.symlink_to("/nowhere/at/all"),
        "it is a link to /nowhere/at/all, which is not there",
    ),
}
HOMES = {
    "file": (Path.touch, "is a file, not a folder"),
    "pipe": (os.mkfifo, "is a pipe, not a folder"),
    "socket": (bound, "is a socket, not a folder"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "is a device, not a folder"),
    "loop": ODD["loop"],
    "dangling": (ODD["dangling"][0], "is a link that leads nowhere"),
}


@pytest.fixture
def home(nimtui: Nimtui) -> Path:
    """The folder of the commands."""
    folder = paths.home()
    folder.mkdir()
    return folder


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize(
    "words", ["games list", "tournaments list", "match nim:1,2 --first random --second random --save"]
)
def test_in_the_place_of_the_database_it_is_named_in_one_line_with_status_1(
    nimtui: Nimtui, home: Path, kind: str, words: str
) -> None:
    make, said = ODD[kind]
    make(paths.database())
    before = paths.database().lstat().st_ino
    answer = nimtui(words)
    assert (answer.status, answer.out) == (1, "") and answer.err.count("\n") == 1
    assert answer.err.startswith(f"nimtui: {paths.database()} cannot be ") and said in answer.err
    assert paths.database().lstat().st_ino == before


@pytest.mark.parametrize("kind", [kind for kind in ODD if kind != "dangling"])
def test_in_the_place_of_settings_and_keys_the_defaults_hold(nimtui: Nimtui, home: Path, kind: str) -> None:
    make, said = ODD[kind]
    for path in (paths.settings(), paths.keys()):
        make(path)
    found, [line] = settings.load()
    assert found == settings.Settings() and said in line and line.endswith("; the defaults are used")
    none, [line] = settings.read_keys()
    assert none == [] and said in line and line.endswith("; the default keys hold")
    answer = nimtui("config")
    assert answer.status == 0 and said in answer.err and answer.err.count("\n") == 1


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket"])
def test_settings_are_not_written_there_and_nothing_waits(nimtui: Nimtui, home: Path, kind: str) -> None:
    ODD[kind][0](paths.settings())
    with pytest.raises(Unwritable, match=r"settings\.json cannot be written: "):
        settings.save(settings.Settings())


@pytest.mark.parametrize("kind", [kind for kind in ODD if kind != "dangling"])
@pytest.mark.parametrize("words", ["table {}", "export {} --to out.csv", "moves nim:1,2 --agent table:{}"])
def test_a_table_that_is_none_is_named_in_one_line(nimtui: Nimtui, tmp_path: Path, kind: str, words: str) -> None:
    make, said = ODD[kind]
    make(path := tmp_path / "t.npz")
    answer = nimtui(words.format(path))
    assert answer.status == 2 and answer.err.count("\n") == 1
    assert answer.err.startswith(f"nimtui: {path} cannot be read: ") and said in answer.err


@pytest.mark.parametrize("kind", ["pipe", "socket"])
@pytest.mark.parametrize(
    "words",
    [
        "train nim:1,2 --games 10 --force --save {}.npz",
        "compare nim:1,2 -a mc -a random --force --to {}.json",
        "compare nim:1,2 -a random -a perfect --positions --force --to {}.csv",
        "search nim:1,2 --force --to {}.json",
    ],
)
def test_output_into_what_nobody_reads_is_refused_at_once(
    nimtui: Nimtui, tmp_path: Path, kind: str, words: str
) -> None:
    for ending in (".npz", ".json", ".csv"):
        ODD[kind][0](tmp_path / f"t{ending}")
    answer = nimtui(words.format(tmp_path / "t"))
    assert answer.status == 1 and answer.err.count("\n") == 1
    assert "cannot be written: it is a socket, or a pipe that nobody reads" in answer.err


def test_a_pipe_with_a_reader_gets_all_of_the_file(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    text = b"moves\n" * 5000  # less than a pipe holds
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    files.replace(pipe, lambda file: file.write(text))
    assert os.read(reader, 100_000) == text
    os.close(reader)


@pytest.mark.parametrize("kind", HOMES)
def test_a_home_that_is_no_folder_is_named(nimtui: Nimtui, kind: str) -> None:
    make, said = HOMES[kind]
    make(paths.home())
    for words in ("games list", "match nim:1,2 --first random --second random --save"):
        answer = nimtui(words)
        assert f"{paths.home()} {said}" in answer.err.splitlines()[-1]
    assert answer.status == 1
