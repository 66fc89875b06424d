"""A person's own files: made by `nimtui new`, checked once before they are used, left out in a line each."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.check.verdict import Check
from nimtui.cli import completion, names, new
from nimtui.cli.new import Kind, template
from nimtui.errors import InputError
from nimtui.jobs import sweep  # noqa: F401 - is not imported while a test has replaced what it imports
from nimtui.learning.learners import average
from tests.check.files import File, agent
from tests.check.misbehaving import AGENTS, DECISION, LEARNERS, LOADING, RUNNING, TRACES
from tests.check.misbehaving_games import GAMES
from tests.cli.conftest import Answer, Nimtui
from tests.cli.processes import one_by_one, run
from tests.cli.test_trouble import bound, device
from tests.examples import few

if sys.platform == "win32":
    pytest.skip("needs a fork", allow_module_level=True)

NEVER_RETURN = {"dreams", "following_loops", "holds", "play_loops", "rule_loops", "swallows", "undo_loops"}
ALONE = {"covers", "rule_leaves"}  # games that end their process, or its output
FAIL = {"divides": "failed: ZeroDivisionError", "not_a_number": "wrote nan as a score"}  # learners
LOSE = {"holding", "illegal", "leaving", "raising", "slow"} | ({"hoards"} if sys.platform == "linux" else set())
REFUSED_GAMES = {"any_word", "float_board", "parse_exits", "parse_none", "parse_raises"}  # others by their moves
PLAYED = {*REFUSED_GAMES, *ALONE, "chance"}
REFUSED = {
    "nobody": "is not an agent: None lacks a name", "untitled": "ZeroDivisionError", "two_lines": "its title",
    "wrong_kind": "TypeError",
}  # fmt: skip
HALF = "        import os\n        bytearray(os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') * 6 // 10)"
HOARDS = agent("hoards", "decide", "", (DECISION, f"{HALF}\n{DECISION}"))  # more than half of the memory
UNREADABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (Path.mkdir, "it is a folder"),
    "pipe": (os.mkfifo, "it is a pipe, not a file"),
    "socket": (bound, "no such device or address"),
    "loop": (lambda path: path.symlink_to(path), "too many levels of symbolic links"),
    "dangling": (lambda path: path.symlink_to("/nowhere"), "no such file or directory"),
    "device": (device, "it is a device, not a file"),
    "huge": (lambda path: (path.touch(), os.truncate(path, 200_000_000)), "it has 200 MB; the limit is 1 MB"),
    "süß 中": (lambda path: path.write_bytes(b"\xff"), "SyntaxError"),
    "line\nbreak\x1b[2J": (lambda path: path.write_text("raise ValueError"), "cannot be used: ValueError"),
}


def put(home: Path, files: list[File]) -> None:
    for file in files:
        path = home / f"{file.kind}s" / f"{file.name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.text.encode() if isinstance(file.text, str) else file.text)


@pytest.mark.slow
def test_every_file_that_fails_to_load_or_leaves_traces_is_one_line_of_every_command(tmp_path: Path) -> None:
    files = few([*LOADING[1::4], *TRACES[::3]], [*LOADING, *TRACES])  # tests/check looks at each
    put(tmp_path, files)
    for name, (make, _) in UNREADABLE.items():
        make(tmp_path / "games" / f"{name}.py")
    (tmp_path / "games" / "right.py").write_text(template(Kind.GAME, "right"))
    told = set[str]()
    for words in ("solve right:3,5", "train nim:1,2 --games 9"):
        answer = run(tmp_path, f"{words} --json")
        assert answer.status == 0 and answer.document["game"] in ("right:3,5", "nim:1,2")
        told.add(answer.err)
    checked = {path: path.stat().st_mtime_ns for path in (tmp_path / "checked").iterdir()}
    unknown = run(tmp_path, f"solve {files[0].name}:1")
    assert (unknown.status, unknown.out) == (2, "")
    assert checked == {path: path.stat().st_mtime_ns for path in (tmp_path / "checked").iterdir()}  # once
    [lines] = [text.splitlines() for text in told]  # the same of every command
    bad_agents = {file.name for file in TRACES if file.kind == "agent"}
    assert len(lines) == len(files) + len(UNREADABLE) - len(bad_agents) and all(len(line) < 700 for line in lines)
    for file in files:
        [mine] = [line for line in lines if f"/{file.name}.py" in line]
        assert file.says in mine and mine.startswith(f"nimtui: the {file.kind} file ")
    for name, (_, says) in UNREADABLE.items():
        [mine] = [line for line in lines if f"/{name.replace(chr(10), '‹0A›').replace(chr(27), '‹1B›')}.py" in line]
        assert says in mine


@pytest.mark.slow
def test_games_that_break_their_contract_are_played_or_end_in_one_line(tmp_path: Path) -> None:
    games = [file for file in [*GAMES, *RUNNING] if file.kind == "game" and file.name not in NEVER_RETURN]
    games = few([file for at, file in enumerate(games) if at % 3 == 0 or file.name in PLAYED], games)
    put(tmp_path, games)
    play = "--unchecked --plain play {}:3,5 --second random"
    commands = {file.name: play.format(file.name) for file in games if file.name not in ALONE}
    commands |= {f"chance{time}": play.format("chance") for time in range(few(4, 12))}  # its rules answer at random
    answers = one_by_one(tmp_path, commands)
    for name, answer in answers.items():
        assert answer.status in (0, 2) and "Traceback" not in answer.err, (name, answer.err)
        assert answer.status == 0 or name in answer.err.splitlines()[-1], (name, answer.err)
    assert {name for name, answer in answers.items() if answer.status == 2} >= REFUSED_GAMES
    ended = run(tmp_path, "--unchecked --plain play rule_leaves:3,5 --first random --second random")
    assert ended.status == 7 and "own code ended it. Own files loaded: games/" in ended.err


@pytest.mark.slow
def test_agents_that_break_their_contract_play_and_lose_or_are_refused_in_one_line(tmp_path: Path) -> None:
    agents = [*few(AGENTS[::2], AGENTS), HOARDS]
    put(tmp_path, agents)
    match = "match nim:1 --first {} --second random -n 1 --move-time 0.5 --json"
    for name, answer in one_by_one(tmp_path, {file.name: match.format(file.name) for file in agents}).items():
        refused = name in REFUSED
        assert (answer.status == 2) == refused and len(answer.err.splitlines()) == refused, (name, answer.err)
        assert REFUSED.get(name, "") in answer.err and (refused or answer.document["games"] == 1)
        assert name not in LOSE or answer.document["second_wins"] == 1


@pytest.mark.slow
def test_learners_of_ones_own_train_and_failing_ones_end_the_run_in_one_line(tmp_path: Path) -> None:
    put(tmp_path, [file for file in LEARNERS if file.name in FAIL])
    text = Path(str(average.__file__)).read_text("utf-8").replace("learner: Average", "learner: Any")
    own = text.replace('"average"', '"mean"').replace("Average(", "Mean(").replace("= Average", "= Mean")
    (tmp_path / "learners" / "mean.py").write_text(own, "utf-8")
    commands = {name: f"--unchecked train nim:1 --learner {name} --games 50 --headless" for name in FAIL}
    answers = one_by_one(tmp_path, {**commands, "mean": "train nim:2,3 -l mean -n 1000 --json"})
    assert answers["mean"].document["accuracy"] == 1
    for name, said in FAIL.items():
        assert answers[name].status == 2 and answers[name].err.count("\n") == 1 and said in answers[name].err


@pytest.mark.slow
def test_a_game_that_is_left_out_is_used_where_unchecked_ones_are_wanted(tmp_path: Path) -> None:
    put(tmp_path, [file for file in GAMES if file.name == "wrong_undo"])
    words = "match wrong_undo:1,1 --first random --second random --games 2 --json"
    left_out, by_option = run(tmp_path, words), run(tmp_path, f"--unchecked {words}")
    assert (left_out.status, left_out.err.count("\n"), by_option.status) == (2, 1, 0)
    assert "wrong_undo.py is left out: undo: wrong_undo:3,5: undo after" in left_out.err
    (tmp_path / "settings.json").write_text('{"format": 1, "unchecked": true}')
    assert run(tmp_path, words).status == 0
    solved = run(tmp_path, "--unchecked solve wrong_undo:1,1")
    assert solved.status == 2 and "undo after the move 3 from the board [0, 1] gives [0, 2]" in solved.err
    found = run(tmp_path, "check", str(tmp_path / "games" / "wrong_undo.py"), "--json")
    assert (found.status, found.err, found.document["kind"], found.document["ok"]) == (1, "", "game", False)
    example = "wrong_undo:3,5: undo after move b1 (position 3,5) gives 3,6"
    assert found.document["checks"][0] == {"name": "undo", "ok": False, "example": example}


@pytest.mark.slow
def test_listing_games_loads_no_engine(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "right.py").write_text(template(Kind.GAME, "right"))
    run(tmp_path, "games list")
    code = "import sys; from nimtui.cli.app import run; run(['games', 'list']); print('numba' in sys.modules)"
    words, home = [sys.executable, "-c", code], {**os.environ, "NIMTUI_HOME": str(tmp_path)}
    done = subprocess.run(words, env=home, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.slow
def test_faults_and_threads_of_rules_end_in_one_line(tmp_path: Path) -> None:
    thread = "import threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()\n"  # it would never end
    large = "    fair = 5 // (25 - state.full[0])\n    return fair != 99 and"
    text = template(Kind.GAME, "late").replace("    return move % MOST + 1 <=", f"{large} move % MOST + 1 <=")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "late.py").write_text(thread + text)
    for game, says in (
        ("late:25,9", "late.py: the compiled code raises ZeroDivisionError: integer division by"),
        ("late:?", "a game of late has two heaps"),
    ):
        done = run(tmp_path, f"--unchecked solve {game}")
        assert done.status == 2 and says in done.err.splitlines()[-1], done.err


@pytest.mark.slow
def test_what_agents_print_is_not_in_the_document_and_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    talk = "        print('well, let me see')\n"
    put(tmp_path, [agent("chatterbox", "decide", "", (DECISION, f"{talk}{DECISION}"))])
    (tmp_path / "games").write_text("")
    said = f"nimtui: {tmp_path / 'games'}: your own games belong into a folder of this name, but it is a file\n"
    for words in (
        "match nim:3 --first chatterbox --second random -n 2 --json",
        "tournament nim:3 -a chatterbox -a random -n 2 --json --no-save",
    ):
        answer = run(tmp_path, words)
        assert "chatterbox" in str(answer.document["agents"]) and answer.err == said


# nimtui check


@pytest.mark.slow
def test_check_finds_nothing_wrong_with_what_comes_with_the_program(nimtui: Nimtui) -> None:
    for name, tried in (
        ("redblue:1,2:misere", {"undo", "index", "end", "compiled", "parse_position", "touched"}),
        ("minimax:depth=2", set[str]()),
    ):
        found = nimtui("check", name, "--json")
        assert (found.status, found.err) == (0, "")
        assert list(found.document) == ["file", "kind", "ok", "closed_in", "checks"]
        assert found.document["ok"] and all(check["ok"] for check in found.document["checks"])
        assert tried <= {check["name"] for check in found.document["checks"]}
        assert Path(found.document["file"]).is_file()


@pytest.mark.slow
def test_an_agent_for_one_game_is_checked_on_that_game(nimtui: Nimtui, tmp_path: Path) -> None:
    assert nimtui("new agent solo").status == 0
    file = tmp_path / "home" / "agents" / "solo.py"
    refusal = (
        "    if not game.name.startswith('chomp'):\n        raise InputError('solo plays chomp alone')\n    if text:\n"
    )
    file.write_text(file.read_text("utf-8").replace("    if text:\n", refusal), "utf-8")
    answer = nimtui("check", str(file), "--json")
    assert answer.status == 0 and answer.document["ok"], answer


def test_the_file_of_a_name_or_a_path_is_found_without_running_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    for folder, text in (
        ("games", 'NAMES = ("euclid",)\nraise SystemExit'),
        ("agents", 'NAMES = ("greedy",)\nFORMS = ()\n'),
        ("learners", 'NAME = "patient"\nABOUT = "waits"\nPARAMETERS = {"wait": 1}\n'),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "own.py").write_text(text)
    game, learner, agent = (tmp_path / folder / "own.py" for folder in ("games", "learners", "agents"))
    assert names.own_paths() == [(game, "game"), (learner, "learner"), (agent, "agent")]
    assert names.find("Euclid:3") == (game, "game", str(game), "Euclid:3")
    assert names.find("greedy") == (agent, "agent", str(agent), "")
    assert names.find("patient:wait=2") == (learner, "learner", str(learner), "patient:wait=2")
    assert names.find(str(agent)) == (agent, "agent", str(agent), "")
    (tmp_path / "x.py").write_text("")
    assert names.find(str(tmp_path / "x.py"))[1] == "game"
    for name, kind, source, wanted in (
        ("nim:1,2", "game", "nimtui.games.heaps", "nim:1,2"),
        ("q", "learner", "nimtui.learning.learners.q", ""),
        ("random", "agent", "nimtui.agents.random", "random"),
    ):
        found = names.find(name)
        assert (found.kind, found.source, found.wanted) == (kind, source, wanted)
        again = names.find(str(found.path))
        assert (again.path, again.kind, again.source) == (found.path, kind, source)
    with pytest.raises(InputError, match="did you mean euclid"):
        names.find("euclit")
    about = {one.name: one for one in completion.about_learners()}
    assert about["patient"] == ("patient", "waits", ("wait",))
    assert list(about) == sorted(about) and about["average"] == ("average", average.ABOUT, ("epsilon",))
    for bad in ("(", "-" * 3_000 + "1"):  # unfinished, nested too deep
        (tmp_path / "learners" / "bad.py").write_text(f"ABOUT = {bad}")
        assert [one.name for one in completion.about_learners()] == list(about)


def test_what_an_own_file_raised_is_told_from_a_fault_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", sys)
    loaded = SimpleNamespace(path=Path("/own/mine.py"), kind="game")
    monkeypatch.setattr(names.plugins, "loaded", lambda: [loaded])

    def fault(text: str, file: str, **names: Any) -> BaseException:
        try:
            exec(compile(text, file, "exec"), names)
        except ZeroDivisionError as raised:
            return raised
        raise AssertionError

    assert names.raised(fault("1 / 0", "/own/mine.py")) and not names.raised(fault("1 / 0", "/else.py"))
    kernel: Any = lambda state: 1 / 0  # noqa: E731
    kernel.py_func = None
    module = names.plugins.module_name(loaded.path, "game")
    mine = type("Mine", (), {"__module__": module})()
    assert names.compiled_fault(ZeroDivisionError()) == ""
    interpreted = fault("def f(state):\n return 1 / 0\nf(state)", "/engine.py", state=mine)
    assert names.compiled_fault(interpreted) == ""
    callers = "def f(state):\n if state: raise ZeroDivisionError('by zero')\n kernel()\nf(state)"
    said = "the game file /own/mine.py: the compiled code raises ZeroDivisionError: by zero"
    assert names.compiled_fault(fault(callers, "/engine.py", state=mine, kernel=kernel)) == said
    held = SimpleNamespace(inside=mine)
    assert names.compiled_fault(fault(callers, "/engine.py", state=held, kernel=kernel)) == said
    assert names.compiled_fault(fault(callers, "/engine.py", state=1, kernel=kernel)) == ""


def test_own_files_are_loaded_once_and_their_faults_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    installed, begun, said = [False], list[object](), "the game file x.py cannot be used"
    monkeypatch.setattr("nimtui.process.plugins.any_packaged", lambda: installed[0])
    monkeypatch.setattr("nimtui.check.quarantine.add_own_files", lambda: (print("loaded"), [said])[1])
    monkeypatch.setattr("nimtui.store.guard.own_files", lambda: len(begun) == 0)
    monkeypatch.setattr("nimtui.store.guard.begin", lambda: begun.append("begin"))
    monkeypatch.setattr("nimtui.store.guard.pipe", lambda: 7)
    monkeypatch.setattr("nimtui.store.guard.trace", begun.append)
    monkeypatch.setattr("nimtui.process.stopping.watch_own_code", lambda pipe, prepare: f"watching {pipe}")
    own_files = names.own_files
    for has_package, has_folder in ((False, False), (True, False), (False, True)):
        own_files.cache_clear()
        installed[0] = has_package
        if has_folder:
            (tmp_path / "agents").mkdir()
        own_files()
        own_files()
        assert capsys.readouterr() == ("", f"nimtui: {said}\n" if has_package or has_folder else "")
    assert begun == ["begin", "watching 7"]
    own_files.cache_clear()


# `nimtui new` writes files of one's own, and `nimtui check` reports on them.


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.SCREEN, Kind.PROGRAM, Kind.CLASS)])
def test_new_writes_a_file_and_says_what_to_do_next(kind: Kind, nimtui: Nimtui, tmp_path: Path) -> None:
    done = nimtui("new", kind, "mine")
    folder = "learners" if kind is Kind.FUNCTION else f"{kind}s"
    path = tmp_path / "home" / folder / "mine.py"
    assert (done.status, done.err) == (0, "")
    assert str(path) in done.out and "nimtui check" in done.out
    assert path.read_text() == template(kind, "mine")
    again = nimtui("new", kind, "mine")
    assert (again.status, again.out) == (2, "")
    assert "already" in again.err and again.err.count("\n") == 1


def test_new_writes_nothing_of_a_screen_outside_of_the_source(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    assert new.Kind.SCREEN == "screen"
    monkeypatch.setattr("nimtui.cli.new.__file__", "/nowhere/nimtui/cli/new.py", raising=False)
    refused = nimtui("new screen search")
    assert refused.status == 2 and refused.err.count("\n") == 1


def test_new_writes_the_files_of_a_screen_and_its_section_of_the_reference(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = tmp_path / "source"
    for folder in ("docs", "styles", "tests/ui", "nimtui/ui/search_here"):
        (root / folder).mkdir(parents=True)
    (root / "docs" / "command-line.md").write_text("# Commands\n\n## `nimtui solve`\n\n## `nimtui solve`\n")
    monkeypatch.setattr(new, "source_tree", lambda: root)
    answer = nimtui("new screen zen_garden")
    room = "nimtui/ui/zen_garden"
    written = [
        *(f"{room}/{part}.py" for part in ("__init__", "screen", "view")),
        *("styles/zen_garden.tcss", "tests/ui/test_zen_garden.py", "docs/command-line.md"),
    ]
    assert answer.out.splitlines() == [
        *(f"Screen zen_garden: in {root}", *(f"  {path}" for path in written), "", "Edit these files, then:"),
        *("  nimtui zen-garden", "  python -m pytest tests/ui/test_zen_garden.py", "  python -m tests.pictures"),
    ]
    texts = {path: (root / path).read_text("utf-8") for path in written}
    assert not any(re.search("@[A-Z]+@", text) for text in texts.values())
    assert texts[f"{room}/__init__.py"].startswith('"""The Zen garden screen."""\n')
    assert "ZenGarden" in texts[f"{room}/screen.py"]
    reference = texts["docs/command-line.md"]
    assert reference.index("## `nimtui zen-garden`") < reference.index("## `nimtui solve`")
    assert reference.count("zen-garden") == new._text("screen/reference", new._words("zen_garden")).count("zen-garden")
    imports = [line for line in texts[f"{room}/screen.py"].splitlines() if line.startswith("from nimtui.")]
    assert imports == sorted(imports)
    for name in ("zen_garden", "search_here", "solve", "lesson"):
        assert nimtui(f"new screen {name}").err == f"nimtui: the name '{name}' is taken: choose another name\n"
    shutil.rmtree(root / "nimtui" / "ui" / "zen_garden")
    taken = nimtui("new screen zen_garden")
    assert taken.err == "nimtui: styles/zen_garden.tcss already exists: choose another name\n"


def test_a_new_screen_gets_keys_that_are_free(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [SimpleNamespace(place="start", default=["z", "e"]), SimpleNamespace(place="play", default=["n", "f8"])]
    monkeypatch.setattr("nimtui.ui.app.keymap.every", lambda: keys)
    monkeypatch.setattr("nimtui.ui.app.keymap.together", lambda place: {place})
    assert new._free_keys("zen") == ("n", "f12")
    keys[1].default += ["f12", "f10", "f11"]
    keys[0].default += ["n"]
    assert new._free_keys("zen") == ("a", "")
    words = {"NAME": "zen_x", "WORD": "zen-x", "TITLE": "Zen x", "CLASS": "ZenX", "LETTER": "x", "KEY": ""}
    assert new._words("zen_x") == words


@pytest.mark.parametrize(("ok", "status"), [(True, 0), (False, 1)])
def test_check_reports_each_rule_and_ends_with_1_if_one_is_broken(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, ok: bool, status: int
) -> None:
    asked: list[tuple[str, ...]] = []
    one = Check("undo", ok, "" if ok else "b1 gives 3,6")
    verdict = SimpleNamespace(refused="", ok=ok, checks=[one], closed=[], certain=True, late=False)
    monkeypatch.setattr("nimtui.check.quarantine.check", lambda *given: asked.append(given) or verdict)
    answer = nimtui("check nim:1,2 --json")
    assert (answer.status, answer.document["ok"], answer.document["kind"]) == (status, ok, "game")
    assert asked == [("nimtui.games.heaps", "game", "nim:1,2")]
    verdict.refused = "it has no rules"
    assert nimtui("check nim:1,2") == Answer(2, "", "nimtui: it has no rules\n")
