"""How the tests are run: many of them in several processes, a few in one."""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from nimtui.agents import registry as agents
from nimtui.engine import activity
from nimtui.games import registry as games
from nimtui.learning import learner as learners
from nimtui.process import detached, plugins
from tests import forks

detached.GROUPS = Path("none")  # processes of tests share a terminal: no thread gives way to those of others
sys.dont_write_bytecode = False  # rewritten tests are kept, as compiled kernels are: compiling them takes 7 s a process
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")  # no example is too slow: the machine may be busy
# Examples hold no constants of the code that happens to be loaded: reading them from all files takes 3 s a process.
providers._get_local_constants = lambda: providers._local_constants
MOST_PROCESSES = 8  # each has libraries to load and kernels to read
WAITING = 1  # processes besides one a core: tests of screens and commands wait for half of their time
KEPT = 3  # collections of new objects, 20,000 each, after which those that are left are taken out of sight
OWN_FILES = ("nimtui_games_", "nimtui_agents_", "nimtui_learners_")  # how the modules of own files are called
SHORT = "/tmp"  # for new folders, where those of the user have long paths,
LONGEST = 16  # in characters: an address has room for about 100, and a line of a message for not many more
FIRST = {  # files that take half a minute or more, whose processes would be the last ones at work
    "tests/check/test_misbehaving.py",
    "tests/cli/test_own_code.py",
    "tests/cli/test_stopping.py",
    "tests/engine/test_cache.py",
    "tests/fuzz/test_every_screen.py",
    "tests/trees/test_search.py",
    "tests/test_docs.py",
}


def refuse() -> NoReturn:
    raise AssertionError("a kernel is asked for while tests are gathered: each process would compile it")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """No kernel is compiled or loaded where tests are only gathered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(activity, "asking", refuse)
        import_all(session)
        return (yield)


def import_all(session: pytest.Session) -> None:
    """Each worker begins to import the tests at another file: what one has rewritten and stored, the others read."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker.startswith("gw"):
        return
    folders = [session.config.invocation_params.dir / argument for argument in session.config.args]
    files = sorted({file for folder in folders for file in folder.rglob("test_*.py")})
    first = len(files) * int(worker[2:]) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in files[first:] + files[:first]:
        with suppress(Exception, pytest.skip.Exception):  # pytest tells when it imports the file itself
            importlib.import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long files first: the processes then end at about the same time."""
    items.sort(key=lambda item: item.nodeid.partition("::")[0] not in FIRST)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """A process a core and one more for the suite and for folders; this one alone for named files and words (-k)."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None  # as it says
    folders = any((config.invocation_params.dir / argument).is_dir() for argument in config.args)
    if not folders or config.option.keyword or getattr(config.option, "lf", False):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + WAITING, MOST_PROCESSES) if cores > 1 else 0


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """All workers start processes by one server, which loads the libraries while they load the tests."""
    if forks.POSSIBLE:
        forks.start()


def pytest_configure() -> None:
    """Whoever is started here heeds Ctrl+C and a terminal that is gone, even where this run was told not to.

    And new folders have short paths.
    """
    if len(tempfile.gettempdir()) > LONGEST and os.access(SHORT, os.W_OK):
        os.environ["TMPDIR"] = tempfile.tempdir = SHORT  # for the workers too
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)  # what is not ignored is as usual in other programs


@pytest.fixture(autouse=True)
def forked(request: pytest.FixtureRequest) -> Iterator[None]:
    """Own files are checked, and workers work, in processes that are forked in milliseconds; not in `fresh` tests."""
    with pytest.MonkeyPatch.context() as patch:
        if forks.POSSIBLE and request.node.get_closest_marker("fresh") is None:
            forks.replace(patch.setattr)
        patch.setattr(plugins, "_left_out", {})  # of other tests
        for name in ("_loaded", "_sources"):
            patch.setattr(plugins, name, {**getattr(plugins, name)})
        patch.setattr("nimtui.engine.activity._compiler", None)  # of an app that another test has run
        for known in (games, agents, learners):
            patch.setattr(known, "_added", [*known._added])
        patch.setattr(agents, "_entries", {**agents._entries})  # objects that a test lets play have names of their own
        if quarantine := sys.modules.get("nimtui.check.quarantine"):
            quarantine.add_own_files.cache_clear()  # another test has other own files
        loaded = set(sys.modules)
        yield
        for name in [name for name in sys.modules.keys() - loaded if name.startswith(OWN_FILES)]:
            del sys.modules[name]  # another test has another file of this name


def pytest_collection_finish() -> None:
    """What is loaded by now stays: no collection of garbage goes through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)  # as in the app


def pytest_runtest_logfinish() -> None:
    """What a test has compiled or loaded stays, too: a full collection takes milliseconds, not tenths of a second."""
    if gc.get_count()[1] >= KEPT:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """End the server of forks: that of all workers when they have ended."""
    forks.end()
