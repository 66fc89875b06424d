"""Every report says the same in every writer, and loses in narrow rooms only what its ranks say.

What the writers write is read back here: Markdown, HTML, CSV and JSON by their own rules, lines by their signs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from nimtui.report import document
from nimtui.report.blocks import Block, Figures, Heading, Picture, Report, Sentence, Table, Words
from nimtui.report.cells import cells, flat
from tests.examples import with_slow
from tests.report.figures import WIDTHS, squeezed, wide
from tests.report.made import PACKAGE, modules, reports
from tests.report.reading import HIDDEN, cuts, in_order, read_rows, seen, shown

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
        assert document.text(document.document(report)), "no two blocks give a key different values"
        lines = written(report, columns)
        assert columns is None or [line for line in lines if wide(line.rstrip()) > columns] == []
        parts = [written(Report([block]), columns) for block in flat(report.blocks)]
        assert lines == [line for part in parts for line in part]
        for block, part in zip(flat(report.blocks), parts, strict=True):
            whole(block, part, columns)

    each(check)


def whole(block: Block, lines: Sequence[str], columns: int | None) -> None:
    """Hold the lines of a block against all that it says: only columns of a rank and ends of names go, in no pipe."""
    text = squeezed("".join(lines))
    match block:
        case Heading(said) | Sentence(said):
            assert text == squeezed(said)
        case Words(words):
            for word, line in zip(words, lines, strict=True):
                assert line.rstrip() == word.rstrip() or (columns and word.startswith(line.removesuffix(HIDDEN)))
        case Figures(rows):
            assert columns or len(lines) == len(rows)
            assert text == squeezed("".join(row.label + row.value.text + row.note for row in rows))
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
