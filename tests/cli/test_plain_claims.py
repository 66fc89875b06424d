"""What plain mode prints: random dialogues in every kind of game, each printed sentence taken apart."""

from __future__ import annotations

import random
import re
from functools import reduce
from operator import xor

import pytest

from nimtui.arena.review.review import story
from nimtui.cli import output
from nimtui.cli.plain import commands, lines
from nimtui.cli.plain.lines import Dialogue
from nimtui.engine.windows import WIN
from nimtui.errors import InputError
from nimtui.games import Game, base, registry
from nimtui.games.base import State
from nimtui.playing.sentences import reviewed
from nimtui.playing.setup import PlaySetup
from nimtui.theory import plain
from tests.deeds import MATCHES, has_line, inside, is_deed, is_result, names_of
from tests.examples import examples
from tests.games import wythoff
from tests.patterns import Patterns, check, real, same
from tests.theory.force import Force, is_true, runs
from tests.theory.test_plain_sentences import check_ending
from tests.theory.test_sentences import REASONS, counts
from tests.theory.test_sentences import check as check_reasons

pytestmark = pytest.mark.slow

registry.add(wythoff)
GAMES = [
    "nim:3,2,2",
    "nim:2,3,1:misere",
    "nim:5,4:max=2",
    "nim:4",
    "subtraction:11,3:misere",
    "adjacent:2,4",
    "kayles:1,3,2:misere",
    "adjacent:2,3:max=1",
    "chomp:2x4",
    "noughts:3x3x3",
    "connect:3x3x3",
    "connect:3x2x3",
    "wythoff:3,4",
]
SEATS = [("me", "random"), ("perfect", "me"), ("me", "me")]
TYPED = ("board", "moves", "hint", "why", "why terms", "undo", "redo", "review", "swap", "first", "second",
         "search alphabeta:depth=3", "search mcts:simulations=40", "search minimax:depth=-1", "rules")  # fmt: skip


class Facts:
    """The dialogue after a line, its game, and brute force."""

    def __init__(self, force: Force, dialogue: Dialogue, command: str) -> None:
        self.force, self.dialogue, self.session, self.command = force, dialogue, dialogue.session, command
        self.game: Game = force.game
        first, second = (player.spec for player in self.session.players)
        self.seats = (first, second)
        self.names = names_of(self.seats)
        self.record = self.session.record
        self.states = [self.record.state_at(ply) for ply in range(self.record.ply + 1)]

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def cells(self) -> list[list[int]]:
        return [list(row) for row in self.game.cells(self.state) or ()]

    def after(self, name: str) -> State:
        return self.force.after(self.state, self.game.parse_move(name, self.state))


# The board and the rules.


def row_of(facts: Facts, row: str | None, number: str, unit: str, places: str | None = None) -> None:
    cells = facts.cells[ord(row) - ord("A") if row else 0]
    assert bool(row) == (len(facts.cells) > 1) and (unit == "match") == (number == "1")
    assert int(number.lower().replace("no", "0")) == sum(cells)
    if places:
        named = {n for first, last in re.findall(r"(\d+)(?: to (\d+))?", places)
                 for n in range(int(first), int(last or first) + 1)}  # fmt: skip
        assert named == {at for at, cell in enumerate(cells, 1) if cell}
    elif facts.game.board_kind == "runs":
        assert sum(cells) in (0, len(cells))


SIGNS = {"X": 1, "O": 2, "a piece": 3, "pieces": 3, "a poisoned piece": 4, "poisoned pieces": 4}


def row_named(facts: Facts, name: str, signs: str) -> None:
    """Check 'Row 2: column 1 X, columns 2 to 3 pieces.'; columns that are not named are empty."""
    lowest = facts.game.board_kind == "columns"
    cells = facts.cells[len(facts.cells) - int(name) if lowest else ord(name) - ord("A")]
    said = [0] * len(cells)
    for first, last, sign in re.findall(r"columns? (\d+)(?: to (\d+))? ([a-z ]+|X|O)", signs):
        for at in range(int(first), int(last or first) + 1):
            said[at - 1] = SIGNS[sign.strip()]
    assert said == [max(0, cell) for cell in cells]


def title(facts: Facts, head: str, end: str | None) -> None:
    if facts.game.board_kind in MATCHES:
        assert end == ("loses" if facts.force.misere else "wins")
        if found := re.search(r"(\d+) matches", head):
            assert int(found[1]) == sum(map(sum, facts.game.cells(facts.game.start) or ()))


