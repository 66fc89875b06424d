"""`nimtui new`: writes the template of a game, a learner or an agent into its folder, or a screen into the source."""

from __future__ import annotations

import keyword
from collections.abc import Collection
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from nimtui.cli import options
from nimtui.errors import InputError, shortened

EXAMPLES = """\
nimtui new game euclid
nimtui new learner patient
nimtui new agent greedy
nimtui new screen orchard"""


class Kind(StrEnum):
    """The kind of file to write."""

    GAME = "game"
    LEARNER = "learner"
    AGENT = "agent"
    SCREEN = "screen"


CHECK = "nimtui check {file}"
NEXT = {
    Kind.GAME: (CHECK, "nimtui play {name}:3,5", "nimtui solve {name}:3,5"),
    Kind.LEARNER: (CHECK, "nimtui train tower:16 --learner {name}", "nimtui play nim:1,2,3 --second {name}"),
    Kind.AGENT: (CHECK, "nimtui play nim:3,4,5 --second {name}", "nimtui tournament nim:3,4,5 -a {name} -a random"),
    Kind.SCREEN: ("nimtui {name}", "python -m pytest {file}", "python -m tests.pictures"),
}


def new(
    context: typer.Context,
    kind: Annotated[Kind, options.argument("game|learner|agent|screen", "What to write.")],
    name: Annotated[
        str,
        options.argument("NAME", "Its name: lowercase letters, digits and _, starting with a letter."),
    ],
) -> None:
    """Write a commented template of a game, learner or agent, or the files of a screen.

    The file goes into the data folder and works without changes. The files of a screen go into the source of nimtui.
    An existing file is never overwritten.
    """
    from shlex import quote

    from nimtui.cli import output
    from nimtui.store import files, paths

    right = name.isidentifier() and name.isascii() and name.islower() and name[0].isalpha() and len(name) <= 40
    if not right or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise InputError(
            f"invalid name '{shortened(name)}': use at most 40 lowercase letters, digits and _, starting with a letter"
        )
    if kind is Kind.SCREEN:
        _new_screen(name, getattr(context.find_root().command, "commands", ()))
        return
    folder = {Kind.GAME: paths.games, Kind.LEARNER: paths.learners, Kind.AGENT: paths.agents}[kind]()
    path = folder / f"{name}.py"
    _check_free(name, path)
    text = template(kind, name)
    files.create(paths.ensure(folder) / path.name, lambda file: file.write(text.encode()))
    output.say(f"{kind.capitalize()} {name}: {path}", "", "Edit this file, then:")
    output.say(*(f"  {line.format(file=quote(str(path)), name=name)}" for line in NEXT[kind]))


def _new_screen(name: str, commands: Collection[str]) -> None:
    """Write the files of a screen, and its section of the reference."""
    from nimtui.cli import new_screen, output

    root = new_screen.source_tree()
    new_screen.check_free(root, name, commands)
    output.say(f"Screen {name}: in {root}", *(f"  {path}" for path in new_screen.write(root, name)), "")
    word, test = new_screen.word_of(name), f"tests/ui/test_{name}.py"
    output.say("Edit these files, then:", *(f"  {line.format(file=test, name=word)}" for line in NEXT[Kind.SCREEN]))


def template(kind: Kind, name: str) -> str:
    """Return the source of a working file with this name."""
    text = resources.files("nimtui.check").joinpath("templates", f"{kind}.txt").read_text("utf-8")
    title = "".join(part.capitalize() for part in name.split("_")) or name.capitalize()
    return text.replace("@NAME@", name).replace("@CLASS@", title)


def _check_free(name: str, path: Path) -> None:
    """Raise InputError if the file exists or the name is taken."""
    from nimtui.cli.own_code import built_in, own_files
    from nimtui.foreign.paths import is_there
    from nimtui.plugins import declared

    if is_there(path):
        raise InputError(f"{path} already exists: choose another name")
    if name in built_in():
        raise InputError(f"the name '{name}' is taken by {built_in()[name][1]}")
    for other, kind in own_files():
        if name in declared(other, kind).names:
            raise InputError(f"the name '{name}' is taken by {other}")
