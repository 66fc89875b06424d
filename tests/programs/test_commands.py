"""The commands write programs, check them, find them in their folder, and say what happened to them since."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import nimtui
from nimtui.agents import parse_agent, registry
from nimtui.agents import program as programs
from nimtui.check import quarantine
from nimtui.cli.app import run
from nimtui.games import parse_game
from nimtui.process import plugins
from nimtui.report.cells import cells
from nimtui.report.lines import plain_text
from nimtui.store.database import Database
from nimtui.ui.library.details import details
from nimtui.ui.library.shelf import Item, Kind
from tests.api.conftest import timeless
from tests.programs.bots import hostile, script, sound
from tests.programs.test_programs import processes_of

NEEDS = {"python": "python3", "c": "cc", "java": "java", "js": "node", "bash": "bash"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize(
    "languages", [("python", "bash", "c", "js"), pytest.param(("python", "java"), marks=pytest.mark.slow)]
)
def test_a_new_program_passes_its_check_and_plays_the_same_games_in_every_language(
    languages: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    transcripts = set()
    for language in filter(lambda language: shutil.which(NEEDS[language]) is not None, languages):
        name = f"mine_{language}"
        assert run(["new", "program", name, "--in", language]) == 0
        assert run(["new", "program", name, "--in", language]) == 2
        capsys.readouterr()
        assert run(["check", name, "--game", "connect4:4x4", "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["ok"] and document["kind"] == "program" and len(document["checks"]) == 9
        words = ["match", "connect4:4x4", "--first", name, "--second", "random", "--json"]
        for _ in range(2):  # it takes its random numbers from the seed
            assert run(words) == 0
            transcripts.add(tuple(json.loads(capsys.readouterr().out)["transcript"]))
    assert len(transcripts) == 1


def test_a_check_names_the_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = hostile(tmp_path, "dies", 1.0, tmp_path)
    for text in (name, name.removeprefix("cmd:")):
        assert run(["check", text, "--json"]) == 1
        broken = [check for check in json.loads(capsys.readouterr().out)["checks"] if not check["ok"]]
        assert [check["name"] for check in broken] == ["disconnect"], "by its command, and by its path"
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
    assert run(["tournaments", "show", "1"]) == 0
    assert f"{path} has changed" in capsys.readouterr().err
    path.unlink()
    assert run(["tournament", "--resume", "1", "--json"]) == 2
    assert f"the program {path} is gone" in capsys.readouterr().err
    assert run(["tournaments", "show", "1", "--json"]) == 0, "its games are still there"
    standings = json.loads(capsys.readouterr().out)["standings"]
    assert {row["agent"] for row in standings} == {name, "random"} and sum(row["played"] for row in standings) == 4
    assert run(["tournaments", "show", "1"]) == 0
    assert f"The program {path} is gone." in capsys.readouterr().err
    with Database() as db:
        content = details(Item(Kind.TOURNAMENT, 1, "", "", 0.0, 2), lambda: db)
    lines = "".join(plain_text(line).strip() for line in cells(content.report)[:6]).replace(" ", "")
    assert lines.startswith(f"!Theprogram{path}isgone.")


def test_a_sandbox_can_be_required(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["match", "nim:1,2", "--first", sound(tmp_path, "sh"), "--second", "random", "-n", "2"]
    monkeypatch.setattr(programs, "held", lambda: ("Landlock", "seccomp"))
    assert run([*words, "--sandbox", "required"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "sandbox: Landlock and seccomp"
    monkeypatch.setattr(programs, "held", lambda: ("seccomp",))
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


FAULTY = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    print("nothing" if question["position"] in ("1,4", "2,4", "3,3") else question["moves"][0])
"""


