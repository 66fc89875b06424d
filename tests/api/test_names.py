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
    *(
        "InputError",
        "__version__",
        "agent",
        "game",
        "load",
        "match",
        "review",
        "search",
        "solve",
        "solve_many",
        "tournament",
        "train",
    )
]
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


def test_the_public_names_stay() -> None:
    assert dir(nimtui) == nimtui.__all__ == PUBLIC


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_signatures_stay_and_the_text_shows_a_call_and_what_it_raises(name: str) -> None:
    signature = inspect.signature(getattr(nimtui, name))
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    assert str(inspect.Signature(bare)) == f"({SIGNATURES[name]})"
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
