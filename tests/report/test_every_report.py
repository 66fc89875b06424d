"""Every report says the same in every writer, and loses in narrow rooms only what its ranks say.

What the writers write is read back here: Markdown, HTML, CSV and JSON by their own rules, lines by their signs.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from nimtui.report import document
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
from nimtui.report.cells import cells
from nimtui.report.values import Value
from tests.report.figures import WIDTHS, read, squeezed, wide
from tests.report.made import PACKAGE, modules, reports
from tests.report.reading import HIDDEN, cuts, in_order, read_rows, seen, shown

SOME_WIDTHS = [pytest.param(columns, marks=[pytest.mark.slow] * (columns in (60, 120))) for columns in WIDTHS]
# Panels that paint a few lines of blocks at once; tests/ui paints them.
PANELS = {
    "cli/bar.py:picture",
    "ui/library/conductor.py:done",
    "ui/library/conductor.py:read",
    "ui/library/view.py:_in_pairs",
    "ui/library/view.py:_details",
    "ui/library/view.py:empty",
    "ui/library/view.py:listing",
    "ui/play/lesson.py:draw",
    "ui/play/view.py:_thoughts",
    "ui/play/view.py:thoughts_paint",
    "ui/play/reasons.py:_at_depth",
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


# Of students' files and of runs in other processes: tests/programs and tests/cli/test_runs.py make and read them.
APART = {
    "arena/classes/results.py:page",
    "arena/classes/results.py:report",
    "arena/classes/results.py:whole",
    "jobs/classes.py:report_of",
    "check/grade.py:report",
    "jobs/runs_report.py:run",
    "jobs/runs_report.py:runs",
}


def test_every_function_that_gives_a_report_is_tried() -> None:
    promising, calling = makers()
    tried = APART.union(*(made.makers for made in reports()))
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
