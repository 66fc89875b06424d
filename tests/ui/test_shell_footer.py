"""The line at the bottom: which keys are named where there is too little room for all."""

from __future__ import annotations

from dataclasses import replace

from nimtui.ui.kit.widgets.bars import Hint, fitting


def hints_of(*lines: str) -> list[Hint]:
    """Footer entries from 'key word action' each; the word may be left out."""
    return [Hint(((key, key),), word, action=action) for key, word, action in (line.split(" ") for line in lines)]


def test_of_too_many_keys_words_go_first_then_the_least_useful() -> None:
    shown = [
        Hint((("↑", "up"), ("↓", "down")), "row", action="step"),
        *hints_of("u undo undo", "h hint hint", "w why why", "F1 Help help", "^p Commands command_palette"),
    ]

    def at(width: int) -> str:
        return "  ".join("".join(key for key, _ in hint.keys) + f" {hint.label}" for hint in fitting(shown, width))

    assert fitting(shown, 80) == shown
    assert at(51) == "↑↓   u undo  h hint  w why  F1 Help  ^p Commands"
    assert at(46) == "↑↓   u undo  h hint  w why  F1   ^p Commands"
    assert at(38) == "↑↓   h hint  w why  F1   ^p Commands"
    assert at(18) == "F1   ^p Commands"
    assert at(14) == "^p Commands"
    assert at(5) == "^p "
    assert at(3) == ""


def test_the_palette_keeps_its_label_before_any_key_is_kept() -> None:
    many = hints_of(*(f"{key} word{key} do{key}" for key in "abcdefghijklmno"), "^p Commands command_palette")
    for width in (13, 40, 60, 80, 100):
        found = fitting(many, width)
        assert found[-1].label == "Commands" and sum(hint.width for hint in found) <= width
    assert [hint.label for hint in fitting(many, 12)] == [""]


def test_what_a_screen_can_spare_goes_before_words() -> None:
    shown = hints_of("⏎ open open", "s sort sort", "e export export", "F1 Help help", "^p Commands command_palette")
    shown[1:3] = [replace(shown[1], spare=2), replace(shown[2], spare=1)]
    assert [hint.label for hint in fitting(shown, 40)] == ["open", "sort", "Help", "Commands"]
    assert [hint.label for hint in fitting(shown, 31)] == ["open", "Help", "Commands"]
    assert [hint.label for hint in fitting(shown, 25)] == ["open", "", "Commands"]


def test_what_cannot_be_done_now_goes_before_what_can() -> None:
    shown = hints_of("l learn learn", "h hint hint", "F1 Help help")
    assert [hint.label for hint in fitting([replace(shown[0], enabled=False), *shown[1:]], 13)] == ["hint", ""]


def test_keys_of_a_group_are_apart_if_one_is_a_word() -> None:
    arrows, names = (("↑", "up"), ("↓", "down")), (("up", "up"), ("down", "down"))
    assert (Hint(arrows, "row").between, Hint(arrows, "row").width) == ("", len("↑↓ row  "))
    assert (Hint(names, "row").between, Hint(names, "row").width) == ("/", len("up/down row  "))
