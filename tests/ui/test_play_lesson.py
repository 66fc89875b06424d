"""The lesson after a game: both maps, the weight, kept or left, at several sizes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual import events

from nimtui.errors import InputError
from nimtui.learning import saved_tables, taught
from nimtui.learning.evaluate import NOTHING
from nimtui.learning.table import Table
from nimtui.learning.taught import Judged
from nimtui.playing.setup import PlaySetup
from nimtui.report.cells import spoken
from nimtui.theory.truth import Truth, truth
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.play.lesson import LessonScreen
from tests.learning.helpers import same_tables
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, session, until

GAME, PUPIL, NAME = "nim:1,2,3", "reward:games=20", "reward-taught-nim-1-2-3"
LARGE = (200, 60)


async def opened(pilot: Any) -> LessonScreen:
    """Open the lesson of the finished game, with its maps."""
    await until(pilot, lambda: session(pilot).over)
    await pilot.press("l")
    await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen) and pilot.app.screen.effect is not None)
    found: LessonScreen = pilot.app.screen
    return found


def told(screen: LessonScreen) -> str:
    return " ".join(screen.query_one("#told").text().split())


def positions(pilot: Any) -> list[str]:
    """The names of the positions of the game."""
    record = session(pilot).record
    return [record.game.position_name(record.state_at(ply)) for ply in range(record.ply)]


def moved(known: Truth, before: Table, after: Table) -> list[bool]:
    """Where the best moves of two tables differ, position by position."""
    states = [before.game.at(board.astype("int64")) for board in known.graph.boards]
    return [before.best_moves(state) != after.best_moves(state) for state in states]


def table(pilot: Any) -> Any:
    return session(pilot).players[1].agent.table


@pytest.mark.slow
async def test_both_maps_follow_the_weight_at_every_size(make_app: Any) -> None:
    async with playing(make_app, GAME, "perfect", PUPIL, size=LARGE) as pilot:
        screen = await opened(pilot)
        one, two = screen.query(PositionMap)
        before = table(pilot).copy()
        after, lessons, known = before.copy(), 0, truth(before.game)
        for weight in taught.WEIGHTS:
            for times in [1] * (weight - lessons) if weight <= 1_000 else [weight - lessons]:
                after.learn(session(pilot).record, times)
            lessons = weight
            assert one.verdicts.tolist() == Judged.of(known, before).verdicts.tolist()
            assert two.verdicts.tolist() == Judged.of(known, after).verdicts.tolist()
            assert one.marked.tolist() == two.marked.tolist() == moved(known, before, after)
            assert f"1 lesson with weight {weight:,}: " in told(screen) and f"▸{weight:,}" in told(screen)
            drawn = sum(one.text().rpartition("\n")[0].count(sign) for sign in "◉╳◎")
            assert drawn == (one.marked & (two.verdicts != NOTHING)).sum()
            await pilot.press("plus")
        assert f"▸{taught.WEIGHTS[-1]:,}" in told(screen)  # the last one stays
        await pilot.press("minus")
        assert f"▸{taught.WEIGHTS[-2]:,}" in told(screen)
        rows = [f"{name} {move} " for name, move in zip(positions(pilot), session(pilot).move_names(), strict=True)]
        assert all(row in told(screen) for row in rows)
        await pilot.press("right")
        assert one.node == two.node >= 0 and screen.effect.name(two.node) in told(screen)
        for size in ((60, 20), (80, 24)):
            await pilot.resize_terminal(*size)
            assert not any(row in told(screen) for row in rows)  # only a large screen lists the moves of the lesson
            assert all(word in screen_text(pilot.app) for word in ("Before", "After"))
        await pilot.press("escape")
        assert same_tables(table(pilot), before) and session(pilot).learned is None
        assert session(pilot).can_learn and not pilot.app.at_work and not saved_tables.taught_tables()


@pytest.mark.slow
async def test_the_next_change_of_a_lesson_is_gone_to_or_missed_in_words(make_app: Any) -> None:
    async with playing(make_app, GAME, "perfect", PUPIL, size=LARGE) as pilot:
        screen = await opened(pilot)
        for _ in taught.WEIGHTS:
            await pilot.press("n")
            assert screen.effect.changed[screen.query(PositionMap)[1].node] and not pilot.app._notifications
            await pilot.press("plus")
        unchanged = replace(screen.effect, after=screen.effect.before)
        for effect, why in ((unchanged, "The lesson changes no best move"), (None, "Solving every position")):
            screen.effect, screen.query(PositionMap)[1].marked = effect, unchanged.changed
            await pilot.press("n")
            assert [notice.message for notice in pilot.app._notifications][-1:] == [why]


@pytest.mark.slow
async def test_keys_in_one_burst_keep_the_lesson_with_its_weight_and_the_library_tells_it(make_app: Any) -> None:
    async with playing(make_app, GAME, "perfect", PUPIL) as pilot:
        await until(pilot, lambda: session(pilot).over)
        before = table(pilot).copy()
        for key in ("l", "plus", "plus", "enter", "enter"):
            pilot.app.post_message(events.Key(key, "+" if key == "plus" else key if len(key) == 1 else None))
        await until(pilot, lambda: bool(saved_tables.taught_tables()))
        found = saved_tables.load(NAME)
        assert found.taught is not None and [lesson.weight for lesson in found.taught.lessons] == [100]
        for _ in range(100):
            before.learn(session(pilot).record)
        assert same_tables(found.table, before)
        assert session(pilot).learned.weight == 100

        await pilot.press("l")  # shows the lesson again: there is nothing left to choose
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen) and pilot.app.screen.effect is not None)
        assert "Weight 100 1 lesson with weight 100: " in told(pilot.app.screen)
        await pilot.press("plus", "enter")
        assert "Weight 100" in told(pilot.app.screen) and len(saved_tables.load(NAME).taught.lessons) == 1
        await pilot.press("escape", "f6")
        await until(pilot, lambda: getattr(pilot.app.screen.conductor, "details", None) is not None)
        assert "weight 100, best moves changed in" in " ".join(spoken(pilot.app.screen.conductor.details.report))


@pytest.mark.slow
async def test_every_learner_shows_its_lesson(make_app: Any) -> None:
    async with playing(make_app, "noughts:3x3x3", "random", "random") as pilot:
        for learner in ("quality", "q", "proof", "average"):
            pilot.app.play(PlaySetup("noughts:3x3x3", None, ("random", f"{learner}:games=30"), 1))
            screen = await opened(pilot)
            assert "Accuracy" in told(screen) and all(each.text().strip() for each in screen.query(PositionMap))
            await pilot.press("escape")


@pytest.mark.slow
async def test_a_game_that_cannot_be_solved_names_the_best_moves_that_change(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise InputError("the game is too large")

    monkeypatch.setattr("nimtui.ui.play.lesson.Preview", refuse)
    async with playing(make_app, GAME, "perfect", PUPIL) as pilot:
        await until(pilot, lambda: session(pilot).over)
        await pilot.press("l")
        await until(pilot, lambda: "No map: the game is too large." in told(pilot.app.screen))
        lesson = taught.Lesson.of(session(pilot).record, None, ("perfect", PUPIL), 0.0)
        changed = taught.changed_positions(table(pilot), taught.after(table(pilot), lesson)[0], lesson)
        number = {0: "no positions", 1: "1 position"}.get(len(changed), f"{len(changed)} positions")
        assert f"Best moves change in {number} of this game" in told(pilot.app.screen)
        await pilot.press("enter", "enter")
        await until(pilot, lambda: bool(saved_tables.taught_tables()))
