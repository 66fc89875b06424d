"""`nimtui ratings`: several saved tournaments as one pool."""

from __future__ import annotations

import re
from math import isclose
from pathlib import Path

import pytest

from tests.cli.conftest import Nimtui

PLAY = "tournament {game} -a random -a easy -a perfect -n {number} --seed {seed} --headless -w 1 --openings random:1"


def play(nimtui: Nimtui, seed: int, number: int = 20, game: str = "nim:3,5,7") -> None:
    assert nimtui(PLAY.format(game=game, number=number, seed=seed)).status == 0


def test_two_tournaments_are_one_pool(nimtui: Nimtui) -> None:
    play(nimtui, 1)
    play(nimtui, 2)
    answer = nimtui("ratings --json")
    keys = answer.document
    assert (answer.status, answer.err) == (0, "")
    assert keys["game_names"] == ["nim:3,5,7"] and keys["agents"] == ["random", "easy", "perfect"]
    assert [one["id"] for one in keys["tournaments"]] == [1, 2]
    assert [one["counted_games"] for one in keys["tournaments"]] == [60, 60]
    assert keys["games"] == 120 and sum(row["points"] for row in keys["standings"]) == 120
    assert keys["anchor"] is None and keys["first_move_advantage"] is not None
    cells = [cell for row in keys["crosstable"] for cell in row if cell]
    assert sum(sum(cell.values()) for cell in cells) == 120
    one, other = (nimtui(f"ratings {id} --json").document for id in (1, 2))
    for name in keys["agents"]:
        of = [next(row for row in each["standings"] if row["agent"] == name) for each in (keys, one, other)]
        assert of[0]["wins"] == of[1]["wins"] + of[2]["wins"]
        assert of[0]["mistakes"] == of[1]["mistakes"] + of[2]["mistakes"]


def test_one_tournament_as_a_pool_has_the_ratings_of_its_own_report(nimtui: Nimtui) -> None:
    own = nimtui(PLAY.format(game="nim:3,5,7", number=20, seed=4) + " --json").document
    keys = nimtui("ratings 1 --json").document

    def rows(document: dict[str, list[dict[str, object]]]) -> dict[object, dict[str, object]]:
        return {row["agent"]: row for row in document["standings"]}

    assert rows(keys) == rows(own)
    for key in ("crosstable", "superiority", "first_move_advantage", "first_move_advantage_error", "fit"):
        assert keys[key] == own[key], key


def test_the_report_shows_the_numbers_of_the_document(nimtui: Nimtui) -> None:
    play(nimtui, 1)
    play(nimtui, 2)
    text = nimtui("ratings 1 2 --anchor perfect=2000").out
    keys = nimtui("ratings 1 2 --anchor perfect=2000 --json").document
    assert keys["anchor"] == {"agent": "perfect", "elo": 2000.0}
    assert "pool of 2 tournaments (1, 2), 3 agents, 120 games\n" in text
    lines = {cells[1]: cells for line in text.splitlines() if (cells := line.split()) and cells[0].isdigit()}
    for row in keys["standings"]:
        assert f"{row['points']:g}/{row['played']}" in lines[row["agent"]]
        assert f"{'+' if row['elo'] > 0 else '−'}{abs(round(row['elo'])):,}" in lines[row["agent"]]
    flat = " ".join(text.split())
    assert all(" ".join(note.split()) in flat for note in keys["notes"])
    assert "Elo: counted from perfect = 2,000." in flat


def test_an_anchor_shifts_all_ratings_by_the_same(nimtui: Nimtui) -> None:
    play(nimtui, 1)
    free = {row["agent"]: row["elo"] for row in nimtui("ratings --json").document["standings"]}
    held = {row["agent"]: row["elo"] for row in nimtui("ratings --json --anchor easy=-50.5").document["standings"]}
    assert held["easy"] == -50.5
    assert all(isclose(held[name] - free[name], held["easy"] - free["easy"]) for name in free)


