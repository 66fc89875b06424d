"""Run quick tests in forks of a process that has loaded the libraries, but nothing of nimtui: to see what they run
through, and whether they notice a mistake."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from time import monotonic, process_time, sleep
from typing import Any

import pytest

from tests.mutations import Mutation

LIBRARIES = ("numpy", "numba", "rich.console", "textual.app", "textual.widgets", "hypothesis", "coverage", "asyncio")
COPIED = ("nimtui", "tests", "styles", "docs", "README.md", "CONTRIBUTING.md", "pyproject.toml", "CHANGELOG.md")
STORED = ".mutants"  # folder for what tests run through, by the content of the tree
LONGEST, WAITING = 6.0, 60.0  # seconds of processor time, and in all, of a test that is of use here
LONGEST_FILE = 1000.0  # seconds of its tests, traced on a busy machine
OPTIONS = ("-n0", "-q", "-x", "-m", "not slow", "-p", "no:cacheprovider", "-o", "addopts=")


class Mode(StrEnum):
    """How kernels run: as machine code, or as the Python functions that they are made of."""

    COMPILED = "compiled"
    INTERPRETED = "interpreted"


@dataclass(frozen=True)
class Test:
    """A quick test that passes: its seconds of processor time, and the lines of each file that it runs through."""

    name: str
    seconds: float
    lines: dict[str, list[int]]


def coverage(root: Path, files: list[Path], mode: Mode, processes: int) -> list[Test]:
    """Return what the quick tests of these files run through. It is stored, and made again where anything differs."""
    preload()
    package = _digest(sorted((root / "nimtui").rglob("*.py")) + sorted((root / "tests").rglob("[!t]*.py")))
    folder = root / STORED
    folder.mkdir(exist_ok=True)

    def of_file(file: Path) -> list[Test]:
        stored = folder / f"{_digest([file])}-{package}-{mode}.json"
        if not stored.is_file() and _forked(lambda: _trace(root, file, mode, stored), LONGEST_FILE) != 0:
            stored.write_text("[]")  # it takes too long, now and the next time
        return [Test(**test) for test in json.loads(stored.read_text())]

    with ThreadPoolExecutor(processes) as pool:
        return [test for tests in pool.map(of_file, files) for test in tests]


def _digest(files: list[Path]) -> str:
    content = hashlib.sha256()
    for file in files:
        content.update(file.read_bytes())
    return content.hexdigest()[:12]


def preload() -> None:
    """Load the libraries once: what is forked from here has them."""
    for name in LIBRARIES:
        importlib.import_module(name)
    assert "nimtui" not in sys.modules, "the package must be loaded in the forks"


class Copy:
    """A copy of the tree, for one mistake at a time."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._folder, self._changes = folder, 0
        folder.mkdir()
        for name in COPIED:
            if (root / name).is_dir():
                shutil.copytree(root / name, folder / name)
            elif (root / name).exists():
                shutil.copy(root / name, folder / name)

    @contextmanager
    def changed(self, mutation: Mutation) -> Iterator[None]:
        """Have the mistake in the copy's file meanwhile."""
        path = self._folder / mutation.path
        source = path.read_bytes()
        self._write(path, mutation.applied(source))
        try:
            yield
        finally:
            self._write(path, source)

    def _write(self, path: Path, source: bytes) -> None:
        self._changes += 1
        path.write_bytes(source)
        os.utime(path, (0, self._changes))  # compiled files are told apart by time and size

    def noticed(self, tests: list[str], mode: Mode, seconds: float) -> str | None:
        """Return which of the tests fails, "hangs" if they do not end in time, or None if all pass."""
        with tempfile.NamedTemporaryFile() as file:
            status = _forked(lambda: _run(self._folder, tests, mode, Path(file.name)), seconds)
            if status is None:
                return "hangs"
            return None if status == 0 else Path(file.name).read_text() or f"status {status}"


