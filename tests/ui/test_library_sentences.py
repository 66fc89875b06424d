"""What the Library and a lesson say of saved games and taught tables: each fact counted again."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.arena.review.review import review
from nimtui.arena.review.review_text import Reviewed, story
from nimtui.games import Record, base, parse_game
from nimtui.games.base import State
from nimtui.learning import interpreted
from nimtui.learning.learner import parse_learner
from nimtui.learning.lesson_effect import Preview
from nimtui.learning.table import Table
from nimtui.learning.taught import Lesson, keep
from nimtui.playing import teaching
from nimtui.playing.session import Learned
from nimtui.report.blocks import Figures, Sentence
from nimtui.report.blocks import Table as Rows
from nimtui.report.cells import table_lines
from nimtui.report.lines import plain_text
from nimtui.store import tournaments
from nimtui.store.database import Database
from nimtui.store.rows import GameRow
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.kit.widgets.panel import of_report
from nimtui.ui.library.details import Details, details
from nimtui.ui.library.shelf import Item, Kind
from nimtui.ui.play import lesson, view
from tests.patterns import Patterns, check, real, same
from tests.theory.force import Force, is_true

GAMES = ["nim:3,2,1", "nim:2,3:misere", "kayles:4", "subtraction:9,3", "chomp:2x3", "noughts:2x3x2", "connect:3x2x3"]
PAIRS = [("me", "perfect"), ("random", "mc:playouts=5"), ("random", "random"), ("mc:playouts=5", "mc:playouts=9")]


class Saved:
    """A random game of two agents, as a tournament keeps it."""

    def __init__(self, force: Force, chance: random.Random, agents: tuple[str, str]) -> None:
        self.force, self.agents = force, agents
        self.opener, self.opening = chance.randrange(2), chance.choice([0, 0, 1, 2])
        self.record, most = Record(force.game), chance.choice([99, 99, 99, 3])
        self.states: list[State] = [force.game.new()]
        while not self.record.over and self.record.ply < most:
            self.record.push(chance.choice(base.legal_moves(self.record.state)))
            self.states.append(base.copy(self.record.state))
        self.opening = min(self.opening, self.record.ply - 1)
        self.chances, self.mistakes = [0, 0], [0, 0]
        for ply in range(self.opening, self.record.ply):
            before, after = force.value(self.states[ply])[0], -force.value(self.states[ply + 1])[0]
            self.chances[self.player(ply)] += before >= 0
            self.mistakes[self.player(ply)] += after < before
        end = int(base.outcome(self.states[-1]))
        value = {base.WON: 1, base.LOST: -1}.get(end, 0)  # of the player of the last move
        self.result = value if self.player(self.record.ply - 1) == 0 else -value
        self.over = end != base.GOING_ON

    def player(self, ply: int) -> int:
        """Whose move this is: the opener's is the first after the opening."""
        return self.opener ^ (ply - self.opening) % 2

    def names(self) -> list[str]:
        return [self.force.game.move_name(move, self.states[ply]) for ply, move in enumerate(self.record.moves)]

    def row(self) -> GameRow:
        data = b"".join(int(move).to_bytes(2, "little") for move in self.record.moves)
        (one, two), (wrong, other) = self.chances, self.mistakes
        return GameRow(0, self.opener, self.opening, data, self.result, (0, 0), (one, two), (wrong, other), "", 0.0)


def first(saved: Saved, name: str) -> None:
    assert name == saved.agents[saved.player(saved.opening)]


def second(saved: Saved, name: str) -> None:
    assert name == saved.agents[1 - saved.player(saved.opening)]


def mistakes(saved: Saved, *said: str) -> None:
    """In the order of the seats, as the lines above name the players."""
    for player, (wrong, of) in zip((saved.opener, 1 - saved.opener), (said[:2], said[2:]), strict=True):
        assert (int(wrong), int(of)) == (saved.mistakes[player], saved.chances[player])


def players(saved: Saved, one: str, other: str) -> None:
    first(saved, one)
    second(saved, other)


