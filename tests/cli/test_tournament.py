"""`nimtui tournament`: run, printed, exported, asked wrongly; and the whole subtraction tournament."""

from __future__ import annotations

import csv
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Nimtui

STANDING = {"agent", "points", "played", "wins", "losses", "draws", "elo", "elo_low", "elo_high", "mistake_rate"}
WORDS = "tournament nim:3,5,7 -a random -a easy -a perfect --games 20"

SECOND_DOCUMENT = ("random", "perfect", "mc", "mc:policy=perfect-opponent", "mcts", "value")
RE_RUN = {  # source: an independent re-run of original 002, wins of the first in 100 games; 0 = random … 5 = value
    (0, 0): 43, (0, 1): 0, (1, 0): 98, (1, 1): 0, (0, 2): 15, (2, 0): 92, (1, 2): 99, (2, 1): 0, (0, 3): 0, (3, 0): 100,
    (1, 3): 0, (3, 1): 0, (0, 4): 3, (4, 0): 98, (1, 4): 88, (4, 1): 0, (2, 4): 7, (4, 2): 96, (3, 4): 95, (4, 3): 0,
    (0, 5): 0, (1, 5): 0, (5, 1): 0, (2, 2): 53, (4, 4): 53, (5, 0): 99, (5, 2): 100, (5, 4): 96, (5, 3): 0,
}  # fmt: skip


def test_a_tournament_says_who_is_stronger(nimtui: Nimtui, tmp_path: Path) -> None:
    table = tmp_path / "standings.csv"
    answer = nimtui(f"{WORDS} --json --csv {table}")
    keys = answer.document
    assert (answer.status, answer.err) == (0, "")
    assert (keys["game"], keys["agents"]) == ("nim:3,5,7", ["random", "easy", "perfect"])
    assert (keys["games"], keys["of_games"]) == (60, 60)
    rows = {row["agent"]: row for row in keys["standings"]}
    for row in keys["standings"]:
        assert set(row) >= STANDING
        assert row["wins"] + row["losses"] + row["draws"] == row["played"] == 40
        assert row["points"] == row["wins"] + row["draws"] / 2
        assert sum(row[seat][kind] for seat in ("first", "second") for kind in ("wins", "losses", "draws")) == 40
        assert row["score_low"] <= row["score"] <= row["score_high"]
    assert keys["standings"][0]["agent"] == "perfect", "the best first"
    assert rows["perfect"]["mistake_rate"] == 0 < rows["random"]["mistake_rate"] < 1
    assert sum(row["points"] for row in keys["standings"]) == 60, "a point a game"
    crosstable = keys["crosstable"]  # in the order of `agents`
    assert [crosstable[place][place] for place in range(3)] == [None] * 3
    assert all(sum(crosstable[one][other].values()) == 10 for one in range(3) for other in range(3) if one != other)
    assert sum(cell["first_wins"] for cell in crosstable[2] if cell) == rows["perfect"]["first"]["wins"]
    assert "won for the player to move" in keys["theory"][0]
    with table.open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["agent"] for line in lines] == [row["agent"] for row in keys["standings"]]
    assert [float(line["points"]) for line in lines] == [row["points"] for row in keys["standings"]]


def test_a_table_that_is_there_already_is_not_written_over(nimtui: Nimtui, tmp_path: Path) -> None:
    table = tmp_path / "standings.csv"
    table.write_text("mine")
    words = f"tournament nim:3,5 -a random -a easy -n 2 --no-save --csv {table}"
    refused = nimtui(words)
    assert (refused.status, refused.out, refused.err.count("\n")) == (
        2,
        "",
        1,
    ) and "--force overwrites it" in refused.err
    assert table.read_text() == "mine"
    assert nimtui(f"{words} --force").status == 0 and table.read_text().startswith("place,agent")


def test_what_was_finished_says_so_and_prints_its_report(nimtui: Nimtui) -> None:
    first = nimtui(f"{WORDS} --headless")
    again = nimtui("tournament --resume 1 --headless")
    assert (first.err, again.status) == ("", 0)
    assert again.err == "nimtui: tournament 1 is already finished; this is its report\n"
    assert again.out == first.out


