"""A person's own files: checked once before they are used, left out in a line each, made by `nimtui new`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nimtui.check import quarantine
from nimtui.cli.new import Kind, template
from nimtui.process import children
from tests import forks
from tests.check.misbehaving import ALL
from tests.cli.conftest import Nimtui

TEXTS = {file.name: file.text for file in ALL}
LEFT_OUT = {
    "games": {"exits": "cannot be used: SystemExit: 3", "wrong_undo": "is left out: undo: wrong_undo:3,5: undo after"},
    "learners": {"crashes": "cannot be used: loading crashes (SIGSEGV)"},
    "agents": {"lacks_a_module": "cannot be used: ModuleNotFoundError", "interrupts": "cannot be used: KeyboardInterr"},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with files that are left out, a game that is right and an agent that plays badly."""
    home = tmp_path_factory.mktemp("home")
    for folder, names in LEFT_OUT.items():
        (home / folder).mkdir()
        for name in names:
            (home / folder / f"{name}.py").write_text(str(TEXTS[name]))
    (home / "games" / "right.py").write_text(template(Kind.GAME, "right"))
    (home / "agents" / "illegal.py").write_text(str(TEXTS["illegal"]))
    return home


def nimtui_of(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != quarantine.UNCHECKED}
    return forks.run(
        [sys.executable, "-m", "nimtui", *words],
        env={**environment, "NIMTUI_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def told(err: str) -> None:
    """Each file that is left out has one line, no other has one."""
    lines = err.splitlines()
    assert len(lines) == sum(map(len, LEFT_OUT.values())), err
    for folder, names in LEFT_OUT.items():
        for name, said in names.items():
            [mine] = [line for line in lines if f"/{folder}/{name}.py" in line]
            assert mine.startswith("nimtui: the ") and said in mine


@pytest.mark.slow
def test_every_command_names_what_is_left_out_and_does_its_work(home: Path) -> None:
    solved = nimtui_of(home, "solve", "right:3,5", "--json")
    assert solved.returncode == 0 and json.loads(solved.stdout)["game"] == "right:3,5"
    told(solved.stderr)
    kept = {path: path.stat().st_mtime_ns for path in (home / "checked").iterdir()}
    assert len(kept) == 7
    words = ("tournament", "right:3,5", "nim:1,2", "-a", "illegal", "-a", "random", "--games", "4", "--workers", "2")
    played = nimtui_of(home, *words, "--json")
    assert played.returncode == 0, played.stderr
    told(played.stderr)  # by this process alone: the workers say nothing
    assert [row["wins"] for row in json.loads(played.stdout)["standings"]] == [8, 0]
    assert kept == {path: path.stat().st_mtime_ns for path in (home / "checked").iterdir()}  # nothing checked again


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("solve", "wrong_undo:1,1"),
        ("play", "exits", "--plain"),
        ("match", "nim:1,2", "--first", "Interrupts:3", "--second", "random"),
        ("match", "nim:1,2", "--first", "crashes", "--second", "random"),
        ("train", "nim:1,2", "--headless", "--learner", "crashes"),
    ],
)
def test_the_line_of_a_file_that_is_left_out_is_the_only_answer_to_its_name(home: Path, words: tuple[str, ...]) -> None:
    done = nimtui_of(home, *words)
    assert (done.returncode, done.stdout) == (2, "")
    told(done.stderr)


@pytest.mark.slow
def test_a_game_that_is_left_out_is_used_where_unchecked_ones_are_wanted(home: Path) -> None:
    played = ("match", "wrong_undo:1,1", "--first", "random", "--second", "random", "--games", "2", "--json")
    with_it = nimtui_of(home, "--unchecked", *played)
    assert with_it.returncode == 0, with_it.stderr
    assert "wrong_undo.py" not in with_it.stderr
    assert "exits.py cannot be used" in with_it.stderr
    (home / "settings.json").write_text('{"format": 1, "unchecked": true}')
    try:
        by_setting = nimtui_of(home, *played)
    finally:
        (home / "settings.json").unlink()
    assert by_setting.returncode == 0 and "wrong_undo.py" not in by_setting.stderr
    solved = nimtui_of(home, "--unchecked", "solve", "wrong_undo:1,1")
    assert solved.returncode == 2 and "undo after the move 3 from the board [0, 1] gives [0, 2]" in solved.stderr


