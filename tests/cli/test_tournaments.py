from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Nimtui

PLAYED = "tournament tower:16 nim:3,5 -a random -a easy -a perfect -n 20 --seed 3 --json"


@pytest.fixture
def played(nimtui: Nimtui) -> dict[str, object]:
    """Play tournament 1 and match 2; return the document of the first."""
    document = nimtui(PLAYED).document
    assert nimtui("match nim:3,5 --first random --second perfect -n 10 --save --json").status == 0
    return document


def test_list_shows_the_newest_first(nimtui: Nimtui, played: dict[str, object]) -> None:
    both = nimtui("tournaments list --json").document
    assert both["of_tournaments"] == 2
    match, tournament = both["tournaments"]
    assert (match["id"], match["kind"], match["played"], match["agents"]) == (2, "match", 10, ["random", "perfect"])
    assert (tournament["id"], tournament["state"], tournament["total"]) == (1, "done", 120)
    assert tournament["game_names"] == ["nim:1,3,5,7", "nim:3,5"] and tournament["games_a_pairing"] == 20
    assert [one["id"] for one in nimtui("tournaments list easy --json").document["tournaments"]] == [1]
    text = nimtui("tournaments list --limit 1").out.splitlines()
    assert text[1].split()[:4] == ["2", "done", "match", "10"]
    assert text[-1] == "1 of 2 tournaments. --limit lists more."
    assert nimtui("tournaments list chomp").out == "no saved tournament matches\n"


def test_show_prints_the_report_of_the_tournament_again(nimtui: Nimtui, played: dict[str, object]) -> None:
    shown = nimtui("tournaments show 1 --json").document
    assert shown == played
    again = nimtui("tournament --resume 1").out.splitlines()
    assert nimtui("tournaments show 1").out.splitlines()[:20] == again[:20]
    assert "match of 2 agents" in nimtui("tournaments show 2").out


def test_export_writes_standings_and_games(nimtui: Nimtui, played: dict[str, object], tmp_path: Path) -> None:
    sheet, document, text = (tmp_path / f"out.{end}" for end in ("csv", "json", "txt"))
    for file in (sheet, document, text):
        assert nimtui("tournaments", "export", "1", "--to", str(file)).status == 0
    with sheet.open(encoding="utf-8") as lines:
        assert {row["agent"]: float(row["points"]) for row in csv.DictReader(lines)} == {
            row["agent"]: row["points"] for row in json.loads(json.dumps(played["standings"]))
        }
    keys = json.loads(document.read_text("utf-8"))
    assert keys["seed"] == 3 and sum(one["wins"] + one["draws"] + one["losses"] for one in keys["results"]) == 120
    assert text.read_text("utf-8").count("\nResult: ") == 120
    assert "--force" in nimtui("tournaments", "export", "1", "--to", str(text)).err
    assert nimtui("tournaments", "export", "1", "--to", str(text), "--force").status == 0
    wrong = nimtui("tournaments", "export", "1", "--to", str(tmp_path / "out.pdf"))
    assert wrong.status == 2 and ".csv, .json, .txt or -openings.csv" in wrong.err and wrong.err.count("\n") == 1


def test_rename_and_delete(nimtui: Nimtui, played: dict[str, object]) -> None:
    assert nimtui("tournaments", "rename", "1", " my  tower ").out == 'tournament 1 is now named "my tower"\n'
    assert nimtui("tournaments list --json").document["tournaments"][1]["name"] == "my tower"
    assert nimtui("tournaments", "rename", "1", "").out == "tournament 1 has no name now\n"
    refused = nimtui("tournaments delete 1")
    assert refused.status == 2 and refused.err.count("\n") == 1 and "--yes" in refused.err
    assert nimtui("tournaments delete 1 --yes").out.startswith("deleted tournament 1 with 120 games.")
    assert [one["id"] for one in nimtui("tournaments list --json").document["tournaments"]] == [2]
    for words in ("show 1", "rename 1 x", "delete 1 --yes", "export 1 --to x.csv"):
        wrong = nimtui(f"tournaments {words}")
        assert wrong.status == 2 and "was deleted" in wrong.err and wrong.err.count("\n") == 1


@pytest.mark.parametrize("words", ["show 9", "rename 9 x", "delete 9 --yes", "export 9 --to x.csv", "show x", "show 0"])
def test_an_unknown_number_is_one_line(nimtui: Nimtui, words: str) -> None:
    wrong = nimtui(f"tournaments {words}")
    assert wrong.status in (1, 2) and wrong.err.splitlines()[-1].startswith("nimtui: ") and not wrong.out
