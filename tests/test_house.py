"""The house keeps its shape: who may import whom, how long files are, what loads without what, what a wheel holds."""

from __future__ import annotations

import ast
import graphlib
import importlib
import inspect
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nimtui"

HELP = {"foreign", "process", "report"}
BELOW_LEARNING = {"theory", "engine", "games"} | HELP
BELOW_AGENTS = {"learning", "trees", "store", "sandbox"} | BELOW_LEARNING
BELOW_ARENA = {"agents", "check"} | BELOW_AGENTS
BELOW_PLAYING = {"jobs", "arena"} | BELOW_ARENA
MAY_IMPORT = {
    "foreign": set(),
    "process": {"foreign"},
    "report": {"foreign"},
    "sandbox": {"process"},
    "store": {"foreign", "process"},
    "games": {"process"},
    "engine": {"games", "process", "report", "sandbox"},
    "theory": {"engine", "games", "foreign", "report"},
    "learning": BELOW_LEARNING | {"store", "sandbox"},
    "trees": BELOW_LEARNING | {"learning", "store"},
    "agents": BELOW_AGENTS,
    "check": BELOW_AGENTS | {"agents"},
    "arena": BELOW_ARENA,
    "jobs": BELOW_ARENA | {"arena"},
    "playing": BELOW_PLAYING,
    "api": BELOW_PLAYING | {"playing"},
    "ui": BELOW_PLAYING | {"playing"},
    "cli": BELOW_PLAYING | {"playing", "api", "ui"},
}
ROOMS_OF_ROOMS = {  # the same for the rooms in rooms, each from its lowest
    "arena": ("rating", "play", "transcripts", "review", "compare", "standings", "classes"),
    "ui.kit": ("terminal", "contract", "widgets", "forms"),
}
# From the top. Compare shows the map of Train and the names of Search, and both open it by the app. A room that is not
# here, of a new screen, stands below the tour: it may import every other screen, and none imports it.
FLOORS_OF_UI = ("app", "tour", "tournament", "library", "sweep", "compare", "train", "search", "play", "board", "kit")
FOR_ALL = {"errors", "glossary", "progress", "signs", "version"}
ONLY_IN = {
    "numba": {"engine"},
    "llvmlite": {"engine"},
    "textual": {"ui"},
    "rich": {"ui", "cli", "api", "report"},
    "typer": {"cli"},
    "pyspiel": {"cli"},
    "open_spiel": {"cli"},
    "platformdirs": {"store"},
}
MOST_LINES = 500
MOST_FILES = 499
MOST_LINES_IN_ALL = 95_900  # 75,000, and functions, areas, programs, serving, octal games, payoffs, runs


def sources(folder: Path = PACKAGE) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(syntax(path)))


@pytest.fixture(scope="module", autouse=True)
def trees() -> Iterator[None]:
    """The trees of all files, 100 MB, are needed by the tests of this file alone."""
    yield
    syntax.cache_clear()
    nodes.cache_clear()


