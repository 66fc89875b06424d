"""What the tests on a terminal share: terminals that are ended with the test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.e2e.terminal import Terminal

collect_ignore_glob = ["test_*"] if sys.platform == "win32" else []  # they need a pty
Open = Callable[..., "Terminal"]


@pytest.fixture
def app(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens the program with these words on a terminal of choice; its files are in the test's folder."""
    from tests.e2e.terminal import Terminal

    opened, fresh = list[Terminal](), request.node.get_closest_marker("fresh") is not None

    def begin(*words: str, **more: Any) -> Terminal:
        opened.append(Terminal([sys.executable, "-m", "nimtui", *words], tmp_path, fresh=fresh, **more))
        return opened[-1]

    yield begin
    for terminal in opened:
        terminal.__exit__()
