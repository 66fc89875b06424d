"""Order kernels from a compiler in another process, and run the Python functions behind them meanwhile.

Numba's compiler keeps the interpreter's lock, so beside a screen it would make every key slow. An app names a compiler
with `use`; commands name none, and compile for themselves. Loads no Numba.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Protocol

from nimtui.engine import activity

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
        activity.ordered()
        self._future = compiler.order(module, kernel, signature)
        self._future.add_done_callback(lambda _: activity.delivered())

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
        with activity.waiting(self.kernel):
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
