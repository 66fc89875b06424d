"""`nimtui solve`: shows who wins a position, by which moves, and why."""

from __future__ import annotations

from nimtui.cli import options
from nimtui.errors import InputError

EXAMPLES = """\
nimtui solve tower:16
nimtui solve nim:3,5,4,2,6:misere --json
nimtui solve kayles:1,3,5,7 -p 1/111/11011/0
nimtui solve connect4:4x4 -p 1223"""


def solve(
    game: options.Game,
    position: options.Position = None,
    memory: options.Memory = None,
    threads: options.Threads = None,
    json: options.Json = False,
) -> None:
    """Solve a position exactly.

    Prints who wins and in how many plies, the Grundy value and every best move. Explains why in plain words and in
    binary."""
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_position
    from nimtui.games.connect import Connect
    from nimtui.games.place import Place
    from nimtui.theory import Patience
    from nimtui.theory.solution import solution

    chosen, state = read_position(game, position)
    if not isinstance(state, Connect) and (memory is not None or threads is not None):
        raise InputError(f"--memory and --threads are for connect games: {chosen.name} is solved without them")
    usual = Patience()
    with Bar("solve") as bar:
        solved = solution(
            Place(chosen, state, position), bar, Patience(memory or usual.memory, threads or usual.threads)
        )
    output.report(solved.report, json)