def test_the_name_of_an_anchor_may_contain_an_equals_sign(nimtui: Nimtui) -> None:
    assert nimtui("tournament nim:3,5 -a random -a mc:playouts=3 -n 4 --headless -w 1").status == 0
    for text in ("mc:playouts=3=100", "mc=100"):
        assert nimtui(f"ratings --json --anchor {text}").document["anchor"] == {"agent": "mc:playouts=3", "elo": 100.0}
    short = nimtui("ratings", "--json", "--anchor", "mc 3 = −100").document["anchor"]
    assert short == {"agent": "mc:playouts=3", "elo": -100.0}


def test_the_same_games_count_once_and_the_report_says_so(nimtui: Nimtui) -> None:
    play(nimtui, 1, number=10)
    play(nimtui, 1, number=20)
    keys = nimtui("ratings --json").document
    assert keys["games"] == 60
    assert [one["counted_games"] for one in keys["tournaments"]] == [0, 60]
    assert keys["tournaments"][0]["repeated_games"] == [{"id": 2, "games": 30}]
    assert "30 games of tournament 1 are also in tournament 2: counted once." in nimtui("ratings").out
    assert keys["standings"] == nimtui("ratings 2 --json").document["standings"]


def test_several_games_are_one_pool_only_if_asked(nimtui: Nimtui) -> None:
    play(nimtui, 1)
    play(nimtui, 1)
    play(nimtui, 1, game="nim:2,3")
    refused = nimtui("ratings")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == (
        "nimtui: the saved tournaments play several games: choose one with --game. Games: nim:3,5,7 (2), nim:2,3 (1)\n"
    )
    assert [one["id"] for one in nimtui("ratings --game nim:2,3 --json").document["tournaments"]] == [3]
    mixed = nimtui("ratings 1 3")
    assert "nim:3,5,7" in mixed.out and "nim:2,3" in mixed.out
    assert "The pool mixes games: each agent has one rating for all" in mixed.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--anchor esy=0", r"unknown agent 'esy' \(did you mean easy\?\)\. Agents: random, easy, perfect"),
        ("--anchor perfect", "invalid anchor 'perfect': expected AGENT=ELO, for example perfect=0"),
        ("--anchor =3", "invalid anchor '=3': expected AGENT=ELO, for example perfect=0"),
        ("--anchor easy=inf", "invalid anchor 'easy=inf': expected AGENT=ELO, for example perfect=0"),
        ("--anchor easy=100001", "the Elo of an anchor must be from −100,000 to 100,000, not 100001"),
        ("7", "tournament 7 does not exist"),
        ("x", "the number of a tournament must be a whole number from 1 .*"),
        ("--game tower:16", "unknown game of saved tournaments 'nim:1,3,5,7'.* Games of saved tournaments: nim:3,5,7"),
        ("1 --game chess", "unknown game 'chess'.*"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(nimtui: Nimtui, words: str, said: str) -> None:
    play(nimtui, 1, number=2)
    answer = nimtui(f"ratings {words}")
    assert answer.out == "" and answer.err.count("\n") == 1
    assert re.match(f"nimtui: .*{said}", answer.err)
    assert answer.status == 2


def test_without_saved_tournaments_it_says_how_to_play_one(nimtui: Nimtui) -> None:
    answer = nimtui("ratings --json")
    assert answer.err == "nimtui: no saved tournament has finished games: play one with nimtui tournament\n"
    assert answer.status == 2


def test_every_key_of_the_document_is_in_the_reference(nimtui: Nimtui) -> None:
    play(nimtui, 1, number=2)
    keys = nimtui("ratings --json").document
    text = Path(__file__).parents[2].joinpath("docs", "command-line.md").read_text("utf-8")
    section = text.partition("## `nimtui ratings`")[2].partition("\n## ")[0]
    assert [key for key in (*keys, *keys["tournaments"][0]) if f"`{key}`" not in section] == []
