"""A run of another program: what it tells of itself, and what is asked of it, by its socket or by files."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import suppress
from dataclasses import replace
from typing import Any

from nimtui.errors import InputError
from nimtui.process import sockets
from nimtui.process.owner import this_process
from nimtui.store import run_files
from nimtui.store.run_files import RunFile, State

EVERY = 0.5  # seconds between two questions


class Remote:
    """One run that is watched from here, by any threads."""

    def __init__(self, file: RunFile) -> None:
        self.file = file  # as it was read last
        self.requests: deque[tuple[str, float | None]] = deque()  # that the run has not heard yet
        self.now = threading.Event()  # set it to ask the next question at once
        self._state: State | None = None  # as the run said last by its socket
        self._asker: sockets.Asker | None = None
        self._asking = threading.RLock()

    def request(self, what: str, amount: float | None = None) -> None:
        """Ask something of the run; it hears that at once."""
        self.requests.append((what, amount))
        self.now.set()

    def wait(self, seconds: float = EVERY) -> None:
        """Wait until the next question is due, then read the run's file again, which may be older than its answer."""
        self.now.wait(seconds)
        self.now.clear()
        with suppress(InputError):  # forgotten meanwhile
            file = run_files.read(self.file.id)
            self.file = replace(file, state=self._state) if self._state is not None and file.is_on else file

    def picture(self, **about: Any) -> dict[str, Any] | None:
        """Send the requests, and return what the run shows; None if there is no way to it but files."""
        with self._asking:
            if (asker := self.greet()) is None:
                while self.requests:
                    what, _ = self.requests.popleft()
                    if what in run_files.REQUESTS:
                        with suppress(InputError):
                            run_files.ask(self.file.id, what)
                return None
            try:
                while self.requests:
                    what, amount = self.requests[0]
                    asker.ask({"ask": what, "amount": amount})
                    self.requests.popleft()
                answer = asker.ask({"ask": "picture", **about})
                picture, state = answer["picture"], answer["state"]
                if state in run_files.ON:
                    self._state = state
                    self.file = replace(self.file, state=state)
            except (OSError, ValueError, KeyError, TypeError):  # it ends, or another one continues it
                self.close()
                return None
            return picture if isinstance(picture, dict) else None

    def greet(self) -> sockets.Asker | None:
        """Be one of its watchers, and return who asks it; None if there is no way to it but files."""
        if self._asker is None and self.file.address is not None and self.file.host == this_process().host:
            with suppress(OSError):
                self._asker = sockets.Asker(self.file.address)
        return self._asker

    @property
    def is_heard(self) -> bool:
        """Return whether the run is on and answers by its socket."""
        return self.file.is_on and self._asker is not None

    def close(self) -> None:
        with self._asking:
            if self._asker is not None:
                self._asker.close()
            self._asker = self._state = None
