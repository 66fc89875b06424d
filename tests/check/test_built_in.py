"""What comes with the program, and what the README and the tests show of a person's own, keeps its contract.

`nimtui check` tries the game `heaps` and the learner `reward` in tests/cli/test_own_code.py.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from nimtui.agents import registry as agents
from nimtui.agents import table
from nimtui.check import checking
from nimtui.check.quarantine import Verdict
from nimtui.check.request import Request
from nimtui.games import heaps, registry
from nimtui.learning import learner
from nimtui.learning.learner import learners
from tests.agents import stifle
from tests.games import domineering, takeaway, wythoff
from tests.learning import last, menace

GAMES, LEARNERS = registry._own(), learner._own()
BUILT_IN = [module for module in agents.modules() if module.__name__.startswith("nimtui.")]
AGENTS = [module for module in BUILT_IN if hasattr(module, "NAMES")]
SHOWN = [
    *((module, "game") for module in (wythoff, takeaway, domineering)),
    *((module, "learner") for module in (last, menace)),
    (stifle, "agent"),
]


def ask(file: str, kind: str) -> Verdict:
    source = Path(file).read_bytes() if file.endswith(".py") else b""
    return checking.check([Request(file, kind, source)])[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", [module.__name__ for module in registry._own() if module is not heaps])
def test_a_game_of_the_program_passes(name: str) -> None:
    verdict = ask(name, "game")
    assert verdict.ok, verdict.fault
    assert {"undo", "index", "end", "compiled", "parse_position", "touched"} <= {check.name for check in verdict.checks}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in learners() if name != "reward"])
def test_a_learner_of_the_program_passes(name: str) -> None:
    verdict = ask(learners()[name].__name__, "learner")
    assert verdict.ok, verdict.fault
    assert {"bounds", "own arrays", "same", "compiled"} <= {check.name for check in verdict.checks}


@pytest.mark.slow
@pytest.mark.parametrize("module", [one for one in AGENTS if one is not table], ids=lambda module: module.__name__)
def test_an_agent_of_the_program_passes(module: ModuleType) -> None:
    verdict = ask(module.__name__, "agent")
    assert verdict.ok, verdict.fault


@pytest.mark.parametrize("module", GAMES, ids=lambda module: module.__name__)
def test_a_game_of_the_program_could_be_added(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_own", lambda: tuple(one for one in GAMES if one != module))
    registry.add(module)


@pytest.mark.parametrize("module", LEARNERS, ids=lambda module: module.__name__)
def test_a_learner_of_the_program_could_be_added(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "_own", lambda: tuple(one for one in LEARNERS if one != module))
    monkeypatch.setattr(learner, "_added", [])
    learner.add(module)


@pytest.mark.parametrize("module", AGENTS, ids=lambda module: module.__name__)
def test_an_agent_of_the_program_could_be_added(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [one for one in BUILT_IN if one != module]
    monkeypatch.setattr(agents, "_built_in", lambda _: tuple(others))
    monkeypatch.setattr(agents, "_added", [])
    agents.add(module)


def test_the_order_of_agents_names_modules() -> None:
    modules = {module.__name__.rpartition(".")[2] for module in BUILT_IN}
    assert set(agents.ORDER) <= modules


@pytest.mark.slow
@pytest.mark.parametrize(("module", "kind"), SHOWN, ids=[module.__name__ for module, _ in SHOWN])
def test_what_is_shown_of_ones_own_passes(module: object, kind: str) -> None:
    verdict = ask(str(Path(str(module.__file__))), kind)  # type: ignore[attr-defined]
    assert verdict.ok, verdict.fault