def wins(saved: Saved, name: str, order: str) -> None:
    """The name and the seat tell who won."""
    assert saved.result
    winner = 0 if saved.result > 0 else 1
    assert name == saved.agents[winner]
    assert order == ("first" if winner == saved.player(saved.opening) else "second")


def plies(saved: Saved, number: str, opening: str | None) -> None:
    assert (int(number), int(opening or 0)) == (saved.record.ply, saved.opening)


SENTENCES: Patterns = {
    r"(\S+) moves first, (\S+) second": players,
    r"(\S+) won, moving (first|second)": wins,
    r"a draw": lambda saved: is_true(saved.over and not saved.result),
    r"unfinished": lambda saved: is_true(not saved.over),
    r"(\d+) pl(?:y|ies)(?:, (\d+) of them the opening)?": plies,
    r"mistakes: .+: first (\d+) of (\d+), second (\d+) of (\d+)": mistakes,
    r"mistakes: .+: first (–), second (\d+) of (\d+)": lambda saved, _, *said: mistakes(saved, "0", "0", *said),
    r"mistakes: .+: first (\d+) of (\d+), second –": lambda saved, *said: mistakes(saved, *said, "0", "0"),
}


@pytest.mark.slow
def test_every_sentence_about_a_saved_game_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.theory.answers.BRIEFLY", 1e6)  # on a busy machine, too
    told, db = set[str](), Database()
    for game in GAMES:
        force, chance = Force(game), random.Random(game)
        for agents in PAIRS * 4:
            saved = Saved(force, chance, agents)
            review(saved.record)  # compiles what the Library waits for only briefly
            id = tournaments.save_game(db, force.game.name, *agents, saved.row())
            item = Item(Kind.GAME, id, "", "", 0.0, saved.record.ply)
            end, moves, decided, *others = sentences(details(item, lambda: db))
            assert moves.split() == saved.names()
            check_decided(saved, decided)
            told |= {check(text, SENTENCES, saved) for text in (end, *others) if not text.startswith("game ")}
            assert any(text.startswith("mistakes") for text in others) == any(saved.chances)
    db.close()
    assert told >= set(SENTENCES)


def sentences(found: Details) -> list[str]:
    return [block.text for block in found.report.blocks if isinstance(block, Sentence)]


def rows_of(found: Details) -> list[dict[str, str]]:
    """The rows of the table, each as texts by the heads of the columns."""
    [table] = [block for block in found.report.blocks if isinstance(block, Rows)]
    columns = [column for column in table.columns if column.head]
    return [{column.head or "": column.value(row).text for column in columns} for row in table.rows]


def check_decided(saved: Saved, said: str) -> None:
    """The story is that of the review, whose sentences tests/arena take apart, with the players' names."""
    seats = [saved.agents[saved.player(ply)] for ply in (0, 1)]
    if seats[0] == seats[1]:
        order = ["first", "second"][:: -1 if saved.opening % 2 else 1]
        names = [f"the {at} {name}" for at, name in zip(order, seats, strict=True)]
    else:
        names = ["you" if name == "me" else name for name in seats]
    both = (names[0], names[1])
    assert said == " ".join(story(Reviewed(saved.record, review(saved.record), lambda ply: both, saved.opening)))


# Lessons.


