"""Compile kernels without the GIL and without allocation, cached on disk until what they are made of changes.

Numba's own cache checks only a kernel's own file. But rules and helpers are compiled into every kernel, so here each
version of a kernel has the stamp of all that is compiled into it. An unreadable cache (a damaged file, a missing game)
counts as a miss, never as an error.

Uses classes that Numba may change: its minor version is pinned in pyproject.toml.

Numba numbers the files of a kernel's versions in an index, which it reads, changes and writes back. Two processes that
do so at once lose each other's entries or take the same number. The index can then lead from one game to the machine
code of another, and the process crashes. Here one process waits for the other, and each file names the code it holds.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from numba import njit
from numba.core import event, serialize
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.types import BaseNamedTuple
from numba.extending import register_jitable

from nimtui.engine import activity
from nimtui.errors import InputError
from nimtui.process import owner
from nimtui.progress import Cancelled
from nimtui.sandbox.closing import STORE

LINE = re.compile(r"-\d+(?=[.\w]*$)")  # the number of a line in the name of a cache file
NUMBAS = re.compile(r"[/\\]numba[/\\]")  # Numba's own files are never the cause
CAUSE = re.compile(  # a line with the cause: the call that failed, or words of Numba's reasons
    r"^ *(?:>>> (.+)|((?:Unknown|Cannot|NRT|NameError|Untyped|Invalid) .+|.+(?:forbidden|supported|not defined)\b.*))$",
    re.MULTILINE,
)
MEANINGS = {  # Numba's own terms in plain words
    "NRT required": "compiled rules may not create a list, dict, set, text or array",
    "resolve_getattr": "Numba cannot compile this feature of Python",
}


class _Place:
    """A place for cache files, which a sandbox also uses if only nimtui itself may write there."""

    get_cache_path: Callable[[], str]

    def ensure_cache_path(self) -> None:
        """Create the folder. Raises OSError if its rights allow no writing: Numba then takes the next place."""
        folder = self.get_cache_path()
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - as Numba does
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)


class _Results(CompileResultCacheImpl):
    _locator_classes: list[Any] = [  # noqa: RUF012 - Numba's own attribute
        type(place.__name__, (_Place, place), {})
        for place in (UserProvidedCacheLocator, InTreeCacheLocator, UserWideCacheLocator)
    ]


class _Announcer(event.Listener):
    """Tell `activity` about every compilation, including failed ones."""

    def on_start(self, event: event.Event) -> None:
        activity.begin(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: event.Event) -> None:
        activity.end()


event.register("numba:compile", _Announcer())


class _Cache(FunctionCache):
    _impl_class = _Results

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._function = function
        base = LINE.sub("", self._impl.filename_base, count=1)  # a kernel that moved in its file is the same kernel
        self._cache_file = KernelFiles(self._impl.locator.get_cache_path(), base)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001 - whatever is wrong with a cache file: compile again
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception:  # noqa: BLE001 - a cache that cannot be written only costs time
            try:
                self.flush()
                super().save_overload(sig, data)
            except Exception:  # noqa: BLE001
                return

    def _index_key(self, sig: Any, codegen: Any) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """Return the place of a version in the index, and the stamps of what it is made of.

        Both are text: an index with classes could be read only where the modules of all own games are loaded.
        """
        from nimtui.engine import stamp  # follows the rules, which are loaded by now

        _, *machine = super()._index_key(sig, codegen)
        classes = list(_classes(sig))
        names = [f"{one.__module__}.{one.__qualname__}" for one in classes]
        stamps = stamp.of_function(self._function), *map(stamp.of_class, classes)
        return (str(sig), *names, *machine), stamps


def _classes(kinds: Any) -> Iterator[type]:
    """Give the classes of named tuples: two are different types although their fields are the same."""
    for kind in kinds:
        if isinstance(kind, BaseNamedTuple):
            if hasattr(kind, "instance_class"):
                yield kind.instance_class
            yield from _classes(kind)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a module-level function for each game it is called with.

    Raise InputError, in one line, if Numba cannot compile a game's rules. Kernels allocate nothing: callers pass
    scratch arrays (`_nrt=False`; with reference counts, arrays passed to helpers that are not inlined cost up to 3.5
    times the time).
    """
    return _kernel(function, paced=False)


