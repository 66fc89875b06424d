"""What plain mode prints of a training, computed again from the table by brute force."""

from __future__ import annotations

import re

import pytest

from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.jobs import Jobs
from nimtui.learning.report import trained as trained_report
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.report.cells import spoken
from nimtui.report.document import document
from nimtui.ui.train import view as train_view
from nimtui.ui.train.lane import Lane
from tests.patterns import COUNT, Patterns, check, real, same
from tests.printed import printed
from tests.theory.force import Force


def accuracy(force: Force, run: Run) -> tuple[float, int, int, int, int]:
    """The mean share of best-scored moves that keep the outcome, and the right, wrong, undecided and lost positions."""
    seen, todo, shares = set[bytes](), [force.game.new()], list[float]()
    lost = 0
    while todo:
        state = todo.pop()
        if state.board.tobytes() in seen or int(base.outcome(state)) != base.GOING_ON:
            continue
        seen.add(state.board.tobytes())
        moves = base.legal_moves(state)
        todo += [force.after(state, move) for move in moves]
        if force.value(state)[0] < 0:
            lost += 1
            continue
        found, keeping = run.training.table.scores(state), force.keeping(state)
        best = [move for move in moves if found[move] == max(found.values())]
        shares.append(sum(force.game.move_name(move, state) in keeping for move in best) / len(best))
    right, wrong = shares.count(1.0), shares.count(0.0)
    return sum(shares) / len(shares), right, wrong, len(shares) - right - wrong, lost


def losing(force: Force, run: Run, state: State, own: bool) -> float:
    """How often the table loses to perfect play; `own`: it is to move. Both choose at random among equal moves."""
    if (over := int(base.outcome(state))) != base.GOING_ON:
        return float(over != base.DRAW and own == (over == base.WON))
    moves = base.legal_moves(state)
    if own:
        found = run.training.table.scores(state)
        moves = [move for move in moves if found[move] == max(found.values())]
    else:
        moves = [move for move in moves if force.game.move_name(move, state) in force.keeping(state)]
    return sum(losing(force, run, force.after(state, move), not own) for move in moves) / len(moves)


def faultless(force: Force, run: Run) -> tuple[list[str], bool]:
    """The seats that do not lose, and whether no opponent can lead the table from them to a best move that worsens."""
    start = force.game.new()
    value = force.value(start)[0]
    replies = [force.after(start, move) for move in base.legal_moves(start)]
    todo, seen = [start] * (value >= 0) + replies * (value <= 0), set[bytes]()
    seats = ["first"] * (value >= 0) + ["second"] * (value <= 0)
    while todo:
        state = todo.pop()
        if state.board.tobytes() in seen or int(base.outcome(state)) != base.GOING_ON:
            continue
        seen.add(state.board.tobytes())
        scores = run.training.table.scores(state)
        for move in [move for move in scores if scores[move] == max(scores.values())]:
            after = force.after(state, move)
            if -force.value(after)[0] < force.value(state)[0]:
                return seats, False
            if int(base.outcome(after)) == base.GOING_ON:
                todo += [force.after(after, reply) for reply in base.legal_moves(after)]
    return seats, True


class Trained:
    """A run, its document, and what brute force counts of it."""

    def __init__(self, force: Force, learner: str, games: int) -> None:
        self.force, self.games, self.run = force, games, trained(force.game, learner, games)
        self.share, self.right, self.wrong, self.undecided, self.lost = accuracy(force, self.run)
        self.seats, self.faultless = faultless(force, self.run)
        start = force.game.new()
        lost = [losing(force, self.run, start, seat == "first") for seat in self.seats]
        self.unbeaten = 1 - sum(lost) / len(lost)
        self.report = trained_report(self.run)
        self.keys = document(self.report)


def trained(game: Game, learner: str, games: int) -> Run:
    run = Run(Training(game, learner, 1))
    run.views.every = 10.0
    run.goal(games)
    run.work()
    return run


def figures(one: Trained, learner: str, seed: str, games: str, seconds: str, per_second: str) -> None:
    assert int(real(games)) == one.games and seed == "1" and learner == one.keys["learner"]
    assert real(per_second) == round(one.keys["games_per_second"])


def sums(one: Trained, plies: str, positions: str) -> None:
    assert int(real(plies)) == one.run.training.table.visits.sum()
    assert int(real(positions)) == one.right + one.wrong + one.undecided + one.lost


