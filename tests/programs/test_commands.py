"""The commands write programs, check them, find them in their folder, and say what happened to them since."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from nimtui.agents import parse_agent, registry
from nimtui.check import quarantine
from nimtui.cli.app import run
from nimtui.games import parse_game
from nimtui.process import plugins
from nimtui.sandbox import program
from tests.programs.bots import hostile, sound

NEEDS = {"python": "python3", "c": "cc", "java": "java", "js": "node", "bash": "bash"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize(
    "language", [one if one != "java" else pytest.param(one, marks=pytest.mark.slow) for one in NEEDS]
)
def test_a_new_program_plays_and_passes_its_check(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which(NEEDS[language]) is None:
        pytest.skip(f"no {language} here")
    assert run(["new", "program", "mine", "--in", language]) == 0
    assert run(["new", "program", "mine", "--in", language]) == 2
    capsys.readouterr()
    assert run(["check", "mine", "--game", "connect4:4x4", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] and document["kind"] == "program" and len(document["checks"]) == 9
    words = ["match", "nim:3,4,5", "--first", "mine", "--second", "random", "-n", "6", "--json"]
    results = [(run(words), json.loads(capsys.readouterr().out)["first_wins"]) for _ in range(2)]
    assert results[0] == results[1], "it takes its random numbers from the seed"


def test_every_language_of_the_templates_plays_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    transcripts = set()
    for language in ("python", "bash", "c", "js"):
        if shutil.which(NEEDS[language]) is not None:
            assert run(["new", "program", f"mine_{language}", "--in", language]) == 0
            capsys.readouterr()
            assert run(["match", "connect4:4x4", "--first", f"mine_{language}", "--second", "random", "--json"]) == 0
            transcripts.add(tuple(json.loads(capsys.readouterr().out)["transcript"]))
    assert len(transcripts) == 1


def test_a_check_names_the_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", hostile(tmp_path, "dies", 1.0, tmp_path), "--json"]) == 1
    broken = [check for check in json.loads(capsys.readouterr().out)["checks"] if not check["ok"]]
    assert [check["name"] for check in broken] == ["disconnect"]
    assert "exit status 3" in broken[0]["example"] and "stderr: last words" in broken[0]["example"]


def test_files_and_folders_of_the_home_are_agents_by_their_names(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = home / "programs"
    (folder / "deep").mkdir(parents=True)
    sound(folder, "sh", "plain")
    sound(folder / "deep", "sh", "inner")
    (folder / "deep" / "start").write_text("cmd:--no-moves --start=3 ./inner.sh 7\n")
    (folder / "notes.txt").write_text("no program")
    sound(folder, "sh", "random")
    game = parse_game("nim:1,2")
    assert parse_agent("plain", game).name == f"cmd:{folder}/plain.sh"
    assert parse_agent("deep", game).name == f"cmd:--no-moves --start=3 {folder}/deep/inner.sh 7"
    assert parse_agent("random", game).name == "random", "names of other agents are not taken"
    assert {"plain", "deep"} <= {preset.agent for preset in registry.presets()}
    assert "notes" not in registry.by_name()
    assert run(["match", "nim:1,2", "--first", "plain", "--second", "notes"]) == 2
    assert "unknown agent 'notes'" in capsys.readouterr().err


def test_a_resumed_tournament_says_what_changed_and_what_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = sound(tmp_path, "sh")
    path = Path(name.removeprefix("cmd:"))
    words = ["tournament", "nim:3,4", "-a", name, "-a", "random", "-n", "2", "--workers", "1", "--json"]
    assert run(words) == 0
    assert json.loads(capsys.readouterr().out)["standings"][0]["fault_counts"] == {}
    assert run(["tournament", "--resume", "1", "--json"]) == 0
    assert "changed" not in capsys.readouterr().err
    path.write_text(path.read_text() + "# another\n")
    assert run(["tournament", "--resume", "1", "--json"]) == 0
    assert f"{path} has changed" in capsys.readouterr().err
    path.unlink()
    assert run(["tournament", "--resume", "1", "--json"]) == 2
    assert f"the program {path} is gone" in capsys.readouterr().err


def test_a_sandbox_can_be_required(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["match", "nim:1,2", "--first", sound(tmp_path, "sh"), "--second", "random", "-n", "2"]
    monkeypatch.setattr(program, "held", lambda: ("Landlock", "seccomp"))
    assert run([*words, "--sandbox", "required"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "sandbox: Landlock and seccomp"
    monkeypatch.setattr(program, "held", lambda: ("seccomp",))
    assert run([*words, "--sandbox", "required"]) == 2
    assert "leaves open to programs: files" in capsys.readouterr().err
    assert run(words) == 0
    assert "sandbox: seccomp; open: files" in capsys.readouterr().out
    assert run([*words, "--sandbox", "perhaps"]) == 2


def test_a_refused_agent_is_looked_at_again_when_it_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "agents").mkdir(parents=True)
    flag = home / "agents" / "ready"
    text = Path("tests/agents/stifle.py").read_text().replace('"stifle"', '"mended"')
    path = home / "agents" / "mended.py"
    path.write_text(f"import pathlib\nif not pathlib.Path({str(flag)!r}).exists():\n    raise OSError('later')\n{text}")
    monkeypatch.setattr(plugins, "_left_out", {})
    for attribute in ("_added", "_own"):
        monkeypatch.setattr(registry, attribute, getattr(registry, attribute).copy())
    [line] = quarantine.add_folder(home / "agents", "agent", registry.add_folder)
    assert "raises OSError: later" in line or "raised OSError" in line or "later" in line
    game = parse_game("nim:1,2")
    flag.touch()
    assert parse_agent("mended", game).name == "mended"
