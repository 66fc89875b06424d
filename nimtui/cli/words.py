"""What nimtui says of itself: `words` explains its terms, `config` prints where it keeps its files, and the settings.

`keys` lists the keys of every screen, with those of a person's own file.
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from typing import Annotated

from nimtui.cli import options, output
from nimtui.errors import unknown
from nimtui.foreign.reading import exists
from nimtui.process import detached
from nimtui.report.values import Word
from nimtui.store import paths


@options.examples("""\
nimtui words
nimtui words P-position
nimtui words "nim-sum" --json""")
def words(
    term: Annotated[str | None, options.argument("[TERM]", "The term to explain. [default: all of them]")] = None,
    json: options.Json = False,
) -> None:
    """Explain the terms that nimtui uses.

    Prints one term, or the whole glossary."""
    from nimtui import glossary

    terms = [glossary.find(term)] if term is not None else list(glossary.TERMS)
    if json:
        output.document(
            {"terms": [{"name": one.name, "also": list(one.also), "meaning": one.meaning} for one in terms]}
        )
        return
    for one in terms:
        output.say(one.heading, style="bold")
        output.say(*(f"  {part}" for part in output.wrapped(one.meaning, output.LINE - 2)))


@options.examples("""\
nimtui keys
nimtui keys play
nimtui keys --json""")
def keys(
    screen: Annotated[
        str | None,
        options.argument("[SCREEN]", "A screen or widget, for example play, train, list. [default: all of them]"),
    ] = None,
    json: options.Json = False,
) -> None:
    """List the keys of every screen.

    Prints the id of each action, its keys, and what it does. The file keys.toml gives an id other keys; 'nimtui config'
    prints where the file is.
    """
    from nimtui.report.blocks import Block, Facts, Figure, Figures, Gap, Heading, Report
    from nimtui.ui.app import keymap
    from nimtui.ui.app.keymap import place, places
    from nimtui.ui.kit.contract.keymap import shown

    kind = place(screen) if screen is not None else None
    if screen is not None and kind is None:
        raise unknown("screen", screen, places())
    faults = keymap.use_own()
    bindings = keymap.every() if kind is None else keymap.of_place(kind)
    listed = [
        {
            "id": key.id,
            "screen": key.place,
            "keys": list(map(shown, key.keys)),
            "default": list(map(shown, key.default)),
            "does": key.does,
        }
        for key in bindings
    ]
    blocks: list[Block] = [Facts({"file": str(paths.keys()), "faults": faults, "keys": listed})]
    for of, rows in groupby(bindings, lambda key: key.place):
        figures = [Figure(f"  {key.id}", Word(" ".join(map(shown, key.keys))), note=key.does) for key in rows]
        blocks += [Heading(of), Figures(figures), Gap()]
    output.report(Report(blocks[:-1]), json)
    for fault in faults:
        output.tell(fault)


@options.examples("""\
nimtui config
nimtui config --json""")
def config(json: options.Json = False) -> None:
    """Print the folders and files of nimtui, and the settings.

    The variable NIMTUI_HOME names another folder for all of them.
    """
    from nimtui.report.blocks import Block, Facts, Figure, Figures, Gap, Heading, Report, Sentence
    from nimtui.store import paths, settings

    places = {
        "config_folder": paths.settings().parent,
        "data_folder": paths.home(),
        "settings_file": paths.settings(),
        "keys_file": paths.keys(),
        "database": paths.database(),
        "games_folder": paths.games(),
        "agents_folder": paths.agents(),
        "learners_folder": paths.learners(),
        "tables_folder": paths.tables(),
        "runs_folder": paths.runs(),
        "reports_folder": paths.reports(),
    }
    outlives = not detached.ends_processes() or bool(detached.scope())
    values, faults = settings.load(aside=False)
    facts = {
        "paths": {name: {"path": str(path), "exists": exists(path)} for name, path in places.items()},
        "settings": asdict(values),
        "faults": faults,
        "background": {"outlives_login": outlives, "why": detached.prospect()},
    }
    files = [
        Figure(name.replace("_", " "), Word(f"{path}{'' if exists(path) else '  (not there yet)'}"))
        for name, path in places.items()
    ]
    chosen = [
        Figure(name, Word(str(value).lower() if isinstance(value, bool) else str(value)))
        for name, value in asdict(values).items()
    ]
    blocks: list[Block] = [Facts(facts), Figures(files), Gap(), Heading("settings"), Figures(chosen), Gap()]
    output.report(Report([*blocks, Sentence(detached.prospect())]), json)
    for fault in faults:
        output.tell(fault)
