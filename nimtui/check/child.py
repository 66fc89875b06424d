"""Load one of a person's own files and check it, in a process that the file may crash.

Also finds the other files of a person's own that the file imports, wherever they come from.
"""

from __future__ import annotations

import importlib
import site
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

from nimtui.agents import registry as agents
from nimtui.check import traces, trial
from nimtui.check.games import check_game
from nimtui.check.learners import check_learner
from nimtui.check.trial import Trial
from nimtui.check.verdict import Imported, Request, registry_of
from nimtui.errors import InputError
from nimtui.games import registry as games
from nimtui.process.plugins import fault_text, one_line, reason
from nimtui.sandbox.server import Page
from nimtui.sandbox.wire import Message, Wire

PACKAGE = Path(__file__).parents[1]
MOST_IMPORTS = 200  # files


def load() -> None:
    """Load what every check needs, before its process is forked."""
    agents.modules()
    games.families()


def serve(wire: Wire, page: Page) -> None:
    """Check the file that the first message names, and tell each finding at once."""
    trial.announce = page.due
    work(Request.read(wire.receive()), wire.send, page.note)


def work(request: Request, tell: Callable[[Message], None], at: Callable[[str, str | None], None]) -> None:
    """Load and check the file. Tell each finding at once; a last message says that the check is complete."""
    findings = Trial(tell, at)
    at_start = set(sys.modules)
    own = {str(one.path) for one in (request.own, *request.before)}

    def tell_imports(fault: BaseException | None = None) -> None:
        tell({"imports": imported_files(at_start, own, fault)})

    findings.stage("load")
    findings.tries("load")
    at("loading", "")
    try:
        for one in request.before:  # these have been checked; one that fails here is skipped
            with suppress(Exception):
                registry_of(one.kind).add(one.load())
        module = _loaded(request, findings)
    except ModuleNotFoundError as fault:
        findings.fail("load", fault_text(fault))
        tell({"missing": fault.name or ""})
        tell_imports(fault)
    except InputError as fault:
        findings.fail("load", reason(request.own.path, request.own.kind, str(fault)))
        tell_imports(fault)
    except BaseException as fault:  # noqa: BLE001 - a person's own file may raise anything
        findings.fail("load", fault_text(fault), certain=not isinstance(fault, OSError | MemoryError))
        tell_imports(fault)
    else:
        if request.own.kind == "agent":
            tell({"facts": registry_of(request.own.kind).facts(module)._asdict()})
        tell({"loaded": True})
        tell_imports()
        if request.deep:
            with _watched(request, findings, "running it"):
                _try(request, module, findings, tell)
            tell_imports()
    tell({"done": True})


def _loaded(request: Request, trial: Trial) -> Any:
    if not request.is_file:
        return importlib.import_module(str(request.own.path))
    with _watched(request, trial, "loading the file"):
        module = request.own.load()
    registry_of(request.own.kind).add(module)
    return module


@contextmanager
def _watched(request: Request, trial: Trial, doing: str) -> Iterator[None]:
    """Watch for traces of a game or learner, which shares the program's process; an agent has its own."""
    if not request.deep or request.own.kind == "agent" or not request.is_file:
        yield
        return
    tell = partial(trial.fail, "traces")
    # Loading prints nothing anywhere.
    with nullcontext() if doing.startswith("loading") else traces.overheard(tell, doing), traces.watched(tell, doing):
        yield


def _try(request: Request, module: Any, trial: Trial, tell: Callable[[dict[str, Any]], None]) -> None:
    """Check the contract of the module's kind; tell why a name that a person gave was refused."""
    try:
        if request.own.kind == "game":
            check_game(module, trial, request.wanted)
        elif request.own.kind == "learner":
            check_learner(module, trial, request.wanted)
        else:
            from nimtui.check.agents import check_agent  # loads the engine

            check_agent(module, trial, request.wanted)
    except InputError as fault:
        tell({"refused": one_line(fault)})
    except BaseException as fault:  # noqa: BLE001 - what no check foresaw is a finding, not a crash
        trial.fail("check", f"the check itself failed: {fault_text(fault)}", certain=False)


def imported_files(
    at_start: Collection[str], own: Collection[str], fault: BaseException | None = None
) -> list[Imported]:
    """Return the files of modules loaded since the start, and the files in which a fault was raised.

    Python's own files, installed libraries, this package and the file itself (`own`) are left out.
    """
    loaded = [getattr(module, "__file__", None) for name, module in list(sys.modules.items()) if name not in at_start]
    files = dict.fromkeys([*(file for file in loaded if isinstance(file, str)), *_raised(fault)])
    return [Imported.now(file) for file in files if file not in own and not _installed(file)][:MOST_IMPORTS]


def _raised(fault: BaseException | None) -> Iterator[str]:
    """Yield the files of a traceback: a module that fails during its import is not in `sys.modules`."""
    if isinstance(fault, SyntaxError) and isinstance(fault.filename, str):
        yield fault.filename
    trace = fault.__traceback__ if fault is not None else None
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename
        trace = trace.tb_next


def _installed(file: str) -> bool:
    return file.startswith("<") or any(Path(file).is_relative_to(folder) for folder in _folders())


@cache
def _folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    names = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    names += [*site.getsitepackages(), site.getusersitepackages()]
    return (PACKAGE, *(Path(name) for name in names))
