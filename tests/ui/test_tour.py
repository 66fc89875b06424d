"""Show me: a tour on the real screens, walked by its own keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.games import base
from nimtui.learning.evaluate import WRONG, standing
from nimtui.store.game_list import games
from nimtui.store.settings import Glyphs, Settings
from nimtui.theory.nim import nim_sum
from nimtui.ui.app import keymap as table
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.contract.shell import Guide
from nimtui.ui.kit.widgets.bars import Footer
from nimtui.ui.tour import tour as tours
from nimtui.ui.tour.tour import BEYOND, GO_ON, LEAVE, SETUP, STEPS, Step, Tour
from nimtui.ui.train.lane import USUAL_PACE
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.touring import at_step, guide, press_own_key, to_step, tour, touring

WALKS = [((80, 24), Glyphs.AUTO), ((200, 60), Glyphs.AUTO), ((60, 20), Glyphs.ASCII)]


def left(session: Any, move: int | None = None) -> int:
    """The nim-sum of the position on the board, or of the one after a move."""
    after = base.copy(session.state)
    if move is not None:
        base.play(after, move)
    return nim_sum([int(row) for row in str(session.game.position_name(after)).split(",")])


def test_every_key_of_a_step_is_the_key_of_its_screen_and_nothing_else_has_the_tours() -> None:
    shown = {"enter": "⏎", "escape": "esc", "ctrl+g": "^g"}
    first = {key.id: keymap.shown(key.default[0]) for key in table.every()}
    assert all(
        shown.get(first[id], first[id]) == key for id, key in (GO_ON, LEAVE, *filter(None, (s.key for s in STEPS)))
    )
    assert [key.id for key in table.every() if "ctrl+g" in key.default] == ["everywhere.tour"]


# The tour alone: its steps are those of a fake app.


class FakeApp:
    """An app with a screen of the mode that was asked for last, and a game with an explanation."""

    def __init__(self) -> None:
        self.current_mode, self.screen_stack, self.did = "start", [None], list[str]()
        self.game_played = SimpleNamespace(session="old", message="", changed=lambda: self.did.append("drawn"))
        self.game_played.explaining = SimpleNamespace(on=True)
        self.game_played.explain = lambda close: self.did.append(f"explained, close={close}")
        self.training = SimpleNamespace(lanes=[], setup=None, pace=None, follow=print, watch=print)
        self.tick = 0.25

    def begin(self, mode: str, setup: object) -> None:
        self.current_mode, self.training.setup = mode, setup
        self.training.lanes = [SimpleNamespace(run="run", view=None)]

    def action_mode(self, mode: str) -> None:
        self.current_mode = mode

    def close_all(self) -> None:
        del self.screen_stack[1:]

    def save_game_in_progress(self) -> None:
        self.did.append("saved")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[FakeApp, Tour, set[int]]]:
    """A tour of a step on Train that leads away, and of two on Play; and the set of the steps that are done."""
    done = set[int]()

    def step(at: int, mode: str, **more: Any) -> Step:
        def act(scene: Any) -> None:
            scene.app.did.append(f"act {at}")
            done.add(at)

        says, does = (f"says {at}",), f"does {at}"
        return Step(mode, lambda scene: says, lambda scene: does, act, lambda scene: at in done, **more)

    steps = (step(0, "train", leads_away=True), step(1, "play", key=("play.why", "w")), step(2, "play"))
    monkeypatch.setattr(tours, "STEPS", steps)
    monkeypatch.setattr(tours, "AWAY", 0)
    app = FakeApp()
    yield app, Tour(app), done  # type: ignore[arg-type]


def test_the_tour_starts_its_training_takes_the_game_and_ends(short: tuple[FakeApp, Tour, set[int]]) -> None:
    app, tour, done = short
    assert (tour.on, tour.here, tour.place) == (False, False, "")
    app.screen_stack.append(None)
    tour.go_on()
    assert (tour.on, tour.at, tour.here, app.current_mode) == (True, 0, True, "train")
    assert app.did == ["saved"] and app.training.pace is USUAL_PACE and app.training.setup == SETUP
    assert tour.guide == Guide("1/3", ("says 0",), (("^g", "does 0"), ("esc", "leave")))
    tour.look()
    assert tour.at == 0
    tour.go_on()
    assert app.did[1:] == ["act 0", "explained, close=True"] and (tour.at, tour.scene.session) == (1, "old")
    waits = ("The tour waits at step 2 of 3, on the screen Play.", "The tour waits.")
    assert tour.guide == Guide("2/3", waits, (("^g", "back to the tour on Play"), ("esc", "leave")))
    assert tour.place == "step 2 of 3" and not tour.here
    tour.go_on()
    assert tour.here and tour.guide == Guide("2/3", ("says 1",), (("w", "does 1"), ("^g", "next"), ("esc", "leave")))
    app.screen_stack.append(None)
    assert not tour.here  # a dialog is in front
    app.close_all()
    tour.go_on()
    assert tour.at == 2 and app.did[-1] == "act 1"
    tour.look()
    assert tour.at == 2 and done == {0, 1}
    tour.go_on()
    assert (tour.on, tour.at, tour.over, tour.place) == (False, 0, True, "")
    assert app.game_played.message == "The tour is over. ^g: Connect Four, learned from nothing. F7: again"
    assert app.did[-1] == "drawn"
    for _ in range(3):  # the key may be held
        tour.go_on()
        assert (tour.on, tour.over, app.current_mode, app.training.setup) == (False, True, "train", BEYOND)
    app.current_mode = "start"
    done.clear()
    tour.go_on()
    assert (tour.on, tour.at, tour.over, tour.scene.session, app.current_mode) == (True, 0, False, None, "train")


def test_who_leaves_continues_at_the_same_step_unless_its_game_was_replaced(
    short: tuple[FakeApp, Tour, set[int]],
) -> None:
    app, tour, done = short
    app.game_played.explaining.on = False
    tour.go_on()
    tour.go_on()
    assert app.did == ["saved", "act 0"]  # no explanation to close
    tour.leave()
    assert not tour.on and tour.place == "step 2 of 3"
    app.current_mode = "start"
    tour.go_on()
    assert (tour.on, tour.at, app.current_mode) == (True, 1, "play")
    app.game_played.session, app.current_mode = "another", "start"
    assert not tour.here
    app.training.lanes = []
    done.clear()
    tour.go_on()
    assert (tour.at, app.current_mode, app.did[2:]) == (0, "train", ["saved"])


# The tour on the app.


@pytest.mark.slow
@pytest.mark.parametrize(("size", "glyphs"), WALKS)
async def test_its_own_keys_lead_through_all_of_it_and_nothing_is_cut_off(
    make_app: Any, size: tuple[int, int], glyphs: Glyphs, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert BEYOND.validate() == BEYOND
    small = type(SETUP)("tower:16", "reward", seed=5, goal="100")  # in the place of one that needs minutes
    monkeypatch.setattr(tours, "BEYOND", small)
    async with touring(make_app, size, settings=Settings(animation=False, pace=0.0, glyphs=glyphs)) as pilot:
        app, played = pilot.app, pilot.app.game_played
        for number in range(1, len(STEPS) + 1):
            await at_step(pilot, number)
            if number == 7:
                await until(pilot, lambda: guide(pilot).says[0].startswith("You punish the mistake"))
            says, keys, _ = screen_text(app).splitlines()[-3:]
            sign, plain = app.glyphs.hidden, app.glyphs.plain
            whole = not says.endswith(sign) or (number == 1 and says.endswith(f" {sign}"))  # it waits for the first map
            assert says.startswith(f" {number}/{len(STEPS)}  ") and whole, says
            assert any(says.endswith(plain(text)) for text in guide(pilot).says) or number == 1
            assert all(f"{plain(key)} {plain(does)}" in keys for key, does in guide(pilot).keys)
            assert glyphs is not Glyphs.ASCII or (says + keys).isascii()
            if number == 3:
                scene = tour(pilot).scene
                verdicts = standing(scene.run.training.truth, scene.view.scores).verdicts
                assert scene.run.training.seed == SETUP.seed and verdicts[scene.node] == WRONG
                position, move = re.search(r"at (\S+) the table plays (\w+)", guide(pilot).says[0]).groups()
            if number == 4:
                assert played.session.players[0].spec.startswith("table:") and played.session.players[1].is_person
                assert played.session.position == position and played.session.move_names() == [move]
                rows = played.session.game.position_name(played.session.state).split(",")
                assert len([row for row in rows if row != "0"]) == 3, "three rows show the idea"
            if number == 6:
                assert left(played.session, tour(pilot).scene.marked) == 0 != left(played.session)
            await press_own_key(pilot)
        assert app.training.pace is USUAL_PACE, "the next training has its own speed"
        assert app.guide is None and app.screen is app.screen_stack[0]
        assert plain("The tour is over. ^g: Connect Four, learned from nothing") in screen_text(app)
        await pilot.press("ctrl+g", "ctrl+g", "ctrl+g")  # the key may be held
        assert app.guide is None and app.current_mode == "train" and app.training.setup == small
        await until(pilot, lambda: app.training.lanes[0].games == 100)
        assert "seed 5" in screen_text(app)
        await pilot.press("f7")
        assert "Continue" in screen_text(app), "the game can be played on"


@pytest.mark.slow
async def test_one_key_goes_through_all_of_it_and_may_be_held(make_app: Any) -> None:
    async with touring(make_app) as pilot:
        await until(pilot, lambda: pilot.app.guide is not None)
        await pilot.press(*["ctrl+g"] * 12)
        while not tour(pilot).over and tour(pilot).at < len(STEPS) - 1:
            await pilot.press("ctrl+g")
            await pilot.pause(0.02)
        assert tour(pilot).over or tour(pilot).at == len(STEPS) - 1


@pytest.mark.slow
async def test_elsewhere_it_waits_and_shows_the_way_back_and_another_training_starts_it_again(make_app: Any) -> None:
    async with touring(make_app) as pilot:
        app = pilot.app
        await to_step(pilot, 3)
        await pilot.resize_terminal(40, 12)
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: screen_text(app).splitlines()[-3].startswith(" 3/7  "))
        await pilot.press("f6")
        await until(pilot, lambda: "The tour waits at step 3 of 7" in screen_text(app))
        await pilot.press("escape")
        assert app.guide is None and app.screen.query_one(Footer).size.height == 1
        await pilot.press("f7")
        await until(pilot, lambda: "continue the tour at step 3 of 7" in screen_text(app))
        await pilot.press("f9", "ctrl+g")  # from a dialog, too
        await until(pilot, lambda: app.current_mode == "train" and tour(pilot).here and tour(pilot).at == 2)
        app.begin("train", type(SETUP)("nim:1,2", "proof", "", 0, "10"))
        await until(pilot, lambda: "The tour waits" in guide(pilot).says[0])
        await pilot.press("ctrl+g")
        await until(pilot, lambda: tour(pilot).here and tour(pilot).at <= 1)


@pytest.mark.slow
async def test_a_game_that_is_not_over_comes_first_and_is_saved_before_the_tour(pilot: Any) -> None:
    app = pilot.app
    await pilot.press("p")
    await until(pilot, lambda: bool(app.screen_stack[0].query("Board")))
    await pilot.press("enter")
    await until(pilot, lambda: app.unfinished_game)
    await pilot.press("f7")
    lines = [line.strip() for line in screen_text(app).splitlines()]
    first = next(at for at, line in enumerate(lines) if line.startswith("▸"))
    assert lines[first].startswith("▸ c  Continue") and lines[first + 1].startswith("m  Show me")
    assert any(line.startswith("q  Quit") for line in lines)
    await pilot.press("m")
    await until(pilot, lambda: app.guide is not None)
    await until(pilot, lambda: len(games(app.database())) == 1)


@pytest.mark.slow
async def test_every_figure_of_a_training_on_one_screen_is_of_one_moment(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games and right positions stand in the sentence, in the top line and below the map."""
    monkeypatch.setattr("nimtui.ui.train.lane.GROWTH", 2.0)
    async with touring(make_app) as pilot:
        seen = set()
        while tour(pilot).at == 0 or not seen:
            text = screen_text(pilot.app)
            sentence = re.search(r"([\d,]+) games: (\d+) of \d+ positions right", text)
            status, legend = re.search(r"([\d,]+) games? ", text.splitlines()[1]), re.search(r"● +(\d+) right", text)
            if sentence and status and legend:
                assert sentence.groups() == (status[1], legend[1]), text
                seen.add(sentence.groups())
            await pilot.pause(0.02)
        assert len(seen) > 5
