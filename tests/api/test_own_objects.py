"""Objects of a person's own, and of installed packages, stand wherever a name does."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import NonCallableMock

import pytest

import nimtui
from nimtui.agents import parse_agent
from nimtui.agents import registry as agents
from nimtui.api import agents as entrants
from nimtui.api import training
from nimtui.cli.new import Kind, template
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.games import registry as games
from nimtui.learning import learner
from nimtui.process import plugins
from tests import forks
from tests.agents import stifle
from tests.learning import last

NIM = "nim:3,4,5"


def last_move(game: str, position: str) -> str:
    """Take everything from the last row."""
    return nimtui.game(game).moves(position)[-1]


def first_move(game: str, position: str) -> str:
    return nimtui.game(game).moves(position)[0]


def test_a_function_of_names_plays() -> None:
    assert nimtui.agent(last_move).choose(NIM, "1,4,5") == "c5"
    result = nimtui.match("nim:1,1", last_move, first_move, games=4)
    assert (result.losses, result.faults) == (4, [])  # two rows of one match: the second player takes the last
    assert [one["agent"] for one in result.agents] == ["last_move", "first_move"]


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("unknown", "z9", "unknown returned 'z9': unknown row Z: the rows are A to C"),
        ("nothing", None, "nothing returned None, not the name of a move"),
        ("number", 3, "number returned 3, not the name of a move"),
        ("raising", ValueError("no idea"), "raising raised ValueError: no idea"),
    ],
)
def test_a_function_that_names_no_move_loses_with_a_warning_or_raises(name: str, answer: object, said: str) -> None:
    def function(game: str, position: str) -> Any:
        if isinstance(answer, ValueError):
            raise answer
        return answer

    function.__name__ = name
    with pytest.warns(RuntimeWarning, match=re.escape(f"a game ended by a fault: {said}")) as told:
        result = nimtui.match(NIM, function, "random", games=3)
    assert (result.losses, [fault["text"] for fault in result.faults], len(told)) == (3, [said] * 3, 1)
    assert " ".join(repr(result).split()).endswith(f"ended by a fault in 3 games: {said}")
    with pytest.warns(RuntimeWarning) as told:
        standings = nimtui.tournament(NIM, [function, "random", "perfect"], games=2)
    assert len(told) == 1 and "\n4 games ended by a fault of an agent:\n" in repr(standings)
    with pytest.raises(nimtui.InputError, match=f"^{re.escape(said)}$"):
        nimtui.match(NIM, function, "random", games=3, strict=True)
    with pytest.raises(nimtui.InputError, match=f"^{re.escape(said)}$"):
        nimtui.tournament(NIM, [function, "random"], games=2, strict=True)
    assert "fault" not in repr(nimtui.match(NIM, "perfect", "random", games=3, strict=True))


def test_a_run_and_its_table_play() -> None:
    run = nimtui.train(NIM, "proof", games=2_000)
    assert nimtui.match(NIM, run, "random", games=20, alternate=True).wins > 10
    assert nimtui.agent(run).choose(NIM, "1,0,2") == nimtui.agent(run.table).choose(NIM, "1,0,2") == "c1"
    with pytest.raises(nimtui.InputError, match="is for nim:3,4,5, not for nim:1,2"):
        nimtui.match("nim:1,2", run, "random")


def test_two_runs_of_one_name_stay_two_agents() -> None:
    few, many = nimtui.train(NIM, games=3, seed=1), nimtui.train(NIM, games=3, seed=2)
    standings = nimtui.tournament(NIM, [few, many, "random"], games=4).standings
    assert len({row["agent"] for row in standings}) == 3
    assert nimtui.agent(few).name == few.as_agent() != many.as_agent()


def test_objects_play_in_this_process_only() -> None:
    with pytest.raises(nimtui.InputError, match="last_move lives in this process only: leave out workers=2"):
        nimtui.tournament(NIM, [last_move, "random"], workers=2)


def test_a_module_that_is_handed_in_lives_in_this_process_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrants, "handed_in", handed_in := list[ModuleType]())
    monkeypatch.setattr(training, "handed_in", handed_in)
    for room in (learner, agents):
        monkeypatch.setattr(room, "_added", [])
    assert not entrants.is_local(" Random ") and not entrants.is_local("q:games=5")
    assert training._learner(last) == "last" and entrants.agent_name(stifle) == "stifle"
    assert handed_in == [last, stifle]
    assert entrants.is_local("last:games=9") and entrants.is_local("Stifle")


def test_objects_of_lower_rooms_play_and_train() -> None:
    perfect = parse_agent("perfect", parse_game(NIM))
    assert nimtui.match(NIM, perfect, "random", games=4).wins == 4
    quality = learner.parse_learner("quality:margin=50")
    assert nimtui.train(NIM, quality, games=100).to_dict()["learner"] == "quality:margin=50"


Own = dict[str, ModuleType]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Own:
    """A game, a learner and an agent as modules that a program imports, and that are forgotten after the test."""
    monkeypatch.syspath_prepend(tmp_path)
    for room in (games, learner, agents):
        monkeypatch.setattr(room, "_added", [])
    found = {}
    for kind in (Kind.GAME, Kind.LEARNER, Kind.AGENT):
        name = f"own_{kind.value}"
        (tmp_path / f"{name}.py").write_text(template(kind, name), "utf-8")
        found[kind.value] = importlib.import_module(name)
    return found


@pytest.mark.slow
def test_modules_of_own_rules_learners_and_agents_stand_for_names(own: Own) -> None:
    game = nimtui.game(own["game"])
    assert game.name.startswith("own_game") and nimtui.game(game.name) == game
    assert nimtui.solve(own["game"]).outcome in ("win", "loss", "draw")
    run = nimtui.train(own["game"], own["learner"], games=100)
    assert run.learner == "own_learner"
    assert nimtui.match(own["game"], own["agent"], run, games=4).games == 4
    for here in ([own["game"], "random"], ["nim:3,4", own["agent"]], ["nim:3,4", "own_learner:games=9"]):
        with pytest.raises(nimtui.InputError, match=r"own_\w+:?\S* lives in this process only"):
            nimtui.tournament(here[0], [here[1], "perfect"], workers=2)


def test_an_own_file_that_cannot_be_used_gives_a_warning(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.api import games as room
    from nimtui.check.quarantine import add_own_files

    monkeypatch.setattr(room, "_loaded", False)
    (home / "games").mkdir(parents=True)
    (home / "games" / "bad.py").write_text("import nothing_of_this_name\n", "utf-8")
    add_own_files.cache_clear()
    try:
        with pytest.warns(UserWarning, match=r"bad\.py cannot be used"):
            assert nimtui.game(NIM).name == NIM
    finally:
        add_own_files.cache_clear()


def test_a_class_of_agents_or_what_has_every_attribute_but_no_name_is_no_agent() -> None:
    class Idle:
        name = title = "idle"
        ready = True

        def prepare(self, progress: object) -> None: ...

        def decide(self, state: object, stream: object, progress: object) -> None: ...

    with pytest.raises(InputError, match=r"^no agent: type\. An agent is a name"):
        nimtui.match("nim:3,4", Idle, "random")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no agent"):
        nimtui.match("nim:3,4", NonCallableMock(), "random")
    assert nimtui.agent(Idle()).name == "idle"  # type: ignore[arg-type]


# An installed package adds a game, a learner and an agent by its entry points.


PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "small-lab"
version = "1.2"

[project.entry-points."nimtui.games"]
pile = "small_lab.pile"
broken = "small_lab.nothing"

[project.entry-points."nimtui.learners"]
patient = "small_lab.patient"

[project.entry-points."nimtui.agents"]
careful = "small_lab.careful"

[tool.hatch.build.targets.wheel]
packages = ["small_lab"]
"""
NAMES = {Kind.GAME: "pile", Kind.LEARNER: "patient", Kind.AGENT: "careful"}
USE = """
import json, warnings
import nimtui
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    game = nimtui.game("pile:3,5")
run = nimtui.train(game, "patient", games=100)
played = nimtui.match(game, "careful", run, games=4)
print(json.dumps([game.name, run.learner, played.games, played.faults, [str(one.message) for one in told]]))
"""

