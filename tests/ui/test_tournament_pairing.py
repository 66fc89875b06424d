"""One pairing of a tournament, and looking on at games: what is shown, what keys do."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import pytest

from nimtui.games import base
from nimtui.jobs.live_games import LiveGame
from nimtui.ui.play.replay_screen import ReplayScreen
from nimtui.ui.tournament.looking_on import LookingOn
from nimtui.ui.tournament.pairing import PairingScreen
from nimtui.ui.tournament.screen import TournamentScreen
from nimtui.ui.tournament.setup import TournamentSetup
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import click_head, until
from tests.ui.tournaments import GAME, SMALL, finished, lines, panel, tournament

pytestmark = pytest.mark.slow
WITH_OPENINGS = replace(SMALL, openings="random:2")


async def opened(pilot: Any) -> None:
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen) and len(lines(pilot, "games")) > 2)


async def test_a_pairing_has_its_results_and_its_games_at_every_size(make_app: Any) -> None:
    async with tournament(make_app, WITH_OPENINGS) as pilot:
        conductor = await finished(pilot)
        await pilot.press("down", "down", "left", "left", "right", "right", "left", "left")  # random against perfect
        await opened(pilot)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            text = screen_text(pilot.app)
            assert "random against perfect" in text and max(map(len, text.splitlines())) <= size[0]
            [score] = [score for score in conductor.view.scores if score.pairing[1:] == (0, 1)]
            shown = lines(pilot, "results")
            at = next(at for at, text in enumerate(shown) if text.split()[:1] == ["won"])  # a frame has its title above
            first, second, whole = shown[at + 1 : at + 4]
            assert first.split()[2:5] == [str(score.losses[1]), "0", str(score.wins[1])]
            assert second.split()[2:5] == [str(score.losses[0]), "0", str(score.wins[0])]
            assert whole.split()[2:5] == [str(sum(score.losses)), "0", str(sum(score.wins))]
            assert "Mistakes: random" in panel(pilot, "results") and "Pairs with" in panel(pilot, "results")
            shown = lines(pilot, "games")
            at = next(at for at, text in enumerate(shown) if "moves first" in text)  # below what is listed
            head, *games = shown[at:]
            assert ("opening" in head) is (size[0] >= 80) and head.rstrip().endswith(("mistakes", "newest first"))
            assert "All games, newest first" in panel(pilot, "games")
            assert games[0].startswith("▸     20  random")
            assert all("won" in line for line in games)


async def test_games_are_filtered_sorted_and_gone_through(make_app: Any) -> None:
    async with tournament(make_app) as pilot:
        conductor = await finished(pilot)
        await pilot.press("right", "right")  # perfect against random
        await opened(pilot)
        [score] = [score for score in conductor.view.scores if score.pairing[1:] == (0, 1)]
        assert len(pilot.app.screen._listed) == 20
        await pilot.press("s")
        wrong = [info.row.mistakes for info in pilot.app.screen._listed]
        assert wrong == sorted(wrong, key=lambda two: (-two[0], -two[1]))
        newest = sorted((info.id for info in pilot.app.screen._listed), reverse=True)
        for head, listed in (("game", newest), ("plies", newest), ("mistakes", None)):
            await click_head(pilot, head, "games")
            assert ([info.id for info in pilot.app.screen._listed] == newest) is (listed is newest), head
        assert [info.row.mistakes for info in pilot.app.screen._listed] == wrong
        await pilot.press("f")
        await until(pilot, lambda: pilot.app.screen._found is not None)
        assert len(pilot.app.screen._listed) == sum(score.losses)
        await pilot.press("f")
        await until(pilot, lambda: len(pilot.app.screen._listed) == sum(score.wins))
        assert all("perfect won" in line for line in lines(pilot, "games") if line.split()[:1][0].isdigit())
        assert "perfect won" in panel(pilot, "games")
        await pilot.press("f", "f")
        await until(pilot, lambda: "No such games" in panel(pilot, "games"))
        await pilot.press("f")
        await until(pilot, lambda: len(pilot.app.screen._listed) == 20)
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        assert "perfect" in screen_text(pilot.app) and "of 20" in screen_text(pilot.app)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TournamentScreen))


async def test_the_two_orders_of_two_agents_are_two_pairings(make_app: Any) -> None:
    setup = TournamentSetup((GAME,), ("perfect", "random"), "ordered", 10)
    async with tournament(make_app, setup) as pilot:
        await finished(pilot)
        await opened(pilot)
        assert "perfect (first) against random (second)" in screen_text(pilot.app)
        assert "moving second" not in panel(pilot, "results")
        await pilot.press("tab")
        await until(pilot, lambda: "perfect (second) against random (first)" in screen_text(pilot.app))
        await until(pilot, lambda: len(lines(pilot, "games")) > 5)
        await pilot.press("escape")
        await pilot.press("left")
        await opened(pilot)
        assert "perfect (first) against perfect (second)" in screen_text(pilot.app)


async def test_a_cell_of_two_who_never_meet_opens_nothing(make_app: Any) -> None:
    setup = TournamentSetup((GAME,), ("random", "perfect", "value"), "gauntlet", 10)
    async with tournament(make_app, setup) as pilot:
        await finished(pilot)
        await pilot.press(*("up",) * 3, *("left",) * 3)
        await pilot.press("s", "s", "s", "s")  # by name: perfect, random, value
        cursor = pilot.app.screen._place.cursor
        order = [1, 0, 2]
        await pilot.press(*("up",) * order.index(cursor[0]), *("left",) * 3, "right", "right")
        assert "no games: in a gauntlet only random plays the others" in panel(pilot, "words")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, TournamentScreen)


async def test_looking_on_follows_a_game_and_then_the_next(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    going: list[LiveGame] = []
    async with tournament(make_app) as pilot:
        conductor = await finished(pilot)
        monkeypatch.setattr(LookingOn, "_going", property(lambda self: tuple(going)))
        monkeypatch.setattr("nimtui.ui.tournament.looking_on.LINGER", 0.0)
        pilot.app.push_screen(LookingOn(conductor))
        await until(pilot, lambda: "No game is being played" in screen_text(pilot.app))
        going[:] = [LiveGame(0, 0, (0, 1)), LiveGame(1, 5, (2,))]
        await until(pilot, lambda: "perfect – random  game 1" in screen_text(pilot.app))
        game = pilot.app.screen.query_one("Board")
        assert game.position.board.tolist() != game.game.start.board.tolist()
        going[0] = LiveGame(0, 0, (0, 1, 2))
        await until(pilot, lambda: "3 plies" in screen_text(pilot.app))
        await pilot.press("right")
        await until(pilot, lambda: "mc 20 – perfect  game 6" in screen_text(pilot.app))
        monkeypatch.setattr("nimtui.ui.tournament.looking_on.LINGER", inf)  # until it has been seen
        monkeypatch.setattr("nimtui.ui.tournament.looking_on.PATIENCE", inf)
        going.pop()
        won = "perfect" if conductor.task.results(1)[5] > 0 else "mc 20"
        await until(pilot, lambda: f"over: {won} won" in screen_text(pilot.app))
        board = pilot.app.screen.query_one("Board")
        assert base.outcome(board.position) != base.GOING_ON  # never an end beside a board that is not at its end
        monkeypatch.setattr("nimtui.ui.tournament.looking_on.LINGER", 0.0)
        await until(pilot, lambda: "perfect – random  game 1" in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TournamentScreen))
