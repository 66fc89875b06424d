"""One exact value of a position and one result of a game, whoever is asked: commands, screens, and the oracle."""

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
from random import Random
from threading import Event
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

import pytest

from nimtui import theory
from nimtui.cli import search
from nimtui.cli.bar import Bar
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game, registry
from nimtui.games.base import DRAW, GOING_ON, LOST, WON
from nimtui.playing import advice, serving
from nimtui.progress import Cancelled, Progress
from nimtui.theory import answers as answers_of_theory
from nimtui.theory import connect, exact
from nimtui.theory.answers import SOON, known_moves, move_values
from nimtui.theory.exact import Recent
from nimtui.theory.explanation import Explanation
from nimtui.ui.search import view
from nimtui.ui.search.work import SearchWork
from tests import forks
from tests.cli.conftest import Answer, Nimtui
from tests.examples import few, with_slow
from tests.games import crosses, wythoff
from tests.games.literal import Bar as Chomp
from tests.games.literal import Drops, Grid, Heaps, Literal, Runs

LARGE = ("nim:60,61,62,63", "kayles:20,21,22", "noughts:3x3x3", "wythoff:4,6", "crosses")
GAMES = with_slow(("nim:2,3,4:misere", "connect4:4x4", "adjacent:2,3,4", *LARGE), *LARGE)
LONG = "mcts --simulations 5000000"
OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw"}
WORDS = {"win": "win", "draw": "draw", "loss": "every move loses"}


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer depends on how fast this machine is. Two games are from elsewhere: of one positions have no numbers."""
    for module in (wythoff, crosses):
        registry.add(module)
    monkeypatch.setattr(answers_of_theory, "monotonic", lambda: 0.0)


def positions(game: Game) -> list[str | None]:
    """The start and, where they have names, two positions of a random game."""
    names: list[str | None] = [None]
    if hasattr(game.module, "parse_position"):
        state, random = game.new(), Random(3)
        while base.outcome(state) == base.GOING_ON:
            names.append(game.position_name(state))
            base.play(state, random.choice(base.legal_moves(state)))
    return [names[0], *names[len(names) // 3 :: max(1, len(names) // 3)][:2]]


@pytest.mark.parametrize("name", GAMES)
def test_all_commands_and_screens_know_the_same(nimtui: Nimtui, name: str) -> None:
    game = parse_game(name)
    for position in positions(game):
        place = () if position is None else ("-p", position)
        solved = nimtui("solve", name, *place, "--json").document
        state = game.new(position)
        assert solved["position"] == (position or solved["canonical"])
        rows = nimtui("moves", name, *place, "--agent", "random", "--json").document["moves"]
        searched = nimtui("search", name, *place, "--depth", "1", "--json").document
        outcomes = {row["move"]: row["outcome"] for row in rows}
        assert searched["truth"] == outcomes
        best = [row["move"] for row in rows if row["optimal"]]
        assert best == solved["best_moves"] == [row["move"] for row in searched["moves"] if row["optimal"]]
        assert {outcomes[move] for move in best} == {solved["outcome"]}
        plies = [row["remoteness"] for row in rows if row["optimal"]]
        if solved["remoteness"] is not None:
            assert solved["remoteness"] == (min if solved["outcome"] == "win" else max)(plies)
        # The position after a move, asked about by itself.
        for row in few(rows[::3], rows) if position is not None else ():
            after = game.new(position)
            base.play(after, game.parse_move(row["move"], after))
            answer = nimtui("solve", name, "-p", game.position_name(after), "--json").document
            assert answer["outcome"] == OPPOSITE[row["outcome"]]
            assert row["remoteness"] in (None if answer["remoteness"] is None else answer["remoteness"] + 1, None)
        why = advice.explained(game, state)
        assert isinstance(why, Explanation) and why.outcome.value == solved["outcome"]
        assert advice.hint(game, state).move in theory.solve(game, state).best_moves
        truths = move_values(game, state, seconds=SOON)
        conductor = SimpleNamespace(truths=truths, truth_fault="", game=game, root=state, found=None, standing=None)
        [(words, _)] = view.exact_values(cast(SearchWork, conductor))
        assert WORDS[solved["outcome"]] in words


@pytest.mark.parametrize("name", ["nim:2,3,4", "connect:4x4x4"])
def test_a_saved_game_is_judged_the_same(nimtui: Nimtui, name: str) -> None:
    nimtui("match", name, "--first", "random", "--second", "random", "--save")
    game = parse_game(name)
    state = game.new()
    for row in nimtui("games", "show", "1:1", "--json").document["moves"]:
        move = game.parse_move(row["move"], state)
        truths = known_moves(game, state)
        assert truths is not None
        before = theory.solve(game, state)
        assert (row["before"], row["after"]) == (before.outcome.value, truths[move].outcome.value)
        assert row["remoteness_before"] == theory.remoteness(game, state)
        assert row["mistake"] is not truths[move].optimal
        base.play(state, move)
        assert row["remoteness"] == theory.remoteness(game, state)
    assert row["remoteness"] in (0, None)


def test_what_is_too_large_is_unknown_to_all(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_POSITIONS", 1000)
    monkeypatch.setattr(exact, "_recent_in_python", Recent())
    for name in ("connect4:9x6", "crosses"):
        assert nimtui("solve", name, "--json").status == 2
        rows: list[dict[str, Any]] = nimtui("moves", name, "--agent", "random", "--json").document["moves"]
        assert all((row["optimal"], row["outcome"], row["remoteness"]) == (None,) * 3 for row in rows)
        searched = nimtui("search", name, "--depth", "1", "--json").document
        assert searched["truth"] is None and all(row["optimal"] is None for row in searched["moves"])
        assert "unknown" in nimtui("search", name, "--depth", "1").out


def test_a_position_stays_as_it_was_given(nimtui: Nimtui) -> None:
    for words in ("solve connect4:4x4", "moves connect4:4x4 --agent random", "search connect4:4x4 --depth 2"):
        keys = nimtui(f"{words} -p 1423 --json").document
        assert (keys["position"], keys["canonical"]) == ("1423", "2413")


def test_a_search_says_in_how_many_plies_it_wins(nimtui: Nimtui) -> None:
    keys = nimtui("search nim:1,2,3,5 --depth -1 --json").document
    solved = nimtui("solve nim:1,2,3,5 --json").document
    assert keys["remoteness"] == solved["remoteness"] == 1_000_000 - abs(keys["value"])
    exact = {row["move"]: row["remoteness"] for row in keys["moves"] if row["bound"] == "exact"}
    truths = {row["move"]: row["remoteness"] for row in nimtui("moves nim:1,2,3,5 -a random --json").document["moves"]}
    assert exact and exact.items() <= truths.items()


def test_a_clock_bounds_a_search(nimtui: Nimtui) -> None:
    cut = nimtui("search connect4 --algorithm alphabeta --time 0.05 --json").document
    assert cut["settings"] == "alphabeta:time=0.05" and cut["time"] == 0.05 and cut["best_move"]
    assert (cut["finished"] and cut["depth"] is None) or cut["depth"] >= 1
    told = nimtui("search connect4 --algorithm mcts --time 0.05").out
    assert "simulations" in told and told.endswith("depends on the machine: a faster one searches more.\n")
    keys = nimtui("compare connect4 -a mcts:simulations=3000000 --move-time 0.05 --json").document
    assert keys["agents"][0]["fault"] is None and keys["agents"][0]["effort"] < 3_000_000


@pytest.mark.parametrize("algorithm", with_slow([LONG, "alphabeta --depth 14"], LONG))
def test_stopped_a_search_tells_how_far_it_came(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    report, reports = Bar.report, list[float]()

    def stop_at_the_fifth(self: Bar, done: float, total: float, what: str = "") -> None:
        reports.append(done)
        self.stopped = len(reports) >= 5
        report(self, done, total, what)

    monkeypatch.setattr(Bar, "report", stop_at_the_fifth)
    answer = nimtui(f"search connect4 --algorithm {algorithm} --json")
    assert (answer.status, answer.err) == (130, "nimtui: stopped\n")
    assert answer.document["finished"] is False and answer.document["nodes"] > 100


def test_a_stopped_comparison_has_the_columns_that_are_done_and_no_curves(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(works: list[Any], bar: Bar) -> list[Any]:
        bar.stopped = True
        return [None] * len(works)

    monkeypatch.setattr("nimtui.jobs.job.side_by_side", stopped)
    answer = nimtui("compare nim:1,2 -a random -a mc:playouts=5 --curve --json")
    assert (answer.status, answer.err) == (130, "nimtui: stopped\n")
    agents = answer.document["agents"]
    assert [one["fault"] for one in agents] == ["stopped before it answered"] * 2
    assert not any("curve" in one for one in agents)
    monkeypatch.setattr("nimtui.jobs.job.side_by_side", mock.Mock(side_effect=Cancelled("compare")))
    with Bar("compare") as bar:
        assert search.curves_of([], parse_game("nim:1").new(), 0, 0.0, bar) is None


def test_the_solver_gets_the_memory_and_the_threads_that_are_asked_for(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    solver = mock.Mock(side_effect=InputError("asked"))
    usual = theory.Patience()
    monkeypatch.setattr("nimtui.engine.connect.Solver", lambda start, memory, threads: solver(memory, threads))
    monkeypatch.setattr("nimtui.theory.report.answer", lambda *_, patience: solver(patience.memory, patience.threads))
    for words in ("solve connect4:4x4", f"book connect4:4x4 --plies 1 --file {tmp_path}/x.book"):
        for more, memory, threads in (("", 0, 0), (" --memory 1M", 1 << 20, 0), (" --threads 3", 0, 3)):
            assert nimtui(words + more).err == "nimtui: asked\n"
            assert solver.call_args == mock.call(memory or usual.memory, threads or usual.threads)


# `nimtui serve --jsonl` and `nimtui solve --stdin`: everything exact, a line for a line, whatever comes in.


LITERAL: dict[str, Literal] = {
    "nim:3,4,5": Heaps(3, 4, 5),
    "nim:1,3,4:misere": Heaps(1, 3, 4, misere=True),
    "nim:9:max=3": Heaps(9, limit=3),
    "kayles:1,3,4": Runs(1, 3, 4, limit=2),
    "adjacent:2,3:misere": Runs(2, 3, misere=True),
    "noughts:3x3x3": Grid(3, 3, 3),
    "chomp:4x3": Chomp(4, 3),
    "connect:4x3x3": Drops(4, 3, 3),
    "connect4": Drops(7, 6, 4),
}
LEAST_DISCS = {"connect4": 35}  # of a board too large for brute force from its start
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}
GARBAGE = (b"", b"moves please", b'{"id":', b"[1]", b'{"game":5}', b'{"game":"nim:3,4,5","position":7}',
           b'{"game":"nim:3,4,5","moves":["a9"]}', b'{"game":"nim:3,4,5","moves":"a1"}',
           b'{"game":"nim:3,4,5","positon":"1,1,1"}', b'{"game":"nim:3,4,5","id":NaN}', b'{"game":"connect:9x6x4"}',
           b"\xff\x00", b"[" * 5000, b"x" * (serving.LONGEST_REQUEST + 200_000))  # fmt: skip


@cache
def value(name: str, at: Any) -> tuple[int, int]:
    """Who wins for the player to move, and in how many plies, by trying every move."""
    game = LITERAL[name]
    if (end := game.end(at)) != GOING_ON:
        return {WON: -1, LOST: 1, DRAW: 0}[end], 0
    values = [value(name, after) for after in game.moves(at).values()]
    best = max(-worth for worth, _ in values)
    plies = [plies for worth, plies in values if -worth == best]
    return best, 1 + (min(plies) if best > 0 else max(plies))


def random_request(chance: random.Random) -> tuple[dict[str, Any], str, Any]:
    """A request, its game and its position there."""
    name = chance.choice(list(LITERAL))
    game, least = LITERAL[name], LEAST_DISCS.get(name, 0)
    at, line = game.start, list[str]()
    for _ in range(least + chance.randrange(8)):
        if game.end(at) == GOING_ON:
            move, at = chance.choice(list(game.moves(at).items()))
            line.append(move)
    position = game.name(at) or "".join(line)
    return {"game": name, **({"position": position} if chance.random() < 0.5 else {"moves": line})}, name, at


def check(answer: dict[str, Any], name: str, at: Any) -> None:
    """Compare every key of an answer with brute force."""
    game = LITERAL[name]
    worth, plies = value(name, at)
    moves = game.moves(at) if game.end(at) == GOING_ON else {}
    assert answer["outcome"] == OUTCOMES[worth]
    assert answer["remoteness"] == (plies if worth or not moves else None)
    rows = {}
    for move, after in moves.items():
        theirs, further = value(name, after)
        rows[move] = (OUTCOMES[-theirs], further + 1 if theirs else None, -theirs == worth)
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


@pytest.mark.slow
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
    served = serving.Oracle(lambda line: answers.append(json.loads(line)), 0, 1)
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
    served = serving.Oracle(lambda line: answers.append(json.loads(line)["id"]), 0, 1)
    for number, request in enumerate(('"connect4:4x4"', '"connect4:4x4", "moves": ["1"]', '"nim:3,4"')):
        served.ask(f'{{"id": {number}, "game": {request}}}'.encode())
    assert answers == [2]
    free.set()
    served.finish()
    assert sorted(answers[1:]) == [0, 1]


def test_a_limit_of_time_ends_one_request_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_of_theory, "monotonic", monotonic)  # a clock that goes
    monkeypatch.setattr(connect, "_verdicts", {})
    answers: list[dict[str, Any]] = []
    served = serving.Oracle(lambda line: answers.append(json.loads(line)), 1e-9, 1)
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
    served = serving.Oracle(lambda line: answers.append(json.loads(line)), 0, 1)
    monkeypatch.setattr(serving, "_cost", lambda place: 1 // 0 if place.game.name == "nim:3" else None)
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