def test_a_table_of_a_file_is_found_from_another_folder(
    nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    assert nimtui("train nim:2,3 --games 100 --headless --save t.npz").status == 0
    assert nimtui("tournament nim:2,3 -a table:t.npz -a random -n 4 --headless").status == 0
    monkeypatch.chdir(tmp_path / "there")
    keys = nimtui("tournament --resume 1 --json").document
    assert keys["agents"][0] == f"table:{tmp_path / 't.npz'}"


def test_whoever_always_wins_has_a_bound(nimtui: Nimtui) -> None:
    keys = nimtui("tournament nim:3,5,7 -a perfect -a random -n 30 --openings balanced:1 --json --no-save").document
    strong, weak = keys["standings"]
    assert (strong["agent"], strong["points"], weak["points"]) == ("perfect", 30, 0)
    assert 0 < strong["at_least"] == strong["elo_low"] < strong["elo"] < strong["elo_high"]
    assert weak["at_most"] == weak["elo_high"] == pytest.approx(-strong["elo_low"])
    assert strong["score_high"] == 1
    assert strong["score_low"] == pytest.approx(15 / (15 + 1.959964**2))  # Wilson's for 15 openings, all won twice
    assert keys["id"] is None


def test_the_same_seed_gives_the_same_answer_for_any_number_of_workers(nimtui: Nimtui) -> None:
    words = "tournament nim:3,5 -a mcts:simulations=50 -a random -n 40 --openings balanced:1 --json --no-save"
    answers = [nimtui(f"{words} --seed 7 --workers {workers}").document for workers in (1, 2)]
    assert timeless(answers[0]) == timeless(answers[1])
    assert timeless(nimtui(f"{words} --seed 8").document)["standings"] != answers[0]["standings"]


def timeless(keys: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if key not in ("seconds", "games_per_second", "id")}


@pytest.mark.slow
def test_the_second_documents_tournament(nimtui: Nimtui) -> None:
    agents = " ".join(f"-a {agent}" for agent in SECOND_DOCUMENT)
    games = 16
    words = f"tournament subtraction:21,3:misere {agents} --pairs ordered -n {games} --json --no-save"
    keys = nimtui(words).document
    assert (keys["games"], len(keys["pairings"])) == (36 * games, 36)
    for (first, second), percent in RE_RUN.items():
        cell = keys["crosstable"][first][second]
        assert cell["first_wins"] + cell["second_wins"] == games, "there are no draws"
        if percent in (0, 100) and second in (1, 3, 5):
            assert cell["first_wins"] == 0, "the start is lost against whoever plays perfectly"
            continue
        share = (cell["first_wins"] + percent) / (games + 100)
        deviation = math.sqrt(share * (1 - share) * (1 / games + 1 / 100))
        assert abs(cell["first_wins"] / games - percent / 100) <= 4 * deviation
    rates = {row["agent"]: row["mistake_rate"] for row in keys["standings"]}
    assert rates["perfect"] == rates["value"] == rates["mc:policy=perfect-opponent"] == 0
    assert 0 < rates["mcts:simulations=500,c=1.0"] < rates["random"]
    best = {row["agent"] for row in keys["standings"][:3]}
    assert best == {"perfect", "value", "mc:policy=perfect-opponent"}
    assert "lost for the player to move" in keys["theory"][0]


def test_the_report_in_text(nimtui: Nimtui) -> None:
    answer = nimtui(f"{WORDS} --name finals")
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert lines[1] == "round-robin of 3 agents, 20 games per pairing, from the start, seed 0"
    head = next(number for number, line in enumerate(lines) if "points" in line)
    assert all(word in lines[head] for word in ("agent", "score", "95 %", "Elo", "LOS", "mistakes"))
    assert [line.split()[0] for line in lines[head + 1 : head + 4]] == ["1", "2", "3"]
    assert lines[head + 1].split()[1] == "perfect" and lines[head + 5].split()[0] == "first"
    assert "saved as tournament 1: nimtui games list --tournament 1" in answer.out
    assert "Mistakes: moves that worsened the outcome, of all positions not lost." in lines
    assert "It counts all games, not only those between the two." in " ".join(answer.out.split())
    assert re.search(r"^Moving (first|second): \+\d+ ± \d+ Elo\.$", answer.out, re.MULTILINE)
    assert all(len(line) <= 120 for line in lines)


def test_a_sequential_test_ends_a_pairing(nimtui: Nimtui) -> None:
    words = "tournament nim:3,5,7 -a perfect -a random -n 4000 --openings balanced:1 --sprt elo0=0,elo1=100"
    keys = nimtui(f"{words} --json").document
    [pairing] = keys["pairings"]
    assert pairing["verdict"] == "H1" and pairing["llr"] > 2.9
    assert keys["games"] == keys["of_games"] == pairing["played"] == pairing["wanted"] < 400
    assert keys["games"] % 2 == 0, "whole pairs"
    assert pairing["pairs"] == pairing["played"] // 2 >= 10 and pairing["scale"] == "logistic"
    assert (pairing["elo0"], pairing["elo1"]) == (0, 100) and pairing["bounds"][1] <= pairing["llr"]
    assert f"H1 accepted after {pairing['pairs']} pairs: perfect is stronger than random (α 5 %)" in nimtui(words).out


def test_several_games_and_a_gauntlet(nimtui: Nimtui) -> None:
    words = "tournament nim:3,5 nim:7,5,3:misere -a perfect -a random -a easy --pairs gauntlet -n 6 --json --no-save"
    keys = nimtui(words).document
    assert keys["game_names"] == ["nim:3,5", "nim:7,5,3:misere"]
    assert [(one["game"], one["first"], one["second"]) for one in keys["pairings"]] == [
        (game, "perfect", other) for game in keys["game_names"] for other in ("random", "easy")
    ]
    assert keys["crosstable"][1][2] is None, "the others do not meet"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tournament", "name the game"),
        ("tournament nim:3,5", "needs 2 to 100 agents, not 0"),
        ("tournament nym:3 -a random -a perfect", "did you mean nim"),
        ("tournament nim:3,5 nim:3,5 -a random -a perfect", "the game nim:3,5 is given twice"),
        ("tournament nim:3,5 -a random -a random", "random is entered twice"),
        ("tournament nim:3,5 -a random -a nobody", "unknown agent 'nobody'"),
        ("tournament nim:3,5 connect4 -a random -a reward", "reward"),
        ("tournament nim:3,5 -a random -a perfect --pairs swiss", "unknown kind of pairing 'swiss'"),
        ("tournament nim:3,5 -a random -a perfect --openings book", "unknown kind of openings 'book'"),
        ("tournament nim:3,5 -a random -a perfect --openings random:50", "no position that is not over"),
        ("tournament nim:3,5 -a random -a perfect --sprt elo=5", "unknown parameter of a sequential test 'elo'"),
        ("tournament nim:3,5 -a random -a perfect --sprt elo0=50,elo1=0", "elo"),
        ("tournament nim:3,5 -a random -a perfect --sprt elo1=5 --pairs ordered", "needs alternating seats"),
        ("tournament nim:3,5 -a random -a perfect --games 0", "the number of games must be from 1"),
        ("tournament nim:3,5 -a random -a perfect --games 99999999", "a pairing needs 1 to 10,000,000 games"),
        ("tournament nim:3,5 -a random -a perfect --workers 2 --scheduler tcp://x:1", "not both"),
        ("tournament nim:3,5 -a random -a perfect --scheduler here", "expected tcp://HOST:8786"),
        ("tournament nim:3,5 -a random -a perfect --csv nowhere/x.csv", "there is no folder"),
        ("tournament --resume", "there is no unfinished tournament"),
        ("tournament --resume 7", "tournament 7 does not exist"),
        ("tournament --resume nim:3,5", "the number of a tournament must be a whole number"),
        ("tournament --resume 1 2", "takes one number"),
        ("tournament --resume 1 -a perfect", "leave out --agent"),
        ("tournament --resume --no-save", "leave out --no-save"),
    ],
)
def test_what_is_asked_wrongly_is_one_line(nimtui: Nimtui, words: str, said: str) -> None:
    answer = nimtui(words)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert said in answer.err
    assert json.loads(nimtui("games list --json").out)["of_games"] == 0