@cache
def imports(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The import statements of a file, wherever in the file."""
    return tuple(node for node in nodes(path) if isinstance(node, ast.Import | ast.ImportFrom))


NAME_OF_A_MODULE = re.compile(r"(nimtui\.[a-z_]+(?:\.[a-z_]+)+)(?::\w+)?")


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The full names of all modules that a file of the package imports, or names in a text of its own."""
    texts = [node.value for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    names = [match[1] for match in map(NAME_OF_A_MODULE.fullmatch, texts) if match]
    for node in imports(path):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{path} has a relative import"
            assert node.module is not None
            names += [f"nimtui.{alias.name}" for alias in node.names] if node.module == "nimtui" else [node.module]
    return tuple(names)


def room(path: Path) -> str:
    """The room a file is in; '' for the modules at the root."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def test_every_room_is_known() -> None:
    assert {room(path) for path in sources()} - {""} <= set(MAY_IMPORT)


def is_allowed(path: Path, name: str) -> bool:
    """Return whether a file may import this module: rooms import those below them, and a library stays in its rooms."""
    here, (library, *inner) = room(path), name.split(".")
    if library != "nimtui":
        needless = here == "games" and library not in sys.stdlib_module_names | {"numpy"}
        return not needless and here in ONLY_IN.get(library, {here})
    if not here or not inner:
        return True
    for whole, rooms in ROOMS_OF_ROOMS.items():
        parts, folder = whole.split("."), path.relative_to(PACKAGE).parts[:-1]
        depth = len(parts)
        if [*folder[:depth]] == parts == inner[:depth] and min(len(folder), len(inner)) > depth:
            return inner[depth] in rooms[: rooms.index(folder[depth]) + 1]
    if inner[0] == here == "ui" and len(inner) > 1:
        return not floor(path) or height(inner[1]) >= height(floor(path))
    return inner[0] in FOR_ALL | MAY_IMPORT[here] | {here}


@pytest.mark.slow
def test_rooms_import_downwards_only_and_each_library_stays_in_its_room() -> None:
    for whole, rooms in ROOMS_OF_ROOMS.items():
        assert {path.parent.name for path in (PACKAGE / whole.replace(".", "/")).glob("*/*.py")} == set(rooms)
    files = ((path, name) for path in sources() for name in imported(path))
    assert [f"{path.relative_to(ROOT)} imports {name}" for path, name in files if not is_allowed(path, name)] == []


def floor(path: Path) -> str:
    """The room of `ui` that a file is in; '' for those that are in none."""
    parts = path.relative_to(PACKAGE).parts
    return parts[1] if parts[0] == "ui" and len(parts) > 2 else ""


def test_every_room_of_ui_has_its_floor() -> None:
    rooms = {floor(path) for path in sources()} - {""}
    assert rooms >= set(FLOORS_OF_UI)
    others = rooms - set(FLOORS_OF_UI)
    assert all("\nMODE = " in (PACKAGE / "ui" / room / "__init__.py").read_text("utf-8") for room in others), "a screen"


def height(room: str) -> float:
    """How many rooms of `ui` stand above this one."""
    return FLOORS_OF_UI.index(room) if room in FLOORS_OF_UI else FLOORS_OF_UI.index("tour") + 0.5


def test_the_order_of_the_rooms_of_ui_is_told_as_it_is() -> None:
    assert " > ".join(FLOORS_OF_UI) in (PACKAGE / "ui" / "__init__.py").read_text("utf-8")
    assert " → ".join(FLOORS_OF_UI) in (ROOT / "docs" / "architecture.md").read_text("utf-8")


def modules() -> dict[str, Path]:
    """Every module of the package by its name; a package is called as its folder."""
    found = {}
    for path in sources():
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def arrows(known: dict[str, Path]) -> dict[str, set[str]]:
    """Which modules each imports, wherever in the file and for types alone too."""
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        found[name] = set()
        for node in imports(path):
            if isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names}
            else:
                wholes = {f"{node.module}.{alias.name}" for alias in node.names}
                found[name] |= {whole if whole in known else str(node.module) for whole in wholes}
        found[name] &= known.keys()
    return found


@pytest.mark.slow
def test_no_module_imports_what_imports_it() -> None:
    graphlib.TopologicalSorter(arrows(modules())).prepare()  # CycleError names the circle


PRIVATE_PARTS = PACKAGE / "ui" / "kit" / "terminal" / "textual_parts.py"
USERS_OF_TEXTUAL = ("nimtui.ui", "nimtui.cli", "nimtui.api", "nimtui.report")  # and of Rich
NOT_THEIRS = {*dir(os), "_replace", "_fields", "_field_defaults", "_make", "_asdict"}  # of the system, of tuples


def is_private(name: object) -> bool:
    return isinstance(name, str) and name.startswith("_") and not name.startswith("__")


@cache
def bodies(path: Path) -> dict[str, str]:
    """The source of each class of a file, by its name."""
    lines = path.read_text("utf-8").splitlines()
    classes = (node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, ast.ClassDef))
    return {node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in classes}


def body(kind: type) -> str:
    """The source of a class; '' where no file has it."""
    file = getattr(sys.modules[kind.__module__], "__file__", None) or ""
    return bodies(Path(file)).get(kind.__name__, "") if file.endswith(".py") else ""


@cache
def private_names(kind: type) -> set[str]:
    """What a class has in its body, and on `self` in its methods."""
    names = {name for name in vars(kind) if is_private(name)}
    return (names | set(re.findall(r"\bself\.(_[a-z]\w*)", body(kind)))) - NOT_THEIRS


def used_names(kind: type) -> set[str]:
    """What the methods of an own class are called, and use of the class itself."""
    return set(re.findall(r"(?:\bself\.|\bcls\.|\bsuper\(\)\.|\bdef )(_[a-z]\w*)", body(kind)))


@pytest.mark.slow
def test_one_file_reaches_for_the_private_parts_of_textual_and_rich() -> None:
    theirs, own, wrong = set[str](), set[str](), []
    files = {name: path for name, path in modules().items() if path != PRIVATE_PARTS}
    users = {name: path for name, path in files.items() if name.startswith(USERS_OF_TEXTUAL)}
    for name in users:
        with suppress(ImportError):  # this system cannot load it
            for kind in filter(inspect.isclass, vars(importlib.import_module(name)).values()):
                bases = [base for base in kind.__mro__ if base.__module__.partition(".")[0] in {"textual", "rich"}]
                inherited = set().union(*map(private_names, bases))
                theirs |= inherited
                if kind.__module__ == name:
                    wrong += [f"{name}.{kind.__name__} has {word}" for word in used_names(kind) & inherited]
                    own |= used_names(kind) - inherited
    for name, path in users.items():
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and node.attr in theirs - own:
                wrong += [f"{name}:{node.lineno} {node.attr}"] * (
                    ast.unparse(node.value) not in {"self", "cls", "super()"}
                )
    private = re.compile(r"(textual|rich)\..*?\b_")
    wrong += [f"{name} imports {other}" for name in files for other in imported(files[name]) if private.match(other)]
    assert not wrong


RIDDLES = {"asked", "found", "given", "kept", "known", "left", "made", "said", "shown", "told"}
MOST_RIDDLES = 60  # `left` is also a side


@pytest.mark.slow
def test_names_say_what_a_thing_is_not_what_happened_to_it() -> None:
    names = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.id}"
        for path in sources()
        for node in nodes(path)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in RIDDLES
    ]
    assert len(names) <= MOST_RIDDLES, names


def test_the_package_has_few_files_and_lines() -> None:
    assert len(sources()) <= MOST_FILES
    assert sum(len(path.read_text("utf-8").splitlines()) for path in sources()) <= MOST_LINES_IN_ALL


def test_files_can_be_read_in_one_sitting() -> None:
    files = [*sources(), *sources(ROOT / "tests"), *(ROOT / "styles").rglob("*.tcss")]
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in files}
    assert {str(path): lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


PATHS_OF_A_MACHINE = re.compile(r"/(wor[k]|roo[t]|hom[e]/\w+|tm[p]/\w+)\b|\.\./share[d]|pyp[i]\.org|pythonhoste[d]")
TEXTS = (".py", ".md", ".toml", ".tcss", ".svg", ".json", "")


def test_nothing_names_the_machine_it_was_written_on() -> None:
    folders = [PACKAGE, ROOT / "tests", ROOT / "styles", ROOT / ".ci", ROOT / "docs"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files += [ROOT / "README.md", ROOT / "pyproject.toml", ROOT / ".gitignore"]
    found = []
    for path in files:
        if path.suffix in TEXTS and "__pycache__" not in path.parts:
            for match in PATHS_OF_A_MACHINE.finditer(path.read_text("utf-8")):
                found.append(f"{path.relative_to(ROOT)}: {match[0]}")
    assert not found


def loaded_after(steps: Iterable[str], tmp_path: Path) -> list[set[str]]:
    """Which of the heavy libraries a fresh interpreter has loaded after each of these steps."""
    heavy = ("numba", "numpy", "textual", "rich", "typer", "pydantic", "sqlite3", "asyncio")
    report = f"\nimport sys; print('LOADED', *(name for name in {heavy} if name in sys.modules))\n"
    done = subprocess.run(
        [sys.executable, "-c", report.join([*steps, ""])],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"NIMTUI_HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "PATH": ""},
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=60,
    )
    return [set(names.split()) for names in re.findall("^.*LOADED(.*)", done.stdout, re.MULTILINE)]


OPENED = """
import asyncio, json, os, pathlib, zipfile
from types import SimpleNamespace
from nimtui.cli.app import run
from nimtui.ui.app import app, terminal

runs = pathlib.Path(os.environ["NIMTUI_HOME"]) / "runs"
runs.mkdir()
with zipfile.ZipFile(runs / "cut.npz", "w") as file:  # as much of a training as its header says
    kept = {"more": {"goal": {"games": 500}}, "curve": []}
    file.writestr("header.json", json.dumps({"header": {"learner": "q", "game": "nim:1,3", "games": 50, "run": kept}}))

def first_picture(self):
    async def shown():
        async with self.run_test(size=(120, 36)) as pilot:
            while self.screen.cut is None:
                await pilot.pause(0.01)
    asyncio.run(shown())

terminal.check = lambda: None
app.NimtuiApp.run = first_picture
app.NimtuiApp.end_signals = SimpleNamespace(leave=lambda: None)
assert run([]) == 0
"""


SIMPLE = """
from nimtui.agents import parse_agent
from nimtui.engine.rng import Stream
from nimtui.games import Record, parse_game
from nimtui.progress import SILENT
game = parse_game("tower:16")
seats = [parse_agent("easy", game), parse_agent("perfect", game)]
record = Record(game)
while not record.over:
    record.push(seats[record.turn].decide(record.state, Stream(1), SILENT).move)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "steps",  # of one interpreter: what is not to be loaded after each
    [
        {
            "from nimtui.cli.names import own_files; own_files()": {"numba", "numpy", "textual", "rich", "asyncio"},
            "from nimtui.cli.app import run; run(['--version'])": {"numba", "numpy", "textual", "rich"},
            "run(['--help'])": {"numba", "numpy", "textual", "rich"},
            "run(['train', '--help'])": {"numba", "numpy", "textual"},
            "run(['solve', 'tower:16'])": {"numba", "textual"},
        },
        {
            "import nimtui.games": {"numba", "textual", "rich", "typer", "asyncio"},
            "import nimtui.engine.rng": {"numba", "textual", "rich", "typer"},
            "import nimtui.agents, nimtui.arena, nimtui.learning": {"numba", "textual", "rich", "typer"},
            "from nimtui.cli.app import run; run(['play', 'nim:1,4', '--plain'])": {"textual", "rich", "numba"},
            SIMPLE: {"numba"},
        },
        {
            "import nimtui.jobs, nimtui.store": {"numba", "numpy", "textual", "rich", "typer"},
            "import nimtui.ui.app.app": {"numba", "numpy", "typer"},
            OPENED: {"numba", "numpy", "pydantic", "sqlite3"},
        },
    ],
    ids=["commands", "library", "screens"],
)
def test_nothing_is_loaded_before_it_is_needed(steps: dict[str, set[str]], tmp_path: Path) -> None:
    loaded = loaded_after(steps, tmp_path)
    assert [early & without for early, without in zip(loaded, steps.values(), strict=True)] == [set()] * len(steps)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=120,
    )
    [built] = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_holds_everything_the_app_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    sheets = {path.relative_to(ROOT).as_posix() for path in (ROOT / "styles").rglob("*.tcss")}
    modules = {path.relative_to(ROOT).as_posix() for path in sources()}
    assert sheets and {f"nimtui/{sheet}" for sheet in sheets} <= names
    assert modules | {"nimtui/py.typed"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any("tests" in name or "__pycache__" in name for name in names)


@pytest.mark.slow
def test_what_the_wheel_unpacks_runs(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    code = "import nimtui.ui.app.app; from nimtui.cli.app import run; raise SystemExit(run(['--version']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "installed"), "NIMTUI_HOME": str(tmp_path / "home"), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("nimtui ")


@pytest.mark.slow
def test_no_module_gives_one_name_two_meanings() -> None:
    """A second constant of one name takes the place of the first, also for the functions above it."""
    for path in sources():
        names = [
            name.id
            for node in syntax(path).body
            if isinstance(node, ast.Assign)
            for target in node.targets
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        ]
        again = sorted({name for name in names if names.count(name) > 1})
        assert not again, f"{path.relative_to(ROOT)}: {again}"
