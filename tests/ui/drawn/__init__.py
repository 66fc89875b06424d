"""What painters draw, text and inks, compared with what they drew when somebody last looked at it.

Each section of a file here is one picture: a line of text after `|`, and below it after `'` the inks, a letter each
(LETTERS; `.` is plain text), and after `_` the grounds. `NIMTUI_DRAW=1 pytest FILE` writes the sections of a test file
again: read the difference. That the drawn sentences are true is held by the tests that count again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path

from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.report.document import document
from nimtui.report.lines import Ink, Line, line, plain_text, width

FOLDER = Path(__file__).parent
LETTERS = dict(zip(Ink, ".qtcskpw#rxgbofj=12h|:AB-!+%&*~/^34567_", strict=True))


def section(lines: Iterable[Line]) -> str:
    """Return the lines as they stand in a file."""
    rows = []
    for shown in lines:
        rows.append(f"|{plain_text(shown)}")
        inks = "".join(LETTERS[run.ink] * len(run.text) for run in shown)
        if inks.strip("."):
            rows.append(f"'{inks}")
        grounds = "".join((LETTERS[run.ground] if run.ground else ".") * len(run.text) for run in shown)
        if grounds.strip("."):
            rows.append(f"_{grounds}")
    return "\n".join(rows)


def targets(lines: Iterable[Line]) -> list[list[object]]:
    """Return what a click on each cell of these lines acts on, [line][column]."""
    return [[run.target for run in shown for _ in run.text] for shown in lines]


def clicked(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, and below them on what clicks act: a letter for each, in the order of their names."""
    found = targets(lines)
    names = sorted({str(target) for row in found for target in row if target is not None})
    letter = {name: chr(ord("a") + at % 26) for at, name in enumerate(names)}
    rows = ["".join(letter.get(str(target), " ") for target in row).rstrip() for row in found]
    return [*lines, *(line(f"{len([*same])} × {row}") for row, same in groupby(rows))]


def limits(layout: Callable[[int, int], object], columns: Iterable[int], rows: Iterable[int]) -> list[Line]:
    """Return for each number of rows the layouts, each with the first number of columns that has it."""
    texts: list[tuple[int, str]] = []
    for room in rows:
        changes, last = list[str](), ""
        for wide in columns:
            if (text := str(layout(wide, room))) != last:
                changes.append(f"{wide}: {text}")
                last = text
        texts.append((room, " | ".join(changes)))
    groups = [(text, [room for room, _ in same]) for text, same in groupby(texts, key=lambda each: each[1])]
    return [line(f"{rooms[0]}–{rooms[-1]} rows: {text}") for text, rooms in groups]


def outline(lines: Iterable[Line]) -> str:
    """Return the width of each line, with how many lines have it: '2×40 17'."""
    widths = [(wide, len([*same])) for wide, same in groupby(map(width, lines))]
    return " ".join(f"{many}×{wide}" if many > 1 else f"{wide}" for wide, many in widths)


def sections(file: Path) -> dict[str, str]:
    """Return the sections of a file by their names."""
    text = file.read_text("utf-8") if file.exists() else ""
    parts = (part.partition("\n") for part in f"\n{text}".split("\n## ")[1:])
    return {name: body.removesuffix("\n").removesuffix("\n") for name, _, body in parts}


def as_drawn(file: str, name: str, lines: Iterable[Line]) -> None:
    """Hold these lines against the section of this name in a file of this folder."""
    path, picture = FOLDER / f"{file}.txt", section(lines)
    known = sections(path)
    if os.environ.get("NIMTUI_DRAW"):
        known[name] = picture
        path.write_text("\n".join(f"## {name}\n{body}\n" for name, body in known.items()), "utf-8")
    assert picture == known.get(name), f"{file}: {name}"


def as_written(file: str, name: str, text: str) -> None:
    """Hold a text against its section; figures that a computer may round otherwise have six digits."""
    rounded = re.sub(r"\d+\.\d{6,}", lambda figure: f"{float(figure[0]):.6g}", text)
    as_drawn(file, name, map(line, rounded.splitlines()))


def as_reported(file: str, name: str, report: Report, *columns: int) -> None:
    """Hold a report against its sections: in lines of so many columns each, and its document, a line for each key."""
    for room in columns:
        as_written(file, f"{name}, {room} columns", "\n".join(map(plain_text, cells(report, room))))
    keys = {key: json.dumps(value, ensure_ascii=False) for key, value in document(report).items() if key != "version"}
    as_written(file, f"{name}, document", "\n".join(f"{key}: {value}" for key, value in keys.items()))
