"""`nimtui new`: writes the template of a game, a learner or an agent into its folder, or a screen into the source.

`nimtui check`: tests whether a game, learner or agent keeps its contract. `nimtui grade`: says which rules of an
assignment a student's file breaks.
"""

from __future__ import annotations

import keyword
import re
import string
from collections.abc import Collection, Mapping
from enum import StrEnum
from importlib import resources
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from nimtui.cli import options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import built_in, find, own_paths, read_game
from nimtui.errors import InputError, shortened, unknown
from nimtui.foreign.reading import absolute, is_there
from nimtui.process.plugins import declared
from nimtui.store import files, paths


class Kind(StrEnum):
    """The kind of file to write."""

    GAME = "game"
    LEARNER = "learner"
    FUNCTION = "function"
    AGENT = "agent"
    SCREEN = "screen"
    PROGRAM = "program"
    CLASS = "class"


class Language(StrEnum):
    """What a program is written in."""

    PYTHON = "python"
    C = "c"
    JAVA = "java"
    JS = "js"
    BASH = "bash"


PROGRAMS = {  # the name of the file, how it starts in a folder of its own ('': it is a file that runs)
    Language.PYTHON: ("{name}.py", ""),
    Language.C: ("{name}.c", "./{name}"),
    Language.JAVA: ("{title}.java", "java {title}.java"),
    Language.JS: ("{name}.js", ""),
    Language.BASH: ("{name}.sh", ""),
}
CHECK = "nimtui check {file}"
NEXT = {
    Kind.GAME: (CHECK, "nimtui play {name}:3,5", "nimtui solve {name}:3,5"),
    Kind.LEARNER: (CHECK, "nimtui train tower:16 --learner {name}", "nimtui play nim:1,2,3 --second {name}"),
    Kind.FUNCTION: (CHECK, "nimtui train connect4:5x4 --learner {name}", "nimtui train tower:49 --learner {name}"),
    Kind.AGENT: (CHECK, "nimtui play nim:3,4,5 --second {name}", "nimtui tournament nim:3,4,5 -a {name} -a random"),
    Kind.PROGRAM: (
        "nimtui check {name}",
        "nimtui play nim:3,4,5 --second {name}",
        "nimtui match nim:3,4,5 --first {name} --second mc",
    ),
    Kind.SCREEN: ("nimtui {name}", "python -m pytest {file}", "python -m tests.pictures"),
}


@options.examples("""\
nimtui new game euclid
nimtui new learner patient
nimtui new function weighty
nimtui new agent greedy
nimtui new program bot --in c
nimtui new class hand_ins
nimtui new screen orchard""")
def new(
    context: typer.Context,
    kind: Annotated[Kind, options.argument("KIND", "What to write. A function is a learner without a table.")],
    name: Annotated[
        str,
        options.argument(
            "NAME", "Its name: lowercase letters, digits and _, starting with a letter. Of a class: a folder."
        ),
    ],
    language: Annotated[
        Language | None, options.option("--in", "LANGUAGE", "Language of a program: python, c, java, js or bash.")
    ] = None,
) -> None:
    """Write the template of a game, learner, agent or program, the settings of a class, or a screen.

    The file goes into the data folder and works without changes. The settings go into the folder with the hand-ins, the
    files of a screen into the source of nimtui.
    An existing file is never overwritten.
    """
    if kind is Kind.CLASS:
        _new_class(Path(name))
        return
    right = name.isidentifier() and name.isascii() and name.islower() and name[0].isalpha() and len(name) <= 40
    if not right or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise InputError(
            f"invalid name '{shortened(name)}': use at most 40 lowercase letters, digits and _, starting with a letter"
        )
    if kind is Kind.SCREEN:
        _new_screen(name, getattr(context.find_root().command, "commands", ()))
        return
    if (kind is Kind.PROGRAM) != (language is not None):
        raise InputError("--in is for a program" if language else f"a program needs --in: {', '.join(Language)}")
    if language is not None:
        _new_program(name, language)
        return
    folder = paths.OWN_CODE.get(kind, paths.learners)()
    path = folder / f"{name}.py"
    _check_free(name, path)
    paths.ensure(folder)
    _create(path, template(kind, name))
    output.say(f"{kind.capitalize()} {name}: {path}", "", "Edit this file, then:")
    output.say(*(f"  {line.format(file=quote(str(path)), name=name)}" for line in NEXT[kind]))


def _new_class(folder: Path) -> None:
    """Write the settings of a class into its folder."""
    from nimtui.arena.classes import class_folder

    path = folder / class_folder.FILE
    folder.mkdir(parents=True, exist_ok=True)
    if not class_folder.begin(folder):
        raise InputError(f"{path} already exists")
    output.say(f"Class: {path}", "", "Edit this file, put the hand-ins beside it, then:")
    output.say(f"  nimtui class {quote(str(folder))} nim:1,3,5,7:misere")


