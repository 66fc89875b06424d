"""The Universal Game Interface: nimtui judges engines, and is one; both sides meet."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimtui.agents import parse_agent, ugi
from nimtui.agents import program as programs
from nimtui.agents.agent import Thinking
from nimtui.agents.ugi import Info, read_info
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.match import MatchResult, play_match
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.sandbox import program
from nimtui.sandbox.program import Allowance
from tests.programs.bots import script

GAME = parse_game("nim:3,4,5")
ENGINE = """import sys, time
def say(text): print(text, flush=True)
position = ""
for line in sys.stdin:
    line = line.strip()
    word = line.split()[0]
    if word == "ugi":
        say("id name first"); say("option name Game type string default none")
        say("option name Seed type spin default 0"); say("option name Big Table type spin default 1"); UGI
        say("ugiok")
    elif word == "isready":
        READY
        say("readyok")
    elif word == "position":
        rows = [int(row) for row in line.split()[2].split(",")]
    elif word == "stop":
        say("bestmove a1")
    elif word == "go":
        row = max(range(len(rows)), key=lambda row: rows[row])
        move = "abc"[row] + "1"
        GO
        say("bestmove " + move)
"""
WRONG = {  # what it does: the kind of its fault, where it does what
    "never says ugiok": ("no-start", "UGI", "continue"),
    "floods at ugi": ("no-start", "UGI", "while True: say('option name ' + 1000 * 'x')"),
    "talks at ugi for ever": ("no-start", "UGI", "while True: say('info string wait'); time.sleep(0.01)"),
    "talks and is never ready": ("no-start", "READY", "while True: say('info string wait'); time.sleep(0.01)"),
    "dies at ugi": ("no-start", "UGI", "print('no table', file=sys.stderr); sys.exit(3)"),
    "never is ready": ("no-start", "READY", "continue"), "plays illegally": ("illegal", "GO", "move = 'c9'"),
    "plays nonsense": ("unreadable", "GO", "move = 'resign'"), "plays nothing": ("unreadable", "GO", "move = ''"),
    "plays twice": ("unreadable", "GO", "move += chr(10) + 'bestmove ' + move"),  # in one write
    "plays, talks and plays": ("unreadable", "GO", "move += '\\ninfo string so\\nbestmove ' + move"),
    "plays before it is asked": ("unreadable", "READY", "'rows' in globals() and say('bestmove a1')"),
    "hangs": ("stall", "GO", "time.sleep(1000)"),
    "talks and hangs": ("stall", "GO", "while True: say('info depth 1'); time.sleep(0.01)"),
    "is late": ("slow", "GO", "time.sleep(0.45)"),
    "dies": ("disconnect", "GO", "sys.exit(1)"),
    "floods": ("output", "GO", "while True: say('info string ' + 1000 * 'x')"),
}  # fmt: skip


def engine(folder: Path, name: str = "first", **parts: str) -> str:
    """Write an engine that takes one match of the largest row, and does what `parts` says; return its path."""
    text = ENGINE
    for part in ("UGI", "READY", "GO"):
        text = text.replace(part, parts.get(part, "pass"))
    return script(folder, name.replace(" ", "-"), text).removeprefix("cmd:")


def match(first: str, second: str, number: int = 1, **limits: Any) -> MatchResult:
    agents = parse_agent(first, GAME), parse_agent(second, GAME)
    return play_match(GAME, *agents, number, limits=Limits(**(limits or {"move": 5.0})))


Heard = Callable[..., list[str]]


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Heard:
    """Return the lines that an engine hears, as the first player of a game."""
    lines: list[str] = []

    class Logging(program.Program):
        def send(self, line: str) -> None:
            lines.append(line)
            super().send(line)

    def call(options: str = "", **limits: Any) -> list[str]:
        monkeypatch.setattr(programs, "Program", Logging)
        match(f"ugi:{options} {engine(tmp_path)}", "random", **limits)
        return lines

    return call


def test_an_engine_hears_the_game_its_options_each_position_and_one_way_to_search(tmp_path: Path, heard: Heard) -> None:
    lines = heard()
    [seed] = [line for line in lines if line.startswith("setoption name Seed")]
    assert lines[:9] == [
        *("ugi", "setoption name Game value nim:3,4,5", "isready", seed, "uginewgame", "isready"),
        *("position fen 3,4,5", "isready", "go movetime 4500"),
    ]
    assert [line.split()[0] for line in lines[9:12]] == ["position", "isready", "go"]
    rules: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("--depth=7", {"move": 5.0}, "depth 7"),
        ("", {"move": 5.0, "nodes": 900}, "nodes 900"),
        ("", {"game": 60.0, "increment": 0.5}, "p1time 60000 p2time 60000 p1inc 500 p2inc 500"),
        ("", {"nodes": 0}, "movetime 1000"),
    )
    for options, limits, go in rules:
        lines.clear()
        assert next(line for line in heard(options, **limits) if line.startswith("go ")) == f"go {go}"
    lines.clear()
    assert heard("--set=Seed=7")[1] == "setoption name Seed value 7"
    with pytest.raises(InputError, match=r"first.py did not start: it has no option Seeed \(did you mean Seed\?\)"):
        parse_agent(f"ugi:--set=Seeed=7 {engine(tmp_path)}", GAME).prepare()
    name = parse_agent(f"ugi:--depth=3 --set=Seed=7 {engine(tmp_path)}", GAME).name
    assert name == f"ugi:--set=Seed=7 --depth=3 {tmp_path}/first.py" and parse_agent(name, GAME).name == name


@pytest.mark.parametrize("what", WRONG)
def test_each_fault_has_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    kind, part, code = WRONG[what]
    wrong = engine(tmp_path, what, **{part: code})
    if kind == "no-start":
        monkeypatch.setattr(programs, "USUAL", Allowance(start=1.0))
        monkeypatch.setattr(ugi, "HANDSHAKE", 0.5)
        with pytest.raises(InputError, match="did not start"):
            parse_agent(f"ugi:{wrong}", GAME).prepare()
        return
    if kind == "slow":
        monkeypatch.setattr(program, "LATE", 60.0)
    timed = kind in ("slow", "stall")
    result = match(f"ugi:{wrong}", "random", move=0.4 if timed else 60.0)
    [(_, loser, fault)] = result.sums.faults
    assert (loser, fault.kind, fault.position) == (0, kind, "3,4,5")
    assert fault.told.split("\n") == ["position fen 3,4,5", f"go movetime {360 if timed else 54000}"]


class Watching(Progress):
    def __init__(self, stop_after: int = 1 << 30) -> None:
        self.thoughts: list[Thinking] = []
        self._stop_after = stop_after

    def think(self, thinking: Any) -> None:
        self.thoughts.append(thinking())
        if len(self.thoughts) >= self._stop_after:
            raise Cancelled("think")


SEARCH = (
    "say('info depth 2 nodes 10 nps 50 score cp 12 pv c5 b4'); say('info string hello pv a1');"
    " say('info multipv 2 score mate -3 pv a1 zz'); say('info depth 3 score cp 5 lowerbound nodes 30 pv c1 nonsense')"
)


def test_what_an_engine_tells_becomes_its_thoughts(tmp_path: Path) -> None:
    agent, state, watching = parse_agent(f"ugi:{engine(tmp_path, GO=SEARCH)}", GAME), GAME.new(), Watching()
    decision = agent.decide(state, Stream(1), watching)
    c1, c5, b4, a1 = (GAME.parse_move(name, state) for name in ("c1", "c5", "b4", "a1"))
    assert [(one.move, one.line, one.done, one.depth) for one in watching.thoughts] == [
        *((c5, (c5, b4), 10, 2), (c5, (c5, b4), 10, 2), (c1, (c1,), 30, 3)),
    ]
    rated = {one.move: one for one in decision.thoughts if one.score is not None or one.value is not None}
    assert (rated[c1].score, rated[c1].bound, rated[a1].value, len(decision.thoughts)) == (5, "lower", -1.0, 12)
    assert (decision.move, decision.nodes, decision.depth, decision.line) == (c1, 30, 3, (c1,))


def test_after_a_stopped_search_the_next_answer_is_that_of_the_next_question(tmp_path: Path) -> None:
    waits = "say('info depth 1 pv a1'); sys.stdin.readline(); move = 'a3'"  # until it is told to stop
    agent = parse_agent(f"ugi:{engine(tmp_path, GO=f'if rows == [3, 4, 5]: {waits}')}", GAME)
    with pytest.raises(Cancelled):
        agent.decide(GAME.new(), Stream(1), Watching(1))
    state = GAME.new("1,4,2")
    assert GAME.move_name(agent.decide(state, Stream(1)).move, state) == "b1"


@pytest.mark.parametrize(
    ("text", "info"),
    [
        ("depth 4 score mate 7 nodes 5", Info(value=1.0, depth=4, nodes=5)),
        ("score cp -30 upperbound pv a1 b4", Info((0, 6), -30, bound="upper")),
        ("nodes 99999999999999999999 depth x score cp --5 nps", None), ("string score cp 4", None), ("pv", None),
        ("currmove a1", None), ("", None),
    ],
)  # fmt: skip
def test_invalid_parts_of_a_line_are_left_out(text: str, info: Info | None) -> None:
    assert read_info(text, GAME, GAME.new()) == info


@pytest.mark.slow
def test_nimtui_plays_against_itself_by_the_interface() -> None:
    serving = f"{sys.executable} -m nimtui serve --ugi"
    seats = f"ugi:--start=60 --set=Agent=perfect {serving}", f"ugi:--start=60 --set=Agent=random {serving}"
    one, other = match(*seats, 2), match(*seats, 2)
    assert one.faults == () and one.first_wins == 2, "the first player wins nim:3,4,5"
    assert one.transcript == other.transcript, "the same seed, the same moves"
