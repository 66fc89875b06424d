"""The commands that README.md and docs/*.md show, and what they print.

`python -m tests.shown` runs all of them but the benchmark and a broken file, and writes changed output into the
documents. Times and dates may differ. A line '…' stands for lines that are left out.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests import forks

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
CUT = "…"
NEVER = ("bench", "check wythoff")  # other programs; a file that is broken on purpose
SLOW = (
    "sweep",
    "tournament subtraction",
    "tournament tower",
    "ratings",
    "games list",
    "games show",
    "games export",
)  # ratings and the games commands need the tournaments
OWN = (  # folder, file of the tests that the documents show whole
    ("games", "tests/games/wythoff.py"),
    ("games", "tests/games/coins.py"),
    ("learners", "tests/learning/last.py"),
    ("learners", "tests/learning/total.py"),
    ("agents", "tests/agents/stifle.py"),
)
USES_OWN = re.compile(r"\b(wythoff|coins|last|stifle|total)\b")
TIMES = re.compile(
    r"<?\b[\d.,]+ (?:µs|ms|s)\b(?: +(?:–|[\d.,]+(?: [kM])?/s))?|\b[\d,]+ a second\b|\b\d{4}-\d\d-\d\d \d\d:\d\d\b"
)


class Shown(NamedTuple):
    """A command without its first word, and the output below it."""

    document: Path
    words: str
    output: str


def shown() -> list[Shown]:
    """Return all commands with output, document by document."""
    return [
        Shown(document, *command.partition("\n")[::2])
        for document in DOCUMENTS
        for block in re.findall(r"```text\n(.*?)```", document.read_text("utf-8"), re.DOTALL)
        for command in re.split(r"^\$ nimtui ", block, flags=re.MULTILINE)[1:]
    ]


def listed() -> list[str]:
    """Return the commands without output: lines of shell blocks that start with nimtui."""
    return [
        line.removeprefix("nimtui ")
        for document in DOCUMENTS
        for block in re.findall(r"```sh\n(.*?)```", document.read_text("utf-8"), re.DOTALL)
        for line in block.splitlines()
        if line.startswith("nimtui ")
    ]


def same(wanted: str, printed: str) -> bool:
    """Return whether the output equals the documented one; times, dates and left-out lines may differ."""
    wanted, printed = comparable(wanted), comparable(printed)
    pieces = re.split(rf"^{CUT}$", wanted, flags=re.MULTILINE)
    if len(pieces) == 1:
        return wanted == printed
    if not printed.startswith(pieces[0]) or not printed.endswith(pieces[-1]):
        return False
    at = 0
    for piece in pieces:
        found = printed.find(piece.strip("\n"), at)
        if found < 0:
            return False
        at = found + len(piece.strip("\n"))
    return True


def comparable(text: str) -> str:
    """Return the text without times and dates; if it has any, without the widths of columns too."""
    text = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return re.sub(" +", " ", TIMES.sub("TIME", text)) if TIMES.search(text) else text


def run(words: str, home: Path) -> str:
    """Run a command in a separate process and return its output."""
    environment = {**os.environ, "NIMTUI_HOME": str(home), "NIMTUI_UNCHECKED": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "nimtui", *shlex.split(words)]
    done = forks.run(command, capture_output=True, text=True, cwd=home, env=environment, timeout=600, check=True)
    return done.stdout + done.stderr


def furnish(home: Path) -> None:
    """Put the files that the documents show into their folders."""
    for folder, file in OWN:
        (home / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, home / folder)


def updated(old: str, printed: str) -> str:
    """Return the new output, leaving out the same lines as the old one."""
    lines = [line.rstrip() for line in printed.strip().splitlines()]
    pieces = [piece.strip("\n").split("\n") for piece in re.split(rf"^{CUT}$", old.strip(), flags=re.MULTILINE)]
    kept: list[str] = []
    for number, piece in enumerate(pieces):
        if piece == [""]:
            taken: list[str] = []
        elif number == 0:
            taken = lines[: len(piece)] if len(pieces) > 1 else lines
        elif number == len(pieces) - 1:
            taken = lines[-len(piece) :]
        else:
            nearest = difflib.get_close_matches(piece[0], lines, 1, 0.0)[0]
            at = lines.index(nearest)
            taken = lines[at : at + len(piece)]
        kept += [*([CUT] if number else []), *taken]
    return "\n".join(kept)


def changes() -> Iterator[tuple[Shown, str]]:
    """Run the commands; yield each one whose output has changed, and the new output."""
    for document in DOCUMENTS:
        with tempfile.TemporaryDirectory() as folder:
            furnish(Path(folder))
            for one in shown():
                if one.document == document and not one.words.startswith(NEVER):
                    printed = run(one.words, Path(folder))
                    if not same(one.output, printed):
                        yield one, updated(one.output, printed)


def main() -> None:
    for one, output in changes():
        text = one.document.read_text("utf-8")
        old = f"$ nimtui {one.words}\n{one.output.strip()}"
        assert text.count(old) == 1, f"{one.document.name} shows this {text.count(old)} times: {one.words}"
        one.document.write_text(text.replace(old, f"$ nimtui {one.words}\n{output}"), "utf-8")
        print(f"{one.document.name}: nimtui {one.words}")


if __name__ == "__main__":
    main()
