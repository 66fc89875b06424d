"""Does the quick half of the tests notice a small mistake? Put mistakes into the code, one at a time, and see.

    python -m tests.mutants [ROOM ...] [--sample N] [--seed S] [--tests FOLDER ...] [--processes P]

ROOM is a folder or a file below `nimtui` (`theory`, `ui/train`); without one it is what figures and pictures come from.
Each mistake meets the quick tests that run through its line, or, if the line gives a name its value when the module
loads, through a line with that name; those of compiled rooms once more with their kernels interpreted. Survivors are
printed, but for those that change nothing: `equal_mutants.toml` lists these, with reasons.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import NamedTuple

from tests import mutant_runs
from tests.mutant_runs import Mode, Test
from tests.mutations import Mutation, loaded, mutations

ROOT = Path(__file__).parents[1]
EQUAL = ROOT / "tests" / "equal_mutants.toml"
ROOMS = ("games", "engine", "theory", "learning", "trees", "arena", "store", "report", "sandbox", "playing")
COMPILED = ("games", "engine", "learning")  # rooms whose lines run compiled, where no tracer sees them
SLOWER = 8.0  # times what its tests take unharmed, after which a mistake counts as noticed: it hangs
FEW_FILES = 4  # of tests that meet a mistake first
GRACE = 90.0  # seconds besides, on a busy machine


class Verdict(NamedTuple):
    """What became of a mistake: the test that noticed it, or None; and how many ran through its line."""

    mutation: Mutation
    noticed: str | None
    tests: int


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM")
    parser.add_argument("--sample", type=int, default=400, help="mistakes to try (0: all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tests", nargs="*", default=["tests"], help="folders and files of tests to try them with")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args(words)
    chosen = sample(options.rooms, options.sample, options.seed)
    if not chosen:
        parser.error("no code of that name: name folders or files below nimtui, as theory or ui/train")
    files = [path for place in options.tests for path in _files(ROOT / place, "test_*.py")]
    modes = [mode for mode in Mode if mode is Mode.COMPILED or any(map(_runs_compiled, chosen))]
    covered = {mode: mutant_runs.coverage(ROOT, files, mode, options.processes) for mode in modes}
    began = monotonic()
    verdicts = []
    for verdict in tried(chosen, covered, options.processes):
        verdicts.append(verdict)
        if verdict.noticed is None:
            print(f"{'uncovered' if not verdict.tests else 'survives'}  {verdict.mutation}", flush=True)
    print(summary(verdicts), f"{monotonic() - began:.0f} s", sep="\n")
    return 0


def sample(rooms: list[str], size: int, seed: int) -> list[Mutation]:
    """Return mistakes drawn from the rooms, each place alike, in the order drawn."""
    paths = [path for room in rooms for path in _files(ROOT / "nimtui" / room)] if rooms else [*_measured()]
    every = [
        one for path in sorted(set(paths)) for one in mutations(path.relative_to(ROOT).as_posix(), path.read_bytes())
    ]
    random.Random(seed).shuffle(every)
    return every[:size] if size else every


def _measured() -> Iterator[Path]:
    """Give the files of the rooms that are measured, and the painters: what of the screens needs no Textual."""
    for room in ROOMS:
        yield from _files(ROOT / "nimtui" / room)
    for path in _files(ROOT / "nimtui" / "ui"):
        if not re.search(r"^\s*(from|import) textual|widgets|kit\.(contract|forms)", path.read_text(), re.MULTILINE):
            yield path


def _files(place: Path, pattern: str = "*.py") -> list[Path]:
    file = place if place.suffix else place.with_suffix(".py")
    return [file] if file.is_file() else sorted(place.rglob(pattern))


def _runs_compiled(mutation: Mutation) -> bool:
    return mutation.path.split("/")[1] in COMPILED


def tried(chosen: list[Mutation], covered: dict[Mode, list[Test]], processes: int) -> Iterator[Verdict]:
    """Try each mistake in a copy of the tree. The verdicts come as they are reached."""
    lines, uses = {mode: _by_line(tests) for mode, tests in covered.items()}, Uses(ROOT / "nimtui")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(processes) as pool:
        copies: SimpleQueue[mutant_runs.Copy] = SimpleQueue()
        for number in range(processes):
            copies.put(mutant_runs.Copy(ROOT, Path(folder) / str(number)))

        def judged(mutation: Mutation) -> Verdict:
            copy, count = copies.get(), 0
            try:
                with copy.changed(mutation):
                    for mode, tests_of in lines.items():
                        if mode is Mode.INTERPRETED and not _runs_compiled(mutation):
                            continue
                        places = uses.lines(mutation.path, mutation.line)
                        folder = mutation.path.rpartition("/")[0]  # its tests may run the file in other processes
                        tests = _through(places, tests_of) or tests_of[mutation.path, 0] or tests_of[folder, 0]
                        count += len(tests)
                        for part in _in_parts(tests, mutation.path.split("/")[1]):
                            seconds = GRACE + SLOWER * sum(test.seconds for test in part)
                            if noticed := copy.noticed([test.name for test in part], mode, seconds):
                                return Verdict(mutation, noticed, count)
                return Verdict(mutation, None, count)
            finally:
                copies.put(copy)

        yield from pool.map(judged, chosen)


def _by_line(tests: list[Test]) -> dict[tuple[str, int], list[Test]]:
    """Return the tests that run through each line of each file, the quickest first; line 0: of a file or folder."""
    lines: dict[tuple[str, int], list[Test]] = defaultdict(list)
    for test in sorted(tests, key=lambda test: test.seconds):
        for path, numbers in test.lines.items():
            for number in (0, *numbers):
                lines[path, number].append(test)
        for folder in {path.rpartition("/")[0] for path in test.lines}:
            lines[folder, 0].append(test)
    return lines


def _through(places: set[tuple[str, int]], tests_of: dict[tuple[str, int], list[Test]]) -> list[Test]:
    """Return the tests that run through any of these lines, the quickest first."""
    if len(places) == 1:
        return tests_of[places.pop()]
    tests = {test.name: test for place in places for test in tests_of[place]}
    return sorted(tests.values(), key=lambda test: test.seconds)


def _in_parts(tests: list[Test], room: str) -> Iterator[list[Test]]:
    """Give the tests of a few files, then of more: most mistakes are noticed before all files are imported.

    The files of the room itself come first, then those of the quickest tests.
    """
    of_file: dict[str, list[Test]] = defaultdict(list)
    for test in tests:
        of_file[test.name.partition("::")[0]].append(test)
    files, size = sorted(of_file, key=lambda name: name.split("/")[1] != room), FEW_FILES
    while files:
        yield sorted((test for file in files[:size] for test in of_file[file]), key=lambda test: test.seconds)
        files, size = files[size:], 4 * size


class Uses:
    """The lines in which each name stands, and the names that lines give a value when their module loads."""

    def __init__(self, package: Path) -> None:
        self._names: dict[tuple[str, int], set[str]] = {}
        self._lines: dict[str, set[tuple[str, int]]] = defaultdict(set)
        for file in _files(package):
            path, source = file.relative_to(ROOT).as_posix(), file.read_text()
            self._names |= {(path, line): names for line, names in loaded(source).items()}
            for number, line in enumerate(source.splitlines(), 1):
                for name in re.findall(r"[A-Za-z_]\w*", line):
                    self._lines[name].add((path, number))

    def lines(self, path: str, line: int) -> set[tuple[str, int]]:
        """Return the line itself; for one of a module's or a class's own, the lines that read what it defines.

        Those of its own file and of files that name its module; through constants that are made of it, too."""
        ahead = self._names.get((path, line))
        if ahead is None:
            return {(path, line)}
        readers = {path} | {file for file, _ in self._lines[Path(path).stem]}
        ahead, seen, places = set(ahead), set[str](), set[tuple[str, int]]()
        while ahead:
            name = ahead.pop()
            seen.add(name)
            for place in self._lines[name]:
                if place[0] in readers and place not in self._names:
                    places.add(place)
                elif place[0] in readers:
                    ahead |= {other for other in self._names[place] - seen if other.isupper()}
        return places


def equal() -> set[tuple[str, str, str]]:
    """Return the mistakes that are known to change nothing: file, line as written, and change."""
    return {(one["file"], one["line"], one["change"]) for one in tomllib.loads(EQUAL.read_text())["equal"]}


def is_equal(mutation: Mutation, known: set[tuple[str, str, str]]) -> bool:
    line = (ROOT / mutation.path).read_text().splitlines()[mutation.line - 1].strip()
    return (mutation.path, line, mutation.change) in known


def summary(verdicts: list[Verdict]) -> str:
    """Return a line a room: how many mistakes were tried, noticed, alive, and alive but equal."""
    known, rows = equal(), defaultdict(Counter)
    for verdict in verdicts:
        what = "noticed" if verdict.noticed else "equal" if is_equal(verdict.mutation, known) else "alive"
        for room in (verdict.mutation.path.removeprefix("nimtui/").rpartition("/")[0], "all"):
            rows[room][what] += 1
    lines = [f"{'room':24} tried noticed alive equal"]
    for room, counts in sorted(rows.items(), key=lambda row: (row[0] == "all", row[0])):
        lines.append(f"{room:24} {counts.total():5} {counts['noticed']:7} {counts['alive']:5} {counts['equal']:5}")
    changing = rows["all"].total() - rows["all"]["equal"]
    return "\n".join([*lines, f"noticed: {rows['all']['noticed']} of {changing} that change anything"])


if __name__ == "__main__":
    sys.exit(main())
