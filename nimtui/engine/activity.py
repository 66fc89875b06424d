"""What the engine compiles at the moment, so that a screen can show it; and orders of kernels from another process.

Numba's compiler keeps the interpreter's lock, so beside a screen it would make every key slow. An app names a compiler
with `use`, and the Python functions behind the kernels run meanwhile. Commands name none, and compile for themselves.
Loads no Numba.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import Any, NamedTuple, Protocol

from nimtui.process import stopping


class Orders(NamedTuple):
    """Kernels ordered from another process since there were none before."""

    total: int
    done: int
    seconds: float  # since the first of them


_compiling: dict[int, list[str]] = {}  # thread -> a kernel, and what is compiled into it
_asking: Counter[int] = Counter()  # thread -> how many nested kernels it has asked the compiler for
_waiting: dict[int, str] = {}  # thread -> the kernel that another process compiles for it
_ordering = threading.Lock()  # guards the rest
_total = _done = 0
_since = 0.0


def begin(kernel: str) -> None:
    """Note that this thread starts to compile a kernel, or a part of one."""
    stopping.compiles(True)
    _compiling.setdefault(threading.get_ident(), []).append(kernel)


def end() -> None:
    """Note that the compilation this thread started last has finished or failed."""
    stopping.compiles(False)
    begun = _compiling[threading.get_ident()]
    begun.pop()
    if not begun:
        del _compiling[threading.get_ident()]


def compiling() -> str | None:
    """Return the name of a kernel that some thread compiles or waits for now; None if there is none."""
    here = next((begun[0] for begun in list(_compiling.values()) if begun), None)
    return here or next(iter(list(_waiting.values())), None)


def ordered() -> None:
    """Note that a kernel was ordered from another process."""
    global _total, _done, _since
    with _ordering:
        if _done == _total:
            _total, _done, _since = 0, 0, monotonic()
        _total += 1


def delivered() -> None:
    """Note that a kernel came from another process, or failed there."""
    global _done
    with _ordering:
        _done += 1


def orders() -> Orders | None:
    """Return the orders under way; None if there are none."""
    with _ordering:
        return Orders(_total, _done, monotonic() - _since) if _done < _total else None


@contextmanager
def waiting(kernel: str) -> Iterator[None]:
    """Mark this thread as waiting for a kernel that another process compiles."""
    _waiting[threading.get_ident()] = kernel
    try:
        yield
    finally:
        del _waiting[threading.get_ident()]


@contextmanager
def asking() -> Iterator[None]:
    """Mark this thread as asking the compiler for a kernel; it may wait for another thread's compilation."""
    me = threading.get_ident()
    _asking[me] += 1
    try:
        yield
    finally:
        _asking[me] -= 1
        if not _asking[me]:
            del _asking[me]


def at_the_compiler(thread: int) -> bool:
    """Return whether this thread compiles, or waits to compile. Nothing can interrupt either."""
    return thread in _asking


PATIENCE = 0.3  # seconds that a kernel runs interpreted before its callers wait: by then it is worth waiting for


class Compiler(Protocol):
    """Compiles kernels in another process."""

    def order(self, module: str, kernel: str, signature: bytes) -> Future[bytes]:
        """Ask for a kernel, by its module and name, for argument types that Numba has serialized.

        The result is what `jit.compiled_bytes` returns. InputError if the kernel cannot be compiled.
        """

    def hurry(self, order: Future[bytes]) -> None:
        """Compile this one before those that no thread waits for."""


class Order:
    """A kernel that another process compiles."""

    def __init__(self, compiler: Compiler, module: str, kernel: str, signature: bytes) -> None:
        self._compiler, self._interpreted, self.kernel = compiler, 0.0, kernel
        ordered()
        self._future = compiler.order(module, kernel, signature)
        self._future.add_done_callback(lambda _: delivered())

    @property
    def may_wait(self) -> bool:
        """Return whether the calling thread may run the Python function instead now."""
        allowed = getattr(_thread, "interprets", False)
        return allowed and not self._future.done() and self._interpreted < PATIENCE

    def interpreted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the Python function behind the kernel, with the kernel's silence about overflows."""
        import numpy as np

        def timed(*arguments: Any) -> Any:
            began = perf_counter()
            try:
                with np.errstate(all="ignore"):
                    return function(*arguments)
            finally:
                self._interpreted += perf_counter() - began

        return timed

    def wait(self) -> bytes:
        """Return the compiled kernel as soon as it is there. Raises what the compiler raises."""
        with waiting(self.kernel):
            self._compiler.hurry(self._future)
            return self._future.result()


_compiler: Compiler | None = None
_thread = threading.local()


def use(compiler: Compiler | None) -> None:
    """Order kernels from this compiler from now on; None: compile in this process."""
    global _compiler
    _compiler = compiler


def compiler() -> Compiler | None:
    """Return the compiler in use; None if this process compiles for itself."""
    return _compiler


@contextmanager
def interpreting(allowed: bool = True) -> Iterator[None]:
    """Let this thread run the Python functions of paced kernels until those are compiled.

    The results are the same, but not the speed: not for work with a clock.
    """
    before = getattr(_thread, "interprets", False)
    _thread.interprets = allowed
    try:
        yield
    finally:
        _thread.interprets = before
