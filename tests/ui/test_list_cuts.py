"""What lists cut, in 80 × 24 and in 60 × 20: after a word, never within a number, and not what sets two rows apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from rich.cells import cell_len
from textual.widgets import Input

from nimtui.games import parse_game
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.playing.setup import PlaySetup
from nimtui.report import lines as ink
from nimtui.store import paths
from nimtui.ui.kit.forms.dialogs import ExportForm
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.kit.widgets import canvas
from nimtui.ui.kit.widgets.typing_line import Prompt, TypingLine
from nimtui.ui.play.form import NewGame
from nimtui.ui.search.form import SearchForm
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.sweep.form import SweepForm, SweepList
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.tournament.crosstable import Place, Table, paint
from nimtui.ui.tournament.form import SetupList, TournamentForm
from nimtui.ui.tournament.setup import TournamentSetup
from nimtui.ui.train.form import RunChoice, TrainForm
from nimtui.ui.train.setup import TrainSetup
from tests.ui.conftest import screen_text
from tests.ui.playing import CALM, until
from tests.ui.shelving import furnish, keep_sweep, keep_table, keep_tournament, library, looked, panel
from tests.ui.test_cut_lines import whole
from tests.ui.tournaments import standings

SIZES = pytest.mark.parametrize("size", [(80, 24), (60, 20)])
LEARNERS = ("reward", "quality:margin=50", "quality:margin=90", "quality:margin=50,win=29", "average:epsilon=0.25")
OWN_SIGNS = ("settings …", "Your own settings …", "tournament …", "Filter …", "Edit …")  # of words that mean a dialog


@contextmanager
def cuts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int, int]]]:
    """Record what is cut: the text, where, and the room."""
    record: list[tuple[str, int, int]] = []
    original = canvas.up_to_a_gap

    def recorded(text: str, room: int) -> int:
        at = original(text, room)
        record.append((text, at, room))
        return at

    with monkeypatch.context() as patch:
        for module in (canvas, ink):
            patch.setattr(module, "up_to_a_gap", recorded)
        yield record


def check(shown: str, record: list[tuple[str, int, int]]) -> None:
    """Every cut is after a word, and every sign of a cut on the screen is one that was recorded."""
    for text, at, room in record:
        assert whole(text, at, room), f"{text[:at]}…"
    for row in shown.splitlines():
        for found in re.finditer(r"(\S*) ?…(?!\])", row):  # 'reward[:games=1000000,…]' is the form of an agent's name
            if not row[: found.end()].endswith(OWN_SIGNS):
                assert any(text[:at].rstrip().endswith(found[1]) for text, at, _ in record), row


def cut_trainings() -> None:
    """Trainings that lack games, of several learners."""
    for at, learner in enumerate(LEARNERS):
        training = Training(parse_game(("tower:25", "nim:3,2,1", "kayles:1,3,5,7")[at % 3]), learner, 12_345_678)
        Run(training).goal(1_234_567_890, False)
        training.table.games = 123_456_789
        training.save(paths.ensure(paths.runs()) / f"a run with a rather long name {at}.npz")


@SIZES
async def test_the_start_screen(make_app: Any, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    cut_trainings()
    with cuts(monkeypatch) as record:
        async with make_app(CALM).run_test(size=size) as pilot:
            await until(pilot, lambda: "r  Continue" in screen_text(pilot.app))
            shown = screen_text(pilot.app)
            check(shown, record)
            row = next(line for line in shown.splitlines() if "r  Continue" in line)
            assert "kayles:1,3,5,7" in row or "tower:25" in row or "nim:3,2,1" in row


@SIZES
async def test_the_library(make_app: Any, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    furnish()
    cut_trainings()
    keep_sweep("a sweep with a name of some length.jsonl")
    for at, learner in enumerate(LEARNERS):
        keep_table(paths.tables(), f"for the class of {2026 + at}.npz", learner)
        keep_table(paths.runs(), f"2026-01-02-03040{at}-{learner.partition(':')[0]}.npz", learner)
    from nimtui.store.database import Database

    database = Database()
    for name in ("", "the cup of 2026, 10,000 games", "Donaudampfschifffahrtsgesellschaftskapitän"):
        keep_tournament(database, ("mcts:simulations=1000000,c=1.5", "alphabeta:depth=12"), name)
    database.close()
    with cuts(monkeypatch) as record:
        async with library(make_app, size) as pilot:
            conductor = pilot.app.screen.conductor
            for at in range(len(conductor.shown)):
                conductor.go(at)
                await until(pilot, lambda: looked(pilot))
                await pilot.pause()
                check(panel(pilot, "list"), record)
                item = conductor.shown[at]
                if apart := re.search(r"margin=\d+", item.title):
                    row = next(line for line in panel(pilot, "list").splitlines() if "▸" in line)
                    assert apart[0] in row, "what sets learners apart is never cut off"


DIALOGS: dict[str, Callable[[], Any]] = {
    "trainings": RunChoice,
    "sweeps": SweepList,
    "set-ups": SetupList,
    "game": lambda: NewGame(PlaySetup()),
    "training": lambda: TrainForm(TrainSetup()),
    "search": lambda: SearchForm(SearchSetup()),
    "sweep": lambda: SweepForm(SweepSetup()),
    "tournament": lambda: TournamentForm(
        TournamentSetup(("tower:16",), ("mcts:simulations=1000000,c=1.5", "reward:games=1000000,seed=17", "perfect"))
    ),
}


@SIZES
@pytest.mark.parametrize("dialog", DIALOGS)
async def test_every_picker(make_app: Any, size: tuple[int, int], dialog: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_trainings()
    keep_sweep("a sweep with a name of some length.jsonl")
    with cuts(monkeypatch) as record:
        async with make_app(CALM).run_test(size=size) as pilot:
            await pilot.app.push_screen(DIALOGS[dialog]())
            await pilot.pause(0.3)
            for _ in range(12):
                check(screen_text(pilot.app), record)
                await pilot.press("down" if dialog in ("trainings", "sweeps", "set-ups") else "tab")
                await pilot.pause()


@SIZES
@pytest.mark.parametrize("mode", ["train", "search", "sweep", "tournament", "compare"])
async def test_every_list_of_presets(
    make_app: Any, size: tuple[int, int], mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_trainings()
    with cuts(monkeypatch) as record:
        async with make_app(CALM).run_test(size=size) as pilot:
            pilot.app.action_mode(mode)
            await pilot.pause(0.5)
            check(screen_text(pilot.app), record)


@pytest.mark.parametrize("number", [3, 12])
def test_the_agents_of_a_crosstable(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Table.of(standings(number), Place())
    short = 0
    for columns in range(30, 120):
        with cuts(monkeypatch) as record:
            shown = "\n".join(map(ink.plain_text, paint(found, columns, number + 2, UNICODE)))
        check(shown, record)
        short += len(record)
    assert short


@pytest.mark.parametrize(("text", "columns"), [("2026-11-25-143022-nim-1-3-5-7-reward.npz", 40), ("short.npz", 40)])
def test_a_name_that_is_typed_keeps_its_beginning_and_its_end(text: str, columns: int) -> None:
    typing = TypingLine()
    typing.begin(Prompt.FILE, text)
    shown = (
        ink.plain_text(typing.paint(columns, 1, UNICODE)[0]).removeprefix("Import file: ").partition(UNICODE.full)[0]
    )
    begin, _, end = shown.partition(UNICODE.hidden)
    assert text.startswith(begin) and text.endswith(end)
    assert cell_len(shown) <= columns and min(len(begin), len(end or text)) >= min(len(text), 4)


@SIZES
async def test_the_proposed_name_of_an_export_is_shown_from_its_beginning(make_app: Any, size: tuple[int, int]) -> None:
    name = "2026-11-25-143022-nim-1-3-5-7-reward-games-5000000-seed-17-and-more.npz"
    async with make_app(CALM).run_test(size=size) as pilot:
        await pilot.app.push_screen(ExportForm({name: "the table"}))
        await pilot.pause()
        field = pilot.app.screen.query_one(Input)
        assert field.has_focus and field.selected_text == name
        shown = "".join(segment.text for segment in field.render_line(0)).strip()
        assert len(shown) > 8 and name.startswith(shown)
        await pilot.press("x")
        assert field.value == "x", "the first letter replaces the proposal"


@SIZES
async def test_an_empty_name_of_a_file_is_refused_and_one_proposed(make_app: Any, size: tuple[int, int]) -> None:
    async with make_app(CALM).run_test(size=size) as pilot:
        await pilot.app.push_screen(ExportForm({"table.csv": "the table"}))
        await pilot.pause()
        await pilot.press("backspace", "enter")
        said = re.sub(r"[│\s]+", " ", screen_text(pilot.app))
        assert "the file name is empty: name a file, for example name.csv" in said
    async with library(make_app, size) as pilot:
        await pilot.press("i", "enter")
        await pilot.pause()
        assert "the file name is empty: name a file" in screen_text(pilot.app)
        assert pilot.app.screen.typing.open, "the line stays open for a name"
