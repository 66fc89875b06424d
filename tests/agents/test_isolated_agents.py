"""A person's own agent thinks in a process of its own: whatever it does costs one answer, and is told in a line."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nimtui.agents import Thinking, Thought, parse_agent, registry
from nimtui.agents.agent import AgentFault, Clock, OverTime
from nimtui.agents.isolated import remote
from nimtui.agents.isolated.remote import RemoteAgent
from nimtui.arena.play import pairings
from nimtui.arena.play.match import play_match
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.sandbox import client
from nimtui.theory.truth import truth
from tests import forks
from tests.agents import stifle
from tests.games.refusal import refusal
from tests.jobs.test_processes import ROOT, alive
from tests.jobs.test_thinking import Listener
from tests.stops import StopAfter

pytestmark = [
    pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here"),
    pytest.mark.usefixtures("own_agents"),
]
GAME = parse_game("nim:3,4,5")
SOON = 0.3  # seconds, for what never answers


def agent(how: str) -> RemoteAgent:
    found = parse_agent(f"wayward:{how}", GAME)
    assert isinstance(found, RemoteAgent)
    return found


def process_of(found: RemoteAgent) -> int:
    return found._process._sandbox.number


def gone(process: int) -> bool:
    until = time.monotonic() + 30
    while alive(process) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(process)


def test_it_decides_as_it_would_in_this_process() -> None:
    here, apart = stifle.Stifle(), parse_agent("stifle", GAME)
    assert isinstance(apart, RemoteAgent) and (apart.name, apart.title) == ("stifle", "Stifle")
    assert not isinstance(parse_agent("random", GAME), RemoteAgent)
    streams = Stream(7), Stream(7)
    for position in ("3,4,5", "1,0,2", "0,4,4", "3,3,3"):
        state = GAME.new(position)
        one, other = here.decide(state, streams[0]), apart.decide(state, streams[1])
        assert (one.move, one.thoughts) == (other.move, other.thoughts)
        assert streams[0].counter == streams[1].counter
        assert apart.choose(state, Stream(3)) == here.decide(state, Stream(3)).move


def test_one_process_answers_all_on_copies_of_the_position_and_ends_with_its_agent() -> None:
    found, state, numbers = agent("writes"), GAME.new("1,2,3"), set()
    for seed in range(5):
        found.choose(state, Stream(seed))
        numbers.add(process_of(found))
    assert state.board.tolist() == GAME.new("1,2,3").board.tolist()
    [number] = numbers
    assert number != os.getpid() and alive(number)
    del found
    assert gone(number)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("exit", "ended without an answer: exit status 3"),
        ("none", "decided None, which is not a Decision"),
        ("illegal", "played 99, which is not legal"),
        ("endless-report", "sent an unreadable answer"),
    ],
)
def test_what_goes_wrong_is_one_line(how: str, said: str) -> None:  # of more deeds: sandbox/test_own_code.py
    found = agent(how)
    for _ in range(2):  # the second time as well, in a process that answers
        found.prepare()
        assert found.ready
        with pytest.raises(AgentFault) as fault:
            found.decide(GAME.new(), Stream(0))
        assert str(fault.value) == f"wayward:{how} {said}" and found.ready is (how in ("none", "illegal"))
    found = agent("exit-once")
    with pytest.raises(AgentFault, match="exit status 3"):
        found.choose(GAME.new(), Stream(0))
    assert base.legal(GAME.start, found.choose(GAME.new(), Stream(0)))


@pytest.mark.slow
def test_one_that_does_not_answer_is_ended() -> None:
    found = agent("loop")
    found.clock = Clock(SOON)
    found.prepare()
    process = process_of(found)
    with pytest.raises(OverTime, match=r"^wayward:loop took longer than 0\.3 s$"):
        found.choose(GAME.new(), Stream(0))
    assert gone(process)


class Impatient(Progress):
    def __init__(self) -> None:
        self.heard: list[tuple[float, float, str]] = []

    def report(self, done: float, total: float, what: str = "") -> None:
        self.heard.append((done, total, what))
        if done >= 5:
            raise Cancelled("test")


def test_its_progress_is_heard_and_it_can_be_cancelled() -> None:
    found, progress = agent("reports"), Impatient()
    found.prepare()
    process = process_of(found)
    with pytest.raises(Cancelled):
        found.decide(GAME.new(), Stream(0), progress)
    assert progress.heard[-1][1:] == (1000.0, "dreams") and gone(process)


def test_chance_of_its_own_is_the_same_in_every_process_and_another_in_every_position() -> None:
    moves = []
    for _ in range(2):
        found = agent("random")
        random.seed()
        moves.append([found.choose(GAME.new(), Stream(seed)) for seed in range(20)])
    assert moves[0] == moves[1] and len(set(moves[0])) > 3
    found, places = agent("random"), []  # 0 to 1 among the legal moves: one draw of `random` gives about the same place
    for position in ("3,4,5", "2,4,5", "3,3,5", "3,4,4", "1,4,5", "3,2,5", "3,4,3", "2,3,5"):
        legal = base.legal_moves(GAME.new(position))
        places.append(legal.index(found.choose(GAME.new(position), Stream(0))) / len(legal))
    assert max(places) - min(places) > 0.5


@pytest.mark.slow
def test_moves_of_a_table_are_looked_up_and_without_one_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found, known = agent("written"), truth(GAME)
    policy = found.policy(known)
    assert policy.edges.tolist() == known.graph.ptr[:-1].tolist() and policy.ptr[-1] == len(policy.edges)
    with pytest.raises(AgentFault, match=r"^wayward:astray has a policy with a move that is not legal$"):
        agent("astray").policy(known)
    monkeypatch.setattr(remote, "USUAL_SECONDS", SOON)
    for how in ("astray", "policy-loop", "policy-raise"):
        games = play_match(GAME, agent(how), parse_agent("random", GAME), games=200, seed=1)
        assert games.games == 200 and games.faults == ()


def test_asking_for_its_table_can_be_cancelled() -> None:
    found: Any = agent("policy-loop")
    with pytest.raises(Cancelled):
        pairings.policy_of(found, truth(GAME), StopAfter(2))


def test_an_agent_that_is_not_made_or_ready_is_told_and_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for how, said in (
        ("parse-exit", "the agent wayward ended without an answer: exit status 1"),
        ("parse-none", "the agent wayward is not an agent: None lacks a name, a title or ready"),
        ("unwanted", "nobody wants that"),
    ):
        assert refusal(agent, how) == said
    monkeypatch.setattr(remote, "LOADS", SOON)
    late = r"^the agent wayward took longer than 0\.3 s to load: put long work into `prepare`$"
    with pytest.raises(OverTime, match=late):
        agent("parse-loop")
    monkeypatch.setattr(remote, "LOADS", 1000.0)
    with pytest.raises(OverTime):
        agent("parse-loop")
    found = agent("made-once")
    found._process._end()
    for _ in range(2):  # it says so each time
        with pytest.raises(AgentFault, match=r"^wayward:made-once raised ValueError: not again$"):
            found.choose(GAME.new(), Stream(0))
        assert not found.ready
    monkeypatch.setattr(remote, "PREPARES", SOON)
    with pytest.raises(OverTime, match=r"^wayward:unready took longer than 0\.3 s$"):
        agent("unready").prepare()


def test_a_file_is_read_as_python_reads_it_and_once(own_agents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [])
    folder = own_agents.parent / "more"
    folder.mkdir()
    text = (ROOT / "tests" / "agents" / "stifle.py").read_text().replace('"stifle"', '"foreign"')
    file = folder / "foreign_letters.py"
    file.write_bytes(f"# coding: latin-1\nLETTER = 'é'\nassert len(LETTER) == 1\n{text}".encode("latin-1"))
    assert registry.add_folder(folder) == []
    file.unlink()  # what was loaded is what plays, here and in its own process
    found = parse_agent("foreign", GAME)
    assert base.legal(GAME.start, found.choose(GAME.new(), Stream(0)))
    sys.modules.pop("nimtui_agents_foreign_letters")


PARENT = """
import sys
from pathlib import Path
from nimtui.agents import Thinking, Thought, parse_agent, registry
from nimtui.engine.rng import Stream
from nimtui.games import parse_game
registry.add_folder(Path(sys.argv[1]))
game = parse_game("nim:3,4,5")
found = parse_agent("wayward:" + sys.argv[2], game)
found.prepare()
print(found._process._sandbox.number, found._process._sandbox._server._process.pid, flush=True)
found.choose(game.new(), Stream(0))
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["loop", "native"])
def test_nobody_is_left_behind_where_this_process_is_killed(tmp_path: Path, how: str) -> None:
    words = [sys.executable, "-c", PARENT, str(tmp_path / "agents"), how]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with forks.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        processes = [int(number) for number in parent.stdout.readline().split()]
        assert len(processes) == 2
        time.sleep(SOON)  # until it thinks; if it does not yet, it must end as well
        parent.send_signal(signal.SIGKILL)
    assert all(map(gone, processes))


