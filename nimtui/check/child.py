"""Load one of a person's own files and check it, in a process that the file may crash."""

from __future__ import annotations

import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from nimtui import plugins
from nimtui.check import imports
from nimtui.check.trial import Trial
from nimtui.errors import InputError
from nimtui.plugins import fault_text, one_line

GIGABYTE = 1 << 30
CPU_SECONDS = 300  # a forgotten child ends by itself
MEMORY = 3 * GIGABYTE  # bytes of address space, with the engine's own 0.4 GB


class Request(NamedTuple):
    """A request for a check: one file, or one built-in module."""

    file: str  # a path, or the name of a module of this package
    kind: str  # game, learner, agent
    source: bytes  # of the file
    deep: bool  # True: check the contract; False: only load the file
    wanted: str  # the game, learner or agent that a person named; checked first
    before: tuple[tuple[str, Path, bytes], ...]  # other files to load first: kind, path, source


def request_of(asked: dict[str, Any]) -> Request:
    """Return the request that `client` sent."""
    before = tuple((kind, Path(path), b64decode(source)) for kind, path, source in asked["before"])
    return Request(asked["file"], asked["kind"], b64decode(asked["source"]), asked["deep"], asked["wanted"], before)


def limit(most: int = MEMORY) -> None:
    """Limit the memory and the CPU time of this process, if the system supports limits."""
    try:
        import resource
    except ImportError:
        return
    for what, wanted in ((resource.RLIMIT_AS, most), (resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(what)[1]
        if hard == resource.RLIM_INFINITY or hard > wanted:
            with suppress(OSError, ValueError):  # macOS refuses some
                resource.setrlimit(what, (wanted, hard))


def work(request: Request, tell: Callable[[dict[str, Any]], None], at: Callable[[str, str | None], None]) -> None:
    """Load and check the file. Tell each finding at once; a last message says that the check is complete."""
    trial = Trial(tell, at)
    at_start = set(sys.modules)
    own = {request.file, *(str(path) for _, path, _ in request.before)}

    def tell_imports(fault: BaseException | None = None) -> None:
        tell({"imports": imports.found(at_start, own, fault)})

    trial.stage("load")
    trial.tries("load")
    at("loading", "")
    try:
        for kind, path, source in request.before:  # these have been checked; one that fails here is skipped
            with suppress(Exception):
                _registry(kind).add(plugins.load(path, kind, source))
        module = _loaded(request, trial)
    except ModuleNotFoundError as fault:
        trial.fail("load", fault_text(fault))
        tell({"missing": fault.name or ""})
        tell_imports(fault)
    except InputError as fault:
        trial.fail("load", one_line(fault))
        tell_imports(fault)
    except BaseException as fault:  # noqa: BLE001 - a person's own file may raise anything
        trial.fail("load", fault_text(fault), certain=not isinstance(fault, OSError | MemoryError))
        tell_imports(fault)
    else:
        if request.kind == "agent":
            tell({"facts": _registry(request.kind).facts(module)._asdict()})
        tell({"loaded": True})
        tell_imports()
        if request.deep:
            with _watched(request, trial, "running it"):
                _try(request, module, trial, tell)
            tell_imports()
    tell({"done": True})


def _loaded(request: Request, trial: Trial) -> Any:
    if not request.file.endswith(".py"):
        import importlib

        return importlib.import_module(request.file)
    with _watched(request, trial, "loading the file"):
        module = plugins.load(Path(request.file), request.kind, request.source)
    _registry(request.kind).add(module)
    return module


@contextmanager
def _watched(request: Request, trial: Trial, doing: str) -> Iterator[None]:
    """Watch for traces of a game or learner, which shares the program's process; an agent has its own."""
    if not request.deep or request.kind == "agent" or not request.file.endswith(".py"):
        yield
        return
    from nimtui.check import traces

    left = partial(trial.fail, "traces")
    # Loading prints nothing anywhere.
    with nullcontext() if doing.startswith("loading") else traces.overheard(left, doing), traces.watched(left, doing):
        yield


def _registry(kind: str) -> Any:
    if kind == "game":
        from nimtui.games import registry

        return registry
    if kind == "learner":
        from nimtui.learning import learner

        return learner
    from nimtui.agents import registry as agents

    return agents


def _try(request: Request, module: Any, trial: Trial, tell: Callable[[dict[str, Any]], None]) -> None:
    """Check the contract of the module's kind; tell why a name that a person gave was refused."""
    try:
        if request.kind == "game":
            from nimtui.check.games import check_game

            check_game(module, trial, request.wanted)
        elif request.kind == "learner":
            from nimtui.check.learners import check_learner

            check_learner(module, trial, request.wanted)
        else:
            from nimtui.check.agents import check_agent

            check_agent(module, trial, request.wanted)
    except InputError as fault:
        tell({"refused": one_line(fault)})
    except BaseException as fault:  # noqa: BLE001 - what no check foresaw is a finding, not a crash
        trial.fail("check", f"the check itself failed: {fault_text(fault)}", certain=False)
