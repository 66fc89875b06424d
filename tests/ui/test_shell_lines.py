"""The lines at the top and at the bottom, the lines of long work, and the signs that all are drawn with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len
from textual.keys import Keys, format_key

from nimtui.agents import parse_agent
from nimtui.games import parse_game
from nimtui.jobs import Job, JobState
from nimtui.jobs.job import Snapshot
from nimtui.jobs.work import State
from nimtui.learning.learner import parse_learner
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.progress import Progress, Relay
from nimtui.report.lines import Ink, plain_text, width
from nimtui.ui.app.keymap import every
from nimtui.ui.app.start import StartScreen
from nimtui.ui.compare.screen import ComparisonScreen
from nimtui.ui.kit.contract.shell import Guide
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.kit.widgets.bars import Header, Hint, fitting, job_line, jobs_line, paint_guide
from nimtui.ui.kit.widgets.panel import Paint, of_head, of_keys, of_line, of_message
from nimtui.ui.kit.work_screen import pace, progress
from nimtui.ui.library.screen import LibraryScreen
from nimtui.ui.search.screen import SearchScreen
from nimtui.ui.sweep.screen import SweepScreen
from nimtui.ui.tournament import work
from nimtui.ui.tournament.screen import TournamentScreen
from nimtui.ui.train.screen import TrainScreen
from tests.ui.playing import until
from tests.ui.tournaments import tournament

# The jobs at the top.


def job(name: str, share: float | None, state: JobState = JobState.RUNNING, **more: bool) -> Any:
    done = Snapshot(share or 0.0, 0.0 if share is None else 1.0, "", more.get("prepares", False))
    return SimpleNamespace(name=name, state=state, snapshot=done, compiling=more.get("compiling", False))


def test_a_job_is_named_with_its_share_and_a_long_name_is_cut_before_the_share_is() -> None:
    assert job_line(job("hard", 0.41), UNICODE) == "▶ hard 41 %"
    assert job_line(job("hard", 0.41, JobState.PAUSED), ASCII) == "= hard 41 %"
    assert job_line(job("hard", None), UNICODE) == "▶ hard"
    assert job_line(job("training hard", 0.41), UNICODE, 13) == "▶ train… 41 %"
    assert job_line(job("training hard", 0.41), UNICODE, 3) == "▶ t… 41 %"
    for more in ({"prepares": True}, {"compiling": True}):
        assert [job_line(job("hard", 0.4, **more), UNICODE, room) for room in (16, 15)] == [
            "▶ hard preparing",
            "▶ hard",
        ]


def test_of_several_jobs_the_oldest_is_named_and_the_others_counted() -> None:
    assert jobs_line([], UNICODE) == ""
    assert jobs_line([job("one", 0.5)], UNICODE, 10) == "▶ one 50 %"
    assert jobs_line([job("one", 0.5), job("two", 0.1), job("three", None)], UNICODE) == "▶ one 50 %  +2"
    assert jobs_line([job("number one", 0.5), job("two", 0.1)], UNICODE, 16) == "▶ numb… 50 %  +1"


def shown(work: Callable[[Progress], None], key: Callable[[], int]) -> list[tuple[int, float | None, str]]:
    """What the header shows after each report of a job: with a key, and the share that is reported."""
    seen, jobs = list[tuple[int, float | None, str]](), list[Job[None]]()

    class Watched(Relay):
        def report(self, done: float, total: float, what: str = "") -> None:
            super().report(done, total, what)
            seen.append((key(), jobs[0].snapshot.share, job_line(jobs[0], UNICODE)))

    jobs.append(Job("reward", lambda progress: work(Watched(progress))))
    jobs[0].run()
    assert jobs[0].error is None
    return seen


def test_a_training_has_no_share_before_its_first_game_nor_has_an_agent_that_prepares() -> None:
    run = Run(Training(parse_game("tower:9"), parse_learner("reward"), 1))
    run.goal(5_000)
    seen = shown(run.work, lambda: run.training.games)
    before = [line for games, share, line in seen if not games and share is not None]
    after = [line for games, _, line in seen if games]
    assert before and all(line.endswith(" preparing") for line in before)
    assert after and all("%" in line for line in after) and after[-1].endswith("100 %")
    for name in ("reward:games=2000", "perfect", "mc:policy=perfect-opponent,playouts=50"):
        seen = shown(parse_agent(name, parse_game("nim:1,2,4")).prepare, lambda: 0)
        assert {line for _, _, line in seen} <= {"▶ reward preparing"}
        assert any(share is not None for _, share, _ in seen) or name == "perfect"


# The keys at the bottom.


def hints_of(*lines: str) -> list[Hint]:
    """Footer entries from 'key word action' each; the word may be left out."""
    return [Hint(((key, key),), word, action=action) for key, word, action in (line.split(" ") for line in lines)]


EVERYWHERE = hints_of("F1 Help help", "^p Commands command_palette")


def test_of_too_many_keys_words_go_first_then_the_least_useful() -> None:
    arrows = Hint((("↑", "up"), ("↓", "down")), "row", action="step")
    shown = [
        arrows,
        *hints_of("u undo undo", "h hint hint", "w why why", "F1 Help help", "^p Commands command_palette"),
    ]

    def at(width: int) -> str:
        return "  ".join("".join(key for key, _ in hint.keys) + f" {hint.label}" for hint in fitting(shown, width))

    assert fitting(shown, 80) == shown
    assert at(51) == "↑↓   u undo  h hint  w why  F1 Help  ^p Commands"
    assert at(46) == "↑↓   h hint  w why  F1 Help  ^p Commands"
    assert at(38) == "h hint  w why  F1 Help  ^p Commands"
    assert at(24) == "F1 Help  ^p Commands"
    assert [at(width) for width in (18, 14, 5, 3)] == ["F1   ^p Commands", "^p Commands", "^p ", ""]


def test_the_palette_keeps_its_label_before_any_key_is_kept() -> None:
    many = [*hints_of(*(f"{key} word{key} do{key}" for key in "abcdefghijklmno")), EVERYWHERE[1]]
    for room in (13, 40, 60, 80, 100):
        some = fitting(many, room)
        assert some[-1].label == "Commands" and sum(hint.width for hint in some) <= room
    assert [hint.label for hint in fitting(many, 12)] == [""]


def test_what_a_screen_can_spare_and_what_cannot_be_done_now_goes_first() -> None:
    shown = [*hints_of("⏎ open open", "s sort sort", "e export export"), *EVERYWHERE]
    shown[1:3] = [replace(shown[1], spare=2), replace(shown[2], spare=1)]
    assert [hint.label for hint in fitting(shown, 40)] == ["open", "sort", "Help", "Commands"]
    assert [hint.label for hint in fitting(shown, 31)] == ["open", "Help", "Commands"]
    assert [hint.label for hint in fitting(shown, 25)] == ["Help", "Commands"]
    dim, *rest = hints_of("l learn learn", "h hint hint", "F1 Help help")
    assert [hint.label for hint in fitting([replace(dim, enabled=False), *rest], 14)] == ["Help"]


def test_keys_of_a_group_are_apart_if_one_is_a_word() -> None:
    for keys, between in (("↑↓", ""), (("up", "down"), "/")):
        hint = Hint(tuple((key, key) for key in keys), "row")
        assert (hint.between, hint.width) == (between, len(between.join(keys) + " row  "))
    assert Hint((("a", "a"),), "").width == len("a  ")


def test_a_tour_has_its_longest_sentence_that_fits_and_its_keys_below() -> None:
    guide = Guide("3/7", ("Only c3 wins at 1,2,3.", "Only c3 wins."), (("⏎", "play …"), ("esc", "leave")))
    head = [(" ", "said"), ("3/7  ", "off")]
    longest = len("3/7") + 4 + len(guide.says[0])
    assert paint_guide(guide, 0, longest, UNICODE) == [*head, (guide.says[0], "guide")]
    assert paint_guide(guide, 0, longest - 1, UNICODE) == [*head, (guide.says[1], "guide")]
    assert paint_guide(guide, 0, 18, UNICODE) == [*head, ("Only c3 …".ljust(11), "guide")]
    assert paint_guide(Guide("3/7", (), ()), 0, 18, UNICODE) == [*head, ("", "guide")]
    keys = [(" ", "said"), ("Enter", "key"), (" play ~   ", "said"), ("esc", "key"), (" leave   ", "said")]
    assert paint_guide(guide, 1, 80, ASCII) == keys


# Long work.

PARTS = ("12 of 80 games", "about 2 min left", "2 workers")


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_a_bar_leaves_out_its_last_parts_and_never_its_first(signs: Glyphs) -> None:
    before = 0
    for columns in range(24, 90):
        [drawn] = progress(0.15, *PARTS)(columns, 1, signs)
        text = plain_text(drawn)
        assert width(drawn) <= columns and "15 %" in text and PARTS[0] in text
        parts = [part in text for part in PARTS]
        assert parts == sorted(parts, reverse=True) and sum(parts) >= before
        before = sum(parts)
        assert text.isascii() or signs is UNICODE
    assert before == len(PARTS)
    assert [plain_text(progress(0.5, *PARTS)(columns, 1, UNICODE)[0]) for columns in (80, 47, 46, 23, 22, 14)] == [
        "██████████            50 %  12 of 80 games · about 2 min left · 2 workers",
        "███     50 %  12 of 80 games · about 2 min left",
        "██████████            50 %  12 of 80 games",
        "▌  50 %  12 of 80 games",
        "50 %  12 of 80 games",
        "50 %  12 of …",
    ]


def test_work_that_does_not_run_says_its_state() -> None:
    assert pace(State.GOING, PARTS[1:]) == PARTS[1:]
    assert pace(State.PAUSED, PARTS[1:], "rest") == ("‖ paused", "rest")
    assert pace(State.STOPPING, PARTS) == ("stopping", "")
    assert {pace(state, PARTS) for state in (State.STOPPED, State.SAVED, State.LEFT)} == {("stopped", "")}


def test_the_first_line_has_the_longest_text_that_fits_beside_the_name() -> None:
    rights = ("a long text about it", "a text", "it")
    for columns in range(12, 40):
        [drawn] = of_head("name", rights)(columns, 1, UNICODE)
        right = next((text for text in rights if len("name") + 2 + len(text) <= columns), rights[-1])
        assert plain_text(drawn).split(maxsplit=1) == ["name", right] and width(drawn) == columns
    assert [run.ink for run in of_head("name", ("it",))(12, 1, UNICODE)[0]] == [Ink.STRONG, Ink.QUIET]
    assert plain_text(of_head("a long name")(8, 1, UNICODE)[0]) == "a long …"


def test_a_fault_comes_before_a_message_and_a_message_before_a_hint() -> None:
    def said(*texts: str) -> tuple[str, Ink]:
        [run] = of_message(*texts)(40, 1, UNICODE)[0]
        return run.text, run.ink

    assert said("message", "fault", "hint") == ("! fault", Ink.BAD)
    assert said("message", "", "hint") == ("message", Ink.TEXT) and said("", "", "hint") == ("hint", Ink.QUIET)


def test_a_line_has_the_first_of_its_texts_that_fits_and_keys_stand_below_each_other() -> None:
    def drawn(paint: Paint, columns: int, rows: int = 1) -> list[str]:
        return [plain_text(one).rstrip() for one in paint(columns, rows, UNICODE)]

    texts = ("a text of words", "a text")
    assert (drawn(of_line(*texts), 15), drawn(of_line(*texts), 14)) == (["a text of words"], ["a text"])
    assert drawn(of_line(texts[0]), 8, 2) == ["a text", "of words"] == drawn(of_line(texts[0]), 8, 3)
    assert drawn(of_line(texts[0]), 6, 2) == drawn(of_line(texts[0]), 6, 3)[:2]
    assert drawn(of_keys(("a", "do"), ("esc", "go")), 20, 9) == ["", "  a    do", "  esc  go"]


def test_screens_of_work_start_and_export_by_the_same_keys() -> None:
    for kind in (SweepScreen, TournamentScreen, ComparisonScreen, TrainScreen, SearchScreen, LibraryScreen):
        keys = {row.action: row.key for row in kind.ROWS}
        assert keys.get("export", "e") == "e" and keys.get("new", "N").split(",")[-1] == "N"
        assert ("export" in keys or kind is TrainScreen) and ("new" in keys or kind is LibraryScreen)


async def test_the_list_of_saved_tournaments_is_no_work_in_the_header(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, listed = threading.Event(), work.listed
    monkeypatch.setattr(work, "listed", lambda database: gate.wait(30) and listed(database))
    async with tournament(make_app, None) as pilot:
        await until(pilot, lambda: pilot.app.tournament._listing.running and not pilot.app.jobs.running())
        gate.set()
        await until(pilot, lambda: not pilot.app.tournament._listing.running)


async def test_a_screen_and_its_header_look_at_one_moment(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    async with make_app().run_test() as pilot:
        monkeypatch.setattr(StartScreen, "tick", lambda screen: looks.append("screen"))
        monkeypatch.setattr(Header, "look", lambda header: looks.append("header"))
        await pilot.press("f6", "f7")  # ticks as of now
        looks.clear()
        await until(pilot, lambda: len(looks) >= 4)
        assert looks[:4] == ["screen", "header"] * 2


# The signs, and what becomes of a text that they cannot say.


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_every_sign_is_one_cell_wide_and_those_that_must_differ_do(signs: Glyphs) -> None:
    for field in fields(Glyphs):
        value = getattr(signs, field.name)
        if field.name == "strokes" and signs is UNICODE:
            assert set(value) == {""}  # curves are drawn in dots there
        elif field.name not in ("name", "pixels", "grounds", "ratio"):
            assert all(cell_len(sign) == 1 for sign in value)
            assert signs is UNICODE or "".join(value).isascii()
    assert len({signs.match, signs.chosen, *signs.ghosts, " "}) == 5
    assert len({*signs.discs, *signs.ghosts, " "}) >= 4
    assert signs.right != signs.wrong


def test_bars() -> None:
    assert [UNICODE.bar(share, 8) for share in (0.5, 0.55, 0.0)] == ["████    ", "████▍   ", " " * 8]
    assert (UNICODE.bar(2, 3), ASCII.bar(0.5, 8), UNICODE.bar(1 / 64, 8)) == ("███", "####    ", "▏       ")
    assert {len(signs.bar(share / 100, 13)) for signs in (UNICODE, ASCII) for share in range(-10, 120)} == {13}
    signed = [UNICODE.signed_bar(share, 8) for share in (-1, -0.5, -0.01, 0, 0.001, 0.5)]
    assert signed == ["░" * 8, "░" * 4, "░", "", "▏", "████"] and ASCII.signed_bar(0.001, 8) == "#"


def test_texts_in_ascii() -> None:
    text = "misère · 4 × 4, −3 … „π“"
    assert UNICODE.plain(text) == text
    assert ASCII.plain(text) == 'misere - 4 x 4, -3 ~ "?"'
    assert ASCII.plain("½, 1½") == "1/2, 1 1/2"  # not eleven halves
    assert UNICODE.plain("a\x1b\nb\u202e") == "a‹1B›\nb‹202E›" and ASCII.plain("a\x1b\nb") == "a<1B>\nb"


@pytest.mark.slow
def test_no_key_is_shown_as_another_one_in_ascii() -> None:
    shown = {key: ASCII.keys(format_key(key)) for key in (*(key.value for key in Keys), *map(chr, range(33, 127)))}
    ours = {key: sign for key, sign in shown.items() if key in {name for each in every() for name in each.default}}
    assert len(set(ours.values())) == len(ours) and all(sign.isascii() and sign.strip() for sign in ours.values())
    assert ours["up"] == "up" and ours["backspace"] == "backspace" and ours["shift+left"] == "shift+left"
    assert ASCII.keys("↑↓") == "up/down" and ASCII.keys("← →") == "left right" and UNICODE.keys("↑↓ ⌫") == "↑↓ ⌫"
