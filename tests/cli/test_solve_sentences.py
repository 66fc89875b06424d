"""Every line that `nimtui solve` prints is taken apart, and a brute force over the game answers for its parts."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from nimtui.cli.solve import solve
from nimtui.games import base
from nimtui.games.base import State
from nimtui.report import cells
from nimtui.theory import plain
from tests.patterns import Patterns, check
from tests.theory.force import Force, is_true, runs
from tests.theory.test_plain_sentences import check_ending
from tests.theory.test_sentences import REASONS, counts, excluded
from tests.theory.test_sentences import check as check_reasons

GAMES = ["nim:3,4,2", "nim:2,3,1:misere", "nim:5,4:max=3", "nim:1:misere", "nim:1", "subtraction:11,3:misere",
         "kayles:1,4", "kayles:2,4:misere", "adjacent:2,3:max=1", "chomp:3x3", "noughts:3x3x3", "connect:3x3x3",
         "connect:4x3x3"]  # fmt: skip
WORDS = {"win": 1, "draw": 0, "loss": -1}


class Asked:
    """A position, and brute force."""

    def __init__(self, force: Force, state: State) -> None:
        self.force, self.state, self.game = force, state, force.game
        self.over = int(base.outcome(state)) != base.GOING_ON
        self.sign, self.plies = force.value(state)
        self.bits: list[int] = []  # what the heads of the binary columns are worth
        self.columns: list[str] = []

    def worth(self, name: str) -> tuple[int, int]:
        """The sign for the player to move, and the plies from here, of a move."""
        sign, plies = self.force.value(self.force.after(self.state, self.game.parse_move(name, self.state)))
        return -sign, plies + 1


def place(asked: Asked, name: str) -> None:
    assert name == (asked.game.position_name(asked.state) or "the start")


def outcome(asked: Asked, word: str, grundy: str | None) -> None:
    assert WORDS[word] == asked.sign
    assert grundy is None or int(grundy) == excluded(asked.force, asked.state)
    assert bool(grundy) == (asked.game.board_kind in ("rows", "runs") and not asked.force.misere)


def remoteness(asked: Asked, plies: str, unit: str) -> None:
    assert asked.sign and not asked.over and int(plies) == asked.plies and (unit == "ply") == (plies == "1")


def best(asked: Asked, names: str) -> None:
    assert names.split() == [
        name
        for name in (asked.game.move_name(move, asked.state) for move in base.legal_moves(asked.state))
        if name in asked.force.keeping(asked.state)
    ]
    assert asked.sign >= 0


def heads(asked: Asked, text: str) -> None:
    asked.bits = list(map(int, text.split()))
    assert asked.bits == [1 << bit for bit in reversed(range(len(asked.bits)))]


def counted(asked: Asked, digits: str) -> int:
    """A number in binary, a digit under each head."""
    return sum(bit * int(digit) for bit, digit in zip(asked.bits, digits.split(), strict=True))


def row(asked: Asked, label: str, held: str, value: str | None, digits: str | None) -> None:
    at = ord(label) - ord("A")
    lengths = runs(asked.game, asked.state)[at]
    assert [int(one) for one in held.split("+")] == (lengths or [0])
    if digits is not None:
        number = counted(asked, digits)
        total = 0
        for one in counts(asked.force, asked.state)[at]:
            total ^= one
        assert number == total == int(value or held)


def summed(asked: Asked, digits: str) -> None:
    total = 0
    for one in (one for line in counts(asked.force, asked.state) for one in line):
        total ^= one
    assert counted(asked, digits) == total and (asked.force.misere or (total > 0) == (asked.sign > 0))


def score_row(asked: Asked, text: str) -> None:
    """+n: the winner then has n − 1 discs left of their half of the cells."""
    cells = [cell for line in asked.game.cells(asked.state) or () for cell in line]
    played = len(cells) - cells.count(0)
    for name, score in zip(asked.columns, text.split(), strict=True):
        sign, plies = asked.worth(name)
        number = int(score.replace("−", "-"))
        assert (number > 0) - (number < 0) == sign
        winner = (played + plies - 1) % 2  # 0: the first player makes the last move
        discs = (played + plies + 1 - winner) // 2
        assert not sign or abs(number) - 1 == (len(cells) + 1 - winner) // 2 - discs


def column_row(asked: Asked, text: str) -> None:
    asked.columns = text.split()
    assert asked.columns == [asked.game.move_name(move, asked.state) for move in base.legal_moves(asked.state)]


DIGITS = r"(?: +([01](?: [01])*))?"
LINES: Patterns = {
    r"position +(.+)": place,
    r"outcome +(win|draw|loss) for the player to move(?:, Grundy value (\d+))?": outcome,
    r"remoteness +(\d+) (ply|plies)": remoteness,
    r"best moves +none, the game is over": lambda asked: is_true(asked.over),
    r"best moves +none: every move loses against perfect play": lambda asked: is_true(
        asked.sign < 0 and not asked.over
    ),
    r"best moves +(.+)": best,
    r"(1|[\d ]+ 1)": heads,
    rf"([A-Z]) +([\d+]+)(?: → (\d+))?{DIGITS}": row,
    r"sum +([01](?: [01])*)": summed,
    r"odd[ ▲]+": lambda asked: None,  # where: `mark` below
    r"column +(.+)": column_row,
    r"score +(.+)": score_row,
    r"\+n: wins with n − 1 discs to spare\. −n: loses, the opponent having n − 1 to spare\. 0: draw\.": (
        lambda asked: is_true(bool(asked.columns))
    ),
}


def mark(asked: Asked, lines: list[str]) -> None:
    """The triangles stand below the columns whose number of ones is odd, those of the sum."""
    for line, below in pairwise(lines):
        if line.startswith("sum"):
            ones = [at for at, sign in enumerate(line) if sign == "1" and at > 3]
            assert ones == [at for at, sign in enumerate(below) if sign == "▲"]


@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_a_solved_position_is_true(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cells, "LINE", 1000)
    force = Force(name)
    for state in list(force.positions(12))[:40]:
        asked, given = Asked(force, state), force.game.position_name(state)
        solve(force.game.name, given or None)
        title, *printed = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
        assert title == f"{force.game.title}  ({force.game.name})"
        words = "" if asked.over else " ".join(plain.explained(force.game, state).sentences())
        assert asked.over or words in printed, "plain words, which tests/theory hold"
        mark(asked, printed)
        for line in printed:
            if line == words:
                continue
            if re.match("Best play|Column|In the end", line):
                check_ending(force, state, line)
            elif re.fullmatch(r"(?!\+n|position).+\.", line):
                check_reasons(line, REASONS, force, state)
            else:
                check(line.strip(), LINES, asked)
        told = {line.partition(" ")[0] for line in printed}
        assert told >= {"position", "outcome", "best"} and ("remoteness" in told) == bool(asked.sign and not asked.over)
