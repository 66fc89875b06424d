"""The picture of the start screen: real verdicts, shown once where there is room."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.report.lines import plain_text
from nimtui.store.settings import Settings
from nimtui.ui.board import preview
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.train.setup import TrainSetup
from tests import preview as drawing
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.training import ended


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
            assert ("after 100,000 games" in screen_text(app)) is seen  # without animation the last frame at once
            assert "Quit" in screen_text(app) and "Commands" in screen_text(app)


@pytest.mark.parametrize(
    ("room", "wide", "high"), [((192, 31), 4, 2), ((232, 36), 5, 2), ((152, 20), 3, 1), ((112, 9), 1, 1)]
)
def test_where_there_is_room_a_position_is_a_square_and_no_stripe(room: tuple[int, int], wide: int, high: int) -> None:
    lines = [plain_text(each).strip() for each in preview.Preview()._painted(*room, UNICODE)[1:]]
    first, *others = (each for each in lines if each and not each.startswith("part "))
    assert others[: high - 1] == [first] * (high - 1) and others[high - 1] != first
    assert wide == 1 or set(map(len, first.split())) == {wide}


@pytest.mark.parametrize(
    ("room", "folded"), [((192, 31), 2), ((152, 20), 2), ((112, 9), 1), ((76, 20), 2), ((76, 30), 3)]
)
def test_each_part_of_a_folded_map_says_which_moves_it_has(room: tuple[int, int], folded: int) -> None:
    title, *lines = [plain_text(each).strip() for each in preview.Preview()._painted(*room, UNICODE)]
    heads = [f"part {at} of {folded}: {'later' if at > 1 else 'the first'} moves" for at in range(1, folded + 1)]
    assert [each for each in lines if each.startswith("part ")] == heads * (folded > 1)
    assert "the first moves left" in title and len(lines) <= room[1]


async def test_it_moves_and_then_stands_still(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "PAUSE", 0.01)
    app = make_app(Settings(animation=True))
    async with app.run_test(size=(120, 36)) as pilot:
        shown = app.screen.query_one(preview.Preview)
        await until(pilot, lambda: shown._at == len(preview.frames()) - 1)
        assert shown._timer is None
        await pilot.press("down")
        assert shown._timer is None and shown._at == len(preview.frames()) - 1


async def test_the_train_screen_shows_it_until_there_is_a_training(make_app: Any) -> None:
    app = make_app(Settings(animation=False), mode="train")
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, lambda: "New training" in screen_text(app))
        assert "after 100,000 games" in screen_text(app), "above the dialog"
        await pilot.press("escape")
        assert "after 100,000 games" in screen_text(app)
        app.begin("train", TrainSetup(goal="300"))
        await until(pilot, lambda: app.screen.stage.seen)
        await ended(pilot)
        before = app.screen.stage.node
        await pilot.press("left")
        assert "after 100,000 games" not in screen_text(app) and app.screen.stage.node != before
