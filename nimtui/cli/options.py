"""The arguments and options that several commands share, with their help texts and checks."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from nimtui.cli import completion
from nimtui.errors import InputError, whole_number
from nimtui.foreign.reading import named
from nimtui.foreign.values import RANGES, memory
from nimtui.store.rows import GameId, parse_game_id

MOST_GAMES, LARGEST_SEED, MOST_WORKERS = (RANGES[name][1] for name in ("games", "seed", "workers"))
MOST_THREADS = 64
MOST_LISTED, USUAL_LIMIT = 1_000_000, 20


T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., object])


def option(
    names: str,
    metavar: str,
    help: str,
    parser: Callable[[Any], Any] | None = None,
    complete: Callable[..., Any] | None = None,
    *,
    default: bool = False,
) -> Any:
    """Return an option with a value: its names, separated by a space ('': the parameter's), and what may complete it.

    Its help shows the `default` only if that says something.
    """
    return typer.Option(
        *names.split(), metavar=metavar, help=help, parser=parser, autocompletion=complete, show_default=default
    )


def flag(names: str, help: str) -> Any:
    """Return an option without a value."""
    return typer.Option(*names.split(), help=help, show_default=False)


def argument(
    metavar: str, help: str, parser: Callable[[Any], Any] | None = None, complete: Callable[..., Any] | None = None
) -> Any:
    """Return an argument."""
    return typer.Argument(metavar=metavar, help=help, parser=parser, autocompletion=complete, show_default=False)


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
        from nimtui.arena.play.limits import parse_seconds

        return parse_seconds(str(text), what)

    return refusing(parse)


@refusing
def minutes(text: Any) -> Any:
    """Read a number of minutes, up to a week."""
    from nimtui.learning.parameter import Parameter

    return Parameter("", 0.01, 10_080, real=True).read("the number of minutes", str(text))


file_name = refusing(named)
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
    argument(
        "GAME",
        "A game, e.g. tower:16, nim:3,5,4,2,6:misere, subtraction:21,3, adjacent:1,3,5,7, kayles:1,3,5,7,"
        " noughts:3x3x3, chomp:4x5, connect:5x4x4, connect4.",
        complete=completion.games,
    ),
]
ResumedGame = Annotated[
    str | None,
    argument(
        "GAME",
        "A game, e.g. tower:16, nim:7,5,3:misere, adjacent:1,3,5. Optional with --resume.",
        complete=completion.games,
    ),
]

Memory = Annotated[
    int | None,
    option("--memory", "SIZE", "Size of the solver's table, e.g. 64M or 2G. [default: 64M]", parser=refusing(_memory)),
]
Threads = Annotated[
    int | None,
    option("--threads", "N", "Threads of the solver, which share the table. [default: 1]", parser=threads_number),
]


def learner_option(metavar: str, help: str) -> Any:
    """Return the option that names the learner."""
    return option("--learner -l", metavar, help, complete=completion.learners)


def games_option(help: str) -> Any:
    """Return the option for a number of games."""
    return option("--games -n", "N", help, parser=games_number)


def seed_option(help: str) -> Any:
    """Return the option for an optional seed."""
    return option("--seed", "N", help, parser=seed_number)


def file_option(name: str, help: str) -> Any:
    """Return an option that names a file to write or to read."""
    return option(f"--{name}", "FILE", help, file_name)


def old_option(*names: str) -> Any:
    """Return an older name of an option for a file: it works, and help does not show it."""
    return typer.Option(*names, metavar="FILE", parser=file_name, hidden=True)


def refused_option(short: str, meaning: str, instead: str) -> Any:
    """Return a hidden option that refuses a short form: it has another meaning in other commands."""

    def refuse(value: str | None) -> None:
        if value is not None:
            raise InputError(f"{short} is {meaning}; use {instead}")

    return typer.Option(short, hidden=True, callback=refuse)


def agent_option(help: str, names: str = "--agent -a", metavar: str = "SPEC") -> Any:
    """Return an option that names an agent, or each agent of several."""
    return option(names, metavar, help, complete=completion.agents)


def limit_option(what: str) -> Any:
    """Return the option for the most of these to list."""
    return option("--limit", "N", f"Number of {what} to list, the newest first.", parser=limit_number, default=True)


def filter_option(help: str) -> Any:
    """Return an option that names a game, such as that of the results to show."""
    return option("--game -g", "GAME", help, complete=completion.games)


def check_workers(workers: int | None, scheduler: str | None) -> None:
    """Raise InputError if both are given."""
    if workers is not None and scheduler is not None:
        raise InputError("a cluster has its own workers: give --workers or --scheduler, not both")


Position = Annotated[
    str | None,
    option(
        "--position -p",
        "POSITION",
        "Position to start from. Nim: rows, 1,3,0,7. Adjacent and Kayles: matches, 1/101/11111/1110111. Connect:"
        " the columns played, 4455. Noughts: rows of cells, x.o/.x./... Chomp: squares left per row, 4,4,2,0,0."
        " [default: the start of the game]",
    ),
]
Agent = Annotated[
    str,
    agent_option("The agent, e.g. perfect, mc:playouts=1000, hard, reward:games=100000, table:FILE.", metavar="AGENT"),
]
Openings = Annotated[
    str | None,
    option(
        "",
        "KIND",
        "How games start: start, random:N (after N random moves) or balanced:N (half of the openings won, half"
        " lost). Each opening is played twice if seats alternate. [default: start]",
        complete=completion.openings,
    ),
]
Workers = Annotated[
    int | None, option("--workers -w", "N", "Number of processes. [default: one per core]", parser=workers_number)
]
Scheduler = Annotated[
    str | None, option("", "ADDRESS", "Run on a Dask cluster: tcp://HOST:8786. Requires pip install 'nimtui[cluster]'.")
]
MoveTime = Annotated[
    float | None,
    option(
        "--move-time",
        "SECONDS",
        "Time per move. When it is up, a search plays its best move so far; any other agent loses the game. "
        "[default: 0, no limit; 30 for your own agents]",
        parser=move_seconds,
    ),
]
GameTime = Annotated[
    float | None,
    option(
        "--game-time",
        "SECONDS",
        "Time per agent and game. A search divides it among its moves; any other agent that exceeds it loses. "
        "[default: 0, no limit]",
        parser=game_seconds,
    ),
]
Increment = Annotated[
    float | None,
    option(
        "",
        "SECONDS",
        "Time added to the time of the game after each move. [default: 0]",
        parser=seconds("the increment"),
    ),
]
Nodes = Annotated[
    int | None,
    option(
        "",
        "N",
        "Nodes per move that programs are told; nimtui cannot count them. [default: no limit]",
        parser=whole("the nodes", *RANGES["nodes"]),
    ),
]
FaultRule = Annotated[
    str | None,
    option(
        "--fault",
        "RULE",
        "What a fault costs: game, the game; match, all games of the pairing; void, nothing: the game does not count."
        " [default: game]",
    ),
]
Sandboxed = Annotated[
    str | None,
    option(
        "--sandbox",
        "LEVEL",
        "possible, or required: refuse programs unless the system closes them in. [default: possible]",
    ),
]
Seed = Annotated[
    int,
    option(
        "--seed",
        "N",
        "Fixes all random choices. Without a clock, the same seed gives the same result.",
        parser=seed_number,
        default=True,
    ),
]
Force = Annotated[bool, flag("--force", "Overwrite an existing file.")]
OldCsv = Annotated[Path | None, old_option("--csv")]
SaveThoughts = Annotated[
    bool,
    flag(
        "--save-thoughts",
        "Save each game with what the agents believed of their moves; 'nimtui games show' prints it. Same games,"
        " but slower: no whole games in the engine.",
    ),
]
Json = Annotated[bool, flag("--json", "Print one JSON document instead of text.")]
Unchecked = Annotated[bool, flag("--unchecked", "Use your own games and learners even if a check fails.")]
Headless = Annotated[bool, flag("--headless", "Show only a progress bar, not the live standings.")]
Background = Annotated[
    bool, flag("--background", "Work without a terminal, at low priority. 'nimtui runs' watches and stops such a run.")
]
Ascii = Annotated[bool, flag("--ascii", "Use ASCII characters only.")]
Slow = Annotated[bool, flag("--slow", "Redraw less often, for slow connections.")]
Plain = Annotated[
    bool, flag("--plain", "Play line by line, without a full screen: for screen readers, simple terminals and pipes.")
]


EPILOGS: dict[Callable[..., object], str] = {}  # the end of each command's help


def examples(commands: str) -> Callable[[Command], Command]:
    """Return the decorator that gives a command these examples."""

    def exemplified(command: Command) -> Command:
        EPILOGS[command] = epilog(commands)
        return command

    return exemplified


def command(
    group: typer.Typer, name: str | None = None, kind: type[TyperCommand] | None = None
) -> Callable[[Command], Command]:
    """Return the decorator that adds a command with examples to a group, by default under the name of its function."""
    return lambda command: group.command(name, cls=kind, epilog=EPILOGS[command])(command)


def epilog(commands: str) -> str:
    """Return these examples as the end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in commands.split("\n"))


def group(name: str, help: str) -> typer.Typer:
    """Return a command that only has commands of its own."""
    settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    return typer.Typer(name=name, help=help, rich_markup_mode=None, context_settings=settings)
