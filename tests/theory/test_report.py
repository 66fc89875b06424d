"""What `solve` and `sequence` print of small games, to the letter; the numbers are counted by hand."""

from __future__ import annotations

import pytest

from nimtui.games import parse_game
from nimtui.games.place import Place
from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.theory import connect, report, sequence_report
from nimtui.theory.answers import MoveValue, answer
from nimtui.theory.sequence import of_set, sequence
from nimtui.theory.verdict import Outcome


def solved(name: str, position: str | None, words: str) -> Report:
    game = parse_game(name)
    state = game.new(position)
    end = connect.ending(game, state) if name.startswith("connect") else None
    return report.solved(Place(game, state, position), answer(game, state), end, words)


def lines(solution: Report) -> list[str]:
    return [plain_text(line).rstrip() for line in cells(solution)]


@pytest.mark.parametrize(
    ("name", "position", "words", "after_the_title"),
    [
        (
            "nim:3,4,2",
            "3,0,2",
            "Words.",
            """
            |position    3,0,2
            |outcome     win for the player to move, Grundy value 1
            |remoteness  5 plies
            |best moves  a1
            |
            |Words.
            |
            |        4 2 1
            |A   3   0 1 1
            |B   0   0 0 0
            |C   2   0 1 0
            |sum     0 0 1
            |odd         ▲
            |N-position: player to move wins.
            |a1 makes every binary column even.
            """,
        ),
        (
            "nim:1,1",
            None,
            "",
            """
            |position    1,1
            |outcome     loss for the player to move, Grundy value 0
            |remoteness  2 plies
            |best moves  none: every move loses against perfect play
            |
            |        1
            |A   1   1
            |B   1   1
            |sum     0
            |P-position: player to move loses.
            |Every binary column is even. Any move makes one odd, and the reply evens it.
            """,
        ),
        (
            "connect:3x2x3",
            "1122",
            "Words.",
            """
            |position    1122  (= 2211)
            |outcome     win for the player to move
            |remoteness  1 ply
            |best moves  3
            |
            |Words.
            |
            |column    3
            |score    +1
            |
            |+n: wins with n − 1 discs to spare. −n: loses, the opponent having n − 1 to
            |spare. 0: draw.
            |
            |Column 3 completes a line.
            """,
        ),
        (
            "noughts:3x2x3",
            None,
            "Words.",
            """
            |position    .../...
            |outcome     draw for the player to move
            |best moves  a1 a2 a3 b1 b2 b3
            |
            |Words.
            |
            |Drawn position with best play.
            |Solved position by position.
            |Holds the draw: a1, a2, a3, b1, b2 or b3.
            """,
        ),
    ],
)
def test_a_solved_position_in_print(name: str, position: str | None, words: str, after_the_title: str) -> None:
    expected = [line.strip().removeprefix("|") for line in after_the_title.strip("\n ").splitlines()]
    printed = lines(solved(name, position, words))
    assert printed[0].endswith(f"({name})") and printed[1:] == expected


@pytest.mark.parametrize(
    ("name", "position", "words", "facts"),
    [
        ("nim:3,4,2", "3,0,2", "Words.", ("3,0,2", "win", 5, 1, ["a1"])),
        ("nim:1,1", "1,1", "", ("1,1", "loss", 2, 0, ["a1", "b1"])),
        ("noughts:3x2x3", ".../...", "Words.", (".../...", "draw", None, None, ["a1", "a2", "a3", "b1", "b2", "b3"])),
    ],
)
def test_a_solved_position_as_a_document(name: str, position: str, words: str, facts: tuple[object, ...]) -> None:
    names = ("canonical", "outcome", "remoteness", "grundy", "best_moves")
    expected = {"game": name, "position": position, **dict(zip(names, facts, strict=True)), "plain": words}
    assert document(solved(name, position, words)) == expected


