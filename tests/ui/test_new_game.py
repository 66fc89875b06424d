"""Asking for a new game: what is said of each field while it is typed, what is offered, what comes out."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from rich.cells import cell_len
from textual.events import MouseScrollDown, MouseScrollUp, Paste

from nimtui.agents import agent_forms
from nimtui.playing.setup import (
    PlaySetup,
)
from nimtui.store.settings import Settings
from nimtui.ui.kit.forms.choices import Choice, Choices
from nimtui.ui.kit.forms.form import FieldLine
from nimtui.ui.play.form import NewGame
from tests.examples import few
from tests.ui.conftest import SIZES, BoardOfWords, screen_text
from tests.ui.playing import until


def in_form(app: Any) -> str:
    """What stands in the form, without what stands beside it."""
    at = app.screen.query_one("#form").region
    return "\n".join(row[at.x : at.right] for row in screen_text(app).splitlines()[at.y : at.bottom])


MakeApp = Callable[..., Any]


@asynccontextmanager
async def asked(
    make_app: MakeApp, *keys: str, size: tuple[int, int] = (80, 24), settings: Any = None
) -> AsyncIterator[Any]:
    """A pilot at the form, after these keys."""
    async with make_app(settings).run_test(size=size) as pilot:
        await pilot.press("n", *keys)
        yield pilot


async def paste(pilot: Any, text: str) -> None:
    """Put a text into the field at once, as a terminal does; keys one by one are held by shorter ones."""
    pilot.app.post_message(Paste(text))
    await pilot.pause()


@pytest.mark.usefixtures("no_board")
class TestDialog:
    @pytest.mark.slow
    async def test_enter_starts_the_usual_game_a_typed_one_or_none_while_something_is_wrong(
        self, make_app: MakeApp
    ) -> None:
        async with asked(make_app) as pilot:
            for size in SIZES:
                await pilot.resize_terminal(*size)
                text, form = screen_text(pilot.app), in_form(pilot.app)
                fields = ("▸ Game     Tower", "16 matches", "the last match wins", "Strength Hard", "▸ Tower")
                assert "New game" in text and all(words in form for words in fields)
                assert "Help" in text.splitlines()[-1] and "Command" in text.splitlines()[-1]
            await pilot.press("enter")
            assert isinstance(pilot.app.screen, BoardOfWords)
            assert (pilot.app.screen.setup.game, pilot.app.screen.setup.seats) == ("tower:16", ("me", "hard"))
            await pilot.resize_terminal(80, 24)
            await pilot.press("n", "ctrl+u", *"towr")
            assert "✗ unknown game 'towr'" in screen_text(pilot.app)
            assert "did you mean tower?" in screen_text(pilot.app)
            await pilot.press("tab", "enter")
            assert isinstance(pilot.app.screen, NewGame)
            assert "▸ Game" in screen_text(pilot.app)  # back at the wrong field
            await pilot.press("ctrl+u", *"nim:2,3", "enter")
            assert pilot.app.screen.setup.game == "nim:2,3"
            await pilot.press("n", "ctrl+l", "end", "ctrl+u", *"chomp:4x5")
            assert "--position 1" not in screen_text(pilot.app) and "4,4,4,4,4" in screen_text(pilot.app)
            await pilot.press(*["down"] * 7)  # past the seeds
            assert pilot.app.screen._draft.setup().position
            await pilot.press("enter")
            assert pilot.app.screen.setup.game == "chomp:4x5"

    @pytest.mark.slow
    async def test_typing_searches_the_values_and_takes_names(self, make_app: MakeApp) -> None:
        async with asked(make_app, *"conn", "tab", *"4x4", "tab", "tab", "tab", *"mc:playouts=50", "tab", "m") as pilot:
            texts = [pilot.app.screen.field(name).text for name in ("game", "size", "opponent")]
            assert texts == ["Connect Four", "4 × 4", "other"]
            await pilot.press("enter")
            assert pilot.app.screen.setup.seats == ("mc:playouts=50", "me")
            assert pilot.app.screen.setup.game == "connect4:4x4"

    @pytest.mark.slow
    @pytest.mark.parametrize("value", ["down", "right"])
    async def test_arrows_alone_set_up_a_game(self, make_app: MakeApp, value: str) -> None:
        async with asked(make_app, *[value] * 4, "tab", value, "tab", "up", "tab", size=(60, 20)) as pilot:
            await pilot.press(value, value, "tab", "up", "tab", value, "enter")
            setup = pilot.app.screen.setup
            assert (setup.game, setup.seats) == ("subtraction:15,3", ("easy", "perfect:lost=longest"))

    @pytest.mark.slow
    async def test_keys_that_come_before_their_field_is_shown_are_not_lost(self, make_app: MakeApp) -> None:
        async with asked(make_app, "tab", "tab", "tab", "tab") as pilot:
            form, field = pilot.app.screen, pilot.app.screen.field("opponent")
            field.input.value = "p"  # typed; its form has not heard of it yet, but hears now that the field is entered
            await form.on_descendant_focus()
            await pilot.pause()
            assert field.text == form._draft.text("opponent") == "p"
            await pilot.press("down")  # what is chosen afterwards takes its place
            assert field.text == form._draft.text("opponent") == "Random"
            await form.take(form._draft.with_choice("players", "machines"))  # chosen before Tab, heard after it
            await pilot.pause()
            assert form.current == "first" and form.field("first").input.has_focus
            await pilot.press("down")
            assert form.field("first").text == "Hard"

    @pytest.mark.slow
    async def test_the_command_fills_the_fields_and_says_its_errors(self, make_app: MakeApp) -> None:
        async with asked(make_app, "ctrl+l") as pilot:
            form = pilot.app.screen
            await paste(pilot, "nim:7,5,3 --first mcts --position 7,0,3 --s 1")
            assert "unknown option '--s'" in screen_text(pilot.app)
            assert not form.field("opponent").has_class("-wrong") and form.field("command").has_class("-wrong")
            await pilot.press("backspace", "backspace", *"eed 1")
            texts = {name: form.field(name).text for name in ("game", "size", "opponent", "starts", "position")}
            assert texts == {
                "game": "Nim",
                "size": "rows 7, 5, 3",
                "opponent": "Tree search, 500 simulations",
                "starts": "machine",
                "position": "7,0,3",
            }
            await pilot.press("ctrl+t", "enter")  # the seats are swapped
            expected = PlaySetup("nim:7,5,3", "7,0,3", ("me", "mcts:simulations=500,c=1.0"), 1)
            assert pilot.app.screen.setup == expected
            await pilot.press("n")
            for words in ("Position 7,0,3", "Tree search", "you move first", "--position 7,0,3"):
                assert words in screen_text(pilot.app)
            await pilot.press("ctrl+l")
            assert "seed of the last game" in screen_text(pilot.app)
            await pilot.press("escape")
            assert pilot.app.screen.setup == expected

    @pytest.mark.slow
    async def test_the_mouse_takes_a_suggestion_moves_the_mark_and_the_cursor(self, make_app: MakeApp) -> None:
        async with asked(make_app, size=(60, 20)) as pilot:
            choices = pilot.app.screen.query_one(Choices)
            down = [MouseScrollDown] * len(choices.choices)
            for scrolled in (MouseScrollDown, MouseScrollDown, MouseScrollUp, *down):  # never the list alone
                await pilot._post_mouse_events([scrolled], choices, offset=(8, 2))
                await pilot.pause()
                assert choices.marked is not None and f"▸ {choices.marked.label}" in screen_text(pilot.app)
            assert pilot.app.screen.field("game").text == choices.choices[-1].label
            await pilot.press("home", "ctrl+l", "escape", "n")
            await pilot.click("WrappedInput", offset=(9, 1))
            field = pilot.app.screen.field("command")
            assert field.input.has_focus and field.text[: field.input.cursor_position].endswith("--second ")
            await pilot.press("escape", "n")
            await pilot.resize_terminal(80, 24)
            await pilot.click("Choices", offset=(8, 5))
            assert "Game     Connect Four" in screen_text(pilot.app)
            await pilot.press("escape", "w")
            assert pilot.app.screen.setup.seats == ("medium", "perfect")  # watching starts with two machines

    @pytest.mark.slow
    @pytest.mark.parametrize("way", ["a key", "a click"])
    async def test_what_is_chosen_goes_to_the_field_it_was_offered_for(self, make_app: MakeApp, way: str) -> None:
        async with asked(make_app, "tab") as pilot:
            form = pilot.app.screen
            choices = form.query_one(Choices)
            if way == "a key":
                form.field("size").post_message(FieldLine.Stepped(form.field("size"), len(choices.choices)))
            else:
                choices.move(len(choices.choices))
            form.field("game").input.focus()  # before anybody has heard of it
            await pilot.pause()
            assert form.current == "game" and form.field("game").text == "Tower"
            assert choices.of == "game" and form.field("size").text == "36 matches"

    @pytest.mark.slow
    @pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
    async def test_every_field_and_the_command_are_seen_whole(self, make_app: MakeApp, glyphs: str) -> None:
        long = "alphabeta:depth=12,deepening=yes,heuristic=original"
        async with asked(make_app, "escape", settings=Settings(glyphs=glyphs)) as pilot:
            app = pilot.app
            every = list(itertools.product(SIZES, ("subtraction:31,5:misere", "noughts:5x5x4")))
            in_turn = every[0::3] + every[5:] if glyphs == "unicode" else [every[1], every[2], every[4]]
            for size, game in few(in_turn, every):
                await pilot.resize_terminal(*size)
                app.action_new_game(PlaySetup(game, None, (long, "mcts:simulations=10000,c=1.0"), 1))
                await until(pilot, lambda: "New game" in screen_text(app))
                form = app.screen
                for name in form._draft.fields[:-1]:
                    field = form.field(name)
                    assert cell_len(field.text) < field.input.size.width, (game, name, field.text)
                    assert not field.hidden
                command = "".join(form._draft.text("command").split())
                for keys in ((), ("ctrl+l", "end")):
                    await pilot.press(*keys)
                    seen = re.sub(r"[│|\s]", "", in_form(app))
                    assert command in seen and (glyphs == "unicode" or screen_text(app).isascii())
                await pilot.press("escape")


LONG = Choice("long", "Resume: reward · nim:1,3,5,7 · 5,000,649 of 10,000,000 games", "today 12:12")
SHORT = [Choice(str(at), f"Tower of 16, no. {at}", "strong, then frozen for all of its games") for at in range(3)]


@pytest.mark.slow
async def test_a_long_line_of_a_list_cuts_no_other_and_how_an_agent_is_written_is_told(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(72, 24)) as pilot:
        for choices in (SHORT, [LONG, *SHORT], [*SHORT, LONG]):
            app.screen.query_one(Choices).show(choices)
            await pilot.pause()
            text = screen_text(app)
            assert text.count("strong, then frozen for all of its games") == 3
            assert ("5,000,649 of 10,000,000 games" in text) == (LONG in choices)
            assert len({line.index("strong") for line in text.splitlines() if "strong" in line}) == 1
        await pilot.resize_terminal(80, 24)
        await pilot.press("n", "ctrl+l", "end")
        await paste(pilot, " --second mcts:simulations=50")
        await until(pilot, lambda: "UCB1" in screen_text(app))
        told = "".join(line.strip("│ ") for line in screen_text(app).splitlines())
        form = next(form for form, _ in agent_forms() if form.startswith("mcts["))
        assert form.replace(" ", "") in told.replace(" ", "")
