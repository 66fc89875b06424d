"""`nimtui class`: plays a class of students against a fixed pool and each other, and marks them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

from nimtui.cli import completion, options, output
from nimtui.cli.bar import FAULTS, Bar
from nimtui.cli.names import own_files, read_game
from nimtui.cli.saving import Saving
from nimtui.errors import InputError


@options.examples("""\
nimtui new class hand_ins
nimtui class hand_ins nim:1,3,5,7:misere
nimtui class hand_ins noughts --to marks.csv --pages feedback""")
def class_(
    folder: Annotated[
        Path,
        options.argument("FOLDER", "A folder: each file or folder in it is a student's hand-in.", options.file_name),
    ],
    game: Annotated[str, options.argument("GAME", "The game that all play.", complete=completion.games)],
    workers: options.Workers = None,
    sandbox: options.Sandboxed = None,
    to: Annotated[Path | None, options.to_option("Also write the report to FILE: .md, .csv, .html or .json.")] = None,
    pages: Annotated[
        Path | None,
        options.option("", "FOLDER", "Write a page for each student into this folder, in Markdown.", options.file_name),
    ] = None,
    force: options.Force = False,
    headless: options.Headless = False,
    json: options.Json = False,
) -> None:
    """Play a class of students and mark them.

    Every hand-in plays against a fixed pool of agents, and against the others. The mark counts the games against the
    pool alone, so it does not depend on the other students. Settings: class.toml in the folder.

    Run the command again after a hand-in changed: only its games are played again. Ctrl+C stops; the same command
    continues.
    """
    from nimtui.agents.program import sandbox_line
    from nimtui.arena.classes import settings
    from nimtui.arena.classes.class_report import FORMATS, page, report
    from nimtui.cli.standing_table import LiveTable
    from nimtui.jobs import classes
    from nimtui.jobs.work import Work
    from nimtui.report.copies import command
    from nimtui.report.tables import markdown

    options.check_workers(workers, None)
    if not folder.is_dir():
        raise InputError(f"no folder '{folder}'")
    if settings.begin(folder):
        output.tell(f"wrote the default settings: {folder / settings.FILE}")
    if omitted := settings.omitted(folder):
        output.tell(omitted)
    if to is not None:
        write = output.format_of(to, FORMATS)
        output.check_new(to, None, force)
    own_files()
    board = read_game(game)
    with closing(Saving()) as keeping:
        with Bar("class") as bar, output.others_silent():
            task = keeping.take_on(lambda db: classes.opened(db, folder, board, workers, bar))
        closed = sandbox_line(task.plan.agents, sandbox)
        live = LiveTable(lambda: task.view) if not (headless or json) else Bar("class")
        with live as bar, output.others_silent():
            bar.watch(task, "the class continues, and nimtui tries again")
            with bar.orderly(ends=FAULTS):
                Work.here(task, bar)
        if bar.ended is not None:
            bar.leave(keeping.say_how_to_resume(*task.stored(), command("class", folder, board.name).text))
        assert keeping.kept is not None
        pupils = classes.results(keeping.kept.info.document, task, keeping.kept.rows)
        result = report(task.plan, pupils, closed)
        bar.print(result, json, keeping.document(), keeping.where)
        if to is not None:
            output.write_text(to, write(task.plan, result, pupils))
        if pages is not None:
            pages.mkdir(parents=True, exist_ok=True)
            for pupil in pupils:
                output.write_text(pages / f"{pupil.name}.md", markdown(page(task.plan, pupil)) + "\n")
            if names := settings.names_csv(folder):
                output.write_text(pages / "names.csv", names)