def takes(facts: Facts, end: str, many: str, where: str | None) -> None:
    """Check which numbers of matches a move of the start takes from one row, and that they are neighbours if said."""
    start, cells = facts.game.start, facts.game.cells(facts.game.start) or ()
    taken: dict[int, set[int]] = {}
    for move in base.legal_moves(start):
        touched = sorted(facts.game.touched(start, move))
        assert len({row for row, _ in touched}) == 1
        taken.setdefault(touched[0][0], set()).add(len(touched))
        if "adjacent" in many:
            assert [place for _, place in touched] == list(range(touched[0][1], touched[0][1] + len(touched)))
    found = re.fullmatch(r"any number of .+|1 (?:or|to) (\d+) .+|(one) match", many)
    assert found and bool(where) == (len(cells) > 1)
    most = int(found[1]) if found[1] else 1 if found[2] else 99
    assert taken == {row: set(range(1, min(most, len(line)) + 1)) for row, line in enumerate(cells)}
    assert ("adjacent" in many) == (facts.game.board_kind == "runs" and most > 1)
    assert end == ("loses" if facts.force.misere else "wins")


def in_a_row(facts: Facts, word: str) -> None:
    """A line of k ends the game; nothing else does before the board is full."""
    k = int(word)
    for state in facts.force.positions(3):
        full = all(cell for row in facts.game.cells(state) or () for cell in row)
        line, end = has_line(facts.game, state, k), int(base.outcome(state))
        assert (end == base.WON) == line and (end == base.DRAW) == (full and not line)


def typed(facts: Facts, deed: str, name: str) -> None:
    start = facts.game.start
    after = facts.force.after(start, facts.game.parse_move(name, start))
    is_deed(facts.game, start, after, deed)


def singles(facts: Facts, name: str, place: str, row: str, both: str | None) -> None:
    """Check how one match of a row, and its first two, are named."""
    typed(facts, f"take {row.lower()}{place}", name)
    if both:
        typed(facts, f"take {row.lower()}1-2", both)


def size(facts: Facts, columns: str, rows: str) -> None:
    assert (len(facts.cells[0]), len(facts.cells)) == (int(columns), int(rows))


def marks(facts: Facts, thing: str | None) -> None:
    """The first player sets 1, the second 2, if anybody sets marks."""
    first = facts.force.after(facts.game.start, base.legal_moves(facts.game.start)[-1])
    both = facts.force.after(first, base.legal_moves(first)[-1])
    numbers = [{cell for row in facts.game.cells(state) or () for cell in row} & {1, 2} for state in (first, both)]
    assert numbers == ([{1}, {1, 2}] if thing else [set(), set()])


BOARD: Patterns = {
    r"(?:([A-Z]): )?(\d+|no|No) (match|matches)(?:, at (.+))?": row_of,
    r"Row (\w): (.+)\.": row_named,
    r"The board is empty\.": lambda facts: is_true(not any(cell > 0 for row in facts.cells for cell in row)),
    r"Position: (.+)": lambda facts, name: same(
        name.replace("the start", "3,4"), ",".join(map(str, facts.state.board.tolist()))
    ),
}
RULES: Patterns = {
    r"(?!Move |First|Type |A move|Cells|X is|The board|Who|'|Row)([^.]+?)"
    r"(?:: the last match (wins|loses))?\.": title,
    r"Whoever takes the last match (wins|loses)\. In turn, take (.+?)( from one row)?\.": takes,
    r"Type (\S+) to take (\d+)(?: from row ([A-Z]))?\.": lambda facts, name, count, row: typed(
        facts, f"take {count}" + (f" from {row}" if row else ""), name
    ),
    r"Type (\S+) to take match (\d+) of row ([A-Z])(?:, (\S+) to take matches 1 and 2)?\.": singles,
    r"Type (\d+) and Enter to drop a disc into column (\d+)\.": lambda facts, name, column: typed(
        facts, f"drop in column {column}", name
    ),
    r"A move is typed as (\S+), for example\.": lambda facts, name: typed(facts, f"play {name}", name),
    r"Type (\S+) to (?!take)(.+?)(?:: row ([A-Z]), column (\d+))?\.": lambda facts, name, deed, *place: (
        typed(facts, deed, name) or placed(facts, name, *place)
    ),
    r"The board has (\d+) columns and (\d+) rows\. Row 1 is the lowest\.": size,
    r"Whoever first has (\d+) discs in a line, in any direction, wins; a full board is a draw\. In turn, drop a disc"
    r" into a column\.": in_a_row,
    r"X is the first player's (disc|mark), O the second player's\. Cells that are not named are empty\.": marks,
    r"Cells that are not named are empty\.": lambda facts: marks(facts, None),
    r"'moves' lists the legal moves\.": lambda facts: is_true(facts.game.board_kind not in (*MATCHES, "columns")),
}


