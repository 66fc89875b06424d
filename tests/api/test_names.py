"""What `import nimtui` offers and loads; docs/api.md is true: Python prints what it shows; and so is the notebook."""

from __future__ import annotations

import doctest
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

import nimtui
from nimtui.agents import registry
from nimtui.arena.play import pieces as play
from tests import forks

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "api.md").read_text("utf-8")
SIGNATURES = {
    "agent": "one",
    "game": "name",
    "load": "file",
    "match": "on, first, second, *, games=1, seed=0, alternate=False, openings='start', move_time=None, game_time=0.0,"
    " increment=0.0, nodes=0, fault='game', sandbox='possible', strict=False, progress=None",
    "review": "on, moves, *, players=('me', 'me'), progress=None",
    "search": "on, algorithm='alphabeta', position=None, *, progress=None",
    "solve": "on, position=None, *, progress=None",
    "solve_many": "on, positions, *, progress=None",
    "tournament": "on, agents, *, games=100, pairs='round-robin', openings='start', sprt=None, seed=0, workers=1,"
    " move_time=None, game_time=0.0, increment=0.0, nodes=0, fault='game', sandbox='possible', strict=False,"
    " progress=None",
    "train": "on, learner='reward', games=1000000, *, seed=0, until_perfect=False, progress=None",
}
NOT_IMPORTED = ("nimtui.ui.", "nimtui.check.templates", "nimtui.jobs.cluster", "nimtui.__main__")


def test_the_names_and_signatures_stay_and_the_texts_show_a_call_and_what_it_raises() -> None:
    assert dir(nimtui) == nimtui.__all__ == ["InputError", "__version__", *SIGNATURES]
    for name, parameters in SIGNATURES.items():
        signature = inspect.signature(getattr(nimtui, name))
        bare = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
        assert str(inspect.Signature(bare)) == f"({parameters})"
        said = inspect.getdoc(getattr(nimtui, name)) or ""
        assert "Raises InputError" in said and (f"`nimtui.{name}(" in said or name == "load")
        assert re.search(rf"^\| `nimtui\.{name}\b", PAGE, re.MULTILINE), "in the table of the page"
    with pytest.raises(AttributeError, match="module 'nimtui' has no attribute 'serch'"):
        _ = nimtui.serch  # type: ignore[attr-defined]


def test_the_import_loads_no_library() -> None:
    code = "import sys; before = set(sys.modules); import nimtui; dir(nimtui); print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.startswith("nimtui")} == {"nimtui", "nimtui.version"}
    assert not {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names - {"nimtui"}


CALLS = """
import importlib, pathlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
import nimtui
run = nimtui.train("nim:1,2", games=50)
run.save("table.npz", force=True)
for _ in range(2):
    game = nimtui.game("nim:1,2")
    assert nimtui.solve(game).outcome == "win"
    assert nimtui.train(game, games=50).games == 50
    assert nimtui.search(game).best_move == "b1"
    assert nimtui.agent("perfect").choose(game) == "b1"
    assert nimtui.match(game, "perfect", "random").games == 1
    assert nimtui.tournament(game, ["perfect", "random"], games=2).games == 2
    assert nimtui.load("table.npz").games == 50
    assert nimtui.review(game, "b1 a1 b1").mistakes == []
    assert issubclass(nimtui.InputError, ValueError)
print("twice")
"""


@pytest.mark.slow
def test_every_function_stays_callable_after_every_module_is_imported(tmp_path: Path) -> None:
    found = [info.name for info in pkgutil.walk_packages(nimtui.__path__, "nimtui.")]
    names = [name for name in found if not name.startswith(NOT_IMPORTED)]
    assert len(names) > 250 and not {name.partition(".")[2] for name in names} & set(nimtui.__all__)
    done = forks.run([sys.executable, "-c", CALLS, *names], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.stdout == "twice\n", done.stderr


# docs/api.md is true: Python prints what it shows, and it names all that there is.


def test_python_prints_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_entries", {})  # of objects that other tests handed in
    monkeypatch.setattr(play, "_boards", OrderedDict())
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "docs/api.md", None, None)
    told: list[str] = []
    flags = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS
    found = doctest.DocTestRunner(optionflags=flags).run(test, out=told.append)
    assert found.attempted > 15 and not found.failed, "".join(told)


# The notebook runs from its first cell to its last, and is saved without output.


@pytest.mark.slow
def test_every_cell_of_the_notebook_runs_after_those_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    keys = json.loads((DOCS / "nimtui.ipynb").read_text("utf-8"))
    cells = [cell for cell in keys["cells"] if cell["cell_type"] == "code"]
    assert keys["nbformat"] == 4 and all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells, 1):
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    printed = capsys.readouterr().out
    assert "0 . 1 1 1 1" in printed and "1 1 . 1 1 1" in printed  # two equal heaps are lost, else one move wins
    assert names["standings"].standings[0]["agent"].startswith(("perfect", "proof"))
    assert names["runs"]["proof"].perfect and not names["runs"]["reward"].perfect and names["wrong"]
    found = nimtui.review(names["game"], names["moves"])
    assert all(row["ply"] % 2 for row in found.mistakes)  # none by the learner, who moves second
