"""What `import nimtui` offers, and what it loads."""

from __future__ import annotations

import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import nimtui
from tests import forks

PUBLIC = [
    *("InputError", "__version__", "agent", "game", "load", "match", "review", "search", "solve", "tournament", "train")
]
SIGNATURES = {
    "agent": ["one"],
    "game": ["name"],
    "load": ["file"],
    "match": [
        *("on", "first", "second", "*games", "*seed", "*alternate", "*openings", "*move_time", "*game_time"),
        "*strict",
        "*progress",
    ],
    "review": ["on", "moves", "*players", "*progress"],
    "search": ["on", "algorithm", "position", "*progress"],
    "solve": ["on", "position", "*progress"],
    "tournament": [
        *("on", "agents", "*games", "*pairs", "*openings", "*sprt", "*seed", "*workers", "*strict", "*progress"),
    ],
    "train": ["on", "learner", "games", "*seed", "*until_perfect", "*progress"],
}
NOT_IMPORTED = ("nimtui.ui.", "nimtui.check.templates", "nimtui.jobs.cluster", "nimtui.__main__")


def test_the_public_names_stay() -> None:
    assert dir(nimtui) == nimtui.__all__ == PUBLIC


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_signatures_stay_and_the_text_shows_a_call_and_what_it_raises(name: str) -> None:
    parameters = inspect.signature(getattr(nimtui, name)).parameters.values()
    told = [f"{'*' * (one.kind is one.KEYWORD_ONLY)}{one.name}" for one in parameters]
    assert told == SIGNATURES[name]
    said = inspect.getdoc(getattr(nimtui, name)) or ""
    assert "Raises InputError" in said
    assert f"`nimtui.{name}(" in said or name == "load"


def test_an_unknown_name_is_an_attribute_error() -> None:
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
    assert len(names) > 250 and not {name.partition(".")[2] for name in names} & set(PUBLIC)
    done = forks.run([sys.executable, "-c", CALLS, *names], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.stdout == "twice\n", done.stderr
