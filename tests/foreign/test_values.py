"""Numbers, dates, names and lines of text from outside, on both sides of every limit."""

from __future__ import annotations

import io
import math
from datetime import datetime, timedelta
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.foreign import reading, values

READ: list[tuple[Any, str, Any]] = [  # function, text, what is read; None: refused
    (values.whole, "0", 0), (values.whole, str(2**63 - 1), 2**63 - 1), (values.whole, str(2**63), None),
    (values.seconds, "0", 0.0), (values.seconds, "1.5", 1.5), (values.seconds, "-0.1", None),
    (values.seconds, "inf", None), (values.seconds, "nan", None), (values.seconds, "x", None),
    (values.seconds, "1" + "0" * 39, 1e39), (values.seconds, "1" + "0" * 40, None), (values.seconds, "١", None),
    (values.seconds, "1e999", None),
    (values.memory, "64m", 64 << 20), (values.memory, " 2GB ", 2 << 30), (values.memory, "7K", 7 << 10),
    (values.memory, "12", 12), (values.memory, "1b", 1), (values.memory, "0", None), (values.memory, "64G", 64 << 30),
    (values.memory, "65G", None), (values.memory, "1T", None),
    (values.date, "1970-01-01 00:00:01 UTC", 1), (values.date, "0001-01-01 00:00:00 UTC", values.FIRST_DATE),
    (values.date, "9999-12-31 23:59:59 UTC", values.LAST_DATE), (values.date, "2026-02-30 00:00:00 UTC", None),
    (values.date, "2026-05-31 18:30:00", None),
    *((values.date, f"{day} UTC", None) for day in ("0000-01-01 00:00:00", "10000-01-01 00:00:00", "1-01-01 00:00:00",
      "2026-06-30 23:59:61", "٢٠٢٦-01-01 00:00:00")),
    (values.name, "  a \n b ", "a b"), (values.name, " ", None), (values.name, "x" * 200, "x" * 200),
    (values.name, "x" * 201, None), (values.name, "a\x1b", None),
    (values.text, " a\tb ", "a‹09›b"), (values.text, "", None), (values.text, "x" * 10_001, None),
]  # fmt: skip


@pytest.mark.parametrize(("function", "text", "value"), READ)
def test_a_text_is_read_or_refused_in_a_line_that_names_it(function: Any, text: str, value: Any) -> None:
    if value is not None:
        assert function(text, "it") == value
        return
    with pytest.raises(InputError) as fault:
        function(text, "it")
    assert str(fault.value).startswith("it must ") and str(fault.value).isprintable() and len(str(fault.value)) < 200


def test_stored_values_are_never_refused() -> None:
    assert [values.fit_whole(value, 0, 5, 7) for value in (-1, 0, 5, 6, True, 1.0, "1")] == [7, 0, 5, 7, 7, 7, 7]
    assert [values.fit_real(value, 7.0) for value in (1.5, 3, math.inf, math.nan, True, "x", -(2**63))] == [
        1.5, 3.0, 7.0, 7.0, 7.0, 7.0, 7.0,
    ]  # fmt: skip
    assert [values.fit_text(value) for value in ("a", b"b\xff", None, 3)] == ["a", "b\ufffd", "", "3"]
    assert (values.fit_texts(["a", None]), values.fit_texts(("b",)), values.fit_texts("c")) == (["a", ""], ["b"], [])
    assert values.are_texts(["a"]) and not values.are_texts(("a",)) and not values.are_texts([1])
    assert (values.exact(3), values.exact(0.1), values.reason(KeyError()), values.reason("x" * 200, 9)[:3]) == (
        "3", "0.1", "KeyError", "xxx",
    )  # fmt: skip


def test_a_time_is_told_by_its_day() -> None:
    now = datetime.now().replace(hour=14, minute=2, second=5)
    assert values.recently(now.timestamp()) == "today 14:02"
    assert values.recently((now - timedelta(1)).timestamp()) == "yesterday 14:02"
    before = now - timedelta(2)
    assert values.recently(before.timestamp()) == f"{before:%d %b} 14:02"
    assert values.moment(now.timestamp()) == f"{now:%Y-%m-%d} 14:02" and values.moment(True) == "unknown"
    assert values.utc(1) == "1970-01-01T00:00:01" and values.utc(1.9, " ") == "1970-01-01 00:00:01"
    assert values.utc(True) is None and values.strftime(datetime(7, 1, 2), "%Y-%m") == "0007-01"


def test_lines_end_as_on_any_system_and_stay_within_their_limits() -> None:
    assert list(reading.lines(io.BytesIO(b"\xef\xbb\xbfa\r\nb\rc\n\nd"))) == ["a", "b", "c", "", "d"]
    assert list(reading.lines(io.BytesIO(b"12345\n"), 6, 6)) == ["12345"]
    sizes = {999: "999 bytes", 1000: "1 kB", 1500: "1.5 kB", 10**6: "1 MB", 999_999: "1000 kB", 10**9: "1 GB"}
    assert {number: reading.size(number) for number in sizes} == sizes
    for content, most, longest, said in (
        (b"12345\n", 5, 9, "it is larger than 5 bytes"),
        (b"a\n12345\n", 99, 5, "line 2 is longer than 5 bytes"),
        (b"a\n\0", 99, 99, "line 2 is not text: it has a zero byte"),
        (b"\xff\xfea", 99, 99, "it is text in UTF-16, not in UTF-8: save it as UTF-8"),
        (b"a\n\xef", 99, 99, "line 2 is not text in UTF-8"),
        (b"a\xed\xa0\x80", 99, 99, "line 1 is not text in UTF-8"),  # half a surrogate
    ):
        with pytest.raises(InputError, match=f"^{said}$"):
            list(reading.lines(io.BytesIO(content), most, longest))
