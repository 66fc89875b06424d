"""The commands write programs, check them, find them in their folder, and say what happened to them since."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import nimtui as nimtui_library
from nimtui.agents import parse_agent, registry
from nimtui.agents import program as programs
from nimtui.check import quarantine
from nimtui.games import parse_game
from nimtui.process import plugins
from nimtui.report.cells import cells
from nimtui.report.lines import plain_text
from nimtui.store.database import Database
from nimtui.ui.library.details import details
from nimtui.ui.library.shelf import Item, Kind
from tests.api.conftest import timeless
from tests.cli.conftest import Nimtui
from tests.cli.conftest import nimtui as nimtui
from tests.examples import with_slow
from tests.programs.bots import hostile, script, sound
from tests.programs.test_programs import processes_of

NEEDS = {"python": "python3", "c": "cc", "java": "java", "js": "node", "bash": "bash"}


@pytest.fixture(autouse=True)
def home(nimtui: Nimtui, tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.mark.parametrize(
    "languages", [("python", "bash", "c", "js"), pytest.param(("python", "java"), marks=pytest.mark.slow)]
)
def test_a_new_program_passes_its_check_and_plays_the_same_games_in_every_language(
    languages: tuple[str, ...], nimtui: Nimtui
) -> None:
    transcripts = set()
    for language in filter(lambda language: shutil.which(NEEDS[language]) is not None, languages):
        name = f"mine_{language}"
        assert [nimtui("new", "program", name, "--in", language).status for _ in range(2)] == [0, 2]
        document = nimtui("check", name, "--game", "connect4:4x4", "--json").document
        assert document["ok"] and document["kind"] == "program" and len(document["checks"]) == 9
        for _ in range(2):  # it takes its random numbers from the seed
            match = nimtui("match", "connect4:4x4", "--first", name, "--second", "random", "--json").document
            transcripts.add(tuple(match["transcript"]))
    assert len(transcripts) == 1


def test_a_check_names_the_fault(tmp_path: Path, nimtui: Nimtui) -> None:
    name = hostile(tmp_path, "dies", 1.0, tmp_path)
    for text in (name, name.removeprefix("cmd:")):
        answer = nimtui("check", text, "--json")
        [broken] = [check for check in answer.document["checks"] if not check["ok"]]
        assert (answer.status, broken["name"]) == (1, "disconnect"), "by its command, and by its path"
    assert "exit status 3" in broken["example"] and "stderr: last words" in broken["example"]


def test_files_and_folders_of_the_home_are_agents_by_their_names(home: Path, nimtui: Nimtui) -> None:
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
    answer = nimtui("match nim:1,2 --first plain --second notes")
    assert answer.status == 2 and "unknown agent 'notes'" in answer.err


def test_a_resumed_tournament_says_what_changed_and_what_is_gone(tmp_path: Path, nimtui: Nimtui) -> None:
    name = sound(tmp_path, "sh")
    path, resume = Path(name.removeprefix("cmd:")), "tournament --resume 1 --json"
    words = ["tournament", "nim:3,4", "-a", name, "-a", "random", "-n", "2", "--workers", "1", "--json"]
    assert nimtui(*words).document["standings"][0]["fault_counts"] == {}
    assert "changed" not in nimtui(resume).err
    path.write_text(path.read_text() + "# another\n")
    for command in (resume, "tournaments show 1"):
        answer = nimtui(command)
        assert answer.status == 0 and f"{path} has changed" in answer.err
    path.unlink()
    answer = nimtui(resume)
    assert answer.status == 2 and f"the program {path} is gone" in answer.err
    standings = nimtui("tournaments show 1 --json").document["standings"]  # its games are still there
    assert {row["agent"] for row in standings} == {name, "random"} and sum(row["played"] for row in standings) == 4
    answer = nimtui("tournaments show 1")
    assert answer.status == 0 and f"The program {path} is gone." in answer.err
    with Database() as db:
        content = details(Item(Kind.TOURNAMENT, 1, "", "", 0.0, 2), lambda: db)
    lines = "".join(plain_text(line).strip() for line in cells(content.report)[:6]).replace(" ", "")
    assert lines.startswith(f"!Theprogram{path}isgone.")


def test_a_sandbox_can_be_required(tmp_path: Path, nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["match", "nim:1,2", "--first", sound(tmp_path, "sh"), "--second", "random", "-n", "2"]
    monkeypatch.setattr(programs, "held", lambda: ("Landlock", "seccomp"))
    assert nimtui(*words, "--sandbox", "required").out.splitlines()[1] == "sandbox: Landlock and seccomp"
    monkeypatch.setattr(programs, "held", lambda: ("seccomp",))
    answer = nimtui(*words, "--sandbox", "required")
    assert answer.status == 2 and "leaves open to programs: files" in answer.err
    assert "sandbox: seccomp; open: files" in nimtui(*words).out
    assert nimtui(*words, "--sandbox", "perhaps").status == 2


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
    assert "later" in line
    game = parse_game("nim:1,2")
    flag.touch()
    assert parse_agent("mended", game).name == "mended"


FAULTY = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    print("nothing" if question["position"] in ("1,4", "2,4", "3,3", "2,4,5") else question["moves"][0])
"""


