"""The arguments and options that several commands share, with their help texts and checks."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from nimtui.cli import completion
from nimtui.errors import InputError, whole_number
from nimtui.foreign.values import RANGES, memory
from nimtui.store.game_ids import GameId, parse_game_id

MOST_GAMES, LARGEST_SEED, MOST_WORKERS = (RANGES[name][1] for name in ("games", "seed", "workers"))
MOST_THREADS = 64
MOST_LISTED = 1_000_000


T = TypeVar("T")


def refusing(parse: Callable[[Any], T]) -> Callable[[Any], T]:
    """Return the parser of an option: what `parse` refuses by an InputError is a wrong option."""

    def parsed(text: Any) -> T:
        try:
            return parse(text)
        except InputError as wrong:
            raise typer.BadParameter(str(wrong)) from wrong

    return parsed


def whole(what: str, low: int, high: int) -> Callable[[Any], int]:
    """Return the parser of an option that is a whole number from `low` to `high`."""
    return refusing(lambda text: whole_number(str(text), what, low, high))


def seconds(what: str) -> Callable[[Any], float]:
    """Return the parser of an option that is a time in seconds."""

    def parse(text: Any) -> float:
        from nimtui.arena.limits import parse_seconds

        return parse_seconds(str(text), what)

    return refusing(parse)


games_number = whole("the number of games", 1, MOST_GAMES)
id_number = whole("the number of a tournament", 1, LARGEST_SEED)
seed_number = whole("the seed", 0, LARGEST_SEED)
threads_number = whole("the number of threads", 1, MOST_THREADS)
workers_number = whole("the number of workers", 1, MOST_WORKERS)
limit_number = whole("the limit", 1, MOST_LISTED)
move_seconds, game_seconds = seconds("the move time"), seconds("the game time")
# A saved game's ID: 31:62, 31, or the long 310000061 of older versions.
game_id = refusing(lambda text: text if isinstance(text, GameId) else parse_game_id(text))


def _memory(text: str | int) -> int:
    """Read a number of bytes, such as 64M or 2G, no more than the machine has."""
    size = memory(str(text), "the size")
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # unknown on this system
        there = size
    if size > there:
        raise InputError(f"{text} is more than this machine has: {there >> 20}M")
    return size


Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        show_default=False,
        autocompletion=completion.games,
        help="A game, e.g. tower:16, nim:3,5,4,2,6:misere, subtraction:21,3, adjacent:1,3,5,7, kayles:1,3,5,7,"
        " noughts:3x3x3, chomp:4x5, connect:5x4x4, connect4.",
    ),
]
ResumedGame = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        show_default=False,
        autocompletion=completion.games,
        help="A game, e.g. tower:16, nim:7,5,3:misere, adjacent:1,3,5. Optional with --resume.",
    ),
]

Memory = Annotated[
    int | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        parser=refusing(_memory),
        show_default=False,
        help="Size of the solver's table, e.g. 64M or 2G. [default: 64M]",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        parser=threads_number,
        show_default=False,
        help="Threads of the solver, which share the table. [default: 1]",
    ),
]


def learner_option(metavar: str, help: str) -> Any:
    """Return the option that names the learner."""
    return typer.Option(
        "--learner", "-l", metavar=metavar, show_default=False, autocompletion=completion.learners, help=help
    )


def games_option(help: str) -> Any:
    """Return the option for a number of games."""
    return typer.Option("--games", "-n", metavar="N", parser=games_number, show_default=False, help=help)


def seed_option(help: str) -> Any:
    """Return the option for an optional seed."""
    return typer.Option("--seed", metavar="N", parser=seed_number, show_default=False, help=help)


def file_option(name: str, help: str) -> Any:
    """Return an option that names a file to write or to read."""
    return typer.Option(f"--{name}", metavar="FILE", show_default=False, help=help)


def to_option(help: str) -> Any:
    """Return the option that names an output file."""
    return file_option("to", help)


def old_option(*names: str) -> Any:
    """Return an older name of an option for a file: it works, and help does not show it."""
    return typer.Option(*names, metavar="FILE", hidden=True)


def refused_option(short: str, meaning: str, instead: str) -> Any:
    """Return a hidden option that refuses a short form: it has another meaning in other commands."""

    def refuse(value: str | None) -> None:
        if value is not None:
            raise InputError(f"{short} is {meaning}; use {instead}")

    return typer.Option(short, hidden=True, callback=refuse)


def headless_option(help: str) -> Any:
    """Return the option that turns the screen off."""
    return typer.Option("--headless", show_default=False, help=help)


def agent_option(help: str) -> Any:
    """Return the option that names an agent."""
    return typer.Option(
        "--agent", "-a", metavar="AGENT", show_default=False, autocompletion=completion.agents, help=help
    )


Position = Annotated[
    str | None,
    typer.Option(
        "--position",
        "-p",
        metavar="POSITION",
        help="Position to start from. Nim: rows, 1,3,0,7. Adjacent and Kayles: matches, 1/101/11111/1110111. Connect:"
        " the columns played, 4455. Noughts: rows of cells, x.o/.x./... Chomp: squares left per row, 4,4,2,0,0."
        " [default: the start of the game]",
    ),
]
Agent = Annotated[
    str, agent_option("The agent, e.g. perfect, mc:playouts=1000, hard, reward:games=100000, table:FILE.")
]
Openings = Annotated[
    str | None,
    typer.Option(
        metavar="KIND",
        show_default=False,
        autocompletion=completion.openings,
        help="How games start: start, random:N (after N random moves) or balanced:N (half of the openings won, half"
        " lost). Each opening is played twice if seats alternate. [default: start]",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        metavar="N",
        parser=workers_number,
        show_default=False,
        help="Number of processes. [default: one per core]",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        show_default=False,
        help="Run on a Dask cluster: tcp://HOST:8786. Requires pip install 'nimtui[cluster]'.",
    ),
]
MoveTime = Annotated[
    float | None,
    typer.Option(
        "--move-time",
        metavar="SECONDS",
        parser=move_seconds,
        show_default=False,
        help="Time per move. When it is up, a search plays its best move so far; any other agent loses the game. "
        "[default: 0, no limit; 30 for your own agents]",
    ),
]
GameTime = Annotated[
    float | None,
    typer.Option(
        "--game-time",
        metavar="SECONDS",
        parser=game_seconds,
        show_default=False,
        help="Time per agent and game. A search divides it among its moves; any other agent that exceeds it loses. "
        "[default: 0, no limit]",
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="N",
        parser=seed_number,
        help="Fixes all random choices. Without a clock, the same seed gives the same result.",
    ),
]
Force = Annotated[bool, typer.Option("--force", show_default=False, help="Overwrite an existing file.")]
OldCsv = Annotated[Path | None, old_option("--csv")]
SaveThoughts = Annotated[
    bool,
    typer.Option(
        "--save-thoughts",
        show_default=False,
        help="Save each game with what the agents believed of their moves; 'nimtui games show' prints it. Same games,"
        " but slower: no whole games in the engine.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.", show_default=False)]
Unchecked = Annotated[
    bool,
    typer.Option("--unchecked", help="Use your own games and learners even if a check fails.", show_default=False),
]
Ascii = Annotated[bool, typer.Option("--ascii", help="Use ASCII characters only.", show_default=False)]
Slow = Annotated[bool, typer.Option("--slow", help="Redraw less often, for slow connections.", show_default=False)]
Plain = Annotated[
    bool,
    typer.Option(
        "--plain",
        show_default=False,
        help="Play line by line, without a full screen: for screen readers, simple terminals and pipes.",
    ),
]


def examples(commands: str) -> str:
    """Return the end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in commands.split("\n"))


def group(name: str, help: str) -> typer.Typer:
    """Return a command that only has commands of its own."""
    settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    return typer.Typer(name=name, help=help, rich_markup_mode=None, context_settings=settings)
