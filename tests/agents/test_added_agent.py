"""Adding an agent is one new file; one that is wrong gets a line."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from nimtui.agents import agent_choices, agent_forms, parse_agent, registry
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game
from tests import forks
from tests.agents import stifle

GAME = parse_game("nim:1,2,3")


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test adds is gone after it."""
    monkeypatch.setattr(registry, "_added", [])


def test_it_takes_part_like_the_others() -> None:
    with pytest.raises(InputError, match="unknown agent 'stifle'"):
        parse_agent("stifle", GAME)
    registry.add(stifle)
    registry.add(stifle)  # once more changes nothing
    assert agent_forms()[-1] == stifle.FORMS[0]
    assert agent_choices(GAME)[-1] == stifle.PRESETS[0]
    decision = parse_agent("Stifle", GAME).decide(GAME.new("0,2,3"), Stream(0))
    assert GAME.move_name(decision.move) == "c3"  # two moves are left then, three or more after any other
    with pytest.raises(InputError, match="did you mean stifle"):
        parse_agent("stiffle", GAME)


def test_the_agents_of_a_folder_take_part_and_each_wrong_one_gets_a_line(tmp_path: Path) -> None:
    source = inspect.getsource(stifle)
    wrong = {
        "lame": ("NAMES = ('lame',)\n", "lacks: FORMS, parse"),
        "taken": (
            source.replace('NAMES = ("stifle",)', 'NAMES = ("mcts",)'),
            "the name 'mcts' is taken by nimtui.agents",
        ),
        "level": (
            source.replace('NAMES = ("stifle",)', 'NAMES = ("hard",)'),
            "the name 'hard' is taken by nimtui.agents",
        ),
        "broken": ("def parse(:\n", "SyntaxError"),
    }
    for name, (text, _) in wrong.items():
        (tmp_path / f"{name}.py").write_text(text)
    shutil.copy(Path(stifle.__file__), tmp_path / "mobility.py")
    faults = registry.add_folder(tmp_path)
    assert len(faults) == len(wrong)
    for name, (_, said) in wrong.items():
        [mine] = [fault for fault in faults if f"{name}.py" in fault]
        assert said in mine and "\n" not in mine
    assert parse_agent("stifle", GAME).title == "Stifle"


@pytest.mark.slow
def test_a_file_in_the_agents_folder_appears_everywhere(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    shutil.copy(Path(stifle.__file__), tmp_path / "agents" / "mobility.py")
    words = ("match", "nim:3,4,5", "--first", "stifle", "--second", "random", "--games", "40", "--json")
    done = forks.run(
        [sys.executable, "-m", "nimtui", *words],
        env=os.environ | {"NIMTUI_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)["agents"]
    assert (first["agent"], second["agent"], first["wins"] + second["wins"]) == ("stifle", "random", 40)
