"""Lines of ink: how runs are joined, placed, wrapped and painted. tests/ui/test_cut_lines.py has those that are cut."""

from __future__ import annotations

import pytest

from nimtui.report.bar import ProgressBar
from nimtui.report.lines import (
    BLANK,
    FIRM,
    Ink,
    Run,
    aimed,
    beside,
    centred,
    clipped,
    cut,
    filled,
    gathering,
    inked,
    justified,
    keys,
    line,
    mended,
    paragraphs,
    plain_text,
    up_to_a_gap,
    width,
)  # fmt: skip

GOOD, QUIET, TEXT = Ink.GOOD, Ink.QUIET, Ink.TEXT


def test_neighbours_of_one_ink_are_joined_and_spaces_take_the_ink_before_them() -> None:
    assert line("a", "b", ("", GOOD), ("c", GOOD), "  ", ("d", GOOD), "e") == (
        Run("ab"), Run("c  d", GOOD), Run("e"),
    )  # fmt: skip
    assert line(" ", ("a", GOOD)) == (Run(" a", GOOD),) and line() == BLANK == ()
    assert line(("x", Ink.CURSOR), " ", ("y", GOOD)) == (Run("x", Ink.CURSOR), Run(" y", GOOD))
    assert line(("a\x1b", GOOD)) == (Run("a‹1B›", GOOD),)


def test_each_character_has_its_own_ink() -> None:
    assert inked("ab  cd", [0, 0, 1, 1, 1, 0], [GOOD, QUIET]) == (
        Run("ab", GOOD), Run("  c", QUIET), Run("d", GOOD),
    )  # fmt: skip
    assert inked(" ab", [1, 0, 1], [GOOD, QUIET]) == (Run(" ", TEXT), Run("a", GOOD), Run("b", QUIET))
    assert inked("a a", [0, 1, 0], [GOOD, QUIET]) == (Run("a a", GOOD),)
    assert inked("ab", [0, 1], [GOOD, GOOD]) == (Run("ab", GOOD),)


def test_lines_are_placed_by_their_width() -> None:
    one, other = line("漢a"), line(("b", GOOD))
    assert (width(one), plain_text(one)) == (3, "漢a")
    assert [plain_text(centred(one, columns)) for columns in (2, 4, 5, 8)] == ["漢a", "漢a", " 漢a", "  漢a"]
    assert [plain_text(justified(one, other, columns)) for columns in (8, 6)] == ["漢a    b", "漢a  b"]
    assert [plain_text(justified(line("abc de"), line("right"), columns)) for columns in (11, 7, 6, 3)] == [
        "abc…  right", "  right", "right", "ri…",
    ]  # fmt: skip
    assert [plain_text(each) for each in beside([[one, BLANK, one], [other], [other, other]], [5, 2, 1])] == [
        "漢a  b b", "       b", "漢a",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("one two three", 7, ["one two", " three"[1:]]),
        ("one two three", 8, ["one two", "three"]),
        ("ab\ncd\tef", 8, ["ab cd ef"]),
        ("abcdefghij k", 4, ["abcd", "efgh", "ij k"]),
        ("nim-1,3-reward-1000-1.npz k", 12, ["nim-1,3-", "reward-1000-", "1.npz k"]),  # after a hyphen, if it can be
        ("folder/file 12345678", 9, ["folder/", "file", "12345678"]),
        ("winning1,234", 9, ["winning", "1,234"]),  # not within a number
        ("1234567,890", 4, ["1234", "567,", "890"]),
        ("漢字漢字", 5, ["漢字", "漢字"]),
        ("", 5, []),
    ],
)
def test_a_text_is_broken_at_blanks(text: str, columns: int, lines: list[str]) -> None:
    assert filled(text, columns) == lines


