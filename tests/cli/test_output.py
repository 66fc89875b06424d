"""What is printed keeps its columns and shows every sign; bars and the live table say how far the work is."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
import typer
from rich.console import Console

from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import plan
from nimtui.arena.rating.meetings import NO_PAIRS
from nimtui.arena.standings.standings import PairingScore
from nimtui.cli import bar, output
from nimtui.cli.bar import LiveTable, picture
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.jobs import live_games
from nimtui.jobs.live_games import LiveGame
from nimtui.jobs.tournament import View
from nimtui.report.blocks import Column, Facts, Report, Table
from nimtui.report.values import Word


def one_row(head: list[str], row: list[str]) -> Report:
    columns = [Column(title, lambda row, at=at: Word(row[at])) for at, title in enumerate(head)]
    return Report([Table("", columns, [row])])


@contextmanager
def terminal(columns: int = 30) -> Iterator[io.StringIO]:
    """Make stdout and stderr one terminal, also for Rich, and yield what it gets."""
    screen, size = io.StringIO(), os.terminal_size((columns, 24))
    console = Console(file=screen, width=columns, force_terminal=True, color_system=None, legacy_windows=False)
    with (
        mock.patch.multiple(screen, isatty=lambda: True, fileno=lambda: 1),
        mock.patch.multiple(sys, stdout=screen, stderr=screen),
        mock.patch.object(os, "get_terminal_size", lambda _=0: size),
        mock.patch.object(output.shutil, "get_terminal_size", lambda: size),
        mock.patch.object(output, "console", lambda stderr=False: console),
        mock.patch.object(bar, "PATIENCE", 0.0),
    ):
        yield screen


def test_on_a_terminal_lines_keep_within_it_are_indented_as_the_first_and_show_every_sign() -> None:
    with terminal() as screen:
        output.say("short", "  one line that is too long for thirty columns", "x" * 40)
        output.paragraph("A sentence that is longer than one line.")
        output.tell("2,000 games are left: go on by --resume 8")
        output.document({"a": 1})
        output.say(" " * 20 + "one two three four", " " * 4 + "x" * 20 + " yyyyyyyy")  # by half of it at most
        assert output.export().write("a\x1b,\tb\n") == 6
    assert screen.getvalue().splitlines() == [
        *("short", "  one line that is too long", "  for thirty columns", "x" * 40),
        *("A sentence that is longer than", "one line."),
        *("nimtui: 2,000 games are left:", "go on by --resume 8"),
        *("{", '  "a": 1', "}"),
        *(" " * 20 + "one two", " " * 15 + "three four", " " * 4 + "x" * 20, " " * 4 + "yyyyyyyy"),
        "a‹1B›,\tb",
    ]


def test_in_a_pipe_a_line_stays_a_line_and_a_table_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("x" * 100, "a\x1b[31mb")
    output.say()
    output.paragraph("word " * 16)
    output.document({"a": 1})
    game: Any = SimpleNamespace(title="own:3", name="own:3")
    output.heading(game)  # named once
    output.heading(parse_game("nim:1,2"))
    output.tell("word " * 30 + "\n")
    output.messages.clear()
    output.tell("x is full")
    output.fail("x is full")  # said already
    output.fail("y is full")
    out, err = capsys.readouterr()
    titles = "own:3\nNim 1,2 · the last match wins  (nim:1,2)\n"
    assert out == f"{'x' * 100}\na‹1B›[31mb\n{'word ' * 14}word\nword\n" + '{"a": 1}\n' + titles
    assert err == f"nimtui: {'word ' * 30}‹0A›\nnimtui: x is full\nnimtui: y is full\n"
    output.report(one_row(["head"] * 9, ["x" * 20] * 9))
    assert re.fullmatch(r" +head( +head){8}\n(x{20} {3}){8}x{20}\n", capsys.readouterr().out)
    assert output.export() is sys.stdout


def test_signs_that_an_encoding_lacks_are_replaced() -> None:
    ascii, unicode = output.Printable("ascii"), output.Printable("utf-8")
    assert (ascii.plain("±3 → ∞ \x07"), ascii.hidden) == ("+/-3 -> inf ‹07›".translate(output.PLAIN), "...")
    assert (unicode.plain("±3 → ∞"), unicode.hidden) == ("±3 → ∞", "…")
    assert all(each.isascii() for each in output.PLAIN.values())  # type: ignore[union-attr]


@pytest.mark.parametrize("width", [30, 47, 79])
def test_an_option_stays_with_its_value(width: int) -> None:
    hint = "nimtui: 2,000 of 3,000 games are left: nimtui tournament --resume 8 goes on, --openings balanced:2 as well"
    lines = output.wrapped(hint, width)
    assert " ".join(lines) == hint and all(len(line) <= width for line in lines)
    assert any("--resume 8" in line for line in lines) and any("--openings balanced:2" in line for line in lines)


# Progress.


def test_a_bar_shows_what_how_far_and_a_remark_and_goes_again() -> None:
    with terminal(90) as screen, bar.Bar("solve") as shown:
        shown.remark = "accuracy 50 %"
        shown.report(3, 4, "posi\x07tions")
        assert shown._bar is not None
        [task] = shown._bar.rich.tasks
        assert (task.description, task.percentage, task.fields) == ("posi‹07›tions", 75, {"remark": "accuracy 50 %"})
        shown.say("x is \x1b full")
        shown.report(0, 0)
        [task] = shown._bar.rich.tasks
        assert (task.description, task.total) == ("solve", None)
    text = screen.getvalue()
    assert "nimtui: x is ‹1B› full\n" in text and text.endswith("\x1b[2K")


def test_short_work_and_a_pipe_have_no_bar_and_slow_draws_one_once_a_second() -> None:
    with terminal() as screen:
        with bar.Bar("solve", shown=False) as hidden:
            hidden.report(1, 2)
        with mock.patch.object(bar, "PATIENCE", 1e6), bar.Bar("solve") as patient:
            patient.report(1, 2)
        assert patient.shown and screen.getvalue() == ""
    assert not bar.Bar("solve").shown
    output.forget()
    assert output.redraws(4) == 4
    output.draw_as(ascii=False, slow=True)
    output.draw_as(ascii=False, slow=False)
    assert output.redraws(4) == 1
    output.forget()
    assert output.redraws(4) == 4


def test_what_cannot_be_saved_is_said_once_until_it_changes(capsys: pytest.CaptureFixture[str]) -> None:
    task: Any = SimpleNamespace(fault="")
    with bar.Bar("train") as watching:
        watching.watch(task, "it continues")
        for fault in ("", "x is full", "x is full", "", "y is full"):
            task.fault = fault
            watching.report(1, 2)
    assert capsys.readouterr().err == "nimtui: x is full; it continues\nnimtui: y is full; it continues\n"


def test_what_ended_the_work_is_raised_after_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    report = one_row(["head"], ["x"])
    with bar.Bar("train") as stopped, stopped.orderly(ends=bar.FAULTS):
        raise InputError("no room")
    stopped.print(report, False, where="saved to x")
    stopped.print(Report([Facts({"a": 1})]), True, {"more": 2}, "saved to x")
    assert capsys.readouterr().out == 'head\n   x\nsaved to x\n{"a": 1, "more": 2}\n'
    with pytest.raises(InputError, match="no room"):
        stopped.leave()
    with pytest.raises(typer.Exit) as ended:
        bar.Bar("train").leave(saved=False)
    assert ended.value.exit_code == 1
    bar.Bar("train").leave()


def test_a_terminal_that_is_gone_is_a_fault_unless_that_ended_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    discarded: list[bool] = []
    monkeypatch.setattr(output, "report", mock.Mock(side_effect=OSError("gone")))
    monkeypatch.setattr(output, "discard_output", lambda: discarded.append(True))
    one = bar.Bar("train")
    one.write(None, lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    one.write(tmp_path / "cells.csv", lambda: "a,b\n")
    assert (tmp_path / "cells.csv").read_text() == "a,b\n"
    one.leave()
    with pytest.raises(OSError, match="gone"):
        one.print(Report([]), False)
    one.write(tmp_path / "no" / "cells.csv", lambda: "a,b\n")
    one.print(Report([]), False)
    assert discarded == [True]
    with pytest.raises(InputError, match="no such file or directory"):
        one.leave()


# The table of a tournament while it runs.

AGENTS = ("perfect", "random", "easy", "medium", "mc:playouts=123", "mcts:simulations=77,c=1.0")


def view(played: int, **more: Any) -> View:
    """Each pairing has played so many of 100 games, and the earlier agent has won all of them."""
    asked = plan(["nim:3,5,7"], AGENTS, number=100, **more)
    half = played // 2
    halves, all_games, none = (half, half), (played, played), (0, 0)
    scores = [
        PairingScore(pairing, halves, none, none, all_games, halves, (0, half), (0, half), NO_PAIRS, 100)
        for pairing in asked.pairings
    ]
    return View(asked, tuple(scores), 15 * played, 1500, 12.0, 125.0, 80.4, (), (), "")


def drawn(
    of: View, width: int, height: int, encoding: str = "utf-8", what: str = "games", stuck: str = ""
) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, height=height, color_system=None, legacy_windows=False)
    console.print(picture(of, what, width, height, encoding, stuck))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_the_live_table_says_who_leads_and_how_far_it_is() -> None:
    lines = drawn(view(20), 120, 30)
    assert [line.split()[:3] for line in lines[1:]] == [
        ["agent", "points", "first"],
        ["1", "perfect", "100/100"],
        *(["2", "random", "80/100"], ["3", "easy", "60/100"], ["4", "medium", "40/100"]),
        *(["5", "mc", "123"], ["6", "mcts", "77"], ["300", "of", "1,500"]),
    ]
    assert lines[0] == "Nim 3,5,7 · the last match wins"
    assert lines[-1] == "300 of 1,500 games · 120/s · 1:20 left"
    late = replace(view(20), latest_fault="two slept", fault="x is full", left=None, rate=0.0)
    assert drawn(late, 120, 30, what="checking")[-2:] == [
        "300 of 1,500 games · checking · x is full",
        "last fault: two slept",
    ]


def test_the_live_table_says_who_is_stuck() -> None:
    clock, moves = [0.0], (1, 2)

    def looked() -> View:
        return replace(view(20), playing=(LiveGame(0, 3, moves), LiveGame(1, 0, (0,) * int(clock[0]))))

    timed = mock.patch.object(bar, "monotonic", lambda: clock[0])
    waiting = mock.patch.object(live_games, "monotonic", lambda: clock[0])
    with terminal(90) as screen, timed, waiting, LiveTable(looked) as table:
        for clock[0] in (0.0, 1.9, 5.5):
            assert "thinks" not in screen.getvalue()
            table.draw(1, 2, "games")
        plan = looked().plan
        first, second = (labels(plan.agents)[place] for place in plan.pairings[0][1:])
        mover, other = (second, first) if plan.opener(3) else (first, second)
        assert f"{mover} thinks for 5 s: game 4 against {other}" in screen.getvalue()
        moves, clock[0] = (1, 2, 3), 9.0
        screen.truncate(0)
        table.draw(1, 2, "games")
        assert "thinks" not in screen.getvalue()


def test_the_live_table_is_never_higher_or_wider_than_the_terminal() -> None:
    tested = view(20, sprt="elo0=0,elo1=50")
    faulty = replace(view(20), latest_fault="two slept")
    for (of, stuck), width, height in product(
        ((view(20), ""), (tested, ""), (faulty, "one thinks for 5 s")), (24, 60, 140), (5, 8, 24)
    ):
        lines = drawn(of, width, height, stuck=stuck)
        assert len(lines) < height and all(len(line) <= width for line in lines)
        assert lines[2].split()[0] == "1", "the best one stays"
    lines, few = (drawn(tested, 120, height) for height in (40, 13))  # the tests stand below if there is room
    assert len(lines) > len(few) == 11 and any("perfect – random" in line for line in lines)
    lines = drawn(view(20), 120, 30, "ascii")
    assert all(line.isascii() for line in lines) and ">= +" in lines[2] and "<= -" in lines[7]
    unknown = drawn(view(0), 120, 30)[2:-1]
    assert all("–" in line and "%" not in line for line in unknown)


def test_the_live_table_rests_twenty_times_as_long_as_it_is_drawn() -> None:
    clock, seen = [0.0], list[float]()

    def looked() -> View:
        seen.append(clock[0])
        clock[0] += 0.1  # what drawing costs
        return view(20)

    timed = mock.patch.object(bar, "monotonic", lambda: clock[0])
    with terminal(90) as screen, timed, LiveTable(looked) as table:
        for clock[0] in (1.0, 1.2, 3.09, 3.11, 5.0):
            table.draw(1, 2, "games")
    assert seen == [1.0, 3.11] and "300 of 1,500 games" in screen.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_on_a_terminal_it_is_there_until_the_report_and_a_link_that_drops_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nimtui.store.database import Database
    from nimtui.store.game_list import count
    from nimtui.store.tournaments import info
    from tests.e2e.terminal import Terminal

    nimtui = [sys.executable, "-m", "nimtui", "tournament"]
    words = "nim:3,5,7 -a mcts:simulations=3000 -a mc:playouts=500 -a random -n 100000"
    with Terminal([*nimtui, *words.split()], tmp_path, columns=100, lines=30) as terminal:
        assert terminal.sees("of 300,000 games") and terminal.sees("left")
        assert terminal.sees("agent") and terminal.sees("points")
        terminal.signal(signal.SIGINT)
        assert terminal.sees("Resume: nimtui tournament --resume 1")
        assert terminal.ends() == 130
        assert "saved as tournament 1" in terminal.text
    with Terminal([*nimtui, "--resume", "1"], tmp_path, columns=100, lines=30) as terminal:
        assert terminal.sees("/s") and terminal.sees("left")
        terminal.hang_up()
        assert terminal.ends() == 128 + signal.SIGHUP
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    with Database() as database:
        saved = info(database, 1)
        assert saved.state == "stopped" and 0 < saved.played == count(database) < saved.total == 300_000
