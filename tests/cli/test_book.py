"""`nimtui book`: what it shows, and making a book in pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Nimtui


def test_the_book_that_comes_with_nimtui(nimtui: Nimtui) -> None:
    keys = nimtui("book --json").document
    assert set(keys) == {"game", "plies", "bytes", "sha256", "unknown", "counts"}
    assert (keys["game"], keys["unknown"]) == ("connect:7x6x4", 0)
    assert [counts["positions"] for counts in keys["counts"][:4]] == [1, 7, 49, 238]
    third = keys["counts"][3]
    assert (third["won"], third["drawn"], third["lost"]) == (35, 58, 145)  # source: Böck
    text = nimtui("book").out
    assert "10,889   1,943" in text and keys["sha256"] in text


def test_a_book_is_made_shown_and_deepened(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "small.book"
    made = nimtui(f"book connect4:4x4 --plies 3 --file {file} --json").document
    assert (made["plies"], made["unknown"], len(made["counts"])) == (3, 0, 4)
    assert made["bytes"] == file.stat().st_size
    assert nimtui(f"book --file {file} --json").document == made
    deeper = nimtui(f"book --plies 5 --file {file} --memory 1M --threads 2 --json").document
    assert deeper["counts"][:4] == made["counts"] and deeper["plies"] == 5
    whole = tmp_path / "whole.book"
    nimtui(f"book connect4:4x4 --plies 5 --file {whole}")
    assert whole.read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("book --plies 3", "name its file with --file"),
        ("book connect4", "to make a book, name --plies and --file"),
        ("book tower:16 --plies 3 --file {0}/a.book", "a book is for connect games"),
        ("book connect4:3x3 --plies 3 --file {0}/a.book", "cannot win on a board of 3 × 3"),
        ("book connect4:4x4 --plies 40 --file {0}/a.book", "choose fewer plies"),
        ("book connect4:4x4 --plies -1 --file {0}/a.book", "--plies"),
        ("book --plies 3 --file {0}", "is a folder"),
        ("book --file {0}/none.book", "none.book"),
        ("book connect4:4x4 --plies 2 --file {0}/a.book --memory much", "64M"),
        ("book connect4:4x4 --plies 2 --file {0}/a.book --memory 60G", "more than this machine has"),
        ("book connect4:4x4 --plies 2 --file {0}/a.book --threads 0", "threads"),
        ("solve tower:16 --threads 2", "--memory and --threads are for connect games"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(nimtui: Nimtui, tmp_path: Path, words: str, said: str) -> None:
    answer = nimtui(words.format(tmp_path))
    assert answer.status == 2
    assert said in answer.err and answer.err.count("\n") == 1
    assert not list(tmp_path.glob("*.book"))


def test_another_game_and_a_second_beginning_are_refused(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "a.book"
    nimtui(f"book connect4:4x4 --plies 2 --file {file}")
    for words, said in (("connect4:5x4", "is a book of connect:4x4x4"), ("connect4:4x4 --scratch", "already exists")):
        answer = nimtui(f"book {words} --plies 3 --file {file}")
        assert answer.status == 2 and said in answer.err