@pytest.mark.parametrize(
    ("name", "position", "score", "scores", "line", "ending"),
    [
        ("connect:3x2x3", "1122", 1, {"3": 1}, ("3",), "at once"),
        ("connect:3x2x2", "", 2, {"1": 2, "2": 2, "3": 2}, ("1", "1", "2"), "double threat"),
    ],
)
def test_scores_of_a_connect_position_in_its_document(
    name: str, position: str, score: int, scores: dict[str, int], line: tuple[str, ...], ending: str
) -> None:
    facts = document(solved(name, position, "Words."))
    assert (facts["score"], facts["scores"], facts["line"], facts["ending"]) == (score, scores, line, ending)
    assert facts["grundy"] is None and facts["remoteness"] == len(line) and facts["outcome"] == "win"


def test_a_sequence_in_print_and_as_a_document() -> None:
    kayles = sequence_report.Row(sequence(parse_game("kayles:5"), 5), "Kayles", "matches", "kayles:5")
    assert lines(sequence_report.listed(kayles, 5)) == [
        "Kayles",
        "matches   value   outcome   Grundy",
        "      0      −1         P        0",
        "      1      +1         N        1",
        "      2      +1         N        2",
        "      3      +1         N        3",
        "      4      +1         N        1",
        "      5      +1         N        4",
        "",
        "lost for the player to move: 0",
        "The values up to 5 prove no period of the Grundy values.",
    ]
    assert document(sequence_report.listed(kayles, 5)) == {
        "game": "kayles:5",
        "set": None,
        "to": 5,
        "values": (-1, 1, 1, 1, 1, 1),
        "outcomes": ["P", "N", "N", "N", "N", "N"],
        "grundy": (0, 1, 2, 3, 1, 4),
        "period": None,
    }
    assert sequence_report.one_line(kayles.sequence) == "0 1 2 3 1 4"


def test_a_set_in_misere_play_has_outcomes_only() -> None:
    row = sequence_report.Row(of_set([2], True, 4), "Set", "n", None, [2])  # 0 and 1 have no move, so they are won
    assert lines(sequence_report.listed(row, 4))[1:] == [
        "n   value   outcome   Grundy",
        "0      +1         N        –",
        "1      +1         N        –",
        "2      −1         P        –",
        "3      −1         P        –",
        "4      +1         N        –",
        "",
        "lost for the player to move: 2, 3",
        "The values up to 4 prove no period of the outcomes.",
    ]
    keys = document(sequence_report.listed(row, 4))
    assert (keys["game"], keys["set"], keys["grundy"], keys["values"]) == (None, [2], None, (1, 1, -1, -1, 1))
    assert sequence_report.one_line(row.sequence) == "N N P P N"


@pytest.mark.parametrize(
    ("value", "text", "whole"),
    [
        (1_000_000 - 5, "wins in 5", "wins in 5 plies"),
        (-(1_000_000 - 1), "loses in 1", "loses in 1 ply"),
        (-2, "−2", "−2"),
        (0, "0", "0"),
    ],
)
def test_a_decided_value_is_a_count_of_plies(value: int, text: str, whole: str) -> None:
    decided = report.Decided(value)
    assert (decided.text, decided.whole) == (text, whole)
    assert report.bounded(decided, "upper").text == f"≤ {text}" and report.bounded(decided, "lower").text == f"≥ {text}"
    assert report.bounded(decided, "exact").text == report.bounded(decided, None).text == text


def test_the_exact_value_beside_a_move() -> None:
    win, loss = MoveValue(0, Outcome.WIN, True, 7), MoveValue(1, Outcome.LOSS, False, 2)
    draw = MoveValue(2, Outcome.DRAW, True, None)
    assert [report.truth(move).text for move in (win, loss)] == ["wins in 7", "loses in 2"]
    assert report.truth(draw).text == "draws" and report.truth(None).text not in ("wins", "loses", "draws")
    assert report.truth_keys(win) == {"optimal": True, "outcome": "win", "remoteness": 7}
    assert report.truth_keys(None) == {"optimal": None, "outcome": None, "remoteness": None}
    assert [report.verdict(move, {0: win, 1: loss}) for move in (win, loss, None)] == ["best", "mistake", "unknown"]
    assert report.verdict(win, {0: win, 2: draw}) == "all equal" and report.verdict(win, None) == "unknown"
