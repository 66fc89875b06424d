"""Programs that tests start by the server of `tests/forks.py`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests import forks

KILLED = """
import os, sys
from tests import forks
forks.Popen([sys.executable, "-c", f"import time; time.sleep(2 * {forks.PATIENCE})"])
os.kill(os.getpid(), 9)
"""


@pytest.mark.slow
@pytest.mark.skipif(not forks.POSSIBLE, reason="this system starts a new interpreter for each")
def test_a_program_ends_with_the_tests_that_have_started_it_also_if_those_are_killed() -> None:
    environment = {name: value for name, value in os.environ.items() if name != forks.PLACE}
    killed = subprocess.run(  # until the program, and the server, have closed its output
        [sys.executable, "-c", KILLED], cwd=forks.ROOT, env=environment, stdout=subprocess.PIPE, timeout=forks.PATIENCE
    )
    assert killed.returncode == -9
