"""Random command lines, from the program's own tables of commands and options."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import typer

from nimtui.cli.app import app

GAMES = ("nim:3,2,1", "tower:16", "subtraction:21,3:misere", "connect:4x4x3", "adjacent:1,3", "kayles:1,3,5", "nim:1")
AGENTS = (
    "random",
    "perfect",
    "value",
    "mc:playouts=5",
    "mcts:simulations=20",
    "alphabeta:depth=2",
    "easy",
    "q:games=50",
)
LEARNERS = ("reward", "quality", "q", "average", "proof", "quality:margin=50", "proof:aim=all")
POSITIONS = ("1,1,1", "3,0,0", "4455", "1/101", "0,0,0", "", "10,4,4", "3,2,1")
GRIDS = ("margin=50,90", "margin=50..90:20", "win=1", "alpha=0.1,0.5", "margin=", "=1", "margin=1..0", "margin=nan")
NUMBERS = ("0", "1", "2", "10", "500", "-1", "1e3", "1.5", "nan", "inf", "9" * 25, "0x10", "١٢", "1_000", " 3 ", "")
WILD = (
    "",
    " ",
    "-",
    "--",
    "-h",
    "x" * 3000,
    "\x1b[31mred\x1b]0;t\x07",
    "a\nb\rc\td",
    "\u202eevil",
    "nim:" + "9," * 400 + "9",
    "nim:-1",
    "nim:99999999999999999999",
    "nmi:3,2,1",
    "connect:0x0x0",
    "connect:99x99x99",
    "tower:15",
    "mc:playouts=-5",
    "mcts:simulations=1e9",
    "table:",
    "%s%n{0}[bold]",
    "漢字👩‍👩‍👧",
    "\udcff",
    "=cmd|' /C calc'!A1",
)
PLACES = ("out.csv", "out.json", "new.npz", ".", "no/such/folder/file", "tree.dot", "a\x1bb.csv", "…", "out.txt")
DEVICES = ("/dev/zero", "/dev/null", "/dev/full", "/proc/self/mem", "/")  # only to be read
READS_FILES = (("games", "import"), ("table",))
BY_NAME = {
    "game": GAMES,
    "agent": AGENTS,
    "first": AGENTS,
    "second": AGENTS,
    "learner": LEARNERS,
    "position": POSITIONS,
    "grid": GRIDS,
    "algorithm": ("minimax", "alphabeta", "mcts", "alphabeta:order=killer"),
    "openings": ("start", "balanced:2", "random:2", "random:-1"),
    "sprt": ("elo0=0,elo1=50", "elo0=50,elo1=0", "elo0="),
    "scheduler": ("tcp://127.0.0.1:1", "nonsense"),
    "format": ("text", "csv", "json", "xml"),
    "id": ("1", "1:0", "2:3", "99", "x:y", "-1", "0", "9" * 30),
    "what": ("scores", "moves", "curve", "positions"),
    "pairs": ("round-robin", "gauntlet", "ordered"),
    "order": ("natural", "killer", "best-first"),
    "heuristic": ("default", "original"),
    "name": ("cup", "\x1b[31m", "x" * 100),
    "result": ("first", "second", "draw"),
    "seed": ("0", "1", "-1", "9" * 20),
}
FEW = ("games", "simulations", "depth", "repeats", "workers", "limit", "entries", "plies", "nodes", "c")
NEVER = ("--install-completion", "--show-completion", "--scheduler")
READING = ("solve", "moves", "search", "table", "games list", "games show")


def commands() -> list[tuple[tuple[str, ...], list[Any]]]:
    """Every command with its options and arguments."""
    found: list[tuple[tuple[str, ...], list[Any]]] = []

    def walk(command: Any, path: tuple[str, ...]) -> None:
        for name, below in getattr(command, "commands", {}).items():
            walk(below, (*path, name))
        found.append((path, [each for each in command.params if not set(each.opts) & set(NEVER)]))

    walk(typer.main.get_command(app), ())
    return found


COMMANDS = commands()


def line(random: Random, files: Sequence[str]) -> list[str]:
    """A command line, more or less right."""
    path, parameters = random.choice(COMMANDS)
    words = [_near(random, word) if random.random() < 0.03 else word for word in path]
    for parameter in parameters:
        if parameter.param_type_name == "argument":
            if random.random() < 0.93:
                times = random.choice((1, 1, 2)) if parameter.nargs == -1 else 1
                words += [_value(random, parameter.name, path, files) for _ in range(times)]
        elif random.random() < (0.5 if parameter.required or parameter.name in ("agent", "json") else 0.15):
            for _ in range(random.choice((1, 2, 3)) if parameter.multiple else 1):
                words.append(random.choice([*parameter.opts, *parameter.secondary_opts]))
                if random.random() < 0.03:
                    words[-1] = _near(random, words[-1])
                if not parameter.is_flag:
                    words.append(_value(random, parameter.name, path, files))
    if random.random() < 0.05:
        words.insert(random.randrange(len(words) + 1), random.choice(WILD))
    return words


def _value(random: Random, name: str, path: tuple[str, ...], files: Sequence[str]) -> str:
    kind = random.random()
    if kind < 0.1:
        return random.choice(WILD)
    if kind < 0.2:
        return random.choice(NUMBERS)
    if name in FEW:
        return random.choice(NUMBERS[:5])
    if name in BY_NAME:
        return random.choice(BY_NAME[name])
    if path in READS_FILES and random.random() < 0.2:
        return random.choice(DEVICES)
    return random.choice([*PLACES, *files]) if random.random() < 0.6 else random.choice([*files, *PLACES])


def _near(random: Random, word: str) -> str:
    """The word with a slip of the finger in it."""
    at = random.randrange(len(word) + 1)
    return random.choice((word[:at] + word[at + 1 :], word[:at] + "x" + word[at:], word[::-1], word.upper()))


def reads_only(words: Sequence[str]) -> bool:
    """Is this a command that only reads, whatever its options say?"""
    if any(word.startswith(("--to", "--tree", "--csv", "--save")) for word in words):
        return False
    return " ".join(words[:1]) in READING or " ".join(words[:2]) in READING
