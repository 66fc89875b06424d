"""Adding a game is one new file: Wythoff's game, five rules and a name, is compiled, solved, played and learned."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from nimtui.engine import exact, graph, playouts
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import parse_game, registry
from tests import forks
from tests.games import wythoff

# Source: W. A. Wythoff 1907; the P-positions are the pairs (⌊nφ⌋, ⌊nφ²⌋).
P_POSITIONS = {(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13)}


@pytest.mark.slow
def test_it_is_compiled_and_exactly_valued() -> None:
    registry.add(wythoff)
    game = parse_game("wythoff:8,13")
    built = graph.build(game.new())
    values, grundy = exact.values(built), exact.grundy(built)
    for node, board in enumerate(built.boards):
        lost = tuple(sorted(board.tolist())) in P_POSITIONS
        assert (values[node] == -1) == lost == (grundy[node] == 0)
    compiled, interpreted = Stream(3), Stream(3)
    fast, slow = np.zeros((2, playouts.NUMBERS), np.int64)
    playouts.playouts(game.new(), game.start.board, 100, False, compiled.counter, fast, 10**6)
    with np.errstate(over="ignore"):
        playouts.playouts.py_func(game.new(), game.start.board, 100, False, interpreted.counter, slow, 10**6)
    assert fast.tolist() == slow.tolist() and 0 < fast[playouts.WINS] < 100


@pytest.mark.slow
def test_a_file_in_the_games_folder_appears_everywhere(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    shutil.copy(Path(wythoff.__file__), tmp_path / "games" / "wythoff.py")

    def document(*words: str) -> dict[str, object]:
        command = [sys.executable, "-m", "nimtui", *words, "--json"]
        environment = os.environ | {"NIMTUI_HOME": str(tmp_path)}
        done = forks.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    solved = document("solve", "wythoff:3,5")
    assert (solved["outcome"], solved["grundy"]) == ("loss", 0)
    assert document("train", "wythoff:3,5", "--learner", "reward", "--games", "20000")["accuracy"] > 0.8  # type: ignore[operator]
    played = document("match", "wythoff:3,5", "--first", "random", "--second", "perfect", "--games", "20")
    assert played["second_wins"] == 20
    moves = document("moves", "wythoff:3,6", "--agent", "mc:playouts=200")["moves"]
    assert any(move["optimal"] for move in moves)  # type: ignore[attr-defined]


def test_each_wrong_file_of_a_folder_is_refused_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [wythoff])
    source = Path(wythoff.__file__).read_text()
    wrong = {
        "lame": ("NAMES = ('lame',)\ndef size(state): return 1\n", "lacks: legal, play, undo, outcome, parse, name"),
        "broken": ("import nothing_of_this_name\n", "nothing_of_this_name"),
        "twice": (source.replace('"wythoff"', '"twice"'), "class name Wythoff is taken"),
        "taken": (source.replace("Wythoff", "Other").replace('"wythoff"', '"nim"'), "name 'nim' is taken"),
    }
    for name, (text, _) in wrong.items():
        (tmp_path / f"{name}.py").write_text(text)
    faults = registry.add_folder(tmp_path)
    assert len(faults) == len(wrong)
    for name, (_, line) in wrong.items():
        [mine] = [fault for fault in faults if f"{name}.py" in fault]
        assert line in mine and "\n" not in mine
    with pytest.raises(InputError, match=r"lame\.py cannot be used: lacks: legal"):
        parse_game("lame")