def point(one: Trained, games: str, share: str, unbeaten: str) -> None:
    """Check a point of the curve by another training of so many games."""
    number = int(real(games))
    other = one if number == one.games else Trained(one.force, one.keys["learner"], number)
    assert abs(real(share) - 100 * other.share) <= 0.0501 and abs(real(unbeaten) - 100 * other.unbeaten) <= 0.0501
    assert (share == "100") == (other.share > 1 - 1e-9) and (unbeaten == "100") == (other.unbeaten > 1 - 1e-9)


def row(one: Trained, games: str, share: str, bar: str, unbeaten: str) -> None:
    point(one, games, share, unbeaten)
    assert abs(len(bar) - 0.3 * real(share)) <= 0.52


def proof(one: Trained, seat: str, word: str) -> None:
    assert one.seats == (["first", "second"] if seat == "in either seat" else [seat.removeprefix("moving ")])
    assert one.faultless == (word == "yes")


def no(one: Trained, said: str) -> None:
    parts = re.findall(r"([\d,]+)(?: of ([\d,]+))? (wrong|undecided)", said)
    counts = {"wrong": one.wrong, "undecided": one.undecided}
    assert {what: int(real(number)) for number, _, what in parts} == {what: n for what, n in counts.items() if n}
    assert int(real(parts[0][1])) == one.right + one.wrong + one.undecided


REPORT: Patterns = {
    rf"After ({COUNT}) games?: accuracy ([\d.]+) per cent, against perfect play ([\d.]+) per cent\.": point,
    r"(?:a|A)ccuracy: over the (\d+) positions not lost\.?": (
        lambda one, number: same(int(number), one.right + one.wrong + one.undecided)
    ),
    r"(?:n|N)o mistake against any opponent, (moving first|moving second|in either seat): (yes|no)\.?": proof,
    r"(?:e|E)very position right: yes(?:, after [\d,]+ games)?\.?": lambda one: same(one.wrong + one.undecided, 0),
    r"(?:e|E)very position right: no \((.+)\)\.?": no,
    rf"(\S+), seed (\d+): ({COUNT}) games in ([\d.]+ \S+), ({COUNT}) a second\.?": figures,
    rf"({COUNT}) plies, ({COUNT}) positions\.?": sums,
    r"games +accuracy +against perfect": lambda one: None,
    rf"({COUNT}) +([\d.]+) % +(█*) +([\d.]+) %": row,
}
# The Train screen: of one learner, and of one of two.
SCREEN: Patterns = {
    r"Every best move is right\.": lambda one: same(one.wrong + one.undecided, 0),
    r"(Moving first|Moving second|In either seat), its best moves never lose; (\d+) positions? wrong or undecided\.": (
        lambda one, seat, number: proof(one, seat[0].lower() + seat[1:], "yes") or unsure(one, number)
    ),
    r"(Moving first|Moving second|In either seat), it can still make mistakes\.": (
        lambda one, seat: proof(one, seat[0].lower() + seat[1:], "no")
    ),
    r"one: perfect": lambda one: same(one.wrong + one.undecided, 0),
    r"one: (best moves never lose, )?(\d+) wrong or undecided": (
        lambda one, safe, number: same(bool(safe), one.faultless) or unsure(one, number)
    ),
}


def unsure(one: Trained, number: str) -> None:
    assert int(number) == one.wrong + one.undecided > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "learner"),
    [
        ("nim:3,2,1", "q"),
        ("nim:2,2", "reward"),
        ("kayles:1,3:misere", "q"),
        ("connect:3x2x2", "q"),
        ("noughts:2x3x2", "reward"),
    ],
)
def test_every_line_about_a_training_is_true(game: str, learner: str) -> None:
    force, told = Force(game), set[str]()
    for games in (1, 10, 1000):
        one = Trained(force, learner, games)
        for title, *lines in (list(spoken(one.report)), printed(one.report)):
            assert title.removesuffix(".").endswith(f"({force.game.name})")
            told |= {check(text, REPORT, one) for text in lines}
        lane = Lane(Jobs(), one.run)
        assert lane.pull()
        for who in ("", "one: "):
            check(train_view._worth(lane, who), SCREEN, one)
    assert len(told) >= len(REPORT) - 1
