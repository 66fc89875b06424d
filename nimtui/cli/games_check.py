"""`nimtui games check`: finds damage in everything that is saved."""

from __future__ import annotations

from contextlib import closing

import typer

from nimtui.cli import options

EXAMPLES = """\
nimtui games check
nimtui games check --json"""
DAMAGED = 1  # the exit status if anything is damaged


def check(json: options.Json = False) -> None:
    """Check all saved data for damage.

    Reads games, tournaments, tables, runs, sweeps, set-ups, settings and deleted files, and verifies the checksum or
    the format of each. Changes nothing. Prints one line per damaged item; the exit status is then 1.
    """
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.report.blocks import Figure, Figures, Report, Sentence
    from nimtui.report.values import Named, Word
    from nimtui.store.check import Checked, check_database, check_files
    from nimtui.store.database import Database
    from nimtui.store.errors import StoreError

    checked = Checked()
    with Bar("check") as bar:
        check_files(checked, bar)
        try:
            with closing(Database(replace=False)) as database:
                for fault in database.faults:
                    checked.add("database", str(database.path), fault.removeprefix(f"{database.path} "))
                check_database(checked, database, bar)
        except StoreError as fault:
            checked.add("database", "", str(fault))
    counts = {what if what == "settings" else f"{what}s": number for what, number in checked.counts.items()}
    facts = {"checked": counts, "damaged": [damage._asdict() for damage in checked.damaged]}
    read = [Named(n, what, f"{what}s").text if what != "settings" else what for what, n in checked.counts.items() if n]
    faults = Figures([Figure(f"damaged: {damage.what} {damage.id}", Word(damage.fault)) for damage in checked.damaged])
    summary = Sentence(f"checked: {', '.join(read) or 'nothing is saved yet'}", facts)
    output.report(Report([summary, faults if checked.damaged else Sentence("no damage found")]), json)
    if checked.damaged:
        raise typer.Exit(DAMAGED)
