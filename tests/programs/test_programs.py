"""A program in any language plays, each of its faults has a kind, and nothing of it is left."""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from nimtui.agents import parse_agent
from nimtui.agents import program as programs
from nimtui.agents.program import ProgramAgent, called
from nimtui.arena.play.batch import Batch
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.match import MatchResult, play_match
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.progress import Cancelled, Progress
from nimtui.sandbox import closing, command, program
from nimtui.sandbox.command import ProgramFault
from nimtui.sandbox.program import Allowance, held
from nimtui.store.rows import Fault, unpacked
from tests.check.here import in_a_copy
from tests.programs.bots import FIRST, HOSTILE, hostile, script, sound

GAME = parse_game("nim:3,4,5")
LIMIT = 0.4


def games_of(agent: str, other: str, number: int = 1, seconds: float = 20.0, rule: str = "game") -> MatchResult:
    first, second = parse_agent(agent, GAME), parse_agent(other, GAME)
    return play_match(GAME, first, second, number, alternate=number > 1, limits=Limits(seconds), fault=rule)


def processes_of(folder: Path) -> list[str]:
    """Return the command lines of processes that run something in this folder."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line and "sandbox.server" not in line:  # bubblewrap has the names of folders
            lines.append(line)
    return lines


@pytest.mark.parametrize("language", FIRST)
def test_a_program_in_any_language_plays_the_moves_it_answers(tmp_path: Path, language: str) -> None:
    name = sound(tmp_path, language)
    if not name:
        pytest.skip(f"no {language} here")
    result = games_of(name, name, 2)
    expected = ["a1", "a1", "a1", *["b1"] * 4, *["c1"] * 5]  # always the first legal move
    assert list(result.transcript) == expected and result.faults == ()
    assert (result.first_wins, result.second_wins) == (0, 2) and not any(result.sums.faults)


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are listed in /proc")
@pytest.mark.parametrize("what", [what for what in HOSTILE if what != "takes memory"])
def test_each_fault_ends_its_game_with_its_kind(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, home = HOSTILE[what][0], tmp_path / "home"
    monkeypatch.setattr(programs, "USUAL", Allowance(start=1.0 if kind == "no-start" else 30.0))
    monkeypatch.setattr(program, "LATE", 30.0 if kind == "slow" else 0.25)  # the machine may be busy
    home.mkdir()
    name = hostile(tmp_path, what, LIMIT, home)
    result = games_of(name, "perfect", seconds=LIMIT if kind in ("stall", "slow") else 30.0)
    [(number, loser, fault)] = result.sums.faults
    assert (number, loser, fault.kind, result.second_wins) == (0, 0, kind, 1)
    assert fault.text.startswith(Path(name).name) and fault.position == "3,4,5" and '"nim:3,4,5"' in fault.told
    if what == "dies":
        assert fault.errors == ("last words",)
    if what == "answers illegally":
        assert fault.answer == "c9" and "c9" in fault.text
    if what == "writes and connects" and not closing.open_to(held()):
        refused = "file 13" if "Landlock" in held() else "file 30"  # bubblewrap shows the folder as read-only
        assert fault.errors == (refused, "socket 13") and not list(home.iterdir())
    assert not processes_of(tmp_path)


QUESTIONS = "import json, sys, time\nfor line in sys.stdin:\n    question = json.loads(line)\n"
TWICE = """import json, os, sys, time
for line in sys.stdin:
    question = json.loads(line)
    move = f"{question['moves'][0]}\\n".encode()
    os.write(1, move)
    if question["position"] == sys.argv[1]:
        time.sleep(0.05)
        os.write(1, move)
