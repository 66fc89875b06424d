"""Whatever is asked wrongly: one line that says what, status 2, nothing on stdout, no traceback."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Nimtui

WRONG = [
    ("solve", "GAME"),
    ("solve nym:1,3", "did you mean nim"),
    ("solve neighbours:7", "did you mean adjacent"),
    ("solve tic-tac-toe", "did you mean noughts"),
    ("solve connect-four", "did you mean connect4"),
    ("solve nim", "size"),
    ("solve nim:", "nim:"),
    ("solve nim:0", "row"),
    ("solve nim:256", "255"),
    ("solve nim:1,3,x", "whole number"),
    ("solve nim:1,,3", "whole number"),
    ("solve nim:1,3:max=0", "max"),
    ("solve nim:1,3:missere", "missere"),
    ("solve nim:-1", "-1"),
    ("solve tower:15", "square"),
    ("solve subtraction:21", "21"),
    ("solve connect:9x9x4", "63"),
    ("solve connect4:4x4 -p 5", "5"),
    ("solve connect4:4x4 -p 11111", "column"),
    ("solve tower:16 -p 1,3,5", "4 rows"),
    ("solve tower:16 -p 2,3,5,7", "row A"),
    ("solve tower:16 -p -1,3,5,7", "row A"),
    ("solve adjacent:3 -p 21", "21"),
    ("solve tower:16 extra", "extra"),
    ("solve tower:16 --jsn", "--jsn"),
    ("solve tower:16 -p", "-p"),
    ("moves tower:16", "--agent"),
    ("moves tower:16 --agent nobody", "unknown agent 'nobody'"),
    ("moves tower:16 --agent mc:playouts=none", "playouts"),
    ("moves tower:16 --agent mc:playouts=0", "playouts"),
    ("moves tower:16 --agent mc:speed=9", "speed"),
    ("moves tower:16 --agent perfect:x=1", "x"),
    ("moves tower:16 --agent random --seed two", "seed"),
    ("moves tower:16 --agent random --seed -1", "seed"),
    ("moves connect4 --agent reward", "table"),
    ("moves connect4:8x6 --agent perfect", "too large"),
    ("moves tower:16 --agent table:nowhere.npz", "nowhere.npz"),
    ("match tower:16 --first random", "--second"),
    ("match tower:16 --first random --second random --games 0", "games"),
    ("match tower:16 --first random --second random --games many", "games"),
    ("match tower:16 --first me --second random", "'me'"),
    ("match tower:16 --first random --second random --openings book", "unknown kind of openings"),
    ("match connect4:8x6 --first random --second random --openings balanced:2", "too large"),
    ("match tower:16 --first random --second random --openings random:99", "from 1 to 60"),
    ("train", "name the game"),
    ("train tower:16 --learner rewards", "did you mean reward"),
    ("train tower:16 --learner reward:win=x", "win"),
    ("train tower:16 --games 1.5", "games"),
    ("train connect4", "table"),
    ("train tower:16 --games 10 --save no/such/folder/x.npz", "no/such/folder"),
    ("train --resume nowhere.npz", "nowhere.npz"),
    ("table nowhere.npz", "nowhere.npz"),
    ("table", "FILE"),
    ("play nym", "unknown game"),
    ("play tower:16 --first nobody", "unknown agent"),
    ("play tower:16 -p 9,9,9,9", "row A"),
    ("play tower:16 --seed x", "seed"),
    ("slove tower:16", "Did you mean 'solve'"),
    ("--nonsense", "--nonsense"),
    ("bench extra", "extra"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("words", "says"), WRONG, ids=[words for words, _ in WRONG])
def test_one_line_and_status_2(nimtui: Nimtui, words: str, says: str) -> None:
    answer = nimtui(words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("nimtui: ") and answer.err.count("\n") == 1
    assert says in answer.err


def test_an_empty_name_is_no_game(nimtui: Nimtui) -> None:
    answer = nimtui("solve", "")
    assert answer.status == 2 and answer.err.count("\n") == 1


def test_line_breaks_in_what_was_typed_stay_on_one_line(nimtui: Nimtui) -> None:
    answer = nimtui("solve", "ni\nm:1")
    assert answer.status == 2 and answer.err.count("\n") == 1