def _new_program(name: str, language: Language) -> None:
    """Write a program into its folder, and compile it if it is in C."""
    import shutil
    import subprocess

    from nimtui.agents import home_programs
    from nimtui.agents.parse import START

    words = {"NAME": name, "CLASS": _class_name(name)}
    file, start = (text.format(name=name, title=words["CLASS"]) for text in PROGRAMS[language])
    folder = paths.programs() / name if start else paths.programs()
    path = folder / file
    if name in home_programs.programs() or is_there(path) or is_there(paths.programs() / name):
        raise InputError(f"there is a program {name} in {paths.programs()}: choose another name")
    _check_free(name, path)
    paths.ensure(folder)
    _create(path, _text(f"program/{language}", words))
    if start:
        _create(folder / START, f"{start}\n")
    else:
        path.chmod(0o755)
    output.say(f"Program {name}: {path}")
    if language is Language.C:
        compiled = f"cc -O2 -o {quote(str(folder / name))} {quote(str(path))}"
        if compiler := shutil.which("cc"):
            subprocess.run([compiler, "-O2", "-o", str(folder / name), str(path)], check=False)
        output.say(f"{'Compiled by' if compiler else 'Compile it by'}: {compiled}")
    output.say("", "Edit this file, then:", *(f"  {line.format(name=name)}" for line in NEXT[Kind.PROGRAM]))


def _new_screen(name: str, commands: Collection[str]) -> None:
    """Write the files of a screen, and its section of the reference."""
    root = source_tree()
    check_free(root, name, commands)
    output.say(f"Screen {name}: in {root}", *(f"  {path}" for path in write(root, name)), "")
    word, test = word_of(name), f"tests/ui/test_{name}.py"
    output.say("Edit these files, then:", *(f"  {line.format(file=test, name=word)}" for line in NEXT[Kind.SCREEN]))


def template(kind: Kind, name: str) -> str:
    """Return the source of a working file with this name."""
    return _text(kind, {"NAME": name, "CLASS": _class_name(name)})


def _check_free(name: str, path: Path) -> None:
    """Raise InputError if the file exists or the name is taken."""
    if is_there(path):
        raise InputError(f"{path} already exists: choose another name")
    if name in built_in():
        raise InputError(f"the name '{name}' is taken by {built_in()[name][1]}")
    for other, kind in own_paths():
        if name in declared(other, kind).names:
            raise InputError(f"the name '{name}' is taken by {other}")


REFERENCE = Path("docs/command-line.md")
BEFORE = "## `nimtui solve`"  # the sections of screens stand above this one
FUNCTION_KEYS = ("f8", "f12", "f10", "f11")  # terminals take some of them for themselves: the best first


def source_tree() -> Path:
    """Return the root of nimtui's source. Raises InputError if nimtui is installed without it."""
    root = Path(__file__).resolve().parents[2]
    if not all((root / part).exists() for part in (REFERENCE, "styles", "tests/ui")):
        raise InputError("a screen is a part of nimtui's source, which is not here: see CONTRIBUTING.md")
    return root


def check_free(root: Path, name: str, commands: Collection[str]) -> None:
    """Raise InputError if one of these commands, a place with keys or a room has this name."""
    from nimtui.ui.app.keymap import places

    if word_of(name) in (*commands, *places()) or (root / "nimtui" / "ui" / name).exists():
        raise InputError(f"the name '{name}' is taken: choose another name")


def write(root: Path, name: str) -> list[Path]:
    """Write the files of a screen and its section of the reference; return their paths in the source tree.

    Raises InputError if one of the files exists.
    """
    words, room = _words(name), Path("nimtui/ui") / name
    texts = {room / f"{part}.py": _text(f"screen/{part}", words) for part in ("__init__", "screen", "view")}
    texts[Path("styles") / f"{name}.tcss"] = _text("screen/style", words)
    texts[Path("tests/ui") / f"test_{name}.py"] = _text("screen/test", words)
    if taken := [str(path) for path in texts if (root / path).exists()]:
        raise InputError(f"{taken[0]} already exists: choose another name")
    reference = (root / REFERENCE).read_text("utf-8")
    section = _text("screen/reference", words)
    for path, text in texts.items():
        _create(root / path, text)
    (root / REFERENCE).write_text(reference.replace(f"\n{BEFORE}\n", f"\n{section}{BEFORE}\n", 1), "utf-8")
    return [*texts, REFERENCE]


