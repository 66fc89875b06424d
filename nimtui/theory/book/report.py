"""What `book` tells of a book: how many positions it holds, and who wins them."""

from __future__ import annotations

from nimtui.games.notation import plural
from nimtui.games.place import Place
from nimtui.report.blocks import Block, Column, Gap, Heading, Report, Sentence, Table
from nimtui.report.values import Count
from nimtui.theory.book.book import Book


def report(book: Book, name: str) -> Report:
    """Return the report of a book; `name` is that of its file, '' for one that has just been made."""
    size, unknown = len(book.bytes()), book.unknown
    facts = {
        "game": book.game.name,
        "plies": book.plies,
        "bytes": size,
        "sha256": book.checksum,
        "unknown": unknown,
    }
    columns = [
        Column("plies", lambda counts: Count(counts.plies), "plies"),
        Column("positions", lambda counts: Count(counts.positions), "positions"),
        Column("first wins", lambda counts: Count(counts.won), "won"),
        Column("drawn", lambda counts: Count(counts.drawn), "drawn"),
        Column("second wins", lambda counts: Count(counts.lost), "lost"),
        Column("finished", lambda counts: Count(counts.finished), "finished"),
    ]
    blocks: list[Block] = [
        Heading(Place(book.game, book.game.start, None).title),
        Sentence(f"{name or 'The book'}: {plural(book.plies, 'ply', 'plies')}, {Count(size)} bytes", facts),
        Gap(),
        Table("counts", columns, book.counts()),
    ]
    if unknown:
        blocks += [Gap(), Sentence(f"{Count(unknown)} scores are still unknown.")]
    return Report([*blocks, Gap(), Sentence(f"sha256 {book.checksum}")])
