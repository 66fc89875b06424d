"""What each of some seventy misbehaving files gets: one check that names the rule, one example that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimtui.check import checking, quarantine
from nimtui.check.quarantine import Verdict
from nimtui.check.request import Request
from nimtui.cli.new import Kind, template
from tests.check.files import File
from tests.check.misbehaving import ALL, LOADING

PASSING = ("does not end", "does not return", "take longer", "takes longer", "MemoryError")  # not certain


def ask(file: str, kind: str) -> Verdict:
    source = Path(file).read_bytes() if file.endswith(".py") else b""
    return checking.check([Request(file, kind, source)])[0]


@pytest.mark.slow
@pytest.mark.parametrize("file", ALL, ids=lambda file: file.name)
def test_the_rule_that_is_broken_is_named_with_an_example(file: File, tmp_path: Path) -> None:
    path = tmp_path / f"{file.name}.py"
    path.write_bytes(file.text.encode() if isinstance(file.text, str) else file.text)
    verdict = ask(str(path), file.kind)
    assert not verdict.ok
    broken = next(check for check in verdict.checks if not check.ok)
    assert (broken.name, broken.example) == (file.check, broken.example)
    assert broken.example and file.says in broken.example and "\n" not in broken.example
    assert verdict.loaded == (file not in LOADING)
    assert verdict.certain == (not any(said in broken.example for said in PASSING))
    assert quarantine.usable(verdict, file.kind) == (verdict.loaded and file.kind == "agent")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.SCREEN])
def test_what_new_writes_passes(kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(template(kind, "mine"))
    verdict = ask(str(path), kind)
    assert verdict.ok, verdict.fault
    assert verdict.loaded and len(verdict.checks) > 8