Python = Callable[..., Any]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the package is installed, from its wheel."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small_lab").mkdir()
    (folder / "small_lab" / "__init__.py").touch()
    for kind, name in NAMES.items():
        (folder / "small_lab" / f"{name}.py").write_text(template(kind, name), "utf-8")
    (folder / "pyproject.toml").write_text(PROJECT, "utf-8")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(build, cwd=folder, check=True, capture_output=True, timeout=120)
    [wheel] = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def python(installed: Path, tmp_path: Path) -> Python:
    """Run Python where the package is installed."""

    def call(*words: str) -> Any:
        root = Path(__file__).parents[2]
        places = {"PYTHONPATH": f"{installed}{os.pathsep}{root}", "NIMTUI_HOME": str(tmp_path / "home")}
        command = [sys.executable, *words]
        return forks.run(command, env={**os.environ, **places}, capture_output=True, text=True, timeout=300)

    return call


def test_a_package_is_found_without_the_reader_of_packages(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not plugins.any_packaged()
    monkeypatch.syspath_prepend(installed)
    assert plugins.any_packaged()


@pytest.mark.slow
def test_the_library_knows_the_modules_of_a_package(python: Python) -> None:
    done = python("-c", USE)
    assert done.returncode == 0, done.stderr
    name, learner, games, faults, told = json.loads(done.stdout)
    assert (name, learner, games, faults) == ("pile:3,5", "patient", 4, [])
    assert told == [
        "the game broken of the package small-lab 1.2 cannot be used: ModuleNotFoundError: No module named"
        " 'small_lab.nothing'"
    ]


@pytest.mark.slow
def test_every_command_and_processes_of_a_sweep_know_them_too(python: Python) -> None:
    done = python("-m", "nimtui", "match", "pile:3,5", "--first", "careful", "--second", "patient:games=50")
    assert done.returncode == 0 and "pile:3,5" in done.stdout
    assert done.stderr.startswith("nimtui: the game broken of the package small-lab 1.2 cannot be used")

    words = "sweep pile:3,5 --learner patient --repeats 2 --games 200 --workers 2"
    done = python("-m", "nimtui", *words.split())
    assert done.returncode == 0, done.stderr
