"""`nimtui serve --jsonl` and `nimtui solve --stdin`: everything exact, a line for a line, whatever comes in."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any
from unittest import mock

import pytest

from nimtui.errors import InputError
from nimtui.games.base import DRAW, GOING_ON, LOST, WON
from nimtui.playing import serving
from nimtui.progress import Progress
from nimtui.theory import connect
from tests import forks
from tests.cli.conftest import Answer, Nimtui
from tests.games.literal import Bar, Drops, Grid, Heaps, Literal, Runs

GAMES: dict[str, Literal] = {
    "nim:3,4,5": Heaps(3, 4, 5),
    "nim:1,3,4:misere": Heaps(1, 3, 4, misere=True),
    "nim:9:max=3": Heaps(9, limit=3),
    "kayles:1,3,4": Runs(1, 3, 4, limit=2),
    "adjacent:2,3:misere": Runs(2, 3, misere=True),
    "noughts:3x3x3": Grid(3, 3, 3),
    "chomp:4x3": Bar(4, 3),
    "connect:4x3x3": Drops(4, 3, 3),
    "connect4": Drops(7, 6, 4),
}
LEAST_DISCS = {"connect4": 35}  # of a board too large for brute force from its start
WORDS = {1: "win", 0: "draw", -1: "loss"}
GARBAGE = (b"", b"moves please", b'{"id":', b"[1]", b'{"game":5}', b'{"game":"nim:3,4,5","position":7}',
           b'{"game":"nim:3,4,5","moves":["a9"]}', b'{"game":"nim:3,4,5","moves":"a1"}',
           b'{"game":"nim:3,4,5","positon":"1,1,1"}', b'{"game":"nim:3,4,5","id":NaN}', b'{"game":"connect:9x6x4"}',
           b"\xff\x00", b"[" * 5000, b"x" * (serving.LONGEST_REQUEST + 200_000))  # fmt: skip


@cache
def value(name: str, at: Any) -> tuple[int, int]:
    """Who wins for the player to move, and in how many plies, by trying every move."""
    game = GAMES[name]
    if (end := game.end(at)) != GOING_ON:
        return {WON: -1, LOST: 1, DRAW: 0}[end], 0
    values = [value(name, after) for after in game.moves(at).values()]
    best = max(-worth for worth, _ in values)
    plies = [plies for worth, plies in values if -worth == best]
    return best, 1 + (min(plies) if best > 0 else max(plies))


def random_request(chance: random.Random) -> tuple[dict[str, Any], str, Any]:
    """A request, its game and its position there."""
    name = chance.choice(list(GAMES))
    game, least = GAMES[name], LEAST_DISCS.get(name, 0)
    at, line = game.start, list[str]()
    for _ in range(least + chance.randrange(8)):
        if game.end(at) == GOING_ON:
            move, at = chance.choice(list(game.moves(at).items()))
            line.append(move)
    position = game.name(at) or "".join(line)
    return {"game": name, **({"position": position} if chance.random() < 0.5 else {"moves": line})}, name, at


def check(answer: dict[str, Any], name: str, at: Any) -> None:
    """Compare every key of an answer with brute force."""
    game = GAMES[name]
    worth, plies = value(name, at)
    moves = game.moves(at) if game.end(at) == GOING_ON else {}
    assert answer["outcome"] == WORDS[worth]
    assert answer["remoteness"] == (plies if worth or not moves else None)
    rows = {}
    for move, after in moves.items():
        theirs, further = value(name, after)
        rows[move] = (WORDS[-theirs], further + 1 if theirs else None, -theirs == worth)
    assert {row["move"]: (row["outcome"], row["remoteness"], row["optimal"]) for row in answer["moves"]} == rows
    assert set(answer["best_moves"]) == {move for move, (*_, optimal) in rows.items() if optimal}
    for move in answer["line"]:
        before = value(name, at)
        at = game.moves(at)[move]
        after = value(name, at)
        assert -after[0] == before[0] and (not worth or after[1] == before[1] - 1)
    assert game.end(at) != GOING_ON


def serve(tmp_path: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "nimtui", "serve", "--jsonl"]
    environment, pipe = {**os.environ, "NIMTUI_HOME": str(tmp_path)}, subprocess.PIPE
    return forks.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


def test_none_of_many_mixed_requests_is_wrong_and_garbage_gets_a_line(tmp_path: Path) -> None:
    chance = random.Random(38)
    requests = [random_request(chance) for _ in range(400)]
    lines = [json.dumps({"id": number, **request}).encode() for number, (request, *_) in enumerate(requests)]
    for garbage in GARBAGE:
        lines.insert(chance.randrange(len(lines)), garbage)
    process = serve(tmp_path)
    out, err = process.communicate(b"\n".join(lines), timeout=300)  # the last line has no end
    assert (process.returncode, err) == (0, b"")
    answers = [json.loads(line) for line in out.splitlines()]
    errors = [answer for answer in answers if "error" in answer]
    assert len(errors) == len(GARBAGE) and all(answer["id"] is None for answer in errors)
    assert not any("Traceback" in answer["error"] or "\n" in answer["error"] for answer in errors)
    by_id = {answer["id"]: answer for answer in answers if "error" not in answer}
    assert len(by_id) == len(requests)
    for number, (_, name, at) in enumerate(requests):
        check(by_id[number], name, at)


def test_any_id_comes_back_and_errors_say_what_would_be_right() -> None:
    answers: list[dict[str, Any]] = []
    served = serving.Oracle(lambda line: answers.append(json.loads(line)))
    for identity in ({"a": [1, None]}, "é", 0):
        served.ask(json.dumps({"id": identity, "game": "nim:1,2"}).encode())
    served.ask(b'{"id": 4, "game": "nmi:1"}')
    served.ask(b'{"id": 5, "game": "nim:1,2", "positon": "1,1"}')
    served.ask(b'{"id": 6}')
    served.finish()
    assert [answer["id"] for answer in answers] == [{"a": [1, None]}, "é", 0, 4, 5, 6]
    assert [answer.get("error", "")[:48] for answer in answers[3:]] == [
        "unknown game 'nmi' (did you mean nim?). Games: a",
        "unknown key 'positon' (did you mean position?). ",
        'a request needs a game, such as {"id": 1, "game"',
    ]
    assert answers[0]["best_moves"] == ["b1"] and answers[0]["why"].startswith("N-position")


def test_a_quick_answer_overtakes_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, free, everything = [], Event(), serving.everything

    def slow(place: Any, progress: Progress) -> dict[str, Any]:
        if place.game.name.startswith("connect"):
            free.wait()
        return everything(place, progress)

    monkeypatch.setattr(serving, "everything", slow)
    monkeypatch.setattr(connect, "_verdicts", {})  # what other tests solved would be known at once
    served = serving.Oracle(lambda line: answers.append(json.loads(line)["id"]), threads=1)
    for number, request in enumerate(('"connect4:4x4"', '"connect4:4x4", "moves": ["1"]', '"nim:3,4"')):
        served.ask(f'{{"id": {number}, "game": {request}}}'.encode())
    assert answers == [2]
    free.set()
    served.finish()
    assert sorted(answers[1:]) == [0, 1]


def test_a_limit_of_time_ends_one_request_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_verdicts", {})
    answers: list[dict[str, Any]] = []
    served = serving.Oracle(lambda line: answers.append(json.loads(line)), seconds=1e-9)
    served.ask(b'{"id": 1, "game": "connect4", "position": "4444443"}')
    served.ask(b'{"id": 2, "game": "nim:1"}')
    served.finish()
    by_id = {answer["id"]: answer for answer in answers}
    assert by_id[1]["error"] == "too large to be solved in a few seconds" and by_id[2]["outcome"] == "win"


def test_rules_that_raise_lose_their_request_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    answers, everything = list[dict[str, Any]](), serving.everything

    def raising(place: Any, progress: Progress) -> dict[str, Any]:
        if place.game.name == "nim:2":
            raise ZeroDivisionError("by hand")
        return everything(place, progress)

    monkeypatch.setattr(serving, "everything", raising)
    served = serving.Oracle(lambda line: answers.append(json.loads(line)))
    monkeypatch.setattr(serving, "_cost", lambda place: (place.game.name != "nim:3" and serving.AT_ONCE) or 1 // 0)
    for name in ("nim:2", "nim:3", "nim:1"):
        served.ask(f'{{"game": "{name}"}}'.encode())
    served.finish()
    assert "ZeroDivisionError: by hand" in answers[0]["error"] and "ZeroDivisionError" in answers[1]["error"]
    assert answers[2]["outcome"] == "win"


def test_it_answers_in_as_many_threads_as_there_are_cores_or_as_asked(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = mock.Mock(side_effect=InputError("made"))
    monkeypatch.setattr(serving, "Oracle", made)
    for cores, words, wanted in ((7, "", (0, 7)), (None, "", (0, 1)), (7, " --threads 3 --seconds 2", (2, 3))):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert nimtui(f"serve --jsonl{words}").err == "nimtui: made\n"
        assert made.call_args.args[1:] == wanted


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, None])
def test_a_signal_ends_it_with_one_line_and_a_reader_that_went_away_with_none(
    tmp_path: Path, stop: signal.Signals | None
) -> None:
    with serve(tmp_path) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b'{"id": 1, "game": "nim:1"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        if stop is None:
            process.stdout.close()
            process.stdin.write(b'{"id": 1, "game": "noughts:3x3x3"}\n')  # a thread answers
            process.stdin.flush()  # and stdin stays open
        else:
            process.send_signal(stop)
        assert process.wait(60) == (1 if stop is None else 128 + stop)
        assert process.stderr.read() == (b"" if stop is None else b"nimtui: stopped\n")


def test_positions_on_stdin_get_their_documents_or_make_a_table(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(words: str, positions: str) -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(positions.encode())))
        return nimtui(f"solve {words} --stdin")

    answer = solve("nim:3,4,5 --json", "1,4,5\n9,9,9\n1,1,1")
    first, second, third = map(json.loads, answer.out.splitlines())
    assert (first["outcome"], first["remoteness"], third["best_moves"]) == ("loss", 10, ["a1", "b1", "c1"])
    assert second == {"game": "nim:3,4,5", "position": "9,9,9", "error": "row A must be from 0 to 3, not 9"}
    assert (answer.status, answer.err) == (2, "nimtui: cannot solve 1 position: see the key error\n")
    assert solve("connect4:4x4", "\n1223\n121212").out.splitlines()[1:] == [
        "position    outcome   plies   score",
        "the start   draw          –       0",
        "1223        draw          –       0",
        "121212      win           1      +5",
    ]
    assert solve("nim:3", "2\n4") == Answer(2, "", "nimtui: position 2: row A must be from 0 to 3, not 4\n")
