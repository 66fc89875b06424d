"""What the start screen offers at once: an opponent that can be beaten, the next one after a win; and its picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.games import base, parse_game
from nimtui.playing import levels
from nimtui.playing.session import Player, Session
from nimtui.playing.setup import ME, PlaySetup
from nimtui.report.lines import plain_text
from nimtui.store import settings as store
from nimtui.store.settings import LEVELS, Settings
from nimtui.theory import Outcome
from nimtui.ui.board import preview
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.train.setup import TrainSetup
from tests import preview as drawing
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, session, settled, until
from tests.ui.training import ended

GAME = parse_game("tower:16")


def test_the_levels_are_agents_and_the_person_can_win_against_each() -> None:
    for level in LEVELS:
        setup = levels.play_now(level).validate()
        assert levels.level_of(setup.seats[1 - setup.seats.index(ME)]) == level
    assert theory.solve(GAME, GAME.start).outcome is Outcome.LOSS  # so the levels that make no mistakes move first
    assert [levels.play_now(level).seats.index(ME) for level in LEVELS] == [0, 0, 1, 1]
    assert [levels.after(level) for level in LEVELS] == [*LEVELS[1:], LEVELS[-1]]
    assert {levels.level_of(spec) for spec in ("perfect:won=fastest", "random", "mc", "reward:games=10", ME)} == {""}
    titles = {"perfect:lost=longest": "Perfect, level 4 of 4", "random": "Random"}
    assert {spec: levels.title_of(Player(parse_agent(spec, GAME))) for spec in titles} == titles


def won_by_theory(found: Session) -> None:
    """Play the game to its end by theory, for both players."""
    while not found.over:
        best = theory.solve(found.game, found.state).best_moves
        found.play(best[0] if best else base.legal_moves(found.state)[0])


@pytest.mark.parametrize(
    ("game", "seats", "level", "higher", "news"),
    [
        ("tower:16", (ME, "easy"), "easy", "easy", ""),  # the second player wins the tower: a loss
        ("tower:16", ("easy", ME), "easy", "medium", "Next level: Medium."),
        ("tower:16", ("medium", ME), "easy", "hard", "Next level: Hard, which moves first."),
        ("tower:16", ("easy", ME), "perfect", "perfect", "Next level: Medium."),  # it never goes down
        ("tower:16", ("perfect:lost=longest", ME), "perfect", "perfect", levels.DONE),
        ("tower:16", ("random", ME), "easy", "easy", ""),
        ("tower:16", ("easy", "random"), "easy", "easy", ""),
        ("nim:1,2", (ME, "easy"), "easy", "easy", ""),  # a win elsewhere
    ],
)
def test_a_win_at_the_tower_opens_the_next_level(
    game: str, seats: tuple[str, str], level: str, higher: str, news: str
) -> None:
    found = Session(PlaySetup(game, None, seats, 7))
    assert (levels.higher(found, level), levels.news(found)) == (level, "")
    won_by_theory(found)
    assert (levels.higher(found, level), levels.news(found)) == (higher, news)
    setup = levels.again(found, found.setup())
    opened = news.partition(": ")[2].partition(",")[0].strip(".").lower()
    assert setup == (replace(levels.play_now(opened), seed=7) if opened else found.setup())
    placed = Session(PlaySetup(game, "1,0,0,0" if game == "tower:16" else "1,0", seats, 7))
    won_by_theory(placed)
    assert levels.news(placed) == ""  # from another position than the start


@pytest.mark.slow
async def test_play_now_says_the_level_and_the_next_one_and_keeps_it(make_app: Any) -> None:
    async with playing(make_app, first="me", second="me") as pilot:
        app = pilot.app
        app.action_play_now()
        await settled(pilot)
        assert "Easy, level 1 of 4" in screen_text(app) and session(pilot).players[0].is_person
        session(pilot).players.reverse()  # the second player wins the tower
        won_by_theory(session(pilot))
        app.screen.draw()
        await pilot.pause()
        for size in SIZES:
            await pilot.resize_terminal(*size)
            assert "Next level: Medium." in screen_text(app)
        assert app.settings.level == store.load()[0].level == "medium"
        await pilot.press("n")
        await until(pilot, lambda: "New game" in screen_text(app))
        assert [app.screen.field(name).text for name in ("starts", "opponent")] == ["you", "Medium"]


async def test_the_start_screen_says_whom_one_plays(make_app: Any) -> None:
    for level, said in (("easy", "you move first, Easy second"), ("hard", "Hard moves first, you second")):
        async with make_app(Settings(level=level)).run_test(size=(80, 24)) as pilot:
            assert said in screen_text(pilot.app)


# The picture: real verdicts, shown once where there is room.


@pytest.mark.slow
def test_it_is_what_a_function_gives_that_learns_connect_four() -> None:
    first = drawing.drawn(10_000)  # of all its frames only `python -m tests.preview` draws the last
    assert drawing.FILE.read_text("utf-8").startswith(first.rstrip("\n") + "\n\n")


def test_its_counts_are_those_of_its_signs() -> None:
    for frame in preview.frames():
        signs = "".join(frame.rows)
        assert signs.count("1") == frame.right and sum(signs.count(sign) for sign in "123") == frame.of == 260
        assert len(signs.replace(" ", "")) == 260
    games = [frame.games for frame in preview.frames()]
    assert games == sorted(games) and games[0] == 0


async def test_it_is_shown_where_there_is_room(make_app: Any) -> None:
    app = make_app(Settings(animation=False))
    async with app.run_test(size=(80, 24)) as pilot:
        for size, seen in (((80, 24), False), ((120, 36), True), ((119, 60), False), ((200, 60), True)):
            await pilot.resize_terminal(*size)
            # without animation the last frame at once
            await until(pilot, lambda seen=seen: ("after 100,000 games" in screen_text(app)) is seen)
            assert "Quit" in screen_text(app) and "Commands" in screen_text(app)


@pytest.mark.parametrize(
    ("room", "wide", "high", "folded"),
    [
        ((192, 31), 4, 2, 2),
        ((232, 36), 5, 2, 2),
        ((152, 20), 3, 1, 2),
        ((112, 9), 1, 1, 1),
        ((76, 20), 1, 1, 2),
        ((76, 30), 1, 1, 3),
    ],
)
def test_where_there_is_room_a_position_is_a_square_and_each_part_of_a_folded_map_says_which_moves_it_has(
    room: tuple[int, int], wide: int, high: int, folded: int
) -> None:
    title, *lines = [plain_text(each).strip() for each in preview.Preview()._painted(*room, UNICODE)]
    heads = [f"part {at} of {folded}: {'later' if at > 1 else 'the first'} moves" for at in range(1, folded + 1)]
    assert [each for each in lines if each.startswith("part ")] == heads * (folded > 1)
    assert "the first moves left" in title and len(lines) <= room[1]
    first, *others = (each for each in lines if each and not each.startswith("part "))
    assert others[: high - 1] == [first] * (high - 1) and others[high - 1] != first
    assert wide == 1 or set(map(len, first.split())) == {wide}


async def test_it_moves_and_then_stands_still(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "PAUSE", 0.01)
    app = make_app(Settings(animation=True))
    async with app.run_test(size=(120, 36)) as pilot:
        shown = app.screen.query_one(preview.Preview)
        await until(pilot, lambda: shown._at == len(preview.frames()) - 1)
        assert shown._timer is None
        await pilot.press("down")
        assert shown._timer is None and shown._at == len(preview.frames()) - 1


@pytest.mark.slow
async def test_the_train_screen_shows_it_until_there_is_a_training(make_app: Any) -> None:
    app = make_app(Settings(animation=False), mode="train")
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, lambda: "New training" in screen_text(app) and "after 100,000 games" in screen_text(app))
        await pilot.press("escape")
        assert "after 100,000 games" in screen_text(app)
        app.begin("train", TrainSetup(goal="300"))
        await until(pilot, lambda: app.screen.stage.seen)
        await ended(pilot)
        before = app.screen.stage.node
        await pilot.press("left")
        assert "after 100,000 games" not in screen_text(app) and app.screen.stage.node != before
