"""A student's file is graded: each mistake breaks the rule that names it, and a right file none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from nimtui.check.grade import Grade, Rule, report, tried
from nimtui.cli.app import run
from nimtui.errors import InputError
from nimtui.learning.students.learner import BUILT_IN, Assignment, likeliest, read
from nimtui.progress import Cancelled, Progress
from tests.examples import few
from tests.programs.hand_ins import NIM, RIGHT_NIM, RIGHT_TICTACTOE, TICTACTOE, WRONG_NIM, WRONG_TICTACTOE

SLOW = ("learns", "minimax from the start")


def quick(name: str) -> Assignment:
    """Return a built-in assignment without its slow rules; a rule may take 2 s."""
    rules = read(BUILT_IN[name]).rules
    return replace(
        read(BUILT_IN[name]), rules=tuple({**rule, "seconds": 10} for rule in rules if rule["name"] not in SLOW)
    )


def grade(file: Path, assignment: Assignment) -> Grade:
    """Return which rules of the assignment a file breaks."""
    return Grade(assignment, file, tuple(tried(file, assignment)))


def broken(result: Grade) -> dict[str, str]:
    return {rule.name: rule.example for rule in result.rules if not rule.ok}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "old", "new"),
    [
        *(("nim", NIM, *change[:2]) for change in few([("", "")], [*RIGHT_NIM.values()])),
        *(("tictactoe", TICTACTOE, *change) for change in few([("", "")], [*RIGHT_TICTACTOE.values()])),
    ],
)
def test_a_right_file_keeps_every_rule(tmp_path: Path, name: str, text: str, old: str, new: str) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(text.replace(old, new))
    result = grade(file, quick(name))
    assert not broken(result) and len(result.rules) == len(quick(name).rules) + 1
    assert likeliest(result.file) is not None and likeliest(result.file).path.stem == name


@pytest.mark.parametrize(("own", "name"), [(4, "tictactoe"), (3, None)])
def test_a_file_is_of_the_assignment_of_which_it_has_the_larger_share(
    tmp_path: Path, own: int, name: str | None
) -> None:
    file, nim = tmp_path / "mine.py", "class NimAI:\n    def update(self): pass\n    def get_q_value(self): pass\n"
    words = ["train", *("player", "actions", "result", "winner")[:own], *["Nim"] * (own > 3)]
    file.write_text(nim + "".join(f"def {word}(): pass\n" for word in words))  # of Nim it has 5 of 9 words, or 4
    found = likeliest(file)  # of Tictactoe 4 of 7, or 3
    assert (found and found.path.stem) == name


@pytest.mark.parametrize(
    ("text", "said"),
    [("def f(:\n", "is not Python: invalid syntax (mia.py, line 1)"), ("x = 1\n", "resembles no assignment")],
)
def test_a_file_of_no_assignment_is_refused_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (tmp_path / "mia.py").write_text(text)
    assert run(["grade", str(tmp_path / "mia.py")]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [*WRONG_NIM, *WRONG_TICTACTOE])
def test_each_mistake_breaks_the_rule_that_names_it(tmp_path: Path, wrong: str) -> None:
    name, text = ("nim", NIM) if wrong in WRONG_NIM else ("tictactoe", TICTACTOE)
    old, new, broken_rule = (WRONG_NIM | WRONG_TICTACTOE)[wrong]
    assert old in text
    (tmp_path / "hand_in.py").write_text(text.replace(old, new))
    rules = tuple({**rule, "each": 1.0} for rule in quick(name).rules if rule["name"] == broken_rule)
    assert broken_rule in broken(grade(tmp_path / "hand_in.py", replace(quick(name), rules=rules)))


def test_the_example_is_the_smallest_and_names_the_values(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text(NIM.replace("return self.q.get((tuple(state), action), 0)", "return 7"))
    first = replace(quick("nim"), rules=quick("nim").rules[:2])
    examples = broken(grade(tmp_path / "nim.py", first))
    assert examples["unknown value"] == "a value that was never learnt is 0; of [1] and (0, 1) it is 7"
    assert examples["known value"] == "q has 0.5 for ((2,), (0, 1)); get_q_value returns 7"


@pytest.mark.slow
@pytest.mark.parametrize("what", few(["as it is"], [*RIGHT_NIM]))
def test_what_right_files_reach_is_measured(tmp_path: Path, what: str) -> None:
    learns = next(rule for rule in read(BUILT_IN["nim"]).rules if rule["name"] == "learns")
    least = min(share for *_, share in RIGHT_NIM.values())
    assert learns["for"] == "seed in range(20)" and len(RIGHT_NIM) == 5
    assert f"five right files reached {least:g} to 1 with seeds 0 to 19" in learns["say"]
    old, new, reached = RIGHT_NIM[what]
    (tmp_path / "nim.py").write_text(NIM.replace(old, new))
    seeds = few("seed in [1, 0]", learns["for"])  # those of the least and the greatest, of the file as it is
    one = replace(quick("nim"), rules=({**learns, "for": seeds},))
    assert grade(tmp_path / "nim.py", one).rules[-1].reached == (reached, 1.0)


OWN = """
title = "Twice"
needs = ["twice"]
rules = [
  { name = "doubles", for = "n in [0, 1]", try = "twice(n)", right = "2 * n", say = "twice({n}): {right}, not {got}" },
]
"""


def test_a_teacher_adds_an_assignment_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "twice.toml").write_text(OWN)
    (tmp_path / "wrong.py").write_text("print('noise')\ndef twice(number):\n    print(input)\n    return number ** 2\n")
    (tmp_path / "right.py").write_text("def twice(number):\n    return number + number\n")
    command = ["--assignment", str(tmp_path / "twice.toml"), "--json"]
    assert run(["grade", str(tmp_path / "right.py"), *command]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    assert run(["grade", str(tmp_path / "wrong.py"), *command]) == 1
    document = json.loads(capsys.readouterr().out)
    rule = {"name": "doubles", "ok": False, "example": "twice(1): 2, not 1", "reached": None, "cases": None}
    assert document["rules"][1] == rule


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("needs = [", "is not TOML"),
        ("needs = []", "needs must be a list of names"),
        ("needs = ['f']\nrule = 1", "unknown key"),
        ("needs = ['f']\nrules = [{name = 'a', try = 'f('}]", "a lacks: say"),
        ("needs = ['f']\nrules = [{name = 'a', try = 'f(', say = 's'}]", "is not a Python expression"),
        ("needs = ['f']\nrules = [{name = 'a', try = 'f()', say = '{other}'}]", "other"),
        ("needs = ['f']\nrules = [{name = 'a', try = 'f()', say = 1}]", "say of a must be a text"),
        ("needs = ['f']\ntitle = 1", "title must be a text"),
    ],
)
def test_a_wrong_assignment_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"own\.toml") as fault:
        read(path)
    assert words in str(fault.value) and "\n" not in str(fault.value)


SLOW_ONE = """
needs = ["f"]
rules = [
  { name = "ends", for = "n in [1, 2, 3]", try = "f(n)", right = "n", each = 1.5, say = "f({n}) is {got}" },
  { name = "ends in all", for = "n in [4] * 99", try = "f(n)", right = "n", seconds = 0.4, say = "f({n}) is {got}" },
  { name = "goes on", for = "n in [5]", try = "f(n)", right = "n", say = "f({n}) is {got}" },
]
"""


@pytest.mark.slow
def test_a_slow_case_is_named_and_a_stop_leaves_the_rules_before_it(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(SLOW_ONE)
    (tmp_path / "hand_in.py").write_text(
        "import time\ndef f(n):\n    time.sleep({2: 60, 4: 0.05}.get(n, 0))\n    return n\n"
    )
    assignment = read(tmp_path / "own.toml")
    assert broken(grade(tmp_path / "hand_in.py", assignment)) == {
        "ends": "n = 2: no end within 1.5 s",
        "ends in all": "n = 4: the rule does not end within 0.4 s",
    }

    class Stopping(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            assert total == 4 and done < 4
            if what == "ends in all":
                raise Cancelled

    rules: list[Rule] = []
    with pytest.raises(Cancelled):
        rules.extend(tried(tmp_path / "hand_in.py", assignment, Stopping()))
    result = Grade(assignment, tmp_path / "hand_in.py", tuple(rules))
    assert [rule.name for rule in rules] == ["defines", "ends"] and result.left == 2
    assert "Stopped: 2 of 4 rules were tried, 1 of them broken." in str(report(result))


def test_an_exception_is_named_with_its_case_and_not_as_a_value(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(OWN)
    (tmp_path / "hand_in.py").write_text("def twice(n):\n    return 0 if n == 0 else 1 / 0\n")
    result = grade(tmp_path / "hand_in.py", read(tmp_path / "own.toml"))
    assert broken(result) == {"doubles": "n = 1: ZeroDivisionError: division by zero, instead of 2"}
