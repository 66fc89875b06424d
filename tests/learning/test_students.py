"""Assignments, and what runs a student's file, here in this process: expressions, rules, trainings, what is kept."""

from __future__ import annotations

import io
import json
import math
import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace as Plain
from typing import Any

import numpy as np
import pytest

from nimtui.engine.graph import node_at
from nimtui.games import base, parse_game
from nimtui.learning.graph_table import on_graph
from nimtui.learning.students import games as games_of_files
from nimtui.learning.students import host, learner
from nimtui.learning.students.games import StudentGames
from nimtui.learning.students.learner import StudentFile
from nimtui.learning.table import Table
from nimtui.sandbox.command import FaultKind, ProgramFault
from nimtui.theory.truth import truth
from tests.games.refusal import refusal

FILE = """
import random
limit = 3

def double(n):
    return {7: 15}.get(n, 2 * n) if n < 8 else 1 / (8 - n)

def draw():
    return random.random()

class Ai:
    def __init__(self, games):
        self.games = games
"""
TRAIN = "for game in range(3):\n    between(lambda: {'seen': game})\nai = Ai(3)"


class Pipe(io.StringIO):
    """What is written arrives when it is flushed."""

    arrived = ""

    def flush(self) -> None:
        self.arrived = self.getvalue()


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Ask a host of this file, and return the lines that it writes and the status with which it ended, or None."""
    (tmp_path / "mine.py").write_text(FILE)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "mine", raising=False)

    def ask(*questions: dict[str, Any], setup: str = "", start: str = "") -> tuple[list[Any], int | None]:
        lines, answers, ended = io.StringIO("".join(f"{json.dumps(one)}\n" for one in questions)), Pipe(), []
        monkeypatch.setattr(host, "streams", lambda: (lines, answers))
        monkeypatch.setattr(sys, "argv", ["host.py", str(tmp_path / "mine.py"), setup, start, TRAIN])
        monkeypatch.setattr(os, "_exit", ended.append)
        host.main()
        assert sys.argv == [str(tmp_path / "mine.py")] and sys.path[0] == str(tmp_path)
        return [json.loads(line) for line in answers.arrived.splitlines()], ended[0] if ended else None

    yield ask
    sys.modules.pop("mine", None)


def code(text: str, **names: Any) -> dict[str, Any]:
    return {"code": text, "names": names, "seed": 5}


def test_an_expression_has_a_value_or_what_it_raised_and_draws_by_its_seed(told: Any) -> None:
    asked = ("double(n)", "'as it is'", "draw()", "draw()", "double(8)", "extra + limit + more")
    lines, status = told(*(code(text, n=4) for text in asked), setup="extra = 40", start="more = extra + module.limit")
    drawn = repr(random.Random(5).random())
    values = [{"value": value} for value in ("8", "as it is", drawn, drawn)]
    assert (lines, status) == ([*values, {"raised": "ZeroDivisionError: division by zero"}, {"value": "86"}], None)
    assert len({host.moves({"random": random}, "[random.random()]") for _ in range(2)}) == 1, "chance is the same"


def of(*numbers: int) -> list[dict[str, str]]:
    return [{"n": str(number)} for number in numbers]


@pytest.mark.parametrize(
    ("rule", "number", "cases", "answer"),
    [
        ({"try": " double(n) ", "for": "n in range(3)", "right": " 2 * n "}, 3, of(0, 1, 2), {}),
        ({"try": "double(2) == 4"}, 1, [{}], {}),
        ({"try": "double(2) == 5"}, 1, [{}], {"case": {}, "got": "False", "right": "True", "raised": ""}),
        ({"try": "0.1 + 0.2", "right": "0.3"}, 1, [{}], {}),
        ({"try": "0.1 + 0.2", "right": "0.3001"}, 1, [{}], {"got": "0.3", "right": "0.3001"}),
        ({"try": "[1]", "right": "[1.0]"}, 1, [{}], {}),
        (
            {"try": "double(n)", "for": "n, m in [(6, 1), (7, 2), (1, 3)]", "right": "2 * n"},
            *(3, [{"n": "6", "m": "1"}, {"n": "7", "m": "2"}]),
            {"case": {"n": "7", "m": "2"}, "got": "15", "right": "14", "raised": ""},
        ),
        ({"try": "double(n)", "for": "n in (3, 1, 2)", "right": ">= n + 1"}, 3, of(3, 1, 2), {"reached": [2, 6]}),
        ({"try": "double(n)", "for": "n in (0, 1, 2)", "right": "<= 0"}, 3, of(0, 1), {"got": "2", "right": "<= 0"}),
        ({"try": "double(8)"}, 1, [{}], {"got": "an error", "raised": "ZeroDivisionError: division by zero"}),
        ({"try": "exit(3)"}, 1, [{}], {"got": "an error", "raised": "SystemExit: 3"}),
        ({"try": "'x' * 400", "right": "''"}, 1, [{}], {"got": repr("x" * 400)[:299] + "…", "right": "''"}),
        ({"try": "1", "for": "n in none"}, 0, [], {"wrong": "for raises NameError: name 'none' is not defined"}),
        ({"try": "1", "right": "none"}, 1, [{}], {"wrong": "right raises NameError: name 'none' is not defined"}),
    ],
)
def test_a_rule_holds_or_has_a_first_case_in_which_it_is_broken(
    rule: dict[str, str], number: int, cases: list[dict[str, str]], answer: dict[str, Any], told: Any
) -> None:
    (*started, found), status = told({"rule": rule})
    assert started == [{"at": at, "of": number, "case": case} for at, case in enumerate(cases)] and status is None
    assert answer.items() <= found.items() and ("right" in found) == ("got" in answer)
    assert found.get("cases", number) == number


def test_a_training_waits_between_its_games_and_is_kept_as_it_plays(told: Any) -> None:
    lines, _ = told({"games": 2}, {"games": 5}, {"games": 9}, {"keep": "[ai.games]"}, {"keep": "none"})
    waits = [{"games": 2, "done": False, "seen": 2}, *[{"games": 3, "done": True, "seen": 2}] * 2]
    kept = lines[3]
    assert lines[:3] == waits and kept["moves"] != "" and lines[4] == {}
    for text, moves, restored in ((kept["ai"], "[ai.games]", True), (kept["ai"], "[4]", False), ("no", "[3]", False)):
        question = {"restore": moves, "ai": text, "moves": kept["moves"]}
        [answer], _ = told(question)
        assert answer == {"restored": restored}


def test_a_file_or_a_training_that_ends_ends_the_process(told: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for questions, setup, start, said in (
        ((), "1 / 0", "", "SystemExit: setup of the assignment raises ZeroDivisionError: division by zero"),
        ((), "", "none", "NameError: name 'none' is not defined"),
        (({"games": 1},), "", "", "SystemExit"),  # no line asks for more
    ):
        assert told(*questions, setup=setup, start=start)[1] == 1
        assert capsys.readouterr().err.splitlines()[-1] == said


RULE = '[[rules]]\nname = "doubles"\ntry = "double(n)"\nsay = "double({n}) is {got}"\nfor = "n in (1, 2)"\n'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("say =", "say =", None),
        (RULE, "rules = 7\n", "rules must be a list of tables"),
        (RULE, 'train = "for"\n', "train is not Python: "),
        ("say =", 'colour = "red"\nsay =', "unknown key of the rule doubles in "),
        ("say =", "seconds = 0\nsay =", "seconds of doubles must be a number above 0"),
        ("say =", "seconds = true\nsay =", "seconds of doubles must be a number above 0"),
        ("{got}", "{got", "say of doubles: expected '}' before end of string"),
        ("{got}", "{m}", "say of doubles names {m}: one of got, n, right"),
        ('try = "double(n)"\n', "", "doubles lacks: try"),
        ('"double(n)"', '"double("', "doubles: 'double(' is not a Python expression: "),
        ('"double(n)"', "7", "try of doubles must be a text"),
    ],
)
def test_what_is_wrong_in_an_assignment_is_one_line(old: str, new: str, said: str | None, tmp_path: Path) -> None:
    path = tmp_path / "doubling.toml"
    path.write_text('needs = ["double"]\n' + RULE.replace(old, new))
    if said is None:
        read = learner.read(path)
        assert (read.title, read.needs, len(read.rules)) == ("doubling", ("double",), 1)
    else:
        assert said in refusal(learner.read, path)


def test_what_an_assignment_must_have_is_named(tmp_path: Path) -> None:
    path, needs = tmp_path / "mine.toml", 'needs must be a list of names, such as needs = ["NimAI", "NimAI.train"]'
    keys = ("title", "game", "trained", "setup", "start", "train", "alike", "move", "needs", "rules")
    for text, said in (
        *((text, f"{path}: {needs}") for text in ("", "needs = []", "needs = 7", "needs = [1]")),
        ('needs = ["a"]\nrules = [1]', f"{path}: rules must be a list of tables"),
        ('needs = ["a"]\ntitle = 7', f"{path}: title must be a text"),
        ('zzz = "red"', f"unknown key in {path} 'zzz'. Allowed: {', '.join(keys)}"),
    ):
        path.write_text(text)
        assert refusal(learner.read, path) == said
    path.write_text('needs = ["a", "a.b"]\nstart = "x = 1"\ntrain = "y = 2"')
    read, file = learner.read(path), tmp_path / "nim.py"
    assert (read.title, read.needs, read.rules, read.game, read.alike) == ("mine", ("a", "a.b"), (), "", "")
    words = (sys.executable, "-B", str(learner.FOLDER / "host.py"), str(file), "")
    commands = [read.command(file), read.command(file, "z = 3")]
    assert [each.words for each in commands] == [(*words, "", ""), (*words, "z = 3\nx = 1", "y = 2")]
    assert [each.file for each in commands] == [str(file)] * 2


def test_a_file_is_of_the_assignment_of_which_it_defines_half_or_whose_name_it_has(tmp_path: Path) -> None:
    nim, file = learner.built_in()[0], tmp_path / "mine.py"
    file.write_text("class A:\n    def b(self): pass\n    x = 1\n    class C: pass\ndef f(): pass\ny = 2\n")
    assert learner.defined(file) == {"A", "A.b", "A.C", "f"}
    tops = [need for need in nim.needs if "." not in need]
    for number in range(len(nim.needs) + 1):
        has = sorted(nim.needs, key=lambda need: need not in tops)[:number]
        bodies = {top: [need for need in has if need.startswith(f"{top}.")] for top in tops if top in has}
        methods = {
            top: "".join(f"    def {need.partition('.')[2]}(self): pass\n" for need in own)
            for top, own in bodies.items()
        }
        file.write_text("".join(f"class {top}:\n    x = 1\n{text}" for top, text in methods.items()))
        assert learner.defined(file) == set(has)
        assert learner.likeliest(file) is (nim if 2 * number >= len(nim.needs) else None)
    for name, text, found in (("nim.py", "", nim), ("nim.py", "class", nim), ("nin.py", "class", None)):
        (tmp_path / name).write_text(text)
        assert learner.likeliest(tmp_path / name) is found
    assert learner.defined(tmp_path / "gone.py") == set()
    assert refusal(learner.parsed, tmp_path / "gone.py").startswith(f"{tmp_path / 'gone.py'} cannot be read: ")
    assert refusal(learner.parsed, tmp_path / "nin.py").startswith(f"{tmp_path / 'nin.py'} is not Python: ")


def test_a_students_file_is_named_checked_and_asked(tmp_path: Path) -> None:
    file, trained = tmp_path / "a b.py", learner.built_in()[0].trained
    named = learner.parse(f"'{file}'")
    assert (named, learner.spec(named)) == (StudentFile(str(file)), f"cs50:'{file}'")
    for text in ("", "a b"):
        assert refusal(learner.parse, text) == "cs50 takes one file, for example cs50:nim.py"
    assert refusal(learner.parse, "'a") == "invalid file ''a': no closing quotation"
    other = f"files of CS50 learn {trained}, not nim:1,2"
    assert (learner.why_not(named, parse_game(trained)), learner.why_not(named, parse_game("nim:1,2"))) == (None, other)
    assert refusal(learner.check, named, parse_game(trained)) == f"no file '{file}'"
    file.write_text("")
    assert refusal(learner.check, named, parse_game("nim:1,2")) == other
    assert learner.check(named, parse_game(trained)) is None
    assert refusal(learner.update) == "a student's file learns only from its own games"
    failed, lines = list[object](), iter(('{"games": 3}', '{"a": 1}', '{"games": "x"}', "no", "7", '{"b": 2}'))
    process = Plain(
        answer=lambda text, *rest: (next(lines), text), receive=lambda *rest: (next(lines), rest),
        fail=lambda *words: failed.append(words),
    )  # fmt: skip
    assert learner.train_to(process, 3, 1.0) == {"games": 3} and learner.ask(process, {}, 2.0) == {"a": 1}
    assert learner.train_to(process, 3, 1.0) == {"games": "x"}
    assert learner.ask(process, {"q": 1}, 1.0) is learner.ask(process, {"q": 1}, 1.0) is None
    wrong = (FaultKind.UNREADABLE, "wrote where only nimtui's answers belong")
    assert failed == [(*wrong, text) for text in ("{'games': 'x'}", "no", "7")]
    assert learner.ask(process, {"q": 1}, 1.0) == {"b": 2}


# A file's own training games, with answers written here instead of a process.


def test_a_files_own_games_fill_the_table_and_what_it_does_otherwise_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, game = tmp_path / "mine.py", parse_game("nim:1,3,5,7:misere")
    file.write_text("")
    graph, asked, answers, commands = truth(game).graph, list[object](), list[Any](), list[Any]()
    table = on_graph(Table.empty(game, f"cs50:{file}", 3), graph)

    def answer(process: object, games: int, seconds: float, pause: Any) -> dict[str, Any]:
        asked.append((games, seconds, pause()))
        return answers.pop(0)

    monkeypatch.setattr(games_of_files, "Program", lambda command, allowed: commands.append((command, allowed)))
    monkeypatch.setattr(games_of_files, "train_to", answer)
    edges, moves, state = list[int](), list[list[str]](), game.new()
    while base.outcome(state) == base.GOING_ON:  # a game of first moves
        edges.append(int(graph.ptr[node_at(graph, state)]))
        moves.append([game.position_name(state), game.move_name(base.legal_moves(state)[0], state)])
        base.play(state, base.legal_moves(state)[0])
    nodes, others = [node_at(graph, game.new(place)) for place, _ in moves], np.ones(len(graph.to), np.bool_)
    others[edges] = False

    def told(games: int, done: bool = False, **more: Any) -> dict[str, Any]:
        values = [[*move, 0.5 * games, games] for move in moves]
        whole = {
            "values": [*values, ["nowhere", "a1", 1.0, 1]], "moves": moves, "games": games, "plies": 7, "done": done,
        }  # fmt: skip
        return whole | more

    own = StudentGames(graph, StudentFile(str(file)), table, 10)
    assignment = learner.built_in()[0]
    assert commands == [(assignment.command(file, "TRAIN, SEED = 10, 3"), learner.ALLOWANCE)]
    own.play(0)
    assert (asked, own.done) == ([], (0, 0))
    answers += [told(3), told(4)]
    assert own.watch(4) == (7, False) and asked == [(3, 120.0, False), (4, 120.0, False)] and own.done == (4, 14)
    assert table.cells[edges].tolist() == [2.0] * len(edges) and table.visits[edges].tolist() == [4] * len(edges)
    assert not table.cells[others].any() and not table.visits[others].any()
    episode, won = own.episode(4, 7), base.outcome(state)
    assert (episode.number, episode.nodes.tolist(), episode.edges.tolist(), episode.outcome) == (4, nodes, edges, won)
    assert (episode.before.tolist(), episode.after.tolist()) == ([1.5] * len(edges), [2.0] * len(edges))
    for more in ({"moves": []}, {"moves": [["nowhere", "a1"], *moves]}, {"moves": moves[:-1]}):
        answers.append(told(5, **more))
        own._train(5)
        assert own.episode(5, 7) is None, "it was played by other rules, or not to its end"
    for fault, said in (
        (told(6, values=[["1,1", "a1", math.inf, 1]]), "mine.py learnt inf for a1 at 1,1: no number"),
        (told(5, done=True), "mine.py: its train() ended after 5 games"),
    ):
        answers.append(fault)
        assert refusal(own.play, 1) == said
    own._done = 9
    assert refusal(own.play, 1) == "mine.py: its train() ended after 9 games"
    own._done = 5
    # It starts over for more games than it was asked to train, and must come to the same values.
    asked.clear()
    answers += [told(5), told(11)]
    own.play(6)
    assert [games for games, *_ in asked] == [5, 11] and own.done == (11, 14)
    assert commands[1][0] == assignment.command(file, "TRAIN, SEED = 20, 3") and len(commands) == 2
    reported = list[object]()
    answers += [told(11)]
    table.games = 11
    again = StudentGames(
        graph, own_file := StudentFile(str(file)), table, 10, Plain(report=lambda *w: reported.append(w))
    )
    assert again.done == (11, 7) and reported == [(0, 11, "training games")]
    answers += [told(12)]
    other = "cannot continue: mine.py learns other values now, or for more games"
    assert refusal(StudentGames, graph, own_file, table, 10) == other

    gone = StudentFile(str(tmp_path / "gone.py"))
    assert refusal(StudentGames, graph, gone, table, 10) == f"no file '{gone.file}'"

    def fails(*words: object) -> None:
        raise ProgramFault(FaultKind.DISCONNECT, "ended: exit status 1", ("first", "SyntaxError"))

    monkeypatch.setattr(games_of_files, "train_to", fails)
    assert refusal(again.play, 1) == "mine.py ended: exit status 1: SyntaxError"
    monkeypatch.setattr(games_of_files, "Program", fails)
    assert refusal(StudentGames, graph, own_file, table, 10) == "mine.py ended: exit status 1"
