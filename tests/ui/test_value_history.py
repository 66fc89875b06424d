"""The value history on Play, Replay and Review: when it is shown, what it gives away, and where its cursor goes."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.agents.belief import Belief, Kind, belief_of
from nimtui.arena.review import history
from nimtui.arena.review.history import Moment, Story
from nimtui.arena.review.review import review
from nimtui.games import Record, base, parse_game
from nimtui.playing import sentences as words
from nimtui.playing.replay import KeptGame
from nimtui.playing.sentences import inside
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.report.lines import plain_text, width
from nimtui.theory import Outcome
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.play import value_history
from nimtui.ui.play.replay_screen import ReplayScreen
from tests.patterns import NUMBER, real
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, said, session, settled, until

GAME = "connect4:4x4"


@pytest.fixture(scope="module")
def judging() -> None:
    """The kernels that judge a game are compiled: an app waits for them only briefly."""
    game = parse_game(GAME)
    review(Record(game, moves=base.legal_moves(game.start)[:1]))


async def finished(pilot: Any) -> None:
    """Play the first legal move each time, until the game is over."""
    await settled(pilot)
    while not session(pilot).over:
        state, game = session(pilot).state, session(pilot).game
        await pilot.press(game.move_name(base.legal_moves(state)[0], state), "enter")
        await settled(pilot)


async def judged(pilot: Any) -> None:
    await until(pilot, lambda: len(session(pilot).judgements) == session(pilot).record.ply)


@pytest.mark.slow
@pytest.mark.usefixtures("judging")
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_game_then_its_story_and_once_saved_its_replay_with_what_was_thought(make_app: Any, size: Any) -> None:
    async with playing(make_app, GAME, "me", "mcts:simulations=60", size=size) as pilot:
        await settled(pilot)
        large = size[0] >= 120  # there it has a box of its own
        assert ("Value history" in screen_text(pilot.app)) is large
        await pilot.press("1", "enter")
        await settled(pilot)
        await pilot.press(*"VV" if large else "V")
        text = screen_text(pilot.app)
        assert "Value history" in text and "○" in text
        assert not session(pilot).judgements, "the truth is not given away during the game"
        await finished(pilot)
        await judged(pilot)
        assert "█" in screen_text(pilot.app) or "░" in screen_text(pilot.app)
        assert max(map(len, screen_text(pilot.app).split("\n"))) <= size[0]
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Saved as game" in pilot.app.screen.conductor.message)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen._verdict)
        review, played = pilot.app.screen, session(pilot)
        record = played.record
        points = [found.ply for found in review.judgements if found.mistake]
        assert (review._at in points) is bool(points), "the cursor is at the turning point"
        if points:
            [marked, *_] = [line for line in screen_text(pilot.app).split("\n") if f"▸{review._at + 1:>2} " in line]
            assert "✗" in marked  # in the list of moves; the positions mark the same move further down
        await pilot.press("home")
        for ply in range(min(4, record.ply)):
            assert review._at == ply and f"Move {ply + 1}: " in screen_text(pilot.app)
            await pilot.press("down")
        await pilot.press("V")
        assert "Move 5: " not in screen_text(pilot.app) and "◀▶" not in screen_text(pilot.app)
        await pilot.press("escape")
        thought = [belief_of(found.decision) for _, found in sorted(played.reflections.items())]
        seats = [player.spec for player in played.players]
        pilot.app.show_game(KeptGame(played.game.name, *seats, tuple(record.moves), id=10_000_000))
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen is not review)
        replay = pilot.app.screen.replay
        await until(pilot, lambda: bool(replay.believed) and bool(replay.judgements))
        assert [one for one in replay.believed if one is not None] == thought
        await pilot.press("right", "right")
        assert re.search("mcts 60 (expected|was sure)", said(pilot))
        await pilot.press("e")
        assert "Estimate by: mcts:simulations=2000" in said(pilot)
        await pilot.press("ctrl+u", *"random", "enter")
        await until(pilot, lambda: "does not expect results" in said(pilot))
        await pilot.press("e", "ctrl+u", *"mc:playouts=20", "enter")
        await until(pilot, lambda: bool(replay.estimates))
        assert "mc:playouts=20 estimates" in said(pilot)
        await pilot.press("V")
        assert "mc:playouts=20 estimates" not in said(pilot)


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("columns", [30, 60])
def test_every_line_fits_and_an_ascii_one_is_ascii(signs: Glyphs, columns: int, monkeypatch: Any) -> None:
    moments = [Moment(0, 0, Outcome.WIN, 3, "", 0.3, 0.4), Moment(1, 1, Outcome.LOSS, 1, "win → loss", 0.4, -1.0)]
    story = Story(moments, ("the first player", "the second player"))
    monkeypatch.setattr(value_history, "story_of", lambda session: story)
    game = SimpleNamespace(labels=["first", "second"], move_names=lambda: ["a1", "b12"], record=SimpleNamespace(ply=2))
    lines = value_history.story_paint(game)(columns, 20, signs)
    text = [plain_text(line) for line in lines]
    assert all(width(line) <= columns for line in lines)
    assert signs.wrong in text[3] and "first" in text[1] and "second" in text[1]
    assert signs is UNICODE or "\n".join(text).isascii()


def test_a_belief_stays_with_the_player_who_had_it_when_seats_are_swapped() -> None:
    moments = [Moment(0, 0, belief=Belief(Kind.ESTIMATE, 0.5)), Moment(1, 1, Outcome.DRAW)]
    swapped = Story(moments, ("you", "Medium"), by=(("Medium", "you"), ("you", "Medium")))
    assert swapped.told(0) == "Move 1: Medium expected +0.50."


# What an empty history says, and whom the axis names.

EMPTY = re.compile(
    rf"(?:Move (\d+): (.+) scored the move ({NUMBER})\. )?No player expected a result so far\. People, random agents"
    r" and agents that only score their moves expect none\. Exact values follow after the game, if it can be solved\."
)


@pytest.mark.parametrize("agent", ["random", "reward:games=50", "alphabeta:depth=2"])
@pytest.mark.parametrize("game", ["nim:2,3", "connect:3x3x3"])
def test_an_empty_history_says_what_nobody_expected(game: str, agent: str) -> None:
    found, told = Session(PlaySetup(game, None, ("me", agent), 1)), set[bool]()
    while not found.over:
        mover = found.to_move.agent
        if mover is None:
            found.play(base.legal_moves(found.state)[0])
        else:
            decision = mover.decide(base.copy(found.state), found.stream())
            found.play(decision.move, decision)
        story, ply = words.story_of(found), found.record.ply
        text = " ".join(map(plain_text, value_history.story_paint(found)(300, 30, UNICODE)[1:])).strip()
        beliefs = [belief_of(known.decision) for known in found.reflections.values()]
        expected = [belief for belief in beliefs if belief is not None and belief.kind is not Kind.SCORE]
        assert story.blank == (not expected) == ("No player expected" in text)
        told.add(bool(expected))
        if not expected:
            match = EMPTY.fullmatch(text)
            assert match, f"a sentence without a pattern: {text}"
            last = found.reflections.get(ply - 1)
            score = None if last is None else belief_of(last.decision)
            assert (match[1] is None) == (score is None)
            if score is not None:
                assert int(match[1]) == ply and real(match[3]) == pytest.approx(score.number, abs=0.00501)
                assert match[2] == inside(found.called((ply - 1) % 2))
    assert told <= ({True, False} if "alphabeta" in agent else {False})


@pytest.mark.parametrize("swaps", [(), (0,), (1,), (3,), (1, 2)])
def test_the_axis_names_a_player_only_if_it_had_this_seat_all_the_time(swaps: tuple[int, ...]) -> None:
    found = Session(PlaySetup("nim:3,3,3", None, ("me", "perfect"), 1))
    holders: list[set[str]] = [set(), set()]
    for ply in range(4):
        if ply in swaps:
            found.swap()
        for seat in (0, 1):
            holders[seat].add(inside(found.called(seat)))
        left, right = history.sides(words.story_of(found).names)
        for seat, told in enumerate((right, left)):
            who = re.fullmatch(r"(.+) wins?", told)
            seated = holders[seat] if len(holders[seat]) == 1 else {f"the {('first', 'second')[seat]} player"}
            assert who and {who[1]} == seated
        found.play(base.legal_moves(found.state)[0])
