"""Every report says the same in every writer, and loses in narrow rooms only what its ranks say.

What the writers write is read back here: Markdown, HTML, CSV and JSON by their own rules, lines by their signs.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from importlib import import_module
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nimtui.agents.belief import Belief
from nimtui.agents.belief import Kind as BeliefKind
from nimtui.arena.review.history import Believed
from nimtui.arena.standings.games_report import Part
from nimtui.arena.standings.standings_report import Cents, Superiority, Tenths
from nimtui.arena.standings.statements import LogRatio
from nimtui.cli.benchmarks.rows import Rate, Ratio
from nimtui.learning.sweep_report import Games, Rough
from nimtui.report import blocks, values
from nimtui.report.blocks import Block, Column, Figure, Figures, Heading, Picture, Report, Sentence, Table, Words
from nimtui.report.cells import cells, flat, spoken
from nimtui.report.document import csv as csv_of
from nimtui.report.document import document, html_of, markdown, read_back, text
from nimtui.report.lines import Ink
from nimtui.report.values import Number, Share, Value, Word
from nimtui.theory.report import Decided, Sign
from nimtui.trees.report import TreeValue
from nimtui.ui.train.position_panel import ShortScore
from tests.examples import examples, with_slow
from tests.report.made import PACKAGE, modules, reports

UNITS = {
    "": 1.0, "%": 0.01, "×": 1.0, "ms": 1e-3, "s": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "/s": 1.0, "k/s": 1e3, "M/s": 1e6,
    "bytes": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15, "EB": 1e18, "ZB": 1e21,
}  # fmt: skip
WIDTHS = (34, 60, 80, 120, 200)
FIGURE = re.compile(r"(?P<bound>[<>])?(?P<sign>[+−])?(?P<size>[\d,]+(\.\d+)?(e[+-]?\d+)?) ?(?P<unit>[A-Za-z%×/]*)")


class Range(NamedTuple):
    """The numbers that a text may stand for."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        slack = 1e-9 * max(1.0, abs(value))
        return self.low - slack <= value <= self.high + slack

    def meets(self, other: Range) -> bool:
        slack = 1e-9 * max(1.0, abs(self.low), abs(self.high))
        return self.low <= other.high + slack and other.low <= self.high + slack


def read(text: str) -> Range | None:
    """Return what a text says, to half of its last digit; None if it is no figure."""
    match = FIGURE.fullmatch(text)
    if match is None or match["unit"] not in UNITS:
        return None
    unit, digits = UNITS[match["unit"]], match["size"].replace(",", "")
    size = float(digits)
    places = len(digits.partition("e")[0].partition(".")[2])
    half = 0.5 * 10.0**-places
    if match["unit"].endswith("/s") or "e" in digits:  # two or three figures, the other digits are zeros
        half = max(half, 0.05 * size)
    if match["unit"] in ("k", "M", "G", "bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"):
        half = max(half, 0.005 * size)
    if match["bound"]:
        low, high = (0.0, size) if match["bound"] == "<" else (size, 100.0)
    else:
        low, high = size - half, size + half
    if match["sign"] == "−":
        low, high = -high, -low
    return Range(low * unit, high * unit)


