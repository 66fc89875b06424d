"""The first start, with nothing compiled: play works at once, and the process that compiles disturbs nobody."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.slow
NEVER = """
import sys
from concurrent.futures import Future
from nimtui.engine import activity
from nimtui.jobs.kernels import KernelProcess
activity.PATIENCE = float("inf")
KernelProcess.order = lambda *given: Future()
sys.argv[1:] = "play nim:1,2,3 --second perfect".split()
from nimtui.__main__ import main
main()
"""
PATHS = ":".join([str(Path(__file__).parents[2]), *sys.path])
LEARNED = ("-m", "nimtui", "play", "tower:16", "--first", "reward:games=5000000")


def app(home: Path, kernels: Path, *words: str) -> Terminal:
    return Terminal([sys.executable, *words], home, fresh=True, NUMBA_CACHE_DIR=str(kernels), PYTHONPATH=PATHS)


def compiler_of(parent: int) -> int | None:
    """The process of low priority among the children of the app; None if there is none."""
    with contextlib.suppress(OSError, ValueError):
        for child in Path(f"/proc/{parent}/task/{parent}/children").parent.parent.glob("*/children"):
            for number in map(int, child.read_text().split()):
                if os.getpriority(os.PRIO_PROCESS, number) > os.getpriority(os.PRIO_PROCESS, parent):
                    return number
    return None


def test_a_machine_answers_while_nothing_is_compiled(tmp_path: Path) -> None:
    with app(tmp_path / "home", tmp_path / "kernels", "-c", NEVER) as terminal:
        assert terminal.sees("your move")
        terminal.press("enter")
        assert terminal.sees("Perfect took") and terminal.sees("your move")
    assert not list((tmp_path / "kernels").rglob("*.nbc"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for children in /proc")
def test_the_compiler_ends_with_the_app_even_if_that_is_killed(tmp_path: Path) -> None:
    with app(tmp_path / "home", tmp_path / "kernels", *LEARNED) as terminal:
        assert terminal.becomes(lambda: compiler_of(terminal.pid) is not None)
        child = compiler_of(terminal.pid)
        os.kill(terminal.pid, signal.SIGKILL)
        assert terminal.becomes(lambda: not Path(f"/proc/{child}").exists() or _is_dead(child))


def _is_dead(process: int | None) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


def test_two_apps_at_once_play_with_one_empty_cache(tmp_path: Path) -> None:
    kernels = tmp_path / "kernels"
    with app(tmp_path / "a", kernels, *LEARNED) as one, app(tmp_path / "b", kernels, *LEARNED) as other:
        for terminal in (one, other):
            assert terminal.sees("your move")
            terminal.press("enter")
            assert terminal.sees("3 reward")
    assert list(kernels.rglob("*.nbc"))
