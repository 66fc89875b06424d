"""Compile kernels without the GIL and without allocation, cached on disk until what they are made of changes.

Numba's own cache checks only a kernel's own file. But rules and helpers are compiled into every kernel, so here each
version of a kernel has the stamp of all that is compiled into it. An unreadable cache (a damaged file, a missing game)
counts as a miss, never as an error.

A stamp is a hash of the code of a kernel's function, and of every function and constant that is compiled into it, found
by the names that the code uses, as Numba finds them. So a sentence or a comment beside a rule compiles nothing again,
and a helper of a rule's helper compiles every kernel that it is in. Where a name leads to more than is compiled, the
stamp takes it too: a stamp may change too often, never too seldom.

Uses classes that Numba may change: its minor version is pinned in pyproject.toml.

Numba numbers the files of a kernel's versions in an index, which it reads, changes and writes back. Two processes that
do so at once lose each other's entries or take the same number. The index can then lead from one game to the machine
code of another, and the process crashes. Here one process waits for the other, and each file names the code it holds.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
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

from nimtui.engine import activity, functions, lessons
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.process import owner, plugins
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
        _, *machine = super()._index_key(sig, codegen)
        classes = list(_classes(sig))
        names = [f"{one.__module__}.{one.__qualname__}" for one in classes]
        stamps = stamp_of(self._function), *map(stamp_of_class, classes)
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


def _load(dispatcher: Any, signature: Any, data: bytes = b"") -> bool:
    """Load a kernel from `compiled_bytes`, or from the cache if there are none. Return whether it is there."""
    with global_compiler_lock:
        if signature in dispatcher.overloads:
            return True
        context = dispatcher.targetctx
        if not data:
            result = dispatcher._cache.load_overload(signature, context)
        else:
            context.refresh()
            result = CompileResult._rebuild(context, *pickle.loads(data))
        if result is not None:
            context.insert_user_function(result.entry_point, result.fndesc, [result.library])
            dispatcher.add_overload(result)
        return result is not None


def compiled_bytes(module: str, kernel: str, signature: bytes) -> bytes:
    """Compile a kernel and return it for `_load` in another process of this machine; b'' if it came from the cache."""
    dispatcher, types = getattr(import_module(module), kernel), pickle.loads(signature)
    dispatcher.compile(types)
    with suppress(RuntimeError):  # Numba writes down only what it compiled itself
        return bytes(serialize.dumps(dispatcher.overloads[types]._reduce()))
    return b""


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


OWN = "nimtui"  # the package, whose functions are followed; others come with their version
VOCABULARIES: tuple[tuple[Any, Any], ...] = (  # words, and what finds a class's function of a word
    (base.WORDS, base.rule),
    (lessons.WORDS, lessons.word),
    (functions.WORDS, functions.word),
)
WORDS = frozenset(word for words, _ in VOCABULARIES for word in words)  # the function of a class has its own stamp
PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)


@cache
def stamp_of(function: Callable[..., Any]) -> str:
    """Return the stamp of a function that is compiled, without the rules that its arguments bring."""
    return _hashed(_parts([function, *_registered("nimtui.engine.dispatch")]))


@cache
def stamp_of_class(kind: type) -> str:
    """Return the stamp of a state or a learner: of every rule that its class brings, and of its own file."""
    rules: list[Any] = [kind]
    for words, find in VOCABULARIES:
        for word in words:
            try:
                rules.append(find(kind, word.__name__))
            except KeyError:  # a class of neither kind, or a game without this rule
                continue
    parts = _parts([rule for rule in rules if rule not in WORDS])
    if kind.__module__.partition(".")[0] != OWN:
        parts.add(hashlib.sha256(plugins.text_of(sys.modules[kind.__module__])).hexdigest())
    return _hashed(parts)


def _hashed(parts: set[str]) -> str:
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def _parts(roots: list[Any]) -> set[str]:
    """Return a text for each function, class and constant that the roots lead to."""
    parts: set[str] = set()
    seen: set[int] = set()
    waiting = [("", root) for root in roots]
    while waiting:
        name, one = waiting.pop()
        one = getattr(one, "py_func", one)  # of a kernel
        one = getattr(one, "_defn", one)  # of an intrinsic
        if isinstance(one, PLAIN) or not isinstance(one, FunctionType | ModuleType | type):
            parts.add(f"{name} = {_constant(one)}")
        elif id(one) not in seen:
            seen.add(id(one))
            if isinstance(one, FunctionType):
                if one in WORDS or not _is_followed(one.__module__):
                    parts.add(f"{one.__module__}.{one.__qualname__}")
                else:
                    parts.add(f"{one.__module__}.{one.__qualname__} {_code(one.__code__, one.__doc__)}")
                    waiting += _used(one)
            elif isinstance(one, type):
                parts.add(_class(one))
    return parts


def _is_followed(module: str) -> bool:
    """Return whether functions of this module are followed: those of the package and of people's own files."""
    return module.partition(".")[0] not in sys.stdlib_module_names | {"numba", "numpy", "llvmlite"}


def _used(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Give what the code of a function names, with the name: globals, parts of modules, closures, defaults."""
    names = list(_names(function.__code__))
    modules = []
    for name in names:
        if name in function.__globals__:
            used = function.__globals__[name]
            yield name, used
            if isinstance(used, ModuleType) and _is_followed(used.__name__):
                modules.append(used)
    for module in modules:
        for name in names:
            if hasattr(module, name):
                yield f"{module.__name__}.{name}", getattr(module, name)
    for at, cell in enumerate(function.__closure__ or ()):
        yield f"{function.__qualname__}.{function.__code__.co_freevars[at]}", cell.cell_contents
    yield from ((f"{function.__qualname__} default", value) for value in function.__defaults__ or ())
    if {"overload", "intrinsic"} & function.__globals__.keys():
        yield from (("", registered) for registered in _registered(function.__module__))


def _registered(module: str) -> list[Any]:
    """Return the functions of a module that gives Numba other code for some of them: no name leads to that code."""
    names = vars(import_module(module))
    return [one for one in names.values() if getattr(one, "__module__", None) == module and callable(one)]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code(code: CodeType, doc: str | None = None) -> str:
    """Return what a function does, without its place in a file and its docstring."""
    constants = code.co_consts[1:] if doc is not None and code.co_consts[:1] == (doc,) else code.co_consts
    texts = [_code(one) if isinstance(one, CodeType) else _constant(one) for one in constants]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {texts}"


def _constant(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(set(map(_constant, value))))}}}"  # however many functions a registry has by now
    if isinstance(value, (*PLAIN, Enum)):
        return f"{type(value).__name__} {value!r}"
    return type(value).__qualname__  # a type of Numba, a lock: not compiled


def _class(kind: type) -> str:
    members = [repr(member) for member in kind] if issubclass(kind, Enum) else getattr(kind, "_fields", ())
    return f"{kind.__module__}.{kind.__qualname__} {members}"
