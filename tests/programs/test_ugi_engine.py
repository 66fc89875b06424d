"""`nimtui serve --ugi`: an engine for other judges, whatever they say and in whichever order."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Condition
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.agent import Decision, Thinking, Thought
from nimtui.cli.app import run
from nimtui.engine import limits
from nimtui.engine.windows import DECIDED, LONGEST, WIN
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.games.rule_text import Place
from nimtui.playing import serving
from nimtui.playing.serving import EXAMPLE, Engine, effort, score_words
from nimtui.progress import Cancelled, Progress, TimeUp
from nimtui.theory import connect
from nimtui.trees.depth_first import BEST_LINE
from nimtui.version import __version__
from tests import forks

CLOCK = "p1time 60000 p2time 1000 p1inc 0 p2inc 100"


class Judge:
    """A judge in this process: what it says, and the lines that come back."""

    def __init__(self, *lines: str) -> None:
        self.lines: list[str] = []
        self._come = Condition()
        self.engine = Engine(self._hear)
        self.say(*lines)

    def _hear(self, line: str) -> None:
        with self._come:
            self.lines.append(line)
            self._come.notify_all()

    def say(self, *lines: str) -> list[str]:
        """Say these lines, and return what comes back at once."""
        self.lines.clear()
        for line in lines:
            assert self.engine.hear(line)
        return list(self.lines)

    def move(self, go: str) -> str:
        """Return the move of a search, of which the judge waits for the end."""
        self.say(go)
        with self._come:
            assert self._come.wait_for(lambda: any(line.startswith("bestmove") for line in self.lines), 120)
        return self.lines[-1].removeprefix("bestmove ")


def test_it_introduces_itself_with_its_options_and_ends_with_quit() -> None:
    judge = Judge()
    assert judge.say("ugi", "") == [
        f"id name nimtui {__version__}", "id author the authors of nimtui",
        "option name Game type string default tower:16",
        "option name Agent type string default alphabeta:depth=-1,order=killer,table=yes,deepening=yes",
        "option name Seed type spin default 0 min 0 max 2147483647", "ugiok",
    ]  # fmt: skip
    assert judge.engine.hear("quit now") is False and judge.say("setoption name Seed value 2147483647") == []
    assert judge.engine._options["Seed"] == "2147483647" and Judge("query p1turn").lines == ["response true"]


@pytest.mark.parametrize("name", ["nim:3,4,5", "nim:2,3:misere", "connect:4x3x3", "noughts:3x3x3", "kayles:2,3"])
def test_it_answers_whose_turn_it_is_and_how_a_game_ended(name: str) -> None:
    chance, game = random.Random(name), parse_game(name)
    judge = Judge(f"setoption name Game value {name}", "uginewgame")
    for _ in range(4):
        state, moves, winner = game.new(), list[str](), "none"
        while True:
            over = base.outcome(state) != base.GOING_ON
            position = "position startpos" + (f" moves {' '.join(moves)}" if moves else "")
            answers = judge.say(position, "query p1turn", "query gameover", "query result")
            said = str(len(moves) % 2 == 0).lower(), str(over).lower(), winner
            assert answers == [f"response {word}" for word in said]
            if over:
                break
            move = chance.choice(base.legal_moves(state))
            moves.append(game.move_name(move, state))
            base.play(state, move)
            mover, other = ("p1win", "p2win") if len(moves) % 2 else ("p2win", "p1win")
            winner = {base.WON: mover, base.LOST: other, base.DRAW: "draw"}.get(int(base.outcome(state)), "none")


@pytest.mark.parametrize(
    ("game", "position", "first"),
    [
        *(("connect4", "445", False), ("connect4", "445 moves 1", True)),
        *(("nim:3,4,5", "1,4,5", True), ("nim:3,4,5", "1,4,5 moves b1", False)),
    ],
)
def test_a_position_tells_whose_turn_it_is_or_the_first_player_is_to_move(
    game: str, position: str, first: bool
) -> None:
    judge = Judge(f"setoption name Game value {game}", f"position fen {position}")
    assert judge.say("query p1turn", "query result") == [f"response {str(first).lower()}", "response none"]


@pytest.mark.parametrize("go", ["depth 30", "nodes 100000", "movetime 20000", CLOCK, "infinite"])
def test_each_way_to_search_ends_with_a_move_after_what_it_believes(go: str) -> None:
    judge = Judge("setoption name Game value nim:3,4,5", "isready", "position fen 3,4,5", "isready")
    assert judge.move(f"go {go}") == "a2"  # the only move that makes the nim-sum 0
    info = judge.lines[-2].split()
    assert info[0] == "info" and {"time", "nodes", "nps", "score", "pv"} <= set(info)
    assert info[info.index("score") + 1 : info.index("score") + 3] == ["mate", "11"]
    line = info[info.index("pv") + 1 :]
    assert line[0] == "a2" and len(line) == 11


def test_nodes_and_plies_are_limits_and_while_it_searches_it_hears_what_it_may_hear() -> None:
    judge = Judge("setoption name Game value connect4", "isready")
    judge.move("go nodes 777")
    assert int(re.findall(r"nodes (\d+)", judge.lines[-2])[0]) <= 777
    judge.move("go depth 3")
    assert "depth 3 " in judge.lines[-2] and len(judge.lines[-2].split(" pv ")[1].split()) == 3
    assert judge.say("go infinite", "isready") == ["readyok"]
    assert judge.say("position startpos", "go depth 1", "setoption name Seed value 1") == [
        f"info string '{word}' must wait: send stop, or wait for bestmove" for word in ("position", "go", "setoption")
    ]
    assert judge.say("stop")[-1] in {f"bestmove {column}" for column in range(1, 8)}
    assert judge.say("stop", "isready") == ["readyok"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("fly", "unknown command 'fly'"), ("query", "unknown query ''"),
        ("query islegal a1", "unknown query 'islegal a1'"), ("position", "invalid position ''"),
        ("position startpos a1", "invalid position 'startpos a1'"),
        ("position fen 9,9,9", "row A must be from 0 to 3, not 9"),
        ("position startpos moves a1 c9", "row C has 5 matches: 9 cannot be taken"),
        ("setoption name Game value nmi:3", "unknown game 'nmi' (did you mean nim?)"),
        ("setoption name Hash value 3", "unknown option 'Hash'"),
        ("setoption name Seed value x", "the seed must be a whole number"),
        ("setoption name Agent value mtcs", "unknown agent 'mtcs' (did you mean mcts?)"),
    ],
)  # fmt: skip
def test_what_is_invalid_gets_one_line_and_changes_nothing(line: str, said: str) -> None:
    judge = Judge("setoption name Game value nim:3,4,5", "position fen 1,1,1")
    answers = judge.say(line)
    assert len(answers) == 1 and answers[0].startswith(f"info string {said}")
    assert judge.move("go depth 9") in ("a1", "b1", "c1") and judge.say("query p1turn") == ["response true"]


@pytest.mark.parametrize(
    "go",
    ["", "depth", "depth 3 nodes 5", "depth 3 depth 4", "p1time 5", f"{CLOCK} depth 3", "fly 3", "infinite 3",
     "infinite depth 3", "movetime x", "nodes -1", "depth 1000000000001"],
)  # fmt: skip
def test_a_search_needs_exactly_one_limit(go: str) -> None:
    with pytest.raises(InputError) as wrong:
        effort(go.split(), 0)
    if not go.endswith(("x", "-1", "01")):
        right = "movetime, depth, nodes, infinite, or p1time, p2time, p1inc, p2inc together"
        assert str(wrong.value) == f"invalid search '{go}': expected {right}"
    judge = Judge("setoption name Game value nim:3")
    answers = judge.say(f"go {go}")
    assert answers[0] == "bestmove (none)" and answers[1].startswith("info string ")
    assert judge.say("position fen 0", "go depth 3")[0] == "bestmove (none)"


@pytest.mark.parametrize(
    ("words", "player", "seconds", "depth", "nodes"),
    [
        ("infinite", 0, inf, None, inf), ("depth 3", 1, inf, 3, inf), ("depth 0", 0, inf, 1, inf),
        ("depth 1000000000000", 0, inf, LONGEST, inf), ("nodes 0", 0, inf, None, 0),
        ("movetime 1000", 0, 0.94, None, inf),  # 95 % of a second, without 10 ms for the pipe
        ("movetime 1", 1, 0.0005, None, inf),  # but never less than half
        (CLOCK, 0, 2.99, None, inf),  # a twentieth of a minute
        (CLOCK, 1, 0.12, None, inf),  # a twentieth of a second and four fifths of the increment
        ("p2inc 100 p1time 60000 p1inc 0 p2time 1000", 1, 0.12, None, inf),
        ("p1time 100 p2time 1 p1inc 5000 p2inc 5000", 0, 0.04, None, inf),  # an increment comes after the move
        ("p1time 100 p2time 1 p1inc 5000 p2inc 5000", 1, 0.0, None, inf),
    ],
)  # fmt: skip
def test_a_clock_is_divided_by_the_player_to_move(
    words: str, player: int, seconds: float, depth: int | None, nodes: float
) -> None:
    found = effort(words.split(), player)
    assert found == (pytest.approx(seconds), depth, nodes)
    assert pytest.approx(1e6) == serving.PACE * limits.RESERVE * limits.SECONDS, "the largest share of a chunk"


def test_a_score_is_in_hundredths_or_in_plies_to_the_end() -> None:
    assert [score_words(value) for value in (12.4, -0.6, DECIDED, -DECIDED)] == [
        "cp 12", "cp -1", "cp 900000", "cp -900000",
    ]  # fmt: skip
    assert [score_words(value) for value in (WIN, WIN - 5, 3 - WIN, DECIDED + 1)] == [
        "mate 0", "mate 5", "mate -3", "mate 99999",
    ]  # fmt: skip
    assert score_words(WIN - 5, pays=True) == "cp 999995"


def test_any_agent_of_nimtui_can_be_the_engine_and_a_seed_repeats_it() -> None:
    def moves(seed: int) -> list[str]:
        judge = Judge("setoption name Game value nim:9,9,9", "setoption name Agent value random")
        judge.say(f"setoption name Seed value {seed}", "uginewgame", "isready", "position startpos")
        return [judge.move("go movetime 1000") for _ in range(8)]

    assert moves(1) == moves(1) != moves(2)
    judge = Judge("setoption name Agent value mcts:simulations=50", "isready", "position startpos")
    judge.move("go infinite")
    assert re.search(r"score cp -?\d+ pv ", judge.lines[-2])


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_the_end_of_the_input_and_quit_end_it_after_its_move(tmp_path: Path, end: str) -> None:
    said = f"setoption name Game value connect4\nisready\ngo infinite\nisready\n{end}"
    process = forks.Popen(
        [sys.executable, "-m", "nimtui", "serve", "--ugi"],
        env={**os.environ, "NIMTUI_HOME": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = process.communicate(said.encode(), timeout=120)
    assert (process.returncode, err) == (0, b"") and re.match(rb"bestmove [1-7]$", out.splitlines()[-1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("serve", "name what to serve: --jsonl or --ugi"),
        ("serve --ugi --jsonl", "name what to serve: --jsonl or --ugi"),
        ("serve --ugi --seconds 3", "--seconds and --threads are for --jsonl: the judge sets the clock of an engine"),
        ("serve --jsonl --seconds x", "Invalid value for '--seconds': the time must be 0 (none) or 0.001 to 86,400"),
    ],
)
def test_wrong_options_get_one_line(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 2 and capsys.readouterr().err.startswith(f"nimtui: {said}")


class Waiting:
    """A thread that does its work when it is waited for, or never."""

    made: ClassVar[list[Waiting]] = []

    def __init__(self, target: Callable[[], object], name: str, daemon: bool) -> None:
        assert daemon, "it does not keep nimtui from ending"
        self.target, self.started, self.joined = target, False, 0
        self.made.append(self)

    def start(self) -> None:
        self.started = True

    def join(self) -> None:
        assert self.started
        self.joined += 1


class Working(Waiting):
    def join(self) -> None:
        super().join()
        self.target()


def searching(
    monkeypatch: pytest.MonkeyPatch, agent: str, game: str = "nim:3,4", seconds: float = 5.0, nodes: float = inf
) -> tuple[Judge, serving._Search, list[float]]:
    """A search that never starts, with its judge and the time."""
    clock = [0.0]
    monkeypatch.setattr(serving, "Thread", Waiting)
    monkeypatch.setattr(serving, "perf_counter", lambda: clock[0])
    judge = Judge(f"setoption name Game value {game}")
    search = serving._Search(judge.engine, parse_agent(agent, judge.engine.game), seconds, nodes)
    judge.engine._search = search
    return judge, search, clock


def test_a_search_ends_at_its_time_at_its_nodes_or_when_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    _, search, clock = searching(monkeypatch, "alphabeta", nodes=1000)
    assert search.seconds_left() == 1000 / serving.PACE and search.runs
    search.report(400, 0)
    assert search.seconds_left() == 600 / serving.PACE
    clock[0] = 4.9999
    search.report(999, 0)
    with pytest.raises(TimeUp):
        search.report(1000, 0)
    clock[0] = 5.0
    with pytest.raises(TimeUp):
        search.report(0, 0)
    for agent, error in (("alphabeta", TimeUp), ("perfect", Cancelled)):
        judge, search, clock = searching(monkeypatch, agent)
        clock[0] = 4.0
        search.report(1e9, 0)
        assert search.seconds_left() == 1.0
        clock[0] = 0.0 if agent == "alphabeta" else 9.0  # what cannot stop itself ends only where it is stopped
        search.report(0, 0)
        assert judge.say("stop") == [] and Waiting.made[-1].joined == 1
        with pytest.raises(error):
            search.report(0, 0)


def test_a_search_that_knows_its_move_gets_a_tenth_of_its_time_for_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for whole, *times in (
        (1900.0, (60.0, "", 1840.0), (100.0, BEST_LINE, 10.0), (105.0, BEST_LINE, 5.0)),
        (5.0, (0.125, BEST_LINE, 0.05)),  # 50 ms at least
    ):
        _, search, clock = searching(monkeypatch, "alphabeta", seconds=whole)
        for clock[0], what, left in times:
            search.report(0, 0, what)
            assert search.seconds_left() == pytest.approx(left)


def test_a_search_tells_what_it_believes_five_times_a_second_if_it_has_gone_on(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, search, clock = searching(monkeypatch, "alphabeta")
    for now, move, done, told in (
        (0.1, 0, 10, ""), (0.2, 0, 20, "time 200 nodes 20 nps 100"), (0.3, 0, 30, ""), (0.4, 0, 20, ""),
        (0.5, 0, 50, ""), (0.7, 0, 60, "time 700 nodes 60 nps 86"), (0.9, None, 90, ""), (1.2, 1, None, "time 1200"),
    ):  # fmt: skip
        judge.lines.clear()
        clock[0] = now
        search.think(lambda move=move, done=done: Thinking((), move, done=done))
        assert judge.lines == ([f"info {told} pv {'a2' if move else 'a1'}"] if told else []), now


def test_what_a_search_tells_has_its_depth_its_score_and_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, search, clock = searching(monkeypatch, "alphabeta")
    search._began, clock[0] = 1.0, 1.25
    thoughts = (Thought(1, 0.125, score=WIN - 5.0), Thought(0, 0.125), Thought(3, 0.125, largest=8), Thought(4))
    for move, said in ((1, "score mate 5 "), (0, "score cp 12 "), (3, "score cp 1 "), (4, ""), (5, "")):
        search._tell(Thinking(thoughts, move, (move, 0), 7, depth=2), move)
        assert judge.lines.pop() == f"info depth 2 time 250 nodes 7 nps 28 {said}pv " + " ".join(
            judge.engine.game.line_names((move, 0), judge.engine.state)
        )
    search._tell(Thinking((Thought(1, 0.5, score=WIN - 5.0, largest=9),)), 1)
    assert judge.lines.pop() == "info time 250 score cp 999995 pv a2"
    clock[0] = 1.0
    search._tell(Thinking((), done=2), 1)
    assert judge.lines.pop() == "info time 0 nodes 2 nps 2000 pv a2"


@pytest.mark.parametrize(
    ("fault", "said"), [(Cancelled("x"), []), (InputError("no idea"), ["info string no idea"]),
                        (ValueError("odd"), ["info string ValueError: odd"])],
)  # fmt: skip
def test_a_search_that_fails_gives_its_first_move_and_has_ended_before(
    fault: Exception, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, search, _ = searching(monkeypatch, "alphabeta")
    ended, calls = list[bool](), list[str]()

    def decide(*given: Any) -> Decision:
        assert given[1:] == (judge.engine.stream, search) and calls == ["prepare"]
        raise fault

    search._agent = SimpleNamespace(prepare=lambda: calls.append("prepare"), decide=decide)  # type: ignore[assignment]
    search._write = lambda line: ended.append(not search.runs) or judge.lines.append(line)  # type: ignore[func-returns-value]
    search._run()
    assert judge.lines == [*said, "bestmove a1"] and ended == [False] * len(said) + [True]

    def broken(line: str) -> None:
        raise BrokenPipeError

    search._write = broken
    search._run()  # the judge has left
    assert search._stopped.is_set()


def test_go_asks_the_agent_to_search_so_deep_and_it_is_prepared_once_if_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, prepared = list[tuple[Any, ...]](), list[str]()
    monkeypatch.setattr(serving, "_Search", lambda *given: asked.append(given))
    for name, go, seconds, depth, nodes in (
        ("alphabeta:depth=7,time=3", "depth 5", inf, 5, inf),
        ("alphabeta:depth=7,time=3", "movetime 1000", 0.94, None, inf),
        ("minimax:depth=2", "nodes 9", inf, None, 9), ("random", "depth 5", inf, None, inf),
    ):  # fmt: skip
        judge = Judge("setoption name Game value nim:3", f"setoption name Agent value {name}", f"go {go}")
        agent: Any = parse_agent(name, judge.engine.game)
        if depth is not None:
            agent = replace(agent, settings=replace(agent.settings, depth=depth, deepening=True, time=0.0))
        assert asked.pop() == (judge.engine, agent, pytest.approx(seconds), nodes)
    agent = SimpleNamespace(prepare=lambda: prepared.append("agent"))
    monkeypatch.setattr(serving, "parse_agent", lambda name, game: prepared.append("parsed") or agent)
    game, end = "setoption name Game value nim:3", "position startpos moves a3"
    judge = Judge(game, end, "isready", "position startpos", "isready")
    assert (judge.lines, prepared) == (["readyok"] * 2, ["parsed", "agent"])
    judge.engine._search = SimpleNamespace(runs=True)  # type: ignore[assignment]
    judge.say("isready")
    assert prepared == ["parsed", "agent"], "while it searches it only answers"
    judge.engine._search = SimpleNamespace(runs=False)  # type: ignore[assignment]
    judge.say("isready", end, "isready")
    assert prepared == ["parsed", "agent", "agent"]


# The oracle.


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"gmae": "nim:3"}, "unknown key 'gmae' (did you mean game?). Keys: id, game, position, moves"),
        ({}, f"a request needs a game, such as {EXAMPLE}"), ({"game": 5}, f"a request needs a game, such as {EXAMPLE}"),
        ({"game": "nim:3", "position": 7}, "position must be a text, not 7"),
        ({"game": "nim:3", "moves": "a1"}, 'moves must be a list of texts, not "a1"'),
        ({"game": "nim:3", "moves": ["a2", "a2"]}, "row A has 1 match: 2 cannot be taken"),
        (b"[1]" + b" " * 99_997, f"a line must be an object as JSON, such as {EXAMPLE}: it is not an object with keys"),
        (b"[1]" + b" " * 99_998, "the line is too long: at most 100,000 bytes"),
    ],
)  # fmt: skip
def test_a_wrong_request_is_refused_with_what_would_be_right(request_: Any, said: str) -> None:
    answers = list[Any]()
    oracle = serving.Oracle(lambda line: answers.append(json.loads(line)), 0.0, 0)
    oracle.ask(request_ if isinstance(request_, bytes) else json.dumps({**request_, "id": 7}).encode())
    assert answers == [{"id": None if isinstance(request_, bytes) else 7, "error": said}]


def test_a_request_is_a_position_and_moves_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_verdicts", {})  # what other tests solved would need no thread
    for request, name, typed, cost in (
        ({"game": "nim:3,4"}, "3,4", None, None), ({"game": "nim:3,4", "position": "1,4"}, "1,4", "1,4", None),
        ({"game": "nim:3,4", "position": "1,4", "moves": ["b1"]}, "1,3", "1,3", None),
        ({"game": "connect4:5x4", "position": "12"}, "12", "12", 18),
    ):  # fmt: skip
        place = serving.place_of(request)
        assert (place.game.position_name(place.state), place.typed, serving._cost(place)) == (name, typed, cost)


def test_requests_that_ask_for_less_are_answered_first_and_what_is_known_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def everything(place: Place, progress: Progress) -> dict[str, Any]:
        given.append((place.typed, progress))
        return {}

    monkeypatch.setattr(serving, "everything", everything)
    monkeypatch.setattr(connect, "_verdicts", {})  # what other tests solved would be known at once
    monkeypatch.setattr(serving, "Thread", Working)
    monkeypatch.setattr(serving, "Until", lambda progress, seconds: (progress, seconds))
    for seconds in (0.0, 7.5):
        answers, given = list[Any](), list[tuple[Any, ...]]()
        oracle = serving.Oracle(lambda line, answers=answers: answers.append(json.loads(line)), seconds, 2)  # type: ignore[misc]
        for request in (
            {"id": 1, "game": "connect4:5x4", "position": "12"}, {"id": 2, "game": "connect4:4x4", "position": "1"},
            {"id": 3, "game": "connect4:4x4", "moves": ["2"]},
            {"game": "connect4:4x4", "position": "1", "moves": ["2"]}, {"id": 5, "game": "nim:3,4"},
        ):  # fmt: skip
            oracle.ask(json.dumps(request).encode())
        assert [one["id"] for one in answers] == [5]
        oracle.finish()
        assert [one["id"] for one in answers[1:]] == [None, 2, 3, 1]
        assert [thread.joined for thread in oracle._threads] == [1, 1]
        assert [typed for typed, _ in given] == [None, "12", "1", "2", "12"]
        assert all(progress == ((oracle, 7.5) if seconds else oracle) for _, progress in given)


def test_a_request_that_fails_is_answered_and_a_stopped_one_or_one_of_a_reader_who_left_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faults: dict[Any, Exception] = {None: ZeroDivisionError("odd"), "x../.../...": Cancelled("x")}
    faults["xo./.../..."] = InputError("too hard")

    def everything(place: Place, progress: Progress) -> dict[str, Any]:
        raise faults[place.typed]

    monkeypatch.setattr(serving, "everything", everything)
    monkeypatch.setattr(serving, "_cost", lambda place: 0)  # else a game that another test has solved needs no thread
    monkeypatch.setattr(serving, "Thread", Working)
    monkeypatch.setattr(serving.guard, "write_report", lambda fault, facts: Path(f"{type(fault).__name__} {facts}"))
    answers = list[Any]()
    oracle = serving.Oracle(lambda line: answers.append(json.loads(line)), 0.0, 1)
    for number, position in enumerate(faults):
        oracle.ask(json.dumps({"id": number, "game": "noughts", "position": position}).encode())
    oracle.finish()
    oracle.report(0, 0)
    assert answers == [
        {"id": 0, "error": "nimtui failed in a request: ZeroDivisionError: odd. Report: ZeroDivisionError {}"},
        {"id": 2, "error": "too hard"},
    ]
    oracle.ask(b'{"id": 3, "game": "noughts"}')
    oracle.stop()
    oracle.finish()
    with pytest.raises(Cancelled, match="serve"):
        oracle.report(0, 0)

    def gone(line: str) -> None:
        raise BrokenPipeError

    left = serving.Oracle(gone, 0.0, 0)
    left.ask(b"[]")
    assert len(answers) == 2 and left.stopped