def _forked(work: Callable[[], int | None], seconds: float) -> int | None:
    """Do work in a fork, in a session of its own. Return its exit status, or None if it took too long."""
    child = os.fork()
    if not child:
        try:
            os.setsid()
            os._exit(work() or 0)
        except BaseException:  # noqa: BLE001 - a fork must never return
            os._exit(70)
    end = monotonic() + seconds
    status = None
    while monotonic() < end:
        finished, state = os.waitpid(child, os.WNOHANG)
        if finished:
            status = os.waitstatus_to_exitcode(state)
            break
        sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if status is None:
        os.waitpid(child, 0)
    return status


def _enter(root: Path, mode: Mode) -> None:
    """Work in a tree: its modules are the ones that are imported, and nothing is printed."""
    for output in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
    os.chdir(root)
    sys.path[0] = str(root)
    for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
        del sys.modules[name]
    if mode is Mode.INTERPRETED:
        _interpret()


def _interpret() -> None:
    """Let kernels be the Python functions that they are made of."""
    import numpy as np

    jit = importlib.import_module("nimtui.engine.jit")

    def interpreted(function: Callable[..., Any], paced: bool) -> Callable[..., Any]:
        def kernel(*arguments: Any) -> Any:
            with np.errstate(all="ignore"):
                return function(*arguments)

        kernel.py_func = function  # type: ignore[attr-defined]
        return kernel

    jit._kernel = interpreted


def _run(root: Path, tests: list[str], mode: Mode, answer: Path) -> int:
    _enter(root, mode)
    order = {name: i for i, name in enumerate(tests)}
    files = list(dict.fromkeys(name.split("::")[0] for name in tests))
    return pytest.main([*OPTIONS, *files], plugins=[_Chosen(order, answer)])


class _Chosen:
    """Runs the chosen tests alone, in their order, and notes the one that fails."""

    def __init__(self, order: dict[str, int], answer: Path) -> None:
        self._order, self._answer = order, answer

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._answer.write_text(report.nodeid)


def _trace(root: Path, file: Path, mode: Mode, stored: Path) -> int:
    from coverage import Coverage

    _enter(root, mode)
    traced = _Traced(Coverage(data_file=None, source=[str(root / "nimtui")], config_file=False))
    importlib.import_module("nimtui.ui.app")
    pytest.main([*(option for option in OPTIONS if option != "-x"), str(file.relative_to(root))], plugins=[traced])
    tests = traced.tests(root)
    partial = stored.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps([asdict(test) for test in tests]))
    partial.rename(stored)
    return 0


class _Traced:
    """Notes how long each test takes, whether it passes, and which lines it runs through."""

    def __init__(self, tracer: Any) -> None:
        self._tracer = tracer
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._tracer.start()
        self._tracer.switch_context(item.nodeid)
        timers = ((signal.ITIMER_PROF, signal.SIGPROF, LONGEST), (signal.ITIMER_REAL, signal.SIGALRM, WAITING))
        for timer, number, seconds in timers:
            signal.signal(number, _too_long)
            signal.setitimer(timer, seconds)
        began = process_time()
        yield
        self._seconds[item.nodeid] = process_time() - began
        for timer, _, _ in timers:
            signal.setitimer(timer, 0)
        self._tracer.stop()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._failed.add(report.nodeid)

    def tests(self, root: Path) -> list[Test]:
        data = self._tracer.get_data()
        lines: dict[str, dict[str, list[int]]] = {}
        for file in data.measured_files():
            for line, names in data.contexts_by_lineno(file).items():
                for name in names:
                    lines.setdefault(name, {}).setdefault(Path(file).relative_to(root).as_posix(), []).append(line)
        passed = [name for name in self._seconds if name not in self._failed and self._seconds[name] < LONGEST]
        return [Test(name, round(self._seconds[name], 4), lines.get(name, {})) for name in passed]


def _too_long(*_: object) -> None:
    raise TimeoutError