@pytest.mark.slow
def test_a_file_that_changes_is_checked_again(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    file = tmp_path / "agents" / "mine.py"
    file.write_text("import nothing_yet\n" + template(Kind.AGENT, "mine"))
    words = ("moves", "nim:1,2", "--agent", "mine", "--json")
    assert "nothing_yet" in nimtui_of(tmp_path, *words).stderr
    file.write_text(template(Kind.AGENT, "mine"))
    mended = nimtui_of(tmp_path, *words)
    assert (mended.returncode, mended.stderr) == (0, "")


@pytest.mark.slow
def test_a_module_that_was_missing_may_come(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    file = tmp_path / "agents" / "mine.py"
    file.write_text("import nimtui_test_is_here_now\n" + template(Kind.AGENT, "mine"))
    words = ("moves", "nim:1,2", "--agent", "mine", "--json")
    before = nimtui_of(tmp_path, *words)
    assert before.returncode == 2 and "nimtui_test_is_here_now" in before.stderr
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "nimtui_test_is_here_now.py").write_text("")
    path = os.environ.get("PYTHONPATH", "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(tmp_path / "library"), path])))
        after = nimtui_of(tmp_path, *words)
    assert (after.returncode, after.stderr) == (0, "")


@pytest.mark.slow
def test_listing_games_loads_no_engine(home: Path) -> None:
    nimtui_of(home, "games", "list")
    code = "import sys; from nimtui.cli.app import run; run(['games', 'list']); print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NIMTUI_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1] == "False"


# nimtui check


@pytest.mark.slow
def test_check_says_what_is_broken_and_ends_with_1(home: Path, nimtui: Nimtui) -> None:
    path = home / "games" / "wrong_undo.py"
    found = nimtui("check", str(path), "--json")
    assert (found.status, found.err) == (1, "")
    assert list(found.document) == ["file", "kind", "ok", "closed_in", "checks"]
    assert (found.document["file"], found.document["kind"], found.document["ok"]) == (str(path), "game", False)
    first = found.document["checks"][0]
    assert first == {
        "name": "undo",
        "ok": False,
        "example": "wrong_undo:3,5: undo after move b1 (position 3,5) gives 3,6",
    }
    assert all(set(check) == {"name", "ok", "example"} for check in found.document["checks"])


@pytest.mark.slow
@pytest.mark.parametrize("family", ["noughts", "chomp"])
def test_an_agent_for_one_game_is_checked_on_that_game(family: str, nimtui: Nimtui, tmp_path: Path) -> None:
    assert nimtui("new agent solo").status == 0
    [file] = (tmp_path / "home" / "agents").glob("*.py")
    refusal = f'''    if not game.name.startswith("{family}"):
        raise InputError("solo plays {family} alone")
    if text:
'''
    template = file.read_text("utf-8")
    assert template.count("    if text:\n") == 1
    file.write_text(template.replace("    if text:\n", refusal), "utf-8")
    answer = nimtui("check", str(file), "--json")
    assert answer.status == 0 and answer.document["ok"], answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "tried"),
    [
        ("nim:1,2:misere", {"undo", "index", "end", "compiled", "parse_position", "touched"}),
        ("reward", {"bounds", "own arrays", "same", "compiled"}),
        ("minimax:depth=2", set()),
    ],
)
def test_check_finds_nothing_wrong_with_what_comes_with_the_program(name: str, tried: set[str], nimtui: Nimtui) -> None:
    found = nimtui("check", name, "--json")
    assert (found.status, found.err) == (0, "")
    assert found.document["ok"] and all(check["ok"] for check in found.document["checks"])
    assert tried <= {check["name"] for check in found.document["checks"]}
    assert Path(found.document["file"]).is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("nobody", "unknown game, learner or agent 'nobody'"),
        ("nowhere.py", "there is no file nowhere.py"),
        ("nim:0", "row"),
        ("quality:margin=x", "whole number"),
        ("mc:playouts=0", "playouts"),
        ("/", "is not a Python file"),
    ],
)
def test_check_of_what_is_not_there_is_one_line(what: str, said: str, nimtui: Nimtui) -> None:
    found = nimtui("check", what)
    assert (found.status, found.out) == (2, "")
    assert said in found.err and found.err.count("\n") == 1


