"""What panels and lists cut ends with a clause or a word, never within a number, and F1 shows the whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.widgets import Input, Static

from nimtui.games import parse_game
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.playing.setup import PlaySetup
from nimtui.report import lines as ink
from nimtui.report.lines import cut, gathering, line, mended, paragraphs, plain_text
from nimtui.store import paths
from nimtui.store.database import Database
from nimtui.ui.app import modes
from nimtui.ui.app.commands import CUT, HelpScreen
from nimtui.ui.kit.forms.choices import Choices
from nimtui.ui.kit.forms.dialogs import Confirm, ExportForm
from nimtui.ui.kit.forms.form import FieldLine
from nimtui.ui.kit.widgets import panel as panels
from nimtui.ui.kit.widgets.panel import Panel, fitted
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from nimtui.ui.play.form import NewGame
from nimtui.ui.search.screen import SearchForm
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.sweep.screen import SweepForm, SweepList
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.tournament.form import SetupList, TournamentForm
from nimtui.ui.tournament.setup import PRESETS as TOURNAMENTS
from nimtui.ui.tournament.setup import TournamentSetup
from nimtui.ui.train.form import RunChoice, TrainForm
from nimtui.ui.train.setup import TrainSetup
from tests.examples import few
from tests.ui.conftest import screen_text
from tests.ui.playing import CALM, until
from tests.ui.shelving import furnish, keep_sweep, keep_table, keep_tournament, library, looked, panel

WORDS = ["moves", "wins,", "never", "17.5", "rows.", "a", "position;", "·"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join)
STOPS = (" ", ",", ":", ".", ";")
SIZES = pytest.mark.parametrize("size", [(80, 24), (60, 20)])
LEARNERS = ("reward", "quality:margin=50", "quality:margin=90", "quality:margin=50,win=29", "average:epsilon=0.25")
OWN_SIGNS = ("settings …", "Your own settings …", "tournament …", "Filter …", "Edit …")  # of words that mean a dialog


def whole(text: str, at: int, room: int) -> bool:
    """Whether a text that is cut at this place is cut after a word, or within one that is wider than half the room."""
    begin = max(text.rfind(sign, 0, at) for sign in " \t") + 1
    word = text[begin:].split(None, 1)[0] if text[begin:].strip() else ""
    within_number = bool(re.fullmatch(r"[\d.,]\d|\d[.,]", text[at - 1 : at + 1]))
    if text[at - 1 : at].isspace() or (text[at : at + 1] in ("", *STOPS) and not within_number):
        return True
    return cell_len(word) > room / 2 and not within_number


@given(TEXTS, st.integers(3, 40))
def test_a_cut_line_never_ends_within_a_word_if_it_has_two(text: str, columns: int) -> None:
    shown = plain_text(cut(line(text), columns))
    assert cell_len(shown) <= columns
    if shown != text:
        kept = shown.removesuffix("…")
        assert text.startswith(kept)
        whole = kept.endswith(" ") or text[len(kept) :].startswith(STOPS)
        assert whole or not re.search(r"\s", text[columns // 2 : columns])


@given(TEXTS, st.integers(0, 60))
def test_a_fitted_text_fills_its_cells_and_keeps_whole_words_and_numbers(text: str, columns: int) -> None:
    shown = fitted(text, columns, "…")
    assert cell_len(shown) == columns
    if cell_len(text) > columns > 0:
        kept = shown.rstrip().removesuffix("…")
        assert text.startswith(kept) and whole(text, len(kept), columns - 1)
    else:
        assert shown.rstrip() == text.rstrip()[:columns]


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(14, 40), st.integers(1, 8))
def test_texts_in_too_few_lines_keep_whole_words(texts: list[str], columns: int, rows: int) -> None:
    wholes: list[str] = []
    with gathering(wholes):
        shown = mended(paragraphs(texts, columns), rows)
    assert len(shown) <= rows and all(len(plain_text(each)) <= columns for each in shown)
    said, whole = (" ".join(text.split()) for text in (" ".join(map(plain_text, shown)), " ".join(texts)))
    kept = said.removesuffix("…").split()
    assert said == whole or wholes
    assert [word.strip(".,;") for word in kept] == [word.strip(".,;") for word in whole.split()[: len(kept)]]


def broken(panel: Panel) -> list[str]:
    """The lines of a panel that are cut within a word although they have several."""
    wholes, found = panel.cut_off(), []
    for shown in panel.text().split("\n"):
        kept, sign, _ = (part.strip() for part in shown.partition("…"))
        text = next((whole for whole in wholes if kept and kept in whole), "")
        if sign and text and len(kept.split()) > 2 and not f"{text[text.index(kept) + len(kept) :]} ".startswith(STOPS):
            found.append(shown)
    return found


async def all_is_whole(pilot: Any) -> None:
    """Nothing on this screen is cut within a word, and F1 shows whatever is cut."""
    app = pilot.app
    panels = [panel for panel in app.screen.query(Panel) if panel.display and panel.size.area]
    assert [each for panel in panels if not isinstance(panel, VirtualList) for each in broken(panel)] == []
    wholes = [text for panel in panels for text in panel.cut_off()]
    app.open_help()  # at once: what runs would change the panels meanwhile
    await pilot.pause()
    assert isinstance(app.screen, HelpScreen)
    told = str(app.screen.query_one("#words").render())
    assert all(" ".join(text.split()) in " ".join(told.split()) for text in wholes)
    assert (CUT in told) == bool(wholes)
    await pilot.press("escape")


@pytest.mark.slow
@pytest.mark.parametrize("mode", [mode for mode in modes.MODES if mode.presets], ids=lambda mode: mode.name)
async def test_what_a_screen_offers_is_never_cut_and_what_it_shows_is_whole(
    pilot: Any, mode: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = pilot.app
    app.action_mode(mode.name)
    await until(pilot, lambda: bool(app.screen.query(Choices)) and not app.jobs.running())
    assert "…" not in screen_text(app).replace("settings …", "").replace("tournament …", "")
    presets = modes.presets_of(mode)
    for at, preset in enumerate(few(presets[-1:], presets)):
        monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / str(at)))  # the one before may still be at its file
        app.begin(mode.name, preset.setup)
        await pilot.pause()
        if isinstance(app.screen, Confirm):  # the one before is unfinished
            await all_is_whole(pilot)
            await pilot.press("y")
        await until(pilot, lambda: app.screen.there and not app.screen.conductor.idle)
        await pilot.pause(2 * app.tick)
        await all_is_whole(pilot)


# Lists: not what sets two rows apart.


@contextmanager
def cuts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int, int]]]:
    """Record what is cut: the text, where, and the room."""
    record: list[tuple[str, int, int]] = []
    original = panels.up_to_a_gap

    def recorded(text: str, room: int) -> int:
        at = original(text, room)
        record.append((text, at, room))
        return at

    with monkeypatch.context() as patch:
        for module in (panels, ink):
            patch.setattr(module, "up_to_a_gap", recorded)
        yield record


def check(shown: str, record: list[tuple[str, int, int]]) -> None:
    """Every cut is after a word, and every sign of a cut on the screen is one that was recorded."""
    assert [f"{text[:at]}…" for text, at, room in record if not whole(text, at, room)] == []
    for row in shown.splitlines():
        for sign in re.finditer(r"(\S*) ?…(?!\])", row):  # 'reward[:games=1000000,…]' is the form of an agent's name
            if not row[: sign.end()].endswith(OWN_SIGNS):
                assert any(text[:at].rstrip().endswith(sign[1]) for text, at, _ in record), row


@pytest.fixture
def cut_trainings() -> None:
    """Trainings that lack games, of several learners."""
    for at, learner in enumerate(LEARNERS):
        training = Training(parse_game(("tower:25", "nim:3,2,1", "kayles:1,3,5,7")[at % 3]), learner, 12_345_678)
        Run(training).goal(1_234_567_890, False)
        training.table.games = 123_456_789
        training.save(paths.ensure(paths.runs()) / f"a run with a rather long name {at}.npz")
    keep_sweep("a sweep with a name of some length.jsonl")


LONG = ("mcts:simulations=1000000,c=1.5", "reward:games=1000000,seed=17", "perfect")
DIALOGS: tuple[Callable[[], Any], ...] = (
    RunChoice, SweepList, SetupList, lambda: NewGame(PlaySetup()), lambda: TrainForm(TrainSetup()),
    lambda: SearchForm(SearchSetup()), lambda: SweepForm(SweepSetup()),
    lambda: TournamentForm(TournamentSetup(("tower:16",), LONG)),
)  # fmt: skip


@pytest.mark.slow
async def test_the_start_screen_every_list_of_presets_and_every_picker(
    make_app: Any, cut_trainings: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cuts(monkeypatch) as record:
        async with make_app(CALM).run_test(size=(60, 20)) as pilot:
            app = pilot.app
            await until(pilot, lambda: "r  Continue" in screen_text(app))
            check(screen_text(app), record)
            row = next(line for line in screen_text(app).splitlines() if "r  Continue" in line)
            assert "kayles:1,3,5,7" in row or "tower:25" in row or "nim:3,2,1" in row
            for mode in ("train", "search", "sweep", "tournament", "compare"):
                app.action_mode(mode)
                await until(pilot, lambda: not app.jobs.running())
                check(screen_text(app), record)
            app.close_all()
            for dialog in DIALOGS:
                await app.push_screen(dialog())
                await until(pilot, lambda: not app.jobs.running())
                for _ in range(few(4, 8)):
                    check(screen_text(app), record)
                    await pilot.press("down" if app.screen.focused is app.screen.query(Choices).first() else "tab")
                app.screen.dismiss(None)
                await pilot.pause()


@pytest.mark.slow
@SIZES
async def test_the_library(
    make_app: Any, size: tuple[int, int], cut_trainings: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish()
    for at, learner in enumerate(LEARNERS):
        keep_table(paths.tables(), f"for the class of {2026 + at}.npz", learner)
        keep_table(paths.runs(), f"2026-01-02-03040{at}-{learner.partition(':')[0]}.npz", learner)
    database = Database()
    for name in ("", "the cup of 2026, 10,000 games", "Donaudampfschifffahrtsgesellschaftskapitän"):
        keep_tournament(database, ("mcts:simulations=1000000,c=1.5", "alphabeta:depth=12"), name)
    database.close()
    with cuts(monkeypatch) as record:
        async with library(make_app, size) as pilot:
            conductor = pilot.app.screen.conductor
            for at, item in enumerate(conductor.shown):
                conductor.go(at)
                await until(pilot, lambda: looked(pilot))
                check(panel(pilot, "list"), record)
                if apart := re.search(r"margin=\d+", item.title):
                    row = next(line for line in panel(pilot, "list").splitlines() if "▸" in line)
                    assert apart[0] in row, "what sets learners apart is never cut off"
            await pilot.press("i", "enter")
            assert "the file name is empty: name a file" in screen_text(pilot.app)
            assert pilot.app.screen.typing.open, "the line stays open for a name"


@SIZES
async def test_the_proposed_name_of_an_export_is_shown_from_its_beginning_and_an_empty_one_refused(
    make_app: Any, size: tuple[int, int]
) -> None:
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
        await pilot.press("backspace", "enter")
        said = re.sub(r"[│\s]+", " ", screen_text(pilot.app))
        assert "the file name is empty: name a file, for example name.npz" in said


# Beside the fields of forms.

FORMS: dict[str, Callable[[], Any]] = {
    "play": lambda: NewGame(PlaySetup()),
    **{
        f"train {name}": lambda name=name: TrainForm(TrainSetup(learner=name))
        for name in ("reward", "quality", "q", "average", "proof")
    },
    **{
        f"search {name}": lambda name=name: SearchForm(SearchSetup(search=name))
        for name in ("alphabeta:depth=4", "minimax:depth=4", "mcts:simulations=100", "mc")
    },
    "sweep": lambda: SweepForm(SweepSetup()),
    **{preset.title: lambda setup=preset.setup: TournamentForm(setup) for preset in TOURNAMENTS},
}


@pytest.mark.slow
async def test_no_meaning_is_cut_off(pilot: Any) -> None:
    for form, made in FORMS.items():
        screen = made()
        await pilot.app.push_screen(screen)
        await until(
            pilot,
            lambda screen=screen: all(field.query_one(".said").size.width for field in screen.query(FieldLine)),
        )
        await pilot.pause()
        for field in screen.query(FieldLine):
            for name in ("label", "said"):
                part = field.query_one(f".{name}", Static)
                text = str(part.content)
                assert len(text) <= part.content_size.width, f"{form}, {field.id}: {text}"
        await pilot.app.pop_screen()