"""


@pytest.mark.parametrize(
    ("position", "loser", "moves"),
    [
        ("3,4", 0, []), ("1,4", 0, ["a1", "a1"]), ("0,2", 1, ["a1"] * 3 + ["b1"] * 2),
        ("0,1", 0, ["a1"] * 3 + ["b1"] * 3),
    ],
)  # fmt: skip
def test_a_second_answer_that_comes_late_is_a_fault_in_the_position_that_has_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, position: str, loser: int, moves: list[str]
) -> None:
    """Both play the first legal move. The second answer is there before the next question, or the end of the game."""

    def after_it(name: str) -> None:
        method = getattr(ProgramAgent, name)

        def waiting(agent: ProgramAgent, *more: Any) -> Any:
            while agent._latest and f'"position": "{position}"' in agent._latest[0] and not agent._running.unasked():
                sleep(0.01)
            return method(agent, *more)

        monkeypatch.setattr(ProgramAgent, name, waiting)

    name = script(tmp_path, "twice", TWICE)
    after_it("choose")
    if position == "0,1":  # the last question of the last game: its second answer is waited for
        monkeypatch.setattr(programs, "SETTLES", 30.0)
    else:
        after_it("finish")
    game, batches = parse_game("nim:3,4"), list[Batch]()
    agents = [parse_agent(f"{name} {position if seat == loser else 'never'}", game) for seat in (0, 1)]
    result = play_match(game, *agents, 1, limits=Limits(20.0), keep=batches.append)
    [(_, wrong, fault)] = result.sums.faults
    assert (wrong, fault.kind, fault.position) == (loser, "unreadable", position)
    assert f'"position": "{position}"' in fault.told and len(set(fault.answer.split())) == 1 < len(fault.answer.split())
    assert list(result.transcript) == moves and (result.first_wins, result.second_wins) == (loser, 1 - loser)
    assert batches[0].own.tolist() == [[len(moves) - len(moves) // 2, len(moves) // 2]]


AGAIN = """import json, os, sys, time
before = b""
for line in sys.stdin:
    os.write(1, before)
    time.sleep(0.02)
    before = f"{json.loads(line)['moves'][-1]}\\n".encode()
    os.write(1, before)
