"""Commands and all that they print, in files of text: `python -m tests.cli.transcripts [FILE ...]` writes them again.

A file has stories, each below a line `## TITLE`. `$ solve nim:3,5` runs that command of nimtui in this process, in a
home and a folder of the story's own. Below it stands what it prints; then its lines on stderr, each after `!`, with the
status if that is not 0. `$ cat FILE` prints a file that a command has written, `$ write FILE` makes one of the lines
below it, `$ columns N` is a terminal of that width. In plain mode `$ printf 'LINES' | play …` types the lines. Times
are masked; a document is one line, here wrapped.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from nimtui.agents import registry as agents
from nimtui.cli import output
from nimtui.cli.app import run
from nimtui.cli.plain import lines as plain
from nimtui.games import registry as games
from nimtui.jobs import processes
from nimtui.jobs.workers import Workers
from nimtui.learning import learner
from nimtui.ui.kit.contract import keymap
from nimtui.version import __version__

FOLDER = Path(__file__).with_name("transcripts")
WIDTH = 118  # of a wrapped document
MEASURED = {"seconds", "games_per_second", "nodes_per_second", "peak_bytes", "changed", "ended"}  # keys of documents
DATE = r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?: UTC|\+00:00)?"
TIMES = (
    r"<?\b\d[\d.,]* (?:µs|ms|s)\b(?: \(\d[\d.,]* \w+ of it now\))?(?: +(?:–|[\d.,]+(?: [kM])?/s))?",  # with the speed
    r"\b[\d,]+ a second\b",
    r'(?<=^nodes/s).*|(?<=^Seconds: ).*|(?<="made": )[\d.]+|(?<="seconds": )[\d.e-]+',
    rf"[\d.e-]+,{DATE}|{DATE}",
)
TIME = re.compile("|".join(TIMES), re.MULTILINE)


class Step(NamedTuple):
    """A line after `$`, and the lines below it; `remark` are the lines of comment above it."""

    remark: str
    words: str
    text: str


class Story(NamedTuple):
    """Commands that belong together: the name of their file, what they show, and the text."""

    file: str
    title: str
    text: str


class Here(Workers):
    """Does each piece in this process, as soon as it is submitted."""

    size = 1

    def __init__(self, *_: object) -> None:
        pass

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        result: Future[Any] = Future()
        result.set_result(function(*given, **named))
        return result


def steps(text: str) -> Iterator[Step]:
    """Yield the steps of a file."""
    for part in re.finditer(r"((?:^#.*\n)*)^\$ (.*)\n((?:(?![$#]).*\n)*)", text, re.MULTILINE):
        yield Step(part[1], part[2], part[3].rstrip())


def written(steps: Iterator[Step]) -> str:
    """Return the text of a file."""
    return "\n".join("\n".join(filter(None, (f"{step.remark}$ {step.words}", step.text, "\n")))[:-1] for step in steps)


def played(steps: Iterator[Step]) -> Iterator[Step]:
    """Yield the steps with what each prints now."""
    with at_home():
        columns = 0
        for step in steps:
            *typed, words = [shlex.split(part) for part in step.words.split(" | ")]
            word = words[0]
            if word == "write":
                Path(words[1]).parent.mkdir(exist_ok=True)
                Path(words[1]).write_text(f"{step.text}\n", "utf-8")
            elif word == "columns":
                columns = int(words[1])
            else:
                lines = typed[0][1].encode().decode("unicode_escape") if typed else ""
                text = anywhere(Path(words[1]).read_text("utf-8")) if word == "cat" else printed(words, columns, lines)
                step = step._replace(text=masked(text))
            yield step


@contextmanager
def at_home() -> Iterator[None]:
    """Work in a new folder, which holds the home."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        with (
            mock.patch.dict(os.environ, {"NIMTUI_HOME": str(folder / "home")}),
            mock.patch("nimtui.process.detached.ends_processes", lambda: False),  # as it is where no login ends them
            chdir(folder),
        ):
            yield


def printed(words: list[str], columns: int, lines: str) -> str:
    """Return what a command prints to whoever types these lines, on a terminal of so many columns, 0 for a pipe."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode()), "utf-8")),
        mock.patch.object(plain, "PATIENCE", 1e6),
        mock.patch.object(keymap, "_chosen", {}),
        mock.patch.object(games, "_added", []),  # by other tests, as below
        mock.patch.object(learner, "_added", []),
        mock.patch.object(agents, "_added", []),
        mock.patch.object(agents, "_entries", {}),
        mock.patch.object(processes, "Processes", Here),
        mock.patch.object(output, "terminal_width", lambda: columns),
        mock.patch.object(output, "LINE", min(columns or output.LINE, output.LINE)),
    ):
        status = run(words)
        output.drawing_of_app()  # after --ascii
    text, messages = (anywhere(stream.buffer.getvalue().decode()) for stream in (out, err))  # type: ignore[attr-defined]
    if text.startswith(("{", "[")):
        masked = json.dumps(without_measures(json.loads(text)), ensure_ascii=False)
        text = textwrap.fill(masked, WIDTH, break_long_words=False, break_on_hyphens=False)
    sign = f"!{status or ''}"
    lines = [f"{sign} {line.removeprefix('nimtui: ')}" for line in messages.splitlines()] or [sign] * bool(status)
    return "\n".join([text.rstrip(), *lines]).strip("\n")


def anywhere(text: str) -> str:
    """Return the text as it is in any folder and version: before it is wrapped, which goes by their length."""
    return text.replace(str(Path.cwd()), "FOLDER").replace(__version__, "VERSION")


def masked(text: str) -> str:
    """Return the text without times and dates, and then without the widths of columns."""
    text = "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    text = re.sub(r"-?\d+\.\d{10,}(e-?\d+)?", lambda number: f"{rounded(float(number[0]))}", text)
    return re.sub(" +", " ", TIME.sub("TIME", text)) if TIME.search(text) else text


def rounded(number: float) -> float:
    """Return a number without its last digits, which depend on the processor."""
    return float(f"{number:.9g}") if abs(number) > 1e-9 else 0.0


def without_measures(value: Any) -> Any:
    """Return a document without what a clock decides."""
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, dict):
        return {key: "~" if key in MEASURED else without_measures(item) for key, item in value.items()}
    return [without_measures(item) for item in value] if isinstance(value, list) else value


def stories() -> Iterator[Story]:
    """Yield the stories of all files."""
    for path in sorted(FOLDER.glob("*.txt")):
        for part in re.split(r"^(?=## )", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            title, _, text = part.partition("\n")
            yield Story(path.stem, title.removeprefix("## "), text.rstrip() + "\n")


def main() -> None:
    files: dict[str, list[str]] = {}
    for story in stories():
        now = story.text
        if story.file in (sys.argv[1:] or [story.file]):
            now = written(played(steps(story.text)))
        files.setdefault(story.file, []).append(f"## {story.title}\n{now}")
    for name, texts in files.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(texts), "utf-8")


if __name__ == "__main__":
    main()
