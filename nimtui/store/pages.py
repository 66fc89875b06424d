"""Read the rows of a SQLite file from its pages, without the trees that lead to them.

One damaged page of a tree hides all pages below it from SQLite, and one damaged cell hides its page. Here every cell
that is whole gives its row. See https://sqlite.org/fileformat2.html for the format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from nimtui.store.connections import PAGE

INNER, INDEX, TABLE = 2, 10, 13  # the kinds of pages whose cells have rows
HEADS = {INNER: 12, INDEX: 8, TABLE: 8}  # bytes before the places of the cells
WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # bytes of a value, by its type; 12 and more are texts and blobs
FLOAT, ONE, FIRST_BLOB = 7, 9, 12
LEAST = (PAGE - 12) * 32 // 255 - 23  # bytes of a long row that stay in its cell
MOST = {TABLE: PAGE - 35, INDEX: (PAGE - 12) * 64 // 255 - 23, INNER: (PAGE - 12) * 64 // 255 - 23}

Record = tuple[int, tuple[Any, ...]]


def records(whole: bytes) -> Iterator[Record]:
    """Yield the number (0 in an index) and the values of each row in the pages of a file, damaged rows too.

    Leaves out pages that are free: they have rows that were deleted.
    """
    free = _free(whole)
    for number in range(2, len(whole) // PAGE + 1):
        page = _page(whole, number)
        kind = page[0]
        if kind not in HEADS or number in free:
            continue
        for place in range(HEADS[kind], min(HEADS[kind] + 2 * _whole(page[3:5]), PAGE), 2):
            try:
                record = _record(whole, page, kind, _whole(page[place : place + 2]))
            except (LookupError, ValueError, struct.error):
                continue
            yield record


def _free(whole: bytes) -> set[int]:
    free, trunk = set[int](), _whole(whole[32:36])
    while 1 < trunk <= len(whole) // PAGE and trunk not in free:
        page = _page(whole, trunk)
        leaves = min(_whole(page[4:8]), PAGE // 4 - 2)
        free |= {trunk, *struct.unpack_from(f">{leaves}I", page, 8)}
        trunk = _whole(page[:4])
    return free


def _record(whole: bytes, page: bytes, kind: int, at: int) -> Record:
    size, at = _varint(page, at + 4 * (kind == INNER))
    number, at = _varint(page, at) if kind == TABLE else (0, at)
    here = size
    if size > MOST[kind]:
        here = LEAST + (size - LEAST) % (PAGE - 4)
        here = here if here <= MOST[kind] else LEAST
    data, following = page[at : at + here], page[at + here : at + here + 4]
    while len(data) < size:  # the rest is in further pages
        if not 1 < _whole(following) <= len(whole) // PAGE:
            raise ValueError("its row is longer than the file")
        more = _page(whole, _whole(following))
        data, following = data + more[4 : 4 + size - len(data)], more[:4]
    return number, tuple(_values(data))


def _values(data: bytes) -> Iterator[Any]:
    end, at = _varint(data, 0)
    start = end
    while at < end:
        kind, at = _varint(data, at)
        part = data[start : start + (WIDTHS[kind] if kind < FIRST_BLOB else (kind - FIRST_BLOB) // 2)]
        start += len(part)
        if kind >= FIRST_BLOB:
            yield part.decode() if kind % 2 else part
        elif kind == FLOAT:
            yield struct.unpack(">d", part)[0]
        else:
            yield int.from_bytes(part, "big", signed=True) + (kind == ONE) if kind else None


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and the place after it."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 127
        if data[place] < 128:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _page(whole: bytes, number: int) -> bytes:
    return whole[(number - 1) * PAGE : number * PAGE]


def _whole(data: bytes) -> int:
    return int.from_bytes(data, "big")
