"""Lists of any length: what is made, how far a key leads, and only the lines with the words that a person types."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from textual.app import ComposeResult

from nimtui.report.blocks import Column, Table
from nimtui.report.lines import Line, Run, line
from nimtui.report.values import Count, Word
from nimtui.ui.kit.contract.command import PLACES, Command
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets import virtual_list
from nimtui.ui.kit.widgets.page import APPLY, UNTYPE, Page, Typing, filtering
from nimtui.ui.kit.widgets.virtual_list import Rows, VirtualList
from nimtui.ui.tournament import pairing_view
from nimtui.ui.tournament.pages import PairingScreen
from tests.ui.comparing import LEARNERS, comparing
from tests.ui.playing import until
from tests.ui.test_replay import shown
from tests.ui.tournaments import finished, tournament
from tests.ui.training import ended, training


class Counting(Page[None]):
    """So many lines, with a head of two."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count, self.at, self.made, self.taken, self.pointed = count, 0, [], [], []

    def compose(self) -> ComposeResult:
        yield VirtualList()

    def on_mount(self) -> None:
        self.show(0)

    def show(self, at: int) -> None:
        self.at = at
        take, sort = lambda: self.taken.append(self.at), self.pointed.append
        self.query_one(VirtualList).put(Rows(self.count, at, self.paint, self.show, take, lambda columns: 2, sort))

    def paint(self, places: range, columns: int, signs: Glyphs) -> list[Line]:
        self.made.append(places)
        heads = line("head", Run("one", target="one"), Run("two", target="two"))
        return [line("head"), heads, *(line(f"{'>' if at == self.at else ' '}{at}") for at in places)]


@pytest.fixture
async def counted(make_app: Any) -> Any:
    """Show a list of so many lines in 20 rows; return its screen."""
    async with make_app().run_test(size=(60, 20)) as pilot:

        async def show(count: int) -> tuple[Any, Counting]:
            screen = Counting(count)
            await pilot.app.push_screen(screen)
            return pilot, screen

        yield show


MILLION = [("down", 1), ("j j k", 2), ("up", 1), ("end", 999_999), ("down", 999_999), ("up home", 0), ("up", 0)]
MILLION += [("pagedown", 17), ("pagedown pageup pageup", 0), ("end pageup", 999_999 - 17)]


async def test_keys_lead_to_a_line_and_no_further_than_the_ends(counted: Any) -> None:
    pilot, screen = await counted(1_000_000)
    for keys, at in MILLION:
        await pilot.press(*keys.split())
        lines = screen.query_one(VirtualList).text().splitlines()
        assert screen.at == at and f">{at}" in lines
        assert lines[:2] == ["head", "headonetwo"] and len(lines) == 20
    assert max(map(len, screen.made)) == 18, "only the lines that are seen are made"


async def test_a_click_marks_a_line_a_second_one_takes_it_and_one_on_the_head_points(counted: Any) -> None:
    pilot, screen = await counted(5)
    clicks = ((3, 0, 0, []), (3, 4, 2, []), (3, 4, 2, [2]), (3, 10, 2, [2]), (3, 7, 2, [2]), (3, 6, 4, [2]))
    for x, y, at, taken in clicks:
        await pilot.click(VirtualList, offset=(x, y))
        assert (screen.at, screen.taken, screen.pointed) == (at, taken, [])
    for x in (2, 5, 8):
        await pilot.click(VirtualList, offset=(x, 1))
    assert screen.pointed == ["one", "two"]


async def test_lines_stay_until_the_marked_one_would_be_hidden(counted: Any) -> None:
    pilot, screen = await counted(100)
    tops = []
    for _ in range(40):
        await pilot.press("down")
        tops.append(screen.query_one(VirtualList).top)
    assert tops == [0] * 17 + [9] * 9 + [18] * 9 + [27] * 5


async def test_a_list_of_nothing_goes_nowhere(counted: Any) -> None:
    pilot, screen = await counted(0)
    await pilot.press("up", "down", "pagedown", "home", "end")
    for y in (1, 3):
        await pilot.click(VirtualList, offset=(2, y))
    assert (screen.at, screen.taken, screen.pointed) == (0, [], [])


# Words.

