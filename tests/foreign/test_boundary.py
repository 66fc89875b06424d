"""What JSON, a path, a cell and a time may be, and what is said of one that cannot be."""

from __future__ import annotations

import csv
import io
import math
import os
import time
from pathlib import Path
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.foreign import reading, values
from nimtui.foreign.reading import check_folder, named, new_file
from nimtui.report import document


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "nested too deep"),
        ("[" * 60 + "]" * 60, "nested deeper than 50"),
        ('{"a": 1, "a": 2}', "a key twice"),
        ('{"a": NaN}', "the number NaN"),
        ('{"a": -Infinity}', "the number -Infinity"),
        ('{"a": 1e999}', "too large"),
        ("1" * 5_000, "too large"),
        ('{"a": }', "line 1, column 7"),
        (b"\xff", "not text in UTF-8"),
        ("[1]", "not an object"),
    ],
)
def test_json_that_is_not_accepted_is_named(text: Any, why: str) -> None:
    with pytest.raises(reading.WrongDocument, match=why):
        reading.parse_object(text)
    deepest = "[" * 52 + "]" * 52
    assert reading.parse(deepest[1:-1]) and reading.parse("[NaN, 1e999]", finite=False)[1] == math.inf
    with pytest.raises(reading.WrongDocument, match="nested deeper than 50"):
        reading.parse(deepest)
    assert reading.parse_object(b'\xef\xbb\xbf{"a": [1.5]}') == {"a": [1.5]}


CELLS = [
    *(("=1+1", "'=1+1"), ("+x", "'+x"), ("-cmd", "'-cmd"), ("@SUM(1)", "'@SUM(1)"), ("\tx", "'\tx"), ("\rx", "'\rx")),
    *(("  =x", "'  =x"), ("\u200b=x", "'\u200b=x"), ("＝x", "'＝x"), ("'=x", "''=x")),
    *(("-1", "-1"), ("+1.5e-3", "+1.5e-3"), (-1, "-1"), (-0.5, "-0.5"), ("", ""), (None, "")),
    *(("a=b", "a=b"), ("nim:3,5", "nim:3,5")),
]


def test_a_sheet_has_its_head_its_rows_and_values_in_their_columns_and_a_spreadsheet_runs_no_cell() -> None:
    out = io.StringIO(newline="")
    written = document.Sheet(out, ["a", "b"])
    written.rows([[1, "x"], ["y\rz", None]])
    written.keyed({"b": 2, "c": 3})
    assert out.getvalue() == 'a,b\n1,x\n"y\rz",""\n,2\n'
    written.rows([[value, "end"] for value, _ in CELLS])
    rows = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert rows[4:] == [[text, "end"] for _, text in CELLS]


def test_a_new_file_is_named_in_a_folder_that_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert new_file(f" {tmp_path}/a.CSV ", (".csv", ".json")) == tmp_path / "a.CSV"
    (tmp_path / "file").touch()
    (tmp_path / "link.csv").symlink_to(tmp_path / "gone")
    for text, says in (
        (" ", "the file name is empty: name a file, for example name.csv or name.json"),
        (f"{tmp_path}/a.txt", r"the name must end in \.csv or \.json"),
        (f"{tmp_path}/no/a.csv", f"there is no folder {tmp_path}/no"),
        (f"{tmp_path}/file/a.csv", f"there is no folder {tmp_path}/file"),
        (f"{tmp_path}/link.csv", "this file already exists"),
        (f"{tmp_path}/{'a' * 300}.csv", "is not a valid file name: file name too long"),
        (f"{tmp_path}/a\0.csv", "is not a valid file name: it has characters that are not allowed in names"),
        (f"{tmp_path}/a\ud800.csv", "is not a valid file name: it has characters that are not allowed in names"),
        (f"{tmp_path}/{'a/' * 3000}b.csv", "is not a valid file name: file name too long"),
    ):
        with pytest.raises(InputError, match=says) as wrong:
            new_file(text, (".csv", ".json"))
        assert len(str(wrong.value)) < 220 and str(wrong.value).isprintable()
    monkeypatch.setattr(os, "access", lambda folder, how: how != os.W_OK | os.X_OK)
    with pytest.raises(InputError, match=f"the folder {tmp_path} is read-only"):
        check_folder(tmp_path / "a.csv")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(InputError, match="current folder has been deleted"):
        check_folder(Path("a.csv"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert named("~/a.csv") == tmp_path / "a.csv"
    assert named("~nobody-of-this-name/a.csv") == Path("~nobody-of-this-name/a.csv")


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "UTC"])
@pytest.mark.parametrize("when", [values.FIRST_DATE, values.LAST_DATE, -(10**20), 10**20, float("nan"), "x", None])
def test_any_time_is_shown_in_any_zone(zone: str, when: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        shown = values.moment(when)
        known = isinstance(when, int) and values.FIRST_DATE <= when <= values.LAST_DATE
        assert (shown[:4] in ("0001", "9999")) if known else shown == "unknown"
        assert values.recently(when) and (values.utc(when) is None) != known
    finally:
        monkeypatch.undo()
        time.tzset()


def test_only_files_are_opened_and_none_that_is_too_large(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"")
    os.truncate(tmp_path / "large", 10**10)
    for path, why in (
        (tmp_path, "a folder"),
        (tmp_path / "pipe", "a pipe"),
        (Path("/dev/zero"), "a device"),
        (tmp_path / "large", "10 GB; the limit is 1 MB"),
    ):
        with pytest.raises(InputError, match=why):
            reading.opened(path, reading.MEGABYTE)