@pytest.mark.parametrize("rule", ["game", "match", "void"])
def test_the_rule_for_faults_holds_for_any_workers_and_for_saved_standings(
    rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In Nim 3,4 the first legal move is a1; the faulty program answers nothing after an opening of one move."""
    agents = [sound(tmp_path, "sh"), script(tmp_path, "faulty", FAULTY), "random"]
    words = [word for agent in agents for word in ("-a", agent)]
    settings = ["-n", "8", "--openings", "random:1", "--fault", rule, "--json"]
    documents = []
    for workers in ("1", "2"):
        assert run(["tournament", "nim:3,4", *words, *settings, "--workers", workers]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    tables = [
        {row["agent"]: (row["points"], row["played"], row["fault_counts"]) for row in one["standings"]}
        for one in documents
    ]
    assert tables[0] == tables[1]
    faulty, *others = (tables[0][agent] for agent in (agents[1], agents[0], "random"))
    lost, total = sum(faulty[2].values()), 16
    assert lost > 0 and set(faulty[2]) == {"unreadable"} and not any(row[2] for row in others)
    if rule == "match":
        assert faulty == (0.0, total, {"unreadable": 2}), "one fault in each of its two pairings"
    elif rule == "void":
        assert faulty[1] == total - lost
    else:
        assert faulty[1] == total
    assert run(["tournaments", "show", "1", "--json"]) == 0
    shown = {row["agent"]: (row["points"], row["played"]) for row in json.loads(capsys.readouterr().out)["standings"]}
    assert shown == {agent: row[:2] for agent, row in tables[0].items()}
    to = tmp_path / "saved.csv"
    assert run(["tournaments", "export", "1", "--to", str(to)]) == 0
    capsys.readouterr()
    saved = {line.split(",")[0]: float(line.split(",")[1]) for line in to.read_text().splitlines()[1:]}
    assert saved == {agent: row[0] for agent, row in tables[0].items()}


def test_the_library_takes_the_rules_of_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agents = [script(tmp_path, "faulty", FAULTY), sound(tmp_path, "sh")]
    rules = ["--fault", "void", "--game-time", "60", "--increment", "2", "--nodes", "9", "--json"]
    words = ["match", "nim:3,4", "--first", agents[0], "--second", agents[1], "-n", "6", "--alternate"]
    more: dict[str, Any] = {"fault": "void", "game_time": 60, "increment": 2, "nodes": 9}
    assert run([*words, *rules]) == 0
    document = json.loads(capsys.readouterr().out)
    with pytest.warns(RuntimeWarning, match="a game ended by a fault"):
        match = nimtui.match("nim:3,4", *agents, games=6, alternate=True, **more)
    assert timeless(match.to_dict()) == timeless(document) and document["sandbox"] and document["games"] < 6
    words = ["tournament", "nim:3,4", "-a", agents[0], "-a", agents[1], "-n", "6", "--no-save"]
    assert run([*words, *rules]) == 0
    document = json.loads(capsys.readouterr().out)
    with pytest.warns(RuntimeWarning, match="a game ended by a fault"):
        tournament = nimtui.tournament("nim:3,4", agents, games=6, **more)
    assert timeless(tournament.to_dict()) == timeless(document)
    assert not processes_of(tmp_path), "a tournament ends its programs, not only this process"
    with pytest.raises(nimtui.InputError, match="unknown outcome of a fault 'x'"):
        nimtui.match("nim:3,4", *agents, fault="x")


def test_a_saved_game_shows_what_the_program_was_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = hostile(tmp_path, "dies", 1.0, tmp_path)
    assert run(["match", "nim:3,4", "--first", name, "--second", "random", "--save"]) == 0
    lines = ["disconnect at 3,4", "answered: nothing", "stderr: last words"]
    single = capsys.readouterr().out.splitlines()
    assert all(line in single for line in lines)
    assert run(["games", "list", "--json"]) == 0
    [game] = json.loads(capsys.readouterr().out)["games"]
    report = game["fault_report"]
    assert (report["kind"], report["position"], report["errors"]) == ("disconnect", "3,4", ["last words"])
    assert report["text"] == game["fault"] == "dies.py ended: exit status 3" and report["answer"] is None
    assert run(["games", "show", str(game["id"])]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert all(line in shown for line in lines) and any(line.startswith('told: {"game": "nim:3,4"') for line in shown)
    text = tmp_path / "games.txt"
    assert run(["games", "export", "--to", str(text)]) == 0
    assert run(["games", "import", str(text)]) == 0, "it is there already"
    assert "disconnect" in text.read_text()


SECOND = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    taken = 12 - sum(map(int, question["position"].split(",")))
    print("nothing" if taken == 1 else question["moves"][0])
"""


@pytest.mark.parametrize(
    ("rule", "saved", "wins", "faults"),
    [("game", 6, [0, 6], [2, 4, 6]), ("match", 2, [0, 6], [2]), ("void", 6, [0, 3], [2, 4, 6])],
)
def test_a_fault_costs_the_game_the_match_or_nothing_and_what_was_played_is_saved(
    rule: str, saved: int, wins: list[int], faults: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One commits a fault whenever it moves second; of 12 moves of one match each, who moves second wins."""
    first, second = script(tmp_path, "second", SECOND), sound(tmp_path, "sh")
    words = ["match", "nim:3,4,5", "--first", first, "--second", second, "-n", "6", "--alternate", "--save", "--json"]
    assert run([*words, "--fault", rule]) == 0
    answer = capsys.readouterr()
    document = json.loads(answer.out)
    assert answer.err == "" and (document["saved_games"], document["fault_rule"]) == (saved, rule)
    assert [agent["wins"] for agent in document["agents"]] == wins and [
        one["game"] for one in document["faults"]
    ] == faults
    assert [agent["fault_counts"] for agent in document["agents"]] == [{"unreadable": len(faults)}, {}]
    fault = document["faults"][0]
    assert (fault["kind"], fault["position"], fault["answer"]) == ("unreadable", "2,4,5", "nothing")
    assert run(["tournament", "--resume", str(document["id"]), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["games"] == document["games"] == 3 * (1 + (rule != "void")) and again["saved_games"] == saved
    sprt = ["tournament", "nim:3,4,5", "-a", "random", "-a", "mc", "--sprt", "elo0=0,elo1=50", "--fault", "void"]
    assert run(sprt) == 2 and "exclude each other" in capsys.readouterr().err
