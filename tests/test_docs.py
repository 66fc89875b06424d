"""README.md and docs/*.md are true: commands print what is shown, links resolve, no command or option is missing."""

from __future__ import annotations

import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
import typer

from nimtui.agents import registry as agents
from nimtui.cli.app import app, run
from nimtui.games import parse_game, registry
from nimtui.learning import learner, opponents
from nimtui.learning.training import Training
from tests import shown
from tests.learning import last
from tests.learning.helpers import same_tables
from tests.shown import DOCUMENTS, NEVER, OWN, ROOT, SLOW, USES_OWN, Shown

TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in DOCUMENTS}
ALL = shown.shown()
QUICK = [one for one in ALL if not one.words.startswith(NEVER + SLOW)]


# What is shown.


def named(one: Shown) -> str:
    return f"{one.document.name}: {one.words}"


@pytest.mark.slow
@pytest.mark.parametrize("one", [one for one in QUICK if not USES_OWN.search(one.words)], ids=named)
def test_what_is_shown_is_printed(
    one: Shown, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    assert run(shlex.split(one.words)) == 0
    printed = capsys.readouterr()
    assert shown.same(one.output, printed.out + printed.err), printed.out


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    shown.furnish(home)
    return home


@pytest.mark.slow
@pytest.mark.parametrize("one", [one for one in QUICK if USES_OWN.search(one.words)], ids=named)
def test_what_is_shown_of_own_files_is_printed(one: Shown, furnished: Path) -> None:
    printed = shown.run(one.words, furnished)
    assert shown.same(one.output, printed), printed


@pytest.mark.parametrize("name", ["nim:3,4", "connect:3x3x3"])
def test_it_learns_compiled_as_it_does_interpreted(name: str) -> None:
    learner.add(last)
    game = parse_game(name)
    training = Training(game, "last:epsilon=0.3", 4)
    training.run(400)
    assert same_tables(opponents.train_interpreted(game, "last:epsilon=0.3", 400, 4), training.table)


def test_files_are_shown_as_they_are_tested_lines_are_left_out_and_times_differ() -> None:
    code = re.findall(r"```python\n(.*?)```", TEXTS["docs/extending.md"], re.DOTALL)
    assert code == [(ROOT / file).read_text("utf-8") for _, file in OWN]
    assert shown.same("a\n…\nd", "a\nb\nc\nd") and not shown.same("a\n…\nd", "a\nb\nc\ne")
    assert not shown.same("a\n…\nc\n…\nd", "a\nb\nd")
    assert shown.same("took   3 ms  x", "took 12.5 s x") and not shown.same("took 3 ms x", "took 3 ms y")
    assert not shown.same("a  b", "a b")
    assert shown.updated("a\n…\ncc 1\n…\nd", "A\nb\ncc 2\nx\nD") == "A\n…\ncc 2\n…\nD"


# The commands.


def commands(name: str, command: click.Command) -> dict[str, click.Command]:
    """Return a command and all below it by their names: 'nimtui', 'nimtui solve', 'nimtui games list'."""
    inner = getattr(command, "commands", {})
    return {name: command} | {
        key: one for word in inner for key, one in commands(f"{name} {word}", inner[word]).items()
    }


COMMANDS = commands("nimtui", typer.main.get_command(app))


def section(name: str) -> str:
    """Return the reference of a command: the text from its heading to the next one."""
    found = re.search(rf"^##+ `{name}`\n(.*?)(?=^##|\Z)", TEXTS["docs/command-line.md"], re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def options(command: click.Command) -> set[str]:
    shown = [param for param in command.params if not getattr(param, "hidden", False)]
    found = {name for param in shown for name in (*param.opts, *param.secondary_opts) if name[0] == "-"}
    return found - {"--help", "-h"}


AGENTS = [module for module in agents.modules() if module.__name__.startswith("nimtui.")]
BUILT_IN = [
    *(("command-line", word) for module in registry._own() for word in module.NAMES),
    *(("command-line", name) for module in AGENTS for name in agents.names_of(module)),
    *(("learners", module.NAME) for module in learner._own()),
]


@pytest.mark.parametrize(("page", "word"), BUILT_IN)
def test_every_game_agent_and_learner_is_described(page: str, word: str) -> None:
    assert re.search(rf"`{word}\b", TEXTS[f"docs/{page}.md"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_section_and_every_option_is_named_and_no_other(name: str) -> None:
    said = section(name)
    assert said and len(COMMANDS) >= 20
    rows = "\n".join(line for line in said.splitlines() if line.startswith("| `-"))
    wanted = options(COMMANDS[name])
    aliases = {option for option in wanted if not option.startswith("--")} if not rows else set()
    assert {option for option in wanted - aliases if f"`{option}`" not in said} == set()
    heads = {option for row in rows.splitlines() for option in re.findall(r"`(--?[\w-]+)`", row.split("|")[1])}
    assert heads - wanted == set()


def tried(words: str) -> None:
    """Parse a command as the program does, without running it. Raises click.UsageError if it is refused."""
    name, rest = "nimtui", shlex.split(re.split(r" [<>\\]", words)[0])
    context = COMMANDS[name].make_context(name, [], resilient_parsing=True)
    while rest and f"{name} {rest[0]}" in COMMANDS:
        name = f"{name} {rest.pop(0)}"
        inner = rest if not getattr(COMMANDS[name], "commands", {}) else []
        context = COMMANDS[name].make_context(name, list(inner), parent=context)
    assert name != "nimtui", f"there is no command {words}"


@pytest.mark.parametrize("words", [*(one.words for one in ALL), *shown.listed()])
def test_every_command_can_be_given(words: str) -> None:
    tried(words)


def test_modules_that_are_run_are_there() -> None:
    found = {name for text in TEXTS.values() for name in re.findall(r"python -m (tests[\w.]*)", text)}
    assert found >= {"tests.fuzz", "tests.pictures", "tests.shown"}
    assert all(find_spec(name) for name in found)


DOCUMENTS_OF = {  # commands whose JSON documents come at once
    "solve": "solve connect4:4x4 -p 122",
    "moves": "moves nim:3,2,1 -a perfect",
    "search": "search nim:3,2,1 --algorithm minimax --algorithm alphabeta",
    "compare": "compare nim:3,2,1 -a mc:playouts=20 -a perfect --curve",
    "match": "match nim:3,2,1 --first random --second perfect",
    "games list": "games list",
    "games check": "games check",
    "ratings": "ratings",
}


@pytest.mark.parametrize("name", DOCUMENTS_OF)
def test_every_key_of_a_document_is_named(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    if name == "ratings":
        run(
            [
                "tournament",
                "nim:3,5,7",
                "-a",
                "random",
                "-a",
                "easy",
                "-n",
                "4",
                "--headless",
                "-w",
                "1",
                "--openings",
                "random:1",
            ]
        )
        capsys.readouterr()
    assert run([*DOCUMENTS_OF[name].split(), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    keys = set(document) | {key for name in ("runs", "tournaments") for one in document.get(name, ()) for key in one}
    assert {key for key in keys if f"`{key}`" not in section(f"nimtui {name}")} == set()


# What the documents link to.


def slug(heading: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def prose(text: str) -> str:
    """Return a document without its blocks of code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


PICTURE = re.compile(r'src(?:set)?="([^"]+)"')
ANCHORS = {
    name: {slug(heading) for heading in re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE)}
    for name, text in TEXTS.items()
}


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_somewhere(name: str) -> None:
    folder = (ROOT / name).parent
    wrong = []
    for target in (*re.findall(r"\]\(([^)\s]+)\)", prose(TEXTS[name])), *PICTURE.findall(TEXTS[name])):
        file, _, anchor = target.partition("#")
        path = (folder / file).resolve() if file else ROOT / name
        there = path.is_file() and path.is_relative_to(ROOT)
        if not there or (anchor and anchor not in ANCHORS[path.relative_to(ROOT).as_posix()]):
            wrong.append(target)
    assert wrong == []


def test_every_document_and_picture_is_reached_from_the_readme_which_is_short() -> None:
    assert len(TEXTS["README.md"].splitlines()) <= 200
    named = set(re.findall(r"\]\((docs/[^)#]+)", TEXTS["README.md"])) | set(PICTURE.findall(TEXTS["README.md"]))
    for document in named & set(TEXTS):
        named |= {f"docs/{file}" for file in re.findall(r"\]\(([^)#/]+)", TEXTS[document])}
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").iterdir()}
    assert files <= named


@pytest.mark.parametrize("name", TEXTS)
def test_files_that_are_named_are_there(name: str) -> None:
    found = re.findall(r"`((?:nimtui|tests|docs)/[\w/.]+)`", TEXTS[name])
    assert [file for file in found if not (ROOT / file).exists()] == []


def test_every_room_is_in_the_architecture() -> None:
    rooms = {path.parent.name for path in (ROOT / "nimtui").glob("*/__init__.py")}
    assert {room for room in rooms if f"| `{room}/` |" not in TEXTS["docs/architecture.md"]} == set()
