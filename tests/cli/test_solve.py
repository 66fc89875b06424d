from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests import forks
from tests.cli.conftest import Nimtui
from tests.theory import pairs

KEYS = {"plain", "game", "position", "canonical", "outcome", "remoteness", "grundy", "best_moves"}


def test_the_classic_tower_is_lost_for_who_begins(nimtui: Nimtui) -> None:
    keys = nimtui("solve nim:1,3,5,7 --json").document
    assert set(keys) == KEYS
    assert (keys["game"], keys["position"]) == ("nim:1,3,5,7", "1,3,5,7")
    assert (keys["outcome"], keys["grundy"]) == ("loss", 0)
    assert len(keys["best_moves"]) == 16, "where every move loses all of them keep the outcome"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "outcome", "grundy", "best"),
    [
        # source: flat Monte Carlo, its position with its misère rule: the perfect moves are b2, c2, e6
        ("nim:3,5,4,2,6:misere", "win", None, ["b2", "c2", "e6"]),
        ("nim:3,5,4,2,6", "win", 6, ["b2", "c2", "e6"]),
        ("tower:16 -p 0,3,5,5", "win", 3, ["b3"]),
        # source: Bouton; one row above 1 in misère leaves an odd number of ones
        ("nim:1,3,5,7:misere -p 1,0,0,4", "win", None, ["d4"]),
        ("subtraction:21,3:misere", "loss", None, ["a1", "a2", "a3"]),
        ("subtraction:22,3:misere", "win", None, ["a1"]),
        ("subtraction:21,3", "win", 1, ["a1"]),
        # source: A002186, Kayles: rows of 1, 2, 3 have the values 1, 2, 3, whose nim-sum is 0
        ("kayles:1,2,3", "loss", 0, None),
        ("adjacent:1,3,5,7", "loss", 0, None),
        ("adjacent:5 -p 11011", "loss", 0, None),
        ("nim:1,3,5,7 -p 0,0,0,0", "loss", 0, []),
        ("nim:1,3,5,7:misere -p 0,0,0,0", "win", None, []),
    ],
)
def test_outcomes(nimtui: Nimtui, words: str, outcome: str, grundy: int | None, best: list[str] | None) -> None:
    keys = nimtui(f"solve {words} --json").document
    assert (keys["outcome"], keys["grundy"]) == (outcome, grundy)
    if best is not None:
        assert keys["best_moves"] == best


def test_connect_four_on_a_small_board_has_scores(nimtui: Nimtui) -> None:
    keys = nimtui("solve connect4:4x4 --json").document
    assert set(keys) == KEYS | {"score", "scores", "line", "ending"}
    assert (keys["game"], keys["outcome"], keys["score"]) == ("connect:4x4x4", "draw", 0)
    assert set(keys["scores"]) == {"1", "2", "3", "4"}
    assert (keys["ending"], len(keys["line"])) == ("full board", 16)
    best = max(keys["scores"].values())
    assert best == 0 and keys["best_moves"] == [m for m, s in keys["scores"].items() if s == best]


def test_three_in_a_column_win_with_their_spare_discs(nimtui: Nimtui) -> None:
    # Pons's convention: of 8 discs of one's own on 4 × 4, the fourth wins with 4 to spare: 5
    keys = nimtui("solve connect4:4x4 -p 112233 --json").document
    assert (keys["outcome"], keys["score"], keys["best_moves"]) == ("win", 5, ["4"])


def test_a_finished_board_is_answered(nimtui: Nimtui) -> None:
    keys = nimtui("solve connect4:4x4 -p 1122334 --json").document
    assert (keys["outcome"], keys["best_moves"], keys["scores"]) == ("loss", [], {})


def test_text_says_who_wins_and_why(nimtui: Nimtui) -> None:
    answer = nimtui("solve tower:16 -p 0,3,5,5")
    assert (answer.status, answer.err) == (0, "")
    assert "win for the player to move, Grundy value 3" in answer.out
    assert "best moves  b3" in answer.out
    assert "N-position" in answer.out and "0 1 1" in answer.out


def test_too_large_a_board_is_said_to_be(nimtui: Nimtui) -> None:
    answer = nimtui("solve connect4:9x6 --json")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1 and "too large" in answer.err


def test_a_sequence_as_json_and_as_text(nimtui: Nimtui) -> None:
    keys = nimtui("sequence subtraction:21,3:misere --to 9 --json").document
    assert keys["values"] == [1, -1, 1, 1, 1, -1, 1, 1, 1, -1]
    assert keys["outcomes"] == ["N", "P", "N", "N", "N", "P", "N", "N", "N", "P"]
    assert keys["period"] == {"preperiod": 0, "length": 4, "proven": True, "proof": "window"} and keys["grundy"] is None
    said = nimtui("sequence kayles:9 --to 167").out
    assert "The Grundy values have period 12 from 71 on (proven by the bound of Guy and" in said
    assert nimtui("sequence nim:1,3").status == 2


def test_a_sequence_on_one_line_and_of_a_set(nimtui: Nimtui) -> None:
    assert nimtui("sequence subtraction:21,3 --to 9 --line").out.splitlines()[0] == "0 1 2 3 0 1 2 3 0 1"
    values, told = nimtui("sequence --set 4,1,3 --to 14 --line").out.split("\n", 1)
    assert values == "0 1 0 1 2 3 2 0 1 0 1 2 3 2 0" and "period 7 from 0 on (proven:" in told
    keys = nimtui("sequence --set 2,3 --misere --to 4 --json").document
    assert (keys["game"], keys["set"], keys["outcomes"]) == (None, [2, 3], ["N", "N", "P", "P", "N"])
    for wrong in ("sequence", "sequence nim:5 --set 1,2", "sequence --set 1,x", "sequence nim:5 --misere"):
        answer = nimtui(wrong)
        assert answer.status == 2 and answer.err.count("\n") == 1


@pytest.mark.slow
def test_the_sequence_of_an_own_game_is_seen_and_not_proven(tmp_path: Path) -> None:
    def said_of(words: str) -> str:  # own files are loaded once per process
        command = [sys.executable, "-m", "nimtui", *words.split()]
        environment = {**os.environ, "NIMTUI_HOME": str(tmp_path / "home")}
        done = forks.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
        return str(done.stdout)

    source = Path(pairs.__file__).read_text()
    games = tmp_path / "home" / "games"
    games.mkdir(parents=True)
    (games / "pairs.py").write_text(source)
    (games / "twelve.py").write_text(
        source.replace("pairs", "twelve")
        .replace("Pairs", "Twelve")
        .replace("int(fields[0])", "12")
        .replace('f"twelve:{state.full}"', '"twelve"')
        + "\n\ndef position_name(state):\n    return str(state.board[0])\n"
        + "\n\ndef parse_position(state, text):\n    return np.array([int(text)], np.int64)\n"
    )
    for name, shown in (("pairs:9", "pairs:N"), ("twelve", "twelve")):
        keys = json.loads(said_of(f"sequence {name} --to 12 --json"))
        assert keys["game"] == shown
        assert keys["grundy"] == [n // 2 % 2 for n in range(13)]
        assert keys["period"] == {"preperiod": 0, "length": 4, "proven": False, "proof": None}
    said = said_of("sequence pairs:9 --to 12")
    assert "period 4 from 0 on (seen up to 12, not proven)" in " ".join(said.split())


def test_a_finished_board_has_no_table_of_columns(nimtui: Nimtui) -> None:
    out = nimtui("solve connect4:4x4 -p 1122334").out
    assert "column" not in out and "The game is over: the player who dropped the last disc won." in out
