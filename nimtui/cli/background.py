"""Commands in the background: `--background` starts the same command again, without a terminal."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

import typer

from nimtui.cli import output
from nimtui.errors import InputError
from nimtui.process import detached
from nimtui.store import paths, run_files

LOOK = 0.05  # seconds between two looks whether the run is listed
PATIENCE = 30.0  # seconds until it must be listed; it works without that in a home that cannot be written
FLAG = "--background"

arguments: tuple[str, ...] = ()  # of this command


def detach(kind: str, place: Path | int | None) -> None:
    """Start this command as a run in the background, wait until the run is listed, and say how to watch it.

    Prints what the command prints, and raises Exit with its status, if it ends before.
    """
    if detached.run_number() is not None:
        raise InputError("this command is in the background already")
    paths.ensure(run_files.folder())
    id = run_files.new_id(kind, place.resolve() if isinstance(place, Path) else place)
    text = run_files.output(id)
    process = detached.start([word for word in arguments if word != FLAG], id, text)
    until = monotonic() + PATIENCE
    while process.poll() is None and monotonic() < until:
        if any((run.id, run.pid) == (id, process.pid) for run in run_files.every()):
            break
        sleep(LOOK)
    if process.returncode:
        for line in text.read_text(encoding="utf-8", errors="replace").splitlines():
            output.tell(line.removeprefix("nimtui: "))
        text.unlink(missing_ok=True)
        raise typer.Exit(process.returncode)
    output.paragraph(f"Run {id} works in the background: nimtui runs watch {id}")
    if detached.ends_processes() and not detached.scope():
        output.tell(detached.prospect())
