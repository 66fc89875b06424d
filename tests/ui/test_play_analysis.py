"""The analysis of the position on the board: it gets better for as long as one looks, and follows the moves."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.games import base
from nimtui.games.base import Move
from nimtui.store.settings import Settings
from nimtui.theory.answers import known_moves
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import moves, playing, session, settled, until


def analysis(pilot: Any) -> Any:
    return pilot.app.screen_stack[0].conductor.analysis


def panel(pilot: Any) -> list[str]:
    return list(pilot.app.screen.query_one("#thoughts").text().splitlines())


def done(pilot: Any) -> int:
    """Return how many simulations the panel shows."""
    found = [line for line in panel(pilot) if "simulations" in line]
    return int(found[0].split()[0].replace(",", "")) if found else 0


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_it_searches_on_and_on_until_a_is_pressed_again(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, "connect4", second="me", size=size) as pilot:
        await pilot.press("A")
        await until(pilot, lambda: done(pilot) > 0)
        first = done(pilot)
        await until(pilot, lambda: done(pilot) > first)
        await until(pilot, lambda: panel(pilot)[0] == "Analysis: won in 41 plies")  # source: Allis 1988
        assert any(line.startswith("▸") for line in panel(pilot))
        assert pilot.app.screen.query_one("#thoughts").region.width > 0
        await pilot.press("A")
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert not analysis(pilot).on and "Analysis" not in screen_text(pilot.app)


@pytest.mark.parametrize("game", ["nim:3,4,5", "tower:16", "adjacent:3,4", "connect4:4x4"])
async def test_exact_values_are_those_of_theory_and_the_best_move_is_marked(make_app: Any, game: str) -> None:
    async with playing(make_app, game, second="me", size=(200, 60)) as pilot:
        await pilot.press("A")
        await until(pilot, lambda: bool(analysis(pilot).truths))
        await until(pilot, lambda: panel(pilot)[0].startswith("Analysis: "))
        found = session(pilot)
        truths = known_moves(found.game, found.state)
        assert truths is not None and analysis(pilot).truths == truths
        lines = panel(pilot)
        for move, value in truths.items():
            name = found.game.move_name(move, found.state)
            [row] = [line for line in lines[2:] if line[2:].split()[:1] == [name]]
            word = {"win": "wins", "draw": "draws", "loss": "loses"}[value.outcome.value]
            assert f" {word}" in row and (value.remoteness is None or f"{word} {value.remoteness} " in f"{row} ")
        [marked] = [line for line in lines if line.startswith("▸")]
        assert truths[by_name(found, marked[2:].split()[0])].optimal


def by_name(found: Any, name: str) -> Move:
    return int(found.game.parse_move(name, found.state))


async def test_it_follows_moves_and_keeps_the_subtree(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="me") as pilot:
        await pilot.press("A")
        await until(pilot, lambda: done(pilot) > 30_000)
        best = analysis(pilot).thinking.move
        visits = next(one.visits for one in analysis(pilot).thinking.thoughts if one.move == best)
        await pilot.press(str(best + 1), "enter")
        await until(pilot, lambda: done(pilot) > 0)
        assert analysis(pilot).thinking.done >= visits - 1
        assert {one.move for one in analysis(pilot).thinking.thoughts} == set(base.legal_moves(session(pilot).state))
        await pilot.press("u")
        await until(pilot, lambda: done(pilot) > 0)
        assert moves(pilot) == [] and analysis(pilot).on


async def test_it_rests_while_an_agent_is_to_move_and_then_continues(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="random") as pilot:
        await pilot.press("A")
        await until(pilot, lambda: done(pilot) > 0)
        await pilot.press("4", "enter")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await until(pilot, lambda: done(pilot) > 0)
        assert panel(pilot)[0].startswith("Analysis")


async def test_escape_and_leaving_the_screen_end_it_and_a_dialog_does_not(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="me") as pilot:
        play = pilot.app.screen
        await pilot.press("A")
        await until(pilot, lambda: done(pilot) > 0)
        await pilot.press("f1")
        await until(pilot, lambda: pilot.app.screen is not play)
        assert analysis(pilot).on
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is play)
        assert analysis(pilot).on
        await pilot.press("escape")
        await until(pilot, lambda: not analysis(pilot).on)
        await pilot.press("A")
        assert analysis(pilot).on
        await pilot.press("f3")
        await until(pilot, lambda: pilot.app.screen is not play)
        await until(pilot, lambda: not play.conductor.analysis.on and not pilot.app.jobs.running())


async def test_a_proven_position_ends_the_search_and_says_so(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="me") as pilot:
        await pilot.press("A")
        await until(pilot, lambda: "Proven won: the search has ended." in " ".join(" ".join(panel(pilot)).split()))
        assert not analysis(pilot).running


async def test_a_full_tree_ends_the_search_and_says_so(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.playing.analysis.TREE_BYTES", 1 << 20)
    async with playing(make_app, "connect4", second="me") as pilot:
        await pilot.press("A")
        await until(
            pilot,
            lambda: "The tree is full (1.05 MB): the search has ended." in " ".join(" ".join(panel(pilot)).split()),
        )
        await until(pilot, lambda: not analysis(pilot).running)
        assert analysis(pilot).thinking.done > 1000


async def test_a_finished_game_is_analysed_at_its_earlier_positions(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="me") as pilot:
        await pilot.press("a", "1", "enter", "b", "2", "enter")
        assert session(pilot).over
        await pilot.press("A")
        assert not analysis(pilot).on
        await pilot.press("u", "A")
        await until(pilot, lambda: bool(analysis(pilot).truths))
        assert panel(pilot)[0] == "Analysis: won in 1 ply"


async def test_two_paused_agents_leave_a_position_to_analyse(make_app: Any) -> None:
    async with playing(make_app, "connect4", "random", "random", settings=Settings(pace=6.0)) as pilot:
        await pilot.press("space")
        await until(pilot, lambda: session(pilot).hold is not None or session(pilot).over)
        await pilot.press("A")
        await until(pilot, lambda: done(pilot) > 0)
        await pilot.press("space")
        await until(pilot, lambda: "Analysis" not in panel(pilot)[0])


async def test_storms_of_keys_leave_one_analysis_or_none(make_app: Any) -> None:
    async with playing(make_app, "connect4:5x4", second="me") as pilot:
        await pilot.press(
            "A", "A", "A", *"3⏎".replace("⏎", ""), "enter", "u", "2", "enter", "A", "A", "u", "3", "enter"
        )
        await until(pilot, lambda: done(pilot) > 0)
        assert analysis(pilot).on and moves(pilot) == ["3"]
        assert len([job for job in pilot.app.jobs.running() if job.name == "analysis" and not job.cancelling]) == 1
        await pilot.press("A", "y", "u", "u", "A", "A")
        await settled(pilot)
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert not analysis(pilot).on


async def test_a_new_game_begins_without_an_analysis(make_app: Any) -> None:
    from nimtui.playing.setup import PlaySetup

    async with playing(make_app, "connect4", second="me") as pilot:
        await pilot.press("A")
        await until(pilot, lambda: done(pilot) > 0)
        pilot.app.screen_stack[0].start(PlaySetup("nim:3,4,5", None, ("me", "me"), 1))
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert not analysis(pilot).on


async def test_the_footer_says_how_to_end_it_and_it_takes_the_place_of_the_value_history(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="me", size=(80, 24)) as pilot:
        await pilot.press("4", "enter")
        await settled(pilot)
        await pilot.press("V")
        assert pilot.app.screen.has_class("-story") and "A analyse" in screen_text(pilot.app)
        await pilot.press("A")
        await until(pilot, lambda: done(pilot) > 0)
        assert not pilot.app.screen.has_class("-story")
        assert "A end analysis" in screen_text(pilot.app) and "A analyse" not in screen_text(pilot.app)
        await pilot.press("A")
        assert not analysis(pilot).on
