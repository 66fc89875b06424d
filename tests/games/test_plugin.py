"""Adding a game is one new file: Wythoff's game, five rules and a name, plays, counts, is solved and learned."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nimtui.engine import exact, graph, perft, playouts
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Record, base, parse_game, registry
from nimtui.games.offer import Offer
from tests import forks
from tests.games import wythoff

# Source: W. A. Wythoff 1907; the P-positions are the pairs (⌊nφ⌋, ⌊nφ²⌋).
P_POSITIONS = {(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13)}


@pytest.fixture(autouse=True)
def added() -> None:
    registry.add(wythoff)


def test_it_plays_with_only_the_required_rules() -> None:
    game = parse_game("wythoff:3,5")
    assert game.name == game.title == "wythoff:3,5"
    record = Record(game)
    while not record.over:
        moves = base.legal_moves(record.state)
        assert base.count(record.state) == len(moves)
        record.push(base.nth(record.state, len(moves) - 1))
    assert record.winner == (record.ply - 1) % 2
    with pytest.raises(InputError, match="illegal move"):
        game.parse_move("99", game.new())


@pytest.mark.slow
def test_it_is_compiled_and_exactly_valued() -> None:
    game = parse_game("wythoff:8,13")
    built = graph.build(game.new())
    values, grundy = exact.values(built), exact.grundy(built)
    for node, board in enumerate(built.boards):
        lost = tuple(sorted(board.tolist())) in P_POSITIONS
        assert (values[node] == -1) == lost == (grundy[node] == 0)
    wins, _ = playouts.count_playouts(game.new(), 10_000, Stream(1))
    assert 0 < wins < 10_000
    assert perft.by_ply(parse_game("wythoff:1,1").new()) == [1, 3, 2]


def test_compiled_and_interpreted_agree_on_it() -> None:
    game = parse_game("wythoff:5,4")
    compiled, interpreted = Stream(3), Stream(3)
    fast, slow = np.zeros((2, playouts.NUMBERS), np.int64)
    playouts.playouts(game.new(), game.start.board, 100, False, compiled.counter, fast, 10**6)
    with np.errstate(over="ignore"):
        playouts.playouts.py_func(game.new(), game.start.board, 100, False, interpreted.counter, slow, 10**6)
    assert fast.tolist() == slow.tolist()


def nimtui(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"NIMTUI_HOME": str(home)}
    return forks.run(
        [sys.executable, "-m", "nimtui", *words], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_file_in_the_games_folder_appears_everywhere(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    shutil.copy(Path(wythoff.__file__), tmp_path / "games" / "wythoff.py")
    solved = nimtui(tmp_path, "solve", "wythoff:3,5", "--json")
    assert solved.returncode == 0, solved.stderr
    assert json.loads(solved.stdout)["outcome"] == "loss"
    assert json.loads(solved.stdout)["grundy"] == 0
    trained = nimtui(tmp_path, "train", "wythoff:3,5", "--learner", "reward", "--games", "20000", "--json")
    assert trained.returncode == 0, trained.stderr
    assert json.loads(trained.stdout)["accuracy"] > 0.8
    played = nimtui(
        tmp_path, "match", "wythoff:3,5", "--first", "random", "--second", "perfect", "--games", "20", "--json"
    )
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout)["second_wins"] == 20
    moves = nimtui(tmp_path, "moves", "wythoff:3,6", "--agent", "mc:playouts=200", "--json")
    assert moves.returncode == 0, moves.stderr
    assert sum(move["optimal"] for move in json.loads(moves.stdout)["moves"]) >= 1


def test_a_game_that_lacks_a_rule_or_takes_a_name_is_refused_and_named(tmp_path: Path) -> None:
    (tmp_path / "lame.py").write_text("NAMES = ('lame',)\ndef size(state): return 1\n")
    (tmp_path / "broken.py").write_text("import nothing_of_this_name\n")
    source = Path(wythoff.__file__).read_text()
    (tmp_path / "twice.py").write_text(source.replace('"wythoff"', '"twice"'))
    (tmp_path / "taken.py").write_text(source.replace("Wythoff", "Other").replace('"wythoff"', '"nim"'))
    faults = registry.add_folder(tmp_path)
    assert len(faults) == 4
    assert all("\n" not in fault for fault in faults)
    text = "\n".join(faults)
    assert "lacks: legal, play, undo, outcome, parse, name" in text
    assert "nothing_of_this_name" in text
    assert "class name Wythoff is taken" in text
    assert "name 'nim' is taken" in text
    with pytest.raises(InputError, match=r"lame\.py cannot be used: lacks: legal"):
        parse_game("lame")


def test_what_a_game_offers_is_read_when_it_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [])
    for sizes, said in (
        ({"3 and 5": "wythoff:3,5"}, ""),
        ({"3": "wythoff:3"}, "OFFERS has wythoff:3, which"),
        ({}, "each"),
    ):
        monkeypatch.setattr(wythoff, "OFFERS", (Offer("wythoff", "Wythoff", "take", sizes),), raising=False)
        if said:
            with pytest.raises(InputError, match=said):
                registry.add(wythoff)
        else:
            registry.add(wythoff)
            assert registry.offers()[-1].label == "Wythoff"
            registry._added.clear()