def _create(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    files.create(path, lambda file: file.write(text.encode()))


def word_of(name: str) -> str:
    """Return the name as people type it."""
    return name.replace("_", "-")


def _text(template: str, words: Mapping[str, str]) -> str:
    """Return a template with these words in it, and with its imports in order."""
    text = resources.files("nimtui.check").joinpath("templates", f"{template}.txt").read_text("utf-8")
    for placeholder, word in words.items():
        text = text.replace(f"@{placeholder}@", word)
    return re.sub(
        r"(?:^from nimtui\..*\n)+", lambda imports: "".join(sorted(imports[0].splitlines(True))), text, flags=re.M
    )


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _words(name: str) -> dict[str, str]:
    """Return what stands for the placeholders of the template."""
    letter, key = _free_keys(name)
    words = {"NAME": name, "WORD": word_of(name), "CLASS": _class_name(name), "LETTER": letter, "KEY": key}
    return words | {"TITLE": name.replace("_", " ").capitalize()}


def _free_keys(name: str) -> tuple[str, str]:
    """Return a letter that is free on the start screen, one of the name if possible, and a free function key or ''."""
    from nimtui.ui.app.keymap import every, together

    keys = every()
    near = together("start")
    taken = {pressed for key in keys if key.place in near for pressed in key.default}
    letter = next(sign for sign in (*name, *string.ascii_letters) if sign.isalpha() and sign not in taken)
    everywhere = {pressed for key in keys for pressed in key.default}
    return letter, next((key for key in FUNCTION_KEYS if key not in everywhere), "")


BROKEN = 1  # the exit status if a rule of the contract, or of the assignment, is broken


@options.examples("""\
nimtui check wythoff.py
nimtui check wythoff:4,8
nimtui check last:epsilon=0.2
nimtui check nim:1,3,5,7 --json
nimtui check 'cmd:python3 bot.py' --game connect4""")
def check(
    what: Annotated[
        str,
        options.argument(
            "FILE|GAME|AGENT|LEARNER|PROGRAM",
            "A Python file with a game, learner or agent, the name of one, or a program: cmd:./bot.",
        ),
    ],
    game: Annotated[
        str | None,
        options.filter_option("The game that a program plays. [default: nim:3,4,5, or that of its assignment]"),
    ] = None,
    json: options.Json = False,
) -> None:
    """Check a game, a learner, an agent or a program against its contract.

    Tests the rules on the positions nearest to the start and in random games, interpreted and compiled. The tests run
    in a separate process. Names each broken rule with an example; the exit status is then 1. nimtui checks your own
    files before it first uses them.

    A program plays some games against random moves, with 2 s for a move. The report names each kind of fault.
    """
    from nimtui.agents.home_programs import assignment_of, names_program
    from nimtui.arena.play import trials
    from nimtui.check import quarantine
    from nimtui.check.report import PROGRAM, checked

    hand_in = assignment_of(what)
    with Bar("check") as bar:
        if names_program(what) or hand_in:
            verdict, path = trials.check(what, read_game(game or hand_in or "nim:3,4,5"), bar)
            kind = PROGRAM
        elif game is not None:
            raise InputError("--game is for a program, such as cmd:./bot")
        else:
            own = find(what)
            path, kind, verdict = own.path, own.kind, quarantine.check(own.source, own.kind, own.wanted)
    if verdict.refused:
        raise InputError(verdict.refused)
    output.report(checked(path, kind, verdict), json)
    if not verdict.ok:
        raise typer.Exit(BROKEN)


@options.examples("""\
nimtui grade nim.py
nimtui grade tictactoe.py --json
nimtui grade hand_in.py --assignment sorting.toml""")
def grade(
    file: Annotated[
        Path, options.argument("FILE", "A student's Python file. It runs in the sandbox.", options.file_name)
    ],
    assignment: Annotated[
        str | None,
        options.option(
            "",
            "NAME|FILE",
            "nim, tictactoe, or a file with an assignment of your own. [default: the one that the file resembles]",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Try the rules of an assignment on a student's file.

    Names each broken rule with the smallest example; the exit status is then 1. Knows the Nim and the tic-tac-toe of
    Harvard's CS50 AI course. The file stays as it is: what it prints is dropped.
    """
    from nimtui.check.grade import Grade, Rule, report, tried
    from nimtui.learning.students.learner import BUILT_IN, likeliest, parsed, read

    if not file.is_file():
        raise InputError(f"no file '{file}'")
    if assignment is None:
        rules = likeliest(file)
        if rules is None:
            parsed(file)  # raises what keeps it from being read
            raise InputError(f"{file} resembles no assignment: name one by --assignment ({', '.join(BUILT_IN)})")
    elif assignment in BUILT_IN or Path(assignment).is_file():
        rules = read(BUILT_IN.get(assignment, Path(assignment)))
    else:
        raise unknown("assignment", assignment, BUILT_IN)
    every: list[Rule] = []
    with Bar("grade") as bar:
        with bar.orderly(lambda: every):
            for rule in tried(absolute(file), rules, bar):
                every.append(rule)  # a stop leaves those before it
        result = Grade(rules, absolute(file), tuple(every))
        bar.print(report(result), json)
        bar.leave()
    if result.broken:
        raise typer.Exit(BROKEN)
