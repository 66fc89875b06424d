"""`nimtui runs`: lists, watches, stops and takes over runs of any nimtui that uses this data folder."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.bar import Bar
from nimtui.cli.names import own_files
from nimtui.cli.solve import book
from nimtui.cli.tournament import tournament
from nimtui.cli.train import proceed, sweep
from nimtui.errors import InputError
from nimtui.store import files, run_files
from nimtui.store.run_files import RunFile

USUAL_EVERY = 1.0

runs = options.group("runs", "List, watch, stop and take over training, tournaments and sweeps, wherever they run.")
Id = Annotated[
    int | None,
    options.argument(
        "ID",
        "The run's number in 'nimtui runs'. [default: the only run that is on]",
        options.whole("the number of a run", 1, options.LARGEST_SEED),
        completion.runs,
    ),
]


@runs.callback(
    invoke_without_command=True,
    epilog=options.epilog("""\
nimtui runs
nimtui runs --json
nimtui runs watch 3
nimtui runs take 3"""),
)
def of_runs(context: typer.Context, json: options.Json = False) -> None:
    """List, watch, stop and take over training, tournaments and sweeps, wherever they run.

    Without a command, lists all runs of this data folder: those of the app, of commands, and of other machines.
    """
    if context.invoked_subcommand is None:
        list_runs(None, json)


@options.command(runs, "list")
@options.examples("""\
nimtui runs list
nimtui runs list tower --json""")
def list_runs(
    words: Annotated[
        list[str] | None, options.argument("[WORD]...", "Only runs with these words in kind, name, game, file, state.")
    ] = None,
    json: options.Json = False,
) -> None:
    """List what runs, ran, and was cut off, the newest first."""
    from nimtui.jobs import runs_report

    output.report(runs_report.runs(run_files.every(), words or ()), json)


@options.command(runs)
@options.examples("""\
nimtui runs watch
nimtui runs watch 3 --every 60
nimtui runs watch quality             all runs of this learner""")
def watch(
    words: Annotated[
        list[str] | None,
        options.argument("[ID|WORD]...", "A run's number, or words of runs. [default: the only run that is on]"),
    ] = None,
    every: Annotated[
        float, options.option("--every", "S", "Seconds between two lines.", options.seconds("the time"), default=True)
    ] = USUAL_EVERY,
    json: options.Json = False,
) -> None:
    """Print a line about a run at regular intervals, until it ends.

    Words choose all runs that are on with these words in kind, name, game, file or state: a line for each. Watching
    costs a run nothing. Ctrl+C ends the watching alone. --json prints one document per line.
    """
    from nimtui.jobs import runs_report
    from nimtui.store.run_files import Remote

    remotes, news = [Remote(run) for run in _watched(words or [])], dict[int, float]()
    with Bar("watch", shown=False) as bar:
        while True:
            printed = monotonic()
            for run in [remote.file for remote in remotes]:
                if run.written != news.get(run.id):
                    output.document(runs_report.keys(run)) if json else output.say(runs_report.sentence(run))
                    news[run.id] = run.written
            remotes = [remote for remote in remotes if remote.file.is_on]
            if not remotes:
                return
            while monotonic() - printed < every and all(remote.file.is_on for remote in remotes):
                for remote in remotes:
                    bar.report(0, 0)
                    remote.greet()
                    remote.wait()


def _watched(words: list[str]) -> list[RunFile]:
    """Return the runs with these numbers, or those that are on with these words; without words the only one."""
    from nimtui.jobs import runs_report

    if all(word.isdecimal() and word.isascii() for word in words):
        return [run_files.read(int(word)) for word in words] or [_chosen(None)]
    if not (runs := [run for run in runs_report.with_words(run_files.every(), words) if run.is_on]):
        raise InputError("no run that is on has these words: 'nimtui runs' lists all")
    return runs


@options.command(runs)
@options.examples("""\
nimtui runs stop 3
nimtui train --resume big.npz                 continue it""")
def stop(id: Id = None, json: options.Json = False) -> None:
    """Stop a run. All that is done is saved, if the run has a file."""
    from nimtui.jobs import runs_report

    run = _chosen(id)
    if not run.is_on:
        raise InputError(f"run {run.id} {runs_report.WORDS[run.state]} already")
    with Bar("stop", shown=False) as bar:
        run = run_files.end(run, "stop", bar)
    output.report(runs_report.run(run), json)


@options.command(runs)
@options.examples("""\
nimtui runs take 3
nimtui runs take 3 --json > report.json""")
def take(id: Id = None, json: options.Json = False) -> None:
    """Stop a run where it is, and continue it here to the same result.

    Continues a run that was stopped or cut off too. An app whose run is taken saves it and ends.
    """
    with Bar("take", shown=False) as bar:
        run = run_files.take(_chosen(id, to_take=True), bar)
    own_files()
    place = Path(run.file or "")
    match run.kind:
        case "training":
            from nimtui.learning.run import Run

            proceed(Run.load(place), json)
        case "sweep":
            sweep(resume=place, json=json)
        case "book":
            book(run.game, place, int(run.name.partition(" ")[0]), json=json)
        case _:
            tournament(game=[str(run.number)], resume=True, headless=True, json=json)


@options.command(runs)
@options.examples("""\
nimtui runs show 3""")
def show(id: Id = None, json: options.Json = False) -> None:
    """Print a line about a run, and the report that a run in the background printed at its end."""
    from nimtui.jobs import runs_report

    run = _chosen(id, newest=True)
    output.report(runs_report.run(run), json)
    path = run_files.output(run.id)
    if not json and not run.is_on and path.exists():
        output.say("", *files.contents(path, LARGEST).decode(errors="replace").splitlines())


LARGEST = 2**24  # bytes of a report


def _chosen(id: int | None, to_take: bool = False, newest: bool = False) -> RunFile:
    """Return the run with this number; else the newest, the only one that is on, or to take, one that can continue."""
    if id is not None:
        return run_files.read(id)
    every = run_files.every()
    on = every[:1] if newest else [run for run in every if run.is_on]
    if len(on) > 1:
        raise InputError(f"name one of the runs {', '.join(str(run.id) for run in reversed(on))}")
    if not on and to_take:
        on = [run for run in every if run.state in ("stopped", "cut") and run.place is not None]
    if not on:
        raise InputError("no run is on: 'nimtui runs' lists those that ended")
    return on[0]