@pytest.mark.parametrize("rule", with_slow(["game", "match", "void"], "game", "void"))
def test_the_rule_for_faults_holds_for_any_workers_and_for_saved_standings(
    rule: str, tmp_path: Path, nimtui: Nimtui
) -> None:
    """In Nim 3,4 the first legal move is a1; the faulty program answers nothing after an opening of one move."""
    agents = [sound(tmp_path, "sh"), script(tmp_path, "faulty", FAULTY), "random"]
    words = [*(word for agent in agents for word in ("-a", agent)), "-n", "8", "--openings", "random:1"]

    def table(*command: str) -> dict[str, tuple[float, int, dict[str, int]]]:
        rows = nimtui(*command, "--json").document["standings"]
        return {row["agent"]: (row["points"], row["played"], row["fault_counts"]) for row in rows}

    first, second = (
        table("tournament", "nim:3,4", *words, "--fault", rule, "--workers", workers) for workers in ("1", "2")
    )
    assert first == second == table("tournaments", "show", "1")
    faulty, *others = (first[agent] for agent in (agents[1], agents[0], "random"))
    lost, total = sum(faulty[2].values()), 16
    assert lost > 0 and set(faulty[2]) == {"unreadable"} and not any(row[2] for row in others)
    if rule == "match":
        assert faulty == (0.0, total, {"unreadable": 2}), "one fault in each of its two pairings"
    else:
        assert faulty[1] == total - lost * (rule == "void")
    to = tmp_path / "saved.csv"
    assert nimtui("tournaments", "export", "1", "--to", str(to)).status == 0
    saved = {line.split(",")[0]: float(line.split(",")[1]) for line in to.read_text().splitlines()[1:]}
    assert saved == {agent: row[0] for agent, row in first.items()}


@pytest.mark.slow
def test_the_library_takes_the_rules_of_the_commands(tmp_path: Path, nimtui: Nimtui) -> None:
    agents = [script(tmp_path, "faulty", FAULTY), sound(tmp_path, "sh")]
    rules = ["--fault", "void", "--game-time", "60", "--increment", "2", "--nodes", "9", "-n", "6", "--json"]
    more: dict[str, Any] = {"fault": "void", "game_time": 60, "increment": 2, "nodes": 9, "games": 6}
    document = nimtui("match", "nim:3,4", "--first", agents[0], "--second", agents[1], "--alternate", *rules).document
    with pytest.warns(RuntimeWarning, match="a game ended by a fault"):
        match = nimtui_library.match("nim:3,4", *agents, alternate=True, **more)
    assert timeless(match.to_dict()) == timeless(document) and document["sandbox"] and document["games"] < 6
    document = nimtui("tournament", "nim:3,4", "-a", agents[0], "-a", agents[1], "--no-save", *rules).document
    with pytest.warns(RuntimeWarning, match="a game ended by a fault"):
        tournament = nimtui_library.tournament("nim:3,4", agents, **more)
    assert timeless(tournament.to_dict()) == timeless(document)
    assert not processes_of(tmp_path), "a tournament ends its programs, not only this process"
    with pytest.raises(nimtui_library.InputError, match="unknown outcome of a fault 'x'"):
        nimtui_library.match("nim:3,4", *agents, fault="x")


def test_a_saved_game_shows_what_the_program_was_told(tmp_path: Path, nimtui: Nimtui) -> None:
    name, text = hostile(tmp_path, "dies", 1.0, tmp_path), tmp_path / "games.txt"
    lines = ["disconnect at 3,4", "answered: nothing", "stderr: last words"]
    single = nimtui("match", "nim:3,4", "--first", name, "--second", "random", "--save").out.splitlines()
    [game] = nimtui("games list --json").document["games"]
    report = game["fault_report"]
    assert (report["kind"], report["position"], report["errors"]) == ("disconnect", "3,4", ["last words"])
    assert report["text"] == game["fault"] == "dies.py ended: exit status 3" and report["answer"] is None
    shown = nimtui("games", "show", str(game["id"])).out.splitlines()
    assert all(line in single and line in shown for line in lines)
    assert any(line.startswith('told: {"game": "nim:3,4"') for line in shown)
    assert nimtui("games", "export", "--to", str(text)).status == 0 and "disconnect" in text.read_text()
    assert nimtui("games", "import", str(text)).status == 0, "it is there already"


@pytest.mark.parametrize(
    ("rule", "saved", "wins", "faults"),
    [("game", 6, [0, 6], [2, 4, 6]), ("match", 2, [0, 6], [2]), ("void", 6, [0, 3], [2, 4, 6])],
)
def test_a_fault_costs_the_game_the_match_or_nothing_and_what_was_played_is_saved(
    rule: str, saved: int, wins: list[int], faults: list[int], tmp_path: Path, nimtui: Nimtui
) -> None:
    """One commits a fault whenever it moves second; of 12 moves of one match each, who moves second wins."""
    first, second = script(tmp_path, "faulty", FAULTY), sound(tmp_path, "sh")
    words = ["match", "nim:3,4,5", "--first", first, "--second", second, "-n", "6", "--alternate", "--save", "--json"]
    answer = nimtui(*words, "--fault", rule)
    document = answer.document
    assert answer.err == "" and (document["saved_games"], document["fault_rule"]) == (saved, rule)
    assert [agent["wins"] for agent in document["agents"]] == wins
    assert [one["game"] for one in document["faults"]] == faults
    assert [agent["fault_counts"] for agent in document["agents"]] == [{"unreadable": len(faults)}, {}]
    fault = document["faults"][0]
    assert (fault["kind"], fault["position"], fault["answer"]) == ("unreadable", "2,4,5", "nothing")
    again = nimtui("tournament", "--resume", str(document["id"]), "--json").document
    assert again["games"] == document["games"] == 3 * (1 + (rule != "void")) and again["saved_games"] == saved
    sprt = nimtui("tournament nim:3,4,5 -a random -a mc --sprt elo0=0,elo1=50 --fault void")
    assert sprt.status == 2 and "exclude each other" in sprt.err