class Taught:
    """A table before and after a lesson, judged by brute force."""

    def __init__(self, force: Force, before: Table, record: Record, weight: int) -> None:
        self.force, self.record, self.weight = force, record, weight
        self.before, self.after = before, before.copy()
        for _ in range(weight):
            self.after.learn(record)
        self.states = self.positions()

    def positions(self) -> list[State]:
        """All positions that are not over, each once."""
        found, todo = dict[bytes, State](), [self.force.game.new()]
        while todo:
            state = todo.pop()
            if state.board.tobytes() not in found and int(base.outcome(state)) == base.GOING_ON:
                found[state.board.tobytes()] = state
                todo += [self.force.after(state, move) for move in base.legal_moves(state)]
        return list(found.values())

    def best(self, table: Table, state: State) -> set[str]:
        scores = table.scores(state)
        return {self.force.game.move_name(move, state) for move in scores if scores[move] == max(scores.values())}

    def verdict(self, table: Table, state: State) -> str:
        if self.force.value(state)[0] < 0:
            return "lost"
        best, keeping = self.best(table, state), self.force.keeping(state)
        return "right" if best <= keeping else "undecided" if best & keeping else "wrong"

    def accuracy(self, table: Table) -> float:
        some = [state for state in self.states if self.force.value(state)[0] >= 0]
        shares = [len(best & self.force.keeping(state)) / len(best) for state in some
                  for best in [self.best(table, state)]]  # fmt: skip
        return sum(shares) / len(shares)

    @property
    def became(self) -> dict[str, set[str]]:
        """The positions of the whole game whose best moves changed, by the new verdict."""
        found = dict[str, set[str]]()
        for state in self.states:
            if self.best(self.before, state) != self.best(self.after, state):
                name = self.force.game.position_name(state) or "the start"
                found.setdefault(self.verdict(self.after, state), set()).add(name)
        return found

    @property
    def relearned(self) -> int:
        """The positions of the game whose best moves changed."""
        seen = {state.board.tobytes(): state for state in map(self.record.state_at, range(self.record.ply))}
        return sum(self.best(self.before, state) != self.best(self.after, state) for state in seen.values())


def effect(taught: Taught, weight: str, number: str, unit: str, before: str, after: str) -> None:
    """The preview counts the best moves that change as the sentence after the lesson does."""
    assert int(real(weight)) == taught.weight
    assert sum(map(len, taught.became.values())) == int(number.replace("no", "0")) == taught.relearned
    assert (unit == "position") == (number == "1")
    for said, table in ((before, taught.before), (after, taught.after)):
        assert abs(real(said) - 100 * taught.accuracy(table)) <= 0.00501


def changed(taught: Taught, number: str, unit: str) -> None:
    assert int(number.replace("no", "0")) == taught.relearned and (unit == "position") == (number in ("1", "no"))


def became(taught: Taught, parts: str) -> None:
    found = {word: set(re.split("  +", names)) for word, names in re.findall(r"[◉╳◎·] (\w+): (.+?)(?: {3}|$)", parts)}
    assert found == taught.became


def score_line(taught: Taught, name: str, move: str, old: str, new: str, verdict: str) -> None:
    state = next(one for one in map(taught.record.state_at, range(taught.record.ply))
                 if (taught.force.game.position_name(one) or "the start") == (name or "the start"))  # fmt: skip
    code = taught.force.game.parse_move(move, state)
    scores = [float(table.scores(state)[code]) for table in (taught.before, taught.after)]
    assert [real(old), real(new)] == pytest.approx(scores, abs=0.000501)
    words = [taught.verdict(table, state) for table in (taught.before, taught.after)]
    assert re.findall(r"[a-z]+", verdict) == (words[:1] if words[0] == words[1] else words)


def learned_line(taught: Taught, name: str, move: str, old: str, new: str, arrow: str) -> None:
    state = next(one for one in map(taught.record.state_at, range(taught.record.ply))
                 if (taught.force.game.position_name(one) or "the start") == (name or "the start"))  # fmt: skip
    code = taught.force.game.parse_move(move, state)
    scores = [float(table.scores(state)[code]) for table in (taught.before, taught.after)]
    assert [real(old), real(new)] == pytest.approx(scores, abs=0.000501)
    assert (arrow == "↑") == (scores[1] > scores[0]) and scores[0] != scores[1]


NUMBER = r"[+−]?[\d,.]+"
LESSON: Patterns = {
    r"1 lesson with weight ([\d,]+): best moves change in (\d+|no) (positions?)\."
    r" Accuracy ([\d.]+) % → ([\d.]+) %\.": effect,
    r"Best moves changed in (\d+|no) (position|positions)\.": changed,
    r"((?:[◉╳◎·] \w+: .+)+)": became,
    rf"(the start|\S+) +(\S+) +({NUMBER}) +→ +({NUMBER})  (.+)": score_line,
    rf"(the start|\S*) +(\S+) +({NUMBER}) +→ +({NUMBER}) ([↑↓])": learned_line,
    r".+ learned(?:, weight ([\d,]+))?": lambda taught, weight: same(int(real(weight or "1")), taught.weight),
    r"This game changed no score of the table\.": lambda taught: same(
        [state for state in taught.states if taught.before.scores(state) != taught.after.scores(state)], []
    ),
}


