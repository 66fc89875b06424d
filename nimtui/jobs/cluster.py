"""The workers of a Dask cluster, behind the interface of `concurrent.futures`. Needs the extra `cluster`."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar
from urllib.parse import urlsplit

from nimtui.errors import InputError, invalid, shortened
from nimtui.jobs.workers import Workers
from nimtui.version import __version__

Made = TypeVar("Made")

PATIENCE = 5.0  # seconds for the scheduler to answer
WAYS = ("tcp", "tls")  # other protocols may never answer


class Cluster(Workers):
    """All workers of one scheduler. The cluster itself keeps running when this is shut down."""

    def __init__(self, scheduler: str) -> None:
        """Connect. InputError if the extra is missing, the scheduler is silent, or no worker could do the work."""
        if not _is_address(scheduler):
            raise invalid("scheduler address", scheduler, "expected tcp://HOST:8786")
        try:
            from distributed import Client, Security
        except ImportError as fault:
            raise InputError("a scheduler needs Dask: run pip install 'nimtui[cluster]'") from fault
        if scheduler.startswith("tls:") and Security().get_connection_args("client")["ssl_context"] is None:
            raise InputError(f"{shortened(scheduler)} needs certificates: name them in Dask's configuration")
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # nimtui reports faults itself, in one line
        try:
            with warnings.catch_warnings(action="ignore"):
                self._client = Client(scheduler, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, RuntimeError, TypeError) as fault:
            raise InputError(f"no Dask scheduler answers at {shortened(scheduler)}") from fault
        try:
            self._check(scheduler)
        except InputError:
            self._client.close()
            raise
        self._executor = self._client.get_executor(pure=False)

    @property
    def size(self) -> int:
        return max(1, int(sum(self._client.nthreads().values())))

    def submit(self, function: Callable[..., Made], /, *given: Any, **named: Any) -> Future[Made]:
        future: Future[Made] = self._executor.submit(function, *given, **named)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close(timeout=PATIENCE)

    def _check(self, scheduler: str) -> None:
        """Check the workers: only the same program gives the same numbers."""
        versions = self._client.run(version, on_error="return")
        if not versions:
            raise InputError(f"the scheduler {scheduler} has no workers")
        for worker, answer in versions.items():
            if answer != __version__:
                other = f"has nimtui {answer}" if isinstance(answer, str) else "cannot load nimtui"
                raise InputError(f"the worker {worker} {other}: it needs nimtui {__version__}, as here")


def _is_address(text: str) -> bool:
    """Return whether the address has a host and a port; otherwise Dask's client leaves a traceback behind."""
    try:
        parts = urlsplit(text)
        return parts.scheme in WAYS and bool(parts.hostname) and bool(parts.port)
    except ValueError:  # the port is no number, or the host no address
        return False


def version() -> str:
    """Return the version of nimtui where this is called."""
    return __version__
