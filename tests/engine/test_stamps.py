"""Stamps of kernels and of rules, in a package whose files change."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from operator import ne
from pathlib import Path

import pytest

from nimtui.engine import jit

STAMPS = """
import importlib, json, sys
from pathlib import Path
changes = json.loads(sys.argv[1])

def stamps():
    for name in [name for name in sys.modules if name.partition(".")[0] == "nimtui"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    jit, noughts, playouts = (importlib.import_module(f"nimtui.{name}")
        for name in ("engine.jit", "games.noughts", "engine.playouts"))
    return [jit.stamp_of(playouts.playouts.py_func), jit.stamp_of_class(noughts.Noughts)]

found = [stamps()]
for path in Path("nimtui").rglob("*.py"):
    path.write_text(f"# A comment that moves all lines.\\n{path.read_text()}\\n# And one below them.\\n")
for change in changes:
    for file, before, after in change:
        path = Path("nimtui", file)
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after, 1))
    found.append(stamps())
print(json.dumps(found))
"""
# What is changed in the package, and whether the stamps of the kernel of playouts and of the rules of noughts change.
CHANGES = {
    (  # and comments, which move all lines
        ("games/heaps.py", "return LOST if state.misere else WON", "return LOST"),
        ("engine/mcts.py", "return 0.0 if outcome == DRAW", "return 1.0 if outcome == DRAW"),
        ("games/noughts.py", "Noughts and crosses, ", "Crosses and noughts, "),
    ): (False, False),
    (("games/noughts.py", "            return WON", "            return DRAW"),): (False, True),
    (("games/bits.py", "    return ", "    return 0 + "),): (False, True),
    (("engine/rng.py", "x = (x ^ (x >> _30)) * _A", "x = (x ^ (x >> _31)) * _A"),): (True, False),
    (("engine/rng.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C13"),): (True, False),
}


@pytest.mark.slow
def test_a_stamp_changes_when_and_only_when_what_is_compiled_changes(tmp_path: Path) -> None:
    package = Path(jit.__file__).parents[1]
    shutil.copytree(package, tmp_path / "nimtui", ignore=shutil.ignore_patterns("__pycache__", "ui", "cli"))
    # A new interpreter: the server of forks has loaded the package.
    words = [sys.executable, "-B", "-c", STAMPS, json.dumps(list(CHANGES))]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pairs = list(pairwise(json.loads(done.stdout)))
    assert dict(zip(CHANGES, [tuple(map(ne, *pair)) for pair in pairs], strict=True)) == CHANGES