def paced_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function as `kernel` does; its callers bound the work of each call with a `Pace`.

    So it may run interpreted while another process compiles it (see `elsewhere`).
    """
    return _kernel(function, paced=True)


def _kernel(function: Callable[..., Any], paced: bool) -> Any:
    compiled: Any = njit  # its types do not declare the option _nrt
    dispatcher = compiled(nogil=True, _nrt=False)(function)
    with suppress(RuntimeError):  # no writable cache folder: kernels stay in memory
        dispatcher._cache = _Cache(function)
    compile_now = dispatcher.compile

    def compile_or_say_why(signature: Any) -> Any:
        """Return what to call with arguments of these types: machine code, or the Python function for this call."""
        try:
            with activity.asking():
                return _meanwhile(dispatcher, signature, paced) or compile_now(signature)
        except NumbaError as fault:
            raise InputError(f"{function.__name__} cannot be compiled: {first_cause(str(fault))}") from fault

    dispatcher.compile = compile_or_say_why
    return dispatcher


_orders: dict[tuple[Any, Any], activity.Order] = {}  # by dispatcher and argument types
_ordering = threading.Lock()


def _meanwhile(dispatcher: Any, signature: Any, paced: bool) -> Callable[..., Any] | None:
    """Return the Python function while another process compiles, or None: then the kernel is loaded.

    None also if it must be compiled here: without such a process, or if that failed.
    """
    if (compiler := activity.compiler()) is None:
        return None
    function, key = dispatcher.py_func, (dispatcher, signature)
    with _ordering:
        if (order := _orders.get(key)) is None:
            if _load(dispatcher, signature):
                return None
            order = activity.Order(compiler, function.__module__, function.__name__, serialize.dumps(signature))
            _orders[key] = order
    if paced and order.may_wait:
        return order.interpreted(function)
    try:
        _load(dispatcher, signature, order.wait())
    except (InputError, Cancelled):
        raise
    except Exception:  # noqa: BLE001 - whatever happened to the process: compile here
        return None
    finally:
        _orders.pop(key, None)
    return None


def _load(dispatcher: Any, signature: Any, data: bytes | None = None) -> bool:
    """Load a kernel from `compiled_bytes`, or from the cache. Return whether it is there."""
    with global_compiler_lock:
        if signature in dispatcher.overloads:
            return True
        context = dispatcher.targetctx
        if data is None:
            result = dispatcher._cache.load_overload(signature, context)
        else:
            context.refresh()
            result = CompileResult._rebuild(context, *pickle.loads(data))
        if result is not None:
            context.insert_user_function(result.entry_point, result.fndesc, [result.library])
            dispatcher.add_overload(result)
        return result is not None


def compiled_bytes(module: str, kernel: str, signature: bytes) -> bytes:
    """Compile a kernel, or load it from the cache, and return it for `_load` in another process of this machine."""
    dispatcher, types = getattr(import_module(module), kernel), pickle.loads(signature)
    dispatcher.compile(types)
    return bytes(serialize.dumps(dispatcher.overloads[types]._reduce()))


def first_cause(report: str) -> str:
    """Return why something cannot be compiled, and where, from Numba's long report; the innermost cause comes first."""
    places = re.finditer(r'File "([^"]+)", line (\d+)|^ *During: .* at (.+) \((\d+)\)$', report, re.MULTILINE)
    place = next((place for place in places if not NUMBAS.search(place[1] or place[3])), None)
    before = report[: place.start()] if place else report
    causes = [call or cause for call, cause in CAUSE.findall(before)]
    reason = " ".join(
        (causes or [line for line in before.splitlines() if line.strip()] or ["Numba gives no reason"])[-1].split()
    )
    reason = next((meaning for start, meaning in MEANINGS.items() if reason.startswith(start)), reason)
    return f"{reason}{f' in {Path(place[1] or place[3]).resolve()}, line {place[2] or place[4]}' if place else ''}"


helper = register_jitable(forceinline=True)


PATIENCE, PAUSE = 60.0, 0.01  # seconds


class KernelFiles(IndexDataCacheFile):
    """The files of one kernel. A sandbox reads those of nimtui, and saves its own apart: nimtui must not load them."""

    def __init__(self, folder: str, base: str, apart: bool = False) -> None:
        super().__init__(cache_path=folder, filename_base=base, source_stamp="")  # each version has its own
        self.lock = Path(folder, f"{base}.lock")
        self._place, self._base, self._is_apart = Path(folder), base, apart

    def save(self, key: Any, data: Any) -> None:
        """Save what was compiled for this key: a pair of its place and of its stamps.

        Other stamps at the same place are an older version: its file is replaced.
        """
        if apart := self._apart():
            apart.save(key, data)
            return
        with alone(self.lock):
            super().save(key[0], (key, data))

    def load(self, key: Any) -> Any:
        """Return what was compiled for this key, or None if nothing was."""
        saved = super().load(key[0])
        if saved is not None and saved[0] == key:
            return saved[1]
        apart = self._apart()
        return apart.load(key) if apart else None

    def _apart(self) -> KernelFiles | None:
        """Return the files that sandboxes write; None outside a sandbox."""
        folder = os.environ.get(STORE)
        if not folder or self._is_apart:
            return None
        return KernelFiles(folder, f"{self._place.parent.name}.{self._place.name}.{self._base}", apart=True)


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Keep other processes out of the block; a process that waited too long for a halted one enters anyway.

    Raise OSError if the lock cannot be created. The lock file stays; the lock ends with its process.
    """
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        until = monotonic() + PATIENCE
        while not owner.lock(handle) and monotonic() < until:
            sleep(PAUSE)
        yield
    finally:
        os.close(handle)
