"""One exact value of a position, whoever is asked: commands and screens."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from nimtui import theory
from nimtui.games import Game, base, parse_game, registry
from nimtui.playing import advice
from nimtui.theory import answers, unnumbered
from nimtui.theory.answers import SOON, known_moves, move_values
from nimtui.theory.explanation import Explanation
from nimtui.ui.search import view
from nimtui.ui.search.work import SearchWork
from tests.cli.conftest import Nimtui
from tests.games import crosses, wythoff

for module in (wythoff, crosses):  # games from elsewhere: one with numbered positions, one without
    registry.add(module)

GAMES = (
    "tower:16",
    "nim:2,3,4:misere",
    "nim:60,61,62,63",
    "nim:5,4:max=2:misere",
    "subtraction:21,3",
    "adjacent:2,3,4",
    "adjacent:2,3,4:misere",
    "kayles:3,5:misere",
    "kayles:20,21,22",
    "connect:3x3x3",
    "connect4:4x4",
    "wythoff:4,6",
    "crosses",
)
OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw"}
WORDS = {"win": "win", "draw": "draw", "loss": "every move loses"}


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer depends on how fast this machine is."""
    monkeypatch.setattr(answers, "monotonic", lambda: 0.0)


def positions(game: Game) -> list[str | None]:
    """The start and, where they have names, two positions of a random game."""
    found: list[str | None] = [None]
    if hasattr(game.module, "parse_position"):
        state, random = game.new(), Random(3)
        while base.outcome(state) == base.GOING_ON:
            found.append(game.position_name(state))
            base.play(state, random.choice(base.legal_moves(state)))
    return [found[0], *found[len(found) // 3 :: max(1, len(found) // 3)][:2]]


@pytest.mark.parametrize("name", GAMES)
def test_all_commands_and_screens_know_the_same(nimtui: Nimtui, name: str) -> None:
    game = parse_game(name)
    for position in positions(game):
        place = () if position is None else ("-p", position)
        solved = nimtui("solve", name, *place, "--json").document
        state = game.new(position)
        assert solved["position"] == (position or solved["canonical"])
        rows = nimtui("moves", name, *place, "--agent", "random", "--json").document["moves"]
        searched = nimtui("search", name, *place, "--depth", "1", "--json").document
        outcomes = {row["move"]: row["outcome"] for row in rows}
        assert searched["truth"] == outcomes
        best = [row["move"] for row in rows if row["optimal"]]
        assert best == solved["best_moves"] == [row["move"] for row in searched["moves"] if row["optimal"]]
        assert {outcomes[move] for move in best} == {solved["outcome"]}
        kept = [row["remoteness"] for row in rows if row["optimal"]]
        if solved["remoteness"] is not None:
            assert solved["remoteness"] == (min if solved["outcome"] == "win" else max)(kept)
        for row in rows:  # the position after a move, asked about by itself
            if position is not None:
                after = game.new(position)
                base.play(after, game.parse_move(row["move"], after))
                answer = nimtui("solve", name, "-p", game.position_name(after), "--json").document
                assert answer["outcome"] == OPPOSITE[row["outcome"]]
                assert row["remoteness"] in (None if answer["remoteness"] is None else answer["remoteness"] + 1, None)
        told = nimtui("search", name, *place, "--depth", "1").out
        assert "unknown" not in told
        assert ("mistake" in told) == (len(best) < len(rows))

        why = advice.explained(game, state)
        assert isinstance(why, Explanation) and why.outcome.value == solved["outcome"]
        assert advice.hint(game, state).move in theory.solve(game, state).best_moves
        conductor = SimpleNamespace(
            truths=move_values(game, state, seconds=SOON),
            truth_fault="",
            game=game,
            root=state,
            found=None,
            standing=None,
        )
        [(words, _)] = view.exact_values(cast(SearchWork, conductor))
        assert WORDS[solved["outcome"]] in words


@pytest.mark.parametrize("name", ["nim:2,3,4", "kayles:3,5:misere", "connect:4x4x4", "wythoff:4,6", "crosses"])
def test_a_saved_game_is_judged_the_same(nimtui: Nimtui, name: str) -> None:
    nimtui("match", name, "--first", "random", "--second", "random", "--save")
    game = parse_game(name)
    [saved] = nimtui("games list --json").document["games"]
    state = game.new()
    for row in nimtui("games", "show", str(saved["id"]), "--json").document["moves"]:
        move = game.parse_move(row["move"], state)
        truths = known_moves(game, state)
        assert truths is not None
        before = theory.solve(game, state)
        assert (row["before"], row["after"]) == (before.outcome.value, truths[move].outcome.value)
        assert row["remoteness_before"] == theory.remoteness(game, state)
        assert row["mistake"] is not truths[move].optimal
        base.play(state, move)
        assert row["remoteness"] == theory.remoteness(game, state)
    assert row["remoteness"] in (0, None)


def test_what_is_too_large_is_unknown_to_all(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unnumbered, "MOST_POSITIONS", 1000)
    monkeypatch.setattr(unnumbered, "_recent", None)
    for name in ("connect4:9x6", "crosses"):
        assert nimtui("solve", name, "--json").status == 2
        rows: list[dict[str, Any]] = nimtui("moves", name, "--agent", "random", "--json").document["moves"]
        assert all((row["optimal"], row["outcome"], row["remoteness"]) == (None,) * 3 for row in rows)
        searched = nimtui("search", name, "--depth", "1", "--json").document
        assert searched["truth"] is None and all(row["optimal"] is None for row in searched["moves"])
        assert "unknown" in nimtui("search", name, "--depth", "1").out


def test_a_position_stays_as_it_was_given(nimtui: Nimtui) -> None:
    for words in ("solve connect4:4x4", "moves connect4:4x4 --agent random", "search connect4:4x4 --depth 2"):
        keys = nimtui(f"{words} -p 1423 --json").document
        assert (keys["position"], keys["canonical"]) == ("1423", "2413")
        assert "1423" in nimtui(f"{words} -p 1423").out
        keys = nimtui(f"{words} --json").document
        assert keys["position"] == keys["canonical"]


def test_a_search_says_in_how_many_plies_it_wins(nimtui: Nimtui) -> None:
    keys = nimtui("search nim:1,2,3,5 --depth -1 --json").document
    solved = nimtui("solve nim:1,2,3,5 --json").document
    assert keys["remoteness"] == solved["remoteness"] == 1_000_000 - abs(keys["value"])
    exact = {row["move"]: row["remoteness"] for row in keys["moves"] if row["bound"] == "exact"}
    truths = {row["move"]: row["remoteness"] for row in nimtui("moves nim:1,2,3,5 -a random --json").document["moves"]}
    assert exact and exact.items() <= truths.items()
    assert nimtui("search nim:1,2,3,5 --algorithm mcts --json").document["remoteness"] is None
    assert nimtui("search nim:1,2,3,5 --depth 1 --json").document["remoteness"] is None