def placed(facts: Facts, name: str, row: str | None, column: str | None) -> None:
    if row and column:
        square = facts.game.square(facts.game.start, facts.game.parse_move(name, facts.game.start))
        assert square == (ord(row) - ord("A"), int(column) - 1)


# The game.


def moved(facts: Facts, ply: str, who: str, deed: str, name: str | None, instead: str | None) -> None:
    at = int(ply)
    assert who == inside(facts.names[(at - 1) % 2]) and not instead
    is_deed(facts.game, facts.states[at - 1], facts.states[at], deed)
    if name:
        left = facts.force.after(facts.states[at - 1], facts.game.parse_move(name, facts.states[at - 1]))
        assert left.board.tolist() == facts.states[at].board.tolist()


def seated(facts: Facts, order: str, who: str) -> None:
    assert who == facts.names[order == "Second"]


def both(facts: Facts, first: str, second: str, seed: str | None) -> None:
    for said, spec in zip((first, second), facts.seats, strict=True):
        assert said.partition(" (")[0] == ("You" if spec == "me" else spec.capitalize())
    assert seed is None or int(seed) == facts.session.seed


PLAY: Patterns = {
    r"Move (\d+): (.+?) ((?:took|dropped|ate|marked|played) .+?)(?: \((\S+)\))?( \(you moved for it\))?\.": moved,
    r"'review' judges the moves, 'again' starts another game\.": lambda facts: is_true(facts.session.over),
    r"Legal moves: (.+)\.": lambda facts, names: same(
        names.split(", "), [facts.game.move_name(move, facts.state) for move in base.legal_moves(facts.state)]
    ),
    r"The game is over: no moves are left\.": lambda facts: is_true(facts.session.over),
    r"Back before move (\d+)\.": lambda facts, ply: same(int(ply), facts.record.ply + 1),
    r"Played again up to move (\d+)\.": lambda facts, ply: same(int(ply), facts.record.ply),
    r"(First|Second): (.+)\. 'agents' lists the agents\.": seated,
    r"First: (.+)\. Second: (.+?)\.(?: Seed (\d+)\.)?": both,
    r"(.+) moves\.": lambda facts, who: same(who, facts.names[facts.record.turn]),
}


# Why.


def nim_row(
    facts: Facts, row: str, number: str, unit: str, lengths: str | None, value: str | None, digits: str
) -> None:
    at = ord(row) - ord("A")
    found, worth = runs(facts.game, facts.state)[at], reduce(xor, counts(facts.force, facts.state)[at], 0)
    assert int(number.replace("no", "0")) == sum(found) and (unit == "match") == (number == "1")
    assert lengths is None or [int(one) for one in lengths.split(", ")] == found
    assert bool(lengths) == (len(found) > 1) and int(value or sum(found)) == worth == int(digits, 2)


def nim_sum(facts: Facts, total: str, digits: str, odd: str | None) -> None:
    worth = reduce(xor, (one for row in counts(facts.force, facts.state) for one in row), 0)
    assert int(total) == int(digits, 2) == worth == sum(map(int, odd.split(", ") if odd else []))


def scores(facts: Facts, text: str) -> None:
    """The score of a column: 0 for a draw, above 0 wins, and higher is sooner."""
    found = [(name, int(real(score))) for name, score in re.findall(r"column (\w+) ([+−]?\d+)", text)]
    assert [name for name, _ in found] == [facts.game.move_name(m, facts.state) for m in base.legal_moves(facts.state)]
    worth = {name: facts.force.value(facts.after(name)) for name, _ in found}
    for name, score in found:
        sign, plies = -worth[name][0], worth[name][1]
        assert (score > 0) - (score < 0) == sign
        cells = sum(map(len, facts.cells))
        played = sum(bool(cell) for row in facts.cells for cell in row) + 1 + plies
        assert not sign or abs(score) == (cells - played) // 2 + 1, (name, score, plies)


