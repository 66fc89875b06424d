"""A fault of the program's own ends the app in good order: saved, with two lines and a report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text
from textual.widgets import Static

from nimtui.store import guard


class Bug(Exception):
    """Nobody expects this."""


def raises(*_: object) -> None:
    secret = "the value of a variable"  # noqa: F841 - must not be in the report
    raise Bug("of the test\nin two lines")


def in_a_handler(app: Any) -> None:
    app.play = raises
    app.simulate_key("w")


def in_a_timer(app: Any) -> None:
    app.screen.set_timer(0.01, raises)


def in_a_worker(app: Any) -> None:
    async def work() -> None:
        raises()

    app.run_worker(work())


def in_a_paint(app: Any) -> None:
    class Unpaintable(Static):
        def render(self) -> Text:
            raises()
            return Text()

    app.screen.mount(Unpaintable())


def in_the_event_loop(app: Any) -> None:
    asyncio.get_running_loop().call_soon(raises)


@pytest.mark.slow
@pytest.mark.parametrize("fault", [in_a_handler, in_a_timer, in_a_worker, in_a_paint, in_the_event_loop])
async def test_it_is_reported_and_what_runs_is_stopped(
    make_app: Callable[..., Any], home: Path, fault: Callable[[Any], None]
) -> None:
    app = make_app()
    with pytest.raises((Bug, Exception), match="of the test"):
        async with app.run_test(size=(80, 24)) as pilot:
            job = app.jobs.start("long work", lambda progress: [progress.report(1) for _ in iter(int, 1)])
            await pilot.press("down", "up")
            fault(app)
            while app.is_running:
                await asyncio.sleep(0.005)
    assert app.return_code == guard.STATUS == 70
    assert job.join(5)
    what, where = app.failure
    assert what == "nimtui failed on the screen Start: Bug: of the test in two lines"
    [report] = (home / "reports").iterdir()
    assert where == f"Report: {report}"
    text = report.read_text()
    assert "version    nimtui " in text and "screen     start: StartScreen" in text
    assert "keys       down up" in text and "Traceback" in text and "in raises" in text
    assert text.count("the value of a variable") <= 1  # the line of the program, not the variable's value


def test_old_reports_give_way(home: Path) -> None:
    folder = home / "reports"
    folder.mkdir()
    for number in range(60):
        (folder / f"2020-01-01-{number:06}.txt").write_text("old")
    newest = guard.write_report(ValueError("x"), {})
    assert newest is not None and newest.exists()
    assert len(list(folder.iterdir())) == guard.MOST_REPORTS


def test_without_a_place_for_the_report_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "file"))
    error = ValueError("x")
    assert guard.write_report(error, {}) is None
    assert guard.report_lines(error, "here", None)[1] == "The report could not be written."
