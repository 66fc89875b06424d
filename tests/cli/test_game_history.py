"""`--save-thoughts`, and the value history that `nimtui games show` prints of such games."""

from __future__ import annotations

import pytest

from nimtui.arena.play.beliefs import of_game
from nimtui.arena.review.history import Believed
from nimtui.arena.review.review_report import WIDTH
from nimtui.arena.transcripts.game_import import read_lines
from nimtui.cli import output
from nimtui.errors import InputError
from tests.cli.conftest import Nimtui

MATCH = "match connect:4x3x3 --first mcts:simulations=80 --second alphabeta:depth=1 -n 3 --seed 2 --openings random:1"


@pytest.mark.slow
def test_a_match_keeps_its_thoughts_and_plays_the_same_games(nimtui: Nimtui) -> None:
    assert nimtui(f"{MATCH} --save --json").status == 0
    assert nimtui(f"{MATCH} --save-thoughts --json").status == 0
    games = nimtui("games list --json").document["games"]
    plain, told = ([one["transcript"] for one in games if one["tournament"] == number] for number in (1, 2))
    assert plain == told and len(told) == 3
    history = nimtui("games show 2:1 --json").document["history"]
    assert [set(one) for one in history] == [
        {"ply", "move", "player", "outcome", "remoteness", "mistake", "belief"}
    ] * len(history)
    kinds = {one["player"]: set() for one in history}
    for one in history:
        kinds[one["player"]].add(one["belief"] and one["belief"]["kind"])
        assert one["outcome"] in ("win", "draw", "loss") and one["mistake"] in (True, False)
    assert kinds["opening"] == {None} and "estimate" in kinds["mcts:simulations=80,c=1.0"]
    assert kinds["alphabeta:depth=1"] <= {"score", "exact"}
    assert all(one["belief"] is None for one in nimtui("games show 1:1 --json").document["history"])


def test_the_picture_has_a_line_per_move_and_fits(nimtui: Nimtui) -> None:
    nimtui(f"{MATCH} --save-thoughts --json")
    keys = nimtui("games show 1:1 --json").document
    shown = nimtui("games show 1:1").out.split("\n")
    start = next(at for at, line in enumerate(shown) if "‹ ›" in line)
    assert "wins" in shown[start] and len(shown[start]) <= WIDTH
    for one, line in zip(keys["history"], shown[start + 1 :], strict=False):
        number, player = line.split()[:2]
        assert int(number) == one["ply"] and one["player"].startswith(player) and f" {one['move']} " in line
        assert ("✗" in line) is one["mistake"]
        belief = one["belief"]
        assert ("○" in line) is (belief is not None and belief["value"] is not None)
        assert len(line.rsplit("  ", 1)[0].rstrip()) <= WIDTH
    assert "○ expected by its player" in " ".join(" ".join(shown).split())


@pytest.mark.parametrize("columns", [50, 60, 90])
def test_on_a_terminal_the_picture_keeps_within_its_columns(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    nimtui(f"{MATCH} --save-thoughts --json")
    monkeypatch.setattr(output, "terminal_width", lambda: columns)
    shown = nimtui("games show 1:1").out.split("\n")
    assert all(len(line) <= columns for line in shown)
    assert any(line.endswith(("+1.00", "=+1", "−1.00")) and "○" in line for line in shown)  # the last move is certain


def test_an_agent_estimates_every_position(nimtui: Nimtui) -> None:
    nimtui(f"{MATCH} --save-thoughts --json")
    asked = "games show 1:1 --estimate mcts:simulations=60 --seed 4"
    history = nimtui(f"{asked} --json").document["history"]
    assert {one["estimate"]["kind"] for one in history} <= {"estimate", "exact"}
    assert history == nimtui(f"{asked} --json").document["history"]
    assert "◇ estimated by mcts:simulations=60" in " ".join(nimtui(asked).out.split())
    refused = nimtui("games show 1:1 --estimate random")
    assert refused.status == 2 and "random does not expect results" in refused.err


def test_exported_thoughts_come_back(nimtui: Nimtui, tmp_path: object) -> None:
    nimtui(f"{MATCH} --save-thoughts --json")
    text = nimtui("games export --tournament 1").out
    for game, shown in zip(list(read_lines(text.splitlines())), (1, 2, 3), strict=True):
        kept = of_game(game.row.beliefs, len(game.row.codes()))
        history = nimtui(f"games show 1:{shown} --json").document["history"]
        assert [Believed(one).raw for one in kept] == [one["belief"] for one in history]
    before = [nimtui(f"games show 1:{number} --json").document["history"] for number in (1, 2, 3)]
    file = f"{tmp_path}/games.txt"
    assert nimtui(f"games export --tournament 1 --to {file}").status == 0
    assert nimtui("tournaments delete 1 --yes").status == 0
    assert nimtui(f"games import {file} --json").document["games"] == 3
    after = [nimtui(f"games show 2:{number} --json").document["history"] for number in (1, 2, 3)]
    assert before == after
    exported = nimtui("games export --format json").document["games"]
    assert [one["belief"] for one in after[0]] == exported[0]["beliefs"]


@pytest.mark.parametrize(
    "moves, why",
    [
        ("1. a1 {+0.5} {+0.5} b2 1-0", "is a second belief about one move"),
        ("{+0.5} 1. a1 b2 1-0", "a belief must follow a move of a player"),
        ("1. a1 b2 1-0 {+0.5}", "a belief must follow a move of a player"),
        ("1. a1 {2} b2 1-0", "invalid belief"),
    ],
)
def test_a_misplaced_belief_is_named_with_its_line(moves: str, why: str) -> None:
    head = "Game: nim:1,3\nFirst: mc\nSecond: mc\n\n"
    with pytest.raises(InputError) as wrong:
        list(read_lines((head + moves.replace("b2", "b2 2. b1")).splitlines()))
    assert str(wrong.value).startswith("line 5: ") and why in str(wrong.value)


def test_thoughts_cannot_be_saved_without_saving(nimtui: Nimtui) -> None:
    refused = nimtui("tournament nim:1,2 -a random -a perfect -n 2 --no-save --save-thoughts")
    assert refused.status == 2 and "leave out --save-thoughts" in refused.err


def test_a_tournament_keeps_its_thoughts_when_it_is_extended(nimtui: Nimtui) -> None:
    play = "tournament nim:1,3 -a perfect -a mc:playouts=10 -n 2 --save-thoughts --headless --json"
    assert nimtui(play).status == 0
    assert nimtui("tournaments extend 1 --games 2 --json").status == 0
    assert nimtui("tournament --resume 1 --json").status == 0
    exported = nimtui("games export --format json").document["games"]
    assert len(exported) == 4 and all(one["beliefs"] for one in exported)
