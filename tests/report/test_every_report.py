"""Every report says the same in every writer, and loses in narrow rooms only what its ranks say.

What the writers write is read back here: Markdown, HTML, CSV and JSON by their own rules, lines by their signs.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from nimtui.report import document, tables
from nimtui.report.blocks import (
    Block,
    Figures,
    Group,
    Heading,
    Picture,
    Report,
    Sentence,
    Table,
    Words,
)
from nimtui.report.cells import cells, spoken
from nimtui.report.values import Value, Word
from tests.report.figures import WIDTHS, read, squeezed, wide
from tests.report.made import PACKAGE, modules, reports
from tests.report.reading import HIDDEN, Page, cuts, in_order, markdown_tables, read_rows, seen, shown

SOME_WIDTHS = [pytest.param(columns, marks=[pytest.mark.slow] * (columns in (60, 120))) for columns in WIDTHS]
# Panels that paint a few lines of blocks at once; tests/ui paints them.
PANELS = {
    "cli/standing_table.py:picture",
    "ui/library/conductor.py:done",
    "ui/library/conductor.py:read",
    "ui/library/view.py:_in_pairs",
    "ui/library/view.py:_details",
    "ui/library/view.py:empty",
    "ui/library/view.py:listing",
    "ui/play/lesson.py:draw",
    "ui/play/view.py:_thoughts",
    "ui/play/view.py:ruled",
    "ui/play/view.py:thoughts_paint",
    "ui/play/view.py:_at_depth",
    "ui/search/view.py:root_moves",
    "ui/search/view.py:why",
    "ui/sweep/view.py:figures",
    "ui/tournament/pairing_view.py:results",
}


# All reports.


def makers() -> tuple[set[str], set[str]]:
    """The functions of the package that promise a report by their annotation, and those that call `Report`."""
    promising, calling = set(), set()
    for path, tree in modules().items():
        if not re.search(r"\bReport\b", (PACKAGE / path).read_text("utf-8")):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            name = f"{path}:{node.name}"
            if node.returns is not None and "Report" in ast.unparse(node.returns).split(" | "):
                promising.add(name)
            if any(isinstance(call, ast.Call) and ast.unparse(call.func) == "Report" for call in ast.walk(node)):
                calling.add(name)
    return promising, calling


def test_every_function_that_gives_a_report_is_tried() -> None:
    promising, calling = makers()
    tried = set().union(*(made.makers for made in reports()))
    assert len(promising) > 20
    assert sorted(promising - tried) == [], "make these reports in tests/report/made.py"
    assert sorted(calling - tried - PANELS) == [], "make these reports in tests/report/made.py"
    assert sorted(PANELS - calling) == [], "these make no report"


def flat(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield from flat(block.blocks) if isinstance(block, Group) else [block]


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


# The same in every writer.


def test_a_pipe_has_every_word_and_every_figure() -> None:
    def check(report: Report) -> None:
        lines = [squeezed(text) for text in written(report)]
        for block in flat(report.blocks):
            match block:
                case Heading(text):
                    assert squeezed(text) in lines
                case Sentence(text):
                    assert squeezed(text) in "".join(lines)
                case Words(words):
                    assert set(map(squeezed, words)) <= set(lines)
                case Figures(rows):
                    for row in rows:
                        assert squeezed(row.label + row.value.text + row.note) in lines
                case Table():
                    shown(block, written(Report([block])), block.wide or None)

    each(check)


def test_every_figure_is_said() -> None:
    def check(report: Report) -> None:
        said = iter(spoken(report))
        for wanted in sayings(report):
            sentence = next(said, "")
            at = 0
            for part in wanted:
                assert part in sentence[at:], (wanted, sentence)
                at = sentence.index(part, at) + len(part)
        assert not list(said)

    each(check)


def sayings(report: Report) -> Iterator[list[str]]:
    """What has to be said, sentence by sentence, and in this order."""
    for block in flat(report.blocks):
        table = table_of(block)
        match block:
            case Heading(text) | Sentence(text):
                yield [text]
            case Words(lines, instead):
                yield from ([line] for line in ([instead] if instead else lines))
            case Figures(rows):
                yield from ([row.label[1:], row.value.spoken, *re.findall(r"\w+", row.note)] for row in rows)
        for row in [] if table is None else read_rows(table):
            values = [column.value(row) for column in seen(table)]
            if parts := [value.spoken for value in values if value.spoken]:
                yield parts


def test_what_is_said_has_every_digit_that_is_shown() -> None:
    """A value may leave out that it is a picture; a word may have other words of its own."""

    def check(report: Report) -> None:
        for value in values_of(report):
            if value.spoken and not (isinstance(value, Word) and value.said):
                assert re.findall(r"\d+", value.text) == re.findall(r"\d+", value.spoken), value
                assert not re.search("[−±≤≥–]", value.spoken) or isinstance(value, Word), value

    each(check)


def values_of(report: Report) -> Iterator[Value]:
    for block in flat(report.blocks):
        if isinstance(block, Figures):
            yield from (row.value for row in block.rows)
        table = table_of(block)
        if table is not None:
            yield from (column.value(row) for column in seen(table) for row in table.rows)


def test_markdown_has_every_cell_and_every_figure() -> None:
    def check(report: Report) -> None:
        text = tables.markdown(report)
        assert "sooner over" not in text, "the legend of a picture, which Markdown does not have"
        for block, rows in zip(tables_of(report), markdown_tables(text), strict=True):
            columns = seen(block)
            assert rows[0] == [(column.head or "").strip() for column in columns]
            assert rows[1] == [":--" if column.left else "--:" for column in columns]
            assert rows[2:] == [[column.value(row).text.strip() for column in columns] for row in read_rows(block)]
        lines = set(text.splitlines())
        for other in flat(report.blocks):
            match other:
                case Heading(title):
                    assert f"## {title}" in lines
                case Sentence(sentence):
                    assert sentence in text
                case Words(words):
                    assert "\n".join(words) in text
                case Figures(rows):
                    for row in rows:
                        told = row.value.text + (f" ({row.note})" if row.note else "")
                        assert "- " + ": ".join(part for part in (row.label, told) if part) in lines

    each(check)


def test_a_notebook_has_every_cell_and_every_figure() -> None:
    def check(report: Report) -> None:
        page = Page(tables.html_of(report))
        found = iter(page.tables)
        for block in flat(report.blocks):
            table = table_of(block)
            if table is not None:
                columns, (head, *body) = seen(table), next(found)
                assert head == [column.head for column in columns]
                assert body == [[column.value(row).text for column in columns] for row in read_rows(table)]
            match block:
                case Figures(rows):
                    wanted = [[row.label, row.value.text, *filter(None, [row.note])] for row in rows]
                    assert next(found) == wanted
                case Heading(text) | Sentence(text) if text:
                    assert text in page.texts
                case Words(lines):
                    assert "\n".join(lines) in page.texts
        assert next(found, None) is None

    each(check)


def test_a_document_has_the_numbers_that_are_shown() -> None:
    """A figure with a key stands for the number under that key, to half of its last digit."""

    def check(report: Report) -> None:
        keys = json.loads(document.text(document.document(report)))
        for inside, block in placed(report.blocks, keys):
            if isinstance(block, Figures):
                for row in block.rows:
                    agrees(row.value, inside, row.key)
            table = table_of(block)
            if table is None or not table.key:
                continue
            rows = inside[table.key]
            assert len(rows) == len(table.rows)
            for row, raw in zip(table.rows, rows, strict=True):
                for column in table.columns:
                    agrees(column.value(row), raw, column.key)

    each(check)


def placed(blocks: Sequence[Block], keys: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Block]]:
    """Each block with the document that it is part of."""
    for block in blocks:
        if isinstance(block, Group):
            yield from placed(block.blocks, keys[block.key] if block.key else keys)
        else:
            yield keys, block


def agrees(value: Value, keys: Mapping[str, Any], key: str) -> None:
    """Hold a value against what a document has under its key."""
    number = keys.get(key)
    if not key or (text := read(value.text)) is None or isinstance(number, str | list | dict | None):
        return
    assert text.holds(number), (key, value, number)


def test_a_sheet_has_the_values_of_the_document() -> None:
    def check(report: Report) -> None:
        keys = json.loads(document.text(document.document(report)))
        for inside, block in placed(report.blocks, keys):
            table = table_of(block)
            if table is None or not table.key:
                continue
            sheet = list(csv.reader(io.StringIO(tables.csv(table))))
            rows = [list(leaves(row)) for row in inside[table.key]]
            assert len(sheet) == len(rows) + 1 and len(set(map(len, sheet))) <= 1
            for cells_of, row in zip(sheet[1:], rows, strict=True):
                told = dict(zip(sheet[0], cells_of, strict=True))
                for name, raw in row:
                    same(told.pop(name), raw)
                assert not any(told.values()), "keys of other rows"

    each(check)


def leaves(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The keys of a row and of the documents within."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from ((f"{key}_{name}", raw) for name, raw in value.items())
        else:
            yield key, value


def same(text: str, raw: Any) -> None:
    """Hold the cell of a sheet against a value; a text that a spreadsheet would run has an apostrophe in front."""
    match raw:
        case None:
            assert text == ""
        case bool():
            assert text == str(int(raw))
        case int() | float():
            assert float(text) == raw
        case str():
            assert text.removeprefix("'") == raw.removeprefix("'")
        case _:
            assert ast.literal_eval(text.removeprefix("'")) == raw


# In every room.


@pytest.mark.parametrize("columns", SOME_WIDTHS)
def test_every_report_stays_within_its_room(columns: int) -> None:
    def check(report: Report) -> None:
        lines = written(report, columns)
        assert [line for line in lines if wide(line.rstrip()) > columns] == []
        parts = [written(Report([block]), columns) for block in flat(report.blocks)]
        assert lines == [line for part in parts for line in part]
        for block, part in zip(flat(report.blocks), parts, strict=True):
            whole(block, part, columns)

    each(check)


def whole(block: Block, lines: Sequence[str], columns: int) -> None:
    """Hold the lines of a block against all that it says: only columns of a rank and ends of names go."""
    text = squeezed("".join(lines))
    match block:
        case Heading(said) | Sentence(said):
            assert text == squeezed(said)
        case Words(words):
            for word, line in zip(words, lines, strict=True):
                assert line.rstrip() == word.rstrip() or word.startswith(line.removesuffix(HIDDEN))
        case Figures(rows):
            assert text == squeezed("".join(row.label + row.value.text + row.note for row in rows))
        case Table():
            shown(block, lines, columns)


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