def test_words_may_stay_whole_and_a_number_keeps_its_per_cent_sign() -> None:
    assert filled("a bcdefgh", 4, whole=True) == ["a", "bcdefgh"]
    found = paragraphs(["won 83.4 % of all", ""], 10, GOOD)
    assert [plain_text(each) for each in found] == ["won 83.4 %", "of all", ""]
    assert FIRM not in plain_text(found[0]) and found[0] == (Run("won 83.4 %", GOOD),)
    assert [(each.text, each.at, each.of, each.columns) for each in found] == [  # type: ignore[attr-defined]
        ("won 83.4 % of all", 0, 2, 10), ("won 83.4 % of all", 1, 2, 10), ("", 0, 1, 10),
    ]  # fmt: skip
    assert [plain_text(each) for each in paragraphs(["abcdefgh i"], 3)] == ["abcdefgh", "i"]  # 8 cells at least


def test_what_is_cut_ends_after_a_word_and_is_gathered_whole() -> None:
    with gathering(wholes := []):
        assert plain_text(cut(line("one two", (" three", GOOD)), 13)) == "one two three"
        assert cut(line("one two", (" three", GOOD)), 9) == (Run("one two …"),)
        assert clipped("one two three", 9) == "one two …" and clipped("one", 3) == "one"
        assert cut(line("ab"), 0) == BLANK and plain_text(cut(line("abc"), 2, "...")) == ""
    assert wholes == ["one two three", "one two three", "ab", "abc"]
    for text, places in (
        ("takes 1,234,567 matches", {21: 16, 15: 15, 14: 6, 6: 6, 5: 5, 3: 3}),
        ("1,234,567 x", {9: 9, 5: 0}),  # never within a number
        ("1,2,3,4,5,67", {12: 12, 11: 10, 9: 8, 3: 2}),  # a position, of rows …
        ("64463623211111", {14: 14, 9: 9}),  # … or moves
        ("abcdefgh", {5: 5, 1: 1, 0: 0}),
        ("won it all, then lost", {18: 12, 14: 12, 6: 6}),  # rather at the end of a clause
    ):
        assert {room: up_to_a_gap(text, room) for room in places} == places


def test_a_wrapped_text_that_breaks_off_ends_with_a_clause() -> None:
    lines = paragraphs(["It won, and it took very long to do so at last", "next"], 14)
    with gathering(wholes := []):
        assert [plain_text(each) for each in mended(lines, 2)] == ["It won …"]
        assert mended(lines, len(lines)) == lines
        assert [plain_text(each) for each in mended(paragraphs(["one two three four"], 8), 1)] == ["one two…"]
    assert wholes == ["next", "It won, and it took very long to do so at last", "one two three four"]


def test_texts_of_different_targets_stay_apart() -> None:
    one, other = (aimed((Run("a"), Run(" ")), target) for target in (1, 2))
    assert line(*one, *one, *other, "b") == (Run("a a ", target=1), Run("a ", target=2), Run("b"))


def test_every_other_part_is_a_key() -> None:
    assert keys("press ", "u", " to undo") == [Run("press ", QUIET), Run("u", Ink.KEY), Run(" to undo", QUIET)]


def test_a_bar_counts_each_phase_from_its_start() -> None:
    bar = ProgressBar(("{task.description}",), disable=True)
    bar.show(1, 0, "solving")
    assert [(task.completed, task.total, task.description) for task in bar.rich.tasks] == [(1, None, "solving")]
    bar.show(2, 4, "solving")
    assert [(task.completed, task.total, task.description) for task in bar.rich.tasks] == [(2, 4, "solving")]
    bar.show(3, 0, "playing")
    [task] = bar.rich.tasks
    assert (task.completed, task.total, task.description, task.speed) == (3, None, "playing", None)
    bar.close()


@pytest.mark.parametrize("columns", [-1, 0, 1])
def test_text_without_room_keeps_a_sign_in_each_line(columns: int) -> None:
    assert filled("ab 語", columns) == ["a", "b", "語"]
