"""What the README shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nimtui.cli.app import app, run
from nimtui.games import parse_game
from nimtui.learning import interpreted, learner
from nimtui.learning.training import Training
from tests.learning import last
from tests.learning.helpers import same_tables

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
CODE = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SHOWN = [
    shown.partition("\n")[::2]  # the command's words, what it printed
    for block in BLOCKS
    for shown in re.split(r"^\$ nimtui ", block, flags=re.MULTILINE)[1:]
]


def test_the_game_in_one_file_is_the_one_that_is_tested() -> None:
    assert CODE[0] == (ROOT / "tests" / "games" / "wythoff.py").read_text("utf-8")


def test_the_learner_in_one_file_is_the_one_that_is_tested() -> None:
    assert CODE[1] == (ROOT / "tests" / "learning" / "last.py").read_text("utf-8")


def test_the_agent_in_one_file_is_the_one_that_is_tested() -> None:
    assert CODE[2:] == [(ROOT / "tests" / "agents" / "stifle.py").read_text("utf-8")]


@pytest.mark.parametrize("name", ["nim:3,4", "connect:3x3x3"])
def test_it_learns_compiled_as_it_does_interpreted(name: str) -> None:
    learner.add(last)
    game = parse_game(name)
    training = Training(game, "last:epsilon=0.3", 4)
    training.run(400)
    assert same_tables(interpreted.train(game, "last:epsilon=0.3", 400, 4), training.table)


def test_every_command_is_named() -> None:
    commands = {command.callback.__name__ for command in app.registered_commands if command.callback}
    commands |= {group.name for group in app.registered_groups if group.name}
    assert len(commands) >= 11
    assert all(f"`nimtui {command}" in README or f"· `nimtui {command}" in README for command in commands)


@pytest.mark.parametrize(
    ("words", "output"),
    [pytest.param(words, output, id=words) for words, output in SHOWN if words.startswith("solve nim")],
)
def test_what_is_shown_is_printed(words: str, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 0
    assert capsys.readouterr().out.strip() == output.strip()


def test_the_commands_shown_exist() -> None:
    shown = {words.split()[0] for words, _ in SHOWN}
    assert shown >= {"solve", "train", "sweep", "moves", "match", "tournament", "games", "bench"}


def test_a_match_shown_is_printed_but_for_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    [(words, output)] = [shown for shown in SHOWN if shown[0].startswith("match tower:16")]
    assert run(words.split()) == 0
    printed = capsys.readouterr().out.strip()
    assert len(output.strip().splitlines()) == 6
    assert without_times(printed) == without_times(output.strip())


def without_times(text: str) -> str:
    return re.sub(r" in [\d.,]+ m?s", "", text)
