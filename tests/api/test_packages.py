"""An installed package adds a game, a learner and an agent by its entry points."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimtui.cli.new import Kind, template
from nimtui.process import plugins
from tests import forks

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
