"""docs/api.md is true: Python prints what it shows, and it names all that there is."""

from __future__ import annotations

import doctest
import re
from collections import OrderedDict
from pathlib import Path

import pytest

import nimtui
from nimtui.agents import registry
from nimtui.arena.play import pieces as play

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the names of objects that other tests handed in."""
    monkeypatch.setattr(registry, "_entries", {})
    monkeypatch.setattr(play, "_boards", OrderedDict())


def test_python_prints_what_is_shown(fresh: None) -> None:
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "docs/api.md", None, None)
    told: list[str] = []
    flags = doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS
    found = doctest.DocTestRunner(optionflags=flags).run(test, out=told.append)
    assert found.attempted > 15 and not found.failed, "".join(told)


@pytest.mark.parametrize("name", [name for name in nimtui.__all__ if not name.startswith("_")])
def test_every_name_is_in_the_table(name: str) -> None:
    assert re.search(rf"^\| `nimtui\.{name}\b", PAGE, re.MULTILINE)