WHY: Patterns = {
    r"([A-Z]): (\d+|no) (match|matches)(?: in runs of ([\d, ]+))?(?:, value (\d+))?, binary ([01]+)\.": nim_row,
    r"Nim-sum: (\d+), binary ([01]+)\.(?: Odd columns: ([\d, ]+)\.)?": nim_sum,
    r"Scores: (.+)\.": scores,
    r"The game is over: no term is needed to explain it\.": lambda facts: is_true(facts.session.over),
    r"(?!Scores)([\w -]+): (.+)": lambda facts, term, meaning: is_true(facts.command == "why terms"),
}


# Search, review, training.


def judged(facts: Facts, ply: str, label: str, name: str, mistake: str | None, verdict: str) -> None:
    at = int(ply) - 1
    assert facts.game.move_name(facts.record.moves[at], facts.states[at]) == name
    assert label == facts.session.authors[at].label
    before, after = facts.force.value(facts.states[at])[0], -facts.force.value(facts.states[at + 1])[0]
    word = {1: "win", 0: "draw", -1: "loss"}
    assert bool(mistake) == (after < before)
    kept = "was lost anyway" if before < 0 else f"keeps the {word[before]}"
    assert verdict == (f"{word[before]} → {word[after]}" if mistake else kept)


def value_of(facts: Facts, state: State, depth: int, ply: int) -> int:
    """The value of minimax for the player to move."""
    if (over := int(base.outcome(state))) != base.GOING_ON:
        return 0 if over == base.DRAW else -over * (WIN - ply)
    if not depth:
        return int(base.evaluate(state))
    return max(-value_of(facts, facts.force.after(state, m), depth - 1, ply + 1) for m in base.legal_moves(state))


def number(value: str) -> float:
    found = re.fullmatch(r"(wins|loses) in (\d+)(?: ply| plies)?", value)
    plain = value.replace("plus ", "+").replace("minus ", "−")
    return (1 if found[1] == "wins" else -1) * (WIN - int(found[2])) if found else real(plain)


def depth_of(facts: Facts) -> int | None:
    found = re.search(r"depth=(-?\d+)", facts.command)
    return int(found[1]) if found else None


VALUES: list[str] = []  # of the move that is played: said once beside the search, once beside the move


def plays(facts: Facts, name: str, time: str) -> None:
    assert facts.game.parse_move(name, facts.state) in base.legal_moves(facts.state)
    assert re.fullmatch(r"<?[\d.,]+ m?s", time)
    VALUES[:] = [name]


def value_said(facts: Facts, value: str) -> None:
    [name] = VALUES
    if (depth := depth_of(facts)) is not None:
        after = -value_of(facts, facts.after(name), depth - 1, 1)
        assert number(value) == value_of(facts, facts.state, depth, 0) == after
    else:
        assert -1 <= number(value) <= 1


def line(facts: Facts, names: str) -> None:
    state = facts.state
    for name in names.split():
        if depth_of(facts) == -1:
            assert name in facts.force.keeping(state)
        state = facts.force.after(state, facts.game.parse_move(name, state))


def good(facts: Facts, name: str, played: str | None, verdict: str) -> None:
    keeping = facts.force.keeping(facts.state)
    assert bool(played) == ([name] == VALUES)
    if len(keeping) == int(base.count(facts.state)):
        assert verdict == "all equal"
    else:
        assert verdict == ("best" if name in keeping else "mistake")


def root_move(
    facts: Facts, name: str, played: str | None, bound: str | None, value: str, nodes: str, verdict: str
) -> None:
    depth = depth_of(facts)
    assert depth is not None and int(real(nodes)) >= 0
    if value != "unknown":
        exact, said = -value_of(facts, facts.after(name), depth - 1, 1), number(value)
        assert {None: exact == said, "at least ": exact >= said}.get(bound, exact <= said)
    good(facts, name, played, verdict)


VISITED: list[int] = []


def visited(facts: Facts, name: str, played: str | None, visits: str, mean: str | None, verdict: str) -> None:
    VISITED.append(int(real(visits)))
    assert (mean is None) == (visits == "0") and (mean is None or -1 <= number(mean) <= 1)
    good(facts, name, played, verdict)


