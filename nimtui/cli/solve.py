"""Exact values, a command for each kind.

`solve` shows who wins a position, by which moves, and why. `sequence` prints the outcomes and Grundy values of one row
of 0, 1, 2, … matches, with their period; `quotient` the misère quotient of all sums of heaps up to N. `book` shows,
checks and makes books of openings of connect games. `serve` answers other programs on stdin and stdout: it reads their
lines, and writes lines of answers, also from threads.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar, detach
from nimtui.cli.names import own_files, read_game, read_position
from nimtui.cli.output import check_writable, tell
from nimtui.errors import InputError, whole_number
from nimtui.foreign.reading import is_there
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.theory.book import Book
    from nimtui.theory.sequence_report import Row

LONGEST = 100_000  # bytes of a position


@options.examples("""\
nimtui solve tower:16
nimtui solve nim:3,5,4,2,6:misere --json
nimtui solve kayles:1,3,5,7 -p 1/111/11011/0
nimtui solve connect4:4x4 -p 1223
nimtui solve connect4 --stdin --json < positions.txt""")
def solve(
    game: options.Game,
    position: options.Position = None,
    stdin: Annotated[
        bool, options.flag("--stdin", "Solve the positions on stdin, one per line; with --json, one document per line.")
    ] = False,
    memory: options.Memory = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Solve a position exactly.

    Prints who wins and in how many plies, the Grundy value and every best move. Explains why in plain words and in
    binary. With --stdin, prints a table of many positions, or their documents."""
    from nimtui.games.connect import Connect
    from nimtui.games.rule_text import Place
    from nimtui.theory import Patience
    from nimtui.theory.report import solution

    if stdin:
        if position is not None or memory is not None or threads is not None:
            raise InputError("--stdin names the positions: leave --position, --memory and --threads out")
        (_documents if json else _table)(read_game(game))
        return
    chosen, state = read_position(game, position)
    if not isinstance(state, Connect) and (memory is not None or threads is not None):
        raise InputError(f"--memory and --threads are for connect games: {chosen.name} is solved without them")
    usual = Patience()
    patience = Patience(memory or usual.memory, threads or usual.threads)
    with Bar("solve") as bar:
        solved = solution(Place(chosen, state, position), bar, patience)
    output.report(solved.report, json)


def _table(game: Game) -> None:
    """Print the exact values of the positions on stdin."""
    from nimtui.theory import report
    from nimtui.theory.answers import values_of

    positions = list(_positions())
    with Bar("solve") as bar:
        values = values_of(game, positions, bar)
    output.report(report.listed(game, positions, values))


def _documents(game: Game) -> None:
    """Print the document of each position on stdin, as soon as it is solved; of an invalid one, what is wrong."""
    from nimtui.games.notation import plural
    from nimtui.games.rule_text import Place
    from nimtui.report.document import document, text
    from nimtui.theory.report import solution

    writer, wrong = Writer(), 0
    with Bar("solve", shown=False) as bar, closing(writer), suppress(OSError):  # which `close` raises
        for position in _positions(writer.leaving):
            try:
                keys = document(solution(Place(game, game.new(position), position), bar).report)
            except InputError as fault:
                keys, wrong = {"game": game.name, "position": position, "error": str(fault)}, wrong + 1
            writer(text(keys))
    if wrong:
        raise InputError(f"cannot solve {plural(wrong, 'position', 'positions')}: see the key error")


def _positions(leaving: int = -1) -> Iterator[str]:
    return (line.decode(errors="replace").strip() for line in read(LONGEST, leaving))


MATCHES = "matches"