# nimtui new


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.SCREEN])
def test_new_writes_a_file_and_says_what_to_do_next(kind: Kind, nimtui: Nimtui, tmp_path: Path) -> None:
    done = nimtui("new", kind, "mine")
    path = tmp_path / "home" / f"{kind}s" / "mine.py"
    assert (done.status, done.err) == (0, "")
    assert str(path) in done.out and "nimtui check" in done.out
    assert path.read_text() == template(kind, "mine")
    again = nimtui("new", kind, "mine")
    assert (again.status, again.out) == (2, "")
    assert "already" in again.err and again.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("new game nim", "'nim' is taken"),
        ("new agent hard", "'hard' is taken"),
        ("new learner hard", "'hard' is taken"),
        ("new screen search", "'search' is taken"),
        ("new game 3x", "invalid name"),
        ("new game Chomp", "invalid name"),
        ("new game ../up", "invalid name"),
        ("new game class", "invalid name"),
        ("new rule x", "game"),
        ("new game", "NAME"),
    ],
)
def test_new_refuses_a_name_in_one_line(words: str, said: str, nimtui: Nimtui) -> None:
    done = nimtui(words)
    assert (done.status, done.out) == (2, "")
    assert said in done.err and done.err.count("\n") == 1


LARGE_GAMES = "    fair = 5 // (25 - state.full[0])\n    return fair != 99 and"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ("--unchecked solve late:25,9", 2, "late.py: the compiled code raises ZeroDivisionError: integer division by"),
        ("--unchecked solve late:?", 2, "a game of late has two heaps"),  # a thread of the file would never end
    ],
)
def test_faults_and_threads_of_rules_end_in_one_line(words: str, status: int, says: str, tmp_path: Path) -> None:
    thread = "import threading, time\nthreading.Thread(target=time.sleep, args=(1e6,)).start()\n"
    (tmp_path / "games").mkdir()
    text = template(Kind.GAME, "late").replace("    return move % MOST + 1 <=", f"{LARGE_GAMES} move % MOST + 1 <=")
    (tmp_path / "games" / "late.py").write_text(thread + text)
    done = nimtui_of(tmp_path, *words.split())
    assert done.returncode == status and says in done.stderr.splitlines()[-1], done.stderr


def test_only_a_process_that_wants_to_run_is_starved() -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs /proc")
    for code, wants in (("\nwhile True: pass", True), ("import time; print(flush=True); time.sleep(1000)", False)):
        with forks.Popen([sys.executable, "-c", f"print(flush=True); {code}"], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline()
            if not wants:
                process.stdout.readline()
            until = time.monotonic() + 60
            while children.starved(process.pid, 1000) != wants and time.monotonic() < until:
                time.sleep(0.01)
            assert children.starved(process.pid, 1000) == wants
            assert not children.starved(process.pid, 0)
            process.kill()


@pytest.mark.slow
def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("")
    done = nimtui_of(tmp_path, "solve", "nim:1,2")
    assert done.returncode == 0 and "best moves  b1" in done.stdout
    said = f"nimtui: {tmp_path / 'games'}: your own games belong into a folder of this name, but it is a file\n"
    assert done.stderr == said