def wide(text: str) -> int:
    """The cells of a text, by the tables of Unicode."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def squeezed(text: str) -> str:
    """Return the text without its blanks."""
    return "".join(text.split())


HIDDEN = "…"


def read_rows(table: Table) -> list[Any]:
    """The rows in the order in which a person reads them."""
    return list(table.rows) if table.rank is None else sorted(table.rows, key=table.rank, reverse=True)


def seen(table: Table) -> list[Column]:
    return [column for column in table.columns if column.head is not None]


class Shown(NamedTuple):
    """What a person sees of a table."""

    columns: list[Column]
    cut: bool  # are names?


def shown(table: Table, lines: Sequence[str], columns: int | None) -> Shown:
    """Find which columns the lines show, and check that they have to be the only ones and the others are counted."""
    counted = re.fullmatch(r"(\d+) more columns?", lines[-1]) if lines else None
    lines = lines[:-1] if counted else lines
    rows, every = read_rows(table), seen(table)
    ranks = sorted({column.rank for column in every})
    ranked = [[column for column in every if column.rank <= rank] for rank in ranks]
    for place in reversed(range(len(ranks))):
        cut = cuts(ranked[place], rows, lines)
        if cut is None:
            continue
        if columns is not None and place + 1 < len(ranks):
            assert least(table, ranked[place + 1], rows) > columns, "a column of the next rank has room"
        if columns is None or place:
            assert not cut and "" not in lines, "columns go before names are cut"
        elif cut or "" in lines:
            assert least(table, ranked[0], rows) > columns, "there was room"
        hidden = sum(bool(column.head) for column in every if column not in ranked[place])
        assert hidden == (int(counted[1]) if counted else 0), "what is left out is counted"
        return Shown(ranked[place], cut)
    raise AssertionError(f"no columns by rank: {lines}")


def cuts(columns: Sequence[Column], rows: Sequence[Any], lines: Sequence[str]) -> bool | None:
    """Whether names are cut in these lines; None if the lines do not show these columns of all rows."""
    parts = [list(some) for blank, some in groupby(lines, lambda line: line == "") if not blank]
    headed = any(column.head for column in columns)
    several = len(parts) > 1
    shape = [[column.value(row) for column in columns] for row in rows]
    patterns = [row_pattern(columns, row, values, several) for row, values in zip(rows, shape, strict=True)]
    heads = [f"(?:{alternatives({column.head or '', column.brief or column.head or ''})})" for column in columns]
    head = (rf"(?:\n{heads[0]})?" if several else "").join(heads)
    length = len(rows) + (1 if headed else 0)
    if any(len(part) not in (length, len(rows)) for part in parts):
        return None
    if headed and not re.fullmatch(head, "\n".join(squeezed(part[0]) for part in parts if len(part) == length)):
        return None
    found = False
    for number, (own, pattern) in enumerate(zip(shape, patterns, strict=True)):
        text = "\n".join(squeezed(part[number + len(part) - len(rows)]) for part in parts)
        match = re.fullmatch(pattern, text)
        if match is None:
            return None
        for name, begin in match.groupdict().items():
            if begin is not None:
                value = own[int(name[1:])]
                assert squeezed(value.text).startswith(begin) or squeezed(value.short).startswith(begin)
                found = True
    return found


def alternatives(texts: set[str]) -> str:
    return "|".join(re.escape(squeezed(text)) for text in sorted(texts, key=len, reverse=True))


def row_pattern(columns: Sequence[Column], row: Any, values: Sequence[Value], several: bool) -> str:
    """The signs of a row, in its long or short texts; a name may end in a sign, and columns may stand below."""
    parts = []
    for number, (column, value) in enumerate(zip(columns, values, strict=True)):
        part = alternatives({value.text, value.short})
        if column.left and isinstance(value, Word):
            part += rf"|(?P<n{number}>[^{HIDDEN}]*){HIDDEN}"
        if column.draw is not None:
            part += r"|[^\n]*?"
        parts.append(f"(?:{part})")
    first = re.sub(r"\?P<\w+>", "?:", parts[0])
    return (rf"(?:\n{first})?" if several else "").join(parts)


def least(table: Table, columns: Sequence[Column], rows: Sequence[Any]) -> int:
    """The cells that these columns need at least, with whole names."""
    sizes = []
    for column in columns:
        values = [column.value(row) for row in rows]
        long = max([column.width, wide(column.head or ""), *(wide(value.text) for value in values)])
        short = max([wide(column.brief or column.head or ""), *(wide(value.short) for value in values)])
        sizes.append(min(long, short))
    return sum(sizes) + min(table.gap, 2) * (len(sizes) - 1)


def in_order(every: Sequence[Column]) -> Iterator[list[Column]]:
    """All columns, then without those of the highest ranks, then only the first ones of the lowest."""
    for rank in sorted({column.rank for column in every}, reverse=True):
        yield (some := [column for column in every if column.rank <= rank])
    while len(some) > 1:
        yield (some := some[:-1])


SOME_WIDTHS = with_slow(WIDTHS, 60, 120)


def promising() -> set[str]:
    """Return the functions of the package that promise a report by their annotation: 'theory/report.py:solved'."""
    return {
        f"{path}:{node.name}"
        for path, tree in modules().items()
        if re.search(r"\bReport\b", (PACKAGE / path).read_text("utf-8"))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.returns is not None
        if "Report" in ast.unparse(node.returns).split(" | ")
    }


# Of students' files and of runs in other processes: tests/programs and tests/cli/test_stopping.py make and read them.
APART = {
    "arena/classes/results.py:page",
    "arena/classes/results.py:report",
    "arena/classes/results.py:whole",
    "jobs/classes.py:report_of",
    "check/grade.py:report",
    "jobs/runs_report.py:run",
    "jobs/runs_report.py:runs",
}


@pytest.mark.slow
def test_every_function_that_gives_a_report_is_tried() -> None:
    tried = APART.union(*(made.makers for made in reports()))
    assert len(promising()) > 20
    assert sorted(promising() - tried) == [], "make these reports in tests/report/made.py"


def table_of(block: Block) -> Table | None:
    return block.table if isinstance(block, Picture) else block if isinstance(block, Table) else None


def tables_of(report: Report) -> list[Table]:
    return [table for block in flat(report.blocks) if (table := table_of(block)) is not None]


def written(*given: Any) -> list[str]:
    return ["".join(run.text for run in line) for line in cells(*given)]


def each(check: Callable[[Report], None]) -> None:
    """Check each report, and tell of which call the first faults are."""
    faults = []
    for made in reports():
        try:
            check(made.report)
        except AssertionError as fault:
            faults.append(f"{made.call}: {fault}"[:700])
    assert not faults, f"{len(faults)} reports\n" + "\n".join(faults[:6])


@pytest.mark.parametrize("columns", [None, *SOME_WIDTHS])
def test_every_report_stays_within_its_room_and_a_pipe_has_all_of_it(columns: int | None) -> None:
    def check(report: Report) -> None:
        assert text(document(report)), "no two blocks give a key different values"
        lines = written(report, columns)
        assert columns is None or [line for line in lines if wide(line.rstrip()) > columns] == []
        parts = [written(Report([block]), columns) for block in flat(report.blocks)]
        assert lines == [line for part in parts for line in part]
        for block, part in zip(flat(report.blocks), parts, strict=True):
            whole(block, part, columns)

    each(check)


def whole(block: Block, lines: Sequence[str], columns: int | None) -> None:
    """Hold the lines of a block against all that it says: only columns of a rank and ends of names go, in no pipe."""
    told = squeezed("".join(lines))
    match block:
        case Heading(said) | Sentence(said):
            assert told == squeezed(said)
        case Words(words):
            for word, line in zip(words, lines, strict=True):
                assert line.rstrip() == word.rstrip() or (columns and word.startswith(line.removesuffix(HIDDEN)))
        case Figures(rows):
            assert columns or len(lines) == len(rows)
            assert told == squeezed("".join(row.label + row.value.text + row.note for row in rows))
        case Table():
            shown(block, lines, columns or block.wide or None)


@pytest.mark.parametrize("columns", SOME_WIDTHS)
def test_what_is_left_out_of_a_table_is_counted(columns: int) -> None:
    def check(report: Report) -> None:
        for table in tables_of(report):
            lines = written(Report([replace(table, wide=0)]), columns, 5)
            assert len(lines) <= 5 and not [line for line in lines if wide(line) > columns]
            counted = re.fullmatch(r"(?:(\d+) more rows?)?(?: · )?(?:(\d+) more columns?)?", lines[-1])
            body = lines[:-1] if counted else lines
            more_rows, more_columns = (int(number or 0) for number in counted.groups()) if counted else (0, 0)
            head = any(column.head for column in seen(table))
            rows = read_rows(table)
            assert len(body) - head + more_rows == len(rows)
            some, every = rows[: len(body) - head], seen(table)
            for columns_of in in_order(every):
                if cuts(columns_of, some, body) is not None:
                    missing = [column for column in every if column not in columns_of]
                    assert more_columns == sum(bool(column.head) for column in missing)
                    break
            else:
                raise AssertionError(f"no columns in their order: {body}")

    each(check)


# The same numbers go through every kind of value to every writer: one text everywhere, and the short one agrees.


FLOATS = st.one_of(
    st.none(),
    st.floats(-1e15, 1e15),
    st.floats(-2, 2),
    st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -0.0, 0.5, 999.5, 1e15]),
    st.integers(-(10**15), 10**15),
    st.floats(-2, 2, width=32).map(np.float32),
    st.sampled_from([np.float64("nan"), np.float32("inf"), np.int64(7), np.int8(-3), np.float64(0.125)]),
)
POSITIVE = FLOATS.map(lambda value: value if value is None else abs(value))
SHARES = st.one_of(
    st.none(),
    st.floats(0, 1),
    st.sampled_from(
        [math.nan, math.inf, 0, 1, np.float64("nan"), np.int64(1), np.float32(0.57), 1e-9, 1 - 1e-9, 0.005]
    ),
    st.floats(0, 1, width=32).map(np.float32),
)
NAMES = st.text(st.sampled_from("abc漢字é|\\<&>*_-−+9 "), max_size=12).map(str.strip)
COUNTS = st.one_of(st.integers(0, 10**12), st.integers(0, 100).map(np.int64))
OF_SHARES = (Share, values.Fine, values.Bar, values.Likelihood, values.Level, values.Progress, Tenths, Superiority)
OF_NUMBERS = (
    values.Count, values.Result, values.Mean, values.Score, values.Elo, values.Typed, values.Difference, Decided,
    TreeValue, ShortScore, LogRatio, Cents,
)  # fmt: skip
OF_SIZES = (values.Seconds, values.Duration, values.Clock, values.Bytes, values.Pace, Rate, Ratio, Games, Rough)
KINDS: dict[str, st.SearchStrategy[Value]] = {
    "Word": st.builds(Word, NAMES, NAMES),
    "Inked": st.builds(lambda *texts: blocks.Inked(*((text, Ink.GOOD) for text in texts)), NAMES, NAMES),
    "Nothing": st.just(values.NOTHING),
    "Keys": st.builds(values.Keys, st.dictionaries(st.sampled_from("abc"), COUNTS)),
    "Raw": st.builds(values.Raw, st.one_of(st.none(), NAMES, st.integers(), st.booleans(), st.just(np.bool_(True)))),
    "Named": st.builds(values.Named, COUNTS, st.just("ply"), st.just("plies")),
    "Within": st.builds(values.Within, SHARES.filter(lambda one: one is not None), st.floats(0, 1)),
    "EloRange": st.builds(values.EloRange, FLOATS, st.none() | st.floats(-3000, 3000), st.none() | st.floats(-9, 9)),
    "Ending": st.builds(values.Ending, st.sampled_from([None, "wins", "loses"]), st.none() | COUNTS),
    "Part": st.builds(Part, COUNTS, COUNTS),
    "Believed": st.builds(Believed, st.none() | st.builds(Belief, st.sampled_from(BeliefKind), st.floats(-1, 1))),
    "Sign": st.builds(Sign, NAMES),
    **{kind.__name__: st.builds(kind, SHARES) for kind in OF_SHARES},
    **{kind.__name__: st.builds(kind, FLOATS) for kind in OF_NUMBERS},
    **{kind.__name__: st.builds(kind, POSITIVE) for kind in OF_SIZES},
}
ROUNDED_DOWN = ("Progress",)
NO_NUMBERS = ("Bar", "Word", "Inked", "Sign", "Raw", "Keys")


def kinds() -> set[str]:
    """The kinds of values of the package, by its classes."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        if re.search(r"^from nimtui\.(report\.values|theory\.report) import", text, re.M) and "\nclass " in text:
            import_module(".".join(("nimtui", *path.relative_to(PACKAGE).with_suffix("").parts)))
    return set(subclasses(Value)) - {"Number"}


