"""What each of some hundred and seventy misbehaving files gets: the rule that it breaks, with one example."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from nimtui.check import quarantine, traces
from nimtui.check.quarantine import Failure
from nimtui.check.verdict import Request, Verdict
from nimtui.cli.new import Kind
from nimtui.process.plugins import OwnFile
from tests.check.files import File, changed
from tests.check.here import check_here, in_a_copy
from tests.check.misbehaving import AGENTS, GAMES, LEARNERS, LEFT, LINES, LOADING, RUNNING, TRACES
from tests.examples import with_slow

PASSING = ("does not end", "does not return", "take longer", "takes longer", "MemoryError")  # not certain
HERE = [  # the others take long, end their process, hold it up or are compiled
    file
    for file in (*GAMES, *LEARNERS, *AGENTS)
    if file.check not in ("process", "compiled") and not any(text in file.says for text in PASSING)
]
TIMED = {"dreams", "rule_loops", "swallows", "stuck", "slow"}  # rules that run out of time
LATE = [file for file in (*GAMES, *LEARNERS, *AGENTS) if file.name in TIMED]
SOON = 0.2  # seconds that they have here
NEW = [kind for kind in Kind if kind not in (Kind.SCREEN, Kind.PROGRAM, Kind.CLASS)]
APART = [
    file
    for file in (*LOADING, *TRACES[:2], *RUNNING[::7], *GAMES, *LEARNERS, *AGENTS)
    if file not in HERE and file.name not in TIMED
]


def request(file: File, folder: Path) -> Request:
    path = folder / f"{file.name}.py"
    path.write_bytes(file.text.encode() if isinstance(file.text, str) else file.text)
    return Request(OwnFile(file.kind, path, path.read_bytes()), deep=file not in LOADING)


@pytest.mark.parametrize("file", HERE, ids=lambda file: file.name)
def test_the_rule_that_is_broken_is_named_first_with_an_example(
    file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = check_here(request(file, tmp_path), monkeypatch)
    rule, failure = next(iter(findings.broken.items()))
    assert (rule, failure.certain, failure.late) == (file.check, True, False)
    assert file.says in failure.text and "\n" not in failure.text
    assert {"loaded": True} in findings.others and findings.others[-1] == {"done": True}


@pytest.mark.parametrize("file", with_slow(LATE, *LATE[1:]), ids=lambda file: file.name)
def test_a_rule_that_runs_out_of_time_is_late(file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = check_here(request(file, tmp_path), monkeypatch, patience=SOON)
    rule, failure = next(iter(findings.broken.items()))
    assert (rule, failure.certain, failure.late) == (file.check, False, True)
    assert file.says.replace(" 2 s", f" {SOON} s").replace(" 5 s", f" {SOON} s") in failure.text


@pytest.mark.parametrize("kind", NEW)
def test_what_new_writes_keeps_every_rule(kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = changed(kind, "mine", "", "")
    findings = check_here(request(written, tmp_path), monkeypatch)
    assert findings.broken == {} and len(findings.tried) > 7


EVERY = [*LEFT, *LINES.items()]


@pytest.mark.parametrize("left", with_slow(EVERY, *EVERY[1::2]), ids=lambda left: left[0][:40])
def test_what_a_line_leaves_behind_is_found(left: tuple[str, str]) -> None:
    """In a copy of this process: each line changes what all of it shares."""
    line, trace = left

    def run() -> list[str]:
        found: list[str] = []
        with traces.watched(found.append, "running it"):
            exec(line, {"__name__": "nimtui_own"})
        return found

    changes = trace if left in LEFT else f"changes {trace}"
    assert in_a_copy(run) == [f"running it {changes}"]


@pytest.mark.slow
@pytest.mark.parametrize("file", RUNNING, ids=lambda file: file.name)
def test_what_rules_leave_behind_or_print_is_found(file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = request(file, tmp_path)

    def run() -> list[tuple[str, Failure]]:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__  # pytest has replaced both
        return list(check_here(asked, monkeypatch, watched=True).broken.items())

    [(rule, failure)] = in_a_copy(run)
    assert rule == "traces" and failure.text.startswith(file.says) and failure.certain


def test_a_setting_that_was_removed_is_changed_and_an_addition_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    values: dict[str, Any] = {"path": ["a", "b"], "environment": {"HOME": "/"}, "umask": 18, "gone": 1}
    monkeypatch.setattr(traces, "SETTINGS", {name: lambda name=name: values[name] for name in values})
    before = traces.present_settings()
    values |= {"path": [*values["path"], "c"], "environment": {"HOME": "/", "NEW": "1"}}
    assert traces.changed_settings(before) == []
    values |= {"path": values["path"][1:], "environment": {"HOME": "/", "NIMTUI_HOME": "/"}, "umask": 19, "gone": 2}
    assert traces.changed_settings(before) == ["path", "environment", "umask", "gone"]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    """The verdicts on all files that need a process, and on new ones; checked side by side."""
    folder = tmp_path_factory.mktemp("own")
    files = [*APART, *(changed(kind, f"new_{kind}", "", "") for kind in NEW)]
    found = quarantine.checked([request(file, folder) for file in files])
    return {file.name: verdict for file, verdict in zip(files, found, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("file", APART, ids=lambda file: file.name)
def test_what_a_file_does_to_its_process_is_one_line(file: File, verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts[file.name]
    broken = next(check for check in verdict.checks if not check.ok)
    assert (broken.name, verdict.ok, verdict.loaded) == (file.check, False, file not in LOADING)
    assert broken.example and file.says in broken.example and "\n" not in broken.example
    assert verdict.certain == (not any(text in broken.example for text in PASSING))
    assert quarantine.usable(verdict, file.kind) == (verdict.loaded and file.kind == "agent")


@pytest.mark.slow
@pytest.mark.parametrize("kind", NEW)
def test_what_new_writes_passes(kind: Kind, verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts[f"new_{kind}"]
    assert verdict.ok and verdict.loaded and len(verdict.checks) > 7, verdict.fault
