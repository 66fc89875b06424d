"""Asking for a new game: what is said of each field while it is typed, what is offered, what comes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.games.presets import PRESETS
from nimtui.store.settings import Settings
from nimtui.ui.kit.choices import Choice, Choices
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.kit.field import Field
from nimtui.ui.play.draft import PlayDraft
from nimtui.ui.play.form import NewGame
from nimtui.ui.play.setup import PlaySetup, usual_opponent, usual_setup
from tests.ui.conftest import SIZES, BoardOfWords, screen_text
from tests.ui.playing import until

MakeApp = Callable[..., Any]
USUAL = PlayDraft.of(PlaySetup())


def test_a_setup_is_put_in_canonical_form() -> None:
    setup = PlaySetup(" tower:16", "1,3,5,7", ("ME", " mc:playouts=0500"), 7).validate()
    assert setup == PlaySetup("tower:16", None, ("me", "mc:playouts=500"), 7)
    assert setup.swapped().seats == ("mc:playouts=500", "me")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (PlaySetup("towr:16"), "did you mean tower"),
        (PlaySetup(""), "enter a game"),
        (PlaySetup("tower:17"), "17"),
        (PlaySetup(position="1,3,5"), "4 rows"),
        (PlaySetup(position="0,0,0,0"), "the game is over at 0,0,0,0"),
        (PlaySetup(seats=("me", "hrad")), "did you mean hard"),
        (PlaySetup(seats=("", "me")), "enter a player"),
        (PlaySetup("connect4", seats=("me", "hard")), "connect:7x6x4"),
        (PlaySetup(seed=-1), "the seed must be from 0"),
    ],
)
def test_a_wrong_setup_is_refused_in_one_line(wrong: PlaySetup, said: str) -> None:
    with pytest.raises(InputError) as fault:
        wrong.validate()
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("game", [preset.game for preset in PRESETS])
def test_every_preset_can_be_begun_at_once(game: str) -> None:
    setup = usual_setup(game)
    assert setup.validate() == setup
    assert USUAL.with_choice("game", game).setup().game == game


def test_the_usual_opponent_is_one_that_can_play_it() -> None:
    assert usual_opponent(parse_game("tower:16")) == "hard"
    assert usual_opponent(parse_game("connect4")) == "mc"


@pytest.mark.parametrize(
    ("field", "text", "right", "said"),
    [
        ("game", "tower:16:misere", True, "the last match loses"),
        ("game", "tower:", False, "tower"),
        ("position", "", True, "1,3,5,7"),
        ("position", "1,3,0,7", True, "first player"),
        ("position", "1,3,9,7", False, "9"),
        ("first", "me", True, "a person"),
        ("second", "perfect", True, "Perfect"),
        ("second", "mc:playouts=0", False, "playouts"),
        ("seed", "12", True, "same random choices"),
        ("seed", "1.5", False, "whole number"),
    ],
)
def test_each_field_is_checked_as_it_is_typed(field: str, text: str, right: bool, said: str) -> None:
    findings = USUAL.with_text(field, text).check()
    assert findings[field].right is right
    assert said in findings[field].text
    assert all(findings[other].right for other in USUAL.fields if other != field)


@pytest.mark.slow
def test_what_is_offered_is_right() -> None:
    for preset in PRESETS:
        draft = USUAL.with_choice("game", preset.game)
        for field in USUAL.fields:
            offers = draft.offers(field)
            assert offers
            for offer in offers:
                taken = draft.with_choice(field, offer.value)
                assert all(finding.right for finding in taken.check().values()), (preset.game, field, offer)


def test_a_game_is_known_by_any_of_its_names() -> None:
    assert USUAL.with_text("game", "nim:1,3,5,7").offered("game") == "tower:16"
    assert USUAL.with_text("game", "nim:1,3,5").offered("game") == "nim:1,3,5"
    assert USUAL.with_text("game", "nim:").offered("game") == "nim:"


def test_the_last_games_seed_is_offered() -> None:
    assert ("41", "seed of the last game") in [
        (offer.value, offer.detail) for offer in PlayDraft.of(PlaySetup(), 41).offers("seed")
    ]


def test_a_game_of_the_list_takes_those_who_cannot_play_it_from_their_seats() -> None:
    draft = USUAL.with_text("first", "easy").with_text("position", "1,0,0,0").with_choice("game", "connect4")
    assert tuple(map(draft.text, ("position", "first", "second"))) == ("", "easy", "mc")
    assert USUAL.swapped().with_choice("game", "connect4").text("first") == "mc"


def test_who_was_not_named_suits_the_game_that_is_typed() -> None:
    typed = USUAL.with_text("game", "connect4")
    assert (typed.text("first"), typed.text("second")) == ("me", "mc")
    assert typed.setup().seats == ("me", "mc")
    again = typed.with_text("game", "nim:3,5")
    assert again.text("second") == "hard"
    assert again.with_text("game", "nim:3,").text("second") == "hard"  # not a game yet
    assert USUAL.swapped().with_text("game", "connect4").text("first") == "mc"


def test_who_was_named_stays_and_what_is_wrong_is_said() -> None:
    draft = USUAL.with_text("second", "easy").with_text("game", "connect4")
    assert draft.text("second") == "easy"
    draft = USUAL.with_text("second", "hard").with_text("game", "connect4")
    assert draft.text("second") == "hard"
    said = draft.check()["second"].text
    assert "too large for a table" in said
    assert "146 PB (146,007,985,685,347,820 bytes)" in said
    assert said.endswith("; try mc")


def test_whom_the_last_game_was_played_with_plays_the_next_where_he_can() -> None:
    draft = PlayDraft.of(PlaySetup("nim:3,5", "1,5", ("perfect", "mc")))
    assert draft.with_text("game", "tower:25").text("second") == "mc"  # chosen then
    assert draft.with_text("game", "tower:25").text("first") == "perfect"
    assert draft.with_text("game", "tower:25").text("position") == ""
    assert draft.with_text("game", "tower:25").with_text("game", "nim:3,5").text("position") == "1,5"
    connect = PlayDraft.of(PlaySetup("connect4", None, ("me", "mc")))
    assert connect.with_text("game", "tower:25").text("second") == "hard"  # mc was only the usual one


@pytest.mark.usefixtures("no_board")
class TestDialog:
    @pytest.mark.slow
    async def test_the_first_key_replaces_what_stands_there(self, make_app: MakeApp) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", *"connect4", "tab", "tab", *"me", "enter")
            assert app.screen.setup.game == "connect4"
            assert app.screen.setup.seats == ("me", "mc")

    @pytest.mark.slow
    async def test_keys_that_come_before_their_field_is_shown_are_not_lost(self, make_app: MakeApp) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", "tab", "tab", "tab")
            form, field = app.screen, app.screen.field("second")
            field.input.value = "p"  # typed; its form has not heard of it yet, but hears now that the field is entered
            form.on_field_entered(Field.Entered(field))
            await pilot.pause()
            assert field.text == form._draft.text("second") == "p"
            await pilot.press("home", "down")  # what is chosen afterwards takes its place
            assert field.text == form._draft.text("second") != "p"

    @pytest.mark.slow
    async def test_what_was_chosen_is_replaced_too_and_can_be_gone_on_with(self, make_app: MakeApp) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", "down", *"nim:2,3", "enter")
            assert app.screen.setup.game == "nim:2,3"
            await pilot.press("n", "end", *":misere", "enter")
            assert app.screen.setup.game == "nim:2,3:misere"

    @pytest.mark.slow
    @pytest.mark.parametrize("size", SIZES)
    async def test_enter_begins_the_game(self, make_app: MakeApp, size: tuple[int, int]) -> None:
        app = make_app()
        async with app.run_test(size=size) as pilot:
            await pilot.press("n")
            text = screen_text(app)
            for words in ("New game", "▸ Game", "tower:16", "✓ Tower of 16", "Second", "hard", "▸ Classic tower, 16"):
                assert words in text
            assert "Help" in text.splitlines()[-1]
            await pilot.press("enter")
            assert isinstance(app.screen, BoardOfWords)
            assert app.screen.setup.seats == ("me", "hard")

    @pytest.mark.slow
    async def test_up_and_down_choose(self, make_app: MakeApp) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", "end")
            for _ in PRESETS:
                await pilot.press("down")
            await pilot.press("up")
            assert "connect4 " in screen_text(app)
            assert "▸ Connect Four" in screen_text(app)
            assert "✓ Connect Four, 7 × 6" in screen_text(app)
            await pilot.press("tab", "tab", "down", "enter")
            assert app.screen.setup.seats == ("random", "mc")

    @pytest.mark.slow
    async def test_what_is_wrong_is_said_at_the_field_and_nothing_begins(self, make_app: MakeApp) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", "ctrl+u", *"towr")
            text = screen_text(app)
            assert "✗ unknown game 'towr'" in text
            assert "did you mean tower?" in text
            await pilot.press("tab", "enter")
            assert isinstance(app.screen, NewGame)
            assert "▸ Game" in screen_text(app)  # back at the wrong field
            await pilot.press("ctrl+u", *"nim:2,3", "enter")
            assert app.screen.setup.game == "nim:2,3"

    @pytest.mark.slow
    async def test_swapping_seats_position_and_seed(self, make_app: MakeApp) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", "tab", *"1,0,5,7", "ctrl+t", "shift+tab", "shift+tab", *"99")
            await pilot.press("enter")
            expected = PlaySetup("tower:16", "1,0,5,7", ("hard", "me"), 99)
            assert app.screen.setup == expected
            await pilot.press("n")
            for words in ("1,0,5,7", "hard", "a person"):
                assert words in screen_text(app)
            await pilot.press("escape")
            assert app.screen.setup == expected

    async def test_the_mouse_takes_an_offer(self, make_app: MakeApp) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n")
            await pilot.click("Choices", offset=(8, 4))
            assert "✓ Nim 7,5,3" in screen_text(app)

    @pytest.mark.slow
    @pytest.mark.parametrize("way", ["a key", "a click"])
    async def test_what_is_chosen_goes_to_the_field_it_was_offered_for(self, make_app: MakeApp, way: str) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", "shift+tab")
            form = app.screen
            assert form.current == "seed"
            choices = form.query_one(Choices)
            seed = choices.choices[-1].value
            if way == "a key":
                form.field("seed").post_message(Field.Stepped(form.field("seed"), len(choices.choices)))
            else:
                choices.move(len(choices.choices))
            form.field("game").input.focus()  # before anybody has heard of it
            await pilot.pause()
            await pilot.pause()
            assert form.current == "game" and form.field("game").text == "tower:16"
            assert choices.of == "game" and form.field("seed").text == seed

    async def test_watching_begins_with_two_machines(self, make_app: MakeApp) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("w")
            assert app.screen.setup.seats == ("medium", "perfect")

    @pytest.mark.parametrize("size", [(80, 24), (60, 20)])
    async def test_a_text_longer_than_its_field_is_shown_whole_below(
        self, make_app: MakeApp, size: tuple[int, int]
    ) -> None:
        agent = "alphabeta:depth=12,heuristic=original,deepening=yes"
        app = make_app(Settings(glyphs="ascii"))
        async with app.run_test(size=size) as pilot:
            app.action_new_game(PlaySetup("connect4", None, ("me", agent), 1))
            await until(pilot, lambda: "New game" in screen_text(app))
            assert agent not in screen_text(app)
            await pilot.press("tab", "tab", "tab")
            assert agent in screen_text(app)
            await pilot.press("end", *"x")
            assert f"{agent}x" in screen_text(app) and "deepening" in screen_text(app).split(f"{agent}x")[1]


LONG = Choice("long", "Resume: reward · nim:1,3,5,7 · 5,000,649 of 10,000,000 games", "today 12:12")
SHORT = [Choice(str(at), f"Tower of 16, no. {at}", "strong, then frozen for all of its games") for at in range(3)]


@pytest.mark.parametrize("choices", [SHORT, [LONG, *SHORT], [*SHORT, LONG]])
async def test_a_long_line_of_a_list_cuts_no_other(make_app: MakeApp, choices: list[Choice]) -> None:
    app = make_app()
    async with app.run_test(size=(72, 24)) as pilot:
        app.screen.query_one(Choices).show(choices)
        await pilot.pause()
        text = screen_text(app)
        assert text.count("strong, then frozen for all of its games") == 3
        assert ("5,000,649 of 10,000,000 games" in text) == (LONG in choices)
        starts = {line.index("strong") for line in text.splitlines() if "strong" in line}
        assert len(starts) == 1
