"""Agents on the Play screen: their thoughts, their failures, watching two of them, learning, the review."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest

from nimtui.agents import Decision, Thought
from nimtui.agents.agent import AlwaysReady, moves_of
from nimtui.engine.rng import Stream
from nimtui.games.base import State
from nimtui.playing import setup
from nimtui.playing.session import Hold
from nimtui.progress import SILENT, Progress
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play.review import ReviewScreen
from tests.ui.conftest import screen_text
from tests.ui.playing import CALM, moves, playing, session, settled, until


class Stub(AlwaysReady):
    """An agent that does what a test wants of it."""

    def __init__(self, name: str) -> None:
        self.name = self.title = name
        self.asked = 0
        self.go = threading.Event()

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        self.asked += 1
        moves = moves_of(state)
        if self.name == "broken":
            raise ZeroDivisionError("it divided by zero")
        if self.name == "cheat":
            return Decision(10_000, ())
        while self.name == "slow" and not self.go.wait(0.01):
            progress.report(412_000, 1_000_000, "playouts")
        return Decision(moves[0], tuple(Thought(move) for move in moves))


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> dict[str, Stub]:
    made = {name: Stub(name) for name in ("broken", "cheat", "slow")}
    real = setup.parse_seat

    def parse_seat(text: str, game: Any) -> Any:
        return made.get(text) or real(text, game)

    monkeypatch.setattr(setup, "parse_seat", parse_seat)
    monkeypatch.setattr("nimtui.playing.session.parse_seat", parse_seat)
    return made


@pytest.mark.slow
async def test_scores_are_bars_sorted_with_the_move_that_was_played_marked(make_app: Any) -> None:
    async with playing(make_app, second="medium") as pilot:
        await pilot.press("d", "2", "enter")
        await settled(pilot)
        lines = pilot.app.screen.query_one("#thoughts").text().splitlines()
        assert lines[0] == f"What Medium thought before {moves(pilot)[1]}"
        assert lines[2].startswith(f"▸ {moves(pilot)[1]}") and "█" in lines[2]


@pytest.mark.slow
async def test_flat_monte_carlo_shows_wins_and_losses_and_says_what_it_cannot_see(make_app: Any) -> None:
    async with playing(make_app, "nim:2,3", second="mc:playouts=50") as pilot:
        await pilot.press("b", "1", "enter")
        await settled(pilot)
        text = pilot.app.screen.query_one("#thoughts").text()
        won = [line for line in text.splitlines() if re.match(r"[▸ ]  ?\w\d +\d+ +\d+ ", line)]
        assert (
            "won   lost" in text
            and len(won) == 4
            and "Every move wins exactly half of its random games here" in " ".join(text.split())
        )


@pytest.mark.slow
async def test_a_broken_agent_shows_its_error_and_a_person_can_move_for_it(make_app: Any, stubs: Any) -> None:
    async with playing(make_app, second="broken") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        text = screen_text(pilot.app)
        assert "broken failed: ZeroDivisionError: it divided by zero" in text and "another player" in text
        await pilot.press("b", "1", "enter")
        assert moves(pilot) == ["a1", "b1"] and session(pilot).to_move.is_person
        assert "failed" not in screen_text(pilot.app)


@pytest.mark.slow
async def test_another_player_can_take_over_from_a_broken_agent(make_app: Any, stubs: Any) -> None:
    async with playing(make_app, second="broken") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        await pilot.press("o", *"perfetc", "enter")
        assert "unknown agent 'perfetc'" in screen_text(pilot.app)
        await pilot.press("backspace", "backspace", "backspace", *"ect", "enter")
        await settled(pilot)
        assert len(moves(pilot)) == 2 and session(pilot).players[1].spec == "perfect"


async def test_the_players_to_choose_from_are_offered_by_the_arrow_keys(make_app: Any) -> None:
    async with playing(make_app, second="random") as pilot:
        await pilot.press("o", "down", "down")
        assert "random" in pilot.app.screen.query_one("#prompt").text().splitlines()[0]
        await pilot.press("escape")
        assert session(pilot).players[1].spec == "random"


async def test_an_agent_that_answers_with_an_illegal_move_has_failed(make_app: Any, stubs: Any) -> None:
    async with playing(make_app, second="cheat") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        assert "cheat failed: it chose 10000, an illegal move" in screen_text(pilot.app)


@pytest.mark.slow
async def test_keys_work_while_an_agent_thinks_and_escape_stops_it_at_once(make_app: Any, stubs: Any) -> None:
    async with playing(make_app, second="slow") as pilot:
        await pilot.press("a", "1", "enter")
        await until(pilot, lambda: "412,000 of 1,000,000 playouts" in screen_text(pilot.app))
        await pilot.press("w", "w")
        assert "N-position" in screen_text(pilot.app)
        await pilot.press("escape")
        assert session(pilot).hold is Hold.STOPPED and "slow was stopped" in screen_text(pilot.app)
        stubs["slow"].go.set()
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert moves(pilot) == ["a1"]  # its late answer was dropped
        await pilot.press("space")
        await settled(pilot)
        assert len(moves(pilot)) == 2


async def test_undo_takes_the_move_back_from_an_agent_that_thinks(make_app: Any, stubs: Any) -> None:
    async with playing(make_app, second="slow") as pilot:
        await pilot.press("a", "1", "enter")
        await until(pilot, lambda: stubs["slow"].asked == 1)
        await pilot.press("u")
        assert moves(pilot) == [] and session(pilot).person_may_move
        stubs["slow"].go.set()
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert moves(pilot) == []


async def test_a_new_game_forgets_an_agent_that_still_thinks(make_app: Any, stubs: Any) -> None:
    async with playing(make_app, second="slow") as pilot:
        await pilot.press("a", "1", "enter")
        await until(pilot, lambda: stubs["slow"].asked == 1)
        pilot.app.play(setup.PlaySetup("nim:3", None, ("me", "me"), 0))
        stubs["slow"].go.set()
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert moves(pilot) == [] and "3 matches" in screen_text(pilot.app)


@pytest.mark.slow
async def test_nothing_is_drawn_while_nothing_runs(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(make_app) as pilot:
        await pilot.press("d", "1", "enter")
        await settled(pilot)
        drawn: list[str] = []
        monkeypatch.setattr(pilot.app.screen, "fill", lambda name, paint: drawn.append(name))
        await pilot.pause(3 * pilot.app.tick)
        assert drawn == []


@pytest.mark.slow
async def test_two_agents_play_to_the_end_and_pause_and_step_between(make_app: Any) -> None:
    calm = CALM.changed(pace=60.0)
    async with playing(make_app, first="random", second="perfect", settings=calm) as pilot:
        await until(pilot, lambda: len(moves(pilot)) == 0 and pilot.app.screen.conductor._due is not None)
        await pilot.press("space")
        assert "Paused, Random to move" in screen_text(pilot.app)
        await pilot.press("full_stop")
        await until(pilot, lambda: len(moves(pilot)) == 1)
        assert "Paused, Perfect to move" in screen_text(pilot.app)
        await pilot.press("plus")
        assert "3 seconds per move" in screen_text(pilot.app) and pilot.app.settings.pace == 3.0
        await pilot.press("minus")
        assert "6 seconds per move" in screen_text(pilot.app)
        pilot.app.screen.conductor.pace = 0.0
        await pilot.press("space")
        await until(pilot, lambda: session(pilot).over)
        assert "took the last match and wins" in screen_text(pilot.app)


@pytest.mark.slow
async def test_the_learned_opponent_learns_and_shows_what_changed(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        agent = session(pilot).players[1].agent
        games = agent.table.games
        await pilot.press("l", "enter", "escape")
        text = pilot.app.screen.query_one("#thoughts").text()
        assert "Easy learned" in text and "→" in text and "Forgotten when you quit" in text
        assert agent.table.games == games  # who played this game is as before
        pilot.app.play(setup.PlaySetup("nim:1,1", None, ("me", "easy"), 0))
        await pilot.pause()
        assert session(pilot).players[1].agent.table.games == games + 1  # what it learned is not lost with the game


async def review(pilot: Any) -> ReviewScreen:
    await pilot.press("r")
    await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen) and bool(pilot.app.screen._judgements))
    return pilot.app.screen


@pytest.mark.slow
async def test_the_review_finds_the_turning_point_and_says_what_would_have_won(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="perfect") as pilot:
        await pilot.press("a", "1", "enter")  # b1 would have won
        await settled(pilot)
        assert session(pilot).record.winner == 1
        await review(pilot)
        text = " ".join(screen_text(pilot.app).split())
        assert "Why did I lose? Move 1, a1, was the turning point: you gave the win away (win → loss)." in text
        assert "Better: b1." in text and "✗" in text
        await pilot.press("V")  # words in place of the bars
        text = " ".join(screen_text(pilot.app).split())
        assert "✗ win → loss" in text and "keeps the win" in text


@pytest.mark.slow
async def test_play_goes_on_from_where_the_review_stands(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="perfect") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        await review(pilot)
        await pilot.press("down", "up", "enter")
        await pilot.pause()
        assert moves(pilot) == [] and session(pilot).person_may_move
        assert f"1 you a1 {UNICODE.wrong}" in screen_text(pilot.app)  # what was found stays marked
        await pilot.press("b", "1", "enter")
        await settled(pilot)
        assert session(pilot).me == 0 and moves(pilot)[0] == "b1"


@pytest.mark.slow
async def test_a_review_can_be_left_without_changing_anything(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="perfect") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        await review(pilot)
        await pilot.press("escape")
        assert session(pilot).over and len(moves(pilot)) == 2


@pytest.mark.slow
async def test_the_review_fits_60_by_20(make_app: Any) -> None:
    async with playing(make_app, second="perfect", size=(60, 20)) as pilot:
        for _ in range(16):
            if session(pilot).over:
                break
            await pilot.press("enter")
            await settled(pilot)
        await review(pilot)
        assert "Mistakes: missed wins" in screen_text(pilot.app) and "Why" in screen_text(pilot.app)
