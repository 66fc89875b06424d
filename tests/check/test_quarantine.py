"""Verdicts: which last and for how long, and that what is run is what was checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import sleep

import pytest

from nimtui.check import quarantine
from nimtui.check import verdict as verdict_cache
from nimtui.check.verdict import Check, Imported, Request, Verdict
from nimtui.cli.new import Kind, template
from nimtui.process import plugins
from nimtui.process.plugins import OwnFile
from nimtui.sandbox import client
from nimtui.sandbox.server import FAILED
from nimtui.store import paths

ENDLESS = "import time; time.sleep(1000)\n"
SOON = 0.4  # seconds to load


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with nothing in it, and no folder of another process."""
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(quarantine.UNCHECKED, raising=False)
    monkeypatch.setenv(verdict_cache.PLACE, str(tmp_path / "own"))
    (tmp_path / "own").mkdir()
    monkeypatch.setitem(quarantine.SECONDS, "load", SOON)
    (tmp_path / "home" / "agents").mkdir(parents=True)
    return tmp_path / "home"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are checked, each time that one is."""
    names: list[str] = []
    monkeypatch.setattr(quarantine, "announce", lambda path: names.append(path.name))
    return names


def agent(home: Path, text: str = "", name: str = "mine") -> Path:
    """A file with an agent; `text` is its first line."""
    path = home / "agents" / f"{name}.py"
    path.write_text(text + template(Kind.AGENT, name))
    return path


def verdict(path: Path) -> Verdict:
    return quarantine.verdicts_of({path: path.read_bytes()}, "agent")[path]


def kept_of(home: Path) -> list[str]:
    found = (json.loads(path.read_text()) for path in (home / "checked").glob("*.json"))
    return sorted(Path(keys["path"]).name for keys in found)


@pytest.mark.slow
def test_a_file_that_is_late_is_tried_again_later_and_then_less_often(
    home: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1e9]
    monkeypatch.setattr(verdict_cache, "time", lambda: now[0])
    wrong, slow = agent(home, "import nothing_of_this_name\n", "wrong"), agent(home, ENDLESS, "slow")

    def another_process_asks() -> list[str]:
        (home / "own").mkdir(exist_ok=True)
        for path in (home / "own").iterdir():
            path.unlink()
        monkeypatch.setenv(verdict_cache.PLACE, str(home / "own"))
        asked.clear()
        assert [(verdict(path).late, verdict(path).certain) for path in (wrong, slow)] == [(False, True), (True, False)]
        return list(asked)

    assert another_process_asks() == ["wrong.py", "slow.py"] and kept_of(home) == ["slow.py", "wrong.py"]
    for waits in (600, 1200, 2400):
        now[0] += waits - 1
        assert another_process_asks() == []
        now[0] += 1
        assert another_process_asks() == ["slow.py"]
    now[0] -= 10_000  # the clock was set back
    assert another_process_asks() == ["slow.py"]
    slow.write_text(template(Kind.AGENT, "slow"))
    assert verdict(slow).loaded  # a changed file is checked at once


@pytest.mark.slow
def test_new_files_load_side_by_side_and_one_that_is_late_is_checked_no_further(
    home: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    together: list[list[str]] = []
    check = quarantine.checked

    def loading(requests: list[Request]) -> list[Verdict]:
        together.append([request.own.path.name for request in requests])
        return check(requests)

    monkeypatch.setattr(quarantine, "checked", loading)
    (home / "games").mkdir()
    (home / "games" / "endless.py").write_text(ENDLESS)
    (home / "games" / "raising.py").write_text("raise ValueError\n")
    agent(home, ENDLESS, "slow"), agent(home)
    folders = {"game": home / "games", "agent": home / "agents"}
    for _ in range(2):
        with quarantine.together(folders):
            lines = [line for kind in folders for line in quarantine.add_folder(folders[kind], kind, lambda *_: [])]
    assert together == [["endless.py", "raising.py", "mine.py", "slow.py"], ["mine.py"]] and asked == ["mine.py"]
    assert len(lines) == 3 and lines[0].endswith(
        f"endless.py cannot be used: loading does not end within 0.4 s (change it, or 'nimtui check {home}/games/"
        "endless.py' tries again)"
    )


BUSY = "import os\ndef fork(): raise BlockingIOError(11, 'busy')\nos.fork = fork\n"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        pytest.param("import os; os.kill(os.getpid(), 9)", "ended without an answer", marks=pytest.mark.slow),
        pytest.param("import time; time.sleep(1000)", "ended without an answer", marks=pytest.mark.slow),
        (BUSY + client.CODE, "cannot be checked now: BlockingIOError"),
    ],
    ids=["killed", "silent", "busy"],
)
def test_a_check_that_fails_itself_is_no_lasting_verdict(
    home: Path, monkeypatch: pytest.MonkeyPatch, code: str, says: str
) -> None:
    path = agent(home)
    with monkeypatch.context() as patch:
        client.end()
        patch.setattr(client, "CODE", code)
        patch.setattr(client, "STARTS", 0.2 if "sleep" in code else client.STARTS)
        found = verdict(path)
        client.end()
    assert says in found.fault and (found.loaded, found.certain) == (False, False)
    assert not (home / "checked").exists() and quarantine.check(str(path), "agent").ok


@pytest.mark.slow
def test_after_a_check_that_was_killed_the_next_file_is_checked(home: Path) -> None:
    path = agent(home)
    one = quarantine.FileCheck(Request(OwnFile("agent", path, ENDLESS.encode()), deep=False))
    one.sandbox._server._process.kill()
    one.sandbox._server._process.wait()
    while one.listen():
        sleep(0.01)
    assert one.verdict().fault.endswith(quarantine.UNANSWERED)
    assert quarantine.checked([Request(OwnFile("agent", path, path.read_bytes()), deep=False)])[0].loaded


def test_whatever_goes_wrong_while_a_child_runs_it_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    source = f"import os, time; open({str(told)!r}, 'w').write(str(os.getpid()) + '.'); time.sleep(1000)".encode()
    numbers = []

    def listen(one: quarantine.FileCheck) -> bool:
        while not told.exists() or not told.read_text().endswith("."):
            sleep(0.01)
        numbers.append(one.sandbox.number)
        raise ValueError("what nobody foresaw")

    monkeypatch.setattr(quarantine.FileCheck, "listen", listen)
    with pytest.raises(ValueError, match="nobody foresaw"):
        quarantine.checked([Request(OwnFile("agent", tmp_path / "mine.py", source), deep=False)])
    assert numbers == [int(told.read_text()[:-1])]
    with pytest.raises(ProcessLookupError):
        os.kill(numbers[0], 0)


@pytest.mark.parametrize(
    ("status", "certain"), [(0, True), (3 << 8, True), (FAILED << 8, False), (9, False), (11, True)]
)
def test_what_ended_the_child_from_outside_is_no_fault_of_the_file(status: int, certain: bool) -> None:
    assert quarantine.ended(status).certain == certain


@pytest.mark.slow
def test_what_is_run_is_what_was_checked(home: Path) -> None:
    sys.modules.pop("nimtui_agents_mine", None)  # of other tests
    right = agent(home).read_bytes()
    added = []

    def add(folder: Path, chosen: Mapping[Path, plugins.Chosen] | None) -> list[str]:
        agent(home, "raise ValueError\n")  # meanwhile somebody saves another text, and another file
        agent(home, "raise ValueError\n", "other")
        return plugins.add_folder(folder, "agent", added.append, chosen)

    try:
        assert quarantine.add_folder(home / "agents", "agent", add) == []
        assert [module.NAMES for module in added] == [("mine",)]
        assert plugins.source_of("nimtui_agents_mine") == right
    finally:
        sys.modules.pop("nimtui_agents_mine", None)
    assert "ValueError" in verdict(home / "agents" / "mine.py").fault
    with pytest.raises(KeyError):
        plugins.source_of("nimtui_agents_other")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["VALUE = 2\n", "raise ValueError\n", "def size(:\n"], ids=["loaded", "raising", "unparsed"]
)
def test_a_verdict_ends_when_what_the_file_imports_changes(
    text: str, home: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = home / "nimtui_test_helper.py"
    helper.write_text(text)
    monkeypatch.syspath_prepend(str(home))
    path = agent(home, "from nimtui_test_helper import VALUE\nassert VALUE == 1\n")
    assert not verdict(path).loaded and not verdict(path).loaded
    assert asked == ["mine.py"]
    helper.write_text("VALUE = 1 \n")
    assert verdict(path).loaded and verdict(path).loaded
    assert asked == ["mine.py", "mine.py"]
    helper.unlink()
    assert not verdict(path).loaded


@pytest.mark.slow
def test_one_verdict_is_kept_for_a_file_and_goes_with_it(home: Path) -> None:
    for number in range(3):
        verdict(agent(home, f"NUMBER = {number}\n"))
    verdict(agent(home, name="other"))
    (home / "checked" / "old.json").write_text('{"loaded": true}')
    assert len(list((home / "checked").iterdir())) == 3
    (home / "agents" / "other.py").unlink()
    verdict(agent(home, "NUMBER = 4\n"))
    assert kept_of(home) == ["mine.py"]


def test_the_folder_of_one_process_goes_with_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(home))
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    (home / f"{verdict_cache.PREFIX}{gone.pid}-left").mkdir()
    (home / f"{verdict_cache.PREFIX}{os.getppid()}-used").mkdir()
    verdict_cache.end()  # the folder of the process that started this one stays
    assert Path(os.environ[verdict_cache.PLACE]).is_dir()
    monkeypatch.delenv(verdict_cache.PLACE)
    folder = verdict_cache._own_folder()
    assert sorted(home.glob(f"{verdict_cache.PREFIX}*")) == sorted(
        [folder, home / f"{verdict_cache.PREFIX}{os.getppid()}-used"]
    )
    verdict_cache.end()
    assert not folder.exists()


@pytest.mark.slow
def test_an_agent_may_name_ones_own_game_while_it_is_loaded_and_is_tried_on_it(home: Path, asked: list[str]) -> None:
    path = agent(home, "from nimtui.games.registry import parse_game\nGAME = parse_game('own:3,5')\n")
    assert "unknown game 'own'" in verdict(path).fault
    (home / "games").mkdir()
    (home / "games" / "own.py").write_text(template(Kind.GAME, "own"))
    assert verdict(path).loaded
    assert asked == ["mine.py", "own.py", "mine.py"]
    refusing = "    if not game.name.startswith('own:'): raise InputError('plays own alone')\n    return Mine()"
    path.write_text(template(Kind.AGENT, "mine").replace("    return Mine()", refusing))
    found = quarantine.check(str(path), "agent")
    assert found.ok, found.fault
    path.write_text(path.read_text().replace("Decision(move,", "Decision(99,"))
    assert quarantine.check(str(path), "agent").fault.startswith("legal: mine on own:1,1 (position 1,1): it played 99")


@pytest.mark.slow
def test_a_form_that_is_found_broken_counts(home: Path) -> None:
    (home / "games").mkdir()
    path = home / "games" / "own.py"
    text = template(Kind.GAME, "own").replace(
        "    state.board[move // MOST] += move % MOST + 1",
        "    state.board[move // MOST] += move % MOST + 1 + (state.full[0] == 77)",
    )
    path.write_text(text)
    source = {path: path.read_bytes()}
    assert quarantine.verdicts_of(source, "game")[path].ok
    assert "own:77,1" in quarantine.check(str(path), "game", "own:77,1").fault
    found = quarantine.verdicts_of(source, "game")[path]
    assert not found.ok and found.fault.startswith("undo: own:77,1: undo after move")
    refused = quarantine.check(str(path), "game", "own:nothing")
    assert refused.refused and not quarantine.verdicts_of(source, "game")[path].ok


def test_where_no_process_can_be_forked_that_is_said_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent(home)
    monkeypatch.delattr(os, "fork")
    monkeypatch.setattr(quarantine, "_said", [])
    lines = [quarantine.add_folder(home / "agents", "agent", lambda folder, chosen: ["x"]) for _ in range(2)]
    assert lines == [[quarantine.NO_PROCESS, "x"], ["x"]]


@pytest.mark.slow
@pytest.mark.parametrize("what", ["deep", "pipe", "no reason", "huge", "not text"])
def test_a_kept_verdict_that_is_damaged_is_none(home: Path, asked: list[str], what: str) -> None:
    path = agent(home)
    assert verdict(path).ok
    (place,) = (home / "checked").glob("*.json")
    keys = json.loads(place.read_text())
    place.unlink()
    if what == "pipe":
        os.mkfifo(place)
    elif what == "no reason":
        place.write_text(json.dumps({**keys, "loaded": False, "ok": False, "checks": [], "missing": "a.b"}))
    else:
        place.write_bytes({"deep": b"[" * 100_000, "huge": b" " * 5_000_000, "not text": b"\xff\0"}[what])
    assert verdict(path).ok and asked == ["mine.py", "mine.py"]
    assert verdict(path).ok and len(asked) == 2  # the new one is kept in its place


@pytest.mark.parametrize("number", [10**400, float("inf"), float("nan"), None, "soon", []])
@pytest.mark.parametrize("key", ["at", "waits", "imports"])
def test_a_damaged_verdict_on_a_late_file_is_none(
    key: str, number: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(verdict_cache.PLACE, str(tmp_path))
    file = tmp_path / "slow.py"
    request = Request(OwnFile("game", file, b""))
    late = Verdict(False, False, (Check("load", False, "late"),), certain=False, late=True)
    verdict_cache.keep_verdict(request, late._replace(imports=(Imported.now(str(file)),)))
    assert verdict_cache.find_verdict(request) is not None
    for stored in (*paths.verdicts().glob("*.json"), *tmp_path.glob("*.json")):
        keys = json.loads(stored.read_text())
        keys[key] = [[str(file), number, -1]] if key == "imports" else number
        stored.write_text(json.dumps(keys))
    assert verdict_cache.find_verdict(request) is None
