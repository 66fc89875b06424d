"""The form of a tournament: agents are added and taken away, what is wrong is said, set-ups are saved and loaded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste

from nimtui.store import setups
from nimtui.store.settings import Glyphs, Settings
from nimtui.ui.tournament.form import SetupList, TournamentForm
from nimtui.ui.tournament.setup import PRESETS, TournamentSetup
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import until

CALM = Settings(animation=False)
LEARNERS = PRESETS[1].setup
SMALL = TournamentSetup(("nim:3,2,1",), ("random", "perfect"), number=10)


class Asked:
    """A form on the screen, and what it gave back; [] while it is still there."""

    def __init__(self, pilot: Any) -> None:
        self.pilot = pilot
        self.answers: list[TournamentSetup | None] = []

    @property
    def text(self) -> str:
        return screen_text(self.pilot.app)

    @property
    def form(self) -> TournamentForm:
        assert isinstance(self.pilot.app.screen, TournamentForm)
        return self.pilot.app.screen

    @property
    def agents(self) -> tuple[str, ...]:
        return self.form._draft.agents

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def paste(self, text: str) -> None:
        self.pilot.app.post_message(Paste(text))
        await self.pilot.pause()

    async def known(self) -> None:
        """Wait until it is known whether there are such openings."""
        await until(self.pilot, lambda: self.form._draft.question is None)


@asynccontextmanager
async def asking(
    make_app: Any,
    setup: TournamentSetup | None = SMALL,
    size: tuple[int, int] = (80, 24),
    settings: Settings = CALM,
) -> AsyncIterator[Asked]:
    app = make_app(settings)
    async with app.run_test(size=size) as pilot:
        asked = Asked(pilot)
        await app.push_screen(TournamentForm(setup), asked.answers.append)
        await pilot.pause()
        yield asked


@pytest.mark.slow
async def test_it_says_what_will_be_played_at_every_size(make_app: Any) -> None:
    async with asking(make_app, LEARNERS) as asked:
        await asked.known()
        for size in SIZES:
            await asked.pilot.resize_terminal(*size)
            await asked.pilot.pause()
            for words in ("tower:16", "Agents   1 easy", "4 perfect", "5 another agent", "6 pairings × 100 games"):
                assert words in asked.text
        await asked.pilot.resize_terminal(80, 24)
        await asked.press("tab")
        assert "⏎ Next" in asked.text.splitlines()[-1] and "F8 Start" in asked.text.splitlines()[-1]
        assert "the reward learner after 10 games" in asked.text


@pytest.mark.slow
async def test_in_ascii_all_is_ascii(make_app: Any) -> None:
    async with asking(make_app, PRESETS[0].setup, settings=CALM.changed(glyphs=Glyphs.ASCII)) as asked:
        for words in ("5 mc:playouts=1000,policy=perfect-opponent", "Each plays 100", "3,600 in all"):
            assert words in asked.text  # all nine agents are seen at once
        for _ in asked.form._draft.fields:
            assert asked.text.isascii()
            await asked.press("tab")
        await asked.press("ctrl+o")
        await until(asked.pilot, lambda: "Who searches best?" in asked.text)
        assert asked.text.isascii()


@pytest.mark.slow
async def test_agents_are_typed_chosen_taken_away_and_put_first_and_enter_in_the_empty_line_begins(
    make_app: Any,
) -> None:
    async with asking(make_app, LEARNERS) as asked:
        await asked.press("tab", "tab", "ctrl+d")
        assert asked.agents == ("easy", "hard", "perfect") and asked.form.current == "agent2"
        await asked.press("tab", "ctrl+t")
        assert asked.agents == ("perfect", "easy", "hard") and asked.form.current == "agent1"
        await asked.press("tab", "tab", "tab", "down")
        assert asked.agents == ("perfect", "easy", "hard", "random") and "5 another agent" in asked.text
        await asked.press("shift+tab", "shift+tab", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d")
        assert asked.agents == ("perfect",) and "name at least two agents" in asked.text
        await asked.press("f8")
        assert not asked.answers and asked.form.current == "agent2"
        await asked.press(*"alp", "enter")
        chosen = ("perfect", "alphabeta:depth=4")
        assert asked.agents == chosen and asked.form.current == "agent3" and "1 pairing" in asked.text
        await asked.press("enter")
        assert [answer.agents for answer in asked.answers if answer] == [chosen]


@pytest.mark.slow
async def test_beside_the_folder_of_a_class_stand_only_the_fields_that_count(make_app: Any, tmp_path: Path) -> None:
    (tmp_path / "anna.py").touch()
    (tmp_path / "class.toml").touch()
    async with asking(make_app, LEARNERS) as asked:
        asked.form.set_focus(asked.form.field("pairs").input)
        await asked.press(*"gantlet")
        asked.form.set_focus(asked.form.field("folder").input)
        await asked.paste(str(tmp_path))
        assert "1 hand-in, as class.toml says" in asked.text and asked.form.current == "folder"
        assert not any(label in asked.text for label in ("Pairs", "Each plays", "Openings", "Agents", "Seed", "Time"))
        await asked.press("ctrl+s")
        assert asked.form.current == "name" and "enter a name here" in asked.text
        asked.form.set_focus(asked.form.field("folder").input)
        await asked.press("ctrl+u")
        assert asked.agents == LEARNERS.agents and "✗ unknown kind of pairing" in asked.text
        await asked.paste(str(tmp_path))
        await asked.press("enter")
        assert [answer.folder for answer in asked.answers if answer] == [str(tmp_path)]


@pytest.mark.slow
async def test_what_is_wrong_is_said_at_its_field_and_nothing_begins_before_there_are_such_openings(
    make_app: Any,
) -> None:
    def wrong() -> bool:
        return not asked.form._draft.check()["openings"].right

    async with asking(make_app) as asked:
        await asked.press("tab", "tab", *"random", "enter")
        assert "the same as agent 1" in asked.text and asked.form.current == "agent2"
        await asked.press("tab", "tab", *"gantlet")
        assert "did you mean gauntlet?" in asked.text
        await asked.press("enter")
        assert not asked.answers and asked.form.current == "agent2"  # the first that is wrong
        assert "not started: the same as agent 1" in asked.text
        await asked.press("ctrl+s")
        assert "not saved: the same as agent 1" in asked.text
        await asked.press("escape")
        assert asked.answers == [None]
    async with asking(make_app) as asked:
        await asked.press("tab", "tab", "tab", "tab", "tab", "tab", *"random:6", "enter")
        await until(asked.pilot, lambda: not isinstance(asked.pilot.app.screen, TournamentForm) or wrong())
        assert not asked.answers and "no position that is not over after 6 moves" in " ".join(asked.text.split())
        await asked.press("ctrl+u", *"random:1", "enter")
        await until(asked.pilot, lambda: bool(asked.answers))
        assert asked.answers[0] is not None and asked.answers[0].openings == "random:1"


@pytest.mark.slow
async def test_a_set_up_is_saved_and_loaded_and_never_replaced_unasked(make_app: Any, home: Path) -> None:
    async with asking(make_app) as asked:
        await asked.press("ctrl+s")
        assert asked.form.current == "name" and "enter a name here" in asked.text
        await asked.press(*"mine", "ctrl+s")
        assert "saved as" in asked.text and (home / "setups" / "mine.json").exists()
        [[saved], _] = setups.saved_setups()
        assert saved.name == "mine" and TournamentSetup.from_document(saved.document).agents == SMALL.agents
        await asked.press(*["shift+tab"] * 5, *"7", "ctrl+s")
        assert "'mine' exists" in asked.text and setups.saved_setups()[0][0].document["seed"] == 0
        await asked.press("ctrl+s")
        assert setups.saved_setups()[0][0].document["seed"] == 7
        await asked.press("ctrl+o")
        await until(asked.pilot, lambda: "What do a million games teach?" in asked.text)
        assert "mine" in asked.text and "nim:3,2,1 · 2 agents · round-robin" in asked.text
        await asked.press("down", "down", "enter")
        assert asked.agents == LEARNERS.agents and asked.form.current == "games"
        await asked.press("ctrl+o")
        await until(asked.pilot, lambda: "What do a million games teach?" in asked.text)
        await asked.press("home", "enter")
        assert asked.form._draft.setup() == TournamentSetup(**{**vars(SMALL), "seed": 7, "name": "mine"})


@pytest.mark.slow
async def test_a_saved_set_up_is_deleted_and_brought_back_and_nonsense_stays(make_app: Any) -> None:
    setups.save("mine", SMALL.document())
    (setups.folder() / "odd.json").write_text("{")
    async with asking(make_app) as asked:
        await asked.press("ctrl+o")
        await until(asked.pilot, lambda: "mine" in asked.text)
        assert "odd.damaged-1.json" in " ".join(asked.text.split())
        await asked.press("ctrl+d")
        await until(asked.pilot, lambda: "Deleted 'mine': u restores it" in asked.text)
        assert setups.saved_setups() == ([], [])
        await asked.press("ctrl+d", "u")
        await until(asked.pilot, lambda: "Restored 'mine'" in asked.text)
        assert [saved.name for saved in setups.saved_setups()[0]] == ["mine"]
        await asked.press("escape")
        assert isinstance(asked.pilot.app.screen, TournamentForm) and not asked.answers
        setups.save("aside", {"agents": ["random"]})
        await asked.press("ctrl+o")
        await until(asked.pilot, lambda: "aside" in asked.text)
        await asked.press("home", "enter")
        assert isinstance(asked.pilot.app.screen, SetupList) and "is invalid: expected" in " ".join(asked.text.split())
        assert len(setups.saved_setups()[0]) == 2
