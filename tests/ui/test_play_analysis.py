"""The analysis of the position on the board: it gets better for as long as one looks, and follows the moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nimtui.games import base, parse_game
from nimtui.playing.advice import GrowingSearch, Place, best_by, can_analyse, verdict
from nimtui.playing.session import Hold
from nimtui.playing.setup import PlaySetup
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue, known_moves
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.thinking import Steady
from nimtui.ui.play.view import beliefs_of, exact, labels, thoughts_paint
from tests.ui.conftest import screen_text
from tests.ui.playing import at_rest, conducted, eventually, painted, playing, until


async def analysed(
    game: str, names: str = "", reached: Callable[[PlayConductor], Any] | None = None, **more: Any
) -> Any:
    """A conductor without a screen that analyses, once the condition holds [default: once it believes something]."""
    conductor = await conducted(game, names, **more)
    conductor.listen(0.0)
    conductor.analysis.toggle(conductor.session)
    await eventually(lambda: (reached or done)(conductor))
    return conductor


def done(conductor: PlayConductor) -> int:
    """How many simulations the analysis has done for the position on the board."""
    return int(conductor.analysis.thinking.done or 0) if conductor.analysis.thinking is not None else 0


def panel(conductor: PlayConductor) -> list[str]:
    return painted(thoughts_paint(conductor, Steady()), 60)


async def ended(conductor: PlayConductor) -> None:
    """End the analysis, and wait for its thread."""
    assert conductor.analysis.stop()
    await eventually(lambda: not conductor.jobs.running())
    assert not conductor.analysis.on and not conductor.analysis.stop()


@pytest.mark.parametrize("game", ["nim:3,4,5", "adjacent:3,4", "connect4:4x4"])
async def test_exact_values_are_those_of_theory_and_the_best_move_is_marked(game: str) -> None:
    conductor = await analysed(game, reached=lambda each: done(each) and each.analysis.truths)
    session = conductor.session
    truths = known_moves(session.game, session.state)
    assert truths is not None and conductor.analysis.truths == truths and conductor.analysis.scores == {}
    ends = {move: (value.outcome, value.remoteness) for move, value in truths.items()}
    in_columns = session.game.board_kind == "columns"
    assert labels(conductor) == (ends if in_columns else {})
    assert exact(conductor) == ({} if in_columns else {move: outcome for move, (outcome, _) in ends.items()})
    lines = panel(conductor)
    assert lines[0] == f"Analysis: {verdict(truths)}"
    for move, value in truths.items():
        named = [line for line in lines[2:] if line[2:].split()[:1] == [session.game.move_name(move, session.state)]]
        [row] = [line for line in named if {"wins", "draws", "loses"} & {*line.split()[:3]}]  # `a` may begin a sentence
        word = {"win": "wins", "draw": "draws", "loss": "loses"}[value.outcome.value]
        assert row.split()[2 if row.startswith("▸") else 1] == word
        assert value.remoteness is None or f"{word} {value.remoteness} " in f"{row} "
    [marked] = [line for line in lines if line.startswith("▸")]
    assert truths[session.game.parse_move(marked[2:].split()[0], session.state)].optimal
    await ended(conductor)
    assert labels(conductor) == exact(conductor) == {}


async def test_it_follows_moves_and_keeps_the_subtree() -> None:
    conductor = await analysed("connect4", reached=lambda each: done(each) > 3_000)
    before = conductor.analysis.thinking
    assert conductor.analysis.running
    visits = {one.move: one.visits for one in before.thoughts}
    conductor.play(before.move)
    assert conductor.analysis.thinking is None
    await eventually(lambda: done(conductor))
    assert conductor.analysis.thinking.done >= visits[before.move] - 1 > 300
    assert {one.move for one in conductor.analysis.thinking.thoughts} == set(base.legal_moves(conductor.session.state))
    conductor.undo()
    await eventually(lambda: done(conductor))
    assert conductor.session.record.ply == 0 and conductor.analysis.on
    conductor.start(PlaySetup("nim:3,4,5", None, ("me", "me"), 1))
    assert not conductor.analysis.on  # a new game starts without one
    await at_rest(conductor)


async def test_it_rests_while_an_agent_is_to_move_and_then_continues() -> None:
    conductor = await analysed("connect4", second="random")
    session = conductor.session
    assert can_analyse(session)
    conductor.play(3)
    assert not can_analyse(session) and not conductor.analysis.running and conductor.analysis.on
    await eventually(lambda: session.record.ply == 2 and done(conductor))
    assert beliefs_of(conductor)[0].title.startswith("Analysis")
    await ended(conductor)


async def test_the_search_ends_when_the_root_is_proven_or_the_tree_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    for position, word in {"1,2": "won", "1,1": "lost"}.items():
        proven = await analysed("nim:1,2", position=position, reached=lambda each: each.analysis.note)
        assert proven.analysis.note == f"Proven {word}: the search has ended."
        await at_rest(proven)
        assert panel(proven)[-1] == proven.analysis.note and not proven.analysis.running and proven.analysis.on
    monkeypatch.setattr("nimtui.playing.advice.TREE_BYTES", 1 << 20)
    full = await analysed("connect4:9x6", reached=lambda each: each.analysis.note)
    assert full.analysis.note == "The tree is full (1.05 MB): the search has ended." and done(full) > 1000
    monkeypatch.setattr("nimtui.playing.advice.MonteCarloSearch", None)
    failed = await analysed("connect4:9x6", reached=lambda each: each.analysis.note)
    assert failed.analysis.note == "The analysis failed: TypeError: 'NoneType' object is not callable."


async def test_a_finished_game_is_analysed_at_its_earlier_positions() -> None:
    conductor = await conducted("nim:1,2", "a1 b2")
    conductor.analysis.toggle(conductor.session)
    assert not conductor.analysis.on and not can_analyse(conductor.session)
    conductor.undo()
    conductor.analysis.toggle(conductor.session)
    assert panel(conductor) == ["Analysis", "A tree search starts. A or esc ends the analysis."]
    await eventually(lambda: conductor.analysis.truths)
    assert panel(conductor)[0] == "Analysis: won in 1 ply"
    await ended(conductor)


async def test_many_moves_and_toggles_leave_one_analysis_or_none() -> None:
    conductor = await conducted("connect4:5x4")
    conductor.listen(0.0)
    for _ in range(5):
        conductor.analysis.toggle(conductor.session)
        conductor.play(2)
        conductor.undo()
    await eventually(lambda: done(conductor))
    jobs = [job for job in conductor.jobs.running() if job.name == "analysis" and not job.cancelling]
    assert conductor.analysis.on and len(jobs) == 1
    await ended(conductor)


async def test_two_paused_agents_leave_a_position_to_analyse() -> None:
    conductor = await conducted("nim:3,3", first="random", second="random")
    conductor.start(PlaySetup("connect4", None, ("random", "random"), 1))
    conductor.set_pace(60.0)
    conductor.pause_or_resume()
    assert conductor.session.hold is Hold.PAUSED
    conductor.listen(0.0)
    conductor.analysis.toggle(conductor.session)
    await eventually(lambda: done(conductor))
    conductor.pause_or_resume()
    assert not conductor.analysis.running and conductor.analysis.on
    conductor.pause_or_resume()
    await ended(conductor)


def test_the_best_move_wins_soonest_or_loses_latest_and_of_equals_it_is_the_preferred_one() -> None:
    def values(outcome: Outcome, *plies: int | None) -> dict[int, MoveValue]:
        worse = MoveValue(9, Outcome.LOSS, False, 1)
        return {9: worse} | {move: MoveValue(move, outcome, True, each) for move, each in enumerate(plies)}

    assert best_by(values(Outcome.WIN, 7, 3, 5), None) == 1 and best_by(values(Outcome.LOSS, 2, 8, 4), None) == 1
    for outcome in Outcome:
        assert best_by(values(outcome, 4, 4, 4), 2) == 2 and best_by(values(outcome, 4, 4, 4), 9) == 0
    assert best_by({}, 5) == 5 and best_by({}, None) is None and verdict({}) == ""
    verdicts = {Outcome.WIN: "won in 5 plies", Outcome.DRAW: "drawn", Outcome.LOSS: "lost in 1 ply"}
    for outcome, plies in ((Outcome.WIN, 5), (Outcome.DRAW, None), (Outcome.LOSS, 1)):
        assert verdict(values(outcome, plies)) == verdicts[outcome]


def test_the_search_of_a_later_place_is_the_subtree_of_an_earlier_one() -> None:
    game, growing = parse_game("nim:3,4"), GrowingSearch()
    state = game.new()
    first = growing.at(Place("nim:3,4", None, ()), game, state)
    assert first.proven and first.c == 1.0 and growing.at(Place("nim:3,4", None, ()), game, state) is first
    base.play(state, 0)
    second = growing.at(Place("nim:3,4", None, (0,)), game, state)
    assert second is not first and game.position_name(second.state) == "2,4"
    for place in (Place("nim:3,4", None, (1,)), Place("nim:3,4", "2,4", (1, 0)), Place("nim:4,4", "2,4", (1, 0, 0))):
        found = growing.at(place, game, state)
        assert found.done == 0 and found is not second and growing.search is found and growing.place == place


# On the screen.


@pytest.mark.slow
async def test_keys_start_and_end_it_and_a_dialog_does_not(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="me") as pilot:
        app, play = pilot.app, pilot.app.screen
        await pilot.press("4", "enter", "V")
        assert play.has_class("-story") and "A analyse" in screen_text(app)
        await pilot.press("A")
        await until(pilot, lambda: done(play.conductor))
        assert not play.has_class("-story")  # the analysis takes its place
        assert "A end analysis" in screen_text(app) and "A analyse" not in screen_text(app)
        for size in ((60, 20), (200, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "simulations" in play.query_one("#thoughts").text())
            assert play.query_one("#thoughts").region.width > 0
            before = play.query_one("#thoughts").text()
            await until(pilot, lambda before=before: play.query_one("#thoughts").text() != before)  # it grows
        await pilot.press("f1")
        await until(pilot, lambda: app.screen is not play)
        assert play.conductor.analysis.on
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is play)
        assert play.conductor.analysis.on
        await pilot.press("escape")
        await until(pilot, lambda: not play.conductor.analysis.on and "Analysis" not in screen_text(app))
        await pilot.press("A")
        assert play.conductor.analysis.on
        await pilot.press("f3")
        await until(pilot, lambda: app.screen is not play)
        await until(pilot, lambda: not play.conductor.analysis.on and not app.jobs.running())
