"""Reports on a terminal of 60 columns: no line is longer, and no column is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.cli import output
from nimtui.report.blocks import Column, Report, Table
from nimtui.report.cells import table_lines
from nimtui.report.lines import plain_text
from nimtui.report.values import Value
from tests.cli.conftest import Nimtui

COMMANDS = (
    "solve nim:3,5,4,2,6:misere",
    "solve connect4:4x4",
    "moves nim:3,5,4,2,6 --agent mc:playouts=50",
    "moves connect4 --agent mcts:simulations=50",
    "search nim:1,2,3,4 --algorithm minimax --algorithm alphabeta --depth 4",
    "search nim:1,2,3,4 --depth 4",
    "compare connect4:4x4 -p 122 -a mcts:simulations=2000 -a alphabeta:depth=8 --curve",
    "compare tower:16 -p 1,3,5,6 -a mcts -a mc:playouts=50",
    "compare tower:16 -a reward:games=1000 -a proof:games=1000 --positions",
    "match tower:16 --first mc:playouts=20 --second mcts:simulations=20 -n 60 --alternate --save",
    "match nim:3,5 --first random --second perfect --save",
    "tournament tower:16 -a random -a easy -a mc:playouts=20 -n 20 --headless",
    "train nim:7,5,3 -n 1000 --headless",
    "sweep nim:1,2 -l quality --grid margin=50,90 --grid win=10,20 -n 100 --repeats 2 --workers 1",
    "games list",
    "games show 1:1",
    "words",
)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "terminal_width", lambda: 60)
    monkeypatch.setattr(output, "LINE", 60)


@pytest.mark.slow
@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("words", COMMANDS)
def test_every_report_fits_60_columns(nimtui: Nimtui, words: str) -> None:
    if words.startswith("games"):
        nimtui("match tower:16 --first mc:playouts=20 --second mcts:simulations=20 -n 3 --save")
    answer = nimtui(words)
    assert answer.status == 0
    assert [line for line in answer.out.splitlines() if len(line) > 60] == []


class Figure(Value):
    """A figure, which no table cuts."""

    def __init__(self, text: str) -> None:
        self._text = text

    @property
    def text(self) -> str:
        return self._text


def as_counts(table: list[list[str]]) -> Table:
    columns = [Column(head, lambda row, at=at: Figure(row[at]), left=not at) for at, head in enumerate(table[0])]
    return Table("", columns, table[1:])


@settings(max_examples=300, deadline=None)
@given(st.data(), st.integers(1, 9), st.integers(0, 4))
def test_columns_that_do_not_fit_follow_below(data: st.DataObject, columns: int, rows: int) -> None:
    cell = st.text("ab1", min_size=1, max_size=25)
    table = [[data.draw(cell) for _ in range(columns)] for _ in range(rows + 1)]
    lines = [plain_text(line).rstrip() for line in table_lines(as_counts(table), 60)]
    assert all(len(line) <= 60 for line in lines)
    blocks = "\n".join(lines).split("\n\n")
    for number, row in enumerate(table):
        parts = [block.split("\n")[number].split() for block in blocks]
        assert [part[0] for part in parts] == [row[0]] * len(blocks)  # a row starts with its name in every block
        assert [word for part in parts for word in part[1:]] == row[1:]


def test_a_pipe_gets_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    output.report(Report([as_counts([["head"] * 9, ["x" * 20] * 9])]))
    assert re.fullmatch(r"head( +head){8}\n(x{20} {3}){8}x{20}\n", capsys.readouterr().out)