def subclasses(kind: type) -> Iterator[str]:
    for one in kind.__subclasses__():
        if one.__module__.startswith("nimtui."):
            yield one.__name__
            yield from subclasses(one)


def test_every_kind_of_value_is_tried() -> None:
    assert kinds() == set(KINDS)


VALUES = st.sampled_from(sorted(KINDS)).flatmap(lambda kind: KINDS[kind])


@settings(max_examples=examples(200), deadline=None)
@given(VALUES)
def test_every_writer_has_the_same_text(value: Value) -> None:
    table = Table(
        "rows", [Column("name", lambda _: Word("row"), "name"), Column("value", lambda _: value, "value")], [0]
    )
    report = Report([Figures([Figure("figure", value, "figure")]), table])
    figure, _, row = ("".join(run.text for run in line).rstrip() for line in cells(report))
    assert figure == f"figure  {value.text}".rstrip()
    assert " ".join(row.split()) == " ".join(f"row {value.text}".split())
    items, _, *lines = markdown(report).splitlines()
    assert items == (f"- figure: {value.text}" if value.text else "- figure")
    cell = re.fullmatch(r"\| row \| (.*) \|", lines[2])
    assert cell is not None and not re.search(r"(?<!\\)(\\\\)*\|", cell[1])
    assert re.sub(r"\\([\\|])", r"\1", cell[1]) == value.text
    page = [unescape(text) for text in re.findall("<t[dh][^>]*>([^<]*)<", html_of(report))]
    assert page == ["figure", value.text, "name", "value", "row", value.text]
    said = list(spoken(report))
    named = [("Figure", "Figure: "), ("row", "row: value ")]
    wanted = [f"{before}{value.spoken}." if value.spoken else f"{name}." for name, before in named]
    assert list(map(squeezed, said)) == list(map(squeezed, wanted))
    keys = read_back(document(report))
    [sheet] = csv.DictReader(io.StringIO(csv_of(table)))
    assert {**value.keys("value"), "name": "row"}.keys() == keys["rows"][0].keys()
    for name, raw in keys["rows"][0].items():
        if isinstance(raw, int | float):
            assert json.loads(sheet[name]) == raw
        elif not isinstance(raw, dict):
            assert sheet[name].removeprefix("'") == (raw or "").removeprefix("'")


