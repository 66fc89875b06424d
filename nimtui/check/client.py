"""Ask the process that checks files; start it on demand, and again after it died."""

from __future__ import annotations

import json
import os
import select
import sys
from base64 import b64encode
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import Any, NamedTuple

from nimtui.check import verdict
from nimtui.check.verdict import Verdict, failed
from nimtui.children import BEAT, ONE_THREAD, wake

START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from nimtui.check import server; server.main()"
DEADLINE = 300.0  # seconds for one file: all stages together, and the time to load the libraries
LEAVING = 0.3  # seconds that the checking process has to exit; Ctrl+C waits for it


class OwnFile(NamedTuple):
    """A person's own file, read once: the checked bytes are the bytes that run."""

    kind: str  # game, learner, agent
    path: Path
    source: bytes


class CheckServer(AbstractContextManager["CheckServer"]):
    """A process that checks files on demand; it ends with this process."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(
        self,
        what: OwnFile | str,
        kind: str,
        deep: bool = True,
        wanted: str = "",
        before: Sequence[OwnFile] = (),
        many: bool = False,
    ) -> Verdict:
        """Return the verdict on a file, or on a module of this package.

        `wanted` is checked first; the files `before` are loaded before it. `many` announces that more files follow.
        """
        return self._ask([_request(what, kind, deep, wanted, before)], deep, many and deep)[0]

    def load(self, files: Sequence[OwnFile]) -> list[Verdict]:
        """Load files side by side, without checking their contracts; return the verdict on each."""
        return self._ask([_request(one, one.kind, False) for one in files], False, False)

    def _ask(self, files: list[dict[str, Any]], deep: bool, engine: bool) -> list[Verdict]:
        try:
            answer = json.loads(self._answer(json.dumps({"files": files, "engine": engine}).encode() + b"\n"))
            return [verdict.read({**keys, "deep": deep}) for _, keys in zip(files, answer, strict=True)]
        except (OSError, ArithmeticError, ValueError, LookupError, TypeError):
            self._end()
            fault = "the checking process ended without an answer: run the check again"
            return [failed(fault, deep) for _ in files]

    def _answer(self, line: bytes) -> bytes:
        """Return the line that the process answers. Raise OSError if it ends or takes too long."""
        process = self._process or self._start()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(line)
        process.stdin.flush()
        until, found = monotonic() + DEADLINE, b""
        while not found.endswith(b"\n"):
            if not select.select([process.stdout], [], [], BEAT)[0]:
                wake(process)
                if monotonic() > until:
                    raise TimeoutError
                continue
            more = os.read(process.stdout.fileno(), 1 << 16)
            if not more:
                raise BrokenPipeError
            found += more
        return found

    def _start(self) -> Popen[bytes]:
        self._process = Popen(
            [sys.executable, "-c", START, json.dumps(sys.path)],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
            env={**os.environ, **ONE_THREAD, "PYTHONWARNINGS": "ignore"},
        )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None and process.stdout is not None
        with suppress(OSError):
            process.stdin.close()  # closing its input ends the process and its child
        try:
            process.wait(LEAVING)
        except TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _request(
    what: OwnFile | str, kind: str, deep: bool, wanted: str = "", before: Sequence[OwnFile] = ()
) -> dict[str, Any]:
    file, source = (what, b"") if isinstance(what, str) else (str(what.path), what.source)
    return {
        "file": file,
        "kind": kind,
        "source": _text(source),
        "deep": deep,
        "wanted": wanted,
        "before": [(one.kind, str(one.path), _text(one.source)) for one in before],
    }


def _text(source: bytes) -> str:
    return b64encode(source).decode("ascii")
