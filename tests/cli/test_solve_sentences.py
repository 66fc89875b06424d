"""Every line of `nimtui solve`, and of `why`, `hint` and `review` in plain mode, is taken apart by brute force."""

from __future__ import annotations

import random
import re
from functools import reduce
from itertools import pairwise
from operator import xor

import pytest

from nimtui.arena.review.review import story
from nimtui.cli import output
from nimtui.cli.plain import commands, lines
from nimtui.cli.solve import solve
from nimtui.games import base
from nimtui.games.base import State
from nimtui.playing.sentences import reviewed
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.report import cells
from nimtui.theory import plain
from tests.examples import examples, few
from tests.patterns import Patterns, check, real, same
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

    @property
    def moves(self) -> list[str]:
        return [self.game.move_name(move, self.state) for move in base.legal_moves(self.state)]

    @property
    def sum(self) -> int:
        return reduce(xor, (one for row in counts(self.force, self.state) for one in row), 0)


def outcome(asked: Asked, word: str, grundy: str | None) -> None:
    assert WORDS[word] == asked.sign
    assert grundy is None or int(grundy) == excluded(asked.force, asked.state)
    assert bool(grundy) == (asked.game.board_kind in ("rows", "runs") and not asked.force.misere)


def remoteness(asked: Asked, plies: str, unit: str) -> None:
    assert asked.sign and not asked.over and int(plies) == asked.plies and (unit == "ply") == (plies == "1")


def best(asked: Asked, names: str) -> None:
    assert asked.sign >= 0
    assert names.split() == [name for name in asked.moves if name in asked.force.keeping(asked.state)]


def heads(asked: Asked, text: str) -> None:
    asked.bits = list(map(int, text.split()))
    assert asked.bits == [1 << bit for bit in reversed(range(len(asked.bits)))]


def counted(asked: Asked, digits: str) -> int:
    """A number in binary, a digit under each head."""
    return sum(bit * int(digit) for bit, digit in zip(asked.bits, digits.split(), strict=True))


def row(asked: Asked, label: str, held: str, value: str | None, digits: str | None) -> None:
    at = ord(label) - ord("A")
    assert [int(one) for one in held.split("+")] == (runs(asked.game, asked.state)[at] or [0])
    if digits is not None:
        worth = reduce(xor, counts(asked.force, asked.state)[at], 0)
        assert counted(asked, digits) == worth == int(value or held)


def summed(asked: Asked, digits: str) -> None:
    assert counted(asked, digits) == asked.sum and (asked.force.misere or (asked.sum > 0) == (asked.sign > 0))


def column_row(asked: Asked, text: str) -> None:
    asked.columns = text.split()
    assert asked.columns == asked.moves


def score_row(asked: Asked, text: str) -> None:
    """+n: the winner then has n − 1 discs left of their half of the cells."""
    flat = [cell for line in asked.game.cells(asked.state) or () for cell in line]
    played = len(flat) - flat.count(0)
    worth = dict(zip(asked.moves, asked.force.worth(asked.state).values(), strict=True))
    for name, score in zip(asked.columns, text.split(), strict=True):
        (sign, plies), number = worth[name], int(real(score))
        assert (number > 0) - (number < 0) == sign
        winner = (played + plies - 1) % 2  # 0: the first player makes the last move
        discs = (played + plies + 1 - winner) // 2
        assert not sign or abs(number) - 1 == (len(flat) + 1 - winner) // 2 - discs


