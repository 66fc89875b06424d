"""`nimtui book`: shows, checks and makes books of openings of connect games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from nimtui.cli import completion, options, output
from nimtui.cli.background import detach
from nimtui.cli.bar import Bar
from nimtui.cli.output import check_writable, tell
from nimtui.errors import InputError
from nimtui.foreign.reading import is_there
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.theory.book import Book

Board = Annotated[
    str | None,
    options.argument("[GAME]", "The connect game of a new book. [default: connect4]", complete=completion.games),
]
File = Annotated[
    Path | None,
    options.file_option("file", "The book to show; with --plies, to make or to resume."),
]
Plies = Annotated[
    int | None,
    options.option(
        "--plies", "N", "Make the book up to N plies. May take hours.", parser=options.whole("the plies", 0, 62)
    ),
]
Scratch = Annotated[
    bool,
    options.flag("--scratch", "Begin a new file with no score of the book in nimtui."),
]


@options.examples("""\
nimtui book
nimtui book connect4:6x5 --plies 7 --file small.book
nimtui book --plies 9 --file deep.book --memory 256M
nimtui book --file deep.book --json""")
def book(
    game: Board = None,
    file: File = None,
    plies: Plies = None,
    scratch: Scratch = False,
    memory: options.Memory = None,
    threads: options.Threads = None,
    background: options.Background = False,
    json: options.Json = False,
) -> None:
    """Show, check or make a book of openings.

    A book holds the exact score of every position in the first plies. Without options: the book of Connect Four that
    comes with nimtui, whose answers need no search. Ctrl+C keeps what is found; the same command resumes."""
    from nimtui.theory import book as books
    from nimtui.theory.book.book import report

    if plies is None:
        if game is not None or scratch or memory is not None or threads is not None:
            raise InputError("to make a book, name --plies and --file")
        openings, name = (books.shipped(), "nimtui") if file is None else (books.read(file), file.name)
    else:
        if background:
            if file is None:
                raise InputError("--background needs --file")
            detach("book", file)
            return
        openings, name = _make(game, file, plies, scratch, memory, threads), ""
    output.report(report(openings, name), json)


def _make(
    game: str | None, file: Path | None, plies: int, scratch: bool, memory: int | None, threads: int | None
) -> Book:
    from nimtui.engine.connect import Solver
    from nimtui.games.connect import Connect
    from nimtui.jobs.book import Making
    from nimtui.jobs.work import Work
    from nimtui.theory import Patience

    if file is None:
        raise InputError("--plies makes a book: name its file with --file")
    check_writable(file)
    begun = _begun(game, file, plies, scratch)
    start = begun.game.start
    assert isinstance(start, Connect)
    usual = Patience()
    solver = Solver(start, memory or usual.memory, threads or usual.threads)

    task = Making(begun, plies, solver, file)
    with Bar("book") as bar:
        try:
            Work.here(task, bar)
            return task.book
        except Cancelled:
            tell(f"{file.name} keeps what was found; the same command resumes")
            raise


def _begun(game: str | None, file: Path, plies: int, scratch: bool) -> Book:
    """Return the book of the file as far as it is made, or the beginning of a new one."""
    from nimtui.games import parse_game
    from nimtui.theory import book as books

    wanted = parse_game(game or "connect4")
    if is_there(file):
        begun = books.read(file)
        if game is not None and begun.game.name != wanted.name:
            raise InputError(f"{file.name} is a book of {begun.game.name}, not of {wanted.name}: name another file")
        if scratch:
            raise InputError(f"{file.name} already exists: --scratch is for a new file")
        return begun
    shipped = books.shipped()
    if scratch or shipped.game.name != wanted.name:
        return books.empty(wanted, plies)
    return books.Book(shipped.game, [scores.copy() for scores in shipped.scores[: plies + 1]])
