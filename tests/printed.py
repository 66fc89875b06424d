"""What a report prints, each sentence on one line."""

from __future__ import annotations

from collections.abc import Iterator

from nimtui.report.blocks import Report, Sentence, Table
from nimtui.report.cells import flat, lines, table_lines
from nimtui.report.lines import plain_text


def printed(report: Report) -> Iterator[str]:
    """Give the lines of a report without the empty ones, stripped."""
    for block in flat(report.blocks):
        if isinstance(block, Sentence):
            texts = [block.text]
        else:
            shown = table_lines(block, None) if isinstance(block, Table) else lines(block, None)
            texts = list(map(plain_text, shown))
        yield from filter(None, map(str.strip, texts))
