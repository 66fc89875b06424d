"""What comes with the program, and what the README and the tests show of a person's own, keeps its contract.

`nimtui check` tries the game `redblue` in tests/cli/test_own_code.py.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from nimtui.agents import program, student, table, ugi
from nimtui.agents import registry as agents
from nimtui.check import quarantine
from nimtui.check.verdict import Request, registry_of
from nimtui.engine import probe
from nimtui.games import connect, parse_game, registry
from nimtui.learning import learner
from nimtui.learning.learners import linear, net
from nimtui.process.plugins import OwnFile
from tests.agents import stifle
from tests.check.here import check_here
from tests.games import domineering, takeaway, wythoff
from tests.learning import last, menace, total

BUILT_IN = [module for module in agents.modules() if module.__name__.startswith("nimtui.")]
OWN = {
    "game": registry._own(),
    "learner": learner._own(),
    "agent": tuple(module for module in BUILT_IN if hasattr(module, "NAMES")),
}
PLAYED = {  # rules of each contract that only games show
    "game": {"undo", "index", "end", "parse_position", "touched"},
    "learner": {"bounds", "own arrays", "same"},
    "agent": {"legal", "state", "same", "policy"},
    "function": {"follows", "gradient", "images", "same"},
}
OWN_LEARNERS = (last, menace, total)
SHOWN = [
    *((module, "game") for module in (wythoff, takeaway, domineering)),
    *((module, "learner") for module in OWN_LEARNERS),
]
FILES = (table, program, student, ugi)  # their agents are files, which tests of their own play
OF_THE_PROGRAM = [(module, kind) for kind, modules in OWN.items() for module in modules if module not in FILES]
ALL = [
    pytest.param(
        module, kind, marks=[pytest.mark.slow] * (kind == "agent" or module in (linear, net)), id=module.__name__
    )
    for module, kind in (*OF_THE_PROGRAM, *SHOWN, (stifle, "agent"))
]


def request(module: ModuleType, kind: str) -> Request:
    path = Path(str(module.__file__))
    own = module.__name__.startswith("nimtui.")
    return Request(OwnFile(kind, Path(module.__name__), b"") if own else OwnFile(kind, path, path.read_bytes()))


@pytest.mark.parametrize(("module", "kind"), ALL)
def test_it_keeps_its_contract(module: ModuleType, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = check_here(request(module, kind), monkeypatch)
    assert findings.broken == {} and findings.tried >= PLAYED["function" if hasattr(module, "function") else kind]


@pytest.mark.slow
def test_it_passes_in_a_sandbox_compiled_too() -> None:
    verdicts = quarantine.checked([request(wythoff, "game"), request(connect, "game")])
    assert all(verdict.ok and "compiled" in {check.name for check in verdict.checks} for verdict in verdicts), verdicts


@pytest.mark.parametrize(("module", "kind"), OF_THE_PROGRAM, ids=[module.__name__ for module, _ in OF_THE_PROGRAM])
def test_it_could_be_added(module: ModuleType, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    others = tuple(one for one in OWN[kind] if one is not module)
    monkeypatch.setattr(registry, "_own", lambda: others if kind == "game" else OWN["game"])
    monkeypatch.setattr(learner, "_own", lambda: others if kind == "learner" else OWN["learner"])
    monkeypatch.setattr(agents, "_built_in", lambda _: tuple(one for one in BUILT_IN if one is not module))
    monkeypatch.setattr(learner, "_added", [])
    monkeypatch.setattr(agents, "_added", [])
    registry_of(kind).add(module)


def test_the_order_of_agents_names_modules() -> None:
    assert set(agents.ORDER) <= {module.__name__.rpartition(".")[2] for module in BUILT_IN}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("def changes(state, move, i):\n    return -1", "changes input 0, which is not listed"),
        ("def changes(state, move, i):\n    return 0 if i < 2 else -1", "changes lists [0, 0]"),
        ("def levels(state):\n    return [2, 2]", "its levels allow 0 to 1"),
        ("def levels(state):\n    return [9]", "levels must be 2 whole numbers"),
        ("def side(state):\n    return 2", "it must be 0 or 1"),
        ("def symmetries(state):\n    return [[0, 0]]", "must be permutations"),
    ],
)
def test_what_a_game_says_of_its_inputs_is_checked(
    words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "wythoff.py"
    file.write_text(f"{Path(str(wythoff.__file__)).read_text('utf-8')}\n\n{words}\n", "utf-8")
    broken = check_here(Request(OwnFile("game", file, file.read_bytes())), monkeypatch).broken
    assert says in broken["inputs"].text, broken


def test_an_answer_follows_every_legal_move() -> None:
    start = parse_game("nim:3,5").start
    [answer] = probe.interpreted_answers(start, start.board[None], 100)
    assert answer[probe.WORDS.index("following")] == answer[probe.WORDS.index("legal")] != 0