DIGITS = ("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def spelled(number: int) -> str:
    """Return the digits of a number as words."""
    return " ".join(DIGITS[int(digit)] for digit in str(number))


class Numbers(Typing, place="test-numbers"):
    """A list of numbers with their digits as words."""

    BELOW: ClassVar = {"typed": lambda s: lambda columns, rows, signs: []}
    ROWS = (APPLY, UNTYPE, *filtering("numbers"), Command("enter", "take", "take", do=lambda s: s.taken.append(s.at)))

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count, self.taken = count, list[int]()

    def parts(self) -> ComposeResult:
        yield VirtualList()

    def on_mount(self) -> None:
        self.show(0)

    def show(self, at: int) -> None:
        self.at = at
        columns = [Column("number", Count), Column("words", lambda number: Word(spelled(number)), left=True)]
        rows = Rows.of_table(self.count, at, lambda places, *room: Table("", columns, places), self.show, of=self)
        self.query_one(VirtualList).put(rows)

    @property
    def lines(self) -> list[str]:
        return self.query_one(VirtualList).text().splitlines()


PLACES.pop("test-numbers")  # it is no place of the app


def listed(pilot: Any, name: str = "list") -> list[str]:
    return [text for text in pilot.app.screen.query_one(f"#{name}").text().splitlines() if text.strip()]


@pytest.mark.slow
@pytest.mark.parametrize("by_job", [False, True])
async def test_words_are_found_in_every_column_in_any_order_until_escape(
    make_app: Any, monkeypatch: pytest.MonkeyPatch, by_job: bool
) -> None:
    if by_job:
        monkeypatch.setattr(virtual_list, "MANY", 100)
    async with make_app().run_test(size=(60, 20)) as pilot:
        screen = Numbers(2_000)
        await pilot.app.push_screen(screen)
        shown = screen.query_one(VirtualList)
        await pilot.press("slash", *"NINE", "space", *"one 7")
        wanted = [at for at in range(2_000) if {"nine", "one"} <= {*spelled(at).split()} and "7" in str(at)]
        await until(pilot, lambda: screen.lines[-1].strip().startswith(f"{len(wanted)} of 2,000 with"))
        assert [int(text.split()[0].replace(",", "")) for text in screen.lines[1:-1]] == wanted[: len(screen.lines) - 2]
        assert screen.at == wanted[0], "the mark goes to a listed line"
        await pilot.press("enter", "down", "enter")
        assert screen.taken == [wanted[1]], "the first Enter ends the typing, the second takes the line"
        await pilot.click(VirtualList, offset=(3, 4))
        assert screen.at == wanted[3], "a click goes to the line that is seen"
        await pilot.press("end")
        assert screen.at == wanted[-1]
        await pilot.press("slash", *"zero")
        await until(pilot, lambda: '0 of 2,000 with "zero"' in screen.lines[-1])
        await pilot.press("home", "up")
        assert not shown.rows.count and screen.at == wanted[-1]
        await pilot.press("escape")
        await until(pilot, lambda: shown.words == "NINE one 7" and shown.rows.count == len(wanted))
        await pilot.press("escape")
        assert not shown.words and shown.rows.count == 2_000 and screen.at == wanted[-1], "the mark stays"


@pytest.mark.slow
async def test_the_games_of_a_pairing(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async with tournament(make_app) as pilot:
        await finished(pilot)
        await pilot.press("right", "right", "enter")  # perfect against random
        await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen) and len(listed(pilot, "games")) > 5)
        screen = pilot.app.screen
        await pilot.press("slash", *"19", "enter")
        assert screen._marked.row.number == 18 and '1 of 20 with "19"' in listed(pilot, "games")[-1]
        monkeypatch.setattr(pairing_view, "PAGE", 5)
        screen._put(screen._found[:5])
        await pilot.press("slash", *"nobody", "enter")
        await until(pilot, lambda: '0 of 20 with "nobody"' in listed(pilot, "games")[-1])  # after further pages
        await pilot.press("slash", *"19", "enter")
        await pilot.press("f")  # another list, the same words
        await until(pilot, lambda: screen._found is not None)
        assert screen.words == "19"
        await pilot.press("escape")
        assert pilot.app.screen is screen and not screen.words, "the first Esc ends the filter, the second leaves"
        await pilot.press("escape")
        assert pilot.app.screen is not screen


@pytest.mark.slow
async def test_the_positions_of_a_training(make_app: Any) -> None:
    async with training(make_app) as pilot:
        await ended(pilot)
        screen = pilot.app.screen
        await pilot.press("slash")
        assert not screen.typing.open, "the map is no list"
        await pilot.press("l")
        await until(pilot, lambda: screen.query_one("#list").has_focus)
        await pilot.press("slash", *"lost", "enter")
        texts, scores = listed(pilot)[1:-1], screen.query_one("#list").scores
        assert len(texts) == sum(scores.verdict == 0) and f"{len(texts)} of {len(scores)}" in listed(pilot)[-1]
        await pilot.press("escape", "escape")
        assert not screen.stage.listing and not screen.words


@pytest.mark.slow
async def test_the_positions_of_a_comparison(make_app: Any) -> None:
    async with comparing(make_app, LEARNERS, size=(100, 30)) as pilot:
        await pilot.press("m")
        screen = pilot.app.screen
        await until(pilot, lambda: screen.mapped)
        await pilot.press("m", "slash", *"1,3", "enter")
        assert all("1,3" in text for text in listed(pilot)[2:-1])
        await pilot.press("down")
        assert "1,3" in screen._mapped.atlas.name(screen.node)


@pytest.mark.slow
async def test_the_moves_of_a_replay_and_of_its_review(make_app: Any) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        screen = await shown(pilot)
        await until(pilot, lambda: screen.replay.judgements)
        await pilot.press("slash", *"loss", "enter")
        assert [text.split()[1] for text in listed(pilot, "judged") if "✗" in text] == ["mc"]
        assert screen.replay.record.ply == 4, "the board is at the move that gives the win away"
        await pilot.press("left")
        assert screen.replay.record.ply == 3
        await pilot.press("escape")
        assert not screen.words and pilot.app.screen is screen
        await pilot.press("r")
        await until(pilot, lambda: "turning point" in screen.query_one("#prompt").text())
        await pilot.press("home", "slash", *"LOSS")
        assert "Show only: LOSS" in screen.query_one("#prompt").text()
        assert screen._at == 3 and '1 of 4 with "LOSS"' in listed(pilot, "judged")[-1]
        await pilot.press("escape", "slash", *"mc", "enter", "up")
        assert screen._at == 1 and screen.reviewing, "Enter ended the typing, and the keys go to listed moves alone"
        await pilot.press("right", "right")
        assert screen._at == 3 and len([text for text in listed(pilot, "judged") if text[2:].startswith(" mc ")]) == 2
        await pilot.press("escape")
        assert not screen.words and screen.reviewing, "the first Esc ends the filter, the second the review"
        await pilot.press("escape")
        assert not screen.reviewing and pilot.app.screen is screen
