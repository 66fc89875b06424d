"""`nimtui serve --ugi`: an engine for other judges, whatever they say and in whichever order."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path
from threading import Condition
from types import SimpleNamespace

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.agent import Decision
from nimtui.cli.app import run
from nimtui.engine import limits
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.playing import serving
from nimtui.playing.serving import Engine, effort
from nimtui.trees.depth_first import BEST_LINE
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


def test_it_introduces_itself_with_its_options() -> None:
    lines = Judge().say("ugi")
    assert lines[0].startswith("id name nimtui") and lines[1].startswith("id author ") and lines[-1] == "ugiok"
    names = [
        re.fullmatch(r"option name (\w+) type (string|spin) default \S+( min 0 max \d+)?", one) for one in lines[2:-1]
    ]
    assert [name and name[1] for name in names] == ["Game", "Agent", "Seed"]


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
        ("fly", "unknown command 'fly'"),
        ("query", "unknown query ''"),
        ("query islegal a1", "unknown query 'islegal a1'"),
        ("position", "invalid position ''"),
        ("position startpos a1", "invalid position 'startpos a1'"),
        ("position fen 9,9,9", "row A must be from 0 to 3, not 9"),
        ("position startpos moves a1 c9", "row C has 5 matches: 9 cannot be taken"),
        ("setoption name Game value nmi:3", "unknown game 'nmi' (did you mean nim?)"),
        ("setoption name Hash value 3", "unknown option 'Hash'"),
        ("setoption name Seed value x", "the seed must be a whole number"),
        ("setoption name Agent value mtcs", "unknown agent 'mtcs' (did you mean mcts?)"),
    ],
)
def test_what_is_invalid_gets_one_line_and_changes_nothing(line: str, said: str) -> None:
    judge = Judge("setoption name Game value nim:3,4,5", "position fen 1,1,1")
    answers = judge.say(line)
    assert len(answers) == 1 and answers[0].startswith(f"info string {said}")
    assert judge.move("go depth 9") in ("a1", "b1", "c1") and judge.say("query p1turn") == ["response true"]


@pytest.mark.parametrize(
    "go", ["", "depth", "depth 3 nodes 5", "p1time 5", "movetime x", "infinite depth 3", "nodes -1"]
)
def test_a_search_needs_exactly_one_limit(go: str) -> None:
    with pytest.raises(InputError):
        effort(go.split(), 0)
    judge = Judge("setoption name Game value nim:3")
    answers = judge.say(f"go {go}")
    assert answers[0] == "bestmove (none)" and answers[1].startswith("info string ")
    assert judge.say("position fen 0", "go depth 3")[0] == "bestmove (none)"


def test_a_clock_is_divided_by_the_player_to_move() -> None:
    first, second = (effort(CLOCK.split(), player)[0] for player in (0, 1))
    assert 2 < first < 6 and 0.05 < second < 0.2
    late = effort("p1time 1 p2time 1 p1inc 5000 p2inc 5000".split(), 0)[0]  # noqa: SIM905
    assert late == 0.0, "an increment comes after the move"
    assert 0.8 < effort(["movetime", "1000"], 0)[0] < 1.0 and 0 < effort(["movetime", "1"], 0)[0] < 0.001
    assert pytest.approx(1e6) == serving.PACE * limits.RESERVE * limits.SECONDS, "the largest share of a chunk"


def test_any_agent_of_nimtui_can_be_the_engine_and_a_seed_repeats_it() -> None:
    def moves(seed: int) -> list[str]:
        judge = Judge("setoption name Game value nim:9,9,9", "setoption name Agent value random")
        judge.say(f"setoption name Seed value {seed}", "uginewgame", "isready", "position startpos")
        return [judge.move("go movetime 1000") for _ in range(8)]

    assert moves(1) == moves(1) != moves(2)
    judge = Judge("setoption name Agent value mcts:simulations=50", "isready", "position startpos")
    judge.move("go infinite")
    assert re.search(r"score cp -?\d+ pv ", judge.lines[-2])


def test_an_agent_that_raises_still_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Judge("setoption name Game value nim:3", "setoption name Agent value perfect", "isready")
    monkeypatch.setattr(type(judge.engine._agent), "decide", lambda *_: 1 // 0)
    assert judge.move("go depth 1") == "a1"
    assert judge.lines[-2] == "info string ZeroDivisionError: integer division or modulo by zero"


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


def test_a_search_that_knows_its_move_gets_a_tenth_of_its_time_for_the_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, left = [0.0], list[float]()
    agent = parse_agent("alphabeta:depth=1", parse_game("nim:2"))

    def decide(state: base.State, stream: Stream, progress: serving._Search) -> Decision:
        for seconds, what in ((60.0, ""), (100.0, BEST_LINE), (105.0, BEST_LINE)):
            clock[0] = seconds
            progress.report(0, 0, what)
            left.append(progress.seconds_left())
        return agent.decide(state, stream)

    monkeypatch.setattr(serving, "perf_counter", lambda: clock[0])
    slow = SimpleNamespace(prepare=agent.prepare, decide=decide)
    monkeypatch.setattr(serving, "parse_agent", lambda name, game: slow)
    assert Judge("setoption name Game value nim:2", "position startpos").move("go movetime 2000000") == "a2"
    assert left[1:] == [10.0, 5.0] and left[0] > 1000