def nodes(facts: Facts, count: str) -> None:
    assert int(real(count)) > 0
    if depth_of(facts) is None:
        assert sum(VISITED) == 40
        VISITED.clear()


TRUTH = r"truth (best|mistake|all equal)\."
SEARCH: Patterns = {
    r"(?:\S+) plays (\S+) \((.+)\)\.": plays,
    r"Value: (.+)\.": value_said,
    r"Line: (.+)\.": line,
    rf"(?:column )?(\S+): (plays, )?value (at least |at most )?(.+), nodes ([\d,]+), {TRUTH}": root_move,
    rf"(?:column )?(\S+): (plays, )?visits ([\d,]+)(?:, mean ((?:plus |minus )?[\d.]+))?(?:, ucb .+)?, {TRUTH}":
        visited,
    r"Nodes: ([\d,]+)\.": nodes,
}  # fmt: skip
REVIEW: Patterns = {r"Move (\d+), (.+?), (\S+): (mistake, )?(.+)\.": judged}


def patterns_of(command: str) -> Patterns:
    """The forms of what a command may print."""
    game = {**PLAY, **BOARD}
    return {
        "hint": {},
        "why": WHY,
        "search": SEARCH,
        "review": REVIEW,
        "rules": RULES,
        "start": {**RULES, **BOARD, **PLAY},
    }.get(command.partition(" ")[0], game)


def verify(facts: Facts, printed: list[str]) -> set[str]:
    told = set[str]()
    for text in printed:
        if facts.session.over and re.fullmatch(r".+ (wins?|draw)\.", text) and "review" not in facts.command:
            told.add(is_result(facts.game, facts.states, facts.seats, text))
        elif facts.command in ("start", "rules") and text == facts.game.rules:
            told.add("the game's own rules")
        elif facts.command == "hint" or (facts.command == "why" and is_plain(facts, text)):
            assert text == " ".join(plain.explained(facts.game, facts.state).sentences())  # held in tests/theory
            told.add("plain words")
        elif facts.command == "why" and text == printed[-1]:
            reason, *end = re.split(r" (?=Best play|Column \w+ completes|In the end)", text, maxsplit=1)
            told |= check_reasons(reason, REASONS, facts.force, facts.state)
            for ending in end:
                check_ending(facts.force, facts.state, ending)
        elif facts.command == "review" and text == printed[-1]:
            assert text == " ".join(story(reviewed(facts.session, facts.session.judgements)))  # tests/arena
            told.add("story")
        else:
            told.add(check(text, patterns_of(facts.command), facts))
    return told


def is_plain(facts: Facts, text: str) -> bool:
    return not facts.session.over and text == " ".join(plain.explained(facts.game, facts.state).sentences())


@pytest.mark.slow
def test_every_line_of_a_dialogue_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr(output, "paragraph", lambda text, to=None: printed.append(text))
    monkeypatch.setattr(lines, "PATIENCE", 1e6)
    told = set[str]()
    for game in GAMES:
        force = Force(game)
        for seats in SEATS:
            chance, dialogue = random.Random(f"{game} {seats}"), Dialogue(1)
            printed.clear()
            dialogue.start(PlaySetup(game, None, seats, 1))
            told |= verify(Facts(force, dialogue, "start"), printed)
            for _ in range(24 * examples(1)):
                printed.clear()
                if dialogue.session.waiting_for is not None:
                    commands.obey(dialogue, "board")
                    told |= verify(Facts(force, dialogue, "board"), printed)
                printed.clear()
                dialogue.let_agents_move()
                told |= verify(Facts(force, dialogue, "move"), printed)
                printed.clear()
                session = dialogue.session
                choices = list(TYPED)
                if session.over:
                    choices = ["board", "moves", "why", "why terms", "undo", "review"]
                else:
                    moves = [session.game.move_name(move, session.state) for move in base.legal_moves(session.state)]
                    choices += [f"move {move}" for move in chance.sample(moves, min(len(moves), 3))] * 2
                command = chance.choice(choices)
                try:
                    commands.obey(dialogue, command)
                except InputError:  # nothing to take back, to play again, to review
                    continue
                told |= verify(Facts(force, dialogue, command), printed)
    assert told >= {*PLAY, *BOARD, *RULES, *WHY, *SEARCH, *REVIEW, "plain words", "story", "last match", "line"}