"""


def test_a_second_answer_counts_before_an_illegal_move_and_before_the_fault_of_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "SETTLES", 30.0)
    [(_, _, fault)] = games_of(script(tmp_path, "again", AGAIN), "perfect").sums.faults
    assert (fault.kind, fault.answer.split()[0], len(fault.answer.split())) == ("unreadable", "c5", 2)
    twice = script(tmp_path, "twice", TWICE)
    result = games_of(f"{twice} 3,4,5", hostile(tmp_path, "dies", LIMIT, tmp_path))
    [(_, loser, fault)] = result.sums.faults
    assert (loser, fault.kind, fault.position, result.transcript) == (0, "unreadable", "3,4,5", ())


def test_a_program_that_takes_too_much_memory_is_ended(tmp_path: Path) -> None:
    takes = "import time\ninput()\nwhole = bytearray(400 << 20)\ntime.sleep(1000)"
    found = command.parse_command(script(tmp_path, "large", takes).removeprefix("cmd:"))
    running = program.Program(found, Allowance(memory=100 << 20))
    running.send("?")
    with pytest.raises(ProgramFault, match="needed more than 100 MiB") as fault:
        running.receive(60.0)
    assert fault.value.kind == "memory" and not running.runs


def test_a_program_that_does_not_start_loses_its_games_and_ends_no_match(tmp_path: Path) -> None:
    path = tmp_path / "headless"
    path.write_text("hello\n")
    path.chmod(0o755)
    result = games_of(f"cmd:{path}", "random", 2)
    assert [(loser, fault.kind) for _, loser, fault in result.sums.faults] == [(0, "no-start")] * 2
    assert "a script needs a first line" in result.faults[0]
    [fault] = games_of(script(tmp_path, "lost", "raise SystemExit('no table')"), "random").faults
    assert fault == "lost.py did not start: it ended: exit status 1: no table"


def test_a_question_has_the_game_the_position_the_moves_and_the_time(tmp_path: Path) -> None:
    echo = script(tmp_path, "echo", "import sys\nfor line in sys.stdin: print(line.strip())")
    path = echo.removeprefix("cmd:")

    def told(name: str) -> str:
        return games_of(name, "perfect", seconds=5.0).sums.faults[0][2].told

    question = json.loads(told(echo))
    seed = question.pop("seed")
    moves = [f"{row}{number}" for row, most in zip("abc", (3, 4, 5), strict=True) for number in range(1, most + 1)]
    assert question == {"game": "nim:3,4,5", "position": "3,4,5", "moves": moves, "time": 5.0} and 0 <= seed < 2**31
    del question["moves"]
    assert json.loads(told(f"cmd:--no-moves {path}")) == {**question, "seed": seed}
    assert told(f"text:{path}") == "3,4,5"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cmd:", "a program is missing"), ("cmd:nothing-here", "no program 'nothing-here'"),
        ("cmd:'half", "invalid command"), ("cmd:/", "is a folder"),
        ("text:--no-moves ls", "unknown option of text .--no-moves."),
        ("cmd:--start=0 ls", "--start must be 0.1 to 600 seconds"), ("cmd:--restart=1 ls", "has no value"),
        ("cmd:--memory=9 --memory=8 ls", "--memory is there twice"),
        ("cmd:--name=a --name=b ls", "--name is there twice"), ("cmd:--name= ls", "--name needs a name"),
        ("ugi:", "a program is missing"), ("ugi:--depth=0 ls", "--depth must be 1 to 10000 plies"),
        ("ugi:--set=x ls", "invalid option of ugi '--set=x': expected --set=OPTION=VALUE"),
        ("ugi:--no-moves ls", "unknown option of ugi '--no-moves'"),
    ],
)  # fmt: skip
def test_what_is_no_program_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as wrong:
        parse_agent(text, GAME)
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize("word", ["cmd", "text", "ugi"])
def test_a_program_may_have_a_name_of_its_own(word: str) -> None:
    agent = parse_agent(f"{word}:--restart --name='O.k.' sh --name=other", GAME)
    assert agent.name.startswith(f"{word}:--name='O.k.' --restart /") and agent.name.endswith("sh --name=other")
    assert parse_agent(agent.name, GAME).name == agent.name
    assert called(agent.name) == agent.title == "O.k." and labels((agent.name, "random")) == ("O.k.", "random")


def test_names_hold_absolute_paths_and_tables_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a b").mkdir()
    for path in (tmp_path / "a b" / "bot.py", tmp_path / "bot.py"):
        path.write_text("print()\n")
        path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    names = [
        parse_agent(text, GAME).name
        for text in ("cmd:python3 'a b/bot.py' --deep 'x y'", "cmd:./bot.py", "cmd:bash -c :")
    ]
    assert str(tmp_path / "a b" / "bot.py") in names[0] and names[1] == f"cmd:{tmp_path}/bot.py"
    monkeypatch.chdir("/")
    assert [parse_agent(name, GAME).name for name in names] == names
    assert [called(name) for name in names] == ["bot.py", "bot.py", "bash"]
    assert labels((names[1], names[2], "perfect")) == ("bot.py", "bash", "perfect")
    assert labels(tuple(names))[:2] == tuple(names[:2]), "two files of one name are told apart"
    agent = parse_agent(names[0], GAME)
    assert isinstance(agent, ProgramAgent) and agent.command.folder == str(tmp_path / "a b")
    monkeypatch.chdir(tmp_path)
    folders = parse_agent("cmd:./bot.py . './a b' 'a b'", GAME).name
    assert folders == f"cmd:{tmp_path}/bot.py {tmp_path} '{tmp_path}/a b' 'a b'", "a word may be called as a folder is"


def test_a_new_process_for_each_game_if_asked(tmp_path: Path) -> None:
    counts = "number = 0\n" + QUESTIONS + "    number += 1\n    print(question['moves'][0] if number < 7 else 'z')"
    name = script(tmp_path, "counts", counts)
    alone, again = games_of(name, "random", 3), games_of(name.replace(":", ":--restart "), "random", 3)
    assert alone.faults and again.faults == ()


class Impatient(Progress):
    """Stops what reports to it."""

    def report(self, done: float, total: float, what: str = "") -> None:
        raise Cancelled("question")


def test_a_stopped_question_leaves_no_answer_to_the_next(tmp_path: Path) -> None:
    sleepy = script(tmp_path, "sleepy", f"{QUESTIONS}    time.sleep(0.3)\n    print(question['moves'][-1])")
    agent, state = parse_agent(sleepy, GAME), GAME.new()
    with pytest.raises(Cancelled):
        agent.decide(state, Stream(0), Impatient())
    assert not processes_of(tmp_path) and not agent.ready
    base.play(state, GAME.parse_move("c5", state))
    assert GAME.move_name(agent.decide(state, Stream(0)).move, state) == "b4", "not the c5 of the first question"


def test_a_fault_is_kept_as_one_line_that_any_text_survives() -> None:
    for text in ("it broke", 'it said {"kind": "x"}', 'it said  {"kind":', ""):
        fault = Fault(text, "illegal", "3,4,5", 'told {"kind": 1}', 'a "b" \\ {"kind":', ("x", 'y {"kind":'))
        assert unpacked(fault.packed()) == fault and "\n" not in fault.packed()
    assert unpacked("an older nimtui wrote this") == Fault("an older nimtui wrote this")


def test_what_is_open_is_said() -> None:
    assert os.name != "posix" or closing.account(held()).startswith("sandbox: ")
    done = in_a_copy(lambda: closing.close_in(closing.Bounds()))
    assert {*done} <= {*held.__wrapped__()}, "a trial that is not remembered tells what closes a process in"
