"""What the shell offers while a command is typed: games, agents, learners, their parameters, and saved items.

The list of learners is read from their files without importing them or NumPy; the help shows it, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from typer.core import TyperCommand

from nimtui.cli.names import own_paths
from nimtui.errors import InputError
from nimtui.foreign.reading import exists, syntax
from nimtui.process.plugins import assigned, declared
from nimtui.store import game_list, paths, run_files
from nimtui.store import tournaments as store
from nimtui.store.rows import short_id

if TYPE_CHECKING:
    from nimtui.store.database import Database

T = TypeVar("T")
Offers = list[tuple[str, str]]  # each word with its meaning, which may be ''
MOST_SAVED = 50
LEARNER_AGENT = ("games", "seed")  # of a learner as an agent, beside its own parameters


def games(typed: str) -> Offers:
    """Return the preset games with their titles, and the names of the person's own."""
    from nimtui.games.registry import presets

    return _starting(typed, [*((game, title) for title, game in presets()), *_own("game")])


def agents(typed: str) -> Offers:
    """Return the agents; after a colon the parameters of the one that is typed."""
    from nimtui.agents import agent_forms

    forms = {form.partition("[")[0].partition(":")[0]: form for form, _ in agent_forms()}
    own = dict(_own("learner"))
    parameters = {word: tuple(re.findall(r"[\[,:](\w+)=", form)) for word, form in forms.items()}
    for name, keys in _learners().items():
        parameters[name] = (*LEARNER_AGENT, *keys)
    saved = [("table:", "a saved table: table:FILE")] if "table" in forms else []
    words = [(word, "") for word in forms if word != "table"] + [*own.items(), *_own("agent"), *saved]
    if typed.lower().startswith("table:"):
        return [(f"table:{name}", about) for name, about in tables(typed.partition(":")[2])]
    stem, value, name = typed.rpartition("value=")
    if value and "," not in name and stem.partition(":")[0].lower() in parameters:
        from nimtui.learning import saved_tables

        runs = saved_tables.saved_functions().items()
        return [(f"{stem}{value}{run}", about) for run, about in runs if run.startswith(name)][:MOST_SAVED]
    return _parameters(typed, parameters) if ":" in typed else _starting(typed, words)


def tables(typed: str) -> Offers:
    """Return the taught tables; after an @ the versions of the one that is typed."""
    from nimtui.learning.saved_tables import taught_tables

    name, at, _ = typed.partition("@")
    tables = [each for each in taught_tables()[:MOST_SAVED] if not at or each.name == name]
    if not at:
        return [(each.name, f"{each.game}, {each.title}") for each in tables if each.name.startswith(typed)]
    numbers = [str(number) for each in tables for number in range(each.lessons, -1, -1)][:MOST_SAVED]
    return [(offer, "") for number in numbers if (offer := f"{name}@{number}").startswith(typed)]


def seats(typed: str) -> Offers:
    """Return 'me' and the agents."""
    return _starting(typed, [("me", "you")]) + agents(typed)


def learners(typed: str) -> Offers:
    """Return the learners, the person's own included; after a colon the parameters of the one that is typed."""
    names = _learners()
    return _parameters(typed, names) if ":" in typed else _starting(typed, [(name, "") for name in names])


def tournaments(typed: str) -> Offers:
    """Return the numbers of the newest saved tournaments and matches."""
    infos = _saved(lambda database: store.tournaments(database)[:MOST_SAVED])
    return _starting(typed, [(str(each.id), " ".join(filter(None, (each.kind, each.name)))) for each in infos])


def saved_games(typed: str) -> Offers:
    """Return the numbers of the newest saved games."""
    infos = _saved(lambda database: game_list.games(database, limit=MOST_SAVED))
    return _starting(typed, [(short_id(each.id), f"{each.first} – {each.second}") for each in infos])


def runs(typed: str) -> Offers:
    """Return the numbers of the runs in 'nimtui runs', with their names."""
    return _starting(typed, [(str(run.id), f"{run.kind} {run.name}") for run in run_files.every()])


def pairs(typed: str) -> Offers:
    """Return the kinds of pairings."""
    from nimtui.arena.play.plan import PAIRS

    return _starting(typed, list(PAIRS.items()))


def openings(typed: str) -> Offers:
    """Return the kinds of openings."""
    from nimtui.arena.play.plan import OPENING_FORMS

    return _starting(typed, [(form.partition(":")[0], about) for form, about in OPENING_FORMS.items()])


def _saved(listing: Callable[[Database], list[T]]) -> list[T]:
    """Return what this lists of the database; nothing if there is none, or it cannot be read."""
    from nimtui.store.database import Database

    with suppress(InputError, OSError):
        if paths.database().is_file():
            with Database(replace=False) as database:
                return listing(database)
    return []


def _own(kind: str) -> Offers:
    """Return the names that the person's files of this kind declare. Runs none of them."""
    return [
        (name, f"your own {kind}")
        for path, where in own_paths()
        if where == kind
        for name in declared(path, kind).names
    ]


def _learners() -> dict[str, tuple[str, ...]]:
    return {one.name: one.parameters for one in about_learners()}


def _parameters(typed: str, known: dict[str, tuple[str, ...]]) -> Offers:
    """Return the text up to its last comma or colon with each parameter that is not given yet: 'mc:playouts='."""
    name, _, values = typed.partition(":")
    *before, last = values.split(",")
    used = {part.partition("=")[0].strip().lower() for part in before}
    stem = f"{name}:{','.join([*before, ''])}"
    keys = [key for key in known.get(name.strip().lower(), ()) if key not in used]
    return [(f"{stem}{key}=", "") for key in keys if "=" not in last and key.startswith(last.lower())]


def _starting(typed: str, offers: Offers) -> Offers:
    return list({word: (word, about) for word, about in offers if word.startswith(typed.lower())}.values())


class About(NamedTuple):
    """A learner's name, its description and its parameters."""

    name: str
    about: str
    parameters: tuple[str, ...]


def about_learners() -> list[About]:
    """Return all learners, the person's own included, sorted by name."""
    import nimtui

    folders = [Path(nimtui.__file__).parent / "learning" / "learners", paths.learners()]
    learners = [about for folder in folders if exists(folder) and folder.is_dir() for about in _described(folder)]
    return sorted({about.name: about for about in reversed(learners)}.values())


def _described(folder: Path) -> Iterator[About]:
    for path in sorted(folder.glob("*.py")):
        try:
            text = path.read_text("utf-8")
            values = assigned(syntax(text)) if "ABOUT" in text else {}
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            continue  # using the file reports its fault
        match values.get("NAME"), values.get("ABOUT"):
            case ast.Constant(str(name)), ast.Constant(str(about)):
                parameters = values.get("PARAMETERS")
                keys = parameters.keys if isinstance(parameters, ast.Dict) else []
                yield About(name, about, tuple(str(key.value) for key in keys if isinstance(key, ast.Constant)))


class LearnerCommand(TyperCommand):
    """A command whose help ends with a list of all learners."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        with formatter.section("Learners"):
            formatter.write_dl(
                [
                    (one.name, one.about + (f" ({', '.join(one.parameters)})" if one.parameters else ""))
                    for one in about_learners()
                ]
            )
