"""Signals end the app, even while it waits for something that never comes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from nimtui.ui.app.end_signals import SIGNALS, EndSignals

STUCK = """
import pathlib, queue, sys
from nimtui.ui.app import end_signals
end_signals.PATIENCE = 0.1
end_signals.EndSignals(lambda status: None, lambda: pathlib.Path(sys.argv[1]).write_text("saved")).listen()
print("ready", flush=True)
queue.Queue().get()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
def test_what_does_not_end_by_itself_is_ended_after_it_has_saved(home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK, str(home / "note")], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
    assert (home / "note").read_text() == "saved"


def test_afterwards_signals_do_what_they_did_before() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    signals = EndSignals(lambda status: None, Event)
    signals.listen()
    assert [signal.getsignal(number) for number in SIGNALS] != before
    signals.leave()
    assert [signal.getsignal(number) for number in SIGNALS] == before
