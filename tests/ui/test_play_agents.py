"""Agents on the Play screen: seen thinking, stopped, broken, replaced, watched; and the analysis of the position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nimtui.games import base, parse_game
from nimtui.jobs import Jobs
from nimtui.playing.advice import GrowingSearch, Place, best_by, can_analyse, verdict
from nimtui.playing.session import Hold
from nimtui.playing.setup import PlaySetup
from nimtui.sandbox import client
from nimtui.theory import Outcome
from nimtui.theory.answers import MoveValue, known_moves
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.replay_screen import ReplayScreen
from nimtui.ui.play.thinking import Steady
from nimtui.ui.play.view import beliefs_of, exact, labels, thoughts_paint
from tests.agents.conftest import own_agents  # noqa: F401 - a fixture
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import (
    Stub,
    at_rest,
    conducted,
    eventually,
    make_moves,
    moves,
    painted,
    playing,
    said,
    session,
    settled,
    until,
)
from tests.ui.playing import stubs as stubs

NARROW = 76  # columns: below, there is no room for the panel of thoughts
FORKS = pytest.mark.skipif(not client.possible(), reason="processes cannot be forked here")


def panel(pilot: Any) -> list[str]:
    return list(pilot.app.screen.query_one("#thoughts").text().splitlines())


async def thinks(pilot: Any, agent: Stub, visits: int) -> None:
    """Let the agent think until it shows so many visits."""
    agent.allowed = visits
    where = "" if pilot.app.size.width < NARROW else "thoughts"
    await until(pilot, lambda: f"{visits} simulations" in said(pilot, where))


@pytest.mark.slow
async def test_what_an_agent_believes_grows_while_it_thinks_but_is_not_asked_for_while_another_screen_is_shown(
    make_app: Any, stubs: Any
) -> None:
    async with playing(make_app, "connect4:5x4", second="Slow") as pilot:
        await pilot.press("3", "enter")
        for before, size in zip((0, 20, 40), SIZES, strict=True):
            await pilot.resize_terminal(*size)
            for visits in (before + 3, before + 17):
                await thinks(pilot, stubs["Slow"], visits)
                if size[0] < NARROW:
                    assert f"1 +0.25, {visits} simulations" in said(pilot)
                    continue
                rows = panel(pilot)
                assert rows[0] == "Slow thinks" and rows[2].startswith("▸ 1")
                numbers = [[word for word in row.split() if word.isdigit()][:2] for row in rows[2:7]]
                assert numbers == [[str(move + 1), str(visits * (move + 1))] for move in range(5)]
        await pilot.resize_terminal(80, 24)
        play = pilot.app.screen
        await pilot.press("f3")
        await until(pilot, lambda: pilot.app.screen is not play)
        job = play.conductor.doing("move")
        await until(pilot, lambda: job._thinks_every is None)
        await pilot.press("f2")
        await thinks(pilot, stubs["Slow"], 69)
        stubs["Slow"].go.set()
        await settled(pilot)
        assert moves(pilot) == ["3", "1"] and panel(pilot)[0].startswith("What Slow thought before 1")


async def test_of_two_agents_the_other_ones_last_thought_stays_in_view(stubs: Any) -> None:
    conductor = PlayConductor(Jobs())
    conductor.set_pace(0.0)
    conductor.listen(0.0)
    for name, visits in (("Slow", 4), ("Other", 6)):
        stubs[name].allowed = visits
    conductor.start(PlaySetup("connect4:5x4", None, ("Slow", "Other"), 1))
    await eventually(lambda: conductor.believed is not None and conductor.believed.done == 4)
    assert [each.title for each in beliefs_of(conductor)] == ["Slow thinks"]
    stubs["Slow"].go.set()
    await eventually(lambda: conductor.believed is not None and conductor.believed.done == 6)
    assert [(each.title, each.seat) for each in beliefs_of(conductor)] == [("Other thinks", 1), ("Slow, before 1", 0)]
    conductor.pause_or_resume()
    assert [each.title for each in beliefs_of(conductor)] == ["Slow, before 1"]
    await eventually(lambda: not conductor.jobs.running())


async def test_what_an_opponent_believes_for_less_than_the_pause_before_its_reply_is_not_drawn(stubs: Any) -> None:
    conductor = PlayConductor(Jobs())
    conductor.listen(0.0)
    stubs["Slow"].allowed = 4
    conductor.start(PlaySetup("connect4:5x4", None, ("Slow", "me"), 1))
    conductor._began += 1000
    await eventually(lambda: conductor.thoughts("move") is not None or conductor._believed is not None)
    assert conductor.thinking and conductor.believed is None and beliefs_of(conductor) == []
    conductor._began -= 2000
    await eventually(lambda: conductor.believed is not None and conductor.believed.done == 4)
    stubs["Slow"].go.set()
    await eventually(lambda: not conductor.jobs.running())


# Stopped, broken, replaced.


async def test_keys_work_while_an_agent_thinks_and_escape_stops_it_at_once(make_app: Any, stubs: Any) -> None:
    async with playing(make_app, second="Slow") as pilot:
        await pilot.press("a", "1", "enter")
        await thinks(pilot, stubs["Slow"], 12)
        await pilot.press("w", "w")
        assert "N-position" in screen_text(pilot.app)
        await pilot.press("b", "1", "enter")
        assert "wait: it is Slow's turn" in screen_text(pilot.app)
        await pilot.press("escape")
        await pilot.press("escape")
        assert session(pilot).hold is Hold.STOPPED and "Slow was stopped" in screen_text(pilot.app)
        assert "Slow thinks" not in screen_text(pilot.app)
        stubs["Slow"].go.set()
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert moves(pilot) == ["a1"]  # its late answer was dropped
        await pilot.press("space")
        await settled(pilot)
        assert len(moves(pilot)) == 2


@pytest.mark.parametrize("way", ["undo", "a new game"])
async def test_the_late_answer_of_an_agent_is_dropped(stubs: Any, way: str) -> None:
    conductor = await conducted("nim:1")
    conductor.start(PlaySetup("connect4:5x4", None, ("me", "Slow"), 1))
    conductor.play(2)
    await eventually(lambda: stubs["Slow"].asked)
    if way == "undo":
        conductor.undo()
    else:
        conductor.start(PlaySetup("nim:3", None, ("me", "me"), 0))
    assert conductor.session.person_may_move
    assert painted(thoughts_paint(conductor, Steady()), 60)[0] in ("Rules", "Thoughts")
    stubs["Slow"].go.set()
    await eventually(lambda: not conductor.jobs.running())
    assert not conductor.session.record.ply


@pytest.mark.slow
async def test_a_broken_agent_shows_its_error_and_a_person_or_another_player_who_is_offered_moves_for_it(
    make_app: Any, stubs: Any
) -> None:
    async with playing(make_app, second="broken") as pilot:
        await make_moves(pilot, "a1")
        assert "broken failed: ZeroDivisionError: it divided by zero" in said(pilot) and "another player" in said(pilot)
        await make_moves(pilot, "b1")
        assert moves(pilot) == ["a1", "b1"] and session(pilot).to_move.is_person and "failed" not in said(pilot)
        await make_moves(pilot, "b1")
        assert "broken failed" in said(pilot)
        await pilot.press("o", "down", "down")
        footer = screen_text(pilot.app).splitlines()[-1]
        assert "choose" in footer and "⏎ seat" in footer and "esc cancel" in footer
        assert "random" in pilot.app.screen.query_one("#prompt").text().splitlines()[0]
        await pilot.press("escape")
        assert session(pilot).players[1].spec == "broken"
        await pilot.press("o", *"cheat", "enter")
        await settled(pilot)
        assert "cheat failed: it chose 10000, an illegal move" in screen_text(pilot.app)
        await pilot.press("o", *"mute", "enter")
        await settled(pilot)
        assert "mute failed: it gave no answer" in screen_text(pilot.app)
        await pilot.press("o", *"perfetc", "enter")
        assert "unknown agent 'perfetc'" in screen_text(pilot.app)
        await pilot.press("backspace", "backspace", "backspace", *"ect", "enter")
        await settled(pilot)
        assert len(moves(pilot)) == 4 and session(pilot).players[1].spec == "perfect"


async def test_two_agents_play_to_the_end_and_pause_and_step_between() -> None:
    conductor = PlayConductor(Jobs())
    conductor.set_pace(60.0)
    conductor.start(PlaySetup("nim:2,2", None, ("random", "perfect"), 1))
    session = conductor.session
    await eventually(lambda: conductor._due is not None)
    assert conductor.thinking and conductor.in_progress and session.record.ply == 0
    conductor.pause_or_resume()
    assert session.hold is Hold.PAUSED and not conductor.thinking and not conductor.in_progress
    conductor.step()
    await at_rest(conductor)
    assert session.record.ply == 1 and session.hold is Hold.PAUSED
    conductor.change_pace(1)
    assert conductor.message == "3 seconds per move" and conductor.pace == 3.0
    conductor.change_pace(-1)
    assert conductor.message == "6 seconds per move"
    conductor.pace = 0.0
    conductor.pause_or_resume()
    await at_rest(conductor)
    assert session.over and not conductor.in_progress
    conductor.play(99)
    conductor.hint()
    assert conductor.message == "" and session.record.ply == 4
    conductor.goto(1)
    assert conductor.message == "Back to the position before move 2." and session.record.ply == 1


# A person's own agent, in its process; and own rules.


@FORKS
@pytest.mark.slow
@pytest.mark.usefixtures("own_agents")
async def test_the_faults_of_an_own_agent_are_one_line_each_and_the_game_goes_on(make_app: Any) -> None:
    faults = {
        "exit": "ended without an answer: exit status 3",
        "crash": "ended without an answer: signal SIGSEGV",
        "illegal": "played 99, which is not legal",
        "none": "decided None, which is not a Decision",
    }
    async with playing(make_app) as pilot:
        for how, fault in faults.items():
            pilot.app.play(PlaySetup("tower:16", None, ("me", f"wayward:{how}"), 1))
            await make_moves(pilot, "a1")
            assert session(pilot).fault == fault and session(pilot).hold is Hold.FAILED
            assert f"failed: {fault.partition(':')[0]}" in said(pilot)
            session(pilot).seat(1, "perfect")
            pilot.app.screen_stack[0].conductor._moved("")
            await settled(pilot)
            assert len(moves(pilot)) == 2
        pilot.app.play(PlaySetup("tower:16", None, ("me", "wayward:exit-once"), 1))
        await make_moves(pilot, "a1")
        assert session(pilot).hold is Hold.FAILED
        await pilot.press("space")  # it tries again in a new process
        await settled(pilot)
        assert len(moves(pilot)) == 2 and session(pilot).hold is None


@pytest.mark.slow
@FORKS
@pytest.mark.usefixtures("own_agents")
async def test_an_own_agent_is_seen_thinking_and_stopped_and_a_wrong_thought_is_one_line(make_app: Any) -> None:
    async with playing(make_app, "nim:3,4,5", second="wayward:aloud-word") as pilot:
        await make_moves(pilot, "a1")
        assert len(moves(pilot)) == 2 and "thinks 'the first one', which is not a Thinking" in screen_text(pilot.app)
        pilot.app.play(PlaySetup("nim:3,4,5", None, ("me", "wayward:aloud-good-long"), 1))
        await pilot.press("a", "1", "enter")
        await until(pilot, lambda: "7 dreams" in panel(pilot))
        pilot.app.play(PlaySetup("nim:3,4,5", None, ("me", "wayward:native"), 1))  # it thinks for ever
        await pilot.press("a", "1", "enter")
        await until(pilot, lambda: session(pilot).to_move.agent.ready)
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.jobs.running())
        assert session(pilot).hold is Hold.STOPPED and moves(pilot) == ["a1"]


@pytest.mark.parametrize("way", ["play", "redo"])
async def test_own_rules_that_change_their_answer_refuse_a_move_in_one_line(
    make_app: Any, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    async with playing(make_app, game="nim:3,2", second="me") as pilot:
        conductor, legal = pilot.app.screen_stack[0].conductor, base.legal
        conductor.play(0)
        conductor.undo()
        answers = iter([way == "play"])
        monkeypatch.setattr(base, "legal", lambda state, move: next(answers, False))
        conductor.play(0) if way == "play" else conductor.redo()
        monkeypatch.setattr(base, "legal", legal)
        assert conductor.message == "nim:3,2 does not allow the move with code 0 here." and not moves(pilot)


# The review.


async def review(pilot: Any) -> None:
    await pilot.press("r")
    await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and bool(pilot.app.screen._verdict))


@pytest.mark.slow
async def test_the_review_finds_the_turning_point_and_play_goes_on_from_where_it_stands(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="perfect") as pilot:
        await make_moves(pilot, "a1")  # b1 would have won
        assert session(pilot).record.winner == 1
        await review(pilot)
        text = " ".join(screen_text(pilot.app).split())
        assert "Why did I lose? Move 1, a1, was the turning point: you gave the win away (win → loss)." in text
        assert "Better: b1." in text and "✗" in text and "continue from here" in text
        await pilot.press("escape")
        assert session(pilot).over and len(moves(pilot)) == 2  # nothing has changed
        await review(pilot)
        await pilot.press("end")
        assert "let it move again" in screen_text(pilot.app)
        await pilot.press("enter")
        await settled(pilot)
        assert moves(pilot) == ["a1", "b2"] and session(pilot).over
        await review(pilot)
        await pilot.press("down", "up", "enter")
        assert moves(pilot) == [] and session(pilot).person_may_move
        assert f"1 you a1 {UNICODE.wrong}" in screen_text(pilot.app)  # what was found stays marked
        await make_moves(pilot, "b1")
        assert session(pilot).me == 0 and moves(pilot)[0] == "b1"


# The analysis: it gets better for as long as one looks, and follows the moves.


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


def analysis_of(conductor: PlayConductor) -> list[str]:
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
    lines = analysis_of(conductor)
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
    assert conductor.analysis.thinking is not before  # none, or already one of the new position
    await eventually(lambda: done(conductor))
    assert conductor.analysis.thinking.done >= visits[before.move] - 1 > 300
    assert {one.move for one in conductor.analysis.thinking.thoughts} == set(base.legal_moves(conductor.session.state))
    conductor.undo()
    await eventually(lambda: done(conductor))
    assert conductor.session.record.ply == 0 and conductor.analysis.on
    for _ in range(5):
        conductor.analysis.toggle(conductor.session)
        conductor.play(2)
        conductor.undo()
    assert not conductor.analysis.on
    conductor.analysis.toggle(conductor.session)
    await eventually(lambda: done(conductor))
    jobs = [job for job in conductor.jobs.running() if job.name == "analysis" and not job.cancelling]
    assert conductor.analysis.on and len(jobs) == 1, "one, after many moves and toggles"
    conductor.start(PlaySetup("nim:3,4,5", None, ("me", "me"), 1))
    assert not conductor.analysis.on  # a new game starts without one
    await at_rest(conductor)


async def test_it_rests_while_an_agent_is_to_move_and_after_the_end() -> None:
    conductor = await analysed("connect4", second="random")
    session = conductor.session
    assert can_analyse(session)
    conductor.play(3)
    assert not can_analyse(session) and not conductor.analysis.running and conductor.analysis.on
    await eventually(lambda: session.record.ply == 2 and done(conductor))
    assert beliefs_of(conductor)[0].title.startswith("Analysis")
    conductor.start(PlaySetup("connect4", None, ("random", "random"), 1))
    conductor.set_pace(60.0)
    conductor.pause_or_resume()
    assert conductor.session.hold is Hold.PAUSED
    conductor.analysis.toggle(conductor.session)
    await eventually(lambda: done(conductor))
    conductor.pause_or_resume()
    assert not conductor.analysis.running and conductor.analysis.on
    conductor.pause_or_resume()
    await ended(conductor)
    over = await conducted("nim:1,2", "a1 b2")
    over.analysis.toggle(over.session)
    assert not over.analysis.on and not can_analyse(over.session)
    over.undo()  # at its earlier positions
    over.analysis.toggle(over.session)
    assert analysis_of(over) == ["Analysis", "A tree search starts. A or esc ends the analysis."]
    await eventually(lambda: over.analysis.truths)
    assert analysis_of(over)[0] == "Analysis: won in 1 ply" and over.busy
    over.stop()
    assert not over.analysis.on and not over.busy
    await eventually(lambda: not over.jobs.running())


async def test_the_search_ends_when_the_root_is_proven_or_the_tree_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    for position, word in {"1,2": "won", "1,1": "lost"}.items():
        proven = await analysed("nim:1,2", position=position, reached=lambda each: each.analysis.note)
        assert proven.analysis.note == f"Proven {word}: the search has ended."
        await at_rest(proven)
        assert analysis_of(proven)[-1] == proven.analysis.note and not proven.analysis.running and proven.analysis.on
    monkeypatch.setattr("nimtui.playing.advice.TREE_BYTES", 1 << 20)
    full = await analysed("connect4:9x6", reached=lambda each: each.analysis.note)
    assert full.analysis.note == "The tree is full (1.05 MB): the search has ended." and done(full) > 1000
    monkeypatch.setattr("nimtui.playing.advice.MonteCarloSearch", None)
    failed = await analysed("connect4:9x6", reached=lambda each: each.analysis.note)
    assert failed.analysis.note == "The analysis failed: TypeError: 'NoneType' object is not callable."


def test_the_best_move_wins_soonest_or_loses_latest_and_of_equals_it_is_the_preferred_one() -> None:
    def values(outcome: Outcome, *plies: int | None) -> dict[int, MoveValue]:
        worse = MoveValue(9, Outcome.LOSS, False, 1)
        return {9: worse} | {move: MoveValue(move, outcome, True, each) for move, each in enumerate(plies)}

    assert best_by(values(Outcome.WIN, 7, 3, 5), None) == 1 and best_by(values(Outcome.LOSS, 2, 8, 4), None) == 1
    for outcome in Outcome:
        assert best_by(values(outcome, 4, 4, 4), 2) == 2 and best_by(values(outcome, 4, 4, 4), 9) == 0
    assert verdict({0: MoveValue(0, Outcome.WIN, True, 2, 5)}) == "worth +5"
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
        assert found.done == 0 and found is not second and growing.latest == (place, found)


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
