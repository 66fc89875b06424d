"""A person's own agent files: what they say of themselves is found out elsewhere, and no line of them is run here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from types import ModuleType

import pytest

from nimtui.agents import agent_forms, parse, parse_agent, presets, registry
from nimtui.check import quarantine
from nimtui.check import verdict as verdict_cache
from nimtui.cli.new import Kind, template
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from tests.games.refusal import refusal

GAME = parse_game("nim:3,4,5")
MARK = "NIMTUI_TEST_MARK"
HARMFUL = f"""
import atexit, os, signal, sys, threading, time
with open(os.environ["{MARK}"], "a") as file:
    file.write(f"{{os.getpid()}}\\n")
import nimtui.agents.parse
nimtui.agents.parse.parse_agent = None
threading.Thread(target=time.sleep, args=(60,)).start()
signal.signal(signal.SIGINT, signal.SIG_IGN)
atexit.register(lambda: 1 / 0)
os.chdir("/")
sys.stdout = None
os.close(1)
os.fork()
"""


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of its own, and the file in which agents leave numbers of processes."""
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(verdict_cache.PLACE, str(tmp_path / "own"))
    monkeypatch.setenv(MARK, str(tmp_path / "home" / "agents" / "mark"))
    monkeypatch.setattr(registry, "_added", [])
    monkeypatch.setattr(registry, "_own", set())
    (tmp_path / "own").mkdir()
    (tmp_path / "home" / "agents").mkdir(parents=True)
    yield tmp_path / "home" / "agents" / "mark"
    for name in [name for name in sys.modules if name.startswith("nimtui_agents_")]:
        del sys.modules[name]


def write(mark: Path, name: str, first: str = "", **changed: str) -> Path:
    path = mark.parent / f"{name}.py"
    text = first + template(Kind.AGENT, name)
    path.write_text(text + "".join(f"\n{word} = {value}\n" for word, value in changed.items()))
    return path


def added(mark: Path) -> list[str]:
    return quarantine.add_folder(mark.parent, "agent", registry.add_folder)


def numbers(mark: Path) -> list[int]:
    return [int(line) for line in mark.read_text().split()]


def test_no_line_of_an_agents_file_is_run_here_and_what_is_found_out_lasts_with_the_verdict(mark: Path) -> None:
    write(mark, "mine", HARMFUL, PRESETS="(('My best', 'mine'),)")
    before = (os.getcwd(), os.fstat(1), parse_agent)  # noqa: PTH109 - as a text
    assert added(mark) == []
    tried = len(numbers(mark))
    sys.modules.pop("nimtui_agents_mine")
    registry._added.clear()
    assert added(mark) == [] and len(numbers(mark)) == tried
    assert any(form.startswith("mine") for form, _ in agent_forms())
    assert ("My best", "mine") in presets()
    found = parse_agent("mine", GAME)
    assert base.legal(GAME.start, found.decide(GAME.new(), Stream(0)).move)
    assert os.getpid() not in numbers(mark) and len(numbers(mark)) >= 2
    assert (os.getcwd(), os.fstat(1), parse.parse_agent) == before  # noqa: PTH109 - as a text
    with pytest.raises(RuntimeError, match="only be created in its own process"):
        sys.modules["nimtui_agents_mine"].parse("mine", "", GAME)


NAMES, FORMS, PRESETS = (
    "NAMES must be lowercase words, for example ('stifle',)",
    "FORMS must be pairs of a form and a text, each of 1 to 200 characters",
    "PRESETS must be pairs of a title and a name, each of 1 to 200 characters",
)


def test_what_a_file_says_of_itself_must_be_what_it_should_be(mark: Path) -> None:
    good = {"NAMES": ("mine",), "FORMS": [("mine", "x" * 200)], "parse": parse_agent}
    for change, said in (
        *(({"NAMES": value}, NAMES) for value in (("Mine",), ("my own",), ("mine:x",), (), (1,))),
        *(({"FORMS": value}, FORMS) for value in ("mine", (("mine",),), (("mine", 2),), (("mine", "x" * 201),))),
        *(({"PRESETS": value}, PRESETS) for value in (7, (("", "mine"),))),
    ):
        module = ModuleType("mine")
        vars(module).update({**good, **change})
        assert refusal(registry.add, module) == f"the agent mine: {said}"
    path = write(mark, "mine", FORMS="(('mine', 2),)")
    assert added(mark) == [f"the agent file {path} cannot be used: {FORMS}"] and registry._added == []


def test_a_long_path_takes_no_room_from_what_a_check_finds(mark: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = mark.parents[1].rename(mark.parents[1].with_name("home" * 14))
    monkeypatch.setenv("NIMTUI_HOME", str(home))
    path = write(home / "agents" / "mark", "mine", FORMS="(('mine', 2),)")
    assert added(path) == [f"the agent file {path} cannot be used: {FORMS}"]


STOPS = """
import contextlib, os, signal
with contextlib.suppress(PermissionError):  # some systems refuse it
    os.kill(os.getppid(), signal.SIGSTOP)
"""


@pytest.mark.slow
def test_one_that_stops_the_process_above_it_stops_nothing_for_long(mark: Path) -> None:
    write(mark, "mine", STOPS)
    began = monotonic()
    assert added(mark) == []
    for _ in range(2):
        found = parse_agent("mine", GAME)
        assert base.legal(GAME.start, found.decide(GAME.new(), Stream(0)).move)
        found._process._end()
    assert monotonic() - began < 60