def test_its_thoughts_arrive_as_it_offered_them_and_change_no_choice_and_an_invalid_one_is_dropped_and_told() -> None:
    told = {}
    for how in ("wayward:aloud-good", "stifle", "wayward:aloud-foreign", "wayward:aloud-raises"):
        found, listener = parse_agent(how, GAME), Listener()
        assert isinstance(found, RemoteAgent)
        decision = found.decide(GAME.start, Stream(1), listener)
        assert decision.move == found.decide(GAME.start, Stream(1)).move == found.choose(GAME.start, Stream(1))
        told[how] = listener.heard, found.faults
    thoughts, faults = told["wayward:aloud-good"]
    assert set(thoughts) == {Thinking((Thought(0, value=0.5, visits=7),), 0, (0,), 7, "dreams", 3.5, 2)} and not faults
    thoughts, faults = told["stifle"]  # the example of the documentation
    assert thoughts and not faults and {thought.move for thought in thoughts[0].thoughts} <= set(range(12))
    for how, said in (
        ("wayward:aloud-foreign", "thinks of the move 99, which is not legal"),
        ("wayward:aloud-raises", "raised ZeroDivisionError while it thought aloud"),
    ):
        thoughts, [fault] = told[how]
        assert thoughts == [] and fault.startswith(f"{how} ") and said in fault
