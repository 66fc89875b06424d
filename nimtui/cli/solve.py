"""`nimtui solve`: shows who wins a position, by which moves, and why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Annotated

from nimtui.cli import lines, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import read_game, read_position
from nimtui.errors import InputError

if TYPE_CHECKING:
    from nimtui.games import Game

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
        bool,
        options.flag("--stdin", "Solve the positions on stdin, one per line; with --json, one document per line."),
    ] = False,
    memory: options.Memory = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Solve a position exactly.

    Prints who wins and in how many plies, the Grundy value and every best move. Explains why in plain words and in
    binary. With --stdin, prints a table of many positions, or their documents."""
    from nimtui.games.connect import Connect
    from nimtui.games.place import Place
    from nimtui.theory import Patience
    from nimtui.theory.solution import solution

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
    from nimtui.theory.many import values_of

    positions = list(_positions())
    with Bar("solve") as bar:
        values = values_of(game, positions, bar)
    output.report(report.listed(game, positions, values))


def _documents(game: Game) -> None:
    """Print the document of each position on stdin, as soon as it is solved; of an invalid one, what is wrong."""
    from nimtui.games.notation import plural
    from nimtui.games.place import Place
    from nimtui.report.document import document, text
    from nimtui.theory.solution import solution

    writer, wrong = lines.Writer(), 0
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
    return (line.decode(errors="replace").strip() for line in lines.read(LONGEST, leaving))
