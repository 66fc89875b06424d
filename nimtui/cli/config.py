"""`nimtui config`: prints where nimtui keeps its files, and the settings."""

from __future__ import annotations

from dataclasses import asdict

from nimtui.cli import options, output
from nimtui.foreign.reading import exists
from nimtui.process import detached
from nimtui.report.values import Word


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