@settings(max_examples=examples(200), deadline=None)
@given(VALUES)
def test_the_short_text_agrees_with_the_long_one_and_both_with_the_number(value: Value) -> None:
    kind = type(value).__name__
    assert wide(value.short) <= wide(value.text) or kind in ("Word", "Believed")
    number = getattr(value, "value", None)
    unknown = kind in KINDS and isinstance(value, Number | Share) and (number is None or math.isnan(number))
    if unknown and kind not in ("Games", *NO_NUMBERS):
        assert (value.text, value.short, value.spoken) == ("–", "–", "unknown") and value.raw is None
    long, short = read(value.text), read(value.short)
    if long is not None and short is not None and kind not in NO_NUMBERS:
        assert long.meets(short)
    if long is not None and isinstance(number, int | float | np.number) and kind not in (*NO_NUMBERS, *ROUNDED_DOWN):
        assert long.holds(float(number))
        assert value.raw is None or long.holds(float(value.raw))


@settings(max_examples=examples(60), deadline=None)
@given(NAMES.filter(bool), st.lists(NAMES, max_size=20).map(" ".join), st.sampled_from(WIDTHS))
@example("漢" * 40, "字" * 90, 34)
def test_wide_letters_stay_within_the_room(name: str, words: str, columns: int) -> None:
    told = f"{name} plays a1. {words}"
    blocks = [Heading(told), Sentence(told), Figures([Figure(name, Word(told)), Figure("9", Word(name))])]
    for block in blocks:
        lines = ["".join(run.text for run in line) for line in cells(Report([block]), columns)]
        assert [line for line in lines if wide(line.rstrip()) > columns] == []
        assert squeezed("".join(lines)) == squeezed(told if not isinstance(block, Figures) else f"{name}{told}9{name}")