def check_versions(taught: Taught, rows: list[dict[str, str]]) -> None:
    """The newest version stands first, then the base."""
    newest, base = rows
    winner = taught.record.winner
    assert (newest["version"], base["version"], base["lesson"]) == ("1", "0", "the base")
    assert newest["lesson"].startswith("a draw" if winner is None else f"{('me', 'perfect')[winner]} won")
    assert int(real(newest["weight"])) == taught.weight and not base["weight"]
    assert int(newest["best moves changed in"].split()[0].replace("no", "0")) == taught.relearned
    assert newest["moves"] == " ".join(taught.force.game.line_names(taught.record.moves, taught.record.state_at(0)))
    for row, table in ((newest, taught.after), (base, taught.before)):
        assert abs(real(row["accuracy"].removesuffix(" %")) - 100 * taught.accuracy(table)) <= 0.00501


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["reward", "q", "average"])
def test_every_sentence_about_a_lesson_is_true(learner: str, tmp_path: Path) -> None:
    told = set[str]()
    for game in ("nim:3,2,1", "nim:2,3:misere", "kayles:4", "noughts:2x3x2", "connect:3x2x3"):
        force, chance = Force(game), random.Random(game)
        for number, weight in enumerate((1, 1, 10, 100)):
            table = interpreted.train(parse_game(game), parse_learner(learner), (5, 40)[number % 2], number)
            record = Record(table.game)
            while not record.over:
                record.push(chance.choice(base.legal_moves(record.state)))
            given = Lesson.of(record, None, ("me", "perfect"), 0.0, weight)
            taught = Taught(force, table.copy(), record, weight)
            told |= said_of(taught, table, given)
            path = tmp_path / f"{force.game.name.replace(':', '-')}-{number}.npz"
            keep(path, "easy", table, [given])
            found = details(Item(Kind.TABLE, path, "", "", 0.0, 1, lessons=1), lambda: None)  # type: ignore[arg-type,return-value]
            check_versions(taught, rows_of(found))
            [figures] = [block for block in found.report.blocks if isinstance(block, Figures)]
            [shares] = [figure.value.text for figure in figures.rows if figure.label == "accuracy"]
            assert (
                abs(real(shares.removesuffix(" %, over positions not lost")) - 100 * taught.accuracy(taught.after))
                <= 0.00501
            )
    assert told >= set(LESSON) - {r"This game changed no score of the table\."}


def said_of(taught: Taught, table: Table, given: Lesson) -> set[str]:
    done = Preview(table, given).effect(given.weight)
    told = {check(done.text, LESSON, taught)}
    if np.any(done.changed):
        told.add(check(plain_text(lesson._now(done, UNICODE)).rstrip(), LESSON, taught))
    head, *lines = table_lines(lesson._moves(done, UNICODE), 200, signs=UNICODE)
    assert plain_text(head).split() == ["position", "move", "was", "now", "position", "is"]
    told |= {check(plain_text(line).rstrip(), LESSON, taught) for line in lines}
    learned: Any = teaching._lesson(table, given)[1]
    assert isinstance(learned, Learned)
    if text := teaching.changed_text(learned):
        told.add(check(text, LESSON, taught))
    paint = of_report(view.learned_report("Easy", learned, ""))
    shown = [plain_text(line).rstrip() for line in paint(200, 90, UNICODE)]
    if learned.changes:
        assert shown.pop(1).split() == ["position", "move", "was", "now"]
    return told | {check(text, LESSON, taught) for text in shown if text}


def test_a_fault_is_named_and_its_loser_too() -> None:
    db = Database()
    row = GameRow(0, 1, 0, b"", 1, (0, 0), (0, 0), (0, 0), "it slept", 0.0)
    id = tournaments.save_game(db, "nim:3,2,1", "random", "perfect", row)
    found = details(Item(Kind.GAME, id, "", "", 0.0, 0), lambda: db)
    db.close()
    assert sentences(found)[:2] == ["! it slept", "random won, moving second: it slept"]