@options.examples("""\
nimtui sequence subtraction:21,3:misere
nimtui sequence kayles:21 --to 170 --json
nimtui sequence --set 1,3,4 --to 60 --line
nimtui sequence octal:0.56 --to 700000 --summary
nimtui sequence octal:0.123:misere --to 60
nimtui sequence nim:1,2,N                   N runs from 0 to 20""")
def sequence(
    game: Annotated[
        str | None,
        options.argument(
            "[GAME]",
            "One heap, with or without its size: subtraction:21,3, kayles, octal:0.56, grundy:misere, nim:take=1,3. Or"
            " any game whose name has one number, your own too: that number runs from 0 to --to. N marks it in a name"
            " with several: nim:1,2,N.",
            complete=completion.games,
        ),
    ] = None,
    takes: Annotated[
        str | None,
        options.option(
            "--set",
            "NUMBERS",
            "Instead of GAME: one row from which a move takes one of these numbers of matches, e.g. 1,3,4.",
        ),
    ] = None,
    misere: Annotated[bool, options.flag("--misere", "With --set: the player who moves last loses.")] = False,
    to: Annotated[
        int,
        options.option(
            "--to", "N", "The largest number.", parser=options.whole("the largest number", 0, 1 << 23), default=True
        ),
    ] = 20,
    line: Annotated[bool, options.flag("--line", "Print the values on one line.")] = False,
    summary: Annotated[
        bool, options.flag("--summary", "Leave the values out: print the period and what else is known.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Print the values of one heap of 0 to N matches.

    Shows who wins, the Grundy values of normal play, and the period of the sequence."""
    from nimtui.theory.sequence_report import listed, one_line, period_text

    if (game is None) == (takes is None):
        raise InputError("name either a game, such as subtraction:21,3, or a set: --set 1,3,4")
    if takes is not None:
        row = _of_set(takes, misere, to)
    elif misere:
        raise InputError(f"--misere goes with --set; the game itself is named {game}:misere")
    else:
        row = _of_game(game or "", to)
    if line and not json:
        output.say(one_line(row.sequence))
        output.paragraph(period_text(row.sequence, to))
    else:
        output.report(listed(row, to, summary), json)


def _of_set(text: str, misere: bool, to: int) -> Row:
    from nimtui.theory.sequence import of_set, parse_set
    from nimtui.theory.sequence_report import Row

    takes = parse_set(text)
    *most, last = map(str, takes)
    one_of = f"{', '.join(most)} or {last}" if most else last
    title = f"One row, take {one_of} · the last match {'loses' if misere else 'wins'}"
    with Bar("sequence") as bar:
        return Row(of_set(takes, misere, to, bar), title, MATCHES, takes=takes)


def _of_game(text: str, to: int) -> Row:
    from nimtui.theory.sequence import MARK, family_of, family_values, row_of
    from nimtui.theory.sequence_report import Row

    own_files()
    heap = row_of(text)
    with Bar("sequence") as bar:
        if heap is not None:
            return Row(heap.values(to, bar), f"{heap.title}  ({heap.name})", MATCHES, heap.name)
        family = family_of(text)
        values = family_values(family, to, bar)
    if family.of is not None:
        return Row(values, f"{family.name}, positions 0 to {to:,}", "position", family.name)
    return Row(values, f"{family.name}, {MARK} = 0 to {to:,}", MARK, family.name)


@options.examples("""\
nimtui quotient octal:0.123 --to 11
nimtui quotient octal:0.123 --to 11 --sum 8,5,3 --json
nimtui quotient kayles --to 20 --most-elements 40""")
def quotient(
    game: Annotated[
        str,
        options.argument(
            "GAME",
            "One heap of any size: octal:0.123, kayles, dawson, grundy, nim:take=1,3.",
            complete=completion.games,
        ),
    ],
    to: Annotated[
        int,
        options.option(
            "--to", "N", "The largest heap.", parser=options.whole("the largest heap", 0, 255), default=True
        ),
    ] = 10,
    most_elements: Annotated[
        int,
        options.option(
            "--most-elements",
            "N",
            "The largest order: a larger quotient is not closed.",
            parser=options.whole("the number of elements", 1, 2_000),
            default=True,
        ),
    ] = 200,
    sum: Annotated[
        str | None, options.option("--sum", "HEAPS", "Also print the element of this sum of heaps, e.g. 8,5,3.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Print the misère quotient of all sums of heaps up to N.

    The quotient is verified for all sums before it counts as closed. Source: T. Plambeck and A. Siegel (2008)."""
    from nimtui.theory.quotient import quotients
    from nimtui.theory.sequence import row_of
    from nimtui.theory.sequence_report import quotient_report

    heap = row_of(game)
    if heap is None or heap.rule is None:
        raise InputError(f"{game} is not one heap of an octal game: name one such as octal:0.123, kayles or grundy")
    heaps = None if sum is None else [whole_number(part, "a heap of --sum", 0, to) for part in sum.split(",")]
    with Bar("quotient") as bar:
        [*_, last] = quotients(heap.rule, to, most_elements, progress=bar)
    title = f"Misère quotient of {heap.rule.title}, heaps up to {to}  ({heap.quotient_name})"
    output.report(quotient_report(title, heap.quotient_name, to, last, heaps), json)


@options.examples("""\
nimtui book
nimtui book connect4:6x5 --plies 7 --file small.book
nimtui book --plies 9 --file deep.book --memory 256M
nimtui book --file deep.book --json""")
def book(
    game: Annotated[
        str | None,
        options.argument("[GAME]", "The connect game of a new book. [default: connect4]", complete=completion.games),
    ] = None,
    file: Annotated[
        Path | None, options.file_option("file", "The book to show; with --plies, to make or to resume.")
    ] = None,
    plies: Annotated[
        int | None,
        options.option(
            "--plies", "N", "Make the book up to N plies. May take hours.", parser=options.whole("the plies", 0, 62)
        ),
    ] = None,
    scratch: Annotated[
        bool, options.flag("--scratch", "Begin a new file with no score of the book in nimtui.")
    ] = False,
    memory: options.Memory = None,
    threads: options.Threads = None,
    background: options.Background = False,
    json: options.Json = False,
) -> None:
    """Show, check or make a book of openings.

    A book holds the exact score of every position in the first plies. Without options: the book of Connect Four that
    comes with nimtui, whose answers need no search. Ctrl+C keeps what is found; the same command resumes."""
    from nimtui.theory import book as books
    from nimtui.theory.book import report

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


@options.examples("""\
nimtui serve --jsonl
echo '{"id": 1, "game": "nim:3,4,5"}' | nimtui serve --jsonl
nimtui serve --jsonl --seconds 5 < requests.jsonl > answers.jsonl
nimtui serve --ugi""")
def serve(
    jsonl: Annotated[bool, options.flag("--jsonl", "Answer requests for exact values, one line of JSON each.")] = False,
    ugi: Annotated[bool, options.flag("--ugi", "Play as an engine, by the Universal Game Interface (UGI).")] = False,
    seconds: Annotated[
        float,
        options.option(
            "--seconds", "S", "Most time for one request. [default: 0, no limit]", options.seconds("the time")
        ),
    ] = 0,
    threads: options.Threads = None,
) -> None:
    """Answer other programs, on stdin and stdout.

    --jsonl: an oracle. Each line names a game and a position. The answer has the outcome, the remoteness, every move
    with its value, the best line and the reasons, under the same id. Quick answers may overtake slow ones.

    --ugi: an engine for other judges. Its options are Game, Agent and Seed.
    """
    if jsonl == ugi:
        raise InputError("name what to serve: --jsonl or --ugi")
    if ugi and (seconds or threads):
        raise InputError("--seconds and --threads are for --jsonl: the judge sets the clock of an engine")

    own_files()
    with Bar("serve", shown=False), closing(Writer()) as writer:
        (_play if ugi else partial(_answer, seconds=seconds, threads=threads or os.cpu_count() or 1))(writer)


def _answer(writer: Writer, seconds: float, threads: int) -> None:
    from nimtui.playing.serving import LONGEST_REQUEST, Oracle

    oracle = Oracle(writer, seconds, threads)
    try:
        for line in read(LONGEST_REQUEST, writer.leaving):
            oracle.ask(line)
        oracle.finish()
    finally:
        oracle.stop()


def _play(writer: Writer) -> None:
    from nimtui.playing.serving import LONGEST_LINE, Engine

    engine = Engine(writer)
    with suppress(OSError):  # the judge has left: `close` raises it
        for line in read(LONGEST_LINE, writer.leaving):
            if not engine.hear(line.decode(errors="replace")):
                break
        engine.stop()


CHUNK = 1 << 16  # bytes


def read(longest: int, leaving: int = -1) -> Iterator[bytes]:
    """Yield the lines of stdin without their ends. Of a line with more than `longest` bytes the rest is dropped.

    Ends with the input, or when there is something to read at the file `leaving`.
    """
    if sys.stdin is None or sys.stdin.closed:
        return
    rest, dropping = b"", False
    while chunk := _chunk(leaving):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if not dropping:
                yield line
            dropping = False
        if len(rest) > longest:
            if not dropping:
                yield rest
            rest, dropping = b"", True
    if rest and not dropping:
        yield rest


def _chunk(leaving: int) -> bytes:
    try:
        stdin = sys.stdin.fileno()
    except OSError:  # no file of the system, in a test
        return sys.stdin.buffer.read(CHUNK)
    if leaving >= 0 and os.name == "posix":  # elsewhere pipes cannot be waited for
        ready, *_ = select.select([stdin, leaving], [], [])
        if leaving in ready:
            return b""
    return os.read(stdin, CHUNK)


class Writer:
    """Writes lines to stdout. When nobody reads them any more, it raises OSError and `leaving` becomes readable."""

    def __init__(self) -> None:
        self.leaving, self._end = os.pipe()
        self._fault: OSError | None = None
        self._lock = Lock()

    def __call__(self, line: str) -> None:
        with self._lock:
            try:
                output.line(line)
            except OSError as fault:
                self._fault = fault
                os.write(self._end, b"x")
                raise

    def close(self) -> None:
        """Close the pipe. Raises what ended the writing."""
        os.close(self.leaving)
        os.close(self._end)
        if self._fault is not None:
            raise self._fault
