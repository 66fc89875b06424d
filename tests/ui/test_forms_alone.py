"""What forms and prompts are made of, without a screen: drafts and their fields, typed texts, files of saved work."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from nimtui.errors import InputError, whole_number
from nimtui.games import parse_game
from nimtui.report.copies import Copy, command
from nimtui.report.lines import plain_text
from nimtui.ui.kit.forms import entries, kept
from nimtui.ui.kit.forms.dialogs import LINE, Confirm, ExportForm, QuitScreen
from nimtui.ui.kit.forms.draft import Choice, Draft, Field, Finding, best
from nimtui.ui.kit.forms.form import rows
from nimtui.ui.kit.forms.kept import KeptWork, free, names, newest, write_new
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.kit.widgets.page import Prompt, TypingLine
from nimtui.ui.kit.widgets.panel import fitted, strip

# Drafts.


@dataclass(frozen=True)
class Pair:
    least: int
    most: int

    @property
    def command(self) -> Copy:
        return command("pair", str(self.least), str(self.most))


def number(draft: Any, text: str) -> int:
    return whole_number(text, "the number", 0, 9)


class PairDraft(Draft[Pair]):
    FIELDS: ClassVar[Sequence[Field[Any]]] = (
        Field("least", "Least", number, "the least", "a number", (Choice("0", "none"),), usual="1"),
        Field(
            "most",
            "Most",
            number,
            lambda draft, value: f"{value} of {draft.text('least')}",
            lambda draft: f"above {draft.text('least')}",
            lambda draft: (Choice(str(at), f"a {at}") for at in (8, 9)),
            key="top",
            written=lambda pair: f"{pair.most:02}",
        ),
    )

    def setup(self) -> Pair:
        pair = Pair(**self.values())
        if pair.least > pair.most:
            raise InputError("most is below least")
        return pair


def test_a_draft_reads_checks_and_offers_what_stands_in_its_fields() -> None:
    draft = PairDraft.of(Pair(2, 7))
    assert draft.texts == {"least": "2", "most": "07"} and draft.fields == ("least", "most")
    assert (draft.value("most"), draft.values(), draft.setup()) == (7, {"least": 2, "most": 7}, Pair(2, 7))
    assert draft.check() == {"least": Finding(True, "the least"), "most": Finding(True, "7 of 2")}
    assert (draft.hint("least"), draft.hint("most")) == ("a number", "above 2")
    assert draft.offers("least") == [Choice("0", "none")] and [one.value for one in draft.offers("most")] == ["8", "9"]
    assert draft.command is not None and draft.command.text == "nimtui pair 2 7"
    assert (draft.offered("most"), draft.lists_for("most"), draft.size) == ("07", "", "")
    assert draft.settled("most") is draft and draft.entry("most").label == "Most"


def test_what_is_typed_makes_another_draft_under_the_key_of_its_field() -> None:
    empty = PairDraft({})
    assert (empty.text("least"), empty.text("most")) == ("1", "")
    typed = empty.with_text("most", " 5 ").with_choice("least", "3")
    assert typed.texts == {"top": " 5 ", "least": "3"} and empty.texts == {}
    assert (typed.text("most"), typed.offered("most"), typed.value("most")) == (" 5 ", "5", 5)


def test_what_is_wrong_is_said_beside_its_field_and_a_contradiction_where_it_begins() -> None:
    wrong = PairDraft({"least": "x", "top": "3"})
    assert [finding.right for finding in wrong.check().values()] == [False, True] and wrong.command is None
    assert "the number" in wrong.finding("least").text
    against = PairDraft({"least": "5", "top": "3"})
    assert against.check()["most"] == Finding(False, "most is below least") and against.check()["least"].right
    assert [against.field_of(text) for text in ("least is", "most is", "they are")] == ["least", "most", "least"]


def test_the_first_offer_that_fits_best_is_taken() -> None:
    offers = [Choice(str(at), label) for at, label in enumerate(("Big tower", "Tower", "tow it", "a tow", "stow"))]
    for text, at in (("tower", 1), ("TOW", 1), (" a", 3), ("it", 2), ("to", 1), ("sto", 4), ("ower", 0)):
        assert best(text, offers) == offers[at], text
    assert best("x", offers) is None and best("  ", offers) is None


# The fields that forms share.


@dataclass(frozen=True)
class Shared(Draft[Any]):
    more: tuple[Field[Any], ...] = ()

    @property
    def entries(self) -> Sequence[Field[Any]]:
        return self.more

    def setup(self) -> None:
        """Nothing."""


def test_a_game_and_a_position_of_it() -> None:
    def why_not(game: Any) -> str | None:
        return "too small" if game.name == "nim:1" else None

    game = entries.game_field("a game", lambda: [("Tower", "tower:9")], why_not)
    draft = Shared({"game": " nim:1,2 ", "position": "1,1"}, (game, entries.position_field("start there", " or so")))
    assert draft.value("game") == "nim:1,2" and draft.check()["game"] == Finding(True, "Nim 1,2 · the last match wins")
    assert draft.offers("game") == [Choice("tower:9", "Tower", "tower:9")]
    assert draft.with_text("game", "nim:1").finding("game") == Finding(False, "too small")
    assert draft.value("position") == "1,1" and draft.finding("position") == Finding(True, "start there")
    assert draft.with_text("position", "").finding("position") == Finding(True, "the start of the game")
    assert not draft.with_text("position", "9,9").finding("position").right
    first, *more = draft.offers("position")
    assert first == Choice("", "the start", "of the game") and [one.detail for one in more] == ["after 2 moves"]
    assert draft.hint("position") == f"optional: a position such as {more[0].value} [default: the start] or so"
    none = draft.with_text("game", "x")
    assert none.finding("position") == Finding(True, "") and none.offers("position") == [first]
    assert none.hint("position") == "optional: a position [default: the start] or so"
    details = [f"after {at} moves" for at in (2, 4, 6, 8)]
    assert [one.detail for one in entries.positions(parse_game("connect4"))] == details


def test_a_seed_a_number_and_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = iter((11, 22))
    monkeypatch.setattr(entries, "fresh_seed", lambda: next(seeds))
    few = entries.number_field("n", "N", 5, "the count", "so many", "how many", (), "5")
    seed = entries.seed_field("same", "whole")
    draft = Shared({"seed": "7", "n": "5", "workers": "all"}, (seed, few, entries.WORKERS))
    random = [Choice(str(seed), str(seed), "new random seed") for seed in (11, 22)]
    assert draft.value("seed") == 7 and draft.offers("seed") == [Choice("0", "0", "default"), *random]
    assert draft.value("n") == 5 and [draft.with_text("n", text).finding("n").right for text in "1605"] == [1, 0, 0, 1]
    assert draft.value("workers") is None and draft.finding("workers").text == "one process per core"
    assert draft.with_text("workers", "1").finding("workers") == Finding(True, "processes")
    assert entries.offered("a", "b", default="b") == (Choice("a", "a"), Choice("b", "b", "default"))
    setup = type("Setup", (), {"n": 1234, "workers": None, "position": None})
    assert few.written is not None and few.written(setup) == "1,234"
    assert entries.WORKERS.written is not None and entries.WORKERS.written(setup) == "all"


# Typed texts.


def typed(asked: Prompt, *keys: str, text: str = "") -> TypingLine:
    line = TypingLine()
    line.begin(asked, text)
    for key in keys:
        line.takes(key, key if len(key) == 1 else None)
    return line


def test_a_move_opens_the_line_by_its_first_sign_and_closes_it_when_it_is_erased() -> None:
    line = TypingLine(starts="a:")
    assert not line.open and not line.proposed and TypingLine().starts == "0123456789:"
    assert not line.takes("f1", None) and not line.takes("enter", "\r")
    assert [line.takes(key, key) for key in ("b", "a", "3")] == [False, True, True] and line.text == "a3"
    assert not line.takes("f1", None)
    line.takes("backspace", None)
    assert line.open and line.text == "a"
    line.takes("ctrl+h", None)
    assert not line.open and line.takes(":", ":") and (line.open, line.text) == (True, "")
    line.takes("ctrl+u", None)
    assert not line.open
    line.begin(Prompt.MOVE, "a")
    assert not line.proposed and not line.leaves("x") and line.leaves("up") and not line.open and not line.leaves("up")
    assert not typed(Prompt.NAME, "a").leaves("up")


def test_a_proposal_is_replaced_by_the_first_sign_or_edited() -> None:
    assert typed(Prompt.NAME, "x", text="cup").text == "x"
    assert typed(Prompt.NAME, "end", "x", text="cup").text == "cupx"
    assert typed(Prompt.NAME, "backspace", "x", text="cup").text == "cux"
    for key in ("ctrl+w", "ctrl+u"):
        line = typed(Prompt.NAME, key, text="cup")
        assert (line.open, line.text) == (True, "") and not line.takes("tab", "\t") and not line.takes("f1", None)
    assert not typed(Prompt.NAME).proposed and not typed(Prompt.NAME, "delete", text="cup").proposed
    line = typed(Prompt.NAME, "a", "escape")
    assert (line.open, line.text, line.fault) == (False, "", "")
    line = typed(Prompt.NAME, text="cup")
    assert line.proposed and line.ink != typed(Prompt.NAME, "x").ink
    line.add("a\x1b\nb")
    assert line.text == "ab" and not line.proposed


def test_a_text_has_its_most_signs_and_offers_are_turned_over() -> None:
    assert len(typed(Prompt.NAME, *"a" * 61).text) == 60
    line = typed(Prompt.FILE)
    line.add("a" * 4_097)
    assert len(line.text) == 4_096
    for by, text in ((1, "a"), (1, "b"), (1, "c"), (1, "a"), (-1, "c"), (-1, "b")):
        line.fault = "wrong"
        line.offer(("a", "b", "c"), by)
        assert (line.text, line.fault) == (text, "")
    line.text = "x"
    line.offer(("a", "b", "c"), -1)
    assert line.text == "c"


def test_a_line_is_painted_with_its_question_its_cursor_and_its_keys_or_its_fault() -> None:
    line = typed(Prompt.NAME, *"cup")
    assert plain_text(line.paint(40, 1, UNICODE)[0]).rstrip() == "New name: cup█   ⏎  esc"
    line.fault = "taken"
    assert plain_text(line.paint(40, 1, UNICODE)[0]).rstrip() == "New name: cup█  ! taken"
    line.text = "abcdefghijklmnop"
    assert plain_text(line.paint(40, 1, UNICODE)[0]).startswith("New name: abcdefghijklmnop█")
    line.text = "abcdefghijklmnopqrstuvwxyz"
    assert plain_text(line.paint(40, 1, UNICODE)[0]).startswith("New name: abcde…qrstuvwxyz█  ! taken")  # of 16 cells


# Lines of cells.


@given(st.text("ab -,宽", max_size=30), st.integers(2, 12))
def test_a_long_text_is_broken_into_lines_that_fit_and_hold_all_of_it(text: str, width: int) -> None:
    places = rows(text, width)
    assert places[0][0] == 0 and places[-1][1] == len(text) + 1
    assert [end for _, end in places[:-1]] == [start for start, _ in places[1:]]
    assert all(cell_len((text + " ")[start:end]) <= width for start, end in places)


def test_a_line_ends_before_an_option_else_after_a_space_or_a_comma() -> None:
    def broken(text: str, width: int) -> list[str]:
        return [(text + " ")[start:end] for start, end in rows(text, width)]

    assert broken("play tower --first me", 16) == ["play tower ", "--first me "]
    assert broken("nim:1,2,3 x", 6) == ["nim:1,", "2,3 x "]
    assert broken("abcdefgh", 4) == ["abcd", "efgh", " "] and broken("abc", 4) == ["abc "]


def test_a_strip_has_its_width_and_merges_what_looks_alike() -> None:
    bold, plain = Style(bold=True), Style()
    line = strip([("a", bold), ("b", bold), ("", plain), ("c\x1b", plain)], 8, plain)
    assert [(one.text, one.style) for one in line] == [("ab", bold), ("c‹1B› ", plain)] and line.cell_length == 8
    assert [one.text for one in strip([("a宽", bold), ("x", plain)], 2, plain)] == ["a "]
    assert [fitted("abc", room, "…") for room in (4, 3, 2, 0, -1)] == ["abc ", "abc", "a…", "", ""]
    assert fitted("ab cd", 4, "…") == "ab …" and fitted("ab\x1b", 9, "…") == "ab‹1B›   "


# Files of saved work, and questions.


def test_names_for_new_files_are_free_and_no_file_is_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert write_new(Path("a.csv"), "text") == Path("a.csv") and Path("a.csv").read_text() == "text"
    with pytest.raises(InputError, match=r"^a.csv already exists$"):
        write_new(Path("a.csv"), "other")
    with monkeypatch.context() as full:
        full.setattr("os.fsync", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
        with pytest.raises(InputError, match=r"^c.csv cannot be written: no space left on device$"):
            write_new(Path("c.csv"), "text")
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]  # no part of it is left
    assert free(Path("a"), ".csv") == Path("a-2.csv") and free(Path("b"), ".csv") == Path("b.csv")
    assert free(Path("a"), ".csv", {Path("a-2.csv")}) == Path("a-3.csv")
    assert names("nim:1,2 – " + "x" * 90, {".csv": "rows"}) == {f"nim-1-2-{'x' * 72}.csv": "rows"}
    assert names("a", {".csv": "rows", ".txt": "text"}) == {"a-2.csv": "rows", "a.txt": "text"}


def test_saved_work_is_listed_from_the_newest_and_what_cannot_be_read_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at, name in enumerate("abc"):
        (tmp_path / f"{name}.npz").write_text("")
        os.utime(tmp_path / f"{name}.npz", (at, at))

    def look(path: Path) -> KeptWork:
        if path.stem == "b":
            raise InputError(f"{path} is damaged")
        return KeptWork(path, path.stem, "", False)

    works = newest(tmp_path, "*.npz", look)
    assert [(work.title, work.detail, work.finished) for work in works] == [
        ("c", "", False),
        ("b.npz", "the file is damaged", True),
        ("a", "", False),
    ]
    monkeypatch.setattr(kept, "MOST", 1)
    assert [work.title for work in newest(tmp_path, "*.npz", look)] == ["c"]
    assert newest(tmp_path / "none", "*", look) == []


def test_a_question_is_one_line_where_it_fits_and_names_its_answers() -> None:
    why = "x" * (LINE - len(" Quit?"))
    assert QuitScreen(why).text == f"{why} Quit?\n\n⏎ quit    esc stay"
    assert QuitScreen(f"{why}x", saves=True).text == f"{why}x\nQuit?\n\n⏎ quit    s save and quit    esc stay"
    both = QuitScreen(f"{why}x", saves=True, continues=True).text.splitlines()[-1]
    assert both == "⏎ quit  s save and quit  b in the background  esc stay" and len(both) <= LINE
    assert Confirm("It ends.", "Do it?").text == "It ends. Do it?\n\n⏎ do it    esc back"


def test_an_export_takes_a_new_file_with_one_of_its_endings(tmp_path: Path) -> None:
    draft = ExportForm({"a.csv": "rows", "a.json": "all"})._draft
    assert (draft.text("file"), [one.detail for one in draft.offers("file")]) == ("a.csv", ["rows", "all"])
    place = tmp_path / "b.json"
    assert draft.with_text("file", str(place)).setup() == place
    assert draft.with_text("file", str(place)).finding("file") == Finding(True, f"in {tmp_path}")
    assert not draft.with_text("file", str(tmp_path / "b.txt")).finding("file").right