DIGITS = r"(?: +([01](?: [01])*))?"
LINES: Patterns = {
    r"position +(.+)": lambda asked, name: same(name, asked.game.position_name(asked.state) or "the start"),
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


def mark(lines: list[str]) -> None:
    """The triangles stand below the columns whose number of ones is odd, those of the sum."""
    for line, below in pairwise(lines):
        if line.startswith("sum"):
            ones = [at for at, sign in enumerate(line) if sign == "1" and at > 3]
            assert ones == [at for at, sign in enumerate(below) if sign == "▲"]


# What plain mode says instead of the table.


def said_row(
    asked: Asked, label: str, number: str, unit: str, lengths: str | None, value: str | None, digits: str
) -> None:
    number = number.replace("no", "0")
    held = lengths.split(", ") if lengths else [number]
    assert (
        sum(map(int, held)) == int(number) and (unit == "match") == (number == "1") and bool(lengths) == (len(held) > 1)
    )
    asked.bits = [1 << bit for bit in reversed(range(len(digits)))]
    row(asked, label, "+".join(held), value or number, " ".join(digits))


def said_sum(asked: Asked, total: str, digits: str, odd: str | None) -> None:
    summed(asked, " ".join(digits))
    assert int(total) == asked.sum == sum(map(int, odd.split(", ") if odd else []))


def said_scores(asked: Asked, text: str) -> None:
    found = dict(part.removeprefix("column ").split() for part in text.split(", "))
    column_row(asked, " ".join(found))
    score_row(asked, " ".join(found.values()))


WHY: Patterns = {
    r"([A-Z]): (\d+|no) (match|matches)(?: in runs of ([\d, ]+))?(?:, value (\d+))?, binary ([01]+)\.": said_row,
    r"Nim-sum: (\d+), binary ([01]+)\.(?: Odd columns: ([\d, ]+)\.)?": said_sum,
    r"Scores: (.+)\.": said_scores,
}
TERMS: Patterns = {
    r"The game is over: no term is needed to explain it\.": lambda asked: is_true(asked.over),
    r"([\w -]+): (.+)": lambda asked, term, meaning: is_true(not asked.over),  # what they mean: tests/theory
}


def judged(force: Force, session: Session, ply: str, who: str, name: str, mistake: str | None, verdict: str) -> None:
    at, word = int(ply) - 1, {1: "win", 0: "draw", -1: "loss"}
    assert who == ("first", "second")[at % 2]
    assert name == session.game.move_name(session.record.moves[at], session.record.state_at(at))
    before, after = force.value(session.record.state_at(at))[0], -force.value(session.record.state_at(at + 1))[0]
    assert bool(mistake) == (after < before)
    kept = "was lost anyway" if before < 0 else f"keeps the {word[before]}"
    assert verdict == (f"{word[before]} → {word[after]}" if mistake else kept)


REVIEW: Patterns = {r"Move (\d+), (.+?), (\S+): (mistake, )?(.+)\.": judged}


def told_of(asked: Asked, printed: list[str], patterns: Patterns) -> set[str]:
    """Check lines, and return the forms; the reasons are those that tests/theory takes apart, too."""
    force, state, told = asked.force, asked.state, set[str]()
    words = "" if asked.over else " ".join(plain.explained(asked.game, state).sentences())
    for line in filter(None, printed):
        if line == words:
            told.add("plain words")
        elif any(re.fullmatch(pattern, line) for pattern in patterns):
            told.add(check(line, patterns, asked))
        else:
            reason, *end = re.split(r"(?:^|(?<=\.) )(?=Best play|Column \w+ completes|In the end)", line, maxsplit=1)
            if reason:
                check_reasons(reason, REASONS, force, state)
            for ending in end:
                check_ending(force, state, ending)
    return told


def test_every_line_of_a_solved_position_is_true_printed_and_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said, told, verdicts, chance = list[str](), set[str](), set[str](), random.Random(1)
    monkeypatch.setattr(cells, "LINE", 1000)
    monkeypatch.setattr(lines, "PATIENCE", 1e6)
    monkeypatch.setattr(output, "paragraph", lambda text, to=None: said.append(text))
    for name in GAMES * examples(1):
        force, dialogue = Force(name), lines.Dialogue(1)
        dialogue.start(PlaySetup(name, None, ("me", "me"), 1))
        for _ in few(range(9), range(99)):
            state = base.copy(dialogue.session.state)
            asked = Asked(force, state)
            solve(name, force.game.position_name(state) or None)
            title, *printed = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
            assert title == f"{force.game.title}  ({force.game.name})"
            mark(printed)
            told |= (forms := told_of(asked, [line.strip() for line in printed], LINES))
            heads_of = {line.partition(" ")[0] for line in printed}
            assert heads_of >= {"position", "outcome", "best"} and ("plain words" in forms) != asked.over
            assert ("remoteness" in heads_of) == bool(asked.sign and not asked.over)
            for command, patterns in {"why": WHY, "why terms": TERMS, **({} if asked.over else {"hint": {}})}.items():
                said.clear()
                commands.obey(dialogue, command)
                told |= told_of(asked, said, patterns)
            if asked.over:
                break
            commands.obey(dialogue, f"move {chance.choice(asked.moves)}")
        said.clear()
        commands.obey(dialogue, "review")
        session, [*judgements, last] = dialogue.session, said
        assert len(judgements) == session.record.ply
        assert last == " ".join(story(reviewed(session, session.judgements)))  # true: tests/arena/test_review.py
        assert {check(text, REVIEW, force, session) for text in judgements} == {*REVIEW}
        verdicts |= {text.rpartition(": ")[2] for text in judgements}
    assert verdicts >= {"keeps the win.", "was lost anyway.", "mistake, win → loss.", "keeps the draw."}
    assert told == {*LINES, *WHY, *TERMS, "plain words"}
